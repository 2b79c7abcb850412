/* test_rule_values.c - rules over the values of samples: real numbers, bins, a table per sample. */
/* threads */
#include "support/rule_twin.h"

#include "graph/reorder.h"
#include "rule/bins.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Numbers of samples, made up: some are equal, some are not there. */
typedef struct made_up {
    const rg_dataset *data;
    size_t n; /* arrays: of one sample */
    uint32_t n_channels;
    bool gaps;
} made_up;

static void read_made_up(void *context, size_t sample, double *out)
{
    const made_up *m = context;
    size_t n = m->data ? rg_dataset_graph(m->data, sample).n_nodes * m->n_channels : m->n;
    for (size_t k = 0; k < n; k++) {
        out[k] = (double)rg_random_below(7, sample, k, 9) / 4 - 1;
        if (m->gaps && rg_random_below(8, sample, k, 6) == 0)
            out[k] = NAN;
    }
}

static const char *const value_rules[] = {
    "share value(j) > 0.5",
    "share value(j) > 0, value(i) <= -0.25, i = j when value(i) != value(j)",
    "share value(j) = 0.25, not value(j) > 0.25",
    "share bin(value(j), 4), bin(value(i), 2)",
    "share bin(value(j), 3) when bin(value(j), 8) > bin(value(i), 8) + 1",
    "share value(j) in -0.5..0.5, value(i) in {0.25, 0.5, 1}",
    "share value(j) - value(i) < 0.3 when abs(value(j) - value(i)) >= 0.25",
    "share -value(j) > min(value(i), 0.1), max(value(i), 1) * 2 = 2.0",
    "share value(j) / value(i) > 1, value(j) / 0 = 1",
    "share (if value(j) > 0 then value(i) else 1.5) >= 0.5",
    "share if value(j) > 0.5 then 1 else if value(j) < 1e-3 then 2 else 3",
    "share -1 < value(j) <= 0.5, value(j) * 1e308 * 10 > 0",
};
enum { N_RULES = sizeof value_rules / sizeof *value_rules };

static void compare_all(const rg_rule_input *input, const char *const *more, size_t n_more)
{
    for (size_t k = 0; k < N_RULES; k++)
        rule_compare(value_rules[k], RG_RULE_PAIR, input);
    for (size_t k = 0; k < n_more; k++)
        rule_compare(more[k], RG_RULE_PAIR, input);
    rule_compare("share value(i) > 0, bin(value(i), 3)", RG_RULE_BIAS, input);
    rule_compare("share out, bin(value(i), 5) when value(i) < 0.9", RG_RULE_AGGREGATE, input);
}

static void rules_over_nodes_give_what_the_tree_says(void **state)
{
    static const char *const more[] = {
        "share wl(i), value(j,1) > 0.5 when dist(i,j) in 1..2",
        "share bin(value(j,1), 4), dist(i,j) when edge(i,j) and value(i,1) < value(j)",
        "share dist(i,j) when dist(i,j) < 2.5",
        "share wl(i) when dist(i,j) > value(j) * 2 or i = j",
        "share common(i,j) when common(i,j) >= 0.5 and not dist(i,j) <= 1.5",
        "share dist(i,j) when (if edge(i,j) then value(j) else 0) > 0",
    };
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        labeled_set s = labeled_set_of(test_random_set(5, 8, seed));
        made_up m = {.data = s.data, .n_channels = 2, .gaps = true};
        uint32_t fit[] = {0, 2, 3};
        rg_rule_values values = {.read = read_made_up, .context = &m, .n_channels = 2};
        rg_rule_input input = input_of(&s);
        input.values = &values;
        compare_all(&input, more, sizeof more / sizeof *more);
        values.fit = fit;
        values.n_fit = 3;
        compare_all(&input, NULL, 0);
        labeled_set_free(&s);
    }
}

static rg_dataset *edge_set(uint64_t seed)
{
    test_graph graphs[5];
    for (uint32_t g = 0; g < 5; g++)
        graphs[g] = test_random(2 * g, 0.4, 3, 2, seed * 10 + g);
    rg_dataset *data = test_dataset(graphs, 5,
                                    &(test_columns){.nodes = TEST_NODE_VALUES,
                                                    .edges = TEST_EDGE_VALUES,
                                                    .edge_numbers = true});
    for (uint32_t g = 0; g < 5; g++)
        test_graph_free(&graphs[g]);
    return data;
}

