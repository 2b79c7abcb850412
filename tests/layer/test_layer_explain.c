/* test_layer_explain.c - answers of networks with every layer, taken apart: contributions add up. */
#include "explain/explainer.h"
#include "layer_nets.h"
#include "support/networks.h"

#include "model/model.h"

#include <math.h>

/* A model with weights by chance, and its explainer. */
typedef struct explained {
    rg_dataset *data;
    rg_source source;
    rg_model *model;
    rg_explainer *e;
} explained;

static explained *explained_open(const char *text, rg_dataset *data)
{
    char *whole = test_format("%straining: {precision: double}\n", text);
    explained *x = calloc(1, sizeof *x);
    rg_predict_options options = rg_predict_options_default();
    assert_non_null(x);
    test_network n = test_network_open(whole, data);
    double *w = test_network_weights(&n, 9);
    rg_samples_free(n.samples);
    x->data = data;
    x->source.graphs = data;
    options.n_threads = 1;
    ASSERT_OK(rg_model_new(&x->model, n.net, w, RG_DOUBLE, "", "{}", err));
    ASSERT_OK(rg_explainer_new(&x->e, x->model, NULL, err));
    ASSERT_OK(rg_explainer_read(x->e, &x->source, &options, err));
    free(w);
    free(whole);
    return x;
}

static void explained_close(explained *x)
{
    rg_explainer_free(x->e);
    rg_model_free(x->model);
    free(x);
}

static void near(const char *text, const char *what, size_t sample, size_t layer, double a,
                 double z)
{
    if (!test_near(a, z, 1e-9, 1))
        fail_msg("%s\nsample %zu, layer %zu: %s add up to %.15g, z is %.15g", text, sample, layer,
                 what, a, z);
}

static void adds_up(const char *text, const rg_attribution *a, const rg_explainer *e)
{
    for (size_t c = 0; c < a->n_outputs; c++) {
        double nodes = a->rest[c];
        for (size_t i = 0; i < a->n_nodes; i++)
            nodes += a->nodes[i * a->n_outputs + c];
        if (a->n_nodes || !a->of_nodes)
            near(text, "nodes and the rest", a->sample, 0, nodes, a->z[c]);
        for (size_t l = 0; a->n_nodes && l <= e->net.last; l++)
            near(text, "terms", a->sample, l, a->layers[l].sum[c], a->z[c]);
    }
}

static void contributions_add_up_at_every_layer(void **state)
{
    rg_dataset *data = test_dataset_with_targets(12, 7, 21);
    (void)state;
    for (size_t k = 0; k < layer_nets_n(); k++) {
        explained *x = explained_open(layer_nets_at(k)->text, data);
        for (size_t s = 0; s < 12; s++) {
            rg_attribution a;
            ASSERT_OK(rg_explainer_attribute(&a, x->e, s, err));
            adds_up(layer_nets_at(k)->text, &a, x->e);
            rg_attribution_free(&a);
        }
        explained_close(x);
    }
    rg_dataset_free(data);
}

/* ---- what is shared where a layer is not linear */

static const rg_net_layer *layer_of(const explained *x, const rg_layer_kind *kind, size_t *k)
{
    for (*k = 0; *k < x->e->net.n_layers; (*k)++)
        if (x->e->net.layers[*k].kind == kind)
            return &x->e->net.layers[*k];
    fail_msg("there is no layer '%s'", kind->name);
    return NULL;
}

static void the_largest_gets_all_of_a_maximum(void **state)
{
    static const char text[] = "task: classification\n"
                               "input: [labels, attributes]\n"
                               "layers:\n"
                               "  - {dense: 4, activation: tanh}\n"
                               "  - pool: max\n"
                               "  - dense: auto\n";
    rg_dataset *data = test_dataset_with_targets(12, 7, 21);
    explained *x = explained_open(text, data);
    size_t pool, dense = 2;
    uint32_t in = layer_of(x, &rg_layer_pool, &pool)->ins[0];
    const double *w = x->e->w + x->e->net.layers[dense].weights;
    (void)state;
    for (size_t s = 0; s < 12; s++) {
        rg_attribution a;
        ASSERT_OK(rg_explainer_attribute(&a, x->e, s, err));
        const double *h = rg_pass_value(x->e->pass, in);
        for (size_t i = 0; i < a.n_nodes; i++)
            for (size_t o = 0; o < a.n_outputs; o++) {
                double want = 0;
                for (size_t c = 0; c < 4; c++) {
                    bool first = true; /* that is as large as any */
                    for (size_t j = 0; j < a.n_nodes; j++)
                        first &= j < i ? h[j * 4 + c] < h[i * 4 + c] : h[j * 4 + c] <= h[i * 4 + c];
                    want += first ? h[i * 4 + c] * w[c * a.n_outputs + o] : 0;
                }
                near(text, "shares of a node", s, pool, a.nodes[i * a.n_outputs + o], want);
            }
        rg_attribution_free(&a);
    }
    explained_close(x);
    rg_dataset_free(data);
}

