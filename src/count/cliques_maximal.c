/* cliques_maximal.c - cliques that nothing extends.
 *
 * For each class c the maximal cliques of the classes behind it, found by adding these one by one
 * (Tsukiyama, Ide, Ariyoshi, Shirakawa 1977): a maximal clique C of the first i either stays one
 * when i comes, or grows by i, and C with only what is next to i may be a new one. That is taken
 * only from the C that one finds by completing it with the smallest numbers, so each comes once,
 * and no step is in vain: every C at every i leads to a maximal clique of all.
 *
 * Such a clique, with c, may still be extended by a class before c, and is then dropped. It is part
 * of a maximal clique found earlier, from another class each time, so cliques dropped are never
 * more than the classes in those found: what is found bounds what is done. */
#include "cliques.h"

#include <string.h>

enum { SLOT_BEHIND = RG_CLASS_SLOTS, SLOT_WHO, SLOT_STACK, SLOT_LEVEL, SLOT_BEFORE, SLOT_PLACE };

typedef struct clique_finder {
    const rg_clique_task *task;
    const rg_classes *classes;
    rg_behind behind;
    uint32_t c;
    uint64_t *stack;  /* sets yet to be gone on with, and two more: the current and a spare one */
    uint32_t *level;  /* how many classes are done for each */
    uint64_t *before; /* for each class before c and next to it: what is behind and next */
    uint32_t *place;  /* of such a class in `before` */
    uint32_t *before_stamp; /* 1 + c where it holds */
    uint32_t n_before;
    uint64_t *cost, limit, each; /* each: for a class of a clique */
} clique_finder;

static bool before_fill(clique_finder *f)
{
    const rg_classes *s = f->classes;
    const rg_behind *b = &f->behind;
    size_t n = s->row[f->c + 1] - s->middle[f->c];
    f->n_before = 0;
    f->before = rg_count_space_zero(f->task->space, SLOT_BEFORE, n * b->words, sizeof *f->before);
    if (!f->before)
        return false;
    for (size_t k = s->middle[f->c]; k < s->row[f->c + 1]; k++) {
        uint32_t d = s->col[k];
        uint64_t *set = f->before + f->n_before * b->words;
        f->place[d] = f->n_before++;
        f->before_stamp[d] = f->c + 1;
        for (size_t l = s->row[d]; l < s->middle[d]; l++) {
            uint32_t x = rg_behind_place(b, s->col[l]);
            if (x < b->n)
                set[x / 64] |= (uint64_t)1 << x % 64;
        }
    }
    return true;
}

/* Whether a class before c is next to c and all of the clique. It is next to each, so the one with
 * the fewest neighbours lists it. */
static bool is_extended(const clique_finder *f, const uint64_t *clique)
{
    const rg_classes *s = f->classes;
    const rg_behind *b = &f->behind;
    uint32_t few = f->c;
    for (size_t w = 0; w < b->words; w++)
        for (uint64_t rest = clique[w]; rest; rest &= rest - 1) {
            uint32_t d = b->who[w * 64 + (size_t)__builtin_ctzll(rest)];
            if (s->row[d + 1] - s->row[d] < s->row[few + 1] - s->row[few])
                few = d;
        }
    for (size_t k = s->middle[few]; k < s->row[few + 1]; k++) {
        uint32_t d = s->col[k];
        if (d >= f->c || f->before_stamp[d] != f->c + 1)
            continue;
        const uint64_t *set = f->before + f->place[d] * b->words;
        uint64_t missing = 0;
        for (size_t w = 0; w < b->words; w++)
            missing |= clique[w] & ~set[w];
        if (!missing)
            return true;
    }
    return false;
}

/* found: counts of each class, which are those of its nodes. */
static void clique_take(const clique_finder *f, const uint64_t *clique, uint64_t *found)
{
    const rg_behind *b = &f->behind;
    const uint32_t *weight = f->classes->weight;
    uint64_t size = weight[f->c], n = 1;
    if (is_extended(f, clique))
        return;
    for (size_t w = 0; w < b->words; w++)
        for (uint64_t rest = clique[w]; rest; rest &= rest - 1, n++)
            size += weight[b->who[w * 64 + (size_t)__builtin_ctzll(rest)]];
    *f->cost = *f->cost + n * f->each > f->limit ? f->limit + 1 : *f->cost + n * f->each;
    if (size < 3 || size > f->task->max)
        return;
    size_t dims = f->task->n_dims, d = (size_t)size - 3;
    found[f->c * dims + d]++;
    for (size_t w = 0; w < b->words; w++)
        for (uint64_t rest = clique[w]; rest; rest &= rest - 1)
            found[b->who[w * 64 + (size_t)__builtin_ctzll(rest)] * dims + d]++;
}

