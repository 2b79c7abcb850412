/* pair_table.c - see regula/pairs.h: tables from entries and from functions. */
#include "pair_table.h"

#include "base/alloc.h"
#include "base/error.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "a table of pairs";

void rg_pair_table_free(rg_pair_table *t)
{
    if (!t)
        return;
    rg_free(t->rows);
    rg_free(t->cols);
    rg_free(t->start);
    rg_free(t->key);
    rg_free(t->value);
    rg_free(t);
}

rg_status rg_pair_table_room(rg_pair_table **out, size_t n_samples, size_t n_entries, rg_error *err)
{
    size_t n = n_samples ? n_samples : 1;
    rg_pair_table *t = rg_alloc_zero(1, sizeof *t);
    if (!t)
        return rg_fail_memory(err, what);
    t->info = (rg_pair_info){
        .per_sample = n_samples > 0, .n_places = 2, .n_samples = n, .n_entries = n_entries};
    t->rows = rg_alloc_zero(n, sizeof *t->rows);
    t->cols = rg_alloc_zero(n, sizeof *t->cols);
    t->start = n < SIZE_MAX ? rg_alloc_zero(n + 1, sizeof *t->start) : NULL;
    t->key = rg_alloc(n_entries, sizeof *t->key);
    t->value = rg_alloc(n_entries, sizeof *t->value);
    if (!t->rows || !t->cols || !t->start || !t->key || !t->value) {
        rg_pair_table_free(t);
        return rg_fail_memory(err, what);
    }
    *out = t;
    return RG_OK;
}

rg_status rg_pair_table_copy(rg_pair_table **out, const rg_pair_table *t, rg_error *err)
{
    size_t n = t->info.n_samples, n_entries = (size_t)t->info.n_entries;
    rg_pair_table *own = NULL;
    rg_status status = rg_pair_table_room(&own, n, n_entries, err);
    if (status)
        return status;
    own->info = t->info;
    memcpy(own->rows, t->rows, n * sizeof *t->rows);
    memcpy(own->cols, t->cols, n * sizeof *t->cols);
    memcpy(own->start, t->start, (n + 1) * sizeof *t->start);
    if (n_entries) {
        memcpy(own->key, t->key, n_entries * sizeof *t->key);
        memcpy(own->value, t->value, n_entries * sizeof *t->value);
    }
    *out = own;
    return RG_OK;
}

/* Entries of one sample: ascending, within its rows and columns. */
static rg_status check_sample(const rg_pair_table *t, size_t s, rg_error *err)
{
    for (uint64_t k = t->start[s]; k < t->start[s + 1]; k++) {
        uint32_t i = (uint32_t)(t->key[k] >> 32), j = (uint32_t)t->key[k];
        if (k > t->start[s] && t->key[k] == t->key[k - 1])
            return rg_fail(err, RG_EDATA, "sample %zu has the pair (%u, %u) twice", s, i, j);
        if (k > t->start[s] && t->key[k] < t->key[k - 1])
            return rg_fail(err, RG_EDATA, "the pairs of sample %zu do not ascend", s);
        if (i >= t->rows[s] || j >= t->cols[s])
            return rg_fail(err, RG_EDATA,
                           "sample %zu has the pair (%u, %u), but %u rows and %u "
                           "columns",
                           s, i, j, t->rows[s], t->cols[s]);
        if (t->value[k] == INT64_MIN || t->value[k] == 0)
            return rg_fail(err, RG_EDATA, "sample %zu has no number for the pair (%u, %u)", s, i,
                           j);
    }
    return RG_OK;
}

rg_status rg_pair_table_check(rg_pair_table *t, rg_error *err)
{
    rg_status status = RG_OK;
    t->info.lowest = t->info.highest = 0;
    for (size_t s = 0; s < t->info.n_samples; s++)
        if (t->start[s] > t->start[s + 1])
            return rg_fail(err, RG_EDATA, "the samples of a table of pairs do not ascend");
    if (t->start[0] != 0 || t->start[t->info.n_samples] != t->info.n_entries)
        return rg_fail(err, RG_EDATA, "a table of pairs has entries of no sample");
    for (size_t s = 0; !status && s < t->info.n_samples; s++)
        status = check_sample(t, s, err);
    for (uint64_t k = 0; !status && k < t->info.n_entries; k++) {
        int64_t value = t->value[k];
        t->info.lowest = value < t->info.lowest ? value : t->info.lowest;
        t->info.highest = value > t->info.highest ? value : t->info.highest;
    }
    return status;
}

