/* test_rule_shape.c - rules over fixed shapes, plans, possible numbers, and what does not fit. */
#include "support/rule_twin.h"

#include <stdio.h>
#include <string.h>

/* ---- fixed shapes */
/* Every output of a convolution, written down directly. */
static void check_convolution(uint32_t rows, uint32_t cols, uint32_t height, uint32_t width)
{
    rg_rule_input input = {.size = sizeof input,
                           .in = {rows, cols, 1},
                           .out = {rows - height + 1, cols - width + 1, 1}};
    char text[300];
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    rg_connections *c = NULL;
    snprintf(text, sizeof text,
             "share row(j)-row(i), col(j)-col(i) when row(j)-row(i) in 0..%u and "
             "col(j)-col(i) in 0..%u",
             height - 1, width - 1);
    rg_rule_report report = RG_RULE_REPORT_INIT;
    ASSERT_OK(rg_rule_parse(&rule, text, RG_RULE_PAIR, NULL, 0, NULL, err));
    assert_true(rg_rule_describe(rule)->is_static);
    ASSERT_OK(rg_rule_compile(&keys, &c, &report, rule, &input, NULL, err));
    assert_int_equal(rg_rule_keys_size(keys), height * width);
    assert_int_equal(report.possible, height * width);
    rg_connection_table t = rg_connections_graph(c, 0);
    uint64_t at = 0;
    assert_int_equal(t.n_outputs, (rows - height + 1) * (cols - width + 1));
    for (uint32_t r = 0; r + height <= rows; r++)
        for (uint32_t k = 0; k + width <= cols; k++) {
            assert_int_equal(t.row[r * (cols - width + 1) + k], at);
            for (uint32_t a = 0; a < height; a++)
                for (uint32_t b = 0; b < width; b++, at++) {
                    assert_int_equal(t.col16[at], (r + a) * cols + k + b);
                    assert_int_equal(t.weight[at], a * width + b);
                }
        }
    assert_int_equal(rg_connections_size(c), at);
    rg_connections_free(c);
    rg_rule_keys_free(keys);
    rg_rule_free(rule);
}

static void convolutions_are_rules(void **state)
{
    (void)state;
    for (uint32_t rows = 1; rows <= 7; rows += 2)
        for (uint32_t cols = 1; cols <= 8; cols++)
            for (uint32_t height = 1; height <= rows && height <= 4; height++)
                for (uint32_t width = 1; width <= cols && width <= 4; width++)
                    check_convolution(rows, cols, height, width);
}

static void layers_of_fixed_shapes_give_what_the_tree_says(void **state)
{
    static const struct {
        rg_rule_kind kind;
        const char *text;
        rg_rule_shape in, out;
    } cases[] = {
        {RG_RULE_PAIR, "share i, j", {1, 5, 1}, {3, 1, 1}},
        {RG_RULE_PAIR, "share i when i = j", {2, 2, 1}, {3, 3, 1}},
        {RG_RULE_PAIR, "share i when not i != j", {3, 3, 1}, {2, 2, 1}},
        {RG_RULE_PAIR, /* padding and stride */
         "share row(j) - 2 * row(i) + 1, col(j) - 2 * col(i) + 1 when row(j) - 2 * row(i) in -1..1 "
         "and col(j) - 2 * col(i) in -1..1",
         {5, 7, 1},
         {3, 4, 1}},
        {RG_RULE_PAIR, /* channels */
         "share channel(i), channel(j), row(j)-row(i), col(j)-col(i) when row(j)-row(i) in 0..1 "
         "and col(j)-col(i) in 0..2",
         {4, 5, 3},
         {3, 3, 2}},
        {RG_RULE_PAIR,
         "share channel(i) when row(i) = row(j) / 2 and col(i) = col(j) / 2",
         {4, 4, 1},
         {2, 2, 1}},
        {RG_RULE_PAIR, "share i // 2, j mod 3 when i <= j and 2 < i + j < 9", {2, 3, 1}, {2, 2, 1}},
        {RG_RULE_PAIR,
         "share if i < j then i - j else 0, if i = j then 1 else 2",
         {3, 1, 1},
         {4, 1, 1}},
        {RG_RULE_BIAS, "share i mod 2, row(i) when i > 1", {0}, {2, 3, 1}},
        {RG_RULE_AGGREGATE,
         "share if channel(i) = 0 then out else out + 2 when i != 3",
         {2, 3, 2},
         {0}},
        {RG_RULE_BIAS, "share channel(i)", {0}, {2, 3, 4}},
        {RG_RULE_AGGREGATE, "share out, channel(i)", {2, 3, 4}, {0}},
        {RG_RULE_AGGREGATE, "share out, i", {2, 3, 1}, {0}},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_rule_input input = {
            .size = sizeof input, .in = cases[k].in, .out = cases[k].out, .n_outputs = 4};
        rule_compare(cases[k].text, cases[k].kind, &input);
    }
}

