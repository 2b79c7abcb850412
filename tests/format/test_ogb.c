/* test_ogb.c - OGB's csv layout: known answers, a brute-force twin, odd and bad files. */
#include "regula/split.h"
#include "support/archives.h"
#include "texts.h"

#include <math.h>
#include <stdio.h>

/* The six files; NULL: not there. */
typedef struct ogb_texts {
    const char *nodes, *edge_counts, *edges, *node_feat, *edge_feat, *labels;
} ogb_texts;

static void list_files(text_file files[6], const ogb_texts *t)
{
    const text_file all[] = {{"num-node-list.csv", t->nodes}, {"num-edge-list.csv", t->edge_counts},
                             {"edge.csv", t->edges},          {"node-feat.csv", t->node_feat},
                             {"edge-feat.csv", t->edge_feat}, {"graph-label.csv", t->labels}};
    for (size_t k = 0; k < 6; k++)
        files[k] = all[k].text ? all[k] : (text_file){NULL, NULL};
}

static rg_status read_ogb(rg_dataset **out, const ogb_texts *texts, rg_error *err)
{
    text_file files[6];
    list_files(files, texts);
    return read_texts(out, &rg_format_ogb, files, 6, err);
}

/* A triangle, a graph without nodes, an edge with an isolated node. */
static const ogb_texts small = {.nodes = "3\n0\n3\n",
                                .edge_counts = "3\n0\n1\n",
                                .edges = "0,1\n1,2\n0,2\n2,0\n",
                                .node_feat = "5,0\n6,0\n5,1\n8,0\n8,0\n8,1\n",
                                .edge_feat = "0\n1\n2\n7\n",
                                .labels = "0\n1\n0\n"};

static void counts_cut_the_edge_list_into_graphs(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    ASSERT_OK(read_ogb(&data, &small, err));
    assert_int_equal(rg_dataset_n_graphs(data), 3);
    assert_int_equal(rg_dataset_n_nodes(data), 6);
    assert_int_equal(rg_dataset_n_arcs(data), 8);
    assert_int_equal(rg_dataset_graph(data, 0).n_arcs, 6);
    assert_int_equal(rg_dataset_graph(data, 1).n_nodes, 0);
    assert_true(test_has_edge(data, 2, 0, 2));
    assert_false(test_has_edge(data, 2, 0, 1));
    assert_int_equal(rg_dataset_n_columns(data, RG_NODE_LABEL), 2);
    assert_int_equal(rg_dataset_n_columns(data, RG_EDGE_LABEL), 1);
    assert_int_equal(rg_dataset_n_columns(data, RG_CLASS), 1);
    assert_int_equal(rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE), 0);
    const int64_t atoms[] = {5, 6, 5, 8, 8, 8}, flags[] = {0, 0, 1, 0, 0, 1};
    for (size_t k = 0; k < 6; k++) {
        assert_int_equal(test_label_value(data, RG_NODE_LABEL, 0, k), atoms[k]);
        assert_int_equal(test_label_value(data, RG_NODE_LABEL, 1, k), flags[k]);
    }
    const int64_t bonds[] = {0, 2, 0, 1, 2, 1, 7, 7}; /* arcs in order of (row, column) */
    for (size_t k = 0; k < 8; k++)
        assert_int_equal(test_label_value(data, RG_EDGE_LABEL, 0, k), bonds[k]);
    assert_int_equal(test_label_value(data, RG_CLASS, 0, 1), 1);
    const rg_quirks *q = rg_dataset_quirks(data);
    assert_int_equal(q->one_way_edges, 4);
    assert_int_equal(q->isolated_nodes, 1);
    assert_int_equal(q->empty_graphs, 1);
    rg_dataset_free(data);
}

static void order_of_files_does_not_matter(void **state)
{
    (void)state;
    text_file files[6];
    char first[RG_DIGEST_SIZE] = "", digest[RG_DIGEST_SIZE];
    list_files(files, &small);
    for (size_t turn = 0; turn < 6; turn++) {
        text_file head = files[0];
        memmove(files, files + 1, 5 * sizeof *files);
        files[5] = head;
        rg_dataset *data = NULL;
        ASSERT_OK(read_texts(&data, &rg_format_ogb, files, 6, err));
        rg_dataset_digest(data, digest);
        if (turn == 0)
            memcpy(first, digest, sizeof first);
        assert_string_equal(digest, first);
        rg_dataset_free(data);
    }
}

