/* blocks.c - layers that are made of others: the message passing layers of the literature.
 *
 *   mlp   dense, batch norm, ReLU, twice
 *   gin   MLP((1 + eps) h_i + sum over neighbours of h_j)
 *   gine  MLP((1 + eps) h_i + sum over neighbours of max(0, h_j + E a_ij + b)), a_ij of the edge
 *   sage  W agg(h_j: j is i or a neighbour) + b;  self: own: W agg(h_j: j a neighbour) + V h_i + b
 *   gcn   D^-1/2 (A + I) D^-1/2 H W + b
 *   gat   attention over i and its neighbours, several heads side by side, + b
 *   readout  sum over layers of dropout(W_k pool(h_k) + b_k), as GIN does
 * What is linear comes before the sum over neighbours where the input is that of the network: the
 * same numbers, and no matrix is made of what is one-hot. */
#include "layer.h"

#include <math.h>

/* ---- pieces */

/* The activation of the layer of the file, on the last layer that it is made of. */
static uint32_t activate(rg_layer_plan *plan, uint32_t x)
{
    if (!plan->status)
        plan->layers[x - 1].activation = plan->activation;
    return x;
}

static uint32_t linear(rg_layer_plan *plan, uint32_t x, uint32_t width, bool bias)
{
    rg_net_layer *layer = rg_plan_add(plan, &rg_layer_dense, x, NULL);
    if (layer) {
        layer->n_out = width;
        layer->own[0] = bias;
    }
    return rg_plan_shape(plan, layer);
}

static uint32_t norm_relu(rg_layer_plan *plan, uint32_t x)
{
    uint32_t out = rg_plan_put(plan, &rg_layer_batch_norm, x, 0);
    if (!plan->status)
        plan->layers[out - 1].activation = RG_RELU;
    return out;
}

enum { GATHER_SUM, GATHER_MEAN, GATHER_GCN, GATHER_MAX }; /* words of the layer `message` */

static uint32_t gather(rg_layer_plan *plan, uint32_t x, double how, bool self, double eps)
{
    rg_net_layer *layer = rg_plan_add(plan, &rg_layer_message, x, NULL);
    if (layer) {
        layer->own[0] = how;
        layer->own[1] = self;
        layer->own[2] = eps;
    }
    return rg_plan_shape(plan, layer);
}

static uint32_t sum_of(rg_layer_plan *plan, uint32_t x, uint32_t y)
{
    const uint32_t both[] = {x, y};
    return rg_plan_many(plan, &rg_layer_add, both, 2);
}

/* ---- mlp and gin: the norm takes the mean away, so that biases would do nothing */

static uint32_t expand_mlp(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x)
{
    x = norm_relu(plan, linear(plan, x, spec->width, false));
    return norm_relu(plan, linear(plan, x, spec->width, false));
}

const rg_layer_kind rg_layer_mlp = {
    .name = "mlp",
    .head = RG_HEAD_WIDTH,
    .weighs = true,
    .batched = true,
    .expand = expand_mlp,
};

static uint32_t expand_gin(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x)
{
    if (x) {
        x = gather(plan, x, GATHER_SUM, true, spec->own[0]);
        return expand_mlp(plan, spec, x);
    }
    x = gather(plan, linear(plan, x, spec->width, false), GATHER_SUM, true, spec->own[0]);
    return norm_relu(plan, linear(plan, norm_relu(plan, x), spec->width, false));
}

static uint32_t expand_gine(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x)
{
    x = x ? x : linear(plan, x, spec->width, false);
    rg_net_layer *layer = rg_plan_add(plan, &rg_layer_edges, x, NULL);
    if (layer)
        layer->own[0] = spec->own[0];
    return expand_mlp(plan, spec, rg_plan_shape(plan, layer));
}

static const char *const learned[] = {"learned"};

const rg_layer_kind rg_layer_gine = {
    .name = "gine",
    .head = RG_HEAD_WIDTH,
    .settings =
        {{.type = RG_SETTING_REAL, .key = "eps", .low = -1e9, .high = 1e9, .what = "a number"}},
    .keys = {"residual"},
    .weighs = true,
    .nodes = true,
    .batched = true,
    .edges = true,
    .expand = expand_gine,
};

const rg_layer_kind rg_layer_gin = {
    .name = "gin",
    .head = RG_HEAD_WIDTH,
    .settings = {{.type = RG_SETTING_REAL,
                  .key = "eps",
                  .words = learned,
                  .n_words = 1,
                  .low = -1e9,
                  .high = 1e9,
                  .usual = (double)NAN,
                  .what = "learned or a number"}},
    .keys = {"residual"},
    .weighs = true,
    .nodes = true,
    .batched = true,
    .expand = expand_gin,
};

/* ---- sage */

enum { AGGREGATION = 0, OWN = 1 };

/* What comes from neighbours first: the order of layers is that of parameters in models. */
static uint32_t sage_own(rg_layer_plan *plan, uint32_t x, uint32_t width, double how)
{
    uint32_t near;
    if (!x && how != GATHER_MAX)
        near = gather(plan, linear(plan, x, width, false), how, false, 0);
    else
        near = linear(plan, gather(plan, x, how, false, 0), width, false);
    return sum_of(plan, near, linear(plan, x, width, true));
}