/* ---- the paper's formulas, as they are printed there */

/* The tables of a rule over shapes; owned. */
static rg_connections *compile_over(const char *text, rg_rule_shape in, rg_rule_shape out,
                                    size_t *n_keys)
{
    rg_rule_input input = {.size = sizeof input, .in = in, .out = out};
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    rg_connections *c = NULL;
    ASSERT_OK(rg_rule_parse(&rule, text, RG_RULE_PAIR, NULL, 0, NULL, err));
    assert_true(rg_rule_describe(rule)->is_static);
    ASSERT_OK(rg_rule_compile(&keys, &c, NULL, rule, &input, NULL, err));
    *n_keys = rg_rule_keys_size(keys);
    rg_rule_keys_free(keys);
    rg_rule_free(rule);
    return c;
}

/* Rows, columns and numbers of weights of both rules are the same, and there are n_keys weights. */
static void assert_same_tables(const char *printed, const char *own, rg_rule_shape in,
                               rg_rule_shape out, size_t n_keys)
{
    size_t n_a, n_b;
    rg_connections *a = compile_over(printed, in, out, &n_a), *b = compile_over(own, in, out, &n_b);
    rg_connection_table x = rg_connections_graph(a, 0), y = rg_connections_graph(b, 0);
    assert_int_equal(n_a, n_keys);
    assert_int_equal(n_b, n_keys);
    assert_int_equal(rg_connections_size(a), rg_connections_size(b));
    assert_int_equal(x.n_outputs, y.n_outputs);
    assert_memory_equal(x.row, y.row, (x.n_outputs + 1) * sizeof *x.row);
    assert_memory_equal(x.col16, y.col16, x.row[x.n_outputs] * sizeof *x.col16);
    assert_memory_equal(x.weight, y.weight, x.row[x.n_outputs] * sizeof *x.weight);
    rg_connections_free(a);
    rg_connections_free(b);
}

static void the_printed_rule_of_a_full_connection_is_ours(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 9; n++)
        for (uint32_t m = 1; m <= 7; m++) {
            char text[100];
            snprintf(text, sizeof text, "let n = %u share (i-1)*n + j", n);
            assert_same_tables(text, "share i, j", (rg_rule_shape){1, n, 1},
                               (rg_rule_shape){m, 1, 1}, (size_t)n * m);
        }
}

/* gamma, tau and the condition of the convolution in the paper, with its slips put right: twice, as
 * a condition and as a list of cases. */
static void the_printed_rule_of_a_convolution_is_ours(void **state)
{
    static const char names[] = "let n = %u, N = %u, o = n - N + 1, c = (i-1) mod o,\n"
                                "    g = j - ((i-1) // o)*n - c, tau = g - ((g-1) // n)*(n-N)";
    static const char fits[] = "0 < g <= N*n and 0 <= ((j-1) mod n) - c < N";
    (void)state;
    for (uint32_t n = 1; n <= 9; n++)
        for (uint32_t m = 1; m <= 9; m += 2)
            for (uint32_t size = 1; size <= n && size <= m && size <= 4; size++) {
                char let[300], text[600], own[300];
                rg_rule_shape in = {m, n, 1}, out = {m - size + 1, n - size + 1, 1};
                snprintf(let, sizeof let, names, n, size);
                snprintf(own, sizeof own,
                         "share row(j)-row(i), col(j)-col(i) when row(j)-row(i) in 0..%u and "
                         "col(j)-col(i) in 0..%u",
                         size - 1, size - 1);
                snprintf(text, sizeof text, "%s share tau when %s", let, fits);
                assert_same_tables(text, own, in, out, (size_t)size * size);
                snprintf(text, sizeof text, "%s, R = if %s then tau else 0 share R when R != 0",
                         let, fits);
                assert_same_tables(text, own, in, out, (size_t)size * size);
            }
}

