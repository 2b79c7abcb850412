/* test_property_space.c - spaces: from graph to graph, large and dense graphs, failing memory. */
#include "base/random.h"
#include "spaces.h"

#include <time.h>

/* Small after large, large after small: nothing of one graph is left in the next. */
static void a_space_goes_from_graph_to_graph(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {3, 0, 90, 5, 1, 200, 200, 4};
    enum { N_GRAPHS = 8 };
    test_graph graphs[N_GRAPHS];
    for (size_t g = 0; g < N_GRAPHS; g++)
        graphs[g] = sizes[g] > 2 ? test_ring(sizes[g]) : test_graph_new(sizes[g]);
    rg_dataset *data = test_dataset(graphs, N_GRAPHS, NULL);
    for (size_t g = 0; g < N_GRAPHS; g++)
        test_graph_free(&graphs[g]);
    for (unsigned kind = 0; kind < RG_PROPERTY_POS; kind++) {
        if (kind == RG_PROPERTY_BOND || kind == RG_PROPERTY_BONDS)
            continue;
        rg_property property = rg_property_default((rg_property_kind)kind);
        rg_property_space *walking = test_space(data, property);
        for (size_t g = 0; g < N_GRAPHS; g++) {
            rg_property_space *fresh = NULL;
            ASSERT_OK(rg_property_space_new(&fresh, &property, data, err));
            ASSERT_OK(rg_property_space_graph(fresh, g, err));
            ASSERT_OK(rg_property_space_graph(walking, g, err));
            for (uint32_t i = 0; i < sizes[g]; i++) {
                rg_property_row x = rg_property_list(fresh, i, INT64_MIN, INT64_MAX);
                rg_property_row y = rg_property_list(walking, i, INT64_MIN, INT64_MAX);
                assert_int_equal(x.n, y.n);
                assert_memory_equal(x.j, y.j, x.n * sizeof *x.j);
                assert_memory_equal(x.value, y.value, x.n * sizeof *x.value);
            }
            rg_property_space_free(fresh);
        }
        rg_property_space_free(walking);
    }
    rg_dataset_free(data);
}

static void a_listed_row_outlives_questions_about_other_pairs(void **state)
{
    (void)state;
    static const uint32_t ring[][2] = {{0, 1}, {1, 2}, {2, 3}, {3, 4},
                                       {4, 5}, {5, 6}, {6, 7}, {7, 0}};
    rg_dataset *data = test_dataset_of_edges(8, ring, NULL, 8);
    rg_property_space *space = test_space(data, (rg_property){RG_PROPERTY_DIST, 4});
    rg_property_row row = rg_property_list(space, 0, 1, 2);
    assert_int_equal(rg_property_value(space, 0, 4), 4);
    assert_int_equal(rg_property_value(space, 5, 4), 1);
    static const uint32_t j[] = {1, 2, 6, 7};
    static const int64_t value[] = {1, 2, 2, 1};
    assert_int_equal(row.n, 4);
    assert_memory_equal(row.j, j, sizeof j);
    assert_memory_equal(row.value, value, sizeof value);
    rg_property_space_free(space);
    rg_dataset_free(data);
}

