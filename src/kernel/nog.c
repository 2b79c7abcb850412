/* nog.c - counts of node and edge labels, without the graph; a radial kernel. */
#include "base/alloc.h"
#include "base/error.h"
#include "kernel.h"

#include <string.h>

/* How often each value of a column occurs in every graph, into table[graph][n_wide] from `at` on;
 * without a column all are equal. An edge is two arcs, of which one is counted. */
static void count_column(double *table, size_t n_wide, size_t at, const rg_dataset *data,
                         rg_column kind)
{
    bool known = rg_dataset_n_columns(data, kind) > 0;
    const uint32_t *ranks = known ? rg_dataset_ranks(data, kind, 0) : NULL;
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        double *own = table + g * n_wide + at;
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            if (kind == RG_NODE_LABEL)
                own[ranks ? ranks[graph.first_node + i] : 0]++;
            for (uint64_t k = graph.row[i]; kind == RG_EDGE_LABEL && k < graph.row[i + 1]; k++)
                if (graph.col[k] > i)
                    own[ranks ? ranks[k] : 0]++;
        }
    }
}

static size_t n_values(const rg_dataset *data, rg_column kind)
{
    size_t n = 1;
    if (rg_dataset_n_columns(data, kind) > 0)
        rg_dataset_values(data, kind, 0, &n);
    return n;
}

/* Leaves out the columns that are 0 in all graphs of the fit; how many stay. */
static size_t drop_unseen(double *table, size_t n, size_t n_wide, const rg_count_options *options)
{
    size_t kept = 0;
    for (size_t f = 0; f < n_wide; f++) {
        bool seen = !options->fit;
        for (size_t k = 0; k < options->n_fit && !seen; k++)
            seen = table[options->fit[k] * n_wide + f] != 0;
        for (size_t g = 0; g < n && seen; g++)
            table[g * n_wide + kept] = table[g * n_wide + f];
        kept += seen;
    }
    for (size_t g = 0; g < n && kept < n_wide; g++)
        memmove(table + g * kept, table + g * n_wide, kept * sizeof *table);
    return kept;
}

rg_status rg_counts_labels(rg_counts **out, const rg_dataset *data, const rg_count_options *options,
                           rg_error *err)
{
    size_t n = rg_dataset_n_graphs(data), n_nodes = n_values(data, RG_NODE_LABEL);
    size_t n_wide = n_nodes + n_values(data, RG_EDGE_LABEL), n_all = 0;
    double *table = rg_size_mul(&n_all, n, n_wide) ? rg_alloc_zero(n_all, sizeof *table) : NULL;
    if (!table)
        return rg_fail_memory(err, "the counts of a kernel");
    count_column(table, n_wide, 0, data, RG_NODE_LABEL);
    count_column(table, n_wide, n_nodes, data, RG_EDGE_LABEL);
    n_wide = drop_unseen(table, n, n_wide, options);
    rg_status status = rg_counts_of_table(out, table, n, n_wide, err);
    rg_free(table);
    return status;
}

static rg_status count(rg_counts **layers, const rg_kernel *k, const rg_dataset *data,
                       const rg_count_options *options, rg_error *err)
{
    (void)k;
    return rg_counts_labels(layers, data, options, err);
}

const rg_baseline_kind rg_baseline_nog =
    RG_KERNEL("nog", "counts of node and edge labels (no graph structure), RBF kernel, SVM",
              .size = sizeof(rg_kernel), .settings = {&rg_kernel_gamma, &rg_kernel_c},
              .gram = RG_GRAM_DISTANCE, .count = count);
