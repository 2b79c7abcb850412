/* test_cli_explain.c - regula explain as users and scripts meet it. */
#include "support/program.h"

#include "cli/command/command.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two molecules of the paper as molecules/; arrays as shapes/; hollow/: a graph without nodes. With
 * models m.model (molecules, fold of m.json), s.model (shapes), a.model (aggregation alone). */
static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    test_write(directory, "m.yml",
               "labels: {c: cycles(max=6)}\n"
               "layers:\n"
               "  - rule: share i = j, node(i), node(j), bond(i,j) when i = j or edge(i,j)\n"
               "    bias: share node(i)\n"
               "  - aggregate: share out, c(i)\n"
               "training: {epochs: 100, lr: 0.1, schedule: constant}\n");
    test_write(directory, "a.yml",
               "layers:\n  - aggregate: share out, node(i)\ntraining: {epochs: 3}\n");
    test_write(directory, "s.yml",
               "layers:\n"
               "  - rule: share row(j)-row(i), col(j)-col(i)\n"
               "      when row(j)-row(i) in 0..1 and col(j)-col(i) in 0..1\n"
               "    shape: [11, 11]\n"
               "  - dense: auto\n"
               "training: {epochs: 2}\n");
    test_write(directory, "m.json",
               "[{\"test\": [1], \"model_selection\": [{\"train\": [0], \"validation\": [1]}]}]");
    test_write(directory, "hollow/X_A.txt", "1,2\n2,1\n3,4\n4,3\n");
    test_write(directory, "hollow/X_graph_indicator.txt", "1\n1\n3\n3\n");
    test_write(directory, "hollow/X_node_labels.txt", "1\n6\n6\n1\n");
    test_write(directory, "hollow/X_edge_labels.txt", "1\n1\n2\n2\n");
    test_write(directory, "hollow/X_graph_labels.txt", "0\n1\n1\n");
    test_write(directory, "names.txt", "1 H\n6 C\nedge 1 single\nedge 2 double\nclass 1 ring\n");
    test_write(directory, "some.txt", "6 C\n");
    test_write(directory, "causes.txt", "\n0 1 2; 2 3\n");
    expect(directory,
           "cp -r '" REGULA_SOURCE "/examples/molecules' molecules && "
           "regula train molecules -n m.yml -m m.model --validation 0 && "
           "regula train molecules -n a.yml -m a.model --validation 0 && "
           "regula data generate Shapes --out shapes --graphs 20 --size 12 && "
           "regula train shapes -n s.yml -m s.model --validation 0",
           0, "s.model", "");
    return 0;
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula explain m.model", 0, "Only weights and sentences, as no DATA was given", ""},
        {"regula explain m.model --top 1", 0, "  the first 1 of 6 rules, by weight\n", ""},
        {"regula explain m.model --top 0 --layer 1", 0, "  6 rules, by weight\n", ""},
        {"regula explain m.model --label-names names.txt", 0,
         "from a carbon to a carbon, by a double bond\n", ""},
        {"regula explain m.model molecules --label-names names.txt", 0,
         "removal: change of the accuracy (100.00 %)", ""},
        {"regula explain m.model molecules", 0, "data set (no --split given)", ""},
        {"regula explain m.model molecules --by removal --split m.json", 0,
         "set of fold 0 if the rule is removed.", "the validation set equals the test set"},
        {"regula explain m.model molecules --by support | grep -c 'by support'", 0, "3\n", ""},
        {"regula explain m.model molecules --graph 1", 0,
         "sum: the output before the last activation\n", ""},
        {"regula explain m.model molecules --graphs 0-1 | grep -c '^molecules, graph'", 0, "2\n",
         ""},
        {"regula explain m.model molecules --class 1", 0, "Rules that separate class 1 (1 graphs)",
         ""},
        {"regula explain m.model molecules --class ring --against 0 --label-names names.txt", 0,
         "from class 0 (1)", ""},
        {"regula explain a.model molecules --graph 0", 0, "Layer 1, aggregate:", ""},
        {"regula explain s.model shapes --graph 0", 0, "By values that come in:", ""},
        {"regula explain s.model shapes --top 2", 0,
         "It has no rule, so its weights do not describe pairs of nodes.\n", ""},
        {"regula explain m.model hollow --graph 1", 0,
         "The graph has no nodes: the output comes from biases alone.\n", ""},
        {"regula explain m.model molecules --label-names some.txt --top 0", 0, "a node labelled 1",
         "warning: some.txt has no name for 1 of 2 node labels (1): they are shown as numbers\n"},
        {"regula explain m.model hollow --top 1", 0, "On X, 3 graphs.",
         "warning: not in the model: 2 pairs without a weight (of 4 nodes)\n"},
        {"regula explain m.model molecules --truth causes.txt", 0,
         "molecules: 1 graphs with a known cause\n", ""},
        {"regula explain m.model molecules --truth causes.txt --split m.json --beside m.model", 0,
         "1.0000  m.model\n", "the validation set equals the test set"},
        {"regula explain m.model molecules --truth causes.txt --json", 0, "\"fidelity_minus\": [",
         ""},
        {"regula distil m.model molecules --rules 3 --out few.model", 0,
         "3 of 8 rules are left. On 2 graphs:\n", ""},
        {"regula distil few.model molecules --rules 100", 0, "  unchanged answers  100.00 %\n", ""},
        {"regula distil few.model molecules --split m.json --json", 0, "\"rules\": 3,",
         "the validation set equals the test set"},
        {"regula predict few.model molecules | wc -l", 0, "3\n", ""},
        /* what is wrong */
        {"regula distil s.model shapes", 2, "", "only classifiers of graphs can be distilled\n"},
        {"regula distil m.model molecules --out gone/x", 4, "", "gone/x"},
        {"regula explain m.model molecules --truth", 2, "",
         "has no file NAME_truth.txt: expected '--truth FILE'\n"},
        {"regula explain m.model molecules --truth names.txt", 3, "", "names.txt:1:3: found 'H'"},
        {"regula explain m.model molecules --truth causes.txt --graph 1", 2, "",
         "exclude each other\n"},
        {"regula explain m.model molecules --beside m.model", 2, "",
         "option '--beside' is for '--truth'\n"},
        {"regula explain", 2, "", "argument MODEL of 'regula explain' is missing"},
        {"regula explain nowhere", 4, "", "nowhere"},
        {"regula explain m.yml", 2, "",
         "'m.yml' is not a model: expected a file written by regula train. Baselines have no rules "
         "to explain\n"},
        {"regula explain m.json", 3, "", "regula: m.json: "},
        {"regula explain m.model nowhere", 4, "", "nowhere"},
        {"regula explain m.model --graph 0", 2, "",
         "option '--graph' needs DATA: a model alone has no graphs\n"},
        {"regula explain m.model --out x.svg", 2, "", "option '--out' needs DATA"},
        {"regula explain m.model --by removal", 2, "", "option '--by' needs DATA"},
        {"regula explain m.model shapes", 3, "",
         "'shapes' has arrays, and the network is for graphs\n"},
        {"regula explain s.model molecules", 3, "",
         "'molecules' has graphs, and the network is for arrays\n"},
        {"regula explain m.model molecules --graph 2", 2, "",
         "'molecules' has graphs 0 .. 1: there is no graph 2\n"},
        {"regula explain m.model molecules --graphs 0,2", 2, "",
         "option '--graphs': found '0,2', expected numbers below 2"},
        {"regula explain m.model molecules --graph 2 --out x.svg; test ! -e x.svg", 0, "",
         "there is no graph 2\n"},
        {"regula explain m.model hollow --graph 1 --out x.svg", 2, "",
         "graph 1 of 'X' has no nodes: there is nothing to draw\n"},
        {"regula explain s.model shapes --graph 1 --out x.svg", 2, "",
         "the model is for arrays: only graphs can be drawn\n"},
        {"regula explain a.model molecules --graph 1 --out x.svg && grep -c 'no arrows' x.svg && "
         "rm x.svg",
         0, "1\n", NULL},
        {"regula explain m.model molecules --graph 1 --layer 2 --out x.svg", 2, "",
         "layer 2 (aggregate) has no pairs of nodes to draw\n"},
        {"regula explain m.model molecules --layer 3", 2, "",
         "the network has 2 layers: there is no layer 3\n"},
        {"regula explain m.model molecules --class 7", 2, "",
         "option '--class': found '7', expected a class of the model: 0, 1\n"},
        {"regula explain m.model molecules --class 0 --against x", 2, "",
         "option '--against': found 'x', expected a class of the model: 0, 1\n"},
        {"regula explain m.model molecules --class 1 --against 1", 2, "", "name the same class\n"},
        {"regula explain m.model molecules --against 1", 2, "",
         "option '--against' is for '--class'\n"},
        {"regula explain m.model molecules --graph 0 --graphs 1", 2, "", "exclude each other\n"},
        {"regula explain m.model molecules --graph 0 --class 1", 2, "", "exclude each other\n"},
        {"regula explain m.model molecules --graph 0 --random 1", 2, "",
         "options '--graph' and '--random' exclude each other\n"},
        {"regula explain m.model molecules --graph 0 --seed 1", 2, "",
         "option '--seed' is for '--random'\n"},
        {"regula explain m.model molecules --random 3", 2, "",
         "option '--random': found 3, expected at most 2, the graphs of DATA\n"},
        {"regula explain m.model molecules --random 2 --seed 5 --out r.svg", 0,
         "2 graphs in r.svg\n", ""},
        {"regula explain m.model molecules --out x.svg", 2, "",
         "option '--out' draws graphs: expected '--graph', '--graphs', '--random' or '--class'\n"},
        {"regula explain m.model molecules --graph 0 --out x.gif", 2, "", "x.gif"},
        {"regula explain m.model molecules --graph 0 --out gone/x.svg", 4, "",
         "cannot create 'gone/x.svg'"},
        {"regula explain m.model molecules --graph 0 --numbers", 2, "",
         "option '--numbers' is for '--out'\n"},
        {"regula explain m.model molecules --graph 0 --numbers --out n.svg && grep -c '>5</text>' "
         "n.svg",
         0, "1 graph in n.svg\n1\n", ""},
        {"regula explain m.model molecules --graph 0 --columns 3", 2, "",
         "option '--columns' is for '--out'\n"},
        {"regula explain m.model molecules --graph 0 --out x.svg --columns all,0", 2, "",
         "option '--columns': found 'all,0', expected up to 8 of 'all' and numbers from 1"},
        {"regula explain m.model molecules --fold 1", 2, "", "option '--fold' is for '--split'\n"},
        {"regula explain m.model molecules --split m.json --fold 1", 2, "", "found 1 folds"},
        {"regula explain m.model molecules --label-names nowhere", 4, "", "nowhere"},
        {"regula explain m.model molecules --label-names m.yml", 3, "", "m.yml:1"},
    };
    expect_lines(*state, cases, CLI_COUNT(cases));
}

