/* betweenness.c - betweenness(parts): the share of shortest paths between other nodes that run
 * through the node, summed over all pairs of them.
 *
 * Sums of fractions must not depend on the order of nodes, so they are whole numbers: each share is
 * rounded to the nearest multiple of 2^-32, and their sum to the nearest 1/parts. */
#include "base/error.h"
#include "count/space.h"
#include "label/kind.h"

#include <inttypes.h>

typedef struct betweenness_spec {
    rg_label_spec base;
    uint32_t parts;
} betweenness_spec;

static uint32_t parts_of(const rg_label_spec *spec)
{
    return ((const betweenness_spec *)spec)->parts;
}

enum { SHARE_BITS = 32, ROOF_BITS = 62, FAR = -1 };

/* All pairs: distances (FAR: not joined) and numbers of shortest paths, [s * n + t]. */
typedef struct all_paths {
    const rg_graph *graph;
    int32_t *distance;
    int64_t *paths;
    uint32_t *queue;
    bool over; /* some number is 2^62 or more */
} all_paths;

/* Breadth first from s. */
static void search(all_paths *p, uint32_t s)
{
    const rg_graph *graph = p->graph;
    size_t n = graph->n_nodes, end = 0;
    int32_t *distance = p->distance + s * n;
    int64_t *paths = p->paths + s * n;
    for (size_t t = 0; t < n; t++) {
        distance[t] = FAR;
        paths[t] = 0;
    }
    distance[s] = 0;
    paths[s] = 1;
    p->queue[end++] = s;
    for (size_t k = 0; k < end; k++) {
        uint32_t i = p->queue[k];
        for (uint64_t arc = graph->row[i]; arc < graph->row[i + 1]; arc++) {
            uint32_t j = graph->col[arc];
            if (distance[j] == FAR) {
                distance[j] = distance[i] + 1;
                p->queue[end++] = j;
            }
            if (distance[j] == distance[i] + 1)
                paths[j] += paths[i];
            if (paths[j] >= (int64_t)1 << ROOF_BITS) {
                paths[j] = (int64_t)1 << ROOF_BITS;
                p->over = true;
            }
        }
    }
}

/* some / all, in units of 2^-32, to the nearest; some <= all < 2^62. */
static uint64_t share_of(uint64_t some, uint64_t all)
{
    while (all >> (63 - SHARE_BITS)) {
        some >>= 1;
        all >>= 1;
    }
    return ((some << SHARE_BITS) + all / 2) / all;
}

/* The sum of shares of node v, in units of 1/parts, to the nearest. */
static int64_t sum_of(const all_paths *p, uint32_t v, uint32_t parts)
{
    size_t n = p->graph->n_nodes;
    uint64_t sum = 0;
    for (size_t s = 0; s < n; s++) {
        int32_t here = p->distance[s * n + v];
        if (s == v || here == FAR)
            continue;
        for (size_t t = 0; t < s; t++)
            if (t != v && p->distance[s * n + t] == here + p->distance[v * n + t] &&
                p->distance[v * n + t] != FAR)
                sum += share_of((uint64_t)(p->paths[s * n + v] * p->paths[v * n + t]),
                                (uint64_t)p->paths[s * n + t]);
    }
    uint64_t whole = sum >> SHARE_BITS, rest = sum & (((uint64_t)1 << SHARE_BITS) - 1);
    uint64_t half = (uint64_t)1 << (SHARE_BITS - 1);
    return (int64_t)(whole * parts + ((rest * parts + half) >> SHARE_BITS));
}

static rg_status numbers(int64_t *out, const rg_label_spec *spec, rg_label_task *task,
                         rg_error *err)
{
    size_t n = task->graph.n_nodes;
    all_paths p = {.graph = &task->graph};
    p.over = n > 0 && (n > task->budget / n || n * n > task->budget / n);
    if (!p.over) {
        p.distance = rg_count_space_get(task->space, 0, n * n, sizeof *p.distance);
        p.paths = rg_count_space_get(task->space, 1, n * n, sizeof *p.paths);
        p.queue = rg_count_space_get(task->space, 2, n, sizeof *p.queue);
        if (!p.distance || !p.paths || !p.queue)
            return rg_fail_memory(err, "betweenness");
    }
    for (uint32_t s = 0; s < n && !p.over; s++) {
        if (rg_count_stops(task->space))
            return rg_fail_cancelled(err);
        search(&p, s);
    }
    task->capped = task->capped || p.over;
    for (uint32_t v = 0; v < n; v++)
        out[v] = p.over ? RG_CAPPED : sum_of(&p, v, parts_of(spec));
    return RG_OK;
}

static void say(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key)
{
    int64_t value = rg_words_to_int(key);
    uint32_t parts = parts_of(labeling->spec);
    if (value == RG_CAPPED)
        rg_label_say(out, "betweenness not known, over the budget");
    else if (parts == 1)
        rg_label_say(out, "betweenness %" PRId64, value);
    else
        rg_label_say(out, "betweenness %" PRId64 "/%u", value, parts);
}

static void phrase(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key,
                   bool brief)
{
    (void)brief;
    rg_label_say(out, "of ");
    say(out, labeling, key);
}

const rg_label_kind rg_label_betweenness = {
    .name = "betweenness",
    .size = sizeof(betweenness_spec),
    .arguments = {RG_NUMBER("parts", betweenness_spec, parts, 1, 1000000, 1), RG_BOUND("max")},
    .numbers = numbers,
    .describe = say,
    .phrase = phrase,
};
