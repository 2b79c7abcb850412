/* from_data.h - an experiment from a data set instead of a file: folds, methods, runs by options. */
#ifndef REGULA_CLI_RUN_FROM_DATA_H
#define REGULA_CLI_RUN_FROM_DATA_H

#include "experiment.h"

/* Options for DATA, which an experiment file says itself. */
#define CLI_FROM_DATA_OPTIONS                                                                     \
    {.name = "network",                                                                           \
     .letter = 'n',                                                                               \
     .kind = CLI_PATH,                                                                            \
     .metavar = "NETWORK",                                                                        \
     .otherwise = "auto",                                                                         \
     .help = "For DATA: a network file, one that comes with regula (paper:NCI1, gin, ...), or "   \
             "auto: chosen for the data (docs/auto.md)."},                                        \
        {.name = "rule",                                                                          \
         .kind = CLI_WORD,                                                                        \
         .metavar = "RULE",                                                                       \
         .repeated = true,                                                                        \
         .help = "For DATA: a rule of your own in the network that is chosen. Can be repeated."}, \
        {.name = "model",                                                                         \
         .letter = 'm',                                                                           \
         .kind = CLI_WORD,                                                                        \
         .metavar = "NAMES",                                                                      \
         .otherwise = "none",                                                                     \
         .help = "For DATA: models to compare with, separated by commas, such as gin,wl "         \
                 "(regula models)."},                                                             \
        {.name = "runs",                                                                          \
         .kind = CLI_INTEGER,                                                                     \
         .metavar = "N",                                                                          \
         .min = 1,                                                                                \
         .max = RG_EXPERIMENT_RUNS_MAX,                                                           \
         .help = "For DATA: runs on every fold."},                                                \
    {                                                                                             \
        .name = "splits", .kind = CLI_PATH, .metavar = "FILE",                                    \
        .otherwise = "those of $REGULA_DATA, or 10 folds",                                        \
        .help = "For DATA: a split file, or a number of folds."                                   \
    }

/* Is the first argument an experiment file? A file that ends with .yml or .yaml, or holds a map that has the
 * key `data`; and a path that ends so, if it is there or not. */
bool cli_from_file(const char *path);

/* Reads the data, chooses a network and makes the experiment, ready to run; says what was chosen. job:
 * begins as {0}, ends with cli_experiment_close. RG_EUSAGE, RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_from_data(cli_experiment *job, const cli_arguments *args,
                                      rg_error *err);

#endif
