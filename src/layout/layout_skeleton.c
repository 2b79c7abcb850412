/* layout_skeleton.c - parts like molecules, drawn as chemists draw them.
 *
 * Leaves (most of them hydrogens) come off first. What is left is laid by stress, where the nodes
 * of a ring are as far apart as the corners of a polygon and a chain is as long as one that bends
 * by a third; then it is refined, the leaves are put into the widest gaps, and all is refined
 * again. */
#include "layout_component.h"

#include "base/alloc.h"
#include "base/elementary.h"
#include "base/error.h"
#include "base/random.h"
#include "layout_turn.h"

#include <string.h>

#define DEGREE 6 /* of a node of a skeleton, at most */
#define STARTS 8
#define CHAIN 0.866 /* how far a step along a bent chain goes */

typedef struct skeleton {
    rg_component *part;
    rg_component core;
    uint32_t *node, *number; /* of the part by number in the core, and back (UINT32_MAX: a leaf) */
    rg_rings rings;          /* of the core, then of the part */
    float *distance;         /* of the core */
    rg_point *best;
} skeleton;

static bool is_skeleton(const rg_component *part, uint32_t *n_core)
{
    uint64_t edges = part->row[part->n] / 2;
    *n_core = 0;
    for (uint32_t i = 0; i < part->n; i++) {
        if (rg_component_degree(part, i) > DEGREE)
            return false;
        *n_core += rg_component_degree(part, i) > 1;
    }
    return *n_core <= RG_COMPONENT_SKELETON && (double)(edges + 1) - part->n <= 0.4 * *n_core + 1;
}

