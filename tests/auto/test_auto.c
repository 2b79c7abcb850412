/* test_auto.c - the network that regula chooses: what it is made from, and that it is one. */
#include "base/random.h"
#include "regula/auto.h"
#include "support/graphs.h"
#include "support/networks.h"

/* The text and the reasons; both owned (rg_text_free). */
static char *choose(const rg_dataset *data, const rg_auto_options *options, char **reasons)
{
    rg_source source = {.graphs = data};
    char *text = NULL;
    ASSERT_OK(rg_network_auto(&text, reasons, &source, NULL, 0, options, err));
    return text;
}

static size_t count_lines(const char *text)
{
    size_t n = *text != '\0';
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

/* n graphs by turns of two kinds; classes go by the kind. Owned. */
static rg_dataset *classes_of(test_graph *(*make)(uint64_t seed), size_t n, test_columns columns)
{
    int64_t *classes = malloc(n * sizeof *classes);
    test_graph *graphs = calloc(n, sizeof *graphs);
    for (size_t k = 0; k < n; k++) {
        test_graph *one = make(k);
        graphs[k] = *one;
        free(one);
        classes[k] = (int64_t)(k % 2);
    }
    columns.classes = classes;
    rg_dataset *data = test_dataset(graphs, n, &columns);
    for (size_t k = 0; k < n; k++)
        test_graph_free(&graphs[k]);
    free(graphs);
    free(classes);
    return data;
}

static test_graph *moved(test_graph graph)
{
    test_graph *out = malloc(sizeof *out);
    *out = graph;
    return out;
}

static test_graph *ring(uint64_t seed)
{
    test_graph graph = test_ring(5 + (uint32_t)(seed % 4));
    for (uint32_t i = 0; i < graph.n; i++)
        graph.node[i] = i % 3 == 0;
    return moved(graph);
}

static test_graph *dense(uint64_t seed)
{
    return moved(test_random(12, seed % 2 ? 0.4 : 0.7, 1, 1, seed));
}

/* ---- what is chosen */

static void the_text_is_a_network_that_trains(void **state)
{
    (void)state;
    rg_dataset *sets[] = {
        classes_of(ring, 40, (test_columns){.nodes = TEST_NODE_VALUES}),
        classes_of(ring, 40, (test_columns){.nodes = {0, 0}}),
        classes_of(dense, 40, (test_columns){.nodes = {0, 0}}),
    };
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        char *reasons = NULL, *text = choose(sets[k], NULL, &reasons), *again = NULL;
        rg_recipe *recipe = NULL;
        rg_model *model = NULL;
        rg_source source = {.graphs = sets[k]};
        uint32_t all[30];
        rg_fold fold = {.train = {all, 24}, .validation = {all + 24, 6}};
        for (uint32_t i = 0; i < 30; i++)
            all[i] = i;
        assert_int_equal(count_lines(reasons), 3);
        assert_null(strchr(text, '#'));
        ASSERT_OK(rg_recipe_parse(&recipe, "auto", text, strlen(text), err));
        assert_true(rg_recipe_epochs(recipe) >= 20);
        rg_recipe_free(recipe);
        again = test_format("%s", text);
        char *epochs = strstr(again, "epochs: ");
        assert_non_null(epochs);
        memcpy(epochs, "epochs: 1 #", 11); /* the rest of the number is a comment */
        ASSERT_OK(rg_recipe_parse(&recipe, "auto", again, strlen(again), err));
        ASSERT_OK(rg_model_train(&model, NULL, recipe, &source, &fold, NULL, err));
        rg_model_free(model);
        rg_recipe_free(recipe);
        free(again);
        rg_text_free(text);
        rg_text_free(reasons);
        rg_dataset_free(sets[k]);
    }
}

