/* job_plans.c - see job_plans.h. */
#include "job_plans.h"

#include "base/alloc.h"
#include "network/network.h"

#include <stdio.h>

void job_plan_open(job_plan *l, size_t n_graphs, size_t n_folds, uint32_t n_runs,
                   const char *const *texts, size_t n_texts)
{
    *l = (job_plan){.data = test_dataset_with_targets(n_graphs, 8, 31)};
    l->source.graphs = l->data;
    l->splits = test_splits(&l->source, n_folds);
    for (uint32_t f = 0; f < n_folds; f++)
        l->folds[f] = f;
    for (size_t c = 0; c < n_texts; c++)
        l->contenders[c].recipe = test_recipe(texts[c]);
    l->plan = (rg_runner_plan){.source = &l->source,
                               .splits = l->splits,
                               .folds = l->folds,
                               .n_folds = n_folds,
                               .contenders = l->contenders,
                               .n_contenders = n_texts,
                               .seed = 5,
                               .n_runs = n_runs,
                               .predictions = true};
    ASSERT_OK(rg_runner_jobs(&l->jobs, &l->n_jobs, &l->plan, err));
}

void job_plan_close(job_plan *l)
{
    rg_free(l->jobs);
    for (size_t c = 0; c < JOB_PLAN_RECIPES; c++)
        rg_contender_free(&l->contenders[c]);
    rg_splits_free(l->splits);
    rg_dataset_free(l->data);
}

/* ---- records */

static void *copy(const void *bytes, size_t n)
{
    void *block = malloc(n ? n : 1);
    assert_non_null(block);
    memcpy(block, bytes, n);
    return block;
}

static rg_store_prediction *copy_prediction(const rg_store_prediction *p)
{
    rg_store_prediction *q = copy(p, sizeof *p);
    q->samples = copy(p->samples, p->n_rows * sizeof *p->samples);
    if (p->numbers)
        q->numbers = copy(p->numbers, p->n_rows * p->width * sizeof *p->numbers);
    if (p->classes)
        q->classes = copy(p->classes, p->n_rows * sizeof *p->classes);
    return q;
}

static void free_prediction(const rg_store_prediction *p)
{
    if (p) {
        free((void *)p->samples);
        free((void *)p->classes);
        free((void *)p->numbers);
    }
    free((void *)p);
}

static void free_runs(rg_store_run *runs, size_t n)
{
    for (size_t k = 0; runs && k < n; k++) {
        free_prediction(runs[k].prediction);
        free_prediction(runs[k].validation);
        free_prediction(runs[k].targets[RG_STORE_VALIDATION]);
        free_prediction(runs[k].targets[RG_STORE_TEST]);
        free((void *)runs[k].epochs);
    }
    free(runs);
}

/* One at a time, so nothing is locked here: TSan sees to it. */
static rg_status note(void *context, const rg_runner_result *result, rg_error *err)
{
    job_record *r = context;
    recorded_job *job = &r->jobs[result->job];
    uint32_t n = r->runner->jobs[result->job].n_runs;
    if (++r->n_calls == r->fail_at) {
        snprintf(err->message, sizeof err->message, "the disk is full");
        return RG_EIO;
    }
    assert_int_equal(job->state, RG_JOB_WAITING);
    job->state = result->outcome.state;
    job->build_seconds = result->outcome.build_seconds;
    job->n_parameters = result->outcome.n_parameters;
    assert_non_null(result->outcome.worker);
    assert_true(result->outcome.seconds > 0 && result->outcome.cpu_seconds >= 0);
    assert_int_equal(result->outcome.message == NULL, job->state == RG_JOB_DONE);
    assert_int_equal(result->runs == NULL, job->state == RG_JOB_FAILED);
    if (result->outcome.message)
        snprintf(job->message, sizeof job->message, "%s", result->outcome.message);
    if (!result->runs)
        return RG_OK;
    job->runs = copy(result->runs, n * sizeof *job->runs);
    for (uint32_t k = 0; k < n; k++) {
        rg_store_run *run = &job->runs[k];
        run->epochs = copy(run->epochs, run->run.epochs * sizeof *run->epochs);
        const rg_store_prediction **const said[] = {&run->prediction, &run->validation,
                                                    &run->targets[0], &run->targets[1]};
        for (size_t i = 0; i < 4; i++)
            if (*said[i])
                *said[i] = copy_prediction(*said[i]);
    }
    return RG_OK;
}

