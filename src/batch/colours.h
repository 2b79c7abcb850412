/* colours.h - nodes that message passing cannot tell apart.
 *
 * In round 0 nodes are of one colour if they have equal features and as many neighbours; in round
 * t + 1 if they were of one colour in round t and their neighbours were too, colour by colour as
 * many. So whatever networks make of a node after t aggregations is the same for all nodes of one
 * colour of round t, and a batch (batch.h) has one row for all of them: a few hundred rows instead
 * of thousands in the first rounds. Colours are exact: no two are taken for one by chance; and
 * their numbers do not depend on the order of nodes, nor do sums that go by them. */
#ifndef REGULA_BATCH_COLOURS_H
#define REGULA_BATCH_COLOURS_H

#include "features.h"
#include "regula/base.h"

#include <stdbool.h>

enum {
    RG_ROUNDS_MAX = 8,        /* rounds 0 .. 7 */
    RG_EACH = RG_ROUNDS_MAX,  /* instead of a round: every node for itself */
    RG_N_LEVELS = RG_EACH + 1 /* of rows that a batch may have */
};

/* Nodes of one colour, and what they and their neighbours were in the round before. */
typedef struct rg_wl_colour {
    uint32_t before; /* not in round 0 */
    uint32_t degree; /* neighbours, entries or not */
    uint64_t first;  /* entries before its own; in round 0 there are none */
} rg_wl_colour;

typedef struct rg_wl_colour_entry {
    uint32_t colour; /* of the round before, ascending in a colour */
    uint32_t times;  /* neighbours that were of it */
} rg_wl_colour_entry;

/* The colours of one round. */
typedef struct rg_wl_colours {
    uint32_t n;
    uint32_t *of;          /* [node of the set] */
    rg_wl_colour *colours; /* [n + 1], the last one for its `first` alone */
    rg_wl_colour_entry *entries;
} rg_wl_colours;

/* Never changes; any thread may read it. */
typedef struct rg_colouring {
    uint32_t n_rounds; /* 1 .. RG_ROUNDS_MAX */
    bool each;         /* rows of single nodes are wanted as well */
    rg_wl_colours rounds[RG_ROUNDS_MAX];
} rg_colouring;

/* out: owned (rg_colouring_free), untouched on failure. O(rounds (nodes + arcs)) without sorting.
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_colouring_build(rg_colouring **out, const rg_features *features,
                                           const rg_dataset *data, uint32_t n_rounds, bool each,
                                           rg_error *err);
void rg_colouring_free(rg_colouring *colouring); /* NULL is fine */
/* Of the arrays; n_nodes: of the set. */
uint64_t rg_colouring_bytes(const rg_colouring *colouring, uint64_t n_nodes);

#endif
