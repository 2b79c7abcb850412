/* smarts.h - patterns of atoms and bonds: a part of the SMARTS language (docs/molecules.md has its table).
 *
 *   C c N n Cl * A a           atoms; capital letters: not aromatic, small ones: aromatic
 *   [#6 D2 H1 h X3 v4 x2 R r5 +1 13 $(...)]   what an atom may be asked for in brackets
 *   - = # $ : ~ @              bonds; none: single or aromatic
 *   ! & , ;                    not, and, or, and (binds least)
 *   ( )  1 .. 9  %10 .. %99    branches and rings, as in SMILES
 *
 * An occurrence is a set of atoms onto which the pattern can be laid; it counts once, in however many ways that can
 * be done. */
#ifndef REGULA_SMARTS_SMARTS_H
#define REGULA_SMARTS_SMARTS_H

#include "base/pool.h"
#include "molecule/molecule.h"
#include "text/text.h"

enum {
    RG_SMARTS_ATOMS = 32, /* of a pattern; one inside $( ) is a pattern of its own */
    RG_SMARTS_BONDS = 48,
    RG_SMARTS_TERMS = 256, /* with those of its parts */
    RG_SMARTS_PARTS = 16,  /* likewise */
    RG_SMARTS_DEEPEST = 4  /* $( ) inside each other */
};

/* What one term asks for. */
typedef enum rg_smarts_kind {
    RG_SMARTS_ANY,
    RG_SMARTS_ALIPHATIC,
    RG_SMARTS_AROMATIC,
    RG_SMARTS_ELEMENT,           /* value: which */
    RG_SMARTS_ALIPHATIC_ELEMENT, /* C */
    RG_SMARTS_AROMATIC_ELEMENT,  /* c */
    RG_SMARTS_ISOTOPE,
    RG_SMARTS_CHARGE,
    RG_SMARTS_DEGREE,      /* D: neighbours */
    RG_SMARTS_HYDROGENS,   /* H: of all kinds */
    RG_SMARTS_IMPLICIT,    /* h: those that are no nodes; RG_SMARTS_SOME: at least one */
    RG_SMARTS_CONNECTIONS, /* X: neighbours and hydrogens */
    RG_SMARTS_VALENCE,     /* v: orders of all bonds, hydrogens included */
    RG_SMARTS_RING_BONDS,  /* x */
    RG_SMARTS_RING,        /* R */
    RG_SMARTS_RING_SIZE,   /* r: of the smallest ring */
    RG_SMARTS_PART,        /* $( ): value: which of the parts */
    RG_SMARTS_BOND_SINGLE, /* bonds from here on */
    RG_SMARTS_BOND_DOUBLE,
    RG_SMARTS_BOND_TRIPLE,
    RG_SMARTS_BOND_QUADRUPLE,
    RG_SMARTS_BOND_AROMATIC,
    RG_SMARTS_BOND_ANY,
    RG_SMARTS_BOND_RING
} rg_smarts_kind;

#define RG_SMARTS_SOME (-1)

typedef struct rg_smarts_term {
    uint8_t kind;
    bool negated;
    char behind; /* '&', ',' or ';' and another term, or '\0' */
    int32_t value;
} rg_smarts_term;

/* Terms of an atom or bond; none: a bond that is single or aromatic. */
typedef struct rg_smarts_terms {
    uint16_t first, n;
} rg_smarts_terms;

typedef struct rg_smarts_bond {
    uint8_t a, b; /* a < b */
    rg_smarts_terms terms;
} rg_smarts_bond;

/* Atoms in the order of the text. Every atom but the first one has a bond to an earlier one. */
typedef struct rg_smarts {
    size_t n_atoms, n_bonds, n_terms, n_parts;
    rg_smarts_terms atoms[RG_SMARTS_ATOMS];
    uint8_t first_bond[RG_SMARTS_ATOMS +
                       1]; /* bonds to earlier atoms: first_bond[p] .. first_bond[p+1] - 1,
                                                that of the chain before those of rings */
    rg_smarts_bond bonds[RG_SMARTS_BONDS];
    rg_smarts_term terms[RG_SMARTS_TERMS];
    struct rg_smarts *parts[RG_SMARTS_PARTS];           /* owned */
    bool wants_rings, wants_ring_sizes, wants_valences; /* its parts, too */
} rg_smarts;

/* n bytes of text that begin at `column` of a spec, for messages: "labels: column 9: found ...". out: owned
 * (rg_smarts_free), untouched on failure. RG_EUSAGE, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_smarts_parse(rg_smarts **out, const char *text, size_t n, size_t column,
                                        rg_error *err);
void rg_smarts_free(rg_smarts *smarts); /* NULL is fine */

/* In normal form: the same for texts that differ in signs that say nothing, and it parses to itself. */
void rg_smarts_print(rg_text *out, const rg_smarts *smarts);
/* "1 aliphatic N, charge +1; 2 aliphatic O, by a double bond to 1" */
void rg_smarts_words(rg_text *out, const rg_smarts *smarts);

/* A pattern in a molecule, which has elements, charges, hydrogens, aromatic flags and bonds, and is connected
 * (molfile/export.h makes such a one). Rings and Kekule structure are found where the pattern needs them. */
typedef struct rg_smarts_job {
    const rg_smarts *smarts;
    rg_molecule *molecule;
    uint64_t
        budget; /* steps, bounded before the search by what does not depend on the order of atoms */
    rg_cancel *cancel;
    int64_t *out; /* of atom i: out[i * stride], zero before; occurrences that hold it are added */
    size_t stride;
} rg_smarts_job;

/* *within: false: over the budget or more than 2^24 atoms in all occurrences; out then holds nothing. RG_EDATA: the
 * molecule has no Kekule structure; `fault` says so. RG_EFAIL (cancelled), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_smarts_count(const rg_smarts_job *job, bool *within, rg_mol_fault *fault,
                                        rg_error *err);

#endif
