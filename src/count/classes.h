/* classes.h - a block with nodes that are next to the same nodes, and to each other, taken as one.
 *
 * Such nodes (closed twins: N[i] = N[j]) are in the same cliques. Graphs of people who met in a few
 * films or papers are made of them: hundreds of nodes, a handful of classes. A clique of classes
 * stands for all ways to take at least one node of each; a maximal one takes all nodes of each. */
#ifndef REGULA_COUNT_CLASSES_H
#define REGULA_COUNT_CLASSES_H

#include "blocks.h"

/* Slots up to RG_CLASS_SLOTS-1 hold blocks and classes. */
#define RG_CLASS_SLOTS (RG_BLOCK_SLOTS + 5)

/* Classes are numbered in an order in which each has the fewest neighbours behind it that any could
 * have: at most core[c], which does not depend on the order. */
typedef struct rg_classes {
    const rg_block *block;
    uint32_t n;
    const uint32_t *of;     /* class of a node of the block */
    const uint32_t *weight; /* nodes in the class */
    const uint32_t *core;   /* largest k such that the class is in a part with degrees >= k */
    uint32_t most;          /* the largest of them */
    const size_t *row;      /* neighbours, other classes: col[row[c]] .. col[row[c+1] - 1] ... */
    const size_t *middle;   /* ... of which those behind c come first, up to col[middle[c] - 1] */
    const uint32_t *col;
} rg_classes;

/* Everything lives in the space. Cost: O(nodes + arcs). False: no memory. */
bool rg_classes_find(rg_classes *out, const rg_block *block, rg_count_space *space);

/* What looking at all classes with those behind them takes, at most limit + 1: a list of at most
 * `most` classes for each pair of neighbours. */
uint64_t rg_classes_cost(const rg_classes *classes, uint64_t limit);

/* The classes behind c that are next to it, as a graph of its own. */
typedef struct rg_behind {
    uint32_t n;        /* <= classes->most */
    size_t words;      /* of a set of them, at least 1 */
    uint32_t *who;     /* class */
    uint64_t *next_to; /* n sets */
    uint32_t *place;   /* class -> its number here, where who[place] == class */
} rg_behind;

/* Room for any class (slot, slot + 1 of the space), then one after the other. */
bool rg_behind_init(rg_behind *out, const rg_classes *classes, unsigned slot,
                    rg_count_space *space);
void rg_behind_fill(rg_behind *out, const rg_classes *classes, uint32_t c);
/* Number of class d here; n if it is not behind. */
uint32_t rg_behind_place(const rg_behind *behind, uint32_t d);

#endif
