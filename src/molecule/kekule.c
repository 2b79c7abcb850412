/* kekule.c - aromatic bonds become single and double ones.
 *
 * Which atoms need a double bond follows from their valence; then a matching is looked for that
 * covers all of them: first by leaves (an atom with one possible partner has no choice), then by
 * augmenting paths with blossoms (J. Edmonds, 1965), since rings may be odd. Wildcards may get a
 * double bond, but need none.
 *
 *     mate[i]    partner of i, or RG_NO_ATOM
 *     parent[i]  in the search: the outer atom before i
 *     base[i]    in the search: the atom that i's blossom has shrunk to */
#include "element.h"
#include "perceive.h"

#include <string.h>

enum { NEEDS = 1, MAY = 2 }; /* a double bond */
static const uint64_t steps_max =
    1ull << 26; /* of a search; a molecule of 1,000 atoms takes some 1,000 */

typedef struct matching {
    rg_molecule *m;
    uint32_t *kind, *mate, *parent, *base, *queue, *state;
    size_t n_queued;
    uint64_t steps;
} matching;

/* Is the first normal valence that is not below what the atom has above it? */
static uint32_t need_of(const rg_mol_atom *atom)
{
    if (atom->element == RG_WILDCARD)
        return MAY;
    unsigned has = atom->bond_sum + atom->hydrogens;
    const uint8_t *normal = rg_ion_valences(atom->element, atom->charge);
    for (size_t k = 0; k < RG_VALENCES && normal[k]; k++)
        if (normal[k] >= has)
            return normal[k] > has ? NEEDS : 0;
    return 0;
}

/* Can the bond of this neighbour become double? */
static bool is_open(const matching *s, const rg_mol_near *near)
{
    const rg_mol_bond *bond = &s->m->bonds[near->bond];
    return (bond->flags & RG_BOND_WRITTEN_AROMATIC) && (bond->flags & RG_BOND_IN_RING) &&
           s->kind[near->atom];
}

static rg_status classify(matching *s, rg_mol_fault *fault)
{
    rg_molecule *m = s->m;
    for (uint32_t i = 0; i < m->n_atoms; i++) {
        const rg_mol_atom *atom = &m->atoms[i];
        bool aromatic = atom->flags & RG_ATOM_WRITTEN_AROMATIC;
        s->mate[i] = RG_NO_ATOM;
        s->kind[i] = 0;
        if (aromatic && !(atom->flags & RG_ATOM_RING))
            return rg_mol_fail(fault, atom->at, "found an aromatic atom outside a ring");
        if ((aromatic || atom->element == RG_WILDCARD) && (atom->flags & RG_ATOM_RING))
            s->kind[i] = need_of(atom);
    }
    return RG_OK;
}

static uint32_t count_partners(const matching *s, uint32_t i, uint32_t *last)
{
    uint32_t n = 0;
    for (uint32_t k = s->m->first[i]; k < s->m->first[i + 1]; k++) {
        const rg_mol_near *near = &s->m->near[k];
        if (is_open(s, near) && s->mate[near->atom] == RG_NO_ATOM) {
            *last = near->atom;
            n++;
        }
    }
    return n;
}

/* Joins a and b, then all that have one free partner left because of it. */
static void join(matching *s, uint32_t a, uint32_t b)
{
    size_t n = 0;
    s->mate[a] = b;
    s->mate[b] = a;
    s->queue[n++] = a;
    s->queue[n++] = b;
    while (n > 0) {
        uint32_t i = s->queue[--n];
        for (uint32_t k = s->m->first[i]; k < s->m->first[i + 1]; k++) {
            const rg_mol_near *near = &s->m->near[k];
            uint32_t j = near->atom, partner = 0;
            if (s->kind[j] != NEEDS || s->mate[j] != RG_NO_ATOM || !is_open(s, near) ||
                count_partners(s, j, &partner) != 1)
                continue;
            s->mate[j] = partner;
            s->mate[partner] = j;
            s->queue[n++] = j;
            s->queue[n++] = partner;
        }
    }
}

