/* layout_apart.c - nodes that are too close pushed apart.
 *
 * First the whole drawing grows if many nodes are crowded, then pairs that are still too close move
 * away from each other, round after round, and if that does not end it grows again. Pairs are found
 * through a grid whose cells are as wide as nodes must be apart. */
#include "layout_component.h"

#include "base/alloc.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

#define GOAL (RG_LAYOUT_APART * 1.04) /* so that rounding does not matter */
#define ROUNDS 40                     /* of pushing, before it grows */

typedef struct cell {
    int32_t x, y;
    uint32_t node;
} cell;

static int by_place(const void *a, const void *b)
{
    const cell *p = a, *q = b;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->node < q->node ? -1 : p->node > q->node;
}

static void fill(cell *cells, const rg_component *part, double width)
{
    for (uint32_t i = 0; i < part->n; i++) {
        cells[i].x = (int32_t)floor(part->at[i].x / width);
        cells[i].y = (int32_t)floor(part->at[i].y / width);
        cells[i].node = i;
    }
    qsort(cells, part->n, sizeof *cells, by_place);
}

/* The first of the sorted cells that is not before (x, y). */
static uint32_t find(const cell *cells, uint32_t n, int32_t x, int32_t y)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (cells[middle].y < y || (cells[middle].y == y && cells[middle].x < x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The smallest distance of i to another node, up to the width of a cell; *other: which one. */
static double nearest(uint32_t *other, const cell *cells, const rg_component *part, uint32_t i,
                      double width)
{
    int32_t x = (int32_t)floor(part->at[i].x / width), y = (int32_t)floor(part->at[i].y / width);
    double least = width;
    *other = i;
    for (int32_t row = y - 1; row <= y + 1; row++) {
        for (uint32_t k = find(cells, part->n, x - 1, row);
             k < part->n && cells[k].y == row && cells[k].x <= x + 1; k++) {
            uint32_t j = cells[k].node;
            double d = rg_point_distance(part->at[i], part->at[j]);
            if (j != i && (d < least || (d == least && j < *other && *other != i))) {
                least = d;
                *other = j;
            }
        }
    }
    return least;
}

static void push(rg_point *a, rg_point *b, double distance, uint32_t salt)
{
    double dx = b->x - a->x, dy = b->y - a->y;
    if (!(distance > 1e-9)) { /* on one spot: any direction, another one for each pair */
        dx = 1 + salt % 7;
        dy = 1 + salt % 5;
        distance = sqrt(dx * dx + dy * dy);
        dx *= 1e-9 / distance;
        dy *= 1e-9 / distance;
        distance = 1e-9;
    }
    double step = (GOAL - distance) / (2 * distance);
    a->x -= step * dx;
    a->y -= step * dy;
    b->x += step * dx;
    b->y += step * dy;
}

/* One round: every pair in reach that is too close; true: there was one. Points move at once. */
static bool push_round(rg_component *part, cell *cells)
{
    bool moved = false;
    fill(cells, part, GOAL);
    for (uint32_t c = 0; c < part->n; c++) {
        uint32_t i = cells[c].node;
        for (int32_t row = cells[c].y; row <= cells[c].y + 1; row++) {
            for (uint32_t k = row == cells[c].y ? c + 1 : find(cells, part->n, cells[c].x - 1, row);
                 k < part->n && cells[k].y == row && cells[k].x <= cells[c].x + 1; k++) {
                uint32_t j = cells[k].node;
                double d = rg_point_distance(part->at[i], part->at[j]);
                if (d < GOAL * 0.999) {
                    push(&part->at[i], &part->at[j], d, i + 3 * j);
                    moved = true;
                }
            }
        }
    }
    return moved;
}

static void grow(rg_component *part, double factor)
{
    for (uint32_t i = 0; i < part->n; i++) {
        part->at[i].x *= factor;
        part->at[i].y *= factor;
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

rg_status rg_component_separate(rg_component *part, rg_error *err)
{
    uint32_t n = part->n, other;
    cell *cells = rg_alloc(n, sizeof *cells);
    double *gaps = rg_alloc(n, sizeof *gaps);
    if (!cells || !gaps) {
        rg_free(cells);
        rg_free(gaps);
        return rg_fail_memory(err, "the layout of a graph");
    }
    fill(cells, part, 1);
    for (uint32_t i = 0; i < n; i++)
        gaps[i] = nearest(&other, cells, part, i, 1);
    if (n > 1) {
        qsort(gaps, n, sizeof *gaps, by_size);
        double usual = gaps[n / 3];
        if (usual < 0.7)
            grow(part, usual > 0.2 ? 0.7 / usual : 3.5);
    }
    /* where there is too little room for all, pushing goes on for ever: it grows until there is */
    unsigned rounds = 0;
    while (push_round(part, cells)) {
        if (++rounds % ROUNDS == 0)
            grow(part, 1.25);
    }
    rg_free(cells);
    rg_free(gaps);
    return RG_OK;
}
