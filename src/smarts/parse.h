/* parse.h - a text of SMARTS on its way into an rg_smarts. Inside this room only. */
#ifndef REGULA_SMARTS_PARSE_H
#define REGULA_SMARTS_PARSE_H

#include "smarts.h"

typedef struct rg_smarts_parser {
    const char *text;
    size_t n, at;
    size_t column; /* of text[0], for messages */
    unsigned depth;
    size_t n_terms, n_parts; /* so far, with those of parts */
    rg_error *err;
} rg_smarts_parser;

/* "labels: column 4: found 'x', expected WHAT", of the byte at `at` */
rg_status rg_smarts_complain(const rg_smarts_parser *p, size_t at, const char *what);
char rg_smarts_look(const rg_smarts_parser *p); /* the byte at p->at; '\0' at the end */

/* parse.c: the pattern that begins at p->at, up to the end, or up to the ')' of $( ). RG_EUSAGE, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_smarts_parse_pattern(rg_smarts **out, rg_smarts_parser *p);

/* terms.c: each adds terms to s. What an atom in brackets is asked for: from behind '[' to behind ']'. */
RG_MUST_CHECK rg_status rg_smarts_parse_bracket(rg_smarts_terms *out, rg_smarts *s,
                                                rg_smarts_parser *p);
/* An atom without brackets. */
RG_MUST_CHECK rg_status rg_smarts_parse_bare(rg_smarts_terms *out, rg_smarts *s,
                                             rg_smarts_parser *p);
/* Signs of a bond. */
RG_MUST_CHECK rg_status rg_smarts_parse_bond(rg_smarts_terms *out, rg_smarts *s,
                                             rg_smarts_parser *p);
bool rg_smarts_is_bond(char c);

/* print.c: "[N+]", "c", "=". */
void rg_smarts_print_atom(rg_text *out, const rg_smarts *s, rg_smarts_terms terms);
void rg_smarts_print_bond(rg_text *out, const rg_smarts *s, rg_smarts_terms terms);
bool rg_smarts_is_aromatic_symbol(unsigned element); /* may stand in small letters */

#endif
