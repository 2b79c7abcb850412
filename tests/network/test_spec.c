/* test_spec.c - specs of labelings: normal forms, complaints, nesting, memory. */
#include "base/alloc.h"
#include "label/spec.h"
#include "support/support.h"

#include <stdio.h>
#include <string.h>

/* The normal form. Owned (rg_free). */
static char *normal(const char *text)
{
    rg_label_spec *spec = NULL;
    rg_error err = {""};
    if (rg_label_spec_parse(&spec, text, &err))
        fail_msg("%s: %s", text, err.message);
    char *out = rg_label_spec_print(spec);
    assert_non_null(out);
    rg_label_spec_free(spec);
    return out;
}

static void every_spec_has_one_normal_form(void **state)
{
    (void)state;
    static const struct {
        const char *text, *normal;
    } cases[] = {
        {"node", "node(column=0)"},
        {"node(2)", "node(column=2)"},
        {"node(column=2, max=7)", "node(column=2, max=7)"},
        {"node(max=7,column=2)", "node(column=2, max=7)"},
        {"degree", "degree"},
        {"degree()", "degree"},
        {" degree ( ) ", "degree"},
        {"degree(max=1)", "degree(max=1)"},
        {"trivial", "trivial"},
        {"attribute(0)", "attribute(column=0, bins=8)"},
        {"attribute", "attribute(column=0, bins=8)"},
        {"attribute(3, bins=65536)", "attribute(column=3, bins=65536)"},
        {"wl", "wl(depth=1, from=degree, edges=false, unseen=label)"},
        {"wl(depth=2)", "wl(depth=2, from=degree, edges=false, unseen=label)"},
        {"wl(depth=0, from=node)", "wl(depth=0, from=node(column=0), edges=false, unseen=label)"},
        {"wl(from=degree, depth = 2 ,edges=true,max=500,unseen=backoff)",
         "wl(depth=2, from=degree, edges=true, unseen=backoff, max=500)"},
        {"wl(from=wl(from=cycles(max=6)))",
         "wl(depth=1, from=wl(depth=1, from=cycles(kind=simple, min=3, max=6), edges=false, "
         "unseen=label), edges=false, unseen=label)"},
        {"wl\t(\ndepth\r\n=\t2)", "wl(depth=2, from=degree, edges=false, unseen=label)"},
        {"core", "core"},
        {"core(max=3)", "core(max=3)"},
        {"betweenness", "betweenness(parts=1)"},
        {"walks", "walks(min=3, max=8)"},
        {"walks(min=2, max=2, max_labels=7)", "walks(min=2, max=2, max_labels=7)"},
        {"wl2", "wl2(from=degree, depth=0, edges=false)"},
        {"wl2(depth=2, max=9, from=node)", "wl2(from=node(column=0), depth=2, edges=false, max=9)"},
        {"marked", "marked(k=1, from=degree, depth=0, edges=false, further=all)"},
        {"marked(further=smallest, edges=true, k=16, depth=64, from=trivial)",
         "marked(k=16, from=trivial, depth=64, edges=true, further=smallest)"},
        {"cycles", "cycles(kind=simple, min=3, max=10)"},
        {"cycles(kind=induced, max=5)", "cycles(kind=induced, min=3, max=5)"},
        {"cycles(min=64, max=64, max_labels=9)",
         "cycles(kind=simple, min=64, max=64, max_labels=9)"},
        {"cliques", "cliques(max=4, maximal=false)"},
        {"cliques(maximal=true, max=3)", "cliques(max=3, maximal=true)"},
        {"pattern(cycle(4))", "pattern(cycle(4), induced=true)"},
        {"pattern(star(3), path(4), clique(4), induced=false, max_labels=1000000000)",
         "pattern(star(3), path(4), clique(4), induced=false, max_labels=1000000000)"},
        {"pattern(cycle(3), clique(3), triangle)",
         "pattern(triangle, triangle, triangle, induced=true)"},
        {"pattern(path(2), star(1), clique(2), edge)",
         "pattern(edge, edge, edge, edge, induced=true)"},
        {"pattern(star(2), path(3))", "pattern(path(3), path(3), induced=true)"},
        {"pattern(star(15), path(16), cycle(16), clique(16))",
         "pattern(star(15), path(16), cycle(16), clique(16), induced=true)"},
        {"pattern(graph(\"1 0;2 1\"))", "pattern(graph(\"0 1; 1 2\"), induced=true)"},
        {"pattern( graph ( '2 1 7 ;; 0 1 ; node 2 -6;' ) )",
         "pattern(graph(\"0 1; 1 2 7; node 2 -6\"), induced=true)"},
        {"pattern(graph(\"node 0\"))", "pattern(graph(\"node 0\"), induced=true)"},
        {"pattern(graph(\"node 0 6\"))", "pattern(graph(\"node 0 6\"), induced=true)"},
        {"pattern(smarts('[N&+](=O)[O-1]'), edge)",
         "pattern(smarts(\"[N+](=O)[O-]\"), edge, induced=true)"},
        {"combine(node, degree)", "combine(node(column=0), degree)"},
        {"combine(trivial,combine(degree(max=2),trivial),max_labels=3)",
         "combine(trivial, combine(degree(max=2), trivial), max_labels=3)"},
        {"file(labels.txt)", "file(\"labels.txt\")"},
        {"file( a b.txt )", "file(\"a b.txt\")"},
        {"file(\"a, (b).txt\")", "file(\"a, (b).txt\")"},
        {"file('say \"a\", b')", "file('say \"a\", b')"},
        {"file(a\"b'c()", "file(a\"b'c()"},
        {"file(\"it's\")", "file(\"it's\")"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *once = normal(cases[k].text);
        assert_string_equal(once, cases[k].normal);
        char *twice = normal(once);
        assert_string_equal(twice, once);
        rg_free(once);
        rg_free(twice);
    }
}

#define NAMES                                                                                     \
    "node, degree, core, betweenness, trivial, attribute, element, charge, hydrogens, aromatic, " \
    "ring_size, hybridisation, chirality, wl, wl2, marked, walks, cycles, cliques, pattern, "     \
    "combine or file"
#define PATTERNS                                                                            \
    "cycle(N), star(N), path(N), clique(N), triangle, edge, file(PATH), graph(\"EDGES\"), " \
    "smarts(\"ATOMS\") or an option"
#define WL "depth, from, edges, max or unseen"

static void bad_specs_say_where_and_what(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "column 1: found the end, expected " NAMES},
        {"   ", "column 4: found the end, expected " NAMES},
        {"nodes", "column 1: found 'nodes', expected " NAMES " (did you mean 'node'?)"},
        {"Degree", "column 1: found 'Degree', expected " NAMES " (did you mean 'degree'?)"},
        {"cycels(max=5)", "column 1: found 'cycels', expected " NAMES " (did you mean 'cycles'?)"},
        {"quux", "column 1: found 'quux', expected " NAMES},
        {"(node)", "column 1: found '(', expected " NAMES},
        {"-wl", "column 1: found '-wl', expected " NAMES},
        {"\xc3\xa9t\xc3\xa9", "column 1: found '\xc3\xa9', expected " NAMES},
        {"node node", "column 6: found 'node', expected the end"},
        {"marked(k=0)", "column 10: found '0', expected a number 1..16"},
        {"marked(k=17)", "column 10: found '17', expected a number 1..16"},
        {"marked(2)", "column 8: found '2', expected k, from, depth, edges, further or max"},
        {"marked(further=some)", "column 16: found 'some', expected all or smallest"},
        {"walks(min=9)", "column 1: found min=9 above max=8, expected it below"},
        {"walks(max=1)", "column 11: found '1', expected a number 2..64"},
        {"degree)", "column 7: found ')', expected the end"},
        {"node(", "column 6: found the end, expected a number 0..1000000000"},
        {"node(1", "column 7: found the end, expected ',' or ')'"},
        {"node(1,)", "column 8: found ')', expected another argument"},
        {"degree(max=1,)", "column 14: found ')', expected max"},
        {"pattern(edge, )", "column 15: found ')', expected another argument"},
        {"node(1 2)", "column 8: found '2', expected ',' or ')'"},
        {"node(1, 2)", "column 9: found '2', expected each argument once"},
        {"node(1, column=2)", "column 9: found 'column', expected each argument once"},
        {"node(column=1, 2)", "column 16: found '2', expected each argument once"},
        {"node(x)", "column 6: found 'x', expected a number 0..1000000000"},
        {"node(column=-1)", "column 13: found '-1', expected a number 0..1000000000"},
        {"node(column=1.5)", "column 14: found '.', expected ',' or ')'"},
        {"node(column=99999999999999999999)",
         "column 13: found '99999999999999999999', expected a number 0..1000000000"},
        {"node(max=0)", "column 10: found '0', expected a number 1..1000000000"},
        {"node(colunm=1)",
         "column 6: found 'colunm', expected column or max (did you mean 'column'?)"},
        {"degree(3)", "column 8: found '3', expected max"},
        {"degree(max)", "column 11: found ')', expected '='"},
        {"degree(max=1, max=2)", "column 15: found 'max', expected each argument once"},
        {"degree(max=)", "column 12: found ')', expected a number 1..1000000000"},
        {"trivial(1)", "column 9: found '1', expected ')'"},
        {"trivial(max=1)", "column 9: found 'max', expected ')'"},
        {"attribute(0, bins=0)", "column 19: found '0', expected a number 1..65536"},
        {"attribute(0, bins=65537)", "column 19: found '65537', expected a number 1..65536"},
        {"attribute(0, bin=4)",
         "column 14: found 'bin', expected column or bins (did you mean 'bins'?)"},
        {"wl(2)", "column 4: found '2', expected " WL},
        {"wl(dept=2)", "column 4: found 'dept', expected " WL " (did you mean 'depth'?)"},
        {"wl(depth 2)", "column 10: found '2', expected '='"},
        {"wl(depth=65)", "column 10: found '65', expected a number 0..64"},
        {"wl(depth=two)", "column 10: found 'two', expected a number 0..64"},
        {"wl(from=)", "column 9: found ')', expected " NAMES},
        {"wl(from=degre)", "column 9: found 'degre', expected " NAMES " (did you mean 'degree'?)"},
        {"wl(from=node(max=x))", "column 18: found 'x', expected a number 1..1000000000"},
        {"wl(from=node, from=degree)", "column 15: found 'from', expected each argument once"},
        {"wl(edges=yes)", "column 10: found 'yes', expected false or true"},
        {"wl(edges=True)",
         "column 10: found 'True', expected false or true (did you mean 'true'?)"},
        {"wl(unseen=backof)",
         "column 11: found 'backof', expected label or backoff (did you mean 'backoff'?)"},
        {"wl(depth=1; from=node)", "column 11: found ';', expected ',' or ')'"},
        {"cycles(kind=simpel)",
         "column 13: found 'simpel', expected simple or induced (did you mean 'simple'?)"},
        {"cycles(min=2)", "column 12: found '2', expected a number 3..64"},
        {"cycles(max=65)", "column 12: found '65', expected a number 3..64"},
        {"cycles(min=6, max=5)", "column 1: found min=6 above max=5, expected it below"},
        {"cycles(min=11)", "column 1: found min=11 above max=10, expected it below"},
        {"cycles(5)", "column 8: found '5', expected kind, min, max or max_labels"},
        {"cliques(max=2)", "column 13: found '2', expected a number 3..64"},
        {"cliques(maximal=1)", "column 17: found '1', expected false or true"},
        {"pattern",
         "column 1: found 'pattern', expected pattern with at least one pattern, such as "
         "pattern(cycle(4))"},
        {"pattern(induced=true)",
         "column 1: found 'pattern', expected pattern with at least one pattern, such as "
         "pattern(cycle(4))"},
        {"pattern(cicle(4))",
         "column 9: found 'cicle', expected " PATTERNS " (did you mean 'cycle'?)"},
        {"pattern(4)", "column 9: found '4', expected " PATTERNS},
        {"pattern(cycle)", "column 14: found ')', expected '('"},
        {"pattern(cycle())", "column 15: found ')', expected a number 3..16"},
        {"pattern(cycle(2))", "column 15: found '2', expected a number 3..16"},
        {"pattern(cycle(17))", "column 15: found '17', expected a number 3..16"},
        {"pattern(star(0))", "column 14: found '0', expected a number 1..15"},
        {"pattern(star(16))", "column 14: found '16', expected a number 1..15"},
        {"pattern(path(1))", "column 14: found '1', expected a number 2..16"},
        {"pattern(clique(4)", "column 18: found the end, expected ',' or ')'"},
        {"pattern(clique(4, 5))", "column 17: found ',', expected ')'"},
        {"pattern(triangle(3))", "column 17: found '(', expected ',' or ')'"},
        {"pattern(triangle, indced=true)",
         "column 19: found 'indced', expected induced or max_labels (did you mean 'induced'?)"},
        {"pattern(graph(0 1))",
         "column 15: found '0', expected edges in quotes, such as \"0 1; 1 2\""},
        {"pattern(smarts(CC))",
         "column 16: found 'CC', expected atoms in quotes, such as \"[N+](=O)[O-]\""},
        {"pattern(smarts(\"CX\"))",
         "column 18: found 'X', expected an atom, such as C, c, * or [N+]"},
        {"pattern(graph(\"0 1))", "column 21: found the end, expected a closing quote"},
        {"pattern(graph(\"\"))",
         "column 16: found no edge and no node, expected a graph of 1..16 nodes"},
        {"pattern(graph(\"0 1; 1\"))", "column 22: found the end, expected a node 0..15"},
        {"pattern(graph(\"0; 1 2\"))", "column 17: found ';', expected a node 0..15"},
        {"pattern(graph(\"0 16\"))", "column 18: found '16', expected a node 0..15"},
        {"pattern(graph(\"0 1; 1 1\"))",
         "column 21: found an edge from a node to itself, expected two different nodes"},
        {"pattern(graph(\"0 1; 1 0\"))",
         "column 21: found an edge for the second time, expected each edge once"},
        {"pattern(graph(\"0 1; node 0 6; node 0 6\"))",
         "column 31: found a node's second line, expected one line per node"},
        {"pattern(graph(\"0 1; 2 3\"))",
         "column 16: found no way from node 0 to node 2, expected a connected graph"},
        {"pattern(graph(\"0 1 x\"))",
         "column 20: found 'x', expected a label, which is a whole number"},
        {"pattern(graph(\"0 1 2 3\"))", "column 22: found '3', expected ';' or the end"},
        {"pattern(graph(\"edge 0 1\"))",
         "column 16: found 'edge', expected an edge 'A B', an edge 'A B LABEL' or 'node A LABEL'"},
        {"pattern(file())", "column 14: found ')', expected a path"},
        {"pattern(file(\"\"))", "column 14: found '\"', expected a path"},
        {"combine",
         "column 1: found 'combine', expected combine with at least two labelings, such as "
         "combine(node, degree)"},
        {"combine(node)",
         "column 1: found 'combine', expected combine with at least two labelings, such as "
         "combine(node, degree)"},
        {"combine(node, 3)", "column 15: found '3', expected " NAMES},
        {"combine(node degree)", "column 14: found 'degree', expected ',' or ')'"},
        {"combine(node, max=3)", "column 15: found 'max', expected max_labels"},
        {"file", "column 1: found 'file', expected file with a path, such as file(labels.txt)"},
        {"file()", "column 1: found 'file', expected file with a path, such as file(labels.txt)"},
        {"file('a)", "column 9: found the end, expected a closing quote"},
        {"file(a, b)", "column 9: found 'b', expected each argument once"},
    };
    size_t n_right = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_label_spec *spec = NULL;
        rg_error err = {""};
        char *expected = test_format("labels: %s", cases[k].message);
        assert_int_equal(rg_label_spec_parse(&spec, cases[k].text, &err), RG_EUSAGE);
        assert_null(spec);
        if (strncmp(err.message, expected, strlen(expected)) != 0)
            print_error("%s:\n  %s\nexpected\n  %s\n", cases[k].text, err.message, expected);
        else
            n_right++;
        free(expected);
    }
    assert_int_equal(n_right, sizeof cases / sizeof *cases);
}

