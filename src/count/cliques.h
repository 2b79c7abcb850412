/* cliques.h - counting complete subgraphs on classes of twins.
 *
 * Both functions add to out[node * n_dims + size - 3], node as in the graph. */
#ifndef REGULA_COUNT_CLIQUES_H
#define REGULA_COUNT_CLIQUES_H

#include "classes.h"
#include "many.h"

typedef struct rg_clique_task {
    uint64_t *out;
    uint32_t max, n_dims; /* largest size counted; n_dims may be for more */
    rg_count_space *space;
} rg_clique_task;

/* Adds to cost[3 .. max] what counting cliques up to that size takes, up to limit + 1: for each
 * class the sets of less than that size that its core number allows behind it. */
void rg_cliques_cost(uint64_t *cost, const rg_classes *classes, uint32_t max, uint64_t limit);

/* All cliques of sizes 3 .. task->max. False: no memory. */
bool rg_cliques_count(const rg_clique_task *task, const rg_classes *classes);

/* The cliques that nothing extends; those larger than task->max are found but not counted. Adds to
 * *cost for each one found and gives up past `limit`; then what was added to out is of no use.
 * The sum is over all of them and does not depend on the order in which they are found. Between two
 * of them there are at most as many steps as *cost grew by. False: no memory. */
bool rg_cliques_maximal(const rg_clique_task *task, const rg_classes *classes, uint64_t *cost,
                        uint64_t limit);

#endif
