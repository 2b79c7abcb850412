/* cycles_formula.c - short cycles from numbers of common neighbours.
 *
 * c(v,x) is how many neighbours v and x share, d(v) the degree, T(v) the triangles at v.
 *     3          T(v) = 1/2 * sum over neighbours a of c(v,a)
 *     4          sum over x != v of c(v,x) * (c(v,x) - 1) / 2
 *     4 induced  sum over x != v, no neighbour of v, of the pairs of common neighbours of v and x
 *                that are no neighbours themselves
 *     5          sum over edges xy without v of (c(v,x) - [y~v]) * (c(v,y) - [x~v]),
 *                less sum over neighbours a of T(a) - c(v,a)
 * In the last, an edge xy opposite of v is closed by a in N(v) and N(x), a != y, and b in N(v) and
 * N(y), b != x; what is taken off are the choices a = b: edges xy between neighbours of a. */
#include "cycles.h"

enum { SLOT_COMMON = RG_CLASS_SLOTS, SLOT_TOUCHED, SLOT_NEAR, SLOT_TRIANGLES, SLOT_BITS, SLOT_SET };

typedef struct rows {
    const rg_block *block;
    uint32_t *common;  /* c(v, .) */
    uint32_t *touched; /* where it is not 0 */
    size_t n_touched;
    bool *near; /* neighbours of v */
} rows;

static bool rows_init(rows *r, const rg_block *block, rg_count_space *space)
{
    r->block = block;
    r->common = rg_count_space_zero(space, SLOT_COMMON, block->n, sizeof *r->common);
    r->touched = rg_count_space_get(space, SLOT_TOUCHED, block->n, sizeof *r->touched);
    r->near = rg_count_space_zero(space, SLOT_NEAR, block->n, sizeof *r->near);
    r->n_touched = 0;
    return r->common && r->touched && r->near;
}

static size_t degree(const rg_block *b, uint32_t i)
{
    return b->row[i + 1] - b->row[i];
}

static void row_fill(rows *r, uint32_t v)
{
    const rg_block *b = r->block;
    for (size_t k = b->row[v]; k < b->row[v + 1]; k++) {
        uint32_t a = b->col[k];
        r->near[a] = true;
        for (size_t l = b->row[a]; l < b->row[a + 1]; l++) {
            uint32_t x = b->col[l];
            if (x != v && r->common[x]++ == 0)
                r->touched[r->n_touched++] = x;
        }
    }
}

static void row_clear(rows *r, uint32_t v)
{
    const rg_block *b = r->block;
    for (size_t k = 0; k < r->n_touched; k++)
        r->common[r->touched[k]] = 0;
    for (size_t k = b->row[v]; k < b->row[v + 1]; k++)
        r->near[b->col[k]] = false;
    r->n_touched = 0;
}

static int64_t triangles(const rows *r, uint32_t v)
{
    const rg_block *b = r->block;
    int64_t twice = 0;
    for (size_t k = b->row[v]; k < b->row[v + 1]; k++)
        twice += r->common[b->col[k]];
    return twice / 2;
}

static int64_t squares(const rows *r)
{
    int64_t sum = 0;
    for (size_t k = 0; k < r->n_touched; k++) {
        int64_t c = r->common[r->touched[k]];
        sum += c * (c - 1) / 2;
    }
    return sum;
}

static int64_t pentagons(const rows *r, uint32_t v, const int64_t *triangles_at)
{
    const rg_block *b = r->block;
    int64_t sum = 0;
    for (size_t t = 0; t < r->n_touched; t++) {
        uint32_t x = r->touched[t];
        int64_t cx = r->common[x], near_x = r->near[x], part = 0;
        for (size_t k = b->row[x]; k < b->row[x + 1]; k++) {
            uint32_t y = b->col[k];
            if (y > x && y != v)
                part += (cx - r->near[y]) * ((int64_t)r->common[y] - near_x);
        }
        sum += part;
    }
    for (size_t k = b->row[v]; k < b->row[v + 1]; k++)
        sum -= triangles_at[b->col[k]] - r->common[b->col[k]];
    return sum;
}

/* ---- induced squares */

typedef struct pairs {
    const rg_block *block;
    size_t words;         /* of a row of bits; 0: lists */
    const uint64_t *bits; /* neighbours */
    uint64_t *set;        /* common neighbours of v and x, as bits ... */
    uint32_t *list;       /* ... and one after the other */
} pairs;

static bool pairs_init(pairs *p, const rg_block *block, rg_count_space *space)
{
    *p = (pairs){.block = block};
    size_t words = rg_block_words(block);
    if (rg_block_is_dense(block)) {
        p->words = words;
        p->bits = rg_block_bits(block, SLOT_BITS, space);
        if (!p->bits)
            return false;
    }
    char *set = rg_count_space_zero(space, SLOT_SET, words, 8 + 64 * sizeof *p->list);
    p->set = (uint64_t *)(void *)set;
    p->list = set ? (uint32_t *)(void *)(set + 8 * words) : NULL;
    return set != NULL;
}

