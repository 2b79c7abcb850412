/* test_layout.c - points of graphs: rings round, honeycombs regular, nodes apart, the same bytes.
 */
#include "support/graphs.h"

#include "base/digest.h"
#include "layout/layout_component.h"
#include "layout/layout_turn.h"

/* ---- graphs */

/* Rings given as lists of nodes, each ended by -1; the list by another -1. */
static test_graph rings_of(uint32_t n, const int *nodes)
{
    test_graph g = test_graph_new(n);
    for (const int *first = nodes; *first >= 0;) {
        const int *p = first;
        for (; p[1] >= 0; p++)
            test_edge(&g, (uint32_t)p[0], (uint32_t)p[1], 0);
        test_edge(&g, (uint32_t)*p, (uint32_t)*first, 0);
        first = p + 2;
    }
    return g;
}

static const int naphthalene[] = {0, 1, 2, 3, 4, 5, -1, 4, 5, 6, 7, 8, 9, -1, -1};
static const int pyrene[] = {0, 1, 2,  3,  4,  5,  -1, 3,  4,  6,  7, 8, 9,  -1, 9,
                             3, 2, 10, 11, 12, -1, 12, 13, 14, 15, 8, 9, -1, -1};
/* indole: a ring of six and one of five */
static const int indole[] = {0, 1, 2, 3, 4, 5, -1, 4, 5, 6, 7, 8, -1, -1};

/* A random tree: node i hangs on one before it. */
static test_graph tree(uint32_t n, uint64_t seed)
{
    test_graph g = test_graph_new(n);
    for (uint32_t i = 1; i < n; i++)
        test_edge(&g, i, rg_random_below(seed, 1, i, i), 0);
    return g;
}

/* A benzene ring with a chain of three that carries leaves, and two nodes that hang on nothing. */
static test_graph molecule(void)
{
    test_graph g = test_graph_new(17);
    test_cycle(&g, 0, 6);
    for (uint32_t i = 1; i < 6; i++)
        test_edge(&g, i, 5 + i, 0);
    test_edge(&g, 0, 11, 0);
    test_edge(&g, 11, 12, 0);
    test_edge(&g, 11, 13, 0);
    test_edge(&g, 12, 14, 0);
    return g;
}

/* ---- measures */

/* Owned (free). */
static rg_point *lay(test_graph *g)
{
    rg_coloured view = test_view(g);
    rg_point *points = calloc(g->n + 1, sizeof *points);
    assert_non_null(points);
    ASSERT_OK(rg_graph_layout(points, &view.graph, err));
    return points;
}

static double closest(const rg_point *points, uint32_t n)
{
    double least = 1e9;
    for (uint32_t i = 0; i < n; i++) {
        assert_true(isfinite(points[i].x) && isfinite(points[i].y));
        assert_true(points[i].x >= 0 && points[i].y >= 0);
        for (uint32_t j = 0; j < i; j++) {
            double d = rg_point_distance(points[i], points[j]);
            least = d < least ? d : least;
        }
    }
    return least;
}

/* The largest |length - 1| of an edge. */
static double unevenness(const rg_graph *g, const rg_point *points)
{
    double most = 0;
    for (uint32_t i = 0; i < g->n_nodes; i++)
        for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++) {
            double off = fabs(rg_point_distance(points[i], points[g->col[k]]) - 1);
            most = off > most ? off : most;
        }
    return most;
}

/* How far the n points are from a circle around their middle, in parts of its radius. */
static double out_of_round(const rg_point *points, const int *nodes, uint32_t n)
{
    rg_point middle = {0, 0};
    double least = 1e9, most = 0;
    for (uint32_t k = 0; k < n; k++) {
        rg_point p = points[nodes ? (uint32_t)nodes[k] : k];
        middle = (rg_point){middle.x + p.x / n, middle.y + p.y / n};
    }
    for (uint32_t k = 0; k < n; k++) {
        double d = rg_point_distance(points[nodes ? (uint32_t)nodes[k] : k], middle);
        least = d < least ? d : least;
        most = d > most ? d : most;
    }
    return (most - least) / most;
}

/* ---- tests */

static void rings_are_circles(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {3, 4, 5, 6, 7, 8, 9, 11, 12, 16, 25, 50, 100, 400};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        test_graph g = test_ring(sizes[k]);
        rg_coloured view = test_view(&g);
        rg_point *points = lay(&g);
        assert_true(out_of_round(points, NULL, g.n) < 0.02);
        assert_true(unevenness(&view.graph, points) < 0.02);
        free(points);
        test_graph_free(&g);
    }
}