/* ---- JSON */

static double number(const json_t *list, size_t k)
{
    return json_number_value(json_array_get(list, k));
}

static void rules_are_json_with_all_that_was_measured(void **state)
{
    json_t *root = run_json(*state, "regula explain m.model molecules --json --top 0 "
                                    "--label-names names.txt --split m.json");
    json_t *layers = json_object_get(root, "layers"), *layer = json_array_get(layers, 0);
    json_t *list = json_object_get(layer, "statements"), *first = json_array_get(list, 0);
    static const char *const keys[] = {"statement", "layer",  "rule",   "words",        "weight",
                                       "weights",   "graphs", "pairs",  "contribution", "towards",
                                       "removal",   "occurs", "changed"};
    assert_int_equal(json_array_size(layers), 2);
    assert_int_equal(json_array_size(list), 6 + 2); /* rules and biases */
    for (size_t k = 0; k < CLI_COUNT(keys); k++)
        assert_non_null(json_object_get(first, keys[k]));
    assert_string_equal(json_string_value(json_object_get(root, "split")), "m.json");
    assert_int_equal(json_integer_value(json_object_get(root, "score_n")), 1);
    json_decref(root);
    root = run_json(*state, "regula explain m.model --json");
    assert_true(json_is_null(json_object_get(root, "data")));
    layer = json_array_get(json_object_get(root, "layers"), 1);
    first = json_array_get(json_object_get(layer, "statements"), 0);
    assert_null(json_object_get(first, "graphs"));
    assert_int_equal(json_array_size(json_object_get(first, "weights")), 2);
    json_decref(root);
}

