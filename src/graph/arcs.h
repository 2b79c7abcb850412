/* arcs.h - from edges as listed to the sorted arcs of simple undirected graphs. */
#ifndef REGULA_GRAPH_ARCS_H
#define REGULA_GRAPH_ARCS_H

#include "raw.h"

typedef struct rg_arcs {
    uint64_t *row;    /* n_nodes + 1 */
    uint32_t *col;    /* ascending inside a row; node numbers inside the set */
    uint32_t *source; /* the listed pair that each arc's label comes from; NULL if none is needed */
    uint64_t n;
} rg_arcs;

/* Sorts, drops self-loops and repeated pairs, completes edges listed in one direction, and counts
 * each in raw->quirks. The pairs must be in range. Takes raw->pairs away as soon as it can. If raw
 * has rows of edges (labels and so on), `source` is filled: the pair listed first for the edge, in either
 * direction. start: first node of each graph, n_graphs + 1. O(nodes + pairs). out: owned
 * (rg_arcs_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_arcs_build(rg_arcs *out, rg_raw *raw, const uint64_t *start,
                                      rg_error *err);
void rg_arcs_free(rg_arcs *arcs);

#endif
