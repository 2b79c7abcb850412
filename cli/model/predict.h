/* predict.h - predictions as a table or as JSON, sample by sample. */
#ifndef REGULA_CLI_MODEL_PREDICT_H
#define REGULA_CLI_MODEL_PREDICT_H

#include "base/file.h"
#include "calibrate.h"
#include "cli/output/output.h"
#include "use.h"

/* Molecules of the data that could not be read: their rows say why. Plain struct, all zero to begin
 * with. */
typedef struct cli_missed {
    struct cli_missed_item *items; /* owned, in the order of the data */
    size_t n, capacity, n_told;
    bool failed; /* memory was short */
} cli_missed;

typedef struct cli_predict {
    const rg_model *model;
    rg_model_task task;
    size_t n_outputs;
    bool embed, probabilities;
    bool by_node;          /* a row per node */
    const uint32_t *nodes; /* those wanted, in each sample; NULL: all */
    size_t n_nodes;
    bool named;               /* all classes have names */
    rg_names *names;          /* owned: what is known of classes that the model has no names for */
    bool csv;                 /* rows are CSV (RFC 4180) */
    const char *gap;          /* between cells: a tab or a comma. Static */
    bool targets, ids;        /* what the data say stands beside the answers */
    bool unseen;              /* what the model did not see in training, too */
    const rg_dataset *graphs; /* what samples are of; exactly one of the two. Borrowed */
    const rg_arrays *arrays;
    bool strict, smiles;  /* lines: stop at the first bad one; they are molecules */
    size_t n_bad;         /* lines that could not be answered */
    bool table;           /* rows for people and spreadsheets */
    rg_file *file;        /* where they go; NULL: standard output */
    bool lines;           /* one JSON object a line, at once, if it is not the table */
    json_t *list;         /* else a list of them: owned; NULL if memory was short */
    bool begun;           /* the head of the table is there */
    size_t n;             /* samples so far; their numbers, if they come one by one */
    bool counted;         /* they do */
    cli_missed *missed;   /* borrowed; NULL: nobody asks */
    rg_sequence sequence; /* lines are texts */
    const cli_calibration *calibration; /* borrowed; NULL: probabilities as they are */
    double *calibrated;                 /* [class]: room for them; borrowed */
} cli_predict;

/* Are outputs those of nodes? */
static inline bool cli_predict_of_nodes(const cli_predict *job)
{
    return job->task == RG_MODEL_NODES || job->task == RG_MODEL_NODE_VALUES;
}

/* For rg_model_predict, with a cli_predict as context. RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_predict_take(void *predict, const rg_prediction *p, rg_error *err);
/* The head of the table, if no sample has brought it. */
void cli_predict_head(cli_predict *predict);

/* predict_missed.c: for the left_out of rg_read_options, with a cli_missed as context. */
void cli_missed_take(void *missed, const rg_left_out *item);
/* Rows of all that come before this sample. RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_missed_tell(cli_predict *predict, size_t sample, rg_error *err);
void cli_missed_free(cli_missed *missed); /* leaves it empty */

/* predict_truth.c: targets and names of samples. Their columns, and those of a row; node: SIZE_MAX
 * for all of a sample. The same for JSON. */
void cli_truth_head(const cli_predict *predict);
void cli_truth_put(const cli_predict *predict, const rg_prediction *p, size_t node);
void cli_truth_json(const cli_predict *predict, json_t **item, const rg_prediction *p);
void cli_truth_json_node(const cli_predict *predict, json_t **item, const rg_prediction *p,
                         size_t node);
bool cli_truth_ids(const rg_dataset *graphs); /* has any sample a name? */

/* For table rows: as it stands; and as the text of a cell, in quotes where CSV needs them. */
void cli_predict_text(const cli_predict *predict, const char *text);
void cli_predict_cell(const cli_predict *predict, const char *text);
/* predict_missed.c: a line that could not be answered, and why. RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_predict_error(cli_predict *predict, size_t line, const char *message,
                                          rg_error *err);
/* One more JSON object, moved; NULL is RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_predict_json(cli_predict *predict, json_t *item, rg_error *err);

/* The name of class c, of the model or known for the set it was trained on; NULL: none. Borrowed. */
const char *cli_predict_class_name(const cli_predict *predict, uint32_t c);
/* predict_json.c: NULL if memory is short. */
json_t *cli_prediction_json(const cli_predict *predict, size_t number, const rg_prediction *p);

/* Answers graphs in single lines from standard input, until it ends. *report: sums over all lines,
 * also on failure. RG_EDATA, RG_EIO, RG_ENOMEM; what was said before stays said. */
RG_MUST_CHECK rg_status cli_predict_lines(cli_predict *predict, const rg_predict_options *options,
                                          rg_predict_report *report, rg_error *err);

/* The numbers of "3,5,9-20", each below n. option: its name, for messages. out: owned (rg_free),
 * *n_out of them. RG_EUSAGE, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_sample_list(uint32_t **out, size_t *n_out, const char *option,
                                        const char *text, size_t n, rg_error *err);

#endif
