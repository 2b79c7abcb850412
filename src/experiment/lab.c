/* lab.c - see lab.h: sharing out jobs, and doing one. */
#include "lab.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "benches.h"
#include "network/model.h"
#include "train/recipe.h"
#include "train/record.h"
#include "train/train.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* ---- which jobs there are */

/* How many of `left` runs go into the next job, and in how many lanes. Four lanes cost about what
 * two to three runs alone do. */
static uint32_t next_runs(uint32_t left, uint32_t *lanes)
{
    if (left <= 2) {
        *lanes = 1;
        return 1;
    }
    *lanes = left >= 7 ? 8 : 4;
    return left < *lanes ? left : *lanes;
}

rg_status rg_lab_jobs(rg_store_job **out, size_t *n, const rg_lab_plan *plan, rg_error *err)
{
    rg_store_job *jobs = NULL;
    size_t count = 0, capacity = 0;
    for (uint32_t c = 0; c < plan->n_recipes; c++)
        for (uint32_t f = 0; f < plan->n_folds; f++)
            for (uint32_t first = 0; first < plan->n_runs;) {
                uint32_t lanes, runs = next_runs(plan->n_runs - first, &lanes);
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

/* ---- one job */

typedef struct work {
    const rg_lab_plan *plan;
    const rg_store_job *jobs;
    const rg_lab_options *options;
    rg_benches *benches;
    size_t *order; /* numbers of jobs, in the order in which they are begun */
    size_t n, next;
    pthread_mutex_t lock; /* of next, and around `done` */
    atomic_bool stopped;
    atomic_size_t n_done;
} work;

/* What one job holds while it is at work. */
typedef struct bench_job {
    const rg_store_job *job;
    rg_trainer *trainer;
    rg_run runs[RG_RUNS_MAX];
    rg_store_run stored[RG_RUNS_MAX];
    rg_store_prediction said[RG_RUNS_MAX];
    rg_epoch *epochs; /* [run][epoch] */
    uint32_t *samples;
    uint16_t *classes;
    float *numbers;
} bench_job;

static void job_close(bench_job *b)
{
    rg_trainer_free(b->trainer);
    rg_free(b->epochs);
    rg_free(b->samples);
    rg_free(b->classes);
    rg_free(b->numbers);
}

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_stopped(work *w)
{
    if (!atomic_load(&w->stopped) && w->options->stop && w->options->stop(w->options->context))
        atomic_store(&w->stopped, true);
    return atomic_load(&w->stopped);
}

static rg_status copy_epochs(bench_job *b, rg_error *err)
{
    uint32_t n = rg_trainer_epochs(b->trainer);
    b->epochs = rg_alloc((size_t)n * b->job->n_runs, sizeof *b->epochs);
    if (!b->epochs)
        return rg_fail_memory(err, "the epochs of a job");
    for (uint32_t r = 0; r < b->job->n_runs; r++) {
        for (uint32_t e = 0; e < n; e++)
            b->epochs[(size_t)r * n + e] = *rg_trainer_report(b->trainer, e + 1, r);
        b->stored[r] = (rg_store_run){.configuration = b->job->configuration,
                                      .fold = b->job->fold,
                                      .run = b->runs[r],
                                      .epochs = b->epochs + (size_t)r * n};
    }
    return RG_OK;
}

/* What the runs say of the test part: one row a sample, or a node. */
static rg_status copy_predictions(bench_job *b, const rg_bench *bench, const rg_part *test,
                                  rg_error *err)
{
    const rg_network *net = bench->net;
    bool nodes = net->task == RG_TASK_NODES;
    bool classes = nodes || net->task == RG_TASK_CLASSES;
    size_t rows = 0, n = b->job->n_runs, width = net->n_outputs;
    for (size_t k = 0; k < test->n; k++)
        rows += nodes ? rg_samples_nodes(bench->samples, test->graphs[k]) : 1;
    if (rows == 0 || net->n_outputs > UINT16_MAX)
        return RG_OK;
    b->samples = rg_alloc(rows, sizeof *b->samples);
    b->classes = rg_alloc(rows * n, sizeof *b->classes);
    b->numbers = rg_alloc(rows * n, width * sizeof *b->numbers);
    if (!b->samples || !b->classes || !b->numbers)
        return rg_fail_memory(err, "the predictions of a job");
    rg_status status = rg_trainer_predict(b->trainer, test, b->samples, b->numbers, n, rows, err);
    for (size_t r = 0; !status && r < n; r++) {
        const float *own = b->numbers + r * rows * width;
        for (size_t k = 0; classes && k < rows; k++) {
            size_t best = 0;
            for (size_t c = 1; c < width; c++)
                if (own[k * width + c] > own[k * width + best])
                    best = c;
            b->classes[r * rows + k] = (uint16_t)best;
        }
        b->said[r] = (rg_store_prediction){.n_rows = rows,
                                           .width = width,
                                           .samples = b->samples,
                                           .classes = classes ? b->classes + r * rows : NULL,
                                           .numbers = own};
        b->stored[r].prediction = &b->said[r];
    }
    return status;
}

static rg_status train(bench_job *b, work *w, const rg_bench *bench, const rg_fold *fold,
                       rg_error *err)
{
    const rg_lab_plan *plan = w->plan;
    const rg_recipe *recipe = plan->recipes[b->job->configuration];
    rg_trainer_options options = {.lanes = b->job->lanes,
                                  .seed = plan->seed,
                                  .first_run = b->job->first_run,
                                  .cpu = w->options->baseline ? RG_CPU_BASELINE : rg_cpu_best()};
    rg_status status =
        rg_trainer_new(&b->trainer, bench->samples, fold, &recipe->settings, &options, err);
    while (!status && !rg_trainer_done(b->trainer) && !is_stopped(w))
        status = rg_trainer_epoch(b->trainer, err);
    if (status || is_stopped(w))
        return status;
    status = rg_trainer_finish(b->trainer, b->runs, err);
    if (!status)
        status = copy_epochs(b, err);
    if (!status && plan->predictions)
        status = copy_predictions(b, bench, &fold->test, err);
    return status;
}

static void fill_outcome(rg_store_outcome *out, const rg_bench *bench)
{
    rg_train_report counts = {.n_runs = 0};
    struct rusage usage;
    rg_network_count(&counts, bench->net);
    getrusage(RUSAGE_SELF, &usage);
    out->n_parameters = counts.parameters;
    out->connections = counts.connections;
    out->weights_possible = counts.weights_possible;
    out->weights_used = counts.weights_used;
    out->build_seconds = bench->seconds;
    out->peak_rss = (uint64_t)usage.ru_maxrss * 1024;
}

/* A job whose training fails is over with a message; what else fails ends the work. */
static rg_status do_job(work *w, size_t number, unsigned worker, rg_error *err)
{
    const rg_store_job *job = &w->jobs[number];
    rg_fold fold = rg_splits_fold(w->plan->splits, w->plan->folds[job->fold]);
    bench_job b = {.job = job};
    const rg_bench *bench = NULL;
    rg_error why = {""};
    char who[96], host[64] = "?";
    double start = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    rg_lab_result result = {.job = number, .outcome = {.state = RG_JOB_DONE, .worker = who}};
    gethostname(host, sizeof host - 1);
    snprintf(who, sizeof who, "%s process %ld thread %u", host, (long)getpid(), worker);
    rg_status status = rg_benches_enter(&bench, w->benches, job->configuration, job->fold, &why);
    if (!status) {
        fill_outcome(&result.outcome, bench);
        status = train(&b, w, bench, &fold, &why);
    }
    result.outcome.seconds = seconds_of(CLOCK_MONOTONIC) - start;
    result.outcome.cpu_seconds = seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu;
    result.runs = status ? NULL : b.stored;
    if (status && status != RG_ENOMEM) {
        result.outcome.state = RG_JOB_FAILED;
        result.outcome.message = why.message;
        status = RG_OK;
    }
    if (status)
        *err = why;
    else {
        pthread_mutex_lock(&w->lock);
        if (!is_stopped(w)) {
            status = w->options->done(w->options->context, &result, err);
            if (status) /* here, so that no other job is put after it */
                atomic_store(&w->stopped, true);
            else
                atomic_fetch_add(&w->n_done, 1);
        }
        pthread_mutex_unlock(&w->lock);
    }
    job_close(&b);
    rg_benches_leave(w->benches, job->configuration, job->fold);
    return status;
}

/* ---- all jobs */

/* Each thread takes the next job until none is left: items of the pool are threads. */
static rg_status work_on(void *context, size_t index, unsigned worker, rg_error *err)
{
    work *w = context;
    rg_status status = RG_OK;
    (void)index;
    while (!status && !is_stopped(w)) {
        pthread_mutex_lock(&w->lock);
        size_t k = w->next < w->n ? w->next++ : w->n;
        pthread_mutex_unlock(&w->lock);
        if (k == w->n)
            break;
        status = do_job(w, w->order[k], worker, err);
    }
    if (status)
        atomic_store(&w->stopped, true);
    return status;
}

/* What a job is expected to cost, up to a factor: epochs, samples and lanes. Jobs at one bench stay
 * together, so that few benches are there at a time. */
typedef struct cost {
    double bench, own;
    size_t number, at;
} cost;

static int by_cost(const void *a, const void *b)
{
    const cost *x = a, *y = b;
    if (x->bench != y->bench)
        return x->bench > y->bench ? -1 : 1;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    if (x->own != y->own)
        return x->own > y->own ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static rg_status put_in_order(work *w, const size_t *numbers, rg_error *err)
{
    cost *costs = rg_alloc(w->n, sizeof *costs);
    double *of_bench = rg_alloc_zero(rg_benches_size(w->benches), sizeof *of_bench);
    if (!costs || !of_bench) {
        rg_free(costs);
        rg_free(of_bench);
        return rg_fail_memory(err, "the jobs of an experiment");
    }
    for (size_t k = 0; k < w->n; k++) {
        const rg_store_job *job = &w->jobs[numbers[k]];
        rg_fold fold = rg_splits_fold(w->plan->splits, w->plan->folds[job->fold]);
        double epochs = rg_recipe_epochs(w->plan->recipes[job->configuration]);
        costs[k].number = numbers[k];
        costs[k].at = rg_benches_number(w->benches, job->configuration, job->fold);
        costs[k].own = epochs * (double)fold.train.n * (1 + job->lanes / 2.0);
        of_bench[costs[k].at] += costs[k].own;
        rg_benches_expect(w->benches, costs[k].at, 1);
    }
    for (size_t k = 0; k < w->n; k++)
        costs[k].bench = of_bench[costs[k].at];
    qsort(costs, w->n, sizeof *costs, by_cost);
    for (size_t k = 0; k < w->n; k++)
        w->order[k] = costs[k].number;
    rg_free(costs);
    rg_free(of_bench);
    return RG_OK;
}

rg_status rg_lab_run(const rg_lab_plan *plan, const rg_store_job *jobs, const size_t *numbers,
                     size_t n, const rg_lab_options *options, size_t *n_done, rg_error *err)
{
    work w = {.plan = plan, .jobs = jobs, .options = options, .n = n};
    rg_pool *pool = NULL;
    pthread_mutex_init(&w.lock, NULL);
    w.order = rg_alloc(n, sizeof *w.order);
    rg_status status = w.order ? rg_benches_new(&w.benches, plan, options, err)
                               : rg_fail_memory(err, "the jobs of an experiment");
    if (!status)
        status = put_in_order(&w, numbers, err);
    if (!status)
        status = rg_pool_new(&pool, options->n_threads, err);
    if (!status)
        status = rg_pool_run(pool, rg_pool_size(pool), work_on, &w, err);
    *n_done = atomic_load(&w.n_done);
    rg_pool_free(pool);
    rg_benches_free(w.benches);
    rg_free(w.order);
    pthread_mutex_destroy(&w.lock);
    return status;
}

rg_status rg_lab_model(rg_model **out, const rg_lab_plan *plan, uint32_t configuration,
                       uint32_t fold, uint32_t run, const rg_lab_options *options, rg_error *err)
{
    rg_train_options train = rg_train_options_default();
    rg_fold parts = rg_splits_fold(plan->splits, plan->folds[fold]);
    train.seed = plan->seed;
    train.first_run = run;
    train.n_threads = options->n_threads;
    train.memory = options->memory;
    train.cache = options->cache;
    train.baseline = options->baseline;
    train.fit_on_train = plan->fit_on_train;
    return rg_model_train(out, NULL, plan->recipes[configuration], plan->source, &parts, &train,
                          err);
}
