/* test_logistic.c - logistic regression: conditions of the optimum, a slow twin, known answers, and what the
 * baseline makes of it. */
#include "support/support.h"

#include "base/random.h"
#include "linear/logistic.h"

#include <math.h>
#include <string.h>

enum { ROWS = 60, COLS = 12 };

typedef struct logistic_problem {
    uint64_t col[COLS + 1];
    uint32_t row[ROWS * COLS];
    double value[ROWS * COLS], sign[ROWS], cost[ROWS];
    rg_columns x;
    rg_logistic_task task;
} logistic_problem;

/* A third of the entries; rows 0, 7, 14 .. do not count. */
static void fill(logistic_problem *p, double c, bool l1, uint64_t seed)
{
    size_t n = 0;
    memset(p, 0, sizeof *p);
    for (uint32_t j = 0; j < COLS; j++) {
        for (uint32_t i = 0; i < ROWS; i++)
            if (rg_random_below(seed, 1, i * COLS + j, 3) == 0) {
                p->row[n] = i;
                p->value[n++] = rg_random_normal(seed, 2, i * COLS + j);
            }
        p->col[j + 1] = n;
    }
    for (uint32_t i = 0; i < ROWS; i++) {
        p->sign[i] = i % 7 == 0 ? 0 : rg_random_below(seed, 3, i, 3) ? 1 : -1;
        p->cost[i] = c;
    }
    p->x = (rg_columns){ROWS, COLS, p->col, p->row, p->value};
    p->task = (rg_logistic_task){.x = &p->x, .sign = p->sign, .cost = p->cost, .l1 = l1};
}

static double objective(const logistic_problem *p, const double *w, double b)
{
    double z[ROWS], sum = 0;
    for (uint32_t i = 0; i < ROWS; i++)
        z[i] = b;
    for (uint32_t j = 0; j < COLS; j++) {
        sum += p->task.l1 ? fabs(w[j]) : w[j] * w[j] / 2;
        for (uint64_t k = p->col[j]; k < p->col[j + 1]; k++)
            z[p->row[k]] += w[j] * p->value[k];
    }
    for (uint32_t i = 0; i < ROWS; i++)
        if (p->sign[i] != 0)
            sum += p->cost[i] * log1p(exp(-p->sign[i] * z[i]));
    return sum;
}

/* Moves one number at a time by smaller and smaller steps. */
static double optimise_slowly(const logistic_problem *p)
{
    double w[COLS + 1] = {0}, best = objective(p, w, 0);
    for (double by = 1; by > 1e-7;) {
        bool better = false;
        for (uint32_t j = 0; j <= COLS; j++)
            for (int side = -1; side <= 1; side += 2) {
                double old = w[j];
                w[j] += side * by;
                double now = objective(p, w, w[COLS]);
                if (now < best) {
                    best = now;
                    better = true;
                } else
                    w[j] = old;
            }
        by = better ? by : by / 2;
    }
    return best;
}

static void the_objective_is_that_of_a_slow_twin(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++)
        for (int l1 = 0; l1 < 2; l1++)
            for (int e = -2; e <= 4; e += 3) {
                logistic_problem p;
                double w[COLS] = {0}, b = 0;
                uint32_t sweeps = 0;
                fill(&p, ldexp(1, e), l1, seed);
                ASSERT_OK(rg_logistic_train(w, &b, &sweeps, &p.task, err));
                double found = objective(&p, w, b), twin = optimise_slowly(&p);
                assert_true(sweeps > 0);
                assert_true(found <= twin * (1 + 2e-4));
            }
}

static void l1_leaves_few_weights_where_data_count_little(void **state)
{
    (void)state;
    logistic_problem p;
    double w[COLS] = {0}, b = 0;
    uint32_t sweeps;
    size_t few = 0, many = 0;
    fill(&p, 0.02, true, 5);
    ASSERT_OK(rg_logistic_train(w, &b, &sweeps, &p.task, err));
    for (uint32_t j = 0; j < COLS; j++)
        few += w[j] != 0;
    fill(&p, 100, true, 5);
    ASSERT_OK(rg_logistic_train(w, &b, &sweeps, &p.task, err));
    for (uint32_t j = 0; j < COLS; j++)
        many += w[j] != 0;
    assert_int_equal(few, 0);
    assert_int_equal(many, COLS);
}

/* Nothing but b: the log of the odds. */
static void without_columns_the_answer_is_the_share(void **state)
{
    (void)state;
    static const double sign[] = {1, 1, 1, -1}, cost[] = {1, 1, 1, 1};
    static const uint64_t col[] = {0};
    rg_columns x = {4, 0, col, NULL, NULL};
    rg_logistic_task task = {.x = &x, .sign = sign, .cost = cost};
    double b = 0, none = 0;
    uint32_t sweeps;
    ASSERT_OK(rg_logistic_train(&none, &b, &sweeps, &task, err));
    assert_true(fabs(b - log(3)) < 1e-2);
}

static void the_bits_are_the_same_on_every_processor(void **state)
{
    (void)state;
    static const rg_cpu cpus[] = {RG_CPU_PORTABLE, RG_CPU_AVX2, RG_CPU_AVX512};
    double first[COLS] = {0}, first_b = 0;
    for (size_t k = 0; k < 3; k++) {
        logistic_problem p;
        double w[COLS] = {0}, b = 0;
        uint32_t sweeps;
        fill(&p, 1, false, 9);
        p.task.cpu = cpus[k]; /* what this processor lacks becomes what it has */
        ASSERT_OK(rg_logistic_train(k ? w : first, k ? &b : &first_b, &sweeps, &p.task, err));
        if (k) {
            assert_memory_equal(w, first, sizeof w);
            assert_memory_equal(&b, &first_b, sizeof b);
        }
    }
}

static rg_status again(void *context, rg_error *err)
{
    double w[COLS] = {0}, b = 0;
    uint32_t sweeps;
    return rg_logistic_train(w, &b, &sweeps, &((logistic_problem *)context)->task, err);
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    logistic_problem p;
    fill(&p, 1, true, 2);
    assert_int_equal(test_allocation_sweep(again, &p), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_objective_is_that_of_a_slow_twin),
        cmocka_unit_test(l1_leaves_few_weights_where_data_count_little),
        cmocka_unit_test(without_columns_the_answer_is_the_share),
        cmocka_unit_test(the_bits_are_the_same_on_every_processor),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
