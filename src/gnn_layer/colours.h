/* colours.h - nodes that message passing cannot tell apart.
 *
 * In round 0 nodes are of one kind if they have equal features and as many neighbours; in round
 * t + 1 if they were of one kind in round t and their neighbours were too, kind by kind as many. So
 * whatever networks make of a node after t aggregations is the same for all nodes of one kind of
 * round t, and a batch (batch.h) has one row for all of them: a few hundred rows instead of
 * thousands in the first rounds. Kinds are exact: no two are taken for one by chance; and their
 * numbers do not depend on the order of nodes, nor do sums that go by them. */
#ifndef REGULA_GNN_LAYER_COLOURS_H
#define REGULA_GNN_LAYER_COLOURS_H

#include "features.h"

enum {
    RG_ROUNDS_MAX = 8,        /* rounds 0 .. 7 */
    RG_EACH = RG_ROUNDS_MAX,  /* instead of a round: every node for itself */
    RG_N_LEVELS = RG_EACH + 1 /* of rows that a batch may have */
};

/* Nodes of one kind, and what they and their neighbours were in the round before. */
typedef struct rg_kind {
    uint32_t before; /* not in round 0 */
    uint32_t degree; /* neighbours, entries or not */
    uint64_t first;  /* entries before its own; in round 0 there are none */
} rg_kind;

typedef struct rg_kind_entry {
    uint32_t kind;  /* of the round before, ascending in a kind */
    uint32_t times; /* neighbours that were of it */
} rg_kind_entry;

/* The kinds of one round. */
typedef struct rg_kinds {
    uint32_t n;
    uint32_t *of;   /* [node of the set] */
    rg_kind *kinds; /* [n + 1], the last one for its `first` alone */
    rg_kind_entry *entries;
} rg_kinds;

/* Never changes; any thread may read it. */
typedef struct rg_alike {
    uint32_t n_rounds; /* 1 .. RG_ROUNDS_MAX */
    bool each;         /* rows of single nodes are wanted as well */
    rg_kinds rounds[RG_ROUNDS_MAX];
} rg_alike;

/* out: owned (rg_alike_free), untouched on failure. O(rounds (nodes + arcs)) without sorting.
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_alike_build(rg_alike **out, const rg_features *features,
                                       const rg_dataset *data, uint32_t n_rounds, bool each,
                                       rg_error *err);
void rg_alike_free(rg_alike *alike); /* NULL is fine */
/* Of the arrays; n_nodes: of the set. */
uint64_t rg_alike_bytes(const rg_alike *alike, uint64_t n_nodes);

#endif
