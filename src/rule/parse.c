/* parse.c - from text to a checked rule; name.c parses what begins with a word.
 *
 *   rule       = [ "let" name "=" expression { "," name "=" expression } ]
 *                "share" expression { "," expression } [ "when" expression ]
 *   expression = "if" expression "then" expression "else" expression | both { "or" both }
 *   both       = negation { "and" negation }
 *   negation   = "not" negation | comparison
 *   comparison = sum [ ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) sum | "in" choice ]
 *                (a < b <= c stands for a < b and b <= c)
 *   choice     = sum ".." sum | "{" sum { "," sum } "}"
 *   sum        = product { ( "+" | "-" ) product }
 *   product    = sign { ( "*" | "/" | "//" | "%" | "mod" ) sign }
 *   sign       = "-" sign | number | text | name ... | "(" expression ")"
 *
 * Types are checked while terms are made: a number, a real number, a condition (true or false), or a node. What is
 * short for something longer is written out here: "let", chains of comparisons, "//" and "mod". */
#include "base/alloc.h"
#include "base/error.h"
#include "parser.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64, LONGEST_TEXT = 65536 };

bool rg_parser_stands(const rg_parser *p, const char *text)
{
    size_t n = strlen(text);
    return (p->token.kind == RG_TOKEN_WORD || p->token.kind == RG_TOKEN_SIGN) && p->token.n == n &&
           memcmp(p->rule->source + p->token.at, text, n) == 0;
}

void rg_parser_step(rg_parser *p)
{
    p->end = p->token.at + p->token.n;
    p->token = rg_lexer_next(p->rule->source, p->end);
}

bool rg_parser_take(rg_parser *p, const char *text)
{
    if (!rg_parser_stands(p, text))
        return false;
    rg_parser_step(p);
    return true;
}

rg_status rg_parser_expect(rg_parser *p, const char *text, const char *as)
{
    char what[120];
    if (rg_parser_take(p, text))
        return RG_OK;
    snprintf(what, sizeof what, "'%s'%s", text, as);
    return rg_parser_complain(p, what);
}

rg_status rg_parser_add(rg_parser *p, const rg_term *term, int *out)
{
    rg_rule *rule = p->rule;
    if (rule->n_terms == RG_RULE_TERMS)
        return rg_parser_complain(p, "a shorter rule: 1024 terms are the most");
    if (!rg_grow(&rule->terms, &rule->term_capacity, rule->n_terms + 1, sizeof *rule->terms))
        return rg_fail_memory(p->err, "a rule");
    rule->terms[rule->n_terms] = *term;
    *out = (int)rule->n_terms++;
    return RG_OK;
}

static rg_type type_of(const rg_parser *p, int term)
{
    return p->rule->terms[term].type;
}

bool rg_parser_make_number(rg_parser *p, int term)
{
    rg_term *t = &p->rule->terms[term];
    if (t->op != RG_OP_VARIABLE || t->type != RG_TYPE_NODE || p->rule->info.on_graphs)
        return t->type == RG_TYPE_NUMBER;
    t->op = RG_OP_PLACE;
    t->type = RG_TYPE_NUMBER;
    p->rule->info.on_shapes = 1;
    return true;
}

rg_status rg_parser_need(rg_parser *p, int term, rg_type type)
{
    if (type_of(p, term) == type || (type == RG_TYPE_NUMBER && rg_parser_make_number(p, term)))
        return RG_OK;
    if (type == RG_TYPE_CONDITION && p->token.hint) /* "wl(i) == 1": what follows is to blame */
        return rg_parser_complain(p, "");
    bool node = type_of(p, term) == RG_TYPE_NODE;
    return rg_parser_complain_type(p, term,
                                   type != RG_TYPE_NUMBER
                                       ? "a condition, such as dist(i,j) <= 2 or edge(i,j)"
                                   : node ? "a number: nodes of a graph have no order"
                                          : "a number");
}

rg_status rg_parser_need_any(rg_parser *p, int term)
{
    return type_of(p, term) == RG_TYPE_REAL ? RG_OK : rg_parser_need(p, term, RG_TYPE_NUMBER);
}

