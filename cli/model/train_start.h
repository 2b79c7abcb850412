/* train_start.h - regula train --start: the model, names of values, and what was taken. */
#ifndef REGULA_CLI_MODEL_TRAIN_START_H
#define REGULA_CLI_MODEL_TRAIN_START_H

#include "cli/data/names.h"
#include "regula/model.h"

#include <jansson.h>

typedef struct cli_start {
    rg_model *model;                  /* owned; NULL: there is no --start */
    rg_names *names, *model_names;    /* owned */
    rg_value_name *list, *model_list; /* owned */
    rg_start_part *parts;             /* owned, with the texts of `what` */
    size_t n_parts;
    bool failed; /* memory was short */
} cli_start;

/* Loads the model of --start, if there is one. data: its names count; NULL: arrays. Sets what the options need;
 * start is kept by them. RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_start_open(cli_start *start, rg_train_options *options,
                                       const rg_dataset *data, const cli_arguments *args,
                                       rg_error *err);
void cli_start_close(cli_start *start);
void cli_start_print(const cli_start *start);
json_t *cli_start_json(const cli_start *start);

#endif
