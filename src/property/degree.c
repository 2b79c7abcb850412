/* degree.c - degree(i): neighbours of one node. */
#include "kind.h"

#include <inttypes.h>

static int64_t of_node(const rg_graph *graph, uint32_t i)
{
    return (int64_t)rg_space_degree(graph, i);
}

static int64_t value(const rg_property_space *space, uint32_t i, uint32_t j)
{
    (void)j;
    return of_node(&space->graph, i);
}

/* A row is the node alone. */
static size_t list(rg_property_space *space, uint32_t i, int64_t low, int64_t high)
{
    space->out_j[0] = i;
    space->out_value[0] = of_node(&space->graph, i);
    return space->out_value[0] >= low && space->out_value[0] <= high;
}

static void say(rg_text *out, const rg_property_words *words, uint32_t parameter, int64_t low,
                int64_t high)
{
    (void)words;
    (void)parameter;
    (void)high;
    rg_text_add(out, "of degree %" PRId64, low);
}

const rg_property_table rg_property_degree = {
    .info = {.name = "degree", .n_nodes = 1, .elsewhere = RG_NO_VALUE},
    .pairs = 1,
    .list = list,
    .value = value,
    .bounds = rg_space_degrees,
    .of_node = of_node,
    .range = rg_property_range_degree,
    .say = say,
};
