/* count.h - counting small structures through every node of one graph.
 *
 * Each counter fills out[node * n_dims + d]. The numbers are a function of the graph alone: they do
 * not depend on the order of its nodes. If a dimension would take more steps than the budget
 * allows, all nodes of the graph get RG_CAPPED there and *capped is set; whether that happens does
 * not depend on node order either: steps are bounded beforehand, from what no numbering changes.
 * The same if a count would be 2^62 or more. A budget above 2^40 counts as 2^40. */
#ifndef REGULA_COUNT_COUNT_H
#define REGULA_COUNT_COUNT_H

#include "base/pool.h"
#include "regula/dataset.h"

#include <stdbool.h>

#define RG_CAPPED INT64_MIN

/* Scratch of one worker: grows to the largest graph, then stays. Owned (rg_count_space_free). */
typedef struct rg_count_space rg_count_space;
rg_count_space *rg_count_space_new(void); /* NULL: no memory */
void rg_count_space_free(rg_count_space *space);
/* Asked while a graph is counted, at every node: RG_EFAIL then. Kept. */
void rg_count_space_cancel(rg_count_space *space, rg_cancel *cancel);

/* Cycles of each length min .. max through the node; induced: without chords only. What a length
 * gets does not depend on the other lengths asked for.
 * n_dims = max - min + 1, 3 <= min <= max. out and *capped untouched on failure. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_count_cycles(int64_t *out, const rg_graph *graph, uint32_t min,
                                        uint32_t max, bool induced, uint64_t budget, bool *capped,
                                        rg_count_space *space, rg_error *err);

/* Complete subgraphs of each size 3 .. max that hold the node; maximal: only those that no other
 * node extends (past the budget all sizes are capped, not only large ones). n_dims = max - 2,
 * max >= 3. out and *capped untouched on failure. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_count_cliques(int64_t *out, const rg_graph *graph, uint32_t max,
                                         bool maximal, uint64_t budget, bool *capped,
                                         rg_count_space *space, rg_error *err);

/* A small graph to look for. Labels are optional; RG_ANY_LABEL matches every label. */
#define RG_PATTERN_MAX 16
#define RG_ANY_LABEL INT64_MIN

/* How to look for it, worked out once when it is made (pattern_plan.c). Positions are steps of the
 * search: one node of the pattern each, every one but the first joined to an earlier one. */
typedef struct rg_pattern_plan {
    uint8_t order[RG_PATTERN_MAX];   /* node of the pattern at each position */
    uint8_t parent[RG_PATTERN_MAX];  /* the first position it is joined to; 0 at position 0 */
    uint16_t joined[RG_PATTERN_MAX]; /* bits: earlier positions it is joined to */
    uint16_t below[RG_PATTERN_MAX];  /* bits: earlier positions that must get a smaller node, so
                                        that every occurrence is found once */
    bool mixed; /* some nodes (or edges) have labels and some have not: labels are looked at when
                   a whole occurrence is found, and `below` is about the pattern without them */
} rg_pattern_plan;

typedef struct rg_pattern {
    char *text; /* normal form in a spec: "cycle(4)", "graph(\"0 1; 1 2 7; node 0 6\")" */
    uint32_t n_nodes;
    bool edge[RG_PATTERN_MAX][RG_PATTERN_MAX];
    bool has_node_labels, has_edge_labels;              /* at least one */
    int64_t node_label[RG_PATTERN_MAX];                 /* original values of column 0 */
    int64_t edge_label[RG_PATTERN_MAX][RG_PATTERN_MAX]; /* likewise */
    rg_pattern_plan plan;
    struct rg_smarts
        *smarts; /* owned; a pattern of atoms: of the above only text and n_nodes are meant */
} rg_pattern;

/* Occurrences of each pattern (as subgraphs, not as mappings: a triangle counts once, and a bond of
 * two carbons is one occurrence of "an edge with a carbon") that hold the node; induced: no further
 * edges between its nodes. n_dims = n_patterns. `data` and `index` give the labels, those of column
 * 0; a labelled pattern does not occur in a set without labels. A number beyond int64 is capped
 * too. Patterns of SMARTS are never induced: other bonds do not matter. RG_EDATA (such a pattern, and not a set of
 * molecules), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_count_patterns(int64_t *out, const rg_dataset *data, size_t index,
                                          const rg_pattern *patterns, size_t n_patterns,
                                          bool induced, uint64_t budget, bool *capped,
                                          rg_count_space *space, rg_error *err);

#endif
