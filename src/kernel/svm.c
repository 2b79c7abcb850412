/* svm.c - see svm.h.
 *
 * With f_t = y_t - sum over s of beta_s K_st: beta_t lies in [0, C], or
 * in [-C, 0] for y_t = -1; it may grow below the upper end of that and shrink above the lower one.
 * The optimum has f_i <= f_j for all i that may grow and j that may shrink: the gap is how far that
 * is from true. A step takes the i with the largest f and a partner j, beta_i += delta and beta_j
 * -= delta, which changes the sums by delta (K_i - K_j).
 *
 * Sums are in single precision, and computed anew in double precision before an answer that took
 * many steps is believed. Samples at a bound that look as if they stayed there are left out
 * (shrinking): their rows and columns are copied out of the matrix, row by row when one is first
 * needed. When the others are done, the sums are computed anew for all, and if the gap is open
 * again all take part. */
#include "svm.h"

#include "base/alloc.h"
#include "base/error.h"
#include "svm_newton.h"

#include <math.h>
#include <string.h>

#define TAU 1e-12 /* the least curvature */

enum {
    CHECK_STEPS = 1000, /* from one look at what may be left out, and at `stop`, to the next */
    LINE = 16,          /* numbers in a line of the cache */
    NEWTON_MOST =
        256,        /* beta between the bounds: with more, steps are cheaper than a Newton step */
    NEWTON_ROW = 8, /* Newton steps one after another */
    TRUST_STEPS = 20000, /* after that many the sums are no longer believed */
};

typedef struct solver {
    const rg_svm_task *task;
    rg_svm_point *point;
    double *beta; /* of the point */
    void *block;
    rg_svm_state s;
    uint32_t *sample; /* [place]; whole: place t is sample t */
    bool whole;       /* every sample has its place, and rows are those of the matrix */
    bool shrunk;      /* some samples of the task have no place */
    size_t n_places;
    float *rows; /* [place][s.n], copied where have[place] */
    bool *have;
    float gap;
    uint64_t steps, newton_at; /* so far, and when it last did a Newton step */
} solver;

/* ---- places */

static void set_bounds(solver *v, size_t place)
{
    int side = v->task->side[v->sample[place]];
    double beta = v->beta[v->sample[place]], c = v->task->c;
    v->s.up[place] = beta < (side > 0 ? c : 0) ? (float)side : -INFINITY;
    v->s.low[place] = beta > (side > 0 ? 0 : -c) ? (float)side : INFINITY;
}

static float f_of(const solver *v, size_t place)
{
    return (float)v->task->side[v->sample[place]] - v->s.sum[place];
}

/* What is behind the last place is never chosen. */
static void pad(solver *v, size_t n)
{
    v->n_places = n;
    v->s.n = rg_svm_padded(n);
    for (size_t k = n; k < v->s.n; k++) {
        v->s.sum[k] = v->s.diag[k] = 0;
        v->s.up[k] = -INFINITY;
        v->s.low[k] = INFINITY;
    }
}

/* Room for copies of rows, none of them made yet. */
static rg_status make_rows(solver *v, rg_error *err)
{
    rg_free(v->rows);
    v->rows = rg_alloc(v->n_places, v->s.n * sizeof *v->rows);
    if (!v->rows)
        return rg_fail_memory(err, "a support vector machine");
    memset(v->have, 0, v->n_places * sizeof *v->have);
    return RG_OK;
}

/* All samples of the task take part, with the sums of the point. */
static rg_status begin(solver *v, rg_error *err)
{
    const rg_svm_task *task = v->task;
    size_t n = 0;
    for (size_t k = 0; k < task->n; k++) {
        if (!v->whole && !task->side[k])
            continue;
        v->sample[n] = (uint32_t)k;
        v->s.sum[n] = (float)v->point->sum[k];
        v->s.diag[n] = task->side[k] ? task->gram[k * task->stride + k] : 0;
        set_bounds(v, n);
        if (!task->side[k]) { /* nothing is asked of its row, which need not be there */
            v->s.up[n] = -INFINITY;
            v->s.low[n] = INFINITY;
        }
        n++;
    }
    pad(v, n);
    v->shrunk = false;
    return v->whole ? RG_OK : make_rows(v, err);
}

static const float *row_of(solver *v, size_t place)
{
    const rg_svm_task *task = v->task;
    const float *all = task->gram + v->sample[place] * task->stride;
    if (!v->rows) {
        /* It is most likely in memory alone. Processors foresee no more than the page they are in.
         */
        for (size_t k = 0; k < task->stride; k += LINE)
            __builtin_prefetch(all + k, 0, 2);
        return all;
    }
    float *own = v->rows + place * v->s.n;
    if (!v->have[place]) {
        task->loops->gather(own, all, v->sample, v->n_places);
        memset(own + v->n_places, 0, (v->s.n - v->n_places) * sizeof *own);
        v->have[place] = true;
    }
    return own;
}

