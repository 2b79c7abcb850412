/* test_power.c - marked and wl2 against slow twins: refinement round by round, with keys of all
 * graphs in one table, on all small graphs. */
#include "support/graphs.h"
#include "support/labelings.h"

#include "base/table.h"

enum { LARGEST = 16, MARKS = 3 };

/* ---- the twins. A graph as it is looked at: some nodes of it, their labels and edges. */

typedef struct twin_view {
    uint32_t n, node[LARGEST], first[LARGEST];
    uint32_t joined[LARGEST][LARGEST]; /* 0: no edge */
} twin_view;

/* One number for every key that was ever seen. */
static uint32_t number_of(rg_table *table, const uint32_t *key, size_t n)
{
    uint32_t number = rg_table_add(table, key, n * sizeof *key);
    assert_true(number != RG_TABLE_NONE);
    return number;
}

static void sort(uint32_t *x, size_t n, size_t words)
{
    for (size_t k = 1; k < n; k++)
        for (size_t j = k; j > 0; j--) {
            uint32_t *a = x + (j - 1) * words, *b = x + j * words, swap[4];
            size_t at = 0;
            while (at < words && a[at] == b[at])
                at++;
            if (at == words || a[at] < b[at])
                break;
            memcpy(swap, a, words * sizeof *a);
            memcpy(a, b, words * sizeof *a);
            memcpy(b, swap, words * sizeof *a);
        }
}

/* Nodes within `depth` edges of i (0: however far), i first. */
static twin_view look(const test_graph *g, const uint32_t *first, bool edges, uint32_t i,
                      uint32_t depth)
{
    twin_view v = {0};
    uint32_t distance[LARGEST];
    for (uint32_t j = 0; j < g->n; j++)
        distance[j] = UINT32_MAX;
    distance[i] = 0;
    v.node[v.n++] = i;
    for (uint32_t k = 0; k < v.n; k++)
        for (uint32_t j = 0; j < g->n; j++)
            if (test_joined(g, v.node[k], j) && distance[j] == UINT32_MAX &&
                (!depth || distance[v.node[k]] < depth)) {
                distance[j] = distance[v.node[k]] + 1;
                v.node[v.n++] = j;
            }
    for (uint32_t a = 0; a < v.n; a++) {
        v.first[a] = first[v.node[a]];
        for (uint32_t b = 0; b < v.n; b++) {
            uint32_t joined = g->joined[v.node[a] * g->n + v.node[b]];
            v.joined[a][b] = edges ? joined : joined > 0;
        }
    }
    return v;
}

/* The colours of all nodes when some are marked. */
static void colours_of(uint32_t colour[LARGEST], rg_table *table, const twin_view *v,
                       const uint32_t *marks, uint32_t n_marks)
{
    uint32_t next[LARGEST], key[3 + 2 * LARGEST];
    for (uint32_t a = 0; a < v->n; a++) {
        key[0] = 1;
        key[1] = v->first[a];
        key[2] = 0;
        for (uint32_t k = 0; k < n_marks; k++)
            key[2] |= (uint32_t)(marks[k] == a) << k;
        colour[a] = number_of(table, key, 3);
    }
    for (uint32_t round = 0; round < v->n; round++) {
        for (uint32_t a = 0; a < v->n; a++) {
            size_t n = 0;
            for (uint32_t b = 0; b < v->n; b++)
                if (v->joined[a][b]) {
                    key[2 + n++] = v->joined[a][b];
                    key[2 + n++] = colour[b];
                }
            sort(key + 2, n / 2, 2);
            key[0] = 2;
            key[1] = colour[a];
            next[a] = number_of(table, key, 2 + n);
        }
        memcpy(colour, next, v->n * sizeof *colour);
    }
}

/* The same, sorted, as one number. */
static uint32_t seen(rg_table *table, const twin_view *v, const uint32_t *marks, uint32_t n_marks)
{
    uint32_t colour[LARGEST], key[1 + LARGEST];
    colours_of(colour, table, v, marks, n_marks);
    sort(colour, v->n, 1);
    memcpy(key + 1, colour, v->n * sizeof *key);
    key[0] = 3;
    return number_of(table, key, 1 + v->n);
}

