/* pos.c - pos(i): the place of one token in its sequence, from 0; offset(i,j): how many places j is
 * behind i, which is pos(j) - pos(i). */
#include "kind.h"

#include "base/error.h"

#include <inttypes.h>

static rg_status check_sequence(uint32_t parameter, const rg_dataset *data, rg_error *err)
{
    (void)parameter;
    if (rg_dataset_sequence(data))
        return RG_OK;
    return rg_fail(err, RG_EDATA,
                   "'%s' has graphs, whose nodes have no order, but pos and offset are for "
                   "sequences",
                   rg_dataset_name(data));
}

static rg_property_bounds bounds_of(bool pairs, uint32_t n_nodes)
{
    int64_t last = n_nodes ? (int64_t)n_nodes - 1 : 0;
    return (rg_property_bounds){pairs ? -last : 0, last};
}

/* ---- one token */

static int64_t pos_of(const rg_graph *graph, uint32_t i)
{
    (void)graph;
    return i;
}

static int64_t pos_value(const rg_property_space *space, uint32_t i, uint32_t j)
{
    (void)space;
    (void)j;
    return i;
}

static size_t pos_list(rg_property_space *space, uint32_t i, int64_t low, int64_t high)
{
    space->out_j[0] = i;
    space->out_value[0] = i;
    return i >= low && i <= high;
}

static rg_property_bounds pos_bounds(const rg_property_space *space)
{
    return bounds_of(false, space->graph.n_nodes);
}

static rg_property_bounds pos_range(uint32_t parameter, const rg_property_scope *scope)
{
    (void)parameter;
    return bounds_of(false, scope->n_nodes);
}

static void pos_say(rg_text *out, const rg_property_words *words, uint32_t parameter, int64_t low,
                    int64_t high)
{
    (void)words;
    (void)parameter;
    (void)high;
    rg_text_add(out, "at position %" PRId64, low);
}

const rg_property_table rg_property_pos = {
    .info = {.name = "pos", .n_nodes = 1, .elsewhere = RG_NO_VALUE},
    .young = true,
    .pairs = 1,
    .check = check_sequence,
    .list = pos_list,
    .value = pos_value,
    .bounds = pos_bounds,
    .of_node = pos_of,
    .range = pos_range,
    .say = pos_say,
};

/* ---- two tokens */

static size_t offset_list(rg_property_space *space, uint32_t i, int64_t low, int64_t high)
{
    int64_t least = -(int64_t)i, most = (int64_t)space->graph.n_nodes - 1 - i;
    size_t n = 0;
    for (int64_t d = low > least ? low : least; d <= high && d <= most; d++) {
        space->out_j[n] = (uint32_t)(i + d);
        space->out_value[n++] = d;
    }
    return n;
}

static int64_t offset_value(const rg_property_space *space, uint32_t i, uint32_t j)
{
    (void)space;
    return (int64_t)j - i;
}

static rg_property_bounds offset_bounds(const rg_property_space *space)
{
    return bounds_of(true, space->graph.n_nodes);
}

static rg_property_bounds offset_range(uint32_t parameter, const rg_property_scope *scope)
{
    (void)parameter;
    return bounds_of(true, scope->n_nodes);
}

static uint32_t offset_reach(uint32_t parameter)
{
    (void)parameter;
    return RG_DIST_ANY;
}

static void offset_say(rg_text *out, const rg_property_words *words, uint32_t parameter,
                       int64_t low, int64_t high)
{
    (void)parameter;
    (void)high;
    if (low == 0 && words->loop)
        return;
    if (low == 0)
        rg_text_add(out, ", at the same place");
    else
        rg_text_add(out, ", %" PRId64 " place%s %s", low < 0 ? -low : low,
                    low == 1 || low == -1 ? "" : "s", low < 0 ? "before" : "after");
}

const rg_property_table rg_property_offset = {
    .info = {.name = "offset", .n_nodes = 2, .elsewhere = RG_NO_VALUE},
    .young = true,
    .ordered = true,
    .pairs = 4,
    .check = check_sequence,
    .list = offset_list,
    .value = offset_value,
    .bounds = offset_bounds,
    .of_node = rg_property_zero,
    .range = offset_range,
    .reach = offset_reach,
    .say = offset_say,
};
