/* layout_refine.c - bonds, rings and angles put right, by majorisation again.
 *
 * Terms: edges of length 1; all pairs of a ring at the distances of a regular polygon; two
 * neighbours of a node at the distance that even angles give them; any other two nodes pushed away
 * while they are closer than bonds should be. Where all of them can be had at once (rings that
 * share edges as in a honeycomb, chains, branches) they are. */
#include "layout_component.h"

#include "base/alloc.h"
#include "base/elementary.h"
#include "base/error.h"

#include <string.h>

#define BOND_WEIGHT 3.0
#define RING_WEIGHT 3.0
#define ANGLE_WEIGHT 1.0
#define AWAY_WEIGHT 1.5
#define AWAY 0.95  /* closer than this, nodes push each other */
#define BESIDE 0.7 /* and so do a node and the middle of an edge */
#define BESIDE_WEIGHT 0.7
#define REORDER_EVERY 8 /* rounds after which angles are looked at again */
#define FURTHER 1.6     /* steps are longer than majorisation says: fewer of them */
#define STILL 1e-5
#define SPOKES 64 /* neighbours of one node, at most */

typedef struct refine_work {
    rg_component *part;
    const rg_rings *rings;
    uint32_t *first_ring, *ring_of, *place; /* by node: the rings it is on, and where */
    float *polygon;                         /* by ring's start + step: the chord */
    uint32_t *chord_start;                  /* by node: of its square of chords */
    float *chord;                           /* [neighbour][neighbour]; 0: no term */
    uint32_t *back;                         /* by arc (i,j): the place of i among j's neighbours */
    uint32_t *stamp;                        /* by node: last node that has a term with it */
    void *block;
} refine_work;

static rg_status work_new(refine_work *w, rg_component *part, const rg_rings *rings, rg_error *err)
{
    uint32_t n = part->n, members = rings->n ? rings->start[rings->n] : 0;
    size_t squares = 0;
    for (uint32_t i = 0; i < n; i++)
        squares += (size_t)rg_component_degree(part, i) * rg_component_degree(part, i);
    rg_carve l = {0};
    size_t first = rg_carve_add(&l, (size_t)n + 1, sizeof(uint32_t));
    size_t ring_of = rg_carve_add(&l, members, sizeof(uint32_t));
    size_t place = rg_carve_add(&l, members, sizeof(uint32_t));
    size_t polygon = rg_carve_add(&l, members, sizeof(float));
    size_t start = rg_carve_add(&l, n, sizeof(uint32_t));
    size_t chord = rg_carve_add(&l, squares, sizeof(float));
    size_t back = rg_carve_add(&l, part->row[n], sizeof(uint32_t));
    size_t stamp = rg_carve_add(&l, n, sizeof(uint32_t));
    char *block = rg_carve_alloc(&l);
    if (!block)
        return rg_fail_memory(err, "the layout of a graph");
    *w = (refine_work){.part = part,
                       .rings = rings,
                       .first_ring = (void *)(block + first),
                       .ring_of = (void *)(block + ring_of),
                       .place = (void *)(block + place),
                       .polygon = (void *)(block + polygon),
                       .chord_start = (void *)(block + start),
                       .chord = (void *)(block + chord),
                       .back = (void *)(block + back),
                       .stamp = (void *)(block + stamp),
                       .block = block};
    return RG_OK;
}

static void index_rings(refine_work *w)
{
    const rg_rings *rings = w->rings;
    uint32_t n = w->part->n;
    memset(w->first_ring, 0, ((size_t)n + 1) * sizeof *w->first_ring);
    for (uint32_t k = 0; rings->n && k < rings->start[rings->n]; k++)
        w->first_ring[rings->node[k] + 1]++;
    for (uint32_t i = 0; i < n; i++)
        w->first_ring[i + 1] += w->first_ring[i];
    memset(w->stamp, 0, n * sizeof *w->stamp);
    for (uint32_t r = 0; r < rings->n; r++) {
        for (uint32_t k = rings->start[r]; k < rings->start[r + 1]; k++) {
            uint32_t i = rings->node[k], at = w->first_ring[i] + w->stamp[i]++;
            w->ring_of[at] = r;
            w->place[at] = k - rings->start[r];
            w->polygon[k] =
                (float)rg_polygon_chord(rings->start[r + 1] - rings->start[r], w->place[at]);
        }
    }
}

static void index_arcs(refine_work *w)
{
    const rg_component *part = w->part;
    uint32_t square = 0;
    for (uint32_t i = 0; i < part->n; i++) {
        uint32_t degree = rg_component_degree(part, i);
        w->chord_start[i] = square;
        square += degree * degree;
        for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++) {
            uint32_t j = part->col[a];
            for (uint32_t b = part->row[j]; b < part->row[j + 1]; b++) {
                if (part->col[b] == i)
                    w->back[a] = b - part->row[j];
            }
        }
    }
}

