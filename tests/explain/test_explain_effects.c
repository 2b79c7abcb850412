/* test_explain_effects.c - an effect says what removing the rule does to the answer. */
#include "support/networks.h"

#include "base/alloc.h"
#include "explain/explain_figure.h"
#include "explain/explainer.h"
#include "regula/generate.h"

#include <math.h>
#include <string.h>

/* Inputs of both signs, several heads, two rule layers: a weight alone says little here. */
static const char recipe_text[] =
    "task: classification\n"
    "labels: {w: \"wl(depth=1, from=node)\"}\n"
    "input: signed\n"
    "layers:\n"
    "  - rule: share w(i), node(j), dist(i,j) when dist(i,j) in 0..2\n"
    "    heads: 3\n"
    "    bias: share node(i)\n"
    "  - rule: share node(i), dist(i,j) when dist(i,j) in 0..1\n"
    "    mix: full\n"
    "    activation: relu\n"
    "  - aggregate: share out, w(i)\n"
    "training: {epochs: 8, batch: 16, lr: 0.02}\n";

typedef struct trained {
    rg_dataset *data;
    rg_model *model;
    rg_explainer *explainer;
    rg_source source;
} trained;

static trained train(const char *generator, uint32_t n_graphs)
{
    trained t = {0};
    rg_generate_options options = rg_generate_options_default();
    rg_recipe *recipe = test_recipe(recipe_text);
    options.n_graphs = n_graphs;
    ASSERT_OK(rg_dataset_generate(&t.data, rg_generator_find(generator), &options, err));
    t.source = (rg_source){.graphs = t.data};
    uint32_t n = (uint32_t)rg_dataset_n_graphs(t.data), *all = calloc(n, sizeof *all);
    assert_non_null(all);
    for (uint32_t k = 0; k < n; k++)
        all[k] = k;
    rg_fold fold = {.train = {all, n}};
    ASSERT_OK(rg_model_train(&t.model, NULL, recipe, &t.source, &fold, NULL, err));
    ASSERT_OK(rg_explainer_new(&t.explainer, t.model, NULL, err));
    ASSERT_OK(rg_explainer_read(t.explainer, &t.source, NULL, err));
    rg_recipe_free(recipe);
    free(all);
    return t;
}

static void close_trained(trained *t)
{
    rg_explainer_free(t->explainer);
    rg_model_free(t->model);
    rg_dataset_free(t->data);
}

/* Answers of all samples on the axis, by predicting. */
typedef struct moved_answers {
    const rg_explainer *e;
    rg_effect_axis axis;
    double *values;
} moved_answers;

static rg_status take(void *context, const rg_prediction *p, rg_error *err)
{
    moved_answers *a = context;
    double z[8] = {0};
    (void)err;
    for (size_t c = 0; c < p->n_outputs; c++)
        z[c] = p->outputs[c];
    a->values[p->sample] = rg_explainer_on_axis(a->e, a->axis, z);
    return RG_OK;
}

static double *predict(const trained *t, rg_effect_axis axis)
{
    moved_answers a = {t->explainer, axis, calloc(rg_dataset_n_graphs(t->data), sizeof(double))};
    assert_non_null(a.values);
    ASSERT_OK(rg_model_predict(t->model, &t->source, NULL, take, &a, NULL, err));
    return a.values;
}

/* The mean answer less that without statement k, over the samples whose tables have it. */
static double moved(trained *t, size_t k, rg_effect_axis axis)
{
    const rg_statement *s = rg_explainer_statement(t->explainer, k);
    const rg_statement_weight *w = rg_explainer_weights(t->explainer, k);
    size_t n = rg_dataset_n_graphs(t->data);
    double *with = predict(t, axis), sum = 0;
    for (uint32_t p = 0; p < s->n; p++)
        rg_model_set_weight(t->model, w[p].param, 0);
    double *without = predict(t, axis);
    for (uint32_t p = 0; p < s->n; p++)
        rg_model_set_weight(t->model, w[p].param, w[p].value);
    for (size_t g = 0; g < n; g++)
        sum += with[g] - without[g];
    free(with);
    free(without);
    return sum / (double)s->graphs;
}

