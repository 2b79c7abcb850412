/* show.h - the results of run directories as tables, text and JSON. */
#ifndef REGULA_CLI_RUN_SHOW_H
#define REGULA_CLI_RUN_SHOW_H

#include "cli/output/table.h"
#include "results/comparison.h"

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
    size_t top;          /* rows at most; 0: all */
    const char *columns; /* keys of those that are shown, with commas; NULL: the usual ones */
    const char *against; /* as rg_comparison_make has it */
    double seconds; /* of the clock, for the JSON of what was just run; NaN: those of the jobs */
} cli_show;

/* The table; out: ends with cli_table_free, also on failure. The first verdict says what was
 * chosen; RG_EFAIL if folds or curves are asked for and it is not known. RG_ENOMEM, and what the
 * store says. */
RG_MUST_CHECK rg_status cli_show_fill(cli_table *out, const cli_show *show, rg_error *err);
/* show_compare.c: a row per method and data set, or, wide, a row per method. columns, metrics: room
 * for CLI_SHOW_WIDE_MAX, kept by the table. RG_EUSAGE (too many data sets; a column that does not
 * exist), RG_ENOMEM. */
#define CLI_SHOW_WIDE_MAX 64
typedef struct cli_show_wide {
    cli_column columns[CLI_SHOW_WIDE_MAX];
    rg_metric metrics[CLI_SHOW_WIDE_MAX];
} cli_show_wide;
RG_MUST_CHECK rg_status cli_show_fill_long(cli_table *out, const rg_comparison *comparison,
                                           rg_error *err);
RG_MUST_CHECK rg_status cli_show_fill_wide(cli_table *out, cli_show_wide *room,
                                           const rg_comparison *comparison, const char *columns,
                                           rg_error *err);
/* Several runs side by side, to a file or (path NULL) to standard output. */
RG_MUST_CHECK rg_status cli_show_compare(const rg_comparison *comparison, cli_show_format format,
                                         const char *columns, const char *against, const char *path,
                                         rg_error *err);
/* What the star behind a score means, if there is one. */
void cli_show_star(rg_text *out, bool best);
/* What differences are to; against: as rg_comparison_make has it. */
void cli_show_against(rg_text *out, const char *against);
/* show_plot.c: validation scores by epoch, with their deviation over folds, and training scores; a
 * panel per data set. RG_EFAIL: no run has epochs. RG_EUSAGE (the ending of the name), RG_EIO,
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_show_plot(const rg_comparison *comparison, const char *path,
                                      rg_error *err);

/* show_jobs.c: the tables that are rows of the store. */
RG_MUST_CHECK rg_status cli_show_rows(cli_table *out, const cli_show *show, rg_error *err);

/* The first column of a table where the experiment compares methods: the method of a verdict, or of
 * a configuration. Without a comparison nothing is added. */
void cli_show_method(cli_table *table, const rg_results *results, const rg_verdict *verdict);
void cli_show_method_of(cli_table *table, const rg_results *results, uint32_t configuration);

/* The whole as one object: rests on the first verdict. NULL if memory was short. */
json_t *cli_show_json(const cli_show *show);

/* All of it to a file, or, with path NULL, to standard output. RG_EIO, RG_ENOMEM, and as
 * cli_show_fill. */
RG_MUST_CHECK rg_status cli_show_print(const cli_show *show, const char *path, rg_error *err);
/* One line on standard error for each. */
void cli_show_warn(const rg_results *results);

#endif
