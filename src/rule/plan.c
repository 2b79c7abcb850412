/* plan.c - see plan.h. */
#include "plan.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const rg_plan everywhere = {.all = true};

static rg_plan one_source(int slot, int64_t low, int64_t high)
{
    return (rg_plan){.n = 1, .exact = true, .sources = {{slot, low, high}}};
}

static rg_plan nowhere(void)
{
    return (rg_plan){.n = 0};
}

/* The same pairs, and the condition is to be asked of each. */
static rg_plan roughly(rg_plan plan)
{
    plan.exact = false;
    return plan;
}

static const rg_property_table *table_of(const rg_rule *rule, uint32_t slot)
{
    return rg_property_table_of(rule->slots[slot].property.kind);
}

static bool is_table(int slot)
{
    return slot >= RG_RULE_SLOTS;
}

/* What pairs have that are not listed. */
static int64_t elsewhere_of(const rg_rule *rule, uint32_t slot)
{
    return is_table((int)slot) ? 0
                               : rg_property_describe(rule->slots[slot].property.kind)->elsewhere;
}

/* Pairs in a row, very roughly: only the order matters. */
static double source_cost(const rg_rule *rule, const rg_pair_source *source)
{
    if (source->low > source->high)
        return 0;
    if (source->slot == RG_SELF)
        return 1;
    if (is_table(source->slot))
        return 16;
    const rg_property_table *table = table_of(rule, (uint32_t)source->slot);
    if (!table->metric)
        return table->pairs;
    return source->high > 1000 ? 1e7 : table->pairs * (double)source->high * (double)source->high;
}

static double plan_cost(const rg_rule *rule, const rg_plan *plan)
{
    double cost = plan->all ? 1e9 : 0;
    for (size_t k = 0; k < plan->n; k++)
        cost += source_cost(rule, &plan->sources[k]);
    return cost;
}

/* Is the slot one of a pair (i,j) that has rows? */
static bool has_rows(const rg_rule *rule, uint32_t slot)
{
    return rule->slots[slot].first != rule->slots[slot].second;
}

/* The plan for "the property lies within low .. high". */
static rg_plan within(const rg_rule *rule, uint32_t slot, int64_t low, int64_t high)
{
    int64_t elsewhere = elsewhere_of(rule, slot);
    if (elsewhere != RG_NO_VALUE && low <= elsewhere && elsewhere <= high)
        return everywhere;
    rg_plan plan = one_source((int)slot, low, high);
    return is_table((int)slot) ? roughly(plan) : plan; /* rows of tables are listed whole */
}

/* A property without a value outside its rows, somewhere in an arithmetic term: if that has a
 * value, so has the property. -1: there is none. Those of a metric are most. */
static int strict_slot(const rg_rule *rule, int term)
{
    const rg_term *t = &rule->terms[term];
    if (t->op == RG_OP_PROPERTY) {
        rg_property_kind kind = rule->slots[t->index].property.kind;
        bool strict = rg_property_describe(kind)->elsewhere == RG_NO_VALUE;
        return strict && has_rows(rule, t->index) ? (int)t->index : -1;
    }
    if (t->op < RG_OP_NEGATE || t->op > RG_OP_MODULO)
        return -1;
    int a = strict_slot(rule, t->a), b = t->b == RG_NO_TERM ? -1 : strict_slot(rule, t->b);
    if (a < 0 || (b >= 0 && !table_of(rule, (uint32_t)b)->metric))
        return b;
    return a;
}

static rg_plan strict_plan(const rg_rule *rule, int term)
{
    int slot = strict_slot(rule, term);
    return slot < 0 ? everywhere : roughly(one_source(slot, -INT64_MAX, INT64_MAX));
}

/* The property that a term is, if it is one with rows; -1: not. */
static int plain_slot(const rg_rule *rule, int term)
{
    const rg_term *t = &rule->terms[term];
    if (t->op == RG_OP_TABLE && rule->tables[t->index].term != RG_NO_TERM &&
        rg_rule_same(rule, rule->tables[t->index].term, term))
        return RG_RULE_SLOTS + (int)t->index;
    return t->op == RG_OP_PROPERTY && has_rows(rule, t->index) ? (int)t->index : -1;
}

