/* canon.c - see canon.h.
 *
 * Atoms lie in cells, at first by what they are; cells are split by the cells and bonds around their
 * atoms until nothing splits. Where a cell still has several atoms, one after another is set apart
 * and the rest refined, which ends in orders of all atoms; of these the smallest counts: by the way
 * of its splits, then bonds, then stereo. Two orders that are the same are a symmetry, and all that
 * lies below one of the atoms need not be looked at (B. McKay, 1981).
 *
 *     order[c] .. order[c + size[c] - 1]    the atoms of cell c, which is named by its first place
 *     place[i], cell[i]                     where atom i stands in order, and its cell */
#include "canon.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { LEAVES_MAX = 4096, CANDIDATES_MAX = 1 << 16 };
static const uint64_t steps_max = 1ull << 27; /* bonds followed after the first order */

typedef struct split_item {
    uint64_t key;
    uint32_t cell, atom;
} split_item;

/* A cell that had several atoms: the one set apart, and those that are still to be tried. */
typedef struct canon_level {
    uint32_t choice, first, n, next;
    uint64_t trace;
} canon_level;

typedef struct canon {
    const rg_molecule *m;
    uint32_t n;
    uint32_t *order, *place, *cell, *size; /* in one piece, 4n, copied to and from `root` */
    uint32_t *root;
    uint32_t *changed, *next;
    uint32_t n_changed, n_next;
    uint8_t *dirty;
    split_item *items;
    uint64_t trace, steps;
    canon_level *levels;
    size_t n_levels, level_capacity;
    uint32_t *candidates;
    size_t n_candidates, candidate_capacity;
    /* the best so far */
    uint32_t *rank, *best_choice, *words, *best_words;
    uint64_t *best_trace;
    size_t n_words, n_best; /* n_best: levels */
} canon;

static uint64_t mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* ---- stereo for other orders */

bool rg_molecule_is_bare(const rg_mol_atom *atom)
{
    return atom->element == 1 && !atom->isotope && !atom->charge && !atom->map &&
           atom->n_bonds == 1;
}

unsigned rg_molecule_mark(const rg_molecule *m, uint32_t i, const uint32_t *rank)
{
    unsigned mark = m->atoms[i].chirality;
    if (mark != RG_CHIRAL_CLOCKWISE && mark != RG_CHIRAL_COUNTERCLOCKWISE)
        return RG_CHIRAL_NONE;
    bool odd = false;
    for (uint32_t p = m->first[i]; p < m->first[i + 1]; p++)
        for (uint32_t q = p + 1; q < m->first[i + 1]; q++) {
            uint32_t a = m->near[p].atom, b = m->near[q].atom;
            bool first = rg_molecule_is_bare(&m->atoms[a]),
                 second = rg_molecule_is_bare(&m->atoms[b]);
            bool by_number = second && !first, by_rank = rank[a] > rank[b];
            if (first || second) /* the hydrogen comes first, whatever its number or rank */
                by_rank = by_number;
            odd ^= by_number != by_rank;
        }
    return odd ? RG_CHIRAL_COUNTERCLOCKWISE + RG_CHIRAL_CLOCKWISE - mark : mark;
}

uint32_t rg_molecule_meant(const rg_molecule *m, uint32_t i, uint32_t bond, const uint32_t *rank)
{
    uint32_t best = RG_NO_ATOM;
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
        uint32_t j = m->near[k].atom;
        if (m->near[k].bond == bond)
            continue;
        if (best == RG_NO_ATOM ||
            (rank && rank[j] < rank[best] && !rg_molecule_is_bare(&m->atoms[j])) ||
            rg_molecule_is_bare(&m->atoms[best]))
            best = j;
    }
    return best;
}

unsigned rg_molecule_side(const rg_molecule *m, uint32_t bond, const uint32_t *rank)
{
    const rg_mol_bond *b = &m->bonds[bond];
    if (!b->stereo)
        return RG_BOND_STEREO_NONE;
    bool flipped = rg_molecule_meant(m, b->a, bond, NULL) != rg_molecule_meant(m, b->a, bond, rank);
    flipped ^= rg_molecule_meant(m, b->b, bond, NULL) != rg_molecule_meant(m, b->b, bond, rank);
    return flipped ? (unsigned)(RG_BOND_CIS + RG_BOND_TRANS - b->stereo) : b->stereo;
}

/* ---- cells */

