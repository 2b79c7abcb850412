/* merge.c - tables of a layer whose input never changes.
 *
 * The input stands beside the weight, entries of a row with the same weight become one, and rows
 * that are equal, bias included, are kept once: symmetric nodes have equal outputs. */
#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/pool.h"
#include "samples.h"

#include <assert.h>
#include <string.h>

typedef struct weight_entry {
    uint32_t id;
    double x;
} weight_entry;

static bool before(const weight_entry *a, const weight_entry *b)
{
    return a->id != b->id ? a->id < b->id : a->x < b->x;
}

/* Ascending by weight, then input: runs of 8 by insertion, then merged pairwise. `spare` has room
 * for n. Returns where the result is: items or spare. */
static weight_entry *sort_entries(weight_entry *items, weight_entry *spare, size_t n)
{
    enum { RUN = 8 };
    for (size_t from = 0; from < n; from += RUN)
        for (size_t k = from + 1; k < n && k < from + RUN; k++) {
            weight_entry own = items[k];
            size_t at = k;
            for (; at > from && before(&own, &items[at - 1]); at--)
                items[at] = items[at - 1];
            items[at] = own;
        }
    for (size_t run = RUN; run < n; run *= 2) {
        for (size_t from = 0; from < n; from += 2 * run) {
            size_t middle = from + run < n ? from + run : n;
            size_t end = from + 2 * run < n ? from + 2 * run : n;
            for (size_t a = from, b = middle, k = from; k < end; k++)
                spare[k] = b == end || (a < middle && !before(&items[b], &items[a])) ? items[a++]
                                                                                     : items[b++];
        }
        weight_entry *swap = items;
        items = spare;
        spare = swap;
    }
    return items;
}

/* Scratch of one thread. */
typedef struct merge_scratch {
    weight_entry *items, *spare;
    size_t items_capacity, spare_capacity;
    double *x;
    size_t x_capacity;
    uint32_t *slots; /* a hash table: row + 1, or 0 */
    size_t slots_capacity;
} merge_scratch;

typedef struct merge_job {
    rg_samples *s;
    const uint32_t *list;
    const rg_connections *from, *bias; /* bias: NULL without one */
    rg_wiring *to;
    size_t real;
    merge_scratch *scratch;
    uint32_t *n_entries, *n_rows; /* of every sample, what is left */
} merge_job;

/* ---- one sample: written to the places that its entries had before, moved together later */

/* Merges row i into the entries from `at` on; the entry behind the last. */
static rg_status merge_row(size_t *at, merge_job *j, merge_scratch *own,
                           const rg_connection_table *t, uint32_t i, size_t offset, rg_error *err)
{
    size_t n = t->row[i + 1] - t->row[i], next = *at;
    if (!rg_grow(&own->items, &own->items_capacity, n, sizeof *own->items) ||
        !rg_grow(&own->spare, &own->spare_capacity, n, sizeof *own->spare))
        return rg_fail_memory(err, "the tables of a network");
    for (size_t k = 0; k < n; k++) {
        size_t e = t->row[i] + k;
        own->items[k] = (weight_entry){t->weight[e], own->x[t->col16 ? t->col16[e] : t->col32[e]]};
    }
    const weight_entry *sorted = sort_entries(own->items, own->spare, n);
    for (size_t k = 0; k < n; next++) {
        double sum = 0;
        uint32_t weight = sorted[k].id;
        for (; k < n && sorted[k].id == weight; k++)
            sum += sorted[k].x;
        j->to->id[offset + next] = weight;
        if (j->s->precision == RG_FLOAT)
            ((float *)j->to->value)[offset + next] = (float)sum;
        else
            ((double *)j->to->value)[offset + next] = sum;
    }
    *at = next;
    return RG_OK;
}

