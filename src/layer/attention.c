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

/* What backward needs, one array behind the other; the last three are scratch of it. */
typedef struct attended {
    void *near, *mine, *scores, *dnear, *dmine, *gradient;
} attended;

static size_t n_kept(size_t before, size_t slots, uint32_t heads)
{
    return (4 * before + 2 * slots) * heads;
}

/* Entries of a batch are arcs of its graphs at most. */
static size_t kept(const rg_pass *p, size_t k, size_t rows, size_t in)
{
    return n_kept(in, rows + p->n_arcs, heads_of(&p->layers[k])) * p->item;
}

static size_t n_slots(const rg_rows *rows)
{
    return (size_t)rows->n + rows->first[rows->n];
}

static attended kept_of(const rg_pass *p, size_t k)
{
    const rg_net_layer *layer = &p->layers[k];
    size_t heads = heads_of(layer), before = rg_pass_rows(p, layer->ins[0]) * heads;
    size_t slots = n_slots(rg_pass_nodes(p, (uint32_t)k + 1)) * heads;
    char *near = rg_pass_kept(p, k);
    return (attended){.near = near,
                      .mine = rg_pass_item(p, near, before),
                      .dnear = rg_pass_item(p, near, 2 * before),
                      .dmine = rg_pass_item(p, near, 3 * before),
                      .scores = rg_pass_item(p, near, 4 * before),
                      .gradient = rg_pass_item(p, near, 4 * before + slots)};
}

static void forward(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_rows *rows = rg_pass_nodes(p, (uint32_t)k + 1);
    uint32_t heads = heads_of(layer), width = layer->n_in / heads;
    const void *x = rg_pass_value(p, layer->ins[0]);
    attended a = kept_of(p, k);
    p->loops->attend_scores(a.scores, a.near, a.mine, rg_pass_rows(p, layer->ins[0]), rows, heads,
                            width, rg_pass_param(p, layer->weights),
                            rg_pass_param(p, layer->weights + layer->n_in), x);
    p->kernels->exp(a.scores, n_slots(rows) * heads, a.scores);
    p->loops->attend(y, a.scores, rows, heads, width, x);
}

static void back(rg_pass *p, size_t k, const void *dy, bool fixed)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t heads = heads_of(layer), width = layer->n_in / heads;
    size_t before = rg_pass_rows(p, layer->ins[0]);
    const void *x = rg_pass_value(p, layer->ins[0]);
    void *dx = rg_pass_dx(p, k, 0);
    attended a = kept_of(p, k);
    p->loops->attend_back(dx, fixed ? NULL : a.dnear, a.dmine, a.gradient, before, a.scores, a.near,
                          a.mine, rg_pass_nodes(p, (uint32_t)k + 1), heads, width, x, dy,
                          layer->add[0]);
    if (!fixed)
        p->loops->attend_near_back(
            dx, rg_pass_dparam(p, layer->weights), rg_pass_dparam(p, layer->weights + layer->n_in),
            before, heads, width, rg_pass_param(p, layer->weights),
            rg_pass_param(p, layer->weights + layer->n_in), a.dnear, a.dmine, x);
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
