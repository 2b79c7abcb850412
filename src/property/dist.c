/* dist.c - dist(i,j): edges on a shortest path, by breadth-first search to a cut-off. */
#include "kind.h"

#include <inttypes.h>

static void find(rg_property_space *space, uint32_t i, uint32_t reach)
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

static rg_property_bounds bounds(const rg_property_space *space)
{
    uint32_t cut = space->property.parameter, n = space->graph.n_nodes;
    return (rg_property_bounds){0, cut < n ? cut : n - 1};
}

static rg_property_bounds range(uint32_t parameter, const rg_property_scope *scope)
{
    (void)parameter;
    return (rg_property_bounds){0, (int64_t)scope->n_nodes - 1};
}

static void say(rg_text *out, const rg_property_words *words, uint32_t parameter, int64_t low,
                int64_t high)
{
    (void)parameter;
    const char *s = high == 1 ? "" : "s";
    if (high == RG_NO_VALUE)
        rg_text_add(out, ", out of reach");
    else if (low == RG_NO_VALUE && words->atoms)
        rg_text_add(out, ", at most %" PRId64 " bond%s away", high, s);
    else if (low == RG_NO_VALUE)
        rg_text_add(out, ", at a distance of at most %" PRId64, high);
    else if (low == 0 && high == 0)
        return; /* the node itself */
    else if (words->atoms && low == high)
        rg_text_add(out, ", %" PRId64 " bond%s away", low, s);
    else if (words->atoms)
        rg_text_add(out, ", %" PRId64 " to %" PRId64 " bonds away", low, high);
    else if (low == high)
        rg_text_add(out, ", at distance %" PRId64, low);
    else
        rg_text_add(out, ", at a distance of %" PRId64 " to %" PRId64, low, high);
}

const rg_property_table rg_property_dist = {
    .info = {.name = "dist",
             .n_nodes = 2,
             .parameter = "cut-off",
             .high = RG_DIST_ANY,
             .usual = RG_DIST_ANY,
             .elsewhere = RG_NO_VALUE},
    .metric = true,
    .pairs = 4,
    .find = find,
    .bounds = bounds,
    .of_node = rg_property_zero,
    .range = range,
    .say = say,
};
