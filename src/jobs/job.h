/* job.h - running one job. */
#ifndef REGULA_JOBS_JOB_H
#define REGULA_JOBS_JOB_H

#include "prepared.h"

/* Where jobs are done. All kept; any number of threads may do jobs there. */
typedef struct rg_job_room {
    const rg_runner_plan *plan;
    const rg_store_job *jobs;
    const rg_runner_options *options; /* baseline, done, stop, context */
    rg_prepared_cache *prepared_cache;
    unsigned n_threads; /* of one job: more than one where there are fewer jobs than threads */
} rg_job_room;

/* Does a job and calls `done` with its results, unless `stop` ended it on the way. A job whose
 * training fails is over with a message. worker: the number of the thread, for the store.
 * RG_ENOMEM, or what `done` says. */
RG_MUST_CHECK rg_status rg_job_do(const rg_job_room *room, size_t number, unsigned worker,
                                  rg_error *err);

#endif
