/* lasso.c - a penalty that drops whole rules, labels or keys while training (group lasso).
 *
 * To the loss comes strength * sum over groups of sqrt(numbers of the group) * |weights of the group|. After each
 * step of the optimiser follows the proximal step of this penalty:
 *   w = w max(0, 1 - rate strength sqrt(n) / |w|)                   (n numbers, |w| their norm)
 * so that a group whose gradient is weaker than the penalty becomes exactly zero. The rate is how far a gradient of
 * 1 moves a weight in the end: lr / (1 - momentum) of SGD; of Adam lr / (sqrt(v) + eps), v the mean second moment of the
 * group, for Adam divides gradients by it, and the penalty must not weigh more where gradients are small. Groups are all weights of a rule
 * that has others beside it in its layer,
 * those of its keys that begin with the same value (the label of a node, in most rules), or those of one key. */
#include "base/alloc.h"
#include "base/error.h"
#include "trainer.h"

#include <math.h>

/* Where the group that begins with key k ends. */
static size_t group_end(const rg_net_rule *rule, rg_lasso_groups of, size_t k)
{
    size_t n = rg_rule_keys_size(rule->keys), width = rg_rule_keys_width(rule->keys), end = k + 1;
    const int64_t *keys = rg_rule_keys_data(rule->keys);
    if (of == RG_LASSO_KEYS)
        return end;
    while (end < n && (of == RG_LASSO_RULES || width == 0 || keys[end * width] == keys[k * width]))
        end++;
    return end;
}

/* Fills the list, if there is one; how many groups. */
static size_t find_groups(const rg_network *net, rg_lasso_groups of, rg_lasso_group *list)
{
    size_t n = 0;
    for (size_t l = 0; l < net->n_layers; l++) {
        const rg_net_layer *layer = &net->layers[l];
        size_t each = rg_net_per_key(layer);
        bool alone = of == RG_LASSO_RULES && layer->n_rules == 1; /* without it the layer is none */
        for (size_t r = 0; layer->like == RG_NO_INDEX && !alone && r < layer->n_rules; r++) {
            const rg_net_rule *rule = &layer->rules[r];
            for (size_t k = 0; k < rg_rule_keys_size(rule->keys); n++) {
                size_t end = group_end(rule, of, k);
                if (list)
                    list[n] = (rg_lasso_group){rule->at + k * each, (end - k) * each};
                k = end;
            }
        }
    }
    return n;
}

rg_status rg_trainer_open_lasso(rg_trainer *t, rg_error *err)
{
    const rg_network *net = t->samples->net;
    if (t->settings.lasso <= 0)
        return RG_OK;
    t->n_groups = find_groups(net, t->settings.lasso_of, NULL);
    t->groups = rg_alloc(t->n_groups + 1, sizeof *t->groups);
    if (!t->groups)
        return rg_fail_memory(err, "groups of weights");
    find_groups(net, t->settings.lasso_of, t->groups);
    return RG_OK;
}

static double rate_of(const rg_trainer *t, const rg_lasso_group *group, size_t lane)
{
    const rg_optimiser_options *o = &t->optimiser.options;
    double lr = t->lanes[lane].schedule.lr, v = 0;
    if (o->method == RG_SGD)
        return lr / (1 - o->momentum);
    for (size_t k = group->first; k < group->first + group->n; k++)
        v += rg_real_at(t->settings.precision, t->v, k * t->options.lanes + lane);
    return lr / (sqrt(v / (double)group->n / (1 - t->optimiser.power2)) + o->eps);
}

static void shrink(rg_trainer *t, const rg_lasso_group *group, size_t lane)
{
    rg_precision precision = t->settings.precision;
    size_t lanes = t->options.lanes, end = group->first + group->n;
    double square = 0, rate = rate_of(t, group, lane) * t->settings.lasso;
    for (size_t k = group->first; k < end; k++) {
        double w = rg_real_at(precision, t->w, k * lanes + lane);
        square += w * w;
    }
    if (square == 0)
        return;
    double factor = 1 - rate * sqrt((double)group->n) / sqrt(square);
    for (size_t k = group->first; k < end; k++) {
        size_t at = k * lanes + lane;
        rg_real_put(precision, t->w, at, factor > 0 ? factor * rg_real_at(precision, t->w, at) : 0);
    }
}

void rg_trainer_lasso(rg_trainer *t)
{
    for (size_t g = 0; g < t->n_groups; g++)
        for (size_t l = 0; l < t->options.lanes; l++)
            shrink(t, &t->groups[g], l);
}
