/* hop.c - rows of dist and common: breadth-first search to a cut-off, and two steps from a node. */
#include "space.h"

void rg_hop_search(rg_property_space *space, uint32_t i, uint32_t reach)
{
    const rg_graph *graph = &space->graph;
    uint32_t *value = space->value, *queue = space->queue;
    size_t n = 0;
    value[i] = 0;
    queue[n++] = i;
    /* The queue ascends in distance: what stands at or beyond the reach is found, not followed. In
     * a dense graph all nodes are found long before all are followed. */
    for (size_t k = 0; k < n && n < graph->n_nodes && value[queue[k]] < reach; k++) {
        uint32_t here = queue[k];
        for (uint64_t arc = graph->row[here]; arc < graph->row[here + 1]; arc++) {
            uint32_t j = graph->col[arc];
            if (value[j] != RG_EMPTY)
                continue;
            value[j] = value[here] + 1;
            queue[n++] = j;
        }
    }
    space->n_found = n;
}

void rg_hop_common(rg_property_space *space, uint32_t i)
{
    const rg_graph *graph = &space->graph;
    uint32_t *value = space->value, *queue = space->queue;
    size_t n = 0;
    for (uint64_t k = graph->row[i]; k < graph->row[i + 1]; k++) {
        uint32_t here = graph->col[k];
        for (uint64_t arc = graph->row[here]; arc < graph->row[here + 1]; arc++) {
            uint32_t j = graph->col[arc];
            if (value[j] == RG_EMPTY) {
                value[j] = 0;
                queue[n++] = j;
            }
            value[j]++;
        }
    }
    space->n_found = n;
}
