/* pass.c - see pass.h.
 *
 * Signal k goes into layer k, signal n_layers is the output. A layer is its linear part, then its
 * activation, then perhaps the sum with its input:
 *   act[k] = f(linear(signal[k])),  signal[k+1] = act[k], or act[k] + signal[k] with a residual
 * Where the tables of the first layer hold equal rows once, it works on those rows and then hands
 * each node its own; on the way back the gradients of the nodes of a row are summed first. */
#include "pass.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

#define NOWHERE SIZE_MAX

struct rg_pass {
    const rg_network *net;
    const rg_kernels *kernels;
    size_t item;         /* bytes of one number of all lanes */
    size_t first_params; /* the first layer with parameters: nothing before it needs a gradient */
    uint32_t n_rows;     /* of the sample at hand */
    /* Places in the block; NOWHERE: not needed. */
    size_t signal[RG_SPEC_LAYERS_MAX + 1], gradient[RG_SPEC_LAYERS_MAX + 1];
    size_t act[RG_SPEC_LAYERS_MAX];  /* where signal[k+1] has a residual in it */
    size_t pre[RG_SPEC_LAYERS_MAX];  /* gelu: what went into the activation */
    size_t kept[RG_SPEC_LAYERS_MAX]; /* dropout: the mask; norm: means and deviations */
    size_t rows_act, rows_gradient;  /* of the first layer, by rows that differ */
    uint32_t *identity;              /* 0, 1, 2, ...: biases of aggregations */
    char *block;
};

static uint32_t rows_in(const rg_pass *p, size_t k)
{
    uint32_t fixed = p->net->layers[k].rows_in;
    return fixed ? fixed : p->n_rows;
}

static uint32_t rows_out(const rg_pass *p, size_t k)
{
    uint32_t fixed = p->net->layers[k].rows_out;
    return fixed ? fixed : p->n_rows;
}

static size_t n_in(const rg_pass *p, size_t k)
{
    return (size_t)rows_in(p, k) * p->net->layers[k].n_in;
}

static size_t n_out(const rg_pass *p, size_t k)
{
    return (size_t)rows_out(p, k) * p->net->layers[k].n_out;
}

static void *at(const rg_pass *p, size_t place)
{
    return place == NOWHERE ? NULL : p->block + place;
}

/* What the activation of layer k gave. */
static void *act_of(const rg_pass *p, size_t k)
{
    return at(p, p->act[k] == NOWHERE ? p->signal[k + 1] : p->act[k]);
}

/* ---- making room */

static size_t piece(rg_carve *carve, const rg_pass *p, size_t items, bool needed)
{
    return needed ? rg_carve_add(carve, items, p->item) : NOWHERE;
}

/* Places of everything, for the most rows; how many outputs aggregations have at most. */
static uint32_t plan(rg_pass *p, rg_carve *carve, bool backward)
{
    const rg_network *net = p->net;
    uint32_t widest = 1;
    for (size_t k = 0; k < net->n_layers; k++) {
        const rg_net_layer *layer = &net->layers[k];
        bool dropout = layer->kind == RG_LAYER_DROPOUT, norm = layer->kind == RG_LAYER_NORM;
        size_t in = n_in(p, k), out = n_out(p, k);
        p->signal[k] = piece(carve, p, in, !layer->fixed);
        /* The kernel of a norm always wants a gradient to add to. */
        p->gradient[k] = piece(carve, p, in, backward && (k > p->first_params || norm));
        p->act[k] = piece(carve, p, out, layer->residual);
        p->pre[k] = piece(carve, p, out, layer->activation == RG_GELU);
        p->kept[k] = piece(carve, p, norm ? 2 * (size_t)rows_in(p, k) : out, dropout || norm);
        if (layer->kind == RG_LAYER_AGGREGATE && layer->rows_out > widest)
            widest = layer->rows_out;
    }
    bool rows = net->layers[0].fixed && net->layers[0].kind == RG_LAYER_RULE;
    p->rows_act = piece(carve, p, n_out(p, 0), rows);
    p->rows_gradient = piece(carve, p, n_out(p, 0), rows && backward);
    size_t last = n_out(p, net->n_layers - 1);
    p->signal[net->n_layers] = piece(carve, p, last, true);
    p->gradient[net->n_layers] = piece(carve, p, last, backward);
    return widest;
}

