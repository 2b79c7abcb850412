/* test_patterns.c - small graphs inside graphs: known answers, a brute-force twin over all maps,
 * labels, node order, budget, memory. */
#include "base/alloc.h"
#include "base/random.h"
#include "count/pattern_count.h"
#include "patterns_twin.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static rg_pattern parse(const char *text)
{
    rg_pattern pattern = {0};
    ASSERT_OK(rg_pattern_parse(&pattern, text, strlen(text), 1, err));
    return pattern;
}

static rg_pattern shape(const char *name, uint32_t n)
{
    rg_pattern pattern = {0};
    ASSERT_OK(rg_pattern_shape(&pattern, name, n, err));
    return pattern;
}

/* Counts of one pattern; true if capped. */
static bool count(int64_t *out, const rg_dataset *data, const rg_pattern *pattern, bool induced,
                  uint64_t budget)
{
    bool capped = false;
    rg_count_space *space = rg_count_space_new();
    assert_non_null(space);
    ASSERT_OK(rg_count_patterns(out, data, 0, pattern, 1, induced, budget, &capped, space, err));
    rg_count_space_free(space);
    return capped;
}

static const uint64_t plenty = (uint64_t)1 << 34;

static void compare_with_hand(const test_graph *graph, bool with_labels, const rg_pattern *pattern,
                              bool induced)
{
    int64_t fast[PATTERNS_MOST], slow[PATTERNS_MOST];
    rg_dataset *data = patterns_dataset(graph, with_labels);
    assert_false(count(fast, data, pattern, induced, plenty));
    patterns_by_hand(slow, graph, with_labels, pattern, induced);
    for (uint32_t i = 0; i < graph->n; i++)
        if (fast[i] != slow[i])
            fail_msg("%s, induced %d, node %u of %u: found %" PRId64 ", expected %" PRId64,
                     pattern->text, induced, i, graph->n, fast[i], slow[i]);
    rg_dataset_free(data);
}

/* ---- tests */

static void known_numbers(void **state)
{
    (void)state;
    /* complete graph on 6 nodes; wheel: hub 0 and a rim of 5 */
    test_graph complete = test_complete(6), wheel = test_star(6);
    test_cycle(&wheel, 1, 5);
    static const struct {
        const char *shape;
        uint32_t n;
        bool induced, complete;
        int64_t first, others;
    } cases[] = {
        {"edge", 0, false, true, 5, 5},      {"edge", 0, true, false, 5, 3},
        {"triangle", 0, true, true, 10, 10}, {"triangle", 0, false, false, 5, 2},
        {"clique", 4, true, true, 10, 10},   {"clique", 6, true, true, 1, 1},
        {"clique", 4, true, false, 0, 0},    {"cycle", 3, true, false, 5, 2},
        {"cycle", 4, false, true, 30, 30},   {"cycle", 4, true, true, 0, 0},
        {"cycle", 5, true, false, 0, 1},     {"cycle", 6, false, true, 60, 60},
        {"path", 3, false, true, 30, 30},    {"path", 3, true, true, 0, 0},
        {"path", 3, true, false, 5, 5},      {"path", 4, false, true, 120, 120},
        {"star", 3, false, true, 40, 40},    {"star", 5, false, true, 6, 6},
        {"star", 5, false, false, 1, 1},     {"star", 3, true, true, 0, 0},
        {"path", 6, false, true, 360, 360},  {"path", 7, false, true, 0, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t out[6];
        rg_dataset *data = test_dataset(cases[k].complete ? &complete : &wheel, 1, NULL);
        rg_pattern pattern = shape(cases[k].shape, cases[k].n);
        assert_false(count(out, data, &pattern, cases[k].induced, plenty));
        for (int i = 0; i < 6; i++)
            assert_int_equal(out[i], i ? cases[k].others : cases[k].first);
        rg_free(pattern.text);
        rg_dataset_free(data);
    }
    test_graph_free(&complete);
    test_graph_free(&wheel);
}

/* Rows of the upper triangle of an adjacency matrix as bits, to edges. */
static size_t write_edges(char *text, unsigned n, unsigned bits)
{
    char *end = text;
    unsigned k = 0;
    for (unsigned b = 1; b < n; b++)
        for (unsigned a = 0; a < b; a++, k++)
            if (bits >> k & 1)
                end += sprintf(end, "%s%u %u", end == text ? "" : "; ", a, b);
    return (size_t)(end - text);
}

/* All graphs with n nodes that are connected, one for each set of edges: more than one a shape, so
 * that numberings vary too. Every `step`-th. */
static void compare_all_patterns(unsigned n, unsigned step, const test_graph *graph)
{
    unsigned n_bits = n * (n - 1) / 2, n_patterns = 0;
    for (unsigned bits = 0; bits < 1u << n_bits; bits += step) {
        char text[256];
        rg_pattern pattern = {0};
        rg_error err;
        size_t length = write_edges(text, n, bits);
        if (rg_pattern_parse(&pattern, text, length, 1, &err))
            continue; /* not connected */
        if (pattern.n_nodes == n) {
            compare_with_hand(graph, false, &pattern, false);
            compare_with_hand(graph, false, &pattern, true);
            n_patterns++;
        }
        rg_free(pattern.text);
    }
    assert_true(n_patterns > 0);
}

static void all_patterns_of_up_to_5_nodes_equal_brute_force(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        double density;
    } graphs[] = {{7, 0.3}, {7, 0.5}, {8, 0.4}, {6, 0.8}, {6, 1.0}};
    for (size_t k = 0; k < sizeof graphs / sizeof *graphs; k++) {
        test_graph graph = test_random(graphs[k].n, graphs[k].density, 1, 1, k);
        for (unsigned n = 2; n <= 4; n++)
            compare_all_patterns(n, 1, &graph);
        compare_all_patterns(5, 3, &graph);
        test_graph_free(&graph);
    }
}

