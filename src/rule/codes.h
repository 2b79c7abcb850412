/* codes.h - from keys to numbers of weights.
 *
 * The number of a weight is the place of its key among all keys, in ascending order. Where the ranges
 * of the parts of a key allow it, a key is packed into one number (its code) that ascends as keys do:
 *   few codes     a bitmap notes those that occur, and counting the bits below one gives its place
 *   many codes    a set of codes per worker numbers them as they come; all are sorted by their digits
 *                 at the end
 *   else          the same with a table of whole keys per worker
 *   few lookups   known keys are searched where they stand: making anything of them would take longer
 * All are exact, and take time in proportion to keys and connections. */
#ifndef REGULA_RULE_CODES_H
#define REGULA_RULE_CODES_H

#include "world.h"

#include <stdatomic.h>

typedef struct rg_table rg_table;
typedef struct rg_code_set rg_code_set; /* of codes, with a number each */
typedef struct rg_key_index rg_key_index;

#define RG_NO_CODE UINT32_MAX

/* n keys of `width` numbers, ascending. */
struct rg_rule_keys {
    size_t n, width;
    double *edges; /* of bins; owned, may be NULL */
    size_t n_edges;
    rg_key_index *_Atomic index; /* to look keys up; owned, NULL until somebody does */
    int64_t values[];
};

typedef enum rg_codes_way {
    RG_CODES_BITMAP,
    RG_CODES_SET,
    RG_CODES_TABLE,
    RG_CODES_SEARCH
} rg_codes_way;

typedef struct rg_codes {
    size_t width;
    rg_codes_way way;
    const rg_rule_keys *known; /* apply: borrowed */
    int64_t low[RG_RULE_KEYS_MAX];
    uint64_t size[RG_RULE_KEYS_MAX]; /* values of a part, no value among them if none[] */
    bool none[RG_RULE_KEYS_MAX];

    _Atomic uint64_t *bits; /* BITMAP: codes that occur */
    size_t n_words;
    uint32_t *below; /* bits before each word */
    uint32_t *id;    /* apply: weight of the n-th bit */

    rg_code_set **sets;        /* SET: one per worker; apply: one for all */
    rg_table **tables;         /* TABLE: the same */
    const rg_key_index *index; /* SET, apply: of the known keys */
    size_t n_tables;           /* sets or tables */
    uint32_t **ids;            /* of the numbers of each */
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
