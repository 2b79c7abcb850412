/* layout_rings.c - a shortest set of rings that all others can be made of.
 *
 * Candidates are, for each node r and edge (x, y), the shortest ways from r to x and to y closed by
 * the edge, where they meet in r alone; among them is such a set (Horton, 1987). They are tried by
 * length, and one is taken if it is no sum of those taken before. */
#include "layout_component.h"

#include "base/alloc.h"
#include "base/elementary.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

typedef struct ring_candidate {
    uint32_t length, root, arc; /* the arc x -> y with x < y */
} ring_candidate;

typedef struct ring_work {
    const rg_component *part;
    uint32_t *hops, *queue, *parent, *edge; /* edge: number of the edge of each arc */
    uint32_t *path;                         /* nodes of the ring at hand */
    uint64_t *rows;                         /* the rings taken, as sets of edges, reduced */
    uint32_t *lead;                         /* the first edge of each */
    size_t n_words, n_taken;
    ring_candidate *list;
    size_t n_list, list_capacity;
} ring_work;

double rg_sin_turns(double turns)
{
    double shifted = turns - 0.25;
    return rg_cos_turns(shifted < 0 ? shifted + 1 : shifted);
}

double rg_polygon_chord(uint32_t n, uint32_t k)
{
    return n < 3 || k == 0 ? 0 : rg_sin_turns(0.5 * k / n) / rg_sin_turns(0.5 / n);
}

void rg_rings_free(rg_rings *rings)
{
    rg_free(rings->start);
    rg_free(rings->node);
    *rings = (rg_rings){0};
}

uint32_t rg_rings_through(const rg_rings *rings, uint32_t i, uint32_t a, uint32_t b)
{
    uint32_t least = 0;
    for (size_t r = 0; r < rings->n; r++) {
        const uint32_t *node = rings->node + rings->start[r];
        uint32_t n = rings->start[r + 1] - rings->start[r];
        for (uint32_t k = 0; k < n; k++) {
            uint32_t before = node[(k + n - 1) % n], after = node[(k + 1) % n];
            if (node[k] == i && ((before == a && after == b) || (before == b && after == a)) &&
                (!least || n < least))
                least = n;
        }
    }
    return least;
}

static int by_length(const void *a, const void *b)
{
    const ring_candidate *x = a, *y = b;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    if (x->root != y->root)
        return x->root < y->root ? -1 : 1;
    return x->arc < y->arc ? -1 : x->arc > y->arc;
}

/* A tree of shortest ways from root; ties go to the node that is found first. */
static void grow_tree(ring_work *w, uint32_t root)
{
    const rg_component *part = w->part;
    rg_component_hops(w->hops, w->queue, part, root);
    for (uint32_t i = 0; i < part->n; i++) {
        w->parent[i] = i;
        for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++) {
            if (w->hops[part->col[a]] + 1 == w->hops[i]) {
                w->parent[i] = part->col[a];
                break;
            }
        }
    }
}

