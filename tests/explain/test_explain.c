/* test_explain.c - contributions that add up, removals that were measured, pairs that are there. */
#include "support/models.h"

#include "explain/explain.h"
#include "explain/explainer.h"
#include "explain/spread.h"
#include "regula/build.h"

#include <math.h>
#include <string.h>

/* ---- models of every form */

static const char *const forms[] = {
    /* the paper's: a rule layer and an aggregation */
    "preset: paper\n"
    "task: classification\n"
    "labels: {w: \"wl(depth=1, from=node)\"}\n"
    "layers:\n"
    "  - rule: share w(i), w(j), dist(i,j) when dist(i,j) in 0..2\n"
    "    bias: share w(i)\n"
    "  - aggregate: share out, w(i)\n"
    "training: {epochs: 3, batch: 8, precision: double}\n",
    /* deep: heads, residuals, gelu and relu, norm, dense layers on nodes and on the vector */
    "task: classification\n"
    "labels: {d: degree, c: cycles(max=5)}\n"
    "input: [signed, attributes]\n"
    "layers:\n"
    "  - rule: share d(i), d(j) when edge(i,j)\n"
    "    mix: full\n"
    "    heads: 4\n"
    "    activation: gelu\n"
    "  - norm: layer\n"
    "  - rule: [share c(i) when i = j, \"share d(j) when edge(i,j)\"]\n"
    "    bias: share c(i)\n"
    "    residual: true\n"
    "  - dropout: 0.5\n"
    "  - dense: 4\n"
    "    activation: leaky-relu\n"
    "    residual: true\n"
    "  - activation: relu\n"
    "  - aggregate: [share out, \"share out, c(i)\", share d(i)]\n"
    "    outputs: 5\n"
    "    by: sum\n"
    "  - dense: auto\n"
    "training: {epochs: 3, batch: 8, precision: double, lr: 0.02}\n",
};
enum { N_FORMS = sizeof forms / sizeof *forms, N_ALL = N_MODELS + N_FORMS };

/* Model k of all: those of models.h, then those above. */
static models open_model(int k)
{
    if (k < N_MODELS)
        return models_trained(k);
    models m = models_open(MODELS_CLASSES);
    rg_recipe_free(m.recipe);
    m.recipe = test_recipe(forms[k - N_MODELS]);
    ASSERT_OK(models_train(&m.model, &m, NULL, err));
    return m;
}

static rg_explainer *open_explainer(const models *m)
{
    rg_explainer *e = NULL;
    rg_predict_options options = rg_predict_options_default();
    options.n_threads = 1;
    ASSERT_OK(rg_explainer_new(&e, m->model, NULL, err));
    ASSERT_OK(rg_explainer_read(e, &m->source, &options, err));
    return e;
}

/* ---- sums */

static void near(double a, double b)
{
    if (!(fabs(a - b) <= 1e-12 * (1 + fabs(a))))
        fail_msg("%.17g is not %.17g", a, b);
}

static void adds_up(const rg_attribution *a, const rg_explainer *e)
{
    for (size_t c = 0; c < a->n_outputs; c++) {
        double nodes = a->rest[c];
        for (size_t i = 0; i < a->n_nodes; i++)
            nodes += a->nodes[i * a->n_outputs + c];
        if (a->n_nodes || !a->of_nodes)
            near(nodes, a->z[c]);
        for (size_t l = 0; l < a->n_layers; l++) {
            const rg_share_list *list = &a->layers[l];
            bool aggregate = e->net.layers[l].kind->outputs;
            for (size_t k = 0; aggregate && a->n_nodes && k < list->n; k++) /* nodes, each once */
                assert_in_range(list->shares[k].pairs, 1, a->n_nodes);
            double sum = list->dense[c] + list->bias[c] + list->later[c] + list->passed[c];
            for (size_t k = 0; k < list->n; k++)
                sum += list->values[k * a->n_outputs + c];
            if (l > e->net.last || (!a->n_nodes && l < e->net.last))
                continue; /* behind z, or on no nodes */
            near(sum, list->sum[c]);
            if (a->n_nodes)
                near(sum, a->z[c]);
        }
    }
}

