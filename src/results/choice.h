/* choice.h - how much a choice among configurations can be trusted.
 *
 * The best of many noisy scores is too good: among 100 equal configurations the best is 2.5 standard errors
 * above the truth. The scores of all configurations on all folds tell how large the noise is: what is left of
 * them when the means of configurations and of folds are taken away (the interaction of a two-way analysis of variance). With it
 *   - the corrected score pulls each score to the mean of all, by the share of their variance that is noise
 *     (empirical Bayes, as James and Stein): among equal configurations, all the way;
 *   - a configuration is within noise of the chosen one if it is behind by less than one standard error of their
 *     difference.
 * With one fold, the noise is that of counting right answers. Nothing here looks at test sets. */
#ifndef REGULA_RESULTS_CHOICE_H
#define REGULA_RESULTS_CHOICE_H

#include "protocol.h"

typedef struct rg_choice {
    size_t
        n_compared; /* configurations that have all their runs on all folds and a validation score */
    size_t
        n_within; /* of them, besides the chosen one, within noise; fair: the mean over folds, rounded */
    double corrected; /* of what was chosen; NaN: not known */
    double noise;     /* one standard error of a difference; NaN: not known */
} rg_choice;

/* Of a result of protocol fair, global or holdout. validations: samples of the validation set of each fold, UINT64_MAX
 * or NULL: not known. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_choice_judge(rg_choice *out, const rg_protocol_result *result,
                                        const rg_cells *cells, const rg_store_fold *folds,
                                        rg_error *err);

#endif
