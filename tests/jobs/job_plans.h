/* job_plans.h - small plans of jobs, and what became of every job, for the tests of experiments. */
#ifndef REGULA_TESTS_JOBS_JOB_PLANS_H
#define REGULA_TESTS_JOBS_JOB_PLANS_H

#include "support/networks.h"
#include "support/stores.h"

#include "jobs/runner.h"

#include <stdatomic.h>

enum { JOB_PLAN_RECIPES = 4 };

/* A plan with all that it borrows. Stays where it is: the plan points into it. */
typedef struct job_plan {
    rg_dataset *data; /* owned */
    rg_source source;
    rg_splits *splits; /* owned */
    uint32_t folds[8];
    rg_contender contenders[JOB_PLAN_RECIPES]; /* owned */
    rg_runner_plan plan;
    rg_store_job *jobs; /* owned */
    size_t n_jobs;
} job_plan;

/* n_graphs of test_dataset_with_targets, all folds, network files as given, predictions are kept.
 * Ends with job_plan_close. */
void job_plan_open(job_plan *l, size_t n_graphs, size_t n_folds, uint32_t n_runs,
                   const char *const *texts, size_t n_texts);
void job_plan_close(job_plan *l);

/* What became of one job. */
typedef struct recorded_job {
    rg_job_state state; /* RG_JOB_WAITING: nothing was said of it */
    char message[256];
    double build_seconds;
    uint64_t n_parameters;
    rg_store_run *runs; /* owned; NULL: none */
} recorded_job;

/* What became of all jobs. Ends with job_record_close. */
typedef struct job_record {
    const job_plan *runner;
    recorded_job *jobs; /* owned */
    size_t n_calls;
    size_t fail_at;        /* this call of `done` fails; 0: none */
    size_t stop_at;        /* after so many calls of `done` the work is stopped; 0: never */
    atomic_long asks_left; /* so often it is not stopped when asked; negative: always */
} job_record;

/* Does jobs numbers[0 .. n), all in their order with NULL. options: threads and so on, the rest is
 * set here; the record begins as {0} but for the three last fields. */
rg_status job_plan_run(job_record *r, const job_plan *l, const size_t *numbers, size_t n,
                       rg_runner_options options, size_t *n_done, rg_error *err);
/* All of it, which must be fine. */
job_record job_plan_done(const job_plan *l, rg_runner_options options);
/* Every job that b has is in a, with the same bits. */
void job_plan_same(const job_record *a, const job_record *b);
void job_record_close(job_record *r);

/* The model gives for the test part the predictions that were kept. */
void job_plan_assert_predicts(const rg_model *model, const rg_source *source, const rg_part *test,
                              const rg_store_prediction *p);

#endif
