/* print.c - rules in normal form, what is read from them, and the end of them. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "rule.h"

#include <inttypes.h>
#include <string.h>

#define TEXT(upper, lower, n) [RG_OP_##upper] = #lower,
static const char *const texts[] = {
    [RG_OP_ROW] = "row",     [RG_OP_COL] = "col",    [RG_OP_CHANNEL] = "channel",
    [RG_OP_DEPTH] = "depth", [RG_OP_ADD] = "+",      [RG_OP_SUBTRACT] = "-",
    [RG_OP_MULTIPLY] = "*",  [RG_OP_DIVIDE] = "/",   [RG_OP_MODULO] = "%",
    [RG_OP_EQUAL] = "=",     [RG_OP_UNEQUAL] = "!=", [RG_OP_LESS] = "<",
    [RG_OP_AT_MOST] = "<=",  [RG_OP_MORE] = ">",     [RG_OP_AT_LEAST] = ">=",
    [RG_OP_AND] = "and",     [RG_OP_OR] = "or",      RG_FUNCTIONS(TEXT)};

const char *rg_op_text(rg_op op)
{
    return texts[op];
}

static const char *const variables[] = {"i", "j", "out"};

/* How tightly an operation binds: those of the grammar, from 'or' on; 'if' less than all. */
static int level_of(rg_op op)
{
    switch (op) {
    case RG_OP_IF:
        return -1;
    case RG_OP_OR:
        return 0;
    case RG_OP_AND:
        return 1;
    case RG_OP_NOT:
        return 2;
    case RG_OP_ADD:
    case RG_OP_SUBTRACT:
        return 4;
    case RG_OP_MULTIPLY:
    case RG_OP_DIVIDE:
    case RG_OP_MODULO:
        return 5;
    case RG_OP_NEGATE:
        return 6;
    default:
        return op >= RG_OP_EQUAL && op <= RG_OP_IN_SET ? 3 : 7;
    }
}

static void print_at(rg_text *out, const rg_rule *rule, int term, int level)
{
    bool brackets = level_of(rule->terms[term].op) < level;
    if (brackets)
        rg_text_add(out, "(");
    rg_rule_print_term(out, rule, term);
    if (brackets)
        rg_text_add(out, ")");
}

static void print_property(rg_text *out, const rg_slot *slot)
{
    const rg_property_table *table = rg_property_table_of(slot->property.kind);
    const rg_property_info *info = &table->info;
    rg_text_add(out, "%s(%s", info->name, variables[slot->first]);
    if (info->n_nodes == 2)
        rg_text_add(out, ",%s", variables[slot->second]);
    if (info->must_be_given || (table->optional && slot->property.parameter != info->usual))
        rg_text_add(out, ",%u", slot->property.parameter);
    rg_text_add(out, ")");
}

/* So that it reads back as a real number: 2 as 2.0. */
static void print_real(rg_text *out, double value)
{
    char text[RG_NUMBER_MAX];
    rg_number_print(text, value);
    rg_text_add(out, "%s%s", text, text[strcspn(text, ".e")] ? "" : ".0");
}

/* What binds tighter than any operator. */
static void print_leaf(rg_text *out, const rg_rule *rule, const rg_term *t)
{
    switch (t->op) {
    case RG_OP_NUMBER:
        if (t->index)
            rg_text_add(out, "%.*s", (int)strcspn(rule->source + t->index, "\"") + 2,
                        rule->source + t->index - 1);
        else
            rg_text_add(out, "%" PRId64, t->value);
        break;
    case RG_OP_REAL:
        print_real(out, rg_rule_literal(t));
        break;
    case RG_OP_VALUE:
        rg_text_add(out, "value(");
        print_at(out, rule, t->a, 4);
        if (t->b != RG_NO_TERM) {
            rg_text_add(out, ",");
            print_at(out, rule, t->b, 4);
        }
        if (t->value)
            rg_text_add(out, ",%u", t->index);
        rg_text_add(out, ")");
        break;
    case RG_OP_TABLE:
        rg_text_add(out, "%s(", rule->tables[t->index].name);
        print_at(out, rule, t->a, 4);
        if (t->b != RG_NO_TERM) {
            rg_text_add(out, ",");
            print_at(out, rule, t->b, 4);
        }
        rg_text_add(out, ")");
        break;
    case RG_OP_BIN:
        rg_text_add(out, "bin(");
        print_at(out, rule, t->a, 4);
        rg_text_add(out, ", %u)", rule->bins[t->index].n);
        break;
    case RG_OP_VARIABLE:
    case RG_OP_PLACE:
        rg_text_add(out, "%s", variables[t->variable]);
        break;
    case RG_OP_LABEL:
        rg_text_add(out, "%s(%s)", rule->names[t->index], variables[t->variable]);
        break;
    case RG_OP_NODE_LABEL:
        rg_text_add(out, "node(%s", variables[t->variable]);
        if (t->index)
            rg_text_add(out, ",%u", t->index);
        rg_text_add(out, ")");
        break;
    case RG_OP_PROPERTY:
        print_property(out, &rule->slots[t->index]);
        break;
    case RG_OP_ROW:
    case RG_OP_COL:
    case RG_OP_DEPTH:
    case RG_OP_CHANNEL:
        rg_text_add(out, "%s(%s)", texts[t->op], variables[t->variable]);
        break;
    default: /* a function of numbers */
        rg_text_add(out, "%s(", texts[t->op]);
        print_at(out, rule, t->a, 4);
        if (t->b != RG_NO_TERM) {
            rg_text_add(out, ", ");
            print_at(out, rule, t->b, 4);
        }
        rg_text_add(out, ")");
    }
}

