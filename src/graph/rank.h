/* rank.h - from label values to ranks and back. */
#ifndef REGULA_GRAPH_RANK_H
#define REGULA_GRAPH_RANK_H

#include "raw.h"

/* The distinct values of one column, ascending. */
typedef struct rg_ranking {
    int64_t *values;
    size_t n;
    uint32_t *direct; /* rank of values[0] + k, if the values lie close together; else NULL */
    size_t n_direct;
} rg_ranking;

/* Of column `column` of rows[index[0]] .. rows[index[n-1]] (index NULL: the first n rows);
 * RG_MISSING is no value. out: owned (rg_ranking_free). O(n), or O(n log n) if the values are far
 * apart. False if memory is short. */
bool rg_ranking_build(rg_ranking *out, const rg_int_rows *rows, size_t column,
                      const uint32_t *index, size_t n);
void rg_ranking_free(rg_ranking *ranking);
/* Rank of a value that occurs, by bisection. */
uint32_t rg_ranking_search(const rg_ranking *ranking, int64_t value);

/* Rank of a value that occurs; RG_NO_CLASS for RG_MISSING. Asked once for every node and arc. */
static inline uint32_t rg_ranking_find(const rg_ranking *ranking, int64_t value)
{
    if (value == RG_MISSING)
        return RG_NO_CLASS;
    return ranking->direct ? ranking->direct[(uint64_t)value - (uint64_t)ranking->values[0]]
                           : rg_ranking_search(ranking, value);
}

/* Are the values 0, 1, .., n-1? */
bool rg_ranking_is_plain(const rg_ranking *ranking);

#endif
