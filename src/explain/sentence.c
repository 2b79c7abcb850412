/* sentence.c - the key of a weight in words.
 *
 * A key is a list of numbers, one for each expression after `share`. What is said of i or j alone
 * goes into the phrase of that node; what is said of the pair becomes a clause behind them; and
 * what there are no words for is "EXPRESSION = VALUE". What the condition asks is said too, unless
 * the key tells already whether it holds. */
#include "explainer.h"

#include "base/alloc.h"
#include "rule/rule.h"

#include <inttypes.h>
#include <string.h>

typedef struct sentence {
    const rg_explainer *explainer;
    const rg_rule *rule;
    const int64_t *key;
    rg_phrase nodes[3]; /* i, j, out: only those of nodes are used */
    bool said[3];       /* there is something about it */
    bool loop;          /* i = j */
    rg_text clauses;    /* ", 3 bonds away" */
} sentence;

static const rg_term *term_of(const sentence *s, int term)
{
    return &s->rule->terms[term];
}

static const rg_slot *slot_of(const sentence *s, const rg_term *t)
{
    return &s->rule->slots[t->index];
}

static bool is_property(const sentence *s, const rg_term *t, rg_property_kind kind)
{
    return t->op == RG_OP_PROPERTY && slot_of(s, t)->property.kind == kind;
}

/* i = j, either way round. */
static bool is_loop(const sentence *s, const rg_term *t)
{
    return t->op == RG_OP_EQUAL && term_of(s, t->a)->op == RG_OP_VARIABLE &&
           term_of(s, t->b)->op == RG_OP_VARIABLE &&
           term_of(s, t->a)->variable != term_of(s, t->b)->variable;
}

/* ---- what there are words for */

/* Labels of a node, by the name that the network file has for the labeling. */
static bool say_label(sentence *s, const rg_term *t, int64_t value)
{
    const rg_network *net = &s->explainer->net;
    const char *name = s->rule->names[t->index];
    for (size_t k = 0; k < net->spec->n_labels; k++)
        if (strcmp(net->spec->label_names[k], name) == 0 && value >= 0 && value < UINT32_MAX) {
            rg_phrase_label(&s->nodes[t->variable], net->labelings[k], (uint32_t)value, name);
            s->said[t->variable] = true;
            return true;
        }
    return false;
}

static void say_distance(sentence *s, int64_t low, int64_t high)
{
    bool bonds = s->explainer->atoms, one = low == 1 && high == 1;
    if (low == 0 && high == 0)
        s->loop = true;
    else if (bonds && one)
        rg_text_add(&s->clauses, ", 1 bond away");
    else if (bonds && low == high)
        rg_text_add(&s->clauses, ", %" PRId64 " bonds away", low);
    else if (bonds)
        rg_text_add(&s->clauses, ", %" PRId64 " to %" PRId64 " bonds away", low, high);
    else if (low == high)
        rg_text_add(&s->clauses, ", at distance %" PRId64, low);
    else
        rg_text_add(&s->clauses, ", at a distance of %" PRId64 " to %" PRId64, low, high);
}

static void say_bond(sentence *s, const rg_slot *slot, int64_t value)
{
    const char *name =
        slot->property.parameter ? NULL : rg_names_find(s->explainer->names, RG_NAME_EDGE, value);
    if (value == RG_NO_VALUE)
        rg_text_add(&s->clauses, "%s", s->loop ? "" : ", without an edge");
    else if (name && rg_name_bond(name) != RG_BOND_NONE)
        rg_text_add(&s->clauses, ", by %s %s bond", strchr("aeiou", *name) ? "an" : "a", name);
    else if (name)
        rg_text_add(&s->clauses, ", by an edge named %s", name);
    else
        rg_text_add(&s->clauses, ", by an edge labelled %" PRId64, value);
    if (slot->property.parameter)
        rg_text_add(&s->clauses, " in column %u", (unsigned)slot->property.parameter);
}

static bool say_property(sentence *s, const rg_term *t, int64_t value)
{
    const rg_slot *slot = slot_of(s, t);
    switch (slot->property.kind) {
    case RG_PROPERTY_DIST:
        if (value == RG_NO_VALUE)
            rg_text_add(&s->clauses, ", out of reach");
        else
            say_distance(s, value, value);
        return true;
    case RG_PROPERTY_EDGE:
        rg_text_add(&s->clauses, "%s",
                    value     ? ", joined by an edge"
                    : s->loop ? ""
                              : ", not joined");
        return true;
    case RG_PROPERTY_BOND:
        say_bond(s, slot, value);
        return true;
    case RG_PROPERTY_SAME_CYCLE:
        rg_text_add(&s->clauses, ", on %s common ring of up to %u", value ? "a" : "no",
                    (unsigned)slot->property.parameter);
        return true;
    case RG_PROPERTY_COMMON:
        rg_text_add(&s->clauses, ", with %" PRId64 " common neighbour%s", value,
                    value == 1 ? "" : "s");
        return true;
    case RG_PROPERTY_DEGREE:
        rg_phrase_add(&s->nodes[slot->first], "of degree %" PRId64, value);
        s->said[slot->first] = true;
        return true;
    default:
        return false;
    }
}

