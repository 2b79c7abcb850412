/* test_folds.c - what data and splits say of the folds of an experiment. */
#include "support/support.h"

#include "base/alloc.h"
#include "jobs/folds.h"
#include "regula/generate.h"
#include "regula/split.h"

#include <math.h>

/* CSL: 150 graphs, 15 of each of ten classes; graphs of a class are copies of each other. */
typedef struct folds_setup {
    rg_dataset *data;
    rg_source source;
    rg_splits *splits;
    uint32_t folds[5];
    rg_folds_options options;
    rg_store_fold *out;
} folds_setup;

static folds_setup folds_setup_open(void)
{
    folds_setup s = {.folds = {4, 3, 1}};
    rg_split_options split = rg_split_options_default();
    split.n_folds = 5;
    split.stratified = 0; /* so that classes differ in number */
    split.seed = 3;
    ASSERT_OK(rg_dataset_generate(&s.data, rg_generator_find("CSL"), NULL, err));
    ASSERT_OK(rg_splits_make(&s.splits, s.data, &split, err));
    s.source.graphs = s.data;
    s.options = (rg_folds_options){.n_folds = 3, .classes = true, .n_threads = 2};
    return s;
}

static void describe(folds_setup *s)
{
    s->options.folds = s->folds;
    ASSERT_OK(rg_folds_describe(&s->out, &s->source, s->splits, &s->options, err));
}

static void folds_setup_close(folds_setup *s)
{
    rg_free(s->out);
    rg_splits_free(s->splits);
    rg_dataset_free(s->data);
}

static size_t count(const uint32_t *classes, rg_part part, uint32_t class)
{
    size_t n = 0;
    for (size_t k = 0; k < part.n; k++)
        n += classes[part.graphs[k]] == class;
    return n;
}

/* The same, class by class: to be a copy is to be of the same class. */
static void folds_are_what_counting_one_by_one_gives(void **state)
{
    (void)state;
    folds_setup s = folds_setup_open();
    rg_items items = rg_dataset_items(s.data);
    describe(&s);
    for (size_t k = 0; k < 3; k++) {
        rg_fold fold = rg_splits_fold(s.splits, s.folds[k]);
        uint32_t most = 0;
        size_t copies = 0;
        for (uint32_t c = 0; c < items.n_classes; c++) {
            size_t train = count(items.classes, fold.train, c);
            if (train > count(items.classes, fold.train, most))
                most = c;
            if (train || count(items.classes, fold.validation, c))
                copies += count(items.classes, fold.test, c);
        }
        assert_int_equal(s.out[k].number, s.folds[k]);
        assert_int_equal(s.out[k].n_train, fold.train.n);
        assert_int_equal(s.out[k].n_validation, fold.validation.n);
        assert_int_equal(s.out[k].n_test, fold.test.n);
        assert_int_equal(s.out[k].n_copies, copies);
        assert_true(copies > 0);
        assert_false(s.out[k].validation_is_test);
        assert_true(s.out[k].majority ==
                    (double)count(items.classes, fold.test, most) / (double)fold.test.n);
        assert_true(s.out[k].majority_validation ==
                    (double)count(items.classes, fold.validation, most) /
                        (double)fold.validation.n);
    }
    folds_setup_close(&s);
}

static void without_classes_there_is_no_most_frequent_one(void **state)
{
    (void)state;
    folds_setup s = folds_setup_open();
    s.options.classes = false;
    describe(&s);
    assert_true(isnan(s.out[0].majority) && isnan(s.out[0].majority_validation));
    folds_setup_close(&s);
}

/* The parts in another order; copies within the test part alone are none. */
static void a_validation_part_that_is_the_test_part_is_seen(void **state)
{
    (void)state;
    folds_setup s = folds_setup_open();
    char *root = test_directory_make(), *path = test_format("%s/s.json", root);
    test_write(root, "s.json",
               "[{\"test\": [0, 1, 40], \"model_selection\": "
               "[{\"train\": [41], \"validation\": [40, 0, 1]}]}, "
               "{\"test\": [0, 1], \"model_selection\": [{\"train\": [40], \"validation\": []}]}]");
    rg_splits_free(s.splits);
    s.splits = NULL;
    ASSERT_OK(rg_splits_read(&s.splits, path, err));
    s.folds[0] = 0;
    s.folds[1] = 1;
    s.options.n_folds = 2;
    describe(&s);
    assert_true(s.out[0].validation_is_test);
    assert_int_equal(s.out[0].n_copies, 1);
    assert_false(s.out[1].validation_is_test);
    assert_int_equal(s.out[1].n_copies, 0);
    assert_true(s.out[1].majority == 0);
    assert_true(isnan(s.out[1].majority_validation));
    free(path);
    test_directory_remove(root);
    folds_setup_close(&s);
}

static void vectors_are_not_compared(void **state)
{
    (void)state;
    folds_setup s = folds_setup_open();
    rg_arrays *arrays = NULL;
    rg_split_options split = rg_split_options_default();
    ASSERT_OK(rg_arrays_generate(&arrays, NULL, err));
    rg_items items = rg_arrays_items(arrays);
    rg_splits_free(s.splits);
    s.splits = NULL;
    ASSERT_OK(rg_splits_make_for(&s.splits, &items, &split, err));
    s.source = (rg_source){.arrays = arrays};
    describe(&s);
    assert_true(s.out[0].n_copies == UINT64_MAX);
    assert_true(s.out[0].majority > 0 && s.out[0].majority < 1);
    rg_arrays_free(arrays);
    folds_setup_close(&s);
}

static rg_status body(void *context, rg_error *err)
{
    folds_setup *s = context;
    rg_store_fold *out = NULL;
    rg_status status = rg_folds_describe(&out, &s->source, s->splits, &s->options, err);
    rg_free(out);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    folds_setup s = folds_setup_open();
    s.options.folds = s.folds;
    s.options.n_threads = 1;
    assert_true(test_allocation_sweep(body, &s) > 3);
    folds_setup_close(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folds_are_what_counting_one_by_one_gives),
        cmocka_unit_test(without_classes_there_is_no_most_frequent_one),
        cmocka_unit_test(a_validation_part_that_is_the_test_part_is_seen),
        cmocka_unit_test(vectors_are_not_compared),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
