/* layout_order.c - nodes in an order that does not depend on their numbers.
 *
 * Colours are refined until they are stable: a node's colour together with those of its neighbours
 * becomes its next colour. If nodes still share one, one of them is given a colour of its own, and
 * so on. Where nodes of one colour are alike in truth, as they are in nearly all graphs that people
 * draw, it does not matter which one that is. */
#include "layout_component.h"

#include "base/alloc.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define BUDGET ((uint64_t)1 << 27) /* arcs followed and nodes sorted */

typedef struct node_key {
    uint32_t colour; /* the one before: cells are only ever split */
    uint32_t node;
    uint64_t hash;
} node_key;

typedef struct order_work {
    const rg_component *part;
    uint32_t *colour; /* by node: place of the first of its cell */
    node_key *keys;   /* cell after cell */
    uint64_t spent;
} order_work;

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

static int by_colour_and_hash(const void *a, const void *b)
{
    const node_key *x = a, *y = b;
    if (x->colour != y->colour)
        return x->colour < y->colour ? -1 : 1;
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

/* Gives cells their colours from sorted keys; returns how many there are. */
static uint32_t recolour(order_work *w)
{
    uint32_t cells = 0, first = 0;
    for (uint32_t k = 0; k < w->part->n; k++) {
        if (k == 0 || w->keys[k].colour != w->keys[k - 1].colour ||
            w->keys[k].hash != w->keys[k - 1].hash) {
            first = k;
            cells++;
        }
        w->colour[w->keys[k].node] = first;
    }
    return cells;
}

/* One round; returns the number of cells. */
static uint32_t round_once(order_work *w)
{
    const rg_component *part = w->part;
    for (uint32_t k = 0; k < part->n; k++) {
        uint32_t i = w->keys[k].node;
        uint64_t sum = 0;
        for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++)
            sum += mix(w->colour[part->col[a]] + 0x1234567u);
        w->keys[k].hash = mix(sum);
        w->keys[k].colour = w->colour[i];
    }
    qsort(w->keys, part->n, sizeof *w->keys, by_colour_and_hash);
    w->spent += part->row[part->n] + 16 * (uint64_t)part->n;
    return recolour(w);
}

static uint32_t refine(order_work *w, uint32_t cells)
{
    while (cells < w->part->n && w->spent < BUDGET) {
        uint32_t next = round_once(w);
        if (next == cells)
            break;
        cells = next;
    }
    return cells;
}

/* What the stable colours say of the whole part. */
static uint64_t describe(const order_work *w)
{
    uint64_t shape = mix(w->part->n);
    for (uint32_t k = 0; k < w->part->n; k++)
        shape = mix(shape + w->keys[k].hash + w->colour[w->keys[k].node]);
    return shape;
}

rg_status rg_component_order(uint32_t *order, uint64_t *shape, const rg_component *part,
                             rg_error *err)
{
    order_work w = {.part = part};
    w.colour = rg_alloc_zero(part->n, sizeof *w.colour);
    w.keys = rg_alloc_zero(part->n, sizeof *w.keys);
    if (!w.colour || !w.keys) {
        rg_free(w.colour);
        rg_free(w.keys);
        return rg_fail_memory(err, "the layout of a graph");
    }
    for (uint32_t i = 0; i < part->n; i++)
        w.keys[i].node = i;
    uint32_t cells = refine(&w, 1), first = 0;
    *shape = describe(&w);
    while (cells < part->n && w.spent < BUDGET) {
        /* the first cell of several nodes: its first node leaves it */
        while (first + 1 < part->n && w.colour[w.keys[first + 1].node] != first)
            first++;
        for (uint32_t k = first + 1; k < part->n && w.colour[w.keys[k].node] == first; k++)
            w.keys[k].colour = UINT32_MAX; /* marks the rest of the cell */
        for (uint32_t k = first + 1; k < part->n && w.keys[k].colour == UINT32_MAX; k++) {
            w.colour[w.keys[k].node] = first + 1;
            w.keys[k].colour = first + 1;
        }
        cells = refine(&w, cells + 1);
    }
    for (uint32_t k = 0; k < part->n; k++)
        order[k] = w.keys[k].node;
    rg_free(w.colour);
    rg_free(w.keys);
    return RG_OK;
}
