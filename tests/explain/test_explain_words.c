/* test_explain_words.c - weights as sentences: every form that a key may have. */
#include "support/networks.h"

#include "base/alloc.h"
#include "explain/explain.h"

#include <string.h>

/* Data of one kind, and the sentences of one rule of a network on it, by number of weight. */
typedef struct explained_model {
    rg_dataset *data;
    rg_arrays *arrays;
    rg_names *names;
    rg_model *model;
    rg_explainer *explainer;
} explained_model;

static const char atoms[] = "1 H\n6 C\nedge 1 single\nedge 2 double\nclass 0 flat\n";

static explained_model open_scene(const char *network, const char *names, bool arrays)
{
    explained_model s = {0};
    rg_source source = {0};
    rg_recipe *recipe = test_recipe(network);
    static const uint32_t all[] = {0, 1};
    rg_fold fold = {.train = {all, 2}};
    if (arrays)
        source.arrays = s.arrays = test_arrays(2, 3);
    else {
        ASSERT_OK(rg_dataset_read(&s.data, REGULA_SOURCE "/examples/molecules", NULL, err));
        source.graphs = s.data;
    }
    if (names)
        ASSERT_OK(rg_names_parse(&s.names, "names.txt", names, strlen(names), NULL, err));
    ASSERT_OK(rg_model_train(&s.model, NULL, recipe, &source, &fold, NULL, err));
    ASSERT_OK(rg_explainer_new(&s.explainer, s.model, s.names, err));
    rg_recipe_free(recipe);
    return s;
}

static void close_scene(explained_model *s)
{
    rg_explainer_free(s->explainer);
    rg_model_free(s->model);
    rg_names_free(s->names);
    rg_dataset_free(s->data);
    rg_arrays_free(s->arrays);
}

/* All sentences of a layer's rule (or bias), one a line. Owned (rg_free). */
static char *sentences(const explained_model *s, size_t layer, size_t rule)
{
    rg_text text = {0};
    for (size_t k = 0; k < rg_explainer_n_statements(s->explainer); k++) {
        const rg_statement *statement = rg_explainer_statement(s->explainer, k);
        if (statement->layer != layer || statement->rule != rule)
            continue;
        rg_explainer_words(&text, s->explainer, k);
        rg_text_add(&text, "\n");
    }
    char *all = rg_text_take(&text);
    assert_non_null(all);
    return all;
}

/* A rule layer with the rule, or an aggregation, on molecules; labels as YAML. */
static void check(const char *labels, const char *rule, const char *names, const char *expected)
{
    char *network = test_format("task: classification\nlabels: %s\nlayers:\n  - rule: %s\n"
                                "  - aggregate: share out\ntraining: {epochs: 1}\n",
                                labels, rule);
    explained_model s = open_scene(network, names, false);
    char *all = sentences(&s, 0, 0);
    assert_string_equal(all, expected);
    rg_free(all);
    close_scene(&s);
    free(network);
}

/* ---- paths and marks */

