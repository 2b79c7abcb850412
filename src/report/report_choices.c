/* report_choices.c - see report_parts.h: configurations ranked by validation score. */
#include "base/alloc.h"
#include "report_parts.h"
#include "results/standings.h"

#include <math.h>

#define MOST_CONFIGURATIONS 500 /* in a report; the store has them all */

static void add_standing(rg_json *json, const rg_results *r, const rg_standing *s)
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
    rg_json_real(json, "epoch", s->best_epoch);
    rg_json_known(json, "parameters", s->parameters ? s->parameters : UINT64_MAX);
    rg_json_known(json, "connections", s->connections ? s->connections : UINT64_MAX);
    rg_json_real(json, "seconds", s->n_jobs ? s->seconds : (double)NAN);
    rg_json_close(json, '{');
}

rg_status rg_report_add_configurations(rg_report *report, rg_error *err)
{
    const rg_results *r = report->results;
    rg_json *json = &report->json;
    rg_standing *all = NULL;
    rg_status status = rg_standings_make(&all, r, report->verdict, err);
    if (status)
        return status;
    rg_json_count(json, "n_configurations", r->n_configurations);
    rg_json_open(json, "configurations", '[');
    for (size_t k = 0; k < r->n_configurations && k < MOST_CONFIGURATIONS; k++)
        add_standing(json, r, &all[k]);
    rg_json_close(json, '[');
    rg_json_string(json, "recipe", r->configurations[report->chosen[0]].recipe);
    rg_free(all);
    return RG_OK;
}