static int is_stopped(void *context)
{
    job_record *r = context;
    return atomic_load(&r->asks_left) >= 0 && atomic_fetch_sub(&r->asks_left, 1) <= 0;
}

/* Calls of `done` are counted by it alone; when it is time, the next question says stop. */
static rg_status note_and_stop(void *context, const rg_runner_result *result, rg_error *err)
{
    job_record *r = context;
    rg_status status = note(context, result, err);
    if (r->n_calls == r->stop_at)
        atomic_store(&r->asks_left, 0);
    return status;
}

rg_status job_plan_run(job_record *r, const job_plan *l, const size_t *numbers, size_t n,
                       rg_runner_options options, size_t *n_done, rg_error *err)
{
    size_t *all = calloc(l->n_jobs, sizeof *all);
    r->runner = l;
    r->jobs = calloc(l->n_jobs, sizeof *r->jobs);
    assert_true(all && r->jobs);
    for (size_t k = 0; k < l->n_jobs; k++)
        all[k] = k;
    options.done = note_and_stop;
    options.stop = is_stopped;
    options.context = r;
    rg_status status = rg_runner_run(&l->plan, l->jobs, numbers ? numbers : all,
                                     numbers ? n : l->n_jobs, &options, n_done, err);
    free(all);
    return status;
}

job_record job_plan_done(const job_plan *l, rg_runner_options options)
{
    job_record r = {.asks_left = -1};
    size_t n_done = 0;
    ASSERT_OK(job_plan_run(&r, l, NULL, 0, options, &n_done, err));
    assert_int_equal(n_done, l->n_jobs);
    assert_int_equal(r.n_calls, l->n_jobs);
    return r;
}

void job_plan_same(const job_record *a, const job_record *b)
{
    for (size_t k = 0; k < a->runner->n_jobs; k++) {
        if (b->jobs[k].state == RG_JOB_WAITING)
            continue;
        assert_int_equal(a->jobs[k].state, b->jobs[k].state);
        assert_string_equal(a->jobs[k].message, b->jobs[k].message);
        assert_int_equal(a->jobs[k].n_parameters, b->jobs[k].n_parameters);
        if (a->jobs[k].runs)
            test_runs_equal(a->jobs[k].runs, b->jobs[k].runs, a->runner->jobs[k].n_runs);
    }
}

void job_record_close(job_record *r)
{
    for (size_t k = 0; k < r->runner->n_jobs; k++)
        free_runs(r->jobs[k].runs, r->runner->jobs[k].n_runs);
    free(r->jobs);
}

/* ---- predictions */

typedef struct stored_row {
    const rg_store_prediction *p;
    size_t row;
} stored_row;

static rg_status compare_row(void *context, const rg_prediction *prediction, rg_error *err)
{
    stored_row *s = context;
    (void)err;
    const double *from =
        prediction->probabilities ? prediction->probabilities : prediction->outputs;
    for (size_t i = 0; i < prediction->n_rows; i++, s->row++) {
        assert_true(s->row < s->p->n_rows);
        assert_int_equal(prediction->sample, s->p->samples[s->row]);
        for (size_t k = 0; k < s->p->width; k++) {
            float own = (float)from[i * s->p->width + k];
            assert_memory_equal(&own, &s->p->numbers[s->row * s->p->width + k], sizeof own);
        }
        assert_int_equal(prediction->classes == NULL, s->p->classes == NULL);
        if (prediction->classes)
            assert_int_equal(prediction->classes[i], s->p->classes[s->row]);
    }
    return RG_OK;
}

void job_plan_assert_predicts(const rg_model *model, const rg_source *source, const rg_part *test,
                              const rg_store_prediction *p)
{
    rg_predict_options options = rg_predict_options_default();
    stored_row s = {p, 0};
    options.n_threads = 1;
    options.samples = test->graphs;
    options.n_samples = test->n;
    assert_non_null(p);
    ASSERT_OK(rg_model_predict(model, source, &options, compare_row, &s, NULL, err));
    assert_int_equal(s.row, p->n_rows);
}
