/* dropout.c - dropout, and activations alone: nothing is learned, shapes stay. */
#include "sparse.h"

#include <string.h>

enum { P = 0 };

static void copy_forward(rg_pass *p, size_t k, void *y)
{
    memcpy(y, rg_pass_value(p, p->layers[k].ins[0]), rg_pass_reals(p, (uint32_t)k + 1) * p->item);
}

static void copy_backward(rg_pass *p, size_t k, const void *dy)
{
    rg_pass_put(p, k, 0, dy);
}

/* ---- dropout */

static size_t kept_mask(const rg_pass *p, size_t k, size_t rows, size_t in)
{
    (void)in;
    if (rg_pass_is_sparse(p, (uint32_t)k + 1))
        return rg_sparse_kept(p);
    return rows * p->values[k + 1].channels * p->item;
}

static bool is_dropping(const rg_pass *p, size_t k)
{
    return p->draws && p->layers[k].own[P] > 0;
}

/* Streams of layers: no two of one epoch share one, nor do two epochs (pass.h). */
static uint64_t stream_of(const rg_pass *p, size_t k)
{
    return p->draws->stream + k % RG_SPEC_LAYERS_MAX + ((uint64_t)(k / RG_SPEC_LAYERS_MAX) << 40);
}

/* What dropout draws for a number depends on its place in the data alone, not on when it is seen,
 * and no two numbers have the same draw. */
static void drop_sample(rg_pass *p, size_t k, uint32_t s, char *y)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_sample *sample = &p->samples[s];
    const rg_value *value = &p->values[k + 1];
    uint64_t rows = value->rows ? (uint64_t)sample->number * value->rows : sample->first_row;
    size_t at = p->batched ? (value->rows ? (size_t)s * value->rows : p->batch.first[s]) : 0;
    size_t n = (value->rows ? value->rows : sample->n_rows) * (size_t)value->channels;
    at *= value->channels;
    p->kernels->dropout_forward(rg_pass_item(p, y, at), rg_pass_item(p, rg_pass_kept(p, k), at), n,
                                layer->own[P], p->draws->seed, stream_of(p, k),
                                rows * value->channels,
                                rg_pass_item(p, rg_pass_value(p, layer->ins[0]), at));
}

static void forward_dropout(rg_pass *p, size_t k, void *y)
{
    if (rg_pass_is_sparse(p, (uint32_t)k + 1)) {
        if (is_dropping(p, k))
            rg_sparse_drop(p, k, stream_of(p, k));
        return;
    }
    if (!is_dropping(p, k)) {
        copy_forward(p, k, y);
        return;
    }
    for (uint32_t s = 0; s < p->n_samples; s++)
        drop_sample(p, k, s, y);
}

/* dx = dy mask, through the output's own gradient, which nobody needs any more. */
static void backward_dropout(rg_pass *p, size_t k, const void *dy)
{
    size_t n = rg_pass_reals(p, (uint32_t)k + 1);
    void *own = rg_pass_gradient_of(p, (uint32_t)k + 1);
    if (!is_dropping(p, k) || !rg_pass_dx(p, k, 0)) {
        copy_backward(p, k, dy);
        return;
    }
    p->kernels->multiply(own, n, dy, rg_pass_kept(p, k));
    rg_pass_put(p, k, 0, own);
}

/* Nothing is drawn where nothing is dropped, so rows may be shared then. */
static uint32_t expand_dropout(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x)
{
    if (plan->batched && spec->own[P] > 0)
        x = rg_plan_each(plan, x);
    return rg_plan_shape(plan, rg_plan_add(plan, &rg_layer_dropout, x, spec));
}

const rg_layer_kind rg_layer_dropout = {
    .name = "dropout",
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_REAL,
                  .low = 0,
                  .high = 1,
                  .what = "a probability, 0 or more and below 1"}},
    .plain = true,
    .sparse = true,
    .expand = expand_dropout,
    .kept = kept_mask,
    .forward = forward_dropout,
    .backward = backward_dropout,
    .share = copy_backward,
};

/* ---- activations alone */

const rg_layer_kind rg_layer_activation = {
    .name = "activation",
    .head = RG_HEAD_ACTIVATION,
    .plain = true,
    .forward = copy_forward,
    .backward = copy_backward,
};

/* ---- a row for every node, from rows that nodes of one colour share */

static void shape_each(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    (void)plan;
    layer->n_out = layer->n_in;
    out->round = RG_EACH;
}

static void forward_each(rg_pass *p, size_t k, void *y)
{
    uint32_t in = p->layers[k].ins[0], out = (uint32_t)k + 1;
    if (rg_pass_round(p, in) == rg_pass_round(p, out))
        copy_forward(p, k, y);
    else
        p->loops->lift(y, rg_pass_nodes(p, out), rg_pass_nodes(p, in), p->values[out].channels,
                       rg_pass_value(p, in), false);
}

static void backward_each(rg_pass *p, size_t k, const void *dy)
{
    uint32_t in = p->layers[k].ins[0], out = (uint32_t)k + 1;
    void *dx = rg_pass_dx(p, k, 0);
    if (rg_pass_round(p, in) == rg_pass_round(p, out))
        copy_backward(p, k, dy);
    else if (dx)
        p->loops->lift_back(dx, rg_pass_nodes(p, out), rg_pass_nodes(p, in),
                            p->values[out].channels, dy, p->layers[k].add[0]);
}

const rg_layer_kind rg_layer_each = {
    .name = "each",
    .inner = true,
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_FLAG, .usual = 1}},
    .plain = true,
    .nodes = true,
    .batched = true,
    .shape = shape_each,
    .forward = forward_each,
    .backward = backward_each,
};
