/* test_optimiser.c - optimisers against a slow twin written after torch's documentation, schedules
 * against tables, start values against their moments. */
#include "support/support.h"

#include "base/random.h"
#include "math/start.h"
#include "train/optimiser.h"
#include "train/schedule.h"

#include <math.h>
#include <string.h>

enum { N = 45, STEPS = 12 };

/* torch.optim.Adam, AdamW and SGD as documented, one parameter after another, pow and all. */
typedef struct optimiser_twin {
    long double w[N], m[N], v[N];
} optimiser_twin;

static void twin_step(optimiser_twin *t, const rg_optimiser_options *o, const double *grad,
                      int step, long double lr)
{
    long double norm = 0, factor = 1;
    for (int k = 0; k < N; k++)
        norm += (long double)grad[k] * grad[k];
    if (o->clip > 0)
        factor = fminl(1, o->clip / (sqrtl(norm) + 1e-6L));
    for (int k = 0; k < N; k++) {
        long double g = grad[k] * factor;
        if (o->method == RG_ADAMW)
            t->w[k] *= 1 - lr * o->decay;
        else
            g += o->decay * t->w[k];
        if (o->method == RG_SGD) {
            t->m[k] = step == 1 ? g : o->momentum * t->m[k] + g;
            t->w[k] -= lr * t->m[k];
            continue;
        }
        t->m[k] = o->beta1 * t->m[k] + (1 - (long double)o->beta1) * g;
        t->v[k] = o->beta2 * t->v[k] + (1 - (long double)o->beta2) * g * g;
        long double m = t->m[k] / (1 - powl(o->beta1, step));
        long double v = t->v[k] / (1 - powl(o->beta2, step));
        t->w[k] -= lr * m / (sqrtl(v) + o->eps);
    }
}

static double gradient(int step, size_t k, size_t lane)
{
    /* of very different sizes, and some parameters that never get one */
    double size = pow(10, -(double)(k % 9));
    return k % 11 == 10 ? 0 : size * rg_random_normal(41, lane, (uint64_t)step * N + k);
}

static const struct {
    rg_method method;
    double decay, clip;
} cases[] = {
    {RG_ADAM, 0, 0},     {RG_ADAM, 0.01, 0},  {RG_ADAM, 0, 0.5}, {RG_ADAMW, 0, 0},
    {RG_ADAMW, 0.01, 0}, {RG_ADAMW, 0.1, 1},  {RG_SGD, 0, 0},    {RG_SGD, 0.01, 0},
    {RG_SGD, 0, 0.25},   {RG_SGD, 0.1, 1e-3},
};
enum { CASES = sizeof cases / sizeof *cases };

static rg_optimiser_options options_of(size_t k)
{
    rg_optimiser_options options = rg_optimiser_default();
    options.method = cases[k].method;
    options.decay = cases[k].decay;
    options.clip = cases[k].clip;
    return options;
}

/* Lanes first .. of all: the parameters after STEPS steps, [N][lanes] reals in w (zeroed). */
static void train_parts(void *w, const rg_kernels *kernels, const rg_optimiser_options *options,
                        size_t first, const rg_optimiser_part *parts, size_t n_parts)
{
    size_t lanes = kernels->lanes, n = N * lanes;
    char *block = calloc(4 * n, kernels->real_size);
    assert_non_null(block);
    void *g = block, *m = block + n * kernels->real_size, *v = block + 2 * n * kernels->real_size;
    rg_optimiser optimiser;
    double lr[RG_MAX_LANES];
    for (size_t k = 0; k < n; k++) {
        double value = rg_random_normal(40, first + k % lanes, k / lanes);
        if (kernels->precision == RG_FLOAT)
            ((float *)w)[k] = (float)value;
        else
            ((double *)w)[k] = value;
    }
    rg_optimiser_begin(&optimiser, options, kernels, N, w, g, m, v);
    optimiser.parts = parts;
    optimiser.n_parts = n_parts;
    for (int step = 1; step <= STEPS; step++) {
        for (size_t k = 0; k < n; k++) {
            double value = gradient(step, k / lanes, first + k % lanes);
            if (kernels->precision == RG_FLOAT)
                ((float *)g)[k] = (float)value;
            else
                ((double *)g)[k] = value;
        }
        for (size_t l = 0; l < lanes; l++)
            lr[l] = 0.05 / (double)(step + (int)(first + l)); /* every lane its own */
        rg_optimiser_step(&optimiser, lr);
        for (size_t k = 0; k < n * kernels->real_size; k++)
            assert_int_equal(((char *)g)[k], 0);
    }
    assert_int_equal(optimiser.n_steps, STEPS);
    free(block);
}