rg_status rg_parser_join_numbers(rg_parser *p, rg_op op, int *left, int right)
{
    bool real = type_of(p, *left) == RG_TYPE_REAL || type_of(p, right) == RG_TYPE_REAL;
    if (real && op == RG_OP_MODULO)
        return rg_parser_complain_type(p, type_of(p, right) == RG_TYPE_REAL ? right : *left,
                                       "a whole number: only these have a remainder");
    return rg_parser_join(p, op, real ? RG_TYPE_REAL : RG_TYPE_NUMBER, left, right);
}

rg_status rg_parser_join(rg_parser *p, rg_op op, rg_type type, int *left, int right)
{
    rg_term term = {.op = op, .type = type, .a = *left, .b = right, .c = RG_NO_TERM};
    term.at = p->rule->terms[*left].at;
    term.end = p->end;
    return rg_parser_add(p, &term, left);
}

int rg_parser_take_operator(rg_parser *p, rg_op first, rg_op last)
{
    for (int op = (int)first; op <= (int)last; op++)
        if (rg_parser_take(p, rg_op_text((rg_op)op)))
            return op;
    return -1;
}

static rg_status parse_sign(rg_parser *p, int *out)
{
    size_t at = p->token.at;
    rg_status status;
    if (p->token.kind == RG_TOKEN_NUMBER || p->token.kind == RG_TOKEN_REAL) {
        bool real = p->token.kind == RG_TOKEN_REAL;
        rg_term term = {.op = real ? RG_OP_REAL : RG_OP_NUMBER,
                        .type = real ? RG_TYPE_REAL : RG_TYPE_NUMBER,
                        .a = RG_NO_TERM,
                        .b = RG_NO_TERM,
                        .c = RG_NO_TERM,
                        .value = real ? rg_rule_literal_bits(p->token.real) : p->token.value,
                        .at = at};
        rg_parser_step(p);
        term.end = p->end;
        return rg_parser_add(p, &term, out);
    }
    if (++p->depth > DEEPEST)
        return rg_parser_complain(p, "at most 64 signs and brackets inside each other");
    if (rg_parser_take(p, "-")) {
        status = parse_sign(p, out);
        if (!status)
            status = rg_parser_need_any(p, *out);
        if (!status)
            status = rg_parser_join(p, RG_OP_NEGATE, type_of(p, *out), out, RG_NO_TERM);
        if (!status)
            p->rule->terms[*out].at = at;
    } else if (rg_parser_take(p, "(")) {
        status = rg_parse_expression(p, out);
        if (!status)
            status = rg_parser_expect(p, ")", "");
    } else if (p->token.kind == RG_TOKEN_WORD) {
        status = rg_parse_word(p, out);
    } else if (p->token.kind == RG_TOKEN_TEXT) {
        status = rg_parse_text(p, out);
    } else {
        status = rg_parser_complain(p, "a number, a name or '('");
    }
    p->depth--;
    return status;
}

/* "//" and "mod" are other words for "/" and "%". */
static int take_factor(rg_parser *p)
{
    if (rg_parser_take(p, "//"))
        return RG_OP_DIVIDE;
    if (rg_parser_take(p, "mod"))
        return RG_OP_MODULO;
    return rg_parser_take_operator(p, RG_OP_MULTIPLY, RG_OP_MODULO);
}

static rg_status parse_product(rg_parser *p, int *out)
{
    rg_status status = parse_sign(p, out);
    int op, right;
    while (!status && (op = take_factor(p)) >= 0) {
        status = rg_parser_need_any(p, *out);
        if (!status)
            status = parse_sign(p, &right);
        if (!status)
            status = rg_parser_need_any(p, right);
        if (!status)
            status = rg_parser_join_numbers(p, (rg_op)op, out, right);
    }
    return status;
}

