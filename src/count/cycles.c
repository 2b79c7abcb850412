/* cycles.c - cycles through every node: which way, how far, and what is beyond the budget.
 *
 * A length is counted if its formula or a search up to it costs at most the budget, and capped
 * otherwise. Both costs grow with the length and are sums over the blocks of the graph, so that
 * neither the order of nodes nor that of blocks, nor the other lengths asked for, matters. */
#include "cycles.h"
#include "base/error.h"

#include <string.h>

enum { SLOT_OUT = 18, SLOT_CLASS_OUT, SLOT_NODE, SLOT_COST };

/* Counts and costs stay far below 2^63: a formula of at most 2^40 steps adds up to less than 2^61,
 * because four-step walks from a node are at most d * sum of d^2 <= 2^20 * 2^40. */
static const uint64_t limit_max = (uint64_t)1 << 40;

typedef struct cycle_plan {
    const rg_block *blocks;
    size_t n_blocks;
    uint32_t formula, search; /* the longest length within the budget; 2: none */
} cycle_plan;

static bool formula_fits(bool *out, const cycle_plan *p, const rg_cycle_task *task, uint32_t most,
                         uint64_t limit)
{
    uint64_t cost = 0;
    for (size_t k = 0; k < p->n_blocks && cost <= limit; k++)
        if (!rg_cycles_formula_cost(&cost, &p->blocks[k], task->induced, most, false, limit,
                                    task->space))
            return false;
    if (cost > limit) {
        cost = 0;
        for (size_t k = 0; k < p->n_blocks && cost <= limit; k++)
            if (!rg_cycles_formula_cost(&cost, &p->blocks[k], task->induced, most, true, limit,
                                        task->space))
                return false;
    }
    *out = cost <= limit;
    return true;
}

static bool formula_plan(cycle_plan *p, const rg_cycle_task *task, uint32_t max, uint64_t limit)
{
    uint32_t most = rg_cycles_formula_most(task->induced);
    bool fits = false;
    for (p->formula = max < most ? max : most; p->formula > 2; p->formula--) {
        if (!formula_fits(&fits, p, task, p->formula, limit))
            return false;
        if (fits)
            break;
    }
    return true;
}

/* Two closed twins are in no induced cycle but triangles: a third node next to one is next to both.
 * So longer ones can be looked for among classes of twins, and each found stands for all ways to
 * take a node of each class. Worth it where there are many edges; *found: the block of classes. */
static bool classes_block(rg_block *found, rg_classes *classes, const rg_block *block,
                          const rg_cycle_task *task)
{
    *found = *block;
    if (!task->induced || block->n_arcs / block->n < 4)
        return true;
    if (!rg_classes_find(classes, block, task->space))
        return false;
    if (classes->n == block->n)
        return true;
    uint32_t *node = rg_count_space_get(task->space, SLOT_NODE, classes->n, sizeof *node);
    if (!node)
        return false;
    for (uint32_t c = 0; c < classes->n; c++)
        node[c] = c;
    *found = (rg_block){classes->n, classes->row[classes->n], node, classes->row, classes->col};
    return true;
}

static bool search_classes(const rg_cycle_task *task, const rg_block *block,
                           const rg_classes *classes, const rg_block *reduced, uint32_t most)
{
    rg_cycle_task inner = *task;
    if (task->min <= 3 && !rg_cycles_formula(task, block, 3))
        return false;
    if (reduced->n < 4 || most < 4)
        return true;
    inner.min = task->min < 4 ? 4 : task->min;
    inner.n_dims = task->n_dims - (inner.min - task->min);
    inner.weight = classes->weight;
    inner.out = rg_count_space_zero(task->space, SLOT_CLASS_OUT, classes->n,
                                    inner.n_dims * sizeof *inner.out);
    if (!inner.out || !rg_cycles_search(&inner, reduced, most))
        return false;
    for (uint32_t i = 0; i < block->n; i++)
        for (uint32_t length = inner.min; length <= most; length++) {
            uint64_t *slot = rg_cycle_slot(task, block, i, length);
            *slot = rg_many_plus(*slot, *rg_cycle_slot(&inner, reduced, classes->of[i], length));
        }
    return true;
}