static void train(void *w, const rg_kernels *kernels, const rg_optimiser_options *options,
                  size_t first)
{
    train_parts(w, kernels, options, first, NULL, 0);
}

static void parts_have_a_decay_of_their_own(void **state)
{
    static const rg_optimiser_part parts[] = {{3, 0.5}, {3, 7}, {20, 0}, {N, 0.25}};
    (void)state;
    for (size_t c = 0; c < CASES; c++) {
        rg_optimiser_options options = options_of(c);
        if (options.clip > 0) /* one norm for all */
            continue;
        double w[N * 4], alone[N * 4];
        train_parts(w, rg_kernels_get(RG_DOUBLE, 4, rg_cpu_best()), &options, 0, parts, 4);
        for (size_t p = 0, k = 0; p < 4; k = parts[p++].end * 4) {
            options.decay = parts[p].decay;
            train(alone, rg_kernels_get(RG_DOUBLE, 4, rg_cpu_best()), &options, 0);
            if (k < parts[p].end * 4)
                assert_memory_equal(w + k, alone + k, (parts[p].end * 4 - k) * sizeof *w);
        }
    }
}

static void steps_are_those_of_torch(void **state)
{
    (void)state;
    for (size_t c = 0; c < CASES; c++) {
        rg_optimiser_options options = options_of(c);
        double w[N], grad[N];
        float single[N];
        optimiser_twin t = {{0}, {0}, {0}};
        train(w, rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best()), &options, 0);
        train(single, rg_kernels_get(RG_FLOAT, 1, rg_cpu_best()), &options, 0);
        for (size_t k = 0; k < N; k++)
            t.w[k] = rg_random_normal(40, 0, k);
        for (int step = 1; step <= STEPS; step++) {
            for (size_t k = 0; k < N; k++)
                grad[k] = gradient(step, k, 0);
            twin_step(&t, &options, grad, step, 0.05 / (double)step);
        }
        for (size_t k = 0; k < N; k++) {
            assert_true(fabsl(t.w[k] - w[k]) < 1e-13L);
            assert_true(fabsl(t.w[k] - single[k]) < 2e-5L);
        }
    }
}

static void lanes_have_the_bits_of_runs_alone(void **state)
{
    (void)state;
    for (size_t c = 0; c < CASES; c++)
        for (int kind = RG_FLOAT; kind <= RG_DOUBLE; kind++)
            for (size_t lanes = 1; lanes <= 8; lanes = lanes == 1 ? 4 : lanes + 4)
                for (int cpu = RG_CPU_PORTABLE; cpu <= (int)rg_cpu_best(); cpu++) {
                    rg_optimiser_options options = options_of(c);
                    double many[N * 8] = {0}, alone[N] = {0};
                    const rg_kernels *all =
                        rg_kernels_get((rg_precision)kind, (uint32_t)lanes, (rg_cpu)cpu);
                    size_t size = all->real_size;
                    train(many, all, &options, 0);
                    for (size_t l = 0; l < lanes; l++) {
                        train(alone, rg_kernels_get((rg_precision)kind, 1, RG_CPU_PORTABLE),
                              &options, l);
                        for (size_t k = 0; k < N; k++)
                            assert_memory_equal((char *)many + (k * lanes + l) * size,
                                                (char *)alone + k * size, size);
                    }
                }
}

