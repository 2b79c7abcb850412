/* copies.h - isomorphic graphs of a data set. */
#ifndef REGULA_AUDIT_COPIES_H
#define REGULA_AUDIT_COPIES_H

#include "base/pool.h"
#include "regula/audit.h"

typedef struct rg_copies {
    uint32_t *first;    /* by graph: the first one that it is isomorphic to, itself if none is */
    uint64_t undecided; /* pairs past the budget, taken as different */
} rg_copies;

void rg_copies_free(rg_copies *copies); /* the array, not the struct */

/* Part of a longer job: calls options->progress with from .. to. */
typedef struct rg_progress {
    const rg_audit_options *options;
    double from, to;
} rg_progress;

/* To be called by items of a pool. The caller of rg_pool_run is worker 0, and indices are handed
 * out in ascending order: so progress is made from the calling thread and never goes back. */
void rg_progress_tell(const rg_progress *progress, unsigned worker, size_t index, size_t n);

/* Same edges, node labels (all columns) and edge labels (all columns), compared by rank.
 * out: owned (rg_copies_free), untouched on failure; the same on any number of threads.
 * Cost: O(arcs) a graph and round of refinement to find candidates, then as rg_isomorphism_test for
 * each. budget: arcs a comparison; halved, down to a floor that easy pairs do not reach, with every
 * pair that stays undecided among graphs that look alike. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_copies_find(rg_copies *out, const rg_dataset *data, rg_pool *pool,
                                       uint64_t budget, const rg_progress *progress, rg_error *err);

#endif
