/* test_idx.c - IDX: every type, and files that must be refused. */
#include "number_files.h"

static void every_type_is_read(void **state)
{
    (void)state;
    static const struct {
        unsigned char code;
        const char *bytes;
        size_t n;
        rg_number_type type;
        double expected[2];
    } cases[] = {
        {0x08, "\x00\xff", 2, RG_U8, {0, 255}},
        {0x09, "\x80\x7f", 2, RG_I8, {-128, 127}},
        {0x0B, "\xff\xfe\x01\x02", 4, RG_I16, {-2, 258}},
        {0x0C, "\xff\xff\xff\xfd\x01\x02\x03\x04", 8, RG_I32, {-3, 16909060}},
        {0x0D, "\x3f\xc0\x00\x00\xc0\x20\x00\x00", 8, RG_F32, {1.5, -2.5}},
        {0x0E, "\x3f\xf8\0\0\0\0\0\0\xc0\x04\0\0\0\0\0\0", 16, RG_F64, {1.5, -2.5}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        number_file file = number_file_idx(cases[k].code, "\2\1", 2, cases[k].bytes, cases[k].n);
        rg_numbers t = {0};
        double values[2];
        ASSERT_OK(number_file_read(&t, rg_idx_read, &file, err));
        assert_int_equal(t.type, cases[k].type);
        assert_int_equal(t.n_dims, 2);
        assert_int_equal(t.dims[0], 2);
        assert_int_equal(t.dims[1], 1);
        assert_int_equal(t.offset, 12);
        assert_int_equal(t.n_numbers, 2);
        rg_numbers_reals(values, &t, 0, 1, 2);
        assert_true(values[0] == cases[k].expected[0] && values[1] == cases[k].expected[1]);
        rg_numbers_free(&t);
        free(file.bytes);
    }
}

static void sizes_have_four_bytes(void **state)
{
    (void)state;
    number_file file = {0};
    number_file_add(&file, "\0\0\x08\1\0\0\1\2", 8);
    for (int k = 0; k < 258; k++)
        number_file_add(&file, "x", 1);
    rg_numbers t = {0};
    ASSERT_OK(number_file_read(&t, rg_idx_read, &file, err));
    assert_int_equal(t.dims[0], 258);
    rg_numbers_free(&t);
    free(file.bytes);
}

static void mangled_files_are_refused(void **state)
{
    (void)state;
    static const number_file_case cases[] = {
        {"", 0, "F: byte 0: found the end of the file, expected the four bytes of an IDX file"},
        {"\0\0\x08", 3,
         "F: byte 3: found the end of the file, expected the four bytes of an IDX file"},
        {"PK\3\4", 4, "F: byte 0: found 0x50, expected 0: an IDX file begins with two zero bytes"},
        {"\0\1\x08\1", 4,
         "F: byte 1: found 0x01, expected 0: an IDX file begins with two zero bytes"},
        {"\0\0\x0a\1", 4,
         "F: byte 2: found type 0x0a, expected 0x08, 0x09, 0x0b, 0x0c, 0x0d or 0x0e"},
        {"\0\0\x08\0", 4, "F: byte 3: found 0 dimensions, expected 1 to 4"},
        {"\0\0\x08\5", 4, "F: byte 3: found 5 dimensions, expected 1 to 4"},
        {"\0\0\x08\2\0\0\0\1\0\0", 10,
         "F: byte 10: found the end of the file, expected the sizes of an IDX file"},
        {"\0\0\x0e\1\0\0\0\2\0", 9,
         "F: byte 9: found the end of the file, expected 15 more bytes of numbers"},
        {"\0\0\x08\1\0\0\0\1ab", 10,
         "F: byte 9: found more bytes, expected the end of the file after 1 numbers"},
        {"\0\0\x0e\4\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 20,
         "F: byte 20: found sizes whose product is no number of bytes, expected those of the file"},
        {"\0\0\x08\2\xff\xff\xff\xff\x40\0\0\0x", 13,
         "F: byte 13: found the end of the file, expected 4611686017353646079 more bytes of "
         "numbers"},
    };
    number_file_all_refused(rg_idx_read, cases, sizeof cases / sizeof *cases);
}

static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    number_file file = number_file_idx(0x0B, "\2\2", 2, "abcdefgh", 8);
    number_file_cut_anywhere(rg_idx_read, &file);
    free(file.bytes);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    number_file_once once = {rg_idx_read, number_file_idx(0x08, "\2\2", 2, "abcd", 4)};
    assert_int_equal(test_allocation_sweep(number_file_read_once, &once), 5);
    free(once.file.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_read),
        cmocka_unit_test(sizes_have_four_bytes),
        cmocka_unit_test(mangled_files_are_refused),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
