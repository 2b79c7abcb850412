/* test_standardise.c - numbers as inputs: counts of structures, and what is standardised by the training part. */
#include "support/graphs.h"
#include "support/models.h"

#include "base/alloc.h"
#include "label/labeling.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- counts */

static void counts_are_numbers_and_not_classes(void **state)
{
    test_graph graphs[] = {test_ring(5), test_complete(4), test_star(4), test_ring(3)};
    static const double rings[][3] = {
        {0, 0, 1}, {3, 3, 0}, {0, 0, 0}, {1, 0, 0}}; /* through a node */
    rg_dataset *data = test_dataset(graphs, 4, NULL);
    double *counts = NULL;
    uint32_t dims = 0;
    (void)state;
    ASSERT_OK(rg_label_counts_size(&dims, "cycles(kind=simple, max=5)", err));
    assert_int_equal(dims, 3);
    ASSERT_OK(rg_label_counts(&counts, "cycles(kind=simple, max=5)", data, NULL, err));
    for (size_t g = 0; g < 4; g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            for (size_t d = 0; d < 3; d++)
                assert_true(counts[(graph.first_node + i) * 3 + d] == rings[g][d]);
        test_graph_free(&graphs[g]);
    }
    rg_free(counts);
    ASSERT_REFUSED(rg_label_counts_size(&dims, "wl(depth=1)", err), RG_EUSAGE,
                   "found 'wl(depth=1)', expected a labeling that counts: degree, ");
    rg_dataset_free(data);
}

/* ---- standardised by the training part */

static const char network[] =
    "task: regression\n"
    "input: [constant, attributes, 'count(cycles(kind=simple, max=4))', count(degree)]\n"
    "standardise: %s\n"
    "layers: [dense: 4, pool: sum, dense: auto]\n"
    "training: {epochs: 3, lr: 0.01, precision: double, loss: %s}\n";

/* Columns of the input, over the nodes of the training part, have mean 0 and deviation 1; those of zeros and ones alone
 * stay, and those that are the same everywhere become 0. */
static void inputs_have_mean_0_and_deviation_1_on_the_training_part(void **state)
{
    rg_dataset *data = test_dataset_with_targets(40, 9, 5);
    rg_source source = {.graphs = data};
    uint32_t train[25];
    rg_settings settings;
    rg_network *net = NULL;
    rg_samples *samples = NULL;
    double in[20 * 16], sum[16] = {0}, squares[16] = {0}, n = 0;
    (void)state;
    for (uint32_t k = 0; k < 25; k++)
        train[k] = k + 10;
    char *text = test_format(network, "auto", "mse");
    rg_spec *spec = test_spec(&settings, text);
    rg_build_options build = {.train = train, .n_train = 25};
    rg_samples_options open = {.precision = RG_DOUBLE, .n_threads = 1, .keep = true};
    ASSERT_OK(rg_network_build(&net, NULL, spec, &source, &build, err));
    ASSERT_OK(rg_samples_open(&samples, net, &source, NULL, &open, err));
    size_t width = net->n_channels; /* constant, 2 attributes, triangles, squares, degree */
    assert_int_equal(width, 6);
    for (size_t k = 0; k < 25; k++) {
        rg_samples_input(samples, train[k], in);
        for (uint32_t i = 0; i < rg_samples_nodes(samples, train[k]); i++, n++)
            for (size_t c = 0; c < width; c++) {
                sum[c] += in[i * width + c];
                squares[c] += in[i * width + c] * in[i * width + c];
            }
    }
    assert_true(sum[0] == n && squares[0] == n); /* a constant that was asked for */
    for (size_t c = 1; c < width; c++)
        if (net->signals[c < 3   ? 1
                         : c < 5 ? 2
                                 : 3]
                .factor[c < 3   ? c - 1
                        : c < 5 ? c - 3
                                : 0] != 1) {
            assert_true(fabs(sum[c] / n) < 1e-12);
            assert_true(fabs(squares[c] / n - 1) < 1e-12);
        }
    assert_true(net->signals[1].factor[0] != 1 && net->signals[3].factor[0] != 1);
    /* a network that was read back is the same */
    char *normal = NULL;
    ASSERT_OK(rg_spec_print(&normal, net->spec, err));
    assert_non_null(strstr(normal, "standardise: auto\n"));
    assert_non_null(strstr(normal, "count(cycles(kind=simple, min=3, max=4"));
    rg_free(normal);
    rg_samples_free(samples);
    rg_network_free(net);
    free(text);
    rg_dataset_free(data);
}

typedef struct said_values {
    double values[40][2];
} said_values;

static rg_status take(void *context, const rg_prediction *p, rg_error *err)
{
    said_values *out = context;
    (void)err;
    memcpy(out->values[p->sample], p->outputs, 2 * sizeof(double));
    return RG_OK;
}

