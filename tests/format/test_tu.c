/* test_tu.c - reading the TUDataset format: known answers, quirks, a slow independent twin. */
#define _GNU_SOURCE
#include "base/random.h"
#include "format/read.h"
#include "mangled.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

static rg_dataset *read_files(const pack_file *files, size_t n)
{
    rg_dataset *data = NULL;
    packed bytes = pack("tar", files, n);
    ASSERT_OK(mangled_read(&data, &bytes, "SET.tar", err));
    free(bytes.bytes);
    return data;
}

static void assert_digests_equal(const rg_dataset *a, const rg_dataset *b)
{
    char x[RG_DIGEST_SIZE], y[RG_DIGEST_SIZE];
    rg_dataset_digest(a, x);
    rg_dataset_digest(b, y);
    assert_string_equal(x, y);
}

static const pack_file whole[] = {
    {.name = "X/X_A.txt", .text = "2, 1\n1, 2\n2, 3\n3, 2\n5, 4\n4, 5\n"},
    {.name = "X/X_graph_indicator.txt", .text = "1\n1\n1\n3\n3\n3\n"},
    {.name = "X/X_graph_labels.txt", .text = "-1\n1\nnan\n"},
    {.name = "X/X_graph_attributes.txt", .text = "0.5, 1e-3\n2, NaN\n-7, 3\n"},
    {.name = "X/X_node_labels.txt", .text = "7, 0\n9, 0\n7, 1\n8, 0\n8, 0\n7, 5\n"},
    {.name = "X/X_node_attributes.txt", .text = "1\n2\n3\n4.25\n-5\n6E2\n"},
    {.name = "X/X_edge_labels.txt", .text = "4\n4\n2\n2\n4\n4\n"},
    {.name = "X/X_edge_attributes.txt", .text = "1, 1\n1, 1\n2, 2\n2, 2\n3, 3\n3, 3\n"},
    {.name = "X/README.txt", .text = "for people\n"},
    {.name = "X/X_label_readme.txt", .text = "for people\n"},
    {.name = "X/X.pdf", .text = "unknown\n"}};
enum { N_WHOLE = sizeof whole / sizeof *whole };

static void everything_in_the_files_is_in_the_set(void **state)
{
    (void)state;
    rg_dataset *data = read_files(whole, N_WHOLE);
    size_t n;
    assert_string_equal(rg_dataset_name(data), "X");
    assert_int_equal(rg_dataset_n_graphs(data), 3);
    assert_int_equal(rg_dataset_n_nodes(data), 6);
    assert_int_equal(rg_dataset_n_arcs(data), 6);
    rg_graph first = rg_dataset_graph(data, 0), second = rg_dataset_graph(data, 1);
    assert_int_equal(first.n_nodes, 3);
    assert_int_equal(first.n_arcs, 4);
    assert_int_equal(second.n_nodes, 0);
    assert_int_equal(rg_dataset_n_columns(data, RG_NODE_LABEL), 2);
    const int64_t *values = rg_dataset_values(data, RG_NODE_LABEL, 0, &n);
    assert_int_equal(n, 3);
    assert_int_equal(values[0], 7);
    assert_int_equal(values[2], 9);
    values = rg_dataset_values(data, RG_NODE_LABEL, 1, &n);
    assert_int_equal(n, 3);
    assert_int_equal(values[2], 5);
    assert_int_equal(rg_dataset_ranks(data, RG_NODE_LABEL, 0)[1], 2);
    assert_int_equal(rg_dataset_ranks(data, RG_CLASS, 0)[0], 0);
    assert_int_equal(rg_dataset_ranks(data, RG_CLASS, 0)[2], RG_NO_CLASS);
    assert_true(rg_dataset_reals(data, RG_TARGET)[1] == 1e-3);
    assert_true(isnan(rg_dataset_reals(data, RG_TARGET)[3]));
    assert_true(rg_dataset_reals(data, RG_NODE_ATTRIBUTE)[5] == 600);
    assert_true(rg_dataset_reals(data, RG_EDGE_ATTRIBUTE)[2 * 2] == 2); /* arc (1,2) */
    assert_int_equal(rg_dataset_ranks(data, RG_EDGE_LABEL, 0)[2], 0);
    const rg_quirks *quirks = rg_dataset_quirks(data);
    assert_int_equal(quirks->listed_edges, 6);
    assert_int_equal(quirks->unsorted_edges, 2);
    assert_int_equal(quirks->isolated_nodes, 1);
    assert_int_equal(quirks->empty_graphs, 1);
    assert_int_equal(quirks->missing_targets, 2);
    assert_int_equal(quirks->ignored_files, 1);
    assert_int_equal(quirks->missing_newlines, 0);
    assert_int_equal(quirks->edge_conflicts, 0);
    rg_dataset_free(data);
}

