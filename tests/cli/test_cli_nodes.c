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
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(one_node_is_said_as_json),
        cmocka_unit_test(the_page_runs),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
