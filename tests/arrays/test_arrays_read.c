/* test_arrays_read.c - arrays from files: names, parts, orders, and what must be refused. */
#include "arrays/array_names.h"
#include "number_files.h"
#include "support/archives.h"
#include "support/program.h"

#include <string.h>

static void names_say_what_a_file_is(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        int known; /* 0: no, 1: values, 2: targets */
        bool idx;
        rg_array_part part;
        const char *prefix;
    } cases[] = {
        {"x.npy", 1, false, RG_ARRAY_WHOLE, ""},
        {"X.NPY", 1, false, RG_ARRAY_WHOLE, ""},
        {"y.npy", 2, false, RG_ARRAY_WHOLE, ""},
        {"images.npy", 1, false, RG_ARRAY_WHOLE, ""},
        {"labels.npy", 2, false, RG_ARRAY_WHOLE, ""},
        {"digits_x.npy", 1, false, RG_ARRAY_WHOLE, "digits"},
        {"digits-labels.npy", 2, false, RG_ARRAY_WHOLE, "digits"},
        {"x_train.npy", 1, false, RG_ARRAY_TRAIN, ""},
        {"Y_test.npy", 2, false, RG_ARRAY_TEST, ""},
        {"train_x.npy", 1, false, RG_ARRAY_TRAIN, ""},
        {"digits_test_x.npy", 1, false, RG_ARRAY_TEST, "digits"},
        {"digits_x_train.npy", 1, false, RG_ARRAY_TRAIN, "digits"},
        {"train_x_test.npy", 1, false, RG_ARRAY_TEST, "train"},
        {"train-images-idx3-ubyte", 1, true, RG_ARRAY_TRAIN, ""},
        {"t10k-labels-idx1-ubyte", 2, true, RG_ARRAY_TEST, ""},
        {"t10k-images.idx3-ubyte", 1, true, RG_ARRAY_TEST, ""},
        {"emnist-letters-train-images-idx3-ubyte", 1, true, RG_ARRAY_TRAIN, "emnist-letters"},
        {"a-images-idx4-float", 1, true, RG_ARRAY_WHOLE, "a"},
        {"images-idx3-ubyte", 1, true, RG_ARRAY_WHOLE, ""},
        {"", 0, false, 0, ""},
        {".npy", 0, false, 0, ""},
        {"box.npy", 0, false, 0, ""},
        {"x", 0, false, 0, ""},
        {"x.npz", 0, false, 0, ""},
        {"train.npy", 0, false, 0, ""},
        {"x_valid.npy", 0, false, 0, ""},
        {"images-idx5-ubyte", 0, false, 0, ""},
        {"images-idx3-word", 0, false, 0, ""},
        {"-ubyte", 0, false, 0, ""},
        {"train-idx3-ubyte", 0, false, 0, ""},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_array_name name;
        bool known = rg_array_name_parse(&name, cases[k].file);
        if (known != (cases[k].known > 0))
            fail_msg("%s: known %d", cases[k].file, known);
        if (!known)
            continue;
        assert_int_equal(name.values, cases[k].known == 1);
        assert_int_equal(name.idx, cases[k].idx);
        assert_int_equal(name.part, cases[k].part);
        assert_int_equal(name.n_prefix, strlen(cases[k].prefix));
        assert_memory_equal(cases[k].file, cases[k].prefix, name.n_prefix);
    }
}

/* ---- files */

static void put(const char *directory, const char *name, number_file file)
{
    test_write_bytes(directory, name, file.bytes, file.n);
    free(file.bytes);
}

static void put_packed(const char *directory, const char *name, number_file file)
{
    packed bytes = pack("gz", &(pack_file){.name = "x", .text = file.bytes, .n = file.n}, 1);
    test_write_bytes(directory, name, bytes.bytes, bytes.n);
    free(bytes.bytes);
    free(file.bytes);
}

