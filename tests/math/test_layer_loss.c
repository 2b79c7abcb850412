/* test_layer_loss.c - losses against formulas in long double, their derivatives against central
 * differences, lanes against runs alone, missing targets, class weights. */
#include "support/support.h"

#include "base/random.h"
#include "math/kernels.h"

#include <math.h>
#include <string.h>

enum { N = 6, M = 4, KINDS = 4, ENTROPY = 0, SQUARED, ABSOLUTE, LOGISTIC };
static const uint32_t classes[N] = {0, 3, 1, 1, 2, 0};
static const double weights[M] = {0.5, 2, 1, 0.25};

static double targets(int kind, size_t k)
{
    if (k == 5)
        return NAN; /* missing */
    double u = rg_random_unit(31, 1, k);
    return kind == LOGISTIC ? (k % 3 ? (double)(u < 0.5) : u) : 4 * u - 2;
}

static void run(const rg_kernels *kernels, int kind, double *loss, void *dz, const void *z,
                const double *weight, double scale)
{
    double target[N * M];
    for (size_t k = 0; k < N * M; k++)
        target[k] = targets(kind, k);
    if (kind == ENTROPY)
        kernels->cross_entropy(loss, dz, N, M, z, classes, weight, scale);
    else if (kind == SQUARED)
        kernels->squared(loss, dz, N, M, z, target, weight, scale);
    else if (kind == ABSOLUTE)
        kernels->absolute(loss, dz, N, M, z, target, weight, scale);
    else
        kernels->logistic(loss, dz, N, M, z, target, weight, scale);
}

static long double formula(int kind, const double *z, const double *weight, double scale)
{
    long double sum = 0;
    for (size_t s = 0; s < N; s++) {
        long double all = 0;
        for (size_t c = 0; c < M; c++) {
            long double v = z[s * M + c], t = targets(kind, s * M + c), w = weight ? weight[c] : 1;
            all += expl(v);
            if (kind == ENTROPY || isnan(t))
                continue;
            if (kind == SQUARED)
                sum += w * (v - t) * (v - t);
            else if (kind == ABSOLUTE)
                sum += w * fabsl(v - t);
            else
                sum -= w * (t * logl(1 / (1 + expl(-v))) + (1 - t) * logl(1 / (1 + expl(v))));
        }
        if (kind == ENTROPY)
            sum -= (weight ? weight[classes[s]] : 1) * logl(expl(z[s * M + classes[s]]) / all);
    }
    return scale * sum;
}

static void fill(double *z, size_t lane)
{
    for (size_t k = 0; k < N * M; k++)
        z[k] = 3 * (2 * rg_random_unit(32, lane, k) - 1);
}

static void losses_and_derivatives_are_those_of_the_formula(void **state)
{
    (void)state;
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best());
    for (int k = 0; k < 2 * KINDS; k++) {
        const double *weight = k % 2 ? weights : NULL;
        double z[N * M], dz[N * M], loss = 1, again = 0, scale = 1.0 / N;
        fill(z, 0);
        run(kernels, k / 2, &loss, dz, z, weight, scale);
        run(kernels, k / 2, &again, NULL, z, weight,
            scale); /* without derivatives; added to loss */
        assert_true(fabsl((long double)loss - 1 - formula(k / 2, z, weight, scale)) < 1e-14L);
        assert_true(fabs(loss - 1 - again) < 1e-14);
        for (size_t at = 0; at < N * M; at++) {
            const double h = 1e-5, kept = z[at];
            z[at] = kept + h;
            long double up = formula(k / 2, z, weight, scale);
            z[at] = kept - h;
            long double want = (up - formula(k / 2, z, weight, scale)) / (2 * h);
            z[at] = kept;
            assert_true(fabsl(want - dz[at]) <= 1e-6L * fmaxl(fabsl(want), 1e-4L));
        }
    }
}

