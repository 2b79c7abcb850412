/* molecule.h - one molecule in memory: atoms, bonds, neighbours, rings.
 *
 * A molecule is filled by a reader (smiles.h, ctab.h) and completed by rg_molecule_perceive: the
 * double bonds of aromatic rings, hydrogens, rings, aromaticity, stereo. The same struct is used
 * for one molecule after another, so that a file of thousands needs no memory for each.
 *
 *   atom    a node: number 0 .. n-1 in the order of the text
 *   bond    an edge between atoms a and b; at most one between two atoms
 *   order   1, 2, 3 or 4 (quadruple) in a Kekule structure; aromatic bonds have one, too */
#ifndef REGULA_MOLECULE_MOLECULE_H
#define REGULA_MOLECULE_MOLECULE_H

#include "regula/base.h"

#include <stdbool.h>

#define RG_NO_ATOM UINT32_MAX
enum { RG_ATOM_BONDS_MAX = 200 };

/* Flags of atoms. */
enum {
    RG_ATOM_WRITTEN_AROMATIC = 1, /* the text says so: "c" */
    RG_ATOM_FREE_HYDROGENS = 2,   /* the valence model says how many, not the text: no brackets */
    RG_ATOM_AROMATIC = 4,         /* our model says so */
    RG_ATOM_RING = 8,
    RG_ATOM_FOLDED = 16, /* a hydrogen that becomes part of its neighbour */
    RG_ATOM_BRACKET_H =
        32 /* brackets with an H: its place among the neighbours of a stereo centre */
};

/* Chirality. @ and @@ as they are written; after perception relative to neighbours in the order of
 * their numbers, a hydrogen before them: seen from the first, the others run so. Other classes keep
 * what the text says. */
enum {
    RG_CHIRAL_NONE,
    RG_CHIRAL_COUNTERCLOCKWISE, /* @ */
    RG_CHIRAL_CLOCKWISE,        /* @@ */
    RG_CHIRAL_ALLENE,           /* AL1, AL2 */
    RG_CHIRAL_SQUARE = RG_CHIRAL_ALLENE + 2,
    RG_CHIRAL_BIPYRAMID = RG_CHIRAL_SQUARE + 3,
    RG_CHIRAL_OCTAHEDRON = RG_CHIRAL_BIPYRAMID + 20,
    RG_CHIRAL_END = RG_CHIRAL_OCTAHEDRON + 30
};

enum {
    RG_HYBRID_NONE,
    RG_HYBRID_SP,
    RG_HYBRID_SP2,
    RG_HYBRID_SP3,
    RG_HYBRID_SP3D,
    RG_HYBRID_SP3D2
};

typedef struct rg_mol_atom {
    uint32_t at;      /* where in the text */
    uint32_t map;     /* atom class [C:1] */
    uint32_t n_bonds; /* its neighbours */
    uint16_t isotope; /* 0: not said */
    uint8_t element;  /* RG_WILDCARD: any */
    int8_t charge;
    uint8_t hydrogens; /* that are no atoms of their own */
    uint8_t flags;
    uint8_t chirality;
    uint8_t hybrid;
    uint8_t ring_size; /* of its smallest ring; 0: none, 255: at least 255 */
    uint16_t bond_sum; /* orders of its bonds; kept by rg_molecule_sum_bonds */
    uint8_t radicals;  /* electrons without a partner, where a file says so: hydrogens less */
    uint8_t valence;   /* 1 + all its bonds with hydrogens, where a file says so; 0: it does not */
} rg_mol_atom;

/* Flags of bonds. */
enum {
    RG_BOND_WRITTEN_AROMATIC = 1, /* ":", or nothing between two aromatic atoms */
    RG_BOND_IN_RING = 2,
    RG_BOND_IS_AROMATIC = 4 /* our model says so */
};

/* What / and \ say, seen from atom a to atom b. */
enum { RG_SLASH_NONE, RG_SLASH_UP, RG_SLASH_DOWN };

/* Of a double bond: its lowest-numbered neighbours on both sides lie so. */
enum { RG_BOND_STEREO_NONE, RG_BOND_CIS, RG_BOND_TRANS };

