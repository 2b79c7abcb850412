/* smi_write.h - data sets of molecules as text, in whole. */
#ifndef REGULA_MOLFILE_SMI_WRITE_H
#define REGULA_MOLFILE_SMI_WRITE_H

#include "format/format.h"
#include "molecule/smiles.h"

/* A line for each molecule: SMILES, a tab and its name. out: added to. RG_EDATA: not molecules, or
 * one that SMILES has no words for; RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_smi_lines(rg_text *out, const rg_dataset *data,
                                     const rg_smiles_style *style, rg_error *err);
/* NAME.smi and NAME.sdf: for rg_format_kind. */
RG_MUST_CHECK rg_status rg_smi_write(rg_set_writer *writer, rg_error *err);
RG_MUST_CHECK rg_status rg_sdf_write(rg_set_writer *writer, rg_error *err);

#endif
