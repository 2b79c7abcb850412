/* smi.h - lines of SMILES files, and the numbers of hydrogens in them. */
#ifndef REGULA_MOLFILE_SMI_H
#define REGULA_MOLFILE_SMI_H

#include "molecules.h"
#include "text/text.h"

/* The parts of the current line; borrowed from the reader. */
rg_mol_place rg_smi_split(const rg_reader *in);
/* Is it a first line with the names of columns? */
bool rg_smi_is_heading(const rg_mol_place *place);

/* One line for each molecule of a SMILES file, plain or compressed, as the SMILES reading benchmark
 * has them: its name and how many hydrogens belong to each atom, as it is written; or "# name
 * reason". out: added to. RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_smi_hydrogens(rg_text *out, const char *path, rg_error *err);

#endif