/* Leaves first, then in the order of the text: an atom with the first partner that is free. */
static void join_greedily(matching *s)
{
    size_t n = s->m->n_atoms;
    uint32_t partner = 0;
    for (uint32_t i = 0; i < n; i++)
        if (s->kind[i] == NEEDS && s->mate[i] == RG_NO_ATOM && count_partners(s, i, &partner) == 1)
            join(s, i, partner);
    for (uint32_t i = 0; i < n; i++)
        if (s->kind[i] == NEEDS && s->mate[i] == RG_NO_ATOM && count_partners(s, i, &partner) > 0)
            join(s, i, partner);
}

/* ---- augmenting paths */

enum { UNSEEN, OUTER, MARK = 2 };

/* First common base of two outer atoms on their ways to the root. */
static uint32_t common_base(matching *s, uint32_t a, uint32_t b)
{
    for (uint32_t i = s->base[a];; i = s->base[s->parent[s->mate[i]]]) {
        s->state[i] |= MARK;
        s->steps++;
        if (s->mate[i] == RG_NO_ATOM)
            break;
    }
    uint32_t found = s->base[b];
    while (!(s->state[found] & MARK))
        found = s->base[s->parent[s->mate[found]]];
    for (uint32_t i = s->base[a];; i = s->base[s->parent[s->mate[i]]]) {
        s->state[i] &= ~(uint32_t)MARK;
        if (s->mate[i] == RG_NO_ATOM)
            break;
    }
    return found;
}

/* Atoms on the way from i up to `top` belong to the blossom: flagged in `queue` order by base. */
static void lift_path(matching *s, uint32_t i, uint32_t top, uint32_t child, uint32_t *in_blossom)
{
    while (s->base[i] != top) {
        in_blossom[s->base[i]] = in_blossom[s->base[s->mate[i]]] = 1;
        s->parent[i] = child;
        child = s->mate[i];
        i = s->parent[s->mate[i]];
        s->steps++;
    }
}

static void shrink(matching *s, uint32_t a, uint32_t b, uint32_t *in_blossom)
{
    size_t n = s->m->n_atoms;
    uint32_t top = common_base(s, a, b);
    memset(in_blossom, 0, n * sizeof *in_blossom);
    lift_path(s, a, top, b, in_blossom);
    lift_path(s, b, top, a, in_blossom);
    for (uint32_t i = 0; i < n; i++)
        if (in_blossom[s->base[i]]) {
            s->base[i] = top;
            if (!(s->state[i] & OUTER)) {
                s->state[i] |= OUTER;
                s->queue[s->n_queued++] = i;
            }
        }
    s->steps += n;
}

/* Turns the path that ends at the free atom `end`: what was joined is not, and the other way. */
static void turn_path(matching *s, uint32_t end)
{
    for (uint32_t i = end; i != RG_NO_ATOM;) {
        uint32_t before = s->parent[i], next = s->mate[before];
        s->mate[i] = before;
        s->mate[before] = i;
        i = next;
    }
}

/* Looks at the bonds of the outer atom i. True: a path was found and turned. */
static bool extend(matching *s, uint32_t i, uint32_t *in_blossom)
{
    for (uint32_t k = s->m->first[i]; k < s->m->first[i + 1]; k++) {
        const rg_mol_near *near = &s->m->near[k];
        uint32_t j = near->atom;
        s->steps++;
        if (!is_open(s, near) || s->base[i] == s->base[j] || s->mate[i] == j)
            continue;
        if (s->state[j] & OUTER) {
            shrink(s, i, j, in_blossom);
        } else if (s->parent[j] == RG_NO_ATOM) {
            s->parent[j] = i;
            if (s->mate[j] == RG_NO_ATOM) {
                turn_path(s, j);
                return true;
            }
            s->state[s->mate[j]] |= OUTER;
            s->queue[s->n_queued++] = s->mate[j];
        }
    }
    return false;
}