static void the_order_of_files_means_nothing(void **state)
{
    (void)state;
    rg_dataset *expected = read_files(whole, N_WHOLE);
    for (uint64_t seed = 0; seed < 20; seed++) {
        uint32_t order[N_WHOLE];
        pack_file files[N_WHOLE];
        for (uint32_t k = 0; k < N_WHOLE; k++)
            order[k] = k;
        rg_random_shuffle(seed, 0, order, N_WHOLE);
        for (size_t k = 0; k < N_WHOLE; k++)
            files[k] = whole[order[k]];
        rg_dataset *data = read_files(files, N_WHOLE);
        assert_digests_equal(data, expected);
        rg_dataset_free(data);
    }
    rg_dataset_free(expected);
}

static void how_lines_are_written_means_nothing(void **state)
{
    (void)state;
    /* the same two graphs, a path of three nodes and an edge */
    static const char *const edges[] = {
        "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n", /* plain */
        "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4",   /* no newline at the end */
        "1, 2\r\n2, 1\r\n2, 3\r\n3, 2\r\n4, 5\r\n5, 4\r\n",
        "1,2\n2,1\n2,3\n3,2\n4,5\n5,4\n",
        "1 2\n2 1\n2 3\n3 2\n4 5\n5 4\n",
        " 1\t2 \n2 ,1\n  2,   3\n3\t,\t2\n4, 5\n5, 4\n\n  \n\r\n",
        "1.0, 2\n2, 1.\n2e0, 3\n+3, 2\n4, 05\n50e-1, 4\n",
        "1, 2\n2, 3\n4, 5\n",             /* one direction */
        "5, 4\n3, 2\n1, 2\n2, 3\n2, 1\n", /* no order */
        "1, 2\n1, 2\n2, 1\n1, 2\n2, 3\n3, 2\n3, 2\n4, 5\n4, 4\n",
    };
    rg_dataset *expected = NULL;
    for (size_t k = 0; k < sizeof edges / sizeof *edges; k++) {
        pack_file files[] = {{.name = "X_A.txt", .text = edges[k]},
                             {.name = "X_graph_indicator.txt", .text = "1\r\n1\n1\n2\n2\n\n"}};
        rg_dataset *data = read_files(files, 2);
        assert_int_equal(rg_dataset_n_arcs(data), 6);
        if (expected)
            assert_digests_equal(data, expected);
        const rg_quirks *quirks = rg_dataset_quirks(data);
        assert_int_equal(quirks->missing_newlines, k == 1);
        assert_int_equal(quirks->one_way_edges, k == 7 ? 3 : k == 8 ? 1 : k == 9 ? 1 : 0);
        assert_int_equal(quirks->duplicate_edges, k == 9 ? 3 : 0);
        assert_int_equal(quirks->self_loops, k == 9 ? 1 : 0);
        if (!expected)
            expected = data;
        else
            rg_dataset_free(data);
    }
    rg_dataset_free(expected);
}

