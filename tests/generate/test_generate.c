/* test_generate.c - the synthetic sets against the paper's table and definitions. What a graph's
 * class should be is worked out again here, from the finished graph alone. */
#include "support/support.h"

#include <stdio.h>
#include <string.h>

static rg_dataset *generate(rg_generator generator, rg_generate_options options)
{
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_generate(&data, generator, &options, err));
    return data;
}

static rg_dataset *generate_default(rg_generator generator)
{
    return generate(generator, rg_generate_options_default());
}

static const uint32_t *labels_of(const rg_dataset *data, rg_graph g)
{
    return rg_dataset_ranks(data, RG_NODE_LABEL, 0) + g.first_node;
}

static uint32_t degree(rg_graph g, uint32_t i)
{
    return (uint32_t)(g.row[i + 1] - g.row[i]);
}

static bool joined(rg_graph g, uint32_t i, uint32_t j)
{
    for (uint64_t k = g.row[i]; k < g.row[i + 1]; k++)
        if (g.col[k] == j)
            return true;
    return false;
}

/* Steps from `start` to every node (UINT32_MAX: none); the largest is returned. */
static uint32_t steps_from(rg_graph g, uint32_t start, uint32_t *steps)
{
    uint32_t *queue = malloc(g.n_nodes * sizeof *queue), head = 0, tail = 0;
    assert_non_null(queue);
    for (uint32_t i = 0; i < g.n_nodes; i++)
        steps[i] = UINT32_MAX;
    steps[start] = 0;
    queue[tail++] = start;
    while (head < tail) {
        uint32_t i = queue[head++];
        for (uint64_t k = g.row[i]; k < g.row[i + 1]; k++)
            if (steps[g.col[k]] == UINT32_MAX) {
                steps[g.col[k]] = steps[i] + 1;
                queue[tail++] = g.col[k];
            }
    }
    uint32_t last = queue[tail - 1];
    assert_int_equal(tail, g.n_nodes); /* connected */
    free(queue);
    return steps[last];
}

static uint32_t node_with_label(const rg_dataset *data, rg_graph g, uint32_t label)
{
    const uint32_t *labels = labels_of(data, g);
    uint32_t found = UINT32_MAX;
    for (uint32_t i = 0; i < g.n_nodes; i++)
        if (labels[i] == label) {
            assert_int_equal(found, UINT32_MAX); /* only one has it */
            found = i;
        }
    assert_int_not_equal(found, UINT32_MAX);
    return found;
}

/* Labels once around the ring from label 0's node (or from `from`), in one of its directions. */
static void walk_ring(uint32_t *out, uint32_t *nodes, const rg_dataset *data, rg_graph g,
                      uint32_t from)
{
    const uint32_t *labels = labels_of(data, g);
    uint32_t before = UINT32_MAX, i = from;
    for (uint32_t k = 0; k < g.n_nodes; k++) {
        assert_int_equal(degree(g, i), 2);
        nodes[k] = i;
        out[k] = labels[i];
        uint32_t next = g.col[g.row[i]];
        if (next == before)
            next = g.col[g.row[i] + 1];
        before = i;
        i = next;
        assert_true((i == from) == (k + 1 == g.n_nodes));
    }
}

/* ---- what the class should be, by the definition */

static uint32_t long_rings_class(const rg_dataset *data, rg_graph g)
{
    uint32_t *steps = malloc(g.n_nodes * sizeof *steps), found = UINT32_MAX;
    for (uint32_t a = 1; a <= 4; a++) {
        steps_from(g, node_with_label(data, g, a), steps);
        for (uint32_t b = 1; b <= 4; b++) {
            uint32_t d = steps[node_with_label(data, g, b)];
            assert_true(a == b || d == g.n_nodes / 4 || d == g.n_nodes / 2);
            if (a == 1 && d == g.n_nodes / 2)
                found = b - 2;
        }
    }
    free(steps);
    return found;
}

static uint32_t even_odd_class(const rg_dataset *data, rg_graph g)
{
    const uint32_t *labels = labels_of(data, g);
    uint32_t *steps = malloc(g.n_nodes * sizeof *steps), x = 0, sum = 0, n_y = 0;
    steps_from(g, node_with_label(data, g, 0), steps);
    for (uint32_t i = 0; i < g.n_nodes; i++) {
        if (steps[i] == g.n_nodes / 2)
            x = labels[i];
        if (steps[i] == g.n_nodes / 4) {
            sum += labels[i];
            n_y++;
        }
    }
    free(steps);
    assert_int_equal(n_y, 2);
    static const uint32_t table[2][2] = {{0, 1}, {2, 3}}; /* [x odd][y + z odd] */
    return table[x % 2][sum % 2];
}

