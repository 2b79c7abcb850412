/* test_property.c - properties of pairs: known answers, slow twins, order of nodes, odd graphs. */
#include "spaces.h"

enum { LARGEST = 12, NONE = 99 };

/* Labels with a gap and a sign. */
static int64_t label_of(const test_graph *g, uint32_t i, uint32_t j)
{
    return 8 - 7 * (int64_t)g->joined[i * g->n + j];
}

static rg_dataset *dataset_of(const test_graph *g)
{
    return test_dataset(g, 1, &(test_columns){.edges = {.step = -7, .first = 1}});
}

/* ---- the slow twins: all answers about a small graph */

typedef struct pair_answers {
    uint32_t dist[LARGEST][LARGEST];  /* NONE: not reachable */
    uint32_t cycle[LARGEST][LARGEST]; /* shortest cycle that holds both; NONE: there is none */
    uint32_t common[LARGEST][LARGEST];
    uint32_t degree[LARGEST];
} pair_answers;

/* Every simple path from `start` over larger nodes; where it closes, it is a cycle. */
static void follow(const test_graph *g, pair_answers *a, uint32_t path[LARGEST], uint32_t n,
                   unsigned on)
{
    uint32_t start = path[0], here = path[n - 1];
    if (n >= 3 && test_joined(g, here, start))
        for (uint32_t x = 0; x < n; x++)
            for (uint32_t y = 0; y < n; y++)
                if (n < a->cycle[path[x]][path[y]])
                    a->cycle[path[x]][path[y]] = n;
    for (uint32_t j = start + 1; j < g->n; j++)
        if (test_joined(g, here, j) && !(on >> j & 1)) {
            path[n] = j;
            follow(g, a, path, n + 1, on | 1u << j);
        }
}

static void answer(pair_answers *a, const test_graph *g)
{
    memset(a, 0, sizeof *a);
    for (uint32_t i = 0; i < g->n; i++)
        for (uint32_t j = 0; j < g->n; j++) {
            a->dist[i][j] = i == j ? 0 : test_joined(g, i, j) ? 1 : NONE;
            a->cycle[i][j] = NONE;
            a->degree[i] += test_joined(g, i, j);
            for (uint32_t v = 0; v < g->n; v++)
                a->common[i][j] += test_joined(g, i, v) && test_joined(g, j, v);
        }
    for (uint32_t v = 0; v < g->n; v++)
        for (uint32_t i = 0; i < g->n; i++)
            for (uint32_t j = 0; j < g->n; j++)
                if (a->dist[i][v] + a->dist[v][j] < a->dist[i][j])
                    a->dist[i][j] = a->dist[i][v] + a->dist[v][j];
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t path[LARGEST] = {i};
        follow(g, a, path, 1, 1u << i);
    }
}

static int64_t expected(const pair_answers *a, const test_graph *g, rg_property property,
                        uint32_t i, uint32_t j)
{
    switch (property.kind) {
    case RG_PROPERTY_DIST:
        return a->dist[i][j] == NONE || a->dist[i][j] > property.parameter ? RG_NO_VALUE
                                                                           : a->dist[i][j];
    case RG_PROPERTY_EDGE:
        return test_joined(g, i, j);
    case RG_PROPERTY_BOND:
        return test_joined(g, i, j) ? label_of(g, i, j) : RG_NO_VALUE;
    case RG_PROPERTY_SAME_CYCLE:
        return a->cycle[i][j] <= property.parameter;
    case RG_PROPERTY_COMMON:
        return a->common[i][j];
    default:
        return a->degree[i];
    }
}

