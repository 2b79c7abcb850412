/* counts.h - how often each feature occurs in each graph, sparse, by graphs and by features. */
#ifndef REGULA_KERNEL_COUNTS_H
#define REGULA_KERNEL_COUNTS_H

#include "base/pool.h"
#include "regula/label.h"

#include <stdbool.h>

/* Never changes once it is indexed; everything lies in one block. */
typedef struct rg_counts {
    size_t n;          /* graphs */
    size_t n_features; /* numbered from 0 */
    uint64_t *row;     /* [n + 1]: graph g has the entries row[g] .. row[g+1] - 1 */
    uint32_t *feature; /* [entry], ascending in a graph */
    double *count;     /* [entry], not 0; whole numbers unless logarithms were taken */
    uint64_t *first;   /* [n_features + 1]: the same entries by features */
    uint32_t *graph;   /* [entry], ascending in a feature */
    double *there;     /* [entry]: the count */
} rg_counts;

/* Room for so many entries, rows all empty. out: owned (rg_counts_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_counts_new(rg_counts **out, size_t n, size_t n_features,
                                      uint64_t n_entries, rg_error *err);
void rg_counts_free(rg_counts *counts); /* NULL is fine */
/* Once row, feature and count are there: the rest. O(entries + features). */
void rg_counts_index(rg_counts *counts);

/* From the number, below n_features, of every node of a set: how many nodes of a graph have it.
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_counts_of_nodes(rg_counts **out, const rg_dataset *data,
                                           const uint32_t *numbers, size_t n_features,
                                           rg_error *err);
/* From a table [graph][feature]. */
RG_MUST_CHECK rg_status rg_counts_of_table(rg_counts **out, const double *table, size_t n,
                                           size_t n_features, rg_error *err);

/* ---- what the kernels count; docs/baselines.md has the definitions */

/* What all of them are asked with. */
typedef struct rg_count_options {
    const uint32_t *fit; /* graphs that labelings are fitted on; NULL: all */
    size_t n_fit;
    const char
        *labels; /* the spec of a labeling; NULL: node labels, and none where there are none */
    rg_label_options label;
} rg_count_options;

/* Rounds 0 .. depth of Weisfeiler-Leman, one after another in layers[depth + 1], owned. On failure
 * all of them are NULL. RG_EDATA (no edge labels, or what `labels` needs), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_counts_wl(rg_counts **layers, uint32_t depth, bool edges,
                                     const rg_dataset *data, const rg_count_options *options,
                                     rg_error *err);
/* Labels of both ends and the distance of all pairs of nodes that are joined by a path of at most
 * `distance` edges (0: any). RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_counts_paths(rg_counts **out, uint32_t distance, const rg_dataset *data,
                                        const rg_count_options *options, rg_error *err);
/* Node labels, then edge labels, an edge counted once; without labels all are equal. Labels that do
 * not occur in the graphs of the fit are not counted. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_counts_labels(rg_counts **out, const rg_dataset *data,
                                         const rg_count_options *options, rg_error *err);
/* Cycles, cliques or patterns: what `spec`, a labeling of one of these kinds, counts for nodes,
 * each occurrence in a graph once; with logarithm log(1 + count). RG_EUSAGE (another labeling),
 * RG_EDATA (over the budget), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_counts_structures(rg_counts **out, const char *spec, bool logarithm,
                                             const rg_dataset *data,
                                             const rg_count_options *options, rg_error *err);

#endif
