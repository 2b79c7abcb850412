/* smi_write.c - data sets as lines of SMILES: the text, a tab, and the name of the molecule. */
#include "smi.h"

#include "base/error.h"
#include "export.h"
#include "smi_write.h"

#include <string.h>

/* Names go to the end of their line. */
static void add_name(rg_text *out, const char *name)
{
    rg_text_add(out, "\t");
    for (const char *c = name; *c; c++)
        rg_text_add(out, "%c", (unsigned char)*c < ' ' ? ' ' : *c);
}

static rg_status add_molecule(rg_text *out, rg_export *set, size_t g, const rg_smiles_style *style,
                              rg_error *err)
{
    rg_mol_fault fault = {0};
    rg_status status = rg_export_graph(set, g, err);
    if (status)
        return status;
    status = rg_smiles_write(out, &set->molecule, style, &fault);
    return status ? rg_export_fail(set, g, status, &fault, err) : RG_OK;
}

static rg_status add_line(rg_text *out, rg_export *set, size_t g, const rg_smiles_style *style,
                          rg_error *err)
{
    const char *name = rg_dataset_graph_name(set->data, g);
    rg_status status = add_molecule(out, set, g, style, err);
    if (status)
        return status;
    if (name && *name)
        add_name(out, name);
    rg_text_add(out, "\n");
    return RG_OK;
}

rg_status rg_smi_lines(rg_text *out, const rg_dataset *data, const rg_smiles_style *style,
                       rg_error *err)
{
    rg_export set;
    rg_status status = rg_export_open(&set, data, err);
    for (size_t g = 0; g < rg_dataset_n_graphs(data) && !status; g++)
        status = add_line(out, &set, g, style, err);
    if (!status && out->failed)
        status = rg_fail_memory(err, "writing molecules");
    rg_export_free(&set);
    return status;
}

rg_status rg_dataset_smiles(char **out, const rg_dataset *data, size_t graph, int kekule,
                            rg_error *err)
{
    rg_export set;
    rg_text text = {0};
    const rg_smiles_style style = {.kekule = kekule != 0};
    if (graph >= rg_dataset_n_graphs(data))
        return rg_fail(err, RG_EUSAGE, "there is no graph %zu: '%s' has %zu, numbered from 0",
                       graph, rg_dataset_name(data), rg_dataset_n_graphs(data));
    rg_status status = rg_export_open(&set, data, err);
    if (!status)
        status = add_molecule(&text, &set, graph, &style, err);
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

static void put_lines(rg_set_writer *w)
{
    rg_file_text(w->file, w->text);
}

rg_status rg_smi_write(rg_set_writer *w, rg_error *err)
{
    static const rg_smiles_style style = {0};
    rg_text text = {0};
    rg_status status = rg_smi_lines(&text, w->data, &style, err);
    w->text = text.n ? text.data : "";
    if (!status)
        status = rg_set_writer_add(w, ".smi", put_lines, err);
    rg_text_drop(&text);
    return status;
}
