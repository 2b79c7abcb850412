/* test_svm.c - support vector machines: known answers, a slow twin, the conditions of the optimum,
 * and that a path of C leaves no traces. */
/* threads */
#include "base/alloc.h"
#include "base/pool.h"
#include "base/random.h"
#include "kernel/svm_newton.h"
#include "kernel/svm_path.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

#define EPS 1e-3

/* A matrix with its sides. */
typedef struct problem {
    size_t n, stride;
    float *gram;
    int8_t *side;
    double *beta, *sum;
    rg_svm_point point;
    rg_svm_answer answer;
} problem;

static problem problem_new(size_t n)
{
    problem p = {.n = n, .stride = rg_svm_padded(n)};
    p.gram = calloc(n * p.stride + 1, sizeof *p.gram);
    p.side = calloc(n + 1, 1);
    p.beta = calloc(n + 1, sizeof *p.beta);
    p.sum = calloc(n + 1, sizeof *p.sum);
    assert_true(p.gram && p.side && p.beta && p.sum);
    p.point = (rg_svm_point){.beta = p.beta, .sum = p.sum};
    return p;
}

static void problem_free(problem *p)
{
    free(p->gram);
    free(p->side);
    free(p->beta);
    free(p->sum);
}

/* Cosines of n points with `dims` coordinates; every `skip`-th is in no class, and `noise` of the
 * others in the wrong one. */
static problem problem_random(size_t n, size_t dims, size_t skip, double noise, uint64_t seed)
{
    problem p = problem_new(n);
    double *x = calloc(n * dims + 1, sizeof *x);
    assert_non_null(x);
    for (size_t k = 0; k < n; k++) {
        double square = 0;
        for (size_t d = 0; d < dims; d++) {
            x[k * dims + d] = rg_random_normal(seed, d, k);
            square += x[k * dims + d] * x[k * dims + d];
        }
        for (size_t d = 0; d < dims; d++)
            x[k * dims + d] /= sqrt(square);
        bool wrong = rg_random_unit(seed, 1000, k) < noise;
        p.side[k] = (int8_t)((x[k * dims] > 0.1) != wrong ? 1 : -1);
        if (skip && k % skip == 0)
            p.side[k] = 0;
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < n; b++) {
            double sum = 0;
            for (size_t d = 0; d < dims; d++)
                sum += x[a * dims + d] * x[b * dims + d];
            p.gram[a * p.stride + b] = (float)sum;
        }
    free(x);
    return p;
}

static rg_svm_task task_of(const problem *p, double c, rg_cpu cpu)
{
    return (rg_svm_task){.gram = p->gram,
                         .n = p->n,
                         .stride = p->stride,
                         .side = p->side,
                         .c = c,
                         .eps = EPS,
                         .max_steps = 10000000,
                         .loops = rg_svm_loops_get(cpu)};
}

static void solve(problem *p, double c, rg_cpu cpu)
{
    rg_svm_task task = task_of(p, c, cpu);
    rg_svm_start(&p->point, &task);
    ASSERT_OK(rg_svm_solve(&p->point, &p->answer, &task, err));
}

/* ---- known answers */

static void two_points_lie_on_the_margin(void **state)
{
    (void)state;
    static const struct {
        double c, own, other, alpha, bias;
    } cases[] = {
        /* alpha = min(C, 2 / (K11 + K22 - 2 K12)) */
        {10, 1, 0, 1, 0},   {0.25, 1, 0, 0.25, 0}, {10, 1, -1, 0.5, 0},   {10, 4, 0, 0.25, 0},
        {10, 1, 0.5, 2, 0}, {1, 1, 0.5, 1, 0},     {2048, 1, 1, 2048, 0}, /* the same point on both
                                                                             sides: as far as it
                                                                             goes */
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        problem p = problem_new(2);
        p.gram[0] = p.gram[p.stride + 1] = (float)cases[k].own;
        p.gram[1] = p.gram[p.stride] = (float)cases[k].other;
        p.side[0] = 1;
        p.side[1] = -1;
        solve(&p, cases[k].c, RG_CPU_AVX512);
        assert_true(fabs(p.beta[0] - cases[k].alpha) < 1e-6);
        assert_true(p.beta[1] == -p.beta[0]);
        assert_true(fabs(p.answer.bias - cases[k].bias) < 1e-6);
        assert_int_equal(p.answer.n_support, 2);
        problem_free(&p);
    }
}

