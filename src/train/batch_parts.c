/* batch_parts.c - see batch_parts.h. */
#include "batch_parts.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

enum {
    AUTO_SAMPLES = 4096, /* of a training set from which on `auto` cuts batches */
    AUTO_PARTS = 8,
    SLICE = 1 << 14, /* parameters of a slice at least */
    SHARED = 1 << 20 /* numbers of an optimiser that several threads share, with one part */
};

uint32_t rg_batch_parts_auto(size_t n_train)
{
    return n_train < AUTO_SAMPLES ? 1 : AUTO_PARTS;
}

/* The finaliser of MurmurHash3: neighbours in a file are often alike. */
uint32_t rg_batch_part_of(size_t sample, size_t n)
{
    uint64_t h = sample;
    h = (h ^ h >> 33) * UINT64_C(0xff51afd7ed558ccd);
    h = (h ^ h >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return (uint32_t)((h ^ h >> 33) % n);
}

/* ---- making and freeing */

/* A pass for so many samples at once, in place of a smaller one. */
static rg_status open_pass(rg_batch_parts *p, size_t k, uint32_t group, rg_error *err)
{
    rg_batch_part *part = &p->part[k];
    rg_pass_options options = {.group = group, .backward = true, .follows = k > 0};
    rg_pass_free(part->pass);
    part->pass = NULL;
    part->group = group;
    return rg_pass_new(&part->pass, p->samples, p->kernels, &options, err);
}

static rg_status open_part(rg_batch_parts *p, size_t k, void *g, uint32_t group, rg_error *err)
{
    rg_batch_part *part = &p->part[k];
    size_t item = p->kernels->real_size * p->kernels->lanes;
    part->g = k ? rg_alloc_zero(p->n_params, item) : g;
    if (!part->g)
        return rg_fail_memory(err, "the gradients of a network");
    rg_status status = open_pass(p, k, group, err);
    if (!status)
        status = rg_walk_open(&part->walk, p->samples, err);
    return status;
}

/* Samples that a part is expected to have in a batch at most. */
static uint32_t expected(uint32_t batch, size_t n_parts)
{
    double mean = batch / (double)n_parts, most = mean + 5 * sqrt(mean) + 1;
    return n_parts == 1 || most > batch ? batch : (uint32_t)most;
}

/* Tables that are built on the way are built for one part at a time. */
static bool can_share(const rg_samples *samples)
{
    for (size_t k = 0; samples->source.graphs && k < samples->n; k++)
        if (samples->block_of[k] == RG_NO_BLOCK)
            return false;
    return true;
}

rg_status rg_batch_parts_open(rg_batch_parts *p, rg_samples *samples, const rg_kernels *kernels,
                              const rg_measure *measure, const void *mask, void *g,
                              const rg_batch_parts_options *o, rg_error *err)
{
    *p = (rg_batch_parts){.samples = samples,
                          .kernels = kernels,
                          .measure = measure,
                          .mask = mask,
                          .n_params = samples->net->n_params,
                          .n = o->parts ? o->parts : rg_batch_parts_auto(o->n_train)};
    p->part = rg_alloc_zero(p->n, sizeof *p->part);
    p->scratch = rg_alloc(o->n_longest, sizeof *p->scratch);
    p->list = rg_alloc(o->n_longest, sizeof *p->list);
    rg_status status =
        p->part && p->scratch && p->list ? RG_OK : rg_fail_memory(err, "the parts of a batch");
    for (size_t k = 0; !status && k < p->n; k++)
        status = open_part(p, k, g, expected(o->group, p->n), err);
    /* with one part the optimiser alone is shared: few numbers are done before others have woken up */
    bool small = p->n == 1 && p->n_params * kernels->lanes < SHARED;
    if (!status && o->n_threads != 1 && !small && can_share(samples))
        status = rg_pool_new(&p->pool, o->n_threads, err);
    if (p->pool)
        rg_pool_cancel(p->pool, samples->cancel);
    if (status)
        rg_batch_parts_close(p);
    return status;
}

void rg_batch_parts_close(rg_batch_parts *p)
{
    for (size_t k = 0; p->part && k < p->n; k++) {
        rg_pass_free(p->part[k].pass);
        rg_walk_close(&p->part[k].walk);
        if (k)
            rg_free(p->part[k].g);
    }
    rg_pool_free(p->pool);
    rg_free(p->part);
    rg_free(p->scratch);
    rg_free(p->list);
    *p = (rg_batch_parts){.n = 0};
}

/* ---- sharing: what is done for each part, by any thread */

typedef struct sharing {
    rg_batch_parts *parts;
    void *w;
    const rg_pass_draws *draws;
    double scale; /* of losses */
    rg_optimiser *optimiser;
    const rg_update *update;
    size_t n_slices;
} sharing;

static rg_status share(rg_batch_parts *p, size_t n, rg_pool_item item, sharing *s, rg_error *err)
{
    rg_status status = RG_OK;
    if (p->pool)
        return rg_pool_run(p->pool, n, item, s, err);
    for (size_t k = 0; !status && k < n; k++)
        status = item(s, k, 0, err);
    return status;
}

/* list[0 .. n-1] by part, those of a part in the order in which they were; ends of parts are set. */
static void sort_by_part(rg_batch_parts *p, uint32_t *list, size_t n)
{
    size_t at = 0;
    if (p->n == 1) {
        p->part[0].end = n;
        return;
    }
    memcpy(p->scratch, list, n * sizeof *list);
    for (size_t k = 0; k < p->n; k++) {
        for (size_t i = 0; i < n; i++)
            if (rg_batch_part_of(p->scratch[i], p->n) == k)
                list[at++] = p->scratch[i];
        p->part[k].end = at;
    }
}

static size_t n_of_part(const rg_batch_parts *p, size_t k)
{
    return p->part[k].end - (k ? p->part[k - 1].end : 0);
}

/* The parts' sums become one: in part 0, in the order of the tree. */
static void meet_tallies(rg_tally *out, rg_batch_parts *p)
{
    for (size_t s = 1; s < p->n; s *= 2)
        for (size_t k = 0; k + s < p->n; k += 2 * s) {
            rg_tally *a = &p->part[k].tally;
            const rg_tally *b = &p->part[k + s].tally;
            for (size_t l = 0; l < p->kernels->lanes; l++) {
                a->loss[l] += b->loss[l];
                a->score[l] += b->score[l];
            }
            a->weight += b->weight;
            a->n += b->n;
        }
    *out = p->part[0].tally;
}

/* The same for the sums of a layer, of which all parts get those of all. */
static void meet_sums(rg_batch_parts *p)
{
    size_t n;
    double *total = rg_pass_sums(p->part[0].pass, &n);
    for (size_t s = 1; s < p->n; s *= 2)
        for (size_t k = 0; k + s < p->n; k += 2 * s) {
            double *a = rg_pass_sums(p->part[k].pass, &n), *b;
            b = rg_pass_sums(p->part[k + s].pass, &n);
            for (size_t i = 0; i < n; i++)
                a[i] += b[i];
        }
    for (size_t k = 1; k < p->n; k++)
        memcpy(rg_pass_sums(p->part[k].pass, &n), total, n * sizeof *total);
}

/* ---- a batch: sample by sample, if layers do not look beyond one */

static rg_status learn_alone(void *context, size_t k, unsigned worker, rg_error *err)
{
    sharing *s = context;
    rg_batch_parts *p = s->parts;
    rg_batch_part *part = &p->part[k];
    (void)worker;
    for (size_t left = n_of_part(p, k); left > 0; left -= part->n_samples) {
        rg_status status =
            rg_pass_take(&part->samples, &part->n_samples, part->pass, &part->walk, left, err);
        if (status)
            return status;
        if (s->scale == 0) /* nothing in the batch has a target */
            continue;
        if (p->lazy)
            rg_lazy_touch(p->lazy, part->samples, part->n_samples);
        rg_pass_forward(part->pass, part->samples, part->n_samples, s->w, s->draws);
        rg_measure_group(&part->tally, p->measure, part->pass, part->samples, part->n_samples,
                         rg_pass_gradient(part->pass), s->scale);
        rg_pass_backward(part->pass, part->g);
    }
    return RG_OK;
}

/* ---- or all parts layer by layer */

static rg_status begin_together(void *context, size_t k, unsigned worker, rg_error *err)
{
    sharing *s = context;
    rg_batch_part *part = &s->parts->part[k];
    (void)worker;
    rg_status status = rg_pass_take(&part->samples, &part->n_samples, part->pass, &part->walk,
                                    n_of_part(s->parts, k), err);
    if (!status && s->parts->lazy)
        rg_lazy_touch(s->parts->lazy, part->samples, part->n_samples);
    if (!status)
        rg_pass_begin(part->pass, part->samples, part->n_samples, s->w, s->draws);
    return status;
}

static rg_status begin_back(void *context, size_t k, unsigned worker, rg_error *err)
{
    sharing *s = context;
    rg_batch_part *part = &s->parts->part[k];
    (void)worker;
    (void)err;
    rg_measure_group(&part->tally, s->parts->measure, part->pass, part->samples, part->n_samples,
                     rg_pass_gradient(part->pass), s->scale);
    rg_pass_begin_back(part->pass, part->g);
    return RG_OK;
}

/* All passes stop at the same places, so part 0 knows whether there is more. */
static rg_status advance(void *context, size_t k, unsigned worker, rg_error *err)
{
    sharing *s = context;
    (void)worker;
    (void)err;
    s->parts->part[k].more = rg_pass_advance(s->parts->part[k].pass);
    return RG_OK;
}

static rg_status retreat(void *context, size_t k, unsigned worker, rg_error *err)
{
    sharing *s = context;
    (void)worker;
    (void)err;
    s->parts->part[k].more = rg_pass_retreat(s->parts->part[k].pass);
    return RG_OK;
}

static rg_status go(rg_batch_parts *p, rg_pool_item step, sharing *s, rg_error *err)
{
    rg_status status;
    while (!(status = share(p, p->n, step, s, err)) && p->part[0].more)
        meet_sums(p);
    return status;
}

static rg_status learn_together(rg_batch_parts *p, sharing *s, rg_error *err)
{
    rg_status status = share(p, p->n, begin_together, s, err);
    if (!status && s->scale > 0)
        status = go(p, advance, s, err);
    if (!status && s->scale > 0)
        status = share(p, p->n, begin_back, s, err);
    if (!status && s->scale > 0)
        status = go(p, retreat, s, err);
    return status;
}

/* ---- gradients meet; slices of the parameters are shared */

static void slice_of(const sharing *s, size_t k, size_t *first, size_t *n)
{
    size_t all = s->parts->n_params;
    *first = all / s->n_slices * k;
    *n = k + 1 < s->n_slices ? all / s->n_slices : all - *first;
}

static rg_status meet_gradients(void *context, size_t k, unsigned worker, rg_error *err)
{
    const sharing *s = context;
    rg_batch_parts *p = s->parts;
    size_t first, n, item = p->kernels->real_size * p->kernels->lanes;
    (void)worker;
    (void)err;
    slice_of(s, k, &first, &n);
    for (size_t step = 1; step < p->n; step *= 2)
        for (size_t at = 0; at + step < p->n; at += 2 * step) {
            char *from = (char *)p->part[at + step].g + first * item;
            p->kernels->add((char *)p->part[at].g + first * item, n, from);
            memset(from, 0, n * item);
        }
    char *g = (char *)p->part[0].g + first * item;
    if (p->mask) /* what was dropped has no gradient, so that its weight and moments stay zero */
        p->kernels->multiply(g, n, g, (const char *)p->mask + first * item);
    return RG_OK;
}

static rg_status apply_slice(void *context, size_t k, unsigned worker, rg_error *err)
{
    const sharing *s = context;
    size_t first, n;
    (void)worker;
    (void)err;
    slice_of(s, k, &first, &n);
    rg_optimiser_apply(s->optimiser, s->update, first, n);
    return RG_OK;
}

static size_t n_slices(const rg_batch_parts *p)
{
    size_t most = p->n_params / SLICE, n = p->pool ? rg_pool_size(p->pool) : 1;
    return n > most ? (most ? most : 1) : n;
}

/* ---- all of it */

/* The first ones have one sample more. */
size_t rg_batch_end(size_t n, size_t n_batches, size_t b)
{
    return (b + 1) * (n / n_batches) + (b + 1 < n % n_batches ? b + 1 : n % n_batches);
}

/* Room for the samples of a part in each batch, if they go through at once. */
static rg_status grow(rg_batch_parts *p, const uint32_t *order, size_t n, size_t n_batches,
                      rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < p->n; k++) {
        uint32_t most = 0;
        for (size_t b = 0, at = 0; b < n_batches; b++) {
            uint32_t count = 0;
            for (; at < rg_batch_end(n, n_batches, b); at++)
                count += rg_batch_part_of(order[at], p->n) == k;
            most = count > most ? count : most;
        }
        if (most > p->part[k].group)
            status = open_pass(p, k, most, err);
    }
    return status;
}