static uint32_t expand_sage(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x)
{
    double how = spec->own[AGGREGATION] == 2 ? GATHER_MAX : spec->own[AGGREGATION];
    if (spec->own[OWN] != 0)
        x = sage_own(plan, x, spec->width, how);
    else if (!x && how != GATHER_MAX)
        x = rg_plan_put(plan, &rg_layer_bias,
                        gather(plan, linear(plan, x, spec->width, false), how, true, 0), 0);
    else
        x = linear(plan, gather(plan, x, how, true, 0), spec->width, true);
    return activate(plan, x);
}

static const char *const aggregations[] = {"add", "mean", "max"};
static const char *const selves[] = {"shared", "own"};

const rg_layer_kind rg_layer_sage = {
    .name = "sage",
    .head = RG_HEAD_WIDTH,
    .settings = {{.type = RG_SETTING_WORD,
                  .key = "aggregation",
                  .words = aggregations,
                  .n_words = 3,
                  .usual = 1},
                 {.type = RG_SETTING_WORD, .key = "self", .words = selves, .n_words = 2}},
    .keys = {"activation", "residual"},
    .usual = RG_RELU,
    .weighs = true,
    .nodes = true,
    .batched = true,
    .expand = expand_sage,
};

/* ---- gcn */

static uint32_t expand_gcn(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x)
{
    x = gather(plan, linear(plan, x, spec->width, false), GATHER_GCN, true, 0);
    return activate(plan, rg_plan_put(plan, &rg_layer_bias, x, 0));
}

const rg_layer_kind rg_layer_gcn = {
    .name = "gcn",
    .head = RG_HEAD_WIDTH,
    .keys = {"activation", "residual"},
    .usual = RG_RELU,
    .weighs = true,
    .nodes = true,
    .batched = true,
    .expand = expand_gcn,
};

/* ---- gat: heads of `width` channels each */

enum { HEADS = 0 };

static uint32_t expand_gat(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x)
{
    uint64_t width = (uint64_t)spec->width * (uint64_t)spec->own[HEADS];
    if (width > RG_SPEC_CHANNELS_MAX)
        rg_plan_complain(plan, "found %u channels of %g heads, expected at most %d in all",
                         (unsigned)spec->width, spec->own[HEADS], RG_SPEC_CHANNELS_MAX);
    x = linear(plan, x, (uint32_t)width, false);
    rg_net_layer *layer = rg_plan_add(plan, &rg_layer_attention, x, NULL);
    if (layer)
        layer->own[HEADS] = spec->own[HEADS];
    x = rg_plan_shape(plan, layer);
    return activate(plan, rg_plan_put(plan, &rg_layer_bias, x, 0));
}

const rg_layer_kind rg_layer_gat = {
    .name = "gat",
    .head = RG_HEAD_WIDTH,
    .settings = {{.type = RG_SETTING_COUNT, .key = "heads", .low = 1, .high = 64, .usual = 1}},
    .keys = {"activation", "residual"},
    .usual = RG_RELU,
    .weighs = true,
    .nodes = true,
    .batched = true,
    .expand = expand_gat,
};

/* ---- readout */

enum { WAY = 0, DROPOUT = 1 };

static uint32_t expand_readout(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x)
{
    uint32_t outs[RG_SPEC_LAYERS_MAX], width = rg_plan_width(plan, spec->width);
    (void)x;
    for (uint32_t k = 0; k < plan->n_ins && !plan->status; k++) {
        rg_net_layer *layer = rg_plan_add(plan, &rg_layer_pool, plan->ins[k], NULL);
        if (layer)
            layer->own[0] = (double)(1u << (unsigned)spec->own[WAY]);
        outs[k] = linear(plan, rg_plan_shape(plan, layer), width, true);
        if (spec->own[DROPOUT] > 0) {
            layer = rg_plan_add(plan, &rg_layer_dropout, outs[k], NULL);
            if (layer)
                layer->own[0] = spec->own[DROPOUT];
            outs[k] = rg_plan_shape(plan, layer);
        }
    }
    return plan->status ? 0 : activate(plan, rg_plan_many(plan, &rg_layer_add, outs, plan->n_ins));
}

static rg_status read_readout(rg_layer_spec *layer, rg_layer_reading *past, const rg_yaml *map,
                              rg_error *err)
{
    const rg_yaml *outputs = rg_yaml_find(map, "outputs");
    int64_t width = 0;
    (void)past;
    rg_status status =
        outputs ? rg_yaml_int(outputs, &width, 1, RG_SPEC_CHANNELS_MAX, NULL, err) : RG_OK;
    if (!status)
        layer->width = (uint32_t)width;
    return status;
}

static void print_readout(rg_text *out, const rg_layer_spec *layer)
{
    if (layer->width)
        rg_text_add(out, "    outputs: %u\n", layer->width);
}

static const char *const ways[] = {"sum", "mean", "max"};

const rg_layer_kind rg_layer_readout = {
    .name = "readout",
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_WORD, .words = ways, .n_words = 3},
                 {.type = RG_SETTING_REAL,
                  .key = "dropout",
                  .low = 0,
                  .high = 1,
                  .what = "a probability, 0 or more and below 1"}},
    .keys = {"of", "outputs", "activation"},
    .weighs = true,
    .every = true,
    .nodes = true,
    .aggregates = true,
    .batched = true,
    .read = read_readout,
    .print = print_readout,
    .expand = expand_readout,
};
