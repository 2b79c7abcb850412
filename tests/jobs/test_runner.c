/* test_runner.c - jobs: which there are, and that nothing but the job tells what comes out of it.
 */
/* threads */
#include "base/alloc.h"
#include "job_plans.h"
#include "jobs/prepared.h"
#include "support/models.h"
#include "support/support.h"
#include "train/recipe.h"

#include <stdio.h>

#define RULE                                                         \
    "task: classification\n"                                         \
    "labels: {a: node}\n"                                            \
    "layers:\n"                                                      \
    "  - rule: share a(i), a(j), dist(i,j) when dist(i,j) in 1..3\n" \
    "    bias: share a(i)\n"                                         \
    "  - aggregate: share out, a(i)\n"
#define DEEP                                      \
    "task: classification\n"                      \
    "labels: {w: \"wl(depth=2, from=node)\"}\n"   \
    "layers:\n"                                   \
    "  - rule: share w(i), w(j) when edge(i,j)\n" \
    "    heads: 2\n"                              \
    "  - aggregate: share out, w(i)\n"
static const char slow[] = RULE "training: {epochs: 6, batch: 8, lr: 0.01}\n";
static const char quick[] = RULE "training: {epochs: 9, batch: 8, lr: 0.1, patience: 2}\n";
static const char deep[] = DEEP "training: {epochs: 4, batch: 4}\n";
static const char misfit[] = "task: classification\n"
                             "labels: {a: attribute(7)}\n"
                             "layers: [aggregate: \"share out, a(i)\"]\n";
static const char wild[] = "task: regression\n"
                           "target: 0\n"
                           "labels: {a: node}\n"
                           "layers: [aggregate: \"share out, a(i)\"]\n"
                           "training: {lr: 1e30, optimiser: sgd, batch: 1}\n";

/* ---- which jobs there are */

static void runs_are_put_into_lanes(void **state)
{
    (void)state;
    static const char *const jobs[] = {
        "1/1",         "1/1 1/1",         "3/4",         "4/4",
        "4/4 1/1",     "4/4 1/1 1/1",     "7/8",         "8/8",
        "8/8 1/1",     "8/8 1/1 1/1",     "8/8 3/4",     "8/8 4/4",
        "8/8 4/4 1/1", "8/8 4/4 1/1 1/1", "8/8 7/8",     "8/8 8/8",
        "8/8 8/8 1/1", "8/8 8/8 1/1 1/1", "8/8 8/8 3/4", "8/8 8/8 4/4"};
    for (uint32_t n_runs = 1; n_runs <= 20; n_runs++) {
        rg_recipe recipe = {.batched = false};
        rg_contender networks[2] = {{.recipe = &recipe}, {.recipe = &recipe}};
        rg_runner_plan plan = {
            .n_folds = 3, .contenders = networks, .n_contenders = 2, .n_runs = n_runs};
        rg_store_job *all = NULL;
        size_t n = 0, k = 0;
        ASSERT_OK(rg_runner_jobs(&all, &n, &plan, err));
        for (uint32_t cell = 0; cell < 6; cell++) {
            char text[64] = "";
            for (uint32_t run = 0; run < n_runs; k++) {
                assert_true(k < n && all[k].configuration == cell / 3 && all[k].fold == cell % 3);
                assert_int_equal(all[k].first_run, run);
                run += all[k].n_runs;
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s%u/%u",
                         *text ? " " : "", (unsigned)all[k].n_runs, (unsigned)all[k].lanes);
            }
            assert_string_equal(text, jobs[n_runs - 1]);
        }
        assert_int_equal(k, n);
        rg_free(all);
    }
}

/* ---- what comes out */

static void results_do_not_depend_on_threads_order_or_company(void **state)
{
    (void)state;
    static const char *const texts[] = {slow, quick, deep};
    job_plan l;
    job_plan_open(&l, 30, 3, 5, texts, 3);
    job_record alone = job_plan_done(&l, (rg_runner_options){.n_threads = 1});
    assert_int_equal(l.n_jobs, 18);
    for (unsigned threads = 2; threads <= 4; threads += 2) {
        job_record r = job_plan_done(&l, (rg_runner_options){.n_threads = threads});
        job_plan_same(&alone, &r);
        job_record_close(&r);
    }
    job_record plain =
        job_plan_done(&l, (rg_runner_options){.n_threads = 2, .cpu = RG_CPU_PORTABLE});
    job_plan_same(&alone, &plain);
    job_record_close(&plain);
    static const size_t some[] = {17, 4, 11, 3}, none[1];
    size_t n_done = 99;
    job_record r = {.asks_left = -1};
    ASSERT_OK(job_plan_run(&r, &l, some, 4, (rg_runner_options){.n_threads = 2}, &n_done, err));
    assert_int_equal(n_done, 4);
    job_plan_same(&alone, &r);
    for (size_t k = 0; k < l.n_jobs; k++)
        assert_int_equal(r.jobs[k].state,
                         k == 17 || k == 4 || k == 11 || k == 3 ? RG_JOB_DONE : RG_JOB_WAITING);
    job_record_close(&r);
    r = (job_record){.asks_left = -1};
    ASSERT_OK(job_plan_run(&r, &l, none, 0, (rg_runner_options){.n_threads = 2}, &n_done, err));
    assert_int_equal(n_done, 0);
    job_record_close(&r);
    job_record_close(&alone);
    job_plan_close(&l);
}

