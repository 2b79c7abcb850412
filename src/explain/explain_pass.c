/* explain_pass.c - one sample through a network in double, and from an output back to every number.
 *
 * Forward is what network/pass.c does, but that sums before activations are kept. Back are the
 * formulas of explain.h: those of a gradient, with f(y) / y where a gradient has f'(y), so the
 * kernels for gradients of linear layers do the work. */
#include "explainer.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

uint32_t rg_explain_pass_rows_in(const rg_explain_pass *t, size_t k)
{
    uint32_t fixed = t->net->layers[k].rows_in;
    return fixed ? fixed : t->n_rows;
}

uint32_t rg_explain_pass_rows_out(const rg_explain_pass *t, size_t k)
{
    uint32_t fixed = t->net->layers[k].rows_out;
    return fixed ? fixed : t->n_rows;
}

static size_t n_in(const rg_explain_pass *t, size_t k)
{
    return (size_t)rg_explain_pass_rows_in(t, k) * t->net->layers[k].n_in;
}

static size_t n_out(const rg_explain_pass *t, size_t k)
{
    return (size_t)rg_explain_pass_rows_out(t, k) * t->net->layers[k].n_out;
}

size_t rg_explain_pass_n_z(const rg_explain_pass *t)
{
    return n_out(t, t->last);
}

/* ---- making room */

enum { PIECES = 6 };

/* Numbers of each array of layer k, in the order signal, sum, gain, stat, by_signal, by_sum. */
static void sizes(size_t out[PIECES], const rg_explain_pass *t, size_t k)
{
    const rg_net_layer *layer = &t->net->layers[k];
    size_t in = n_in(t, k), to = n_out(t, k);
    bool active = layer->activation != RG_IDENTITY;
    const size_t all[PIECES] = {
        in,
        to,
        active ? to : 0,
        layer->kind == RG_LAYER_NORM ? 2 * (size_t)rg_explain_pass_rows_in(t, k) : 0,
        in,
        to};
    memcpy(out, all, sizeof all);
}

static rg_status make_room(rg_explain_pass *t, rg_error *err)
{
    rg_carve layout = {0};
    size_t n[PIECES], widest = 1, n_layers = t->net->n_layers, end = n_out(t, n_layers - 1);
    size_t at[RG_SPEC_LAYERS_MAX][PIECES];
    for (size_t k = 0; k < n_layers; k++) {
        sizes(n, t, k);
        for (size_t p = 0; p < PIECES; p++)
            at[k][p] = rg_carve_add(&layout, n[p], sizeof(double));
        widest = t->net->layers[k].rows_out > widest ? t->net->layers[k].rows_out : widest;
    }
    size_t last = rg_carve_add(&layout, end, sizeof(double));
    size_t by_last = rg_carve_add(&layout, end, sizeof(double));
    size_t identity = rg_carve_add(&layout, widest, sizeof *t->identity);
    char *block = rg_carve_alloc(&layout);
    if (!block)
        return rg_fail_memory(err, "the signals of a network");
    t->block = block;
    for (size_t k = 0; k < n_layers; k++) {
        double **const arrays[PIECES] = {&t->signal[k], &t->sum[k],       &t->gain[k],
                                         &t->stat[k],   &t->by_signal[k], &t->by_sum[k]};
        sizes(n, t, k);
        for (size_t p = 0; p < PIECES; p++)
            *arrays[p] = n[p] ? (double *)(void *)(block + at[k][p]) : NULL;
    }
    t->signal[n_layers] = (double *)(void *)(block + last);
    t->by_signal[n_layers] = (double *)(void *)(block + by_last);
    t->identity = (uint32_t *)(void *)(block + identity);
    for (uint32_t k = 0; k < widest; k++)
        t->identity[k] = k;
    return RG_OK;
}