/* A row within low..high against the twin; values are asked for before or after it. */
static void check_row(rg_property_space *space, const pair_answers *a, const test_graph *g,
                      rg_property property, uint32_t i, int64_t low, int64_t high)
{
    const rg_property_info *info = rg_property_describe(property.kind);
    rg_property_row row = rg_property_list(space, i, low, high);
    size_t n = 0;
    for (uint32_t j = 0; j < g->n; j++) {
        int64_t value = expected(a, g, property, i, j);
        if (rg_property_value(space, i, j) != value)
            fail_msg("%s(%u,%u; %u) is %lld, expected %lld", info->name, i, j, property.parameter,
                     (long long)rg_property_value(space, i, j), (long long)value);
        if (value == info->elsewhere || value < low || value > high ||
            (info->n_nodes == 1 && i != j))
            continue;
        assert_true(n < row.n);
        assert_int_equal(row.j[n], j);
        assert_true(row.value[n] == value);
        n++;
    }
    assert_int_equal(row.n, n);
}

static void check_property(const rg_dataset *data, const pair_answers *a, const test_graph *g,
                           rg_property property)
{
    static const int64_t ranges[][2] = {
        {INT64_MIN, INT64_MAX}, {0, 0}, {1, 1}, {1, 3}, {2, 4}, {3, 2}, {-5, -1}, {0, INT64_MAX}};
    rg_property_space *space = test_space(data, property);
    rg_property_bounds bounds = rg_property_range(space);
    for (uint32_t i = 0; i < g->n; i++) {
        for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
            check_row(space, a, g, property, i, ranges[k][0], ranges[k][1]);
        for (uint32_t j = 0; j < g->n; j++) {
            int64_t value = expected(a, g, property, i, j);
            assert_true(value == RG_NO_VALUE || (bounds.low <= value && value <= bounds.high));
            /* Columns rather than rows: i changes with every question. */
            assert_true(rg_property_value(space, j, i) == expected(a, g, property, j, i));
        }
    }
    rg_property_space_free(space);
}

static void check_graph(const test_graph *g)
{
    pair_answers a;
    answer(&a, g);
    rg_dataset *data = dataset_of(g);
    for (uint32_t k = 0; k <= 4; k++)
        check_property(data, &a, g, (rg_property){RG_PROPERTY_DIST, k == 4 ? RG_DIST_ANY : k});
    for (uint32_t k = 3; k <= g->n + 1 || k == 3; k++)
        check_property(data, &a, g, (rg_property){RG_PROPERTY_SAME_CYCLE, k});
    check_property(data, &a, g, (rg_property){RG_PROPERTY_SAME_CYCLE, 32});
    check_property(data, &a, g, (rg_property){RG_PROPERTY_EDGE, 0});
    if (rg_dataset_n_columns(data, RG_EDGE_LABEL))
        check_property(data, &a, g, (rg_property){RG_PROPERTY_BOND, 0});
    check_property(data, &a, g, (rg_property){RG_PROPERTY_COMMON, 0});
    check_property(data, &a, g, (rg_property){RG_PROPERTY_DEGREE, 0});
    rg_dataset_free(data);
}

/* ---- the tests */

