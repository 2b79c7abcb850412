/* valence.c - hydrogens that are not written, and charges that are written as bonds. */
#include "element.h"
#include "perceive.h"

/* As many as are missing up to the first normal valence that holds all bonds. */
unsigned rg_molecule_missing(const rg_mol_atom *atom)
{
    const uint8_t *normal = rg_ion_valences(atom->element, atom->charge);
    unsigned taken = atom->bond_sum + atom->radicals;
    if (atom->valence)
        return atom->valence - 1u > atom->bond_sum ? atom->valence - 1u - atom->bond_sum : 0;
    for (size_t k = 0; k < RG_VALENCES && normal[k]; k++)
        if (normal[k] >= taken)
            return normal[k] - taken;
    return 0;
}

void rg_molecule_fill_hydrogens(rg_molecule *m)
{
    for (uint32_t i = 0; i < m->n_atoms; i++) {
        rg_mol_atom *atom = &m->atoms[i];
        if (!(atom->flags & RG_ATOM_FREE_HYDROGENS))
            continue;
        atom->hydrogens = (uint8_t)rg_molecule_missing(atom);
        if (atom->valence || atom->radicals) /* the file says it after all */
            atom->flags &= (uint8_t)~RG_ATOM_FREE_HYDROGENS;
    }
}

/* The first neutral neighbour of `element` by a bond of this order; NULL: none. */
static rg_mol_near *find_near(const rg_molecule *m, uint32_t i, unsigned element, unsigned order)
{
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
        const rg_mol_atom *other = &m->atoms[m->near[k].atom];
        if (other->element == element && !other->charge && m->bonds[m->near[k].bond].order == order)
            return &m->near[k];
    }
    return NULL;
}

/* One bond less, a pair of charges more. */
static void part(rg_molecule *m, uint32_t i, const rg_mol_near *near)
{
    rg_mol_bond *bond = &m->bonds[near->bond];
    bond->order--;
    bond->slash = RG_SLASH_NONE;
    m->atoms[i].charge++;
    m->atoms[i].bond_sum--;
    m->atoms[near->atom].charge--;
    m->atoms[near->atom].bond_sum--;
}

/* CN(=O)=O is C[N+](=O)[O-], CN=N#N is CN=[N+]=[N-]. */
static void part_nitrogen(rg_molecule *m, uint32_t i)
{
    if (m->atoms[i].charge || m->atoms[i].bond_sum + m->atoms[i].hydrogens != 5)
        return;
    const rg_mol_near *near = find_near(m, i, 8, 2);
    if (!near)
        near = find_near(m, i, 7, 3);
    if (near)
        part(m, i, near);
}

/* Cl(=O)(=O)(=O)O is [Cl+3]([O-])([O-])([O-])O: oxygens alone around it. */
static void part_halogen(rg_molecule *m, uint32_t i)
{
    unsigned sum = m->atoms[i].bond_sum;
    if (m->atoms[i].charge || (sum != 3 && sum != 5 && sum != 7))
        return;
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++)
        if (m->atoms[m->near[k].atom].element != 8 || m->bonds[m->near[k].bond].order > 2)
            return;
    for (const rg_mol_near *near; (near = find_near(m, i, 8, 2));)
        part(m, i, near);
}

/* C=P(=O)C is C=[P+]([O-])C. */
static void part_phosphorus(rg_molecule *m, uint32_t i)
{
    bool doubled = false;
    if (m->atoms[i].charge || m->atoms[i].n_bonds != 3 || m->atoms[i].bond_sum != 5)
        return;
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
        const rg_mol_atom *other = &m->atoms[m->near[k].atom];
        doubled |= (other->element == 6 || other->element == 7) && other->n_bonds >= 2 &&
                   m->bonds[m->near[k].bond].order == 2;
    }
    const rg_mol_near *near = doubled ? find_near(m, i, 8, 2) : NULL;
    if (near)
        part(m, i, near);
}

void rg_molecule_normalise(rg_molecule *m)
{
    for (uint32_t i = 0; i < m->n_atoms; i++)
        switch (m->atoms[i].element) {
        case 7:
            part_nitrogen(m, i);
            break;
        case 15:
            part_phosphorus(m, i);
            break;
        case 17:
        case 35:
        case 53:
            part_halogen(m, i);
            break;
        default:
            break;
        }
}
