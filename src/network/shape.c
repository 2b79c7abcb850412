/* shape.c - from the layers of a spec to rows, channels and places of parameters. */
#include "network.h"

#include "base/alloc.h"
#include "base/error.h"

#include <stdio.h>
#include <string.h>

/* What flows from one layer to the next. */
typedef struct layer_flow {
    uint32_t rows;       /* 0: nodes */
    uint32_t channels;   /* of a row */
    rg_rule_shape shape; /* arrays, while rows are the places of a shape; rows 0: not any more */
} layer_flow;

rg_status rg_network_complain(const rg_spec *spec, size_t layer, rg_status status, rg_error *err,
                              const char *what)
{
    if (spec->layers[layer].line)
        return rg_fail(err, status, "network: line %zu, layer %zu: %s", spec->layers[layer].line,
                       layer + 1, what);
    return rg_fail(err, status, "network: layer %zu: %s", layer + 1, what);
}

static rg_status complain(const rg_spec *spec, size_t layer, rg_error *err, const char *what)
{
    return rg_network_complain(spec, layer, RG_EDATA, err, what);
}

static uint64_t shape_size(rg_rule_shape s)
{
    return (uint64_t)s.rows * s.cols * s.channels;
}

/* ---- one function per kind: from `in`, what the layer has and gives */

static rg_status shape_rule(rg_network *net, size_t k, layer_flow *at, bool last, rg_error *err)
{
    const rg_layer_spec *spec = &net->spec->layers[k];
    rg_net_layer *layer = &net->layers[k];
    if (!net->arrays && at->rows)
        return complain(net->spec, k, err,
                        "a rule layer needs nodes, and an earlier layer aggregated them");
    if (net->arrays && !at->shape.rows)
        return complain(
            net->spec, k, err,
            "a rule layer needs rows and columns, and the output of a dense layer has none");
    uint32_t task_width = net->task == RG_TASK_NODES || !net->arrays ? net->n_outputs : 1;
    layer->n_out = spec->width ? spec->width : last ? task_width : at->channels;
    if (!spec->full && at->channels > 1 && layer->n_out != at->channels) {
        char text[160];
        snprintf(text, sizeof text,
                 "found %u input channels and %u output channels, expected the same number, or "
                 "'mix: full'",
                 (unsigned)at->channels, (unsigned)layer->n_out);
        return complain(net->spec, k, err, text);
    }
    layer->full = spec->full || at->channels == 1;
    if (net->arrays) {
        if (shape_size(spec->shape) == 0 || shape_size(spec->shape) > UINT32_MAX / 2)
            return complain(
                net->spec, k, err,
                "a rule on arrays needs its output shape: 'shape: [rows, cols, channels]'");
        layer->shape_in = at->shape;
        layer->shape_out = spec->shape;
        at->shape = spec->shape;
        at->rows = (uint32_t)shape_size(spec->shape);
    } else if (spec->shape.rows)
        return complain(net->spec, k, err,
                        "a rule on graphs gives one row per node: 'shape' is for arrays");
    layer->rows_out = at->rows;
    at->channels = layer->n_out;
    return RG_OK;
}

static rg_status shape_aggregate(rg_network *net, size_t k, layer_flow *at, bool last,
                                 rg_error *err)
{
    const rg_layer_spec *spec = &net->spec->layers[k];
    rg_net_layer *layer = &net->layers[k];
    if (net->arrays)
        return complain(net->spec, k, err,
                        "arrays have no nodes to aggregate: expected a rule or dense layer");
    if (at->rows)
        return complain(net->spec, k, err, "an earlier layer already aggregated the nodes");
    if (!spec->width && !last)
        return complain(net->spec, k, err,
                        "'outputs' is missing: only the last layer takes it from the task");
    layer->full = true;
    layer->mean = spec->mean;
    layer->rows_out = spec->width ? spec->width : net->n_outputs; /* as rows of one channel */
    layer->n_out = 1;
    at->rows = 1;
    at->channels = layer->rows_out;
    return RG_OK;
}

static rg_status shape_dense(rg_network *net, size_t k, layer_flow *at, bool last, rg_error *err)
{
    const rg_layer_spec *spec = &net->spec->layers[k];
    rg_net_layer *layer = &net->layers[k];
    if (!spec->width && !last)
        return complain(net->spec, k, err,
                        "the width is missing: only the last layer takes it from the task");
    if (at->shape.rows) { /* a dense layer sees all places at once */
        if ((uint64_t)at->rows * at->channels > UINT32_MAX / 2)
            return complain(net->spec, k, err, "too many input values");
        at->channels *= at->rows;
        at->rows = 1;
        at->shape.rows = 0;
        layer->rows_in = 1;
        layer->n_in = at->channels;
    }
    layer->n_out = spec->width ? spec->width : net->n_outputs;
    layer->rows_out = at->rows;
    at->channels = layer->n_out;
    return RG_OK;
}

static rg_status shape_layer(rg_network *net, size_t k, layer_flow *at, bool last, rg_error *err)
{
    const rg_layer_spec *spec = &net->spec->layers[k];
    rg_net_layer *layer = &net->layers[k];
    layer_flow before = *at;
    rg_status status = RG_OK;
    layer->kind = spec->kind;
    layer->n_rules = spec->n_rules;
    layer->rows_in = at->rows;
    layer->n_in = at->channels;
    layer->residual = spec->residual;
    layer->dropout = spec->dropout;
    layer->activation = rg_spec_activation(net->spec, k);
    switch (spec->kind) {
    case RG_LAYER_RULE:
        status = shape_rule(net, k, at, last, err);
        break;
    case RG_LAYER_AGGREGATE:
        status = shape_aggregate(net, k, at, last, err);
        break;
    case RG_LAYER_DENSE:
        status = shape_dense(net, k, at, last, err);
        break;
    default:
        layer->n_out = at->channels;
        layer->rows_out = at->rows;
    }
    if (!status && spec->residual && (before.rows != at->rows || before.channels != at->channels))
        status =
            complain(net->spec, k, err, "'residual' needs outputs of the same shape as the inputs");
    layer->fixed = k == 0 && !net->arrays && layer->n_in == 1 && !layer->residual &&
                   (spec->kind == RG_LAYER_RULE || spec->kind == RG_LAYER_AGGREGATE);
    return status;
}

