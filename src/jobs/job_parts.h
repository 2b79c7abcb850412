/* job_parts.h - the inside of a job: training a network or a baseline, and its results. */
#ifndef REGULA_JOBS_JOB_PARTS_H
#define REGULA_JOBS_JOB_PARTS_H

#include "job.h"

/* What is needed to do one job. All kept. */
typedef struct rg_job_task {
    const rg_job_room *room;
    const rg_store_job *job;
    const rg_prepared *prepared;
    const rg_fold *fold;
} rg_job_task;

/* The results of a job. Ends with rg_job_work_free, however far it got. */
typedef struct rg_job_work {
    rg_store_run *runs;        /* [run of the job], owned; the rest is behind them */
    rg_store_prediction *said; /* [run of the job], owned */
    rg_epoch *epochs;          /* [run][epoch], owned */
    uint32_t *samples;         /* [row of the test set], owned */
    uint16_t *classes;         /* [run][row], owned */
    float *numbers;            /* [run][row][output], owned */
    bool stopped;              /* on the way: there is nothing in it */
} rg_job_work;

void rg_job_work_free(rg_job_work *work);

/* Both fill `out`. RG_EDATA, RG_EFAIL (training failed), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_job_network(rg_job_work *out, const rg_job_task *task, rg_error *err);
RG_MUST_CHECK rg_status rg_job_baseline(rg_job_work *out, const rg_job_task *task, rg_error *err);

/* The most probable class of each of `rows` rows of `width` numbers, the first of several. */
void rg_job_classes(uint16_t *out, const float *numbers, size_t rows, size_t width);

#endif
