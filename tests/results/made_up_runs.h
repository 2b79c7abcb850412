/* made_up_runs.h - runs of small experiments, made up, for the tests of protocols. */
#ifndef REGULA_TESTS_RESULTS_MADE_UP_RUNS_H
#define REGULA_TESTS_RESULTS_MADE_UP_RUNS_H

#include "results/protocol.h"
#include "support/stores.h"
#include "support/support.h"

#include <math.h>

enum { C = 4, F = 4, R = 3, E = 4 }; /* room for configurations, folds, runs, epochs */

/* Scores and losses in tenths. */
typedef struct made_up_runs {
    uint32_t n_configurations, n_folds, n_runs;
    bool low;
    int validation[C][F][R], loss[C][F][R], test[C][F][R];
    bool there[C][F][R], failed[C][F][R];
    uint32_t n_epochs[C][F][R];
    int curve[C][F][R][E], curve_loss[C][F][R][E];
} made_up_runs;

/* Ends with rg_cells_free. */
rg_cells made_up_cells(const made_up_runs *t);
/* A store with the runs of a made_up_runs, one a job. Owned (rg_store_close). */
rg_store *made_up_store(const char *directory, const made_up_runs *t);
/* Fails if the two differ by more than rounding. */
void made_up_near(double a, double b);

#endif
