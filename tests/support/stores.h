/* stores.h - small experiments and what their jobs come to, for the tests of the store. */
#ifndef REGULA_TESTS_SUPPORT_STORES_H
#define REGULA_TESTS_SUPPORT_STORES_H

#include "store/store.h"

#include <sqlite3.h>
#include <string.h>

/* A plan with all that it borrows. */
typedef struct test_store_plan {
    rg_store_experiment experiment;
    rg_store_plan plan;
    rg_store_fold *folds;
    rg_store_configuration *configurations;
    rg_store_job *jobs;
    char (*texts)[2][64]; /* choices and recipe of each configuration */
} test_store_plan;

/* All runs of all configurations on all folds, `lanes` of them a job. Owned (test_store_plan_free).
 */
test_store_plan *test_store_plan_make(size_t n_configurations, uint32_t n_folds, uint32_t n_runs,
                                      uint32_t lanes);
void test_store_plan_free(test_store_plan *t);

/* What the runs of a job come to: a function of configuration, fold and run alone, with values that
 * are hard to keep among them, and a prediction for every other run. Owned (rg_store_runs_free). */
rg_store_run *test_runs_make(const rg_store_job *job);
/* Equal, bit by bit? Fails if not. */
void test_runs_equal(const rg_store_run *a, const rg_store_run *b, size_t n);

/* Puts a job with such runs. */
rg_status test_store_put(rg_store *store, size_t job, rg_error *err);
/* A store with jobs from, from + step, ... put, closed again. */
void test_store_fill(const char *directory, const test_store_plan *t, size_t from, size_t step);
/* The digest of a run directory, which must be sound. */
void test_store_digest(char out[RG_DIGEST_TEXT], const char *directory);
/* Plain SQL on the file of a run directory; fails if it does. */
void test_store_sql(const char *directory, const char *sql);

/* A plan and an empty directory to run it in. */
typedef struct test_store_place {
    test_store_plan *t;
    char *root, *directory;
} test_store_place;

test_store_place test_store_place_open(void);
void test_store_place_close(test_store_place *s);
rg_store *test_store_place_begin(const test_store_place *s); /* open for writing */
rg_store *test_store_place_read(const test_store_place *s);

#endif