static void contributions_add_up_to_the_output_at_every_layer(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_ALL; kind++) {
        models m = open_model(kind);
        rg_explainer *e = open_explainer(&m);
        for (size_t s = 0; s < 2 * m.n; s++) { /* spread over what labels describe, and not */
            rg_attribution a;
            rg_explainer_set_spread(e, s < m.n);
            ASSERT_OK(rg_explainer_attribute(&a, e, s % m.n, err));
            assert_int_equal(a.sample, s % m.n);
            adds_up(&a, e);
            rg_attribution_free(&a);
        }
        rg_explainer_free(e);
        models_close(&m);
    }
}

typedef struct model_answers {
    double outputs[64][8];
    uint32_t classes[64];
} model_answers;

static rg_status note(void *context, const rg_prediction *p, rg_error *err)
{
    model_answers *a = context;
    (void)err;
    for (size_t c = 0; c < p->n_outputs && p->n_rows == 1; c++)
        a->outputs[p->sample][c] = p->outputs[c];
    a->classes[p->sample] = p->classes && p->n_rows ? p->classes[0] : RG_NO_OUTPUT;
    return RG_OK;
}

static void outputs_are_those_of_predicting(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_ALL; kind++) {
        if (kind == MODELS_NODES)
            continue; /* means over nodes */
        models m = open_model(kind);
        rg_explainer *e = open_explainer(&m);
        model_answers said = {0};
        bool exact = m.model->precision == RG_DOUBLE;
        ASSERT_OK(rg_model_predict(m.model, &m.source, NULL, note, &said, NULL, err));
        for (size_t s = 0; s < m.n; s++) {
            rg_attribution a;
            ASSERT_OK(rg_explainer_attribute(&a, e, s, err));
            for (size_t c = 0; c < a.n_outputs; c++)
                assert_true(fabs(a.outputs[c] - said.outputs[s][c]) <=
                            (exact ? 1e-13 : 1e-5) * (1 + fabs(a.outputs[c])));
            if (m.model->net->task == RG_TASK_CLASSES)
                assert_int_equal(a.said, said.classes[s]);
            rg_attribution_free(&a);
        }
        rg_explainer_free(e);
        models_close(&m);
    }
}

/* One rule layer and an aggregation, worked out by hand from the pairs. */
static void a_one_layer_model_is_taken_apart_as_on_paper(void **state)
{
    (void)state;
    models m = open_model(N_MODELS);
    rg_explainer *e = open_explainer(&m);
    rg_explainer_set_spread(e, false);
    for (size_t s = 3; s < 8; s++) {
        rg_attribution a;
        rg_pair_weights rule, pool;
        ASSERT_OK(rg_explainer_attribute(&a, e, s, err));
        ASSERT_OK(rg_explainer_pairs(&rule, e, s, 0, SIZE_MAX, err));
        ASSERT_OK(rg_explainer_pairs(&pool, e, s, 1, SIZE_MAX, err));
        double x[64], y[64];
        rg_samples_input(e->samples, s, x);
        for (uint32_t i = 0; i < a.n_nodes; i++)
            y[i] = rule.bias[i];
        for (size_t k = 0; k < rule.n; k++)
            y[rule.pairs[k].to] += rule.pairs[k].weight * x[rule.pairs[k].from];
        for (uint32_t c = 0; c < a.n_outputs; c++) {
            double z = rg_explainer_weights(e, e->n - 1)[c].value;
            for (size_t k = 0; k < pool.n; k++) {
                uint32_t i = pool.pairs[k].from;
                double part = pool.pairs[k].weight * tanh(y[i]) / a.n_nodes;
                if (pool.pairs[k].to != c)
                    continue;
                near(a.nodes[i * a.n_outputs + c], part);
                z += part;
            }
            near(z, a.z[c]);
        }
        rg_pair_weights_free(&rule);
        rg_pair_weights_free(&pool);
        rg_attribution_free(&a);
    }
    rg_explainer_free(e);
    models_close(&m);
}

/* ---- spread over the nodes that a label describes */