/* ---- from entries */

static int compare_entries(const void *x, const void *y)
{
    const rg_pair_entry *a = x, *b = y;
    if (a->sample != b->sample)
        return a->sample < b->sample ? -1 : 1;
    if (a->i != b->i)
        return a->i < b->i ? -1 : 1;
    return a->j < b->j ? -1 : a->j > b->j;
}

/* Sorted entries, zeros among them, into the table. */
static void fill(rg_pair_table *t, const rg_pair_entry *sorted, size_t n, uint32_t rows,
                 uint32_t cols)
{
    uint64_t at = 0;
    for (size_t s = 0, k = 0; s < t->info.n_samples; s++) {
        t->start[s] = at;
        t->rows[s] = rows;
        t->cols[s] = cols;
        for (; k < n && sorted[k].sample == s; k++) {
            if (!rows && sorted[k].i >= t->rows[s])
                t->rows[s] = sorted[k].i + 1;
            if (!rows && sorted[k].j >= t->cols[s])
                t->cols[s] = sorted[k].j + 1;
            if (sorted[k].value == 0)
                continue;
            t->key[at] = (uint64_t)sorted[k].i << 32 | sorted[k].j;
            t->value[at++] = sorted[k].value;
        }
    }
    t->start[t->info.n_samples] = t->info.n_entries = at;
}

static rg_status check_entry(const rg_pair_entry *e, size_t n_samples, int n_places, uint32_t rows,
                             uint32_t cols, rg_error *err)
{
    if (e->sample >= (n_samples ? n_samples : 1))
        return rg_fail(err, RG_EUSAGE, "pairs: found sample %u, expected a number below %zu",
                       e->sample, n_samples ? n_samples : 1);
    if (e->i == UINT32_MAX || e->j == UINT32_MAX || (rows && (e->i >= rows || e->j >= cols)) ||
        (n_places == 1 && e->j))
        return rg_fail(err, RG_EUSAGE,
                       "pairs: found the pair (%u, %u), expected less than %u rows "
                       "and %u columns",
                       e->i, e->j, rows ? rows : UINT32_MAX,
                       n_places == 1 ? 1
                       : cols        ? cols
                                     : UINT32_MAX);
    if (e->value == INT64_MIN)
        return rg_fail(err, RG_EUSAGE, "pairs: found -2^63, expected a larger number");
    return RG_OK;
}

rg_status rg_pair_table_new(rg_pair_table **out, const rg_pair_entry *entries, size_t n_entries,
                            int n_places, size_t n_samples, uint32_t rows, uint32_t cols,
                            rg_error *err)
{
    rg_pair_table *t = NULL;
    rg_status status = RG_OK;
    if (n_places != 1 && n_places != 2)
        return rg_fail(err, RG_EUSAGE, "pairs: found %d places, expected 1 or 2", n_places);
    if ((rows == 0) != (cols == 0) || (n_places == 1 && cols > 1) || n_samples >= UINT32_MAX)
        return rg_fail(err, RG_EUSAGE,
                       "pairs: found %u rows, %u columns and %zu samples, expected "
                       "both sizes or none, and fewer samples",
                       rows, cols, n_samples);
    for (size_t k = 0; !status && k < n_entries; k++)
        status = check_entry(&entries[k], n_samples, n_places, rows, cols, err);
    rg_pair_entry *sorted = status ? NULL : rg_alloc(n_entries, sizeof *sorted);
    if (!status && !sorted)
        status = rg_fail_memory(err, what);
    if (!status && n_entries)
        memcpy(sorted, entries, n_entries * sizeof *sorted);
    bool ascending = true;
    for (size_t k = 1; !status && k < n_entries; k++)
        ascending = ascending && compare_entries(&sorted[k - 1], &sorted[k]) < 0;
    if (!status && !ascending)
        qsort(sorted, n_entries, sizeof *sorted, compare_entries);
    for (size_t k = 1; !status && !ascending && k < n_entries; k++)
        if (compare_entries(&sorted[k - 1], &sorted[k]) == 0)
            status = rg_fail(err, RG_EUSAGE, "pairs: found the pair (%u, %u) of sample %u twice",
                             sorted[k].i, sorted[k].j, sorted[k].sample);
    if (!status)
        status = rg_pair_table_room(&t, n_samples, n_entries, err);
    if (!status) {
        t->info.n_places = n_places;
        t->info.exact = rows > 0;
        fill(t, sorted, n_entries, rows, cols);
        status = rg_pair_table_check(t, err);
    }
    rg_free(sorted);
    if (status)
        rg_pair_table_free(t);
    else
        *out = t;
    return status;
}

