/* test_model_values.c - models with rules over values: what they can learn, bins of the training part,
 * files, memory. */
/* threads */
#include "support/models.h"
#include "support/passes.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

/* ---- a value decides which weights others meet */

#define TRAINING                                                                                 \
    "training: {start: glorot, lr: 0.02, schedule: constant, batch: 32, epochs: 10, precision: " \
    "double}\n"
static const char gate_text[] =
    "layers:\n"
    "  - rule: share i, j, value(1) > 0, value(2) > 0, value(3) > 0, value(4) > 0, value(5) > 0\n"
    "      when j > 5\n"
    "    bias: share i\n"
    "    shape: [1, 2]\n" TRAINING;
static const char static_text[] = "layers:\n"
                                  "  - rule: share i, j\n"
                                  "    bias: share i\n"
                                  "    shape: [1, 2]\n" TRAINING;

static rg_arrays *switches(size_t n, uint64_t seed)
{
    rg_switches_options options = rg_switches_options_default();
    rg_arrays *arrays = NULL;
    options.n_vectors = n;
    options.seed = seed;
    ASSERT_OK(rg_switches_generate(&arrays, &options, err));
    return arrays;
}

/* Trained on the first of ten folds; its accuracy on the test part. */
static double accuracy_of(const char *text, const rg_arrays *arrays)
{
    rg_source source = {.arrays = arrays};
    rg_splits *splits = test_splits(&source, 10);
    rg_fold fold = rg_splits_fold(splits, 0);
    rg_recipe *recipe = test_recipe(text);
    rg_predict_options test = rg_predict_options_default();
    rg_model *model = NULL;
    rg_evaluation result = RG_EVALUATION_INIT;
    ASSERT_OK(rg_model_train(&model, NULL, recipe, &source, &fold, NULL, err));
    test.samples = fold.test.graphs;
    test.n_samples = fold.test.n;
    ASSERT_OK(rg_model_evaluate(&result, model, &source, &test, err));
    rg_model_free(model);
    rg_recipe_free(recipe);
    rg_splits_free(splits);
    return result.accuracy;
}

static void a_rule_over_values_solves_what_a_static_one_cannot(void **state)
{
    rg_arrays *arrays = switches(4000, 1);
    (void)state;
    double gate = accuracy_of(gate_text, arrays), fixed = accuracy_of(static_text, arrays);
    if (!(gate >= 0.98))
        fail_msg("with values: %g", gate);
    if (!(fixed >= 0.4 && fixed <= 0.6))
        fail_msg("without: %g", fixed);
    rg_arrays_free(arrays);
}

/* ---- files, memory, threads */

static const char bins_text[] = "layers:\n"
                                "  - rule: share i, j, bin(value(1), 4), value(j) > value(2)\n"
                                "    bias: share i, bin(value(3), 2)\n"
                                "    shape: [1, 2]\n"
                                "training: {epochs: 2}\n";

static void models_over_values_are_kept_in_files(void **state)
{
    char *directory = test_directory_make(), *path = test_format("%s/m.safetensors", directory);
    rg_arrays *arrays = switches(60, 3), *others = switches(30, 4);
    rg_source source = {.arrays = arrays}, unseen = {.arrays = others};
    rg_splits *splits = test_splits(&source, 3);
    rg_fold fold = rg_splits_fold(splits, 0);
    rg_recipe *recipe = test_recipe(bins_text);
    rg_model *model = NULL, *again = NULL;
    rg_model_info info = RG_MODEL_INFO_INIT, second = RG_MODEL_INFO_INIT;
    uint64_t left;
    (void)state;
    ASSERT_OK(rg_model_train(&model, NULL, recipe, &source, &fold, NULL, err));
    ASSERT_OK(rg_model_save(model, path, err));
    ASSERT_OK(rg_model_load(&again, path, err));
    models_output a = models_predict(model, &unseen), b = models_predict(again, &unseen);
    models_same(&a, &b);
    /* Edges stay when weights are dropped. */
    ASSERT_OK(rg_model_prune(again, 0.5, &left, err));
    a = models_predict(again, &unseen);
    ASSERT_OK(rg_model_save(again, path, err));
    rg_model_free(again);
    ASSERT_OK(rg_model_load(&again, path, err));
    b = models_predict(again, &unseen);
    models_same(&a, &b);
    rg_model_free(again);
    /* The same bytes with little memory, where tables are built again and again, and many threads. */
    rg_train_options options = rg_train_options_default();
    options.memory = 20000;
    options.n_threads = 3;
    ASSERT_OK(rg_model_train(&again, NULL, recipe, &source, &fold, &options, err));
    ASSERT_OK(rg_model_save(model, path, err));
    ASSERT_OK(rg_model_save(again, path, err));
    ASSERT_OK(rg_model_describe(&info, model, err));
    ASSERT_OK(rg_model_describe(&second, again, err));
    a = models_predict(model, &source);
    b = models_predict(again, &source);
    models_same(&a, &b);
    rg_model_free(model);
    rg_model_free(again);
    rg_recipe_free(recipe);
    rg_splits_free(splits);
    rg_arrays_free(arrays);
    rg_arrays_free(others);
    test_directory_remove(directory);
    free(path);
}

