/* models.c - see models.h. */
#include "models.h"

#include <string.h>

static const char *const texts[N_MODELS] = {
    [MODELS_CLASSES] = "task: classification\n"
                       "labels: {w: \"wl(depth=1, from=node)\", c: \"cycles(max=5)\"}\n"
                       "layers:\n"
                       "  - rule: [\"share w(i), w(j) when edge(i,j)\", share c(i) when i = j]\n"
                       "    bias: share c(i)\n"
                       "    heads: 2\n"
                       "  - aggregate: share out, c(i)\n"
                       "training: {epochs: 3, batch: 8}\n",
    [MODELS_VALUES] =
        "task: regression\n"
        "target: [1, 0]\n"
        "labels: {d: degree}\n"
        "input: [attributes, signed, \"one-hot(node,1)\", \"one-hot(d)\", attributes]\n"
        "layers:\n"
        "  - norm: layer\n"
        "  - rule: share d(i), d(j) when dist(i,j) <= 1\n"
        "    mix: full\n"
        "    heads: 3\n"
        "  - aggregate: share out, d(i)\n"
        "    outputs: 4\n"
        "    by: sum\n"
        "  - dense: auto\n"
        "training: {epochs: 3, batch: 8, precision: double, loss: mae}\n",
    [MODELS_MULTILABEL] = "task: multi-label\n"
                          "target: [1, 2]\n"
                          "input: scaled\n"
                          "layers:\n"
                          "  - aggregate: share out, node(i)\n"
                          "training: {epochs: 3, batch: 8}\n",
    [MODELS_NODES] = "task: node-classification\n"
                     "input: constant(0.5)\n"
                     "labels: {d: degree}\n"
                     "layers:\n"
                     "  - rule: share d(i), dist(i,j) when dist(i,j) in 0..2\n"
                     "    heads: 3\n"
                     "  - dense: auto\n"
                     "training: {epochs: 3, batch: 8}\n",
    [MODELS_ARRAYS] = "layers:\n"
                      "  - rule: share channel(i), row(j)-row(i), col(j)-col(i)\n"
                      "      when row(j)-row(i) in 0..1 and col(j)-col(i) in 0..1\n"
                      "    shape: [3, 2, 2]\n"
                      "    bias: share channel(i)\n"
                      "  - dense: auto\n"
                      "training: {epochs: 3, batch: 8}\n",
};

models models_open(int kind)
{
    models m = {.n = 24, .recipe = test_recipe(texts[kind])};
    m.numbers = calloc(2 * m.n, sizeof *m.numbers);
    assert_non_null(m.numbers);
    for (uint32_t k = 0; k < m.n; k++) {
        m.numbers[k] = k;
        if (k % 4)
            m.numbers[m.n + m.fold.train.n++] = k;
        else
            m.numbers[m.n + 18 + m.fold.validation.n++] = k;
    }
    m.fold.train.graphs = m.numbers + m.n;
    m.fold.validation.graphs = m.numbers + m.n + 18;
    assert_int_equal(m.fold.train.n, 18);
    if (kind == MODELS_ARRAYS)
        m.source.arrays = m.arrays = test_arrays(m.n, 61);
    else
        m.source.graphs = m.data = test_dataset_with_targets(m.n, 8, 61);
    return m;
}

rg_status models_train(rg_model **out, const models *m, const rg_train_options *options,
                       rg_error *err)
{
    return rg_model_train(out, NULL, m->recipe, &m->source, &m->fold, options, err);
}

models models_trained(int kind)
{
    models m = models_open(kind);
    ASSERT_OK(models_train(&m.model, &m, NULL, err));
    return m;
}

void models_close(models *m)
{
    rg_model_free(m->model);
    rg_recipe_free(m->recipe);
    rg_dataset_free(m->data);
    rg_arrays_free(m->arrays);
    free(m->numbers);
}

static rg_status ignore(void *context, const rg_prediction *prediction, rg_error *err)
{
    (void)context;
    (void)prediction;
    (void)err;
    return RG_OK;
}

rg_status models_all_the_way(const rg_recipe *recipe, const rg_dataset *data, rg_error *err)
{
    uint32_t list[16], n = (uint32_t)rg_dataset_n_graphs(data);
    rg_fold fold = {.train = {list, n - 1}, .test = {list + n - 1, 1}};
    rg_source source = {.graphs = data};
    rg_train_options training = rg_train_options_default();
    rg_predict_options predicting = rg_predict_options_default();
    rg_model *model = NULL;
    assert_in_range(n, 2, 16);
    for (uint32_t k = 0; k < n; k++)
        list[k] = k;
    training.n_threads = predicting.n_threads = 1;
    rg_status status = rg_model_train(&model, NULL, recipe, &source, &fold, &training, err);
    predicting.embed = !status && rg_model_embeds(model);
    if (!status)
        status = rg_model_predict(model, &source, &predicting, ignore, NULL, NULL, err);
    rg_model_free(model);
    return status;
}

static void push(models_output *s, double value)
{
    if (s->n == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 64;
        s->values = realloc(s->values, s->capacity * sizeof *s->values);
        assert_non_null(s->values);
    }
    s->values[s->n++] = value;
}

static rg_status note(void *context, const rg_prediction *p, rg_error *err)
{
    models_output *s = context;
    (void)err;
    assert_int_equal(p->sample, s->n_samples++);
    for (size_t k = 0; k < p->n_rows * p->n_outputs; k++) {
        push(s, p->outputs[k]);
        if (p->probabilities)
            push(s, p->probabilities[k]);
    }
    for (size_t k = 0; p->classes && k < p->n_rows; k++)
        push(s, p->classes[k]);
    for (size_t k = 0; k < p->n_rows * p->n_embedding; k++)
        push(s, p->embedding[k]);
    return RG_OK;
}

static models_output predict(const rg_model *model, const rg_source *source, int embed)
{
    models_output said = {0};
    rg_predict_options options = rg_predict_options_default();
    options.embed = embed;
    options.n_threads = 1;
    ASSERT_OK(rg_model_predict(model, source, &options, note, &said, NULL, err));
    return said;
}

models_output models_predict(const rg_model *model, const rg_source *source)
{
    return predict(model, source, 1);
}

models_output models_predict_only(const rg_model *model, const rg_source *source)
{
    return predict(model, source, 0);
}

void models_same(models_output *a, models_output *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->n_samples, b->n_samples);
    for (size_t k = 0; k < a->n; k++)
        assert_memory_equal(&a->values[k], &b->values[k], sizeof(double));
    free(a->values);
    free(b->values);
}
