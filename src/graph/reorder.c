/* reorder.c - see reorder.h: back to raw rows, in the new order, and build again. */
#include "reorder.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "raw.h"

#include <string.h>

/* Copies one item's original label values; a class that is not known stays so. */
static bool add_labels(rg_int_rows *rows, const rg_dataset *data, rg_column kind, uint64_t item)
{
    size_t n_columns = rg_dataset_n_columns(data, kind);
    int64_t *row = n_columns ? rg_int_rows_add(rows, n_columns) : NULL;
    if (n_columns && !row)
        return false;
    for (size_t c = 0; c < n_columns; c++) {
        size_t n;
        uint32_t rank = rg_dataset_ranks(data, kind, c)[item];
        const int64_t *values = rg_dataset_values(data, kind, c, &n);
        row[c] = rank == RG_NO_CLASS ? RG_MISSING : values[rank];
    }
    return true;
}

static bool add_reals(rg_real_rows *rows, const rg_dataset *data, rg_column kind, uint64_t item)
{
    size_t n_columns = rg_dataset_n_columns(data, kind);
    double *row = n_columns ? rg_real_rows_add(rows, n_columns) : NULL;
    if (n_columns && !row)
        return false;
    for (size_t c = 0; c < n_columns; c++)
        row[c] = rg_dataset_reals(data, kind)[item * n_columns + c];
    return true;
}

/* place: room for the new number of every node of the graph. */
static bool add_graph(rg_raw *raw, const rg_dataset *data, size_t index, uint32_t number,
                      const uint32_t *nodes, uint32_t *place)
{
    rg_graph g = rg_dataset_graph(data, index);
    uint32_t base = (uint32_t)raw->n_nodes;
    bool fine = add_labels(&raw->classes, data, RG_CLASS, index) &&
                add_reals(&raw->targets, data, RG_TARGET, index);
    for (uint32_t k = 0; fine && k < g.n_nodes; k++) {
        uint32_t i = nodes ? nodes[g.first_node + k] : k;
        place[i] = base + k;
        fine = rg_raw_add_node(raw, number) &&
               add_labels(&raw->node_labels, data, RG_NODE_LABEL, g.first_node + i) &&
               add_reals(&raw->node_attributes, data, RG_NODE_ATTRIBUTE, g.first_node + i);
    }
    for (uint32_t i = 0; fine && i < g.n_nodes; i++)
        for (uint64_t arc = g.row[i]; fine && arc < g.row[i + 1]; arc++)
            fine = rg_raw_add_pair(raw, place[i], place[g.col[arc]]) &&
                   add_labels(&raw->edge_labels, data, RG_EDGE_LABEL, arc) &&
                   add_reals(&raw->edge_attributes, data, RG_EDGE_ATTRIBUTE, arc);
    return fine;
}

/* n graphs of a set; graphs and nodes may be NULL. */
static rg_status rebuild(rg_dataset **out, const rg_dataset *data, const uint32_t *graphs, size_t n,
                         const uint32_t *nodes, rg_error *err)
{
    const char *name = rg_dataset_name(data);
    rg_raw raw = {.n_graphs = n};
    uint32_t *place = rg_alloc((size_t)rg_dataset_n_nodes(data), sizeof *place);
    raw.name = rg_copy_text(name, strlen(name));
    bool fine = place && raw.name;
    for (size_t k = 0; fine && k < n; k++)
        fine = add_graph(&raw, data, graphs ? graphs[k] : k, (uint32_t)k, nodes, place);
    rg_free(place);
    if (fine)
        return rg_dataset_build(out, &raw, err);
    rg_raw_free(&raw);
    return rg_fail_memory(err, "reordering a data set");
}

rg_status rg_dataset_reorder(rg_dataset **out, const rg_dataset *data, const uint32_t *graphs,
                             const uint32_t *nodes, rg_error *err)
{
    return rebuild(out, data, graphs, rg_dataset_n_graphs(data), nodes, err);
}

rg_status rg_dataset_pick(rg_dataset **out, const rg_dataset *data, const uint32_t *graphs,
                          size_t n, rg_error *err)
{
    return rebuild(out, data, graphs, n, NULL, err);
}

rg_status rg_dataset_shuffle(uint32_t **graphs, uint32_t **nodes, const rg_dataset *data,
                             uint64_t seed, rg_error *err)
{
    size_t n_graphs = rg_dataset_n_graphs(data);
    uint32_t *graph_order = rg_alloc(n_graphs, sizeof *graph_order);
    uint32_t *node_order = rg_alloc((size_t)rg_dataset_n_nodes(data), sizeof *node_order);
    if (!graph_order || !node_order) {
        rg_free(graph_order);
        rg_free(node_order);
        return rg_fail_memory(err, "reordering a data set");
    }
    for (size_t k = 0; k < n_graphs; k++) {
        rg_graph g = rg_dataset_graph(data, k);
        graph_order[k] = (uint32_t)k;
        for (uint32_t i = 0; i < g.n_nodes; i++)
            node_order[g.first_node + i] = i;
        rg_random_shuffle(seed, k + 1, node_order + g.first_node, g.n_nodes);
    }
    rg_random_shuffle(seed, 0, graph_order, n_graphs);
    *graphs = graph_order;
    *nodes = node_order;
    return RG_OK;
}
