/* test_reorder.c - the same data set in another order. */
#include "support/graphs.h"

#include "base/alloc.h"
#include "graph/reorder.h"

/* Graph 0: a path 0-1-2 with edge labels 3 and 2; graph 1: empty; graph 2: one node. */
static rg_dataset *known_set(void)
{
    test_graph graphs[] = {test_graph_new(3), test_graph_new(0), test_graph_new(1)};
    test_edge(&graphs[0], 0, 1, 0);
    test_edge(&graphs[0], 1, 2, 1);
    graphs[0].node[0] = 2;
    rg_dataset *data = test_set_with(graphs, 3, (const double[]){0.5, 1.5, 2.5, 3.5});
    for (size_t k = 0; k < 3; k++)
        test_graph_free(&graphs[k]);
    return data;
}

static int64_t value(const rg_dataset *data, rg_column kind, uint64_t item)
{
    return rg_dataset_values(data, kind, 0, &(size_t){0})[rg_dataset_ranks(data, kind, 0)[item]];
}

static void everything_goes_along(void **state)
{
    (void)state;
    rg_dataset *data = known_set(), *other = NULL;
    ASSERT_OK(
        rg_dataset_reorder(&other, data, (uint32_t[]){2, 0, 1}, (uint32_t[]){2, 0, 1, 0}, err));
    /* Now: the single node, then the path with old nodes 2, 0, 1, then the empty graph. */
    assert_int_equal(rg_dataset_n_graphs(other), 3);
    assert_int_equal(rg_dataset_graph(other, 0).n_nodes, 1);
    assert_int_equal(rg_dataset_graph(other, 2).n_nodes, 0);
    rg_graph path = rg_dataset_graph(other, 1);
    assert_int_equal(path.n_nodes, 3);
    assert_int_equal(path.n_arcs, 4);
    assert_int_equal(path.row[1] - path.row[0], 1);
    assert_int_equal(path.row[3] - path.row[2], 2); /* the middle is the last node now */
    assert_int_equal(path.col[path.row[0]], 2);
    static const int64_t labels[] = {NODE_VALUE(0), NODE_VALUE(0), NODE_VALUE(2), NODE_VALUE(0)};
    static const double attributes[] = {3.5, 2.5, 0.5, 1.5};
    for (size_t k = 0; k < 4; k++) {
        assert_int_equal(value(other, RG_NODE_LABEL, k), labels[k]);
        assert_true(rg_dataset_reals(other, RG_NODE_ATTRIBUTE)[k] == attributes[k]);
    }
    assert_int_equal(value(other, RG_EDGE_LABEL, path.row[0]), EDGE_VALUE(1));
    assert_int_equal(value(other, RG_EDGE_LABEL, path.row[1]), EDGE_VALUE(0));
    rg_dataset_free(data);
    rg_dataset_free(other);
}

static void no_order_and_the_order_back_give_the_same_content(void **state)
{
    (void)state;
    rg_dataset *data = test_random_set(20, 9, 4), *same = NULL, *other = NULL, *back = NULL;
    char before[RG_DIGEST_SIZE], after[RG_DIGEST_SIZE];
    rg_dataset_digest(data, before);
    ASSERT_OK(rg_dataset_reorder(&same, data, NULL, NULL, err));
    rg_dataset_digest(same, after);
    assert_string_equal(before, after);

    uint32_t *graphs = NULL, *nodes = NULL;
    size_t n = (size_t)rg_dataset_n_nodes(data);
    uint32_t graphs_back[20], *nodes_back = calloc(n + 1, sizeof *nodes_back);
    assert_non_null(nodes_back);
    ASSERT_OK(rg_dataset_shuffle(&graphs, &nodes, data, 4, err));
    ASSERT_OK(rg_dataset_reorder(&other, data, graphs, nodes, err));
    rg_dataset_digest(other, after);
    assert_string_not_equal(before, after);
    for (uint32_t k = 0; k < 20; k++) {
        rg_graph now = rg_dataset_graph(other, k), old = rg_dataset_graph(data, graphs[k]);
        graphs_back[graphs[k]] = k;
        assert_int_equal(now.n_nodes, old.n_nodes);
        for (uint32_t i = 0; i < now.n_nodes; i++)
            nodes_back[now.first_node + nodes[old.first_node + i]] = i;
    }
    ASSERT_OK(rg_dataset_reorder(&back, other, graphs_back, nodes_back, err));
    rg_dataset_digest(back, after);
    assert_string_equal(before, after);
    rg_free(graphs);
    rg_free(nodes);
    free(nodes_back);
    rg_dataset_free(data);
    rg_dataset_free(same);
    rg_dataset_free(other);
    rg_dataset_free(back);
}

static void classes_and_targets_stay_with_their_graphs(void **state)
{
    (void)state;
    rg_raw raw = {.n_graphs = 3};
    static const int64_t classes[] = {9, RG_MISSING, 4};
    for (uint32_t g = 0; g < 3; g++) {
        assert_true(rg_raw_add_node(&raw, g));
        *rg_int_rows_add(&raw.classes, 1) = classes[g];
        *rg_real_rows_add(&raw.targets, 1) = g / 4.0;
    }
    rg_dataset *data = NULL, *other = NULL;
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    ASSERT_OK(rg_dataset_reorder(&other, data, (uint32_t[]){1, 2, 0}, NULL, err));
    assert_int_equal(rg_dataset_ranks(other, RG_CLASS, 0)[0], RG_NO_CLASS);
    assert_int_equal(value(other, RG_CLASS, 1), 4);
    assert_int_equal(value(other, RG_CLASS, 2), 9);
    assert_true(rg_dataset_reals(other, RG_TARGET)[0] == 0.25);
    rg_dataset_free(data);
    rg_dataset_free(other);
}

static rg_status shuffle_all(void *context, rg_error *err)
{
    rg_dataset *other = NULL;
    uint32_t *graphs = NULL, *nodes = NULL;
    rg_status status = rg_dataset_shuffle(&graphs, &nodes, context, 1, err);
    if (!status)
        status = rg_dataset_reorder(&other, context, graphs, nodes, err);
    rg_free(graphs);
    rg_free(nodes);
    rg_dataset_free(other);
    return status;
}

static void memory_may_run_out_anywhere(void **state)
{
    (void)state;
    rg_dataset *data = known_set();
    assert_true(test_allocation_sweep(shuffle_all, data) > 5);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_goes_along),
        cmocka_unit_test(no_order_and_the_order_back_give_the_same_content),
        cmocka_unit_test(classes_and_targets_stay_with_their_graphs),
        cmocka_unit_test(memory_may_run_out_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
