/* diameter.h - the longest shortest path of a graph, without looking at all pairs. */
#ifndef REGULA_AUDIT_DIAMETER_H
#define REGULA_AUDIT_DIAMETER_H

#include "regula/dataset.h"

#include <stdbool.h>

typedef struct rg_diameter {
    uint32_t diameter;   /* largest over the connected components; 0 without edges */
    uint32_t components; /* an isolated node is one */
    bool bounded;        /* the budget ran out: `diameter` is a lower bound */
    uint64_t followed;   /* arcs */
} rg_diameter;

/* Scratch of one thread; starts as {0} and grows to the largest graph it has seen. */
typedef struct rg_diameter_work {
    uint32_t *block;
    size_t capacity; /* nodes */
} rg_diameter_work;

void rg_diameter_work_free(rg_diameter_work *work);

/* budget: arcs to follow before the search settles for a lower bound. Components are exact all the
 * same, and every component gets one search, so O(nodes + arcs) is spent whatever the budget.
 * Cost: O(nodes * arcs) at worst (cycles with something attached), a few searches on most graphs.
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_diameter_find(rg_diameter *out, const rg_graph *graph, uint64_t budget,
                                         rg_diameter_work *work, rg_error *err);

#endif
