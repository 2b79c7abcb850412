/* test_diameter.c - diameters: known answers, all pairs as a twin, budgets, the allocation sweep.
 */
#include "audit/diameter.h"
#include "support/graphs.h"

#define PLENTY (UINT64_C(1) << 40)

static rg_diameter find(test_graph *g, uint64_t budget)
{
    rg_diameter_work work = {0};
    rg_diameter found = {.diameter = 12345};
    rg_coloured view = test_view(g);
    ASSERT_OK(rg_diameter_find(&found, &view.graph, budget, &work, err));
    rg_diameter_work_free(&work);
    return found;
}

/* The twin: all distances by Floyd and Warshall. */
static rg_diameter all_pairs(const test_graph *g)
{
    uint32_t n = g->n, far = 1u << 20;
    uint32_t *d = calloc((size_t)n * n + 1, sizeof *d);
    assert_non_null(d);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            d[i * n + j] = i == j ? 0 : g->joined[i * n + j] ? 1 : far;
    for (uint32_t m = 0; m < n; m++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                if (d[i * n + m] + d[m * n + j] < d[i * n + j])
                    d[i * n + j] = d[i * n + m] + d[m * n + j];
    rg_diameter result = {0};
    for (uint32_t i = 0; i < n; i++) {
        uint32_t lowest = i;
        for (uint32_t j = 0; j < n; j++) {
            if (d[i * n + j] >= far)
                continue;
            if (d[i * n + j] > result.diameter)
                result.diameter = d[i * n + j];
            if (j < lowest)
                lowest = j;
        }
        result.components += lowest == i;
    }
    free(d);
    return result;
}

static void expect_as_all_pairs(test_graph *g)
{
    rg_diameter found = find(g, PLENTY), twin = all_pairs(g);
    assert_int_equal(found.diameter, twin.diameter);
    assert_int_equal(found.components, twin.components);
    assert_false(found.bounded);
}

static test_graph grid(uint32_t height, uint32_t width, bool around)
{
    test_graph g = test_graph_new(height * width);
    for (uint32_t r = 0; r < height; r++)
        for (uint32_t c = 0; c < width; c++) {
            if (c + 1 < width || around)
                test_edge(&g, r * width + c, r * width + (c + 1) % width, 0);
            if (r + 1 < height || around)
                test_edge(&g, r * width + c, (r + 1) % height * width + c, 0);
        }
    return g;
}

static void known_graphs_have_known_diameters(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint32_t n;
        const char *edges; /* pairs of letters */
        uint32_t diameter, components;
    } cases[] = {
        {"no node", 0, "", 0, 0},
        {"one node", 1, "", 0, 1},
        {"two nodes", 2, "", 0, 2},
        {"one edge", 2, "ab", 1, 1},
        {"an edge and a node", 3, "ac", 1, 2},
        {"path", 5, "abbccdde", 4, 1},
        {"path, ends in the middle", 5, "caabbdde", 4, 1},
        {"triangle", 3, "abbcca", 1, 1},
        {"square", 4, "abbccdda", 2, 1},
        {"cycle of seven", 7, "abbccddeeffgga", 3, 1},
        {"star", 6, "abacadaeaf", 2, 1},
        {"four all joined", 4, "abacadbcbdcd", 1, 1},
        {"four, one edge missing", 4, "abacadbcbd", 2, 1},
        {"triangle with a tail", 6, "abbccacddeef", 4, 1},
        {"long path beside a clique", 9, "abbccddeefghgihi", 5, 2},
        {"clique beside a long path", 9, "abacbcdeeffgghhi", 5, 2},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_graph g = test_graph_new(cases[k].n);
        for (const char *e = cases[k].edges; e[0] && e[1]; e += 2)
            test_edge(&g, (uint32_t)(e[0] - 'a'), (uint32_t)(e[1] - 'a'), 0);
        rg_diameter found = find(&g, PLENTY);
        if (found.diameter != cases[k].diameter || found.components != cases[k].components ||
            found.bounded)
            fail_msg("%s: diameter %u, %u components", cases[k].what, found.diameter,
                     found.components);
        test_graph_free(&g);
    }
    test_graph flat = grid(7, 11, false), torus = grid(8, 11, true);
    assert_int_equal(find(&flat, PLENTY).diameter, 6 + 10);
    assert_int_equal(find(&torus, PLENTY).diameter, 4 + 5);
    test_graph_free(&flat);
    test_graph_free(&torus);
}

static void random_graphs_agree_with_all_pairs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        uint32_t n = rg_random_below(seed, 9, 0, 40);
        double part = (double)(seed % 8) * (seed % 8 < 5 ? 0.02 : 0.12);
        test_graph g = test_random(n, part, 1, 1, seed);
        expect_as_all_pairs(&g);
        test_graph_free(&g);
    }
}

/* A random tree; `more` edges on top; node k hangs on one of the `near` nodes before it. */
static test_graph tree_and_more(uint32_t n, uint32_t near, uint32_t more, uint64_t seed)
{
    test_graph tree = test_graph_new(n);
    for (uint32_t k = 1; k < n; k++) {
        uint32_t reach = k < near ? k : near;
        test_edge(&tree, k, k - 1 - rg_random_below(seed, 5, k, reach), 0);
    }
    for (uint32_t k = 0; k < more; k++) {
        uint32_t i = rg_random_below(seed, 6, k, n), j = rg_random_below(seed, 7, k, n);
        if (i != j)
            test_edge(&tree, i, j, 0);
    }
    test_graph g = test_shuffled(&tree, seed);
    test_graph_free(&tree);
    return g;
}