/* Goes up with the angle of (x, y), 0 .. 4; no arc tangent needed. */
static double slope(double x, double y)
{
    double sum = fabs(x) + fabs(y), part = sum > 0 ? y / sum : 0;
    if (x < 0)
        return 2 - part;
    return part < 0 ? 4 + part : part;
}

/* The smallest ring in which a, i, b follow each other: its length; 0: none. */
static uint32_t ring_through(const refine_work *w, uint32_t i, uint32_t a, uint32_t b)
{
    uint32_t least = 0;
    for (uint32_t k = w->first_ring[i]; k < w->first_ring[i + 1]; k++) {
        const uint32_t *node = w->rings->node + w->rings->start[w->ring_of[k]];
        uint32_t n = w->rings->start[w->ring_of[k] + 1] - w->rings->start[w->ring_of[k]];
        uint32_t before = node[(w->place[k] + n - 1) % n], after = node[(w->place[k] + 1) % n];
        if (((before == a && after == b) || (before == b && after == a)) && (!least || n < least))
            least = n;
    }
    return least;
}

/* Angles, in turns, between neighbours that follow each other around i: those of rings are given,
 * a chain bends by a third, the others share what is left. spokes: places, in order. */
static void share_angles(const refine_work *w, uint32_t i, const uint32_t *spokes, uint32_t degree,
                         double *gap)
{
    const uint32_t *col = w->part->col + w->part->row[i];
    double left = 1;
    uint32_t open = 0, heavy = 0, chain = UINT32_MAX;
    for (uint32_t k = 0; k < degree; k++)
        heavy += rg_component_degree(w->part, col[spokes[k]]) > 1;
    for (uint32_t k = 0; k < degree; k++) {
        uint32_t a = col[spokes[k]], b = col[spokes[(k + 1) % degree]];
        uint32_t n = degree > 1 ? ring_through(w, i, a, b) : 0;
        if (degree == 2 && k == 1 && n)
            n = 0; /* the ring takes one of the two sides */
        gap[k] = n ? 0.5 - 1.0 / n : 0;
        left -= gap[k];
        open += gap[k] == 0;
        if (!n && (degree == 2 || (heavy == 2 && rg_component_degree(w->part, a) > 1 &&
                                   rg_component_degree(w->part, b) > 1)))
            chain = k;
    }
    if (w->first_ring[i] == w->first_ring[i + 1] && chain != UINT32_MAX && open > 1 &&
        !w->part->straight[i]) {
        gap[chain] = 1.0 / 3;
        left -= gap[chain];
        open--;
    }
    double share = open ? left / open : 0;
    for (uint32_t k = 0; k < degree; k++) {
        if (gap[k] == 0)
            gap[k] = share > 0.08 ? share : 0.08;
    }
}

static void sort_spokes(const refine_work *w, uint32_t i, uint32_t *spokes, uint32_t degree)
{
    const rg_component *part = w->part;
    double angle[SPOKES];
    for (uint32_t k = 0; k < degree; k++) {
        rg_point to = part->at[part->col[part->row[i] + k]];
        double here = slope(to.x - part->at[i].x, to.y - part->at[i].y);
        uint32_t at = k;
        for (; at > 0 && angle[at - 1] > here; at--) {
            angle[at] = angle[at - 1];
            spokes[at] = spokes[at - 1];
        }
        angle[at] = here;
        spokes[at] = k;
    }
}

/* The chords of node i from the order in which its neighbours stand around it now. */
static void set_chords(refine_work *w, uint32_t i)
{
    uint32_t degree = rg_component_degree(w->part, i), spokes[SPOKES];
    float *square = w->chord + w->chord_start[i];
    double gap[SPOKES];
    memset(square, 0, (size_t)degree * degree * sizeof *square);
    if (degree < 2 || degree > SPOKES)
        return;
    sort_spokes(w, i, spokes, degree);
    share_angles(w, i, spokes, degree, gap);
    const uint32_t *col = w->part->col + w->part->row[i];
    for (uint32_t a = 0; a < degree; a++) {
        double turn = 0;
        for (uint32_t b = a + 1; b < degree; b++) {
            turn += gap[b - 1];
            if (ring_through(w, i, col[spokes[a]], col[spokes[b]]))
                continue;
            double angle = turn < 0 ? 0 : turn > 1 ? 1 : turn;
            float chord = (float)sqrt(2 - 2 * rg_cos_turns(angle));
            square[spokes[a] * degree + spokes[b]] = square[spokes[b] * degree + spokes[a]] = chord;
        }
    }
}

