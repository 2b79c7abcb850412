/* invariant.h - one number per graph that does not depend on the order of its nodes.
 *
 * Isomorphic graphs have equal invariants. The converse does not hold: two graphs may share one
 * because colour refinement cannot tell them apart, or because 64 bits collide. So invariants say
 * which graphs need not be compared, and never that two are the same. */
#ifndef REGULA_GRAPH_INVARIANT_H
#define REGULA_GRAPH_INVARIANT_H

#include "regula/dataset.h"

#include <stdbool.h>

/* A graph with one colour per node and one per arc, comparable over the whole set. Borrowed. */
typedef struct rg_coloured {
    rg_graph graph;
    const uint32_t *node_colour; /* n_nodes; NULL: all alike */
    const uint32_t *arc_colour;  /* by arc number, as graph.col; the same both ways; or NULL */
} rg_coloured;

/* Scratch of one thread; starts as {0} and grows to the largest graph it has seen. */
typedef struct rg_invariant_work {
    uint64_t *block;
    size_t capacity; /* nodes */
} rg_invariant_work;

void rg_invariant_work_free(rg_invariant_work *work);

/* From the colours that refinement arrives at. Cost: O(arcs) a round, until the colours are stable
 * or after at most 16 rounds or 2^22 arcs, whichever is more. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_invariant_graph(uint64_t *out, const rg_coloured *g,
                                           rg_invariant_work *work, rg_error *err);

/* For each node, from those colours together with the distances from this node, refined a few
 * rounds: tells apart what plain refinement does not (regular graphs, most of all). out: n_nodes.
 * *followed: arcs, added. Cost: O(nodes * arcs). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_invariant_nodes(uint64_t *out, uint64_t *followed, const rg_coloured *g,
                                           rg_invariant_work *work, rg_error *err);

/* The two in one: the graph's, from its nodes'. Same cost as rg_invariant_nodes. */
RG_MUST_CHECK rg_status rg_invariant_strong(uint64_t *out, const rg_coloured *g,
                                            rg_invariant_work *work, rg_error *err);

#endif
