/* test_math.c - exp, tanh, log, cos: error in units in the last place, special values, and the same
 * bits for every processor, number of lanes and place in an array. */
#include "support/support.h"

#include "base/elementary.h"
#include "base/random.h"
#include "math/kernels.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHUNK = 4096 };

typedef struct limit {
    double exp, tanh; /* stated in src/math/elementary.inc */
} limit;
static const limit stated = {1.0, 3.0};

/* Distance of `got` from the true value, in units of the last place of a number near `want` that
 * has `digits` bits and a smallest exponent. */
static double ulps(long double got, long double want, int digits, int smallest)
{
    if (isnan(want))
        return isnan(got) ? 0 : INFINITY;
    if (got == want)
        return 0;
    if (isinf(got) || isinf(want))
        return INFINITY;
    int exponent = want == 0 ? smallest : ilogbl(want) - digits + 1;
    if (exponent < smallest)
        exponent = smallest;
    return (double)fabsl(scalbnl(got - want, -exponent));
}

static long double rounded_limit(long double want, rg_precision kind)
{
    /* a true value above the largest number counts as infinite */
    if (kind == RG_FLOAT)
        return (long double)(float)want > FLT_MAX ? (long double)INFINITY : want;
    return (long double)(double)want > (long double)DBL_MAX ? (long double)INFINITY : want;
}

/* The largest errors of exp and tanh over `n` values in x, which are reals of `kind`. */
static void errors(limit *most, const void *x, size_t n, rg_precision kind)
{
    const rg_kernels *kernels = rg_kernels_get(kind, 1, rg_cpu_best());
    double y[CHUNK], z[CHUNK];
    kernels->exp(y, n, x);
    kernels->tanh(z, n, x);
    for (size_t k = 0; k < n; k++) {
        long double at, e, t;
        int digits = kind == RG_FLOAT ? 24 : 53, smallest = kind == RG_FLOAT ? -149 : -1074;
        if (kind == RG_FLOAT) {
            at = ((const float *)x)[k];
            e = ((float *)(void *)y)[k];
            t = ((float *)(void *)z)[k];
        } else {
            at = ((const double *)x)[k];
            e = y[k];
            t = z[k];
        }
        double off = ulps(e, rounded_limit(expl(at), kind), digits, smallest);
        if (off > most->exp)
            most->exp = off;
        off = ulps(t, tanhl(at), digits, smallest);
        if (off > most->tanh)
            most->tanh = off;
        assert_true(isnan(at) || (signbit(t) != 0) == (signbit(at) != 0));
    }
}

static void check_limit(const limit *most, const char *what)
{
    print_message("%s: largest error in ulp: exp %.3f, tanh %.3f\n", what, most->exp, most->tanh);
    assert_true(most->exp <= stated.exp);
    assert_true(most->tanh <= stated.tanh);
}

/* Every 1021st of all patterns of 32 bits, so subnormals, infinities and NaN among them. */
static void floats_of_all_kinds_are_within_the_stated_error(void **state)
{
    (void)state;
    limit most = {0, 0};
    float x[CHUNK];
    size_t n = 0;
    for (uint64_t pattern = 0; pattern <= UINT32_MAX; pattern += 1021) {
        uint32_t word = (uint32_t)pattern;
        memcpy(&x[n++], &word, sizeof word);
        if (n == CHUNK) {
            errors(&most, x, n, RG_FLOAT);
            n = 0;
        }
    }
    errors(&most, x, n, RG_FLOAT);
    check_limit(&most, "float, all patterns");
}

/* Where the functions bend: uniform in ranges of growing size, 100 chunks each. */
static void numbers_of_all_sizes_are_within_the_stated_error(void **state)
{
    (void)state;
    static const double ranges[] = {1e-3, 0.35, 0.7, 1.1, 3, 10, 21, 90, 104, 711, 746};
    limit of_float = {0, 0}, of_double = {0, 0};
    float f[CHUNK];
    double d[CHUNK];
    for (size_t r = 0; r < sizeof ranges / sizeof *ranges; r++)
        for (uint64_t chunk = 0; chunk < 40; chunk++) {
            for (size_t k = 0; k < CHUNK; k++) {
                d[k] = ranges[r] * (2 * rg_random_unit(1, r, chunk * CHUNK + k) - 1);
                f[k] = (float)d[k];
            }
            errors(&of_double, d, CHUNK, RG_DOUBLE);
            errors(&of_float, f, CHUNK, RG_FLOAT);
        }
    check_limit(&of_double, "double, ranges");
    check_limit(&of_float, "float, ranges");
}

static void doubles_of_all_kinds_are_within_the_stated_error(void **state)
{
    (void)state;
    limit most = {0, 0};
    double x[CHUNK];
    for (uint64_t chunk = 0; chunk < 250; chunk++) {
        for (size_t k = 0; k < CHUNK; k++) {
            uint64_t word = rg_random_u64(2, 0, chunk * CHUNK + k);
            memcpy(&x[k], &word, sizeof word);
        }
        errors(&most, x, CHUNK, RG_DOUBLE);
    }
    check_limit(&most, "double, all patterns");
}

