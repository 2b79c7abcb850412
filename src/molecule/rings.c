/* rings.c - which bonds are in rings, and the rings themselves.
 *
 * Most molecules have exactly one choice of smallest rings. It is found bond by bond: the shortest
 * way from one end of a bond to the other without it. If that way is the only one of its length, the
 * ring is in every basis of smallest rings (else it could replace a longer one there); if there are
 * as many such rings as independent rings, they are the basis. Only for the rest, such as cages,
 * rings_all.c compares sums of rings. */
#include "perceive.h"

#include "base/alloc.h"

#include <string.h>

static const uint64_t steps_max = 1ull << 26;

/* ---- ring bonds */

typedef struct walk {
    rg_molecule *m;
    uint32_t *order; /* when an atom was reached, from 1; 0: not yet */
    uint32_t *low;   /* the earliest atom that it or those behind it have a bond to */
    uint32_t *next;  /* its neighbour to look at */
    uint32_t *path;  /* bonds from the root to the current atom */
} walk;

/* A bond is in a ring unless what lies behind it reaches nothing before it. */
static void mark_bond(walk *w, uint32_t bond)
{
    rg_mol_bond *b = &w->m->bonds[bond];
    b->flags |= RG_BOND_IN_RING;
    w->m->atoms[b->a].flags |= RG_ATOM_RING;
    w->m->atoms[b->b].flags |= RG_ATOM_RING;
}

static void walk_from(walk *w, uint32_t root, uint32_t *counter)
{
    rg_molecule *m = w->m;
    uint32_t i = root, depth = 0;
    w->order[i] = w->low[i] = ++*counter;
    for (;;) {
        if (w->next[i] < m->first[i + 1]) {
            rg_mol_near near = m->near[w->next[i]++];
            if (depth && near.bond == w->path[depth - 1])
                continue;
            if (w->order[near.atom]) {
                if (w->order[near.atom] < w->order[i]) /* back: a ring closes */
                    mark_bond(w, near.bond);
                if (w->order[near.atom] < w->low[i])
                    w->low[i] = w->order[near.atom];
                continue;
            }
            w->path[depth++] = near.bond;
            i = near.atom;
            w->order[i] = w->low[i] = ++*counter;
            continue;
        }
        if (!depth)
            return;
        const rg_mol_bond *bond = &m->bonds[w->path[--depth]];
        uint32_t before = bond->a == i ? bond->b : bond->a;
        if (w->low[i] <= w->order[before])
            mark_bond(w, w->path[depth]);
        if (w->low[i] < w->low[before])
            w->low[before] = w->low[i];
        i = before;
    }
}

/* Bonds in the order of a SMILES text: those that lead to a new atom, from an earlier one, make a
 * tree, and each of the others closes a ring with the bonds of the tree between its ends. With a bit for each of those, the bits of what hangs on a bond, taken modulo 2, are the rings through it.
 */
static rg_status mark_along_text(rg_molecule *m)
{
    uint64_t *open = (uint64_t *)(void *)rg_molecule_scratch(m, 2 * m->n_atoms), bit = 1;
    if (!open)
        return RG_ENOMEM;
    memset(open, 0, m->n_atoms * sizeof *open);
    for (size_t k = 0; k < m->n_bonds; k++)
        if (m->bonds[k].at_b) {
            open[m->bonds[k].a] ^= bit;
            open[m->bonds[k].b] ^= bit;
            bit <<= 1;
        }
    for (size_t k = m->n_bonds; k > 0; k--) {
        rg_mol_bond *bond = &m->bonds[k - 1];
        if (!bond->at_b)
            open[bond->a] ^= open[bond->b];
        if (bond->at_b || open[bond->b]) {
            bond->flags |= RG_BOND_IN_RING;
            m->atoms[bond->a].flags |= RG_ATOM_RING;
            m->atoms[bond->b].flags |= RG_ATOM_RING;
        }
    }
    return RG_OK;
}

