/* test_pair_table.c - tables of pairs: entries, files of every form, functions, and what is no table. */
#include "support/graphs.h"

#include "property/pair_table.h"

#include <stdio.h>

/* ---- entries */

static void numbers_are_found_again(void **state)
{
    static const rg_pair_entry entries[] = {
        {1, 2, 0, 5}, {0, 0, 1, -3}, {1, 0, 3, 7}, {1, 2, 1, 0}, {0, 0, 0, INT64_MAX}};
    rg_pair_table *t = NULL, *copy = NULL;
    (void)state;
    ASSERT_OK(rg_pair_table_new(&t, entries, 5, 2, 3, 0, 0, err));
    ASSERT_OK(rg_pair_table_copy(&copy, t, err));
    rg_pair_table_free(t);
    rg_pair_info info = rg_pair_table_describe(copy);
    assert_true(info.per_sample && !info.exact && info.n_places == 2);
    assert_int_equal(info.n_samples, 3);
    assert_int_equal(info.n_entries, 4); /* a zero is no entry */
    assert_true(info.lowest == -3 && info.highest == INT64_MAX);
    for (uint32_t s = 0; s < 5; s++)
        for (uint32_t i = 0; i < 5; i++)
            for (uint32_t j = 0; j < 5; j++) {
                int64_t expected = 0;
                for (size_t k = 0; k < 5; k++)
                    if (entries[k].sample == s && entries[k].i == i && entries[k].j == j)
                        expected = entries[k].value;
                assert_true(rg_pair_table_value(copy, s, i, j) == expected);
            }
    uint64_t first;
    assert_int_equal(rg_pair_table_row(copy, 0, 0, &first), 2);
    assert_int_equal(rg_pair_table_row(copy, 1, 1, &first), 0);
    assert_int_equal(rg_pair_table_row(copy, 9, 0, &first), 0);
    rg_pair_table_free(copy);
}

