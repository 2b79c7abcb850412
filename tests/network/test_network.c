/* test_network.c - building a network on data: parameters, what is resolved, what does not fit. */
#include "support/networks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- parameters */

/* Distinct (degree of i, degree of j) over all edges, and distinct degrees, by trying all. */
static void count_degrees(const rg_dataset *data, size_t *n_pairs, size_t *n_degrees)
{
    bool pair[32][32] = {{false}}, one[32] = {false};
    *n_pairs = *n_degrees = 0;
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            uint64_t d = graph.row[i + 1] - graph.row[i];
            assert_true(d < 32);
            one[d] = true;
            for (uint64_t k = graph.row[i]; k < graph.row[i + 1]; k++)
                pair[d][graph.row[graph.col[k] + 1] - graph.row[graph.col[k]]] = true;
        }
    }
    for (size_t a = 0; a < 32; a++) {
        *n_degrees += one[a];
        for (size_t b = 0; b < 32; b++)
            *n_pairs += pair[a][b];
    }
}

static void parameters_are_counted_layer_by_layer(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(20, 9, 1);
    size_t pairs, degrees, at = 0;
    count_degrees(data, &pairs, &degrees);
    test_network n =
        test_network_open("task: classification\n"
                          "layers:\n"
                          "  - rule: share degree(i), degree(j) when edge(i,j)\n"
                          "    bias: share degree(i)\n"
                          "    heads: 4\n"
                          "  - rule: [share degree(i) when i = j, \"share 1 when edge(i,j)\"]\n"
                          "  - rule: share degree(i) when i = j\n"
                          "    mix: full\n"
                          "    heads: 3\n"
                          "  - norm: layer\n"
                          "  - dropout: 0.5\n"
                          "  - dense: 5\n"
                          "    bias: false\n"
                          "  - activation: relu\n"
                          "  - aggregate: share out, degree(i)\n"
                          "    outputs: 7\n"
                          "  - dense: auto\n",
                          data);
    const struct {
        size_t weights, biases;
    } expected[] = {{4 * pairs, 4 * degrees},
                    {4 * degrees + 4, 0},
                    {12 * degrees, 0},
                    {6, 0},
                    {0, 0},
                    {15, 0},
                    {0, 0},
                    {7 * 5 * degrees, 7},
                    {21, 3}};
    for (size_t k = 0; k < n.net->n_layers; k++) {
        const rg_net_layer *layer = &n.net->layers[k];
        size_t own = 0;
        for (size_t r = 0; r < layer->n_rules; r++) {
            assert_int_equal(layer->rules[r].at, at + own);
            own += layer->rules[r].n_params;
        }
        if (layer->weight_rows) {
            assert_int_equal(layer->weights, at);
            own += expected[k].weights;
        }
        assert_int_equal(own, expected[k].weights);
        assert_int_equal(layer->bias.n_params, expected[k].biases);
        if (expected[k].biases)
            assert_int_equal(layer->bias.at, at + own);
        at += expected[k].weights + expected[k].biases;
    }
    assert_int_equal(n.net->n_params, at);
    test_network_close(&n);
    rg_dataset_free(data);
}

/* Tables of an aggregation have one row if all outputs see the same nodes by the same part of the
 * key, wherever `out` stands in it; rules that do not say so have a row per output. */
static void outputs_that_see_the_same_share_a_row(void **state)
{
    static const struct {
        const char *rule;
        bool shared, first;
    } rules[] = {
        {"share out, degree(i)", true, true},
        {"share degree(i), out", true, false},
        {"share out", true, true},
        {"share out, degree(i) when degree(i) > 1", true, true},
        {"share degree(i)", false, false},
        {"share out, degree(i) when out = degree(i)", false, false},
        {"share out, degree(i) + out", false, false},
        {"share out / 2, degree(i)", false, false},
        {"share out, out, degree(i)", false, false},
        {"share node(i), out, degree(i)", false, false},
    };
    (void)state;
    rg_dataset *data = test_dataset_with_targets(20, 9, 1);
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) {
        char text[300];
        snprintf(text, sizeof text,
                 "task: classification\nlayers:\n"
                 "  - {rule: share degree(i) when i = j, heads: 3}\n"
                 "  - {aggregate: \"%s\", outputs: 5}\n  - dense: auto\n",
                 rules[k].rule);
        test_network n = test_network_open(text, data);
        const rg_net_rule *rule = &n.net->layers[1].rules[0];
        size_t n_keys = rg_rule_keys_size(rule->keys);
        assert_int_equal(rule->outputs, rules[k].shared ? 5 : 0);
        assert_int_equal(rule->stride, !rules[k].shared ? 0 : rules[k].first ? n_keys / 5 : 1);
        rg_links links;
        rg_block_links(&links, n.samples->blocks[0], 1, 0, 0);
        assert_int_equal(links.n_rows, rules[k].shared ? 1 : 5);
        test_network_close(&n);
    }
    rg_dataset_free(data);
}