static uint32_t count_class(const rg_dataset *data, rg_graph g)
{
    const uint32_t *labels = labels_of(data, g);
    uint32_t *steps = malloc(g.n_nodes * sizeof *steps), even = 0, odd = 0;
    for (uint32_t i = 0; i < g.n_nodes; i++) {
        steps_from(g, i, steps);
        for (uint32_t j = 0; j < g.n_nodes; j++)
            if (steps[j] == g.n_nodes / 2) { /* every pair twice */
                even += (labels[i] + labels[j]) % 2 == 0;
                odd += (labels[i] + labels[j]) % 2 == 1;
            }
    }
    free(steps);
    assert_int_equal(even + odd, g.n_nodes);
    return even >= odd ? 0 : 1;
}

/* Halves of kind B have a triangle at the tip's neighbours, halves of kind A have none. */
static bool tip_is_b(rg_graph g, uint32_t tip)
{
    for (uint64_t k = g.row[tip]; k < g.row[tip + 1]; k++) {
        uint32_t u = g.col[k];
        if (degree(g, u) != 3)
            continue; /* the circle */
        for (uint64_t a = g.row[u]; a < g.row[u + 1]; a++)
            for (uint64_t b = a + 1; b < g.row[u + 1]; b++)
                if (g.col[a] != tip && g.col[b] != tip)
                    return joined(g, g.col[a], g.col[b]);
    }
    fail_msg("tip %u has no neighbour of degree 3", tip);
    return false;
}

/* Nodes of the circle have degree 4. The other tip is the one node of degree 2 that is 6 steps from
 * the root without using the circle. */
static uint32_t snowflakes_class(const rg_dataset *data, rg_graph g)
{
    uint32_t n_circle = 0, root = node_with_label(data, g, 1), other = UINT32_MAX;
    for (uint32_t i = 0; i < g.n_nodes; i++)
        n_circle += degree(g, i) == 4;
    assert_int_equal(g.n_nodes, 15 * n_circle);
    assert_int_equal(g.n_arcs, 50 * n_circle);
    assert_int_equal(degree(g, root), 4);
    uint32_t *steps = malloc(g.n_nodes * sizeof *steps);
    steps_from(g, root, steps);
    for (uint32_t i = 0; i < g.n_nodes; i++)
        if (degree(g, i) == 2 && steps[i] == 6) /* over the circle it is at least 7 */
            other = i;
    free(steps);
    assert_int_not_equal(other, UINT32_MAX);
    return 2u * tip_is_b(g, root) + tip_is_b(g, other);
}

static void every_class_is_right(const rg_dataset *data,
                                 uint32_t (*class_of)(const rg_dataset *, rg_graph))
{
    const uint32_t *classes = rg_dataset_ranks(data, RG_CLASS, 0);
    for (size_t k = 0; k < rg_dataset_n_graphs(data); k++)
        assert_int_equal(classes[k], class_of(data, rg_dataset_graph(data, k)));
}

/* ---- the paper's table */

typedef struct generator_facts {
    rg_generator generator;
    const char *name;
    size_t n_graphs;
    uint64_t nodes[2], edges[2]; /* smallest, largest */
    uint64_t total_nodes, total_edges;
    uint32_t diameter[2];
    double mean_diameter;
    size_t n_labels, n_classes, class_count;            /* class_count 0: drawn at random */
    uint32_t (*class_of)(const rg_dataset *, rg_graph); /* CSL: see test_generate_parts.c */
} generator_facts;

static const generator_facts table[] = {
    {RG_LONG_RINGS,
     "LongRings",
     1200,
     {100, 100},
     {100, 100},
     120000,
     120000,
     {50, 50},
     50.0,
     5,
     3,
     400,
     long_rings_class},
    {RG_EVEN_ODD_RINGS,
     "EvenOddRings",
     1200,
     {16, 16},
     {16, 16},
     19200,
     19200,
     {8, 8},
     8.0,
     16,
     4,
     300,
     even_odd_class},
    {RG_EVEN_ODD_RINGS_COUNT,
     "EvenOddRingsCount",
     1200,
     {16, 16},
     {16, 16},
     19200,
     19200,
     {8, 8},
     8.0,
     16,
     2,
     600,
     count_class},
    {RG_CSL, "CSL", 150, {41, 41}, {82, 82}, 6150, 12300, {4, 10}, 6.0, 1, 10, 15, NULL},
    {RG_SNOWFLAKES,
     "Snowflakes",
     1000,
     {45, 180},
     {75, 300},
     112500,
     187500,
     {13, 18},
     15.5,
     2,
     4,
     0,
     snowflakes_class},
};
enum { N_ROWS = sizeof table / sizeof table[0] };

