/* join.h - run directories of one experiment, done in parts, joined into a new one with its models.
 */
#ifndef REGULA_STORE_JOIN_H
#define REGULA_STORE_JOIN_H

#include "store.h"

typedef struct rg_join_report {
    size_t n_jobs, n_done, n_failed, n_waiting; /* of the new one */
    size_t n_models, n_lost;                    /* copied; named by a store, but not there */
    char digest[RG_DIGEST_TEXT];
} rg_join_report;

/* rg_store_merge of n directories, then their models: of each run the first there is. If a model
 * cannot be copied, the new directory is there with those that could. RG_EDATA also for a store
 * that names a model outside of its directory. */
RG_MUST_CHECK rg_status rg_runs_join(rg_join_report *out, const char *directory,
                                     const char *const *parts, size_t n, rg_error *err);

#endif
