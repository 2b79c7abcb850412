/* test_model_evaluate.c - figures of models, against numbers done by hand and by brute force. */
#include "support/models.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

/* A model whose outputs are the values of the sample: one dense layer, the identity, no bias. */
static rg_model *mirror_trained(const char *task, const rg_arrays *arrays, const char *training)
{
    char *text = test_format("task: %s\nlayers: [{dense: auto, bias: false}]\n", task);
    rg_settings settings;
    rg_network *net = NULL;
    rg_model *model = NULL;
    rg_spec *spec = test_spec(&settings, text);
    ASSERT_OK(rg_network_build(&net, NULL, spec, &(rg_source){.arrays = arrays}, NULL, err));
    size_t n = net->n_outputs;
    double *w = calloc(n * n, sizeof *w);
    assert_non_null(w);
    assert_int_equal(net->n_params, n * n);
    for (size_t k = 0; k < n; k++)
        w[k * n + k] = 1;
    ASSERT_OK(rg_model_new(&model, net, w, RG_DOUBLE, training, "{}", err));
    free(w);
    free(text);
    return model;
}

static rg_model *mirror(const char *task, const rg_arrays *arrays)
{
    return mirror_trained(task, arrays, "training: {}\n");
}

static rg_evaluation evaluate(const rg_model *model, const rg_arrays *arrays)
{
    static rg_evaluation out = RG_EVALUATION_INIT;
    ASSERT_OK(rg_model_evaluate(&out, model, &(rg_source){.arrays = arrays}, NULL, err));
    return out;
}

#define NEAR(a, b) assert_true(test_near(a, b, 1e-12, 1))

/* Classes 10, 20, 30. Said: 10, 10, 20, 20, 10 (a tie: the first), 30; one class is not known. */
static void classes_are_counted(void **state)
{
    (void)state;
    static const double z[] = {2, 0, 0, 1, 0, 0, 0, 3, 0, 0, 1, 0, 1, 1, 0, 0, 0, 4, 9, 9, 9};
    static const int64_t classes[] = {10, 20, 20, 20, 20, 30, INT64_MIN};
    rg_arrays *arrays = NULL;
    rg_arrays_content content = {.size = sizeof content,
                                 .n_samples = 7,
                                 .shape = {1, 3, 1},
                                 .doubles = z,
                                 .classes = classes,
                                 .n_columns = 1};
    ASSERT_OK(rg_arrays_build(&arrays, &content, err));
    rg_model *model = mirror("classification", arrays);
    rg_evaluation e = evaluate(model, arrays);
    static const uint64_t confusion[3][3] = {{1, 0, 0}, {2, 2, 0}, {0, 0, 1}};
    assert_int_equal(e.n, 6);
    assert_int_equal(e.n_outputs, 3);
    for (size_t a = 0; a < 3; a++)
        for (size_t b = 0; b < 3; b++)
            assert_int_equal(e.confusion[a][b], confusion[a][b]);
    NEAR(e.accuracy, 4.0 / 6);
    NEAR(e.majority, 4.0 / 6);
    NEAR(e.outputs[0].precision, 1.0 / 3);
    NEAR(e.outputs[0].recall, 1);
    NEAR(e.outputs[1].precision, 1);
    NEAR(e.outputs[1].recall, 0.5);
    assert_int_equal(e.outputs[1].n, 4);
    double loss = log(exp(2) + 2) - 2 + log(exp(1) + 2) + log(exp(3) + 2) - 3 + log(exp(1) + 2) -
                  1 + log(2 * exp(1) + 1) - 1 + log(exp(4) + 2) - 4;
    NEAR(e.loss, loss / 6);
    /* The first class against the rest: its one sample is said with the largest probability. */
    NEAR(e.outputs[0].auc, 1);
    NEAR(e.outputs[2].auc, 1);
    assert_true(isnan(e.mae) && isnan(e.rmse) && isnan(e.outputs[0].mae));
    rg_model_free(model);
    rg_arrays_free(arrays);
}

/* Yes for class 1 said with 0.5 (three times, twice right), and larger. */
static void areas_count_ties_as_half(void **state)
{
    (void)state;
    static const double z[] = {0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, -1};
    static const int64_t classes[] = {0, 1, 1, 1, 0, 0};
    rg_arrays *arrays = NULL;
    rg_arrays_content content = {.size = sizeof content,
                                 .n_samples = 6,
                                 .shape = {1, 2, 1},
                                 .doubles = z,
                                 .classes = classes,
                                 .n_columns = 1};
    ASSERT_OK(rg_arrays_build(&arrays, &content, err));
    rg_model *model = mirror("classification", arrays);
    rg_evaluation e = evaluate(model, arrays);
    /* pairs (yes, no): yes 0: 0 ties, 2 loses, -1 wins = 1.5, twice; yes 1: wins, loses, wins = 2
     */
    NEAR(e.outputs[1].auc, 5.0 / 9);
    NEAR(e.outputs[0].auc, 5.0 / 9);
    NEAR(e.auc, 5.0 / 9);
    rg_model_free(model);
    rg_arrays_free(arrays);
}

