/* print.c - patterns in normal form.
 *
 * Atoms keep their order, so the text has the bonds of the chain in the same places. A sign '&' is left out where
 * what follows cannot be read as part of what is in front of it. */
#include "parse.h"

#include "molecule/element.h"

#include <string.h>

static void print_symbol(rg_text *out, unsigned element, bool small)
{
    char symbol[4] = "";
    strncpy(symbol, rg_element_symbol(element), sizeof symbol - 1);
    if (small && symbol[0] >= 'A' && symbol[0] <= 'Z')
        symbol[0] = (char)(symbol[0] - 'A' + 'a');
    rg_text_add(out, "%s", symbol);
}

static void print_counted(rg_text *out, char sign, int32_t value)
{
    rg_text_add(out, value == RG_SMARTS_SOME ? "%c" : "%c%d", sign, (int)value);
}

static void print_charge(rg_text *out, int32_t value)
{
    if (value == 1 || value == -1)
        rg_text_add(out, "%c", value > 0 ? '+' : '-');
    else
        rg_text_add(out, "%+d", (int)value);
}

static void print_atom_term(rg_text *out, const rg_smarts *s, const rg_smarts_term *t)
{
    static const char signs[] = {
        [RG_SMARTS_ANY] = '*',        [RG_SMARTS_ALIPHATIC] = 'A',   [RG_SMARTS_AROMATIC] = 'a',
        [RG_SMARTS_ELEMENT] = '#',    [RG_SMARTS_DEGREE] = 'D',      [RG_SMARTS_HYDROGENS] = 'H',
        [RG_SMARTS_IMPLICIT] = 'h',   [RG_SMARTS_CONNECTIONS] = 'X', [RG_SMARTS_VALENCE] = 'v',
        [RG_SMARTS_RING_BONDS] = 'x', [RG_SMARTS_RING] = 'R',        [RG_SMARTS_RING_SIZE] = 'r'};
    switch (t->kind) {
    case RG_SMARTS_ANY:
    case RG_SMARTS_ALIPHATIC:
    case RG_SMARTS_AROMATIC:
    case RG_SMARTS_RING:
        rg_text_add(out, "%c", signs[t->kind]);
        break;
    case RG_SMARTS_ALIPHATIC_ELEMENT:
    case RG_SMARTS_AROMATIC_ELEMENT:
        print_symbol(out, (unsigned)t->value, t->kind == RG_SMARTS_AROMATIC_ELEMENT);
        break;
    case RG_SMARTS_ISOTOPE:
        rg_text_add(out, "%d", (int)t->value);
        break;
    case RG_SMARTS_CHARGE:
        print_charge(out, t->value);
        break;
    case RG_SMARTS_PART:
        rg_text_add(out, "$(");
        rg_smarts_print(out, s->parts[t->value]);
        rg_text_add(out, ")");
        break;
    default:
        print_counted(out, signs[t->kind], t->value);
        break;
    }
}

/* Must '&' stand between these two? Digits and small letters could belong to what is in front. */
static bool needs_and(const rg_smarts_term *before, const rg_smarts_term *t)
{
    if (before->kind == RG_SMARTS_CHARGE || t->kind == RG_SMARTS_ISOTOPE)
        return true;
    return !t->negated && (t->kind == RG_SMARTS_AROMATIC || t->kind == RG_SMARTS_AROMATIC_ELEMENT ||
                           t->kind == RG_SMARTS_IMPLICIT || t->kind == RG_SMARTS_VALENCE ||
                           t->kind == RG_SMARTS_RING_BONDS || t->kind == RG_SMARTS_RING_SIZE);
}

/* "[H]" is an atom of hydrogen, so a count of hydrogens stands there as "H1", as it always does. */
static bool stands_bare(const rg_smarts_term *t)
{
    if (t->negated || t->kind > RG_SMARTS_AROMATIC_ELEMENT)
        return false;
    if (t->kind == RG_SMARTS_ALIPHATIC_ELEMENT || t->kind == RG_SMARTS_AROMATIC_ELEMENT) {
        static const uint8_t organic[] = {5, 6, 7, 8, 15, 16, 9, 17, 35, 53};
        return memchr(organic, t->value, sizeof organic) != NULL;
    }
    return t->kind != RG_SMARTS_ELEMENT;
}

