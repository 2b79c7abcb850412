/* export.c - see export.h. */
#include "export.h"

#include "base/error.h"
#include "molecule/element.h"

#include <string.h>

enum { ELEMENT, CHARGE, HYDROGENS, AROMATIC, CHIRALITY, ISOTOPE };
enum { BOND, STEREO };

static const struct {
    const char *name;
    int64_t low, high;
} node_columns[RG_EXPORT_NODES] = {[ELEMENT] = {"element", 0, RG_ELEMENTS},
                                   [CHARGE] = {"charge", -15, 15},
                                   [HYDROGENS] = {"hydrogens", 0, 9},
                                   [AROMATIC] = {"aromatic", 0, 1},
                                   [CHIRALITY] = {"chirality", 0, RG_CHIRAL_END - 1},
                                   [ISOTOPE] = {"isotope", 0, 32767}},
  edge_columns[RG_EXPORT_EDGES] = {[BOND] = {"bond", 1, 5}, [STEREO] = {"stereo", 0, 2}};

static size_t find_column(const rg_dataset *data, rg_column kind, const char *name)
{
    for (size_t c = 0; c < rg_dataset_n_columns(data, kind); c++) {
        const char *own = rg_dataset_column_name(data, kind, c);
        if (own && strcmp(own, name) == 0)
            return c;
    }
    return SIZE_MAX;
}

rg_status rg_export_open(rg_export *out, const rg_dataset *data, rg_error *err)
{
    *out = (rg_export){.data = data};
    for (size_t k = 0; k < RG_EXPORT_NODES; k++)
        out->nodes[k] = find_column(data, RG_NODE_LABEL, node_columns[k].name);
    for (size_t k = 0; k < RG_EXPORT_EDGES; k++)
        out->edges[k] = find_column(data, RG_EDGE_LABEL, edge_columns[k].name);
    if (rg_dataset_n_graphs(data) && out->nodes[ELEMENT] == SIZE_MAX)
        return rg_fail(err, RG_EDATA,
                       "'%s' has no node labels called 'element': expected molecules (from SMILES "
                       "or SDF)",
                       rg_dataset_name(data));
    if (rg_dataset_n_arcs(data) && out->edges[BOND] == SIZE_MAX)
        return rg_fail(err, RG_EDATA,
                       "'%s' has no edge labels called 'bond': expected molecules (from SMILES or "
                       "SDF)",
                       rg_dataset_name(data));
    return RG_OK;
}

void rg_export_free(rg_export *out)
{
    rg_molecule_free(&out->molecule);
}

rg_status rg_export_fail(const rg_export *out, size_t g, rg_status status,
                         const rg_mol_fault *fault, rg_error *err)
{
    if (status != RG_EDATA)
        return rg_fail_memory(err, "writing molecules");
    return rg_fail(err, RG_EDATA, "'%s': molecule %zu: atom %zu: %s", rg_dataset_name(out->data), g,
                   fault->at, fault->reason);
}

static int64_t value_of(const rg_dataset *data, rg_column kind, size_t column, uint64_t row)
{
    size_t n;
    if (column == SIZE_MAX)
        return 0;
    return rg_dataset_values(data, kind, column, &n)[rg_dataset_ranks(data, kind, column)[row]];
}

static rg_status fill_atom(rg_export *out, uint64_t node, size_t number, rg_mol_fault *fault)
{
    int64_t value[RG_EXPORT_NODES];
    for (size_t k = 0; k < RG_EXPORT_NODES; k++) {
        value[k] = value_of(out->data, RG_NODE_LABEL, out->nodes[k], node);
        if (value[k] < node_columns[k].low || value[k] > node_columns[k].high)
            return rg_mol_fail(fault, number, "found %s %lld, expected %lld to %lld",
                               node_columns[k].name, (long long)value[k],
                               (long long)node_columns[k].low, (long long)node_columns[k].high);
    }
    rg_mol_atom *atom = rg_molecule_add_atom(&out->molecule);
    if (!atom)
        return RG_ENOMEM;
    atom->at = (uint32_t)number;
    atom->element = (uint8_t)value[ELEMENT];
    atom->charge = (int8_t)value[CHARGE];
    atom->hydrogens = (uint8_t)value[HYDROGENS];
    atom->flags = value[AROMATIC] ? RG_ATOM_AROMATIC : 0;
    atom->chirality = (uint8_t)value[CHIRALITY];
    atom->isotope = (uint16_t)value[ISOTOPE];
    return RG_OK;
}