static rg_status read_arrays(rg_arrays **out, const char *directory, const char *name, int scale,
                             rg_error *err)
{
    char *path = test_format("%s/%s", directory, name);
    rg_arrays_options options = rg_arrays_options_default();
    options.scale = scale;
    rg_status status = rg_arrays_read(out, path, &options, err);
    free(path);
    return status;
}

static void bytes_are_scaled_unless_told(void **state)
{
    rg_arrays *arrays = NULL;
    put(*state, "scale/x.npy", number_file_array("|u1", false, "2, 2", "\0\x33\xff\x80", 4));
    put(*state, "scale/y.npy", number_file_array("|u1", false, "2,", "\4\2", 2));
    ASSERT_OK(read_arrays(&arrays, *state, "scale", 1, err));
    const float *values = rg_arrays_floats(arrays);
    assert_non_null(values);
    assert_true(values[0] == 0 && values[1] == 0.2f && values[2] == 1 &&
                values[3] == (float)(128 / 255.0));
    assert_int_equal(rg_arrays_classes(arrays, 0)[0], 1);
    rg_arrays_free(arrays);
    arrays = NULL;
    ASSERT_OK(read_arrays(&arrays, *state, "scale", 0, err));
    assert_true(rg_arrays_floats(arrays)[3] == 128);
    rg_arrays_free(arrays);
}

