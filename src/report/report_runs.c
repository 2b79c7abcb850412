/* report_runs.c - see report_parts.h: one run, as a row of tables. */
#include "report_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void add_about(rg_json *json, const rg_results *r)
{
    const rg_store_experiment *e = r->about;
    char seed[24];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)e->seed);
    rg_json_string(json, "name", e->name);
    rg_json_string(json, "directory", rg_store_directory(r->store));
    rg_json_string(json, "data", e->data);
    rg_json_string(json, "data_path", e->data_path);
    rg_json_string(json, "data_digest", e->data_digest);
    rg_json_string(json, "splits", e->splits);
    rg_json_string(json, "splits_digest", e->splits_digest);
    rg_json_string(json, "fit", e->fit);
    rg_json_string(json, "seed", seed); /* up to 2^64, which numbers of a page do not hold */
    rg_json_count(json, "runs", e->n_runs);
    rg_json_string(json, "score", r->metric == RG_METRIC_MAE ? "error" : rg_metric_name(r->metric));
    rg_json_string(json, "experiment_digest", e->digest);
    rg_json_string(json, "digest", r->digest);
    rg_json_string(json, "version", e->version);
    rg_json_string(json, "created", e->created);
    rg_json_string(json, "host", e->host);
    rg_json_string(json, "cpu", e->cpu);
    rg_json_string(json, "kernel", e->kernel);
    rg_json_count(json, "cores", e->n_cores);
}

static void add_jobs(rg_json *json, const rg_results *r)
{
    rg_json_open(json, "jobs", '{');
    rg_json_count(json, "done", r->n_done);
    rg_json_count(json, "failed", r->n_failed);
    rg_json_count(json, "waiting", r->n_waiting);
    rg_json_real(json, "build_seconds", r->build_seconds);
    rg_json_real(json, "seconds", r->seconds);
    rg_json_real(json, "cpu_seconds", r->cpu_seconds);
    rg_json_count(json, "memory", r->peak_rss);
    rg_json_close(json, '{');
}

static void add_folds(rg_json *json, const rg_results *r)
{
    rg_json_open(json, "folds", '[');
    for (uint32_t f = 0; f < r->about->n_folds; f++) {
        const rg_store_fold *fold = r->folds ? &r->folds[f] : NULL;
        rg_json_open(json, NULL, '{');
        rg_json_count(json, "number", rg_results_fold(r, f));
        rg_json_known(json, "train", fold ? fold->n_train : UINT64_MAX);
        rg_json_known(json, "validation", fold ? fold->n_validation : UINT64_MAX);
        rg_json_known(json, "test", fold ? fold->n_test : UINT64_MAX);
        rg_json_known(json, "copies", fold ? fold->n_copies : UINT64_MAX);
        rg_json_real(json, "majority", fold ? fold->majority : (double)NAN);
        rg_json_real(json, "majority_validation", fold ? fold->majority_validation : (double)NAN);
        rg_json_close(json, '{');
    }
    rg_json_close(json, '[');
}

static void add_fold_results(rg_json *json, const rg_results *r, const rg_verdict *v)
{
    rg_json_open(json, "folds", '[');
    for (uint32_t f = 0; f < v->result.n_folds; f++) {
        const rg_fold_result *fold = &v->result.folds[f];
        uint64_t parameters = rg_results_parameters(r, fold->configuration, f);
        rg_json_open(json, NULL, '{');
        rg_json_count(json, "configuration", fold->configuration);
        rg_json_string(json, "choices", r->configurations[fold->configuration].choices);
        rg_json_real(json, "score", v->tested ? fold->test : fold->validation);
        rg_json_real(json, "deviation", v->tested ? fold->deviation : (double)NAN);
        rg_json_real(json, "validation", fold->validation);
        rg_json_real(json, "epoch",
                     v->tested ? rg_results_cell(r, fold->configuration, f)->best_epoch
                               : (double)v->result.epoch);
        rg_json_known(json, "parameters", parameters ? parameters : UINT64_MAX);
        rg_json_count(json, "ties", fold->n_ties);
        rg_json_close(json, '{');
    }
    rg_json_close(json, '[');
}

static void add_verdict(rg_json *json, const rg_results *r, const rg_verdict *v)
{
    rg_json_open(json, NULL, '{');
    rg_json_string(json, "protocol", rg_protocol_name(v->protocol));
    rg_json_string(json, "way", rg_protocol_way(v->protocol));
    rg_json_string(json, "part", v->tested ? "test" : "validation");
    rg_json_string(json, "why_not", v->known ? NULL : v->why.message);
    rg_json_real(json, "mean", v->known ? v->result.mean : (double)NAN);
    rg_json_real(json, "deviation", v->known ? v->result.deviation : (double)NAN);
    rg_json_real(json, "majority", v->majority);
    rg_json_real(json, "validation", v->known ? v->result.validation : (double)NAN);
    rg_json_real(json, "epoch", v->best_epoch);
    rg_json_known(json, "parameters", v->parameters ? v->parameters : UINT64_MAX);
    rg_json_known(json, "configuration", v->known ? v->result.configuration : UINT64_MAX);
    rg_json_string(json, "choices",
                   v->known ? r->configurations[v->result.configuration].choices : NULL);
    rg_json_count(json, "chosen", v->n_chosen);
    add_fold_results(json, r, v);
    rg_json_close(json, '{');
}

static bool same_folds(const rg_results *a, const rg_results *b)
{
    for (uint32_t f = 0; f < a->about->n_folds; f++)
        if (rg_results_fold(a, f) != rg_results_fold(b, f))
            return false;
    return true;
}

/* What keeps the numbers of two runs from being compared. */
static void add_differences(rg_json *json, const rg_results *run, const rg_results *main)
{
    const rg_store_experiment *a = main->about, *b = run->about;
    rg_json_open(json, "differences", '[');
    if (run->metric != main->metric)
        rg_json_string(json, NULL, "it has a different kind of score");
    if (strcmp(a->data_digest, b->data_digest) != 0)
        rg_json_string(json, NULL, "it uses different data");
    if (strcmp(a->splits_digest, b->splits_digest) != 0)
        rg_json_string(json, NULL, "it uses different splits");
    if (strcmp(a->fit, b->fit) != 0)
        rg_json_string(json, NULL, "its label vocabularies were fitted on different graphs");
    if (a->n_folds != b->n_folds)
        rg_json_string(json, NULL, "it has a different number of folds");
    else if (!same_folds(main, run))
        rg_json_string(json, NULL, "it uses different folds");
    rg_json_close(json, '[');
}

void rg_report_add_run(rg_json *json, const rg_results *run, const rg_results *main)
{
    rg_json_open(json, NULL, '{');
    add_about(json, run);
    add_jobs(json, run);
    add_folds(json, run);
    rg_json_open(json, "protocols", '[');
    for (size_t k = 0; k < run->n_verdicts; k++)
        add_verdict(json, run, &run->verdicts[k]);
    rg_report_add_ensembles(json, run);
    rg_json_close(json, '[');
    rg_json_open(json, "warnings", '[');
    for (size_t k = 0; k < run->n_warnings; k++)
        rg_json_string(json, NULL, run->warnings[k]);
    rg_json_close(json, '[');
    add_differences(json, run, main);
    rg_json_close(json, '{');
}