typedef struct rg_mol_bond {
    uint32_t a, b;
    /* 1 + where the text mentions it at a and at b: orders the neighbours of an atom as they are
     * written. 0 at the atom that follows along the chain. */
    uint32_t at_a, at_b;
    uint8_t order;
    uint8_t flags;
    uint8_t slash;
    uint8_t stereo;
} rg_mol_bond;

typedef struct rg_mol_near {
    uint32_t atom, bond;
} rg_mol_near;

/* Rings by their atoms and bonds, in going round: bond k joins atoms k and k+1. */
typedef struct rg_mol_rings {
    uint32_t *start; /* n + 1 */
    uint32_t *atoms, *bonds;
    size_t n, start_capacity, atom_capacity, bond_capacity;
} rg_mol_rings;

typedef struct rg_molecule {
    rg_mol_atom *atoms;
    rg_mol_bond *bonds;
    size_t n_atoms, n_bonds, atom_capacity, bond_capacity;
    uint32_t *first;   /* neighbours of atom i: near[first[i]] .. near[first[i+1] - 1] */
    rg_mol_near *near; /* by number of the neighbour */
    size_t first_capacity, near_capacity;
    rg_mol_rings rings;
    /* Bonds without at_b lead from an atom to a later one, and to each atom but the first one does. */
    bool is_tree;
    bool has_slash, has_chirality, has_aromatic, has_hydrogen; /* in the text */
    /* Room for whoever works on it; nothing is kept there. */
    uint32_t *scratch;
    size_t scratch_capacity;
} rg_molecule;

/* Why a text is no molecule, and where. */
typedef struct rg_mol_fault {
    size_t at; /* byte of the text, from 0 */
    char reason[200];
} rg_mol_fault;

/* Fills `fault` and returns RG_EDATA. */
rg_status rg_mol_fail(rg_mol_fault *fault, size_t at, const char *format, ...) RG_PRINTF(3, 4);

void rg_molecule_free(rg_molecule *m);  /* frees the arrays, not the struct; leaves it empty */
void rg_molecule_clear(rg_molecule *m); /* no atom; keeps the memory */

/* The new atom or bond, all zero but for its ends; NULL if memory is short. Pointers to others
 * become invalid. Ends of a bond are atoms that are there. */
rg_mol_atom *rg_molecule_add_atom(rg_molecule *m);
rg_mol_bond *rg_molecule_add_bond(rg_molecule *m, uint32_t a, uint32_t b);

/* n numbers, not cleared. Valid until the next call. NULL if memory is short. */
uint32_t *rg_molecule_scratch(rg_molecule *m, size_t n);

/* Neighbours from bonds. RG_EDATA: two bonds between the same atoms. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_molecule_connect(rg_molecule *m, rg_mol_fault *fault);

void rg_molecule_sum_bonds(rg_molecule *m);

/* All that follows from atoms and bonds as they are written: see perceive.c. RG_EDATA, RG_ENOMEM. */
typedef struct rg_mol_options {
    bool as_written; /* hydrogens stay atoms, charges stay where they are: for --to hydrogens */
} rg_mol_options;
RG_MUST_CHECK rg_status rg_molecule_perceive(rg_molecule *m, const rg_mol_options *options,
                                             rg_mol_fault *fault);

/* Orders 1 and 2 for bonds that are aromatic, from what is known of a molecule whose texts are gone:
 * hydrogens, charges, aromatic flags. RG_EDATA: there is no such structure; RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_molecule_restore_kekule(rg_molecule *m, rg_mol_fault *fault);

/* Which atoms and bonds are in rings, and with `sizes` the smallest ring of each atom, of a molecule that was made from
 * a graph; connected. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_molecule_restore_rings(rg_molecule *m, bool sizes, rg_mol_fault *fault);

/* Every hydrogen an atom of its own, behind all others. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_molecule_add_hydrogens(rg_molecule *m, rg_mol_fault *fault);

/* Of several parts that no bond joins only the one with the most atoms. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_molecule_keep_largest(rg_molecule *m, rg_mol_fault *fault);

/* The scaffold: rings, what links them, and what hangs on either by a double bond; without stereo.
 * No atom at all where there is no ring. Freed bonds become hydrogens. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_molecule_keep_scaffold(rg_molecule *m, rg_mol_fault *fault);

/* What a bond is in a data set: 1 single, 2 double, 3 triple, 4 aromatic, 5 quadruple. */
unsigned rg_mol_bond_label(const rg_mol_bond *bond);

#endif
