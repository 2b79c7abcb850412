/* sets.h - data sets of small graphs for tests, and their labels in one call. */
#ifndef REGULA_TESTS_SUPPORT_SETS_H
#define REGULA_TESTS_SUPPORT_SETS_H

#include "graph/raw.h"
#include "graphs.h"

#include <math.h>

/* Colour c becomes the label 7 * c - 5 of a node and 3 - c of an edge: values, not ranks. */
#define NODE_VALUE(colour) (7 * (int64_t)(colour)-5)
#define EDGE_VALUE(colour) (3 - (int64_t)(colour))

/* attributes: one a node of the whole set, or NULL. Owned (rg_dataset_free). */
static inline rg_dataset *test_set_with(const test_graph *graphs, size_t n,
                                        const double *attributes)
{
    rg_raw raw = {.n_graphs = n};
    for (size_t g = 0; g < n; g++) {
        uint32_t base = (uint32_t)raw.n_nodes;
        for (uint32_t i = 0; i < graphs[g].n; i++) {
            assert_true(rg_raw_add_node(&raw, (uint32_t)g));
            *rg_int_rows_add(&raw.node_labels, 1) = NODE_VALUE(graphs[g].node[i]);
            if (attributes)
                *rg_real_rows_add(&raw.node_attributes, 1) = attributes[base + i];
        }
        for (uint32_t i = 0; i < graphs[g].n; i++)
            for (uint32_t j = 0; j < i; j++) {
                uint32_t joined = graphs[g].joined[i * graphs[g].n + j];
                if (!joined)
                    continue;
                assert_true(rg_raw_add_pair(&raw, base + i, base + j));
                *rg_int_rows_add(&raw.edge_labels, 1) = EDGE_VALUE(joined - 1);
            }
    }
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

static inline rg_dataset *test_set_of(const test_graph *graphs, size_t n)
{
    return test_set_with(graphs, n, NULL);
}

/* The first n of three graphs: a triangle 0-1-2 with a tail 2-3-4, a path of three nodes, and a
 * node for itself. Edges 2-3 and 1-2 of the path have colour 1, as have nodes 4 and 5 of the set.
 */
static inline rg_dataset *test_known_set(size_t n)
{
    test_graph graphs[] = {test_graph_new(5), test_graph_new(3), test_graph_new(1)};
    test_cycle(&graphs[0], 0, 3);
    test_edge(&graphs[0], 2, 3, 1);
    test_edge(&graphs[0], 3, 4, 0);
    test_edge(&graphs[1], 0, 1, 0);
    test_edge(&graphs[1], 1, 2, 1);
    graphs[0].node[4] = graphs[1].node[0] = 1;
    const double attributes[] = {0.5, 0.5, 1, 2, -3, NAN, 7, 8, 9};
    rg_dataset *data = test_set_with(graphs, n, attributes);
    for (size_t k = 0; k < 3; k++)
        test_graph_free(&graphs[k]);
    return data;
}

/* Small random graphs with up to max_nodes nodes, some of them empty, one node or not connected. */
static inline rg_dataset *test_random_set(size_t n, uint32_t max_nodes, uint64_t seed)
{
    test_graph *graphs = calloc(n + 1, sizeof *graphs);
    double *attributes = calloc(n * max_nodes + 1, sizeof *attributes);
    assert_true(graphs && attributes);
    for (size_t g = 0; g < n; g++)
        graphs[g] = test_random(rg_random_below(seed, 90, g, max_nodes + 1),
                                0.15 + 0.5 * rg_random_unit(seed, 91, g), 3, 2, seed * 1000 + g);
    for (size_t k = 0; k < n * max_nodes; k++)
        attributes[k] = (double)rg_random_below(seed, 92, k, 12) / 4 - 1;
    rg_dataset *data = test_set_with(graphs, n, attributes);
    for (size_t g = 0; g < n; g++)
        test_graph_free(&graphs[g]);
    free(graphs);
    free(attributes);
    return data;
}

/* One fit on everything, with its labels; both are the caller's. */
static inline rg_labeling *test_fit(rg_labels **labels, const char *spec, const rg_dataset *data)
{
    rg_labeling *labeling = NULL;
    rg_label_options options = rg_label_options_default();
    options.n_threads = 1;
    ASSERT_OK(rg_labeling_fit(&labeling, labels, spec, data, NULL, 0, &options, err));
    return labeling;
}

/* The labels of all nodes as text, "0 1 0 | 2": graphs are separated by bars. Owned (free). */
static inline char *test_labels_text(const rg_dataset *data, const rg_labels *labels)
{
    char *text =
             calloc((size_t)rg_dataset_n_nodes(data) * 12 + rg_dataset_n_graphs(data) * 3 + 1, 1),
         *at = text;
    assert_non_null(text);
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        if (g)
            at += sprintf(at, at == text || at[-1] == ' ' ? "| " : " | ");
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            at += sprintf(at, "%s%u", i ? " " : "", rg_labels_data(labels)[graph.first_node + i]);
    }
    return text;
}

#endif
