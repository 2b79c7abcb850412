/* cycles_walks.c - what a search for cycles costs at most: walks, counted rather than made.
 *
 * A search makes paths. Paths are walks that do not turn back, and those are counted by degrees and
 * neighbours alone, a length at a time. The numbers do not depend on how nodes are numbered, and
 * neither does a sum that stops at a bound. */
#include "cycles.h"

enum { SLOT_WALKS = RG_CLASS_SLOTS, SLOT_MARK };

static uint64_t add(uint64_t a, uint64_t b, uint64_t limit)
{
    return a + b > limit ? limit + 1 : a + b;
}

/* Walks so far go into cost[length] of this and all longer searches. */
static void cost_add(uint64_t *cost, uint32_t length, uint32_t max, uint64_t walks, uint64_t limit)
{
    for (uint32_t l = length; l <= max; l++)
        cost[l] = add(cost[l], walks, limit);
}

/* w[k](v): walks of k steps from v that never take an edge back at once.
 *     w[1](v) = d(v)    w[2](v) = sum over neighbours u of w[1](u) - d(v)
 *     w[k](v) = sum over neighbours u of w[k-1](u) - (d(v) - 1) * w[k-2](v)    for k > 2 */
static bool simple_cost(uint64_t *cost, const rg_block *b, uint32_t max, uint64_t limit,
                        rg_count_space *space)
{
    uint64_t *walks = rg_count_space_get(space, SLOT_WALKS, b->n, 3 * sizeof *walks);
    if (!walks)
        return false;
    uint64_t *older = walks, *last = walks + b->n, *next = last + b->n;
    for (uint32_t v = 0; v < b->n; v++) {
        older[v] = 0;
        last[v] = b->row[v + 1] - b->row[v];
    }
    cost_add(cost, 3, max, b->n_arcs, limit);
    for (uint32_t length = 3; length <= max && cost[length] <= limit; length++) {
        uint64_t total = 0;
        for (uint32_t v = 0; v < b->n; v++) {
            uint64_t d = b->row[v + 1] - b->row[v], sum = 0;
            for (size_t k = b->row[v]; k < b->row[v + 1]; k++)
                sum += last[b->col[k]];
            next[v] = sum - (length == 3 ? d : (d - 1) * older[v]);
            total = add(total, next[v], limit);
        }
        cost_add(cost, length, max, total, limit);
        uint64_t *spare = older;
        older = last;
        last = next;
        next = spare;
    }
    return true;
}

/* w[k](u,v): walks of k steps that start with u, v and whose nodes two steps apart are different
 * and no neighbours.
 *     w[1](u,v) = 1    w[k](u,v) = sum over w in N(v), not u and not in N(u), of w[k-1](v,w) */
static bool induced_cost(uint64_t *cost, const rg_block *b, uint32_t max, uint64_t limit,
                         rg_count_space *space)
{
    uint64_t *walks = rg_count_space_get(space, SLOT_WALKS, b->n_arcs, 2 * sizeof *walks);
    uint32_t *mark = rg_count_space_zero(space, SLOT_MARK, b->n, sizeof *mark);
    if (!walks || !mark)
        return false;
    uint64_t *last = walks, *next = walks + b->n_arcs;
    for (size_t k = 0; k < b->n_arcs; k++)
        last[k] = 1;
    cost_add(cost, 3, max, b->n_arcs, limit);
    for (uint32_t length = 3; length <= max && cost[length] <= limit; length++) {
        uint64_t total = 0;
        for (uint32_t u = 0; u < b->n; u++) {
            uint32_t stamp = u + 1; /* left over from the last length it marks the same nodes */
            mark[u] = stamp;
            for (size_t k = b->row[u]; k < b->row[u + 1]; k++)
                mark[b->col[k]] = stamp;
            for (size_t k = b->row[u]; k < b->row[u + 1]; k++) {
                uint32_t v = b->col[k];
                uint64_t sum = 0;
                for (size_t l = b->row[v]; l < b->row[v + 1]; l++)
                    sum += mark[b->col[l]] == stamp ? 0 : last[l];
                next[k] = sum;
                total = add(total, sum, limit);
            }
        }
        if (total == 0)
            break;
        cost_add(cost, length, max, total, limit);
        uint64_t *spare = last;
        last = next;
        next = spare;
    }
    return true;
}

bool rg_cycles_search_cost(uint64_t *cost, const rg_block *block, bool induced, uint32_t max,
                           uint64_t limit, rg_count_space *space)
{
    return induced ? induced_cost(cost, block, max, limit, space)
                   : simple_cost(cost, block, max, limit, space);
}
