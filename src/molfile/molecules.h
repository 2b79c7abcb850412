/* molecules.h - what formats of molecules share: from molecules, one after another, to an rg_raw.
 *
 * Nodes are atoms in the order of the text, without hydrogens that say no more than their number. A
 * molecule that cannot be read is left out and reported (rg_left_out); under `strict` it is an error.
 *
 * Columns of node labels:             of edge labels:
 *   0  atomic number; 0: wildcard       0  bond: 1, 2, 3; 4 aromatic, 5 quadruple
 *   1  charge                           1  0, or 1 cis, 2 trans
 *   2  hydrogens
 *   3  1: aromatic
 *   4  size of the smallest ring
 *   5  hybridisation: 1 sp, 2 sp2, 3 sp3, 4 sp3d, 5 sp3d2
 *   6  chirality: 1 @, 2 @@ by numbers of nodes (docs/molecules.md)
 *   7  isotope */
#ifndef REGULA_MOLFILE_MOLECULES_H
#define REGULA_MOLFILE_MOLECULES_H

#include "graph/raw.h"
#include "molecule/smiles.h"
#include "text/reader.h"

enum { RG_MOL_NODE_COLUMNS = 8, RG_MOL_EDGE_COLUMNS = 2 };

typedef struct rg_mol_set {
    rg_raw raw;
    rg_molecule molecule;
    rg_smiles_reader smiles;
    const rg_read_options *options; /* kept; NULL: the defaults */
} rg_mol_set;

void rg_mol_set_free(rg_mol_set *set);

/* Where a molecule stands, for reports. */
typedef struct rg_mol_place {
    const char *file;
    size_t line, column; /* from 1; column: of the text's first byte */
    const char *name;    /* n_name bytes */
    size_t n_name;
    const char *text; /* n bytes; NULL: none to show */
    size_t n;
} rg_mol_place;

/* The text of `place` as one more graph; *taken: false if it was left out. RG_EDATA under `strict`,
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_mol_set_add_smiles(rg_mol_set *set, bool *taken,
                                              const rg_mol_place *place, rg_error *err);
/* The same for set->molecule, which a reader has filled with atoms and bonds. */
RG_MUST_CHECK rg_status rg_mol_set_add(rg_mol_set *set, bool *taken, const rg_mol_place *place,
                                       rg_error *err);
/* What was added, with the names of columns and values. raw: the caller's (rg_raw_free), empty on
 * failure. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_mol_set_finish(rg_mol_set *set, rg_raw *raw, rg_error *err);
/* Reports it. RG_OK; RG_EDATA under `strict`. */
RG_MUST_CHECK rg_status rg_mol_set_leave_out(rg_mol_set *set, const rg_mol_place *place,
                                             const rg_mol_fault *fault, rg_error *err);

#endif
