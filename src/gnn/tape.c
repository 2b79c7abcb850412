/* tape.c - building a tape; see tape.h. tape_pass.c runs it. */
#include "tape.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

void rg_tape_begin(rg_tape *tape, const rg_features *features)
{
    *tape = (rg_tape){.features = features};
}

void rg_tape_free(rg_tape *tape)
{
    rg_free(tape->values);
    rg_free(tape->steps);
    rg_free(tape->starts);
    *tape = (rg_tape){0};
}

uint32_t rg_tape_width(const rg_tape *tape, uint32_t x)
{
    return tape->failed ? 1 : tape->values[x].width;
}

/* ---- pieces */

/* A step of one input (or none: NO_INPUT) with a value behind it; NULL once something failed. */
#define NO_INPUT UINT32_MAX
static rg_step *step_new(rg_tape *t, rg_step_kind kind, uint32_t x, uint32_t width)
{
    if (t->failed || !rg_grow(&t->values, &t->room_values, t->n_values + 1, sizeof *t->values) ||
        !rg_grow(&t->steps, &t->room_steps, t->n_steps + 1, sizeof *t->steps)) {
        t->failed = true;
        return NULL;
    }
    rg_step *step = &t->steps[t->n_steps];
    *step = (rg_step){.kind = kind,
                      .out = (uint32_t)t->n_values,
                      .weights = RG_NOWHERE,
                      .bias = RG_NOWHERE,
                      .state = RG_NOWHERE,
                      .groups = 1,
                      .self = 1};
    t->values[t->n_values] = (rg_value){.width = width, .maker = (uint32_t)t->n_steps};
    if (x != NO_INPUT) {
        step->ins[step->n_ins++] = x;
        t->values[t->n_values].graphs = t->values[x].graphs;
        t->values[t->n_values].round = t->values[x].round;
    }
    t->n_values++;
    t->n_steps++;
    return step;
}

static uint32_t out_of(const rg_step *step)
{
    return step ? step->out : 0;
}

/* A row for every node, whatever its colour. */
static uint32_t each(rg_tape *t, uint32_t x)
{
    if (t->failed || t->values[x].graphs || t->values[x].round == RG_EACH)
        return x;
    rg_step *step = step_new(t, RG_STEP_ADD, x, rg_tape_width(t, x));
    if (step)
        t->values[step->out].round = RG_EACH;
    return out_of(step);
}

/* n parameters with their start values. */
static size_t params_new(rg_tape *t, size_t n, const rg_tape_start *like)
{
    size_t at = t->n_params;
    if (t->failed || !rg_grow(&t->starts, &t->room_starts, t->n_starts + 1, sizeof *t->starts)) {
        t->failed = true;
        return 0;
    }
    rg_tape_start *start = &t->starts[t->n_starts++];
    *start = *like;
    start->at = at;
    start->n = n;
    t->n_params += n;
    return at;
}

/* Weights from n_in to n_out channels, and their bias. */
static void linear_params(rg_tape *t, rg_step *step, size_t n_in, size_t n_out, bool bias)
{
    rg_tape_start start = {
        .start = {.n_possible = (double)n_in, .fan_in = (double)n_in, .fan_out = (double)n_out}};
    if (!step)
        return;
    step->weights = params_new(t, n_in * n_out, &start);
    start.bias = true;
    if (bias)
        step->bias = params_new(t, n_out, &start);
}

/* ---- steps */

uint32_t rg_tape_input(rg_tape *t)
{
    return out_of(step_new(t, RG_STEP_INPUT, NO_INPUT, t->features->width));
}

uint32_t rg_tape_embed(rg_tape *t, uint32_t width, bool bias)
{
    rg_step *step = step_new(t, RG_STEP_EMBED, NO_INPUT, width);
    linear_params(t, step, t->features->width, width, bias);
    return out_of(step);
}

uint32_t rg_tape_linear(rg_tape *t, uint32_t x, uint32_t width, bool bias, uint32_t groups)
{
    uint32_t n_in = rg_tape_width(t, x) / groups;
    rg_step *step = step_new(t, RG_STEP_LINEAR, x, width * groups);
    linear_params(t, step, n_in, width, bias);
    if (step)
        step->groups = groups;
    return out_of(step);
}

uint32_t rg_tape_linear_again(rg_tape *t, uint32_t x, uint32_t like)
{
    rg_step *step = step_new(t, RG_STEP_LINEAR, x, rg_tape_width(t, like));
    if (step) {
        const rg_step *other = &t->steps[t->values[like].maker];
        step->weights = other->weights;
        step->bias = other->bias;
        step->groups = other->groups;
    }
    return out_of(step);
}

