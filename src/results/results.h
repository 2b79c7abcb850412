/* results.h - all results of a run directory in one struct, for tables, JSON, reports. Unfinished
 * runs have results of their finished jobs; warnings say what is missing. */
#ifndef REGULA_RESULTS_RESULTS_H
#define REGULA_RESULTS_RESULTS_H

#include "choice.h"
#include "ensemble.h"
#include "methods.h"

#define RG_WARNINGS_MAX 32

/* What one protocol says of one method. */
typedef struct rg_verdict {
    rg_protocol protocol;
    size_t method; /* number of the method; 0 where nothing is compared */
    bool known;    /* it has a result; else `why` says why not, and the rest is empty */
    rg_error why;
    rg_protocol_result result; /* owned */
    bool tested;               /* scores are of the test set; gin: of the validation set */
    double majority;           /* accuracy of the most frequent class on that part, mean over folds;
                                  NaN: not known */
    double best_epoch;         /* mean over folds; gin: the epoch */
    uint64_t parameters;       /* of the largest network that was chosen; 0: not known */
    size_t n_chosen;           /* folds that took result.configuration */
    rg_choice choice;          /* how much the choice can be trusted */
} rg_verdict;

typedef struct rg_results {
    rg_store *store; /* kept */
    /* Borrowed from the store. */
    const rg_store_experiment *about;
    const rg_store_configuration *configurations;
    size_t n_configurations;
    const rg_store_fold *folds; /* about->n_folds; NULL: nothing is known of them */
    const rg_store_job *jobs;
    size_t n_jobs;
    /* Sums over jobs that are over. */
    size_t n_done, n_failed, n_waiting;
    double build_seconds, seconds, cpu_seconds;
    uint64_t peak_rss;  /* the largest */
    rg_metric metric;   /* of the scores; ACCURACY or MAE where none was chosen */
    rg_store_run *runs; /* owned, without epochs and predictions */
    size_t n_runs;
    rg_cells cells;              /* owned */
    rg_compared_method *methods; /* owned; with one name each where they are compared, else one */
    size_t n_methods;
    /* By protocol, then method: those of the first protocol come first. Owned. */
    rg_verdict *verdicts;
    size_t n_verdicts;             /* at least 1 */
    rg_ensemble_result *ensembles; /* owned: of the experiment, under each protocol */
    size_t n_ensembles;
    char *warnings[RG_WARNINGS_MAX];     /* owned: lines for people */
    size_t n_warnings, n_plain_warnings; /* the latter are not of ensembles, and come first */
    char digest[RG_DIGEST_TEXT];         /* rg_store_digest */
} rg_results;

/* protocols: n that are asked for; n 0: those of the experiment, or, if it names none that is
 * known, all. A protocol that cannot be computed is no failure: its verdict says why. out: ends
 * with rg_results_free. Cost: that of reading every row once, as rg_store_digest; with gin the
 * epochs once more. RG_EDATA, RG_EIO, RG_ENOMEM, RG_EFAIL. */
RG_MUST_CHECK rg_status rg_results_make(rg_results *out, rg_store *store,
                                        const rg_protocol *protocols, size_t n, rg_error *err);
void rg_results_free(rg_results *results);
/* Puts other ensembles in place of those of the experiment, and warns of them; protocols as those of the verdicts.
 * n 0: none. RG_ENOMEM, and what the store says. */
RG_MUST_CHECK rg_status rg_results_combine(rg_results *results, const rg_ensemble *ensembles,
                                           size_t n, rg_error *err);

/* Does it compare methods? */
bool rg_results_compares(const rg_results *results);
/* The name of the method of a verdict; NULL: nothing is compared. Borrowed. */
const char *rg_results_method(const rg_results *results, const rg_verdict *verdict);
/* Did the protocol of the verdict choose the configuration on the fold, for the method that it is
 * of? O(methods). */
bool rg_results_chosen(const rg_results *results, const rg_verdict *verdict, uint32_t configuration,
                       uint32_t fold);
const rg_cell *rg_results_cell(const rg_results *results, size_t configuration, size_t fold);
/* Parameters of a configuration on a fold; 0: no job is done. O(log jobs). */
uint64_t rg_results_parameters(const rg_results *results, uint32_t configuration, uint32_t fold);
/* The number of a fold in the splits. */
uint64_t rg_results_fold(const rg_results *results, size_t fold);

/* results_warn.c: fills the warnings of results that are whole otherwise. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_results_warn(rg_results *results, rg_error *err);
RG_MUST_CHECK rg_status rg_results_warn_ensembles(rg_results *results, rg_error *err);

#endif
