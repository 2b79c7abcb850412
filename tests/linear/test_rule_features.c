/* test_rule_features.c - keys of rules counted in graphs: known answers, a slow twin, other graphs than those of
 * the fit, order of nodes, files, and while memory fails. */
#include "support/graphs.h"

#include "base/alloc.h"
#include "graph/reorder.h"
#include "regula/features.h"
#include "regula/generate.h"

#include <stdlib.h>

static const char *const rules[] = {"share d(i), d(j), dist(i,j) when dist(i,j) in 1..2",
                                    "share d(i)"};
static const char *const label_names[] = {"d"}, *const label_specs[] = {"degree"};

static rg_rule_features_options options_of(void)
{
    rg_rule_features_options o = RG_RULE_FEATURES_OPTIONS_INIT;
    o.rules = rules;
    o.n_rules = 2;
    o.label_names = label_names;
    o.label_specs = label_specs;
    o.n_labels = 1;
    o.n_threads = 1;
    return o;
}

static rg_dataset *circles(size_t n, uint64_t seed)
{
    rg_dataset *data = NULL;
    rg_generate_options o = rg_generate_options_default();
    o.n_graphs = n;
    o.seed = seed;
    o.smallest = 3;
    o.largest = 4;
    ASSERT_OK(rg_dataset_generate(&data, RG_SNOWFLAKES, &o, err));
    return data;
}

static uint32_t count_at(const rg_count_matrix *m, size_t row, uint32_t col)
{
    for (uint64_t k = m->row[row]; k < m->row[row + 1]; k++)
        if (m->col[k] == col)
            return m->count[k];
    return 0;
}

/* Distance 1 or 2 of i and j, 0: neither. */
static uint32_t near(const rg_graph *g, uint32_t i, uint32_t j)
{
    bool two = false;
    for (uint64_t k = g->row[i]; k < g->row[i + 1]; k++) {
        if (g->col[k] == j)
            return 1;
        for (uint64_t l = g->row[g->col[k]]; l < g->row[g->col[k] + 1]; l++)
            two = two || g->col[l] == j;
    }
    return two && i != j ? 2 : 0;
}

static uint32_t degree(const rg_graph *g, uint32_t i)
{
    return (uint32_t)(g->row[i + 1] - g->row[i]);
}

/* Labels are numbered by frequency, so a key says nothing by itself: the twin reads degrees from the words. */
static uint32_t count_slowly(const rg_graph *g, unsigned to, unsigned from, unsigned apart)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < g->n_nodes; i++) {
        n += apart == 0 && degree(g, i) == to;
        for (uint32_t j = 0; apart && j < g->n_nodes; j++)
            n += degree(g, i) == to && degree(g, j) == from && near(g, i, j) == apart;
    }
    return n;
}

static void counts_are_those_of_counting_by_hand(void **state)
{
    (void)state;
    rg_dataset *data = circles(8, 1);
    rg_rule_features_options o = options_of();
    rg_rule_features *f = NULL;
    rg_count_matrix *m = NULL;
    uint64_t total = 0, pairs = 0;
    ASSERT_OK(rg_rule_features_fit(&f, data, &o, err));
    ASSERT_OK(rg_rule_features_count(&m, f, data, err));
    assert_int_equal(m->n_rows, 8);
    assert_int_equal(m->n_cols, rg_rule_features_size(f));
    for (size_t c = 0; c < m->n_cols; c++) {
        unsigned to, from, apart = 0;
        char *name = NULL;
        ASSERT_OK(rg_rule_features_name(&name, f, c, err));
        if (rg_rule_features_rule(f, c) == 1)
            assert_int_equal(sscanf(name, "a node of degree %u", &to), 1);
        else
            assert_int_equal(
                sscanf(name, "from a node of degree %u to a node of degree %u, at distance %u",
                       &from, &to, &apart),
                3);
        for (size_t g = 0; g < 8; g++) {
            rg_graph graph = rg_dataset_graph(data, g);
            uint32_t found = count_at(m, g, (uint32_t)c);
            assert_int_equal(found, count_slowly(&graph, to, from, apart));
            total += found;
        }
        rg_text_free(name);
    }
    for (size_t g = 0; g < 8; g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        pairs += graph.n_nodes;
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            for (uint32_t j = 0; j < graph.n_nodes; j++)
                pairs += near(&graph, i, j) != 0;
    }
    assert_int_equal(total, pairs);
    rg_count_matrix_free(m);
    rg_rule_features_free(f);
    rg_dataset_free(data);
}