/* The network is refused with just this message. */
static void refuse(const char *text, rg_source source, const char *message)
{
    rg_network *net = NULL;
    rg_settings settings;
    rg_error err = {""};
    rg_spec *spec = test_spec(&settings, text);
    assert_int_equal(rg_network_build(&net, NULL, spec, &source, NULL, &err), RG_EDATA);
    assert_null(net);
    if (strcmp(err.message, message) != 0)
        fail_msg("'%s': found\n%s\nexpected\n%s", text, err.message, message);
}

static void what_is_auto_follows_from_the_data(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(12, 6, 3), *bare = test_dataset_bare(12, 6, 3);
    test_network n =
        test_network_open("target: 1\nlayers: [{aggregate: \"share out, node(i)\"}]\n", data);
    assert_int_equal(n.net->task, RG_TASK_CLASSES);
    assert_int_equal(n.net->spec->task, RG_TASK_CLASSES); /* what a model keeps */
    assert_int_equal(n.net->n_outputs, 2);
    assert_int_equal(n.net->signals[0].kind, RG_SIGNAL_SIGNED);
    test_network_close(&n);
    n = test_network_open("target: [1, 2]\nlayers: [{aggregate: \"share out, node(i)\"}]\n", data);
    assert_int_equal(n.net->task, RG_TASK_MULTILABEL);
    assert_int_equal(n.net->n_outputs, 2);
    test_network_close(&n);
    n = test_network_open("task: regression\nlayers: [{aggregate: \"share out, node(i)\"}]\n",
                          data);
    assert_int_equal(n.net->n_outputs, 2);
    assert_int_equal(n.net->n_targets, 2);
    test_network_close(&n);
    refuse("layers: [{aggregate: share out}]", (rg_source){.graphs = bare},
           "'toy' has neither classes nor real targets: there is nothing to learn");
    rg_dataset_free(data);
    rg_dataset_free(bare);
}

/* ---- what does not fit */

enum { DATA, BARE, PLAIN, ARRAYS };

