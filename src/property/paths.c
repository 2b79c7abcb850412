/* paths.c - paths(i,j): how many shortest paths join two nodes. */
#include "kind.h"

#include <inttypes.h>

enum { DISTANCE, N_ARRAYS };
static const uint32_t most = RG_EMPTY - 1; /* a number that is larger stays here */

/* Breadth first: a node is followed when all paths to it are counted. */
static void find(rg_property_space *space, uint32_t i, uint32_t reach)
{
    const rg_graph *graph = &space->graph;
    uint32_t *value = space->value, *queue = space->queue, *distance = space->arrays[DISTANCE];
    size_t n = 0;
    value[i] = 1;
    distance[i] = 0;
    queue[n++] = i;
    for (size_t k = 0; k < n && distance[queue[k]] < reach; k++) {
        uint32_t here = queue[k];
        for (uint64_t arc = graph->row[here]; arc < graph->row[here + 1]; arc++) {
            uint32_t j = graph->col[arc];
            if (value[j] == RG_EMPTY) {
                value[j] = 0;
                distance[j] = distance[here] + 1;
                queue[n++] = j;
            }
            if (distance[j] == distance[here] + 1)
                value[j] = value[here] > most - value[j] ? most : value[j] + value[here];
        }
    }
    space->n_found = n;
}

static rg_property_bounds bounds(const rg_property_space *space)
{
    return (rg_property_bounds){0, space->graph.n_nodes > 3 ? most : 1};
}

static int64_t of_node(const rg_graph *graph, uint32_t i)
{
    (void)graph;
    (void)i;
    return 1;
}

static rg_property_bounds range(uint32_t parameter, const rg_property_scope *scope)
{
    (void)parameter;
    (void)scope;
    return (rg_property_bounds){0, most};
}

static void say(rg_text *out, const rg_property_words *words, uint32_t parameter, int64_t low,
                int64_t high)
{
    (void)parameter;
    (void)high;
    if (words->loop)
        return;
    if (low == 0)
        rg_text_add(out, ", not joined by a path");
    else
        rg_text_add(out, ", joined by %" PRId64 " shortest path%s", low, low == 1 ? "" : "s");
}

const rg_property_table rg_property_paths = {
    .info = {.name = "paths",
             .n_nodes = 2,
             .parameter = "cut-off",
             .low = 1,
             .high = RG_DIST_ANY,
             .usual = RG_DIST_ANY},
    .optional = true,
    .pairs = 64,
    .n_arrays = N_ARRAYS,
    .find = find,
    .bounds = bounds,
    .of_node = of_node,
    .range = range,
    .reach = rg_property_reach,
    .say = say,
};
