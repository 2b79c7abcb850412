/* test_npy.c - .npy: what NumPy 1.24 writes, and files that must be refused. */
#include "number_files.h"

/* Bytes as numpy.array(...).tobytes() gives them. */
static void every_type_of_numpy_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        rg_number_type type;
        const char *bytes;
        double expected[3];
    } cases[] = {
        {"|b1", RG_BOOL, "\x00\x01\x01", {0, 1, 1}},
        {"|i1", RG_I8, "\x80\xff\x7f", {-128, -1, 127}},
        {"|u1", RG_U8, "\x00\x80\xff", {0, 128, 255}},
        {"<i2", RG_I16, "\x00\x80\xfe\xff\x02\x01", {-32768, -2, 258}},
        {"<u2", RG_U16, "\x01\x00\x02\x01\xff\xff", {1, 258, 65535}},
        {"<i4",
         RG_I32,
         "\x00\x00\x00\x80\xfd\xff\xff\xff\x04\x03\x02\x01",
         {-2147483648, -3, 16909060}},
        {"<u4",
         RG_U32,
         "\x01\x00\x00\x00\x04\x03\x02\x01\xff\xff\xff\xff",
         {1, 16909060, 4294967295}},
        {"<i8",
         RG_I64,
         "\xfc\xff\xff\xff\xff\xff\xff\xff\x08\x07\x06\x05\x04\x03\x02\x01\x00\x00\x00\x00\x00\x00"
         "\x20\x00",
         {-4, 72623859790382848.0, 0x1p53}},
        {"<u8",
         RG_U64,
         "\x01\x00\x00\x00\x00\x00\x00\x00\x08\x07\x06\x05\x04\x03\x02\x01\x00\x00\x00\x00\x00\x00"
         "\x00\x80",
         {1, 72623859790382848.0, 0x1p63}},
        {"<f4", RG_F32, "\x00\x00\xc0\x3f\x00\x00\x80\xbe\x00\x00\x00\xff", {1.5, -0.25, -0x1p127}},
        {"<f8",
         RG_F64,
         "\x00\x00\x00\x00\x00\x00\xf8\x3f\x9a\x99\x99\x99\x99\x99\xb9\xbf\x59\xf3\xf8\xc2\x1f\x6e"
         "\xa5\x01",
         {1.5, -0.1, 1e-300}},
        {">i2", RG_I16, "\x80\x00\xff\xfe\x01\x02", {-32768, -2, 258}},
        {">u2", RG_U16, "\x00\x01\x01\x02\xff\xff", {1, 258, 65535}},
        {">i4",
         RG_I32,
         "\x80\x00\x00\x00\xff\xff\xff\xfd\x01\x02\x03\x04",
         {-2147483648, -3, 16909060}},
        {">u4",
         RG_U32,
         "\x00\x00\x00\x01\x01\x02\x03\x04\xff\xff\xff\xff",
         {1, 16909060, 4294967295}},
        {">i8",
         RG_I64,
         "\xff\xff\xff\xff\xff\xff\xff\xfc\x01\x02\x03\x04\x05\x06\x07\x08\x00\x20\x00\x00\x00\x00"
         "\x00\x00",
         {-4, 72623859790382848.0, 0x1p53}},
        {">u8",
         RG_U64,
         "\x00\x00\x00\x00\x00\x00\x00\x01\x01\x02\x03\x04\x05\x06\x07\x08\x80\x00\x00\x00\x00\x00"
         "\x00\x00",
         {1, 72623859790382848.0, 0x1p63}},
        {">f4", RG_F32, "\x3f\xc0\x00\x00\xbe\x80\x00\x00\xff\x00\x00\x00", {1.5, -0.25, -0x1p127}},
        {">f8",
         RG_F64,
         "\x3f\xf8\x00\x00\x00\x00\x00\x00\xbf\xb9\x99\x99\x99\x99\x99\x9a\x01\xa5\x6e\x1f\xc2\xf8"
         "\xf3\x59",
         {1.5, -0.1, 1e-300}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t size = rg_number_size(cases[k].type);
        number_file file = number_file_array(cases[k].word, false, "3,", cases[k].bytes, 3 * size);
        rg_numbers t = {0};
        double values[3];
        int64_t whole[3];
        size_t bad = 9;
        ASSERT_OK(number_file_read(&t, rg_npy_read, &file, err));
        assert_int_equal(t.type, cases[k].type);
        assert_int_equal(t.big, cases[k].word[0] == '>');
        assert_int_equal(t.n_dims, 1);
        assert_int_equal(t.n_numbers, 3);
        assert_int_equal(t.offset, file.n - 3 * size);
        rg_numbers_reals(values, &t, 0, 1, 3);
        for (size_t i = 0; i < 3; i++)
            assert_true(values[i] == cases[k].expected[i]);
        if (!rg_number_is_real(t.type)) {
            bool fits = rg_numbers_ints(whole, &t, 0, 1, 3, &bad);
            assert_int_equal(fits, t.type != RG_U64);
            assert_int_equal(bad, fits ? 9 : 2);
            for (size_t i = 0; i < bad && i < 3; i++)
                assert_true((double)whole[i] == cases[k].expected[i]);
        }
        rg_numbers_free(&t);
        free(file.bytes);
    }
}

