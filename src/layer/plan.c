/* plan.c - from the layers of a file to those of a network: inputs by name, shapes, places of
 * values. */
#include "layer.h"

#include "base/error.h"
#include "batch/colours.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- questions about the layers of a file */

static bool is_batched(const rg_layer_spec *layer)
{
    return layer->kind->batched ||
           (layer->kind->batched_if && layer->own[0] == layer->kind->batched_if);
}

bool rg_specs_batched(const rg_layer_spec *specs, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (is_batched(&specs[k]))
            return true;
    return false;
}

size_t rg_specs_last(const rg_layer_spec *specs, size_t n)
{
    size_t k = n;
    while (k > 0 && specs[k - 1].kind->plain)
        k--;
    return k > 0 ? k - 1 : n;
}

rg_activation rg_specs_activation(const rg_layer_spec *specs, size_t n, size_t layer, bool paper)
{
    const rg_layer_spec *l = &specs[layer];
    if (l->has_activation)
        return l->activation;
    return layer == rg_specs_last(specs, n) && !paper ? RG_IDENTITY : l->kind->usual;
}

size_t rg_specs_find(const rg_layer_spec *specs, size_t layer, const char *name, bool *found)
{
    *found = true;
    for (size_t k = layer; k-- > 0;)
        if (specs[k].name && strcmp(specs[k].name, name) == 0)
            return k;
    *found = strcmp(name, "input") == 0;
    return SIZE_MAX;
}

/* ---- adding layers */

void rg_plan_complain(rg_layer_plan *plan, const char *format, ...)
{
    char what[400];
    size_t line = plan->specs[plan->at].line;
    va_list args;
    if (plan->status)
        return;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    plan->status = line
                       ? rg_fail(plan->err, RG_EDATA, "network: line %zu, layer %zu: %s", line,
                                 plan->at + 1, what)
                       : rg_fail(plan->err, RG_EDATA, "network: layer %zu: %s", plan->at + 1, what);
}

const rg_value *rg_plan_value(const rg_layer_plan *plan, uint32_t x)
{
    return &plan->values[plan->status ? 0 : x];
}

uint32_t rg_plan_width(rg_layer_plan *plan, uint32_t width)
{
    if (!width && !plan->last)
        rg_plan_complain(plan, "the width is missing: only the last layer takes it from the task");
    return width ? width : plan->n_outputs;
}

rg_net_layer *rg_plan_add(rg_layer_plan *plan, const rg_layer_kind *kind, uint32_t x,
                          const rg_layer_spec *spec)
{
    if (plan->n_layers == RG_NET_LAYERS_MAX)
        rg_plan_complain(plan,
                         "the network has more than %d layers, counting those that others "
                         "are made of",
                         RG_NET_LAYERS_MAX);
    if (plan->status)
        return NULL;
    /* the last round of colours has no next one */
    if (plan->batched && (kind->each || (kind->rounds && plan->values[x].round + 1 == RG_EACH)))
        x = rg_plan_each(plan, x);
    if (plan->status)
        return NULL;
    rg_net_layer *layer = &plan->layers[plan->n_layers++];
    *layer = (rg_net_layer){.kind = kind,
                            .of = plan->at,
                            .ins = {x},
                            .n_ins = 1,
                            .skip = RG_NO_INDEX,
                            .like = RG_NO_INDEX,
                            .n_in = plan->values[x].channels,
                            .rows_in = plan->values[x].rows,
                            .shape_in = plan->values[x].shape,
                            .rows_out = plan->values[x].rows};
    for (size_t k = 0; kind->settings[k].type; k++)
        layer->own[k] = spec ? spec->own[k] : kind->settings[k].usual;
    if (spec) {
        layer->n_rules = spec->n_rules;
        layer->n_out = spec->width;
        layer->shape_out = spec->shape;
        layer->activation = plan->activation;
    }
    return layer;
}

/* What keeps a layer of the file from having the rules of another; NULL: nothing. */
static const char *other_rules(const rg_layer_spec *a, const rg_layer_spec *b)
{
    if (a->n_rules != b->n_rules)
        return "another number of rules";
    for (size_t r = 0; r < a->n_rules; r++)
        if (strcmp(a->rules[r], b->rules[r]) != 0)
            return "another rule";
    if (!a->bias != !b->bias || (a->bias && strcmp(a->bias, b->bias) != 0))
        return "another bias";
    return NULL;
}

static bool same_places(rg_rule_shape a, rg_rule_shape b)
{
    return a.rows == b.rows && a.cols == b.cols && a.channels == b.channels && a.depth == b.depth;
}

/* Layers with 'weights: NAME', once their shape is known: the parameters are those of an earlier layer of
 * the same kind, which must be alike. */
