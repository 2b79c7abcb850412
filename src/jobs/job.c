/* job.c - see job.h. */
#include "job.h"

#include "base/alloc.h"
#include "base/error.h"
#include "job_parts.h"
#include "model/model.h"
#include "train/record.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static rg_status work_new(rg_job_work *out, const rg_store_job *job, rg_error *err)
{
    out->runs = rg_alloc_zero(job->n_runs, sizeof *out->runs);
    if (!out->runs)
        return rg_fail_memory(err, "the runs of a job");
    for (uint32_t r = 0; r < job->n_runs; r++) {
        out->runs[r].configuration = job->configuration;
        out->runs[r].fold = job->fold;
    }
    return RG_OK;
}

void rg_job_work_free(rg_job_work *work)
{
    rg_free(work->runs);
    rg_free(work->epochs);
    rg_job_said_free(&work->said[RG_STORE_VALIDATION]);
    rg_job_said_free(&work->said[RG_STORE_TEST]);
}

void rg_job_show(rg_job_work *work, uint32_t n_runs)
{
    const rg_job_said *validation = &work->said[RG_STORE_VALIDATION];
    const rg_job_said *test = &work->said[RG_STORE_TEST];
    for (uint32_t r = 0; r < n_runs; r++) {
        work->runs[r].prediction = test->n_rows ? &test->runs[r] : NULL;
        work->runs[r].validation = validation->n_rows ? &validation->runs[r] : NULL;
        for (int part = 0; part < 2; part++)
            if (work->said[part].n_rows)
                work->runs[r].targets[part] = &work->said[part].right;
    }
}

static double seconds_of(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void fill_outcome(rg_store_outcome *out, const rg_prepared *prepared)
{
    rg_train_report counts = {.size = sizeof counts, .n_runs = 0};
    struct rusage usage;
    if (prepared->net)
        rg_network_count(&counts, prepared->net);
    else
        counts.parameters = rg_baseline_prepared_parameters(prepared->baseline);
    getrusage(RUSAGE_SELF, &usage);
    out->n_parameters = counts.parameters;
    out->connections = counts.connections;
    out->weights_possible = counts.weights_possible;
    out->weights_used = counts.weights_used;
    out->build_seconds = prepared->seconds;
    out->peak_rss = (uint64_t)usage.ru_maxrss * 1024;
}

rg_status rg_job_do(const rg_job_room *room, size_t number, unsigned worker, rg_error *err)
{
    const rg_store_job *job = &room->jobs[number];
    rg_fold fold = rg_splits_fold(room->plan->splits, room->plan->folds[job->fold]);
    rg_job_task task = {.room = room, .job = job, .fold = &fold};
    rg_job_work work = {.runs = NULL};
    rg_error why = {""};
    char who[96], host[64] = "?";
    double start = seconds_of(CLOCK_MONOTONIC), cpu = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    rg_runner_result result = {.job = number, .outcome = {.state = RG_JOB_DONE, .worker = who}};
    gethostname(host, sizeof host - 1);
    snprintf(who, sizeof who, "%s process %ld thread %u", host, (long)getpid(), worker);
    rg_status status = rg_prepared_cache_enter(&task.prepared, room->prepared_cache,
                                               job->configuration, job->fold, &why);
    if (!status)
        status = work_new(&work, job, &why);
    if (!status) {
        fill_outcome(&result.outcome, task.prepared);
        status = task.prepared->net ? rg_job_network(&work, &task, &why)
                                    : rg_job_baseline(&work, &task, &why);
    }
    result.outcome.seconds = seconds_of(CLOCK_MONOTONIC) - start;
    result.outcome.cpu_seconds = seconds_of(CLOCK_THREAD_CPUTIME_ID) - cpu;
    result.runs = status ? NULL : work.runs;
    if (status && status != RG_ENOMEM) {
        result.outcome.state = RG_JOB_FAILED;
        result.outcome.message = why.message;
        status = RG_OK;
    }
    if (status)
        *err = why;
    else if (!work.stopped)
        status = room->options->done(room->options->context, &result, err);
    rg_job_work_free(&work);
    rg_prepared_cache_leave(room->prepared_cache, job->configuration, job->fold);
    return status;
}