/* numpy.save of numpy.array([[1, 2, 3], [4, 5, 6]], dtype='<i4', order='F'), byte for byte. */
static const char saved[] =
    "\x93NUMPY\1\0v\0{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }"
    "                                                           \n"
    "\1\0\0\0\4\0\0\0\2\0\0\0\5\0\0\0\3\0\0\0\6\0\0\0";

static void a_file_of_numpy_in_fortran_order_is_read(void **state)
{
    (void)state;
    number_file file = {0};
    rg_numbers t = {0};
    number_file_add(&file, saved, sizeof saved - 1);
    assert_int_equal(file.n, 152);
    ASSERT_OK(number_file_read(&t, rg_npy_read, &file, err));
    assert_true(t.fortran);
    assert_int_equal(t.offset, 128);
    assert_int_equal(t.dims[0], 2);
    assert_int_equal(t.dims[1], 3);
    assert_int_equal(rg_numbers_stride(&t, 0), 1);
    assert_int_equal(rg_numbers_stride(&t, 1), 2);
    double row[3];
    rg_numbers_reals(row, &t, 1, 2, 3);
    assert_true(row[0] == 4 && row[1] == 5 && row[2] == 6);
    t.fortran = false;
    assert_int_equal(rg_numbers_stride(&t, 0), 3);
    assert_int_equal(rg_numbers_stride(&t, 1), 1);
    rg_numbers_free(&t);
    free(file.bytes);
}

static void heads_are_as_numpy_writes_them(void **state)
{
    (void)state;
    static const struct {
        const char *type, *shape;
        size_t dims[4], n_dims;
    } cases[] = {
        {"<f8", "7,", {7}, 1},
        {"<f4", "60000, 28, 28", {60000, 28, 28}, 3},
        {"<i8", "7, 2, 28, 28", {7, 2, 28, 28}, 4},
        {"<f8",
         "18446744073709551615, 18446744073709551615, 18446744073709551615, 18446744073709551615",
         {SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX},
         4},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char head[RG_NPY_HEAD_MAX];
        number_file file = number_file_array(cases[k].type, false, cases[k].shape, "", 0);
        size_t n = rg_npy_head(head, cases[k].type, cases[k].dims, cases[k].n_dims);
        assert_int_equal(n, file.n);
        assert_memory_equal(head, file.bytes, n);
        free(file.bytes);
    }
}

