/* test_describe.c - labels in words. */
#include "support/graphs.h"
#include "support/labelings.h"

/* What the label of one node of the known set is called, fitted on the first n graphs. */
static void labels_have_words(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        size_t n_graphs, node;
        const char *meaning;
    } cases[] = {
        {"trivial", 3, 0, "any node"},
        {"degree", 3, 2, "degree 3"},
        {"node", 3, 0, "node label -5"},
        {"node", 3, 4, "node label 2"},
        {"degree(max=2)", 3, 2, "other: one of 3 rarer keys"},
        {"degree", 1, 8, "unseen: a key that did not occur in the fit"},
        {"attribute(0, bins=4)", 3, 4, "bin 0 of attribute 0: x < 0.5"},
        {"attribute(0, bins=4)", 3, 2, "bin 1 of attribute 0: 0.5 <= x < 2"},
        {"attribute(0, bins=4)", 3, 8, "bin 3 of attribute 0: 8 <= x"},
        {"attribute(0, bins=4)", 3, 5, "attribute 0 has no value"},
        {"attribute(0, bins=1)", 3, 4, "bin 0 of attribute 0: any x"},
        {"combine(node, degree)", 3, 2, "node label -5 and degree 3"},
        {"wl(depth=0)", 3, 2, "depth-0 WL class: degree 3"},
        {"wl(depth=1)", 3, 2, "depth-1 WL class: degree 3; neighbours: degree 2 x3"},
        {"wl(depth=1)", 3, 3, "depth-1 WL class: degree 2; neighbours: degree 1, degree 3"},
        {"wl(depth=1)", 3, 8, "depth-1 WL class: degree 0; no neighbours"},
        {"wl(depth=2)", 3, 4,
         "depth-2 WL class: degree 1; neighbours: degree 2 [degree 1, degree 3]"},
        {"wl(depth=2)", 3, 6, "depth-2 WL class: degree 2; neighbours: degree 1 [degree 2] x2"},
        {"wl(depth=1, from=node, edges=true)", 3, 3,
         "depth-1 WL class: node label -5; neighbours: node label -5 by edge label 2, node label 2 "
         "by edge label 3"},
        {"wl(depth=2, unseen=backoff)", 1, 5,
         "not seen at depth 2; depth-1 WL class: degree 1; neighbours: degree 2"},
        {"wl(depth=2, unseen=backoff)", 1, 6, "not seen at depth 2; depth-0 WL class: degree 2"},
        {"wl(depth=1, from=cycles(max=3))", 3, 3,
         "depth-1 WL class: on no cycle; neighbours: on no cycle, on 1 cycle of length 3"},
        {"cycles(max=5)", 3, 0, "on 1 cycle of length 3"},
        {"cycles(kind=induced, max=5)", 3, 0, "on 1 induced cycle of length 3"},
        {"cycles(max=5)", 3, 3, "on no cycle"},
        {"cliques(max=4)", 3, 0, "in 1 clique of 3 nodes"},
        {"cliques(max=4, maximal=true)", 3, 0, "in 1 maximal clique of 3 nodes"},
        {"cliques(max=4)", 3, 4, "in no clique"},
        {"pattern(path(3), triangle)", 3, 2, "in 3 x path(3), 1 x triangle"},
        {"pattern(path(3), triangle)", 3, 8, "in none of the patterns"},
        {"core", 3, 0, "core number 2"},
        {"core", 3, 4, "core number 1"},
        {"betweenness", 3, 3, "betweenness 3"},
        {"betweenness(parts=4)", 3, 0, "betweenness 0/4"},
        {"walks(min=2, max=3)", 3, 2, "on 3 closed walks of length 2, 2 of length 3"},
        {"walks(min=3, max=3)", 3, 8, "on no closed walk"},
        {"marked(from=node)", 3, 2,
         "a mark on node label -5 that parts the 5 nodes it is joined to into 4 classes"},
        {"marked(k=2, from=trivial, depth=1)", 3, 2,
         "a mark on any node that parts the 4 nodes within 1 into 3 classes, with 1 more mark in 1 "
         "way"},
        {"marked(k=2)", 3, 8,
         "a mark on degree 0 that parts the 1 node it is joined to into 1 class"},
        {"marked(max=2)", 3, 2, "other: one of 6 rarer keys"},
        {"marked", 1, 6, "unseen: a key that did not occur in the fit"},
        {"wl2", 3, 2,
         "degree 3, of class 4 of the 4 into which pairs part the 5 nodes it is joined to"},
        {"wl2(depth=1, from=trivial)", 3, 5,
         "any node, of class 1 of the 1 into which pairs part the 2 nodes within 1"},
    };
    rg_dataset *data = test_known_set(3);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_labeling *labeling = NULL;
        rg_labels *labels = NULL;
        char text[256];
        ASSERT_OK(rg_labeling_fit(&labeling, &labels, cases[k].spec, data, (uint32_t[]){0, 1, 2},
                                  cases[k].n_graphs, NULL, err));
        ASSERT_OK(rg_labeling_describe(text, sizeof text, labeling,
                                       rg_labels_data(labels)[cases[k].node], err));
        if (strcmp(text, cases[k].meaning) != 0)
            fail_msg("%s: found '%s', expected '%s'", cases[k].spec, text, cases[k].meaning);
        rg_labels_free(labels);
        rg_labeling_free(labeling);
    }
    rg_dataset_free(data);
}

