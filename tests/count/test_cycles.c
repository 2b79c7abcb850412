/* test_cycles.c - cycles through every node, against what is known and against a slow twin. */
#include "count_checks.h"

enum { LONGEST = 12, PLENTY = 1 << 30, MOST = COUNT_NODES };

/* ---- the twin: all paths from every node, closed or not, and each cycle found many times */

typedef struct cycles_twin {
    test_graph *s;
    bool induced;
    uint32_t path[MOST];
    bool on_path[MOST];
    uint32_t max;
    int64_t found[LONGEST + 1];
} cycles_twin;

static bool has_chord(const cycles_twin *t, uint32_t n_path)
{
    for (uint32_t a = 0; a < n_path; a++)
        for (uint32_t b = a + 2; b < n_path; b++)
            if (test_joined(t->s, t->path[a], t->path[b]) && !(a == 0 && b + 1 == n_path))
                return true;
    return false;
}

static void twin_walk(cycles_twin *t, uint32_t n_path)
{
    uint32_t i = t->path[n_path - 1];
    if (n_path >= 3 && test_joined(t->s, i, t->path[0]) && !(t->induced && has_chord(t, n_path)))
        t->found[n_path]++;
    if (n_path == t->max)
        return;
    for (uint32_t j = 0; j < t->s->n; j++) {
        if (!test_joined(t->s, i, j) || t->on_path[j])
            continue;
        t->path[n_path] = j;
        t->on_path[j] = true;
        twin_walk(t, n_path + 1);
        t->on_path[j] = false;
    }
}

/* From a node each of its cycles is walked in two directions. */
static void twin_count(int64_t *out, test_graph *s, uint32_t min, uint32_t max, bool induced)
{
    for (uint32_t i = 0; i < s->n; i++) {
        cycles_twin t = {.s = s, .induced = induced, .max = max};
        t.path[0] = i;
        t.on_path[i] = true;
        twin_walk(&t, 1);
        for (uint32_t length = min; length <= max; length++)
            out[i * (max - min + 1) + (length - min)] = t.found[length] / 2;
    }
}

/* ---- calling the counter */

static void count(int64_t *out, test_graph *s, uint32_t min, uint32_t max, bool induced,
                  uint64_t budget, bool *capped, rg_count_space *space)
{
    rg_graph graph = test_view(s).graph;
    ASSERT_OK(rg_count_cycles(out, &graph, min, max, induced, budget, capped, space, err));
}

static void assert_like_twin(test_graph *s, uint32_t min, uint32_t max, rg_count_space *space)
{
    int64_t fast[MOST * LONGEST], slow[MOST * LONGEST];
    for (int induced = 0; induced < 2; induced++) {
        bool capped = true;
        count(fast, s, min, max, induced, PLENTY, &capped, space);
        assert_false(capped);
        twin_count(slow, s, min, max, induced);
        count_assert_equal(fast, slow, (size_t)s->n * (max - min + 1), "cycles", induced);
    }
}

/* ---- tests */

static void known_graphs_have_known_cycles(void **state)
{
    (void)state;
    struct {
        const char *name;
        test_graph s;
        bool induced;
        uint32_t node;
        int64_t expected[8]; /* lengths 3 .. 10 */
    } cases[] = {
        {"K5", test_complete(5), false, 2, {6, 12, 12, 0, 0, 0, 0, 0}},
        {"K5 induced", test_complete(5), true, 0, {6, 0, 0, 0, 0, 0, 0, 0}},
        {"C7", test_ring(7), false, 3, {0, 0, 0, 0, 1, 0, 0, 0}},
        {"C10", test_ring(10), true, 3, {0, 0, 0, 0, 0, 0, 0, 1}},
        {"C11", test_ring(11), true, 3, {0, 0, 0, 0, 0, 0, 0, 0}},
        /* 12 of length 5, 10 of 6, 15 of 8, 20 of 9 in all; every node is like every other */
        {"Petersen", test_petersen(), false, 4, {0, 0, 6, 6, 0, 12, 18, 0}},
        {"Petersen induced", test_petersen(), true, 9, {0, 0, 6, 6, 0, 0, 0, 0}},
        {"K33", test_bipartite(3, 3), false, 5, {0, 6, 0, 6, 0, 0, 0, 0}},
        {"K24", test_bipartite(2, 4), false, 0, {0, 6, 0, 0, 0, 0, 0, 0}},
        {"K24, other side", test_bipartite(2, 4), true, 5, {0, 3, 0, 0, 0, 0, 0, 0}},
        {"grid, corner", test_grid(3, 3), false, 0, {0, 1, 0, 2, 0, 4, 0, 0}},
        {"grid, middle", test_grid(3, 3), false, 4, {0, 4, 0, 4, 0, 4, 0, 0}},
        {"grid, middle, induced", test_grid(3, 3), true, 4, {0, 4, 0, 0, 0, 0, 0, 0}},
        {"grid, corner, induced", test_grid(3, 3), true, 0, {0, 1, 0, 0, 0, 1, 0, 0}},
        {"one node", test_graph_new(1), false, 0, {0}},
        {"no edge", test_graph_new(5), true, 3, {0}},
        {"path", test_grid(1, 9), false, 3, {0}},
    };
    rg_count_space *space = rg_count_space_new();
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t out[MOST * 8];
        bool capped = true;
        count(out, &cases[k].s, 3, 10, cases[k].induced, PLENTY, &capped, space);
        assert_false(capped);
        for (size_t d = 0; d < 8; d++)
            if (out[cases[k].node * 8 + d] != cases[k].expected[d])
                fail_msg("%s: %lld cycles of length %zu, expected %lld", cases[k].name,
                         (long long)out[cases[k].node * 8 + d], d + 3,
                         (long long)cases[k].expected[d]);
        test_graph_free(&cases[k].s);
    }
    rg_count_space_free(space);
}