static void heads_may_look_otherwise(void **state)
{
    (void)state;
    static const struct {
        int version;
        const char *head;
    } cases[] = {
        {1, "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }"},
        {2, "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }"},
        {3, "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }"},
        {1, "{'shape':(3,),'fortran_order':False,'descr':'<i2'}"},
        {1, "{\"descr\": \"<i2\", \"shape\": (3L,), \"fortran_order\": True}"},
        {1, "{ 'descr' : '<i2' ,\t'fortran_order' : False , 'shape' : ( 1 , 3 , ) , }"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        number_file file = number_file_npy(cases[k].version, cases[k].head, "\1\0\2\0\3\0", 6);
        rg_numbers t = {0};
        double row[3];
        ASSERT_OK(number_file_read(&t, rg_npy_read, &file, err));
        rg_numbers_reals(row, &t, 0, 1, 3);
        assert_true(row[0] == 1 && row[1] == 2 && row[2] == 3);
        rg_numbers_free(&t);
        free(file.bytes);
    }
}

static void mangled_heads_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *head, *message;
    } cases[] = {
        {"", "F: byte 63: found the end of the head, expected '{'"},
        {"[]", "F: byte 10: found '[]', expected '{'"},
        {"{}", "F: byte 10: found no 'descr' in the head, expected one"},
        {"{'descr': '<f8', 'shape': (3,)}",
         "F: byte 10: found no 'fortran_order' in the head, expected one"},
        {"{'size': 3}", "F: byte 11: found ''size'', expected 'descr', 'fortran_order' and "
                        "'shape', each once"},
        {"{descr: 3}", "F: byte 11: found 'descr', expected 'descr', 'fortran_order' or 'shape'"},
        {"{'descr", "F: byte 11: found ''descr', expected 'descr', 'fortran_order' or 'shape'"},
        {"{'descr': '<f8', 'descr': '<f8'}",
         "F: byte 27: found ''descr'', expected 'descr', 'fortran_order' and 'shape', each once"},
        {"{'descr' '<f8'}", "F: byte 19: found ''<f8'', expected ':'"},
        {"{'descr': '<f8' 'shape': (3,)}", "F: byte 26: found ''shape'', expected ',' or '}'"},
        {"{'descr': '|O'}",
         "F: byte 20: found ''|O'', expected a type: b1, i1, i2, i4, i8, u1, u2, u4, u8, f4 or f8 "
         "behind '<', '>' or '|'"},
        {"{'descr': [('a', '<f8')]}",
         "F: byte 20: found '[('a'', expected a type: b1, i1, i2, i4, i8, u1, u2, u4, u8, f4 or f8 "
         "behind '<', '>' or '|'"},
        {"{'descr': '|f8'}",
         "F: byte 20: found ''|f8'', expected a type: b1, i1, i2, i4, i8, u1, u2, u4, u8, f4 or f8 "
         "behind '<', '>' or '|'"},
        {"{'descr': ''}",
         "F: byte 20: found '''', expected a type: b1, i1, i2, i4, i8, u1, u2, u4, u8, f4 or f8 "
         "behind '<', '>' or '|'"},
        {"{'fortran_order': 0}", "F: byte 28: found '0', expected True or False"},
        {"{'shape': 3}", "F: byte 20: found '3', expected '(' and sizes"},
        {"{'shape': ()}", "F: byte 21: found ')', expected 1 to 5 sizes"},
        {"{'shape': (3)}", "F: byte 23: found '}', expected ',' behind the only size"},
        {"{'shape': (-3,)}", "F: byte 21: found '-3', expected a size"},
        {"{'shape': (3 4)}", "F: byte 23: found '4', expected ',' behind the only size"},
        {"{'shape': (3, 4 5)}", "F: byte 26: found '5', expected ',' or ')'"},
        {"{'shape': (3,,)}", "F: byte 23: found ',', expected a size"},
        {"{'shape': (1, 2, 3, 4, 5, 6)}",
         "F: byte 36: found '6', expected ')' after five dimensions"},
        {"{'shape': (18446744073709551616,)}",
         "F: byte 21: found '18446744073709551616', expected a size that is a number of 64 bits"},
        {"{'shape': (3,", "F: byte 63: found the end of the head, expected a size"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,)} x",
         "F: byte 66: found 'x', expected blanks up to the end of the head"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (4294967296, 4294967296)}",
         "F: byte 128: found sizes whose product is no number of bytes, expected those of the "
         "file"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1152921504606846976, 0)}",
         "F: byte 128: found more bytes, expected the end of the file after 0 numbers"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}",
         "F: byte 144: found the end of the file, expected 8 more bytes of numbers"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000, 1000000)}",
         "F: byte 144: found the end of the file, expected 7999999999999984 more bytes of "
         "numbers"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        number_file file = number_file_npy(1, cases[k].head, "0123456789abcdef", 16);
        number_file_refused(rg_npy_read, &file, cases[k].message);
        free(file.bytes);
    }
}

