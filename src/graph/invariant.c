/* invariant.c - colour refinement on 64-bit hashes. Sums make the order of neighbours vanish. */
#include "invariant.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

#define MIN_ROUNDS 16
#define MAX_ARCS (UINT64_C(1) << 22)
#define NODE_ROUNDS 3 /* after the distances from a node */

/* Arrays inside the block, by the graph's size: 4 n numbers and a hash set of colours. */
typedef struct rounds {
    const rg_coloured *g;
    uint64_t *colour, *next; /* n */
    uint64_t *base, *node;   /* n */
    uint64_t *slots;
    size_t n_slots; /* a power of two, at least 2 n */
    uint64_t followed;
} rounds;

void rg_invariant_work_free(rg_invariant_work *work)
{
    rg_free(work->block);
    *work = (rg_invariant_work){0};
}

static size_t slots_for(size_t n)
{
    size_t slots = 16;
    while (slots < 2 * n)
        slots *= 2;
    return slots;
}

static bool reserve(rounds *r, const rg_coloured *g, rg_invariant_work *work)
{
    size_t n = g->graph.n_nodes;
    if (!work->block || n > work->capacity) {
        size_t capacity = n > 2 * work->capacity ? n : 2 * work->capacity;
        uint64_t *block = rg_alloc(4 * capacity + slots_for(capacity), sizeof *block);
        if (!block)
            return false;
        rg_free(work->block);
        work->block = block;
        work->capacity = capacity;
    }
    *r = (rounds){.g = g,
                  .colour = work->block,
                  .next = work->block + n,
                  .base = work->block + 2 * n,
                  .node = work->block + 3 * n,
                  .slots = work->block + 4 * n,
                  .n_slots = slots_for(n)};
    return true;
}

static uint64_t mix(uint64_t a, uint64_t b)
{
    uint64_t x = a + UINT64_C(0x9e3779b97f4a7c15) * (b + 1);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* How many colours there are; 0 marks a free slot, and no colour is 0 but by chance. */
static size_t count_colours(rounds *r)
{
    size_t n = r->g->graph.n_nodes, mask = r->n_slots - 1, found = 0;
    memset(r->slots, 0, r->n_slots * sizeof *r->slots);
    for (size_t i = 0; i < n; i++) {
        uint64_t c = r->colour[i] ? r->colour[i] : 1;
        size_t k = (size_t)c & mask;
        while (r->slots[k] && r->slots[k] != c)
            k = (k + 1) & mask;
        if (!r->slots[k]) {
            r->slots[k] = c;
            found++;
        }
    }
    return found;
}

/* next(i) = mix(colour(i), sum over arcs (i,j) of colour(j), mixed with the arc's own) */
static void one_round(rounds *r)
{
    const rg_graph *g = &r->g->graph;
    const uint32_t *arc_colour = r->g->arc_colour;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        uint64_t sum = 0;
        if (arc_colour)
            for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++)
                sum += mix(r->colour[g->col[k]], arc_colour[k]);
        else
            for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++)
                sum += r->colour[g->col[k]];
        r->next[i] = mix(r->colour[i], sum);
    }
    uint64_t *old = r->colour;
    r->colour = r->next;
    r->next = old;
    r->followed += g->n_arcs;
}

/* Rounds until no colour is split. The numbers of colours, and so the number of rounds, are the
 * same for isomorphic graphs. */
static size_t refine(rounds *r)
{
    uint64_t start = r->followed;
    size_t n_colours = count_colours(r);
    for (unsigned round = 0; n_colours < r->g->graph.n_nodes; round++) {
        if (round >= MIN_ROUNDS && r->followed - start > MAX_ARCS)
            break;
        one_round(r);
        size_t now = count_colours(r);
        if (now == n_colours)
            break;
        n_colours = now;
    }
    return n_colours;
}

/* One round more than needed to split: a discrete colouring must still see every arc. */
static uint64_t summary(rounds *r, uint64_t n_colours)
{
    const rg_graph *g = &r->g->graph;
    one_round(r);
    uint64_t sum = mix(mix(g->n_nodes, g->n_arcs), n_colours);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        sum += mix(r->colour[i], 0);
    return mix(sum, 0);
}

static void start_colours(rounds *r)
{
    const rg_graph *g = &r->g->graph;
    const uint32_t *node_colour = r->g->node_colour;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        r->colour[i] = mix(node_colour ? node_colour[i] : 0, g->row[i + 1] - g->row[i]);
}

rg_status rg_invariant_graph(uint64_t *out, const rg_coloured *g, rg_invariant_work *work,
                             rg_error *err)
{
    rounds r;
    if (!reserve(&r, g, work))
        return rg_fail_memory(err, "comparing graphs");
    start_colours(&r);
    size_t n_colours = refine(&r);
    *out = summary(&r, n_colours);
    return RG_OK;
}

/* Colours by the distance from node i, on top of the base colours. */
static void colours_by_distance(rounds *r, uint32_t i)
{
    const rg_graph *g = &r->g->graph;
    uint32_t n = g->n_nodes, tail = 1;
    uint32_t *distance = (uint32_t *)r->slots, *queue = distance + n; /* 2 n of at least 4 n */
    memset(distance, 0xff, n * sizeof *distance);
    distance[i] = 0;
    queue[0] = i;
    for (uint32_t head = 0; head < tail; head++) {
        uint32_t node = queue[head];
        for (uint64_t k = g->row[node]; k < g->row[node + 1]; k++) {
            if (distance[g->col[k]] != UINT32_MAX)
                continue;
            distance[g->col[k]] = distance[node] + 1;
            queue[tail++] = g->col[k];
        }
    }
    for (uint32_t j = 0; j < n; j++)
        r->colour[j] = mix(r->base[j], distance[j]);
    r->followed += g->n_arcs;
}

/* Distances first, since rounds would need as many passes over the arcs to find them. */
static void nodes_from(uint64_t *out, rounds *r)
{
    uint32_t n = r->g->graph.n_nodes;
    start_colours(r);
    size_t n_colours = refine(r);
    memcpy(r->base, r->colour, n * sizeof *r->base);
    for (uint32_t i = 0; i < n; i++) {
        if (n_colours == n) { /* every node has a colour of its own already */
            out[i] = r->base[i];
            continue;
        }
        colours_by_distance(r, i);
        for (unsigned round = 0; round < NODE_ROUNDS; round++)
            one_round(r);
        out[i] = mix(r->base[i], summary(r, n_colours));
    }
}

rg_status rg_invariant_nodes(uint64_t *out, uint64_t *followed, const rg_coloured *g,
                             rg_invariant_work *work, rg_error *err)
{
    rounds r;
    if (!reserve(&r, g, work))
        return rg_fail_memory(err, "comparing graphs");
    nodes_from(out, &r);
    *followed += r.followed;
    return RG_OK;
}

rg_status rg_invariant_strong(uint64_t *out, const rg_coloured *g, rg_invariant_work *work,
                              rg_error *err)
{
    rounds r;
    if (!reserve(&r, g, work))
        return rg_fail_memory(err, "comparing graphs");
    nodes_from(r.node, &r);
    uint64_t sum = mix(g->graph.n_nodes, g->graph.n_arcs);
    for (uint32_t i = 0; i < g->graph.n_nodes; i++)
        sum += mix(r.node[i], 0);
    *out = sum;
    return RG_OK;
}
