/* test_model_options.c - recipes, and the options of training and predicting. */
#include "support/models.h"

#include <string.h>
#include <unistd.h>

/* ---- recipes */

static const char text[] = "task: classification\n"
                           "labels: {a: node}\n"
                           "layers:\n"
                           "  - aggregate: share out, a(i)\n"
                           "training: {epochs: 7}\n";

static void a_recipe_is_its_normal_form(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/net.yml", directory);
    rg_recipe *recipe = test_recipe(text), *again = test_recipe(rg_recipe_text(recipe)),
              *read = NULL;
    rg_error own;
    assert_int_equal(rg_recipe_epochs(recipe), 7);
    assert_string_equal(rg_recipe_text(recipe), rg_recipe_text(again));
    test_write(directory, "net.yml", text);
    ASSERT_OK(rg_recipe_read(&read, path, err));
    assert_string_equal(rg_recipe_text(recipe), rg_recipe_text(read));
    rg_recipe_free(recipe);
    rg_recipe_free(again);
    rg_recipe_free(read);
    rg_recipe_free(NULL);
    assert_int_equal(rg_recipe_parse(&recipe, "x.yml", "layers: 5", 9, &own), RG_EDATA);
    assert_int_equal(strncmp(own.message, "x.yml:1:", 8), 0);
    assert_int_equal(rg_recipe_read(&recipe, "/nowhere/net.yml", &own), RG_EIO);
    free(path);
    test_directory_remove(directory);
}

static rg_status parse(void *context, rg_error *err)
{
    rg_recipe *recipe = NULL;
    (void)context;
    rg_status status = rg_recipe_parse(&recipe, "net.yml", text, sizeof text - 1, err);
    rg_recipe_free(recipe);
    return status;
}

static void memory_may_run_out_while_a_recipe_is_read(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(parse, NULL) > 10);
}

/* ---- progress */

typedef struct heard {
    size_t n_building, n_epochs;
    double done;
    const char *checkpoint;
} heard;

static void hear_building(void *context, double done)
{
    heard *h = context;
    assert_true(done >= h->done && done <= 1);
    h->done = done;
    h->n_building++;
}

static int hear_epoch(void *context, const rg_train_state *train)
{
    heard *h = context;
    assert_int_equal(train->epoch, ++h->n_epochs);
    assert_int_equal(train->epochs, 3);
    assert_int_equal(train->n_runs, 4);
    assert_true(train->best_epoch >= 1 && train->best_epoch <= train->epoch);
    for (size_t l = 0; l < 4; l++)
        assert_int_equal(train->last[l].number, train->epoch);
    if (train->epoch > 1) /* written after every epoch */
        assert_int_equal(access(h->checkpoint, F_OK), 0);
    return 0;
}

static void hear_predicting(void *context, double done)
{
    hear_building(context, done);
}

static rg_status ignore(void *context, const rg_prediction *p, rg_error *err)
{
    (void)context;
    (void)p;
    (void)err;
    return RG_OK;
}

static void progress_is_told(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/state", directory);
    models m = models_open(MODELS_CLASSES);
    heard h = {.checkpoint = path};
    rg_train_options options = rg_train_options_default();
    rg_train_report report = RG_TRAIN_REPORT_INIT;
    options.lanes = 4;
    options.building = hear_building;
    options.progress = hear_epoch;
    options.context = &h;
    options.checkpoint = path;
    options.checkpoint_seconds = 0;
    ASSERT_OK(rg_model_train(&m.model, &report, m.recipe, &m.source, &m.fold, &options, err));
    assert_true(h.n_building > 3 && h.done == 1 && h.n_epochs == 3);
    assert_int_equal(unlink(path), 0); /* the caller removes it when the model is safe */
    assert_true(report.parameters == m.model->net->n_params && report.table_bytes > 0);
    assert_true(report.weights_used > 0 && report.weights_used <= report.weights_possible);
    assert_true(report.connections > 0 && report.epochs == 3 && !report.interrupted);

    rg_predict_options predict = rg_predict_options_default();
    h = (heard){0};
    predict.progress = hear_predicting;
    predict.progress_context = &h;
    ASSERT_OK(rg_model_predict(m.model, &m.source, &predict, ignore, NULL, NULL, err));
    assert_true(h.n_building == m.n && h.done == 1);
    models_close(&m);
    free(path);
    test_directory_remove(directory);
}

/* ---- what makes no sense */

