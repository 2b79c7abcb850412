/* name.c - what begins with a word: variables, functions, labelings, properties. */
#include "base/alloc.h"
#include "base/error.h"
#include "parser.h"
#include "text/suggest.h"

#include <stdio.h>
#include <string.h>

/* Words that are no name of a labeling. `node` may be one: then it takes the place of the labels
 * in the file. */
#define NAME(upper, lower, n) #lower,
static const char *const reserved[] = {"share", "when",    "and",  "or",    "not",
                                       "in",    "i",       "j",    "out",   "row",
                                       "col",   "channel", "true", "false", RG_FUNCTIONS(NAME)};
enum { N_RESERVED = sizeof reserved / sizeof *reserved };

/* What to say where j or out is not known. */
static const char *const variables[] = {"i or j", "i: a bias has no j",
                                        "i: an aggregation has out and i"};

rg_status rg_parse_check_names(const rg_parser *p)
{
    for (size_t k = 0; k < p->n_known; k++) {
        const char *name = p->known[k].name;
        rg_property_kind kind = rg_property_find(name);
        bool taken = kind != RG_NO_PROPERTY && !rg_property_table_of(kind)->young;
        for (size_t r = 0; r < N_RESERVED; r++)
            taken = taken || strcmp(name, reserved[r]) == 0;
        if (!rg_lexer_is_name(name))
            return rg_fail(p->err, RG_EUSAGE,
                           "rule: found the labeling '%s', expected a name: a letter or '_', then "
                           "letters, digits and '_', at most 60",
                           name);
        if (taken)
            return rg_fail(p->err, RG_EUSAGE,
                           "rule: found the labeling '%s', expected another name: this one is a "
                           "word of the rule language",
                           name);
        for (size_t other = 0; other < k; other++)
            if (strcmp(p->known[other].name, name) == 0)
                return rg_fail(p->err, RG_EUSAGE,
                               "rule: found the labeling '%s' twice, expected each name once",
                               name);
    }
    return RG_OK;
}

bool rg_parser_is_labeling(const rg_parser *p)
{
    for (size_t k = 0; k < p->n_known; k++)
        if (rg_parser_stands(p, p->known[k].name))
            return true;
    return false;
}

bool rg_parser_is_taken(const rg_parser *p)
{
    static const char *const words[] = {"node", "token", "depth", "let",   "if",
                                        "then", "else",  "mod",   "value", "bin"};
    bool taken = rg_parser_is_labeling(p);
    for (unsigned k = 0; k < RG_N_PROPERTIES; k++)
        taken |= rg_parser_stands(p, rg_property_describe((rg_property_kind)k)->name);
    for (size_t k = 0; k < N_RESERVED; k++)
        taken |= rg_parser_stands(p, reserved[k]);
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        taken |= rg_parser_stands(p, words[k]);
    return taken;
}

/* The variable that stands here, if this kind of rule has it. */
static bool variable_here(const rg_parser *p, rg_variable *out)
{
    rg_rule_kind kind = p->rule->info.kind;
    if (rg_parser_stands(p, "i"))
        *out = RG_VAR_I;
    else if (rg_parser_stands(p, "j") && kind == RG_RULE_PAIR)
        *out = RG_VAR_J;
    else if (rg_parser_stands(p, "out") && kind == RG_RULE_AGGREGATE)
        *out = RG_VAR_OUT;
    else
        return false;
    return true;
}

static rg_status parse_node(rg_parser *p, rg_variable *out)
{
    if (!variable_here(p, out) || *out == RG_VAR_OUT)
        return rg_parser_complain(p, variables[p->rule->info.kind]);
    rg_parser_step(p);
    return RG_OK;
}