static void check_sentences(const char *generator, uint32_t n_graphs)
{
    enum { STRONGEST = 50 };
    trained t = train(generator, n_graphs);
    uint32_t list[3 * STRONGEST], strongest[STRONGEST];
    size_t n = 0, wrong_weights = 0;
    ASSERT_OK(rg_explainer_measure(t.explainer, NULL, 0, err));
    for (size_t l = 0; l < rg_explainer_n_layers(t.explainer); l++) {
        size_t m;
        ASSERT_OK(rg_explainer_rank(list + n, &m, t.explainer, l, false, RG_BY_CONTRIBUTION,
                                    STRONGEST, err));
        n += m;
    }
    assert_true(n >= STRONGEST);
    for (size_t k = 0; k < STRONGEST; k++) { /* of all layers together */
        size_t best = k;
        for (size_t x = k; x < n; x++)
            if (fabs(rg_explainer_statement(t.explainer, list[x])->contribution) >
                fabs(rg_explainer_statement(t.explainer, list[best])->contribution))
                best = x;
        strongest[k] = list[best];
        list[best] = list[k];
        list[k] = strongest[k];
    }
    ASSERT_OK(rg_explainer_remove(NULL, t.explainer, strongest, STRONGEST, NULL, 0, err));
    for (size_t k = 0; k < STRONGEST; k++) {
        const rg_statement *s = rg_explainer_statement(t.explainer, strongest[k]);
        rg_effect effect = rg_explainer_effect(t.explainer, strongest[k]);
        double really = moved(&t, strongest[k], effect.axis);
        assert_true(effect.measured);
        assert_false(s->removed); /* nothing was scored */
        assert_int_equal(s->occurs, s->graphs);
        assert_true(fabs(really - effect.value) < 1e-5 * (1 + fabs(really)));
        if (fabs(really) > 1e-5) {
            assert_true((really > 0) == (effect.value > 0));
            assert_true(effect.disagrees ==
                        ((s->share > 1e-6 && really < 0) || (s->share < -1e-6 && really > 0)));
        }
        wrong_weights += (s->weight > 0) != (effect.value > 0);
    }
    assert_true(wrong_weights > 0); /* or the test would not tell weights from effects */
    close_trained(&t);
}

static void the_answer_moves_as_the_sentence_says(void **state)
{
    (void)state;
    check_sentences("EvenOddRingsCount", 60); /* two classes: one axis */
    check_sentences("EvenOddRings", 60);      /* four classes */
}

static void arrows_point_where_the_rule_takes_the_answer(void **state)
{
    (void)state;
    static const size_t columns[] = {RG_COLUMN_ALL, 2};
    trained t = train("EvenOddRingsCount", 40);
    for (uint32_t g = 0; g < 5; g++) {
        rg_explain_figure *figure = NULL;
        rg_attribution a;
        rg_explain_figure_options options = {.graphs = &g,
                                             .n_graphs = 1,
                                             .columns = columns,
                                             .n_columns = 2,
                                             .layer = 0,
                                             .channel = SIZE_MAX};
        ASSERT_OK(rg_explainer_attribute(&a, t.explainer, g, err));
        ASSERT_OK(rg_explain_figure_new(&figure, t.explainer, &options, err));
        const rg_figure *f = rg_explain_figure_get(figure);
        const rg_panel *all = &f->rows[0].panels[1], *few = &f->rows[0].panels[2];
        double sum = 0, said = 0;
        for (size_t k = 0; k < all->n_arrows; k++)
            sum += all->arrows[k].weight;
        for (size_t k = 0; k < a.layers[0].n; k++)
            if (rg_explainer_statement(t.explainer, a.layers[0].shares[k].statement)->rule !=
                RG_STATEMENT_BIAS)
                said += rg_explainer_on_axis(t.explainer, rg_explainer_axis(t.explainer, 0),
                                             a.layers[0].values + k * a.n_outputs);
        assert_true(fabs(sum - said) < 1e-9 * (1 + fabs(said)));
        /* The first column: nodes add up to the answer less what is no node's; those that count are outlined. */
        const rg_panel *nodes = &f->rows[0].panels[0];
        rg_effect_axis axis = rg_explainer_axis(t.explainer, 0);
        double z = rg_explainer_on_axis(t.explainer, axis, a.z);
        double rest = rg_explainer_on_axis(t.explainer, axis, a.rest), most = 0;
        double side = a.said == axis.up ? 1 : -1;
        for (uint32_t i = 0; i < a.n_nodes; i++) {
            rest += nodes->shade[i];
            most = fmax(most, side * nodes->shade[i]);
            assert_true(fabs(nodes->shade[i]) <= f->shade_scale);
        }
        assert_true(fabs(rest - z) < 1e-9 * (1 + fabs(z)));
        for (uint32_t i = 0; i < a.n_nodes; i++)
            assert_int_equal(nodes->outlined[i], most > 0 && side * nodes->shade[i] >= most / 2);
        assert_true(few->n_arrows > 0 && few->n_arrows < all->n_arrows);
        assert_non_null(strstr(f->caption, "red towards class 1, blue towards class 0"));
        assert_non_null(strstr(all->arrows[0].text, " towards class "));
        rg_explain_figure_free(figure);
        rg_attribution_free(&a);
    }
    close_trained(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_moves_as_the_sentence_says),
        cmocka_unit_test(arrows_point_where_the_rule_takes_the_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
