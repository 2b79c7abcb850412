/* tape_pass.c - a tape run over a batch, forward and back; see tape.h. */
#include "tape_pass.h"
#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

/* ---- making room */

enum { LINE = 64 }; /* bytes of a line of the cache: pieces begin at one */

static size_t rows_of(const rg_tape *tape, uint32_t v, const rg_batch_size *size)
{
    return tape->values[v].graphs ? size->graphs : (size_t)size->nodes;
}

static size_t piece(rg_carve *carve, size_t rows, size_t bytes_a_row)
{
    size_t bytes;
    if (!rg_size_mul(&bytes, rows, bytes_a_row)) {
        carve->overflow = true;
        return 0;
    }
    return rg_carve_add(carve, bytes / LINE + 1, LINE);
}

/* Bytes a row that a step keeps for its way back; a norm keeps two rows in all. */
static size_t kept_bytes(const rg_tape *tape, const rg_step *step, size_t real)
{
    size_t width = tape->values[step->out].width;
    bool largest = step->kind == RG_STEP_AGGREGATE ? step->gathering == RG_GATHER_MAX
                                                   : step->pooling == RG_POOL_MAX;
    switch (step->kind) {
    case RG_STEP_AGGREGATE:
    case RG_STEP_POOL:
        return largest ? width * sizeof(uint32_t) : 0;
    case RG_STEP_DROPOUT:
        return width * real;
    case RG_STEP_SORT_CHANNELS:
        return width * sizeof(uint32_t);
    case RG_STEP_SORT_POOL:
        return step->size * sizeof(uint32_t);
    case RG_STEP_CONV1D:
        return (size_t)rg_windows(&step->shape) * step->shape.size * step->shape.in * real;
    default:
        return 0;
    }
}

/* An activation needs its output alone on the way back, and a norm's gradients go through in place:
 * a value that nobody else reads lends its room. */
static bool lends_value(const rg_tape *tape, const rg_step *step)
{
    const rg_value *in = step->n_ins ? &tape->values[step->ins[0]] : NULL;
    bool activation = step->kind == RG_STEP_RELU || step->kind == RG_STEP_TANH;
    rg_step_kind before = in ? tape->steps[in->maker].kind : RG_STEP_INPUT;
    return activation && in->readers == 1 && before != RG_STEP_RELU && before != RG_STEP_TANH &&
           before != RG_STEP_NORM;
}

static bool lends_gradient(const rg_tape *tape, const rg_step *step)
{
    bool in_place = step->kind == RG_STEP_RELU || step->kind == RG_STEP_TANH ||
                    step->kind == RG_STEP_NORM || step->kind == RG_STEP_BIAS;
    return in_place && tape->values[step->ins[0]].readers == 1;
}

/* Places of all values, gradients and what steps keep. Gradients are placed from the end, because a
 * value takes the room of its reader's. */
static void plan(rg_tape_pass *p, rg_carve *carve, const rg_batch_size *size, uint32_t *widest)
{
    const rg_tape *t = p->tape;
    for (size_t k = 0; k < t->n_steps; k++) {
        const rg_step *step = &t->steps[k];
        uint32_t width = t->values[step->out].width;
        size_t rows = rows_of(t, step->out, size), bytes = kept_bytes(t, step, p->real);
        p->value[step->out] =
            lends_value(t, step) ? p->value[step->ins[0]] : piece(carve, rows, width * p->real);
        p->kept[k] = step->kind == RG_STEP_NORM ? piece(carve, 2, width * p->real)
                                                : piece(carve, rows, bytes);
        *widest = width > *widest ? width : *widest;
    }
    for (size_t k = t->n_steps; k-- > 0;) {
        const rg_step *step = &t->steps[k];
        uint32_t out = step->out;
        if (p->gradient[out] == RG_NOWHERE && t->values[out].learned)
            p->gradient[out] = piece(carve, rows_of(t, out, size), t->values[out].width * p->real);
        if (step->n_ins && lends_gradient(t, step) && t->values[step->ins[0]].learned)
            p->gradient[step->ins[0]] = p->gradient[out];
    }
}

