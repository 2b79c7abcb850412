/* spread.h - inside: which nodes a label speaks for, and how a share is spread over them.
 *
 * A label describes an environment: wl(depth=2) all nodes within two edges, cycles the rings that the
 * node is on. What a node contributes through such a label is due to all of them. */
#ifndef REGULA_EXPLAIN_SPREAD_H
#define REGULA_EXPLAIN_SPREAD_H

#include "explainer.h"

/* For each node i of a graph the part of its share that node k gets; parts of i add up to 1. */
typedef struct rg_spread {
    uint32_t n;
    double *parts; /* [i][k]; NULL: each node keeps its own; owned */
} rg_spread;

/* By the labels that the last aggregation uses, and the last rule layer before it: the mean of what they
 * speak for. Graphs of more than 500 nodes are not spread, nor networks whose nodes see their
 * neighbours by message passing. out: ends with rg_spread_free. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_spread_make(rg_spread *out, const rg_explainer *explainer,
                                       const rg_graph *graph, rg_error *err);
void rg_spread_free(rg_spread *spread);

/* nodes: [node][width], becomes what every node has got; their sums stay. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_spread_apply(const rg_spread *spread, double *nodes, size_t width,
                                        rg_error *err);

#endif
