/* pack.h - from sorted arcs and ranks to the one block of a data set. */
#ifndef REGULA_GRAPH_PACK_H
#define REGULA_GRAPH_PACK_H

#include "arcs.h"
#include "rank.h"

/* Everything that is known before the block is allocated. */
typedef struct rg_build_plan {
    rg_raw *raw;
    uint64_t *start; /* n_graphs + 1 */
    uint32_t *order;
    rg_arcs arcs;
    rg_ranking *rankings[RG_N_SLOTS]; /* a column each */
} rg_build_plan;

/* Rows of nodes, arcs or graphs (0, 1, 2). */
size_t rg_plan_items(const rg_build_plan *plan, size_t item);
/* Takes apart what it packs. Owned; NULL if memory is short. */
rg_dataset *rg_plan_pack(rg_build_plan *plan);

#endif