/* What the tuple of marks sees with more of them, up to `most`, on any nodes. */
static uint32_t tuple(rg_table *table, const twin_view *v, uint32_t *marks, uint32_t n_marks,
                      uint32_t most)
{
    uint32_t key[1 + LARGEST] = {4 + n_marks};
    if (n_marks == most)
        return seen(table, v, marks, n_marks);
    for (uint32_t a = 0; a < v->n; a++) {
        marks[n_marks] = a;
        key[1 + a] = tuple(table, v, marks, n_marks + 1, most);
    }
    sort(key + 1, v->n, 1);
    return number_of(table, key, 1 + v->n);
}

static uint32_t marked_twin(rg_table *table, const twin_view *v, uint32_t most)
{
    uint32_t marks[MARKS] = {0};
    return tuple(table, v, marks, 1, most);
}

/* The colour of the pair (i,i), i being the first, after n * n rounds or when all graphs of that
 * size have surely come to rest. */
static uint32_t wl2_twin(rg_table *table, const twin_view *v, uint32_t n_rounds)
{
    static uint32_t colour[LARGEST][LARGEST], next[LARGEST][LARGEST];
    uint32_t key[5 + 2 * LARGEST];
    for (uint32_t a = 0; a < v->n; a++)
        for (uint32_t b = 0; b < v->n; b++) {
            const uint32_t start[] = {20, a == b, v->joined[a][b], v->first[a], v->first[b]};
            colour[a][b] = number_of(table, start, 5);
        }
    for (uint32_t round = 0; round < n_rounds; round++) {
        for (uint32_t a = 0; a < v->n; a++)
            for (uint32_t b = 0; b < v->n; b++) {
                for (uint32_t w = 0; w < v->n; w++) {
                    key[2 + 2 * w] = colour[a][w];
                    key[3 + 2 * w] = colour[w][b];
                }
                sort(key + 2, v->n, 2);
                key[0] = 21;
                key[1] = colour[a][b];
                next[a][b] = number_of(table, key, 2 + 2 * v->n);
            }
        memcpy(colour, next, sizeof colour);
    }
    return colour[0][0];
}

/* Labels are equal exactly where the numbers of a twin are. */
static void assert_same_parts(const char *what, const uint32_t *labels, const uint32_t *twins,
                              size_t n)
{
    rg_table *pairs = rg_table_new(), *one = rg_table_new(), *other = rg_table_new();
    for (size_t k = 0; k < n; k++) {
        const uint32_t pair[] = {labels[k], twins[k]};
        number_of(pairs, pair, 2);
        number_of(one, &labels[k], 1);
        number_of(other, &twins[k], 1);
    }
    if (rg_table_size(pairs) != rg_table_size(one) || rg_table_size(pairs) != rg_table_size(other))
        fail_msg("%s: %zu labels, %zu of the twin, %zu pairs", what, rg_table_size(one),
                 rg_table_size(other), rg_table_size(pairs));
    rg_table_free(pairs);
    rg_table_free(one);
    rg_table_free(other);
}

