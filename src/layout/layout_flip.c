/* layout_flip.c - what is wrong with a drawing, and turning over what sticks out. */
#include "layout_component.h"

#include "base/alloc.h"
#include "base/elementary.h"
#include "base/error.h"
#include "layout_turn.h"

#include <string.h>

#define CLOSE 0.8   /* nodes without an edge that are closer than this are in each other's way */
#define BESIDE 0.35 /* so are a node and an edge that is not its own */
#define SMALL 9     /* nodes of a ring that nothing else belongs into */
#define JUDGED 40000000 /* pairs of nodes looked at */
#define PASSES 3
#define GAPS 8 /* neighbours that are looked at */

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

static bool adjacent(const rg_component *part, uint32_t i, uint32_t j)
{
    for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++) {
        if (part->col[a] == j)
            return true;
    }
    return false;
}

static double close_nodes(const rg_component *part)
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
static double one_edge(const rg_component *part, uint32_t i, uint32_t j)
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

/* Is p inside the polygon of a ring's nodes? */
static bool inside(const rg_component *part, const uint32_t *node, uint32_t n, rg_point p)
{
    bool in = false;
    for (uint32_t k = 0; k < n; k++) {
        rg_point a = part->at[node[k]], b = part->at[node[(k + 1) % n]];
        if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y))
            in = !in;
    }
    return in;
}

/* Nodes that lie in small rings which they are not on: there is room, but it is not theirs. */
static double trapped_nodes(const rg_component *part, const rg_rings *rings)
{
    double sum = 0;
    for (size_t r = 0; r < rings->n; r++) {
        const uint32_t *node = rings->node + rings->start[r];
        uint32_t n = rings->start[r + 1] - rings->start[r];
        for (uint32_t i = 0; n <= SMALL && i < part->n; i++) {
            bool member = false;
            for (uint32_t k = 0; k < n; k++)
                member = member || node[k] == i;
            if (!member && rg_point_distance(part->at[i], part->at[node[0]]) < n &&
                inside(part, node, n, part->at[i]))
                sum += 1;
        }
    }
    return sum;
}

double rg_component_clutter(const rg_component *part, const rg_rings *rings)
{
    double sum = close_nodes(part) + (rings ? trapped_nodes(part, rings) : 0);
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
static bool far_side(uint32_t *found, uint32_t *n, uint8_t *seen, const rg_component *part,
                     uint32_t a, uint32_t b)
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

static void mirror(rg_component *part, const uint32_t *nodes, uint32_t n, rg_point a, rg_point b)
{
    double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
    for (uint32_t k = 0; square > 0 && k < n; k++) {
        rg_point *p = &part->at[nodes[k]];
        double t = ((p->x - a.x) * dx + (p->y - a.y) * dy) / square;
        p->x = 2 * (a.x + t * dx) - p->x;
        p->y = 2 * (a.y + t * dy) - p->y;
    }
}

/* Turns the nodes around `centre` by (cosine, sine). */
static void swing(rg_component *part, const uint32_t *nodes, uint32_t n, rg_point centre,
                  rg_point by)
{
    for (uint32_t k = 0; k < n; k++) {
        rg_point *p = &part->at[nodes[k]];
        double x = p->x - centre.x, y = p->y - centre.y;
        *p = (rg_point){centre.x + by.x * x - by.y * y, centre.y + by.y * x + by.x * y};
    }
}

/* What a pass works with. */
typedef struct flip_work {
    rg_component *part;
    const rg_rings *rings;
    rg_point *saved;
    uint32_t *side, n_side;
    uint8_t *seen;
    double clutter;
    uint64_t left; /* times that it may still be judged: large parts get fewer */
} flip_work;

/* Keeps what was done to the nodes if it is better; else takes it back. */
static bool judge(flip_work *w)
{
    w->left--;
    double next = rg_component_clutter(w->part, w->rings);
    if (next < w->clutter - 0.01) {
        w->clutter = next;
        return true;
    }
    memcpy(w->part->at, w->saved, w->part->n * sizeof *w->saved);
    return false;
}

/* Swings b's side around a into the middle of each gap between a's other neighbours. */
static bool try_gaps(flip_work *w, uint32_t a, uint32_t b)
{
    rg_component *part = w->part;
    double turns[GAPS];
    uint32_t neighbour[GAPS], n = 0;
    rg_point here = part->at[a];
    double now = rg_turns(part->at[b].x - here.x, part->at[b].y - here.y);
    for (uint32_t s = part->row[a]; s < part->row[a + 1] && n < GAPS; s++) {
        uint32_t j = part->col[s], at = n;
        if (j == b)
            continue;
        double turn = rg_turns(part->at[j].x - here.x, part->at[j].y - here.y);
        for (n++; at > 0 && turns[at - 1] > turn; at--) {
            turns[at] = turns[at - 1];
            neighbour[at] = neighbour[at - 1];
        }
        turns[at] = turn;
        neighbour[at] = j;
    }
    bool changed = false;
    for (uint32_t k = 0; n > 1 && k < n && w->clutter > 0 && w->left; k++) {
        double end = k + 1 < n ? turns[k + 1] : turns[0] + 1;
        double by = (turns[k] + end) / 2 - now;
        uint32_t ring = rg_rings_through(w->rings, a, neighbour[k], neighbour[(k + 1) % n]);
        if (ring && ring <= SMALL && end - turns[k] < 0.5)
            continue;
        by -= floor(by);
        memcpy(w->saved, part->at, part->n * sizeof *w->saved);
        swing(part, w->side, w->n_side, here, (rg_point){rg_cos_turns(by), rg_sin_turns(by)});
        if (judge(w)) {
            changed = true;
            now = rg_turns(part->at[b].x - here.x, part->at[b].y - here.y);
        }
    }
    return changed;
}

/* Tries every edge once; true: something was turned over. */
static bool pass(flip_work *w)
{
    rg_component *part = w->part;
    bool changed = false;
    for (uint32_t a = 0; a < part->n && w->clutter > 0 && w->left; a++) {
        for (uint32_t s = part->row[a]; s < part->row[a + 1] && w->clutter > 0 && w->left; s++) {
            uint32_t b = part->col[s];
            if (!far_side(w->side, &w->n_side, w->seen, part, a, b) || 2 * w->n_side > part->n)
                continue;
            if (w->n_side > 1) {
                memcpy(w->saved, part->at, part->n * sizeof *w->saved);
                mirror(part, w->side, w->n_side, part->at[a], part->at[b]);
                changed = judge(w) || changed;
            }
            if (w->left)
                changed = try_gaps(w, a, b) || changed;
        }
    }
    return changed;
}

rg_status rg_component_flip(rg_component *part, const rg_rings *rings, rg_error *err)
{
    flip_work w = {.part = part,
                   .rings = rings,
                   .saved = rg_alloc(part->n, sizeof *w.saved),
                   .side = rg_alloc(part->n, sizeof *w.side),
                   .seen = rg_alloc(part->n, 1)};
    rg_status status = RG_OK;
    if (w.saved && w.side && w.seen) {
        w.clutter = rg_component_clutter(part, rings);
        w.left = JUDGED / ((uint64_t)part->n * part->n) + 1;
        for (int k = 0; k < PASSES && pass(&w); k++)
            ;
    } else {
        status = rg_fail_memory(err, "the layout of a graph");
    }
    rg_free(w.saved);
    rg_free(w.side);
    rg_free(w.seen);
    return status;
}