/* Two triangles joined by a path of one node: 0 1 2 - 3 - 4 5 6, and an aggregation of one labeling. */
static void spread_of(double *parts, const char *labeling, uint32_t from)
{
    static const uint32_t nodes[] = {7, 7};
    static const int64_t edges[][2] = {{0, 1}, {1, 2}, {0, 2}, {2, 3}, {3, 4},
                                       {4, 5}, {5, 6}, {4, 6}, {7, 8}, {8, 9}};
    static const int64_t classes[] = {0, 1};
    rg_graph_columns columns[] = {{RG_CLASS, {classes, RG_ITEM_I64, 2, 1, 0, 0}, NULL}};
    rg_graph_arrays arrays = RG_GRAPH_ARRAYS_INIT;
    rg_dataset *data = NULL;
    rg_model *model = NULL;
    rg_explainer *e = NULL;
    rg_spread spread;
    uint32_t all[] = {0, 1};
    rg_fold fold = {.train = {all, 2}};
    arrays.n_graphs = 2;
    arrays.nodes = (rg_matrix){nodes, RG_ITEM_U32, 2, 1, 0, 0};
    arrays.edges = (rg_matrix){edges, RG_ITEM_I64, 10, 2, 0, 0};
    arrays.columns = columns;
    arrays.n_columns = 1;
    char *text = test_format("task: classification\nlabels: {a: \"%s\"}\nlayers:\n"
                             "  - aggregate: share out, a(i)\ntraining: {epochs: 1}\n",
                             labeling);
    rg_recipe *recipe = test_recipe(text);
    ASSERT_OK(rg_dataset_from_arrays(&data, &arrays, err));
    ASSERT_OK(rg_model_train(&model, NULL, recipe, &(rg_source){.graphs = data}, &fold, NULL, err));
    ASSERT_OK(rg_explainer_new(&e, model, NULL, err));
    rg_graph graph = rg_dataset_graph(data, 0);
    ASSERT_OK(rg_spread_make(&spread, e, &graph, err));
    memcpy(parts, spread.parts + (size_t)from * 7, 7 * sizeof *parts);
    rg_spread_free(&spread);
    rg_explainer_free(e);
    rg_model_free(model);
    rg_recipe_free(recipe);
    rg_dataset_free(data);
    free(text);
}

static void a_label_speaks_for_the_nodes_that_it_describes(void **state)
{
    (void)state;
    static const struct {
        const char *labeling;
        uint32_t from;
        double parts[7];
    } cases[] = {
        {"degree", 2, {0, 0, 1, 0, 0, 0, 0}},
        {"wl(depth=0, from=degree)", 2, {0, 0, 1, 0, 0, 0, 0}},
        {"wl(depth=1, from=degree)", 3, {0, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3, 0, 0}},
        {"wl(depth=2, from=degree)", 0, {0.25, 0.25, 0.25, 0.25, 0, 0, 0}},
        {"cycles(max=6)", 2, {1.0 / 3, 1.0 / 3, 1.0 / 3, 0, 0, 0, 0}},
        {"cycles(max=6)", 3, {0, 0, 0, 1, 0, 0, 0}},
        {"cycles(min=3, max=3, kind=induced)", 5, {0, 0, 0, 0, 1.0 / 3, 1.0 / 3, 1.0 / 3}},
        {"combine(degree, cycles(max=6))", 5, {0, 0, 0, 0, 1.0 / 6, 4.0 / 6, 1.0 / 6}},
        {"wl(depth=1, from=cycles(max=6))",
         3,
         {1.0 / 9, 1.0 / 9, 1.0 / 9, 3.0 / 9, 1.0 / 9, 1.0 / 9, 1.0 / 9}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double parts[7];
        spread_of(parts, cases[k].labeling, cases[k].from);
        for (size_t i = 0; i < 7; i++)
            near(parts[i], cases[k].parts[i]);
    }
}

/* ---- over all samples */

static void means_are_those_of_single_samples(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_ALL; kind++) {
        models m = open_model(kind);
        rg_explainer *e = open_explainer(&m);
        size_t n = rg_explainer_n_statements(e), width = m.model->net->n_outputs;
        double *sums = calloc(n * width + 1, sizeof *sums);
        uint64_t *graphs = calloc(n + 1, sizeof *graphs), *pairs = calloc(n + 1, sizeof *pairs);
        assert_true(sums && graphs && pairs);
        for (size_t s = 0; s < m.n; s++) {
            rg_attribution a;
            ASSERT_OK(rg_explainer_attribute(&a, e, s, err));
            for (size_t l = 0; l < a.n_layers; l++)
                for (size_t k = 0; k < a.layers[l].n; k++) {
                    uint32_t number = a.layers[l].shares[k].statement;
                    graphs[number]++;
                    pairs[number] += a.layers[l].shares[k].pairs;
                    for (size_t c = 0; c < width; c++)
                        sums[number * width + c] += a.layers[l].values[k * width + c];
                }
            rg_attribution_free(&a);
        }
        ASSERT_OK(rg_explainer_measure(e, NULL, 0, err));
        for (size_t k = 0; k < n; k++) {
            assert_int_equal(rg_explainer_statement(e, k)->graphs, graphs[k]);
            assert_int_equal(rg_explainer_statement(e, k)->pairs, pairs[k]);
            for (size_t c = 0; c < width; c++)
                near(rg_explainer_means(e, k)[c], sums[k * width + c] / (double)m.n);
        }
        free(sums);
        free(graphs);
        free(pairs);
        rg_explainer_free(e);
        models_close(&m);
    }
}

