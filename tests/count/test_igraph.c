/* test_igraph.c - counts through a node against igraph: cycles, patterns and cliques of every graph
 * with up to 7 nodes, and distances. igraph is an oracle here and linked into nothing else; the
 * program is built only where it is found (0.10 or later). */
/* opinion */
#include "base/alloc.h"
#include "count/pattern.h"
#include "support/graphs.h"

#include <igraph/igraph.h>

enum { MOST = 7, SHAPES = 9 };

static const struct {
    const char *shape;
    uint32_t size;
} shapes[SHAPES] = {{"cycle", 3}, {"cycle", 4}, {"cycle", 5},  {"cycle", 6}, {"cycle", 7},
                    {"path", 4},  {"star", 3},  {"clique", 4}, {"path", 5}};

typedef struct igraph_check {
    rg_count_space *space;
    rg_pattern patterns[SHAPES];
    igraph_t igraphs[SHAPES];
    double maps[SHAPES]; /* of each pattern onto itself */
    size_t n_graphs;
} igraph_check;

static void igraph_of(igraph_t *out, uint32_t n, bool (*edge)(const void *, uint32_t, uint32_t),
                      const void *context)
{
    igraph_vector_int_t edges;
    igraph_vector_int_init(&edges, 0);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (edge(context, i, j)) {
                igraph_vector_int_push_back(&edges, i);
                igraph_vector_int_push_back(&edges, j);
            }
    igraph_create(out, &edges, (igraph_integer_t)n, IGRAPH_UNDIRECTED);
    igraph_vector_int_destroy(&edges);
}

static bool graph_edge(const void *context, uint32_t i, uint32_t j)
{
    return test_joined(context, i, j);
}

static bool pattern_edge(const void *context, uint32_t i, uint32_t j)
{
    return ((const rg_pattern *)context)->edge[i][j];
}

/* counts[v]: maps of the pattern into the graph that use node v, by igraph's LAD. */
static void count_maps(double counts[MOST], const igraph_t *pattern, const igraph_t *graph,
                       bool induced)
{
    igraph_vector_int_list_t maps;
    igraph_bool_t any;
    for (size_t v = 0; v < MOST; v++)
        counts[v] = 0;
    if (igraph_vcount(pattern) > igraph_vcount(graph))
        return;
    igraph_vector_int_list_init(&maps, 0);
    assert_int_equal(igraph_subisomorphic_lad(pattern, graph, NULL, &any, NULL, &maps, induced, 0),
                     0);
    for (igraph_integer_t k = 0; k < igraph_vector_int_list_size(&maps); k++) {
        const igraph_vector_int_t *map = igraph_vector_int_list_get_ptr(&maps, k);
        for (igraph_integer_t p = 0; p < igraph_vector_int_size(map); p++)
            counts[VECTOR(*map)[p]]++;
    }
    igraph_vector_int_list_destroy(&maps);
}

static void compare_patterns(igraph_check *c, const test_graph *s, const rg_dataset *data,
                             const igraph_t *graph, bool induced)
{
    int64_t ours[MOST * SHAPES];
    bool capped = false;
    ASSERT_OK(rg_count_patterns(ours, data, 0, c->patterns, SHAPES, induced, (uint64_t)1 << 30,
                                &capped, c->space, err));
    assert_false(capped);
    for (size_t p = 0; p < SHAPES; p++) {
        double maps[MOST];
        count_maps(maps, &c->igraphs[p], graph, induced);
        for (uint32_t v = 0; v < s->n; v++)
            assert_true(maps[v] == c->maps[p] * (double)ours[v * SHAPES + p]);
    }
    rg_graph g = rg_dataset_graph(data, 0);
    int64_t cycles[MOST * 5];
    ASSERT_OK(
        rg_count_cycles(cycles, &g, 3, 7, induced, (uint64_t)1 << 30, &capped, c->space, err));
    for (uint32_t v = 0; v < s->n; v++)
        for (size_t k = 0; k < 5; k++)
            assert_int_equal(cycles[v * 5 + k], ours[v * SHAPES + k]);
}

