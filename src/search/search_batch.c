/* search_batch.c - training some candidates of a search on some folds. */
#include "halving.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/pool.h"

#include <pthread.h>
#include <string.h>

/* What runs in lanes cost beside one alone: measured, between 1.6 and 3.3. */
#define LANES_COST 2.5

double rg_search_units(const rg_search_round *level)
{
    double runs =
        level->n_runs <= 2 ? level->n_runs : LANES_COST * (double)((level->n_runs + 3) / 4);
    return (double)level->n_folds * level->epochs * runs;
}

double rg_search_now(const rg_search *s)
{
    double now = s->options->now ? s->options->now(s->options->context) : rg_seconds();
    return now - s->began;
}

/* All that lives while a batch is trained. */
typedef struct training {
    rg_search_batch *batch;
    rg_runner_plan plan;
    rg_contender *contenders; /* [member], owned */
    rg_store_run *runs;       /* as they come in, owned */
    size_t n, capacity;
    pthread_mutex_t lock; /* of all that jobs change when they are over */
    bool whole;
} training;

/* One call of the runner: its configuration c is member first + c. */
typedef struct shift {
    training *all;
    size_t first;
    const rg_store_job *jobs;
} shift;

static int is_over(void *context)
{
    rg_search *s = ((shift *)context)->all->batch->search;
    if (s->options->stop && s->options->stop(s->options->context))
        return 1;
    return s->timed && rg_search_now(s) > s->deadline;
}

static void tell(rg_search *s)
{
    if (!s->options->progress)
        return;
    s->state.seconds = rg_search_now(s);
    s->state.left = s->timed ? s->options->seconds - s->state.seconds : -1;
    s->options->progress(s->options->context, &s->state);
}

static rg_status take_result(training *t, size_t member, const rg_store_job *job,
                             const rg_runner_result *result, rg_error *err)
{
    rg_search_batch *b = t->batch;
    const rg_store_outcome *outcome = &result->outcome;
    b->seconds[member] += outcome->cpu_seconds;
    b->build[member] = outcome->build_seconds;
    if (outcome->n_parameters)
        b->search->result.entries[b->members[member]].n_weights = outcome->n_parameters;
    if (!result->runs) {
        rg_fail(&b->why[member], RG_EFAIL, "%s", outcome->message);
        return RG_OK;
    }
    if (!rg_grow(&t->runs, &t->capacity, t->n + job->n_runs, sizeof *t->runs))
        return rg_fail_memory(err, "the runs of a search");
    for (uint32_t r = 0; r < job->n_runs; r++) {
        rg_store_run *run = &t->runs[t->n++];
        *run = result->runs[r];
        run->configuration = (uint32_t)member;
        run->epochs = NULL; /* gone when we return */
        run->prediction = NULL;
    }
    tell(b->search);
    return RG_OK;
}

static rg_status job_done(void *context, const rg_runner_result *result, rg_error *err)
{
    shift *w = context;
    const rg_store_job *job = &w->jobs[result->job];
    pthread_mutex_lock(&w->all->lock);
    rg_status status = take_result(w->all, w->first + job->configuration, job, result, err);
    pthread_mutex_unlock(&w->all->lock);
    return status;
}

/* Numbers of the jobs that are wanted. Owned (rg_free); NULL: no memory. */
static size_t *wanted_jobs(size_t *n, const shift *w, size_t n_jobs)
{
    const rg_search_batch *b = w->all->batch;
    size_t *numbers = rg_alloc(n_jobs, sizeof *numbers);
    *n = 0;
    for (size_t k = 0; numbers && k < n_jobs; k++) {
        size_t member = w->first + w->jobs[k].configuration;
        if (!b->wanted || b->wanted[member * b->level.n_folds + w->jobs[k].fold])
            numbers[(*n)++] = k;
    }
    return numbers;
}

