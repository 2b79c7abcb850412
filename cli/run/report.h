/* report.h - what regula report is made of: runs, data, splits, names. */
#ifndef REGULA_CLI_RUN_REPORT_H
#define REGULA_CLI_RUN_REPORT_H

#include "cli/model/source.h"
#include "report/report.h"

/* A run and all that is told beside it. */
typedef struct cli_report {
    rg_store *store;    /* owned, like all below */
    rg_results results; /* of the run itself */
    rg_store *other_stores[CLI_REPEATS_MAX];
    rg_results *others[CLI_REPEATS_MAX];
    cli_source source;
    rg_source view;
    rg_splits *splits;
    rg_names *names;
    uint32_t *graphs;
    char *search, *cache;
    rg_error no_source; /* why there is no data set */
    rg_report_options options;
} cli_report;

/* Data and splits that are not found are no failure, unless options name them. out: to be closed by
 * cli_report_close also on failure. RG_EUSAGE, RG_EDATA, RG_EIO, RG_ENOMEM, RG_EFAIL. */
RG_MUST_CHECK rg_status cli_report_open(cli_report *out, const cli_arguments *args, rg_error *err);
void cli_report_close(cli_report *report);

#endif
