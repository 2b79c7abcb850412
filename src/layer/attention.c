/* attention.c - graph attention, several heads; a dense layer comes before it (`gat` in blocks.c).
 * The formulas stand in batch/loops.h. In explanations the attention is held fixed. */
#include "pass.h"

enum { HEADS = 0 };

static void shape(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    (void)plan;
    layer->n_out = layer->n_in;
    layer->weight_rows = 2; /* of the neighbour, of the node itself */
    layer->weight_cols = layer->n_in;
    if (out->round != RG_EACH)
        out->round++;
}

static uint32_t heads_of(const rg_net_layer *layer)
{
    return (uint32_t)layer->own[HEADS];
}

static rg_start start(const rg_net_layer *layer)
{
    double width = (double)layer->n_in / heads_of(layer);
    return (rg_start){.n_possible = width, .fan_in = width, .fan_out = 1, .seen = width};
}

/* Entries of a batch are arcs of its graphs at most. */
static size_t kept(const rg_pass *p, size_t k, size_t rows, size_t in)
{
    return rg_attend_kept(in, rows, p->n_arcs, heads_of(&p->layers[k])) * p->item;
}

static void forward(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t heads = heads_of(layer);
    p->loops->attend(y, rg_pass_kept(p, k), rg_pass_rows(p, layer->ins[0]),
                     rg_pass_nodes(p, (uint32_t)k + 1), heads, layer->n_in / heads,
                     rg_pass_param(p, layer->weights),
                     rg_pass_param(p, layer->weights + layer->n_in),
                     rg_pass_value(p, layer->ins[0]));
}

static void back(rg_pass *p, size_t k, const void *dy, bool fixed)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t heads = heads_of(layer);
    p->loops->attend_back(rg_pass_dx(p, k, 0), fixed ? NULL : rg_pass_dparam(p, layer->weights),
                          fixed ? NULL : rg_pass_dparam(p, layer->weights + layer->n_in),
                          rg_pass_kept(p, k), rg_pass_rows(p, layer->ins[0]),
                          rg_pass_nodes(p, (uint32_t)k + 1), heads, layer->n_in / heads,
                          rg_pass_param(p, layer->weights),
                          rg_pass_param(p, layer->weights + layer->n_in),
                          rg_pass_value(p, layer->ins[0]), dy, fixed, layer->add[0]);
}

static void backward(rg_pass *p, size_t k, const void *dy)
{
    back(p, k, dy, false);
}

static void share(rg_pass *p, size_t k, const void *dy)
{
    back(p, k, dy, true);
}

const rg_layer_kind rg_layer_attention = {
    .name = "attention",
    .inner = true,
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_COUNT, .low = 1, .high = 64, .usual = 1}},
    .weighs = true,
    .nodes = true,
    .batched = true,
    .rounds = true,
    .scratch = true,
    .shape = shape,
    .start = start,
    .kept = kept,
    .forward = forward,
    .backward = backward,
    .share = share,
};