static void a_class_alone_is_always_said(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side++) {
        problem p = problem_random(40, 3, 0, 0, 5);
        for (size_t k = 0; k < p.n; k++)
            p.side[k] = (int8_t)(k % 2 ? side : 0);
        solve(&p, 1, RG_CPU_AVX512);
        assert_int_equal(p.answer.n_support, 0);
        assert_true(p.answer.bias == side);
        assert_true(p.answer.gap == 0 && p.answer.steps == 0);
        problem_free(&p);
    }
    problem none = problem_new(0);
    solve(&none, 1, RG_CPU_AVX512);
    assert_true(none.answer.bias == 0);
    problem_free(&none);
}

/* ---- a twin: all pairs, again and again, in double precision */

static double twin(const problem *p, double c)
{
    double *beta = calloc(p->n + 1, sizeof *beta), *f = calloc(p->n + 1, sizeof *f);
    double objective = 0, moved = 1;
    assert_true(beta && f);
    for (size_t k = 0; k < p->n; k++)
        f[k] = p->side[k];
    for (size_t round = 0; round < 100000 && moved > 1e-10 * c; round++) {
        moved = 0;
        for (size_t i = 0; i < p->n; i++)
            for (size_t j = 0; j < p->n; j++) {
                if (i == j || !p->side[i] || !p->side[j] || f[i] <= f[j])
                    continue;
                double a = (double)p->gram[i * p->stride + i] + (double)p->gram[j * p->stride + j] -
                           2 * (double)p->gram[i * p->stride + j];
                double upper = (p->side[i] > 0 ? c : 0) - beta[i];
                double lower = beta[j] - (p->side[j] > 0 ? 0 : -c);
                double delta = fmin(fmin(upper, lower), (f[i] - f[j]) / fmax(a, 1e-12));
                if (delta <= 0)
                    continue;
                beta[i] += delta;
                beta[j] -= delta;
                moved = fmax(moved, delta);
                for (size_t t = 0; t < p->n; t++)
                    f[t] -= delta * ((double)p->gram[i * p->stride + t] -
                                     (double)p->gram[j * p->stride + t]);
            }
    }
    for (size_t k = 0; k < p->n; k++)
        objective += (fabs(beta[k]) + beta[k] * f[k]) / 2;
    free(beta);
    free(f);
    return objective;
}

static void the_maximum_is_that_of_all_pairs_tried_again_and_again(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        problem p = problem_random(4 + seed % 30, 2 + seed % 7, seed % 3 ? 5 : 0, 0.2, seed);
        double c = ldexp(1, (int)(seed % 9) * 2 - 9);
        solve(&p, c, RG_CPU_AVX512);
        double best = twin(&p, c), bound = EPS * c * (double)p.n;
        /* Weak duality: an answer with gap g is at most g sum(alpha) below. */
        if (p.answer.objective > best + 1e-5 * fmax(1, best) ||
            p.answer.objective < best - bound - 1e-5 * fmax(1, best))
            fail_msg("seed %d, C %g: %.9g, expected %.9g", (int)seed, c, p.answer.objective, best);
        problem_free(&p);
    }
}

/* ---- the conditions of the optimum, computed in double precision */

static void check_optimum(const problem *p, double c)
{
    double sum = 0, most = -INFINITY, least = INFINITY;
    for (size_t k = 0; k < p->n; k++) {
        double alpha = p->side[k] * p->beta[k], f = p->side[k];
        sum += p->beta[k];
        assert_true(alpha >= 0 && alpha <= c && (p->side[k] || p->beta[k] == 0));
        for (size_t t = 0; t < p->n; t++)
            f -= p->beta[t] * (double)p->gram[k * p->stride + t];
        if (!p->side[k])
            continue;
        if (p->beta[k] < (p->side[k] > 0 ? c : 0))
            most = fmax(most, f);
        if (p->beta[k] > (p->side[k] > 0 ? 0 : -c))
            least = fmin(least, f);
    }
    assert_true(fabs(sum) <= 1e-9 * c * (double)p->n);
    if (most - least > 1.05 * EPS)
        fail_msg("C %g: the gap is %g", c, most - least);
    assert_true(p->answer.bias >= fmin(most, least) - EPS);
    assert_true(p->answer.bias <= fmax(most, least) + EPS);
}

