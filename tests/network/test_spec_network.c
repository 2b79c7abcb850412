/* test_spec_network.c - the networks of network files: normal forms, complaints, defaults, memory.
 */
#include "base/alloc.h"
#include "network/spec.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static rg_status read_text(rg_spec **out, const char *text, rg_error *err)
{
    rg_yaml *root = NULL;
    rg_status status = rg_yaml_parse(&root, "f", text, strlen(text), err);
    if (!status)
        status = rg_spec_from_yaml(out, root, err);
    rg_yaml_free(root);
    return status;
}

static rg_spec *spec_of(const char *text)
{
    rg_spec *spec = NULL;
    rg_error err = {""};
    if (read_text(&spec, text, &err))
        fail_msg("%s: %s", text, err.message);
    return spec;
}

/* The normal form. Owned (rg_free). */
static char *normal(const char *text)
{
    rg_spec *spec = spec_of(text);
    char *out = NULL;
    ASSERT_OK(rg_spec_print(&out, spec, err));
    rg_spec_free(spec);
    return out;
}

#define DENSE "layers:\n  - dense: auto\n    bias: true\n    residual: false\n"
#define HEAD "task: auto\ninput: auto\n"

/* Files and their normal forms. */
static const struct {
    const char *text, *normal;
} good[] = {
    {"layers: [dense: auto]", HEAD DENSE},
    {"preset: paper\ntask: node-classification\ntarget: 3\ninput: signed\n" DENSE,
     "preset: paper\ntask: node-classification\ntarget: [3]\ninput: signed\n" DENSE},
    {"task: multi-label\ntarget: [2, 0]\n" DENSE,
     "task: multi-label\ntarget: [2, 0]\ninput: auto\n" DENSE},
    {"input: constant\n" DENSE, "task: auto\ninput: constant(1)\n" DENSE},
    {"input: constant( -2.50 )\n" DENSE, "task: auto\ninput: constant(-2.5)\n" DENSE},
    {"input: [values]\n" DENSE, "task: auto\ninput: values\n" DENSE},
    {"input: [scaled, attributes, 'one-hot(node,1)', one-hot(node)]\n" DENSE,
     "task: auto\ninput:\n  - scaled\n  - attributes\n  - one-hot(node,1)\n  - "
     "one-hot(node,0)\n" DENSE},
    {"labels: {node: degree}\ninput: [one-hot(node), 'one-hot( node , 0 )']\n" DENSE,
     "task: auto\ninput:\n  - one-hot(node)\n  - one-hot(node,0)\nlabels:\n  node: degree\n" DENSE},
    {"labels:\n  wl: wl(depth=2, max=500)\n  f: 'file(\"a: # \\b\")'\n" DENSE,
     HEAD "labels:\n  wl: wl(depth=2, from=degree, edges=false, unseen=label, max=500)\n"
          "  f: \"file(\\\"a: # \\\\b\\\")\"\n" DENSE},
    {"labels:\n  f: \"file(\\u00e4\\t\\U0001F600\\x85)\"\n" DENSE,
     HEAD "labels:\n  f: \"file(\\\"\\u00E4\\u0009\\U0001F600\\u0085\\\")\"\n" DENSE},
    {"labels: {wl: wl}\n"
     "layers:\n"
     "  - rule: share wl(i),wl(j),dist(i,j)\n"
     "      when dist(j,i) in {1,3}\n"
     "    bias: share wl(i)\n"
     "    heads: 4\n"
     "    mix: full\n"
     "    activation: leaky-relu\n"
     "    residual: true\n"
     "  - norm: layer\n"
     "  - dropout: 0.30\n"
     "  - rule:\n"
     "      - share 1 when edge(i,j)\n"
     "      - share 1 when i = j\n"
     "    bias: none\n"
     "  - aggregate: [share out, 'share out, wl(i)']\n"
     "    outputs: 2\n"
     "    by: sum\n"
     "    bias: false\n"
     "  - activation: gelu\n"
     "  - dense: 16\n"
     "    bias: false\n"
     "    activation: relu\n"
     "    residual: true\n",
     HEAD "labels:\n  wl: wl(depth=1, from=degree, edges=false, unseen=label)\n"
          "layers:\n"
          "  - rule: share wl(i), wl(j), dist(i,j) when dist(i,j) in {1, 3}\n"
          "    bias: share wl(i)\n"
          "    heads: 4\n"
          "    mix: full\n"
          "    residual: true\n"
          "    activation: leaky-relu\n"
          "  - norm: layer\n"
          "  - dropout: 0.3\n"
          "  - rule:\n"
          "      - share 1 when edge(i,j)\n"
          "      - share 1 when i = j\n"
          "    bias: none\n"
          "    mix: each\n"
          "    residual: false\n"
          "  - aggregate:\n"
          "      - share out\n"
          "      - share out, wl(i)\n"
          "    outputs: 2\n"
          "    by: sum\n"
          "    bias: false\n"
          "  - activation: gelu\n"
          "  - dense: 16\n"
          "    bias: false\n"
          "    residual: true\n"
          "    activation: relu\n"},
    {"layers:\n"
     "  - rule: share row(j)-row(i), col(j)-col(i) when row(j)-row(i) in 0..2 and "
     "col(j)-col(i) in 0..2\n"
     "    bias: share channel(i)\n"
     "    shape: [26, 24]\n"
     "  - rule: share i, j\n"
     "    shape: [1, 10, 1]\n",
     HEAD "layers:\n"
          "  - rule: share row(j) - row(i), col(j) - col(i) when row(j) - row(i) in 0..2 and "
          "col(j) - col(i) in 0..2\n"
          "    bias: share channel(i)\n"
          "    mix: each\n"
          "    shape: [26, 24, 1]\n"
          "    residual: false\n"
          "  - rule: share i, j\n"
          "    bias: none\n"
          "    mix: each\n"
          "    shape: [1, 10, 1]\n"
          "    residual: false\n"},
    {"layers:\n"
     "  - aggregate: share out\n"
     "    by: [mean, sum]\n"
     "    outputs: 3\n"
     "    decay: 0.010\n"
     "  - {dense: auto, decay: 0}\n",
     HEAD "layers:\n"
          "  - aggregate: share out\n"
          "    outputs: 3\n"
          "    by: [sum, mean]\n"
          "    bias: true\n"
          "    decay: 0.01\n"
          "  - dense: auto\n"
          "    bias: true\n"
          "    residual: false\n"
          "    decay: 0\n"},
};

