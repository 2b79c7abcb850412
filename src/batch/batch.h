/* batch.h - some graphs as one: rows of numbers for their nodes.
 *
 * What a network makes of nodes is the same for all that are of one colour (colours.h), so there is
 * one row for all nodes of a colour that the batch has, round by round; in RG_EACH every node has
 * its own. A batch has room for the largest one that will be asked for, taken once; filling it
 * allocates nothing. Nodes are in the order of the list, and inside a graph in that of the data
 * set. */
#ifndef REGULA_BATCH_BATCH_H
#define REGULA_BATCH_BATCH_H

#include "colours.h"
#include "math/kernels.h"

/* Rows of one round, and what an aggregation makes them of: rows of the round before (of RG_EACH:
 * RG_EACH). The order of a row's entries depends on colours alone, so sums do not on the batch. */
typedef struct rg_rows {
    uint32_t n;
    uint32_t *of;     /* [node]: its row */
    uint32_t *node;   /* [row]: the first node that it stands for */
    uint32_t *count;  /* [row]: how many nodes */
    uint32_t *colour; /* [row] */
    uint32_t *place;  /* [colour of the set]: row, if colour[row] is this one */
    uint32_t *own;    /* [row]: the same nodes before; not in round 0 */
    uint32_t *first;  /* [row + 1]: entries before each */
    uint32_t *col;    /* [entry]: row of neighbours before */
    void *times;      /* [entry]: how many neighbours, reals */
    void *inverse;    /* [row]: 1 / (degree + 1), reals */
    void *root;       /* [row]: 1 / sqrt(degree + 1) */
    void *near;       /* [row]: 1 / degree, 0 without neighbours */
} rg_rows;

typedef struct rg_batch {
    uint32_t n_graphs, n_nodes;
    uint32_t *sample; /* [graph]: its number in the set */
    uint32_t *first;  /* [graph + 1]: its first node */
    uint64_t *node;   /* [graph]: number of its first node in the set */
    uint64_t *id;     /* [node]: number in the set */
    rg_rows rows[RG_N_LEVELS];
    const rg_colouring *colouring; /* borrowed */
    rg_precision precision;        /* of reals */
    void *block;                   /* all of it */
} rg_batch;

/* Most graphs, nodes and arcs of a batch. */
typedef struct rg_batch_size {
    uint32_t graphs;
    uint64_t nodes, arcs;
} rg_batch_size;

/* Room for any `graphs` graphs of the list (NULL: of all n): the sum of the largest ones. O(n log n). RG_EDATA (more
 * nodes or arcs than 32 bits count), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_batch_measure(rg_batch_size *out, const rg_dataset *data,
                                         const uint32_t *list, size_t n, uint32_t graphs,
                                         rg_error *err);
/* Begins as {0}. colouring: kept; NULL: rows of RG_EACH alone. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_batch_open(rg_batch *batch, const rg_batch_size *size,
                                      const rg_colouring *colouring, rg_precision precision,
                                      rg_error *err);
void rg_batch_close(rg_batch *batch);
/* The graphs list[0 .. n-1] of the set that the colours are of; they must fit. O(rounds nodes +
 * arcs). */
void rg_batch_fill(rg_batch *batch, const rg_dataset *data, const uint32_t *list, uint32_t n);

#endif
