/* test_cli_networks.c - the files of examples/networks: all kinds of layers, from training to explanations. */
#include "support/program.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {"gin", "graphsage", "gcn", "gat", "dgcnn", "gsn", "gin-rule"};
enum { N_NAMES = sizeof names / sizeof *names };

/* rings/: graphs with labels; NAME.yml: the examples, two epochs of them; NAME.model: trained. */
static int set_up(void **state)
{
    *state = test_directory_make();
    expect(*state, "regula data generate EvenOddRings --out rings --graphs 40", 0, NULL, "");
    for (size_t k = 0; k < N_NAMES; k++) {
        char *line = test_format("sed 's/epochs: 200/epochs: 2/' '" REGULA_SOURCE
                                 "/examples/networks/%s.yml' >%s.yml && "
                                 "regula train rings -n %s.yml -m %s.model --quiet",
                                 names[k], names[k], names[k], names[k]);
        expect(*state, line, 0, "model  ", "");
        free(line);
    }
    return 0;
}

/* Runs a line with the name of each example in place of %s. */
static void for_each(const char *directory, const char *format, const char *out)
{
    for (size_t k = 0; k < N_NAMES; k++) {
        char line[200];
        const char *at = strstr(format, "%s");
        snprintf(line, sizeof line, "%.*s%s%s", (int)(at - format), format, names[k], at + 2);
        expect(directory, line, 0, out, "");
    }
}

static void every_example_predicts_and_is_evaluated(void **state)
{
    for_each(*state, "regula predict %s.model rings --quiet", "sample\tclass\tprobability");
    for_each(*state, "regula evaluate %s.model rings --quiet", "accuracy  ");
}

static void every_example_is_pruned(void **state)
{
    for_each(*state,
             "regula prune %s.model rings --parts 0,0.5 --part-of 0.5 -o small.model --quiet",
             " 50.00 %");
    expect(*state, "regula predict small.model rings --quiet", 0, "sample\tclass", "");
}

static double number_of(const json_t *list, size_t k)
{
    return json_number_value(json_array_get(list, k));
}

/* z is the sum of what nodes add and of biases, and the sum at every layer. */
static void check_sums(const json_t *graph)
{
    const json_t *z = json_object_get(graph, "z"), *nodes = json_object_get(graph, "nodes");
    const json_t *rest = json_object_get(graph, "rest"), *layers = json_object_get(graph, "layers");
    assert_true(json_array_size(layers) > 1);
    for (size_t c = 0; c < json_array_size(z); c++) {
        double sum = number_of(rest, c), size = 1;
        for (size_t i = 0; i < json_array_size(nodes); i++) {
            sum += number_of(json_array_get(nodes, i), c);
            size += fabs(number_of(json_array_get(nodes, i), c));
        }
        if (!(fabs(sum - number_of(z, c)) <= 1e-9 * size))
            fail_msg("output %zu: %g of nodes and biases, expected %g", c, sum, number_of(z, c));
        for (size_t l = 0; l < json_array_size(layers); l++) {
            const json_t *layer = json_array_get(layers, l);
            size = 1 + fabs(number_of(json_object_get(layer, "without_rule"), c));
            sum = number_of(json_object_get(layer, "sum"), c);
            if (!(fabs(sum - number_of(z, c)) <= 1e-9 * size))
                fail_msg("output %zu, layer %zu: %g, expected %g", c, l, sum, number_of(z, c));
        }
    }
}

static void contributions_add_up_in_every_example(void **state)
{
    for (size_t k = 0; k < N_NAMES; k++) {
        char *line =
            test_format("regula explain %s.model rings --graph 3 --json --quiet", names[k]);
        json_t *root = run_json(*state, line);
        check_sums(json_array_get(json_object_get(root, "graphs"), 0));
        json_decref(root);
        free(line);
    }
}

static void explanations_number_layers_as_the_file_does(void **state)
{
    const program_line lines[] = {
        {"regula explain gin.model", 0, "\nLayer 6, readout: ", ""},
        {"regula explain gin.model | grep -c '^Layer'", 0, "6\n", ""},
        {"regula explain gin.model rings -g 0 --quiet", 0, "  layer 6, readout\n", ""},
        {"regula explain gin.model rings -g 0 --quiet --layer 6", 0, "past this layer\n", ""},
        {"regula explain gin.model rings -g 0 --quiet --layer 2", 0,
         "\nLayer 2 (gin), dense, layer.7 of the model:\n", ""},
        {"regula explain gin.model --layer 7", 2, "", "6 layers: there is no layer 7"},
        {"regula explain gin.model rings -g 0 --quiet -o a.svg && rm a.svg", 0, NULL, ""},
        {"regula explain gin.model rings --class 0 --quiet", 0, "No rule occurs", ""},
        {"regula explain gin-rule.model", 0, "\nLayer 2, rule: ", ""},
        {"regula explain gin-rule.model rings -g 0 --quiet", 0, "\nLayer 2, rule:\n", ""},
        {"regula explain gin-rule.model rings -g 0 --quiet", 0, "residual connection\n", ""},
        {"regula explain gin-rule.model rings -g 0 --quiet -o a.svg --layer 2 && grep -c 'layer "
         "2:' a.svg",
         0, "\n3\n", ""},
        {"regula explain gin-rule.model rings -g 0 --quiet -o a.svg --layer 1", 2, "",
         "layer 1 (gin) has no pairs"},
        {"regula explain gin-rule.model rings --class 0 --layer 2 --top 1 --quiet", 0, " 2  ", ""},
    };
    expect_lines(*state, lines, sizeof lines / sizeof *lines);
}

/* The number of a layer of the network finds its tensors. */
static void json_says_which_part_of_a_layer_it_is(void **state)
{
    json_t *root = run_json(*state, "regula explain gin-rule.model --json");
    json_t *layers = json_object_get(root, "layers");
    const json_t *first = json_array_get(layers, 0);
    assert_string_equal(json_string_value(json_object_get(first, "kind")), "dense");
    assert_string_equal(json_string_value(json_object_get(first, "part_of")), "gin");
    assert_int_equal(json_integer_value(json_object_get(first, "number")), 0);
    for (size_t k = 0; k < json_array_size(layers); k++) {
        const json_t *layer = json_array_get(layers, k);
        if (strcmp(json_string_value(json_object_get(layer, "kind")), "rule") == 0) {
            char *line = test_format("grep -ac 'layer[.]%d[.]rule.0.weights' gin-rule.model",
                                     (int)json_integer_value(json_object_get(layer, "number")));
            assert_int_equal(json_integer_value(json_object_get(layer, "layer")), 2);
            expect(*state, line, 0, NULL, "");
            free(line);
        }
    }
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_example_predicts_and_is_evaluated),
        cmocka_unit_test(every_example_is_pruned),
        cmocka_unit_test(contributions_add_up_in_every_example),
        cmocka_unit_test(explanations_number_layers_as_the_file_does),
        cmocka_unit_test(json_says_which_part_of_a_layer_it_is),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
