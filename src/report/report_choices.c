/* report_choices.c - see report_parts.h: configurations, ranked by the validation parts. */
#include "base/alloc.h"
#include "base/error.h"
#include "report_parts.h"

#include <math.h>
#include <stdlib.h>

#define MOST_CONFIGURATIONS 500 /* in a report; the store has them all */

/* Means over the folds where all runs of a configuration are there. */
typedef struct standing {
    uint32_t configuration;
    size_t n_folds, n_chosen; /* folds with all runs; folds where it was chosen */
    bool low;
    double validation, deviation, loss, train, epoch;
    double seconds; /* of its jobs */
    uint64_t parameters, connections;
    size_t n_jobs; /* that are done */
} standing;

static standing stand(const rg_report *report, uint32_t c, double *scores)
{
    const rg_results *r = report->results;
    standing s = {.configuration = c, .low = r->errors};
    for (uint32_t f = 0; f < r->about->n_folds; f++) {
        const rg_cell *cell = rg_results_cell(r, c, f);
        s.n_chosen += report->verdict && report->chosen[f] == c;
        if (isnan(cell->validation))
            continue;
        scores[s.n_folds++] = cell->validation;
        s.loss += cell->validation_loss;
        s.train += cell->train;
        s.epoch += cell->best_epoch;
    }
    rg_mean_deviation(scores, s.n_folds, &s.validation, &s.deviation);
    s.loss /= (double)s.n_folds; /* NaN without folds, as the mean is */
    s.train /= (double)s.n_folds;
    s.epoch /= (double)s.n_folds;
    return s;
}

/* Time and sizes; jobs ascend by configuration. */
static void add_jobs(standing *all, const rg_results *r)
{
    for (size_t k = 0; k < r->n_jobs; k++) {
        const rg_store_outcome *o = &r->jobs[k].outcome;
        standing *s = &all[r->jobs[k].configuration];
        if (o->state != RG_JOB_DONE)
            continue;
        s->n_jobs++;
        s->seconds += isfinite(o->seconds) ? o->seconds : 0;
        s->parameters = o->n_parameters > s->parameters ? o->n_parameters : s->parameters;
        s->connections = o->connections > s->connections ? o->connections : s->connections;
    }
}

/* Better ones first, as protocols choose; those without a score last. */
static int compare_standings(const void *x, const void *y)
{
    const standing *a = x, *b = y;
    if (isnan(a->validation) != isnan(b->validation))
        return isnan(a->validation) ? 1 : -1;
    if (a->validation != b->validation && !isnan(a->validation))
        return (a->validation < b->validation) == a->low ? -1 : 1;
    if (a->loss != b->loss && !isnan(a->loss) && !isnan(b->loss))
        return a->loss < b->loss ? -1 : 1;
    return a->configuration < b->configuration ? -1 : 1;
}

static void add_standing(rg_json_text *json, const rg_results *r, const standing *s)
{
    rg_json_open(json, NULL, '{');
    rg_json_count(json, "number", s->configuration);
    rg_json_string(json, "choices", r->configurations[s->configuration].choices);
    rg_json_count(json, "folds", s->n_folds);
    rg_json_count(json, "chosen", s->n_chosen);
    rg_json_real(json, "validation", s->validation);
    rg_json_real(json, "deviation", s->deviation);
    rg_json_real(json, "loss", s->loss);
    rg_json_real(json, "train", s->train);
    rg_json_real(json, "epoch", s->epoch);
    rg_json_known(json, "parameters", s->parameters ? s->parameters : UINT64_MAX);
    rg_json_known(json, "connections", s->connections ? s->connections : UINT64_MAX);
    rg_json_real(json, "seconds", s->n_jobs ? s->seconds : (double)NAN);
    rg_json_close(json, '{');
}

rg_status rg_report_add_configurations(rg_report *report, rg_error *err)
{
    const rg_results *r = report->results;
    rg_json_text *json = &report->json;
    size_t n = r->n_configurations;
    standing *all = rg_alloc(n, sizeof *all);
    double *scores = rg_alloc(r->about->n_folds, sizeof *scores);
    rg_status status = all && scores ? RG_OK : rg_fail_memory(err, "ranking configurations");
    for (uint32_t c = 0; !status && c < n; c++)
        all[c] = stand(report, c, scores);
    if (!status) {
        add_jobs(all, r);
        qsort(all, n, sizeof *all, compare_standings);
        rg_json_count(json, "n_configurations", n);
        rg_json_open(json, "configurations", '[');
        for (size_t k = 0; k < n && k < MOST_CONFIGURATIONS; k++)
            add_standing(json, r, &all[k]);
        rg_json_close(json, '[');
        rg_json_string(json, "recipe", r->configurations[report->chosen[0]].recipe);
    }
    rg_free(scores);
    rg_free(all);
    return status;
}
