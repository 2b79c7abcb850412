/* define.c - "let n = 28, o = n - 2": names for expressions. A rule has none of them left: wherever
 * a name is used, its expression is written out. */
#include "parser.h"

#include <string.h>

/* Items of a set hang on each other by `b`, as all that a term is made from does. */
rg_status rg_parser_copy(rg_parser *p, int term, size_t at, size_t end, int *out)
{
    rg_term t = p->rule->terms[term];
    rg_status status = RG_OK;
    int *parts[] = {&t.a, &t.b, &t.c};
    for (size_t k = 0; !status && k < sizeof parts / sizeof *parts; k++)
        if (*parts[k] != RG_NO_TERM)
            status = rg_parser_copy(p, *parts[k], at, end, parts[k]);
    t.at = at;
    t.end = end;
    return status ? status : rg_parser_add(p, &t, out);
}

rg_definition *rg_parser_definition(rg_parser *p)
{
    const char *text = p->rule->source;
    for (size_t k = 0; k < p->n_definitions; k++) {
        rg_definition *d = &p->definitions[k];
        if (p->token.kind == RG_TOKEN_WORD && p->token.n == d->n &&
            memcmp(text + p->token.at, text + d->at, d->n) == 0)
            return d;
    }
    return NULL;
}

rg_status rg_parse_defined(rg_parser *p, rg_definition *definition, int *out)
{
    size_t at = p->token.at, end = at + p->token.n;
    bool again = definition->used;
    definition->used = true;
    rg_parser_step(p);
    if (again)
        return rg_parser_copy(p, definition->term, at, end, out);
    *out = definition->term;
    p->rule->terms[*out].at = at;
    p->rule->terms[*out].end = end;
    return RG_OK;
}

static rg_status parse_definition(rg_parser *p)
{
    if (p->n_definitions == RG_RULE_DEFINITIONS)
        return rg_parser_complain(p, "'share': at most 32 names are defined");
    if (p->token.kind != RG_TOKEN_WORD)
        return rg_parser_complain(p, "a name, as in let n = 28");
    if (rg_parser_is_taken(p) || rg_parser_definition(p))
        return rg_parser_complain(p, "a new name: this one has a meaning already");
    rg_definition d = {.at = p->token.at, .n = p->token.n};
    rg_parser_step(p);
    rg_status status = rg_parser_expect(p, "=", ", as in let n = 28");
    if (!status)
        status = rg_parse_expression(p, &d.term);
    if (!status)
        p->definitions[p->n_definitions++] = d;
    return status;
}

rg_status rg_parse_definitions(rg_parser *p)
{
    static const char *const words[] = {"share"};
    rg_status status = RG_OK;
    if (!rg_parser_stands(p, "let"))
        return RG_OK;
    do {
        rg_parser_step(p);
        status = parse_definition(p);
    } while (!status && rg_parser_stands(p, ","));
    if (!status && !rg_parser_stands(p, "share"))
        status = rg_parser_complain_near(p, "',' or 'share'", words, 1);
    return status;
}

rg_status rg_parse_check_used(const rg_parser *p)
{
    for (size_t k = 0; k < p->n_definitions; k++)
        if (!p->definitions[k].used)
            return rg_parser_complain_at(p, p->definitions[k].at,
                                         p->definitions[k].at + p->definitions[k].n,
                                         "a name that the rule uses");
    return RG_OK;
}
