/* experiment.h - what the commands that conduct experiments share: data, splits, progress, signals.
 */
#ifndef REGULA_CLI_RUN_EXPERIMENT_H
#define REGULA_CLI_RUN_EXPERIMENT_H

#include "cli/model/source.h"
#include "jobs/run.h"

#include <stdbool.h>

#define CLI_JOBS_OPTION                                                                            \
    {                                                                                              \
        .name = "jobs", .letter = 'j', .kind = CLI_INTEGER, .metavar = "N", .min = 0, .max = 1024, \
        .help = "Jobs at a time, each on a thread of its own; the result is "                      \
                "the same for any number.",                                                        \
        .otherwise = "all processors"                                                              \
    }

/* An experiment and what it is about. Begins as {0}, ends with cli_experiment_close. */
typedef struct cli_experiment {
    rg_experiment *experiment; /* owned */
    rg_experiment_info info;
    char *file;        /* owned: the text of the experiment file */
    cli_source source; /* owned */
    rg_splits *splits; /* owned */
    char *splits_text; /* owned: where they come from */
    rg_split_report report;
    char *cache; /* owned */
} cli_experiment;

/* Reads data and splits of an experiment that is there. RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_experiment_open(cli_experiment *job, rg_error *err);
void cli_experiment_close(cli_experiment *job);

/* Between these two SIGINT, SIGTERM and SIGHUP ask to stop, and a second one ends the program.
 * Pairs may lie inside one another: then the outermost counts. */
void cli_stop_begin(void);
void cli_stop_end(void); /* signals do what they did before */
bool cli_stop_asked(void);

/* The line of progress of a run and of a search: drawn anew on a terminal, one a minute elsewhere.
 * cli_line_due says whether it is time, and then begins the line with its title (kept). */
typedef struct cli_line {
    const char *title;
    bool quiet, terminal, drawn;
    double last;
} cli_line;
cli_line cli_line_begin(const char *title, bool quiet);
bool cli_line_due(cli_line *line);
void cli_line_finish(cli_line *line, double best, bool errors, double left); /* left < 0: unknown */
void cli_line_end(const cli_line *line);

/* Runs it in a directory: one line that changes on a terminal, one a minute elsewhere; what
 * asks to stop ends it after what is under way is dropped. options: directory, threads and so on;
 * the callbacks are set here. */
RG_MUST_CHECK rg_status cli_experiment_run(rg_run_report *out, const cli_experiment *job,
                                           rg_run_options *options, bool quiet, rg_error *err);

/* What a run directory holds by now, as regula show prints it. seconds: that it took. */
RG_MUST_CHECK rg_status cli_experiment_print(const char *directory, const rg_run_report *report,
                                             bool json, double seconds, rg_error *err);

#endif