static void features_with_a_fraction_are_attributes(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    ogb_texts t = small;
    t.node_feat = "5,0\n6,0\n5,1\n8,0.5\n8,0\n8,1e-3\n";
    t.edge_feat = "0,1.0\n1,2.0\n2,3.0\n7,nan\n";
    ASSERT_OK(read_ogb(&data, &t, err));
    assert_int_equal(rg_dataset_n_columns(data, RG_NODE_LABEL), 0);
    assert_int_equal(rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE), 2);
    const double *x = rg_dataset_reals(data, RG_NODE_ATTRIBUTE);
    assert_true(x[0] == 5 && x[7] == 0.5 && x[11] == 1e-3);
    assert_int_equal(rg_dataset_n_columns(data, RG_EDGE_ATTRIBUTE), 2);
    rg_dataset_free(data);

    t = (ogb_texts){"2\n", "1\n", "0,1", NULL, NULL, NULL}; /* all that must be there */
    ASSERT_OK(read_ogb(&data, &t, err));
    for (int kind = 0; kind < RG_N_COLUMN_KINDS; kind++)
        assert_int_equal(rg_dataset_n_columns(data, (rg_column)kind), 0);
    assert_int_equal(rg_dataset_n_arcs(data), 2);
    rg_dataset_free(data);
}

