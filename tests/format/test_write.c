/* test_write.c - what is written reads back as the same set, and is the same bytes each time. */
#define _GNU_SOURCE
#include "base/alloc.h"
#include "base/random.h"
#include "graph/raw.h"
#include "mangled.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>

static rg_dataset *read_back(const char *path, rg_format format)
{
    rg_dataset *data = NULL;
    rg_read_options options = rg_read_options_default();
    options.format = format;
    ASSERT_OK(rg_dataset_read(&data, path, &options, err));
    return data;
}

/* How many of NAME_*.txt there are, and that each is the same in both directories. */
static size_t assert_same_files(const char *a, const char *b)
{
    size_t n = 0;
    DIR *list = opendir(a);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));) {
        if (entry->d_name[0] == '.')
            continue;
        char *path = test_format("%s/%s", a, entry->d_name);
        char *other = test_format("%s/%s", b, entry->d_name);
        size_t size, other_size;
        char *text = test_read(path, &size), *other_text = test_read(other, &other_size);
        assert_int_equal(size, other_size);
        assert_memory_equal(text, other_text, size);
        free(path);
        free(other);
        free(text);
        free(other_text);
        n++;
    }
    closedir(list);
    return n;
}

/* read-write-read gives the same digest, write-read-write the same bytes. */
static void assert_round_trip(const rg_dataset *data, rg_format format)
{
    char *dir = test_directory_make();
    char *first = test_format("%s/1", dir), *second = test_format("%s/2", dir);
    char digest[RG_DIGEST_SIZE], again[RG_DIGEST_SIZE];
    ASSERT_OK(rg_dataset_write(data, first, NULL, format, err));
    rg_dataset *copy = read_back(first, format);
    rg_dataset_digest(data, digest);
    rg_dataset_digest(copy, again);
    assert_string_equal(digest, again);
    assert_string_equal(rg_dataset_name(copy), rg_dataset_name(data));
    assert_int_equal(rg_dataset_quirks(copy)->unsorted_edges, 0);
    assert_int_equal(rg_dataset_quirks(copy)->duplicate_edges, 0);
    ASSERT_OK(rg_dataset_write(copy, second, NULL, format, err));
    assert_true(assert_same_files(first, second) >= 2);
    rg_dataset_free(copy);
    free(first);
    free(second);
    test_directory_remove(dir);
}

typedef struct draws {
    uint64_t seed, index;
} draws;

static uint32_t below(draws *d, uint32_t n)
{
    return rg_random_below(d->seed, 1, d->index++, n);
}

static void random_ints(rg_int_rows *rows, size_t n_rows, size_t n, bool missing, draws *d)
{
    for (size_t k = 0; n && k < n_rows; k++) {
        int64_t *row = rg_int_rows_add(rows, n);
        assert_non_null(row);
        for (size_t c = 0; c < n; c++) {
            row[c] = (int64_t)below(d, 5) * -1000000007;
            if (missing && below(d, 5) == 0)
                row[c] = RG_MISSING;
        }
    }
}

static void random_reals(rg_real_rows *rows, size_t n_rows, size_t n, draws *d)
{
    for (size_t k = 0; n && k < n_rows; k++) {
        double *row = rg_real_rows_add(rows, n);
        assert_non_null(row);
        for (size_t c = 0; c < n; c++) {
            int power = (int)below(d, 40) - 20;
            row[c] = rg_random_normal(d->seed, 2, d->index) * pow(10, power);
            if (below(d, 7) == 0)
                row[c] = NAN;
        }
    }
}

