/* test_comparison.c - methods of an experiment, and several runs side by side. */
#include "support/finished_runs.h"
#include "support/support.h"

#include "results/comparison.h"

#include <math.h>
#include <string.h>

enum { FOLDS = 4, CONFIGURATIONS = 3, RUNS = 2 };

/* Test scores [configuration][fold]; configuration 2 wins by validation within its method. */
static const double test_scores[CONFIGURATIONS][FOLDS] = {
    {0.80, 0.90, 0.70, 0.80}, {0.99, 0.99, 0.99, 0.99}, {0.60, 0.65, 0.55, 0.66}};
static const double validation_scores[CONFIGURATIONS] = {0.9, 0.5, 0.7};
static double shift; /* of configuration 0 */

static void score(rg_run *run, rg_epoch *epochs, uint32_t c, uint32_t f)
{
    run->validation_score = validation_scores[c];
    run->test_score = test_scores[c][f] + (c == 0 ? shift : 0) + (run->number ? 0.01 : -0.01);
    for (uint32_t e = 0; e < run->epochs; e++)
        epochs[e].validation_score = run->validation_score;
}

/* Methods mine (1 configuration) and gin (2). */
static test_store_plan *make_plan(void)
{
    test_store_plan *t = test_store_plan_make(CONFIGURATIONS, FOLDS, RUNS, 1);
    for (size_t f = 0; f < FOLDS; f++)
        t->folds[f].validation_is_test = false;
    t->experiment.resolved = "name: c\ncompare:\n  - name: mine\n";
    t->configurations[0].choices = "method=mine";
    t->configurations[1].choices = "method=gin lr=0.1";
    t->configurations[2].choices = "method=gin lr=0.2";
    return t;
}

typedef struct compared_place {
    test_store_plan *t;
    char *root;
    rg_store *stores[3];
    rg_results results[3];
    size_t n;
} compared_place;

static compared_place place_open(void)
{
    return (compared_place){.t = make_plan(), .root = test_directory_make()};
}

/* A run of the plan as it is now. */
static const rg_results *add_run(compared_place *p)
{
    char *path = test_format("%s/run%zu", p->root, p->n);
    finished_runs_fill(path, p->t, p->t->plan.n_jobs, score);
    ASSERT_OK(rg_store_open(&p->stores[p->n], path, false, err));
    ASSERT_OK(rg_results_make(&p->results[p->n], p->stores[p->n], NULL, 0, err));
    free(path);
    return &p->results[p->n++];
}

static void place_close(compared_place *p)
{
    for (size_t k = 0; k < p->n; k++) {
        rg_results_free(&p->results[k]);
        rg_store_close(p->stores[k]);
    }
    test_store_plan_free(p->t);
    test_directory_remove(p->root);
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) < 1e-12))
        fail_msg("%.17g is not %.17g", a, b);
}

static void every_method_has_a_result_of_its_own(void **state)
{
    (void)state;
    compared_place p = place_open();
    p.t->experiment.protocols = "fair gin global";
    const rg_results *r = add_run(&p);
    assert_true(rg_results_compares(r));
    assert_int_equal(r->n_methods, 2);
    assert_int_equal(r->n_verdicts, 6);
    assert_string_equal(rg_results_method(r, &r->verdicts[1]), "gin");
    assert_near(r->verdicts[0].result.mean, 0.80);
    assert_near(r->verdicts[1].result.mean, 0.615);
    assert_int_equal(r->verdicts[1].result.configuration, 2); /* among all */
    assert_int_equal(r->verdicts[3].result.configuration, 2); /* by protocol gin, too */
    assert_int_equal(r->verdicts[3].protocol, RG_PROTOCOL_GIN);
    assert_int_equal(r->verdicts[5].n_chosen, FOLDS);
    assert_true(rg_results_chosen(r, &r->verdicts[0], 2, 1));
    assert_false(rg_results_chosen(r, &r->verdicts[0], 1, 1));
    place_close(&p);
}

static void without_compare_there_is_one_method(void **state)
{
    (void)state;
    compared_place p = place_open();
    p.t->experiment.resolved = "name: c\ngrid:\n  method: [mine, gin]\n";
    const rg_results *r = add_run(&p);
    assert_false(rg_results_compares(r));
    assert_int_equal(r->n_methods, 1);
    assert_int_equal(r->verdicts[0].result.configuration, 0);
    place_close(&p);
}

/* Mean and standard error of the differences, the slow way. */
static void by_hand(double *mean, double *error)
{
    double d[FOLDS], squares = 0;
    *mean = 0;
    for (size_t f = 0; f < FOLDS; f++) {
        d[f] = test_scores[2][f] - test_scores[0][f];
        *mean += d[f] / FOLDS;
    }
    for (size_t f = 0; f < FOLDS; f++)
        squares += pow(d[f] - *mean, 2);
    *error = sqrt(squares / (FOLDS - 1)) / sqrt(FOLDS);
}

static void differences_are_over_the_same_folds(void **state)
{
    (void)state;
    compared_place p = place_open();
    rg_compared_run run = {NULL, add_run(&p)};
    rg_comparison all = {0};
    double mean, error;
    by_hand(&mean, &error);
    ASSERT_OK(rg_comparison_make(&all, &run, 1, 0, NULL, err));
    assert_int_equal(all.n_methods, 2);
    assert_int_equal(all.n_data, 1);
    assert_string_equal(all.methods[1], "gin");
    assert_true(rg_comparison_at(&all, 0, 0)->reference && rg_comparison_at(&all, 0, 0)->best);
    assert_near(rg_comparison_at(&all, 1, 0)->difference, mean);
    assert_near(rg_comparison_at(&all, 1, 0)->error, error);
    assert_true(isnan(rg_comparison_at(&all, 0, 0)->difference));
    rg_comparison_free(&all);
    ASSERT_OK(rg_comparison_make(&all, &run, 1, 0, "gin", err));
    assert_true(rg_comparison_at(&all, 1, 0)->reference);
    assert_near(rg_comparison_at(&all, 0, 0)->difference, -mean);
    rg_comparison_free(&all);
    ASSERT_REFUSED(rg_comparison_make(&all, &run, 1, 0, "gim", err), RG_EUSAGE,
                   "did you mean 'gin'?");
    place_close(&p);
}

