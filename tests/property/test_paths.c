/* test_paths.c - paths and bonds against all simple paths of all small graphs. */
#include "spaces.h"

enum { LARGEST = 8, LABELS = 3 };

/* What follows from writing all paths of the least length out. */
typedef struct path_answers {
    uint32_t length, n;     /* length UINT32_MAX: there is no path */
    uint32_t label[LABELS]; /* edges with it, on all paths together */
    uint32_t on[LABELS];    /* on the path so far */
} path_answers;

static void follow(const test_graph *g, uint32_t here, uint32_t t, uint32_t used, uint32_t length,
                   path_answers *a)
{
    if (here == t && length < a->length) {
        a->length = length;
        a->n = 0;
        memset(a->label, 0, sizeof a->label);
    }
    if (here == t && length == a->length) {
        a->n++;
        for (uint32_t l = 0; l < LABELS; l++)
            a->label[l] += a->on[l];
        return;
    }
    for (uint32_t j = 0; j < g->n && length < a->length; j++)
        if (test_joined(g, here, j) && !(used >> j & 1)) {
            uint32_t label = g->joined[here * g->n + j] - 1;
            a->on[label]++;
            follow(g, j, t, used | 1u << j, length + 1, a);
            a->on[label]--;
        }
}

static rg_dataset *dataset_of(const test_graph *g)
{
    return test_dataset(g, 1, &(test_columns){.edges = {.step = 1, .first = 0}});
}

static int64_t paths_of(const path_answers *a, uint32_t cut)
{
    return a->length <= cut ? a->n : 0;
}

static int64_t bonds_of(const path_answers *a, uint32_t cut)
{
    int64_t value = 0;
    if (a->length > cut)
        return RG_NO_VALUE;
    for (uint32_t l = 0; l < LABELS; l++) {
        if (a->label[l] > 15)
            return RG_NO_VALUE;
        value += (int64_t)a->label[l] << (4 * l);
    }
    return value;
}

static void check_row(rg_property_space *space, uint32_t i, const int64_t *expected, uint32_t n,
                      int64_t elsewhere)
{
    rg_property_row row = rg_property_list(space, i, INT64_MIN, INT64_MAX);
    size_t at = 0;
    for (uint32_t j = 0; j < n; j++) {
        assert_true(rg_property_value(space, i, j) == expected[j]);
        if (expected[j] == elsewhere)
            continue;
        assert_true(at < row.n && row.j[at] == j && row.value[at] == expected[j]);
        at++;
    }
    assert_int_equal(at, row.n);
}

static void check_graph(test_graph *g, void *context)
{
    (void)context;
    rg_dataset *data = dataset_of(g);
    for (uint32_t cut = 1; cut <= 5; cut++) {
        uint32_t far = cut == 5 ? 200 : cut;
        rg_property_space *paths = test_space(data, (rg_property){RG_PROPERTY_PATHS, far});
        bool labelled = rg_dataset_n_columns(data, RG_EDGE_LABEL) > 0;
        rg_property_space *bonds =
            labelled ? test_space(data, (rg_property){RG_PROPERTY_BONDS, far}) : NULL;
        for (uint32_t i = 0; i < g->n; i++) {
            int64_t n_paths[LARGEST], labels[LARGEST];
            for (uint32_t j = 0; j < g->n; j++) {
                path_answers a = {.length = UINT32_MAX};
                follow(g, i, j, 1u << i, 0, &a);
                n_paths[j] = paths_of(&a, far);
                labels[j] = bonds_of(&a, far);
            }
            check_row(paths, i, n_paths, g->n, 0);
            if (bonds)
                check_row(bonds, i, labels, g->n, RG_NO_VALUE);
        }
        rg_property_space_free(paths);
        rg_property_space_free(bonds);
    }
    rg_dataset_free(data);
}

static void all_small_graphs_agree_with_all_paths(void **state)
{
    (void)state;
    size_t n_graphs = 0;
    for (uint32_t n = 1; n <= 7; n++)
        n_graphs += test_each_graph(n, check_graph, NULL);
    for (uint64_t seed = 0; seed < 60; seed++) {
        test_graph g = test_random(8, 0.35, 1, LABELS, seed);
        check_graph(&g, NULL);
        test_graph_free(&g);
    }
    if (n_graphs == 0)
        skip();
}

/* Diamonds in a row double the number of paths: 2^k after k of them. */
static void numbers_that_are_too_large_stop(void **state)
{
    (void)state;
    enum { DIAMONDS = 40 };
    uint32_t edges[4 * DIAMONDS][2];
    int64_t labels[4 * DIAMONDS];
    for (uint32_t k = 0; k < DIAMONDS; k++) {
        const uint32_t a = 3 * k,
                       corners[][2] = {{a, a + 1}, {a, a + 2}, {a + 1, a + 3}, {a + 2, a + 3}};
        memcpy(edges[4 * k], corners, sizeof corners);
        for (uint32_t e = 0; e < 4; e++)
            labels[4 * k + e] = k < 2 ? 14 : 2;
    }
    rg_dataset *data = test_dataset_of_edges(3 * DIAMONDS + 1, edges, labels, 4 * DIAMONDS);
    rg_property_space *paths = test_space(data, (rg_property){RG_PROPERTY_PATHS, RG_DIST_ANY});
    rg_property_space *bonds = test_space(data, (rg_property){RG_PROPERTY_BONDS, 100});
    assert_int_equal(rg_property_value(paths, 0, 3 * 31), (int64_t)1 << 31);
    assert_true(rg_property_value(paths, 0, 3 * 32) == UINT32_MAX - 1);
    assert_true(rg_property_value(paths, 0, 3 * 40) == UINT32_MAX - 1);
    assert_true(rg_property_value(bonds, 0, 3) == (int64_t)4 << 56);
    assert_true(rg_property_value(bonds, 0, 4) == (int64_t)6 << 56); /* two paths of three */
    assert_true(rg_property_value(bonds, 0, 6) == RG_NO_VALUE);      /* four of four */
    assert_true(rg_property_value(bonds, 6, 9) == (int64_t)4 << 8);
    assert_true(rg_property_value(bonds, 6, 3 * 40) == RG_NO_VALUE);
    rg_property_space_free(paths);
    rg_property_space_free(bonds);
    rg_dataset_free(data);
}

static void labels_that_do_not_fit_are_refused(void **state)
{
    (void)state;
    static const uint32_t edge[][2] = {{0, 1}};
    static const int64_t labels[][1] = {{-1}, {15}, {14}};
    for (size_t k = 0; k < 3; k++) {
        rg_dataset *data = test_dataset_of_edges(2, edge, labels[k], 1);
        rg_property_space *space = NULL;
        rg_error err = {""};
        rg_status status =
            rg_property_space_new(&space, &(rg_property){RG_PROPERTY_BONDS, 3}, data, &err);
        assert_int_equal(status, k < 2 ? RG_EDATA : RG_OK);
        assert_true(k == 2 || strstr(err.message, "expected 0..14"));
        rg_property_space_free(space);
        rg_dataset_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_small_graphs_agree_with_all_paths),
        cmocka_unit_test(numbers_that_are_too_large_stop),
        cmocka_unit_test(labels_that_do_not_fit_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
