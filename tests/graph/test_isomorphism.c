/* test_isomorphism.c - same or different: all permutations as a twin, all small graphs, graphs that
 * colour refinement cannot tell apart, budgets, the allocation sweep. */
#include "graph/isomorphism.h"
#include "support/graphs.h"

#define PLENTY (UINT64_C(1) << 40)

static rg_isomorphism_work shared; /* one for all tests: sizes go up and down */

static rg_same_verdict compare(test_graph *a, test_graph *b, uint64_t budget)
{
    rg_same_verdict verdict = RG_UNDECIDED;
    rg_coloured x = test_view(a), y = test_view(b);
    ASSERT_OK(rg_isomorphism_test(&verdict, &x, &y, budget, &shared, err));
    return verdict;
}

static uint64_t invariant(test_graph *g)
{
    uint64_t value = 0;
    rg_invariant_work work = {0};
    rg_coloured view = test_view(g);
    ASSERT_OK(rg_invariant_graph(&value, &view, &work, err));
    rg_invariant_work_free(&work);
    return value;
}

static uint64_t strong_invariant(test_graph *g)
{
    uint64_t value = 0;
    rg_invariant_work work = {0};
    rg_coloured view = test_view(g);
    ASSERT_OK(rg_invariant_strong(&value, &view, &work, err));
    rg_invariant_work_free(&work);
    return value;
}

static void expect_same_as_shuffled(test_graph *g, uint64_t seed)
{
    test_graph h = test_shuffled(g, seed);
    assert_int_equal(compare(g, &h, PLENTY), RG_SAME);
    assert_true(invariant(g) == invariant(&h));
    assert_true(strong_invariant(g) == strong_invariant(&h));
    test_graph_free(&h);
}

/* Refinement alone does not see it, the comparison does. */
static void expect_hard_and_different(test_graph *a, test_graph *b)
{
    assert_true(invariant(a) == invariant(b));
    assert_int_equal(compare(a, b, PLENTY), RG_DIFFERENT);
    assert_int_equal(compare(b, a, PLENTY), RG_DIFFERENT);
    expect_same_as_shuffled(a, 1);
    expect_same_as_shuffled(b, 2);
}

static bool maps(const test_graph *a, const test_graph *b, const uint32_t *to)
{
    for (uint32_t i = 0; i < a->n; i++) {
        if (a->node[i] != b->node[to[i]])
            return false;
        for (uint32_t j = 0; j < i; j++)
            if (a->joined[i * a->n + j] != b->joined[to[i] * a->n + to[j]])
                return false;
    }
    return true;
}

/* The twin: every permutation (Heap's algorithm, by recursion). */
static bool any_permutation(const test_graph *a, const test_graph *b, uint32_t *to, uint32_t k)
{
    if (k <= 1)
        return maps(a, b, to);
    for (uint32_t i = 0; i < k; i++) {
        if (any_permutation(a, b, to, k - 1))
            return true;
        uint32_t other = k % 2 ? 0 : i, node = to[other];
        to[other] = to[k - 1];
        to[k - 1] = node;
    }
    return false;
}

static void random_pairs_agree_with_all_permutations(void **state)
{
    (void)state;
    size_t same = 0, different = 0;
    for (uint64_t seed = 0; seed < 3000; seed++) {
        uint32_t n = 1 + rg_random_below(seed, 20, 0, 6), to[6] = {0, 1, 2, 3, 4, 5};
        uint32_t n_node = 1 + seed % 2, n_edge = 1 + seed / 2 % 2;
        test_graph a = test_random(n, 0.5, n_node, n_edge, seed), b = test_shuffled(&a, seed);
        for (uint32_t change = 0; change < seed % 3 && n > 1; change++) {
            uint32_t i = rg_random_below(seed, 21, change, n);
            uint32_t j = (i + 1 + rg_random_below(seed, 22, change, n - 1)) % n;
            uint32_t value = rg_random_below(seed, 23, change, n_edge + 1);
            b.joined[i * n + j] = b.joined[j * n + i] = value;
        }
        bool twin = any_permutation(&a, &b, to, n);
        assert_int_equal(compare(&a, &b, PLENTY), twin ? RG_SAME : RG_DIFFERENT);
        same += twin;
        different += !twin;
        test_graph_free(&a);
        test_graph_free(&b);
    }
    assert_true(same > 500 && different > 500);
}