/* columns[kind]: how many of each; classes and real values are missing here and there. */
static rg_dataset *random_set(uint64_t seed, const size_t columns[RG_N_COLUMN_KINDS])
{
    rg_raw raw = {.name = rg_copy_text("R", 1)};
    draws d = {seed, 0};
    raw.n_graphs = 1 + below(&d, 6);
    for (size_t g = 0; g < raw.n_graphs; g++)
        for (uint32_t n = below(&d, 6); n > 0; n--)
            assert_true(rg_raw_add_node(&raw, (uint32_t)g));
    for (uint32_t k = 0; k < 30 && raw.n_nodes; k++) {
        uint32_t a = below(&d, (uint32_t)raw.n_nodes), b = below(&d, (uint32_t)raw.n_nodes);
        if (raw.node_graph[a] == raw.node_graph[b])
            assert_true(rg_raw_add_pair(&raw, a, b));
    }
    random_ints(&raw.node_labels, raw.n_nodes, columns[RG_NODE_LABEL], false, &d);
    random_ints(&raw.edge_labels, raw.n_pairs, columns[RG_EDGE_LABEL], false, &d);
    random_ints(&raw.classes, raw.n_graphs, columns[RG_CLASS], true, &d);
    random_reals(&raw.node_attributes, raw.n_nodes, columns[RG_NODE_ATTRIBUTE], &d);
    random_reals(&raw.edge_attributes, raw.n_pairs, columns[RG_EDGE_ATTRIBUTE], &d);
    random_reals(&raw.targets, raw.n_graphs, columns[RG_TARGET], &d);
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

static void random_sets_survive_the_round_trip_in_both_formats(void **state)
{
    (void)state;
    enum { N_PLAIN = 5 }; /* so many have no attributes */
    static const size_t shapes[][RG_N_COLUMN_KINDS] = {
        /* node labels, edge labels, node attributes, edge attributes, classes, targets */
        {0, 0, 0, 0, 1, 0}, {1, 0, 0, 0, 1, 0}, {1, 1, 0, 0, 1, 0}, {2, 3, 0, 0, 2, 0},
        {1, 0, 0, 0, 0, 2}, {1, 1, 2, 3, 1, 0}, {0, 0, 1, 1, 0, 1}, {2, 2, 2, 2, 2, 2},
    };
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            rg_dataset *data = random_set(100 * k + seed, shapes[k]);
            assert_round_trip(data, RG_FORMAT_TU);
            if (k < N_PLAIN)
                assert_round_trip(data, RG_FORMAT_THREE);
            rg_dataset_free(data);
        }
}

static rg_dataset *small_set(void)
{
    static const pack_file files[] = {
        {.name = "X_A.txt", .text = "2, 1\n2, 3\n3, 2\n5, 4\n4, 5\n4, 5\n4, 4\n"},
        {.name = "X_graph_indicator.txt", .text = "1\n1\n1\n3\n3\n3\n"},
        {.name = "X_graph_labels.txt", .text = "-1\n1\nnan\n"},
        {.name = "X_node_labels.txt", .text = "7, 0\n9, 0\n7, 1\n8, 0\n8, 0\n7, 5\n"},
        {.name = "X_edge_labels.txt", .text = "4\n2\n2\n4\n4\n4\n4\n"}};
    rg_dataset *data = NULL;
    packed bytes = pack("tar", files, sizeof files / sizeof *files);
    ASSERT_OK(mangled_read(&data, &bytes, "X.tar", err));
    free(bytes.bytes);
    return data;
}

static void assert_file(const char *dir, const char *name, const char *expected)
{
    char *path = test_format("%s/%s", dir, name), *text = test_read(path, NULL);
    assert_string_equal(text, expected);
    free(path);
    free(text);
}

static void files_hold_what_the_formats_say(void **state)
{
    (void)state;
    char *dir = test_directory_make();
    rg_dataset *data = small_set();
    ASSERT_OK(rg_dataset_write(data, dir, "Y", RG_FORMAT_TU, err));
    assert_file(dir, "Y_A.txt", "1, 2\n2, 1\n2, 3\n3, 2\n4, 5\n5, 4\n");
    assert_file(dir, "Y_graph_indicator.txt", "1\n1\n1\n3\n3\n3\n");
    assert_file(dir, "Y_graph_labels.txt", "-1\n1\nnan\n");
    assert_file(dir, "Y_node_labels.txt", "7, 0\n9, 0\n7, 1\n8, 0\n8, 0\n7, 5\n");
    assert_file(dir, "Y_edge_labels.txt", "4\n4\n2\n2\n4\n4\n");
    ASSERT_OK(rg_dataset_write(data, dir, "Z", RG_FORMAT_THREE, err));
    assert_file(dir, "Z_Nodes.txt", "0 0 7 0\n0 1 9 0\n0 2 7 1\n2 0 8 0\n2 1 8 0\n2 2 7 5\n");
    assert_file(dir, "Z_Edges.txt", "0 0 1 4\n0 1 2 2\n2 0 1 4\n");
    assert_file(dir, "Z_Labels.txt", "0 -1\n1 1\n2 nan\n");
    rg_dataset_free(data);
    test_directory_remove(dir);
}