static void parts_of_an_answer_add_up_in_json(void **state)
{
    json_t *root = run_json(*state, "regula explain m.model molecules --json --graphs 0,1 --top 0");
    json_t *graphs = json_object_get(root, "graphs");
    assert_int_equal(json_array_size(graphs), 2);
    for (size_t g = 0; g < 2; g++) {
        json_t *graph = json_array_get(graphs, g), *nodes = json_object_get(graph, "nodes");
        json_t *layers = json_object_get(graph, "layers");
        for (size_t c = 0; c < 2; c++) {
            double z = number(json_object_get(graph, "z"), c);
            double sum = number(json_object_get(graph, "rest"), c);
            for (size_t i = 0; i < json_array_size(nodes); i++)
                sum += number(json_array_get(nodes, i), c);
            assert_true(fabs(sum - z) < 1e-12);
            for (size_t l = 0; l < json_array_size(layers); l++) {
                json_t *layer = json_array_get(layers, l);
                json_t *list = json_object_get(layer, "statements");
                sum = number(json_object_get(layer, "later_biases"), c);
                for (size_t k = 0; k < json_array_size(list); k++)
                    sum += number(json_object_get(json_array_get(list, k), "contributions"), c);
                assert_true(fabs(sum - z) < 1e-12);
            }
        }
        json_t *weights = json_array_get(json_object_get(graph, "weights"), 0);
        /* six atoms and five bonds; five atoms and five bonds */
        assert_int_equal(json_array_size(json_object_get(weights, "pairs")), g ? 15 : 16);
    }
    json_decref(root);
}