static void areas_are_parts_of_all_pairs(void **state)
{
    (void)state;
    enum { N = 80, CLASSES = 4 };
    double z[N * CLASSES];
    int64_t classes[N];
    rg_arrays *arrays = NULL;
    for (size_t k = 0; k < N; k++) {
        classes[k] = rg_random_below(5, 1, k, CLASSES);
        for (size_t c = 0; c < CLASSES; c++) /* many ties */
            z[k * CLASSES + c] = rg_random_below(5, 2, k * CLASSES + c, 2);
    }
    rg_arrays_content content = {.size = sizeof content,
                                 .n_samples = N,
                                 .shape = {1, CLASSES, 1},
                                 .doubles = z,
                                 .classes = classes,
                                 .n_columns = 1};
    ASSERT_OK(rg_arrays_build(&arrays, &content, err));
    rg_model *model = mirror("classification", arrays);
    rg_evaluation e = evaluate(model, arrays);
    double mean = 0;
    for (size_t c = 0; c < CLASSES; c++) {
        double p[N], won = 0, pairs = 0;
        for (size_t k = 0; k < N; k++) {
            double sum = 0;
            for (size_t d = 0; d < CLASSES; d++)
                sum += exp(z[k * CLASSES + d]);
            p[k] = exp(z[k * CLASSES + c]) / sum;
        }
        for (size_t a = 0; a < N; a++)
            for (size_t b = 0; b < N; b++)
                if (classes[a] == (int64_t)c && classes[b] != (int64_t)c) {
                    pairs++;
                    won += fabs(p[a] - p[b]) < 1e-12 ? 0.5 : p[a] > p[b];
                }
        NEAR(e.outputs[c].auc, won / pairs);
        mean += won / pairs / CLASSES;
    }
    NEAR(e.auc, mean);
    rg_model_free(model);
    rg_arrays_free(arrays);
}

/* Two columns of answers, one of them not known; the last logit is far out. */
static void answers_are_counted(void **state)
{
    (void)state;
    static const double z[] = {1, -2, -1, 3, 2, 0.5, -3, -900};
    static const int64_t classes[] = {1, 0, 0, 1, 0, INT64_MIN, 1, 1};
    rg_arrays *arrays = NULL;
    rg_arrays_content content = {.size = sizeof content,
                                 .n_samples = 4,
                                 .shape = {1, 2, 1},
                                 .doubles = z,
                                 .classes = classes,
                                 .n_columns = 2};
    ASSERT_OK(rg_arrays_build(&arrays, &content, err));
    rg_model *model = mirror("multi-label", arrays);
    rg_evaluation e = evaluate(model, arrays);
    assert_int_equal(e.n, 7);
    assert_int_equal(e.outputs[0].n, 4);
    assert_int_equal(e.outputs[1].n, 3);
    NEAR(e.accuracy, 4.0 / 7);
    NEAR(e.majority, 4.0 / 7); /* 2 of 4 and 2 of 3 */
    NEAR(e.outputs[0].precision, 0.5);
    NEAR(e.outputs[0].recall, 0.5);
    NEAR(e.outputs[1].precision, 1);
    NEAR(e.outputs[1].recall, 0.5);
    NEAR(e.outputs[0].auc, 0.25); /* (1, -3) against (-1, 2) */
    NEAR(e.outputs[1].auc, 0.5);
    double loss = log(1 + exp(-1)) + log(1 + exp(-1)) + log(1 + exp(2)) + log(1 + exp(3)) +
                  log(1 + exp(-2)) + log(1 + exp(-3)) + 900;
    NEAR(e.loss, loss / 7);
    rg_model_free(model);
    rg_arrays_free(arrays);
}

