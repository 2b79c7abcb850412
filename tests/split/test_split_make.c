/* test_split_make.c - splits from a seed: proportions by brute force over many sizes and mixes. */
#include "base/alloc.h"
#include "base/random.h"
#include "graph/raw.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

static rg_dataset *set_of(size_t n, const int64_t *classes)
{
    rg_raw raw = {.n_graphs = n};
    rg_dataset *data = NULL;
    raw.name = rg_copy_text("Some", 4);
    for (size_t k = 0; classes && k < n; k++) {
        int64_t *row = rg_int_rows_add(&raw.classes, 1);
        assert_non_null(row);
        *row = classes[k];
    }
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

/* How many graphs of class c (any: -1) are in a part. */
static size_t count(rg_part part, const int64_t *classes, int64_t c)
{
    size_t n = 0;
    for (size_t k = 0; k < part.n; k++)
        n += c < 0 || classes[part.graphs[k]] == c;
    return n;
}

static void assert_within_one(size_t n, double exact)
{
    if (fabs((double)n - exact) >= 1)
        fail_msg("%zu is not within one of %g", n, exact);
}

static void assert_ascending(rg_part part)
{
    for (size_t k = 1; k < part.n; k++)
        assert_true(part.graphs[k - 1] < part.graphs[k]);
}

typedef struct mix {
    size_t n;
    int64_t n_classes;
    int64_t classes[400];
} mix;

/* Classes by turns (0), in blocks (1), random (2), or nearly all the first (3). */
static void fill_mix(mix *m, size_t n, int64_t n_classes, unsigned kind)
{
    m->n = n;
    m->n_classes = n_classes;
    for (size_t k = 0; k < n; k++) {
        int64_t c = (int64_t)k % n_classes;
        if (kind == 1)
            c = (int64_t)(k * (size_t)n_classes / n);
        else if (kind == 2)
            c = rg_random_below(1, n, k, (uint32_t)n_classes);
        else if (kind == 3)
            c = k < (size_t)n_classes ? (int64_t)k : 0;
        m->classes[k] = c;
    }
}

static void check_shares(const mix *m, const rg_splits *splits, const rg_split_options *options)
{
    size_t n_folds = rg_splits_n_folds(splits);
    for (size_t f = 0; f < n_folds; f++) {
        rg_fold fold = rg_splits_fold(splits, f);
        size_t rest = m->n - fold.test.n;
        double test = n_folds > 1 ? 1.0 / (double)n_folds : (double)fold.test.n / (double)m->n;
        assert_within_one(fold.test.n, test * (double)m->n);
        assert_int_equal(fold.train.n + fold.validation.n, rest);
        assert_ascending(fold.test);
        assert_ascending(fold.train);
        assert_ascending(fold.validation);
        if (options->validation > 0 && rest > 1) {
            assert_true(fold.validation.n >= 1 && fold.train.n >= 1);
            assert_within_one(fold.validation.n, options->validation * (double)rest);
        } else {
            assert_int_equal(fold.validation.n, 0);
        }
        for (int64_t c = 0; c < m->n_classes && options->stratified; c++) {
            size_t in_test = count(fold.test, m->classes, c), in_all = 0;
            for (size_t k = 0; k < m->n; k++)
                in_all += m->classes[k] == c;
            assert_within_one(in_test, test * (double)in_all);
            assert_within_one(count(fold.validation, m->classes, c),
                              (double)fold.validation.n * (double)(in_all - in_test) /
                                  (double)rest);
        }
    }
}

static void every_class_has_its_share_of_every_part(void **state)
{
    (void)state;
    static const size_t sizes[] = {2, 3, 5, 10, 11, 29, 100, 188, 397};
    static const int64_t n_classes[] = {1, 2, 3, 10, 40};
    static const size_t folds[] = {1, 2, 3, 5, 10, 29};
    static const double validations[] = {0, 0.1, 0.25, 0.9};
    static mix m;
    size_t n_made = 0;
    for (size_t s = 0; s < 9; s++)
        for (size_t c = 0; c < 5; c++)
            for (unsigned kind = 0; kind < 4; kind++) {
                if ((size_t)n_classes[c] > sizes[s])
                    continue;
                fill_mix(&m, sizes[s], n_classes[c], kind);
                rg_dataset *data = set_of(m.n, m.classes);
                for (size_t f = 0; f < 6; f++) {
                    rg_split_options options = {.size = sizeof options,
                                                .seed = f + s,
                                                .n_folds = folds[f],
                                                .test = 0.2,
                                                .validation = validations[(f + kind) % 4],
                                                .stratified = 1};
                    if (folds[f] > m.n)
                        continue;
                    rg_splits *splits = NULL;
                    rg_split_report report = RG_SPLIT_REPORT_INIT;
                    ASSERT_OK(rg_splits_make(&splits, data, &options, err));
                    check_shares(&m, splits, &options);
                    ASSERT_OK(rg_splits_check(&report, splits, data, "made", err));
                    assert_int_equal(report.unused, 0);
                    assert_int_equal(report.validation_is_test, 0);
                    rg_splits_free(splits);
                    n_made++;
                }
                rg_dataset_free(data);
            }
    assert_true(n_made > 400);
}

static void without_strata_only_sizes_are_kept(void **state)
{
    (void)state;
    static mix m;
    fill_mix(&m, 101, 2, 1);
    rg_dataset *with = set_of(m.n, m.classes), *without = set_of(m.n, NULL);
    rg_split_options options = {
        .size = sizeof options, .n_folds = 10, .validation = 0.1, .stratified = 0};
    rg_splits *a = NULL, *b = NULL;
    ASSERT_OK(rg_splits_make(&a, with, &options, err));
    ASSERT_OK(rg_splits_make(&b, without, &options, err));
    check_shares(&m, a, &options);
    char digest[2][RG_DIGEST_SIZE];
    rg_splits_digest(a, digest[0]);
    rg_splits_digest(b, digest[1]);
    assert_string_equal(digest[0], digest[1]);
    rg_splits_free(a);
    rg_splits_free(b);
    rg_dataset_free(with);
    rg_dataset_free(without);
}

static void graphs_without_a_class_are_spread_too(void **state)
{
    (void)state;
    int64_t classes[60];
    for (size_t k = 0; k < 60; k++)
        classes[k] = k < 30 ? 4 : RG_MISSING;
    rg_dataset *data = set_of(60, classes);
    rg_split_options options = rg_split_options_default();
    rg_splits *splits = NULL;
    ASSERT_OK(rg_splits_make(&splits, data, &options, err));
    for (size_t f = 0; f < 10; f++) {
        size_t n = 0;
        rg_part test = rg_splits_fold(splits, f).test;
        for (size_t k = 0; k < test.n; k++)
            n += test.graphs[k] < 30;
        assert_int_equal(n, 3);
        assert_int_equal(test.n, 6);
    }
    rg_splits_free(splits);
    rg_dataset_free(data);
}

/* The sizes of the published ten folds: 1200 rings, 1000 Snowflakes, NCI1. */
static void the_defaults_give_the_sizes_of_the_published_folds(void **state)
{
    (void)state;
    static const struct {
        size_t n, test, train, validation;
    } cases[] = {{1200, 120, 972, 108}, {1000, 100, 810, 90}, {4110, 411, 3329, 370}};
    for (size_t k = 0; k < 3; k++) {
        int64_t *classes = malloc(cases[k].n * sizeof *classes);
        for (size_t graph = 0; graph < cases[k].n; graph++)
            classes[graph] = graph % 2;
        rg_dataset *data = set_of(cases[k].n, classes);
        rg_splits *splits = NULL;
        ASSERT_OK(rg_splits_make(&splits, data, NULL, err));
        assert_int_equal(rg_splits_n_folds(splits), 10);
        rg_fold fold = rg_splits_fold(splits, 9);
        assert_int_equal(fold.test.n, cases[k].test);
        assert_int_equal(fold.train.n, cases[k].train);
        assert_int_equal(fold.validation.n, cases[k].validation);
        rg_splits_free(splits);
        rg_dataset_free(data);
        free(classes);
    }
}

static void the_same_seed_gives_the_same_splits(void **state)
{
    (void)state;
    static mix m;
    fill_mix(&m, 200, 3, 2);
    rg_dataset *data = set_of(m.n, m.classes);
    char digest[4][RG_DIGEST_SIZE];
    static const uint64_t seeds[] = {0, 0, 1, UINT64_MAX};
    for (size_t k = 0; k < 4; k++) {
        rg_split_options options = rg_split_options_default();
        rg_splits *splits = NULL;
        options.seed = seeds[k];
        ASSERT_OK(rg_splits_make(&splits, data, &options, err));
        rg_splits_digest(splits, digest[k]);
        rg_splits_free(splits);
    }
    assert_string_equal(digest[0], digest[1]);
    assert_string_not_equal(digest[0], digest[2]);
    assert_string_not_equal(digest[0], digest[3]);
    assert_string_not_equal(digest[2], digest[3]);
    /* a change here means that everyone's splits change: say so in CHANGELOG.md */
    assert_string_equal(digest[0],
                        "bb8a84f2fd9ac938151b5a95d469a0647fe0585b85966f8c9266a5dbd4acb65b");
    rg_dataset_free(data);
}

/* Over many seeds every graph is in the validation part of a fold as often as its fellows. */
static void every_graph_has_its_turn(void **state)
{
    (void)state;
    static mix m;
    fill_mix(&m, 30, 2, 0);
    rg_dataset *data = set_of(m.n, m.classes);
    size_t tested[30] = {0}, validated[30] = {0};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        rg_split_options options = {.size = sizeof options,
                                    .seed = seed,
                                    .n_folds = 1,
                                    .test = 0.2,
                                    .validation = 0.25,
                                    .stratified = 1};
        rg_splits *splits = NULL;
        ASSERT_OK(rg_splits_make(&splits, data, &options, err));
        rg_fold fold = rg_splits_fold(splits, 0);
        assert_int_equal(fold.test.n, 6);
        assert_int_equal(fold.validation.n, 6);
        for (size_t k = 0; k < 6; k++) {
            tested[fold.test.graphs[k]]++;
            validated[fold.validation.graphs[k]]++;
        }
        rg_splits_free(splits);
    }
    for (size_t k = 0; k < 30; k++) { /* 400 expected, standard deviation 18 */
        assert_in_range(tested[k], 320, 480);
        assert_in_range(validated[k], 320, 480);
    }
    rg_dataset_free(data);
}

