/* test_wl.c - Weisfeiler-Leman labels against trees that are unfolded and compared one by one. */
#include "support/graphs.h"
#include "support/labelings.h"

/* The slow twin: do the trees that unfold from u and from v to this depth look alike? Being alike
 * is an equivalence, so that each branch of one may take any branch of the other that is like it.
 */
typedef struct wl_twin {
    const rg_dataset *data;
    const uint32_t *first;           /* what refinement starts from, by node of the set */
    const uint32_t *edge_ranks;      /* NULL: edges have no labels */
    uint64_t *graph_of, *first_node; /* by node of the set */
} wl_twin;

static wl_twin wl_twin_new(const rg_dataset *data, const uint32_t *first, bool edges)
{
    size_t n = (size_t)rg_dataset_n_nodes(data);
    wl_twin t = {.data = data, .first = first};
    t.graph_of = calloc(n + 1, sizeof *t.graph_of);
    t.first_node = calloc(n + 1, sizeof *t.first_node);
    assert_true(t.graph_of && t.first_node);
    t.edge_ranks = edges ? rg_dataset_ranks(data, RG_EDGE_LABEL, 0) : NULL;
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            t.graph_of[graph.first_node + i] = g;
            t.first_node[graph.first_node + i] = graph.first_node;
        }
    }
    return t;
}

static void wl_twin_free(wl_twin *t)
{
    free(t->graph_of);
    free(t->first_node);
}

static bool alike(const wl_twin *t, uint64_t u, uint64_t v, unsigned depth)
{
    if (t->first[u] != t->first[v])
        return false;
    if (depth == 0)
        return true;
    rg_graph a = rg_dataset_graph(t->data, t->graph_of[u]);
    rg_graph b = rg_dataset_graph(t->data, t->graph_of[v]);
    uint64_t p = a.row[u - a.first_node], q = b.row[v - b.first_node];
    uint64_t n = a.row[u - a.first_node + 1] - p;
    if (b.row[v - b.first_node + 1] - q != n)
        return false;
    bool taken[64] = {false};
    assert_true(n <= 64);
    for (uint64_t k = 0; k < n; k++) {
        uint64_t j = 0;
        for (; j < n; j++)
            if (!taken[j] && (!t->edge_ranks || t->edge_ranks[p + k] == t->edge_ranks[q + j]) &&
                alike(t, a.first_node + a.col[p + k], b.first_node + b.col[q + j], depth - 1))
                break;
        if (j == n)
            return false;
        taken[j] = true;
    }
    return true;
}

/* Labels are equal exactly where the trees are alike. */
static void assert_twins(const rg_dataset *data, const char *from, unsigned depth, bool edges)
{
    size_t n = (size_t)rg_dataset_n_nodes(data);
    char *spec =
        test_format("wl(depth=%u, from=%s, edges=%s)", depth, from, edges ? "true" : "false");
    rg_labels *first = NULL, *labels = NULL;
    rg_labeling *start = test_fit(&first, from, data), *labeling = test_fit(&labels, spec, data);
    wl_twin t = wl_twin_new(data, rg_labels_data(first), edges);
    const uint32_t *label = rg_labels_data(labels);
    for (size_t u = 0; u < n; u++)
        for (size_t v = 0; v < u; v++)
            if ((label[u] == label[v]) != alike(&t, u, v, depth))
                fail_msg("%s: nodes %zu and %zu", spec, u, v);
    wl_twin_free(&t);
    free(spec);
    rg_labels_free(first);
    rg_labels_free(labels);
    rg_labeling_free(start);
    rg_labeling_free(labeling);
}

static void labels_are_equal_where_unfolded_trees_are(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        rg_dataset *data = test_random_set(16, 8, seed);
        for (unsigned depth = 0; depth <= 3; depth++) {
            assert_twins(data, "degree", depth, false);
            assert_twins(data, "node", depth, false);
            assert_twins(data, "node", depth, true);
            assert_twins(data, "trivial", depth, true);
        }
        rg_dataset_free(data);
    }
}

/* With many neighbours a node keys are put together in another way. */
static void labels_of_dense_graphs_are_right_too(void **state)
{
    (void)state;
    enum { N = 4 };
    test_graph graphs[N];
    for (uint32_t g = 0; g < N; g++)
        graphs[g] = test_random(20 + 5 * g, 0.8, 2, 2, 7 + g);
    rg_dataset *data = test_set_of(graphs, N);
    assert_true(rg_dataset_n_arcs(data) / rg_dataset_n_nodes(data) > 16);
    for (unsigned depth = 0; depth <= 2; depth++) {
        assert_twins(data, "degree", depth, false);
        assert_twins(data, "node", depth, false);
        assert_twins(data, "trivial", depth, false);
    }
    assert_twins(data, "node", 1, true);
    rg_dataset_free(data);
    for (uint32_t g = 0; g < N; g++)
        test_graph_free(&graphs[g]);
}

