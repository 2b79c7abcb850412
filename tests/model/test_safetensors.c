/* test_safetensors.c - model files: written in one form, read back, read by others. */
#include "support/program.h"
#include "tensor_sets.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* The same content, whatever it was made from. */
static void assert_same(const rg_tensors *a, const rg_tensors *b)
{
    assert_int_equal(rg_tensors_size(a), rg_tensors_size(b));
    assert_int_equal(rg_tensors_n_metadata(a), rg_tensors_n_metadata(b));
    for (size_t k = 0; k < rg_tensors_size(a); k++) {
        const rg_tensor *x = rg_tensors_at(a, k), *y = rg_tensors_at(b, k);
        const void *data = NULL;
        assert_string_equal(x->name, y->name);
        assert_int_equal(x->bytes, y->bytes);
        ASSERT_OK(rg_tensors_find(&data, b, x->name, x->dtype, x->n_dims, x->shape, err));
        assert_ptr_equal(data, y->data);
        assert_int_equal((uintptr_t)data % rg_dtype_size(x->dtype), 0);
        if (x->bytes)
            assert_memory_equal(x->data, data, x->bytes);
    }
    for (size_t k = 0; k < rg_tensors_n_metadata(a); k++) {
        const rg_text_entry *entry = rg_tensors_metadata_at(a, k);
        assert_string_equal(entry->text, rg_tensors_metadata(b, entry->key));
    }
}

/* ---- writing */

static void a_small_file_has_these_bytes(void **state)
{
    (void)state;
    rg_tensors *set = rg_tensors_new();
    assert_non_null(set);
    add(set, TENSOR("b", U8, vocabulary, 1, 3));
    add(set, TENSOR("a", U8, vocabulary, 1, 1));
    add(set, TENSOR("w", F32, weights, 2, 1, 2));
    ASSERT_OK(rg_tensors_add_metadata(set, "k", "one\n\"line\"", err));
    static const char header[] =
        "{\"__metadata__\":{\"regula.digest\":"
        "\"9ab34629a1b91213d04d1583607e3f7a7cdce8bb0afbaa90bfbb46525d2c8277\","
        "\"k\":\"one\\n\\\"line\\\"\"},"
        "\"w\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]},"
        "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[8,9]},"
        "\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[9,12]}}";
    static const unsigned char data[] = {0, 0, 0, 0x3f, 0, 0, 0x80, 0x3f, 'a', 'a', 0, 255};
    size_t n_header = (sizeof header - 1 + 7) / 8 * 8, n;
    void *stored;
    ASSERT_OK(rg_tensors_encode(&stored, &n, set, err));
    const unsigned char *bytes = stored;
    assert_int_equal(n, 8 + n_header + sizeof data);
    assert_int_equal(bytes[0] + 256 * bytes[1], n_header);
    for (size_t k = 2; k < 8; k++)
        assert_int_equal(bytes[k], 0);
    char *found = test_format("%.*s", (int)(sizeof header - 1), (const char *)bytes + 8);
    assert_string_equal(found, header);
    free(found);
    for (size_t k = 8 + sizeof header - 1; k < 8 + n_header; k++)
        assert_int_equal(bytes[k], ' ');
    assert_memory_equal(bytes + 8 + n_header, data, sizeof data);
    rg_free(stored);
    rg_tensors_free(set);
    rg_tensors_free(NULL);
}

static void the_same_content_gives_the_same_bytes(void **state)
{
    (void)state;
    rg_tensors *one = sample(false), *two = sample(true);
    void *a, *b;
    size_t n, m;
    ASSERT_OK(rg_tensors_encode(&a, &n, one, err));
    ASSERT_OK(rg_tensors_encode(&b, &m, two, err));
    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
    rg_free(a);
    rg_free(b);
    rg_tensors_free(one);
    rg_tensors_free(two);
}

static void what_is_written_comes_back(void **state)
{
    char *path = test_format("%s/m.safetensors", (char *)*state);
    rg_tensors *set = sample(false), *back = NULL, *parsed = NULL;
    void *stored;
    size_t n, m;
    ASSERT_OK(rg_tensors_write(set, path, err));
    ASSERT_OK(rg_tensors_encode(&stored, &n, set, err));
    char *written = test_read(path, &m);
    assert_int_equal(n, m);
    assert_memory_equal(stored, written, n);
    ASSERT_OK(rg_tensors_read(&back, path, n, true, err));
    assert_same(set, back);
    ASSERT_OK(rg_tensors_parse(&parsed, "memory", stored, n, true, err));
    rg_free(stored); /* what was read stands on its own */
    assert_same(set, parsed);
    ASSERT_OK(rg_tensors_encode(&stored, &m, parsed, err));
    assert_int_equal(n, m);
    assert_memory_equal(stored, written, n);

    rg_error err = {""};
    rg_tensors *none = NULL;
    assert_int_equal(rg_tensors_read(&none, path, n - 1, true, &err), RG_EDATA);
    assert_non_null(strstr(err.message, "m.safetensors: found "));
    assert_int_equal(rg_tensors_read(&none, "/nowhere/m", n, true, &err), RG_EIO);
    assert_null(none);
    rg_free(stored);
    free(written);
    free(path);
    rg_tensors_free(set);
    rg_tensors_free(back);
    rg_tensors_free(parsed);
}