/* wl(from=wl(from= ... INNER ... )) with `depth` times wl. Owned (free). */
static char *nest(unsigned depth, const char *inner)
{
    size_t step = strlen("wl(from=");
    char *text = malloc(depth * (step + 1) + strlen(inner) + 1);
    assert_non_null(text);
    for (unsigned k = 0; k < depth; k++)
        memcpy(text + k * step, "wl(from=", step);
    strcpy(text + depth * step, inner);
    size_t n = strlen(text);
    memset(text + n, ')', depth);
    text[n + depth] = '\0';
    return text;
}

static void nesting_stops_at_16(void **state)
{
    (void)state;
    static const struct {
        unsigned depth;
        const char *inner, *message; /* NULL: fine */
    } cases[] = {
        {15, "node", NULL},
        {16, "node", "labels: column 129: found 'node', expected at most 16 labelings"},
        {14, "wl", NULL},
        {15, "wl", "labels: column 121: found 'wl', expected at most 16 labelings"},
        {15, "combine(node, degree)", "labels: column 129: found 'node', expected at most 16"},
        {100000, "node", "labels: column 129: found 'wl', expected at most 16 labelings"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = nest(cases[k].depth, cases[k].inner);
        rg_label_spec *spec = NULL;
        rg_error err = {""};
        rg_status status = rg_label_spec_parse(&spec, text, &err);
        assert_int_equal(status, cases[k].message ? RG_EUSAGE : RG_OK);
        if (cases[k].message)
            assert_memory_equal(err.message, cases[k].message, strlen(cases[k].message));
        else {
            char *once = normal(text), *twice = normal(once);
            assert_string_equal(once, twice);
            rg_free(once);
            rg_free(twice);
        }
        rg_label_spec_free(spec);
        free(text);
    }
}

static void long_lists_and_long_words_are_fine(void **state)
{
    (void)state;
    enum { N = 2000 };
    char *text = malloc(N * 8 + 32), *end = text;
    assert_non_null(text);
    end += sprintf(end, "combine(");
    for (int k = 0; k < N; k++)
        end += sprintf(end, "%sdegree", k ? "," : "");
    strcpy(end, ")");
    rg_label_spec *spec = NULL;
    ASSERT_OK(rg_label_spec_parse(&spec, text, err));
    assert_int_equal(rg_label_spec_dims(spec), N);
    rg_label_spec_free(spec);
    memset(text, 'x', N);
    text[N] = '\0';
    rg_error err = {""};
    spec = NULL;
    assert_int_equal(rg_label_spec_parse(&spec, text, &err), RG_EUSAGE);
    assert_non_null(strstr(err.message, "found 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx', "));
    free(text);
}

static void numbers_a_node_gets(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t dims;
    } cases[] = {{"degree", 1},
                 {"wl(depth=9)", 1},
                 {"cycles", 8},
                 {"cycles(min=5, max=5)", 1},
                 {"cliques(max=6)", 4},
                 {"pattern(edge, triangle, cycle(9))", 3},
                 {"combine(node, degree, trivial)", 3},
                 {"file(x)", 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_label_spec *spec = NULL;
        ASSERT_OK(rg_label_spec_parse(&spec, cases[k].text, err));
        assert_int_equal(rg_label_spec_dims(spec), cases[k].dims);
        rg_label_spec_free(spec);
    }
}

static void a_pattern_from_a_file_prints_as_text(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    test_write(directory, "ring.txt", "# a ring\n2 0\n0 1 4\n1 2\nnode 1 6\n");
    char *text = test_format("pattern(edge, file(%s/ring.txt))", directory);
    char *once = normal(text);
    assert_string_equal(once, "pattern(edge, graph(\"0 1 4; 0 2; 1 2; node 1 6\"), induced=true)");
    test_directory_remove(directory);
    char *twice = normal(once); /* the file is gone */
    assert_string_equal(twice, once);
    rg_error err = {""};
    rg_label_spec *spec = NULL;
    assert_int_equal(rg_label_spec_parse(&spec, text, &err), RG_EIO);
    assert_null(spec);
    rg_free(once);
    rg_free(twice);
    free(text);
}

static rg_status parse_and_print(void *context, rg_error *err)
{
    rg_label_spec *spec = NULL;
    rg_status status = rg_label_spec_parse(&spec, context, err);
    if (status)
        return status;
    char *text = rg_label_spec_print(spec);
    rg_label_spec_free(spec);
    if (!text) {
        strcpy(err->message, "out of memory");
        return RG_ENOMEM;
    }
    rg_free(text);
    return RG_OK;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    test_write(directory, "p", "0 1\n");
    test_write(directory, "g", "Bw\n");
    char *text = test_format("combine(wl(depth=2, from=wl), pattern(cycle(4), edge, file(%s/p), "
                             "file('%s/g'), graph(\"0 1 2\")), file(x), max_labels=4)",
                             directory, directory);
    assert_true(test_allocation_sweep(parse_and_print, text) > 10);
    free(text);
    test_directory_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spec_has_one_normal_form),
        cmocka_unit_test(bad_specs_say_where_and_what),
        cmocka_unit_test(nesting_stops_at_16),
        cmocka_unit_test(long_lists_and_long_words_are_fine),
        cmocka_unit_test(numbers_a_node_gets),
        cmocka_unit_test(a_pattern_from_a_file_prints_as_text),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
