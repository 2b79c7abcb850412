/* queue.c - see queue.h. */
#include "queue.h"

#include "base/alloc.h"
#include "base/error.h"

#include <pthread.h>
#include <stdatomic.h>

struct rg_queue {
    const rg_runner_options *options;
    size_t *order; /* owned: numbers of jobs */
    size_t n;
    atomic_size_t next;   /* of `order`: those before it were taken */
    size_t n_over;        /* jobs put */
    pthread_mutex_t lock; /* of n_over, and around `done` */
    atomic_bool stopped;
};

rg_status rg_queue_new(rg_queue **out, size_t *order, size_t n, const rg_runner_options *options,
                       rg_error *err)
{
    rg_queue *queue = rg_alloc_zero(1, sizeof *queue);
    if (!queue) {
        rg_free(order);
        return rg_fail_memory(err, "the jobs of an experiment");
    }
    queue->options = options;
    queue->order = order;
    queue->n = n;
    pthread_mutex_init(&queue->lock, NULL);
    *out = queue;
    return RG_OK;
}

void rg_queue_free(rg_queue *queue)
{
    if (!queue)
        return;
    pthread_mutex_destroy(&queue->lock);
    rg_free(queue->order);
    rg_free(queue);
}

void rg_queue_stop(rg_queue *queue)
{
    atomic_store(&queue->stopped, true);
}

bool rg_queue_stopped(rg_queue *queue)
{
    const rg_runner_options *o = queue->options;
    if (!atomic_load(&queue->stopped) && o->stop && o->stop(o->context))
        rg_queue_stop(queue);
    return atomic_load(&queue->stopped);
}

bool rg_queue_take(rg_queue *queue, size_t *job)
{
    size_t k = rg_queue_stopped(queue) ? queue->n : atomic_fetch_add(&queue->next, 1);
    if (k < queue->n)
        *job = queue->order[k];
    return k < queue->n;
}

rg_status rg_queue_put(rg_queue *queue, const rg_runner_result *result, rg_error *err)
{
    rg_status status = RG_OK;
    pthread_mutex_lock(&queue->lock);
    /* Asked under the lock, so that no job is put after the one that ends the work. */
    if (!rg_queue_stopped(queue)) {
        status = queue->options->done(queue->options->context, result, err);
        queue->n_over += !status;
        if (status)
            rg_queue_stop(queue);
    }
    pthread_mutex_unlock(&queue->lock);
    return status;
}

size_t rg_queue_n_over(const rg_queue *queue)
{
    return queue->n_over;
}