static void an_empty_set_is_a_file_too(void **state)
{
    (void)state;
    rg_tensors *set = rg_tensors_new(), *back = NULL;
    void *stored;
    size_t n;
    assert_non_null(set);
    ASSERT_OK(rg_tensors_encode(&stored, &n, set, err));
    ASSERT_OK(rg_tensors_parse(&back, "e", stored, n, true, err));
    assert_same(set, back);
    assert_null(rg_tensors_get(back, "w"));
    assert_null(rg_tensors_metadata(back, "k"));
    rg_free(stored);
    rg_tensors_free(set);
    rg_tensors_free(back);
}

static void what_cannot_be_stored_is_not_taken(void **state)
{
    (void)state;
    static const size_t big = (size_t)1 << 40;
    const struct {
        const rg_tensor *tensor;
        const char *message;
    } cases[] = {
        {TENSOR("", U8, bias, 0, 0), "tensor '': found this name, expected printable text"},
        {TENSOR("a\nb", U8, bias, 0, 0), "tensor 'a?b': found this name, expected printable text"},
        {TENSOR("\xff", U8, bias, 0, 0), "tensor '?': found this name, expected printable text"},
        {TENSOR("__metadata__", U8, bias, 0, 0),
         "tensor '__metadata__': found this name, expected another"},
        {TENSOR("keys", F32, bias, 0, 0),
         "tensor 'keys': found a second one of this name, expected one"},
        {TENSOR("w", U8, bias, 9, 1, 1), "tensor 'w': found 9 dimensions, expected at most 8"},
        {TENSOR("w", U8, bias, 2, big, big), "tensor 'w': found U8 [1099511627776, 1099511627776], "
                                             "expected what fits into memory"},
        {TENSOR("w", F64, bias, 1, (size_t)1 << 60),
         "tensor 'w': found F64 [1152921504606846976], expected what fits into memory"},
        {TENSOR("w", U8, bias, 2, 0, SIZE_MAX),
         "tensor 'w': found U8 [0, 18446744073709551615], expected what fits into memory"},
    };
    static const struct {
        const char *key, *text, *message;
    } texts[] = {
        {"", "", "metadata '': found this key, expected printable text other than 'regula.digest'"},
        {"regula.digest", "0",
         "metadata 'regula.digest': found this key, expected printable text "
         "other than 'regula.digest'"},
        {"a\tb", "0",
         "metadata 'a?b': found this key, expected printable text other than 'regula.digest'"},
        {"a", "\x1b[31m", "metadata 'a': found other bytes, expected lines of text"},
        {"a", "\xc3", "metadata 'a': found other bytes, expected lines of text"},
        {"empty", "", "metadata 'empty': found a second one of this name, expected one"},
    };
    rg_tensors *set = sample(false);
    rg_error err = {""};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(rg_tensors_add(set, cases[k].tensor, &err), RG_EUSAGE);
        assert_string_equal(err.message, cases[k].message);
    }
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        rg_status status = rg_tensors_add_metadata(set, texts[k].key, texts[k].text, &err);
        assert_int_equal(status, RG_EUSAGE);
        assert_string_equal(err.message, texts[k].message);
    }
    rg_tensors *untouched = sample(true);
    assert_int_equal(rg_tensors_size(set), rg_tensors_size(untouched));
    assert_int_equal(rg_tensors_n_metadata(set), rg_tensors_n_metadata(untouched));
    rg_tensors_free(untouched);
    rg_tensors_free(set);
}

static void sets_beyond_all_measure_are_refused(void **state)
{
    (void)state;
    rg_tensors *set = rg_tensors_new(), *back = NULL;
    rg_error why = {""};
    void *stored = NULL;
    size_t n = 0;
    assert_non_null(set);
    for (int k = RG_TENSORS_MAX; k >= 0; k--) {
        char name[16];
        snprintf(name, sizeof name, "t%05d", k);
        rg_status status = rg_tensors_add(set, TENSOR(name, U8, vocabulary, 1, 1), &why);
        assert_int_equal(status, k ? RG_OK : RG_EUSAGE);
    }
    assert_string_equal(why.message, "tensor 't00000': found more than 16384, expected fewer");
    ASSERT_OK(rg_tensors_encode(&stored, &n, set, err));
    ASSERT_OK(rg_tensors_parse(&back, "m", stored, n, true, err));
    assert_int_equal(rg_tensors_size(back), RG_TENSORS_MAX);
    rg_free(stored);
    char *text = malloc(RG_TENSORS_HEADER_MAX + 1);
    assert_non_null(text);
    memset(text, 'x', RG_TENSORS_HEADER_MAX);
    text[RG_TENSORS_HEADER_MAX] = '\0';
    ASSERT_OK(rg_tensors_add_metadata(set, "long", text, err));
    assert_int_equal(rg_tensors_encode(&stored, &n, set, &why), RG_EUSAGE);
    assert_non_null(strstr(why.message, "expected at most 8388608"));
    free(text);
    rg_tensors_free(set);
    rg_tensors_free(back);
}

