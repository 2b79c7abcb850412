/* test_generate_parts.c - what CSL and Snowflakes rest on, by brute force: which skips give
 * different graphs, that M_0 .. M_3 differ as rooted graphs, and that colour refinement tells none
 * apart. */
#include "generate/csl.h"
#include "generate/snowflake.h"
#include "support/support.h"

#include <string.h>

/* A small graph as a matrix, a root or mark in it, and its colours under refinement. */
typedef struct matrix {
    uint32_t n, root;
    bool edge[64][64];
} matrix;

static void add_edges(matrix *m, uint32_t (*edges)[2], uint32_t n)
{
    for (uint32_t e = 0; e < n; e++) {
        uint32_t a = edges[e][0], b = edges[e][1];
        assert_true(a < m->n && b < m->n && a != b);
        assert_false(m->edge[a][b]);
        m->edge[a][b] = m->edge[b][a] = true;
    }
}

static uint32_t degree(const matrix *m, uint32_t i)
{
    uint32_t n = 0;
    for (uint32_t j = 0; j < m->n; j++)
        n += m->edge[i][j];
    return n;
}

static matrix part(uint32_t kind)
{
    matrix m = {.n = RG_SNOWFLAKE_NODES, .root = 0};
    uint32_t edges[RG_SNOWFLAKE_EDGES][2];
    rg_snowflake_part(edges, kind, 0);
    add_edges(&m, edges, RG_SNOWFLAKE_EDGES);
    return m;
}

static matrix skip_link(uint32_t size, uint32_t skip)
{
    matrix m = {.n = size, .root = 0};
    for (uint32_t i = 0; i < size; i++)
        for (uint32_t step = 1; step <= skip; step += skip - 1) {
            uint32_t j = (i + step) % size;
            m.edge[i][j] = m.edge[j][i] = true;
        }
    return m;
}

static matrix from_set(const rg_dataset *data, size_t graph)
{
    rg_graph g = rg_dataset_graph(data, graph);
    matrix m = {.n = g.n_nodes, .root = 0};
    assert_in_range(g.n_nodes, 1, 64);
    for (uint32_t i = 0; i < g.n_nodes; i++) {
        if (rg_dataset_ranks(data, RG_NODE_LABEL, 0)[g.first_node + i] == 1)
            m.root = i;
        for (uint64_t k = g.row[i]; k < g.row[i + 1]; k++)
            m.edge[i][g.col[k]] = true;
    }
    return m;
}

/* ---- isomorphism that takes root to root: nodes of `a` are placed in `b` one after another, in
 * the order of a search from the root, so that most wrong turns end at once */

typedef struct placing {
    const matrix *a, *b;
    uint32_t order[64], image[64]; /* image: by place in the order */
    bool used[64];
} placing;

static bool place_from(placing *p, uint32_t k)
{
    if (k == p->a->n)
        return true;
    for (uint32_t j = 0; j < p->b->n; j++) {
        bool fits = !p->used[j] && degree(p->a, p->order[k]) == degree(p->b, j);
        for (uint32_t l = 0; l < k && fits; l++)
            fits = p->a->edge[p->order[l]][p->order[k]] == p->b->edge[p->image[l]][j];
        if (!fits)
            continue;
        p->image[k] = j;
        p->used[j] = true;
        if (place_from(p, k + 1))
            return true;
        p->used[j] = false;
    }
    return false;
}

static bool isomorphic(const matrix *a, const matrix *b)
{
    placing p = {.a = a, .b = b, .order = {a->root}, .image = {b->root}};
    bool placed[64] = {false};
    placed[a->root] = p.used[b->root] = true;
    if (a->n != b->n || degree(a, a->root) != degree(b, b->root))
        return false;
    uint32_t n = 1;
    for (uint32_t head = 0; head < n; head++)
        for (uint32_t i = 0; i < a->n; i++)
            if (!placed[i] && a->edge[p.order[head]][i]) {
                placed[i] = true;
                p.order[n++] = i;
            }
    assert_int_equal(n, a->n); /* connected */
    return place_from(&p, 1);
}

/* ---- colour refinement over several graphs at once */

