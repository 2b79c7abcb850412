/* sketch.h - one small graph drawn by hand or by chance, and a slow count of patterns in it. */
#ifndef REGULA_TESTS_COUNT_SKETCH_H
#define REGULA_TESTS_COUNT_SKETCH_H

#include "count/pattern.h"

enum { SKETCH_MOST = 40 }; /* nodes */

/* One graph by its edges; labels of nodes and edges are optional. */
typedef struct sketch {
    uint32_t n, n_edges;
    uint32_t edge[SKETCH_MOST * SKETCH_MOST / 2][2];
    bool has_node_labels, has_edge_labels;
    int64_t node_label[SKETCH_MOST], edge_label[SKETCH_MOST * SKETCH_MOST / 2];
} sketch;

/* A set of this one graph. Owned (rg_dataset_free). */
rg_dataset *sketch_build(const sketch *s);
void sketch_connect(sketch *s, uint32_t a, uint32_t b, int64_t label);
/* Every pair with probability `density`; labels from 0 .. n_labels-1, 0 labels: none. */
sketch sketch_random(uint64_t seed, uint32_t n, double density, uint32_t n_labels);
/* Occurrences of a pattern through every node, by trying all maps and noting the subgraphs they
 * reach. */
void sketch_count(int64_t *out, const sketch *graph, const rg_pattern *pattern, bool induced);

#endif
