/* codes.h - from keys to numbers of weights.
 *
 * The number of a weight is the place of its key among all keys, in ascending order. Two ways lead
 * there. If the ranges of the parts of a key allow few enough keys, a key is packed into one number
 * (its code) that ascends as keys do; a bitmap notes the codes that occur, and counting the bits
 * below one gives its place. Otherwise a table per worker numbers keys as they come, and the tables
 * are sorted together at the end. Both are exact. */
#ifndef REGULA_RULE_CODES_H
#define REGULA_RULE_CODES_H

#include "world.h"

#include <stdatomic.h>

typedef struct rg_table rg_table;

#define RG_NO_CODE UINT32_MAX

/* n keys of `width` numbers, ascending. */
struct rg_rule_keys {
    size_t n, width;
    double *edges; /* of bins; owned, may be NULL */
    size_t n_edges;
    int64_t values[];
};

typedef struct rg_codes {
    size_t width;
    bool packed;
    int64_t low[RG_RULE_KEYS_MAX];
    uint64_t size[RG_RULE_KEYS_MAX]; /* values of a part, no value among them if none[] */
    bool none[RG_RULE_KEYS_MAX];

    _Atomic uint64_t *bits; /* packed: codes that occur */
    size_t n_words;
    uint32_t *below; /* bits before each word */
    uint32_t *id;    /* apply: weight of the n-th bit */

    rg_table **tables; /* otherwise: one per worker; apply: one for all */
    size_t n_tables;
    uint32_t **ids; /* of the numbers of each table */
} rg_codes;

/* For keys that occur. may_pack false: the table even if packing were possible (tests compare both
 * ways). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_codes_open(rg_codes *codes, const rg_world *world, unsigned n_workers,
                                      bool may_pack, rg_error *err);
/* For keys that are known: rg_codes_find gives weights at once. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_codes_open_known(rg_codes *codes, const rg_world *world,
                                            const rg_rule_keys *keys, bool may_pack, rg_error *err);
void rg_codes_close(rg_codes *codes); /* also after a failure to open */

/* Notes a key. RG_NO_CODE if memory is short. */
uint32_t rg_codes_add(rg_codes *codes, unsigned worker, const int64_t *key);
/* The weight of a known key, or RG_NO_CODE. */
uint32_t rg_codes_find(const rg_codes *codes, const int64_t *key);

/* When all keys are noted: numbers them. out: owned. RG_EFAIL (2^32-1 or more), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_codes_number(rg_rule_keys **out, rg_codes *codes, rg_error *err);
/* From what rg_codes_add gave this worker to the weight. */
uint32_t rg_codes_weight(const rg_codes *codes, unsigned worker, uint32_t code);

#endif
