/* wire.c - see wire.h. */
#include "wire.h"

#include "base/alloc.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

enum {
    MAGIC = 0x72634752, /* "RGcr" */
    TEXT_MAX = 4096,
    RUN_BYTES = 5 * 4 + 6 * 8 + 4, /* before epochs and predictions */
    EPOCH_BYTES = 5 * 8,
};

/* ---- writing */

void rg_wire_bytes(rg_wire *w, const void *bytes, size_t n)
{
    size_t need;
    if (w->failed || !rg_size_add(&need, w->n, n) || !rg_grow(&w->data, &w->capacity, need, 1)) {
        w->failed = true;
        return;
    }
    if (n)
        memcpy(w->data + w->n, bytes, n);
    w->n += n;
}

static void little(unsigned char *out, uint64_t value, size_t width)
{
    for (size_t k = 0; k < width; k++)
        out[k] = (unsigned char)(value >> 8 * k);
}

static void put(rg_wire *w, uint64_t value, size_t width)
{
    unsigned char bytes[8];
    little(bytes, value, width);
    rg_wire_bytes(w, bytes, width);
}

void rg_wire_u32(rg_wire *w, uint32_t value)
{
    put(w, value, 4);
}

void rg_wire_u64(rg_wire *w, uint64_t value)
{
    put(w, value, 8);
}

static void put_reals(rg_wire *w, const double *values, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        uint64_t bits;
        memcpy(&bits, &values[k], sizeof bits);
        put(w, bits, 8);
    }
}

/* NULL is as "". */
static void put_text(rg_wire *w, const char *text)
{
    size_t n = text ? strlen(text) : 0;
    n = n < TEXT_MAX ? n : TEXT_MAX;
    put(w, n, 4);
    rg_wire_bytes(w, text, n);
}

void rg_wire_begin(rg_wire *w)
{
    static const unsigned char none[RG_WIRE_HEAD];
    w->n = 0;
    w->failed = false;
    rg_wire_bytes(w, none, sizeof none);
}

rg_status rg_wire_seal(rg_wire *w, rg_wire_kind kind, rg_error *err)
{
    if (w->failed)
        return rg_fail_memory(err, "a message to another process");
    size_t n = w->n - RG_WIRE_HEAD;
    if (n > RG_WIRE_BODY_MAX)
        return rg_fail(err, RG_EFAIL, "a result of %zu bytes is too long to be sent", n);
    little(w->data, MAGIC, 4);
    little(w->data + 4, kind, 4);
    little(w->data + 8, n, 8);
    little(w->data + 16, rg_hash(w->data + RG_WIRE_HEAD, n, kind), 8);
    return RG_OK;
}

/* ---- reading: past the end everything is 0 and `failed` */

typedef struct source {
    const unsigned char *at;
    size_t left;
    bool failed;
} source;

static uint64_t get(source *s, size_t width)
{
    uint64_t value = 0;
    if (s->failed || s->left < width) {
        s->failed = true;
        return 0;
    }
    for (size_t k = 0; k < width; k++)
        value |= (uint64_t)s->at[k] << 8 * k;
    s->at += width;
    s->left -= width;
    return value;
}

static uint32_t get_u32(source *s)
{
    return (uint32_t)get(s, 4);
}

static bool get_flag(source *s)
{
    uint32_t value = get_u32(s);
    s->failed |= value > 1;
    return value == 1;
}

static void get_reals(source *s, double *out, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        uint64_t bits = get(s, 8);
        memcpy(&out[k], &bits, sizeof bits);
    }
}

/* Borrowed: *n bytes without a zero. */
static const char *get_text(source *s, size_t *n)
{
    size_t length = get_u32(s);
    const char *text = (const char *)s->at;
    if (s->failed || length > TEXT_MAX || length > s->left || memchr(text, 0, length)) {
        s->failed = true;
        length = 0;
    }
    s->at += length;
    s->left -= length;
    *n = length;
    return text;
}

