/* test_parts.c - shares of the jobs, done in parts of a run directory and merged. */
/* threads */
#include "job_plans.h"
#include "support/experiment_runs.h"
#include "support/support.h"

#include "base/alloc.h"
#include "jobs/parts.h"

#include <pthread.h>
#include <unistd.h>

static const char plain[] = EXPERIMENT_RUNS_HEAD "runs: 5\n"
                                                 "keep: none\n"
                                                 "network:\n" EXPERIMENT_RUNS_NETWORK
                                                 "training: {lr: [0.1, 0.01]}\n"; /* 12 jobs */
static const char kept[] =
    EXPERIMENT_RUNS_HEAD "runs: 3\n"
                         "network:\n" EXPERIMENT_RUNS_NETWORK; /* 3 jobs, 3 models */

static rg_run_options rank_of(uint32_t rank, uint32_t size)
{
    return (rg_run_options){.n_threads = 1, .shard = rank, .n_shards = size, .together = true};
}

/* ---- shares */

#define LAYERS(depth)                                    \
    "task: classification\n"                             \
    "labels: {a: \"wl(depth=" #depth ", from=node)\"}\n" \
    "layers: [aggregate: \"share out, a(i)\"]\n"

/* The cost that shares are balanced by. */
static double cost_of(const job_plan *l, const rg_store_job *job)
{
    rg_fold fold = rg_splits_fold(l->splits, l->folds[job->fold]);
    return rg_contender_epochs(&l->contenders[job->configuration]) * (double)fold.train.n *
           (1 + job->lanes / 2.0);
}

static void shares_are_whole_and_balanced(void **state)
{
    (void)state;
    static const char *const texts[] = {
        LAYERS(0) "training: {epochs: 40}\n", LAYERS(0) "training: {epochs: 7, lr: 0.5}\n",
        LAYERS(1) "training: {epochs: 11}\n", LAYERS(2) "training: {epochs: 100}\n"};
    for (uint32_t n_runs = 1; n_runs <= 9; n_runs += 4) {
        job_plan l;
        double total = 0, largest = 0;
        job_plan_open(&l, 30, 5, n_runs, texts, 4);
        for (size_t k = 0; k < l.n_jobs; k++) {
            double cost = cost_of(&l, &l.jobs[k]);
            total += cost;
            largest = cost > largest ? cost : largest;
        }
        uint32_t *share = test_malloc(l.n_jobs * sizeof *share);
        uint32_t *again = test_malloc(l.n_jobs * sizeof *again);
        for (uint32_t n = 1; n <= 70; n++) {
            double loads[70] = {0};
            memset(share, 0xff, l.n_jobs * sizeof *share);
            ASSERT_OK(rg_runner_share(share, &l.plan, l.jobs, l.n_jobs, n, err));
            ASSERT_OK(rg_runner_share(again, &l.plan, l.jobs, l.n_jobs, n, err));
            assert_memory_equal(share, again, l.n_jobs * sizeof *share);
            for (size_t k = 0; k < l.n_jobs; k++) { /* every job has one share */
                assert_true(share[k] < n);
                loads[share[k]] += cost_of(&l, &l.jobs[k]);
            }
            for (uint32_t r = 0; r < n; r++)
                assert_true(loads[r] <= total / n * (1 + 1e-6) + largest);
        }
        test_free(share);
        test_free(again);
        job_plan_close(&l);
    }
}

/* Four networks of the same cost on four processes: each prepares one of them. */
static void jobs_on_the_same_prepared_data_stay_together(void **state)
{
    (void)state;
    static const char *const texts[] = {LAYERS(0), LAYERS(1), LAYERS(2), LAYERS(3)};
    job_plan l;
    uint32_t share[64];
    job_plan_open(&l, 30, 4, 3, texts, 4);
    assert_int_equal(l.n_jobs, 16);
    for (uint32_t n = 2; n <= 4; n += 2) {
        ASSERT_OK(rg_runner_share(share, &l.plan, l.jobs, l.n_jobs, n, err));
        for (size_t k = 0; k < l.n_jobs; k++)
            assert_int_equal(share[k], share[4 * l.jobs[k].configuration]);
    }
    job_plan_close(&l);
}

