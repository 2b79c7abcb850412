/* molecules.c - see molecules.h. */
#include "molecules.h"

#include "base/alloc.h"
#include "base/error.h"
#include "molecule/element.h"

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
                        .reason = fault->reason,
                        .graph = set->raw.n_graphs};
    char *name = place->n_name ? rg_copy_text(place->name, place->n_name) : NULL;
    if (place->n_name && !name)
        return rg_fail_memory(err, place->file);
    if (name)
        item.name = name;
    rg_status status = report(set, &item, err);
    rg_free(name);
    return status;
}

static void fill_labels(int16_t *row, const rg_mol_atom *atom)
{
    row[0] = atom->element;
    row[1] = atom->charge;
    row[2] = atom->hydrogens;
    row[3] = (atom->flags & RG_ATOM_AROMATIC) != 0;
    row[4] = atom->ring_size;
    row[5] = atom->hybrid;
    row[6] = atom->chirality;
    row[7] = (int16_t)atom->isotope;
}

/* Both directions of every bond, in the order that the arcs of a set have. */
static bool append(rg_raw *raw, const rg_molecule *m)
{
    uint32_t first = (uint32_t)raw->n_nodes;
    for (uint32_t i = 0; i < m->n_atoms; i++) {
        int16_t atom[RG_MOL_NODE_COLUMNS];
        fill_labels(atom, &m->atoms[i]);
        if (!rg_int_rows_add_short(&raw->node_labels, RG_MOL_NODE_COLUMNS, atom) ||
            !rg_raw_add_node(raw, (uint32_t)raw->n_graphs))
            return false;
        for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
            const rg_mol_bond *bond = &m->bonds[m->near[k].bond];
            const int16_t edge[RG_MOL_EDGE_COLUMNS] = {(int16_t)rg_mol_bond_label(bond),
                                                       bond->stereo};
            if (!rg_int_rows_add_short(&raw->edge_labels, RG_MOL_EDGE_COLUMNS, edge) ||
                !rg_raw_add_pair(raw, first + i, first + m->near[k].atom))
                return false;
        }
    }
    raw->n_graphs++;
    return true;
}

/* The molecule that was added last. */
static bool name_graph(rg_mol_set *set, const rg_mol_place *place)
{
    if (!place->n_name)
        return true;
    char *name = rg_copy_text(place->name, place->n_name);
    bool fine = name && rg_raw_name_graph(&set->raw, set->raw.n_graphs - 1, name);
    rg_free(name);
    return fine;
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
    if (status || !append(&set->raw, m) || !name_graph(set, place))
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

/* ---- names of columns and of their values */

static bool name_values(rg_raw *raw, rg_column kind, size_t column, const char *const *names,
                        size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (names[k] && !rg_raw_name_value(raw, kind, column, (int64_t)k, names[k]))
            return false;
    return true;
}

static bool name_all(rg_raw *raw)
{
    static const char *const nodes[RG_MOL_NODE_COLUMNS] = {
        "element",   "charge",        "hydrogens", "aromatic",
        "ring size", "hybridisation", "chirality", "isotope"};
    static const char *const edges[RG_MOL_EDGE_COLUMNS] = {"bond", "stereo"};
    static const char *const hybrids[] = {"none", "sp", "sp2", "sp3", "sp3d", "sp3d2"};
    static const char *const centres[] = {"none", "@", "@@"};
    static const char *const bonds[] = {NULL,     "single",   "double",
                                        "triple", "aromatic", "quadruple"};
    static const char *const sides[] = {"none", "cis", "trans"};
    bool fine = true;
    for (size_t c = 0; c < RG_MOL_NODE_COLUMNS; c++)
        fine = fine && rg_raw_name_column(raw, RG_NODE_LABEL, c, nodes[c]);
    for (size_t c = 0; c < RG_MOL_EDGE_COLUMNS; c++)
        fine = fine && rg_raw_name_column(raw, RG_EDGE_LABEL, c, edges[c]);
    for (unsigned z = 0; z <= RG_ELEMENTS; z++)
        fine = fine && rg_raw_name_value(raw, RG_NODE_LABEL, 0, z, rg_element_symbol(z));
    return fine && name_values(raw, RG_NODE_LABEL, 5, hybrids, 6) &&
           name_values(raw, RG_NODE_LABEL, 6, centres, 3) &&
           name_values(raw, RG_EDGE_LABEL, 0, bonds, 6) &&
           name_values(raw, RG_EDGE_LABEL, 1, sides, 3);
}

rg_status rg_mol_set_finish(rg_mol_set *set, rg_raw *raw, rg_error *err)
{
    bool fine = name_all(&set->raw);
    *raw = set->raw;
    set->raw = (rg_raw){0};
    if (fine)
        return RG_OK;
    rg_raw_free(raw);
    return rg_fail_memory(err, "reading molecules");
}
