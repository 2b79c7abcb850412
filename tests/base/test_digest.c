/* test_digest.c - SHA-256 against the vectors of FIPS 180, XXH3 against its own. */
#include "support/support.h"

#include "base/digest.h"

#include <math.h>
#include <sha2.h>
#include <string.h>

static void sha256_has_known_answers(void **state)
{
    (void)state;
    static const struct {
        const char *text, *digest;
    } cases[] = {
        {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
        {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
         "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
        {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrl"
         "m"
         "nopqrsmnopqrstnopqrstu",
         "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[RG_DIGEST_TEXT];
        rg_digest digest;
        rg_digest_init(&digest);
        rg_digest_bytes(&digest, cases[k].text, strlen(cases[k].text));
        rg_digest_finish(&digest, text);
        assert_string_equal(text, cases[k].digest);
    }
}

static const char million_a[] = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0";

static void a_million_a_s_in_pieces_of_any_size(void **state)
{
    (void)state;
    char a[1000], text[RG_DIGEST_TEXT];
    memset(a, 'a', sizeof a);
    static const size_t pieces[] = {1000, 64, 63, 65, 1, 999, 128};
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        rg_digest digest;
        rg_digest_init(&digest);
        for (size_t left = 1000000; left;) {
            size_t n = pieces[k] < left ? pieces[k] : left;
            rg_digest_bytes(&digest, a, n);
            left -= n;
        }
        rg_digest_finish(&digest, text);
        assert_string_equal(text, million_a);
    }
}

/* libmd is the second opinion where the processor has instructions of its own for blocks. */
static void bytes_of_any_length_in_two_pieces_are_as_libmd_finds(void **state)
{
    (void)state;
    unsigned char bytes[400];
    for (size_t k = 0; k < sizeof bytes; k++)
        bytes[k] = (unsigned char)(k * k + 7 * k + 3);
    for (size_t n = 0; n <= sizeof bytes; n++) {
        char expected[SHA256_DIGEST_STRING_LENGTH], found[RG_DIGEST_TEXT];
        SHA256Data(bytes, n, expected);
        for (size_t first = 0; first <= n; first += 13) {
            rg_digest digest;
            rg_digest_init(&digest);
            rg_digest_bytes(&digest, bytes, first);
            rg_digest_bytes(&digest, bytes + first, n - first);
            rg_digest_finish(&digest, found);
            assert_string_equal(found, expected);
        }
    }
}

static void of_bytes(char out[RG_DIGEST_TEXT], const void *bytes, size_t n)
{
    rg_digest digest;
    rg_digest_init(&digest);
    rg_digest_bytes(&digest, bytes, n);
    rg_digest_finish(&digest, out);
}

static void numbers_go_in_as_little_endian_bytes(void **state)
{
    (void)state;
    char text[RG_DIGEST_TEXT], expected[RG_DIGEST_TEXT];
    rg_digest digest;
    rg_digest_init(&digest);
    rg_digest_u64(&digest, 0x0102030405060708);
    rg_digest_u32_array(&digest, (uint32_t[]){0x11121314, 5}, 2);
    rg_digest_real_array(&digest, (double[]){1.5}, 1);
    rg_digest_text(&digest, "ab");
    rg_digest_u32_array(&digest, NULL, 0);
    rg_digest_real_array(&digest, NULL, 0);
    rg_digest_bytes(&digest, NULL, 0);
    rg_digest_finish(&digest, text);
    of_bytes(expected,
             "\x08\x07\x06\x05\x04\x03\x02\x01"
             "\x14\x13\x12\x11\x05\x00\x00\x00"
             "\x00\x00\x00\x00\x00\x00\xf8\x3f"
             "\x02\x00\x00\x00\x00\x00\x00\x00"
             "ab",
             34);
    assert_string_equal(text, expected);
}

static void long_arrays_do_not_depend_on_the_buffer(void **state)
{
    (void)state;
    enum { N = 5000 };
    uint32_t values[N];
    unsigned char bytes[4 * N];
    for (uint32_t k = 0; k < N; k++) {
        values[k] = k * 2654435761u;
        for (int b = 0; b < 4; b++)
            bytes[4 * k + (uint32_t)b] = (unsigned char)(values[k] >> 8 * b);
    }
    for (size_t n = 1020; n < N; n += n < 1030 ? 1 : 997) {
        char text[RG_DIGEST_TEXT], expected[RG_DIGEST_TEXT];
        rg_digest digest;
        rg_digest_init(&digest);
        rg_digest_u32_array(&digest, values, n);
        rg_digest_finish(&digest, text);
        of_bytes(expected, bytes, 4 * n);
        assert_string_equal(text, expected);
    }
}

static void of_real(char out[RG_DIGEST_TEXT], double value)
{
    rg_digest digest;
    rg_digest_init(&digest);
    rg_digest_real_array(&digest, &value, 1);
    rg_digest_finish(&digest, out);
}

static void equal_reals_have_equal_digests_and_others_not(void **state)
{
    (void)state;
    char a[RG_DIGEST_TEXT], b[RG_DIGEST_TEXT];
    of_real(a, 0.0);
    of_real(b, -0.0);
    assert_string_equal(a, b);
    uint64_t bits = 0xfff8000000001234;
    double odd_nan;
    memcpy(&odd_nan, &bits, sizeof odd_nan);
    of_real(a, NAN);
    of_real(b, odd_nan);
    assert_string_equal(a, b);
    of_real(b, 0.0);
    assert_string_not_equal(a, b);
    of_real(a, nextafter(0, 1));
    assert_string_not_equal(a, b);
}

static void texts_one_after_another_are_kept_apart(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {{"ab", "c"}, {"a", "bc"}, {"abc", ""}, {"", "abc"}};
    char texts[4][RG_DIGEST_TEXT];
    for (int k = 0; k < 4; k++) {
        rg_digest digest;
        rg_digest_init(&digest);
        rg_digest_text(&digest, pairs[k][0]);
        rg_digest_text(&digest, pairs[k][1]);
        rg_digest_finish(&digest, texts[k]);
        for (int other = 0; other < k; other++)
            assert_string_not_equal(texts[k], texts[other]);
    }
}

static rg_status digest_a_file(void *path, rg_error *err)
{
    char text[RG_DIGEST_TEXT] = "untouched";
    rg_status status = rg_digest_file(text, path, err);
    assert_string_equal(text, status ? "untouched" : million_a);
    return status;
}

static void files_have_the_digest_of_their_bytes(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/a", directory);
    char *a = malloc(1000000), text[RG_DIGEST_TEXT];
    assert_non_null(a);
    memset(a, 'a', 1000000);
    test_write_bytes(directory, "a", a, 1000000);
    test_write_bytes(directory, "empty", a, 0);
    ASSERT_OK(rg_digest_file(text, path, err));
    assert_string_equal(text, million_a);
    assert_true(test_io_sweep(digest_a_file, path) > 2);
    assert_int_equal(test_allocation_sweep(digest_a_file, path), 0);
    free(path);
    path = test_format("%s/empty", directory);
    ASSERT_OK(rg_digest_file(text, path, err));
    assert_memory_equal(text, "e3b0c442", 8);
    rg_error err;
    assert_int_equal(rg_digest_file(text, directory, &err), RG_EIO);
    assert_non_null(strstr(err.message, directory));
    assert_int_equal(rg_digest_file(text, "/no/such/file", &err), RG_EIO);
    assert_string_equal(err.message, "cannot open '/no/such/file': No such file or directory");
    free(path);
    free(a);
    test_directory_remove(directory);
}

static void xxh3_has_known_answers(void **state)
{
    (void)state;
    assert_true(rg_hash("", 0, 0) == 0x2d06800538d394c2);
    assert_true(rg_hash(NULL, 0, 0) == 0x2d06800538d394c2);
    assert_true(rg_hash("abc", 3, 0) == 0x78af5f94892f3950);
    assert_true(rg_hash("abc", 3, 1) != rg_hash("abc", 3, 0));
    assert_true(rg_hash("abd", 3, 0) != rg_hash("abc", 3, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_has_known_answers),
        cmocka_unit_test(a_million_a_s_in_pieces_of_any_size),
        cmocka_unit_test(bytes_of_any_length_in_two_pieces_are_as_libmd_finds),
        cmocka_unit_test(numbers_go_in_as_little_endian_bytes),
        cmocka_unit_test(long_arrays_do_not_depend_on_the_buffer),
        cmocka_unit_test(equal_reals_have_equal_digests_and_others_not),
        cmocka_unit_test(texts_one_after_another_are_kept_apart),
        cmocka_unit_test(files_have_the_digest_of_their_bytes),
        cmocka_unit_test(xxh3_has_known_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
