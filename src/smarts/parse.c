/* parse.c - chains, branches and rings of SMARTS: as in SMILES, with patterns for atoms and bonds. */
#include "parse.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

enum { RINGS = 100 };

typedef struct open_ring {
    uint8_t atom; /* + 1; 0: not open */
    bool has_bond;
    rg_smarts_terms bond;
    size_t at;
} open_ring;

/* One chain with its branches; parts of $( ) have one of their own. */
typedef struct chain {
    rg_smarts *s;
    rg_smarts_parser *p;
    open_ring rings[RINGS];
    struct {
        uint8_t atom;
        size_t at;
    } branches[RG_SMARTS_ATOMS];
    size_t n_branches, n_open, bond_at;
    uint8_t before; /* atom + 1; 0: none */
    bool has_bond;  /* one waits for its second atom */
    rg_smarts_terms bond;
    bool wants_atom; /* behind '(' and at the start */
    bool behind_atom;
} chain;

char rg_smarts_look(const rg_smarts_parser *p)
{
    return p->at < p->n ? p->text[p->at] : '\0';
}

rg_status rg_smarts_complain(const rg_smarts_parser *p, size_t at, const char *what)
{
    size_t column = p->column + at;
    if (at >= p->n)
        return rg_fail(p->err, RG_EUSAGE,
                       "labels: column %zu: found the end of the pattern, expected %s", column,
                       what);
    unsigned char c = (unsigned char)p->text[at];
    if (c > 32 && c < 127)
        return rg_fail(p->err, RG_EUSAGE, "labels: column %zu: found '%c', expected %s", column, c,
                       what);
    return rg_fail(p->err, RG_EUSAGE, "labels: column %zu: found byte %u, expected %s", column, c,
                   what);
}

static rg_status too_many(const rg_smarts_parser *p, size_t at, const char *what, int most)
{
    return rg_fail(p->err, RG_EUSAGE, "labels: column %zu: found too many %s, expected at most %d",
                   p->column + at, what, most);
}

static rg_status join(chain *c, unsigned a, unsigned b, rg_smarts_terms terms, size_t at)
{
    rg_smarts *s = c->s;
    for (size_t k = 0; k < s->n_bonds; k++)
        if (s->bonds[k].a == a && s->bonds[k].b == b)
            return rg_smarts_complain(c->p, at, "one bond between two atoms");
    if (s->n_bonds == RG_SMARTS_BONDS)
        return too_many(c->p, at, "bonds", RG_SMARTS_BONDS);
    s->bonds[s->n_bonds++] = (rg_smarts_bond){(uint8_t)a, (uint8_t)b, terms};
    s->first_bond[b + 1] = (uint8_t)s->n_bonds;
    return RG_OK;
}

static rg_status take_atom(chain *c)
{
    rg_smarts *s = c->s;
    rg_smarts_parser *p = c->p;
    size_t at = p->at;
    rg_smarts_terms terms;
    if (s->n_atoms == RG_SMARTS_ATOMS)
        return too_many(p, at, "atoms", RG_SMARTS_ATOMS);
    rg_status status = RG_OK;
    if (rg_smarts_look(p) == '[') {
        p->at++;
        status = rg_smarts_parse_bracket(&terms, s, p);
    } else {
        status = rg_smarts_parse_bare(&terms, s, p);
    }
    if (status)
        return status;
    unsigned atom = (unsigned)s->n_atoms++, before = c->before;
    s->atoms[atom] = terms;
    s->first_bond[atom] = s->first_bond[atom + 1] = (uint8_t)s->n_bonds;
    rg_smarts_terms bond = c->has_bond ? c->bond : (rg_smarts_terms){0, 0};
    c->before = (uint8_t)(atom + 1);
    c->has_bond = c->wants_atom = false;
    c->behind_atom = true;
    return before ? join(c, before - 1, atom, bond, at) : RG_OK;
}

static rg_status take_bond(chain *c)
{
    if (!c->before || c->has_bond)
        return rg_smarts_complain(c->p, c->p->at, "an atom");
    c->bond_at = c->p->at;
    c->has_bond = true;
    return rg_smarts_parse_bond(&c->bond, c->s, c->p);
}

static bool same_terms(const rg_smarts *s, rg_smarts_terms a, rg_smarts_terms b)
{
    bool same = a.n == b.n;
    for (size_t k = 0; same && k < a.n; k++) {
        const rg_smarts_term *x = &s->terms[a.first + k], *y = &s->terms[b.first + k];
        same = x->kind == y->kind && x->negated == y->negated && x->behind == y->behind;
    }
    return same;
}

static rg_status close_ring(chain *c, open_ring *ring, size_t at)
{
    rg_smarts_terms bond = ring->has_bond ? ring->bond : (rg_smarts_terms){0, 0};
    unsigned a = ring->atom - 1u, b = c->before - 1u;
    if (a == b)
        return rg_smarts_complain(c->p, at, "the ring to end at another atom");
    if (ring->has_bond && c->has_bond && !same_terms(c->s, ring->bond, c->bond))
        return rg_smarts_complain(c->p, at, "the bond with which the ring begins");
    if (c->has_bond)
        bond = c->bond;
    ring->atom = 0;
    c->n_open--;
    c->has_bond = false;
    return a < b ? join(c, a, b, bond, at)
                 : rg_smarts_complain(c->p, at, "the ring to end behind where it begins");
}

