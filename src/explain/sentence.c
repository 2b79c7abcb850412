/* sentence.c - the key of a weight in words.
 *
 * A key is a list of numbers, one for each expression after `share`. What is said of i or j alone
 * goes into the phrase of that node; what is said of the pair becomes a clause behind them; and
 * what there are no words for is "EXPRESSION = VALUE". What the condition asks is said too, unless
 * the key tells already whether it holds. */
#include "explainer.h"

#include "base/alloc.h"
#include "base/number.h"
#include "rule/rule.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
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

/* What a term that is a property is like; NULL: it is none. */
static const rg_property_table *table_of(const sentence *s, const rg_term *t)
{
    return t->op == RG_OP_PROPERTY ? rg_property_table_of(slot_of(s, t)->property.kind) : NULL;
}

static bool is_metric(const sentence *s, const rg_term *t)
{
    return table_of(s, t) && table_of(s, t)->metric;
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

/* A property that is low .. high; false: it has no words. */
static bool say_property(sentence *s, const rg_term *t, int64_t low, int64_t high)
{
    const rg_slot *slot = slot_of(s, t);
    const rg_property_table *table = rg_property_table_of(slot->property.kind);
    bool named = table->labels && slot->property.parameter == 0;
    const char *name = named ? rg_names_find(s->explainer->names, RG_NAME_EDGE, low) : NULL;
    rg_property_words words = {.atoms = s->explainer->atoms,
                               .loop = s->loop,
                               .name = name,
                               .bond = name && rg_name_bond(name) != RG_BOND_NONE};
    rg_text text = {0};
    if (!table->say)
        return false;
    table->say(&text, &words, slot->property.parameter, low, high);
    s->loop |= table->metric && low == 0 && high == 0;
    s->clauses.failed |= text.failed;
    if (table->info.n_nodes == 1 && text.n) {
        rg_phrase_add(&s->nodes[slot->first], "%s", text.data);
        s->said[slot->first] = true;
    } else if (text.n)
        rg_text_add(&s->clauses, "%s", text.data);
    rg_text_drop(&text);
    return true;
}

/* row(j) - row(i), col(j) - col(i): where on a grid j lies, seen from i. */
static bool say_offset(sentence *s, const rg_term *t, int64_t value)
{
    if (t->op != RG_OP_SUBTRACT || value == RG_NO_VALUE)
        return false;
    const rg_term *a = term_of(s, t->a), *b = term_of(s, t->b);
    bool rows = a->op == RG_OP_ROW, deep = a->op == RG_OP_DEPTH;
    if ((!rows && !deep && a->op != RG_OP_COL) || b->op != a->op || a->variable == b->variable)
        return false;
    int64_t ahead = a->variable == RG_VAR_J ? value : -value;
    const char *where = deep   ? (ahead > 0 ? "behind" : "in front")
                        : rows ? (ahead > 0 ? "below" : "above")
                               : (ahead > 0 ? "to the right" : "to the left");
    if (ahead == 0)
        rg_phrase_add(&s->nodes[RG_VAR_J], "in the same %s",
                      deep   ? "plane"
                      : rows ? "row"
                             : "column");
    else
        rg_phrase_add(&s->nodes[RG_VAR_J], "%" PRId64 " %s%s %s", ahead < 0 ? -ahead : ahead,
                      deep   ? "plane"
                      : rows ? "row"
                             : "column",
                      ahead == 1 || ahead == -1 ? "" : "s", where);
    s->said[RG_VAR_J] = true;
    return true;
}

/* The value of a node, not of a place given by a number; *node: whose. */
static bool is_value(const sentence *s, int term, rg_variable *node)
{
    const rg_term *t = term_of(s, term);
    if (t->op != RG_OP_VALUE || t->b != RG_NO_TERM || term_of(s, t->a)->type != RG_TYPE_NODE)
        return false;
    *node = term_of(s, t->a)->variable;
    return true;
}

/* A number of the rule itself, 0.5 or -1. */
static bool is_given(const sentence *s, int term, double *number)
{
    const rg_term *t = term_of(s, term);
    int64_t whole;
    bool minus = t->op == RG_OP_NEGATE;
    t = minus ? term_of(s, t->a) : t;
    if (t->op == RG_OP_REAL)
        *number = rg_rule_literal(t) * (minus ? -1 : 1);
    else if (rg_rule_constant(s->rule, term, &whole) && whole != RG_NO_VALUE)
        *number = (double)whole;
    else
        return false;
    return true;
}

/* "with a value above 0.5 in channel 2" of a comparison that holds or not. */
static bool say_value(sentence *s, const rg_term *t, bool holds)
{
    static const char *const words[] = {"of",         "other than", "below",
                                        "of at most", "above",      "of at least"};
    static const rg_op mirrored[] = {RG_OP_EQUAL,    RG_OP_UNEQUAL, RG_OP_MORE,
                                     RG_OP_AT_LEAST, RG_OP_LESS,    RG_OP_AT_MOST};
    rg_variable node;
    double number;
    char text[RG_NUMBER_MAX], channel[40] = "";
    int value = t->a, other = t->b;
    if (t->op < RG_OP_EQUAL || t->op > RG_OP_AT_LEAST || !t->index)
        return false;
    unsigned op = (unsigned)(t->op - RG_OP_EQUAL);
    if (!is_value(s, value, &node)) {
        value = t->b;
        other = t->a;
        op = (unsigned)(mirrored[op] - RG_OP_EQUAL);
    }
    if (!is_value(s, value, &node) || !is_given(s, other, &number))
        return false;
    rg_number_print(text, number);
    if (term_of(s, value)->value)
        snprintf(channel, sizeof channel, " in channel %u", (unsigned)term_of(s, value)->index);
    rg_phrase_add(&s->nodes[node], "with a value %s%s %s%s", holds ? "" : "not ", words[op], text,
                  channel);
    s->said[node] = true;
    return true;
}

/* The edges of the bins of the rule, if they do not differ from place to place; NULL otherwise. */
static const double *edges_of(const sentence *s, uint32_t bin)
{
    const rg_network *net = &s->explainer->net;
    const rg_rule_keys *keys = NULL;
    const double *edges = NULL;
    size_t n = 0, first = 0, own = 0;
    for (size_t l = 0; l < net->n_layers; l++) {
        for (size_t r = 0; r < net->layers[l].n_rules; r++)
            keys = net->layers[l].rules[r].rule == s->rule ? net->layers[l].rules[r].keys : keys;
        keys = net->layers[l].bias.rule == s->rule ? net->layers[l].bias.keys : keys;
    }
    if (keys)
        edges = rg_rule_keys_edges(keys, &n);
    for (size_t b = 0; b < s->rule->info.n_bins; b++) {
        own += s->rule->bins[b].n - 1;
        first += b < bin ? s->rule->bins[b].n - 1 : 0;
    }
    return edges && n == own ? edges + first : NULL;
}

/* To four digits: bins are counted with all of them. */
static void print_edge(char out[RG_NUMBER_MAX], double edge)
{
    double scale = edge == 0 ? 1 : pow(10, 3 - floor(log10(fabs(edge))));
    double rounded = round(edge * scale) / scale;
    rg_number_print(out, isfinite(rounded) ? rounded : edge);
}

/* "with a value in bin 3 of 8 (above 0.2, up to 0.3)" */
static bool say_bin(sentence *s, const rg_term *t, int64_t value)
{
    rg_variable node;
    uint32_t n = s->rule->bins[t->index].n;
    const double *edges = edges_of(s, t->index);
    char low[RG_NUMBER_MAX] = "", high[RG_NUMBER_MAX] = "", range[2 * RG_NUMBER_MAX + 20] = "";
    if (value == RG_NO_VALUE || !is_value(s, t->a, &node))
        return false;
    bool first = value == 0, last = value == n - 1;
    if (edges && !first)
        print_edge(low, edges[value - 1]);
    if (edges && !last)
        print_edge(high, edges[value]);
    if (edges)
        snprintf(range, sizeof range, " (%s%s%s%s%s)", first ? "" : "above ", low,
                 first || last ? "" : ", ", last ? "" : "up to ", high);
    rg_phrase_add(&s->nodes[node], "with a value in bin %" PRId64 " of %u%s", value + 1,
                  (unsigned)n, range);
    s->said[node] = true;
    return true;
}

static bool say_known(sentence *s, const rg_term *t, int64_t value)
{
    switch (t->op) {
    case RG_OP_BIN:
        return say_bin(s, t, value);
    case RG_OP_UNEQUAL:
    case RG_OP_LESS:
    case RG_OP_AT_MOST:
    case RG_OP_MORE:
    case RG_OP_AT_LEAST:
        return say_value(s, t, value == 1);
    case RG_OP_LABEL:
        return say_label(s, t, value);
    case RG_OP_NODE_LABEL:
        if (value == RG_NO_VALUE)
            return false;
        rg_phrase_node_label(&s->nodes[t->variable], t->index, value);
        s->said[t->variable] = true;
        return true;
    case RG_OP_PROPERTY:
        return say_property(s, t, value, value);
    case RG_OP_DEPTH:
        rg_phrase_add(&s->nodes[t->variable], "at depth %" PRId64, value);
        s->said[t->variable] = true;
        return true;
    case RG_OP_CHANNEL:
        rg_phrase_add(&s->nodes[t->variable], "in channel %" PRId64, value);
        s->said[t->variable] = true;
        return true;
    case RG_OP_VARIABLE:
        if (t->variable == RG_VAR_OUT)
            return true; /* said with the weight */
        rg_phrase_number(&s->nodes[t->variable], value);
        s->said[t->variable] = true;
        return true;
    case RG_OP_EQUAL:
        if (is_loop(s, t)) {
            s->loop |= value == 1;
            return true;
        }
        return say_value(s, t, value == 1);
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
    const rg_property_table *own = table_of(s, t), *other;
    bool has_dist = false, has_bond = false;
    for (size_t k = 0; k < s->rule->info.n_keys; k++) {
        if (rg_rule_same(s->rule, term, s->rule->keys[k]))
            return true;
        other = table_of(s, term_of(s, s->rule->keys[k]));
        has_dist |= other && other->metric;
        has_bond |= other && other->labels;
    }
    if (own && own->of_edges && own->condition)
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
    if (t->a == RG_NO_TERM || !is_metric(s, term_of(s, t->a)))
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
    } else if (t->op == RG_OP_AT_MOST && rg_rule_constant(s->rule, t->b, &high))
        low = RG_NO_VALUE;
    else
        return false;
    return say_property(s, term_of(s, t->a), low, high);
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
        if (!say_property(s, t, 1, 1))
            say_plainly(s, term, 1);
    } else if (!say_range(s, t) && !say_value(s, t, true)) {
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
        rg_text_add(out, "from %s%s to %s", from.data,
                    s->nodes[RG_VAR_J].place && !rg_phrase_is_numbered(from.data) ? "," : "",
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
        s.loop |= (is_loop(&s, t) && key[k] == 1) || (is_metric(&s, t) && key[k] == 0);
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
