/* graphs.h - small graphs for tests, from adjacency matrices; and nauty's geng, where it is. */
#ifndef REGULA_TESTS_SUPPORT_GRAPHS_H
#define REGULA_TESTS_SUPPORT_GRAPHS_H

#include "base/random.h"
#include "graph/invariant.h"
#include "support.h"

#include <stdio.h>
#include <string.h>

typedef struct test_graph {
    uint32_t n;
    uint32_t *joined; /* n x n; 0: no edge, else its colour plus 1 */
    uint32_t *node;   /* colours */
    uint64_t *row;
    uint32_t *col, *arc;
} test_graph;

static inline test_graph test_graph_new(uint32_t n)
{
    size_t cells = (size_t)n * n + 1;
    test_graph g = {.n = n,
                    .joined = calloc(cells, sizeof *g.joined),
                    .node = calloc(n + 1, sizeof *g.node),
                    .row = calloc(n + 1, sizeof *g.row),
                    .col = calloc(cells, sizeof *g.col),
                    .arc = calloc(cells, sizeof *g.arc)};
    assert_true(g.joined && g.node && g.row && g.col && g.arc);
    return g;
}

static inline void test_graph_free(test_graph *g)
{
    free(g->joined);
    free(g->node);
    free(g->row);
    free(g->col);
    free(g->arc);
}

static inline void test_edge(test_graph *g, uint32_t i, uint32_t j, uint32_t colour)
{
    assert_true(i < g->n && j < g->n && i != j);
    g->joined[i * g->n + j] = g->joined[j * g->n + i] = colour + 1;
}

static inline void test_cycle(test_graph *g, uint32_t first, uint32_t length)
{
    for (uint32_t k = 0; k < length; k++)
        test_edge(g, first + k, first + (k + 1) % length, 0);
}

/* The graph with its colours; borrows from g. */
static inline rg_coloured test_view(test_graph *g)
{
    uint64_t arcs = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        for (uint32_t j = 0; j < g->n; j++) {
            if (!g->joined[i * g->n + j])
                continue;
            g->col[arcs] = j;
            g->arc[arcs++] = g->joined[i * g->n + j] - 1;
        }
        g->row[i + 1] = arcs;
    }
    return (rg_coloured){.graph = {.n_nodes = g->n, .n_arcs = arcs, .row = g->row, .col = g->col},
                         .node_colour = g->node,
                         .arc_colour = g->arc};
}

/* The same graph with node i renamed to[i]. */
static inline test_graph test_renamed(const test_graph *g, const uint32_t *to)
{
    test_graph h = test_graph_new(g->n);
    for (uint32_t i = 0; i < g->n; i++) {
        h.node[to[i]] = g->node[i];
        for (uint32_t j = 0; j < g->n; j++)
            h.joined[to[i] * g->n + to[j]] = g->joined[i * g->n + j];
    }
    return h;
}

static inline test_graph test_shuffled(const test_graph *g, uint64_t seed)
{
    uint32_t *to = calloc(g->n + 1, sizeof *to);
    assert_non_null(to);
    for (uint32_t i = 0; i < g->n; i++)
        to[i] = i;
    rg_random_shuffle(seed, 77, to, g->n);
    test_graph h = test_renamed(g, to);
    free(to);
    return h;
}

/* Every pair is an edge with probability `part`; colours below n_node and n_edge. */
static inline test_graph test_random(uint32_t n, double part, uint32_t n_node, uint32_t n_edge,
                                     uint64_t seed)
{
    test_graph g = test_graph_new(n);
    uint64_t draw = 0;
    for (uint32_t i = 0; i < n; i++) {
        g.node[i] = rg_random_below(seed, 1, i, n_node);
        for (uint32_t j = 0; j < i; j++, draw++)
            if (rg_random_unit(seed, 2, draw) < part)
                test_edge(&g, i, j, rg_random_below(seed, 3, draw, n_edge));
    }
    return g;
}

/* A line of graph6 with at most 62 nodes. */
static inline test_graph test_graph6(const char *line)
{
    uint32_t n = (uint32_t)line[0] - 63, bit = 0;
    test_graph g = test_graph_new(n);
    for (uint32_t j = 1; j < n; j++)
        for (uint32_t i = 0; i < j; i++, bit++)
            if (((unsigned)line[1 + bit / 6] - 63) >> (5 - bit % 6) & 1)
                test_edge(&g, i, j, 0);
    return g;
}

/* All graphs on n nodes, one of each kind; *count of them. NULL if there is no geng. Owned: free
 * each and the array. */
static inline test_graph *test_all_graphs(uint32_t n, size_t *count)
{
    char *command = test_format("for g in geng nauty-geng; do command -v $g >/dev/null 2>&1 && "
                                "exec $g -q %u 2>/dev/null; done; :",
                                n);
    char line[256];
    size_t capacity = 16;
    test_graph *all = calloc(capacity, sizeof *all);
    FILE *in = popen(command, "r");
    assert_true(all && in);
    *count = 0;
    while (fgets(line, sizeof line, in)) {
        if (*count == capacity) {
            all = realloc(all, (capacity *= 2) * sizeof *all);
            assert_non_null(all);
        }
        all[(*count)++] = test_graph6(line);
    }
    pclose(in);
    free(command);
    if (*count)
        return all;
    free(all);
    return NULL;
}

#endif