/* How much row i of a layer of attention listens to row j, head h. */
static double attention(const explained *x, const rg_net_layer *layer, const rg_graph *g,
                        const double *in, uint32_t i, uint32_t j, size_t head)
{
    size_t n = layer->n_in, heads = (size_t)layer->own[0], width = n / heads;
    const double *u = x->e->w + layer->weights, *v = u + n;
    double all = 0, own = 0;
    for (uint32_t k = 0; k < g->n_nodes; k++) {
        bool near_by = k == i;
        for (uint64_t a = g->row[i]; a < g->row[i + 1]; a++)
            near_by |= g->col[a] == k;
        double sum = 0;
        for (size_t c = head * width; c < (head + 1) * width; c++)
            sum += u[c] * in[k * n + c] + v[c] * in[i * n + c];
        double part = near_by ? exp(sum > 0 ? sum : 0.2 * sum) : 0;
        all += part;
        own = k == j ? part : own;
    }
    return own / all;
}

static void attention_is_held_fixed(void **state)
{
    static const char text[] = "task: classification\n"
                               "input: [labels, attributes]\n"
                               "layers:\n"
                               "  - {gat: 2, heads: 2, activation: tanh}\n"
                               "  - pool: sum\n"
                               "  - dense: auto\n";
    rg_dataset *data = test_dataset_with_targets(12, 7, 21);
    explained *x = explained_open(text, data);
    size_t k;
    const rg_net_layer *layer = layer_of(x, &rg_layer_attention, &k);
    (void)state;
    for (size_t s = 0; s < 12; s++) {
        rg_graph g = rg_dataset_graph(data, s);
        rg_attribution a;
        ASSERT_OK(
            rg_explainer_attribute(&a, x->e, s, err)); /* shares are those of the last output */
        const double *in = rg_pass_value(x->e->pass, layer->ins[0]);
        const double *of_out = rg_pass_sum_share(x->e->pass, k);
        const double *of_in = rg_pass_value_share(x->e->pass, layer->ins[0]);
        for (uint32_t j = 0; j < g.n_nodes; j++)
            for (size_t c = 0; c < 4; c++) {
                double want = 0;
                for (uint32_t i = 0; i < g.n_nodes; i++)
                    want += attention(x, layer, &g, in, i, j, c / 2) * of_out[i * 4 + c];
                near(text, "shares of a neighbour", s, k, of_in[j * 4 + c], want);
            }
        rg_attribution_free(&a);
    }
    explained_close(x);
    rg_dataset_free(data);
}

/* ---- the same answers */

typedef struct answers {
    double outputs[16][8];
} answers;

static rg_status note(void *context, const rg_prediction *p, rg_error *err)
{
    answers *a = context;
    (void)err;
    for (size_t c = 0; c < p->n_outputs && p->n_rows == 1; c++)
        a->outputs[p->sample][c] = p->outputs[c];
    return RG_OK;
}

static void what_is_taken_apart_is_what_is_predicted(void **state)
{
    rg_dataset *data = test_dataset_with_targets(12, 7, 21);
    (void)state;
    for (size_t k = 0; k < layer_nets_n(); k++) {
        explained *x = explained_open(layer_nets_at(k)->text, data);
        answers said = {0};
        ASSERT_OK(rg_model_predict(x->model, &x->source, NULL, note, &said, NULL, err));
        for (size_t s = 0; s < 12; s++) {
            rg_attribution a;
            ASSERT_OK(rg_explainer_attribute(&a, x->e, s, err));
            for (size_t c = 0; !a.of_nodes && c < a.n_outputs; c++)
                near(layer_nets_at(k)->text, "outputs", s, 0, a.outputs[c], said.outputs[s][c]);
            rg_attribution_free(&a);
        }
        explained_close(x);
    }
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contributions_add_up_at_every_layer),
        cmocka_unit_test(the_largest_gets_all_of_a_maximum),
        cmocka_unit_test(attention_is_held_fixed),
        cmocka_unit_test(what_is_taken_apart_is_what_is_predicted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
