/* terms.c - what atoms and bonds of SMARTS are asked for: terms, and the signs between them. */
#include "parse.h"

#include "molecule/element.h"

#include <string.h>

/* One more term, of this pattern or of one that it is part of. */
static rg_status count_term(rg_smarts_parser *p, size_t at)
{
    if (p->n_terms == RG_SMARTS_TERMS)
        return rg_smarts_complain(p, at, "at most 256 terms in a pattern");
    p->n_terms++;
    return RG_OK;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A number of at most five digits, or `usual` if there is none. */
static rg_status read_number(rg_smarts_parser *p, int32_t usual, int32_t *out)
{
    size_t start = p->at;
    int32_t value = 0;
    for (; is_digit(rg_smarts_look(p)); p->at++) {
        if (p->at - start == 5)
            return rg_smarts_complain(p, start, "a number of at most five digits");
        value = value * 10 + (rg_smarts_look(p) - '0');
    }
    *out = p->at > start ? value : usual;
    return RG_OK;
}

/* ---- atoms */

/* Elements that have small letters, two letters first. */
static const struct {
    char symbol[3];
    uint8_t element;
} small_letters[] = {{"se", 34}, {"as", 33}, {"te", 52}, {"si", 14}, {"c", 6},
                     {"n", 7},   {"o", 8},   {"s", 16},  {"p", 15},  {"b", 5}};
enum { N_SMALL = sizeof small_letters / sizeof *small_letters };

bool rg_smarts_is_aromatic_symbol(unsigned element)
{
    for (size_t k = 0; k < N_SMALL; k++)
        if (small_letters[k].element == element)
            return true;
    return false;
}

static bool read_small(rg_smarts_parser *p, rg_smarts_term *term)
{
    for (size_t k = 0; k < N_SMALL; k++) {
        size_t size = strlen(small_letters[k].symbol);
        if (p->n - p->at >= size && memcmp(p->text + p->at, small_letters[k].symbol, size) == 0) {
            *term = (rg_smarts_term){.kind = RG_SMARTS_AROMATIC_ELEMENT,
                                     .value = small_letters[k].element};
            p->at += size;
            return true;
        }
    }
    return false;
}

/* Signs with a number behind them, and what the sign alone stands for. */
static const struct {
    char sign;
    uint8_t kind;
    int8_t usual;
} counted[] = {{'D', RG_SMARTS_DEGREE, 1},
               {'H', RG_SMARTS_HYDROGENS, 1},
               {'h', RG_SMARTS_IMPLICIT, RG_SMARTS_SOME},
               {'X', RG_SMARTS_CONNECTIONS, 1},
               {'v', RG_SMARTS_VALENCE, 1},
               {'x', RG_SMARTS_RING_BONDS, RG_SMARTS_SOME},
               {'r', RG_SMARTS_RING_SIZE, RG_SMARTS_SOME},
               {'R', RG_SMARTS_RING, RG_SMARTS_SOME}};

/* "x", "r" and "R" alone mean the same; of R no other numbers than 0 are known, for which rings count depends on
 * a choice among them. */
static rg_status settle_rings(const rg_smarts_parser *p, size_t at, rg_smarts_term *term)
{
    bool ring = term->kind == RG_SMARTS_RING_BONDS || term->kind == RG_SMARTS_RING_SIZE ||
                term->kind == RG_SMARTS_RING;
    if (!ring || (term->value > 0 && term->kind != RG_SMARTS_RING))
        return RG_OK;
    if (term->value > 0)
        return rg_smarts_complain(
            p, at, "R or R0: rings are counted by their bonds (x) or told by their size (r)");
    *term = (rg_smarts_term){.kind = RG_SMARTS_RING, .negated = term->value == 0};
    return RG_OK;
}

static rg_status read_counted(rg_smarts_parser *p, rg_smarts_term *term, bool *found)
{
    for (size_t k = 0; k < sizeof counted / sizeof *counted; k++) {
        size_t at = p->at;
        if (rg_smarts_look(p) != counted[k].sign)
            continue;
        *found = true;
        p->at++;
        term->kind = counted[k].kind;
        rg_status status = read_number(p, counted[k].usual, &term->value);
        return status ? status : settle_rings(p, at, term);
    }
    *found = false;
    return RG_OK;
}

static rg_status read_charge(rg_smarts_parser *p, rg_smarts_term *term)
{
    char sign = rg_smarts_look(p);
    size_t at = p->at++;
    int32_t value = 1;
    rg_status status = RG_OK;
    if (is_digit(rg_smarts_look(p)))
        status = read_number(p, 1, &value);
    else
        for (; rg_smarts_look(p) == sign; p->at++)
            value++;
    if (!status && value > 15)
        status = rg_smarts_complain(p, at, "a charge of at most 15");
    *term = (rg_smarts_term){.kind = RG_SMARTS_CHARGE, .value = sign == '+' ? value : -value};
    return status;
}

static rg_status read_element_number(rg_smarts_parser *p, rg_smarts_term *term)
{
    size_t at = p->at++;
    rg_status status = read_number(p, RG_ELEMENTS + 1, &term->value);
    term->kind = RG_SMARTS_ELEMENT;
    if (!status && term->value > RG_ELEMENTS)
        status = rg_smarts_complain(p, at, "'#' and the number of an element, 0 to 118");
    return status;
}

/* $( ): a pattern of its own, whose first atom is this one. */
static rg_status read_part(rg_smarts *s, rg_smarts_parser *p, rg_smarts_term *term)
{
    size_t at = p->at++;
    if (rg_smarts_look(p) != '(')
        return rg_smarts_complain(p, p->at, "'(' behind '$'");
    if (p->n_parts++ == RG_SMARTS_PARTS)
        return rg_smarts_complain(p, at, "at most 16 times $( ) in a pattern");
    if (p->depth == RG_SMARTS_DEEPEST)
        return rg_smarts_complain(p, at, "at most four $( ) inside each other");
    p->at++;
    p->depth++;
    rg_status status = rg_smarts_parse_pattern(&s->parts[s->n_parts], p);
    p->depth--;
    if (status)
        return status;
    *term = (rg_smarts_term){.kind = RG_SMARTS_PART, .value = (int32_t)s->n_parts++};
    if (rg_smarts_look(p) != ')')
        return rg_smarts_complain(p, p->at, "')' behind the pattern in $( )");
    p->at++;
    return RG_OK;
}

static bool read_symbol(rg_smarts_parser *p, rg_smarts_term *term)
{
    size_t length = 0;
    int element = rg_element_find(p->text + p->at, p->n - p->at, &length);
    /* H, D and the like count something, unless a second letter makes them an element. */
    bool counts = length == 1 && rg_smarts_look(p) == 'H';
    if (element <= 0 || counts)
        return false;
    *term = (rg_smarts_term){.kind = RG_SMARTS_ALIPHATIC_ELEMENT, .value = element};
    p->at += length;
    return true;
}

static bool read_any(rg_smarts_parser *p, rg_smarts_term *term)
{
    char sign = rg_smarts_look(p);
    if (sign != '*' && sign != 'A' && sign != 'a')
        return false;
    term->kind = sign == '*'   ? RG_SMARTS_ANY
                 : sign == 'A' ? RG_SMARTS_ALIPHATIC
                               : RG_SMARTS_AROMATIC;
    p->at++;
    return true;
}

static rg_status read_atom_term(rg_smarts *s, rg_smarts_parser *p, rg_smarts_term *term)
{
    static const char expected[] =
        "an element, or one of # * A a D H h X v x R r + - $( and numbers of isotopes";
    char sign = rg_smarts_look(p);
    bool found;
    if (sign == '+' || sign == '-')
        return read_charge(p, term);
    if (sign == '#')
        return read_element_number(p, term);
    if (sign == '$')
        return read_part(s, p, term);
    if (sign == '@')
        return rg_smarts_complain(p, p->at, "no chirality: patterns do not look at it");
    if (is_digit(sign)) {
        char before = p->text[p->at - 1]; /* a bracket at least */
        if (!strchr("[!&,;", before))
            return rg_smarts_complain(
                p, p->at, "the number of an isotope in front of the atom, or behind '&'");
        term->kind = RG_SMARTS_ISOTOPE;
        return read_number(p, 0, &term->value);
    }
    if (read_symbol(p, term) || read_small(p, term) || read_any(p, term))
        return RG_OK;
    rg_status status = read_counted(p, term, &found);
    return status || found ? status : rg_smarts_complain(p, p->at, expected);
}

/* "[H]", "[2H]", "[H+]": hydrogen; elsewhere H counts hydrogens. False: nothing was read. */
static bool read_hydrogen(rg_smarts *s, rg_smarts_parser *p)
{
    rg_smarts_parser q = *p;
    int32_t isotope = 0;
    rg_smarts_term charge = {0};
    rg_error ignored;
    q.err = &ignored;
    if (read_number(&q, RG_SMARTS_SOME, &isotope) || rg_smarts_look(&q) != 'H')
        return false;
    q.at++;
    char sign = rg_smarts_look(&q);
    bool charged = sign == '+' || sign == '-';
    if ((charged && read_charge(&q, &charge)) || rg_smarts_look(&q) != ']' ||
        s->n_terms + 3 > RG_SMARTS_TERMS)
        return false;
    if (isotope != RG_SMARTS_SOME)
        s->terms[s->n_terms++] =
            (rg_smarts_term){.kind = RG_SMARTS_ISOTOPE, .behind = '&', .value = isotope};
    s->terms[s->n_terms++] =
        (rg_smarts_term){.kind = RG_SMARTS_ELEMENT, .behind = charged ? '&' : '\0', .value = 1};
    if (charged)
        s->terms[s->n_terms++] = charge;
    p->n_terms += 1u + charged + (isotope != RG_SMARTS_SOME);
    p->at = q.at;
    return true;
}

/* ---- terms and the signs between them */

typedef rg_status (*read_term)(rg_smarts *s, rg_smarts_parser *p, rg_smarts_term *term);

static bool is_operator(char c)
{
    return c == '&' || c == ',' || c == ';';
}

/* goes_on: may another term stand here without a sign in front of it? */
static rg_status read_terms(rg_smarts_terms *out, rg_smarts *s, rg_smarts_parser *p, read_term read,
                            bool (*goes_on)(char c))
{
    rg_smarts_term list[RG_SMARTS_TERMS];
    size_t n = 0;
    bool more = true;
    while (more) {
        rg_smarts_term term = {0};
        bool negated = false;
        size_t at = p->at;
        for (; rg_smarts_look(p) == '!'; p->at++)
            negated = !negated;
        rg_status status = read(s, p, &term);
        if (!status)
            status = count_term(p, at);
        if (status)
            return status;
        char sign = rg_smarts_look(p);
        term.negated = term.negated != negated;
        more = is_operator(sign) || goes_on(sign);
        if (more)
            term.behind = is_operator(sign) ? sign : '&';
        p->at += is_operator(sign);
        list[n++] = term;
    }
    *out = (rg_smarts_terms){(uint16_t)s->n_terms, (uint16_t)n};
    memcpy(s->terms + s->n_terms, list, n * sizeof *list);
    s->n_terms += n;
    return RG_OK;
}

static bool inside_bracket(char c)
{
    return c != ']' && c != ':' && c != '\0';
}

rg_status rg_smarts_parse_bracket(rg_smarts_terms *out, rg_smarts *s, rg_smarts_parser *p)
{
    size_t first = s->n_terms;
    rg_status status = RG_OK;
    int32_t ignored;
    if (read_hydrogen(s, p))
        *out = (rg_smarts_terms){(uint16_t)first, (uint16_t)(s->n_terms - first)};
    else
        status = read_terms(out, s, p, read_atom_term, inside_bracket);
    if (!status && rg_smarts_look(p) == ':') { /* the class of the atom says nothing here */
        p->at++;
        if (!is_digit(rg_smarts_look(p)))
            return rg_smarts_complain(p, p->at, "the number of an atom class");
        status = read_number(p, 0, &ignored);
    }
    if (!status && rg_smarts_look(p) != ']')
        status = rg_smarts_complain(p, p->at, "']' behind the atom");
    p->at++;
    return status;
}

rg_status rg_smarts_parse_bare(rg_smarts_terms *out, rg_smarts *s, rg_smarts_parser *p)
{
    static const char expected[] = "an atom, such as C, c, * or [N+]";
    char sign = rg_smarts_look(p), next = p->at + 1 < p->n ? p->text[p->at + 1] : '\0';
    rg_smarts_term term = {0};
    size_t at = p->at;
    bool two = (sign == 'C' && next == 'l') || (sign == 'B' && next == 'r');
    size_t length = 0;
    if (sign && strchr("BCNOPSFI", sign)) {
        term.kind = RG_SMARTS_ALIPHATIC_ELEMENT;
        term.value = rg_element_find(p->text + p->at, two ? 2 : 1, &length);
        p->at += length;
    } else if (sign && strchr("bcnops", sign)) {
        term.kind = RG_SMARTS_AROMATIC_ELEMENT;
        char symbol = (char)(sign - 'a' + 'A');
        term.value = rg_element_find(&symbol, 1, &length);
        p->at++;
    } else if (!read_any(p, &term)) {
        return rg_smarts_complain(p, at, expected);
    }
    *out = (rg_smarts_terms){(uint16_t)s->n_terms, 1};
    rg_status status = count_term(p, at);
    if (!status)
        s->terms[s->n_terms++] = term;
    return status;
}

/* ---- bonds */

static const char bond_signs[] = "-=#$:~@";

bool rg_smarts_is_bond(char c)
{
    return c && (strchr(bond_signs, c) || c == '!' || c == '/' || c == '\\');
}

static rg_status read_bond_term(rg_smarts *s, rg_smarts_parser *p, rg_smarts_term *term)
{
    char sign = rg_smarts_look(p);
    const char *found = sign ? strchr(bond_signs, sign) : NULL;
    (void)s;
    if (sign == '/' || sign == '\\')
        return rg_smarts_complain(p, p->at,
                                  "a bond without a side: patterns do not look at cis and trans");
    if (!found)
        return rg_smarts_complain(p, p->at, "a bond, one of - = # $ : ~ @");
    term->kind = (uint8_t)(RG_SMARTS_BOND_SINGLE + (found - bond_signs));
    p->at++;
    return RG_OK;
}

rg_status rg_smarts_parse_bond(rg_smarts_terms *out, rg_smarts *s, rg_smarts_parser *p)
{
    return read_terms(out, s, p, read_bond_term, rg_smarts_is_bond);
}
