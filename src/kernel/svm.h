/* svm.h - a support vector machine for two classes, on a matrix of kernel values.
 *
 * With y_t = 1 or -1 and C > 0 it looks for the beta that maximise
 *     sum over t of y_t beta_t - 1/2 sum over s, t of beta_s beta_t K_st
 *     with 0 <= y_t beta_t <= C and sum over t of beta_t = 0
 * (beta_t = y_t alpha_t of the books). What it says of a graph x is the sign of
 *     sum over t of beta_t K(t, x) + bias.
 * Sequential minimal optimisation: two beta a step, chosen as Fan, Chen and Lin do (Working set
 * selection using second order information, JMLR 2005), until no pair violates the conditions of
 * the optimum by eps or more; that is where LIBSVM stops too.
 *
 * What it finds depends on the task and the point it starts from, and on nothing else. */
#ifndef REGULA_KERNEL_SVM_H
#define REGULA_KERNEL_SVM_H

#include "regula/base.h"
#include "svm_loops.h"

#include <stdbool.h>

typedef struct rg_svm_task {
    const float *gram;  /* [n][stride], symmetric; 0 behind column n. Rows of the task will do */
    size_t n, stride;   /* stride: rg_svm_padded(n) */
    const int8_t *side; /* [n]: y, or 0: not in this task */
    double c;           /* > 0 */
    double eps;         /* > 0 */
    uint64_t max_steps; /* give up then: what is found is what it was by then */
    const rg_svm_loops *loops;
    int (*stop)(void *context); /* asked now and then; not 0: give up. NULL: never */
    void *context;
} rg_svm_task;

/* Where the search stands. Both arrays [n], owned by the caller. */
typedef struct rg_svm_point {
    double *beta;   /* those not in the task are 0 */
    double *sum;    /* over s of beta_s K_st: with the bias, the decision value of t */
    bool known;     /* it is right for samples that are not in the task, too */
    uint64_t since; /* steps since it was computed in double precision */
} rg_svm_point;

/* beta = 0, and the sums that go with it. */
void rg_svm_start(rg_svm_point *point, const rg_svm_task *task);
/* From a solution for `from` to a point near that for task->c > from: if most beta that are not 0
 * are at the bound, all of them times the number, at most c / from, that the objective is largest
 * for; else it is near already. Costs no look at the matrix. */
void rg_svm_stretch(rg_svm_point *point, const rg_svm_task *task, double from);
/* The sums of all samples in double precision. Cost: n for each beta that is not 0. */
void rg_svm_measure(rg_svm_point *point, const rg_svm_task *task);

typedef struct rg_svm_answer {
    double bias;
    double gap;       /* the worst violation; below eps unless it gave up */
    double objective; /* the maximum above */
    uint64_t steps;
    size_t n_support; /* beta that are not 0 */
    bool stopped;     /* by `stop` */
} rg_svm_answer;

/* From a point to the solution. Either side may be empty: then all beta stay 0, and the bias is y
 * (0 if both are). Memory: O(n), and a matrix of the samples of the task if they are few, or of
 * those that are still in doubt. Cost of a step: O(samples in doubt). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_svm_solve(rg_svm_point *point, rg_svm_answer *out,
                                     const rg_svm_task *task, rg_error *err);

#endif
