/* test_model.c - models: trained, saved, loaded, and what they say. */
/* threads */
#include "support/models.h"

#include <stdio.h>
#include <string.h>

static void a_model_that_was_loaded_says_the_same(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/model", directory);
    for (int kind = 0; kind < N_MODELS; kind++) {
        models m = models_trained(kind);
        rg_model *loaded = NULL;
        rg_model_info was = RG_MODEL_INFO_INIT, is = RG_MODEL_INFO_INIT;
        ASSERT_OK(rg_model_save(m.model, path, err));
        ASSERT_OK(rg_model_load(&loaded, path, err));
        models_output before = models_predict(m.model, &m.source);
        models_output after = models_predict(loaded, &m.source);
        assert_int_equal(before.n_samples, 24);
        models_same(&before, &after);
        ASSERT_OK(rg_model_describe(&was, m.model, err));
        ASSERT_OK(rg_model_describe(&is, loaded, err));
        assert_int_equal(was.task, is.task);
        assert_int_equal(was.arrays, is.arrays);
        assert_int_equal(was.n_outputs, is.n_outputs);
        assert_int_equal(was.n_parameters, is.n_parameters);
        assert_string_equal(was.network, is.network);
        assert_string_equal(was.training, is.training);
        assert_string_equal(was.record, is.record);
        assert_string_equal(was.digest, is.digest);
        assert_int_equal(strlen(is.digest), 64);
        assert_string_equal(is.version, REGULA_VERSION);
        assert_string_equal(was.version, REGULA_VERSION);
        for (uint32_t c = 0; c < is.n_outputs; c++)
            assert_int_equal(rg_model_class(m.model, c), rg_model_class(loaded, c));
        rg_model_free(loaded);
        models_close(&m);
    }
    free(path);
    test_directory_remove(directory);
}

static void classes_have_their_values(void **state)
{
    (void)state;
    static const int64_t expected[N_MODELS][3] = {[MODELS_CLASSES] = {10, 20, 30},
                                                  [MODELS_MULTILABEL] = {1, 1},
                                                  [MODELS_NODES] = {3, 5, 8},
                                                  [MODELS_ARRAYS] = {4, 6, 9}};
    static const rg_model_task tasks[N_MODELS] = {
        RG_MODEL_CLASSES, RG_MODEL_VALUES, RG_MODEL_MULTILABEL, RG_MODEL_NODES, RG_MODEL_CLASSES};
    for (int kind = 0; kind < N_MODELS; kind++) {
        models m = models_trained(kind);
        rg_model_info info = RG_MODEL_INFO_INIT;
        ASSERT_OK(rg_model_describe(&info, m.model, err));
        assert_int_equal(info.task, tasks[kind]);
        assert_int_equal(info.n_outputs,
                         kind == MODELS_VALUES || kind == MODELS_MULTILABEL ? 2 : 3);
        for (uint32_t c = 0; c < info.n_outputs; c++)
            assert_int_equal(rg_model_class(m.model, c), expected[kind][c]);
        assert_string_equal(info.digest, "");
        models_close(&m);
    }
}

static char *file_of(const char *directory, const models *m, const rg_train_options *options,
                     size_t *n)
{
    rg_model *model = NULL;
    char *path = test_format("%s/model", directory);
    ASSERT_OK(models_train(&model, m, options, err));
    ASSERT_OK(rg_model_save(model, path, err));
    char *bytes = test_read(path, n);
    rg_model_free(model);
    free(path);
    return bytes;
}

static void files_do_not_depend_on_threads_memory_or_processor(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    for (int kind = 0; kind < N_MODELS; kind++) {
        models m = models_open(kind);
        rg_train_options options = rg_train_options_default();
        size_t n, n_own;
        options.n_threads = 1;
        char *expected = file_of(directory, &m, &options, &n);
        for (int way = 0; way < 5; way++) {
            options.n_threads = way == 0 ? 2 : way == 1 ? 4 : 1;
            options.cpu = way == 2 ? RG_CPU_PORTABLE : RG_CPU_AUTO;
            options.memory = way == 3 ? 40000 : 0;
            options.seed = way == 4 ? 2 : 1;
            char *own = file_of(directory, &m, &options, &n_own);
            bool same = n == n_own && memcmp(own, expected, n) == 0;
            if (same != (way < 4))
                fail_msg("model %d, way %d: %zu bytes, expected %zu", kind, way, n_own, n);
            free(own);
        }
        free(expected);
        models_close(&m);
    }
    test_directory_remove(directory);
}

/* A model of the best of four lanes is that of the run alone. */
static void a_run_of_many_gives_the_model_of_the_run_alone(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_MODELS; kind++) {
        models m = models_open(kind);
        rg_train_options options = rg_train_options_default();
        rg_train_report report = RG_TRAIN_REPORT_INIT;
        rg_model *many = NULL, *alone = NULL;
        options.lanes = 4;
        options.first_run = 3;
        ASSERT_OK(rg_model_train(&many, &report, m.recipe, &m.source, &m.fold, &options, err));
        assert_int_equal(report.n_runs, 4);
        options.lanes = 1;
        options.first_run = report.runs[report.best].number;
        ASSERT_OK(models_train(&alone, &m, &options, err));
        models_output a = models_predict(many, &m.source), b = models_predict(alone, &m.source);
        models_same(&a, &b);
        rg_model_free(many);
        rg_model_free(alone);
        models_close(&m);
    }
}

