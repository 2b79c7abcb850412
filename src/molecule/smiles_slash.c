/* smiles_slash.c - / and \ for double bonds that are cis or trans.
 *
 * One single bond at each end of such a double bond gets a mark. What it must be follows from any
 * other mark at the same double bond; marks of double bonds that are neighbours hang together. */
#include "smiles_out.h"

enum { OPEN = '?' }; /* a mark whose direction is not settled */

static bool is_stereo(const rg_smiles_out *s, uint32_t bond)
{
    return s->m->bonds[bond].stereo != RG_BOND_STEREO_NONE;
}

/* Aromatic ones too: that beside a double bond which leads out of the ring is single. */
static bool may_be_marked(const rg_smiles_out *s, uint32_t bond)
{
    return s->m->bonds[bond].order == 1;
}

/* Has the atom a double bond that says nothing? A mark beside it might be read as one of its own. */
static bool is_silent(const rg_smiles_out *s, uint32_t i)
{
    const rg_molecule *m = s->m;
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++)
        if (rg_mol_bond_label(&m->bonds[m->near[k].bond]) == 2 && !is_stereo(s, m->near[k].bond))
            return true;
    return false;
}

static void mark_end(rg_smiles_out *s, uint32_t i)
{
    const rg_molecule *m = s->m;
    uint32_t best = RG_NO_ATOM;
    bool silent = true;
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
        const rg_mol_near *near = &s->near[k];
        if (!may_be_marked(s, near->bond))
            continue;
        if (s->slash[near->bond])
            return;
        bool here = is_silent(s, near->atom);
        if (best == RG_NO_ATOM || (silent && !here)) {
            best = near->bond;
            silent = here;
        }
    }
    if (best != RG_NO_ATOM)
        s->slash[best] = OPEN;
}

/* The side of a neighbour at end i, 1 above or -1, from the mark of its bond; and back. */
static int side_of(const rg_smiles_out *s, uint32_t i, uint32_t bond)
{
    return (s->slash[bond] == '/') == (rg_smiles_from(s, bond) == i) ? 1 : -1;
}

static char mark_for(const rg_smiles_out *s, uint32_t i, uint32_t bond, int side)
{
    return (side > 0) == (rg_smiles_from(s, bond) == i) ? '/' : '\\';
}

static uint32_t other_end(const rg_molecule *m, uint32_t bond, uint32_t i)
{
    return m->bonds[bond].a == i ? m->bonds[bond].b : m->bonds[bond].a;
}

/* Marks at end i of a double bond whose meant neighbour lies on this side. Returns how many were
 * settled now, on the stack. */
static uint32_t settle_end(rg_smiles_out *s, uint32_t i, uint32_t bond, int side, uint32_t n)
{
    const rg_molecule *m = s->m;
    uint32_t meant = rg_molecule_meant(m, i, bond, NULL);
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
        uint32_t near = m->near[k].bond;
        if (near == bond || s->slash[near] != OPEN)
            continue;
        s->slash[near] = mark_for(s, i, near, m->near[k].atom == meant ? side : -side);
        s->stack[n++] = near;
    }
    return n;
}

/* What follows from a mark for all others. */
static void settle(rg_smiles_out *s, uint32_t marked)
{
    const rg_molecule *m = s->m;
    uint32_t n = 0;
    s->slash[marked] = '/';
    s->stack[n++] = marked;
    while (n > 0) {
        uint32_t bond = s->stack[--n];
        for (int end = 0; end < 2; end++) {
            uint32_t i = end ? m->bonds[bond].b : m->bonds[bond].a;
            for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
                uint32_t twin = m->near[k].bond;
                if (!is_stereo(s, twin))
                    continue;
                int side = side_of(s, i, bond);
                if (other_end(m, bond, i) != rg_molecule_meant(m, i, twin, NULL))
                    side = -side;
                n = settle_end(s, i, twin, side, n);
                n = settle_end(s, other_end(m, twin, i), twin,
                               m->bonds[twin].stereo == RG_BOND_CIS ? side : -side, n);
            }
        }
    }
}

void rg_smiles_slashes(rg_smiles_out *s)
{
    const rg_molecule *m = s->m;
    bool any = false;
    for (uint32_t k = 0; k < m->n_bonds; k++) {
        s->slash[k] = '\0';
        any |= is_stereo(s, k);
    }
    if (!any)
        return;
    for (uint32_t p = 0; p < m->n_atoms; p++)
        for (uint32_t k = m->first[s->walk[p]]; k < m->first[s->walk[p] + 1]; k++)
            if (is_stereo(s, s->near[k].bond))
                mark_end(s, s->walk[p]);
    for (uint32_t p = 0; p < m->n_atoms; p++)
        for (uint32_t k = m->first[s->walk[p]]; k < m->first[s->walk[p] + 1]; k++)
            if (s->slash[s->near[k].bond] == OPEN)
                settle(s, s->near[k].bond);
}
