/* transfer.c - see transfer.h: layer by layer, along values whose channels are known to mean the same. */
#include "transfer.h"

#include "base/alloc.h"
#include "base/error.h"
#include "map.h"

#include <math.h>
#include <string.h>

enum { PARTS_PER_LAYER = RG_SPEC_RULES_MAX + 2 };

static const char no_layer[] = "the model has no such layer";
static const char no_input[] = "its input means something else";
static const char no_output[] = "the outputs mean something else";

/* What is known of a value of the new network. */
typedef struct known_value {
    uint32_t twin;       /* the value of the model, RG_NO_TWIN: none */
    const uint32_t *map; /* [channel]: that of the twin, or RG_NO_TWIN; NULL: all are the same */
} known_value;

typedef struct transfer {
    rg_transfer_side to, from;
    const rg_model *model;
    double *start;
    known_value *values;        /* [n_layers + 1] */
    uint32_t *inputs, *outputs; /* maps */
    bool any_input, any_output;
    rg_start_part *parts;
    size_t n_parts;
} transfer;

/* ---- which layers belong together */

/* The layer of the model's file that stands for this one. */
static size_t spec_twin(const transfer *t, size_t s)
{
    const rg_spec *to = t->to.net->spec, *from = t->from.net->spec;
    const char *name = to->layers[s].name;
    size_t k = s;
    for (size_t other = 0; name && other < from->n_layers; other++)
        if (from->layers[other].name && strcmp(from->layers[other].name, name) == 0)
            k = other;
    return k < from->n_layers && from->layers[k].kind == to->layers[s].kind ? k : SIZE_MAX;
}

static const rg_net_layer *layer_twin(const transfer *t, size_t k)
{
    const rg_network *to = t->to.net, *from = t->from.net;
    const rg_net_layer *layer = &to->layers[k];
    size_t spec = spec_twin(t, layer->of), number = 0, at = 0;
    while (number < k && to->layers[k - number - 1].of == layer->of)
        number++;
    while (at < from->n_layers && from->layers[at].of != spec)
        at++;
    at += number;
    bool there = spec != SIZE_MAX && at < from->n_layers && from->layers[at].of == spec &&
                 from->layers[at].kind == layer->kind;
    return there ? &from->layers[at] : NULL;
}

static bool is_last(const transfer *t, const rg_net_layer *to, const rg_net_layer *from)
{
    return to == &t->to.net->layers[t->to.net->last] &&
           from == &t->from.net->layers[t->from.net->last];
}

/* Does channel c of a layer read channel c alone? */
static bool is_each(const rg_net_layer *layer)
{
    return layer->n_rules && !layer->full;
}

/* Does channel c come out as channel c comes in, whatever the channels are? */
static bool passes_channels(const rg_net_layer *layer)
{
    return (layer->kind->plain && !layer->weight_rows) || layer->kind == &rg_layer_message;
}

/* Why nothing of a layer can be taken; NULL: something can. */
static const char *apart(const transfer *t, const rg_net_layer *to, const rg_net_layer *from)
{
    if (!from)
        return no_layer;
    for (uint32_t n = 0; n < to->n_ins; n++) {
        const known_value *in = &t->values[to->ins[n]];
        if (to->n_ins != from->n_ins || in->twin != from->ins[n])
            return no_input;
        if (in->map &&
            (to->n_ins > 1 || !(to->n_rules || to->kind->features || passes_channels(to))))
            return no_input;
    }
    const uint32_t *out = is_each(to) || passes_channels(to) ? t->values[to->ins[0]].map : NULL;
    bool skips = to->skip != RG_NO_INDEX;
    if (skips != (from->skip != RG_NO_INDEX) ||
        (skips && (t->values[to->skip].twin != from->skip || t->values[to->skip].map != out)))
        return no_input;
    if (to->activation != from->activation || to->full != from->full)
        return "its activation or 'mix' is another";
    if (memcmp(&to->shape_in, &from->shape_in, sizeof to->shape_in) != 0 ||
        memcmp(&to->shape_out, &from->shape_out, sizeof to->shape_out) != 0)
        return "its shape is another";
    if (is_last(t, to, from))
        return t->any_output ? NULL : no_output;
    return to->n_out == from->n_out && to->rows_out == from->rows_out ? NULL
                                                                      : "its width is another";
}

/* ---- numbers */

/* A block [n_in][n_out] of weights by both maps (NULL: the same places). How many were taken. */
static size_t take_block(transfer *t, size_t to, size_t from, uint32_t n_in, const uint32_t *ins,
                         uint32_t n_out, uint32_t n_out_from, const uint32_t *outs)
{
    size_t taken = 0;
    for (uint32_t i = 0; i < n_in; i++)
        for (uint32_t o = 0; o < n_out; o++) {
            uint32_t a = ins ? ins[i] : i, b = outs ? outs[o] : o;
            if (a == RG_NO_TWIN || b == RG_NO_TWIN)
                continue;
            t->start[to + (size_t)i * n_out + o] =
                rg_model_weight(t->model, from + (size_t)a * n_out_from + b);
            taken++;
        }
    return taken;
}

