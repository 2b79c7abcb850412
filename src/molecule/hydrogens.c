/* hydrogens.c - hydrogens as atoms of their own, and as numbers. */
#include "element.h"
#include "perceive.h"

#include <string.h>

/* What says no more than that it is there: neutral, no isotope, no class, one single bond to an atom
 * that is neither a hydrogen nor a wildcard. */
static bool folds(const rg_molecule *m, uint32_t i)
{
    const rg_mol_atom *atom = &m->atoms[i];
    if (atom->element != 1 || atom->charge || atom->isotope || atom->map || atom->hydrogens ||
        atom->n_bonds != 1)
        return false;
    rg_mol_near near = m->near[m->first[i]];
    const rg_mol_atom *other = &m->atoms[near.atom];
    const rg_mol_bond *bond = &m->bonds[near.bond];
    if (bond->slash && other->n_bonds == 2) /* as in [H]/N=C/C: nothing else says cis or trans */
        return false;
    return other->element != 1 && other->element != RG_WILDCARD && bond->order == 1;
}

void rg_molecule_compact(rg_molecule *m, const uint32_t *number)
{
    size_t n_atoms = 0, n_bonds = 0;
    for (size_t i = 0; i < m->n_atoms; i++)
        if (number[i] != RG_NO_ATOM)
            m->atoms[n_atoms++] = m->atoms[i];
    for (size_t k = 0; k < m->n_bonds; k++) {
        rg_mol_bond bond = m->bonds[k];
        bond.a = number[bond.a];
        bond.b = number[bond.b];
        if (bond.a != RG_NO_ATOM && bond.b != RG_NO_ATOM)
            m->bonds[n_bonds++] = bond;
    }
    m->n_atoms = n_atoms;
    m->n_bonds = n_bonds;
}

rg_status rg_molecule_fold_hydrogens(rg_molecule *m, rg_mol_fault *fault)
{
    uint32_t *number = rg_molecule_scratch(m, m->n_atoms + 1), n = 0;
    if (!number)
        return RG_ENOMEM;
    for (uint32_t i = 0; i < m->n_atoms; i++) {
        bool goes = folds(m, i);
        number[i] = goes ? RG_NO_ATOM : n++;
        if (goes) {
            rg_mol_atom *other = &m->atoms[m->near[m->first[i]].atom];
            other->hydrogens++;
            other->n_bonds--;
            other->bond_sum--;
        }
    }
    if (n == m->n_atoms)
        return RG_OK;
    rg_molecule_compact(m, number);
    return rg_molecule_connect(m, fault);
}

rg_status rg_molecule_add_hydrogens(rg_molecule *m, rg_mol_fault *fault)
{
    size_t n = m->n_atoms;
    for (uint32_t i = 0; i < n; i++) {
        unsigned count = m->atoms[i].hydrogens;
        m->atoms[i].hydrogens = 0;
        for (unsigned k = 0; k < count; k++) {
            uint32_t at = m->atoms[i].at;
            rg_mol_atom *atom = rg_molecule_add_atom(m);
            if (!atom)
                return RG_ENOMEM;
            atom->element = 1;
            atom->at = at;
            rg_mol_bond *bond = rg_molecule_add_bond(m, i, (uint32_t)m->n_atoms - 1);
            if (!bond)
                return RG_ENOMEM;
            bond->order = 1;
        }
    }
    return rg_molecule_connect(m, fault);
}

/* ---- hybridisation: neighbours and lone pairs around an atom */

/* Is a neighbour's bond to somebody else double or aromatic? Then a lone pair lies beside it flat. */
static bool is_conjugated(const rg_molecule *m, uint32_t i)
{
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
        uint32_t j = m->near[k].atom;
        for (uint32_t e = m->first[j]; e < m->first[j + 1]; e++)
            if (m->near[e].atom != i && m->bonds[m->near[e].bond].order > 1)
                return true;
    }
    return false;
}

void rg_molecule_hybridise(rg_molecule *m)
{
    static const uint8_t by_orbitals[] = {RG_HYBRID_NONE, RG_HYBRID_NONE, RG_HYBRID_SP,
                                          RG_HYBRID_SP2,  RG_HYBRID_SP3,  RG_HYBRID_SP3D,
                                          RG_HYBRID_SP3D2};
    for (uint32_t i = 0; i < m->n_atoms; i++) {
        rg_mol_atom *atom = &m->atoms[i];
        if (!rg_element_valences(atom->element)[0] || atom->element == 1)
            continue;
        unsigned around = atom->n_bonds + atom->hydrogens;
        int used = atom->bond_sum + atom->hydrogens;
        int left = (int)rg_element_outer(atom->element) - used - atom->charge;
        unsigned pairs = left > 0 ? (unsigned)left / 2 : 0, orbitals = around + pairs;
        atom->hybrid = orbitals < sizeof by_orbitals ? by_orbitals[orbitals] : RG_HYBRID_NONE;
        bool flat = atom->flags & RG_ATOM_AROMATIC ||
                    (orbitals == 4 && around <= 3 && pairs && is_conjugated(m, i));
        if (flat && orbitals >= 3 && orbitals <= 4)
            atom->hybrid = RG_HYBRID_SP2;
    }
}
