/* test_network_order.c - neither the order of nodes nor that of graphs changes what a network is or
 * says. */
#include "support/networks.h"

#include "base/alloc.h"
#include "graph/reorder.h"
#include "support/rule_twin.h"

#include <string.h>

/* A set, and the same in another order. */
typedef struct both {
    rg_dataset *data, *other;
    uint32_t *graphs, *nodes; /* as rg_dataset_reorder takes them */
} both;

static both both_of(rg_dataset *data, uint64_t seed)
{
    both b = {.data = data};
    ASSERT_OK(rg_dataset_shuffle(&b.graphs, &b.nodes, data, seed, err));
    ASSERT_OK(rg_dataset_reorder(&b.other, data, b.graphs, b.nodes, err));
    return b;
}

static void both_free(both *b)
{
    rg_dataset_free(b->data);
    rg_dataset_free(b->other);
    rg_free(b->graphs);
    rg_free(b->nodes);
}

#define LABELS "labels: {wl: \"wl(depth=1, from=node)\", cyc: \"cycles(max=5)\", deg: degree}\n"

/* One pass over one sample of each. */
typedef struct passes {
    rg_walk walk[2];
    rg_pass *pass[2];
} passes;

static passes passes_open(rg_samples *a, rg_samples *b)
{
    passes p = {0};
    rg_samples *samples[] = {a, b};
    const rg_kernels *kernels = rg_kernels_get(a->precision, 1, rg_cpu_best());
    for (int k = 0; k < 2; k++) {
        ASSERT_OK(rg_walk_open(&p.walk[k], samples[k], err));
        ASSERT_OK(rg_pass_new(&p.pass[k], samples[k], kernels, &(rg_pass_options){0}, err));
    }
    return p;
}

static void passes_close(passes *p)
{
    for (int k = 0; k < 2; k++) {
        rg_walk_close(&p->walk[k]);
        rg_pass_free(p->pass[k]);
    }
}

static void passes_run(passes *p, rg_sample samples[2], uint32_t a, uint32_t b, void *w)
{
    const uint32_t number[] = {a, b};
    for (int k = 0; k < 2; k++) {
        rg_walk_begin(&p->walk[k], &number[k], 1);
        ASSERT_OK(rg_walk_next(&samples[k], &p->walk[k], err));
        rg_pass_forward(p->pass[k], &samples[k], 1, w, NULL);
    }
}

/* What leaves layer `layer` for graph g of the other set and the graph that it was; exact: bit for
 * bit. */
static void compare_signals(const passes *p, const both *b, const rg_network *net,
                            rg_precision precision, size_t g, size_t layer, bool exact)
{
    uint32_t v = (uint32_t)layer + 1, width = net->values[v].channels;
    size_t rows = rg_pass_signal_rows(p->pass[0], v, 0);
    const uint32_t *order = b->nodes + rg_dataset_graph(b->data, b->graphs[g]).first_node;
    double *was = calloc(rows * width + 1, sizeof *was), *is = calloc(rows * width + 1, sizeof *is);
    assert_true(was && is);
    assert_int_equal(rows, rg_pass_signal_rows(p->pass[1], v, 0));
    rg_pass_signal(was, p->pass[0], v, 0);
    rg_pass_signal(is, p->pass[1], v, 0);
    for (size_t i = 0; i < rows; i++) {
        const double *from = was + width * (net->layers[layer].rows_out ? i : order[i]);
        if (exact)
            assert_memory_equal(is + width * i, from, width * sizeof *from);
        for (uint32_t c = 0; c < width; c++)
            if (!test_near(from[c], is[width * i + c], precision == RG_FLOAT ? 1e-4 : 1e-10, 1))
                fail_msg("layer %zu, graph %zu, row %zu: %.17g, expected %.17g", layer, g, i,
                         is[width * i + c], from[c]);
    }
    free(was);
    free(is);
}

