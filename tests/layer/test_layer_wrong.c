/* test_layer_wrong.c - layers that are said wrongly, or do not fit: the message of each. */
#include "base/alloc.h"
#include "support/networks.h"

#include <string.h>

/* Of a file with these layers: what reading says, and what fitting it to data says. */
typedef struct layer_fault {
    const char *layers, *message;
} layer_fault;

#define G "  - {gcn: 4, name: g}\n" /* line 4 */
#define END "  - pool: sum\n  - dense: auto\n"

static char *file_of(const char *task, const char *layers)
{
    return test_format("task: %s\ninput: labels\nlayers:\n%s", task, layers);
}

static void layers_that_are_said_wrongly(void **state)
{
    static const layer_fault cases[] = {
        {"  - gin: 0\n", "n.yml:4:10: found '0', expected a whole number 1..4096"},
        {"  - gin: 5000\n", "n.yml:4:10: found '5000', expected a whole number 1..4096"},
        {"  - gin: wide\n", "n.yml:4:10: found 'wide', expected a whole number 1..4096"},
        {"  - {gin: 4, eps: much}\n", "n.yml:4:19: found 'much', expected learned or a number"},
        {"  - {gin: 4, eps: 1e10}\n", "n.yml:4:19: found '1e10', expected learned or a number"},
        {"  - {gin: 4, activation: relu}\n", "n.yml:4:14: found the key 'activation', expected "
                                             "gin, residual, eps, decay, name or from"},
        {"  - {gin: 4, dropout: 0.5}\n",
         "n.yml:4:14: found the key 'dropout', expected gin, residual, eps, decay, name or from"},
        {"  - mlp: auto\n", "n.yml:4:10: found 'auto', expected a whole number 1..4096"},
        {"  - {sage: 4, aggregation: sum}\n", "n.yml:4:28: found 'sum', expected add, mean or max"},
        {"  - {sage: 4, self: other}\n", "n.yml:4:21: found 'other', expected shared or own"},
        {"  - {sage: 4, bias: false}\n", "n.yml:4:15: found the key 'bias', expected sage, "
                                         "activation, residual, aggregation, self, decay, name or "
                                         "from"},
        {"  - {gcn: 4, activation: sigmoyd}\n",
         "n.yml:4:26: found 'sigmoyd', expected identity, tanh, relu, leaky-relu, gelu, sigmoid, "
         "softplus, elu or swish (did you mean 'sigmoid'?)"},
        {"  - {gcn: 4, residual: perhaps}\n",
         "n.yml:4:24: found 'perhaps', expected true or false"},
        {"  - {gat: 4, heads: 65}\n", "n.yml:4:21: found '65', expected a whole number 1..64"},
        {"  - {gat: 4, heads: 0}\n", "n.yml:4:21: found '0', expected a whole number 1..64"},
        {"  - {gat: 4, head: 2}\n", "n.yml:4:14: found the key 'head', expected gat, activation, "
                                    "residual, heads, decay, name or from (did you mean 'heads'?)"},
        {"  - gaat: 4\n",
         "n.yml:4:5: found the key 'gaat', expected rule, aggregate, dense, dropout, norm, "
         "activation, embed, concat, add, message, gin, gine, sage, gcn, gat, mlp, pool, readout, "
         "sort-pool, conv1d, max-pool or window (did you mean 'gat'?)"},
        {"  - readout: median\n",
         "n.yml:4:14: found 'median', expected sum, mean or max (did you mean 'mean'?)"},
        {"  - {readout: sum, dropout: 1}\n",
         "n.yml:4:29: found '1', expected a probability, 0 or more and below 1"},
        {"  - {readout: sum, outputs: 0}\n",
         "n.yml:4:29: found '0', expected a whole number 1..4096"},
        {"  - pool: median\n",
         "n.yml:4:11: found 'median', expected sum, mean or max (did you mean 'mean'?)"},
        {"  - pool: []\n", "n.yml:4:11: found an empty list, expected sum or others"},
        {"  - pool: [sum, max, sum]\n",
         "n.yml:4:22: found 'sum' a second time, expected each once"},
        {"  - {pool: sum, of: []}\n", "n.yml:4:21: found 0 names, expected 1..64"},
        {"  - {pool: sum, of: nobody}\n",
         "n.yml:4:3: found no layer with weights, expected a rule, aggregate or dense layer"},
        {G "  - {pool: sum, of: [g, g2]}\n", "n.yml:5:25: found the layer 'g2' as input, expected "
                                             "'input' or the 'name' of a layer before"},
        {G "  - {pool: sum, of: g, from: g}\n",
         "n.yml:5:30: found 'from' beside 'of', expected one of them"},
        {"  - sort-pool: 0\n", "n.yml:4:16: found '0', expected a part of the graphs, above 0 and "
                               "up to 1, or a whole number of rows"},
        {"  - {sort-pool: 4, sort: edges}\n",
         "n.yml:4:26: found 'edges', expected nodes or channels"},
        {"  - {sort-pool: 0.5, least: 1}\n",
         "n.yml:4:29: found '1', expected a whole number 2..1000000"},
        {"  - conv1d: 0\n", "n.yml:4:13: found '0', expected a whole number 1..4096"},
        {"  - {conv1d: 4, size: 0}\n", "n.yml:4:23: found '0', expected a whole number 1..1000000"},
        {"  - {conv1d: 4, stride: 0}\n",
         "n.yml:4:25: found '0', expected a whole number 1..1000000"},
        {"  - {window: max, size: 1}\n",
         "n.yml:4:25: found '1', expected a whole number 2..1000000"},
        {"  - window: sum\n", "n.yml:4:13: found 'sum', expected max or mean"},
        {"  - max-pool: 1\n", "n.yml:4:15: found '1', expected a whole number 2..1000000"},
        {"  - embed: 0\n", "n.yml:4:12: found '0', expected a whole number 1..4096"},
        {"  - {embed: 4, bias: true}\n",
         "n.yml:4:16: found the key 'bias', expected embed, decay, name or from"},
        {"  - norm: group\n", "n.yml:4:11: found 'group', expected layer or batch"},
        {"  - dropout: 1\n",
         "n.yml:4:14: found '1', expected a probability, 0 or more and below 1"},
        {"  - dropout: -0.1\n",
         "n.yml:4:14: found '-0.1', expected a probability, 0 or more and below 1"},
        {"  - activation: sigmoyd\n",
         "n.yml:4:17: found 'sigmoyd', expected identity, tanh, relu, leaky-relu, gelu, sigmoid, "
         "softplus, elu or swish (did you mean 'sigmoid'?)"},
        {"  - {concat: [g, h], from: g}\n",
         "n.yml:4:22: found the key 'from', expected concat or name"},
        {"  - concat: []\n", "n.yml:4:13: found 0 names, expected 1..64"},
        {"  - concat: nobody\n",
         "n.yml:4:3: found no layer with weights, expected a rule, aggregate or dense layer"},
        {"  - add: [g]\n",
         "n.yml:4:3: found no layer with weights, expected a rule, aggregate or dense layer"},
        {"  - {gcn: 4, from: nobody}\n", "n.yml:4:20: found the layer 'nobody' as input, expected "
                                         "'input' or the 'name' of a layer before"},
        {"  - {gcn: 4, from: [g, g]}\n",
         "n.yml:4:20: found a list, expected the name of one layer before"},
        {"  - {gcn: 4, from: g, name: g}\n", "n.yml:4:20: found the layer 'g' as input, expected "
                                             "'input' or the 'name' of a layer before"},
        {"  - {gcn: 4, name: 4g}\n",
         "n.yml:4:20: found '4g', expected a name of letters, digits, - and _, a letter first"},
        {"  - {gcn: 4, name: input}\n",
         "n.yml:4:20: found the name 'input' a second time, expected each once"},
        {"  - {gcn: 4, name: every}\n",
         "n.yml:4:20: found the name 'every', expected another: it stands for all layers"},
        {G "  - {gcn: 4, name: g}\n" END,
         "n.yml:5:20: found the name 'g' a second time, expected each once"},
        {G "  - {dense: 4, weights: []}\n" END,
         "n.yml:5:25: found a list, expected a name of letters, digits, - and _, a letter first"},
        {"  - attention: 2\n",
         "n.yml:4:5: found the key 'attention', expected rule, aggregate, dense, dropout, norm, "
         "activation, embed, concat, add, message, gin, gine, sage, gcn, gat, mlp, pool, readout, "
         "sort-pool, conv1d, max-pool or window"}, /* no word of files */
        {"  - message: sum\n",
         "n.yml:4:3: found no layer with weights, expected a rule, aggregate or dense layer"},
        {"  - {}\n", "n.yml:4:5: found an empty map, expected a layer"},
        {"  - gcn\n",
         "n.yml:4:5: found 'gcn', expected a map with keys such as rule, aggregate, "
         "dense, dropout, norm, activation, embed, concat, add, message, gin, gine, sage, "
         "gcn, gat, mlp, pool, readout, sort-pool, conv1d, max-pool or window"},
        {"  - {gcn: 4, gat: 4}\n", "n.yml:4:14: found the key 'gat', expected gcn, activation, "
                                   "residual, decay, name or from"},
        {"  - pool: sum\n",
         "n.yml:4:3: found no layer with weights, expected a rule, aggregate or dense layer"},
        {"  - dropout: 0.5\n",
         "n.yml:4:3: found no layer with weights, expected a rule, aggregate or dense layer"},
        {G "  - pool: sum\n  - gin: 4\n  - dense: auto\n",
         "n.yml:6:5: found a layer 'gin' after an aggregate, expected dense, dropout, norm or "
         "activation"},
        {G "  - pool: sum\n  - pool: max\n  - dense: auto\n",
         "n.yml:6:5: found a layer 'pool' after an aggregate, expected dense, dropout, norm or "
         "activation"},
        {"  - rule: share row(i), col(j)\n    shape: [2, 2]\n"
         "  - rule: share dist(i,j)\n" END,
         "n.yml:6:11: found a rule on graphs, expected one on shapes, as before"},
        {"  - rule: share row(i)\n  - gcn: 3\n" END,
         "n.yml:4:5: found a rule on shapes, expected the key shape too: the output shape"},
        {"  - {dense: auto, of: g}\n", "n.yml:4:19: found the key 'of', expected dense, "
                                       "activation, residual, weights, bias, decay, name or from"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = file_of("classification", cases[k].layers);
        rg_settings settings;
        rg_spec *spec = NULL;
        rg_error err = {""};
        rg_status status =
            rg_network_file_parse(&spec, &settings, "n.yml", text, strlen(text), &err);
        if (status != RG_EDATA || strcmp(err.message, cases[k].message) != 0)
            fail_msg("%s'%s', expected '%s'", cases[k].layers, err.message, cases[k].message);
        rg_spec_free(spec);
        free(text);
    }
}

static rg_status build(const char *text, const rg_source *source, rg_error *err)
{
    rg_settings settings;
    rg_network *net = NULL;
    rg_spec *spec = test_spec(&settings, text);
    rg_status status =
        rg_network_build(&net, NULL, spec, source, &(rg_build_options){.n_threads = 1}, err);
    rg_network_free(net);
    return status;
}

static void layers_that_do_not_fit(void **state)
{
    static const layer_fault cases[] = {
        {G, "network: line 4, layer 1: the network ends with one row per node: expected an "
            "aggregate layer"},
        {G "  - pool: sum\n", "network: line 5, layer 2: the network has 4 outputs, and the task "
                              "(classification) needs 2"},
        {G "  - dense: auto\n", "network: line 5, layer 2: the network ends with one row per node: "
                                "expected an aggregate layer"},
        {G "  - {gcn: 3, residual: true}\n" END,
         "network: line 5, layer 2: 'residual' needs outputs of the same shape as the inputs"},
        {G "  - {pool: sum, name: p}\n  - {concat: [g, p]}\n  - dense: auto\n",
         "network: line 6, layer 3: found values of nodes beside values of graphs, expected one "
         "kind: pool the nodes first"},
        {G "  - {pool: sum, name: p}\n  - {add: [p, g]}\n  - dense: auto\n",
         "network: line 6, layer 3: found values of nodes beside values of graphs, expected one "
         "kind: pool the nodes first"},
        {G "  - {gcn: 3, name: h}\n  - add: [g, h]\n" END,
         "network: line 6, layer 3: found 4 and 3 channels to add, expected the same number"},
        {G "  - {pool: sum, name: p}\n  - {gat: 2, from: p}\n" END,
         "network: line 6, layer 3: a gat layer needs nodes, and an earlier layer aggregated them"},
        {G "  - {pool: sum, name: p}\n  - {pool: max, from: p}\n  - dense: auto\n",
         "network: line 6, layer 3: a pool layer needs nodes, and an earlier layer aggregated "
         "them"},
        {G "  - {pool: sum, name: p}\n  - {aggregate: share out, from: p}\n",
         "network: line 6, layer 3: an aggregate layer needs nodes, and an earlier layer "
         "aggregated them"},
        {G "  - conv1d: 3\n" END, "network: line 5, layer 2: a conv1d layer needs a sequence of "
                                  "rows: expected sort-pool before it"},
        {G "  - max-pool: 2\n" END, "network: line 5, layer 2: a max-pool layer needs a sequence "
                                    "of rows: expected sort-pool before it"},
        {G "  - window: max\n" END,
         "network: line 5, layer 2: a window layer needs rows and columns, "
         "and its input has none"},
        {G "  - pool: sum\n  - conv1d: 3\n  - dense: auto\n",
         "network: line 6, layer 3: a conv1d layer needs a sequence of rows: expected sort-pool "
         "before it"},
        {G "  - sort-pool: 4\n  - {conv1d: 3, size: 5}\n  - dense: auto\n",
         "network: line 6, layer 3: a window has 5 rows, and the sequence has 4"},
        {G "  - sort-pool: 4\n  - max-pool: 5\n  - dense: auto\n",
         "network: line 6, layer 3: a window has 5 rows, and the sequence has 4"},
        {G "  - sort-pool: 2.5\n  - dense: auto\n",
         "network: line 5, layer 2: sort-pool keeps 2.5 rows of 4 channels, expected a whole "
         "number of rows from 2 on and fewer than 2^31 values"},
        {G "  - embed: 3\n" END, "network: line 5, layer 2: an embed layer takes the input of the "
                                 "network, and others come before it"},
        {G "  - {embed: 3, from: g}\n" END, "network: line 5, layer 2: an embed layer takes the "
                                            "input of the network, and others come before it"},
        {"  - dense: auto\n  - gcn: 3\n" END, "network: line 4, layer 1: the width is missing: "
                                              "only the last layer takes it from the task"},
        {"  - {gat: 2048, heads: 3}\n" END,
         "network: line 4, layer 1: found 2048 channels of 3 heads, expected at most 4096 in all"},
        {G "  - {dense: 4, weights: g}\n" END,
         "network: line 5, layer 2: no dense layer before is called 'g'"},
        {G "  - {dense: 4, weights: h}\n" END,
         "network: line 5, layer 2: no dense layer before is called 'h'"},
        {G "  - {dense: 4, name: h}\n  - {gcn: 3}\n  - {dense: 4, weights: h}\n" END,
         "network: line 7, layer 4: 'weights: h' has 4 input channels and 4 output channels, "
         "expected 3 and 4 as here, and a bias as here"},
        {G "  - {dense: 4, name: h}\n  - {dense: 4, weights: h, bias: false}\n" END,
         "network: line 6, layer 3: 'weights: h' has 4 input channels and 4 output channels, "
         "expected 4 and 4 as here, and a bias as here"},
        {G "  - {rule: share 1, weights: h}\n" END,
         "network: line 5, layer 2: no rule layer before is called 'h'"},
        {G "  - {dense: 4, name: h}\n  - {rule: share 1, weights: h}\n" END,
         "network: line 6, layer 3: no rule layer before is called 'h'"},
        {G "  - {rule: share 1, name: h}\n  - {rule: share 2, weights: h}\n" END,
         "network: line 6, layer 3: 'weights: h' has another rule, expected the same as here"},
        {G "  - {rule: [share 1, share 2], name: h}\n  - {rule: share 1, weights: h}\n" END,
         "network: line 6, layer 3: 'weights: h' has another number of rules, expected the same as "
         "here"},
        {G "  - {rule: share 1, name: h}\n  - {rule: share 1, bias: share 1, weights: h}\n" END,
         "network: line 6, layer 3: 'weights: h' has another bias, expected the same as here"},
        {G "  - {rule: share 1, name: h}\n  - {rule: share 1, mix: full, weights: h}\n" END,
         "network: line 6, layer 3: 'weights: h' has another 'mix', expected the same as here"},
        {G "  - {rule: share 1, mix: full, name: h}\n"
           "  - {rule: share 1, mix: full, heads: 3, weights: h}\n" END,
         "network: line 6, layer 3: 'weights: h' has 4 input channels and 4 output channels, "
         "expected 4 and 3 as here, and a bias as here"},
        {G "  - {aggregate: share out, outputs: 2, name: h}\n"
           "  - {aggregate: share out, outputs: 3, from: g, weights: h, name: k}\n"
           "  - concat: [h, k]\n  - dense: auto\n",
         "network: line 6, layer 3: 'weights: h' has 4 input channels and 2 output channels, "
         "expected 4 and 3 as here, and a bias as here"},
        {G "  - rule: share row(i)\n    shape: [2, 2]\n" END,
         "network: line 5, layer 2: a rule on graphs gives one row per node: 'shape' is for "
         "arrays"},
        {G "  - rule: share 1\n    heads: 3\n" END,
         "network: line 5, layer 2: found 4 input channels and 3 output channels, expected the "
         "same number, or 'mix: full'"},
        {G "  - readout: sum\n  - {readout: sum, of: g, outputs: 2}\n  - dense: auto\n",
         "network: line 5, layer 2: the width is missing: only the last layer takes it from the "
         "task"},
        {"  - {pool: sum, of: every}\n  - dense: auto\n",
         "network: line 4, layer 1: no layer before has nodes"},
        {"  - readout: sum\n", "network: line 4, layer 1: no layer before has nodes"},
        {G "  - {dense: 3, from: g}\n  - {gcn: 2, from: g}\n" END,
         "network: line 5, layer 2: no later layer takes its output: expected its 'name' among the "
         "inputs of one"},
        {"  - rule: share row(i), col(j)\n    shape: [2, 2]\n  - gcn: 3\n" END,
         "network: line 4, layer 1: a rule on graphs gives one row per node: 'shape' is for "
         "arrays"},
    };
    rg_dataset *data = test_dataset_with_targets(8, 5, 3);
    rg_source source = {.graphs = data};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = file_of("classification", cases[k].layers);
        rg_error err = {""};
        rg_status status = build(text, &source, &err);
        if (status != RG_EDATA || strcmp(err.message, cases[k].message) != 0)
            fail_msg("%s'%s', expected '%s'", cases[k].layers, err.message, cases[k].message);
        free(text);
    }
    rg_dataset_free(data);
}