static void rules_see_the_attributes_of_edges(void **state)
{
    static const char *const more[] = {
        "share bin(value(i,j), 4) when edge(i,j)",
        "share bin(value(j,i,1), 3), wl(i), value(i,j) > 0.25 when dist(i,j) in 0..2",
        "share bin(value(i,j,1), 8)",
        "share bin(value(i,j), 2), bin(value(j), 2) when value(i,j) <= value(i,j,1)",
        "share if value(j,i) > value(j) then 1 else 2 when edge(i,j) or i = j",
    };
    (void)state;
    for (uint64_t seed = 1; seed <= 2; seed++) {
        labeled_set s = labeled_set_of(edge_set(seed));
        made_up m = {.data = s.data, .n_channels = 1};
        uint32_t fit[] = {2, 3};
        rg_rule_values values = {.read = read_made_up, .context = &m, .n_channels = 1};
        rg_rule_input input = input_of(&s);
        input.values = &values;
        for (size_t k = 0; k < sizeof more / sizeof *more; k++)
            rule_compare(more[k], RG_RULE_PAIR, &input);
        values.fit = fit;
        values.n_fit = 2;
        for (size_t k = 0; k < sizeof more / sizeof *more; k++)
            rule_compare(more[k], RG_RULE_PAIR, &input);
        labeled_set_free(&s);
    }
}

static void rules_over_arrays_have_a_table_for_each_sample(void **state)
{
    static const char *const more[] = {
        "share row(j) - row(i), value(j) > 0 when row(j) - row(i) in 0..1 and col(i) = col(j)",
        "share bin(value(j,0), 4), channel(i) when abs(row(j) - row(i)) <= 1 and value(1) > 0",
        "share value(i + 1) > value(j), value(0) > 0, value(999) = 1 when j < i + 3",
        "share bin(value(j - 1), 3) when value(5) > 0 or i = j",
        "share i when 1 = 2 and value(j) > 0",
    };
    static const rg_rule_shape shapes[] = {{3, 2, 2}, {1, 7, 1}, {2, 3, 1}};
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        made_up m = {.n = shapes[k].rows * shapes[k].cols * shapes[k].channels};
        uint32_t wanted[] = {3, 1, 1, 0}, fit[] = {1, 2};
        rg_rule_values values = {
            .read = read_made_up, .context = &m, .n_samples = 5, .shape = shapes[k]};
        rg_rule_input input = {.size = sizeof input,
                               .in = shapes[k],
                               .out = shapes[k],
                               .n_outputs = 3,
                               .values = &values};
        compare_all(&input, more, sizeof more / sizeof *more);
        input.graphs = wanted;
        input.n_graphs = 4;
        values.fit = fit;
        values.n_fit = 2;
        compare_all(&input, more, sizeof more / sizeof *more);
    }
}

/* A rule whose place is given by a number needs no layer of the sample's shape, nor m = n. */
static void a_layer_may_have_another_shape_than_the_sample(void **state)
{
    made_up m = {.n = 6};
    rg_rule_values values = {
        .read = read_made_up, .context = &m, .n_samples = 4, .shape = {2, 3, 1}};
    rg_rule_input input = {
        .size = sizeof input, .in = {1, 4, 1}, .out = {1, 2, 1}, .values = &values};
    (void)state;
    rule_compare("share i, j, value(2) > 0, bin(value(6), 2)", RG_RULE_PAIR, &input);
    input.in = input.out = (rg_rule_shape){2, 3, 4};
    rule_compare("share channel(i), value(j,0) > value(i,0)", RG_RULE_PAIR, &input);
}

/* ---- edges */

static double numbers_of_edges[40];
static void read_number(void *context, size_t sample, double *out)
{
    (void)context;
    *out = numbers_of_edges[sample];
}