static const struct {
    int on;
    const char *text, *message;
} misfits[] = {
    {DATA, "layers: [{aggregate: share out}]",
     "'toy' has 3 columns of classes: 'target' must say which one to learn"},
    {DATA, "target: [0, 1]\nlayers: [{aggregate: share out}]",
     "'toy' has 3 columns of classes: 'target' must say which one to learn"},
    {DATA, "task: classification\ntarget: 3\nlayers: [{aggregate: share out}]",
     "'toy' has 3 columns for the task classification: there is no 3"},
    {DATA, "task: classification\ntarget: [0, 1]\nlayers: [{aggregate: share out}]",
     "'toy' has 3 columns for the task classification, and the network needs 2"},
    {DATA, "task: multi-label\nlayers: [{aggregate: share out}]",
     "column 0 of the classes of 'toy' has 3 values: a multi-label target has two"},
    {DATA, "task: node-classification\ntarget: 2\nlayers: [{dense: auto}]",
     "'toy' has 2 columns for the task node-classification: there is no 2"},
    {BARE, "task: classification\nlayers: [{aggregate: share out}]",
     "'toy' has no classes: the task 'classification' needs them"},
    {BARE, "task: node-classification\ninput: constant\nlayers: [{dense: auto}]",
     "'toy' has no node labels: the task 'node-classification' needs them"},
    {BARE, "task: regression\nlayers: [{aggregate: share out}]",
     "'toy' has no real targets: the task 'regression' needs them"},
    {DATA, "task: classification\ninput: values\nlayers: [{aggregate: share out}]",
     "network: input 'values' is for arrays, and 'toy' has graphs"},
    {DATA, "task: classification\ninput: \"one-hot(node,2)\"\nlayers: [{aggregate: share out}]",
     "'toy' has 2 columns of node labels: the input needs column 2"},
    {DATA, "task: classification\nlabels: {a: \"attribute(5)\"}\nlayers: [{aggregate: share out}]",
     "labels 'a': 'toy': found 2 node attributes, expected attribute 5"},
    {DATA,
     "task: classification\ninput: attributes\nlayers:\n"
     "  - {rule: \"share 1 when i = j\", heads: 3}\n  - aggregate: share out",
     "network: line 4, layer 1: found 2 input channels and 3 output channels, expected the same "
     "number, or 'mix: full'"},
    {DATA,
     "task: classification\nlayers:\n  - {rule: \"share 1 when i = j\", heads: 3, residual: true}\n"
     "  - aggregate: share out",
     "network: line 3, layer 1: 'residual' needs outputs of the same shape as the inputs"},
    {DATA,
     "task: classification\nlayers:\n  - {aggregate: share out, outputs: 2}\n"
     "  - {dense: 3, residual: true}",
     "network: line 4, layer 2: 'residual' needs outputs of the same shape as the inputs"},
    {DATA, "task: classification\nlayers:\n  - aggregate: share out\n  - dense: auto",
     "network: line 3, layer 1: 'outputs' is missing: only the last layer takes it from the task"},
    {DATA, "task: classification\nlayers:\n  - rule: share 1 when i = j",
     "network: line 3, layer 1: the network ends with one row per node: expected an aggregate "
     "layer"},
    {DATA, "task: classification\nlayers:\n  - {aggregate: share out, outputs: 4}",
     "network: line 3, layer 1: the network has 4 outputs, and the task (classification) needs 3"},
    {DATA, "task: node-classification\nlayers:\n  - dense: 4",
     "network: line 3, layer 1: the network has 4 outputs, and the task (node-classification) "
     "needs 3"},
    {DATA,
     "task: classification\nlayers:\n  - rule: share 1 when dist(i,j) = 50\n"
     "  - aggregate: share out",
     "network: line 3, layer 1: no pair of 'toy' satisfies the rule 'share 1 when dist(i,j) = 50'"},
    {PLAIN, "input: attributes\nlayers: [{aggregate: share out}]",
     "'toy' has no node attributes: the input needs them"},
    {PLAIN, "input: signed\nlayers: [{aggregate: share out}]",
     "'toy' has 0 columns of node labels: the input needs column 0"},
    {PLAIN, "layers: [{aggregate: \"share out, node(i)\"}]",
     "network: line 1, layer 1: rule: 'toy' has 0 columns of node labels, but node(i) asks for "
     "column 0"},
    {PLAIN, "layers: [{rule: \"share bond(i,j) when edge(i,j)\"}, {aggregate: share out}]",
     "network: line 1, layer 1: bond: 'toy' has no edge labels"},
    {PLAIN, "labels: {a: node}\nlayers: [{aggregate: \"share out, a(i)\"}]",
     "labels 'a': 'toy': found 0 columns of node labels, expected column 0 (from 0)"},
    {ARRAYS, "layers:\n  - aggregate: share out",
     "network: line 2, layer 1: arrays have no nodes to aggregate: expected a rule or dense layer"},
    {ARRAYS, "labels: {d: degree}\nlayers: [{dense: auto}]",
     "network: 'grid' has arrays, and labelings are for graphs"},
    {ARRAYS, "input: signed\nlayers: [{dense: auto}]",
     "network: 'grid' has arrays, whose only input is 'values'"},
    {ARRAYS, "layers:\n  - rule: share 1 when i = j\n  - dense: auto",
     "network: line 2, layer 1: a rule on arrays needs its output shape: 'shape: [rows, cols, "
     "channels]'"},
    {ARRAYS, "layers:\n  - dense: 3\n  - {rule: \"share i, j\", shape: [1, 3]}",
     "network: line 3, layer 2: a rule layer needs rows and columns, and the output of a dense "
     "layer has none"},
    {ARRAYS, "task: node-classification\nlayers: [{dense: auto}]",
     "'grid' has no node labels: the task 'node-classification' needs them"},
};

static void a_network_that_does_not_fit_says_why(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(12, 6, 3), *bare = test_dataset_bare(12, 6, 3);
    rg_dataset *plain = test_dataset_plain(12, 6, 3);
    rg_arrays *arrays = test_arrays(6, 3);
    for (size_t k = 0; k < sizeof misfits / sizeof *misfits; k++) {
        rg_source source = {.graphs = misfits[k].on == DATA    ? data
                                      : misfits[k].on == BARE  ? bare
                                      : misfits[k].on == PLAIN ? plain
                                                               : NULL,
                            .arrays = misfits[k].on == ARRAYS ? arrays : NULL};
        refuse(misfits[k].text, source, misfits[k].message);
    }
    rg_dataset_free(data);
    rg_dataset_free(bare);
    rg_dataset_free(plain);
    rg_arrays_free(arrays);
}

