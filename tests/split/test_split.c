/* test_split.c - split files: reading, writing, checking. */
#include "graph/raw.h"
#include "split/parts.h"
#include "support/support.h"
#include "text/reader.h"

#include <jansson.h>
#include <string.h>

/* A set of n graphs without nodes, of these classes (NULL: none). Owned. */
static rg_dataset *set_of(size_t n, const int64_t *classes)
{
    rg_raw raw = {.n_graphs = n};
    rg_dataset *data = NULL;
    for (size_t k = 0; classes && k < n; k++) {
        int64_t *row = rg_int_rows_add(&raw.classes, 1);
        assert_non_null(row);
        *row = classes[k];
    }
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

static rg_status read_bytes(rg_splits **out, const char *text, size_t n, rg_error *err)
{
    rg_reader *in = NULL;
    rg_status status = rg_reader_memory(&in, "s.json", text, n, err);
    if (!status)
        status = rg_splits_take(out, in, err);
    rg_reader_close(in);
    return status;
}

static rg_splits *read_text(const char *text)
{
    rg_splits *splits = NULL;
    ASSERT_OK(read_bytes(&splits, text, strlen(text), err));
    return splits;
}

#define PART(...)                                                                             \
    (rg_part)                                                                                 \
    {                                                                                         \
        (const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t) \
    }

static void assert_part(rg_part part, rg_part expected)
{
    assert_int_equal(part.n, expected.n);
    assert_memory_equal(part.graphs, expected.graphs, part.n * sizeof *part.graphs);
}

#define TWO_FOLDS                                                                         \
    "[{\"test\": [0, 2], \"model_selection\": [{\"train\": [3], \"validation\": [1]}]}, " \
    "{\"test\": [3, 1], \"model_selection\": [{\"train\": [0, 2], \"validation\": []}]}]"

static void known_splits_are_read(void **state)
{
    (void)state;
    rg_splits *splits = read_text(TWO_FOLDS);
    assert_int_equal(rg_splits_n_folds(splits), 2);
    rg_fold fold = rg_splits_fold(splits, 0);
    assert_part(fold.test, PART(0, 2));
    assert_part(fold.train, PART(3));
    assert_part(fold.validation, PART(1));
    fold = rg_splits_fold(splits, 1);
    assert_part(fold.test, PART(3, 1));
    assert_part(fold.train, PART(0, 2));
    assert_int_equal(fold.validation.n, 0);
    rg_splits_free(splits);
    rg_splits_free(NULL);
}

static void layout_and_order_of_keys_do_not_matter(void **state)
{
    (void)state;
    rg_splits *a = read_text(TWO_FOLDS);
    rg_splits *b = read_text("\n[\r\n {\"model_selection\":[{\"validation\":[1],\"train\":[3]}],\n"
                             "\"test\":[0,\n\n\n2]}\n,{\"test\":[3,1],\"model_selection\":\n"
                             "[{\"train\":[0,2],\"validation\":[ ]}]}]\n \n");
    char digest[2][RG_DIGEST_SIZE];
    rg_splits_digest(a, digest[0]);
    rg_splits_digest(b, digest[1]);
    assert_string_equal(digest[0], digest[1]);
    rg_splits_free(a);
    rg_splits_free(b);
}

static void the_digest_tells_parts_apart(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[{\"test\":[0],\"model_selection\":[{\"train\":[1,2],\"validation\":[3]}]}]",
        "[{\"test\":[0],\"model_selection\":[{\"train\":[2,1],\"validation\":[3]}]}]",
        "[{\"test\":[0],\"model_selection\":[{\"train\":[1],\"validation\":[2,3]}]}]",
        "[{\"test\":[0,1],\"model_selection\":[{\"train\":[2],\"validation\":[3]}]}]",
        "[{\"test\":[0],\"model_selection\":[{\"train\":[3],\"validation\":[1,2]}]}]",
        TWO_FOLDS,
    };
    enum { N = sizeof texts / sizeof texts[0] };
    char digest[N][RG_DIGEST_SIZE];
    for (size_t k = 0; k < N; k++) {
        rg_splits *splits = read_text(texts[k]);
        rg_splits_digest(splits, digest[k]);
        rg_splits_free(splits);
        for (size_t l = 0; l < k; l++)
            assert_string_not_equal(digest[k], digest[l]);
    }
    assert_string_equal(digest[N - 1],
                        "7e2ccb41858649ce0fa92b06fb40f42c90f7bb799b9559532147e47f3cb76688");
}

/* ---- mangled files */

#define FOLD(test, train, validation)                                \
    "[{\"test\": " test ", \"model_selection\": [{\"train\": " train \
    ", \"validation\": " validation "}]}]"

static void mangled_files_are_refused_with_a_message(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        /* syntax */
        {"", "s.json:1:0: '[' or '{' expected near end of file"},
        {" \n\n", "s.json:2:0: '[' or '{' expected near end of file"},
        {"[", "s.json:1:1: ']' expected near end of file"},
        {"[}", "s.json:1:2: unexpected token near '}'"},
        {"[\n{\"test\": [1, 2,]}]", "s.json:2:16: unexpected token near ']'"},
        {"[\n\n {\"test\": [1 2]}]", "s.json:3:14: ']' expected near '2'"},
        {"[{\"test\" [1]}]", "s.json:1:10: ':' expected near '['"},
        {"[{test: [1]}]", "s.json:1:6: string or '}' expected near 'test'"},
        {TWO_FOLDS "]", "s.json:1:151: end of file expected near ']'"},
        {TWO_FOLDS " x", "s.json:1:152: end of file expected near 'x'"},
        {FOLD("[01]", "[1]", "[]"), "s.json:1:12: invalid token near '0'"},
        {FOLD("[+1]", "[1]", "[]"), "s.json:1:12: invalid token near '+'"},
        {FOLD("[0x1]", "[1]", "[]"), "s.json:1:13: ']' expected near 'x'"},
        {FOLD("[NaN]", "[1]", "[]"), "s.json:1:14: invalid token near 'NaN'"},
        {FOLD("[1e999]", "[1]", "[]"), "s.json:1:16: real number overflow near '1e999'"},
        {FOLD("[99999999999999999999]", "[1]", "[]"),
         "s.json:1:31: too big integer near '99999999999999999999'"},
        {FOLD("[1], \"test\": [2]", "[1]", "[]"),
         "s.json:1:21: duplicate object key near '\"test\"'"},
        {FOLD("[1]", "[1], \"train\": [2]", "[]"),
         "s.json:1:57: duplicate object key near '\"train\"'"},
        {"[{\"te\\u0000st\": [1]}]",
         "s.json:1:14: NUL byte in object key not supported near '\"te\\u0000st\"'"},
        {"[{\"\xff\": [1]}]", "s.json:1:3: unable to decode byte 0xff near '\"'"},
        {"\xef\xbb\xbf[]", "s.json:1:1: '[' or '{' expected near '\xef\xbb\xbf'"},
        {"3", "s.json:1:1: '[' or '{' expected near '3'"},
        {"\"a\nb\"", "s.json:1:2: unexpected newline near '\"a'"},
        /* content */
        {"[]", "s.json: found an empty list, expected a list of folds"},
        {"{}", "s.json: found an object, expected a list of folds"},
        {"{\"test\": [1]}", "s.json: found an object, expected a list of folds"},
        {"[1]",
         "s.json: fold 0: found 1, expected an object with \"test\" and \"model_selection\""},
        {"[[]]", "s.json: fold 0: found an empty list, expected an object with \"test\" and "
                 "\"model_selection\""},
        {"[null]",
         "s.json: fold 0: found null, expected an object with \"test\" and \"model_selection\""},
        {"[{}]", "s.json: fold 0, model_selection: found nothing, expected a list of one object"},
        {"[{\"test\": [1]}]",
         "s.json: fold 0, model_selection: found nothing, expected a list of one object"},
        {"[{\"test\": [1], \"model_selection\": {}}]",
         "s.json: fold 0, model_selection: found an object, expected a list of one object"},
        {"[{\"test\": [1], \"model_selection\": []}]",
         "s.json: fold 0, model_selection: found 0 entries, expected 1"},
        {"[{\"test\": [1], \"model_selection\": [{}, {}]}]",
         "s.json: fold 0, model_selection: found 2 entries, expected 1"},
        {"[{\"test\": [1], \"model_selection\": [[]]}]",
         "s.json: fold 0, model_selection[0]: found an empty list, expected an object with "
         "\"train\" and \"validation\""},
        {"[{\"test\": [1], \"model_selection\": [{}]}]",
         "s.json: fold 0, model_selection[0].train: found nothing, expected a list of graph "
         "numbers"},
        {"[{\"test\": [1], \"model_selection\": [{\"train\": [1]}]}]",
         "s.json: fold 0, model_selection[0].validation: found nothing, expected a list of graph "
         "numbers"},
        {"[{\"model_selection\": [{\"train\": [1], \"validation\": [2]}]}]",
         "s.json: fold 0, test: found nothing, expected a list of graph numbers"},
        {"[{\"tset\": [1], \"model_selection\": [{\"train\": [1], \"validation\": [2]}]}]",
         "s.json: fold 0: found the key \"tset\", expected \"test\" and \"model_selection\""},
        {FOLD("[1], \"seed\": 3", "[1]", "[]"),
         "s.json: fold 0: found the key \"seed\", expected \"test\" and \"model_selection\""},
        {FOLD("[1]", "[1], \"valid\": []", "[]"),
         "s.json: fold 0, model_selection[0]: found the key \"valid\", expected \"train\" and "
         "\"validation\""},
        {FOLD("7", "[1]", "[]"), "s.json: fold 0, test: found 7, expected a list of graph numbers"},
        {FOLD("[1]", "null", "[]"),
         "s.json: fold 0, model_selection[0].train: found null, expected a list of graph numbers"},
        {FOLD("[1]", "[2]", "\"all\""), "s.json: fold 0, model_selection[0].validation: found "
                                        "\"all\", expected a list of graph numbers"},
        {FOLD("[1]", "[2]", "true"), "s.json: fold 0, model_selection[0].validation: found true, "
                                     "expected a list of graph numbers"},
        {FOLD("[-1]", "[2]", "[]"), "s.json: fold 0, test[0]: found -1, expected a graph number"},
        {FOLD("[1]", "[4294967295]", "[]"),
         "s.json: fold 0, model_selection[0].train[0]: found 4294967295, expected a graph number"},
        {FOLD("[1]", "[4294967296]", "[]"),
         "s.json: fold 0, model_selection[0].train[0]: found 4294967296, expected a graph number"},
        {FOLD("[1]", "[2]", "[0, 9223372036854775807]"),
         "s.json: fold 0, model_selection[0].validation[1]: found 9223372036854775807, expected a "
         "graph number"},
        {FOLD("[1.0]", "[2]", "[]"),
         "s.json: fold 0, test[0]: found the real number 1, expected a graph number"},
        {FOLD("[1]", "[2, 3, \"x\"]", "[]"),
         "s.json: fold 0, model_selection[0].train[2]: found \"x\", expected a graph number"},
        {FOLD("[1]", "[2, [3]]", "[]"),
         "s.json: fold 0, model_selection[0].train[1]: found a list, expected a graph number"},
        {FOLD("[1]", "[{}]", "[]"),
         "s.json: fold 0, model_selection[0].train[0]: found an object, expected a graph number"},
        {FOLD("[1]", "[false]", "[]"),
         "s.json: fold 0, model_selection[0].train[0]: found false, expected a graph number"},
        {FOLD("[1]", "[2]", "[\"a\\u001b[31m\"]"),
         "s.json: fold 0, model_selection[0].validation[0]: found \"a?[31m\", expected a graph "
         "number"},
        {"[{\"test\": [0], \"model_selection\": [{\"train\": [1], \"validation\": [2]}]}, 5]",
         "s.json: fold 1: found 5, expected an object with \"test\" and \"model_selection\""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        rg_error err = {""};
        rg_splits *splits = NULL;
        rg_status status = read_bytes(&splits, cases[k].text, strlen(cases[k].text), &err);
        assert_string_equal(err.message, cases[k].message);
        assert_int_equal(status, RG_EDATA);
        assert_null(splits);
    }
}

static void a_zero_byte_is_refused(void **state)
{
    (void)state;
    rg_error err = {""};
    rg_splits *splits = NULL;
    assert_int_equal(read_bytes(&splits, "[\0]", 3, &err), RG_EDATA);
    assert_string_equal(err.message, "s.json:1:2: invalid token near end of file");
    assert_null(splits);
}

static void files_beyond_all_measure_are_refused(void **state)
{
    (void)state;
    enum { MIB = 1 << 20 };
    rg_error err = {""};
    rg_splits *splits = NULL;
    char *text = malloc(65 * (size_t)MIB);
    assert_non_null(text);
    memset(text, ',', 8 * MIB + 2);
    assert_int_equal(read_bytes(&splits, text, 8 * MIB + 2, &err), RG_EDATA);
    assert_string_equal(err.message, "s.json: found more than 8388608 numbers, expected fewer");
    memset(text, ' ', 65 * (size_t)MIB);
    for (size_t k = 1; k <= 65; k++)
        text[k * MIB - 1] = '\n';
    assert_int_equal(read_bytes(&splits, text, 65 * (size_t)MIB, &err), RG_EDATA);
    assert_string_equal(err.message, "s.json: found more than 67108864 bytes, expected splits");
    memset(text, '[', MIB); /* as deep as it is long */
    assert_int_equal(read_bytes(&splits, text, MIB, &err), RG_EDATA);
    assert_string_equal(err.message, "s.json:1:2049: maximum parsing depth reached near '['");
    assert_null(splits);
    free(text);
}

static void a_missing_file_is_named(void **state)
{
    (void)state;
    rg_error err = {""};
    rg_splits *splits = NULL;
    assert_int_equal(rg_splits_read(&splits, "/nowhere/s.json", &err), RG_EIO);
    assert_non_null(strstr(err.message, "/nowhere/s.json"));
    assert_null(splits);
}

/* ---- checking */

static void splits_are_checked_against_the_set(void **state)
{
    (void)state;
    static const int64_t classes[6] = {0, 0, 0, 5, 5, RG_MISSING};
    static const struct {
        const char *text, *message; /* NULL: fine, with this report */
        rg_split_report report;
    } cases[] = {
        {FOLD("[0, 3]", "[1, 4]", "[2, 5]"), NULL, {sizeof(rg_split_report), 1, 0, 0, 4, 0, 0}},
        {FOLD("[0, 3]", "[1, 2]", "[]"), NULL, {sizeof(rg_split_report), 1, 0, 1, 4, 2, 1}},
        {FOLD("[0, 3]", "[1, 4]", "[3, 0]"), NULL, {sizeof(rg_split_report), 1, 1, 0, 4, 2, 0}},
        {FOLD("[0]", "[5]", "[1]"), NULL, {sizeof(rg_split_report), 1, 0, 0, 5, 3, 2}},
        {"[{\"test\": [0, 2, 4], \"model_selection\": [{\"train\": [1, 3], \"validation\": [5]}]},"
         " {\"test\": [5, 3, 1], \"model_selection\": [{\"train\": [0, 2, 4], \"validation\": "
         "[1, 3, 5]}]}]",
         NULL,
         {sizeof(rg_split_report), 2, 1, 0, 0, 0, 0}},
        {FOLD("[6]", "[1]", "[]"), "p: fold 0, test[0]: found graph 6, expected 0 to 5", {0}},
        {FOLD("[0]", "[1, 4294967294]", "[]"),
         "p: fold 0, train[1]: found graph 4294967294, expected 0 to 5",
         {0}},
        {FOLD("[0]", "[1]", "[2, 3, 9]"),
         "p: fold 0, validation[2]: found graph 9, expected 0 to 5",
         {0}},
        {FOLD("[0, 1, 0]", "[2]", "[]"),
         "p: fold 0, test[2]: found graph 0, which is in this set already",
         {0}},
        {FOLD("[0]", "[2, 2]", "[]"),
         "p: fold 0, train[1]: found graph 2, which is in this set already",
         {0}},
        {FOLD("[0]", "[2]", "[3, 3]"),
         "p: fold 0, validation[1]: found graph 3, which is in this set already",
         {0}},
        {FOLD("[0, 1]", "[2, 1]", "[]"),
         "p: fold 0, train[1]: found graph 1, which is in the test set too",
         {0}},
        {FOLD("[0]", "[1]", "[1]"),
         "p: fold 0, validation[0]: found graph 1, which is in the train set too",
         {0}},
        {FOLD("[0, 3]", "[1]", "[2, 3]"),
         "p: fold 0, validation[1]: found graph 3, which is in the test set too",
         {0}},
        {FOLD("[0, 3]", "[1]", "[3]"),
         "p: fold 0, validation[0]: found graph 3, which is in the test set too",
         {0}},
        {FOLD("[]", "[1]", "[2]"), "p: fold 0, test: found an empty list, expected graphs", {0}},
        {FOLD("[0]", "[]", "[2]"), "p: fold 0, train: found an empty list, expected graphs", {0}},
        {"[{\"test\": [0, 1, 2], \"model_selection\": [{\"train\": [3], \"validation\": []}]},"
         " {\"test\": [3, 4, 5, 2], \"model_selection\": [{\"train\": [1], \"validation\": []}]}]",
         "p: fold 1, test[3]: found graph 2, which is in the test set of an earlier fold",
         {0}},
        {"[{\"test\": [0, 1], \"model_selection\": [{\"train\": [3], \"validation\": []}]},"
         " {\"test\": [3, 5], \"model_selection\": [{\"train\": [1], \"validation\": []}]}]",
         "p: found 2 graphs in no fold's test set, the first is 2",
         {0}},
    };
    rg_dataset *data = set_of(6, classes);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        rg_error err = {""};
        rg_splits *splits = read_text(cases[k].text);
        rg_split_report report = RG_SPLIT_REPORT_INIT, untouched = RG_SPLIT_REPORT_INIT;
        memset(&report, 0xab, sizeof report);
        memset(&untouched, 0xab, sizeof untouched);
        report.size = untouched.size = sizeof report;
        rg_status status = rg_splits_check(&report, splits, data, "p", &err);
        assert_string_equal(err.message, cases[k].message ? cases[k].message : "");
        assert_int_equal(status, cases[k].message ? RG_EDATA : RG_OK);
        assert_memory_equal(&report, cases[k].message ? &untouched : &cases[k].report,
                            sizeof report);
        rg_splits_free(splits);
    }
    rg_dataset_free(data);
}

static void sets_without_classes_or_graphs_are_checked_too(void **state)
{
    (void)state;
    rg_split_report report = RG_SPLIT_REPORT_INIT;
    rg_splits *splits = read_text(FOLD("[0]", "[1]", "[2]"));
    rg_dataset *data = set_of(3, NULL);
    ASSERT_OK(rg_splits_check(&report, splits, data, NULL, err));
    assert_int_equal(report.missing_classes, 0);
    rg_dataset_free(data);
    data = set_of(0, NULL);
    rg_error err = {""};
    assert_int_equal(rg_splits_check(&report, splits, data, NULL, &err), RG_EDATA);
    assert_string_equal(err.message, "splits: the data set has no graphs to split");
    rg_dataset_free(data);
    rg_splits_free(splits);
}

/* ---- writing */

static void what_is_written_reads_back_byte_for_byte(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/s.json", directory);
    rg_splits *splits = read_text(TWO_FOLDS), *again = NULL;
    ASSERT_OK(rg_splits_write(splits, path, err));
    char *text = test_read(path, NULL);
    assert_string_equal(text, TWO_FOLDS);
    ASSERT_OK(rg_splits_read(&again, path, err));
    char digest[2][RG_DIGEST_SIZE];
    rg_splits_digest(splits, digest[0]);
    rg_splits_digest(again, digest[1]);
    assert_string_equal(digest[0], digest[1]);
    free(text);
    rg_splits_free(splits);
    rg_splits_free(again);
    free(path);
    test_directory_remove(directory);
}

static void published_splits_come_out_as_they_were(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        size_t n_folds, n_graphs, validation_is_test, unused;
    } published[] = {
        {"COLLAB", 10, 5000, 0, 0},
        {"CSL", 5, 150, 5, 150},
        {"CSL_proper", 5, 150, 0, 0},
        {"DD", 10, 1178, 0, 0},
        {"DHFR", 10, 756, 0, 0},
        {"ENZYMES", 10, 600, 0, 0},
        {"EvenOddRings2_16", 10, 1200, 0, 0},
        {"EvenOddRingsCount16", 10, 1200, 0, 0},
        {"IMDB-BINARY", 10, 1000, 0, 0},
        {"IMDB-MULTI", 10, 1500, 0, 0},
        {"LongRings100", 10, 1200, 0, 0},
        {"MUTAG", 10, 188, 0, 0},
        {"Mutagenicity", 10, 4337, 0, 0},
        {"NCI1", 10, 4110, 0, 0},
        {"NCI109", 10, 4127, 0, 0},
        {"PROTEINS", 10, 1113, 0, 0},
        {"REDDIT-BINARY", 10, 2000, 0, 0},
        {"Snowflakes", 10, 1000, 0, 0},
        {"SubstructureCounting", 1, 5000, 0, 0},
        {"ZINC_alt", 1, 12000, 0, 0},
        {"ogbg-molhiv", 1, 41127, 0, 0},
    };
    char *directory = test_directory_make(), *copy = test_format("%s/s.json", directory);
    size_t n_found = 0;
    for (size_t k = 0; k < sizeof published / sizeof published[0]; k++) {
        char *name = test_format("splits/%s.json", published[k].name), *path = test_data(name);
        free(name);
        if (!path)
            continue;
        n_found++;
        rg_splits *splits = NULL;
        ASSERT_OK(rg_splits_read(&splits, path, err));
        assert_int_equal(rg_splits_n_folds(splits), published[k].n_folds);
        rg_dataset *data = set_of(published[k].n_graphs, NULL);
        rg_split_report report = RG_SPLIT_REPORT_INIT;
        ASSERT_OK(rg_splits_check(&report, splits, data, path, err));
        assert_int_equal(report.validation_is_test, published[k].validation_is_test);
        assert_int_equal(report.unused, published[k].unused);
        assert_int_equal(report.empty_validation, 0);
        assert_true(report.untested == 0 || published[k].n_folds == 1);
        ASSERT_OK(rg_splits_write(splits, copy, err));
        size_t n[2];
        char *text[2] = {test_read(path, &n[0]), test_read(copy, &n[1])};
        assert_int_equal(n[0], n[1]);
        assert_memory_equal(text[0], text[1], n[0]);
        free(text[0]);
        free(text[1]);
        rg_dataset_free(data);
        rg_splits_free(splits);
        free(path);
    }
    free(copy);
    test_directory_remove(directory);
    if (n_found == 0)
        skip();
}