static void an_empty_graph_has_no_counts(void **state)
{
    (void)state;
    rg_count_space *space = rg_count_space_new();
    test_graph none = test_graph_new(0);
    int64_t out[1] = {7};
    bool capped = true;
    count(out, &none, 3, 10, false, PLENTY, &capped, space);
    assert_int_equal(out[0], 7);
    assert_false(capped);
    test_graph_free(&none);
    rg_count_space_free(space);
    rg_count_space_free(NULL);
}

/* Rings that share a node, rings behind bridges, tails: what blocks must keep apart. */
static void rings_that_meet_in_a_node_stay_apart(void **state)
{
    (void)state;
    const uint32_t edges[][2] = {{0, 1}, {1, 2},  {2, 0},   {2, 3},  {3, 4},   {4, 5},
                                 {5, 2}, {5, 6},  {6, 7},   {7, 8},  {8, 9},   {9, 6},
                                 {6, 8}, {7, 10}, {10, 11}, {2, 12}, {12, 13}, {13, 2}};
    test_graph s = test_graph_of_edges(14, edges, sizeof edges / sizeof *edges);
    rg_count_space *space = rg_count_space_new();
    assert_like_twin(&s, 3, 10, space);
    int64_t out[14 * 2];
    bool capped;
    count(out, &s, 3, 4, false, PLENTY, &capped, space);
    assert_int_equal(out[2 * 2], 2);     /* two triangles at node 2 ... */
    assert_int_equal(out[2 * 2 + 1], 1); /* ... and a square */
    assert_int_equal(out[11 * 2], 0);
    test_graph_free(&s);
    rg_count_space_free(space);
}

typedef struct everyone {
    rg_count_space *space;
    uint32_t max;
} everyone;

static void visit_graph(test_graph *s, void *context)
{
    const everyone *e = context;
    assert_like_twin(s, 3, e->max, e->space);
    assert_like_twin(s, 3, 4, e->space); /* formulas alone */
    assert_like_twin(s, 3, 5, e->space);
    assert_like_twin(s, 5, 6, e->space); /* searches that leave lengths out */
}

static void every_small_graph_is_counted_like_the_twin(void **state)
{
    (void)state;
    everyone e = {rg_count_space_new(), 7};
    bool found = count_each_small_graph(visit_graph, &e);
    rg_count_space_free(e.space);
    if (!found)
        skip();
}

static void random_graphs_are_counted_like_the_twin(void **state)
{
    (void)state;
    rg_count_space *space = rg_count_space_new();
    for (uint64_t seed = 0; seed < 60; seed += test_sample_step()) {
        test_graph s = test_random(8 + (uint32_t)seed % 3, (20 + (uint32_t)(seed * 7 % 75)) / 100.0,
                                   1, 1, seed);
        assert_like_twin(&s, 3, 10, space);
        test_graph_replace(&s, test_random(24, (5 + (uint32_t)seed % 8) / 100.0, 1, 1, seed));
        assert_like_twin(&s, 3, 8, space);
        assert_like_twin(&s, 4, 5, space);
        test_graph_replace(&s, test_random(40, (10 + (uint32_t)seed % 30) / 100.0, 1, 1, seed));
        assert_like_twin(&s, 3, 4, space);
        test_graph_free(&s);
    }
    rg_count_space_free(space);
}