/* What a graph-label.csv of three graphs means: classes, or reals if any value is not whole. */
static void missing_labels_are_kept_as_missing(void **state)
{
    (void)state;
    static const struct {
        const char *labels;
        rg_column kind;
        size_t n_columns;
        double values[6]; /* NAN: not known */
    } cases[] = {
        {"0\n1\n0\n", RG_CLASS, 1, {0, 1, 0}},
        {"0.0\n1.0\n-1e0\n", RG_CLASS, 1, {0, 1, -1}},
        {"0,1\n,0\n1,\n", RG_CLASS, 2, {0, 1, NAN, 0, 1, NAN}},
        {" , 1\nnan,NaN\n\"\",4\n", RG_CLASS, 2, {NAN, 1, NAN, NAN, NAN, 4}},
        {"0\n\n1\n", RG_CLASS, 1, {0, NAN, 1}},
        {"\n\n1\n\n \n", RG_CLASS, 1, {NAN, NAN, 1}},
        {"nan\n3\n4", RG_CLASS, 1, {NAN, 3, 4}},
        {"0.5\n1\nnan\n", RG_TARGET, 1, {0.5, 1, NAN}},
        {"1,\n2,3\n,-.25\r\n", RG_TARGET, 2, {1, NAN, 2, 3, NAN, -0.25}},
        {"1\n-9223372036854775808\n2\n", RG_TARGET, 1, {1, -9223372036854775808.0, 2}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        ogb_texts t = {"1\n1\n1\n", "0\n0\n0\n", "", NULL, NULL, cases[c].labels};
        rg_dataset *data = NULL;
        ASSERT_OK(read_ogb(&data, &t, err));
        size_t columns = cases[c].n_columns, missing = 0;
        assert_int_equal(rg_dataset_n_columns(data, cases[c].kind), columns);
        assert_int_equal(
            rg_dataset_n_columns(data, cases[c].kind == RG_CLASS ? RG_TARGET : RG_CLASS), 0);
        for (size_t k = 0; k < 3 * columns; k++) {
            double wanted = cases[c].values[k];
            missing += isnan(wanted) != 0;
            if (cases[c].kind == RG_TARGET) {
                double found = rg_dataset_reals(data, RG_TARGET)[k];
                assert_true(isnan(wanted) ? isnan(found) : found == wanted);
            } else {
                int64_t found = test_label_value(data, RG_CLASS, k % columns, k / columns);
                assert_true(found == (isnan(wanted) ? RG_MISSING : (int64_t)wanted));
            }
        }
        assert_int_equal(rg_dataset_quirks(data)->missing_targets, missing);
        rg_dataset_free(data);
    }
}

/* ---- brute-force twin: matrices, written graph by graph */

enum { GRAPHS = 6, NODES = 7 };

static void append(char *text, const char *format, ...) RG_PRINTF(2, 3);
static void append(char *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsprintf(text + strlen(text), format, args);
    va_end(args);
}

static void random_sets_agree_with_matrices(void **state)
{
    (void)state;
    uint64_t draws = 0;
    for (int round = 0; round < 200; round++) {
        char text[6][4096] = {""};
        bool edge[GRAPHS][NODES][NODES] = {{{false}}};
        uint32_t size[GRAPHS], labels[GRAPHS * NODES], n_nodes = 0;
        for (size_t g = 0; g < GRAPHS; g++) {
            uint32_t n_edges = 0;
            size[g] = test_draw(&draws, NODES + 1);
            for (uint32_t i = 0; i < size[g]; i++) {
                labels[n_nodes] = test_draw(&draws, 9);
                append(text[3], "%u,%u\n", labels[n_nodes++], i);
                for (uint32_t j = 0; j < i; j++)
                    if (test_draw(&draws, 2)) {
                        edge[g][i][j] = edge[g][j][i] = true;
                        append(text[2], "%u,%u\n", j, i);
                        append(text[4], "%u.0,%u\n", i + j, i * j);
                        n_edges++;
                    }
            }
            append(text[0], "%u\n", size[g]);
            append(text[1], "%u\n", n_edges);
            append(text[5], "%u,%zu\n", size[g], g);
        }
        ogb_texts t = {text[0], text[1], text[2], text[3], text[4], text[5]};
        rg_dataset *data = NULL;
        ASSERT_OK(read_ogb(&data, &t, err));
        assert_int_equal(rg_dataset_n_nodes(data), n_nodes);
        for (size_t k = 0; k < n_nodes; k++)
            assert_int_equal(test_label_value(data, RG_NODE_LABEL, 0, k), labels[k]);
        for (size_t g = 0; g < GRAPHS; g++) {
            rg_graph graph = rg_dataset_graph(data, g);
            assert_int_equal(graph.n_nodes, size[g]);
            assert_int_equal(test_label_value(data, RG_CLASS, 0, g), size[g]);
            uint64_t arc = graph.row[0];
            for (uint32_t i = 0; i < size[g]; i++)
                for (uint32_t j = 0; j < size[g]; j++)
                    if (edge[g][i][j]) {
                        assert_int_equal(graph.col[arc], j);
                        assert_int_equal(test_label_value(data, RG_EDGE_LABEL, 0, arc), i + j);
                        assert_int_equal(test_label_value(data, RG_EDGE_LABEL, 1, arc), i * j);
                        arc++;
                    }
            assert_int_equal(arc, graph.row[0] + graph.n_arcs);
        }
        rg_dataset_free(data);
    }
}

/* ---- bad files */

static void mangled_files_are_refused_with_their_line(void **state)
{
    (void)state;
    static const struct {
        ogb_texts t;
        const char *message;
    } cases[] = {
        {{NULL, "", "", NULL, NULL, "1\n"},
         "graph-label.csv: found no num-node-list.csv beside it, expected one"},
        {{"", NULL, "", NULL, NULL, NULL},
         "edge.csv: found no num-edge-list.csv beside it, expected one"},
        {{"", "", NULL, NULL, NULL, NULL},
         "num-edge-list.csv: found no edge.csv beside it, expected one"},
        {{"2\n", "1\n1\n", "0,1\n0,1\n", NULL, NULL, NULL},
         "num-edge-list.csv: found 2 lines, expected 1 as in num-node-list.csv"},
        {{"2\n", "1\n", "0,1\n", NULL, NULL, "1\n0\n"},
         "graph-label.csv: found 2 lines, expected 1 as in num-node-list.csv"},
        {{"2\n", "1\n", "0,1\n", NULL, "1\n0\n", NULL},
         "edge-feat.csv: found 2 lines, expected 1 as in edge.csv"},
        {{"2\n", "2\n", "0,1\n", NULL, NULL, NULL},
         "num-edge-list.csv:1: found 2 edges, expected at most 1: edge.csv has 1 lines"},
        {{"2\n2\n", "0\n9223372036854775807\n", "0,1\n", NULL, NULL, NULL},
         "num-edge-list.csv:2: found 9223372036854775807 edges, expected at most 1: edge.csv has 1 "
         "lines"},
        {{"2\n", "1\n", "0,1\n0,1\n", NULL, NULL, NULL},
         "edge.csv:2: found a line, expected the end: num-edge-list.csv counts 1 edges"},
        {{"1\n2\n", "0\n1\n", "0,1\n", "1\n2\n", NULL, NULL},
         "num-node-list.csv:2: found 2 nodes, expected at most 1: node-feat.csv has 2 lines"},
        {{"1\n1\n", "0\n0\n", "", "1\n2\n3\n", NULL, NULL},
         "node-feat.csv:3: found a line, expected the end: num-node-list.csv counts 2 nodes"},
        {{"9223372036854775807\n", "0\n", "", NULL, NULL, NULL},
         "num-node-list.csv: found 9223372036854775807 nodes in all, expected at most 1048576 with "
         "0 edges and no node-feat.csv"},
        {{"1048640\n1\n", "1\n0\n", "0,1\n", NULL, NULL, NULL},
         "num-node-list.csv: found 1048641 nodes in all, expected at most 1048640 with 1 edges and "
         "no node-feat.csv"},
        {{"9223372036854775807\n1\n", "0\n0\n", "", NULL, NULL, NULL},
         "num-node-list.csv:2: found 1, expected a number of nodes"},
        {{"-1\n", "0\n", "", NULL, NULL, NULL},
         "num-node-list.csv:1: found -1, expected a number of nodes"},
        {{"1\n", "0.5\n", "", NULL, NULL, NULL},
         "num-edge-list.csv:1:1: found '0.5', expected a number of edges"},
        {{"1,1\n", "0\n", "", NULL, NULL, NULL},
         "num-node-list.csv:1:3: found '1', expected the end of the line"},
        {{"1\n\n1\n", "0\n", "", NULL, NULL, NULL},
         "num-node-list.csv:2: found an empty line, expected a number of nodes"},
        {{"2\n2\n", "1\n1\n", "0,1\n0,2\n", NULL, NULL, NULL},
         "edge.csv:2: found node 2, expected a node of graph 1, which has 2, from 0"},
        {{"2\n0\n", "0\n1\n", "0,1\n", NULL, NULL, NULL},
         "edge.csv:1: found node 0, expected a node of graph 1, which has 0, from 0"},
        {{"2\n", "1\n", "0,4294967295\n", NULL, NULL, NULL},
         "edge.csv:1:3: found '4294967295', expected a node (a whole number from 0)"},
        {{"2\n", "1\n", "0,-1\n", NULL, NULL, NULL},
         "edge.csv:1:3: found '-1', expected a node (a whole number from 0)"},
        {{"2\n", "1\n", "0,1,1\n", NULL, NULL, NULL},
         "edge.csv:1:5: found '1', expected the end of the line"},
        {{"2\n", "1\n", "0\n", NULL, NULL, NULL},
         "edge.csv:1:2: found the end of the line, expected a node (a whole number from 0)"},
        {{"2\n", "2\n", "0,1\n\n \n0,1\n", NULL, NULL, NULL},
         "edge.csv:2: found an empty line, expected an edge"},
        {{"2\n", "2\n", "\n0,1\n", NULL, NULL, NULL},
         "edge.csv:1: found an empty line, expected an edge"},
        {{"2\n", "1\n", "0,1\n", "1,2\n1\n", NULL, NULL},
         "node-feat.csv:2:2: found the end of the line, expected a feature (a number)"},
        {{"2\n", "1\n", "0,1\n", "1,2\n1,2,3\n", NULL, NULL},
         "node-feat.csv:2:5: found '3', expected the end of the line"},
        {{"2\n", "1\n", "0,1\n", "1,2\n1,a\n", NULL, NULL},
         "node-feat.csv:2:3: found 'a', expected a feature (a number)"},
        {{"2\n", "1\n", "0,1\n", "1,2\n1,\n", NULL, NULL},
         "node-feat.csv:2:3: found the end of the line, expected a feature (a number)"},
        {{"2\n", "1\n", "0,1\n", NULL, "x\n", NULL},
         "edge-feat.csv:1:1: found 'x', expected a feature (a number)"},
        {{"2\n2\n", "0\n0\n", "", NULL, NULL, "0,1\n1\n"},
         "graph-label.csv:2: found 1 graph labels, expected 2 as on line 1"},
        {{"2\n2\n2\n", "0\n0\n0\n", "", NULL, NULL, "0,1\n\n1,1\n"},
         "graph-label.csv:2: found an empty line, expected 2 labels"},
        {{"2\n", "0\n", "", NULL, NULL, "0, yes \n"},
         "graph-label.csv:1:4: found 'yes', expected a graph label (a number, or nothing)"},
        {{"2\n", "0\n", "", NULL, NULL, "0 1\n"},
         "graph-label.csv:1:1: found '0 1', expected a graph label (a number, or nothing)"},
        {{"2\n", "0\n", "", NULL, NULL, "inf\n"},
         "graph-label.csv:1:1: found 'inf', expected a graph label (a number, or nothing)"},
        {{"2\n2\n", "0\n0\n", "", NULL, NULL, "0\n\n"},
         "graph-label.csv: found 1 lines, expected 2 as in num-node-list.csv"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        text_file files[6];
        char what[32];
        list_files(files, &cases[c].t);
        snprintf(what, sizeof what, "case %zu", c);
        texts_refused(&rg_format_ogb, files, 6, what, cases[c].message);
    }
    const text_file twice[] = {{"edge.csv", ""}, {"edge.csv", ""}};
    texts_refused(&rg_format_ogb, twice, 2, "two files",
                  "edge.csv: found a second file of this kind, expected only edge.csv");
}

/* ---- sets for classes of nodes */

static const text_file cora[] = {{"edge.csv", "0,1\n1,2\n"},
                                 {"node-feat.svm", "0:1 3:0.5\n\n2:-1\n"},
                                 {"node-label.csv", "4\n\n7\n"}};

static void classes_of_nodes_stand_beside_one_graph(void **state)
{
    (void)state;
    rg_dataset *data = NULL;
    ASSERT_OK(read_texts(&data, &rg_format_ogb, cora, 3, err));
    assert_int_equal(rg_dataset_n_graphs(data), 1);
    assert_int_equal(rg_dataset_n_nodes(data), 3);
    assert_int_equal(rg_dataset_n_arcs(data), 4);
    assert_int_equal(rg_dataset_n_columns(data, RG_NODE_LABEL), 0);
    assert_int_equal(rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE), 4);
    const double wanted[12] = {1, 0, 0, 0.5, 0, 0, 0, 0, 0, 0, -1, 0};
    assert_memory_equal(rg_dataset_reals(data, RG_NODE_ATTRIBUTE), wanted, sizeof wanted);
    assert_int_equal(test_label_value(data, RG_NODE_CLASS, 0, 0), 4);
    assert_true(test_label_value(data, RG_NODE_CLASS, 0, 1) == RG_MISSING);
    assert_int_equal(test_label_value(data, RG_NODE_CLASS, 0, 2), 7);
    rg_dataset_free(data);
}

static void mangled_sets_of_nodes_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *features, *labels, *message;
    } cases[] = {
        {"0:1\n", "1\n0\n", "node-feat.svm: found 1 lines, expected one for each of 2 nodes"},
        {"0:1\n\n2:1\n", "1\n0\n",
         "node-feat.svm: found 3 lines, expected one for each of 2 nodes"},
        {"0:1 0:2\n\n", "1\n0\n", "node-feat.svm:1:5: found '0:2', expected columns that ascend"},
        {"\n3:1 2:2\n", "1\n0\n", "node-feat.svm:2:5: found '2:2', expected columns that ascend"},
        {"\n3\n", "1\n0\n",
         "node-feat.svm:2:1: found '3', expected COLUMN:VALUE, with columns from 0"},
        {"-1:2\n\n", "1\n0\n",
         "node-feat.svm:1:1: found '-1:2', expected COLUMN:VALUE, with columns from 0"},
        {"16777216:2\n\n", "1\n0\n",
         "node-feat.svm:1:1: found '16777216:2', expected COLUMN:VALUE, with columns from 0"},
        {"0:a\n\n", "1\n0\n",
         "node-feat.svm:1:1: found '0:a', expected COLUMN:VALUE, with columns from 0"},
        {"9999999:1\n\n", "1\n0\n",
         "node-feat.svm: found 2 rows of 10000000 columns with 1 numbers, expected more numbers or "
         "fewer columns"},
        {"\n\n", "1\nx\n",
         "node-label.csv:2:1: found 'x', expected a node label (a number, or nothing)"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const text_file files[] = {{"edge.csv", "0,1\n"},
                                   {"node-feat.svm", cases[c].features},
                                   {"node-label.csv", cases[c].labels}};
        texts_refused(&rg_format_ogb, files, 3, cases[c].labels, cases[c].message);
    }
    const text_file counted[] = {{"num-node-list.csv", "3\n"},
                                 {"num-edge-list.csv", "1\n"},
                                 {"edge.csv", "0,1\n"},
                                 {"node-label.csv", "1\n0\n"}};
    texts_refused(&rg_format_ogb, counted, 4, "counts",
                  "node-label.csv: found 2 lines, expected one for each of 3 nodes");
    const text_file both[] = {{"edge.csv", "0,1\n"},
                              {"node-feat.csv", "1\n2\n"},
                              {"node-feat.svm", "0:1\n\n"},
                              {"node-label.csv", "1\n0\n"}};
    texts_refused(&rg_format_ogb, both, 4, "features",
                  "node-feat.svm: found node-feat.csv beside it, expected one of the two");
}

