/* folds.h - facts about the folds of an experiment, for its store: sizes, copies, majority. */
#ifndef REGULA_JOBS_FOLDS_H
#define REGULA_JOBS_FOLDS_H

#include "store/store.h"

typedef struct rg_folds_options {
    const uint32_t *folds; /* of the splits: fold k of the experiment is folds[k] */
    size_t n_folds;
    bool classes;       /* the task is one class per sample: there is a most frequent one */
    unsigned n_threads; /* 0: all processors */
} rg_folds_options;

/* *out: n_folds of them, owned (rg_free), untouched on failure. Samples without a class do not
 * count for the most frequent one, of several the first is taken. Cost: O(folds * (samples +
 * classes)), and for graphs that of looking for copies once. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_folds_describe(rg_store_fold **out, const rg_source *source,
                                          const rg_splits *splits, const rg_folds_options *options,
                                          rg_error *err);

#endif
