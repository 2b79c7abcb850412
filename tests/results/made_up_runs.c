/* made_up_runs.c - see made_up_runs.h. */
#include "made_up_runs.h"

static rg_store_run as_run(const made_up_runs *t, uint32_t c, uint32_t f, uint32_t r)
{
    uint32_t epochs = t->n_epochs[c][f][r] ? t->n_epochs[c][f][r] : 1;
    return (rg_store_run){.configuration = c,
                          .fold = f,
                          .run = {.number = r,
                                  .epochs = epochs,
                                  .best_epoch = t->failed[c][f][r] ? 0 : epochs,
                                  .failed = t->failed[c][f][r],
                                  .train_score = 1,
                                  .validation_score = t->validation[c][f][r] / 10.0,
                                  .validation_loss = t->loss[c][f][r] / 10.0,
                                  .test_score = t->test[c][f][r] / 10.0}};
}

static size_t all_runs(rg_store_run *runs, const made_up_runs *t)
{
    size_t n = 0;
    for (uint32_t c = 0; c < t->n_configurations; c++)
        for (uint32_t f = 0; f < t->n_folds; f++)
            for (uint32_t r = 0; r < t->n_runs; r++)
                if (t->there[c][f][r])
                    runs[n++] = as_run(t, c, f, r);
    return n;
}

rg_cells made_up_cells(const made_up_runs *t)
{
    rg_store_run runs[C * F * R];
    rg_cells cells;
    size_t n = all_runs(runs, t);
    ASSERT_OK(
        rg_cells_make(&cells, runs, n, t->n_configurations, t->n_folds, t->n_runs, t->low, err));
    return cells;
}

rg_store *made_up_store(const char *directory, const made_up_runs *t)
{
    test_store_plan *plan = test_store_plan_make(t->n_configurations, t->n_folds, t->n_runs, 1);
    rg_store *store = NULL;
    size_t job = 0;
    ASSERT_OK(rg_store_create(&store, NULL, directory, &plan->plan, err));
    for (uint32_t c = 0; c < t->n_configurations; c++)
        for (uint32_t f = 0; f < t->n_folds; f++)
            for (uint32_t r = 0; r < t->n_runs; r++, job++) {
                rg_store_run run = as_run(t, c, f, r);
                rg_store_outcome outcome = {.state = RG_JOB_DONE};
                rg_epoch epochs[E] = {{0}};
                for (uint32_t e = 0; e < run.run.epochs; e++)
                    epochs[e] = (rg_epoch){.number = e + 1,
                                           .validation_score = t->curve[c][f][r][e] / 10.0,
                                           .validation_loss = t->curve_loss[c][f][r][e] / 10.0};
                run.epochs = epochs;
                if (t->there[c][f][r])
                    ASSERT_OK(rg_store_put_job(store, job, &outcome, &run, err));
            }
    test_store_plan_free(plan);
    return store;
}

void made_up_near(double a, double b)
{
    if (!(fabs(a - b) < 1e-9) && !(isnan(a) && isnan(b)))
        fail_msg("%.17g, expected %.17g", a, b);
}