rg_status rg_molecule_ring_bonds(rg_molecule *m)
{
    size_t n = m->n_atoms, n_closures = 0;
    for (size_t k = 0; k < m->n_bonds; k++)
        n_closures += m->bonds[k].at_b != 0;
    if (m->is_tree && n_closures <= 64)
        return n_closures ? mark_along_text(m) : RG_OK;
    uint32_t *room = rg_molecule_scratch(m, 4 * n + 1), counter = 0;
    if (!room)
        return RG_ENOMEM;
    walk w = {m, room, room + n, room + 2 * n, room + 3 * n};
    memset(w.order, 0, n * sizeof *w.order);
    memcpy(w.next, m->first, n * sizeof *w.next);
    for (uint32_t i = 0; i < n; i++)
        if (!w.order[i])
            walk_from(&w, i, &counter);
    return RG_OK;
}

/* ---- rings */

rg_status rg_mol_rings_add(rg_mol_rings *rings, size_t size, uint32_t **atoms, uint32_t **bonds)
{
    if (!rg_grow(&rings->start, &rings->start_capacity, rings->n + 2, sizeof *rings->start))
        return RG_ENOMEM;
    if (!rings->n)
        rings->start[0] = 0;
    size_t used = rings->start[rings->n];
    if (!rg_grow(&rings->atoms, &rings->atom_capacity, used + size, sizeof *rings->atoms) ||
        !rg_grow(&rings->bonds, &rings->bond_capacity, used + size, sizeof *rings->bonds))
        return RG_ENOMEM;
    rings->start[++rings->n] = (uint32_t)(used + size);
    *atoms = rings->atoms + used;
    *bonds = rings->bonds + used;
    return RG_OK;
}

typedef struct finder {
    rg_molecule *m;
    uint32_t *level; /* 0: not reached; else 1 + distance from the start of the search */
    uint32_t *ways;  /* 1, or 2 for more than one */
    uint32_t *from;  /* the neighbour before it */
    uint32_t *queue;
    uint32_t *system; /* atoms that are joined by ring bonds, one list after another */
    uint32_t *seen;   /* is the atom in a list? */
    uint8_t *covered; /* bonds: are they in a ring that was found? */
    uint64_t steps;
} finder;

/* The shortest way from a to b without `bond`; its number of bonds, 0: none. */
static uint32_t shortest_way(finder *f, uint32_t a, uint32_t b, uint32_t bond)
{
    const rg_molecule *m = f->m;
    size_t n = 0, k = 0;
    uint32_t found = 0;
    f->queue[n++] = a;
    f->level[a] = 1;
    f->ways[a] = 1;
    for (; k < n; k++) {
        uint32_t i = f->queue[k];
        if (found && f->level[i] >= found)
            break;
        for (uint32_t e = m->first[i]; e < m->first[i + 1]; e++) {
            rg_mol_near near = m->near[e];
            if (near.bond == bond || !(m->bonds[near.bond].flags & RG_BOND_IN_RING))
                continue;
            f->steps++;
            if (!f->level[near.atom]) {
                f->level[near.atom] = f->level[i] + 1;
                f->ways[near.atom] = f->ways[i];
                f->from[near.atom] = i;
                f->queue[n++] = near.atom;
                if (near.atom == b)
                    found = f->level[b];
            } else if (f->level[near.atom] == f->level[i] + 1) {
                f->ways[near.atom] = 2;
            }
        }
    }
    for (k = 0; k < n; k++)
        f->level[f->queue[k]] = 0;
    return found ? found - 1 : 0;
}

static uint32_t bond_between(const rg_molecule *m, uint32_t a, uint32_t b)
{
    uint32_t k = m->first[a];
    while (m->near[k].atom != b)
        k++;
    return m->near[k].bond;
}

/* The ring of `bond` and the way that the last search found. */
static rg_status take_ring(finder *f, uint32_t bond, uint32_t length)
{
    rg_molecule *m = f->m;
    uint32_t *atoms, *bonds, i = m->bonds[bond].b;
    rg_status status = rg_mol_rings_add(&m->rings, length + 1, &atoms, &bonds);
    if (status)
        return status;
    for (uint32_t k = 0; k < length; k++, i = f->from[i]) {
        atoms[k] = i;
        bonds[k] = bond_between(m, i, f->from[i]);
        f->covered[bonds[k]] = 1;
    }
    atoms[length] = i;
    bonds[length] = bond;
    f->covered[bond] = 1;
    return RG_OK;
}

