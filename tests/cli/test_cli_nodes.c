/* test_cli_nodes.c - classes of the nodes of one graph from the command line: the examples of docs/nodes.md. */
#include "support/program.h"

#include <math.h>

#define NODES REGULA_SOURCE "/examples/nodes"

static double test_score(const char *directory, const char *network)
{
    char *line = test_format("regula train " NODES " --network " NODES "/%s.yml --model "
                             "%s.safetensors --seed 1 --json --quiet",
                             network, network);
    json_t *root = run_json(directory, line);
    double score = json_number_value(json_object_get(root, "test_accuracy"));
    assert_int_equal(json_integer_value(json_object_get(root, "train_nodes")), 30);
    assert_int_equal(json_integer_value(json_object_get(root, "validation_nodes")), 30);
    assert_int_equal(json_integer_value(json_object_get(root, "test_nodes")), 90);
    json_decref(root);
    free(line);
    return score;
}

static int set_up(void **state)
{
    *state = test_directory_make();
    return 0;
}

/* Scores of the parts of a model, as regula evaluate has them. */
static double evaluated(const char *directory, const char *part, size_t *n)
{
    char *line = test_format("regula evaluate near.safetensors " NODES "%s --json --quiet", part);
    json_t *root = run_json(directory, line);
    double score = json_number_value(json_object_get(root, "accuracy"));
    *n = (size_t)json_integer_value(json_object_get(root, "n"));
    json_decref(root);
    free(line);
    return score;
}

static void nodes_are_told_by_those_around_them(void **state)
{
    size_t n;
    double near = test_score(*state, "near"), alone = test_score(*state, "alone");
    if (near < 0.8 || alone > 0.75)
        fail_msg("near %g, alone %g", near, alone);
    assert_true(fabs(evaluated(*state, "", &n) - near) < 1e-12);
    assert_int_equal(n, 90);
    evaluated(*state, " --part train", &n);
    assert_int_equal(n, 30);
    evaluated(*state, " --part validation", &n);
    assert_int_equal(n, 30);
}

/* Classes of test nodes that are all turned round change the test score, and nothing else. */
static void training_never_looks_at_test_nodes(void **state)
{
    static const char *const same[] = {"train_loss", "train_accuracy", "validation_loss",
                                       "validation_accuracy", "best_epoch"};
    expect(
        *state,
        "mkdir -p turned && cp " NODES "/*.csv " NODES "/*.svm turned && "
        "awk 'NR == FNR { test[$1] = 1; next } { print test[FNR - 1] ? ($1 + 1) % 3 : $1 }' " NODES
        "/test.csv " NODES "/node-label.csv > turned/node-label.csv",
        0, "", "");
    json_t *a = run_json(*state, "regula train " NODES " --network " NODES
                                 "/near.yml --model a.safetensors --json --quiet");
    json_t *b = run_json(*state, "regula train turned --network " NODES
                                 "/near.yml --model b.safetensors --json --quiet");
    for (size_t k = 0; k < sizeof same / sizeof *same; k++) {
        assert_non_null(json_object_get(a, same[k]));
        assert_true(json_equal(json_object_get(a, same[k]), json_object_get(b, same[k])));
    }
    assert_false(
        json_equal(json_object_get(a, "test_accuracy"), json_object_get(b, "test_accuracy")));
    json_decref(a);
    json_decref(b);
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula train " NODES " --network " NODES "/near.yml --model n.safetensors --quiet", 0,
         "30 training, 30 validation and 90 test nodes", ""},
        {"regula evaluate n.safetensors " NODES " --quiet", 0, "nodes, test set", NULL},
        {"regula predict n.safetensors " NODES " --nodes 3,9-11 --quiet", 0,
         "sample\tnode\tclass\tprobability\n0\t3\t", ""},
        {"regula predict n.safetensors " NODES " --nodes 150", 2, "", "150"},
        {"regula predict n.safetensors " NODES " --quiet | head -c 15", 0, "sample\tclasses", ""},
        {"regula evaluate n.safetensors " NODES " --fold 1", 2, "", "is for '--split'"},
        {"regula explain n.safetensors " NODES " --graph 0 --quiet", 0, NULL, NULL},
        {"regula data info " NODES, 0, "150", NULL},
    };
    expect_lines(*state, cases, sizeof cases / sizeof *cases);
}

static void one_node_is_said_as_json(void **state)
{
    json_t *root = run_json(*state, "regula predict near.safetensors " NODES
                                    " --nodes 149 --probabilities --json --quiet");
    json_t *node = json_array_get(
        json_object_get(json_array_get(json_object_get(root, "predictions"), 0), "nodes"), 0);
    assert_int_equal(json_integer_value(json_object_get(node, "node")), 149);
    assert_int_equal(json_array_size(json_object_get(node, "probabilities")), 3);
    json_decref(root);
}

/* The same graph, where the target of a node is 1.5 times its class, with a gap at node 9. */
static void values_of_nodes_are_learned(void **state)
{
    expect(
        *state,
        "mkdir -p values && cp " NODES "/*.csv " NODES "/*.svm values && "
        "awk '{ print NR == 10 ? \"\" : $1 * 1.5 + 0.01 }' " NODES
        "/node-label.csv > values/node-label.csv && "
        "sed 's/node-classification/node-regression/; s/input:/standardise: auto\\ninput:/' " NODES
        "/near.yml > values.yml",
        0, "", "");
    static const program_line cases[] = {
        {"regula train values --network values.yml --model v.safetensors --quiet", 0,
         "30 training, 30 validation and 90 test nodes", ""},
        {"regula predict v.safetensors values --nodes 3,9 --quiet", 0,
         "sample\tnode\tvalue\n0\t3\t", ""},
        {"regula predict v.safetensors values --quiet | grep -c '^0'", 0, "150\n", ""},
        {"regula explain v.safetensors values --graph 0 --quiet", 0,
         "Outputs are averages over the nodes", NULL},
        {"sed 's/node-regression/auto/' values.yml > auto.yml && regula train values --network "
         "auto.yml "
         "--model a.safetensors --quiet >/dev/null && cmp v.safetensors a.safetensors",
         0, "", ""},
        {"regula train " NODES " --network values.yml --model x.safetensors", 3, "",
         "'nodes' has no real targets of nodes: the task 'node-regression' needs them"},
        {"printf 'task: node-regression\\nlayers:\\n  - aggregate: share out\\n' > bad.yml; regula "
         "train "
         "values --network bad.yml --model x.safetensors",
         3, "",
         "bad.yml:3:5: found an aggregate layer, expected none: node-regression predicts every "
         "node"},
    };
    expect_lines(*state, cases, sizeof cases / sizeof *cases);
    json_t *root = run_json(*state, "regula evaluate v.safetensors values --json --quiet");
    double r2 = json_number_value(
        json_object_get(json_array_get(json_object_get(root, "outputs"), 0), "r2"));
    if (r2 < 0.25)
        fail_msg("R2 %g", r2);
    json_decref(root);
}

/* Every line that begins with regula. */
static void the_page_runs(void **state)
{
    expect(*state,
           "ln -s " REGULA_SOURCE
           "/examples examples; sed -n '/^```sh/,/^```/{/^regula/p}' " REGULA_SOURCE
           "/docs/nodes.md > commands && sh -e commands >/dev/null 2>&1 && grep -c regula commands",
           0, "5\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_are_told_by_those_around_them),
        cmocka_unit_test(training_never_looks_at_test_nodes),
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(one_node_is_said_as_json),
        cmocka_unit_test(values_of_nodes_are_learned),
        cmocka_unit_test(the_page_runs),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
