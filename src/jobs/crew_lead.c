/* crew_lead.c - rank 0 of a crew: one thread that looks after all links, see crew.h. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "crew.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    POLL_MILLISECONDS = 50, /* how long an end or a job given back goes unnoticed */
    READ_BYTES = 1 << 16,
    READS_A_TURN = 64, /* of one link before the others have their turn */
    HELLO_MAX = 1024,  /* what a stranger may send */
    SILENCE_SECONDS = 30,
    DEAF_ROUNDS = 20,
    LEAVE_SECONDS = 2 /* for members to read that it is the end */
};

typedef enum state { NEW, WAITING, AT_WORK, LEAVING } state;

/* A thread of another process. */
typedef struct member {
    int link; /* owned; -1: gone */
    state state;
    size_t job;   /* AT_WORK */
    double heard; /* when the last bytes came; LEAVING: since when */
    uint32_t rank;
    char host[64];
    unsigned char *data; /* owned: n bytes that came and are not taken yet */
    size_t n, capacity;
} member;

typedef struct lead {
    rg_crew_lead *about;
    rg_queue *queue;
    member *members; /* owned */
    size_t n, capacity;
    struct pollfd *polls; /* owned: the listener's first */
    size_t poll_capacity;
    bool *joined; /* owned, [rank] */
    int deaf;     /* rounds in which nobody is taken up: descriptors were short */
    rg_wire out;  /* a frame to be sent */
} lead;

/* ---- members that go */

static void close_link(member *m)
{
    close(m->link);
    m->link = -1;
    rg_free(m->data);
    m->data = NULL;
    m->n = m->capacity = 0;
}

/* What it had to do is for others to do. why: "is gone", ... */
static void give_up(lead *l, member *m, const char *why)
{
    const rg_crew *crew = l->about->crew;
    if (m->state == AT_WORK) {
        rg_queue_give_back(l->queue, m->job);
        if (crew->say) {
            char line[256];
            snprintf(line, sizeof line, "rank %u on %s %s: job %zu is handed out again",
                     (unsigned)m->rank, m->host, why, m->job);
            crew->say(crew->context, line);
        }
    }
    close_link(m);
}

/* ---- sending: frames are short and answers to what a member said, so there is room for them; a
 * link that does not take one at once is as good as broken */

static bool send_frame(lead *l, member *m, rg_wire_kind kind)
{
    if (rg_wire_seal(&l->out, kind, NULL))
        return false;
    return send(m->link, l->out.data, l->out.n, MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)l->out.n;
}

/* A last word; the link is closed when the member has closed it, so that the word is not lost. */
static void let_go(member *m)
{
    shutdown(m->link, SHUT_WR);
    m->state = LEAVING;
    m->heard = rg_seconds();
}

static void send_end(lead *l, member *m, rg_wire_end why)
{
    rg_wire_begin(&l->out);
    rg_wire_u32(&l->out, why);
    (void)!send_frame(l, m, RG_WIRE_END);
    let_go(m);
}

static void send_jobs(lead *l)
{
    for (size_t k = 0; k < l->n; k++) {
        member *m = &l->members[k];
        if (m->link < 0 || m->state != WAITING)
            continue;
        if (!rg_queue_take(l->queue, false, &m->job))
            return;
        m->state = AT_WORK;
        rg_wire_begin(&l->out);
        rg_wire_u64(&l->out, m->job);
        if (!send_frame(l, m, RG_WIRE_JOB))
            give_up(l, m, "is gone");
    }
}

/* ---- what members say */

static void refuse(lead *l, member *m, const char *what, const char *theirs, const char *ours)
{
    char text[256];
    snprintf(text, sizeof text, "%s: %.12s here, %.12s on rank 0", what, theirs, ours);
    rg_wire_begin(&l->out);
    rg_wire_bytes(&l->out, text, strlen(text));
    (void)!send_frame(l, m, RG_WIRE_REFUSED);
    let_go(m);
}

