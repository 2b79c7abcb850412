/* test_layer_models.c - models of networks with every layer: files, predictions, pruning, memory. */
#include "layer_nets.h"
#include "support/models.h"

#include <math.h>
#include <string.h>

enum { GRAPHS = 40 }; /* more than go through at once */

/* A model of a network file with weights by chance, in float. Owned (rg_model_free). */
static rg_model *model_of(const char *text, const rg_dataset *data)
{
    char *whole = test_format("%straining: {precision: float}\n", text);
    test_network n = test_network_open(whole, data);
    double *w = test_network_weights(&n, 13);
    rg_model *model = NULL;
    rg_samples_free(n.samples);
    ASSERT_OK(rg_model_new(&model, n.net, w, RG_FLOAT, "training: {}\n", "{}", err));
    free(w);
    free(whole);
    return model;
}

/* With embeddings, if there are any. */
static models_output predict(const rg_model *model, const rg_dataset *data)
{
    rg_source source = {.graphs = data};
    return rg_model_embeds(model) ? models_predict(model, &source)
                                  : models_predict_only(model, &source);
}

static void each_model(void (*check)(rg_model *model, const rg_dataset *data, const char *text))
{
    rg_dataset *data = test_dataset_with_targets(GRAPHS, 7, 31);
    for (size_t k = 0; k < layer_nets_n(); k++) {
        rg_model *model = model_of(layer_nets_at(k)->text, data);
        check(model, data, layer_nets_at(k)->text);
        rg_model_free(model);
    }
    rg_dataset_free(data);
}

/* ---- files */

static void save_and_load(rg_model *model, const rg_dataset *data, const char *text)
{
    char *directory = test_directory_make(), *path = test_format("%s/m.safetensors", directory);
    rg_model *again = NULL;
    rg_model_info one = RG_MODEL_INFO_INIT, other = RG_MODEL_INFO_INIT;
    (void)text;
    ASSERT_OK(rg_model_save(model, path, err));
    ASSERT_OK(rg_model_load(&again, path, err));
    ASSERT_OK(rg_model_describe(&one, model, err));
    ASSERT_OK(rg_model_describe(&other, again, err));
    assert_string_equal(one.digest, other.digest);
    assert_string_equal(one.network, other.network);
    assert_int_equal(one.n_parameters, other.n_parameters);
    for (size_t k = 0; k < rg_model_numbers(model); k++) /* running means too */
        assert_true(rg_model_weight(model, k) == rg_model_weight(again, k));
    models_output a = predict(model, data), b = predict(again, data);
    models_same(&a, &b);
    rg_model_free(again);
    free(path);
    test_directory_remove(directory);
}

static void a_file_holds_all_of_a_model(void **state)
{
    (void)state;
    each_model(save_and_load);
}

/* ---- alone and in groups */

typedef struct outputs {
    double z[GRAPHS][32];
    size_t n[GRAPHS];
} outputs;

static rg_status note(void *context, const rg_prediction *p, rg_error *err)
{
    outputs *o = context;
    (void)err;
    o->n[p->sample] = p->n_rows * p->n_outputs;
    assert_true(o->n[p->sample] <= 32);
    memcpy(o->z[p->sample], p->outputs, o->n[p->sample] * sizeof(double));
    return RG_OK;
}

static void ask_one_by_one(rg_model *model, const rg_dataset *data, const char *text)
{
    rg_source source = {.graphs = data};
    rg_predict_options options = rg_predict_options_default();
    outputs all = {.n = {0}}, alone = {.n = {0}};
    options.n_threads = 1;
    ASSERT_OK(rg_model_predict(model, &source, &options, note, &all, NULL, err));
    for (uint32_t k = 0; k < GRAPHS; k += 3) {
        options.samples = &k;
        options.n_samples = 1;
        ASSERT_OK(rg_model_predict(model, &source, &options, note, &alone, NULL, err));
        assert_int_equal(all.n[k], alone.n[k]);
        if (memcmp(all.z[k], alone.z[k], all.n[k] * sizeof(double)) != 0)
            fail_msg("%s\nsample %u: %.9g among others, %.9g alone", text, (unsigned)k, all.z[k][0],
                     alone.z[k][0]);
    }
}

