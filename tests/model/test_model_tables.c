/* test_model_tables.c - models with tables of pairs: from files, given by the program, kept in model files, for
 * the samples that they have numbers for. */
#include "support/models.h"

#include "property/pair_table.h"

#include <stdio.h>

enum { N = 24 };

static rg_fold fold_of(uint32_t list[N])
{
    for (uint32_t k = 0; k < N; k++)
        list[k] = k;
    return (rg_fold){.train = {list, N - 4}, .validation = {list + N - 4, 4}};
}

static rg_status train(rg_model **out, const char *text, const rg_source *source,
                       const rg_rule_labeling *given, rg_error *err)
{
    uint32_t list[N];
    rg_fold fold = fold_of(list);
    rg_train_options options = rg_train_options_default();
    rg_recipe *recipe = NULL;
    options.n_threads = 1;
    options.tables = given;
    options.n_tables = given ? 1 : 0;
    rg_status status = rg_recipe_parse(&recipe, "f", text, strlen(text), err);
    if (!status)
        status = rg_model_train(out, NULL, recipe, source, &fold, &options, err);
    rg_recipe_free(recipe);
    return status;
}

/* Saved, loaded, and asked again. */
static void check_kept(rg_model *model, const char *directory, const rg_source *source)
{
    char *path = test_format("%s/m.safetensors", directory);
    rg_model *again = NULL;
    ASSERT_OK(rg_model_save(model, path, err));
    ASSERT_OK(rg_model_load(&again, path, err));
    models_output a = models_predict_only(model, source), b = models_predict_only(again, source);
    models_same(&a, &b);
    rg_model_free(again);
    free(path);
}

static void one_table_is_for_all_samples(void **state)
{
    char *directory = test_directory_make();
    rg_arrays *arrays = test_arrays(N, 7), *others = test_arrays(9, 8);
    rg_source source = {.arrays = arrays}, unseen = {.arrays = others};
    rg_model *model = NULL;
    (void)state;
    test_write(directory, "w.csv", "i,j,value\n0,3,2\n0,5,1\n1,23,2\n1,0,7\n2,1,1\n");
    test_write(directory, "b.txt", "4\n0\n4\n");
    char *text = test_format("tables: {w: %s/w.csv, b: %s/b.txt}\n"
                             "layers:\n"
                             "  - rule: share w(i,j) when w(i,j) != 0\n"
                             "    bias: share b(i) when b(i) > 0\n"
                             "    shape: [1, 3]\n"
                             "  - dense: auto\n"
                             "training: {epochs: 2}\n",
                             directory, directory);
    ASSERT_OK(train(&model, text, &source, NULL, err));
    assert_int_equal(rg_rule_keys_size(model->net->layers[0].rules[0].keys), 3);
    assert_int_equal(rg_rule_keys_size(model->net->layers[0].bias.keys), 1);
    assert_false(rg_network_dynamic(model->net));
    check_kept(model, directory, &source);
    check_kept(model, directory, &unseen);
    rg_model_free(model);
    free(text);
    rg_arrays_free(arrays);
    rg_arrays_free(others);
    test_directory_remove(directory);
}

static rg_status number(void *context, size_t sample, uint32_t i, uint32_t j, int64_t *out,
                        rg_error *err)
{
    (void)context;
    (void)err;
    *out = (int64_t)((sample + 3 * i + 5 * j) % 4);
    return RG_OK;
}

static const char given_text[] =
    "task: classification\n"
    "tables: {near: given}\n"
    "input: attributes\n"
    "layers:\n"
    "  - rule: share near(i,j), near(j,i) when near(i,j) > 1 or i = j\n"
    "  - aggregate: share out, near(i,i)\n"
    "training: {epochs: 2}\n";

