/* show.h - the results of a run directory as tables, text and JSON. */
#ifndef REGULA_CLI_RUN_SHOW_H
#define REGULA_CLI_RUN_SHOW_H

#include "cli/output/table.h"
#include "results/results.h"

typedef enum cli_show_table {
    CLI_SHOW_RESULTS,        /* a row a protocol */
    CLI_SHOW_FOLDS,          /* one row per fold: the selected configuration */
    CLI_SHOW_CONFIGURATIONS, /* best first, by validation */
    CLI_SHOW_RUNS,
    CLI_SHOW_JOBS,
    CLI_SHOW_CURVES /* a row per epoch of the runs that the protocol chose */
} cli_show_table;
const char *cli_show_table_words(size_t k);

typedef enum cli_show_format {
    CLI_SHOW_TEXT,
    CLI_SHOW_CSV,
    CLI_SHOW_JSON,
    CLI_SHOW_MARKDOWN,
    CLI_SHOW_LATEX
} cli_show_format;
const char *cli_show_format_words(size_t k);

const char *cli_protocol_words(size_t k);

typedef struct cli_show {
    const rg_results *results;
    cli_show_table table;
    cli_show_format format;
    size_t top;     /* rows at most; 0: all */
    double seconds; /* of the clock, for the JSON of what was just run; NaN: those of the jobs */
} cli_show;

/* The table; out: ends with cli_table_free, also on failure. The first verdict says what was
 * chosen; RG_EFAIL if folds or curves are asked for and it is not known. RG_ENOMEM, and what the
 * store says. */
RG_MUST_CHECK rg_status cli_show_fill(cli_table *out, const cli_show *show, rg_error *err);
/* show_jobs.c: the tables that are rows of the store. */
RG_MUST_CHECK rg_status cli_show_rows(cli_table *out, const cli_show *show, rg_error *err);

/* The whole as one object: rests on the first verdict. NULL if memory was short. */
json_t *cli_show_json(const cli_show *show);

/* All of it to a file, or, with path NULL, to standard output. RG_EIO, RG_ENOMEM, and as
 * cli_show_fill. */
RG_MUST_CHECK rg_status cli_show_print(const cli_show *show, const char *path, rg_error *err);
/* One line on standard error for each. */
void cli_show_warn(const rg_results *results);

#endif