static void a_sample_alone_is_predicted_as_among_others(void **state)
{
    (void)state;
    each_model(ask_one_by_one);
}

/* ---- figures */

static void evaluate(rg_model *model, const rg_dataset *data, const char *text)
{
    rg_evaluation e = RG_EVALUATION_INIT;
    (void)text;
    ASSERT_OK(rg_model_evaluate(&e, model, &(rg_source){.graphs = data}, NULL, err));
    assert_true(e.n > 0 && isfinite(e.loss));
    assert_true(isnan(e.accuracy) ? isfinite(e.mae) : e.accuracy >= 0 && e.accuracy <= 1);
}

static void models_are_evaluated(void **state)
{
    (void)state;
    each_model(evaluate);
}

/* ---- pruning */

/* Weights that are zero, of rules and of layers that are pruned; *n of them there are. */
static size_t n_zeros(const rg_model *model, size_t *n)
{
    const rg_network *net = model->net;
    size_t zeros = 0;
    *n = 0;
    for (size_t k = 0; k < net->n_layers; k++) {
        const rg_net_layer *layer = &net->layers[k];
        if (!layer->kind->prunes || layer->like != RG_NO_INDEX)
            continue;
        *n += rg_net_n_weights(layer);
        for (size_t i = 0; i < rg_net_n_weights(layer); i++)
            zeros += rg_model_weight(model, layer->weights + i) == 0;
    }
    return zeros;
}

static void prune(rg_model *model, const rg_dataset *data, const char *text)
{
    const double parts[] = {0, 0.5};
    rg_prune_point points[2];
    uint64_t left = 0;
    size_t n, rules = 0;
    rg_source source = {.graphs = data};
    ASSERT_OK(rg_model_prune_curve(points, parts, 2, model, &source, NULL, err));
    for (size_t k = 0; k < model->net->n_layers; k++)
        rules += model->net->layers[k].n_rules;
    assert_int_equal(n_zeros(model, &n), 0);
    ASSERT_OK(rg_model_prune(model, 0.5, &left, err));
    assert_int_equal(left, points[1].weights);
    assert_true(points[0].weights >= n && left > 0);
    if (!rules) { /* dense layers and convolutions are all there is */
        assert_int_equal(points[0].weights, n);
        assert_int_equal(n_zeros(model, &n), n - left);
        assert_true(left <= n - n / 2 && left + 1 >= n / 2);
    }
    models_output said = predict(model, data);
    for (size_t k = 0; k < said.n; k++)
        if (!isfinite(said.values[k]))
            fail_msg("%s\nnumber %zu is %g", text, k, said.values[k]);
    free(said.values);
    save_and_load(model, data, text);
}

static void models_are_pruned(void **state)
{
    (void)state;
    each_model(prune);
}

/* Convolutions lose weights as dense layers do. */
static void weights_of_convolutions_are_pruned(void **state)
{
    rg_dataset *data = test_dataset_with_targets(GRAPHS, 7, 31);
    rg_model *model = model_of("task: classification\n"
                               "input: labels\n"
                               "layers:\n"
                               "  - {sort-pool: 4}\n"
                               "  - {conv1d: 16, size: 2}\n"
                               "  - dense: auto\n",
                               data);
    const rg_net_layer *conv = NULL;
    uint64_t left;
    size_t zeros = 0;
    (void)state;
    ASSERT_OK(rg_model_prune(model, 0.5, &left, err));
    for (size_t k = 0; k < model->net->n_layers; k++)
        if (model->net->layers[k].kind == &rg_layer_conv1d)
            conv = &model->net->layers[k];
    assert_non_null(conv);
    for (size_t k = 0; k < rg_net_n_weights(conv); k++)
        zeros += rg_model_weight(model, conv->weights + k) == 0;
    assert_in_range(zeros, rg_net_n_weights(conv) / 4, rg_net_n_weights(conv) * 3 / 4);
    rg_model_free(model);
    rg_dataset_free(data);
}