/* All layers on all graphs; the first, if its input stands in the tables, bit for bit. */
static void check_network(test_network *n, const both *b)
{
    rg_precision precision = n->settings.precision;
    rg_samples *other = test_network_samples(n, b->other);
    passes p = passes_open(n->samples, other);
    double *w = test_network_weights(n, 1);
    float *single = calloc(n->net->n_params + 1, sizeof *single);
    assert_non_null(single);
    for (size_t k = 0; k < n->net->n_params; k++)
        single[k] = (float)w[k];
    assert_int_equal(other->unseen, 0);
    for (uint32_t g = 0; g < rg_dataset_n_graphs(b->data); g++) {
        rg_sample samples[2];
        passes_run(&p, samples, b->graphs[g], g,
                   precision == RG_FLOAT ? (void *)single : (void *)w);
        for (size_t layer = 0; layer < n->net->n_layers; layer++)
            compare_signals(&p, b, n->net, precision, g, layer, n->net->layers[layer].fixed);
    }
    free(w);
    free(single);
    passes_close(&p);
    rg_samples_free(other);
}

static void rules_do_not_depend_on_node_order(void **state)
{
    (void)state;
    both b = both_of(test_dataset_with_targets(30, 9, 21), 2);
    size_t n_checked = 0;
    for (size_t k = 1; k < n_pair_rules; k++) /* the first looks at the order */
        for (int both_ways = 0; both_ways < 2; both_ways++) {
            char *text = test_format("task: classification\n" LABELS "layers:\n"
                                     "  - {rule: \"%s\", bias: share deg(i)}\n"
                                     "  - {aggregate: \"share out, node(i)\", by: %s}\n"
                                     "training: {precision: %s}\n",
                                     pair_rules[k], both_ways ? "sum" : "mean",
                                     both_ways ? "double" : "float");
            rg_settings settings;
            rg_network *net = NULL;
            rg_spec *spec = test_spec(&settings, text);
            rg_status status =
                rg_network_build(&net, NULL, spec, &(rg_source){.graphs = b.data}, NULL, NULL);
            rg_network_free(net);
            if (!status) { /* else no pair satisfies it */
                test_network n = test_network_open(text, b.data);
                check_network(&n, &b);
                test_network_close(&n);
                n_checked++;
            }
            free(text);
        }
    assert_true(n_checked > 50);
    both_free(&b);
}

static const char *const texts[] = {
    "task: classification\n" LABELS "input: [signed, attributes]\n"
    "layers:\n"
    "  - {rule: \"share wl(i), wl(j) when edge(i,j)\", heads: 4, mix: full, bias: share deg(i)}\n"
    "  - norm: layer\n"
    "  - dropout: 0.5\n"
    "  - {dense: 4, activation: gelu, residual: true}\n"
    "  - {rule: [\"share dist(i,j) when dist(i,j) <= 2\", share deg(i) when i = j], residual: "
    "true}\n"
    "  - {aggregate: \"share out, cyc(i)\", outputs: 6, activation: leaky-relu}\n"
    "  - {dense: 6, residual: true, activation: relu}\n"
    "  - activation: tanh\n"
    "  - dense: auto\n"
    "training: {precision: double}\n",
    "task: regression\n" LABELS "input: [\"one-hot(wl)\", constant]\n"
    "layers:\n"
    "  - {aggregate: [\"share out, deg(i)\", share out], by: sum}\n"
    "training: {precision: double}\n",
    "task: classification\n" LABELS "layers:\n"
    "  - {aggregate: \"share out, wl(i)\"}\n",
    "task: node-classification\n" LABELS "input: [attributes, \"one-hot(deg)\"]\n"
    "layers:\n"
    "  - {rule: \"share wl(i), wl(j) when dist(i,j) <= 1\", heads: 3, mix: full}\n"
    "  - dense: auto\n"
    "training: {precision: double}\n",
};
enum { N_TEXTS = sizeof texts / sizeof *texts };

static void every_layer_goes_along_with_the_nodes(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 3; seed++) {
        both b = both_of(test_dataset_with_targets(30, 9, 22 + seed), seed);
        for (size_t k = 0; k < N_TEXTS; k++) {
            test_network n = test_network_open(texts[k], b.data);
            check_network(&n, &b);
            test_network_close(&n);
        }
        both_free(&b);
    }
}

