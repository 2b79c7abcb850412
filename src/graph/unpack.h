/* unpack.h - from a data set back to raw rows, to build another one of its graphs. */
#ifndef REGULA_GRAPH_UNPACK_H
#define REGULA_GRAPH_UNPACK_H

#include "raw.h"

typedef struct rg_unpack {
    rg_raw *raw;                 /* graphs are appended to it; borrowed */
    const rg_dataset *data;      /* borrowed */
    uint32_t *place;             /* room for the new number of every node of a graph; owned */
    int64_t *values[RG_N_SLOTS]; /* of the ranks, as rg_dataset_values; may be changed; owned */
} rg_unpack;

/* raw is of sequences if the set is. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_unpack_open(rg_unpack *out, rg_raw *raw, const rg_dataset *data,
                                       rg_error *err);
void rg_unpack_close(rg_unpack *unpack);
/* Appends one graph with all its rows and its name. nodes: as rg_dataset_reorder; NULL: as they
 * are. The caller counts the graphs. False if memory is short. */
bool rg_unpack_graph(rg_unpack *unpack, size_t graph, uint32_t number, const uint32_t *nodes);
/* The same of a part of its nodes, each once, in this order, with the edges between them. */
bool rg_unpack_part(rg_unpack *unpack, size_t graph, uint32_t number, const uint32_t *nodes,
                    uint32_t n);
/* Names of values and columns. False if memory is short. */
bool rg_unpack_names(rg_unpack *unpack);

#endif