rg_status rg_parse_sum(rg_parser *p, int *out)
{
    rg_status status = parse_product(p, out);
    int op, right;
    while (!status && (op = rg_parser_take_operator(p, RG_OP_ADD, RG_OP_SUBTRACT)) >= 0) {
        bool bare = op == RG_OP_SUBTRACT && type_of(p, *out) == RG_TYPE_NODE;
        if (!bare) /* j may be followed by i */
            status = rg_parser_need_any(p, *out);
        if (!status)
            status = parse_product(p, &right);
        if (!status && op == RG_OP_SUBTRACT && rg_parser_is_offset(p, *out, right)) {
            status = rg_parse_offset(p, out, right);
            continue;
        }
        if (!status && bare)
            status = rg_parser_need(p, *out, RG_TYPE_NUMBER);
        if (!status)
            status = rg_parser_need_any(p, right);
        if (!status)
            status = rg_parser_join_numbers(p, (rg_op)op, out, right);
    }
    return status;
}

static rg_status parse_negation(rg_parser *p, int *out)
{
    size_t at = p->token.at;
    if (!rg_parser_take(p, "not"))
        return rg_parse_comparison(p, out);
    if (++p->depth > DEEPEST)
        return rg_parser_complain(p, "at most 64 signs and brackets inside each other");
    rg_status status = parse_negation(p, out);
    if (!status)
        status = rg_parser_need(p, *out, RG_TYPE_CONDITION);
    if (!status)
        status = rg_parser_join(p, RG_OP_NOT, RG_TYPE_CONDITION, out, RG_NO_TERM);
    if (!status)
        p->rule->terms[*out].at = at;
    p->depth--;
    return status;
}

/* Operands of and, or: the next level below. */
static rg_status parse_junction(rg_parser *p, rg_op op, int *out)
{
    int right;
    rg_status status = op == RG_OP_OR ? parse_junction(p, RG_OP_AND, out) : parse_negation(p, out);
    while (!status && rg_parser_take(p, rg_op_text(op))) {
        status = rg_parser_need(p, *out, RG_TYPE_CONDITION);
        if (!status)
            status =
                op == RG_OP_OR ? parse_junction(p, RG_OP_AND, &right) : parse_negation(p, &right);
        if (!status)
            status = rg_parser_need(p, right, RG_TYPE_CONDITION);
        if (!status)
            status = rg_parser_join(p, op, RG_TYPE_CONDITION, out, right);
    }
    return status;
}

/* Both branches are numbers or both conditions. */
static rg_status parse_cases(rg_parser *p, int *out)
{
    static const char as[] = ", as in if a then b else c";
    size_t at = p->token.at;
    int yes, no;
    rg_type type = RG_TYPE_CONDITION;
    if (++p->depth > DEEPEST)
        return rg_parser_complain(p, "at most 64 cases, signs and brackets inside each other");
    rg_parser_step(p);
    rg_status status = rg_parse_expression(p, out);
    if (!status)
        status = rg_parser_need(p, *out, RG_TYPE_CONDITION);
    if (!status)
        status = rg_parser_expect(p, "then", as);
    if (!status)
        status = rg_parse_expression(p, &yes);
    if (!status && type_of(p, yes) != RG_TYPE_CONDITION)
        status = rg_parser_need_any(p, yes);
    if (!status)
        status = rg_parser_expect(p, "else", as);
    if (!status)
        status = rg_parse_expression(p, &no);
    if (!status)
        status = type_of(p, yes) == RG_TYPE_CONDITION ? rg_parser_need(p, no, RG_TYPE_CONDITION)
                                                      : rg_parser_need_any(p, no);
    if (!status)
        type = type_of(p, no) == RG_TYPE_REAL ? RG_TYPE_REAL : type_of(p, yes);
    if (!status)
        status = rg_parser_join(p, RG_OP_IF, type, out, yes);
    if (!status) {
        p->rule->terms[*out].c = no;
        p->rule->terms[*out].at = at;
    }
    p->depth--;
    return status;
}

rg_status rg_parse_expression(rg_parser *p, int *out)
{
    if (rg_parser_stands(p, "if") && !rg_parser_is_labeling(p))
        return parse_cases(p, out);
    return parse_junction(p, RG_OP_OR, out);
}

