/* test_kernel_counts.c - what kernels count, and their matrices: known answers, slow twins, and
 * that neither the order of nodes nor the number of threads matters. */
/* threads */
#include "base/alloc.h"
#include "kernel/gram.h"
#include "support/graphs.h"

#include <math.h>
#include <stdio.h>

typedef enum counted_kernel {
    ROUNDS,
    ROUNDS_WITH_EDGES,
    ASSIGNMENT,
    PATHS,
    LABELS,
    RINGS
} counted_kernel;
enum { DEPTH = 3, N_COUNTED = RINGS + 1 };

static const char *const rings = "pattern(edge, path(3), triangle, cycle(4), star(3), clique(4))";

static rg_count_options count_options(unsigned n_threads)
{
    rg_count_options options = {.label = rg_label_options_default()};
    options.label.n_threads = n_threads;
    return options;
}

static rg_status gram_of(rg_gram *out, const rg_dataset *data, counted_kernel kind, bool normalise,
                         const rg_count_options *options, rg_error *err)
{
    rg_counts *layers[DEPTH + 1] = {NULL};
    size_t n = kind <= ASSIGNMENT ? DEPTH + 1 : 1;
    rg_gram_options wanted = {.kind = kind == ASSIGNMENT ? RG_GRAM_MINIMUM
                                      : kind == LABELS   ? RG_GRAM_DISTANCE
                                                         : RG_GRAM_PRODUCT,
                              .normalise = normalise,
                              .n_threads = options->label.n_threads,
                              .name = "toy"};
    rg_status status =
        kind <= ASSIGNMENT
            ? rg_counts_wl(layers, DEPTH, kind == ROUNDS_WITH_EDGES, data, options, err)
        : kind == PATHS  ? rg_counts_paths(layers, 0, data, options, err)
        : kind == LABELS ? rg_counts_labels(layers, data, options, err)
                         : rg_counts_structures(layers, rings, false, data, options, err);
    if (!status)
        status = rg_gram_new(out, layers, n, &wanted, err);
    for (size_t l = 0; l <= DEPTH; l++)
        rg_counts_free(layers[l]);
    return status;
}

static rg_gram gram(const rg_dataset *data, counted_kernel kind, bool normalise, unsigned n_threads)
{
    rg_gram out = {.block = NULL};
    rg_count_options options = count_options(n_threads);
    ASSERT_OK(gram_of(&out, data, kind, normalise, &options, err));
    return out;
}

static double at(const rg_gram *g, size_t x, size_t y)
{
    return (double)g->values[x * g->stride + y];
}

/* ---- known answers */

/* test_known_set: a triangle 0-1-2 with a tail 2-3-4, a path of three nodes, a node alone; node 4
 * of the first and node 0 of the second have label B, all others A. */
