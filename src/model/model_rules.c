/* model_rules.c - the rules of a model, and how much of each is left. */
#include "base/error.h"
#include "model.h"

#include <math.h>

/* Rule k of all layers that have weights of their own; NULL: there are not so many. */
static const rg_net_rule *rule_at(const rg_network *net, size_t k, const rg_net_layer **layer)
{
    for (size_t l = 0; l < net->n_layers; l++) {
        *layer = &net->layers[l];
        if ((*layer)->like != RG_NO_INDEX)
            continue;
        if (k < (*layer)->n_rules)
            return &(*layer)->rules[k];
        k -= (*layer)->n_rules;
    }
    return NULL;
}

size_t rg_model_n_rules(const rg_model *model)
{
    const rg_net_layer *layer;
    size_t n = 0;
    while (rule_at(model->net, n, &layer))
        n++;
    return n;
}

rg_status rg_model_rule_left(rg_rule_left *out, const rg_model *model, size_t k, rg_error *err)
{
    const rg_net_layer *layer;
    const rg_net_rule *rule = rule_at(model->net, k, &layer);
    if (!rule)
        return rg_fail(err, RG_EUSAGE, "the model has %zu rules: there is no rule %zu",
                       rg_model_n_rules(model), k);
    size_t each = rg_net_per_key(layer), n = rg_rule_keys_size(rule->keys);
    rg_rule_left left = {
        .layer = layer->of, .kind = layer->kind->name, .rule = rg_rule_text(rule->rule), .keys = n};
    double square = 0;
    for (size_t key = 0; key < n; key++) {
        double own = 0;
        for (size_t p = rule->at + key * each; p < rule->at + (key + 1) * each; p++)
            own += rg_model_weight(model, p) * rg_model_weight(model, p);
        left.left += own != 0;
        square += own;
    }
    left.norm = sqrt(square);
    *out = left;
    return RG_OK;
}
