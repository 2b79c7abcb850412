/* test_rule_compile.c - rules over graphs: against the tree asked of every pair. */
/* threads */
#include "support/rule_twin.h"

#include "graph/reorder.h"

#include <stdio.h>
#include <string.h>

static void every_plan_gives_what_the_tree_says(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        labeled_set s = labeled_set_of(test_random_set(6, 9, seed));
        rg_rule_input input = input_of(&s);
        for (size_t k = 0; k < n_pair_rules; k++)
            rule_compare(pair_rules[k], RG_RULE_PAIR, &input);
        labeled_set_free(&s);
    }
}

static void biases_and_aggregations_are_rules_too(void **state)
{
    static const char *const biases[] = {"share wl(i)", "share 1",
                                         "share wl(i), degree(i) when degree(i) > 1",
                                         "share same_cycle(i,i,4)", "share i when 1 = 2"};
    static const char *const aggregations[] = {
        "share out, wl(i)", "share wl(i)", "share out % 2, node(i) when out < 2 or degree(i) >= 2",
        "share out, i"};
    (void)state;
    labeled_set s = labeled_set_of(test_random_set(6, 9, 5));
    rg_rule_input input = input_of(&s);
    for (size_t k = 0; k < sizeof biases / sizeof *biases; k++)
        rule_compare(biases[k], RG_RULE_BIAS, &input);
    for (size_t k = 0; k < sizeof aggregations / sizeof *aggregations; k++)
        rule_compare(aggregations[k], RG_RULE_AGGREGATE, &input);
    labeled_set_free(&s);
}

/* ---- rules drawn at random */
typedef struct dice {
    uint64_t seed, n;
    char text[4000];
    size_t used;
} dice;

static uint32_t throw(dice * d, uint32_t sides)
{
    return rg_random_below(d->seed, 700, d->n++, sides);
}

static void say(dice *d, const char *text)
{
    d->used += (size_t)snprintf(d->text + d->used, sizeof d->text - d->used, "%s", text);
}

static void say_number(dice *d, int depth)
{
    static const char *const leaves[] = {
        "0",         "1",         "2",         "3",
        "wl(i)",     "wl(j)",     "node(i)",   "cyc(j)",
        "degree(i)", "dist(i,j)", "bond(i,j)", "common(i,j)",
        "dist(i,j)", "degree(j)", "-1",        "9223372036854775807"};
    static const char *const signs[] = {" + ", " - ", " * ", " / ", " % "};
    uint32_t kind = depth == 0 ? 0 : throw(d, 4);
    if (kind < 2) {
        say(d, leaves[throw(d, sizeof leaves / sizeof *leaves)]);
        return;
    }
    say(d, kind == 2 ? "(" : throw(d, 2) ? "min(" : "max(");
    say_number(d, depth - 1);
    say(d, kind == 2 ? signs[throw(d, 5)] : ", ");
    say_number(d, depth - 1);
    say(d, ")");
}

static void say_condition(dice *d, int depth)
{
    static const char *const signs[] = {" = ", " != ", " < ", " <= ", " > ", " >= "};
    static const char *const plain[] = {
        "i = j",          "edge(i,j)",       "same_cycle(i,j,5)",  "dist(i,j) in 1..2",
        "dist(i,j) <= 3", "common(i,j) > 0", "bond(i,j) = 3",      "i != j",
        "dist(i,j) = 2",  "2 >= dist(i,j)",  "dist(i,j) in {0, 2}"};
    uint32_t kind = throw(d, depth == 0 ? 3 : 6);
    if (kind < 2) {
        say(d, plain[throw(d, sizeof plain / sizeof *plain)]);
    } else if (kind == 2) {
        say_number(d, 1);
        if (throw(d, 3)) {
            say(d, signs[throw(d, 6)]);
            say_number(d, 1);
        } else {
            say(d, " in ");
            say_number(d, 0);
            say(d, "..");
            say_number(d, 0);
        }
    } else {
        say(d, kind == 5 ? "not (" : "(");
        say_condition(d, depth - 1);
        say(d, kind == 3 ? " and " : " or ");
        say_condition(d, depth - 1);
        say(d, ")");
    }
}