static void classes_are_json(void **state)
{
    json_t *root = run_json(*state, "regula explain m.model molecules --json --class 0 --top 3");
    json_t *rules = json_object_get(root, "separating");
    assert_int_equal(json_integer_value(json_object_get(root, "n_class")), 1);
    assert_int_equal(json_array_size(json_object_get(root, "typical")), 1);
    assert_int_equal(json_array_size(rules), 3);
    const json_t *first = json_array_get(rules, 0);
    double difference = json_number_value(json_object_get(first, "difference"));
    assert_true(fabs(difference - json_number_value(json_object_get(first, "in_class")) +
                     json_number_value(json_object_get(first, "in_other"))) < 1e-12);
    json_decref(root);
}

/* ---- against known causes; needs $REGULA_DATA */

static void explanations_find_the_known_cause(void **state)
{
    const char *data = getenv("REGULA_DATA");
    static const struct {
        const char *set;
        double auroc, jaccard;
    } cases[] = {{"Benzene", 0.99, 0.95}, {"AlkaneCarbonyl", 0.97, 0.75}};
    for (size_t k = 0; k < CLI_COUNT(cases); k++) {
        char *split = test_format("%s/splits/%s.json", data ? data : "", cases[k].set);
        FILE *file = data ? fopen(split, "r") : NULL;
        if (!file) {
            free(split);
            skip();
        }
        fclose(file);
        char *train = test_format("regula train '%s/%s.zip' -n '" REGULA_SOURCE
                                  "/examples/networks/rings.yml' -m %s.model --split '%s' -q",
                                  data, cases[k].set, cases[k].set, split);
        char *explain =
            test_format("regula explain %s.model '%s/%s.zip' --truth --split '%s' --json",
                        cases[k].set, data, cases[k].set, split);
        expect(*state, train, 0, "test ", "");
        json_t *root = run_json(*state, explain);
        assert_true(json_number_value(json_object_get(root, "auroc")) >= cases[k].auroc);
        assert_true(json_number_value(json_object_get(root, "jaccard")) >= cases[k].jaccard);
        assert_true(json_number_value(json_object_get(root, "order_error")) < 1e-9);
        json_decref(root);
        free(split);
        free(train);
        free(explain);
    }
}

