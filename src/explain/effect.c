/* effect.c - what weights do to the answer: on one signed axis, for statements and for single pairs. */
#include "explainer.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

/* ---- the axis */

static bool has_classes(const rg_explainer *e)
{
    return rg_task_of_classes(e->net.task);
}

rg_effect_axis rg_explainer_axis(const rg_explainer *e, uint32_t output)
{
    if (has_classes(e) && e->net.n_outputs == 2)
        return (rg_effect_axis){.up = 1, .down = 0};
    return (rg_effect_axis){.up = output < e->net.n_outputs ? output : 0, .down = RG_NO_OUTPUT};
}

/* How much of an output lies on the axis. */
static double part_of(const rg_explainer *e, rg_effect_axis axis, uint32_t c)
{
    uint32_t n = e->net.n_outputs;
    if (axis.up == RG_EACH_OUTPUT || c == axis.up)
        return 1;
    if (axis.down != RG_NO_OUTPUT)
        return c == axis.down ? -1 : 0;
    return has_classes(e) && n > 1 ? -1 / (double)(n - 1) : 0;
}

double rg_explainer_on_axis(const rg_explainer *e, rg_effect_axis axis, const double *outputs)
{
    double sum = 0;
    for (uint32_t c = 0; c < e->net.n_outputs; c++)
        sum += part_of(e, axis, c) * outputs[c];
    if (axis.up < e->net.n_outputs) /* values in the unit of the data */
        sum *= rg_network_value(&e->net, axis.up, 1) - rg_network_value(&e->net, axis.up, 0);
    return sum;
}

void rg_explainer_axis_words(rg_text *out, const rg_explainer *e, rg_effect_axis axis, bool up)
{
    if (!has_classes(e))
        rg_text_add(out, up ? "a higher " : "a lower ");
    if (up || axis.down != RG_NO_OUTPUT || !has_classes(e))
        rg_explainer_output_words(out, e, up || axis.down == RG_NO_OUTPUT ? axis.up : axis.down);
    else
        rg_text_add(out, "the other classes");
}

/* ---- statements */

#define SMALL 1e-6 /* what rounding in single precision may do to an effect */

rg_effect rg_explainer_effect(const rg_explainer *e, size_t k)
{
    const rg_statement *s = &e->statements[k];
    rg_effect effect = {.axis = rg_explainer_axis(e, s->towards), .value = s->share};
    effect.measured = s->tried && s->occurs > 0;
    if (!effect.measured)
        return effect;
    effect.value = s->effect;
    effect.disagrees =
        (s->effect > SMALL && s->share < -SMALL) || (s->effect < -SMALL && s->share > SMALL);
    return effect;
}

/* ---- pairs */

/* m(y) of all sums, for one sample that has just gone forward. */
static void share_axis(rg_explainer *e, rg_effect_axis axis, double *seed, double *g)
{
    memset(seed, 0, rg_explainer_n_z(e) * sizeof *seed);
    memset(g, 0, e->net.n_params * sizeof *g);
    for (uint32_t c = 0; rg_explainer_n_z(e) && c < e->net.n_outputs; c++)
        rg_explainer_seed(e, seed, c, part_of(e, axis, c));
    rg_pass_share(e->pass, seed, g, NULL, NULL);
}

typedef struct effect_filling {
    const rg_explainer *e;
    rg_pair_weights *out;
    const double *x, *by; /* what comes into the layer, m(y) of its sums */
    double scale;         /* of an aggregation by mean; times the unit of the axis */
    double bias_scale;
    bool aggregate;
    size_t n;
} effect_filling;

/* All channels of a pair add up to one effect. */
static double effect_of(const effect_filling *f, const rg_statement *s, uint32_t key, uint32_t from,
                        uint32_t to)
{
    const rg_net_layer *layer = &f->e->net.layers[s->layer];
    bool bias = s->rule == RG_STATEMENT_BIAS;
    const rg_net_rule *rule = bias ? &layer->bias : &layer->rules[s->rule];
    size_t n_out = layer->n_out, per_key = bias ? n_out : rg_net_per_key(layer);
    const double *w = f->e->w + rule->at + key * per_key;
    const double *by = f->by + (size_t)to * n_out, *x = f->x + (size_t)from * layer->n_in;
    double sum = 0;
    for (size_t p = 0; p < per_key; p++) {
        double in = bias ? 1 : x[layer->full ? p / n_out : p % n_out];
        sum += w[p] * in * by[p % n_out];
    }
    return sum * (bias ? f->bias_scale : f->scale);
}

static void fill(void *context, const rg_statement *s, uint32_t number, uint32_t key, uint32_t from,
                 uint32_t to)
{
    effect_filling *f = context;
    (void)number;
    if (s->rule != RG_STATEMENT_BIAS)
        f->out->pairs[f->n++].effect = effect_of(f, s, key, from, to);
    else if (!f->aggregate)
        f->out->bias_effect[to] = effect_of(f, s, key, from, to);
}

rg_status rg_explainer_pair_effects(rg_pair_weights *pairs, rg_explainer *e, size_t sample,
                                    size_t layer, rg_effect_axis axis, rg_error *err)
{
    uint32_t number = (uint32_t)sample;
    rg_sample at;
    const rg_net_layer *own = &e->net.layers[layer];
    rg_walk_begin(&e->walk, &number, 1);
    rg_status status = rg_walk_next(&at, &e->walk, err);
    if (status || layer > e->net.last || !pairs->n_nodes)
        return status;
    rg_pass_forward(e->pass, &at, 1, e->w, NULL);
    double *g = rg_alloc(e->net.n_params, sizeof *g);
    double *seed = rg_alloc(rg_explainer_n_z(e), sizeof *seed);
    if (g && seed) {
        share_axis(e, axis, seed, g);
        double unit = axis.up < e->net.n_outputs ? rg_network_value(&e->net, axis.up, 1) -
                                                       rg_network_value(&e->net, axis.up, 0)
                                                 : 1;
        effect_filling f = {.e = e,
                            .out = pairs,
                            .x = rg_pass_value(e->pass, own->ins[0]),
                            .by = rg_pass_sum_share(e->pass, layer),
                            .scale = own->mean && at.n_nodes ? unit / at.n_nodes : unit,
                            .bias_scale = unit,
                            .aggregate = own->kind->outputs};
        rg_explainer_visit(e, &at, layer, fill, &f);
    } else
        status = rg_fail_memory(err, "the effects of pairs");
    rg_free(g);
    rg_free(seed);
    return status;
}