/* Trains n members, from `first` on. */
static rg_status run_shift(training *t, size_t first, size_t n, unsigned n_threads, rg_error *err)
{
    const rg_search_options *o = t->batch->search->options;
    shift w = {.all = t, .first = first};
    rg_runner_plan plan = t->plan;
    rg_runner_options options = {.n_threads = n_threads,
                                 .memory = o->memory,
                                 .cache = o->cache,
                                 .cpu = o->cpu,
                                 .done = job_done,
                                 .stop = is_over,
                                 .context = &w};
    rg_store_job *jobs = NULL;
    size_t n_jobs = 0, n_wanted = 0, n_done = 0, *numbers = NULL;
    plan.contenders = t->contenders + first;
    plan.n_contenders = n;
    rg_status status = rg_runner_jobs(&jobs, &n_jobs, &plan, err);
    w.jobs = jobs;
    if (!status) {
        numbers = wanted_jobs(&n_wanted, &w, n_jobs);
        if (!numbers)
            status = rg_fail_memory(err, "the jobs of a search");
    }
    if (!status)
        status = rg_runner_run(&plan, jobs, numbers, n_wanted, &options, &n_done, err);
    pthread_mutex_lock(&t->lock);
    t->whole = t->whole && !status && n_done == n_wanted;
    pthread_mutex_unlock(&t->lock);
    rg_free(numbers);
    rg_free(jobs);
    return status;
}

static rg_status one_member(void *context, size_t index, unsigned worker, rg_error *err)
{
    (void)worker;
    return run_shift(context, index, 1, 1, err);
}

static rg_status run_each_alone(training *t, rg_error *err)
{
    rg_pool *pool = NULL;
    rg_status status = rg_pool_new(&pool, t->batch->search->options->n_threads, err);
    if (!status)
        status = rg_pool_run(pool, t->batch->n, one_member, t, err);
    rg_pool_free(pool);
    return status;
}

static rg_status make_contenders(training *t, rg_error *err)
{
    rg_search_batch *b = t->batch;
    rg_status status = RG_OK;
    const rg_search_result *all = &b->search->result;
    t->contenders = rg_alloc_zero(b->n, sizeof *t->contenders);
    b->seconds = rg_alloc_zero(b->n, sizeof *b->seconds);
    b->build = rg_alloc_zero(b->n, sizeof *b->build);
    b->why = rg_alloc_zero(b->n, sizeof *b->why);
    if (!t->contenders || !b->seconds || !b->build || !b->why)
        return rg_fail_memory(err, "a search");
    for (size_t k = 0; !status && k < b->n; k++) {
        char *text = NULL;
        status = rg_candidate_text(&text, &all->space, &all->entries[b->members[k]].candidate,
                                   b->level.epochs, b->search->options->epochs, err);
        if (!status)
            status = rg_contender_parse(&t->contenders[k], "candidate", text, strlen(text), err);
        rg_free(text);
    }
    return status;
}

rg_status rg_search_train(rg_search_batch *b, rg_error *err)
{
    rg_search *s = b->search;
    training t = {.batch = b, .whole = true};
    pthread_mutex_init(&t.lock, NULL);
    t.plan = (rg_runner_plan){.source = s->source,
                              .splits = b->splits,
                              .folds = s->folds,
                              .n_folds = b->level.n_folds,
                              .seed = s->options->seed,
                              .n_runs = b->level.n_runs};
    tell(s);
    rg_status status = make_contenders(&t, err);
    if (!status)
        status = b->each_alone ? run_each_alone(&t, err)
                               : run_shift(&t, 0, b->n, s->options->n_threads, err);
    b->whole = !status && t.whole;
    if (!status)
        status = rg_cells_make(&b->cells, t.runs, t.n, b->n, b->level.n_folds, b->level.n_runs,
                               rg_metric_is_low(s->result.metric), err);
    for (size_t k = 0; t.contenders && k < b->n; k++)
        rg_contender_free(&t.contenders[k]);
    rg_free(t.contenders);
    rg_free(t.runs);
    pthread_mutex_destroy(&t.lock);
    return status;
}

void rg_search_batch_free(rg_search_batch *b)
{
    rg_cells_free(&b->cells);
    rg_free(b->seconds);
    rg_free(b->build);
    rg_free(b->why);
}
