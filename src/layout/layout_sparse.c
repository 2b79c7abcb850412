/* layout_sparse.c - stress over edges and pivots: large parts without a matrix.
 *
 * A pivot stands for the nodes around it: the term of node i and pivot p has the weight of those of
 * p's nodes that are at least twice as near to p as i is (Ortmann, Klimenta, Brandes: A sparse
 * stress model, 2016). The start is classical scaling over the same distances. */
#include "layout_component.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"

#include <string.h>

#define PIVOTS 120
#define ROUNDS 120
#define POWER_ROUNDS 60

typedef struct sparse {
    rg_component *part;
    uint32_t n_pivots;
    uint32_t *pivot, *owner, *nearest; /* owner: number of the pivot that a node belongs to */
    uint32_t *hops;                    /* [pivot][node] */
    float *weight;                     /* [pivot][node] */
    double *centred;                   /* [pivot][node]; squared and centred both ways */
    void *block;
} sparse;

static rg_status sparse_new(sparse *s, rg_component *part, rg_error *err)
{
    uint32_t n = part->n, k = n < PIVOTS ? n : PIVOTS;
    rg_carve l = {0};
    size_t cells = (size_t)n * k;
    size_t pivot = rg_carve_add(&l, k, sizeof *s->pivot);
    size_t owner = rg_carve_add(&l, n, sizeof *s->owner);
    size_t nearest = rg_carve_add(&l, n, sizeof *s->nearest);
    size_t hops = rg_carve_add(&l, cells, sizeof *s->hops);
    size_t weight = rg_carve_add(&l, cells, sizeof *s->weight);
    size_t centred = rg_carve_add(&l, cells, sizeof *s->centred);
    char *block = rg_carve_alloc(&l);
    if (!block)
        return rg_fail_memory(err, "the layout of a graph");
    *s = (sparse){part,
                  k,
                  (void *)(block + pivot),
                  (void *)(block + owner),
                  (void *)(block + nearest),
                  (void *)(block + hops),
                  (void *)(block + weight),
                  (void *)(block + centred),
                  block};
    return RG_OK;
}

/* Each pivot is the node furthest from those before it. queue: room for n. */
static void choose_pivots(sparse *s, uint32_t *queue)
{
    uint32_t n = s->part->n;
    memset(s->nearest, 0xff, n * sizeof *s->nearest);
    uint32_t next = 0;
    for (uint32_t k = 0; k < s->n_pivots; k++) {
        uint32_t *hops = s->hops + (size_t)k * n, furthest = 0;
        s->pivot[k] = next;
        rg_component_hops(hops, queue, s->part, next);
        for (uint32_t i = 0; i < n; i++) {
            if (hops[i] < s->nearest[i]) {
                s->nearest[i] = hops[i];
                s->owner[i] = k;
            }
            if (s->nearest[i] > furthest) {
                furthest = s->nearest[i];
                next = i;
            }
        }
        if (!furthest)
            s->n_pivots = k + 1;
    }
}

/* counts: room for n + 1. */
static void weigh(sparse *s, uint32_t *counts)
{
    uint32_t n = s->part->n;
    for (uint32_t k = 0; k < s->n_pivots; k++) {
        const uint32_t *hops = s->hops + (size_t)k * n;
        float *weight = s->weight + (size_t)k * n;
        memset(counts, 0, (n + 1) * sizeof *counts);
        for (uint32_t i = 0; i < n; i++) {
            if (s->owner[i] == k)
                counts[hops[i]]++;
        }
        for (uint32_t d = 1; d <= n; d++)
            counts[d] += counts[d - 1];
        for (uint32_t i = 0; i < n; i++) {
            uint32_t d = hops[i];
            weight[i] = d ? (float)counts[d / 2] / ((float)d * (float)d) : 0;
        }
    }
}

static void centre(sparse *s)
{
    uint32_t n = s->part->n, m = s->n_pivots;
    for (uint32_t k = 0; k < m; k++) {
        double *row = s->centred + (size_t)k * n, mean = 0;
        for (uint32_t i = 0; i < n; i++) {
            double d = s->hops[(size_t)k * n + i];
            row[i] = d * d;
            mean += row[i] / n;
        }
        for (uint32_t i = 0; i < n; i++)
            row[i] -= mean;
    }
    for (uint32_t i = 0; i < n; i++) {
        double mean = 0;
        for (uint32_t k = 0; k < m; k++)
            mean += s->centred[(size_t)k * n + i] / m;
        for (uint32_t k = 0; k < m; k++)
            s->centred[(size_t)k * n + i] = -0.5 * (s->centred[(size_t)k * n + i] - mean);
    }
}