static void paths_and_marks_have_words(void **state)
{
    (void)state;
    check("{}", "\"share node(i), paths(i,j) when dist(i,j) = 3\"", atoms,
          "from any node to a hydrogen, joined by 1 shortest path, 3 bonds away\n");
    check("{}", "\"share node(i), node(j), bonds(i,j) when dist(i,j) = 2\"", atoms,
          "from a hydrogen to a hydrogen, with 2 bonds labelled 1 on shortest paths, 2 bonds away\n"
          "from a carbon to a hydrogen, with 2 bonds labelled 1 on shortest paths, 2 bonds away\n"
          "from a carbon to a hydrogen, with 1 bond labelled 1 and 1 bond labelled 2 on shortest "
          "paths, 2 bonds away\n"
          "from a hydrogen to a carbon, with 2 bonds labelled 1 on shortest paths, 2 bonds away\n"
          "from a hydrogen to a carbon, with 1 bond labelled 1 and 1 bond labelled 2 on shortest "
          "paths, 2 bonds away\n");
    check("{}", "\"share node(i), marked(i,j,1) when edge(i,j)\"", atoms,
          "from any node to a hydrogen, in class 1 when the latter is marked, joined by an edge\n"
          "from any node to a carbon, in class 1 when the latter is marked, joined by an edge\n"
          "from any node to a carbon, in class 2 when the latter is marked, joined by an edge\n");
    check("{m: \"marked(k=2, from=node, depth=1)\"}", "\"share m(i) when i = j\"", atoms,
          "from a hydrogen with a mark that parts the 2 nodes within 1 into 2 classes (m 0) to "
          "itself\n"
          "from a carbon with a mark that parts the 4 nodes within 1 into 3 classes, with 1 more "
          "mark in 1 way (m 1) to itself\n"
          "from a carbon with a mark that parts the 4 nodes within 1 into 3 classes, with 1 more "
          "mark in 1 way (m 2) to itself\n"
          "from a carbon with a mark that parts the 3 nodes within 1 into 2 classes, with 1 more "
          "mark in 1 way (m 3) to itself\n");
    check("{m: \"wl2(from=node, depth=1)\"}", "\"share m(i) when i = j\"", atoms,
          "from a hydrogen of class 1 of the 2 into which pairs part the 2 nodes within 1 (m 0) to "
          "itself\n"
          "from a carbon of class 3 of the 3 into which pairs part the 4 nodes within 1 (m 1) to "
          "itself\n"
          "from a carbon of class 3 of the 3 into which pairs part the 4 nodes within 1 (m 2) to "
          "itself\n"
          "from a carbon of class 1 of the 1 into which pairs part the 3 nodes within 1 (m 3) to "
          "itself\n");
    check("{c: core, b: betweenness(parts=2), w: walks(max=4)}",
          "\"share c(i), b(i), w(i) when i = j\"", atoms,
          "from a node of core number 1, of betweenness 0/2, on 3 closed walks of 4 to itself\n"
          "from a node of core number 1, of betweenness 14/2, on 11 closed walks of 4 to itself\n"
          "from a node of core number 2, of betweenness 0/2, on 2 closed walks of 3 and 8 of 4 to "
          "itself\n"
          "from a node of core number 2, of betweenness 6/2, on 2 closed walks of 3 and 12 of 4 to "
          "itself\n");
}

/* ---- pairs */

static void pairs_are_said_from_input_to_output(void **state)
{
    (void)state;
    check("{}", "\"share i = j, node(i), node(j), bond(i,j) when i = j or edge(i,j)\"", atoms,
          "from a carbon to a hydrogen, by a single bond\n"
          "from a hydrogen to a carbon, by a single bond\n"
          "from a carbon to a carbon, by a single bond\n"
          "from a carbon to a carbon, by a double bond\n"
          "from a hydrogen to itself\n"
          "from a carbon to itself\n");
    check("{}", "\"share node(i), node(j), dist(i,j) when dist(i,j) in 0..1\"", atoms,
          "from a hydrogen to itself\n"
          "from a carbon to a hydrogen, 1 bond away\n"
          "from a hydrogen to a carbon, 1 bond away\n"
          "from a carbon to itself\n"
          "from a carbon to a carbon, 1 bond away\n");
}

static void labels_without_names_are_numbers(void **state)
{
    (void)state;
    check("{}", "\"share node(i), node(j), bond(i,j) when edge(i,j)\"", NULL,
          "from a node labelled 6 to a node labelled 1, by an edge labelled 1\n"
          "from a node labelled 1 to a node labelled 6, by an edge labelled 1\n"
          "from a node labelled 6 to a node labelled 6, by an edge labelled 1\n"
          "from a node labelled 6 to a node labelled 6, by an edge labelled 2\n");
    check("{}", "\"share node(i), dist(i,j) when dist(i,j) in {1}\"", "6 C\n",
          "from any node to a node labelled 1, 1 bond away\n"
          "from any node to a carbon, 1 bond away\n");
    check("{}", "\"share node(i), dist(i,j) when dist(i,j) in {1}\"", "6 foo\n1 apple\n",
          "from any node to an apple, at distance 1\n"
          "from any node to a foo, at distance 1\n");
}