/* ---- from a function */

typedef rg_status (*pair_function)(void *context, size_t sample, uint32_t i, uint32_t j,
                                   int64_t *out, rg_error *err);

typedef struct asked {
    rg_pair_entry *entries;
    size_t n, capacity;
    pair_function number;
    void *context;
} asked;

static rg_status ask(asked *a, size_t sample, uint32_t rows, uint32_t cols, rg_error *err)
{
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t j = 0; j < cols; j++) {
            rg_error inner = {""};
            int64_t value = 0;
            rg_status status = a->number(a->context, sample, i, j, &value, &inner);
            if (status)
                return rg_fail(err, status, "pairs: sample %zu, place %u, %u: %s", sample, i, j,
                               inner.message[0] ? inner.message : "the function failed");
            if (value == 0)
                continue;
            if (!rg_grow(&a->entries, &a->capacity, a->n + 1, sizeof *a->entries))
                return rg_fail_memory(err, what);
            a->entries[a->n++] = (rg_pair_entry){(uint32_t)sample, i, j, value};
        }
    return RG_OK;
}

rg_status rg_pair_table_of_graphs(rg_pair_table **out, const rg_dataset *data, int n_places,
                                  pair_function number, void *context, rg_error *err)
{
    asked a = {.number = number, .context = context};
    size_t n_graphs = rg_dataset_n_graphs(data);
    rg_pair_table *t = NULL;
    rg_status status = RG_OK;
    for (size_t g = 0; !status && g < n_graphs; g++) {
        uint32_t n = rg_dataset_graph(data, g).n_nodes;
        status = ask(&a, g, n, n_places == 1 ? 1 : n, err);
    }
    if (!status)
        status = rg_pair_table_new(&t, a.entries, a.n, n_places, n_graphs, 0, 0, err);
    rg_free(a.entries);
    if (status)
        return status;
    t->info.exact = 1;
    for (size_t g = 0; g < n_graphs; g++) {
        t->rows[g] = rg_dataset_graph(data, g).n_nodes;
        t->cols[g] = n_places == 1 ? 1 : t->rows[g];
    }
    *out = t;
    return RG_OK;
}

rg_status rg_pair_table_of_shape(rg_pair_table **out, size_t n_samples, uint32_t rows,
                                 uint32_t cols, int n_places, pair_function number, void *context,
                                 rg_error *err)
{
    asked a = {.number = number, .context = context};
    rg_status status = RG_OK;
    if (rows == 0 || cols == 0)
        return rg_fail(err, RG_EUSAGE, "pairs: found %u rows and %u columns, expected some", rows,
                       cols);
    cols = n_places == 1 ? 1 : cols;
    for (size_t s = 0; !status && s < (n_samples ? n_samples : 1); s++)
        status = ask(&a, s, rows, cols, err);
    if (!status)
        status = rg_pair_table_new(out, a.entries, a.n, n_places, n_samples, rows, cols, err);
    rg_free(a.entries);
    return status;
}

/* ---- asking */

rg_pair_info rg_pair_table_describe(const rg_pair_table *table)
{
    return table->info;
}

/* The first entry of the sample that is not below the key. */
static uint64_t find(const rg_pair_table *t, size_t sample, uint64_t key)
{
    uint64_t low = t->start[sample], high = t->start[sample + 1];
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (t->key[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t rg_pair_table_value(const rg_pair_table *t, size_t sample, uint32_t i, uint32_t j)
{
    uint64_t key = (uint64_t)i << 32 | j;
    size_t own = t->info.per_sample ? sample : 0;
    if (own >= t->info.n_samples)
        return 0;
    uint64_t k = find(t, own, key);
    return k < t->start[own + 1] && t->key[k] == key ? t->value[k] : 0;
}

size_t rg_pair_table_row(const rg_pair_table *t, size_t sample, uint32_t i, uint64_t *first)
{
    size_t own = t->info.per_sample ? sample : 0;
    *first = 0;
    if (own >= t->info.n_samples)
        return 0;
    uint64_t end = t->start[own + 1];
    *first = find(t, own, (uint64_t)i << 32);
    if (i < UINT32_MAX)
        end = find(t, own, ((uint64_t)i + 1) << 32);
    return (size_t)(end - *first);
}
