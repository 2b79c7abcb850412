/* layout_stress.c - classical scaling, then stress majorisation node by node.
 *
 *     stress = sum over pairs of (|xi - xj| - dij)^2 / dij^2
 *     xi <- sum over j of wij (xj + dij (xi - xj) / |xi - xj|)  /  sum over j of wij
 *
 * A step never raises the stress (Gansner, Koren, North: Graph drawing by stress majorization,
 * 2004).
 */
#include "layout_component.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"

#include <string.h>

#define AXES 3
#define POWER_ROUNDS 80

void rg_component_hops(uint32_t *hops, uint32_t *queue, const rg_component *part, uint32_t from)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t i = 0; i < part->n; i++)
        hops[i] = UINT32_MAX;
    hops[from] = 0;
    queue[tail++] = from;
    while (head < tail) {
        uint32_t i = queue[head++];
        for (uint32_t a = part->row[i]; a < part->row[i + 1]; a++) {
            uint32_t j = part->col[a];
            if (hops[j] == UINT32_MAX) {
                hops[j] = hops[i] + 1;
                queue[tail++] = j;
            }
        }
    }
}

/* y = B x, B = -1/2 J D^2 J; mean: of the rows of D^2; x has mean 0. */
static void multiply(double *y, const double *x, const float *distance, const double *mean,
                     uint32_t n)
{
    double shift = 0, total = 0;
    for (uint32_t i = 0; i < n; i++)
        shift += mean[i] * x[i];
    for (uint32_t i = 0; i < n; i++) {
        const float *row = distance + (size_t)i * n;
        double sum = 0;
        for (uint32_t j = 0; j < n; j++)
            sum += (double)row[j] * (double)row[j] * x[j];
        y[i] = -0.5 * (sum - shift);
        total += y[i];
    }
    for (uint32_t i = 0; i < n; i++)
        y[i] -= total / n;
}

/* Makes x orthogonal to `before` other vectors of length 1 (n each) and of length 1; false: nothing
 * is left of it. */
static bool normalise(double *x, const double *others, int before, uint32_t n)
{
    for (int k = 0; k < before; k++) {
        const double *other = others + (size_t)k * n;
        double dot = 0;
        for (uint32_t i = 0; i < n; i++)
            dot += x[i] * other[i];
        for (uint32_t i = 0; i < n; i++)
            x[i] -= dot * other[i];
    }
    double norm = 0;
    for (uint32_t i = 0; i < n; i++)
        norm += x[i] * x[i];
    norm = sqrt(norm);
    if (!(norm > 1e-12))
        return false;
    for (uint32_t i = 0; i < n; i++)
        x[i] /= norm;
    return true;
}

static void start_vector(double *x, int axis, uint32_t n)
{
    double total = 0;
    for (uint32_t i = 0; i < n; i++) {
        x[i] = rg_random_unit(1, (uint64_t)axis, i) - 0.5;
        total += x[i];
    }
    for (uint32_t i = 0; i < n; i++)
        x[i] -= total / n;
}

rg_status rg_component_scale(rg_component *part, const float *distance, int axis, int other,
                             rg_error *err)
{
    uint32_t n = part->n;
    double *axes = rg_alloc(n, (AXES + 2) * sizeof *axes);
    if (!axes)
        return rg_fail_memory(err, "the layout of a graph");
    double *mean = axes + (size_t)AXES * n, *next = mean + n, size[AXES] = {0};
    for (uint32_t i = 0; i < n; i++) {
        mean[i] = 0;
        for (uint32_t j = 0; j < n; j++) {
            double d = (double)distance[(size_t)i * n + j];
            mean[i] += d * d / n;
        }
    }
    for (int k = 0; k < AXES; k++) {
        double *x = axes + (size_t)k * n;
        start_vector(x, k, n);
        bool there = normalise(x, axes, k, n);
        for (int round = 0; there && round < POWER_ROUNDS; round++) {
            multiply(next, x, distance, mean, n);
            there = normalise(next, axes, k, n);
            if (there)
                memcpy(x, next, n * sizeof *x);
        }
        multiply(next, x, distance, mean, n);
        double value = 0;
        for (uint32_t i = 0; there && i < n; i++)
            value += x[i] * next[i];
        size[k] = value > 0 ? sqrt(value) : 0.1; /* never flat: stress could not unfold it */
    }
    for (uint32_t i = 0; i < n; i++) {
        part->at[i].x = axes[(size_t)axis * n + i] * size[axis];
        part->at[i].y = axes[(size_t)other * n + i] * size[other];
    }
    rg_free(axes);
    return RG_OK;
}

double rg_component_stress(rg_component *part, const float *distance, unsigned rounds)
{
    uint32_t n = part->n;
    double before = 0, stress = 0;
    for (unsigned round = 0; round < rounds; round++) {
        stress = 0;
        for (uint32_t i = 0; i < n; i++) {
            const float *row = distance + (size_t)i * n;
            rg_point here = part->at[i];
            double x = 0, y = 0, sum = 0;
            for (uint32_t j = 0; j < n; j++) {
                if (j == i)
                    continue;
                double d = (double)row[j], w = 1 / (d * d);
                double dx = here.x - part->at[j].x, dy = here.y - part->at[j].y;
                double length = sqrt(dx * dx + dy * dy);
                double pull = length > 1e-9 ? d / length : 0;
                x += w * (part->at[j].x + pull * dx);
                y += w * (part->at[j].y + pull * dy);
                sum += w;
                stress += w * (length - d) * (length - d);
            }
            if (sum > 0)
                part->at[i] = (rg_point){x / sum, y / sum};
        }
        if (round > 10 && before - stress < 1e-6 * before)
            break;
        before = stress;
    }
    return n > 1 ? stress / ((double)n * (n - 1)) : 0;
}

/* Of several starts the one that ends with the least stress. */
static rg_status best_start(rg_component *part, const float *distance, unsigned rounds,
                            rg_error *err)
{
    static const int axes[][2] = {{0, 1}, {0, 2}, {1, 2}};
    size_t starts = part->n <= 300 ? 3 : 1;
    double least = 0;
    rg_point *best = rg_alloc(part->n, sizeof *best);
    rg_status status = best ? RG_OK : rg_fail_memory(err, "the layout of a graph");
    for (size_t k = 0; !status && k < starts; k++) {
        status = rg_component_scale(part, distance, axes[k][0], axes[k][1], err);
        if (status)
            break;
        double stress = rg_component_stress(part, distance, rounds);
        if (k == 0 || stress < least * 0.999) {
            least = stress;
            memcpy(best, part->at, part->n * sizeof *best);
        }
    }
    if (!status)
        memcpy(part->at, best, part->n * sizeof *best);
    rg_free(best);
    return status;
}

rg_status rg_component_plain(rg_component *part, rg_error *err)
{
    uint32_t n = part->n;
    if (n > RG_COMPONENT_DENSE)
        return rg_component_sparse(part, err);
    float *distance = rg_alloc((size_t)n * n, sizeof *distance);
    uint32_t *hops = rg_alloc(n, 2 * sizeof *hops);
    rg_status status = distance && hops ? RG_OK : rg_fail_memory(err, "the layout of a graph");
    for (uint32_t i = 0; !status && i < n; i++) {
        rg_component_hops(hops, hops + n, part, i);
        for (uint32_t j = 0; j < n; j++)
            distance[(size_t)i * n + j] = (float)hops[j];
    }
    if (!status)
        status = best_start(part, distance, 300, err);
    rg_free(distance);
    rg_free(hops);
    return status;
}
