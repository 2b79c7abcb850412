/* test_measures.c - walks, betweenness and core against their definitions on all small graphs. */
#include "support/graphs.h"
#include "support/labelings.h"

enum { LARGEST = 8, LONGEST = 7 };

/* What a twin finds for one node: numbers that labels must be equal with. */
typedef struct measures {
    int64_t walks[LONGEST + 1], core, quarters;
} measures;

/* All walks of up to LONGEST edges from `here`, step by step. */
static void walk(const test_graph *g, uint32_t start, uint32_t here, uint32_t length, measures *m)
{
    m->walks[length] += here == start;
    for (uint32_t j = 0; length < LONGEST && j < g->n; j++)
        if (test_joined(g, here, j))
            walk(g, start, j, length + 1, m);
}

/* The best least degree of any set of nodes with v. */
static int64_t core_of(const test_graph *g, uint32_t v)
{
    int64_t best = 0;
    for (uint32_t set = 1; set < 1u << g->n; set++) {
        int64_t least = g->n;
        for (uint32_t i = 0; i < g->n; i++) {
            int64_t degree = 0;
            for (uint32_t j = 0; j < g->n; j++)
                degree += (set >> j & 1) && test_joined(g, i, j);
            if ((set >> i & 1) && degree < least)
                least = degree;
        }
        if ((set >> v & 1) && least > best)
            best = least;
    }
    return best;
}

/* Paths from here to t that visit no node twice, of the least length so far: how many, and how
 * many of them hold v. */
typedef struct shortest {
    uint32_t length, n, with_v;
} shortest;

static void follow(const test_graph *g, uint32_t here, uint32_t t, uint32_t v, uint32_t on,
                   uint32_t length, shortest *found)
{
    if (here == t && length < found->length)
        *found = (shortest){length, 0, 0};
    if (here == t && length == found->length) {
        found->n++;
        found->with_v += on >> v & 1;
    }
    for (uint32_t j = 0; here != t && length < found->length && j < g->n; j++)
        if (test_joined(g, here, j) && !(on >> j & 1))
            follow(g, j, t, v, on | 1u << j, length + 1, found);
}

static double betweenness_of(const test_graph *g, uint32_t v)
{
    double sum = 0;
    for (uint32_t s = 0; s < g->n; s++)
        for (uint32_t t = 0; t < s; t++) {
            shortest found = {UINT32_MAX, 0, 0};
            if (s == v || t == v)
                continue;
            follow(g, s, t, v, 1u << s, 0, &found);
            sum += found.n ? (double)found.with_v / found.n : 0;
        }
    return sum;
}

/* The number in the description of node v's label, "... degree 3" -> 3. */
static int64_t said(const rg_labeling *labeling, const rg_labels *labels, size_t v)
{
    char text[256];
    ASSERT_OK(rg_labeling_describe(text, sizeof text, labeling, rg_labels_data(labels)[v], err));
    const char *digit = strpbrk(text, "0123456789");
    assert_non_null(digit);
    return strtoll(digit, NULL, 10);
}

static void check_graph(test_graph *g, void *context)
{
    (void)context;
    rg_dataset *data = test_set_of(g, 1);
    rg_labels *core_labels = NULL, *between_labels = NULL, *walk_labels = NULL;
    rg_labeling *core = test_fit(&core_labels, "core", data);
    rg_labeling *between = test_fit(&between_labels, "betweenness(parts=60)", data);
    rg_labeling *walks = test_fit(&walk_labels, "walks(min=2, max=7)", data);
    measures m[LARGEST];
    memset(m, 0, sizeof m);
    for (uint32_t v = 0; v < g->n; v++) {
        walk(g, v, v, 0, &m[v]);
        m[v].core = core_of(g, v);
        m[v].quarters = (int64_t)(60 * betweenness_of(g, v) + 0.5);
        assert_int_equal(said(core, core_labels, v), m[v].core);
        assert_int_equal(said(between, between_labels, v), m[v].quarters);
        for (uint32_t u = 0; u < v; u++) {
            bool same = memcmp(m[u].walks + 2, m[v].walks + 2, 6 * sizeof(int64_t)) == 0;
            assert_int_equal(same,
                             rg_labels_data(walk_labels)[u] == rg_labels_data(walk_labels)[v]);
        }
    }
    rg_labels_free(core_labels);
    rg_labels_free(between_labels);
    rg_labels_free(walk_labels);
    rg_labeling_free(core);
    rg_labeling_free(between);
    rg_labeling_free(walks);
    rg_dataset_free(data);
}

static void every_small_graph_has_the_numbers_of_the_definitions(void **state)
{
    (void)state;
    size_t n_graphs = 0;
    for (uint32_t n = 1; n <= 7; n++)
        n_graphs += test_each_graph(n, check_graph, NULL);
    if (n_graphs == 0)
        skip();
}

/* What the vocabularies of walks say, in full. */
static void walks_are_counted_by_length(void **state)
{
    (void)state;
    test_graph ring = test_ring(3);
    rg_dataset *data = test_set_of(&ring, 1);
    rg_labels *labels = NULL;
    rg_labeling *labeling = test_fit(&labels, "walks(min=2, max=5)", data);
    char text[256];
    ASSERT_OK(rg_labeling_describe(text, sizeof text, labeling, 0, err));
    assert_string_equal(text, "on 2 closed walks of length 2, 2 of length 3, 6 of length 4, 10 of "
                              "length 5");
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    rg_dataset_free(data);
    test_graph_free(&ring);
}

/* Counts that pass 2^62, and those that only come near. */
static void too_many_walks_are_not_counted(void **state)
{
    (void)state;
    test_graph complete = test_complete(12);
    rg_dataset *data = test_set_of(&complete, 1);
    rg_labels *labels = NULL;
    rg_labeling *labeling = test_fit(&labels, "walks(min=18, max=20)", data);
    char text[256];
    assert_int_equal(rg_labels_n_capped(labels), 1);
    ASSERT_OK(rg_labeling_describe(text, sizeof text, labeling, 0, err));
    /* (11^l + 11 * (-1)^l) / 12, and 5.1e18 of length 19 are above 2^62 = 4.6e18 */
    assert_string_equal(text, "on 463326442791019291 closed walks of length 18; not counted, over "
                              "the budget: length 19, length 20");
    rg_labels_free(labels);
    rg_labeling_free(labeling);
    rg_dataset_free(data);
    test_graph_free(&complete);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_small_graph_has_the_numbers_of_the_definitions),
        cmocka_unit_test(walks_are_counted_by_length),
        cmocka_unit_test(too_many_walks_are_not_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