/* The edges of n bins of the first n_numbers numbers. */
static const double *edges_of(rg_rule_keys **keys, uint32_t n, size_t n_numbers)
{
    rg_rule_values values = {.read = read_number, .n_samples = n_numbers, .shape = {1, 1, 1}};
    rg_rule_input input = {
        .size = sizeof input, .in = {1, 1, 1}, .out = {1, 1, 1}, .values = &values};
    rg_rule *rule = NULL;
    char text[60];
    size_t n_edges;
    snprintf(text, sizeof text, "share bin(value(j), %u)", n);
    ASSERT_OK(rg_rule_parse(&rule, text, RG_RULE_PAIR, NULL, 0, NULL, err));
    ASSERT_OK(rg_rule_compile(keys, NULL, NULL, rule, &input, NULL, err));
    rg_rule_free(rule);
    const double *edges = rg_rule_keys_edges(*keys, &n_edges);
    assert_int_equal(n_edges, n - 1);
    return edges;
}

static void edges_are_numbers_of_the_training_part(void **state)
{
    static const double given[] = {-0.0, 5e-324, -1e300, 3, 1, 2, -7.5, 1e300};
    rg_rule_keys *keys = NULL;
    (void)state;
    memcpy(numbers_of_edges, given, sizeof given);
    const double *edges = edges_of(&keys, 4, 8); /* sorted: -1e300 -7.5 0 5e-324 1 2 3 1e300 */
    assert_true(edges[0] == -7.5 && edges[1] == 5e-324 && edges[2] == 2);
    assert_int_equal(rg_rule_keys_size(keys), 4);
    assert_int_equal(rg_bins_find(edges, 4, -7.5), 0);
    assert_int_equal(rg_bins_find(edges, 4, -7.4), 1);
    assert_int_equal(rg_bins_find(edges, 4, 2), 2);
    assert_int_equal(rg_bins_find(edges, 4, INFINITY), 3);
    assert_true(rg_bins_find(edges, 4, NAN) == RG_NO_VALUE);
    rg_rule_keys_free(keys);
    edges = edges_of(&keys, 3, 5); /* places 2 and 4 of -1e300 0 5e-324 1 3 */
    assert_true(edges[0] == 0 && !signbit(edges[0]) && edges[1] == 1);
    rg_rule_keys_free(keys);
    edges = edges_of(&keys, 256, 1);
    assert_true(edges[0] == 0 && edges[254] == 0);
    rg_rule_keys_free(keys);
}

/* Edges belong to the keys: other samples are binned by those of the fit. */
static void unseen_samples_have_the_bins_of_the_fit(void **state)
{
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL, *again = NULL;
    rg_connections *c = NULL;
    rg_rule_values values = {.read = read_number, .n_samples = 4, .shape = {1, 1, 1}};
    rg_rule_input input = {
        .size = sizeof input, .in = {1, 1, 1}, .out = {1, 1, 1}, .values = &values};
    size_t n;
    (void)state;
    for (size_t k = 0; k < 40; k++)
        numbers_of_edges[k] = (double)k;
    ASSERT_OK(rg_rule_parse(&rule, "share bin(value(j), 2)", RG_RULE_PAIR, NULL, 0, NULL, err));
    ASSERT_OK(rg_rule_compile(&keys, NULL, NULL, rule, &input, NULL, err));
    const double *edges = rg_rule_keys_edges(keys, &n);
    ASSERT_OK(rg_rule_keys_new(&again, rg_rule_keys_data(keys), 2, 1, err));
    ASSERT_REFUSED(rg_rule_apply(&c, NULL, again, rule, &input, NULL, err), RG_EDATA,
                   "rule: found 0 edges of bins, expected 1");
    ASSERT_REFUSED(rg_rule_keys_set_edges(again, (double[]){INFINITY}, 1, err), RG_EDATA,
                   "edge 0 of the bins is not finite");
    ASSERT_OK(rg_rule_keys_set_edges(again, edges, n, err));
    values.n_samples = 40;
    ASSERT_OK(rg_rule_apply(&c, NULL, again, rule, &input, NULL, err));
    assert_int_equal(rg_connections_n_graphs(c), 40);
    for (size_t k = 0; k < 40; k++)
        assert_int_equal(rg_connections_graph(c, k).weight[0], k >= 2);
    rg_connections_free(c);
    rg_rule_keys_free(keys);
    rg_rule_keys_free(again);
    rg_rule_free(rule);
}

