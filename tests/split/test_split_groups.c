/* test_split_groups.c - splits that keep groups together. */
#include "support/support.h"

#include "base/alloc.h"
#include "base/random.h"
#include "regula/split.h"

#include <string.h>

static rg_status make(rg_splits **out, const uint32_t *group, size_t n, size_t n_groups,
                      const rg_split_options *o, rg_error *err)
{
    rg_items items = {.name = "x", .word = "graph", .n = n};
    return rg_splits_make_groups(out, &items, group, n_groups, o, err);
}

static void expect_part(rg_part part, const uint32_t *graphs, size_t n)
{
    assert_int_equal(part.n, n);
    assert_memory_equal(part.graphs, graphs, n * sizeof *graphs);
}

/* Sizes 4, 3, 2, 1: room for 7, 1 and 2. 4 and 3 are for training, 2 fits nowhere but the test. */
static void the_largest_groups_are_for_training(void **state)
{
    (void)state;
    static const uint32_t group[] = {0, 1, 1, 2, 3, 3, 1, 3, 0, 3};
    rg_splits *splits = NULL;
    rg_split_options o = {.size = sizeof o, .n_folds = 1, .test = 0.2, .validation = 1.0 / 9};
    ASSERT_OK(make(&splits, group, 10, 4, &o, err));
    rg_fold fold = rg_splits_fold(splits, 0);
    expect_part(fold.train, (const uint32_t[]){1, 2, 4, 5, 6, 7, 9}, 7);
    expect_part(fold.validation, (const uint32_t[]){3}, 1);
    expect_part(fold.test, (const uint32_t[]){0, 8}, 2);
    rg_splits_free(splits);
}

/* Of equal groups the one that begins last comes first. */
static void equal_groups_come_from_the_end(void **state)
{
    (void)state;
    static const uint32_t group[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};
    rg_splits *splits = NULL;
    rg_split_options o = {.size = sizeof o, .n_folds = 1, .test = 0.1, .validation = 1.0 / 9};
    ASSERT_OK(make(&splits, group, 10, 10, &o, err));
    rg_fold fold = rg_splits_fold(splits, 0);
    expect_part(fold.train, (const uint32_t[]){2, 3, 4, 5, 6, 7, 8, 9}, 8);
    expect_part(fold.validation, (const uint32_t[]){1}, 1);
    expect_part(fold.test, (const uint32_t[]){0}, 1);
    rg_splits_free(splits);
}

static void no_group_is_torn(void **state)
{
    (void)state;
    enum { N = 300, GROUPS = 60 };
    uint32_t group[N];
    for (uint32_t i = 0; i < N; i++) /* group 0 is large */
        group[i] = i < GROUPS                    ? i
                   : rg_random_below(1, 0, i, 3) ? rg_random_below(1, 1, i, GROUPS)
                                                 : 0;
    for (uint64_t seed = 0; seed < 12; seed++) {
        rg_splits *splits = NULL;
        rg_split_report report = RG_SPLIT_REPORT_INIT;
        rg_items items = {.name = "x", .word = "graph", .n = N};
        rg_split_options o = {.size = sizeof o,
                              .n_folds = seed % 3 ? 1 : 4,
                              .test = 0.2,
                              .validation = 0.1,
                              .seed = seed};
        ASSERT_OK(make(&splits, group, N, GROUPS, &o, err));
        ASSERT_OK(rg_splits_check_for(&report, splits, &items, NULL, err));
        assert_int_equal(report.unused, 0);
        for (size_t f = 0; f < o.n_folds; f++) {
            rg_fold fold = rg_splits_fold(splits, f);
            const rg_part parts[] = {fold.train, fold.validation, fold.test};
            int of[GROUPS];
            memset(of, -1, sizeof of);
            for (int p = 0; p < 3; p++)
                for (size_t k = 0; k < parts[p].n; k++) {
                    int *own = &of[group[parts[p].graphs[k]]];
                    assert_true(*own == -1 || *own == p);
                    *own = p;
                }
            if (o.n_folds == 1 && seed)
                assert_int_equal(of[0], 0); /* too large for anything but training */
            assert_in_range(fold.train.n, 190, 260);
        }
        rg_splits_free(splits);
    }
}

static void seeds_differ_and_repeat(void **state)
{
    (void)state;
    uint32_t group[100];
    char first[RG_DIGEST_SIZE], again[RG_DIGEST_SIZE], other[RG_DIGEST_SIZE];
    for (uint32_t i = 0; i < 100; i++)
        group[i] = i / 2;
    char *digests[] = {first, again, other};
    for (size_t k = 0; k < 3; k++) {
        rg_splits *splits = NULL;
        rg_split_options o = {
            .size = sizeof o, .n_folds = 1, .test = 0.1, .validation = 0.1, .seed = 1 + k / 2};
        ASSERT_OK(make(&splits, group, 100, 50, &o, err));
        rg_splits_digest(splits, digests[k]);
        rg_splits_free(splits);
    }
    assert_string_equal(first, again);
    assert_string_not_equal(first, other);
}

static rg_status make_once(void *context, rg_error *err)
{
    static const uint32_t group[] = {0, 1, 1, 2, 3, 3};
    rg_splits *splits = NULL;
    rg_status status = make(&splits, group, 6, 4, context, err);
    rg_splits_free(splits);
    return status;
}

static void what_cannot_be_is_refused(void **state)
{
    (void)state;
    rg_error why;
    rg_splits *splits = NULL;
    rg_split_options o = {
        .size = sizeof o, .n_folds = 1, .test = 0.1, .validation = 0.1, .seed = 3};
    assert_true(test_allocation_sweep(make_once, &o) >= 3);
    static const uint32_t one[] = {0, 0};
    assert_int_equal(make(&splits, one, 2, 1, &o, &why), RG_EUSAGE);
    assert_string_equal(why.message, "x: found 1 groups of graphs, expected at least 2");
    static const uint32_t two[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    o.seed = 0;
    assert_int_equal(make(&splits, two, 10, 2, &o, &why), RG_EUSAGE);
    assert_string_equal(why.message,
                        "x: found 2 groups of graphs, which leave the training or test "
                        "set empty");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_groups_are_for_training),
        cmocka_unit_test(equal_groups_come_from_the_end),
        cmocka_unit_test(no_group_is_torn),
        cmocka_unit_test(seeds_differ_and_repeat),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