static void rings_that_share_an_edge_are_regular_polygons(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        const int *rings;
    } cases[] = {{10, naphthalene}, {16, pyrene}, {9, indole}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_graph g = rings_of(cases[k].n, cases[k].rings);
        rg_coloured view = test_view(&g);
        rg_point *points = lay(&g);
        assert_true(unevenness(&view.graph, points) < 0.01);
        for (const int *first = cases[k].rings; *first >= 0;) {
            uint32_t n = 0;
            while (first[n] >= 0)
                n++;
            assert_true(out_of_round(points, first, n) < 0.01);
            first += n + 1;
        }
        free(points);
        test_graph_free(&g);
    }
}

static void chains_bend_and_leaves_stand_outside_rings(void **state)
{
    (void)state;
    test_graph g = molecule();
    rg_coloured view = test_view(&g);
    rg_point *p = lay(&g);
    assert_true(unevenness(&view.graph, p) < 0.02);
    rg_point middle = {0, 0};
    for (uint32_t i = 0; i < 6; i++)
        middle = (rg_point){middle.x + p[i].x / 6, middle.y + p[i].y / 6};
    for (uint32_t i = 6; i < 11; i++) /* on a line from the middle through their neighbour */
        assert_true(fabs(rg_point_distance(p[i], middle) - 2) < 0.02);
    /* neighbours of a node with three are 120 degrees apart */
    assert_true(fabs(rg_point_distance(p[0], p[12]) - sqrt(3)) < 0.05);
    assert_true(fabs(rg_point_distance(p[0], p[13]) - sqrt(3)) < 0.05);
    assert_true(closest(p, g.n) > 0.9);
    free(p);
    test_graph_free(&g);
}

static void check_apart(test_graph g)
{
    rg_point *points = lay(&g);
    if (g.n > 1)
        assert_true(closest(points, g.n) >= RG_LAYOUT_APART);
    free(points);
    test_graph_free(&g);
}

static void no_two_nodes_are_too_close(void **state)
{
    (void)state;
    for (uint32_t n = 0; n < 12; n++) {
        check_apart(test_complete(n));
        check_apart(test_star(n));
        check_apart(test_graph_new(n));
        check_apart(tree(n, n));
    }
    check_apart(test_complete(60));
    check_apart(test_star(300));
    check_apart(test_grid(12, 12));
    check_apart(tree(120, 1));
    check_apart(test_graph_new(318));
    for (uint64_t seed = 1; seed <= 8; seed++)
        check_apart(test_random(30, 0.02 * (double)seed, 1, 1, seed));
}

static void large_graphs_are_laid_out_too(void **state)
{
    (void)state;
    check_apart(test_random(400, 0.004, 1, 1, 1));
    check_apart(tree(400, 2));
    check_apart(test_ring(2000));
    /* above what has a matrix, every distance from the pivots alike */
    check_apart(test_star(1500));
}

static void graphs_of_nothing_and_of_little(void **state)
{
    (void)state;
    test_graph none = test_graph_new(0), one = test_graph_new(1), two = test_graph_new(2);
    rg_point *points = lay(&none);
    free(points);
    points = lay(&one);
    assert_true(points[0].x == 0 && points[0].y == 0);
    free(points);
    test_edge(&two, 0, 1, 0);
    points = lay(&two);
    assert_true(rg_point_distance(points[0], points[1]) == 1 && points[0].y == points[1].y);
    free(points);
    test_graph_free(&none);
    test_graph_free(&one);
    test_graph_free(&two);
}

/* Sixteen by twenty look like a page, not like a line. */
static void parts_are_packed_into_a_page(void **state)
{
    (void)state;
    test_graph g = test_graph_new(320);
    rg_point *points = lay(&g), most = {0, 0};
    for (uint32_t i = 0; i < g.n; i++) {
        most.x = points[i].x > most.x ? points[i].x : most.x;
        most.y = points[i].y > most.y ? points[i].y : most.y;
    }
    assert_true(most.x > most.y && most.x < 2 * most.y);
    assert_true(most.x * most.y < 2 * 320);
    free(points);
    test_graph_free(&g);
}

