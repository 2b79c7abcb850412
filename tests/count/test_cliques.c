/* test_cliques.c - cliques that hold each node, against what is known and against all subsets. */
#include "count_checks.h"

enum { LARGEST = 10, DIMS = COUNT_DIMS, PLENTY = 1 << 30, MOST = COUNT_NODES };

/* ---- the twin: all subsets of up to max nodes that are complete, one node after the other */

typedef struct cliques_twin {
    test_graph *s;
    bool maximal;
    uint32_t max, member[MOST];
    int64_t *out;
} cliques_twin;

static bool extends(test_graph *s, const uint32_t *member, uint32_t n, uint32_t i)
{
    for (uint32_t k = 0; k < n; k++)
        if (!test_joined(s, member[k], i))
            return false;
    return true;
}

static void twin_grow(cliques_twin *t, uint32_t n, uint32_t from)
{
    bool counts = n >= 3;
    for (uint32_t i = 0; counts && t->maximal && i < t->s->n; i++)
        counts = !extends(t->s, t->member, n, i);
    for (uint32_t k = 0; counts && k < n; k++)
        t->out[t->member[k] * (t->max - 2) + (n - 3)]++;
    for (uint32_t i = from; n < t->max && i < t->s->n; i++)
        if (extends(t->s, t->member, n, i)) {
            t->member[n] = i;
            twin_grow(t, n + 1, i + 1);
        }
}

static void count(int64_t *out, test_graph *s, uint32_t max, bool maximal, uint64_t budget,
                  bool *capped, rg_count_space *space)
{
    rg_graph graph = test_view(s).graph;
    ASSERT_OK(rg_count_cliques(out, &graph, max, maximal, budget, capped, space, err));
}

static void assert_like_twin(test_graph *s, uint32_t max, rg_count_space *space)
{
    int64_t fast[MOST * DIMS], slow[MOST * DIMS];
    for (int maximal = 0; maximal < 2; maximal++) {
        bool capped = true;
        count(fast, s, max, maximal, PLENTY, &capped, space);
        assert_false(capped);
        memset(slow, 0, sizeof slow);
        cliques_twin t = {.s = s, .maximal = maximal, .max = max, .out = slow};
        twin_grow(&t, 0, 0);
        count_assert_equal(fast, slow, (size_t)s->n * (max - 2), "cliques", maximal);
    }
}

/* ---- tests */

static void known_graphs_have_known_cliques(void **state)
{
    (void)state;
    struct {
        const char *name;
        test_graph s;
        bool maximal;
        uint32_t node;
        int64_t expected[DIMS]; /* sizes 3 .. 10 */
    } cases[] = {
        {"K5", test_complete(5), false, 2, {6, 4, 1, 0, 0, 0, 0, 0}},
        {"K5 maximal", test_complete(5), true, 2, {0, 0, 1, 0, 0, 0, 0, 0}},
        {"K11", test_complete(11), false, 9, {45, 120, 210, 252, 210, 120, 45, 10}},
        {"K11 maximal", test_complete(11), true, 9, {0}}, /* larger than asked for */
        {"K10 maximal", test_complete(10), true, 9, {0, 0, 0, 0, 0, 0, 0, 1}},
        {"C3", test_ring(3), false, 0, {1, 0, 0, 0, 0, 0, 0, 0}},
        {"C7", test_ring(7), false, 3, {0}},
        {"Petersen", test_petersen(), true, 4, {0}},
        {"K33", test_bipartite(3, 3), false, 5, {0}},
        {"grid", test_grid(4, 4), true, 5, {0}},
        {"one node", test_graph_new(1), false, 0, {0}},
        {"no edge", test_graph_new(5), true, 3, {0}},
    };
    rg_count_space *space = rg_count_space_new();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t out[MOST * DIMS];
        bool capped = true;
        count(out, &cases[k].s, LARGEST, cases[k].maximal, PLENTY, &capped, space);
        assert_false(capped);
        for (size_t d = 0; d < DIMS; d++)
            if (out[cases[k].node * DIMS + d] != cases[k].expected[d])
                fail_msg("%s: %lld cliques of %zu, expected %lld", cases[k].name,
                         (long long)out[cases[k].node * DIMS + d], d + 3,
                         (long long)cases[k].expected[d]);
        test_graph_free(&cases[k].s);
    }
    test_graph none = test_graph_new(0);
    int64_t untouched[1] = {7};
    bool capped = true;
    count(untouched, &none, 4, false, PLENTY, &capped, space);
    assert_int_equal(untouched[0], 7);
    assert_false(capped);
    test_graph_free(&none);
    rg_count_space_free(space);
}

static void visit_graph(test_graph *s, void *context)
{
    assert_like_twin(s, 7, context);
    assert_like_twin(s, 3, context);
    assert_like_twin(s, 4, context);
}

