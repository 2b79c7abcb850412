/* export.h - from graphs of a data set back to molecules.
 *
 * The set must have the columns that readers of molecules give it (molecules.h), by their names. */
#ifndef REGULA_MOLFILE_EXPORT_H
#define REGULA_MOLFILE_EXPORT_H

#include "molecule/smiles.h"
#include "regula/dataset.h"

enum { RG_EXPORT_NODES = 6, RG_EXPORT_EDGES = 2 };

typedef struct rg_export {
    const rg_dataset *data; /* borrowed */
    rg_molecule molecule;
    size_t nodes[RG_EXPORT_NODES], edges[RG_EXPORT_EDGES]; /* columns; SIZE_MAX: there is none */
} rg_export;

/* out: to be freed by rg_export_free, also on failure. RG_EDATA: not a set of molecules. */
RG_MUST_CHECK rg_status rg_export_open(rg_export *out, const rg_dataset *data, rg_error *err);
void rg_export_free(rg_export *out);
/* out->molecule is graph g: connected, as rg_smiles_write wants it; atoms[i].at is i. RG_EDATA: what
 * no molecule has; RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_export_graph(rg_export *out, size_t g, rg_error *err);
/* The same as SMILES, added to `text`; style->scaffold: of its scaffold. */
RG_MUST_CHECK rg_status rg_export_smiles(rg_text *text, rg_export *out, size_t g,
                                         const rg_smiles_style *style, rg_error *err);
/* The text of graph g alone. text: owned (rg_text_free), untouched on failure. RG_EUSAGE (no such
 * graph), RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_export_one(char **text, const rg_dataset *data, size_t g,
                                      const rg_smiles_style *style, rg_error *err);
/* "NAME: molecule 3: REASON" */
rg_status rg_export_fail(const rg_export *out, size_t g, rg_status status,
                         const rg_mol_fault *fault, rg_error *err);

#endif