static rg_status share_it(void *context, rg_error *err)
{
    job_plan *l = context;
    uint32_t share[64];
    return rg_runner_share(share, &l->plan, l->jobs, l->n_jobs, 3, err);
}

static void sharing_out_may_lack_memory(void **state)
{
    (void)state;
    static const char *const texts[] = {LAYERS(0), LAYERS(1)};
    job_plan l;
    job_plan_open(&l, 20, 2, 2, texts, 2);
    assert_true(test_allocation_sweep(share_it, &l) > 4);
    job_plan_close(&l);
}

/* ---- parts */

static void the_last_of_any_number_has_the_whole(void **state)
{
    (void)state;
    experiment_runs p;
    char expected[RG_DIGEST_TEXT];
    experiment_runs_open(&p);
    experiment_runs_finish(&p, plain, "calm", (rg_run_options){.n_threads = 1});
    experiment_runs_digest(expected, &p, "calm");
    for (uint32_t n = 2; n <= 14; n += 3) { /* 14: more than there are jobs */
        char *name = test_format("run%u", (unsigned)n);
        size_t n_done = 0;
        for (uint32_t r = 0; r < n; r++) {
            rg_run_report report = experiment_runs_finish(&p, plain, name, rank_of((r + 1) % n, n));
            assert_true(report.n_jobs == 12 && report.n_done >= n_done && !report.n_failed);
            assert_int_equal(report.others, r + 1 < n && (n != 14 || report.n_done < 12));
            n_done = report.n_done;
        }
        assert_int_equal(n_done, 12);
        experiment_runs_ends_as(&p, name, expected);
        assert_false(experiment_runs_has_parts(&p, name));
        for (uint32_t r = 0; r < 3; r++) /* nothing is left: the first tells */
            assert_int_equal(experiment_runs_finish(&p, plain, name, rank_of(r, 3)).others, r > 0);
        free(name);
    }
    experiment_runs_close(&p);
}

/* Ranks at the same time, as threads of this process: locks are of descriptors. */
typedef struct racer {
    const experiment_runs *p;
    const char *name;
    uint32_t rank, size;
    rg_run_report report;
    rg_status status;
    rg_error err;
} racer;

static void *race(void *argument)
{
    racer *r = argument;
    experiment_watch w = experiment_watch_all();
    r->status = experiment_runs_run(&r->report, r->p, kept, r->name, rank_of(r->rank, r->size), &w,
                                    &r->err);
    return NULL;
}

static void exactly_one_of_those_that_race_is_the_last(void **state)
{
    (void)state;
    enum { N = 4 };
    experiment_runs p;
    char expected[RG_DIGEST_TEXT];
    experiment_runs_open(&p);
    experiment_runs_finish(&p, kept, "calm", (rg_run_options){.n_threads = 1});
    experiment_runs_digest(expected, &p, "calm");
    for (size_t k = 0; k < 8; k++) {
        char *name = test_format("race%zu", k);
        racer racers[N];
        pthread_t threads[N];
        size_t n_last = 0, n_models = 0;
        for (uint32_t r = 0; r < N; r++) {
            racers[r] = (racer){.p = &p, .name = name, .rank = r, .size = N};
            assert_int_equal(pthread_create(&threads[r], NULL, race, &racers[r]), 0);
        }
        for (uint32_t r = 0; r < N; r++) {
            pthread_join(threads[r], NULL);
            if (racers[r].status)
                fail_msg("rank %u: %s", (unsigned)r, racers[r].err.message);
            n_last += !racers[r].report.others;
            n_models += racers[r].report.n_models;
        }
        assert_int_equal(n_last, 1);
        assert_int_equal(n_models, 3);
        experiment_runs_ends_as(&p, name, expected);
        assert_false(experiment_runs_has_parts(&p, name));
        free(name);
    }
    experiment_runs_close(&p);
}