static void samples_that_are_not_there_are_refused(void **state)
{
    (void)state;
    models m = models_trained(MODELS_ARRAYS);
    static const uint32_t wrong[] = {3, 24};
    rg_model *model = NULL;
    rg_evaluation *evaluation = calloc(1, sizeof *evaluation);
    rg_prune_point point;
    rg_predict_options options = {.size = sizeof options, .samples = wrong, .n_samples = 2};
    rg_fold folds[] = {{.train = {wrong, 2}},
                       {.train = {wrong, 1}, .validation = {wrong, 2}},
                       {.train = {wrong, 1}, .test = {wrong, 2}}};
    const char *message = "'grid' has 24 samples: there is no 24";
    rg_error err;
    assert_non_null(evaluation);
    evaluation->size = sizeof *evaluation;
    for (size_t k = 0; k < 3; k++) {
        assert_int_equal(rg_model_train(&model, NULL, m.recipe, &m.source, &folds[k], NULL, &err),
                         RG_EUSAGE);
        assert_string_equal(err.message, message);
    }
    assert_int_equal(rg_model_evaluate(evaluation, m.model, &m.source, &options, &err), RG_EUSAGE);
    assert_string_equal(err.message, message);
    assert_int_equal(
        rg_model_prune_curve(&point, (const double[]){0}, 1, m.model, &m.source, &options, &err),
        RG_EUSAGE);
    assert_string_equal(err.message, message);
    free(evaluation);
    models_close(&m);
}

/* Lanes and parts are looked at before anything is built. */
static void options_are_checked_first(void **state)
{
    (void)state;
    models m = models_open(MODELS_CLASSES);
    heard h = {0};
    rg_train_options options = rg_train_options_default();
    rg_error err;
    options.building = hear_building;
    options.context = &h;
    options.lanes = 3;
    assert_int_equal(models_train(&m.model, &m, &options, &err), RG_EUSAGE);
    assert_string_equal(err.message, "lanes: found 3, expected 1, 4 or 8");
    options.lanes = 1;
    m.fold.train.n = 0;
    assert_int_equal(models_train(&m.model, &m, &options, &err), RG_EDATA);
    assert_string_equal(err.message, "the training set is empty");
    assert_int_equal(h.n_building, 0);
    models_close(&m);
}

/* Complaints have lines of the file as it was written, not of its normal form. */
static void lines_are_those_of_the_file(void **state)
{
    (void)state;
    models m = models_open(MODELS_CLASSES);
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"# some words\n\ntask: classification\nlayers:\n\n  - aggregate: share out\n    # of six\n"
         "    outputs: 6\n  - dropout: 0.5\n",
         "network: line 9, layer 2: the network has 6 outputs, and the task (classification) needs "
         "3"},
        {"# some words\n\ntask: classification\nlayers:\n\n  - rule: share 1 when dist(i,j) = 60\n"
         "  - aggregate: share out\n",
         "network: line 6, layer 1: no pair of 'toy' satisfies the rule 'share 1 when dist(i,j) = "
         "60'"},
    };
    for (size_t k = 0; k < 2; k++) {
        rg_recipe *recipe = test_recipe(cases[k].text);
        rg_model *model = NULL;
        rg_error err;
        assert_int_equal(rg_model_train(&model, NULL, recipe, &m.source, &m.fold, NULL, &err),
                         RG_EDATA);
        assert_string_equal(err.message, cases[k].message);
        rg_recipe_free(recipe);
    }
    models_close(&m);
}

static void a_network_of_one_layer_has_no_vector_before_it(void **state)
{
    (void)state;
    models m = models_open(MODELS_NODES);
    rg_recipe *recipe = test_recipe("task: node-classification\n"
                                    "input: constant\n"
                                    "layers: [{rule: \"share degree(i) when i = j\"}]\n"
                                    "training: {epochs: 1, class_weights: balanced}\n");
    rg_predict_options options = rg_predict_options_default();
    rg_error own;
    options.embed = 1;
    ASSERT_OK(rg_model_train(&m.model, NULL, recipe, &m.source, &m.fold, NULL, err));
    assert_int_equal(rg_model_predict(m.model, &m.source, &options, ignore, NULL, NULL, &own),
                     RG_EUSAGE);
    assert_string_equal(own.message,
                        "the network has only one layer: there is no embedding before it");
    rg_recipe_free(recipe);
    models_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recipe_is_its_normal_form),
        cmocka_unit_test(memory_may_run_out_while_a_recipe_is_read),
        cmocka_unit_test(progress_is_told),
        cmocka_unit_test(samples_that_are_not_there_are_refused),
        cmocka_unit_test(options_are_checked_first),
        cmocka_unit_test(lines_are_those_of_the_file),
        cmocka_unit_test(a_network_of_one_layer_has_no_vector_before_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
