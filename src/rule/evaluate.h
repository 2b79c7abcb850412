/* evaluate.h - a rule asked of one pair after another, graph by graph. One a worker. */
#ifndef REGULA_RULE_EVALUATE_H
#define REGULA_RULE_EVALUATE_H

#include "plan.h"
#include "world.h"

/* How a part of the key is had: most are far simpler than terms can be. */
typedef struct rg_key_part {
    enum { RG_PART_TERM, RG_PART_FIXED, RG_PART_LABEL, RG_PART_SLOT } way;
    int term;
    int64_t value;          /* fixed: the same for all of a row */
    const uint32_t *labels; /* of the input */
    uint32_t slot;
} rg_key_part;

/* fixed.c: pairs of a rule on shapes that can be connected in a sample, whatever its values. */
typedef struct rg_fixed_rows {
    bool there;
    size_t *row; /* [output]: the first, and the end; owned */
    uint32_t *j; /* ascending in a row; owned */
} rg_fixed_rows;

typedef struct rg_evaluator {
    const rg_world *world;
    const rg_plan *plan;
    const rg_fixed_rows *fixed; /* may be NULL */
    rg_graph graph;
    uint32_t i, j, out;                       /* the pair */
    rg_property_space *spaces[RG_RULE_SLOTS]; /* NULL: answered without one */
    int64_t slot[RG_RULE_SLOTS];              /* values of this pair, where `have` has the bit */
    uint32_t have;
    rg_key_part parts[RG_RULE_KEYS_MAX];
    double *values;     /* of the sample at hand, if the rule looks at them; owned */
    uint32_t *found[2]; /* candidates of a row, and room to merge them; n_in each */
    uint64_t scanned;
} rg_evaluator;

/* world, plan: kept. RG_ENOMEM; then too rg_evaluator_close must follow. */
RG_MUST_CHECK rg_status rg_evaluator_open(rg_evaluator *e, const rg_world *world,
                                          const rg_plan *plan, rg_error *err);
void rg_evaluator_close(rg_evaluator *e);

/* Found once for all samples; not there if the rule looks at no values, or if the condition leaves too
 * many. O(outputs * inputs). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_fixed_rows_open(rg_fixed_rows *out, const rg_world *world,
                                           rg_error *err);
void rg_fixed_rows_close(rg_fixed_rows *rows);

/* Go to wanted graph k. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_evaluator_graph(rg_evaluator *e, size_t k, rg_error *err);

/* Candidates of one output, ascending. j NULL: all of 0 .. n-1. value: what the property of the
 * only source has there, or NULL. Valid until the next row. */
typedef struct rg_candidates {
    const uint32_t *j;
    const int64_t *value;
    size_t n;
} rg_candidates;
rg_candidates rg_evaluator_row(rg_evaluator *e, uint32_t i, uint32_t n_inputs);

/* The pair (output, input) that is asked next; of a bias the output alone. */
void rg_evaluator_pair(rg_evaluator *e, uint32_t output, uint32_t input);
/* A term of it: a whole number, a node or a condition. */
int64_t rg_evaluator_value(rg_evaluator *e, int term);
/* Does it have a key? Then its numbers are in key[]. */
bool rg_evaluator_key(rg_evaluator *e, int64_t key[RG_RULE_KEYS_MAX]);

#endif
