/* pairs.h - sorting edges as listed, graph by graph. */
#ifndef REGULA_GRAPH_PAIRS_H
#define REGULA_GRAPH_PAIRS_H

#include "raw.h"

/* Real files list one graph after another. Then each graph's pairs are sorted by (a, b) where they
 * are, equal ones in the order listed, with a scratch that stays in the caches.
 * start: first node of each graph, n_graphs + 1. order: NULL, or n_pairs numbers: gets the place in
 * the list of each pair. *done: false if the file is not like that, or one graph has most of the
 * pairs; nothing has changed then. Returns false if memory is short. O(nodes + pairs). */
bool rg_pairs_sort(rg_raw *raw, const uint64_t *start, uint32_t *order, bool *done);

#endif
