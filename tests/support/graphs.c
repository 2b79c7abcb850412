/* graphs.c - see graphs.h. */
#include "graphs.h"

#include <math.h>

enum { MATRIX_MOST = 4096 }; /* nodes; larger graphs have lists of neighbours alone */

/* ---- one graph */

static test_graph graph_with(uint32_t n, size_t n_arcs, bool matrix)
{
    test_graph g = {.n = n,
                    .joined = matrix ? calloc((size_t)n * n + 1, sizeof *g.joined) : NULL,
                    .node = calloc((size_t)n + 1, sizeof *g.node),
                    .row = calloc((size_t)n + 2, sizeof *g.row),
                    .col = calloc(n_arcs + 1, sizeof *g.col),
                    .arc = calloc(n_arcs + 1, sizeof *g.arc)};
    assert_true((g.joined || !matrix) && g.node && g.row && g.col && g.arc);
    return g;
}

test_graph test_graph_new(uint32_t n)
{
    assert_true(n <= MATRIX_MOST);
    return graph_with(n, (size_t)n * n, true);
}

void test_graph_free(test_graph *g)
{
    free(g->joined);
    free(g->node);
    free(g->row);
    free(g->col);
    free(g->arc);
}

void test_graph_replace(test_graph *g, test_graph other)
{
    test_graph_free(g);
    *g = other;
}

