/* molecule.c - the arrays of a molecule. */
#include "molecule.h"

#include "base/alloc.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

rg_status rg_mol_fail(rg_mol_fault *fault, size_t at, const char *format, ...)
{
    va_list list;
    fault->at = at;
    va_start(list, format);
    vsnprintf(fault->reason, sizeof fault->reason, format, list);
    va_end(list);
    return RG_EDATA;
}

void rg_molecule_free(rg_molecule *m)
{
    rg_free(m->atoms);
    rg_free(m->bonds);
    rg_free(m->first);
    rg_free(m->near);
    rg_free(m->rings.start);
    rg_free(m->rings.atoms);
    rg_free(m->rings.bonds);
    rg_free(m->scratch);
    memset(m, 0, sizeof *m);
}

void rg_molecule_clear(rg_molecule *m)
{
    m->n_atoms = m->n_bonds = m->rings.n = 0;
    m->is_tree = m->has_slash = m->has_chirality = m->has_aromatic = m->has_hydrogen = false;
}

rg_mol_atom *rg_molecule_add_atom(rg_molecule *m)
{
    if (m->n_atoms == m->atom_capacity &&
        !rg_grow(&m->atoms, &m->atom_capacity, m->n_atoms + 1, sizeof *m->atoms))
        return NULL;
    rg_mol_atom *atom = &m->atoms[m->n_atoms++];
    *atom = (rg_mol_atom){0};
    return atom;
}

rg_mol_bond *rg_molecule_add_bond(rg_molecule *m, uint32_t a, uint32_t b)
{
    if (m->n_bonds == m->bond_capacity &&
        !rg_grow(&m->bonds, &m->bond_capacity, m->n_bonds + 1, sizeof *m->bonds))
        return NULL;
    m->atoms[a].n_bonds++;
    m->atoms[b].n_bonds++;
    rg_mol_bond *bond = &m->bonds[m->n_bonds++];
    *bond = (rg_mol_bond){.a = a, .b = b};
    return bond;
}

uint32_t *rg_molecule_scratch(rg_molecule *m, size_t n)
{
    if (n > m->scratch_capacity &&
        !rg_grow(&m->scratch, &m->scratch_capacity, n, sizeof *m->scratch))
        return NULL;
    return m->scratch;
}

/* Bonds come mostly so that the list of an atom is nearly sorted: hence insertion. */
static bool insert_near(rg_mol_near *list, size_t n, rg_mol_near item)
{
    while (n > 0 && list[n - 1].atom > item.atom) {
        list[n] = list[n - 1];
        n--;
    }
    list[n] = item;
    return n == 0 || list[n - 1].atom != item.atom;
}

static size_t place_of(const rg_mol_bond *bond)
{
    uint32_t at = bond->at_b ? bond->at_b : bond->at_a;
    return at ? at - 1 : 0;
}

rg_status rg_molecule_connect(rg_molecule *m, rg_mol_fault *fault)
{
    size_t n = m->n_atoms;
    if (!rg_grow(&m->first, &m->first_capacity, n + 1, sizeof *m->first) ||
        !rg_grow(&m->near, &m->near_capacity, 2 * m->n_bonds + 1, sizeof *m->near))
        return RG_ENOMEM;
    uint32_t *used = rg_molecule_scratch(m, n + 1);
    if (!used)
        return RG_ENOMEM;
    uint32_t start = 0;
    for (size_t i = 0; i < n; i++) {
        if (m->atoms[i].n_bonds > RG_ATOM_BONDS_MAX)
            return rg_mol_fail(fault, m->atoms[i].at,
                               "found an atom with %u bonds, expected at most %d",
                               m->atoms[i].n_bonds, RG_ATOM_BONDS_MAX);
        m->first[i] = start;
        used[i] = 0;
        start += m->atoms[i].n_bonds;
    }
    m->first[n] = start;
    for (size_t k = 0; k < m->n_bonds; k++) {
        const rg_mol_bond *bond = &m->bonds[k];
        uint32_t a = bond->a, b = bond->b;
        bool fine = insert_near(m->near + m->first[a], used[a]++, (rg_mol_near){b, (uint32_t)k});
        insert_near(m->near + m->first[b], used[b]++, (rg_mol_near){a, (uint32_t)k});
        if (!fine)
            return rg_mol_fail(fault, place_of(bond),
                               "found a second bond between two atoms, expected one at most");
    }
    return RG_OK;
}

static void add_order(rg_mol_atom *atom, unsigned order)
{
    atom->bond_sum = (uint16_t)(atom->bond_sum + order);
}

void rg_molecule_sum_bonds(rg_molecule *m)
{
    for (size_t i = 0; i < m->n_atoms; i++)
        m->atoms[i].bond_sum = 0;
    for (size_t k = 0; k < m->n_bonds; k++) {
        add_order(&m->atoms[m->bonds[k].a], m->bonds[k].order);
        add_order(&m->atoms[m->bonds[k].b], m->bonds[k].order);
    }
}

unsigned rg_mol_bond_label(const rg_mol_bond *bond)
{
    if (bond->flags & RG_BOND_IS_AROMATIC)
        return 4;
    return bond->order == 4 ? 5 : bond->order;
}
