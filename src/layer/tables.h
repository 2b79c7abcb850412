/* tables.h - the connection tables of rules on some samples, as layers read them.
 *
 * network/block.c builds them; see network/samples.h for which samples have theirs for good. */
#ifndef REGULA_LAYER_TABLES_H
#define REGULA_LAYER_TABLES_H

#include "layer.h"

/* The connections of one rule in a block: as they were compiled, or merged with an input that never
 * changes. Merged, the entries of a row with the same weight are one with the sum of their inputs,
 * ascending by weight; sums are taken in ascending order of inputs, so that they do not depend on
 * the order of nodes. If it is the only rule of its layer, rows that are equal are kept once. */
typedef struct rg_wiring {
    rg_connections *connections; /* of one sample: the same for all of the block */
    bool borrowed;               /* they belong to another block */
    uint64_t *start;             /* merged: n + 1, first entry of every sample */
    uint64_t *first; /* n + 1, first row of every sample: it has one more row than outputs */
    uint32_t *row, *id;
    void *value;              /* reals */
    uint32_t *same;           /* [node]: which of the rows it has; NULL: each its own */
    uint64_t *first_node;     /* with `same`: n + 1, first node of every sample */
    uint32_t outputs, stride; /* of a row, as rg_links */
    uint32_t *bias; /* with `same`, at the places of `row`: the bias of each row, or NULL */
    /* Of the first rule of a layer that normalises: factors of the rows of its output and of its input,
     * [row of the block] reals; by_col NULL: all are 1. */
    void *by_row, *by_col;
} rg_wiring;

/* Tables of n samples. */
typedef struct rg_table_block {
    size_t n;
    rg_precision precision;
    uint64_t *first;      /* n + 1: nodes (or values of arrays) before each */
    void *input;          /* [node][channels] reals; NULL: it stands in the tables, or is sparse: */
    uint64_t *sparse_row; /* first entry of every node, and the end; NULL: not sparse */
    uint32_t *sparse_col;
    void *sparse_value; /* reals */
    rg_wiring *wiring;  /* [layer][RG_SPEC_RULES_MAX + 1], the last one the bias */
    size_t n_wiring;
    uint64_t bytes;
} rg_table_block;

/* The links of rule r of a layer, without a bias. O(1). */
void rg_block_links(rg_links *out, const rg_table_block *block, size_t layer, size_t rule,
                    size_t place);
/* The weight of entry k of the links for output o of its row, and how many outputs a row has. */
static inline uint32_t rg_links_weight(const rg_links *links, size_t k, uint32_t o)
{
    return links->id[k] + o * links->stride;
}
static inline uint32_t rg_links_outputs(const rg_links *links)
{
    return links->outputs > 1 ? links->outputs : 1;
}
/* Numbers of the biases of the rows, or NULL. O(1). */
const uint32_t *rg_block_bias(const rg_table_block *block, size_t layer, size_t place);
/* If equal rows are kept once: which of the rows each node has; else NULL. O(1). */
const uint32_t *rg_block_same(const rg_table_block *block, size_t layer, size_t place);

/* Factors of the rows of a layer that normalises, by output or input; NULL: all are 1. O(1). */
const void *rg_block_factors(const rg_table_block *block, size_t layer, size_t place, bool input);

/* One sample as a pass needs it. Borrowed: valid until the walk goes on. */
typedef struct rg_sample {
    size_t number;
    uint64_t first_row; /* rows of the samples before it in the data, whatever the list is */
    uint32_t n_nodes, n_rows;
    const rg_table_block *block;
    size_t place;
    const void *input; /* [row][channel] reals, or NULL */
} rg_sample;

#endif
