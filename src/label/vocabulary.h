/* vocabulary.h - which keys occurred, and the number of each.
 *
 * A key is a sequence of 32-bit words. Numbers go by frequency, ties by the words in order, so they
 * depend on which keys occurred how often and on nothing else. */
#ifndef REGULA_LABEL_VOCABULARY_H
#define REGULA_LABEL_VOCABULARY_H

#include "regula/base.h"

#include <stdbool.h>

#define RG_UNSEEN UINT32_MAX

typedef struct rg_vocabulary rg_vocabulary;

/* The keys of all nodes of a set: key k is words[start[k]] .. words[start[k+1] - 1]. */
typedef struct rg_keys {
    const uint32_t *words;
    const uint64_t *start; /* n + 1 */
    size_t n;
    const bool *selected; /* keys that the vocabulary is made from; NULL: all */
} rg_keys;

/* Collects the selected keys. numbers, if not NULL: number of every key, selected or not, RG_UNSEEN
 * if it is not among the selected. out: owned (rg_vocabulary_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_vocabulary_build(rg_vocabulary **out, uint32_t *numbers,
                                            const rg_keys *keys, rg_error *err);
void rg_vocabulary_free(rg_vocabulary *vocabulary);

/* The number of every key; RG_UNSEEN if it never occurred. */
void rg_vocabulary_apply(const rg_vocabulary *vocabulary, uint32_t *numbers, const rg_keys *keys);

size_t rg_vocabulary_size(const rg_vocabulary *vocabulary);
uint64_t rg_vocabulary_count(const rg_vocabulary *vocabulary, uint32_t number);
/* Borrowed. */
const uint32_t *rg_vocabulary_key(const rg_vocabulary *vocabulary, uint32_t number, size_t *n);

/* Puts one together again from stored parts: keys in the order of their numbers. RG_EDATA if counts
 * do not descend or keys do not ascend among equals, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_vocabulary_restore(rg_vocabulary **out, const rg_keys *keys,
                                              const uint64_t *counts, rg_error *err);

#endif
