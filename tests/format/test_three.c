/* test_three.c - the three-file format: known answers, a brute-force twin, odd and bad files. */
#include "support/archives.h"
#include "texts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static rg_status read_three(rg_dataset **out, const char *nodes, const char *edges,
                            const char *labels, rg_error *err)
{
    const text_file files[] = {{edges ? "X_Edges.txt" : NULL, edges},
                               {labels ? "X_Labels.txt" : NULL, labels},
                               {nodes ? "X_Nodes.txt" : NULL, nodes}};
    return read_texts(out, &rg_format_three, files, 3, err);
}

/* Graph 7 is a path with node numbers that have gaps and stand in no order; graph -2 has one node;
 * graph 2^63-1 has none. */
static const char nodes_text[] = "7 9223372036854775807 30\n"
                                 "-2 5 40\n"
                                 "7,0,10\n"
                                 "7\t12 , 20\n";
static const char edges_text[] = "7 12 9223372036854775807 5\n"
                                 "7 0 12 4\n";
static const char labels_text[] = "9223372036854775807 1\n"
                                  "7 3\n"
                                  "-2 1";

static void labels_go_to_nodes_by_number_not_by_line(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    ASSERT_OK(read_three(&data, nodes_text, edges_text, labels_text, err));
    assert_int_equal(rg_dataset_n_graphs(data), 3);
    assert_int_equal(rg_dataset_n_nodes(data), 4);
    assert_int_equal(rg_dataset_n_arcs(data), 4);
    const uint32_t sizes[] = {1, 3, 0};
    const int64_t atoms[] = {40, 10, 20, 30}, classes[] = {1, 3, 1};
    for (size_t g = 0; g < 3; g++) {
        assert_int_equal(rg_dataset_graph(data, g).n_nodes, sizes[g]);
        assert_int_equal(test_label_value(data, RG_CLASS, 0, g), classes[g]);
    }
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(test_label_value(data, RG_NODE_LABEL, 0, k), atoms[k]);
    assert_true(test_has_edge(data, 1, 0, 1));
    assert_true(test_has_edge(data, 1, 1, 2));
    assert_false(test_has_edge(data, 1, 0, 2));
    const int64_t bonds[] = {4, 4, 5, 5}; /* arcs 0-1, 1-0, 1-2, 2-1 */
    for (size_t k = 0; k < 4; k++)
        assert_int_equal(test_label_value(data, RG_EDGE_LABEL, 0, k), bonds[k]);
    const rg_quirks *q = rg_dataset_quirks(data);
    assert_int_equal(q->listed_edges, 2);
    assert_int_equal(q->one_way_edges, 2);
    assert_int_equal(q->unsorted_nodes, 1); /* -2 5 behind 7 2^63-1 */
    assert_int_equal(q->empty_graphs, 1);
    assert_int_equal(q->isolated_nodes, 1);
    assert_int_equal(q->class_gaps, 1);
    rg_dataset_free(data);
}

static void order_of_files_does_not_matter(void **state)
{
    (void)state;
    const text_file all[] = {
        {"X_Nodes.txt", nodes_text}, {"X_Edges.txt", edges_text}, {"X_Labels.txt", labels_text}};
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2},
                                     {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    char first[RG_DIGEST_SIZE] = "", digest[RG_DIGEST_SIZE];
    for (size_t o = 0; o < 6; o++) {
        text_file files[3];
        for (size_t k = 0; k < 3; k++)
            files[k] = all[orders[o][k]];
        rg_dataset *data = NULL;
        ASSERT_OK(read_texts(&data, &rg_format_three, files, 3, err));
        rg_dataset_digest(data, digest);
        if (o == 0)
            memcpy(first, digest, sizeof first);
        assert_string_equal(digest, first);
        rg_dataset_free(data);
    }
}