/* Ahead by 1.9 and by 2.1 standard errors. */
static void what_differs_by_noise_is_not_the_best(void **state)
{
    (void)state;
    compared_place p = place_open();
    rg_comparison all = {0};
    double mean, error;
    by_hand(&mean, &error);
    for (int k = 0; k < 2; k++) {
        shift = mean + (k ? 2.1 : 1.9) * error;
        rg_compared_run run = {NULL, add_run(&p)};
        shift = 0;
        ASSERT_OK(rg_comparison_make(&all, &run, 1, 0, NULL, err));
        assert_true(rg_comparison_at(&all, 0, 0)->reference);
        assert_int_equal(rg_comparison_at(&all, 0, 0)->best, k);
        assert_false(rg_comparison_at(&all, 1, 0)->best);
        rg_comparison_free(&all);
    }
    place_close(&p);
}

static void errors_are_better_when_low(void **state)
{
    (void)state;
    compared_place p = place_open();
    p.t->experiment.score = RG_STORE_ERROR;
    rg_compared_run run = {NULL, add_run(&p)};
    rg_comparison all = {0};
    ASSERT_OK(rg_comparison_make(&all, &run, 1, 0, NULL, err));
    assert_true(rg_comparison_at(&all, 0, 0)->reference && rg_comparison_at(&all, 0, 0)->best);
    assert_near(rg_comparison_at(&all, 1, 0)->difference, 0.99 - 0.80); /* configuration 1 now */
    rg_comparison_free(&all);
    place_close(&p);
}

/* One run a method, with names of their own. */
static void runs_stand_side_by_side(void **state)
{
    (void)state;
    compared_place p = place_open();
    rg_comparison all = {0};
    p.t->experiment.resolved = "data: TOY\n";
    p.t->experiment.name = "TOY-ours";
    rg_compared_run runs[3] = {{NULL, add_run(&p)}};
    p.t->experiment.name = "TOY";
    runs[1] = (rg_compared_run){NULL, add_run(&p)};
    p.t->experiment.data_digest =
        "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc";
    p.t->experiment.name = "ours";
    runs[2] = (rg_compared_run){NULL, add_run(&p)};
    ASSERT_OK(rg_comparison_make(&all, runs, 3, 0, "first", err));
    assert_int_equal(all.n_methods, 2);
    assert_int_equal(all.n_data, 2);
    assert_string_equal(all.methods[0], "ours");
    assert_string_equal(all.methods[1], "run1"); /* its directory */
    assert_string_equal(all.data[1], "TOY (2)");
    assert_null(rg_comparison_at(&all, 1, 1)->results);
    assert_near(rg_comparison_at(&all, 1, 0)->difference, 0);
    assert_true(rg_comparison_at(&all, 0, 1)->reference);
    assert_false(rg_comparison_at(&all, 0, 1)->best); /* alone */
    rg_comparison_free(&all);
    runs[0].name = runs[1].name = "same";
    ASSERT_REFUSED(rg_comparison_make(&all, runs, 2, 0, NULL, err), RG_EUSAGE,
                   "are both 'same' on 'TOY': NAME=RUN");
    place_close(&p);
}

static void other_folds_give_no_difference(void **state)
{
    (void)state;
    compared_place p = place_open();
    rg_comparison all = {0};
    p.t->experiment.resolved = "data: TOY\n";
    p.t->experiment.name = "a";
    rg_compared_run runs[2] = {{NULL, add_run(&p)}};
    p.t->experiment.splits_digest =
        "dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd";
    p.t->experiment.name = "b";
    runs[1] = (rg_compared_run){NULL, add_run(&p)};
    ASSERT_OK(rg_comparison_make(&all, runs, 2, 0, "a", err));
    assert_near(rg_comparison_at(&all, 1, 0)->mean, 0.80);
    assert_true(isnan(rg_comparison_at(&all, 1, 0)->difference));
    assert_false(rg_comparison_at(&all, 0, 0)->best);
    rg_comparison_free(&all);
    place_close(&p);
}

static rg_status compare_body(void *context, rg_error *err)
{
    const rg_compared_run *run = context;
    rg_results results = {.store = NULL};
    rg_comparison all = {0};
    rg_status status = rg_results_make(&results, run->results->store, NULL, 0, err);
    if (!status)
        status = rg_comparison_make(&all, run, 1, 0, "gin", err);
    rg_comparison_free(&all);
    rg_results_free(&results);
    return status;
}

static void no_allocation_that_fails_is_forgotten(void **state)
{
    (void)state;
    compared_place p = place_open();
    rg_compared_run run = {NULL, add_run(&p)};
    assert_true(test_allocation_sweep(compare_body, &run) > 10);
    place_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_has_a_result_of_its_own),
        cmocka_unit_test(without_compare_there_is_one_method),
        cmocka_unit_test(differences_are_over_the_same_folds),
        cmocka_unit_test(what_differs_by_noise_is_not_the_best),
        cmocka_unit_test(errors_are_better_when_low),
        cmocka_unit_test(runs_stand_side_by_side),
        cmocka_unit_test(other_folds_give_no_difference),
        cmocka_unit_test(no_allocation_that_fails_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