enum { MAX_GRAPHS = 12 };
typedef uint32_t colours[MAX_GRAPHS][64];

/* One round: old colour and how often each old colour occurs among the neighbours. Colours are
 * numbered in order of first occurrence over all graphs. Returns how many there are. */
static uint32_t refine(colours colour, const matrix *graphs, uint32_t n_graphs)
{
    static uint32_t seen[MAX_GRAPHS * 64][MAX_GRAPHS * 64 + 1];
    static colours next;
    uint32_t n_seen = 0;
    for (uint32_t g = 0; g < n_graphs; g++)
        for (uint32_t i = 0; i < graphs[g].n; i++) {
            uint32_t *key = seen[n_seen], number = 0;
            memset(key, 0, sizeof seen[0]);
            key[MAX_GRAPHS * 64] = colour[g][i];
            for (uint32_t j = 0; j < graphs[g].n; j++)
                if (graphs[g].edge[i][j])
                    key[colour[g][j]]++;
            while (memcmp(seen[number], key, sizeof seen[0]) != 0)
                number++;
            n_seen += number == n_seen;
            next[g][i] = number;
        }
    memcpy(colour, next, sizeof next);
    return n_seen;
}

/* Refined until nothing changes: have all graphs every colour equally often, and roots the same? */
static bool refinement_sees_no_difference(const matrix *graphs, uint32_t n_graphs, bool rooted)
{
    static colours colour;
    uint32_t before = 0, n = 1;
    for (uint32_t g = 0; g < n_graphs; g++)
        for (uint32_t i = 0; i < graphs[g].n; i++)
            colour[g][i] = rooted && i == graphs[g].root;
    while (n != before) {
        before = n;
        n = refine(colour, graphs, n_graphs);
    }
    for (uint32_t g = 1; g < n_graphs; g++) {
        int balance[MAX_GRAPHS * 64] = {0};
        for (uint32_t i = 0; i < graphs[0].n; i++)
            balance[colour[0][i]]++;
        for (uint32_t i = 0; i < graphs[g].n; i++)
            balance[colour[g][i]]--;
        for (uint32_t c = 0; c < n; c++)
            if (balance[c] != 0)
                return false;
        if (rooted && colour[0][graphs[0].root] != colour[g][graphs[g].root])
            return false;
    }
    return true;
}

static void the_twins_tell_paths_from_stars(void **state)
{
    (void)state;
    matrix path = {.n = 4}, star = {.n = 4}, turned = {.n = 4, .root = 3};
    add_edges(&path, (uint32_t[3][2]){{0, 1}, {1, 2}, {2, 3}}, 3);
    add_edges(&star, (uint32_t[3][2]){{0, 1}, {0, 2}, {0, 3}}, 3);
    add_edges(&turned, (uint32_t[3][2]){{0, 1}, {0, 2}, {2, 3}}, 3);
    assert_true(isomorphic(&path, &turned));
    assert_false(isomorphic(&path, &star));
    turned.root = 0; /* an inner node */
    assert_false(isomorphic(&path, &turned));
    assert_false(refinement_sees_no_difference((matrix[]){path, star}, 2, false));
    assert_true(refinement_sees_no_difference((matrix[]){path, turned}, 2, false));
    assert_false(refinement_sees_no_difference((matrix[]){path, turned}, 2, true));
}

/* ---- M_0 .. M_3 */

static void the_parts_are_as_defined(void **state)
{
    (void)state;
    /* degrees: the hub 8, tips 2, all others 3 */
    for (uint32_t kind = 0; kind < RG_SNOWFLAKE_KINDS; kind++) {
        matrix m = part(kind);
        for (uint32_t i = 0; i < m.n; i++)
            assert_int_equal(degree(&m, i), i == 1 ? 8 : i == 0 || i == 14 ? 2 : 3);
        /* triangles: two at the hub in each half, and two more in a half of kind B */
        uint32_t triangles = 0;
        for (uint32_t a = 0; a < m.n; a++)
            for (uint32_t b = 0; b < a; b++)
                for (uint32_t c = 0; c < b; c++)
                    triangles += m.edge[a][b] && m.edge[b][c] && m.edge[a][c];
        assert_int_equal(triangles, 4 + 2 * (kind / 2 + kind % 2));
    }
    /* node numbers start where they are told to */
    uint32_t edges[RG_SNOWFLAKE_EDGES][2], moved[RG_SNOWFLAKE_EDGES][2];
    rg_snowflake_part(edges, 2, 0);
    rg_snowflake_part(moved, 2, 30);
    for (uint32_t e = 0; e < RG_SNOWFLAKE_EDGES; e++)
        for (int side = 0; side < 2; side++)
            assert_int_equal(moved[e][side], edges[e][side] + 30);
}