/* ---- what a format has no words for */

static rg_dataset *set_of(const char *indicator, const char *edges, const char *file,
                          const char *text)
{
    pack_file files[] = {{.name = "X_A.txt", .text = edges},
                         {.name = "X_graph_indicator.txt", .text = indicator},
                         {.name = file, .text = text}};
    rg_dataset *data = NULL;
    packed bytes = pack("tar", files, file ? 3 : 2);
    ASSERT_OK(mangled_read(&data, &bytes, "X.tar", err));
    free(bytes.bytes);
    return data;
}

static void what_a_format_cannot_say_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text;
        rg_format format;
        const char *message; /* NULL: fine */
    } cases[] = {
        {"X_node_attributes.txt", "1\n2\n", RG_FORMAT_TU, NULL},
        {"X_node_attributes.txt", "1\n2\n", RG_FORMAT_THREE,
         "'X': the format three has no place for attributes"},
        {"X_edge_attributes.txt", "1\n2\n", RG_FORMAT_THREE,
         "'X': the format three has no place for attributes"},
        {"X_graph_attributes.txt", "1\n2\n", RG_FORMAT_TU, NULL},
        {"X_graph_attributes.txt", "1\n2\n", RG_FORMAT_THREE,
         "'X': the format three cannot tell real-valued targets that are all whole numbers from "
         "classes"},
        {"X_graph_attributes.txt", "1\n2.5\n", RG_FORMAT_THREE, NULL},
        {"X_graph_labels.txt", "1\n2\n", RG_FORMAT_GRAPH6,
         "format graph6: found one that is only read, expected tu, three, smi or sdf"},
        {"X_graph_labels.txt", "1\n2\n", RG_FORMAT_AUTO,
         "format auto: found one that is only read, expected tu, three, smi or sdf"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *dir = test_directory_make();
        rg_dataset *data = set_of("1\n2\n", "1, 1\n2, 2\n", cases[k].file, cases[k].text);
        /* an edge attribute needs an edge */
        if (strstr(cases[k].file, "edge")) {
            rg_dataset_free(data);
            data = set_of("1\n1\n", "1, 2\n2, 1\n", cases[k].file, cases[k].text);
        }
        rg_error why = {""};
        rg_status status = rg_dataset_write(data, dir, NULL, cases[k].format, &why);
        assert_int_equal(status, cases[k].message ? RG_EUSAGE : RG_OK);
        assert_string_equal(why.message, cases[k].message ? cases[k].message : "");
        rg_dataset_free(data);
        test_directory_remove(dir);
    }
}

static void the_number_of_graphs_is_never_lost(void **state)
{
    (void)state;
    char *dir = test_directory_make();
    rg_error why = {""};
    rg_raw raw = {.name = rg_copy_text("E", 1),
                  .n_graphs = 3}; /* only the first has a node; no targets */
    assert_true(rg_raw_add_node(&raw, 0));
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    assert_int_equal(rg_dataset_write(data, dir, NULL, RG_FORMAT_TU, &why), RG_EUSAGE);
    assert_non_null(strstr(why.message, "cannot tell how many graphs"));
    ASSERT_OK(rg_dataset_write(data, dir, NULL, RG_FORMAT_THREE, err));
    assert_file(dir, "E_Labels.txt", "0\n1\n2\n");
    rg_dataset_free(data);
    test_directory_remove(dir);
}

static void names_that_would_leave_the_directory_are_refused(void **state)
{
    (void)state;
    static const char *const names[] = {"", "a/b", "../x", "/x", ".x"};
    char *dir = test_directory_make();
    rg_dataset *data = small_set();
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        rg_error why = {""};
        assert_int_equal(rg_dataset_write(data, dir, names[k], RG_FORMAT_TU, &why), RG_EUSAGE);
        assert_non_null(strstr(why.message, "has no '/'"));
    }
    rg_dataset_free(data);
    test_directory_remove(dir);
}

