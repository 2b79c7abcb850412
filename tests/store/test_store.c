/* test_store.c - what is put into a store comes back, and only there where it belongs. */
#include "base/alloc.h"
#include "support/stores.h"
#include "support/support.h"

#include <math.h>
#include <unistd.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void what_is_put_comes_back_bit_for_bit(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    test_store_fill(s.directory, s.t, 0, 1);
    rg_store *store = test_store_place_read(&s);
    size_t n, n_all;
    const rg_store_job *jobs = rg_store_jobs(store, &n);
    assert_int_equal(n, 12);
    rg_store_run *all = NULL;
    ASSERT_OK(rg_store_runs(&all, &n_all, store, err));
    assert_int_equal(n_all, 18);
    for (size_t k = 0, r = 0; k < n; k++) {
        rg_store_run *expected = test_runs_make(&s.t->jobs[k]), *found = NULL;
        ASSERT_OK(rg_store_job_runs(&found, store, k, err));
        test_runs_equal(expected, found, jobs[k].n_runs);
        for (size_t i = 0; i < jobs[k].n_runs; i++, r++) {
            assert_int_equal(all[r].run.number, expected[i].run.number);
            assert_int_equal(all[r].fold, expected[i].fold);
            assert_memory_equal(&all[r].run.epochs, &expected[i].run.epochs, 8);
            assert_null(all[r].epochs);
        }
        rg_store_runs_free(expected, jobs[k].n_runs);
        rg_store_runs_free(found, jobs[k].n_runs);
        const rg_store_outcome *o = &jobs[k].outcome;
        assert_int_equal(o->state, RG_JOB_DONE);
        assert_int_equal(o->n_parameters, 100 + jobs[k].configuration);
        assert_true(o->weights_possible == INT64_MAX); /* as far as SQLite's numbers go */
        assert_true(o->seconds == 0.5 + (double)k);
        assert_string_equal(o->worker, "here");
        assert_string_equal(o->version, RG_VERSION);
        assert_int_equal(strlen(o->finished), 20);
        assert_null(o->message);
    }
    rg_store_runs_free(all, n_all);
    rg_store_close(store);
    test_store_place_close(&s);
}

static void the_experiment_comes_back_with_where_it_was_run(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    rg_store_close(test_store_place_begin(&s));
    rg_store *store = test_store_place_read(&s);
    const rg_store_experiment *e = rg_store_about(store), *given = &s.t->experiment;
    assert_string_equal(e->name, given->name);
    assert_string_equal(e->file, given->file);
    assert_string_equal(e->resolved, given->resolved);
    assert_string_equal(e->data, given->data);
    assert_string_equal(e->data_path, given->data_path);
    assert_string_equal(e->data_digest, given->data_digest);
    assert_string_equal(e->splits, given->splits);
    assert_string_equal(e->splits_digest, given->splits_digest);
    assert_true(e->seed == given->seed);
    assert_int_equal(e->n_folds, 2);
    assert_int_equal(e->n_runs, 3);
    assert_string_equal(e->fit, "all");
    assert_string_equal(e->protocols, "fair");
    assert_string_equal(e->version, RG_VERSION);
    assert_true(e->n_cores >= 1);
    assert_true(strlen(e->cpu) > 0 && strlen(e->kernel) > 0);
    assert_int_equal(strlen(e->digest), 64);
    size_t n;
    const rg_store_configuration *c = rg_store_configurations(store, &n);
    assert_int_equal(n, 3);
    assert_string_equal(c[1].choices, "lr=0.2");
    assert_string_equal(c[2].recipe, "task: classes\nlr: 0.3\n");
    assert_null(rg_store_sample(store, 0));
    assert_string_equal(rg_store_directory(store), s.directory);
    rg_store_close(store);
    test_store_place_close(&s);
}

