/* world.h - what a rule is compiled over, looked through once: labels, shapes, ranges of values. */
#ifndef REGULA_RULE_WORLD_H
#define REGULA_RULE_WORLD_H

#include "rule.h"

/* Values low .. high, and perhaps none; low > high: no values. */
typedef struct rg_interval {
    int64_t low, high;
    bool none;
} rg_interval;

typedef struct rg_world {
    const rg_rule *rule;
    const rg_rule_input *input;
    size_t n_graphs;                       /* wanted ones; a shape is one */
    uint32_t n_in, n_out;                  /* the most of any graph */
    uint64_t n_outputs;                    /* of all graphs together */
    uint64_t n_pairs;                      /* of outputs and inputs; of a bias outputs */
    uint32_t largest_degree;               /* of the wanted graphs */
    const uint32_t *labels[RG_RULE_NAMES]; /* by the rule's own numbers of names */
    uint32_t n_labels[RG_RULE_NAMES];      /* every label is below it */
    size_t n_values; /* numbers of the largest sample, if the rule looks at values */
    size_t first_edge[RG_RULE_BINS], n_edges;
    const double *edges; /* of bins: set by who compiles */
} rg_world;

/* RG_EUSAGE, RG_EDATA: the rule cannot be asked of this. input: kept. */
RG_MUST_CHECK rg_status rg_world_open(rg_world *out, const rg_rule *rule,
                                      const rg_rule_input *input, rg_error *err);
/* Number, in the set, of wanted graph k. */
size_t rg_world_graph(const rg_world *world, size_t k);
void rg_world_size(const rg_world *world, size_t k, uint32_t *n_outputs, uint32_t *n_inputs);
/* Bins of one kind may have edges by group: of a vector every place is one, of other arrays every
 * channel, of graphs there is one. O(1). */
size_t rg_world_bin_groups(const rg_world *world, const rg_rule_bin *bin);
size_t rg_world_bin_group(const rg_world *world, const rg_rule_bin *bin, size_t place);
/* The shape that a variable runs over. */
rg_rule_shape rg_world_shape(const rg_world *world, rg_variable variable);

/* range.c: every value that the term takes for pairs that satisfy the condition lies within. */
rg_interval rg_world_range(const rg_world *world, int term);
/* How many values that may be, no value among them; UINT64_MAX: that many or more. */
uint64_t rg_world_count(const rg_world *world, int term);

#endif
