/* test_line.c - graphs in one line: JSON objects and graph6. */
#include "texts.h"

#include <stdio.h>

static rg_status read_line(rg_dataset **out, const char *text, rg_error *err)
{
    return rg_dataset_from_lines(out, "in", 7, text, strlen(text), err);
}

static void a_json_object_becomes_a_graph(void **state)
{
    (void)state;
    static const char text[] =
        "{\"nodes\": 4, \"edges\": [[0, 1], [2, 1], [1, 2]], \"node_labels\": [6, 6, 8, -1], "
        "\"edge_labels\": [[1, 9], [2, 8], [2, 8]], "
        "\"node_attributes\": [[0.5, 1], [2, 3], [4, 5], [6, 7e-1]], "
        "\"edge_attributes\": [1.5, 2.5, 2.5]}";
    rg_dataset *data = NULL;
    ASSERT_OK(read_line(&data, text, err));
    assert_string_equal(rg_dataset_name(data), "in");
    assert_int_equal(rg_dataset_n_graphs(data), 1);
    assert_int_equal(rg_dataset_n_nodes(data), 4);
    assert_int_equal(rg_dataset_n_arcs(data), 4);
    assert_true(test_has_edge(data, 0, 0, 1) && test_has_edge(data, 0, 2, 1));
    static const int64_t labels[] = {6, 6, 8, -1};
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(test_label_value(data, RG_NODE_LABEL, 0, k), labels[k]);
    assert_int_equal(rg_dataset_n_columns(data, RG_EDGE_LABEL), 2);
    /* arcs in order: 0-1, 1-0, 1-2, 2-1 */
    assert_int_equal(test_label_value(data, RG_EDGE_LABEL, 0, 0), 1);
    assert_int_equal(test_label_value(data, RG_EDGE_LABEL, 1, 2), 8);
    assert_int_equal(rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE), 2);
    assert_true(rg_dataset_reals(data, RG_NODE_ATTRIBUTE)[7] == 0.7);
    assert_true(rg_dataset_reals(data, RG_EDGE_ATTRIBUTE)[3] == 2.5);
    assert_int_equal(rg_dataset_n_columns(data, RG_CLASS), 0);
    assert_int_equal(rg_dataset_n_columns(data, RG_TARGET), 0);
    rg_dataset_free(data);
}

/* Lines that mean the same have the same digest. */
static void ways_to_write_a_graph_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t n_nodes, n_arcs;
    } cases[] = {
        {"{\"nodes\": 0, \"edges\": []}", 0, 0},
        {"{\"edges\": [], \"nodes\": 2}", 2, 0},
        {" \t{ \"nodes\" : 2 , \"edges\" : [[1,0]]}\r\n", 2, 2},
        {"{\"nodes\": 2, \"edges\": [], \"node_labels\": [1, 1], \"edge_labels\": []}", 2, 0},
        {"{\"nodes\": 0, \"edges\": [], \"node_attributes\": []}", 0, 0},
        {"A_", 2, 2},
        {"C~\n", 4, 12},
        {"?", 0, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_dataset *data = NULL;
        ASSERT_OK(read_line(&data, cases[k].text, err));
        assert_int_equal(rg_dataset_n_nodes(data), cases[k].n_nodes);
        assert_int_equal(rg_dataset_n_arcs(data), cases[k].n_arcs);
        rg_dataset_free(data);
    }
}

static void lines_become_one_set(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    ASSERT_OK(read_line(&data,
                        "{\"nodes\": 2, \"edges\": [[0, 1]], \"node_labels\": [6, 8]}\n\n"
                        "{\"nodes\": 0, \"edges\": []}\r\n"
                        "{\"nodes\": 3, \"edges\": [[2, 1]], \"node_labels\": [[7], [9], [6]]}",
                        err));
    static const int64_t labels[] = {6, 8, 7, 9, 6};
    assert_int_equal(rg_dataset_n_graphs(data), 3);
    assert_int_equal(rg_dataset_graph(data, 1).n_nodes, 0);
    assert_true(test_has_edge(data, 0, 0, 1) && test_has_edge(data, 2, 1, 2));
    assert_int_equal(rg_dataset_n_arcs(data), 4);
    for (size_t k = 0; k < 5; k++)
        assert_int_equal(test_label_value(data, RG_NODE_LABEL, 0, k), labels[k]);
    rg_dataset_free(data);
    ASSERT_OK(read_line(&data, "A_\nC~\n{\"nodes\": 1, \"edges\": []}\n", err));
    assert_int_equal(rg_dataset_n_graphs(data), 3);
    assert_int_equal(rg_dataset_n_arcs(data), 14);
    rg_dataset_free(data);
}

