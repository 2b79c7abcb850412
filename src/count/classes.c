/* classes.c - see classes.h. */
#include "classes.h"

#include <string.h>

enum {
    SLOT_OF = RG_BLOCK_SLOTS,
    SLOT_CLASS,
    SLOT_ROW,
    SLOT_COL,
    SLOT_WORK,
};

/* Splits all nodes by whether they are in N[v], for one v after the other: what is never split is a
 * class of twins. Exact, without hashing. of: class of each node; returns how many; sizes in size.
 * touched, fresh: n numbers each. */
static uint32_t twins_find(uint32_t *of, uint32_t *size, uint32_t *touched, uint32_t *fresh,
                           const rg_block *b)
{
    uint32_t n_classes = 1;
    memset(of, 0, b->n * sizeof *of);
    memset(touched, 0, b->n * sizeof *touched);
    size[0] = b->n;
    for (uint32_t v = 0; v < b->n; v++) {
        size_t first = b->row[v], last = b->row[v + 1];
        touched[of[v]]++;
        for (size_t k = first; k < last; k++)
            touched[of[b->col[k]]]++;
        /* A class that is all inside stays; of others, what is inside gets a new number. */
        for (size_t k = first; k <= last; k++) {
            uint32_t c = of[k < last ? b->col[k] : v];
            if (touched[c] == 0)
                continue; /* seen, or new */
            fresh[c] = c;
            if (touched[c] < size[c]) {
                fresh[c] = n_classes;
                size[n_classes] = touched[c];
                size[c] -= touched[c];
                touched[n_classes] = 0;
                fresh[n_classes] = n_classes;
                n_classes++;
            }
            touched[c] = 0;
        }
        for (size_t k = first; k <= last; k++) {
            uint32_t i = k < last ? b->col[k] : v;
            of[i] = fresh[of[i]];
        }
    }
    return n_classes;
}

/* Takes the class with the fewest neighbours left, again and again (Matula and Beck 1983), with
 * buckets by degree. order[k]: the k-th; core[c]. start: n + 1 numbers, place, degree: n each. */
static void order_find(uint32_t *order, uint32_t *core, uint32_t n, const size_t *row,
                       const uint32_t *col, uint32_t *start, uint32_t *place, uint32_t *degree)
{
    memset(start, 0, ((size_t)n + 1) * sizeof *start);
    for (uint32_t c = 0; c < n; c++) {
        degree[c] = (uint32_t)(row[c + 1] - row[c]);
        start[degree[c] + 1]++; /* degree < n */
    }
    for (uint32_t d = 0; d < n; d++)
        start[d + 1] += start[d];
    for (uint32_t c = 0; c < n; c++) {
        place[c] = start[degree[c]]++;
        order[place[c]] = c;
    }
    for (uint32_t d = n; d > 0; d--)
        start[d] = start[d - 1];
    start[0] = 0;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t c = order[k];
        core[c] = degree[c];
        for (size_t a = row[c]; a < row[c + 1]; a++) {
            uint32_t d = col[a];
            if (degree[d] <= degree[c])
                continue;
            /* To the front of its bucket, which then starts behind it. */
            uint32_t front = start[degree[d]]++, other = order[front];
            order[place[d]] = other;
            place[other] = place[d];
            order[front] = d;
            place[d] = front;
            degree[d]--;
        }
    }
}

