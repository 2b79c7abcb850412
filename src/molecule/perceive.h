/* perceive.h - the steps of rg_molecule_perceive, in their order. Inside this room only.
 *
 * RG_EDATA: the fault says which atom; RG_ENOMEM. */
#ifndef REGULA_MOLECULE_PERCEIVE_H
#define REGULA_MOLECULE_PERCEIVE_H

#include "molecule.h"

/* RG_ATOM_RING and RG_BOND_IN_RING: a bond is in a ring if the ends stay connected without it.
 * O(atoms + bonds). */
RG_MUST_CHECK rg_status rg_molecule_ring_bonds(rg_molecule *m);

/* Orders 1 and 2 for bonds that are written aromatic. */
RG_MUST_CHECK rg_status rg_molecule_kekulise(rg_molecule *m, rg_mol_fault *fault);

/* Hydrogens of atoms without brackets. */
void rg_molecule_fill_hydrogens(rg_molecule *m);

/* How many an atom without brackets has; its bonds are summed. */
unsigned rg_molecule_missing(const rg_mol_atom *atom);

/* Groups that are written with five bonds at a nitrogen become pairs of charges. */
void rg_molecule_normalise(rg_molecule *m);

/* number: what an atom becomes; RG_NO_ATOM: it goes, with its bonds. n_bonds of those that stay must
 * be right already; neighbours are not made anew. */
void rg_molecule_compact(rg_molecule *m, const uint32_t *number);

/* Hydrogens that are atoms of their own become part of their neighbours; numbers of atoms and bonds
 * change. */
RG_MUST_CHECK rg_status rg_molecule_fold_hydrogens(rg_molecule *m, rg_mol_fault *fault);

/* The rings of m->rings, and the smallest ring of each atom. */
RG_MUST_CHECK rg_status rg_molecule_find_rings(rg_molecule *m, rg_mol_fault *fault);
/* The same for the n atoms of one system with n_rings independent rings: every ring that is no sum
 * of smaller ones, found by comparing sums. They replace the rings from `before` on, which stay if
 * the system is too large for this. Leaves the scratch alone. */
RG_MUST_CHECK rg_status rg_molecule_list_rings(rg_molecule *m, const uint32_t *atoms, size_t n,
                                               size_t n_rings, size_t before);
/* Room for a ring of `size` atoms and bonds, to be filled in. */
RG_MUST_CHECK rg_status rg_mol_rings_add(rg_mol_rings *rings, size_t size, uint32_t **atoms,
                                         uint32_t **bonds);

/* RG_ATOM_AROMATIC and RG_BOND_IS_AROMATIC. */
RG_MUST_CHECK rg_status rg_molecule_find_aromatic(rg_molecule *m);

void rg_molecule_hybridise(rg_molecule *m);

/* From marks in the order of the text to marks in the order of numbers. */
void rg_molecule_turn_centres(rg_molecule *m);
void rg_molecule_settle_double_bonds(rg_molecule *m);
void rg_molecule_drop_ring_stereo(rg_molecule *m);

#endif