static void counts_do_not_depend_on_the_order_of_nodes_or_on_threads(void **state)
{
    (void)state;
    rg_dataset *data = circles(6, 2), *other = NULL;
    rg_rule_features_options o = options_of();
    rg_rule_features *f = NULL, *g = NULL;
    rg_count_matrix *m = NULL, *n = NULL;
    uint32_t *graphs, *nodes;
    ASSERT_OK(rg_dataset_shuffle(&graphs, &nodes, data, 3, err));
    ASSERT_OK(rg_dataset_reorder(&other, data, NULL, nodes, err));
    ASSERT_OK(rg_rule_features_fit(&f, data, &o, err));
    o.n_threads = 8;
    ASSERT_OK(rg_rule_features_fit(&g, other, &o, err));
    ASSERT_OK(rg_rule_features_count(&m, f, data, err));
    ASSERT_OK(rg_rule_features_count(&n, g, other, err));
    assert_int_equal(m->n_cols, n->n_cols);
    assert_memory_equal(m->row, n->row, (m->n_rows + 1) * sizeof *m->row);
    assert_memory_equal(m->col, n->col, m->row[m->n_rows] * sizeof *m->col);
    assert_memory_equal(m->count, n->count, m->row[m->n_rows] * sizeof *m->count);
    rg_count_matrix_free(m);
    rg_count_matrix_free(n);
    rg_rule_features_free(f);
    rg_rule_features_free(g);
    rg_free(graphs);
    rg_free(nodes);
    rg_dataset_free(data);
    rg_dataset_free(other);
}

/* Only what the fit saw has a column, and with a support only what enough graphs have. */
static void keys_that_the_fit_did_not_see_are_not_counted(void **state)
{
    (void)state;
    static const uint32_t first[] = {0, 2};
    rg_dataset *data = circles(8, 4);
    rg_rule_features_options o = options_of();
    rg_rule_features *all = NULL, *some = NULL, *often = NULL;
    rg_count_matrix *m = NULL, *n = NULL;
    ASSERT_OK(rg_rule_features_fit(&all, data, &o, err));
    o.support = 8;
    ASSERT_OK(rg_rule_features_fit(&often, data, &o, err));
    ASSERT_OK(rg_rule_features_count(&m, all, data, err));
    ASSERT_OK(rg_rule_features_count(&n, often, data, err));
    size_t in_all = 0;
    for (uint32_t c = 0; c < m->n_cols; c++) {
        size_t graphs = 0;
        for (size_t g = 0; g < 8; g++)
            graphs += count_at(m, g, c) > 0;
        if (graphs < 8)
            continue;
        for (size_t g = 0; g < 8; g++)
            assert_int_equal(count_at(n, g, (uint32_t)in_all), count_at(m, g, c));
        assert_memory_equal(rg_rule_features_key(often, in_all), rg_rule_features_key(all, c),
                            rg_rule_features_width(all, c) * sizeof(int64_t));
        in_all++;
    }
    assert_int_equal(in_all, n->n_cols);
    o.support = 1;
    o.graphs = first;
    o.n_graphs = 2;
    ASSERT_OK(rg_rule_features_fit(&some, data, &o, err));
    assert_true(rg_rule_features_size(some) <= rg_rule_features_size(all));
    rg_count_matrix_free(m);
    rg_count_matrix_free(n);
    rg_rule_features_free(all);
    rg_rule_features_free(some);
    rg_rule_features_free(often);
    rg_dataset_free(data);
}