static void numbers_of_samples_answer_for_these_alone(void **state)
{
    char *directory = test_directory_make();
    rg_dataset *data = test_dataset_with_classes(N, 7, 5),
               *other = test_dataset_with_classes(9, 7, 6);
    rg_source source = {.graphs = data}, unseen = {.graphs = other};
    rg_pair_table *near = NULL, *more = NULL;
    rg_model *model = NULL;
    rg_evaluation result = RG_EVALUATION_INIT;
    (void)state;
    ASSERT_OK(rg_pair_table_of_graphs(&near, data, 2, number, NULL, err));
    ASSERT_OK(rg_pair_table_of_graphs(&more, other, 2, number, NULL, err));
    rg_rule_labeling given = {.name = "near", .is_table = 1, .pairs = near};
    ASSERT_REFUSED(train(&model, given_text, &source, NULL, err), RG_EDATA,
                   "the table 'near' is given by the program that trains, and this one gives none");
    ASSERT_OK(train(&model, given_text, &source, &given, err));
    check_kept(model, directory, &source);
    ASSERT_REFUSED(rg_model_evaluate(&result, model, &unseen, NULL, err), RG_EDATA,
                   "has numbers for the samples of another data set than");
    ASSERT_REFUSED(rg_model_set_table(model, "far", more, &unseen, err), RG_EUSAGE,
                   "the model has no table 'far'");
    ASSERT_REFUSED(rg_model_set_table(model, "near", near, &unseen, err), RG_EDATA,
                   "the table 'near' has numbers for 24 samples, and ");
    ASSERT_OK(rg_model_set_table(model, "near", more, &unseen, err));
    check_kept(model, directory, &unseen);
    ASSERT_REFUSED(rg_model_evaluate(&result, model, &source, NULL, err), RG_EDATA,
                   "has numbers for the samples of another data set than");
    rg_model_free(model);
    rg_pair_table_free(near);
    rg_pair_table_free(more);
    rg_dataset_free(data);
    rg_dataset_free(other);
    test_directory_remove(directory);
}

/* Numbers for every array: connections of their own, in any memory. */
static void arrays_may_have_numbers_of_their_own(void **state)
{
    static const char text[] = "tables: {near: given}\n"
                               "layers:\n"
                               "  - rule: [\"share near(i,j)\", \"share i, j when j < 4\"]\n"
                               "    bias: share i\n"
                               "    shape: [1, 2]\n"
                               "  - dense: auto\n"
                               "training: {epochs: 2}\n";
    char *directory = test_directory_make();
    rg_arrays *arrays = test_arrays(N, 7);
    rg_source source = {.arrays = arrays};
    rg_pair_table *near = NULL;
    rg_model *model = NULL;
    (void)state;
    ASSERT_OK(rg_pair_table_of_shape(&near, N, 2, 24, 2, number, NULL, err));
    rg_rule_labeling given = {.name = "near", .is_table = 1, .pairs = near};
    ASSERT_OK(train(&model, text, &source, &given, err));
    assert_true(rg_network_dynamic(model->net));
    check_kept(model, directory, &source);
    rg_model_free(model);
    rg_pair_table_free(near);
    rg_arrays_free(arrays);
    test_directory_remove(directory);
}

static void mistakes_in_network_files_have_a_place(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"tables: near\nlayers: [{dense: auto}]",
         "f:1:9: found 'near', expected a map from names to "
         "files, such as near: near.csv"},
        {"tables: {near: \"\"}\nlayers: [{dense: auto}]",
         "expected a file, such as near.csv, or the "
         "word 'given'"},
        {"labels: {near: degree}\ntables: {near: a.csv}\nlayers: [{dense: auto}]",
         "f:2:10: found the labeling 'near' twice"},
        {"tables: {dist: a.csv}\nlayers: [{dense: auto}]",
         "f:1:10: found the labeling 'dist', expected "
         "another name"},
        {"tables: {near: a.csv}\nlayers: [{rule: \"share near(1)\"}]",
         "found '1', expected i or j"},
        {"tables: {near: /none/a.csv}\nlayers: [{rule: \"share near(i,j)\", shape: [1, 3]}]",
         "the table 'near': cannot"},
    };
    rg_arrays *arrays = test_arrays(N, 7);
    rg_source source = {.arrays = arrays};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_model *model = NULL;
        rg_error err = {""};
        rg_status status = train(&model, cases[k].text, &source, NULL, &err);
        if ((status != RG_EDATA && status != RG_EIO) || !strstr(err.message, cases[k].message))
            fail_msg("case %zu: %d '%s', expected '%s'", k, (int)status, err.message,
                     cases[k].message);
    }
    rg_arrays_free(arrays);
}

static rg_status all_the_way(void *context, rg_error *err)
{
    rg_dataset *data = context;
    rg_source source = {.graphs = data};
    rg_pair_table *near = NULL;
    rg_model *model = NULL;
    rg_status status = rg_pair_table_of_graphs(&near, data, 2, number, NULL, err);
    rg_rule_labeling given = {.name = "near", .is_table = 1, .pairs = near};
    if (!status)
        status = train(&model, given_text, &source, &given, err);
    if (!status)
        status = rg_model_set_table(model, "near", near, &source, err);
    rg_model_free(model);
    rg_pair_table_free(near);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    rg_dataset *data = test_dataset_with_classes(N, 3, 5);
    (void)state;
    assert_true(test_allocation_sweep(all_the_way, data) > 30);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_table_is_for_all_samples),
        cmocka_unit_test(numbers_of_samples_answer_for_these_alone),
        cmocka_unit_test(arrays_may_have_numbers_of_their_own),
        cmocka_unit_test(mistakes_in_network_files_have_a_place),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