static void labels_and_inputs_are_those_of_the_data(void **state)
{
    (void)state;
    double numbers[40 * 9];
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        numbers[k] = (double)k / 7;
    static const struct {
        test_graph *(*make)(uint64_t seed);
        test_columns columns;
        const char *there, *missing;
    } cases[] = {
        {ring, {.nodes = TEST_NODE_VALUES}, "combine(node, cycles(kind=induced", "degree"},
        {ring, {.nodes = {0, 0}}, "cycles(kind=induced", "node"},
        {dense, {.nodes = {0, 0}}, "degree", "cycles"},
        {ring, {.nodes = TEST_NODE_VALUES}, "input: constant\n", "attributes"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_dataset *data = classes_of(cases[k].make, 40, cases[k].columns);
        char *text = choose(data, NULL, NULL);
        if (!strstr(text, cases[k].there) || strstr(text, cases[k].missing))
            fail_msg("case %zu: '%s' and no '%s' expected in\n%s", k, cases[k].there,
                     cases[k].missing, text);
        rg_text_free(text);
        rg_dataset_free(data);
    }
    rg_dataset *data = classes_of(ring, 40, (test_columns){.attributes = numbers});
    char *text = choose(data, NULL, NULL);
    assert_non_null(strstr(text, "attributes"));
    assert_non_null(strstr(text, "standardise: auto"));
    rg_text_free(text);
    rg_dataset_free(data);
}

static test_graph *bonds(uint64_t seed)
{
    return moved(test_random(8, seed % 2 ? 0.2 : 0.3, 2, 3, seed));
}

/* What joins neighbours has weights of its own where there are samples enough to learn them. */
static void edge_labels_are_in_a_rule_of_larger_sets(void **state)
{
    (void)state;
    static const char rule[] = "share kind(i), kind(j), bond(i,j) when edge(i,j)\n";
    static const struct {
        size_t n;
        test_columns columns;
        bool there;
    } cases[] = {
        {600, {.nodes = TEST_NODE_VALUES, .edges = TEST_EDGE_VALUES}, true},
        {60, {.nodes = TEST_NODE_VALUES, .edges = TEST_EDGE_VALUES}, false},
        {600, {.nodes = TEST_NODE_VALUES}, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_dataset *data = classes_of(bonds, cases[k].n, cases[k].columns);
        char *text = choose(data, NULL, NULL);
        rg_recipe *recipe = NULL;
        assert_true((strstr(text, rule) != NULL) == cases[k].there);
        ASSERT_OK(rg_recipe_parse(&recipe, "auto", text, strlen(text), err));
        rg_recipe_free(recipe);
        rg_text_free(text);
        rg_dataset_free(data);
    }
}

static test_graph *star(uint64_t seed)
{
    return moved(test_star(20 + (uint32_t)(seed % 5)));
}

/* Counts of many neighbours add up; small networks of other kinds have other outputs. */
static void graphs_with_hubs_have_sums(void **state)
{
    (void)state;
    rg_dataset *data = classes_of(star, 40, (test_columns){.nodes = {0, 0}});
    char *text = choose(data, NULL, NULL);
    rg_recipe *recipe = NULL;
    assert_non_null(strstr(text, "by: sum"));
    assert_non_null(strstr(text, "dense: auto"));
    ASSERT_OK(rg_recipe_parse(&recipe, "auto", text, strlen(text), err));
    rg_recipe_free(recipe);
    rg_text_free(text);
    rg_dataset_free(data);
}

static void rules_of_ones_own_take_the_place_of_others(void **state)
{
    (void)state;
    rg_dataset *data = classes_of(ring, 20, (test_columns){.nodes = TEST_NODE_VALUES});
    const char *rules[] = {"share kind(i), kind(j) when dist(i,j) <= 2", "share far(i) when i = j"};
    rg_auto_options o = rg_auto_options_default();
    rg_source source = {.graphs = data};
    char *text = NULL;
    o.rules = rules;
    o.n_rules = 2;
    text = choose(data, &o, NULL);
    assert_non_null(strstr(text, rules[0]));
    assert_non_null(strstr(text, rules[1]));
    assert_null(strstr(text, "share near(i), near(j)"));
    rg_text_free(text);
    rules[1] = "shear far(i)";
    ASSERT_REFUSED(rg_network_auto(&text, NULL, &source, NULL, 0, &o, err), RG_EDATA, "shear");
    rg_dataset_free(data);
}

static void comments_change_nothing_else(void **state)
{
    (void)state;
    rg_dataset *data = classes_of(ring, 20, (test_columns){.nodes = TEST_NODE_VALUES});
    rg_auto_options o = rg_auto_options_default();
    rg_recipe *recipes[2];
    for (int k = 0; k < 2; k++) {
        o.comments = k;
        char *text = choose(data, &o, NULL);
        assert_int_equal(strchr(text, '#') != NULL, k);
        ASSERT_OK(rg_recipe_parse(&recipes[k], "auto", text, strlen(text), err));
        rg_text_free(text);
    }
    assert_string_equal(rg_recipe_text(recipes[0]), rg_recipe_text(recipes[1]));
    rg_recipe_free(recipes[0]);
    rg_recipe_free(recipes[1]);
    rg_dataset_free(data);
}

/* ---- what it may look at */

static void targets_of_other_parts_change_nothing(void **state)
{
    (void)state;
    uint32_t train[90], rest[10];
    for (uint32_t k = 0; k < 100; k++)
        if (k < 90)
            train[k] = k;
        else
            rest[k - 90] = k;
    rg_fold fold = {.train = {train, 90}, .test = {rest, 10}};
    char *first = NULL;
    for (int turn = 0; turn < 2; turn++) {
        test_graph graphs[100];
        int64_t classes[100];
        for (size_t k = 0; k < 100; k++) {
            graphs[k] = test_ring(5);
            classes[k] = k < 90 ? k % 30 == 0 : turn; /* 87 of 90 are alike */
        }
        rg_dataset *data = test_dataset(graphs, 100, &(test_columns){.classes = classes});
        rg_source source = {.graphs = data};
        char *text = NULL;
        ASSERT_OK(rg_network_auto(&text, NULL, &source, &fold, 1, NULL, err));
        assert_non_null(strstr(text, "metric: auto"));
        if (first)
            assert_string_equal(text, first);
        rg_text_free(first);
        first = text;
        for (size_t k = 0; k < 100; k++)
            test_graph_free(&graphs[k]);
        rg_dataset_free(data);
    }
    rg_text_free(first);
}

static void nothing_to_learn_is_refused(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(5, 6, 1);
    rg_source source = {.graphs = data};
    char *text = NULL;
    ASSERT_REFUSED(rg_network_auto(&text, NULL, &source, NULL, 0, NULL, err), RG_EDATA,
                   "nothing to learn");
    assert_null(text);
    rg_dataset_free(data);
}

static rg_status choose_once(void *context, rg_error *err)
{
    rg_source source = {.graphs = context};
    char *text = NULL, *reasons = NULL;
    rg_status status = rg_network_auto(&text, &reasons, &source, NULL, 0, NULL, err);
    rg_text_free(text);
    rg_text_free(reasons);
    return status;
}

static void short_memory_leaves_nothing_behind(void **state)
{
    (void)state;
    rg_dataset *data = classes_of(ring, 6, (test_columns){.nodes = TEST_NODE_VALUES});
    assert_true(test_allocation_sweep(choose_once, data) > 10);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_is_a_network_that_trains),
        cmocka_unit_test(labels_and_inputs_are_those_of_the_data),
        cmocka_unit_test(edge_labels_are_in_a_rule_of_larger_sets),
        cmocka_unit_test(graphs_with_hubs_have_sums),
        cmocka_unit_test(rules_of_ones_own_take_the_place_of_others),
        cmocka_unit_test(comments_change_nothing_else),
        cmocka_unit_test(targets_of_other_parts_change_nothing),
        cmocka_unit_test(nothing_to_learn_is_refused),
        cmocka_unit_test(short_memory_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