static void special_values_are_those_of_the_c_library(void **state)
{
    (void)state;
    const double special[] = {0.0,      -0.0,      INFINITY, -INFINITY, NAN,     -NAN,
                              DBL_MIN,  -DBL_MIN,  5e-324,   -5e-324,   DBL_MAX, -DBL_MAX,
                              1e-310,   -1e-310,   1,        -1,        709.7,   709.79,
                              -745.133, -745.134,  88.72,    88.73,     -103.97, -103.98,
                              0x1p-126, -0x1p-149, 0x1p-149, 20,        -20,     19.06};
    enum { N = sizeof special / sizeof *special };
    limit most = {0, 0};
    float f[N];
    for (size_t k = 0; k < N; k++)
        f[k] = (float)special[k];
    errors(&most, special, N, RG_DOUBLE);
    errors(&most, f, N, RG_FLOAT);
    check_limit(&most, "special values");
    double y[N];
    rg_kernels_get(RG_DOUBLE, 1, RG_CPU_PORTABLE)->exp(y, N, special);
    assert_true(y[0] == 1 && y[1] == 1 && isinf(y[2]) && y[3] == 0 && isnan(y[4]));
    rg_kernels_get(RG_DOUBLE, 1, RG_CPU_PORTABLE)->tanh(y, N, special);
    assert_true(y[2] == 1 && y[3] == -1 && isnan(y[5]) && y[8] == 5e-324 && y[9] == -5e-324);
    assert_true(y[0] == 0 && !signbit(y[0]) && signbit(y[1]));
}

/* Activations made of exp: the largest error of each, in units in the last place of a double. */
static void activations_are_close_to_those_of_the_c_library(void **state)
{
    (void)state;
    static const struct {
        rg_activation kind;
        double most;
    } cases[] = {{RG_SIGMOID, 3}, {RG_SOFTPLUS, 4}, {RG_ELU, 3}, {RG_SWISH, 4}};
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best());
    double x[CHUNK], y[CHUNK];
    for (size_t k = 0; k < CHUNK; k++)
        x[k] = (k % 3 ? 8 : 300) * (2 * rg_random_unit(7, 0, k) - 1);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        double off = 0;
        kernels->activation_forward(y, cases[c].kind, CHUNK, x);
        for (size_t k = 0; k < CHUNK; k++) {
            long double v = x[k], s = 1 / (1 + expl(-v));
            long double want = cases[c].kind == RG_SIGMOID ? s
                               : cases[c].kind == RG_SOFTPLUS
                                   ? fmaxl(v, 0) + log1pl(expl(-fabsl(v)))
                               : cases[c].kind == RG_ELU ? (v > 0 ? v : expm1l(v))
                                                         : v * s;
            double ulp = ulps(y[k], want, 53, -1074);
            off = ulp > off ? ulp : off;
        }
        print_message("activation %d: largest error in ulp: %.3f\n", (int)cases[c].kind, off);
        assert_true(off <= cases[c].most);
        double ends[] = {INFINITY, -INFINITY, NAN}, low = cases[c].kind == RG_ELU ? -1 : 0;
        kernels->activation_forward(ends, cases[c].kind, 3, ends);
        assert_true(ends[0] == (cases[c].kind == RG_SIGMOID ? 1 : (double)INFINITY));
        assert_true(ends[1] == low || cases[c].kind == RG_SWISH); /* inf times 0 */
        assert_true(isnan(ends[2]));
    }
}

/* The same value alone, in the middle of a long array and at its end, by every table. NaN has many
 * patterns and only has to stay NaN. */
static void bits_do_not_depend_on_the_width_of_vectors(void **state)
{
    (void)state;
    enum { N = 1037, KINDS = RG_SWISH + 1 };
    static _Alignas(8) char map[KINDS][N * 8];
    for (int kind = RG_FLOAT; kind <= RG_DOUBLE; kind++) {
        size_t size = kind == RG_FLOAT ? sizeof(float) : sizeof(double);
        _Alignas(8) char x[N * 8], want[3][N * 8], got[N * 8];
        const rg_kernels *one = rg_kernels_get((rg_precision)kind, 1, RG_CPU_PORTABLE);
        for (size_t k = 0; k < N; k++) {
            double v = 12 * (2 * rg_random_unit(3, 0, k) - 1) * (k % 7 ? 1 : 60);
            float f = (float)v;
            memcpy(x + k * size, kind == RG_FLOAT ? (void *)&f : (void *)&v, size);
            one->exp(want[0] + k * size, 1, x + k * size);
            one->tanh(want[1] + k * size, 1, x + k * size);
            one->sigmoid(want[2] + k * size, 1, x + k * size);
            for (int a = 0; a < KINDS; a++)
                one->activation_forward(map[a] + k * size, (rg_activation)a, 1, x + k * size);
        }
        for (int cpu = RG_CPU_PORTABLE; cpu <= (int)rg_cpu_best(); cpu++) {
            const rg_kernels *all = rg_kernels_get((rg_precision)kind, 1, (rg_cpu)cpu);
            assert_int_equal(all->cpu, cpu);
            all->exp(got, N, x);
            assert_memory_equal(got, want[0], N * size);
            all->tanh(got, N, x);
            assert_memory_equal(got, want[1], N * size);
            all->sigmoid(got, N, x);
            assert_memory_equal(got, want[2], N * size);
            for (int a = 0; a < KINDS; a++) {
                all->activation_forward(got, (rg_activation)a, N, x);
                assert_memory_equal(got, map[a], N * size);
            }
            memcpy(got, x, N * size);
            all->tanh(got, N, got); /* in place */
            assert_memory_equal(got, want[1], N * size);
        }
    }
}

