/* test_run.c - experiments in run directories: stopped and resumed, in shards, what fails. */
/* threads */
#include "support/experiment_runs.h"
#include "support/support.h"

static const char plain[] =
    EXPERIMENT_RUNS_HEAD "protocol: [fair, global, gin]\n"
                         "runs: 5\n"
                         "keep: none\n"
                         "network:\n" EXPERIMENT_RUNS_NETWORK "training: {lr: [0.1, 0.01]}\n";
static const char small[] = EXPERIMENT_RUNS_HEAD "runs: 3\n"
                                                 "network:\n" EXPERIMENT_RUNS_NETWORK;

/* ---- stopped, resumed, shared out */

static void a_run_that_was_stopped_ends_as_one_that_was_not(void **state)
{
    (void)state;
    experiment_runs p;
    char expected[RG_DIGEST_TEXT];
    experiment_runs_open(&p);
    rg_run_report report =
        experiment_runs_finish(&p, plain, "calm", (rg_run_options){.n_threads = 1});
    assert_true(report.n_jobs == 12 && report.n_done == 12 && !report.n_failed && !report.resumed);
    experiment_runs_digest(expected, &p, "calm");
    for (unsigned threads = 2; threads <= 4; threads += 2) {
        char *name = test_format("threads%u", threads);
        experiment_runs_finish(&p, plain, name, (rg_run_options){.n_threads = threads});
        experiment_runs_ends_as(&p, name, expected);
        free(name);
    }
    for (size_t k = 0; k <= 12; k++) {
        char *name = test_format("stopped%zu", k);
        experiment_watch w = experiment_watch_all();
        w.stop_after = k;
        rg_run_options options = {.n_threads = 1 + k % 2};
        ASSERT_OK(experiment_runs_run(&report, &p, plain, name, options, &w, err));
        assert_in_range(report.n_done, k, k + k % 2); /* another may be about to put its job */
        assert_int_equal(report.stopped, report.n_done < 12);
        report = experiment_runs_finish(&p, plain, name, (rg_run_options){.n_threads = 1});
        assert_true(report.resumed && report.n_done == 12);
        experiment_runs_ends_as(&p, name, expected);
        free(name);
    }
    experiment_runs_close(&p);
}

static void a_run_may_be_stopped_again_and_again(void **state)
{
    (void)state;
    experiment_runs p;
    char expected[RG_DIGEST_TEXT];
    rg_run_report report = {.stopped = true};
    experiment_runs_open(&p);
    experiment_runs_finish(&p, plain, "calm", (rg_run_options){.n_threads = 2});
    experiment_runs_digest(expected, &p, "calm");
    size_t calls = 0;
    for (; report.stopped && calls < 100; calls++) {
        experiment_watch w = experiment_watch_all();
        atomic_store(&w.asks_left, 13); /* in the middle of a job, most of the time */
        ASSERT_OK(experiment_runs_run(&report, &p, plain, "often", (rg_run_options){.n_threads = 1},
                                      &w, err));
    }
    assert_true(calls > 5 && calls < 100);
    experiment_runs_ends_as(&p, "often", expected);
    experiment_runs_close(&p);
}

static void shards_that_are_merged_are_the_whole(void **state)
{
    (void)state;
    experiment_runs p;
    char expected[RG_DIGEST_TEXT];
    rg_store *stores[3];
    experiment_runs_open(&p);
    experiment_runs_finish(&p, plain, "calm", (rg_run_options){.n_threads = 1});
    experiment_runs_digest(expected, &p, "calm");
    for (uint32_t k = 0; k < 3; k++) {
        char *name = test_format("shard%u", (unsigned)k);
        rg_run_options options = {.n_threads = 1, .shard = k, .n_shards = 3};
        experiment_watch w = experiment_watch_all();
        rg_run_report report;
        ASSERT_OK(experiment_runs_run(&report, &p, plain, name, options, &w, err));
        assert_true(report.n_jobs == 12 && report.n_done == 4 && !report.stopped && w.total == 4);
        stores[k] = experiment_runs_store(&p, name);
        free(name);
    }
    char *out = test_format("%s/merged", p.root);
    ASSERT_OK(rg_store_merge(out, stores, 3, err));
    for (size_t k = 0; k < 3; k++)
        rg_store_close(stores[k]);
    experiment_runs_ends_as(&p, "merged", expected);
    rg_run_report report =
        experiment_runs_finish(&p, plain, "merged", (rg_run_options){.n_threads = 1});
    assert_true(report.resumed && report.n_done == 12);
    experiment_watch w = experiment_watch_all();
    rg_run_options wrong = {.shard = 3, .n_shards = 3};
    ASSERT_REFUSED(experiment_runs_run(&report, &p, plain, "no", wrong, &w, err), RG_EUSAGE,
                   "shard 3 of 3: shards count from 0");
    free(out);
    experiment_runs_close(&p);
}

