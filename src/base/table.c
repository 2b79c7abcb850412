/* table.c - open addressing with linear probing; at most half full; keys lie one after another. */
#include "table.h"

#include "alloc.h"
#include "digest.h"

#include <string.h>

typedef struct table_slot {
    uint32_t number; /* RG_TABLE_NONE: empty */
    uint32_t tag;    /* upper half of the hash: most mismatches end here */
} table_slot;

struct rg_table {
    table_slot *slots;
    size_t n_slots; /* a power of two */
    char *bytes;    /* all keys */
    size_t n_bytes, bytes_capacity;
    size_t *start; /* start[k] .. start[k+1] is key k */
    size_t n_keys, start_capacity;
    uint64_t seed; /* of the hash */
};

rg_table *rg_table_new(void)
{
    rg_table *table = rg_alloc_zero(1, sizeof *table);
    if (!table)
        return NULL;
    /* Another one in every run where addresses are, so that no file can be made whose keys all meet
     * in one slot. Numbers go by arrival and do not depend on it. */
    table->seed = (uint64_t)(uintptr_t)table;
    table->n_slots = 64;
    table->slots = rg_alloc(table->n_slots, sizeof *table->slots);
    if (!table->slots || !rg_grow(&table->bytes, &table->bytes_capacity, 1, 1) ||
        !rg_grow(&table->start, &table->start_capacity, 1, sizeof *table->start)) {
        rg_table_free(table);
        return NULL;
    }
    memset(table->slots, 0xff, table->n_slots * sizeof *table->slots);
    table->start[0] = 0;
    return table;
}

void rg_table_free(rg_table *table)
{
    if (!table)
        return;
    rg_free(table->slots);
    rg_free(table->bytes);
    rg_free(table->start);
    rg_free(table);
}

/* The slot that holds the key, or the empty one where it belongs. */
static size_t probe(const rg_table *table, const void *key, size_t n, uint64_t hash)
{
    size_t mask = table->n_slots - 1, k = (size_t)hash & mask;
    uint32_t tag = (uint32_t)(hash >> 32);
    for (;; k = (k + 1) & mask) {
        const table_slot *s = &table->slots[k];
        if (s->number == RG_TABLE_NONE)
            return k;
        size_t start = table->start[s->number];
        if (s->tag == tag && table->start[s->number + 1] - start == n &&
            (n == 0 || memcmp(table->bytes + start, key, n) == 0))
            return k;
    }
}

static bool double_slots(rg_table *table)
{
    size_t n_slots = table->n_slots * 2;
    table_slot *slots = rg_alloc(n_slots, sizeof *slots);
    if (!slots)
        return false;
    memset(slots, 0xff, n_slots * sizeof *slots);
    for (size_t number = 0; number < table->n_keys; number++) {
        size_t n = table->start[number + 1] - table->start[number];
        uint64_t hash = rg_hash(table->bytes + table->start[number], n, table->seed);
        size_t k = (size_t)hash & (n_slots - 1);
        while (slots[k].number != RG_TABLE_NONE)
            k = (k + 1) & (n_slots - 1);
        slots[k] = (table_slot){(uint32_t)number, (uint32_t)(hash >> 32)};
    }
    rg_free(table->slots);
    table->slots = slots;
    table->n_slots = n_slots;
    return true;
}

uint32_t rg_table_add(rg_table *table, const void *key, size_t n)
{
    uint64_t hash = rg_hash(key, n, table->seed);
    size_t k = probe(table, key, n, hash), bytes;
    if (table->slots[k].number != RG_TABLE_NONE)
        return table->slots[k].number;
    if (table->n_keys >= RG_TABLE_NONE - 1 || !rg_size_add(&bytes, table->n_bytes, n) ||
        !rg_grow(&table->bytes, &table->bytes_capacity, bytes, 1) ||
        !rg_grow(&table->start, &table->start_capacity, table->n_keys + 2, sizeof *table->start))
        return RG_TABLE_NONE;
    if ((table->n_keys + 1) * 2 > table->n_slots) {
        if (!double_slots(table))
            return RG_TABLE_NONE;
        k = probe(table, key, n, hash);
    }
    uint32_t number = (uint32_t)table->n_keys++;
    if (n)
        memcpy(table->bytes + table->n_bytes, key, n);
    table->n_bytes = bytes;
    table->start[table->n_keys] = bytes;
    table->slots[k] = (table_slot){number, (uint32_t)(hash >> 32)};
    return number;
}

/* Slots stay where they are, as the keys' hashes do; only the numbers in them change. */
bool rg_table_reorder(rg_table *table, const uint32_t *order)
{
    size_t n = table->n_keys, used = 0;
    size_t *start = rg_alloc(n + 1, sizeof *start);
    char *bytes = rg_alloc(table->n_bytes, 1);
    uint32_t *place = rg_alloc(n, sizeof *place);
    bool fine = start && bytes && place;
    for (size_t k = 0; fine && k < n; k++) {
        size_t from = table->start[order[k]], length = table->start[order[k] + 1] - from;
        start[k] = used;
        if (length)
            memcpy(bytes + used, table->bytes + from, length);
        used += length;
        place[order[k]] = (uint32_t)k;
    }
    if (fine) {
        start[n] = used;
        for (size_t k = 0; k < table->n_slots; k++)
            if (table->slots[k].number != RG_TABLE_NONE)
                table->slots[k].number = place[table->slots[k].number];
        char *old_bytes = table->bytes;
        size_t *old_start = table->start;
        table->bytes = bytes;
        table->bytes_capacity = used;
        table->start = start;
        table->start_capacity = n + 1;
        bytes = old_bytes;
        start = old_start;
    }
    rg_free(place);
    rg_free(bytes);
    rg_free(start);
    return fine;
}

uint32_t rg_table_find(const rg_table *table, const void *key, size_t n)
{
    return table->slots[probe(table, key, n, rg_hash(key, n, table->seed))].number;
}

size_t rg_table_size(const rg_table *table)
{
    return table->n_keys;
}

const void *rg_table_key(const rg_table *table, uint32_t number, size_t *n)
{
    *n = table->start[number + 1] - table->start[number];
    return table->bytes + table->start[number];
}