/* Is it at a bound, and on the side of all others that keeps it there? */
static bool in_doubt(const solver *v, size_t place, float most, float least)
{
    const rg_svm_state *s = &v->s;
    bool grows = s->up[place] > -INFINITY, shrinks = s->low[place] < INFINITY;
    return (grows && shrinks) || (grows && f_of(v, place) >= least) ||
           (shrinks && f_of(v, place) <= most);
}

/* Leaves out what is not in doubt, if that is enough to be worth the copies. most: the largest f
 * that may grow. */
static rg_status shrink(solver *v, float most, rg_error *err)
{
    rg_svm_state *s = &v->s;
    size_t n = 0;
    for (size_t k = 0; k < v->n_places; k++)
        n += in_doubt(v, k, most, most - v->gap);
    size_t few = v->rows ? v->n_places / 8 * 7 : v->n_places / 2; /* of copies a copy is cheap */
    if (n == 0 || n > few)
        return RG_OK;
    n = 0;
    for (size_t k = 0; k < v->n_places; k++) {
        if (!in_doubt(v, k, most, most - v->gap))
            continue;
        v->sample[n] = v->sample[k];
        s->sum[n] = s->sum[k];
        s->up[n] = s->up[k];
        s->low[n] = s->low[k];
        s->diag[n++] = s->diag[k];
    }
    pad(v, n);
    v->shrunk = true;
    return make_rows(v, err);
}

/* ---- steps */

/* A new beta; at a bound if it came that far. */
static void move(solver *v, size_t place, double beta)
{
    uint32_t sample = v->sample[place];
    v->beta[sample] = beta;
    set_bounds(v, place);
}

/* The largest f that may grow, at place i, is above the smallest that may shrink by the gap. */
static void find_gap(solver *v, size_t i)
{
    bool any = v->n_places > 0 && v->s.up[i] > -INFINITY;
    float f = any ? f_of(v, i) - v->task->loops->lowest(&v->s) : 0;
    v->gap = f > 0 ? f : 0;
}

/* Changes beta of the places i and j, as far as bounds allow; returns the next i. */
static size_t step(solver *v, size_t i, size_t j, const float *row)
{
    const rg_svm_state *s = &v->s;
    const rg_svm_task *task = v->task;
    const float *other = row_of(v, j);
    double a = fabs((double)s->diag[i] + (double)s->diag[j] - 2 * (double)row[j]);
    double delta = ((double)f_of(v, i) - (double)f_of(v, j)) / (a > TAU ? a : TAU);
    uint32_t x = v->sample[i], y = v->sample[j];
    double upper = task->side[x] > 0 ? task->c : 0, lower = task->side[y] > 0 ? 0 : -task->c;
    double room_x = upper - v->beta[x], room_y = v->beta[y] - lower;
    delta = delta < room_x ? delta : room_x;
    delta = delta < room_y ? delta : room_y;
    move(v, i, delta == room_x ? upper : v->beta[x] + delta);
    move(v, j, delta == room_y ? lower : v->beta[y] - delta);
    return task->loops->update(s, row, other, (float)delta);
}

/* Until the gap is closed among those in doubt, or it is time for something else. *i: the place
 * with the largest f that may grow. True: closed. */
static bool go(solver *v, size_t *i, uint64_t n_steps)
{
    const rg_svm_state *s = &v->s;
    double eps = v->task->eps;
    for (uint64_t end = v->steps + n_steps; v->steps < end; v->steps++, v->point->since++) {
        bool any = v->n_places > 0 && s->up[*i] > -INFINITY;
        const float *row = any ? row_of(v, *i) : NULL;
        size_t j = any ? v->task->loops->partner(s, row, f_of(v, *i), s->diag[*i]) : 0;
        /* The gap is at least what the partner has; it is looked at only if that does not do. */
        if (!any || s->low[j] == INFINITY || (double)(f_of(v, *i) - f_of(v, j)) < eps) {
            find_gap(v, *i);
            if ((double)v->gap < eps)
                return true;
        }
        *i = step(v, *i, j, row);
    }
    find_gap(v, *i);
    return false;
}

/* ---- Newton steps: steps go on and on where the matrix is all but singular and C is large */

/* Places between their bounds. */
static size_t find_free(uint32_t *places, const solver *v)
{
    size_t n = 0;
    for (size_t k = 0; k < v->n_places; k++)
        if (v->s.up[k] > -INFINITY && v->s.low[k] < INFINITY) {
            if (n < NEWTON_MOST)
                places[n] = (uint32_t)k;
            n++;
        }
    return n;
}