static int by_cell_and_key(const void *a, const void *b)
{
    const split_item *x = a, *y = b;
    if (x->cell != y->cell)
        return x->cell < y->cell ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

static uint64_t first_key(const rg_mol_atom *atom)
{
    uint64_t key = atom->n_bonds;
    key = key << 1 | (atom->element != 6);
    key = key << 8 | atom->element;
    key = key << 8 | (uint8_t)(atom->charge + 128);
    key = key << 16 | atom->isotope;
    key = key << 8 | atom->hydrogens;
    return key << 1 | ((atom->flags & RG_ATOM_AROMATIC) != 0);
}

/* What lies around an atom. */
static uint64_t key_of(canon *s, uint32_t i)
{
    const rg_molecule *m = s->m;
    uint64_t sum = 0;
    for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++)
        sum += mix((uint64_t)s->cell[m->near[k].atom] << 3 |
                   rg_mol_bond_label(&m->bonds[m->near[k].bond]));
    s->steps += m->first[i + 1] - m->first[i] + 1;
    return sum;
}

static void exchange(canon *s, uint32_t i, uint32_t place)
{
    uint32_t other = s->order[place], from = s->place[i];
    s->order[from] = other;
    s->place[other] = from;
    s->order[place] = i;
    s->place[i] = place;
}

static void mark_changed(canon *s, uint32_t cell)
{
    for (uint32_t k = cell; k < cell + s->size[cell]; k++)
        s->next[s->n_next++] = s->order[k];
}

/* n atoms of one cell, sorted; the rest of it has had nothing new. The largest part counts as not
 * changed: what has it beside it was told apart already. */
static void split(canon *s, const split_item *items, uint32_t n)
{
    uint32_t c = items[0].cell, rest = s->size[c] - n, largest = c, largest_size = rest;
    for (uint32_t k = n; k-- > 0;)
        exchange(s, items[k].atom, c + rest + k);
    s->trace = mix(s->trace ^ mix((uint64_t)c << 32 | rest));
    bool whole = rest == 0 && items[0].key == items[n - 1].key;
    if (rest)
        s->size[c] = rest;
    for (uint32_t k = 0, end; k < n; k = end) {
        uint32_t name = c + rest + k;
        for (end = k; end < n && items[end].key == items[k].key; end++)
            s->cell[items[end].atom] = name;
        s->size[name] = end - k;
        s->trace = mix(s->trace ^ items[k].key ^ (end - k));
        if (end - k > largest_size) {
            largest = name;
            largest_size = end - k;
        }
    }
    for (uint32_t k = c; k < c + rest + n && !whole; k += s->size[k])
        if (k != largest)
            mark_changed(s, k);
}

static void refine(canon *s)
{
    const rg_molecule *m = s->m;
    while (s->n_changed) {
        uint32_t n = 0;
        for (uint32_t k = 0; k < s->n_changed; k++)
            for (uint32_t e = m->first[s->changed[k]]; e < m->first[s->changed[k] + 1]; e++) {
                uint32_t j = m->near[e].atom;
                if (s->dirty[j] || s->size[s->cell[j]] == 1)
                    continue;
                s->dirty[j] = 1;
                s->items[n++] = (split_item){key_of(s, j), s->cell[j], j};
            }
        for (uint32_t k = 0; k < n; k++)
            s->dirty[s->items[k].atom] = 0;
        if (n > 1)
            qsort(s->items, n, sizeof *s->items, by_cell_and_key);
        s->n_next = 0;
        for (uint32_t k = 0, end; k < n; k = end) {
            for (end = k; end < n && s->items[end].cell == s->items[k].cell;)
                end++;
            split(s, s->items + k, end - k);
        }
        uint32_t *spare = s->changed;
        s->changed = s->next;
        s->n_changed = s->n_next;
        s->next = spare;
    }
}

static void start(canon *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        s->items[i] = (split_item){first_key(&s->m->atoms[i]), 0, i};
        s->order[i] = s->place[i] = i;
        s->cell[i] = 0;
        s->changed[i] = i;
    }
    s->size[0] = s->n;
    qsort(s->items, s->n, sizeof *s->items, by_cell_and_key);
    s->n_next = 0;
    split(s, s->items, s->n);
    s->n_changed = s->n;
    refine(s);
    memcpy(s->root, s->order, 4 * (size_t)s->n * sizeof *s->root);
}

