/* offset.c - what rules on texts have besides: words in quotes, and how far one token is behind another. */
#include "parser.h"

rg_status rg_parse_text(rg_parser *p, int *out)
{
    const char *text = p->rule->source + p->token.at + 1;
    rg_term term = {.op = RG_OP_NUMBER,
                    .a = RG_NO_TERM,
                    .b = RG_NO_TERM,
                    .c = RG_NO_TERM,
                    .value = rg_token_value(text, p->token.n - 2),
                    .index = (uint32_t)p->token.at + 1,
                    .at = p->token.at};
    rg_parser_step(p);
    term.end = p->end;
    rg_status status = rg_parser_note_world(p, &term, false);
    return status ? status : rg_parser_add(p, &term, out);
}

/* The place of i or j that a term is, whether as pos(i) or as a bare variable; false: it is none. */
static bool place_of(const rg_parser *p, int term, rg_variable *variable, bool *bare)
{
    const rg_term *t = &p->rule->terms[term];
    *bare = t->op == RG_OP_VARIABLE && t->type == RG_TYPE_NODE;
    if (*bare) {
        *variable = t->variable;
        return true;
    }
    if (t->op != RG_OP_PROPERTY || p->rule->slots[t->index].property.kind != RG_PROPERTY_POS)
        return false;
    *variable = p->rule->slots[t->index].first;
    return true;
}

/* A term becomes offset(i,j), and the one that subtracted from it a sign. */
static rg_status make_offset(rg_parser *p, rg_term *minus)
{
    rg_term *place = &p->rule->terms[minus->a];
    rg_slot slot = {.property = rg_property_default(RG_PROPERTY_OFFSET),
                    .first = RG_VAR_I,
                    .second = RG_VAR_J,
                    .term = (int)(place - p->rule->terms)};
    rg_property_kind kind = RG_PROPERTY_POS;
    bool ahead = place->op == RG_OP_PROPERTY && p->rule->slots[place->index].property.kind == kind
                     ? p->rule->slots[place->index].first == RG_VAR_J
                     : place->variable == RG_VAR_J;
    place->op = RG_OP_PROPERTY;
    place->type = RG_TYPE_NUMBER;
    place->end = minus->end;
    rg_status status = rg_parser_add_slot(p, &slot, &place->index);
    minus->b = RG_NO_TERM;
    if (ahead) /* the difference itself */
        *minus = *place;
    else
        minus->op = RG_OP_NEGATE;
    return status;
}

bool rg_parser_is_offset(const rg_parser *p, int left, int right)
{
    rg_variable a, b;
    bool bare[2];
    return p->rule->info.kind == RG_RULE_PAIR && place_of(p, left, &a, &bare[0]) &&
           place_of(p, right, &b, &bare[1]) && a != b && bare[0] == bare[1];
}

rg_status rg_parse_offset(rg_parser *p, int *left, int right)
{
    bool bare = p->rule->terms[right].op == RG_OP_VARIABLE;
    int ends[] = {*left, right};
    for (size_t k = 0; bare && k < 2;
         k++) { /* as in a shape, until it is known that this is none */
        p->rule->terms[ends[k]].op = RG_OP_PLACE;
        p->rule->terms[ends[k]].type = RG_TYPE_NUMBER;
    }
    p->rule->offsets |= bare;
    rg_status status = rg_parser_join(p, RG_OP_SUBTRACT, RG_TYPE_NUMBER, left, right);
    return status || bare ? status : make_offset(p, &p->rule->terms[*left]);
}

static void mark(const rg_rule *rule, int term, bool *used)
{
    if (term == RG_NO_TERM)
        return;
    used[term] = true;
    mark(rule, rule->terms[term].a, used);
    mark(rule, rule->terms[term].b, used);
    mark(rule, rule->terms[term].c, used);
}

/* What offsets were made from goes: terms that nobody asks for, then properties. */
static void drop_unused(rg_rule *rule)
{
    bool used[RG_RULE_TERMS + 1] = {false};
    int to[RG_RULE_TERMS + 1], *const at = to + 1; /* at[RG_NO_TERM]: itself */
    uint32_t slot_to[RG_RULE_SLOTS];
    size_t n = 0, n_slots = 0;
    for (size_t k = 0; k < rule->info.n_keys; k++)
        mark(rule, rule->keys[k], used);
    mark(rule, rule->condition, used);
    at[RG_NO_TERM] = RG_NO_TERM;
    for (size_t k = 0; k < rule->n_terms; k++) {
        at[k] = used[k] ? (int)n : RG_NO_TERM;
        if (used[k])
            rule->terms[n++] = rule->terms[k];
    }
    for (size_t s = 0; s < rule->n_slots; s++) {
        size_t k = 0;
        while (k < n && (rule->terms[k].op != RG_OP_PROPERTY || rule->terms[k].index != s))
            k++;
        slot_to[s] = (uint32_t)n_slots;
        if (k == n)
            continue;
        rule->slots[n_slots] = rule->slots[s];
        rule->slots[n_slots++].term = (int)k;
    }
    for (size_t k = 0; k < n; k++) {
        rg_term *t = &rule->terms[k];
        t->a = at[t->a];
        t->b = at[t->b];
        t->c = at[t->c];
        if (t->op == RG_OP_PROPERTY)
            t->index = slot_to[t->index];
    }
    for (size_t k = 0; k < rule->info.n_keys; k++)
        rule->keys[k] = at[rule->keys[k]];
    for (size_t k = 0; k < rule->n_tables; k++)
        rule->tables[k].term = at[rule->tables[k].term];
    rule->condition = at[rule->condition];
    rule->n_terms = n;
    rule->n_slots = n_slots;
}

rg_status rg_parse_settle_offsets(rg_parser *p)
{
    rg_rule *rule = p->rule;
    rg_status status = RG_OK;
    if (!rule->info.on_graphs)
        rule->info.on_shapes |= rule->offsets;
    for (size_t k = 0; rule->info.on_graphs && rule->offsets && !status && k < rule->n_terms; k++) {
        rg_term *t = &rule->terms[k];
        if (t->op == RG_OP_SUBTRACT && rule->terms[t->a].op == RG_OP_PLACE)
            status = make_offset(p, t);
    }
    if (!status)
        drop_unused(rule);
    return status;
}
