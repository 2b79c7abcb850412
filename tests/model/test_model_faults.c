/* test_model_faults.c - models while memory and disk fail. */
#include "support/models.h"

typedef struct model_sweep {
    models m;
    const char *path;
} model_sweep;

static rg_status ignore(void *context, const rg_prediction *p, rg_error *err)
{
    (void)context;
    (void)p;
    (void)err;
    return RG_OK;
}

static rg_status train_once(void *context, rg_error *err)
{
    model_sweep *a = context;
    rg_train_options options = rg_train_options_default();
    rg_model *model = NULL;
    options.n_threads = 1;
    rg_status status = models_train(&model, &a->m, &options, err);
    rg_model_free(model);
    return status;
}

static rg_status save_and_load(void *context, rg_error *err)
{
    model_sweep *a = context;
    rg_model *model = NULL;
    rg_model_info info = RG_MODEL_INFO_INIT;
    rg_status status = rg_model_save(a->m.model, a->path, err);
    if (!status)
        status = rg_model_load(&model, a->path, err);
    if (!status)
        status = rg_model_describe(&info, model, err);
    rg_model_free(model);
    return status;
}

static rg_status use(void *context, rg_error *err)
{
    model_sweep *a = context;
    static rg_evaluation evaluation = RG_EVALUATION_INIT;
    rg_predict_options options = rg_predict_options_default();
    rg_predict_report report;
    rg_prune_point points[2];
    options.n_threads = 1;
    options.embed = 1;
    rg_status status =
        rg_model_predict(a->m.model, &a->m.source, &options, ignore, NULL, &report, err);
    if (!status)
        status = rg_model_evaluate(&evaluation, a->m.model, &a->m.source, &options, err);
    if (!status)
        status = rg_model_prune_curve(points, (const double[]){0, 0.5}, 2, a->m.model, &a->m.source,
                                      &options, err);
    return status;
}

static void memory_and_disk_may_fail_anywhere(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/model", directory);
    for (int kind = 0; kind < N_MODELS; kind++) {
        model_sweep a = {models_trained(kind), path};
        assert_true(test_allocation_sweep(train_once, &a) > 50);
        if (kind < 2) { /* the disk is slow */
            assert_true(test_allocation_sweep(save_and_load, &a) > 20);
            assert_true(test_io_sweep(save_and_load, &a) > 3);
        }
        assert_true(test_allocation_sweep(use, &a) > 20);
        models_close(&a.m);
    }
    free(path);
    test_directory_remove(directory);
}

static void a_model_that_could_not_be_pruned_is_as_it_was(void **state)
{
    (void)state;
    models m = models_trained(MODELS_CLASSES);
    for (unsigned long n = 1;; n++) {
        rg_error err;
        models_output before = models_predict(m.model, &m.source);
        rg_fault_set(RG_FAULT_ALLOC, n);
        rg_status status = rg_model_prune(m.model, 0.4, NULL, &err);
        rg_fault_set(RG_FAULT_ALLOC, 0);
        models_output after = models_predict(m.model, &m.source);
        if (!status) {
            assert_true(n > 4);
            free(before.values);
            free(after.values);
            break;
        }
        assert_int_equal(status, RG_ENOMEM);
        models_same(&before, &after);
    }
    models_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_and_disk_may_fail_anywhere),
        cmocka_unit_test(a_model_that_could_not_be_pruned_is_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
