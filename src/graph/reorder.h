/* reorder.h - the same data set with its graphs, and the nodes inside them, in another order. */
#ifndef REGULA_GRAPH_REORDER_H
#define REGULA_GRAPH_REORDER_H

#include "regula/dataset.h"

/* graphs[k]: the graph of `data` that becomes graph k; a permutation. nodes[first_node + i], by
 * graphs of `data`: the node that becomes node i of its graph; a permutation inside each graph.
 * Either NULL: as they are. Labels, attributes, classes and targets go along; quirks do not.
 * out: owned (rg_dataset_free), untouched on failure. O(size). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_dataset_reorder(rg_dataset **out, const rg_dataset *data,
                                           const uint32_t *graphs, const uint32_t *nodes,
                                           rg_error *err);

/* Some nodes of a graph, each once. */
typedef struct rg_node_part {
    uint32_t graph;
    const uint32_t *nodes; /* of the graph, from 0 */
    uint32_t n;
} rg_node_part;

/* The graphs that parts of nodes and the edges between them make, with all that belongs to them. out: as
 * rg_dataset_reorder. O(size of the graphs). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_dataset_induce(rg_dataset **out, const rg_dataset *data,
                                          const rg_node_part *parts, size_t n, rg_error *err);

/* Random orders for the above, from a seed. Owned (rg_free), untouched on failure. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_dataset_shuffle(uint32_t **graphs, uint32_t **nodes,
                                           const rg_dataset *data, uint64_t seed, rg_error *err);

#endif