static rg_plan better(const rg_rule *rule, const rg_plan *a, const rg_plan *b)
{
    /* Two ranges of one property: the pairs are in both. */
    if (a->n == 1 && b->n == 1 && a->sources[0].slot == b->sources[0].slot) {
        rg_plan both = *a;
        both.exact = a->exact && b->exact;
        const rg_pair_source *other = &b->sources[0];
        both.sources[0].low = other->low > a->sources[0].low ? other->low : a->sources[0].low;
        both.sources[0].high = other->high < a->sources[0].high ? other->high : a->sources[0].high;
        return both;
    }
    return roughly(plan_cost(rule, a) <= plan_cost(rule, b) ? *a : *b);
}

/* property op value, or value op property if `mirror`. */
static rg_plan plan_constant(const rg_rule *rule, uint32_t slot, rg_op op, int64_t value,
                             bool mirror)
{
    const int64_t most = INT64_MAX;
    if (value == RG_NO_VALUE)
        return nowhere();
    switch (op) {
    case RG_OP_EQUAL:
        return within(rule, slot, value, value);
    case RG_OP_LESS:
    case RG_OP_MORE:
        if ((op == RG_OP_LESS) != mirror)
            return within(rule, slot, -most, value - (value > -most));
        return value == most ? nowhere() : within(rule, slot, value + 1, most);
    case RG_OP_AT_MOST:
    case RG_OP_AT_LEAST:
        if ((op == RG_OP_AT_MOST) != mirror)
            return within(rule, slot, -most, value);
        return within(rule, slot, value, most);
    default: /* not equal: of properties that are 0 elsewhere, 0 itself tells */
        if (is_table((int)slot))
            return value == 0 ? roughly(one_source((int)slot, -most, most)) : everywhere;
        if (value == 0 && elsewhere_of(rule, slot) == 0)
            return within(rule, slot, 1, most);
        return roughly(within(rule, slot, -most, most));
    }
}

static void plan_term(rg_plan *out, const rg_rule *rule, int term, bool negated);
static rg_plan joined(const rg_plan *a, const rg_plan *b);

static bool is_cases(const rg_rule *rule, int term)
{
    return rule->terms[term].op == RG_OP_IF;
}

/* "if c then x else y" compared with a number: c holds and x fits, or y fits. */
static rg_plan plan_cases(const rg_rule *rule, int term, rg_op op, int64_t value, bool mirror)
{
    const rg_term *t = &rule->terms[term];
    int slot = plain_slot(rule, term);
    int64_t own;
    if (rg_rule_constant(rule, term, &own)) {
        bool holds = mirror ? rg_rule_compare(op, value, own) : rg_rule_compare(op, own, value);
        return holds ? everywhere : nowhere();
    }
    if (slot >= 0)
        return plan_constant(rule, (uint32_t)slot, op, value, mirror);
    if (t->op != RG_OP_IF)
        return strict_plan(rule, term);
    rg_plan yes, x = plan_cases(rule, t->b, op, value, mirror),
                 y = plan_cases(rule, t->c, op, value, mirror);
    plan_term(&yes, rule, t->a, false);
    x = better(rule, &yes, &x);
    return joined(&x, &y);
}

