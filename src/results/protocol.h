/* protocol.h - from the runs of an experiment to the numbers that are published.
 *
 * All protocols are computed from the same runs, and a number never goes without the name of its
 * protocol:
 *   fair     in every fold the configuration with the best mean validation score is chosen, and its
 *            mean test score counts (Errica et al., 2020)
 *   global   one configuration for all folds, by the mean of its validation scores over the folds,
 *            as the paper's authors do; its test scores count
 *   gin      no test set: the validation curves of all folds and runs of a configuration are
 *            averaged, the best epoch of that curve is chosen, and the validation scores at that
 *            epoch count (Xu et al., 2019); the best configuration by that same number
 *   holdout  as fair, for experiments of one fold: the spread is that of the runs
 * Scores are averaged over runs first, then mean and sample standard deviation (n - 1) are taken
 * over folds. Of equal scores the one with the lower validation loss wins, then the lower number;
 * for gin that holds of epochs, then of configurations. A configuration that is alone needs no
 * validation set, but for gin. */
#ifndef REGULA_RESULTS_PROTOCOL_H
#define REGULA_RESULTS_PROTOCOL_H

#include "regula/experiment.h"
#include "store/store.h"

/* Means over the runs of one configuration on one fold. NaN: not measured, or a run is missing. */
typedef struct rg_cell {
    uint32_t n_runs;   /* that there are */
    uint32_t n_failed; /* of them without weights to keep */
    double validation, validation_loss, test, train;
    double test_deviation; /* over the runs, n - 1 */
    double best_epoch;
} rg_cell;

/* All cells of an experiment, [configuration][fold]. */
typedef struct rg_cells {
    size_t n_configurations, n_folds;
    uint32_t n_runs; /* that a cell has when it is whole */
    bool low;        /* scores are errors: lower is better */
    uint32_t first;  /* number of the first configuration, where these are a part of all */
    rg_cell *at;     /* owned; of a part: borrowed */
} rg_cells;

/* runs: as rg_store_runs gives them. Ends with rg_cells_free. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_cells_make(rg_cells *out, const rg_store_run *runs, size_t n,
                                      size_t n_configurations, size_t n_folds, uint32_t n_runs,
                                      bool low, rg_error *err);
void rg_cells_free(rg_cells *cells);
/* The cells of n configurations from number `first` on, of all. Borrowed: not to be freed. Results
 * of protocols have the numbers of all. */
rg_cells rg_cells_part(const rg_cells *cells, size_t first, size_t n);
/* Cells whose runs are all there. */
size_t rg_cells_whole(const rg_cells *cells);

typedef struct rg_fold_result {
    uint32_t configuration;
    double validation, test, deviation; /* deviation of the test score over the runs */
    size_t n_ties;                      /* other configurations with the same validation score */
} rg_fold_result;

typedef struct rg_protocol_result {
    rg_protocol protocol;
    bool whole; /* every cell that the choice looked at was there; else it is of what is there */
    double mean, deviation; /* over folds; holdout: over runs. gin: of validation scores */
    double validation;      /* mean over folds of what the choice went by */
    uint32_t configuration; /* global, gin, holdout: the one chosen; fair: the most frequent */
    uint32_t epoch;         /* gin: from 1; else 0 */
    size_t n_ties; /* configurations as good as the one chosen, of all choices: loss or number
                      decided */
    rg_fold_result *folds; /* n_folds, owned */
    size_t n_folds;
} rg_protocol_result;

/* store: gin reads curves from it; others may pass NULL. RG_EFAIL: no configuration is whole enough
 * to be chosen. RG_ENOMEM, and what the store says. Ends with rg_protocol_free. */
RG_MUST_CHECK rg_status rg_protocol_run(rg_protocol_result *out, rg_protocol protocol,
                                        const rg_cells *cells, rg_store *store, rg_error *err);
void rg_protocol_free(rg_protocol_result *result);

/* How a number of the protocol came about, in words. Static. */
const char *rg_protocol_way(rg_protocol protocol);

/* Mean and sample standard deviation (0 for one value). */
void rg_mean_deviation(const double *values, size_t n, double *mean, double *deviation);

#endif