static void mangled_fronts_are_refused(void **state)
{
    (void)state;
    static const number_file_case cases[] = {
        {"", 0, "F: byte 0: found the end of the file, expected the front of a .npy file"},
        {"PK\3\4abcd", 8,
         "F: byte 0: found 0x50, expected 0x93: a .npy file begins with 0x93 and NUMPY"},
        {"\x93NUMPX\1\0", 8,
         "F: byte 5: found 0x58, expected 0x59: a .npy file begins with 0x93 and NUMPY"},
        {"\x93NUMPY\4\1", 8, "F: byte 6: found version 4.1, expected 1.0, 2.0 or 3.0"},
        {"\x93NUMPY\0\0", 8, "F: byte 6: found version 0.0, expected 1.0, 2.0 or 3.0"},
        {"\x93NUMPY\1\0v", 9,
         "F: byte 9: found the end of the file, expected the length of the head"},
        {"\x93NUMPY\2\0\1\0\1\0", 12,
         "F: byte 8: found a head of 65537 bytes, expected at most 65536"},
        {"\x93NUMPY\1\0v\0{'descr'", 18,
         "F: byte 18: found the end of the file, expected the rest of the head"},
    };
    number_file_all_refused(rg_npy_read, cases, sizeof cases / sizeof *cases);
}

static void a_file_cut_anywhere_is_refused(void **state)
{
    (void)state;
    number_file file = {0};
    number_file_add(&file, saved, sizeof saved - 1);
    number_file_cut_anywhere(rg_npy_read, &file);
    free(file.bytes);
}

/* Longer than what is allocated at first, so that it grows on the way. */
static void long_files_are_read_in_pieces(void **state)
{
    (void)state;
    size_t n = 5000001;
    unsigned char *data = malloc(n);
    rg_numbers t = {0};
    assert_non_null(data);
    for (size_t k = 0; k < n; k++)
        data[k] = (unsigned char)(k * 7 >> 3);
    number_file file = number_file_array("|u1", false, "5000001,", data, n);
    ASSERT_OK(number_file_read(&t, rg_npy_read, &file, err));
    assert_int_equal(t.n_numbers, n);
    assert_memory_equal(t.bytes, data, n);
    rg_numbers_free(&t);
    free(file.bytes);
    free(data);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    char *data = calloc(3000000, 1);
    number_file_once once = {rg_npy_read,
                             number_file_array("|u1", false, "3000000,", data, 3000000)};
    assert_int_equal(test_allocation_sweep(number_file_read_once, &once), 8);
    free(once.file.bytes);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_of_numpy_is_read),
        cmocka_unit_test(a_file_of_numpy_in_fortran_order_is_read),
        cmocka_unit_test(heads_are_as_numpy_writes_them),
        cmocka_unit_test(heads_may_look_otherwise),
        cmocka_unit_test(mangled_heads_are_refused),
        cmocka_unit_test(mangled_fronts_are_refused),
        cmocka_unit_test(a_file_cut_anywhere_is_refused),
        cmocka_unit_test(long_files_are_read_in_pieces),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
