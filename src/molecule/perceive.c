/* perceive.c - from atoms and bonds as they are written to a molecule. */
#include "perceive.h"

static rg_status reconnect(rg_molecule *m, rg_mol_fault *fault)
{
    return m->has_hydrogen ? rg_molecule_fold_hydrogens(m, fault) : RG_OK;
}

rg_status rg_molecule_perceive(rg_molecule *m, const rg_mol_options *options, rg_mol_fault *fault)
{
    rg_status status = rg_molecule_connect(m, fault);
    if (!status)
        status = rg_molecule_ring_bonds(m);
    if (status)
        return status;
    rg_molecule_sum_bonds(m);
    status = rg_molecule_kekulise(m, fault);
    if (status)
        return status;
    rg_molecule_fill_hydrogens(m);
    if (!options->as_written) {
        rg_molecule_normalise(m);
        rg_molecule_turn_centres(m);
        rg_molecule_settle_double_bonds(m);
        status = reconnect(m, fault);
    }
    if (!status)
        status = rg_molecule_find_rings(m, fault);
    if (!status)
        status = rg_molecule_find_aromatic(m);
    if (status)
        return status;
    rg_molecule_drop_ring_stereo(m);
    rg_molecule_hybridise(m);
    return RG_OK;
}

rg_status rg_molecule_restore_rings(rg_molecule *m, bool sizes, rg_mol_fault *fault)
{
    rg_status status = rg_molecule_ring_bonds(m);
    return status || !sizes ? status : rg_molecule_find_rings(m, fault);
}