static void answers_are_optimal_for_small_and_large_c(void **state)
{
    (void)state;
    static const struct {
        size_t n, dims, skip;
        double noise;
    } cases[] = {{500, 4, 0, 0.1}, {700, 30, 7, 0.02}, {900, 6, 2, 0.3}, {300, 400, 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int power = -9; power <= 9; power += 6) {
            problem p = problem_random(cases[k].n, cases[k].dims, cases[k].skip, cases[k].noise, k);
            solve(&p, ldexp(1, power), RG_CPU_AVX512);
            check_optimum(&p, ldexp(1, power));
            problem_free(&p);
        }
}

static void points_that_contradict_each_other_are_no_trouble(void **state)
{
    (void)state;
    problem p = problem_new(200); /* all alike: the matrix has rank 1 */
    for (size_t k = 0; k < p.n; k++) {
        p.side[k] = (int8_t)(k % 3 ? 1 : -1);
        for (size_t t = 0; t < p.n; t++)
            p.gram[k * p.stride + t] = 1;
    }
    for (int power = -11; power <= 15; power += 2) {
        solve(&p, ldexp(1, power), RG_CPU_AVX512);
        check_optimum(&p, ldexp(1, power));
    }
    memset(p.gram, 0, p.n * p.stride * sizeof *p.gram); /* and rows of zeros */
    solve(&p, 4, RG_CPU_AVX512);
    check_optimum(&p, 4);
    problem_free(&p);
}

/* f - A d is the same number everywhere, and the sum of d is 0: the conditions of the optimum. */
static void a_leap_ends_where_no_direction_is_better(void **state)
{
    (void)state;
    enum { MOST = 90 };
    static double matrix[MOST * MOST], f[MOST], d[MOST], room[MOST];
    for (size_t n = 1; n <= MOST; n = n * 3 / 2 + 1) {
        problem p = problem_random(n, 5, 0, 0, n); /* rank 5: singular from 6 on */
        double least = INFINITY, most = -INFINITY, sum = 0;
        for (size_t a = 0; a < n; a++) {
            f[a] = rg_random_normal(3, n, a);
            for (size_t b = 0; b < n; b++)
                matrix[a * n + b] = (double)p.gram[a * p.stride + b];
        }
        assert_true(rg_svm_newton(d, matrix, f, n, room, rg_svm_loops_get(RG_CPU_AVX512)));
        for (size_t a = 0; a < n; a++) {
            double rest = f[a] - 1e-5 * d[a];
            for (size_t b = 0; b < n; b++)
                rest -= (double)p.gram[a * p.stride + b] * d[b];
            least = fmin(least, rest);
            most = fmax(most, rest);
            sum += d[a];
        }
        assert_true(most - least < 1e-4 && fabs(sum) < 1e-4);
        problem_free(&p);
    }
    double wrong[] = {1, 0, 2, 1}; /* no kernel: 2 is more than both ends allow */
    assert_false(rg_svm_newton(d, wrong, f, 2, room, rg_svm_loops_get(RG_CPU_AVX512)));
}

/* ---- the same bits */

static void every_processor_gives_the_same_bits(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        problem a = problem_random(333, 5 + 20 * seed, seed % 2 ? 2 : 0, 0.1, seed);
        problem b = problem_random(333, 5 + 20 * seed, seed % 2 ? 2 : 0, 0.1, seed);
        double c = seed == 2 ? 20 : 2000; /* with many steps, shrinking and Newton steps */
        solve(&a, c, RG_CPU_PORTABLE);
        for (int cpu = RG_CPU_AVX2; cpu <= RG_CPU_AVX512; cpu++) {
            solve(&b, c, (rg_cpu)cpu);
            assert_memory_equal(a.beta, b.beta, a.n * sizeof *a.beta);
            assert_memory_equal(a.sum, b.sum, a.n * sizeof *a.sum);
            assert_memory_equal(&a.answer.bias, &b.answer.bias, sizeof a.answer.bias);
            assert_int_equal(a.answer.steps, b.answer.steps);
        }
        problem_free(&a);
        problem_free(&b);
    }
}

static void a_bound_that_is_far_away_changes_nothing(void **state)
{
    (void)state;
    problem a = problem_random(120, 200, 0, 0, 3), b = problem_random(120, 200, 0, 0, 3);
    double largest = 0;
    solve(&a, 1e6, RG_CPU_AVX512);
    for (size_t t = 0; t < a.n; t++)
        largest = fmax(largest, fabs(a.beta[t]));
    assert_true(largest < 1e5);
    solve(&b, 2 * largest, RG_CPU_AVX512);
    assert_memory_equal(a.beta, b.beta, a.n * sizeof *a.beta);
    problem_free(&a);
    problem_free(&b);
}

