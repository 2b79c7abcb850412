/* gnns.h - small sets with classes, and message passing networks on them, for tests. */
#ifndef REGULA_TESTS_GNN_GNNS_H
#define REGULA_TESTS_GNN_GNNS_H

#include "gnn/gnn.h"
#include "support/graphs.h"

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
    "{model: gcn, layers: 2, width: 260, features: degree}", /* wide: by OpenBLAS */
    "{model: graphsage, layers: 9, width: 3}", /* more rounds than kinds are told in */
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

/* Node labels 0 .. 2, one attribute per node, and the classes given. graphs: as they are, or with
 * their nodes in the opposite order. Owned (rg_dataset_free). */
static inline rg_dataset *gnn_dataset(const test_graph *graphs, size_t n, const int64_t *classes,
                                      bool reversed)
{
    rg_raw raw = {.n_graphs = 0};
    rg_dataset *data = NULL;
    for (size_t g = 0; g < n; g++) {
        uint32_t size = graphs[g].n, *to = calloc((size_t)size + 1, sizeof *to);
        assert_non_null(to);
        for (uint32_t i = 0; i < size; i++)
            to[i] = reversed ? size - 1 - i : i;
        test_graph graph = test_renamed(&graphs[g], to);
        test_raw_add(&raw, &graph, &(test_columns){.nodes = {.step = 1}, .classes = classes});
        for (uint32_t i = 0; i < size; i++)
            *rg_real_rows_add(&raw.node_attributes, 1) = (to[i] % 3) * 0.5 - (double)g / 8;
        test_graph_free(&graph);
        free(to);
    }
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

/* n random graphs of 1 .. most nodes; the class says whether there are more edges than nodes. The
 * first graph is empty and the second one node, if `odd`. */
static inline rg_dataset *gnn_random_dataset(size_t n, uint32_t most, bool odd, bool reversed)
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
    rg_dataset *data = gnn_dataset(graphs, n, classes, reversed);
    test_graphs_free(graphs, n);
    free(classes);
    return data;
}

/* A model on data. Ends with test_gnn_close. */
typedef struct test_gnn {
    rg_source source;
    rg_baseline *baseline;
    rg_baseline_prepared *prepared;
} test_gnn;

static inline test_gnn test_gnn_open(const char *model, const rg_dataset *data)
{
    test_gnn m = {.source = {.graphs = data}};
    rg_baseline_options options = {.n_threads = 1};
    ASSERT_OK(rg_baseline_parse(&m.baseline, "model", model, strlen(model), err));
    ASSERT_OK(rg_baseline_prepared_new(&m.prepared, m.baseline, &m.source, &options, err));
    return m;
}

static inline void test_gnn_close(test_gnn *m)
{
    rg_baseline_prepared_free(m->prepared);
    rg_baseline_free(m->baseline);
}

/* The model with settings of training behind it. Owned (free). */
static inline char *gnn_with_training(const char *model, const char *training)
{
    size_t n = strlen(model);
    if (model[n - 1] == '}')
        return test_format("%.*s, training: {%s}}", (int)(n - 1), model, training);
    return test_format("%straining: {%s}\n", model, training);
}

#endif
