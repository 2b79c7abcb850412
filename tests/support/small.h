/* small.h - graphs made by tests: from a matrix or a list of edges, known families, random ones,
 * and every graph with a few nodes from nauty's geng. */
#ifndef REGULA_TESTS_SUPPORT_SMALL_H
#define REGULA_TESTS_SUPPORT_SMALL_H

#include "base/random.h"
#include "support.h"

#include <stdbool.h>

#include <stdio.h>
#include <string.h>

#define SMALL_MAX 64

/* Who is next to whom. */
typedef struct small {
    uint32_t n;
    bool edge[SMALL_MAX][SMALL_MAX];
} small;

static inline void small_join(small *s, uint32_t a, uint32_t b)
{
    s->edge[a][b] = s->edge[b][a] = true;
}

static inline small small_complete(uint32_t n)
{
    small s = {.n = n};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            small_join(&s, i, j);
    return s;
}

static inline small small_ring(uint32_t n)
{
    small s = {.n = n};
    for (uint32_t i = 0; i < n; i++)
        small_join(&s, i, (i + 1) % n);
    return s;
}

static inline small small_bipartite(uint32_t a, uint32_t b)
{
    small s = {.n = a + b};
    for (uint32_t i = 0; i < a; i++)
        for (uint32_t j = 0; j < b; j++)
            small_join(&s, i, a + j);
    return s;
}

static inline small small_petersen(void)
{
    small s = {.n = 10};
    for (uint32_t i = 0; i < 5; i++) {
        small_join(&s, i, (i + 1) % 5);
        small_join(&s, i, i + 5);
        small_join(&s, i + 5, (i + 2) % 5 + 5);
    }
    return s;
}

static inline small small_grid(uint32_t rows, uint32_t cols)
{
    small s = {.n = rows * cols};
    for (uint32_t i = 0; i < s.n; i++) {
        if (i % cols + 1 < cols)
            small_join(&s, i, i + 1);
        if (i + cols < s.n)
            small_join(&s, i, i + cols);
    }
    return s;
}

/* Each pair is an edge with probability percent / 100. */
static inline small small_random(uint64_t seed, uint32_t n, uint32_t percent)
{
    small s = {.n = n};
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (rg_random_below(seed, 7, i * SMALL_MAX + j, 100) < percent)
                small_join(&s, i, j);
    return s;
}

/* Node i becomes node order[i]. */
static inline small small_renumber(const small *s, const uint32_t *order)
{
    small out = {.n = s->n};
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < s->n; j++)
            out.edge[order[i]][order[j]] = s->edge[i][j];
    return out;
}

static inline void small_order(uint32_t *order, uint32_t n, uint64_t seed)
{
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    rg_random_shuffle(seed, 9, order, n);
}

/* Each node of `s` becomes up to three that are next to the same nodes and to each other. */
static inline small small_with_twins(const small *s, uint64_t seed)
{
    small out = {.n = 0};
    uint32_t from[SMALL_MAX];
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t k = 0; k <= rg_random_below(seed, 5, i, 3) && out.n < SMALL_MAX; k++)
            from[out.n++] = i;
    for (uint32_t a = 0; a < out.n; a++)
        for (uint32_t b = 0; b < a; b++)
            if (from[a] == from[b] || s->edge[from[a]][from[b]])
                small_join(&out, a, b);
    return out;
}

/* A graph of any size; owned by the test (listed_free). */
typedef struct listed {
    rg_graph graph;
    uint64_t *row;
    uint32_t *col;
} listed;

/* Edges are given once each; two passes, as lists are ascending only if `edges` is sorted by both
 * ends: they are sorted here. */
static inline int listed_compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static inline listed listed_from_edges(uint32_t n, const uint32_t (*edges)[2], size_t n_edges)
{
    listed l = {.row = calloc((size_t)n + 2, sizeof *l.row),
                .col = malloc((2 * n_edges + 1) * sizeof *l.col)};
    assert_non_null(l.row);
    assert_non_null(l.col);
    for (size_t k = 0; k < n_edges; k++) {
        l.row[edges[k][0] + 2]++;
        l.row[edges[k][1] + 2]++;
    }
    for (uint32_t i = 0; i < n; i++)
        l.row[i + 2] += l.row[i + 1];
    for (size_t k = 0; k < n_edges; k++) {
        l.col[l.row[edges[k][0] + 1]++] = edges[k][1];
        l.col[l.row[edges[k][1] + 1]++] = edges[k][0];
    }
    for (uint32_t i = 0; i < n; i++)
        qsort(l.col + l.row[i], (size_t)(l.row[i + 1] - l.row[i]), sizeof *l.col, listed_compare);
    l.graph = (rg_graph){.n_nodes = n, .n_arcs = 2 * n_edges, .row = l.row, .col = l.col};
    return l;
}

static inline listed listed_from_small(const small *s)
{
    static uint32_t edges[SMALL_MAX * SMALL_MAX][2];
    size_t n_edges = 0;
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = i + 1; j < s->n; j++)
            if (s->edge[i][j]) {
                edges[n_edges][0] = i;
                edges[n_edges++][1] = j;
            }
    return listed_from_edges(s->n, (const uint32_t(*)[2])edges, n_edges);
}

static inline void listed_free(listed *l)
{
    free(l->row);
    free(l->col);
}

/* graph6 of up to 62 nodes: bits of the upper triangle by columns, six a character. */
static inline small small_from_graph6(const char *line)
{
    small s = {.n = (uint32_t)(line[0] - 63)};
    uint32_t bit = 0;
    for (uint32_t j = 1; j < s.n; j++)
        for (uint32_t i = 0; i < j; i++, bit++)
            if ((line[1 + bit / 6] - 63) >> (5 - bit % 6) & 1)
                small_join(&s, i, j);
    return s;
}

/* Calls visit for every graph with n nodes, connected or not; how many there were (0: no geng). */
static inline size_t small_each(uint32_t n, void (*visit)(const small *s, void *context),
                                void *context)
{
    char *command = test_format("(geng -q %u || nauty-geng -q %u) 2>/dev/null", n, n);
    FILE *pipe = popen(command, "r");
    char line[64];
    size_t count = 0;
    free(command);
    assert_non_null(pipe);
    while (fgets(line, sizeof line, pipe)) {
        small s = small_from_graph6(line);
        assert_int_equal(s.n, n);
        visit(&s, context);
        count++;
    }
    pclose(pipe);
    return count;
}

#endif
