/* test_rule_parse.c - the rule language: what parses, what it prints, and what is wrong where. */
#include "support/support.h"

#include "rule/rule.h"

#include <stdio.h>
#include <string.h>

static const rg_rule_labeling known[] = {{"wl", NULL, NULL}, {"cyc", NULL, NULL}};

static rg_status parse(rg_rule **out, rg_rule_kind kind, const char *text, rg_rule_place *place,
                       rg_error *err)
{
    return rg_rule_parse(out, text, kind, known, 2, place, err);
}

/* Rules and their normal forms; NULL: as they are. */
static const struct {
    rg_rule_kind kind;
    const char *text, *normal;
} good[] = {
    {RG_RULE_PAIR, "share i, j", NULL},
    {RG_RULE_PAIR,
     "share row(j)-row(i), col(j)-col(i)\n"
     "when row(j)-row(i) in 0..3-1 and col(j)-col(i) in 0..3-1",
     "share row(j) - row(i), col(j) - col(i) when row(j) - row(i) in 0..3 - 1 and "
     "col(j) - col(i) in 0..3 - 1"},
    {RG_RULE_PAIR, "share wl(i),wl(j),dist(i,j) when dist(i,j) in 1..10",
     "share wl(i), wl(j), dist(i,j) when dist(i,j) in 1..10"},
    {RG_RULE_PAIR, "share cyc(i), cyc(j), dist( i , j ) when dist(i,j) in {1,3}",
     "share cyc(i), cyc(j), dist(i,j) when dist(i,j) in {1, 3}"},
    {RG_RULE_PAIR, "share i = j, node(i), node(j), bond(i,j) when i = j or edge(i,j)", NULL},
    {RG_RULE_PAIR, "share node(i), node(j) when same_cycle(i,j,6)", NULL},
    {RG_RULE_PAIR, "share dist(j,i) when edge(j,i)", "share dist(i,j) when edge(i,j)"},
    {RG_RULE_PAIR, "share dist(j,j), edge(i,i)", NULL},
    {RG_RULE_PAIR, "share bond(i,j,0), bond(i,j,2), node(i,0), node(j,1)",
     "share bond(i,j), bond(i,j,2), node(i), node(j,1)"},
    {RG_RULE_PAIR, "share (((1))) + (2 * 3)", "share 1 + 2 * 3"},
    {RG_RULE_PAIR, "share (1 + 2) * 3, 1 - (2 - 3), (1 - 2) - 3, 1 / (2 / 3), 8 % 3 * 2",
     "share (1 + 2) * 3, 1 - (2 - 3), 1 - 2 - 3, 1 / (2 / 3), 8 % 3 * 2"},
    {RG_RULE_PAIR, "share -1, -(-1), - - 1, -(1 + 2), 1 - -1, -wl(i) * 2, -(wl(i) * 2)",
     "share -1, --1, --1, -(1 + 2), 1 - -1, -wl(i) * 2, -(wl(i) * 2)"},
    {RG_RULE_PAIR, "share abs(wl(i) - wl(j)), min(1, max(2, 3))", NULL},
    {RG_RULE_PAIR, "share i when not not i != j and (i = j or edge(i,j))",
     "share i when not not i != j and (i = j or edge(i,j))"},
    {RG_RULE_PAIR, "share i when not (i = j and edge(i,j)) or not i = j", NULL},
    {RG_RULE_PAIR, "share i when i = j and (edge(i,j) and i != j)",
     "share i when i = j and edge(i,j) and i != j"},
    {RG_RULE_PAIR, "share i when edge(i,j) = (i = j)", NULL},
    {RG_RULE_PAIR, "share i when (i = j) != edge(i,j)", NULL},
    {RG_RULE_PAIR, "share i when wl(i) in wl(j)..wl(j) + 2 and wl(j) in {wl(i), -1, 3 * 2}", NULL},
    {RG_RULE_PAIR, "share 9223372036854775807", NULL},
    {RG_RULE_PAIR, "\tshare\r\n channel(i)\n", "share channel(i)"},
    /* what is short for something longer is written out */
    {RG_RULE_PAIR, "let n = 5 share (i-1)*n + j", "share (i - 1) * 5 + j"},
    {RG_RULE_PAIR, "let n = 28, o = n - 3 + 1\nshare (i - 1) // o mod 2 when j - 1 < n",
     "share (i - 1) / (28 - 3 + 1) % 2 when j - 1 < 28"},
    {RG_RULE_PAIR, "let k = wl(i) share k, k + k, (k) when k = k",
     "share wl(i), wl(i) + wl(i), wl(i) when wl(i) = wl(i)"},
    {RG_RULE_PAIR, "let near = edge(i,j) or i = j share wl(i) when near and not near",
     "share wl(i) when (edge(i,j) or i = j) and not (edge(i,j) or i = j)"},
    {RG_RULE_PAIR, "let s = wl(i) in {1, 2, wl(j)} share s, s",
     "share wl(i) in {1, 2, wl(j)}, wl(i) in {1, 2, wl(j)}"},
    {RG_RULE_PAIR, "share i when 0 < wl(i) <= 3", "share i when 0 < wl(i) and wl(i) <= 3"},
    {RG_RULE_PAIR, "share 1 when not 4 > i >= j > 2",
     "share 1 when not (4 > i and i >= j and j > 2)"},
    {RG_RULE_PAIR, "share if edge(i,j) then 1 else if i = j then 2 else 3, wl(i)", NULL},
    {RG_RULE_PAIR, "share (if i = j then (if edge(i,j) then 1 else 2) else 3) + 1", NULL},
    {RG_RULE_PAIR, "share if i = j then if edge(i,j) then 1 else 2 else (3)",
     "share if i = j then (if edge(i,j) then 1 else 2) else 3"},
    {RG_RULE_PAIR, "share abs((if i = j then 1 else -1)) when if i = j then edge(i,j) else i = j",
     NULL},
    {RG_RULE_PAIR, "share if (if i = j then i = j else edge(i,j)) then 1 else 2", NULL},
    {RG_RULE_PAIR, "share i + 1, -j, i // 2 when i < j and i = 3 and 2 != j and i in {1, j}",
     "share i + 1, -j, i / 2 when i < j and i = 3 and 2 != j and i in {1, j}"},
    {RG_RULE_AGGREGATE, "share out when out = i mod 2", "share out when out = i % 2"},
    {RG_RULE_BIAS, "share wl(i)", NULL},
    {RG_RULE_BIAS, "share wl(i), degree(i) when degree(i) > 1", NULL},
    {RG_RULE_BIAS, "share row(i), i", NULL},
    {RG_RULE_AGGREGATE, "share out, wl(i)", NULL},
    {RG_RULE_AGGREGATE, "share out % 2, node(i) when out < 4 or degree(i) >= 2", NULL},
};

