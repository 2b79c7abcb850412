/* cliques_count.c - cliques of every size, by numbers of ways.
 *
 * A class of w twins can be in a clique in f(x) = (1+x)^w - 1 ways: w choose k of them with k
 * nodes. A clique Q of classes stands for the product of their f; the coefficient of x^k is how
 * many cliques of k nodes that is. Let P be the classes that may still join Q, and p one of them
 * that is next to most of the others. What joins is p or not and classes next to p; or at least one
 * class v not next to p, the first of which is held (Jain and Seshadhri 2020):
 *     post(P) = (1 + f_p) * post(P in N(p)) + sum over v of f_v * post(P in N(v), behind v)
 * and post(P) = (1+x)^(weight of P) where all of P are neighbours. With pre, the product of what
 * was taken on the way to P, every node of a class e taken next is in as many cliques as the
 * coefficients of
 *     x (1+x)^(w-1) * pre * post
 * say. What is beyond x^max is left out, so post gets shorter as more classes are held. */
#include "cliques.h"

#include <string.h>

enum { SLOT_BEHIND = RG_CLASS_SLOTS, SLOT_WHO, SLOT_SETS, SLOT_WAYS, SLOT_FOUND };

typedef struct counter {
    const rg_classes *classes;
    rg_behind behind;
    uint32_t max;
    size_t stride;        /* max + 1: coefficients of a polynomial */
    uint64_t *sets;       /* P on each level */
    uint64_t *pre, *post; /* polynomials on each level */
    uint64_t *product;    /* one polynomial */
    uint64_t *power;      /* (1+x)^w, for any w that a clique can have */
    uint64_t *found;      /* one polynomial per class: cliques that hold a node of it */
} counter;

/* out += a * b * x^shift up to x^top, where b starts with x^from. */
static void add_product(uint64_t *out, const uint64_t *a, const uint64_t *b, uint32_t from,
                        uint32_t shift, uint32_t top)
{
    for (uint32_t i = 0; i + shift <= top; i++)
        for (uint32_t j = from; a[i] && i + j + shift <= top; j++)
            if (b[j])
                out[i + j + shift] = rg_many_plus(out[i + j + shift], rg_many_times(a[i], b[j]));
}

static const uint64_t *power(const counter *s, uint64_t weight)
{
    return s->power + weight * s->stride;
}

/* Pascal's triangle up to the largest clique there can be: one of w nodes has w (w-1) arcs. */
static bool powers_fill(counter *s, rg_count_space *space)
{
    size_t heaviest = 1;
    while (heaviest * (heaviest + 1) <= s->classes->block->n_arcs)
        heaviest++;
    s->power = rg_count_space_zero(space, SLOT_WAYS, (heaviest + 1) * s->stride, sizeof *s->power);
    if (!s->power)
        return false;
    s->power[0] = 1;
    for (size_t w = 1; w <= heaviest; w++) {
        uint64_t *row = s->power + w * s->stride, *before = row - s->stride;
        row[0] = 1;
        for (uint32_t k = 1; k <= s->max; k++)
            row[k] = rg_many_plus(before[k], before[k - 1]);
    }
    return true;
}

/* A place in the search. held: classes held so far, the lowest power in pre. plain: nothing but
 * classes of one node, all held, so that pre is x^held. */
typedef struct spot {
    uint32_t level, held;
    bool plain;
} spot;

static void extend(const counter *s, spot at);

