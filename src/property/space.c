/* space.c - one property on one graph after another: rows in order, values, bounds. */
#include "space.h"

#include "base/alloc.h"
#include "base/error.h"

#include <assert.h>

rg_status rg_property_space_new(rg_property_space **out, const rg_property *property,
                                const rg_dataset *data, rg_error *err)
{
    rg_status status = rg_property_check(property, data, err);
    if (status)
        return status;
    rg_property_space *space = rg_alloc_zero(1, sizeof *space);
    if (!space)
        return rg_fail_memory(err, "a property");
    space->property = *property;
    space->data = data;
    *out = space;
    return RG_OK;
}

void rg_property_space_free(rg_property_space *space)
{
    if (!space)
        return;
    rg_free(space->block);
    rg_free(space);
}

/* A bitmap of n bits, in words. */
static size_t n_words(size_t n)
{
    return n / 64 + 1;
}

/* Room for n nodes: all arrays new and empty. False if memory is short: nothing changed. */
static bool make_room(rg_property_space *space, size_t n)
{
    bool cycles = space->property.kind == RG_PROPERTY_SAME_CYCLE;
    rg_cycle_space *c = &space->cycle;
    uint32_t **arrays[] = {&space->value, &space->queue, &space->out_j, &c->number, &c->block,
                           &c->within,    &c->depth,     &c->first,     &c->last,   &c->piece,
                           &c->extra,     &c->next,      &c->previous,  &c->walk};
    size_t n_arrays = cycles ? sizeof arrays / sizeof *arrays : 3;
    size_t start[sizeof arrays / sizeof *arrays];
    rg_carve carve = {0};
    for (size_t k = 0; k < n_arrays; k++)
        start[k] = rg_carve_add(&carve, n, sizeof(uint32_t));
    size_t values = rg_carve_add(&carve, n, sizeof *space->out_value);
    size_t bits = rg_carve_add(&carve, n_words(n), sizeof *space->bits);
    size_t words = rg_carve_add(&carve, n_words(n_words(n)), sizeof *space->words);
    size_t settled = rg_carve_add(&carve, cycles ? n : 0, 1);
    char *block = rg_carve_alloc(&carve);
    if (!block)
        return false;
    rg_free(space->block);
    space->block = block;
    space->capacity = n;
    for (size_t k = 0; k < n_arrays; k++)
        *arrays[k] = (void *)(block + start[k]);
    space->out_value = (void *)(block + values);
    space->bits = (void *)(block + bits);
    space->words = (void *)(block + words);
    c->settled = (void *)(block + settled);
    for (size_t k = 0; k < n; k++)
        space->value[k] = RG_EMPTY;
    for (size_t k = 0; cycles && k < n; k++)
        c->depth[k] = c->piece[k] = RG_EMPTY;
    for (size_t k = 0; k < n_words(n); k++)
        space->bits[k] = 0;
    for (size_t k = 0; k < n_words(n_words(n)); k++)
        space->words[k] = 0;
    return true;
}

static void drop_row(rg_property_space *space)
{
    for (size_t k = 0; space->held && k < space->n_found; k++)
        space->value[space->queue[k]] = RG_EMPTY;
    space->held = false;
}

rg_status rg_property_space_graph(rg_property_space *space, size_t index, rg_error *err)
{
    rg_graph graph = rg_dataset_graph(space->data, index);
    size_t room = graph.n_nodes;
    if (room > space->capacity || !space->block) {
        /* Half as much again, so that a set sorted by size does not ask once a graph. */
        if (space->block && room < space->capacity + space->capacity / 2)
            room = space->capacity + space->capacity / 2;
        if (!make_room(space, room))
            return rg_fail_memory(err, "a property of a graph");
        space->held = false;
    }
    drop_row(space);
    space->graph = graph;
    if (space->property.kind == RG_PROPERTY_SAME_CYCLE)
        rg_cycle_blocks(space);
    return RG_OK;
}

/* Holds the row of i; dist: searched at least up to `reach`. */
static void hold(rg_property_space *space, uint32_t i, uint32_t reach)
{
    if (space->held && space->row == i && reach <= space->reach)
        return;
    drop_row(space);
    if (space->property.kind == RG_PROPERTY_DIST)
        rg_hop_search(space, i, reach);
    else if (space->property.kind == RG_PROPERTY_COMMON)
        rg_hop_common(space, i);
    else
        rg_cycle_search(space, i);
    space->held = true;
    space->row = i;
    space->reach = reach;
}

/* What of the held row is within low .. high, in order of j. Bits put it there: each node sets one,
 * each word that is not 0 sets one in a second, 64 times smaller map, and that is read through. */
