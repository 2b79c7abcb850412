/* statements.c - the statements of a model: which weights belong together, and their order. */
#include "explainer.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- from keys to statements */

/* The place of `out` itself in the keys of an aggregation; their width if it is no part. */
static size_t place_of_out(const rg_net_rule *rule)
{
    size_t width = rg_rule_keys_width(rule->keys);
    for (size_t k = 0; k < width; k++)
        if (strcmp(rg_rule_key_text(rule->rule, k), "out") == 0)
            return k;
    return width;
}

/* group[key]: keys that differ in `out` alone are one statement. *n of them, in the order of their
 * first keys. */
static rg_status group_keys(uint32_t *group, size_t *n, const rg_net_rule *rule, rg_error *err)
{
    size_t n_keys = rg_rule_keys_size(rule->keys), width = rg_rule_keys_width(rule->keys);
    size_t out = place_of_out(rule);
    const int64_t *keys = rg_rule_keys_data(rule->keys);
    int64_t rest[RG_RULE_KEYS_MAX];
    rg_table *table = rg_table_new();
    bool fine = table != NULL;
    for (size_t k = 0; fine && k < n_keys; k++) {
        size_t m = 0;
        for (size_t p = 0; p < width; p++)
            if (p != out)
                rest[m++] = keys[k * width + p];
        group[k] = rg_table_add(table, rest, m * sizeof *rest);
        fine = group[k] != RG_TABLE_NONE;
    }
    *n = fine ? rg_table_size(table) : 0;
    rg_table_free(table);
    return fine ? RG_OK : rg_fail_memory(err, "the statements of a model");
}

static void add_weight(rg_explainer *e, rg_statement *s, size_t at, size_t param, uint32_t in,
                       uint32_t out)
{
    double value = e->w[param];
    e->weights[at] = (rg_statement_weight){.param = param, .value = value, .in = in, .out = out};
    e->of_param[param] = (uint32_t)(s - e->statements);
    if (fabs(value) > fabs(s->weight))
        s->weight = value;
    s->n++;
}

static rg_statement *add_statement(rg_explainer *e, size_t layer, size_t rule, uint32_t key)
{
    rg_statement *s = &e->statements[e->n++];
    *s = (rg_statement){.layer = layer, .rule = rule, .key = key, .first = e->n_weights};
    return s;
}

/* A rule of a rule layer, or its bias: each key by itself. */
static void add_keys(rg_explainer *e, size_t l, size_t r, const rg_net_rule *rule, bool bias)
{
    const rg_net_layer *layer = &e->net.layers[l];
    size_t per_key = bias ? layer->n_out : rg_net_per_key(layer);
    for (size_t k = 0; k < rg_rule_keys_size(rule->keys); k++) {
        rg_statement *s = add_statement(e, l, r, (uint32_t)k);
        for (size_t p = 0; p < per_key; p++) {
            uint32_t out = (uint32_t)(p % layer->n_out);
            uint32_t in = bias ? 0 : layer->full ? (uint32_t)(p / layer->n_out) : out;
            add_weight(e, s, e->n_weights++, rule->at + k * per_key + p, in, out);
        }
    }
}

/* A rule of an aggregation: keys of all outputs together. */
static rg_status add_groups(rg_explainer *e, size_t l, size_t r, rg_error *err)
{
    const rg_net_rule *rule = &e->net.layers[l].rules[r];
    size_t n_keys = rg_rule_keys_size(rule->keys), width = rg_rule_keys_width(rule->keys), n = 0;
    size_t per_key = rg_net_per_key(&e->net.layers[l]), out = place_of_out(rule);
    const int64_t *keys = rg_rule_keys_data(rule->keys);
    uint32_t *group = rg_alloc(n_keys, sizeof *group);
    rg_status status =
        group ? group_keys(group, &n, rule, err) : rg_fail_memory(err, "the statements of a model");
    size_t first = e->n, at = e->n_weights;
    for (size_t k = 0, seen = 0; !status && k < n_keys; k++)
        if (group[k] == seen) {
            add_statement(e, l, r, (uint32_t)k);
            seen++;
        }
    for (size_t k = 0; !status && k < n_keys; k++)
        e->statements[first + group[k]].n += (uint32_t)per_key;
    for (size_t g = first; !status && g < e->n; g++) { /* from counts to places */
        e->statements[g].first = at;
        at += e->statements[g].n;
        e->statements[g].n = 0;
    }
    for (size_t k = 0; !status && k < n_keys; k++) {
        rg_statement *s = &e->statements[first + group[k]];
        uint32_t to = out < width ? (uint32_t)keys[k * width + out] : RG_NO_OUTPUT;
        for (size_t p = 0; p < per_key; p++)
            add_weight(e, s, s->first + s->n, rule->at + k * per_key + p, (uint32_t)p, to);
    }
    e->n_weights = at;
    rg_free(group);
    return status;
}

