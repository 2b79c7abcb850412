/* parser.h - what the files of the parser share: the token at hand, terms, complaints. */
#ifndef REGULA_RULE_PARSER_H
#define REGULA_RULE_PARSER_H

#include "lexer.h"
#include "rule.h"

typedef struct rg_parser {
    rg_rule *rule;
    rg_token token; /* the one that stands here */
    size_t end;     /* where the one before it ended */
    unsigned depth;
    const rg_rule_labeling *known;
    size_t n_known;
    rg_rule_place *place; /* may be NULL */
    rg_error *err;
} rg_parser;

/* Is this what stands here? */
bool rg_parser_stands(const rg_parser *p, const char *text);
void rg_parser_step(rg_parser *p);
/* Steps over it if it stands here. */
bool rg_parser_take(rg_parser *p, const char *text);
/* "expected ','", with `as` after it. */
RG_MUST_CHECK rg_status rg_parser_expect(rg_parser *p, const char *text, const char *as);

/* RG_EUSAGE for the token that stands here, or for bytes at .. end:
 * "rule: line 1, column 7: found 'wk', expected WHAT". */
rg_status rg_parser_complain(const rg_parser *p, const char *what);
rg_status rg_parser_complain_at(const rg_parser *p, size_t at, size_t end, const char *what);
/* The first with "(did you mean 'wl'?)" if one of n words is near. */
rg_status rg_parser_complain_near(const rg_parser *p, const char *what, const char *const *words,
                                  size_t n);
/* A term of the wrong type: "found 'wl(i)', a number, expected WHAT". */
rg_status rg_parser_complain_type(const rg_parser *p, int term, const char *what);

/* A new term; *out is its number. RG_EUSAGE (too many), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_parser_add(rg_parser *p, const rg_term *term, int *out);

/* A condition, a number or a node; the grammar from the top. */
RG_MUST_CHECK rg_status rg_parse_expression(rg_parser *p, int *out);
/* name.c: what begins with a word. */
RG_MUST_CHECK rg_status rg_parse_word(rg_parser *p, int *out);
/* A number: what an operation takes. */
RG_MUST_CHECK rg_status rg_parse_sum(rg_parser *p, int *out);
/* RG_EUSAGE if a labeling has a name that it cannot have. */
RG_MUST_CHECK rg_status rg_parse_check_names(const rg_parser *p);

#endif
