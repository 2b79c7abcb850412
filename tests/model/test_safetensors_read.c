/* test_safetensors_read.c - model files of others, and files that are damaged. */
#include "tensor_sets.h"

#include <stdio.h>
#include <string.h>

typedef struct image {
    unsigned char *bytes;
    size_t n;
} image;

/* A file of this header, unpadded, and of n_data bytes that are 0, 1, 2 ... Owned (free). */
static image image_of(const char *header, size_t n_data)
{
    size_t n = strlen(header);
    image out = {malloc(8 + n + n_data), 8 + n + n_data};
    assert_non_null(out.bytes);
    for (size_t k = 0; k < 8; k++)
        out.bytes[k] = (unsigned char)((uint64_t)n >> (8 * k));
    memcpy(out.bytes + 8, header, n);
    for (size_t k = 0; k < n_data; k++)
        out.bytes[8 + n + k] = (unsigned char)k;
    return out;
}

#define T(dtype, shape, offsets) \
    "{\"dtype\":" dtype ",\"shape\":" shape ",\"data_offsets\":" offsets "}"

/* As other programs may write it: no padding, blanks, any order, no digest, data unaligned. */
static void files_of_other_programs_are_read(void **state)
{
    (void)state;
    image file =
        image_of("{ \"b\": " T("\"I32\"", "[2]", "[1, 9]") ",\n \"a\":" T(
                     "\"U8\"", "[]", "[0,1]") ", \"e\":" T("\"F64\"", "[3,0]", "[1,1]") "}",
                 9);
    rg_tensors *set = NULL;
    const void *data = NULL;
    ASSERT_OK(rg_tensors_parse(&set, "f", file.bytes, file.n, false, err));
    assert_int_equal(rg_tensors_size(set), 3);
    ASSERT_OK(rg_tensors_find(&data, set, "b", RG_DTYPE_I32, 1, (size_t[]){2}, err));
    assert_int_equal(((const int32_t *)data)[0], 0x04030201);
    assert_int_equal(((const int32_t *)data)[1], 0x08070605);
    ASSERT_OK(rg_tensors_find(&data, set, "a", RG_DTYPE_U8, 0, NULL, err));
    ASSERT_OK(rg_tensors_find(&data, set, "e", RG_DTYPE_F64, 2, (size_t[]){3, 0}, err));
    rg_tensors_free(set);
    set = NULL;
    rg_error err = {""};
    assert_int_equal(rg_tensors_parse(&set, "f", file.bytes, file.n, true, &err), RG_EDATA);
    assert_non_null(strstr(err.message, "f: found no metadata 'regula.digest', expected"));
    assert_null(set);
    free(file.bytes);
}

static void finding_says_what_is_there_instead(void **state)
{
    (void)state;
    rg_tensors *set = sample(false);
    const void *data = NULL;
    rg_error err = {""};
    assert_int_equal(rg_tensors_find(&data, set, "w", RG_DTYPE_F32, 1, (size_t[]){4}, &err),
                     RG_EDATA);
    assert_string_equal(err.message, "tensors: tensor 'w': found nothing, expected F32 [4]");
    assert_int_equal(rg_tensors_find(&data, set, "keys", RG_DTYPE_U32, 1, (size_t[]){3}, &err),
                     RG_EDATA);
    assert_string_equal(err.message,
                        "tensors: tensor 'keys': found U32 [1, 3, 1], expected U32 [3]");
    assert_int_equal(rg_tensors_find(&data, set, "signs", RG_DTYPE_U32, 1, (size_t[]){2}, &err),
                     RG_EDATA);
    assert_int_equal(rg_tensors_find(&data, set, "signs", RG_DTYPE_I32, 1, (size_t[]){3}, &err),
                     RG_EDATA);
    assert_string_equal(err.message, "tensors: tensor 'signs': found I32 [2], expected I32 [3]");
    assert_null(data);
    rg_tensors_free(set);
}

