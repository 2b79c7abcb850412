/* explain_json.c - explanations as JSON, for programs and for the report. */
#include "explainer.h"

#include "base/alloc.h"

#include <math.h>
#include <stdlib.h>

static void add_words(rg_json *json, const rg_explainer *e, size_t k)
{
    rg_text words = {0};
    rg_explainer_words(&words, e, k);
    json->text.failed |= words.failed;
    rg_json_string(json, "words", words.failed || !words.data ? "" : words.data);
    rg_text_drop(&words);
}

static void add_weights(rg_json *json, const rg_explainer *e, size_t k)
{
    const rg_statement *s = &e->statements[k];
    const rg_statement_weight *w = rg_explainer_weights(e, k);
    bool outputs = e->net.layers[s->layer].kind->outputs;
    rg_json_open(json, "weights", '[');
    for (uint32_t p = 0; p < s->n; p++) {
        rg_json_open(json, NULL, '{');
        rg_json_real(json, "value", w[p].value);
        if (w[p].out != RG_NO_OUTPUT)
            rg_json_count(json, outputs ? "output" : "channel", w[p].out);
        if (e->net.layers[s->layer].n_in > 1)
            rg_json_count(json, "channel_in", w[p].in);
        rg_json_close(json, '{');
    }
    rg_json_close(json, '[');
}

/* Layers have the numbers of the file, from 1. */
static void add_layer_number(rg_json *json, const rg_explainer *e, size_t l)
{
    rg_json_count(json, "layer", rg_explainer_layer(e, l).of + 1);
}

void rg_explain_json_layer(rg_json *json, const rg_explainer *e, size_t l)
{
    rg_layer_facts facts = rg_explainer_layer(e, l);
    add_layer_number(json, e, l);
    rg_json_string(json, "kind", facts.kind);
    if (rg_explainer_is_plain(e))
        return;
    rg_json_string(json, "part_of", facts.of_kind);
    rg_json_count(json, "number", l);
}

static void add_effect(rg_json *json, const rg_explainer *e, size_t k)
{
    rg_effect effect = rg_explainer_effect(e, k);
    rg_json_real(json, "effect", effect.value);
    rg_json_count(json, "effect_up", effect.axis.up);
    if (effect.axis.down != RG_NO_OUTPUT)
        rg_json_count(json, "effect_down", effect.axis.down);
    rg_json_bool(json, "effect_measured", effect.measured);
    rg_json_bool(json, "effect_disagrees", effect.disagrees);
}

void rg_explain_json_statement(rg_json *json, const rg_explainer *e, size_t k)
{
    const rg_statement *s = &e->statements[k];
    rg_json_open(json, NULL, '{');
    rg_json_count(json, "statement", k);
    add_layer_number(json, e, s->layer);
    if (s->rule == RG_STATEMENT_BIAS)
        rg_json_string(json, "rule", "bias");
    else
        rg_json_count(json, "rule", s->rule + 1);
    add_words(json, e, k);
    rg_json_real(json, "weight", s->weight);
    add_weights(json, e, k);
    if (e->means) {
        rg_json_count(json, "graphs", s->graphs);
        rg_json_count(json, "pairs", s->pairs);
        rg_json_real(json, "contribution", s->contribution);
        rg_json_count(json, "towards", s->towards);
        rg_json_reals(json, "contributions", rg_explainer_means(e, k), e->net.n_outputs);
        add_effect(json, e, k);
    }
    if (s->removed) {
        rg_json_real(json, "removal", s->removal);
        rg_json_count(json, "changed", s->changed);
        rg_json_count(json, "occurs", s->occurs);
    }
    rg_json_close(json, '{');
}

/* ---- one sample */

typedef struct ranked_node {
    size_t place;
    double size;
} ranked_node;

