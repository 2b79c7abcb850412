/* norm.c - layer norm over the channels of every row, and batch norm over the rows of a batch. */
#include "batch/norm.h"
#include "pass.h"

#include <string.h>

enum { KIND = 0, LAYER = 0, BATCH = 1 };

static void shape_norm(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    (void)plan;
    layer->n_out = out->channels;
    layer->weight_rows = 2; /* gains, shifts */
    layer->weight_cols = out->channels;
}

/* Gains begin as 1, shifts as 0. */
static bool begin(const rg_net_layer *layer, size_t weight, double *value)
{
    *value = weight < layer->n_in;
    return true;
}

/* ---- layer norm */

static size_t norm_rows(const rg_pass *p, size_t k)
{
    return rg_pass_rows(p, (uint32_t)k + 1);
}

static size_t kept_stat(const rg_pass *p, size_t k, size_t rows, size_t in)
{
    (void)k;
    (void)in;
    return 2 * rows * p->item; /* means and 1 / deviations */
}

static void forward_layer(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    p->kernels->norm_forward(
        y, rg_pass_kept(p, k), norm_rows(p, k), layer->n_in, rg_pass_param(p, layer->weights),
        rg_pass_param(p, layer->weights + layer->n_in), rg_pass_value(p, layer->ins[0]));
}

static void backward_layer(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    p->kernels->norm_backward(
        rg_pass_dparam(p, layer->weights), rg_pass_dparam(p, layer->weights + layer->n_in),
        rg_pass_dx_cleared(p, k, 0), norm_rows(p, k), layer->n_in, rg_pass_param(p, layer->weights),
        rg_pass_value(p, layer->ins[0]), rg_pass_kept(p, k), dy);
}

/* The norm as a linear function with the deviation that it has:
 *   y[c] = r gain[c] (x[c] - mean) + shift[c],  m(x[c]) = r (gain[c] m(y[c]) - mean of the same) */
static void share_layer(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t width = layer->n_in;
    const double *gain = rg_pass_param(p, layer->weights), *stat = rg_pass_kept(p, k);
    double *shift = rg_pass_dparam(p, layer->weights + width), *dx = rg_pass_dx_cleared(p, k, 0);
    for (size_t i = 0; i < norm_rows(p, k); i++) {
        const double *by = (const double *)dy + i * width;
        double mean = 0, *to = dx + i * width;
        for (uint32_t c = 0; c < width; c++) {
            mean += gain[c] * by[c] / width;
            shift[c] += by[c];
        }
        for (uint32_t c = 0; c < width; c++)
            to[c] += stat[2 * i + 1] * (gain[c] * by[c] - mean);
    }
}

static double constant_layer(const rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    const double *shift = rg_pass_param(p, layer->weights + layer->n_in);
    const double *by = rg_pass_dparam(p, layer->weights + layer->n_in);
    double sum = 0;
    (void)dy;
    for (uint32_t c = 0; c < layer->n_in; c++)
        sum += shift[c] * by[c];
    return sum;
}

/* ---- batch norm: f((x - mean) scale gain + shift), with ReLU in the same loop */

static void shape_batch(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    shape_norm(plan, layer, out);
    layer->n_state = 2 * (size_t)out->channels; /* running means and variances */
}

static double begin_state(const rg_net_layer *layer, size_t number)
{
    return number < layer->n_in ? 0 : 1;
}

static uint32_t expand_norm(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x)
{
    bool batch = spec->own[KIND] == BATCH;
    return rg_plan_shape(plan,
                         rg_plan_add(plan, batch ? &rg_layer_batch_norm : &rg_layer_norm, x, spec));
}

static size_t kept_batch(const rg_pass *p, size_t k, size_t rows, size_t in)
{
    (void)rows;
    (void)in;
    return 2 * p->values[k + 1].channels * p->item; /* mean and scale */
}

static bool is_relu(const rg_pass *p, size_t k)
{
    return !p->shares && p->layers[k].activation == RG_RELU;
}

/* How many nodes each row of a value stands for; NULL: one. */
static const uint32_t *counts(const rg_pass *p, uint32_t v)
{
    return p->values[v].rows ? NULL : rg_pass_nodes(p, v)->count;
}

/* sums: [0] sums and then squared distances, [1] on the way back sums with xhat, then N. */
static size_t n_sums(const rg_net_layer *layer)
{
    return 2 * (size_t)layer->n_in + 1;
}