static void random_rules_give_what_the_tree_says(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++) {
        dice d = {.seed = seed};
        rg_dataset *data = test_random_set(3, 7, seed % 10 + 20);
        if (!rg_dataset_n_columns(data, RG_EDGE_LABEL)) { /* too few nodes for any edge */
            rg_dataset_free(data);
            continue;
        }
        labeled_set s = labeled_set_of(data);
        rg_rule_input input = input_of(&s);
        say(&d, "share ");
        for (uint32_t k = throw(&d, 3);; k--) {
            if (throw(&d, 4))
                say_number(&d, 2);
            else
                say_condition(&d, 1);
            if (k == 0)
                break;
            say(&d, ", ");
        }
        if (throw(&d, 8)) {
            say(&d, " when ");
            say_condition(&d, 3);
        }
        assert_true(d.used < sizeof d.text);
        rule_compare(d.text, RG_RULE_PAIR, &input);
        labeled_set_free(&s);
    }
}

/* ---- order, threads, subsets, graphs never seen */
static void weights_do_not_depend_on_the_order_of_nodes_or_graphs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        labeled_set s = labeled_set_of(test_random_set(8, 12, seed));
        uint32_t *graphs = NULL, *nodes = NULL;
        rg_dataset *other = NULL;
        ASSERT_OK(rg_dataset_shuffle(&graphs, &nodes, s.data, seed, err));
        ASSERT_OK(rg_dataset_reorder(&other, s.data, graphs, nodes, err));
        labeled_set t = labeled_set_of(other);
        rg_rule_input a = input_of(&s), b = input_of(&t);
        for (size_t r = 1; r < 12; r++) { /* not share i, j: that looks at the order */
            rg_rule *rule = NULL;
            rg_rule_keys *keys[2] = {NULL, NULL};
            rg_connections *c[2] = {NULL, NULL};
            ASSERT_OK(
                rg_rule_parse(&rule, pair_rules[r], RG_RULE_PAIR, s.known, N_LABELS, NULL, err));
            ASSERT_OK(rg_rule_compile(&keys[0], &c[0], NULL, rule, &a, NULL, err));
            ASSERT_OK(rg_rule_compile(&keys[1], &c[1], NULL, rule, &b, NULL, err));
            size_t n = rg_rule_keys_size(keys[0]) * rg_rule_keys_width(keys[0]);
            assert_int_equal(rg_rule_keys_size(keys[0]), rg_rule_keys_size(keys[1]));
            assert_memory_equal(rg_rule_keys_data(keys[0]), rg_rule_keys_data(keys[1]),
                                n * sizeof(int64_t));
            for (size_t g = 0; g < rg_connections_n_graphs(c[1]); g++) {
                rg_connection_table x = rg_connections_graph(c[0], graphs[g]);
                rg_connection_table y = rg_connections_graph(c[1], g);
                const uint32_t *to = nodes + rg_dataset_graph(s.data, graphs[g]).first_node;
                for (uint32_t i = 0; i < y.n_outputs; i++) {
                    assert_int_equal(y.row[i + 1] - y.row[i], x.row[to[i] + 1] - x.row[to[i]]);
                    for (uint64_t k = y.row[i]; k < y.row[i + 1]; k++) {
                        uint64_t at = x.row[to[i]];
                        while (x.col16[at] != to[y.col16[k]])
                            at++;
                        assert_true(at < x.row[to[i] + 1]);
                        assert_int_equal(x.weight[at], y.weight[k]);
                    }
                }
            }
            for (int k = 0; k < 2; k++) {
                rg_rule_keys_free(keys[k]);
                rg_connections_free(c[k]);
            }
            rg_rule_free(rule);
        }
        free(graphs);
        free(nodes);
        labeled_set_free(&s);
        labeled_set_free(&t);
    }
}