/* Lists of nodes are masks, and a fold. */
static void lists_beside_classes_of_nodes_are_masks(void **state)
{
    (void)state;
    static const struct {
        const char *list, *message;
    } wrong[] = {
        {"3\n", "valid.csv:1: found node 3, expected one of 3"},
        {"1\n1\n", "valid.csv:2: found node 1 again, expected each node once"},
        {"1,2\n", "valid.csv:1:3: found '2', expected the end of the line"},
        {"-1\n", "valid.csv:1: found -1, expected a node (a whole number from 0)"},
    };
    char *directory = test_directory_make();
    rg_dataset *data = NULL;
    rg_splits *splits = NULL;
    for (size_t k = 0; k < 3; k++)
        test_write(directory, cora[k].name, cora[k].text);
    test_write(directory, "train.csv", "0\n2\n");
    test_write(directory, "valid.csv", "1\n");
    ASSERT_OK(rg_dataset_read(&data, directory, NULL, err));
    assert_int_equal(rg_dataset_n_columns(data, RG_NODE_MASK), 2);
    assert_string_equal(rg_dataset_column_name(data, RG_NODE_MASK, 1), "validation");
    assert_int_equal(rg_dataset_has_parts(data), 1);
    assert_int_equal(rg_dataset_part_size(data, "train"), 2);
    assert_int_equal(rg_dataset_part_size(data, "test"), 0);
    ASSERT_OK(rg_splits_from_masks(&splits, data, err));
    rg_fold fold = rg_splits_fold(splits, 0);
    assert_true(fold.train.n == 1 && fold.validation.n == 1 && fold.test.n == 0);
    rg_splits_free(splits);
    rg_dataset_free(data);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        rg_error err = {""};
        test_write(directory, "valid.csv", wrong[k].list);
        assert_int_equal(rg_dataset_read(&data, directory, NULL, &err), RG_EDATA);
        if (!strstr(err.message, wrong[k].message))
            fail_msg("found '%s', expected '%s'", err.message, wrong[k].message);
    }
    test_directory_remove(directory);
}

