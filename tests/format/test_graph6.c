/* test_graph6.c - graph6: known answers, all small graphs of geng, odd and bad lines. */
#include "texts.h"

#include <stdio.h>
#include <unistd.h>

static rg_status read_graph6(rg_dataset **out, const char *text, rg_error *err)
{
    const text_file file = {"X.g6", text};
    return read_texts(out, &rg_format_graph6, &file, 1, err);
}

/* The definition, the other way round than the reader: which bit is {i,j}? Sizes below 63. */
static bool bit_of_pair(const char *line, uint32_t i, uint32_t j)
{
    uint32_t low = i < j ? i : j, high = i < j ? j : i, bit = high * (high - 1) / 2 + low;
    return (unsigned)(line[1 + bit / 6] - 63) >> (5 - bit % 6) & 1;
}

static void check_graph(const rg_dataset *data, size_t g, const char *line)
{
    rg_graph graph = rg_dataset_graph(data, g);
    uint64_t n_arcs = 0;
    assert_int_equal(graph.n_nodes, line[0] - 63);
    for (uint32_t i = 0; i < graph.n_nodes; i++)
        for (uint32_t j = 0; j < graph.n_nodes; j++) {
            if (i == j)
                continue;
            assert_int_equal(test_has_edge(data, g, i, j), bit_of_pair(line, i, j));
            n_arcs += bit_of_pair(line, i, j);
        }
    assert_int_equal(graph.n_arcs, n_arcs);
}

static void known_graphs_come_out(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint32_t n_nodes, n_edges;
        uint32_t edges[4][2]; /* some that must be there */
    } cases[] = {
        {"?", 0, 0, {{0}}},
        {"@", 1, 0, {{0}}},
        {"A?", 2, 0, {{0}}},
        {"A_", 2, 1, {{0, 1}}},
        {"C~", 4, 6, {{0, 3}, {1, 2}, {2, 3}}},
        {"DQc",
         5,
         4,
         {{0, 2}, {0, 4}, {1, 3}, {3, 4}}},      /* the example of the format's definition */
        {"IheA@GUAo", 10, 15, {{0, 1}, {0, 4}}}, /* Petersen */
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rg_dataset *data = NULL;
        ASSERT_OK(read_graph6(&data, cases[c].line, err));
        assert_int_equal(rg_dataset_n_graphs(data), 1);
        assert_int_equal(rg_dataset_n_nodes(data), cases[c].n_nodes);
        assert_int_equal(rg_dataset_n_arcs(data), 2 * cases[c].n_edges);
        for (size_t k = 0; k < 4 && cases[c].edges[k][0] != cases[c].edges[k][1]; k++)
            assert_true(test_has_edge(data, 0, cases[c].edges[k][0], cases[c].edges[k][1]));
        check_graph(data, 0, cases[c].line);
        for (int kind = 0; kind < RG_N_COLUMN_KINDS; kind++)
            assert_int_equal(rg_dataset_n_columns(data, (rg_column)kind), 0);
        rg_dataset_free(data);
    }
}

static void header_and_blank_lines_at_the_end_are_fine(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n_graphs;
    } cases[] = {{"", 0},
                 {"\n\n", 0},
                 {">>graph6<<", 0},
                 {">>graph6<<C~\n", 1},
                 {">>graph6<<\nC~\n", 1},
                 {"C~\r\nA_\r\n", 2},
                 {"C~\nA_", 2},
                 {"C~\nA_\n\n  \n\n", 2},
                 {"?\n?\n@\n?\n", 4}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rg_dataset *data = NULL;
        ASSERT_OK(read_graph6(&data, cases[c].text, err));
        assert_int_equal(rg_dataset_n_graphs(data), cases[c].n_graphs);
        rg_dataset_free(data);
    }
}

/* ---- sizes that need more than one byte, from an encoder of the test's own */

static char *encode(uint32_t n, size_t size_bytes, bool (*edge)(uint32_t i, uint32_t j))
{
    size_t n_bits = (size_t)n * (n - 1) / 2, bit = 0, at = 0;
    char *line = calloc(1, 16 + n_bits / 6 + 2);
    for (size_t k = 1; k < size_bytes; k += k == 1 ? 3 : 4)
        line[at++] = 126;
    for (size_t k = size_bytes == 1 ? 1 : size_bytes == 4 ? 3 : 6; k > 0; k--)
        line[at++] = (char)(63 + ((uint64_t)n >> 6 * (k - 1) & 63));
    memset(line + at, 63, (n_bits + 5) / 6);
    for (uint32_t j = 1; j < n; j++)
        for (uint32_t i = 0; i < j; i++, bit++)
            if (edge(i, j))
                line[at + bit / 6] = (char)(line[at + bit / 6] + (32 >> bit % 6));
    return line;
}

static bool ring_or_multiple(uint32_t i, uint32_t j)
{
    return j == i + 1 || (i && j % (i + 3) == 0);
}

