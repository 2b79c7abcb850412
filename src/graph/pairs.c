/* pairs.c - see pairs.h. */
#include "pairs.h"

#include "base/alloc.h"

#include <string.h>

/* The pairs of one graph: [first, end), and its nodes. */
typedef struct segment {
    size_t first, end;
    uint64_t node;
    size_t n_nodes;
} segment;

/* The segment that begins with pair `first`; false if its graph comes before graph *g. */
static bool next_segment(segment *out, const rg_raw *raw, const uint64_t *start, size_t first,
                         size_t *g)
{
    size_t k = first;
    if (raw->pairs[k][0] < start[*g])
        return false;
    while (raw->pairs[k][0] >= start[*g + 1])
        ++*g;
    uint64_t node = start[*g], end = start[*g + 1];
    while (k < raw->n_pairs && raw->pairs[k][0] >= node && raw->pairs[k][0] < end)
        k++;
    *out = (segment){first, k, node, (size_t)(end - node)};
    return true;
}

/* What the scratch must hold, or false if the pairs are not in order of their graphs. */
static bool measure(const rg_raw *raw, const uint64_t *start, size_t *max_pairs, size_t *max_nodes)
{
    segment s = {0};
    size_t g = 0;
    *max_pairs = *max_nodes = 0;
    for (size_t k = 0; k < raw->n_pairs; k = s.end) {
        if (!next_segment(&s, raw, start, k, &g))
            return false;
        if (s.end - s.first > *max_pairs)
            *max_pairs = s.end - s.first;
        if (s.n_nodes > *max_nodes)
            *max_nodes = s.n_nodes;
    }
    return true;
}

/* One stable counting sort of n pairs by their number c. Items of `order` go along if there are
 * any. count: n_nodes + 1 numbers. */
static void sort_once(uint32_t (*to)[2], uint32_t *order_to, uint32_t (*from)[2],
                      const uint32_t *order_from, const segment *s, int c, uint32_t *count)
{
    size_t n = s->end - s->first;
    memset(count, 0, (s->n_nodes + 1) * sizeof *count);
    for (size_t k = 0; k < n; k++)
        count[from[k][c] - s->node + 1]++;
    for (size_t i = 0; i < s->n_nodes; i++)
        count[i + 1] += count[i];
    for (size_t k = 0; k < n; k++) {
        uint32_t at = count[from[k][c] - s->node]++;
        to[at][0] = from[k][0];
        to[at][1] = from[k][1];
        if (order_to)
            order_to[at] = order_from ? order_from[k] : (uint32_t)(s->first + k);
    }
}

bool rg_pairs_sort(rg_raw *raw, const uint64_t *start, uint32_t *order, bool *done)
{
    size_t max_pairs, max_nodes, g = 0;
    *done = false;
    if (!measure(raw, start, &max_pairs, &max_nodes) || max_pairs > raw->n_pairs / 3)
        return true;
    uint32_t(*pairs)[2] = rg_alloc(max_pairs, sizeof *pairs);
    uint32_t *order_scratch = order ? rg_alloc(max_pairs, sizeof *order) : NULL;
    uint32_t *count = rg_alloc(max_nodes + 1, sizeof *count);
    bool fine = pairs && count && (!order || order_scratch);
    segment s = {0};
    for (size_t k = 0; fine && k < raw->n_pairs; k = s.end) {
        next_segment(&s, raw, start, k, &g);
        uint32_t(*here)[2] = raw->pairs + s.first;
        sort_once(pairs, order_scratch, here, NULL, &s, 1, count);
        sort_once(here, order ? order + s.first : NULL, pairs, order_scratch, &s, 0, count);
    }
    rg_free(pairs);
    rg_free(order_scratch);
    rg_free(count);
    *done = fine;
    return fine;
}