static void get_text_into(source *s, char *out, size_t size)
{
    size_t n;
    const char *text = get_text(s, &n);
    s->failed |= n >= size;
    n = n < size ? n : size - 1;
    memcpy(out, text, n);
    out[n] = '\0';
}

rg_status rg_wire_head_read(rg_wire_head *out, const unsigned char *bytes, rg_error *err)
{
    source s = {bytes, RG_WIRE_HEAD, false};
    uint32_t magic = get_u32(&s), kind = get_u32(&s);
    rg_wire_head head = {.n = get(&s, 8)};
    head.hash = get(&s, 8);
    if (magic != MAGIC || kind < RG_WIRE_WELCOME || kind > RG_WIRE_END)
        return rg_fail(err, RG_EDATA, "found bytes that are no message of regula");
    if (head.n > RG_WIRE_BODY_MAX)
        return rg_fail(err, RG_EDATA, "found a message of %llu bytes, which is too long",
                       (unsigned long long)head.n);
    head.kind = (rg_wire_kind)kind;
    *out = head;
    return RG_OK;
}

bool rg_wire_head_fits(const rg_wire_head *head, const unsigned char *body)
{
    return rg_hash(body, (size_t)head->n, head->kind) == head->hash;
}

/* ---- hello */

void rg_wire_hello_put(rg_wire *w, const rg_wire_hello *h)
{
    rg_wire_bytes(w, h->key, sizeof h->key);
    rg_wire_u32(w, h->rank);
    put_text(w, h->host);
    put_text(w, h->version);
    put_text(w, h->experiment);
    put_text(w, h->data);
    put_text(w, h->splits);
}

rg_status rg_wire_hello_get(rg_wire_hello *out, const unsigned char *body, size_t n, rg_error *err)
{
    source s = {body, n, false};
    rg_wire_hello h;
    for (size_t k = 0; k < sizeof h.key; k++)
        h.key[k] = (unsigned char)get(&s, 1);
    h.rank = get_u32(&s);
    get_text_into(&s, h.host, sizeof h.host);
    get_text_into(&s, h.version, sizeof h.version);
    get_text_into(&s, h.experiment, sizeof h.experiment);
    get_text_into(&s, h.data, sizeof h.data);
    get_text_into(&s, h.splits, sizeof h.splits);
    if (s.failed || s.left)
        return rg_fail(err, RG_EDATA, "found a greeting that is not whole");
    *out = h;
    return RG_OK;
}

/* ---- results
 *
 * job u64, state u32, runs u32; message, worker and version; five counts u64; three times; then the
 * runs: number, epochs, best epoch, stopped, failed u32, six reals, has a prediction u32; of each
 * epoch five reals; of the prediction rows u64, width u64, has classes u32, samples u32 [row],
 * classes u16 [row], numbers f32 [row][width]. */

static void put_prediction(rg_wire *w, const rg_store_prediction *p)
{
    rg_wire_u64(w, p->n_rows);
    rg_wire_u64(w, p->width);
    rg_wire_u32(w, p->classes != NULL);
    for (size_t k = 0; k < p->n_rows; k++)
        put(w, p->samples[k], 4);
    for (size_t k = 0; p->classes && k < p->n_rows; k++)
        put(w, p->classes[k], 2);
    for (size_t k = 0; k < p->n_rows * p->width; k++) {
        uint32_t bits;
        memcpy(&bits, &p->numbers[k], sizeof bits);
        put(w, bits, 4);
    }
}

static void put_run(rg_wire *w, const rg_store_run *r)
{
    const rg_run *run = &r->run;
    const double reals[] = {run->train_loss,       run->train_score, run->validation_loss,
                            run->validation_score, run->test_loss,   run->test_score};
    rg_wire_u32(w, run->number);
    rg_wire_u32(w, run->epochs);
    rg_wire_u32(w, run->best_epoch);
    rg_wire_u32(w, run->stopped != 0);
    rg_wire_u32(w, run->failed != 0);
    put_reals(w, reals, 6);
    rg_wire_u32(w, r->prediction != NULL);
    for (uint32_t k = 0; k < run->epochs; k++) {
        const rg_epoch *e = &r->epochs[k];
        const double own[] = {e->lr, e->train_loss, e->train_score, e->validation_loss,
                              e->validation_score};
        put_reals(w, own, 5);
    }
    if (r->prediction)
        put_prediction(w, r->prediction);
}

