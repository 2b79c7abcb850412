/* layout_component.h - one connected part of a graph on its way to points.
 *
 *     layout.c           parts, their order, the whole
 *     layout_order.c     nodes numbered so that their order in the file does not matter
 *     layout_stress.c    a start by classical scaling, then stress majorisation, over all pairs
 *     layout_sparse.c    the same over pivots, for large parts
 *     layout_rings.c     the rings of a part
 *     layout_skeleton.c  parts like molecules: rings as polygons, chains bent, leaves in gaps
 *     layout_refine.c    bonds, polygons and angles put right, with the rest kept at arm's length
 *     layout_round.c     rings that lie twisted opened again
 *     layout_flip.c      what sticks out on one side of a bond turned over, if that is better
 *     layout_apart.c     nodes that are too close pushed apart
 *     layout_turn.c      turned to landscape, mirrored;  layout_pack.c: parts beside each other
 *
 * Nothing here asks the C library for more than square roots, which are exact: the same bits
 * everywhere. */
#ifndef REGULA_LAYOUT_LAYOUT_COMPONENT_H
#define REGULA_LAYOUT_LAYOUT_COMPONENT_H

#include "layout.h"

#include <stdbool.h>

typedef struct rg_component {
    uint32_t n;
    uint32_t *row, *col; /* neighbours of i: col[row[i]] .. col[row[i+1] - 1] */
    rg_point *at;        /* n */
    uint8_t *straight;   /* n: 1 where two edges lie in a line, else a chain bends */
} rg_component;

#define RG_COMPONENT_DENSE 1000   /* nodes; above, stress is over pivots */
#define RG_COMPONENT_SKELETON 400 /* nodes that are no leaves; above, a part is no skeleton */

static inline uint32_t rg_component_degree(const rg_component *part, uint32_t i)
{
    return part->row[i + 1] - part->row[i];
}

/* Room for a part; owned (rg_component_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_component_new(rg_component *out, uint32_t n, uint32_t n_arcs,
                                         rg_error *err);
void rg_component_free(rg_component *part); /* the arrays, not the struct */

/* ---- layout_order.c */

/* order: n nodes, the first to be drawn first. Equal up to symmetry for any numbering of the nodes,
 * as far as colour refinement tells nodes apart. Ties: by number once the budget is spent. *shape:
 * the same number for parts that are the same. Cost: O(arcs) a round. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_component_order(uint32_t *order, uint64_t *shape,
                                           const rg_component *part, rg_error *err);

/* ---- distances and stress */

/* Steps from `from` to all nodes; queue: room for n. */
void rg_component_hops(uint32_t *hops, uint32_t *queue, const rg_component *part, uint32_t from);

/* Sets part->at from two of the three strongest axes (0, 1, 2) of classical scaling of the n x n
 * distances. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_component_scale(rg_component *part, const float *distance, int axis,
                                           int other, rg_error *err);
/* Lowers sum w (|xi - xj| - d)^2, w = 1/d^2, from where the nodes are; returns it, a pair. */
double rg_component_stress(rg_component *part, const float *distance, unsigned rounds);
/* Both, with steps as distances, over all pairs or over pivots by the part's size. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_component_plain(rg_component *part, rg_error *err);
RG_MUST_CHECK rg_status rg_component_sparse(rg_component *part, rg_error *err);

/* ---- skeletons */

/* Rings of a part: those of a shortest basis, each node by node around it. */
typedef struct rg_rings {
    size_t n;
    uint32_t *start; /* n + 1 */
    uint32_t *node;
    size_t start_capacity, node_capacity;
} rg_rings;

/* out: owned (rg_rings_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_rings_find(rg_rings *out, const rg_component *part, rg_error *err);
void rg_rings_free(rg_rings *rings);

/* Of a regular polygon of n corners and sides of 1: the distance of corners k apart. */
double rg_polygon_chord(uint32_t n, uint32_t k);
double rg_sin_turns(double turns); /* sin(2 pi turns), 0 <= turns <= 1 */

/* A part with few rings and no node of many neighbours: *done, and points; else untouched.
 * RG_ENOMEM.
 */
RG_MUST_CHECK rg_status rg_component_skeleton(bool *done, rg_component *part, rg_error *err);

/* Bonds of 1, rings as polygons, even angles. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_component_refine(rg_component *part, const rg_rings *rings,
                                            unsigned rounds, rg_error *err);
/* Opens rings that are far from round; *changed: there was one. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_component_round(bool *changed, rg_component *part, const rg_rings *rings,
                                           rg_error *err);
/* The smallest ring in which a, i, b follow each other: its length; 0: none. O(nodes of rings). */
uint32_t rg_rings_through(const rg_rings *rings, uint32_t i, uint32_t a, uint32_t b);
/* Turns over sides of bonds that lie on no ring while that makes rg_component_clutter less.
 * RG_ENOMEM.
 */
RG_MUST_CHECK rg_status rg_component_flip(rg_component *part, const rg_rings *rings, rg_error *err);
/* Edges that cross, nodes that come closer than bonds are long, and nodes inside rings that are not
 * theirs: 0 if nothing is wrong. rings: NULL is fine. O(nodes^2 + edges^2). */
double rg_component_clutter(const rg_component *part, const rg_rings *rings);

/* ---- the end of it */

/* No two nodes closer than RG_LAYOUT_APART. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_component_separate(rg_component *part, rg_error *err);
/* Landscape; one of the four ways to mirror it. bonds: also turn edges into common directions.
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_component_turn(rg_component *part, bool bonds, rg_error *err);

typedef struct rg_box {
    double width, height; /* in */
    double x, y;          /* out: of its corner */
} rg_box;
/* Boxes in the order in which they are placed. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_boxes_pack(rg_box *boxes, size_t n, rg_error *err);

#endif
