/* aromatic.c - which rings are aromatic: electrons are counted as RDKit's default model does.
 *
 * An atom of a ring gives
 *   1   if it has a double bond in a ring, or to an atom outside that is no more electronegative
 *   2   if it has a lone pair and single bonds only: O, S, N with three neighbours, C-
 *   0   if it has an empty orbital: C+, B, or C=O and its like, where the electron is drawn outside
 * and any number if it is a wildcard (one of them in a ring at most). Only atoms of the first two
 * rows, Se and Te count, with three neighbours at most, in their normal valence, with one multiple
 * bond at most.
 *
 * Rings all of whose atoms count are taken alone, then two, three, ... up to six that share one bond
 * with each other: 4n+2 electrons on the atoms that at most two of them share make all bonds of the
 * outline aromatic. Larger sets are tried only while there are bonds that are not aromatic yet.
 * Rings of more than 24 atoms are only taken alone. */
#include "element.h"
#include "perceive.h"

#include "base/alloc.h"

#include <string.h>

enum { SETS_LARGEST = 6, FUSED_LARGEST = 24 };
static const size_t sets_max = 1 << 18; /* that are tried in one system of rings */

enum { ANY = 3, NOTHING = 4 }; /* beside 0, 1 and 2 electrons */

/* ---- electrons of an atom */

typedef struct around {
    unsigned multiple; /* bonds of order 2 and more */
    bool in_ring;      /* one of them is in a ring */
    uint32_t outside;  /* the other end of one that is in none, or RG_NO_ATOM */
} around;

static around look_around(const rg_molecule *m, uint32_t i)
{
    around a = {.outside = RG_NO_ATOM};
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
        const rg_mol_bond *bond = &m->bonds[m->near[k].bond];
        if (bond->order < 2)
            continue;
        a.multiple++;
        if (bond->flags & RG_BOND_IN_RING)
            a.in_ring = true;
        else if (a.outside == RG_NO_ATOM)
            a.outside = m->near[k].atom;
    }
    return a;
}

static int smallest_valence(unsigned element)
{
    unsigned valence = rg_element_valences(element)[0];
    return valence ? (int)valence : -1;
}

/* Electrons that belong to no bond and no pair, of an atom that says its hydrogens itself. */
static int radicals_of(const rg_mol_atom *atom)
{
    if (atom->flags & RG_ATOM_FREE_HYDROGENS)
        return 0;
    int outer = (int)rg_element_outer(atom->element), total = atom->bond_sum + atom->hydrogens;
    int left = (atom->element <= 2 ? 2 : 8) - outer - total + atom->charge;
    if (left < 0) {
        const uint8_t *normal = rg_element_valences(atom->element);
        left = 0;
        for (size_t k = 0; normal[1] && k < RG_VALENCES && normal[k]; k++)
            if (normal[k] - total + atom->charge >= 0) {
                left = normal[k] - total + atom->charge;
                break;
            }
    }
    int spare = outer - total - atom->charge;
    return spare >= 0 && spare < left ? spare : left;
}

/* Electrons for the ring system; below 0: the atom cannot take part. */
static int spare_electrons(const rg_mol_atom *atom, int radicals)
{
    int normal = smallest_valence(atom->element);
    int degree = (int)atom->n_bonds + atom->hydrogens;
    if (normal <= 1 || degree > 3)
        return -1;
    int pairs = (int)rg_element_outer(atom->element) - normal - atom->charge;
    int spare = normal - degree + (pairs > 0 ? pairs : 0) - radicals;
    bool triple = atom->bond_sum > atom->n_bonds + 1;
    return spare > 1 && triple ? 1 : spare;
}

static unsigned donate(const rg_molecule *m, uint32_t i, const around *a, int spare)
{
    const rg_mol_atom *atom = &m->atoms[i];
    bool outside = a->outside != RG_NO_ATOM;
    bool stolen = outside && rg_element_attracts(m->atoms[a->outside].element, atom->element);
    if (spare < 0)
        return NOTHING;
    if (spare == 0)
        return outside ? 0 : a->in_ring ? 1 : NOTHING;
    if (spare == 1) {
        if (outside)
            return stolen ? 0 : 1;
        return a->multiple ? 1 : atom->charge == 1 ? 0 : NOTHING;
    }
    return (spare - stolen) % 2 ? 1 : 2;
}

