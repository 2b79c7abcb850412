/* store.h - all results of an experiment, in one SQLite file of its run directory.
 * Data flow: experiment file -> jobs -> STORE -> results.
 *
 * docs/store.md has the tables. A run directory holds `store.sqlite`, and `store.lock`, which the
 * one process that writes has locked. A store is made whole, with all its jobs waiting; then jobs
 * are put, each in one transaction. Whatever kills the process, all jobs that were put are there
 * and no part of another. A power cut may take the last ones, never a part of one.
 *
 * Numbers come back with the bits they were put with, but for NaN, which is NULL in the file and of
 * which there is one, and -0, which is 0.
 *
 * A store is used by one thread at a time. Messages name the file. Besides what is said below,
 * every function may fail with RG_EDATA (damaged, or rows that make no sense), RG_EIO (also: the
 * disk is full), RG_EFAIL (another program keeps the file locked) and RG_ENOMEM; then the file is
 * as it was, and the store may be used further. */
#ifndef REGULA_STORE_STORE_H
#define REGULA_STORE_STORE_H

#include "base/digest.h"
#include "regula/model.h"

#include <stdbool.h>

#define RG_STORE_FILE "store.sqlite"
#define RG_STORE_LOCK "store.lock"

typedef struct rg_store rg_store;

/* ---- what is stored */

/* Texts are UTF-8 and not NULL, but for what the store sets itself. */
typedef struct rg_store_experiment {
    const char *name;
    const char *file;     /* the experiment file as it was given */
    const char *resolved; /* with all defaults and includes: what tells experiments apart */
    const char *data, *data_path, *data_digest;
    const char *splits, *splits_digest; /* where they come from, in words */
    uint64_t seed;
    uint32_t n_runs, n_folds; /* runs of a configuration on a fold */
    const char *fit;          /* what vocabularies are fitted on, in one word */
    const char *protocols;    /* words, the first is shown first */
    const char *score;        /* rg_store_score; NULL when made: accuracy */
    /* Set by the store when it is made. */
    const char *digest;  /* SHA-256 of `resolved` */
    const char *version; /* of regula */
    const char *created; /* "2025-01-31T23:59:59Z" */
    const char *host, *cpu, *kernel;
    uint32_t n_cores;
} rg_store_experiment;

/* What scores are. */
#define RG_STORE_ACCURACY "accuracy"    /* 0 .. 1, higher is better */
#define RG_STORE_ERROR "absolute error" /* mean, lower is better */
/* Or the name of a metric. The word for a metric, static; and back, RG_METRIC_DEFAULT: it is none. */
const char *rg_store_score(rg_metric metric);
rg_metric rg_store_metric(const char *score);

/* A fold, as its data and splits have it. Counts are samples; UINT64_MAX: not known. */
typedef struct rg_store_fold {
    uint64_t number; /* in the splits */
    uint64_t n_train, n_validation, n_test;
    uint64_t n_copies; /* of the test set, that are isomorphic to one of another part */
    /* Accuracy on the test and the validation set of always saying the most frequent class of the
     * training set; NaN: there are no classes. */
    double majority, majority_validation;
    bool validation_is_test;
} rg_store_fold;

typedef struct rg_store_configuration {
    const char *choices; /* what sets it apart: "lr=0.05 depth=2" */
    const char *recipe;  /* a network file in normal form */
    const char *digest;  /* SHA-256 of `recipe`; set by the store */
} rg_store_configuration;

typedef enum rg_job_state { RG_JOB_WAITING, RG_JOB_DONE, RG_JOB_FAILED } rg_job_state;

/* How a job went. Texts may be NULL where it says so. */
typedef struct rg_store_outcome {
    rg_job_state state;
    const char *message; /* why it failed; NULL: it did not */
    uint64_t n_parameters, connections, weights_possible, weights_used; /* as rg_train_report */
    double build_seconds; /* of what it works on, whichever job built that */
    double seconds;       /* of the job, with building or waiting for it */
    double cpu_seconds;   /* of the thread of the job; others that helped to build do not count */
    uint64_t peak_rss;    /* bytes, of the process so far */
    const char *worker;   /* who did it: host, process, thread or rank; NULL: not known */
    const char *version;  /* of regula; NULL: this one */
    const char *finished; /* as `created`; NULL: now */
} rg_store_outcome;

