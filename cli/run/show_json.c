/* show_json.c - see show.h: the results of a run as one object. */
#include "cli/output/output.h"
#include "show.h"
#include "show_choice.h"
#include "show_ensembles.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static json_t *spread_json(double mean, double deviation)
{
    json_t *object = json_object();
    cli_json_set(&object, "mean", cli_json_real(mean));
    cli_json_set(&object, "std", cli_json_real(deviation));
    return object;
}

/* Accuracies and errors are null where scores are not. */
static void set_verdict(json_t **object, const rg_results *r, const rg_verdict *v)
{
    const rg_protocol_result *result = &v->result;
    bool accuracy = v->known && r->metric == RG_METRIC_ACCURACY;
    bool error = v->known && r->metric == RG_METRIC_MAE;
    if (rg_results_compares(r))
        cli_json_set(object, "method", cli_json_text(rg_results_method(r, v)));
    cli_json_set(object, "protocol", json_string(rg_protocol_name(v->protocol)));
    cli_json_set(object, "part", json_string(v->tested ? "test" : "validation"));
    cli_json_set(object, "accuracy",
                 accuracy ? spread_json(result->mean, result->deviation) : json_null());
    cli_json_set(object, "error",
                 error ? spread_json(result->mean, result->deviation) : json_null());
    cli_json_set(object, "score",
                 v->known ? spread_json(result->mean, result->deviation) : json_null());
    cli_json_set(object, "majority", cli_json_real(v->majority));
    cli_json_set(object, "validation", cli_json_real(v->known ? result->validation : (double)NAN));
    cli_json_set(object, "best_epoch", cli_json_real(v->best_epoch));
    cli_json_set(object, "parameters", v->parameters ? cli_json_count(v->parameters) : json_null());
    cli_json_set(object, "configuration",
                 v->known ? cli_json_count(result->configuration) : json_null());
    cli_json_set(object, "choices",
                 v->known ? cli_json_text(r->configurations[result->configuration].choices)
                          : json_null());
    cli_json_set(object, "whole", json_boolean(v->known && result->whole));
    cli_json_set(object, "ties", cli_json_count(result->n_ties));
    cli_choice_json(object, v);
}

static json_t *folds_json(const cli_show *show)
{
    cli_show folds = *show;
    cli_table table = {0};
    folds.table = CLI_SHOW_FOLDS;
    folds.top = 0;
    json_t *list = NULL;
    rg_status status = cli_show_fill(&table, &folds, NULL);
    if (!status)
        list = cli_table_json(&table);
    else if (status == RG_EFAIL) /* the verdict is not known: so are its folds */
        list = json_array();
    cli_table_free(&table);
    return list;
}

/* A row per method: its scores by the first protocol, and the difference to the reference. */
static json_t *methods_json(const cli_show *show)
{
    const rg_compared_run run = {NULL, show->results};
    rg_comparison all = {0};
    cli_table table = {0};
    json_t *list = NULL;
    rg_status status = rg_comparison_make(&all, &run, 1, 0, show->against, NULL);
    if (!status)
        status = cli_show_fill_long(&table, &all, NULL);
    if (!status)
        list = cli_table_json(&table);
    cli_table_free(&table);
    rg_comparison_free(&all);
    return list;
}

static void set_question(json_t **root, const rg_results *r)
{
    const rg_store_experiment *e = r->about;
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, e->seed);
    cli_json_set(root, "name", cli_json_text(e->name));
    cli_json_set(root, "directory", cli_json_text(rg_store_directory(r->store)));
    cli_json_set(root, "data", cli_json_text(e->data));
    cli_json_set(root, "data_digest", cli_json_text(e->data_digest));
    cli_json_set(root, "splits", cli_json_text(e->splits));
    cli_json_set(root, "splits_digest", cli_json_text(e->splits_digest));
    cli_json_set(root, "fit", cli_json_text(e->fit));
    cli_json_set(root, "seed", json_string(seed)); /* not every program reads 64 bits */
    cli_json_set(root, "runs", cli_json_count(e->n_runs));
    cli_json_set(root, "metric", json_string(rg_metric_name(r->metric)));
}

static void set_work(json_t **root, const cli_show *show)
{
    const rg_results *r = show->results;
    cli_json_set(root, "configurations", cli_json_count(r->n_configurations));
    cli_json_set(root, "jobs", cli_json_count(r->n_jobs));
    cli_json_set(root, "jobs_done", cli_json_count(r->n_done));
    cli_json_set(root, "jobs_failed", cli_json_count(r->n_failed));
    cli_json_set(root, "jobs_waiting", cli_json_count(r->n_waiting));
    cli_json_set(root, "seconds", cli_json_real(isnan(show->seconds) ? r->seconds : show->seconds));
    cli_json_set(root, "cpu_seconds", cli_json_real(r->cpu_seconds));
    cli_json_set(root, "peak_rss_mb", cli_json_real((double)r->peak_rss / 1e6));
    cli_json_set(root, "created", cli_json_text(r->about->created));
    cli_json_set(root, "version", cli_json_text(r->about->version));
}

json_t *cli_show_json(const cli_show *show)
{
    const rg_results *r = show->results;
    json_t *root = json_object(), *protocols = json_array(), *warnings = json_array();
    set_question(&root, r);
    set_verdict(&root, r, &r->verdicts[0]);
    cli_json_set(&root, "folds", folds_json(show));
    for (size_t k = 0; k < r->n_verdicts; k++) {
        json_t *item = json_object();
        set_verdict(&item, r, &r->verdicts[k]);
        cli_json_add(&protocols, item);
    }
    cli_json_set(&root, "protocols", protocols);
    if (rg_results_compares(r))
        cli_json_set(&root, "methods", methods_json(show));
    cli_json_set(&root, "ensembles", cli_ensembles_json(r));
    set_work(&root, show);
    for (size_t k = 0; k < r->n_warnings; k++)
        cli_json_add(&warnings, cli_json_text(r->warnings[k]));
    cli_json_set(&root, "warnings", warnings);
    cli_json_set(&root, "digest", json_string(r->digest));
    return root;
}