static void normal_forms_parse_to_themselves(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        char *once = normal(good[k].text);
        assert_string_equal(once, good[k].normal);
        char *twice = normal(once);
        assert_string_equal(twice, once);
        rg_free(once);
        rg_free(twice);
    }
}

static void a_spec_has_what_the_file_says(void **state)
{
    rg_spec *spec = spec_of(good[10].text);
    (void)state;
    assert_int_equal(spec->n_layers, 7);
    assert_int_equal(spec->n_labels, 1);
    assert_string_equal(spec->label_names[0], "wl");
    assert_int_equal(spec->n_signals, 1);
    assert_int_equal(spec->signals[0].kind, RG_SIGNAL_AUTO);
    static const rg_layer_kind *const kinds[] = {
        &rg_layer_rule,      &rg_layer_norm,       &rg_layer_dropout, &rg_layer_rule,
        &rg_layer_aggregate, &rg_layer_activation, &rg_layer_dense};
    static const size_t lines[] = {3, 10, 11, 12, 16, 20, 21};
    for (size_t k = 0; k < 7; k++) {
        assert_ptr_equal(spec->layers[k].kind, kinds[k]);
        assert_int_equal(spec->layers[k].line, lines[k]);
    }
    const rg_layer_spec *rule = &spec->layers[0], *two = &spec->layers[3], *sum = &spec->layers[4],
                        *dense = &spec->layers[6];
    assert_true(rule->width == 4 && rule->own[0] == 1 && rule->residual && rule->n_rules == 1);
    assert_string_equal(rule->bias, "share wl(i)");
    assert_true(two->width == 0 && two->own[0] == 0 && !two->residual && two->n_rules == 2);
    assert_null(two->bias);
    assert_true(spec->layers[2].own[0] == 0.3);
    assert_true(sum->width == 2 && sum->own[0] == 1 && sum->own[1] == 0 && sum->n_rules == 2);
    assert_true(dense->width == 16 && dense->own[0] == 0 && dense->residual);
    rg_spec_free(spec);
    spec = spec_of("layers: [aggregate: share out]");
    assert_true(spec->layers[0].own[0] == 2 && spec->layers[0].own[1] == 1);
    assert_int_equal(spec->layers[0].width, 0);
    rg_spec_free(spec);
}