uint32_t rg_tape_bias(rg_tape *t, uint32_t x)
{
    uint32_t width = rg_tape_width(t, x);
    rg_step *step = step_new(t, RG_STEP_BIAS, x, width);
    rg_tape_start start = {.bias = true,
                           .start = {.n_possible = (double)width, .fan_in = (double)width}};
    if (step)
        step->bias = params_new(t, width, &start);
    return out_of(step);
}

uint32_t rg_tape_aggregate(rg_tape *t, uint32_t x, rg_gathering gathering, double eps, bool learned)
{
    bool last = !t->failed && t->values[x].round + 1 == RG_EACH;
    x = last ? each(t, x) : x;
    rg_step *step = step_new(t, RG_STEP_AGGREGATE, x, rg_tape_width(t, x));
    rg_tape_start zero = {.fixed = true, .value = eps};
    if (!step)
        return 0;
    if (t->values[x].round != RG_EACH)
        t->values[step->out].round++;
    step->gathering = gathering;
    step->self = learned ? 1 : 1 + eps;
    if (learned)
        step->weights = params_new(t, 1, &zero);
    return out_of(step);
}

uint32_t rg_tape_neighbours(rg_tape *t, uint32_t x, rg_gathering gathering)
{
    uint32_t out = rg_tape_aggregate(t, x, gathering, 0, false);
    if (!t->failed)
        t->steps[t->values[out].maker].self = 0;
    return out;
}

uint32_t rg_tape_norm(rg_tape *t, uint32_t x)
{
    size_t width = rg_tape_width(t, x);
    rg_step *step = step_new(t, RG_STEP_NORM, x, (uint32_t)width);
    rg_tape_start one = {.fixed = true, .value = 1}, zero = {.fixed = true};
    if (step) {
        step->weights = params_new(t, width, &one);
        step->bias = params_new(t, width, &zero);
        step->state = t->n_state;
        t->n_state += 2 * width;
    }
    return out_of(step);
}

uint32_t rg_tape_relu(rg_tape *t, uint32_t x)
{
    return out_of(step_new(t, RG_STEP_RELU, x, rg_tape_width(t, x)));
}

uint32_t rg_tape_tanh(rg_tape *t, uint32_t x)
{
    return out_of(step_new(t, RG_STEP_TANH, x, rg_tape_width(t, x)));
}

uint32_t rg_tape_dropout(rg_tape *t, uint32_t x, double p)
{
    if (p <= 0)
        return x;
    x = each(t, x); /* what is drawn tells nodes apart */
    rg_step *step = step_new(t, RG_STEP_DROPOUT, x, rg_tape_width(t, x));
    if (step)
        step->dropout = p;
    return out_of(step);
}

uint32_t rg_tape_pool(rg_tape *t, uint32_t x, rg_pooling pooling)
{
    rg_step *step = step_new(t, RG_STEP_POOL, x, rg_tape_width(t, x));
    if (step) {
        step->pooling = pooling;
        t->values[step->out].graphs = true;
    }
    return out_of(step);
}

static uint32_t many(rg_tape *t, rg_step_kind kind, const uint32_t *xs, uint32_t n, uint32_t width)
{
    if (n == 1)
        return xs[0];
    rg_step *step = step_new(t, kind, xs[0], width);
    for (uint32_t k = 1; step && k < n; k++) {
        rg_value *out = &t->values[step->out];
        step->ins[step->n_ins++] = xs[k];
        out->round = t->values[xs[k]].round > out->round ? t->values[xs[k]].round : out->round;
    }
    return out_of(step);
}

uint32_t rg_tape_join(rg_tape *t, const uint32_t *xs, uint32_t n)
{
    uint32_t width = 0;
    for (uint32_t k = 0; k < n; k++)
        width += rg_tape_width(t, xs[k]);
    return many(t, RG_STEP_JOIN, xs, n, width);
}

uint32_t rg_tape_sum(rg_tape *t, const uint32_t *xs, uint32_t n)
{
    return many(t, RG_STEP_ADD, xs, n, rg_tape_width(t, xs[0]));
}

uint32_t rg_tape_rule_layer(rg_tape *t, uint32_t x, const rg_tape_rule *rule, bool full,
                            uint32_t width)
{
    uint32_t n_in = rg_tape_width(t, x), n_out = full ? width : n_in;
    x = each(t, x); /* rules see more of a graph than neighbours do */
    rg_step *step = step_new(t, RG_STEP_RULE, x, n_out);
    size_t per_key = full ? (size_t)n_in * n_out : n_out;
    double seen = full ? rule->fan * n_in : rule->fan;
    /* A rule's own start, s = 1 / sqrt(possible weights), would be next to nothing behind layers
     * that start by the number of their inputs; so it starts as they do. */
    rg_tape_start start = {.start = {.n_possible = seen, .fan_in = seen, .fan_out = seen}};
    if (!step)
        return 0;
    step->rule = rule;
    step->full = full;
    step->weights = params_new(t, rule->n_weights * per_key, &start);
    start.bias = true;
    if (rule->bias)
        step->bias = params_new(t, rule->n_biases * n_out, &start);
    return out_of(step);
}

