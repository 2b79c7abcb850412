/* pattern_count.h - the two ways to count a pattern in one graph. */
#ifndef REGULA_COUNT_PATTERN_COUNT_H
#define REGULA_COUNT_PATTERN_COUNT_H

#include "pattern.h"

/* One pattern in one graph. The count of node i goes to out[i * stride]. */
typedef struct rg_pattern_job {
    const rg_dataset *data;
    const rg_graph *graph;
    const rg_pattern *pattern;
    bool induced;
    uint64_t budget;
    int64_t *out;
    size_t stride;
    rg_count_space *space;
} rg_pattern_job;

/* By formula, where one is known: *known says whether. Every out is RG_CAPPED if the budget or
 * int64 is too small. RG_ENOMEM. pattern_formula.c. */
RG_MUST_CHECK rg_status rg_pattern_by_formula(const rg_pattern_job *job, bool *known,
                                              rg_error *err);

/* Patterns of four nodes for which there is more to do; star and path: out holds the number that is
 * not induced and becomes the induced one. The same about caps. RG_ENOMEM. pattern_four.c. */
typedef enum rg_pattern_four {
    RG_FOUR_STAR,
    RG_FOUR_PATH,
    RG_FOUR_PAW,
    RG_FOUR_DIAMOND,
    RG_N_FOURS
} rg_pattern_four;
RG_MUST_CHECK rg_status rg_pattern_of_four(const rg_pattern_job *job, rg_pattern_four which,
                                           rg_error *err);

/* A pattern of SMARTS; job->pattern has one. The same about caps. RG_EDATA (not a set of molecules), RG_EFAIL
 * (cancelled), RG_ENOMEM. pattern_smarts.c. */
RG_MUST_CHECK rg_status rg_pattern_by_smarts(const rg_pattern_job *job, size_t index,
                                             rg_error *err);

/* By looking for every occurrence. The same about caps. RG_ENOMEM. pattern_count.c. */
RG_MUST_CHECK rg_status rg_pattern_by_search(const rg_pattern_job *job, rg_error *err);

void rg_pattern_fill(const rg_pattern_job *job, int64_t value); /* the same for every node */

/* Sums and products that stay at UINT64_MAX. */
static inline uint64_t rg_add_capped(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}
static inline uint64_t rg_mul_capped(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static inline uint64_t rg_degree(const rg_graph *graph, uint32_t node)
{
    return graph->row[node + 1] - graph->row[node];
}

#endif
