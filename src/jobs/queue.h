/* queue.h - hands out the jobs of an experiment and takes their results. Any
 * number of threads may use it. */
#ifndef REGULA_JOBS_QUEUE_H
#define REGULA_JOBS_QUEUE_H

#include "runner.h"

typedef struct rg_queue rg_queue;

/* Jobs order[0 .. n), begun in this order. order: moved, also on failure. options (kept): `done` is
 * called by one thread at a time, `stop` by any. out: owned (rg_queue_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_queue_new(rg_queue **out, size_t *order, size_t n,
                                     const rg_runner_options *options, rg_error *err);
void rg_queue_free(rg_queue *queue); /* NULL is fine */

/* The next job. False: there is none, or the work is stopped. */
bool rg_queue_take(rg_queue *queue, size_t *job);
/* The result of a job that was taken, for `done`; dropped if the work is stopped. Returns what
 * `done` returns: if that is not RG_OK, the work is stopped. */
RG_MUST_CHECK rg_status rg_queue_put(rg_queue *queue, const rg_runner_result *result,
                                     rg_error *err);

void rg_queue_stop(rg_queue *queue);
bool rg_queue_stopped(rg_queue *queue);        /* asks `stop`, too */
size_t rg_queue_n_over(const rg_queue *queue); /* after all threads are through */

#endif
