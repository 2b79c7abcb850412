/* codes.c - see codes.h. */
#include "codes.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/table.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PACKED_MAX ((uint64_t)1 << 28) /* codes: a bitmap of 32 MiB, and half as much beside it */

static const char what[] = "the keys of a rule";

/* Ranges of the parts; codes there are, or 0 if there are too many to pack. */
static uint64_t measure(rg_codes *codes, const rg_world *world)
{
    uint64_t n = 1;
    codes->width = world->rule->info.n_keys;
    for (size_t k = 0; k < codes->width; k++) {
        rg_interval r = rg_world_range(world, world->rule->keys[k]);
        uint64_t size = r.low > r.high ? 0 : (uint64_t)r.high - (uint64_t)r.low + 1;
        if (r.low <= r.high && (size == 0 || size > PACKED_MAX))
            return 0;
        codes->low[k] = r.low;
        codes->none[k] = r.none;
        size += r.none;
        codes->size[k] = size ? size : 1; /* 0: nothing has this key */
        n *= codes->size[k];
        if (n > PACKED_MAX)
            return 0;
    }
    return n;
}

/* False if the key is outside of the ranges. */
static bool pack(const rg_codes *codes, const int64_t *key, uint32_t *out)
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
    *out = (uint32_t)code;
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

rg_status rg_codes_open(rg_codes *codes, const rg_world *world, unsigned n_workers, bool may_pack,
                        rg_error *err)
{
    memset(codes, 0, sizeof *codes);
    uint64_t n = measure(codes, world);
    codes->packed = may_pack && n > 0;
    if (codes->packed) {
        codes->n_words = (size_t)(n / 64 + 1);
        codes->bits = rg_alloc_zero(codes->n_words, sizeof *codes->bits);
        codes->below = rg_alloc(codes->n_words, sizeof *codes->below);
        return codes->bits && codes->below ? RG_OK : rg_fail_memory(err, what);
    }
    codes->tables = rg_alloc_zero(n_workers, sizeof *codes->tables);
    codes->ids = rg_alloc_zero(n_workers, sizeof *codes->ids);
    if (!codes->tables || !codes->ids)
        return rg_fail_memory(err, what);
    codes->n_tables = n_workers;
    for (unsigned k = 0; k < n_workers; k++) {
        codes->tables[k] = rg_table_new();
        if (!codes->tables[k])
            return rg_fail_memory(err, what);
    }
    return RG_OK;
}

void rg_codes_close(rg_codes *codes)
{
    for (size_t k = 0; k < codes->n_tables; k++) {
        rg_table_free(codes->tables[k]);
        rg_free(codes->ids[k]);
    }
    rg_free(codes->tables);
    rg_free(codes->ids);
    rg_free((void *)codes->bits);
    rg_free(codes->below);
    rg_free(codes->id);
}

static bool has_bit(const rg_codes *codes, uint32_t code)
{
    return atomic_load_explicit(&codes->bits[code / 64], memory_order_relaxed) >> (code % 64) & 1;
}

uint32_t rg_codes_add(rg_codes *codes, unsigned worker, const int64_t *key)
{
    uint32_t code = 0;
    if (!codes->packed)
        return rg_table_add(codes->tables[worker], key, codes->width * sizeof *key);
    bool inside = pack(codes, key, &code);
    assert(inside); /* the ranges are wide enough */
    (void)inside;
    if (!has_bit(codes, code)) /* nearly always there: no need to write */
        atomic_fetch_or_explicit(&codes->bits[code / 64], UINT64_C(1) << (code % 64),
                                 memory_order_relaxed);
    return code;
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

static uint32_t rank(const rg_codes *codes, uint32_t code)
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

static rg_status number_packed(rg_rule_keys **out, rg_codes *codes, rg_error *err)
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

rg_status rg_codes_number(rg_rule_keys **out, rg_codes *codes, rg_error *err)
{
    return codes->packed ? number_packed(out, codes, err) : number_tables(out, codes, err);
}

uint32_t rg_codes_weight(const rg_codes *codes, unsigned worker, uint32_t code)
{
    return codes->packed ? rank(codes, code) : codes->ids[worker][code];
}

rg_status rg_codes_open_known(rg_codes *codes, const rg_world *world, const rg_rule_keys *keys,
                              bool may_pack, rg_error *err)
{
    rg_status status = rg_codes_open(codes, world, 1, may_pack, err);
    if (status)
        return status;
    size_t n = 0;
    if (codes->packed) {
        codes->id = rg_alloc(keys->n, sizeof *codes->id);
        if (!codes->id)
            return rg_fail_memory(err, what);
    }
    for (size_t k = 0; k < keys->n; k++) {
        const int64_t *key = keys->values + k * keys->width;
        uint32_t code = 0;
        if (codes->packed) { /* keys that these graphs cannot have are left out */
            if (!pack(codes, key, &code))
                continue;
            codes->bits[code / 64] |= UINT64_C(1) << (code % 64);
            codes->id[n++] = (uint32_t)k;
        } else if (rg_table_add(codes->tables[0], key, keys->width * sizeof *key) ==
                   RG_TABLE_NONE) {
            return rg_fail_memory(err, what);
        }
    }
    if (codes->packed)
        count_bits(codes);
    return RG_OK;
}

uint32_t rg_codes_find(const rg_codes *codes, const int64_t *key)
{
    uint32_t code = 0;
    if (!codes->packed)
        return rg_table_find(codes->tables[0], key, codes->width * sizeof *key);
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
