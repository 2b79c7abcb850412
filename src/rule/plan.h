/* plan.h - where to look for the pairs that a condition can hold for.
 *
 * A plan is a list of sources, rows of properties, such that every pair which satisfies the
 * condition is in one of them; it may hold others, for the condition is asked of each. */
#ifndef REGULA_RULE_PLAN_H
#define REGULA_RULE_PLAN_H

#include "rule.h"

#define RG_SELF (-1) /* not a property: the pair (i,i) */

typedef struct rg_pair_source {
    int slot; /* of the rule, RG_RULE_SLOTS + a table of the rule, or RG_SELF */
    int64_t low, high;
} rg_pair_source;

typedef struct rg_plan {
    bool all;   /* every pair */
    bool exact; /* only pairs that satisfy the condition: no need to ask */
    size_t n;
    rg_pair_source sources[RG_RULE_SLOTS + RG_RULE_TABLES + 1]; /* each slot at most once */
} rg_plan;

void rg_plan_make(rg_plan *out, const rg_rule *rule);
/* No pair of the plan is further apart. */
uint32_t rg_plan_reach(const rg_plan *plan, const rg_rule *rule);
/* In words, cut where it does not fit: "pairs with dist(i,j) in 1..3". False if memory is short. */
bool rg_plan_print(char *out, size_t size, const rg_plan *plan, const rg_rule *rule);

#endif
