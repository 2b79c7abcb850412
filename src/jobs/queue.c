/* queue.c - see desk.h. */
#include "queue.h"

#include "base/alloc.h"
#include "base/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { NAP_MILLISECONDS = 100 }; /* how often a thread that waits asks whether to stop */

struct rg_desk {
    const rg_lab_options *options;
    size_t *order;    /* owned: numbers of jobs; those before `next` were taken */
    size_t n, next;   /* of `order` */
    size_t n_over;    /* jobs put */
    size_t *returned; /* owned: jobs given back, the last is taken first */
    size_t n_returned;
    pthread_mutex_t lock; /* of all above but the options, and around `done` */
    pthread_cond_t changed;
    atomic_bool stopped;
};

rg_status rg_desk_new(rg_desk **out, size_t *order, size_t n, const rg_lab_options *options,
                      rg_error *err)
{
    rg_desk *desk = rg_alloc_zero(1, sizeof *desk);
    size_t *returned = rg_alloc(n, sizeof *returned);
    pthread_condattr_t clock;
    if (!desk || !returned) {
        rg_free(desk);
        rg_free(returned);
        rg_free(order);
        return rg_fail_memory(err, "the jobs of an experiment");
    }
    desk->options = options;
    desk->order = order;
    desk->returned = returned;
    desk->n = n;
    pthread_mutex_init(&desk->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&desk->changed, &clock);
    pthread_condattr_destroy(&clock);
    *out = desk;
    return RG_OK;
}

void rg_desk_free(rg_desk *desk)
{
    if (!desk)
        return;
    pthread_cond_destroy(&desk->changed);
    pthread_mutex_destroy(&desk->lock);
    rg_free(desk->order);
    rg_free(desk->returned);
    rg_free(desk);
}

void rg_desk_stop(rg_desk *desk)
{
    atomic_store(&desk->stopped, true);
    pthread_cond_broadcast(&desk->changed);
}

bool rg_desk_stopped(rg_desk *desk)
{
    const rg_lab_options *o = desk->options;
    if (!atomic_load(&desk->stopped) && o->stop && o->stop(o->context))
        rg_desk_stop(desk);
    return atomic_load(&desk->stopped);
}

static void nap(rg_desk *desk)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += NAP_MILLISECONDS * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_cond_timedwait(&desk->changed, &desk->lock, &until);
}

/* Under the lock. */
static bool take_next(rg_desk *desk, size_t *job)
{
    if (desk->n_returned > 0)
        *job = desk->returned[--desk->n_returned];
    else if (desk->next < desk->n)
        *job = desk->order[desk->next++];
    else
        return false;
    return true;
}

bool rg_desk_take(rg_desk *desk, bool wait, size_t *job)
{
    bool found = false, more = true;
    while (!found && more && !rg_desk_stopped(desk)) {
        pthread_mutex_lock(&desk->lock);
        found = take_next(desk, job);
        more = wait && desk->n_over < desk->n;
        if (!found && more)
            nap(desk);
        pthread_mutex_unlock(&desk->lock);
    }
    return found;
}

void rg_desk_give_back(rg_desk *desk, size_t job)
{
    pthread_mutex_lock(&desk->lock);
    desk->returned[desk->n_returned++] = job;
    pthread_cond_signal(&desk->changed);
    pthread_mutex_unlock(&desk->lock);
}

rg_status rg_desk_put(rg_desk *desk, const rg_lab_result *result, rg_error *err)
{
    rg_status status = RG_OK;
    pthread_mutex_lock(&desk->lock);
    if (!rg_desk_stopped(desk)) { /* asked here, so that no job is put after the one that ends it */
        status = desk->options->done(desk->options->context, result, err);
        desk->n_over += !status;
        if (status)
            rg_desk_stop(desk);
        else if (desk->n_over == desk->n)
            pthread_cond_broadcast(&desk->changed);
    }
    pthread_mutex_unlock(&desk->lock);
    return status;
}

size_t rg_desk_n_over(rg_desk *desk)
{
    pthread_mutex_lock(&desk->lock);
    size_t n = desk->n_over;
    pthread_mutex_unlock(&desk->lock);
    return n;
}

bool rg_desk_over(rg_desk *desk)
{
    return rg_desk_stopped(desk) || rg_desk_n_over(desk) == desk->n;
}