/* ---- a graph as a sequence of rows */

uint32_t rg_tape_sort_channels(rg_tape *t, uint32_t x)
{
    return out_of(step_new(t, RG_STEP_SORT_CHANNELS, x, rg_tape_width(t, x)));
}

uint32_t rg_tape_sort_pool(rg_tape *t, uint32_t x, uint32_t size)
{
    rg_step *step = step_new(t, RG_STEP_SORT_POOL, x, rg_tape_width(t, x) * size);
    if (step) {
        step->size = size;
        t->values[step->out].graphs = true;
    }
    return out_of(step);
}

/* Windows of `size` rows of `channels` channels over value x. */
static rg_sequences sequences_of(const rg_tape *t, uint32_t x, uint32_t channels, uint32_t out,
                                 uint32_t size, uint32_t stride)
{
    return (rg_sequences){.rows = rg_tape_width(t, x) / channels,
                          .in = channels,
                          .out = out,
                          .size = size,
                          .stride = stride};
}

uint32_t rg_tape_conv1d(rg_tape *t, uint32_t x, uint32_t channels, uint32_t size, uint32_t width)
{
    rg_sequences shape = sequences_of(t, x, channels, width, size, 1);
    rg_step *step = step_new(t, RG_STEP_CONV1D, x, rg_windows(&shape) * width);
    linear_params(t, step, (size_t)size * channels, width, true);
    if (step)
        step->shape = shape;
    return out_of(step);
}

uint32_t rg_tape_max_pool(rg_tape *t, uint32_t x, uint32_t channels)
{
    rg_sequences shape = sequences_of(t, x, channels, channels, 2, 2);
    rg_step *step = step_new(t, RG_STEP_MAX_POOL, x, rg_windows(&shape) * channels);
    if (step)
        step->shape = shape;
    return out_of(step);
}

/* ---- the end of building */

rg_status rg_tape_seal(rg_tape *t, rg_error *err)
{
    if (t->failed)
        return rg_fail_memory(err, "the steps of a network");
    for (size_t v = 0; v < t->n_values; v++) {
        uint32_t round = t->values[v].round;
        if (round == RG_EACH)
            t->each |= !t->values[v].graphs;
        else if (round >= t->n_rounds)
            t->n_rounds = round + 1;
    }
    for (size_t k = 0; k < t->n_steps; k++) {
        rg_step *step = &t->steps[k];
        bool learned = step->weights != RG_NOWHERE || step->bias != RG_NOWHERE;
        for (uint32_t n = 0; n < step->n_ins; n++) {
            learned |= t->values[step->ins[n]].learned;
            t->values[step->ins[n]].readers++;
        }
        t->values[step->out].learned = learned;
    }
    /* The last reader of a value is the first on the way back: it writes, all others add. */
    for (size_t v = 0; v < t->n_values; v++) {
        bool filled = false;
        for (size_t k = t->n_steps; k-- > 0;)
            for (uint32_t n = t->steps[k].n_ins; n-- > 0;)
                if (t->steps[k].ins[n] == v) {
                    t->steps[k].add[n] = filled;
                    filled = true;
                }
    }
    return RG_OK;
}

void rg_tape_start_values(void *w, const rg_tape *t, rg_start_kind kind, const rg_kernels *kernels,
                          uint64_t seed, uint64_t stream)
{
    for (size_t k = 0; k < t->n_starts; k++) {
        const rg_tape_start *piece = &t->starts[k];
        rg_start start = piece->start;
        start.kind = piece->bias && kind == RG_START_GLOROT ? RG_START_ZERO : kind;
        if (!piece->fixed)
            rg_start_fill((char *)w + piece->at * kernels->real_size, piece->n, &start, kernels,
                          &seed, stream, piece->at);
        for (size_t n = 0; piece->fixed && n < piece->n; n++)
            rg_real_put(kernels->precision, w, piece->at + n, piece->value);
    }
    for (size_t k = 0; k < t->n_steps; k++) {
        const rg_step *step = &t->steps[k];
        size_t width = t->values[step->out].width, at = t->n_params + step->state;
        for (size_t n = 0; step->kind == RG_STEP_NORM && n < 2 * width; n++)
            rg_real_put(kernels->precision, w, at + n, n < width ? 0 : 1);
    }
}
