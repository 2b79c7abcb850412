/* standings.h - configurations ranked by validation score, for tables and reports. */
#ifndef REGULA_RESULTS_STANDINGS_H
#define REGULA_RESULTS_STANDINGS_H

#include "results.h"

/* Means over the folds where all runs of a configuration are there; NaN: there is no such fold. */
typedef struct rg_standing {
    uint32_t configuration;
    size_t n_folds, n_chosen; /* folds with all runs; folds where it was chosen */
    bool low;                 /* scores are errors: the lowest is the best */
    double validation, deviation, loss, train, best_epoch;
    size_t n_jobs;                    /* that are done */
    double seconds;                   /* of those jobs */
    uint64_t parameters, connections; /* the most of one of them; 0: not known */
} rg_standing;

/* Better ones first, as protocols choose, those without a score last.
 * out: one a configuration, owned (rg_free), untouched on failure.
 * verdict: whose choices count as chosen; NULL, or one that is not known: nothing was chosen.
 * Cost: O(configurations * (folds + log configurations) + jobs). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_standings_make(rg_standing **out, const rg_results *results,
                                          const rg_verdict *verdict, rg_error *err);

#endif