/* On graphs that are too large for the twin. */
static void formulas_equal_the_search(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "0 1",
        "0 1; 1 2",
        "0 1; 1 2; 2 0",
        "0 1; 1 2; 2 3",
        "0 1; 0 2; 0 3",
        "0 1; 1 2; 2 3; 3 0",
        "0 1; 1 2; 2 0; 0 3",
        "0 1; 1 2; 2 3; 3 0; 0 2",
        "0 1; 1 2; 2 3; 3 0; 0 2; 1 3",
        "0 1; 0 2; 0 3; 0 4",
        "0 1; 1 2; 2 3; 3 4; 4 0",
        "0 1; 1 2; 2 3; 3 4; 4 5; 5 0",
        "0 1; 0 2; 0 3; 0 4; 1 2; 1 3; 1 4; 2 3; 2 4; 3 4",
    };
    rg_count_space *space = rg_count_space_new();
    assert_non_null(space);
    for (uint64_t seed = 0; seed < 6; seed++) {
        test_graph drawn =
            test_random(15 + 4 * (uint32_t)seed, 0.5 - 0.06 * (double)seed, 1, 1, seed);
        rg_dataset *data = test_dataset(&drawn, 1, NULL);
        test_graph_free(&drawn);
        rg_graph graph = rg_dataset_graph(data, 0);
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++)
            for (int induced = 0; induced < 2; induced++) {
                int64_t out[PATTERNS_MOST], again[PATTERNS_MOST];
                rg_pattern pattern = parse(texts[k]);
                rg_pattern_job job = {data, &graph, &pattern, induced, plenty, out, 1, space};
                bool known;
                ASSERT_OK(rg_pattern_by_formula(&job, &known, err));
                assert_int_equal(known, k != 9 || !induced);
                job.out = again;
                ASSERT_OK(rg_pattern_by_search(&job, err));
                if (known)
                    assert_memory_equal(out, again, graph.n_nodes * sizeof *out);
                rg_free(pattern.text);
            }
        rg_dataset_free(data);
    }
    rg_count_space_free(space);
}

/* One of each shape, as nauty lists them, in graph6. */
static void shapes_of_nauty_equal_brute_force(void **state)
{
    (void)state;
    char *directory = test_directory_make(), line[64];
    unsigned n_patterns = 0;
    for (int n = 1; n <= 5; n++) {
        char *command =
            test_format("geng -c -q %d 2>/dev/null || nauty-geng -c -q %d 2>/dev/null", n, n);
        FILE *in = popen(command, "r");
        assert_non_null(in);
        while (fgets(line, sizeof line, in)) {
            rg_pattern pattern = {0};
            test_write(directory, "p.g6", line);
            char *path = test_format("%s/p.g6", directory);
            ASSERT_OK(rg_pattern_read(&pattern, path, err));
            assert_int_equal(pattern.n_nodes, n);
            for (uint64_t seed = 0; seed < 3; seed++) {
                test_graph graph = test_random(8, 0.3 + 0.2 * (double)seed, 1, 1, 100 + seed);
                compare_with_hand(&graph, false, &pattern, false);
                compare_with_hand(&graph, false, &pattern, true);
                test_graph_free(&graph);
            }
            rg_free(pattern.text);
            free(path);
            n_patterns++;
        }
        pclose(in);
        free(command);
    }
    test_directory_remove(directory);
    if (n_patterns == 0)
        skip();
    assert_int_equal(n_patterns, 1 + 1 + 2 + 6 + 21);
}

