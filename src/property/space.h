/* space.h - the inside of a property space: one block of scratch, carved. */
#ifndef REGULA_PROPERTY_SPACE_H
#define REGULA_PROPERTY_SPACE_H

#include "regula/property.h"

#include <stdbool.h>

#define RG_EMPTY UINT32_MAX /* a node that is not in the row that is held */

/* Scratch of same_cycle, see cycle.c. */
typedef struct rg_cycle_space {
    uint32_t *number; /* in depth-first order */
    uint32_t *block;  /* of the edge to the parent in that order; RG_EMPTY: a bridge, or none */
    uint32_t *within; /* the block that a node of the ball has in common with i */
    uint32_t *depth;  /* RG_EMPTY outside of the ball */
    uint32_t *first, *last; /* children in the search tree: queue[first] .. queue[last-1] */
    uint32_t *piece;        /* RG_EMPTY outside of the ball */
    uint32_t *extra;
    uint32_t *next, *previous; /* in the list of nodes with the same extra */
    uint32_t *walk;
    unsigned char *settled;
} rg_cycle_space;

/* The row that is held: value[j] is set for queue[0 .. n_found-1] and RG_EMPTY for all others. */
struct rg_property_space {
    rg_property property;
    const rg_dataset *data;
    rg_graph graph;
    size_t capacity; /* nodes that there is room for */
    char *block;

    bool held;      /* is there a row? */
    uint32_t row;   /* whose */
    uint32_t reach; /* dist: how far it was searched */
    uint32_t *value;
    uint32_t *queue;
    size_t n_found;

    /* A set of nodes, empty between calls: bit j, and bit j / 64 of the words that are not 0. */
    uint64_t *bits, *words;
    uint32_t *out_j; /* what was listed last */
    int64_t *out_value;

    bool any_cycle;
    rg_cycle_space cycle;
};

/* Each fills value, queue and n_found of an empty row. */
void rg_hop_search(rg_property_space *space, uint32_t i, uint32_t reach);
void rg_hop_common(rg_property_space *space, uint32_t i);
void rg_cycle_search(rg_property_space *space, uint32_t i);
/* Once a graph, before its rows: number and block. Sets any_cycle. */
void rg_cycle_blocks(rg_property_space *space);

#endif
