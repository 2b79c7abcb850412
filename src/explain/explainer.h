/* explainer.h - the inside of an explainer. */
#ifndef REGULA_EXPLAIN_EXPLAINER_H
#define REGULA_EXPLAIN_EXPLAINER_H

#include "explain.h"
#include "model/model.h"
#include "network/engine.h"

struct rg_explainer {
    const rg_model *model; /* kept */
    const rg_names *names; /* kept; NULL: none */
    rg_network net;        /* the model's, but that no layer has its input in the tables: its layers
                              are owned, all else that it points to is the model's */
    double *w;             /* parameters and what layers keep, owned; so are all below */
    size_t *
        origin; /* [number of w]: that of the model, where layers with rules share parameters: here each
                       has its own. NULL: numbers are those of the model */
    rg_statement *statements;
    size_t n;
    rg_statement_weight *weights;
    size_t n_weights;
    uint32_t *of_param;                  /* [param]: its statement, or RG_NO_STATEMENT */
    size_t first[RG_NET_LAYERS_MAX + 1]; /* statement of each layer */
    bool whole_nodes; /* what a node adds stays with it: rg_explainer_set_spread */
    bool atoms;       /* nodes are named, and their names are atoms: people say bonds */
    double *means;    /* [statement][output] */
    rg_source source;
    rg_predict_options options;
    rg_samples *samples; /* NULL: no data yet */
    rg_walk walk;
    rg_pass *pass; /* with shares: double, one lane */
};

/* The parameter of the model that parameter or kept number `param` of the explainer is. */
size_t rg_explainer_origin(const rg_explainer *explainer, size_t param);
/* RG_EUSAGE: there is no such sample, or no data were read. */
RG_MUST_CHECK rg_status rg_explainer_check_sample(const rg_explainer *explainer, size_t sample,
                                                  rg_error *err);
/* Numbers that the last layer gives before its activation, of the sample at hand. Adds `share` of one
 * output to a seed of them; of classes of nodes, share / nodes in each row. */
size_t rg_explainer_n_z(const rg_explainer *explainer);
void rg_explainer_seed(const rg_explainer *explainer, double *seed, uint32_t output, double share);
/* 0, 1, 2, ... up to n. Owned (rg_free); NULL if memory is short. */
uint32_t *rg_explainer_all(size_t n);
/* Calls `each` for every entry of the rules and the bias of layer k on a sample of e->samples.
 * from: the input row (of a bias: the row), to: the output row. An aggregation's own bias is one
 * entry. */
typedef void (*rg_entry_visit)(void *context, const rg_statement *statement, uint32_t number,
                               uint32_t key, uint32_t from, uint32_t to);
void rg_explainer_visit(const rg_explainer *explainer, const rg_sample *sample, size_t layer,
                        rg_entry_visit each, void *context);

/* Nodes are atoms if a label of theirs has the name of one. */
bool rg_explainer_atoms(const rg_names *names);

/* phrase.c: a node with these labels, as a noun. Begins as {.names, .place}; ends with
 * rg_phrase_end, which writes "a carbon on a ring of 6, of degree 3". */
typedef struct rg_phrase {
    const rg_names *names;
    bool place;      /* of an array, no node */
    bool brief;      /* no article, symbols for atoms, nothing of rings that it is not on */
    rg_text noun;    /* "carbon"; empty: node */
    rg_text details; /* " on a ring of 6, of degree 3" */
    size_t n_details;
} rg_phrase;
/* name: of the labeling, for what it cannot say. */
void rg_phrase_label(rg_phrase *phrase, const rg_labeling *labeling, uint32_t label,
                     const char *name);
void rg_phrase_node_label(rg_phrase *phrase, uint32_t column, int64_t value);
void rg_phrase_add(rg_phrase *phrase, const char *format, ...) RG_PRINTF(2, 3);
/* It is the one with this number: "place 9", "node 9". */
void rg_phrase_number(rg_phrase *phrase, int64_t number);
/* Does a phrase that has ended begin so? */
bool rg_phrase_is_numbered(const char *words);
/* Moves the phrase into the text. */
void rg_phrase_end(rg_text *out, rg_phrase *phrase);

/* sentence.c: the key of a weight in words. */
void rg_sentence_say(rg_text *out, const rg_explainer *explainer, const rg_rule *rule,
                     const int64_t *key);

#endif
