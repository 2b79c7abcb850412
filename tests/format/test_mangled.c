/* test_mangled.c - TUDataset files that must be refused, each with its message: where, what was
 * found, what was expected. */
#include "mangled.h"

#include "format/format.h"

static const mangled_file good[] = {
    {"X_A.txt", "1, 2\n2, 1\n3, 4\n4, 3\n"}, {"X_graph_indicator.txt", "1\n1\n2\n2\n"},
    {"X_graph_labels.txt", "-1\n1\n"},       {"X_graph_attributes.txt", "0.5, 1e-3\n2, nan\n"},
    {"X_node_labels.txt", "7\n7\n8\n9\n"},   {"X_node_attributes.txt", "1, 2\n3, 4\n5, 6\n7, 8\n"},
    {"X_edge_labels.txt", "0\n0\n1\n1\n"},   {"X_edge_attributes.txt", "1.5\n1.5\n2\n2\n"}};

#define A "X_A.txt"
#define I "X_graph_indicator.txt"
#define GL "X_graph_labels.txt"
#define GA "X_graph_attributes.txt"
#define NL "X_node_labels.txt"
#define NA "X_node_attributes.txt"
#define EL "X_edge_labels.txt"
#define EA "X_edge_attributes.txt"

static const mangled_case cases[] = {
    /* files that are not there */
    {"no edges",
     {{A, NULL}},
     "SET.tar:X_graph_indicator.txt: found no file 'X_A.txt' beside it, expected the list of "
     "edges"},
    {"no indicator",
     {{I, NULL}},
     "SET.tar:X_A.txt: found no file 'X_graph_indicator.txt' beside it, expected the graph of each "
     "node"},
    {"labels only",
     {{A, NULL}, {I, NULL}},
     "SET.tar:X_graph_labels.txt: found no file 'X_A.txt' beside it, expected the list of edges"},
    {"two sets",
     {{"Y_A.txt", "1, 2\n"}},
     "SET.tar: found two data sets, 'X' and 'Y', expected one (where a directory holds several, "
     "DIRECTORY/NAME chooses one)"},
    {"a set inside another's name",
     {{"X_X_A.txt", "1, 2\n"}},
     "SET.tar: found two data sets, 'X' and 'X_X', expected one (where a directory holds several, "
     "DIRECTORY/NAME chooses one)"},
    {"the same file in two folders",
     {{"raw/X_A.txt", "1, 2\n"}},
     "SET.tar: found 'X_A.txt' a second time, expected each file once"},

    /* edges */
    {"node 0", {{A, "0, 2\n"}}, "SET.tar:X_A.txt:1:1: found '0', expected a node, from 1"},
    {"node 0 second",
     {{A, "1, 2\n2,0\n"}},
     "SET.tar:X_A.txt:2:3: found '0', expected a node, from 1"},
    {"node 0 written at length",
     {{A, "1, 2\n1 , 0.0\n"}},
     "SET.tar:X_A.txt:2:5: found '0', expected a node, from 1"},
    {"node below 0",
     {{A, "1, 2\n-1, 2\n"}},
     "SET.tar:X_A.txt:2:1: found '-1', expected a node, from 1"},
    {"node past the last",
     {{A, "1, 2\n2, 1\n3, 4\n5, 3\n"}},
     "SET.tar:X_A.txt:4: found node 5, expected a node 1..4"},
    {"node 2^32-1",
     {{A, "1, 4294967295\n"}},
     "SET.tar:X_A.txt:1:4: found '4294967295', expected a node, from 1"},
    {"node 2^32",
     {{A, "4294967296, 1\n"}},
     "SET.tar:X_A.txt:1:1: found '4294967296', expected a node, from 1"},
    {"node 2^63",
     {{A, "1, 9223372036854775808\n"}},
     "SET.tar:X_A.txt:1:4: found '9223372036854775808', expected a node, from 1"},
    {"node of a thousand digits' kin",
     {{A, "1, 99999999999999999999999999999999999999999999\n"}},
     "SET.tar:X_A.txt:1:4: found '9999999999999999999999999999999999999999...', expected a node, "
     "from 1"},
    {"a fraction", {{A, "1, 2.5\n"}}, "SET.tar:X_A.txt:1:4: found '2.5', expected a node, from 1"},
    {"a word", {{A, "1, two\n"}}, "SET.tar:X_A.txt:1:4: found 'two', expected a node, from 1"},
    {"a word first",
     {{A, "one, 2\n"}},
     "SET.tar:X_A.txt:1:1: found 'one', expected a node, from 1"},
    {"a heading",
     {{A, "from, to\n1, 2\n"}},
     "SET.tar:X_A.txt:1:1: found 'from', expected a node, from 1"},
    {"one node",
     {{A, "1\n"}},
     "SET.tar:X_A.txt:1:2: found the end of the line, expected a node, from 1"},
    {"one node and a comma",
     {{A, "1,\n"}},
     "SET.tar:X_A.txt:1:3: found the end of the line, expected a node, from 1"},
    {"three nodes",
     {{A, "1, 2, 1\n"}},
     "SET.tar:X_A.txt:1:7: found '1', expected the end of the line"},
    {"two commas", {{A, "1,, 2\n"}}, "SET.tar:X_A.txt:1:3: found ',', expected a node, from 1"},
    {"a comma first", {{A, ", 1, 2\n"}}, "SET.tar:X_A.txt:1:1: found ',', expected a node, from 1"},
    {"a semicolon", {{A, "1; 2\n"}}, "SET.tar:X_A.txt:1:1: found '1;', expected a node, from 1"},
    {"a comma at the end",
     {{A, "1, 2,\n"}},
     "SET.tar:X_A.txt:1:5: found ',', expected the end of the line"},
    {"brackets", {{A, "(1, 2)\n"}}, "SET.tar:X_A.txt:1:1: found '(1', expected a node, from 1"},
    {"hexadecimal", {{A, "0x1, 2\n"}}, "SET.tar:X_A.txt:1:1: found '0x1', expected a node, from 1"},
    {"a number with a tail",
     {{A, "1, 2abc\n"}},
     "SET.tar:X_A.txt:1:4: found '2abc', expected a node, from 1"},
    {"an empty line between",
     {{A, "1, 2\n\n2, 1\n3, 4\n"}},
     "SET.tar:X_A.txt:2: found an empty line, expected two nodes"},
    {"an empty line first",
     {{A, "\n1, 2\n2, 1\n3, 4\n"}},
     "SET.tar:X_A.txt:1: found an empty line, expected two nodes"},
    {"a line of blanks between",
     {{A, "1, 2\n  \t\n2, 1\n3, 4\n"}},
     "SET.tar:X_A.txt:2: found an empty line, expected two nodes"},
    {"an edge between graphs",
     {{A, "1, 2\n2, 1\n2, 3\n4, 3\n"}},
     "SET.tar:X_A.txt:3: found an edge from node 2 of graph 1 to node 3 of graph 2, expected both "
     "in one graph"},
    {"a comment",
     {{A, "# edges\n1, 2\n"}},
     "SET.tar:X_A.txt:1:1: found '#', expected a node, from 1"},
    {"a byte order mark",
     {{A, "\xef\xbb\xbf"
          "1, 2\n"}},
     "SET.tar:X_A.txt:1:1: found '\xef\xbb\xbf"
     "1', expected a node, from 1"},
    {"an edge, but no node at all",
     {{A, "1, 2\n2, 1\n3, 4\n4, 3\n"}, {I, ""}, {NL, NULL}, {NA, NULL}},
     "SET.tar:X_A.txt:1: found an edge, expected none in a graph without nodes"},

    /* the graph of each node */
    {"graph 0",
     {{I, "0\n1\n2\n2\n"}},
     "SET.tar:X_graph_indicator.txt:1:1: found '0', expected a graph, from 1"},
    {"graph below 0",
     {{I, "1\n-1\n2\n2\n"}},
     "SET.tar:X_graph_indicator.txt:2:1: found '-1', expected a graph, from 1"},
    {"a graph past the labels",
     {{I, "1\n1\n2\n3\n"}},
     "SET.tar:X_graph_indicator.txt:4: found graph 3, expected a graph 1..2 (there are 2 lines in "
     "SET.tar:X_graph_labels.txt)"},
    {"a billion graphs",
     {{I, "1\n1\n2\n1000000000\n"}},
     "SET.tar:X_graph_indicator.txt:4: found graph 1000000000, expected a graph 1..2 (there are 2 "
     "lines in SET.tar:X_graph_labels.txt)"},
    {"a billion graphs and nothing to compare",
     {{I, "1\n1\n2\n1000000000\n"}, {GL, NULL}, {GA, NULL}},
     "SET.tar:X_graph_indicator.txt:4: found graph 1000000000, expected a graph 1..4 (there are 4 "
     "nodes)"},
    {"graph 2^63",
     {{I, "1\n1\n2\n9223372036854775808\n"}},
     "SET.tar:X_graph_indicator.txt:4:1: found '9223372036854775808', expected a graph, from 1"},
    {"graph 2^32-1",
     {{I, "1\n1\n2\n4294967295\n"}},
     "SET.tar:X_graph_indicator.txt:4:1: found '4294967295', expected a graph, from 1"},
    {"a fraction of a graph",
     {{I, "1\n1\n1.5\n2\n"}},
     "SET.tar:X_graph_indicator.txt:3:1: found '1.5', expected a graph, from 1"},
    {"two graphs of one node",
     {{I, "1\n1, 2\n2\n2\n"}},
     "SET.tar:X_graph_indicator.txt:2:4: found '2', expected the end of the line"},
    {"a word for a graph",
     {{I, "1\none\n2\n2\n"}},
     "SET.tar:X_graph_indicator.txt:2:1: found 'one', expected a graph, from 1"},
    {"an empty line among graphs",
     {{I, "1\n1\n\n2\n2\n"}},
     "SET.tar:X_graph_indicator.txt:3: found an empty line, expected a graph, from 1"},

    /* labels and attributes of graphs */
    {"no labels in the file",
     {{GL, ""}, {GA, NULL}},
     "SET.tar:X_graph_indicator.txt:1: found graph 1, expected a graph 1..0 (there are 0 lines in "
     "SET.tar:X_graph_labels.txt)"},
    {"fewer classes than targets",
     {{GL, "1\n"}},
     "SET.tar:X_graph_attributes.txt: found 2 lines, expected 1 as in SET.tar:X_graph_labels.txt"},
    {"more classes than targets",
     {{GL, "1\n2\n3\n"}},
     "SET.tar:X_graph_attributes.txt: found 2 lines, expected 3 as in SET.tar:X_graph_labels.txt"},
    {"a class that is no whole number",
     {{GL, "0.5\n1\n"}},
     "SET.tar:X_graph_labels.txt:1:1: found '0.5', expected a class (a whole number)"},
    {"a class that is a word",
     {{GL, "mutagen\n1\n"}},
     "SET.tar:X_graph_labels.txt:1:1: found 'mutagen', expected a class (a whole number)"},
    {"the class that stands for none",
     {{GL, "1\n-9223372036854775808\n"}},
     "SET.tar:X_graph_labels.txt:2: found -9223372036854775808, expected a class (a whole number) "
     "above that"},
    {"a second class in one line",
     {{GL, "1\n1, 2\n"}},
     "SET.tar:X_graph_labels.txt:2:4: found '2', expected the end of the line"},
    {"a class less in one line",
     {{GL, "1, 2\n1\n"}},
     "SET.tar:X_graph_labels.txt:2:2: found the end of the line, expected a class (a whole "
     "number)"},
    {"a target that is infinite",
     {{GA, "0.5, inf\n2, 3\n"}},
     "SET.tar:X_graph_attributes.txt:1:6: found 'inf', expected a number"},
    {"a target too large",
     {{GA, "0.5, 1e999\n2, 3\n"}},
     "SET.tar:X_graph_attributes.txt:1:6: found '1e999', expected a number"},
    {"a target that is hexadecimal",
     {{GA, "0.5, 0x1p3\n2, 3\n"}},
     "SET.tar:X_graph_attributes.txt:1:6: found '0x1p3', expected a number"},
    {"a target less",
     {{GA, "0.5, 1\n2\n"}},
     "SET.tar:X_graph_attributes.txt:2:2: found the end of the line, expected a number"},
    {"a target more",
     {{GA, "0.5, 1\n2, 3, 4\n"}},
     "SET.tar:X_graph_attributes.txt:2:7: found '4', expected the end of the line"},

    /* labels and attributes of nodes and edges */
    {"a node label less",
     {{NL, "7\n7\n8\n"}},
     "SET.tar:X_node_labels.txt: found 3 lines, expected 4 as in SET.tar:X_graph_indicator.txt"},
    {"a node label more",
     {{NL, "7\n7\n8\n9\n9\n"}},
     "SET.tar:X_node_labels.txt: found 5 lines, expected 4 as in SET.tar:X_graph_indicator.txt"},
    {"no node labels",
     {{NL, ""}},
     "SET.tar:X_node_labels.txt: found 0 lines, expected 4 as in SET.tar:X_graph_indicator.txt"},
    {"a node label that is a word",
     {{NL, "7\nC\n8\n9\n"}},
     "SET.tar:X_node_labels.txt:2:1: found 'C', expected a node label (a whole number)"},
    {"a node label of half",
     {{NL, "7\n7.5\n8\n9\n"}},
     "SET.tar:X_node_labels.txt:2:1: found '7.5', expected a node label (a whole number)"},
    {"a node label past 2^63",
     {{NL, "7\n7\n9223372036854775808\n9\n"}},
     "SET.tar:X_node_labels.txt:3:1: found '9223372036854775808', expected a node label (a whole "
     "number)"},
    {"a node label that is missing",
     {{NL, "7\nnan\n8\n9\n"}},
     "SET.tar:X_node_labels.txt:2:1: found 'nan', expected a node label (a whole number)"},
    {"two node labels in one line",
     {{NL, "7\n7, 1\n8\n9\n"}},
     "SET.tar:X_node_labels.txt:2:4: found '1', expected the end of the line"},
    {"an empty line among node labels",
     {{NL, "7\n7\n\n8\n9\n"}},
     "SET.tar:X_node_labels.txt:3: found an empty line, expected a node label (a whole number)"},
    {"a node attribute less",
     {{NA, "1, 2\n3\n5, 6\n7, 8\n"}},
     "SET.tar:X_node_attributes.txt:2:2: found the end of the line, expected a number"},
    {"a node attribute more",
     {{NA, "1, 2\n3, 4, 5\n5, 6\n7, 8\n"}},
     "SET.tar:X_node_attributes.txt:2:7: found '5', expected the end of the line"},
    {"a row of attributes less",
     {{NA, "1, 2\n3, 4\n5, 6\n"}},
     "SET.tar:X_node_attributes.txt: found 3 lines, expected 4 as in "
     "SET.tar:X_graph_indicator.txt"},
    {"an attribute that is a word",
     {{NA, "1, 2\n3, x\n5, 6\n7, 8\n"}},
     "SET.tar:X_node_attributes.txt:2:4: found 'x', expected a number"},
    {"an attribute with a comma for the point",
     {{NA, "1,5 2\n3, 4\n5, 6\n7, 8\n"}},
     "SET.tar:X_node_attributes.txt:2:5: found the end of the line, expected a number"},
    {"an exponent without digits",
     {{NA, "1, 2e\n3, 4\n5, 6\n7, 8\n"}},
     "SET.tar:X_node_attributes.txt:1:4: found '2e', expected a number"},
    {"an edge label less",
     {{EL, "0\n0\n1\n"}},
     "SET.tar:X_edge_labels.txt: found 3 lines, expected 4 as in SET.tar:X_A.txt"},
    {"an edge label more",
     {{EL, "0\n0\n1\n1\n1\n"}},
     "SET.tar:X_edge_labels.txt: found 5 lines, expected 4 as in SET.tar:X_A.txt"},
    {"an edge more",
     {{A, "1, 2\n2, 1\n3, 4\n4, 3\n3, 4\n"}, {EA, NULL}},
     "SET.tar:X_edge_labels.txt: found 4 lines, expected 5 as in SET.tar:X_A.txt"},
    {"an edge label that is a word",
     {{EL, "0\nsingle\n1\n1\n"}},
     "SET.tar:X_edge_labels.txt:2:1: found 'single', expected an edge label (a whole number)"},
    {"an edge attribute less",
     {{EA, "1.5\n1.5\n2\n"}},
     "SET.tar:X_edge_attributes.txt: found 3 lines, expected 4 as in SET.tar:X_A.txt"},
    {"an edge attribute that is a word",
     {{EA, "1.5\n1.5\nlong\n2\n"}},
     "SET.tar:X_edge_attributes.txt:3:1: found 'long', expected a number"},
    {"an edge attribute that is missing",
     {{EA, "1.5\n\n2\n2\n"}},
     "SET.tar:X_edge_attributes.txt:2: found an empty line, expected a number"},
};

static void every_mangled_file_gets_its_message(void **state)
{
    (void)state;
    assert_true(sizeof cases / sizeof *cases >= 70);
    mangled_run(good, sizeof good / sizeof *good, cases, sizeof cases / sizeof *cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_mangled_file_gets_its_message),
    };
    return cmocka_run_group_tests_name("mangled", tests, NULL, NULL);
}
