/* test_rule_tables.c - rules over tables of pairs: on graphs and shapes, m different from n, asymmetric. */
/* threads */
#include "support/rule_twin.h"

#include "property/pair_table.h"

#include <stdio.h>
#include <string.h>

/* A number of its own for most pairs, and 0 for the rest. */
static rg_status number(void *context, size_t sample, uint32_t i, uint32_t j, int64_t *out,
                        rg_error *err)
{
    const uint64_t *seed = context;
    uint32_t drawn = rg_random_below(*seed, sample << 20 | i, j, 9);
    (void)err;
    *out = drawn < 5 ? 0 : (int64_t)drawn - 6;
    return RG_OK;
}

static const char *const table_rules[] = {
    "share near(i,j) when near(i,j) != 0",
    "share near(i,j), near(j,i) when near(i,j) > 0",
    "share near(i,j) when near(j,i) > 0 or 1 < near(i,j) <= 2",
    "share near(i,j), i = j when near(i,j) in {1, 2, 7} or i = j",
    "share near(i,j) when near(i,j) in -1..2",
    "share near(i,j) when near(i,j) = 0",
    "share near(i,j) when near(i,j) != 1",
    "share near(i,j) when not near(i,j) != 0",
    "share mark(i), mark(j) when mark(i) = mark(j) and near(i,j) < 0",
    "share near(i,i), near(j,j), mark(j) when 0 < near(i,j)",
    "share if near(i,j) > 1 then near(i,j) else mark(i) when near(i,j) >= 1 or mark(j) > 0",
};
enum { N_RULES = sizeof table_rules / sizeof *table_rules };

static void rules_over_tables_of_graphs_give_what_the_tree_says(void **state)
{
    static const char *const more[] = {
        "share near(i,j), dist(i,j) when near(i,j) > 0 or dist(i,j) = 1",
        "share dist(i,j) when near(i,j) > 0",
        "share wl(i), near(j,i) when edge(i,j) and near(i,j) != 0",
        "share bond(i,j), near(i,j) when near(i,j) > 0 or edge(i,j) or i = j",
    };
    uint64_t seeds[] = {3, 4};
    (void)state;
    labeled_set s = labeled_set_of(test_random_set(5, 8, 2));
    rg_pair_table *near = NULL, *mark = NULL;
    ASSERT_OK(rg_pair_table_of_graphs(&near, s.data, 2, number, &seeds[0], err));
    ASSERT_OK(rg_pair_table_of_graphs(&mark, s.data, 1, number, &seeds[1], err));
    rg_rule_labeling known[N_LABELS + 2];
    memcpy(known, s.known, sizeof s.known);
    known[N_LABELS] = (rg_rule_labeling){.name = "near", .is_table = 1, .pairs = near};
    known[N_LABELS + 1] = (rg_rule_labeling){.name = "mark", .is_table = 1, .pairs = mark};
    rg_rule_input input = input_of(&s);
    uint32_t wanted[] = {4, 0, 2};
    input.labels = known;
    input.n_labels = N_LABELS + 2;
    for (int part = 0; part < 2; part++) {
        for (size_t k = 0; k < N_RULES; k++)
            rule_compare(table_rules[k], RG_RULE_PAIR, &input);
        for (size_t k = 0; k < sizeof more / sizeof *more; k++)
            rule_compare(more[k], RG_RULE_PAIR, &input);
        rule_compare("share mark(i), near(i,i) when mark(i) != 0", RG_RULE_BIAS, &input);
        rule_compare("share out, mark(i)", RG_RULE_AGGREGATE, &input);
        input.graphs = wanted;
        input.n_graphs = 3;
    }
    rg_pair_table_free(near);
    rg_pair_table_free(mark);
    labeled_set_free(&s);
}