static void several_counts_are_listed(void **state)
{
    (void)state;
    test_graph g = test_complete(4);
    rg_dataset *data = test_set_of(&g, 1);
    static const char *const cases[][2] = {
        {"cycles(max=5)", "on 3 cycles of length 3, 3 of length 4"},
        {"cliques(max=5)", "in 3 cliques of 3 nodes, 1 of 4 nodes"},
        {"pattern(clique(4), edge)", "in 1 x clique(4), 3 x edge"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_labeling *labeling = test_fit(NULL, cases[k][0], data);
        char text[128];
        ASSERT_OK(rg_labeling_describe(text, sizeof text, labeling, 0, err));
        assert_string_equal(text, cases[k][1]);
        rg_labeling_free(labeling);
    }
    rg_dataset_free(data);
    test_graph_free(&g);
}

static void counts_over_the_budget_are_said_to_be(void **state)
{
    (void)state;
    test_graph g = test_random(30, 0.6, 1, 1, 7);
    rg_dataset *data = test_set_of(&g, 1);
    rg_label_options options = rg_label_options_default();
    options.budget = 1;
    rg_labeling *labeling = NULL;
    rg_labels *labels = NULL;
    char text[128];
    ASSERT_OK(
        rg_labeling_fit(&labeling, &labels, "cycles(min=9, max=10)", data, NULL, 0, &options, err));
    assert_int_equal(rg_labels_n_capped(labels), 1);
    assert_int_equal(rg_labeling_seen(labeling), 1);
    ASSERT_OK(rg_labeling_describe(text, sizeof text, labeling, 0, err));
    assert_string_equal(text, "not counted: over the budget");
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    rg_dataset_free(data);
    test_graph_free(&g);
}

static void what_is_over_the_budget_has_words_too(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"marked(k=2)", "not marked: over the budget"},
        {"wl2", "not refined: over the budget"},
        {"betweenness(parts=3)", "betweenness not known, over the budget"},
        {"walks(max=3)", "not counted: over the budget"},
    };
    rg_dataset *data = test_known_set(1);
    rg_label_options options = rg_label_options_default();
    options.budget = 1;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_labeling *labeling = NULL;
        char text[128];
        ASSERT_OK(rg_labeling_fit(&labeling, NULL, cases[k][0], data, NULL, 0, &options, err));
        ASSERT_OK(rg_labeling_describe(text, sizeof text, labeling, 0, err));
        assert_string_equal(text, cases[k][1]);
        rg_labeling_free(labeling);
    }
    rg_dataset_free(data);
}

/* Of a star with 200,000 leaves no one can count the stars with 4 in 63 bits. */
static void some_counts_may_be_over_the_budget(void **state)
{
    (void)state;
    enum { LEAVES = 200000 };
    test_graph star = test_star(LEAVES + 1);
    rg_dataset *data = test_dataset(&star, 1, NULL);
    test_graph_free(&star);
    static const char *const cases[][2] = {
        {"pattern(star(4), triangle)",
         "in no pattern that was counted; not counted, over the budget: star(4)"},
        {"pattern(edge, star(4))", "in 1 x edge; not counted, over the budget: star(4)"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_labels *labels = NULL;
        rg_labeling *labeling = test_fit(&labels, cases[k][0], data);
        char text[128];
        ASSERT_OK(rg_labeling_describe(text, sizeof text, labeling, 0, err));
        assert_string_equal(text, cases[k][1]);
        assert_int_equal(rg_labels_n_capped(labels), 1);
        rg_labels_free(labels);
        rg_labeling_free(labeling);
    }
    rg_dataset_free(data);
}

static void long_words_are_cut(void **state)
{
    (void)state;
    rg_dataset *data = test_known_set(3);
    rg_labeling *labeling = test_fit(NULL, "wl(depth=64)", data);
    char whole[100], text[100];
    ASSERT_OK(rg_labeling_describe(whole, sizeof whole, labeling, 0, err));
    assert_string_equal(whole + 96, "...");
    for (size_t size = 0; size <= sizeof text; size++) {
        memset(text, '#', sizeof text);
        ASSERT_OK(rg_labeling_describe(text, size, labeling, 0, err));
        assert_true(size == sizeof text || text[size] == '#'); /* not a byte beyond */
        if (size < 5)
            continue;
        assert_int_equal(strlen(text), size - 1);
        assert_string_equal(text + size - 4, "...");
        assert_memory_equal(text, whole, size - 4);
    }
    rg_labeling_free(labeling);
    rg_dataset_free(data);
}

static void a_label_that_is_not_there_has_no_words(void **state)
{
    (void)state;
    rg_dataset *data = test_known_set(3);
    rg_labeling *labeling = test_fit(NULL, "degree", data);
    char text[32] = "as before";
    rg_error err = {""};
    assert_int_equal(rg_labeling_describe(text, sizeof text, labeling, 5, &err), RG_EUSAGE);
    assert_string_equal(err.message, "found label 5, expected one below 5");
    assert_string_equal(text, "as before");
    rg_labeling_free(labeling);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_have_words),
        cmocka_unit_test(several_counts_are_listed),
        cmocka_unit_test(counts_over_the_budget_are_said_to_be),
        cmocka_unit_test(what_is_over_the_budget_has_words_too),
        cmocka_unit_test(some_counts_may_be_over_the_budget),
        cmocka_unit_test(long_words_are_cut),
        cmocka_unit_test(a_label_that_is_not_there_has_no_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
