/* experiment_runs.c - see experiment_runs.h. */
#include "experiment_runs.h"

#include "support.h"

#include <unistd.h>

void experiment_runs_open(experiment_runs *p)
{
    *p = (experiment_runs){.data = test_dataset_with_targets(30, 8, 31),
                           .root = test_directory_make()};
    p->source.graphs = p->data;
    p->splits = test_splits(&p->source, 3);
}

void experiment_runs_close(experiment_runs *p)
{
    rg_dataset_free(p->data);
    rg_splits_free(p->splits);
    test_directory_remove(p->root);
}

static void follow(void *context, const rg_run_state *state)
{
    experiment_watch *w = context;
    if (w->told)
        atomic_fetch_add(&w->n_jobs, 1);
    assert_true(state->n_done <= state->n_jobs && state->n_failed <= state->n_done);
    assert_int_equal(state->left >= 0, w->told);
    w->told = true; /* the first time is before any job */
    w->total = state->n_jobs;
}

static int is_over(void *context)
{
    experiment_watch *w = context;
    if (atomic_load(&w->asks_left) >= 0 && atomic_fetch_sub(&w->asks_left, 1) <= 0)
        return 1;
    return atomic_load(&w->n_jobs) >= w->stop_after;
}

experiment_watch experiment_watch_all(void)
{
    return (experiment_watch){.stop_after = SIZE_MAX, .asks_left = -1};
}

rg_status experiment_runs_run(rg_run_report *report, const experiment_runs *p, const char *text,
                              const char *name, rg_run_options options, experiment_watch *w,
                              rg_error *err)
{
    rg_experiment *experiment = NULL;
    char *directory = test_format("%s/%s", p->root, name);
    rg_status status =
        rg_experiment_parse(&experiment, "exp.yml", text, strlen(text), NULL, 0, err);
    options.directory = directory;
    options.progress = follow;
    options.stop = is_over;
    options.context = w;
    if (!status)
        status = rg_experiment_run(report, experiment, text, &p->source, "toy", p->splits, "made",
                                   &options, err);
    rg_experiment_free(experiment);
    free(directory);
    return status;
}

rg_run_report experiment_runs_finish(const experiment_runs *p, const char *text, const char *name,
                                     rg_run_options options)
{
    rg_run_report report = {.n_jobs = 0};
    experiment_watch w = experiment_watch_all();
    ASSERT_OK(experiment_runs_run(&report, p, text, name, options, &w, err));
    assert_false(report.stopped);
    return report;
}

void experiment_runs_digest(char out[RG_DIGEST_TEXT], const experiment_runs *p, const char *name)
{
    char *directory = test_format("%s/%s", p->root, name);
    test_store_digest(out, directory);
    free(directory);
}

void experiment_runs_ends_as(const experiment_runs *p, const char *name, const char *expected)
{
    char digest[RG_DIGEST_TEXT];
    experiment_runs_digest(digest, p, name);
    assert_string_equal(digest, expected);
}

rg_store *experiment_runs_store(const experiment_runs *p, const char *name)
{
    rg_store *store = NULL;
    char *directory = test_format("%s/%s", p->root, name);
    ASSERT_OK(rg_store_open(&store, directory, false, err));
    free(directory);
    return store;
}

bool experiment_runs_has_parts(const experiment_runs *p, const char *name)
{
    char *path = test_format("%s/%s/parts", p->root, name);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

/* How many runs failed. */
static size_t sweep(const experiment_runs *p, const char *text, const rg_run_options *options,
                    size_t n_options, rg_fault kind, rg_status expected)
{
    char calm[RG_DIGEST_TEXT];
    size_t failures = 0;
    bool happened = true;
    char *first = test_format("calm%d", (int)kind);
    experiment_runs_finish(p, text, first, (rg_run_options){.n_threads = 1});
    experiment_runs_digest(calm, p, first);
    for (unsigned long n = 1; happened; n += 1 + n * test_sample_step() / 12) {
        char *name = test_format("fault%d-%lu", (int)kind, n);
        rg_run_report report;
        experiment_watch w = experiment_watch_all();
        rg_error err = {""};
        rg_fault_set(kind, n);
        rg_status status = experiment_runs_run(&report, p, text, name, options[0], &w, &err);
        happened = rg_fault_happened(kind);
        rg_fault_set(kind, 0);
        if (status && (status != expected || !err.message[0] || !happened))
            fail_msg("fault %lu: status %d '%s', expected %d", n, status, err.message, expected);
        failures += status != RG_OK;
        for (size_t k = n_options; k-- > 0;)
            experiment_runs_finish(p, text, name, options[k]);
        experiment_runs_ends_as(p, name, calm);
        assert_false(experiment_runs_has_parts(p, name));
        free(name);
    }
    free(first);
    return failures;
}

void experiment_runs_may_fail(const char *text, const rg_run_options *options, size_t n_options)
{
    experiment_runs p;
    experiment_runs_open(&p);
    assert_true(sweep(&p, text, options, n_options, RG_FAULT_ALLOC, RG_ENOMEM) >
                30 / test_sample_step());
    assert_true(sweep(&p, text, options, n_options, RG_FAULT_IO, RG_EIO) > 10 / test_sample_step());
    experiment_runs_close(&p);
}