static void print_choice(rg_text *out, const rg_rule *rule, const rg_term *t)
{
    print_at(out, rule, t->a, 4);
    rg_text_add(out, " in ");
    if (t->op == RG_OP_IN_RANGE) {
        print_at(out, rule, t->b, 4);
        rg_text_add(out, "..");
        print_at(out, rule, t->c, 4);
        return;
    }
    for (int item = t->b; item != RG_NO_TERM; item = rule->terms[item].b) {
        rg_text_add(out, item == t->b ? "{" : ", ");
        print_at(out, rule, rule->terms[item].a, 4);
    }
    rg_text_add(out, "}");
}

void rg_rule_print_term(rg_text *out, const rg_rule *rule, int term)
{
    const rg_term *t = &rule->terms[term];
    int level = level_of(t->op);
    if (level == 7) {
        print_leaf(out, rule, t);
    } else if (t->op == RG_OP_IF) {
        rg_text_add(out, "if ");
        print_at(out, rule, t->a, 0);
        rg_text_add(out, " then ");
        print_at(out, rule, t->b, 0);
        rg_text_add(out, " else ");
        rg_rule_print_term(out, rule, t->c);
    } else if (t->op == RG_OP_IN_RANGE || t->op == RG_OP_IN_SET) {
        print_choice(out, rule, t);
    } else if (t->op == RG_OP_NEGATE) {
        rg_text_add(out, "-");
        print_at(out, rule, t->a, level);
    } else if (t->op == RG_OP_NOT) {
        rg_text_add(out, "not ");
        print_at(out, rule, t->a, level);
    } else {
        /* Comparisons do not chain; and, or are the same however they are bracketed. */
        bool junction = t->op == RG_OP_AND || t->op == RG_OP_OR;
        print_at(out, rule, t->a, level == 3 ? 4 : level);
        rg_text_add(out, " %s ", texts[t->op]);
        print_at(out, rule, t->b, junction ? level : level + 1);
    }
}

void rg_rule_print(rg_text *out, const rg_rule *rule)
{
    for (size_t k = 0; k < rule->info.n_keys; k++) {
        rg_text_add(out, k ? ", " : "share ");
        rg_rule_print_term(out, rule, rule->keys[k]);
    }
    if (rule->condition != RG_NO_TERM) {
        rg_text_add(out, " when ");
        rg_rule_print_term(out, rule, rule->condition);
    }
}

void rg_rule_free(rg_rule *rule)
{
    if (!rule)
        return;
    for (size_t k = 0; k < rule->n_names; k++)
        rg_free(rule->names[k]);
    for (size_t k = 0; k < rule->n_tables; k++)
        rg_free(rule->tables[k].name);
    for (size_t k = 0; k < RG_RULE_KEYS_MAX; k++)
        rg_free(rule->key_text[k]);
    rg_free(rule->terms);
    rg_free(rule->source);
    rg_free(rule->text);
    rg_free(rule);
}

const char *rg_rule_text(const rg_rule *rule)
{
    return rule->text;
}

const char *rg_rule_key_text(const rg_rule *rule, size_t k)
{
    return rule->key_text[k];
}

const rg_rule_info *rg_rule_describe(const rg_rule *rule)
{
    return &rule->info;
}

/* One letter of any script into out[*used ..], if it fits with a line's end and a zero after it.
 * What a terminal would obey, or cannot show, becomes '?'. */
static bool put_letter(char *out, size_t size, size_t *used, const char *letter)
{
    size_t n = *letter == '\t' ? 1 : rg_printable(letter);
    const char *shown = n ? letter : "?";
    n = n ? n : 1;
    if (*used + n + 2 > size)
        return false;
    memcpy(out + *used, shown, n);
    *used += n;
    return true;
}

void rg_rule_point(char *out, size_t size, const char *text, const rg_rule_place *place)
{
    size_t used = 0, column = 1;
    const char *line = text;
    if (size == 0)
        return;
    out[0] = '\0';
    if (place->n == 0 || size < 4)
        return;
    for (size_t k = 1; k < place->line && strchr(line, '\n'); k++)
        line = strchr(line, '\n') + 1;
    for (const char *c = line; *c && *c != '\n'; c++)
        if (((unsigned char)*c & 0xC0) != 0x80 && !put_letter(out, size / 2, &used, c))
            break;
    out[used++] = '\n';
    /* Tabs stay tabs, so that the caret stands where it should. */
    for (const char *c = line; column < place->column && *c && *c != '\n'; c++)
        if (((unsigned char)*c & 0xC0) != 0x80) {
            if (!put_letter(out, size, &used, *c == '\t' ? "\t" : " "))
                break;
            column++;
        }
    for (size_t k = 0; k < place->n; k++)
        if (!put_letter(out, size, &used, k ? "~" : "^"))
            break;
    out[used++] = '\n';
    out[used] = '\0';
}