/* Which columns come out of which values. */
static void whole_numbers_are_labels_and_others_attributes(void **state)
{
    (void)state;
    static const struct {
        const char *nodes, *edges, *labels;
        size_t columns[RG_N_COLUMN_KINDS]; /* in the order of rg_column */
    } cases[] = {
        {"0 0\n0 1\n", "0 0 1\n", "0\n", {0}},
        {"0 0 \n0 1 \n", "0 0 1 \n", "0 1 \n", {[RG_CLASS] = 1}},
        {"0 0 1 2\n0 1 3 4\n", "0 0 1\n", "0\n", {[RG_NODE_LABEL] = 2}},
        {"0 0 1 2.0\n0 1 3 4e1\n", "0 0 1\n", "0\n", {[RG_NODE_LABEL] = 2}},
        {"0 0 1 2\n0 1 3 0.5\n", "0 0 1\n", "0\n", {[RG_NODE_ATTRIBUTE] = 2}},
        {"0 0 nan\n0 1 3\n", "0 0 1\n", "0\n", {[RG_NODE_ATTRIBUTE] = 1}},
        {"0 0\n0 1\n", "0 0 1 1 2 3\n", "0\n", {[RG_EDGE_LABEL] = 3}},
        {"0 0\n0 1\n", "0 0 1 1 2 -.5\n", "0\n", {[RG_EDGE_ATTRIBUTE] = 3}},
        {"0 0\n1 1\n", "", "0 1 0\n1 0 1\n", {[RG_CLASS] = 2}},
        {"0 0\n1 1\n", "", "0 1 nan\n1 0 1\n", {[RG_CLASS] = 2}},
        {"0 0\n1 1\n", "", "0 1\n1 0.25\n", {[RG_TARGET] = 1}},
        {"0 0\n1 1\n", "", "0 1\n1 -9223372036854775808\n", {[RG_TARGET] = 1}},
        {"0 0\n1 1\n", "", "0 1\n1 -9223372036854775807\n", {[RG_CLASS] = 1}},
        {"0 0\n1 1\n", "", "0 1\n1 9223372036854775808\n", {[RG_TARGET] = 1}},
        {"", "", "", {0}},
        {"", "", "0 1\n", {[RG_CLASS] = 1}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rg_dataset *data = NULL;
        ASSERT_OK(read_three(&data, cases[c].nodes, cases[c].edges, cases[c].labels, err));
        for (int kind = 0; kind < RG_N_COLUMN_KINDS; kind++)
            if (rg_dataset_n_columns(data, (rg_column)kind) != cases[c].columns[kind])
                fail_msg("case %zu kind %d: found %zu columns, expected %zu", c, kind,
                         rg_dataset_n_columns(data, (rg_column)kind), cases[c].columns[kind]);
        rg_dataset_free(data);
    }
}

static void real_targets_keep_the_whole_numbers_before_them(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    ASSERT_OK(read_three(&data, "1 0\n2 0\n", "", "2 -0.125 7\n1 9007199254740993 nan\n", err));
    const double *y = rg_dataset_reals(data, RG_TARGET);
    assert_true(y[0] == 9007199254740992.0); /* the nearest double */
    assert_true(isnan(y[1]));
    assert_true(y[2] == -0.125);
    assert_true(y[3] == 7);
    assert_int_equal(rg_dataset_quirks(data)->missing_targets, 1);
    rg_dataset_free(data);

    ASSERT_OK(read_three(&data, "1 0\n2 0\n", "", "1 NaN\n2 5\n", err));
    assert_int_equal(rg_dataset_ranks(data, RG_CLASS, 0)[0], RG_NO_CLASS);
    assert_int_equal(test_label_value(data, RG_CLASS, 0, 1), 5);
    rg_dataset_free(data);
}

static void a_name_in_front_of_graph_labels_is_skipped(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    ASSERT_OK(read_three(&data, "0 0\n1 0\n", "", " IMDB-BINARY 1 8\n2D_set 0 9\n\n \n", err));
    assert_int_equal(rg_dataset_n_columns(data, RG_CLASS), 1);
    assert_int_equal(test_label_value(data, RG_CLASS, 0, 0), 9);
    assert_int_equal(test_label_value(data, RG_CLASS, 0, 1), 8);
    rg_dataset_free(data);
}

/* ---- brute-force twin: a matrix a graph, and lines in random order */

enum { GRAPHS = 5, NODES = 6 };

typedef struct three_files_twin {
    int64_t graph[GRAPHS], node[GRAPHS][NODES]; /* numbers in the file, ascending */
    size_t n_nodes[GRAPHS];
    bool edge[GRAPHS][NODES][NODES];
    int64_t label[GRAPHS][NODES][2], bond[GRAPHS][NODES][NODES], class[GRAPHS];
} three_files_twin;

typedef struct text_lines {
    char line[256][96];
    size_t n;
} text_lines;

static void draw_twin(three_files_twin *t, uint64_t *random)
{
    memset(t, 0, sizeof *t);
    int64_t graph = (int64_t)test_draw(random, 9) - 4;
    for (size_t g = 0; g < GRAPHS; g++) {
        t->graph[g] = graph;
        graph += 1 + (int64_t)test_draw(random, 3);
        t->n_nodes[g] = test_draw(random, NODES + 1);
        t->class[g] = (int64_t)test_draw(random, 3);
        int64_t node = (int64_t)test_draw(random, 3) - 1;
        for (size_t i = 0; i < t->n_nodes[g]; i++) {
            t->node[g][i] = node;
            node += 1 + (int64_t)test_draw(random, 2) * 1000000007;
            t->label[g][i][0] = (int64_t)test_draw(random, 4) - 1;
            t->label[g][i][1] = (int64_t)test_draw(random, 100);
            for (size_t j = 0; j < i; j++) {
                t->edge[g][i][j] = t->edge[g][j][i] = test_draw(random, 2);
                t->bond[g][i][j] = t->bond[g][j][i] = (int64_t)test_draw(random, 5);
            }
        }
    }
}

static char *shuffled(text_lines *lines, uint64_t *random)
{
    char *text = calloc(1, sizeof lines->line);
    for (size_t k = lines->n; k > 0; k--) {
        size_t pick = test_draw(random, (uint32_t)k);
        strcat(text, lines->line[pick]);
        memmove(lines->line[pick], lines->line[k - 1], sizeof *lines->line);
    }
    return text;
}

static void write_twin(const three_files_twin *t, uint64_t *random, char *texts[3])
{
    text_lines nodes = {.n = 0}, edges = {.n = 0}, labels = {.n = 0};
    for (size_t g = 0; g < GRAPHS; g++) {
        snprintf(labels.line[labels.n++], 96, "%" PRId64 " %" PRId64 "\n", t->graph[g],
                 t->class[g]);
        for (size_t i = 0; i < t->n_nodes[g]; i++) {
            snprintf(nodes.line[nodes.n++], 96, "%" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 "\n",
                     t->graph[g], t->node[g][i], t->label[g][i][0], t->label[g][i][1]);
            for (size_t j = 0; j < i; j++) {
                bool swap = test_draw(random, 2);
                if (t->edge[g][i][j])
                    snprintf(edges.line[edges.n++], 96,
                             "%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 "\r\n", t->graph[g],
                             t->node[g][swap ? i : j], t->node[g][swap ? j : i], t->bond[g][i][j]);
            }
        }
    }
    texts[0] = shuffled(&nodes, random);
    texts[1] = shuffled(&edges, random);
    texts[2] = shuffled(&labels, random);
}

static void check_twin(const three_files_twin *t, const rg_dataset *data)
{
    size_t first = 0;
    assert_int_equal(rg_dataset_n_graphs(data), GRAPHS);
    for (size_t g = 0; g < GRAPHS; g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        assert_int_equal(graph.n_nodes, t->n_nodes[g]);
        assert_int_equal(test_label_value(data, RG_CLASS, 0, g), t->class[g]);
        uint64_t arc = graph.row[0];
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            assert_int_equal(test_label_value(data, RG_NODE_LABEL, 0, first + i),
                             t->label[g][i][0]);
            assert_int_equal(test_label_value(data, RG_NODE_LABEL, 1, first + i),
                             t->label[g][i][1]);
            for (uint32_t j = 0; j < graph.n_nodes; j++)
                if (t->edge[g][i][j]) {
                    assert_int_equal(graph.col[arc], j);
                    assert_int_equal(test_label_value(data, RG_EDGE_LABEL, 0, arc),
                                     t->bond[g][i][j]);
                    arc++;
                }
            assert_int_equal(graph.row[i + 1], arc);
        }
        first += graph.n_nodes;
    }
    assert_int_equal(rg_dataset_n_nodes(data), first);
}

