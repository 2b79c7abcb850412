/* codes.c - see codes.h. */
#include "codes.h"

#include "code_set.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/table.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BITMAP_MAX ((uint64_t)1 << 28) /* codes: a bitmap of 32 MiB, and half as much beside it */
#define CODES_MAX ((uint64_t)1 << 62)

static const char what[] = "the keys of a rule";

/* Known keys, with ranges of their own. */
struct rg_key_index {
    rg_codes codes;
    rg_code_set set;
};

/* ---- packing */

/* How many codes the ranges allow, or 0 if there are too many to pack. */
static uint64_t count_codes(const rg_codes *codes)
{
    uint64_t n = 1;
    for (size_t k = 0; k < codes->width; k++) {
        if (codes->size[k] > CODES_MAX / n)
            return 0;
        n *= codes->size[k];
    }
    return n;
}

/* Codes of a range, one that is none included; 0: too many. */
static uint64_t range_size(int64_t low, int64_t high, bool none)
{
    uint64_t size = low > high ? 0 : (uint64_t)high - (uint64_t)low + 1;
    if (low <= high && (size == 0 || size >= CODES_MAX))
        return UINT64_MAX;
    size += none;
    return size > 0 ? size : 1; /* 1: nothing has this key */
}

static void measure(rg_codes *codes, const rg_world *world)
{
    codes->width = world->rule->info.n_keys;
    for (size_t k = 0; k < codes->width; k++) {
        rg_interval r = rg_world_range(world, world->rule->keys[k]);
        codes->low[k] = r.low;
        codes->none[k] = r.none;
        codes->size[k] = range_size(r.low, r.high, r.none);
    }
}

/* False if the key is outside of the ranges. */
static bool pack(const rg_codes *codes, const int64_t *key, uint64_t *out)
{
    uint64_t code = 0;
    for (size_t k = 0; k < codes->width; k++) {
        uint64_t digit = (uint64_t)key[k] - (uint64_t)codes->low[k] + codes->none[k];
        if (key[k] == RG_NO_VALUE) {
            if (!codes->none[k])
                return false;
            digit = 0;
        } else if (key[k] < codes->low[k] || digit >= codes->size[k]) {
            return false;
        }
        code = code * codes->size[k] + digit;
    }
    *out = code;
    return true;
}

static void unpack(const rg_codes *codes, uint64_t code, int64_t *key)
{
    for (size_t k = codes->width; k-- > 0;) {
        uint64_t digit = code % codes->size[k];
        code /= codes->size[k];
        key[k] = codes->none[k] && digit == 0
                     ? RG_NO_VALUE
                     : (int64_t)((uint64_t)codes->low[k] + digit - codes->none[k]);
    }
}

static rg_status open_bitmap(rg_codes *codes, uint64_t n, rg_error *err)
{
    codes->n_words = (size_t)(n / 64 + 1);
    codes->bits = rg_alloc_zero(codes->n_words, sizeof *codes->bits);
    codes->below = rg_alloc(codes->n_words, sizeof *codes->below);
    return codes->bits && codes->below ? RG_OK : rg_fail_memory(err, what);
}

static rg_status open_tables(rg_codes *codes, unsigned n_workers, rg_error *err)
{
    bool sets = codes->way == RG_CODES_SET;
    codes->sets = rg_alloc_zero(n_workers, sizeof *codes->sets);
    codes->tables = rg_alloc_zero(n_workers, sizeof *codes->tables);
    codes->ids = rg_alloc_zero(n_workers, sizeof *codes->ids);
    if (!codes->sets || !codes->tables || !codes->ids)
        return rg_fail_memory(err, what);
    codes->n_tables = n_workers;
    for (unsigned k = 0; k < n_workers; k++) {
        if (sets)
            codes->sets[k] = rg_alloc_zero(1, sizeof *codes->sets[k]);
        else
            codes->tables[k] = rg_table_new();
        if (sets ? !codes->sets[k] || !rg_code_set_room(codes->sets[k], 1) : !codes->tables[k])
            return rg_fail_memory(err, what);
    }
    return RG_OK;
}

static rg_codes_way way_for(uint64_t n_codes)
{
    return n_codes == 0 ? RG_CODES_TABLE : n_codes <= BITMAP_MAX ? RG_CODES_BITMAP : RG_CODES_SET;
}