static void conditions_are_said_unless_the_key_tells(void **state)
{
    (void)state;
    check("{}", "\"share node(i) when same_cycle(i,j,6)\"", atoms,
          "from any node to a carbon, on a common ring of up to 6\n");
    check("{}", "\"share node(i) when dist(i,j) = 2\"", atoms,
          "from any node to a hydrogen, 2 bonds away\n"
          "from any node to a carbon, 2 bonds away\n");
    check("{}", "\"share node(i) when dist(i,j) in 1..2 and node(j) = 6\"", atoms,
          "from any node to a hydrogen, 1 to 2 bonds away, where node(j) = 6\n"
          "from any node to a carbon, 1 to 2 bonds away, where node(j) = 6\n");
    check("{}", "\"share node(i) when dist(i,j) <= 1 and not node(j) = 1\"", NULL,
          "from any node to a node labelled 1, at a distance of at most 1, where not node(j) = "
          "1\n"
          "from any node to a node labelled 6, at a distance of at most 1, where not node(j) = "
          "1\n");
    check("{}", "\"share node(i), edge(i,j) when node(j) = 1\"", atoms,
          "from any node to a hydrogen, not joined, where node(j) = 1\n"
          "from any node to a carbon, not joined, where node(j) = 1\n"
          "from any node to a carbon, joined by an edge, where node(j) = 1\n");
}

static void what_has_no_words_is_an_equation(void **state)
{
    (void)state;
    check("{}", "\"share degree(i) + degree(j) when edge(i,j)\"", atoms,
          "from any node to any node, degree(i) + degree(j) = 4, joined by an edge\n"
          "from any node to any node, degree(i) + degree(j) = 5, joined by an edge\n"
          "from any node to any node, degree(i) + degree(j) = 6, joined by an edge\n");
    check("{}", "\"share common(i,j), bond(i,j) > 1 when edge(i,j)\"", atoms,
          "from any node to any node, with 0 common neighbours, where not (bond(i,j) > 1), joined "
          "by an edge\n"
          "from any node to any node, with 0 common neighbours, where bond(i,j) > 1, joined by an "
          "edge\n"
          "from any node to any node, with 1 common neighbour, where not (bond(i,j) > 1), joined "
          "by an edge\n"
          "from any node to any node, with 1 common neighbour, where bond(i,j) > 1, joined by an "
          "edge\n");
    check("{}",
          "\"share degree(i) / (degree(j) - 2) when edge(i,j) and node(i) = 6 and node(j) "
          "= 6\"",
          NULL,
          "from any node to any node, degree(i) / (degree(j) - 2) has no value, joined by an edge, "
          "where node(i) = 6, where node(j) = 6\n"
          "from any node to any node, degree(i) / (degree(j) - 2) = 2, joined by an edge, where "
          "node(i) = 6, where node(j) = 6\n"
          "from any node to any node, degree(i) / (degree(j) - 2) = 3, joined by an edge, where "
          "node(i) = 6, where node(j) = 6\n");
}

static void a_node_to_itself_is_said_once(void **state)
{
    (void)state;
    check("{d: degree}", "\"share d(i), node(j) when i = j\"", atoms,
          "from a hydrogen to itself, which is a node of degree 1\n"
          "from a carbon to itself, which is a node of degree 3\n"
          "from a carbon to itself, which is a node of degree 2\n");
    check("{t: trivial}", "\"share t(i), node(j) when i = j\"", atoms,
          "from a hydrogen to itself\n"
          "from a carbon to itself\n");
}

/* ---- labels */

/* Nouns of all labels of one labeling, by number. */
static void check_labels(const char *spec, const char *names, const char *expected)
{
    char *network = test_format("labels: {x: \"%s\"}\nlayers:\n  - aggregate: share out, x(i)\n"
                                "training: {epochs: 1}\n",
                                spec);
    explained_model s = open_scene(network, names, false);
    char *all = sentences(&s, 0, 0);
    assert_string_equal(all, expected);
    rg_free(all);
    close_scene(&s);
    free(network);
}

