/* words.c - patterns in plain words, atom by atom. */
#include "parse.h"

#include "molecule/element.h"

static const char *plural(int32_t n)
{
    return n == 1 ? "" : "s";
}

static void say_atom_term(rg_text *out, const rg_smarts *s, const rg_smarts_term *t)
{
    int n = (int)t->value;
    switch (t->kind) {
    case RG_SMARTS_ANY:
        rg_text_add(out, "any atom");
        break;
    case RG_SMARTS_ALIPHATIC:
        rg_text_add(out, "aliphatic");
        break;
    case RG_SMARTS_AROMATIC:
        rg_text_add(out, "aromatic");
        break;
    case RG_SMARTS_ELEMENT:
        rg_text_add(out, "%s", rg_element_symbol((unsigned)n));
        break;
    case RG_SMARTS_ALIPHATIC_ELEMENT:
        rg_text_add(out, "%s%s", rg_smarts_is_aromatic_symbol((unsigned)n) ? "aliphatic " : "",
                    rg_element_symbol((unsigned)n));
        break;
    case RG_SMARTS_AROMATIC_ELEMENT:
        rg_text_add(out, "aromatic %s", rg_element_symbol((unsigned)n));
        break;
    case RG_SMARTS_ISOTOPE:
        rg_text_add(out, "isotope %d", n);
        break;
    case RG_SMARTS_CHARGE:
        rg_text_add(out, n ? "charge %+d" : "charge %d", n);
        break;
    case RG_SMARTS_DEGREE:
        rg_text_add(out, "%d neighbour%s", n, plural(n));
        break;
    case RG_SMARTS_HYDROGENS:
        rg_text_add(out, "%d hydrogen%s", n, plural(n));
        break;
    case RG_SMARTS_IMPLICIT:
        if (n == RG_SMARTS_SOME)
            rg_text_add(out, "implicit hydrogens");
        else
            rg_text_add(out, "%d implicit hydrogen%s", n, plural(n));
        break;
    case RG_SMARTS_CONNECTIONS:
        rg_text_add(out, "%d neighbour%s and hydrogens", n, plural(n));
        break;
    case RG_SMARTS_VALENCE:
        rg_text_add(out, "valence %d", n);
        break;
    case RG_SMARTS_RING_BONDS:
        rg_text_add(out, "%d ring bond%s", n, plural(n));
        break;
    case RG_SMARTS_RING:
        rg_text_add(out, "in a ring");
        break;
    case RG_SMARTS_RING_SIZE:
        rg_text_add(out, "smallest ring of %d", n);
        break;
    case RG_SMARTS_PART:
        rg_text_add(out, "the first atom of (");
        rg_smarts_words(out, s->parts[t->value]);
        rg_text_add(out, ")");
        break;
    default:
        break;
    }
}

static const char *bond_word(unsigned kind)
{
    static const char *const words[] = {"single",   "double", "triple", "quadruple",
                                        "aromatic", "any",    "ring"};
    return words[kind - RG_SMARTS_BOND_SINGLE];
}

/* '&' says ", " between what an atom is asked for, ',' says " or ", ';' says " and ". */
static void say_terms(rg_text *out, const rg_smarts *s, rg_smarts_terms terms)
{
    for (size_t k = 0; k < terms.n; k++) {
        const rg_smarts_term *t = &s->terms[terms.first + k];
        rg_text_add(out, "%s", t->negated ? "not " : "");
        if (t->kind >= RG_SMARTS_BOND_SINGLE)
            rg_text_add(out, "%s", bond_word(t->kind));
        else
            say_atom_term(out, s, t);
        rg_text_add(out, "%s",
                    t->behind == '&'   ? ", "
                    : t->behind == ',' ? " or "
                    : t->behind == ';' ? " and "
                                       : "");
    }
}

static void say_bond(rg_text *out, const rg_smarts *s, const rg_smarts_bond *bond)
{
    rg_text_add(out, " bond to %u: ", bond->a + 1u);
    if (bond->terms.n)
        say_terms(out, s, bond->terms);
    else
        rg_text_add(out, "single or aromatic");
}

void rg_smarts_words(rg_text *out, const rg_smarts *smarts)
{
    for (unsigned i = 0; i < smarts->n_atoms; i++) {
        rg_text_add(out, "%s", i ? "; " : "");
        if (smarts->n_atoms > 1)
            rg_text_add(out, "%u ", i + 1);
        say_terms(out, smarts, smarts->atoms[i]);
        for (unsigned k = smarts->first_bond[i]; k < smarts->first_bond[i + 1]; k++) {
            rg_text_add(out, ",");
            say_bond(out, smarts, &smarts->bonds[k]);
        }
    }
}
