/* crew_work.c - a process of a crew that does what rank 0 hands out, see crew.h. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/pool.h"
#include "crew.h"
#include "job.h"

#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BEAT_SECONDS = 1, NAP_MILLISECONDS = 200, WORDS_MAX = 1024 };

typedef struct team team;

/* A thread with a link of its own. */
typedef struct hand {
    team *team;
    int link;             /* owned; -1: none */
    bool greeted;         /* the first thing on a link is the greeting, life signs come behind */
    pthread_mutex_t lock; /* around whatever is sent, and of `greeted` */
    rg_wire out;
    rg_job_room room;
    rg_runner_options options; /* of the room */
    unsigned worker;
    rg_crew_end end;
} hand;

struct team {
    const rg_crew *crew;
    const rg_crew_identity *identity;
    const rg_runner_options *options;
    const rg_store_job *jobs;
    size_t n_jobs;
    hand *hands; /* owned */
    unsigned n_hands;
    atomic_bool failed; /* one thread could not go on: none shall */
    atomic_size_t n_done;
    pthread_mutex_t lock; /* of over */
    pthread_cond_t changed;
    bool over;
};

/* ---- life signs */

static void beat_all(team *t)
{
    rg_wire beat = {0};
    rg_wire_begin(&beat);
    rg_status status = rg_wire_seal(&beat, RG_WIRE_BEAT, NULL);
    for (unsigned k = 0; k < t->n_hands && !status; k++) {
        hand *h = &t->hands[k];
        pthread_mutex_lock(&h->lock);
        if (h->greeted)
            (void)!rg_card_send(h->link, beat.data, beat.n);
        pthread_mutex_unlock(&h->lock);
    }
    rg_free(beat.data);
}

static void *beat(void *argument)
{
    team *t = argument;
    struct timespec until;
    pthread_mutex_lock(&t->lock);
    while (!t->over) {
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_sec += BEAT_SECONDS;
        pthread_cond_timedwait(&t->changed, &t->lock, &until);
        if (!t->over) {
            pthread_mutex_unlock(&t->lock);
            beat_all(t);
            pthread_mutex_lock(&t->lock);
        }
    }
    pthread_mutex_unlock(&t->lock);
    return NULL;
}

/* ---- one job */

/* Has something come, or is the link closed? */
static bool is_readable(const hand *h, int milliseconds)
{
    struct pollfd p = {.fd = h->link, .events = POLLIN};
    return poll(&p, 1, milliseconds) > 0;
}

static bool is_asked(const hand *h)
{
    const rg_runner_options *o = h->team->options;
    return atomic_load(&h->team->failed) || (o->stop && o->stop(o->context));
}

/* While a job is done rank 0 has nothing to say but that it is the end. */
static int is_stopped(void *context)
{
    hand *h = context;
    return is_asked(h) || is_readable(h, 0);
}

static rg_status send_frame(hand *h, rg_wire_kind kind, bool *sent, rg_error *err)
{
    rg_status status = rg_wire_seal(&h->out, kind, err);
    if (status)
        return status;
    pthread_mutex_lock(&h->lock);
    *sent = rg_card_send(h->link, h->out.data, h->out.n);
    h->greeted = true;
    pthread_mutex_unlock(&h->lock);
    return RG_OK;
}

/* If it cannot be sent, the next thing that is received says why. */
static rg_status send_result(void *context, const rg_runner_result *result, rg_error *err)
{
    hand *h = context;
    bool sent = false;
    rg_wire_begin(&h->out);
    rg_wire_result_put(&h->out, result, &h->team->jobs[result->job]);
    rg_status status = send_frame(h, RG_WIRE_RESULT, &sent, err);
    if (sent)
        atomic_fetch_add(&h->team->n_done, 1);
    return status;
}

/* ---- what rank 0 says */