/* row(j) - row(i), col(j) - col(i): where on a grid j lies, seen from i. */
static bool say_offset(sentence *s, const rg_term *t, int64_t value)
{
    if (t->op != RG_OP_SUBTRACT || value == RG_NO_VALUE)
        return false;
    const rg_term *a = term_of(s, t->a), *b = term_of(s, t->b);
    bool rows = a->op == RG_OP_ROW;
    if ((!rows && a->op != RG_OP_COL) || b->op != a->op || a->variable == b->variable)
        return false;
    int64_t ahead = a->variable == RG_VAR_J ? value : -value;
    const char *where =
        rows ? (ahead > 0 ? "below" : "above") : (ahead > 0 ? "to the right" : "to the left");
    if (ahead == 0)
        rg_phrase_add(&s->nodes[RG_VAR_J], "in the same %s", rows ? "row" : "column");
    else
        rg_phrase_add(&s->nodes[RG_VAR_J], "%" PRId64 " %s%s %s", ahead < 0 ? -ahead : ahead,
                      rows ? "row" : "column", ahead == 1 || ahead == -1 ? "" : "s", where);
    s->said[RG_VAR_J] = true;
    return true;
}

static bool say_known(sentence *s, const rg_term *t, int64_t value)
{
    switch (t->op) {
    case RG_OP_LABEL:
        return say_label(s, t, value);
    case RG_OP_NODE_LABEL:
        if (value == RG_NO_VALUE)
            return false;
        rg_phrase_node_label(&s->nodes[t->variable], t->index, value);
        s->said[t->variable] = true;
        return true;
    case RG_OP_PROPERTY:
        return say_property(s, t, value);
    case RG_OP_CHANNEL:
        rg_phrase_add(&s->nodes[t->variable], "in channel %" PRId64, value);
        s->said[t->variable] = true;
        return true;
    case RG_OP_VARIABLE:
        if (t->variable == RG_VAR_OUT)
            return true; /* said with the weight */
        rg_phrase_add(&s->nodes[t->variable], "at place %" PRId64, value);
        s->said[t->variable] = true;
        return true;
    case RG_OP_EQUAL:
        if (is_loop(s, t)) {
            s->loop |= value == 1;
            return true;
        }
        return false;
    default:
        return say_offset(s, t, value);
    }
}

/* What has no words, as it is: "degree(i) + degree(j) = 5". */
static void say_plainly(sentence *s, int term, int64_t value)
{
    rg_text expression = {0};
    rg_rule_print_term(&expression, s->rule, term);
    const char *text = expression.failed ? "" : expression.data;
    s->clauses.failed |= expression.failed;
    if (value == RG_NO_VALUE)
        rg_text_add(&s->clauses, ", %s has no value", text);
    else if (term_of(s, term)->type == RG_TYPE_CONDITION)
        rg_text_add(&s->clauses, value ? ", where %s" : ", where not (%s)", text);
    else
        rg_text_add(&s->clauses, ", %s = %" PRId64, text, value);
    rg_text_drop(&expression);
}

/* ---- the condition */

/* Does the key tell the value of a term? */
static bool told(const sentence *s, int term)
{
    const rg_term *t = term_of(s, term);
    bool has_dist = false, has_bond = false;
    for (size_t k = 0; k < s->rule->info.n_keys; k++) {
        if (rg_rule_same(s->rule, term, s->rule->keys[k]))
            return true;
        has_dist |= is_property(s, term_of(s, s->rule->keys[k]), RG_PROPERTY_DIST);
        has_bond |= is_property(s, term_of(s, s->rule->keys[k]), RG_PROPERTY_BOND);
    }
    if (is_property(s, t, RG_PROPERTY_EDGE))
        return has_dist || has_bond;
    if (is_loop(s, t))
        return has_dist;
    if (t->op == RG_OP_NUMBER)
        return true;
    if (t->a == RG_NO_TERM)
        return false;
    return told(s, t->a) && (t->b == RG_NO_TERM || told(s, t->b)) &&
           (t->c == RG_NO_TERM || told(s, t->c));
}