/* Alone in a cell, behind those it was with. */
static void set_apart(canon *s, uint32_t i)
{
    uint32_t c = s->cell[i], last = c + s->size[c] - 1;
    exchange(s, i, last);
    s->size[c]--;
    s->cell[i] = last;
    s->size[last] = 1;
    s->changed[0] = i;
    s->n_changed = 1;
    refine(s);
}

/* ---- orders */

/* Atoms without a neighbour, or with the same one: which comes first does not show. */
static bool are_twins(const canon *s, uint32_t c)
{
    const rg_molecule *m = s->m;
    uint32_t first = s->order[c], near = RG_NO_ATOM;
    if (m->atoms[first].n_bonds > 1)
        return false;
    if (m->atoms[first].n_bonds == 1)
        near = m->near[m->first[first]].atom;
    for (uint32_t k = c; k < c + s->size[c] && near != RG_NO_ATOM; k++)
        if (m->near[m->first[s->order[k]]].atom != near)
            return false;
    return near == RG_NO_ATOM || !m->atoms[near].chirality;
}

static bool push_level(canon *s, uint32_t c, uint32_t choice)
{
    if (!rg_grow(&s->levels, &s->level_capacity, s->n_levels + 1, sizeof *s->levels))
        return false;
    canon_level *level = &s->levels[s->n_levels++];
    *level = (canon_level){.choice = choice, .first = (uint32_t)s->n_candidates};
    uint32_t n = s->size[c] - 1;
    if (s->n_candidates + n > CANDIDATES_MAX || are_twins(s, c))
        return true;
    if (!rg_grow(&s->candidates, &s->candidate_capacity, s->n_candidates + n,
                 sizeof *s->candidates))
        return false;
    for (uint32_t k = c; k < c + n + 1; k++)
        if (s->order[k] != choice)
            s->candidates[s->n_candidates++] = s->order[k];
    level->n = n;
    return true;
}

static void add_word(canon *s, uint32_t word)
{
    s->words[s->n_words++] = word;
}

/* Bonds by the places of their atoms, then stereo: two orders with equal words are a symmetry. */
static void write_words(canon *s)
{
    const rg_molecule *m = s->m;
    s->n_words = 0;
    for (uint32_t p = 0; p < s->n; p++) {
        uint32_t i = s->order[p];
        size_t begin = s->n_words;
        for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++) {
            uint32_t q = s->place[m->near[k].atom];
            if (q < p)
                continue;
            uint32_t word = q << 3 | rg_mol_bond_label(&m->bonds[m->near[k].bond]);
            size_t at = s->n_words++;
            for (; at > begin && s->words[at - 1] > word; at--)
                s->words[at] = s->words[at - 1];
            s->words[at] = word;
        }
        add_word(s, UINT32_MAX);
    }
    for (uint32_t p = 0; p < s->n; p++) {
        uint32_t i = s->order[p], sides = 0;
        for (uint32_t k = m->first[i]; k < m->first[i + 1]; k++)
            if (m->bonds[m->near[k].bond].stereo)
                sides += (1 + rg_molecule_side(m, m->near[k].bond, s->place)) *
                         (s->place[m->near[k].atom] * 2654435761u + 1);
        add_word(s, rg_molecule_mark(m, i, s->place));
        add_word(s, sides);
    }
}

static int compare_words(const canon *s)
{
    for (size_t k = 0; k < s->n_words; k++)
        if (s->words[k] != s->best_words[k])
            return s->words[k] < s->best_words[k] ? -1 : 1;
    return 0;
}

static void take_best(canon *s)
{
    uint32_t *spare = s->best_words;
    s->best_words = s->words;
    s->words = spare;
    memcpy(s->rank, s->place, (size_t)s->n * sizeof *s->rank);
    s->n_best = s->n_levels;
    for (size_t k = 0; k < s->n_levels; k++) {
        s->best_choice[k] = s->levels[k].choice;
        s->best_trace[k] = s->levels[k].trace;
    }
}

/* Down to an order of all atoms. *sign: how it compares with the best by its splits so far, -1 to 1;
 * left at 1 as soon as that is clear. at: levels that are set apart already. RG_ENOMEM. */
