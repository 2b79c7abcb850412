/* property.c - the table of properties, and what may be asked of them. */
#include "kind.h"

#include "base/error.h"

#include <assert.h>
#include <string.h>

#define TABLE(upper, lower) [RG_PROPERTY_##upper] = &rg_property_##lower,
static const rg_property_table *const kinds[] = {RG_PROPERTIES(TABLE)};
#undef TABLE

const rg_property_table *rg_property_table_of(rg_property_kind kind)
{
    assert((unsigned)kind < RG_N_PROPERTIES);
    return kinds[kind];
}

const rg_property_info *rg_property_describe(rg_property_kind kind)
{
    return &rg_property_table_of(kind)->info;
}

rg_property_kind rg_property_find(const char *name)
{
    unsigned kind = 0;
    while (kind < RG_N_PROPERTIES && strcmp(kinds[kind]->info.name, name) != 0)
        kind++;
    return kind < RG_N_PROPERTIES ? (rg_property_kind)kind : RG_NO_PROPERTY;
}

rg_property rg_property_default(rg_property_kind kind)
{
    return (rg_property){kind, rg_property_describe(kind)->usual};
}

rg_status rg_property_check(const rg_property *property, const rg_dataset *data, rg_error *err)
{
    if ((unsigned)property->kind >= RG_N_PROPERTIES)
        return rg_fail(err, RG_EUSAGE, "found property number %u, expected one below %u",
                       (unsigned)property->kind, (unsigned)RG_N_PROPERTIES);
    const rg_property_info *info = rg_property_describe(property->kind);
    if (info->parameter && (property->parameter < info->low || property->parameter > info->high))
        return rg_fail(err, RG_EUSAGE, "%s: found %s %u, expected %u..%u", info->name,
                       info->parameter, property->parameter, info->low, info->high);
    const rg_property_table *table = rg_property_table_of(property->kind);
    return data && table->check ? table->check(property->parameter, data, err) : RG_OK;
}

uint64_t rg_space_arc(const rg_graph *graph, uint32_t i, uint32_t j)
{
    uint64_t low = graph->row[i], high = graph->row[i + 1];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (graph->col[middle] < j)
            low = middle + 1;
        else
            high = middle;
    }
    return low < graph->row[i + 1] && graph->col[low] == j ? low : graph->row[i + 1];
}

rg_property_bounds rg_space_degrees(const rg_property_space *space)
{
    rg_property_bounds bounds = {INT64_MAX, 0};
    for (uint32_t i = 0; i < space->graph.n_nodes; i++) {
        int64_t d = (int64_t)rg_space_degree(&space->graph, i);
        bounds.low = d < bounds.low ? d : bounds.low;
        bounds.high = d > bounds.high ? d : bounds.high;
    }
    return bounds;
}

rg_property_bounds rg_property_range_flag(uint32_t parameter, const rg_property_scope *scope)
{
    (void)parameter;
    (void)scope;
    return (rg_property_bounds){0, 1};
}

rg_property_bounds rg_property_range_degree(uint32_t parameter, const rg_property_scope *scope)
{
    (void)parameter;
    return (rg_property_bounds){0, scope->largest_degree};
}

uint32_t rg_property_reach(uint32_t parameter)
{
    return parameter;
}

int64_t rg_property_zero(const rg_graph *graph, uint32_t i)
{
    (void)graph;
    (void)i;
    return 0;
}