static bool may_be_aromatic(const rg_mol_atom *atom, const around *a, int radicals)
{
    unsigned z = atom->element;
    if (z > 18 && z != 34 && z != 52)
        return false;
    int same = (int)z - atom->charge;
    int normal = smallest_valence(z);
    int allowed = same > 0 ? smallest_valence((unsigned)same) : -1;
    if (normal > 0 && atom->bond_sum + atom->hydrogens > allowed)
        return false;
    return !(radicals && (z != 6 || atom->charge)) && a->multiple <= 1;
}

static unsigned electrons_of(const rg_molecule *m, uint32_t i)
{
    const rg_mol_atom *atom = &m->atoms[i];
    around a = look_around(m, i);
    if (atom->element == RG_WILDCARD)
        return a.multiple > 1 ? NOTHING : a.in_ring ? 1 : ANY;
    int radicals = radicals_of(atom);
    if (!may_be_aromatic(atom, &a, radicals))
        return NOTHING;
    return donate(m, i, &a, spare_electrons(atom, radicals));
}

/* ---- sets of rings */

typedef struct aromatiser {
    rg_molecule *m;
    uint8_t *electrons; /* of each atom; computed for ring atoms only */
    uint32_t *rings;    /* candidates: numbers of rings */
    size_t n;
    uint32_t *partner_start, *partners; /* of candidate r, those that share one bond with it */
    uint32_t *done;                     /* the candidate's system was dealt with */
    uint32_t *system;                   /* candidates of the system, ascending */
    size_t n_system;
    uint32_t *atom_count, *bond_count; /* how many rings of the set have it; zero between sets */
    size_t n_left, n_tried;            /* bonds of the system that are not aromatic yet */
} aromatiser;

static uint32_t ring_size(const rg_mol_rings *rings, uint32_t r)
{
    return rings->start[r + 1] - rings->start[r];
}

static bool is_candidate(const aromatiser *s, uint32_t r)
{
    const rg_mol_rings *rings = &s->m->rings;
    bool real = false;
    for (uint32_t k = rings->start[r]; k < rings->start[r + 1]; k++) {
        if (s->electrons[rings->atoms[k]] == NOTHING)
            return false;
        real |= s->m->atoms[rings->atoms[k]].element != RG_WILDCARD;
    }
    return real;
}

/* 4n+2 electrons on the atoms that one or two rings of the set have? */
static bool is_aromatic(const aromatiser *s, const uint32_t *set, size_t n)
{
    const rg_mol_rings *rings = &s->m->rings;
    unsigned low = 0, high = 0, n_any = 0;
    for (size_t c = 0; c < n; c++)
        for (uint32_t k = rings->start[set[c]]; k < rings->start[set[c] + 1]; k++)
            s->atom_count[rings->atoms[k]]++;
    for (size_t c = 0; c < n; c++)
        for (uint32_t k = rings->start[set[c]]; k < rings->start[set[c] + 1]; k++) {
            uint32_t i = rings->atoms[k], count = s->atom_count[i];
            s->atom_count[i] = 0;
            if (count != 1 && count != 2)
                continue;
            unsigned electrons = s->electrons[i];
            n_any += electrons == ANY;
            low += electrons == ANY ? 0 : electrons;
            high += electrons == ANY ? 2 : electrons;
        }
    if (n_any > 1 || high < 6)
        return n_any <= 1 && high == 2;
    for (unsigned e = low; e <= high; e++)
        if (e % 4 == 2)
            return true;
    return false;
}

/* Bonds of one ring alone. */
static void mark_outline(aromatiser *s, const uint32_t *set, size_t n)
{
    rg_molecule *m = s->m;
    const rg_mol_rings *rings = &m->rings;
    for (size_t c = 0; c < n; c++)
        for (uint32_t k = rings->start[set[c]]; k < rings->start[set[c] + 1]; k++)
            s->bond_count[rings->bonds[k]]++;
    for (size_t c = 0; c < n; c++)
        for (uint32_t k = rings->start[set[c]]; k < rings->start[set[c] + 1]; k++) {
            rg_mol_bond *bond = &m->bonds[rings->bonds[k]];
            if (s->bond_count[rings->bonds[k]] == 1 && !(bond->flags & RG_BOND_IS_AROMATIC)) {
                bond->flags |= RG_BOND_IS_AROMATIC;
                m->atoms[bond->a].flags |= RG_ATOM_AROMATIC;
                m->atoms[bond->b].flags |= RG_ATOM_AROMATIC;
                s->n_left--;
            }
            s->bond_count[rings->bonds[k]] = 0;
        }
}

