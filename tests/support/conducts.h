/* conducts.h - small experiments in run directories, followed and stopped. */
#ifndef REGULA_TESTS_SUPPORT_CONDUCTS_H
#define REGULA_TESTS_SUPPORT_CONDUCTS_H

#include "chores.h"

#include "jobs/run.h"

#include <stdatomic.h>

#define CONDUCTS_NETWORK                                               \
    "  task: classification\n"                                         \
    "  labels: {a: \"wl(depth=1, from=node)\"}\n"                      \
    "  layers:\n"                                                      \
    "    - rule: share a(i), a(j), dist(i,j) when dist(i,j) in 1..3\n" \
    "    - aggregate: share out, a(i)\n"                               \
    "  training: {epochs: 4, batch: 8}\n"
#define CONDUCTS_HEAD "name: tiny\ndata: toy\nseed: 3\n"

/* Data, splits, and a place for run directories. */
typedef struct conducts {
    rg_dataset *data;
    rg_source source;
    rg_splits *splits;
    char *root;
} conducts;

void conducts_open(conducts *p); /* three folds */
void conducts_close(conducts *p);

/* How a conduct is followed and stopped. */
typedef struct conducts_watch {
    atomic_size_t n_jobs;  /* seen to be over in this call */
    size_t stop_after;     /* so many jobs; SIZE_MAX: never */
    size_t total;          /* as the last state said */
    atomic_long asks_left; /* so often it is not stopped when asked; negative: always */
    bool told;
} conducts_watch;

conducts_watch conducts_watch_all(void); /* never stopped */

/* Conducts an experiment in the run directory `name` of the place. options: those but the directory
 * and the callbacks. */
rg_status conducts_run(rg_run_report *report, const conducts *p, const char *text, const char *name,
                       rg_run_options options, conducts_watch *w, rg_error *err);
/* All of it, or what is left of it, which must be fine. */
rg_run_report conducts_finish(const conducts *p, const char *text, const char *name,
                              rg_run_options options);
/* The digest of a run directory, which must be sound. */
void conducts_digest(char out[RG_DIGEST_TEXT], const conducts *p, const char *name);
void conducts_ends_as(const conducts *p, const char *name, const char *expected);
/* For reading. Owned (rg_store_close). */
rg_store *conducts_store(const conducts *p, const char *name);

#endif
