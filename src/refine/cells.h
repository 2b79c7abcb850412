/* cells.h - nodes of one graph in cells, refined until all nodes of a cell have equally many
 * neighbours in every cell (the stable colours of Weisfeiler-Leman), and further when one is
 * marked.
 *
 * Cells are ordered, and their order is a function of the graph: it comes from start labels, numbers
 * of neighbours and marks alone. So two graphs that refinement cannot tell apart get the same cells
 * in the same order, and a trace (rg_node_cells_trace) of one is that of the other. The converse
 * holds too: equal traces pair cells of equal sizes with equal numbers of neighbours, which is a
 * stable colouring of both graphs at once.
 *
 * A partition is about some nodes, its members; all others, and their edges, are not there. */
#ifndef REGULA_REFINE_CELLS_H
#define REGULA_REFINE_CELLS_H

#include "regula/dataset.h"

#include <stdbool.h>

#define RG_CELLS_ARRAYS 11
#define RG_OUTSIDE UINT32_MAX
#define RG_MARKS_MAX 16

typedef struct rg_node_cells {
    rg_graph graph;
    const uint32_t *kinds;  /* of arcs, a number below n_kinds each; NULL: edges are all alike */
    const int64_t *values;  /* what the kinds stand for, ascending */
    const uint32_t *labels; /* start label of every node of the graph; NULL: one for all */
    uint32_t n_kinds;
    uint32_t n, n_cells; /* members */
    /* A cell goes by the position at which it begins. Members by position, positions of members,
     * the cell of every node (RG_OUTSIDE: no member), sizes of cells by cell. */
    uint32_t *order, *place, *cell, *size;
    /* Scratch: cells to refine by (a ring), which of them wait, neighbours counted. */
    uint32_t *queue, *waits, *count, *touched, *cells, *moved, *splitter;
    uint32_t first, n_waiting;
} rg_node_cells;

/* arrays: as many numbers each as the largest graph has nodes, kept. No graph yet. */
void rg_node_cells_open(rg_node_cells *p, uint32_t *const arrays[RG_CELLS_ARRAYS]);
/* Goes to a graph: no members. */
void rg_node_cells_enter(rg_node_cells *p, const rg_graph *graph, const uint32_t *labels);
/* Forgets the members. O(members). */
void rg_node_cells_leave(rg_node_cells *p);
/* Members: the nodes that a path of at most `depth` edges joins to i (0: however long). The
 * partition must have none. Nodes are in no order yet. O(their arcs). */
void rg_node_cells_ball(rg_node_cells *p, uint32_t i, uint32_t depth);
/* Members in cells by start label, not refined yet; with_labels: false takes all as one cell. */
void rg_node_cells_start(rg_node_cells *p);
/* A cell of its own for node i, which is a member, before the rest of its cell. */
void rg_node_cells_mark(rg_node_cells *p, uint32_t i);
/* Refines by what was started or marked since the last time. O(arcs * log members). */
void rg_node_cells_refine(rg_node_cells *p);

/* Cells as they are, to come back to: order and size, n numbers each. */
void rg_node_cells_save(const rg_node_cells *p, uint32_t *order, uint32_t *size);
/* n_cells: as it was. The members are those of now. O(members). */
void rg_node_cells_restore(rg_node_cells *p, const uint32_t *order, const uint32_t *size,
                           uint32_t n_cells);

/* The most words of a trace of so many nodes and arcs, whatever the marks. */
size_t rg_trace_room(size_t n_nodes, size_t n_arcs, bool edges);
/* All that refinement knows, when nodes marks[0 .. n_marks-1] are those that were marked:
 *     n_marks, the cell of each; then, for every cell in order,
 *     size, start label, number of neighbours of each of its nodes, and their cells, ascending;
 *     with kinds of edges every neighbour is three words, the value of its edge in two before it.
 * Returns how many words. O(arcs). */
size_t rg_node_cells_trace(rg_node_cells *p, uint32_t *words, const uint32_t *marks,
                           uint32_t n_marks);

/* Is this a trace, with labels below n_labels and at most most_marks marks? For words that come
 * from a file. */
bool rg_trace_fits(const uint32_t *words, size_t n, bool edges, uint32_t n_labels,
                   uint32_t most_marks);
/* What a trace says: nodes, cells, and the start label of the first mark. */
typedef struct rg_trace_facts {
    uint32_t n_nodes, n_cells, label;
} rg_trace_facts;
rg_trace_facts rg_trace_read(const uint32_t *words, size_t n, bool edges);

#endif
