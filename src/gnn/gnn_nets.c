/* gnn_nets.c - from settings to tapes: GIN, GraphSAGE, GCN, DGCNN, and lists of layers. */
#include "base/error.h"
#include "gnn.h"

#define NO_VALUE UINT32_MAX /* nothing came yet: the features */

/* A linear layer on a value, or on the features themselves. */
static uint32_t linear(rg_tape *t, uint32_t x, uint32_t width, bool bias)
{
    return x == NO_VALUE ? rg_tape_embed(t, width, bias) : rg_tape_linear(t, x, width, bias, 1);
}

/* Linear, batch norm, ReLU, twice. The norm takes the mean away, so that biases would do nothing.
 */
static uint32_t perceptron(rg_tape *t, uint32_t x, uint32_t width)
{
    x = rg_tape_norm(t, linear(t, x, width, false));
    return rg_tape_norm(t, rg_tape_linear(t, x, width, false, 1));
}

/* MLP((1 + eps) h_i + sum over neighbours of h_j). On features the first linear layer comes before
 * the sum, which is the same and needs no matrix of what is one-hot. */
static uint32_t gin_layer(rg_tape *t, uint32_t x, uint32_t width, double eps, bool learned)
{
    if (x != NO_VALUE)
        return perceptron(t, rg_tape_aggregate(t, x, RG_GATHER_SUM, eps, learned), width);
    x = rg_tape_aggregate(t, rg_tape_embed(t, width, false), RG_GATHER_SUM, eps, learned);
    x = rg_tape_norm(t, x);
    return rg_tape_norm(t, rg_tape_linear(t, x, width, false, 1));
}

static void gin(rg_tape *t, const rg_gnn_settings *s, uint32_t classes)
{
    uint32_t outs[RG_SPEC_LAYERS_MAX], h = perceptron(t, NO_VALUE, s->width);
    for (uint32_t k = 0; k <= s->layers; k++) {
        if (k)
            h = gin_layer(t, h, s->width, s->eps, s->learned);
        uint32_t z = rg_tape_linear(t, rg_tape_pool(t, h, s->pooling), classes, true, 1);
        outs[k] = rg_tape_dropout(t, z, s->dropout);
    }
    rg_tape_sum(t, outs, s->layers + 1);
}

/* W agg(h_j: j neighbour of i) + V h_i + b */
static uint32_t sage_own(rg_tape *t, uint32_t x, uint32_t width, rg_gathering gathering)
{
    uint32_t both[2];
    if (x == NO_VALUE && gathering != RG_GATHER_MAX) {
        both[0] = rg_tape_neighbours(t, rg_tape_embed(t, width, false), gathering);
        both[1] = rg_tape_embed(t, width, true);
        return rg_tape_sum(t, both, 2);
    }
    x = x == NO_VALUE ? rg_tape_input(t) : x;
    both[0] = rg_tape_linear(t, rg_tape_neighbours(t, x, gathering), width, false, 1);
    both[1] = rg_tape_linear(t, x, width, true, 1);
    return rg_tape_sum(t, both, 2);
}

/* W agg(h_j: j neighbour of i, or i) + b. What is linear comes after the weights where the input is
 * features. */
static uint32_t sage_layer(rg_tape *t, uint32_t x, uint32_t width, rg_gathering gathering, bool own)
{
    if (own)
        return sage_own(t, x, width, gathering);
    if (x == NO_VALUE && gathering != RG_GATHER_MAX)
        return rg_tape_bias(
            t, rg_tape_aggregate(t, rg_tape_embed(t, width, false), gathering, 0, false));
    if (x == NO_VALUE)
        x = rg_tape_input(t);
    return rg_tape_linear(t, rg_tape_aggregate(t, x, gathering, 0, false), width, true, 1);
}