/* Copies of a small graph hung on a long ring: more nodes than a word has bits, and so sparse that
 * lists are used. Each copy is counted as if it were alone. */
static void lists_and_bits_agree(void **state)
{
    (void)state;
    enum { COPIES = 30, EACH = 10, DIMS = 8 };
    rg_count_space *space = rg_count_space_new();
    for (uint64_t seed = 0; seed < 10; seed++) {
        test_graph s = test_random(EACH, 0.35, 1, 1, seed + 100);
        test_edge(&s, 0, 1, 0);
        test_graph copies = test_graph_new(COPIES * EACH);
        for (uint32_t c = 0; c < COPIES; c++) {
            for (uint32_t i = 0; i < EACH; i++)
                for (uint32_t j = 0; j < i; j++)
                    if (test_joined(&s, i, j))
                        test_edge(&copies, c * EACH + i, c * EACH + j, 0);
            test_edge(&copies, c * EACH + 1, (c + 1) % COPIES * EACH, 0);
        }
        rg_graph graph = test_view(&copies).graph;
        for (int induced = 0; induced < 2; induced++)
            for (uint32_t max = 4; max <= 10; max += 3) {
                static int64_t whole[COPIES * EACH * DIMS], alone[EACH * DIMS];
                bool capped = true;
                uint32_t dims = max - 2;
                ASSERT_OK(
                    rg_count_cycles(whole, &graph, 3, max, induced, PLENTY, &capped, space, err));
                assert_false(capped);
                twin_count(alone, &s, 3, max, induced);
                for (uint32_t i = 0; i < COPIES * EACH; i++)
                    assert_memory_equal(whole + i * dims, alone + i % EACH * dims,
                                        dims * sizeof *whole);
            }
        test_graph_free(&s);
        test_graph_free(&copies);
    }
    rg_count_space_free(space);
}

/* Strongly tied nodes in blocks of more than a word: rows of several words. */
static void blocks_of_several_words_are_counted_like_their_parts(void **state)
{
    (void)state;
    enum { N = 150 };
    static int64_t formula[N * 3], search[N * 8];
    test_graph g = test_graph_new(N);
    for (uint32_t i = 0; i < N; i++) /* each node with the next four on both sides */
        for (uint32_t step = 1; step <= 4; step++)
            test_edge(&g, i, (i + step) % N, 0);
    rg_graph graph = test_view(&g).graph;
    rg_count_space *space = rg_count_space_new();
    bool capped = true;
    ASSERT_OK(rg_count_cycles(formula, &graph, 3, 5, false, PLENTY, &capped, space, err));
    ASSERT_OK(rg_count_cycles(search, &graph, 3, 7, false, PLENTY, &capped, space, err));
    assert_false(capped);
    for (uint32_t i = 0; i < N; i++) {
        assert_memory_equal(formula + i * 3, search + i * 5, 3 * sizeof *formula);
        assert_memory_equal(search + i * 5, search, 5 * sizeof *search);
    }
    assert_int_equal(formula[0], 18); /* steps a + b = c with a, b, c in 1..4: 6 kinds, 3 places */
    ASSERT_OK(rg_count_cycles(formula, &graph, 3, 4, true, PLENTY, &capped, space, err));
    ASSERT_OK(rg_count_cycles(search, &graph, 3, 10, true, PLENTY, &capped, space, err));
    for (uint32_t i = 0; i < N; i++)
        assert_memory_equal(formula + i * 2, search + i * 8, 2 * sizeof *formula);
    test_graph_free(&g);
    rg_count_space_free(space);
}

static void count_all(int64_t *out, test_graph *s, bool induced, uint64_t budget, bool *capped,
                      rg_count_space *space)
{
    count(out, s, 3, 10, induced, budget, capped, space);
}

static void counts_and_caps_do_not_depend_on_node_order(void **state)
{
    (void)state;
    rg_count_space *space = rg_count_space_new();
    count_caps caps = {0};
    for (uint64_t seed = 0; seed < 40; seed++) {
        test_graph s = test_random(20, (8 + (uint32_t)seed % 20) / 100.0, 1, 1, seed);
        count_assert_caps(&caps, count_all, &s, seed, 4000000, 1, space);
        test_graph_free(&s);
    }
    assert_true(caps.capped > 100);
    assert_true(caps.partly > 100);
    rg_count_space_free(space);
}

