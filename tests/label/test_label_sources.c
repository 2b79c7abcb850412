/* test_label_sources.c - where labels come from: attributes, files, what is missing or empty. */
#include "support/graphs.h"
#include "support/labelings.h"

#include <math.h>

static void equal_and_missing_attributes_make_fewer_bins(void **state)
{
    (void)state;
    static const struct {
        double values[6];
        const char *labels;
    } cases[] = {
        {{1, 1, 1, 1, 1, 1}, "0 0 0 0 0 0"},
        {{0.0, -0.0, 0.0, -0.0, 0.0, -0.0}, "0 0 0 0 0 0"},
        {{NAN, NAN, NAN, NAN, NAN, NAN}, "0 0 0 0 0 0"},
        {{1, 2, 3, 4, 5, 6}, "0 0 1 1 2 2"},
        {{6, 5, 4, 3, 2, 1}, "2 2 1 1 0 0"},
        {{1, 1, 1, 1, 1, 9}, "0 0 0 0 0 0"}, /* both quantiles are the least value */
        {{1, 1, 9, 9, 9, 9}, "1 1 0 0 0 0"},
        {{-0.0, 1, 0.0, 1, NAN, 1}, "1 0 1 0 2 0"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_graph g = test_graph_new(6);
        rg_dataset *data = test_set_with(&g, 1, cases[k].values);
        rg_labels *labels = NULL;
        rg_labeling *labeling = test_fit(&labels, "attribute(0, bins=3)", data);
        char *text = test_labels_text(data, labels);
        assert_string_equal(text, cases[k].labels);
        free(text);
        rg_labels_free(labels);
        rg_labeling_free(labeling);
        rg_dataset_free(data);
        test_graph_free(&g);
    }
}

static void labels_can_come_from_a_file(void **state)
{
    (void)state;
    static const struct {
        const char *text, *labels, *message;
    } cases[] = {
        {"5 5 -2 5 5\n-2 9 5\n", "0 0 1 0 0 | 1 2 0", NULL},
        {"5 5 5 5 5\n5 5 5", "0 0 0 0 0 | 0 0 0", NULL},
        {"5 5 5 5 5\n", NULL, "labels.txt: found 1 lines, expected 2, one per graph"},
        {"", NULL, "labels.txt: found 0 lines, expected 2, one per graph"},
        {"1 1 1 1 1\n1 1 1\n1\n", NULL, "found more than 2 lines, expected 2, one per graph"},
        {"1 1 1 1\n1 1 1\n", NULL, "labels.txt:1:8: found the end of the line, expected a label"},
        {"1 1 1 1 1 1\n1 1 1\n", NULL, "labels.txt:1:11: found '1', expected"},
        {"1 1 1 1 1\n1 x 1\n", NULL, "labels.txt:2:3: found 'x', expected a label"},
    };
    char *directory = test_directory_make();
    char *spec = test_format("file(\"%s/labels.txt\")", directory);
    rg_dataset *data = test_known_set(2);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_labeling *labeling = NULL;
        rg_labels *labels = NULL;
        rg_error err = {""};
        test_write(directory, "labels.txt", cases[k].text);
        rg_status status = rg_labeling_fit(&labeling, &labels, spec, data, NULL, 0, NULL, &err);
        if (cases[k].message) {
            assert_int_equal(status, RG_EDATA);
            assert_null(labeling);
            assert_null(labels);
            if (!strstr(err.message, cases[k].message))
                fail_msg("case %zu: %s", k, err.message);
            continue;
        }
        assert_int_equal(status, RG_OK);
        char *text = test_labels_text(data, labels);
        assert_string_equal(text, cases[k].labels);
        free(text);
        rg_labels_free(labels);
        rg_labeling_free(labeling);
    }
    rg_dataset_free(data);
    free(spec);
    test_directory_remove(directory);
}

static void mistakes_are_told_in_one_line(void **state)
{
    (void)state;
    static const struct {
        const char *spec;
        rg_status status;
        const char *message;
    } cases[] = {
        {"wl(dept=1)", RG_EUSAGE, "column 4"},
        {"node(1)", RG_EDATA, "found 1 column of node labels, expected column 1"},
        {"attribute(1)", RG_EDATA, "found 1 node attributes, expected attribute 1"},
        {"wl(from=node(column=3))", RG_EDATA, "expected column 3"},
        {"file(/nowhere/at/all)", RG_EIO, "/nowhere/at/all"},
    };
    rg_dataset *data = test_known_set(2);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_labeling *labeling = NULL;
        rg_labels *labels = NULL;
        rg_error err = {""};
        rg_status status =
            rg_labeling_fit(&labeling, &labels, cases[k].spec, data, NULL, 0, NULL, &err);
        assert_null(labeling);
        assert_null(labels);
        if (status != cases[k].status || !strstr(err.message, cases[k].message))
            fail_msg("%s: status %d, %s", cases[k].spec, status, err.message);
    }
    rg_dataset_free(data);
}

static void graphs_to_fit_on_must_be_there(void **state)
{
    (void)state;
    rg_dataset *data = test_known_set(2);
    rg_labeling *labeling = NULL;
    rg_error err = {""};
    assert_int_equal(
        rg_labeling_fit(&labeling, NULL, "degree", data, (uint32_t[]){1, 2}, 2, NULL, &err),
        RG_EUSAGE);
    assert_non_null(strstr(err.message, "found graph 2 to fit on, expected one below 2"));
    assert_null(labeling);
    rg_dataset_free(data);
}

static rg_status fit_edges(const rg_dataset *data, rg_error *err)
{
    rg_labeling *labeling = NULL;
    rg_status status = rg_labeling_fit(&labeling, NULL, "wl(edges=true)", data, NULL, 0, NULL, err);
    assert_null(labeling);
    return status;
}

static void edge_labels_that_are_asked_for_must_be_there(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_generate(&data, RG_CSL, NULL, err));
    rg_error err = {""};
    assert_int_equal(fit_edges(data, &err), RG_EDATA);
    assert_non_null(strstr(err.message, "'CSL': found no edge labels, expected some for wl("));
    rg_dataset_free(data);
}

static void sets_without_nodes_or_graphs_are_fine(void **state)
{
    (void)state;
    test_graph empty = test_graph_new(0);
    for (size_t n = 0; n < 3; n++) {
        test_graph graphs[] = {empty, empty, empty};
        rg_dataset *data = test_set_of(graphs, n);
        static const char *const specs[] = {"degree", "wl(depth=2, unseen=backoff)", "cycles",
                                            "combine(degree, trivial)", "pattern(cycle(4))"};
        for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
            rg_labels *labels = NULL;
            rg_labeling *labeling = test_fit(&labels, specs[k], data);
            assert_int_equal(rg_labeling_size(labeling), 1);
            assert_int_equal(rg_labels_n_nodes(labels), 0);
            rg_labels_free(labels);
            rg_labeling_free(labeling);
        }
        rg_dataset_free(data);
    }
    test_graph_free(&empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_and_missing_attributes_make_fewer_bins),
        cmocka_unit_test(labels_can_come_from_a_file),
        cmocka_unit_test(mistakes_are_told_in_one_line),
        cmocka_unit_test(graphs_to_fit_on_must_be_there),
        cmocka_unit_test(edge_labels_that_are_asked_for_must_be_there),
        cmocka_unit_test(sets_without_nodes_or_graphs_are_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