static rg_status descend(canon *s, int *sign, bool first)
{
    uint32_t c = 0;
    while (*sign <= 0) {
        while (c < s->n && s->size[c] == 1)
            c++;
        if (c == s->n)
            return RG_OK;
        if (!push_level(s, c, s->order[c]))
            return RG_ENOMEM;
        canon_level *level = &s->levels[s->n_levels - 1];
        set_apart(s, level->choice);
        level->trace = s->trace;
        if (!first && *sign == 0) {
            size_t k = s->n_levels - 1;
            uint64_t best = k < s->n_best ? s->best_trace[k] : 0;
            *sign = level->trace < best ? -1 : level->trace > best;
        }
    }
    return RG_OK;
}

/* The next atom of the last level instead of the one before. */
static rg_status try_next(canon *s, uint64_t root_trace, int *sign)
{
    size_t last = s->n_levels - 1;
    s->levels[last].choice = s->candidates[s->levels[last].first + s->levels[last].next++];
    s->n_candidates = s->levels[last].first + s->levels[last].n;
    memcpy(s->order, s->root, 4 * (size_t)s->n * sizeof *s->root);
    s->trace = root_trace;
    s->steps += s->n;
    for (size_t k = 0; k <= last; k++) {
        set_apart(s, s->levels[k].choice);
        s->levels[k].trace = s->trace;
    }
    *sign = 0;
    for (size_t k = 0; k <= last && *sign == 0; k++)
        *sign = k >= s->n_best || s->levels[k].trace > s->best_trace[k] ? 1
                : s->levels[k].trace < s->best_trace[k]                 ? -1
                                                                        : 0;
    return descend(s, sign, false);
}

/* The order is the best one seen through a symmetry: nothing new lies below where they part. */
static void leave_symmetry(canon *s)
{
    size_t k = 0;
    while (k < s->n_levels && k < s->n_best && s->levels[k].choice == s->best_choice[k])
        k++;
    if (k < s->n_levels)
        s->n_levels = k + 1;
}

static rg_status search(canon *s)
{
    int sign = 0;
    start(s);
    uint64_t root_trace = s->trace;
    rg_status status = descend(s, &sign, true);
    if (status)
        return status;
    if (s->n_levels)
        write_words(s);
    take_best(s);
    s->steps = 0;
    for (unsigned n = 0; s->n_levels && n < LEAVES_MAX && s->steps < steps_max;) {
        if (s->levels[s->n_levels - 1].next == s->levels[s->n_levels - 1].n) {
            s->n_levels--;
            continue;
        }
        n++;
        status = try_next(s, root_trace, &sign);
        if (status)
            return status;
        if (sign > 0)
            continue;
        write_words(s);
        if (sign == 0)
            sign = compare_words(s);
        if (sign < 0)
            take_best(s);
        else if (sign == 0)
            leave_symmetry(s);
    }
    return RG_OK;
}

rg_status rg_molecule_rank(uint32_t *rank, const rg_molecule *m)
{
    size_t n = m->n_atoms, n_words = m->n_bonds + 3 * n;
    canon s = {.m = m, .n = (uint32_t)n};
    rg_carve l = {0};
    size_t order = rg_carve_add(&l, 4 * n, sizeof *s.order),
           root = rg_carve_add(&l, 4 * n, sizeof *s.root);
    size_t changed = rg_carve_add(&l, n, sizeof *s.changed),
           next = rg_carve_add(&l, n, sizeof *s.next);
    size_t dirty = rg_carve_add(&l, n, 1), items = rg_carve_add(&l, n, sizeof *s.items);
    size_t choice = rg_carve_add(&l, n, sizeof *s.best_choice);
    size_t trace = rg_carve_add(&l, n, sizeof *s.best_trace);
    size_t words = rg_carve_add(&l, n_words, sizeof *s.words);
    size_t best = rg_carve_add(&l, n_words, sizeof *s.best_words);
    if (n == 0)
        return RG_OK;
    char *block = rg_carve_alloc(&l);
    if (!block)
        return RG_ENOMEM;
    memset(block + dirty, 0, n);
    s.order = (void *)(block + order);
    s.place = s.order + n;
    s.cell = s.place + n;
    s.size = s.cell + n;
    s.root = (void *)(block + root);
    s.changed = (void *)(block + changed);
    s.next = (void *)(block + next);
    s.dirty = (void *)(block + dirty);
    s.items = (void *)(block + items);
    s.best_choice = (void *)(block + choice);
    s.best_trace = (void *)(block + trace);
    s.words = (void *)(block + words);
    s.best_words = (void *)(block + best);
    s.rank = rank;
    rg_status status = search(&s);
    rg_free(block);
    rg_free(s.levels);
    rg_free(s.candidates);
    return status;
}