static void compare_keys(const rg_net_rule *a, const rg_net_rule *b)
{
    assert_int_equal(a->at, b->at);
    assert_int_equal(a->n_params, b->n_params);
    if (!a->keys)
        return;
    size_t n = rg_rule_keys_size(a->keys), width = rg_rule_keys_width(a->keys);
    assert_int_equal(n, rg_rule_keys_size(b->keys));
    if (n)
        assert_memory_equal(rg_rule_keys_data(a->keys), rg_rule_keys_data(b->keys),
                            n * width * sizeof(int64_t));
    assert_memory_equal(&a->facts, &b->facts, sizeof a->facts);
}

static void networks_built_in_any_order_are_the_same(void **state)
{
    (void)state;
    both b = both_of(test_dataset_with_targets(30, 9, 23), 3);
    for (size_t k = 0; k < N_TEXTS; k++) {
        test_network one = test_network_open(texts[k], b.data),
                     other = test_network_open(texts[k], b.other);
        assert_int_equal(one.net->n_params, other.net->n_params);
        for (size_t layer = 0; layer < one.net->n_layers; layer++) {
            const rg_net_layer *x = &one.net->layers[layer], *y = &other.net->layers[layer];
            for (size_t r = 0; r < x->n_rules; r++)
                compare_keys(&x->rules[r], &y->rules[r]);
            compare_keys(&x->bias, &y->bias);
        }
        test_network_close(&one);
        test_network_close(&other);
    }
    both_free(&b);
}

/* ---- what a model says */

typedef struct ordered_outputs {
    size_t n;
    double outputs[30][3];
    uint32_t class[30];
} ordered_outputs;

static rg_status note(void *context, const rg_prediction *p, rg_error *err)
{
    ordered_outputs *s = context;
    (void)err;
    assert_int_equal(p->sample, s->n);
    assert_int_equal(p->n_outputs, 3);
    memcpy(s->outputs[s->n], p->outputs, 3 * sizeof(double));
    s->class[s->n++] = p->classes[0];
    return RG_OK;
}

static void predictions_do_not_depend_on_any_order(void **state)
{
    (void)state;
    both b = both_of(test_dataset_with_targets(30, 9, 24), 4);
    uint32_t train[30];
    for (uint32_t k = 0; k < 30; k++)
        train[k] = k;
    for (size_t k = 0; k < N_TEXTS; k += 2) { /* those with classes */
        char *text = test_format("%s%s", texts[k], k ? "training: {epochs: 3}\n" : "");
        rg_recipe *recipe = test_recipe(text);
        rg_model *model = NULL;
        rg_fold fold = {.train = {train, 30}};
        static ordered_outputs was, is;
        ASSERT_OK(
            rg_model_train(&model, NULL, recipe, &(rg_source){.graphs = b.data}, &fold, NULL, err));
        was.n = is.n = 0;
        ASSERT_OK(
            rg_model_predict(model, &(rg_source){.graphs = b.data}, NULL, note, &was, NULL, err));
        ASSERT_OK(
            rg_model_predict(model, &(rg_source){.graphs = b.other}, NULL, note, &is, NULL, err));
        for (size_t g = 0; g < 30; g++)
            for (size_t c = 0; c < 3; c++) {
                assert_true(
                    test_near(is.outputs[g][c], was.outputs[b.graphs[g]][c], k ? 1e-6 : 1e-10, 1));
                assert_int_equal(is.class[g], was.class[b.graphs[g]]);
            }
        rg_model_free(model);
        rg_recipe_free(recipe);
        free(text);
    }
    both_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_do_not_depend_on_node_order),
        cmocka_unit_test(every_layer_goes_along_with_the_nodes),
        cmocka_unit_test(networks_built_in_any_order_are_the_same),
        cmocka_unit_test(predictions_do_not_depend_on_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