/* The number of a property: bond's column, the length of a cycle. */
static rg_status parse_parameter(rg_parser *p, const rg_property_info *info, uint32_t *out)
{
    char what[80];
    if (info->high == UINT32_MAX)
        snprintf(what, sizeof what, "a %s, a number from %u on", info->parameter, info->low);
    else
        snprintf(what, sizeof what, "a %s, a number %u..%u", info->parameter, info->low,
                 info->high);
    if (p->token.kind != RG_TOKEN_NUMBER || p->token.value < info->low ||
        p->token.value >= UINT32_MAX || p->token.value > info->high)
        return rg_parser_complain(p, what);
    *out = (uint32_t)p->token.value;
    rg_parser_step(p);
    return RG_OK;
}

rg_status rg_parser_add_slot(rg_parser *p, const rg_slot *slot, uint32_t *out)
{
    rg_rule *rule = p->rule;
    for (size_t k = 0; k < rule->n_slots; k++) {
        const rg_slot *s = &rule->slots[k];
        if (s->property.kind == slot->property.kind &&
            s->property.parameter == slot->property.parameter && s->first == slot->first &&
            s->second == slot->second) {
            *out = (uint32_t)k;
            return RG_OK;
        }
    }
    if (rule->n_slots == RG_RULE_SLOTS)
        return rg_parser_complain(p, "at most 32 different properties");
    rule->slots[rule->n_slots] = *slot;
    *out = (uint32_t)rule->n_slots++;
    return RG_OK;
}

/* Rows and columns are of shapes, all else that has a name is of graphs. */
rg_status rg_parser_note_world(const rg_parser *p, const rg_term *term, bool shape)
{
    rg_rule_info *info = &p->rule->info;
    if (shape ? info->on_graphs : info->on_shapes)
        return rg_parser_complain_at(
            p, term->at, p->end,
            shape ? "something of a graph, as before: rows and columns are of a fixed shape"
                  : "something of a fixed shape, as before: labels and properties are of graphs");
    if (shape)
        info->on_shapes = 1;
    else
        info->on_graphs = 1;
    return RG_OK;
}

static rg_status parse_property(rg_parser *p, rg_property_kind kind, rg_term *term)
{
    const rg_property_table *table = rg_property_table_of(kind);
    const rg_property_info *info = &table->info;
    rg_slot slot = {.property = rg_property_default(kind), .term = (int)p->rule->n_terms};
    char as[80];
    snprintf(as, sizeof as, ", as in %s(i%s%s)", info->name, info->n_nodes == 2 ? ",j" : "",
             info->must_be_given ? ",6" : "");
    rg_status status = rg_parser_expect(p, "(", as);
    if (!status)
        status = parse_node(p, &slot.first);
    slot.second = slot.first;
    if (!status && info->n_nodes == 2) {
        status = rg_parser_expect(p, ",", as);
        if (!status)
            status = parse_node(p, &slot.second);
    }
    if (!status && info->must_be_given)
        status = rg_parser_expect(p, ",", as);
    if (!status && (info->must_be_given || (table->optional && rg_parser_take(p, ","))))
        status = parse_parameter(p, info, &slot.property.parameter);
    if (!status)
        status = rg_parser_expect(p, ")", as);
    if (!status && table->ordered && slot.first == RG_VAR_J && slot.second == RG_VAR_I)
        return rg_parser_complain_at(p, term->at, p->end,
                                     kind == RG_PROPERTY_OFFSET
                                         ? "the output first, as in offset(i,j): from i to j"
                                         : "the output first, as in marked(i,j): it is i that is "
                                           "marked");
    if (slot.first != slot.second) { /* all others are symmetric */
        slot.first = RG_VAR_I;
        slot.second = RG_VAR_J;
    }
    term->op = RG_OP_PROPERTY;
    if (table->condition)
        term->type = RG_TYPE_CONDITION;
    if (!status)
        status = rg_parser_note_world(p, term, false);
    return status ? status : rg_parser_add_slot(p, &slot, &term->index);
}