static void labels_are_nouns(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"node", "a hydrogen\na carbon\n"},
        {"degree", "a node of degree 1\na node of degree 3\na node of degree 2\n"},
        {"trivial", "a node\n"},
        {"wl(depth=1, from=node)", "a hydrogen with one carbon neighbour\n"
                                   "a carbon with neighbours H, H, C\n"
                                   "a carbon with neighbours H, C, C\n"
                                   "a carbon with two carbon neighbours\n"},
        {"wl(depth=1, from=degree)", "a node of degree 1 with the neighbour of degree 3\n"
                                     "a node of degree 3 with neighbours of degree 1, 1, 3\n"
                                     "a node of degree 3 with neighbours of degree 1, 3, 2\n"
                                     "a node of degree 2 with neighbours of degree 3, 3\n"},
        {"wl(depth=1, from=node, edges=true)",
         "a hydrogen with the neighbour C by single\n"
         "a carbon with neighbours H by single, H by single, C by double\n"
         "a carbon with neighbours H by single, C by single, C by double\n"
         "a carbon with neighbours C by single, C by single\n"},
        {"wl(depth=2, from=node)", "a hydrogen with the neighbour C [H, H, C]\n"
                                   "a hydrogen with the neighbour C [H, C, C]\n"
                                   "a carbon with neighbours H [C] (twice), C [H, H, C]\n"
                                   "a carbon with neighbours H [C], C [H, C, C], C [C, C]\n"
                                   "a carbon with neighbours C [H, C, C] (twice)\n"},
        {"cycles(max=6)", "a node on no ring of up to 6\na node on a ring of 3\n"},
        {"cycles(kind=induced, max=4)",
         "a node on no ring of up to 4\na node on a chordless ring of 3\n"},
        {"cliques(max=4)", "a node in no clique\na node in a clique of 3\n"},
        {"pattern(cycle(3), path(2))",
         "a node in 1 x edge\na node in 3 x edge\n"
         "a node in 1 x triangle and 3 x edge\na node in 1 x triangle and 2 x edge\n"},
        {"combine(node, cycles(max=4), degree)", "a hydrogen on no ring of up to 4, of degree 1\n"
                                                 "a carbon on no ring of up to 4, of degree 3\n"
                                                 "a carbon on a ring of 3, of degree 3\n"
                                                 "a carbon on a ring of 3, of degree 2\n"},
        {"wl(depth=1, from=combine(node, cycles(max=4)))",
         "a hydrogen on no ring of up to 4 with the neighbour C\n"
         "a hydrogen on no ring of up to 4 with the neighbour C on a ring of 3\n"
         "a carbon on a ring of 3 with neighbours H, C on a ring of 3, C on a ring of 3\n"
         "a carbon on no ring of up to 4 with neighbours H, H, C\n"
         "a carbon on a ring of 3 with neighbours C on a ring of 3, C on a ring of 3\n"},
        {"wl(depth=1, from=node, max=2)",
         "a hydrogen with one carbon neighbour\n"
         "a node of a rarer kind (none of the 1 most frequent of wl)\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check_labels(cases[k][0], atoms, cases[k][1]);
}

/* A tree that would be long is cut, and its number stands for the rest: no two are the same. */
static void long_trees_are_cut_and_stay_different(void **state)
{
    (void)state;
    explained_model s = open_scene("labels: {x: \"wl(depth=4, from=node)\"}\nlayers:\n"
                                   "  - aggregate: share out, x(i)\ntraining: {epochs: 1}\n",
                                   atoms, false);
    size_t n = rg_explainer_n_statements(s.explainer), cut = 0;
    char *words[32];
    assert_true(n > 4 && n < 32);
    for (size_t k = 0; k < n; k++) {
        rg_text text = {0};
        rg_explainer_words(&text, s.explainer, k);
        words[k] = rg_text_take(&text);
        assert_true(strlen(words[k]) < 120);
        cut += strstr(words[k], "(x ") != NULL;
        for (size_t other = 0; other < k; other++)
            assert_string_not_equal(words[k], words[other]);
    }
    assert_true(cut > 0);
    for (size_t k = 0; k < n; k++)
        rg_free(words[k]);
    close_scene(&s);
}

