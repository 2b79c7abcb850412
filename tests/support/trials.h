/* trials.h - runs of small experiments, made up, for the tests of protocols. */
#ifndef REGULA_TESTS_SUPPORT_TRIALS_H
#define REGULA_TESTS_SUPPORT_TRIALS_H

#include "results/protocol.h"
#include "storage.h"
#include "support.h"

#include <math.h>

enum { C = 4, F = 4, R = 3, E = 4 }; /* room for configurations, folds, runs, epochs */

/* Scores and losses in tenths. */
typedef struct trial {
    uint32_t n_configurations, n_folds, n_runs;
    bool low;
    int validation[C][F][R], loss[C][F][R], test[C][F][R];
    bool there[C][F][R], failed[C][F][R];
    uint32_t n_epochs[C][F][R];
    int curve[C][F][R][E], curve_loss[C][F][R][E];
} trial;

/* Ends with rg_cells_free. */
rg_cells trial_cells(const trial *t);
/* A store with the runs of a trial, one a job. Owned (rg_store_close). */
rg_store *trial_store(const char *directory, const trial *t);
/* Fails if the two differ by more than rounding. */
void trial_near(double a, double b);

#endif