static void mangled_files_are_refused_with_a_message(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        size_t n_data;
        const char *message;
    } cases[] = {
        /* the frame and the syntax */
        {"", 0, "m: byte 0: found a header of 0 bytes, expected 2 to 0"},
        {"{", 9, "m: byte 0: found a header of 1 bytes, expected 2 to 10"},
        {"[]", 0, "m: byte 8: found '[', expected '{'"},
        {" {}", 0, "m: byte 8: found 0x20, expected '{'"},
        {"{}\n", 0, "m: byte 10: found 0x0a, expected '}' and blanks"},
        {"{}  \t ", 0, "m: byte 12: found 0x09, expected '}' and blanks"},
        {"{}x", 0, "m: byte 10: found 'x', expected '}' and blanks"},
        {"{ ", 0, "m: byte 8: found '{', expected '}' and blanks"},
        {"{}}", 0, "m: byte 10: end of file expected near '}'"},
        {"{\"a\" 1}", 0, "m: byte 13: ':' expected near '1'"},
        {"{\"a\":01}", 0, "m: byte 13: invalid token near '0'"},
        {"{\"a\":\"\xff\"}", 0, "m: byte 13: unable to decode byte 0xff near '\"'"},
        {"{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 0,
         "m: byte 33: duplicate object key near '\"dtype\"'"},
        {"{\"a\":" T("\"U8\"", "[]", "[0,1]") ",\"a\":" T("\"U8\"", "[]", "[0,1]") "}", 1,
         "m: byte 62: duplicate object key near '\"a\"'"},
        {"{\"a\\u0000\":1}", 0,
         "m: byte 17: NUL byte in object key not supported near '\"a\\u0000\"'"},
        /* metadata */
        {"{\"__metadata__\":[]}", 0, "m: __metadata__: found an empty list, expected an object"},
        {"{\"__metadata__\":{\"k\":3}}", 0, "m: metadata 'k': found 3, expected a text"},
        {"{\"__metadata__\":{\"k\":null}}", 0, "m: metadata 'k': found null, expected a text"},
        {"{\"__metadata__\":{\"k\":\"\\u001b\"}}", 0,
         "m: metadata 'k': found other bytes, expected lines of text"},
        {"{\"__metadata__\":{\"\":\"\"}}", 0,
         "m: metadata '': found this key, expected printable text other than 'regula.digest'"},
        {"{\"__metadata__\":{\"regula.digest\":7}}", 0,
         "m: metadata 'regula.digest': found 7, expected a text"},
        {"{\"__metadata__\":{\"regula.digest\":\"E3\"}}", 0,
         "m: found content with the digest "
         "374708fff7719dd5979ec875d56cd2286f6d3cf7ec317a3b25632aab28ec37bb, expected E3 as in its "
         "metadata"},
        /* one tensor */
        {"{\"a\":7}", 0,
         "m: tensor 'a': found 7, expected an object with dtype, shape and data_offsets"},
        {"{\"a\":{}}", 0,
         "m: tensor 'a': found an object, expected an object with dtype, shape and data_offsets"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[],\"data_offset\":[0,1]}}", 1,
         "m: tensor 'a': data_offsets: found nothing, expected a list of 2 to 2 sizes"},
        {"{\"a\":{\"dtype\":\"U8\",\"shape\":[],\"data_offsets\":[0,1],\"x\":0}}", 1,
         "m: tensor 'a': found an object, expected an object with dtype, shape and data_offsets"},
        {"{\"a\":" T("\"F16\"", "[1]", "[0,2]") "}", 2,
         "m: tensor 'a': dtype: found \"F16\", expected I64, F64, F32, U32, I32 or U8"},
        {"{\"a\":" T("\"f32\"", "[1]", "[0,4]") "}", 4,
         "m: tensor 'a': dtype: found \"f32\", expected I64, F64, F32, U32, I32 or U8"},
        {"{\"a\":" T("8", "[1]", "[0,1]") "}", 1,
         "m: tensor 'a': dtype: found 8, expected I64, F64, F32, U32, I32 or U8"},
        {"{\"a\":" T("\"U8\"", "1", "[0,1]") "}", 1,
         "m: tensor 'a': shape: found 1, expected a list of 0 to 8 sizes"},
        {"{\"a\":" T("\"U8\"", "[1,1,1,1,1,1,1,1,1]", "[0,1]") "}", 1,
         "m: tensor 'a': shape: found 9 entries, expected a list of 0 to 8 sizes"},
        {"{\"a\":" T("\"U8\"", "[-1]", "[0,1]") "}", 1,
         "m: tensor 'a': shape: found -1, expected a size"},
        {"{\"a\":" T("\"U8\"", "[1.0]", "[0,1]") "}", 1,
         "m: tensor 'a': shape: found the real number 1, expected a size"},
        {"{\"a\":" T("\"U8\"", "[\"1\"]", "[0,1]") "}", 1,
         "m: tensor 'a': shape: found \"1\", expected a size"},
        {"{\"a\":" T("\"F64\"", "[4611686018427387904]", "[0,8]") "}", 8,
         "m: tensor 'a': found F64 [4611686018427387904], expected what fits into memory"},
        {"{\"a\":" T("\"U8\"", "[1]", "{}") "}", 1,
         "m: tensor 'a': data_offsets: found an object, expected a list of 2 to 2 sizes"},
        {"{\"a\":" T("\"U8\"", "[1]", "[0]") "}", 1,
         "m: tensor 'a': data_offsets: found 1 entries, expected a list of 2 to 2 sizes"},
        {"{\"a\":" T("\"U8\"", "[1]", "[1,0]") "}", 1,
         "m: tensor 'a': found data from 1 to 0, expected 1 bytes of U8 [1]"},
        {"{\"a\":" T("\"F32\"", "[2]", "[0,7]") "}", 7,
         "m: tensor 'a': found data from 0 to 7, expected 8 bytes of F32 [2]"},
        {"{\"a\\nb\":" T("\"U8\"", "[1]", "[0,1]") "}", 1,
         "m: tensor 'a?b': found this name, expected printable text"},
        {"{\"\":" T("\"U8\"", "[1]", "[0,1]") "}", 1,
         "m: tensor '': found this name, expected printable text"},
        /* their places */
        {"{\"a\":" T("\"U8\"", "[1]", "[1,2]") "}", 2,
         "m: tensor 'a': found data from 1 on, expected from 0 on"},
        {"{\"a\":" T("\"U8\"", "[2]", "[0,2]") ",\"b\":" T("\"U8\"", "[2]", "[1,3]") "}", 3,
         "m: tensor 'b': found data from 1 on, expected from 2 on"},
        {"{\"a\":" T("\"U8\"", "[2]", "[3,5]") ",\"b\":" T("\"U8\"", "[2]", "[0,2]") "}", 5,
         "m: tensor 'a': found data from 3 on, expected from 2 on"},
        {"{\"a\":" T("\"U8\"", "[2]", "[0,2]") ",\"b\":" T("\"U8\"", "[2]", "[0,2]") "}", 2,
         "m: tensor 'b': found data from 0 on, expected from 2 on"},
        {"{\"a\":" T("\"U8\"", "[0]", "[1,1]") ",\"b\":" T("\"U8\"", "[2]", "[0,2]") "}", 2,
         "m: tensor 'a': found data from 1 on, expected from 2 on"},
        {"{\"a\":" T("\"U8\"", "[2]", "[0,2]") "}", 1,
         "m: byte 61: found 1 bytes of data, expected 2"},
        {"{\"a\":" T("\"U8\"", "[2]", "[0,2]") "}", 3,
         "m: byte 61: found 3 bytes of data, expected 2"},
        {"{}", 1, "m: byte 10: found 1 bytes of data, expected 0"},
    };
    size_t n_wrong = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        image file = image_of(cases[k].header, cases[k].n_data);
        rg_tensors *set = NULL;
        rg_error err = {""};
        rg_status status = rg_tensors_parse(&set, "m", file.bytes, file.n, false, &err);
        if (strcmp(err.message, cases[k].message) != 0) {
            print_message("found\n  %s\nexpected\n  %s\n", err.message, cases[k].message);
            n_wrong++;
        }
        assert_int_equal(status, RG_EDATA);
        assert_null(set);
        free(file.bytes);
    }
    assert_int_equal(n_wrong, 0);
}