static void check_sizes(const rg_dataset *data, const generator_facts *r)
{
    uint64_t nodes[2] = {UINT64_MAX, 0}, edges[2] = {UINT64_MAX, 0};
    for (size_t k = 0; k < r->n_graphs; k++) {
        rg_graph g = rg_dataset_graph(data, k);
        nodes[0] = g.n_nodes < nodes[0] ? g.n_nodes : nodes[0];
        nodes[1] = g.n_nodes > nodes[1] ? g.n_nodes : nodes[1];
        edges[0] = g.n_arcs / 2 < edges[0] ? g.n_arcs / 2 : edges[0];
        edges[1] = g.n_arcs / 2 > edges[1] ? g.n_arcs / 2 : edges[1];
    }
    assert_memory_equal(nodes, r->nodes, sizeof nodes);
    assert_memory_equal(edges, r->edges, sizeof edges);
    assert_int_equal(rg_dataset_n_nodes(data), r->total_nodes);
    assert_int_equal(rg_dataset_n_arcs(data), 2 * r->total_edges);
}

/* Every `stride`-th graph is enough for the extremes; the mean needs them all, and a ring is known
 * from its length alone. */
static void check_diameters(const rg_dataset *data, const generator_facts *r)
{
    uint32_t steps[180], lowest = UINT32_MAX, highest = 0;
    double sum = 0;
    size_t stride = r->nodes[0] == r->edges[0] ? 50 : 1, n = 0;
    for (size_t k = 0; k < r->n_graphs; k += stride, n++) {
        rg_graph g = rg_dataset_graph(data, k);
        uint32_t diameter = 0;
        for (uint32_t i = 0; i < g.n_nodes; i++) {
            uint32_t far = steps_from(g, i, steps);
            diameter = far > diameter ? far : diameter;
        }
        lowest = diameter < lowest ? diameter : lowest;
        highest = diameter > highest ? diameter : highest;
        sum += diameter;
    }
    assert_int_equal(lowest, r->diameter[0]);
    assert_int_equal(highest, r->diameter[1]);
    double off = sum / (double)n - r->mean_diameter;
    assert_true(off < 0.05 && off > -0.05); /* the table has one decimal */
}

static void check_classes(const rg_dataset *data, const generator_facts *r)
{
    size_t n = 0, counts[10] = {0};
    const int64_t *values = rg_dataset_values(data, RG_CLASS, 0, &n);
    assert_int_equal(n, r->n_classes);
    for (size_t c = 0; c < n; c++)
        assert_int_equal(values[c], c);
    const uint32_t *classes = rg_dataset_ranks(data, RG_CLASS, 0);
    for (size_t k = 0; k < r->n_graphs; k++)
        counts[classes[k]]++;
    for (size_t c = 0; c < n; c++)
        if (r->class_count)
            assert_int_equal(counts[c], r->class_count);
        else
            assert_in_range(counts[c], 200, 300); /* 250 +- 3.6 standard deviations */
    values = rg_dataset_values(data, RG_NODE_LABEL, 0, &n);
    assert_int_equal(n, r->n_labels);
    for (size_t label = 0; label < n; label++)
        assert_int_equal(values[label], label);
}

static void the_paper_s_table_comes_out(void **state)
{
    (void)state;
    for (size_t k = 0; k < N_ROWS; k++) {
        const generator_facts *r = &table[k];
        rg_dataset *data = generate_default(r->generator);
        assert_string_equal(rg_dataset_name(data), r->name);
        assert_int_equal(rg_dataset_n_graphs(data), r->n_graphs);
        check_sizes(data, r);
        check_diameters(data, r);
        check_classes(data, r);
        if (r->class_of)
            every_class_is_right(data, r->class_of);
        rg_dataset_free(data);
    }
}

static void the_lists_that_are_built_have_no_quirks(void **state)
{
    (void)state;
    for (unsigned k = 0; k < RG_N_GENERATORS; k++) {
        rg_dataset *data = generate_default((rg_generator)k);
        rg_quirks none = {.listed_edges = rg_dataset_n_arcs(data)};
        assert_memory_equal(rg_dataset_quirks(data), &none, sizeof none);
        rg_dataset_free(data);
    }
}