static void every_way_to_write_the_size_is_read(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        size_t bytes; /* 1, 4 or 8 */
    } cases[] = {{61, 1}, {62, 1}, {63, 4}, {64, 4}, {200, 4}, {5, 4}, {5, 8}, {70, 8}, {1000, 8}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char *line = encode(cases[c].n, cases[c].bytes, ring_or_multiple);
        rg_dataset *data = NULL;
        ASSERT_OK(read_graph6(&data, line, err));
        rg_graph graph = rg_dataset_graph(data, 0);
        assert_int_equal(graph.n_nodes, cases[c].n);
        uint64_t arc = 0;
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            for (uint32_t j = 0; j < graph.n_nodes; j++)
                if (i != j && ring_or_multiple(i < j ? i : j, i < j ? j : i))
                    assert_int_equal(graph.col[arc++], j);
        assert_int_equal(graph.n_arcs, arc);
        assert_int_equal(rg_dataset_quirks(data)->unsorted_edges, 0);
        rg_dataset_free(data);
        free(line);
    }
}

/* ---- all small graphs, up to isomorphism */

/* "geng", or as Debian calls it; NULL if neither is on the PATH. */
static const char *find_geng(void)
{
    static const char *const names[] = {"geng", "nauty-geng"};
    for (size_t k = 0; k < 2; k++) {
        const char *path = getenv("PATH");
        while (path && *path) {
            size_t n = strcspn(path, ":");
            char *file = test_format("%.*s/%s", (int)n, path, names[k]);
            bool there = access(file, X_OK) == 0;
            free(file);
            if (there)
                return names[k];
            path += n + (path[n] == ':');
        }
    }
    return NULL;
}

static void all_graphs_of_geng_are_read(void **state)
{
    (void)state;
    static const size_t expected[] = {1, 2, 4, 11, 34, 156};
    const char *geng = find_geng();
    if (!geng)
        skip();
    for (size_t n = 1; n <= 6; n++) {
        char text[8192] = "";
        char *command = test_format("%s -q %zu", geng, n);
        FILE *pipe = popen(command, "r");
        assert_non_null(pipe);
        text[fread(text, 1, sizeof text - 1, pipe)] = '\0';
        assert_int_equal(pclose(pipe), 0);
        rg_dataset *data = NULL;
        ASSERT_OK(read_graph6(&data, text, err));
        assert_int_equal(rg_dataset_n_graphs(data), expected[n - 1]);
        const char *line = text;
        for (size_t g = 0; g < expected[n - 1]; g++) {
            assert_int_equal(line[0] - 63, n);
            check_graph(data, g, line);
            line = strchr(line, '\n') + 1;
        }
        rg_dataset_free(data);
        free(command);
    }
}

static void random_lines_agree_with_the_definition(void **state)
{
    (void)state;
    uint64_t draws = 0;
    for (int round = 0; round < 300; round++) {
        char line[64] = "";
        uint32_t n = test_draw(&draws, 16), n_bits = n * (n ? n - 1 : 0) / 2;
        line[0] = (char)(63 + n);
        for (uint32_t k = 0; k < (n_bits + 5) / 6; k++)
            line[1 + k] = (char)(63 + test_draw(&draws, 64));
        if (n_bits % 6) {
            char *last = &line[(n_bits + 5) / 6];
            *last = (char)(63 + ((*last - 63) & ~((1 << (6 - n_bits % 6)) - 1)));
        }
        rg_dataset *data = NULL;
        ASSERT_OK(read_graph6(&data, line, err));
        check_graph(data, 0, line);
        rg_dataset_free(data);
    }
}

/* ---- bad lines */

