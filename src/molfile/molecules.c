/* molecules.c - see molecules.h. */
#include "molecules.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

void rg_mol_set_free(rg_mol_set *set)
{
    rg_raw_free(&set->raw);
    rg_molecule_free(&set->molecule);
    rg_smiles_reader_free(&set->smiles);
}

static rg_status report(rg_mol_set *set, const rg_left_out *item, rg_error *err)
{
    if (set->options && set->options->strict)
        return rg_fail(err, RG_EDATA, "%s:%zu:%zu: molecule '%.60s': %s", item->file, item->line,
                       item->column, item->name, item->reason);
    set->raw.quirks.left_out++;
    if (set->options && set->options->left_out)
        set->options->left_out(set->options->context, item);
    return RG_OK;
}

rg_status rg_mol_set_leave_out(rg_mol_set *set, const rg_mol_place *place,
                               const rg_mol_fault *fault, rg_error *err)
{
    rg_left_out item = {.file = place->file,
                        .line = place->line,
                        .column = place->column ? place->column + fault->at : 0,
                        .name = "",
                        .text = place->text,
                        .n = place->n,
                        .at = fault->at,
                        .reason = fault->reason};
    char *name = place->n_name ? rg_copy_text(place->name, place->n_name) : NULL;
    if (place->n_name && !name)
        return rg_fail_memory(err, place->file);
    if (name)
        item.name = name;
    rg_status status = report(set, &item, err);
    rg_free(name);
    return status;
}

static void fill_labels(int64_t *row, const rg_mol_atom *atom)
{
    row[0] = atom->element;
    row[1] = atom->charge;
    row[2] = atom->hydrogens;
    row[3] = (atom->flags & RG_ATOM_AROMATIC) != 0;
    row[4] = atom->ring_size;
    row[5] = atom->hybrid;
    row[6] = atom->chirality;
    row[7] = atom->isotope;
}

/* Both directions of every bond, in the order that the arcs of a set have. */
static bool append(rg_raw *raw, const rg_molecule *m)
{
    size_t first = raw->n_nodes;
    for (uint32_t i = 0; i < m->n_atoms; i++) {
        int64_t *row = rg_int_rows_add(&raw->node_labels, RG_MOL_NODE_COLUMNS);
        if (!row || !rg_raw_add_node(raw, (uint32_t)raw->n_graphs))
            return false;
        fill_labels(row, &m->atoms[i]);
        for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
            const rg_mol_bond *bond = &m->bonds[m->near[k].bond];
            row = rg_int_rows_add(&raw->edge_labels, RG_MOL_EDGE_COLUMNS);
            if (!row ||
                !rg_raw_add_pair(raw, (uint32_t)first + i, (uint32_t)first + m->near[k].atom))
                return false;
            row[0] = rg_mol_bond_label(bond);
            row[1] = bond->stereo;
        }
    }
    raw->n_graphs++;
    return true;
}

rg_status rg_mol_set_add(rg_mol_set *set, bool *taken, const rg_mol_place *place, rg_error *err)
{
    static const rg_mol_options options = {0};
    rg_molecule *m = &set->molecule;
    rg_mol_fault fault;
    rg_status status = rg_molecule_perceive(m, &options, &fault);
    if (!status && set->options && set->options->largest_fragment)
        status = rg_molecule_keep_largest(m, &fault);
    if (!status && set->options && set->options->explicit_hydrogens)
        status = rg_molecule_add_hydrogens(m, &fault);
    *taken = !status;
    if (status == RG_EDATA)
        return rg_mol_set_leave_out(set, place, &fault, err);
    if (!status && set->raw.n_nodes + m->n_atoms >= UINT32_MAX)
        return rg_fail(err, RG_EDATA, "%s:%zu: found 2^32 or more atoms, expected less",
                       place->file, place->line);
    if (status || !append(&set->raw, m))
        return rg_fail_memory(err, place->file);
    return RG_OK;
}

rg_status rg_mol_set_add_smiles(rg_mol_set *set, bool *taken, const rg_mol_place *place,
                                rg_error *err)
{
    rg_mol_fault fault;
    rg_status status = rg_smiles_parse(&set->molecule, &set->smiles, place->text, place->n, &fault);
    *taken = false;
    if (status == RG_EDATA)
        return rg_mol_set_leave_out(set, place, &fault, err);
    return status ? rg_fail_memory(err, place->file) : rg_mol_set_add(set, taken, place, err);
}