/* Labels on nodes and edges of random patterns: each with the chances given. */
static void labelled_patterns_equal_brute_force(void **state)
{
    (void)state;
    static const double chances[][2] = {{1, 0}, {0, 1}, {1, 1}, {0.5, 0}, {0, 0.5}, {0.5, 0.5}};
    unsigned n_patterns = 0, n_mixed = 0;
    for (uint64_t seed = 0; seed < 600; seed++) {
        const double *chance = chances[seed % 6];
        test_graph drawn = test_random(2 + (uint32_t)(seed / 6 % 4), 0.7, 2, 2, seed);
        char text[512], *end = text;
        text[0] = '\0';
        for (uint32_t k = 0; k < drawn.n * drawn.n; k++) {
            if (!drawn.joined[k] || k / drawn.n > k % drawn.n)
                continue;
            end += sprintf(end, "%u %u", k / drawn.n, k % drawn.n);
            if (rg_random_unit(seed, 4, k) < chance[1])
                end += sprintf(end, " %u", drawn.joined[k] - 1);
            end += sprintf(end, ";");
        }
        for (uint32_t i = 0; i < drawn.n; i++)
            if (rg_random_unit(seed, 5, i) < chance[0])
                end += sprintf(end, "node %u %u;", i, drawn.node[i]);
        test_graph_free(&drawn);
        rg_pattern pattern = {0};
        rg_error err;
        if (rg_pattern_parse(&pattern, text, strlen(text), 1, &err))
            continue;
        test_graph graph = test_random(7, 0.5, 2, 2, 1000 + seed);
        compare_with_hand(&graph, true, &pattern, seed % 2);
        test_graph_free(&graph);
        n_patterns++;
        n_mixed += pattern.plan.mixed;
        rg_free(pattern.text);
    }
    assert_true(n_patterns > 300 && n_mixed > 100);
}