/* ---- embeddings */

typedef struct embedding_check {
    const rg_model *model;
    size_t n;
} embedding_check;

static double weight(const rg_model *m, size_t k)
{
    return rg_model_weight(m, k);
}

static rg_status check_dense(void *context, const rg_prediction *p, rg_error *err)
{
    embedding_check *check = context;
    const rg_network *net = check->model->net;
    const rg_net_layer *layer = &net->layers[net->n_layers - 1];
    (void)err;
    assert_int_equal(p->n_embedding, layer->n_in);
    for (size_t i = 0; i < p->n_rows; i++)
        for (size_t o = 0; o < p->n_outputs; o++) {
            double z = weight(check->model, layer->bias.at + o);
            for (size_t c = 0; c < p->n_embedding; c++)
                z += weight(check->model, layer->weights + c * layer->n_out + o) *
                     p->embedding[i * p->n_embedding + c];
            assert_true(test_near(z, p->outputs[i * p->n_outputs + o], 1e-5, 1));
            check->n++;
        }
    return RG_OK;
}

/* Keys are (out, label): the k-th of output 0 and the k-th of output o have the same label. */
static rg_status check_aggregate(void *context, const rg_prediction *p, rg_error *err)
{
    embedding_check *check = context;
    const rg_network *net = check->model->net;
    const rg_net_layer *layer = &net->layers[net->n_layers - 1];
    const rg_net_rule *rule = &layer->rules[0];
    size_t each = rg_rule_keys_size(rule->keys) / p->n_outputs, n_in = layer->n_in;
    (void)err;
    assert_int_equal(p->n_embedding, each * n_in);
    for (size_t o = 0; o < p->n_outputs; o++) {
        double z = weight(check->model, layer->bias.at + o);
        for (size_t k = 0; k < each * n_in; k++)
            z += weight(check->model, rule->at + o * each * n_in + k) * p->embedding[k];
        assert_true(test_near(z, p->outputs[o], 1e-5, 1));
        check->n++;
    }
    return RG_OK;
}

static void weights_of_the_last_layer_times_the_embedding_are_the_outputs(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_MODELS; kind++) {
        models m = models_trained(kind);
        embedding_check check = {m.model, 0};
        rg_predict_options options = rg_predict_options_default();
        bool dense = kind != MODELS_CLASSES && kind != MODELS_MULTILABEL;
        options.embed = 1;
        ASSERT_OK(rg_model_predict(m.model, &m.source, &options,
                                   dense ? check_dense : check_aggregate, &check, NULL, err));
        assert_true(check.n >= 48);
        models_close(&m);
    }
}

/* ---- which samples, and data never seen */

typedef struct wanted {
    const uint32_t *samples;
    size_t n;
} wanted;

static rg_status check_sample(void *context, const rg_prediction *p, rg_error *err)
{
    wanted *w = context;
    assert_int_equal(p->sample, *w->samples++);
    return --w->n ? RG_OK : (snprintf(err->message, sizeof err->message, "enough"), RG_EFAIL);
}

static void only_samples_that_are_asked_for_are_predicted(void **state)
{
    (void)state;
    models m = models_trained(MODELS_CLASSES);
    static const uint32_t list[] = {7, 3, 3, 0, 23}, wrong[] = {1, 24};
    rg_predict_options options = rg_predict_options_default();
    rg_error err;
    wanted w = {list, 6};
    options.samples = list;
    options.n_samples = 5;
    assert_int_equal(rg_model_predict(m.model, &m.source, &options, check_sample, &w, NULL, &err),
                     RG_OK);
    assert_int_equal(w.n, 1);
    w = (wanted){list, 2}; /* the callback says enough */
    assert_int_equal(rg_model_predict(m.model, &m.source, &options, check_sample, &w, NULL, &err),
                     RG_EFAIL);
    assert_string_equal(err.message, "enough");
    options.samples = wrong;
    options.n_samples = 2;
    assert_int_equal(rg_model_predict(m.model, &m.source, &options, check_sample, &w, NULL, &err),
                     RG_EUSAGE);
    assert_string_equal(err.message, "'toy' has 24 samples: there is no 24");
    models_close(&m);
}

static rg_status ignore(void *context, const rg_prediction *p, rg_error *err)
{
    (void)err;
    for (size_t k = 0; k < p->n_rows * p->n_outputs; k++)
        assert_true(p->outputs[k] == p->outputs[k]);
    ++*(size_t *)context;
    return RG_OK;
}

