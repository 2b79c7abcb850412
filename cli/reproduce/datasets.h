/* datasets.h - regula reproduce datasets: the two tables of data sets. */
#ifndef REGULA_CLI_REPRODUCE_DATASETS_H
#define REGULA_CLI_REPRODUCE_DATASETS_H

#include "reproduce.h"

/* Audits the data sets of the paper one after another and prints them beside the published numbers;
 * one that is not there is reported on standard error, and the rest goes on. RG_EUSAGE (no such
 * set), RG_EDATA (none is there), RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_datasets_run(const cli_reproduce *wish, cli_shape shape, rg_error *err);

#endif