/* Two rings of six that share the edge 4-5, a triangle behind the bridge 9-10, node 13 alone. */
static void a_molecule_gives_known_answers(void **state)
{
    (void)state;
    static const uint32_t pairs[][2] = {{0, 1}, {1, 2},  {2, 3},   {3, 4},   {4, 5},
                                        {5, 0}, {4, 6},  {6, 7},   {7, 8},   {8, 9},
                                        {9, 5}, {9, 10}, {10, 11}, {11, 12}, {12, 10}};
    static const int64_t bonds[] = {2, 1, 2, 1, 2, 1, 1, 2, 1, 2, 1, 1, -4, -4, -4};
    rg_dataset *data = test_dataset_of_edges(14, pairs, bonds, 15);
    const struct {
        rg_property property;
        uint32_t i, j;
        int64_t value;
    } cases[] = {
        {{RG_PROPERTY_DIST, RG_DIST_ANY}, 0, 0, 0},
        {{RG_PROPERTY_DIST, RG_DIST_ANY}, 2, 8, 5},
        {{RG_PROPERTY_DIST, RG_DIST_ANY}, 2, 12, 6},
        {{RG_PROPERTY_DIST, 6}, 2, 12, 6},
        {{RG_PROPERTY_DIST, 5}, 2, 12, RG_NO_VALUE},
        {{RG_PROPERTY_DIST, RG_DIST_ANY}, 2, 13, RG_NO_VALUE},
        {{RG_PROPERTY_DIST, 0}, 13, 13, 0},
        {{RG_PROPERTY_EDGE, 0}, 4, 5, 1},
        {{RG_PROPERTY_EDGE, 0}, 4, 9, 0},
        {{RG_PROPERTY_EDGE, 0}, 4, 4, 0},
        {{RG_PROPERTY_BOND, 0}, 4, 5, 2},
        {{RG_PROPERTY_BOND, 0}, 12, 10, -4},
        {{RG_PROPERTY_BOND, 0}, 4, 9, RG_NO_VALUE},
        {{RG_PROPERTY_BOND, 0}, 13, 13, RG_NO_VALUE},
        {{RG_PROPERTY_SAME_CYCLE, 6}, 0, 3, 1},
        {{RG_PROPERTY_SAME_CYCLE, 6}, 4, 5, 1},
        {{RG_PROPERTY_SAME_CYCLE, 5}, 4, 5, 0},
        {{RG_PROPERTY_SAME_CYCLE, 6}, 2, 7, 0},
        {{RG_PROPERTY_SAME_CYCLE, 9}, 2, 7, 0},
        {{RG_PROPERTY_SAME_CYCLE, 10}, 2, 7, 1},
        {{RG_PROPERTY_SAME_CYCLE, 32}, 9, 10, 0},
        {{RG_PROPERTY_SAME_CYCLE, 3}, 10, 10, 1},
        {{RG_PROPERTY_SAME_CYCLE, 32}, 13, 13, 0},
        {{RG_PROPERTY_COMMON, 0}, 4, 9, 1},
        {{RG_PROPERTY_COMMON, 0}, 4, 4, 3},
        {{RG_PROPERTY_COMMON, 0}, 4, 5, 0},
        {{RG_PROPERTY_DEGREE, 0}, 10, 3, 3},
        {{RG_PROPERTY_DEGREE, 0}, 13, 13, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_property_space *space = test_space(data, cases[k].property);
        int64_t value = rg_property_value(space, cases[k].i, cases[k].j);
        if (value != cases[k].value)
            fail_msg("case %zu: %lld", k, (long long)value);
        rg_property_space_free(space);
    }
    rg_dataset_free(data);
}

static void ranges_are_stated(void **state)
{
    (void)state;
    static const uint32_t triangle[][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 3}};
    static const int64_t bonds[] = {5, -2, 8, 8};
    static const struct {
        rg_property property;
        size_t n_pairs;
        rg_property_bounds bounds;
    } cases[] = {
        {{RG_PROPERTY_DIST, RG_DIST_ANY}, 4, {0, 4}}, {{RG_PROPERTY_DIST, 2}, 4, {0, 2}},
        {{RG_PROPERTY_EDGE, 0}, 4, {0, 1}},           {{RG_PROPERTY_EDGE, 0}, 0, {0, 0}},
        {{RG_PROPERTY_BOND, 0}, 4, {-2, 8}},          {{RG_PROPERTY_BOND, 0}, 1, {5, 5}},
        {{RG_PROPERTY_SAME_CYCLE, 6}, 4, {0, 1}},     {{RG_PROPERTY_SAME_CYCLE, 6}, 2, {0, 0}},
        {{RG_PROPERTY_COMMON, 0}, 4, {0, 3}},         {{RG_PROPERTY_COMMON, 0}, 0, {0, 0}},
        {{RG_PROPERTY_DEGREE, 0}, 4, {0, 3}},         {{RG_PROPERTY_DEGREE, 0}, 0, {0, 0}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_dataset *data = test_dataset_of_edges(5, triangle, bonds, cases[k].n_pairs);
        rg_property_space *space = test_space(data, cases[k].property);
        rg_property_bounds bounds = rg_property_range(space);
        if (bounds.low != cases[k].bounds.low || bounds.high != cases[k].bounds.high)
            fail_msg("case %zu: %lld..%lld", k, (long long)bounds.low, (long long)bounds.high);
        rg_property_space_free(space);
        rg_dataset_free(data);
    }
}

static void graphs_without_nodes_have_no_values(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_of_edges(0, NULL, NULL, 0);
    for (unsigned kind = 0; kind < RG_N_PROPERTIES; kind++) {
        if (kind == RG_PROPERTY_BOND || kind == RG_PROPERTY_BONDS || kind >= RG_PROPERTY_POS)
            continue; /* the last are for texts: tests/rule/test_rule_sequence.c */
        rg_property property = rg_property_default((rg_property_kind)kind);
        rg_property_space *space = test_space(data, property);
        rg_property_bounds bounds = rg_property_range(space);
        assert_true(bounds.low > bounds.high);
        rg_property_space_free(space);
    }
    rg_dataset_free(data);
}

static void random_graphs_agree_with_slow_twins(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 250; seed++) {
        test_graph g =
            test_random(1 + (uint32_t)(seed % 8), rg_random_unit(seed, 9, 0), 1, 3, seed);
        check_graph(&g);
        test_graph_free(&g);
    }
}