static rg_plan plan_comparison(const rg_rule *rule, const rg_term *t)
{
    int64_t value;
    rg_type type = rule->terms[t->a].type;
    if (type == RG_TYPE_NODE) {
        bool same = rule->terms[t->a].variable == rule->terms[t->b].variable;
        return t->op == RG_OP_EQUAL && !same ? one_source(RG_SELF, 0, 0) : everywhere;
    }
    if (type == RG_TYPE_CONDITION)
        return everywhere;
    int left = plain_slot(rule, t->a), right = plain_slot(rule, t->b);
    if (left >= 0 && rg_rule_constant(rule, t->b, &value))
        return plan_constant(rule, (uint32_t)left, t->op, value, false);
    if (right >= 0 && rg_rule_constant(rule, t->a, &value))
        return plan_constant(rule, (uint32_t)right, t->op, value, true);
    if (is_cases(rule, t->a) && rg_rule_constant(rule, t->b, &value))
        return plan_cases(rule, t->a, t->op, value, false);
    if (is_cases(rule, t->b) && rg_rule_constant(rule, t->a, &value))
        return plan_cases(rule, t->b, t->op, value, true);
    rg_plan a = strict_plan(rule, t->a), b = strict_plan(rule, t->b);
    return better(rule, &a, &b);
}

static rg_plan plan_choice(const rg_rule *rule, const rg_term *t)
{
    int slot = plain_slot(rule, t->a);
    int64_t low = -INT64_MAX, high = INT64_MAX, value;
    if (slot < 0)
        return strict_plan(rule, t->a);
    if (t->op == RG_OP_IN_RANGE) {
        bool first = rg_rule_constant(rule, t->b, &value);
        if (first)
            low = value == RG_NO_VALUE ? INT64_MAX : value;
        bool last = rg_rule_constant(rule, t->c, &value);
        if (last)
            high = value; /* no value is below all */
        if (low > high)
            return nowhere();
        rg_plan plan = within(rule, (uint32_t)slot, low, high);
        return first && last && low < INT64_MAX ? plan : roughly(plan);
    }
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (int item = t->b; item != RG_NO_TERM; item = rule->terms[item].b) {
        if (!rg_rule_constant(rule, rule->terms[item].a, &value))
            return roughly(within(rule, (uint32_t)slot, -INT64_MAX, INT64_MAX));
        if (value == RG_NO_VALUE)
            continue;
        least = value < least ? value : least;
        most = value > most ? value : most;
    }
    return least > most ? nowhere() : roughly(within(rule, (uint32_t)slot, least, most));
}

/* The pairs of either; one range per property holds both of its ranges. */
static rg_plan joined(const rg_plan *a, const rg_plan *b)
{
    rg_plan out = roughly(*a);
    if (a->all || b->all)
        return everywhere;
    for (size_t k = 0; k < b->n; k++) {
        const rg_pair_source *s = &b->sources[k];
        size_t at = 0;
        while (at < out.n && out.sources[at].slot != s->slot)
            at++;
        if (at == out.n) {
            out.sources[out.n++] = *s;
            continue;
        }
        rg_pair_source *own = &out.sources[at];
        own->low = s->low < own->low ? s->low : own->low;
        own->high = s->high > own->high ? s->high : own->high;
    }
    return out;
}

/* Along a chain of the same operator, so that long ones do not nest. */
static void plan_junction(rg_plan *out, const rg_rule *rule, int term, bool negated)
{
    rg_op op = rule->terms[term].op;
    bool both = (op == RG_OP_AND) != negated;
    rg_plan part;
    plan_term(out, rule, rule->terms[term].b, negated);
    for (term = rule->terms[term].a;; term = rule->terms[term].a) {
        bool more = rule->terms[term].op == op;
        plan_term(&part, rule, more ? rule->terms[term].b : term, negated);
        *out = both ? better(rule, &part, out) : joined(&part, out);
        if (!more)
            return;
    }
}