static int by_size(const void *a, const void *b)
{
    const ranked_node *x = a, *y = b;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Places of the shares, the largest in any output first. Owned; NULL if memory is short. */
static ranked_node *sort_shares(const rg_share_list *list, size_t n_outputs)
{
    ranked_node *order = rg_alloc(list->n, sizeof *order);
    for (size_t k = 0; order && k < list->n; k++) {
        order[k] = (ranked_node){k, 0};
        for (size_t c = 0; c < n_outputs; c++)
            order[k].size = fmax(order[k].size, fabs(list->values[k * n_outputs + c]));
    }
    if (order && list->n)
        qsort(order, list->n, sizeof *order, by_size);
    return order;
}

static void add_layer(rg_json *json, const rg_explainer *e, const rg_attribution *attribution,
                      size_t l, size_t most)
{
    const rg_share_list *list = &attribution->layers[l];
    size_t c = attribution->n_outputs, n = list->n < most ? list->n : most;
    ranked_node *order = sort_shares(list, c);
    json->text.failed |= !order;
    rg_json_open(json, NULL, '{');
    rg_explain_json_layer(json, e, l);
    rg_json_count(json, "n", list->n);
    rg_json_open(json, "statements", '[');
    for (size_t k = 0; order && k < n; k++) {
        const rg_share *share = &list->shares[order[k].place];
        rg_json_open(json, NULL, '{');
        rg_json_count(json, "statement", share->statement);
        add_words(json, e, share->statement);
        rg_json_real(json, "weight", e->statements[share->statement].weight);
        rg_json_count(json, "pairs", share->pairs);
        rg_json_reals(json, "contributions", list->values + order[k].place * c, c);
        rg_json_close(json, '{');
    }
    rg_json_close(json, '[');
    rg_json_reals(json, "without_rule", list->dense, c);
    rg_json_reals(json, "bias", list->bias, c);
    rg_json_reals(json, "later_biases", list->later, c);
    rg_json_reals(json, "passed_by", list->passed, c);
    rg_json_reals(json, "sum", list->sum, c);
    rg_json_close(json, '{');
    rg_free(order);
}

static void add_class(rg_json *json, const char *name, const rg_explainer *e, uint32_t class)
{
    if (class == RG_NO_OUTPUT || class >= e->net.n_outputs)
        rg_json_string(json, name, NULL);
    else
        rg_json_integer(json, name, rg_model_class(e->model, class));
}

void rg_explain_json_attribution(rg_json *json, const rg_explainer *e,
                                 const rg_attribution *attribution, size_t most)
{
    size_t c = attribution->n_outputs;
    rg_json_open(json, NULL, '{');
    rg_json_count(json, "sample", attribution->sample);
    rg_json_count(json, "n_nodes", attribution->n_nodes);
    add_class(json, "said", e, attribution->said);
    add_class(json, "class", e, attribution->truth);
    rg_json_reals(json, "z", attribution->z, c);
    rg_json_reals(json, "outputs", attribution->outputs, c);
    rg_json_open(json, "nodes", '[');
    for (size_t i = 0; i < attribution->n_nodes; i++)
        rg_json_reals(json, NULL, attribution->nodes + i * c, c);
    rg_json_close(json, '[');
    rg_json_reals(json, "rest", attribution->rest, c);
    rg_json_open(json, "layers", '[');
    for (size_t l = 0; l < attribution->n_layers; l++)
        if (rg_explainer_layer(e, l).n_params)
            add_layer(json, e, attribution, l, most);
    rg_json_close(json, '[');
    rg_json_close(json, '{');
}

void rg_explain_json_pairs(rg_json *json, const rg_explainer *e, size_t layer,
                           const rg_pair_weights *pairs)
{
    rg_json_open(json, NULL, '{');
    add_layer_number(json, e, layer);
    rg_json_open(json, "pairs", '[');
    for (size_t k = 0; k < pairs->n; k++) {
        const rg_pair_weight *p = &pairs->pairs[k];
        rg_json_open(json, NULL, '[');
        rg_json_count(json, NULL, p->from);
        rg_json_count(json, NULL, p->to);
        rg_json_real(json, NULL, p->weight);
        rg_json_count(json, NULL, p->statement);
        rg_json_close(json, '[');
    }
    rg_json_close(json, '[');
    rg_json_reals(json, "bias", pairs->bias, pairs->n_nodes);
    rg_json_close(json, '{');
}
