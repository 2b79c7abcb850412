/* canon.h - an order of atoms that does not depend on the one they have.
 *
 * Two molecules that differ in the order of their atoms get orders in which they are the same. It
 * goes by the constitution: elements, charges, isotopes, hydrogens, bonds. Among orders in which
 * that is the same, stereo decides. */
#ifndef REGULA_MOLECULE_CANON_H
#define REGULA_MOLECULE_CANON_H

#include "molecule.h"

/* rank[i]: the place of atom i, 0 .. n-1. m: connected, with aromatic flags; its order of atoms may
 * still decide where a search through symmetries would take longer than some seconds. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_molecule_rank(uint32_t *rank, const rg_molecule *m);

/* The mark of a centre, @ or @@, for neighbours in the order of `rank`, a hydrogen before them; that
 * of the molecule is for neighbours by number. Other classes, and what is no centre: 0. */
unsigned rg_molecule_mark(const rg_molecule *m, uint32_t i, const uint32_t *rank);
/* Cis or trans for the neighbours of lowest rank. */
unsigned rg_molecule_side(const rg_molecule *m, uint32_t bond, const uint32_t *rank);
/* The neighbour that cis and trans mean at end i of a double bond; rank: NULL for numbers. */
uint32_t rg_molecule_meant(const rg_molecule *m, uint32_t i, uint32_t bond, const uint32_t *rank);
/* A hydrogen that says no more than that it is there: it comes first at a centre. */
bool rg_molecule_is_bare(const rg_mol_atom *atom);

#endif