/* Layers that are made of others are counted with all of them. */
static void networks_that_are_too_deep(void **state)
{
    static const struct {
        const char *all, *message;
        size_t n;
    } cases[] = {
        {"{readout: sum, outputs: 2}", "more than 512 layers", 8},
        {"{pool: [sum, mean, max], of: every}", "found more than 64 poolings side by side", 1},
    };
    rg_dataset *data = test_dataset_with_targets(8, 5, 3);
    rg_source source = {.graphs = data};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_text layers = {0};
        rg_error err = {""};
        for (size_t n = 0; n < 40; n++)
            rg_text_add(&layers, "  - gcn: 2\n");
        for (size_t n = 0; n < cases[k].n; n++)
            rg_text_add(&layers, "  - %s\n", cases[k].all);
        rg_text_add(&layers, "  - dense: auto\n");
        char *list = rg_text_take(&layers), *text = file_of("classification", list);
        assert_int_equal(build(text, &source, &err), RG_EDATA);
        if (!strstr(err.message, cases[k].message))
            fail_msg("'%s', expected '%s'", err.message, cases[k].message);
        free(text);
        rg_free(list);
    }
    rg_dataset_free(data);
}

static void layers_for_graphs_on_arrays(void **state)
{
    static const layer_fault cases[] = {
        {"  - gcn: 3\n  - dense: auto\n",
         "network: line 2, layer 1: a layer 'gcn' is for graphs, and the samples are arrays"},
        {"  - gat: 3\n  - dense: auto\n",
         "network: line 2, layer 1: a layer 'gat' is for graphs, and the samples are arrays"},
        {"  - mlp: 3\n  - dense: auto\n",
         "network: line 2, layer 1: a layer 'mlp' is for graphs, and the samples are arrays"},
        {"  - norm: batch\n  - dense: auto\n",
         "network: line 2, layer 1: a layer 'norm' is for graphs, and the samples are arrays"},
        {"  - pool: max\n  - dense: auto\n",
         "network: line 2, layer 1: a layer 'pool' is for graphs, and the samples are arrays"},
        {"  - aggregate: share out\n", "network: line 2, layer 1: arrays have no nodes to "
                                       "aggregate: expected a rule or dense layer"},
        {"  - sort-pool: 4\n  - dense: auto\n",
         "network: line 2, layer 1: a layer 'sort-pool' is for graphs, and the samples are arrays"},
        {"  - conv1d: 4\n  - dense: auto\n",
         "network: line 2, layer 1: a layer 'conv1d' is for graphs, and the samples are arrays"},
        {"  - {rule: share row(i), shape: [2, 2], name: a}\n  - concat: [a, a]\n  - dense: auto\n",
         "network: line 3, layer 2: a concat layer is for graphs or behind dense layers"},
    };
    rg_arrays *arrays = test_arrays(5, 3);
    rg_source source = {.arrays = arrays};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = test_format("layers:\n%s", cases[k].layers);
        rg_error err = {""};
        rg_status status = build(text, &source, &err);
        if (status != RG_EDATA || strcmp(err.message, cases[k].message) != 0)
            fail_msg("%s'%s', expected '%s'", cases[k].layers, err.message, cases[k].message);
        free(text);
    }
    rg_arrays_free(arrays);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_that_are_said_wrongly),
        cmocka_unit_test(layers_that_do_not_fit),
        cmocka_unit_test(networks_that_are_too_deep),
        cmocka_unit_test(layers_for_graphs_on_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