/* ---- paths */

static void along(problem *p, rg_svm_paths *paths, double c)
{
    rg_svm_task task = task_of(p, c, RG_CPU_AVX512);
    ASSERT_OK(rg_svm_paths_solve(&p->point, &p->answer, paths, 1, &task, err));
    assert_true(p->point.known);
}

static const double grid[] = {1e-5, 0.000488281250, 0.001, 0.125, 0.2, 1, 2, 10, 128, 3000};
enum { N_GRID = sizeof grid / sizeof *grid };

static void what_was_asked_before_leaves_no_traces(void **state)
{
    (void)state;
    for (int kind = 0; kind < 3; kind++) { /* all, most, few samples are in the task */
        problem one = problem_random(260, 9, kind == 1 ? 4 : 0, 0.1, 8);
        problem all = problem_random(260, 9, kind == 1 ? 4 : 0, 0.1, 8);
        rg_svm_paths *kept = NULL, *small = NULL;
        for (size_t k = 0; kind == 2 && k < one.n; k++)
            one.side[k] = all.side[k] = (int8_t)(k % 4 ? 0 : one.side[k]);
        ASSERT_OK(rg_svm_paths_new(&kept, 1 << 20, err));
        ASSERT_OK(rg_svm_paths_new(&small, 20000, err)); /* some stops are kept, most are not */
        for (size_t k = 0; k < 2 * N_GRID; k++) {
            double c = grid[k * 7 % N_GRID];
            rg_svm_paths *fresh = NULL;
            ASSERT_OK(rg_svm_paths_new(&fresh, 0, err));
            along(&one, fresh, c);
            check_optimum(&one, c);
            rg_svm_paths_free(fresh);
            for (int which = 0; which < 2; which++) {
                along(&all, which ? small : kept, c);
                assert_memory_equal(one.beta, all.beta, one.n * sizeof *one.beta);
                assert_memory_equal(one.sum, all.sum, one.n * sizeof *one.sum);
                assert_memory_equal(&one.answer.bias, &all.answer.bias, sizeof(double));
            }
        }
        rg_svm_paths_free(kept);
        rg_svm_paths_free(small);
        problem_free(&one);
        problem_free(&all);
    }
}

static void other_samples_are_judged_too(void **state)
{
    (void)state;
    for (int few = 0; few < 2; few++) {
        problem p = problem_random(300, 12, 3, 0.05, 4);
        rg_svm_paths *paths = NULL;
        for (size_t k = 0; few && k < p.n; k++)
            p.side[k] = (int8_t)(k % 5 ? 0 : p.side[k]);
        ASSERT_OK(rg_svm_paths_new(&paths, 1 << 20, err));
        along(&p, paths, 5);
        for (size_t k = 0; k < p.n; k++) {
            double sum = 0;
            for (size_t t = 0; t < p.n; t++)
                sum += p.beta[t] * (double)p.gram[k * p.stride + t];
            assert_true(fabs(sum - p.sum[k]) < 0.1 * EPS);
        }
        rg_svm_paths_free(paths);
        problem_free(&p);
    }
}

typedef struct crowd {
    rg_svm_paths *paths;
    problem *problems; /* [item] */
} crowd;

static rg_status ask(void *context, size_t index, unsigned worker, rg_error *err)
{
    crowd *c = context;
    problem *p = &c->problems[index];
    rg_svm_task task = task_of(p, grid[index % N_GRID], RG_CPU_AVX512);
    (void)worker;
    return rg_svm_paths_solve(&p->point, &p->answer, c->paths, 1, &task, err);
}