static void little_memory_gives_the_same(void **state)
{
    (void)state;
    static const char *const texts[] = {slow, deep};
    job_plan l;
    job_plan_open(&l, 40, 2, 3, texts, 2);
    job_record any = job_plan_done(&l, (rg_runner_options){.n_threads = 1});
    for (uint64_t memory = 20000; memory <= 320000; memory *= 2)
        for (unsigned threads = 1; threads <= 2; threads++) {
            job_record r =
                job_plan_done(&l, (rg_runner_options){.n_threads = threads, .memory = memory});
            job_plan_same(&any, &r);
            job_record_close(&r);
        }
    job_record_close(&any);
    job_plan_close(&l);
}

/* ---- the same as training run by run */

static void assert_run_is_that_of_training(const job_plan *l, const rg_store_run *run)
{
    rg_train_options options = rg_train_options_default();
    rg_runner_options runner = {.n_threads = 1};
    rg_fold fold = rg_splits_fold(l->splits, run->fold);
    rg_train_report report = RG_TRAIN_REPORT_INIT;
    rg_model *model = NULL, *again = NULL;
    rg_model_info info = RG_MODEL_INFO_INIT;
    options.seed = l->plan.seed;
    options.first_run =
        run->run.number + (l->plan.starts_per_fold ? run->fold * l->plan.n_runs : 0);
    options.n_threads = 1;
    options.fit_on_train = l->plan.fit_on_train;
    ASSERT_OK(rg_model_train(&model, &report, l->contenders[run->configuration].recipe, &l->source,
                             &fold, &options, err));
    rg_store_run alone = {
        .configuration = run->configuration, .fold = run->fold, .run = report.runs[0]};
    rg_store_run here = *run;
    alone.run.number = run->run.number;
    here.prediction = here.validation = here.targets[0] = here.targets[1] = NULL;
    test_runs_equal(&alone, &here, 1);
    job_plan_assert_predicts(model, &l->source, &fold.test, run->prediction);
    job_plan_assert_predicts(model, &l->source, &fold.validation, run->validation);
    ASSERT_OK(rg_runner_model(&again, &l->plan, run->configuration, run->fold, run->run.number,
                              &runner, err));
    char *root = test_directory_make(), *path = test_format("%s/m", root);
    char digest[RG_DIGEST_SIZE];
    ASSERT_OK(rg_model_save(model, path, err));
    ASSERT_OK(rg_model_describe(&info, model, err));
    snprintf(digest, sizeof digest, "%s", info.digest);
    ASSERT_OK(rg_model_save(again, path, err));
    ASSERT_OK(rg_model_describe(&info, again, err));
    assert_string_equal(info.digest, digest);
    free(path);
    test_directory_remove(root);
    rg_model_free(model);
    rg_model_free(again);
}

static void a_job_has_the_bits_of_its_runs_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {quick, deep};
    for (int other = 0; other < 2; other++) {
        job_plan l;
        job_plan_open(&l, 30, 2, 5, texts, 2);
        l.plan.fit_on_train = l.plan.starts_per_fold = other;
        job_record r = job_plan_done(&l, (rg_runner_options){.n_threads = 2});
        for (size_t k = 0; k < l.n_jobs; k++)
            for (uint32_t run = 0; run < l.jobs[k].n_runs; run++) {
                assert_int_equal(r.jobs[k].runs[run].run.number, l.jobs[k].first_run + run);
                assert_run_is_that_of_training(&l, &r.jobs[k].runs[run]);
            }
        job_record_close(&r);
        job_plan_close(&l);
    }
}

