/* shape.c - from the layers of a file to those of a network: values, rules, places of parameters. */
#include "network.h"

#include "base/alloc.h"
#include "base/error.h"
#include "batch/colours.h"
#include "rule/rule.h"

#include <stdio.h>
#include <string.h>

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

/* ---- values */

/* What comes out fits the task. */
static rg_status check_outputs(const rg_network *net, rg_error *err)
{
    const rg_value *out = &net->values[net->n_layers];
    const rg_spec *spec = net->spec;
    bool nodes = rg_task_on_nodes(net->task);
    if (nodes ? out->rows != 0 : out->rows == 0)
        return complain(
            spec, spec->n_layers - 1, err,
            net->task == RG_TASK_NODE_VALUES
                ? "the task is node regression, and a layer aggregates the nodes"
            : nodes ? "the task is node classification, and a layer aggregates the nodes"
                    : "the network ends with one row per node: expected an aggregate layer");
    uint64_t outputs = nodes ? out->channels : (uint64_t)out->rows * out->channels;
    if (outputs != net->n_outputs) {
        char text[160];
        snprintf(text, sizeof text, "the network has %llu outputs, and the task (%s) needs %u",
                 (unsigned long long)outputs, rg_task_name(net->task), (unsigned)net->n_outputs);
        return complain(spec, spec->n_layers - 1, err, text);
    }
    return RG_OK;
}

/* A plan has room for many layers; what stays has as many as there are. */
static rg_status trim(rg_network *net, rg_error *err)
{
    rg_net_layer *layers = rg_realloc(net->layers, net->n_layers, sizeof *layers);
    net->layers = layers ? layers : net->layers;
    rg_value *values = rg_realloc(net->values, net->n_layers + 1, sizeof *values);
    net->values = values ? values : net->values;
    return layers && values ? RG_OK : rg_fail_memory(err, "a network");
}

rg_status rg_network_shape(rg_network *net, rg_error *err)
{
    const rg_spec *spec = net->spec;
    uint32_t of_spec[RG_SPEC_LAYERS_MAX];
    net->layers = rg_alloc_zero(RG_NET_LAYERS_MAX, sizeof *net->layers);
    net->values = rg_alloc_zero(RG_NET_LAYERS_MAX + 1, sizeof *net->values);
    if (!net->layers || !net->values)
        return rg_fail_memory(err, "a network");
    rg_layer_plan plan = {.layers = net->layers,
                          .values = net->values,
                          .of_spec = of_spec,
                          .arrays = net->arrays,
                          .nodes = rg_task_on_nodes(net->task),
                          .n_outputs = net->n_outputs,
                          .n_edge_channels = net->n_edge_channels,
                          .specs = spec->layers,
                          .n_specs = spec->n_layers,
                          .err = err};
    net->values[0] = (rg_value){.channels = net->n_channels};
    if (net->arrays) {
        net->values[0].shape = net->shape;
        net->values[0].rows = net->shape.rows * net->shape.cols * net->shape.channels;
    }
    net->batched = rg_specs_batched(spec->layers, spec->n_layers);
    if (!net->batched && net->n_channels > RG_SPEC_CHANNELS_MAX)
        return rg_fail(err, RG_EDATA, "network: the input has %u channels: at most %d are allowed",
                       (unsigned)net->n_channels, RG_SPEC_CHANNELS_MAX);
    rg_plan_all(&plan, spec->paper);
    net->n_layers = plan.n_layers;
    if (plan.status)
        return plan.status;
    net->last = of_spec[rg_specs_last(spec->layers, spec->n_layers)] - 1;
    rg_status status = trim(net, err);
    return status ? status : check_outputs(net, err);
}

/* ---- rules, and places of parameters */

static rg_status parse_one(rg_net_rule *out, const rg_network *net, size_t layer, const char *text,
                           rg_rule_kind kind, rg_error *err)
{
    rg_rule_labeling known[RG_SPEC_NAMES_MAX];
    rg_error inner;
    size_t n = rg_network_names(net, NULL, known);
    rg_status status = rg_rule_parse(&out->rule, text, kind, known, n, NULL, &inner);
    if (status == RG_EUSAGE)
        return complain(net->spec, layer, err, inner.message);
    if (status)
        return rg_fail(err, status, "%s", inner.message);
    return RG_OK;
}

rg_status rg_network_parse(rg_network *net, rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < net->n_layers; k++) {
        rg_net_layer *layer = &net->layers[k];
        const rg_layer_spec *spec = &net->spec->layers[layer->of];
        rg_rule_kind kind = layer->kind->outputs ? RG_RULE_AGGREGATE : RG_RULE_PAIR;
        for (size_t r = 0; !status && r < layer->n_rules; r++)
            status = parse_one(&layer->rules[r], net, layer->of, spec->rules[r], kind, err);
        if (!status && layer->n_rules && spec->bias)
            status = parse_one(&layer->bias, net, layer->of, spec->bias, RG_RULE_BIAS, err);
    }
    return status;
}

static rg_status copy_keys(rg_net_rule *rule, const rg_net_rule *like, rg_error *err)
{
    size_t n_edges;
    const rg_rule_keys *from = like->keys;
    if (!like->rule)
        return RG_OK;
    const double *edges = rg_rule_keys_edges(from, &n_edges);
    rg_status status = rg_rule_keys_new(&rule->keys, rg_rule_keys_data(from),
                                        rg_rule_keys_size(from), rg_rule_keys_width(from), err);
    if (!status && n_edges)
        status = rg_rule_keys_set_edges(rule->keys, edges, n_edges, err);
    rule->facts = like->facts;
    return status;
}