void rg_wire_result_put(rg_wire *w, const rg_runner_result *result, const rg_store_job *job)
{
    const rg_store_outcome *o = &result->outcome;
    const double times[] = {o->build_seconds, o->seconds, o->cpu_seconds};
    rg_wire_u64(w, result->job);
    rg_wire_u32(w, o->state);
    rg_wire_u32(w, result->runs ? job->n_runs : 0);
    put_text(w, o->message);
    put_text(w, o->worker);
    put_text(w, o->version);
    rg_wire_u64(w, o->n_parameters);
    rg_wire_u64(w, o->connections);
    rg_wire_u64(w, o->weights_possible);
    rg_wire_u64(w, o->weights_used);
    rg_wire_u64(w, o->peak_rss);
    put_reals(w, times, 3);
    for (uint32_t k = 0; result->runs && k < job->n_runs; k++)
        put_run(w, &result->runs[k]);
}

static rg_status not_whole(rg_error *err)
{
    return rg_fail(err, RG_EDATA, "found a result that is not whole");
}

static rg_status get_prediction(rg_store_prediction **out, source *s, rg_error *err)
{
    uint64_t rows = get(s, 8), width = get(s, 8);
    bool has_classes = get_flag(s);
    if (s->failed || rows > s->left / 4 || width > UINT16_MAX ||
        (width && rows > s->left / 4 / width) ||
        rows * (4 + (has_classes ? 2u : 0u) + 4 * width) > s->left)
        return not_whole(err);
    rg_carve l = {0};
    size_t n = (size_t)rows, m = n * (size_t)width, head = rg_carve_add(&l, 1, sizeof **out);
    size_t samples = rg_carve_add(&l, n, 4), classes = rg_carve_add(&l, has_classes ? n : 0, 2);
    size_t numbers = rg_carve_add(&l, m, 4);
    char *block = rg_carve_alloc(&l);
    if (!block)
        return rg_fail_memory(err, "a result");
    uint32_t *sample = (void *)(block + samples);
    uint16_t *class = (void *)(block + classes);
    float *number = (void *)(block + numbers);
    for (size_t k = 0; k < n; k++)
        sample[k] = get_u32(s);
    for (size_t k = 0; has_classes && k < n; k++)
        class[k] = (uint16_t)get(s, 2);
    for (size_t k = 0; k < m; k++) {
        uint32_t bits = get_u32(s);
        memcpy(&number[k], &bits, sizeof bits);
    }
    *out = (void *)(block + head);
    **out = (rg_store_prediction){n, (size_t)width, sample, has_classes ? class : NULL,
                                  width ? number : NULL};
    return RG_OK;
}

static rg_status get_run(rg_store_run *out, source *s, rg_error *err)
{
    rg_run run = {.number = get_u32(s), .epochs = get_u32(s), .best_epoch = get_u32(s)};
    double reals[6];
    run.stopped = get_flag(s);
    run.failed = get_flag(s);
    get_reals(s, reals, 6);
    bool has_prediction = get_flag(s);
    if (s->failed || run.epochs > s->left / EPOCH_BYTES || run.best_epoch > run.epochs)
        return not_whole(err);
    run.train_loss = reals[0], run.train_score = reals[1];
    run.validation_loss = reals[2], run.validation_score = reals[3];
    run.test_loss = reals[4], run.test_score = reals[5];
    rg_epoch *epochs = rg_alloc(run.epochs, sizeof *epochs);
    if (!epochs)
        return rg_fail_memory(err, "a result");
    for (uint32_t k = 0; k < run.epochs; k++) {
        get_reals(s, reals, 5);
        epochs[k] = (rg_epoch){k + 1, reals[0], reals[1], reals[2], reals[3], reals[4]};
    }
    out->run = run;
    out->epochs = epochs; /* the caller's from here on */
    rg_store_prediction *prediction = NULL;
    rg_status status = has_prediction ? get_prediction(&prediction, s, err) : RG_OK;
    out->prediction = prediction;
    return status;
}