/* part: what of clique, maximal among the first i, is next to i. Whether part and i is maximal
 * among the first i + 1, and clique the one to take it from. spare: a set. */
static bool is_child(const rg_behind *b, const uint64_t *clique, const uint64_t *part, size_t i,
                     uint64_t *spare)
{
    const uint64_t *near = b->next_to + i * b->words;
    uint64_t both = 0;
    for (size_t w = 0; w < b->words; w++)
        spare[w] = w < i / 64 ? ~(uint64_t)0 : 0;
    spare[i / 64] = ((uint64_t)1 << i % 64) - 1;
    for (size_t w = 0; w < b->words; w++)
        for (uint64_t rest = part[w]; rest; rest &= rest - 1) {
            const uint64_t *set = b->next_to + (w * 64 + (size_t)__builtin_ctzll(rest)) * b->words;
            for (size_t u = 0; u <= i / 64; u++)
                spare[u] &= set[u];
        }
    for (size_t w = 0; w <= i / 64; w++)
        both |= spare[w] & near[w];
    if (both)
        return false;
    for (size_t w = 0; w <= i / 64; w++)
        while (spare[w]) {
            size_t x = w * 64 + (size_t)__builtin_ctzll(spare[w]);
            if (!(clique[w] >> x % 64 & 1))
                return false;
            for (size_t u = w; u <= i / 64; u++)
                spare[u] &= b->next_to[x * b->words + u];
        }
    return true;
}

static void find_behind(const clique_finder *f, uint64_t *found)
{
    const rg_behind *b = &f->behind;
    size_t words = b->words, n = 1;
    uint64_t *clique = f->stack, *spare = clique + words, *stack = spare + words;
    memset(stack, 0, words * sizeof *stack);
    f->level[0] = 0;
    while (n > 0 && *f->cost <= f->limit) {
        memcpy(clique, stack + --n * words, words * sizeof *clique);
        for (uint32_t i = f->level[n]; i < b->n; i++) {
            uint64_t *part = stack + n * words, rest = 0;
            for (size_t w = 0; w < words; w++) {
                part[w] = clique[w] & b->next_to[i * words + w];
                rest |= clique[w] & ~part[w];
            }
            if (!rest) {
                clique[i / 64] |= (uint64_t)1 << i % 64;
            } else if (is_child(b, clique, part, i, spare)) {
                part[i / 64] |= (uint64_t)1 << i % 64;
                f->level[n++] = i + 1;
            }
        }
        clique_take(f, clique, found);
    }
}

static bool finder_init(clique_finder *f, const rg_clique_task *task, const rg_classes *classes)
{
    rg_count_space *space = task->space;
    size_t most = classes->most, n = classes->n;
    f->task = task;
    f->classes = classes;
    if (!rg_behind_init(&f->behind, classes, SLOT_BEHIND, space))
        return false;
    f->each = (most + 1) * f->behind.words;
    f->stack =
        rg_count_space_get(space, SLOT_STACK, (most + 4) * f->behind.words, sizeof *f->stack);
    f->level = rg_count_space_get(space, SLOT_LEVEL, most + 2, sizeof *f->level);
    f->place = rg_count_space_zero(space, SLOT_PLACE, n, 2 * sizeof *f->place);
    f->before_stamp = f->place ? f->place + n : NULL;
    return f->stack && f->level && f->place;
}

bool rg_cliques_maximal(const rg_clique_task *task, const rg_classes *classes, uint64_t *cost,
                        uint64_t limit)
{
    enum { SLOT_FOUND = SLOT_PLACE + 1 };
    clique_finder f = {.cost = cost, .limit = limit};
    uint64_t base = rg_classes_cost(classes, limit);
    *cost = *cost + base > limit ? limit + 1 : *cost + base;
    if (*cost > limit)
        return true;
    uint64_t *found =
        rg_count_space_zero(task->space, SLOT_FOUND, classes->n, task->n_dims * sizeof *found);
    if (!found || !finder_init(&f, task, classes))
        return false;
    for (uint32_t c = 0; c < classes->n && *cost <= limit; c++) {
        f.c = c;
        rg_behind_fill(&f.behind, classes, c);
        if (!before_fill(&f) || rg_count_stops(task->space))
            return false;
        find_behind(&f, found);
    }
    for (uint32_t i = 0; i < classes->block->n; i++)
        for (size_t d = 0; d < task->n_dims; d++)
            task->out[(size_t)classes->block->node[i] * task->n_dims + d] +=
                found[classes->of[i] * task->n_dims + d];
    return true;
}
