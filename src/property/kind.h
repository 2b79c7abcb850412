/* kind.h - what a property is made of: one file in this room each, and one line of RG_PROPERTIES in
 * regula/property.h. CONTRIBUTING.md has a worked example. */
#ifndef REGULA_PROPERTY_KIND_H
#define REGULA_PROPERTY_KIND_H

#include "space.h"
#include "text/text.h"

/* What is known beforehand of the graphs that a rule is compiled over. */
typedef struct rg_property_scope {
    const rg_dataset *data;
    uint32_t n_nodes, largest_degree; /* the most of any graph */
} rg_property_scope;

/* What an explanation knows. */
typedef struct rg_property_words {
    bool atoms;       /* nodes are atoms: people say bonds */
    bool loop;        /* i = j was said */
    const char *name; /* of the value, if it is an edge label that has one; else NULL */
    bool bond;        /* the name is that of a chemical bond */
} rg_property_words;

typedef struct rg_property_table {
    rg_property_info info;
    bool condition; /* in a rule it is a condition: 1 holds, 0 does not */
    bool optional;  /* a rule may give the parameter */
    bool young;     /* a labeling may have its name, and takes its place then */
    bool metric;    /* 0 is i = j, and the parameter a cut-off: nothing beyond it is looked for */
    bool ordered;   /* (i,j) and (j,i) differ: a rule must name the output first */
    bool of_edges;  /* a function of the edge (i,j): its rows are the arcs */
    bool labels;    /* its values are edge labels of the column that the parameter is */
    double pairs;   /* in a row, very roughly: plans compare them; of a metric, at distance 1 */

    /* Has a set what it looks at? NULL: always. RG_EDATA. */
    rg_status (*check)(uint32_t parameter, const rg_dataset *data, rg_error *err);

    /* ---- one graph. A property either finds a row, which the space then holds (`find` fills
     * value, queue and n_found of an empty row; a metric goes no further than `reach`), or can
     * tell without (`list` fills out_j and out_value in order, `value` tells of one pair). */
    size_t n_arrays, own_size; /* scratch: arrays of a number per node, and a struct of its own */
    void (*enter)(rg_property_space *space); /* once per graph; may be NULL */
    void (*find)(rg_property_space *space, uint32_t i, uint32_t reach);
    int64_t (*held)(const rg_property_space *space, uint32_t j); /* what value[j] of the row that is
                      held stands for, if it is not the value itself; NULL: it is */
    size_t (*list)(rg_property_space *space, uint32_t i, int64_t low, int64_t high);
    int64_t (*value)(const rg_property_space *space, uint32_t i, uint32_t j);
    rg_property_bounds (*bounds)(const rg_property_space *space); /* of a graph with nodes */

    /* ---- what rules ask. of_node: the value of (i,i), from the graph alone; NULL: only a space
     * can tell. range: all values of pairs, but for none. n_values: how many values there are at
     * most; NULL: all of the range. reach: no pair of a row is further apart; NULL: 1. */
    int64_t (*of_node)(const rg_graph *graph, uint32_t i);
    rg_property_bounds (*range)(uint32_t parameter, const rg_property_scope *scope);
    size_t (*n_values)(uint32_t parameter, const rg_dataset *data);
    uint32_t (*reach)(uint32_t parameter);

    /* What a value means, in an explanation: ", 3 bonds away"; of one node: "of degree 3". A metric
     * is asked for low .. high too; low = RG_NO_VALUE alone: at most `high`. NULL: no words. */
    void (*say)(rg_text *out, const rg_property_words *words, uint32_t parameter, int64_t low,
                int64_t high);
} rg_property_table;

/* kind < RG_N_PROPERTIES. */
const rg_property_table *rg_property_table_of(rg_property_kind kind);

#define RG_PROPERTY_TABLE(upper, lower) extern const rg_property_table rg_property_##lower;
RG_PROPERTIES(RG_PROPERTY_TABLE)
#undef RG_PROPERTY_TABLE

/* ---- what several of them use */

static inline uint64_t rg_space_degree(const rg_graph *graph, uint32_t i)
{
    return graph->row[i + 1] - graph->row[i];
}
/* The smallest and the largest degree of the graph. */
rg_property_bounds rg_space_degrees(const rg_property_space *space);
/* The arc (i,j), or the end of the row of i. */
uint64_t rg_space_arc(const rg_graph *graph, uint32_t i, uint32_t j);
/* 0 and 1. */
rg_property_bounds rg_property_range_flag(uint32_t parameter, const rg_property_scope *scope);
rg_property_bounds rg_property_range_degree(uint32_t parameter, const rg_property_scope *scope);
/* The parameter is how far apart the nodes of a pair are at most. */
uint32_t rg_property_reach(uint32_t parameter);
int64_t rg_property_zero(const rg_graph *graph, uint32_t i);

#endif
