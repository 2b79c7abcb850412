/* logistic.h - logistic regression on sparse rows, with a penalty that keeps weights small (l2) or makes
 * most of them 0 (l1). */
#ifndef REGULA_LINEAR_LOGISTIC_H
#define REGULA_LINEAR_LOGISTIC_H

#include "math/kernels.h"
#include "regula/base.h"

#include <stdbool.h>
#include <stdint.h>

/* Compressed sparse columns: column j has the rows of entries col[j] .. col[j + 1] - 1, ascending. */
typedef struct rg_columns {
    size_t n_rows, n_cols;
    const uint64_t *col;
    const uint32_t *row;
    const double *value;
} rg_columns;

typedef struct rg_logistic_task {
    const rg_columns *x;
    const double *sign; /* [row]: +1 or -1, or 0 for a row that does not count */
    const double *cost; /* [row]: how much a row counts, c included */
    bool l1;            /* else l2 */
    rg_cpu cpu;
    int (*stop)(void *context); /* asked between sweeps; NULL: never */
    void *context;
} rg_logistic_task;

#define RG_LOGISTIC_SWEEPS 1000

/* Minimises |w|^2 / 2 (l1: |w|_1) + sum of cost * log(1 + exp(-sign (w x + b))). w: [n_cols], in: where
 * to begin. b is not penalised. *sweeps: over all columns, RG_LOGISTIC_SWEEPS at most; less than that
 * unless the last sweep changed no weight by more than 1e-3 of the largest. The same bits on every
 * processor. RG_ENOMEM. Cost: one exponential an entry and sweep. */
RG_MUST_CHECK rg_status rg_logistic_train(double *w, double *b, uint32_t *sweeps,
                                          const rg_logistic_task *task, rg_error *err);

#endif
