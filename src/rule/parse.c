/* parse.c - from text to a checked rule; name.c parses what begins with a word.
 *
 *   rule       = "share" expression { "," expression } [ "when" expression ]
 *   expression = both { "or" both }
 *   both       = negation { "and" negation }
 *   negation   = "not" negation | comparison
 *   comparison = sum [ ( "=" | "!=" | "<" | "<=" | ">" | ">=" ) sum | "in" choice ]
 *   choice     = sum ".." sum | "{" sum { "," sum } "}"
 *   sum        = product { ( "+" | "-" ) product }
 *   product    = sign { ( "*" | "/" | "%" ) sign }
 *   sign       = "-" sign | number | name ... | "(" expression ")"
 *
 * Types are checked while terms are made: a number, a condition (true or false), or a node. */
#include "base/alloc.h"
#include "base/error.h"
#include "parser.h"
#include "text/suggest.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 64, LONGEST_TEXT = 65536, SHOWN = 40 };

rg_rule_place rg_rule_locate(const char *text, size_t at, size_t end)
{
    rg_rule_place place = {1, 1, 0};
    for (size_t k = 0; k < end && text[k]; k++) {
        bool whole = ((unsigned char)text[k] & 0xC0) != 0x80;
        if (k >= at) {
            if (text[k] == '\n')
                break;
            place.n += whole;
        } else if (text[k] == '\n') {
            place.line++;
            place.column = 1;
        } else {
            place.column += whole;
        }
    }
    if (place.n == 0)
        place.n = 1;
    return place;
}

/* "line 1, column 7: found WHAT": a piece of the text, no longer than a message can bear. */
static rg_status fail_found(const char *text, size_t at, size_t end, const char *is,
                            const char *what, rg_error *err)
{
    rg_rule_place place = rg_rule_locate(text, at, end);
    size_t n = end - at;
    bool cut = n > SHOWN;
    if (cut)
        for (n = SHOWN; n > SHOWN - 4 && ((unsigned char)text[at + n] & 0xC0) == 0x80; n--)
            continue;
    if (!text[at])
        return rg_fail(err, RG_EUSAGE, "rule: line %zu, column %zu: found the end, expected %s",
                       place.line, place.column, what);
    return rg_fail(err, RG_EUSAGE, "rule: line %zu, column %zu: found '%.*s%s'%s, expected %s",
                   place.line, place.column, (int)n, text + at, cut ? "..." : "", is, what);
}

rg_status rg_rule_complain(const rg_rule *rule, int term, const char *what, rg_error *err)
{
    const rg_term *t = &rule->terms[term];
    return fail_found(rule->source, t->at, t->end, "", what, err);
}

rg_status rg_parser_complain_at(const rg_parser *p, size_t at, size_t end, const char *what)
{
    if (p->place)
        *p->place = rg_rule_locate(p->rule->source, at, end);
    return fail_found(p->rule->source, at, end, "", what, p->err);
}

rg_status rg_parser_complain(const rg_parser *p, const char *what)
{
    const rg_token *t = &p->token;
    return rg_parser_complain_at(p, t->at, t->at + t->n, t->hint ? t->hint : what);
}

rg_status rg_parser_complain_near(const rg_parser *p, const char *what, const char *const *words,
                                  size_t n)
{
    char word[64], whole[900];
    if (p->token.kind != RG_TOKEN_WORD || p->token.n >= sizeof word)
        return rg_parser_complain(p, what);
    memcpy(word, p->rule->source + p->token.at, p->token.n);
    word[p->token.n] = '\0';
    const char *near = rg_suggest(word, words, n);
    if (!near)
        return rg_parser_complain(p, what);
    snprintf(whole, sizeof whole, "%s (did you mean '%s'?)", what, near);
    return rg_parser_complain(p, whole);
}

rg_status rg_parser_complain_type(const rg_parser *p, int term, const char *what)
{
    static const char *const is[] = {", a number", ", a condition", ", a node"};
    const rg_term *t = &p->rule->terms[term];
    if (p->place)
        *p->place = rg_rule_locate(p->rule->source, t->at, t->end);
    return fail_found(p->rule->source, t->at, t->end, is[t->type], what, p->err);
}

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