static void threads_may_share_a_path(void **state)
{
    (void)state;
    enum { N = 3 * N_GRID };
    problem expected[N_GRID];
    for (size_t k = 0; k < N_GRID; k++) {
        rg_svm_paths *own = NULL;
        expected[k] = problem_random(150, 6, 0, 0.1, 2);
        ASSERT_OK(rg_svm_paths_new(&own, 1 << 20, err));
        along(&expected[k], own, grid[k]);
        rg_svm_paths_free(own);
    }
    for (unsigned n_threads = 1; n_threads <= 4; n_threads *= 2) {
        problem problems[N];
        crowd c = {.problems = problems};
        rg_pool *pool = NULL;
        for (size_t k = 0; k < N; k++)
            problems[k] = problem_random(150, 6, 0, 0.1, 2);
        ASSERT_OK(rg_svm_paths_new(&c.paths, 1 << 20, err));
        ASSERT_OK(rg_pool_new(&pool, n_threads, err));
        ASSERT_OK(rg_pool_run(pool, N, ask, &c, err));
        for (size_t k = 0; k < N; k++) {
            assert_memory_equal(problems[k].beta, expected[k % N_GRID].beta, 150 * sizeof(double));
            problem_free(&problems[k]);
        }
        rg_pool_free(pool);
        rg_svm_paths_free(c.paths);
    }
    for (size_t k = 0; k < N_GRID; k++)
        problem_free(&expected[k]);
}

static int enough(void *context)
{
    int *left = context;
    return (*left)-- <= 0;
}

static void it_stops_when_asked_and_keeps_nothing_half_done(void **state)
{
    (void)state;
    problem p = problem_random(900, 5, 0, 0.3, 6), q = problem_random(900, 5, 0, 0.3, 6);
    rg_svm_paths *paths = NULL, *fresh = NULL;
    int left = 0;
    rg_svm_task task = task_of(&p, 300, RG_CPU_AVX512);
    ASSERT_OK(rg_svm_paths_new(&paths, 1 << 20, err));
    ASSERT_OK(rg_svm_paths_new(&fresh, 1 << 20, err));
    task.stop = enough;
    task.context = &left;
    ASSERT_OK(rg_svm_paths_solve(&p.point, &p.answer, paths, 1, &task, err));
    assert_true(p.answer.stopped);
    along(&p, paths, 300);
    assert_false(p.answer.stopped);
    along(&q, fresh, 300);
    assert_memory_equal(p.beta, q.beta, p.n * sizeof *p.beta);
    task.stop = NULL;
    task.max_steps = 10; /* gives up, with an answer that is no worse than nothing */
    rg_svm_start(&p.point, &task);
    ASSERT_OK(rg_svm_solve(&p.point, &p.answer, &task, err));
    assert_true(p.answer.gap > EPS && p.answer.objective > 0 && !p.answer.stopped);
    rg_svm_paths_free(paths);
    rg_svm_paths_free(fresh);
    problem_free(&p);
    problem_free(&q);
}

static rg_status solve_once(void *context, rg_error *err)
{
    problem *p = context;
    rg_svm_paths *paths = NULL;
    rg_svm_task task = task_of(p, 500, RG_CPU_AVX512);
    rg_status status = rg_svm_paths_new(&paths, 1 << 20, err);
    if (!status)
        status = rg_svm_paths_solve(&p->point, &p->answer, paths, 1, &task, err);
    rg_svm_paths_free(paths);
    rg_svm_start(&p->point, &task);
    return status ? status : rg_svm_solve(&p->point, &p->answer, &task, err);
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    problem p = problem_random(400, 12, 0, 0.3, 1); /* steps enough to shrink and to leap */
    assert_true(test_allocation_sweep(solve_once, &p) > 20);
    assert_true(p.answer.steps > 1000);
    for (size_t k = 0; k < p.n; k++)
        p.side[k] = (int8_t)(k % 3 ? 0 : p.side[k]);
    assert_true(test_allocation_sweep(solve_once, &p) > 20);
    problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_points_lie_on_the_margin),
        cmocka_unit_test(a_class_alone_is_always_said),
        cmocka_unit_test(the_maximum_is_that_of_all_pairs_tried_again_and_again),
        cmocka_unit_test(answers_are_optimal_for_small_and_large_c),
        cmocka_unit_test(points_that_contradict_each_other_are_no_trouble),
        cmocka_unit_test(a_leap_ends_where_no_direction_is_better),
        cmocka_unit_test(every_processor_gives_the_same_bits),
        cmocka_unit_test(a_bound_that_is_far_away_changes_nothing),
        cmocka_unit_test(what_was_asked_before_leaves_no_traces),
        cmocka_unit_test(other_samples_are_judged_too),
        cmocka_unit_test(threads_may_share_a_path),
        cmocka_unit_test(it_stops_when_asked_and_keeps_nothing_half_done),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
