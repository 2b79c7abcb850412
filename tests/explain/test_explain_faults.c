/* test_explain_faults.c - explanations of what cannot be explained, and while memory fails. */
#include "support/models.h"

#include "base/alloc.h"
#include "base/error.h"
#include "explain/explain_figure.h"

#include <string.h>

static rg_explainer *open_explainer(const models *m)
{
    rg_explainer *e = NULL;
    ASSERT_OK(rg_explainer_new(&e, m->model, NULL, err));
    ASSERT_OK(rg_explainer_read(e, &m->source, NULL, err));
    return e;
}

static void refuses(rg_status status, const rg_error *err, rg_status expected, const char *message)
{
    assert_string_equal(err->message, message);
    assert_int_equal(status, expected);
}

/* ---- what cannot be explained */

static void a_model_without_data_has_words_alone(void **state)
{
    (void)state;
    models m = models_trained(MODELS_CLASSES);
    rg_explainer *e = NULL;
    rg_attribution attribution;
    rg_error why;
    ASSERT_OK(rg_explainer_new(&e, m.model, NULL, err));
    refuses(rg_explainer_measure(e, NULL, 0, &why), &why, RG_EUSAGE,
            "there are no data to explain the model on");
    refuses(rg_explainer_attribute(&attribution, e, 0, &why), &why, RG_EUSAGE,
            "there are no data to explain the model on");
    assert_null(rg_explainer_means(e, 0));
    rg_explainer_free(e);
    models_close(&m);
}

static void data_of_another_kind_are_refused(void **state)
{
    (void)state;
    models graphs = models_trained(MODELS_CLASSES), arrays = models_trained(MODELS_ARRAYS);
    rg_explainer *e = NULL, *other = open_explainer(&arrays);
    rg_error why;
    ASSERT_OK(rg_explainer_new(&e, graphs.model, NULL, err));
    refuses(rg_explainer_read(e, &arrays.source, NULL, &why), &why, RG_EDATA,
            "'grid' has arrays, and the network is for graphs");
    refuses(rg_explainer_read(other, &graphs.source, NULL, &why), &why, RG_EDATA,
            "'toy' has graphs, and the network is for arrays");
    ASSERT_OK(rg_explainer_measure(other, NULL, 0, err)); /* it still has the data it had */
    rg_explainer_free(e);
    rg_explainer_free(other);
    models_close(&graphs);
    models_close(&arrays);
}

static void numbers_out_of_range_are_refused(void **state)
{
    (void)state;
    models m = models_trained(MODELS_CLASSES), values = models_trained(MODELS_VALUES);
    rg_explainer *e = open_explainer(&m), *of_values = open_explainer(&values);
    rg_attribution attribution;
    rg_pair_weights pairs;
    rg_typical typical;
    rg_separation separation;
    rg_explain_score score;
    size_t n, n_class, n_right;
    uint64_t sizes[2];
    uint32_t far = 99;
    rg_error why;
    refuses(rg_explainer_attribute(&attribution, e, 24, &why), &why, RG_EUSAGE,
            "'toy' has graphs 0 .. 23: there is no graph 24");
    refuses(rg_explainer_measure(e, &far, 1, &why), &why, RG_EUSAGE,
            "'toy' has graphs 0 .. 23: there is no graph 99");
    refuses(rg_explainer_remove(&score, e, &far, 0, &far, 1, &why), &why, RG_EUSAGE,
            "'toy' has graphs 0 .. 23: there is no graph 99");
    refuses(rg_explainer_pairs(&pairs, e, 3, 2, SIZE_MAX, &why), &why, RG_EUSAGE,
            "the network has 2 layers: there is no layer 3");
    refuses(rg_explainer_pairs(&pairs, e, 3, 0, 2, &why), &why, RG_EUSAGE,
            "layer 1 has 2 channels: there is no channel 2");
    refuses(rg_explainer_pairs(&pairs, of_values, 3, 3, SIZE_MAX, &why), &why, RG_EUSAGE,
            "layer 4 (dense) has no rule");
    refuses(rg_explainer_typical(&typical, &n, &n_class, &n_right, e, 3, 1, &why), &why, RG_EUSAGE,
            "the model has 3 classes: there is no number 3");
    refuses(rg_explainer_typical(&typical, &n, &n_class, &n_right, of_values, 0, 1, &why), &why,
            RG_EUSAGE, "the model is not a classifier: it is for regression");
    refuses(rg_explainer_separate(&separation, &n, sizes, e, 1, 1, SIZE_MAX, 1, &why), &why,
            RG_EUSAGE, "a class cannot be compared with itself");
    rg_explainer_free(e);
    rg_explainer_free(of_values);
    models_close(&m);
    models_close(&values);
}