static void lanes_have_the_bits_of_runs_alone(void **state)
{
    (void)state;
    for (int k = 0; k < 4 * KINDS; k++) {
        rg_precision kind = k % 2 ? RG_FLOAT : RG_DOUBLE;
        size_t lanes = k / 2 % 2 ? 4 : 8;
        const rg_kernels *one = rg_kernels_get(kind, 1, RG_CPU_PORTABLE);
        double z[8][N * M], want[8] = {0}, got[8] = {0};
        _Alignas(8) char many[N * M * 64], out[N * M * 64], single[N * M * 8], slope[N * M * 8];
        size_t size = one->real_size;
        for (size_t l = 0; l < lanes; l++) {
            fill(z[l], l);
            for (size_t t = 0; t < N * M; t++) {
                float f = (float)z[l][t];
                memcpy(many + (t * lanes + l) * size,
                       kind == RG_FLOAT ? (void *)&f : (void *)&z[l][t], size);
            }
        }
        for (int cpu = RG_CPU_PORTABLE; cpu <= (int)rg_cpu_best(); cpu++) {
            const rg_kernels *all = rg_kernels_get(kind, (uint32_t)lanes, (rg_cpu)cpu);
            memset(got, 0, sizeof got);
            run(all, k / 4, got, out, many, weights, 0.125);
            for (size_t l = 0; l < lanes; l++) {
                for (size_t t = 0; t < N * M; t++)
                    memcpy(single + t * size, many + (t * lanes + l) * size, size);
                want[l] = 0;
                run(one, k / 4, &want[l], slope, single, weights, 0.125);
                assert_memory_equal(&want[l], &got[l], sizeof *want);
                for (size_t t = 0; t < N * M; t++)
                    assert_memory_equal(slope + t * size, out + (t * lanes + l) * size, size);
            }
        }
    }
}

static void large_values_neither_overflow_nor_vanish(void **state)
{
    (void)state;
    const double z[] = {1000, 0, -1000, 1000};
    const uint32_t right[] = {0, 0};
    double loss = 0, dz[4];
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best());
    kernels->cross_entropy(&loss, dz, 2, 2, z, right, NULL, 1);
    assert_true(loss == 2000 && dz[0] == 0 && dz[2] == -1 && dz[3] == 1);
    const double target[] = {1, 0, 1, 0};
    loss = 0;
    kernels->logistic(&loss, dz, 2, 2, z, target, NULL, 1);
    assert_true(fabs(loss - 2000 - log(2)) < 1e-9);
    assert_true(dz[0] == 0 && dz[1] == 0.5 && dz[2] == -1 && dz[3] == 1);
}

static void missing_targets_add_nothing(void **state)
{
    (void)state;
    const rg_kernels *kernels = rg_kernels_get(RG_FLOAT, 1, rg_cpu_best());
    const float z[] = {5, -5};
    const double target[] = {NAN, NAN};
    for (int kind = SQUARED; kind <= LOGISTIC; kind++) {
        double loss = 0;
        float dz[2] = {7, 7};
        (kind == SQUARED    ? kernels->squared
         : kind == ABSOLUTE ? kernels->absolute
                            : kernels->logistic)(&loss, dz, 1, 2, z, target, NULL, 1);
        assert_true(loss == 0 && dz[0] == 0 && dz[1] == 0);
    }
}

static void softmax_gives_probabilities(void **state)
{
    (void)state;
    double z[N * M], p[N * M];
    fill(z, 0);
    rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best())->softmax(p, N, M, z);
    for (size_t s = 0; s < N; s++) {
        double sum = 0, all = 0;
        for (size_t c = 0; c < M; c++)
            all += exp(z[s * M + c]);
        for (size_t c = 0; c < M; c++) {
            assert_true(fabs(p[s * M + c] - exp(z[s * M + c]) / all) < 1e-15);
            sum += p[s * M + c];
        }
        assert_true(fabs(sum - 1) < 1e-15);
    }
    rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best())->softmax(z, N, M, z); /* in place */
    assert_memory_equal(z, p, sizeof p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(losses_and_derivatives_are_those_of_the_formula),
        cmocka_unit_test(lanes_have_the_bits_of_runs_alone),
        cmocka_unit_test(large_values_neither_overflow_nor_vanish),
        cmocka_unit_test(missing_targets_add_nothing),
        cmocka_unit_test(softmax_gives_probabilities),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