void rg_smarts_print_atom(rg_text *out, const rg_smarts *s, rg_smarts_terms terms)
{
    const rg_smarts_term *list = s->terms + terms.first;
    if (terms.n == 1 && stands_bare(list)) {
        print_atom_term(out, s, list);
        return;
    }
    rg_text_add(out, "[");
    for (size_t k = 0; k < terms.n; k++) {
        if (k && (list[k - 1].behind != '&' || needs_and(&list[k - 1], &list[k])))
            rg_text_add(out, "%c", list[k - 1].behind);
        if (list[k].negated)
            rg_text_add(out, "!");
        print_atom_term(out, s, &list[k]);
    }
    rg_text_add(out, "]");
}

void rg_smarts_print_bond(rg_text *out, const rg_smarts *s, rg_smarts_terms terms)
{
    static const char signs[] = "-=#$:~@";
    const rg_smarts_term *list = s->terms + terms.first;
    for (size_t k = 0; k < terms.n; k++) {
        if (k && list[k - 1].behind != '&')
            rg_text_add(out, "%c", list[k - 1].behind);
        rg_text_add(out, "%s%c", list[k].negated ? "!" : "",
                    signs[list[k].kind - RG_SMARTS_BOND_SINGLE]);
    }
}

/* ---- the whole */

typedef struct smarts_printer {
    rg_text *out;
    const rg_smarts *s;
    uint8_t number[RG_SMARTS_BONDS]; /* of a ring that is open, by its bond */
    bool used[RG_SMARTS_BONDS + 1];
} smarts_printer;

static void print_number(rg_text *out, unsigned number)
{
    rg_text_add(out, number > 9 ? "%%%u" : "%u", number);
}

static bool closes_ring(const rg_smarts *s, size_t bond)
{
    return bond != s->first_bond[s->bonds[bond].b];
}

/* Rings that end here give their numbers back before others take them. */
static void print_rings(smarts_printer *p, unsigned atom)
{
    const rg_smarts *s = p->s;
    for (size_t k = 0; k < s->n_bonds; k++)
        if (s->bonds[k].b == atom && closes_ring(s, k)) {
            print_number(p->out, p->number[k]);
            p->used[p->number[k]] = false;
        }
    for (size_t k = 0; k < s->n_bonds; k++)
        if (s->bonds[k].a == atom && closes_ring(s, k)) {
            unsigned number = 1;
            while (p->used[number])
                number++;
            p->used[number] = true;
            p->number[k] = (uint8_t)number;
            rg_smarts_print_bond(p->out, s, s->bonds[k].terms);
            print_number(p->out, number);
        }
}

/* The next atom after `after` whose chain comes from `atom`; n_atoms: none. */
static unsigned next_child(const rg_smarts *s, unsigned atom, unsigned after)
{
    unsigned child = after + 1;
    while (child < s->n_atoms && s->bonds[s->first_bond[child]].a != atom)
        child++;
    return child;
}

/* As deep as a pattern has atoms. */
static void print_from(smarts_printer *p, unsigned atom)
{
    const rg_smarts *s = p->s;
    rg_smarts_print_atom(p->out, s, s->atoms[atom]);
    print_rings(p, atom);
    for (unsigned child = next_child(s, atom, atom), next; child < s->n_atoms; child = next) {
        next = next_child(s, atom, child);
        bool last = next >= s->n_atoms;
        rg_text_add(p->out, "%s", last ? "" : "(");
        rg_smarts_print_bond(p->out, s, s->bonds[s->first_bond[child]].terms);
        print_from(p, child);
        rg_text_add(p->out, "%s", last ? "" : ")");
    }
}

void rg_smarts_print(rg_text *out, const rg_smarts *smarts)
{
    smarts_printer p = {.out = out, .s = smarts};
    print_from(&p, 0);
}
