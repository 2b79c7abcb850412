/* gram.h - the value of a kernel for every pair of graphs. */
#ifndef REGULA_KERNEL_GRAM_H
#define REGULA_KERNEL_GRAM_H

#include "counts.h"

/* Symmetric, [n][stride] with zeros behind column n, each row at the start of a line of the cache.
 * Ends with rg_gram_free. */
typedef struct rg_gram {
    float *values;
    size_t n, stride; /* stride: rg_svm_padded(n) */
    void *block;
} rg_gram;

/* With x_f the count of feature f in graph x, over all features of all layers: */
typedef enum rg_gram_kind {
    RG_GRAM_PRODUCT, /* sum of x_f y_f */
    RG_GRAM_MINIMUM, /* sum of min(x_f, y_f) */
    RG_GRAM_DISTANCE /* sum of (x_f - y_f)^2 */
} rg_gram_kind;

typedef struct rg_gram_options {
    rg_gram_kind kind;
    bool normalise; /* K(x, y) / sqrt(K(x, x) K(y, y)), 0 where that is 0 / 0; not for distances */
    unsigned n_threads;
    uint64_t memory;  /* bytes that it may take; 0: any */
    const char *name; /* of the set, for messages */
} rg_gram_options;

/* Sums are in double precision, by layers and features in ascending order, and exact below 2^53:
 * the bits are the same for any number of threads. out: untouched on failure. Cost: for every
 * feature the pairs of graphs that have it. RG_EFAIL (over the memory), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_gram_new(rg_gram *out, rg_counts *const *layers, size_t n_layers,
                                    const rg_gram_options *options, rg_error *err);
/* Room for one, not cleared. */
RG_MUST_CHECK rg_status rg_gram_alloc(rg_gram *out, size_t n, rg_error *err);
void rg_gram_free(rg_gram *gram); /* what it owns; also if that is nothing */
/* Bytes of one for n graphs; UINT64_MAX: more than there can be. */
uint64_t rg_gram_bytes(size_t n);

#endif
