/* job.c - see job.h. */
#include "job.h"

#include "base/alloc.h"
#include "base/error.h"
#include "network/model.h"
#include "train/recipe.h"
#include "train/record.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

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

static bool is_stopped(const rg_lab_options *options)
{
    return options->stop && options->stop(options->context);
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

/* *whole: it was not stopped on the way. */
static rg_status train(bench_job *b, bool *whole, const rg_job_room *room, const rg_bench *bench,
                       const rg_fold *fold, rg_error *err)
{
    const rg_lab_plan *plan = room->plan;
    const rg_recipe *recipe = plan->recipes[b->job->configuration];
    rg_trainer_options options = {.lanes = b->job->lanes,
                                  .seed = plan->seed,
                                  .first_run = b->job->first_run,
                                  .cpu = room->options->baseline ? RG_CPU_BASELINE : rg_cpu_best()};
    rg_status status =
        rg_trainer_new(&b->trainer, bench->samples, fold, &recipe->settings, &options, err);
    while (!status && !rg_trainer_done(b->trainer)) {
        if (is_stopped(room->options)) {
            *whole = false;
            return RG_OK;
        }
        status = rg_trainer_epoch(b->trainer, err);
    }
    if (!status)
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

rg_status rg_job_do(const rg_job_room *room, size_t number, unsigned worker, rg_error *err)
{
    const rg_store_job *job = &room->jobs[number];
    rg_fold fold = rg_splits_fold(room->plan->splits, room->plan->folds[job->fold]);
    bench_job b = {.job = job};
    const rg_bench *bench = NULL;
    rg_error why = {""};
    bool whole = true;
    char who[96], host[64] = "?";
    double start = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    rg_lab_result result = {.job = number, .outcome = {.state = RG_JOB_DONE, .worker = who}};
    gethostname(host, sizeof host - 1);
    snprintf(who, sizeof who, "%s process %ld thread %u", host, (long)getpid(), worker);
    rg_status status = rg_benches_enter(&bench, room->benches, job->configuration, job->fold, &why);
    if (!status) {
        fill_outcome(&result.outcome, bench);
        status = train(&b, &whole, room, bench, &fold, &why);
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
    else if (whole)
        status = room->options->done(room->options->context, &result, err);
    job_close(&b);
    rg_benches_leave(room->benches, job->configuration, job->fold);
    return status;
}