static void compare_cliques(igraph_check *c, const test_graph *s, const rg_dataset *data,
                            const igraph_t *graph, bool maximal)
{
    int64_t ours[MOST * 5], theirs[MOST * 5] = {0};
    bool capped = false;
    rg_graph g = rg_dataset_graph(data, 0);
    ASSERT_OK(rg_count_cliques(ours, &g, 7, maximal, (uint64_t)1 << 30, &capped, c->space, err));
    assert_false(capped);
    igraph_vector_int_list_t cliques;
    igraph_vector_int_list_init(&cliques, 0);
    if (maximal)
        igraph_maximal_cliques(graph, &cliques, 3, 7);
    else
        igraph_cliques(graph, &cliques, 3, 7);
    for (igraph_integer_t k = 0; k < igraph_vector_int_list_size(&cliques); k++) {
        const igraph_vector_int_t *clique = igraph_vector_int_list_get_ptr(&cliques, k);
        igraph_integer_t size = igraph_vector_int_size(clique);
        for (igraph_integer_t i = 0; i < size; i++)
            theirs[VECTOR(*clique)[i] * 5 + size - 3]++;
    }
    igraph_vector_int_list_destroy(&cliques);
    for (size_t k = 0; k < s->n * (size_t)5; k++)
        assert_int_equal(ours[k], theirs[k]);
}

static void compare_distances(const test_graph *s, const rg_dataset *data, const igraph_t *graph)
{
    rg_property_space *space = NULL;
    rg_property dist = rg_property_default(RG_PROPERTY_DIST);
    igraph_matrix_t theirs;
    igraph_matrix_init(&theirs, 0, 0);
    igraph_distances(graph, &theirs, igraph_vss_all(), igraph_vss_all(), IGRAPH_ALL);
    ASSERT_OK(rg_property_space_new(&space, &dist, data, err));
    ASSERT_OK(rg_property_space_graph(space, 0, err));
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < s->n; j++) {
            double expected = MATRIX(theirs, i, j);
            int64_t ours = rg_property_value(space, i, j);
            assert_true(ours == RG_NO_VALUE ? expected == IGRAPH_INFINITY
                                            : (double)ours == expected);
        }
    rg_property_space_free(space);
    igraph_matrix_destroy(&theirs);
}

static void compare(test_graph *s, void *context)
{
    igraph_check *c = context;
    igraph_t graph;
    igraph_of(&graph, s->n, graph_edge, s);
    rg_dataset *data = test_dataset(s, 1, NULL);
    for (int flag = 0; flag < 2; flag++) {
        compare_patterns(c, s, data, &graph, flag);
        compare_cliques(c, s, data, &graph, flag);
    }
    compare_distances(s, data, &graph);
    rg_dataset_free(data);
    igraph_destroy(&graph);
    c->n_graphs++;
}

static void every_graph_with_up_to_seven_nodes_agrees_with_igraph(void **state)
{
    (void)state;
    igraph_check c = {.space = rg_count_space_new()};
    assert_non_null(c.space);
    for (size_t p = 0; p < SHAPES; p++) {
        double maps[MOST];
        ASSERT_OK(rg_pattern_shape(&c.patterns[p], shapes[p].shape, shapes[p].size, err));
        igraph_of(&c.igraphs[p], c.patterns[p].n_nodes, pattern_edge, &c.patterns[p]);
        count_maps(maps, &c.igraphs[p], &c.igraphs[p], false);
        c.maps[p] = maps[0];
    }
    size_t expected = 0;
    for (uint32_t n = 1; n <= MOST; n++)
        expected += test_each_graph(n, compare, &c);
    for (size_t p = 0; p < SHAPES; p++) {
        rg_free(c.patterns[p].text);
        igraph_destroy(&c.igraphs[p]);
    }
    rg_count_space_free(c.space);
    if (expected == 0)
        skip(); /* no geng */
    assert_int_equal(c.n_graphs, 1 + 2 + 4 + 11 + 34 + 156 + 1044);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_graph_with_up_to_seven_nodes_agrees_with_igraph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