/* One table for all samples, or one for each; m and n may differ. */
static void rules_over_tables_of_shapes_give_what_the_tree_says(void **state)
{
    static const rg_rule_shape shapes[][2] = {{{1, 5, 1}, {1, 5, 1}}, {{2, 3, 1}, {2, 3, 1}}};
    uint64_t seeds[] = {5, 6};
    (void)state;
    for (size_t n_samples = 0; n_samples <= 3; n_samples += 3)
        for (size_t k = 0; k < 2; k++) {
            uint32_t n = shapes[k][0].rows * shapes[k][0].cols;
            rg_pair_table *near = NULL, *mark = NULL;
            ASSERT_OK(rg_pair_table_of_shape(&near, n_samples, n, n, 2, number, &seeds[0], err));
            ASSERT_OK(rg_pair_table_of_shape(&mark, 0, n, 1, 1, number, &seeds[1], err));
            rg_rule_labeling known[] = {{.name = "near", .is_table = 1, .pairs = near},
                                        {.name = "mark", .is_table = 1, .pairs = mark}};
            rg_rule_values values = {.n_samples = 3, .shape = shapes[k][0]};
            rg_rule_input input = {.size = sizeof input,
                                   .in = shapes[k][0],
                                   .out = shapes[k][1],
                                   .labels = known,
                                   .n_labels = 2,
                                   .values = &values,
                                   .n_outputs = n};
            for (size_t r = 0; r < N_RULES; r++)
                rule_compare(table_rules[r], RG_RULE_PAIR, &input);
            rule_compare("share near(i,j), row(i) when near(i,j) > 0 and col(j) < 2", RG_RULE_PAIR,
                         &input);
            rule_compare("share near(i,j), i + j when near(i,j) > 0 or i < j", RG_RULE_PAIR,
                         &input);
            rule_compare("share near(out,i), mark(i) when near(out,i) > 0", RG_RULE_AGGREGATE,
                         &input);
            rg_pair_table_free(near);
            rg_pair_table_free(mark);
        }
}

/* The paper's R_W as a matrix: its numbers are the weights, 0 is none. */
static void a_matrix_says_which_weight_sits_where(void **state)
{
    static const rg_pair_entry entries[] = {{0, 0, 0, 3}, {0, 0, 2, 1}, {0, 1, 1, 3}, {0, 1, 3, 9}};
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    rg_connections *c = NULL;
    rg_rule_report report = RG_RULE_REPORT_INIT;
    rg_pair_table *w = NULL;
    (void)state;
    ASSERT_OK(rg_pair_table_new(&w, entries, 4, 2, 0, 2, 4, err));
    rg_rule_labeling known = {.name = "w", .is_table = 1, .pairs = w};
    rg_rule_input input = {
        .size = sizeof input, .in = {1, 4, 1}, .out = {1, 2, 1}, .labels = &known, .n_labels = 1};
    ASSERT_OK(
        rg_rule_parse(&rule, "share w(i,j) when w(i,j) != 0", RG_RULE_PAIR, &known, 1, NULL, err));
    assert_true(rg_rule_describe(rule)->on_tables && !rg_rule_describe(rule)->is_static);
    assert_false(rg_rule_by_sample(rule, &input));
    ASSERT_OK(rg_rule_compile(&keys, &c, &report, rule, &input, NULL, err));
    assert_int_equal(rg_rule_keys_size(keys), 3);
    assert_int_equal(report.scanned, 4);
    assert_string_equal(report.plan, "pairs with w(i,j) != 0");
    rg_connection_table t = rg_connections_graph(c, 0);
    assert_int_equal(t.row[1], 2);
    assert_int_equal(t.col16[1], 2);
    assert_int_equal(t.weight[0], 1); /* of 1, 3, 9 */
    assert_int_equal(t.weight[1], 0);
    assert_int_equal(t.weight[3], 2);
    rg_connections_free(c);
    rg_rule_keys_free(keys);
    /* Other sizes are refused, and so is a rule without its table. */
    input.in.cols = 5;
    ASSERT_REFUSED(rg_rule_compile(&keys, NULL, NULL, rule, &input, NULL, err), RG_EDATA,
                   "rule: the table 'w' has 2 rows and 4 columns for sample 0, expected 2 and 5");
    known.pairs = NULL;
    ASSERT_REFUSED(rg_rule_compile(&keys, NULL, NULL, rule, &input, NULL, err), RG_EUSAGE,
                   "rule: no table is given for 'w'");
    rg_rule_free(rule);
    rg_pair_table_free(w);
}

