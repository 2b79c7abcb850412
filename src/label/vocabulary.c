/* vocabulary.c - see vocabulary.h. */
#include "vocabulary.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

struct rg_vocabulary {
    rg_table *table; /* key number = label number */
    uint64_t *counts;
};

void rg_vocabulary_free(rg_vocabulary *vocabulary)
{
    if (!vocabulary)
        return;
    rg_table_free(vocabulary->table);
    rg_free(vocabulary->counts);
    rg_free(vocabulary);
}

static const void *key_at(const rg_keys *keys, size_t k, size_t *bytes)
{
    *bytes = (size_t)(keys->start[k + 1] - keys->start[k]) * sizeof *keys->words;
    return keys->words + keys->start[k];
}

static int compare_words(const uint32_t *a, size_t n, const uint32_t *b, size_t m)
{
    for (size_t k = 0; k < n && k < m; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return (n > m) - (n < m);
}

/* A key as it arrived, on its way to its final place. Its first two words stand here as one number,
 * which settles most comparisons without a look at the key itself. */
typedef struct vocabulary_key {
    uint64_t count, head;
    const uint32_t *words;
    uint32_t n_words, number;
} vocabulary_key;

static vocabulary_key arrival_of(const rg_table *arrived, uint32_t number, uint64_t count)
{
    size_t bytes;
    const uint32_t *words = rg_table_key(arrived, number, &bytes);
    size_t n = bytes / sizeof *words;
    uint64_t head = (n > 0 ? (uint64_t)words[0] << 32 : 0) | (n > 1 ? words[1] : 0);
    return (vocabulary_key){count, head, words, (uint32_t)n, number};
}

static int compare_arrivals(const void *x, const void *y)
{
    const vocabulary_key *a = x, *b = y;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (a->head != b->head)
        return a->head < b->head ? -1 : 1;
    return compare_words(a->words, a->n_words, b->words, b->n_words);
}

/* From order of arrival to that of the labels, counts too; place[arrival number] = label. */
static bool put_in_order(rg_vocabulary *vocabulary, uint32_t *place)
{
    size_t n = rg_table_size(vocabulary->table);
    vocabulary_key *arrivals = rg_alloc(n, sizeof *arrivals);
    uint32_t *order = rg_alloc(n, sizeof *order);
    bool fine = arrivals && order;
    for (size_t k = 0; fine && k < n; k++)
        arrivals[k] = arrival_of(vocabulary->table, (uint32_t)k, vocabulary->counts[k]);
    if (fine && n)
        qsort(arrivals, n, sizeof *arrivals, compare_arrivals);
    for (size_t k = 0; fine && k < n; k++) {
        order[k] = arrivals[k].number;
        vocabulary->counts[k] = arrivals[k].count;
        place[order[k]] = (uint32_t)k;
    }
    fine = fine && rg_table_reorder(vocabulary->table, order);
    rg_free(arrivals);
    rg_free(order);
    return fine;
}

/* Counts the selected keys by number of arrival. */
static bool collect(rg_vocabulary *vocabulary, uint32_t *numbers, const rg_keys *keys)
{
    rg_table *arrived = vocabulary->table;
    uint64_t **counts = &vocabulary->counts;
    size_t capacity = 0;
    for (size_t k = 0; k < keys->n; k++) {
        if (keys->selected && !keys->selected[k])
            continue;
        size_t bytes, before = rg_table_size(arrived);
        const void *key = key_at(keys, k, &bytes);
        uint32_t number = rg_table_add(arrived, key, bytes);
        if (number == RG_TABLE_NONE ||
            !rg_grow(counts, &capacity, number + (size_t)1, sizeof **counts))
            return false;
        (*counts)[number] = number == before ? 1 : (*counts)[number] + 1;
        if (numbers)
            numbers[k] = number;
    }
    return true;
}

rg_status rg_vocabulary_build(rg_vocabulary **out, uint32_t *numbers, const rg_keys *keys,
                              rg_error *err)
{
    rg_vocabulary *vocabulary = rg_alloc_zero(1, sizeof *vocabulary);
    uint32_t *place = NULL;
    bool fine = vocabulary && (vocabulary->table = rg_table_new()) &&
                collect(vocabulary, numbers, keys) &&
                (place = rg_alloc(rg_table_size(vocabulary->table), sizeof *place)) &&
                put_in_order(vocabulary, place);
    for (size_t k = 0; fine && numbers && k < keys->n; k++) {
        if (!keys->selected || keys->selected[k]) {
            numbers[k] = place[numbers[k]];
        } else {
            size_t bytes;
            const void *key = key_at(keys, k, &bytes);
            numbers[k] = rg_table_find(vocabulary->table, key, bytes);
        }
    }
    if (fine)
        *out = vocabulary;
    else
        rg_vocabulary_free(vocabulary);
    rg_free(place);
    return fine ? RG_OK : rg_fail_memory(err, "collecting labels");
}

void rg_vocabulary_apply(const rg_vocabulary *vocabulary, uint32_t *numbers, const rg_keys *keys)
{
    _Static_assert(RG_TABLE_NONE == RG_UNSEEN, "not found and unseen are one number");
    for (size_t k = 0; k < keys->n; k++) {
        size_t bytes;
        const void *key = key_at(keys, k, &bytes);
        numbers[k] = rg_table_find(vocabulary->table, key, bytes);
    }
}

size_t rg_vocabulary_size(const rg_vocabulary *vocabulary)
{
    return rg_table_size(vocabulary->table);
}

uint64_t rg_vocabulary_count(const rg_vocabulary *vocabulary, uint32_t number)
{
    return vocabulary->counts[number];
}

const uint32_t *rg_vocabulary_key(const rg_vocabulary *vocabulary, uint32_t number, size_t *n)
{
    size_t bytes;
    const uint32_t *words = rg_table_key(vocabulary->table, number, &bytes);
    *n = bytes / sizeof *words;
    return words;
}

/* Does key k > 0 come where building would have put it, after key k-1? */
static bool in_order(const rg_keys *keys, const uint64_t *counts, size_t k)
{
    size_t n, m;
    const uint32_t *before = key_at(keys, k - 1, &n), *key = key_at(keys, k, &m);
    if (counts[k] != counts[k - 1])
        return counts[k] < counts[k - 1];
    return compare_words(before, n / sizeof *before, key, m / sizeof *key) < 0;
}

static rg_status restore_key(rg_vocabulary *vocabulary, const rg_keys *keys, const uint64_t *counts,
                             size_t k, rg_error *err)
{
    size_t bytes;
    const void *key = key_at(keys, k, &bytes);
    if (k > 0 && !in_order(keys, counts, k))
        return rg_fail(err, RG_EDATA,
                       "vocabulary: found key %zu out of order, expected keys by frequency", k);
    uint32_t number = rg_table_add(vocabulary->table, key, bytes);
    if (number == RG_TABLE_NONE)
        return rg_fail_memory(err, "restoring labels");
    if (number != k)
        return rg_fail(err, RG_EDATA, "vocabulary: found key %zu twice, expected it once", k);
    vocabulary->counts[k] = counts[k];
    return RG_OK;
}

rg_status rg_vocabulary_restore(rg_vocabulary **out, const rg_keys *keys, const uint64_t *counts,
                                rg_error *err)
{
    rg_vocabulary *vocabulary = rg_alloc_zero(1, sizeof *vocabulary);
    rg_status status = RG_OK;
    if (!vocabulary || !(vocabulary->table = rg_table_new()) ||
        !(vocabulary->counts = rg_alloc(keys->n, sizeof *vocabulary->counts)))
        status = rg_fail_memory(err, "restoring labels");
    for (size_t k = 0; !status && k < keys->n; k++)
        status = restore_key(vocabulary, keys, counts, k, err);
    if (!status)
        *out = vocabulary;
    else
        rg_vocabulary_free(vocabulary);
    return status;
}