static void folds_come_back_as_far_as_they_are_known(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    s.t->experiment.score = RG_STORE_ERROR;
    rg_store_close(test_store_place_begin(&s));
    rg_store *store = test_store_place_read(&s);
    const rg_store_fold *folds = rg_store_folds(store);
    assert_string_equal(rg_store_about(store)->score, "absolute error");
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(folds[k].number, k + 1);
        assert_int_equal(folds[k].n_train, 80);
        assert_int_equal(folds[k].n_validation, 10 + k);
        assert_int_equal(folds[k].n_test, 10);
        assert_true(folds[k].n_copies == (k ? UINT64_MAX : 2));
        assert_true(folds[k].majority == s.t->folds[k].majority);
        assert_true(folds[k].majority_validation == 0.25);
        assert_int_equal(folds[k].validation_is_test, k == 1);
    }
    rg_store_close(store);
    s.t->plan.folds = NULL;
    s.t->experiment.score = NULL;
    free(s.directory);
    s.directory = test_format("%s/bare", s.root);
    rg_store_close(test_store_place_begin(&s));
    store = test_store_place_read(&s);
    assert_null(rg_store_folds(store));
    assert_string_equal(rg_store_about(store)->score, "accuracy");
    rg_store_close(store);
    test_store_place_close(&s);
}

/* What ensembles need is younger than the rest: a store without it is read, and a writer adds it. */
static void a_store_without_tables_for_ensembles_goes_on(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    char before[RG_DIGEST_TEXT], after[RG_DIGEST_TEXT];
    rg_store_prediction *said = NULL;
    rg_store_run *runs = NULL;
    test_store_fill(s.directory, s.t, 0, 2);
    test_store_digest(before, s.directory);
    test_store_sql(s.directory, "DROP TABLE validation; DROP TABLE target");
    test_store_digest(after, s.directory);
    assert_string_equal(before, after);
    rg_store *store = test_store_place_read(&s);
    ASSERT_OK(rg_store_target_read(&said, store, 0, RG_STORE_TEST, err));
    assert_null(said);
    ASSERT_OK(rg_store_job_runs(&runs, store, 0, err));
    assert_true(runs[0].prediction && !runs[0].validation && !runs[0].targets[RG_STORE_TEST]);
    rg_store_runs_free(runs, s.t->jobs[0].n_runs);
    rg_store_close(store);
    store = test_store_place_begin(&s);
    ASSERT_OK(test_store_put(store, 1, err));
    ASSERT_OK(rg_store_job_runs(&runs, store, 1, err));
    rg_store_run *expected = test_runs_make(&s.t->jobs[1]);
    test_runs_equal(expected, runs, s.t->jobs[1].n_runs);
    rg_store_runs_free(expected, s.t->jobs[1].n_runs);
    rg_store_runs_free(runs, s.t->jobs[1].n_runs);
    rg_store_close(store);
    test_store_place_close(&s);
}

static void an_experiment_goes_on_where_it_was(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    bool resumed = true;
    rg_store *store = NULL;
    ASSERT_OK(rg_store_create(&store, &resumed, s.directory, &s.t->plan, err));
    assert_false(resumed);
    ASSERT_OK(test_store_put(store, 4, err));
    ASSERT_OK(test_store_put(store, 1, err));
    rg_store_close(store);
    store = NULL;
    ASSERT_OK(rg_store_create(&store, &resumed, s.directory, &s.t->plan, err));
    assert_true(resumed);
    assert_int_equal(rg_store_count(store, RG_JOB_DONE), 2);
    assert_int_equal(rg_store_count(store, RG_JOB_WAITING), 10);
    assert_int_equal(rg_store_sample(store, 1)->fold, 0);
    rg_store_close(store);
    store = NULL;
    ASSERT_OK(rg_store_open(&store, s.directory, true, err));
    for (size_t k = 0; k < 12; k++)
        if (k != 4 && k != 1)
            ASSERT_OK(test_store_put(store, k, err));
    ASSERT_OK(rg_store_check(store, err));
    rg_store_close(store);
    test_store_place_close(&s);
}