static void many_inputs_take_columns_of_32_bits(void **state)
{
    (void)state;
    for (uint32_t n = 65535; n <= 65537; n++) {
        rg_rule_input input = {.size = sizeof input, .in = {1, n, 1}, .out = {1, 2, 1}};
        rg_rule *rule = NULL;
        rg_rule_keys *keys = NULL;
        rg_connections *c = NULL;
        ASSERT_OK(rg_rule_parse(&rule, "share i, j", RG_RULE_PAIR, NULL, 0, NULL, err));
        ASSERT_OK(rg_rule_compile(&keys, &c, NULL, rule, &input, NULL, err));
        rg_connection_table t = rg_connections_graph(c, 0);
        assert_int_equal(rg_rule_keys_size(keys), 2 * n);
        assert_true((t.col16 != NULL) == (n <= 65536) && (t.col32 != NULL) == (n > 65536));
        for (uint32_t k = 0; k < 2 * n; k++) {
            assert_int_equal(t.col16 ? t.col16[k] : t.col32[k], k % n);
            assert_int_equal(t.weight[k], k);
        }
        rg_connections_free(c);
        rg_rule_keys_free(keys);
        rg_rule_free(rule);
    }
}

/* ---- plans, possible numbers, complaints */
static void plans_are_found_and_told(void **state)
{
    static const struct {
        const char *text, *plan;
    } cases[] = {
        {"share wl(i) when dist(i,j) in 1..10", "pairs with dist(i,j) in 1..10"},
        {"share wl(i) when wl(i) = 1 and dist(i,j) <= 3 and dist(i,j) > 0",
         "pairs with dist(i,j) in 1..3"},
        {"share wl(i) when dist(i,j) <= 2", "pairs with dist(i,j) <= 2"},
        {"share wl(i) when dist(i,j) >= 2", "pairs with dist(i,j) >= 2"},
        {"share wl(i) when dist(i,j) in {3, 1}", "pairs with dist(i,j) in 1..3"},
        {"share wl(i) when edge(i,j) and dist(i,j) <= 5", "pairs with edge(i,j)"},
        {"share wl(i) when i = j or edge(i,j)", "pairs with i = j or edge(i,j)"},
        {"share wl(i) when i = j or edge(i,j) or wl(i) = wl(j)", "all pairs"},
        {"share wl(i) when not (i != j and not edge(i,j))", "pairs with i = j or edge(i,j)"},
        {"share wl(i) when same_cycle(i,j,6) or same_cycle(i,j,4)",
         "pairs with same_cycle(i,j,6) or same_cycle(i,j,4)"},
        {"share wl(i) when common(i,j) > 0", "pairs with common(i,j) >= 1"},
        {"share wl(i) when common(i,j) >= 0", "all pairs"},
        {"share wl(i) when bond(i,j) + 1 = 3", "pairs with bond(i,j)"},
        {"share wl(i) when dist(i,j) = 1 / 0", "no pairs: the condition cannot hold"},
        {"share wl(i) when not dist(i,j) > 3", "all pairs"},
        {"share dist(i,j)", "all pairs"},
        {"share i, j", "all pairs"},
    };
    (void)state;
    labeled_set s = labeled_set_of(test_random_set(5, 8, 2));
    rg_rule_input input = input_of(&s);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_rule *rule = NULL;
        rg_rule_keys *keys = NULL;
        rg_rule_report report = RG_RULE_REPORT_INIT;
        ASSERT_OK(rg_rule_parse(&rule, cases[k].text, RG_RULE_PAIR, s.known, N_LABELS, NULL, err));
        ASSERT_OK(rg_rule_compile(&keys, NULL, &report, rule, &input, NULL, err));
        assert_string_equal(report.plan, cases[k].plan);
        assert_int_equal(report.all_pairs, strcmp(cases[k].plan, "all pairs") == 0);
        rg_rule_keys_free(keys);
        rg_rule_free(rule);
    }
    labeled_set_free(&s);
}

