/* core.c - core: the core number of a node, the largest k for which some subgraph in which every
 * node has at least k neighbours holds it. */
#include "base/error.h"
#include "count/space.h"
#include "label/kind.h"

#include <inttypes.h>

/* Nodes by what is left of their degree: `order` is sorted by it, first[d] the first of degree d
 * or more, and place[i] where node i stands. */
typedef struct peeling {
    uint32_t *left, *order, *place, *first;
} peeling;

static void sort_by_degree(peeling *p, const rg_graph *graph)
{
    uint32_t n = graph->n_nodes;
    for (uint32_t d = 0; d <= n; d++)
        p->first[d] = 0;
    for (uint32_t i = 0; i < n; i++) {
        p->left[i] = (uint32_t)(graph->row[i + 1] - graph->row[i]);
        p->first[p->left[i] + 1]++;
    }
    for (uint32_t d = 1; d <= n; d++)
        p->first[d] += p->first[d - 1];
    for (uint32_t i = 0; i < n; i++) {
        p->place[i] = p->first[p->left[i]]++;
        p->order[p->place[i]] = i;
    }
    for (uint32_t d = n; d > 0; d--)
        p->first[d] = p->first[d - 1];
    p->first[0] = 0;
}

/* Takes one from the degree of j: it changes places with the first node of its degree. */
static void lower(peeling *p, uint32_t j)
{
    uint32_t at = p->first[p->left[j]]++, other = p->order[at];
    p->order[p->place[j]] = other;
    p->place[other] = p->place[j];
    p->order[at] = j;
    p->place[j] = at;
    p->left[j]--;
}

/* Takes the node of the smallest degree away, again and again (Batagelj and Zaversnik). */
static rg_status numbers(int64_t *out, const rg_label_spec *spec, rg_label_task *task,
                         rg_error *err)
{
    (void)spec;
    const rg_graph *graph = &task->graph;
    size_t n = graph->n_nodes;
    uint32_t *room = rg_count_space_get(task->space, 0, 4 * n + 2, sizeof *room);
    if (!room)
        return rg_fail_memory(err, "core numbers");
    peeling p = {room, room + n, room + 2 * n, room + 3 * n};
    sort_by_degree(&p, graph);
    for (uint32_t k = 0; k < n; k++) {
        uint32_t i = p.order[k];
        out[i] = p.left[i];
        for (uint64_t arc = graph->row[i]; arc < graph->row[i + 1]; arc++)
            if (p.left[graph->col[arc]] > p.left[i])
                lower(&p, graph->col[arc]);
    }
    return RG_OK;
}

static void describe(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key)
{
    (void)labeling;
    rg_label_say(out, "core number %" PRId64, rg_words_to_int(key));
}

static void phrase(rg_label_words *out, const rg_labeling *labeling, const uint32_t *key,
                   bool brief)
{
    (void)labeling;
    (void)brief;
    rg_label_say(out, "of core number %" PRId64, rg_words_to_int(key));
}

const rg_label_kind rg_label_core = {
    .name = "core",
    .size = sizeof(rg_label_spec),
    .arguments = {RG_BOUND("max")},
    .numbers = numbers,
    .describe = describe,
    .phrase = phrase,
    .bare = "of core number ",
};