/* marks 0: wl2 */
static void assert_twins(const test_graph *graphs, size_t n_graphs, const char *from, bool edges,
                         uint32_t marks, uint32_t depth)
{
    rg_dataset *data = test_set_of(graphs, n_graphs);
    char *spec = marks ? test_format("marked(k=%u, from=%s, depth=%u, edges=%s)", marks, from,
                                     depth, edges ? "true" : "false")
                       : test_format("wl2(from=%s, depth=%u, edges=%s)", from, depth,
                                     edges ? "true" : "false");
    rg_labels *first = NULL, *labels = NULL;
    rg_labeling *start = test_fit(&first, from, data), *labeling = test_fit(&labels, spec, data);
    size_t n = (size_t)rg_dataset_n_nodes(data), at = 0;
    uint32_t *twins = calloc(n + 1, sizeof *twins);
    rg_table *table = rg_table_new();
    assert_true(twins && table);
    for (size_t g = 0; g < n_graphs; g++)
        for (uint32_t i = 0; i < graphs[g].n; i++) {
            uint64_t begin = rg_dataset_graph(data, g).first_node;
            twin_view v = look(&graphs[g], rg_labels_data(first) + begin, edges, i, depth);
            twins[at++] = marks ? marked_twin(table, &v, marks) : wl2_twin(table, &v, 6);
        }
    assert_same_parts(spec, rg_labels_data(labels), twins, n);
    assert_int_equal(rg_labels_n_capped(labels), 0);
    rg_table_free(table);
    free(twins);
    free(spec);
    rg_labels_free(first);
    rg_labels_free(labels);
    rg_labeling_free(start);
    rg_labeling_free(labeling);
    rg_dataset_free(data);
}

static void every_small_graph_has_the_labels_of_its_twin(void **state)
{
    (void)state;
    /* The most marks by number of nodes: a twin of k marks takes n^k refinements per graph. */
    static const uint32_t most[] = {0, 3, 3, 3, 3, 3, 2, 1};
    bool found = false;
    for (uint32_t n = 1; n <= (test_sample_step() == 1 ? 7 : 5); n++) {
        size_t count;
        test_graph *graphs = test_all_graphs(n, &count);
        if (!graphs)
            continue;
        found = true;
        for (uint32_t marks = 0; marks <= most[n]; marks++)
            for (uint32_t depth = 0; depth <= (n < 7 ? 2 : 0); depth++)
                assert_twins(graphs, count, n % 2 ? "trivial" : "degree", false, marks, depth);
        test_graphs_free(graphs, count);
    }
    if (!found)
        skip();
}

/* With the label of i beside it, the class of j is its colour when i is marked. */
static void marked_pairs_are_colours(void **state)
{
    (void)state;
    bool found = false;
    for (uint32_t n = 1; n <= 7; n++)
        for (uint32_t depth = 0; depth <= (n < 7 ? 2 : 0); depth++) {
            size_t count, at = 0;
            test_graph *graphs = test_all_graphs(n, &count);
            if (!graphs)
                continue;
            found = true;
            rg_dataset *data = test_set_of(graphs, count);
            rg_labels *labels = NULL;
            char *spec = test_format("marked(from=trivial, depth=%u)", depth);
            rg_labeling *labeling = test_fit(&labels, spec, data);
            rg_property property = {RG_PROPERTY_MARKED, depth};
            rg_property_space *space = NULL;
            rg_table *table = rg_table_new(), *pairs = rg_table_new();
            uint32_t *ours = calloc(count * n * n, sizeof *ours), zero[LARGEST] = {0};
            uint32_t *twins = calloc(count * n * n, sizeof *twins);
            assert_true(table && pairs && ours && twins);
            ASSERT_OK(rg_property_space_new(&space, &property, data, err));
            for (size_t g = 0; g < count; g++) {
                ASSERT_OK(rg_property_space_graph(space, g, err));
                for (uint32_t i = 0; i < n; i++) {
                    const uint32_t marks[] = {0};
                    twin_view v = look(&graphs[g], zero, false, i, depth);
                    uint32_t colour[LARGEST];
                    colours_of(colour, table, &v, marks, 1);
                    assert_int_equal(rg_property_list(space, i, 0, INT64_MAX).n, v.n);
                    for (uint32_t b = 0; b < v.n; b++) {
                        int64_t value = rg_property_value(space, i, v.node[b]);
                        const uint32_t pair[] = {rg_labels_data(labels)[g * n + i],
                                                 (uint32_t)value};
                        assert_true(value >= 0 && value < n && (value == 0) == (b == 0));
                        ours[at] = number_of(pairs, pair, 2);
                        twins[at++] = colour[b];
                    }
                }
            }
            assert_same_parts(spec, ours, twins, at);
            rg_property_space_free(space);
            rg_labels_free(labels);
            rg_labeling_free(labeling);
            rg_dataset_free(data);
            rg_table_free(table);
            rg_table_free(pairs);
            free(ours);
            free(twins);
            free(spec);
            test_graphs_free(graphs, count);
        }
    if (!found)
        skip();
}