/* All atoms that ring bonds join to `first`; *n_bonds among them. */
static size_t collect_system(finder *f, uint32_t first, size_t *n_bonds)
{
    const rg_molecule *m = f->m;
    size_t n = 0, ends = 0;
    f->system[n++] = first;
    f->seen[first] = 1;
    for (size_t k = 0; k < n; k++) {
        uint32_t i = f->system[k];
        for (uint32_t e = m->first[i]; e < m->first[i + 1]; e++) {
            if (!(m->bonds[m->near[e].bond].flags & RG_BOND_IN_RING))
                continue;
            ends++;
            uint32_t j = m->near[e].atom;
            if (!f->seen[j]) {
                f->seen[j] = 1;
                f->system[n++] = j;
            }
        }
    }
    *n_bonds = ends / 2;
    return n;
}

/* Rings of the atoms of the list, each by a bond that no ring before has. *unique: was each the only
 * one of its size through the bond? */
static rg_status find_by_bonds(finder *f, size_t n, size_t n_rings, bool *unique)
{
    rg_molecule *m = f->m;
    size_t first = m->rings.n;
    rg_status status = RG_OK;
    *unique = true;
    for (size_t k = 0; k < n && !status && m->rings.n - first < n_rings && f->steps <= steps_max;
         k++) {
        uint32_t i = f->system[k];
        for (uint32_t e = m->first[i]; e < m->first[i + 1] && !status; e++) {
            uint32_t bond = m->near[e].bond, j = m->near[e].atom;
            if (j < i || f->covered[bond] || !(m->bonds[bond].flags & RG_BOND_IN_RING))
                continue;
            uint32_t a = m->bonds[bond].a, b = m->bonds[bond].b;
            uint32_t length = shortest_way(f, a, b, bond);
            *unique &= f->ways[b] == 1;
            status = take_ring(f, bond, length);
        }
    }
    return status;
}

static rg_status find_in_system(finder *f, uint32_t first)
{
    rg_molecule *m = f->m;
    size_t before = m->rings.n, n_bonds;
    size_t n = collect_system(f, first, &n_bonds);
    size_t n_rings = n_bonds - n + 1;
    bool unique = true;
    rg_status status = find_by_bonds(f, n, n_rings, &unique);
    if (status || (unique && m->rings.n - before == n_rings))
        return status;
    return rg_molecule_list_rings(m, f->system, n, n_rings, before);
}

static void measure(rg_molecule *m)
{
    for (size_t r = 0; r < m->rings.n; r++) {
        uint32_t size = m->rings.start[r + 1] - m->rings.start[r];
        for (uint32_t k = m->rings.start[r]; k < m->rings.start[r + 1]; k++) {
            rg_mol_atom *atom = &m->atoms[m->rings.atoms[k]];
            if (!atom->ring_size || size < atom->ring_size)
                atom->ring_size = (uint8_t)(size < 255 ? size : 255);
        }
    }
}

rg_status rg_molecule_find_rings(rg_molecule *m, rg_mol_fault *fault)
{
    size_t n = m->n_atoms, n_words = 6 * n + (m->n_bonds + 3) / 4;
    uint32_t *room = rg_molecule_scratch(m, n_words + 1);
    if (!room)
        return RG_ENOMEM;
    memset(room, 0, n * sizeof *room);                             /* level */
    memset(room + 5 * n, 0, (n_words - 5 * n + 1) * sizeof *room); /* seen, covered */
    finder f = {m,
                room,
                room + n,
                room + 2 * n,
                room + 3 * n,
                room + 4 * n,
                room + 5 * n,
                (uint8_t *)(room + 6 * n),
                0};
    rg_status status = RG_OK;
    for (uint32_t i = 0; i < n && !status; i++) {
        if (!(m->atoms[i].flags & RG_ATOM_RING) || f.seen[i])
            continue;
        status = find_in_system(&f, i);
        if (!status && f.steps > steps_max)
            status =
                rg_mol_fail(fault, m->atoms[i].at, "found rings that are too many and too large");
    }
    if (!status)
        measure(m);
    return status;
}