static rg_status fill_bond(rg_export *out, uint64_t arc, uint32_t a, uint32_t b,
                           rg_mol_fault *fault)
{
    int64_t value[RG_EXPORT_EDGES];
    for (size_t k = 0; k < RG_EXPORT_EDGES; k++) {
        value[k] = value_of(out->data, RG_EDGE_LABEL, out->edges[k], arc);
        if (value[k] < edge_columns[k].low || value[k] > edge_columns[k].high)
            return rg_mol_fail(fault, a, "found %s %lld, expected %lld to %lld",
                               edge_columns[k].name, (long long)value[k],
                               (long long)edge_columns[k].low, (long long)edge_columns[k].high);
    }
    rg_mol_bond *bond = rg_molecule_add_bond(&out->molecule, a, b);
    if (!bond)
        return RG_ENOMEM;
    bond->order = value[BOND] == 4 ? 1 : value[BOND] == 5 ? 4 : (uint8_t)value[BOND];
    bond->flags = value[BOND] == 4 ? RG_BOND_IS_AROMATIC : 0;
    bond->stereo = (uint8_t)value[STEREO];
    return RG_OK;
}

rg_status rg_export_graph(rg_export *out, size_t g, rg_error *err)
{
    rg_graph graph = rg_dataset_graph(out->data, g);
    rg_mol_fault fault = {0};
    rg_status status = RG_OK;
    rg_molecule_clear(&out->molecule);
    for (uint32_t i = 0; i < graph.n_nodes && !status; i++)
        status = fill_atom(out, graph.first_node + i, i, &fault);
    for (uint32_t i = 0; i < graph.n_nodes && !status; i++)
        for (uint64_t k = graph.row[i]; k < graph.row[i + 1] && !status; k++)
            if (graph.col[k] > i)
                status = fill_bond(out, k, i, graph.col[k], &fault);
    if (!status)
        status = rg_molecule_connect(&out->molecule, &fault);
    return status ? rg_export_fail(out, g, status, &fault, err) : RG_OK;
}

rg_status rg_export_smiles(rg_text *text, rg_export *out, size_t g, const rg_smiles_style *style,
                           rg_error *err)
{
    rg_mol_fault fault = {0};
    rg_status status = rg_export_graph(out, g, err);
    if (status)
        return status;
    if (style->scaffold)
        status = rg_molecule_keep_scaffold(&out->molecule, &fault);
    if (!status)
        status = rg_smiles_write(text, &out->molecule, style, &fault);
    return status ? rg_export_fail(out, g, status, &fault, err) : RG_OK;
}

rg_status rg_export_one(char **out, const rg_dataset *data, size_t g, const rg_smiles_style *style,
                        rg_error *err)
{
    rg_export set;
    rg_text text = {0};
    if (g >= rg_dataset_n_graphs(data))
        return rg_fail(err, RG_EUSAGE, "there is no graph %zu: '%s' has %zu, numbered from 0", g,
                       rg_dataset_name(data), rg_dataset_n_graphs(data));
    rg_status status = rg_export_open(&set, data, err);
    if (!status)
        status = rg_export_smiles(&text, &set, g, style, err);
    rg_text_add(&text, "%s", "");
    char *copy = status ? NULL : rg_text_take(&text);
    if (!status && !copy)
        status = rg_fail_memory(err, "writing a molecule");
    if (!status)
        *out = copy;
    rg_text_drop(&text);
    rg_export_free(&set);
    return status;
}
