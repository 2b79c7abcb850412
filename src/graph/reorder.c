/* reorder.c - see reorder.h: back to raw rows, in the new order, and build again. */
#include "reorder.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "unpack.h"

#include <string.h>

rg_status rg_dataset_reorder(rg_dataset **out, const rg_dataset *data, const uint32_t *graphs,
                             const uint32_t *nodes, rg_error *err)
{
    const char *name = rg_dataset_name(data);
    rg_raw raw = {.n_graphs = rg_dataset_n_graphs(data)};
    rg_unpack unpack;
    rg_status status = rg_unpack_open(&unpack, &raw, data, err);
    if (status)
        return status;
    if (nodes) /* in another order they are no sequences */
        raw.sequence = RG_SEQUENCE_NONE;
    raw.name = rg_copy_text(name, strlen(name));
    bool fine = raw.name && rg_unpack_names(&unpack);
    for (size_t k = 0; fine && k < raw.n_graphs; k++)
        fine = rg_unpack_graph(&unpack, graphs ? graphs[k] : k, (uint32_t)k, nodes);
    rg_unpack_close(&unpack);
    if (fine)
        return rg_dataset_build(out, &raw, err);
    rg_raw_free(&raw);
    return rg_fail_memory(err, "reordering a data set");
}

rg_status rg_dataset_induce(rg_dataset **out, const rg_dataset *data, const rg_node_part *parts,
                            size_t n, rg_error *err)
{
    const char *name = rg_dataset_name(data);
    rg_raw raw = {.n_graphs = n};
    rg_unpack unpack;
    rg_status status = rg_unpack_open(&unpack, &raw, data, err);
    if (status)
        return status;
    raw.sequence = RG_SEQUENCE_NONE;
    raw.name = rg_copy_text(name, strlen(name));
    bool fine = raw.name && rg_unpack_names(&unpack);
    for (size_t k = 0; fine && k < n; k++)
        fine = rg_unpack_part(&unpack, parts[k].graph, (uint32_t)k, parts[k].nodes, parts[k].n);
    rg_unpack_close(&unpack);
    if (fine)
        return rg_dataset_build(out, &raw, err);
    rg_raw_free(&raw);
    return rg_fail_memory(err, "parts of graphs");
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