/* Edges come from the training part: other samples may say what they like. */
static void edges_are_those_of_the_training_part(void **state)
{
    enum { N = 40, D = 3 };
    static double values[2][N * D];
    int64_t classes[N];
    uint32_t train[N / 2], rest[N / 4], test[N / 4];
    rg_recipe *recipe = test_recipe("layers:\n"
                                    "  - {rule: \"share i, j, bin(value(j), 4)\", shape: [1, 2]}\n"
                                    "training: {epochs: 1}\n");
    (void)state;
    for (uint32_t k = 0; k < N; k++) {
        classes[k] = k % 2;
        if (k < N / 2)
            train[k] = k;
        else if (k < 3 * N / 4)
            rest[k - N / 2] = k;
        else
            test[k - 3 * N / 4] = k;
        for (uint32_t v = 0; v < D; v++) {
            values[0][k * D + v] = rg_random_normal(5, v, k);
            values[1][k * D + v] = k < 3 * N / 4 ? values[0][k * D + v] : 1000 + k;
        }
    }
    rg_fold fold = {{train, N / 2}, {rest, N / 4}, {test, N / 4}};
    rg_arrays *arrays[2] = {NULL, NULL};
    rg_model *trained[2] = {NULL, NULL};
    rg_train_options options = rg_train_options_default();
    for (int k = 0; k < 2; k++) {
        rg_arrays_content content = {.size = sizeof content,
                                     .n_samples = N,
                                     .shape = {1, D, 1},
                                     .doubles = values[k],
                                     .classes = classes,
                                     .n_columns = 1};
        rg_source source;
        ASSERT_OK(rg_arrays_build(&arrays[k], &content, err));
        source = (rg_source){.arrays = arrays[k]};
        ASSERT_OK(rg_model_train(&trained[k], NULL, recipe, &source, &fold, &options, err));
    }
    rg_source first = {.arrays = arrays[0]};
    size_t n = 0;
    const double *edges[2];
    for (int k = 0; k < 2; k++)
        edges[k] = rg_rule_keys_edges(trained[k]->net->layers[0].rules[0].keys, &n);
    assert_int_equal(n, D * 3);
    assert_memory_equal(edges[0], edges[1], n * sizeof(double));
    models_output a = models_predict(trained[0], &first), b = models_predict(trained[1], &first);
    models_same(&a, &b);
    for (int k = 0; k < 2; k++) {
        rg_model_free(trained[k]);
        rg_arrays_free(arrays[k]);
    }
    rg_recipe_free(recipe);
}

/* ---- graphs */

static void values_of_nodes_do_not_depend_on_their_order(void **state)
{
    static const char *const texts[] = {
        "task: classification\n"
        "input: [attributes, degree]\n"
        "layers:\n"
        "  - rule: share value(j) > value(i), bin(value(j,1), 5) when dist(i,j) <= 2\n"
        "    bias: share value(i,2) > 1.5\n"
        "    mix: full\n"
        "    heads: 2\n"
        "  - aggregate: share out, bin(value(i), 3)\n",
        "task: classification\n"
        "layers:\n"
        "  - rule: share value(j) > 0 when edge(i,j)\n"
        "  - aggregate: share out, value(i) in -0.5..0.5\n",
        "task: classification\n"
        "input: labels\n"
        "layers:\n"
        "  - gin: 4\n"
        "  - rule: share value(j,1) = 1, value(i,2) = 1.0 when dist(i,j) <= 1\n"
        "  - aggregate: share out\n",
    };
    (void)state;
    rg_dataset *data = test_dataset_with_targets(20, 8, 9);
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        test_pass_check_order(texts[k], data);
        test_pass_check_outputs(texts[k], data);
    }
    rg_dataset_free(data);
}

static rg_status all_the_way(void *context, rg_error *err)
{
    const models *m = context;
    return models_all_the_way(m->recipe, m->data, err);
}

static void every_allocation_may_fail(void **state)
{
    models m = {.recipe = test_recipe("task: classification\n"
                                      "input: attributes\n"
                                      "layers:\n"
                                      "  - rule: share bin(value(j), 2) when edge(i,j)\n"
                                      "  - aggregate: share out, value(i) > 0\n"
                                      "training: {epochs: 1}\n"),
                .data = test_dataset_with_targets(6, 4, 61)};
    (void)state;
    assert_true(test_allocation_sweep(all_the_way, &m) > 20);
    models_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rule_over_values_solves_what_a_static_one_cannot),
        cmocka_unit_test(models_over_values_are_kept_in_files),
        cmocka_unit_test(edges_are_those_of_the_training_part),
        cmocka_unit_test(values_of_nodes_do_not_depend_on_their_order),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
