/* property.h - properties of pairs of nodes, such as their distance.
 * Data flow: dataset -> PROPERTIES -> rule.
 *
 *   dist(i,j)          edges on a shortest path, 0 for i = j; no value beyond the cut-off
 *   edge(i,j)          1 if there is an edge, else 0
 *   bond(i,j)          label of the edge as it stood in the file; no value without an edge
 *   same_cycle(i,j,k)  1 if a simple cycle of at most k edges holds both (i = j: holds it), else 0
 *   common(i,j)        neighbours that both have; common(i,i) is the degree
 *   degree(i)          neighbours
 *   paths(i,j,c)       shortest paths of at most c edges, 1 for i = j, 0 if there is none
 *   bonds(i,j,c)       labels of the edges on them: 16^l for every edge labelled l; no value beyond
 *   marked(i,j,d)      class of j when i is marked and nodes within d of it are refined; else none
 *
 * All are functions of the graph alone and, but for marked, symmetric in i and j. Most pairs have the same default
 * value (0, or none), so a property lists only the others: a row is every j for which (i,j) has
 * another value, ascending, found without looking at all pairs. A rule with dist(i,j) in 1..3
 * walks over the row and asks other properties pair by pair.
 *
 * A space computes one property on one graph after another, with its scratch memory; use one per
 * worker and property. It grows to the largest graph; after that, rows and values never allocate
 * and cannot fail. */
#ifndef REGULA_PROPERTY_H
#define REGULA_PROPERTY_H

#include "dataset.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RG_NO_VALUE INT64_MIN

/* Every property. Kinds are RG_PROPERTY_DIST, RG_PROPERTY_EDGE and so on, in this order. */
#define RG_PROPERTIES(X)      \
    X(DIST, dist)             \
    X(EDGE, edge)             \
    X(BOND, bond)             \
    X(SAME_CYCLE, same_cycle) \
    X(COMMON, common)         \
    X(DEGREE, degree)         \
    X(PATHS, paths)           \
    X(BONDS, bonds)           \
    X(MARKED, marked)         \
    X(POS, pos)               \
    X(OFFSET, offset)

#define RG_PROPERTY_KIND(upper, lower) RG_PROPERTY_##upper,
typedef enum rg_property_kind {
    RG_NO_PROPERTY = -1,
    RG_PROPERTIES(RG_PROPERTY_KIND) RG_N_PROPERTIES
} rg_property_kind;
#undef RG_PROPERTY_KIND

typedef struct rg_property {
    rg_property_kind kind;
    /* dist, paths, bonds: the cut-off; bond: the column of edge labels; same_cycle: the longest
     * cycle; marked: the depth, 0 for any; no others look at it. */
    uint32_t parameter;
} rg_property;

#define RG_DIST_ANY UINT32_MAX /* a cut-off that cuts nothing */

/* Facts about a kind. All text is static. */
typedef struct rg_property_info {
    const char *name;
    unsigned n_nodes;      /* 2: of a pair (i,j); 1: of i */
    const char *parameter; /* what it is called in messages; NULL: there is none */
    uint32_t low, high;    /* of the parameter */
    uint32_t usual;        /* the default parameter */
    int must_be_given;     /* no default: a rule must give the parameter */
    int64_t elsewhere;     /* the value of every pair that is not in a row: 0 or RG_NO_VALUE */
} rg_property_info;

/* kind < RG_N_PROPERTIES. */
RG_API const rg_property_info *rg_property_describe(rg_property_kind kind);
RG_API rg_property_kind rg_property_find(const char *name); /* RG_NO_PROPERTY: none */
RG_API rg_property rg_property_default(rg_property_kind kind);
/* data: NULL to check the parameter only. RG_EUSAGE; RG_EDATA if the set has no such edge labels.
 */
RG_API RG_MUST_CHECK rg_status rg_property_check(const rg_property *property,
                                                 const rg_dataset *data, rg_error *err);

typedef struct rg_property_space rg_property_space;

/* out: owned (rg_property_space_free), untouched on failure. data: kept. The space stands at no
 * graph yet. As rg_property_check, and RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_property_space_new(rg_property_space **out,
                                                     const rg_property *property,
                                                     const rg_dataset *data, rg_error *err);
RG_API void rg_property_space_free(rg_property_space *space); /* NULL is fine */

/* Go to a graph, graph < n_graphs. Memory: O(nodes) of the largest graph so far. Cost: O(1), for
 * same_cycle O(nodes + arcs), marked O(nodes). On failure the space stands where it stood. RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_property_space_graph(rg_property_space *space, size_t graph,
                                                       rg_error *err);

typedef struct rg_property_bounds {
    int64_t low, high; /* low > high: no pair has a value */
} rg_property_bounds;

/* Every value on this graph lies within. The bounds are values for edge, bond and degree; dist says
 * what the number of nodes and the cut-off allow, common the largest degree, same_cycle whether
 * there is any cycle, paths, bonds and marked what any graph allows. Cost: O(nodes), bond O(arcs). */
RG_API rg_property_bounds rg_property_range(const rg_property_space *space);

/* One row: j[0] < j[1] < ..., value[k] belongs to (i, j[k]). Borrowed from the space: valid until
 * its next row or graph. */
typedef struct rg_property_row {
    const uint32_t *j;
    const int64_t *value;
    size_t n;
} rg_property_row;

/* All j with low <= value(i,j) <= high, except that pairs with the value `elsewhere` are never
 * listed. A property of one node lists i alone. i < n_nodes. Cost, r being the size of the row:
 *   dist        arcs of the nodes nearer than min(high, cut-off)
 *   edge, bond  degree of i
 *   common      arcs of the neighbours of i
 *   paths, bonds  arcs of the nodes nearer than the cut-off, bonds 15 times
 *   marked      the same times the logarithm of their number, at most
 *   same_cycle  k times the arcs of the nodes within k/2 of i and in one block with it, at most
 * and for all but edge, bond and degree O(r + nodes / 4096) to put it in order. */
RG_API rg_property_row rg_property_list(rg_property_space *space, uint32_t i, int64_t low,
                                        int64_t high);

/* The value of one pair, or RG_NO_VALUE. i, j < n_nodes. Cost: degree O(1), edge and bond O(log
 * degree); the others O(1) while i stays the same, and a row when it changes, so ask row by row.
 * Rows that were listed stay valid. */
RG_API int64_t rg_property_value(rg_property_space *space, uint32_t i, uint32_t j);

#ifdef __cplusplus
}
#endif

#endif