static rg_status need(const rg_parser *p, int term, rg_type type)
{
    if (type_of(p, term) == type)
        return RG_OK;
    if (type == RG_TYPE_CONDITION && p->token.hint) /* "wl(i) == 1": what follows is to blame */
        return rg_parser_complain(p, "");
    return rg_parser_complain_type(
        p, term,
        type == RG_TYPE_NUMBER ? "a number" : "a condition, such as dist(i,j) <= 2 or edge(i,j)");
}

/* *left = *left op right, from where the left begins to here. */
static rg_status join(rg_parser *p, rg_op op, rg_type type, int *left, int right)
{
    rg_term term = {.op = op, .type = type, .a = *left, .b = right, .c = RG_NO_TERM};
    term.at = p->rule->terms[*left].at;
    term.end = p->end;
    return rg_parser_add(p, &term, left);
}

/* The operator among `ops` that stands here, stepped over; -1: none. */
static int take_operator(rg_parser *p, rg_op first, rg_op last)
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
    if (p->token.kind == RG_TOKEN_NUMBER) {
        rg_term term = {.op = RG_OP_NUMBER,
                        .a = RG_NO_TERM,
                        .b = RG_NO_TERM,
                        .c = RG_NO_TERM,
                        .value = p->token.value,
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
            status = need(p, *out, RG_TYPE_NUMBER);
        if (!status)
            status = join(p, RG_OP_NEGATE, RG_TYPE_NUMBER, out, RG_NO_TERM);
        if (!status)
            p->rule->terms[*out].at = at;
    } else if (rg_parser_take(p, "(")) {
        status = rg_parse_expression(p, out);
        if (!status)
            status = rg_parser_expect(p, ")", "");
    } else if (p->token.kind == RG_TOKEN_WORD) {
        status = rg_parse_word(p, out);
    } else {
        status = rg_parser_complain(p, "a number, a name or '('");
    }
    p->depth--;
    return status;
}

static rg_status parse_product(rg_parser *p, int *out)
{
    rg_status status = parse_sign(p, out);
    int op, right;
    while (!status && (op = take_operator(p, RG_OP_MULTIPLY, RG_OP_MODULO)) >= 0) {
        status = need(p, *out, RG_TYPE_NUMBER);
        if (!status)
            status = parse_sign(p, &right);
        if (!status)
            status = need(p, right, RG_TYPE_NUMBER);
        if (!status)
            status = join(p, (rg_op)op, RG_TYPE_NUMBER, out, right);
    }
    return status;
}

rg_status rg_parse_sum(rg_parser *p, int *out)
{
    rg_status status = parse_product(p, out);
    int op, right;
    while (!status && (op = take_operator(p, RG_OP_ADD, RG_OP_SUBTRACT)) >= 0) {
        status = need(p, *out, RG_TYPE_NUMBER);
        if (!status)
            status = parse_product(p, &right);
        if (!status)
            status = need(p, right, RG_TYPE_NUMBER);
        if (!status)
            status = join(p, (rg_op)op, RG_TYPE_NUMBER, out, right);
    }
    return status;
}

static rg_status parse_number(rg_parser *p, int *out)
{
    rg_status status = rg_parse_sum(p, out);
    return status ? status : need(p, *out, RG_TYPE_NUMBER);
}

/* a in b..c */
static rg_status parse_range(rg_parser *p, int *out)
{
    int low, high;
    rg_status status = parse_number(p, &low);
    if (!status)
        status = rg_parser_expect(p, "..", ", as in 1..3");
    if (!status)
        status = parse_number(p, &high);
    if (!status)
        status = join(p, RG_OP_IN_RANGE, RG_TYPE_CONDITION, out, low);
    if (!status)
        p->rule->terms[*out].c = high;
    return status;
}

/* a in { ... }: items are linked in their order. */
static rg_status parse_set(rg_parser *p, int *out)
{
    int first = RG_NO_TERM, last = RG_NO_TERM, item;
    rg_status status;
    do {
        status = parse_number(p, &item);
        if (!status)
            status = join(p, RG_OP_ITEM, RG_TYPE_NUMBER, &item, RG_NO_TERM);
        if (status)
            return status;
        if (last == RG_NO_TERM)
            first = item;
        else
            p->rule->terms[last].b = item;
        last = item;
    } while (rg_parser_take(p, ","));
    status = rg_parser_expect(p, "}", " or ','");
    return status ? status : join(p, RG_OP_IN_SET, RG_TYPE_CONDITION, out, first);
}