/* Runs first_run .. first_run + n_runs - 1 of a configuration on a fold. */
typedef struct rg_store_job {
    uint32_t configuration, fold, first_run, n_runs, lanes;
    rg_store_outcome outcome;
} rg_store_job;

/* What a run said of the test set: rows in the order of the part; nodes of a sample are rows that
 * follow each other. */
typedef struct rg_store_prediction {
    size_t n_rows;
    size_t width;            /* numbers per row */
    const uint32_t *samples; /* [row] */
    const uint16_t *classes; /* [row]; NULL: none */
    const float *numbers;    /* [row][width]: probabilities or values; NULL if width is 0 */
} rg_store_prediction;

typedef struct rg_store_run {
    uint32_t configuration, fold;
    rg_run run;
    const rg_epoch *epochs;                /* run.epochs of them; NULL: not read */
    const rg_store_prediction *prediction; /* NULL: none, or not read */
    /* What ensembles need besides; not in the digest. NULL: none, or not read. */
    const rg_store_prediction *validation; /* what it said of the validation set */
    const rg_store_prediction *targets[2]; /* what is right, by rg_store_part */
} rg_store_run;

/* Targets are as predictions are: `classes` (UINT16_MAX: not known) and width 0, or numbers (NaN: not
 * known). Those of a fold are the same for all runs. */
typedef enum rg_store_part { RG_STORE_VALIDATION, RG_STORE_TEST } rg_store_part;

/* The model of a run. file: below the run directory. */
typedef struct rg_store_model {
    uint32_t configuration, fold, run;
    const char *file, *digest;
} rg_store_model;

/* What is to be done. Jobs ascend by (configuration, fold, first_run) and do not overlap; the
 * number of a job is its place here. Borrowed. */
typedef struct rg_store_plan {
    const rg_store_experiment *experiment;
    const rg_store_configuration *configurations;
    size_t n_configurations;
    const rg_store_job *jobs; /* their outcomes do not count */
    size_t n_jobs;
    const rg_store_fold *folds; /* experiment->n_folds of them; NULL: nothing is known of them */
} rg_store_plan;

/* ---- making, opening, closing */

/* Begins an experiment in a directory, which is made if need be, or goes on with it: *resumed (may
 * be NULL). out: owned (rg_store_close), untouched on failure. Only one process can have it open:
 * RG_EFAIL at once ("'DIR' is in use by process 123 on HOST"). RG_EFAIL also if the directory holds
 * another experiment: another resolved file, data, splits, seed, configurations or jobs; the
 * message says which. RG_EUSAGE: the plan makes no sense. */
RG_MUST_CHECK rg_status rg_store_create(rg_store **out, bool *resumed, const char *directory,
                                        const rg_store_plan *plan, rg_error *err);
/* The same, but while another process has it open, waits as long as `stop` (asked again and again)
 * returns 0. */
RG_MUST_CHECK rg_status rg_store_await(rg_store **out, bool *resumed, const char *directory,
                                       const rg_store_plan *plan, int (*stop)(void *context),
                                       void *context, rg_error *err);
/* Opens what is there. Any number of processes may read, also while one writes: they see the jobs
 * that were put when they opened it. write: as rg_store_create. */
RG_MUST_CHECK rg_status rg_store_open(rg_store **out, const char *directory, bool write,
                                      rg_error *err);
void rg_store_close(rg_store *store); /* NULL is fine */

/* ---- reading. Borrowed; jobs change when one is put. */

const char *rg_store_directory(const rg_store *store);
const rg_store_experiment *rg_store_about(const rg_store *store);
const rg_store_configuration *rg_store_configurations(const rg_store *store, size_t *n);
const rg_store_fold *rg_store_folds(const rg_store *store); /* n_folds; NULL: nothing is known */
const rg_store_job *rg_store_jobs(const rg_store *store, size_t *n);
size_t rg_store_count(const rg_store *store, rg_job_state state); /* O(jobs) */
/* The first job of a configuration that is done: how large its network is. NULL: none. O(jobs). */
const rg_store_job *rg_store_sample(const rg_store *store, uint32_t configuration);

