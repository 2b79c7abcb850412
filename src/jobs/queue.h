/* queue.h - where the jobs of an experiment are handed out and what they came to is handed in. Any
 * number of threads may stand at it. */
#ifndef REGULA_JOBS_QUEUE_H
#define REGULA_JOBS_QUEUE_H

#include "runner.h"

/* Jobs order[0 .. n), begun in this order. order: moved, also on failure. options (kept): `done` is
 * called by one thread at a time, `stop` by any. out: owned (rg_desk_free). RG_ENOMEM.
 */
RG_MUST_CHECK rg_status rg_desk_new(rg_desk **out, size_t *order, size_t n,
                                    const rg_lab_options *options, rg_error *err);
void rg_desk_free(rg_desk *desk); /* NULL is fine */

/* The next job. wait: for one that may be given back, until all are over. False: there is none, or
 * the work is stopped. */
bool rg_desk_take(rg_desk *desk, bool wait, size_t *job);
/* Whoever had the job is gone: it is the next to be taken. */
void rg_desk_give_back(rg_desk *desk, size_t job);
/* What a job that was taken came to, for `done`; dropped if the work is stopped. What `done` says:
 * if that is not RG_OK, the work is stopped. */
RG_MUST_CHECK rg_status rg_desk_put(rg_desk *desk, const rg_lab_result *result, rg_error *err);

void rg_desk_stop(rg_desk *desk);
bool rg_desk_stopped(rg_desk *desk); /* asks `stop`, too */
bool rg_desk_over(rg_desk *desk);    /* all jobs are, or the work is stopped */
size_t rg_desk_n_over(rg_desk *desk);

#endif