static void random_sets_agree_with_matrices(void **state)
{
    (void)state;
    uint64_t random = 0;
    for (int round = 0; round < 300; round++) {
        three_files_twin t;
        char *texts[3];
        draw_twin(&t, &random);
        write_twin(&t, &random, texts);
        rg_dataset *data = NULL;
        ASSERT_OK(read_three(&data, texts[0], texts[1], texts[2], err));
        check_twin(&t, data);
        rg_dataset_free(data);
        for (size_t k = 0; k < 3; k++)
            free(texts[k]);
    }
}

/* ---- bad files */

static void mangled_files_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *nodes, *edges, *labels, *message;
    } cases[] = {
        {NULL, "", "", "X_Edges.txt: found no NAME_Nodes.txt beside it, expected one"},
        {"", NULL, "", "X_Nodes.txt: found no NAME_Edges.txt beside it, expected one"},
        {"", "", NULL, "X_Nodes.txt: found no NAME_Labels.txt beside it, expected one"},
        {"0 0\n0 0\n", "", "0\n",
         "X_Nodes.txt:2: found node 0 of graph 0 again, expected it on line 1 only"},
        {"0 2\n0 1\n0 3\n0 1\n0 2\n", "", "0\n",
         "X_Nodes.txt:4: found node 1 of graph 0 again, expected it on line 2 only"},
        {"0 0\n", "", "0 1\n1 1\n0 1\n",
         "X_Labels.txt:3: found graph 0 again, expected it on line 1 only"},
        {"1 0\n0 0\n5 0\n3 0\n", "", "0\n1\n",
         "X_Nodes.txt:3: found a node of graph 5, expected a graph of X_Labels.txt"},
        {"9223372036854775807 0\n", "", "",
         "X_Nodes.txt:1: found a node of graph 9223372036854775807, expected a graph of "
         "X_Labels.txt"},
        {"9223372036854775808 0\n", "", "",
         "X_Nodes.txt:1:1: found '9223372036854775808', expected a graph (a whole number)"},
        {"0 x\n", "", "0\n", "X_Nodes.txt:1:3: found 'x', expected a node (a whole number)"},
        {"0 0.5\n", "", "0\n", "X_Nodes.txt:1:3: found '0.5', expected a node (a whole number)"},
        {"0\n", "", "0\n",
         "X_Nodes.txt:1:2: found the end of the line, expected a node (a whole number)"},
        {"0 0 1\n0 1\n", "", "0\n",
         "X_Nodes.txt:2:4: found the end of the line, expected a node label"},
        {"0 0\n0 1 1\n", "", "0\n", "X_Nodes.txt:2:5: found '1', expected the end of the line"},
        {"0 0 a\n", "", "0\n", "X_Nodes.txt:1:5: found 'a', expected a node label"},
        {"0 0 [1.0]\n", "", "0\n", "X_Nodes.txt:1:5: found '[1.0]', expected a node label"},
        {"0 0 1,\n", "", "0\n",
         "X_Nodes.txt:1:7: found the end of the line, expected a node label"},
        {"0 0 1,,2\n", "", "0\n", "X_Nodes.txt:1:7: found ',', expected a node label"},
        {"0 0\n\n0 1\n", "", "0\n", "X_Nodes.txt:2: found an empty line, expected a node"},
        {"0 0\n", "\n \n0 0 0\n", "0\n", "X_Edges.txt:1: found an empty line, expected an edge"},
        {"0 0\n", "", "\n0\n", "X_Labels.txt:1: found an empty line, expected a graph"},
        {"0 0\n0 2\n", "0 0 2\n0 0 1\n", "0\n",
         "X_Edges.txt:2: found node 1 of graph 0, expected a node of X_Nodes.txt"},
        {"0 0\n0 2\n", "0 -9223372036854775808 2\n", "0\n",
         "X_Edges.txt:1: found node -9223372036854775808 of graph 0, expected a node of "
         "X_Nodes.txt"},
        {"0 0\n1 1\n", "0 0 1\n", "0\n1\n",
         "X_Edges.txt:1: found node 1 of graph 0, expected a node of X_Nodes.txt"},
        {"0 0\n", "3 0 0\n", "0\n",
         "X_Edges.txt:1: found an edge of graph 3, expected a graph of X_Labels.txt"},
        {"0 0\n", "2 0 0\n", "0\n2\n",
         "X_Edges.txt:1: found node 0 of graph 2, expected a node of X_Nodes.txt"},
        {"0 0\n0 1\n", "0 0\n", "0\n",
         "X_Edges.txt:1:4: found the end of the line, expected a node (a whole number)"},
        {"0 0\n0 1\n", "0 0 1 5\n0 0 1 z\n", "0\n",
         "X_Edges.txt:2:7: found 'z', expected an edge label"},
        {"0 0\n", "", "0.5 1\n",
         "X_Labels.txt:1:1: found '0.5', expected a graph (a whole number)"},
        {"0 0\n", "", "X\n",
         "X_Labels.txt:1:2: found the end of the line, expected a graph (a whole number)"},
        {"0 0\n", "", "X 0 1\n1 1\n",
         "X_Labels.txt:2:1: found '1', expected a name, as on the first line"},
        {"0 0\n", "", "0 1\nX 1 1\n",
         "X_Labels.txt:2:1: found 'X', expected a graph (a whole number)"},
        {"0 0\n", "", "0 1\n1 inf\n", "X_Labels.txt:2:3: found 'inf', expected a graph label"},
        {"0 0\n", "", "0 1\n1 1e999\n", "X_Labels.txt:2:3: found '1e999', expected a graph label"},
        {"0 0\n", "", ",0 1\n", "X_Labels.txt:1:1: found ',', expected a graph (a whole number)"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const text_file files[] = {{cases[c].edges ? "X_Edges.txt" : NULL, cases[c].edges},
                                   {cases[c].labels ? "X_Labels.txt" : NULL, cases[c].labels},
                                   {cases[c].nodes ? "X_Nodes.txt" : NULL, cases[c].nodes}};
        char what[32];
        snprintf(what, sizeof what, "case %zu", c);
        texts_refused(&rg_format_three, files, 3, what, cases[c].message);
    }
    const text_file twice[] = {{"X_Nodes.txt", ""}, {"Y_Nodes.txt", ""}};
    texts_refused(&rg_format_three, twice, 2, "two files",
                  "Y_Nodes.txt: found a second file of this kind, expected only X_Nodes.txt");
}