static void entries_that_make_no_sense_are_refused(void **state)
{
    static const struct {
        rg_pair_entry entries[2];
        int n_places;
        size_t n_samples;
        uint32_t rows, cols;
        const char *message;
    } cases[] = {
        {{{0, 1, 2, 3}, {0, 1, 2, 3}}, 2, 0, 0, 0, "found the pair (1, 2) of sample 0 twice"},
        {{{0, 1, 2, 3}, {1, 1, 2, 3}}, 2, 0, 0, 0, "found sample 1, expected a number below 1"},
        {{{0, 1, 2, 3}, {2, 1, 2, 3}}, 2, 2, 0, 0, "found sample 2, expected a number below 2"},
        {{{0, 1, 2, 3}, {0, 4, 1, 3}}, 2, 0, 4, 4, "found the pair (4, 1), expected less than 4"},
        {{{0, 1, 2, 3}, {0, 2, 0, 3}}, 1, 0, 0, 0, "found the pair (1, 2), expected less than"},
        {{{0, 1, 0, 3}, {0, 2, 0, INT64_MIN}}, 1, 0, 0, 0, "found -2^63"},
        {{{0, 1, 0, 3}, {0, 2, 0, 1}}, 3, 0, 0, 0, "found 3 places, expected 1 or 2"},
        {{{0, 1, 0, 3}, {0, 2, 0, 1}}, 2, 0, 0, 4, "found 0 rows, 4 columns"},
        {{{0, UINT32_MAX, 0, 3}, {0, 2, 0, 1}}, 2, 0, 0, 0, "found the pair (4294967295, 0)"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_pair_table *t = NULL;
        ASSERT_REFUSED(rg_pair_table_new(&t, cases[k].entries, 2, cases[k].n_places,
                                         cases[k].n_samples, cases[k].rows, cases[k].cols, err),
                       RG_EUSAGE, cases[k].message);
    }
}

/* ---- files */

static rg_status read_text(rg_pair_table **out, const char *text, rg_error *err)
{
    rg_reader *in = NULL;
    rg_status status = rg_reader_memory(&in, "f", text, strlen(text), err);
    if (!status)
        status = rg_pair_table_from(out, in, false, err);
    rg_reader_close(in);
    return status;
}

/* A table in words: "P places, S samples, exact: RxC ..., then every entry s:i,j=v". */
static char *words_of(const rg_pair_table *t)
{
    char *text = test_format("%d %s%s", t->info.n_places, t->info.per_sample ? "samples" : "all",
                             t->info.exact ? " exact" : "");
    for (size_t s = 0; s < t->info.n_samples; s++) {
        char *longer = test_format("%s %ux%u", text, t->rows[s], t->cols[s]);
        free(text);
        text = longer;
        for (uint64_t k = t->start[s]; k < t->start[s + 1]; k++) {
            longer = test_format("%s %u,%u=%lld", text, (unsigned)(t->key[k] >> 32),
                                 (unsigned)t->key[k], (long long)t->value[k]);
            free(text);
            text = longer;
        }
    }
    return text;
}

static void files_have_several_forms(void **state)
{
    static const struct {
        const char *text, *words;
    } cases[] = {
        {"1 0 2\n0 -3 3\n", "2 all exact 2x3 0,0=1 0,2=2 1,1=-3 1,2=3"},
        {"1, 0\r\n0, 4", "2 all exact 2x2 0,0=1 1,1=4"},
        {"7\n0\n8\n", "2 all exact 3x1 0,0=7 2,0=8"},
        {"1 2\n\n0\n\n\n3 4\n5 6\n", "2 samples exact 1x2 0,0=1 0,1=2 1x1 2x2 0,0=3 0,1=4 1,0=5 "
                                     "1,1=6"},
        {"0\n", "2 all exact 1x1"},
        {"i,j,value\n3,0,1\n0,2,5\n", "2 all 4x3 0,2=5 3,0=1"},
        {"i value\n2 9\n0 0\n", "1 all 3x1 2,0=9"},
        {"sample,i,j,value\n2,0,1,4\n\n0,1,0,3\n", "2 samples 2x1 1,0=3 0x0 1x2 0,1=4"},
        {"sample,i,value\n1,1,4\n", "1 samples 0x0 2x1 1,0=4"},
        {"i,j,value\n", "2 all 0x0"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_pair_table *t = NULL;
        ASSERT_OK(read_text(&t, cases[k].text, err));
        char *words = words_of(t);
        assert_string_equal(words, cases[k].words);
        free(words);
        rg_pair_table_free(t);
    }
}

static void mangled_files_are_told_by_line(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "f: found nothing, expected rows of numbers"},
        {"\n\n", "f: found nothing, expected rows of numbers"},
        {"1 2\n3\n", "f:2: found 1 numbers, expected 2 as in the rows before"},
        {"1 2\n3 4 5\n", "f:2: found 3 numbers, expected 2 as in the rows before"},
        {"1 x\n", "f:1:3: found 'x', expected a whole number"},
        {"1 2.5\n", "f:1:3: found '2.5', expected a whole number"},
        {"1,\n", "f:1:3: found the end of the line, expected a whole number"},
        {"1 9223372036854775808\n", "f:1:3: found '9223372036854775808', expected a whole number"},
        {"1 -9223372036854775808\n", "f:1: found -2^63, expected a larger number"},
        {"row,col,value\n",
         "f:1: found the column 'row', expected the columns sample, i, j and value"},
        {"i,j\n0,1\n", "f:1: found no column 'value'"},
        {"sample,j,value\n", "f:1: found no column 'i'"},
        {"i,sample,value\n", "f:1: found the column 'sample'"},
        {"i,i,value\n", "f:1: found the column 'i'"},
        {"i,j,value\n0,1\n", "f:2:4: found the end of the line, expected a whole number"},
        {"i,j,value\n0,1,2,3\n", "f:2:7: found '3', expected the end of the line"},
        {"i,j,value\n-1,1,2\n", "f:2: found -1, expected a place i, from 0"},
        {"i,j,value\n1,4294967295,2\n", "f:2: found 4294967295, expected a place j, from 0"},
        {"sample,i,j,value\n4294967294,1,1,2\n",
         "f:2: found 4294967294, expected a sample, from 0"},
        {"sample,i,j,value\n", "f: found no samples, expected some"},
        {"i,j,value\n0,1,2\n3,1,2\n0,1,2\n", "f: pairs: found the pair (0, 1) of sample 0 twice"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_pair_table *t = NULL;
        rg_error err = {""};
        assert_int_equal(read_text(&t, cases[k].text, &err), RG_EDATA);
        if (strncmp(err.message, cases[k].message, strlen(cases[k].message)) != 0)
            fail_msg("case %zu: '%s', expected '%s'", k, err.message, cases[k].message);
        assert_null(t);
    }
}

/* A .npy file of version 1: head, then the bytes. */
static void write_npy(const char *directory, const char *name, const char *descr, const char *shape,
                      const char *order, const void *bytes, size_t n)
{
    char head[128];
    memset(head, ' ', 128);
    memcpy(head, "\x93NUMPY\x01\x00\x76\x00", 10);
    char *text =
        test_format("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, order, shape);
    memcpy(head + 10, text, strlen(text));
    head[127] = '\n';
    free(text);
    char *whole = malloc(128 + n);
    assert_non_null(whole);
    memcpy(whole, head, 128);
    memcpy(whole + 128, bytes, n);
    test_write_bytes(directory, name, whole, 128 + n);
    free(whole);
}

static void arrays_of_numpy_are_tables(void **state)
{
    static const int32_t numbers[] = {1, 0, 2, 0, -3, 3};
    static const int64_t least[] = {INT64_MIN, 1};
    static const float reals[] = {1, 2};
    static const struct {
        const char *descr, *shape, *order;
        const void *bytes;
        size_t n;
        const char *words; /* or the message */
    } cases[] = {
        {"<i4", "(2, 3)", "False", numbers, 24, "2 all exact 2x3 0,0=1 0,2=2 1,1=-3 1,2=3"},
        {"<i4", "(2, 3)", "True", numbers, 24, "2 all exact 2x3 0,0=1 0,1=2 0,2=-3 1,2=3"},
        {"<i4", "(6,)", "False", numbers, 24, "1 all exact 6x1 0,0=1 2,0=2 4,0=-3 5,0=3"},
        {"<i4", "(2, 1, 3)", "False", numbers, 24,
         "2 samples exact 1x3 0,0=1 0,2=2 1x3 0,1=-3 0,2=3"},
        {"<f4", "(2,)", "False", reals, 8, "found 1 dimensions of real numbers, expected [i], "},
        {"<i4", "(1, 1, 2, 3)", "False", numbers, 24, "found 4 dimensions of whole numbers"},
        {"<i4", "(0, 3)", "False", numbers, 0, "found a dimension of 0, expected 1 or more"},
        {"<i8", "(2,)", "False", least, 16, "number 0 is out of range"},
        {"<u8", "(2,)", "False", least, 16, "number 0 is out of range"},
        {"<i4", "(2, 3)", "False", numbers, 20, ""},
    };
    char *directory = test_directory_make(), *path = test_format("%s/t.npy", directory);
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_pair_table *t = NULL;
        rg_error err = {""};
        write_npy(directory, "t.npy", cases[k].descr, cases[k].shape, cases[k].order,
                  cases[k].bytes, cases[k].n);
        rg_status status = rg_pair_table_read(&t, path, &err);
        char *words = status ? NULL : words_of(t);
        if (status ? status != RG_EDATA || !strstr(err.message, cases[k].words)
                   : strcmp(words, cases[k].words) != 0)
            fail_msg("case %zu: %d '%s', expected '%s'", k, (int)status,
                     status ? err.message : words, cases[k].words);
        free(words);
        rg_pair_table_free(t);
    }
    rg_pair_table *t = NULL;
    ASSERT_REFUSED(rg_pair_table_read(&t, "/none/t.csv", err), RG_EIO, "/none/t.csv");
    test_directory_remove(directory);
    free(path);
}

/* ---- functions */

static rg_status distance(void *context, size_t sample, uint32_t i, uint32_t j, int64_t *out,
                          rg_error *err)
{
    const uint32_t *wrong = context;
    if (wrong && i == *wrong) {
        snprintf(err->message, sizeof err->message, "no number for %u", i);
        return RG_EDATA;
    }
    if (i == 77)
        return RG_EFAIL;
    *out = (int64_t)i - (int64_t)j + (int64_t)sample;
    return RG_OK;
}

static void functions_are_asked_for_every_pair(void **state)
{
    rg_dataset *data = test_random_set(4, 6, 3);
    rg_pair_table *t = NULL;
    uint32_t wrong = 1;
    (void)state;
    ASSERT_OK(rg_pair_table_of_graphs(&t, data, 2, distance, NULL, err));
    assert_int_equal(rg_pair_table_describe(t).n_samples, 4);
    for (size_t g = 0; g < 4; g++) {
        uint32_t n = rg_dataset_graph(data, g).n_nodes;
        assert_int_equal(t->rows[g], n);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                assert_true(rg_pair_table_value(t, g, i, j) ==
                            (int64_t)i - (int64_t)j + (int64_t)g);
    }
    rg_pair_table_free(t);
    ASSERT_OK(rg_pair_table_of_shape(&t, 0, 3, 5, 2, distance, NULL, err));
    assert_true(!t->info.per_sample && t->info.exact && t->rows[0] == 3 && t->cols[0] == 5);
    assert_int_equal(rg_pair_table_value(t, 99, 2, 0), 2);
    rg_pair_table_free(t);
    ASSERT_OK(rg_pair_table_of_shape(&t, 2, 3, 5, 1, distance, NULL, err));
    assert_true(t->info.per_sample && t->cols[1] == 1 && t->info.n_places == 1);
    rg_pair_table_free(t);
    t = NULL;
    ASSERT_REFUSED(rg_pair_table_of_shape(&t, 2, 3, 5, 2, distance, &wrong, err), RG_EDATA,
                   "pairs: sample 0, place 1, 0: no number for 1");
    ASSERT_REFUSED(rg_pair_table_of_shape(&t, 0, 80, 1, 2, distance, NULL, err), RG_EFAIL,
                   "pairs: sample 0, place 77, 0: the function failed");
    ASSERT_REFUSED(rg_pair_table_of_shape(&t, 0, 0, 1, 2, distance, NULL, err), RG_EUSAGE,
                   "found 0 rows and 1 columns, expected some");
    ASSERT_REFUSED(rg_pair_table_of_graphs(&t, data, 0, distance, NULL, err), RG_EUSAGE,
                   "found 0 places, expected 1 or 2");
    rg_dataset_free(data);
}

/* ---- memory */

static rg_status read_all(void *context, rg_error *err)
{
    rg_pair_table *a = NULL, *b = NULL, *c = NULL;
    (void)context;
    rg_status status = read_text(&a, "sample,i,j,value\n1,1,1,1\n0,0,0,2\n", err);
    if (!status)
        status = read_text(&b, "1 2\n\n3\n", err);
    if (!status)
        status = rg_pair_table_of_shape(&c, 0, 2, 2, 2, distance, NULL, err);
    rg_pair_table_free(a);
    rg_pair_table_free(b);
    rg_pair_table_free(c);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(read_all, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_found_again),
        cmocka_unit_test(entries_that_make_no_sense_are_refused),
        cmocka_unit_test(files_have_several_forms),
        cmocka_unit_test(mangled_files_are_told_by_line),
        cmocka_unit_test(arrays_of_numpy_are_tables),
        cmocka_unit_test(functions_are_asked_for_every_pair),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