/* ---- what fails, and what is refused */

/* A sample that is over the memory fails the job; with more memory it is done. */
static void jobs_that_failed_are_done_when_asked(void **state)
{
    (void)state;
    experiment_runs p;
    char expected[RG_DIGEST_TEXT];
    rg_run_report report;
    experiment_watch w = experiment_watch_all();
    experiment_runs_open(&p);
    experiment_runs_finish(&p, small, "calm", (rg_run_options){.n_threads = 1});
    experiment_runs_digest(expected, &p, "calm");
    ASSERT_OK(experiment_runs_run(&report, &p, small, "run",
                                  (rg_run_options){.n_threads = 2, .memory = 1}, &w, err));
    assert_true(report.n_done == 3 && report.n_failed == 3 && report.n_models == 0);
    rg_store *store = experiment_runs_store(&p, "run");
    size_t n;
    assert_non_null(rg_store_jobs(store, &n)[0].outcome.message);
    rg_store_close(store);
    w = experiment_watch_all();
    ASSERT_OK(
        experiment_runs_run(&report, &p, small, "run", (rg_run_options){.n_threads = 2}, &w, err));
    assert_true(report.n_failed == 3 && w.n_jobs == 0); /* not without being asked */
    w = experiment_watch_all();
    rg_run_options again = {.n_threads = 2, .retry = true};
    ASSERT_OK(experiment_runs_run(&report, &p, small, "run", again, &w, err));
    assert_true(report.n_done == 3 && report.n_failed == 0 && w.n_jobs == 3);
    assert_int_equal(report.n_models, 3);
    experiment_runs_ends_as(&p, "run", expected);
    experiment_runs_close(&p);
}

static void a_configuration_that_fails_leaves_the_others(void **state)
{
    (void)state;
    static const char text[] =
        EXPERIMENT_RUNS_HEAD "runs: 1\nnetwork:\n  - name: fine\n    task: classification\n"
                             "    layers: [aggregate: \"share out, node(i)\"]\n"
                             "    training: {epochs: 3}\n"
                             "  - name: misfit\n    task: classification\n"
                             "    labels: {a: attribute(7)}\n"
                             "    layers: [aggregate: \"share out, a(i)\"]\n";
    experiment_runs p;
    experiment_runs_open(&p);
    rg_run_report report =
        experiment_runs_finish(&p, text, "run", (rg_run_options){.n_threads = 2});
    assert_true(report.n_done == 6 && report.n_failed == 3 && report.n_models == 3);
    experiment_runs_close(&p);
}

static void only_some_folds_are_trained_if_asked(void **state)
{
    (void)state;
    static const char some[] =
        EXPERIMENT_RUNS_HEAD "runs: 3\nfolds: [0, 2]\nnetwork:\n" EXPERIMENT_RUNS_NETWORK;
    experiment_runs p;
    rg_store_run *all = NULL, *part = NULL;
    size_t n = 0, m = 0;
    experiment_runs_open(&p);
    experiment_runs_finish(&p, small, "all", (rg_run_options){.n_threads = 1});
    experiment_runs_finish(&p, some, "some", (rg_run_options){.n_threads = 1});
    rg_store *a = experiment_runs_store(&p, "all"), *b = experiment_runs_store(&p, "some");
    ASSERT_OK(rg_store_runs(&all, &n, a, err));
    ASSERT_OK(rg_store_runs(&part, &m, b, err));
    assert_true(n == 9 && m == 6);
    for (size_t k = 3; k < 6; k++)
        part[k].fold = 2; /* as the splits count */
    test_runs_equal(all, part, 3);
    test_runs_equal(all + 6, part + 3, 3);
    rg_store_runs_free(all, n);
    rg_store_runs_free(part, m);
    rg_store_close(a);
    rg_store_close(b);
    experiment_runs_close(&p);
}

