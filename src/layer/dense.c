/* dense.c - dense layers on the channels of every row, embeddings of the input, and biases alone.
 *
 *   dense  y[r][o] = b[o] + sum over c of w[c][o] x[r][c]
 *   bias   y[r][o] = x[r][o] + b[o]
 * Behind a shape or a sequence of rows a dense layer sees all of a sample at once. On the input of a
 * network on batches no matrix is made of what is one-hot: weights are chosen by their rows. */
#include "sparse.h"

#include <string.h>

enum { BIAS = 0 };

/* ---- shapes */

static void shape_dense(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    if (out->shape.rows || out->rows > 1) {
        if ((uint64_t)out->rows * out->channels > UINT32_MAX / 2)
            rg_plan_complain(plan, "too many input values");
        out->channels *= out->rows;
        out->rows = 1;
        out->shape.rows = 0;
        layer->rows_in = 1;
        layer->n_in = out->channels;
    }
    layer->n_out = rg_plan_width(plan, layer->n_out);
    layer->rows_out = out->rows;
    layer->weight_rows = layer->n_in;
    layer->weight_cols = layer->n_out;
    layer->n_bias = layer->own[BIAS] != 0 ? layer->n_out : 0;
    out->channels = layer->n_out;
}

/* Without bias and activation, on the input of the network alone. */
static uint32_t expand_embed(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x)
{
    if (x != 0)
        rg_plan_complain(plan, "an embed layer takes the input of the network, and others come "
                               "before it");
    rg_net_layer *layer = rg_plan_add(plan, &rg_layer_dense, x, NULL);
    if (layer) {
        layer->n_out = spec->width;
        layer->own[BIAS] = 0;
    }
    return rg_plan_shape(plan, layer);
}

static rg_start start(const rg_net_layer *layer)
{
    return (rg_start){.n_possible = (double)layer->n_in * layer->n_out,
                      .fan_in = layer->n_in,
                      .fan_out = layer->n_out};
}

/* ---- one sample at a time, all lanes */

static size_t dense_rows(const rg_pass *p, size_t k)
{
    return rg_pass_rows(p, (uint32_t)k + 1);
}

static void forward_lanes(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    p->kernels->dense_forward(y, dense_rows(p, k), layer->n_in, layer->n_out,
                              rg_pass_param(p, layer->weights), rg_pass_bias(p, k),
                              rg_pass_value(p, layer->ins[0]));
}

static void backward_lanes(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    p->kernels->dense_backward(rg_pass_dparam(p, layer->weights), rg_pass_dbias(p, k),
                               rg_pass_dx_cleared(p, k, 0), dense_rows(p, k), layer->n_in,
                               layer->n_out, rg_pass_param(p, layer->weights),
                               rg_pass_value(p, layer->ins[0]), dy);
}

/* ---- batches: the features of the input */

static bool is_first(const rg_pass *p, size_t k)
{
    return p->layers[k].ins[0] == 0 && p->features && !p->shares;
}

static void forward_features(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_features *f = p->features;
    size_t n = dense_rows(p, k), width = layer->n_out;
    const char *w = rg_pass_param(p, layer->weights);
    p->loops->choose(y, n, f->n_hot, (uint32_t)width, p->hot, w);
    for (size_t b = 0; b < f->n_bands; b++) {
        const rg_band *band = &f->bands[b];
        rg_product shape = {.m = n,
                            .n = width,
                            .k = band->n,
                            .ar = f->n_dense,
                            .at = 1,
                            .bt = width,
                            .bc = 1,
                            .add = true};
        p->loops->product(y, &shape, rg_pass_item(p, p->numbers, band->from),
                          rg_pass_item(p, w, band->channel * width));
    }
    if (layer->bias.n_params)
        p->loops->add_bias(y, n, (uint32_t)width, rg_pass_bias(p, k));
}

static void backward_features(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_features *f = p->features;
    size_t n = dense_rows(p, k), width = layer->n_out;
    char *dw = rg_pass_dparam(p, layer->weights);
    p->loops->choose_back(dw, n, f->n_hot, (uint32_t)width, p->hot, dy);
    for (size_t b = 0; b < f->n_bands; b++) {
        const rg_band *band = &f->bands[b];
        rg_product shape = {.m = band->n,
                            .n = width,
                            .k = n,
                            .ar = 1,
                            .at = f->n_dense,
                            .bt = width,
                            .bc = 1,
                            .add = true};
        p->loops->product(rg_pass_item(p, dw, band->channel * width), &shape,
                          rg_pass_item(p, p->numbers, band->from), dy);
    }
    if (layer->bias.n_params)
        p->loops->gather(rg_pass_dbias(p, k), n, (uint32_t)width, dy);
}

