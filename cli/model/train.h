/* train.h - the result of regula train, as text and JSON. */
#ifndef REGULA_CLI_MODEL_TRAIN_H
#define REGULA_CLI_MODEL_TRAIN_H

#include "cli/output/epochs.h"
#include "source.h"
#include "train_start.h"

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
    rg_model_info info;
    rg_train_report report;
    double start;        /* of the command, by cli_now */
    double read_seconds; /* until training was called */
} cli_train;

void cli_train_print_text(const cli_train *job);
RG_MUST_CHECK rg_status cli_train_print_json(const cli_train *job, rg_error *err);

#endif