static void log_is_within_one_unit_in_the_last_place(void **state)
{
    (void)state;
    double most = 0;
    for (uint64_t k = 0; k < 2000000; k++) {
        uint64_t word = rg_random_u64(4, 0, k) >> 1;
        double x, near_one = 0.5 + 1.5 * rg_random_unit(4, 1, k);
        memcpy(&x, &word, sizeof x);
        double off = ulps(rg_log(x), logl(x), 53, -1074);
        most = off > most ? off : most;
        off = ulps(rg_log(near_one), logl(near_one), 53, -1074);
        most = off > most ? off : most;
    }
    print_message("log: largest error %.3f ulp\n", most);
    assert_true(most <= 1);
    assert_true(rg_log(1) == 0 && isinf(rg_log(0)) && rg_log(0) < 0 && isnan(rg_log(-1)));
    assert_true(isinf(rg_log(INFINITY)) && isnan(rg_log(NAN)));
}

static void cosine_of_turns_is_right_to_the_last_bits(void **state)
{
    (void)state;
    const long double turn = 6.283185307179586476925286766559005768L;
    double most = 0;
    for (uint64_t k = 0; k < 1000000; k++) {
        double v = rg_random_unit(5, 0, k);
        double off = (double)fabsl((long double)rg_cos_turns(v) - cosl(turn * v));
        most = off > most ? off : most;
    }
    assert_true(most < 0x1p-52);
    assert_true(rg_cos_turns(0) == 1 && rg_cos_turns(0.5) == -1 && rg_cos_turns(1) == 1);
    assert_true(rg_cos_turns(0.25) == 0 && rg_cos_turns(0.75) == 0);
}

static void there_are_tables_for_one_four_and_eight_lanes(void **state)
{
    (void)state;
    for (uint32_t lanes = 0; lanes < 20; lanes++) {
        const rg_kernels *kernels = rg_kernels_get(RG_FLOAT, lanes, RG_CPU_PORTABLE);
        assert_true((kernels != NULL) == (lanes == 1 || lanes == 4 || lanes == 8));
        if (kernels)
            assert_int_equal(kernels->lanes, lanes);
    }
    assert_int_equal(rg_kernels_get(RG_DOUBLE, 4, RG_CPU_AVX512)->cpu, rg_cpu_best());
    assert_int_equal(rg_kernels_get(RG_DOUBLE, 4, RG_CPU_PORTABLE)->real_size, sizeof(double));
}

static void a_processor_is_asked_for_by_name_and_refused_where_it_is_missing(void **state)
{
    (void)state;
    static const char *const names[] = {"auto", "portable", "avx2", "avx512", NULL};
    rg_cpu best = rg_cpu_best();
    for (int cpu = RG_CPU_AUTO; cpu <= RG_CPU_AVX512 + 1; cpu++) {
        rg_error err = {.message = ""};
        bool missing = cpu > (int)best;
        if (names[cpu])
            assert_string_equal(rg_cpu_name((rg_cpu)cpu), names[cpu]);
        else
            assert_null(rg_cpu_name((rg_cpu)cpu));
        assert_int_equal(rg_cpu_check((rg_cpu)cpu, &err), missing ? RG_EUSAGE : RG_OK);
        assert_int_equal(rg_cpu_resolve((rg_cpu)cpu), missing || !cpu ? (int)best : cpu);
        if (missing && names[cpu]) {
            assert_non_null(strstr(err.message, names[cpu]));
            assert_non_null(strstr(err.message, names[best]));
        }
    }
    assert_int_equal(rg_kernels_get(RG_FLOAT, 1, RG_CPU_AUTO)->cpu, best);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floats_of_all_kinds_are_within_the_stated_error),
        cmocka_unit_test(numbers_of_all_sizes_are_within_the_stated_error),
        cmocka_unit_test(doubles_of_all_kinds_are_within_the_stated_error),
        cmocka_unit_test(special_values_are_those_of_the_c_library),
        cmocka_unit_test(activations_are_close_to_those_of_the_c_library),
        cmocka_unit_test(bits_do_not_depend_on_the_width_of_vectors),
        cmocka_unit_test(log_is_within_one_unit_in_the_last_place),
        cmocka_unit_test(cosine_of_turns_is_right_to_the_last_bits),
        cmocka_unit_test(there_are_tables_for_one_four_and_eight_lanes),
        cmocka_unit_test(a_processor_is_asked_for_by_name_and_refused_where_it_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