static rg_status build_core(skeleton *s, uint32_t n_core, rg_error *err)
{
    const rg_component *part = s->part;
    rg_status status = rg_component_new(&s->core, n_core, part->row[part->n], err);
    s->node = rg_alloc(n_core, sizeof *s->node);
    s->number = rg_alloc(part->n, sizeof *s->number);
    s->distance = rg_alloc((size_t)n_core * n_core, sizeof *s->distance);
    s->best = rg_alloc(n_core, sizeof *s->best);
    if (status)
        return status;
    if (!s->node || !s->number || !s->distance || !s->best)
        return rg_fail_memory(err, "the layout of a graph");
    uint32_t n = 0, arcs = 0;
    for (uint32_t i = 0; i < part->n; i++) {
        s->number[i] = UINT32_MAX;
        if (rg_component_degree(part, i) > 1) {
            s->number[i] = n;
            s->core.straight[n] = part->straight[i];
            s->node[n++] = i;
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        s->core.row[k] = arcs;
        for (uint32_t a = part->row[s->node[k]]; a < part->row[s->node[k] + 1]; a++) {
            uint32_t j = s->number[part->col[a]];
            if (j != UINT32_MAX)
                s->core.col[arcs++] = j;
        }
    }
    s->core.row[n] = arcs;
    return RG_OK;
}

static void shorten(float *distance, uint32_t n, uint32_t i, uint32_t j, double d)
{
    if (d < (double)distance[(size_t)i * n + j])
        distance[(size_t)i * n + j] = distance[(size_t)j * n + i] = (float)d;
}

/* Shortest ways over edges and over chords of rings. */
static void measure(skeleton *s)
{
    uint32_t n = s->core.n;
    float *distance = s->distance;
    for (size_t k = 0; k < (size_t)n * n; k++)
        distance[k] = 1e6f;
    for (uint32_t i = 0; i < n; i++) {
        distance[(size_t)i * n + i] = 0;
        for (uint32_t a = s->core.row[i]; a < s->core.row[i + 1]; a++)
            shorten(distance, n, i, s->core.col[a], CHAIN);
    }
    for (size_t r = 0; r < s->rings.n; r++) {
        const uint32_t *node = s->rings.node + s->rings.start[r];
        uint32_t length = s->rings.start[r + 1] - s->rings.start[r];
        for (uint32_t a = 0; a < length; a++) {
            for (uint32_t b = a + 2; b < length; b++)
                shorten(distance, n, node[a], node[b], rg_polygon_chord(length, b - a));
        }
    }
    for (uint32_t k = 0; k < n; k++) {
        const float *row = distance + (size_t)k * n;
        for (uint32_t i = 0; i < n; i++) {
            float there = distance[(size_t)i * n + k], *to = distance + (size_t)i * n;
            for (uint32_t j = 0; j < n; j++) {
                if (there + row[j] < to[j])
                    to[j] = there + row[j];
            }
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t a = s->core.row[i]; a < s->core.row[i + 1]; a++)
            distance[(size_t)i * n + s->core.col[a]] = 1;
    }
}

/* Start k: two of the strongest axes, or the first two shaken. */
static rg_status start(skeleton *s, int k, rg_error *err)
{
    static const int axes[][2] = {{0, 1}, {0, 2}, {1, 2}};
    rg_status status =
        rg_component_scale(&s->core, s->distance, axes[k % 3][0], axes[k % 3][1], err);
    for (uint32_t i = 0; !status && k >= 3 && i < s->core.n; i++) {
        s->core.at[i].x += 3 * (rg_random_unit(4, (uint64_t)k, 2 * i) - 0.5);
        s->core.at[i].y += 3 * (rg_random_unit(4, (uint64_t)k, 2 * i + 1) - 0.5);
    }
    return status;
}

/* Refined until no ring is twisted, or for some rounds; then what sticks out is turned over. */
static rg_status settle(rg_component *part, const rg_rings *rings, unsigned rounds, rg_error *err)
{
    bool changed = true;
    rg_status status = RG_OK;
    if (part->n > 200) /* a round costs the square of the nodes */
        rounds = rounds * 200 / part->n;
    for (int k = 0; k < 3 && changed && !status; k++) {
        status = rg_component_round(&changed, part, rings, err);
        if (!status && (changed || k == 0))
            status = rg_component_refine(part, rings, rounds, err);
    }
    for (int k = 0; k < 3 && !status && (k == 0 || rg_component_clutter(part, rings) > 0.01); k++) {
        status = rg_component_flip(part, rings, err);
        if (!status)
            status = rg_component_refine(part, rings, rounds, err);
    }
    return status;
}

/* Of several starts the one with the least clutter in the end; the first that has none is fine. */
static rg_status lay_core(skeleton *s, rg_error *err)
{
    int starts = s->core.n <= 60 ? STARTS : s->core.n <= 150 ? STARTS / 2 : 2;
    double least = -1;
    rg_status status = RG_OK;
    for (int k = 0; k < starts && !status && (least < 0 || least > 0.01); k++) {
        status = start(s, k, err);
        if (status)
            break;
        rg_component_stress(&s->core, s->distance, 150);
        status = settle(&s->core, &s->rings, 150, err);
        double clutter = rg_component_clutter(&s->core, &s->rings);
        if (!status && (least < 0 || clutter < least - 0.01)) {
            least = clutter;
            memcpy(s->best, s->core.at, s->core.n * sizeof *s->best);
        }
    }
    if (!status)
        memcpy(s->core.at, s->best, s->core.n * sizeof *s->best);
    return status;
}

/* Where the widest gap around core node k begins, in turns, and how wide it is. The inside of a
 * small ring is no place for a leaf. */
static void widest_gap(const skeleton *s, uint32_t k, double *from, double *width)
{
    double turns[DEGREE], widest = 0;
    uint32_t neighbour[DEGREE], n = 0;
    for (uint32_t a = s->core.row[k]; a < s->core.row[k + 1]; a++) {
        rg_point p = s->core.at[s->core.col[a]], here = s->core.at[k];
        double turn = rg_turns(p.x - here.x, p.y - here.y);
        uint32_t at = n++;
        for (; at > 0 && turns[at - 1] > turn; at--) {
            turns[at] = turns[at - 1];
            neighbour[at] = neighbour[at - 1];
        }
        turns[at] = turn;
        neighbour[at] = s->core.col[a];
    }
    *from = 0;
    *width = 1;
    for (uint32_t a = 0; a < n; a++) {
        double gap = a + 1 < n ? turns[a + 1] - turns[a] : turns[0] + 1 - turns[a];
        uint32_t ring = rg_rings_through(&s->rings, k, neighbour[a], neighbour[(a + 1) % n]);
        double worth = ring && ring < 10 && gap < 0.5 ? gap / 4 : gap;
        if (a == 0 || worth > widest + 1e-6) {
            *from = turns[a];
            *width = gap;
            widest = worth;
        }
    }
}

/* How far a point is from all core nodes but k, and from leaves that are there already. */
static double clearance(const skeleton *s, uint32_t k, rg_point p)
{
    const rg_component *part = s->part;
    double least = 1e9;
    for (uint32_t c = 0; c < s->core.n; c++) {
        uint32_t i = s->node[c];
        double here = c == k ? 1e9 : rg_point_distance(s->core.at[c], p);
        for (uint32_t a = part->row[i]; a < part->row[i + 1] && c < k; a++)
            if (s->number[part->col[a]] == UINT32_MAX)
                here = fmin(here, rg_point_distance(part->at[part->col[a]], p));
        least = here < least ? here : least;
    }
    return least;
}

/* A chain that ends, or of three nodes: to the side where there is more room. */
static double bend(const skeleton *s, uint32_t k, double from)
{
    double room[2];
    for (int side = 0; side < 2; side++) {
        double turn = from + (side ? 2.0 : 1.0) / 3;
        turn -= turn >= 1 ? 1 : 0;
        room[side] = clearance(
            s, k,
            (rg_point){s->core.at[k].x + rg_cos_turns(turn), s->core.at[k].y + rg_sin_turns(turn)});
    }
    return room[1] > room[0] + 1e-6 ? 2.0 / 3 : 1.0 / 3;
}

static void place_leaves(skeleton *s)
{
    rg_component *part = s->part;
    for (uint32_t k = 0; k < s->core.n; k++) {
        uint32_t i = s->node[k],
                 leaves = rg_component_degree(part, i) - rg_component_degree(&s->core, k);
        double from, width, share;
        part->at[i] = s->core.at[k];
        widest_gap(s, k, &from, &width);
        /* a node of nothing but leaves has no neighbour at either end of the gap */
        share = width / (leaves + (rg_component_degree(&s->core, k) > 0));
        if (leaves + rg_component_degree(&s->core, k) == 2 && width >= 1 && !part->straight[i])
            share = bend(s, k, from);
        uint32_t done = 0;
        for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++) {
            if (s->number[part->col[a]] != UINT32_MAX)
                continue;
            double turn = from + share * ++done;
            turn -= turn >= 1 ? 1 : 0;
            part->at[part->col[a]].x = part->at[i].x + rg_cos_turns(turn);
            part->at[part->col[a]].y = part->at[i].y + rg_sin_turns(turn);
        }
    }
}

static rg_status lay(skeleton *s, rg_error *err)
{
    rg_status status = rg_rings_find(&s->rings, &s->core, err);
    if (status)
        return status;
    measure(s);
    status = lay_core(s, err);
    if (status)
        return status;
    place_leaves(s);
    for (size_t k = 0; s->rings.n && k < s->rings.start[s->rings.n]; k++)
        s->rings.node[k] = s->node[s->rings.node[k]];
    return settle(s->part, &s->rings, 300, err);
}

rg_status rg_component_skeleton(bool *done, rg_component *part, rg_error *err)
{
    uint32_t n_core;
    *done = false;
    if (part->n < 3 || !is_skeleton(part, &n_core))
        return RG_OK;
    skeleton s = {.part = part};
    rg_status status = build_core(&s, n_core, err);
    if (!status)
        status = lay(&s, err);
    *done = !status;
    rg_component_free(&s.core);
    rg_rings_free(&s.rings);
    rg_free(s.node);
    rg_free(s.number);
    rg_free(s.distance);
    rg_free(s.best);
    return status;
}