rg_status rg_pass_new(rg_pass **out, const rg_network *net, const rg_kernels *kernels,
                      uint32_t most_rows, bool backward, rg_error *err)
{
    rg_carve carve = {0};
    rg_pass *p = rg_alloc_zero(1, sizeof *p);
    if (!p)
        return rg_fail_memory(err, "the signals of a network");
    p->net = net;
    p->kernels = kernels;
    p->item = kernels->real_size * kernels->lanes;
    p->n_rows = most_rows ? most_rows : 1;
    while (p->first_params < net->n_layers &&
           (net->layers[p->first_params].kind == RG_LAYER_DROPOUT ||
            net->layers[p->first_params].kind == RG_LAYER_ACTIVATION))
        p->first_params++;
    uint32_t widest = plan(p, &carve, backward);
    p->block = rg_carve_alloc(&carve);
    p->identity = rg_alloc(widest, sizeof *p->identity);
    if (!p->block || !p->identity) {
        rg_pass_free(p);
        return rg_fail_memory(err, "the signals of a network");
    }
    for (uint32_t k = 0; k < widest; k++)
        p->identity[k] = k;
    *out = p;
    return RG_OK;
}

void rg_pass_free(rg_pass *pass)
{
    if (!pass)
        return;
    rg_free(pass->block);
    rg_free(pass->identity);
    rg_free(pass);
}

/* ---- the linear part of a layer */

static const void *param(const rg_pass *p, const void *w, size_t place)
{
    return (const char *)w + place * p->item;
}

static void *weight_gradient(const rg_pass *p, void *g, size_t place)
{
    return (char *)g + place * p->item;
}

/* Rule r of layer k on the sample: its links, with the bias in those of the first rule. */
static void open_rule(const rg_pass *p, const rg_sample *sample, size_t k, size_t r,
                      rg_links *links, rg_channels *channels)
{
    const rg_net_layer *layer = &p->net->layers[k];
    bool mean = layer->mean && sample->n_nodes;
    rg_block_links(links, sample->block, k, r, sample->place);
    *channels = (rg_channels){.n_in = layer->n_in,
                              .n_out = layer->n_out,
                              .full = layer->full,
                              .add = r > 0,
                              .scale = mean ? 1.0 / sample->n_nodes : 1.0};
    if (r == 0 && layer->bias.n_params)
        links->bias_id = layer->kind == RG_LAYER_AGGREGATE
                             ? p->identity
                             : rg_block_bias(sample->block, k, sample->place);
}

/* What dropout draws for a number depends on its place in the data alone, not on when it is seen,
 * and no two numbers have the same draw. */
static uint64_t first_draw(const rg_pass *p, const rg_sample *sample, size_t k)
{
    const rg_net_layer *layer = &p->net->layers[k];
    uint64_t rows = layer->rows_in ? (uint64_t)sample->number * layer->rows_in : sample->first_row;
    return rows * layer->n_in;
}

static void forward_linear(rg_pass *p, const rg_sample *sample, size_t k, const void *w, void *y,
                           const rg_pass_draws *draws)
{
    const rg_net_layer *layer = &p->net->layers[k];
    const void *x = at(p, p->signal[k]);
    size_t n = n_out(p, k);
    rg_links links;
    rg_channels channels;
    switch (layer->kind) {
    case RG_LAYER_RULE:
    case RG_LAYER_AGGREGATE:
        for (size_t r = 0; r < layer->n_rules; r++) {
            open_rule(p, sample, k, r, &links, &channels);
            p->kernels->rule_forward(y, &links, &channels, param(p, w, layer->rules[r].at),
                                     param(p, w, layer->bias.at), x);
        }
        break;
    case RG_LAYER_DENSE:
        p->kernels->dense_forward(y, rows_in(p, k), layer->n_in, layer->n_out,
                                  param(p, w, layer->weights),
                                  layer->bias.n_params ? param(p, w, layer->bias.at) : NULL, x);
        break;
    case RG_LAYER_NORM:
        p->kernels->norm_forward(y, at(p, p->kept[k]), rows_in(p, k), layer->n_in,
                                 param(p, w, layer->weights),
                                 param(p, w, layer->weights + layer->n_in), x);
        break;
    case RG_LAYER_DROPOUT:
        if (draws && layer->dropout > 0) {
            p->kernels->dropout_forward(y, at(p, p->kept[k]), n, layer->dropout, draws->seed,
                                        draws->stream + k, first_draw(p, sample, k), x);
            break;
        }
        memcpy(y, x, n * p->item);
        break;
    case RG_LAYER_ACTIVATION:
        memcpy(y, x, n * p->item);
        break;
    }
}