static void names_of_files_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int prefix; /* -1: not ours */
    } cases[] = {{"NCI1_Nodes.txt", 4},      {"a_b_Edges.txt", 3}, {"X_Labels.txt", 1},
                 {"_Nodes.txt", -1},         {"Nodes.txt", -1},    {"X_nodes.txt", -1},
                 {"X_graph_labels.txt", -1}, {"X_Nodes.csv", -1},  {"", -1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t prefix = 0;
        bool known = rg_format_three.knows(cases[c].name, &prefix);
        assert_int_equal(known, cases[c].prefix >= 0);
        if (known)
            assert_int_equal(prefix, cases[c].prefix);
    }
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    const text_file files[] = {{"X_Nodes.txt", "1 1 7\n0 0 1.5\n1 0 2\n"},
                               {"X_Edges.txt", "1 0 1 3\n"},
                               {"X_Labels.txt", "1 4\n0 5\n"}};
    read_texts_sweep sweep = {&rg_format_three, files, 3};
    assert_true(test_allocation_sweep(read_texts_once, &sweep) > 20);
}

/* ---- from a path */

static void a_directory_and_a_zip_are_the_same_set(void **state)
{
    (void)state;
    char *directory = test_directory_make(), wanted[RG_DIGEST_SIZE], found[RG_DIGEST_SIZE];
    const text_file files[] = {
        {"X_Nodes.txt", nodes_text}, {"X_Edges.txt", edges_text}, {"X_Labels.txt", labels_text}};
    rg_dataset *data = NULL;
    ASSERT_OK(read_three(&data, nodes_text, edges_text, labels_text, err));
    rg_dataset_digest(data, wanted);
    rg_dataset_free(data);

    const pack_file inside[] = {{.name = "X/raw/X_Nodes.txt", .text = nodes_text},
                                {.name = "X/raw/X_Edges.txt", .text = edges_text},
                                {.name = "X/raw/X_Labels.txt", .text = labels_text}};
    packed zip = pack("zip", inside, 3);
    test_write_bytes(directory, "set.zip", zip.bytes, zip.n);
    free(zip.bytes);
    for (size_t k = 0; k < 3; k++) {
        char *name = test_format("folder/raw/%s", files[k].name);
        test_write(directory, name, files[k].text);
        free(name);
    }
    static const char *const below[] = {"set.zip", "folder", "folder/raw", "folder/raw/X"};
    for (size_t k = 0; k < 4; k++) {
        char *path = test_format("%s/%s", directory, below[k]);
        ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
        rg_dataset_digest(data, found);
        assert_string_equal(found, wanted);
        assert_string_equal(rg_dataset_name(data), "X");
        assert_int_equal(rg_dataset_quirks(data)->missing_newlines, 1);
        rg_dataset_free(data);
        free(path);
    }
    test_directory_remove(directory);
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    static const char *const names[] = {"MUTAG.zip", "CSL.zip", "EvenOddRings2_16.zip"};
    size_t n_read = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char *path = test_data(names[k]);
        if (!path)
            continue;
        char *directory = test_directory_make(), wanted[RG_DIGEST_SIZE], found[RG_DIGEST_SIZE];
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
        rg_dataset_digest(data, wanted);
        ASSERT_OK(rg_dataset_write(data, directory, NULL, RG_FORMAT_THREE, err));
        rg_dataset_free(data);
        ASSERT_OK(rg_dataset_read(&data, directory, NULL, err));
        rg_dataset_digest(data, found);
        assert_string_equal(found, wanted);
        assert_int_equal(rg_dataset_quirks(data)->unsorted_nodes, 0);
        rg_dataset_free(data);
        test_directory_remove(directory);
        free(path);
        n_read++;
    }
    if (n_read == 0)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_go_to_nodes_by_number_not_by_line),
        cmocka_unit_test(order_of_files_does_not_matter),
        cmocka_unit_test(whole_numbers_are_labels_and_others_attributes),
        cmocka_unit_test(real_targets_keep_the_whole_numbers_before_them),
        cmocka_unit_test(a_name_in_front_of_graph_labels_is_skipped),
        cmocka_unit_test(random_sets_agree_with_matrices),
        cmocka_unit_test(mangled_files_are_refused_with_their_line),
        cmocka_unit_test(names_of_files_are_known),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(a_directory_and_a_zip_are_the_same_set),
        cmocka_unit_test(what_is_written_reads_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