/* (i) or, for `node`, (i,COLUMN) */
static rg_status parse_of_node(rg_parser *p, const char *name, rg_term *term)
{
    char as[100];
    snprintf(as, sizeof as, ", as in %s(i)", name);
    rg_status status = rg_parser_expect(p, "(", as);
    if (!status)
        status = parse_node(p, &term->variable);
    if (!status && term->op == RG_OP_NODE_LABEL && rg_parser_take(p, ","))
        status = parse_parameter(p, rg_property_describe(RG_PROPERTY_BOND), &term->index);
    if (!status)
        status = rg_parser_expect(p, ")", as);
    bool shape = term->op >= RG_OP_ROW && term->op <= RG_OP_CHANNEL;
    return status ? status : rg_parser_note_world(p, term, shape);
}

static rg_status use_labeling(rg_parser *p, const char *name, uint32_t *out)
{
    rg_rule *rule = p->rule;
    size_t k = 0;
    while (k < rule->n_names && strcmp(rule->names[k], name) != 0)
        k++;
    *out = (uint32_t)k;
    if (k < rule->n_names)
        return RG_OK;
    if (k == RG_RULE_NAMES)
        return rg_parser_complain(p, "at most 32 labelings");
    rule->names[k] = rg_copy_text(name, strlen(name));
    if (!rule->names[k])
        return rg_fail_memory(p->err, "a rule");
    rule->n_names++;
    return RG_OK;
}

#define ARGUMENTS(upper, lower, n) [RG_OP_##upper] = n,
static const int n_arguments[] = {RG_FUNCTIONS(ARGUMENTS)};

/* abs(a), min(a, b), max(a, b) */
static rg_status parse_function(rg_parser *p, rg_term *term)
{
    char as[40];
    bool two = n_arguments[term->op] == 2;
    int *arguments[] = {&term->a, &term->b};
    snprintf(as, sizeof as, ", as in %s(%s)", rg_op_text(term->op), two ? "1, 2" : "-1");
    rg_status status = rg_parser_expect(p, "(", as);
    for (int k = 0; !status && k <= two; k++) {
        if (k)
            status = rg_parser_expect(p, ",", as);
        if (!status)
            status = rg_parse_sum(p, arguments[k]);
        if (!status)
            status = rg_parser_need_any(p, *arguments[k]);
        if (!status && p->rule->terms[*arguments[k]].type == RG_TYPE_REAL)
            term->type = RG_TYPE_REAL;
    }
    return status ? status : rg_parser_expect(p, ")", as);
}