static void train_and_predict(said_values *out, rg_train_report *report, const rg_dataset *data,
                              const char *loss)
{
    uint32_t list[40];
    for (uint32_t k = 0; k < 40; k++)
        list[k] = k;
    rg_fold fold = {.train = {list, 25}, .validation = {list + 25, 15}};
    rg_source source = {.graphs = data};
    char *text = test_format(network, "auto", loss), *directory = test_directory_make();
    char *path = test_format("%s/m.safetensors", directory);
    rg_recipe *recipe = test_recipe(text);
    rg_model *model = NULL, *again = NULL;
    ASSERT_OK(rg_model_train(&model, report, recipe, &source, &fold, NULL, err));
    ASSERT_OK(rg_model_save(model, path, err));
    ASSERT_OK(rg_model_load(&again, path, err));
    said_values first, second;
    ASSERT_OK(rg_model_predict(model, &source, NULL, take, &first, NULL, err));
    ASSERT_OK(rg_model_predict(again, &source, NULL, take, &second, NULL, err));
    assert_memory_equal(&first, &second, sizeof first);
    /* what training reports is what predictions score */
    static rg_evaluation e = RG_EVALUATION_INIT;
    rg_predict_options options = rg_predict_options_default();
    options.samples = list + 25;
    options.n_samples = 15;
    ASSERT_OK(rg_model_evaluate(&e, again, &source, &options, err));
    assert_true(test_near(e.mae, report->runs[0].validation_score, 1e-9, 1));
    assert_true(test_near(e.loss, report->runs[0].validation_loss, 1e-9, 1));
    *out = first;
    rg_model_free(model);
    rg_model_free(again);
    rg_recipe_free(recipe);
    free(text);
    free(path);
    test_directory_remove(directory);
}

/* The same graphs with targets 1000 t - 7: all that changes are the units. */
static void units_of_targets_do_not_matter(void **state)
{
    rg_dataset *data = test_dataset_with_targets(40, 9, 5), *other = NULL;
    said_values a, b;
    rg_train_report first = RG_TRAIN_REPORT_INIT, second = RG_TRAIN_REPORT_INIT;
    (void)state;
    size_t n = rg_dataset_n_columns(data, RG_TARGET);
    assert_int_equal(n, 2);
    double *reals = (double *)(uintptr_t)rg_dataset_reals(data, RG_TARGET);
    train_and_predict(&a, &first, data, "mse");
    for (size_t k = 0; k < 80; k++)
        reals[k] = 1000 * reals[k] - 7;
    train_and_predict(&b, &second, data, "mse");
    for (size_t k = 0; k < 80; k++)
        assert_true(test_near(b.values[k / 2][k % 2], 1000 * a.values[k / 2][k % 2] - 7, 1e-8, 1));
    assert_true(test_near(second.runs[0].validation_loss, first.runs[0].validation_loss, 1e-8, 1));
    assert_true(
        test_near(second.runs[0].validation_score, 1000 * first.runs[0].validation_score, 1e-8, 1));
    train_and_predict(&b, &second, data, "mae");
    rg_dataset_free(data);
    rg_dataset_free(other);
}

static void what_makes_no_sense_is_told(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"standardise: yes\n", "f:1:14: found 'yes', expected none or auto"},
        {"input: count\n",
         "f:1:8: found 'count', expected count(LABELING), such as count(cycles(max=6))"},
        {"input: count(wl)\n", "f:1:8: found 'wl(depth=1, from=degree, edges=false, "
                               "unseen=label)', expected a labeling that counts: degree"},
        {"input: count(cycles(max=2))\n", "f:1:8: labels: "},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = test_format("%slayers: [dense: auto]\n", cases[k].text);
        rg_recipe *recipe = NULL;
        rg_error err = {""};
        assert_int_equal(rg_recipe_parse(&recipe, "f", text, strlen(text), &err), RG_EDATA);
        if (strncmp(err.message, cases[k].message, strlen(cases[k].message)) != 0)
            fail_msg("'%s', expected '%s'", err.message, cases[k].message);
        free(text);
    }
}

static rg_status sweep_standard(void *context, rg_error *err)
{
    rg_dataset *const *data = context;
    rg_recipe *recipe = NULL;
    char text[400];
    snprintf(text, sizeof text, network, "auto", "mae");
    rg_status status = rg_recipe_parse(&recipe, "f", text, strlen(text), err);
    if (!status)
        status = models_all_the_way(recipe, *data, err);
    rg_recipe_free(recipe);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    rg_dataset *data = test_dataset_with_targets(8, 5, 5);
    (void)state;
    test_allocation_sweep(sweep_standard, &data);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_numbers_and_not_classes),
        cmocka_unit_test(inputs_have_mean_0_and_deviation_1_on_the_training_part),
        cmocka_unit_test(units_of_targets_do_not_matter),
        cmocka_unit_test(what_makes_no_sense_is_told),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