static void share(rg_layer_plan *plan, rg_net_layer *layer)
{
    const rg_layer_spec *spec = &plan->specs[plan->at];
    const char *name = spec->weights;
    bool found = false, of_spec = layer && layer->kind == spec->kind;
    if (plan->status || !of_spec || !name)
        return;
    size_t other = rg_specs_find(plan->specs, plan->at, name, &found);
    if (!found || other == SIZE_MAX || plan->specs[other].kind != spec->kind) {
        rg_plan_complain(plan, "no %s layer before is called '%s'", spec->kind->name, name);
        return;
    }
    uint32_t like = plan->of_spec[other] - 1;
    while (plan->layers[like].kind != spec->kind) /* a sum, because of 'residual' */
        like--;
    const rg_net_layer *first = &plan->layers[like];
    const char *differs = other_rules(&plan->specs[other], spec);
    bool of_nodes = !layer->kind->outputs;
    if (differs)
        rg_plan_complain(plan, "'weights: %s' has %s, expected the same as here", name, differs);
    else if (first->n_in != layer->n_in || first->n_out != layer->n_out ||
             first->n_bias != layer->n_bias || (!of_nodes && first->rows_out != layer->rows_out))
        rg_plan_complain(
            plan,
            "'weights: %s' has %u input channels and %u output channels, expected %u "
            "and %u as here, and a bias as here",
            name, (unsigned)first->n_in, (unsigned)(of_nodes ? first->n_out : first->rows_out),
            (unsigned)layer->n_in, (unsigned)(of_nodes ? layer->n_out : layer->rows_out));
    else if (first->full != layer->full)
        rg_plan_complain(plan, "'weights: %s' has another 'mix', expected the same as here", name);
    else if (layer->kind->rules && (!same_places(first->shape_in, layer->shape_in) ||
                                    !same_places(first->shape_out, layer->shape_out)))
        rg_plan_complain(
            plan, "'weights: %s' goes from another shape or to another, expected the same as here",
            name);
    layer->like = first->like == RG_NO_INDEX ? like : first->like;
}

uint32_t rg_plan_shape(rg_layer_plan *plan, rg_net_layer *layer)
{
    if (plan->status || !layer)
        return 0;
    rg_value *out = &plan->values[plan->n_layers];
    const rg_value *in = &plan->values[layer->ins[0]];
    *out = *in;
    out->readers = 0;
    const char *word = plan->specs[plan->at].kind->name; /* as the file has it */
    if (layer->kind->nodes && in->rows && !plan->arrays)
        rg_plan_complain(plan, "%s %s layer needs nodes, and an earlier layer aggregated them",
                         strchr("aeiou", word[0]) ? "an" : "a", word);
    else if (layer->kind->batched && plan->arrays)
        rg_plan_complain(plan, "a layer '%s' is for graphs, and the samples are arrays", word);
    if (!plan->status && layer->kind->shape)
        layer->kind->shape(plan, layer, out);
    else if (!plan->status) {
        layer->n_out = layer->n_in;
        layer->rows_out = layer->rows_in;
    }
    share(plan, layer);
    return plan->status ? 0 : (uint32_t)plan->n_layers;
}

uint32_t rg_plan_put(rg_layer_plan *plan, const rg_layer_kind *kind, uint32_t x, uint32_t n_out)
{
    rg_net_layer *layer = rg_plan_add(plan, kind, x, NULL);
    if (layer)
        layer->n_out = n_out;
    return rg_plan_shape(plan, layer);
}

uint32_t rg_plan_each(rg_layer_plan *plan, uint32_t x)
{
    const rg_value *v = rg_plan_value(plan, x);
    return v->rows || v->round == RG_EACH ? x : rg_plan_put(plan, &rg_layer_each, x, 0);
}

uint32_t rg_plan_many(rg_layer_plan *plan, const rg_layer_kind *kind, const uint32_t *xs,
                      uint32_t n)
{
    if (n == 1)
        return xs[0];
    rg_net_layer *layer = rg_plan_add(plan, kind, xs[0], NULL);
    for (uint32_t k = 1; layer && k < n; k++)
        layer->ins[layer->n_ins++] = xs[k];
    return rg_plan_shape(plan, layer);
}

/* ---- a layer of the file */