/* Where the second path has to take back part of the first, more than once: few edges, and in half
 * of the graphs a ring through all nodes, so that long cycles are many. */
static void sparse_graphs_agree_with_slow_twins(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++) {
        test_graph g = test_graph_new(LARGEST);
        for (uint32_t k = 0; k < LARGEST + seed % 6; k++) {
            uint32_t i = rg_random_below(seed, 4, k, LARGEST);
            uint32_t j = rg_random_below(seed, 5, k, LARGEST);
            if (i != j)
                test_edge(&g, i, j, 1);
        }
        if (seed % 2)
            test_cycle(&g, 0, LARGEST);
        check_graph(&g);
        test_graph_free(&g);
    }
}

static void every_graph_with_up_to_six_nodes_agrees_with_slow_twins(void **state)
{
    (void)state;
    static const size_t known[] = {1, 2, 4, 11, 34, 156};
    for (uint32_t n = 1; n <= 6; n++) {
        size_t count;
        test_graph *all = test_all_graphs(n, &count);
        if (!all)
            skip();
        assert_int_equal(count, known[n - 1]);
        for (size_t k = 0; k < count; k++) {
            check_graph(&all[k]);
            test_graph_free(&all[k]);
        }
        free(all);
    }
}

static void values_move_with_the_nodes(void **state)
{
    (void)state;
    for (uint64_t seed = 1000; seed < 1060; seed++) {
        test_graph g = test_random(LARGEST, rg_random_unit(seed, 9, 0), 1, 3, seed);
        uint32_t to[LARGEST];
        for (uint32_t i = 0; i < LARGEST; i++)
            to[i] = i;
        rg_random_shuffle(seed, 6, to, LARGEST);
        test_graph moved = test_renamed(&g, to);
        rg_dataset *x = dataset_of(&g), *y = dataset_of(&moved);
        for (unsigned kind = 0; kind < RG_PROPERTY_POS; kind++) {
            rg_property property = rg_property_default((rg_property_kind)kind);
            if (kind == RG_PROPERTY_BONDS ||
                (kind == RG_PROPERTY_BOND && !rg_dataset_n_columns(x, RG_EDGE_LABEL)))
                continue; /* test_paths.c has bonds, whose labels are few */
            rg_property_space *a = test_space(x, property), *b = test_space(y, property);
            for (uint32_t i = 0; i < LARGEST; i++)
                for (uint32_t j = 0; j < LARGEST; j++)
                    assert_true(rg_property_value(a, i, j) == rg_property_value(b, to[i], to[j]));
            rg_property_bounds p = rg_property_range(a), q = rg_property_range(b);
            assert_true(p.low == q.low && p.high == q.high);
            rg_property_space_free(a);
            rg_property_space_free(b);
        }
        rg_dataset_free(x);
        rg_dataset_free(y);
        test_graph_free(&g);
        test_graph_free(&moved);
    }
}