/* Both sides alike; only numbers have an order. */
static rg_status check_sides(const rg_parser *p, rg_op op, int left, int right)
{
    static const char *const same[] = {"a number", "a condition", "a node"};
    bool order = op != RG_OP_EQUAL && op != RG_OP_UNEQUAL;
    if (order && type_of(p, left) != RG_TYPE_NUMBER)
        return rg_parser_complain_type(p, left, "a number: only '=' and '!=' compare others");
    if (type_of(p, left) != type_of(p, right))
        return rg_parser_complain_type(p, right, same[type_of(p, left)]);
    return RG_OK;
}

static rg_status parse_comparison(rg_parser *p, int *out)
{
    rg_status status = rg_parse_sum(p, out);
    int op, right;
    if (status)
        return status;
    if (rg_parser_take(p, "in")) {
        status = need(p, *out, RG_TYPE_NUMBER);
        if (!status)
            status = rg_parser_take(p, "{") ? parse_set(p, out) : parse_range(p, out);
    } else if ((op = take_operator(p, RG_OP_EQUAL, RG_OP_AT_LEAST)) >= 0) {
        status = rg_parse_sum(p, &right);
        if (!status)
            status = check_sides(p, (rg_op)op, *out, right);
        if (!status)
            status = join(p, (rg_op)op, RG_TYPE_CONDITION, out, right);
    } else {
        return RG_OK;
    }
    rg_token here = p->token;
    if (!status &&
        (rg_parser_stands(p, "in") || take_operator(p, RG_OP_EQUAL, RG_OP_AT_LEAST) >= 0))
        status =
            rg_parser_complain_at(p, here.at, here.at + here.n, "'and': comparisons do not chain");
    return status;
}

static rg_status parse_negation(rg_parser *p, int *out)
{
    size_t at = p->token.at;
    if (!rg_parser_take(p, "not"))
        return parse_comparison(p, out);
    if (++p->depth > DEEPEST)
        return rg_parser_complain(p, "at most 64 signs and brackets inside each other");
    rg_status status = parse_negation(p, out);
    if (!status)
        status = need(p, *out, RG_TYPE_CONDITION);
    if (!status)
        status = join(p, RG_OP_NOT, RG_TYPE_CONDITION, out, RG_NO_TERM);
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
        status = need(p, *out, RG_TYPE_CONDITION);
        if (!status)
            status =
                op == RG_OP_OR ? parse_junction(p, RG_OP_AND, &right) : parse_negation(p, &right);
        if (!status)
            status = need(p, right, RG_TYPE_CONDITION);
        if (!status)
            status = join(p, op, RG_TYPE_CONDITION, out, right);
    }
    return status;
}

rg_status rg_parse_expression(rg_parser *p, int *out)
{
    return parse_junction(p, RG_OP_OR, out);
}

static rg_status parse_rule(rg_parser *p)
{
    static const char *const words[] = {"share", "when", "and", "or", "in"};
    rg_rule *rule = p->rule;
    rg_status status = RG_OK;
    if (!rg_parser_stands(p, "share"))
        return rg_parser_complain_near(p, "'share'", words, 1);
    do {
        rg_parser_step(p);
        if (rule->info.n_keys == RG_RULE_KEYS_MAX)
            return rg_parser_complain(p, "at most 16 keys");
        status = rg_parse_expression(p, &rule->keys[rule->info.n_keys]);
        rule->info.n_keys++;
    } while (!status && rg_parser_stands(p, ","));
    if (!status && rg_parser_take(p, "when")) {
        status = rg_parse_expression(p, &rule->condition);
        if (!status)
            status = need(p, rule->condition, RG_TYPE_CONDITION);
        if (!status && p->token.kind != RG_TOKEN_END)
            status = rg_parser_complain_near(p, "'and', 'or' or the end", words + 2, 3);
    } else if (!status && p->token.kind != RG_TOKEN_END) {
        status = rg_parser_complain_near(p, "',', 'when' or the end", words + 1, 4);
    }
    return status;
}

/* The texts that others read. */
static rg_status write_texts(rg_rule *rule, rg_error *err)
{
    rg_text text = {0};
    rg_rule_print(&text, rule);
    rule->text = rg_text_take(&text);
    bool good = rule->text != NULL;
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
    rule->info.is_static = !rule->info.on_graphs;
    if (status) {
        rg_rule_free(rule);
        return status;
    }
    *out = rule;
    return RG_OK;
}
