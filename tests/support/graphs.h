/* graphs.h - the one way to make small graphs and data sets of them: from edges, known families, by
 * chance, or all that nauty's geng lists. */
#ifndef REGULA_TESTS_SUPPORT_GRAPHS_H
#define REGULA_TESTS_SUPPORT_GRAPHS_H

#include "base/random.h"
#include "graph/invariant.h"
#include "graph/raw.h"
#include "support.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* One graph with colours of nodes and edges. Ends with test_graph_free. */
typedef struct test_graph {
    uint32_t n;
    uint32_t
        *joined; /* n x n; 0: no edge, else its colour plus 1. NULL: a large one of edges alone */
    uint32_t *node; /* colours */
    uint64_t *row;
    uint32_t *col, *arc;
} test_graph;

/* ---- one graph */

test_graph test_graph_new(uint32_t n); /* no edges */
void test_graph_free(test_graph *g);
/* Frees what *g was. */
void test_graph_replace(test_graph *g, test_graph other);

/* Of any size; edges are given once each, and have colour 0. */
test_graph test_graph_of_edges(uint32_t n, const uint32_t (*edges)[2], size_t n_edges);
void test_edge(test_graph *g, uint32_t i, uint32_t j, uint32_t colour);
/* Joins nodes first .. first + length - 1 to a ring. */
void test_cycle(test_graph *g, uint32_t first, uint32_t length);

static inline bool test_joined(const test_graph *g, uint32_t i, uint32_t j)
{
    return g->joined[(size_t)i * g->n + j] != 0;
}

/* The graph with its colours; borrows from g. */
rg_coloured test_view(test_graph *g);

/* ---- known families */

test_graph test_complete(uint32_t n);
test_graph test_ring(uint32_t n);
test_graph test_star(uint32_t n); /* node 0 and n - 1 leaves; of any size */
test_graph test_bipartite(uint32_t a, uint32_t b);
test_graph test_petersen(void);
test_graph test_grid(uint32_t rows, uint32_t cols);

/* ---- by chance, and from other graphs */

/* Every pair is an edge with probability `part`; colours below n_node and n_edge. */
test_graph test_random(uint32_t n, double part, uint32_t n_node, uint32_t n_edge, uint64_t seed);
/* Each node of g becomes up to three that are next to the same nodes and to each other; `most`
 * nodes at the most. */
test_graph test_with_twins(const test_graph *g, uint32_t most, uint64_t seed);
/* The same graph with node i renamed to[i]. */
test_graph test_renamed(const test_graph *g, const uint32_t *to);
test_graph test_shuffled(const test_graph *g, uint64_t seed);
/* 0 .. n-1 in an order of chance. */
void test_order(uint32_t *order, uint32_t n, uint64_t seed);

/* A line of graph6 with at most 62 nodes. */
test_graph test_graph6(const char *line);
/* All graphs on n nodes, one of each kind; *count of them. NULL if there is no geng. Ends with
 * test_graphs_free. */
test_graph *test_all_graphs(uint32_t n, size_t *count);
void test_graphs_free(test_graph *graphs, size_t n);
/* Calls visit for each of them; how many there were (0: no geng). */
size_t test_each_graph(uint32_t n, void (*visit)(test_graph *g, void *context), void *context);

/* ---- data sets */

/* The label of a colour is first + step * colour; step 0: there are no labels. */
typedef struct test_values {
    int64_t step, first;
} test_values;

/* What a data set has beside its graphs. */
typedef struct test_columns {
    test_values nodes, edges; /* labels */
    const double *attributes; /* one per node of the set; NULL: none */
    const int64_t *classes;   /* one per graph; NULL: none */
    bool edge_numbers;        /* two attributes of every edge, by chance */
} test_columns;

/* Adds one graph with the labels that the columns ask for (NULL: none). */
void test_raw_add(rg_raw *raw, const test_graph *g, const test_columns *columns);
/* Owned (rg_dataset_free). columns: NULL for none. */
rg_dataset *test_dataset(const test_graph *graphs, size_t n, const test_columns *columns);
/* A set of one graph from its edges, with one label per edge (NULL: none). Owned. */
rg_dataset *test_dataset_of_edges(uint32_t n, const uint32_t (*edges)[2], const int64_t *labels,
                                  size_t n_edges);

/* Labels that are values, not ranks: 7 * colour - 5 of a node and 3 - colour of an edge. */
#define TEST_NODE_VALUES \
    {                    \
        7, -5            \
    }
#define TEST_EDGE_VALUES \
    {                    \
        -1, 3            \
    }
#define NODE_VALUE(colour) (7 * (int64_t)(colour)-5)
#define EDGE_VALUE(colour) (3 - (int64_t)(colour))

/* A set with these labels. attributes: one per node of the set, or NULL. Owned. */
rg_dataset *test_set_with(const test_graph *graphs, size_t n, const double *attributes);
rg_dataset *test_set_of(const test_graph *graphs, size_t n);
/* The first n of three graphs: a triangle 0-1-2 with a tail 2-3-4, a path of three nodes, and a
 * node for itself. Edges 2-3 and 1-2 of the path have colour 1, as have nodes 4 and 5 of the set.
 */
rg_dataset *test_known_set(size_t n);
/* Random graphs with up to max_nodes nodes, some of them empty, one node or not connected. */
rg_dataset *test_random_set(size_t n, uint32_t max_nodes, uint64_t seed);

#endif
