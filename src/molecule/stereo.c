/* stereo.c - what @, @@, / and \ mean without the text.
 *
 * Tetrahedral centres: seen from the neighbour that is written first, the others run
 * counterclockwise (@) or clockwise (@@) in the order of the text. Each exchange of two neighbours
 * turns it; so the mark for any other order follows from the parity of the way there. A hydrogen or
 * lone pair without an atom of its own stands behind the neighbour before the bracket.
 *
 * Double bonds: "F/C=C/F" says for each end on which side a neighbour lies. */
#include "perceive.h"

typedef struct place {
    uint32_t at;   /* in the text */
    uint32_t rank; /* 0: hydrogen or lone pair; else 1 + number of the atom */
} place;

static bool is_bare_hydrogen(const rg_mol_atom *atom)
{
    return atom->element == 1 && !atom->isotope && !atom->charge && !atom->map &&
           atom->n_bonds == 1;
}

/* Neighbours of a centre as they come in the text; 0: no tetrahedron. */
static size_t list_places(place list[4], const rg_molecule *m, uint32_t i)
{
    const rg_mol_atom *atom = &m->atoms[i];
    size_t n = 0;
    if (atom->n_bonds < 3 || atom->n_bonds + atom->hydrogens > 4)
        return 0;
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
        const rg_mol_bond *bond = &m->bonds[m->near[k].bond];
        uint32_t other = m->near[k].atom;
        list[n++] = (place){bond->a == i ? bond->at_a : bond->at_b,
                            is_bare_hydrogen(&m->atoms[other]) ? 0 : other + 1};
    }
    if (n == 3)
        list[n++] = (place){atom->at + 1, 0};
    return n;
}

/* Is the number of pairs that are out of order odd? Two hydrogens: no centre. */
static bool parity(const place list[4], bool *odd)
{
    bool flipped = false;
    for (size_t p = 0; p < 4; p++)
        for (size_t q = p + 1; q < 4; q++) {
            if (list[p].rank == list[q].rank)
                return false;
            flipped ^= (list[p].at < list[q].at) != (list[p].rank < list[q].rank);
        }
    *odd = flipped;
    return true;
}

void rg_molecule_turn_centres(rg_molecule *m)
{
    for (uint32_t i = 0; m->has_chirality && i < m->n_atoms; i++) {
        rg_mol_atom *atom = &m->atoms[i];
        place list[4];
        bool odd = false;
        if (atom->chirality != RG_CHIRAL_CLOCKWISE && atom->chirality != RG_CHIRAL_COUNTERCLOCKWISE)
            continue;
        if (list_places(list, m, i) != 4 || !parity(list, &odd))
            atom->chirality = RG_CHIRAL_NONE;
        else if (odd)
            atom->chirality =
                (uint8_t)(RG_CHIRAL_COUNTERCLOCKWISE + RG_CHIRAL_CLOCKWISE - atom->chirality);
    }
}

/* On which side of the double bond's end i does its lowest-numbered neighbour lie? 1 above, -1 below,
 * 0: not said, or said twice and differently. */
static int side_of(const rg_molecule *m, uint32_t i, uint32_t double_bond)
{
    int side = 0;
    uint32_t lowest = RG_NO_ATOM, marked = RG_NO_ATOM;
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
        const rg_mol_bond *bond = &m->bonds[m->near[k].bond];
        uint32_t other = m->near[k].atom;
        if (m->near[k].bond == double_bond)
            continue;
        if (lowest == RG_NO_ATOM || is_bare_hydrogen(&m->atoms[lowest]))
            lowest = other; /* neighbours come by their numbers */
        if (!bond->slash)
            continue;
        int here = (bond->slash == RG_SLASH_UP) == (bond->a == i) ? 1 : -1;
        if (marked != RG_NO_ATOM && here == side)
            return 0;
        marked = other;
        side = here;
    }
    return marked == lowest ? side : -side;
}

void rg_molecule_settle_double_bonds(rg_molecule *m)
{
    for (uint32_t k = 0; m->has_slash && k < m->n_bonds; k++) {
        rg_mol_bond *bond = &m->bonds[k];
        if (bond->order != 2)
            continue;
        int a = side_of(m, bond->a, k), b = side_of(m, bond->b, k);
        if (a && b)
            bond->stereo = a == b ? RG_BOND_CIS : RG_BOND_TRANS;
    }
}

/* In a ring of fewer than eight atoms a double bond has one form only. */
void rg_molecule_drop_ring_stereo(rg_molecule *m)
{
    const rg_mol_rings *rings = &m->rings;
    for (size_t r = 0; m->has_slash && r < rings->n; r++)
        for (uint32_t k = rings->start[r]; k < rings->start[r + 1]; k++) {
            rg_mol_bond *bond = &m->bonds[rings->bonds[k]];
            if (rings->start[r + 1] - rings->start[r] < 8 || bond->flags & RG_BOND_IS_AROMATIC)
                bond->stereo = RG_BOND_STEREO_NONE;
        }
}
