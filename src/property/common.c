/* common.c - common(i,j): neighbours that both have, by two steps from a node. */
#include "kind.h"

#include <inttypes.h>

static void find(rg_property_space *space, uint32_t i, uint32_t reach)
{
    (void)reach;
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

static rg_property_bounds bounds(const rg_property_space *space)
{
    return (rg_property_bounds){0, rg_space_degrees(space).high};
}

static int64_t of_node(const rg_graph *graph, uint32_t i)
{
    return (int64_t)rg_space_degree(graph, i);
}

static uint32_t reach_of(uint32_t parameter)
{
    (void)parameter;
    return 2;
}

static void say(rg_text *out, const rg_property_words *words, uint32_t parameter, int64_t low,
                int64_t high)
{
    (void)words;
    (void)parameter;
    (void)high;
    rg_text_add(out, ", with %" PRId64 " common neighbour%s", low, low == 1 ? "" : "s");
}

const rg_property_table rg_property_common = {
    .info = {.name = "common", .n_nodes = 2},
    .pairs = 16,
    .find = find,
    .bounds = bounds,
    .of_node = of_node,
    .range = rg_property_range_degree,
    .reach = reach_of,
    .say = say,
};
