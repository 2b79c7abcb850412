/* reproduce_parts.h - the inside of regula reproduce. */
#ifndef REGULA_CLI_REPRODUCE_REPRODUCE_PARTS_H
#define REGULA_CLI_REPRODUCE_REPRODUCE_PARTS_H

#include "cli/output/table.h"
#include "reproduce.h"

#define CLI_RULE_ROW "RuleGNN"

/* All that rows share. */
typedef struct cli_reproduce_shared {
    const cli_reproduce *wish;
    const char *work; /* directory of run directories */
    cli_places places;
    char *cache;
} cli_reproduce_shared;

/* The highest memory from here on: Linux lets a program begin anew, after it has given back what
 * the rows before have left; elsewhere it is that of all rows so far. */
void cli_reproduce_forget(void);
/* Gives back the experiment of a job; its data and splits stay. */
void cli_reproduce_drop(cli_experiment *job);
/* Runs the experiment of a job in a directory, or goes on with it. out: owned
 * (rg_paper_result_free), untouched if it failed or was stopped. */
RG_MUST_CHECK rg_status cli_reproduce_run_job(rg_paper_result *out, bool *resumed, bool *stopped,
                                              const cli_experiment *job, const char *directory,
                                              const cli_reproduce_shared *b, rg_error *err);

/* ---- reproduce_baselines.c */

RG_MUST_CHECK rg_status cli_reproduce_check_rows(const cli_reproduce *wish, rg_error *err);
/* All baselines that are wanted on one data set; what one failed with is told and kept. RG_ENOMEM.
 */
RG_MUST_CHECK rg_status cli_reproduce_models(cli_reproduced *out, cli_experiment *job,
                                             bool *stopped, const cli_reproduce_shared *b,
                                             rg_error *err);
void cli_reproduced_models_free(cli_reproduced *r);

/* ---- reproduce_print.c: all that is printed, and how */

typedef struct cli_pages {
    const cli_reproduction *all;
    const cli_reproduce *wish;
    bool markdown;
} cli_pages;

/* A title, the table and a blank line; frees the table. */
RG_MUST_CHECK rg_status cli_pages_table(const cli_pages *p, const char *title, cli_table *table,
                                        rg_error *err);
/* A paragraph below a table. */
void cli_pages_note(const cli_pages *p, const char *format, ...) RG_PRINTF(2, 3);
/* A cell with one digit behind the point, and one as it is printed in the paper. */
void cli_pages_spread(cli_table *t, const cli_pages *p, double mean, double deviation);
void cli_pages_published(cli_table *t, const cli_pages *p, const rg_published *published);
/* The tables with --baselines. */
RG_MUST_CHECK rg_status cli_pages_models(const cli_pages *p, bool synthetic, rg_error *err);

#endif