/* Of the processor: what else runs on the machine must not count. */
static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void a_star_with_5000_leaves_is_no_trouble(void **state)
{
    (void)state;
    enum { LEAVES = 5000 };
    uint32_t(*pairs)[2] = malloc(LEAVES * sizeof *pairs);
    assert_non_null(pairs);
    for (uint32_t k = 0; k < LEAVES; k++) {
        pairs[k][0] = LEAVES;
        pairs[k][1] = k;
    }
    rg_dataset *data = test_dataset_of_edges(LEAVES + 1, (const uint32_t(*)[2])pairs, NULL, LEAVES);
    free(pairs);
    const struct {
        rg_property property;
        size_t leaf, centre; /* sizes of rows */
    } cases[] = {
        {{RG_PROPERTY_DIST, 1}, 2, LEAVES + 1}, {{RG_PROPERTY_DIST, 2}, LEAVES + 1, LEAVES + 1},
        {{RG_PROPERTY_EDGE, 0}, 1, LEAVES},     {{RG_PROPERTY_SAME_CYCLE, 32}, 0, 0},
        {{RG_PROPERTY_COMMON, 0}, LEAVES, 1},   {{RG_PROPERTY_DEGREE, 0}, 1, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_property_space *space = test_space(data, cases[k].property);
        for (uint32_t i = 0; i <= LEAVES; i += 50) {
            rg_property_row row = rg_property_list(space, i, INT64_MIN, INT64_MAX);
            assert_int_equal(row.n, i < LEAVES ? cases[k].leaf : cases[k].centre);
            for (size_t r = 1; r < row.n; r++)
                assert_true(row.j[r - 1] < row.j[r]);
        }
        rg_property_space_free(space);
    }
    rg_dataset_free(data);
}

/* A path, or a ring, of 100,000 nodes in shuffled order: rows stay small, nothing is n x n. */
static void long_paths_cost_what_their_rows_hold(void **state)
{
    (void)state;
    enum { NODES = 100000 };
    uint32_t *name = malloc(NODES * sizeof *name), (*pairs)[2] = malloc(NODES * sizeof *pairs);
    assert_true(name && pairs);
    for (uint32_t i = 0; i < NODES; i++)
        name[i] = i;
    rg_random_shuffle(7, 0, name, NODES);
    for (uint32_t k = 0; k < NODES; k++) {
        pairs[k][0] = name[k];
        pairs[k][1] = name[(k + 1) % NODES];
    }
    for (size_t ring = 0; ring < 2; ring++) {
        rg_dataset *data =
            test_dataset_of_edges(NODES, (const uint32_t(*)[2])pairs, NULL, NODES - 1 + ring);
        double start = seconds();
        rg_property_space *dist = test_space(data, (rg_property){RG_PROPERTY_DIST, 3});
        rg_property_space *cycle = test_space(data, (rg_property){RG_PROPERTY_SAME_CYCLE, 12});
        size_t n = 0, on_cycle = 0;
        rg_fault_set(RG_FAULT_ALLOC, 0);
        for (uint32_t i = 0; i < NODES; i++) {
            n += rg_property_list(dist, i, 1, 3).n;
            on_cycle += rg_property_list(cycle, i, 1, 1).n;
        }
        assert_int_equal(rg_fault_calls(RG_FAULT_ALLOC), 0);
        assert_int_equal(n, 6 * NODES - (ring ? 0 : 12));
        assert_int_equal(on_cycle, 0);
        assert_int_equal(rg_property_range(cycle).high, ring);
        assert_true(seconds() - start < 10); /* far less; all pairs would take an hour */
        rg_property_space_free(dist);
        rg_property_space_free(cycle);
        rg_dataset_free(data);
    }
    free(name);
    free(pairs);
}

/* Enumerating the cycles of these would never end. */
static void dense_graphs_are_no_trouble(void **state)
{
    (void)state;
    enum { NODES = 120 };
    uint32_t(*pairs)[2] = malloc(NODES * NODES * sizeof *pairs);
    assert_non_null(pairs);
    for (uint32_t bipartite = 0; bipartite < 2; bipartite++) {
        size_t n = 0;
        for (uint32_t i = 0; i < NODES; i++)
            for (uint32_t j = i + 1; j < NODES; j++)
                if (!bipartite || (i + j) % 2) {
                    pairs[n][0] = i;
                    pairs[n++][1] = j;
                }
        rg_dataset *data = test_dataset_of_edges(NODES, (const uint32_t(*)[2])pairs, NULL, n);
        for (uint32_t k = 3; k <= 32; k += k < 5 ? 1 : 9) {
            rg_property_space *space = test_space(data, (rg_property){RG_PROPERTY_SAME_CYCLE, k});
            for (uint32_t i = 0; i < NODES; i += 7)
                assert_int_equal(rg_property_list(space, i, 1, 1).n,
                                 bipartite && k == 3 ? 0 : NODES);
            rg_property_space_free(space);
        }
        rg_dataset_free(data);
    }
    free(pairs);
}

/* Connections of the published models, counted by an independent program. */
static void real_sets_have_the_known_number_of_pairs(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t reach;
        uint64_t pairs;
    } cases[] = {{"NCI1.zip", 10, 3265454},
                 {"Mutagenicity.zip", 3, 1288350},
                 {"IMDB-BINARY.zip", 2, 472308}};
    size_t n_read = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *path = test_data(cases[k].name);
        if (!path)
            continue;
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
        rg_property_space *space =
            test_space(data, (rg_property){RG_PROPERTY_DIST, cases[k].reach});
        uint64_t pairs = 0;
        for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
            ASSERT_OK(rg_property_space_graph(space, g, err));
            for (uint32_t i = 0; i < rg_dataset_graph(data, g).n_nodes; i++)
                pairs += rg_property_list(space, i, 1, INT64_MAX).n;
        }
        assert_int_equal(pairs, cases[k].pairs);
        rg_property_space_free(space);
        rg_dataset_free(data);
        free(path);
        n_read++;
    }
    if (n_read == 0)
        skip();
}

/* Every allocation fails once; a space that could not go on answers for the graph it stands at. */
static rg_status walk_and_free(void *context, rg_error *err)
{
    const rg_dataset *data = context;
    for (unsigned kind = 0; kind < RG_PROPERTY_POS; kind++) {
        rg_property property = rg_property_default((rg_property_kind)kind);
        rg_property_space *space = NULL;
        rg_status status = rg_property_space_new(&space, &property, data, err);
        if (!status)
            status = rg_property_space_graph(space, 0, err);
        if (!status) {
            int64_t before = rg_property_value(space, 0, 1);
            status = rg_property_space_graph(space, 1, err);
            if (status)
                assert_true(rg_property_value(space, 0, 1) == before);
            else
                assert_true(rg_property_list(space, 3, INT64_MIN, INT64_MAX).n > 0);
        }
        rg_property_space_free(space);
        if (status)
            return status;
    }
    return RG_OK;
}

static void spaces_survive_every_failed_allocation(void **state)
{
    (void)state;
    test_graph graphs[] = {test_star(2), test_ring(5)};
    rg_dataset *data = test_dataset(graphs, 2, &(test_columns){.edges = {.step = 1, .first = 4}});
    test_graph_free(&graphs[0]);
    test_graph_free(&graphs[1]);
    assert_int_equal(test_allocation_sweep(walk_and_free, data), 3 * RG_PROPERTY_POS);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_space_goes_from_graph_to_graph),
        cmocka_unit_test(a_listed_row_outlives_questions_about_other_pairs),
        cmocka_unit_test(a_star_with_5000_leaves_is_no_trouble),
        cmocka_unit_test(long_paths_cost_what_their_rows_hold),
        cmocka_unit_test(dense_graphs_are_no_trouble),
        cmocka_unit_test(real_sets_have_the_known_number_of_pairs),
        cmocka_unit_test(spaces_survive_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