/* ---- failing memory and disk */

static rg_status sweep_read(void *context, rg_error *err)
{
    const char *path = context;
    rg_splits *splits = NULL;
    rg_status status = rg_splits_read(&splits, path, err);
    assert_true((splits == NULL) == (status != RG_OK));
    rg_splits_free(splits);
    return status;
}

typedef struct write_sweep {
    const rg_splits *splits;
    const char *path;
} write_sweep;

static rg_status sweep_write(void *context, rg_error *err)
{
    write_sweep *w = context;
    return rg_splits_write(w->splits, w->path, err);
}

typedef struct check_sweep {
    const rg_splits *splits;
    const rg_dataset *data;
} check_sweep;

static rg_status sweep_check(void *context, rg_error *err)
{
    check_sweep *c = context;
    rg_split_report report = RG_SPLIT_REPORT_INIT;
    return rg_splits_check(&report, c->splits, c->data, NULL, err);
}

/* The text up to a place, and then a disk that fails. */
typedef struct broken_disk {
    const char *text;
    size_t at, stop;
} broken_disk;

static rg_status broken_read(void *state, void *buffer, size_t n, size_t *got, rg_error *err)
{
    broken_disk *disk = state;
    if (disk->at == disk->stop) {
        strcpy(err->message, "the disk is gone");
        return RG_EIO;
    }
    *got = disk->stop - disk->at < n ? disk->stop - disk->at : n;
    memcpy(buffer, disk->text + disk->at, *got);
    disk->at += *got;
    return RG_OK;
}