static void normal_forms_parse_to_themselves(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
        rg_rule *rule = NULL, *again = NULL;
        ASSERT_OK(parse(&rule, good[k].kind, good[k].text, NULL, err));
        assert_string_equal(rg_rule_text(rule), good[k].normal ? good[k].normal : good[k].text);
        ASSERT_OK(parse(&again, good[k].kind, rg_rule_text(rule), NULL, err));
        assert_string_equal(rg_rule_text(again), rg_rule_text(rule));
        assert_int_equal(rg_rule_describe(again)->n_keys, rg_rule_describe(rule)->n_keys);
        rg_rule_free(rule);
        rg_rule_free(again);
    }
}

#define KNOWN                                                                                     \
    "expected i, j, a labeling (wl, cyc, node), a property (dist, edge, bond, same_cycle, "       \
    "common, "                                                                                    \
    "degree, paths, bonds, marked, pos, offset), row, col or channel of a shape, value, bin, or " \
    "abs, "                                                                                       \
    "min, max"

#define ORDER "expected a number: nodes of a graph have no order"
#define CHAIN "expected 'and': only a < b <= c and a > b >= c are chains"

static const struct {
    rg_rule_kind kind;
    const char *text, *message; /* after "rule: " */
} bad[] = {
    {RG_RULE_PAIR, "", "line 1, column 1: found the end, expected 'share'"},
    {RG_RULE_PAIR, "   ", "line 1, column 4: found the end, expected 'share'"},
    {RG_RULE_PAIR, "shar i",
     "line 1, column 1: found 'shar', expected 'share' (did you mean 'share'?)"},
    {RG_RULE_PAIR, "when i = j", "line 1, column 1: found 'when', expected 'share'"},
    {RG_RULE_PAIR, "wl(i)", "line 1, column 1: found 'wl', expected 'share'"},
    {RG_RULE_PAIR, "share", "line 1, column 6: found the end, expected a number, a name or '('"},
    {RG_RULE_PAIR, "share ,", "line 1, column 7: found ',', expected a number, a name or '('"},
    {RG_RULE_PAIR, "share i j", "line 1, column 9: found 'j', expected ',', 'when' or the end"},
    {RG_RULE_PAIR, "share i, ",
     "line 1, column 10: found the end, expected a number, a name or '('"},
    {RG_RULE_PAIR, "share i, j whn i = j",
     "line 1, column 12: found 'whn', expected ',', 'when' or the end (did you mean 'when'?)"},
    {RG_RULE_PAIR, "share i when",
     "line 1, column 13: found the end, expected a number, a name or '('"},
    {RG_RULE_PAIR, "share i when i = j,",
     "line 1, column 19: found ',', expected 'and', 'or' or the end"},
    {RG_RULE_PAIR, "share i when i = j edge(i,j)",
     "line 1, column 20: found 'edge', expected 'and', 'or' or the end"},
    {RG_RULE_PAIR, "share i when i = j adn edge(i,j)",
     "line 1, column 20: found 'adn', expected 'and', 'or' or the end (did you mean 'and'?)"},
    {RG_RULE_PAIR, "share wk(i)", "line 1, column 7: found 'wk', " KNOWN " (did you mean 'wl'?)"},
    {RG_RULE_PAIR, "share dits(i,j)",
     "line 1, column 7: found 'dits', " KNOWN " (did you mean 'dist'?)"},
    {RG_RULE_PAIR, "share dist", "line 1, column 11: found the end, expected '(', as in dist(i,j)"},
    {RG_RULE_PAIR, "share dist(i)", "line 1, column 13: found ')', expected ',', as in dist(i,j)"},
    {RG_RULE_PAIR, "share dist(i,j",
     "line 1, column 15: found the end, expected ')', as in dist(i,j)"},
    {RG_RULE_PAIR, "share dist(i,j,3)",
     "line 1, column 15: found ',', expected ')', as in dist(i,j)"},
    {RG_RULE_PAIR, "share dist(i,k)", "line 1, column 14: found 'k', expected i or j"},
    {RG_RULE_PAIR, "share dist(wl(i),j)", "line 1, column 12: found 'wl', expected i or j"},
    {RG_RULE_PAIR, "share dist()", "line 1, column 12: found ')', expected i or j"},
    {RG_RULE_PAIR, "share wl(i,j)", "line 1, column 11: found ',', expected ')', as in wl(i)"},
    {RG_RULE_PAIR, "share wl i", "line 1, column 10: found 'i', expected '(', as in wl(i)"},
    {RG_RULE_PAIR, "share wl(3)", "line 1, column 10: found '3', expected i or j"},
    {RG_RULE_PAIR, "share edge(i,j) + 1",
     "line 1, column 7: found 'edge(i,j)', a condition, expected a number"},
    {RG_RULE_PAIR, "share degree(i,j)",
     "line 1, column 15: found ',', expected ')', as in degree(i)"},
    {RG_RULE_PAIR, "share same_cycle(i,j)",
     "line 1, column 21: found ')', expected ',', as in same_cycle(i,j,6)"},
    {RG_RULE_PAIR, "share same_cycle(i,j,2)",
     "line 1, column 22: found '2', expected a length, a number 3..32"},
    {RG_RULE_PAIR, "share same_cycle(i,j,33)",
     "line 1, column 22: found '33', expected a length, a number 3..32"},
    {RG_RULE_PAIR, "share same_cycle(i,j,i)",
     "line 1, column 22: found 'i', expected a length, a number 3..32"},
    {RG_RULE_PAIR, "share bond(i,j,x)",
     "line 1, column 16: found 'x', expected a column, a number from 0 on"},
    {RG_RULE_PAIR, "share bond(i,j,4294967296)",
     "line 1, column 16: found '4294967296', expected a column, a number from 0 on"},
    {RG_RULE_PAIR, "share node(i,-1)",
     "line 1, column 14: found '-', expected a column, a number from 0 on"},
    {RG_RULE_PAIR, "share wl(i), i + 1", "line 1, column 14: found 'i', a node, " ORDER},
    {RG_RULE_PAIR, "share wl(i), -i", "line 1, column 15: found 'i', a node, " ORDER},
    {RG_RULE_PAIR, "share wl(i), abs(i)", "line 1, column 18: found 'i', a node, " ORDER},
    {RG_RULE_PAIR, "share i + 1, wl(i)",
     "line 1, column 14: found 'wl(i)', expected something of a fixed shape, as before: labels and "
     "properties are of graphs"},
    {RG_RULE_PAIR, "share if 1 then 2 else 3",
     "line 1, column 10: found '1', a number, expected a condition, such as dist(i,j) <= 2 or "
     "edge(i,j)"},
    {RG_RULE_PAIR, "share if i = j 1 else 2",
     "line 1, column 16: found '1', expected 'then', as in if a then b else c"},
    {RG_RULE_PAIR, "share if i = j then 1",
     "line 1, column 22: found the end, expected 'else', as in if a then b else c"},
    {RG_RULE_PAIR, "share if i = j then 1 else edge(i,j)",
     "line 1, column 28: found 'edge(i,j)', a condition, expected a number"},
    {RG_RULE_PAIR, "share wl(i), if i = j then i else j",
     "line 1, column 28: found 'i', a node, " ORDER},
    {RG_RULE_PAIR, "share 1 + if i = j then 1 else 2",
     "line 1, column 11: found 'if', expected brackets around it, as in 1 + (if a then b else c)"},
    {RG_RULE_PAIR, "let n share n",
     "line 1, column 7: found 'share', expected '=', as in let n = "
     "28"},
    {RG_RULE_PAIR, "let 3 = 4 share 1",
     "line 1, column 5: found '3', expected a name, as in let n = 28"},
    {RG_RULE_PAIR, "let wl = 4 share 1",
     "line 1, column 5: found 'wl', expected a new name: this one has a meaning already"},
    {RG_RULE_PAIR, "let a = 4, a = 5 share a",
     "line 1, column 12: found 'a', expected a new name: this one has a meaning already"},
    {RG_RULE_PAIR, "let a = 4, b = 5 share a",
     "line 1, column 12: found 'b', expected a name that "
     "the rule uses"},
    {RG_RULE_PAIR, "let a = 4 shar a",
     "line 1, column 11: found 'shar', expected ',' or 'share' (did you mean 'share'?)"},
    {RG_RULE_PAIR, "let a = 4 share a when a",
     "line 1, column 24: found 'a', a number, expected a condition, such as dist(i,j) <= 2 or "
     "edge(i,j)"},
    {RG_RULE_PAIR, "share abs(1, 2)", "line 1, column 12: found ',', expected ')', as in abs(-1)"},
    {RG_RULE_PAIR, "share min(1)", "line 1, column 12: found ')', expected ',', as in min(1, 2)"},
    {RG_RULE_PAIR, "share max(1, 2, 3)",
     "line 1, column 15: found ',', expected ')', as in max(1, 2)"},
    {RG_RULE_PAIR, "share min(i = j, 2)",
     "line 1, column 13: found '=', expected ',', as in min(1, 2)"},
    {RG_RULE_PAIR, "share i when dist(i,j)",
     "line 1, column 14: found 'dist(i,j)', a number, expected a condition, such as dist(i,j) <= 2 "
     "or edge(i,j)"},
    {RG_RULE_PAIR, "share i when i",
     "line 1, column 14: found 'i', a node, expected a condition, such as dist(i,j) <= 2 or "
     "edge(i,j)"},
    {RG_RULE_PAIR, "share i when 1",
     "line 1, column 14: found '1', a number, expected a condition, such as dist(i,j) <= 2 or "
     "edge(i,j)"},
    {RG_RULE_PAIR, "share i when not dist(i,j)",
     "line 1, column 18: found 'dist(i,j)', a number, expected a condition, such as dist(i,j) <= 2 "
     "or edge(i,j)"},
    {RG_RULE_PAIR, "share i when dist(i,j) and i = j",
     "line 1, column 14: found 'dist(i,j)', a number, expected a condition, such as dist(i,j) <= 2 "
     "or edge(i,j)"},
    {RG_RULE_PAIR, "share i when i = j or wl(i)",
     "line 1, column 23: found 'wl(i)', a number, expected a condition, such as dist(i,j) <= 2 or "
     "edge(i,j)"},
    {RG_RULE_PAIR, "share wl(i) when i < j",
     "line 1, column 18: found 'i', a node, expected a number: only '=' and '!=' compare others"},
    {RG_RULE_PAIR, "share wl(i) when i = 1",
     "line 1, column 22: found '1', a number, expected a node"},
    {RG_RULE_PAIR, "share wl(i) when 1 = i",
     "line 1, column 22: found 'i', a node, expected a number"},
    {RG_RULE_PAIR, "share i when edge(i,j) = 1",
     "line 1, column 26: found '1', a number, expected a condition"},
    {RG_RULE_PAIR, "share i when edge(i,j) < edge(i,j)",
     "line 1, column 14: found 'edge(i,j)', a condition, expected a number: only '=' and '!=' "
     "compare others"},
    {RG_RULE_PAIR, "share i when 1 < wl(i) > 3", "line 1, column 24: found '>', " CHAIN},
    {RG_RULE_PAIR, "share i when 1 < wl(i) = 3", "line 1, column 24: found '=', " CHAIN},
    {RG_RULE_PAIR, "share i when wl(i) = 1 = 2", "line 1, column 24: found '=', " CHAIN},
    {RG_RULE_PAIR, "share i when wl(i) in 1..3 in 1..2", "line 1, column 28: found 'in', " CHAIN},
    {RG_RULE_PAIR, "share i when 1 < wl(i) < edge(i,j)",
     "line 1, column 26: found 'edge(i,j)', a condition, expected a number"},
    {RG_RULE_PAIR, "share i when wl(i) == 1", "line 1, column 20: found '==', expected '='"},
    {RG_RULE_PAIR, "share i when wl(i) <> 1", "line 1, column 20: found '<>', expected '!='"},
    {RG_RULE_PAIR, "share i when wl(i) => 1", "line 1, column 20: found '=>', expected '>='"},
    {RG_RULE_PAIR, "share i when i = j && edge(i,j)",
     "line 1, column 20: found '&&', expected 'and'"},
    {RG_RULE_PAIR, "share i when i = j || edge(i,j)",
     "line 1, column 20: found '||', expected 'or'"},
    {RG_RULE_PAIR, "share i when !edge(i,j)", "line 1, column 14: found '!', expected 'not'"},
    {RG_RULE_PAIR, "share i when wl(i) in",
     "line 1, column 22: found the end, expected a number, a name or '('"},
    {RG_RULE_PAIR, "share i when wl(i) in 3",
     "line 1, column 24: found the end, expected '..', as in 1..3"},
    {RG_RULE_PAIR, "share i when wl(i) in 1.5",
     "line 1, column 26: found the end, expected '..', as in 1..3"},
    {RG_RULE_PAIR, "share i when wl(i) in 1...3", "line 1, column 24: found '...', expected '..'"},
    {RG_RULE_PAIR, "share i when wl(i) in {",
     "line 1, column 24: found the end, expected a number, a name or '('"},
    {RG_RULE_PAIR, "share i when wl(i) in {}",
     "line 1, column 24: found '}', expected a number, a name or '('"},
    {RG_RULE_PAIR, "share i when wl(i) in {1, 2",
     "line 1, column 28: found the end, expected '}' or ','"},
    {RG_RULE_PAIR, "share i when wl(i) in {1; 2}", "line 1, column 25: found ';', expected ','"},
    {RG_RULE_PAIR, "share i when wl(i) in {i}", "line 1, column 24: found 'i', a node, " ORDER},
    {RG_RULE_PAIR, "share i when wl(i) in i..j", "line 1, column 23: found 'i', a node, " ORDER},
    {RG_RULE_PAIR, "share wl(i) when i in {1}", "line 1, column 18: found 'i', a node, " ORDER},
    {RG_RULE_PAIR, "share i when wl(i) in [1, 2]",
     "line 1, column 23: found '[', expected '(' or '{'"},
    {RG_RULE_PAIR, "share (wl(i)", "line 1, column 13: found the end, expected ')'"},
    {RG_RULE_PAIR, "share wl(i))", "line 1, column 12: found ')', expected ',', 'when' or the end"},
    {RG_RULE_PAIR, "share wl(i) * ",
     "line 1, column 15: found the end, expected a number, a name or '('"},
    {RG_RULE_PAIR, "share wl(i) / i", "line 1, column 15: found 'i', a node, " ORDER},
    {RG_RULE_PAIR, "share 9223372036854775808",
     "line 1, column 7: found '9223372036854775808', expected a number up to 9223372036854775807"},
    {RG_RULE_PAIR, "share 3x", "line 1, column 7: found '3x', expected a number, a name or '('"},
    {RG_RULE_PAIR, "share 1.5",
     "line 1, column 7: found '1.5', a real number, expected a key: compare the number, value(j) > "
     "0.5, or bin it, bin(value(j), 8)"},
    {RG_RULE_PAIR, "share wl(i) @ 3",
     "line 1, column 13: found '@', expected ',', 'when' or the end"},
    {RG_RULE_PAIR, "share wl(i) → 3",
     "line 1, column 13: found '→', expected ',', 'when' or the end"},
    {RG_RULE_PAIR, "share row(i), wl(j)",
     "line 1, column 15: found 'wl(j)', expected something of a fixed shape, as before: labels and "
     "properties are of graphs"},
    {RG_RULE_PAIR, "share wl(j), row(i)",
     "line 1, column 14: found 'row(i)', expected something of a graph, as before: rows and "
     "columns are of a fixed shape"},
    {RG_RULE_PAIR, "share out",
     "line 1, column 7: found 'out', expected i or j: only an aggregation has out"},
    {RG_RULE_PAIR, "share marked(j,i)",
     "line 1, column 7: found 'marked(j,i)', expected the output first, as in marked(i,j): it is i "
     "that is marked"},
    {RG_RULE_PAIR, "share marked(i,j,65)",
     "line 1, column 18: found '65', expected a depth, a number 0..64"},
    {RG_RULE_PAIR, "share bonds(i,j,0)",
     "line 1, column 17: found '0', expected a cut-off, a number 1..225"},
    {RG_RULE_PAIR, "share paths(i)",
     "line 1, column 14: found ')', expected ',', as in paths(i,j)"},
    {RG_RULE_PAIR, "share share", "line 1, column 7: found 'share', " KNOWN},
    {RG_RULE_PAIR, "share i when true", "line 1, column 14: found 'true', " KNOWN},
    {RG_RULE_PAIR, "share wl(i) when 3 + edge(i,j) > 1",
     "line 1, column 22: found 'edge(i,j)', a condition, expected a number"},
    {RG_RULE_PAIR, "share wl(i),\n  wl(j),\n\tdits(i,j)",
     "line 3, column 2: found 'dits', " KNOWN " (did you mean 'dist'?)"},
    {RG_RULE_PAIR, "share SHARE", "line 1, column 7: found 'SHARE', " KNOWN},
    {RG_RULE_BIAS, "share j", "line 1, column 7: found 'j', expected i: a bias has no j"},
    {RG_RULE_BIAS, "share wl(j)", "line 1, column 10: found 'j', expected i: a bias has no j"},
    {RG_RULE_BIAS, "share dist(i,j)", "line 1, column 14: found 'j', expected i: a bias has no j"},
    {RG_RULE_BIAS, "share out",
     "line 1, column 7: found 'out', expected i or j: only an aggregation has out"},
    {RG_RULE_AGGREGATE, "share j",
     "line 1, column 7: found 'j', expected i: an aggregation has out and i"},
    {RG_RULE_AGGREGATE, "share out, wl(out)",
     "line 1, column 15: found 'out', expected i: an aggregation has out and i"},
    {RG_RULE_AGGREGATE, "share out, wl(j)",
     "line 1, column 15: found 'j', expected i: an aggregation has out and i"},
    {RG_RULE_AGGREGATE, "share wl(i), i when out = i",
     "line 1, column 27: found 'i', a node, expected a number"},
};