static uint32_t arc_source(const rg_component *part, uint32_t arc)
{
    uint32_t low = 0, high = part->n;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (part->row[middle] <= arc)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The ways from the root to x and to y share the root alone? The tree is that of the root. */
static bool disjoint(const ring_work *w, uint32_t root, uint32_t x, uint32_t y)
{
    while (x != root && y != root) {
        if (x == y)
            return false;
        if (w->hops[x] >= w->hops[y])
            x = w->parent[x];
        else
            y = w->parent[y];
    }
    return true;
}

static rg_status list_candidates(ring_work *w, rg_error *err)
{
    const rg_component *part = w->part;
    for (uint32_t root = 0; root < part->n; root++) {
        if (rg_component_degree(part, root) < 2)
            continue;
        grow_tree(w, root);
        for (uint32_t x = 0; x < part->n; x++) {
            for (uint32_t a = part->row[x]; a < part->row[x + 1]; a++) {
                uint32_t y = part->col[a];
                if (y < x || w->parent[x] == y || w->parent[y] == x || !disjoint(w, root, x, y))
                    continue;
                if (!rg_grow(&w->list, &w->list_capacity, w->n_list + 1, sizeof *w->list))
                    return rg_fail_memory(err, "the rings of a graph");
                w->list[w->n_list++] = (ring_candidate){w->hops[x] + w->hops[y] + 1, root, a};
            }
        }
    }
    if (w->n_list)
        qsort(w->list, w->n_list, sizeof *w->list, by_length);
    return RG_OK;
}

static uint32_t edge_between(const ring_work *w, uint32_t i, uint32_t j)
{
    for (uint32_t a = w->part->row[i]; a < w->part->row[i + 1]; a++) {
        if (w->part->col[a] == j)
            return w->edge[a];
    }
    return 0;
}

/* The ring's nodes into w->path: from x up to the root, and down to y. */
static void walk(ring_work *w, const ring_candidate *c)
{
    uint32_t x = arc_source(w->part, c->arc), y = w->part->col[c->arc], n = 0, back = c->length;
    grow_tree(w, c->root);
    for (uint32_t i = x; i != c->root; i = w->parent[i])
        w->path[n++] = i;
    w->path[n++] = c->root;
    for (uint32_t i = y; i != c->root; i = w->parent[i])
        w->path[--back] = i;
}

/* Is the ring in w->path no sum of those taken? Then it is taken, in the row behind the last. */
static bool take(ring_work *w, uint32_t length)
{
    uint64_t *row = w->rows + w->n_taken * w->n_words;
    memset(row, 0, w->n_words * sizeof *row);
    for (uint32_t k = 0; k < length; k++) {
        uint32_t e = edge_between(w, w->path[k], w->path[(k + 1) % length]);
        row[e / 64] ^= (uint64_t)1 << e % 64;
    }
    for (size_t r = 0; r < w->n_taken; r++) {
        uint32_t e = w->lead[r];
        if (row[e / 64] >> e % 64 & 1) {
            for (size_t k = 0; k < w->n_words; k++)
                row[k] ^= w->rows[r * w->n_words + k];
        }
    }
    for (size_t k = 0; k < w->n_words; k++) {
        if (!row[k])
            continue;
        uint32_t bit = 0;
        while (!(row[k] >> bit & 1))
            bit++;
        w->lead[w->n_taken++] = (uint32_t)k * 64 + bit;
        return true;
    }
    return false;
}

static rg_status keep(rg_rings *out, const ring_work *w, uint32_t length, rg_error *err)
{
    uint32_t at = out->n ? out->start[out->n] : 0;
    if (!rg_grow(&out->start, &out->start_capacity, out->n + 2, sizeof *out->start) ||
        !rg_grow(&out->node, &out->node_capacity, at + length, sizeof *out->node))
        return rg_fail_memory(err, "the rings of a graph");
    memcpy(out->node + at, w->path, length * sizeof *out->node);
    out->start[out->n++] = at;
    out->start[out->n] = at + length;
    return RG_OK;
}

static void number_edges(ring_work *w)
{
    const rg_component *part = w->part;
    uint32_t n = 0;
    for (uint32_t i = 0; i < part->n; i++) {
        for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++) {
            if (part->col[a] > i)
                w->edge[a] = n++;
        }
    }
    for (uint32_t i = 0; i < part->n; i++) {
        for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++) {
            if (part->col[a] < i)
                w->edge[a] = edge_between(w, part->col[a], i);
        }
    }
}

static void lay_out_work(ring_work *w, uint32_t *block, uint32_t n, uint32_t arcs)
{
    w->hops = block;
    w->queue = block + n;
    w->parent = w->queue + n;
    w->path = w->parent + n;
    w->edge = w->path + n;
    w->lead = w->edge + arcs;
}

rg_status rg_rings_find(rg_rings *out, const rg_component *part, rg_error *err)
{
    uint32_t n = part->n, arcs = part->row[n];
    size_t wanted = (size_t)arcs / 2 + 1 - n;
    ring_work w = {.part = part, .n_words = arcs / 128 + 1};
    rg_rings found = {0};
    uint32_t *block = rg_alloc((size_t)4 * n + arcs + wanted + 1, sizeof *block);
    w.rows = rg_alloc(wanted + 1, w.n_words * sizeof *w.rows);
    rg_status status = block && w.rows ? RG_OK : rg_fail_memory(err, "the rings of a graph");
    if (!status && wanted) {
        lay_out_work(&w, block, n, arcs);
        number_edges(&w);
        status = list_candidates(&w, err);
    }
    for (size_t k = 0; !status && k < w.n_list && w.n_taken < wanted; k++) {
        walk(&w, &w.list[k]);
        if (take(&w, w.list[k].length))
            status = keep(&found, &w, w.list[k].length, err);
    }
    if (!status)
        *out = found;
    else
        rg_rings_free(&found);
    rg_free(w.list);
    rg_free(w.rows);
    rg_free(block);
    return status;
}
