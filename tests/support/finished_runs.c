/* finished_runs.c - see finished_runs.h. */
#include "finished_runs.h"

#include "support.h"

#include <math.h>

void finished_score_known(rg_run *run, rg_epoch *epochs, uint32_t configuration, uint32_t fold)
{
    static const double validation[2][2] = {{0.8, 0.6}, {0.7, 0.9}};
    run->validation_score = validation[configuration][fold];
    run->validation_loss = 1 - run->validation_score;
    run->test_score = run->validation_score - 0.06 + 0.01 * run->number;
    run->train_score = 1;
    for (uint32_t e = 0; e < run->epochs; e++)
        epochs[e].validation_score = run->validation_score - 0.1 * fabs((double)e - 2);
}

static void put(rg_store *store, size_t job, finished_score score)
{
    size_t n;
    const rg_store_job *place = &rg_store_jobs(store, &n)[job];
    rg_store_run runs[RG_RUNS_MAX] = {{0}};
    rg_epoch epochs[RG_RUNS_MAX][FINISHED_EPOCHS];
    rg_store_outcome outcome = {.state = RG_JOB_DONE,
                                .n_parameters = 100 + place->configuration,
                                .build_seconds = 0.25,
                                .seconds = 1,
                                .cpu_seconds = 2,
                                .peak_rss = 1000000 * (job + 1),
                                .worker = "here"};
    for (uint32_t k = 0; k < place->n_runs; k++) {
        runs[k] = (rg_store_run){
            .configuration = place->configuration,
            .fold = place->fold,
            .run = {.number = place->first_run + k, .epochs = FINISHED_EPOCHS, .best_epoch = 2},
            .epochs = epochs[k]};
        for (uint32_t e = 0; e < FINISHED_EPOCHS; e++)
            epochs[k][e] = (rg_epoch){.number = e + 1, .lr = 0.5, .train_loss = 0.25};
        score(&runs[k].run, epochs[k], place->configuration, place->fold);
    }
    ASSERT_OK(rg_store_put_job(store, job, &outcome, runs, err));
}

void finished_runs_fill(const char *directory, const test_store_plan *t, size_t n,
                        finished_score score)
{
    rg_store *store = NULL;
    ASSERT_OK(rg_store_create(&store, NULL, directory, &t->plan, err));
    for (size_t k = 0; k < n; k++)
        put(store, k, score);
    rg_store_close(store);
}

void finished_runs_fail(const char *directory, size_t job, const char *message)
{
    rg_store *store = NULL;
    rg_store_outcome outcome = {.state = RG_JOB_FAILED, .message = message};
    ASSERT_OK(rg_store_open(&store, directory, true, err));
    ASSERT_OK(rg_store_put_job(store, job, &outcome, NULL, err));
    rg_store_close(store);
}
