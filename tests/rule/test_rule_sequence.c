/* test_rule_sequence.c - rules on texts: positions, offsets, tokens and words, beside the slow twin. */
#include "support/rule_twin.h"

#include "base/random.h"

#include <stdio.h>

static const rg_rule_labeling name_pos = {.name = "pos"}, name_node = {.name = "node"};

static char *normal(const char *text, rg_rule_kind kind, const rg_rule_labeling *known)
{
    rg_rule *rule = NULL, *again = NULL;
    ASSERT_OK(rg_rule_parse(&rule, text, kind, known, known != NULL, NULL, err));
    char *out = test_format("%s", rg_rule_text(rule));
    ASSERT_OK(rg_rule_parse(&again, out, kind, known, known != NULL, NULL, err));
    assert_string_equal(rg_rule_text(again), out);
    rg_rule_free(again);
    rg_rule_free(rule);
    return out;
}

static void rules_have_normal_forms(void **state)
{
    (void)state;
    static const struct {
        rg_rule_kind kind;
        const rg_rule_labeling *known;
        const char *text, *normal;
    } cases[] = {
        {RG_RULE_PAIR, NULL, "share pos(j) - pos(i)", "share offset(i,j)"},
        {RG_RULE_PAIR, NULL, "share pos(i) - pos(j)", "share -offset(i,j)"},
        {RG_RULE_PAIR, NULL, "share pos(i) - pos(i)", "share pos(i) - pos(i)"},
        {RG_RULE_PAIR, NULL, "share pos(j) - pos(i) - 1 when pos(j) - pos(i) > 0",
         "share offset(i,j) - 1 when offset(i,j) > 0"},
        {RG_RULE_PAIR, NULL, "share token(i), token(j) when j - i in 1..3",
         "share node(i), node(j) when offset(i,j) in 1..3"},
        {RG_RULE_PAIR, NULL, "share i - j, token(i)", "share -offset(i,j), node(i)"},
        {RG_RULE_PAIR, NULL, "share i - j, row(i)", "share i - j, row(i)"},
        {RG_RULE_PAIR, NULL, "share i - j", "share i - j"},
        {RG_RULE_PAIR, NULL, "let d = j - i share d, token(i) when d in -2..2",
         "share offset(i,j), node(i) when offset(i,j) in -2..2"},
        {RG_RULE_BIAS, NULL, "share token(i) when token(i) = \"not\"",
         "share node(i) when node(i) = \"not\""},
        {RG_RULE_BIAS, NULL, "let no = \"no one\" share token(i) = no, pos(i) % 3",
         "share node(i) = \"no one\", pos(i) % 3"},
        {RG_RULE_AGGREGATE, NULL, "share out, token(i) when pos(i) in {0, 3}",
         "share out, node(i) when pos(i) in {0, 3}"},
        {RG_RULE_BIAS, &name_pos, "share pos(i)", "share pos(i)"},
        {RG_RULE_BIAS, &name_node, "share token(i)", "share node(i)"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char *found = normal(cases[c].text, cases[c].kind, cases[c].known);
        assert_string_equal(found, cases[c].normal);
        free(found);
    }
}

static void mistakes_are_shown_where_they_are(void **state)
{
    (void)state;
    static const struct {
        rg_rule_kind kind;
        const char *text, *words;
    } cases[] = {
        {RG_RULE_PAIR, "share token(i) = \"not",
         "line 1, column 18: found '\"not', expected a word "
         "between two '\"'"},
        {RG_RULE_PAIR, "share token(i) = \"\"", "column 18: found '\"\"', expected a word"},
        {RG_RULE_PAIR, "share offset(j,i)",
         "column 7: found 'offset(j,i)', expected the output "
         "first, as in offset(i,j)"},
        {RG_RULE_PAIR, "share pos(i,j)", "column 12: found ',', expected ')', as in pos(i)"},
        {RG_RULE_PAIR, "share row(i), token(i)",
         "column 15: found 'token(i)', expected something of "
         "a fixed shape"},
        {RG_RULE_PAIR, "share row(i) = \"a\"",
         "column 16: found '\"a\"', expected something of a "
         "fixed shape"},
        {RG_RULE_PAIR, "share token(i), j - 1", "column 17: found 'j', a node, expected a number"},
        {RG_RULE_BIAS, "share pos(j)", "column 11: found 'j', expected i: a bias has no j"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rg_rule *rule = NULL;
        ASSERT_REFUSED(rg_rule_parse(&rule, cases[c].text, cases[c].kind, NULL, 0, NULL, err),
                       RG_EUSAGE, cases[c].words);
    }
}

/* Random texts of a few words, some of one word alone. */
static rg_dataset *random_texts(size_t n, uint64_t seed)
{
    static const char *const words[] = {"a", "b", "not", "good", "\xc3\xa9", "day"};
    char(*texts)[200] = calloc(n, sizeof *texts);
    const char **list = calloc(n, sizeof *list);
    rg_dataset *data = NULL;
    assert_true(texts && list);
    for (size_t k = 0; k < n; k++) {
        uint32_t length = 1 + rg_random_below(seed, 1, k, 12);
        for (uint32_t i = 0; i < length; i++) {
            strcat(texts[k], i ? " " : "");
            strcat(texts[k], words[rg_random_below(seed, 2 + k, i, 6)]);
        }
        list[k] = texts[k];
    }
    ASSERT_OK(rg_dataset_from_texts(&data, "texts", 1, RG_SEQUENCE_WORDS, list, n, err));
    free(list);
    free(texts);
    return data;
}

static void rules_give_what_the_tree_says(void **state)
{
    (void)state;
    static const struct {
        rg_rule_kind kind;
        const char *text;
    } cases[] = {
        {RG_RULE_PAIR, "share pos(j) - pos(i)"},
        {RG_RULE_PAIR, "share token(i), token(j), j - i when j - i in -2..3"},
        {RG_RULE_PAIR, "share i - j, token(j) when i - j in {1, -4, 9}"},
        {RG_RULE_PAIR, "share token(j) when pos(j) < pos(i)"},
        {RG_RULE_PAIR, "share token(j) when j - i > 0 or i = j"},
        {RG_RULE_PAIR, "share token(j) when j - i <= -3 and dist(i,j) != 5"},
        {RG_RULE_PAIR, "share dist(i,j), j - i > 0 when dist(i,j) <= 2 or j - i = 6"},
        {RG_RULE_PAIR, "share token(j) when token(i) = \"not\" and j - i = 1"},
        {RG_RULE_PAIR, "share pos(i) % 2, token(i) when not token(j) in {\"a\", \"day\"}"},
        {RG_RULE_PAIR, "share offset(i,j) * offset(i,j) when abs(j - i) < 3"},
        {RG_RULE_PAIR, "share if j - i > 0 then 1 else 2 when j - i != 0"},
        {RG_RULE_PAIR, "share i - j, j - i"},
        {RG_RULE_PAIR, "share i * 2 + j when i < j"},
        {RG_RULE_BIAS, "share pos(i), token(i)"},
        {RG_RULE_BIAS, "share min(pos(i), 3)"},
        {RG_RULE_AGGREGATE, "share out, token(i), pos(i) when pos(i) < 4"},
    };
    for (uint64_t seed = 0; seed < 4; seed++) {
        rg_dataset *data = random_texts(12, seed);
        rg_rule_input input = {.size = sizeof input, .data = data, .n_outputs = 3};
        for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
            rule_compare(cases[c].text, cases[c].kind, &input);
        rg_dataset_free(data);
    }
}

static void graphs_have_no_positions(void **state)
{
    (void)state;
    static const uint32_t pairs[][2] = {{0, 1}};
    static const struct {
        const char *text, *words;
        rg_status status;
    } cases[] = {
        {"share pos(i)", "whose nodes have no order, but pos and offset are for sequences",
         RG_EDATA},
        {"share dist(i,j), j - i", "pos and offset are for sequences", RG_EDATA},
        {"share degree(i) = \"a\"", "words in a rule are for sequences: \"a\"", RG_EDATA},
        {"share j - i", "graphs have no rows, columns or channels", RG_EUSAGE},
    };
    rg_dataset *data = test_dataset_of_edges(2, pairs, NULL, 1);
    rg_rule_input input = {.size = sizeof input, .data = data};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        rg_rule *rule = NULL;
        rg_rule_keys *keys = NULL;
        ASSERT_OK(rg_rule_parse(&rule, cases[c].text, RG_RULE_PAIR, NULL, 0, NULL, err));
        ASSERT_REFUSED(rg_rule_compile(&keys, NULL, NULL, rule, &input, NULL, err), cases[c].status,
                       cases[c].words);
        rg_rule_free(rule);
    }
    rg_dataset_free(data);
}

static rg_status parse_once(void *context, rg_error *err)
{
    rg_rule *rule = NULL;
    (void)context;
    rg_status status = rg_rule_parse(
        &rule, "share token(i), j - i when pos(j) - pos(i) in 1..3 and token(i) = \"not\"",
        RG_RULE_PAIR, NULL, 0, NULL, err);
    rg_rule_free(rule);
    return status;
}

static void memory_that_is_short_is_said(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(parse_once, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_have_normal_forms),
        cmocka_unit_test(mistakes_are_shown_where_they_are),
        cmocka_unit_test(rules_give_what_the_tree_says),
        cmocka_unit_test(graphs_have_no_positions),
        cmocka_unit_test(memory_that_is_short_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