/* dx: NULL, or cleared, or what a residual left there. dy: by the linear part's output. */
static void backward_linear(rg_pass *p, const rg_sample *sample, size_t k, const void *w, void *g,
                            void *dx, const void *dy)
{
    const rg_net_layer *layer = &p->net->layers[k];
    const void *x = at(p, p->signal[k]);
    rg_links links;
    rg_channels channels;
    void *bias = layer->bias.n_params ? weight_gradient(p, g, layer->bias.at) : NULL;
    switch (layer->kind) {
    case RG_LAYER_RULE:
    case RG_LAYER_AGGREGATE:
        for (size_t r = 0; r < layer->n_rules; r++) {
            open_rule(p, sample, k, r, &links, &channels);
            p->kernels->rule_backward(weight_gradient(p, g, layer->rules[r].at), bias, dx, &links,
                                      &channels, param(p, w, layer->rules[r].at), x, dy);
        }
        break;
    case RG_LAYER_DENSE:
        p->kernels->dense_backward(weight_gradient(p, g, layer->weights), bias, dx, rows_in(p, k),
                                   layer->n_in, layer->n_out, param(p, w, layer->weights), x, dy);
        break;
    case RG_LAYER_NORM:
        p->kernels->norm_backward(weight_gradient(p, g, layer->weights),
                                  weight_gradient(p, g, layer->weights + layer->n_in), dx,
                                  rows_in(p, k), layer->n_in, param(p, w, layer->weights), x,
                                  at(p, p->kept[k]), dy);
        break;
    case RG_LAYER_DROPOUT:
        if (dx && layer->dropout > 0)
            p->kernels->multiply(dx, n_out(p, k), dy, at(p, p->kept[k]));
        else if (dx)
            memcpy(dx, dy, n_out(p, k) * p->item);
        break;
    case RG_LAYER_ACTIVATION:
        if (dx)
            memcpy(dx, dy, n_out(p, k) * p->item);
        break;
    }
}

/* ---- a first layer whose equal rows are kept once */

/* to[i] = from[same[i]], `width` bytes each. */
static void hand_out(char *to, const char *from, const uint32_t *same, size_t n, size_t width)
{
    for (size_t i = 0; i < n; i++)
        memcpy(to + i * width, from + same[i] * width, width);
}

/* to[same[i]] += from[i], n_items numbers each, in the order of i. */
static void sum_up(const rg_pass *p, char *to, const char *from, const uint32_t *same, size_t n,
                   size_t n_items)
{
    size_t lanes = p->kernels->lanes * n_items;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lanes; k++)
            if (p->kernels->precision == RG_FLOAT)
                ((float *)(void *)to)[same[i] * lanes + k] +=
                    ((const float *)(const void *)from)[i * lanes + k];
            else
                ((double *)(void *)to)[same[i] * lanes + k] +=
                    ((const double *)(const void *)from)[i * lanes + k];
}

static void forward_rows(rg_pass *p, const rg_sample *sample, const void *w, const uint32_t *same)
{
    const rg_net_layer *layer = &p->net->layers[0];
    void *act = at(p, p->rows_act), *pre = p->pre[0] == NOWHERE ? act : at(p, p->pre[0]);
    rg_links links;
    rg_channels channels;
    open_rule(p, sample, 0, 0, &links, &channels);
    p->kernels->rule_forward(pre, &links, &channels, param(p, w, layer->rules[0].at),
                             param(p, w, layer->bias.at), NULL);
    if (layer->activation != RG_IDENTITY)
        p->kernels->activation_forward(act, layer->activation, (size_t)links.n_rows * layer->n_out,
                                       pre);
    hand_out(at(p, p->signal[1]), act, same, sample->n_rows, layer->n_out * p->item);
}