static void errors_of_values_are_measured(void **state)
{
    (void)state;
    static const double z[] = {1, 0, 2, 5, 4, 1}, y[] = {2, 0, 2, (double)NAN, 1, 1};
    rg_arrays *arrays = NULL;
    rg_arrays_content content = {.size = sizeof content,
                                 .n_samples = 3,
                                 .shape = {1, 2, 1},
                                 .doubles = z,
                                 .reals = y,
                                 .n_columns = 2};
    ASSERT_OK(rg_arrays_build(&arrays, &content, err));
    rg_model *model = mirror("regression", arrays);
    rg_evaluation e = evaluate(model, arrays);
    assert_int_equal(e.n, 5);
    NEAR(e.mae, 4.0 / 5);
    NEAR(e.loss, 10.0 / 5);
    NEAR(e.rmse, sqrt(2));
    NEAR(e.outputs[0].mae, 4.0 / 3);
    NEAR(e.outputs[0].rmse, sqrt(10.0 / 3));
    NEAR(e.outputs[0].r2, 1 - 10 / (2.0 / 3));
    assert_int_equal(e.outputs[1].n, 2);
    NEAR(e.outputs[1].mae, 0);
    NEAR(e.outputs[1].r2, 1);
    assert_true(isnan(e.accuracy) && isnan(e.majority) && isnan(e.auc) &&
                isnan(e.outputs[0].precision));
    rg_model_free(model);
    static const struct {
        const char *training;
        double loss;
    } losses[] = {{"training:\n  loss: mse\n", 2},
                  {"training:\n  loss: mae\n", 0.8},
                  {"training:\n  loss: auto\n", 2}};
    for (size_t k = 0; k < sizeof losses / sizeof *losses; k++) {
        double part = 0;
        rg_prune_point point;
        model = mirror_trained("regression", arrays, losses[k].training);
        e = evaluate(model, arrays);
        NEAR(e.loss, losses[k].loss);
        NEAR(e.mae, 0.8);
        NEAR(e.rmse, sqrt(2));
        ASSERT_OK(rg_model_prune_curve(&point, &part, 1, model, &(rg_source){.arrays = arrays},
                                       NULL, err));
        NEAR(point.loss, losses[k].loss);
        rg_model_free(model);
    }
    rg_arrays_free(arrays);
}

/* More classes than have figures of their own: the first ones have them, accuracy is of all. */
static void many_classes_have_figures_too(void **state)
{
    (void)state;
    enum { N = RG_SCORES_MAX + 6 };
    static double z[N * N];
    int64_t classes[N];
    rg_arrays *arrays = NULL;
    for (size_t k = 0; k < N; k++) {
        classes[k] = (int64_t)k;
        z[k * N + (k == N - 1 ? 0 : k)] = 1; /* the last is taken for the first */
    }
    rg_arrays_content content = {.size = sizeof content,
                                 .n_samples = N,
                                 .shape = {1, N, 1},
                                 .doubles = z,
                                 .classes = classes,
                                 .n_columns = 1};
    ASSERT_OK(rg_arrays_build(&arrays, &content, err));
    rg_model *model = mirror("classification", arrays);
    rg_evaluation e = evaluate(model, arrays);
    NEAR(e.accuracy, (N - 1.0) / N);
    NEAR(e.majority, 1.0 / N);
    NEAR(e.outputs[0].precision, 0.5);
    NEAR(e.outputs[0].recall, 1);
    assert_int_equal(e.outputs[RG_SCORES_MAX - 1].n, 1);
    NEAR(e.outputs[RG_SCORES_MAX - 1].precision, 1);
    rg_model_free(model);
    rg_arrays_free(arrays);
}

/* What training measured at the end is what evaluating finds. */
static void evaluating_finds_what_training_reported(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_MODELS; kind++) {
        models m = models_open(kind);
        static rg_evaluation e = RG_EVALUATION_INIT;
        rg_train_report report = RG_TRAIN_REPORT_INIT;
        ASSERT_OK(rg_model_train(&m.model, &report, m.recipe, &m.source, &m.fold, NULL, err));
        rg_predict_options options = rg_predict_options_default();
        options.samples = m.fold.validation.graphs;
        options.n_samples = m.fold.validation.n;
        ASSERT_OK(rg_model_evaluate(&e, m.model, &m.source, &options, err));
        const rg_run *run = &report.runs[report.best];
        bool values = kind == MODELS_VALUES; /* whose training loss is another */
        assert_true(test_near(values ? e.mae : e.accuracy, run->validation_score, 1e-9, 0));
        assert_true(values || test_near(e.loss, run->validation_loss, 1e-6, 0));
        if (kind == MODELS_NODES) {
            uint64_t n = 0;
            for (size_t k = 0; k < m.fold.validation.n; k++)
                n += rg_dataset_graph(m.data, m.fold.validation.graphs[k]).n_nodes;
            assert_int_equal(e.n, n);
        }
        models_close(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_are_counted),
        cmocka_unit_test(areas_count_ties_as_half),
        cmocka_unit_test(areas_are_parts_of_all_pairs),
        cmocka_unit_test(answers_are_counted),
        cmocka_unit_test(errors_of_values_are_measured),
        cmocka_unit_test(many_classes_have_figures_too),
        cmocka_unit_test(evaluating_finds_what_training_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