static void names_of_files_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        bool known;
    } cases[] = {{"edge.csv", true},
                 {"num-node-list.csv", true},
                 {"num-edge-list.csv", true},
                 {"node-feat.csv", true},
                 {"edge-feat.csv", true},
                 {"graph-label.csv", true},
                 {"train.csv", false},
                 {"mol.csv", false},
                 {"node-label.csv", true},
                 {"node-feat.svm", true},
                 {"node_species.csv", false},
                 {"my-edge.csv", false},
                 {"", false}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t prefix = 9;
        assert_int_equal(rg_format_ogb.knows(cases[c].name, &prefix), cases[c].known);
        if (cases[c].known)
            assert_int_equal(prefix, 0);
    }
}

static void every_failing_allocation_is_survived(void **state)
{
    (void)state;
    text_file files[6];
    ogb_texts t = small;
    t.labels = "1,\n,\n0.5,2\n";
    list_files(files, &t);
    read_texts_sweep sweep = {&rg_format_ogb, files, 6};
    assert_true(test_allocation_sweep(read_texts_once, &sweep) > 30);
    t.labels = "1\n\n0.5\n";
    list_files(files, &t);
    assert_true(test_allocation_sweep(read_texts_once, &sweep) > 30);
    read_texts_sweep nodes = {&rg_format_ogb, cora, 3};
    assert_true(test_allocation_sweep(read_texts_once, &nodes) > 20);
}