static void graphsage(rg_tape *t, const rg_gnn_settings *s, uint32_t classes)
{
    uint32_t pooled[RG_SPEC_LAYERS_MAX], x = NO_VALUE, shared = 0;
    for (uint32_t k = 0; k < s->layers; k++) {
        x = sage_layer(t, x, s->width, s->gathering, s->own);
        if (s->gathering == RG_GATHER_MAX) { /* one dense layer, the same behind all */
            x = k ? rg_tape_linear_again(t, x, shared) : rg_tape_linear(t, x, s->width, true, 1);
            shared = k ? shared : x;
            x = rg_tape_relu(t, x);
        }
        pooled[k] = rg_tape_pool(t, x, RG_POOL_MAX);
    }
    x = rg_tape_relu(t, rg_tape_linear(t, rg_tape_join(t, pooled, s->layers), s->width, true, 1));
    rg_tape_linear(t, x, classes, true, 1);
}

/* D^-1/2 (A + I) D^-1/2 H W + b */
static uint32_t gcn_layer(rg_tape *t, uint32_t x, uint32_t width)
{
    x = linear(t, x, width, false);
    return rg_tape_bias(t, rg_tape_aggregate(t, x, RG_GATHER_GCN, 0, false));
}

static void gcn(rg_tape *t, const rg_gnn_settings *s, uint32_t classes)
{
    uint32_t x = NO_VALUE;
    for (uint32_t k = 0; k < s->layers; k++)
        x = rg_tape_relu(t, gcn_layer(t, x, s->width));
    x = rg_tape_dropout(t, rg_tape_pool(t, x, s->pooling), s->dropout);
    rg_tape_linear(t, x, classes, true, 1);
}

enum { FIRST_FILTERS = 16, SECOND_FILTERS = 32, WINDOW = 5 }; /* of DGCNN, as published */

static void dgcnn(rg_tape *t, const rg_gnn_settings *s, uint32_t classes, uint32_t rows)
{
    uint32_t hidden[RG_SPEC_LAYERS_MAX], x = NO_VALUE;
    for (uint32_t k = 0; k <= s->layers; k++) { /* the last layer has the channel to sort by */
        x = linear(t, x, k < s->layers ? s->width : 1, true);
        x = rg_tape_tanh(t, rg_tape_aggregate(t, x, RG_GATHER_MEAN, 0, false));
        hidden[k] = x;
    }
    x = rg_tape_join(t, hidden, s->layers + 1);
    x = rg_tape_sort_pool(t, s->ordered ? rg_tape_sort_channels(t, x) : x, rows);
    x = rg_tape_relu(t, rg_tape_linear(t, x, FIRST_FILTERS, true, rows));
    x = rg_tape_max_pool(t, x, FIRST_FILTERS);
    x = rg_tape_relu(t, rg_tape_conv1d(t, x, FIRST_FILTERS, WINDOW, SECOND_FILTERS));
    x = rg_tape_relu(t, rg_tape_linear(t, x, s->dense, true, 1));
    rg_tape_linear(t, rg_tape_dropout(t, x, s->dropout), classes, true, 1);
}

/* ---- lists of layers */

static uint32_t activate(rg_tape *t, uint32_t x, rg_activation activation)
{
    return activation == RG_RELU   ? rg_tape_relu(t, x)
           : activation == RG_TANH ? rg_tape_tanh(t, x)
                                   : x;
}

static uint32_t listed_layer(rg_tape *t, const rg_gnn_layer *layer, const rg_gnn_rule *rule,
                             uint32_t x, uint32_t classes)
{
    uint32_t in = layer->residual && x == NO_VALUE ? rg_tape_input(t) : x;
    switch (layer->kind) {
    case RG_MIXED_GIN:
        return gin_layer(t, x, layer->width, layer->eps, layer->learned);
    case RG_MIXED_GRAPHSAGE:
        x = sage_layer(t, x, layer->width, layer->gathering, layer->own);
        break;
    case RG_MIXED_GCN:
        x = gcn_layer(t, x, layer->width);
        break;
    case RG_MIXED_RULE:
        in = x = in == NO_VALUE ? rg_tape_input(t) : in;
        x = rg_tape_rule_layer(t, x, &rule->tape, layer->full, layer->width);
        break;
    case RG_MIXED_DENSE:
        x = linear(t, x, layer->width ? layer->width : classes, true);
        break;
    case RG_MIXED_POOL:
        return rg_tape_pool(t, x == NO_VALUE ? rg_tape_input(t) : x, layer->pooling);
    case RG_MIXED_NORM:
        return rg_tape_norm(t, x == NO_VALUE ? rg_tape_input(t) : x);
    case RG_MIXED_DROPOUT:
        return rg_tape_dropout(t, x == NO_VALUE ? rg_tape_input(t) : x, layer->dropout);
    case RG_MIXED_ACTIVATION:
    case RG_N_MIXED:
        x = x == NO_VALUE ? rg_tape_input(t) : x;
        break;
    }
    x = activate(t, x, layer->activation);
    uint32_t both[] = {x, in};
    return layer->residual ? rg_tape_sum(t, both, 2) : x;
}