bool rg_classes_find(rg_classes *out, const rg_block *b, rg_count_space *space)
{
    size_t n_nodes = b->n;
    uint32_t *of = rg_count_space_get(space, SLOT_OF, n_nodes, sizeof *of);
    uint32_t *class = rg_count_space_get(space, SLOT_CLASS, n_nodes, 2 * sizeof *class);
    size_t *row = rg_count_space_get(space, SLOT_ROW, n_nodes + 1, 3 * sizeof *row);
    uint32_t *col = rg_count_space_get(space, SLOT_COL, b->n_arcs, 2 * sizeof *col);
    uint32_t *work = rg_count_space_get(space, SLOT_WORK, n_nodes + 1, 7 * sizeof *work);
    if (!of || !class || !row || !col || !work)
        return false;
    uint32_t *size = work, *head = size + n_nodes, *order = head + n_nodes;
    uint32_t *core = order + n_nodes, *place = core + n_nodes, *degree = place + n_nodes;
    uint32_t *start = degree + n_nodes;
    uint32_t n = twins_find(of, size, place, degree, b);

    /* The last node of a class speaks for it: its neighbours that speak for others are the
     * neighbours of the class. */
    size_t *middle = row + n_nodes + 1, *first_row = middle + n_nodes + 1, n_arcs = 0;
    uint32_t *first_col = col + b->n_arcs;
    for (uint32_t i = 0; i < b->n; i++)
        head[of[i]] = i;
    for (uint32_t c = 0; c < n; c++) {
        first_row[c] = n_arcs;
        for (size_t k = b->row[head[c]]; k < b->row[head[c] + 1]; k++) {
            uint32_t i = b->col[k];
            if (of[i] != c && head[of[i]] == i)
                first_col[n_arcs++] = of[i];
        }
    }
    first_row[n] = n_arcs;
    order_find(order, core, n, first_row, first_col, start, place, degree);

    *out = (rg_classes){.block = b,
                        .n = n,
                        .of = of,
                        .weight = class,
                        .core = class + n_nodes,
                        .row = row,
                        .middle = middle,
                        .col = col};
    n_arcs = 0;
    for (uint32_t k = 0; k < n; k++) { /* place[c] is where c went, by now */
        uint32_t c = order[k];
        row[k] = n_arcs;
        for (size_t a = first_row[c]; a < first_row[c + 1]; a++)
            if (place[first_col[a]] > k)
                col[n_arcs++] = place[first_col[a]];
        middle[k] = n_arcs;
        for (size_t a = first_row[c]; a < first_row[c + 1]; a++)
            if (place[first_col[a]] < k)
                col[n_arcs++] = place[first_col[a]];
        class[k] = size[c];
        class[n_nodes + k] = core[c];
        out->most = core[c] > out->most ? core[c] : out->most;
    }
    row[n] = n_arcs;
    for (uint32_t i = 0; i < b->n; i++)
        of[i] = place[of[i]];
    return true;
}

uint64_t rg_classes_cost(const rg_classes *classes, uint64_t limit)
{
    uint64_t pairs = classes->row[classes->n], each = (uint64_t)classes->most + 1;
    return pairs > limit / each ? limit + 1 : pairs * each;
}

bool rg_behind_init(rg_behind *out, const rg_classes *classes, unsigned slot, rg_count_space *space)
{
    size_t most = classes->most, words = most / 64 + 1;
    *out = (rg_behind){.words = words};
    out->next_to = rg_count_space_get(space, slot, most * words, sizeof *out->next_to);
    out->who = rg_count_space_zero(space, slot + 1, classes->n + most, sizeof *out->who);
    out->place = out->who ? out->who + most : NULL;
    return out->next_to && out->who;
}

uint32_t rg_behind_place(const rg_behind *behind, uint32_t d)
{
    uint32_t k = behind->place[d];
    return k < behind->n && behind->who[k] == d ? k : behind->n;
}

/* Two classes behind c are joined in the list of the first of them, which is short. */
void rg_behind_fill(rg_behind *out, const rg_classes *classes, uint32_t c)
{
    uint32_t *who = out->who;
    out->n = 0;
    for (size_t k = classes->row[c]; k < classes->middle[c]; k++) {
        out->place[classes->col[k]] = out->n;
        who[out->n++] = classes->col[k];
    }
    out->words = (size_t)out->n / 64 + 1;
    memset(out->next_to, 0, out->n * out->words * sizeof *out->next_to);
    for (uint32_t x = 0; x < out->n; x++)
        for (size_t k = classes->row[who[x]]; k < classes->middle[who[x]]; k++) {
            uint32_t y = rg_behind_place(out, classes->col[k]);
            if (y == out->n)
                continue;
            out->next_to[x * out->words + y / 64] |= (uint64_t)1 << y % 64;
            out->next_to[y * out->words + x / 64] |= (uint64_t)1 << x % 64;
        }
}
