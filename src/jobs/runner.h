/* runner.h - running the jobs of an experiment.
 *
 * A job trains some runs of one configuration on one fold, in lanes, and is never split. Threads
 * take one job after another; what a job needs besides the data, its network and tables, is built
 * once and shared by all jobs that need the same; those jobs are done one after another. What comes
 * out of a job depends on nothing but the job, so results are the same for any number of threads
 * and any way to share jobs out. */
#ifndef REGULA_JOBS_RUNNER_H
#define REGULA_JOBS_RUNNER_H

#include "baseline/contender.h"
#include "store/store.h"

/* What there is to do. All kept. */
typedef struct rg_runner_plan {
    const rg_source *source;
    const rg_splits *splits;
    const uint32_t *folds; /* of the splits: fold k of the experiment is folds[k] */
    size_t n_folds;
    const rg_contender *contenders; /* one a configuration */
    size_t n_contenders;
    uint64_t seed;
    uint32_t n_runs;
    bool fit_on_train; /* vocabularies from the training set of each fold */
    bool predictions;  /* keep what each run says of the test set */
    bool starts_per_fold;
    rg_metric
        metric; /* in place of those of the networks; DEFAULT: theirs, and accuracy of baselines */
} rg_runner_plan;

/* The number that the start values of a run depend on, besides the seed: that of the run, or with
 * starts_per_fold one of its own on every fold of the splits. */
uint32_t rg_runner_start(const rg_runner_plan *plan, uint32_t fold, uint32_t run);

/* The jobs of a plan, ascending by (configuration, fold, first_run): runs in lanes of 8 or 4 where
 * that is faster than one by one; those of a baseline one by one, or, if all come to the same, in
 * one job. *out: n of them, owned (rg_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_runner_jobs(rg_store_job **out, size_t *n, const rg_runner_plan *plan,
                                       rg_error *err);

/* Shares the jobs out to processes: out[job] is the share of a job, below n_shares. It follows from
 * the plan alone, so that all processes find the same. No share is expected to take longer than the
 * mean of all and one job more. Cost: O(jobs * shares). RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_runner_share(uint32_t *out, const rg_runner_plan *plan,
                                        const rg_store_job *jobs, size_t n, uint32_t n_shares,
                                        rg_error *err);

/* The results of a job. Borrowed: valid until the callback returns. */
typedef struct rg_runner_result {
    size_t job; /* its number */
    rg_store_outcome outcome;
    const rg_store_run *runs; /* n_runs of the job; NULL: it failed */
} rg_runner_result;

typedef struct rg_runner_options {
    unsigned n_threads; /* that work on jobs; 0: all processors */
    uint64_t memory;    /* bytes for all tables together; 0: any */
    const char *cache;  /* of labels */
    rg_cpu cpu;
    /* Called for every job that is over, one at a time, from any thread. A status that is not RG_OK
     * ends the work. */
    rg_status (*done)(void *context, const rg_runner_result *result, rg_error *err);
    /* Asked between epochs, from any thread: not 0 ends the work; jobs under way are dropped. */
    int (*stop)(void *context);
    void *context;
} rg_runner_options;

/* Does jobs[numbers[k]] for all k < n, those expected to take longest first. A job whose training
 * fails (a network that does not fit the data, a loss that is no number) is over with a message,
 * and the others go on; running out of memory ends all. RG_OK also if stopped: *n_done says how
 * many were over. RG_ENOMEM, or what `done` says. */
RG_MUST_CHECK rg_status rg_runner_run(const rg_runner_plan *plan, const rg_store_job *jobs,
                                      const size_t *numbers, size_t n,
                                      const rg_runner_options *options, size_t *n_done,
                                      rg_error *err);

/* The model of one run of a network, trained again: the same bits as in the job. out: owned
 * (rg_model_free). */
RG_MUST_CHECK rg_status rg_runner_model(rg_model **out, const rg_runner_plan *plan,
                                        uint32_t configuration, uint32_t fold, uint32_t run,
                                        const rg_runner_options *options, rg_error *err);

#endif
