/* show_ensembles.c - see show_ensembles.h. */
#include "show_ensembles.h"

#include "base/alloc.h"
#include "cli/output/output.h"

#include <math.h>

/* ---- tables */

static void add_title(rg_text *out, const rg_ensemble_result *e)
{
    char name[RG_ENSEMBLE_TEXT];
    rg_ensemble_name(name, &e->ensemble);
    rg_text_add(out, "ensemble %s", name);
    if (!e->known)
        return;
    rg_text_add(out, ": %zu configuration%s", e->n_members, e->n_members == 1 ? "" : "s");
    if (e->n_runs > 1)
        rg_text_add(out, ", %u runs each", (unsigned)e->n_runs);
}

void cli_ensemble_rows(cli_table *table, const rg_results *results, rg_protocol protocol)
{
    for (size_t k = 0; k < results->n_ensembles; k++) {
        const rg_ensemble_result *e = &results->ensembles[k];
        rg_text title = {0};
        if (e->protocol != protocol)
            continue;
        add_title(&title, e);
        char *text = rg_text_take(&title);
        table->failed |= !text;
        bool compares = rg_results_compares(results);
        if (compares)
            cli_cell_text(table, "ensemble");
        cli_cell_text(table, rg_protocol_name(protocol));
        cli_cell_text(table, "test");
        cli_cell_spread(table, e->mean, e->deviation);
        if (compares)
            cli_cell_none(table); /* difference */
        if (results->metric == RG_METRIC_ACCURACY)
            cli_cell_none(table); /* majority: that of the row above */
        cli_cell_real(table, e->validation);
        cli_cell_none(table); /* epoch */
        cli_cell_none(table); /* parameters */
        cli_cell_none(table); /* configuration */
        cli_cell_known(table, e->known ? e->n_folds : UINT64_MAX);
        cli_cell_text(table, text);
        rg_free(text);
    }
}

void cli_ensemble_notes(rg_text *out, const rg_results *results)
{
    static const char *const ways[] = {
        [RG_ENSEMBLE_ALL] = "the mean of what all configurations predict",
        [RG_ENSEMBLE_TOP] = "the mean of the configurations with the best validation scores",
        [RG_ENSEMBLE_STACK] = "a mean of all configurations, weighted by the validation sets",
    };
    char name[RG_ENSEMBLE_TEXT];
    for (size_t k = 0; k < results->n_ensembles; k++) {
        const rg_ensemble_result *e = &results->ensembles[k];
        if (k && e[-1].ensemble.kind == e->ensemble.kind && e[-1].ensemble.top == e->ensemble.top)
            continue;
        rg_ensemble_name(name, &e->ensemble);
        rg_text_add(out, "ensemble %s: %s\n", name, ways[e->ensemble.kind]);
    }
}

/* ---- JSON */

static json_t *spread_json(double mean, double deviation)
{
    json_t *object = json_object();
    cli_json_set(&object, "mean", cli_json_real(mean));
    cli_json_set(&object, "std", cli_json_real(deviation));
    return object;
}

static json_t *members_json(const rg_results *r, const rg_ensemble_result *e)
{
    json_t *list = json_array();
    for (size_t c = 0; e->known && c < r->n_configurations; c++) {
        size_t folds = 0;
        double weight = rg_ensemble_weight(e, c, &folds);
        if (!folds)
            continue;
        json_t *item = json_object();
        cli_json_set(&item, "configuration", cli_json_count(c));
        cli_json_set(&item, "choices", cli_json_text(r->configurations[c].choices));
        cli_json_set(&item, "weight", cli_json_real(weight));
        cli_json_set(&item, "folds", cli_json_count(folds));
        cli_json_add(&list, item);
    }
    return list;
}

static json_t *ensemble_json(const rg_results *r, const rg_ensemble_result *e)
{
    char name[RG_ENSEMBLE_TEXT];
    bool accuracy = e->known && r->metric == RG_METRIC_ACCURACY;
    bool error = e->known && r->metric == RG_METRIC_MAE;
    json_t *item = json_object(), *folds = json_array();
    rg_ensemble_name(name, &e->ensemble);
    cli_json_set(&item, "ensemble", json_string(name));
    cli_json_set(&item, "protocol", json_string(rg_protocol_name(e->protocol)));
    cli_json_set(&item, "part", json_string("test"));
    cli_json_set(&item, "members", members_json(r, e));
    cli_json_set(&item, "runs", cli_json_count(e->n_runs));
    cli_json_set(&item, "accuracy", accuracy ? spread_json(e->mean, e->deviation) : json_null());
    cli_json_set(&item, "error", error ? spread_json(e->mean, e->deviation) : json_null());
    cli_json_set(&item, "score", e->known ? spread_json(e->mean, e->deviation) : json_null());
    cli_json_set(&item, "validation", cli_json_real(e->known ? e->validation : (double)NAN));
    for (size_t f = 0; e->known && f < e->n_folds; f++) {
        json_t *fold = json_object();
        cli_json_set(&fold, "fold", cli_json_count(rg_results_fold(r, f)));
        cli_json_set(&fold, "test", cli_json_real(e->tests[f]));
        cli_json_set(&fold, "validation", cli_json_real(e->validations[f]));
        cli_json_add(&folds, fold);
    }
    cli_json_set(&item, "folds", folds);
    cli_json_set(&item, "why_not", e->known ? json_null() : cli_json_text(e->why.message));
    return item;
}

json_t *cli_ensembles_json(const rg_results *results)
{
    json_t *list = json_array();
    for (size_t k = 0; k < results->n_ensembles; k++)
        cli_json_add(&list, ensemble_json(results, &results->ensembles[k]));
    return list;
}
