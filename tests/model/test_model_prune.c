/* test_model_prune.c - models that lose their smallest weights. */
#include "support/models.h"

#include <math.h>
#include <string.h>

/* Places of weights of rules and dense layers; *n of them. Owned (free). */
static size_t *places_of(const rg_network *net, size_t *n)
{
    size_t *out = calloc(net->n_params + 1, sizeof *out);
    assert_non_null(out);
    *n = 0;
    for (size_t k = 0; k < net->n_layers; k++) {
        const rg_net_layer *layer = &net->layers[k];
        for (size_t r = 0; r < layer->n_rules; r++)
            for (size_t i = 0; i < layer->rules[r].n_params; i++)
                out[(*n)++] = layer->rules[r].at + i;
        for (size_t i = 0; layer->kind->prunes && i < rg_net_n_weights(layer); i++)
            out[(*n)++] = layer->weights + i;
    }
    return out;
}

/* The `gone` smallest become zero, one after another. */
static void drop_slowly(rg_model *m, size_t gone)
{
    size_t n;
    size_t *places = places_of(m->net, &n);
    bool *dropped = calloc(n + 1, sizeof *dropped);
    assert_non_null(dropped);
    for (; gone; gone--) {
        size_t best = n;
        for (size_t k = 0; k < n; k++)
            if (!dropped[k] && (best == n || fabs(rg_model_weight(m, places[k])) <
                                                 fabs(rg_model_weight(m, places[best]))))
                best = k;
        dropped[best] = true;
        rg_model_set_weight(m, places[best], 0);
    }
    free(dropped);
    free(places);
}

/* Outputs, probabilities and classes; zeros may differ in sign. */
static void compare_outputs(const rg_model *a, const rg_model *b, const rg_source *source)
{
    models_output x = models_predict_only(a, source), y = models_predict_only(b, source);
    assert_int_equal(x.n, y.n);
    for (size_t k = 0; k < x.n; k++)
        assert_true(x.values[k] == y.values[k]);
    free(x.values);
    free(y.values);
}

static void a_pruned_model_says_what_one_with_zeros_says(void **state)
{
    (void)state;
    static const double parts[] = {0, 0.3, 0.75, 0.97};
    char *directory = test_directory_make(), *path = test_format("%s/model", directory);
    for (int kind = 0; kind < N_MODELS; kind++)
        for (size_t k = 0; k < 4; k++) {
            models m = models_trained(kind);
            rg_model *zeros = NULL, *loaded = NULL;
            size_t n;
            uint64_t left;
            free(places_of(m.model->net, &n));
            ASSERT_OK(models_train(&zeros, &m, NULL, err));
            drop_slowly(zeros, (size_t)(parts[k] * (double)n));
            size_t before = m.model->net->n_params;
            ASSERT_OK(rg_model_prune(m.model, parts[k], &left, err));
            assert_int_equal(left, n - (size_t)(parts[k] * (double)n));
            assert_true(m.model->net->n_params <= before);
            if (k == 3)
                assert_true(m.model->net->n_params < before);
            for (size_t l = 0; l < m.model->net->n_layers; l++) /* a rule stays a rule */
                for (size_t r = 0; r < m.model->net->layers[l].n_rules; r++)
                    assert_true(rg_rule_keys_size(m.model->net->layers[l].rules[r].keys) > 0);
            compare_outputs(m.model, zeros, &m.source);
            ASSERT_OK(rg_model_save(m.model, path, err));
            ASSERT_OK(rg_model_load(&loaded, path, err));
            compare_outputs(loaded, zeros, &m.source);
            rg_model_free(zeros);
            rg_model_free(loaded);
            models_close(&m);
        }
    free(path);
    test_directory_remove(directory);
}

static void points_of_the_curve_are_evaluations(void **state)
{
    (void)state;
    static const double parts[] = {0, 0.25, 0.5, 0.9};
    for (int kind = 0; kind < N_MODELS; kind++) {
        models m = models_trained(kind);
        rg_prune_point points[4];
        static rg_evaluation e = RG_EVALUATION_INIT;
        rg_predict_options options = rg_predict_options_default();
        options.samples = m.fold.validation.graphs;
        options.n_samples = m.fold.validation.n;
        models_output before = models_predict(m.model, &m.source);
        ASSERT_OK(rg_model_prune_curve(points, parts, 4, m.model, &m.source, &options, err));
        models_output after = models_predict(m.model, &m.source);
        models_same(&before, &after); /* the model stays as it is */
        for (size_t k = 0; k < 4; k++) {
            uint64_t left;
            rg_model *own = NULL;
            ASSERT_OK(models_train(&own, &m, NULL, err));
            ASSERT_OK(rg_model_prune(own, parts[k], &left, err));
            ASSERT_OK(rg_model_evaluate(&e, own, &m.source, &options, err));
            assert_true(points[k].part == parts[k]);
            assert_int_equal(points[k].weights, left);
            assert_true(k == 0 ? points[k].limit == 0 : points[k].limit >= points[k - 1].limit);
            assert_true(test_near(points[k].loss, e.loss, 1e-6, 0));
            assert_true(
                test_near(points[k].score, kind == MODELS_VALUES ? e.mae : e.accuracy, 1e-9, 0));
            rg_model_free(own);
        }
        models_close(&m);
    }
}

static void parts_out_of_range_are_refused(void **state)
{
    (void)state;
    static const double parts[] = {-0.1, 1, (double)NAN};
    models m = models_trained(MODELS_CLASSES);
    for (size_t k = 0; k < 3; k++) {
        rg_prune_point point;
        rg_error err = {""};
        assert_int_equal(rg_model_prune(m.model, parts[k], NULL, &err), RG_EUSAGE);
        assert_non_null(strstr(err.message, "expected 0 <= fraction < 1"));
        assert_int_equal(rg_model_prune_curve(&point, &parts[k], 1, m.model, &m.source, NULL, &err),
                         RG_EUSAGE);
    }
    models_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pruned_model_says_what_one_with_zeros_says),
        cmocka_unit_test(points_of_the_curve_are_evaluations),
        cmocka_unit_test(parts_out_of_range_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