/* A rank that is stopped, or never comes: others lose nothing, and any number goes on. */
static void what_is_missing_is_done_by_any_number(void **state)
{
    (void)state;
    experiment_runs p;
    char expected[RG_DIGEST_TEXT];
    experiment_runs_open(&p);
    experiment_runs_finish(&p, plain, "calm", (rg_run_options){.n_threads = 1});
    experiment_runs_digest(expected, &p, "calm");
    for (uint32_t n = 1; n <= 5; n++) {
        char *name = test_format("rest%u", (unsigned)n);
        rg_run_report report;
        experiment_watch w = experiment_watch_all();
        w.stop_after = 2;
        ASSERT_OK(experiment_runs_run(&report, &p, plain, name, rank_of(1, 4), &w, err));
        assert_true(report.stopped && report.n_done == 2 && experiment_runs_has_parts(&p, name));
        experiment_runs_finish(&p, plain, name, rank_of(2, 4)); /* 0 and 3 never come */
        size_t n_now = 0;
        for (uint32_t r = 0; r < n; r++) {
            w = experiment_watch_all();
            rg_run_options options = n == 1 ? (rg_run_options){.n_threads = 1} : rank_of(r, n);
            ASSERT_OK(experiment_runs_run(&report, &p, plain, name, options, &w, err));
            n_now += w.n_jobs;
            assert_int_equal(report.others, n > 1 && report.n_done < 12);
        }
        assert_int_equal(n_now, 12 - 2 - 3); /* nothing is done twice */
        experiment_runs_ends_as(&p, name, expected);
        assert_false(experiment_runs_has_parts(&p, name));
        free(name);
    }
    experiment_runs_close(&p);
}

static void parts_of_failed_jobs_are_tried_again_by_their_ranks(void **state)
{
    (void)state;
    experiment_runs p;
    char expected[RG_DIGEST_TEXT];
    experiment_runs_open(&p);
    experiment_runs_finish(&p, kept, "calm", (rg_run_options){.n_threads = 1});
    experiment_runs_digest(expected, &p, "calm");
    for (uint32_t r = 0; r < 2; r++) {
        rg_run_options starved = rank_of(r, 2);
        starved.memory = 1;
        rg_run_report report = experiment_runs_finish(&p, kept, "run", starved);
        assert_int_equal(report.n_failed, report.n_done);
    }
    rg_run_report report = {.n_failed = 9};
    for (uint32_t r = 0; r < 2; r++) {
        rg_run_options again = rank_of(r, 2);
        again.retry = true;
        report = experiment_runs_finish(&p, kept, "run", again);
    }
    assert_true(report.n_failed == 0 && report.n_done == 3 && report.n_models == 3);
    experiment_runs_ends_as(&p, "run", expected);
    experiment_runs_close(&p);
}

static void others_at_work_are_left_alone(void **state)
{
    (void)state;
    experiment_runs p;
    rg_run_report report;
    experiment_watch w = experiment_watch_all();
    experiment_runs_open(&p);
    w.stop_after = 1;
    ASSERT_OK(experiment_runs_run(&report, &p, plain, "run", rank_of(0, 2), &w, err));
    char *run = test_format("%s/run", p.root), *part = rg_parts_path(run, 0, 2);
    rg_store *busy = NULL;
    ASSERT_OK(rg_store_open(&busy, part, true, err));
    w = experiment_watch_all();
    ASSERT_REFUSED(
        experiment_runs_run(&report, &p, plain, "run", (rg_run_options){.n_threads = 1}, &w, err),
        RG_EFAIL, "run/parts/0-of-2' is in use by process");
    ASSERT_REFUSED(experiment_runs_run(&report, &p, plain, "run", rank_of(0, 2), &w, err), RG_EFAIL,
                   "run/parts/0-of-2' is in use by process");
    report = experiment_runs_finish(&p, plain, "run", rank_of(1, 2));
    assert_true(report.others && report.n_done == 6 && experiment_runs_has_parts(&p, "run"));
    rg_store_close(busy);
    report = experiment_runs_finish(&p, plain, "run", (rg_run_options){.n_threads = 1});
    assert_true(!report.others && report.n_done == 12 && !experiment_runs_has_parts(&p, "run"));
    rg_free(part);
    free(run);
    experiment_runs_close(&p);
}