static void labels_of_nodes_and_edges_are_looked_at(void **state)
{
    (void)state;
    enum { N = 24 };
    test_graph graphs[N];
    for (uint32_t g = 0; g < N; g++)
        graphs[g] = test_random(2 + g % 6, 0.5, 2, 1 + g % 2, 3 + g / 2);
    for (uint32_t marks = 0; marks <= 2; marks++)
        for (uint32_t depth = 0; depth <= 2; depth++) {
            assert_twins(graphs, N, "node", true, marks, depth);
            assert_twins(graphs, N, "node", false, marks, depth);
            assert_twins(graphs, N, "wl(depth=1)", true, marks, depth);
        }
    for (uint32_t g = 0; g < N; g++)
        test_graph_free(&graphs[g]);
}

/* ---- marks on the smallest class until all nodes are parted */

/* Is there a renumbering of the nodes that a and b look at, the first to the first? */
static bool alike(const twin_view *a, const twin_view *b, uint32_t *to, uint32_t n, uint32_t used)
{
    if (n == a->n)
        return true;
    for (uint32_t k = n ? 0 : 0; k < (n ? b->n : 1); k++) {
        bool fits = !(used >> k & 1) && a->first[n] == b->first[k];
        for (uint32_t j = 0; fits && j < n; j++)
            fits = a->joined[n][j] == b->joined[k][to[j]];
        to[n] = k;
        if (fits && alike(a, b, to, n + 1, used | 1u << k))
            return true;
    }
    return false;
}

static void enough_marks_part_all_that_is_not_symmetric(void **state)
{
    (void)state;
    bool found = false;
    for (uint32_t n = 1; n <= 6; n++) {
        size_t count;
        test_graph *graphs = test_all_graphs(n, &count);
        if (!graphs)
            continue;
        found = true;
        rg_dataset *data = test_set_of(graphs, count);
        rg_labels *labels = NULL;
        rg_labeling *labeling =
            test_fit(&labels, "marked(k=6, from=trivial, further=smallest)", data);
        const uint32_t *label = rg_labels_data(labels), zero[LARGEST] = {0};
        size_t n_nodes = count * n;
        for (size_t u = 0; u < n_nodes; u++) {
            twin_view a = look(&graphs[u / n], zero, false, (uint32_t)(u % n), 0);
            for (size_t v = n == 6 ? u - u % 97 : 0; v < u; v++) {
                twin_view b = look(&graphs[v / n], zero, false, (uint32_t)(v % n), 0);
                uint32_t to[LARGEST];
                bool same = a.n == b.n && alike(&a, &b, to, 0, 0);
                if (same != (label[u] == label[v]))
                    fail_msg("%u nodes: %zu and %zu are %s", n, u, v, same ? "alike" : "not");
            }
        }
        rg_labels_free(labels);
        rg_labeling_free(labeling);
        rg_dataset_free(data);
        test_graphs_free(graphs, count);
    }
    if (!found)
        skip();
}

/* ---- known pairs */

/* Rook's graph (same row or column of a 4 x 4 board), or Shrikhande's, which has its parameters. */
static test_graph board(bool rook)
{
    test_graph g = test_graph_new(16);
    for (uint32_t i = 0; i < 16; i++)
        for (uint32_t j = 0; j < i; j++) {
            uint32_t row = (i / 4 - j / 4) % 4, col = (i % 4 - j % 4) % 4;
            bool line = row == 0 || col == 0;
            bool step =
                row != 2 && col != 2 && (line || row == col); /* (0,1), (1,0), (1,1), back */
            if (rook ? line : step)
                test_edge(&g, i, j, 0);
        }
    return g;
}

