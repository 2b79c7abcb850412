/* batch.h - some graphs as one: the rows of their nodes below each other.
 *
 * A batch has room for the largest one that will be asked for, taken once; filling it allocates
 * nothing. Nodes are in the order of the list, and inside a graph in that of the data set. */
#ifndef REGULA_BASELINE_BATCH_H
#define REGULA_BASELINE_BATCH_H

#include "layer/kernels.h"
#include "regula/dataset.h"

#include <stdbool.h>

typedef struct rg_batch {
    uint32_t n_graphs, n_nodes;
    uint32_t *sample; /* [graph]: its number in the set */
    uint32_t *first;  /* [graph + 1]: row of its first node */
    uint64_t *node;   /* [graph]: number of its first node in the set */
    uint32_t *row;    /* [node + 1]: arcs before each */
    uint32_t *col;    /* [arc]: row of the neighbour */
    void *inverse;    /* [node]: 1 / (degree + 1), reals */
    void *root;       /* [node]: 1 / sqrt(degree + 1) */
    void *near;       /* [node]: 1 / degree, 0 without neighbours */
    void *block;      /* all of it */
} rg_batch;

/* Most graphs, nodes and arcs of a batch. */
typedef struct rg_batch_size {
    uint32_t graphs;
    uint64_t nodes, arcs;
} rg_batch_size;

/* Room for any `graphs` graphs of the list: the sum of the largest ones. O(n log n). RG_EDATA (more
 * nodes or arcs than 32 bits count), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_batch_measure(rg_batch_size *out, const rg_dataset *data,
                                         const uint32_t *list, size_t n, uint32_t graphs,
                                         rg_error *err);
/* Begins as {0}. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_batch_open(rg_batch *batch, const rg_batch_size *size,
                                      rg_precision precision, rg_error *err);
void rg_batch_close(rg_batch *batch);
/* The graphs list[0 .. n-1]; they must fit. O(nodes + arcs). */
void rg_batch_fill(rg_batch *batch, const rg_dataset *data, rg_precision precision,
                   const uint32_t *list, uint32_t n);

#endif