rg_status rg_batch_parts_begin(rg_batch_parts *p, uint32_t *order, size_t n, size_t n_batches,
                               rg_error *err)
{
    if (p->n == 1) /* one walk over the whole epoch: tables are built ahead */
        rg_walk_begin(&p->part[0].walk, order, n);
    return p->n > 1 && p->samples->net->batched ? grow(p, order, n, n_batches, err) : RG_OK;
}

rg_status rg_batch_parts_learn(rg_tally *tally, double *weight, rg_batch_parts *p, uint32_t *order,
                               size_t from, size_t to, void *w, const rg_pass_draws *draws,
                               rg_error *err)
{
    sharing s = {.parts = p, .w = w, .draws = draws, .n_slices = n_slices(p)};
    sort_by_part(p, order + from, to - from);
    *weight = 0;
    for (size_t k = from; k < to; k++)
        *weight += rg_measure_weight(p->measure, order[k]);
    s.scale = *weight > 0 ? 1 / *weight : 0;
    p->part[0].tally = *tally;
    for (size_t k = 1; k < p->n; k++)
        p->part[k].tally = (rg_tally){.weight = 0};
    for (size_t k = 0; p->n > 1 && k < p->n; k++)
        rg_walk_begin(&p->part[k].walk, order + from + p->part[k].end - n_of_part(p, k),
                      n_of_part(p, k));
    rg_status status = p->samples->net->batched ? learn_together(p, &s, err)
                                                : share(p, p->n, learn_alone, &s, err);
    if (!status && s.scale > 0 && (p->n > 1 || p->mask))
        status = share(p, s.n_slices, meet_gradients, &s, err);
    meet_tallies(tally, p);
    return status;
}

