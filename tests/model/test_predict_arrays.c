/* test_predict_arrays.c - predictions into arrays of the caller are those of the callback. */
#include "support/models.h"

#include <string.h>

typedef struct expecting {
    rg_prediction_arrays *arrays; /* what the call filled */
    size_t row, sample, n_outputs;
    int embedded;
} expecting;

static void same(const void *array, const void *from, size_t row, size_t n_rows, size_t bytes)
{
    if (from)
        assert_memory_equal((const char *)array + row * bytes, from, n_rows * bytes);
}

static rg_status compare(void *context, const rg_prediction *p, rg_error *err)
{
    expecting *w = context;
    (void)err;
    same(w->arrays->outputs, p->outputs, w->row, p->n_rows, w->n_outputs * sizeof(double));
    same(w->arrays->probabilities, p->probabilities, w->row, p->n_rows,
         w->n_outputs * sizeof(double));
    same(w->arrays->classes, p->classes, w->row, p->n_rows, sizeof(uint32_t));
    if (w->embedded) {
        assert_int_equal(p->n_embedding, w->arrays->n_embedding);
        same(w->arrays->embedding, p->embedding, w->row, p->n_rows,
             p->n_embedding * sizeof(double));
    }
    assert_int_equal(w->arrays->first_rows[w->sample], w->row);
    w->row += p->n_rows;
    w->sample++;
    return RG_OK;
}

/* Room for everything that a model can say of its samples. Ends with arrays_free. */
static rg_prediction_arrays room(const models *m, size_t n_rows, size_t *n_outputs)
{
    rg_prediction_arrays arrays = RG_PREDICTION_ARRAYS_INIT;
    rg_model_info info = RG_MODEL_INFO_INIT;
    rg_error none;
    ASSERT_OK(rg_model_describe(&info, m->model, err));
    *n_outputs = info.n_outputs;
    arrays.n_rows = n_rows;
    arrays.outputs = calloc(n_rows * info.n_outputs, sizeof(double));
    arrays.probabilities = calloc(n_rows * info.n_outputs, sizeof(double));
    arrays.classes = calloc(n_rows, sizeof(uint32_t));
    arrays.first_rows = calloc(m->n + 1, sizeof(uint64_t));
    if (rg_model_embedding_size(&arrays.n_embedding, m->model, &none) == RG_OK)
        arrays.embedding = calloc(n_rows * arrays.n_embedding, sizeof(double));
    return arrays;
}

static void arrays_free(rg_prediction_arrays *arrays)
{
    free(arrays->outputs);
    free(arrays->probabilities);
    free(arrays->classes);
    free(arrays->embedding);
    free(arrays->first_rows);
}

static size_t rows_of(const models *m, int kind)
{
    return kind == MODELS_NODES ? (size_t)rg_dataset_n_nodes(m->data) : m->n;
}

static void arrays_are_what_the_callback_says(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_MODELS; kind++) {
        models m = models_trained(kind);
        size_t n_rows = rows_of(&m, kind);
        expecting w = {0};
        rg_prediction_arrays arrays = room(&m, n_rows, &w.n_outputs);
        rg_predict_options options = rg_predict_options_default();
        w.arrays = &arrays;
        w.embedded = options.embed = arrays.embedding != NULL;
        ASSERT_OK(rg_model_predict_arrays(&arrays, m.model, &m.source, NULL, NULL, err));
        assert_int_equal(arrays.n_rows, n_rows);
        ASSERT_OK(rg_model_predict(m.model, &m.source, &options, compare, &w, NULL, err));
        assert_int_equal(w.sample, m.n);
        assert_int_equal(arrays.first_rows[m.n], n_rows);
        arrays_free(&arrays);
        models_close(&m);
    }
}

static void too_little_room_is_refused(void **state)
{
    (void)state;
    models m = models_trained(MODELS_CLASSES);
    double number[3];
    rg_error err;
    rg_prediction_arrays arrays = RG_PREDICTION_ARRAYS_INIT;
    arrays.n_rows = 1;
    arrays.outputs = number;
    assert_int_equal(rg_model_predict_arrays(&arrays, m.model, &m.source, NULL, NULL, &err),
                     RG_EUSAGE);
    assert_string_equal(err.message, "found room for 1 rows of predictions, expected more");
    arrays.embedding = number;
    arrays.n_embedding = 1;
    assert_int_equal(rg_model_predict_arrays(&arrays, m.model, &m.source, NULL, NULL, &err),
                     RG_EUSAGE);
    assert_non_null(strstr(err.message, "found room for embeddings of 1 numbers, expected "));
    arrays.size = 3;
    assert_int_equal(rg_model_predict_arrays(&arrays, m.model, &m.source, NULL, NULL, &err),
                     RG_EUSAGE);
    assert_non_null(
        strstr(err.message, "found a size of 3 bytes, expected sizeof(rg_prediction_arrays)"));
    models_close(&m);
}

static int at_once(void *context)
{
    return ++*(int *)context;
}

static void a_callback_stops_it(void **state)
{
    (void)state;
    models m = models_trained(MODELS_CLASSES);
    int asked = 0;
    size_t n_outputs;
    rg_error err;
    rg_prediction_arrays arrays = room(&m, m.n, &n_outputs);
    rg_predict_options options = RG_PREDICT_OPTIONS_INIT;
    options.cancel = at_once;
    options.cancel_context = &asked;
    assert_int_equal(rg_model_predict_arrays(&arrays, m.model, &m.source, &options, NULL, &err),
                     RG_EFAIL);
    assert_non_null(strstr(err.message, "stopped by the caller"));
    assert_int_equal(asked, 1);
    arrays_free(&arrays);
    models_close(&m);
}

static void a_program_with_a_shorter_struct_still_works(void **state)
{
    (void)state;
    models m = models_trained(MODELS_CLASSES);
    size_t n_outputs;
    rg_prediction_arrays arrays = room(&m, m.n, &n_outputs);
    uint64_t *first_rows = arrays.first_rows;
    arrays.size = offsetof(rg_prediction_arrays, first_rows);
    arrays.first_rows = (uint64_t *)(void *)1; /* what lies behind is not looked at */
    ASSERT_OK(rg_model_predict_arrays(&arrays, m.model, &m.source, NULL, NULL, err));
    assert_int_equal(arrays.n_rows, m.n);
    arrays.first_rows = first_rows;
    arrays_free(&arrays);
    models_close(&m);
}

static rg_status predict(void *context, rg_error *err)
{
    const models *m = context;
    double outputs[24 * 3];
    rg_prediction_arrays arrays = RG_PREDICTION_ARRAYS_INIT;
    arrays.n_rows = 24;
    arrays.outputs = outputs;
    return rg_model_predict_arrays(&arrays, m->model, &m->source, NULL, NULL, err);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    models m = models_trained(MODELS_CLASSES);
    assert_true(test_allocation_sweep(predict, &m) > 10);
    models_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_what_the_callback_says),
        cmocka_unit_test(too_little_room_is_refused),
        cmocka_unit_test(a_callback_stops_it),
        cmocka_unit_test(a_program_with_a_shorter_struct_still_works),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
