/* chores.h - small plans of jobs, and what became of every job, for the tests of experiments. */
#ifndef REGULA_TESTS_SUPPORT_CHORES_H
#define REGULA_TESTS_SUPPORT_CHORES_H

#include "nets.h"
#include "storage.h"

#include "jobs/runner.h"

#include <stdatomic.h>

enum { CHORES_RECIPES = 4 };

/* Folds of the samples of a source. Owned (rg_splits_free). */
rg_splits *chores_splits(const rg_source *source, size_t n_folds);

/* A plan with all that it borrows. Stays where it is: the plan points into it. */
typedef struct chores {
    rg_dataset *data; /* owned */
    rg_source source;
    rg_splits *splits; /* owned */
    uint32_t folds[8];
    rg_contender contenders[CHORES_RECIPES]; /* owned */
    rg_runner_plan plan;
    rg_store_job *jobs; /* owned */
    size_t n_jobs;
} chores;

/* n_graphs of nets_data, all folds, network files as given, predictions are kept. Ends with
 * chores_close. */
void chores_open(chores *l, size_t n_graphs, size_t n_folds, uint32_t n_runs,
                 const char *const *texts, size_t n_texts);
void chores_close(chores *l);

/* What became of one job. */
typedef struct chores_job {
    rg_job_state state; /* RG_JOB_WAITING: nothing was said of it */
    char message[256];
    double build_seconds;
    uint64_t n_parameters;
    rg_store_run *runs; /* owned; NULL: none */
} chores_job;

/* What became of all jobs. Ends with chores_record_close. */
typedef struct chores_record {
    const chores *runner;
    chores_job *jobs; /* owned */
    size_t n_calls;
    size_t fail_at;        /* this call of `done` fails; 0: none */
    size_t stop_at;        /* after so many calls of `done` the work is stopped; 0: never */
    atomic_long asks_left; /* so often it is not stopped when asked; negative: always */
} chores_record;

/* Does jobs numbers[0 .. n), all in their order with NULL. options: threads and so on, the rest is
 * set here; the record begins as {0} but for the three last fields. */
rg_status chores_run(chores_record *r, const chores *l, const size_t *numbers, size_t n,
                     rg_runner_options options, size_t *n_done, rg_error *err);
/* All of it, which must be fine. */
chores_record chores_done(const chores *l, rg_runner_options options);
/* Every job that b has is in a, with the same bits. */
void chores_same(const chores_record *a, const chores_record *b);
void chores_record_close(chores_record *r);

#endif
