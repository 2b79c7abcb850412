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

static rg_status add_line(rg_text *out, rg_export *set, size_t g, const rg_smiles_style *style,
                          rg_error *err)
{
    const char *name = rg_dataset_graph_name(set->data, g);
    rg_status status = rg_export_smiles(out, set, g, style, err);
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
    const rg_smiles_style style = {.kekule = kekule != 0};
    return rg_export_one(out, data, graph, &style, err);
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