static void one_class_is_nothing_to_learn(void **state)
{
    (void)state;
    rg_arrays *arrays = NULL;
    rg_arrays_content content = {.size = sizeof content,
                                 .n_samples = 2,
                                 .shape = {1, 1, 1},
                                 .doubles = (const double[]){1, 2},
                                 .classes = (const int64_t[]){5, 5},
                                 .n_columns = 1};
    ASSERT_OK(rg_arrays_build(&arrays, &content, err));
    refuse("layers: [{dense: auto}]", (rg_source){.arrays = arrays},
           "column 0 of the classes of 'data' has 1 class: expected at least two");
    rg_arrays_free(arrays);
}

static void data_of_another_kind_is_refused(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(12, 6, 3), *bare = test_dataset_bare(12, 6, 3);
    rg_arrays *arrays = test_arrays(6, 3), *other = NULL;
    rg_arrays_content content = {.size = sizeof content,
                                 .name = "line",
                                 .n_samples = 1,
                                 .shape = {1, 2, 1},
                                 .doubles = (const double[]){1, 2}};
    ASSERT_OK(rg_arrays_build(&other, &content, err));
    test_network graphs = test_network_open(
        "task: classification\ninput: attributes\nlayers: [{aggregate: share out}]", data);
    test_network labels =
        test_network_open("task: classification\nlayers: [{aggregate: share out}]", data);
    test_network values = test_network_open_arrays("layers: [{dense: auto}]", arrays);
    const struct {
        const test_network *n;
        rg_source source;
        const char *message;
    } cases[] = {
        {&graphs, {.arrays = arrays}, "'grid' has arrays, and the network is for graphs"},
        {&values, {.graphs = data}, "'toy' has graphs, and the network is for arrays"},
        {&values,
         {.arrays = other},
         "'line' has arrays of shape 1x2x1, and the network is for 4x3x2"},
        {&graphs, {.graphs = bare}, "'toy' has 0 node attributes, and the network was built for 2"},
        {&labels, {.graphs = bare}, "'toy' has 0 columns of node labels: the input needs column 0"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_samples *samples = NULL;
        rg_samples_options options = {.n_threads = 1};
        rg_error err = {""};
        assert_int_equal(
            rg_samples_open(&samples, cases[k].n->net, &cases[k].source, NULL, &options, &err),
            RG_EDATA);
        assert_string_equal(err.message, cases[k].message);
    }
    test_network_close(&graphs);
    test_network_close(&labels);
    test_network_close(&values);
    rg_dataset_free(data);
    rg_dataset_free(bare);
    rg_arrays_free(arrays);
    rg_arrays_free(other);
}

/* ---- memory */

static rg_status build_all(void *context, rg_error *err)
{
    const rg_source *source = context;
    rg_settings settings;
    rg_spec *spec = NULL;
    rg_network *net = NULL;
    rg_samples *samples = NULL;
    rg_labels *labels[RG_SPEC_LABELS_MAX] = {NULL};
    const char *text = "task: classification\nlabels: {d: degree}\ninput: signed\nlayers:\n"
                       "  - {rule: \"share d(i), d(j) when edge(i,j)\", bias: share d(i)}\n"
                       "  - aggregate: share out, d(i)\n";
    rg_build_options building = {.n_threads = 1};
    rg_samples_options tables = {.n_threads = 1, .keep = true};
    rg_status status = rg_network_file_parse(&spec, &settings, "net.yml", text, strlen(text), err);
    if (!status)
        status = rg_network_build(&net, labels, spec, source, &building, err);
    if (!status)
        status = rg_samples_open(&samples, net, source, labels, &tables, err);
    rg_samples_free(samples);
    rg_network_free(net);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(6, 5, 7);
    rg_source source = {.graphs = data};
    assert_true(test_allocation_sweep(build_all, &source) > 50);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parameters_are_counted_layer_by_layer),
        cmocka_unit_test(outputs_that_see_the_same_share_a_row),
        cmocka_unit_test(what_is_auto_follows_from_the_data),
        cmocka_unit_test(a_network_that_does_not_fit_says_why),
        cmocka_unit_test(one_class_is_nothing_to_learn),
        cmocka_unit_test(data_of_another_kind_is_refused),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
