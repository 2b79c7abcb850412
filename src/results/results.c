/* results.c - see results.h. */
#include "results.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

/* ---- looking things up */

const rg_cell *rg_results_cell(const rg_results *results, size_t configuration, size_t fold)
{
    return &results->cells.at[configuration * results->cells.n_folds + fold];
}

uint64_t rg_results_fold(const rg_results *results, size_t fold)
{
    return results->folds ? results->folds[fold].number : fold;
}

/* Jobs ascend by configuration and fold: the first of the cell, then on to one that is done. */
uint64_t rg_results_parameters(const rg_results *results, uint32_t configuration, uint32_t fold)
{
    size_t from = 0, to = results->n_jobs;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        const rg_store_job *job = &results->jobs[middle];
        if (job->configuration < configuration ||
            (job->configuration == configuration && job->fold < fold))
            from = middle + 1;
        else
            to = middle;
    }
    for (; from < results->n_jobs; from++) {
        const rg_store_job *job = &results->jobs[from];
        if (job->configuration != configuration || job->fold != fold)
            break;
        if (job->outcome.state == RG_JOB_DONE)
            return job->outcome.n_parameters;
    }
    return 0;
}

bool rg_results_compares(const rg_results *results)
{
    return results->methods && results->methods[0].name;
}

const char *rg_results_method(const rg_results *results, const rg_verdict *verdict)
{
    return results->methods[verdict->method].name;
}

bool rg_results_chosen(const rg_results *results, const rg_verdict *verdict, uint32_t configuration,
                       uint32_t fold)
{
    for (size_t k = 0; k < results->n_verdicts; k++) {
        const rg_verdict *v = &results->verdicts[k];
        if (v->protocol == verdict->protocol && v->known &&
            v->result.folds[fold].configuration == configuration)
            return true;
    }
    return false;
}

/* ---- jobs */

static void add_seconds(double *sum, double seconds)
{
    *sum += isfinite(seconds) ? seconds : 0;
}

static void sum_jobs(rg_results *r)
{
    for (size_t k = 0; k < r->n_jobs; k++) {
        const rg_store_outcome *o = &r->jobs[k].outcome;
        r->n_done += o->state == RG_JOB_DONE;
        r->n_failed += o->state == RG_JOB_FAILED;
        r->n_waiting += o->state == RG_JOB_WAITING;
        add_seconds(&r->build_seconds, o->build_seconds);
        add_seconds(&r->seconds, o->seconds);
        add_seconds(&r->cpu_seconds, o->cpu_seconds);
        r->peak_rss = o->peak_rss > r->peak_rss ? o->peak_rss : r->peak_rss;
    }
}

/* ---- protocols */

/* The words of the experiment that are protocols, each once. */
static size_t read_protocols(rg_protocol out[RG_PROTOCOLS], const char *words)
{
    static const char between[] = " ,";
    bool taken[RG_PROTOCOLS] = {false};
    size_t n = 0;
    for (words += strspn(words, between); *words; words += strspn(words, between)) {
        size_t length = strcspn(words, between);
        for (int p = 0; p < RG_PROTOCOLS; p++) {
            const char *name = rg_protocol_name((rg_protocol)p);
            if (taken[p] || strlen(name) != length || memcmp(name, words, length) != 0)
                continue;
            taken[p] = true;
            out[n++] = (rg_protocol)p;
        }
        words += length;
    }
    return n;
}

static double mean_majority(const rg_results *r, bool tested)
{
    double sum = 0;
    for (size_t f = 0; r->folds && f < r->about->n_folds; f++)
        sum += tested ? r->folds[f].majority : r->folds[f].majority_validation;
    return r->folds ? sum / r->about->n_folds : (double)NAN;
}

static void look_at_choices(rg_verdict *v, const rg_results *r)
{
    double epochs = 0;
    for (uint32_t f = 0; f < v->result.n_folds; f++) {
        uint32_t c = v->result.folds[f].configuration;
        uint64_t n = rg_results_parameters(r, c, f);
        v->parameters = n > v->parameters ? n : v->parameters;
        v->n_chosen += c == v->result.configuration;
        epochs += rg_results_cell(r, c, f)->best_epoch;
    }
    v->best_epoch = v->protocol == RG_PROTOCOL_GIN ? (double)v->result.epoch
                                                   : epochs / (double)v->result.n_folds;
}

/* A protocol that does not suit the experiment, or has nothing to choose from, is told of; whatever
 * else goes wrong is a failure. */
static rg_status run_protocol(rg_results *r, rg_protocol protocol, size_t method, rg_error *err)
{
    const rg_compared_method *m = &r->methods[method];
    rg_cells cells = rg_cells_part(&r->cells, m->first, m->n);
    rg_verdict *v = &r->verdicts[r->n_verdicts++];
    *v = (rg_verdict){.protocol = protocol,
                      .method = method,
                      .tested = protocol != RG_PROTOCOL_GIN,
                      .majority = (double)NAN,
                      .best_epoch = (double)NAN};
    rg_status status = rg_protocol_run(&v->result, protocol, &cells, r->store, &v->why);
    v->known = !status;
    if (status && status != RG_EFAIL && status != RG_EUSAGE)
        return rg_fail(err, status, "%s", v->why.message);
    if (!status) {
        v->majority = r->metric == RG_METRIC_ACCURACY ? mean_majority(r, v->tested) : (double)NAN;
        look_at_choices(v, r);
        status = rg_choice_judge(&v->choice, &v->result, &cells, r->folds, err);
    }
    return status == RG_ENOMEM ? status : RG_OK;
}

