/* parser.h - what the files of the parser share: the token at hand, terms, complaints. */
#ifndef REGULA_RULE_PARSER_H
#define REGULA_RULE_PARSER_H

#include "lexer.h"
#include "rule.h"

/* What `let` gives a name to. */
typedef struct rg_definition {
    size_t at, n; /* the name, in the text */
    int term;
    bool used; /* the term itself: others that use it get copies */
} rg_definition;

enum { RG_RULE_DEFINITIONS = 32 };

typedef struct rg_parser {
    rg_rule *rule;
    rg_token token; /* the one that stands here */
    size_t end;     /* where the one before it ended */
    unsigned depth;
    const rg_rule_labeling *known;
    size_t n_known;
    rg_definition definitions[RG_RULE_DEFINITIONS];
    size_t n_definitions;
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

/* *left = *left op right, from where the left begins to here. */
RG_MUST_CHECK rg_status rg_parser_join(rg_parser *p, rg_op op, rg_type type, int *left, int right);
/* The operator among first .. last that stands here, stepped over; -1: none. */
int rg_parser_take_operator(rg_parser *p, rg_op first, rg_op last);
/* Where a number is wanted, i and j are their places in a fixed shape. False: it is no number. */
bool rg_parser_make_number(rg_parser *p, int term);
/* Is the term a number, whole or real? RG_EUSAGE. */
RG_MUST_CHECK rg_status rg_parser_need_any(rg_parser *p, int term);
/* *left = *left op right, both whole or real numbers; it is real if one of them is. */
RG_MUST_CHECK rg_status rg_parser_join_numbers(rg_parser *p, rg_op op, int *left, int right);
/* A copy of a term and all it is made from, as if it were written at bytes at .. end. RG_EUSAGE,
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_parser_copy(rg_parser *p, int term, size_t at, size_t end, int *out);
/* Is the term of this type, or can it be? A node is a number in a fixed shape. RG_EUSAGE. */
RG_MUST_CHECK rg_status rg_parser_need(rg_parser *p, int term, rg_type type);

/* define.c: what `let` says, if it stands here; the rule begins behind it. */
RG_MUST_CHECK rg_status rg_parse_definitions(rg_parser *p);
/* The definition whose name stands here; NULL: none. */
rg_definition *rg_parser_definition(rg_parser *p);
/* Its term, stepped over the name. */
RG_MUST_CHECK rg_status rg_parse_defined(rg_parser *p, rg_definition *definition, int *out);
/* RG_EUSAGE: a name was defined and never used. */
RG_MUST_CHECK rg_status rg_parse_check_used(const rg_parser *p);
/* name.c: is the token the name of a labeling? */
bool rg_parser_is_labeling(const rg_parser *p);
/* May the word that stands here be the name of a definition? */
bool rg_parser_is_taken(const rg_parser *p);

/* A condition, a number or a node; the grammar from the top. */
RG_MUST_CHECK rg_status rg_parse_expression(rg_parser *p, int *out);
/* name.c: what begins with a word. */
RG_MUST_CHECK rg_status rg_parse_word(rg_parser *p, int *out);
/* name.c: the property in the list of the rule, once. RG_EUSAGE: there are too many. */
RG_MUST_CHECK rg_status rg_parser_add_slot(rg_parser *p, const rg_slot *slot, uint32_t *out);
/* offset.c: "not", the number of a token. */
RG_MUST_CHECK rg_status rg_parse_text(rg_parser *p, int *out);
/* pos(j) - pos(i) and j - i: is that what two terms are, and what *left becomes then. Bare nodes are
 * places of a shape until the rule is over; what it looks at tells whether it was a sequence. */
bool rg_parser_is_offset(const rg_parser *p, int left, int right);
RG_MUST_CHECK rg_status rg_parse_offset(rg_parser *p, int *left, int right);
RG_MUST_CHECK rg_status rg_parse_settle_offsets(rg_parser *p);
/* name.c: a term of shapes or of graphs; RG_EUSAGE if the rule has terms of the other kind. */
RG_MUST_CHECK rg_status rg_parser_note_world(const rg_parser *p, const rg_term *term, bool shape);
/* bins.c: what stands behind `value` and `bin`. */
RG_MUST_CHECK rg_status rg_parse_value(rg_parser *p, rg_term *term);
RG_MUST_CHECK rg_status rg_parse_bin(rg_parser *p, rg_term *term);
/* A number: what an operation takes. */
RG_MUST_CHECK rg_status rg_parse_sum(rg_parser *p, int *out);
/* comparison.c: a sum, or what it is compared with. */
RG_MUST_CHECK rg_status rg_parse_comparison(rg_parser *p, int *out);
/* RG_EUSAGE if a labeling has a name that it cannot have. */
RG_MUST_CHECK rg_status rg_parse_check_names(const rg_parser *p);

#endif
