/* comparison.h - methods against each other on data sets: mean scores, and differences over the
 * same folds.
 *
 * The difference of two methods is that of their scores on each fold (with one fold: of each run),
 * averaged; its standard error is the sample standard deviation of these differences over the
 * square root of their number. Folds share training graphs, so it is rather too small. */
#ifndef REGULA_RESULTS_COMPARISON_H
#define REGULA_RESULTS_COMPARISON_H

#include "results.h"

#define RG_COMPARISON_NOISE 2 /* standard errors: differences up to this many are noise */

/* A run that is compared. Borrowed. */
typedef struct rg_compared_run {
    const char *name; /* of the method; NULL: by the experiment */
    const rg_results *results;
} rg_compared_run;

/* A method on a data set. */
typedef struct rg_comparison_cell {
    const rg_results *results; /* NULL: no run of the method on these data */
    const rg_verdict *verdict;
    double mean, deviation;   /* NaN: not known */
    bool reference;           /* differences on these data are to this one */
    double difference, error; /* to the reference; NaN: not known, or not over the same folds */
    bool best;                /* better than all others by more than noise */
} rg_comparison_cell;

typedef struct rg_comparison {
    char **methods, **data; /* names, owned */
    size_t n_methods, n_data;
    rg_comparison_cell *cells; /* [method][data], owned */
} rg_comparison;

/* Compares the methods of n runs by protocol number `protocol` of each (0: its first). against: a
 * method, "first" or "best"; NULL: best. out: ends with rg_comparison_free, untouched on failure.
 * RG_EUSAGE: two runs of one method on the same data, or there is no such method. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_comparison_make(rg_comparison *out, const rg_compared_run *runs,
                                           size_t n, size_t protocol, const char *against,
                                           rg_error *err);
void rg_comparison_free(rg_comparison *comparison);

const rg_comparison_cell *rg_comparison_at(const rg_comparison *comparison, size_t method,
                                           size_t data);

#endif