static void all_small_graphs_differ_and_equal_their_renumberings(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 7; n++) {
        size_t count;
        test_graph *all = test_all_graphs(n, &count);
        if (!all)
            skip();
        for (size_t k = 0; k < count; k++) {
            expect_same_as_shuffled(&all[k], k);
            expect_same_as_shuffled(&all[k], k + 5000);
            for (size_t m = 0; n < 7 && m < k; m++)
                assert_int_equal(compare(&all[m], &all[k], PLENTY), RG_DIFFERENT);
        }
        for (size_t k = 0; k < count; k++)
            test_graph_free(&all[k]);
        free(all);
    }
}

static void colours_of_nodes_and_edges_matter(void **state)
{
    (void)state;
    /* path a-b-c; nodes coloured, then edges */
    static const struct {
        uint32_t node_a[3], edge_a[2], node_b[3], edge_b[2];
        rg_same_verdict verdict;
    } cases[] = {
        {{0, 0, 0}, {0, 0}, {0, 0, 0}, {0, 0}, RG_SAME},
        {{1, 0, 0}, {0, 0}, {0, 0, 1}, {0, 0}, RG_SAME},
        {{1, 0, 0}, {0, 0}, {0, 1, 0}, {0, 0}, RG_DIFFERENT},
        {{1, 0, 0}, {0, 0}, {2, 0, 0}, {0, 0}, RG_DIFFERENT},
        {{0, 0, 0}, {0, 1}, {0, 0, 0}, {1, 0}, RG_SAME},
        {{0, 0, 0}, {0, 1}, {0, 0, 0}, {1, 1}, RG_DIFFERENT},
        {{1, 0, 0}, {0, 1}, {0, 0, 1}, {1, 0}, RG_SAME},
        {{1, 0, 0}, {0, 1}, {1, 0, 0}, {1, 0}, RG_DIFFERENT},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_graph a = test_graph_new(3), b = test_graph_new(3);
        memcpy(a.node, cases[k].node_a, sizeof cases[k].node_a);
        memcpy(b.node, cases[k].node_b, sizeof cases[k].node_b);
        for (uint32_t e = 0; e < 2; e++) {
            test_edge(&a, e, e + 1, cases[k].edge_a[e]);
            test_edge(&b, e, e + 1, cases[k].edge_b[e]);
        }
        assert_int_equal(compare(&a, &b, PLENTY), cases[k].verdict);
        test_graph_free(&a);
        test_graph_free(&b);
    }
}

/* Six nodes, all joined, in two colours: one colour forms a hexagon or two triangles. Only edge
 * colours tell, and each node sees the same of them. */
static void colours_of_edges_are_searched_too(void **state)
{
    (void)state;
    test_graph a = test_graph_new(6), b = test_graph_new(6);
    for (uint32_t i = 0; i < 6; i++)
        for (uint32_t j = 0; j < i; j++) {
            test_edge(&a, i, j, (i - j == 1 || i - j == 5) ? 1 : 0);
            test_edge(&b, i, j, i / 3 == j / 3 ? 1 : 0);
        }
    expect_hard_and_different(&a, &b);
    test_graph_free(&a);
    test_graph_free(&b);
}

static void graphs_without_colours_can_be_compared(void **state)
{
    (void)state;
    rg_same_verdict verdict = RG_UNDECIDED;
    test_graph g = test_random(30, 0.2, 1, 1, 4), h = test_shuffled(&g, 4);
    rg_coloured x = test_view(&g), y = test_view(&h);
    x.node_colour = x.arc_colour = y.node_colour = y.arc_colour = NULL;
    ASSERT_OK(rg_isomorphism_test(&verdict, &x, &y, PLENTY, &shared, err));
    assert_int_equal(verdict, RG_SAME);
    test_graph_free(&g);
    test_graph_free(&h);
}

static void the_smallest_graphs_can_be_compared(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 4; n++)
        for (uint32_t m = 0; m < 4; m++) {
            /* a workspace of their own, with no room to spare */
            rg_isomorphism_work work = {0};
            rg_same_verdict verdict = RG_UNDECIDED;
            test_graph a = test_graph_new(n), b = test_graph_new(m);
            rg_coloured x = test_view(&a), y = test_view(&b);
            ASSERT_OK(rg_isomorphism_test(&verdict, &x, &y, PLENTY, &work, err));
            assert_int_equal(verdict, n == m ? RG_SAME : RG_DIFFERENT);
            rg_isomorphism_work_free(&work);
            test_graph_free(&a);
            test_graph_free(&b);
        }
}