static rg_status add_layer(rg_explainer *e, size_t l, rg_error *err)
{
    const rg_net_layer *layer = &e->net.layers[l];
    rg_status status = RG_OK;
    e->first[l] = e->n;
    if (!layer->kind->rules)
        return RG_OK;
    for (size_t r = 0; !status && r < layer->n_rules; r++)
        if (layer->kind->outputs)
            status = add_groups(e, l, r, err);
        else
            add_keys(e, l, r, &layer->rules[r], false);
    if (!status && layer->bias.rule)
        add_keys(e, l, RG_STATEMENT_BIAS, &layer->bias, true);
    else if (!status && layer->bias.n_params) {
        rg_statement *s = add_statement(e, l, RG_STATEMENT_BIAS, 0);
        for (size_t p = 0; p < layer->bias.n_params; p++)
            add_weight(e, s, e->n_weights++, layer->bias.at + p, 0, (uint32_t)p);
    }
    return status;
}

bool rg_explainer_atoms(const rg_names *names)
{
    for (int64_t value = -1; value < 200 && rg_names_any(names, RG_NAME_NODE); value++) {
        const char *name = rg_names_find(names, RG_NAME_NODE, value);
        if (name && rg_name_is_atom(name))
            return true;
    }
    return false;
}

/* ---- layers that share rules: each gets parameters of its own, so that shares of one are not those of
 * the other */

static void note_origin(size_t *origin, size_t at, size_t from, size_t n)
{
    for (size_t k = 0; k < n; k++)
        origin[at + k] = from + k;
}

static rg_status part_layers(rg_explainer *e, rg_error *err)
{
    bool shared = false;
    const rg_network *net = e->model->net;
    for (size_t k = 0; k < net->n_layers; k++) {
        rg_net_layer *layer = &e->net.layers[k];
        *layer = net->layers[k];
        layer->fixed = false;
        if (!layer->n_rules || layer->like == RG_NO_INDEX)
            continue;
        layer->like = RG_NO_INDEX;
        shared = true;
    }
    rg_status status = shared ? rg_network_lay_out(&e->net, err) : RG_OK;
    if (status || !shared)
        return status;
    e->origin = rg_alloc_zero(e->net.n_params + e->net.n_state, sizeof *e->origin);
    for (size_t k = 0; e->origin && k < net->n_layers; k++) {
        const rg_net_layer *layer = &e->net.layers[k], *from = &net->layers[k];
        for (size_t r = 0; r < layer->n_rules; r++)
            note_origin(e->origin, layer->rules[r].at, from->rules[r].at, from->rules[r].n_params);
        note_origin(e->origin, layer->bias.at, from->bias.at, from->bias.n_params);
        note_origin(e->origin, layer->weights, from->weights, rg_net_n_weights(from));
        note_origin(e->origin, layer->state, from->state, from->n_state);
    }
    return e->origin ? RG_OK : rg_fail_memory(err, "the statements of a model");
}

size_t rg_explainer_origin(const rg_explainer *e, size_t param)
{
    return e->origin ? e->origin[param] : param;
}

