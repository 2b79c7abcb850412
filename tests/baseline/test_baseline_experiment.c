/* test_baseline_experiment.c - baselines in experiments: run directories, shards, processes, models
 * that are not kept. test_experiment_models.c has their files. */
/* threads */
#include "results/results.h"
#include "support/experiment_runs.h"
#include "support/support.h"

#include <math.h>

#define NETWORK \
    "    layers: [aggregate: \"share out, node(i)\"]\n    training: {epochs: 3, batch: 8}\n"

/* A network and baselines of all sorts: 6 jobs in lanes, 3 and 6 of all runs, 18 of one each. */
static const char both[] = EXPERIMENT_RUNS_HEAD "protocol: [fair, global, gin]\n"
                                                "runs: 3\n"
                                                "network:\n"
                                                "  - name: rule\n" NETWORK "  - model: majority\n"
                                                "  - {model: wl, iterations: 1, c: [1, 4]}\n"
                                                "  - {model: gin, width: 4, layers: 2}\n"
                                                "training: {lr: [0.1, 0.01], epochs: 3}\n";
enum { BOTH = 33 };
static const char alone[] =
    EXPERIMENT_RUNS_HEAD "protocol: [fair, global, gin]\nruns: 20\nmodel: majority\n";

/* One column of classes, which baselines want. */
static void open_place(experiment_runs *p)
{
    *p = (experiment_runs){.data = test_dataset_with_classes(30, 8, 31),
                           .root = test_directory_make()};
    p->source.graphs = p->data;
    p->splits = test_splits(&p->source, 3);
}

/* ---- what comes out */

static void the_majority_is_that_of_the_tables(void **state)
{
    (void)state;
    experiment_runs p;
    rg_results results;
    open_place(&p);
    rg_run_report report =
        experiment_runs_finish(&p, alone, "run", (rg_run_options){.n_threads = 2});
    assert_true(report.n_jobs == 3 && report.n_done == 3); /* all runs of a fold are one job */
    rg_store *store = experiment_runs_store(&p, "run");
    ASSERT_OK(rg_results_make(&results, store, NULL, 0, err));
    assert_int_equal(results.n_runs, 60);
    assert_int_equal(results.n_verdicts, 3);
    for (size_t k = 0; k < results.n_verdicts; k++) {
        const rg_verdict *v = &results.verdicts[k];
        assert_true(v->known);
        assert_true(fabs(v->result.mean - v->majority) < 1e-12);
        assert_int_equal(v->parameters, 0);
        for (size_t f = 0; v->tested && f < 3; f++) {
            assert_true(fabs(v->result.folds[f].test - results.folds[f].majority) < 1e-12);
            assert_true(v->result.folds[f].deviation < 1e-12);
        }
    }
    for (size_t k = 0; k < results.n_runs; k++)
        assert_true(isnan(results.runs[k].run.test_loss) && results.runs[k].run.epochs == 1);
    rg_results_free(&results);
    rg_store_close(store);
    experiment_runs_close(&p);
}

static void what_runs_say_of_the_test_part_is_kept(void **state)
{
    (void)state;
    experiment_runs p;
    rg_store_run *runs = NULL;
    open_place(&p);
    experiment_runs_finish(&p, alone, "run", (rg_run_options){.n_threads = 1});
    rg_store *store = experiment_runs_store(&p, "run");
    for (size_t job = 0; job < 3; job++) {
        rg_part test = rg_splits_fold(p.splits, job).test;
        ASSERT_OK(rg_store_job_runs(&runs, store, job, err));
        for (uint32_t r = 0; r < 20; r++) {
            const rg_store_prediction *said = runs[r].prediction;
            assert_int_equal(runs[r].run.number, r);
            assert_true(said && said->n_rows == test.n && said->width == 3 && said->classes);
            assert_memory_equal(said->samples, test.graphs, test.n * sizeof *test.graphs);
            for (size_t k = 0; k < test.n; k++) {
                assert_int_equal(said->classes[k], said->classes[0]);
                assert_true(said->numbers[k * 3 + said->classes[k]] == 1);
            }
        }
        rg_store_runs_free(runs, 20);
        runs = NULL;
    }
    rg_store_close(store);
    experiment_runs_close(&p);
}

/* ---- stopped, resumed, shared out */