static void phase(rg_pass *p, size_t k, uint32_t number)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t out = (uint32_t)k + 1, width = layer->n_in;
    const void *x = rg_pass_value(p, layer->ins[0]);
    void *mean = rg_pass_kept(p, k);
    if (number == 0) {
        memset(p->sums, 0, n_sums(layer) * sizeof *p->sums);
        p->loops->norm_sums(p->sums, norm_rows(p, k), counts(p, out), width, x);
        p->sums[2 * width] = rg_norm_total(counts(p, out), norm_rows(p, k));
        return;
    }
    rg_norm_mean(p->precision, mean, width, p->sums, p->sums[2 * width]);
    memset(p->sums, 0, n_sums(layer) * sizeof *p->sums);
    p->loops->norm_squares(p->sums, norm_rows(p, k), counts(p, out), width, mean, x);
    p->sums[2 * width] = rg_norm_total(counts(p, out), norm_rows(p, k));
}

static void forward_batch(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t width = layer->n_in;
    char *mean = rg_pass_kept(p, k), *scale = rg_pass_item(p, mean, width);
    void *running = rg_pass_item(p, p->w, layer->state);
    if (p->draws)
        rg_norm_scale(p->precision, scale, p->leads ? running : NULL, width, p->sums,
                      p->sums[2 * width], mean);
    else
        rg_norm_fixed(p->precision, mean, scale, width, running);
    p->loops->norm_apply(y, norm_rows(p, k), width, mean, scale, rg_pass_param(p, layer->weights),
                         rg_pass_param(p, layer->weights + width), rg_pass_value(p, layer->ins[0]),
                         is_relu(p, k));
}

static void back_phase(rg_pass *p, size_t k, uint32_t number, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t out = (uint32_t)k + 1, width = layer->n_in;
    char *mean = rg_pass_kept(p, k);
    (void)number;
    memset(p->sums, 0, n_sums(layer) * sizeof *p->sums);
    p->loops->norm_back_sums(p->sums, norm_rows(p, k), width, mean, rg_pass_item(p, mean, width),
                             rg_pass_value(p, layer->ins[0]), rg_pass_act(p, k), dy, is_relu(p, k));
    /* gradients of gains and shifts are the part's own sums */
    rg_norm_gradients(p->precision, rg_pass_dparam(p, layer->weights),
                      rg_pass_dparam(p, layer->weights + width), width, p->sums);
    p->sums[2 * width] = rg_norm_total(counts(p, out), norm_rows(p, k));
}

static void backward_batch(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t out = (uint32_t)k + 1, width = layer->n_in;
    char *mean = rg_pass_kept(p, k);
    void *dx = rg_pass_dx(p, k, 0);
    if (dx)
        p->loops->norm_back(dx, norm_rows(p, k), counts(p, out), width, p->draws ? p->sums : NULL,
                            p->sums[2 * width], rg_pass_param(p, layer->weights), mean,
                            rg_pass_item(p, mean, width), rg_pass_value(p, layer->ins[0]),
                            rg_pass_act(p, k), dy, is_relu(p, k), layer->add[0] && dx != dy);
}

/* Outside training it is a line for every channel. */
static void share_batch(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t width = layer->n_in;
    const double *gain = rg_pass_param(p, layer->weights), *by = dy;
    const double *scale = (const double *)rg_pass_kept(p, k) + width;
    double *dx = rg_pass_dx_cleared(p, k, 0);
    for (size_t i = 0; i < norm_rows(p, k) * width; i++)
        dx[i] += gain[i % width] * scale[i % width] * by[i];
}

static double constant_batch(const rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t width = layer->n_in;
    const double *gain = rg_pass_param(p, layer->weights), *shift = gain + width, *by = dy;
    const double *mean = rg_pass_kept(p, k), *scale = mean + width;
    double sum = 0;
    for (size_t i = 0; i < norm_rows(p, k) * width; i++) {
        size_t c = i % width;
        sum += by[i] * (shift[c] - gain[c] * scale[c] * mean[c]);
    }
    return sum;
}

static const char *const words[] = {"layer", "batch"};

const rg_layer_kind rg_layer_norm = {
    .name = "norm",
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_WORD, .words = words, .n_words = 2}},
    .plain = true,
    .scratch = true,
    .batched_if = BATCH,
    .expand = expand_norm,
    .shape = shape_norm,
    .begin = begin,
    .kept = kept_stat,
    .forward = forward_layer,
    .backward = backward_layer,
    .share = share_layer,
    .constant = constant_layer,
};

const rg_layer_kind rg_layer_batch_norm = {
    .name = "batch-norm",
    .inner = true,
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_WORD, .words = words, .n_words = 2, .usual = BATCH}},
    .plain = true,
    .batched = true,
    .in_place = true,
    .shape = shape_batch,
    .begin = begin,
    .begin_state = begin_state,
    .kept = kept_batch,
    .phases = 2,
    .back_phases = 1,
    .n_sums = n_sums,
    .phase = phase,
    .back_phase = back_phase,
    .forward = forward_batch,
    .backward = backward_batch,
    .share = share_batch,
    .fused = is_relu,
    .constant = constant_batch,
};