static void sets_without_nodes_edges_or_graphs_are_sets(void **state)
{
    (void)state;
    static const struct {
        const char *edges, *indicator, *labels;
        size_t n_graphs, n_nodes;
    } cases[] = {
        {"", "", NULL, 0, 0},           {"", "", "", 0, 0},
        {"", "", "1\n2\n", 2, 0},       {"", "1\n1\n3\n", NULL, 3, 3},
        {"", "2\n", "5\n5\n5\n", 3, 1}, {"\n\n", "\n", "\n", 0, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        pack_file files[] = {{.name = "X_A.txt", .text = cases[k].edges},
                             {.name = "X_graph_indicator.txt", .text = cases[k].indicator},
                             {.name = "X_graph_labels.txt", .text = cases[k].labels}};
        rg_dataset *data = read_files(files, cases[k].labels ? 3 : 2);
        assert_int_equal(rg_dataset_n_graphs(data), cases[k].n_graphs);
        assert_int_equal(rg_dataset_n_nodes(data), cases[k].n_nodes);
        assert_int_equal(rg_dataset_n_arcs(data), 0);
        rg_dataset_free(data);
    }
}

/* ---- the brute-force twin: an adjacency matrix */

static void random_lists_agree_with_an_adjacency_matrix(void **state)
{
    (void)state;
    enum { N = 12, LINES = 40 };
    for (uint64_t seed = 0; seed < 200; seed++) {
        /* nodes 1..N belong to graph 1 or 2, in any order; edges stay inside */
        char edges[LINES * 12] = "", indicator[N * 4] = "";
        int graph[N], place[N], size[2] = {0, 0}, lines[N][N] = {{0}};
        for (int i = 0; i < N; i++) {
            graph[i] = (int)rg_random_below(seed, 1, (uint64_t)i, 2);
            place[i] = size[graph[i]]++;
            sprintf(indicator + strlen(indicator), "%d\n", graph[i] + 1);
        }
        for (uint64_t k = 0, n = rg_random_below(seed, 2, 0, LINES); k < n; k++) {
            int a = (int)rg_random_below(seed, 3, k, N), b = (int)rg_random_below(seed, 4, k, N);
            if (graph[a] != graph[b])
                continue;
            lines[a][b]++;
            sprintf(edges + strlen(edges), "%d, %d\n", a + 1, b + 1);
        }
        uint64_t duplicates = 0, loops = 0, one_way = 0, arcs = 0;
        for (int a = 0; a < N; a++)
            for (int b = 0; b < N; b++) {
                if (a == b)
                    loops += (uint64_t)lines[a][a];
                else if (lines[a][b] > 1)
                    duplicates += (uint64_t)lines[a][b] - 1;
                one_way += a != b && lines[a][b] && !lines[b][a];
                arcs += a != b && (lines[a][b] || lines[b][a]);
            }
        pack_file files[] = {{.name = "X_A.txt", .text = edges},
                             {.name = "X_graph_indicator.txt", .text = indicator},
                             {.name = "X_graph_labels.txt", .text = "1\n0\n"}};
        rg_dataset *data = read_files(files, 3);
        const rg_quirks *quirks = rg_dataset_quirks(data);
        assert_int_equal(quirks->duplicate_edges, duplicates);
        assert_int_equal(quirks->self_loops, loops);
        assert_int_equal(quirks->one_way_edges, one_way);
        assert_int_equal(rg_dataset_n_arcs(data), arcs);
        for (int a = 0; a < N; a++)
            for (int b = 0; b < N; b++) {
                if (graph[a] != graph[b])
                    continue;
                rg_graph g = rg_dataset_graph(data, (size_t)graph[a]);
                int found = 0;
                for (uint64_t k = g.row[place[a]]; k < g.row[place[a] + 1]; k++)
                    found += g.col[k] == (uint32_t)place[b];
                assert_int_equal(found, a != b && (lines[a][b] || lines[b][a]));
            }
        rg_dataset_free(data);
    }
}

/* ---- graph by graph, or all mixed: two ways to sort that must agree */

static void edges_of_graphs_may_be_mixed(void **state)
{
    (void)state;
    enum { GRAPHS = 9, N = 5, LINES = 24 };
    for (uint64_t seed = 0; seed < 50; seed++) {
        char lines[GRAPHS][LINES][12], labels[GRAPHS][LINES][4];
        char edges[2][GRAPHS * LINES * 12] = {"", ""}, values[2][GRAPHS * LINES * 4] = {"", ""};
        char indicator[GRAPHS * N * 3] = "";
        for (uint32_t g = 0; g < GRAPHS; g++) {
            for (int i = 0; i < N; i++)
                sprintf(indicator + strlen(indicator), "%u\n", g + 1);
            for (uint32_t k = 0; k < LINES; k++) {
                uint64_t draw = g * LINES + k;
                sprintf(lines[g][k], "%u, %u\n", g * N + 1 + rg_random_below(seed, 1, draw, N),
                        g * N + 1 + rg_random_below(seed, 2, draw, N));
                sprintf(labels[g][k], "%u\n", rg_random_below(seed, 3, draw, 2));
            }
        }
        for (uint32_t k = 0; k < GRAPHS * LINES; k++) {
            strcat(edges[0], lines[k / LINES][k % LINES]);
            strcat(values[0], labels[k / LINES][k % LINES]);
            strcat(edges[1], lines[k % GRAPHS][k / GRAPHS]); /* one of each graph in turn */
            strcat(values[1], labels[k % GRAPHS][k / GRAPHS]);
        }
        for (size_t with_labels = 0; with_labels < 2; with_labels++) {
            rg_dataset *data[2];
            for (int mixed = 0; mixed < 2; mixed++) {
                pack_file files[] = {{.name = "X_A.txt", .text = edges[mixed]},
                                     {.name = "X_graph_indicator.txt", .text = indicator},
                                     {.name = "X_edge_labels.txt", .text = values[mixed]}};
                data[mixed] = read_files(files, 2 + with_labels);
            }
            assert_digests_equal(data[0], data[1]);
            const rg_quirks *a = rg_dataset_quirks(data[0]), *b = rg_dataset_quirks(data[1]);
            assert_int_equal(a->duplicate_edges, b->duplicate_edges);
            assert_int_equal(a->edge_conflicts, b->edge_conflicts);
            assert_int_equal(a->one_way_edges, b->one_way_edges);
            assert_int_equal(a->self_loops, b->self_loops);
            assert_true(a->duplicate_edges > 0 && a->unsorted_edges > 0 && b->unsorted_edges > 0);
            assert_true(!with_labels || a->edge_conflicts > 0);
            rg_dataset_free(data[0]);
            rg_dataset_free(data[1]);
        }
    }
}

/* ---- places */

static void a_set_is_found_in_every_kind_of_place(void **state)
{
    (void)state;
    char *dir = test_directory_make();
    rg_dataset *expected = read_files(whole, N_WHOLE);
    static const char *const folders[] = {"flat", "pyg/raw", "nested/X", "pyg2/X/raw"};
    static const char *const paths[] = {"flat",   "pyg",       "pyg/raw/", "nested", "nested/X",
                                        "flat/X", "pyg/raw/X", "pyg2",     "S.zip",  "S.tar.gz"};
    for (size_t k = 0; k < 4; k++)
        for (size_t f = 0; f < N_WHOLE; f++) {
            char *name = test_format("%s/%s", folders[k], whole[f].name + 2);
            test_write(dir, name, whole[f].text);
            free(name);
        }
    static const char *const kinds[] = {"zip", "tar.gz"};
    for (size_t k = 0; k < 2; k++) {
        packed bytes = pack(kinds[k], whole, N_WHOLE);
        char *name = test_format("S.%s", kinds[k]);
        test_write_bytes(dir, name, bytes.bytes, bytes.n);
        free(name);
        free(bytes.bytes);
    }
    for (size_t k = 0; k < sizeof paths / sizeof *paths; k++) {
        char *path = test_format("%s/%s", dir, paths[k]);
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
        assert_string_equal(rg_dataset_name(data), "X");
        assert_digests_equal(data, expected);
        rg_dataset_free(data);
        free(path);
    }
    rg_dataset_free(expected);
    test_directory_remove(dir);
}

static void one_of_several_sets_is_chosen_by_its_name(void **state)
{
    (void)state;
    char *dir = test_directory_make(), *path = test_format("%s/B", dir);
    test_write(dir, "A_A.txt", "");
    test_write(dir, "A_graph_indicator.txt", "1\n");
    test_write(dir, "B_A.txt", "1, 2\n");
    test_write(dir, "B_graph_indicator.txt", "1\n1\n");
    test_write(dir, "B_B_A.txt", "nonsense\n");
    rg_dataset *data = NULL;
    rg_error why = {""};
    assert_int_equal(rg_dataset_read(&data, dir, NULL, &why), RG_EDATA);
    assert_non_null(strstr(why.message, "found two data sets, 'A' and 'B', expected one"));
    ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
    assert_string_equal(rg_dataset_name(data), "B");
    assert_int_equal(rg_dataset_n_nodes(data), 2);
    assert_int_equal(rg_dataset_quirks(data)->ignored_files, 0);
    rg_dataset_free(data);
    data = NULL;
    path[strlen(path) - 1] = 'C';
    assert_int_equal(rg_dataset_read(&data, path, NULL, &why), RG_EIO);
    char *message = test_format("cannot open '%s': No such file or directory", path);
    assert_string_equal(why.message, message);
    assert_null(data);
    free(message);
    free(path);
    test_directory_remove(dir);
}

static void a_place_without_a_set_says_what_was_expected(void **state)
{
    (void)state;
    char *dir = test_directory_make();
    test_write(dir, "notes.txt", "nothing\n");
    rg_dataset *data = NULL;
    rg_error why = {""};
    assert_int_equal(rg_dataset_read(&data, dir, NULL, &why), RG_EDATA);
    assert_non_null(strstr(why.message, "found no data set, expected NAME_A.txt and "
                                        "NAME_graph_indicator.txt, NAME_Nodes.txt"));
    rg_read_options options = rg_read_options_default();
    options.format = RG_FORMAT_GRAPH6;
    assert_int_equal(rg_dataset_read(&data, dir, &options, &why), RG_EDATA);
    assert_non_null(strstr(why.message, "found no data set, expected a .g6 file"));
    assert_null(data);
    test_directory_remove(dir);
}

static void options_are_checked_and_formats_have_names(void **state)
{
    (void)state;
    rg_read_options options = rg_read_options_default();
    ASSERT_OK(rg_read_options_check(&options, err));
    options.max_ratio = 0;
    rg_error why = {""};
    rg_dataset *data = NULL;
    assert_int_equal(rg_dataset_read(&data, ".", &options, &why), RG_EUSAGE);
    assert_string_equal(why.message, "max_ratio: found 0, expected at least 1");
    options = rg_read_options_default();
    options.format = RG_N_FORMATS;
    assert_int_equal(rg_read_options_check(&options, &why), RG_EUSAGE);
    for (int k = 0; k < RG_N_FORMATS; k++)
        assert_int_equal(rg_format_find(rg_format_name((rg_format)k)), k);
    assert_int_equal(rg_format_find("xml"), RG_NO_FORMAT);
}

static rg_status read_path(void *context, rg_error *err)
{
    rg_dataset *data = NULL;
    rg_status status = rg_dataset_read(&data, context, NULL, err);
    rg_dataset_free(data);
    return status;
}

static void reading_survives_every_failed_allocation_and_read(void **state)
{
    (void)state;
    char *dir = test_directory_make(), *zip = test_format("%s/X.zip", dir);
    char *folder = test_format("%s/X", dir);
    packed bytes = pack("zip", whole, N_WHOLE);
    test_write_bytes(dir, "X.zip", bytes.bytes, bytes.n);
    for (size_t k = 0; k < N_WHOLE; k++)
        test_write(dir, whole[k].name, whole[k].text);
    assert_true(test_allocation_sweep(read_path, zip) > 50);
    assert_true(test_allocation_sweep(read_path, folder) > 50);
    assert_true(test_io_sweep(read_path, zip) > 1);
    assert_true(test_io_sweep(read_path, folder) > N_WHOLE);
    free(bytes.bytes);
    free(zip);
    free(folder);
    test_directory_remove(dir);
}

/* ---- real sets: an independent count (a script with sets over the texts) */

static void real_sets_have_the_known_counts(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t graphs;
        uint64_t nodes, edges, duplicates, loops, isolated;
    } sets[] = {
        {"NCI1.zip", 4110, 122747, 132753, 0, 0, 428},
        {"Mutagenicity.zip", 4337, 131488, 133447, 0, 0, 2401},
        {"IMDB-BINARY.zip", 1000, 19773, 96531, 193062, 0, 0},
        {"MUTAG.zip", 188, 3371, 3721, 0, 0, 0},
        {"CSL.zip", 150, 6150, 12300, 0, 0, 0},
    };
    size_t seen = 0;
    for (size_t k = 0; k < sizeof sets / sizeof *sets; k++) {
        char *path = test_data(sets[k].name);
        if (!path)
            continue;
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
        assert_int_equal(rg_dataset_n_graphs(data), sets[k].graphs);
        assert_int_equal(rg_dataset_n_nodes(data), sets[k].nodes);
        assert_int_equal(rg_dataset_n_arcs(data), 2 * sets[k].edges);
        assert_int_equal(rg_dataset_quirks(data)->duplicate_edges, sets[k].duplicates);
        assert_int_equal(rg_dataset_quirks(data)->self_loops, sets[k].loops);
        assert_int_equal(rg_dataset_quirks(data)->isolated_nodes, sets[k].isolated);
        rg_dataset_free(data);
        free(path);
        seen++;
    }
    if (!seen)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_in_the_files_is_in_the_set),
        cmocka_unit_test(the_order_of_files_means_nothing),
        cmocka_unit_test(how_lines_are_written_means_nothing),
        cmocka_unit_test(sets_without_nodes_edges_or_graphs_are_sets),
        cmocka_unit_test(random_lists_agree_with_an_adjacency_matrix),
        cmocka_unit_test(edges_of_graphs_may_be_mixed),
        cmocka_unit_test(a_set_is_found_in_every_kind_of_place),
        cmocka_unit_test(one_of_several_sets_is_chosen_by_its_name),
        cmocka_unit_test(a_place_without_a_set_says_what_was_expected),
        cmocka_unit_test(options_are_checked_and_formats_have_names),
        cmocka_unit_test(reading_survives_every_failed_allocation_and_read),
        cmocka_unit_test(real_sets_have_the_known_counts),
    };
    return cmocka_run_group_tests_name("tu", tests, NULL, NULL);
}