static void long_graphs_lie_on_their_side(void **state)
{
    (void)state;
    test_graph g = test_graph_new(14);
    for (uint32_t i = 1; i < g.n; i++)
        test_edge(&g, i, i - 1, 0);
    rg_point *points = lay(&g), most = {0, 0};
    for (uint32_t i = 0; i < g.n; i++) {
        most.x = points[i].x > most.x ? points[i].x : most.x;
        most.y = points[i].y > most.y ? points[i].y : most.y;
    }
    assert_true(most.x > 10 && most.y < 2); /* bent, not straight: 13 edges of 0.866 */
    free(points);
    test_graph_free(&g);
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* All distances, in order: equal for drawings that are congruent. Owned (free). */
static double *distances(const rg_point *points, uint32_t n)
{
    double *all = calloc((size_t)n * n + 1, sizeof *all);
    assert_non_null(all);
    size_t k = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            all[k++] = rg_point_distance(points[i], points[j]);
    qsort(all, k, sizeof *all, by_size);
    return all;
}

static void the_order_of_nodes_does_not_matter(void **state)
{
    (void)state;
    test_graph graphs[] = {molecule(),          rings_of(16, pyrene),
                           rings_of(9, indole), tree(25, 4),
                           test_ring(30),       test_grid(5, 5),
                           test_complete(8),    test_star(9),
                           tree(60, 5),         test_random(25, 0.15, 1, 1, 6)};
    for (size_t k = 0; k < sizeof graphs / sizeof *graphs; k++) {
        uint32_t n = graphs[k].n;
        rg_point *points = lay(&graphs[k]);
        double *all = distances(points, n);
        for (uint64_t seed = 1; seed <= 3; seed++) {
            test_graph other = test_shuffled(&graphs[k], seed);
            rg_point *shuffled = lay(&other);
            double *others = distances(shuffled, n);
            for (size_t d = 0; d < (size_t)n * (n - 1) / 2; d++)
                assert_true(fabs(all[d] - others[d]) < 1e-6);
            free(others);
            free(shuffled);
            test_graph_free(&other);
        }
        free(all);
        free(points);
        test_graph_free(&graphs[k]);
    }
}

/* No machine, compiler or build has other bits than these. */
static void bits_are_those_written_down(void **state)
{
    (void)state;
    rg_digest digest;
    char text[RG_DIGEST_TEXT];
    test_graph graphs[] = {molecule(), rings_of(16, pyrene), test_random(20, 0.3, 1, 1, 1),
                           tree(1200, 2)};
    rg_digest_init(&digest);
    for (size_t k = 0; k < sizeof graphs / sizeof *graphs; k++) {
        rg_point *points = lay(&graphs[k]);
        rg_digest_real_array(&digest, &points[0].x, 2 * (size_t)graphs[k].n);
        free(points);
        test_graph_free(&graphs[k]);
    }
    rg_digest_finish(&digest, text);
    assert_string_equal(text, "7f4a18f70f55dc5ea0446ce8ebfe47ad1499a0d8f7aec566b4ed2bb911a40a26");
}

static void check_set(const char *name, size_t every, double most_clutter)
{
    char *path = test_data(name);
    rg_dataset *data = NULL;
    if (!path)
        return;
    ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
    double uneven = 0;
    size_t n = 0;
    for (size_t k = 0; k < rg_dataset_n_graphs(data); k += every, n++) {
        rg_graph g = rg_dataset_graph(data, k);
        rg_point *points = calloc(g.n_nodes + 1u, sizeof *points);
        ASSERT_OK(rg_graph_layout(points, &g, err));
        if (g.n_nodes > 1)
            assert_true(closest(points, g.n_nodes) >= RG_LAYOUT_APART);
        uneven += unevenness(&g, points);
        free(points);
    }
    assert_true(uneven / (double)n < most_clutter);
    rg_dataset_free(data);
    free(path);
}

/* Molecules that people know; the mean over graphs of the worst edge says whether any go wrong. */
static void real_molecules_have_even_edges(void **state)
{
    (void)state;
    check_set("DHFR.zip", 40, 0.15);
    check_set("MUTAG.zip", 8, 0.05);
    check_set("NCI1.zip", 250, 0.15);
    check_set("Mutagenicity.zip", 250, 0.2);
}

/* ---- pieces */

static void rings_found_are_a_shortest_set(void **state)
{
    (void)state;
    static const struct {
        uint32_t n;
        const int *rings;
        size_t lengths[6]; /* ended by 0 */
    } cases[] = {{10, naphthalene, {6, 6}}, {16, pyrene, {6, 6, 6, 6}}, {9, indole, {5, 6}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        test_graph g = rings_of(cases[k].n, cases[k].rings);
        rg_coloured view = test_view(&g);
        rg_component part;
        rg_rings rings = {0};
        ASSERT_OK(rg_component_new(&part, g.n, (uint32_t)view.graph.n_arcs, err));
        for (uint32_t i = 0; i <= g.n; i++)
            part.row[i] = (uint32_t)g.row[i];
        memcpy(part.col, g.col, view.graph.n_arcs * sizeof *part.col);
        ASSERT_OK(rg_rings_find(&rings, &part, err));
        for (size_t r = 0; r < rings.n; r++) {
            uint32_t length = rings.start[r + 1] - rings.start[r];
            assert_int_equal(length, cases[k].lengths[r]);
            for (uint32_t s = 0; s < length; s++) { /* neighbours in the ring are neighbours */
                uint32_t i = rings.node[rings.start[r] + s];
                uint32_t j = rings.node[rings.start[r] + (s + 1) % length];
                assert_true(g.joined[i * g.n + j]);
            }
        }
        assert_int_equal(cases[k].lengths[rings.n], 0);
        rg_rings_free(&rings);
        rg_component_free(&part);
        test_graph_free(&g);
    }
}

static void boxes_do_not_overlap(void **state)
{
    (void)state;
    enum { N = 60 };
    rg_box boxes[N];
    for (uint32_t k = 0; k < N; k++)
        boxes[k] =
            (rg_box){1 + 4 * rg_random_unit(1, 1, k), 1 + 3 * rg_random_unit(1, 2, k), -1, -1};
    ASSERT_OK(rg_boxes_pack(boxes, N, err));
    for (uint32_t a = 0; a < N; a++) {
        assert_true(boxes[a].x >= 0 && boxes[a].y >= 0);
        for (uint32_t b = 0; b < a; b++)
            assert_true(boxes[a].x + boxes[a].width <= boxes[b].x + 1e-6 ||
                        boxes[b].x + boxes[b].width <= boxes[a].x + 1e-6 ||
                        boxes[a].y + boxes[a].height <= boxes[b].y + 1e-6 ||
                        boxes[b].y + boxes[b].height <= boxes[a].y + 1e-6);
    }
}

static void angles_come_without_an_arc_tangent(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 360; k++) {
        double turn = k / 360.0;
        double x = 3 * rg_sin_turns(turn < 0.75 ? turn + 0.25 : turn - 0.75);
        double off = fabs(rg_turns(x, 3 * rg_sin_turns(turn)) - turn);
        assert_true(off < 1e-7 || off > 1 - 1e-7);
    }
    assert_true(rg_turns(0, 0) < 1e-6);
}

static rg_status lay_again(void *context, rg_error *err)
{
    rg_point points[64], sign = {-5, -5};
    rg_graph *g = context;
    for (int k = 0; k < 64; k++)
        points[k] = sign;
    rg_status status = rg_graph_layout(points, g, err);
    if (status)
        assert_true(points[0].x == sign.x && points[0].y == sign.y);
    return status;
}

static rg_status lay_large(void *context, rg_error *err)
{
    static rg_point points[1100];
    return rg_graph_layout(points, context, err);
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    test_graph graphs[] = {molecule(), test_complete(7), test_graph_new(3), rings_of(9, indole)};
    for (size_t k = 0; k < sizeof graphs / sizeof *graphs; k++) {
        rg_graph view = test_view(&graphs[k]).graph;
        assert_true(test_allocation_sweep(lay_again, &view) > 5);
        test_graph_free(&graphs[k]);
    }
    test_graph large = tree(1050, 7);
    rg_graph view = test_view(&large).graph;
    assert_true(test_allocation_sweep(lay_large, &view) > 5);
    test_graph_free(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_are_circles),
        cmocka_unit_test(rings_that_share_an_edge_are_regular_polygons),
        cmocka_unit_test(chains_bend_and_leaves_stand_outside_rings),
        cmocka_unit_test(no_two_nodes_are_too_close),
        cmocka_unit_test(large_graphs_are_laid_out_too),
        cmocka_unit_test(graphs_of_nothing_and_of_little),
        cmocka_unit_test(parts_are_packed_into_a_page),
        cmocka_unit_test(long_graphs_lie_on_their_side),
        cmocka_unit_test(the_order_of_nodes_does_not_matter),
        cmocka_unit_test(bits_are_those_written_down),
        cmocka_unit_test(real_molecules_have_even_edges),
        cmocka_unit_test(rings_found_are_a_shortest_set),
        cmocka_unit_test(boxes_do_not_overlap),
        cmocka_unit_test(angles_come_without_an_arc_tangent),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
