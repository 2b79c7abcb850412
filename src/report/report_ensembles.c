/* report_ensembles.c - see report_parts.h: ensembles, as rows behind those of the protocols.
 *
 * The page knows verdicts of protocols. An ensemble is one more of them: where a configuration is named, it is
 * the member with the largest weight. */
#include "report_parts.h"

#include <math.h>
#include <stdio.h>

/* The first member with the largest weight, on one fold, or (SIZE_MAX) over all. */
static uint32_t first_member(const rg_ensemble_result *e, size_t fold)
{
    uint32_t best = 0;
    double most = -1;
    for (size_t c = 0; c < e->n_configurations; c++) {
        double weight = fold == SIZE_MAX ? rg_ensemble_weight(e, c, NULL)
                                         : e->weights[fold * e->n_configurations + c];
        best = weight > most ? (uint32_t)c : best;
        most = fmax(most, weight);
    }
    return best;
}

static void add_folds(rg_json *json, const rg_ensemble_result *e, const char *title)
{
    rg_json_open(json, "folds", '[');
    for (size_t f = 0; e->known && f < e->n_folds; f++) {
        rg_json_open(json, NULL, '{');
        rg_json_count(json, "configuration", first_member(e, f));
        rg_json_string(json, "choices", title);
        rg_json_real(json, "score", e->tests[f]);
        rg_json_real(json, "deviation", (double)NAN);
        rg_json_real(json, "validation", e->validations[f]);
        rg_json_real(json, "epoch", (double)NAN);
        rg_json_known(json, "parameters", UINT64_MAX);
        rg_json_count(json, "ties", 0);
        rg_json_close(json, '{');
    }
    rg_json_close(json, '[');
}

static void add_ensemble(rg_json *json, const rg_ensemble_result *e)
{
    char name[RG_ENSEMBLE_TEXT], title[96];
    rg_ensemble_name(name, &e->ensemble);
    snprintf(title, sizeof title, "ensemble %s of %zu configuration%s, %u run%s each", name,
             e->n_members, e->n_members == 1 ? "" : "s", (unsigned)e->n_runs,
             e->n_runs == 1 ? "" : "s");
    rg_json_open(json, NULL, '{');
    rg_json_string(json, "protocol", rg_protocol_name(e->protocol));
    rg_json_string(json, "way", "several configurations answer with the mean of their predictions");
    rg_json_string(json, "part", "test");
    rg_json_string(json, "why_not", e->known ? NULL : e->why.message);
    rg_json_real(json, "mean", e->mean);
    rg_json_real(json, "deviation", e->deviation);
    rg_json_real(json, "majority", (double)NAN);
    rg_json_real(json, "validation", e->validation);
    rg_json_real(json, "epoch", (double)NAN);
    rg_json_known(json, "parameters", UINT64_MAX);
    rg_json_known(json, "configuration", e->known ? first_member(e, SIZE_MAX) : UINT64_MAX);
    rg_json_string(json, "choices", e->known ? title : NULL);
    rg_json_count(json, "chosen", e->n_folds);
    add_folds(json, e, title);
    rg_json_close(json, '{');
}

void rg_report_add_ensembles(rg_json *json, const rg_results *run)
{
    for (size_t k = 0; k < run->n_ensembles; k++)
        add_ensemble(json, &run->ensembles[k]);
}