static void headers_that_lie_about_their_length_are_refused(void **state)
{
    (void)state;
    rg_error why = {""};
    rg_tensors *set = NULL;
    unsigned char bytes[16] = {2, 0, 0, 0, 0, 0, 0, 0, '{', '}'};
    ASSERT_OK(rg_tensors_parse(&set, "m", bytes, 10, false, err));
    rg_tensors_free(set);
    set = NULL;
    for (size_t n = 0; n < 8; n++) {
        char message[100];
        snprintf(message, sizeof message, "m: found %zu bytes, expected the length of a header", n);
        assert_int_equal(rg_tensors_parse(&set, "m", bytes, n, false, &why), RG_EDATA);
        assert_string_equal(why.message, message);
    }
    bytes[7] = 0x80;
    assert_int_equal(rg_tensors_parse(&set, "m", bytes, 10, false, &why), RG_EDATA);
    assert_string_equal(why.message,
                        "m: byte 0: found a header of 9223372036854775810 bytes, expected 2 to 2");
    size_t n = 8 + RG_TENSORS_HEADER_MAX + 1;
    image large = {calloc(n, 1), n};
    assert_non_null(large.bytes);
    large.bytes[0] = 1;
    large.bytes[2] = 0x80;
    assert_int_equal(rg_tensors_parse(&set, "m", large.bytes, n, false, &why), RG_EDATA);
    assert_string_equal(why.message,
                        "m: byte 0: found a header of 8388609 bytes, expected 2 to 8388608");
    free(large.bytes);
    assert_null(set);
}