static void jobs_of_every_task_keep_what_their_models_say(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_MODELS; kind++) {
        models m = models_open(kind);
        job_plan l = {.source = m.source, .splits = test_splits(&m.source, 2), .folds = {1}};
        l.contenders[0].recipe = m.recipe;
        l.plan = (rg_runner_plan){.source = &l.source,
                                  .splits = l.splits,
                                  .folds = l.folds,
                                  .n_folds = 1,
                                  .contenders = l.contenders,
                                  .n_contenders = 1,
                                  .seed = 7,
                                  .n_runs = 3,
                                  .predictions = true};
        ASSERT_OK(rg_runner_jobs(&l.jobs, &l.n_jobs, &l.plan, err));
        job_record r = job_plan_done(&l, (rg_runner_options){.n_threads = 1});
        rg_fold fold = rg_splits_fold(l.splits, 1); /* the only one of the plan */
        for (uint32_t run = 0; run < 3; run++) {
            rg_model *model = NULL;
            ASSERT_OK(rg_runner_model(&model, &l.plan, 0, 0, run,
                                      &(rg_runner_options){.n_threads = 1}, err));
            job_plan_assert_predicts(model, &l.source, &fold.test, r.jobs[0].runs[run].prediction);
            rg_model_free(model);
        }
        job_record_close(&r);
        l.contenders[0].recipe = NULL; /* the models' */
        job_plan_close(&l);
        models_close(&m);
    }
}

/* ---- prepared_cache */

/* Different numbers among the times that building took: prepared_cache that were built. */
static size_t count_benches(const job_record *r)
{
    size_t n = 0;
    for (size_t k = 0; k < r->runner->n_jobs; k++) {
        bool seen = false;
        for (size_t j = 0; j < k; j++)
            seen |= r->jobs[j].build_seconds == r->jobs[k].build_seconds;
        n += !seen;
    }
    return n;
}

static void what_jobs_need_is_shared(void **state)
{
    (void)state;
    static const char *const texts[] = {slow, deep, quick};
    job_plan l;
    job_plan_open(&l, 30, 3, 5, texts, 3);
    for (int fit_on_train = 0; fit_on_train < 2; fit_on_train++) {
        rg_runner_options options = {.n_threads = 2};
        rg_prepared_cache *prepared_cache = NULL;
        l.plan.fit_on_train = fit_on_train;
        ASSERT_OK(rg_prepared_cache_new(&prepared_cache, &l.plan, &options, err));
        assert_int_equal(rg_prepared_cache_size(prepared_cache), fit_on_train ? 6 : 2);
        assert_int_equal(rg_prepared_cache_number(prepared_cache, 0, 1),
                         rg_prepared_cache_number(prepared_cache, 2, 1));
        assert_int_not_equal(rg_prepared_cache_number(prepared_cache, 0, 1),
                             rg_prepared_cache_number(prepared_cache, 1, 1));
        assert_int_equal(rg_prepared_cache_number(prepared_cache, 0, 1) ==
                             rg_prepared_cache_number(prepared_cache, 0, 2),
                         !fit_on_train);
        rg_prepared_cache_free(prepared_cache);
        for (options.n_threads = 1; options.n_threads <= 4; options.n_threads *= 2) {
            job_record r = job_plan_done(&l, options);
            size_t n = count_benches(&r), least = fit_on_train ? 6 : 2;
            assert_int_equal(n, least);
            job_record_close(&r);
        }
    }
    job_plan_close(&l);
}

static void benches_share_the_memory(void **state)
{
    (void)state;
    static const char *const texts[] = {slow, deep};
    enum { MEMORY = 12000 };
    job_plan l;
    job_plan_open(&l, 60, 2, 1, texts, 2);
    for (unsigned threads = 0; threads <= 2;
         threads++) { /* 0: any memory; tables may have half of it */
        rg_runner_options options = {.n_threads = threads, .memory = threads ? MEMORY : 0};
        rg_prepared_cache *prepared_cache = NULL;
        const rg_prepared *a = NULL, *b = NULL;
        ASSERT_OK(rg_prepared_cache_new(&prepared_cache, &l.plan, &options, err));
        ASSERT_OK(rg_prepared_cache_enter(&a, prepared_cache, 0, 0, err));
        ASSERT_OK(rg_prepared_cache_enter(&b, prepared_cache, 1, 0, err));
        uint64_t most =
            a->samples->bytes > b->samples->bytes ? a->samples->bytes : b->samples->bytes;
        assert_true(threads ? most <= MEMORY / 2 / threads : most > MEMORY);
        rg_prepared_cache_leave(prepared_cache, 0, 0);
        rg_prepared_cache_leave(prepared_cache, 1, 0);
        rg_prepared_cache_free(prepared_cache);
    }
    job_plan_close(&l);
}

/* ---- what fails */