/* Of every layer with rules and every output: its pairs add up to its statements. */
static void effects_of_pairs_add_up_to_contributions(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_ALL; kind++) {
        models m = open_model(kind);
        rg_explainer *e = open_explainer(&m);
        size_t n = rg_explainer_n_statements(e);
        double *sums = calloc(n + 1, sizeof *sums);
        assert_non_null(sums);
        for (size_t s = 2; s < 6; s++) {
            rg_attribution a;
            ASSERT_OK(rg_explainer_attribute(&a, e, s, err));
            for (uint32_t c = 0; c < a.n_outputs; c++)
                for (size_t l = 0; a.n_nodes && l <= e->net.last; l++) {
                    rg_pair_weights pairs;
                    rg_effect_axis axis = rg_explainer_axis(e, c);
                    if (rg_explainer_layer(e, l).n_rules == 0)
                        continue;
                    ASSERT_OK(rg_explainer_pairs(&pairs, e, s, l, SIZE_MAX, err));
                    ASSERT_OK(rg_explainer_pair_effects(&pairs, e, s, l, axis, err));
                    memset(sums, 0, n * sizeof *sums);
                    for (size_t k = 0; k < pairs.n; k++)
                        sums[pairs.pairs[k].statement] += pairs.pairs[k].effect;
                    for (uint32_t i = 0; i < pairs.n_nodes; i++)
                        if (pairs.bias_statement[i] != RG_NO_STATEMENT)
                            sums[pairs.bias_statement[i]] += pairs.bias_effect[i];
                    for (size_t k = 0; k < a.layers[l].n; k++) {
                        uint32_t number = a.layers[l].shares[k].statement;
                        bool own = e->net.layers[l].kind->outputs &&
                                   e->statements[number].rule == RG_STATEMENT_BIAS;
                        if (!own) /* of an aggregation: no pair has it */
                            near(sums[number], rg_explainer_on_axis(
                                                   e, axis, a.layers[l].values + k * a.n_outputs));
                    }
                    rg_pair_weights_free(&pairs);
                }
            rg_attribution_free(&a);
        }
        free(sums);
        rg_explainer_free(e);
        models_close(&m);
    }
}

/* The score of a model whose weights of one statement are 0, by rg_model_evaluate. */
static double score_without(models *m, const rg_explainer *e, size_t k, rg_part part)
{
    static rg_evaluation evaluation = RG_EVALUATION_INIT;
    const rg_statement *s = rg_explainer_statement(e, k);
    const rg_statement_weight *w = rg_explainer_weights(e, k);
    rg_predict_options options = rg_predict_options_default();
    options.samples = part.graphs;
    options.n_samples = part.n;
    for (uint32_t p = 0; p < s->n; p++)
        rg_model_set_weight(m->model, w[p].param, 0);
    ASSERT_OK(rg_model_evaluate(&evaluation, m->model, &m->source, &options, err));
    for (uint32_t p = 0; p < s->n; p++)
        rg_model_set_weight(m->model, w[p].param, w[p].value);
    return m->model->net->task == RG_TASK_VALUES ? evaluation.mae : evaluation.accuracy;
}