static rg_status take_job(hand *h, const unsigned char *body, size_t n, rg_error *err)
{
    uint64_t number = 0;
    for (size_t k = 0; k < n && n == 8; k++)
        number |= (uint64_t)body[k] << 8 * k;
    if (n != 8 || number >= h->team->n_jobs)
        return rg_fail(err, RG_EDATA, "rank 0 hands out job %llu, and there are %zu",
                       (unsigned long long)number, h->team->n_jobs);
    return rg_job_do(&h->room, (size_t)number, h->worker, err);
}

static rg_status take_end(hand *h, const unsigned char *body, size_t n)
{
    static const rg_crew_end ends[] = {[RG_WIRE_DONE] = RG_CREW_DONE,
                                       [RG_WIRE_STOPPED] = RG_CREW_STOPPED,
                                       [RG_WIRE_SILENT] = RG_CREW_SILENT};
    h->end = n == 4 && body[0] <= RG_WIRE_SILENT ? ends[body[0]] : RG_CREW_STOPPED;
    return RG_OK;
}

/* *more: something may follow. */
static rg_status take_frame(bool *more, hand *h, rg_error *err)
{
    unsigned char bytes[RG_WIRE_HEAD], body[WORDS_MAX + 1];
    rg_wire_head head;
    *more = false;
    if (!rg_card_receive(h->link, bytes, sizeof bytes))
        return rg_fail(err, RG_EFAIL, "rank 0 is gone");
    rg_status status = rg_wire_head_read(&head, bytes, err);
    if (status)
        return status;
    if (head.n > WORDS_MAX)
        return rg_fail(err, RG_EDATA, "rank 0 sends what makes no sense");
    if (!rg_card_receive(h->link, body, (size_t)head.n))
        return rg_fail(err, RG_EFAIL, "rank 0 is gone");
    body[head.n] = '\0';
    if (!rg_wire_head_fits(&head, body))
        return rg_fail(err, RG_EDATA, "rank 0 sends what makes no sense");
    if (head.kind == RG_WIRE_REFUSED)
        return rg_fail(err, RG_EFAIL, "refused: %s", (const char *)body);
    if (head.kind == RG_WIRE_END)
        return take_end(h, body, (size_t)head.n);
    if (head.kind != RG_WIRE_JOB)
        return rg_fail(err, RG_EDATA, "rank 0 sends what makes no sense");
    *more = true;
    return take_job(h, body, (size_t)head.n, err);
}

/* ---- a thread */

static rg_status say_hello(hand *h, rg_error *err)
{
    const team *t = h->team;
    rg_wire_hello hello = {.rank = t->crew->rank};
    bool sent;
    memcpy(hello.key, t->crew->card.crew_key, RG_WIRE_KEY);
    gethostname(hello.host, sizeof hello.host - 1);
    snprintf(hello.version, sizeof hello.version, "%s", rg_version());
    memcpy(hello.experiment, t->identity->experiment, RG_DIGEST_TEXT);
    memcpy(hello.data, t->identity->data, RG_DIGEST_TEXT);
    memcpy(hello.splits, t->identity->splits, RG_DIGEST_TEXT);
    rg_wire_begin(&h->out);
    rg_wire_hello_put(&h->out, &hello);
    return send_frame(h, RG_WIRE_HELLO, &sent, err);
}

static rg_status serve(hand *h, rg_error *err)
{
    bool more = true;
    rg_status status = RG_OK;
    while (!status && more) {
        while (!is_readable(h, NAP_MILLISECONDS))
            if (is_asked(h)) {
                h->end = RG_CREW_STOPPED;
                return RG_OK;
            }
        status = take_frame(&more, h, err);
    }
    if (status && is_asked(h) && !atomic_load(&h->team->failed)) {
        h->end = RG_CREW_STOPPED; /* all were told to stop, and rank 0 was faster */
        return RG_OK;
    }
    return status;
}