static void chosen_graphs_come_in_the_order_asked_for(void **state)
{
    static const uint32_t chosen[] = {5, 0, 5, 3};
    (void)state;
    labeled_set s = labeled_set_of(test_random_set(7, 8, 9));
    rg_rule_input input = input_of(&s);
    input.graphs = chosen;
    input.n_graphs = 4;
    rule_compare(pair_rules[1], RG_RULE_PAIR, &input);
    rule_compare("share wl(i)", RG_RULE_BIAS, &input);
    input.n_graphs = 0;
    rule_compare(pair_rules[1], RG_RULE_PAIR, &input);
    labeled_set_free(&s);
}

static void keys_never_seen_are_left_out_and_counted(void **state)
{
    (void)state;
    labeled_set s = labeled_set_of(test_random_set(20, 10, 3));
    rg_rule_input all = input_of(&s), part = all;
    uint32_t first[10];
    for (uint32_t k = 0; k < 10; k++)
        first[k] = k;
    part.graphs = first;
    part.n_graphs = 10;
    for (size_t r = 0; r < n_pair_rules; r++)
        for (int way = 0; way < 2; way++) {
            rg_rule *rule = NULL;
            rg_rule_keys *keys = NULL;
            rg_connections *c = NULL;
            rg_rule_report report = RG_RULE_REPORT_INIT;
            rg_compile_ways ways = {.tables = way};
            rg_rule_options one = {
                .size = sizeof(rg_rule_options), .n_threads = 1, .max_bytes = UINT64_MAX};
            number_list expected, found = {0}, kept = {0};
            ASSERT_OK(
                rg_rule_parse(&rule, pair_rules[r], RG_RULE_PAIR, s.known, N_LABELS, NULL, err));
            ASSERT_OK(rg_rule_compile(&keys, NULL, NULL, rule, &part, &one, err));
            ASSERT_OK(rg_rule_run(NULL, &c, &report, keys, rule, &all, &one, &ways, err));
            write_out(&found, c, keys);
            expected = rule_twin(rule, &all);
            size_t width = rule->info.n_keys, dropped = 0;
            for (size_t k = 0; k < expected.n;) {
                if (expected.values[k] == ROW_END) {
                    number_list_push(&kept, expected.values[k++]);
                    continue;
                }
                bool known = false;
                for (size_t w = 0; w < rg_rule_keys_size(keys) && !known; w++)
                    known = memcmp(rg_rule_keys_data(keys) + w * width, expected.values + k + 1,
                                   width * sizeof(int64_t)) == 0;
                for (size_t p = 0; known && p <= width; p++)
                    number_list_push(&kept, expected.values[k + p]);
                dropped += !known;
                k += width + 1;
            }
            assert_same(&kept, &found, pair_rules[r]);
            assert_int_equal(report.unseen, dropped);
            assert_int_equal(report.connections, rg_connections_size(c));
            free(expected.values);
            free(found.values);
            free(kept.values);
            rg_connections_free(c);
            rg_rule_keys_free(keys);
            rg_rule_free(rule);
        }
    labeled_set_free(&s);
}

/* Ranges that are too wide for a bitmap, and too wide for codes at all. */
static const char *const wide_rules[] = {
    "share wl(i) * 1000003, wl(j) * 10007, dist(i,j) when dist(i,j) in 0..3",
    "share wl(i) * 100000, 5 - wl(j) * 100000, dist(i,j)",
    "share wl(i), node(j) * 1000000, degree(i) * 100000000, bond(i,j)",
    "share wl(i) * 10000000000, wl(j) * 10000000000, degree(j) * 10000000000",
};
enum { N_WIDE = sizeof wide_rules / sizeof *wide_rules };

static void keys_of_wide_ranges_are_the_same_in_all_ways(void **state)
{
    (void)state;
    labeled_set s = labeled_set_of(test_random_set(8, 9, 11));
    rg_rule_input input = input_of(&s);
    for (size_t k = 0; k < N_WIDE; k++)
        rule_compare(wide_rules[k], RG_RULE_PAIR, &input);
    labeled_set_free(&s);
}