static void a_parameter_without_gradient_does_not_move(void **state)
{
    (void)state;
    rg_optimiser_options options = rg_optimiser_default();
    double w[N];
    train(w, rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best()), &options, 0);
    for (size_t k = 10; k < N; k += 11)
        assert_true(w[k] == rg_random_normal(40, 0, k));
}

static void options_out_of_range_are_named(void **state)
{
    (void)state;
    rg_optimiser_options options = rg_optimiser_default();
    rg_error why;
    ASSERT_OK(rg_optimiser_check(&options, err));
    static const size_t places[] = {
        offsetof(rg_optimiser_options, beta1), offsetof(rg_optimiser_options, beta2),
        offsetof(rg_optimiser_options, eps),   offsetof(rg_optimiser_options, momentum),
        offsetof(rg_optimiser_options, decay), offsetof(rg_optimiser_options, clip)};
    static const char *const names[] = {"beta1", "beta2", "eps", "momentum", "decay", "clip"};
    static const double bad[] = {-1, INFINITY, NAN};
    for (size_t k = 0; k < 6; k++)
        for (size_t b = 0; b < 3; b++) {
            options = rg_optimiser_default();
            memcpy((char *)&options + places[k], &bad[b], sizeof bad[b]);
            assert_int_equal(rg_optimiser_check(&options, &why), RG_EUSAGE);
            assert_non_null(strstr(why.message, names[k]));
        }
    for (int k = 0; k < 5; k++) {
        rg_schedule_options schedule = rg_schedule_default();
        ASSERT_OK(rg_schedule_check(&schedule, err));
        schedule.lr = k == 0 ? 0 : schedule.lr;
        schedule.factor = k == 1 ? 1.5 : schedule.factor;
        schedule.floor = k == 2 ? NAN : schedule.floor;
        schedule.every = k == 3 ? 0 : schedule.every;
        schedule.kind = k == 4 ? RG_COSINE : schedule.kind;
        schedule.epochs = k == 4 ? 0 : schedule.epochs;
        assert_int_equal(rg_schedule_check(&schedule, &why), RG_EUSAGE);
    }
}

static void steps_halve_the_rate_while_it_is_above_the_floor(void **state)
{
    (void)state;
    rg_schedule_options options = rg_schedule_default();
    rg_schedule schedule;
    rg_schedule_begin(&schedule, &options);
    double want = 0.05;
    for (uint32_t epoch = 0; epoch < 200; epoch++) {
        if (epoch > 0 && epoch % 10 == 0 && want > 1e-4)
            want /= 2;
        assert_true(schedule.lr == want && schedule.epoch == epoch);
        rg_schedule_next(&schedule, &options, 0);
    }
    assert_true(want == 0.05 / 512); /* the last halving goes below the floor, as published */
}

static void cosine_goes_from_the_rate_to_the_floor(void **state)
{
    (void)state;
    rg_schedule_options options = rg_schedule_default();
    rg_schedule schedule;
    options.kind = RG_COSINE;
    options.floor = 0.001;
    rg_schedule_begin(&schedule, &options);
    for (uint32_t epoch = 0; epoch < 60; epoch++) {
        double t = epoch < 50 ? epoch / 50.0 : 1;
        double want = 0.001 + 0.049 * (1 + cos(3.14159265358979323846 * t)) / 2;
        assert_true(fabs(schedule.lr - want) < 1e-16);
        rg_schedule_next(&schedule, &options, 0);
    }
    assert_true(schedule.lr == 0.001);
}

static void a_plateau_lowers_the_rate(void **state)
{
    (void)state;
    rg_schedule_options options = {.kind = RG_PLATEAU, .lr = 1, .factor = 0.5, .floor = 0.2};
    static const struct {
        double score, lr;
    } epochs[] = {{5, 1},   {5, 1},     {4, 1},    {5, 0.5},  {6, 0.5},
                  {6, 0.5}, {6, 0.5},   {6, 0.25}, {6, 0.25}, {6, 0.25},
                  {6, 0.2}, {NAN, 0.2}, {6, 0.2},  {6, 0.2},  {7, 0.2}};
    rg_schedule schedule;
    options.patience = 2;
    rg_schedule_begin(&schedule, &options);
    for (size_t k = 0; k < sizeof epochs / sizeof *epochs; k++) {
        rg_schedule_next(&schedule, &options, epochs[k].score);
        assert_true(schedule.lr == epochs[k].lr);
    }
    options.kind = RG_CONSTANT;
    rg_schedule_begin(&schedule, &options);
    rg_schedule_next(&schedule, &options, 0);
    assert_true(schedule.lr == 1);
}