static void activations_that_are_not_said_go_by_their_place(void **state)
{
    static const char layers[] = "layers:\n"
                                 "  - rule: share 1 when edge(i,j)\n"
                                 "  - rule: share 1\n"
                                 "    activation: relu\n"
                                 "  - norm: layer\n"
                                 "  - aggregate: share out\n"
                                 "  - dense: 3\n"
                                 "  - dropout: 0.5\n"
                                 "  - activation: gelu\n";
    static const rg_activation expected[] = {RG_TANH,     RG_RELU,     RG_IDENTITY, RG_TANH,
                                             RG_IDENTITY, RG_IDENTITY, RG_GELU};
    (void)state;
    for (int paper = 0; paper < 2; paper++) {
        char *text = test_format("%s%s", paper ? "preset: paper\n" : "", layers);
        rg_spec *spec = spec_of(text);
        assert_int_equal(rg_specs_last(spec->layers, 7), 4);
        for (size_t k = 0; k < 7; k++)
            assert_int_equal(rg_specs_activation(spec->layers, 7, k, paper),
                             paper && k == 4 ? RG_TANH : expected[k]);
        rg_spec_free(spec);
        free(text);
    }
    rg_spec *spec = spec_of("layers: [{dense: 3, activation: relu}]");
    assert_int_equal(rg_specs_activation(spec->layers, 1, 0, false), RG_RELU);
    rg_spec_free(spec);
    assert_string_equal(rg_activation_name(RG_LEAKY_RELU), "leaky-relu");
    assert_string_equal(rg_task_name(RG_TASK_NODES), "node-classification");
}

#define L "layers: [dense: auto]\n"
#define NAMES                                                                                     \
    "node, degree, core, betweenness, trivial, attribute, element, charge, hydrogens, aromatic, " \
    "ring_size, hybridisation, chirality, wl, wl2, marked, walks, cycles, cliques, pattern, "     \
    "combine or file"
#define LAYERS                                                                              \
    "rule, aggregate, dense, dropout, norm, activation, embed, concat, add, message, gin, " \
    "gine, sage, gcn, gat, mlp, pool, readout, sort-pool, conv1d, max-pool or window"
#define INPUTS                                                                                \
    "auto, signed, scaled, constant, constant(NUMBER), one-hot(NAME), one-hot(node,COLUMN), " \
    "attributes, labels, degree, relative(NAME), count(LABELING) or values"
#define RULE_KEYS                                                                               \
    "rule, bias, heads, shape, activation, residual, weights, mix, normalise, support, decay, " \
    "name or from"
#define BEFORE "layers:\n  - "