/* All graphs with n nodes in one set: the labels must part them all. */
static void every_small_graph_has_the_labels_of_its_trees(void **state)
{
    (void)state;
    bool found = false;
    for (uint32_t n = 1; n <= 7; n++) {
        size_t count;
        test_graph *graphs = test_all_graphs(n, &count);
        if (!graphs)
            continue;
        found = true;
        rg_dataset *data = test_set_of(graphs, count);
        for (unsigned depth = n < 7 ? 0 : 2; depth <= (n < 7 ? 3 : 2); depth++)
            assert_twins(data, "degree", depth, false);
        rg_dataset_free(data);
        for (size_t k = 0; k < count; k++)
            test_graph_free(&graphs[k]);
        free(graphs);
    }
    if (!found)
        skip();
}

/* More rounds than the diameter change nothing any more: the partition is stable. */
static void refinement_comes_to_an_end(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(20, 9, 8);
    rg_labels *some = NULL, *many = NULL;
    rg_labeling *a = test_fit(&some, "wl(depth=9)", data),
                *b = test_fit(&many, "wl(depth=64)", data);
    assert_int_equal(rg_labeling_seen(a), rg_labeling_seen(b));
    rg_labels_free(some);
    rg_labels_free(many);
    rg_labeling_free(a);
    rg_labeling_free(b);
    rg_dataset_free(data);
}

/* A node with more neighbours than are sorted by insertion. */
static void nodes_with_many_neighbours_are_sorted_too(void **state)
{
    (void)state;
    test_graph graphs[] = {test_graph_new(61), test_graph_new(61)};
    for (uint32_t i = 1; i <= 60; i++) {
        graphs[0].node[i] = i % 7;
        graphs[1].node[61 - i] = i % 7;
        test_edge(&graphs[0], 0, i, i % 2);
        test_edge(&graphs[1], 0, 61 - i, i % 2);
    }
    rg_dataset *data = test_set_of(graphs, 2);
    static const char *const specs[] = {"wl(depth=1, from=node)",
                                        "wl(depth=2, from=node, edges=true)"};
    for (size_t k = 0; k < 2; k++) {
        rg_labels *labels = NULL;
        rg_labeling *labeling = test_fit(&labels, specs[k], data);
        assert_int_equal(rg_labels_data(labels)[0], rg_labels_data(labels)[61]);
        assert_int_equal(rg_labeling_seen(labeling), k ? 15 : 8);
        rg_labels_free(labels);
        rg_labeling_free(labeling);
    }
    rg_dataset_free(data);
    test_graph_free(&graphs[0]);
    test_graph_free(&graphs[1]);
}

/* Numbers of labels that were published, or counted by brute force elsewhere. */
static void real_sets_have_as_many_labels_as_published(void **state)
{
    (void)state;
    static const struct {
        const char *file, *spec;
        uint32_t labels;
    } cases[] = {
        {"NCI1.zip", "wl(depth=2, from=degree)", 2109},
        {"NCI109.zip", "wl(depth=2, from=degree)", 2167},
        {"Mutagenicity.zip", "wl(depth=2, from=degree)", 2485},
        {"DHFR.zip", "wl(depth=3, from=degree)", 2021},
        {"IMDB-BINARY.zip", "wl(depth=2, from=degree)", 3595},
        {"IMDB-BINARY.zip", "pattern(triangle, edge)", 694},
        {"IMDB-BINARY.zip", "cycles(kind=induced, max=5)", 487},
        {"IMDB-MULTI.zip", "pattern(triangle, edge)", 525},
        {"DHFR.zip", "cycles(kind=simple, max=10)", 37},
        {"CSL.zip", "cycles(kind=simple, max=10)", 10},
        {"Snowflakes.zip", "pattern(cycle(4), cycle(5))", 9},
    };
    size_t checked = 0;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *path = test_data(cases[k].file);
        if (!path)
            continue;
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
        rg_labels *labels = NULL;
        rg_labeling *labeling = test_fit(&labels, cases[k].spec, data);
        if (rg_labeling_seen(labeling) != cases[k].labels || rg_labels_n_capped(labels))
            fail_msg("%s, %s: %u labels, expected %u", cases[k].file, cases[k].spec,
                     rg_labeling_seen(labeling), cases[k].labels);
        rg_labels_free(labels);
        rg_labeling_free(labeling);
        rg_dataset_free(data);
        free(path);
        checked++;
    }
    if (!checked)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_equal_where_unfolded_trees_are),
        cmocka_unit_test(labels_of_dense_graphs_are_right_too),
        cmocka_unit_test(every_small_graph_has_the_labels_of_its_trees),
        cmocka_unit_test(refinement_comes_to_an_end),
        cmocka_unit_test(nodes_with_many_neighbours_are_sorted_too),
        cmocka_unit_test(real_sets_have_as_many_labels_as_published),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