/* ---- texts */

static void texts_have_a_normal_form(void **state)
{
    static const struct {
        const char *text, *normal;
    } cases[] = {
        {"share value( j )>0.50", "share value(j) > 0.5"},
        {"share value(j,0)>2.0,value(i,3)<1E3", "share value(j,0) > 2.0, value(i,3) < 1000.0"},
        {"share bin(value(j),8) when value(j)in 0.1..0.25",
         "share bin(value(j), 8) when value(j) in 0.1..0.25"},
        {"share value(j) in {1,2.5}, -0.5<value(j)", "share value(j) in {1, 2.5}, -0.5 < value(j)"},
        {"share value(i+1)-value(i)>0, row(i)", "share value(i + 1) - value(i) > 0, row(i)"},
        {"let v = value(j), b = bin(v, 4) share b, v > 1e-7", "share bin(value(j), 4), value(j) > "
                                                              "1e-7"},
        {"share 1e22 > value(j)", "share 1e22 > value(j)"},
        {"share value(j) // 2 > 1", "share value(j) / 2 > 1"},
        {"share bin(value(j,i,3),4),value(i,j)>0", "share bin(value(i,j,3), 4), value(i,j) > 0"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_rule *rule = NULL, *again = NULL;
        ASSERT_OK(rg_rule_parse(&rule, cases[k].text, RG_RULE_PAIR, NULL, 0, NULL, err));
        assert_string_equal(rg_rule_text(rule), cases[k].normal);
        assert_true(rg_rule_describe(rule)->on_values && !rg_rule_describe(rule)->is_static);
        ASSERT_OK(rg_rule_parse(&again, rg_rule_text(rule), RG_RULE_PAIR, NULL, 0, NULL, err));
        assert_string_equal(rg_rule_text(again), cases[k].normal);
        assert_int_equal(again->n_terms, rule->n_terms);
        rg_rule_free(rule);
        rg_rule_free(again);
    }
}

/* A file that names a labeling `value` or `bin` means what it always did. */
static void declared_labelings_go_first(void **state)
{
    static const rg_rule_labeling known[] = {{.name = "value"}, {.name = "bin"}};
    rg_rule *rule = NULL;
    (void)state;
    ASSERT_OK(rg_rule_parse(&rule, "share value(i), bin(j)", RG_RULE_PAIR, known, 2, NULL, err));
    assert_false(rg_rule_describe(rule)->on_values);
    assert_true(rg_rule_describe(rule)->on_graphs);
    rg_rule_free(rule);
}

static void mistakes_are_pointed_at(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"share value(j)", "column 7: found 'value(j)', a real number, expected a key: compare the "
                           "number, value(j) > 0.5, or bin it, bin(value(j), 8)"},
        {"share 1.5", "column 7: found '1.5', a real number, expected a key"},
        {"share 1 when value(j)",
         "column 14: found 'value(j)', a real number, expected a condition"},
        {"share value", "column 12: found the end, expected '(', as in value(j)"},
        {"share value(j > 1", "column 15: found '>', expected ')', as in value(j)"},
        {"share value(edge(i,j)) > 1", "found 'edge(i,j)', a condition, expected a number"},
        {"share value(0.5) > 1", "column 13: found '0.5', a real number, expected a number"},
        {"share value(j,x) > 1", "column 15: found 'x', expected a channel, a number from 0 on"},
        {"share value(1,2) > 1", "column 14: found ',', expected ')', as in value(j)"},
        {"share value(i,i) > 1",
         "column 15: found 'i', a node, expected the other node of an edge, "
         "as in value(i,j)"},
        {"share value(i,j,x) > 1", "found 'x', expected a channel, a number from 0 on"},
        {"share value(i,j) > 1, row(i)",
         "column 23: found 'row(i)', expected something of a graph"},
        {"share value(1) > 0, degree(i)", "column 21: found 'degree(i)', expected something of a "
                                          "fixed shape, as before"},
        {"share degree(i), value(i - 1) > 0", "nodes of a graph have no order"},
        {"share value(j) % 2 = 1", "column 7: found 'value(j)', a real number, expected a whole "
                                   "number: only these have a remainder"},
        {"share value(j) = edge(i,j)", "found 'edge(i,j)', a condition, expected a number"},
        {"share edge(i,j) = value(j)", "found 'value(j)', a real number, expected a condition"},
        {"share bin(value(j))", "column 19: found ')', expected ',', as in bin(value(j), 8)"},
        {"share bin(degree(j), 8)",
         "column 11: found 'degree(j)', a number, expected a value, as in "
         "bin(value(j), 8)"},
        {"share bin(value(j) + 1, 8)", "expected a value, as in bin(value(j), 8)"},
        {"share bin(value(j), 1)", "column 21: found '1', expected how many bins, a number 2..256"},
        {"share bin(value(j), 257)", "expected how many bins, a number 2..256"},
        {"share bin(value(j), 2.0)", "expected how many bins, a number 2..256"},
        {"share value(j) > 1e999", "column 18: found '1e999', expected a number up to "
                                   "1.7976931348623157e308"},
        {"share value(j) > 1.5x", "column 18: found '1.5x', expected a number, a name or '('"},
        {"share value(j) > .5", "column 18: found '.', expected a number, a name or '('"},
        {"share valu(j) > 1", "did you mean 'value'?"},
        {"let bin = 1 share bin", "column 5: found 'bin', expected a new name"},
        {"share if value(j) > 1 then 1 else 1.5", "a real number, expected a key"},
        {"share if value(j) > 1 then edge(i,j) else 1.5", "a real number, expected a condition"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_rule *rule = NULL;
        rg_rule_place place;
        rg_error err = {""};
        assert_int_equal(rg_rule_parse(&rule, cases[k].text, RG_RULE_PAIR, NULL, 0, &place, &err),
                         RG_EUSAGE);
        if (!strstr(err.message, cases[k].message))
            fail_msg("'%s': '%s', expected '%s'", cases[k].text, err.message, cases[k].message);
        assert_true(place.n > 0);
    }
}

