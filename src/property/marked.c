/* marked.c - marked(i,j): the colour of j when i is marked, by refinement of the cells of one graph.
 *
 * Classes are numbered in the order of refine/cells.h, which is that of the graph alone; i is in
 * class 0. The number means the same in two graphs where i has the same label of marked(k=1,
 * from=trivial) with the same depth. */
#include "kind.h"
#include "refine/cells.h"

#include <inttypes.h>

static void enter(rg_property_space *space)
{
    rg_node_cells *cells = space->own;
    rg_node_cells_open(cells, space->arrays);
    rg_node_cells_enter(cells, &space->graph, NULL);
}

static void find(rg_property_space *space, uint32_t i, uint32_t reach)
{
    (void)reach;
    rg_node_cells *cells = space->own;
    uint32_t class = 0;
    rg_node_cells_ball(cells, i, space->property.parameter);
    rg_node_cells_start(cells);
    rg_node_cells_mark(cells, i);
    rg_node_cells_refine(cells);
    for (uint32_t at = 0; at < cells->n; at += cells->size[at], class ++)
        for (uint32_t k = at; k < at + cells->size[at]; k++) {
            space->queue[k] = cells->order[k];
            space->value[cells->order[k]] = class;
        }
    space->n_found = cells->n;
    rg_node_cells_leave(cells);
}

static rg_property_bounds bounds(const rg_property_space *space)
{
    return (rg_property_bounds){0, (int64_t)space->graph.n_nodes - 1};
}

static rg_property_bounds range(uint32_t parameter, const rg_property_scope *scope)
{
    (void)parameter;
    return (rg_property_bounds){0, (int64_t)scope->n_nodes - 1};
}

static uint32_t reach_of(uint32_t parameter)
{
    return parameter ? parameter : RG_DIST_ANY;
}

static void say(rg_text *out, const rg_property_words *words, uint32_t parameter, int64_t low,
                int64_t high)
{
    (void)parameter;
    (void)high;
    if (low == RG_NO_VALUE)
        rg_text_add(out, ", not near enough to be marked");
    else if (low > 0 && !words->loop)
        rg_text_add(out, ", in class %" PRId64 " when the latter is marked", low);
}

const rg_property_table rg_property_marked = {
    .info = {.name = "marked",
             .n_nodes = 2,
             .parameter = "depth",
             .low = 0,
             .high = 64,
             .usual = 0,
             .elsewhere = RG_NO_VALUE},
    .optional = true,
    .ordered = true,
    .pairs = 64,
    .n_arrays = RG_CELLS_ARRAYS,
    .own_size = sizeof(rg_node_cells),
    .enter = enter,
    .find = find,
    .bounds = bounds,
    .of_node = rg_property_zero,
    .range = range,
    .reach = reach_of,
    .say = say,
};