/* 4 x 4 places. Rook: same row or column. Shrikhande: differ by +-(0,1), +-(1,0), +-(1,1). Both
 * strongly regular with parameters (16, 6, 2, 2). */
static void rook_and_shrikhande_graph_differ(void **state)
{
    (void)state;
    test_graph rook = test_graph_new(16), shrikhande = test_graph_new(16);
    for (uint32_t i = 0; i < 16; i++) {
        uint32_t r = i / 4, c = i % 4;
        for (uint32_t k = 1; k < 4; k++) {
            test_edge(&rook, i, r * 4 + (c + k) % 4, 0);
            test_edge(&rook, i, (r + k) % 4 * 4 + c, 0);
        }
        test_edge(&shrikhande, i, r * 4 + (c + 1) % 4, 0);
        test_edge(&shrikhande, i, (r + 1) % 4 * 4 + c, 0);
        test_edge(&shrikhande, i, (r + 1) % 4 * 4 + (c + 1) % 4, 0);
    }
    expect_hard_and_different(&rook, &shrikhande);
    test_graph_free(&rook);
    test_graph_free(&shrikhande);
}

static test_graph skip_link(uint32_t n, uint32_t skip_by)
{
    test_graph g = test_graph_new(n);
    for (uint32_t i = 0; i < n; i++) {
        test_edge(&g, i, (i + 1) % n, 0);
        test_edge(&g, i, (i + skip_by) % n, 0);
    }
    return g;
}

static void circular_skip_links_differ_by_their_skip(void **state)
{
    (void)state;
    static const uint32_t skips[] = {2, 3, 4, 5, 6, 9, 11, 12, 13, 16};
    for (size_t k = 0; k < 10; k++)
        for (size_t m = 0; m < k; m++) {
            test_graph a = skip_link(41, skips[k]), b = skip_link(41, skips[m]);
            expect_hard_and_different(&a, &b);
            test_graph_free(&a);
            test_graph_free(&b);
        }
}

/* Half an M: from hub to tip over six nodes; kind 0: a-u, c-u, b-v, d-v, kind 1: a-u, b-u, c-v,
 * d-v. */
static void add_half(test_graph *g, uint32_t hub, uint32_t tip, uint32_t first, uint32_t kind)
{
    uint32_t u = first + 4, v = first + 5;
    for (uint32_t k = 0; k < 4; k++)
        test_edge(g, hub, first + k, 0);
    test_edge(g, first, first + 1, 0);
    test_edge(g, first + 2, first + 3, 0);
    test_edge(g, u, tip, 0);
    test_edge(g, v, tip, 0);
    for (uint32_t k = 0; k < 4; k++)
        test_edge(g, first + k, (kind ? k / 2 : k % 2) ? v : u, 0);
}

/* M_which on 15 nodes from `first`; its root is node `first`. */
static void add_m(test_graph *g, uint32_t first, uint32_t which)
{
    add_half(g, first + 1, first, first + 3, which / 2);
    add_half(g, first + 1, first + 2, first + 9, which % 2);
}

static void rooted_m_graphs_differ_but_look_alike(void **state)
{
    (void)state;
    for (uint32_t rooted = 0; rooted < 2; rooted++)
        for (uint32_t m = 0; m < 4; m++)
            for (uint32_t k = 0; k < m; k++) {
                test_graph a = test_graph_new(15), b = test_graph_new(15);
                add_m(&a, 0, k);
                add_m(&b, 0, m);
                a.node[0] = b.node[0] = rooted;
                /* M_1 and M_2 are one graph with different roots */
                if (k == 1 && m == 2 && !rooted)
                    assert_int_equal(compare(&a, &b, PLENTY), RG_SAME);
                else
                    expect_hard_and_different(&a, &b);
                test_graph_free(&a);
                test_graph_free(&b);
            }
}

/* Circles with an M at each node, one node marked. `code`: two bits a node. */
static test_graph snowflake(uint32_t circle, uint64_t code)
{
    test_graph g = test_graph_new(15 * circle);
    for (uint32_t k = 0; k < circle; k++) {
        add_m(&g, 15 * k, (uint32_t)(code >> 2 * k) & 3);
        test_edge(&g, 15 * k, 15 * ((k + 1) % circle), 0);
    }
    g.node[0] = 1;
    return g;
}

