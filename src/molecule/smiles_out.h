/* smiles_out.h - a molecule on its way to a text. Inside this room only. */
#ifndef REGULA_MOLECULE_SMILES_OUT_H
#define REGULA_MOLECULE_SMILES_OUT_H

#include "canon.h"
#include "smiles.h"

/* The text is a walk: a tree of atoms, each behind its parent, and rings that are closed between an
 * atom and one before it on the way from the first. Both directions of a bond go from the atom that
 * comes first in the walk. */
typedef struct rg_smiles_out {
    const rg_molecule *m;
    bool kekule;
    uint32_t *rank;
    uint32_t *walk, *visit; /* atoms as they are met; their places in it */
    uint32_t *parent;       /* RG_NO_ATOM: the first of its part */
    uint32_t *weight;       /* atoms behind it, with itself */
    rg_mol_near *near;      /* as m->near, sorted: as they are written */
    uint8_t *ring;          /* by bond: the number, while it is open */
    char *slash;            /* by bond: '/', '\\' or '\0' */
    uint32_t *stack;
    bool used[100]; /* numbers of rings */
} rg_smiles_out;

/* Does the bond come first at atom i? Its first end in the walk. */
static inline uint32_t rg_smiles_from(const rg_smiles_out *s, uint32_t bond)
{
    const rg_mol_bond *b = &s->m->bonds[bond];
    return s->visit[b->a] < s->visit[b->b] ? b->a : b->b;
}

/* slash: what says which double bonds are cis or trans. */
void rg_smiles_slashes(rg_smiles_out *s);

#endif