static void matrices_are_what_the_definitions_say(void **state)
{
    (void)state;
    rg_dataset *data = test_known_set(3);
    static const struct {
        counted_kernel kind;
        double values[3][3];
    } cases[] = {
        /* Shortest paths. First: AA1 x4 (three of the triangle, 2-3), AA2 x2, AB1, AB2, AB3 x2;
         * second: AB1, AA1, AB2; the third has none. */
        {PATHS, {{16 + 4 + 1 + 1 + 4, 1 + 4 + 1, 0}, {6, 3, 0}, {0, 0, 0}}},
        /* Node labels A, B, then edge labels (3 of colour 0, 2 of colour 1): 4 1 4 1; 2 1 1 1; 1 0
         * 0 0: squared distances */
        {LABELS, {{0, 4 + 0 + 9 + 0, 9 + 1 + 16 + 1}, {13, 0, 1 + 1 + 1 + 1}, {27, 4, 0}}},
        /* Edges 5, paths of three that are induced 3 (0-2-3, 1-2-3, 2-3-4), one triangle; second: 2
         * and 1. No star, for two of its leaves would be joined. */
        {RINGS, {{25 + 9 + 1, 10 + 3, 0}, {13, 5, 0}, {0, 0, 0}}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_gram g = gram(data, cases[k].kind, false, 1);
        for (size_t x = 0; x < 3; x++)
            for (size_t y = 0; y < 3; y++)
                if (at(&g, x, y) != cases[k].values[x][y])
                    fail_msg("case %zu: K(%zu, %zu) = %g, expected %g", k, x, y, at(&g, x, y),
                             cases[k].values[x][y]);
        rg_gram_free(&g);
    }
    rg_gram g = gram(data, ROUNDS, false, 1);
    /* A graph of one node has the same class in round 0 as all nodes A, and is alone from then on.
     */
    assert_true(at(&g, 2, 2) == 4 && at(&g, 2, 0) == 4 && at(&g, 2, 1) == 2);
    rg_gram_free(&g);
    rg_dataset_free(data);
}

static void counts_may_be_logarithms(void **state)
{
    (void)state;
    rg_dataset *data = test_known_set(2);
    rg_counts *counts = NULL;
    rg_count_options options = count_options(1);
    ASSERT_OK(
        rg_counts_structures(&counts, "cycles(kind=simple, max=5)", true, data, &options, err));
    assert_int_equal(counts->row[1], 1);
    assert_int_equal(counts->row[2], 1);
    assert_true(fabs(counts->count[0] - log(2)) < 1e-15);
    rg_counts_free(counts);
    rg_dataset_free(data);
}

static void a_graph_without_features_is_like_no_other(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(12, 5, 7); /* some have no nodes */
    for (int kind = 0; kind < N_COUNTED; kind++) {
        if (kind == LABELS)
            continue;
        rg_gram plain = gram(data, (counted_kernel)kind, false, 1),
                g = gram(data, (counted_kernel)kind, true, 1);
        for (size_t x = 0; x < g.n; x++) {
            bool empty = at(&plain, x, x) == 0;
            assert_true(at(&g, x, x) == (empty ? 0 : 1));
            for (size_t y = 0; y < g.n; y++) {
                double both = at(&plain, x, x) * at(&plain, y, y);
                double expected = both > 0 ? at(&plain, x, y) / sqrt(both) : 0;
                assert_true(fabs(at(&g, x, y) - expected) < 1e-7);
                assert_true(at(&g, x, y) == at(&g, y, x) && at(&g, x, y) >= 0);
            }
            for (size_t y = g.n; y < g.stride; y++)
                assert_true(at(&g, x, y) == 0);
        }
        rg_gram_free(&plain);
        rg_gram_free(&g);
    }
    rg_dataset_free(data);
}

/* ---- twins */

/* The tree that is seen from a node within `depth`, as text; children sorted. Owned (free). */
static char *tree_of(const rg_dataset *data, size_t g, uint32_t node, unsigned depth, bool edges);

static int compare_texts(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *children_of(const rg_dataset *data, size_t g, uint32_t node, unsigned depth,
                         bool edges)
{
    rg_graph graph = rg_dataset_graph(data, g);
    char *texts[64], *all = test_format("%s", "");
    size_t n = 0;
    for (uint64_t k = graph.row[node]; k < graph.row[node + 1]; k++) {
        char *below = tree_of(data, g, graph.col[k], depth - 1, edges);
        uint32_t bond = edges ? rg_dataset_ranks(data, RG_EDGE_LABEL, 0)[k] : 0;
        assert_true(n < 64);
        texts[n++] = test_format("[%u%s]", bond, below);
        free(below);
    }
    qsort(texts, n, sizeof *texts, compare_texts);
    for (size_t k = 0; k < n; k++) {
        char *longer = test_format("%s%s", all, texts[k]);
        free(all);
        free(texts[k]);
        all = longer;
    }
    return all;
}

static char *tree_of(const rg_dataset *data, size_t g, uint32_t node, unsigned depth, bool edges)
{
    rg_graph graph = rg_dataset_graph(data, g);
    uint32_t label = rg_dataset_ranks(data, RG_NODE_LABEL, 0)[graph.first_node + node];
    if (depth == 0)
        return test_format("%u", label);
    char *below = children_of(data, g, node, depth, edges),
         *own = tree_of(data, g, node, depth - 1, edges), *all = test_format("%s(%s)", own, below);
    free(below);
    free(own);
    return all;
}

/* Pairs of equal trees; or trees that can be assigned to an equal one of the other graph, each
 * once. */
static double compare_rounds(const rg_dataset *data, size_t x, size_t y, counted_kernel kind)
{
    uint32_t n = rg_dataset_graph(data, x).n_nodes, m = rg_dataset_graph(data, y).n_nodes;
    double sum = 0;
    for (unsigned depth = 0; depth <= DEPTH; depth++) {
        bool taken[64] = {false};
        for (uint32_t i = 0; i < n; i++) {
            char *own = tree_of(data, x, i, depth, kind == ROUNDS_WITH_EDGES);
            bool assigned = false;
            for (uint32_t j = 0; j < m; j++) {
                char *other = tree_of(data, y, j, depth, kind == ROUNDS_WITH_EDGES);
                bool equal = strcmp(own, other) == 0;
                free(other);
                if (kind != ASSIGNMENT)
                    sum += equal;
                else if (equal && !assigned && !taken[j])
                    sum += assigned = taken[j] = true;
            }
            free(own);
        }
    }
    return sum;
}

/* Floyd and Warshall; 99: no path. */
static void distances(unsigned d[16][16], const rg_graph *graph)
{
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        for (uint32_t j = 0; j < graph->n_nodes; j++)
            d[i][j] = i == j ? 0 : 99;
    for (uint32_t i = 0; i < graph->n_nodes; i++)
        for (uint64_t k = graph->row[i]; k < graph->row[i + 1]; k++)
            d[i][graph->col[k]] = 1;
    for (uint32_t k = 0; k < graph->n_nodes; k++)
        for (uint32_t i = 0; i < graph->n_nodes; i++)
            for (uint32_t j = 0; j < graph->n_nodes; j++)
                if (d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
}

static double compare_paths(const rg_dataset *data, size_t x, size_t y)
{
    rg_graph a = rg_dataset_graph(data, x), b = rg_dataset_graph(data, y);
    const uint32_t *labels = rg_dataset_ranks(data, RG_NODE_LABEL, 0);
    const uint32_t *la = labels + a.first_node, *lb = labels + b.first_node;
    unsigned da[16][16], db[16][16];
    double sum = 0;
    distances(da, &a);
    distances(db, &b);
    for (uint32_t i = 0; i < a.n_nodes; i++)
        for (uint32_t j = 0; j < i; j++)
            for (uint32_t k = 0; k < b.n_nodes; k++)
                for (uint32_t l = 0; l < k; l++) {
                    bool same =
                        (la[i] == lb[k] && la[j] == lb[l]) || (la[i] == lb[l] && la[j] == lb[k]);
                    sum += same && da[i][j] < 99 && da[i][j] == db[k][l];
                }
    return sum;
}

static void matrices_are_those_of_slow_twins(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 4; seed++) {
        rg_dataset *data = test_random_set(9, 8, 20 + seed);
        for (int kind = ROUNDS; kind <= PATHS; kind++) {
            rg_gram g = gram(data, (counted_kernel)kind, false, 1);
            for (size_t x = 0; x < g.n; x++)
                for (size_t y = 0; y <= x; y++) {
                    double expected = kind == PATHS
                                          ? compare_paths(data, x, y)
                                          : compare_rounds(data, x, y, (counted_kernel)kind);
                    if (at(&g, x, y) != expected)
                        fail_msg("seed %d, kind %d: K(%zu, %zu) = %g, expected %g", (int)seed, kind,
                                 x, y, at(&g, x, y), expected);
                }
            rg_gram_free(&g);
        }
        rg_dataset_free(data);
    }
}

/* Paths that are longer than allowed do not count. */
static void long_paths_can_be_left_out(void **state)
{
    (void)state;
    rg_dataset *data = test_known_set(1);
    for (uint32_t most = 1; most <= 4; most++) {
        static const double pairs[] = {0, 5, 8, 10, 10}; /* up to that distance */
        rg_counts *counts = NULL;
        rg_count_options options = count_options(1);
        options.labels = "trivial";
        double sum = 0;
        ASSERT_OK(rg_counts_paths(&counts, most, data, &options, err));
        for (uint64_t k = 0; k < counts->row[1]; k++)
            sum += counts->count[k];
        assert_true(sum == pairs[most]);
        rg_counts_free(counts);
    }
    rg_dataset_free(data);
}

/* ---- what must not matter */

static void neither_the_order_of_nodes_nor_the_number_of_threads_matters(void **state)
{
    (void)state;
    enum { N = 14 };
    test_graph graphs[N], others[N];
    for (size_t k = 0; k < N; k++) {
        graphs[k] = test_random((uint32_t)k, 0.3, 3, 2, k);
        others[k] = test_shuffled(&graphs[k], k + 100);
    }
    rg_dataset *data = test_set_of(graphs, N), *shuffled = test_set_of(others, N);
    for (int kind = 0; kind < N_COUNTED; kind++) {
        rg_gram one = gram(data, (counted_kernel)kind, kind != LABELS, 1);
        for (unsigned n_threads = 1; n_threads <= 4; n_threads++) {
            rg_gram g = gram(n_threads % 2 ? shuffled : data, (counted_kernel)kind, kind != LABELS,
                             n_threads);
            assert_memory_equal(g.values, one.values, g.n * g.stride * sizeof *g.values);
            rg_gram_free(&g);
        }
        rg_gram_free(&one);
    }
    rg_dataset_free(data);
    rg_dataset_free(shuffled);
    for (size_t k = 0; k < N; k++) {
        test_graph_free(&graphs[k]);
        test_graph_free(&others[k]);
    }
}

/* Gauss without exchanging rows: no pivot of a kernel matrix is below zero. */
static void matrices_of_kernels_have_no_negative_direction(void **state)
{
    (void)state;
    enum { N = 40 };
    rg_dataset *data = test_random_set(N, 9, 3);
    for (int kind = 0; kind < N_COUNTED; kind++) {
        static double a[N][N];
        if (kind == LABELS)
            continue;
        rg_gram g = gram(data, (counted_kernel)kind, true, 1);
        for (size_t x = 0; x < N; x++)
            for (size_t y = 0; y < N; y++)
                a[x][y] = at(&g, x, y) + (x == y ? 1e-5 : 0); /* room for rounding to float */
        for (size_t k = 0; k < N; k++) {
            assert_true(a[k][k] > 0);
            for (size_t x = k + 1; x < N; x++)
                for (size_t y = k + 1; y < N; y++)
                    a[x][y] -= a[x][k] * a[k][y] / a[k][k];
        }
        rg_gram_free(&g);
    }
    rg_dataset_free(data);
}

static void labelings_are_fitted_on_what_is_said(void **state)
{
    (void)state;
    rg_dataset *data = test_known_set(3);
    rg_counts *counts = NULL, *layers[1] = {NULL};
    rg_count_options options = count_options(1);
    const uint32_t last[] = {2}; /* the node alone: label A, no edges */
    options.fit = last;
    options.n_fit = 1;
    ASSERT_OK(rg_counts_labels(&counts, data, &options, err));
    assert_int_equal(counts->n_features, 1);
    assert_true(counts->row[3] == 3 && counts->count[0] == 4 && counts->count[1] == 2);
    rg_counts_free(counts);
    options.labels = "node"; /* B was never seen: it is the label "unseen", but still a label */
    ASSERT_OK(rg_counts_wl(layers, 0, false, data, &options, err));
    assert_int_equal(layers[0]->n_features, 2);
    assert_int_equal(layers[0]->row[1], 2);
    rg_counts_free(layers[0]);
    rg_dataset_free(data);
}

/* ---- what goes wrong */

static void too_much_is_refused(void **state)
{
    (void)state;
    rg_dataset *data = test_known_set(3);
    rg_counts *counts = NULL, *layers[2] = {NULL};
    rg_count_options options = count_options(1);
    rg_error why = {""};
    rg_gram out = {.block = NULL};
    rg_gram_options wanted = {.n_threads = 1, .memory = 100, .name = "toy"};
    ASSERT_OK(rg_counts_labels(&counts, data, &options, err));
    assert_int_equal(rg_gram_new(&out, &counts, 1, &wanted, &why), RG_EFAIL);
    assert_string_equal(
        why.message,
        "'toy': the kernel matrix of 3 graphs takes 0 MB, expected at most the limit of 0 MB");
    assert_null(out.block);
    assert_true(rg_gram_bytes(SIZE_MAX / 4) == UINT64_MAX);
    rg_counts_free(counts);
    counts = NULL;
    options.label.budget = 1;
    assert_int_equal(rg_counts_structures(&counts, "cycles(max=9)", false, data, &options, &why),
                     RG_EDATA);
    assert_non_null(strstr(why.message, "takes more than 1 steps in 1 of 3 graphs"));
    assert_non_null(strstr(why.message, "'counts' with smaller structures; a larger 'budget'"));
    assert_int_equal(rg_counts_structures(&counts, "degree", false, data, &options, &why),
                     RG_EUSAGE);
    assert_string_equal(why.message, "found 'degree', expected walks, cycles, cliques or pattern");
    options.labels = "attribute(7)";
    assert_int_equal(rg_counts_wl(layers, 1, false, data, &options, &why), RG_EDATA);
    assert_null(layers[0]);
    assert_null(layers[1]);
    rg_dataset_free(data);
}

/* The largest max that a message offers is within the budget, and the next one is not. */
static void structures_over_the_budget_say_what_is_within(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(12, 8, 7);
    rg_count_options options = count_options(1);
    size_t n_told = 0;
    for (options.label.budget = 16; options.label.budget < 1 << 20; options.label.budget *= 2)
        for (int cliques = 0; cliques < 2; cliques++) {
            const char *word = cliques ? "cliques" : "cycles", *place;
            char *largest = test_format("%s(max=%d)", word, cliques ? 6 : 8);
            rg_counts *counts = NULL;
            rg_error why = {""};
            unsigned max = 0;
            rg_status status = rg_counts_structures(&counts, largest, false, data, &options, &why);
            rg_counts_free(counts);
            counts = NULL;
            free(largest);
            if (!status || !(place = strstr(why.message, "with max=")))
                continue;
            assert_int_equal(sscanf(place, "with max=%u, which is within it", &max), 1);
            char *fits = test_format("%s(max=%u)", word, max);
            char *next = test_format("%s(max=%u)", word, max + 1);
            ASSERT_OK(rg_counts_structures(&counts, fits, false, data, &options, err));
            rg_counts_free(counts);
            counts = NULL;
            assert_int_equal(rg_counts_structures(&counts, next, false, data, &options, &why),
                             RG_EDATA);
            free(fits);
            free(next);
            n_told++;
        }
    assert_true(n_told > 2);
    rg_dataset_free(data);
}

typedef struct gram_sweep {
    const rg_dataset *data;
    counted_kernel kind;
} gram_sweep;

static rg_status gram_once(void *context, rg_error *err)
{
    const gram_sweep *a = context;
    rg_count_options options = count_options(1);
    rg_gram g = {.block = NULL};
    rg_status status = gram_of(&g, a->data, a->kind, true, &options, err);
    rg_gram_free(&g);
    return status;
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(6, 6, 5);
    for (int kind = 0; kind < N_COUNTED; kind++) {
        gram_sweep a = {data, (counted_kernel)kind};
        assert_true(test_allocation_sweep(gram_once, &a) > 5);
    }
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matrices_are_what_the_definitions_say),
        cmocka_unit_test(counts_may_be_logarithms),
        cmocka_unit_test(a_graph_without_features_is_like_no_other),
        cmocka_unit_test(matrices_are_those_of_slow_twins),
        cmocka_unit_test(long_paths_can_be_left_out),
        cmocka_unit_test(neither_the_order_of_nodes_nor_the_number_of_threads_matters),
        cmocka_unit_test(matrices_of_kernels_have_no_negative_direction),
        cmocka_unit_test(labelings_are_fitted_on_what_is_said),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(structures_over_the_budget_say_what_is_within),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