static const struct {
    const char *text, *message;
} bad[] = {
    {"", "f:1:1: found no key 'layers', expected a list of layers"},
    {"- 1", "f:1:1: found a list, expected a map with the key layers"},
    {"text", "f:1:1: found 'text', expected a map with the key layers"},
    {"layers:", "f:1:8: found nothing, expected a list of layers"},
    {"layers: []", "f:1:9: found 0 layers, expected 1..64"},
    {"layers: {dense: 3}", "f:1:9: found a map, expected a list of layers"},
    {"layers: [dense]", "f:1:10: found 'dense', expected a map with keys such as " LAYERS},
    {"layers: [{}]", "f:1:10: found an empty map, expected a layer"},
    {"layers: [dropout: 0.1]", "f:1:9: found no layer with weights, expected a rule, aggregate or "
                               "dense layer"},
    {"layers: [norm: layer, activation: tanh]",
     "f:1:9: found no layer with weights, expected a rule, aggregate or dense layer"},
    {"layers: [{dense: 3, decay: -1}]", "f:1:28: found '-1', expected a number, 0 or more"},
    {"layers: [{dense: 3, decay: much}]", "f:1:28: found 'much', expected a number, 0 or more"},
    {"layers: [{aggregate: share out, by: [sum, sum]}]",
     "f:1:43: found 'sum' a second time, expected each once"},
    {"layers: [danse: 3]",
     "f:1:10: found the key 'danse', expected " LAYERS " (did you mean 'dense'?)"},
    {"preset: papre\n" L, "f:1:9: found 'papre', expected paper (did you mean 'paper'?)"},
    {"task: klassification\n" L,
     "f:1:7: found 'klassification', expected auto, classification, regression, multi-label, "
     "node-classification or node-regression (did you mean 'classification'?)"},
    {"task:\n" L, "f:1:6: found nothing, expected auto, classification, regression, multi-label, "
                  "node-classification or node-regression"},
    {"target: -1\n" L, "f:1:9: found '-1', expected the number of a column, from 0"},
    {"target: x\n" L, "f:1:9: found 'x', expected the number of a column, from 0"},
    {"target: []\n" L, "f:1:9: found 0 columns, expected 1..64"},
    {"target: [1, 1]\n" L, "f:1:13: found '1', expected each column once"},
    {"target: [1, [2]]\n" L, "f:1:13: found a list, expected the number of a column, from 0"},
    /* input */
    {"input:\n" L, "f:1:7: found nothing, expected a kind of input, such as signed or constant"},
    {"input: {a: b}\n" L, "f:1:8: found a map, expected a kind of input, such as signed or "
                          "constant"},
    {"input: []\n" L, "f:1:8: found 0 kinds of input, expected 1..64"},
    {"input: sined\n" L, "f:1:8: found 'sined', expected " INPUTS " (did you mean 'signed'?)"},
    {"input: xyz(1)\n" L, "f:1:8: found 'xyz(1)', expected " INPUTS},
    {"input: signed(1)\n" L, "f:1:8: found 'signed(1)', expected signed without brackets"},
    {"input: constant(x)\n" L, "f:1:8: found 'constant(x)', expected constant(NUMBER)"},
    {"input: constant()\n" L, "f:1:8: found 'constant()', expected constant(NUMBER)"},
    {"input: constant(nan)\n" L, "f:1:8: found 'constant(nan)', expected constant(NUMBER)"},
    {"input: one-hot\n" L, "f:1:8: found 'one-hot', expected one-hot of a labeling (node) or "
                           "one-hot(node,COLUMN)"},
    {"labels: {wl: wl}\ninput: one-hot(wk)\n" L,
     "f:2:8: found 'one-hot(wk)', expected one-hot of a labeling (wl, node) or "
     "one-hot(node,COLUMN)"},
    {"input: one-hot(node,-1)\n" L, "f:1:8: found 'one-hot(node,-1)', expected one-hot of a "
                                    "labeling (node) or one-hot(node,COLUMN)"},
    {"input: one-hot(node,)\n" L, "f:1:8: found 'one-hot(node,)', expected one-hot of a "
                                  "labeling (node) or one-hot(node,COLUMN)"},
    {"input: [one-hot(node,1)]\n" L,
     "f:1:9: found 'one-hot(node', expected a ')' at the end (inside [ ] a comma separates items: "
     "use a list of lines, or quotes)"},
    {"input: [signed, auto]\n" L, "f:1:17: found 'auto' among others, expected it alone"},
    {"input: [values, signed]\n" L, "f:1:9: found 'values' among others, expected it alone"},
    /* labels */
    {"labels: [wl]\n" L, "f:1:9: found a list, expected a map from names to labelings, such as "
                         "wl: wl(depth=2)"},
    {"labels:\n" L, "f:1:8: found nothing, expected a map from names to labelings, such as "
                    "wl: wl(depth=2)"},
    {"labels: {wl: }\n" L, "f:1:14: found nothing, expected a labeling, such as wl(depth=2)"},
    {"labels: {wl: [wl]}\n" L, "f:1:14: found a list, expected a labeling, such as wl(depth=2)"},
    {"labels:\n  wl: nodes\n" L,
     "f:2:7: labels: column 1: found 'nodes', expected " NAMES " (did you mean 'node'?)"},
    {"labels:\n  wl: wl(dept=2)\n" L,
     "f:2:7: labels: column 4: found 'dept', expected depth, from, edges, max or unseen (did you "
     "mean 'depth'?)"},
    {"labels:\n  dist: wl\n" L, "f:2:3: found the labeling 'dist', expected another name: this one "
                                "is a word of the rule language"},
    {"labels:\n  share: wl\n" L, "f:2:3: found the labeling 'share', expected another name: this "
                                 "one is a word of the rule language"},
    {"labels:\n  1wl: wl\n" L, "f:2:3: found the labeling '1wl', expected a name: a letter or '_', "
                               "then letters, digits and '_', at most 60"},
    {"labels:\n  'w l': wl\n" L,
     "f:2:3: found the labeling 'w l', expected a name: a letter or '_', then letters, digits and "
     "'_', at most 60"},
    /* layers */
    {BEFORE "rule: share i, j\n    dense: 3\n",
     "f:3:5: found the key 'dense', expected " RULE_KEYS},
    {BEFORE "rule: share i, j\n    head: 3\n",
     "f:3:5: found the key 'head', expected " RULE_KEYS " (did you mean 'heads'?)"},
    {BEFORE "rule:\n", "f:2:10: found nothing, expected a rule, such as share node(i), node(j) "
                       "when edge(i,j)"},
    {BEFORE "rule: []\n", "f:2:11: found 0 rules, expected 1..8"},
    {BEFORE "rule: [1, 2, 3, 4, 5, 6, 7, 8, 9]\n", "f:2:11: found 9 rules, expected 1..8"},
    {BEFORE "rule: share i,\n", "f:2:11: rule: column 9: found the end, expected a number, a name "
                                "or '('"},
    {BEFORE "rule: shar i\n", "f:2:11: rule: column 1: found 'shar', expected 'share' (did you "
                              "mean 'share'?)"},
    {BEFORE "rule: |\n      share i\n      whn j\n",
     "f:2:11: rule: line 2, column 1: found 'whn', expected ',', 'when' or the end (did you mean "
     "'when'?)"},
    {BEFORE "rule:\n      - share i\n      - share out\n",
     "f:4:9: rule: column 7: found 'out', expected i or j: only an aggregation has out"},
    {BEFORE "rule: share i\n    bias: share j\n",
     "f:3:11: rule: column 7: found 'j', expected i: a bias has no j"},
    {BEFORE "rule: share i\n    bias: true\n",
     "f:3:11: rule: column 1: found 'true', expected 'share'"},
    {BEFORE "aggregate: share j\n",
     "f:2:16: rule: column 7: found 'j', expected i: an aggregation has out and i"},
    {BEFORE "rule: share i\n    heads: 0\n", "f:3:12: found '0', expected a whole number 1..4096"},
    {BEFORE "aggregate: share out\n    outputs: 4097\n",
     "f:3:14: found '4097', expected a whole number 1..4096"},
    {BEFORE "dense: 0\n", "f:2:12: found '0', expected auto or a whole number 1..4096"},
    {BEFORE "dense:\n", "f:2:11: found nothing, expected auto or a whole number 1..4096"},
    {BEFORE "dense: 1\n    bias: 1\n", "f:3:11: found '1', expected true or false"},
    {BEFORE "rule: share i\n    mix: half\n", "f:3:10: found 'half', expected each or full"},
    {BEFORE "rule: share i\n    residual: yes\n", "f:3:15: found 'yes', expected true or false"},
    {BEFORE "aggregate: share out\n    by: max\n", "f:3:9: found 'max', expected sum or mean"},
    {BEFORE "dense: 1\n    activation: sigmoyd\n",
     "f:3:17: found 'sigmoyd', expected identity, tanh, relu, leaky-relu, gelu, sigmoid, softplus, "
     "elu or swish (did you mean 'sigmoid'?)"},
    {BEFORE "dropout: 1\n", "f:2:14: found '1', expected a probability, 0 or more and below 1"},
    {BEFORE "dropout: -0.1\n",
     "f:2:14: found '-0.1', expected a probability, 0 or more and below 1"},
    {BEFORE "dropout: x\n", "f:2:14: found 'x', expected a probability, 0 or more and below 1"},
    {BEFORE "norm: group\n", "f:2:11: found 'group', expected layer or batch"},
    {BEFORE "aggregate: share out\n  - rule: share 1\n",
     "f:3:5: found a layer 'rule' after an aggregate, expected dense, dropout, norm or activation"},
    {BEFORE "aggregate: share out\n  - aggregate: share out\n",
     "f:3:5: found a layer 'aggregate' after an aggregate, expected dense, dropout, norm or "
     "activation"},
    {"task: node-classification\nlayers:\n  - dense: 1\n  - aggregate: share out\n",
     "f:4:5: found an aggregate layer, expected none: node-classification predicts every node"},
    /* shapes */
    {BEFORE "rule: share row(i)\n",
     "f:2:5: found a rule on shapes, expected the key shape too: the output shape"},
    {BEFORE "rule: share i, j\n    bias: share row(i)\n",
     "f:2:5: found a rule on shapes, expected the key shape too: the output shape"},
    {BEFORE "rule: share 1 when edge(i,j)\n    shape: [2, 2]\n",
     "f:2:11: found a rule on graphs, expected one on shapes, as before"},
    {BEFORE "rule: share 1 when edge(i,j)\n  - rule: share i, j\n    shape: [2, 2]\n",
     "f:4:12: found a shape, expected none: the rules before are on graphs"},
    {BEFORE "rule: [share row(i), share node(i)]\n    shape: [2, 2]\n",
     "f:2:26: found a rule on graphs, expected one on shapes, as before"},
    {BEFORE "rule: share node(i)\n  - aggregate: share out, row(i)\n",
     "f:3:16: found a rule on shapes, expected one on graphs, as before"},
    {BEFORE "rule: share i, j\n    shape: 4\n", "f:3:12: found '4', expected [ROWS, COLS], [ROWS, "
                                                "COLS, CHANNELS] or [ROWS, COLS, DEPTH, CHANNELS]"},
    {BEFORE "rule: share i, j\n    shape: [4]\n",
     "f:3:12: found a list, expected [ROWS, COLS], [ROWS, COLS, CHANNELS] or [ROWS, COLS, DEPTH, "
     "CHANNELS]"},
    {BEFORE "rule: share i, j\n    shape: [4, 0]\n",
     "f:3:16: found '0', expected a whole number 1..1048576"},
    {BEFORE "rule: share i, j\n    shape: [1000000, 1000000]\n",
     "f:3:12: found a shape of more than 2147483647 values, expected fewer"},
    {BEFORE "rule: share i, j\n    shape: [1000, 1000, 1000000]\n",
     "f:3:12: found a shape of more than 2147483647 values, expected fewer"},
};