/* How far beta may go along d, at most 1; *first: the one that is at its bound then, or n. */
static double find_length(size_t *first, const solver *v, const uint32_t *places, const double *d,
                          size_t n)
{
    double length = 1;
    *first = n;
    for (size_t k = 0; k < n; k++) {
        uint32_t sample = v->sample[places[k]];
        double c = v->task->c, upper = v->task->side[sample] > 0 ? c : 0;
        double room = d[k] > 0 ? upper - v->beta[sample] : upper - c - v->beta[sample];
        if (d[k] != 0 && room / d[k] < length) {
            length = room / d[k];
            *first = k;
        }
    }
    return length;
}

/* room: NEWTON_MOST^2 numbers, then three times NEWTON_MOST, then one per place. False: there is no
 * way on. */
static bool newton_once(solver *v, uint32_t *places, double *room)
{
    double *matrix = room, *f = room + NEWTON_MOST * NEWTON_MOST, *d = f + NEWTON_MOST;
    double *change = d + 2 * NEWTON_MOST;
    size_t n = find_free(places, v), first;
    if (n < 2 || n > NEWTON_MOST)
        return false;
    for (size_t k = 0; k < n; k++) {
        const float *row = row_of(v, places[k]);
        f[k] = (double)f_of(v, places[k]);
        for (size_t t = 0; t <= k; t++)
            matrix[k * n + t] = (double)row[places[t]];
    }
    if (!rg_svm_newton(d, matrix, f, n, d + NEWTON_MOST, v->task->loops))
        return false;
    double length = find_length(&first, v, places, d, n);
    memset(change, 0, v->s.n * sizeof *change);
    for (size_t k = 0; k < n; k++) {
        double beta = v->beta[v->sample[places[k]]], c = v->task->c;
        double upper = v->task->side[v->sample[places[k]]] > 0 ? c : 0;
        v->task->loops->add(change, row_of(v, places[k]), length * d[k], v->s.n);
        move(v, places[k],
             k == first ? (d[k] > 0 ? upper : upper - c)
                        : fmax(upper - c, fmin(upper, beta + length * d[k])));
    }
    for (size_t k = 0; k < v->s.n; k++)
        v->s.sum[k] = (float)((double)v->s.sum[k] + change[k]);
    return first < n;
}

/* Now and then, if few are between their bounds: what it costs is to be less than the steps did. */
static rg_status newton_step(solver *v, rg_error *err)
{
    uint32_t places[NEWTON_MOST];
    size_t n = find_free(places, v);
    if (n < 2 || n > NEWTON_MOST || v->steps - v->newton_at < n * n / 8)
        return RG_OK;
    double *room = rg_alloc((NEWTON_MOST + 3) * NEWTON_MOST + v->s.n, sizeof *room);
    if (!room)
        return rg_fail_memory(err, "a support vector machine");
    for (int k = 0; k < NEWTON_ROW && newton_once(v, places, room); k++)
        continue;
    v->newton_at = v->steps;
    rg_free(room);
    return RG_OK;
}

/* ---- until it is done */

/* The worst violation in the whole task, by the sums of the point. */
static double gap_of(const rg_svm_point *point, const rg_svm_task *task)
{
    double most = -INFINITY, least = INFINITY;
    for (size_t k = 0; k < task->n; k++) {
        if (!task->side[k])
            continue;
        if (point->beta[k] < (task->side[k] > 0 ? task->c : 0))
            most = fmax(most, task->side[k] - point->sum[k]);
        if (point->beta[k] > (task->side[k] > 0 ? 0 : -task->c))
            least = fmin(least, task->side[k] - point->sum[k]);
    }
    return most > least ? most - least : 0;
}

/* What the places say goes into the point. */
static void write_back(solver *v)
{
    for (size_t k = 0; k < v->n_places; k++)
        v->point->sum[v->sample[k]] = (double)v->s.sum[k];
    v->point->known = v->point->known && v->whole;
}

static rg_status solve(solver *v, bool *stopped, rg_error *err)
{
    const rg_svm_task *task = v->task;
    rg_status status = begin(v, err);
    while (!status) {
        size_t i = task->loops->highest(&v->s);
        bool closed = go(v, &i, CHECK_STEPS);
        bool over = v->steps >= task->max_steps;
        if (!closed && !over && task->stop)
            over = *stopped = task->stop(task->context) != 0;
        if (!v->shrunk && (over || (closed && v->point->since <= TRUST_STEPS))) {
            write_back(v);
            return RG_OK;
        }
        if (closed || over) {
            rg_svm_measure(v->point, task);
            v->gap = (float)gap_of(v->point, task);
            if (over || (double)v->gap < task->eps)
                return RG_OK;
            rg_free(v->rows);
            v->rows = NULL;
            status = begin(v, err);
        } else {
            status = shrink(v, f_of(v, i), err);
            if (!status)
                status = newton_step(v, err);
        }
    }
    return status;
}