static void what_does_not_belong_together_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        rg_status status;
        const char *words;
    } cases[] = {
        {EXPERIMENT_RUNS_HEAD "runs: 3\nnetwork:\n" EXPERIMENT_RUNS_NETWORK "training: {lr: 0.5}\n",
         RG_EFAIL, "run' holds a different experiment"},
        {EXPERIMENT_RUNS_HEAD "runs: 4\nnetwork:\n" EXPERIMENT_RUNS_NETWORK, RG_EFAIL,
         "run' holds a different experiment"},
        {EXPERIMENT_RUNS_HEAD "runs: 3\nfolds: [0, 3]\nnetwork:\n" EXPERIMENT_RUNS_NETWORK,
         RG_EDATA, "experiment 'tiny': the splits have 3 folds, there is no 3"},
        {EXPERIMENT_RUNS_HEAD "runs: 3\nprotocol: holdout\nnetwork:\n" EXPERIMENT_RUNS_NETWORK,
         RG_EDATA, "experiment 'tiny': protocol 'holdout' is for one fold, and there are 3"},
    };
    experiment_runs p;
    rg_run_report report;
    experiment_watch w = experiment_watch_all();
    char expected[RG_DIGEST_TEXT];
    experiment_runs_open(&p);
    experiment_runs_finish(&p, small, "run", (rg_run_options){.n_threads = 1});
    experiment_runs_digest(expected, &p, "run");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        ASSERT_REFUSED(experiment_runs_run(&report, &p, cases[k].text, "run",
                                           (rg_run_options){.n_threads = 1}, &w, err),
                       cases[k].status, cases[k].words);
    rg_splits *splits = p.splits;
    p.splits = test_splits(&p.source, 4);
    ASSERT_REFUSED(
        experiment_runs_run(&report, &p,
                            EXPERIMENT_RUNS_HEAD
                            "folds: [0, 1, 2]\nruns: 3\nnetwork:\n" EXPERIMENT_RUNS_NETWORK,
                            "run", (rg_run_options){.n_threads = 1}, &w, err),
        RG_EFAIL, "run' holds a different experiment");
    rg_splits_free(p.splits);
    p.splits = splits;
    rg_dataset *data = p.data;
    p.source.graphs = p.data = test_dataset_with_targets(30, 8, 32);
    ASSERT_REFUSED(
        experiment_runs_run(&report, &p, small, "run", (rg_run_options){.n_threads = 1}, &w, err),
        RG_EFAIL, "run' holds a different experiment");
    rg_dataset_free(p.data);
    p.data = data;
    experiment_runs_ends_as(&p, "run", expected);
    experiment_runs_close(&p);
}

/* ---- memory and disk */

/* What was left behind goes on to the same end. */
static void memory_and_disk_may_fail_anywhere(void **state)
{
    (void)state;
    static const char text[] =
        EXPERIMENT_RUNS_HEAD "runs: 1\nfolds: [1]\nnetwork:\n  task: classification\n"
                             "  layers: [aggregate: \"share out, node(i)\"]\n"
                             "  training: {epochs: 2}\n";
    const rg_run_options alone = {.n_threads = 1};
    experiment_runs_may_fail(text, &alone, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_that_was_stopped_ends_as_one_that_was_not),
        cmocka_unit_test(a_run_may_be_stopped_again_and_again),
        cmocka_unit_test(shards_that_are_merged_are_the_whole),
        cmocka_unit_test(jobs_that_failed_are_done_when_asked),
        cmocka_unit_test(a_configuration_that_fails_leaves_the_others),
        cmocka_unit_test(only_some_folds_are_trained_if_asked),
        cmocka_unit_test(what_does_not_belong_together_is_refused),
        cmocka_unit_test(memory_and_disk_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