static void snowflakes_are_cheap_to_compare(void **state)
{
    (void)state;
    static const struct {
        uint64_t a, b;
        rg_same_verdict verdict;
    } cases[] = {
        {0x0, 0x0, RG_SAME},
        {0x0, 0x1, RG_DIFFERENT},
        {0xe4e4e4, 0xe4e4e5, RG_DIFFERENT},
        {0xe4e4e4, 0x64e4e4, RG_DIFFERENT},
        {0x4, 0x400000, RG_SAME},
        {0x5, 0x400001, RG_SAME}, /* the other way round */
        {0x104, 0x410000, RG_SAME},
        {0x104, 0x404000, RG_DIFFERENT},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_graph a = snowflake(12, cases[k].a), b = snowflake(12, cases[k].b);
        test_graph c = test_shuffled(&b, k);
        /* a hundred times the arcs: the gadgets are settled one by one, not all together */
        assert_int_equal(compare(&a, &c, 100 * 600), cases[k].verdict);
        test_graph_free(&a);
        test_graph_free(&b);
        test_graph_free(&c);
    }
}

static void cliques_and_twins_need_no_search(void **state)
{
    (void)state;
    /* parts of 1, 2, 3, ... nodes; nodes of different parts are joined, those of odd parts too */
    test_graph g = test_graph_new(120);
    uint32_t part[120], at = 0;
    for (uint32_t p = 1; at < 120; p++)
        for (uint32_t k = 0; k < p && at < 120; k++)
            part[at++] = p;
    for (uint32_t i = 0; i < 120; i++)
        for (uint32_t j = 0; j < i; j++)
            if (part[i] != part[j] || part[i] % 2)
                test_edge(&g, i, j, part[i] == part[j]);
    test_graph h = test_shuffled(&g, 3);
    assert_int_equal(compare(&g, &h, 8 * 120 * 120), RG_SAME);
    test_graph_free(&g);
    test_graph_free(&h);
}

/* A hub with a thousand legs of two nodes: a thousand choices, none of which can be wrong. */
static void many_small_choices_cost_little_each(void **state)
{
    (void)state;
    test_graph g = test_graph_new(2001);
    for (uint32_t k = 0; k < 1000; k++) {
        test_edge(&g, 0, 1 + k, 0);
        test_edge(&g, 1 + k, 1001 + k, 0);
    }
    test_graph h = test_shuffled(&g, 6);
    assert_int_equal(compare(&g, &h, 20 * 4000), RG_SAME);
    test_graph_free(&g);
    test_graph_free(&h);
}

/* Many hexagons, or two triangles in place of one: all nodes look alike, and a wrong pair of
 * hexagons shows only when all others are used up. */
static void many_cycles_are_told_from_others(void **state)
{
    (void)state;
    test_graph a = test_graph_new(120), b = test_graph_new(120);
    for (uint32_t k = 0; k < 20; k++) {
        test_cycle(&a, 6 * k, 6);
        if (k)
            test_cycle(&b, 6 * k, 6);
    }
    test_cycle(&b, 0, 3);
    test_cycle(&b, 3, 3);
    assert_true(strong_invariant(&a) != strong_invariant(&b));
    expect_hard_and_different(&a, &b);
    test_graph_free(&a);
    test_graph_free(&b);
}

static void random_regular_graphs_are_decided(void **state)
{
    (void)state;
    /* unions of three random cycles through all nodes; about 6-regular */
    for (uint64_t seed = 0; seed < 20; seed++) {
        test_graph g = test_graph_new(60), h = test_graph_new(60);
        for (uint64_t round = 0; round < 3; round++) {
            uint32_t a[60], b[60];
            for (uint32_t i = 0; i < 60; i++)
                a[i] = b[i] = i;
            rg_random_shuffle(seed, round, a, 60);
            rg_random_shuffle(seed + 1000, round, b, 60);
            for (uint32_t i = 0; i < 60; i++) {
                test_edge(&g, a[i], a[(i + 1) % 60], 0);
                test_edge(&h, b[i], b[(i + 1) % 60], 0);
            }
        }
        expect_same_as_shuffled(&g, seed);
        assert_int_equal(compare(&g, &h, PLENTY), RG_DIFFERENT);
        test_graph_free(&g);
        test_graph_free(&h);
    }
}

