/* bins.h - edges of bins: where a number stands among those of the training part. */
#ifndef REGULA_RULE_BINS_H
#define REGULA_RULE_BINS_H

#include "world.h"

/* The edges of all bins of a rule, from the samples of the fit: n - 1 ascending ones for each group of
 * bin b, from world->first_edge[b] on. Edge k (from 1) is the smallest number such that at least k/n
 * of all numbers are at most that; 0 where there are no numbers. out: owned (rg_free). Exact, in
 * constant memory: O(numbers * log n), eight times. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_bins_fit(double **out, const rg_world *world, rg_error *err);

/* How many edges are below the number: its bin, 0 .. n-1. RG_NO_VALUE if it is NaN. */
int64_t rg_bins_find(const double *edges, uint32_t n, double value);

#endif