static void note(transfer *t, const rg_net_layer *layer, const char *what, size_t n, size_t taken,
                 const char *why)
{
    if (n)
        t->parts[t->n_parts++] = (rg_start_part){.layer = layer->of,
                                                 .kind = layer->kind->name,
                                                 .what = what,
                                                 .n = n,
                                                 .taken = taken,
                                                 .why = taken ? NULL : why};
}

/* What a layer needs to know of its channels. */
typedef struct channels {
    const uint32_t *ins, *outs; /* maps of rows and columns of a key's weights */
    uint32_t n_in, n_out, n_in_from, n_out_from;
    const uint32_t *biases; /* map of the outputs of biases */
    bool last;
} channels;

static channels channels_of(const transfer *t, const rg_net_layer *to, const rg_net_layer *from)
{
    channels c = {.ins = t->values[to->ins[0]].map,
                  .n_in = is_each(to) ? 1 : to->n_in,
                  .n_out = to->n_out,
                  .n_in_from = is_each(from) ? 1 : from->n_in,
                  .n_out_from = from->n_out,
                  .last = is_last(t, to, from)};
    const uint32_t *outputs = c.last ? t->outputs : NULL;
    if (is_each(to)) {
        c.outs = outputs ? outputs : c.ins;
        c.ins = NULL;
    } else
        c.outs = to->kind->outputs ? NULL : outputs;
    c.biases = to->kind->outputs ? outputs : c.outs;
    return c;
}

static rg_status take_rule(transfer *t, const rg_net_layer *layer, const rg_net_rule *to,
                           const rg_net_rule *from, const channels *c, bool bias, rg_error *err)
{
    size_t n = rg_rule_keys_size(to->keys), taken = 0;
    uint32_t n_in = bias ? 1 : c->n_in, n_in_from = bias ? 1 : c->n_in_from;
    const char *why = "the model has no such rule in the layer";
    uint32_t *map = from ? rg_alloc(n, sizeof *map) : NULL;
    rg_status status = RG_OK;
    if (from && !map)
        return rg_fail_memory(err, "start values of a model");
    if (from)
        status = rg_transfer_keys(map, &why, &t->to, to, &t->from, from,
                                  c->last && layer->kind->outputs, err);
    for (size_t k = 0; !status && from && k < n; k++)
        if (map[k] != RG_NO_TWIN)
            taken += take_block(t, to->at + k * n_in * c->n_out,
                                from->at + (size_t)map[k] * n_in_from * c->n_out_from, n_in,
                                bias ? NULL : c->ins, c->n_out, c->n_out_from, c->outs) > 0;
    if (!status)
        note(t, layer, rg_rule_text(to->rule), n, taken, why ? why : no_input);
    rg_free(map);
    return status;
}

static const rg_net_rule *rule_twin(const rg_net_rule *rule, const rg_net_layer *from)
{
    for (size_t r = 0; r < from->n_rules; r++)
        if (strcmp(rg_rule_text(from->rules[r].rule), rg_rule_text(rule->rule)) == 0)
            return &from->rules[r];
    return NULL;
}

/* Biases that no rule has, and weights that none has. */
static void take_plain(transfer *t, const rg_net_layer *to, const rg_net_layer *from,
                       const channels *c)
{
    bool dense = to->kind->features; /* rows are input channels, columns outputs */
    size_t n = rg_net_n_weights(to), n_from = rg_net_n_weights(from), taken = 0;
    if (dense)
        taken = take_block(t, to->weights, from->weights, c->n_in, c->ins, c->n_out, c->n_out_from,
                           c->outs);
    else if (n == n_from && !c->ins && (!c->last || !t->outputs))
        taken = take_block(t, to->weights, from->weights, 1, NULL, (uint32_t)n, (uint32_t)n, NULL);
    note(t, to, "weights", n, taken, no_input);
    uint32_t n_bias = (uint32_t)to->n_bias;
    if (n_bias && from->n_bias && (c->biases || to->n_bias == from->n_bias))
        note(t, to, "bias", n_bias,
             take_block(t, to->bias.at, from->bias.at, 1, NULL, n_bias, (uint32_t)from->n_bias,
                        c->biases),
             no_output);
    if (to->n_state == from->n_state && !c->ins)
        take_block(t, to->state, from->state, 1, NULL, (uint32_t)to->n_state, (uint32_t)to->n_state,
                   NULL);
}

static void refuse(transfer *t, const rg_net_layer *layer, const char *why)
{
    for (size_t r = 0; r < layer->n_rules; r++)
        note(t, layer, rg_rule_text(layer->rules[r].rule), rg_rule_keys_size(layer->rules[r].keys),
             0, why);
    if (layer->bias.rule)
        note(t, layer, rg_rule_text(layer->bias.rule), rg_rule_keys_size(layer->bias.keys), 0, why);
    note(t, layer, "weights", rg_net_n_weights(layer), 0, why);
    if (!layer->bias.rule)
        note(t, layer, "bias", layer->n_bias, 0, why);
}