static void plan_term(rg_plan *out, const rg_rule *rule, int term, bool negated)
{
    const rg_term *t = &rule->terms[term];
    *out = everywhere;
    for (; t->op == RG_OP_NOT; t = &rule->terms[t->a]) {
        negated = !negated;
        term = t->a;
    }
    if (t->op == RG_OP_AND || t->op == RG_OP_OR) {
        plan_junction(out, rule, term, negated);
    } else if (negated) {
        /* A comparison is false without a value, so its opposite says little; nodes have values. */
        if (t->op == RG_OP_UNEQUAL && rule->terms[t->a].type == RG_TYPE_NODE &&
            rule->terms[t->a].variable != rule->terms[t->b].variable)
            *out = one_source(RG_SELF, 0, 0);
    } else if (t->op == RG_OP_PROPERTY) {
        if (has_rows(rule, t->index))
            *out = one_source((int)t->index, 1, 1);
    } else if (t->op == RG_OP_IF) {
        rg_plan yes, x, y;
        plan_term(&yes, rule, t->a, false);
        plan_term(&x, rule, t->b, false);
        plan_term(&y, rule, t->c, false);
        x = better(rule, &yes, &x);
        *out = joined(&x, &y);
    } else if (t->op == RG_OP_IN_RANGE || t->op == RG_OP_IN_SET) {
        *out = plan_choice(rule, t);
    } else {
        *out = plan_comparison(rule, t);
    }
}

void rg_plan_make(rg_plan *out, const rg_rule *rule)
{
    *out = everywhere;
    if (rule->info.kind == RG_RULE_PAIR && rule->condition != RG_NO_TERM)
        plan_term(out, rule, rule->condition, false);
    /* A shape has no rows of properties, and its outputs are not its inputs. */
    for (size_t k = 0; rule->info.on_shapes && k < out->n; k++)
        if (!is_table(out->sources[k].slot))
            *out = everywhere;
}

uint32_t rg_plan_reach(const rg_plan *plan, const rg_rule *rule)
{
    uint32_t reach = plan->all ? RG_DIST_ANY : 0;
    for (size_t k = 0; k < plan->n; k++) {
        const rg_pair_source *source = &plan->sources[k];
        uint32_t own = 0;
        if (source->slot == RG_SELF || source->low > source->high)
            continue;
        if (is_table(source->slot))
            return RG_DIST_ANY;
        const rg_property_table *table = table_of(rule, (uint32_t)source->slot);
        if (!table->metric)
            own = table->reach ? table->reach(rule->slots[source->slot].property.parameter) : 1;
        else if (source->high >= 0)
            own = source->high >= RG_DIST_ANY ? RG_DIST_ANY : (uint32_t)source->high;
        reach = own > reach ? own : reach;
    }
    return reach;
}

static void print_source(rg_text *out, const rg_rule *rule, const rg_pair_source *source)
{
    if (source->slot == RG_SELF) {
        rg_text_add(out, "i = j");
        return;
    }
    bool table = is_table(source->slot);
    rg_rule_print_term(out, rule,
                       table ? rule->tables[source->slot - RG_RULE_SLOTS].term
                             : rule->slots[source->slot].term);
    bool low = source->low > -INT64_MAX, high = source->high < INT64_MAX;
    if (table && !low && !high)
        rg_text_add(out, " != 0");
    if (!table && table_of(rule, (uint32_t)source->slot)->condition && source->low == 1 &&
        source->high == 1)
        return;
    if (low && high)
        rg_text_add(out, " in %" PRId64 "..%" PRId64, source->low, source->high);
    else if (low)
        rg_text_add(out, " >= %" PRId64, source->low);
    else if (high)
        rg_text_add(out, " <= %" PRId64, source->high);
}

bool rg_plan_print(char *out, size_t size, const rg_plan *plan, const rg_rule *rule)
{
    rg_text text = {0};
    if (rule->info.kind != RG_RULE_PAIR)
        rg_text_add(&text, "all nodes");
    else if (plan->all)
        rg_text_add(&text, "all pairs");
    else if (plan->n == 0)
        rg_text_add(&text, "no pairs: the condition cannot hold");
    else
        rg_text_add(&text, "pairs with ");
    for (size_t k = 0; k < plan->n; k++) {
        rg_text_add(&text, k ? " or " : "");
        print_source(&text, rule, &plan->sources[k]);
    }
    char *whole = rg_text_take(&text);
    if (!whole)
        return false;
    snprintf(out, size, "%s", whole);
    rg_free(whole);
    return true;
}
