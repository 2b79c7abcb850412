/* paper.h - the tables of the paper: what was published, and the experiments that give it again.
 *
 * Published numbers are quoted as they are printed in "Rule Based Learning with Dynamic (Graph)
 * Neural Networks" (Seiffarth, 2024), by the labels of its tables: tab:real-world, tab:synthetic,
 * tab:hyperparameters and tab:preprocessing-times. */
#ifndef REGULA_CLI_REPRODUCE_PAPER_H
#define REGULA_CLI_REPRODUCE_PAPER_H

#include "base/digest.h"
#include "cli/model/shipped.h"
#include "regula/experiment.h"
#include "regula/generate.h"

#include <stdbool.h>

#define RG_PAPER_LAYERS_MAX 3
#define RG_PAPER_SETS 11 /* data sets of the paper: rg_paper_rows */

/* "82.8" and "2.0"; a deviation that is not printed is NULL. */
typedef struct rg_published {
    const char *mean, *deviation;
} rg_published;

/* A data set of the paper. All text is static. */
typedef struct rg_paper_row {
    const char *data;  /* the name of its files: "LongRings100" */
    const char *title; /* what the paper calls it: "LongRings" */
    bool synthetic;
    rg_generator generator;    /* that makes one like it; RG_NO_GENERATOR: none */
    size_t n_folds;            /* of splits that are made because none are there */
    const char *better_splits; /* file of splits without .json that goes before DATA.json, or NULL
                                */
    rg_published accuracy;     /* of RuleGNN, in percent */
    const char *rules[RG_PAPER_LAYERS_MAX];      /* column Rules, a layer each; NULL: no more */
    const char *parameters[RG_PAPER_LAYERS_MAX]; /* "2500500": column #Learnable Parameters */
    const char *note;                            /* on the parameters, or NULL */
    rg_published best_epoch, epoch;              /* seconds */
    const char *distances, *labels;              /* seconds; labels: NULL where it has "-" */
} rg_paper_row;

/* Real-world sets first, in the order of the tables. Static. */
const rg_paper_row *rg_paper_rows(size_t *n);
/* By the name of the data or the title, letters of either case alike. NULL: none. */
const rg_paper_row *rg_paper_find(const char *name);
const char *rg_paper_network_text(const rg_paper_row *row); /* never NULL */

/* How the networks are trained. CHOSEN: for the sets of rings and Snowflakes a small grid around
 * the printed settings, from which the protocol chooses on the validation sets; for the others the
 * same as PUBLISHED. */
typedef enum rg_paper_training { RG_PAPER_PUBLISHED, RG_PAPER_CHOSEN } rg_paper_training;
/* Is there a grid for it? */
bool rg_paper_has_grid(const rg_paper_row *row);
#define RG_PAPER_GRID "lr 0.1 or 0.02, batch 128 or 32, 400 epochs"

/* The experiment of a row: an experiment file, protocol `global`, 3 runs, seed 1, no models kept.
 * *text: the file, owned (rg_free). overrides: n of KEY=VALUE, as rg_experiment_read. out: owned
 * (rg_experiment_free). Both untouched on failure. RG_EUSAGE, RG_EDATA (overrides), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_paper_experiment(rg_experiment **out, char **text,
                                            const rg_paper_row *row, rg_paper_training training,
                                            const char *const *overrides, size_t n, rg_error *err);

/* ---- the other rows of its tables */

/* The experiment files of examples/baselines, as rg_paper_networks. */
extern const rg_paper_network rg_paper_baseline_files[];

/* A row of tab:real-world or tab:synthetic besides RuleGNN. All text is static. */
typedef struct rg_paper_baseline {
    const char *name; /* as printed; --rows has it */
    const char *file; /* of examples/baselines, without .yml; NULL: it is quoted, not run */
    const char *grid; /* what is chosen from, in words */
    bool trained;     /* has the map `training` */
    bool features;    /* with the labels of the RuleGNN of the data set beside node labels */
    rg_published published[RG_PAPER_SETS]; /* by rg_paper_rows, in percent; NULL: printed "-" */
} rg_paper_baseline;

const rg_paper_baseline *rg_paper_baselines(size_t *n); /* in the order of the tables. Static */
const rg_paper_baseline *rg_paper_baseline_find(const char *name); /* of either case; NULL: none */
rg_published rg_paper_baseline_published(const rg_paper_baseline *baseline,
                                         const rg_paper_row *row);
/* Has the table such a row? All that can be run are in both tables, quoted ones where they were
 * published. */
bool rg_paper_baseline_in(const rg_paper_baseline *baseline, bool synthetic);

/* As rg_paper_experiment; the baseline has a file. Overrides of `training` are left out where there
 * is no such map. */
RG_MUST_CHECK rg_status rg_paper_baseline_experiment(rg_experiment **out, char **text,
                                                     const rg_paper_baseline *baseline,
                                                     const rg_paper_row *row,
                                                     const char *const *given, size_t n,
                                                     rg_error *err);

/* ---- what we measure */

/* From a run directory whose experiment is over. Scores in percent; means over runs first, then
 * mean and sample deviation over folds. */
typedef struct rg_paper_result {
    double mean, deviation, validation;
    double best_epoch, best_epoch_deviation;
    double epoch_seconds; /* of one model: CPU time of the jobs without building, by their epochs */
    double cpu_seconds;   /* of all jobs */
    uint64_t peak_rss;    /* bytes, the highest that a job saw */
    uint32_t n_runs, n_folds;
    size_t n_configurations, n_failed; /* jobs that failed */
    char *configuration;               /* owned: what was chosen, "" if there is one only */
    char digest[RG_DIGEST_TEXT];       /* of the store */
} rg_paper_result;

/* Protocol `global`. out: owned (rg_paper_result_free), untouched on failure. RG_EFAIL (nothing can
 * be chosen), and what the store says. */
RG_MUST_CHECK rg_status rg_paper_result_read(rg_paper_result *out, const char *directory,
                                             rg_error *err);
void rg_paper_result_free(rg_paper_result *result);

/* How large a network is on its data, and what it takes to build, on one thread and without a
 * cache. */
typedef struct rg_paper_size {
    size_t n_layers;
    double possible[RG_PAPER_LAYERS_MAX]; /* weights and biases that labels and rules allow */
    size_t used[RG_PAPER_LAYERS_MAX];     /* of them occur: those the model has */
    double label_seconds;
    double table_seconds; /* keys and tables of the rules, distances included */
} rg_paper_size;

/* RG_EDATA (the network does not fit the data), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_paper_measure(rg_paper_size *out, const rg_paper_row *row,
                                         const rg_dataset *data, rg_error *err);

#endif
