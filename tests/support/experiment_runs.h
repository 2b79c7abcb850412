/* experiment_runs.h - small experiments in run directories, followed and stopped. */
#ifndef REGULA_TESTS_SUPPORT_EXPERIMENT_RUNS_H
#define REGULA_TESTS_SUPPORT_EXPERIMENT_RUNS_H

#include "networks.h"
#include "stores.h"

#include "jobs/run.h"

#include <stdatomic.h>

#define EXPERIMENT_RUNS_NETWORK                                        \
    "  task: classification\n"                                         \
    "  labels: {a: \"wl(depth=1, from=node)\"}\n"                      \
    "  layers:\n"                                                      \
    "    - rule: share a(i), a(j), dist(i,j) when dist(i,j) in 1..3\n" \
    "    - aggregate: share out, a(i)\n"                               \
    "  training: {epochs: 4, batch: 8}\n"
#define EXPERIMENT_RUNS_HEAD "name: tiny\ndata: toy\nseed: 3\n"

/* Data, splits, and a place for run directories. */
typedef struct experiment_runs {
    rg_dataset *data;
    rg_source source;
    rg_splits *splits;
    char *root;
} experiment_runs;

void experiment_runs_open(experiment_runs *p); /* three folds */
void experiment_runs_close(experiment_runs *p);

/* How a run is followed and stopped. */
typedef struct experiment_watch {
    atomic_size_t n_jobs;  /* seen to be over in this call */
    size_t stop_after;     /* so many jobs; SIZE_MAX: never */
    size_t total;          /* as the last state said */
    atomic_long asks_left; /* so often it is not stopped when asked; negative: always */
    bool told;
} experiment_watch;

experiment_watch experiment_watch_all(void); /* never stopped */

/* Runs an experiment in the run directory `name` of the place. options: those but the directory
 * and the callbacks. */
rg_status experiment_runs_run(rg_run_report *report, const experiment_runs *p, const char *text,
                              const char *name, rg_run_options options, experiment_watch *w,
                              rg_error *err);
/* All of it, or what is left of it, which must be fine. */
rg_run_report experiment_runs_finish(const experiment_runs *p, const char *text, const char *name,
                                     rg_run_options options);
/* The digest of a run directory, which must be sound. */
void experiment_runs_digest(char out[RG_DIGEST_TEXT], const experiment_runs *p, const char *name);
void experiment_runs_ends_as(const experiment_runs *p, const char *name, const char *expected);
/* Whether stores of several processes are there that are not merged yet. */
bool experiment_runs_has_parts(const experiment_runs *p, const char *name);
/* Runs the experiment as options[0] says, with every n-th allocation and every n-th call that touches the
 * disk failing, for n that grow by a part of themselves. A call may also do without what failed. Then all
 * options, the last first, end it as if nothing had been. */
void experiment_runs_may_fail(const char *text, const rg_run_options *options, size_t n_options);
/* For reading. Owned (rg_store_close). */
rg_store *experiment_runs_store(const experiment_runs *p, const char *name);

#endif