/* A wildcard on the way can give its partner away: then the path up to it is turned. */
static bool give_away(matching *s, uint32_t i)
{
    if (s->kind[i] != MAY || s->mate[i] == RG_NO_ATOM)
        return false;
    uint32_t partner = s->mate[i];
    s->mate[i] = RG_NO_ATOM;
    turn_path(s, partner);
    return true;
}

/* A path from the unmatched atom `root`. */
static bool search(matching *s, uint32_t root, uint32_t *in_blossom)
{
    for (uint32_t i = 0; i < s->m->n_atoms; i++) {
        s->parent[i] = RG_NO_ATOM;
        s->base[i] = i;
        s->state[i] = UNSEEN;
    }
    s->steps += s->m->n_atoms;
    s->n_queued = 0;
    s->queue[s->n_queued++] = root;
    s->state[root] = OUTER;
    for (size_t k = 0; k < s->n_queued && s->steps < steps_max; k++)
        if (give_away(s, s->queue[k]) || extend(s, s->queue[k], in_blossom))
            return true;
    return false;
}

static rg_status complete(matching *s, uint32_t *in_blossom, rg_mol_fault *fault)
{
    for (uint32_t i = 0; i < s->m->n_atoms; i++)
        if (s->kind[i] == NEEDS && s->mate[i] == RG_NO_ATOM && !search(s, i, in_blossom))
            return rg_mol_fail(
                fault, s->m->atoms[i].at,
                s->steps < steps_max
                    ? "found an aromatic atom that can get no double bond: no alternating "
                      "single and double bonds fit its rings"
                    : "found an aromatic ring system that is too large");
    return RG_OK;
}

rg_status rg_molecule_kekulise(rg_molecule *m, rg_mol_fault *fault)
{
    if (!m->has_aromatic)
        return RG_OK;
    size_t n = m->n_atoms;
    uint32_t *room = rg_molecule_scratch(m, 7 * n);
    if (!room)
        return RG_ENOMEM;
    matching s = {m, room, room + n, room + 2 * n, room + 3 * n, room + 4 * n, room + 5 * n, 0, 0};
    rg_status status = classify(&s, fault);
    if (status)
        return status;
    join_greedily(&s);
    status = complete(&s, room + 6 * n, fault);
    for (size_t k = 0; k < m->n_bonds && !status; k++) {
        rg_mol_bond *bond = &m->bonds[k];
        if (bond->flags & RG_BOND_WRITTEN_AROMATIC && s.mate[bond->a] == bond->b) {
            bond->order = 2;
            m->atoms[bond->a].bond_sum++;
            m->atoms[bond->b].bond_sum++;
        }
    }
    return status;
}

rg_status rg_molecule_restore_kekule(rg_molecule *m, rg_mol_fault *fault)
{
    for (size_t i = 0; i < m->n_atoms; i++) {
        rg_mol_atom *atom = &m->atoms[i];
        atom->flags &= (uint8_t)~RG_ATOM_WRITTEN_AROMATIC;
        if (atom->flags & RG_ATOM_AROMATIC && atom->element != RG_WILDCARD)
            atom->flags |= RG_ATOM_WRITTEN_AROMATIC;
    }
    for (size_t k = 0; k < m->n_bonds; k++) {
        rg_mol_bond *bond = &m->bonds[k];
        bond->flags &= (uint8_t)~RG_BOND_WRITTEN_AROMATIC;
        if (bond->flags & RG_BOND_IS_AROMATIC) {
            bond->flags |= RG_BOND_WRITTEN_AROMATIC;
            bond->order = 1;
            m->has_aromatic = true;
        }
    }
    rg_status status = rg_molecule_ring_bonds(m);
    rg_molecule_sum_bonds(m);
    if (!status)
        status = rg_molecule_kekulise(m, fault);
    return status;
}
