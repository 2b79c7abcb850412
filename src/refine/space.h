/* space.h - scratch of one worker, for marks and for pairs. */
#ifndef REGULA_REFINE_SPACE_H
#define REGULA_REFINE_SPACE_H

#include "cells.h"
#include "power.h"

/* Cells to come back to. */
typedef struct rg_power_saved {
    uint32_t *order, *size, n_cells;
} rg_power_saved;

struct rg_power_space {
    size_t n_nodes, n_words; /* that there is room for */
    char *block;
    rg_node_cells cells;
    rg_power_saved saved[RG_MARKS_MAX + 1]; /* by number of marks */
    uint32_t *keys[RG_MARKS_MAX];           /* n_nodes + 1 numbers each */
    uint32_t *done;                         /* a number per node */
    uint32_t *words;                        /* of a trace */
    struct rg_mark_sibling *siblings;       /* marks.c: a stack */
    size_t n_siblings, sibling_room;
    /* pair_colours.c: colours of all pairs, and the keys of one round */
    uint32_t *colour, *next;
    uint64_t *key;
    size_t n_pairs;
};

/* Room for the graph of a task, the space standing at it without members; tables for n_levels, and
 * node_words per node in out->top. On failure what is there ends with rg_power_drop. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_power_begin(rg_power *out, const rg_power_task *task, size_t n_levels,
                                       size_t node_words, rg_power_space *space, rg_error *err);

#endif