static void labels_that_the_fit_did_not_see_say_so(void **state)
{
    (void)state;
    explained_model s =
        open_scene("labels: {x: \"wl(depth=1, from=node, unseen=backoff)\"}\nlayers:\n"
                   "  - aggregate: share out, x(i)\ntraining: {epochs: 1}\n",
                   atoms, false);
    static const char *const expected[] = {
        [4] = "a hydrogen (new at depth 1)",
        [5] = "a carbon (new at depth 1)",
        [6] = "a node of a kind (wl) that was not seen in training",
    };
    for (uint32_t label = 4; label < 7; label++) {
        rg_text text = {0};
        rg_explainer_label_words(&text, s.explainer, 0, label);
        char *words = rg_text_take(&text);
        assert_string_equal(words, expected[label]);
        rg_free(words);
    }
    close_scene(&s);
}

/* ---- other rules */

static void aggregations_have_a_weight_for_each_output(void **state)
{
    (void)state;
    explained_model s =
        open_scene("layers:\n  - aggregate: [\"share out, node(i)\", share out = 1, "
                   "share degree(i)]\ntraining: {epochs: 1}\n",
                   atoms, false);
    static const struct {
        size_t rule;
        const char *words;
        uint32_t n, out[2];
    } expected[] = {
        {0, "a hydrogen", 2, {0, 1}},
        {0, "a carbon", 2, {0, 1}},
        {1, "any node, where not (out = 1)", 1, {RG_NO_OUTPUT}},
        {1, "any node, where out = 1", 1, {RG_NO_OUTPUT}},
        {2, "a node of degree 1", 1, {RG_NO_OUTPUT}},
        {2, "a node of degree 2", 1, {RG_NO_OUTPUT}},
        {2, "a node of degree 3", 1, {RG_NO_OUTPUT}},
        {RG_STATEMENT_BIAS, "every output", 2, {0, 1}},
    };
    assert_int_equal(rg_explainer_n_statements(s.explainer), 8);
    for (size_t k = 0; k < 8; k++) {
        const rg_statement *statement = rg_explainer_statement(s.explainer, k);
        rg_text text = {0};
        rg_explainer_words(&text, s.explainer, k);
        char *words = rg_text_take(&text);
        assert_string_equal(words, expected[k].words);
        assert_int_equal(statement->rule, expected[k].rule);
        assert_int_equal(statement->n, expected[k].n);
        for (uint32_t w = 0; w < statement->n; w++)
            assert_int_equal(rg_explainer_weights(s.explainer, k)[w].out, expected[k].out[w]);
        rg_free(words);
    }
    rg_text text = {0};
    rg_explainer_output_words(&text, s.explainer, 0);
    rg_text_add(&text, ", ");
    rg_explainer_output_words(&text, s.explainer, 1);
    char *words = rg_text_take(&text);
    assert_string_equal(words, "class 0 (flat), class 1");
    rg_free(words);
    close_scene(&s);
}