/* True: it stays. */
static bool take_hello(lead *l, member *m, const unsigned char *body, size_t n)
{
    const rg_crew_identity *own = l->about->identity;
    const rg_crew *crew = l->about->crew;
    rg_wire_hello h;
    if (rg_wire_hello_get(&h, body, n, NULL) ||
        memcmp(h.key, crew->card.crew_key, RG_WIRE_KEY) != 0 || h.rank >= crew->size)
        return false; /* a stranger: without a word */
    m->rank = h.rank;
    memcpy(m->host, h.host, sizeof m->host);
    if (strcmp(h.version, rg_version()) != 0)
        refuse(l, m, "another version of regula", h.version, rg_version());
    else if (strcmp(h.experiment, own->experiment) != 0)
        refuse(l, m, "another experiment", h.experiment, own->experiment);
    else if (strcmp(h.data, own->data) != 0)
        refuse(l, m, "other data", h.data, own->data);
    else if (strcmp(h.splits, own->splits) != 0)
        refuse(l, m, "other splits", h.splits, own->splits);
    else {
        m->state = WAITING;
        l->about->n_members += !l->joined[m->rank];
        l->joined[m->rank] = true;
    }
    return true;
}

/* *stays: it may go on talking. A status ends all. */
static rg_status take_frame(bool *stays, lead *l, member *m, const rg_wire_head *head,
                            const unsigned char *body, rg_error *err)
{
    rg_wire_result result;
    rg_error why = {""};
    *stays = false;
    if (!rg_wire_head_fits(head, body))
        return RG_OK;
    if (m->state == NEW && head->kind == RG_WIRE_HELLO)
        *stays = take_hello(l, m, body, (size_t)head->n);
    else if (m->state != NEW && head->kind == RG_WIRE_BEAT)
        *stays = true;
    else if (m->state == AT_WORK && head->kind == RG_WIRE_RESULT) {
        rg_status status = rg_wire_result_get(&result, body, (size_t)head->n, m->job,
                                              &l->about->jobs[m->job], &why);
        if (status == RG_ENOMEM)
            *err = why;
        if (status)
            return status == RG_ENOMEM ? status : RG_OK;
        m->state = WAITING;
        *stays = true;
        status = rg_queue_put(l->queue, &result.result, err);
        rg_wire_result_free(&result);
        return status;
    }
    return RG_OK;
}

/* Takes the frames that are whole. */
static rg_status take_frames(bool *stays, lead *l, member *m, rg_error *err)
{
    rg_status status = RG_OK;
    size_t at = 0;
    *stays = true;
    while (*stays && !status && m->state != LEAVING && m->n - at >= RG_WIRE_HEAD) {
        rg_wire_head head;
        *stays = !rg_wire_head_read(&head, m->data + at, NULL) &&
                 (m->state != NEW || head.n <= HELLO_MAX);
        if (!*stays || m->n - at - RG_WIRE_HEAD < head.n)
            break;
        status = take_frame(stays, l, m, &head, m->data + at + RG_WIRE_HEAD, err);
        at += RG_WIRE_HEAD + (size_t)head.n;
    }
    if (m->state == LEAVING)
        at = m->n; /* nothing that it says counts any more */
    if (at > 0)
        memmove(m->data, m->data + at, m->n - at);
    m->n -= at;
    return status;
}

static rg_status hear(lead *l, member *m, rg_error *err)
{
    for (int turn = 0; turn < READS_A_TURN; turn++) {
        bool stays;
        if (!rg_grow(&m->data, &m->capacity, m->n + READ_BYTES, 1))
            return rg_fail_memory(err, "what another rank sends");
        ssize_t n = recv(m->link, m->data + m->n, READ_BYTES, MSG_DONTWAIT);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
            return RG_OK;
        if (n <= 0) {
            give_up(l, m, "is gone");
            return RG_OK;
        }
        m->n += (size_t)n;
        if (m->state != LEAVING)
            m->heard = rg_seconds();
        rg_status status = take_frames(&stays, l, m, err);
        if (!stays && !status)
            give_up(l, m, "sends what makes no sense");
        if (status || m->link < 0)
            return status;
    }
    return RG_OK;
}

/* ---- rounds */