/* ---- the answer */

/* The bias puts the samples between the bounds, whose f are all but equal, on the margin; without
 * any it is in the middle of what the others allow. */
static void finish(rg_svm_answer *out, solver *v)
{
    const rg_svm_task *task = v->task;
    double sum = 0, most = -INFINITY, least = INFINITY, twice = 0;
    size_t n_free = 0;
    *out = (rg_svm_answer){.gap = (double)v->gap, .steps = v->steps};
    for (size_t k = 0; k < task->n; k++) {
        if (!task->side[k])
            continue;
        double f = task->side[k] - v->point->sum[k], alpha = fabs(v->beta[k]);
        bool grows = v->beta[k] < (task->side[k] > 0 ? task->c : 0);
        bool shrinks = v->beta[k] > (task->side[k] > 0 ? 0 : -task->c);
        twice += alpha + v->beta[k] * f;
        out->n_support += alpha > 0;
        if (grows && shrinks) {
            sum += f;
            n_free++;
        } else if (grows) {
            most = fmax(most, f);
        } else {
            least = fmin(least, f);
        }
    }
    out->objective = twice / 2;
    out->bias = n_free                              ? sum / (double)n_free
                : isfinite(most) && isfinite(least) ? (most + least) / 2
                : isfinite(most)                    ? most
                : isfinite(least)                   ? least
                                                    : 0;
}

static rg_status solver_open(solver *v, rg_svm_point *point, const rg_svm_task *task, rg_error *err)
{
    rg_carve carve = {0};
    size_t n = task->stride, n_task = 0;
    *v = (solver){.task = task, .point = point, .beta = point->beta};
    rg_carve_add(&carve, 4, 16); /* so that all can begin at a line of the cache */
    size_t floats = rg_carve_add(&carve, 4 * n, sizeof *v->s.sum);
    size_t sample = rg_carve_add(&carve, n, sizeof *v->sample);
    size_t have = rg_carve_add(&carve, n, sizeof *v->have);
    v->block = rg_carve_alloc(&carve);
    if (!v->block)
        return rg_fail_memory(err, "a support vector machine");
    char *start = (char *)v->block + (64 - (uintptr_t)v->block % 64) % 64 - 64;
    v->s.sum = (float *)(void *)(start + floats);
    v->s.up = v->s.sum + n;
    v->s.low = v->s.up + n;
    v->s.diag = v->s.low + n;
    v->sample = (uint32_t *)(void *)(start + sample);
    v->have = (bool *)(start + have);
    for (size_t k = 0; k < task->n; k++)
        n_task += task->side[k] != 0;
    v->whole = n_task > task->n / 2;
    return RG_OK;
}

rg_status rg_svm_solve(rg_svm_point *point, rg_svm_answer *out, const rg_svm_task *task,
                       rg_error *err)
{
    solver v;
    bool stopped = false;
    rg_status status = solver_open(&v, point, task, err);
    if (!status)
        status = solve(&v, &stopped, err);
    if (!status) {
        finish(out, &v);
        out->stopped = stopped;
    }
    rg_free(v.rows);
    rg_free(v.block);
    return status;
}

/* ---- points */

void rg_svm_start(rg_svm_point *point, const rg_svm_task *task)
{
    for (size_t k = 0; k < task->n; k++) {
        point->beta[k] = 0;
        point->sum[k] = 0;
    }
    point->known = true;
    point->since = 0;
}

void rg_svm_stretch(rg_svm_point *point, const rg_svm_task *task, double from)
{
    double linear = 0, square = 0; /* the objective is s linear - s s square / 2 */
    size_t bound = 0, between = 0;
    for (size_t k = 0; k < task->n; k++) {
        linear += task->side[k] * point->beta[k];
        square += point->beta[k] * point->sum[k];
        bound += fabs(point->beta[k]) == from;
        between += point->beta[k] != 0 && fabs(point->beta[k]) != from;
    }
    double most = task->c / from, s = fmin(square > 0 ? linear / square : INFINITY, most);
    if (!(s > 1) || bound < between)
        return;
    for (size_t k = 0; k < task->n; k++) {
        bool stays = fabs(point->beta[k]) == from && s == most;
        point->beta[k] = stays ? task->side[k] * task->c : s * point->beta[k];
        point->sum[k] *= s;
    }
}

void rg_svm_measure(rg_svm_point *point, const rg_svm_task *task)
{
    for (size_t k = 0; k < task->n; k++)
        point->sum[k] = 0;
    for (size_t k = 0; k < task->n; k++)
        if (point->beta[k] != 0)
            task->loops->add(point->sum, task->gram + k * task->stride, point->beta[k], task->n);
    point->known = true;
    point->since = 0;
}