static void every_small_graph_is_counted_like_the_twin(void **state)
{
    (void)state;
    rg_count_space *space = rg_count_space_new();
    bool found = count_each_small_graph(visit_graph, space);
    rg_count_space_free(space);
    if (!found)
        skip();
}

static void random_graphs_are_counted_like_the_twin(void **state)
{
    (void)state;
    rg_count_space *space = rg_count_space_new();
    for (uint64_t seed = 0; seed < 80; seed++) {
        uint32_t percent = 10 + (uint32_t)(seed * 7 % 80);
        test_graph s = test_random(5 + (uint32_t)seed % 14, percent / 100.0, 1, 1, seed);
        assert_like_twin(&s, LARGEST, space);
        test_graph_replace(&s, test_random(4 + (uint32_t)seed % 6, percent / 100.0, 1, 1, seed));
        test_graph_replace(&s, test_with_twins(&s, MOST, seed));
        for (uint32_t max = 3; max <= LARGEST; max++)
            assert_like_twin(&s, max, space);
        test_graph_replace(&s, test_random(60, (5 + percent / 3) / 100.0, 1, 1, seed));
        assert_like_twin(&s, 5, space);
        test_graph_free(&s);
    }
    rg_count_space_free(space);
}

static void count_all(int64_t *out, test_graph *s, bool maximal, uint64_t budget, bool *capped,
                      rg_count_space *space)
{
    count(out, s, LARGEST, maximal, budget, capped, space);
}

static void counts_and_caps_do_not_depend_on_node_order(void **state)
{
    (void)state;
    rg_count_space *space = rg_count_space_new();
    count_caps caps = {0};
    for (uint64_t seed = 0; seed < 40; seed++) {
        test_graph s = test_random(seed % 2 ? 9 : 18, (30 + (uint32_t)seed) / 100.0, 1, 1, seed);
        if (seed % 2)
            test_graph_replace(&s, test_with_twins(&s, MOST, seed));
        count_assert_caps(&caps, count_all, &s, seed, 100000, 4, space);
        test_graph_free(&s);
    }
    assert_true(caps.capped > 100);
    assert_true(caps.partly > 20);
    rg_count_space_free(space);
}

static void sizes_do_not_depend_on_the_largest(void **state)
{
    (void)state;
    rg_count_space *space = rg_count_space_new();
    for (uint64_t seed = 0; seed < 10; seed++) {
        test_graph s = test_random(20, 0.6, 1, 1, seed);
        for (uint64_t budget = 100; budget < 1000000; budget *= 3) {
            int64_t all[MOST * DIMS], some[MOST * DIMS];
            bool capped;
            count(all, &s, LARGEST, false, budget, &capped, space);
            for (uint32_t max = 3; max < LARGEST; max++) {
                count(some, &s, max, false, budget, &capped, space);
                for (uint32_t i = 0; i < s.n; i++)
                    assert_memory_equal(some + i * (max - 2), all + i * DIMS,
                                        (max - 2) * sizeof *all);
            }
        }
        test_graph_free(&s);
    }
    rg_count_space_free(space);
}

/* n nodes, all joined but those `skip` apart: 0 for none. */
static test_graph nearly_complete(uint32_t n, uint32_t skipped)
{
    test_graph g = test_graph_new(n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++)
            if (j - i != skipped)
                test_edge(&g, i, j, 0);
    return g;
}

static void large_cliques_are_binomials_and_capped_where_they_do_not_fit(void **state)
{
    (void)state;
    enum { N = 500, MAX = 64 };
    static int64_t out[N * (MAX - 2)];
    test_graph g = nearly_complete(N, 0);
    rg_graph graph = test_view(&g).graph;
    rg_count_space *space = rg_count_space_new();
    bool capped = false;
    ASSERT_OK(rg_count_cliques(out, &graph, MAX, false, (uint64_t)1 << 34, &capped, space, err));
    assert_true(capped);
    int64_t ways = 499 * 498 / 2; /* 499 choose size - 1 */
    for (uint32_t size = 3; size <= 9; size++) {
        assert_true(out[17 * (MAX - 2) + (size - 3)] == ways);
        ways = ways / size * (N - size) + ways % size * (N - size) / size;
    }
    /* 499 choose 8 is about 9e16, choose 9 about 5e18 > 2^62 */
    assert_true(out[9 - 3] != RG_CAPPED && out[10 - 3] == RG_CAPPED);
    assert_true(out[MAX - 3] == RG_CAPPED);
    ASSERT_OK(rg_count_cliques(out, &graph, MAX, true, (uint64_t)1 << 34, &capped, space, err));
    assert_false(capped); /* one, and larger than asked for */
    assert_int_equal(out[0], 0);
    test_graph_free(&g);
    rg_count_space_free(space);
}

