/* test_dataset.c - building data sets: known answers, a brute-force twin, odd and bad input. */
#include "base/random.h"
#include "graph/raw.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

/* A raw set from small tables. */
typedef struct recipe {
    size_t n_graphs;
    const uint32_t *node_graph;
    size_t n_nodes;
    const uint32_t (*pairs)[2];
    size_t n_pairs;
    const int64_t *edge_labels; /* one a pair, or NULL */
    const int64_t *node_labels; /* one a node, or NULL */
    const int64_t *classes;     /* one a graph, or NULL */
} recipe;

static bool raw_fill(rg_raw *raw, const recipe *r)
{
    raw->n_graphs = r->n_graphs;
    bool fine = true;
    for (size_t k = 0; k < r->n_nodes; k++)
        fine = fine && rg_raw_add_node(raw, r->node_graph[k]);
    for (size_t k = 0; k < r->n_pairs; k++)
        fine = fine && rg_raw_add_pair(raw, r->pairs[k][0], r->pairs[k][1]);
    struct {
        rg_int_rows *rows;
        const int64_t *from;
        size_t n;
    } columns[] = {{&raw->edge_labels, r->edge_labels, r->n_pairs},
                   {&raw->node_labels, r->node_labels, r->n_nodes},
                   {&raw->classes, r->classes, r->n_graphs}};
    for (size_t c = 0; c < 3; c++)
        for (size_t k = 0; columns[c].from && fine && k < columns[c].n; k++) {
            int64_t *row = rg_int_rows_add(columns[c].rows, 1);
            fine = row != NULL;
            if (fine)
                *row = columns[c].from[k];
        }
    return fine;
}

static rg_status build(rg_dataset **out, const recipe *r, rg_error *err)
{
    rg_raw raw = {0};
    if (!raw_fill(&raw, r)) {
        rg_raw_free(&raw);
        strcpy(err->message, "raw_fill");
        return RG_ENOMEM;
    }
    return rg_dataset_build(out, &raw, err);
}

static void rings_and_tails_are_packed(void **state)
{
    (void)state;
    /* graph 0: path 0-1-2 listed one way, twice, unsorted, with a loop; graph 1: empty; graph 2: an
     * edge and an isolated node */
    const uint32_t graphs[] = {0, 0, 0, 2, 2, 2};
    const uint32_t pairs[][2] = {{2, 1}, {1, 2}, {0, 1}, {0, 1}, {1, 1}, {4, 5}, {5, 4}};
    const int64_t bonds[] = {7, 7, -1, -1, 3, 2, 2};
    const int64_t atoms[] = {6, 8, 6, 1, 6, 6};
    const int64_t classes[] = {-1, 1, -1};
    recipe r = {3, graphs, 6, pairs, 7, bonds, atoms, classes};
    rg_dataset *data = NULL;
    ASSERT_OK(build(&data, &r, err));
    assert_int_equal(rg_dataset_n_graphs(data), 3);
    assert_int_equal(rg_dataset_n_nodes(data), 6);
    assert_int_equal(rg_dataset_n_arcs(data), 6);
    rg_graph g = rg_dataset_graph(data, 0);
    assert_int_equal(g.n_nodes, 3);
    assert_int_equal(g.n_arcs, 4);
    const uint32_t neighbours[] = {1, 0, 2, 1};
    assert_memory_equal(g.col + g.row[0], neighbours, sizeof neighbours);
    assert_int_equal(rg_dataset_graph(data, 1).n_nodes, 0);
    g = rg_dataset_graph(data, 2);
    assert_int_equal(g.n_nodes, 3);
    assert_int_equal(g.first_node, 3);
    assert_int_equal(g.row[0], g.row[1]);
    assert_int_equal(g.col[g.row[1]], 2);

    const rg_quirks *q = rg_dataset_quirks(data);
    assert_int_equal(q->listed_edges, 7);
    assert_int_equal(q->duplicate_edges, 1);
    assert_int_equal(q->self_loops, 1);
    assert_int_equal(q->one_way_edges, 1);
    assert_int_equal(q->edge_conflicts, 0);
    assert_int_equal(q->unsorted_edges, 2);
    assert_int_equal(q->isolated_nodes, 1);
    assert_int_equal(q->empty_graphs, 1);
    assert_int_equal(q->label_gaps, 2);
    assert_int_equal(q->class_gaps, 1);

    size_t n;
    const int64_t *values = rg_dataset_values(data, RG_NODE_LABEL, 0, &n);
    assert_int_equal(n, 3);
    assert_int_equal(values[0], 1);
    assert_int_equal(values[2], 8);
    assert_int_equal(rg_dataset_ranks(data, RG_NODE_LABEL, 0)[1], 2);
    values = rg_dataset_values(data, RG_EDGE_LABEL, 0, &n);
    assert_int_equal(n, 3); /* the loop's label went with the loop */
    const uint32_t *bond = rg_dataset_ranks(data, RG_EDGE_LABEL, 0);
    const int64_t arcs[] = {-1, -1, 7, 7, 2, 2};
    for (size_t k = 0; k < 6; k++)
        assert_int_equal(values[bond[k]], arcs[k]);
    rg_column kind;
    ASSERT_OK(rg_dataset_target(&kind, data, RG_TARGET_AUTO, err));
    assert_int_equal(kind, RG_CLASS);
    rg_error err;
    assert_int_equal(rg_dataset_target(&kind, data, RG_TARGET_REAL, &err), RG_EDATA);
    assert_non_null(strstr(err.message, "classes only, expected real-valued targets"));
    rg_dataset_free(data);
}