static void removing_is_what_evaluating_without_the_weights_gives(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_ALL; kind++) {
        models m = open_model(kind);
        rg_explainer *e = open_explainer(&m);
        size_t n = rg_explainer_n_statements(e);
        rg_explain_score score;
        ASSERT_OK(rg_explainer_remove(&score, e, m.numbers, n < m.n ? n : m.n,
                                      m.fold.validation.graphs, m.fold.validation.n, err));
        assert_true(score.n > 0);
        for (size_t k = 0; k < n && k < m.n; k++) {
            double without = score_without(&m, e, k, m.fold.validation);
            const rg_statement *s = rg_explainer_statement(e, k);
            assert_true(s->removed);
            assert_true(fabs(score.score + s->removal - without) < 1e-6 * (1 + fabs(without)));
            assert_true(s->occurs <= m.fold.validation.n);
            if (!s->changed)
                assert_true(s->removal == 0);
        }
        rg_explainer_free(e);
        models_close(&m);
    }
}

/* ---- statements */

static void every_weight_of_a_rule_belongs_to_one_statement(void **state)
{
    (void)state;
    for (int kind = 0; kind < N_ALL; kind++) {
        models m = open_model(kind);
        rg_explainer *e = NULL;
        size_t n = 0;
        ASSERT_OK(rg_explainer_new(&e, m.model, NULL, err));
        bool *seen = calloc(m.model->net->n_params, sizeof *seen);
        for (size_t k = 0; k < rg_explainer_n_statements(e); k++) {
            const rg_statement *s = rg_explainer_statement(e, k);
            double most = 0;
            assert_true(s->n > 0);
            for (uint32_t p = 0; p < s->n; p++) {
                const rg_statement_weight *w = rg_explainer_weights(e, k) + p;
                assert_false(seen[w->param]);
                seen[w->param] = true;
                n++;
                assert_true(w->value == rg_model_weight(m.model, w->param));
                most = fmax(most, fabs(w->value));
            }
            assert_true(fabs(s->weight) == most);
        }
        for (size_t l = 0; l < rg_explainer_n_layers(e); l++) {
            rg_layer_facts facts = rg_explainer_layer(e, l);
            if (facts.n_rules == 0) {
                assert_int_equal(facts.n, 0);
                n += facts.n_params;
            }
        }
        assert_int_equal(n, m.model->net->n_params);
        free(seen);
        rg_explainer_free(e);
        models_close(&m);
    }
}

static void the_strongest_come_first(void **state)
{
    (void)state;
    models m = open_model(N_MODELS);
    rg_explainer *e = open_explainer(&m);
    uint32_t list[8];
    size_t n;
    ASSERT_OK(rg_explainer_rank(list, &n, e, 0, false, RG_BY_WEIGHT, 8, err));
    assert_int_equal(n, 8);
    for (size_t k = 0; k < rg_explainer_n_statements(e); k++) {
        const rg_statement *s = rg_explainer_statement(e, k);
        bool chosen = false;
        for (size_t c = 0; c < n; c++)
            chosen |= list[c] == k;
        if (s->layer == 0 && s->rule != RG_STATEMENT_BIAS && !chosen)
            assert_true(fabs(s->weight) <= fabs(rg_explainer_statement(e, list[7])->weight));
    }
    ASSERT_OK(rg_explainer_measure(e, NULL, 0, err));
    ASSERT_OK(rg_explainer_rank(list, &n, e, 0, true, RG_BY_SUPPORT, 8, err));
    for (size_t k = 1; k < n; k++) {
        const rg_statement *a = rg_explainer_statement(e, list[k - 1]);
        const rg_statement *b = rg_explainer_statement(e, list[k]);
        assert_int_equal(a->rule, RG_STATEMENT_BIAS);
        assert_true(a->graphs > b->graphs || (a->graphs == b->graphs && a->pairs >= b->pairs));
    }
    rg_explainer_free(e);
    models_close(&m);
}

/* ---- classes */

