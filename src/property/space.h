/* space.h - the inside of a property space: one block of scratch, carved. */
#ifndef REGULA_PROPERTY_SPACE_H
#define REGULA_PROPERTY_SPACE_H

#include "regula/property.h"

#include <stdbool.h>

#define RG_PROPERTY_ARRAYS 16 /* at most */
#define RG_EMPTY UINT32_MAX   /* a node that is not in the row that is held */

/* The row that is held: value[j] is set for queue[0 .. n_found-1] and RG_EMPTY for all others. */
struct rg_property_space {
    const struct rg_property_table *table; /* kind.h */
    rg_property property;
    const rg_dataset *data;
    rg_graph graph;
    size_t capacity; /* nodes that there is room for */
    char *block;

    bool held;      /* is there a row? */
    uint32_t row;   /* whose */
    uint32_t reach; /* a metric: how far it was searched */
    uint32_t *value;
    uint32_t *queue;
    size_t n_found;

    /* A set of nodes, empty between calls: bit j, and bit j / 64 of the words that are not 0. */
    uint64_t *bits, *words;
    uint32_t *out_j; /* what was listed last */
    int64_t *out_value;

    uint32_t *arrays[RG_PROPERTY_ARRAYS]; /* of the property: table->n_arrays of them, a number a
                                             node; RG_EMPTY everywhere at first */
    void *own;                            /* the same: table->own_size bytes, zero at first */
};

#endif