void test_edge(test_graph *g, uint32_t i, uint32_t j, uint32_t colour)
{
    assert_true(i < g->n && j < g->n && i != j);
    g->joined[(size_t)i * g->n + j] = g->joined[(size_t)j * g->n + i] = colour + 1;
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Counts go to row[i + 2], so that filling moves row[i + 1] to where it belongs. */
static test_graph large_graph(uint32_t n, const uint32_t (*edges)[2], size_t n_edges)
{
    test_graph g = graph_with(n, 2 * n_edges, false);
    for (size_t k = 0; k < n_edges; k++) {
        g.row[edges[k][0] + 2]++;
        g.row[edges[k][1] + 2]++;
    }
    for (uint32_t i = 0; i < n; i++)
        g.row[i + 2] += g.row[i + 1];
    for (size_t k = 0; k < n_edges; k++) {
        g.col[g.row[edges[k][0] + 1]++] = edges[k][1];
        g.col[g.row[edges[k][1] + 1]++] = edges[k][0];
    }
    for (uint32_t i = 0; i < n; i++)
        qsort(g.col + g.row[i], (size_t)(g.row[i + 1] - g.row[i]), sizeof *g.col, by_number);
    return g;
}

test_graph test_graph_of_edges(uint32_t n, const uint32_t (*edges)[2], size_t n_edges)
{
    if (n > MATRIX_MOST)
        return large_graph(n, edges, n_edges);
    test_graph g = test_graph_new(n);
    for (size_t k = 0; k < n_edges; k++)
        test_edge(&g, edges[k][0], edges[k][1], 0);
    return g;
}

void test_cycle(test_graph *g, uint32_t first, uint32_t length)
{
    for (uint32_t k = 0; k < length; k++)
        test_edge(g, first + k, first + (k + 1) % length, 0);
}

rg_coloured test_view(test_graph *g)
{
    uint64_t arcs = 0;
    for (uint32_t i = 0; g->joined && i < g->n; i++) {
        for (uint32_t j = 0; j < g->n; j++) {
            if (!test_joined(g, i, j))
                continue;
            g->col[arcs] = j;
            g->arc[arcs++] = g->joined[(size_t)i * g->n + j] - 1;
        }
        g->row[i + 1] = arcs;
    }
    return (rg_coloured){
        .graph = {.n_nodes = g->n, .n_arcs = g->row[g->n], .row = g->row, .col = g->col},
        .node_colour = g->node,
        .arc_colour = g->arc};
}

/* ---- known families */

test_graph test_complete(uint32_t n)
{
    test_graph g = test_graph_new(n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            test_edge(&g, i, j, 0);
    return g;
}

test_graph test_ring(uint32_t n)
{
    test_graph g = test_graph_new(n);
    test_cycle(&g, 0, n);
    return g;
}

test_graph test_star(uint32_t n)
{
    uint32_t(*edges)[2] = calloc((size_t)n + 1, sizeof *edges);
    assert_non_null(edges);
    for (uint32_t i = 1; i < n; i++)
        edges[i - 1][1] = i;
    test_graph g = test_graph_of_edges(n, (const uint32_t(*)[2])edges, n ? n - 1 : 0);
    free(edges);
    return g;
}

test_graph test_bipartite(uint32_t a, uint32_t b)
{
    test_graph g = test_graph_new(a + b);
    for (uint32_t i = 0; i < a; i++)
        for (uint32_t j = 0; j < b; j++)
            test_edge(&g, i, a + j, 0);
    return g;
}

test_graph test_petersen(void)
{
    test_graph g = test_graph_new(10);
    for (uint32_t i = 0; i < 5; i++) {
        test_edge(&g, i, (i + 1) % 5, 0);
        test_edge(&g, i, i + 5, 0);
        test_edge(&g, i + 5, (i + 2) % 5 + 5, 0);
    }
    return g;
}

test_graph test_grid(uint32_t rows, uint32_t cols)
{
    test_graph g = test_graph_new(rows * cols);
    for (uint32_t i = 0; i < g.n; i++) {
        if (i % cols + 1 < cols)
            test_edge(&g, i, i + 1, 0);
        if (i + cols < g.n)
            test_edge(&g, i, i + cols, 0);
    }
    return g;
}

/* ---- by chance, and from other graphs */

test_graph test_random(uint32_t n, double part, uint32_t n_node, uint32_t n_edge, uint64_t seed)
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

test_graph test_with_twins(const test_graph *g, uint32_t most, uint64_t seed)
{
    uint32_t from[MATRIX_MOST], n = 0;
    assert_true(most <= MATRIX_MOST);
    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t k = 0; k <= rg_random_below(seed, 5, i, 3) && n < most; k++)
            from[n++] = i;
    test_graph out = test_graph_new(n);
    for (uint32_t a = 0; a < n; a++)
        for (uint32_t b = 0; b < a; b++)
            if (from[a] == from[b] || test_joined(g, from[a], from[b]))
                test_edge(&out, a, b, 0);
    return out;
}

test_graph test_renamed(const test_graph *g, const uint32_t *to)
{
    test_graph h = test_graph_new(g->n);
    for (uint32_t i = 0; i < g->n; i++) {
        h.node[to[i]] = g->node[i];
        for (uint32_t j = 0; j < g->n; j++)
            h.joined[(size_t)to[i] * g->n + to[j]] = g->joined[(size_t)i * g->n + j];
    }
    return h;
}

void test_order(uint32_t *order, uint32_t n, uint64_t seed)
{
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    rg_random_shuffle(seed, 77, order, n);
}

test_graph test_shuffled(const test_graph *g, uint64_t seed)
{
    uint32_t *to = calloc((size_t)g->n + 1, sizeof *to);
    assert_non_null(to);
    test_order(to, g->n, seed);
    test_graph h = test_renamed(g, to);
    free(to);
    return h;
}

test_graph test_graph6(const char *line)
{
    uint32_t n = (uint32_t)line[0] - 63, bit = 0;
    test_graph g = test_graph_new(n);
    for (uint32_t j = 1; j < n; j++)
        for (uint32_t i = 0; i < j; i++, bit++)
            if (((unsigned)line[1 + bit / 6] - 63) >> (5 - bit % 6) & 1)
                test_edge(&g, i, j, 0);
    return g;
}

test_graph *test_all_graphs(uint32_t n, size_t *count)
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

void test_graphs_free(test_graph *graphs, size_t n)
{
    for (size_t g = 0; g < n; g++)
        test_graph_free(&graphs[g]);
    free(graphs);
}

size_t test_each_graph(uint32_t n, void (*visit)(test_graph *g, void *context), void *context)
{
    size_t count;
    test_graph *all = test_all_graphs(n, &count);
    for (size_t k = 0; k < count; k++)
        visit(&all[k], context);
    test_graphs_free(all, count);
    return count;
}

/* ---- data sets */

static void add_edge(rg_raw *raw, uint32_t i, uint32_t j, const test_columns *c, int64_t colour)
{
    assert_true(rg_raw_add_pair(raw, i, j));
    if (c->edges.step)
        *rg_int_rows_add(&raw->edge_labels, 1) = c->edges.first + c->edges.step * colour;
    double *numbers = c->edge_numbers ? rg_real_rows_add(&raw->edge_attributes, 2) : NULL;
    for (uint64_t k = 0; numbers && k < 2; k++)
        numbers[k] = (double)rg_random_below(93 + k, i, j, 9) / 4 - 1;
}

void test_raw_add(rg_raw *raw, const test_graph *g, const test_columns *columns)
{
    static const test_columns none = {.classes = NULL};
    const test_columns *c = columns ? columns : &none;
    uint32_t first = (uint32_t)raw->n_nodes, number = (uint32_t)raw->n_graphs++;
    for (uint32_t i = 0; i < g->n; i++) {
        assert_true(rg_raw_add_node(raw, number));
        if (c->nodes.step)
            *rg_int_rows_add(&raw->node_labels, 1) = c->nodes.first + c->nodes.step * g->node[i];
        if (c->attributes)
            *rg_real_rows_add(&raw->node_attributes, 1) = c->attributes[first + i];
    }
    for (uint32_t i = 0; i < g->n; i++) {
        for (uint32_t j = 0; g->joined && j < i; j++)
            if (test_joined(g, i, j))
                add_edge(raw, first + i, first + j, c,
                         (int64_t)g->joined[(size_t)i * g->n + j] - 1);
        for (uint64_t k = g->row[i]; !g->joined && k < g->row[i + 1]; k++)
            if (g->col[k] < i)
                add_edge(raw, first + i, first + g->col[k], c, 0);
    }
    if (c->classes)
        *rg_int_rows_add(&raw->classes, 1) = c->classes[number];
}

rg_dataset *test_dataset(const test_graph *graphs, size_t n, const test_columns *columns)
{
    rg_raw raw = {.n_graphs = 0};
    rg_dataset *data = NULL;
    for (size_t g = 0; g < n; g++)
        test_raw_add(&raw, &graphs[g], columns);
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

rg_dataset *test_dataset_of_edges(uint32_t n, const uint32_t (*edges)[2], const int64_t *labels,
                                  size_t n_edges)
{
    rg_raw raw = {.n_graphs = 1};
    rg_dataset *data = NULL;
    for (uint32_t i = 0; i < n; i++)
        assert_true(rg_raw_add_node(&raw, 0));
    for (size_t k = 0; k < n_edges; k++)
        add_edge(&raw, edges[k][0], edges[k][1], &(test_columns){.edges = {.step = labels != NULL}},
                 labels ? labels[k] : 0);
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

rg_dataset *test_set_with(const test_graph *graphs, size_t n, const double *attributes)
{
    return test_dataset(graphs, n,
                        &(test_columns){.nodes = TEST_NODE_VALUES,
                                        .edges = TEST_EDGE_VALUES,
                                        .attributes = attributes});
}

rg_dataset *test_set_of(const test_graph *graphs, size_t n)
{
    return test_set_with(graphs, n, NULL);
}

rg_dataset *test_known_set(size_t n)
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

rg_dataset *test_random_set(size_t n, uint32_t max_nodes, uint64_t seed)
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
    test_graphs_free(graphs, n);
    free(attributes);
    return data;
}