static void names_lead_to_kinds_and_back(void **state)
{
    (void)state;
    static const char *const names[] = {"dist",   "edge",   "bond",  "same_cycle",
                                        "common", "degree", "paths", "bonds",
                                        "marked", "pos",    "offset"};
    for (unsigned kind = 0; kind < RG_N_PROPERTIES; kind++) {
        const rg_property_info *info = rg_property_describe((rg_property_kind)kind);
        assert_string_equal(info->name, names[kind]);
        assert_int_equal(rg_property_find(names[kind]), kind);
        rg_property property = rg_property_default((rg_property_kind)kind);
        ASSERT_OK(rg_property_check(&property, NULL, err));
    }
    assert_int_equal(rg_property_find("distance"), RG_NO_PROPERTY);
    assert_int_equal(rg_property_find(""), RG_NO_PROPERTY);
}

static void bad_properties_are_refused(void **state)
{
    (void)state;
    static const uint32_t pairs[][2] = {{0, 1}};
    static const int64_t bond[] = {3};
    rg_dataset *sets[2] = {test_dataset_of_edges(2, pairs, NULL, 1),
                           test_dataset_of_edges(2, pairs, bond, 1)};
    static const struct {
        rg_property property;
        size_t set;
        rg_status status;
        const char *message;
    } cases[] = {
        {{RG_N_PROPERTIES, 0}, 0, RG_EUSAGE, "found property number 11, expected one below 11"},
        {{(rg_property_kind)77, 0},
         0,
         RG_EUSAGE,
         "found property number 77, expected one below 11"},
        {{RG_PROPERTY_SAME_CYCLE, 0}, 0, RG_EUSAGE, "same_cycle: found length 0, expected 3..32"},
        {{RG_PROPERTY_SAME_CYCLE, 2}, 0, RG_EUSAGE, "same_cycle: found length 2, expected 3..32"},
        {{RG_PROPERTY_SAME_CYCLE, 33}, 0, RG_EUSAGE, "same_cycle: found length 33, expected 3..32"},
        {{RG_PROPERTY_BOND, 0}, 0, RG_EDATA, "has no edge labels"},
        {{RG_PROPERTY_BOND, 1}, 1, RG_EDATA, "bond: found column 1, expected 0..0"},
        {{RG_PROPERTY_PATHS, 0}, 0, RG_EUSAGE, "paths: found cut-off 0, expected 1..4294967295"},
        {{RG_PROPERTY_BONDS, 226}, 1, RG_EUSAGE, "bonds: found cut-off 226, expected 1..225"},
        {{RG_PROPERTY_BONDS, 15}, 0, RG_EDATA, "' has no edge labels"},
        {{RG_PROPERTY_MARKED, 65}, 0, RG_EUSAGE, "marked: found depth 65, expected 0..64"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_property_space *space = NULL;
        rg_error err = {""};
        assert_int_equal(
            rg_property_space_new(&space, &cases[k].property, sets[cases[k].set], &err),
            cases[k].status);
        assert_null(space);
        if (!strstr(err.message, cases[k].message))
            fail_msg("case %zu: '%s' lacks '%s'", k, err.message, cases[k].message);
        assert_int_equal(rg_property_check(&cases[k].property, sets[cases[k].set], NULL),
                         cases[k].status);
    }
    for (size_t k = 0; k < 2; k++)
        rg_dataset_free(sets[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_molecule_gives_known_answers),
        cmocka_unit_test(ranges_are_stated),
        cmocka_unit_test(graphs_without_nodes_have_no_values),
        cmocka_unit_test(random_graphs_agree_with_slow_twins),
        cmocka_unit_test(sparse_graphs_agree_with_slow_twins),
        cmocka_unit_test(every_graph_with_up_to_six_nodes_agrees_with_slow_twins),
        cmocka_unit_test(values_move_with_the_nodes),
        cmocka_unit_test(names_lead_to_kinds_and_back),
        cmocka_unit_test(bad_properties_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