static void snowflakes_have_equally_many_graphs_a_circle_length(void **state)
{
    (void)state;
    rg_dataset *data = generate_default(RG_SNOWFLAKES);
    for (size_t k = 0; k < 1000; k++)
        assert_int_equal(rg_dataset_graph(data, k).n_nodes, 15 * (3 + k / 100));
    rg_dataset_free(data);
}

/* ---- equal graphs, node order */

static bool equal_as_listed(const rg_dataset *data, size_t a, size_t b)
{
    rg_graph g = rg_dataset_graph(data, a), h = rg_dataset_graph(data, b);
    if (g.n_nodes != h.n_nodes || g.n_arcs != h.n_arcs)
        return false;
    if (memcmp(g.col + g.row[0], h.col + h.row[0], g.n_arcs * sizeof *g.col) != 0 ||
        memcmp(labels_of(data, g), labels_of(data, h), g.n_nodes * sizeof(uint32_t)) != 0)
        return false;
    for (uint32_t i = 0; i <= g.n_nodes; i++)
        if (g.row[i] - g.row[0] != h.row[i] - h.row[0])
            return false;
    return true;
}

static void all_differ_as_listed(const rg_dataset *data)
{
    for (size_t a = 0; a < rg_dataset_n_graphs(data); a++)
        for (size_t b = 0; b < a; b++)
            assert_false(equal_as_listed(data, a, b));
}

/* Rings whose labels are all different: the labels from 0 on, in the smaller of both directions.
 * One row a graph; owned (free). */
typedef uint32_t ring_labels[64];

static ring_labels *canonical_rings(const rg_dataset *data)
{
    size_t n = rg_dataset_n_graphs(data);
    ring_labels *rings = calloc(n, sizeof *rings), nodes;
    assert_non_null(rings);
    for (size_t k = 0; k < n; k++) {
        rg_graph g = rg_dataset_graph(data, k);
        assert_in_range(g.n_nodes, 8, 64);
        walk_ring(rings[k], nodes, data, g, node_with_label(data, g, 0));
        if (rings[k][1] > rings[k][g.n_nodes - 1])
            for (uint32_t i = 1; i < g.n_nodes - i; i++) {
                uint32_t label = rings[k][i];
                rings[k][i] = rings[k][g.n_nodes - i];
                rings[k][g.n_nodes - i] = label;
            }
    }
    return rings;
}

static void all_rings_differ(const rg_dataset *data)
{
    ring_labels *rings = canonical_rings(data);
    for (size_t k = 0; k < rg_dataset_n_graphs(data); k++)
        for (size_t before = 0; before < k; before++)
            assert_int_not_equal(memcmp(rings[before], rings[k], sizeof *rings), 0);
    free(rings);
}

static void no_two_graphs_are_equal(void **state)
{
    (void)state;
    for (unsigned k = 0; k < RG_N_GENERATORS; k++) {
        rg_dataset *data = generate_default((rg_generator)k);
        all_differ_as_listed(data);
        if (k == RG_EVEN_ODD_RINGS || k == RG_EVEN_ODD_RINGS_COUNT)
            all_rings_differ(data);
        rg_dataset_free(data);
    }
}

/* So few graphs exist at these sizes that most draws are repetitions. */
static void small_sets_are_exhausted_without_repetition(void **state)
{
    (void)state;
    /* 504 rings of 8 nodes are of class 0; of the count's class 1 there are 576 */
    rg_dataset *data =
        generate(RG_EVEN_ODD_RINGS, (rg_generate_options){.size = sizeof(rg_generate_options),
                                                          .n_graphs = 4 * 504,
                                                          .n_nodes = 8});
    all_rings_differ(data);
    every_class_is_right(data, even_odd_class);
    rg_dataset_free(data);
    data = generate(RG_EVEN_ODD_RINGS_COUNT,
                    (rg_generate_options){
                        .size = sizeof(rg_generate_options), .n_graphs = 2 * 576, .n_nodes = 8});
    all_rings_differ(data);
    every_class_is_right(data, count_class);
    rg_dataset_free(data);
    /* of 8 nodes with skip 3 (all of one side joined to all of the other) there are 35 */
    data = generate(RG_CSL, (rg_generate_options){
                                .size = sizeof(rg_generate_options), .n_graphs = 70, .n_nodes = 8});
    all_differ_as_listed(data);
    rg_dataset_free(data);
}