static void what_does_not_fit_is_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"share value(j,2) > 0", "found 'value(j,2)', expected a channel below 2: the input has as "
                                 "many"},
        {"share value(i) > 0", "found 'value(i)', expected the shape of the sample: the layer has "
                               "2x2x1 places there, and a sample 2x2x2 values"},
        {"share value(i,1) > 0, value(j,1) > 0", "found 'value(j,1)', expected as many rows and "
                                                 "columns: the layer has 1x4x1 places there, and a "
                                                 "sample 2x2x2 values"},
    };
    made_up m = {.n = 8};
    rg_rule_values values = {
        .read = read_made_up, .context = &m, .n_samples = 3, .shape = {2, 2, 2}};
    rg_rule_input input = {
        .size = sizeof input, .in = {1, 4, 1}, .out = {2, 2, 1}, .values = &values};
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    uint32_t beyond[] = {3};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        ASSERT_OK(rg_rule_parse(&rule, cases[k].text, RG_RULE_PAIR, NULL, 0, NULL, err));
        ASSERT_REFUSED(rg_rule_compile(&keys, NULL, NULL, rule, &input, NULL, err), RG_EUSAGE,
                       cases[k].message);
        rg_rule_free(rule);
    }
    ASSERT_OK(rg_rule_parse(&rule, "share bin(value(1), 2)", RG_RULE_PAIR, NULL, 0, NULL, err));
    values.fit = beyond;
    values.n_fit = 1;
    ASSERT_REFUSED(rg_rule_compile(&keys, NULL, NULL, rule, &input, NULL, err), RG_EUSAGE,
                   "found sample 3, expected a number below 3");
    values.fit = NULL;
    input.graphs = beyond;
    input.n_graphs = 1;
    ASSERT_REFUSED(rg_rule_compile(&keys, NULL, NULL, rule, &input, NULL, err), RG_EUSAGE,
                   "found sample 3, expected a number below 3");
    input.values = NULL;
    ASSERT_REFUSED(rg_rule_compile(&keys, NULL, NULL, rule, &input, NULL, err), RG_EUSAGE,
                   "looks at the values of samples, and none are given");
    rg_rule_free(rule);
}