static void stopped_shared_and_threaded_runs_end_the_same(void **state)
{
    (void)state;
    experiment_runs p;
    char expected[RG_DIGEST_TEXT];
    rg_store *stores[2];
    open_place(&p);
    rg_run_report report =
        experiment_runs_finish(&p, both, "calm", (rg_run_options){.n_threads = 1});
    assert_true(report.n_done == BOTH && report.n_failed == 0);
    experiment_runs_digest(expected, &p, "calm");
    for (unsigned threads = 2; threads <= 4; threads += 2) {
        char *name = test_format("threads%u", threads);
        experiment_runs_finish(&p, both, name, (rg_run_options){.n_threads = threads});
        experiment_runs_ends_as(&p, name, expected);
        free(name);
    }
    for (size_t k = 0; k < BOTH; k += 8) {
        char *name = test_format("stopped%zu", k);
        experiment_watch w = experiment_watch_all();
        w.stop_after = k;
        ASSERT_OK(experiment_runs_run(&report, &p, both, name, (rg_run_options){.n_threads = 1}, &w,
                                      err));
        assert_true(report.stopped && report.n_done == k);
        experiment_runs_finish(&p, both, name, (rg_run_options){.n_threads = 2});
        experiment_runs_ends_as(&p, name, expected);
        free(name);
    }
    for (uint32_t k = 0; k < 2; k++) {
        char *name = test_format("shard%u", (unsigned)k);
        experiment_watch w = experiment_watch_all();
        rg_run_options options = {.n_threads = 1, .shard = k, .n_shards = 2};
        ASSERT_OK(experiment_runs_run(&report, &p, both, name, options, &w, err));
        stores[k] = experiment_runs_store(&p, name);
        free(name);
    }
    char *out = test_format("%s/merged", p.root);
    ASSERT_OK(rg_store_merge(out, stores, 2, err));
    rg_store_close(stores[0]);
    rg_store_close(stores[1]);
    experiment_runs_ends_as(&p, "merged", expected);
    free(out);
    experiment_runs_close(&p);
}

/* ---- models */

static void models_are_kept_of_networks_alone(void **state)
{
    (void)state;
    static const char all[] = EXPERIMENT_RUNS_HEAD
        "runs: 1\nkeep: all\nnetwork:\n  - name: rule\n" NETWORK "  - model: majority\n";
    experiment_runs p;
    open_place(&p);
    rg_run_report report = experiment_runs_finish(&p, all, "all", (rg_run_options){.n_threads = 1});
    assert_true(report.n_models == 3 && report.n_without == 3);
    report = experiment_runs_finish(&p, alone, "alone", (rg_run_options){.n_threads = 1});
    assert_true(report.n_models == 0 && report.n_without == 3); /* keep: best */
    experiment_runs_close(&p);
}

/* ---- what fails */

static void data_that_do_not_suit_fail_the_jobs_of_baselines_alone(void **state)
{
    (void)state;
    static const char text[] =
        EXPERIMENT_RUNS_HEAD "runs: 2\nnetwork:\n"
                             "  - model: majority\n"
                             "  - name: rule\n    task: classification\n" NETWORK;
    experiment_runs p;
    experiment_runs_open(&p); /* three columns of classes */
    rg_run_report report =
        experiment_runs_finish(&p, text, "run", (rg_run_options){.n_threads = 2});
    assert_true(report.n_done == 9 && report.n_failed == 3);
    rg_store *store = experiment_runs_store(&p, "run");
    size_t n;
    const rg_store_job *jobs = rg_store_jobs(store, &n);
    for (size_t k = 0; k < n; k++)
        if (jobs[k].configuration == 0)
            assert_string_equal(jobs[k].outcome.message,
                                "'toy' has 3 columns of classes: baseline models learn one");
    rg_store_close(store);
    experiment_runs_close(&p);
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    static const char text[] = EXPERIMENT_RUNS_HEAD "runs: 3\nfolds: [1]\nmodel: [majority]\n";
    experiment_runs p;
    char expected[RG_DIGEST_TEXT];
    size_t failures = 0;
    bool happened = true;
    open_place(&p);
    experiment_runs_finish(&p, text, "calm", (rg_run_options){.n_threads = 1});
    experiment_runs_digest(expected, &p, "calm");
    for (unsigned long n = 1; happened; n += 1 + n * test_sample_step() / 12) {
        char *name = test_format("fault%lu", n);
        rg_run_report report;
        experiment_watch w = experiment_watch_all();
        rg_error err = {""};
        rg_fault_set(RG_FAULT_ALLOC, n);
        rg_status status = experiment_runs_run(&report, &p, text, name,
                                               (rg_run_options){.n_threads = 1}, &w, &err);
        happened = rg_fault_happened(RG_FAULT_ALLOC);
        rg_fault_set(RG_FAULT_ALLOC, 0);
        if (status && (status != RG_ENOMEM || !err.message[0] || !happened))
            fail_msg("fault %lu: status %d '%s'", n, status, err.message);
        failures += status != RG_OK;
        experiment_runs_finish(&p, text, name, (rg_run_options){.n_threads = 1});
        experiment_runs_ends_as(&p, name, expected);
        free(name);
    }
    assert_true(failures > 30 / test_sample_step());
    experiment_runs_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_majority_is_that_of_the_tables),
        cmocka_unit_test(what_runs_say_of_the_test_part_is_kept),
        cmocka_unit_test(stopped_shared_and_threaded_runs_end_the_same),
        cmocka_unit_test(models_are_kept_of_networks_alone),
        cmocka_unit_test(data_that_do_not_suit_fail_the_jobs_of_baselines_alone),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
