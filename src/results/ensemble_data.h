/* ensemble_data.h - the predictions of an experiment in memory, as ensembles average them. */
#ifndef REGULA_RESULTS_ENSEMBLE_DATA_H
#define REGULA_RESULTS_ENSEMBLE_DATA_H

#include "ensemble.h"

/* A part of a fold. */
typedef struct rg_ensemble_part {
    size_t n_rows, width;
    rg_store_prediction *right; /* owned */
    double **said; /* [configuration]: [row][width], means over runs; owned, NULL: no member */
} rg_ensemble_part;

typedef struct rg_ensemble_data {
    const rg_ensemble_task *task;
    size_t n_configurations, n_folds;
    bool *members;           /* [configuration], owned */
    rg_ensemble_part *parts; /* [fold][rg_store_part], owned */
    size_t n_members, n_out;
    uint32_t first_out, first_out_fold;
} rg_ensemble_data;

/* Ends with rg_ensemble_data_close, also on failure. RG_EFAIL: there can be no ensemble, with the reason;
 * RG_ENOMEM, and what the store says. */
RG_MUST_CHECK rg_status rg_ensemble_data_open(rg_ensemble_data *out, const rg_ensemble_task *task,
                                              rg_error *err);
void rg_ensemble_data_close(rg_ensemble_data *data);

/* The part of a fold. */
const rg_ensemble_part *rg_ensemble_data_part(const rg_ensemble_data *data, size_t fold,
                                              rg_store_part part);
/* Is it a kernel, or another model whose numbers are no probabilities: anything but a network? */
bool rg_ensemble_is_kernel(const char *recipe);

#endif
