/* paper_result.c - from a run directory to the numbers of a table of the paper. */
#include "base/alloc.h"
#include "base/error.h"
#include "paper.h"
#include "results/protocol.h"

#include <string.h>

void rg_paper_result_free(rg_paper_result *result)
{
    rg_free(result->configuration);
    *result = (rg_paper_result){.configuration = NULL};
}

/* Time and memory of all jobs; the seconds of an epoch from those of the chosen configuration.
 * Building is part of the job that came first and is taken out of the sum once. */
static void add_jobs(rg_paper_result *out, const rg_store *store, uint32_t chosen, double epochs)
{
    size_t n;
    const rg_store_job *jobs = rg_store_jobs(store, &n);
    double training = 0, building = 0;
    for (size_t k = 0; k < n; k++) {
        const rg_store_outcome *o = &jobs[k].outcome;
        out->cpu_seconds += o->cpu_seconds;
        out->peak_rss = o->peak_rss > out->peak_rss ? o->peak_rss : out->peak_rss;
        out->n_failed += o->state == RG_JOB_FAILED;
        if (o->state != RG_JOB_DONE || jobs[k].configuration != chosen)
            continue;
        training += o->cpu_seconds;
        building = o->build_seconds;
    }
    /* Configurations that differ in their training share what was built, and then another one may
     * have built it. */
    if (out->n_configurations == 1 && training > building)
        training -= building;
    out->epoch_seconds = epochs > 0 ? training / epochs : 0;
}

static rg_status add_epochs(rg_paper_result *out, const rg_cells *cells, uint32_t chosen,
                            rg_error *err)
{
    double *best = rg_alloc(cells->n_folds, sizeof *best);
    if (!best)
        return rg_fail_memory(err, "the best epochs of an experiment");
    for (size_t f = 0; f < cells->n_folds; f++)
        best[f] = cells->at[chosen * cells->n_folds + f].best_epoch;
    rg_mean_deviation(best, cells->n_folds, &out->best_epoch, &out->best_epoch_deviation);
    rg_free(best);
    return RG_OK;
}

static rg_status fill(rg_paper_result *out, rg_store *store, const rg_cells *cells,
                      const rg_store_run *runs, size_t n, rg_error *err)
{
    const rg_store_configuration *all = rg_store_configurations(store, &out->n_configurations);
    rg_protocol_result chosen = {.folds = NULL};
    double epochs = 0;
    rg_status status = rg_protocol_run(&chosen, RG_PROTOCOL_GLOBAL, cells, store, err);
    if (status)
        return status;
    out->mean = 100 * chosen.mean;
    out->deviation = 100 * chosen.deviation;
    out->validation = 100 * chosen.validation;
    for (size_t k = 0; k < n; k++)
        if (runs[k].configuration == chosen.configuration)
            epochs += runs[k].run.epochs;
    add_jobs(out, store, chosen.configuration, epochs);
    status = add_epochs(out, cells, chosen.configuration, err);
    if (!status)
        status = rg_store_digest(out->digest, store, err);
    if (!status) {
        const char *choices = all[chosen.configuration].choices;
        out->configuration = rg_copy_text(choices, strlen(choices));
        if (!out->configuration)
            status = rg_fail_memory(err, "the result of an experiment");
    }
    rg_protocol_free(&chosen);
    return status;
}

rg_status rg_paper_result_read(rg_paper_result *out, const char *directory, rg_error *err)
{
    rg_store *store = NULL;
    rg_store_run *runs = NULL;
    rg_cells cells = {0};
    rg_paper_result result = {.configuration = NULL};
    size_t n = 0, n_configurations = 0;
    rg_status status = rg_store_open(&store, directory, false, err);
    if (!status)
        status = rg_store_runs(&runs, &n, store, err);
    if (!status) {
        const rg_store_experiment *about = rg_store_about(store);
        rg_store_configurations(store, &n_configurations);
        result.n_folds = about->n_folds;
        result.n_runs = about->n_runs;
        status = rg_cells_make(&cells, runs, n, n_configurations, about->n_folds, about->n_runs,
                               false, err);
    }
    if (!status)
        status = fill(&result, store, &cells, runs, n, err);
    rg_cells_free(&cells);
    rg_store_runs_free(runs, n);
    rg_store_close(store);
    if (status)
        rg_paper_result_free(&result);
    else
        *out = result;
    return status;
}