static void backward_rows(rg_pass *p, const rg_sample *sample, const void *w, void *g,
                          const uint32_t *same)
{
    const rg_net_layer *layer = &p->net->layers[0];
    void *gradient = at(p, p->rows_gradient);
    rg_links links;
    rg_channels channels;
    open_rule(p, sample, 0, 0, &links, &channels);
    size_t n = (size_t)links.n_rows * layer->n_out;
    memset(gradient, 0, n * p->item);
    sum_up(p, gradient, at(p, p->gradient[1]), same, sample->n_rows, layer->n_out);
    if (layer->activation != RG_IDENTITY)
        p->kernels->activation_backward(gradient, layer->activation, n, at(p, p->pre[0]),
                                        at(p, p->rows_act), gradient);
    p->kernels->rule_backward(weight_gradient(p, g, layer->rules[0].at),
                              layer->bias.n_params ? weight_gradient(p, g, layer->bias.at) : NULL,
                              NULL, &links, &channels, param(p, w, layer->rules[0].at), NULL,
                              gradient);
}

/* ---- the pass */

/* The input of a sample for all lanes. */
static void spread(rg_pass *p, const void *input)
{
    size_t n = n_in(p, 0), lanes = p->kernels->lanes;
    void *x = at(p, p->signal[0]);
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < lanes; l++)
            if (p->kernels->precision == RG_FLOAT)
                ((float *)x)[k * lanes + l] = ((const float *)input)[k];
            else
                ((double *)x)[k * lanes + l] = ((const double *)input)[k];
}

const void *rg_pass_forward(rg_pass *p, const rg_sample *sample, const void *w,
                            const rg_pass_draws *draws)
{
    p->n_rows = sample->n_rows;
    if (p->signal[0] != NOWHERE)
        spread(p, sample->input);
    const uint32_t *same = rg_block_same(sample->block, 0, sample->place);
    if (same)
        forward_rows(p, sample, w, same);
    for (size_t k = same ? 1 : 0; k < p->net->n_layers; k++) {
        const rg_net_layer *layer = &p->net->layers[k];
        void *act = act_of(p, k), *pre = p->pre[k] == NOWHERE ? act : at(p, p->pre[k]);
        size_t n = n_out(p, k);
        forward_linear(p, sample, k, w, pre, draws);
        if (layer->activation != RG_IDENTITY)
            p->kernels->activation_forward(act, layer->activation, n, pre);
        if (layer->residual) {
            memcpy(at(p, p->signal[k + 1]), act, n * p->item);
            p->kernels->add(at(p, p->signal[k + 1]), n, at(p, p->signal[k]));
        }
    }
    return at(p, p->signal[p->net->n_layers]);
}

void *rg_pass_gradient(rg_pass *p)
{
    return at(p, p->gradient[p->net->n_layers]);
}

void rg_pass_backward(rg_pass *p, const rg_sample *sample, const void *w, void *g)
{
    const uint32_t *same = rg_block_same(sample->block, 0, sample->place);
    for (size_t k = p->net->n_layers; k-- > (same ? 1 : p->first_params);) {
        const rg_net_layer *layer = &p->net->layers[k];
        void *dx = at(p, p->gradient[k]), *dy = at(p, p->gradient[k + 1]);
        if (dx && layer->residual)
            memcpy(dx, dy, n_in(p, k) * p->item);
        else if (dx)
            memset(dx, 0, n_in(p, k) * p->item);
        if (layer->activation != RG_IDENTITY)
            p->kernels->activation_backward(dy, layer->activation, n_out(p, k), at(p, p->pre[k]),
                                            act_of(p, k), dy);
        backward_linear(p, sample, k, w, g, dx, dy);
    }
    if (same)
        backward_rows(p, sample, w, g, same);
}

const void *rg_pass_signal(const rg_pass *p, size_t layer, uint32_t *rows, uint32_t *channels)
{
    bool output = layer == p->net->n_layers;
    *rows = output ? rows_out(p, layer - 1) : rows_in(p, layer);
    *channels = output ? p->net->layers[layer - 1].n_out : p->net->layers[layer].n_in;
    return at(p, p->signal[layer]);
}