rg_status rg_codes_open(rg_codes *codes, const rg_world *world, unsigned n_workers, bool may_pack,
                        rg_error *err)
{
    memset(codes, 0, sizeof *codes);
    measure(codes, world);
    uint64_t n = may_pack ? count_codes(codes) : 0;
    codes->way = way_for(n);
    return codes->way == RG_CODES_BITMAP ? open_bitmap(codes, n, err)
                                         : open_tables(codes, n_workers, err);
}

void rg_codes_close(rg_codes *codes)
{
    for (size_t k = 0; k < codes->n_tables; k++) {
        rg_code_set_free(codes->sets[k]);
        rg_table_free(codes->tables[k]);
        rg_free(codes->ids[k]);
    }
    rg_free(codes->sets);
    rg_free(codes->tables);
    rg_free(codes->ids);
    rg_free((void *)codes->bits);
    rg_free(codes->below);
    rg_free(codes->id);
}

static bool has_bit(const rg_codes *codes, uint64_t code)
{
    return atomic_load_explicit(&codes->bits[code / 64], memory_order_relaxed) >> (code % 64) & 1;
}

uint32_t rg_codes_add(rg_codes *codes, unsigned worker, const int64_t *key)
{
    uint64_t code = 0;
    if (codes->way == RG_CODES_TABLE)
        return rg_table_add(codes->tables[worker], key, codes->width * sizeof *key);
    bool inside = pack(codes, key, &code);
    assert(inside); /* the ranges are wide enough */
    (void)inside;
    if (codes->way == RG_CODES_SET)
        return rg_code_set_add(codes->sets[worker], code);
    if (!has_bit(codes, code)) /* nearly always there: no need to write */
        atomic_fetch_or_explicit(&codes->bits[code / 64], UINT64_C(1) << (code % 64),
                                 memory_order_relaxed);
    return (uint32_t)code;
}

/* The number of bits below each word; all of them. */
static uint64_t count_bits(rg_codes *codes)
{
    uint64_t n = 0;
    for (size_t k = 0; k < codes->n_words; k++) {
        codes->below[k] = (uint32_t)n;
        n += (uint64_t)__builtin_popcountll(
            atomic_load_explicit(&codes->bits[k], memory_order_relaxed));
    }
    return n;
}

static uint32_t rank(const rg_codes *codes, uint64_t code)
{
    uint64_t word = atomic_load_explicit(&codes->bits[code / 64], memory_order_relaxed);
    uint64_t before = word & ((UINT64_C(1) << (code % 64)) - 1);
    return codes->below[code / 64] + (uint32_t)__builtin_popcountll(before);
}

static rg_status new_keys(rg_rule_keys **out, size_t n, size_t width, rg_error *err)
{
    size_t numbers, bytes;
    rg_rule_keys *keys = NULL;
    if (rg_size_mul(&numbers, n, width) && rg_size_mul(&bytes, numbers, sizeof *keys->values) &&
        rg_size_add(&bytes, bytes, sizeof *keys))
        keys = rg_alloc(bytes, 1);
    if (!keys)
        return rg_fail_memory(err, what);
    *keys = (rg_rule_keys){.n = n, .width = width};
    *out = keys;
    return RG_OK;
}

static rg_status number_bits(rg_rule_keys **out, rg_codes *codes, rg_error *err)
{
    rg_rule_keys *keys = NULL;
    rg_status status = new_keys(&keys, (size_t)count_bits(codes), codes->width, err);
    if (status)
        return status;
    int64_t *key = keys->values;
    for (size_t k = 0; k < codes->n_words; k++) {
        uint64_t word = atomic_load_explicit(&codes->bits[k], memory_order_relaxed);
        for (; word; word &= word - 1, key += codes->width)
            unpack(codes, k * 64 + (uint64_t)__builtin_ctzll(word), key);
    }
    *out = keys;
    return RG_OK;
}

/* A key of one of the tables. */
typedef struct table_key {
    const int64_t *key; /* followed in memory by nothing that matters */
    uint32_t width, table, number;
} table_key;