static void odd_things_in_parts_are_no_danger(void **state)
{
    (void)state;
    experiment_runs p;
    char expected[RG_DIGEST_TEXT];
    experiment_watch w = experiment_watch_all();
    rg_run_report report;
    experiment_runs_open(&p);
    experiment_runs_finish(&p, kept, "calm", (rg_run_options){.n_threads = 1});
    experiment_runs_digest(expected, &p, "calm");
    /* killed before it began; things of others, which stay */
    test_write(p.root, "run/parts/3-of-7/store.lock", "12 host\n");
    test_write(p.root, "run/parts/4-of-7/store.sqlite.new", "half");
    test_write(p.root, "run/parts/notes.txt", "mine");
    test_write(p.root, "run/parts/01-of-7/store.sqlite", "not canonical");
    experiment_runs_finish(&p, kept, "run", rank_of(0, 2));
    report = experiment_runs_finish(&p, kept, "run", rank_of(1, 2));
    assert_true(report.n_done == 3 && !report.others);
    experiment_runs_ends_as(&p, "run", expected);
    char *path = test_format("%s/run/parts/notes.txt", p.root);
    assert_int_equal(access(path, F_OK), 0);
    free(path);
    path = test_format("%s/run/parts/3-of-7", p.root);
    assert_int_not_equal(access(path, F_OK), 0);
    free(path);
    /* one that is damaged, and one of another experiment */
    test_write(p.root, "run/parts/0-of-9/store.sqlite", "this is no store at all");
    ASSERT_REFUSED(experiment_runs_run(&report, &p, kept, "run", rank_of(0, 2), &w, err), RG_EDATA,
                   "run/parts/0-of-9/store.sqlite");
    path = test_format("%s/run/parts/0-of-9/store.sqlite", p.root);
    assert_int_equal(unlink(path), 0);
    free(path);
    experiment_runs_finish(&p, plain, "run/parts/0-of-9", (rg_run_options){.n_threads = 1});
    ASSERT_REFUSED(experiment_runs_run(&report, &p, kept, "run", rank_of(0, 2), &w, err), RG_EFAIL,
                   "run/parts/0-of-9' is not of the same experiment");
    experiment_runs_close(&p);
}

/* ---- memory and disk */

/* Rank 0 with a call that fails; then both ranks end as if nothing had been. */
static void memory_and_disk_may_fail_anywhere(void **state)
{
    (void)state;
    static const char text[] = EXPERIMENT_RUNS_HEAD
        "runs: 1\nfolds: [0, 1]\nkeep: none\nnetwork:\n  task: classification\n"
        "  layers: [aggregate: \"share out, node(i)\"]\n  training: {epochs: 2}\n";
    const rg_run_options ranks[] = {rank_of(0, 2), rank_of(1, 2)};
    experiment_runs_may_fail(text, ranks, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_are_whole_and_balanced),
        cmocka_unit_test(jobs_on_the_same_prepared_data_stay_together),
        cmocka_unit_test(sharing_out_may_lack_memory),
        cmocka_unit_test(the_last_of_any_number_has_the_whole),
        cmocka_unit_test(exactly_one_of_those_that_race_is_the_last),
        cmocka_unit_test(what_is_missing_is_done_by_any_number),
        cmocka_unit_test(parts_of_failed_jobs_are_tried_again_by_their_ranks),
        cmocka_unit_test(others_at_work_are_left_alone),
        cmocka_unit_test(odd_things_in_parts_are_no_danger),
        cmocka_unit_test(memory_and_disk_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