static void a_disk_that_fails_in_the_middle_is_no_syntax_error(void **state)
{
    (void)state;
    for (size_t stop = 0; stop <= strlen(TWO_FOLDS); stop += 15) {
        broken_disk disk = {TWO_FOLDS, 0, stop};
        rg_reader *in = NULL;
        rg_splits *splits = NULL;
        ASSERT_OK(rg_reader_stream(&in, "s.json", (rg_stream){&disk, broken_read, NULL}, err));
        rg_error err = {""};
        assert_int_equal(rg_splits_take(&splits, in, &err), RG_EIO);
        assert_string_equal(err.message, "the disk is gone");
        assert_null(splits);
        rg_reader_close(in);
    }
}

static void memory_and_disk_may_fail(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/s.json", directory);
    test_write(directory, "s.json", TWO_FOLDS);
    assert_true(test_allocation_sweep(sweep_read, path) > 2);
    assert_true(test_json_sweep(sweep_read, path) >= 30);

    rg_splits *splits = read_text(TWO_FOLDS);
    char *other = test_format("%s/other.json", directory);
    write_sweep w = {splits, other};
    assert_true(test_allocation_sweep(sweep_write, &w) > 1);
    assert_true(test_io_sweep(sweep_write, &w) > 3);
    rg_dataset *data = set_of(4, (const int64_t[]){0, 1, 0, 1});
    check_sweep c = {splits, data};
    assert_int_equal(test_allocation_sweep(sweep_check, &c), 3);
    rg_dataset_free(data);
    rg_splits_free(splits);
    free(other);
    free(path);
    test_directory_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_splits_are_read),
        cmocka_unit_test(layout_and_order_of_keys_do_not_matter),
        cmocka_unit_test(the_digest_tells_parts_apart),
        cmocka_unit_test(mangled_files_are_refused_with_a_message),
        cmocka_unit_test(a_zero_byte_is_refused),
        cmocka_unit_test(files_beyond_all_measure_are_refused),
        cmocka_unit_test(a_missing_file_is_named),
        cmocka_unit_test(splits_are_checked_against_the_set),
        cmocka_unit_test(sets_without_classes_or_graphs_are_checked_too),
        cmocka_unit_test(what_is_written_reads_back_byte_for_byte),
        cmocka_unit_test(published_splits_come_out_as_they_were),
        cmocka_unit_test(a_disk_that_fails_in_the_middle_is_no_syntax_error),
        cmocka_unit_test(memory_and_disk_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
