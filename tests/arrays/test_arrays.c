/* test_arrays.c - arrays from memory: looking into them, their digest, the audit, writing. */
#include "base/random.h"
#include "support/program.h"

#include <math.h>
#include <string.h>

/* Three samples of 2 rows, 2 columns and 2 channels. */
static const float pixels[3][8] = {
    {0, 1, 2, 3, 4, 5, 6, 7}, {0, 1, 2, 3, 4, 5, 6, 7}, {0, -1, 2, 3.5f, 4, 5, 6, 8}};
static const int64_t classes[3][2] = {{7, -5}, {3, INT64_MIN}, {7, 100}};

static rg_arrays_content images(void)
{
    return (rg_arrays_content){.size = sizeof(rg_arrays_content),
                               .name = "Images",
                               .n_samples = 3,
                               .shape = {2, 2, 2},
                               .floats = pixels[0],
                               .classes = classes[0],
                               .n_columns = 2};
}

static rg_arrays *build(const rg_arrays_content *content)
{
    rg_arrays *arrays = NULL;
    ASSERT_OK(rg_arrays_build(&arrays, content, err));
    return arrays;
}

static void what_went_in_comes_out(void **state)
{
    (void)state;
    rg_arrays_content content = images();
    rg_arrays *arrays = build(&content);
    assert_string_equal(rg_arrays_name(arrays), "Images");
    assert_int_equal(rg_arrays_n_samples(arrays), 3);
    assert_int_equal(rg_arrays_n_train(arrays), 3);
    assert_int_equal(rg_arrays_n_values(arrays), 8);
    assert_int_equal(rg_arrays_shape(arrays).channels, 2);
    assert_true(rg_arrays_bytes(arrays) > sizeof pixels);
    assert_null(rg_arrays_doubles(arrays));
    assert_memory_equal(rg_arrays_floats(arrays), pixels, sizeof pixels);
    double wide[8];
    float narrow[8];
    rg_arrays_copy(wide, arrays, 2);
    rg_arrays_copy_float(narrow, arrays, 2);
    for (size_t k = 0; k < 8; k++)
        assert_true(wide[k] == (double)pixels[2][k] && narrow[k] == pixels[2][k]);

    size_t n;
    assert_int_equal(rg_arrays_n_columns(arrays, RG_CLASS), 2);
    assert_int_equal(rg_arrays_n_columns(arrays, RG_TARGET), 0);
    assert_int_equal(rg_arrays_n_columns(arrays, RG_NODE_LABEL), 0);
    assert_null(rg_arrays_reals(arrays));
    const int64_t *values = rg_arrays_class_values(arrays, 0, &n);
    assert_true(n == 2 && values[0] == 3 && values[1] == 7);
    values = rg_arrays_class_values(arrays, 1, &n);
    assert_true(n == 2 && values[0] == -5 && values[1] == 100);
    const uint32_t *ranks = rg_arrays_classes(arrays, 1);
    assert_true(ranks[0] == 0 && ranks[1] == RG_NO_CLASS && ranks[2] == 1);
    rg_arrays_free(arrays);
    rg_arrays_free(NULL);
}

static void doubles_and_real_targets_too(void **state)
{
    (void)state;
    static const double values[] = {0.1, 0.2, 0.3, 0.4}, reals[] = {1e300, (double)NAN};
    rg_arrays_content content = {.size = sizeof content,
                                 .n_samples = 2,
                                 .n_train = 1,
                                 .shape = {1, 2, 1},
                                 .doubles = values,
                                 .reals = reals,
                                 .n_columns = 1};
    rg_arrays *arrays = build(&content);
    assert_string_equal(rg_arrays_name(arrays), "data");
    assert_int_equal(rg_arrays_n_train(arrays), 1);
    assert_null(rg_arrays_floats(arrays));
    assert_memory_equal(rg_arrays_doubles(arrays), values, sizeof values);
    assert_true(rg_arrays_reals(arrays)[0] == 1e300 && isnan(rg_arrays_reals(arrays)[1]));
    float narrow[2];
    rg_arrays_copy_float(narrow, arrays, 1);
    assert_true(narrow[0] == 0.3f && narrow[1] == 0.4f);
    double wide[2];
    rg_arrays_copy(wide, arrays, 1);
    assert_true(wide[0] == 0.3 && wide[1] == 0.4);
    rg_arrays_free(arrays);
}

