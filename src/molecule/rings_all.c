/* rings_all.c - the rings of cages, where bonds alone do not tell which are the smallest.
 *
 * Candidates (J. Horton, 1987): from every atom the shortest ways to the ends of a bond, where they
 * meet in that atom alone. A ring is a set of bonds, and sums are taken modulo 2. From the shortest
 * to the longest, a candidate is kept if it is no sum of shorter ones; so rings that could stand
 * for each other, such as the six faces of a cube, are all kept. */
#include "perceive.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

static const size_t words_max = 1 << 20; /* of all candidates */

typedef struct lister {
    rg_molecule *m;
    const uint32_t *atoms;
    size_t n, n_words;                          /* words of a set of bonds */
    uint32_t *bit;                              /* of each bond of the molecule */
    uint32_t *bonds;                            /* the bond of each bit */
    uint32_t *level, *from_bond, *side, *queue; /* of a search; side: the neighbour of the root */
    uint64_t *sets;
    uint32_t *lengths;
    size_t n_sets;
    size_t n_bits;
} lister;

static void number_bonds(lister *l)
{
    const rg_molecule *m = l->m;
    for (size_t k = 0; k < l->n; k++)
        for (uint32_t e = m->first[l->atoms[k]]; e < m->first[l->atoms[k] + 1]; e++)
            if (m->near[e].atom > l->atoms[k] &&
                m->bonds[m->near[e].bond].flags & RG_BOND_IN_RING) {
                l->bit[m->near[e].bond] = (uint32_t)l->n_bits;
                l->bonds[l->n_bits++] = m->near[e].bond;
            }
}

static uint32_t other_end(const rg_mol_bond *bond, uint32_t i)
{
    return bond->a == i ? bond->b : bond->a;
}

static void search(lister *l, uint32_t root)
{
    const rg_molecule *m = l->m;
    size_t n = 0;
    for (size_t k = 0; k < l->n; k++)
        l->level[l->atoms[k]] = 0;
    l->queue[n++] = root;
    l->level[root] = 1;
    l->side[root] = root;
    for (size_t k = 0; k < n; k++) {
        uint32_t i = l->queue[k];
        for (uint32_t e = m->first[i]; e < m->first[i + 1]; e++) {
            rg_mol_near near = m->near[e];
            if (l->level[near.atom] || !(m->bonds[near.bond].flags & RG_BOND_IN_RING))
                continue;
            l->level[near.atom] = l->level[i] + 1;
            l->from_bond[near.atom] = near.bond;
            l->side[near.atom] = i == root ? near.atom : l->side[i];
            l->queue[n++] = near.atom;
        }
    }
}

static void add_way(const lister *l, uint64_t *set, uint32_t i, uint32_t root)
{
    while (i != root) {
        uint32_t bond = l->from_bond[i];
        set[l->bit[bond] / 64] |= 1ull << l->bit[bond] % 64;
        i = other_end(&l->m->bonds[bond], i);
    }
}

/* Both ways must leave the root by different neighbours: so they share the root alone. */
static void add_candidates(lister *l, uint32_t root)
{
    const rg_molecule *m = l->m;
    for (size_t k = 0; k < l->n_bits; k++) {
        const rg_mol_bond *bond = &m->bonds[l->bonds[k]];
        uint32_t a = bond->a, b = bond->b;
        if (l->from_bond[a] == l->bonds[k] || l->from_bond[b] == l->bonds[k] ||
            l->side[a] == l->side[b])
            continue;
        uint64_t *set = l->sets + l->n_sets * l->n_words;
        memset(set, 0, l->n_words * sizeof *set);
        set[k / 64] |= 1ull << k % 64;
        add_way(l, set, a, root);
        add_way(l, set, b, root);
        l->lengths[l->n_sets++] = l->level[a] + l->level[b] - 1;
    }
}

/* ---- the shortest first */

static bool is_empty(const uint64_t *set, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (set[k])
            return false;
    return true;
}

/* rows: sets with one bit each that no later row has. */
typedef struct basis {
    uint64_t *rows;
    uint32_t *pivots;
    size_t n;
} basis;

static void subtract(uint64_t *set, const basis *b, size_t first, size_t end, size_t n_words)
{
    for (size_t r = first; r < end; r++)
        if (set[b->pivots[r] / 64] >> b->pivots[r] % 64 & 1)
            for (size_t k = 0; k < n_words; k++)
                set[k] ^= b->rows[r * n_words + k];
}

static void add_row(basis *b, const uint64_t *set, size_t n_words)
{
    uint32_t bit = 0;
    while (!(set[bit / 64] >> bit % 64 & 1))
        bit++;
    memcpy(b->rows + b->n * n_words, set, n_words * sizeof *set);
    b->pivots[b->n++] = bit;
}

