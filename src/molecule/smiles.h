/* smiles.h - OpenSMILES, read and written.
 *
 *   C  N  O  B P S F Cl Br I *      atoms with as many hydrogens as their normal valence leaves room for
 *   c  n  o  b p s                  the same in an aromatic ring
 *   [13C@H2+2:7]                    isotope, element, chirality, hydrogens, charge, class
 *   - = # $ : / \                   bonds; none: single, or aromatic between two aromatic atoms
 *   ( )  1 .. 9  %10 .. %99  .      branches, rings, parts without a bond
 *
 * The text is read in one pass and without recursion. */
#ifndef REGULA_MOLECULE_SMILES_H
#define REGULA_MOLECULE_SMILES_H

#include "molecule.h"

#include "text/text.h"

/* What is open while a text is read: branches and rings. Plain struct, all zero to begin with; used
 * for one text after another. */
typedef struct rg_smiles_ring {
    uint32_t opened; /* the atom that opens it + 1; 0: closed */
    uint32_t at;     /* of the digit */
    char symbol;
} rg_smiles_ring;

typedef struct rg_smiles_reader {
    rg_smiles_ring rings[100];
    size_t n_rings_open;
    uint32_t (*branches)[2]; /* atom to go back to, place of the bracket */
    size_t n_branches, branch_capacity;
} rg_smiles_reader;

void rg_smiles_reader_free(rg_smiles_reader *reader);

/* Atoms and bonds as the text has them; nothing is perceived. m: cleared first. RG_EDATA: `fault`
 * says what and where; RG_ENOMEM. Cost: O(n). */
RG_MUST_CHECK rg_status rg_smiles_parse(rg_molecule *m, rg_smiles_reader *reader, const char *text,
                                        size_t n, rg_mol_fault *fault);
/* What stands between "[" and "]". *at: behind "[" before, behind "]" after. */
RG_MUST_CHECK rg_status rg_smiles_bracket(rg_mol_atom *atom, const char *text, size_t n, size_t *at,
                                          rg_mol_fault *fault);
/* "found 'x', expected WHAT", or "found the end, ...". */
rg_status rg_smiles_fail(rg_mol_fault *fault, const char *text, size_t n, size_t at,
                         const char *what);

/* What rg_smiles_write is asked for. */
typedef struct rg_smiles_style {
    bool kekule; /* single and double bonds instead of aromatic ones */
    bool
        in_order; /* begins with the first atom and goes on by number, instead of by rank (canon.h) */
    bool scaffold; /* for rg_export_smiles: rings and what links them alone */
} rg_smiles_style;

/* A molecule as SMILES that reads back as the same one: m has elements, charges, isotopes, hydrogens,
 * marks of centres and aromatic flags of its atoms; orders, aromatic flags and sides of its bonds (as
 * perceived, or as rg_molecule_from_graph makes it); connected. Its bonds get orders of a Kekule
 * structure. out: added to. RG_EDATA: more than 99 rings are open at once, or there is no Kekule
 * structure; RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_smiles_write(rg_text *out, rg_molecule *m, const rg_smiles_style *style,
                                        rg_mol_fault *fault);

#endif