static void the_parts_differ_as_rooted_graphs(void **state)
{
    (void)state;
    for (uint32_t a = 0; a < RG_SNOWFLAKE_KINDS; a++)
        for (uint32_t b = 0; b < RG_SNOWFLAKE_KINDS; b++) {
            matrix m = part(a), other = part(b);
            assert_int_equal(isomorphic(&m, &other), a == b);
        }
    matrix m1 = part(1), m2 = part(2);
    m2.root = 14; /* the other tip: the same graph */
    assert_true(isomorphic(&m1, &m2));
}

static void refinement_tells_no_part_from_another(void **state)
{
    (void)state;
    matrix parts[] = {part(0), part(1), part(2), part(3)};
    assert_true(refinement_sees_no_difference(parts, 4, false));
    assert_true(refinement_sees_no_difference(parts, 4, true));
}

static void refinement_tells_no_snowflake_from_another_of_its_length(void **state)
{
    (void)state;
    for (uint32_t length = 3; length <= 4; length++) {
        rg_generate_options options = {
            .size = sizeof options, .n_graphs = MAX_GRAPHS, .smallest = length, .largest = length};
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_generate(&data, RG_SNOWFLAKES, &options, err));
        static matrix graphs[MAX_GRAPHS];
        size_t n_classes = 0;
        for (size_t k = 0; k < MAX_GRAPHS; k++)
            graphs[k] = from_set(data, k);
        rg_dataset_values(data, RG_CLASS, 0, &n_classes);
        assert_true(n_classes > 2);
        assert_true(refinement_sees_no_difference(graphs, MAX_GRAPHS, true));
        rg_dataset_free(data);
    }
}

/* The part at the mark, cut off the circle, is M_class: nodes of degree 4 are the circle. */
static void the_class_of_a_snowflake_is_its_marked_part(void **state)
{
    (void)state;
    rg_generate_options options = {
        .size = sizeof options, .n_graphs = 40, .smallest = 3, .largest = 4};
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_generate(&data, RG_SNOWFLAKES, &options, err));
    const uint32_t *classes = rg_dataset_ranks(data, RG_CLASS, 0);
    for (size_t k = 0; k < 40; k++) {
        matrix m = from_set(data, k), cut = {.n = 0};
        uint32_t nodes[64], n = 1;
        nodes[0] = m.root;
        for (uint32_t head = 0; head < n; head++) /* from the root, not along the circle */
            for (uint32_t j = 0; j < m.n; j++) {
                bool fresh = m.edge[nodes[head]][j] && degree(&m, j) != 4;
                for (uint32_t l = 0; l < n && fresh; l++)
                    fresh = nodes[l] != j;
                if (fresh)
                    nodes[n++] = j;
            }
        assert_int_equal(n, RG_SNOWFLAKE_NODES);
        cut.n = n;
        for (uint32_t a = 0; a < n; a++)
            for (uint32_t b = 0; b < n; b++)
                cut.edge[a][b] = m.edge[nodes[a]][nodes[b]];
        for (uint32_t kind = 0; kind < RG_SNOWFLAKE_KINDS; kind++) {
            matrix wanted = part(kind);
            assert_int_equal(isomorphic(&wanted, &cut), kind == classes[k]);
        }
    }
    rg_dataset_free(data);
}

/* ---- circular skip links: all nodes are alike, so any node may be the root */

