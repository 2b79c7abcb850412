/* runner.c - see runner.h: which jobs there are, and sharing them out. */
#include "runner.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "job.h"
#include "queue.h"
#include "train/recipe.h"

#include <stdlib.h>

/* ---- which jobs there are */

/* How many of `left` runs go into the next job, and in how many lanes. Four lanes cost about what
 * two to three runs alone do. */
static uint32_t next_runs(const rg_contender *contender, uint32_t left, uint32_t *lanes)
{
    if (!contender->recipe || contender->recipe->batched || left <= 2) {
        *lanes = 1;
        return rg_contender_is_fixed(contender) ? left : 1;
    }
    *lanes = left >= 7 ? 8 : 4;
    return left < *lanes ? left : *lanes;
}

rg_status rg_runner_jobs(rg_store_job **out, size_t *n, const rg_runner_plan *plan, rg_error *err)
{
    rg_store_job *jobs = NULL;
    size_t count = 0, capacity = 0;
    for (uint32_t c = 0; c < plan->n_contenders; c++)
        for (uint32_t f = 0; f < plan->n_folds; f++)
            for (uint32_t first = 0; first < plan->n_runs;) {
                uint32_t lanes,
                    runs = next_runs(&plan->contenders[c], plan->n_runs - first, &lanes);
                if (!rg_grow(&jobs, &capacity, count + 1, sizeof *jobs)) {
                    rg_free(jobs);
                    return rg_fail_memory(err, "the jobs of an experiment");
                }
                jobs[count++] = (rg_store_job){.configuration = c,
                                               .fold = f,
                                               .first_run = first,
                                               .n_runs = runs,
                                               .lanes = lanes};
                first += runs;
            }
    *out = jobs;
    *n = count;
    return RG_OK;
}

/* ---- all jobs */

typedef struct work {
    const rg_runner_options *options;
    rg_queue *queue;
    rg_job_room room;
    rg_runner_options inside;   /* those of the room: what its jobs come to goes to the queue */
    rg_runner_options at_queue; /* those of the queue: from there it goes to the caller */
} work;

static rg_status hand_in(void *context, const rg_runner_result *result, rg_error *err)
{
    work *w = context;
    return rg_queue_put(w->queue, result, err);
}

static int is_stopped(void *context)
{
    work *w = context;
    return rg_queue_stopped(w->queue);
}

static rg_status job_over(void *context, const rg_runner_result *result, rg_error *err)
{
    work *w = context;
    const rg_store_job *job = &w->room.jobs[result->job];
    rg_prepared_cache_over(w->room.prepared_cache, job->configuration, job->fold);
    return w->options->done(w->options->context, result, err);
}

static int is_asked(void *context)
{
    work *w = context;
    return w->options->stop ? w->options->stop(w->options->context) : 0;
}

/* Each thread takes the next job until none is left: items of the pool are threads. */
static rg_status work_on(void *context, size_t index, unsigned worker, rg_error *err)
{
    work *w = context;
    rg_status status = RG_OK;
    size_t number;
    (void)index;
    while (!status && rg_queue_take(w->queue, &number))
        status = rg_job_do(&w->room, number, worker, err);
    if (status)
        rg_queue_stop(w->queue);
    return status;
}

/* What a job is expected to cost, up to a factor: epochs, samples and lanes. */
typedef struct cost {
    double prepared, own; /* of all jobs on the same prepared data; of this one */
    size_t number, at;    /* of the job; of its prepared data */
} cost;

/* Jobs on the same prepared data stay together, so that little is prepared at a time. */
static int by_cost(const void *a, const void *b)
{
    const cost *x = a, *y = b;
    if (x->prepared != y->prepared)
        return x->prepared > y->prepared ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->own != y->own)
        return x->own > y->own ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* *out: costs of jobs[numbers[k]], or of jobs[k] if numbers is NULL, in the order in which they are
 * to be begun; owned (rg_free). */
static rg_status estimate(cost **out, const rg_runner_plan *plan, const rg_prepared_cache *cache,
                          const rg_store_job *jobs, const size_t *numbers, size_t n, rg_error *err)
{
    cost *costs = rg_alloc(n, sizeof *costs);
    double *of_prepared = rg_alloc_zero(rg_prepared_cache_size(cache), sizeof *of_prepared);
    bool fine = costs && of_prepared;
    for (size_t k = 0; fine && k < n; k++) {
        size_t number = numbers ? numbers[k] : k;
        const rg_store_job *job = &jobs[number];
        rg_fold fold = rg_splits_fold(plan->splits, plan->folds[job->fold]);
        double epochs = rg_contender_epochs(&plan->contenders[job->configuration]);
        costs[k] = (cost){.number = number,
                          .at = rg_prepared_cache_number(cache, job->configuration, job->fold),
                          .own = epochs * (double)fold.train.n * (1 + job->lanes / 2.0)};
        of_prepared[costs[k].at] += costs[k].own;
    }
    for (size_t k = 0; fine && k < n; k++)
        costs[k].prepared = of_prepared[costs[k].at];
    if (fine)
        qsort(costs, n, sizeof *costs, by_cost);
    else
        rg_free(costs);
    rg_free(of_prepared);
    if (fine)
        *out = costs;
    return fine ? RG_OK : rg_fail_memory(err, "the jobs of an experiment");
}

