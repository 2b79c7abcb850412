/* explain_json.c - explanations as JSON, for programs and for the report. */
#include "explainer.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void add_words(rg_text *out, const rg_explainer *e, size_t k)
{
    rg_text words = {0};
    rg_explainer_words(&words, e, k);
    out->failed |= words.failed;
    rg_text_json(out, words.failed || !words.data ? "" : words.data);
    rg_text_drop(&words);
}

static void add_reals(rg_text *out, const double *values, size_t n)
{
    rg_text_add(out, "[");
    for (size_t k = 0; k < n; k++) {
        if (k)
            rg_text_add(out, ", ");
        rg_text_real(out, values[k]);
    }
    rg_text_add(out, "]");
}

/* "name": value */
static void set_real(rg_text *out, const char *name, double value)
{
    rg_text_add(out, ", \"%s\": ", name);
    rg_text_real(out, value);
}

static void set_reals(rg_text *out, const char *name, const double *values, size_t n)
{
    rg_text_add(out, ", \"%s\": ", name);
    add_reals(out, values, n);
}

static void add_weights(rg_text *out, const rg_explainer *e, size_t k)
{
    const rg_statement *s = &e->statements[k];
    const rg_statement_weight *w = rg_explainer_weights(e, k);
    bool outputs = e->net.layers[s->layer].kind == RG_LAYER_AGGREGATE;
    rg_text_add(out, ", \"weights\": [");
    for (uint32_t p = 0; p < s->n; p++) {
        rg_text_add(out, "%s{\"value\": ", p ? ", " : "");
        rg_text_real(out, w[p].value);
        if (w[p].out != RG_NO_OUTPUT)
            rg_text_add(out, ", \"%s\": %u", outputs ? "output" : "channel", (unsigned)w[p].out);
        if (e->net.layers[s->layer].n_in > 1)
            rg_text_add(out, ", \"channel_in\": %u", (unsigned)w[p].in);
        rg_text_add(out, "}");
    }
    rg_text_add(out, "]");
}

void rg_explain_json_statement(rg_text *out, const rg_explainer *e, size_t k)
{
    const rg_statement *s = &e->statements[k];
    rg_text_add(out, "{\"statement\": %zu, \"layer\": %zu, \"rule\": ", k, s->layer + 1);
    if (s->rule == RG_STATEMENT_BIAS)
        rg_text_add(out, "\"bias\"");
    else
        rg_text_add(out, "%zu", s->rule + 1);
    rg_text_add(out, ", \"words\": ");
    add_words(out, e, k);
    set_real(out, "weight", s->weight);
    add_weights(out, e, k);
    if (e->means) {
        rg_text_add(out, ", \"graphs\": %" PRIu64 ", \"pairs\": %" PRIu64, s->graphs, s->pairs);
        set_real(out, "contribution", s->contribution);
        rg_text_add(out, ", \"towards\": %u", (unsigned)s->towards);
        set_reals(out, "contributions", rg_explainer_means(e, k), e->net.n_outputs);
    }
    if (s->removed) {
        set_real(out, "removal", s->removal);
        rg_text_add(out, ", \"changed\": %" PRIu64 ", \"occurs\": %" PRIu64, s->changed, s->occurs);
    }
    rg_text_add(out, "}");
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

static void add_layer(rg_text *out, const rg_explainer *e, const rg_attribution *attribution,
                      size_t l, size_t most)
{
    const rg_share_list *list = &attribution->layers[l];
    size_t c = attribution->n_outputs, n = list->n < most ? list->n : most;
    ranked_node *order = sort_shares(list, c);
    out->failed |= !order;
    rg_text_add(out, "{\"layer\": %zu, \"kind\": \"%s\", \"n\": %zu, \"statements\": [", l + 1,
                rg_explainer_layer(e, l).kind, list->n);
    for (size_t k = 0; order && k < n; k++) {
        const rg_share *share = &list->shares[order[k].place];
        rg_text_add(out, "%s{\"statement\": %u, \"words\": ", k ? ", " : "",
                    (unsigned)share->statement);
        add_words(out, e, share->statement);
        set_real(out, "weight", e->statements[share->statement].weight);
        rg_text_add(out, ", \"pairs\": %" PRIu64, share->pairs);
        set_reals(out, "contributions", list->values + order[k].place * c, c);
        rg_text_add(out, "}");
    }
    rg_text_add(out, "]");
    set_reals(out, "without_rule", list->dense, c);
    set_reals(out, "bias", list->bias, c);
    set_reals(out, "later_biases", list->later, c);
    set_reals(out, "passed_by", list->passed, c);
    set_reals(out, "sum", list->sum, c);
    rg_text_add(out, "}");
    rg_free(order);
}

static void add_class(rg_text *out, const char *name, const rg_explainer *e, uint32_t class)
{
    if (class == RG_NO_OUTPUT || class >= e->net.n_outputs)
        rg_text_add(out, ", \"%s\": null", name);
    else
        rg_text_add(out, ", \"%s\": %" PRId64, name, rg_model_class(e->model, class));
}

void rg_explain_json_attribution(rg_text *out, const rg_explainer *e,
                                 const rg_attribution *attribution, size_t most)
{
    size_t c = attribution->n_outputs;
    bool first = true;
    rg_text_add(out, "{\"sample\": %zu, \"n_nodes\": %u", attribution->sample,
                (unsigned)attribution->n_nodes);
    add_class(out, "said", e, attribution->said);
    add_class(out, "class", e, attribution->truth);
    set_reals(out, "z", attribution->z, c);
    set_reals(out, "outputs", attribution->outputs, c);
    rg_text_add(out, ", \"nodes\": [");
    for (size_t i = 0; i < attribution->n_nodes; i++) {
        rg_text_add(out, "%s", i ? ", " : "");
        add_reals(out, attribution->nodes + i * c, c);
    }
    rg_text_add(out, "]");
    set_reals(out, "rest", attribution->rest, c);
    rg_text_add(out, ", \"layers\": [");
    for (size_t l = 0; l < attribution->n_layers; l++) {
        if (rg_explainer_layer(e, l).n_params == 0)
            continue;
        rg_text_add(out, "%s", first ? "" : ", ");
        add_layer(out, e, attribution, l, most);
        first = false;
    }
    rg_text_add(out, "]}");
}

void rg_explain_json_pairs(rg_text *out, size_t layer, const rg_pair_weights *pairs)
{
    rg_text_add(out, "{\"layer\": %zu, \"pairs\": [", layer + 1);
    for (size_t k = 0; k < pairs->n; k++) {
        const rg_pair_weight *p = &pairs->pairs[k];
        rg_text_add(out, "%s[%u, %u, ", k ? ", " : "", (unsigned)p->from, (unsigned)p->to);
        rg_text_real(out, p->weight);
        rg_text_add(out, ", %u]", (unsigned)p->statement);
    }
    rg_text_add(out, "]");
    set_reals(out, "bias", pairs->bias, pairs->n_nodes);
    rg_text_add(out, "}");
}