static void try_set(aromatiser *s, const uint32_t *chosen, size_t n)
{
    uint32_t set[SETS_LARGEST];
    for (size_t c = 0; c < n; c++)
        set[c] = s->rings[chosen[c]];
    s->n_tried++;
    if (is_aromatic(s, set, n))
        mark_outline(s, set, n);
}

static bool is_partner_of(const aromatiser *s, uint32_t r, const uint32_t *set, size_t n)
{
    for (size_t c = 0; c < n; c++)
        for (uint32_t k = s->partner_start[r]; k < s->partner_start[r + 1]; k++)
            if (s->partners[k] == set[c])
                return true;
    return false;
}

/* Every connected set of `size` rings once (S. Wernicke, 2006): its smallest ring first, and a ring
 * may join only if it is larger than that and next to the set, but was not next to it before. The
 * stack has, for every size, the rings that may join and which of them comes next. */
typedef struct extension {
    uint32_t *rings;
    size_t n, next;
} extension;

static size_t extend(aromatiser *s, uint32_t *out, const extension *from, const uint32_t *set,
                     size_t n)
{
    size_t count = 0;
    for (size_t k = from->next; k < from->n; k++)
        out[count++] = from->rings[k];
    uint32_t last = set[n - 1];
    for (uint32_t k = s->partner_start[last]; k < s->partner_start[last + 1]; k++) {
        uint32_t r = s->partners[k];
        if (r <= set[0] || is_partner_of(s, r, set, n - 1))
            continue;
        bool member = false;
        for (size_t c = 0; c < n; c++)
            member |= set[c] == r;
        if (!member)
            out[count++] = r;
    }
    return count;
}

static void try_sets_from(aromatiser *s, uint32_t first, size_t size, uint32_t *room)
{
    extension stack[SETS_LARGEST];
    uint32_t set[SETS_LARGEST];
    size_t depth = 0, width = s->n_system;
    set[0] = first;
    if (size == 1) {
        try_set(s, set, 1);
        return;
    }
    stack[0] = (extension){room, 0, 0};
    stack[0].n = extend(s, room, &(extension){0}, set, 1);
    for (;;) {
        extension *top = &stack[depth];
        if (top->next == top->n || s->n_tried > sets_max) {
            if (!depth)
                return;
            depth--;
            continue;
        }
        set[depth + 1] = top->rings[top->next++];
        if (depth + 2 == size) {
            try_set(s, set, size);
            continue;
        }
        stack[depth + 1] = (extension){room + (depth + 1) * width, 0, 0};
        stack[depth + 1].n = extend(s, stack[depth + 1].rings, top, set, depth + 2);
        depth++;
    }
}

/* All rings that are joined to candidate r, over any number of others. */
static void collect_system(aromatiser *s, uint32_t r)
{
    const rg_mol_rings *rings = &s->m->rings;
    s->n_system = s->n_left = s->n_tried = 0;
    s->system[s->n_system++] = r;
    s->done[r] = 1;
    for (size_t k = 0; k < s->n_system; k++) {
        uint32_t c = s->system[k];
        for (uint32_t e = s->partner_start[c]; e < s->partner_start[c + 1]; e++)
            if (!s->done[s->partners[e]]) {
                s->done[s->partners[e]] = 1;
                s->system[s->n_system++] = s->partners[e];
            }
        for (uint32_t e = rings->start[s->rings[c]]; e < rings->start[s->rings[c] + 1]; e++)
            s->n_left += s->bond_count[rings->bonds[e]]++ == 0 &&
                         !(s->m->bonds[rings->bonds[e]].flags & RG_BOND_IS_AROMATIC);
    }
    for (size_t k = 0; k < s->n_system; k++)
        for (uint32_t e = rings->start[s->rings[s->system[k]]];
             e < rings->start[s->rings[s->system[k]] + 1]; e++)
            s->bond_count[rings->bonds[e]] = 0;
}

/* Which rings have a bond, as chains: head[bond] is 1 + the first place, next[place] 1 + the one after
 * it, owner[place] the candidate. */
typedef struct chains {
    uint32_t *head, *next, *owner;
} chains;