rg_status rg_network_shape(rg_network *net, rg_error *err)
{
    const rg_spec *spec = net->spec;
    size_t last = rg_spec_last(spec);
    layer_flow at = {0, net->n_channels, {0, 0, 0}};
    if (net->arrays) {
        at.shape = net->shape;
        at.rows = (uint32_t)shape_size(net->shape);
    }
    net->n_layers = spec->n_layers;
    for (size_t k = 0; k < spec->n_layers; k++) {
        rg_status status = shape_layer(net, k, &at, k == last, err);
        if (status)
            return status;
    }
    if (net->task == RG_TASK_NODES ? at.rows != 0 : at.rows == 0)
        return complain(
            spec, spec->n_layers - 1, err,
            net->task == RG_TASK_NODES
                ? "the task is node classification, and a layer aggregates the nodes"
                : "the network ends with one row per node: expected an aggregate layer");
    uint64_t outputs = net->task == RG_TASK_NODES ? at.channels : (uint64_t)at.rows * at.channels;
    if (outputs != net->n_outputs) {
        char text[160];
        snprintf(text, sizeof text, "the network has %llu outputs, and the task (%s) needs %u",
                 (unsigned long long)outputs, rg_task_name(net->task), (unsigned)net->n_outputs);
        return complain(spec, spec->n_layers - 1, err, text);
    }
    return RG_OK;
}

/* ---- rules, and places of parameters */

static rg_status parse_one(rg_net_rule *out, const rg_network *net, size_t layer, const char *text,
                           rg_rule_kind kind, rg_error *err)
{
    rg_rule_labeling known[RG_SPEC_LABELS_MAX];
    rg_error inner;
    for (size_t k = 0; k < net->spec->n_labels; k++)
        known[k] = (rg_rule_labeling){net->spec->label_names[k], NULL, NULL};
    rg_status status =
        rg_rule_parse(&out->rule, text, kind, known, net->spec->n_labels, NULL, &inner);
    if (status == RG_EUSAGE)
        return complain(net->spec, layer, err, inner.message);
    if (status)
        return rg_fail(err, status, "%s", inner.message);
    return RG_OK;
}

rg_status rg_network_parse(rg_network *net, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < net->spec->n_layers; k++) {
        const rg_layer_spec *spec = &net->spec->layers[k];
        rg_rule_kind kind = spec->kind == RG_LAYER_AGGREGATE ? RG_RULE_AGGREGATE : RG_RULE_PAIR;
        for (size_t r = 0; !status && r < spec->n_rules; r++)
            status = parse_one(&net->layers[k].rules[r], net, k, spec->rules[r], kind, err);
        if (!status && spec->kind == RG_LAYER_RULE && spec->bias)
            status = parse_one(&net->layers[k].bias, net, k, spec->bias, RG_RULE_BIAS, err);
    }
    return status;
}

size_t rg_net_per_key(const rg_net_layer *layer)
{
    return layer->full ? (size_t)layer->n_in * layer->n_out : layer->n_out;
}

static bool take(rg_network *net, size_t *at, size_t *n_params, size_t n, size_t each)
{
    size_t own;
    *at = net->n_params;
    if (!rg_size_mul(&own, n, each) || !rg_size_add(&net->n_params, net->n_params, own))
        return false;
    *n_params = own;
    return true;
}

rg_status rg_network_lay_out(rg_network *net, rg_error *err)
{
    bool fits = true;
    net->n_params = 0;
    for (size_t k = 0; k < net->n_layers; k++) {
        rg_net_layer *layer = &net->layers[k];
        const rg_layer_spec *spec = &net->spec->layers[k];
        size_t ignored, per_key = rg_net_per_key(layer);
        for (size_t r = 0; r < layer->n_rules; r++)
            fits &= take(net, &layer->rules[r].at, &layer->rules[r].n_params,
                         rg_rule_keys_size(layer->rules[r].keys), per_key);
        if (layer->kind == RG_LAYER_DENSE)
            fits &= take(net, &layer->weights, &ignored, layer->n_in, layer->n_out);
        if (layer->kind == RG_LAYER_NORM)
            fits &= take(net, &layer->weights, &ignored, layer->n_in, 2);
        if (layer->bias.rule)
            fits &= take(net, &layer->bias.at, &layer->bias.n_params,
                         rg_rule_keys_size(layer->bias.keys), layer->n_out);
        else if (spec->has_bias && layer->kind == RG_LAYER_AGGREGATE)
            fits &= take(net, &layer->bias.at, &layer->bias.n_params, layer->rows_out, 1);
        else if (spec->has_bias && layer->kind == RG_LAYER_DENSE)
            fits &= take(net, &layer->bias.at, &layer->bias.n_params, layer->n_out, 1);
    }
    if (!fits || net->n_params > UINT32_MAX)
        return rg_fail(err, RG_EFAIL, "network: more than 2^32 parameters");
    return RG_OK;
}