static void first_listed_edge_label_wins_and_conflicts_are_counted(void **state)
{
    (void)state;
    const uint32_t graphs[] = {0, 0, 0};
    const uint32_t pairs[][2] = {{1, 0}, {0, 1}, {0, 1}, {1, 2}};
    const int64_t bonds[] = {5, 4, 3, 9};
    recipe r = {1, graphs, 3, pairs, 4, bonds, NULL, NULL};
    rg_dataset *data = NULL;
    ASSERT_OK(build(&data, &r, err));
    size_t n;
    const int64_t *values = rg_dataset_values(data, RG_EDGE_LABEL, 0, &n);
    const uint32_t *bond = rg_dataset_ranks(data, RG_EDGE_LABEL, 0);
    assert_int_equal(values[bond[0]], 5);
    assert_int_equal(values[bond[1]], 5);
    assert_int_equal(values[bond[2]], 9);
    assert_int_equal(rg_dataset_quirks(data)->edge_conflicts, 2);
    rg_dataset_free(data);
}

static void nodes_of_a_graph_need_not_stand_together(void **state)
{
    (void)state;
    const uint32_t mixed[] = {1, 0, 1, 0, 1}, sorted[] = {0, 0, 1, 1, 1};
    const uint32_t mixed_pairs[][2] = {{0, 2}, {2, 4}, {1, 3}},
                   sorted_pairs[][2] = {{0, 1}, {2, 3}, {3, 4}};
    const int64_t mixed_labels[] = {10, 0, 11, 1, 12}, sorted_labels[] = {0, 1, 10, 11, 12};
    recipe a = {2, mixed, 5, mixed_pairs, 3, NULL, mixed_labels, NULL};
    recipe b = {2, sorted, 5, sorted_pairs, 3, NULL, sorted_labels, NULL};
    rg_dataset *x = NULL, *y = NULL;
    ASSERT_OK(build(&x, &a, err));
    ASSERT_OK(build(&y, &b, err));
    char dx[RG_DIGEST_SIZE], dy[RG_DIGEST_SIZE];
    rg_dataset_digest(x, dx);
    rg_dataset_digest(y, dy);
    assert_string_equal(dx, dy);
    assert_int_equal(rg_dataset_quirks(x)->unsorted_nodes, 2);
    assert_int_equal(rg_dataset_quirks(y)->unsorted_nodes, 0);
    rg_dataset_free(x);
    rg_dataset_free(y);
}