static void mangled_lines_are_refused_with_their_place(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"C~\n:Fa@x^\n",
         "X.g6:2:1: found a sparse6 line, expected graph6 (nauty's copyg -g converts)"},
        {"&DI?AO?\n", "X.g6:1:1: found a digraph6 line, expected graph6: graphs are undirected"},
        {";x\n", "X.g6:1:1: found a line of incremental sparse6, expected graph6"},
        {">>graph6<<:Fa@x^\n",
         "X.g6:1:11: found a sparse6 line, expected graph6 (nauty's copyg -g converts)"},
        {">>sparse6<<:Fa@x^\n",
         "X.g6:1:1: found a header, expected '>>graph6<<' at the start of line 1, or none"},
        {"C~\n>>graph6<<C~\n",
         "X.g6:2:1: found a header, expected '>>graph6<<' at the start of line 1, or none"},
        {"C~\n\nC~\n", "X.g6:2: found an empty line, expected a graph"},
        {"\nC~\n", "X.g6:1: found an empty line, expected a graph"},
        {" C~\n", "X.g6:1:1: found byte 32, expected a byte from 63 to 126"},
        {"C~ \n", "X.g6:1:3: found byte 32, expected a byte from 63 to 126"},
        {"C~\nC\x7f\n", "X.g6:2:2: found byte 127, expected a byte from 63 to 126"},
        {"C\xc3\xa9\n", "X.g6:1:2: found byte 195, expected a byte from 63 to 126"},
        {"D>>\n", "X.g6:1:2: found byte 62, expected a byte from 63 to 126"},
        {"C\n", "X.g6:1: found 0 bytes for the edges of 4 nodes, expected 1"},
        {"C~~\n", "X.g6:1: found 2 bytes for the edges of 4 nodes, expected 1"},
        {"?~\n", "X.g6:1: found 1 bytes for the edges of 0 nodes, expected 0"},
        {"@?\n", "X.g6:1: found 1 bytes for the edges of 1 nodes, expected 0"},
        {"DQ\n", "X.g6:1: found 1 bytes for the edges of 5 nodes, expected 2"},
        {"A~\n", "X.g6:1:2: found bits behind the last pair of nodes, expected zeros"},
        {"DQd\n", "X.g6:1:3: found bits behind the last pair of nodes, expected zeros"},
        {"~\n", "X.g6:1:2: found the end of the line, expected the number of nodes"},
        {"~??\n", "X.g6:1:4: found the end of the line, expected the number of nodes"},
        {"~~\n", "X.g6:1:3: found the end of the line, expected the number of nodes"},
        {"~~?????\n", "X.g6:1:8: found the end of the line, expected the number of nodes"},
        {"~}~~\n", "X.g6:1: found 0 bytes for the edges of 258047 nodes, expected 5548999681"},
        {"~~~~~~~~\n", "X.g6:1: found a graph of 68719476735 nodes, expected less than 2^32"},
        {"~~B~~~~~\n", "X.g6:1: found a graph of 4294967295 nodes, expected less than 2^32"},
        {"~~B~~~~}\n",
         "X.g6:1: found 0 bytes for the edges of 4294967294 nodes, expected 1537228671019559596"},
        {">>graph6<<~~\n", "X.g6:1:13: found the end of the line, expected the number of nodes"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const text_file file = {"X.g6", cases[c].text};
        texts_refused(&rg_format_graph6, &file, 1, cases[c].text, cases[c].message);
    }
    const text_file twice[] = {{"X.g6", ""}, {"X.graph6", ""}};
    texts_refused(&rg_format_graph6, twice, 2, "two files",
                  "X.graph6: found a second file of this kind, expected only X.g6");
}

static void names_of_files_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int prefix; /* -1: not ours */
    } cases[] = {{"graph5c.g6", 7}, {"a.b.graph6", 3}, {".g6", -1},  {"x.s6", -1},
                 {"x.g6.txt", -1},  {"graph6", -1},    {"x.G6", -1}, {"", -1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t prefix = 0;
        bool known = rg_format_graph6.knows(cases[c].name, &prefix);
        assert_int_equal(known, cases[c].prefix >= 0);
        if (known)
            assert_int_equal(prefix, cases[c].prefix);
    }
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    const text_file file = {"X.g6", ">>graph6<<C~\nIheA@GUAo\nPhCGKCH?G?_@?@??_?G?@??C\n?\n"};
    read_texts_sweep sweep = {&rg_format_graph6, &file, 1};
    assert_true(test_allocation_sweep(read_texts_once, &sweep) > 10);
}

static void a_file_is_named_after_itself(void **state)
{
    (void)state;
    static const struct {
        const char *file, *path;
    } cases[] = {{"four.g6", "four.g6"}, {"folder/four.graph6", "folder"}};
    for (size_t c = 0; c < 2; c++) {
        char *directory = test_directory_make();
        test_write(directory, cases[c].file, ">>graph6<<C~\nCF");
        char *path = test_format("%s/%s", directory, cases[c].path);
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
        assert_string_equal(rg_dataset_name(data), "four");
        assert_int_equal(rg_dataset_n_graphs(data), 2);
        assert_int_equal(rg_dataset_n_arcs(data), 18);
        assert_int_equal(rg_dataset_quirks(data)->missing_newlines, 1);
        rg_column kind;
        rg_error err;
        assert_int_equal(rg_dataset_target(&kind, data, RG_TARGET_AUTO, &err), RG_EDATA);
        rg_dataset_free(data);
        free(path);
        test_directory_remove(directory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_graphs_come_out),
        cmocka_unit_test(header_and_blank_lines_at_the_end_are_fine),
        cmocka_unit_test(every_way_to_write_the_size_is_read),
        cmocka_unit_test(all_graphs_of_geng_are_read),
        cmocka_unit_test(random_lines_agree_with_the_definition),
        cmocka_unit_test(mangled_lines_are_refused_with_their_place),
        cmocka_unit_test(names_of_files_are_known),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(a_file_is_named_after_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