rg_status rg_network_share_keys(rg_network *net, rg_net_layer *layer, rg_error *err)
{
    const rg_net_layer *like = &net->layers[layer->like];
    rg_status status = RG_OK;
    for (size_t r = 0; !status && r < layer->n_rules; r++)
        status = copy_keys(&layer->rules[r], &like->rules[r], err);
    return status ? status : copy_keys(&layer->bias, &like->bias, err);
}

static bool take(size_t *total, size_t *at, size_t *n_params, size_t n, size_t each)
{
    size_t own;
    *at = *total;
    if (!rg_size_mul(&own, n, each) || !rg_size_add(total, *total, own))
        return false;
    *n_params = own;
    return true;
}

static void share_places(rg_net_rule *rule, const rg_net_rule *like)
{
    rule->at = like->at;
    rule->n_params = like->n_params;
}

/* The parameters of a layer; those of another layer, if it shares them. */
static bool place_layer(rg_network *net, rg_net_layer *layer)
{
    size_t ignored, *total = &net->n_params;
    bool fits = true;
    if (layer->like != RG_NO_INDEX) {
        const rg_net_layer *like = &net->layers[layer->like];
        for (size_t r = 0; r < layer->n_rules; r++)
            share_places(&layer->rules[r], &like->rules[r]);
        share_places(&layer->bias, &like->bias);
        layer->weights = like->weights;
        return true;
    }
    for (size_t r = 0; r < layer->n_rules; r++)
        fits &= take(total, &layer->rules[r].at, &layer->rules[r].n_params,
                     rg_rule_keys_size(layer->rules[r].keys), rg_net_per_key(layer));
    fits &= take(total, &layer->weights, &ignored, layer->weight_rows,
                 layer->weight_cols ? layer->weight_cols : 1);
    if (layer->bias.rule)
        fits &= take(total, &layer->bias.at, &layer->bias.n_params,
                     rg_rule_keys_size(layer->bias.keys), layer->n_out);
    else
        fits &= take(total, &layer->bias.at, &layer->bias.n_params, layer->n_bias, 1);
    return fits;
}

/* Is key b the key a, but for output o? */
static bool is_output(const int64_t *a, const int64_t *b, size_t width, size_t out, int64_t o)
{
    for (size_t k = 0; k < width; k++)
        if (b[k] != (k == out ? o : a[k]))
            return false;
    return true;
}

/* Keys of output 0 from which the others' are at a fixed distance: then one row serves all outputs.
 * Rules that connect outputs to different nodes name `out` in their condition, or in a part of the
 * key that is more than `out`. */
static void join_outputs(rg_net_rule *rule, uint32_t n_outputs)
{
    size_t out = rg_rule_output_key(rule->rule), n = rg_rule_keys_size(rule->keys);
    size_t width = rg_rule_keys_width(rule->keys), stride = 1, firsts = 0;
    const int64_t *keys = rg_rule_keys_data(rule->keys);
    rule->outputs = rule->stride = 0;
    if (out == SIZE_MAX || n_outputs < 2 || n == 0)
        return;
    while (stride < n && !is_output(keys, keys + stride * width, width, out, 1))
        stride++;
    for (size_t k = 0; k < n; k++) {
        if (keys[k * width + out] != 0)
            continue;
        firsts++;
        for (size_t o = 1; o < n_outputs; o++)
            if (k + o * stride >= n || !is_output(keys + k * width, keys + (k + o * stride) * width,
                                                  width, out, (int64_t)o))
                return;
    }
    if (firsts * n_outputs != n)
        return;
    rule->outputs = n_outputs;
    rule->stride = (uint32_t)stride;
}

rg_status rg_network_lay_out(rg_network *net, rg_error *err)
{
    bool fits = true;
    net->n_params = net->n_state = 0;
    for (size_t k = 0; k < net->n_layers; k++)
        fits &= place_layer(net, &net->layers[k]);
    if (!fits || net->n_params > UINT32_MAX)
        return rg_fail(err, RG_EFAIL, "network: more than 2^32 parameters");
    for (size_t k = 0; k < net->n_layers; k++) {
        rg_net_layer *layer = &net->layers[k];
        for (size_t r = 0; layer->kind->outputs && r < layer->n_rules; r++)
            join_outputs(&layer->rules[r], layer->rows_out);
        net->layers[k].state = net->n_params + net->n_state;
        net->n_state += net->layers[k].n_state;
    }
    return RG_OK;
}

uint32_t rg_network_rounds(const rg_network *net, bool *each)
{
    uint32_t rounds = 1;
    *each = false;
    for (size_t v = 0; v <= net->n_layers; v++)
        if (net->values[v].round == RG_EACH)
            *each |= !net->values[v].rows;
        else if (!net->values[v].rows && net->values[v].round >= rounds)
            rounds = net->values[v].round + 1;
    return rounds;
}

enum { SPARSE_CHANNELS = 64 }; /* from which on it pays */

bool rg_network_takes_sparse(const rg_network *net)
{
    if (net->batched || net->arrays || net->n_channels < SPARSE_CHANNELS)
        return false;
    for (size_t k = 0; k < net->n_layers; k++) {
        const rg_net_layer *layer = &net->layers[k];
        for (uint32_t n = 0; n <= layer->n_ins; n++) { /* the last one is what it adds */
            uint32_t v = n < layer->n_ins ? layer->ins[n] : layer->skip;
            if (v == RG_NO_INDEX)
                continue;
            bool dropped = v && net->layers[v - 1].ins[0] == 0 && net->layers[v - 1].kind->sparse;
            bool takes = layer->kind->features || (v == 0 && layer->kind->sparse);
            if ((v == 0 || dropped) && (!takes || n == layer->n_ins))
                return false;
        }
    }
    /* dropout alone is no network, but it may end one */
    return !net->layers[net->n_layers - 1].kind->sparse ||
           net->layers[net->n_layers - 1].ins[0] != 0;
}