static void a_job_that_fails_does_not_stop_the_others(void **state)
{
    (void)state;
    static const char *const texts[] = {misfit, slow, wild, deep};
    job_plan l;
    job_plan_open(&l, 30, 2, 5, texts, 4);
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        job_record r = job_plan_done(&l, (rg_runner_options){.n_threads = threads});
        for (size_t k = 0; k < l.n_jobs; k++) {
            static const char *const words[] = {
                "found 2 node attributes", "",
                "training: the loss is not a number in epoch 1; a smaller 'lr' or 'clip' may help",
                ""};
            const char *expected = words[l.jobs[k].configuration];
            assert_int_equal(r.jobs[k].state, *expected ? RG_JOB_FAILED : RG_JOB_DONE);
            if (!strstr(r.jobs[k].message, expected))
                fail_msg("job %zu: '%s', expected '%s'", k, r.jobs[k].message, expected);
        }
        job_record_close(&r);
    }
    job_plan_close(&l);
}

static void work_that_is_stopped_keeps_whole_jobs_alone(void **state)
{
    (void)state;
    static const char *const texts[] = {slow, deep};
    job_plan l;
    job_plan_open(&l, 30, 3, 5, texts, 2);
    job_record all = job_plan_done(&l, (rg_runner_options){.n_threads = 1});
    for (unsigned threads = 1; threads <= 4; threads *= 2)
        for (size_t stop = 0; stop < 40; stop++) {
            bool jobs = stop < 12; /* after so many jobs; else after so many questions */
            job_record r = {.stop_at = jobs ? stop : 0,
                            .asks_left = jobs ? (stop ? -1 : 0) : (long)(stop - 12) * 3};
            size_t n_done = 99, n = 0;
            ASSERT_OK(job_plan_run(&r, &l, NULL, 0, (rg_runner_options){.n_threads = threads},
                                   &n_done, err));
            for (size_t k = 0; k < l.n_jobs; k++)
                n += r.jobs[k].state != RG_JOB_WAITING;
            assert_int_equal(n, n_done);
            assert_int_equal(n, r.n_calls);
            if (jobs) /* others may be about to put theirs */
                assert_in_range(n, stop, stop ? stop + threads - 1 : 0);
            job_plan_same(&all, &r);
            job_record_close(&r);
        }
    job_record_close(&all);
    job_plan_close(&l);
}

static void what_done_says_ends_the_work(void **state)
{
    (void)state;
    static const char *const texts[] = {slow, deep};
    job_plan l;
    job_plan_open(&l, 30, 3, 5, texts, 2);
    for (unsigned threads = 1; threads <= 4; threads *= 2)
        for (size_t at = 1; at <= l.n_jobs; at++) {
            job_record r = {.fail_at = at, .asks_left = -1};
            size_t n_done = 99;
            ASSERT_REFUSED(job_plan_run(&r, &l, NULL, 0, (rg_runner_options){.n_threads = threads},
                                        &n_done, err),
                           RG_EIO, "the disk is full");
            assert_int_equal(n_done, at - 1);
            assert_int_equal(r.n_calls, at);
            job_record_close(&r);
        }
    job_plan_close(&l);
}

static rg_status run_tiny(void *context, rg_error *err)
{
    const job_plan *l = context;
    job_record r = {.asks_left = -1};
    rg_store_job *jobs = NULL;
    rg_model *model = NULL;
    rg_runner_options options = {.n_threads = 1};
    size_t n = 0;
    rg_status status = rg_runner_jobs(&jobs, &n, &l->plan, err);
    rg_free(jobs);
    if (status)
        return status;
    status = job_plan_run(&r, l, NULL, 0, options, &n, err);
    job_record_close(&r);
    if (!status)
        status = rg_runner_model(&model, &l->plan, 0, 1, 2, &options, err);
    rg_model_free(model);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    static const char *const texts[] = {RULE "training: {epochs: 2, batch: 4}\n",
                                        DEEP "training: {epochs: 2, batch: 4}\n"};
    job_plan l;
    job_plan_open(&l, 12, 2, 3, texts, 2);
    assert_true(test_allocation_sweep(run_tiny, &l) > 100);
    job_plan_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_put_into_lanes),
        cmocka_unit_test(results_do_not_depend_on_threads_order_or_company),
        cmocka_unit_test(little_memory_gives_the_same),
        cmocka_unit_test(a_job_has_the_bits_of_its_runs_alone),
        cmocka_unit_test(jobs_of_every_task_keep_what_their_models_say),
        cmocka_unit_test(what_jobs_need_is_shared),
        cmocka_unit_test(benches_share_the_memory),
        cmocka_unit_test(a_job_that_fails_does_not_stop_the_others),
        cmocka_unit_test(work_that_is_stopped_keeps_whole_jobs_alone),
        cmocka_unit_test(what_done_says_ends_the_work),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