rg_status rg_explain_pass_new(rg_explain_pass **out, const rg_network *net, const double *w,
                              uint32_t most_rows, rg_error *err)
{
    rg_explain_pass *t = rg_alloc_zero(1, sizeof *t);
    if (!t)
        return rg_fail_memory(err, "the signals of a network");
    t->net = net;
    t->w = w;
    t->kernels = rg_kernels_get(RG_DOUBLE, 1, RG_CPU_AUTO);
    t->last = rg_spec_last(net->spec);
    t->n_rows = most_rows ? most_rows : 1;
    rg_status status = make_room(t, err);
    if (status)
        rg_explain_pass_free(t);
    else
        *out = t;
    return status;
}

void rg_explain_pass_free(rg_explain_pass *t)
{
    if (!t)
        return;
    rg_free(t->block);
    rg_free(t);
}

/* ---- forward */

static void open_rule(const rg_explain_pass *t, size_t k, size_t r, rg_links *links,
                      rg_channels *channels)
{
    const rg_net_layer *layer = &t->net->layers[k];
    bool mean = layer->mean && t->sample.n_nodes;
    rg_block_links(links, t->sample.block, k, r, t->sample.place);
    *channels = (rg_channels){.n_in = layer->n_in,
                              .n_out = layer->n_out,
                              .full = layer->full,
                              .add = r > 0,
                              .scale = mean ? 1.0 / t->sample.n_nodes : 1.0};
    if (r == 0 && layer->bias.n_params)
        links->bias_id = layer->kind == RG_LAYER_AGGREGATE
                             ? t->identity
                             : rg_block_bias(t->sample.block, k, t->sample.place);
}

static void forward_linear(rg_explain_pass *t, size_t k)
{
    const rg_net_layer *layer = &t->net->layers[k];
    const rg_kernels *kernels = t->kernels;
    const double *w = t->w, *bias = layer->bias.n_params ? w + layer->bias.at : NULL;
    rg_links links;
    rg_channels channels;
    switch (layer->kind) {
    case RG_LAYER_RULE:
    case RG_LAYER_AGGREGATE:
        for (size_t r = 0; r < layer->n_rules; r++) {
            open_rule(t, k, r, &links, &channels);
            kernels->rule_forward(t->sum[k], &links, &channels, w + layer->rules[r].at, bias,
                                  t->signal[k]);
        }
        break;
    case RG_LAYER_DENSE:
        kernels->dense_forward(t->sum[k], rg_explain_pass_rows_in(t, k), layer->n_in, layer->n_out,
                               w + layer->weights, bias, t->signal[k]);
        break;
    case RG_LAYER_NORM:
        kernels->norm_forward(t->sum[k], t->stat[k], rg_explain_pass_rows_in(t, k), layer->n_in,
                              w + layer->weights, w + layer->weights + layer->n_in, t->signal[k]);
        break;
    case RG_LAYER_DROPOUT:
    case RG_LAYER_ACTIVATION:
        memcpy(t->sum[k], t->signal[k], n_out(t, k) * sizeof(double));
        break;
    }
}

/* The derivative of an activation at 0. */
static double gradient_at_zero(rg_activation activation)
{
    return activation == RG_RELU || activation == RG_LEAKY_RELU || activation == RG_GELU ? 0.5 : 1;
}

static void forward_activation(rg_explain_pass *t, size_t k)
{
    const rg_net_layer *layer = &t->net->layers[k];
    size_t n = n_out(t, k);
    double *y = t->signal[k + 1];
    if (layer->activation == RG_IDENTITY) {
        memcpy(y, t->sum[k], n * sizeof *y);
    } else {
        t->kernels->activation_forward(y, layer->activation, n, t->sum[k]);
        for (size_t i = 0; i < n; i++)
            t->gain[k][i] =
                t->sum[k][i] == 0 ? gradient_at_zero(layer->activation) : y[i] / t->sum[k][i];
    }
    if (layer->residual)
        t->kernels->add(y, n, t->signal[k]);
}

