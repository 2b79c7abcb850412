/* cliques.c - complete subgraphs that hold each node. */
#include "cliques.h"

#include "base/error.h"

#include <string.h>

enum { SLOT_OUT = 20, SLOT_COST };
static const uint64_t limit_max = (uint64_t)1 << 40;

/* The longest size within the budget; 2: none. */
static bool plan_sizes(uint32_t *reached, const rg_block *blocks, size_t n_blocks, uint32_t max,
                       uint64_t limit, rg_count_space *space)
{
    uint64_t *cost = rg_count_space_zero(space, SLOT_COST, (size_t)max + 1, sizeof *cost);
    rg_classes classes;
    if (!cost)
        return false;
    for (size_t k = 0; k < n_blocks; k++) {
        if (!rg_classes_find(&classes, &blocks[k], space))
            return false;
        rg_cliques_cost(cost, &classes, max, limit);
    }
    *reached = 2;
    while (*reached < max && cost[*reached + 1] <= limit)
        ++*reached;
    return true;
}

static bool count_all(const rg_clique_task *task, const rg_block *blocks, size_t n_blocks)
{
    rg_classes classes;
    for (size_t k = 0; k < n_blocks && task->max > 2; k++)
        if (!rg_classes_find(&classes, &blocks[k], task->space) ||
            !rg_cliques_count(task, &classes))
            return false;
    return true;
}

static bool count_maximal(const rg_clique_task *task, const rg_block *blocks, size_t n_blocks,
                          uint64_t *cost, uint64_t limit)
{
    rg_classes classes;
    for (size_t k = 0; k < n_blocks && *cost <= limit; k++)
        if (!rg_classes_find(&classes, &blocks[k], task->space) ||
            !rg_cliques_maximal(task, &classes, cost, limit))
            return false;
    return true;
}

/* A size with a count that does not fit is capped like one beyond the budget. */
static void sizes_cap(bool *capped, const rg_clique_task *task, uint32_t n_nodes)
{
    *capped = false;
    for (uint32_t d = 0; d < task->n_dims; d++) {
        bool cap = d + 3 > task->max;
        for (size_t i = 0; i < n_nodes && !cap; i++)
            cap = task->out[i * task->n_dims + d] >= RG_MANY;
        for (size_t i = 0; i < n_nodes && cap; i++)
            task->out[i * task->n_dims + d] = (uint64_t)1 << 63;
        *capped |= cap;
    }
}

/* Counts by size into task->out; false without memory. */
static bool count(rg_clique_task *task, const rg_graph *graph, bool maximal, uint64_t limit)
{
    const rg_block *blocks;
    size_t n_blocks;
    uint64_t cost = 0;
    uint32_t max = task->max;
    task->out = rg_count_space_zero(task->space, SLOT_OUT, graph->n_nodes,
                                    task->n_dims * sizeof *task->out);
    if (!task->out || !rg_blocks_find(&blocks, &n_blocks, graph, task->space))
        return false;
    if (!maximal)
        return plan_sizes(&task->max, blocks, n_blocks, max, limit, task->space) &&
               count_all(task, blocks, n_blocks);
    bool fine = count_maximal(task, blocks, n_blocks, &cost, limit);
    task->max = cost > limit ? 2 : max;
    return fine;
}

rg_status rg_count_cliques(int64_t *out, const rg_graph *graph, uint32_t max, bool maximal,
                           uint64_t budget, bool *capped, rg_count_space *space, rg_error *err)
{
    rg_clique_task task = {.max = max, .n_dims = max - 2, .space = space};
    if (!count(&task, graph, maximal, budget < limit_max ? budget : limit_max))
        return rg_count_fail(space, "counting cliques", err);
    sizes_cap(capped, &task, graph->n_nodes);
    for (size_t k = 0; k < (size_t)graph->n_nodes * task.n_dims; k++)
        out[k] = task.out[k] >> 63 ? RG_CAPPED : (int64_t)task.out[k];
    return RG_OK;
}