/* Takes up all who stand at the door. */
static rg_status welcome(lead *l, rg_error *err)
{
    const rg_crew *crew = l->about->crew;
    for (;;) {
        if (!rg_grow(&l->members, &l->capacity, l->n + 1, sizeof *l->members))
            return rg_fail_memory(err, "the links to other ranks");
        int link = rg_card_accept(crew->listener);
        if (link < 0) {
            l->deaf = errno == EAGAIN || errno == EWOULDBLOCK ? 0 : DEAF_ROUNDS;
            return RG_OK;
        }
        member *m = &l->members[l->n++];
        *m = (member){.link = link, .heard = rg_seconds(), .host = "?"};
        rg_wire_begin(&l->out);
        rg_wire_bytes(&l->out, crew->card.lead_key, RG_WIRE_KEY);
        if (!send_frame(l, m, RG_WIRE_WELCOME))
            close_link(m);
    }
}

static void drop_silent(lead *l)
{
    double silence = l->about->crew->silence > 0 ? l->about->crew->silence : SILENCE_SECONDS;
    for (size_t k = 0; k < l->n; k++) {
        member *m = &l->members[k];
        double quiet = rg_seconds() - m->heard;
        if (m->link < 0 || quiet < (m->state == LEAVING ? LEAVE_SECONDS : silence))
            continue;
        if (m->state != LEAVING && m->state != NEW) {
            char why[64];
            snprintf(why, sizeof why, "was silent for %.0f s", quiet);
            rg_wire_begin(&l->out);
            rg_wire_u32(&l->out, RG_WIRE_SILENT);
            (void)!send_frame(l, m, RG_WIRE_END);
            give_up(l, m, why);
        } else {
            close_link(m);
        }
    }
}

static void forget_gone(lead *l)
{
    size_t kept = 0;
    for (size_t k = 0; k < l->n; k++)
        if (l->members[k].link >= 0)
            l->members[kept++] = l->members[k];
    l->n = kept;
}

/* Waits for whatever comes first, and hears all who have something to say. */
static rg_status one_round(lead *l, bool open, rg_error *err)
{
    rg_status status = RG_OK;
    if (!rg_grow(&l->polls, &l->poll_capacity, l->n + 1, sizeof *l->polls))
        return rg_fail_memory(err, "the links to other ranks");
    l->deaf -= l->deaf > 0;
    l->polls[0] =
        (struct pollfd){.fd = open && !l->deaf ? l->about->crew->listener : -1, .events = POLLIN};
    for (size_t k = 0; k < l->n; k++)
        l->polls[k + 1] = (struct pollfd){.fd = l->members[k].link, .events = POLLIN};
    size_t n = l->n;
    if (poll(l->polls, (nfds_t)(n + 1), POLL_MILLISECONDS) > 0) {
        for (size_t k = 0; k < n && !status; k++)
            if (l->polls[k + 1].revents)
                status = hear(l, &l->members[k], err);
        if (l->polls[0].revents && !status)
            status = welcome(l, err);
    }
    drop_silent(l);
    forget_gone(l);
    return status;
}

static rg_status lead_all(lead *l, rg_error *err)
{
    rg_status status = RG_OK;
    while (!status && !rg_queue_over(l->queue)) {
        status = one_round(l, true, err);
        if (!status)
            send_jobs(l);
    }
    if (!status)
        status = welcome(l, err); /* those who came too late are told */
    rg_wire_end why = status || rg_queue_stopped(l->queue) ? RG_WIRE_STOPPED : RG_WIRE_DONE;
    for (size_t k = 0; k < l->n; k++)
        if (l->members[k].state != LEAVING)
            send_end(l, &l->members[k], why);
    while (!status && l->n > 0)
        status = one_round(l, false, err);
    return status;
}

rg_status rg_crew_lead_help(void *helper, rg_queue *queue, rg_error *err)
{
    lead l = {.about = helper, .queue = queue};
    l.joined = rg_alloc_zero(l.about->crew->size, sizeof *l.joined);
    rg_status status = l.joined ? lead_all(&l, err) : rg_fail_memory(err, "the other ranks");
    for (size_t k = 0; k < l.n; k++)
        if (l.members[k].link >= 0)
            close_link(&l.members[k]);
    rg_free(l.members);
    rg_free(l.polls);
    rg_free(l.joined);
    rg_free(l.out.data);
    return status;
}