static void possible_weights_are_products_of_ranges(void **state)
{
    (void)state;
    labeled_set s = labeled_set_of(test_random_set(9, 9, 4));
    rg_rule_input input = input_of(&s);
    uint64_t l = rg_labeling_seen(s.fitted[0]), c = rg_labeling_seen(s.fitted[1]), n = 0;
    for (size_t g = 0; g < 9; g++) {
        uint64_t own = rg_dataset_graph(s.data, g).n_nodes;
        n = own > n ? own : n;
    }
    const struct {
        const char *text;
        uint64_t possible;
    } cases[] = {
        {"share wl(i), wl(j), dist(i,j) when dist(i,j) in 1..3", l * l * 3},
        {"share wl(i), wl(j), dist(i,j) when dist(i,j) in {1, 3, 3, 1000}", l * l * 2},
        {"share wl(i), cyc(j)", l * c},
        {"share wl(i), dist(i,j)", l * (n + 1)},
        {"share wl(i), i = j, edge(i,j)", l * 4},
        {"share node(i), bond(i,j)", 3 * 3},
        {"share node(i), bond(i,j) when bond(i,j) > 0", 3 * 2},
        {"share i, j", n * n},
        {"share wl(i) when 1 / 0 = wl(i)", 0},
        {"share wl(i) + 9223372036854775807 - wl(j), wl(i) * 9223372036854775807 + wl(j)",
         UINT64_MAX},
        {"share 7, 8", 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_rule *rule = NULL;
        rg_rule_keys *keys = NULL;
        rg_rule_report report = RG_RULE_REPORT_INIT;
        ASSERT_OK(rg_rule_parse(&rule, cases[k].text, RG_RULE_PAIR, s.known, N_LABELS, NULL, err));
        ASSERT_OK(rg_rule_compile(&keys, NULL, &report, rule, &input, NULL, err));
        if (report.possible != cases[k].possible)
            fail_msg("'%s': %llu possible, expected %llu", cases[k].text,
                     (unsigned long long)report.possible, (unsigned long long)cases[k].possible);
        rg_rule_keys_free(keys);
        rg_rule_free(rule);
    }
    labeled_set_free(&s);
}

static void what_does_not_fit_is_told(void **state)
{
    labeled_set s = labeled_set_of(test_random_set(5, 8, 2));
    test_graph bare = test_graph_new(3);
    rg_dataset *plain = test_dataset(&bare, 1, NULL);
    static const uint32_t beyond[] = {1, 5};
    rg_rule_input graphs = input_of(&s),
                  shape = {.size = sizeof shape, .in = {3, 3, 1}, .out = {2, 2, 1}}, none = graphs,
                  nothing = {.size = sizeof nothing, .in = {0, 3, 1}, .out = {2, 2, 1}},
                  large = shape, lost = graphs, unlabeled = graphs;
    none.data = plain;
    none.n_labels = 0;
    large.out = (rg_rule_shape){65536, 65536, 1};
    lost.graphs = beyond;
    lost.n_graphs = 2;
    unlabeled.data = plain;
    rg_rule_input no_outputs = graphs;
    no_outputs.n_outputs = 0;
    const struct {
        rg_rule_kind kind;
        const char *text;
        const rg_rule_input *input;
        uint64_t max_bytes;
        rg_status status;
        const char *message;
    } cases[] = {
        {RG_RULE_PAIR, "share 1, row(i)", &graphs, UINT64_MAX, RG_EUSAGE,
         "rule: line 1, column 10: found 'row(i)', expected labels and properties: graphs have no "
         "rows, columns or channels"},
        {RG_RULE_PAIR, "share dist(i,j)", &shape, UINT64_MAX, RG_EUSAGE,
         "rule: line 1, column 7: found 'dist(i,j)', expected rows, columns and channels: a fixed "
         "shape has no graph"},
        {RG_RULE_PAIR, "share i", &nothing, UINT64_MAX, RG_EUSAGE,
         "rule: found an input of 0 rows, 3 columns and 1 channels, expected at least one value "
         "and fewer than 2^32-1"},
        {RG_RULE_PAIR, "share i", &large, UINT64_MAX, RG_EUSAGE,
         "rule: found an output of 65536 rows, 65536 columns and 1 channels, expected at least one "
         "value and fewer than 2^32-1"},
        {RG_RULE_PAIR, "share wl(i)", &none, UINT64_MAX, RG_EUSAGE,
         "rule: no labels are given for 'wl'"},
        {RG_RULE_PAIR, "share wl(i)", &unlabeled, UINT64_MAX, RG_EUSAGE, "nodes, but '"},
        {RG_RULE_PAIR, "share node(i)", &none, UINT64_MAX, RG_EDATA,
         "has 0 columns of node labels, but node(i) asks for column 0"},
        {RG_RULE_PAIR, "share node(i,4)", &graphs, UINT64_MAX, RG_EDATA,
         "has 1 column of node labels, but node(i) asks for column 4"},
        {RG_RULE_PAIR, "share bond(i,j)", &none, UINT64_MAX, RG_EDATA, "has no edge labels"},
        {RG_RULE_PAIR, "share bond(i,j,1)", &graphs, UINT64_MAX, RG_EDATA, "bond: found column 1"},
        {RG_RULE_PAIR, "share i", &lost, UINT64_MAX, RG_EUSAGE,
         "rule: found graph 5, expected a number below 5"},
        {RG_RULE_AGGREGATE, "share out", &no_outputs, UINT64_MAX, RG_EUSAGE,
         "rule: found an aggregation to 0 outputs"},
        {RG_RULE_PAIR, "share wl(i)", &graphs, 600, RG_EFAIL,
         "connections exceed the memory limit"},
        {RG_RULE_BIAS, "share wl(i)", &graphs, 1, RG_EFAIL,
         "rule: more than 0 connections exceed the memory limit"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_rule *rule = NULL;
        rg_rule_keys *keys = NULL;
        rg_connections *c = NULL;
        rg_error err = {""};
        rg_rule_options options = {
            .size = sizeof(rg_rule_options), .n_threads = 1, .max_bytes = cases[k].max_bytes};
        assert_int_equal(
            rg_rule_parse(&rule, cases[k].text, cases[k].kind, s.known, N_LABELS, NULL, &err), 0);
        assert_int_equal(rg_rule_compile(&keys, &c, NULL, rule, cases[k].input, &options, &err),
                         cases[k].status);
        if (!strstr(err.message, cases[k].message))
            fail_msg("%s", err.message);
        assert_true(!keys && !c);
        rg_rule_free(rule);
    }
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    rg_connections *c = NULL;
    rg_error err = {""};
    static const int64_t down[] = {2, 1};
    assert_int_equal(rg_rule_keys_new(&keys, down, 2, 1, &err), RG_EDATA);
    assert_string_equal(err.message, "rule: key 1 is not above key 0");
    assert_int_equal(rg_rule_keys_new(&keys, down, 2, 17, &err), RG_EDATA);
    assert_int_equal(rg_rule_keys_new(&keys, down, 1, 2, &err), RG_OK);
    assert_int_equal(rg_rule_parse(&rule, "share wl(i)", 0, s.known, N_LABELS, NULL, &err), 0);
    assert_int_equal(rg_rule_apply(&c, NULL, keys, rule, &graphs, NULL, &err), RG_EUSAGE);
    assert_string_equal(err.message,
                        "rule: found keys of 2 numbers, expected 1: they are of another rule");
    rg_rule_free(rule);
    rg_rule_keys_free(keys);
    test_graph_free(&bare);
    rg_dataset_free(plain);
    labeled_set_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolutions_are_rules),
        cmocka_unit_test(layers_of_fixed_shapes_give_what_the_tree_says),
        cmocka_unit_test(the_printed_rule_of_a_full_connection_is_ours),
        cmocka_unit_test(the_printed_rule_of_a_convolution_is_ours),
        cmocka_unit_test(many_inputs_take_columns_of_32_bits),
        cmocka_unit_test(plans_are_found_and_told),
        cmocka_unit_test(possible_weights_are_products_of_ranges),
        cmocka_unit_test(what_does_not_fit_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
