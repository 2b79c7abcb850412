/* scaffolds.c - molecules of a data set by their scaffolds. */
#include "export.h"

#include "base/error.h"
#include "base/table.h"

static const rg_smiles_style style = {.scaffold = true};

rg_status rg_dataset_scaffold(char **out, const rg_dataset *data, size_t graph, rg_error *err)
{
    return rg_export_one(out, data, graph, &style, err);
}

rg_status rg_dataset_scaffolds(uint32_t *group, size_t *n_groups, const rg_dataset *data,
                               rg_error *err)
{
    rg_export set;
    rg_text text = {0};
    rg_table *known = rg_table_new();
    rg_status status = rg_export_open(&set, data, err);
    if (!status && !known)
        status = rg_fail_memory(err, "listing scaffolds");
    for (size_t g = 0; g < rg_dataset_n_graphs(data) && !status; g++) {
        text.n = 0;
        status = rg_export_smiles(&text, &set, g, &style, err);
        if (status)
            continue;
        group[g] = rg_table_add(known, text.n ? text.data : "", (uint32_t)text.n);
        if (group[g] == RG_TABLE_NONE)
            status = rg_fail_memory(err, "listing scaffolds");
    }
    if (!status)
        *n_groups = rg_table_size(known);
    rg_table_free(known);
    rg_text_drop(&text);
    rg_export_free(&set);
    return status;
}