static void another_experiment_is_refused(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    test_store_fill(s.directory, s.t, 0, 3);
    char before[RG_DIGEST_TEXT], after[RG_DIGEST_TEXT];
    test_store_digest(before, s.directory);
    static const char *const words[] = {
        "its data differs", "its splits differ",         "its seed differs",
        "its file differs", "its configurations differ", "its number of configurations differs",
        "runs or folds",    "its jobs differ",           "fitted on differ"};
    for (size_t k = 0; k < COUNT(words); k++) {
        test_store_plan *t =
            test_store_plan_make(k == 5 ? 2 : 3, 2, k == 6 ? 4 : 3, k == 7 ? 1 : 2);
        if (k == 0)
            t->experiment.data_digest = "x";
        if (k == 1)
            t->experiment.splits_digest = "x";
        if (k == 2)
            t->experiment.seed = 1;
        if (k == 3)
            t->experiment.resolved = "x";
        if (k == 4)
            t->configurations[2].recipe = "x";
        if (k == 8)
            t->experiment.fit = "train";
        rg_store *store = NULL;
        ASSERT_REFUSED(rg_store_create(&store, NULL, s.directory, &t->plan, err), RG_EFAIL,
                       words[k]);
        assert_null(store);
        test_store_plan_free(t);
    }
    s.t->experiment.name = "other"; /* what it is called, and where the data lies, may differ */
    s.t->experiment.data_path = "elsewhere";
    rg_store_close(test_store_place_begin(&s));
    test_store_digest(after, s.directory);
    assert_string_equal(before, after);
    test_store_place_close(&s);
}

static void plans_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    static const char *const words[] = {"job 0: there is no such configuration",
                                        "job 0: there is no such fold",
                                        "job 0: there are no such runs",
                                        "job 0: there are no such runs",
                                        "job 0: lanes are 1 to 8",
                                        "job 1: jobs do not ascend",
                                        "job 1: a run is in the job before",
                                        "1 to 100000000 folds and runs",
                                        "1 to 100000000 configurations"};
    for (size_t k = 0; k < COUNT(words); k++) {
        test_store_plan *t = test_store_plan_make(3, 2, 3, 2);
        uint32_t *const places[] = {&t->jobs[0].configuration, &t->jobs[0].fold,
                                    &t->jobs[0].first_run,     &t->jobs[0].n_runs,
                                    &t->jobs[0].lanes,         &t->jobs[1].first_run,
                                    &t->jobs[1].first_run,     &t->experiment.n_folds};
        static const uint32_t values[] = {3, 2, 3, 0, 9, 0, 1, 0};
        if (k < COUNT(places))
            *places[k] = values[k];
        else
            t->plan.n_configurations = 0;
        rg_store *store = NULL;
        ASSERT_REFUSED(rg_store_create(&store, NULL, s.directory, &t->plan, err), RG_EUSAGE,
                       words[k]);
        assert_int_not_equal(access(s.directory, F_OK), 0);
        test_store_plan_free(t);
    }
    test_store_place_close(&s);
}

static void jobs_that_are_not_what_was_asked_for_are_refused(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    rg_store *store = test_store_place_begin(&s);
    static const char *const words[] = {
        "run 0: it is of another job",      "run 1: it is of another job",
        "best epoch was never done",        "it has no epochs",
        "its epochs do not count from 1",   "lacks samples or numbers",
        "its prediction has more than 10^", "done with runs, or failed with a message",
        "done with runs, or failed",        "done with runs, or failed"};
    for (size_t k = 0; k < COUNT(words); k++) {
        rg_store_run *runs = test_runs_make(&s.t->jobs[0]);
        const rg_epoch *epochs = runs[0].epochs;
        rg_store_prediction prediction = *runs[0].prediction;
        const rg_store_prediction *kept = runs[0].prediction;
        rg_store_outcome outcome = {.state = RG_JOB_DONE};
        runs[0].prediction = &prediction;
        runs[0].fold += k == 0;
        runs[1].run.number += k == 1;
        runs[0].run.best_epoch += k == 2 ? 2 : 0;
        if (k == 3)
            runs[0].epochs = NULL;
        if (k == 4)
            runs[0].epochs++, runs[0].run.epochs--, runs[0].run.best_epoch = 0;
        if (k == 5)
            prediction.numbers = NULL;
        if (k == 6)
            prediction.n_rows = 200000000;
        if (k == 7)
            outcome.message = "but it failed";
        if (k == 8)
            outcome.state = RG_JOB_WAITING;
        ASSERT_REFUSED(rg_store_put_job(store, 0, &outcome, k == 9 ? NULL : runs, err), RG_EUSAGE,
                       words[k]);
        runs[0].epochs = epochs;
        runs[0].prediction = kept;
        rg_store_runs_free(runs, 2);
    }
    rg_store_run *runs = NULL;
    ASSERT_OK(test_store_put(store, 0, err));
    ASSERT_REFUSED(test_store_put(store, 0, err), RG_EUSAGE, "job 0 is not waiting");
    ASSERT_REFUSED(rg_store_job_runs(&runs, store, 1, err), RG_EUSAGE, "job 1 is not done");
    ASSERT_REFUSED(rg_store_put_job(store, 12, &(rg_store_outcome){0}, NULL, err), RG_EUSAGE,
                   "no job 12");
    rg_store *reader = test_store_place_read(&s);
    ASSERT_REFUSED(test_store_put(reader, 1, err), RG_EUSAGE, "is open for reading");
    ASSERT_REFUSED(rg_store_retry(reader, 0, err), RG_EUSAGE, "is open for reading");
    rg_store_close(reader);
    ASSERT_OK(rg_store_check(store, err));
    rg_store_close(store);
    test_store_place_close(&s);
}

