/* run.h - an experiment from its file to a run directory: runs the jobs that are missing in the
 * store, and keeps those that are there. */
#ifndef REGULA_JOBS_RUN_H
#define REGULA_JOBS_RUN_H

#include "regula/experiment.h"
#include "results/methods.h"
#include "results/protocol.h"
#include "runner.h"

/* How far it is. */
typedef struct rg_run_state {
    size_t n_jobs;   /* of this process: all, or those of its shard */
    size_t n_done;   /* of them over, also by earlier calls */
    size_t n_failed; /* of those that are over */
    double best; /* validation score of the best job so far, mean over its runs; NaN: none yet */
    rg_metric metric; /* of the scores */
    double seconds;   /* since the work began */
    double left;      /* seconds that are expected to be left; negative: not known yet */
} rg_run_state;

typedef struct rg_run_options {
    const char *directory; /* the run directory */
    unsigned n_threads;    /* 0: all processors */
    uint64_t memory;
    const char *cache; /* of labels; NULL: none */
    rg_cpu cpu;
    bool retry;               /* jobs that failed wait again */
    uint32_t shard, n_shards; /* the share of the jobs that is done (rg_runner_share); 0: all */
    /* Shares are done by processes with the same directory, each in a part of its own (parts.h),
     * and the last to finish merges them. Else a share has the directory for itself. */
    bool together;
    void (*progress)(void *context, const rg_run_state *state); /* may be NULL; one at a time */
    int (*stop)(void *context);                                 /* may be NULL; from any thread */
    void (*waits)(void *context); /* may be NULL: others have had the directory for some time */
    void *context;
} rg_run_options;

typedef struct rg_run_report {
    bool resumed; /* there were results already */
    bool stopped; /* with jobs or models left */
    bool others;  /* together: other processes still work, or have merged all; no models then */
    size_t n_jobs, n_done, n_failed; /* of all shares, as the store has them now; of this one if
                                      * together and stopped */
    size_t n_models;                 /* written by this call */
    size_t n_without;                /* that were wanted of baselines, which have no model files */
} rg_run_report;

/* data_path, splits_text: where they come from, for the store. The store is closed again in the
 * end; models that `keep` asks for are written when all jobs are over. Parts that others left in
 * the directory are merged first, and what is done in them is not done again. RG_EUSAGE,
 * RG_EDATA, RG_EFAIL (the directory holds something else, or is in use), RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_experiment_run(rg_run_report *out, const rg_experiment *experiment,
                                          const char *file, const rg_source *source,
                                          const char *data_path, const rg_splits *splits,
                                          const char *splits_text, const rg_run_options *options,
                                          rg_error *err);

#endif