void rg_explain_pass_forward(rg_explain_pass *t, const rg_sample *sample)
{
    t->sample = *sample;
    t->n_rows = sample->n_rows;
    if (sample->input && n_in(t, 0))
        memcpy(t->signal[0], sample->input, n_in(t, 0) * sizeof(double));
    for (size_t k = 0; k < t->net->n_layers; k++) {
        if (n_out(t, k) == 0) /* nodes of a graph without any */
            continue;
        forward_linear(t, k);
        forward_activation(t, k);
    }
}

/* ---- and back */

/* The norm as a linear function with the deviation that it has:
 *   y[c] = r gain[c] (x[c] - mean) + shift[c],  m(x[c]) = r (gain[c] m(y[c]) - mean of the same) */
static void back_norm(rg_explain_pass *t, size_t k, double *g)
{
    const rg_net_layer *layer = &t->net->layers[k];
    uint32_t width = layer->n_in;
    const double *gain = t->w + layer->weights;
    for (size_t i = 0; i < rg_explain_pass_rows_in(t, k); i++) {
        const double *by = t->by_sum[k] + i * width;
        double mean = 0, *to = t->by_signal[k] + i * width;
        for (uint32_t c = 0; c < width; c++) {
            mean += gain[c] * by[c] / width;
            g[layer->weights + width + c] += by[c];
        }
        for (uint32_t c = 0; c < width; c++)
            to[c] += t->stat[k][2 * i + 1] * (gain[c] * by[c] - mean);
    }
}

static void back_linear(rg_explain_pass *t, size_t k, double *g)
{
    const rg_net_layer *layer = &t->net->layers[k];
    double *bias = layer->bias.n_params ? g + layer->bias.at : NULL;
    rg_links links;
    rg_channels channels;
    switch (layer->kind) {
    case RG_LAYER_RULE:
    case RG_LAYER_AGGREGATE:
        for (size_t r = 0; r < layer->n_rules; r++) {
            open_rule(t, k, r, &links, &channels);
            t->kernels->rule_backward(g + layer->rules[r].at, bias, t->by_signal[k], &links,
                                      &channels, t->w + layer->rules[r].at, t->signal[k],
                                      t->by_sum[k]);
        }
        break;
    case RG_LAYER_DENSE:
        t->kernels->dense_backward(g + layer->weights, bias, t->by_signal[k],
                                   rg_explain_pass_rows_in(t, k), layer->n_in, layer->n_out,
                                   t->w + layer->weights, t->signal[k], t->by_sum[k]);
        break;
    case RG_LAYER_NORM:
        back_norm(t, k, g);
        break;
    case RG_LAYER_DROPOUT:
    case RG_LAYER_ACTIVATION:
        t->kernels->add(t->by_signal[k], n_out(t, k), t->by_sum[k]);
        break;
    }
}

void rg_explain_pass_seed(const rg_explain_pass *t, double *seed, uint32_t output, double share)
{
    size_t n = rg_explain_pass_n_z(t), width = t->net->n_outputs;
    if (t->net->task != RG_TASK_NODES) {
        seed[output] += share;
        return;
    }
    for (size_t k = output; k < n; k += width)
        seed[k] += share / t->n_rows;
}

void rg_explain_pass_back(rg_explain_pass *t, const double *seed, double *g)
{
    size_t last = t->last;
    for (size_t k = last + 1; k-- > 0;) {
        size_t n = n_out(t, k);
        if (k == last)
            memcpy(t->by_sum[k], seed, n * sizeof *seed);
        else
            for (size_t i = 0; i < n; i++)
                t->by_sum[k][i] = t->by_signal[k + 1][i] * (t->gain[k] ? t->gain[k][i] : 1);
        if (t->net->layers[k].residual && k < last)
            memcpy(t->by_signal[k], t->by_signal[k + 1], n_in(t, k) * sizeof *seed);
        else
            memset(t->by_signal[k], 0, n_in(t, k) * sizeof *seed);
        if (n)
            back_linear(t, k, g);
    }
}
