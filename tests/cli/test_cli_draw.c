/* test_cli_draw.c - regula data draw as users and scripts meet it. */
#include "support/program.h"

#include <jansson.h>
#include <string.h>

/* toy/: a ring of six with a tail, and a graph of one node; names of its labels. */
static int set_up(void **state)
{
    char *directory = test_directory_make();
    *state = directory;
    test_write(directory, "toy/TOY_A.txt", "1,2\n2,3\n3,4\n4,5\n5,6\n6,1\n1,7\n");
    test_write(directory, "toy/TOY_graph_indicator.txt", "1\n1\n1\n1\n1\n1\n1\n2\n");
    test_write(directory, "toy/TOY_graph_labels.txt", "0\n1\n");
    test_write(directory, "toy/TOY_node_labels.txt", "6\n6\n6\n6\n6\n6\n8\n8\n");
    test_write(directory, "toy/TOY_edge_labels.txt", "1\n2\n1\n2\n1\n2\n1\n");
    test_write(directory, "names.txt", "6 C\n8 O\nedge 1 single\nedge 2 double\nclass 0 <good>\n");
    test_write(directory, "twice.txt", "6 C\n6 N\n");
    test_write(directory, "word.txt", "six C\n");
    return 0;
}

static void lines_end_as_they_should(void **state)
{
    static const program_line cases[] = {
        {"regula data draw toy --graph 0 --out a.svg", 0, "1 graph of TOY in a.svg\n", ""},
        {"regula data draw toy --graphs 0-1,0 -o b.svg", 0, "3 graphs of TOY in b.svg\n", ""},
        {"regula data draw toy -g 1 --plain --out c.svg && grep -c 'graph 1' c.svg", 1, "0\n", ""},
        {"regula data draw toy --out a.svg", 0, "2 graphs of TOY in a.svg\n", ""},
        {"regula data draw toy --graph 0", 2, "", "--out"},
        {"regula data draw toy --graph 0 --graphs 1 --out a.svg", 2, "", "one of them is enough"},
        {"regula data draw toy --graph 2 --out a.svg", 2, "",
         "there is no graph 2: 'TOY' has 2, numbered from 0"},
        {"regula data draw toy --graph -1 --out a.svg", 2, "", "expected a whole number 0 .. "},
        {"regula data draw toy --graphs 1,x --out a.svg", 2, "",
         "found '1,x', expected numbers of graphs such as 3,7,10-12"},
        {"regula data draw toy --graphs 3-1 --out a.svg", 2, "", "found '3-1', expected"},
        {"regula data draw toy --graphs '' --out a.svg", 2, "", "'--graphs' needs a value"},
        {"regula data draw toy --graphs 0, --out a.svg", 2, "", "found '0,', expected"},
        {"regula data draw toy --graphs 0-999 --out a.svg", 2, "", "too many graphs (at most 200)"},
        {"regula data draw toy --graph 0 --out a.jpg", 2, "", "must end with .svg, .png or .pdf"},
        {"regula data draw toy --graph 0 --out gone/a.svg", 4, "", "cannot create 'gone/a.svg'"},
        {"regula data draw nowhere --graph 0 --out a.svg", 4, "", "nowhere"},
        {"regula data draw toy --graph 0 --out a.svg --label-names nowhere", 4, "", "nowhere"},
        {"regula data draw toy --graph 0 --out a.svg --label-names twice.txt", 3, "",
         "twice.txt:2: node label 6 is named twice, first on line 1"},
        {"regula data draw toy --graph 0 --out a.svg --label-names word.txt", 3, "",
         "word.txt:1:1: found 'six', expected a label's value"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        expect(*state, cases[k].line, cases[k].code, cases[k].out, cases[k].err);
}

static char *drawn(const char *directory, const char *name)
{
    char *path = test_format("%s/%s", directory, name);
    char *text = test_read(path, NULL);
    free(path);
    return text;
}

static void names_and_bonds_are_in_the_picture(void **state)
{
    expect(*state, "regula data draw toy --graph 0 --label-names names.txt --out named.svg", 0,
           "1 graph", "");
    char *svg = drawn(*state, "named.svg");
    assert_non_null(strstr(svg, "<title>node 6: O</title>"));
    assert_non_null(strstr(svg, "graph 0, &#60;good&#62;<"));
    assert_non_null(strstr(svg, "Names of labels: names.txt."));
    size_t lines = 0; /* seven bonds, three of them double */
    for (const char *p = strstr(svg, "#707070"); p; p = strstr(p + 1, "#707070"))
        lines++;
    assert_int_equal(lines, 10);
    free(svg);
    expect(*state, "regula data draw toy --graph 0 --out plain.svg", 0, "1 graph", "");
    svg = drawn(*state, "plain.svg");
    assert_non_null(strstr(svg, "<title>node 6: label 8</title>"));
    assert_null(strstr(svg, "Names of labels"));
    free(svg);
}

static void the_same_line_gives_the_same_bytes(void **state)
{
    expect(*state,
           "regula data draw toy --graphs 0,1 --out 1.svg && "
           "regula data draw toy --graphs 0,1 --out 2.svg && cmp 1.svg 2.svg && echo same",
           0, "same\n", "");
    program_result png = run(*state, "regula data draw toy --graph 0 --out 1.png");
    if (png.code == 0) /* a build with cairo */
        expect(*state,
               "regula data draw toy --graph 0 --out 2.png && cmp 1.png 2.png && "
               "regula data draw toy --graph 0 --out 1.pdf && "
               "regula data draw toy --graph 0 --out 2.pdf && cmp 1.pdf 2.pdf && echo same",
               0, "same\n", "");
    else
        assert_non_null(strstr(png.err, "built without cairo"));
    program_result_free(&png);
}

static void json_says_what_was_drawn(void **state)
{
    program_result result =
        run(*state, "regula data draw toy --graphs 1,0 --label-names names.txt -o j.svg --json");
    assert_int_equal(result.code, 0);
    json_t *root = program_result_json(&result);
    assert_string_equal(json_string_value(json_object_get(root, "data")), "TOY");
    assert_string_equal(json_string_value(json_object_get(root, "names")), "names.txt");
    assert_string_equal(json_string_value(json_object_get(root, "out")), "j.svg");
    const json_t *graphs = json_object_get(root, "graphs");
    assert_int_equal(json_array_size(graphs), 2);
    assert_int_equal(json_integer_value(json_array_get(graphs, 0)), 1);
    json_decref(root);
    program_result_free(&result);
}

/* Where there is an XML parser, it has the last word. */
static void svg_is_valid_for_others_too(void **state)
{
    program_result there = run(*state, "command -v xmllint");
    bool found = there.code == 0;
    program_result_free(&there);
    if (!found)
        skip();
    test_write(*state, "evil.txt", "6 <b>&\"'\n8 ]]>\nclass 0 --><svg>\n");
    expect(*state,
           "regula data draw toy --graphs 0,1 --label-names evil.txt --out e.svg && "
           "xmllint --noout e.svg && echo fine",
           0, "fine\n", "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_as_they_should),
        cmocka_unit_test(names_and_bonds_are_in_the_picture),
        cmocka_unit_test(the_same_line_gives_the_same_bytes),
        cmocka_unit_test(json_says_what_was_drawn),
        cmocka_unit_test(svg_is_valid_for_others_too),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