static void headers_with_too_many_names_are_refused(void **state)
{
    (void)state;
    enum { N = RG_TENSORS_MAX + 2 };
    rg_error why = {""};
    rg_tensors *set = NULL;
    char *header = malloc(16 * (size_t)N), *end = header;
    assert_non_null(header);
    for (int k = 0; k < N; k++)
        end += sprintf(end, "%c\"%d\":0", k ? ',' : '{', k);
    strcpy(end, "}");
    image file = image_of(header, 0);
    assert_int_equal(rg_tensors_parse(&set, "m", file.bytes, file.n, false, &why), RG_EDATA);
    assert_string_equal(why.message, "m: found 16386 tensors, expected at most 16384");
    assert_null(set);
    free(file.bytes);
    free(header);
}

/* Every byte becomes every other one (in a sample: some others, at each byte different ones). Only where the name of the digest is damaged, and nobody asks
 * for one, a file looks like one of another program. */
static void every_damaged_byte_is_noticed(void **state)
{
    (void)state;
    rg_tensors *set = sample(false), *back = NULL;
    void *stored;
    size_t n, unasked = 0;
    unsigned step = test_sample_step();
    ASSERT_OK(rg_tensors_encode(&stored, &n, set, err));
    unsigned char *bytes = stored;
    const char *key = strstr((const char *)bytes + 8, RG_TENSORS_DIGEST);
    size_t place = (size_t)(key - (const char *)bytes);
    for (size_t at = 0; at < n; at++) {
        rg_error err = {""};
        unsigned char kept = bytes[at];
        for (unsigned value = (unsigned)(at % step); value < 256; value += step) {
            bytes[at] = (unsigned char)value;
            if (value == kept)
                continue;
            if (rg_tensors_parse(&back, "m", bytes, n, true, &err) != RG_EDATA)
                fail_msg("byte %zu: 0x%02x instead of 0x%02x is not noticed", at, value, kept);
            assert_int_equal(strncmp(err.message, "m: ", 3), 0);
            if (value % 16 == 5 && !rg_tensors_parse(&back, "m", bytes, n, false, &err)) {
                assert_in_range(at, place, place + strlen(RG_TENSORS_DIGEST) - 1);
                rg_tensors_free(back);
                back = NULL;
                unasked++;
            }
        }
        bytes[at] = kept;
        assert_int_equal(rg_tensors_parse(&back, "m", bytes, at, true, &err), RG_EDATA);
    }
    assert_true(unasked > 0);
    assert_null(back);
    ASSERT_OK(rg_tensors_parse(&back, "m", bytes, n, true, err));
    rg_free(stored);
    rg_tensors_free(set);
    rg_tensors_free(back);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_other_programs_are_read),
        cmocka_unit_test(finding_says_what_is_there_instead),
        cmocka_unit_test(mangled_files_are_refused_with_a_message),
        cmocka_unit_test(headers_that_lie_about_their_length_are_refused),
        cmocka_unit_test(headers_with_too_many_names_are_refused),
        cmocka_unit_test(every_damaged_byte_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