/* Their lines begin with '[' and '{', as JSON does. */
static void graph6_of_28_and_60_nodes_is_no_json(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {28, 60};
    for (size_t k = 0; k < 2; k++) {
        char line[512];
        uint32_t n = sizes[k];
        size_t n_bytes = (n * (n - 1) / 2 + 5) / 6;
        memset(line, 63, sizeof line);
        line[0] = (char)(63 + n);
        line[1] = 63 + 32; /* the edge {0,1} */
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_from_lines(&data, "in", 1, line, 1 + n_bytes, err));
        assert_int_equal(rg_dataset_n_nodes(data), n);
        assert_int_equal(rg_dataset_n_arcs(data), 2);
        rg_dataset_free(data);
    }
}

static void bad_lines_are_refused(void **state)
{
    (void)state;
#define HEAD "{\"nodes\": 2, \"edges\": [[0, 1]]"
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "in: found nothing, expected a graph"},
        {"  \r\n", "in: found nothing, expected a graph"},
        {"{", "in:7:1: string or '}' expected near end of file"},
        {"{\"nodes\": 2, \"edges\": [[0, 1]}", "in:7:30: ']' expected near '}'"},
        {HEAD "} x", "in:7:33: end of file expected near 'x'"},
        {"[]", "in:7: found a list, expected an object"},
        {"{}", "in:7: nodes: found nothing, expected a whole number 0 .. 16777216"},
        {"{\"nodes\": -1, \"edges\": []}",
         "in:7: nodes: found -1, expected a whole number 0 .. 16777216"},
        {"{\"nodes\": 16777217, \"edges\": []}",
         "in:7: nodes: found 16777217, expected a whole number 0 .. 16777216"},
        {"{\"nodes\": 2.0, \"edges\": []}",
         "in:7: nodes: found the real number 2, expected a whole number 0 .. 16777216"},
        {"{\"nodes\": 2}", "in:7: edges: found nothing, expected a list of pairs of nodes"},
        {"{\"nodes\": 2, \"edges\": 1}", "in:7: edges: found 1, expected a list of pairs of nodes"},
        {"{\"nodes\": 2, \"edges\": [[0,1,1]]}",
         "in:7: edges[0]: found a list, expected a list of two nodes"},
        {"{\"nodes\": 2, \"edges\": [[0,1],[0,2]]}",
         "in:7: edges[1][1]: found 2, expected a node, a number below 2"},
        {"{\"nodes\": 2, \"edges\": [[-1,1]]}",
         "in:7: edges[0][0]: found -1, expected a node, a number below 2"},
        {"{\"nodes\": 2, \"edges\": [[\"a\",1]]}",
         "in:7: edges[0][0]: found \"a\", expected a node, a number below 2"},
        {HEAD ", \"labels\": [1]}",
         "in:7: found the key \"labels\", expected nodes, edges, node_labels, edge_labels, "
         "node_attributes or edge_attributes"},
        {HEAD ", \"nodes\": 3}", "in:7:39: duplicate object key near '\"nodes\"'"},
        {HEAD ", \"node_labels\": 6}", "in:7: node_labels: found 6, expected a list"},
        {HEAD ", \"node_labels\": [6]}", "in:7: node_labels: found 1, expected 2"},
        {HEAD ", \"node_labels\": [6, 6, 8]}", "in:7: node_labels: found 3, expected 2"},
        {HEAD ", \"node_labels\": [6, 1.5]}",
         "in:7: node_labels[1]: found the real number 1.5, expected a whole number"},
        {HEAD ", \"node_labels\": [6, null]}",
         "in:7: node_labels[1]: found null, expected a whole number"},
        {HEAD ", \"node_labels\": [6, -9223372036854775808]}",
         "in:7: node_labels[1]: found -9223372036854775808, expected a whole number"},
        {HEAD ", \"node_labels\": [[6, 1], [6]]}",
         "in:7: node_labels[1]: found 1 numbers, expected as many as before"},
        {HEAD ", \"node_labels\": [[], []]}",
         "in:7: node_labels[0]: found 0 numbers, expected at least one"},
        {HEAD ", \"node_labels\": [[[1]], [[2]]]}",
         "in:7: node_labels[0]: found a list, expected a whole number"},
        {HEAD ", \"edge_labels\": [1, 2]}", "in:7: edge_labels: found 2, expected 1"},
        {HEAD ", \"node_attributes\": [[1], [\"x\"]]}",
         "in:7: node_attributes[1]: found \"x\", expected a number"},
        {HEAD ", \"edge_attributes\": []}", "in:7: edge_attributes: found 0, expected 1"},
        {HEAD ", \"edge_attributes\": [1e999]}", "in:7:57: real number overflow near '1e999'"},
        {"{\"nodes\": 2, \"edges\": [[0, 99999999999999999999]]}",
         "in:7:47: too big integer near '99999999999999999999'"},
        {HEAD ", \"node_labels\": [1, 2]}\n\nA_",
         "in:9: node_labels: found 0 columns, expected 1 as in lines before"},
        {"A_\n" HEAD ", \"node_labels\": [1, 2]}",
         "in:8: node_labels: found 1 columns, expected 0 as in lines before"},
        {HEAD ", \"node_labels\": [1, 2]}\n" HEAD "}",
         "in:8: node_labels: found 0 columns, expected 1 as in lines before"},
        {HEAD ", \"node_attributes\": [1, 2]}\n" HEAD ", \"node_attributes\": [[1, 2], [3, 4]]}",
         "in:8: node_attributes: found 2 columns, expected 1 as in lines before"},
        {HEAD ", \"edge_labels\": [1]}\n" HEAD "}",
         "in:8: edge_labels: found 0 columns, expected 1 as in lines before"},
        {"A_\nA_\nA\n", "in:9: found 0 bytes for the edges of 2 nodes, expected 1"},
        {"C", "in:7: found 0 bytes for the edges of 4 nodes, expected 1"},
        {"C~~", "in:7: found 2 bytes for the edges of 4 nodes, expected 1"},
        {"nodes", "in:7: found 4 bytes for the edges of 47 nodes, expected 181"},
        {":Fa@x^", "in:7:1: found a sparse6 line, expected graph6 (nauty's copyg -g converts)"},
        {">>graph6<<C~", "in:7:1: found a header, expected '>>graph6<<' at the start of line 1, "
                         "or none"},
        {"C 1", "in:7:2: found byte 32, expected a byte from 63 to 126"},
    };