/* ---- from a path */

static const pack_file tables[] = {
    {.name = "hiv/raw/edge.csv.gz", .text = "0,1\n1,2\n0,2\n2,0\n"},
    {.name = "hiv/raw/num-node-list.csv.gz", .text = "3\n0\n3\n"},
    {.name = "hiv/raw/num-edge-list.csv.gz", .text = "3\n0\n1\n"},
    {.name = "hiv/raw/node-feat.csv.gz", .text = "5,0\n6,0\n5,1\n8,0\n8,0\n8,1\n"},
    {.name = "hiv/raw/edge-feat.csv.gz", .text = "0\n1\n2\n7\n"},
    {.name = "hiv/raw/graph-label.csv.gz", .text = "0\n1\n0\n"},
    {.name = "hiv/mapping/mol.csv.gz", .text = "smiles,mol_id\nC,1\n"},
    {.name = "hiv/split/train.csv.gz", .text = "0\n1\n"},
};
enum { N_TABLES = sizeof tables / sizeof *tables };

/* The set at `path` is `small`, and is called hiv. */
static void assert_small(const char *path, size_t ignored_files)
{
    char wanted[RG_DIGEST_SIZE], found[RG_DIGEST_SIZE];
    rg_dataset *data = NULL;
    ASSERT_OK(read_ogb(&data, &small, err));
    rg_dataset_digest(data, wanted);
    rg_dataset_free(data);
    ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
    rg_dataset_digest(data, found);
    assert_string_equal(found, wanted);
    assert_string_equal(rg_dataset_name(data), "hiv");
    assert_int_equal(rg_dataset_quirks(data)->ignored_files, ignored_files);
    assert_int_equal(rg_dataset_quirks(data)->missing_newlines, 0);
    rg_dataset_free(data);
}

