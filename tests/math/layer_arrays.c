/* layer_arrays.c - see layer_arrays.h. */
#include "layer_arrays.h"

#include "support/support.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

double layer_value(const layer_case *layer, size_t array, size_t k, size_t lane)
{
    double v = 2 * rg_random_unit(strlen(layer->name), array, k * RG_MAX_LANES + lane) - 1;
    return v < 0 ? 0.95 * v - 0.05 : 0.95 * v + 0.05; /* no kink of relu is near */
}

static void put(void *array, size_t k, rg_precision kind, double v)
{
    if (kind == RG_FLOAT)
        ((float *)array)[k] = (float)v;
    else
        ((double *)array)[k] = v;
}

static void sheet_make(layer_arrays *s, const layer_case *layer, const rg_kernels *kernels,
                       size_t first)
{
    memset(s, 0, sizeof *s);
    s->kernels = kernels;
    s->context = layer->context;
    s->first_lane = first;
    for (size_t a = 0; a < LAYER_ARRAYS; a++) {
        size_t lanes = kernels->lanes;
        bool filled = a == 1 || (a >= 2 && a <= 6 && a % 2 == 0);
        if (!layer->n[a])
            continue;
        s->a[a] = calloc(layer->n[a] * lanes, kernels->real_size);
        assert_non_null(s->a[a]);
        for (size_t k = 0; filled && k < layer->n[a]; k++)
            for (size_t l = 0; l < lanes; l++)
                put(s->a[a], k * lanes + l, kernels->precision,
                    layer_value(layer, a, k, first + l));
    }
}

static void sheet_free(layer_arrays *s)
{
    for (size_t a = 0; a < LAYER_ARRAYS; a++)
        free(s->a[a]);
}

static double loss(const layer_case *layer, layer_arrays *s)
{
    const double *y = s->a[0], *dy = s->a[1];
    double sum = 0;
    memset(s->a[0], 0, layer->n[0] * sizeof *y);
    layer->forward(s);
    for (size_t k = 0; k < layer->n[0]; k++)
        sum += y[k] * dy[k];
    return sum;
}

void layer_check_gradients(const layer_case *layer)
{
    const double h = 1e-4;
    layer_arrays s;
    sheet_make(&s, layer, rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best()), 0);
    (void)loss(layer, &s);
    layer->backward(&s);
    size_t n_checked = 0;
    for (size_t a = 2; a <= 6; a += 2)
        for (size_t k = 0; s.a[a + 1] && k < layer->n[a]; k++) {
            double *at = (double *)s.a[a] + k, kept = *at, got = ((double *)s.a[a + 1])[k];
            double value[4], want;
            static const double steps[4] = {1, -1, 2, -2};
            for (int t = 0; t < 4; t++) {
                *at = kept + steps[t] * h;
                value[t] = loss(layer, &s);
            }
            *at = kept;
            /* the error of the fourth order formula is far below the tolerance */
            want = (8 * (value[0] - value[1]) - (value[2] - value[3])) / (12 * h);
            double size = fmax(fmax(fabs(want), fabs(got)), 1e-4);
            if (!(fabs(want - got) <= 1e-6 * size))
                fail_msg("%s: gradient %zu of array %zu is %.17g, differences say %.17g",
                         layer->name, k, a, got, want);
            n_checked++;
        }
    assert_true(n_checked > 0);
    sheet_free(&s);
}

static void compare_lane(const layer_case *layer, const layer_arrays *many,
                         const layer_arrays *alone, size_t l)
{
    size_t size = many->kernels->real_size, lanes = many->kernels->lanes;
    for (size_t a = 0; a < LAYER_ARRAYS; a++)
        for (size_t k = 0; k < layer->n[a]; k++)
            if (memcmp((char *)many->a[a] + (k * lanes + l) * size, (char *)alone->a[a] + k * size,
                       size) != 0)
                fail_msg("%s: array %zu, item %zu: lane %zu of %zu differs from the run alone "
                         "(processor %d, %zu bytes)",
                         layer->name, a, k, l, lanes, (int)many->kernels->cpu, size);
}

void layer_check_lanes(const layer_case *layer)
{
    static const uint32_t counts[] = {1, 4, 8};
    for (int kind = RG_FLOAT; kind <= RG_DOUBLE; kind++)
        for (size_t c = 0; c < 3; c++)
            for (int cpu = RG_CPU_PORTABLE; cpu <= (int)rg_cpu_best(); cpu++) {
                layer_arrays many;
                sheet_make(&many, layer, rg_kernels_get((rg_precision)kind, counts[c], (rg_cpu)cpu),
                           0);
                layer->forward(&many);
                layer->backward(&many);
                for (size_t l = 0; l < counts[c]; l++) {
                    layer_arrays alone;
                    sheet_make(&alone, layer,
                               rg_kernels_get((rg_precision)kind, 1, RG_CPU_PORTABLE), l);
                    layer->forward(&alone);
                    layer->backward(&alone);
                    compare_lane(layer, &many, &alone, l);
                    sheet_free(&alone);
                }
                sheet_free(&many);
            }
}