/* The row that equals the one at from .. to - 1, among n_rows before it; n_rows: none does. */
static uint32_t find_row(const merge_job *j, merge_scratch *own, const uint32_t *row,
                         uint32_t n_rows, const uint32_t *bias, size_t offset, size_t mask)
{
    const uint32_t *id = j->to->id + offset;
    const char *value = (const char *)j->to->value + offset * j->real;
    size_t from = row[n_rows], n = row[n_rows + 1] - from;
    uint64_t hash = rg_hash(id + from, n * sizeof *id, bias ? bias[n_rows] : 0);
    hash ^= rg_hash(value + from * j->real, n * j->real, 1);
    for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
        uint32_t other = own->slots[slot] - 1;
        if (own->slots[slot] == 0) {
            own->slots[slot] = n_rows + 1;
            return n_rows;
        }
        if (row[other + 1] - row[other] == n && (!bias || bias[other] == bias[n_rows]) &&
            memcmp(id + row[other], id + from, n * sizeof *id) == 0 &&
            memcmp(value + row[other] * j->real, value + from * j->real, n * j->real) == 0)
            return other;
    }
}

static bool make_slots(merge_scratch *own, uint32_t n_outputs, size_t *mask)
{
    size_t n = 4;
    while (n < (size_t)n_outputs * 2)
        n *= 2;
    *mask = n - 1;
    if (!rg_grow(&own->slots, &own->slots_capacity, n, sizeof *own->slots))
        return false;
    memset(own->slots, 0, n * sizeof *own->slots);
    return true;
}

static rg_status merge_sample(void *context, size_t place, unsigned worker, rg_error *err)
{
    merge_job *j = context;
    merge_scratch *own = &j->scratch[worker];
    rg_connection_table t = rg_connections_graph(j->from, place);
    const uint32_t *bias = j->bias ? rg_connections_graph(j->bias, place).weight : NULL;
    uint64_t first = j->to->first[place];
    uint32_t *row = j->to->row + first, n_rows = 0;
    size_t offset = j->to->start[place], at = 0, mask;
    if (!rg_grow(&own->x, &own->x_capacity, t.n_inputs, sizeof *own->x) ||
        !make_slots(own, t.n_outputs, &mask))
        return rg_fail_memory(err, "the tables of a network");
    rg_samples_input(j->s, j->list[place], own->x);
    row[0] = 0;
    for (uint32_t i = 0; i < t.n_outputs; i++) {
        rg_status status = merge_row(&at, j, own, &t, i, offset, err);
        if (status)
            return status;
        row[n_rows + 1] = (uint32_t)at;
        uint32_t same = n_rows;
        if (j->to->same) {
            uint32_t *biases = j->to->bias ? j->to->bias + first : NULL;
            if (biases)
                biases[n_rows] = bias[i];
            same = find_row(j, own, row, n_rows, biases, offset, mask);
            j->to->same[j->to->first_node[place] + i] = same;
        }
        if (same == n_rows)
            n_rows++;
        else
            at = row[n_rows]; /* not a new one: its entries are overwritten by the next */
    }
    j->n_entries[place] = (uint32_t)at;
    j->n_rows[place] = n_rows;
    return RG_OK;
}

/* ---- all samples */

/* Entries and rows of all samples side by side again, and the room behind them given back. */
static rg_status move_together(merge_job *j, size_t n, rg_error *err)
{
    rg_wiring *w = j->to;
    uint64_t entries = 0, rows = 0;
    for (size_t k = 0; k < n; k++) {
        size_t n_entries = j->n_entries[k], n_rows = (size_t)j->n_rows[k] + 1;
        assert(entries <= w->start[k] && rows <= w->first[k]);
        memmove(w->id + entries, w->id + w->start[k], n_entries * sizeof *w->id);
        memmove((char *)w->value + entries * j->real, (char *)w->value + w->start[k] * j->real,
                n_entries * j->real);
        memmove(w->row + rows, w->row + w->first[k], n_rows * sizeof *w->row);
        if (w->bias)
            memmove(w->bias + rows, w->bias + w->first[k], (n_rows - 1) * sizeof *w->bias);
        w->start[k] = entries;
        w->first[k] = rows;
        entries += n_entries;
        rows += n_rows;
    }
    w->start[n] = entries;
    w->first[n] = rows;
    void *id = rg_realloc(w->id, (size_t)entries, sizeof *w->id);
    w->id = id ? id : w->id;
    void *value = rg_realloc(w->value, (size_t)entries, j->real);
    w->value = value ? value : w->value;
    void *row = rg_realloc(w->row, (size_t)rows, sizeof *w->row);
    w->row = row ? row : w->row;
    return id && value && row ? RG_OK : rg_fail_memory(err, "the tables of a network");
}

