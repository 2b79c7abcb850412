/* test_results.c - from a run directory to numbers, and what must be said beside them. */
#include "support/finished_runs.h"
#include "support/support.h"

#include "base/alloc.h"
#include "results/results.h"

#include <math.h>

typedef struct results_setup {
    test_store_plan *t;
    char *root;
    rg_store *store;
    rg_results r;
} results_setup;

/* Two configurations, two folds, three runs, of which two are a job: 8 jobs. */
static results_setup results_setup_open(size_t n_jobs, finished_score score)
{
    results_setup s = {.t = test_store_plan_make(2, 2, 3, 2), .root = test_directory_make()};
    s.t->experiment.protocols = "global, fair gin";
    s.t->folds[1].validation_is_test = false;
    s.t->folds[0].n_copies = 0;
    finished_runs_fill(s.root, s.t, n_jobs, score);
    return s;
}

static void look(results_setup *s, const rg_protocol *protocols, size_t n)
{
    ASSERT_OK(rg_store_open(&s->store, s->root, false, err));
    ASSERT_OK(rg_results_make(&s->r, s->store, protocols, n, err));
}

static void results_setup_close(results_setup *s)
{
    rg_results_free(&s->r);
    rg_store_close(s->store);
    test_store_plan_free(s->t);
    test_directory_remove(s->root);
}

static void assert_near(double a, double b)
{
    if (!(fabs(a - b) < 1e-12))
        fail_msg("%.17g is not %.17g", a, b);
}

/* Is there a warning with these words, or, with NULL, any? */
static bool has_warning(const rg_results *r, const char *words)
{
    for (size_t k = 0; k < r->n_warnings; k++)
        if (!words || strstr(r->warnings[k], words))
            return true;
    return false;
}

static void protocols_give_the_numbers_worked_out_by_hand(void **state)
{
    (void)state;
    results_setup s = results_setup_open(8, finished_score_known);
    look(&s, NULL, 0);
    assert_int_equal(s.r.n_verdicts, 3);
    const rg_verdict *global = &s.r.verdicts[0], *fair = &s.r.verdicts[1], *gin = &s.r.verdicts[2];
    assert_int_equal(global->protocol, RG_PROTOCOL_GLOBAL);
    assert_true(global->known && fair->known && gin->known);
    assert_near(global->result.mean, (0.65 + 0.85) / 2);
    assert_near(global->result.deviation, 0.2 / sqrt(2));
    assert_int_equal(global->result.configuration, 1);
    assert_int_equal(global->n_chosen, 2);
    assert_near(fair->result.mean, (0.75 + 0.85) / 2);
    assert_near(fair->result.deviation, 0.1 / sqrt(2));
    assert_int_equal(fair->n_chosen, 1);
    assert_near(fair->majority, 0.55);
    assert_near(fair->best_epoch, 2);
    assert_int_equal(fair->parameters, 101);
    assert_true(fair->tested && !gin->tested);
    assert_int_equal(gin->result.epoch, 3);
    assert_near(gin->best_epoch, 3);
    assert_near(gin->result.mean, 0.8);
    assert_near(gin->majority, 0.25);
    assert_false(has_warning(&s.r, NULL));
    results_setup_close(&s);
}

static void jobs_are_counted_and_their_times_added(void **state)
{
    (void)state;
    results_setup s = results_setup_open(5, finished_score_known);
    finished_runs_fail(s.root, 6, "no luck");
    look(&s, NULL, 0);
    assert_int_equal(s.r.n_jobs, 8);
    assert_int_equal(s.r.n_done, 5);
    assert_int_equal(s.r.n_failed, 1);
    assert_int_equal(s.r.n_waiting, 2);
    assert_near(s.r.seconds, 5);
    assert_near(s.r.cpu_seconds, 10);
    assert_near(s.r.build_seconds, 1.25);
    assert_int_equal(s.r.peak_rss, 5000000);
    assert_int_equal(s.r.n_runs, 8);
    assert_int_equal(strlen(s.r.digest), 64);
    assert_int_equal(rg_results_parameters(&s.r, 0, 1), 100);
    assert_int_equal(rg_results_parameters(&s.r, 1, 0), 101);
    assert_int_equal(rg_results_parameters(&s.r, 1, 1), 0);
    assert_int_equal(rg_results_fold(&s.r, 1), 2); /* as the splits number it */
    results_setup_close(&s);
}

static void half_of_a_run_has_results_and_says_so(void **state)
{
    (void)state;
    results_setup s = results_setup_open(
        5, finished_score_known); /* of configuration 1 not even fold 0 is whole */
    finished_runs_fail(s.root, 6, "no luck");
    look(&s, NULL, 0);
    const rg_verdict *fair = &s.r.verdicts[1];
    assert_true(fair->known && !fair->result.whole);
    assert_near(fair->result.mean, (0.75 + 0.55) / 2);
    assert_true(has_warning(&s.r, "2 of 8 jobs are not done yet"));
    assert_true(has_warning(&s.r, "1 of 8 jobs failed; the first, configuration 1 on fold 2: no "
                                  "luck"));
    assert_true(has_warning(&s.r, "protocol 'fair': 2 of 4 cells"));
    results_setup_close(&s);
}