/* "i, j, a number, a labeling (wl, node), a property (dist, ...)" */
static rg_status complain_unknown(const rg_parser *p)
{
    const char *words[RG_RULE_NAMES + RG_N_PROPERTIES + N_RESERVED + 1];
    char what[1000], list[400] = "", properties[200] = "", numbers[200];
    size_t n = 0, used = 0;
    for (size_t k = 0; k < p->n_known && n < RG_RULE_NAMES; k++) {
        words[n++] = p->known[k].name;
        if (used + 70 < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s, ", p->known[k].name);
    }
    for (unsigned k = 0; k < RG_N_PROPERTIES; k++) {
        words[n++] = rg_property_describe((rg_property_kind)k)->name;
        strncat(properties, k ? ", " : "", sizeof properties - strlen(properties) - 1);
        strncat(properties, words[n - 1], sizeof properties - strlen(properties) - 1);
    }
    words[n++] = "node";
    words[n++] = "depth";
    static const char *const functions[] = {"row",   "col", "channel", RG_FUNCTIONS(NAME) "out",
                                            "value", "bin"};
    rg_words_list(numbers, sizeof numbers, functions + 3, sizeof functions / sizeof *functions - 6,
                  ", ", "");
    for (size_t k = 0; k < sizeof functions / sizeof *functions; k++)
        words[n++] = functions[k];
    snprintf(what, sizeof what,
             "%s, a labeling (%snode), a property (%s), "
             "row, col or channel of a shape, value, bin, or %s",
             p->rule->info.kind == RG_RULE_PAIR   ? "i, j"
             : p->rule->info.kind == RG_RULE_BIAS ? "i"
                                                  : "out, i",
             list, properties, numbers);
    return rg_parser_complain_near(p, what, words, n);
}

static const struct {
    const char *name;
    rg_op op;
} functions_of_node[] = {
    {"row", RG_OP_ROW}, {"col", RG_OP_COL}, {"depth", RG_OP_DEPTH}, {"channel", RG_OP_CHANNEL}};

/* Which name of one node or of numbers stands here; a declared labeling goes first. */
static bool find_function(rg_parser *p, rg_term *term, const char **name)
{
    for (size_t k = 0; k < p->n_known; k++)
        if (rg_parser_stands(p, p->known[k].name)) {
            term->op = RG_OP_LABEL;
            *name = p->known[k].name;
            return true;
        }
    for (size_t k = 0; k < sizeof functions_of_node / sizeof *functions_of_node; k++) {
        if (rg_parser_stands(p, functions_of_node[k].name)) {
            term->op = functions_of_node[k].op;
            *name = functions_of_node[k].name;
            return true;
        }
    }
    *name = NULL;
    for (term->op = RG_OP_NEGATE + 1; term->op < RG_OP_ADD; term->op++)
        if (rg_parser_stands(p, rg_op_text(term->op)))
            return true;
    /* token(i) is node(i), and so a labeling of that name if there is one. */
    *name = "node";
    term->op = RG_OP_NODE_LABEL;
    if (!rg_parser_stands(p, "token"))
        return rg_parser_stands(p, "node");
    for (size_t k = 0; k < p->n_known; k++)
        if (strcmp(p->known[k].name, "node") == 0)
            term->op = RG_OP_LABEL;
    return true;
}

/* RG_N_PROPERTIES: none. */
static unsigned property_here(const rg_parser *p)
{
    unsigned kind = 0;
    while (kind < RG_N_PROPERTIES &&
           !rg_parser_stands(p, rg_property_describe((rg_property_kind)kind)->name))
        kind++;
    bool hidden = kind < RG_N_PROPERTIES && rg_parser_is_labeling(p);
    return hidden ? RG_N_PROPERTIES : kind;
}

rg_status rg_parse_word(rg_parser *p, int *out)
{
    rg_term term = {.a = RG_NO_TERM, .b = RG_NO_TERM, .c = RG_NO_TERM, .at = p->token.at};
    rg_status status = RG_OK;
    const char *name = NULL;
    unsigned kind;
    rg_definition *definition = rg_parser_definition(p);
    if (definition)
        return rg_parse_defined(p, definition, out);
    if (rg_parser_stands(p, "if") && !rg_parser_is_labeling(p))
        return rg_parser_complain(p, "brackets around it, as in 1 + (if a then b else c)");
    kind = property_here(p);
    if (variable_here(p, &term.variable)) {
        term.op = RG_OP_VARIABLE;
        term.type = term.variable == RG_VAR_OUT ? RG_TYPE_NUMBER : RG_TYPE_NODE;
        rg_parser_step(p);
    } else if (kind < RG_N_PROPERTIES) {
        rg_parser_step(p);
        status = parse_property(p, (rg_property_kind)kind, &term);
    } else if (!rg_parser_is_labeling(p) && rg_parser_take(p, "value")) {
        status = rg_parse_value(p, &term);
    } else if (!rg_parser_is_labeling(p) && rg_parser_take(p, "bin")) {
        status = rg_parse_bin(p, &term);
    } else if (find_function(p, &term, &name)) {
        rg_parser_step(p);
        if (term.op == RG_OP_LABEL)
            status = use_labeling(p, name, &term.index);
        if (!status)
            status = name ? parse_of_node(p, name, &term) : parse_function(p, &term);
    } else if (rg_parser_stands(p, "j") || rg_parser_stands(p, "out")) {
        status =
            rg_parser_complain(p, rg_parser_stands(p, "j") ? variables[p->rule->info.kind]
                                                           : "i or j: only an aggregation has out");
    } else {
        status = complain_unknown(p);
    }
    term.end = p->end;
    return status ? status : rg_parser_add(p, &term, out);
}
