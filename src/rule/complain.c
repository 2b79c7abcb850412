/* complain.c - what is wrong with a rule, and where. */
#include "base/error.h"
#include "parser.h"
#include "text/suggest.h"

#include <stdio.h>
#include <string.h>

enum { SHOWN = 40 };

rg_rule_place rg_rule_locate(const char *text, size_t at, size_t end)
{
    rg_rule_place place = {1, 1, 0};
    for (size_t k = 0; k < end && text[k]; k++) {
        bool whole = ((unsigned char)text[k] & 0xC0) != 0x80;
        if (k >= at) {
            if (text[k] == '\n')
                break;
            place.n += whole;
        } else if (text[k] == '\n') {
            place.line++;
            place.column = 1;
        } else {
            place.column += whole;
        }
    }
    if (place.n == 0)
        place.n = 1;
    return place;
}

/* "line 1, column 7: found WHAT": a piece of the text, no longer than a message can bear. */
static rg_status fail_found(const char *text, size_t at, size_t end, const char *is,
                            const char *what, rg_error *err)
{
    rg_rule_place place = rg_rule_locate(text, at, end);
    size_t n = end - at;
    bool cut = n > SHOWN;
    if (cut)
        for (n = SHOWN; n > SHOWN - 4 && ((unsigned char)text[at + n] & 0xC0) == 0x80; n--)
            continue;
    if (!text[at])
        return rg_fail(err, RG_EUSAGE, "rule: line %zu, column %zu: found the end, expected %s",
                       place.line, place.column, what);
    return rg_fail(err, RG_EUSAGE, "rule: line %zu, column %zu: found '%.*s%s'%s, expected %s",
                   place.line, place.column, (int)n, text + at, cut ? "..." : "", is, what);
}

rg_status rg_rule_complain(const rg_rule *rule, int term, const char *what, rg_error *err)
{
    const rg_term *t = &rule->terms[term];
    return fail_found(rule->source, t->at, t->end, "", what, err);
}

rg_status rg_parser_complain_at(const rg_parser *p, size_t at, size_t end, const char *what)
{
    if (p->place)
        *p->place = rg_rule_locate(p->rule->source, at, end);
    return fail_found(p->rule->source, at, end, "", what, p->err);
}

rg_status rg_parser_complain(const rg_parser *p, const char *what)
{
    const rg_token *t = &p->token;
    return rg_parser_complain_at(p, t->at, t->at + t->n, t->hint ? t->hint : what);
}

rg_status rg_parser_complain_near(const rg_parser *p, const char *what, const char *const *words,
                                  size_t n)
{
    char word[64], whole[900];
    if (p->token.kind != RG_TOKEN_WORD || p->token.n >= sizeof word)
        return rg_parser_complain(p, what);
    memcpy(word, p->rule->source + p->token.at, p->token.n);
    word[p->token.n] = '\0';
    const char *near = rg_suggest(word, words, n);
    if (!near)
        return rg_parser_complain(p, what);
    snprintf(whole, sizeof whole, "%s (did you mean '%s'?)", what, near);
    return rg_parser_complain(p, whole);
}

rg_status rg_parser_complain_type(const rg_parser *p, int term, const char *what)
{
    static const char *const is[] = {", a number", ", a condition", ", a node", ", a real number"};
    const rg_term *t = &p->rule->terms[term];
    if (p->place)
        *p->place = rg_rule_locate(p->rule->source, t->at, t->end);
    return fail_found(p->rule->source, t->at, t->end, is[t->type], what, p->err);
}