static rg_status parse_rule(rg_parser *p)
{
    static const char *const words[] = {"share", "when", "and", "or", "in"};
    rg_rule *rule = p->rule;
    rg_status status = rg_parse_definitions(p);
    if (status)
        return status;
    if (!rg_parser_stands(p, "share"))
        return rg_parser_complain_near(p, "'share'", words, 1);
    do {
        rg_parser_step(p);
        if (rule->info.n_keys == RG_RULE_KEYS_MAX)
            return rg_parser_complain(p, "at most 16 keys");
        int *key = &rule->keys[rule->info.n_keys];
        status = rg_parse_expression(p, key);
        if (!status && type_of(p, *key) == RG_TYPE_REAL)
            status = rg_parser_complain_type(
                p, *key, "a key: compare the number, value(j) > 0.5, or bin it, bin(value(j), 8)");
        rule->info.n_keys++;
    } while (!status && rg_parser_stands(p, ","));
    if (!status && rg_parser_take(p, "when")) {
        status = rg_parse_expression(p, &rule->condition);
        if (!status)
            status = rg_parser_need(p, rule->condition, RG_TYPE_CONDITION);
        if (!status && p->token.kind != RG_TOKEN_END)
            status = rg_parser_complain_near(p, "'and', 'or' or the end", words + 2, 3);
    } else if (!status && p->token.kind != RG_TOKEN_END) {
        status = rg_parser_complain_near(p, "',', 'when' or the end", words + 1, 4);
    }
    if (!status)
        status = rg_parse_settle_offsets(p);
    return status ? status : rg_parse_check_used(p);
}

/* The texts that others read. */
static rg_status write_texts(rg_rule *rule, rg_error *err)
{
    rg_text text = {0};
    rg_rule_print(&text, rule);
    rule->text = rg_text_take(&text);
    bool good = rule->text != NULL;
    if (good && strlen(rule->text) > LONGEST_TEXT)
        return rg_fail(err, RG_EUSAGE,
                       "rule: found %zu letters once definitions and chains are written out, "
                       "expected at most %d",
                       strlen(rule->text), LONGEST_TEXT);
    for (size_t k = 0; good && k < rule->info.n_keys; k++) {
        rg_rule_print_term(&text, rule, rule->keys[k]);
        rule->key_text[k] = rg_text_take(&text);
        good = rule->key_text[k] != NULL;
    }
    return good ? RG_OK : rg_fail_memory(err, "a rule");
}

rg_status rg_rule_parse(rg_rule **out, const char *text, rg_rule_kind kind,
                        const rg_rule_labeling *known, size_t n_known, rg_rule_place *place,
                        rg_error *err)
{
    size_t n = strlen(text);
    if (place)
        *place = (rg_rule_place){1, 1, 0};
    if ((unsigned)kind >= RG_N_RULE_KINDS)
        return rg_fail(err, RG_EUSAGE, "found kind of rule %u, expected one below %u",
                       (unsigned)kind, (unsigned)RG_N_RULE_KINDS);
    if (n > LONGEST_TEXT)
        return rg_fail(err, RG_EUSAGE, "rule: found %zu letters, expected at most %d", n,
                       LONGEST_TEXT);
    rg_rule *rule = rg_alloc_zero(1, sizeof *rule);
    if (!rule)
        return rg_fail_memory(err, "a rule");
    rule->info.kind = kind;
    rule->condition = RG_NO_TERM;
    rule->source = rg_copy_text(text, n);
    rg_parser p = {.rule = rule, .known = known, .n_known = n_known, .place = place, .err = err};
    rg_status status = rule->source ? RG_OK : rg_fail_memory(err, "a rule");
    if (!status)
        status = rg_parse_check_names(&p);
    if (!status) {
        p.token = rg_lexer_next(rule->source, 0);
        status = parse_rule(&p);
    }
    if (!status)
        status = write_texts(rule, err);
    rule->info.is_static = !rule->info.on_graphs && !rule->info.on_values;
    if (status) {
        rg_rule_free(rule);
        return status;
    }
    *out = rule;
    return RG_OK;
}