static void bad_files_say_where_and_what(void **state)
{
    (void)state;
    size_t n_right = 0;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        rg_spec *spec = NULL;
        rg_error err = {""};
        rg_status status = read_text(&spec, bad[k].text, &err);
        if (status != RG_EDATA || spec || strcmp(err.message, bad[k].message) != 0)
            print_error("%s:\n  %s\nexpected\n  %s\n", bad[k].text, err.message, bad[k].message);
        else
            n_right++;
        rg_spec_free(spec);
    }
    assert_int_equal(n_right, sizeof bad / sizeof *bad);
}

static void counts_have_bounds(void **state)
{
    static const struct {
        int n;
        const char *before, *each, *message;
    } cases[] = {
        {RG_SPEC_LAYERS_MAX, "layers:\n", "  - dense: 1\n", "f:2:3: found 65 layers"},
        {RG_SPEC_TARGETS_MAX, L "target:\n", "  - %d\n", "f:3:3: found 65 columns"},
        {RG_SPEC_LABELS_MAX, L "labels:\n", "  l%d: wl\n", "f:35:3: found more than 32 labelings"},
        {RG_SPEC_SIGNALS_MAX, L "input:\n", "  - signed\n", "f:3:3: found 65 kinds of input"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int more = 0; more < 2; more++) {
            char text[4096];
            size_t used = (size_t)snprintf(text, sizeof text, "%s", cases[k].before);
            for (int n = 0; n < cases[k].n + more; n++) {
                char number[16];
                const char *hole = strstr(cases[k].each, "%d");
                snprintf(number, sizeof number, "%d", n);
                used += (size_t)snprintf(
                    text + used, sizeof text - used, "%.*s%s%s",
                    (int)(hole ? hole - cases[k].each : (long)strlen(cases[k].each)), cases[k].each,
                    hole ? number : "", hole ? hole + 2 : "");
            }
            rg_spec *spec = NULL;
            rg_error err = {""};
            assert_int_equal(read_text(&spec, text, &err), more ? RG_EDATA : RG_OK);
            if (more)
                assert_memory_equal(err.message, cases[k].message, strlen(cases[k].message));
            rg_spec_free(spec);
        }
}

static void a_pattern_file_that_is_missing_is_an_io_error(void **state)
{
    rg_spec *spec = NULL;
    rg_error err = {""};
    (void)state;
    assert_int_equal(read_text(&spec, "labels:\n  p: pattern(file(/nowhere/p.txt))\n" L, &err),
                     RG_EIO);
    assert_memory_equal(err.message, "f:2:6: cannot ", 14);
    assert_null(spec);
}

static rg_status read_and_print(void *context, rg_error *err)
{
    rg_spec *spec = NULL;
    char *text = NULL;
    rg_status status = read_text(&spec, context, err);
    if (!status)
        status = rg_spec_print(&text, spec, err);
    rg_spec_free(spec);
    rg_free(text);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t k = 7; k < sizeof good / sizeof *good; k++)
        assert_true(test_allocation_sweep(read_and_print, (void *)(uintptr_t)good[k].text) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_forms_parse_to_themselves),
        cmocka_unit_test(a_spec_has_what_the_file_says),
        cmocka_unit_test(activations_that_are_not_said_go_by_their_place),
        cmocka_unit_test(bad_files_say_where_and_what),
        cmocka_unit_test(counts_have_bounds),
        cmocka_unit_test(a_pattern_file_that_is_missing_is_an_io_error),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
