/* comparison.c - numbers that are compared: with signs, in chains, in ranges and in sets. */
#include "parser.h"

static rg_type type_of(const rg_parser *p, int term)
{
    return p->rule->terms[term].type;
}

static rg_status parse_number(rg_parser *p, int *out)
{
    rg_status status = rg_parse_sum(p, out);
    return status ? status : rg_parser_need_any(p, *out);
}

static bool is_real(const rg_parser *p, int term)
{
    return type_of(p, term) == RG_TYPE_REAL;
}

/* a in b..c */
static rg_status parse_range(rg_parser *p, int *out)
{
    int low, high;
    bool real = is_real(p, *out);
    rg_status status = parse_number(p, &low);
    if (!status)
        status = rg_parser_expect(p, "..", ", as in 1..3");
    if (!status)
        status = parse_number(p, &high);
    if (!status)
        status = rg_parser_join(p, RG_OP_IN_RANGE, RG_TYPE_CONDITION, out, low);
    if (!status) {
        p->rule->terms[*out].c = high;
        p->rule->terms[*out].index = real || is_real(p, low) || is_real(p, high);
    }
    return status;
}

/* a in { ... }: items are linked in their order. */
static rg_status parse_set(rg_parser *p, int *out)
{
    int first = RG_NO_TERM, last = RG_NO_TERM, item;
    bool real = is_real(p, *out);
    rg_status status;
    do {
        status = parse_number(p, &item);
        real = real || (!status && is_real(p, item));
        if (!status)
            status = rg_parser_join(p, RG_OP_ITEM, RG_TYPE_NUMBER, &item, RG_NO_TERM);
        if (status)
            return status;
        if (last == RG_NO_TERM)
            first = item;
        else
            p->rule->terms[last].b = item;
        last = item;
    } while (rg_parser_take(p, ","));
    status = rg_parser_expect(p, "}", " or ','");
    if (!status)
        status = rg_parser_join(p, RG_OP_IN_SET, RG_TYPE_CONDITION, out, first);
    if (!status)
        p->rule->terms[*out].index = real;
    return status;
}

static bool is_number(const rg_parser *p, int term)
{
    return type_of(p, term) == RG_TYPE_NUMBER || is_real(p, term);
}

/* Both sides alike; only numbers have an order, and real ones are compared with whole ones. */
static rg_status check_sides(rg_parser *p, rg_op op, int left, int right)
{
    static const char *const same[] = {"a number", "a condition", "a node", "a number"};
    bool order = op != RG_OP_EQUAL && op != RG_OP_UNEQUAL;
    if (order && !is_number(p, left) && !rg_parser_make_number(p, left))
        return rg_parser_complain_type(p, left, "a number: only '=' and '!=' compare others");
    if (type_of(p, left) == RG_TYPE_NODE && is_number(p, right))
        rg_parser_make_number(p, left);
    if (is_number(p, left))
        rg_parser_make_number(p, right);
    if (type_of(p, left) != type_of(p, right) && !(is_number(p, left) && is_number(p, right)))
        return rg_parser_complain_type(p, right, same[type_of(p, left)]);
    return RG_OK;
}

static rg_status join_sides(rg_parser *p, rg_op op, int *left, int right)
{
    rg_status status = check_sides(p, op, *left, right);
    bool real = is_real(p, *left) || is_real(p, right);
    if (!status)
        status = rg_parser_join(p, op, RG_TYPE_CONDITION, left, right);
    if (!status)
        p->rule->terms[*left].index = real;
    return status;
}

static bool is_order(int op)
{
    return op >= RG_OP_LESS && op <= RG_OP_AT_LEAST;
}

/* The sign that goes on with a < b: one that points the same way; -1: none does. */
static int take_link(rg_parser *p, int op)
{
    bool down = op == RG_OP_MORE || op == RG_OP_AT_LEAST;
    return rg_parser_take_operator(p, down ? RG_OP_MORE : RG_OP_LESS,
                                   down ? RG_OP_AT_LEAST : RG_OP_AT_MOST);
}

/* a < b is parsed, and b is `right`: "< c" makes it a < b and b < c. */
static rg_status parse_chain(rg_parser *p, int op, int right, int *out)
{
    rg_status status = RG_OK;
    while (!status && is_order(op) && (op = take_link(p, op)) >= 0) {
        int left, last = 0;
        const rg_term t = p->rule->terms[right];
        status = rg_parser_copy(p, right, t.at, t.end, &left);
        if (!status)
            status = rg_parse_sum(p, &last);
        if (!status)
            status = join_sides(p, (rg_op)op, &left, last);
        if (!status)
            status = rg_parser_join(p, RG_OP_AND, RG_TYPE_CONDITION, out, left);
        right = last;
    }
    return status;
}

rg_status rg_parse_comparison(rg_parser *p, int *out)
{
    rg_status status = rg_parse_sum(p, out);
    int op, right;
    if (status)
        return status;
    if (rg_parser_take(p, "in")) {
        status = rg_parser_need_any(p, *out);
        if (!status)
            status = rg_parser_take(p, "{") ? parse_set(p, out) : parse_range(p, out);
    } else if ((op = rg_parser_take_operator(p, RG_OP_EQUAL, RG_OP_AT_LEAST)) >= 0) {
        status = rg_parse_sum(p, &right);
        if (!status)
            status = join_sides(p, (rg_op)op, out, right);
        if (!status)
            status = parse_chain(p, op, right, out);
    } else {
        return RG_OK;
    }
    rg_token here = p->token;
    if (!status &&
        (rg_parser_stands(p, "in") || rg_parser_take_operator(p, RG_OP_EQUAL, RG_OP_AT_LEAST) >= 0))
        status = rg_parser_complain_at(p, here.at, here.at + here.n,
                                       "'and': only a < b <= c and a > b >= c are chains");
    return status;
}
