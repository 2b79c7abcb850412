/* test_explain_learned.c - models of the paper learn what the paper says, and pictures show it. */
#include "support/networks.h"

#include "base/alloc.h"
#include "explain/explain_figure.h"
#include "explain/explainer.h"
#include "regula/generate.h"

#include <math.h>
#include <string.h>

/* A generated set and the paper's model of it: nine tenths for training, the rest to choose. */
typedef struct learned {
    rg_dataset *data;
    rg_model *model;
    rg_explainer *explainer;
    double score;
} learned;

static learned learn(const char *generator, const rg_generate_options *options, const char *file)
{
    learned l = {0};
    rg_recipe *recipe = NULL;
    rg_train_options how = rg_train_options_default();
    rg_train_report report = RG_TRAIN_REPORT_INIT;
    how.lanes = 4;
    ASSERT_OK(rg_dataset_generate(&l.data, rg_generator_find(generator), options, err));
    rg_source source = {.graphs = l.data};
    uint32_t n = (uint32_t)rg_dataset_n_graphs(l.data), *all = calloc(n, sizeof *all);
    assert_non_null(all);
    for (uint32_t k = 0; k < n; k++)
        all[k] = k;
    rg_fold fold = {.train = {all, n - n / 10}, .validation = {all + n - n / 10, n / 10}};
    ASSERT_OK(rg_recipe_read(&recipe, file, err));
    ASSERT_OK(rg_model_train(&l.model, &report, recipe, &source, &fold, &how, err));
    ASSERT_OK(rg_explainer_new(&l.explainer, l.model, NULL, err));
    ASSERT_OK(rg_explainer_read(l.explainer, &source, NULL, err));
    l.score = report.runs[report.best].validation_score;
    rg_recipe_free(recipe);
    free(all);
    return l;
}

static void close_learned(learned *l)
{
    rg_explainer_free(l->explainer);
    rg_model_free(l->model);
    rg_dataset_free(l->data);
}

/* ---- EvenOddRings */

static int64_t label_of(const rg_dataset *data, uint32_t graph, uint32_t node)
{
    size_t n;
    return rg_dataset_values(data, RG_NODE_LABEL, 0, &n)[rg_dataset_ranks(
        data, RG_NODE_LABEL, 0)[rg_dataset_graph(data, graph).first_node + node]];
}

/* The pair of a layer with the largest weight. */
static rg_pair_weight strongest_pair(rg_explainer *e, uint32_t graph, size_t layer)
{
    rg_pair_weights pairs;
    size_t best = 0;
    ASSERT_OK(rg_explainer_pairs(&pairs, e, graph, layer, SIZE_MAX, err));
    assert_true(pairs.n > 0);
    for (size_t k = 0; k < pairs.n; k++)
        if (fabs(pairs.pairs[k].weight) > fabs(pairs.pairs[best].weight))
            best = k;
    rg_pair_weight found = pairs.pairs[best];
    rg_pair_weights_free(&pairs);
    return found;
}

static void the_strongest_weights_of_rings_go_to_the_node_labelled_0(void **state)
{
    (void)state;
    learned l = learn("EvenOddRings", NULL, REGULA_SOURCE "/examples/paper/EvenOddRings2_16.yml");
    uint32_t list[7];
    size_t n;
    assert_true(l.score > 0.97);
    ASSERT_OK(rg_explainer_rank(list, &n, l.explainer, 1, false, RG_BY_WEIGHT, 7, err));
    assert_int_equal(n, 7);
    for (size_t k = 0; k < n; k++) {
        rg_text text = {0};
        rg_explainer_words(&text, l.explainer, list[k]);
        char *words = rg_text_take(&text);
        assert_non_null(strstr(words, " to a node labelled 0, at distance 4"));
        rg_free(words);
    }
    /* The same in most graphs: the largest weight of layer 2. In pictures an arrow of the strongest rule
     * of either colour goes there in more than half of them: effects depend on what comes in, too. */
    size_t into = 0, drawn = 0;
    enum { GRAPHS = 50 };
    for (uint32_t g = 0; g < GRAPHS; g++) {
        static const size_t columns[] = {1};
        rg_explain_figure *figure = NULL;
        rg_explain_figure_options options = {.graphs = &g,
                                             .n_graphs = 1,
                                             .columns = columns,
                                             .n_columns = 1,
                                             .layer = 1,
                                             .channel = SIZE_MAX};
        ASSERT_OK(rg_explain_figure_new(&figure, l.explainer, &options, err));
        const rg_figure *f = rg_explain_figure_get(figure);
        assert_int_equal(f->n_columns, 2);
        const rg_panel *panel = &f->rows[0].panels[1];
        assert_true(panel->n_arrows >= 2); /* the strongest of each sign */
        const rg_arrow *last = &panel->arrows[panel->n_arrows - 1];
        assert_true(fabs(last->weight) == panel->scale);
        for (size_t k = 0; k < panel->n_arrows; k++)
            if (label_of(l.data, g, panel->arrows[k].to) == 0) {
                drawn++;
                break;
            }
        rg_explain_figure_free(figure);
        into += label_of(l.data, g, strongest_pair(l.explainer, g, 1).to) == 0;
    }
    assert_true(into >= GRAPHS * 3 / 4);
    assert_true(drawn >= GRAPHS / 2);
    close_learned(&l);
}