static void bad_rules_are_told_by_line_and_column(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        rg_rule *rule = NULL;
        rg_error err = {""};
        rg_rule_place place = {0};
        unsigned long line = 0, column = 0;
        assert_int_equal(parse(&rule, bad[k].kind, bad[k].text, &place, &err), RG_EUSAGE);
        assert_null(rule);
        if (strncmp(err.message, "rule: ", 6) != 0 || strcmp(err.message + 6, bad[k].message) != 0)
            fail_msg("'%s': %s", bad[k].text, err.message);
        assert_int_equal(sscanf(err.message, "rule: line %lu, column %lu", &line, &column), 2);
        assert_int_equal(place.line, line);
        assert_int_equal(place.column, column);
        assert_true(place.n > 0);
        assert_int_equal(parse(&rule, bad[k].kind, bad[k].text, NULL, NULL), RG_EUSAGE);
    }
}

static void a_caret_points_at_what_is_wrong(void **state)
{
    static const struct {
        const char *text, *lines;
    } cases[] = {
        {"share dits(i,j)", "share dits(i,j)\n      ^~~~\n"},
        {"share wl(i),\n\twl(j) when wl(i)\nand i = j", "\twl(j) when wl(i)\n\t           ^~~~~\n"},
        {"share wl(i) when", "share wl(i) when\n                ^\n"},
        {"share → when i", "share → when i\n      ^\n"},
        {"share wl(i)\x1b[31m", "share wl(i)?[31m\n           ^\n"},
        {"share wl(i)\xff\xfe", "share wl(i)??\n           ^\n"},
        {"share wl(i)\xe2\x86 x", "share wl(i)? x\n           ^\n"}, /* cut short */
        {"share wl(i)\xc0\xaf", "share wl(i)?\n           ^\n"},     /* too long a form */
        {"share wl(i)\xed\xa0\x80", "share wl(i)?\n           ^\n"}, /* a surrogate */
        {"share \x80wl(i) whem", "share wl(i) whem\n      ^\n"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_rule *rule = NULL;
        rg_rule_place place;
        char lines[200], small[10];
        assert_int_equal(parse(&rule, RG_RULE_PAIR, cases[k].text, &place, NULL), RG_EUSAGE);
        rg_rule_point(lines, sizeof lines, cases[k].text, &place);
        assert_string_equal(lines, cases[k].lines);
        for (size_t size = 0; size <= sizeof small; size++) { /* cut, and always terminated */
            memset(small, 'x', sizeof small);
            rg_rule_point(small, size, cases[k].text, &place);
            if (size)
                assert_true(strlen(small) < size);
        }
    }
    char lines[20] = "x";
    rg_rule_point(lines, sizeof lines, "share i", &(rg_rule_place){1, 1, 0});
    assert_string_equal(lines, "");
}

static void names_of_the_language_are_no_labelings(void **state)
{
    static const struct {
        const char *first, *second, *message;
    } cases[] = {
        {"dist", "wl",
         "rule: found the labeling 'dist', expected another name: this one is a word of the rule "
         "language"},
        {"wl", "in",
         "rule: found the labeling 'in', expected another name: this one is a word of the rule "
         "language"},
        {"wl", "wl", "rule: found the labeling 'wl' twice, expected each name once"},
        {"2wl", "wl",
         "rule: found the labeling '2wl', expected a name: a letter or '_', then "
         "letters, digits and '_', at most 60"},
        {"", "wl",
         "rule: found the labeling '', expected a name: a letter or '_', then letters, "
         "digits and '_', at most 60"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_rule_labeling names[] = {{cases[k].first, NULL, NULL}, {cases[k].second, NULL, NULL}};
        rg_rule *rule = NULL;
        rg_error err = {""};
        rg_rule_place place;
        assert_int_equal(rg_rule_parse(&rule, "share i", RG_RULE_PAIR, names, 2, &place, &err),
                         RG_EUSAGE);
        assert_string_equal(err.message, cases[k].message);
        assert_int_equal(place.n, 0);
    }
    rg_rule_labeling node = {"node", NULL, NULL};
    rg_rule *rule = NULL;
    ASSERT_OK(rg_rule_parse(&rule, "share node(i)", RG_RULE_PAIR, &node, 1, NULL, err));
    assert_int_equal(rule->terms[rule->keys[0]].op, RG_OP_LABEL);
    rg_rule_free(rule);
}

static void what_a_rule_is_about_is_known(void **state)
{
    static const struct {
        const char *text;
        int is_static, on_graphs, on_shapes;
        size_t n_keys;
    } cases[] = {
        {"share i, j", 1, 0, 0, 2},
        {"share 1 when i = j", 1, 0, 0, 1},
        {"share row(j) - row(i), 2, 3", 1, 0, 1, 3},
        {"share i - j", 1, 0, 1, 1},
        {"share i when i < j", 1, 0, 1, 1},
        {"share wl(i)", 0, 1, 0, 1},
        {"share i when edge(i,j)", 0, 1, 0, 1},
        {"share node(i), degree(j)", 0, 1, 0, 2},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_rule *rule = NULL;
        ASSERT_OK(parse(&rule, RG_RULE_PAIR, cases[k].text, NULL, err));
        const rg_rule_info *info = rg_rule_describe(rule);
        assert_int_equal(info->is_static, cases[k].is_static);
        assert_int_equal(info->on_graphs, cases[k].on_graphs);
        assert_int_equal(info->on_shapes, cases[k].on_shapes);
        assert_int_equal(info->n_keys, cases[k].n_keys);
        rg_rule_free(rule);
    }
    rg_rule *rule = NULL;
    ASSERT_OK(parse(&rule, RG_RULE_PAIR, "share wl( i ),1+ 2,  i=j", NULL, err));
    assert_string_equal(rg_rule_key_text(rule, 0), "wl(i)");
    assert_string_equal(rg_rule_key_text(rule, 1), "1 + 2");
    assert_string_equal(rg_rule_key_text(rule, 2), "i = j");
    rg_rule_free(rule);
}

/* share 1, 1, ... with n of `piece` between. */
static char *repeated(const char *start, const char *piece, size_t n, const char *end)
{
    char *text = calloc(strlen(start) + n * strlen(piece) + strlen(end) + 1, 1), *at = text;
    assert_non_null(text);
    at += sprintf(at, "%s", start);
    for (size_t k = 0; k < n; k++)
        at += sprintf(at, "%s", piece);
    sprintf(at, "%s", end);
    return text;
}

static void rules_that_are_too_large_are_refused(void **state)
{
    static const struct {
        const char *start, *piece;
        size_t n;
        const char *end, *message; /* NULL: fine */
    } cases[] = {
        {"share 1", ", 1", 15, "", NULL},
        {"share 1", ", 1", 16, "", "expected at most 16 keys"},
        {"share ", "(", 63, "1)", "expected ')'"},
        {"share ", "(", 64, "1", "expected ')'"},
        {"share ", "(", 65, "1", "expected at most 64 signs and brackets inside each other"},
        {"share ", "-", 64, "1", NULL},
        {"share ", "-", 65, "1", "expected at most 64 signs and brackets inside each other"},
        {"share 1 when ", "not ", 100, "i = j", "at most 64 signs and brackets inside each other"},
        {"share 1", " + 1", 500, "", NULL},
        {"share 1", " + 1", 600, "", "expected a shorter rule: 1024 terms are the most"},
        {"share ", "\xaf", 100, "",
         "line 1, column 7: found '\?\?\?\?', expected a number, a name or '('"},
        {"share ", "abcdefgh", 10, "",
         "found 'abcdefghabcdefghabcdefghabcdefghabcdefgh...', expected i, j"},
        {"share 1 when 0", " < wl(i)", 200, "", NULL},
        {"share 1 when 0", " < wl(i)", 300, "", "expected a shorter rule: 1024 terms are the most"},
        {"share ", "if i = j then 1 else ", 60, "0", NULL},
        {"share ", "if i = j then 1 else ", 65, "0",
         "at most 64 signs and brackets inside each other"},
        {"let a = 1", ", b", 1, " = a + a share b + b + b", NULL},
        {"share 1", " ", 65600, "", "found 65607 letters, expected at most 65536"},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char *text = repeated(cases[k].start, cases[k].piece, cases[k].n, cases[k].end);
        rg_rule *rule = NULL;
        rg_error err = {""};
        rg_status status = parse(&rule, RG_RULE_PAIR, text, NULL, &err);
        assert_int_equal(status, cases[k].message ? RG_EUSAGE : RG_OK);
        if (cases[k].message && !strstr(err.message, cases[k].message))
            fail_msg("%zu: %s", k, err.message);
        rg_rule_free(rule);
        free(text);
    }
    rg_rule *rule = NULL;
    assert_int_equal(parse(&rule, RG_N_RULE_KINDS, "share i", NULL, NULL), RG_EUSAGE);
}

static void arithmetic_rounds_down_and_never_wraps(void **state)
{
    static const int64_t most = INT64_MAX, none = RG_NO_VALUE;
    const struct {
        rg_op op;
        int64_t a, b, value;
    } cases[] = {
        {RG_OP_DIVIDE, 7, 2, 3},          {RG_OP_DIVIDE, -7, 2, -4},
        {RG_OP_DIVIDE, 7, -2, -4},        {RG_OP_DIVIDE, -7, -2, 3},
        {RG_OP_MODULO, 7, 3, 1},          {RG_OP_MODULO, -7, 3, 2},
        {RG_OP_MODULO, 7, -3, -2},        {RG_OP_MODULO, -7, -3, -1},
        {RG_OP_DIVIDE, 1, 0, none},       {RG_OP_MODULO, 1, 0, none},
        {RG_OP_DIVIDE, -most, -1, most},  {RG_OP_MODULO, -most, -1, 0},
        {RG_OP_ADD, most, 1, none},       {RG_OP_ADD, -most, -1, none},
        {RG_OP_SUBTRACT, -most, 1, none}, {RG_OP_SUBTRACT, -most, 2, none},
        {RG_OP_MULTIPLY, most, 2, none},  {RG_OP_MULTIPLY, 3, -4, -12},
        {RG_OP_ADD, none, 1, none},       {RG_OP_MIN, none, 1, none},
        {RG_OP_MAX, 1, none, none},       {RG_OP_MULTIPLY, 0, none, none},
        {RG_OP_NEGATE, -most, 0, most},   {RG_OP_ABS, -most, 0, most},
        {RG_OP_ABS, none, 0, none},       {RG_OP_NEGATE, none, 0, none},
    };
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        assert_int_equal(rg_rule_arithmetic(cases[k].op, cases[k].a, cases[k].b), cases[k].value);
    for (rg_op op = RG_OP_EQUAL; op <= RG_OP_AT_LEAST; op++) {
        assert_false(rg_rule_compare(op, none, 1));
        assert_false(rg_rule_compare(op, 1, none));
        assert_false(rg_rule_compare(op, none, none));
    }
}

static rg_status parse_all(void *context, rg_error *err)
{
    (void)context;
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < sizeof good / sizeof *good; k += 4) {
        rg_rule *rule = NULL;
        status = parse(&rule, good[k].kind, good[k].text, NULL, err);
        rg_rule_free(rule);
    }
    return status;
}

static void memory_that_is_short_is_said(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(parse_all, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_forms_parse_to_themselves),
        cmocka_unit_test(bad_rules_are_told_by_line_and_column),
        cmocka_unit_test(a_caret_points_at_what_is_wrong),
        cmocka_unit_test(names_of_the_language_are_no_labelings),
        cmocka_unit_test(what_a_rule_is_about_is_known),
        cmocka_unit_test(rules_that_are_too_large_are_refused),
        cmocka_unit_test(arithmetic_rounds_down_and_never_wraps),
        cmocka_unit_test(memory_that_is_short_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