/* dist(i,j) = 3, in 1..3, in {3}, <= 3: as a distance. */
static bool say_range(sentence *s, const rg_term *t)
{
    int64_t low, high;
    if (t->a == RG_NO_TERM || !is_property(s, term_of(s, t->a), RG_PROPERTY_DIST))
        return false;
    if (t->op == RG_OP_EQUAL) {
        if (!rg_rule_constant(s->rule, t->b, &low))
            return false;
        high = low;
    } else if (t->op == RG_OP_IN_RANGE) {
        if (!rg_rule_constant(s->rule, t->b, &low) || !rg_rule_constant(s->rule, t->c, &high))
            return false;
    } else if (t->op == RG_OP_IN_SET && term_of(s, t->b)->b == RG_NO_TERM) {
        if (!rg_rule_constant(s->rule, term_of(s, t->b)->a, &low))
            return false;
        high = low;
    } else if (t->op == RG_OP_AT_MOST && rg_rule_constant(s->rule, t->b, &high)) {
        rg_text_add(&s->clauses,
                    s->explainer->atoms ? ", at most %" PRId64 " bond%s away"
                                        : ", at a distance of at most %" PRId64 "%.0s",
                    high, high == 1 ? "" : "s");
        return true;
    } else
        return false;
    say_distance(s, low, high);
    return true;
}

static void say_condition(sentence *s, int term)
{
    const rg_term *t = term_of(s, term);
    if (t->op == RG_OP_AND) {
        say_condition(s, t->a);
        say_condition(s, t->b);
    } else if (told(s, term)) {
        return;
    } else if (is_loop(s, t)) {
        s->loop = true;
    } else if (t->op == RG_OP_PROPERTY) { /* those that are conditions */
        say_property(s, t, 1);
    } else if (!say_range(s, t)) {
        rg_text expression = {0};
        rg_rule_print_term(&expression, s->rule, term);
        s->clauses.failed |= expression.failed;
        rg_text_add(&s->clauses, ", where %s", expression.failed ? "" : expression.data);
        rg_text_drop(&expression);
    }
}

/* ---- the whole */

/* A node that nothing is said of is any node. */
static void say_node(rg_text *out, sentence *s, rg_variable v)
{
    const char *any = s->explainer->net.arrays ? "any place" : "any node";
    if (s->said[v])
        rg_phrase_end(out, &s->nodes[v]);
    else
        rg_text_add(out, "%s", any);
}

static void say_nodes(rg_text *out, sentence *s)
{
    if (s->rule->info.kind != RG_RULE_PAIR) {
        say_node(out, s, RG_VAR_I);
        return;
    }
    rg_text from = {0}, to = {0};
    say_node(&from, s, RG_VAR_J);
    say_node(&to, s, RG_VAR_I);
    out->failed |= from.failed || to.failed;
    if (out->failed) {
        rg_text_drop(&from);
        rg_text_drop(&to);
        return;
    }
    if (!s->loop)
        rg_text_add(out, "from %s%s to %s", from.data, s->nodes[RG_VAR_J].place ? "," : "",
                    to.data);
    else if (!s->said[RG_VAR_I] || strcmp(to.data, "a node") == 0 ||
             strcmp(from.data, to.data) == 0)
        rg_text_add(out, "from %s to itself", from.data);
    else if (!s->said[RG_VAR_J] || strcmp(from.data, "a node") == 0)
        rg_text_add(out, "from %s to itself", to.data);
    else
        rg_text_add(out, "from %s to itself, which is %s", from.data, to.data);
    rg_text_drop(&from);
    rg_text_drop(&to);
}

void rg_sentence_say(rg_text *out, const rg_explainer *explainer, const rg_rule *rule,
                     const int64_t *key)
{
    sentence s = {.explainer = explainer, .rule = rule, .key = key};
    for (size_t k = 0; k < 3; k++)
        s.nodes[k] = (rg_phrase){.names = explainer->names, .place = explainer->net.arrays};
    /* Loops first: they change how other parts are said. */
    for (size_t k = 0; k < rule->info.n_keys; k++) {
        const rg_term *t = &rule->terms[rule->keys[k]];
        s.loop |= (is_loop(&s, t) && key[k] == 1) ||
                  (is_property(&s, t, RG_PROPERTY_DIST) && key[k] == 0);
    }
    for (size_t k = 0; k < rule->info.n_keys; k++)
        if (!say_known(&s, term_of(&s, rule->keys[k]), key[k]))
            say_plainly(&s, rule->keys[k], key[k]);
    if (rule->condition != RG_NO_TERM)
        say_condition(&s, rule->condition);
    say_nodes(out, &s);
    if (s.clauses.n && !s.clauses.failed)
        rg_text_add(out, "%s", s.clauses.data);
    out->failed |= s.clauses.failed;
    for (size_t k = 0; k < 3; k++) {
        out->failed |= s.nodes[k].noun.failed || s.nodes[k].details.failed;
        rg_text_drop(&s.nodes[k].noun);
        rg_text_drop(&s.nodes[k].details);
    }
    rg_text_drop(&s.clauses);
}
