/* job_parts.h - the inside of a job: training a network or a baseline, and its results. */
#ifndef REGULA_JOBS_JOB_PARTS_H
#define REGULA_JOBS_JOB_PARTS_H

#include "job.h"
#include "job_said.h"

/* What is needed to do one job. All kept. */
typedef struct rg_job_task {
    const rg_job_room *room;
    const rg_store_job *job;
    const rg_prepared *prepared;
    const rg_fold *fold;
} rg_job_task;

/* The results of a job. Ends with rg_job_work_free, however far it got. */
typedef struct rg_job_work {
    rg_store_run *runs;  /* [run of the job], owned; the rest is behind them */
    rg_epoch *epochs;    /* [run][epoch], owned */
    rg_job_said said[2]; /* owned, by rg_store_part */
    bool stopped;        /* on the way: there is nothing in it */
} rg_job_work;

void rg_job_work_free(rg_job_work *work);

/* Both fill `out`. RG_EDATA, RG_EFAIL (training failed), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_job_network(rg_job_work *out, const rg_job_task *task, rg_error *err);
RG_MUST_CHECK rg_status rg_job_baseline(rg_job_work *out, const rg_job_task *task, rg_error *err);
/* Puts what is said of the parts behind the runs; a part without rows has nothing. */
void rg_job_show(rg_job_work *work, uint32_t n_runs);

#endif