static void a_zip_of_compressed_tables_is_the_same_set(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    packed inner[N_TABLES];
    pack_file inside[N_TABLES];
    for (size_t k = 0; k < N_TABLES; k++) {
        inner[k] = pack("gz", &tables[k], 1);
        inside[k] = (pack_file){.name = tables[k].name, .text = inner[k].bytes, .n = inner[k].n};
    }
    packed zip = pack("zip", inside, N_TABLES);
    test_write_bytes(directory, "hiv.zip", zip.bytes, zip.n);
    char *path = test_format("%s/hiv.zip", directory);
    assert_small(path, 2); /* mapping and split */
    free(path);
    free(zip.bytes);
    for (size_t k = 0; k < N_TABLES; k++)
        free(inner[k].bytes);
    test_directory_remove(directory);
}

static void a_raw_folder_is_the_same_set(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    test_write(directory, "hiv/raw/edge.csv", tables[0].text); /* one of them as it is */
    for (size_t k = 1; k < N_TABLES; k++) {
        packed inner = pack("gz", &tables[k], 1);
        test_write_bytes(directory, tables[k].name, inner.bytes, inner.n);
        free(inner.bytes);
    }
    char *path = test_format("%s/hiv", directory);
    assert_small(path, 2);
    free(path);
    path = test_format("%s/hiv/raw", directory);
    assert_small(path, 0);
    free(path);
    test_directory_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_cut_the_edge_list_into_graphs),
        cmocka_unit_test(order_of_files_does_not_matter),
        cmocka_unit_test(features_with_a_fraction_are_attributes),
        cmocka_unit_test(missing_labels_are_kept_as_missing),
        cmocka_unit_test(random_sets_agree_with_matrices),
        cmocka_unit_test(mangled_files_are_refused_with_their_line),
        cmocka_unit_test(names_of_files_are_known),
        cmocka_unit_test(classes_of_nodes_stand_beside_one_graph),
        cmocka_unit_test(mangled_sets_of_nodes_are_refused),
        cmocka_unit_test(lists_beside_classes_of_nodes_are_masks),
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(a_zip_of_compressed_tables_is_the_same_set),
        cmocka_unit_test(a_raw_folder_is_the_same_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
