/* test_cycles_large.c - cycles in graphs that are dense, long or many: what is exact, what is
 * capped. */
#include "support/graphs.h"

#include "count/count.h"

enum { PLENTY = 1 << 30 };

/* A ring whose nodes are cliques of `each` nodes, all joined to the next. */
static bool ring_of(uint32_t i, uint32_t j, uint32_t length, uint32_t each)
{
    uint32_t step = j / each - i / each; /* i < j */
    return step <= 1 || step == length - 1;
}

static bool eight_times_thirty(uint32_t i, uint32_t j, uint32_t n)
{
    (void)n;
    return ring_of(i, j, 8, 30);
}

static bool ten_times_hundred_fifty(uint32_t i, uint32_t j, uint32_t n)
{
    (void)n;
    return ring_of(i, j, 10, 150);
}

static test_graph large(uint32_t n, bool (*joined)(uint32_t i, uint32_t j, uint32_t n))
{
    test_graph g = test_graph_new(n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++)
            if (joined(i, j, n))
                test_edge(&g, i, j, 0);
    return g;
}

static void rings_of_twins_are_products_and_capped_where_they_do_not_fit(void **state)
{
    (void)state;
    static int64_t out[1500 * 8];
    const uint64_t budget = (uint64_t)1 << 34;
    rg_count_space *space = rg_count_space_new();
    bool capped = true;
    test_graph l = large(240, eight_times_thirty);
    rg_graph graph = test_view(&l).graph;
    ASSERT_OK(rg_count_cycles(out, &graph, 3, 10, true, budget, &capped, space, err));
    assert_false(capped);
    /* all in one clique, or split two and one over neighbours: 29 29, and two sides of 30 */
    assert_int_equal(out[0], 29 * 28 / 2 + 2 * 29 * 30 + 2 * 30 * 29 / 2);
    assert_int_equal(out[1], 0);
    assert_true(out[5] == (int64_t)30 * 30 * 30 * 30 * 30 * 30 * 30);
    test_graph_free(&l);
    l = large(1500, ten_times_hundred_fifty);
    graph = test_view(&l).graph;
    ASSERT_OK(rg_count_cycles(out, &graph, 3, 10, true, budget, &capped, space, err));
    assert_true(capped); /* 150^9 > 2^62 */
    assert_int_equal(out[1], 0);
    assert_true(out[6] == 0 && out[7] == RG_CAPPED && out[8 * 1499 + 7] == RG_CAPPED);
    test_graph_free(&l);
    rg_count_space_free(space);
}

static void dense_graphs_are_capped_at_once_and_short_cycles_stay(void **state)
{
    (void)state;
    const uint64_t budget = (uint64_t)1 << 34;
    static int64_t out[200 * 8];
    rg_count_space *space = rg_count_space_new();
    bool capped = false;
    test_graph complete = test_complete(200), bipartite = test_bipartite(60, 60);
    rg_graph k200 = test_view(&complete).graph, k60 = test_view(&bipartite).graph;
    ASSERT_OK(rg_count_cycles(out, &k200, 3, 10, false, budget, &capped, space, err));
    assert_true(capped);
    assert_int_equal(out[8], 199 * 198 / 2);
    assert_int_equal(out[9], 199 * 198 / 2 * 197);
    assert_int_equal(out[10], (int64_t)199 * 198 / 2 * 197 * 196);
    assert_true(out[11] == RG_CAPPED && out[15] == RG_CAPPED);
    ASSERT_OK(rg_count_cycles(out, &k200, 3, 10, true, budget, &capped, space, err));
    assert_false(capped); /* no two nodes apart: nothing to search */
    assert_int_equal(out[0], 199 * 198 / 2);
    assert_int_equal(out[3], 0);
    ASSERT_OK(rg_count_cycles(out, &k60, 3, 10, false, budget, &capped, space, err));
    assert_true(capped);
    assert_int_equal(out[1], 60 * 59 / 2 * 59);
    assert_int_equal(out[2], 0);
    assert_true(out[3] == RG_CAPPED);
    ASSERT_OK(rg_count_cycles(out, &k60, 3, 10, true, budget, &capped, space, err));
    assert_int_equal(out[1], 60 * 59 / 2 * 59);
    assert_int_equal(out[2], 0);
    test_graph_free(&complete);
    test_graph_free(&bipartite);
    rg_count_space_free(space);
}