static void mistakes_are_said(void **state)
{
    (void)state;
    static const char *const wrong[] = {"share d(i), e(j)"}, *const shapes[] = {
                                                                 "share row(j) - row(i)"};
    static const uint32_t far[] = {9};
    rg_dataset *data = circles(2, 1);
    rg_rule_features *f = NULL;
    rg_rule_features_options o = options_of();
    rg_error why;
    assert_int_equal(rg_rule_features_fit(&f, data, NULL, &why), RG_EUSAGE);
    o.n_rules = 0;
    assert_int_equal(rg_rule_features_fit(&f, data, &o, &why), RG_EUSAGE);
    assert_non_null(strstr(why.message, "found no rule"));
    o.n_rules = 1;
    o.rules = wrong;
    assert_int_equal(rg_rule_features_fit(&f, data, &o, &why), RG_EUSAGE);
    assert_non_null(strstr(why.message, "column 13: found 'e'"));
    o.rules = shapes;
    assert_int_equal(rg_rule_features_fit(&f, data, &o, &why), RG_EUSAGE);
    o = options_of();
    o.graphs = far;
    o.n_graphs = 1;
    assert_int_equal(rg_rule_features_fit(&f, data, &o, &why), RG_EUSAGE);
    assert_string_equal(why.message, "found graph 9, expected a number below 2");
    assert_null(f);
    o = options_of();
    ASSERT_OK(rg_rule_features_fit(&f, data, &o, err));
    char *name = NULL;
    assert_int_equal(rg_rule_features_name(&name, f, rg_rule_features_size(f), &why), RG_EUSAGE);
    rg_rule_features_free(f);
    rg_dataset_free(data);
}

typedef struct feature_sweep {
    rg_dataset *data;
    char *directory;
    const char *file;
} feature_sweep;

static rg_status all_of_it(void *context, rg_error *err)
{
    feature_sweep *s = context;
    rg_rule_features_options o = options_of();
    rg_rule_features *f = NULL;
    rg_count_matrix *m = NULL;
    char *name = NULL, path[300];
    snprintf(path, sizeof path, "%s/%s", s->directory, s->file);
    o.support = 2;
    rg_status status = rg_rule_features_fit(&f, s->data, &o, err);
    if (!status)
        status = rg_rule_features_count(&m, f, s->data, err);
    if (!status)
        status = rg_rule_features_name(&name, f, 0, err);
    if (!status)
        status = rg_count_matrix_write(m, NULL, path, err);
    rg_text_free(name);
    rg_count_matrix_free(m);
    rg_rule_features_free(f);
    return status;
}

static void memory_and_disk_may_fail_anywhere(void **state)
{
    (void)state;
    feature_sweep s = {.data = circles(2, 1), .directory = test_directory_make(), .file = "x.npz"};
    rg_error why;
    assert_true(test_allocation_sweep(all_of_it, &s) > 40);
    assert_true(test_io_sweep(all_of_it, &s) > 2);
    s.file = "x.svm";
    ASSERT_OK(all_of_it(&s, err));
    char *path = test_format("%s/x.svm", s.directory), *text = test_read(path, NULL);
    unsigned n = 0;
    for (const char *c = text; *c; c++)
        n += *c == '\n';
    assert_int_equal(n, 2);
    assert_memory_equal(text, "0 1:", 4);
    free(text);
    free(path);
    s.file = "x.csv";
    assert_int_equal(all_of_it(&s, &why), RG_EUSAGE);
    assert_non_null(strstr(why.message, "must end with .npz or .svm"));
    test_directory_remove(s.directory);
    rg_dataset_free(s.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_those_of_counting_by_hand),
        cmocka_unit_test(counts_do_not_depend_on_the_order_of_nodes_or_on_threads),
        cmocka_unit_test(keys_that_the_fit_did_not_see_are_not_counted),
        cmocka_unit_test(mistakes_are_said),
        cmocka_unit_test(memory_and_disk_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
