/* standings.c - see standings.h. */
#include "standings.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>

/* scores: room for one per fold. */
static rg_standing stand(const rg_results *r, const rg_verdict *v, uint32_t c, double *scores)
{
    rg_standing s = {.configuration = c, .low = rg_metric_is_low(r->metric)};
    for (uint32_t f = 0; f < r->about->n_folds; f++) {
        const rg_cell *cell = rg_results_cell(r, c, f);
        s.n_chosen += v && rg_results_chosen(r, v, c, f);
        if (isnan(cell->validation))
            continue;
        scores[s.n_folds++] = cell->validation;
        s.loss += cell->validation_loss;
        s.train += cell->train;
        s.best_epoch += cell->best_epoch;
    }
    rg_mean_deviation(scores, s.n_folds, &s.validation, &s.deviation);
    s.loss /= (double)s.n_folds; /* NaN without folds, as the mean is */
    s.train /= (double)s.n_folds;
    s.best_epoch /= (double)s.n_folds;
    return s;
}

/* Time and sizes. */
static void add_jobs(rg_standing *all, const rg_results *r)
{
    for (size_t k = 0; k < r->n_jobs; k++) {
        const rg_store_outcome *o = &r->jobs[k].outcome;
        rg_standing *s = &all[r->jobs[k].configuration];
        if (o->state != RG_JOB_DONE)
            continue;
        s->n_jobs++;
        s->seconds += isfinite(o->seconds) ? o->seconds : 0;
        s->parameters = o->n_parameters > s->parameters ? o->n_parameters : s->parameters;
        s->connections = o->connections > s->connections ? o->connections : s->connections;
    }
}

static int compare_standings(const void *x, const void *y)
{
    const rg_standing *a = x, *b = y;
    if (isnan(a->validation) != isnan(b->validation))
        return isnan(a->validation) ? 1 : -1;
    if (a->validation != b->validation && !isnan(a->validation))
        return (a->validation < b->validation) == a->low ? -1 : 1;
    if (a->loss != b->loss && !isnan(a->loss) && !isnan(b->loss))
        return a->loss < b->loss ? -1 : 1;
    return a->configuration < b->configuration ? -1 : 1;
}

rg_status rg_standings_make(rg_standing **out, const rg_results *results, const rg_verdict *verdict,
                            rg_error *err)
{
    rg_standing *all = rg_alloc(results->n_configurations, sizeof *all);
    double *scores = rg_alloc(results->about->n_folds, sizeof *scores);
    rg_status status = all && scores ? RG_OK : rg_fail_memory(err, "ranking configurations");
    for (uint32_t c = 0; c < results->n_configurations && !status; c++)
        all[c] = stand(results, verdict, c, scores);
    if (!status) {
        add_jobs(all, results);
        qsort(all, results->n_configurations, sizeof *all, compare_standings);
        *out = all;
        all = NULL; /* now the caller's */
    }
    rg_free(scores);
    rg_free(all);
    return status;
}