static void typical_graphs_are_right_ones_of_the_class(void **state)
{
    (void)state;
    models m = open_model(N_MODELS + 1);
    rg_explainer *e = open_explainer(&m);
    model_answers said = {0};
    ASSERT_OK(rg_model_predict(m.model, &m.source, NULL, note, &said, NULL, err));
    size_t n_all = 0;
    for (uint32_t class = 0; class < m.model->net->n_outputs; class ++) {
        rg_typical found[24];
        size_t n, n_class, n_right, of = 0, right = 0;
        ASSERT_OK(rg_explainer_typical(found, &n, &n_class, &n_right, e, class, 24, err));
        for (size_t s = 0; s < m.n; s++) {
            of += e->samples->classes[s] == class;
            right += e->samples->classes[s] == class && said.classes[s] == class;
        }
        assert_int_equal(n_class, of);
        assert_int_equal(n_right, right);
        assert_int_equal(n, right);
        for (size_t k = 0; k < n; k++) {
            assert_int_equal(said.classes[found[k].sample], class);
            assert_true(found[k].margin >= 0 && found[k].distance >= 0);
            assert_true(k == 0 || found[k - 1].distance <= found[k].distance);
        }
        n_all += n;
    }
    assert_true(n_all > 0);
    rg_explainer_free(e);
    models_close(&m);
}

static void what_separates_classes_is_a_difference_of_means(void **state)
{
    (void)state;
    models m = open_model(N_MODELS);
    rg_explainer *e = open_explainer(&m);
    size_t n_statements = rg_explainer_n_statements(e), n, width = m.model->net->n_outputs;
    rg_separation *list = calloc(n_statements, sizeof *list);
    uint64_t sizes[2];
    ASSERT_OK(rg_explainer_separate(list, &n, sizes, e, 0, 2, SIZE_MAX, n_statements, err));
    assert_true(n > 5);
    for (size_t k = 0; k < n; k++) {
        double sums[2] = {0, 0};
        uint64_t counts[2] = {0, 0}, of[2] = {0, 0};
        for (size_t s = 0; s < m.n; s++) {
            uint32_t class = e->samples->classes[s];
            rg_attribution a;
            if (class != 0 && class != 2)
                continue;
            of[class / 2]++;
            ASSERT_OK(rg_explainer_attribute(&a, e, s, err));
            for (size_t l = 0; l < a.n_layers; l++)
                for (size_t x = 0; x < a.layers[l].n; x++)
                    if (a.layers[l].shares[x].statement == list[k].statement) {
                        const double *v = a.layers[l].values + x * width;
                        counts[class / 2]++;
                        sums[class / 2] += v[0] - v[2];
                    }
            rg_attribution_free(&a);
        }
        assert_int_equal(counts[0], list[k].graphs_a);
        assert_int_equal(counts[1], list[k].graphs_b);
        assert_int_equal(of[0], sizes[0]);
        assert_int_equal(of[1], sizes[1]);
        near(list[k].mean_a, sums[0] / (double)of[0]);
        near(list[k].mean_b, sums[1] / (double)of[1]);
        if (k)
            assert_true(fabs(list[k].mean_a - list[k].mean_b) <=
                        fabs(list[k - 1].mean_a - list[k - 1].mean_b));
        if (k > 12)
            break;
    }
    free(list);
    rg_explainer_free(e);
    models_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contributions_add_up_to_the_output_at_every_layer),
        cmocka_unit_test(outputs_are_those_of_predicting),
        cmocka_unit_test(a_one_layer_model_is_taken_apart_as_on_paper),
        cmocka_unit_test(means_are_those_of_single_samples),
        cmocka_unit_test(a_label_speaks_for_the_nodes_that_it_describes),
        cmocka_unit_test(effects_of_pairs_add_up_to_contributions),
        cmocka_unit_test(removing_is_what_evaluating_without_the_weights_gives),
        cmocka_unit_test(every_weight_of_a_rule_belongs_to_one_statement),
        cmocka_unit_test(the_strongest_come_first),
        cmocka_unit_test(typical_graphs_are_right_ones_of_the_class),
        cmocka_unit_test(what_separates_classes_is_a_difference_of_means),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
