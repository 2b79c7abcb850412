/* results_warn.c - warnings about the results of a run. */
#include "base/alloc.h"
#include "base/error.h"
#include "results.h"
#include "text/text.h"

#include <string.h>

/* The text is moved. */
static rg_status add(rg_results *r, rg_text *text, rg_error *err)
{
    char *line = rg_text_take(text);
    if (!line)
        return rg_fail_memory(err, "warnings");
    if (r->n_warnings < RG_WARNINGS_MAX)
        r->warnings[r->n_warnings++] = line;
    else
        rg_free(line);
    return RG_OK;
}

static rg_status warn_of_jobs(rg_results *r, rg_error *err)
{
    rg_text text = {0};
    rg_status status = RG_OK;
    if (r->n_waiting) {
        rg_text_add(&text, "%zu of %zu jobs are not done yet: the results cover the finished jobs",
                    r->n_waiting, r->n_jobs);
        status = add(r, &text, err);
    }
    if (!status && r->n_failed) {
        size_t k = 0;
        while (r->jobs[k].outcome.state != RG_JOB_FAILED)
            k++;
        const rg_store_job *job = &r->jobs[k];
        rg_text_add(&text, "%zu of %zu jobs failed; the first, configuration %u on fold %llu: %s",
                    r->n_failed, r->n_jobs, (unsigned)job->configuration,
                    (unsigned long long)rg_results_fold(r, job->fold), job->outcome.message);
        status = add(r, &text, err);
    }
    return status;
}

static rg_status warn_of_runs(rg_results *r, rg_error *err)
{
    rg_text text = {0};
    size_t n = 0;
    for (size_t k = 0; k < r->n_runs; k++)
        n += r->runs[k].run.best_epoch == 0;
    if (!n)
        return RG_OK;
    rg_text_add(&text,
                "%zu of %zu runs diverged in the first epoch (their loss is not a number): their "
                "configurations cannot be selected on those folds",
                n, r->n_runs);
    return add(r, &text, err);
}

static void say_method(rg_text *out, const rg_results *r, const rg_verdict *v)
{
    if (rg_results_method(r, v))
        rg_text_add(out, "%s: ", rg_results_method(r, v));
}

static rg_status warn_of_verdict(rg_results *r, const rg_verdict *v, rg_error *err)
{
    rg_text text = {0};
    rg_status status = RG_OK;
    const char *name = rg_protocol_name(v->protocol);
    if (!v->known) {
        say_method(&text, r, v);
        rg_text_add(&text, "%s", v->why.message);
        return add(r, &text, err);
    }
    if (!v->result.whole) {
        const rg_compared_method *m = &r->methods[v->method];
        rg_cells cells = rg_cells_part(&r->cells, m->first, m->n);
        size_t n = cells.n_configurations * cells.n_folds;
        say_method(&text, r, v);
        rg_text_add(&text,
                    "protocol '%s': %zu of %zu cells (one configuration on one fold) lack runs; "
                    "the selection ignores them",
                    name, n - rg_cells_whole(&cells), n);
        status = add(r, &text, err);
    }
    if (!status && v->result.n_ties) {
        say_method(&text, r, v);
        rg_text_add(&text,
                    "protocol '%s': %zu configuration%s with the selected one in validation "
                    "score; the lower loss decided, then the lower index",
                    name, v->result.n_ties, v->result.n_ties == 1 ? " ties" : "s tie");
        status = add(r, &text, err);
    }
    return status;
}

static rg_status warn_of_folds(rg_results *r, rg_error *err)
{
    rg_text text = {0};
    rg_status status = RG_OK;
    size_t same = 0;
    uint64_t copies = 0, tested = 0;
    for (size_t f = 0; r->folds && f < r->about->n_folds; f++) {
        const rg_store_fold *fold = &r->folds[f];
        same += fold->validation_is_test;
        if (fold->n_copies != UINT64_MAX && fold->n_test != UINT64_MAX) {
            copies += fold->n_copies;
            tested += fold->n_test;
        }
    }
    if (same) {
        rg_text_add(&text,
                    "in %zu of %u folds the validation set equals the test set: their test scores "
                    "are biased",
                    same, (unsigned)r->about->n_folds);
        status = add(r, &text, err);
    }
    if (!status && copies) {
        rg_text_add(&text,
                    "%llu of %llu graphs of the test sets are isomorphic to a training or "
                    "validation graph of their fold",
                    (unsigned long long)copies, (unsigned long long)tested);
        status = add(r, &text, err);
    }
    return status;
}

/* Accuracy says little where nearly all are of one class. */
static rg_status warn_of_metric(rg_results *r, rg_error *err)
{
    rg_text text = {0};
    double majority = r->n_verdicts ? r->verdicts[0].majority : 0;
    if (r->metric != RG_METRIC_ACCURACY || !(majority > RG_METRIC_MAJORITY))
        return RG_OK;
    rg_text_add(
        &text,
        "always predicting the most frequent class is right in %.1f %%: accuracy says little "
        "here, and 'metric: auto' compares by ROC-AUC",
        100 * majority);
    return add(r, &text, err);
}

rg_status rg_results_warn(rg_results *results, rg_error *err)
{
    rg_status status = warn_of_jobs(results, err);
    if (!status)
        status = warn_of_runs(results, err);
    for (size_t k = 0; k < results->n_verdicts && !status; k++)
        status = warn_of_verdict(results, &results->verdicts[k], err);
    if (!status)
        status = warn_of_folds(results, err);
    return status ? status : warn_of_metric(results, err);
}

/* What has no result says why; of others, who is no member. The first protocol speaks for all. */
rg_status rg_results_warn_ensembles(rg_results *results, rg_error *err)
{
    rg_status status = RG_OK;
    char name[RG_ENSEMBLE_TEXT];
    for (size_t k = 0; k < results->n_ensembles && !status; k++) {
        const rg_ensemble_result *e = &results->ensembles[k];
        rg_text text = {0};
        bool first = k == 0 || e[-1].ensemble.kind != e->ensemble.kind ||
                     e[-1].ensemble.top != e->ensemble.top;
        rg_ensemble_name(name, &e->ensemble);
        if (!e->known && (k == 0 || strcmp(e[-1].why.message, e->why.message) != 0)) {
            rg_text_add(&text, "%s", e->why.message);
            status = add(results, &text, err);
        } else if (e->known && first && e->n_out) {
            rg_text_add(&text,
                        "ensemble '%s': %zu of %zu configurations have runs that are missing or "
                        "failed (configuration %u on fold %llu): they are no members",
                        name, e->n_out, results->n_configurations, (unsigned)e->first_out,
                        (unsigned long long)rg_results_fold(results, e->first_out_fold));
            status = add(results, &text, err);
        } else if (e->known && first && e->n_members * e->n_runs == 1) {
            rg_text_add(&text, "ensemble '%s': it has one member, a network alone", name);
            status = add(results, &text, err);
        }
    }
    return status;
}