/* The twin: a matrix of who is next to whom. */
static void random_edge_lists_agree_with_a_matrix(void **state)
{
    (void)state;
    enum { NODES = 12, PAIRS = 60 };
    for (uint64_t seed = 0; seed < 300; seed++) {
        uint32_t graphs[NODES], pairs[PAIRS][2];
        int64_t labels[PAIRS];
        int64_t first[NODES][NODES];
        bool listed[NODES][NODES] = {{false}};
        uint64_t loops = 0, repeats = 0, one_way = 0, conflicts = 0, n_edges = 0;
        memset(first, 0, sizeof first);
        size_t n_pairs = rg_random_below(seed, 0, 0, PAIRS + 1);
        for (size_t i = 0; i < NODES; i++)
            graphs[i] = i < 5 ? 0 : 1;
        for (size_t k = 0; k < n_pairs; k++) {
            uint32_t a = rg_random_below(seed, 1, k, NODES);
            uint32_t b =
                a < 5 ? rg_random_below(seed, 2, k, 5) : 5 + rg_random_below(seed, 2, k, 7);
            pairs[k][0] = a;
            pairs[k][1] = b;
            labels[k] = 1 + rg_random_below(seed, 3, k, 3);
            if (a == b) {
                loops++;
                continue;
            }
            repeats += listed[a][b];
            if (!first[a][b])
                first[a][b] = first[b][a] = labels[k];
            listed[a][b] = true;
        }
        /* A line disagrees with the edge, or with the line of its own direction that was kept. */
        bool seen[NODES][NODES] = {{false}};
        int64_t kept[NODES][NODES] = {{0}};
        for (size_t k = 0; k < n_pairs; k++) {
            uint32_t a = pairs[k][0], b = pairs[k][1];
            if (a == b)
                continue;
            if (seen[a][b])
                conflicts += labels[k] != kept[a][b];
            else
                kept[a][b] = labels[k];
            seen[a][b] = true;
        }
        for (size_t a = 0; a < NODES; a++)
            for (size_t b = a + 1; b < NODES; b++) {
                one_way += listed[a][b] != listed[b][a];
                n_edges += listed[a][b] || listed[b][a];
                conflicts += listed[a][b] && listed[b][a] && kept[a][b] != kept[b][a];
            }
        recipe r = {2, graphs, NODES, pairs, n_pairs, labels, NULL, NULL};
        rg_dataset *data = NULL;
        ASSERT_OK(build(&data, &r, err));
        const rg_quirks *q = rg_dataset_quirks(data);
        assert_int_equal(q->self_loops, loops);
        assert_int_equal(q->duplicate_edges, repeats);
        assert_int_equal(q->one_way_edges, one_way);
        assert_int_equal(q->edge_conflicts, conflicts);
        assert_int_equal(rg_dataset_n_arcs(data), 2 * n_edges);
        for (size_t which = 0; which < 2; which++) {
            rg_graph g = rg_dataset_graph(data, which);
            uint64_t k = g.row[0];
            for (uint32_t i = 0; i < g.n_nodes; i++)
                for (uint32_t j = 0; j < g.n_nodes; j++) {
                    int64_t label = first[i + g.first_node][j + g.first_node];
                    if (i == j || !label)
                        continue;
                    assert_true(k < g.row[i + 1]);
                    assert_int_equal(g.col[k], j);
                    size_t n;
                    const int64_t *values = rg_dataset_values(data, RG_EDGE_LABEL, 0, &n);
                    assert_int_equal(values[rg_dataset_ranks(data, RG_EDGE_LABEL, 0)[k]], label);
                    k++;
                }
        }
        rg_dataset_free(data);
    }
}

static void labels_far_apart_keep_their_values(void **state)
{
    (void)state;
    const uint32_t graphs[] = {0, 0, 0, 0};
    const int64_t labels[] = {INT64_MAX, INT64_MIN + 1, 0, INT64_MAX};
    recipe r = {1, graphs, 4, NULL, 0, NULL, labels, NULL};
    rg_dataset *data = NULL;
    ASSERT_OK(build(&data, &r, err));
    size_t n;
    const int64_t *values = rg_dataset_values(data, RG_NODE_LABEL, 0, &n);
    assert_int_equal(n, 3);
    for (size_t k = 0; k < 4; k++)
        assert_true(values[rg_dataset_ranks(data, RG_NODE_LABEL, 0)[k]] == labels[k]);
    rg_dataset_free(data);
}

static void a_class_that_is_missing_is_counted(void **state)
{
    (void)state;
    const int64_t classes[] = {4, RG_MISSING, 2};
    recipe r = {3, NULL, 0, NULL, 0, NULL, NULL, classes};
    rg_dataset *data = NULL;
    ASSERT_OK(build(&data, &r, err));
    const uint32_t *ranks = rg_dataset_ranks(data, RG_CLASS, 0);
    assert_int_equal(ranks[0], 1);
    assert_true(ranks[1] == RG_NO_CLASS);
    assert_int_equal(ranks[2], 0);
    assert_int_equal(rg_dataset_quirks(data)->missing_targets, 1);
    rg_dataset_free(data);
}

static void every_part_of_the_content_is_in_the_digest(void **state)
{
    (void)state;
    const uint32_t graphs[] = {0, 0, 0}, other_graphs[] = {0, 0, 1};
    const uint32_t pairs[][2] = {{0, 1}}, other_pairs[][2] = {{1, 0}}, more_pairs[][2] = {{0, 2}};
    const int64_t labels[] = {1, 2, 3}, other_labels[] = {1, 2, 4};
    const int64_t bond[] = {1}, other_bond[] = {2};
    const int64_t classes[] = {0, 1}, other_classes[] = {1, 0};
    const recipe base = {2, graphs, 3, pairs, 1, bond, labels, classes};
    recipe others[6];
    for (size_t k = 0; k < 6; k++)
        others[k] = base;
    others[0].pairs = other_pairs; /* the same edge: the same digest */
    others[1].pairs = more_pairs;
    others[2].node_labels = other_labels;
    others[3].edge_labels = other_bond;
    others[4].classes = other_classes;
    others[5].node_graph = other_graphs;
    char first[RG_DIGEST_SIZE], digest[RG_DIGEST_SIZE];
    rg_dataset *data = NULL;
    ASSERT_OK(build(&data, &base, err));
    rg_dataset_digest(data, first);
    rg_dataset_free(data);
    for (size_t k = 0; k < 6; k++) {
        ASSERT_OK(build(&data, &others[k], err));
        rg_dataset_digest(data, digest);
        if (k == 0)
            assert_string_equal(digest, first);
        else
            assert_string_not_equal(digest, first);
        rg_dataset_free(data);
    }
}

