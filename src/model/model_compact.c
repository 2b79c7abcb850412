/* model_compact.c - taking keys without weights out of a model. */
#include "base/alloc.h"
#include "base/error.h"
#include "model.h"

#include <string.h>

/* Is any of the n weights from `at` on not zero? */
static bool any(const rg_model *m, size_t at, size_t n)
{
    for (size_t k = at; k < at + n; k++)
        if (rg_model_weight(m, k) != 0)
            return true;
    return false;
}

/* The keys of a rule that keep a weight; their weights are moved to the front of its own (kept NULL:
 * another layer has them). At least one key stays, so that the rule stays a rule. */
static rg_status keep_keys(rg_rule_keys **out, rg_model *m, const rg_net_rule *rule, size_t per_key,
                           bool all, double *kept, rg_error *err)
{
    size_t n = rg_rule_keys_size(rule->keys), width = rg_rule_keys_width(rule->keys), left = 0;
    int64_t *values = rg_alloc(n * width, sizeof *values);
    if (!values)
        return rg_fail_memory(err, "pruning a model");
    for (size_t k = 0; k < n; k++) {
        if (!all && !any(m, rule->at + k * per_key, per_key) && !(k + 1 == n && left == 0))
            continue;
        memcpy(values + left * width, rg_rule_keys_data(rule->keys) + k * width,
               width * sizeof *values);
        for (size_t v = 0; kept && v < per_key; v++)
            kept[left * per_key + v] = rg_model_weight(m, rule->at + k * per_key + v);
        left++;
    }
    size_t n_edges;
    const double *edges = rg_rule_keys_edges(rule->keys, &n_edges);
    rg_status status = rg_rule_keys_new(out, values, left, width, err);
    if (!status)
        status = rg_rule_keys_set_edges(*out, edges, n_edges, err);
    rg_free(values);
    return status;
}

/* All numbers of a model in the order of its layers, with fewer keys. */
static rg_status collect(rg_model *m, rg_rule_keys **keys, double *w, size_t *n_w, rg_error *err)
{
    const rg_network *net = m->net;
    size_t at = 0, next = 0;
    bool all = false; /* where connections are counted, those without a weight count, too */
    for (size_t k = 0; k < net->n_layers; k++)
        all |= net->layers[k].normalise != RG_NORMALISE_NONE;
    for (size_t k = 0; k < net->n_layers; k++) {
        const rg_net_layer *layer = &net->layers[k];
        bool own = layer->like == RG_NO_INDEX;
        for (size_t r = 0; r < layer->n_rules; r++, next++) {
            rg_status status = keep_keys(&keys[next], m, &layer->rules[r], rg_net_per_key(layer),
                                         all, own ? w + at : NULL, err);
            if (status)
                return status;
            at += own ? rg_rule_keys_size(keys[next]) * rg_net_per_key(layer) : 0;
        }
        if (!own)
            continue;
        for (size_t v = 0; v < rg_net_n_weights(layer); v++)
            w[at++] = rg_model_weight(m, layer->weights + v);
        for (size_t v = 0; v < layer->bias.n_params; v++)
            w[at++] = rg_model_weight(m, layer->bias.at + v);
    }
    for (size_t v = 0; v < net->n_state; v++)
        w[at++] = rg_model_weight(m, net->n_params + v);
    *n_w = at;
    return RG_OK;
}

rg_status rg_model_compact(rg_model *m, size_t *n_dropped, rg_error *err)
{
    rg_network *net = m->net;
    rg_rule_keys *keys[RG_SPEC_LAYERS_MAX * RG_SPEC_RULES_MAX] = {NULL}; /* one layer per file's */
    size_t n_w = 0, next = 0, before = 0, after = 0;
    double *w = rg_alloc(rg_model_numbers(m), sizeof *w);
    rg_status status = w ? collect(m, keys, w, &n_w, err) : rg_fail_memory(err, "pruning a model");
    for (size_t k = 0; k < net->n_layers; k++)
        for (size_t r = 0; r < net->layers[k].n_rules; r++, next++) {
            rg_net_rule *rule = &net->layers[k].rules[r];
            if (status) {
                rg_rule_keys_free(keys[next]);
                continue;
            }
            before += rg_rule_keys_size(rule->keys);
            after += rg_rule_keys_size(keys[next]);
            rg_rule_keys_free(rule->keys);
            rule->keys = keys[next];
        }
    if (!status) {
        status = rg_network_lay_out(net, err); /* fewer than before: cannot fail */
        for (size_t k = 0; k < n_w; k++)
            rg_model_set_weight(m, k, w[k]);
        *n_dropped = before - after;
    }
    rg_free(w);
    return status;
}
