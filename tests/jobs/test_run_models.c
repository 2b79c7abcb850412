/* test_run_models.c - models that experiments keep: which, and what they say. */
#include "base/alloc.h"
#include "job_plans.h"
#include "support/experiment_runs.h"
#include "support/support.h"

static const char small[] = EXPERIMENT_RUNS_HEAD "runs: 3\n"
                                                 "network:\n" EXPERIMENT_RUNS_NETWORK;

/* A model file predicts what the store has of its run, and is the one that the store means. */
static void assert_model(const experiment_runs *p, const char *name, rg_store *store,
                         const rg_store_model *kept)
{
    rg_store_run run = {
        .configuration = kept->configuration, .fold = kept->fold, .run.number = kept->run};
    rg_store_prediction *prediction = NULL;
    rg_fold fold = rg_splits_fold(p->splits, kept->fold);
    char *path = test_format("%s/%s/%s", p->root, name, kept->file);
    rg_model *model = NULL;
    rg_model_info info = RG_MODEL_INFO_INIT;
    ASSERT_OK(rg_model_load(&model, path, err));
    ASSERT_OK(rg_model_describe(&info, model, err));
    assert_string_equal(info.digest, kept->digest);
    ASSERT_OK(rg_store_prediction_read(&prediction, store, &run, err));
    job_plan_assert_predicts(model, &p->source, &fold.test, prediction);
    rg_model_free(model);
    rg_free(prediction);
    free(path);
}

static size_t assert_models(const experiment_runs *p, const char *name)
{
    rg_store *store = experiment_runs_store(p, name);
    rg_store_model *models = NULL;
    size_t n = 0;
    ASSERT_OK(rg_store_models(&models, &n, store, err));
    for (size_t k = 0; k < n; k++)
        assert_model(p, name, store, &models[k]);
    rg_free(models);
    rg_store_close(store);
    return n;
}

static char *keeping(const char *what, const char *fit)
{
    return test_format(EXPERIMENT_RUNS_HEAD
                       "runs: 3\nkeep: %s\nfit: %s\nnetwork:\n" EXPERIMENT_RUNS_NETWORK
                       "training: {lr: [0.1, 0.01]}\n",
                       what, fit);
}

static void models_that_are_kept_say_what_their_runs_said(void **state)
{
    (void)state;
    static const struct {
        const char *keep, *fit;
        size_t n;
    } cases[] = {{"none", "all", 0}, {"best", "all", 3}, {"all", "all", 18}, {"best", "train", 3}};
    experiment_runs p;
    experiment_runs_open(&p);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *name = test_format("keep%zu", k), *text = keeping(cases[k].keep, cases[k].fit);
        rg_run_report report =
            experiment_runs_finish(&p, text, name, (rg_run_options){.n_threads = 1});
        assert_int_equal(report.n_models, cases[k].n);
        assert_int_equal(assert_models(&p, name), cases[k].n);
        report = experiment_runs_finish(&p, text, name, (rg_run_options){.n_threads = 1});
        assert_true(report.resumed && report.n_models == 0); /* they are there */
        free(name);
        free(text);
    }
    char all[RG_DIGEST_TEXT], train[RG_DIGEST_TEXT];
    experiment_runs_digest(all, &p, "keep1");
    experiment_runs_digest(train, &p, "keep3");
    assert_string_not_equal(all, train);
    experiment_runs_close(&p);
}

/* The run of the configuration chosen that is best on the validation part, the first of several. */
static void the_model_of_a_fold_is_that_of_its_best_run(void **state)
{
    (void)state;
    experiment_runs p;
    experiment_runs_open(&p);
    experiment_runs_finish(&p, small, "run", (rg_run_options){.n_threads = 1});
    rg_store *store = experiment_runs_store(&p, "run");
    rg_store_model *models = NULL;
    rg_store_run *runs = NULL;
    size_t n_models = 0, n = 0;
    ASSERT_OK(rg_store_models(&models, &n_models, store, err));
    ASSERT_OK(rg_store_runs(&runs, &n, store, err));
    assert_true(n_models == 3 && n == 9);
    for (size_t f = 0; f < 3; f++) {
        const rg_store_run *own = runs + 3 * f;
        size_t best = 0;
        for (size_t r = 1; r < 3; r++)
            if (own[r].run.validation_score > own[best].run.validation_score)
                best = r;
        assert_int_equal(models[f].fold, f);
        assert_int_equal(models[f].run, best);
    }
    rg_free(models);
    rg_store_runs_free(runs, n);
    rg_store_close(store);
    experiment_runs_close(&p);
}

static void models_may_be_left_for_later(void **state)
{
    (void)state;
    experiment_runs p;
    char *text = keeping("all", "all");
    size_t total = 0, calls = 0;
    rg_run_report report = {.stopped = true};
    experiment_runs_open(&p);
    for (; report.stopped && calls < 100; calls++) {
        experiment_watch w = experiment_watch_all();
        atomic_store(&w.asks_left, calls ? 4 : 1000);
        w.stop_after = calls ? SIZE_MAX : 6; /* all jobs, no model */
        ASSERT_OK(experiment_runs_run(&report, &p, text, "run", (rg_run_options){.n_threads = 1},
                                      &w, err));
        assert_int_equal(report.n_done, 6);
        total += report.n_models;
    }
    assert_true(calls > 3 && calls < 100);
    assert_int_equal(total, 18);
    assert_int_equal(assert_models(&p, "run"), 18);
    free(text);
    experiment_runs_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_that_are_kept_say_what_their_runs_said),
        cmocka_unit_test(the_model_of_a_fold_is_that_of_its_best_run),
        cmocka_unit_test(models_may_be_left_for_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