/* ---- Snowflakes */

/* Nodes of the subgraph at the circle node with label 1, which is set to 2: circle nodes are the
 * only ones with four neighbours. */
static void mark_subgraph(uint8_t *inside, const rg_dataset *data, uint32_t graph)
{
    rg_graph g = rg_dataset_graph(data, graph);
    bool grows = true;
    for (uint32_t i = 0; i < g.n_nodes; i++)
        inside[i] = label_of(data, graph, i) == 1 ? 2 : 0;
    while (grows) {
        grows = false;
        for (uint32_t i = 0; i < g.n_nodes; i++)
            for (uint64_t a = g.row[i]; inside[i] && a < g.row[i + 1]; a++) {
                uint32_t j = g.col[a];
                if (!inside[j] && g.row[j + 1] - g.row[j] != 4)
                    inside[j] = grows = true;
            }
    }
}

/* Sums of the arrows inside the subgraph: of all, and of those at its root. */
static void weigh_subgraph(double out[2], const learned *l, uint32_t graph)
{
    rg_pair_weights pairs;
    uint8_t inside[256];
    size_t n = 0;
    ASSERT_OK(rg_explainer_pairs(&pairs, l->explainer, graph, 0, SIZE_MAX, err));
    assert_true(pairs.n_nodes <= sizeof inside);
    mark_subgraph(inside, l->data, graph);
    for (uint32_t i = 0; i < pairs.n_nodes; i++)
        n += inside[i] != 0;
    assert_int_equal(n, 15);
    out[0] = out[1] = 0;
    for (size_t k = 0; k < pairs.n; k++) {
        const rg_pair_weight *p = &pairs.pairs[k];
        if (inside[p->from] && inside[p->to])
            out[0] += p->weight;
        if ((inside[p->from] == 2 && inside[p->to]) || (inside[p->to] == 2 && inside[p->from]))
            out[1] += p->weight;
    }
    rg_pair_weights_free(&pairs);
}

static void the_four_subgraphs_of_snowflakes_have_weights_of_their_own(void **state)
{
    (void)state;
    rg_generate_options options = rg_generate_options_default();
    options.smallest = 6;
    options.largest = 8;
    options.n_graphs = 60;
    learned l = learn("Snowflakes", &options, REGULA_SOURCE "/examples/paper/Snowflakes.yml");
    const uint32_t *rank = rg_dataset_ranks(l.data, RG_CLASS, 0);
    double of_class[4][2];
    bool seen[4] = {false};
    for (uint32_t g = 0; g < rg_dataset_n_graphs(l.data); g++) {
        double weights[2];
        weigh_subgraph(weights, &l, g);
        for (size_t k = 0; k < 2; k++)
            if (!seen[rank[g]])
                of_class[rank[g]][k] = weights[k];
            else /* the same subgraph has the same arrows in every graph */
                assert_true(fabs(of_class[rank[g]][k] - weights[k]) < 1e-9);
        seen[rank[g]] = true;
    }
    for (size_t a = 0; a < 4; a++) {
        assert_true(seen[a]);
        for (size_t b = 0; b < a; b++)
            assert_true(fabs(of_class[a][0] - of_class[b][0]) > 1 ||
                        fabs(of_class[a][1] - of_class[b][1]) > 1);
    }
    close_learned(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_strongest_weights_of_rings_go_to_the_node_labelled_0),
        cmocka_unit_test(the_four_subgraphs_of_snowflakes_have_weights_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
