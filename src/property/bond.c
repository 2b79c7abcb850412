/* bond.c - bond(i,j): the label of the edge, as it stood in the file. */
#include "base/error.h"
#include "kind.h"

#include <inttypes.h>
#include <string.h>

static rg_status check(uint32_t column, const rg_dataset *data, rg_error *err)
{
    size_t n_columns = rg_dataset_n_columns(data, RG_EDGE_LABEL);
    if (n_columns == 0)
        return rg_fail(err, RG_EDATA, "bond: '%s' has no edge labels", rg_dataset_name(data));
    if (column >= n_columns)
        return rg_fail(err, RG_EDATA,
                       "bond: found column %u, expected 0..%zu: '%s' has %zu column%s of edge "
                       "labels",
                       column, n_columns - 1, rg_dataset_name(data), n_columns,
                       n_columns == 1 ? "" : "s");
    return RG_OK;
}

/* Labels of this graph's edges: values[ranks[arc]]. */
typedef struct bonds {
    const uint32_t *ranks;
    const int64_t *values;
} bonds;

static bonds bonds_of(const rg_property_space *space)
{
    size_t n;
    uint32_t column = space->property.parameter;
    return (bonds){rg_dataset_ranks(space->data, RG_EDGE_LABEL, column),
                   rg_dataset_values(space->data, RG_EDGE_LABEL, column, &n)};
}

static int64_t bond_at(bonds labels, uint64_t arc)
{
    return labels.values[labels.ranks[arc]];
}

static size_t list(rg_property_space *space, uint32_t i, int64_t low, int64_t high)
{
    bonds labels = bonds_of(space);
    size_t n = 0;
    for (uint64_t arc = space->graph.row[i]; arc < space->graph.row[i + 1]; arc++) {
        int64_t value = bond_at(labels, arc);
        if (value < low || value > high)
            continue;
        space->out_j[n] = space->graph.col[arc];
        space->out_value[n++] = value;
    }
    return n;
}

static int64_t value_of(const rg_property_space *space, uint32_t i, uint32_t j)
{
    uint64_t arc = rg_space_arc(&space->graph, i, j);
    return arc == space->graph.row[i + 1] ? RG_NO_VALUE : bond_at(bonds_of(space), arc);
}

static rg_property_bounds bounds(const rg_property_space *space)
{
    const rg_graph *graph = &space->graph;
    bonds labels = bonds_of(space);
    rg_property_bounds bounds = {INT64_MAX, INT64_MIN};
    for (uint64_t arc = graph->row[0]; arc < graph->row[graph->n_nodes]; arc++) {
        int64_t value = bond_at(labels, arc);
        if (value == RG_NO_VALUE)
            continue;
        bounds.low = value < bounds.low ? value : bounds.low;
        bounds.high = value > bounds.high ? value : bounds.high;
    }
    return bounds;
}

static int64_t of_node(const rg_graph *graph, uint32_t i)
{
    (void)graph;
    (void)i;
    return RG_NO_VALUE;
}

static rg_property_bounds range(uint32_t parameter, const rg_property_scope *scope)
{
    size_t n;
    const int64_t *values = rg_dataset_values(scope->data, RG_EDGE_LABEL, parameter, &n);
    size_t first = n && *values == RG_NO_VALUE; /* the least number there is stands for none */
    return n > first ? (rg_property_bounds){values[first], values[n - 1]}
                     : (rg_property_bounds){1, 0};
}

static size_t n_values(uint32_t parameter, const rg_dataset *data)
{
    size_t n;
    rg_dataset_values(data, RG_EDGE_LABEL, parameter, &n);
    return n;
}

static void say(rg_text *out, const rg_property_words *words, uint32_t parameter, int64_t low,
                int64_t high)
{
    (void)high;
    const char *name = words->name;
    if (low == RG_NO_VALUE)
        rg_text_add(out, "%s", words->loop ? "" : ", without an edge");
    else if (words->bond)
        rg_text_add(out, ", by %s %s bond", strchr("aeiou", *name) ? "an" : "a", name);
    else if (name)
        rg_text_add(out, ", by an edge named %s", name);
    else
        rg_text_add(out, ", by an edge labelled %" PRId64, low);
    if (parameter)
        rg_text_add(out, " in column %u", (unsigned)parameter);
}

const rg_property_table rg_property_bond = {
    .info = {.name = "bond",
             .n_nodes = 2,
             .parameter = "column",
             .high = UINT32_MAX,
             .elsewhere = RG_NO_VALUE},
    .optional = true,
    .of_edges = true,
    .labels = true,
    .pairs = 4,
    .check = check,
    .list = list,
    .value = value_of,
    .bounds = bounds,
    .of_node = of_node,
    .range = range,
    .n_values = n_values,
    .say = say,
};
