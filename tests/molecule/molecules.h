/* molecules.h - molecules as short texts, for tests to compare. */
#ifndef REGULA_TESTS_MOLECULE_MOLECULES_H
#define REGULA_TESTS_MOLECULE_MOLECULES_H

#include "base/alloc.h"
#include "molecule/element.h"
#include "molecule/perceive.h"
#include "molecule/smiles.h"
#include "support/support.h"
#include "text/text.h"

#include <string.h>

typedef struct test_reader {
    rg_molecule m;
    rg_smiles_reader reader;
    rg_mol_fault fault;
} test_reader;

static inline void test_reader_free(test_reader *t)
{
    rg_molecule_free(&t->m);
    rg_smiles_reader_free(&t->reader);
}

static inline rg_status test_smiles(test_reader *t, const char *text)
{
    static const rg_mol_options options = {0};
    rg_status status = rg_smiles_parse(&t->m, &t->reader, text, strlen(text), &t->fault);
    return status ? status : rg_molecule_perceive(&t->m, &options, &t->fault);
}

static inline void test_smiles_fine(test_reader *t, const char *text)
{
    if (test_smiles(t, text))
        fail_msg("'%s' is refused at %zu: %s", text, t->fault.at, t->fault.reason);
}

/* "C3 c1+ O0-": symbols, small if aromatic, hydrogens, a sign for each charge. Owned (rg_free). */
static inline char *test_atoms(const rg_molecule *m)
{
    rg_text text = {0};
    for (size_t i = 0; i < m->n_atoms; i++) {
        const rg_mol_atom *atom = &m->atoms[i];
        const char *symbol = rg_element_symbol(atom->element);
        bool aromatic = atom->flags & RG_ATOM_AROMATIC;
        rg_text_add(&text, "%s%c%s%u", i ? " " : "",
                    aromatic && *symbol != '*' ? symbol[0] + 32 : symbol[0], symbol + 1,
                    atom->hydrogens);
        for (int k = 0; k < abs(atom->charge); k++)
            rg_text_add(&text, "%c", atom->charge > 0 ? '+' : '-');
    }
    return rg_text_take(&text);
}

/* "0-1 0=2 1:2": each bond from its lower end, - = # : or $, then / for trans and \ for cis. */
static inline char *test_bonds(const rg_molecule *m)
{
    rg_text text = {0};
    for (uint32_t i = 0; i < m->n_atoms; i++)
        for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
            const rg_mol_bond *bond = &m->bonds[m->near[k].bond];
            if (m->near[k].atom > i)
                rg_text_add(&text, "%s%u%c%u%s", text.n ? " " : "", i,
                            "?-=#:$"[rg_mol_bond_label(bond)], m -> near[k].atom,
                            bond->stereo == RG_BOND_CIS     ? "\\"
                            : bond->stereo == RG_BOND_TRANS ? "/"
                                                            : "");
        }
    return rg_text_take(&text);
}

#endif
