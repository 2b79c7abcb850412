/* stack.h - how much each member of an ensemble counts, learned from predictions of validation sets.
 *
 * Weights are 0 or more and together 1. Of classes and yes-or-no answers, they make what is right most likely
 * under the mean of the members' probabilities (a mixture: expectation maximisation, which needs no step size);
 * of real values, they make the mean squared error smallest. A prior pulls them to the equal mean, the more the
 * fewer rows there are per member. */
#ifndef REGULA_RESULTS_STACK_H
#define REGULA_RESULTS_STACK_H

#include "store/store.h"

/* Begins with n_members and `values`; ends with rg_stack_free. */
typedef struct rg_stack {
    size_t n_members;
    bool values;   /* targets are real values */
    double *cells; /* [cell][member], owned: the probability of what is right; or what is off */
    size_t n_cells, capacity;
    double *weights; /* [member], owned: once they are learned */
} rg_stack;

/* Adds the rows of a part. said: [configuration] of [row][width], those that are members. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_stack_add(rg_stack *stack, const rg_store_prediction *right,
                                     double *const *said, const bool *members,
                                     size_t n_configurations, size_t width, rg_error *err);
/* RG_ENOMEM. Cost: O(cells * members) a step, some hundred steps. */
RG_MUST_CHECK rg_status rg_stack_learn(rg_stack *stack, rg_error *err);
void rg_stack_free(rg_stack *stack);

#endif