static void chain_rings(const aromatiser *s, chains *c)
{
    const rg_mol_rings *rings = &s->m->rings;
    uint32_t place = 0;
    memset(c->head, 0, s->m->n_bonds * sizeof *c->head);
    for (uint32_t r = 0; r < s->n; r++) {
        if (ring_size(rings, s->rings[r]) > FUSED_LARGEST)
            continue;
        for (uint32_t k = rings->start[s->rings[r]]; k < rings->start[s->rings[r] + 1]; k++) {
            c->owner[place] = r;
            c->next[place] = c->head[rings->bonds[k]];
            c->head[rings->bonds[k]] = ++place;
        }
    }
}

/* shared: how many bonds each candidate shares with r; zero between calls. */
static rg_status add_partners(aromatiser *s, const chains *c, uint32_t r, uint32_t *shared,
                              size_t *capacity)
{
    const rg_mol_rings *rings = &s->m->rings;
    size_t n = s->partner_start[r];
    bool small = ring_size(rings, s->rings[r]) <= FUSED_LARGEST;
    for (int round = 0; round < 2 && small; round++) /* counts, then takes what has one */
        for (uint32_t k = rings->start[s->rings[r]]; k < rings->start[s->rings[r] + 1]; k++)
            for (uint32_t p = c->head[rings->bonds[k]]; p; p = c->next[p - 1]) {
                uint32_t q = c->owner[p - 1];
                if (q == r || (round == 0 && ++shared[q]))
                    continue;
                bool one = shared[q] == 1;
                shared[q] = 0;
                if (!one)
                    continue;
                if (!rg_grow(&s->partners, capacity, n + 1, sizeof *s->partners))
                    return RG_ENOMEM;
                s->partners[n++] = q;
            }
    s->partner_start[r + 1] = (uint32_t)n;
    return RG_OK;
}

static rg_status find_partners(aromatiser *s, size_t *capacity)
{
    const rg_molecule *m = s->m;
    size_t n_places = m->rings.start[m->rings.n];
    s->partner_start[0] = 0;
    if (s->n < 2) {
        s->partner_start[s->n] = 0;
        return RG_OK;
    }
    uint32_t *room = rg_alloc(m->n_bonds + 2 * n_places + s->n, sizeof *room);
    if (!room)
        return RG_ENOMEM;
    chains c = {room, room + m->n_bonds, room + m->n_bonds + n_places};
    uint32_t *shared = c.owner + n_places;
    rg_status status = RG_OK;
    memset(shared, 0, s->n * sizeof *shared);
    chain_rings(s, &c);
    for (uint32_t r = 0; r < s->n && !status; r++)
        status = add_partners(s, &c, r, shared, capacity);
    rg_free(room);
    return status;
}

static rg_status try_systems(aromatiser *s)
{
    uint32_t *room = rg_alloc(s->n * SETS_LARGEST, sizeof *room);
    if (!room)
        return RG_ENOMEM;
    for (uint32_t r = 0; r < s->n; r++) {
        if (s->done[r])
            continue;
        collect_system(s, r);
        for (size_t size = 1; size <= SETS_LARGEST && size <= s->n_system && s->n_left; size++)
            for (size_t k = 0; k < s->n_system && s->n_tried <= sets_max; k++)
                try_sets_from(s, s->system[k], size, room);
    }
    rg_free(room);
    return RG_OK;
}

rg_status rg_molecule_find_aromatic(rg_molecule *m)
{
    size_t n = m->n_atoms, n_rings = m->rings.n;
    size_t n_words = (n + 3) / 4 + n + m->n_bonds + 4 * n_rings + 1;
    if (!n_rings)
        return RG_OK;
    uint32_t *room = rg_molecule_scratch(m, n_words);
    if (!room)
        return RG_ENOMEM;
    memset(room, 0, n_words * sizeof *room);
    aromatiser s = {.m = m, .atom_count = room, .bond_count = room + n};
    s.rings = s.bond_count + m->n_bonds;
    s.done = s.rings + n_rings;
    s.system = s.done + n_rings;
    s.partner_start = s.system + n_rings;
    s.electrons = (uint8_t *)(s.partner_start + n_rings + 1);
    for (uint32_t i = 0; i < n; i++)
        s.electrons[i] = m->atoms[i].flags & RG_ATOM_RING ? (uint8_t)electrons_of(m, i) : NOTHING;
    for (uint32_t r = 0; r < n_rings; r++)
        if (is_candidate(&s, r))
            s.rings[s.n++] = r;
    size_t capacity = 0;
    rg_status status = find_partners(&s, &capacity);
    if (!status)
        status = try_systems(&s);
    rg_free(s.partners);
    return status;
}
