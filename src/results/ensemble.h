/* ensemble.h - several configurations that answer as one: the mean of what their runs said, from the
 * predictions in the store. Nothing is trained again.
 *
 *   all    every configuration, each with the same weight
 *   top k  the k configurations with the best validation score, on each fold by its validation set (fair,
 *          holdout) or by the mean over folds (global)
 *   stack  every configuration with a weight of its own, the most likely ones on the validation set (fair,
 *          holdout) or on those of all folds together (global)
 * A configuration answers with the mean over its runs. Of classes and yes-or-no answers, means are of
 * probabilities, and those of kernels are calibrated (calibrate.h). Test sets are looked at for scores alone. A
 * configuration with a run that is missing or failed on one of the folds is no member. */
#ifndef REGULA_RESULTS_ENSEMBLE_H
#define REGULA_RESULTS_ENSEMBLE_H

#include "config/ensemble.h"
#include "protocol.h"

typedef struct rg_ensemble_result {
    rg_ensemble ensemble;
    rg_protocol protocol;
    bool known; /* it has a result; else `why` says why not, and scores are NaN */
    rg_error why;
    double mean, deviation; /* of test scores, over folds */
    double validation;      /* mean over folds; NaN: a fold has no validation set */
    double *tests;          /* [fold] of scores, owned; NULL: not known */
    double *validations;    /* [fold], in the same block */
    double *weights;        /* [fold][configuration], in the same block: together 1 on each fold */
    size_t n_folds, n_configurations;
    size_t n_members;                   /* configurations that have a weight on one of the folds */
    size_t n_out;                       /* configurations that are none, for want of runs */
    uint32_t first_out, first_out_fold; /* the first of them, and the first fold that says so */
    uint32_t n_runs;                    /* of each configuration */
} rg_ensemble_result;

/* What ensembles are made of. */
typedef struct rg_ensemble_task {
    rg_store *store;
    const rg_cells *cells;
    const rg_store_configuration *configurations;
    const rg_store_run *runs; /* as rg_store_runs gives them */
    size_t n_runs;
    rg_metric metric; /* of the scores: never DEFAULT */
} rg_ensemble_task;

/* Every ensemble under every protocol, all in order; protocol gin has none, for it has no test set.
 * out: n_ensembles * n_protocols, owned (rg_ensembles_free). What cannot be computed is no failure: `why` says it.
 * Cost: every prediction is read once, and as many numbers as they have stay in memory meanwhile. RG_ENOMEM, and what the
 * store says. */
RG_MUST_CHECK rg_status rg_ensembles_make(rg_ensemble_result **out, const rg_ensemble_task *task,
                                          const rg_ensemble *ensembles, size_t n_ensembles,
                                          const rg_protocol *protocols, size_t n_protocols,
                                          rg_error *err);
void rg_ensembles_free(rg_ensemble_result *results, size_t n); /* NULL is fine */

/* Mean weight of a configuration over the folds, and on how many it has one. */
double rg_ensemble_weight(const rg_ensemble_result *result, size_t configuration, size_t *n_folds);

#endif