/* Of a linear step that works on them transposed. */
static size_t most_weights(const rg_tape *tape)
{
    size_t most = 0;
    for (size_t k = 0; k < tape->n_steps; k++) {
        const rg_step *step = &tape->steps[k];
        if (step->kind != RG_STEP_LINEAR)
            continue;
        size_t n = (size_t)(tape->values[step->ins[0]].width / step->groups) *
                   (tape->values[step->out].width / step->groups);
        if (n > most && rg_step_is_narrow(n))
            most = n;
    }
    return most;
}

static rg_status make_room(rg_tape_pass *p, const rg_batch_size *size, rg_error *err)
{
    rg_carve carve = {0};
    uint32_t widest = 1;
    size_t n = p->tape->n_values;
    p->value = rg_alloc(n, sizeof *p->value);
    p->gradient = rg_alloc(n, sizeof *p->gradient);
    p->kept = rg_alloc(p->tape->n_steps, sizeof *p->kept);
    if (!p->value || !p->gradient || !p->kept)
        return rg_fail_memory(err, "the signals of a network");
    for (size_t v = 0; v < n; v++)
        p->value[v] = p->gradient[v] = RG_NOWHERE;
    plan(p, &carve, size, &widest);
    size_t transposed = piece(&carve, most_weights(p->tape), p->real);
    size_t dense = piece(&carve, (size_t)size->nodes, p->tape->features->n_dense * p->real);
    size_t hot = piece(&carve, (size_t)size->nodes, p->tape->features->n_hot * sizeof *p->hot);
    rg_carve_add(&carve, 1, LINE);
    p->block = rg_carve_alloc(&carve);
    p->sums = rg_alloc(widest, 4 * sizeof *p->sums);
    if (!p->block || !p->sums)
        return rg_fail_memory(err, "the signals of a network");
    p->start = p->block + (LINE - (uintptr_t)p->block % LINE) % LINE;
    p->dense = p->start + dense;
    p->hot = (void *)(p->start + hot);
    p->transposed = p->start + transposed;
    return RG_OK;
}

rg_status rg_tape_pass_new(rg_tape_pass **out, const rg_tape *tape, const rg_batch_size *size,
                           rg_precision precision, rg_cpu cpu, rg_error *err)
{
    rg_tape_pass *p = rg_alloc_zero(1, sizeof *p);
    if (!p)
        return rg_fail_memory(err, "the signals of a network");
    p->tape = tape;
    p->layers = rg_gnn_kernels_get(precision, cpu);
    p->kernels = rg_kernels_get(precision, 1, cpu);
    p->real = rg_real_size(precision);
    rg_status status = make_room(p, size, err);
    if (status)
        rg_tape_pass_free(p);
    else
        *out = p;
    return status;
}

void rg_tape_pass_free(rg_tape_pass *p)
{
    if (!p)
        return;
    rg_free(p->value);
    rg_free(p->gradient);
    rg_free(p->kept);
    rg_free(p->sums);
    rg_free(p->block);
    rg_free(p);
}

/* ---- running */

const void *rg_tape_forward(rg_tape_pass *p, const rg_batch *batch, void *w,
                            const rg_tape_draws *draws)
{
    p->batch = batch;
    rg_step_features(p);
    for (size_t k = 0; k < p->tape->n_steps; k++)
        rg_step_forward(p, k, w, draws);
    return rg_value_at(p, (uint32_t)p->tape->n_values - 1);
}

void *rg_tape_gradient(rg_tape_pass *p)
{
    return rg_gradient_at(p, (uint32_t)p->tape->n_values - 1);
}

void rg_tape_back(rg_tape_pass *p, const void *w, void *g)
{
    for (size_t k = p->tape->n_steps; k-- > 0;)
        if (p->tape->values[p->tape->steps[k].out].learned)
            rg_step_back(p, k, w, g);
}
