/* finished_runs.h - run directories whose scores are known, for the tests of results. */
#ifndef REGULA_TESTS_SUPPORT_FINISHED_RUNS_H
#define REGULA_TESTS_SUPPORT_FINISHED_RUNS_H

#include "stores.h"

enum { FINISHED_EPOCHS = 4 };

/* Scores of a run on (configuration, fold), which has its number, FINISHED_EPOCHS epochs and best
 * epoch 2 already, and of its epochs. */
typedef void (*finished_score)(rg_run *run, rg_epoch *epochs, uint32_t configuration,
                               uint32_t fold);

/* Two configurations on two folds, three runs each: validation 0.8 and 0.6, and 0.7 and 0.9; test
 * 0.05 below, 0.01 more with every run; validation curves that are best in epoch 3. */
void finished_score_known(rg_run *run, rg_epoch *epochs, uint32_t configuration, uint32_t fold);

/* A store of the plan in `directory` with the first n jobs done. */
void finished_runs_fill(const char *directory, const test_store_plan *t, size_t n,
                        finished_score score);
/* Job `job` of the store failed for that reason. */
void finished_runs_fail(const char *directory, size_t job, const char *message);

#endif