/* Is anything of a layer's own taken? Those without any go on with what comes in. */
static bool has_taken(const transfer *t, size_t first)
{
    bool taken = first == t->n_parts;
    for (size_t k = first; k < t->n_parts; k++)
        taken = taken || t->parts[k].taken;
    return taken;
}

static rg_status take_layer(transfer *t, size_t k, rg_error *err)
{
    const rg_net_layer *to = &t->to.net->layers[k], *from = layer_twin(t, k);
    known_value *out = &t->values[k + 1];
    const char *why = apart(t, to, from);
    size_t first = t->n_parts;
    bool shared = to->like != RG_NO_INDEX;
    rg_status status = RG_OK;
    *out = (known_value){.twin = RG_NO_TWIN};
    if (why) {
        if (!shared)
            refuse(t, to, why);
        return RG_OK;
    }
    channels c = channels_of(t, to, from);
    for (size_t r = 0; !status && !shared && r < to->n_rules; r++)
        status = take_rule(t, to, &to->rules[r], rule_twin(&to->rules[r], from), &c, false, err);
    if (!status && !shared && to->bias.rule) {
        bool same = from->bias.rule &&
                    strcmp(rg_rule_text(to->bias.rule), rg_rule_text(from->bias.rule)) == 0;
        status = take_rule(t, to, &to->bias, same ? &from->bias : NULL, &c, true, err);
    }
    if (!status && !shared)
        take_plain(t, to, from, &c);
    if (!status && has_taken(t, first)) {
        out->twin = (uint32_t)(from - t->from.net->layers) + 1;
        out->map = is_each(to) || passes_channels(to) ? t->values[to->ins[0]].map : NULL;
    }
    return status;
}

/* ---- all of it */

static rg_status open_transfer(transfer *t, rg_error *err)
{
    const rg_network *to = t->to.net, *from = t->from.net;
    size_t layers = to->n_layers;
    t->values = rg_alloc_zero(layers + 1, sizeof *t->values);
    t->inputs = rg_alloc(to->n_channels + (size_t)1, sizeof *t->inputs);
    t->outputs = rg_alloc(to->n_outputs + (size_t)1, sizeof *t->outputs);
    t->parts = rg_alloc(layers * PARTS_PER_LAYER + 1, sizeof *t->parts);
    rg_status status = t->values && t->inputs && t->outputs && t->parts && t->to.m.words
                           ? RG_OK
                           : rg_fail_memory(err, "start values of a model");
    if (!status)
        status = rg_transfer_side_open(&t->to, err);
    if (!status)
        status = rg_transfer_side_open(&t->from, err);
    if (!status)
        status = rg_transfer_match(t->inputs, &t->any_input, t->to.inputs, to->n_channels,
                                   t->from.inputs, from->n_channels, err);
    if (!status)
        status = rg_transfer_match(t->outputs, &t->any_output, t->to.outputs, to->n_outputs,
                                   t->from.outputs, from->n_outputs, err);
    if (status)
        return status;
    bool same = to->n_channels == from->n_channels;
    for (uint32_t c = 0; c < to->n_channels; c++)
        same = same && t->inputs[c] == c;
    t->values[0] =
        (known_value){.twin = t->any_input ? 0 : RG_NO_TWIN, .map = same ? NULL : t->inputs};
    return RG_OK;
}

static void close_transfer(transfer *t)
{
    rg_table_free(t->to.m.words);
    rg_transfer_side_close(&t->to);
    rg_transfer_side_close(&t->from);
    rg_free(t->values);
    rg_free(t->inputs);
    rg_free(t->outputs);
    rg_free(t->parts);
}

rg_status rg_transfer(double *start, const rg_network *net, const rg_train_options *o,
                      rg_error *err)
{
    const rg_network *from = o->start->net;
    transfer t = {.model = o->start, .start = start};
    if (net->arrays != from->arrays)
        return rg_fail(err, RG_EDATA, "the model to start from is for %s, and the data are %s",
                       from->arrays ? "arrays" : "graphs", net->arrays ? "arrays" : "graphs");
    for (size_t k = 0; k < net->n_params + net->n_state; k++)
        start[k] = (double)NAN;
    rg_meanings m = {.words = rg_table_new(), .by_value = o->start_same_values != 0};
    t.to = (rg_transfer_side){.net = net, .m = m};
    t.from = (rg_transfer_side){.net = from, .m = m};
    t.to.m.names[0] = net->names.list;
    t.to.m.n_names[0] = net->names.n_values;
    t.to.m.names[1] = o->names;
    t.to.m.n_names[1] = o->n_names;
    t.from.m.names[0] = from->names.list;
    t.from.m.n_names[0] = from->names.n_values;
    t.from.m.names[1] = o->start_names;
    t.from.m.n_names[1] = o->n_start_names;
    rg_status status = open_transfer(&t, err);
    for (size_t k = 0; !status && k < net->n_layers; k++)
        status = take_layer(&t, k, err);
    if (!status && o->started)
        o->started(o->started_context, t.parts, t.n_parts);
    close_transfer(&t);
    return status;
}