static rg_status take_ring(chain *c)
{
    rg_smarts_parser *p = c->p;
    size_t at = p->at;
    unsigned number = 0;
    bool two = rg_smarts_look(p) == '%';
    if (!c->behind_atom)
        return rg_smarts_complain(p, at, "an atom or a bond");
    p->at += two;
    for (unsigned digits = two ? 2 : 1; digits; digits--, p->at++) {
        char digit = rg_smarts_look(p);
        if (digit < '0' || digit > '9')
            return rg_smarts_complain(p, p->at, "two digits behind '%'");
        number = number * 10 + (unsigned)(digit - '0');
    }
    open_ring *ring = &c->rings[number];
    if (ring->atom)
        return close_ring(c, ring, at);
    *ring = (open_ring){c->before, c->has_bond, c->bond, at};
    c->n_open++;
    c->has_bond = false;
    return RG_OK;
}

static rg_status take_open(chain *c)
{
    rg_smarts_parser *p = c->p;
    if (!c->before || c->has_bond || c->wants_atom)
        return rg_smarts_complain(p, p->at, "an atom");
    if (c->n_branches == RG_SMARTS_ATOMS)
        return too_many(p, p->at, "open branches", RG_SMARTS_ATOMS);
    c->branches[c->n_branches].atom = c->before;
    c->branches[c->n_branches++].at = p->at++;
    c->wants_atom = true;
    c->behind_atom = false;
    return RG_OK;
}

static rg_status take_close(chain *c)
{
    rg_smarts_parser *p = c->p;
    if (c->has_bond || c->wants_atom)
        return rg_smarts_complain(p, p->at, "an atom");
    if (!c->n_branches)
        return rg_smarts_complain(p, p->at, "an atom or a bond: no branch is open");
    c->before = c->branches[--c->n_branches].atom;
    c->behind_atom = false;
    p->at++;
    return RG_OK;
}

static rg_status take_one(chain *c)
{
    char sign = rg_smarts_look(c->p);
    if (sign == '(')
        return take_open(c);
    if (sign == ')')
        return take_close(c);
    if ((sign >= '0' && sign <= '9') || sign == '%')
        return take_ring(c);
    if (rg_smarts_is_bond(sign))
        return take_bond(c);
    if (sign == '.')
        return rg_smarts_complain(c->p, c->p->at, "an atom or a bond: a pattern is connected");
    return take_atom(c);
}

static rg_status check_end(const chain *c)
{
    const rg_smarts_parser *p = c->p;
    if (c->has_bond || c->wants_atom)
        return rg_smarts_complain(p, p->at, "an atom");
    if (c->n_branches)
        return rg_smarts_complain(p, c->branches[c->n_branches - 1].at, "')' for it");
    for (size_t k = 0; c->n_open && k < RINGS; k++)
        if (c->rings[k].atom)
            return rg_smarts_complain(p, c->rings[k].at, "the same number where the ring ends");
    return RG_OK;
}

/* What must be known of molecules before they are searched. */
static void note_wants(rg_smarts *s)
{
    for (size_t k = 0; k < s->n_terms; k++) {
        unsigned kind = s->terms[k].kind;
        s->wants_rings |=
            kind == RG_SMARTS_RING || kind == RG_SMARTS_RING_BONDS || kind == RG_SMARTS_BOND_RING;
        s->wants_ring_sizes |= kind == RG_SMARTS_RING_SIZE;
        s->wants_valences |= kind == RG_SMARTS_VALENCE;
    }
    for (size_t k = 0; k < s->n_parts; k++) {
        s->wants_rings |= s->parts[k]->wants_rings;
        s->wants_ring_sizes |= s->parts[k]->wants_ring_sizes;
        s->wants_valences |= s->parts[k]->wants_valences;
    }
}

rg_status rg_smarts_parse_pattern(rg_smarts **out, rg_smarts_parser *p)
{
    rg_smarts *s = rg_alloc_zero(1, sizeof *s);
    chain *c = rg_alloc_zero(1, sizeof *c);
    rg_status status = s && c ? RG_OK : rg_fail_memory(p->err, "a pattern");
    if (!status)
        *c = (chain){.s = s, .p = p, .wants_atom = true};
    while (!status && p->at < p->n && !(p->depth && rg_smarts_look(p) == ')' && !c->n_branches))
        status = take_one(c);
    if (!status)
        status = check_end(c);
    rg_free(c);
    if (status) {
        rg_smarts_free(s);
        return status;
    }
    note_wants(s);
    *out = s;
    return RG_OK;
}

rg_status rg_smarts_parse(rg_smarts **out, const char *text, size_t n, size_t column, rg_error *err)
{
    rg_smarts_parser p = {.text = text, .n = n, .column = column, .err = err};
    return rg_smarts_parse_pattern(out, &p);
}

void rg_smarts_free(rg_smarts *smarts)
{
    if (!smarts)
        return;
    for (size_t k = 0; k < smarts->n_parts; k++)
        rg_smarts_free(smarts->parts[k]);
    rg_free(smarts);
}
