/* test_choice.c - how far the best of many is above the truth, and how much of it the correction takes away. */
#include "base/random.h"
#include "results/choice.h"
#include "support/support.h"

#include <math.h>

enum { MANY = 100, FOLDS = 10, TIMES = 200 };

/* Nearly normal: the sum of twelve uniform numbers. */
static double normal(uint64_t stream, uint64_t index)
{
    double sum = -6;
    for (uint64_t k = 0; k < 12; k++)
        sum += rg_random_unit(17, stream, 12 * index + k);
    return sum;
}

typedef struct made_up_table {
    rg_cell at[MANY * FOLDS];
    rg_cells cells;
} made_up_table;

/* Configuration c has the true score 0.7 + apart * c / MANY; every fold is harder or easier for all. */
static void fill(made_up_table *t, uint64_t stream, double apart, size_t n, size_t n_folds)
{
    t->cells = (rg_cells){.n_configurations = n, .n_folds = n_folds, .n_runs = 1, .at = t->at};
    for (size_t c = 0; c < n; c++)
        for (size_t f = 0; f < n_folds; f++)
            t->at[c * n_folds + f] = (rg_cell){.n_runs = 1,
                                               .validation = 0.7 + apart * (double)c / (double)n +
                                                             0.05 * normal(stream, 100000 + f) +
                                                             0.03 * normal(stream, c * FOLDS + f)};
}

/* Mean over many times: how far the score of what is chosen, and the corrected one, are above the truth. */
static void measure(double optimism[2], rg_protocol protocol, double apart, size_t n_folds)
{
    static made_up_table t;
    optimism[0] = optimism[1] = 0;
    for (uint64_t k = 0; k < TIMES; k++) {
        rg_protocol_result result;
        rg_choice choice;
        double truth = 0;
        fill(&t, k, apart, MANY, n_folds);
        ASSERT_OK(rg_protocol_run(&result, protocol, &t.cells, NULL, err));
        ASSERT_OK(rg_choice_judge(&choice, &result, &t.cells, NULL, err));
        assert_int_equal(choice.n_compared, MANY);
        for (size_t f = 0; f < n_folds; f++)
            truth += (0.7 + apart * result.folds[f].configuration / MANY +
                      0.05 * normal(k, 100000 + f)) /
                     (double)n_folds;
        optimism[0] += (result.validation - truth) / TIMES;
        optimism[1] += (choice.corrected - truth) / TIMES;
        rg_protocol_free(&result);
    }
}

static void equal_configurations_keep_less_than_half_of_the_optimism(void **state)
{
    static const rg_protocol protocols[] = {RG_PROTOCOL_FAIR, RG_PROTOCOL_GLOBAL};
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        double optimism[2];
        measure(optimism, protocols[k], 0, FOLDS);
        if (!(optimism[0] > 0.02 && fabs(optimism[1]) < 0.3 * optimism[0]))
            fail_msg("%s: %g, corrected %g", rg_protocol_name(protocols[k]), optimism[0],
                     optimism[1]);
    }
}

static void different_configurations_are_not_pulled_too_far(void **state)
{
    double optimism[2];
    (void)state;
    measure(optimism, RG_PROTOCOL_GLOBAL, 0.2, FOLDS); /* far more than the noise of 0.01 */
    if (!(optimism[0] > 0 && fabs(optimism[1]) < optimism[0]))
        fail_msg("%g, corrected %g", optimism[0], optimism[1]);
}

static void what_is_within_noise_is_counted(void **state)
{
    static made_up_table t;
    rg_protocol_result result;
    rg_choice choice;
    (void)state;
    /* Two configurations whose difference is 0.1 and 0.3 on two folds: 0.2, with an error of 0.1. */
    t.cells = (rg_cells){.n_configurations = 2, .n_folds = 2, .n_runs = 1, .at = t.at};
    const double scores[] = {0.8, 0.9, 0.7, 0.6};
    for (size_t k = 0; k < 4; k++)
        t.at[k] = (rg_cell){.n_runs = 1, .validation = scores[k]};
    ASSERT_OK(rg_protocol_run(&result, RG_PROTOCOL_GLOBAL, &t.cells, NULL, err));
    ASSERT_OK(rg_choice_judge(&choice, &result, &t.cells, NULL, err));
    assert_int_equal(result.configuration, 0);
    assert_true(fabs(choice.noise - 0.1) < 1e-12);
    assert_int_equal(choice.n_within, 0);
    rg_protocol_free(&result);
    t.at[3].validation = 0.9; /* 0.1 and 0: 0.05, with an error of 0.05 */
    t.at[2].validation = 0.72;
    ASSERT_OK(rg_protocol_run(&result, RG_PROTOCOL_GLOBAL, &t.cells, NULL, err));
    ASSERT_OK(rg_choice_judge(&choice, &result, &t.cells, NULL, err));
    t.at[3].validation = 0.95;
    rg_protocol_free(&result);
    ASSERT_OK(rg_protocol_run(&result, RG_PROTOCOL_GLOBAL, &t.cells, NULL, err));
    ASSERT_OK(rg_choice_judge(&choice, &result, &t.cells, NULL, err));
    assert_int_equal(choice.n_within, 1);
    rg_protocol_free(&result);
}

static void one_fold_counts_right_answers(void **state)
{
    static made_up_table t;
    rg_store_fold fold = {.n_validation = 100};
    rg_protocol_result result;
    rg_choice choice;
    (void)state;
    t.cells = (rg_cells){.n_configurations = 3, .n_folds = 1, .n_runs = 1, .at = t.at};
    const double scores[] = {0.8, 0.78, 0.6};
    for (size_t k = 0; k < 3; k++)
        t.at[k] = (rg_cell){.n_runs = 1, .validation = scores[k]};
    ASSERT_OK(rg_protocol_run(&result, RG_PROTOCOL_HOLDOUT, &t.cells, NULL, err));
    ASSERT_OK(rg_choice_judge(&choice, &result, &t.cells, &fold, err));
    assert_int_equal(choice.n_compared, 3);
    assert_int_equal(choice.n_within, 1);
    assert_true(choice.corrected < 0.8 && choice.corrected > 0.72);
    ASSERT_OK(
        rg_choice_judge(&choice, &result, &t.cells, NULL, err)); /* nothing is known of the set */
    assert_true(isnan(choice.corrected) && choice.n_within == 0);
    rg_protocol_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_configurations_keep_less_than_half_of_the_optimism),
        cmocka_unit_test(different_configurations_are_not_pulled_too_far),
        cmocka_unit_test(what_is_within_noise_is_counted),
        cmocka_unit_test(one_fold_counts_right_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
