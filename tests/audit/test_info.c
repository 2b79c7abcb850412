/* test_info.c - what regula data info says of sets with everything odd in them. */
#include "support/program.h"

#include <stdio.h>
#include <string.h>

static int set_up(void **state)
{
    *state = test_directory_make();
    return 0;
}

static int tear_down(void **state)
{
    test_directory_remove(*state);
    return 0;
}

/* Nodes 1, 2, 4 are graph 1, node 3 graph 2, node 5 graph 4; graph 3 has none. */
static void every_oddity_is_said(void **state)
{
    static const struct {
        const char *name, *text;
    } files[] = {
        {"odd/O_A.txt", "1, 2\n2, 1\n1, 2\n1, 1\n1, 4\n"},
        {"odd/O_edge_labels.txt", "5\n5\n6\n5\n7\n"},
        {"odd/O_graph_indicator.txt", "1\n1\n2\n1\n4\n"},
        {"odd/O_graph_labels.txt", "26\n28\n59\n26"},
        {"odd/O_graph_attributes.txt", "1.5\nnan\n2.5\n3.5\n"},
        {"odd/O_node_labels.txt", "3, 0\n3, 1\n9, 0\n-1, 1\n3, 0\n"},
        {"odd/O_node_attributes.txt", "1e-3, nan\n2, nan\n3, nan\n4, nan\n5, nan\n"},
        {"odd/O_notes.xls", ""},
        {"odd/README.md", ""},
    };
    static const char expected[] =
        "O  (odd)\n\n"
        "graphs             4\n"
        "classes            3\n"
        "  class 26         2\n"
        "  class 28         1\n"
        "  class 59         1\n"
        "real targets       1 column\n"
        "  column 0         from 1.5 to 3.5\n\n"
        "                         min        mean       max        total\n"
        "nodes                      0        1.25         3            5\n"
        "edges                      0        0.50         2            2\n"
        "diameter                   0        0.50         2\n"
        "degree                              0.80         2\n\n"
        "graphs are         3 connected, 0 disconnected, 3 trees\n\n"
        "node labels        2 columns\n"
        "  column 0         3, from -1 to 9\n"
        "  column 1         2, from 0 to 1\n"
        "edge labels        2, from 5 to 7\n"
        "node attributes    2 columns\n"
        "  column 0         from 0.001 to 5\n"
        "  column 1         no value\n"
        "edge attributes    none\n\n"
        "What the loader found\n"
        "  1 line repeats an earlier edge: dropped\n"
        "  1 line joins a node to itself: dropped\n"
        "  1 edge is listed in one direction only: completed\n"
        "  1 line contradicts an edge's label or attributes: the first one counts\n"
        "  2 lines of the edge list are out of order: sorted\n"
        "  1 node comes after nodes of a later graph: reordered\n"
        "  2 nodes have no edge: kept\n"
        "  1 graph has no node: kept\n"
        "  2 label columns are not 0, 1, 2, ...: numbered by rank, values kept\n"
        "  1 class column is not 0, 1, 2, ...: numbered by rank, values kept\n"
        "  1 target has no value\n"
        "  1 file does not end with a newline: fine\n"
        "  1 file belongs to no format: not read\n\n"
        "Isomorphic copies\n"
        "  none\n\n"
        "digest             ";
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        test_write(*state, files[k].name, files[k].text);
    expect(*state, "regula data info odd", 0, expected, "");
    expect(*state, "regula data info odd --target real", 0, "graphs             4\nreal targets",
           "");
}

static void lists_that_are_there_several_times_are_said_so(void **state)
{
    static const struct {
        const char *edges, *says;
    } cases[] = {
        {"1, 2\n1, 2\n2, 1\n2, 1\n",
         "every edge is listed twice in each direction: 2 lines dropped"},
        {"1, 2\n1, 2\n1, 2\n", "every edge is listed 3 times: 2 lines dropped"},
        {"1, 2\n1, 2\n2, 1\n", "1 line repeats an earlier edge: dropped"},
        {"1, 2\n1, 2\n1, 2\n2, 1\n2, 1\n2, 1\n2, 1\n", "5 lines repeat earlier edges: dropped"},
    };
    test_write(*state, "twice/T_graph_indicator.txt", "1\n1\n");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_write(*state, "twice/T_A.txt", cases[k].edges);
        expect(*state, "regula data info twice", 0, cases[k].says, "");
    }
}

/* n graphs of one node each; graph g has the class or label g / share. */
static void write_dots(const char *directory, size_t n, size_t share)
{
    char indicator[512] = "", labels[512] = "";
    for (size_t g = 0; g < n; g++) {
        char line[24];
        snprintf(line, sizeof line, "%zu\n", g + 1);
        strcat(indicator, line);
        snprintf(line, sizeof line, "%zu\n", g / share);
        strcat(labels, line);
    }
    test_write(directory, "dots/D_A.txt", "");
    test_write(directory, "dots/D_graph_indicator.txt", indicator);
    test_write(directory, "dots/D_node_labels.txt", labels);
    test_write(directory, "dots/D_graph_labels.txt", indicator);
}

static void copies_are_counted_in_words_that_fit(void **state)
{
    static const struct {
        size_t n, share;
        const char *line, *says;
    } cases[] = {
        {3, 1, "regula data info dots", "  none\n"},
        {2, 2, "regula data info dots",
         "  1 graph is a copy of an earlier one\n"
         "  1 of them has a different target"},
        {3, 3, "regula data info dots",
         "  2 graphs are copies of an earlier one, in 1 group of up to 3\n  2 of them have"},
        {4, 2, "regula data info dots", "  2 graphs are copies of an earlier one, in 2 groups of"},
        {4, 2, "regula data info dots --no-copies", "  not searched\n"},
        {30, 1, "regula data info dots", "  class 12         1\n  and 18 more, up to class 30\n"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        write_dots(*state, cases[k].n, cases[k].share);
        expect(*state, cases[k].line, 0, cases[k].says, "");
    }
}

static void long_lists_of_columns_are_cut(void **state)
{
    test_write(*state, "wide/W_A.txt", "");
    test_write(*state, "wide/W_graph_indicator.txt", "1\n");
    test_write(*state, "wide/W_graph_labels.txt", "1, 2, 3\n");
    test_write(*state, "wide/W_node_labels.txt", "1,2,3,4,5,6,7,8,9,10,11,12,13,14\n");
    test_write(*state, "wide/W_node_attributes.txt", "1,2,3,4,5,6,7,8,9,10,11,12,13\n");
    expect(*state, "regula data info wide", 0,
           "  column 11        1, from 12 to 12\n  and 2 more\nedge labels        none\n", "");
    expect(*state, "regula data info wide", 0, "  column 11        from 12 to 12\n  and 1 more\n",
           "");
    expect(*state, "regula data info wide", 0, "  and 2 more columns of classes\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_oddity_is_said),
        cmocka_unit_test(lists_that_are_there_several_times_are_said_so),
        cmocka_unit_test(copies_are_counted_in_words_that_fit),
        cmocka_unit_test(long_lists_of_columns_are_cut),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