rg_status rg_explainer_new(rg_explainer **out, const rg_model *model, const rg_names *names,
                           rg_error *err)
{
    size_t n, n_all;
    rg_explainer *e = rg_alloc_zero(1, sizeof *e);
    if (!e)
        return rg_fail_memory(err, "the statements of a model");
    e->model = model;
    e->names = names;
    e->net = *model->net;
    e->net.layers = rg_alloc(e->net.n_layers, sizeof *e->net.layers);
    e->atoms = rg_explainer_atoms(names);
    e->options = rg_predict_options_default();
    rg_status status =
        e->net.layers ? part_layers(e, err) : rg_fail_memory(err, "the statements of a model");
    n = e->net.n_params;
    n_all = n + e->net.n_state;
    e->w = rg_alloc(n_all, sizeof *e->w);
    e->statements = rg_alloc(n, sizeof *e->statements); /* each has a weight at least */
    e->weights = rg_alloc(n, sizeof *e->weights);
    e->of_param = rg_alloc(n, sizeof *e->of_param);
    if (!status && !(e->w && e->statements && e->weights && e->of_param))
        status = rg_fail_memory(err, "the statements of a model");
    for (size_t k = 0; !status && k < n_all; k++)
        e->w[k] = rg_model_weight(model, rg_explainer_origin(e, k));
    for (size_t k = 0; !status && k < n; k++)
        e->of_param[k] = RG_NO_STATEMENT;
    for (size_t l = 0; !status && l < e->net.n_layers; l++)
        status = add_layer(e, l, err);
    for (size_t l = e->net.n_layers; l <= RG_NET_LAYERS_MAX; l++)
        e->first[l] = e->n;
    if (status)
        rg_explainer_free(e);
    else
        *out = e;
    return status;
}

void rg_explainer_free(rg_explainer *e)
{
    if (!e)
        return;
    rg_walk_close(&e->walk);
    rg_pass_free(e->pass);
    rg_samples_free(e->samples);
    rg_free(e->net.layers);
    rg_free(e->w);
    rg_free(e->origin);
    rg_free(e->statements);
    rg_free(e->weights);
    rg_free(e->of_param);
    rg_free(e->means);
    rg_free(e);
}

/* ---- reading them */

size_t rg_explainer_n_statements(const rg_explainer *e)
{
    return e->n;
}

const rg_statement *rg_explainer_statement(const rg_explainer *e, size_t k)
{
    return &e->statements[k];
}

const rg_statement_weight *rg_explainer_weights(const rg_explainer *e, size_t k)
{
    return e->weights + e->statements[k].first;
}

void rg_explainer_scale(const rg_explainer *e, rg_model *model, size_t k, double factor)
{
    const rg_statement *s = &e->statements[k];
    for (uint32_t p = 0; p < s->n; p++) {
        size_t param = rg_explainer_origin(e, e->weights[s->first + p].param);
        rg_model_set_weight(model, param, factor * rg_model_weight(model, param));
    }
}

bool rg_explainer_shift(const rg_explainer *e, rg_model *model, uint32_t output, double by)
{
    const rg_net_layer *last = &e->net.layers[e->net.last];
    if (last->activation != RG_IDENTITY || last->bias.rule || output >= last->bias.n_params)
        return false;
    size_t param = rg_explainer_origin(e, last->bias.at + output);
    rg_model_set_weight(model, param, rg_model_weight(model, param) + by);
    return true;
}

const double *rg_explainer_means(const rg_explainer *e, size_t k)
{
    return e->means ? e->means + k * e->net.n_outputs : NULL;
}

size_t rg_explainer_n_layers(const rg_explainer *e)
{
    return e->net.n_layers;
}

size_t rg_explainer_n_file_layers(const rg_explainer *e)
{
    return e->net.spec->n_layers;
}

bool rg_explainer_is_plain(const rg_explainer *e)
{
    for (size_t l = 0; l < e->net.n_layers; l++)
        if (e->net.layers[l].of != l)
            return false;
    return true;
}

rg_layer_facts rg_explainer_layer(const rg_explainer *e, size_t l)
{
    const rg_net_layer *layer = &e->net.layers[l];
    const rg_layer_spec *of = &e->net.spec->layers[layer->of];
    rg_layer_facts facts = {.kind = layer->kind->name,
                            .of = layer->of,
                            .of_kind = of->kind->name,
                            .residual = of->residual,
                            .weights = layer->n_rules ? of->weights : NULL,
                            .n_rules = layer->n_rules,
                            .first = e->first[l],
                            .n = e->first[l + 1] - e->first[l],
                            .n_params = layer->bias.n_params,
                            .n_in = layer->n_in,
                            .n_out = layer->kind->outputs ? layer->rows_out : layer->n_out,
                            .activation = rg_activation_name(layer->activation)};
    for (size_t r = 0; r < layer->n_rules; r++)
        facts.n_params += layer->rules[r].n_params;
    if (layer->like == RG_NO_INDEX)
        facts.n_params += rg_net_n_weights(layer);
    facts.has_bias = facts.n > 0 && layer->bias.n_params > 0;
    return facts;
}

