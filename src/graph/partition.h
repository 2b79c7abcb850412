/* partition.h - the nodes of two graphs in cells, refined together.
 *
 * A cell holds nodes that could still correspond to each other; as many of the first graph as of
 * the second, or no isomorphism respects the partition. Both graphs are refined as one, by exact
 * counts of arcs into a cell, so that cells need no names that both agree on, and nothing is
 * hashed. Splits are kept on a trail and can be taken back. */
#ifndef REGULA_GRAPH_PARTITION_H
#define REGULA_GRAPH_PARTITION_H

#include "invariant.h"

typedef struct rg_partition {
    rg_coloured side[2];
    uint32_t n; /* nodes of each graph; those of the second are n .. 2n-1 here */

    /* A cell is named by its first place: order[c] .. order[c + length[c] - 1]. */
    uint32_t *order;  /* nodes, cell after cell */
    uint32_t *place;  /* of each node in order */
    uint32_t *cell;   /* of each node */
    uint32_t *length; /* of each cell */

    uint32_t (*trail)[2]; /* splits, oldest first: the new cell and the one it was cut from */
    size_t n_trail;

    uint32_t *queue; /* cells that may split others: a ring of 2n */
    uint32_t queue_head, n_queue;
    uint8_t *queued; /* by cell */

    uint32_t *count;           /* by node: arcs from the cell at work; 0 between calls */
    uint32_t *touched, *cells; /* nodes with a count, and their cells */
    uint32_t *marked;          /* by cell: touched nodes; 0 between calls */
    uint64_t *keys, *spare;    /* for sorting: 4n or both graphs' arcs, whichever is more */

    uint64_t followed, budget; /* arcs so far; refinement stops past the budget */
    void *block;
    size_t node_capacity, key_capacity;
} rg_partition;

typedef enum rg_refined {
    RG_STABLE,    /* nodes of a cell have the same number of arcs of each colour into each cell */
    RG_UNEVEN,    /* some cell has more nodes of one graph: no isomorphism */
    RG_OVERSPENT, /* past the budget */
} rg_refined;

void rg_partition_free(rg_partition *p); /* the arrays, not the struct; leaves it empty */

/* Starts: one cell per node colour. The graphs have as many nodes (at least one) and arcs as each
 * other. p: {0} or used before; grows to the largest pair. *state: RG_STABLE (not yet refined) or
 * RG_UNEVEN. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_partition_start(rg_partition *p, rg_refined *state, const rg_coloured *a,
                                           const rg_coloured *b, rg_error *err);

/* Refine until nothing splits. After RG_UNEVEN or RG_OVERSPENT the partition is half done: take it
 * back with rg_partition_undo. */
rg_refined rg_partition_refine(rg_partition *p);

/* Split every cell by values of the nodes (2n of them), without refining. */
rg_refined rg_partition_split(rg_partition *p, const uint64_t *value);

/* Make a cell of a and b, which lie in one cell of more than two nodes. */
void rg_partition_pair(rg_partition *p, uint32_t a, uint32_t b);

/* Take back all splits after the first n_trail. */
void rg_partition_undo(rg_partition *p, size_t n_trail);

/* The arcs of a node of the union: graph and number inside it. */
static inline const rg_coloured *rg_partition_side(const rg_partition *p, uint32_t node,
                                                   uint32_t *inside, uint32_t *shift)
{
    *shift = node < p->n ? 0 : p->n;
    *inside = node - *shift;
    return &p->side[node >= p->n];
}

#endif