void rg_batch_parts_step(rg_batch_parts *p, rg_optimiser *optimiser, const double *lr)
{
    if (p->lazy) {
        rg_lazy_step(p->lazy, lr);
        return;
    }
    rg_update update = rg_optimiser_next(optimiser, lr);
    sharing s = {.parts = p, .optimiser = optimiser, .update = &update, .n_slices = n_slices(p)};
    if (p->pool) /* a step is done or not: nobody may stop it */
        rg_pool_cancel(p->pool, NULL);
    rg_status status = share(p, s.n_slices, apply_slice, &s, NULL);
    (void)status; /* no item fails */
    if (p->pool)
        rg_pool_cancel(p->pool, p->samples->cancel);
}

static rg_status measure_part(void *context, size_t k, unsigned worker, rg_error *err)
{
    sharing *s = context;
    rg_batch_part *part = &s->parts->part[k];
    (void)worker;
    return rg_measure_list(&part->tally, s->parts->measure, &part->walk, part->pass, s->w,
                           s->parts->list + part->end - n_of_part(s->parts, k),
                           n_of_part(s->parts, k), err);
}

rg_status rg_batch_parts_measure(rg_tally *out, rg_batch_parts *p, void *w, const uint32_t *list,
                                 size_t n, rg_error *err)
{
    sharing s = {.parts = p, .w = w};
    if (n) /* an empty list may be NULL */
        memcpy(p->list, list, n * sizeof *list);
    sort_by_part(p, p->list, n);
    rg_status status = share(p, p->n, measure_part, &s, err);
    if (!status)
        meet_tallies(out, p);
    return status;
}