/* Takes class number x behind: held, or (pivot) taken or not; then all that may join. */
static void take(const counter *s, spot at, uint32_t e, bool pivot)
{
    const uint64_t *pre = s->pre + at.level * s->stride;
    uint64_t *pre_next = s->pre + (at.level + 1) * s->stride;
    uint64_t *post = s->post + at.level * s->stride, *found = s->found + e * s->stride;
    const uint64_t *after = post + s->stride;
    uint32_t weight = s->classes->weight[e], left = s->max - at.held;
    bool plain = at.plain && weight == 1 && !pivot;
    memset(pre_next, 0, s->stride * sizeof *pre);
    if (plain)
        pre_next[at.held + 1] = 1;
    else
        add_product(pre_next, pre, power(s, weight), !pivot, 0, s->max);
    extend(s, (spot){at.level + 1, at.held + !pivot, plain});
    if (plain) {
        for (uint32_t k = 0; k < left; k++) {
            found[at.held + 1 + k] = rg_many_plus(found[at.held + 1 + k], after[k]);
            post[k + 1] = rg_many_plus(post[k + 1], after[k]);
        }
        return;
    }
    memset(s->product, 0, s->stride * sizeof *s->product);
    add_product(s->product, pre, power(s, weight - 1), 0, 1, s->max);
    for (uint32_t k = 0; k <= s->max; k++)
        for (uint32_t j = 0; s->product[k] && j <= left && k + j <= s->max; j++)
            if (after[j])
                found[k + j] = rg_many_plus(found[k + j], rg_many_times(s->product[k], after[j]));
    add_product(post, after, power(s, weight), !pivot, 0, left);
}

/* All of P are neighbours, or there is room for one node only: no need to take them one by one. */
static void take_all(const counter *s, spot at, const uint64_t *set)
{
    const rg_behind *b = &s->behind;
    const uint64_t *pre = s->pre + at.level * s->stride;
    uint64_t *post = s->post + at.level * s->stride, weight = 0;
    bool one = at.held + 1 == s->max;
    for (size_t w = 0; w < b->words; w++)
        for (uint64_t rest = set[w]; rest; rest &= rest - 1)
            weight += s->classes->weight[b->who[w * 64 + (size_t)__builtin_ctzll(rest)]];
    memset(s->product, 0, s->stride * sizeof *s->product);
    post[0] = 1;
    post[1] = weight;
    if (one) {
        s->product[s->max] = pre[s->max - 1];
    } else {
        add_product(s->product, pre, power(s, weight - 1), 0, 1, s->max);
        memcpy(post, power(s, weight), (s->max - at.held + 1) * sizeof *post);
    }
    for (size_t w = 0; w < b->words; w++)
        for (uint64_t rest = set[w]; rest; rest &= rest - 1) {
            uint64_t *found = s->found + b->who[w * 64 + (size_t)__builtin_ctzll(rest)] * s->stride;
            for (uint32_t k = one ? s->max : at.held + 1; k <= s->max; k++)
                found[k] = rg_many_plus(found[k], s->product[k]);
        }
}

/* The member of the set that is next to most others; *complete if all are next to all. The set is
 * not empty. */
static size_t find_pivot(const rg_behind *b, const uint64_t *set, bool *complete)
{
    size_t pivot = 0, n_set = 0;
    uint32_t most = 0, fewest = UINT32_MAX;
    for (size_t w = 0; w < b->words; w++)
        for (uint64_t rest = set[w]; rest; rest &= rest - 1, n_set++) {
            size_t x = w * 64 + (size_t)__builtin_ctzll(rest);
            uint32_t n = 0;
            for (size_t u = 0; u < b->words; u++)
                n += rg_bits_count(set[u] & b->next_to[x * b->words + u]);
            if (n_set == 0 || n > most) {
                most = n;
                pivot = x;
            }
            fewest = n < fewest ? n : fewest;
        }
    *complete = fewest + 1 == n_set;
    return pivot;
}

/* Fills post of the level for what is in its set, which is used up. Calls itself at most once for
 * each class behind, as every level has less in its set. */
