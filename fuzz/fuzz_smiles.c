/* fuzz_smiles.c - any bytes as lines of SMILES, and what must hold of every molecule. */
#include "files.h"

#include "molecule/smiles.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void check_molecule(const rg_molecule *m)
{
    for (size_t k = 0; k < m->n_bonds; k++) {
        const rg_mol_bond *bond = &m->bonds[k];
        assert(bond->a < m->n_atoms && bond->b < m->n_atoms && bond->a != bond->b);
        assert(bond->order >= 1 && bond->order <= 4);
    }
    for (size_t r = 0; r < m->rings.n; r++)
        for (uint32_t k = m->rings.start[r]; k < m->rings.start[r + 1]; k++)
            assert(m->atoms[m->rings.atoms[k]].flags & RG_ATOM_RING);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char *const names[] = {"X.smi"};
    static const rg_mol_options options = {0};
    rg_molecule m = {0};
    rg_smiles_reader reader = {0};
    rg_mol_fault fault;
    rg_status status = rg_smiles_parse(&m, &reader, (const char *)bytes, n, &fault);
    if (!status)
        status = rg_molecule_perceive(&m, &options, &fault);
    if (status == RG_EDATA)
        assert(fault.at <= n && *fault.reason);
    else if (!status)
        check_molecule(&m);
    rg_molecule_free(&m);
    rg_smiles_reader_free(&reader);
    return fuzz_both_ways(&rg_format_smi, names, 1, bytes, n);
}
