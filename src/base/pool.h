/* pool.h - the same work on any number of threads, with the same result.
 *
 * A pool runs `n` independent items. Which thread takes which item is not determined; what an item
 * computes must depend on its index alone, and it may write only to what belongs to that index and
 * to its worker's scratch. Then results are identical for every number of threads. */
#ifndef REGULA_BASE_POOL_H
#define REGULA_BASE_POOL_H

#include "regula/base.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

typedef struct rg_pool rg_pool;

/* A caller who may want to stop what runs for it. It is asked from its own thread alone, every few
 * milliseconds; all others look at what it said last. One that is asked is asked no more once it stops.
 * NULL, or without a function: never stops, and costs nothing. */
typedef struct rg_cancel {
    int (*ask)(void *context);
    void *context;
    pthread_t caller;
    double next; /* when to ask again */
    atomic_bool stopped;
} rg_cancel;

/* From the calling thread. `cancel` of options of a part is rg_cancel_ask, its context an rg_cancel. */
void rg_cancel_open(rg_cancel *out, int (*ask)(void *context), void *context);
bool rg_cancel_is(rg_cancel *cancel);
int rg_cancel_ask(void *cancel);
rg_status rg_fail_cancelled(rg_error *err); /* RG_EFAIL */

/* A thread whose stack is large enough whatever `ulimit -s` says. 0, or an errno. */
int rg_thread_start(pthread_t *out, void *(*run)(void *), void *context);

/* index: the item; worker: 0 .. rg_pool_size-1, the same only for items that do not overlap. */
typedef rg_status (*rg_pool_item)(void *context, size_t index, unsigned worker, rg_error *err);

/* Processors that this process may use, at least 1. */
unsigned rg_pool_processors(void);

/* n_threads 0: as many as processors that this process may use. With 1 no thread is made. Threads
 * that cannot be started, and those above 1024, are done without. out: owned (rg_pool_free).
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_pool_new(rg_pool **out, unsigned n_threads, rg_error *err);
void rg_pool_free(rg_pool *pool); /* NULL is fine */
unsigned rg_pool_size(const rg_pool *pool);
/* Asked before every item, and while the caller waits for others; then RG_EFAIL. Kept. */
void rg_pool_cancel(rg_pool *pool, rg_cancel *cancel);

/* Runs items 0 .. n-1 and waits. If items fail, the failure with the lowest index is returned, as
 * it would be if they ran one after another; items above it may or may not have run. Not to be
 * called from inside an item, nor by two threads at once. */
RG_MUST_CHECK rg_status rg_pool_run(rg_pool *pool, size_t n, rg_pool_item item, void *context,
                                    rg_error *err);

#endif