static void skips_are_those_of_the_published_set(void **state)
{
    (void)state;
    static const uint32_t published[] = {2, 3, 4, 5, 6, 9, 11, 12, 13, 16, 0};
    for (uint32_t k = 0, skip = 1; k < 11; k++) {
        skip = rg_csl_next(41, skip);
        assert_int_equal(skip, published[k]);
    }
}

static void a_skip_is_listed_if_no_smaller_one_gives_its_graph(void **state)
{
    (void)state;
    for (uint32_t size = 5; size <= 30; size++) {
        uint32_t listed = rg_csl_next(size, 1);
        for (uint32_t skip = 2; 2 * skip < size; skip++) {
            matrix m = skip_link(size, skip);
            bool known = false;
            for (uint32_t before = 2; before < skip && !known; before++) {
                matrix other = skip_link(size, before);
                known = isomorphic(&m, &other);
            }
            assert_int_equal(listed == skip, !known);
            if (listed == skip)
                listed = rg_csl_next(size, skip);
        }
        assert_int_equal(listed, 0);
    }
}

static void refinement_tells_no_skip_from_another(void **state)
{
    (void)state;
    static matrix graphs[10];
    uint32_t n = 0;
    for (uint32_t skip = 1; (skip = rg_csl_next(41, skip)) != 0;)
        graphs[n++] = skip_link(41, skip);
    assert_int_equal(n, 10);
    assert_true(refinement_sees_no_difference(graphs, n, false));
}

static void the_class_of_a_csl_graph_is_its_skip(void **state)
{
    (void)state;
    static const uint32_t sizes[] = {41, 10, 16};
    for (size_t s = 0; s < 3; s++) {
        rg_generate_options options = {.size = sizeof options, .n_nodes = sizes[s]};
        rg_dataset *data = NULL;
        ASSERT_OK(rg_dataset_generate(&data, RG_CSL, &options, err));
        const uint32_t *classes = rg_dataset_ranks(data, RG_CLASS, 0);
        size_t n_classes = 0;
        rg_dataset_values(data, RG_CLASS, 0, &n_classes);
        assert_int_equal(rg_dataset_n_graphs(data), 15 * n_classes);
        for (size_t k = 0; k < 15 * n_classes; k++) {
            matrix m = from_set(data, k);
            uint32_t c = 0;
            for (uint32_t skip = 1; (skip = rg_csl_next(sizes[s], skip)) != 0; c++) {
                matrix wanted = skip_link(sizes[s], skip);
                assert_int_equal(isomorphic(&wanted, &m), c == classes[k]);
            }
            assert_int_equal(classes[k], k / 15);
            assert_int_equal(c, n_classes);
        }
        rg_dataset_free(data);
    }
}

static void parts_alone_are_of_their_class(void **state)
{
    (void)state;
    rg_generate_options options = {.size = sizeof options, .n_graphs = 8};
    rg_dataset *data = NULL;
    ASSERT_OK(rg_dataset_generate(&data, RG_SNOWFLAKE_PARTS, &options, err));
    const uint32_t *classes = rg_dataset_ranks(data, RG_CLASS, 0);
    assert_int_equal(rg_dataset_n_graphs(data), 8);
    for (size_t k = 0; k < 8; k++) {
        matrix m = from_set(data, k), wanted = part((uint32_t)k / 2);
        assert_int_equal(classes[k], k / 2);
        assert_true(isomorphic(&wanted, &m));
    }
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_twins_tell_paths_from_stars),
        cmocka_unit_test(the_parts_are_as_defined),
        cmocka_unit_test(the_parts_differ_as_rooted_graphs),
        cmocka_unit_test(refinement_tells_no_part_from_another),
        cmocka_unit_test(refinement_tells_no_snowflake_from_another_of_its_length),
        cmocka_unit_test(the_class_of_a_snowflake_is_its_marked_part),
        cmocka_unit_test(parts_alone_are_of_their_class),
        cmocka_unit_test(skips_are_those_of_the_published_set),
        cmocka_unit_test(a_skip_is_listed_if_no_smaller_one_gives_its_graph),
        cmocka_unit_test(refinement_tells_no_skip_from_another),
        cmocka_unit_test(the_class_of_a_csl_graph_is_its_skip),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