/* ---- embeddings */

static rg_status count_numbers(void *context, const rg_prediction *p, rg_error *err)
{
    size_t *n = context;
    (void)err;
    *n = p->n_embedding;
    return RG_OK;
}

static void embeddings_are_what_goes_into_the_last_layer(void **state)
{
    static const struct {
        const char *text;
        size_t n; /* 0: there is none */
    } cases[] = {
        {"  - {gcn: 5}\n  - pool: [sum, max]\n  - dense: auto\n", 10},
        {"  - {gcn: 5}\n  - sort-pool: 4\n  - {conv1d: 3, size: 4}\n", 20},
        {"  - {gcn: 5}\n  - readout: sum\n", 5},
        {"  - {gcn: 3}\n  - pool: sum\n", 0}, /* behind the pooling nothing has weights */
        {"  - {gcn: 5}\n  - norm: batch\n  - {aggregate: \"share out, a(i)\"}\n", 5 * 3},
    };
    rg_dataset *data = test_dataset_with_targets(GRAPHS, 7, 31);
    rg_source source = {.graphs = data};
    rg_predict_options options = rg_predict_options_default();
    (void)state;
    options.embed = 1;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = test_format(
            "task: classification\nlabels: {a: node}\ninput: labels\nlayers:\n%s", cases[k].text);
        rg_model *model = model_of(text, data);
        size_t n = 0;
        rg_error err = {""};
        rg_status status =
            rg_model_predict(model, &source, &options, count_numbers, &n, NULL, &err);
        assert_int_equal(status, cases[k].n ? RG_OK : RG_EUSAGE);
        assert_int_equal(rg_model_embeds(model), cases[k].n > 0);
        if (cases[k].n)
            assert_int_equal(n, cases[k].n);
        else
            assert_string_equal(
                err.message, "no layer with weights has a vector before it: there is no embedding");
        rg_model_free(model);
        free(text);
    }
    rg_dataset_free(data);
}

/* ---- memory */

typedef struct sweep {
    const char *text;
    const rg_dataset *data;
} sweep;

/* From the text to predictions. */
static rg_status all_of_it(void *context, rg_error *err)
{
    const sweep *s = context;
    rg_recipe *recipe = NULL;
    rg_status status = rg_recipe_parse(&recipe, "n", s->text, strlen(s->text), err);
    if (!status)
        status = models_all_the_way(recipe, s->data, err);
    rg_recipe_free(recipe);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    static const char *const texts[] = {
        "task: classification\n"
        "input: labels\n"
        "layers: [{mlp: 3, name: p}, {gin: 3}, {readout: sum, of: every, dropout: 0.5}]\n"
        "training: {epochs: 1, parts: 2}\n",
        "task: classification\n"
        "labels: {d: degree}\n"
        "input: [labels, one-hot(d), attributes]\n"
        "layers:\n"
        "  - {gat: 2, heads: 2, name: g}\n"
        "  - {rule: \"share d(i) when i = j or edge(i,j)\", name: r}\n"
        "  - {concat: [g, r, input]}\n"
        "  - pool: [sum, max]\n"
        "  - dense: auto\n"
        "training: {epochs: 1}\n",
    };
    rg_dataset *data = test_dataset_with_targets(8, 5, 31);
    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
        assert_true(test_allocation_sweep(all_of_it, &(sweep){texts[k], data}) > 100);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_holds_all_of_a_model),
        cmocka_unit_test(a_sample_alone_is_predicted_as_among_others),
        cmocka_unit_test(models_are_evaluated),
        cmocka_unit_test(models_are_pruned),
        cmocka_unit_test(weights_of_convolutions_are_pruned),
        cmocka_unit_test(embeddings_are_what_goes_into_the_last_layer),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
