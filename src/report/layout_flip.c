/* layout_flip.c - what is wrong with a drawing, and turning over what sticks out. */
#include "layout_part.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

#define CLOSE 0.8   /* nodes without an edge that are closer than this are in each other's way */
#define BESIDE 0.35 /* so are a node and an edge that is not its own */
#define PASSES 3

static double side_of(rg_point a, rg_point b, rg_point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool crosses(rg_point a, rg_point b, rg_point c, rg_point d)
{
    return side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0;
}

/* Distance of p from the line from a to b. */
static double distance_from(rg_point p, rg_point a, rg_point b)
{
    double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    double t = square > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / square : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return rg_point_distance(p, (rg_point){a.x + t * dx, a.y + t * dy});
}

static bool adjacent(const rg_part *part, uint32_t i, uint32_t j)
{
    for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++) {
        if (part->col[a] == j)
            return true;
    }
    return false;
}

static double close_nodes(const rg_part *part)
{
    double sum = 0;
    for (uint32_t i = 0; i < part->n; i++) {
        for (uint32_t j = i + 1; j < part->n; j++) {
            double dx = part->at[i].x - part->at[j].x, dy = part->at[i].y - part->at[j].y;
            double square = dx * dx + dy * dy;
            if (square >= CLOSE * CLOSE || adjacent(part, i, j))
                continue;
            double much = 1 - sqrt(square) / CLOSE;
            sum += 4 * much * much;
        }
    }
    return sum;
}

/* One edge against nodes and against the edges behind it. */
static double one_edge(const rg_part *part, uint32_t i, uint32_t j)
{
    double sum = 0;
    rg_point a = part->at[i], b = part->at[j];
    double left = (a.x < b.x ? a.x : b.x) - BESIDE, right = (a.x > b.x ? a.x : b.x) + BESIDE;
    for (uint32_t k = 0; k < part->n; k++) {
        rg_point c = part->at[k];
        if (k == i || k == j)
            continue;
        if (c.x > left && c.x < right && distance_from(c, a, b) < BESIDE)
            sum += 0.5;
        if (k <= i)
            continue;
        for (uint32_t s = part->row[k]; s < part->row[k + 1]; s++) {
            uint32_t l = part->col[s];
            if (l > k && l != i && l != j && crosses(a, b, c, part->at[l]))
                sum += 1;
        }
    }
    return sum;
}

double rg_part_clutter(const rg_part *part)
{
    double sum = close_nodes(part);
    for (uint32_t i = 0; i < part->n; i++) {
        for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++) {
            if (part->col[a] > i)
                sum += one_edge(part, i, part->col[a]);
        }
    }
    return sum;
}

/* The nodes on b's side of the edge (a, b) into `found`, *n of them; false: the edge is on a ring.
 */
static bool far_side(uint32_t *found, uint32_t *n, uint8_t *seen, const rg_part *part, uint32_t a,
                     uint32_t b)
{
    uint32_t head = 0, tail = 0;
    memset(seen, 0, part->n);
    seen[b] = 1;
    found[tail++] = b;
    while (head < tail) {
        uint32_t i = found[head++];
        for (uint32_t s = part->row[i]; s < part->row[i + 1]; s++) {
            uint32_t j = part->col[s];
            if (i == b && j == a)
                continue;
            if (j == a)
                return false;
            if (!seen[j]) {
                seen[j] = 1;
                found[tail++] = j;
            }
        }
    }
    *n = tail;
    return true;
}

static void mirror(rg_part *part, const uint32_t *nodes, uint32_t n, rg_point a, rg_point b)
{
    double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    for (uint32_t k = 0; square > 0 && k < n; k++) {
        rg_point *p = &part->at[nodes[k]];
        double t = ((p->x - a.x) * dx + (p->y - a.y) * dy) / square;
        p->x = 2 * (a.x + t * dx) - p->x;
        p->y = 2 * (a.y + t * dy) - p->y;
    }
}

/* Tries every edge once; true: something was turned over. */
static bool pass(rg_part *part, rg_point *saved, uint32_t *side, uint8_t *seen, double *clutter)
{
    bool changed = false;
    for (uint32_t a = 0; a<part->n && * clutter> 0; a++) {
        for (uint32_t s = part->row[a]; s < part->row[a + 1] && *clutter > 0; s++) {
            uint32_t b = part->col[s], n = 0;
            if (rg_part_degree(part, b) < 2 || !far_side(side, &n, seen, part, a, b) ||
                2 * n > part->n)
                continue;
            memcpy(saved, part->at, part->n * sizeof *saved);
            mirror(part, side, n, part->at[a], part->at[b]);
            double next = rg_part_clutter(part);
            if (next < *clutter - 0.01) {
                *clutter = next;
                changed = true;
            } else {
                memcpy(part->at, saved, part->n * sizeof *saved);
            }
        }
    }
    return changed;
}

rg_status rg_part_flip(rg_part *part, rg_error *err)
{
    rg_point *saved = rg_alloc(part->n, sizeof *saved);
    uint32_t *side = rg_alloc(part->n, sizeof *side);
    uint8_t *seen = rg_alloc(part->n, 1);
    rg_status status = RG_OK;
    if (saved && side && seen) {
        double clutter = rg_part_clutter(part);
        for (int k = 0; k < PASSES && pass(part, saved, side, seen, &clutter); k++)
            ;
    } else {
        status = rg_fail_memory(err, "the layout of a graph");
    }
    rg_free(saved);
    rg_free(side);
    rg_free(seen);
    return status;
}