/* Cai, Fuerer and Immerman's graph over the complete graph on `size` nodes, with one edge twisted
 * or not: two nodes an edge, and a node for every even set of edges at a base node. */
static test_graph cfi(uint32_t size, bool twisted)
{
    uint32_t n_edges = size * (size - 1) / 2, degree = size - 1, at = 2 * n_edges;
    test_graph g = test_graph_new(2 * n_edges + (size << (degree - 1)));
    for (uint32_t v = 0; v < size; v++)
        for (uint32_t set = 0; set < 1u << degree; set++) {
            if (__builtin_popcount(set) % 2)
                continue;
            for (uint32_t k = 0; k < degree; k++) {
                uint32_t w = k < v ? k : k + 1, low = v < w ? v : w, high = v < w ? w : v;
                uint32_t edge = high * (high - 1) / 2 + low;
                uint32_t side = (set >> k & 1) ^ (twisted && v == 0 && k == 0);
                test_edge(&g, at, 2 * edge + side, 0);
            }
            g.node[at++] = 1 + v;
        }
    return g;
}

static void hostile_graphs_end_undecided_and_soon(void **state)
{
    (void)state;
    test_graph small = cfi(4, false), small_twisted = cfi(4, true);
    expect_hard_and_different(&small, &small_twisted);
    test_graph a = cfi(7, false), b = cfi(7, true);
    assert_true(invariant(&a) == invariant(&b));
    assert_int_equal(compare(&a, &b, 100000), RG_UNDECIDED);
    assert_int_equal(compare(&a, &b, 1000), RG_UNDECIDED);
    assert_int_equal(compare(&a, &b, 0), RG_UNDECIDED);
    assert_true(shared.partition.followed < 10000);
    expect_same_as_shuffled(&a, 9);
    test_graph_free(&small);
    test_graph_free(&small_twisted);
    test_graph_free(&a);
    test_graph_free(&b);
}

typedef struct graph_pair {
    rg_coloured a, b;
    uint64_t budget;
} graph_pair;

static rg_status sweep_body(void *context, rg_error *err)
{
    graph_pair *p = context;
    rg_isomorphism_work work = {0};
    rg_same_verdict verdict = RG_UNDECIDED;
    rg_status status = rg_isomorphism_test(&verdict, &p->a, &p->b, p->budget, &work, err);
    assert_int_equal(verdict, status ? RG_UNDECIDED : RG_DIFFERENT);
    rg_isomorphism_work_free(&work);
    return status;
}

static void failing_allocations_leave_no_trace(void **state)
{
    (void)state;
    /* large enough that the first effort does not do and nodes are told apart */
    test_graph a = test_graph_new(120), b = test_graph_new(120);
    for (uint32_t k = 0; k < 20; k++) {
        test_cycle(&a, 6 * k, 6);
        if (k)
            test_cycle(&b, 6 * k, 6);
    }
    test_cycle(&b, 0, 3);
    test_cycle(&b, 3, 3);
    graph_pair p = {test_view(&a), test_view(&b), PLENTY};
    assert_int_equal(test_allocation_sweep(sweep_body, &p), 3);
    test_graph_free(&a);
    test_graph_free(&b);
}

static int free_shared(void **state)
{
    (void)state;
    rg_isomorphism_work_free(&shared);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_pairs_agree_with_all_permutations),
        cmocka_unit_test(all_small_graphs_differ_and_equal_their_renumberings),
        cmocka_unit_test(colours_of_nodes_and_edges_matter),
        cmocka_unit_test(colours_of_edges_are_searched_too),
        cmocka_unit_test(graphs_without_colours_can_be_compared),
        cmocka_unit_test(the_smallest_graphs_can_be_compared),
        cmocka_unit_test(rook_and_shrikhande_graph_differ),
        cmocka_unit_test(circular_skip_links_differ_by_their_skip),
        cmocka_unit_test(rooted_m_graphs_differ_but_look_alike),
        cmocka_unit_test(snowflakes_are_cheap_to_compare),
        cmocka_unit_test(cliques_and_twins_need_no_search),
        cmocka_unit_test(many_small_choices_cost_little_each),
        cmocka_unit_test(many_cycles_are_told_from_others),
        cmocka_unit_test(random_regular_graphs_are_decided),
        cmocka_unit_test(hostile_graphs_end_undecided_and_soon),
        cmocka_unit_test(failing_allocations_leave_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, free_shared);
}
