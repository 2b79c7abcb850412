/* layout.h - where the nodes of a graph go in a drawing.  Data flow: graph -> LAYOUT -> draw.
 *
 * Points come from stress majorisation on graph distances, rings made round and chains bent as in a
 * chemist's drawing; parts that are not connected are packed beside each other. They depend on the
 * edges alone: not on labels, nor on the machine, nor on the number of threads, and on the order of
 * nodes only where symmetry leaves a choice (docs/pictures.md). */
#ifndef REGULA_LAYOUT_LAYOUT_H
#define REGULA_LAYOUT_LAYOUT_H

#include "regula/dataset.h"

#include <math.h>

typedef struct rg_point {
    double x, y; /* x to the right, y down; an edge is about 1 long */
} rg_point;

static inline double rg_point_distance(rg_point a, rg_point b)
{
    double x = a.x - b.x, y = a.y - b.y;
    return sqrt(x * x + y * y);
}

/* The distance that any two nodes keep at least. */
#define RG_LAYOUT_APART 0.5

/* out: graph->n_nodes points; the smallest x and the smallest y are 0, and the drawing lies on its
 * longer side. Untouched on failure. Cost: O(nodes^2) a round for parts up to 1000 nodes,
 * O(nodes * pivots) a round above; 400 nodes take some tenths of a second. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_graph_layout(rg_point *out, const rg_graph *graph, rg_error *err);
/* straight: n_nodes, 1 where the two edges of a node lie in a line, as at a triple bond; NULL: nowhere. */
RG_MUST_CHECK rg_status rg_graph_layout_with(rg_point *out, const rg_graph *graph,
                                             const uint8_t *straight, rg_error *err);

#endif
