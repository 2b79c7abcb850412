/* ctab.h - connection tables of MOL files, V2000 and V3000, line by line.
 *
 *   name, program, comment          three lines that are not looked at here
 *   counts line                     numbers of atoms and bonds; "V3000": the table comes behind it
 *   V2000: atoms, bonds, "M  CHG", "M  ISO", "M  RAD", ..., "M  END"
 *   V3000: "M  V30 BEGIN CTAB", ..., "M  END"
 *
 * Hydrogens are those of the valence model, of ions too, unless the file gives a valence. Query
 * atoms A, Q, * and R# are wildcards; query bonds are refused. Wedges are not read. */
#ifndef REGULA_MOLECULE_CTAB_H
#define REGULA_MOLECULE_CTAB_H

#include "molecule.h"

#include "base/table.h"

typedef struct rg_ctab {
    rg_molecule *m;                  /* kept; atoms[i].at is i */
    double *places;                  /* x, y, z of each atom */
    size_t n_places, place_capacity; /* in numbers */
    size_t n_lines;                  /* since the first one */
    size_t n_atoms, n_bonds;         /* that the counts line promises */
    int section;
    char *joined; /* a V3000 line that goes on in the next one */
    size_t n_joined, joined_capacity;
    rg_table *numbers; /* of atoms in V3000 */
    bool done;         /* "M  END" was seen */
} rg_ctab;

void rg_ctab_free(rg_ctab *tab); /* frees the arrays, not the struct; leaves it empty */
/* Forgets the molecule before. m: cleared, kept. */
void rg_ctab_begin(rg_ctab *tab, rg_molecule *m);
/* The next line, up to and with "M  END": then tab->done. RG_EDATA (fault->at: a byte of this line),
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_ctab_line(rg_ctab *tab, const char *text, size_t n, rg_mol_fault *fault);

#endif
