/* ctab_parts.h - what both versions of connection tables share. Inside this room only. */
#ifndef REGULA_MOLECULE_CTAB_PARTS_H
#define REGULA_MOLECULE_CTAB_PARTS_H

#include "ctab.h"

/* Sections: version 2000 has one behind the counts line. */
enum { RG_CTAB_HEAD, RG_CTAB_V2000, RG_CTAB_V3000, RG_CTAB_V3000_ATOMS, RG_CTAB_V3000_BONDS };

typedef enum rg_ctab_item {
    RG_CTAB_CHARGE,
    RG_CTAB_ISOTOPE,
    RG_CTAB_RADICAL,
    RG_CTAB_VALENCE
} rg_ctab_item;

/* A whole number in columns from .. from + width - 1, with blanks around it. */
RG_MUST_CHECK rg_status rg_ctab_int(int64_t *out, const char *text, size_t n, size_t from,
                                    size_t width, const char *what, rg_mol_fault *fault);
/* at: where in the line it stands. */
RG_MUST_CHECK rg_status rg_ctab_atom(rg_ctab *tab, const char *text, size_t n, size_t at,
                                     const double place[3], rg_mol_fault *fault);
RG_MUST_CHECK rg_status rg_ctab_bond(rg_ctab *tab, uint32_t a, uint32_t b, int64_t type, size_t at,
                                     rg_mol_fault *fault);
RG_MUST_CHECK rg_status rg_ctab_set(rg_mol_atom *atom, rg_ctab_item item, int64_t value, size_t at,
                                    rg_mol_fault *fault);
RG_MUST_CHECK rg_status rg_ctab_line_3000(rg_ctab *tab, const char *text, size_t n,
                                          rg_mol_fault *fault);

#endif