static void bad_sets_are_refused(void **state)
{
    (void)state;
    static const uint32_t graphs[] = {0, 0, 1}, bad_graph[] = {0, 0, 2};
    static const uint32_t across[][2] = {{0, 1}, {1, 2}}, beyond[][2] = {{0, 3}};
    const struct {
        recipe r;
        const char *message;
    } cases[] = {
        {{2, graphs, 3, across, 2, NULL, NULL, NULL},
         "edges:6: found an edge from node 2 of graph 1 to node 3 of graph 2, expected both in "
         "one"},
        {{2, graphs, 3, beyond, 1, NULL, NULL, NULL},
         "edges:5: found node 4, expected a node 1..3"},
        {{2, bad_graph, 3, NULL, 0, NULL, NULL, NULL},
         "found graph 2 for node 2, expected one of 2"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_raw raw = {.pair_first_line = 5, .pair_base = 1};
        rg_dataset *data = NULL;
        rg_error err = {""};
        assert_true(raw_fill(&raw, &cases[k].r));
        assert_int_equal(rg_dataset_build(&data, &raw, &err), RG_EDATA);
        assert_null(data);
        if (!strstr(err.message, cases[k].message))
            fail_msg("case %zu: '%s' lacks '%s'", k, err.message, cases[k].message);
    }
}

static void wrong_numbers_of_rows_are_refused(void **state)
{
    (void)state;
    for (size_t which = 0; which < 3; which++) {
        static const uint32_t graphs[] = {0, 0, 1};
        static const uint32_t pairs[][2] = {{0, 1}};
        static const int64_t twos[] = {2, 2, 2};
        recipe r = {2, graphs, 3, pairs, 1, twos, twos, twos};
        rg_raw raw = {0};
        rg_error err = {""};
        rg_dataset *data = NULL;
        assert_true(raw_fill(&raw, &r));
        rg_int_rows *rows[] = {&raw.node_labels, &raw.edge_labels, &raw.classes};
        assert_non_null(rg_int_rows_add(rows[which], 1));
        assert_int_equal(rg_dataset_build(&data, &raw, &err), RG_EDATA);
        assert_non_null(strstr(err.message, "expected"));
    }
}

static void a_label_cannot_be_missing(void **state)
{
    (void)state;
    const uint32_t graphs[] = {0, 0};
    const uint32_t pairs[][2] = {{0, 1}};
    const int64_t labels[] = {0, RG_MISSING}, bond[] = {RG_MISSING};
    recipe cases[] = {{1, graphs, 2, pairs, 1, NULL, labels, NULL},
                      {1, graphs, 2, pairs, 1, bond, NULL, NULL}};
    const char *messages[] = {"found node 1 without a label", "found edge 0 without a label"};
    for (size_t k = 0; k < 2; k++) {
        rg_dataset *data = NULL;
        rg_error err = {""};
        assert_int_equal(build(&data, &cases[k], &err), RG_EDATA);
        assert_non_null(strstr(err.message, messages[k]));
    }
}

static rg_status build_and_free(void *context, rg_error *err)
{
    rg_dataset *data = NULL;
    rg_status status = build(&data, context, err);
    rg_dataset_free(data);
    return status;
}

static void building_survives_every_failed_allocation(void **state)
{
    (void)state;
    const uint32_t graphs[] = {1, 0, 1, 0, 1};
    const uint32_t pairs[][2] = {{0, 2}, {2, 4}, {1, 3}, {3, 1}};
    const int64_t labels[] = {10, 0, 11, 1, 12}, bonds[] = {1, 2, 3, 1};
    const int64_t classes[] = {100000000000, -5};
    recipe r = {2, graphs, 5, pairs, 4, bonds, labels, classes};
    assert_true(test_allocation_sweep(build_and_free, &r) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_and_tails_are_packed),
        cmocka_unit_test(first_listed_edge_label_wins_and_conflicts_are_counted),
        cmocka_unit_test(nodes_of_a_graph_need_not_stand_together),
        cmocka_unit_test(random_edge_lists_agree_with_a_matrix),
        cmocka_unit_test(labels_far_apart_keep_their_values),
        cmocka_unit_test(a_class_that_is_missing_is_counted),
        cmocka_unit_test(every_part_of_the_content_is_in_the_digest),
        cmocka_unit_test(bad_sets_are_refused),
        cmocka_unit_test(wrong_numbers_of_rows_are_refused),
        cmocka_unit_test(a_label_cannot_be_missing),
        cmocka_unit_test(building_survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
