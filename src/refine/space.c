/* space.c - see space.h. */
#include "space.h"

#include "base/alloc.h"
#include "base/error.h"

rg_power_space *rg_power_space_new(void)
{
    return rg_alloc_zero(1, sizeof(rg_power_space));
}

void rg_power_space_free(rg_power_space *space)
{
    if (!space)
        return;
    rg_free(space->block);
    rg_free(space->words);
    rg_free(space->siblings);
    rg_free(space->colour);
    rg_free(space->next);
    rg_free(space->key);
    rg_free(space);
}

void rg_power_drop(rg_power *power)
{
    for (size_t level = 0; level < RG_POWER_LEVELS; level++)
        rg_table_free(power->levels[level]);
    rg_free(power->top);
    *power = (rg_power){0};
}

/* All arrays of a number per node in one block. False if memory is short: nothing changed. */
static bool make_room(rg_power_space *space, size_t n)
{
    enum { N_ARRAYS = RG_CELLS_ARRAYS + 2 * (RG_MARKS_MAX + 1) + RG_MARKS_MAX + 1 };
    size_t start[N_ARRAYS];
    uint32_t *arrays[N_ARRAYS];
    rg_carve carve = {0};
    if (space->block && n <= space->n_nodes)
        return true;
    n += n / 2;
    for (size_t k = 0; k < N_ARRAYS; k++)
        start[k] = rg_carve_add(&carve, n + 1, sizeof **arrays);
    char *block = rg_carve_alloc(&carve);
    if (!block)
        return false;
    rg_free(space->block);
    space->block = block;
    space->n_nodes = n;
    for (size_t k = 0; k < N_ARRAYS; k++)
        arrays[k] = (void *)(block + start[k]);
    uint32_t **next = arrays + RG_CELLS_ARRAYS;
    for (size_t k = 0; k <= RG_MARKS_MAX; k++) {
        space->saved[k].order = *next++;
        space->saved[k].size = *next++;
    }
    for (size_t k = 0; k < RG_MARKS_MAX; k++)
        space->keys[k] = *next++;
    space->done = *next++;
    rg_node_cells_open(&space->cells, arrays);
    return true;
}

/* A trace of all nodes has room enough for one of some. */
static bool make_words(rg_power_space *space, const rg_power_task *task)
{
    size_t n = rg_trace_room(task->graph.n_nodes, task->graph.n_arcs, task->kinds != NULL);
    if (space->words && n <= space->n_words)
        return true;
    uint32_t *words = rg_alloc(n + n / 2, sizeof *words);
    if (!words)
        return false;
    rg_free(space->words);
    space->words = words;
    space->n_words = n + n / 2;
    return true;
}

rg_status rg_power_begin(rg_power *out, const rg_power_task *task, size_t n_levels,
                         size_t node_words, rg_power_space *space, rg_error *err)
{
    bool fine = make_room(space, task->graph.n_nodes) && make_words(space, task);
    for (size_t level = 0; fine && level < n_levels; level++)
        fine = (out->levels[level] = rg_table_new()) != NULL;
    if (fine)
        fine = (out->top = rg_alloc(task->graph.n_nodes * node_words, sizeof *out->top)) != NULL;
    if (!fine)
        return rg_fail_memory(err, "refinement");
    rg_node_cells_enter(&space->cells, &task->graph, task->labels);
    space->cells.kinds = task->kinds;
    space->cells.values = task->values;
    space->cells.n_kinds = task->n_kinds;
    space->n_siblings = 0;
    return RG_OK;
}