static void content_that_makes_no_sense_is_refused(void **state)
{
    (void)state;
    static const float bad[8] = {0, 0, 0, 0, 0, 0, (float)INFINITY, 0};
    static const double wide[8] = {0}, infinite[3] = {0, (double)-INFINITY, 0};
    static const struct {
        rg_arrays_content content;
        const char *message;
    } cases[] = {
        {{.n_samples = 1, .shape = {1, 0, 1}, .floats = bad},
         "found a shape of 1 x 0 x 1, expected at least 1 of each"},
        {{.shape = {1, 1, 1}, .floats = bad}, "found 0 samples, expected 1 to 4294967294"},
        {{.n_samples = UINT32_MAX, .shape = {1, 1, 1}, .floats = bad},
         "found 4294967295 samples, expected 1 to 4294967294"},
        {{.n_samples = 1, .n_train = 2, .shape = {1, 1, 1}, .floats = bad},
         "found 2 samples for training, expected at most 1"},
        {{.n_samples = 1, .shape = {1, 1, 1}}, "found no values, expected floats or doubles"},
        {{.n_samples = 1, .shape = {1, 1, 1}, .floats = bad, .doubles = wide},
         "found both floats and doubles, expected floats or doubles"},
        {{.n_samples = 1,
          .shape = {1, 1, 1},
          .floats = bad,
          .classes = classes[0],
          .reals = wide,
          .n_columns = 1},
         "found both classes and reals, expected one of them"},
        {{.n_samples = 1, .shape = {1, 1, 1}, .floats = bad, .n_columns = 1},
         "found 1 columns without targets, expected classes or reals"},
        {{.n_samples = 1, .shape = {1, 1, 1}, .floats = bad, .reals = wide},
         "found 0 columns with targets, expected at least 1"},
        {{.n_samples = 2, .shape = {1, 4, 1}, .floats = bad},
         "sample 1, value 2: found a value that is not finite"},
        {{.n_samples = 1, .shape = {2, 4, 1}, .floats = bad},
         "sample 0, row 1, column 2: found a value that is not finite"},
        {{.n_samples = 1, .shape = {2, 2, 2}, .floats = bad},
         "sample 0, channel 1, row 1, column 0: found a value that is not finite"},
        {{.n_samples = 3, .shape = {1, 1, 1}, .doubles = wide, .reals = infinite, .n_columns = 1},
         "sample 1, column 0: found an infinite target"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_arrays *arrays = NULL;
        rg_error why = {""};
        rg_arrays_content content = cases[k].content;
        content.size = sizeof content;
        assert_int_equal(rg_arrays_build(&arrays, &content, &why), RG_EUSAGE);
        assert_string_equal(why.message, cases[k].message);
        assert_null(arrays);
    }
    rg_arrays_content huge = {.size = sizeof huge,
                              .n_samples = UINT32_MAX - 1,
                              .shape = {UINT32_MAX, UINT32_MAX, UINT32_MAX},
                              .floats = bad};
    rg_arrays *arrays = NULL;
    assert_int_equal(rg_arrays_build(&arrays, &huge, NULL), RG_ENOMEM);
}

static void the_digest_is_of_the_content(void **state)
{
    (void)state;
    double wide[3][8];
    char digest[6][RG_DIGEST_SIZE];
    rg_arrays_content content[6];
    int64_t other[3][2];
    for (size_t k = 0; k < 6; k++)
        content[k] = images();
    for (size_t k = 0; k < 24; k++)
        wide[k / 8][k % 8] = (double)pixels[k / 8][k % 8];
    content[1].floats = NULL; /* the same values, as doubles and under another name */
    content[1].doubles = wide[0];
    content[1].name = "Other";
    content[2].shape = (rg_array_shape){4, 2, 1};
    content[3].classes = NULL;
    content[3].n_columns = 0;
    memcpy(other, classes, sizeof classes);
    other[1][0] = 4; /* the same ranks, another value */
    content[4].classes = other[0];
    content[5].n_samples = 2;
    for (size_t k = 0; k < 6; k++) {
        rg_arrays *arrays = build(&content[k]);
        rg_arrays_digest(arrays, digest[k]);
        rg_arrays_free(arrays);
    }
    assert_string_equal(digest[0], digest[1]);
    for (size_t k = 1; k < 6; k++)
        for (size_t j = k + 1; j < 6; j++)
            assert_string_not_equal(digest[k], digest[j]);
    /* digests are published: a change here is a new version of the digest */
    assert_string_equal(digest[0],
                        "3ec0ffb5f948ffac886ad7cd9c5735645cd4c3ddb9841f42c5235b9b39ed06f6");
}

static void the_audit_counts_what_a_slow_loop_counts(void **state)
{
    (void)state;
    enum { N = 60, D = 5 };
    float values[N][D];
    int64_t targets[N];
    double sum = 0, squares = 0;
    uint64_t copies = 0, others = 0, constant = 0;
    for (size_t k = 0; k < N; k++) {
        targets[k] = rg_random_below(1, 2, k, 10) ? rg_random_below(1, 3, k, 3) : INT64_MIN;
        for (size_t d = 0; d < D; d++) {
            values[k][d] = d == 2 ? 9 : (float)rg_random_below(1, 4, k * D + d, 2);
            sum += (double)values[k][d];
        }
        size_t first = 0;
        while (memcmp(values[first], values[k], sizeof *values) != 0)
            first++;
        copies += first < k;
        others += first < k && targets[first] != targets[k] && targets[first] != INT64_MIN &&
                  targets[k] != INT64_MIN;
    }
    for (size_t d = 0; d < D; d++) {
        bool same = true;
        for (size_t k = 0; k < N; k++) {
            double rest = (double)values[k][d] - sum / (N * D);
            same = same && values[k][d] == values[0][d];
            squares += rest * rest;
        }
        constant += same;
    }
    rg_arrays_content content = {.size = sizeof content,
                                 .n_samples = N,
                                 .shape = {1, D, 1},
                                 .floats = values[0],
                                 .classes = targets,
                                 .n_columns = 1};
    rg_arrays *arrays = build(&content);
    rg_arrays_audit audit = RG_ARRAYS_AUDIT_INIT;
    ASSERT_OK(rg_arrays_audit_run(&audit, arrays, err));
    assert_true(copies > 20 && others > 5 && others < copies);
    assert_int_equal(audit.copies, copies);
    assert_int_equal(audit.copies_other, others);
    assert_int_equal(audit.constant, constant);
    assert_true(audit.min == 0 && audit.max == 9);
    assert_true(fabs(audit.mean - sum / (N * D)) < 1e-12);
    assert_true(fabs(audit.deviation - sqrt(squares / (N * D))) < 1e-12);
    rg_arrays_free(arrays);
}

static void copies_differ_by_real_targets_too(void **state)
{
    (void)state;
    static const double values[] = {1, 1, 1, 2}, reals[][2] = {{1, 5}, {1, NAN}, {1, 6}, {2, 2}};
    rg_arrays_content content = {.size = sizeof content,
                                 .n_samples = 4,
                                 .shape = {1, 1, 1},
                                 .doubles = values,
                                 .reals = reals[0],
                                 .n_columns = 2};
    rg_arrays *arrays = build(&content);
    rg_arrays_audit audit = RG_ARRAYS_AUDIT_INIT;
    ASSERT_OK(rg_arrays_audit_run(&audit, arrays, err));
    assert_int_equal(audit.copies, 2);
    assert_int_equal(audit.copies_other, 1);
    rg_arrays_free(arrays);
}

/* What is written reads back as the same arrays, and writing it again gives the same bytes. */
static void check_round_trip(const char *directory, const rg_arrays_content *content)
{
    rg_arrays *arrays = build(content), *again = NULL;
    char *first = test_format("%s/first", directory), *second = test_format("%s/second", directory);
    char digest[2][RG_DIGEST_SIZE];
    ASSERT_OK(rg_arrays_write(arrays, first, err));
    ASSERT_OK(rg_arrays_read(&again, first, NULL, err));
    assert_string_equal(rg_arrays_name(again), "first");
    assert_true(!rg_arrays_floats(arrays) == !rg_arrays_floats(again));
    rg_arrays_digest(arrays, digest[0]);
    rg_arrays_digest(again, digest[1]);
    assert_string_equal(digest[0], digest[1]);
    ASSERT_OK(rg_arrays_write(again, second, err));
    rg_arrays_free(arrays);
    rg_arrays_free(again);
    char *line = test_format("cmp first/x.npy second/x.npy && test %d = $(ls second | wc -l) && "
                             "for f in first/*; do cmp $f second/${f#first/}; done",
                             content->n_columns ? 2 : 1);
    expect(directory, line, 0, "", "");
    free(line);
    free(first);
    free(second);
}

static void what_is_written_reads_back(void **state)
{
    (void)state;
    static const double wide[] = {1e-300, 2, 3, 4, 5, 6}, reals[] = {0.1, (double)NAN};
    rg_arrays_content content = images();
    check_round_trip(*state, &content);
    content.shape = (rg_array_shape){4, 2, 1};
    content.n_columns = 1;
    check_round_trip(*state, &content);
    content = (rg_arrays_content){.size = sizeof(rg_arrays_content),
                                  .n_samples = 2,
                                  .shape = {1, 3, 1},
                                  .doubles = wide,
                                  .reals = reals,
                                  .n_columns = 1};
    check_round_trip(*state, &content);
    content.reals = NULL; /* y.npy of the set before goes away */
    content.n_columns = 0;
    check_round_trip(*state, &content);
}

static rg_status sweep_build(void *context, rg_error *err)
{
    (void)context;
    rg_arrays_content content = images();
    rg_arrays *arrays = NULL;
    rg_status status = rg_arrays_build(&arrays, &content, err);
    rg_arrays_audit audit = RG_ARRAYS_AUDIT_INIT;
    if (!status)
        status = rg_arrays_audit_run(&audit, arrays, err);
    rg_arrays_free(arrays);
    return status;
}

static rg_status sweep_write(void *context, rg_error *err)
{
    rg_arrays_content content = images();
    rg_arrays *arrays = NULL;
    char *path = test_format("%s/sweep/deep", (char *)context);
    rg_status status = rg_arrays_build(&arrays, &content, err);
    if (!status)
        status = rg_arrays_write(arrays, path, err);
    rg_arrays_free(arrays);
    free(path);
    return status;
}

static void every_allocation_and_every_write_may_fail(void **state)
{
    assert_true(test_allocation_sweep(sweep_build, NULL) >= 8);
    assert_true(test_allocation_sweep(sweep_write, *state) >= 10);
    expect(*state, "rm -r sweep", 0, "", "");
    assert_true(test_io_sweep(sweep_write, *state) >= 8);
    expect(*state, "ls -A sweep/deep", 0, "x.npy\ny.npy\n", "");
}

static void samples_are_split_as_graphs_are(void **state)
{
    (void)state;
    enum { N = 40 };
    float values[N] = {0};
    int64_t targets[N];
    for (size_t k = 0; k < N; k++)
        targets[k] = k % 4;
    rg_arrays_content content = {.size = sizeof content,
                                 .name = "S",
                                 .n_samples = N,
                                 .shape = {1, 1, 1},
                                 .floats = values,
                                 .classes = targets,
                                 .n_columns = 1};
    rg_arrays *arrays = build(&content);
    rg_items items = rg_arrays_items(arrays);
    rg_split_options options = rg_split_options_default();
    rg_splits *splits = NULL;
    rg_split_report report = RG_SPLIT_REPORT_INIT;
    rg_error why = {""};
    ASSERT_OK(rg_splits_make_for(&splits, &items, &options, err));
    ASSERT_OK(rg_splits_check_for(&report, splits, &items, NULL, err));
    assert_int_equal(report.n_folds, 10);
    assert_int_equal(rg_splits_fold(splits, 3).test.n, 4);
    items.n = 39;
    assert_int_equal(rg_splits_check_for(&report, splits, &items, NULL, &why), RG_EDATA);
    assert_non_null(strstr(why.message, "found sample 39, expected 0 to 38"));
    rg_splits_free(splits);
    splits = NULL;
    items.n = 5;
    assert_int_equal(rg_splits_make_for(&splits, &items, &options, &why), RG_EUSAGE);
    assert_string_equal(why.message, "S: found 5 samples, expected at least 10 for 10 folds");
    items.n = UINT32_MAX;
    assert_int_equal(rg_splits_make_for(&splits, &items, &options, &why), RG_EUSAGE);
    assert_string_equal(why.message, "S: found 4294967295 samples, expected at most 4294967294");
    rg_arrays_free(arrays);
}

static int set_up(void **state)
{
    *state = test_directory_make();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_went_in_comes_out),
        cmocka_unit_test(doubles_and_real_targets_too),
        cmocka_unit_test(content_that_makes_no_sense_is_refused),
        cmocka_unit_test(the_digest_is_of_the_content),
        cmocka_unit_test(the_audit_counts_what_a_slow_loop_counts),
        cmocka_unit_test(copies_differ_by_real_targets_too),
        cmocka_unit_test(what_is_written_reads_back),
        cmocka_unit_test(every_allocation_and_every_write_may_fail),
        cmocka_unit_test(samples_are_split_as_graphs_are),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