const char *rg_explainer_rule(const rg_explainer *e, size_t l, size_t r)
{
    const rg_net_layer *layer = &e->net.layers[l];
    if (r == RG_STATEMENT_BIAS)
        return layer->bias.rule ? rg_rule_text(layer->bias.rule) : "one value per output";
    return rg_rule_text(layer->rules[r].rule);
}

void rg_explainer_words(rg_text *out, const rg_explainer *e, size_t k)
{
    const rg_statement *s = &e->statements[k];
    const rg_net_layer *layer = &e->net.layers[s->layer];
    const rg_net_rule *rule = s->rule == RG_STATEMENT_BIAS ? &layer->bias : &layer->rules[s->rule];
    if (!rule->rule)
        rg_text_add(out, "every output");
    else
        rg_sentence_say(out, e, rule->rule,
                        rg_rule_keys_data(rule->keys) + s->key * rg_rule_keys_width(rule->keys));
}

void rg_explainer_label_words(rg_text *out, const rg_explainer *e, size_t labeling, uint32_t label)
{
    rg_phrase phrase = {.names = e->names};
    rg_phrase_label(&phrase, e->net.labelings[labeling], label, e->net.spec->label_names[labeling]);
    rg_phrase_end(out, &phrase);
}

void rg_explainer_output_words(rg_text *out, const rg_explainer *e, uint32_t c)
{
    bool classes = rg_task_of_classes(e->net.task);
    int64_t value = rg_model_class(e->model, c);
    const char *name =
        e->net.task == RG_TASK_CLASSES ? rg_names_find(e->names, RG_NAME_CLASS, value) : NULL;
    if (name)
        rg_text_add(out, "class %" PRId64 " (%s)", value, name);
    else if (classes)
        rg_text_add(out, "class %" PRId64, value);
    else
        rg_text_add(out, "%s %u", rg_task_of_values(e->net.task) ? "value" : "answer", (unsigned)c);
}

/* ---- their order */

typedef struct ranked_statement {
    uint32_t number;
    double first, second; /* larger goes before */
} ranked_statement;

static int by_rank(const void *a, const void *b)
{
    const ranked_statement *x = a, *y = b;
    if (x->first != y->first)
        return x->first < y->first ? 1 : -1;
    if (x->second != y->second)
        return x->second < y->second ? 1 : -1;
    return (x->number > y->number) - (x->number < y->number);
}

static ranked_statement rank_of(const rg_statement *s, uint32_t number, rg_explain_order order)
{
    ranked_statement r = {.number = number, .first = fabs(s->weight)};
    if (order == RG_BY_CONTRIBUTION)
        r = (ranked_statement){number, fabs(s->contribution), fabs(s->weight)};
    else if (order == RG_BY_SUPPORT)
        r = (ranked_statement){number, (double)s->graphs, (double)s->pairs};
    else if (order == RG_BY_REMOVAL)
        r = (ranked_statement){number, s->removed ? fabs(s->removal) : -1, (double)s->changed};
    if (isnan(r.first)) /* weights that are no numbers come first: something is wrong with them */
        r.first = INFINITY;
    return r;
}

rg_status rg_explainer_rank(uint32_t *out, size_t *n, const rg_explainer *e, size_t layer,
                            bool bias, rg_explain_order order, size_t most, rg_error *err)
{
    size_t first = e->first[layer], end = e->first[layer + 1], m = 0;
    ranked_statement *list = rg_alloc(end - first, sizeof *list);
    if (!list)
        return rg_fail_memory(err, "the order of statements");
    for (size_t k = first; k < end; k++)
        if ((e->statements[k].rule == RG_STATEMENT_BIAS) == bias)
            list[m++] = rank_of(&e->statements[k], (uint32_t)k, order);
    qsort(list, m, sizeof *list, by_rank);
    *n = m < most ? m : most;
    for (size_t k = 0; k < *n; k++)
        out[k] = list[k].number;
    rg_free(list);
    return RG_OK;
}