static bool search_block(const rg_cycle_task *task, const rg_block *block, uint32_t most)
{
    rg_classes classes;
    rg_block reduced;
    if (!classes_block(&reduced, &classes, block, task))
        return false;
    return reduced.n == block->n ? rg_cycles_search(task, block, most)
                                 : search_classes(task, block, &classes, &reduced, most);
}

static bool search_block_cost(uint64_t *cost, const rg_cycle_task *task, const rg_block *block,
                              uint32_t max, uint64_t limit)
{
    rg_classes classes;
    rg_block reduced;
    uint64_t triangles = 0;
    if (!classes_block(&reduced, &classes, block, task) ||
        !rg_cycles_search_cost(cost, &reduced, task->induced, max, limit, task->space))
        return false;
    if (reduced.n == block->n)
        return true;
    if (!rg_cycles_formula_cost(&triangles, block, true, 3, true, limit, task->space))
        return false;
    for (uint32_t length = 3; length <= max; length++)
        cost[length] = cost[length] + triangles > limit ? limit + 1 : cost[length] + triangles;
    return true;
}

static bool search_plan(cycle_plan *p, const rg_cycle_task *task, uint32_t max, uint64_t limit)
{
    uint64_t *cost = rg_count_space_zero(task->space, SLOT_COST, (size_t)max + 1, sizeof *cost);
    if (!cost)
        return false;
    for (size_t k = 0; k < p->n_blocks; k++)
        if (!search_block_cost(cost, task, &p->blocks[k], max, limit))
            return false;
    p->search = 2;
    while (p->search < max && cost[p->search + 1] <= limit)
        p->search++;
    return true;
}

/* The search finds all lengths on its way to the longest, so formulas are for where it ends before
 * they do, and for short lengths alone. */
static bool make_plan(cycle_plan *p, const rg_cycle_task *task, uint32_t max, uint64_t limit)
{
    p->formula = p->search = 2;
    if (max <= rg_cycles_formula_most(task->induced)) {
        if (!formula_plan(p, task, max, limit))
            return false;
        return p->formula == max || search_plan(p, task, max, limit);
    }
    if (!search_plan(p, task, max, limit))
        return false;
    return p->search > rg_cycles_formula_most(task->induced) || formula_plan(p, task, max, limit);
}

static bool count_blocks(const cycle_plan *p, const rg_cycle_task *task)
{
    bool by_search = p->search > p->formula;
    uint32_t most = by_search ? p->search : p->formula;
    if (most < task->min)
        return true;
    for (size_t k = 0; k < p->n_blocks; k++)
        if (!(by_search ? search_block(task, &p->blocks[k], most)
                        : rg_cycles_formula(task, &p->blocks[k], most)))
            return false;
    return true;
}

rg_status rg_count_cycles(int64_t *out, const rg_graph *graph, uint32_t min, uint32_t max,
                          bool induced, uint64_t budget, bool *capped, rg_count_space *space,
                          rg_error *err)
{
    uint32_t n_dims = max - min + 1;
    uint64_t limit = budget < limit_max ? budget : limit_max;
    rg_cycle_task task = {.min = min, .n_dims = n_dims, .induced = induced, .space = space};
    cycle_plan p;
    task.out = rg_count_space_zero(space, SLOT_OUT, graph->n_nodes, n_dims * sizeof *out);
    if (!task.out || !rg_blocks_find(&p.blocks, &p.n_blocks, graph, space) ||
        !make_plan(&p, &task, max, limit) || !count_blocks(&p, &task))
        return rg_count_fail(space, "counting cycles", err);
    uint32_t reached = p.search > p.formula ? p.search : p.formula;
    *capped = false;
    for (uint32_t d = 0; d < n_dims; d++) {
        bool cap = min + d > reached;
        for (size_t i = 0; i < graph->n_nodes && !cap; i++)
            cap = task.out[i * n_dims + d] >= RG_MANY;
        for (size_t i = 0; i < graph->n_nodes; i++)
            out[i * n_dims + d] = cap ? RG_CAPPED : (int64_t)task.out[i * n_dims + d];
        *capped |= cap;
    }
    return RG_OK;
}