static void edges_without_attributes_are_said(void **state)
{
    static const char *const messages[] = {
        "rule: '' has no edge attributes: value(i,j) needs them",
        "found 'value(i,j,2)', expected an edge attribute below 2: the edges of '' have as "
        "many"};
    (void)state;
    for (int k = 0; k < 2; k++) {
        labeled_set s = labeled_set_of(k ? edge_set(1) : test_random_set(3, 6, 1));
        made_up m = {.data = s.data, .n_channels = 1};
        rg_rule_values values = {.read = read_made_up, .context = &m, .n_channels = 1};
        rg_rule_input input = input_of(&s);
        rg_rule *rule = NULL;
        rg_rule_keys *keys = NULL;
        input.values = &values;
        ASSERT_OK(rg_rule_parse(&rule, "share value(i,j,2) > 0", RG_RULE_PAIR, NULL, 0, NULL, err));
        ASSERT_REFUSED(rg_rule_compile(&keys, NULL, NULL, rule, &input, NULL, err),
                       k ? RG_EUSAGE : RG_EDATA, messages[k]);
        rg_rule_free(rule);
        labeled_set_free(&s);
    }
}

static rg_status compile_bins(void *context, rg_error *err)
{
    made_up m = {.n = 6};
    rg_rule_values values = {
        .read = read_made_up, .context = &m, .n_samples = 3, .shape = {2, 3, 1}};
    rg_rule_input input = {
        .size = sizeof input, .in = {2, 3, 1}, .out = {2, 3, 1}, .values = &values};
    rg_rule_options one = {
        .size = sizeof(rg_rule_options), .n_threads = 1, .max_bytes = UINT64_MAX};
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    rg_connections *c = NULL;
    (void)context;
    rg_status status = rg_rule_parse(&rule,
                                     "share bin(value(j), 3), value(i) > 0.5 when row(i) = "
                                     "row(j) and i < j",
                                     RG_RULE_PAIR, NULL, 0, NULL, err);
    if (!status)
        status = rg_rule_compile(&keys, &c, NULL, rule, &input, &one, err);
    rg_connections_free(c);
    rg_rule_keys_free(keys);
    rg_rule_free(rule);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(compile_bins, NULL) > 10);
}

/* What positions say of the pairs is worked out once, not for every sample. */
static void positions_bound_the_pairs_of_all_samples(void **state)
{
    made_up m = {.n = 100};
    rg_rule_values values = {
        .read = read_made_up, .context = &m, .n_samples = 3, .shape = {10, 10, 1}};
    rg_rule_input input = {
        .size = sizeof input, .in = {10, 10, 1}, .out = {8, 8, 1}, .values = &values};
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    rg_rule_report report = RG_RULE_REPORT_INIT;
    (void)state;
    ASSERT_OK(rg_rule_parse(&rule,
                            "share row(j)-row(i), col(j)-col(i), value(j) > 0 when value(1) > -9 "
                            "and row(j)-row(i) in 0..2 and col(j)-col(i) in 0..2",
                            RG_RULE_PAIR, NULL, 0, NULL, err));
    ASSERT_OK(rg_rule_compile(&keys, NULL, &report, rule, &input, NULL, err));
    assert_int_equal(report.pairs, 3 * 6400);
    assert_int_equal(report.scanned, 3 * 64 * 9);
    assert_false(report.all_pairs);
    assert_string_equal(report.plan, "pairs that their positions allow");
    rg_rule_keys_free(keys);
    rg_rule_free(rule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_over_nodes_give_what_the_tree_says),
        cmocka_unit_test(rules_see_the_attributes_of_edges),
        cmocka_unit_test(edges_without_attributes_are_said),
        cmocka_unit_test(rules_over_arrays_have_a_table_for_each_sample),
        cmocka_unit_test(a_layer_may_have_another_shape_than_the_sample),
        cmocka_unit_test(edges_are_numbers_of_the_training_part),
        cmocka_unit_test(unseen_samples_have_the_bins_of_the_fit),
        cmocka_unit_test(texts_have_a_normal_form),
        cmocka_unit_test(declared_labelings_go_first),
        cmocka_unit_test(mistakes_are_pointed_at),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(positions_bound_the_pairs_of_all_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
