/* scaffold.c - rings, what links them, and atoms on a double bond to either (G. Bemis and M. Murcko,
 * 1996, with the double bonds that chemists keep today). */
#include "element.h"
#include "perceive.h"

/* Leaves fall off until none is left: what stays lies on a ring or between two. */
static void drop_leaves(const rg_molecule *m, uint32_t *left, uint32_t *queue)
{
    size_t n = 0;
    for (uint32_t i = 0; i < m->n_atoms; i++) {
        left[i] = m->atoms[i].n_bonds;
        if (left[i] <= 1)
            queue[n++] = i;
    }
    for (size_t k = 0; k < n; k++) {
        uint32_t i = queue[k];
        left[i] = 0;
        for (uint32_t e = m->first[i]; e < m->first[i + 1]; e++) {
            uint32_t j = m->near[e].atom;
            if (left[j] > 1 && --left[j] == 1)
                queue[n++] = j;
        }
    }
}

static bool hangs_on_double_bond(const rg_molecule *m, uint32_t i, const uint32_t *left)
{
    for (uint32_t e = m->first[i]; e < m->first[i + 1]; e++)
        if (left[m->near[e].atom] > 1 && rg_mol_bond_label(&m->bonds[m->near[e].bond]) == 2)
            return true;
    return false;
}

rg_status rg_molecule_keep_scaffold(rg_molecule *m, rg_mol_fault *fault)
{
    size_t n = m->n_atoms;
    uint32_t *left = rg_molecule_scratch(m, 3 * n + 1), *number = left + n, count = 0;
    if (!left)
        return RG_ENOMEM;
    drop_leaves(m, left, number);
    for (uint32_t i = 0; i < n; i++)
        number[i] = left[i] > 1 || hangs_on_double_bond(m, i, left) ? count++ : RG_NO_ATOM;
    for (uint32_t i = 0; i < n; i++) {
        rg_mol_atom *atom = &m->atoms[i];
        atom->chirality = RG_CHIRAL_NONE;
        for (uint32_t e = m->first[i]; e < m->first[i + 1]; e++) {
            if (number[m->near[e].atom] != RG_NO_ATOM)
                continue;
            atom->n_bonds--;
            if (atom->element != RG_WILDCARD)
                atom->hydrogens = (uint8_t)(atom->hydrogens + m->bonds[m->near[e].bond].order);
        }
    }
    for (size_t k = 0; k < m->n_bonds; k++)
        m->bonds[k].stereo = RG_BOND_STEREO_NONE;
    rg_molecule_compact(m, number);
    m->rings.n = 0;
    return rg_molecule_connect(m, fault);
}