/* Makes v[axis] of length 1, and orthogonal to v[0] if it is the other one. */
static void normalise(double v[2][PIVOTS], int axis, uint32_t m)
{
    double dot = 0, square = 0;
    for (uint32_t k = 0; axis && k < m; k++)
        dot += v[0][k] * v[1][k];
    for (uint32_t k = 0; k < m; k++) {
        v[axis][k] -= axis ? dot * v[0][k] : 0;
        square += v[axis][k] * v[axis][k];
    }
    double length = sqrt(square);
    for (uint32_t k = 0; k < m; k++)
        v[axis][k] /= length > 1e-12 ? length : 1;
}

/* The two strongest axes of the centred distances C: a node's place on one is C v, and C'C v is the
 * next v. */
static void scale(sparse *s)
{
    uint32_t n = s->part->n, m = s->n_pivots;
    double v[2][PIVOTS];
    for (int axis = 0; axis < 2; axis++) {
        for (uint32_t k = 0; k < m; k++)
            v[axis][k] = rg_random_unit(2, (uint64_t)axis, k) - 0.5;
        normalise(v, axis, m);
        for (int round = 0; round < POWER_ROUNDS; round++) {
            double next[PIVOTS] = {0};
            for (uint32_t i = 0; i < n; i++) {
                double x = 0;
                for (uint32_t k = 0; k < m; k++)
                    x += s->centred[(size_t)k * n + i] * v[axis][k];
                *(axis ? &s->part->at[i].y : &s->part->at[i].x) = x;
                for (uint32_t k = 0; k < m; k++)
                    next[k] += s->centred[(size_t)k * n + i] * x;
            }
            memcpy(v[axis], next, m * sizeof *next);
            normalise(v, axis, m);
        }
    }
}

/* Brings the start to the size of the distances. */
static void fit_size(sparse *s)
{
    uint32_t n = s->part->n;
    double along = 0, square = 0;
    for (uint32_t k = 0; k < s->n_pivots; k++) {
        for (uint32_t i = 0; i < n; i++) {
            double length = rg_point_distance(s->part->at[i], s->part->at[s->pivot[k]]);
            along += length * s->hops[(size_t)k * n + i];
            square += length * length;
        }
    }
    double factor = square > 0 ? along / square : 1;
    for (uint32_t i = 0; i < n; i++) {
        /* nodes that see the pivots alike start apart, or nothing could part them */
        s->part->at[i].x = s->part->at[i].x * factor + 0.1 * rg_random_unit(3, 0, i);
        s->part->at[i].y = s->part->at[i].y * factor + 0.1 * rg_random_unit(3, 1, i);
    }
}

static void pull(rg_point *sum, double *weights, rg_point here, rg_point other, double d, double w)
{
    double dx = here.x - other.x, dy = here.y - other.y, length = sqrt(dx * dx + dy * dy);
    double part = length > 1e-9 ? d / length : 0;
    sum->x += w * (other.x + part * dx);
    sum->y += w * (other.y + part * dy);
    *weights += w;
}

static void majorise(sparse *s)
{
    rg_component *part = s->part;
    uint32_t n = part->n;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < n; i++) {
            rg_point sum = {0, 0};
            double weights = 0;
            for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++)
                pull(&sum, &weights, part->at[i], part->at[part->col[a]], 1, 1);
            for (uint32_t k = 0; k < s->n_pivots; k++) {
                size_t cell = (size_t)k * n + i;
                if (s->hops[cell] > 1)
                    pull(&sum, &weights, part->at[i], part->at[s->pivot[k]], s->hops[cell],
                         (double)s->weight[cell]);
            }
            if (weights > 0)
                part->at[i] = (rg_point){sum.x / weights, sum.y / weights};
        }
    }
}

rg_status rg_component_sparse(rg_component *part, rg_error *err)
{
    sparse s;
    uint32_t *room = rg_alloc((size_t)part->n + 1, sizeof *room);
    if (!room)
        return rg_fail_memory(err, "the layout of a graph");
    rg_status status = sparse_new(&s, part, err);
    if (!status) {
        choose_pivots(&s, room);
        weigh(&s, room);
        centre(&s);
        scale(&s);
        fit_size(&s);
        majorise(&s);
        rg_free(s.block);
    }
    rg_free(room);
    return status;
}
