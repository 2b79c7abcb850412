/* names_known.h - what is known about the labels of public data sets. */
#ifndef REGULA_DRAW_NAMES_KNOWN_H
#define REGULA_DRAW_NAMES_KNOWN_H

#include <stddef.h>
#include <stdint.h>

/* Lists are "C,N,O": names of consecutive values from first_* on; NULL: nothing is known. */
typedef struct rg_known_names {
    const char *set;
    size_t node_columns; /* 0: any number */
    const char *source;
    const char *nodes, *edges, *classes;
    int64_t first_node, first_edge, first_class;
} rg_known_names;

/* NULL: none. Static. */
const rg_known_names *rg_known_names_find(const char *set, size_t node_columns);

#endif
