/* value.c - arithmetic on values that may be missing, constants, and equal terms. */
#include "rule.h"

#include <math.h>
#include <string.h>

static int64_t divide(int64_t a, int64_t b, bool remainder)
{
    if (b == 0)
        return RG_NO_VALUE;
    if (b == -1) /* the one quotient that C cannot take does not occur: it is "no value" */
        return remainder ? 0 : -a;
    int64_t quotient = a / b, rest = a % b;
    bool down = rest != 0 && (rest < 0) != (b < 0);
    return remainder ? (down ? rest + b : rest) : quotient - down;
}

int64_t rg_rule_arithmetic(rg_op op, int64_t a, int64_t b)
{
    int64_t result = RG_NO_VALUE;
    if (a == RG_NO_VALUE || b == RG_NO_VALUE)
        return RG_NO_VALUE;
    switch (op) {
    case RG_OP_NEGATE:
        return -a;
    case RG_OP_ABS:
        return a < 0 ? -a : a;
    case RG_OP_MIN:
        return a < b ? a : b;
    case RG_OP_MAX:
        return a > b ? a : b;
    case RG_OP_ADD:
        return __builtin_add_overflow(a, b, &result) ? RG_NO_VALUE : result;
    case RG_OP_SUBTRACT:
        return __builtin_sub_overflow(a, b, &result) ? RG_NO_VALUE : result;
    case RG_OP_MULTIPLY:
        return __builtin_mul_overflow(a, b, &result) ? RG_NO_VALUE : result;
    case RG_OP_DIVIDE:
        return divide(a, b, false);
    case RG_OP_MODULO:
        return divide(a, b, true);
    default:
        return RG_NO_VALUE;
    }
}

bool rg_rule_compare(rg_op op, int64_t a, int64_t b)
{
    if (a == RG_NO_VALUE || b == RG_NO_VALUE)
        return false;
    switch (op) {
    case RG_OP_EQUAL:
        return a == b;
    case RG_OP_UNEQUAL:
        return a != b;
    case RG_OP_LESS:
        return a < b;
    case RG_OP_AT_MOST:
        return a <= b;
    case RG_OP_MORE:
        return a > b;
    case RG_OP_AT_LEAST:
        return a >= b;
    default:
        return false;
    }
}

double rg_rule_real(int64_t value)
{
    return value == RG_NO_VALUE ? NAN : (double)value;
}

double rg_rule_literal(const rg_term *term)
{
    double value;
    memcpy(&value, &term->value, sizeof value);
    return value;
}

int64_t rg_rule_literal_bits(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

double rg_rule_real_arithmetic(rg_op op, double a, double b)
{
    double result = NAN;
    if (isnan(a) || isnan(b))
        return NAN;
    switch (op) {
    case RG_OP_NEGATE:
        return -a;
    case RG_OP_ABS:
        return fabs(a);
    case RG_OP_MIN:
        return a < b ? a : b;
    case RG_OP_MAX:
        return a > b ? a : b;
    case RG_OP_ADD:
        result = a + b;
        break;
    case RG_OP_SUBTRACT:
        result = a - b;
        break;
    case RG_OP_MULTIPLY:
        result = a * b;
        break;
    case RG_OP_DIVIDE:
        result = b == 0 ? NAN : a / b;
        break;
    default:
        break;
    }
    return isfinite(result) ? result : NAN;
}

bool rg_rule_real_compare(rg_op op, double a, double b)
{
    switch (op) { /* NaN is false everywhere but in '!=' */
    case RG_OP_EQUAL:
        return a == b;
    case RG_OP_UNEQUAL:
        return a < b || a > b;
    case RG_OP_LESS:
        return a < b;
    case RG_OP_AT_MOST:
        return a <= b;
    case RG_OP_MORE:
        return a > b;
    case RG_OP_AT_LEAST:
        return a >= b;
    default:
        return false;
    }
}

bool rg_rule_constant(const rg_rule *rule, int term, int64_t *value)
{
    const rg_term *t = &rule->terms[term];
    int64_t a = 0, b = 0;
    if (t->op == RG_OP_NUMBER) {
        *value = t->value;
        return true;
    }
    if (t->op < RG_OP_NEGATE || t->op > RG_OP_MODULO || !rg_rule_constant(rule, t->a, &a) ||
        (t->b != RG_NO_TERM && !rg_rule_constant(rule, t->b, &b)))
        return false;
    *value = rg_rule_arithmetic(t->op, a, b);
    return true;
}

bool rg_rule_same(const rg_rule *rule, int a, int b)
{
    if (a == b)
        return true;
    if (a == RG_NO_TERM || b == RG_NO_TERM)
        return false;
    const rg_term *x = &rule->terms[a], *y = &rule->terms[b];
    return x->op == y->op && x->variable == y->variable && x->value == y->value &&
           x->index == y->index && rg_rule_same(rule, x->a, y->a) &&
           rg_rule_same(rule, x->b, y->b) && rg_rule_same(rule, x->c, y->c);
}

size_t rg_rule_output_key(const rg_rule *rule)
{
    size_t key = SIZE_MAX;
    for (size_t t = 0; t < rule->n_terms; t++) {
        bool names = rule->terms[t].op == RG_OP_VARIABLE && rule->terms[t].variable == RG_VAR_OUT;
        size_t k = 0;
        while (names && k < rule->info.n_keys && rule->keys[k] != (int)t)
            k++;
        if (names && (key != SIZE_MAX || k == rule->info.n_keys))
            return SIZE_MAX;
        key = names ? k : key;
    }
    return key;
}
