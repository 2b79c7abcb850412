/* pattern_smarts.c - patterns of SMARTS among the others. */
#include "pattern_count.h"

#include "base/alloc.h"
#include "base/error.h"
#include "molfile/export.h"
#include "smarts/smarts.h"
#include "space.h"

rg_status rg_pattern_smarts(rg_pattern *out, const char *text, size_t n, size_t column,
                            rg_error *err)
{
    rg_smarts *smarts = NULL;
    rg_text normal = {0};
    rg_status status = rg_smarts_parse(&smarts, text, n, column, err);
    if (status)
        return status;
    rg_text_add(&normal, "smarts(\"");
    rg_smarts_print(&normal, smarts);
    rg_text_add(&normal, "\")");
    char *copy = rg_text_take(&normal);
    if (!copy) {
        rg_smarts_free(smarts);
        return rg_fail_memory(err, "a pattern");
    }
    *out = (rg_pattern){.text = copy, .n_nodes = (uint32_t)smarts->n_atoms, .smarts = smarts};
    return RG_OK;
}

void rg_pattern_free(rg_pattern *pattern)
{
    rg_free(pattern->text);
    rg_smarts_free(pattern->smarts);
}

rg_status rg_pattern_check_molecules(const rg_dataset *data, rg_error *err)
{
    rg_export set;
    rg_status status = rg_export_open(&set, data, err);
    rg_export_free(&set);
    return status;
}

rg_status rg_pattern_by_smarts(const rg_pattern_job *job, size_t index, rg_error *err)
{
    rg_export set;
    rg_mol_fault fault = {0};
    bool within = true;
    rg_status status = rg_export_open(&set, job->data, err);
    rg_pattern_fill(job, 0);
    if (!status)
        status = rg_export_graph(&set, index, err);
    if (!status) {
        rg_smarts_job find = {.smarts = job->pattern->smarts,
                              .molecule = &set.molecule,
                              .budget = job->budget,
                              .cancel = rg_count_space_asked(job->space),
                              .out = job->out,
                              .stride = job->stride};
        status = rg_smarts_count(&find, &within, &fault, err);
        if (status == RG_EDATA)
            status = rg_export_fail(&set, index, status, &fault, err);
    }
    if (!status && !within)
        rg_pattern_fill(job, RG_CAPPED);
    rg_export_free(&set);
    return status;
}