static void long_paths_and_rings_need_no_deep_stack(void **state)
{
    (void)state;
    enum { N = 100000, DIMS = 62 };
    uint32_t(*edges)[2] = malloc(2 * N * sizeof *edges);
    int64_t *out = malloc((size_t)N * DIMS * sizeof *out);
    assert_non_null(edges);
    assert_non_null(out);
    for (uint32_t i = 0; i < N; i++) {
        edges[i][0] = i;
        edges[i][1] = (i + 1) % N;
    }
    /* then half of a wheel: triangles that all meet in node 0 */
    for (uint32_t i = 1; i + 1 < N; i += 2) {
        edges[N + i / 2][0] = i;
        edges[N + i / 2][1] = i + 1;
    }
    rg_count_space *space = rg_count_space_new();
    for (int ring = 0; ring < 2; ring++) {
        test_graph l = test_graph_of_edges(N, (const uint32_t(*)[2])edges, N - 1 + (size_t)ring);
        rg_graph graph = test_view(&l).graph;
        for (int induced = 0; induced < 2; induced++) {
            bool capped = true;
            ASSERT_OK(rg_count_cycles(out, &graph, 3, 64, induced, PLENTY, &capped, space, err));
            assert_false(capped);
            for (size_t k = 0; k < (size_t)N * DIMS; k++)
                assert_true(out[k] == 0);
        }
        test_graph_free(&l);
    }
    for (uint32_t i = 1; i < N; i++) {
        edges[i][0] = 0;
        edges[i][1] = i;
    }
    test_graph l = test_graph_of_edges(N, (const uint32_t(*)[2])(edges + 1), N - 1 + (N - 1) / 2);
    rg_graph graph = test_view(&l).graph;
    bool capped = true;
    ASSERT_OK(rg_count_cycles(out, &graph, 3, 4, false, PLENTY, &capped, space, err));
    assert_false(capped);
    assert_int_equal(out[0], (N - 1) / 2);
    assert_int_equal(out[1], 0);
    assert_int_equal(out[2], 1);
    test_graph_free(&l);
    free(edges);
    free(out);
    rg_count_space_free(space);
}

static size_t vector_bytes;

static int compare_vectors(const void *a, const void *b)
{
    return memcmp(a, b, vector_bytes);
}

/* Numbers of different count vectors, found by other programs. */
static void data_sets_have_as_many_vectors_as_others_found(void **state)
{
    (void)state;
    const struct {
        const char *name;
        uint32_t max;
        bool induced;
        size_t expected;
    } cases[] = {
        {"DHFR.zip", 10, false, 37}, {"CSL.zip", 10, false, 10}, {"IMDB-BINARY.zip", 5, true, 487}};
    size_t n_done = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *path = test_data(cases[k].name);
        if (!path)
            continue;
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
        free(path);
        size_t dims = cases[k].max - 2, n_nodes = (size_t)rg_dataset_n_nodes(data), n = 1;
        int64_t *out = malloc(n_nodes * dims * sizeof *out);
        rg_count_space *space = rg_count_space_new();
        assert_non_null(out);
        for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
            rg_graph graph = rg_dataset_graph(data, g);
            bool capped = true;
            ASSERT_OK(rg_count_cycles(out + graph.first_node * dims, &graph, 3, cases[k].max,
                                      cases[k].induced, rg_label_options_default().budget, &capped,
                                      space, err));
            assert_false(capped);
        }
        vector_bytes = dims * sizeof *out;
        qsort(out, n_nodes, vector_bytes, compare_vectors);
        for (size_t i = 1; i < n_nodes; i++)
            n += memcmp(out + i * dims, out + (i - 1) * dims, vector_bytes) != 0;
        if (n != cases[k].expected)
            fail_msg("%s: %zu vectors, expected %zu", cases[k].name, n, cases[k].expected);
        n_done++;
        free(out);
        rg_count_space_free(space);
        rg_dataset_free(data);
    }
    if (!n_done)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_of_twins_are_products_and_capped_where_they_do_not_fit),
        cmocka_unit_test(dense_graphs_are_capped_at_once_and_short_cycles_stay),
        cmocka_unit_test(long_paths_and_rings_need_no_deep_stack),
        cmocka_unit_test(data_sets_have_as_many_vectors_as_others_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