static void only_graphs_with_nodes_and_pairs_are_drawn(void **state)
{
    (void)state;
    static const size_t columns[] = {RG_COLUMN_ALL};
    static const struct {
        int kind;
        uint32_t graph;
        size_t layer;
        const char *message;
    } cases[] = {
        {MODELS_CLASSES, 0, SIZE_MAX, "graph 0 of 'toy' has no nodes: there is nothing to draw"},
        {MODELS_CLASSES, 24, SIZE_MAX, "'toy' has graphs 0 .. 23: there is no graph 24"},
        {MODELS_CLASSES, 3, 1, "layer 2 (aggregate) has no pairs of nodes to draw"},
        {MODELS_CLASSES, 3, 7, "the network has 2 layers: there is no layer 8"},
        {MODELS_ARRAYS, 3, SIZE_MAX, "the model is for arrays: only graphs can be drawn"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        models m = models_trained(cases[k].kind);
        rg_explainer *e = open_explainer(&m);
        rg_explain_figure *figure = NULL;
        rg_explain_figure_options options = {.graphs = &cases[k].graph,
                                             .n_graphs = 1,
                                             .columns = columns,
                                             .n_columns = 1,
                                             .layer = cases[k].layer,
                                             .channel = SIZE_MAX};
        rg_error why;
        refuses(rg_explain_figure_new(&figure, e, &options, &why), &why, RG_EUSAGE,
                cases[k].message);
        assert_null(figure);
        rg_explainer_free(e);
        models_close(&m);
    }
}

static void targets_are_needed_to_score(void **state)
{
    (void)state;
    models m = models_trained(MODELS_MULTILABEL);
    rg_dataset *bare = test_dataset_bare(8, 6, 3);
    rg_model *model = NULL;
    rg_recipe *recipe = test_recipe("task: classification\nlabels: {d: degree}\nlayers:\n"
                                    "  - aggregate: share out, d(i)\ntraining: {epochs: 1}\n");
    rg_dataset *plain = test_dataset_plain(8, 6, 3);
    rg_fold fold = {.train = {m.numbers, 8}};
    ASSERT_OK(
        rg_model_train(&model, NULL, recipe, &(rg_source){.graphs = plain}, &fold, NULL, err));
    rg_explainer *e = NULL;
    rg_explain_score score;
    rg_error why;
    uint32_t first = 0;
    ASSERT_OK(rg_explainer_new(&e, model, NULL, err));
    ASSERT_OK(rg_explainer_read(e, &(rg_source){.graphs = bare}, NULL, err));
    ASSERT_OK(rg_explainer_measure(e, NULL, 0, err));
    assert_int_equal(rg_explainer_remove(&score, e, &first, 1, NULL, 0, &why), RG_EDATA);
    assert_false(rg_explainer_statement(e, 0)->removed);
    rg_explainer_free(e);
    rg_model_free(model);
    rg_recipe_free(recipe);
    rg_dataset_free(bare);
    rg_dataset_free(plain);
    models_close(&m);
}

/* ---- while memory fails */

static rg_status write_all(const models *m, rg_explainer *e, rg_error *err)
{
    rg_json json = {0};
    rg_attribution attribution;
    rg_status status = rg_explainer_attribute(&attribution, e, 5, err);
    if (status)
        return status;
    rg_explain_json_attribution(&json, e, &attribution, 4);
    rg_attribution_free(&attribution);
    for (size_t k = 0; k < rg_explainer_n_statements(e) && k < 6; k++)
        rg_explain_json_statement(&json, e, k);
    for (size_t l = 0; !status && l < rg_explainer_n_layers(e); l++) {
        rg_pair_weights pairs;
        if (rg_explainer_layer(e, l).n_rules == 0)
            continue;
        status = rg_explainer_pairs(&pairs, e, 5, l, SIZE_MAX, err);
        if (!status) {
            status = rg_explainer_pair_effects(&pairs, e, 5, l,
                                               rg_explainer_axis(e, RG_EACH_OUTPUT), err);
            rg_explain_json_pairs(&json, e, l, &pairs);
            rg_pair_weights_free(&pairs);
        }
    }
    char *all = rg_json_take(&json);
    if (!status && !all)
        status = rg_fail_memory(err, "a test");
    rg_free(all);
    (void)m;
    return status;
}

static rg_status compare(rg_explainer *e, rg_error *err)
{
    rg_typical typical[4];
    rg_separation separation[4];
    size_t n, n_class, n_right;
    uint64_t sizes[2];
    rg_status status = rg_explainer_typical(typical, &n, &n_class, &n_right, e, 1, 4, err);
    if (!status)
        status = rg_explainer_separate(separation, &n, sizes, e, 0, RG_NO_OUTPUT, SIZE_MAX, 4, err);
    return status;
}

static rg_status draw(rg_explainer *e, rg_error *err)
{
    static const size_t columns[] = {RG_COLUMN_ALL, 2};
    static const uint32_t graphs[] = {3, 5};
    rg_explain_figure *figure = NULL;
    rg_explain_figure_options options = {.graphs = graphs,
                                         .n_graphs = 2,
                                         .columns = columns,
                                         .n_columns = 2,
                                         .layer = SIZE_MAX,
                                         .channel = SIZE_MAX};
    rg_status status = rg_explain_figure_new(&figure, e, &options, err);
    rg_explain_figure_free(figure);
    return status;
}

static rg_status explain_all(void *context, rg_error *err)
{
    const models *m = context;
    rg_explainer *e = NULL;
    rg_explain_score score;
    uint32_t list[8];
    size_t n = 0;
    rg_predict_options options = rg_predict_options_default();
    options.n_threads = 1;
    rg_status status = rg_explainer_new(&e, m->model, NULL, err);
    if (!status)
        status = rg_explainer_read(e, &m->source, &options, err);
    if (!status)
        status = rg_explainer_measure(e, NULL, 0, err);
    if (!status)
        status = rg_explainer_rank(list, &n, e, 0, false, RG_BY_CONTRIBUTION, 8, err);
    if (!status)
        status = rg_explainer_remove(&score, e, list, n, NULL, 0, err);
    if (!status)
        status = write_all(m, e, err);
    if (!status && m->model->net->task == RG_TASK_CLASSES && m->data) {
        status = compare(e, err);
        if (!status)
            status = draw(e, err);
    }
    rg_explainer_free(e);
    return status;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_MODELS; kind++) {
        models m = models_trained(kind);
        assert_true(test_allocation_sweep(explain_all, &m) > 40);
        models_close(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_without_data_has_words_alone),
        cmocka_unit_test(data_of_another_kind_are_refused),
        cmocka_unit_test(numbers_out_of_range_are_refused),
        cmocka_unit_test(only_graphs_with_nodes_and_pairs_are_drawn),
        cmocka_unit_test(targets_are_needed_to_score),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