/* Twice the edges inside N(v) and N(x), by rows of bits. */
static int64_t edges_of_bits(const pairs *p, uint32_t v, uint32_t x)
{
    const uint64_t *nv = p->bits + v * p->words, *nx = p->bits + x * p->words;
    int64_t twice = 0;
    for (size_t w = 0; w < p->words; w++)
        p->set[w] = nv[w] & nx[w];
    for (size_t w = 0; w < p->words; w++)
        for (uint64_t rest = p->set[w]; rest; rest &= rest - 1) {
            const uint64_t *na = p->bits + (w * 64 + (size_t)__builtin_ctzll(rest)) * p->words;
            for (size_t u = 0; u < p->words; u++)
                twice += rg_bits_count(na[u] & p->set[u]);
        }
    return twice;
}

static int64_t edges_of_lists(const pairs *p, const bool *near_v, uint32_t x)
{
    const rg_block *b = p->block;
    size_t n = 0;
    int64_t twice = 0;
    for (size_t k = b->row[x]; k < b->row[x + 1]; k++) {
        uint32_t a = b->col[k];
        if (near_v[a]) {
            p->list[n++] = a;
            p->set[a / 64] |= (uint64_t)1 << a % 64;
        }
    }
    for (size_t t = 0; t < n; t++)
        for (size_t k = b->row[p->list[t]]; k < b->row[p->list[t] + 1]; k++)
            twice += (int64_t)(p->set[b->col[k] / 64] >> b->col[k] % 64 & 1);
    for (size_t t = 0; t < n; t++)
        p->set[p->list[t] / 64] = 0;
    return twice;
}

/* Every induced square has two diagonals, and each of its nodes is on one of them. */
static void induced_squares(const rg_cycle_task *task, const rows *r, const pairs *p, uint32_t v)
{
    for (size_t t = 0; t < r->n_touched; t++) {
        uint32_t x = r->touched[t];
        int64_t c = r->common[x];
        if (x < v || c < 2 || r->near[x])
            continue;
        int64_t twice = p->words ? edges_of_bits(p, v, x) : edges_of_lists(p, r->near, x);
        int64_t n = c * (c - 1) / 2 - twice / 2;
        *rg_cycle_slot(task, p->block, v, 4) += (uint64_t)n;
        *rg_cycle_slot(task, p->block, x, 4) += (uint64_t)n;
    }
}

/* ---- all of them */

uint32_t rg_cycles_formula_most(bool induced)
{
    return induced ? 4 : 5;
}

/* *sum += a * b, but never past limit + 1; such sums do not depend on their order either. */
static void add(uint64_t *sum, uint64_t a, uint64_t b, uint64_t limit)
{
    if ((b && a > limit / b) || *sum + a * b > limit)
        *sum = limit + 1;
    else
        *sum += a * b;
}

/* Walks of two steps for the rows; induced squares read a row of bits, or two lists, for each. */
static void rows_cost(uint64_t *cost, const rg_block *b, bool with_pairs, uint64_t limit)
{
    bool dense = rg_block_is_dense(b);
    for (uint32_t i = 0; i < b->n; i++) {
        uint64_t d = degree(b, i), around = 0;
        add(cost, d, d, limit);
        if (!with_pairs)
            continue;
        for (size_t k = b->row[i]; k < b->row[i + 1]; k++)
            around += dense ? rg_block_words(b) : d + degree(b, b->col[k]);
        add(cost, d, around, limit);
    }
}

bool rg_cycles_formula_cost(uint64_t *cost, const rg_block *b, bool induced, uint32_t most,
                            bool exact, uint64_t limit, rg_count_space *space)
{
    rows_cost(cost, b, induced && most >= 4, limit);
    if (induced || most < 5 || *cost > limit)
        return true;
    if (!exact) {
        add(cost, b->n, b->n_arcs, limit);
        return true;
    }
    rows r;
    if (!rows_init(&r, b, space))
        return false;
    for (uint32_t v = 0; v < b->n && *cost <= limit; v++) {
        row_fill(&r, v);
        for (size_t t = 0; t < r.n_touched; t++)
            add(cost, degree(b, r.touched[t]), 1, limit);
        row_clear(&r, v);
    }
    return true;
}

static void pentagons_add(const rg_cycle_task *task, rows *r, const int64_t *triangles_at)
{
    for (uint32_t v = 0; v < r->block->n; v++) {
        row_fill(r, v);
        *rg_cycle_slot(task, r->block, v, 5) += (uint64_t)pentagons(r, v, triangles_at);
        row_clear(r, v);
    }
}

bool rg_cycles_formula(const rg_cycle_task *task, const rg_block *block, uint32_t most)
{
    rows r;
    pairs p = {0};
    int64_t *triangles_at =
        rg_count_space_get(task->space, SLOT_TRIANGLES, block->n, sizeof *triangles_at);
    if (!triangles_at || !rows_init(&r, block, task->space))
        return false;
    bool with_pairs = task->induced && most >= 4;
    if (with_pairs && !pairs_init(&p, block, task->space))
        return false;
    for (uint32_t v = 0; v < block->n; v++) {
        if (rg_count_stops(task->space))
            return false;
        row_fill(&r, v);
        triangles_at[v] = triangles(&r, v);
        if (task->min <= 3)
            *rg_cycle_slot(task, block, v, 3) += (uint64_t)triangles_at[v];
        if (task->min <= 4 && most >= 4) {
            if (with_pairs)
                induced_squares(task, &r, &p, v);
            else
                *rg_cycle_slot(task, block, v, 4) += (uint64_t)squares(&r);
        }
        row_clear(&r, v);
    }
    if (!task->induced && most >= 5)
        pentagons_add(task, &r, triangles_at);
    return true;
}
