/* features.h - the input of all nodes of a data set, as batches take it.
 *
 * Channels stand side by side in the order of the network's input: one-hot parts, of which a node has
 * a one in at most one channel each, and numbers. No matrix is made of what is one-hot: the one in
 * channel c picks row c of the weights of a dense layer. */
#ifndef REGULA_BATCH_FEATURES_H
#define REGULA_BATCH_FEATURES_H

#include "regula/dataset.h"

#include <stdint.h>

#define RG_NO_COLUMN UINT32_MAX

/* Numbers that lie side by side, in the channels of the input too. */
typedef struct rg_band {
    uint32_t from;    /* first of them among the numbers of a node */
    uint32_t channel; /* first channel */
    uint32_t n;
} rg_band;

/* Never changes once it is built; any thread may read it. Arrays are its own; a node is a number
 * inside the set. */
typedef struct rg_features {
    uint64_t n_nodes;
    uint32_t width;   /* channels */
    uint32_t n_hot;   /* one-hot parts */
    uint32_t n_dense; /* numbers of a node */
    uint32_t *hot;    /* [node][n_hot]: the channel of the one, or RG_NO_COLUMN: none */
    double *dense;    /* [node][n_dense] */
    rg_band *bands;   /* where the numbers belong */
    size_t n_bands;
} rg_features;

void rg_features_free(rg_features *features);            /* NULL is fine */
uint64_t rg_features_bytes(const rg_features *features); /* of the arrays */

#endif