static rg_status get_runs(rg_wire_result *out, source *s, const rg_store_job *job, rg_error *err)
{
    rg_status status = RG_OK;
    if (out->n_runs > s->left / RUN_BYTES)
        return not_whole(err);
    out->runs = rg_alloc_zero(out->n_runs, sizeof *out->runs);
    if (!out->runs)
        return rg_fail_memory(err, "a result");
    for (uint32_t k = 0; !status && k < out->n_runs; k++) {
        rg_store_run *run = &out->runs[k];
        run->configuration = job->configuration;
        run->fold = job->fold;
        status = get_run(run, s, err);
        if (!status && run->run.number != job->first_run + k)
            status = rg_fail(err, RG_EDATA, "found run %u, expected run %u",
                             (unsigned)run->run.number, (unsigned)(job->first_run + k));
    }
    return status;
}

static char *copy_text(source *s, rg_status *status, rg_error *err)
{
    size_t n;
    const char *text = get_text(s, &n);
    char *copy = s->failed ? NULL : rg_copy_text(text, n);
    if (!copy && !*status)
        *status = s->failed ? not_whole(err) : rg_fail_memory(err, "a result");
    return copy;
}

static rg_status get_outcome(rg_wire_result *out, source *s, rg_error *err)
{
    rg_store_outcome *o = &out->result.outcome;
    rg_status status = RG_OK;
    double times[3];
    out->message = copy_text(s, &status, err);
    out->worker = copy_text(s, &status, err);
    out->version = copy_text(s, &status, err);
    o->n_parameters = get(s, 8);
    o->connections = get(s, 8);
    o->weights_possible = get(s, 8);
    o->weights_used = get(s, 8);
    o->peak_rss = get(s, 8);
    get_reals(s, times, 3);
    o->build_seconds = times[0], o->seconds = times[1], o->cpu_seconds = times[2];
    if (status)
        return status;
    o->message = *out->message ? out->message : NULL;
    o->worker = *out->worker ? out->worker : NULL;
    o->version = *out->version ? out->version : NULL;
    return s->failed ? not_whole(err) : RG_OK;
}

void rg_wire_result_free(rg_wire_result *result)
{
    rg_store_runs_free(result->runs, result->n_runs);
    rg_free(result->message);
    rg_free(result->worker);
    rg_free(result->version);
    *result = (rg_wire_result){.runs = NULL};
}

rg_status rg_wire_result_get(rg_wire_result *out, const unsigned char *body, size_t n,
                             size_t number, const rg_store_job *job, rg_error *err)
{
    source s = {body, n, false};
    uint64_t said = get(&s, 8);
    uint32_t state = get_u32(&s);
    rg_wire_result all = {.result = {.job = number}, .n_runs = get_u32(&s)};
    bool done = state == RG_JOB_DONE;
    if (s.failed)
        return not_whole(err);
    if (said != number)
        return rg_fail(err, RG_EDATA, "found a result of job %llu, expected one of job %zu",
                       (unsigned long long)said, number);
    if ((!done && state != RG_JOB_FAILED) || all.n_runs != (done ? job->n_runs : 0))
        return rg_fail(err, RG_EDATA, "found a result of %u runs, expected %u",
                       (unsigned)all.n_runs, (unsigned)job->n_runs);
    all.result.outcome.state = (rg_job_state)state;
    rg_status status = get_outcome(&all, &s, err);
    if (!status && done == (all.result.outcome.message != NULL))
        status = not_whole(err);
    if (!status && done)
        status = get_runs(&all, &s, job, err);
    if (!status && s.left)
        status = rg_fail(err, RG_EDATA, "found %zu bytes behind a result", s.left);
    if (status) {
        rg_wire_result_free(&all);
        return status;
    }
    all.result.runs = all.runs;
    *out = all;
    return RG_OK;
}