static void places_of_arrays_have_offsets(void **state)
{
    (void)state;
    explained_model s =
        open_scene("layers:\n"
                   "  - rule: share row(j)-row(i), col(i)-col(j) when row(j)-row(i) in -1..1 "
                   "and col(i)-col(j) in 0..2 and channel(i) = channel(j)\n"
                   "    bias: share channel(i)\n"
                   "    shape: [4, 3, 2]\n"
                   "  - rule: share channel(i), channel(j), row(j) - 2*row(i) when row(j) - "
                   "2*row(i) in 0..1 and col(i) = col(j)\n"
                   "    shape: [2, 3, 1]\n"
                   "  - dense: auto\n"
                   "training: {epochs: 1}\n",
                   NULL, true);
    char *all = sentences(&s, 0, 0);
    assert_string_equal(
        all,
        "from a place 1 row above, in the same column, to any place, where channel(i) = "
        "channel(j)\n"
        "from a place 1 row above, 1 column to the left, to any place, where channel(i) = "
        "channel(j)\n"
        "from a place 1 row above, 2 columns to the left, to any place, where channel(i) = "
        "channel(j)\n"
        "from a place in the same row, in the same column, to any place, where channel(i) = "
        "channel(j)\n"
        "from a place in the same row, 1 column to the left, to any place, where channel(i) = "
        "channel(j)\n"
        "from a place in the same row, 2 columns to the left, to any place, where channel(i) = "
        "channel(j)\n"
        "from a place 1 row below, in the same column, to any place, where channel(i) = "
        "channel(j)\n"
        "from a place 1 row below, 1 column to the left, to any place, where channel(i) = "
        "channel(j)\n"
        "from a place 1 row below, 2 columns to the left, to any place, where channel(i) = "
        "channel(j)\n");
    rg_free(all);
    all = sentences(&s, 0, RG_STATEMENT_BIAS);
    assert_string_equal(all, "a place in channel 0\na place in channel 1\n");
    rg_free(all);
    all = sentences(&s, 1, 0);
    assert_string_equal(all, "from a place in channel 0, to a place in channel 0, row(j) - 2 * "
                             "row(i) = 0, where col(i) = col(j)\n"
                             "from a place in channel 0, to a place in channel 0, row(j) - 2 * "
                             "row(i) = 1, where col(i) = col(j)\n"
                             "from a place in channel 1, to a place in channel 0, row(j) - 2 * "
                             "row(i) = 0, where col(i) = col(j)\n"
                             "from a place in channel 1, to a place in channel 0, row(j) - 2 * "
                             "row(i) = 1, where col(i) = col(j)\n");
    rg_free(all);
    rg_layer_facts dense = rg_explainer_layer(s.explainer, 2);
    assert_string_equal(dense.kind, "dense");
    assert_int_equal(dense.n, 0);
    close_scene(&s);
}

static void values_have_words(void **state)
{
    (void)state;
    explained_model s =
        open_scene("layers:\n"
                   "  - rule: share value(j) > 0.0, 0.25 > value(i,1) when row(i) = row(j) and "
                   "value(j) >= -9\n"
                   "    bias: share bin(value(i), 2)\n"
                   "    shape: [4, 3, 2]\n"
                   "  - rule: share value(3) > value(4), bin(value(j,1), 3)\n"
                   "    shape: [4, 3, 1]\n"
                   "  - dense: auto\n"
                   "training: {epochs: 1}\n",
                   NULL, true);
    char *all = sentences(&s, 0, 0);
    assert_string_equal(
        all, "from a place with a value not above 0 with a value of at least -9, to a place "
             "with a value not below 0.25 in channel 1, where row(i) = row(j)\n"
             "from a place with a value not above 0 with a value of at least -9, to a place "
             "with a value below 0.25 in channel 1, where row(i) = row(j)\n"
             "from a place with a value above 0 with a value of at least -9, to a place "
             "with a value not below 0.25 in channel 1, where row(i) = row(j)\n"
             "from a place with a value above 0 with a value of at least -9, to a place "
             "with a value below 0.25 in channel 1, where row(i) = row(j)\n");
    rg_free(all);
    all = sentences(&s, 0, RG_STATEMENT_BIAS); /* edges of two channels: not said */
    assert_string_equal(all, "a place with a value in bin 1 of 2\n"
                             "a place with a value in bin 2 of 2\n");
    rg_free(all);
    all = sentences(&s, 1, 0);
    assert_non_null(strstr(all, "from a place with a value in bin 1 of 3 (up to "));
    assert_non_null(strstr(all, "from a place with a value in bin 2 of 3 (above "));
    assert_non_null(strstr(all, "), to any place, where not (value(3) > value(4))\n"));
    rg_free(all);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_and_marks_have_words),
        cmocka_unit_test(pairs_are_said_from_input_to_output),
        cmocka_unit_test(labels_without_names_are_numbers),
        cmocka_unit_test(conditions_are_said_unless_the_key_tells),
        cmocka_unit_test(what_has_no_words_is_an_equation),
        cmocka_unit_test(a_node_to_itself_is_said_once),
        cmocka_unit_test(labels_are_nouns),
        cmocka_unit_test(long_trees_are_cut_and_stay_different),
        cmocka_unit_test(labels_that_the_fit_did_not_see_say_so),
        cmocka_unit_test(aggregations_have_a_weight_for_each_output),
        cmocka_unit_test(places_of_arrays_have_offsets),
        cmocka_unit_test(values_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