/* All runs by (configuration, fold, run), without epochs and predictions. *out: n of them, owned
 * (rg_store_runs_free), untouched on failure. */
RG_MUST_CHECK rg_status rg_store_runs(rg_store_run **out, size_t *n, rg_store *store,
                                      rg_error *err);
/* The runs of a job that is done, with all that belongs to them. out: the n_runs of the job, owned
 * (rg_store_runs_free). RG_EUSAGE: it is not done. */
RG_MUST_CHECK rg_status rg_store_job_runs(rg_store_run **out, rg_store *store, size_t job,
                                          rg_error *err);
void rg_store_runs_free(rg_store_run *runs, size_t n); /* NULL is fine */
/* *out: run->run.epochs of them, owned (rg_free). */
RG_MUST_CHECK rg_status rg_store_epochs(rg_epoch **out, rg_store *store, const rg_store_run *run,
                                        rg_error *err);
/* *out: in one block, owned (rg_free); NULL: there is none. */
RG_MUST_CHECK rg_status rg_store_prediction_read(rg_store_prediction **out, rg_store *store,
                                                 const rg_store_run *run, rg_error *err);
/* The same of the validation set, and what is right in a part of a fold. NULL also where the store is
 * older than these. */
RG_MUST_CHECK rg_status rg_store_validation_read(rg_store_prediction **out, rg_store *store,
                                                 const rg_store_run *run, rg_error *err);
RG_MUST_CHECK rg_status rg_store_target_read(rg_store_prediction **out, rg_store *store,
                                             uint32_t fold, rg_store_part part, rg_error *err);
/* *out: n of them in one block, owned (rg_free), by (configuration, fold, run). */
RG_MUST_CHECK rg_status rg_store_models(rg_store_model **out, size_t *n, rg_store *store,
                                        rg_error *err);

/* ---- writing: RG_EUSAGE on a store that is open for reading */

/* A job that was waiting is done or failed. runs: the n_runs of the job in ascending order, with
 * epochs 1 .. run.epochs, and predictions if they are to be kept; NULL if it failed. All or
 * nothing. RG_EUSAGE: what is given is not of this job, or it is not waiting. Cost: about 1 us an
 * epoch. */
RG_MUST_CHECK rg_status rg_store_put_job(rg_store *store, size_t job,
                                         const rg_store_outcome *outcome, const rg_store_run *runs,
                                         rg_error *err);
/* A job that failed waits again; another stays as it is. */
RG_MUST_CHECK rg_status rg_store_retry(rg_store *store, size_t job, rg_error *err);
/* Replaces what was known of the model of that run, which must be there. */
RG_MUST_CHECK rg_status rg_store_put_model(rg_store *store, const rg_store_model *model,
                                           rg_error *err);

/* ---- the whole */

/* SHA-256 over all that must be the same on any machine and for any number of threads, shards,
 * ranks and lanes: data, splits, seed, configurations; runs, epochs and predictions in the order of
 * their keys. No times, machines, paths, names, models. */
RG_MUST_CHECK rg_status rg_store_digest(char out[RG_DIGEST_TEXT], rg_store *store, rg_error *err);
/* SQLite's own check, and every row: types, ranges, jobs that are whole. RG_EDATA with the first
 * thing that is wrong. */
RG_MUST_CHECK rg_status rg_store_check(rg_store *store, rg_error *err);
/* Joins the results of parts of one experiment into a new run directory, which appears whole or not
 * at all: each job from the first store where it is done, else where it failed. Models stay where
 * they are. RG_EFAIL: not the same experiment, a job that is done in two stores with other bits, or
 * there is a run in `directory` already. RG_EUSAGE: n is 0. */
RG_MUST_CHECK rg_status rg_store_merge(const char *directory, rg_store *const *stores, size_t n,
                                       rg_error *err);
/* Puts jobs of another store of the same experiment that are over there: those that wait here, and
 * those that failed here and are done there. Then they are on the disk. What fails or is killed on
 * the way can be done again. RG_EFAIL as rg_store_merge. */
RG_MUST_CHECK rg_status rg_store_absorb(rg_store *store, rg_store *part, rg_error *err);

#endif
