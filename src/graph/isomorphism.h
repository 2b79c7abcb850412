/* isomorphism.h - are two graphs isomorphic? */
#ifndef REGULA_GRAPH_ISOMORPHISM_H
#define REGULA_GRAPH_ISOMORPHISM_H

#include "partition.h"

typedef enum rg_same_verdict {
    RG_SAME,      /* a renumbering was found and checked edge by edge */
    RG_DIFFERENT, /* there is none */
    RG_UNDECIDED, /* the budget ran out first */
} rg_same_verdict;

/* Scratch of one thread; starts as {0} and grows to the largest pair it has seen. */
typedef struct rg_isomorphism_work {
    rg_partition partition;
    rg_invariant_work invariant;
    void *block;
    size_t capacity; /* nodes of one graph */
} rg_isomorphism_work;

void rg_isomorphism_work_free(rg_isomorphism_work *work);

/* Is there a renumbering of nodes that takes a's edges, node colours and edge colours to b's? The
 * answer depends on the two graphs and the budget (arcs followed) alone.
 * Cost: O(arcs * log nodes) where refinement suffices, as it does for nearly all graphs that people
 * collect; exponential at worst, so there is a budget. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_isomorphism_test(rg_same_verdict *out, const rg_coloured *a,
                                            const rg_coloured *b, uint64_t budget,
                                            rg_isomorphism_work *work, rg_error *err);

#endif
