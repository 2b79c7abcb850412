/* gnns.h - small sets with classes, and message passing networks by name on them, for tests. */
#ifndef REGULA_TESTS_GNN_GNNS_H
#define REGULA_TESTS_GNN_GNNS_H

#include "baseline/baseline.h"
#include "support/graphs.h"
#include "support/trainers.h"

/* One model of every kind, small, with all that a kind can do somewhere among them. */
static const char *const gnn_models[] = {
    "{model: gin, layers: 2, width: 5}",
    "{model: gin, layers: 1, width: 4, eps: 0.25, pooling: mean, dropout: 0, features: [labels, "
    "degree]}",
    "{model: gin, layers: 1, width: 4, pooling: max, features: attributes}",
    "{model: gsn, layers: 1, width: 4}",
    "{model: graphsage, layers: 2, width: 5, aggregation: add}",
    "{model: graphsage, layers: 2, width: 5, aggregation: mean, features: [labels, attributes]}",
    "{model: graphsage, layers: 3, width: 5, aggregation: max}",
    "{model: graphsage, layers: 2, width: 5, aggregation: add, self: own}",
    "{model: graphsage, layers: 2, width: 5, aggregation: mean, self: own}",
    "{model: graphsage, layers: 2, width: 5, aggregation: max, self: own}",
    "{model: gcn, layers: 2, width: 5, dropout: 0.25}",
    "{model: gcn, layers: 1, width: 6, pooling: max, features: constant}",
    "{model: gcn, layers: 2, width: 260, features: degree}", /* wide: products in several blocks */
    "{model: graphsage, layers: 9, width: 3}", /* more rounds than colours are told in */
    "{model: dgcnn, layers: 2, width: 4, k: 11, dense: 6}",
    "{model: dgcnn, layers: 1, width: 3, k: 0.9, dense: 5}",
    "{model: dgcnn, layers: 2, width: 4, k: 12, dense: 6, sort: channels}",
    "model: message-passing\n"
    "labels: {wl: \"wl(depth=1, from=node)\"}\n"
    "layers:\n"
    "  - gin: 4\n"
    "  - rule: share wl(i), dist(i,j) when dist(i,j) in 1..2\n"
    "    bias: share wl(i)\n"
    "    activation: tanh\n"
    "    residual: true\n"
    "  - rule: share edge(i,j) when dist(i,j) in 0..1\n"
    "    mix: full\n"
    "    heads: 3\n"
    "  - dropout: 0.25\n"
    "  - graphsage: 4\n"
    "    aggregation: max\n"
    "  - norm: batch\n"
    "  - gcn: 4\n"
    "    residual: true\n"
    "  - pool: mean\n"
    "  - dense: 5\n"
    "    activation: tanh\n"
    "  - dense: auto\n",
    "model: message-passing\n"
    "features: [labels, rule]\n"
    "labels: {deg: degree}\n"
    "layers:\n"
    "  - rule: share deg(i), deg(j) when edge(i,j) or i = j\n"
    "    mix: each\n"
    "    activation: identity\n"
    "  - graphsage: 3\n"
    "    aggregation: add\n"
    "    activation: identity\n"
    "  - activation: tanh\n"
    "  - pool: max\n"
    "  - dense: auto\n",
};
enum { N_GNN_MODELS = sizeof gnn_models / sizeof *gnn_models };

/* Node labels 0 .. 2, one attribute per node, and the classes given. Owned (rg_dataset_free). */
static inline rg_dataset *gnn_dataset(const test_graph *graphs, size_t n, const int64_t *classes)
{
    rg_raw raw = {.n_graphs = 0};
    rg_dataset *data = NULL;
    for (size_t g = 0; g < n; g++) {
        test_raw_add(&raw, &graphs[g], &(test_columns){.nodes = {.step = 1}, .classes = classes});
        for (uint32_t i = 0; i < graphs[g].n; i++)
            *rg_real_rows_add(&raw.node_attributes, 1) = (i % 3) * 0.5 - (double)g / 8;
    }
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

/* n random graphs of 1 .. most nodes; the class says whether there are more edges than nodes. The
 * first graph is empty and the second one node, if `odd`. */
static inline rg_dataset *gnn_random_dataset(size_t n, uint32_t most, bool odd)
{
    test_graph *graphs = calloc(n, sizeof *graphs);
    int64_t *classes = calloc(n, sizeof *classes);
    assert_true(graphs && classes);
    for (size_t g = 0; g < n; g++) {
        uint32_t size = odd && g < 2 ? (uint32_t)g : 1 + rg_random_below(5, 1, g, most);
        uint32_t edges = 0;
        graphs[g] = test_random(size, 0.1 + 0.5 * rg_random_unit(5, 2, g), 3, 1, 700 + g);
        for (uint32_t k = 0; k < size * size; k++)
            edges += graphs[g].joined[k] != 0;
        classes[g] = edges / 2 > size;
    }
    classes[0] = 1;
    rg_dataset *data = gnn_dataset(graphs, n, classes);
    test_graphs_free(graphs, n);
    free(classes);
    return data;
}

/* Owned (rg_baseline_free). */
static inline rg_baseline *gnn_baseline(const char *model)
{
    rg_baseline *baseline = NULL;
    ASSERT_OK(rg_baseline_parse(&baseline, "model", model, strlen(model), err));
    return baseline;
}

/* The model with settings of training behind it. Owned (free). */
static inline char *gnn_with_training(const char *model, const char *training)
{
    size_t n = strlen(model);
    if (model[n - 1] == '}')
        return test_format("%.*s, training: {%s}}", (int)(n - 1), model, training);
    return test_format("%straining: {%s}\n", model, training);
}

/* The network that a model stands for. Owned (rg_recipe_free). */
static inline rg_recipe *gnn_recipe(const char *model, const char *training)
{
    char *whole = gnn_with_training(model, training);
    rg_baseline *baseline = gnn_baseline(whole);
    rg_recipe *recipe = NULL;
    ASSERT_OK(rg_baseline_recipe(&recipe, baseline, err));
    assert_non_null(recipe);
    rg_baseline_free(baseline);
    free(whole);
    return recipe;
}

/* A model in training on some graphs of a set. Ends with gnn_run_close. */
typedef struct gnn_run {
    test_network n;
    rg_trainer *trainer;
    rg_run run; /* after gnn_run_finish */
} gnn_run;

/* data, fold: kept; run: its number. */
static inline gnn_run gnn_run_open(const char *model, const char *training, const rg_dataset *data,
                                   const rg_fold *fold, uint32_t run, rg_cpu cpu)
{
    rg_recipe *recipe = gnn_recipe(model, training);
    gnn_run r = {.n = test_network_open(rg_recipe_text(recipe), data)};
    r.trainer = trainer_open(&r.n, fold, 1, run, cpu);
    rg_recipe_free(recipe);
    return r;
}

static inline void gnn_run_finish(gnn_run *r)
{
    trainer_train(r->trainer, r->n.settings.epochs);
    ASSERT_OK(rg_trainer_finish(r->trainer, &r->run, err));
}

static inline void gnn_run_close(gnn_run *r)
{
    rg_trainer_free(r->trainer);
    test_network_close(&r->n);
}

/* All of it: trained to its end. */
static inline rg_run gnn_train(const char *model, const char *training, const rg_dataset *data,
                               const rg_fold *fold)
{
    gnn_run r = gnn_run_open(model, training, data, fold, 0, rg_cpu_best());
    gnn_run_finish(&r);
    gnn_run_close(&r);
    return r.run;
}

#endif