#undef HEAD
    size_t n_wrong = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_dataset *data = NULL;
        rg_error err = {""};
        rg_status status = read_line(&data, cases[k].text, &err);
        if (status != RG_EDATA || strcmp(err.message, cases[k].message) != 0) {
            print_message("%s: status %d, found\n  %s\nexpected\n  %s\n", cases[k].text, status,
                          err.message, cases[k].message);
            n_wrong++;
        }
        assert_null(data);
    }
    assert_int_equal(n_wrong, 0);
}

static void every_cut_of_a_good_line_is_refused(void **state)
{
    (void)state;
    static const char text[] =
        "{\"nodes\": 3, \"edges\": [[0, 1], [1, 2]], \"node_labels\": [6, 6, "
        "8], \"node_attributes\": [[1], [2], [3]]}";
    for (size_t n = 0; n < sizeof text - 1; n++) {
        char *cut = malloc(n ? n : 1); /* no zero behind it: reading on would be seen */
        rg_dataset *data = NULL;
        rg_error err = {""};
        memcpy(cut, text, n);
        assert_int_equal(rg_dataset_from_lines(&data, "in", 1, cut, n, &err), RG_EDATA);
        assert_null(data);
        free(cut);
    }
}

static rg_status read_once(void *context, rg_error *err)
{
    rg_dataset *data = NULL;
    rg_status status = read_line(&data, context, err);
    rg_dataset_free(data);
    return status;
}

static void no_allocation_is_taken_for_granted(void **state)
{
    (void)state;
    char json[] = "{\"nodes\": 3, \"edges\": [[0, 1], [1, 2]], \"node_labels\": [6, 6, 8], "
                  "\"edge_labels\": [1, 2], \"node_attributes\": [[1], [2], [3]], "
                  "\"edge_attributes\": [1, 2]}\n{\"nodes\": 1, \"edges\": [], "
                  "\"node_labels\": [1], \"node_attributes\": [2]}\n";
    char graph6[] = "IheA@GUAo";
    assert_true(test_allocation_sweep(read_once, json) > 6);
    assert_true(test_allocation_sweep(read_once, graph6) > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_json_object_becomes_a_graph),
        cmocka_unit_test(ways_to_write_a_graph_are_told_apart),
        cmocka_unit_test(lines_become_one_set),
        cmocka_unit_test(graph6_of_28_and_60_nodes_is_no_json),
        cmocka_unit_test(bad_lines_are_refused),
        cmocka_unit_test(every_cut_of_a_good_line_is_refused),
        cmocka_unit_test(no_allocation_is_taken_for_granted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
