/* edge.c - edge(i,j): is there an edge? */
#include "kind.h"

static size_t list(rg_property_space *space, uint32_t i, int64_t low, int64_t high)
{
    size_t n = 0;
    for (uint64_t arc = space->graph.row[i]; low <= 1 && 1 <= high && arc < space->graph.row[i + 1];
         arc++) {
        space->out_j[n] = space->graph.col[arc];
        space->out_value[n++] = 1;
    }
    return n;
}

static int64_t value(const rg_property_space *space, uint32_t i, uint32_t j)
{
    return rg_space_arc(&space->graph, i, j) != space->graph.row[i + 1];
}

static rg_property_bounds bounds(const rg_property_space *space)
{
    return (rg_property_bounds){0, space->graph.n_arcs > 0};
}

static void say(rg_text *out, const rg_property_words *words, uint32_t parameter, int64_t low,
                int64_t high)
{
    (void)parameter;
    (void)high;
    rg_text_add(out, "%s", low ? ", joined by an edge" : words->loop ? "" : ", not joined");
}

const rg_property_table rg_property_edge = {
    .info = {.name = "edge", .n_nodes = 2},
    .condition = true,
    .of_edges = true,
    .pairs = 4,
    .list = list,
    .value = value,
    .bounds = bounds,
    .of_node = rg_property_zero,
    .range = rg_property_range_flag,
    .say = say,
};