static size_t sort_held(rg_property_space *space, int64_t low, int64_t high)
{
    uint64_t *bits = space->bits, *words = space->words;
    size_t n = 0, n_upper = n_words(n_words(space->graph.n_nodes));
    for (size_t k = 0; k < space->n_found; k++) {
        uint32_t j = space->queue[k];
        if (space->value[j] < low || space->value[j] > high)
            continue;
        bits[j / 64] |= UINT64_C(1) << (j % 64);
        words[j / 4096] |= UINT64_C(1) << (j / 64 % 64);
    }
    for (size_t upper = 0; upper < n_upper; upper++)
        for (; words[upper]; words[upper] &= words[upper] - 1) {
            size_t word = upper * 64 + (size_t)__builtin_ctzll(words[upper]);
            for (; bits[word]; bits[word] &= bits[word] - 1) {
                size_t j = word * 64 + (size_t)__builtin_ctzll(bits[word]);
                space->out_j[n] = (uint32_t)j;
                space->out_value[n++] = space->value[j];
            }
        }
    return n;
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

static uint64_t degree(const rg_property_space *space, uint32_t i)
{
    return space->graph.row[i + 1] - space->graph.row[i];
}

/* Rows of edge and bond are the arcs, which are in order. */
static size_t list_arcs(rg_property_space *space, uint32_t i, int64_t low, int64_t high)
{
    bool bond = space->property.kind == RG_PROPERTY_BOND;
    bonds labels = bond ? bonds_of(space) : (bonds){0};
    size_t n = 0;
    for (uint64_t arc = space->graph.row[i]; arc < space->graph.row[i + 1]; arc++) {
        int64_t value = bond ? bond_at(labels, arc) : 1;
        if (value < low || value > high)
            continue;
        space->out_j[n] = space->graph.col[arc];
        space->out_value[n++] = value;
    }
    return n;
}

static size_t list_held(rg_property_space *space, uint32_t i, int64_t low, int64_t high)
{
    uint32_t reach = space->property.parameter;
    if (high < low || high < 0)
        return 0;
    if (space->property.kind == RG_PROPERTY_DIST && high < reach)
        reach = (uint32_t)high;
    hold(space, i, reach);
    return sort_held(space, low, high);
}

rg_property_row rg_property_list(rg_property_space *space, uint32_t i, int64_t low, int64_t high)
{
    assert(space->block && i < space->graph.n_nodes);
    rg_property_row row = {space->out_j, space->out_value, 0};
    switch (space->property.kind) {
    case RG_PROPERTY_EDGE:
    case RG_PROPERTY_BOND:
        row.n = list_arcs(space, i, low, high);
        break;
    case RG_PROPERTY_DEGREE:
        space->out_j[0] = i;
        space->out_value[0] = (int64_t)degree(space, i);
        row.n = space->out_value[0] >= low && space->out_value[0] <= high;
        break;
    default:
        row.n = list_held(space, i, low, high);
    }
    return row;
}

/* The arc (i,j), or the end of the row of i. */
static uint64_t find_arc(const rg_graph *graph, uint32_t i, uint32_t j)
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

int64_t rg_property_value(rg_property_space *space, uint32_t i, uint32_t j)
{
    assert(space->block && i < space->graph.n_nodes && j < space->graph.n_nodes);
    rg_property_kind kind = space->property.kind;
    int64_t elsewhere = rg_property_describe(kind)->elsewhere;
    if (kind == RG_PROPERTY_DEGREE)
        return (int64_t)degree(space, i);
    if (kind == RG_PROPERTY_EDGE || kind == RG_PROPERTY_BOND) {
        uint64_t arc = find_arc(&space->graph, i, j);
        if (arc == space->graph.row[i + 1])
            return elsewhere;
        return kind == RG_PROPERTY_EDGE ? 1 : bond_at(bonds_of(space), arc);
    }
    hold(space, i, space->property.parameter);
    return space->value[j] == RG_EMPTY ? elsewhere : space->value[j];
}

static rg_property_bounds bond_bounds(const rg_property_space *space)
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

static rg_property_bounds degree_bounds(const rg_property_space *space)
{
    rg_property_bounds bounds = {INT64_MAX, 0};
    for (uint32_t i = 0; i < space->graph.n_nodes; i++) {
        int64_t d = (int64_t)degree(space, i);
        bounds.low = d < bounds.low ? d : bounds.low;
        bounds.high = d > bounds.high ? d : bounds.high;
    }
    return bounds;
}

rg_property_bounds rg_property_range(const rg_property_space *space)
{
    const rg_graph *graph = &space->graph;
    uint32_t cut = space->property.parameter;
    if (graph->n_nodes == 0)
        return (rg_property_bounds){0, -1};
    switch (space->property.kind) {
    case RG_PROPERTY_DIST:
        return (rg_property_bounds){0, cut < graph->n_nodes ? cut : graph->n_nodes - 1};
    case RG_PROPERTY_EDGE:
        return (rg_property_bounds){0, graph->n_arcs > 0};
    case RG_PROPERTY_BOND:
        return bond_bounds(space);
    case RG_PROPERTY_SAME_CYCLE:
        return (rg_property_bounds){0, space->any_cycle};
    case RG_PROPERTY_COMMON:
        return (rg_property_bounds){0, degree_bounds(space).high};
    default:
        return degree_bounds(space);
    }
}