/* Nodes of label 5, or of a degree that no graph of the training part has. */
static uint64_t count_unseen(const rg_dataset *data, const uint32_t *train, size_t n_train)
{
    bool seen[32] = {false};
    uint64_t n = 0;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < (pass ? rg_dataset_n_graphs(data) : n_train); k++) {
            rg_graph graph = rg_dataset_graph(data, pass ? k : train[k]);
            const uint32_t *rank = rg_dataset_ranks(data, RG_NODE_LABEL, 0) + graph.first_node;
            for (uint32_t i = 0; i < graph.n_nodes; i++) {
                uint64_t degree = graph.row[i + 1] - graph.row[i];
                n += pass && (rank[i] == 1 || !seen[degree]);
                seen[degree] = seen[degree] || !pass;
            }
        }
    return n;
}

/* A model that never saw label 5: its nodes come in as 0, have the label "unseen", and no pair. */
static void what_is_new_is_reported(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(40, 8, 62);
    uint32_t train[40];
    size_t n_train = 0, n = 0;
    uint64_t n_new = 0, n_pairs = 0;
    for (uint32_t g = 0; g < 40; g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        const uint32_t *rank = rg_dataset_ranks(data, RG_NODE_LABEL, 0) + graph.first_node;
        bool has = false;
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            has = has || rank[i] == 1;
            n_new += rank[i] == 1;
            n_pairs += rank[i] == 1 ? 3 : 0; /* of the aggregation, one an output */
            for (uint64_t k = graph.row[i]; k < graph.row[i + 1]; k++)
                n_pairs += rank[i] == 1 || rank[graph.col[k]] == 1;
        }
        if (!has)
            train[n_train++] = g;
    }
    rg_recipe *recipe =
        test_recipe("task: classification\n"
                    "labels: {a: node, d: degree}\n"
                    "input: [signed, one-hot(node)]\n"
                    "layers:\n"
                    "  - {rule: \"share a(i), a(j) when edge(i,j)\", bias: share a(i), mix: full}\n"
                    "  - aggregate: share out, a(i)\n"
                    "training: {epochs: 2}\n");
    rg_model *model = NULL;
    rg_source source = {.graphs = data};
    rg_fold fold = {.train = {train, n_train}};
    rg_train_options options = rg_train_options_default();
    rg_predict_report report;
    options.fit_on_train = 1;
    ASSERT_OK(rg_model_train(&model, NULL, recipe, &source, &fold, &options, err));
    ASSERT_OK(rg_model_predict(model, &source, NULL, ignore, &n, &report, err));
    assert_int_equal(n, 40);
    assert_int_equal(report.n_nodes, rg_dataset_n_nodes(data));
    assert_int_equal(report.unknown_labels, n_new);
    assert_int_equal(report.unseen_labels, count_unseen(data, train, n_train));
    assert_int_equal(report.unseen_pairs, n_pairs);
    rg_model_free(model);
    rg_recipe_free(recipe);
    rg_dataset_free(data);
}

/* Targets do not matter for a prediction: they may be missing, or of classes never seen. */
static void predicting_needs_no_targets(void **state)
{
    (void)state;
    models m = models_trained(MODELS_ARRAYS);
    double x[2 * 24];
    for (size_t k = 0; k < 48; k++)
        x[k] = (double)k / 48;
    rg_arrays_content content = {
        .size = sizeof content, .name = "new", .n_samples = 2, .shape = {4, 3, 2}, .doubles = x};
    for (int way = 0; way < 3; way++) {
        static const int64_t classes[] = {4, 77};
        static const double reals[] = {1, 2};
        rg_arrays *arrays = NULL;
        rg_evaluation evaluation = RG_EVALUATION_INIT;
        size_t n = 0;
        rg_error own;
        content.classes = way == 1 ? classes : NULL;
        content.reals = way == 2 ? reals : NULL;
        content.n_columns = way > 0;
        ASSERT_OK(rg_arrays_build(&arrays, &content, err));
        rg_source source = {.arrays = arrays};
        ASSERT_OK(rg_model_predict(m.model, &source, NULL, ignore, &n, NULL, err));
        assert_int_equal(n, 2);
        assert_int_equal(rg_model_evaluate(&evaluation, m.model, &source, NULL, &own), RG_EDATA);
        assert_string_equal(
            own.message, way == 1 ? "'new' has a sample of class 77, which the model does not know"
                                  : "'new' does not have the targets of the task 'classification'");
        rg_arrays_free(arrays);
    }
    models_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_that_was_loaded_says_the_same),
        cmocka_unit_test(classes_have_their_values),
        cmocka_unit_test(files_do_not_depend_on_threads_memory_or_processor),
        cmocka_unit_test(a_run_of_many_gives_the_model_of_the_run_alone),
        cmocka_unit_test(weights_of_the_last_layer_times_the_embedding_are_the_outputs),
        cmocka_unit_test(only_samples_that_are_asked_for_are_predicted),
        cmocka_unit_test(what_is_new_is_reported),
        cmocka_unit_test(predicting_needs_no_targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