static void jobs_that_failed_may_be_tried_again(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    rg_store *store = test_store_place_begin(&s);
    rg_store_outcome outcome = {.state = RG_JOB_FAILED, .message = "the loss is not a number"};
    size_t n;
    ASSERT_OK(rg_store_retry(store, 3, err));
    assert_int_equal(rg_store_count(store, RG_JOB_WAITING), 12);
    ASSERT_OK(rg_store_put_job(store, 3, &outcome, NULL, err));
    ASSERT_OK(test_store_put(store, 2, err));
    rg_store_close(store);
    store = test_store_place_begin(&s);
    const rg_store_job *jobs = rg_store_jobs(store, &n);
    assert_string_equal(jobs[3].outcome.message, "the loss is not a number");
    assert_int_equal(rg_store_count(store, RG_JOB_FAILED), 1);
    ASSERT_OK(rg_store_check(store, err));
    ASSERT_OK(rg_store_retry(store, 2, err));
    ASSERT_OK(rg_store_retry(store, 3, err));
    assert_int_equal(rg_store_count(store, RG_JOB_FAILED), 0);
    assert_int_equal(rg_store_count(store, RG_JOB_WAITING), 11);
    rg_store_close(store);
    store = test_store_place_begin(&s);
    assert_int_equal(rg_store_count(store, RG_JOB_WAITING), 11);
    ASSERT_OK(test_store_put(store, 3, err));
    rg_store_close(store);
    test_store_place_close(&s);
}

static void predictions_of_every_kind_come_back(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    const uint32_t samples[] = {0, UINT32_MAX, 7};
    const uint16_t classes[] = {65535, 0, 1};
    const float numbers[] = {0.1f, -1.5f, 1e-40f, INFINITY, 2, 3};
    const rg_store_prediction kinds[] = {
        {3, 2, samples, classes, numbers}, {3, 0, samples, classes, NULL},
        {3, 2, samples, NULL, numbers},    {0, 0, NULL, NULL, NULL},
        {0, 2, samples, classes, numbers}, {1, 6, samples, NULL, numbers}};
    rg_store *store = test_store_place_begin(&s);
    for (size_t k = 0; k < COUNT(kinds); k++) {
        rg_store_run *runs = test_runs_make(&s.t->jobs[k]), *found = NULL;
        size_t n = s.t->jobs[k].n_runs;
        rg_free((void *)runs[0].prediction);
        runs[0].prediction = &kinds[k];
        ASSERT_OK(rg_store_put_job(store, k, &(rg_store_outcome){.state = RG_JOB_DONE}, runs, err));
        ASSERT_OK(rg_store_job_runs(&found, store, k, err));
        test_runs_equal(runs, found, n);
        runs[0].prediction = NULL;
        rg_store_runs_free(runs, n);
        rg_store_runs_free(found, n);
    }
    ASSERT_OK(rg_store_check(store, err));
    rg_store_close(store);
    test_store_place_close(&s);
}

