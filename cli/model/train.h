/* train.h - the result of regula train, as text and JSON. */
#ifndef REGULA_CLI_MODEL_TRAIN_H
#define REGULA_CLI_MODEL_TRAIN_H

#include "cli/data/names.h"
#include "cli/output/epochs.h"
#include "source.h"

/* ---- --start: the model, names of values, and what was taken */

typedef struct cli_start {
    rg_model *model;                  /* owned; NULL: there is no --start */
    rg_names *names, *model_names;    /* owned */
    rg_value_name *list, *model_list; /* owned */
    rg_start_part *parts;             /* owned, with the texts of `what` */
    size_t n_parts;
    bool failed; /* memory was short */
} cli_start;

void cli_start_print(const cli_start *start);
json_t *cli_start_json(const cli_start *start);

typedef struct cli_train {
    const char *network, *out; /* files; network: or a name */
    cli_source source;         /* owned */
    cli_split split;           /* owned */
    double validation;         /* part asked for; NaN: the split file says */
    rg_train_options options;
    char *checkpoint, *cache; /* owned; of the options */
    rg_recipe *recipe;        /* owned */
    cli_start begin;          /* owned: --start */
    char *reasons;            /* owned: why the network was chosen; NULL: it was not */
    rg_model *model;          /* owned */
    size_t n_networks;        /* that answer together */
    double together[2];       /* their score on the validation and the test set; NaN: none */
    rg_model_info info;
    rg_train_report report;
    double start;        /* of the command, by cli_now */
    double read_seconds; /* until training was called */
} cli_train;

/* All networks, one after another, as one model; the report is of the one that is best on the
 * validation set. RG_EFAIL: stopped on the way. */
RG_MUST_CHECK rg_status cli_train_networks(cli_train *job, const rg_source *source, rg_error *err);
/* What they score together, a line each, and as keys of an object; nothing of one network. */
void cli_train_print_networks(const cli_train *job);
void cli_train_json_networks(json_t **root, const cli_train *job);
void cli_train_print_text(const cli_train *job);
RG_MUST_CHECK rg_status cli_train_print_json(const cli_train *job, rg_error *err);

#endif