/* *out: numbers[0 .. n) in the order in which they are to be begun, owned (rg_free). */
static rg_status put_in_order(size_t **out, const rg_job_room *room, const size_t *numbers,
                              size_t n, rg_error *err)
{
    size_t *order = rg_alloc(n, sizeof *order);
    cost *costs = NULL;
    rg_status status =
        order ? estimate(&costs, room->plan, room->prepared_cache, room->jobs, numbers, n, err)
              : rg_fail_memory(err, "the jobs of an experiment");
    for (size_t k = 0; !status && k < n; k++) {
        const rg_store_job *job = &room->jobs[costs[k].number];
        order[k] = costs[k].number;
        rg_prepared_cache_expect(room->prepared_cache, job->configuration, job->fold);
    }
    rg_free(costs);
    if (status)
        rg_free(order);
    else
        *out = order;
    return status;
}

/* ---- shares */

static uint32_t least_loaded(const double *loads, size_t n)
{
    size_t least = 0;
    for (size_t r = 1; r < n; r++)
        if (loads[r] < loads[least])
            least = r;
    return (uint32_t)least;
}

/* Longest first to the least loaded. All jobs on the same prepared data go to one share where that
 * does not make it larger than the mean. */
static void deal(uint32_t *out, double *loads, size_t n_shares, double mean, const cost *costs,
                 size_t n)
{
    for (size_t k = 0; k < n;) {
        uint32_t share = least_loaded(loads, n_shares);
        bool whole = loads[share] + costs[k].prepared <= mean * (1 + 1e-9);
        for (size_t at = costs[k].at; k < n && costs[k].at == at; k++) {
            share = whole ? share : least_loaded(loads, n_shares);
            out[costs[k].number] = share;
            loads[share] += costs[k].own;
        }
    }
}

rg_status rg_runner_share(uint32_t *out, const rg_runner_plan *plan, const rg_store_job *jobs,
                          size_t n, uint32_t n_shares, rg_error *err)
{
    size_t m = n_shares < n ? n_shares : n; /* more would be empty */
    const rg_runner_options options = {.n_threads = 1};
    rg_prepared_cache *cache = NULL;
    cost *costs = NULL;
    double *loads = rg_alloc_zero(m, sizeof *loads), total = 0;
    rg_status status = loads ? rg_prepared_cache_new(&cache, plan, &options, err)
                             : rg_fail_memory(err, "the jobs of an experiment");
    if (!status)
        status = estimate(&costs, plan, cache, jobs, NULL, n, err);
    for (size_t k = 0; !status && k < n; k++)
        total += costs[k].own;
    if (!status)
        deal(out, loads, m, total / n_shares, costs, n);
    rg_free(costs);
    rg_free(loads);
    rg_prepared_cache_free(cache);
    return status;
}

rg_status rg_runner_run(const rg_runner_plan *plan, const rg_store_job *jobs, const size_t *numbers,
                        size_t n, const rg_runner_options *options, size_t *n_done, rg_error *err)
{
    work w = {.options = options, .inside = *options, .at_queue = *options};
    rg_pool *pool = NULL;
    size_t *order = NULL;
    w.inside.done = hand_in;
    w.inside.stop = is_stopped;
    w.inside.context = &w;
    w.at_queue.done = job_over;
    w.at_queue.stop = is_asked;
    w.at_queue.context = &w;
    w.room = (rg_job_room){.plan = plan, .jobs = jobs, .options = &w.inside};
    rg_status status = rg_prepared_cache_new(&w.room.prepared_cache, plan, options, err);
    if (!status)
        status = put_in_order(&order, &w.room, numbers, n, err);
    if (!status)
        status = rg_queue_new(&w.queue, order, n, &w.at_queue, err);
    if (!status)
        status = rg_pool_new(&pool, options->n_threads, err);
    w.room.n_threads = pool && n && n < rg_pool_size(pool) ? rg_pool_size(pool) / (unsigned)n : 1;
    if (!status)
        status = rg_pool_run(pool, rg_pool_size(pool), work_on, &w, err);
    *n_done = w.queue ? rg_queue_n_over(w.queue) : 0;
    rg_pool_free(pool);
    rg_queue_free(w.queue);
    rg_prepared_cache_free(w.room.prepared_cache);
    return status;
}

uint32_t rg_runner_start(const rg_runner_plan *plan, uint32_t fold, uint32_t run)
{
    return plan->starts_per_fold ? plan->folds[fold] * plan->n_runs + run : run;
}

rg_status rg_runner_model(rg_model **out, const rg_runner_plan *plan, uint32_t configuration,
                          uint32_t fold, uint32_t run, const rg_runner_options *options,
                          rg_error *err)
{
    rg_train_options train = rg_train_options_default();
    rg_fold parts = rg_splits_fold(plan->splits, plan->folds[fold]);
    train.seed = plan->seed;
    train.first_run = rg_runner_start(plan, fold, run);
    train.n_threads = options->n_threads;
    train.memory = options->memory;
    train.cache = options->cache;
    train.cpu = options->cpu;
    train.fit_on_train = plan->fit_on_train;
    train.metric = plan->metric;
    return rg_model_train(out, NULL, plan->contenders[configuration].recipe, plan->source, &parts,
                          &train, err);
}