static void trees_and_nearly_trees_agree_with_all_pairs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        test_graph g = tree_and_more(2 + rg_random_below(seed, 4, 0, 60),
                                     1 + (uint32_t)seed % 5 * 4, (uint32_t)seed % 4, seed);
        expect_as_all_pairs(&g);
        test_graph_free(&g);
    }
}

static void several_components_agree_with_all_pairs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        test_graph g = test_graph_new(60);
        uint32_t at = 0, part = 0;
        while (at < 54) {
            uint32_t length = 1 + rg_random_below(seed, 8, part++, 12);
            length = length > 60 - at ? 60 - at : length;
            for (uint32_t k = 1; k < length; k++)
                test_edge(&g, at + k - 1, at + k, 0);
            if (length > 3 && part % 2)
                test_edge(&g, at, at + length - 1 - part % 3, 0);
            at += length;
        }
        test_graph h = test_shuffled(&g, seed);
        expect_as_all_pairs(&h);
        test_graph_free(&g);
        test_graph_free(&h);
    }
}

static void all_small_graphs_agree_with_all_pairs(void **state)
{
    (void)state;
    static const size_t known[] = {1, 1, 2, 4, 11, 34, 156, 1044};
    for (uint32_t n = 1; n <= 7; n++) {
        size_t count;
        test_graph *all = test_all_graphs(n, &count);
        if (!all)
            skip();
        assert_int_equal(count, known[n]);
        for (size_t k = 0; k < count; k++) {
            expect_as_all_pairs(&all[k]);
            test_graph_free(&all[k]);
        }
        free(all);
    }
}

static void past_the_budget_there_is_a_lower_bound(void **state)
{
    (void)state;
    /* Every node of a torus is as far out as any other: bounds alone never settle it. */
    test_graph g = grid(15, 17, true);
    rg_diameter whole = find(&g, PLENTY), none = find(&g, 0), some = find(&g, 10000);
    assert_int_equal(whole.diameter, 7 + 8);
    assert_false(whole.bounded);
    assert_true(none.bounded && some.bounded);
    assert_in_range(none.diameter, 1, 15);
    assert_in_range(some.diameter, none.diameter, 15);
    assert_int_equal(none.components, 1);
    /* one search more than the budget at most */
    assert_true(none.followed <= 4 * 255);
    assert_true(some.followed <= 10000 + 4 * 255);
    test_graph_free(&g);
}

static void a_long_cycle_or_path_costs_two_searches(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        test_graph g = test_graph_new(2000);
        for (uint32_t k = 1; k < 2000; k++)
            test_edge(&g, k - 1, k, 0);
        if (closed)
            test_edge(&g, 0, 1999, 0);
        rg_diameter found = find(&g, 0);
        assert_int_equal(found.diameter, closed ? 1000 : 1999);
        assert_false(found.bounded);
        assert_true(found.followed <= 2 * 4000);
        test_graph_free(&g);
    }
}

static void one_workspace_serves_graphs_of_any_size(void **state)
{
    (void)state;
    rg_diameter_work work = {0};
    static const uint32_t sizes[] = {3, 0, 50, 7, 1, 50, 120, 2};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        test_graph g = test_random(sizes[k], 0.08, 1, 1, k);
        rg_coloured view = test_view(&g);
        rg_diameter found, twin = all_pairs(&g);
        ASSERT_OK(rg_diameter_find(&found, &view.graph, PLENTY, &work, err));
        assert_int_equal(found.diameter, twin.diameter);
        assert_int_equal(found.components, twin.components);
        test_graph_free(&g);
    }
    rg_diameter_work_free(&work);
}

static rg_status sweep_body(void *context, rg_error *err)
{
    rg_coloured *view = context;
    rg_diameter_work work = {0};
    rg_diameter found = {.diameter = 99};
    rg_status status = rg_diameter_find(&found, &view->graph, PLENTY, &work, err);
    assert_int_equal(found.diameter, status ? 99 : 3);
    rg_diameter_work_free(&work);
    return status;
}

static void failing_allocations_leave_no_trace(void **state)
{
    (void)state;
    test_graph g = test_graph_new(7);
    test_cycle(&g, 0, 7);
    rg_coloured view = test_view(&g);
    assert_int_equal(test_allocation_sweep(sweep_body, &view), 1);
    test_graph_free(&g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_graphs_have_known_diameters),
        cmocka_unit_test(random_graphs_agree_with_all_pairs),
        cmocka_unit_test(trees_and_nearly_trees_agree_with_all_pairs),
        cmocka_unit_test(several_components_agree_with_all_pairs),
        cmocka_unit_test(all_small_graphs_agree_with_all_pairs),
        cmocka_unit_test(past_the_budget_there_is_a_lower_bound),
        cmocka_unit_test(a_long_cycle_or_path_costs_two_searches),
        cmocka_unit_test(one_workspace_serves_graphs_of_any_size),
        cmocka_unit_test(failing_allocations_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