static void models_are_those_of_runs(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    rg_store *store = test_store_place_begin(&s);
    ASSERT_OK(test_store_put(store, 0, err));
    ASSERT_OK(test_store_put(store, 2, err));
    rg_store_model *models = NULL;
    size_t n = 9;
    ASSERT_OK(rg_store_models(&models, &n, store, err));
    assert_int_equal(n, 0);
    rg_free(models);
    ASSERT_REFUSED(rg_store_put_model(store, &(rg_store_model){0, 0, 2, "a", "b"}, err), RG_EUSAGE,
                   "there is no run 2 of configuration 0 on fold 0");
    ASSERT_OK(rg_store_put_model(store, &(rg_store_model){0, 1, 0, "models/x", "12"}, err));
    ASSERT_OK(rg_store_put_model(store, &(rg_store_model){0, 0, 1, "models/y", "34"}, err));
    ASSERT_OK(rg_store_put_model(store, &(rg_store_model){0, 1, 0, "models/z", "56"}, err));
    ASSERT_OK(rg_store_models(&models, &n, store, err));
    assert_int_equal(n, 2);
    assert_int_equal(models[0].run, 1);
    assert_string_equal(models[0].file, "models/y");
    assert_int_equal(models[1].fold, 1);
    assert_string_equal(models[1].file, "models/z");
    assert_string_equal(models[1].digest, "56");
    rg_free(models);
    ASSERT_OK(rg_store_check(store, err));
    rg_store_close(store);
    test_store_place_close(&s);
}

/* The order of jobs, how runs are laid into jobs, names and machines: none of it is in the digest.
 */
static void the_digest_is_of_what_was_found_and_nothing_else(void **state)
{
    (void)state;
    test_store_place s = test_store_place_open();
    char digest[RG_DIGEST_TEXT], other[RG_DIGEST_TEXT];
    test_store_fill(s.directory, s.t, 0, 1);
    test_store_digest(digest, s.directory);
    for (uint32_t lanes = 1; lanes <= 8; lanes += lanes > 1 ? 3 : 1) {
        char *directory = test_format("%s/lanes%u", s.root, lanes);
        test_store_plan *t = test_store_plan_make(3, 2, 3, lanes);
        t->experiment.name = t->experiment.data_path = t->experiment.file = "other";
        rg_store *store = NULL;
        ASSERT_OK(rg_store_create(&store, NULL, directory, &t->plan, err));
        for (size_t k = t->plan.n_jobs; k-- > 0;)
            ASSERT_OK(test_store_put(store, k, err));
        rg_store_close(store);
        test_store_digest(other, directory);
        assert_string_equal(digest, other);
        test_store_plan_free(t);
        free(directory);
    }
    static const char *const changes[] = {
        "UPDATE run SET test_score = 0.123 WHERE configuration = 1 AND fold = 1 AND run = 2",
        "UPDATE run SET failed = 1 - failed WHERE configuration = 1 AND fold = 1 AND run = 1",
        "UPDATE epoch SET lr = NULL WHERE configuration = 2 AND fold = 0 AND run = 1 AND epoch = 2",
        "UPDATE prediction SET classes = zeroblob(10) WHERE configuration = 0 AND fold = 0 AND "
        "run = 2",
        "UPDATE prediction SET numbers = zeroblob(40) WHERE configuration = 2 AND fold = 1 AND "
        "run = 2",
        "DELETE FROM prediction WHERE configuration = 0 AND fold = 0 AND run = 0",
        "UPDATE experiment SET seed = 5",
        "UPDATE experiment SET data_digest = 'x'"};
    for (size_t k = 0; k < COUNT(changes); k++) {
        test_store_sql(s.directory, changes[k]);
        test_store_digest(other, s.directory);
        assert_string_not_equal(digest, other);
        memcpy(digest, other, sizeof digest);
    }
    test_store_sql(s.directory, "UPDATE job SET seconds = 9, worker = NULL; UPDATE experiment SET "
                                "host = 'elsewhere', created = 'long ago'");
    test_store_digest(other, s.directory);
    assert_string_equal(digest, other);
    test_store_place_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_put_comes_back_bit_for_bit),
        cmocka_unit_test(the_experiment_comes_back_with_where_it_was_run),
        cmocka_unit_test(folds_come_back_as_far_as_they_are_known),
        cmocka_unit_test(a_store_without_tables_for_ensembles_goes_on),
        cmocka_unit_test(an_experiment_goes_on_where_it_was),
        cmocka_unit_test(another_experiment_is_refused),
        cmocka_unit_test(plans_that_make_no_sense_are_refused),
        cmocka_unit_test(jobs_that_are_not_what_was_asked_for_are_refused),
        cmocka_unit_test(jobs_that_failed_may_be_tried_again),
        cmocka_unit_test(predictions_of_every_kind_come_back),
        cmocka_unit_test(models_are_those_of_runs),
        cmocka_unit_test(the_digest_is_of_what_was_found_and_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