/* Does the labeling give two graphs different multisets of labels? */
static bool parts(const char *spec, const test_graph *a, const test_graph *b)
{
    test_graph both[] = {*a, *b};
    rg_dataset *data = test_set_of(both, 2);
    rg_labels *labels = NULL;
    rg_labeling *labeling = test_fit(&labels, spec, data);
    uint32_t *x = calloc((size_t)a->n + b->n, sizeof *x);
    assert_non_null(x);
    memcpy(x, rg_labels_data(labels), ((size_t)a->n + b->n) * sizeof *x);
    sort(x, a->n, 1);
    sort(x + a->n, b->n, 1);
    bool differ = a->n != b->n || memcmp(x, x + a->n, a->n * sizeof *x) != 0;
    free(x);
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    rg_dataset_free(data);
    return differ;
}

static void known_pairs_need_the_power_they_need(void **state)
{
    (void)state;
    test_graph rook = board(true), other = board(false), again = test_shuffled(&rook, 5);
    test_graph rings = test_graph_new(6), ring = test_ring(6);
    test_cycle(&rings, 0, 3);
    test_cycle(&rings, 3, 3);
    static const struct {
        const char *spec;
        bool rings, boards;
    } cases[] = {
        {"wl(depth=6)", false, false},
        {"marked(k=1)", true, false},
        {"wl2", true, false},
        {"marked(k=2)", true, true},
        {"marked(k=2, depth=1)", true, true},
        {"marked(k=3)", true, true},
        {"marked(k=4, further=smallest)", true, true},
        {"wl2(depth=1)", true, true},
        {"walks(max=6)", true, false},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        if (parts(cases[k].spec, &rings, &ring) != cases[k].rings ||
            parts(cases[k].spec, &rook, &other) != cases[k].boards)
            fail_msg("%s", cases[k].spec);
        assert_false(parts(cases[k].spec, &rook, &again));
    }
    test_graph_free(&rook);
    test_graph_free(&other);
    test_graph_free(&again);
    test_graph_free(&rings);
    test_graph_free(&ring);
}

/* ---- budgets */

static void graphs_over_the_budget_have_one_label(void **state)
{
    (void)state;
    static const char *const specs[] = {
        "marked(k=1)", "marked(k=2)",  "marked(k=3, depth=2)", "marked(k=5, further=smallest)",
        "wl2",         "wl2(depth=1)", "walks(max=9)",         "betweenness"};
    test_graph small = test_ring(3), large = test_grid(4, 5), turned = test_shuffled(&large, 3);
    test_graph graphs[] = {small, large, turned};
    rg_dataset *data = test_set_of(graphs, 3);
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++)
        for (uint64_t budget = 1; budget < (uint64_t)1 << 34; budget *= 3) {
            rg_label_options options = rg_label_options_default();
            rg_labeling *labeling = NULL;
            rg_labels *labels = NULL;
            options.budget = budget;
            ASSERT_OK(rg_labeling_fit(&labeling, &labels, specs[k], data, NULL, 0, &options, err));
            const uint32_t *label = rg_labels_data(labels);
            size_t n_capped = rg_labels_n_capped(labels);
            assert_true(n_capped != 1 || strstr(specs[k], "walks"));
            for (uint32_t i = 1; n_capped > 1 && strncmp(specs[k], "walks", 5) && i < 20; i++)
                assert_int_equal(label[3 + i], label[3]);
            rg_labels_free(labels);
            rg_labeling_free(labeling);
        }
    rg_dataset_free(data);
    test_graph_free(&small);
    test_graph_free(&large);
    test_graph_free(&turned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_graph_has_the_labels_of_its_twin),
        cmocka_unit_test(marked_pairs_are_colours),
        cmocka_unit_test(labels_of_nodes_and_edges_are_looked_at),
        cmocka_unit_test(enough_marks_part_all_that_is_not_symmetric),
        cmocka_unit_test(known_pairs_need_the_power_they_need),
        cmocka_unit_test(graphs_over_the_budget_have_one_label),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
