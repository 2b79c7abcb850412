/* reproduce.h - the paper's tables: one data set after another, and their results. */
#ifndef REGULA_CLI_REPRODUCE_REPRODUCE_H
#define REGULA_CLI_REPRODUCE_REPRODUCE_H

#include "cli/run/experiment.h"
#include "paper.h"

#include <stdbool.h>

/* Which tables: bits. */
enum {
    CLI_REAL_WORLD = 1,
    CLI_SYNTHETIC = 2,
    CLI_PARAMETERS = 4,
    CLI_RUNTIMES = 8,
    CLI_DATASETS = 16, /* datasets.h */
    CLI_BREC = 32      /* brec.h */
};

typedef enum cli_shape { CLI_SHAPE_TEXT, CLI_SHAPE_MARKDOWN, CLI_SHAPE_JSON } cli_shape;

/* What is asked for. All text is borrowed. */
typedef struct cli_reproduce {
    unsigned tables;
    const char *const *only; /* names of rows; n_only 0: all */
    size_t n_only;
    bool as_published, quiet;
    const char *data; /* directory of data; NULL: $REGULA_DATA, then the cache */
    const char *out;  /* directory for run directories; NULL: a temporary one */
    unsigned n_threads;
    rg_cpu cpu;
    const char *const *overrides; /* KEY=VALUE over all experiments */
    size_t n_overrides;
    bool baselines;          /* with the other rows of the tables */
    const char *const *rows; /* of the tables, by name; n_rows 0: all */
    size_t n_rows;
} cli_reproduce;

/* What came of a baseline on one data set. */
typedef struct cli_reproduced_model {
    const rg_paper_baseline *baseline;
    bool done;
    rg_error why;           /* what kept it from being done; "": nothing, or it is quoted */
    rg_paper_result result; /* owned */
    double seconds;
    bool resumed;
} cli_reproduced_model;

/* What came of one data set. */
typedef struct cli_reproduced {
    const rg_paper_row *row;
    rg_error why;   /* what kept it from being done, or some of it; "": nothing */
    bool generated; /* the data were made, because they were not there */
    size_t n_graphs;
    char *splits; /* owned: where they come from; NULL: not looked for */
    bool made_splits, better_splits;
    bool has_accuracy, has_size, has_runtime;
    rg_paper_result accuracy; /* owned */
    double seconds;           /* for the accuracy, data read and all */
    bool resumed;             /* some of it was there already: seconds are those of the rest */
    rg_paper_size size;
    rg_paper_result runtime;      /* owned: with the published settings */
    cli_reproduced_model *models; /* n_models, owned: those wanted, in the order of the table */
    size_t n_models;
} cli_reproduced;

/* All rows that were begun. Begins as {0}, ends with cli_reproduction_free. */
typedef struct cli_reproduction {
    cli_reproduced *rows; /* n, owned */
    size_t n, n_wanted;
    bool stopped;
} cli_reproduction;

/* Does all that is asked for; a row that fails is reported on standard error and the rest goes
 * on. RG_EUSAGE (no such row; overrides), RG_EIO (no directory for runs), RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_reproduce_run(cli_reproduction *out, const cli_reproduce *wish,
                                          rg_error *err);
void cli_reproduction_free(cli_reproduction *all);
size_t cli_reproduction_done(const cli_reproduction *all); /* rows of which there is something */

/* ---- reproduce_data.c */

typedef struct cli_places {
    char *at[2]; /* owned: directories to look in, in this order; NULL: none */
} cli_places;

/* data: as in cli_reproduce. out: owned (cli_places_free), untouched on failure. RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_places_find(cli_places *out, const char *data, rg_error *err);
void cli_places_free(cli_places *p);

/* The set of a row goes into job->source: as published; else one like it that regula data generate
 * wrote; else, if it is synthetic, made here. *published: it is the first, so that published splits
 * are for it. RG_EDATA (not there, and what brings it; or damaged), RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_reproduce_data(cli_experiment *job, cli_reproduced *out,
                                           bool *published, const cli_places *p, const char *data,
                                           rg_error *err);
/* Splits go into the job: what its experiment says by --set; else the published ones if they are
 * there; else from the seed. RG_EDATA, RG_EIO, RG_EUSAGE, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_reproduce_splits(cli_experiment *job, cli_reproduced *out,
                                             bool published, const cli_places *p, rg_error *err);

/* ---- reproduce_print.c, reproduce_json.c */

/* Tables on standard output. */
RG_MUST_CHECK rg_status cli_reproduction_print(const cli_reproduction *all,
                                               const cli_reproduce *wish, cli_shape shape,
                                               rg_error *err);
/* One object. */
RG_MUST_CHECK rg_status cli_reproduction_json(const cli_reproduction *all,
                                              const cli_reproduce *wish, rg_error *err);

/* Is the row in one of the tables of accuracies that are asked for? */
bool cli_reproduce_accuracy(const cli_reproduce *wish, const rg_paper_row *row);
/* Are these rows among those that are asked for? */
bool cli_reproduce_rule(const cli_reproduce *wish);
bool cli_reproduce_model(const cli_reproduce *wish, const rg_paper_baseline *baseline,
                         bool synthetic);
/* Was its training chosen from the grid? */
bool cli_reproduce_chosen(const cli_reproduce *wish, const rg_paper_row *row);

#endif
