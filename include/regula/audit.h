/* audit.h - statistics of a data set: counts, sizes, diameters, isomorphic copies. */
#ifndef REGULA_AUDIT_H
#define REGULA_AUDIT_H

#include "dataset.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rg_range {
    uint64_t min, max, total;
    double mean;
} rg_range;

typedef struct rg_audit_options {
    size_t size;              /* sizeof(rg_audit_options): RG_AUDIT_OPTIONS_INIT sets it */
    unsigned n_threads;       /* 0: all processors; the result is the same for any number */
    int copies;               /* look for isomorphic copies */
    uint64_t diameter_budget; /* arcs a graph's search may follow before its diameter is a bound */
    /* Arcs a comparison of two graphs may follow before it is undecided; less where many that look
     * alike have stayed undecided. */
    uint64_t copies_budget;
    /* Called now and then from the calling thread, may be NULL: part done, 0 .. 1. */
    void (*progress)(void *context, double done);
    void *progress_context;
    /* May be NULL. Asked from the calling thread, between graphs, and every 100 ms while it waits for
     * other threads; not 0: stop, RG_EFAIL. */
    int (*cancel)(void *context);
    void *cancel_context;
} rg_audit_options;

#define RG_AUDIT_OPTIONS_INIT                                                       \
    RG_OPTIONS(rg_audit_options, .copies = 1, .diameter_budget = UINT64_C(1) << 30, \
               .copies_budget = UINT64_C(1) << 26)
RG_OPTIONS_FUNCTIONS(rg_audit_options)

/* Everything in here that can be counted is exact, except what the last block says. */
typedef struct rg_audit {
    size_t size; /* sizeof(rg_audit): RG_AUDIT_INIT sets it */
    rg_range nodes, edges;
    /* Longest shortest path inside a connected component; 0 for a graph without edges. */
    rg_range diameter;
    rg_range diameter_connected; /* the same, but 0 for a graph that is not connected */
    uint64_t connected_graphs, disconnected_graphs; /* a graph without nodes is neither */
    uint64_t trees;                                 /* connected, one edge less than nodes */
    uint64_t isolated_nodes, empty_graphs;
    uint64_t max_degree;
    double mean_degree;
    /* Graphs that are isomorphic to an earlier one: same edges, node labels and edge labels under
     * some renumbering of nodes; attributes do not count. */
    uint64_t isomorphic_copies;
    /* Copies whose targets differ from the first one's: classes if there are any, else real values;
     * one that is not known differs from nothing. */
    uint64_t copies_other_class;
    uint64_t copy_groups; /* groups of two or more isomorphic graphs */
    uint64_t largest_group;
    uint64_t bounded_diameters, undecided_pairs; /* past the budget: see the options */
    char digest[RG_DIGEST_SIZE];
} rg_audit;
#define RG_AUDIT_INIT RG_SIZED(rg_audit)

/* options: NULL for the defaults. out: untouched on failure.
 * Cost: O(nodes * arcs) a graph at worst for the diameter, much less on most. RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_audit_run(rg_audit *out, const rg_dataset *data,
                                            const rg_audit_options *options, rg_error *err);

#ifdef __cplusplus
}
#endif

#endif
