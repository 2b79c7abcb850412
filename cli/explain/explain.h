/* explain.h - the results of regula explain, as text and JSON. */
#ifndef REGULA_CLI_EXPLAIN_EXPLAIN_H
#define REGULA_CLI_EXPLAIN_EXPLAIN_H

#include "cli/model/use.h"
#include "cli/output/output.h"
#include "explain/explain.h"
#include "explain/explain_figure.h"

/* What was asked, and all that it takes to answer. */
typedef struct cli_explain {
    cli_use use;
    const char *path;        /* of the model */
    bool has_data;           /* DATA was given */
    rg_names *names;         /* owned */
    rg_explainer *explainer; /* owned */
    size_t top;              /* statements, or typical graphs */
    bool top_given;
    size_t layer; /* of the network file, from 0; SIZE_MAX: all */
    rg_explain_order by;
    rg_part part;           /* samples that removing is measured on; graphs NULL: all */
    bool split;             /* the part is of a split */
    rg_explain_score score; /* of the model on it; n 0: not measured */
    uint32_t *graphs;       /* those asked for, owned */
    size_t n_graphs;
    bool numbers;    /* of nodes, in a picture */
    const char *out; /* file for a picture; NULL: none */
    size_t columns[RG_EXPLAIN_COLUMNS_MAX];
    size_t n_columns;
    uint32_t class, against; /* RG_NO_OUTPUT: not asked for */
    const char *truth; /* file of known causes; "": the one of the data; NULL: not asked for */
    const cli_value *beside; /* files of other models to compare with */
    uint64_t seed;
    bool spread; /* what nodes add, over the nodes that their labels describe */
} cli_explain;

/* explain_rules.c: the statements of all layers. */
RG_MUST_CHECK rg_status cli_explain_rules(cli_explain *job, rg_error *err);
RG_MUST_CHECK rg_status cli_explain_rules_json(cli_explain *job, rg_error *err);
/* explain_graphs.c: attributions of graphs. */
RG_MUST_CHECK rg_status cli_explain_graphs(cli_explain *job, rg_error *err);
RG_MUST_CHECK rg_status cli_explain_graphs_json(cli_explain *job, rg_error *err);
/* explain_class.c: what is typical of a class, and what separates two. */
RG_MUST_CHECK rg_status cli_explain_class(cli_explain *job, bool json, rg_error *err);
/* explain_truth.c: how good the explanations are, against known causes. */
RG_MUST_CHECK rg_status cli_explain_truth(cli_explain *job, bool json, rg_error *err);
/* The picture of job->graphs into job->out. */
RG_MUST_CHECK rg_status cli_explain_draw(cli_explain *job, rg_error *err);

/* ---- shared */

/* The members that say what was asked of what. NULL if memory is short. */
json_t *cli_explain_question(const cli_explain *job);
/* A text of JSON as a tree. The text is used up. NULL if memory is short. */
json_t *cli_explain_tree(rg_json *json);
/* "+0.412", "-1.2e-05": at most 9 letters. */
#define CLI_SIGNED 16
const char *cli_signed(char out[CLI_SIGNED], double value);
#define CLI_LAYER_TITLE 120
/* "812 of 4110 graphs": what samples of the data are called. */
const char *cli_explain_samples(const cli_explain *job);
/* Class or number of an output, as data files have it. */
int64_t cli_explain_output(const cli_explain *job, uint32_t output);
/* Is a layer of the network one of those asked for, and has parameters? */
bool cli_explain_asked(const cli_explain *job, size_t layer);
/* The layer of the network that has the rules of the one asked for, or its last; SIZE_MAX: all. */
size_t cli_explain_layer(const cli_explain *job);
/* "Layer 2, rule"; of a layer that is a part of one: "Layer 5 (readout), dense, layer.12 of the model". */
void cli_explain_title(char out[CLI_LAYER_TITLE], const cli_explain *job, size_t layer);
/* Prints a text that was built and frees it, wrapped from `column` on. RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_explain_wrap(rg_text *text, int column, rg_error *err);

#endif
