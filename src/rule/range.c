/* range.c - which values a term can take: ranges of labels and properties, carried through the
 * arithmetic and narrowed by what the condition says of the very same term.
 *
 * Ranges decide how many weights are possible and how keys are packed, so they may be too wide but
 * never too narrow. */
#include "world.h"

typedef __int128 wide;

static const rg_interval nothing = {1, 0, false};

static bool is_empty(rg_interval r)
{
    return r.low > r.high;
}

/* low .. high, cut to what a value can be; what is beyond is no value. */
static rg_interval from_wide(wide low, wide high, bool none)
{
    const wide most = INT64_MAX;
    rg_interval r = {0, 0, none};
    if (low > most || high < -most)
        return (rg_interval){1, 0, true};
    if (low < -most || high > most)
        r.none = true;
    r.low = (int64_t)(low < -most ? -most : low);
    r.high = (int64_t)(high > most ? most : high);
    return r;
}

static wide floor_divide(wide a, wide b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

/* The hull of op over the four corners. */
static rg_interval corners(rg_op op, rg_interval a, rg_interval b, bool none)
{
    wide x[] = {a.low, a.high}, y[] = {b.low, b.high}, low = 0, high = 0;
    for (int k = 0; k < 4; k++) {
        wide v = op == RG_OP_MULTIPLY ? x[k / 2] * y[k % 2] : floor_divide(x[k / 2], y[k % 2]);
        low = k == 0 || v < low ? v : low;
        high = k == 0 || v > high ? v : high;
    }
    return from_wide(low, high, none);
}

static rg_interval hull(rg_interval a, rg_interval b)
{
    bool none = a.none || b.none;
    if (is_empty(a) || is_empty(b)) {
        a = is_empty(a) ? b : a;
        a.none = none;
        return a;
    }
    return (rg_interval){a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high, none};
}

/* Dividing by numbers below 0 and above it are two cases; 0 gives no value. */
static rg_interval divided(rg_interval a, rg_interval b, bool none)
{
    rg_interval below = {b.low, b.high < -1 ? b.high : -1, false};
    rg_interval above = {b.low > 1 ? b.low : 1, b.high, false};
    rg_interval r = nothing;
    if (!is_empty(below))
        r = hull(r, corners(RG_OP_DIVIDE, a, below, false));
    if (!is_empty(above))
        r = hull(r, corners(RG_OP_DIVIDE, a, above, false));
    r.none = r.none || none || (b.low <= 0 && b.high >= 0);
    return r;
}

static rg_interval remainder_of(rg_interval b, bool none)
{
    if (b.low == 0 && b.high == 0)
        return (rg_interval){1, 0, true};
    return (rg_interval){b.low < 0 ? b.low + 1 : 0, b.high > 0 ? b.high - 1 : 0,
                         none || (b.low <= 0 && b.high >= 0)};
}

static rg_interval combined(rg_op op, rg_interval a, rg_interval b)
{
    bool none = a.none || b.none;
    if (is_empty(a) || is_empty(b))
        return (rg_interval){1, 0, none};
    switch (op) {
    case RG_OP_NEGATE:
        return (rg_interval){-a.high, -a.low, none};
    case RG_OP_ABS:
        if (a.low >= 0)
            return a;
        if (a.high <= 0)
            return (rg_interval){-a.high, -a.low, none};
        return (rg_interval){0, -a.low > a.high ? -a.low : a.high, none};
    case RG_OP_MIN:
        return (rg_interval){a.low < b.low ? a.low : b.low, a.high < b.high ? a.high : b.high,
                             none};
    case RG_OP_MAX:
        return (rg_interval){a.low > b.low ? a.low : b.low, a.high > b.high ? a.high : b.high,
                             none};
    case RG_OP_ADD:
        return from_wide((wide)a.low + b.low, (wide)a.high + b.high, none);
    case RG_OP_SUBTRACT:
        return from_wide((wide)a.low - b.high, (wide)a.high - b.low, none);
    case RG_OP_MULTIPLY:
        return corners(op, a, b, none);
    case RG_OP_DIVIDE:
        return divided(a, b, none);
    case RG_OP_MODULO:
        return remainder_of(b, none);
    default:
        return (rg_interval){-INT64_MAX, INT64_MAX, true};
    }
}

static rg_interval below(uint64_t n)
{
    return (rg_interval){0, (int64_t)n - 1, false};
}

static rg_interval range_of_slot(const rg_world *world, uint32_t index)
{
    const rg_slot *slot = &world->rule->slots[index];
    const rg_property_table *table = rg_property_table_of(slot->property.kind);
    uint32_t n_nodes = world->rule->info.kind == RG_RULE_BIAS ? world->n_out : world->n_in;
    rg_property_scope scope = {world->input->data, n_nodes, world->largest_degree};
    bool alone = slot->first == slot->second, none = table->info.elsewhere == RG_NO_VALUE;
    if (alone && table->metric)
        return below(1);
    if (alone && table->labels)
        return (rg_interval){1, 0, true};
    rg_property_bounds all = table->range(slot->property.parameter, &scope);
    return (rg_interval){all.low, all.high, none && table->info.n_nodes == 2};
}

/* How many there are of i, j or out. */
static uint32_t size_of(const rg_world *world, rg_variable variable)
{
    bool outward =
        world->rule->info.kind == RG_RULE_AGGREGATE ? variable == RG_VAR_OUT : variable == RG_VAR_I;
    return outward ? world->n_out : world->n_in;
}

/* May a value not be there? Arrays are finite, and i and j are places of them. */
static bool may_miss(const rg_world *world, int value)
{
    const rg_rule *rule = world->rule;
    return world->input->data || rule->terms[rule->terms[value].a].type != RG_TYPE_NODE;
}

static rg_interval range_of_leaf(const rg_world *world, const rg_term *t)
{
    rg_rule_shape shape = rg_world_shape(world, t->variable);
    size_t n;
    switch (t->op) {
    case RG_OP_NUMBER:
        return (rg_interval){t->value, t->value, false};
    case RG_OP_VARIABLE:
        return below(size_of(world, t->variable));
    case RG_OP_PLACE:
        return (rg_interval){1, size_of(world, t->variable), false};
    case RG_OP_LABEL:
        return below(world->n_labels[t->index]);
    case RG_OP_NODE_LABEL: {
        const int64_t *values = rg_dataset_values(world->input->data, RG_NODE_LABEL, t->index, &n);
        bool none = n && values[0] == RG_NO_VALUE;
        if (n == (size_t)none)
            return (rg_interval){1, 0, none};
        return (rg_interval){values[none], values[n - 1], none};
    }
    case RG_OP_PROPERTY:
        return range_of_slot(world, t->index);
    case RG_OP_ROW:
        return below(shape.rows);
    case RG_OP_COL:
        return below(shape.cols);
    case RG_OP_CHANNEL:
        return below(shape.channels / rg_shape_depth(shape));
    case RG_OP_DEPTH:
        return below(rg_shape_depth(shape));
    case RG_OP_BIN:
        return (rg_interval){0, world->rule->bins[t->index].n - 1, may_miss(world, t->a)};
    default:
        return below(2); /* conditions */
    }
}

/* Cuts a range to low .. high: the condition says that the term has a value there. */
static rg_interval cut(rg_interval r, int64_t low, int64_t high)
{
    r.none = false;
    r.low = low > r.low ? low : r.low;
    r.high = high < r.high ? high : r.high;
    return r;
}

/* What comparing with a constant leaves, the term being on the left. */
static rg_interval compared(rg_interval r, rg_op op, int64_t value)
{
    if (value == RG_NO_VALUE)
        return nothing;
    switch (op) {
    case RG_OP_EQUAL:
        return cut(r, value, value);
    case RG_OP_LESS:
        return cut(r, -INT64_MAX, value - 1);
    case RG_OP_AT_MOST:
        return cut(r, -INT64_MAX, value);
    case RG_OP_MORE:
        return value == INT64_MAX ? nothing : cut(r, value + 1, INT64_MAX);
    case RG_OP_AT_LEAST:
        return cut(r, value, INT64_MAX);
    default:
        return cut(r, -INT64_MAX, INT64_MAX);
    }
}

static rg_op mirrored(rg_op op)
{
    switch (op) {
    case RG_OP_LESS:
        return RG_OP_MORE;
    case RG_OP_AT_MOST:
        return RG_OP_AT_LEAST;
    case RG_OP_MORE:
        return RG_OP_LESS;
    case RG_OP_AT_LEAST:
        return RG_OP_AT_MOST;
    default:
        return op;
    }
}

/* Smallest and largest of a set of constants. False: not all are. */
static bool set_hull(const rg_rule *rule, int item, int64_t *low, int64_t *high)
{
    *low = INT64_MAX;
    *high = -INT64_MAX;
    for (; item != RG_NO_TERM; item = rule->terms[item].b) {
        int64_t value;
        if (!rg_rule_constant(rule, rule->terms[item].a, &value))
            return false;
        if (value == RG_NO_VALUE)
            continue;
        *low = value < *low ? value : *low;
        *high = value > *high ? value : *high;
    }
    return true;
}

/* What one part of the condition says of the term. */
static rg_interval narrowed(const rg_world *world, rg_interval r, int term, int part)
{
    const rg_rule *rule = world->rule;
    const rg_term *t = &rule->terms[part];
    int64_t low, high;
    if (t->op == RG_OP_IN_RANGE && rg_rule_same(rule, t->a, term)) {
        if (rg_rule_constant(rule, t->b, &low))
            r = compared(r, RG_OP_AT_LEAST, low);
        if (rg_rule_constant(rule, t->c, &high))
            r = compared(r, RG_OP_AT_MOST, high);
    } else if (t->op == RG_OP_IN_SET && rg_rule_same(rule, t->a, term)) {
        if (set_hull(rule, t->b, &low, &high))
            r = cut(r, low, high);
    } else if (t->op >= RG_OP_EQUAL && t->op <= RG_OP_AT_LEAST) {
        if (rg_rule_same(rule, t->a, term) && rg_rule_constant(rule, t->b, &low))
            r = compared(r, t->op, low);
        else if (rg_rule_same(rule, t->b, term) && rg_rule_constant(rule, t->a, &low))
            r = compared(r, mirrored(t->op), low);
    }
    return r;
}

/* The parts of the condition that must all hold, from right to left: calls for each. */
static int next_part(const rg_rule *rule, int *rest)
{
    int here = *rest;
    if (here == RG_NO_TERM)
        return RG_NO_TERM;
    const rg_term *t = &rule->terms[here];
    *rest = t->op == RG_OP_AND ? t->a : RG_NO_TERM;
    return t->op == RG_OP_AND ? t->b : here;
}

rg_interval rg_world_range(const rg_world *world, int term)
{
    const rg_rule *rule = world->rule;
    const rg_term *t = &rule->terms[term];
    rg_interval r;
    if (t->op >= RG_OP_NEGATE && t->op <= RG_OP_MODULO) {
        rg_interval a = rg_world_range(world, t->a);
        r = combined(t->op, a,
                     t->b == RG_NO_TERM ? (rg_interval){0, 0, false} : rg_world_range(world, t->b));
    } else if (t->op == RG_OP_IF) {
        r = hull(rg_world_range(world, t->b), rg_world_range(world, t->c));
    } else {
        r = range_of_leaf(world, t);
    }
    if (t->type != RG_TYPE_NUMBER)
        return r;
    for (int rest = rule->condition, part; (part = next_part(rule, &rest)) != RG_NO_TERM;)
        r = narrowed(world, r, term, part);
    return r;
}

/* Distinct numbers of a set of constants that lie within the range. */
static uint64_t count_items(const rg_rule *rule, int first, rg_interval r)
{
    uint64_t n = 0;
    for (int item = first; item != RG_NO_TERM; item = rule->terms[item].b) {
        int64_t value = RG_NO_VALUE, other = RG_NO_VALUE;
        bool again =
            !rg_rule_constant(rule, rule->terms[item].a, &value) || value < r.low || value > r.high;
        for (int k = first; k != item && !again; k = rule->terms[k].b)
            again = rg_rule_constant(rule, rule->terms[k].a, &other) && other == value;
        n += !again;
    }
    return n;
}

uint64_t rg_world_count(const rg_world *world, int term)
{
    const rg_rule *rule = world->rule;
    const rg_term *t = &rule->terms[term];
    rg_interval r = rg_world_range(world, term);
    uint64_t n = is_empty(r) ? 0 : (uint64_t)r.high - (uint64_t)r.low + 1;
    int64_t low, high;
    size_t n_values;
    if (!is_empty(r) && n == 0)
        return UINT64_MAX;
    /* Labels of the file and of its edges have gaps. */
    if (t->op == RG_OP_NODE_LABEL) {
        rg_dataset_values(world->input->data, RG_NODE_LABEL, t->index, &n_values);
        n = n_values < n ? n_values : n;
    } else if (t->op == RG_OP_PROPERTY) {
        const rg_property *property = &rule->slots[t->index].property;
        const rg_property_table *table = rg_property_table_of(property->kind);
        n_values = table->n_values ? table->n_values(property->parameter, world->input->data) : n;
        n = n_values < n ? n_values : n;
    }
    for (int rest = rule->condition, part; (part = next_part(rule, &rest)) != RG_NO_TERM;) {
        const rg_term *c = &rule->terms[part];
        if (c->op == RG_OP_IN_SET && rg_rule_same(rule, c->a, term) &&
            set_hull(rule, c->b, &low, &high)) {
            uint64_t items = count_items(rule, c->b, r);
            n = items < n ? items : n;
        }
    }
    return n == UINT64_MAX ? n : n + r.none;
}