/* In going round. */
static rg_status emit(lister *l, const uint64_t *set, uint32_t length)
{
    rg_molecule *m = l->m;
    uint32_t *atoms, *bonds;
    rg_status status = rg_mol_rings_add(&m->rings, length, &atoms, &bonds);
    if (status)
        return status;
    size_t bit = 0;
    while (!(set[bit / 64] >> bit % 64 & 1))
        bit++;
    uint32_t bond = l->bonds[bit], i = m->bonds[bond].a;
    for (uint32_t k = 0; k < length; k++) {
        atoms[k] = i;
        bonds[k] = bond;
        i = other_end(&m->bonds[bond], i);
        for (uint32_t e = m->first[i]; e < m->first[i + 1]; e++) {
            uint32_t next = m->near[e].bond;
            if (next != bond && m->bonds[next].flags & RG_BOND_IN_RING &&
                set[l->bit[next] / 64] >> l->bit[next] % 64 & 1) {
                bond = next;
                break;
            }
        }
    }
    return RG_OK;
}

/* Candidates by length and then by content, so that equal ones lie together: first the length, then
 * the words, in one row of numbers for qsort_r's lack of a context. */
typedef struct ranked {
    const uint64_t *set;
    size_t n_words;
    uint32_t length;
} ranked;

static int compare(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->length != y->length)
        return x->length < y->length ? -1 : 1;
    for (size_t k = 0; k < x->n_words; k++)
        if (x->set[k] != y->set[k])
            return x->set[k] < y->set[k] ? -1 : 1;
    return 0;
}

static rg_status keep(lister *l, ranked *list, basis *b, uint64_t *work, size_t n_rings)
{
    size_t before = 0, size = l->n_words * sizeof *work;
    rg_status status = RG_OK;
    for (size_t k = 0; k < l->n_sets && !status; k++) {
        if (k && list[k].length != list[k - 1].length) {
            if (b->n == n_rings)
                break;
            before = b->n;
        }
        if (k && compare(&list[k], &list[k - 1]) == 0)
            continue;
        memcpy(work, list[k].set, size);
        subtract(work, b, 0, before, l->n_words);
        if (is_empty(work, l->n_words))
            continue;
        status = emit(l, list[k].set, list[k].length);
        subtract(work, b, before, b->n, l->n_words);
        if (!is_empty(work, l->n_words))
            add_row(b, work, l->n_words);
    }
    return status;
}

static rg_status rank_and_keep(lister *l, size_t n_rings)
{
    ranked *list = rg_alloc(l->n_sets, sizeof *list);
    uint64_t *rows = rg_alloc((n_rings + 1) * l->n_words, sizeof *rows);
    uint32_t *pivots = rg_alloc(n_rings, sizeof *pivots);
    rg_status status = list && rows && pivots ? RG_OK : RG_ENOMEM;
    if (!status) {
        basis b = {rows, pivots, 0};
        for (size_t k = 0; k < l->n_sets; k++)
            list[k] = (ranked){l->sets + k * l->n_words, l->n_words, l->lengths[k]};
        qsort(list, l->n_sets, sizeof *list, compare);
        status = keep(l, list, &b, rows + n_rings * l->n_words, n_rings);
    }
    rg_free(list);
    rg_free(rows);
    rg_free(pivots);
    return status;
}

rg_status rg_molecule_list_rings(rg_molecule *m, const uint32_t *atoms, size_t n, size_t n_rings,
                                 size_t before)
{
    size_t n_bonds = n + n_rings - 1, n_words = (n_bonds + 63) / 64, n_sets, words;
    if (!rg_size_mul(&n_sets, n, n_rings) || !rg_size_mul(&words, n_sets, n_words) ||
        words > words_max)
        return RG_OK;
    rg_carve carve = {0};
    size_t bit_at = rg_carve_add(&carve, m->n_bonds, sizeof(uint32_t));
    size_t bonds_at = rg_carve_add(&carve, n_bonds, sizeof(uint32_t));
    size_t search_at = rg_carve_add(&carve, 4 * m->n_atoms, sizeof(uint32_t));
    size_t lengths_at = rg_carve_add(&carve, n_sets, sizeof(uint32_t));
    size_t sets_at = rg_carve_add(&carve, words, sizeof(uint64_t));
    char *block = rg_carve_alloc(&carve);
    if (!block)
        return RG_ENOMEM;
    uint32_t *room = (uint32_t *)(void *)(block + search_at);
    lister l = {.m = m,
                .atoms = atoms,
                .n = n,
                .n_words = n_words,
                .bit = (uint32_t *)(void *)(block + bit_at),
                .bonds = (uint32_t *)(void *)(block + bonds_at),
                .level = room,
                .from_bond = room + m->n_atoms,
                .side = room + 2 * m->n_atoms,
                .queue = room + 3 * m->n_atoms,
                .sets = (uint64_t *)(void *)(block + sets_at),
                .lengths = (uint32_t *)(void *)(block + lengths_at)};
    m->rings.n = before;
    number_bonds(&l);
    for (size_t k = 0; k < n; k++) {
        search(&l, atoms[k]);
        l.from_bond[atoms[k]] = RG_NO_ATOM;
        add_candidates(&l, atoms[k]);
    }
    rg_status status = rank_and_keep(&l, n_rings);
    rg_free(block);
    return status;
}