static void a_run_that_has_just_begun_has_no_numbers(void **state)
{
    (void)state;
    results_setup s = results_setup_open(0, finished_score_known);
    look(&s, NULL, 0);
    for (size_t k = 0; k < s.r.n_verdicts; k++) {
        assert_false(s.r.verdicts[k].known);
        assert_true(has_warning(&s.r, s.r.verdicts[k].why.message));
    }
    assert_true(has_warning(&s.r, "protocol 'gin': no configuration has all its runs (0 of 4"));
    results_setup_close(&s);
}

static void any_protocol_can_be_asked_for(void **state)
{
    (void)state;
    static const rg_protocol wanted[] = {RG_PROTOCOL_HOLDOUT};
    results_setup s = results_setup_open(8, finished_score_known);
    look(&s, wanted, 1);
    assert_int_equal(s.r.n_verdicts, 1);
    assert_false(s.r.verdicts[0].known);
    assert_non_null(strstr(s.r.verdicts[0].why.message, "is for one fold"));
    results_setup_close(&s);
    s = results_setup_open(0, finished_score_known);
    test_store_sql(s.root, "UPDATE experiment SET protocols = 'of the future'");
    look(&s, NULL, 0); /* none is known: all that suit the folds */
    assert_int_equal(s.r.n_verdicts, 3);
    results_setup_close(&s);
    s = results_setup_open(0, finished_score_known);
    test_store_sql(s.root, "UPDATE experiment SET protocols = 'fair gin,fair  x'");
    look(&s, NULL, 0);
    assert_int_equal(s.r.n_verdicts, 2);
    assert_int_equal(s.r.verdicts[1].protocol, RG_PROTOCOL_GIN);
    results_setup_close(&s);
}

static void score_ties(rg_run *run, rg_epoch *epochs, uint32_t configuration, uint32_t fold)
{
    finished_score_known(run, epochs, 0, 0);
    run->validation_loss = configuration ? 0.1 : 0.2;
    run->test_score = fold;
    if (configuration && fold && run->number == 2)
        run->best_epoch = 0;
}

static void what_makes_numbers_doubtful_is_said(void **state)
{
    (void)state;
    results_setup s = results_setup_open(8, score_ties);
    test_store_sql(s.root, "UPDATE fold SET validation_is_test = 1, n_copies = 3 WHERE fold = 0");
    look(&s, NULL, 0);
    assert_true(has_warning(&s.r, "1 of 12 runs diverged in the first epoch"));
    assert_true(has_warning(&s.r, "in 1 of 2 folds the validation set equals the test set"));
    assert_true(has_warning(&s.r, "3 of 10 graphs of the test sets are isomorphic"));
    assert_true(has_warning(
        &s.r, "protocol 'fair': 1 configuration ties with the selected one in validation score;"));
    results_setup_close(&s);
}

static void low_errors_are_good_and_have_no_most_frequent_class(void **state)
{
    (void)state;
    results_setup s = results_setup_open(8, finished_score_known);
    test_store_sql(s.root, "UPDATE experiment SET score = 'absolute error'");
    look(&s, NULL, 0);
    assert_int_equal(s.r.metric, RG_METRIC_MAE);
    assert_near(s.r.verdicts[1].result.mean, (0.65 + 0.55) / 2); /* the other way round */
    assert_true(isnan(s.r.verdicts[1].majority));
    results_setup_close(&s);
}

static void folds_that_nothing_is_known_of_do_no_harm(void **state)
{
    (void)state;
    results_setup s = results_setup_open(8, finished_score_known);
    test_store_sql(s.root, "DELETE FROM fold");
    look(&s, NULL, 0);
    assert_null(s.r.folds);
    assert_true(isnan(s.r.verdicts[0].majority));
    assert_int_equal(rg_results_fold(&s.r, 1), 1);
    results_setup_close(&s);
}

static rg_status make(void *context, rg_error *err)
{
    results_setup *s = context;
    rg_results r;
    rg_status status = rg_results_make(&r, s->store, NULL, 0, err);
    if (!status)
        rg_results_free(&r);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    results_setup s = results_setup_open(5, score_ties);
    finished_runs_fail(s.root, 6, "no luck");
    ASSERT_OK(rg_store_open(&s.store, s.root, false, err));
    assert_true(test_allocation_sweep(make, &s) > 20);
    results_setup_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(protocols_give_the_numbers_worked_out_by_hand),
        cmocka_unit_test(jobs_are_counted_and_their_times_added),
        cmocka_unit_test(half_of_a_run_has_results_and_says_so),
        cmocka_unit_test(a_run_that_has_just_begun_has_no_numbers),
        cmocka_unit_test(any_protocol_can_be_asked_for),
        cmocka_unit_test(what_makes_numbers_doubtful_is_said),
        cmocka_unit_test(low_errors_are_good_and_have_no_most_frequent_class),
        cmocka_unit_test(folds_that_nothing_is_known_of_do_no_harm),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