static bool make_room(merge_job *j, size_t n, unsigned n_workers, bool once)
{
    rg_wiring *w = j->to;
    size_t n_entries = (size_t)rg_connections_size(j->from);
    uint64_t rows = 0, entries = 0, nodes = 0;
    w->start = rg_alloc(n + 1, sizeof *w->start);
    w->first = rg_alloc(n + 1, sizeof *w->first);
    w->first_node = once ? rg_alloc(n + 1, sizeof *w->first_node) : NULL;
    w->id = rg_alloc(n_entries, sizeof *w->id);
    w->value = rg_alloc(n_entries, j->real);
    j->n_entries = rg_alloc(n, sizeof *j->n_entries);
    j->n_rows = rg_alloc(n, sizeof *j->n_rows);
    j->scratch = rg_alloc_zero(n_workers, sizeof *j->scratch);
    if (!w->start || !w->first || !w->id || !w->value || !j->n_entries || !j->n_rows ||
        !j->scratch || (once && !w->first_node))
        return false;
    for (size_t k = 0; k < n; k++) {
        rg_connection_table t = rg_connections_graph(j->from, k);
        w->start[k] = entries;
        w->first[k] = rows;
        if (once)
            w->first_node[k] = nodes;
        rows += (uint64_t)t.n_outputs + 1;
        nodes += t.n_outputs;
        entries += t.row[t.n_outputs];
    }
    if (once)
        w->first_node[n] = nodes;
    w->row = rg_alloc((size_t)rows, sizeof *w->row);
    w->same = once ? rg_alloc((size_t)nodes, sizeof *w->same) : NULL;
    w->bias = once && j->bias ? rg_alloc((size_t)rows, sizeof *w->bias) : NULL;
    return w->row && (!once || w->same) && (!once || !j->bias || w->bias);
}

static void close_job(merge_job *j, unsigned n_workers)
{
    for (unsigned k = 0; j->scratch && k < n_workers; k++) {
        rg_free(j->scratch[k].items);
        rg_free(j->scratch[k].spare);
        rg_free(j->scratch[k].x);
        rg_free(j->scratch[k].slots);
    }
    rg_free(j->scratch);
    rg_free(j->n_entries);
    rg_free(j->n_rows);
}

rg_status rg_wiring_merge(rg_wiring *w, rg_samples *s, const uint32_t *list, size_t n,
                          const rg_connections *bias, bool once, rg_error *err)
{
    merge_job j = {.s = s, .list = list, .from = w->connections, .to = w, .bias = bias};
    rg_pool *pool = NULL;
    rg_status status = rg_pool_new(&pool, s->n_threads, err);
    if (status)
        return status;
    unsigned n_workers = rg_pool_size(pool);
    rg_pool_cancel(pool, s->cancel);
    j.real = rg_real_size(s->precision);
    if (!make_room(&j, n, n_workers, once))
        status = rg_fail_memory(err, "the tables of a network");
    if (!status)
        status = rg_pool_run(pool, n, merge_sample, &j, err);
    if (!status) {
        rg_connections_free(w->connections);
        w->connections = NULL;
        status = move_together(&j, n, err);
    }
    close_job(&j, n_workers);
    rg_pool_free(pool);
    return status;
}