static void nodes_are_in_random_order(void **state)
{
    (void)state;
    rg_dataset *data = generate_default(RG_LONG_RINGS);
    uint32_t labels[100], nodes[100];
    size_t hits[100] = {0}, consecutive = 0;
    for (size_t k = 0; k < 1200; k++) {
        rg_graph g = rg_dataset_graph(data, k);
        walk_ring(labels, nodes, data, g, 0);
        for (uint32_t i = 0; i < 100; i++) {
            uint32_t a = nodes[i], b = nodes[(i + 1) % 100];
            consecutive += b == (a + 1) % 100 || a == (b + 1) % 100;
        }
        hits[node_with_label(data, g, 1)]++;
    }
    /* in a random order 2 of 99 neighbours are consecutive: 2424 expected */
    assert_in_range(consecutive, 2200, 2650);
    for (uint32_t i = 0; i < 100; i++)
        assert_in_range(hits[i], 1, 30); /* 12 expected */
    rg_dataset_free(data);
    for (unsigned k = RG_CSL; k <= RG_SNOWFLAKES; k++) {
        data = generate_default((rg_generator)k);
        size_t next = 0;
        for (size_t graph = 0; graph < rg_dataset_n_graphs(data); graph++)
            next += joined(rg_dataset_graph(data, graph), 0, 1);
        /* with a density of at most 4 / 40 */
        assert_in_range(next, 0, rg_dataset_n_graphs(data) / 5);
        rg_dataset_free(data);
    }
}

static void classes_of_rings_are_mixed(void **state)
{
    (void)state;
    for (unsigned k = RG_LONG_RINGS; k <= RG_EVEN_ODD_RINGS_COUNT; k++) {
        rg_dataset *data = generate_default((rg_generator)k);
        const uint32_t *classes = rg_dataset_ranks(data, RG_CLASS, 0);
        size_t changes = 0;
        for (size_t graph = 1; graph < 1200; graph++)
            changes += classes[graph] != classes[graph - 1];
        assert_in_range(changes, 400, 1000);
        rg_dataset_free(data);
    }
}

/* The published pair of sets has 921 graphs in common: the same rings, each set balanced in its own
 * way. */
static void both_even_odd_sets_share_most_rings(void **state)
{
    (void)state;
    rg_dataset *a = generate_default(RG_EVEN_ODD_RINGS),
               *b = generate_default(RG_EVEN_ODD_RINGS_COUNT);
    ring_labels *rings = canonical_rings(a), *others = canonical_rings(b);
    size_t common = 0;
    for (size_t k = 0; k < 1200; k++)
        for (size_t l = 0; l < 1200; l++)
            common += memcmp(rings[k], others[l], sizeof *rings) == 0;
    free(rings);
    free(others);
    assert_in_range(common, 850, 1000);
    rg_dataset_free(a);
    rg_dataset_free(b);
}

/* ---- sizes as parameters */

static void sizes_are_parameters(void **state)
{
    (void)state;
    rg_dataset *data = generate(
        RG_LONG_RINGS,
        (rg_generate_options){.size = sizeof(rg_generate_options), .n_graphs = 9, .n_nodes = 8});
    assert_int_equal(rg_dataset_n_graphs(data), 9);
    assert_int_equal(rg_dataset_graph(data, 8).n_nodes, 8);
    every_class_is_right(data, long_rings_class);
    rg_dataset_free(data);

    data = generate(
        RG_EVEN_ODD_RINGS,
        (rg_generate_options){.size = sizeof(rg_generate_options), .n_graphs = 40, .n_nodes = 12});
    every_class_is_right(data, even_odd_class);
    rg_dataset_free(data);
    data = generate(
        RG_EVEN_ODD_RINGS_COUNT,
        (rg_generate_options){.size = sizeof(rg_generate_options), .n_graphs = 42, .n_nodes = 36});
    every_class_is_right(data, count_class);
    rg_dataset_free(data);

    data = generate(
        RG_SNOWFLAKES,
        (rg_generate_options){.size = sizeof(rg_generate_options), .smallest = 5, .largest = 6});
    assert_int_equal(rg_dataset_n_graphs(data), 200);
    assert_int_equal(rg_dataset_graph(data, 0).n_nodes, 75);
    assert_int_equal(rg_dataset_graph(data, 199).n_nodes, 90);
    every_class_is_right(data, snowflakes_class);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_paper_s_table_comes_out),
        cmocka_unit_test(the_lists_that_are_built_have_no_quirks),
        cmocka_unit_test(snowflakes_have_equally_many_graphs_a_circle_length),
        cmocka_unit_test(no_two_graphs_are_equal),
        cmocka_unit_test(small_sets_are_exhausted_without_repetition),
        cmocka_unit_test(nodes_are_in_random_order),
        cmocka_unit_test(classes_of_rings_are_mixed),
        cmocka_unit_test(both_even_odd_sets_share_most_rings),
        cmocka_unit_test(sizes_are_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