/* ---- failures */

typedef struct writing {
    const rg_dataset *data;
    const char *directory;
    rg_format format;
} writing;

static rg_status write_once(void *context, rg_error *err)
{
    const writing *w = context;
    return rg_dataset_write(w->data, w->directory, NULL, w->format, err);
}

static void writing_survives_every_failure(void **state)
{
    (void)state;
    rg_dataset *data = small_set();
    for (int format = RG_FORMAT_TU; format <= RG_FORMAT_THREE; format++) {
        char *dir = test_directory_make(), *below = test_format("%s/a/b", dir);
        writing w = {data, below, (rg_format)format};
        assert_true(test_allocation_sweep(write_once, &w) > 10);
        assert_true(test_io_sweep(write_once, &w) > 10);
        /* nothing half-written is left */
        DIR *list = opendir(below);
        assert_non_null(list);
        size_t n = 0;
        for (struct dirent *entry; (entry = readdir(list));) {
            size_t m = strlen(entry->d_name);
            if (entry->d_name[0] == '.')
                continue;
            assert_string_equal(entry->d_name + m - 4, ".txt");
            n++;
        }
        closedir(list);
        assert_int_equal(n, format == RG_FORMAT_TU ? 5 : 3);
        free(below);
        test_directory_remove(dir);
    }
    rg_dataset_free(data);
}

static void real_sets_survive_the_round_trip(void **state)
{
    (void)state;
    static const char *const names[] = {"MUTAG.zip", "ENZYMES.zip", "IMDB-BINARY.zip", "DHFR.zip"};
    size_t seen = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char *path = test_data(names[k]);
        if (!path)
            continue;
        rg_dataset *data = read_back(path, RG_FORMAT_AUTO);
        assert_round_trip(data, RG_FORMAT_TU);
        if (!rg_dataset_n_columns(data, RG_NODE_ATTRIBUTE))
            assert_round_trip(data, RG_FORMAT_THREE);
        rg_dataset_free(data);
        free(path);
        seen++;
    }
    if (!seen)
        skip();
}

static void a_set_of_the_same_name_is_replaced_with_all_its_files(void **state)
{
    (void)state;
    char *dir = test_directory_make(), *path = NULL;
    test_write(dir, "old/S_A.txt", "1, 2\n2, 1\n");
    test_write(dir, "old/S_graph_indicator.txt", "1\n1\n");
    test_write(dir, "out/S_node_labels.txt", "7\n8\n"); /* of an earlier set */
    test_write(dir, "out/S_edge_attributes.txt", "0.5\n0.5\n");
    test_write(dir, "out/Other_node_labels.txt", "1\n");
    rg_dataset *data = NULL, *again = NULL;
    char *from = test_format("%s/old", dir), *to = test_format("%s/out", dir);
    ASSERT_OK(rg_dataset_read(&data, from, NULL, err));
    ASSERT_OK(rg_dataset_write(data, to, NULL, RG_FORMAT_TU, err));
    path = test_format("%s/S", to);
    ASSERT_OK(rg_dataset_read(&again, path, NULL, err));
    assert_int_equal(rg_dataset_n_columns(again, RG_NODE_LABEL), 0);
    assert_int_equal(rg_dataset_n_columns(again, RG_EDGE_ATTRIBUTE), 0);
    free(path);
    path = test_format("%s/Other_node_labels.txt", to);
    free(test_read(path, NULL)); /* still there */
    rg_dataset_free(data);
    rg_dataset_free(again);
    free(path);
    free(from);
    free(to);
    test_directory_remove(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_sets_survive_the_round_trip_in_both_formats),
        cmocka_unit_test(files_hold_what_the_formats_say),
        cmocka_unit_test(what_a_format_cannot_say_is_refused),
        cmocka_unit_test(a_set_of_the_same_name_is_replaced_with_all_its_files),
        cmocka_unit_test(the_number_of_graphs_is_never_lost),
        cmocka_unit_test(names_that_would_leave_the_directory_are_refused),
        cmocka_unit_test(writing_survives_every_failure),
        cmocka_unit_test(real_sets_survive_the_round_trip),
    };
    return cmocka_run_group_tests_name("write", tests, NULL, NULL);
}