/* What a length counts, or that it is capped, is the same whatever else is asked for. */
static void lengths_do_not_depend_on_each_other(void **state)
{
    (void)state;
    rg_count_space *space = rg_count_space_new();
    for (uint64_t seed = 0; seed < 10; seed++) {
        test_graph s = test_random(16, 0.3, 1, 1, seed);
        for (uint64_t budget = 1; budget < 10000000; budget = budget * 3)
            for (int induced = 0; induced < 2; induced++) {
                int64_t all[MOST * 8], one[MOST];
                bool capped;
                count(all, &s, 3, 10, induced, budget, &capped, space);
                for (uint32_t length = 3; length <= 10; length++) {
                    count(one, &s, length, length, induced, budget, &capped, space);
                    for (uint32_t i = 0; i < s.n; i++)
                        assert_true(one[i] == all[i * 8 + (length - 3)]);
                    assert_int_equal(capped, one[0] == RG_CAPPED);
                }
            }
        test_graph_free(&s);
    }
    rg_count_space_free(space);
}

/* Nodes next to the same nodes and each other: searched as one. */
static void twins_are_counted_like_the_twin(void **state)
{
    (void)state;
    rg_count_space *space = rg_count_space_new();
    for (uint64_t seed = 0; seed < 60; seed += test_sample_step()) {
        test_graph s =
            test_random(5 + (uint32_t)seed % 4, (25 + (uint32_t)seed % 40) / 100.0, 1, 1, seed);
        test_graph_replace(&s, test_with_twins(&s, MOST, seed));
        int64_t fast[MOST * 6], slow[MOST * 6];
        for (uint32_t min = 3; min <= 5; min++) {
            bool capped = true;
            count(fast, &s, min, 6, true, PLENTY, &capped, space);
            assert_false(capped);
            twin_count(slow, &s, min, 6, true);
            assert_memory_equal(fast, slow, s.n * (7 - min) * sizeof *fast);
        }
        test_graph_free(&s);
    }
    rg_count_space_free(space);
}

typedef struct cycles_sweep {
    rg_graph sparse, dense;
    bool induced;
    uint32_t max;
} cycles_sweep;

static rg_status count_in_new_space(void *context, rg_error *err)
{
    const cycles_sweep *w = context;
    static int64_t out[300 * 8];
    bool capped = true;
    memset(out, 1, sizeof out);
    rg_count_space *space = rg_count_space_new();
    if (!space) {
        (void)snprintf(err->message, sizeof err->message, "no space");
        return RG_ENOMEM;
    }
    rg_status status =
        rg_count_cycles(out, &w->dense, 3, w->max, w->induced, 600, &capped, space, err);
    if (status)
        for (size_t k = 0; k < sizeof out / sizeof *out; k++)
            assert_true(out[k] == 0x0101010101010101);
    if (!status)
        status =
            rg_count_cycles(out, &w->sparse, 3, w->max, w->induced, PLENTY, &capped, space, err);
    rg_count_space_free(space);
    return status;
}

static void counting_survives_every_failed_allocation(void **state)
{
    (void)state;
    test_graph s = test_random(8, 0.6, 1, 1, 3);
    test_graph_replace(&s, test_with_twins(&s, MOST, 3));
    test_graph ring = test_ring(300);
    cycles_sweep w = {test_view(&ring).graph, test_view(&s).graph, false, 5};
    for (; w.max <= 10; w.max += 5)
        for (int induced = 0; induced < 2; induced++) {
            w.induced = induced;
            assert_true(test_allocation_sweep(count_in_new_space, &w) > 8);
        }
    test_graph_free(&ring);
    test_graph_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_graphs_have_known_cycles),
        cmocka_unit_test(an_empty_graph_has_no_counts),
        cmocka_unit_test(rings_that_meet_in_a_node_stay_apart),
        cmocka_unit_test(every_small_graph_is_counted_like_the_twin),
        cmocka_unit_test(random_graphs_are_counted_like_the_twin),
        cmocka_unit_test(lists_and_bits_agree),
        cmocka_unit_test(blocks_of_several_words_are_counted_like_their_parts),
        cmocka_unit_test(counts_and_caps_do_not_depend_on_node_order),
        cmocka_unit_test(lengths_do_not_depend_on_each_other),
        cmocka_unit_test(twins_are_counted_like_the_twin),
        cmocka_unit_test(counting_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