static int compare_keys(const int64_t *a, const int64_t *b, size_t width)
{
    for (size_t k = 0; k < width; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare_arrivals(const void *x, const void *y)
{
    const table_key *a = x, *b = y;
    return compare_keys(a->key, b->key, a->width);
}

/* All keys of all tables, sorted. */
static rg_status gather_arrivals(table_key **out, size_t *n, rg_codes *codes, rg_error *err)
{
    size_t used = 0;
    *n = 0;
    for (size_t t = 0; t < codes->n_tables; t++)
        *n += rg_table_size(codes->tables[t]);
    table_key *all = rg_alloc(*n, sizeof *all);
    rg_status status = all ? RG_OK : rg_fail_memory(err, what);
    for (size_t t = 0; !status && t < codes->n_tables; t++) {
        size_t size = rg_table_size(codes->tables[t]), bytes;
        codes->ids[t] = rg_alloc(size, sizeof *codes->ids[t]);
        if (!codes->ids[t])
            status = rg_fail_memory(err, what);
        for (size_t k = 0; !status && k < size; k++)
            all[used++] = (table_key){rg_table_key(codes->tables[t], (uint32_t)k, &bytes),
                                      (uint32_t)codes->width, (uint32_t)t, (uint32_t)k};
    }
    if (!status)
        qsort(all, *n, sizeof *all, compare_arrivals);
    *out = all;
    return status;
}

static rg_status number_tables(rg_rule_keys **out, rg_codes *codes, rg_error *err)
{
    size_t n = 0, n_keys = 0;
    rg_rule_keys *keys = NULL;
    table_key *all = NULL;
    rg_status status = gather_arrivals(&all, &n, codes, err);
    for (size_t k = 0; !status && k < n; k++)
        n_keys += k == 0 || compare_arrivals(&all[k - 1], &all[k]) != 0;
    if (!status)
        status = n_keys < RG_NO_WEIGHT
                     ? new_keys(&keys, n_keys, codes->width, err)
                     : rg_fail(err, RG_EFAIL, "rule: found 2^32-1 or more keys, expected fewer");
    n_keys = 0;
    for (size_t k = 0; !status && k < n; k++) {
        if (k == 0 || compare_arrivals(&all[k - 1], &all[k]) != 0)
            memcpy(keys->values + codes->width * n_keys++, all[k].key,
                   codes->width * sizeof *all[k].key);
        codes->ids[all[k].table][all[k].number] = (uint32_t)(n_keys - 1);
    }
    if (!status)
        *out = keys;
    rg_free(all);
    return status;
}

/* ---- sets */

/* Codes of all sets, as they stand; *most: the largest. */
static size_t gather_codes(rg_code_arrival *out, const rg_codes *codes, uint64_t *most)
{
    size_t n = 0;
    *most = 0;
    for (size_t t = 0; t < codes->n_tables; t++)
        for (size_t k = 0; k < codes->sets[t]->n_slots; k++) {
            const rg_code_slot *slot = &codes->sets[t]->slots[k];
            if (slot->number == RG_NO_CODE)
                continue;
            out[n++] = (rg_code_arrival){slot->code, (uint32_t)t, slot->number};
            *most = slot->code > *most ? slot->code : *most;
        }
    return n;
}

static rg_status number_sorted(rg_rule_keys **out, rg_codes *codes, const rg_code_arrival *all,
                               size_t n, rg_error *err)
{
    rg_rule_keys *keys = NULL;
    size_t n_keys = 0;
    for (size_t k = 0; k < n; k++)
        n_keys += k == 0 || all[k - 1].code != all[k].code;
    rg_status status =
        n_keys < RG_NO_WEIGHT
            ? new_keys(&keys, n_keys, codes->width, err)
            : rg_fail(err, RG_EFAIL, "rule: found 2^32-1 or more keys, expected fewer");
    n_keys = 0;
    for (size_t k = 0; !status && k < n; k++) {
        if (k == 0 || all[k - 1].code != all[k].code)
            unpack(codes, all[k].code, keys->values + codes->width * n_keys++);
        codes->ids[all[k].set][all[k].number] = (uint32_t)(n_keys - 1);
    }
    if (!status)
        *out = keys;
    return status;
}

static rg_status number_sets(rg_rule_keys **out, rg_codes *codes, rg_error *err)
{
    size_t n = 0;
    uint64_t most;
    rg_status status = RG_OK;
    for (size_t t = 0; t < codes->n_tables; t++)
        n += codes->sets[t]->n;
    rg_code_arrival *all = rg_alloc(n, sizeof *all), *spare = rg_alloc(n, sizeof *spare);
    if (!all || !spare)
        status = rg_fail_memory(err, what);
    for (size_t t = 0; !status && t < codes->n_tables; t++) {
        codes->ids[t] = rg_alloc(codes->sets[t]->n, sizeof *codes->ids[t]);
        if (!codes->ids[t])
            status = rg_fail_memory(err, what);
    }
    if (!status) {
        gather_codes(all, codes, &most);
        status = number_sorted(out, codes, rg_code_sort(all, spare, n, most), n, err);
    }
    rg_free(all);
    rg_free(spare);
    return status;
}

rg_status rg_codes_number(rg_rule_keys **out, rg_codes *codes, rg_error *err)
{
    return codes->way == RG_CODES_BITMAP ? number_bits(out, codes, err)
           : codes->way == RG_CODES_SET  ? number_sets(out, codes, err)
                                         : number_tables(out, codes, err);
}

uint32_t rg_codes_weight(const rg_codes *codes, unsigned worker, uint32_t code)
{
    return codes->way == RG_CODES_BITMAP ? rank(codes, code) : codes->ids[worker][code];
}

/* ---- known keys */

static void index_free(rg_key_index *index)
{
    if (index)
        rg_free(index->set.slots);
    rg_free(index);
}

/* Ranges of the keys themselves. */
static void measure_keys(rg_codes *codes, const rg_rule_keys *keys)
{
    codes->width = keys->width;
    for (size_t k = 0; k < keys->width; k++) {
        int64_t low = INT64_MAX, high = INT64_MIN;
        bool none = false;
        for (size_t i = 0; i < keys->n; i++) {
            int64_t value = keys->values[i * keys->width + k];
            none |= value == RG_NO_VALUE;
            low = value != RG_NO_VALUE && value < low ? value : low;
            high = value != RG_NO_VALUE && value > high ? value : high;
        }
        codes->low[k] = low;
        codes->none[k] = none;
        codes->size[k] = range_size(low, high, none);
    }
}

/* Made once for all who look keys up, by whoever comes first. NULL in *out: they cannot be packed. */
static rg_status index_of(const rg_key_index **out, const rg_rule_keys *keys, rg_error *err)
{
    rg_key_index *_Atomic *place = &((rg_rule_keys *)(uintptr_t)keys)->index;
    rg_key_index *index = atomic_load(place), *other = NULL;
    *out = index;
    if (index)
        return RG_OK;
    index = rg_alloc_zero(1, sizeof *index);
    if (!index)
        return rg_fail_memory(err, what);
    measure_keys(&index->codes, keys);
    if (count_codes(&index->codes) == 0) {
        index_free(index);
        return RG_OK;
    }
    bool fits = rg_code_set_room(&index->set, keys->n + 1);
    for (size_t k = 0; fits && k < keys->n; k++) {
        uint64_t code = 0;
        pack(&index->codes, keys->values + k * keys->width, &code);
        fits = rg_code_set_add(&index->set, code) == k;
    }
    if (!fits) {
        index_free(index);
        return rg_fail_memory(err, what);
    }
    if (!atomic_compare_exchange_strong(place, &other, index)) {
        index_free(index);
        index = other;
    }
    *out = index;
    return RG_OK;
}

/* Keys that these graphs cannot have are left out. */
static rg_status fill_bitmap(rg_codes *codes, const rg_rule_keys *keys, rg_error *err)
{
    size_t n = 0;
    codes->id = rg_alloc(keys->n, sizeof *codes->id);
    if (!codes->id)
        return rg_fail_memory(err, what);
    for (size_t k = 0; k < keys->n; k++) {
        uint64_t code = 0;
        if (!pack(codes, keys->values + k * keys->width, &code))
            continue;
        codes->bits[code / 64] |= UINT64_C(1) << (code % 64);
        codes->id[n++] = (uint32_t)k;
    }
    count_bits(codes);
    return RG_OK;
}

static rg_status fill_table(rg_codes *codes, const rg_rule_keys *keys, rg_error *err)
{
    for (size_t k = 0; k < keys->n; k++)
        if (rg_table_add(codes->tables[0], keys->values + k * keys->width,
                         keys->width * sizeof *keys->values) == RG_TABLE_NONE)
            return rg_fail_memory(err, what);
    return RG_OK;
}

rg_status rg_codes_open_known(rg_codes *codes, const rg_world *world, const rg_rule_keys *keys,
                              bool may_pack, rg_error *err)
{
    enum { STEPS = 16 }; /* that a search takes, more or less */
    memset(codes, 0, sizeof *codes);
    measure(codes, world);
    uint64_t n = may_pack ? count_codes(codes) : 0;
    codes->known = keys;
    codes->way = way_for(n);
    if (may_pack && world->n_pairs < keys->n / STEPS) {
        codes->way = RG_CODES_SEARCH;
        return RG_OK;
    }
    if (codes->way == RG_CODES_BITMAP) {
        rg_status status = open_bitmap(codes, n, err);
        return status ? status : fill_bitmap(codes, keys, err);
    }
    if (may_pack) {
        rg_status status = index_of(&codes->index, keys, err);
        codes->way = codes->index ? RG_CODES_SET : RG_CODES_TABLE;
        if (status || codes->index)
            return status;
    }
    rg_status status = open_tables(codes, 1, err);
    return status ? status : fill_table(codes, keys, err);
}

static uint32_t search(const rg_rule_keys *keys, const int64_t *key)
{
    size_t low = 0, high = keys->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_keys(keys->values + middle * keys->width, key, keys->width);
        if (order == 0)
            return (uint32_t)middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return RG_NO_CODE;
}

uint32_t rg_codes_find(const rg_codes *codes, const int64_t *key)
{
    uint64_t code = 0;
    switch (codes->way) {
    case RG_CODES_SEARCH:
        return search(codes->known, key);
    case RG_CODES_TABLE:
        return rg_table_find(codes->tables[0], key, codes->width * sizeof *key);
    case RG_CODES_SET:
        if (!pack(&codes->index->codes, key, &code))
            return RG_NO_CODE;
        return rg_code_set_find(&codes->index->set, code);
    case RG_CODES_BITMAP:
        break;
    }
    bool inside = pack(codes, key, &code);
    return inside && has_bit(codes, code) ? codes->id[rank(codes, code)] : RG_NO_CODE;
}

rg_status rg_rule_keys_new(rg_rule_keys **out, const int64_t *values, size_t n, size_t width,
                           rg_error *err)
{
    if (width == 0 || width > RG_RULE_KEYS_MAX || n >= RG_NO_WEIGHT)
        return rg_fail(err, RG_EDATA,
                       "rule: found %zu keys of %zu numbers, expected fewer than 2^32-1 of 1..%d",
                       n, width, RG_RULE_KEYS_MAX);
    for (size_t k = 1; k < n; k++)
        if (compare_keys(values + (k - 1) * width, values + k * width, width) >= 0)
            return rg_fail(err, RG_EDATA, "rule: key %zu is not above key %zu", k, k - 1);
    rg_rule_keys *keys = NULL;
    rg_status status = new_keys(&keys, n, width, err);
    if (status)
        return status;
    if (n)
        memcpy(keys->values, values, n * width * sizeof *values);
    *out = keys;
    return RG_OK;
}

void rg_rule_keys_free(rg_rule_keys *keys)
{
    if (keys)
        index_free(keys->index);
    if (keys)
        rg_free(keys->edges);
    rg_free(keys);
}

const double *rg_rule_keys_edges(const rg_rule_keys *keys, size_t *n)
{
    *n = keys->n_edges;
    return keys->edges;
}

rg_status rg_rule_keys_set_edges(rg_rule_keys *keys, const double *edges, size_t n, rg_error *err)
{
    for (size_t k = 0; k < n; k++)
        if (!isfinite(edges[k]))
            return rg_fail(err, RG_EDATA, "rule: edge %zu of the bins is not finite", k);
    double *own = n ? rg_alloc(n, sizeof *own) : NULL;
    if (n && !own)
        return rg_fail_memory(err, what);
    if (n)
        memcpy(own, edges, n * sizeof *own);
    rg_free(keys->edges);
    keys->edges = own;
    keys->n_edges = n;
    return RG_OK;
}

size_t rg_rule_keys_size(const rg_rule_keys *keys)
{
    return keys->n;
}

size_t rg_rule_keys_width(const rg_rule_keys *keys)
{
    return keys->width;
}

const int64_t *rg_rule_keys_data(const rg_rule_keys *keys)
{
    return keys->values;
}