/* All but opposite nodes joined: 2^(n/2) maximal cliques, and no twins. */
static void exponentially_many_cliques_are_capped(void **state)
{
    (void)state;
    static int64_t out[200 * 8];
    rg_count_space *space = rg_count_space_new();
    bool capped = false;
    test_graph few = nearly_complete(20, 10), many = nearly_complete(200, 100);
    rg_graph small = test_view(&few).graph, large = test_view(&many).graph;
    ASSERT_OK(rg_count_cliques(out, &small, 10, true, (uint64_t)1 << 34, &capped, space, err));
    assert_false(capped);
    assert_int_equal(out[7], 512); /* size 10, the node or its opposite given */
    ASSERT_OK(rg_count_cliques(out, &large, 10, true, 1 << 24, &capped, space, err));
    assert_true(capped);
    assert_true(out[0] == RG_CAPPED && out[7] == RG_CAPPED);
    ASSERT_OK(rg_count_cliques(out, &large, 10, false, 1 << 29, &capped, space, err));
    assert_true(capped);
    assert_int_equal(out[0], 198 * 196 / 2);
    assert_int_equal(out[1], 198 * 196 * 194 / 6);
    assert_true(out[7] == RG_CAPPED);
    test_graph_free(&few);
    test_graph_free(&many);
    rg_count_space_free(space);
}

/* A node next to all of a long ring: triangles in a row, many neighbours and few cliques. */
static void wheels_and_long_paths_are_quick(void **state)
{
    (void)state;
    enum { N = 100001 };
    uint32_t(*edges)[2] = malloc(2 * (size_t)N * sizeof *edges);
    int64_t *out = malloc((size_t)N * 2 * sizeof *out);
    assert_non_null(edges);
    assert_non_null(out);
    for (uint32_t i = 0; i + 1 < N; i++) {
        edges[i][0] = i;
        edges[i][1] = (i + 1) % (N - 1);
        edges[N - 1 + i][0] = i;
        edges[N - 1 + i][1] = N - 1;
    }
    rg_count_space *space = rg_count_space_new();
    for (int wheel = 0; wheel < 2; wheel++) {
        test_graph g =
            test_graph_of_edges(N, (const uint32_t(*)[2])edges, wheel ? 2 * (N - 1) : N - 2);
        rg_graph graph = test_view(&g).graph;
        for (int maximal = 0; maximal < 2; maximal++) {
            bool capped = true;
            ASSERT_OK(
                rg_count_cliques(out, &graph, 4, maximal, (uint64_t)1 << 36, &capped, space, err));
            assert_false(capped);
            assert_int_equal(out[0], wheel ? 2 : 0);
            assert_int_equal(out[1], 0);
            assert_int_equal(out[(N - 1) * 2], wheel ? N - 1 : 0);
        }
        test_graph_free(&g);
    }
    free(edges);
    free(out);
    rg_count_space_free(space);
}

typedef struct cliques_sweep {
    rg_graph graph;
    bool maximal;
} cliques_sweep;

static rg_status count_in_new_space(void *context, rg_error *err)
{
    const cliques_sweep *w = context;
    static int64_t out[MOST * DIMS];
    bool capped = true;
    memset(out, 1, sizeof out);
    rg_count_space *space = rg_count_space_new();
    if (!space) {
        (void)snprintf(err->message, sizeof err->message, "no space");
        return RG_ENOMEM;
    }
    rg_status status =
        rg_count_cliques(out, &w->graph, LARGEST, w->maximal, PLENTY, &capped, space, err);
    if (status)
        for (size_t k = 0; k < sizeof out / sizeof *out; k++)
            assert_true(out[k] == 0x0101010101010101);
    rg_count_space_free(space);
    return status;
}

static void counting_survives_every_failed_allocation(void **state)
{
    (void)state;
    test_graph s = test_random(9, 0.6, 1, 1, 4);
    test_graph_replace(&s, test_with_twins(&s, MOST, 4));
    cliques_sweep w = {test_view(&s).graph, false};
    assert_true(test_allocation_sweep(count_in_new_space, &w) > 12);
    w.maximal = true;
    assert_true(test_allocation_sweep(count_in_new_space, &w) > 12);
    test_graph_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_graphs_have_known_cliques),
        cmocka_unit_test(every_small_graph_is_counted_like_the_twin),
        cmocka_unit_test(random_graphs_are_counted_like_the_twin),
        cmocka_unit_test(counts_and_caps_do_not_depend_on_node_order),
        cmocka_unit_test(sizes_do_not_depend_on_the_largest),
        cmocka_unit_test(large_cliques_are_binomials_and_capped_where_they_do_not_fit),
        cmocka_unit_test(exponentially_many_cliques_are_capped),
        cmocka_unit_test(wheels_and_long_paths_are_quick),
        cmocka_unit_test(counting_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