static rg_status hand_work(void *context, size_t index, unsigned worker, rg_error *err)
{
    team *t = context;
    hand *h = &t->hands[index];
    int link = -1;
    bool over = false;
    h->worker = worker;
    rg_status status = rg_card_connect(&link, &over, &t->crew->card, err);
    if (status && over) {
        h->end = RG_CREW_LATE;
        return RG_OK;
    }
    if (!status) {
        h->link = link;
        status = say_hello(h, err);
    }
    if (!status)
        status = serve(h, err);
    pthread_mutex_lock(&h->lock);
    h->greeted = false;
    pthread_mutex_unlock(&h->lock);
    if (h->link >= 0)
        close(h->link);
    if (status)
        atomic_store(&t->failed, true);
    return status;
}

/* ---- the process */

static rg_status team_open(team *t, unsigned n, const rg_runner_plan *plan,
                           rg_prepared_cache *prepared_cache, rg_error *err)
{
    pthread_condattr_t clock;
    t->hands = rg_alloc_zero(n, sizeof *t->hands);
    if (!t->hands)
        return rg_fail_memory(err, "the threads of a rank");
    t->n_hands = n;
    for (unsigned k = 0; k < n; k++) {
        hand *h = &t->hands[k];
        h->team = t;
        h->link = -1;
        h->options = *t->options;
        h->options.done = send_result;
        h->options.stop = is_stopped;
        h->options.context = h;
        h->room = (rg_job_room){.plan = plan,
                                .jobs = t->jobs,
                                .options = &h->options,
                                .prepared_cache = prepared_cache};
        pthread_mutex_init(&h->lock, NULL);
    }
    pthread_mutex_init(&t->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&t->changed, &clock);
    pthread_condattr_destroy(&clock);
    return RG_OK;
}

static void team_close(team *t)
{
    if (!t->hands)
        return;
    for (unsigned k = 0; k < t->n_hands; k++) {
        pthread_mutex_destroy(&t->hands[k].lock);
        rg_free(t->hands[k].out.data);
    }
    pthread_mutex_destroy(&t->lock);
    pthread_cond_destroy(&t->changed);
    rg_free(t->hands);
}

static rg_status team_work(team *t, rg_pool *pool, rg_error *err)
{
    pthread_t heart;
    if (pthread_create(&heart, NULL, beat, t) != 0)
        return rg_fail(err, RG_EFAIL, "no thread can be started for life signs");
    rg_status status = rg_pool_run(pool, t->n_hands, hand_work, t, err);
    pthread_mutex_lock(&t->lock);
    t->over = true;
    pthread_cond_signal(&t->changed);
    pthread_mutex_unlock(&t->lock);
    pthread_join(heart, NULL);
    return status;
}

rg_status rg_crew_work(rg_crew_report *out, const rg_crew *crew, const rg_crew_identity *identity,
                       const rg_runner_plan *plan, const rg_store_job *jobs, size_t n_jobs,
                       const rg_runner_options *options, rg_error *err)
{
    team t = {
        .crew = crew, .identity = identity, .options = options, .jobs = jobs, .n_jobs = n_jobs};
    rg_prepared_cache *prepared_cache = NULL;
    rg_pool *pool = NULL;
    rg_status status = rg_prepared_cache_new(&prepared_cache, plan, options, err);
    if (!status)
        status = rg_pool_new(&pool, options->n_threads, err);
    if (!status)
        status = team_open(&t, rg_pool_size(pool), plan, prepared_cache, err);
    if (!status)
        status = team_work(&t, pool, err);
    if (!status) {
        *out = (rg_crew_report){.end = RG_CREW_DONE, .n_done = atomic_load(&t.n_done)};
        for (unsigned k = 0; k < t.n_hands; k++)
            if (t.hands[k].end > out->end)
                out->end = t.hands[k].end;
    }
    team_close(&t);
    rg_pool_free(pool);
    rg_prepared_cache_free(prepared_cache);
    return status;
}