/* ---- pictures */

static void pictures_are_whole_and_the_same_each_time(void **state)
{
    expect(*state,
           "regula explain m.model molecules --graphs 0,1 --label-names names.txt --out a.svg && "
           "regula explain m.model molecules --graphs 0,1 --label-names names.txt --out b.svg "
           "--threads 1 && cmp a.svg b.svg && "
           "regula explain m.model molecules --class 1 --out c.svg >/dev/null && "
           "regula explain m.model molecules --graph 1 --out d.svg --top 2 && "
           "regula explain m.model molecules --graph 1 --out e.svg --columns 1 --json | "
           "grep -c '\"out\": \"e.svg\"'",
           0, "2 graphs in a.svg\n2 graphs in b.svg\n1 graph in d.svg\n1\n", "");
    static const struct {
        const char *file, *holds;
    } cases[] = {
        {"a.svg", "layer 1: all effects"}, {"a.svg", "layer 1: 5 strongest"},
        {"a.svg", "graph 0: class 0"},     {"a.svg", "graph 1: class 1 (ring)"},
        {"a.svg", "by a double bond"},     {"c.svg", "graph 1: class 1"},
        {"d.svg", "layer 1: 2 strongest"}, {"e.svg", "layer 1: 1 strongest"},
    };
    for (size_t k = 0; k < CLI_COUNT(cases); k++) {
        char *path = test_format("%s/%s", (char *)*state, cases[k].file);
        char *text = test_read(path, NULL);
        assert_memory_equal(text, "<", 1);
        if (!strstr(text, cases[k].holds))
            fail_msg("%s does not hold '%s'", cases[k].file, cases[k].holds);
        free(text);
        free(path);
    }
}

static void the_same_is_said_with_any_number_of_threads(void **state)
{
    expect(*state,
           "for t in 1 2 4; do regula explain m.model molecules --json --threads $t > t$t; "
           "regula explain m.model molecules --json --graph 0 --memory 100K --threads $t > g$t; "
           "done && cmp t1 t2 && cmp t1 t4 && cmp g1 g2 && cmp g1 g4 && echo same",
           0, "same\n", "");
}

static void the_example_script_runs(void **state)
{
    expect(*state, "sh '" REGULA_SOURCE "/examples/explain.sh' work", 0, "from a node labelled ",
           "");
    expect(*state, "ls work/*.svg | wc -l", 0, "2\n", "");
}

static void the_commands_of_the_documentation_run(void **state)
{
    expect(*state,
           "mkdir docs && cd docs && ln -sf " REGULA_SOURCE "/examples examples && "
           "awk '/^    regula / { here = 1 } !/^    / { here = 0 } here' " REGULA_SOURCE
           "/docs/explain.md > commands && sh -e commands >/dev/null && "
           "grep -c '^    regula' commands",
           0, NULL, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(rules_are_json_with_all_that_was_measured),
        cmocka_unit_test(parts_of_an_answer_add_up_in_json),
        cmocka_unit_test(classes_are_json),
        cmocka_unit_test(explanations_find_the_known_cause),
        cmocka_unit_test(pictures_are_whole_and_the_same_each_time),
        cmocka_unit_test(the_same_is_said_with_any_number_of_threads),
        cmocka_unit_test(the_example_script_runs),
        cmocka_unit_test(the_commands_of_the_documentation_run),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