typedef struct pull {
    rg_point here;
    double x, y, sum;
} pull;

static void add(pull *p, rg_point other, double d, double weight)
{
    double dx = p->here.x - other.x, dy = p->here.y - other.y, length = sqrt(dx * dx + dy * dy);
    double part = length > 1e-9 ? d / length : 0;
    p->x += weight * (other.x + part * dx);
    p->y += weight * (other.y + part * dy);
    p->sum += weight;
}

static void add_rings(pull *p, refine_work *w, uint32_t i)
{
    for (uint32_t k = w->first_ring[i]; k < w->first_ring[i + 1]; k++) {
        const uint32_t *node = w->rings->node + w->rings->start[w->ring_of[k]];
        uint32_t n = w->rings->start[w->ring_of[k] + 1] - w->rings->start[w->ring_of[k]];
        const float *polygon = w->polygon + w->rings->start[w->ring_of[k]];
        /* large rings give way to small ones */
        double weight = n <= 8 ? RING_WEIGHT : RING_WEIGHT * 8 / n;
        for (uint32_t step = 2; step + 1 < n; step++) {
            uint32_t j = node[(w->place[k] + step) % n];
            double d = (double)polygon[step];
            add(p, w->part->at[j], d, weight / d);
            w->stamp[j] = i;
        }
    }
}

/* The middles of edges that are not its own push a node away too. */
static void add_edges(pull *p, const refine_work *w, uint32_t i)
{
    const rg_component *part = w->part;
    for (uint32_t a = 0; a < part->n; a++) {
        double near = fabs(part->at[a].x - p->here.x);
        if (a == i || near > BESIDE + 1)
            continue;
        for (uint32_t s = part->row[a]; s < part->row[a + 1]; s++) {
            uint32_t b = part->col[s];
            if (b < a || b == i)
                continue;
            rg_point middle = {(part->at[a].x + part->at[b].x) / 2,
                               (part->at[a].y + part->at[b].y) / 2};
            double dx = p->here.x - middle.x, dy = p->here.y - middle.y;
            if (dx * dx + dy * dy < BESIDE * BESIDE)
                add(p, middle, BESIDE, BESIDE_WEIGHT);
        }
    }
}

/* Returns how far the node went, squared. */
static double move(refine_work *w, uint32_t i)
{
    rg_component *part = w->part;
    pull p = {.here = part->at[i]};
    w->stamp[i] = i;
    add_rings(&p, w, i);
    for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++) {
        uint32_t j = part->col[a], degree = rg_component_degree(part, j);
        const float *chord = w->chord + w->chord_start[j] + (size_t)w->back[a] * degree;
        add(&p, part->at[j], 1, BOND_WEIGHT);
        w->stamp[j] = i;
        for (uint32_t b = 0; b < degree; b++) {
            uint32_t other = part->col[part->row[j] + b];
            w->stamp[other] = i;
            if (chord[b] > 0 && other != i)
                add(&p, part->at[other], (double)chord[b], ANGLE_WEIGHT);
        }
    }
    for (uint32_t j = 0; j < part->n; j++) {
        if (w->stamp[j] == i)
            continue;
        double dx = p.here.x - part->at[j].x, dy = p.here.y - part->at[j].y;
        if (dx * dx + dy * dy < AWAY * AWAY)
            add(&p, part->at[j], AWAY, AWAY_WEIGHT);
    }
    add_edges(&p, w, i);
    if (!(p.sum > 0))
        return 0;
    double dx = p.x / p.sum - p.here.x, dy = p.y / p.sum - p.here.y;
    part->at[i] = (rg_point){p.here.x + FURTHER * dx, p.here.y + FURTHER * dy};
    return dx * dx + dy * dy;
}

rg_status rg_component_refine(rg_component *part, const rg_rings *rings, unsigned rounds,
                              rg_error *err)
{
    refine_work w;
    rg_status status = work_new(&w, part, rings, err);
    if (status)
        return status;
    index_rings(&w);
    index_arcs(&w);
    memset(w.stamp, 0xff, part->n * sizeof *w.stamp);
    for (unsigned round = 0; round < rounds; round++) {
        if (round % REORDER_EVERY == 0) {
            for (uint32_t i = 0; i < part->n; i++)
                set_chords(&w, i);
        }
        double most = 0;
        for (uint32_t i = 0; i < part->n; i++) {
            double moved = move(&w, i);
            most = moved > most ? moved : most;
        }
        if (most < STILL * STILL)
            break;
    }
    rg_free(w.block);
    return RG_OK;
}