/* Value number v of sample s in every order of axes, against the definition. */
static void orders_and_shapes_follow_the_definition(void **state)
{
    static const struct {
        const char *shape;
        size_t dims[5], n_dims;
        rg_array_shape expected;
    } cases[] = {{"2, 24", {2, 24}, 2, {1, 24, 1}},
                 {"2, 4, 6", {2, 4, 6}, 3, {4, 6, 1}},
                 {"2, 2, 3, 4", {2, 2, 3, 4}, 4, {3, 4, 2}},
                 {"2, 2, 1, 3, 4", {2, 2, 1, 3, 4}, 5, {3, 4, 2}},
                 {"2, 1, 3, 2, 4", {2, 1, 3, 2, 4}, 5, {2, 4, 3, 3}},
                 {"2, 2, 3, 2, 2", {2, 2, 3, 2, 2}, 5, {2, 2, 6, 3}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int fortran = 0; fortran < 2; fortran++) {
            unsigned char bytes[96] = {0};
            const size_t *dims = cases[c].dims;
            for (size_t v = 0; v < 48; v++) { /* value v in C order goes to place `at` */
                size_t index[5], rest = v, at = 0, stride = 1;
                for (size_t d = cases[c].n_dims; d-- > 0; rest /= dims[d])
                    index[d] = rest % dims[d];
                for (size_t d = 0; d < cases[c].n_dims; stride *= dims[d++])
                    at += index[d] * stride;
                bytes[2 * (fortran ? at : v) + 1] = (unsigned char)v;
            }
            rg_arrays *arrays = NULL;
            put(*state, "order/x.npy",
                number_file_array(">i2", fortran, cases[c].shape, bytes, 96));
            ASSERT_OK(read_arrays(&arrays, *state, "order", 1, err));
            rg_array_shape shape = rg_arrays_shape(arrays);
            assert_memory_equal(&shape, &cases[c].expected, sizeof shape);
            for (size_t v = 0; v < 48; v++)
                assert_true(rg_arrays_floats(arrays)[v] == (float)v);
            rg_arrays_free(arrays);
        }
}

static void targets_are_classes_or_real(void **state)
{
    rg_arrays *arrays = NULL;
    const double reals[] = {1.5, 2.5, -1, 4};
    put(*state, "real/x.npy", number_file_array("|b1", false, "2, 1", "\0\1", 2));
    put(*state, "real/y.npy", number_file_array("<f8", true, "2, 2", reals, 32));
    ASSERT_OK(read_arrays(&arrays, *state, "real", 1, err));
    assert_int_equal(rg_arrays_n_columns(arrays, RG_TARGET), 2);
    assert_int_equal(rg_arrays_n_columns(arrays, RG_CLASS), 0);
    const double *y = rg_arrays_reals(arrays);
    assert_true(y[0] == 1.5 && y[1] == -1 && y[2] == 2.5 && y[3] == 4);
    rg_arrays_free(arrays);
    arrays = NULL;
    put(*state, "real/y.npy", number_file_array("|i1", true, "2, 2", "\1\2\xff\4", 4));
    ASSERT_OK(read_arrays(&arrays, *state, "real", 1, err));
    assert_int_equal(rg_arrays_n_columns(arrays, RG_CLASS), 2);
    size_t n;
    assert_int_equal(rg_arrays_class_values(arrays, 1, &n)[0], -1);
    rg_arrays_free(arrays);
}

/* As torchvision leaves them: plain and compressed side by side, in raw/. */
static void mnist_comes_train_first(void **state)
{
    rg_arrays *arrays = NULL;
    rg_error why = {""};
    int there = 0;
    put(*state, "MNIST/raw/t10k-images-idx3-ubyte",
        number_file_idx(8, "\1\2\2", 3, "\xff\xff\xff\xff", 4));
    put(*state, "MNIST/raw/t10k-labels-idx1-ubyte", number_file_idx(8, "\1", 1, "\7", 1));
    put(*state, "MNIST/raw/train-images-idx3-ubyte",
        number_file_idx(8, "\2\2\2", 3, "\0\0\0\0\0\0\0\0", 8));
    test_write(*state, "MNIST/raw/train-images-idx3-ubyte.gz", "not looked into");
    put_packed(*state, "MNIST/raw/train-labels-idx1-ubyte.gz",
               number_file_idx(8, "\2", 1, "\3\7", 2));
    ASSERT_OK(read_arrays(&arrays, *state, "MNIST", 1, err));
    assert_string_equal(rg_arrays_name(arrays), "MNIST");
    assert_int_equal(rg_arrays_n_samples(arrays), 3);
    assert_int_equal(rg_arrays_n_train(arrays), 2);
    assert_true(rg_arrays_floats(arrays)[0] == 0 && rg_arrays_floats(arrays)[11] == 1);
    assert_int_equal(rg_arrays_classes(arrays, 0)[0], 0);
    assert_int_equal(rg_arrays_classes(arrays, 0)[2], 1);
    rg_arrays_free(arrays);
    arrays = NULL;
    /* one file of values: its own targets and no others */
    ASSERT_OK(read_arrays(&arrays, *state, "MNIST/raw/train-images-idx3-ubyte", 1, err));
    assert_int_equal(rg_arrays_n_samples(arrays), 2);
    assert_int_equal(rg_arrays_n_train(arrays), 2);
    assert_int_equal(rg_arrays_n_columns(arrays, RG_CLASS), 1);
    assert_string_equal(rg_arrays_name(arrays), "MNIST");
    rg_arrays_free(arrays);
    char *path = test_format("%s/MNIST", (char *)*state);
    assert_int_equal(rg_arrays_are_there(&there, path, &why), RG_OK);
    assert_int_equal(there, 1);
    free(path);
}

static void archives_and_one_set_of_several_are_read(void **state)
{
    number_file x = number_file_array("<f4", false, "1, 2", "\0\0\x80\x3f\0\0\0\x40", 8);
    number_file y = number_file_array("<i4", false, "1,", "\1\0\0\0", 4);
    const pack_file files[] = {{.name = "y_train.npy", .text = y.bytes, .n = y.n},
                               {.name = "x_train.npy", .text = x.bytes, .n = x.n}};
    packed npz = pack("zip", files, 2);
    rg_arrays *arrays = NULL;
    rg_error why = {""};
    int there = 0;
    test_write_bytes(*state, "some.npz", npz.bytes, npz.n);
    ASSERT_OK(read_arrays(&arrays, *state, "some.npz", 1, err));
    assert_string_equal(rg_arrays_name(arrays), "some");
    assert_true(rg_arrays_floats(arrays)[1] == 2);
    assert_int_equal(rg_arrays_n_train(arrays), 1);
    rg_arrays_free(arrays);
    arrays = NULL;
    test_write_bytes(*state, "several/a_x.npy", x.bytes, x.n);
    test_write_bytes(*state, "several/a_y.npy", y.bytes, y.n);
    test_write_bytes(*state, "several/b_x.npy", x.bytes, x.n);
    ASSERT_OK(read_arrays(&arrays, *state, "several/a", 1, err));
    assert_string_equal(rg_arrays_name(arrays), "a");
    assert_int_equal(rg_arrays_n_columns(arrays, RG_CLASS), 1);
    rg_arrays_free(arrays);
    arrays = NULL;
    ASSERT_OK(read_arrays(&arrays, *state, "several/b_x.npy", 1, err));
    assert_string_equal(rg_arrays_name(arrays), "b");
    assert_int_equal(rg_arrays_n_columns(arrays, RG_CLASS), 0);
    rg_arrays_free(arrays);
    arrays = NULL;
    assert_int_equal(read_arrays(&arrays, *state, "several/c", 1, &why), RG_EIO);
    char *path = test_format("%s/several/c", (char *)*state);
    assert_int_equal(rg_arrays_are_there(&there, path, &why), RG_OK);
    assert_int_equal(there, 0);
    path[strlen(path) - 1] = 'a';
    assert_int_equal(rg_arrays_are_there(&there, path, &why), RG_OK);
    assert_int_equal(there, 1);
    free(path);
    free(npz.bytes);
    free(x.bytes);
    free(y.bytes);
}

static void graphs_are_no_arrays(void **state)
{
    int there = 1;
    rg_error why = {""};
    test_write(*state, "graphs/G_A.txt", "");
    test_write(*state, "graphs/G_graph_indicator.txt", "1\n");
    char *path = test_format("%s/graphs", (char *)*state);
    assert_int_equal(rg_arrays_are_there(&there, path, &why), RG_OK);
    assert_int_equal(there, 0);
    put(*state, "graphs/x.npy", number_file_array("|u1", false, "1, 1", "x", 1));
    assert_int_equal(rg_arrays_are_there(&there, path, &why), RG_OK);
    assert_int_equal(there, 0); /* the first known name decides */
    free(path);
    path = test_format("%s/nowhere/x", (char *)*state);
    assert_int_equal(rg_arrays_are_there(&there, path, &why), RG_EIO);
    free(path);
}

/* ---- refused */

typedef struct wrong_array {
    const char *name, *type, *shape;
    const char *data;
    size_t n;
} wrong_array;

/* Nothing is wrong with this one. */
#define GOOD                            \
    {                                   \
        "x.npy", "|u1", "2, 1", "ab", 2 \
    }

static void files_that_do_not_go_together_are_refused(void **state)
{
    static const struct {
        wrong_array files[3];
        const char *message; /* behind "PATH: " or "PATH/FILE: " */
    } cases[] = {
        {{{0}},
         ": found no arrays, expected x.npy and y.npy, images.npy and labels.npy, or "
         "*-images-idx3-ubyte and *-labels-idx1-ubyte"},
        {{{"y.npy", "|u1", "1,", "a", 1}}, ": found targets 'y.npy' without values"},
        {{GOOD, {"images.npy", "|u1", "2, 1", "ab", 2}},
         ": found two files of values, 'images.npy' and 'x.npy', expected one"},
        {{GOOD, {"y.npy", "|u1", "2,", "ab", 2}, {"labels.npy", "|u1", "2,", "ab", 2}},
         ": found two files of targets, 'labels.npy' and 'y.npy', expected one"},
        {{GOOD, {"b_x.npy", "|u1", "2, 1", "ab", 2}},
         ": found files of two sets, 'b_x.npy' and 'x.npy', expected one"},
        {{GOOD, {"a/x.npy", "|u1", "2, 1", "ab", 2}},
         ": found two files of values, 'a/x.npy' and 'x.npy', expected one"},
        {{GOOD, {"train_x.npy", "|u1", "2, 1", "ab", 2}},
         ": found files of a whole and of a part, 'train_x.npy' and 'x.npy', expected one"},
        {{{"x.npy", "|u1", "2,", "ab", 2}},
         "/x.npy: found 1 dimension, expected 2 (samples, values), 3 (samples, rows, columns), 4 "
         "(samples, channels, rows, columns) or 5 (samples, channels, depth, rows, columns)"},
        {{{"x.npy", "|u1", "0, 2", "", 0}},
         "/x.npy: found size 0 in dimension 0, expected 1 to 4294967294"},
        {{{"x.npy", "|u1", "2, 0", "", 0}},
         "/x.npy: found size 0 in dimension 1, expected 1 to 4294967294"},
        {{GOOD, {"y.npy", "|u1", "2, 1, 1", "ab", 2}},
         "/y.npy: found 3 dimensions, expected 1 (samples) or 2 (samples, columns)"},
        {{GOOD, {"y.npy", "|u1", "3,", "abc", 3}},
         "/y.npy: found targets of 3 samples, expected 2 as in 'x.npy'"},
        {{GOOD, {"y.npy", "|u1", "2, 0", "", 0}}, "/y.npy: found 0 columns, expected at least 1"},
        {{GOOD, {"y.npy", "<u8", "2,", "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x80", 16}},
         "/y.npy: byte 136: found a class above 2^63 - 1 (sample 1, column 0), expected one that "
         "fits into 64 bits with a sign"},
        {{GOOD, {"y.npy", "<f4", "2,", "\0\0\0\0\0\0\x80\x7f", 8}},
         "/y.npy: byte 132: found an infinite target (sample 1, column 0), expected a number, or "
         "nan where none is known"},
        {{{"x.npy", "<f4", "2, 1", "\0\0\0\0\0\0\x80\x7f", 8}},
         "/x.npy: byte 132: found inf (sample 1, value 0), expected a finite number"},
        {{{"x.npy", ">f4", "1, 2, 1", "\0\0\0\0\x7f\xc0\0\0", 8}},
         "/x.npy: byte 132: found nan (sample 0, row 1, column 0), expected a finite number"},
        {{{"train_x.npy", "|u1", "2, 1", "ab", 2}, {"test_x.npy", "|u1", "1, 2", "ab", 2}},
         "/test_x.npy: found samples of 1 x 2 x 1 values, expected 1 x 1 x 1 as in 'train_x.npy'"},
        {{{"train_x.npy", "|u1", "2, 1", "ab", 2},
          {"test_x.npy", "|u1", "2, 1", "ab", 2},
          {"test_y.npy", "|u1", "2,", "ab", 2}},
         ": found targets of one part only, expected those of both"},
        {{{"x.npy", "|u1", "2, 2", "ab", 2}},
         "/x.npy: byte 130: found the end of the file, expected 2 more bytes of numbers"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *directory = test_format("%s/wrong%zu", (char *)*state, k);
        char *note = test_format("wrong%zu/README.txt", k);
        test_write(*state, note, "");
        for (size_t f = 0; f < 3 && cases[k].files[f].name; f++) {
            const wrong_array *w = &cases[k].files[f];
            put(directory, w->name, number_file_array(w->type, false, w->shape, w->data, w->n));
        }
        rg_arrays *arrays = NULL;
        rg_error why = {""};
        rg_status status = rg_arrays_read(&arrays, directory, NULL, &why);
        char *message = test_format("%s%s", directory, cases[k].message);
        if (status != RG_EDATA || strcmp(why.message, message) != 0)
            fail_msg("status %d, found\n  %s\nexpected\n  %s", status, why.message, message);
        assert_null(arrays);
        free(message);
        free(note);
        free(directory);
    }
}

static void parts_must_have_the_same_kind_of_targets(void **state)
{
    rg_arrays *arrays = NULL;
    rg_error why = {""};
    put(*state, "kinds/train_x.npy", number_file_array("|u1", false, "1, 1", "a", 1));
    put(*state, "kinds/test_x.npy", number_file_array("<i4", false, "1, 1", "\1\0\0\0", 4));
    put(*state, "kinds/train_y.npy", number_file_array("|u1", false, "1, 2", "ab", 2));
    put(*state, "kinds/test_y.npy", number_file_array("<f4", false, "1,", "\0\0\0\0", 4));
    assert_int_equal(read_arrays(&arrays, *state, "kinds", 1, &why), RG_EDATA);
    assert_non_null(strstr(why.message, "kinds/test_y.npy: found 1 columns of real numbers, "
                                        "expected 2 of whole numbers as in 'train_y.npy'"));
    put(*state, "kinds/test_y.npy", number_file_array(">i2", false, "1, 2", "\0\1\0\2", 4));
    ASSERT_OK(read_arrays(&arrays, *state, "kinds", 1, err));
    /* one of the two needs doubles; bytes are scaled all the same */
    assert_true(rg_arrays_doubles(arrays)[0] == 97 / 255.0 && rg_arrays_doubles(arrays)[1] == 1);
    rg_arrays_free(arrays);
    arrays = NULL;
    assert_int_equal(read_arrays(&arrays, *state, "kinds/train_y.npy", 1, &why), RG_EDATA);
    assert_non_null(strstr(why.message, "found a file of targets, expected one of values"));
    rg_arrays_options options = rg_arrays_options_default();
    rg_read_options bounds = rg_read_options_default();
    options.read = &bounds;
    bounds.max_bytes = 0;
    assert_int_equal(rg_arrays_read(&arrays, "kinds", &options, &why), RG_EUSAGE);
    bounds.max_bytes = 100;
    char *path = test_format("%s/kinds", (char *)*state);
    assert_int_equal(rg_arrays_read(&arrays, path, &options, &why), RG_EDATA);
    assert_non_null(strstr(why.message, "max_bytes"));
    free(path);
}

/* ---- sweeps */

static rg_status read_once(void *context, rg_error *err)
{
    rg_arrays *arrays = NULL;
    int there = 0;
    rg_status status = rg_arrays_are_there(&there, context, err);
    if (!status)
        status = rg_arrays_read(&arrays, context, NULL, err);
    assert_true(!arrays == (status != RG_OK));
    rg_arrays_free(arrays);
    return status;
}

static void every_allocation_and_every_read_may_fail(void **state)
{
    put(*state, "sweep/x.npy", number_file_array("|u1", false, "2, 3", "abcdef", 6));
    put_packed(*state, "sweep/y.npy.gz", number_file_array("|u1", false, "2, 2", "abcd", 4));
    static const char *const names[] = {"sweep", "sweep/x.npy"};
    for (size_t k = 0; k < 2; k++) {
        char *path = test_format("%s/%s", (char *)*state, names[k]);
        assert_true(test_allocation_sweep(read_once, path) > 30);
        assert_true(test_io_sweep(read_once, path) > 5);
        free(path);
    }
}

static int set_up(void **state)
{
    *state = test_directory_make();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_say_what_a_file_is),
        cmocka_unit_test(bytes_are_scaled_unless_told),
        cmocka_unit_test(orders_and_shapes_follow_the_definition),
        cmocka_unit_test(targets_are_classes_or_real),
        cmocka_unit_test(mnist_comes_train_first),
        cmocka_unit_test(archives_and_one_set_of_several_are_read),
        cmocka_unit_test(graphs_are_no_arrays),
        cmocka_unit_test(files_that_do_not_go_together_are_refused),
        cmocka_unit_test(parts_must_have_the_same_kind_of_targets),
        cmocka_unit_test(every_allocation_and_every_read_may_fail),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
