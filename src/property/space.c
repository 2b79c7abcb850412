/* space.c - one property on one graph after another: rows in order, values, bounds. */
#include "kind.h"

#include "base/alloc.h"
#include "base/error.h"

#include <assert.h>

rg_status rg_property_space_new(rg_property_space **out, const rg_property *property,
                                const rg_dataset *data, rg_error *err)
{
    rg_status status = rg_property_check(property, data, err);
    if (status)
        return status;
    const rg_property_table *table = rg_property_table_of(property->kind);
    rg_property_space *space = rg_alloc_zero(1, sizeof *space + table->own_size);
    if (!space)
        return rg_fail_memory(err, "a property");
    space->table = table;
    space->own = space + 1;
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
    size_t start[RG_PROPERTY_ARRAYS];
    rg_carve carve = {0};
    size_t value = rg_carve_add(&carve, n, sizeof *space->value);
    size_t queue = rg_carve_add(&carve, n, sizeof *space->queue);
    size_t out_j = rg_carve_add(&carve, n, sizeof *space->out_j);
    for (size_t k = 0; k < space->table->n_arrays; k++)
        start[k] = rg_carve_add(&carve, n, sizeof **space->arrays);
    size_t values = rg_carve_add(&carve, n, sizeof *space->out_value);
    size_t bits = rg_carve_add(&carve, n_words(n), sizeof *space->bits);
    size_t words = rg_carve_add(&carve, n_words(n_words(n)), sizeof *space->words);
    char *block = rg_carve_alloc(&carve);
    if (!block)
        return false;
    rg_free(space->block);
    space->block = block;
    space->capacity = n;
    space->value = (void *)(block + value);
    space->queue = (void *)(block + queue);
    space->out_j = (void *)(block + out_j);
    space->out_value = (void *)(block + values);
    space->bits = (void *)(block + bits);
    space->words = (void *)(block + words);
    for (size_t k = 0; k < n; k++)
        space->value[k] = RG_EMPTY;
    for (size_t a = 0; a < space->table->n_arrays; a++) {
        space->arrays[a] = (void *)(block + start[a]);
        for (size_t k = 0; k < n; k++)
            space->arrays[a][k] = RG_EMPTY;
    }
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
        /* Half as much again, so that a set sorted by size does not ask once per graph. */
        if (space->block && room < space->capacity + space->capacity / 2)
            room = space->capacity + space->capacity / 2;
        if (!make_room(space, room))
            return rg_fail_memory(err, "a property of a graph");
        space->held = false;
    }
    drop_row(space);
    space->graph = graph;
    if (space->table->enter)
        space->table->enter(space);
    return RG_OK;
}

/* Holds the row of i; a metric: searched at least up to `reach`. */
static void hold(rg_property_space *space, uint32_t i, uint32_t reach)
{
    if (space->held && space->row == i && reach <= space->reach)
        return;
    drop_row(space);
    space->table->find(space, i, reach);
    space->held = true;
    space->row = i;
    space->reach = reach;
}

/* The value of a pair of the row that is held. */
static int64_t held_value(const rg_property_space *space, uint32_t j)
{
    return space->table->held ? space->table->held(space, j) : space->value[j];
}

/* What of the held row is within low .. high, in order of j. Bits put it there: each node sets one,
 * each word that is not 0 sets one in a second, 64 times smaller map, and that is read through. */
static size_t sort_held(rg_property_space *space, int64_t low, int64_t high)
{
    uint64_t *bits = space->bits, *words = space->words;
    size_t n = 0, n_upper = n_words(n_words(space->graph.n_nodes));
    for (size_t k = 0; k < space->n_found; k++) {
        uint32_t j = space->queue[k];
        int64_t value = held_value(space, j);
        if (value < low || value > high || value == RG_NO_VALUE)
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
                space->out_value[n++] = held_value(space, (uint32_t)j);
            }
        }
    return n;
}

static size_t list_held(rg_property_space *space, uint32_t i, int64_t low, int64_t high)
{
    uint32_t reach = space->property.parameter;
    if (high < low || high < 0)
        return 0;
    if (space->table->metric && high < reach)
        reach = (uint32_t)high;
    hold(space, i, reach);
    return sort_held(space, low, high);
}

rg_property_row rg_property_list(rg_property_space *space, uint32_t i, int64_t low, int64_t high)
{
    assert(space->block && i < space->graph.n_nodes);
    size_t n = space->table->list ? space->table->list(space, i, low, high)
                                  : list_held(space, i, low, high);
    return (rg_property_row){space->out_j, space->out_value, n};
}

int64_t rg_property_value(rg_property_space *space, uint32_t i, uint32_t j)
{
    assert(space->block && i < space->graph.n_nodes && j < space->graph.n_nodes);
    if (space->table->value)
        return space->table->value(space, i, j);
    hold(space, i, space->property.parameter);
    return space->value[j] == RG_EMPTY ? space->table->info.elsewhere : held_value(space, j);
}

rg_property_bounds rg_property_range(const rg_property_space *space)
{
    if (space->graph.n_nodes == 0)
        return (rg_property_bounds){0, -1};
    return space->table->bounds(space);
}