static rg_status run_protocols(rg_results *r, const rg_protocol *protocols, size_t n, rg_error *err)
{
    static const rg_protocol all[RG_PROTOCOLS] = {RG_PROTOCOL_FAIR, RG_PROTOCOL_GLOBAL,
                                                  RG_PROTOCOL_GIN, RG_PROTOCOL_HOLDOUT};
    rg_protocol own[RG_PROTOCOLS];
    rg_status status = RG_OK;
    if (!n) {
        n = read_protocols(own, r->about->protocols);
        protocols = n ? own : all;
        n = n ? n : r->about->n_folds == 1 ? RG_PROTOCOLS : RG_PROTOCOLS - 1;
    }
    n = n < RG_PROTOCOLS ? n : RG_PROTOCOLS;
    r->verdicts = rg_alloc_zero(n * r->n_methods, sizeof *r->verdicts);
    if (!r->verdicts)
        return rg_fail_memory(err, "the results of an experiment");
    for (size_t k = 0; k < n; k++)
        for (size_t m = 0; m < r->n_methods && !status; m++)
            status = run_protocol(r, protocols[k], m, err);
    return status;
}

/* ---- ensembles */

static rg_status make_ensembles(rg_results *r, const rg_ensemble *ensembles, size_t n,
                                rg_error *err)
{
    rg_protocol protocols[RG_PROTOCOLS];
    rg_ensemble_task task = {.store = r->store,
                             .cells = &r->cells,
                             .configurations = r->configurations,
                             .runs = r->runs,
                             .n_runs = r->n_runs,
                             .metric = r->metric};
    size_t m = 0;
    for (size_t k = 0; k < r->n_verdicts; k += r->n_methods)
        if ((r->verdicts[k].tested || r->n_verdicts == r->n_methods) && /* gin has no test set */
            (r->verdicts[k].protocol != RG_PROTOCOL_HOLDOUT || r->about->n_folds == 1))
            protocols[m++] = r->verdicts[k].protocol;
    rg_status status = RG_OK;
    if (n * m > 0)
        status = rg_ensembles_make(&r->ensembles, &task, ensembles, n, protocols, m, err);
    r->n_ensembles = status ? 0 : n * m;
    return status;
}

rg_status rg_results_combine(rg_results *results, const rg_ensemble *ensembles, size_t n,
                             rg_error *err)
{
    rg_ensembles_free(results->ensembles, results->n_ensembles);
    results->ensembles = NULL;
    results->n_ensembles = 0;
    while (results->n_warnings > results->n_plain_warnings)
        rg_free(results->warnings[--results->n_warnings]);
    rg_status status = make_ensembles(results, ensembles, n, err);
    return status ? status : rg_results_warn_ensembles(results, err);
}

static rg_status own_ensembles(rg_results *r, rg_error *err)
{
    rg_ensemble ensembles[RG_ENSEMBLES_MAX];
    size_t n = 0;
    rg_status status = rg_ensembles_of(ensembles, &n, r->about->resolved, err);
    return status || !n ? status : rg_results_combine(r, ensembles, n, err);
}

/* ---- all */

void rg_results_free(rg_results *results)
{
    rg_ensembles_free(results->ensembles, results->n_ensembles);
    for (size_t k = 0; k < results->n_verdicts; k++)
        if (results->verdicts[k].known)
            rg_protocol_free(&results->verdicts[k].result);
    rg_free(results->verdicts);
    rg_methods_free(results->methods, results->n_methods);
    for (size_t k = 0; k < results->n_warnings; k++)
        rg_free(results->warnings[k]);
    rg_cells_free(&results->cells);
    rg_store_runs_free(results->runs, results->n_runs);
    memset(results, 0, sizeof *results);
}

rg_status rg_results_make(rg_results *out, rg_store *store, const rg_protocol *protocols, size_t n,
                          rg_error *err)
{
    rg_results *r = rg_alloc_zero(1, sizeof *r); /* too large for a small stack */
    if (!r)
        return rg_fail_memory(err, "the results of an experiment");
    r->store = store;
    r->about = rg_store_about(store);
    r->configurations = rg_store_configurations(store, &r->n_configurations);
    r->folds = rg_store_folds(store);
    r->jobs = rg_store_jobs(store, &r->n_jobs);
    r->metric = rg_store_metric(r->about->score);
    sum_jobs(r);
    rg_status status = rg_store_digest(r->digest, store, err);
    if (!status)
        status = rg_store_runs(&r->runs, &r->n_runs, store, err);
    if (!status)
        status =
            rg_cells_make(&r->cells, r->runs, r->n_runs, r->n_configurations, r->about->n_folds,
                          r->about->n_runs, rg_metric_is_low(r->metric), err);
    if (!status)
        status = rg_methods_make(&r->methods, &r->n_methods, r->about, r->configurations,
                                 r->n_configurations, err);
    if (!status)
        status = run_protocols(r, protocols, n, err);
    if (!status)
        status = rg_results_warn(r, err);
    r->n_plain_warnings = r->n_warnings;
    if (!status)
        status = own_ensembles(r, err);
    if (status)
        rg_results_free(r);
    else
        *out = *r;
    rg_free(r);
    return status;
}
