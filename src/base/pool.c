/* pool.c - workers that wait for a batch, take items from a shared counter, and wait again. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "pool.h"

#include "alloc.h"
#include "clock.h"
#include "error.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

typedef struct pool_worker {
    rg_pool *pool;
    pthread_t thread;
    unsigned number;
    rg_error err;
} pool_worker;

struct rg_pool {
    unsigned n_workers; /* the caller is worker 0; threads are 1 .. n_workers-1 */
    pool_worker *workers;
    pthread_mutex_t lock;
    pthread_cond_t start, done;
    uint64_t batch;   /* counts batches; a change wakes the workers */
    unsigned running; /* threads that have not finished the batch */
    bool closing;

    size_t n_items;
    rg_pool_item item;
    void *context;
    atomic_size_t next;
    atomic_size_t failed; /* lowest index that failed so far; n_items if none */
    rg_cancel *cancel;
    rg_status status; /* of that item; under lock, like err */
    rg_error err;
};

/* ---- stopping */

enum { ASK_MILLISECONDS = 10 };

void rg_cancel_open(rg_cancel *out, int (*ask)(void *context), void *context)
{
    out->ask = ask;
    out->context = context;
    out->caller = pthread_self();
    out->next = 0;
    atomic_init(&out->stopped, false);
}

bool rg_cancel_is(rg_cancel *c)
{
    if (!c || !c->ask)
        return false;
    if (atomic_load_explicit(&c->stopped, memory_order_relaxed))
        return true;
    if (!pthread_equal(c->caller, pthread_self()) || rg_seconds() < c->next)
        return false;
    bool stops = c->ask(c->context) != 0;
    c->next = rg_seconds() + ASK_MILLISECONDS / 1000.0;
    if (stops)
        atomic_store(&c->stopped, true);
    return stops;
}

int rg_cancel_ask(void *cancel)
{
    return rg_cancel_is(cancel);
}

rg_status rg_fail_cancelled(rg_error *err)
{
    return rg_fail(err, RG_EFAIL, "stopped by the caller");
}

void rg_pool_cancel(rg_pool *pool, rg_cancel *cancel)
{
    pool->cancel = cancel;
}

/* ---- workers */

unsigned rg_pool_processors(void)
{
    cpu_set_t set; /* too small for a machine of more than 1024 processors */
    long n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set)
                                                         : sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (unsigned)n : 1;
}

/* Items are handed out in ascending order and one that lies above a failed one is not started, so
 * the lowest failure is always found: everything below it was started before. */
static void work(pool_worker *w)
{
    rg_pool *pool = w->pool;
    for (;;) {
        size_t index = atomic_fetch_add(&pool->next, 1);
        if (index >= pool->n_items || index > atomic_load(&pool->failed))
            return;
        w->err.message[0] = '\0';
        rg_status status = rg_cancel_is(pool->cancel)
                               ? rg_fail_cancelled(&w->err)
                               : pool->item(pool->context, index, w->number, &w->err);
        if (!status)
            continue;
        pthread_mutex_lock(&pool->lock);
        if (index < atomic_load(&pool->failed)) {
            atomic_store(&pool->failed, index);
            pool->status = status;
            pool->err = w->err;
        }
        pthread_mutex_unlock(&pool->lock);
    }
}

static void *worker_main(void *argument)
{
    pool_worker *w = argument;
    rg_pool *pool = w->pool;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        while (pool->batch == seen && !pool->closing)
            pthread_cond_wait(&pool->start, &pool->lock);
        if (pool->closing)
            break;
        seen = pool->batch;
        pthread_mutex_unlock(&pool->lock);
        work(w);
        pthread_mutex_lock(&pool->lock);
        if (--pool->running == 0)
            pthread_cond_signal(&pool->done);
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

int rg_thread_start(pthread_t *out, void *(*run)(void *), void *context)
{
    pthread_attr_t how;
    int failure = pthread_attr_init(&how);
    if (failure)
        return failure;
    failure = pthread_attr_setstacksize(&how, (size_t)8 << 20);
    if (!failure)
        failure = pthread_create(out, &how, run, context);
    pthread_attr_destroy(&how);
    return failure;
}

rg_status rg_pool_new(rg_pool **out, unsigned n_threads, rg_error *err)
{
    if (n_threads == 0)
        n_threads = rg_pool_processors();
    if (n_threads > 1024)
        n_threads = 1024;
    rg_pool *pool = rg_alloc_zero(1, sizeof *pool);
    pool_worker *workers = rg_alloc_zero(n_threads, sizeof *workers);
    if (!pool || !workers) {
        rg_free(pool);
        rg_free(workers);
        return rg_fail_memory(err, "starting threads");
    }
    pool->workers = workers;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->start, NULL);
    pthread_cond_init(&pool->done, NULL);
    pool->n_workers = 1;
    workers[0].pool = pool;
    while (pool->n_workers < n_threads) {
        pool_worker *w = &workers[pool->n_workers];
        w->pool = pool;
        w->number = pool->n_workers;
        if (rg_thread_start(&w->thread, worker_main, w) != 0)
            break;
        pool->n_workers++;
    }
    *out = pool;
    return RG_OK;
}

void rg_pool_free(rg_pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->closing = true;
    pthread_cond_broadcast(&pool->start);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned k = 1; k < pool->n_workers; k++)
        pthread_join(pool->workers[k].thread, NULL);
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->start);
    pthread_mutex_destroy(&pool->lock);
    rg_free(pool->workers);
    rg_free(pool);
}

unsigned rg_pool_size(const rg_pool *pool)
{
    return pool->n_workers;
}

/* Until the others are done; a caller who may want to stop them is asked now and then. */
static void wait_for_others(rg_pool *pool)
{
    while (pool->running > 0) {
        if (!pool->cancel || !pool->cancel->ask) {
            pthread_cond_wait(&pool->done, &pool->lock);
            continue;
        }
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += ASK_MILLISECONDS * 1000000L;
        until.tv_sec += until.tv_nsec / 1000000000L;
        until.tv_nsec %= 1000000000L;
        pthread_cond_timedwait(&pool->done, &pool->lock, &until);
        pthread_mutex_unlock(&pool->lock);
        rg_cancel_is(pool->cancel);
        pthread_mutex_lock(&pool->lock);
    }
}

rg_status rg_pool_run(rg_pool *pool, size_t n, rg_pool_item item, void *context, rg_error *err)
{
    pthread_mutex_lock(&pool->lock);
    pool->n_items = n;
    pool->item = item;
    pool->context = context;
    pool->status = RG_OK;
    atomic_store(&pool->next, 0);
    atomic_store(&pool->failed, n);
    if (n > 1 && pool->n_workers > 1) { /* one item is not worth waking anyone */
        pool->running = pool->n_workers - 1;
        pool->batch++;
        pthread_cond_broadcast(&pool->start);
    }
    pthread_mutex_unlock(&pool->lock);
    work(&pool->workers[0]);
    pthread_mutex_lock(&pool->lock);
    wait_for_others(pool);
    rg_status status = pool->status;
    if (status && err)
        *err = pool->err;
    pthread_mutex_unlock(&pool->lock);
    return status;
}