/* ---- memory and disk */

typedef struct tensors_sweep {
    const rg_tensors *set;
    const char *path;
} tensors_sweep;

static rg_status build(void *context, rg_error *err)
{
    (void)context;
    rg_tensors *set = rg_tensors_new();
    rg_status status = RG_OK;
    if (!set) {
        strcpy(err->message, "no memory");
        return RG_ENOMEM;
    }
    for (int k = 0; k < 20 && !status; k++) {
        char name[2] = {(char)('t' - k), '\0'};
        status = rg_tensors_add(set, TENSOR(name, F64, bias, 1, 2), err);
        if (!status)
            status = rg_tensors_add_metadata(set, name, "text", err);
    }
    rg_tensors_free(set);
    return status;
}

static rg_status encode(void *context, rg_error *err)
{
    void *bytes = NULL;
    size_t n;
    rg_status status = rg_tensors_encode(&bytes, &n, ((tensors_sweep *)context)->set, err);
    rg_free(bytes);
    return status;
}

static rg_status write_file(void *context, rg_error *err)
{
    tensors_sweep *s = context;
    return rg_tensors_write(s->set, s->path, err);
}

static rg_status read_file(void *context, rg_error *err)
{
    rg_tensors *set = NULL;
    rg_status status = rg_tensors_read(&set, ((tensors_sweep *)context)->path, 1 << 20, true, err);
    assert_true((set == NULL) == (status != RG_OK));
    rg_tensors_free(set);
    return status;
}

static void memory_and_disk_may_fail(void **state)
{
    char *path = test_format("%s/sweep", (char *)*state);
    rg_tensors *set = sample(false);
    tensors_sweep s = {set, path};
    assert_true(test_allocation_sweep(build, &s) > 40);
    assert_int_equal(test_allocation_sweep(encode, &s), 1);
    assert_true(test_allocation_sweep(write_file, &s) > 2);
    assert_true(test_io_sweep(write_file, &s) > 3);
    assert_true(test_allocation_sweep(read_file, &s) > 12);
    assert_true(test_io_sweep(read_file, &s) > 0);
    assert_true(test_json_sweep(read_file, &s) >= 100);
    rg_tensors_free(set);
    free(path);
}

/* ---- a second opinion */

static void python_reads_the_same(void **state)
{
    program_result found = run(*state, "python3 -c 'import json, struct'");
    int code = found.code;
    program_result_free(&found);
    if (code)
        skip();
    char *path = test_format("%s/p.safetensors", (char *)*state);
    rg_tensors *set = sample(true);
    ASSERT_OK(rg_tensors_write(set, path, err));
    expect(*state,
           "PYTHONIOENCODING=utf-8 python3 " REGULA_SOURCE
           "/tests/model/read_safetensors.py p.safetensors",
           0,
           "a\\b = '\xe2\x88\x9e'\n"
           "empty = ''\n"
           "network = 'layers:\\n\\t- rule: \"share i, j\"\\r\\n'\n"
           "gr\xc3\xb6\xc3\x9f"
           "e \"x\\y\" U8 [1] 97\n"
           "keys U32 [1, 3, 1] 4294967302\n"
           "layer.0.bias F64 [2] -1.5\n"
           "layer.0.weight F32 [2, 3] 7.625\n"
           "none F32 [0, 4] 0\n"
           "signs I32 [2] 2147483646\n"
           "steps I64 [] -5000000000\n"
           "vocabulary U8 [5] 416\n",
           "");
    rg_tensors_free(set);
    free(path);
}

static int set_up(void **state)
{
    *state = test_directory_make();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_file_has_these_bytes),
        cmocka_unit_test(the_same_content_gives_the_same_bytes),
        cmocka_unit_test(what_is_written_comes_back),
        cmocka_unit_test(an_empty_set_is_a_file_too),
        cmocka_unit_test(what_cannot_be_stored_is_not_taken),
        cmocka_unit_test(sets_beyond_all_measure_are_refused),
        cmocka_unit_test(memory_and_disk_may_fail),
        cmocka_unit_test(python_reads_the_same),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