/* Toluene and pyridine side by side: atoms by number, bonds 1 single, 4 aromatic. */
static void a_ring_of_carbons_is_found_and_one_with_nitrogen_is_not(void **state)
{
    (void)state;
    test_graph molecule = test_graph_new(13);
    for (uint32_t i = 0; i < 6; i++) {
        test_edge(&molecule, i, (i + 1) % 6, 4);
        test_edge(&molecule, 7 + i, 7 + (i + 1) % 6, 4);
    }
    test_edge(&molecule, 0, 6, 1);
    for (uint32_t i = 0; i < 13; i++)
        molecule.node[i] = i == 9 ? 7 : 6;
    rg_dataset *data = patterns_dataset(&molecule, true);
    static const struct {
        const char *text;
        int64_t ring, methyl, pyridine, nitrogen; /* of nodes 0, 6, 8, 9 */
    } cases[] = {
        {"0 1 4; 1 2 4; 2 3 4; 3 4 4; 4 5 4; 5 0 4; node 0 6; node 1 6; node 2 6; node 3 6; node "
         "4 6; node 5 6",
         1, 0, 0, 0},
        {"0 1; 1 2; 2 3; 3 4; 4 5; 5 0", 1, 0, 1, 1},
        {"0 1 4; 1 2 4; 2 3 4; 3 4 4; 4 5 4; 5 0 4; node 3 7", 0, 0, 1, 1},
        {"0 1; 1 2; 2 3; 3 4; 4 5; 5 0; node 0 6", 1, 0, 1, 1}, /* once, not once a carbon */
        {"0 1 4; node 0 6", 2, 0, 2, 2},
        {"0 1 1", 1, 1, 0, 0},
        {"0 1 4; node 0 7; node 1 7", 0, 0, 0, 0},
        {"0 1 2", 0, 0, 0, 0},         /* no such bond in the set */
        {"0 1; node 0 8", 0, 0, 0, 0}, /* no such atom */
        {"node 0 7", 0, 0, 0, 1},
        {"node 0", 1, 1, 1, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t out[13];
        rg_pattern pattern = parse(cases[k].text);
        assert_false(count(out, data, &pattern, true, plenty));
        assert_int_equal(out[0], cases[k].ring);
        assert_int_equal(out[6], cases[k].methyl);
        assert_int_equal(out[8], cases[k].pyridine);
        assert_int_equal(out[9], cases[k].nitrogen);
        rg_free(pattern.text);
    }
    rg_dataset_free(data);
    data = patterns_dataset(&molecule, false);
    test_graph_free(&molecule);
    int64_t out[13];
    for (size_t k = 4; k < 6; k++) { /* labels wanted, none there */
        rg_pattern pattern = parse(cases[k].text);
        assert_false(count(out, data, &pattern, true, plenty));
        assert_int_equal(out[0], 0);
        rg_free(pattern.text);
    }
    rg_dataset_free(data);
}

/* Labels in part of a star with many symmetric leaves: no search through 15! ways. */
static void stars_with_some_labels_end_soon(void **state)
{
    (void)state;
    test_graph star = test_graph_new(16);
    for (uint32_t i = 1; i < 16; i++) {
        test_edge(&star, 0, i, i % 2);
        star.node[i] = i < 8;
    }
    rg_dataset *data = patterns_dataset(&star, true);
    test_graph_free(&star);
    static const struct {
        uint32_t nodes, edges; /* so many leaves with node label 1, then so many edges with 1 */
        int64_t expected;
    } cases[] = {{7, 0, 1}, {8, 0, 0}, {0, 8, 1}, {0, 9, 0}, {3, 0, 1}, {7, 4, 1}, {7, 5, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[512], *end = text;
        for (uint32_t i = 1; i < 16; i++) {
            bool edge = i > cases[k].nodes && i <= cases[k].nodes + cases[k].edges;
            end += sprintf(end, "0 %u%s;", i, edge ? " 1" : "");
            if (i <= cases[k].nodes)
                end += sprintf(end, "node %u 1;", i);
        }
        int64_t out[16];
        rg_pattern pattern = parse(text);
        assert_false(count(out, data, &pattern, true, UINT64_MAX));
        assert_int_equal(out[5], cases[k].expected);
        rg_free(pattern.text);
    }
    rg_dataset_free(data);
}

static void counts_do_not_depend_on_node_order(void **state)
{
    (void)state;
    static const char *const texts[] = {"0 1; 1 2; 2 3; 3 0; 0 2", "0 1; 1 2; 2 3; 3 4; 2 0",
                                        "0 1 1; 1 2 0; 2 3; node 1 1",
                                        "0 1; 0 2; 0 3; node 0 1; node 1 0; node 2 0; node 3 0"};
    for (uint64_t seed = 0; seed < 20; seed++) {
        test_graph graph = test_random(20, 0.2, 2, 2, seed);
        uint32_t place[PATTERNS_MOST];
        test_order(place, graph.n, seed);
        test_graph moved = test_renamed(&graph, place);
        rg_dataset *data = patterns_dataset(&graph, true), *other = patterns_dataset(&moved, true);
        for (size_t t = 0; t < 4; t++)
            for (int b = 0; b < 24; b++) { /* also at the very edge of the budget */
                int64_t out[PATTERNS_MOST], again[PATTERNS_MOST];
                rg_pattern pattern = parse(texts[t]);
                uint64_t budget = (uint64_t)1 << b;
                bool capped = count(out, data, &pattern, seed % 2, budget);
                assert_int_equal(count(again, other, &pattern, seed % 2, budget), capped);
                for (uint32_t i = 0; i < graph.n; i++)
                    assert_int_equal(out[i], again[place[i]]);
                rg_free(pattern.text);
            }
        rg_dataset_free(data);
        rg_dataset_free(other);
        test_graph_free(&graph);
        test_graph_free(&moved);
    }
}

static void past_the_budget_all_nodes_are_capped(void **state)
{
    (void)state;
    test_graph graph = test_random(30, 0.5, 1, 1, 3);
    rg_dataset *data = test_dataset(&graph, 1, NULL);
    rg_pattern patterns[2] = {parse("0 1; 1 2; 2 3; 3 0; 3 4"), shape("edge", 0)};
    int64_t out[2 * PATTERNS_MOST], whole[2 * PATTERNS_MOST];
    rg_count_space *space = rg_count_space_new();
    bool capped = false;
    ASSERT_OK(rg_count_patterns(whole, data, 0, patterns, 2, false, plenty, &capped, space, err));
    assert_false(capped);
    ASSERT_OK(rg_count_patterns(out, data, 0, patterns, 2, false, 1000, &capped, space, err));
    assert_true(capped);
    for (uint32_t i = 0; i < graph.n; i++) {
        assert_true(whole[2 * i] > 0);
        assert_true(out[2 * i] == RG_CAPPED);
        assert_int_equal(out[2 * i + 1], whole[2 * i + 1]); /* degrees cost nothing */
    }
    /* The bound is what the search may cost: the counts are never above the least budget that is
     * enough. */
    uint64_t enough = 1;
    while (count(out, data, &patterns[0], false, enough))
        enough *= 2;
    int64_t total = 0;
    for (uint32_t i = 0; i < graph.n; i++) {
        assert_int_equal(out[i], whole[2 * i]);
        total += out[i];
    }
    assert_true((uint64_t)total / 5 <= enough);
    rg_count_space_free(space);
    rg_free(patterns[0].text);
    rg_free(patterns[1].text);
    rg_dataset_free(data);
    test_graph_free(&graph);
}

static void numbers_beyond_64_bits_are_capped(void **state)
{
    (void)state;
    enum { LEAVES = 40000 };
    test_graph star = test_star(LEAVES + 1);
    rg_dataset *data = test_dataset(&star, 1, NULL);
    test_graph_free(&star);
    int64_t *out = malloc((LEAVES + 1) * sizeof *out);
    assert_non_null(out);
    rg_pattern small = shape("star", 4), large = shape("star", 15), path = shape("path", 4);
    assert_false(count(out, data, &small, false, plenty));
    assert_true(out[0] == 106650667399990000); /* C(40000, 4) */
    assert_true(out[1] == 10665066739999);     /* C(39999, 3) */
    assert_true(count(out, data, &large, false, plenty));
    assert_true(out[0] == RG_CAPPED && out[LEAVES] == RG_CAPPED);
    assert_false(count(out, data, &path, false, plenty));
    assert_int_equal(out[0], 0);
    assert_true(count(out, data, &large, true, plenty)); /* by search: too much too */
    assert_true(out[1] == RG_CAPPED);
    rg_free(small.text);
    rg_free(large.text);
    rg_free(path.text);
    free(out);
    rg_dataset_free(data);
}

static void empty_graphs_and_lone_nodes_have_nothing(void **state)
{
    (void)state;
    static const char *const shapes[] = {"edge", "triangle", "cycle", "path", "star", "clique"};
    for (uint32_t n = 0; n < 3; n++) {
        test_graph graph = test_graph_new(n);
        rg_dataset *data = test_dataset(&graph, 1, NULL);
        test_graph_free(&graph);
        for (size_t k = 0; k < 6; k++)
            for (uint32_t size = 4; size < 6; size++) {
                int64_t out[3] = {7, 7, 7};
                rg_pattern pattern = shape(shapes[k], size);
                assert_false(count(out, data, &pattern, size == 4, 10));
                for (uint32_t i = 0; i < 3; i++)
                    assert_int_equal(out[i], i < n ? 0 : 7);
                rg_free(pattern.text);
            }
        rg_dataset_free(data);
    }
}

/* Every pattern of the sweep in one call: formulas, search, the budget's exact bound. */
typedef struct patterns_sweep {
    rg_dataset *data;
    rg_pattern *patterns;
    size_t n;
    int64_t *out;
} patterns_sweep;

static rg_status count_all(void *context, rg_error *err)
{
    patterns_sweep *s = context;
    rg_count_space *space = rg_count_space_new();
    if (!space) {
        strcpy(err->message, "out of memory");
        return RG_ENOMEM;
    }
    bool capped = false;
    rg_status status =
        rg_count_patterns(s->out, s->data, 0, s->patterns, s->n, false, 20000, &capped, space, err);
    rg_count_space_free(space);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    test_graph graph = test_random(20, 0.4, 2, 2, 5);
    rg_pattern patterns[] = {shape("clique", 4), shape("cycle", 5), shape("path", 4),
                             parse("0 1; 1 2; 2 0; 2 3; 3 4; 4 5")};
    int64_t out[4 * PATTERNS_MOST];
    patterns_sweep s = {patterns_dataset(&graph, true), patterns, 4, out};
    test_graph_free(&graph);
    assert_true(test_allocation_sweep(count_all, &s) > 1);
    for (size_t k = 0; k < 4; k++)
        rg_free(patterns[k].text);
    rg_dataset_free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_numbers),
        cmocka_unit_test(all_patterns_of_up_to_5_nodes_equal_brute_force),
        cmocka_unit_test(formulas_equal_the_search),
        cmocka_unit_test(shapes_of_nauty_equal_brute_force),
        cmocka_unit_test(labelled_patterns_equal_brute_force),
        cmocka_unit_test(a_ring_of_carbons_is_found_and_one_with_nitrogen_is_not),
        cmocka_unit_test(stars_with_some_labels_end_soon),
        cmocka_unit_test(counts_do_not_depend_on_node_order),
        cmocka_unit_test(past_the_budget_all_nodes_are_capped),
        cmocka_unit_test(numbers_beyond_64_bits_are_capped),
        cmocka_unit_test(empty_graphs_and_lone_nodes_have_nothing),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