/* Values of its inputs. */
static void find_inputs(rg_layer_plan *plan)
{
    const rg_layer_spec *spec = &plan->specs[plan->at];
    plan->n_ins = 0;
    for (size_t k = 0; spec->every && k < plan->at; k++)
        if (!plan->specs[k].kind->plain && plan->values[plan->of_spec[k]].rows == 0)
            plan->ins[plan->n_ins++] = plan->of_spec[k];
    for (size_t k = 0; k < spec->n_from; k++) {
        bool found;
        size_t at = rg_specs_find(plan->specs, plan->at, spec->from[k], &found);
        if (!found)
            rg_plan_complain(plan, "no layer before is called '%s'", spec->from[k]);
        plan->ins[plan->n_ins++] = !found || at == SIZE_MAX ? 0 : plan->of_spec[at];
    }
    if (spec->every && !plan->n_ins)
        rg_plan_complain(plan, "no layer before has nodes");
    if (!plan->n_ins)
        plan->ins[plan->n_ins++] = plan->at ? plan->of_spec[plan->at - 1] : 0;
}

static bool same_shape(const rg_value *a, const rg_value *b)
{
    return a->rows == b->rows && a->channels == b->channels;
}

/* The input is added after the activation: by the layer itself where rows of both are the same. */
static uint32_t add_residual(rg_layer_plan *plan, uint32_t out, uint32_t x)
{
    const uint32_t both[] = {out, x};
    if (plan->status)
        return 0;
    if (!same_shape(&plan->values[out], &plan->values[x])) {
        rg_plan_complain(plan, "'residual' needs outputs of the same shape as the inputs");
        return 0;
    }
    if (plan->batched)
        return rg_plan_many(plan, &rg_layer_add, both, 2);
    plan->layers[out - 1].skip = x;
    return out;
}

static uint32_t put_layer(rg_layer_plan *plan)
{
    const rg_layer_spec *spec = &plan->specs[plan->at];
    uint32_t x = plan->ins[0], out;
    if (spec->kind->expand)
        out = spec->kind->expand(plan, spec, x);
    else {
        rg_net_layer *layer = rg_plan_add(plan, spec->kind, x, spec);
        for (uint32_t k = 1; layer && spec->kind->many && k < plan->n_ins; k++)
            layer->ins[layer->n_ins++] = plan->ins[k];
        out = rg_plan_shape(plan, layer);
    }
    return spec->residual ? add_residual(plan, out, x) : out;
}

/* ---- all of them */

/* Which gradients are wanted, and who fills them first: the last reader of a value is the first on
 * the way back; it writes, all others add. */
static void seal(rg_layer_plan *plan)
{
    for (size_t k = 0; k < plan->n_layers; k++) {
        rg_net_layer *layer = &plan->layers[k];
        bool learned = layer->n_rules || layer->weight_rows || layer->n_bias;
        for (uint32_t n = 0; n < layer->n_ins; n++) {
            learned |= plan->values[layer->ins[n]].learned;
            plan->values[layer->ins[n]].readers++;
        }
        if (layer->skip != RG_NO_INDEX)
            plan->values[layer->skip].readers++;
        plan->values[k + 1].learned = learned;
    }
    for (uint32_t v = 0; v <= plan->n_layers; v++) {
        bool filled = false;
        for (size_t k = plan->n_layers; k-- > 0;) {
            rg_net_layer *layer = &plan->layers[k];
            if (layer->skip == v) {
                layer->skip_add = filled;
                filled = true;
            }
            for (uint32_t n = 0; n < layer->n_ins; n++)
                if (layer->ins[n] == v) {
                    layer->add[n] = filled;
                    filled = true;
                }
        }
    }
    /* the input can stand in the tables if nobody else takes it */
    plan->layers[0].fixed = plan->layers[0].fixed && plan->values[0].readers == 1;
}

/* A layer that nobody takes would learn nothing, and nobody would fill its gradient. */
static void check_readers(rg_layer_plan *plan)
{
    for (uint32_t v = 1; v < plan->n_layers; v++)
        if (!plan->values[v].readers) {
            plan->at = plan->layers[v - 1].of;
            rg_plan_complain(plan, "no later layer takes its output: expected its 'name' among "
                                   "the inputs of one");
        }
}

void rg_plan_all(rg_layer_plan *plan, bool paper)
{
    size_t last = rg_specs_last(plan->specs, plan->n_specs);
    plan->n_layers = 0;
    plan->batched = rg_specs_batched(plan->specs, plan->n_specs);
    for (plan->at = 0; !plan->status && plan->at < plan->n_specs; plan->at++) {
        plan->last = plan->at == last;
        plan->activation = rg_specs_activation(plan->specs, plan->n_specs, plan->at, paper);
        find_inputs(plan);
        if (!plan->status)
            plan->of_spec[plan->at] = put_layer(plan);
    }
    plan->at = plan->n_specs - 1;
    if (!plan->status && plan->nodes && plan->batched)
        rg_plan_each(plan, (uint32_t)plan->n_layers);
    if (!plan->status)
        seal(plan);
    if (!plan->status)
        check_readers(plan);
}