static void options_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t n_graphs;
        bool classes;
        rg_split_options options;
        const char *message;
    } cases[] = {
        {5, true, {.n_folds = 0}, "found 0 folds, expected 1 to 4294967294"},
        {5,
         true,
         {.n_folds = SIZE_MAX},
         "found 18446744073709551615 folds, expected 1 to 4294967294"},
        {5,
         true,
         {.n_folds = 1},
         "found a test fraction of 0, expected more than 0 and less than 1"},
        {5,
         true,
         {.n_folds = 1, .test = 1},
         "found a test fraction of 1, expected more than 0 and less than 1"},
        {5,
         true,
         {.n_folds = 1, .test = NAN},
         "found a test fraction of nan, expected more than 0 and less than 1"},
        {5,
         true,
         {.n_folds = 2, .validation = -0.1},
         "found a validation fraction of -0.1, expected at least 0 and less than 1"},
        {5,
         true,
         {.n_folds = 2, .validation = 1},
         "found a validation fraction of 1, expected at least 0 and less than 1"},
        {5,
         true,
         {.n_folds = 2, .validation = NAN},
         "found a validation fraction of nan, expected at least 0 and less than 1"},
        {5, true, {.n_folds = 6}, "Some: found 5 graphs, expected at least 6 for 6 folds"},
        {1,
         true,
         {.n_folds = 1, .test = 0.5},
         "Some: found 1 graphs, expected at least 2 for 1 fold"},
        {0, false, {.n_folds = 10}, "Some: found 0 graphs, expected at least 10 for 10 folds"},
        {5,
         false,
         {.n_folds = 5, .stratified = 1},
         "Some: found no classes, expected some for stratified splits"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        static const int64_t classes[5] = {0, 1, 0, 1, 0};
        rg_dataset *data = set_of(cases[k].n_graphs, cases[k].classes ? classes : NULL);
        rg_splits *splits = NULL;
        rg_error err = {""};
        rg_split_options options = cases[k].options;
        options.size = sizeof options;
        assert_int_equal(rg_splits_make(&splits, data, &options, &err), RG_EUSAGE);
        assert_string_equal(err.message, cases[k].message);
        assert_null(splits);
        if (k < 8)
            assert_int_equal(rg_split_options_check(&options, &err), RG_EUSAGE);
        else
            assert_int_equal(rg_split_options_check(&options, &err), RG_OK);
        rg_dataset_free(data);
    }
}

static rg_status sweep_make(void *context, rg_error *err)
{
    rg_splits *splits = NULL;
    rg_status status = rg_splits_make(&splits, context, NULL, err);
    assert_true((splits == NULL) == (status != RG_OK));
    rg_splits_free(splits);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static mix m;
    fill_mix(&m, 40, 3, 2);
    rg_dataset *data = set_of(m.n, m.classes);
    assert_int_equal(test_allocation_sweep(sweep_make, data), 2);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_class_has_its_share_of_every_part),
        cmocka_unit_test(without_strata_only_sizes_are_kept),
        cmocka_unit_test(graphs_without_a_class_are_spread_too),
        cmocka_unit_test(the_defaults_give_the_sizes_of_the_published_folds),
        cmocka_unit_test(the_same_seed_gives_the_same_splits),
        cmocka_unit_test(every_graph_has_its_turn),
        cmocka_unit_test(options_that_make_no_sense_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
