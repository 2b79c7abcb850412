/* patterns_twin.h - the slow way to count a pattern: by trying all maps into the graph. */
#ifndef REGULA_TESTS_COUNT_PATTERNS_TWIN_H
#define REGULA_TESTS_COUNT_PATTERNS_TWIN_H

#include "count/pattern.h"
#include "support/graphs.h"

enum { PATTERNS_MOST = 40 }; /* nodes of a graph */

/* A set of this one graph; with_labels: its colours are labels of nodes and edges. Owned. */
rg_dataset *patterns_dataset(const test_graph *graph, bool with_labels);
/* Occurrences of a pattern through every node, by trying all maps and noting the subgraphs they
 * reach. */
void patterns_by_hand(int64_t *out, const test_graph *graph, bool with_labels,
                      const rg_pattern *pattern, bool induced);

#endif
