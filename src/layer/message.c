/* message.c - message passing: every node takes from its neighbours, and perhaps from itself.
 *
 *   sum   y[i] = (1 + eps) x[i] + sum over neighbours j of x[j]; eps is learned or a number
 *   mean  y[i] = mean over i and its neighbours
 *   gcn   y[i] = sum over i and its neighbours of x[j] / sqrt((degree i + 1) (degree j + 1))
 *   max   y[i] = largest over i and its neighbours, channel by channel
 * `self: false`: over the neighbours alone. */
#include "pass.h"

#include <math.h>

enum { GATHER = 0, SELF = 1, EPS = 2 };
enum { SUM, MEAN, GCN, MAX };

static void shape_message(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    bool learned = isnan(layer->own[EPS]);
    if (layer->own[EPS] != 0 && (layer->own[GATHER] != SUM || layer->own[SELF] == 0)) {
        if (!learned)
            rg_plan_complain(plan, "'eps' is for sums with the node itself");
        learned = false;
        layer->own[EPS] = 0;
    }
    layer->n_out = layer->n_in;
    layer->weight_rows = learned; /* eps */
    if (out->round != RG_EACH)
        out->round++;
}

static bool begin(const rg_net_layer *layer, size_t weight, double *value)
{
    (void)layer;
    (void)weight;
    *value = 0;
    return true;
}

/* Factor of the node itself. */
static double self_of(const rg_pass *p, size_t k)
{
    const rg_net_layer *layer = &p->layers[k];
    if (layer->own[SELF] == 0)
        return 0;
    return 1 +
           (layer->weight_rows ? rg_real_at(p->precision, p->w, layer->weights) : layer->own[EPS]);
}

/* Factors of what rows get, and of what rows of the round before give. */
static const void *left_of(const rg_pass *p, size_t k)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_rows *rows = rg_pass_nodes(p, (uint32_t)k + 1);
    if (layer->own[GATHER] == MEAN)
        return layer->own[SELF] != 0 ? rows->inverse : rows->near;
    return layer->own[GATHER] == GCN ? rows->root : NULL;
}

static const void *right_of(const rg_pass *p, size_t k)
{
    const rg_net_layer *layer = &p->layers[k];
    return layer->own[GATHER] == GCN ? rg_pass_nodes(p, layer->ins[0])->root : NULL;
}

static size_t kept(const rg_pass *p, size_t k, size_t rows, size_t in)
{
    (void)in;
    return p->layers[k].own[GATHER] == MAX ? rows * p->layers[k].n_in * sizeof(uint32_t) : 0;
}

static void forward(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_rows *rows = rg_pass_nodes(p, (uint32_t)k + 1);
    const void *x = rg_pass_value(p, layer->ins[0]);
    if (layer->own[GATHER] == MAX)
        p->loops->largest(y, rg_pass_kept(p, k), rows, layer->n_in, layer->own[SELF] != 0, x);
    else
        p->loops->aggregate(y, rows, layer->n_in, self_of(p, k), left_of(p, k), right_of(p, k), x);
}

/* The gradient of eps: what every row had of its own. */
static void backward_eps(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_rows *rows = rg_pass_nodes(p, (uint32_t)k + 1);
    size_t width = layer->n_in;
    const char *x = rg_pass_value(p, layer->ins[0]);
    double gradient = rg_real_at(p->precision, p->g, layer->weights);
    for (size_t r = 0; r < rows->n; r++)
        gradient += p->loops->dot(width, rg_pass_item(p, dy, r * width),
                                  rg_pass_item(p, x, rows->own[r] * width));
    rg_real_put(p->precision, p->g, layer->weights, gradient);
}

static void backward_to(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_rows *rows = rg_pass_nodes(p, (uint32_t)k + 1);
    size_t before = rg_pass_rows(p, layer->ins[0]);
    void *dx = rg_pass_dx(p, k, 0);
    if (!dx)
        return;
    if (layer->own[GATHER] == MAX)
        p->loops->largest_back(dx, before, rg_pass_kept(p, k), rows, layer->n_in, dy,
                               layer->add[0]);
    else
        p->loops->aggregate_back(dx, before, rows, layer->n_in, self_of(p, k), left_of(p, k),
                                 right_of(p, k), dy, layer->add[0]);
}

static void backward(rg_pass *p, size_t k, const void *dy)
{
    if (p->layers[k].weight_rows)
        backward_eps(p, k, dy);
    backward_to(p, k, dy);
}

static const char *const words[] = {"sum", "mean", "gcn", "max"};
static const char *const learned[] = {"learned"};

const rg_layer_kind rg_layer_message = {
    .name = "message",
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_WORD, .words = words, .n_words = 4},
                 {.type = RG_SETTING_FLAG, .key = "self", .usual = 1},
                 {.type = RG_SETTING_REAL,
                  .key = "eps",
                  .words = learned,
                  .n_words = 1,
                  .low = -1e9,
                  .high = 1e9,
                  .what = "learned or a number"}},
    .nodes = true,
    .batched = true,
    .rounds = true,
    .shape = shape_message,
    .begin = begin,
    .kept = kept,
    .forward = forward,
    .backward = backward,
    .share = backward_to,
};