static void texts_have_a_normal_form_and_mistakes_a_place(void **state)
{
    static const rg_rule_labeling known[] = {{.name = "near", .is_table = 1}, {.name = "wl"}};
    static const struct {
        rg_rule_kind kind;
        const char *text, *normal; /* or the message */
    } cases[] = {
        {RG_RULE_PAIR, "share near( i , j )+1 when near(j,i)>0",
         "share near(i,j) + 1 when "
         "near(j,i) > 0"},
        {RG_RULE_BIAS, "share near(i)", "share near(i)"},
        {RG_RULE_AGGREGATE, "share near(out,i)", "share near(out,i)"},
        {RG_RULE_PAIR, "share near",
         "line 1, column 11: found the end, expected '(', as in near(i,j)"},
        {RG_RULE_PAIR, "share near(i,j", "line 1, column 15: found the end, expected ')', as in"},
        {RG_RULE_PAIR, "share near(3)", "line 1, column 12: found '3', expected i or j"},
        {RG_RULE_PAIR, "share near(i,j,1)", "line 1, column 15: found ',', expected ')'"},
        {RG_RULE_BIAS, "share near(i,j)",
         "line 1, column 14: found 'j', expected i: a bias has no j"},
        {RG_RULE_PAIR, "share naer(i,j)", "did you mean 'near'?"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_rule *rule = NULL;
        rg_error err = {""};
        rg_status status = rg_rule_parse(&rule, cases[k].text, cases[k].kind, known, 2, NULL, &err);
        if (status ? !strstr(err.message, cases[k].normal)
                   : strcmp(rg_rule_text(rule), cases[k].normal) != 0)
            fail_msg("'%s': '%s', expected '%s'", cases[k].text,
                     status ? err.message : rg_rule_text(rule), cases[k].normal);
        rg_rule_free(rule);
    }
}

static void tables_of_other_samples_are_refused(void **state)
{
    static const rg_pair_entry entries[] = {{0, 0, 0, 3}, {1, 3, 0, 1}};
    rg_pair_table *near = NULL, *alone = NULL;
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    uint64_t seed = 1;
    (void)state;
    ASSERT_OK(rg_pair_table_new(&near, entries, 2, 2, 2, 0, 0, err));
    rg_rule_labeling known = {.name = "near", .is_table = 1, .pairs = near};
    rg_rule_values values = {.n_samples = 4, .shape = {1, 3, 1}};
    rg_rule_input input = {.size = sizeof input,
                           .in = {1, 3, 1},
                           .out = {1, 3, 1},
                           .labels = &known,
                           .n_labels = 1,
                           .values = &values};
    ASSERT_OK(rg_rule_parse(&rule, "share near(i,j)", RG_RULE_PAIR, &known, 1, NULL, err));
    ASSERT_REFUSED(rg_rule_compile(&keys, NULL, NULL, rule, &input, NULL, err), RG_EDATA,
                   "has 4 rows and 1 column for sample 1, expected at most 3 and 3");
    ASSERT_OK(rg_pair_table_of_shape(&alone, 2, 3, 3, 2, number, &seed, err));
    known.pairs = alone;
    ASSERT_REFUSED(rg_rule_compile(&keys, NULL, NULL, rule, &input, NULL, err), RG_EDATA,
                   "has numbers for 2 samples, expected some for sample 2 too");
    rg_pair_table_free(alone);
    ASSERT_OK(rg_pair_table_of_shape(&alone, 0, 3, 1, 1, number, &seed, err));
    known.pairs = alone;
    ASSERT_REFUSED(rg_rule_compile(&keys, NULL, NULL, rule, &input, NULL, err), RG_EUSAGE,
                   "column 7: found 'near(i,j)', expected one place");
    rg_rule_free(rule);
    rg_pair_table_free(near);
    rg_pair_table_free(alone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_over_tables_of_graphs_give_what_the_tree_says),
        cmocka_unit_test(rules_over_tables_of_shapes_give_what_the_tree_says),
        cmocka_unit_test(a_matrix_says_which_weight_sits_where),
        cmocka_unit_test(texts_have_a_normal_form_and_mistakes_a_place),
        cmocka_unit_test(tables_of_other_samples_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