/* ---- batches: products */

static void forward_batch(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    size_t n_in = layer->n_in, n_out = layer->n_out;
    rg_product shape = {.m = dense_rows(p, k),
                        .n = n_out,
                        .k = n_in,
                        .ar = n_in,
                        .at = 1,
                        .bt = n_out,
                        .bc = 1,
                        .add = layer->bias.n_params > 0};
    if (shape.add)
        p->loops->spread(y, shape.m, layer->n_out, rg_pass_bias(p, k));
    p->loops->product(y, &shape, rg_pass_value(p, layer->ins[0]), rg_pass_param(p, layer->weights));
}

/* dw += x dy, x transposed;  dx = or += dy w, w transposed. */
static void backward_batch(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    size_t m = dense_rows(p, k), n_in = layer->n_in, n_out = layer->n_out;
    rg_product weights = {
        .m = n_in, .n = n_out, .k = m, .ar = 1, .at = n_in, .bt = n_out, .bc = 1, .add = true};
    rg_product input = {.m = m,
                        .n = n_in,
                        .k = n_out,
                        .ar = n_out,
                        .at = 1,
                        .bt = 1,
                        .bc = n_out,
                        .add = layer->add[0]};
    void *dx = rg_pass_dx(p, k, 0);
    p->loops->product(rg_pass_dparam(p, layer->weights), &weights, rg_pass_value(p, layer->ins[0]),
                      dy);
    if (dx)
        p->loops->product(dx, &input, dy, rg_pass_param(p, layer->weights));
    if (layer->bias.n_params)
        p->loops->gather(rg_pass_dbias(p, k), m, layer->n_out, dy);
}

static void forward(rg_pass *p, size_t k, void *y)
{
    if (rg_pass_is_sparse(p, p->layers[k].ins[0]))
        rg_sparse_forward(p, k, y);
    else if (!p->batched)
        forward_lanes(p, k, y);
    else if (is_first(p, k))
        forward_features(p, k, y);
    else
        forward_batch(p, k, y);
}

static void backward(rg_pass *p, size_t k, const void *dy)
{
    if (rg_pass_is_sparse(p, p->layers[k].ins[0]))
        rg_sparse_backward(p, k, dy);
    else if (!p->batched)
        backward_lanes(p, k, dy);
    else if (is_first(p, k))
        backward_features(p, k, dy);
    else
        backward_batch(p, k, dy);
}

const rg_layer_kind rg_layer_dense = {
    .name = "dense",
    .head = RG_HEAD_AUTO_WIDTH,
    .settings = {{.type = RG_SETTING_FLAG, .key = "bias", .usual = 1}},
    .keys = {"activation", "residual", "weights"},
    .usual = RG_TANH,
    .weighs = true,
    .prunes = true,
    .features = true,
    .shape = shape_dense,
    .start = start,
    .forward = forward,
    .backward = backward,
};

const rg_layer_kind rg_layer_embed = {
    .name = "embed",
    .head = RG_HEAD_WIDTH,
    .usual = RG_IDENTITY,
    .weighs = true,
    .expand = expand_embed,
};

/* ---- biases alone */

static void shape_bias(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    (void)plan;
    layer->n_out = out->channels;
    layer->n_bias = out->channels;
}

static rg_start start_bias(const rg_net_layer *layer)
{
    return (rg_start){.n_possible = layer->n_in, .fan_in = layer->n_in};
}

static void forward_bias(rg_pass *p, size_t k, void *y)
{
    uint32_t out = (uint32_t)k + 1;
    memcpy(y, rg_pass_value(p, p->layers[k].ins[0]), rg_pass_reals(p, out) * p->item);
    p->loops->add_bias(y, rg_pass_rows(p, out), p->layers[k].n_out, rg_pass_bias(p, k));
}

static void backward_bias(rg_pass *p, size_t k, const void *dy)
{
    uint32_t out = (uint32_t)k + 1;
    p->loops->gather(rg_pass_dbias(p, k), rg_pass_rows(p, out), p->layers[k].n_out, dy);
    if (rg_pass_dx(p, k, 0) != dy)
        rg_pass_put(p, k, 0, dy);
}

const rg_layer_kind rg_layer_bias = {
    .name = "bias",
    .inner = true,
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_FLAG, .usual = 1}},
    .keys = {"activation"},
    .usual = RG_IDENTITY,
    .weighs = true,
    .batched = true,
    .in_place = true,
    .shape = shape_bias,
    .start = start_bias,
    .forward = forward_bias,
    .backward = backward_bias,
};
