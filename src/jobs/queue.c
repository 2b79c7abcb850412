/* queue.c - see queue.h. */
#include "queue.h"

#include "base/alloc.h"
#include "base/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { NAP_MILLISECONDS = 100 }; /* how often a thread that waits asks whether to stop */

struct rg_queue {
    const rg_runner_options *options;
    size_t *order;    /* owned: numbers of jobs; those before `next` were taken */
    size_t n, next;   /* of `order` */
    size_t n_over;    /* jobs put */
    size_t *returned; /* owned: jobs given back, the last is taken first */
    size_t n_returned;
    pthread_mutex_t lock; /* of all above but the options, and around `done` */
    pthread_cond_t changed;
    atomic_bool stopped;
};

rg_status rg_queue_new(rg_queue **out, size_t *order, size_t n, const rg_runner_options *options,
                       rg_error *err)
{
    rg_queue *queue = rg_alloc_zero(1, sizeof *queue);
    size_t *returned = rg_alloc(n, sizeof *returned);
    pthread_condattr_t clock;
    if (!queue || !returned) {
        rg_free(queue);
        rg_free(returned);
        rg_free(order);
        return rg_fail_memory(err, "the jobs of an experiment");
    }
    queue->options = options;
    queue->order = order;
    queue->returned = returned;
    queue->n = n;
    pthread_mutex_init(&queue->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&queue->changed, &clock);
    pthread_condattr_destroy(&clock);
    *out = queue;
    return RG_OK;
}

void rg_queue_free(rg_queue *queue)
{
    if (!queue)
        return;
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    rg_free(queue->order);
    rg_free(queue->returned);
    rg_free(queue);
}

void rg_queue_stop(rg_queue *queue)
{
    atomic_store(&queue->stopped, true);
    pthread_cond_broadcast(&queue->changed);
}

bool rg_queue_stopped(rg_queue *queue)
{
    const rg_runner_options *o = queue->options;
    if (!atomic_load(&queue->stopped) && o->stop && o->stop(o->context))
        rg_queue_stop(queue);
    return atomic_load(&queue->stopped);
}

static void nap(rg_queue *queue)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += NAP_MILLISECONDS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_cond_timedwait(&queue->changed, &queue->lock, &until);
}

/* Under the lock. */
static bool take_next(rg_queue *queue, size_t *job)
{
    if (queue->n_returned > 0)
        *job = queue->returned[--queue->n_returned];
    else if (queue->next < queue->n)
        *job = queue->order[queue->next++];
    else
        return false;
    return true;
}

bool rg_queue_take(rg_queue *queue, bool wait, size_t *job)
{
    bool found = false, more = true;
    while (!found && more && !rg_queue_stopped(queue)) {
        pthread_mutex_lock(&queue->lock);
        found = take_next(queue, job);
        more = wait && queue->n_over < queue->n;
        if (!found && more)
            nap(queue);
        pthread_mutex_unlock(&queue->lock);
    }
    return found;
}

void rg_queue_give_back(rg_queue *queue, size_t job)
{
    pthread_mutex_lock(&queue->lock);
    queue->returned[queue->n_returned++] = job;
    pthread_cond_signal(&queue->changed);
    pthread_mutex_unlock(&queue->lock);
}

rg_status rg_queue_put(rg_queue *queue, const rg_runner_result *result, rg_error *err)
{
    rg_status status = RG_OK;
    pthread_mutex_lock(&queue->lock);
    if (!rg_queue_stopped(
            queue)) { /* asked here, so that no job is put after the one that ends it */
        status = queue->options->done(queue->options->context, result, err);
        queue->n_over += !status;
        if (status)
            rg_queue_stop(queue);
        else if (queue->n_over == queue->n)
            pthread_cond_broadcast(&queue->changed);
    }
    pthread_mutex_unlock(&queue->lock);
    return status;
}

size_t rg_queue_n_over(rg_queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    size_t n = queue->n_over;
    pthread_mutex_unlock(&queue->lock);
    return n;
}

bool rg_queue_over(rg_queue *queue)
{
    return rg_queue_stopped(queue) || rg_queue_n_over(queue) == queue->n;
}