static void start_values_have_the_moments_asked_for(void **state)
{
    (void)state;
    enum { DRAWS = 40000 };
    static double w[DRAWS];
    static const struct {
        rg_start start;
        double mean, deviation, low, high;
    } kinds[] = {
        {{.kind = RG_START_PAPER, .n_possible = 100, .fan_in = 0, .fan_out = 0},
         -0.1,
         0.2,
         -INFINITY,
         INFINITY},
        {{.kind = RG_START_UNIFORM, .n_possible = 100, .fan_in = 0, .fan_out = 0},
         0,
         0.1 / 1.7320508,
         -0.1,
         0.1},
        {{.kind = RG_START_GLOROT, .n_possible = 0, .fan_in = 4, .fan_out = 2},
         0,
         1 / 1.7320508,
         -1,
         1},
        {{.kind = RG_START_FAN_IN, .seen = 25}, 0, 0.2 / 1.7320508, -0.2, 0.2},
        {{.kind = RG_START_FAN_IN, .fan_in = 100}, 0, 0.1 / 1.7320508, -0.1, 0.1},
        {{.kind = RG_START_ZERO, .n_possible = 0, .fan_in = 0, .fan_out = 0}, 0, 0, 0, 0},
        {{.kind = RG_START_ONE, .n_possible = 0, .fan_in = 0, .fan_out = 0}, 1, 0, 1, 1},
    };
    const uint64_t seed[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, RG_CPU_PORTABLE);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        double mean = 0, square = 0;
        rg_start_fill(w, DRAWS, &kinds[k].start, kernels, seed, 3, 0);
        for (size_t t = 0; t < DRAWS; t++) {
            assert_true(w[t] >= kinds[k].low && w[t] <= kinds[k].high);
            mean += w[t] / DRAWS;
            square += w[t] * w[t] / DRAWS;
        }
        assert_true(fabs(mean - kinds[k].mean) < 0.01);
        assert_true(fabs(sqrt(fmax(0, square - mean * mean)) - kinds[k].deviation) < 0.01);
    }
}

static void start_values_of_a_lane_are_those_of_its_seed(void **state)
{
    (void)state;
    const uint64_t seed[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const rg_start start = {.kind = RG_START_PAPER, .n_possible = 50, .fan_in = 0, .fan_out = 0};
    float many[20 * 8], alone[20];
    rg_start_fill(many, 20, &start, rg_kernels_get(RG_FLOAT, 8, RG_CPU_PORTABLE), seed, 3, 100);
    for (size_t l = 0; l < 8; l++) {
        rg_start_fill(alone, 20, &start, rg_kernels_get(RG_FLOAT, 1, RG_CPU_PORTABLE), seed + l, 3,
                      100);
        for (size_t k = 0; k < 20; k++)
            assert_true(many[k * 8 + l] == alone[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_torch),
        cmocka_unit_test(parts_have_a_decay_of_their_own),
        cmocka_unit_test(lanes_have_the_bits_of_runs_alone),
        cmocka_unit_test(a_parameter_without_gradient_does_not_move),
        cmocka_unit_test(options_out_of_range_are_named),
        cmocka_unit_test(steps_halve_the_rate_while_it_is_above_the_floor),
        cmocka_unit_test(cosine_goes_from_the_rate_to_the_floor),
        cmocka_unit_test(a_plateau_lowers_the_rate),
        cmocka_unit_test(start_values_have_the_moments_asked_for),
        cmocka_unit_test(start_values_of_a_lane_are_those_of_its_seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