static rg_status listed(rg_tape *t, const rg_gnn_settings *s, const rg_gnn_prepared *prepared,
                        rg_error *err)
{
    uint32_t x = NO_VALUE;
    for (size_t k = 0; k < s->n_list && !t->failed; k++) {
        const rg_gnn_layer *layer = &s->list[k];
        uint32_t before = x == NO_VALUE ? prepared->features->width : rg_tape_width(t, x);
        uint32_t after = layer->full || layer->kind != RG_MIXED_RULE ? layer->width : before;
        if (layer->residual && before != (after ? after : prepared->task.n_classes))
            return rg_fail(err, RG_EDATA,
                           "layer %zu: found %u channels going in and %u coming out, expected the "
                           "same number, because of 'residual'",
                           k + 1, (unsigned)before,
                           (unsigned)(after ? after : prepared->task.n_classes));
        x = listed_layer(t, layer, &prepared->rules[k], x, prepared->task.n_classes);
    }
    if (!t->failed && rg_tape_width(t, x) != prepared->task.n_classes)
        return rg_fail(err, RG_EDATA,
                       "the last layer gives %u values per graph, expected one per class, %u: end "
                       "with 'dense: auto'",
                       (unsigned)rg_tape_width(t, x), (unsigned)prepared->task.n_classes);
    if (!t->failed && t->n_params == 0)
        return rg_fail(err, RG_EDATA,
                       "no layer of the list has parameters, expected one: end with 'dense: auto'");
    return RG_OK;
}

/* ---- all */

/* Rows that sort pooling keeps, by the graphs of the fit; two convolutions need ten of them. */
static rg_status sorted_rows(uint32_t *rows, const rg_gnn_settings *s,
                             const rg_gnn_prepared *prepared, const rg_baseline_options *options,
                             rg_error *err)
{
    uint64_t channels = (uint64_t)s->layers * s->width + 1;
    rg_status status = RG_OK;
    *rows = s->rows;
    if (s->part > 0)
        status = rg_sort_rows(rows, prepared->task.graphs, options->fit, options->n_fit, s->part,
                              2 * WINDOW, err);
    if (!status && *rows * channels > INT32_MAX)
        status =
            rg_fail(err, RG_EDATA,
                    "k keeps %u nodes of %llu channels per graph, expected fewer than 2^31 values",
                    (unsigned)*rows, (unsigned long long)channels);
    return status;
}

rg_status rg_gnn_build(rg_tape *tape, const rg_gnn_settings *s, const rg_gnn_prepared *prepared,
                       const rg_baseline_options *options, rg_error *err)
{
    uint32_t classes = prepared->task.n_classes, rows = 0;
    rg_status status = RG_OK;
    rg_tape_begin(tape, prepared->features);
    switch (s->kind) {
    case RG_GNN_GIN:
    case RG_GNN_GSN:
        gin(tape, s, classes);
        break;
    case RG_GNN_GRAPHSAGE:
        graphsage(tape, s, classes);
        break;
    case RG_GNN_GCN:
        gcn(tape, s, classes);
        break;
    case RG_GNN_DGCNN:
        status = sorted_rows(&rows, s, prepared, options, err);
        if (!status)
            dgcnn(tape, s, classes, rows);
        break;
    case RG_GNN_LAYERS:
    case RG_N_GNNS:
        status = listed(tape, s, prepared, err);
        break;
    }
    if (!status)
        status = rg_tape_seal(tape, err);
    if (status)
        rg_tape_free(tape);
    return status;
}
