/* test_pattern_files.c - patterns from files: lines, graph6, and what is wrong with them. */
#include "base/alloc.h"
#include "count/pattern.h"
#include "support/support.h"

#include <string.h>

static void bad_files_say_where(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message; /* after the path */
    } cases[] = {
        {"", ": found no edge and no node, expected a graph of 1..16 nodes"},
        {"# nothing\n\n", ": found no edge and no node, expected a graph of 1..16 nodes"},
        {"0\n", ":1:2: found the end of the line, expected a node 0..15"},
        {"0 1\n1 x\n", ":2:3: found 'x', expected a node 0..15"},
        {"0 1\n1 16\n", ":2:3: found '16', expected a node 0..15"},
        {"0 1\n-1 2\n", ":2:1: found '-1', expected a node 0..15"},
        {"0,1\n", ":1:1: found '0,1', expected an edge 'A B'"},
        {"0 1\n\nedge 1 2\n", ":3:1: found 'edge', expected an edge 'A B', an edge 'A B LABEL' or"},
        {"edge 1 2\n", ":1:1: found 'edge', expected an edge"},
        {"0 1\n1 1\n", ":2:1: found an edge from a node to itself, expected two different nodes"},
        {"0 1\n1 2\n  2 1 # again\n", ":3:3: found an edge for the second time, expected each"},
        {"0 1 1.5\n", ":1:5: found '1.5', expected a label, which is a whole number"},
        {"0 1 9223372036854775808\n", ":1:5: found '9223372036854775808', expected a label"},
        {"0 1 -9223372036854775808\n", ":1:5: found '-9223372036854775808', expected a label"},
        {"0 1 2 3\n", ":1:7: found '3', expected the end of the line"},
        {"0 1\nnode\n", ":2:5: found the end of the line, expected a node 0..15"},
        {"0 1\nnode 0 1 2\n", ":2:10: found '2', expected the end of the line"},
        {"0 1\nnode 0 1\nnode 0\n", ":3:1: found a node's second line, expected one line per node"},
        {"0 1\nnode 3 1\n", ": found no way from node 0 to node 2, expected a connected graph"},
        {"1 2\n", ": found no way from node 0 to node 1, expected a connected graph"},
        {"0 1; 1 2\n", ":1:3: found '1;', expected a node 0..15"},
        {"0 aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
         ":1:3: found 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...', expected a node"},
        {"Bw\nBw\n", ":2:1: found 'Bw', expected the end of the file after one graph"},
        {"B\n", ":1: found 0 bytes for the edges of 3 nodes, expected 1"},
        {"Bww\n", ":1: found 2 bytes for the edges of 3 nodes, expected 1"},
        {"B~\n", ":1:2: found bits behind the last pair of nodes, expected zeros"},
        {":Bc\n", ":1:1: found a sparse6 line, expected graph6"},
        {"B?\n", ": found no way from node 0 to node 1, expected a connected graph"},
        {"?\n", ": found no edge and no node, expected a graph of 1..16 nodes"},
        {"P???????????????????????\n", ":1: found a graph of 17 nodes, expected 1..16"},
        {">>graph6<<\n", ": found no edge and no node, expected a graph of 1..16 nodes"},
    };
    char *directory = test_directory_make();
    size_t n_right = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_pattern pattern = {0};
        rg_error err = {""};
        test_write(directory, "p", cases[k].text);
        char *path = test_format("%s/p", directory);
        char *expected = test_format("%s%s", path, cases[k].message);
        assert_int_equal(rg_pattern_read(&pattern, path, &err), RG_EDATA);
        assert_null(pattern.text);
        assert_int_equal(pattern.n_nodes, 0);
        if (strncmp(err.message, expected, strlen(expected)) != 0)
            print_error("found\n  %s\nexpected\n  %s\n", err.message, expected);
        else
            n_right++;
        free(expected);
        free(path);
    }
    assert_int_equal(n_right, sizeof cases / sizeof *cases);
    rg_pattern pattern = {0};
    rg_error err = {""};
    assert_int_equal(rg_pattern_read(&pattern, directory, &err), RG_EIO);
    assert_int_equal(rg_pattern_shape(&pattern, "cube", 3, &err), RG_EUSAGE);
    assert_int_equal(rg_pattern_shape(&pattern, "cycle", 2, &err), RG_EUSAGE);
    assert_string_equal(err.message, "found cycle(2), expected a number 3..16");
    test_directory_remove(directory);
}

static void good_files_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text, *normal;
    } cases[] = {
        {"0 1", "graph(\"0 1\")"},
        {"# a ring of three\r\n0 1\r\n1 2 # last but one\r\n\r\n2 0", "graph(\"0 1; 0 2; 1 2\")"},
        {"2\t0  -7 \n 1 0\nnode 1 +8\nnode 0\n", "graph(\"0 1; 0 2 -7; node 1 8\")"},
        {"node 0\n", "graph(\"node 0\")"},
        {"node 0 6\n", "graph(\"node 0 6\")"},
        {"Bw", "graph(\"0 1; 0 2; 1 2\")"},
        {">>graph6<<Bw\n\n", "graph(\"0 1; 0 2; 1 2\")"},
        {"@\n", "graph(\"node 0\")"},
        {"Cr\n", "graph(\"0 1; 0 2; 1 3; 2 3\")"},
    };
    char *directory = test_directory_make();
    char *path = test_format("%s/p", directory);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_pattern pattern = {0};
        test_write(directory, "p", cases[k].text);
        ASSERT_OK(rg_pattern_read(&pattern, path, err));
        assert_string_equal(pattern.text, cases[k].normal);
        rg_free(pattern.text);
    }
    free(path);
    test_directory_remove(directory);
}

static rg_status read_path(void *path, rg_error *err)
{
    rg_pattern pattern = {0};
    rg_status status = rg_pattern_read(&pattern, path, err);
    rg_free(pattern.text);
    return status;
}

static void every_allocation_and_read_may_fail(void **state)
{
    (void)state;
    static const char *const texts[] = {"0 1\n1 2 3\n", "Bw\n"};
    char *directory = test_directory_make();
    char *path = test_format("%s/p", directory);
    for (size_t k = 0; k < 2; k++) {
        test_write(directory, "p", texts[k]);
        assert_true(test_allocation_sweep(read_path, path) > 1);
        assert_true(test_io_sweep(read_path, path) > 0);
    }
    free(path);
    test_directory_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_files_say_where),
        cmocka_unit_test(good_files_are_read),
        cmocka_unit_test(every_allocation_and_read_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