/* One graph has so few pairs that the keys of all are searched as they stand. */
static void a_graph_alone_finds_the_keys_of_all(void **state)
{
    (void)state;
    labeled_set s = labeled_set_of(test_random_set(60, 9, 12));
    rg_rule_input all = input_of(&s), one = all;
    rg_rule_options options = {
        .size = sizeof(rg_rule_options), .n_threads = 1, .max_bytes = UINT64_MAX};
    for (size_t k = 0; k < N_WIDE; k++) {
        rg_rule *rule = NULL;
        rg_rule_keys *keys = NULL;
        ASSERT_OK(rg_rule_parse(&rule, wide_rules[k], RG_RULE_PAIR, s.known, N_LABELS, NULL, err));
        ASSERT_OK(rg_rule_compile(&keys, NULL, NULL, rule, &all, &options, err));
        for (uint32_t g = 0; g < 60; g++) {
            rg_connections *c = NULL;
            rg_rule_report report = RG_RULE_REPORT_INIT;
            number_list found = {0};
            one.graphs = &g;
            one.n_graphs = 1;
            ASSERT_OK(rg_rule_apply(&c, &report, keys, rule, &one, &options, err));
            number_list expected = rule_twin(rule, &one);
            write_out(&found, c, keys);
            assert_same(&expected, &found, wide_rules[k]);
            assert_int_equal(report.unseen, 0);
            free(expected.values);
            free(found.values);
            rg_connections_free(c);
        }
        rg_rule_keys_free(keys);
        rg_rule_free(rule);
    }
    labeled_set_free(&s);
}

/* ---- memory */
static rg_status compile_and_apply(void *context, rg_error *err)
{
    static const char *const texts[] = {
        "share wl(i), wl(j), dist(i,j) when dist(i,j) in 1..3 or same_cycle(i,j,5)",
        "share wl(i), 9223372036854775807 - degree(j) * degree(i) * 1000000000",
        "share wl(i) * 100000, 5 - wl(j) * 100000, dist(i,j)"};
    labeled_set *s = context;
    rg_rule_input input = input_of(s);
    rg_rule_options one = {
        .size = sizeof(rg_rule_options), .n_threads = 1, .max_bytes = UINT64_MAX};
    rg_status status = RG_OK;
    for (int k = 0; !status && k < 6; k++) {
        rg_rule *rule = NULL;
        rg_rule_keys *keys = NULL;
        rg_connections *c = NULL, *applied = NULL;
        rg_rule_report report = RG_RULE_REPORT_INIT;
        rg_compile_ways ways = {.tables = k >= 3};
        status = rg_rule_parse(&rule, texts[k % 3], RG_RULE_PAIR, s->known, N_LABELS, NULL, err);
        if (!status)
            status = rg_rule_run(&keys, &c, &report, NULL, rule, &input, &one, &ways, err);
        if (!status)
            status = rg_rule_run(NULL, &applied, &report, keys, rule, &input, &one, &ways, err);
        rg_connections_free(c);
        rg_connections_free(applied);
        rg_rule_keys_free(keys);
        rg_rule_free(rule);
    }
    return status;
}

static void memory_that_is_short_is_said(void **state)
{
    (void)state;
    labeled_set s = labeled_set_of(test_random_set(4, 7, 2));
    assert_true(test_allocation_sweep(compile_and_apply, &s) > 100);
    labeled_set_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_plan_gives_what_the_tree_says),
        cmocka_unit_test(biases_and_aggregations_are_rules_too),
        cmocka_unit_test(random_rules_give_what_the_tree_says),
        cmocka_unit_test(weights_do_not_depend_on_the_order_of_nodes_or_graphs),
        cmocka_unit_test(chosen_graphs_come_in_the_order_asked_for),
        cmocka_unit_test(keys_never_seen_are_left_out_and_counted),
        cmocka_unit_test(keys_of_wide_ranges_are_the_same_in_all_ways),
        cmocka_unit_test(a_graph_alone_finds_the_keys_of_all),
        cmocka_unit_test(memory_that_is_short_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
