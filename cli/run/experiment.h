/* experiment.h - shared by commands that run experiments: data, splits, progress, signals. */
#ifndef REGULA_CLI_RUN_EXPERIMENT_H
#define REGULA_CLI_RUN_EXPERIMENT_H

#include "cli/command/command.h"
#include "cli/model/source.h"
#include "jobs/run.h"

#include <stdbool.h>

#define CLI_JOBS_OPTION                                                                            \
    {                                                                                              \
        .name = "jobs", .letter = 'j', .kind = CLI_INTEGER, .metavar = "N", .min = 0, .max = 1024, \
        .help = "Number of parallel jobs, one thread each; the result does not depend "            \
                "on it.",                                                                          \
        .otherwise = "all processors"                                                              \
    }

/* Options of `run`, which `submit` passes on. */
#define CLI_RUN_OPTIONS                                                                          \
    {.name = "out",                                                                              \
     .letter = 'o',                                                                              \
     .kind = CLI_PATH,                                                                           \
     .metavar = "DIR",                                                                           \
     .help = "The run directory, created if it does not exist; jobs already done in it are not " \
             "repeated.",                                                                        \
     .otherwise = "runs/NAME"},                                                                  \
        CLI_JOBS_OPTION, CLI_MEMORY_OPTION,                                                      \
        {.name = "set",                                                                          \
         .old_letter = 's',                                                                      \
         .kind = CLI_WORD,                                                                       \
         .metavar = "KEY=VALUE",                                                                 \
         .repeated = true,                                                                       \
         .help = "Override a value of the file, such as training.lr=0.1 or runs=1. Can "         \
                 "be repeated."},                                                                \
    {                                                                                            \
        .name = "retry", .kind = CLI_FLAG, .help = "Run failed jobs again."                      \
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

/* --out, or runs/NAME. *out: owned (rg_free). */
RG_MUST_CHECK rg_status cli_experiment_directory(char **out, const cli_arguments *args,
                                                 const char *name, rg_error *err);

/* Between these two SIGINT, SIGTERM and SIGHUP ask to stop, and a second one ends the program.
 * Pairs may lie inside one another: then the outermost counts. */
void cli_stop_begin(void);
void cli_stop_end(void); /* signals do what they did before */
bool cli_stop_asked(void);

/* Progress of a run and of a search: one line drawn anew on a terminal, one per minute elsewhere.
 * cli_line_due says whether it is time, and then begins the line with its title (kept). */
typedef struct cli_line {
    const char *title;
    bool quiet, terminal, drawn;
    double last;
    char text[400]; /* of the line that is being made */
} cli_line;
cli_line cli_line_begin(const char *title, bool quiet);
bool cli_line_due(cli_line *line);
void cli_line_add(cli_line *line, const char *format, ...) RG_PRINTF(2, 3);
void cli_line_finish(cli_line *line, double best, rg_metric metric,
                     double left); /* left < 0: unknown */
void cli_line_end(const cli_line *line);

/* Runs it in a directory: one line that changes on a terminal, one per minute elsewhere; what
 * asks to stop ends it after what is under way is dropped. options: directory, threads and so on;
 * the callbacks are set here. */
RG_MUST_CHECK rg_status cli_experiment_run(rg_run_report *out, const cli_experiment *job,
                                           rg_run_options *options, bool quiet, rg_error *err);
/* "rank 2 of 4": this process among those that share the jobs. */
#define CLI_RANK_TEXT 32
void cli_rank_text(char out[CLI_RANK_TEXT], const rg_run_options *options);

/* What a run directory holds by now, as regula show prints it. seconds: that it took. */
RG_MUST_CHECK rg_status cli_experiment_print(const char *directory, const rg_run_report *report,
                                             bool json, double seconds, rg_error *err);

#endif
