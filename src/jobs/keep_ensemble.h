/* keep_ensemble.h - the model of an ensemble of an experiment, one for each fold. */
#ifndef REGULA_JOBS_KEEP_ENSEMBLE_H
#define REGULA_JOBS_KEEP_ENSEMBLE_H

#include "results/ensemble.h"
#include "runner.h"

/* All kept. */
typedef struct rg_ensemble_keep {
    const char *directory; /* of the run */
    const rg_runner_plan *plan;
    const rg_runner_options *options;
    rg_ensemble_task task;
    rg_ensemble ensemble;
    rg_protocol protocol;
} rg_ensemble_keep;

/* Trains the members again and writes models/ensemble-NAME-fold-K.safetensors for every fold that has none: with
 * these bits they say what the experiment said. *n: models written. *without: none can be, for kernels are
 * members. *stopped: by options->stop. An ensemble without a result has no models. RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_ensemble_keep_models(size_t *n, bool *without, bool *stopped,
                                                const rg_ensemble_keep *keep, rg_error *err);

#endif
