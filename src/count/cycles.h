/* cycles.h - the two ways of counting cycles, and what each costs.
 *
 * Costs are functions of the block alone, whatever its nodes are numbered: they decide what is
 * capped. Every function adds to out[node * n_dims + length - min], node as in the graph. */
#ifndef REGULA_COUNT_CYCLES_H
#define REGULA_COUNT_CYCLES_H

#include "classes.h"
#include "many.h"

/* What is asked for. */
typedef struct rg_cycle_task {
    uint64_t *out;
    uint32_t min, n_dims;
    bool induced;
    rg_count_space *space;
    const uint32_t *weight; /* search only: nodes that a node of the block stands for; NULL: one */
} rg_cycle_task;

static inline uint64_t *rg_cycle_slot(const rg_cycle_task *task, const rg_block *block, uint32_t i,
                                      uint32_t length)
{
    return task->out + (size_t)block->node[i] * task->n_dims + (length - task->min);
}

/* ---- formulas: lengths 3 .. rg_cycles_formula_most, from the numbers of common neighbours */

/* Longest length with a formula: 5, induced 4. */
uint32_t rg_cycles_formula_most(bool induced);

/* Adds to *cost what all lengths up to `most` take, up to limit + 1. Pentagons read the lists of
 * the nodes that share a neighbour with v: exact counts them, otherwise all nodes are taken for
 * such, which is quick and never less. False: no memory. */
bool rg_cycles_formula_cost(uint64_t *cost, const rg_block *block, bool induced, uint32_t most,
                            bool exact, uint64_t limit, rg_count_space *space);

/* Lengths task->min .. most. False: no memory. */
bool rg_cycles_formula(const rg_cycle_task *task, const rg_block *block, uint32_t most);

/* ---- search: any length */

/* Adds to cost[3 .. max] what a search up to that length takes, up to limit + 1: the number of
 * walks of 2, 3, ... nodes that never turn back (induced: whose nodes two steps apart are no
 * neighbours). limit < 2^62. False: no memory. */
bool rg_cycles_search_cost(uint64_t *cost, const rg_block *block, bool induced, uint32_t max,
                           uint64_t limit, rg_count_space *space);

/* Lengths task->min .. most. With weights a cycle counts for all ways to take one node for each of
 * its own, and counts may be RG_MANY. False: no memory. */
bool rg_cycles_search(const rg_cycle_task *task, const rg_block *block, uint32_t most);

#endif