static void extend(const counter *s, spot at)
{
    const rg_behind *b = &s->behind;
    uint64_t *set = s->sets + at.level * b->words, *next = set + b->words, any = 0;
    uint64_t *post = s->post + at.level * s->stride;
    bool complete = false;
    memset(post, 0, s->stride * sizeof *post);
    for (size_t w = 0; w < b->words; w++)
        any |= set[w];
    if (!any || at.held == s->max) {
        post[0] = 1;
        return;
    }
    size_t p = at.held + 1 == s->max ? 0 : find_pivot(b, set, &complete);
    if (complete || at.held + 1 == s->max) {
        take_all(s, at, set);
        return;
    }
    const uint64_t *near = b->next_to + p * b->words;
    for (size_t w = 0; w < b->words; w++)
        next[w] = set[w] & near[w];
    set[p / 64] &= ~((uint64_t)1 << p % 64);
    take(s, at, b->who[p], true);
    for (size_t w = 0; w < b->words; w++)
        for (uint64_t rest = set[w] & ~near[w]; rest; rest &= rest - 1) {
            size_t x = w * 64 + (size_t)__builtin_ctzll(rest);
            set[w] &= ~((uint64_t)1 << x % 64);
            for (size_t u = 0; u < b->words; u++)
                next[u] = set[u] & b->next_to[x * b->words + u];
            take(s, at, b->who[x], false);
        }
}

static bool counter_init(counter *s, const rg_clique_task *task, const rg_classes *classes)
{
    *s = (counter){.classes = classes, .max = task->max, .stride = (size_t)task->max + 1};
    if (!rg_behind_init(&s->behind, classes, SLOT_BEHIND, task->space) ||
        !powers_fill(s, task->space))
        return false;
    /* The first level is that of no class at all; each further one has taken one more. */
    size_t levels = (size_t)classes->most + 3, sets = levels * s->behind.words;
    s->sets = rg_count_space_zero(task->space, SLOT_SETS, sets + (2 * levels + 1) * s->stride,
                                  sizeof *s->sets);
    s->found =
        rg_count_space_zero(task->space, SLOT_FOUND, classes->n * s->stride, sizeof *s->found);
    if (!s->sets || !s->found)
        return false;
    s->pre = s->sets + sets;
    s->post = s->pre + levels * s->stride;
    s->product = s->post + levels * s->stride;
    return true;
}

bool rg_cliques_count(const rg_clique_task *task, const rg_classes *classes)
{
    counter s;
    if (!counter_init(&s, task, classes))
        return false;
    s.pre[0] = 1;
    for (uint32_t c = 0; c < classes->n; c++) {
        if (rg_count_stops(task->space))
            return false;
        rg_behind_fill(&s.behind, classes, c);
        uint64_t *set = s.sets + s.behind.words;
        memset(set, 0, s.behind.words * sizeof *set);
        for (uint32_t x = 0; x < s.behind.n; x++)
            set[x / 64] |= (uint64_t)1 << x % 64;
        take(&s, (spot){0, 0, true}, c, false);
    }
    for (uint32_t i = 0; i < classes->block->n; i++) {
        const uint64_t *found = s.found + classes->of[i] * s.stride;
        uint64_t *out = task->out + (size_t)classes->block->node[i] * task->n_dims;
        for (uint32_t size = 3; size <= task->max; size++)
            out[size - 3] = rg_many_plus(out[size - 3], found[size]);
    }
    return true;
}

static uint64_t add(uint64_t a, uint64_t b, uint64_t limit)
{
    return a + b > limit ? limit + 1 : a + b;
}

/* Where all pairs of a class and those behind it are affordable, core numbers are below 2^20, so
 * that the products fit. */
void rg_cliques_cost(uint64_t *cost, const rg_classes *classes, uint32_t max, uint64_t limit)
{
    uint64_t base = rg_classes_cost(classes, limit);
    for (uint32_t size = 3; size <= max; size++)
        cost[size] = add(cost[size], base, limit);
    for (uint32_t c = 0; c < classes->n && cost[3] <= limit; c++) {
        uint64_t sets = 1, sum = 0, core = classes->core[c];
        for (uint32_t size = 1; size <= max; size++) { /* sets: core choose size - 1 */
            sum = add(sum, sets, limit);
            if (size >= 3)
                cost[size] = add(cost[size], sum, limit);
            sets = sum > limit ? 0 : core + 1 > size ? sets * (core + 1 - size) / size : 0;
        }
    }
}
