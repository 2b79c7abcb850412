/* power.h - colours of nodes that tell more apart than Weisfeiler-Leman, of one graph at a time.
 *
 * Both ways give every node a key of 32-bit words, and keys are equal, within a graph and between
 * two, if and only if the definition cannot tell the nodes apart. A key of one level names keys of
 * the level below by their numbers, so that what many nodes have in common is there once. Numbers
 * are those of this graph: who compares two graphs puts numbers of his own in their place. */
#ifndef REGULA_REFINE_POWER_H
#define REGULA_REFINE_POWER_H

#include "base/pool.h"
#include "base/table.h"
#include "cells.h"

#define RG_POWER_LEVELS RG_MARKS_MAX /* at most, besides that of the nodes */

/* What is looked at. */
typedef struct rg_power_task {
    rg_graph graph;
    const uint32_t *labels; /* of its nodes: what refinement starts from */
    const uint32_t *kinds;  /* of arcs; NULL: edges are all alike */
    const int64_t *values;  /* of the kinds, ascending */
    uint32_t n_kinds;
    uint32_t depth;    /* nodes at most so far from a node are looked at; 0: all it is joined to */
    uint32_t marks;    /* rg_power_marks: 1 .. RG_MARKS_MAX */
    bool smallest;     /* of them: all but the first go to nodes of the smallest cell */
    uint64_t budget;   /* steps */
    rg_cancel *cancel; /* may be NULL */
} rg_power_task;

/* The keys of one graph. Begins as {0}, ends with rg_power_drop. */
typedef struct rg_power {
    rg_table *levels[RG_POWER_LEVELS];
    uint32_t *top; /* node_words per node: its key, of the level above these */
    bool capped;   /* over the budget: all nodes have the same key, which no other graph has */
} rg_power;
void rg_power_drop(rg_power *power);

/* Scratch of one worker: grows to the largest graph, then stays. NULL: no memory. */
typedef struct rg_power_space rg_power_space;
rg_power_space *rg_power_space_new(void);
void rg_power_space_free(rg_power_space *space);

/* Individualised refinement. A tuple of marks has a trace (rg_node_cells_trace): level 0. Level l > 0
 * has the keys of tuples of marks - l nodes: the number of their trace, and those of all tuples
 * with one mark more, ascending, unless every node has a cell of its own already. A node's key is
 * the number of the tuple with it alone, on level marks - 1; node_words is 1.
 *
 * A mark on a node that has a cell of its own tells nothing new and is left out. Nodes that a
 * symmetry of the graph maps onto each other have equal keys and are computed once: where marks
 * lead to cells of one node each, equal traces are a symmetry.
 * Steps: n^marks * (n + arcs), n being the nodes looked at; the same for every order of the nodes.
 * out: owned (rg_power_drop), untouched on failure. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_power_marks(rg_power *out, const rg_power_task *task,
                                       rg_power_space *space, rg_error *err);

/* Folklore 2-WL: the colour of a pair (i,j) becomes its old one with those of (i,w) and (w,j) for
 * every node w, until that parts no more. Level 0 has one key for all nodes that were looked at
 * together; node_words is 2: its number, and which class of (i,i) the node has. `marks` is not
 * looked at. Steps: n^3 for every round. As rg_power_marks. */
RG_MUST_CHECK rg_status rg_power_pairs(rg_power *out, const rg_power_task *task,
                                       rg_power_space *space, rg_error *err);

/* Is this a key of level 0 of rg_power_pairs, with n_labels labels? What does it say: nodes,
 * classes of nodes, and the label of one of them (class < n_cells)? */
bool rg_pairs_fit(const uint32_t *words, size_t n, uint32_t n_labels);
typedef struct rg_pairs_facts {
    uint32_t n_nodes, n_cells, label;
} rg_pairs_facts;
rg_pairs_facts rg_pairs_read(const uint32_t *words, uint32_t class);

#endif
