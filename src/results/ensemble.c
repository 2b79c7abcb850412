/* ensemble.c - see ensemble.h. */
#include "ensemble.h"

#include "base/alloc.h"
#include "base/error.h"
#include "ensemble_data.h"
#include "stack.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "an ensemble";

/* One result while it is made. */
typedef struct ensemble_work {
    const rg_ensemble_data *data;
    rg_ensemble_result *out;
} ensemble_work;

static double *weights_of(const ensemble_work *w, size_t fold)
{
    return w->out->weights + fold * w->out->n_configurations;
}

/* ---- weights: top */

/* How well a configuration does, on one fold or on all. */
typedef struct rank {
    double score, loss;
    uint32_t configuration;
    bool low;
} rank;

static int compare_ranks(const void *x, const void *y)
{
    const rank *a = x, *b = y;
    if (a->score < b->score || a->score > b->score)
        return (a->score < b->score) == a->low ? -1 : 1;
    if (a->loss < b->loss || a->loss > b->loss)
        return a->loss < b->loss ? -1 : 1;
    return (a->configuration > b->configuration) - (a->configuration < b->configuration);
}

/* Weights of folds from .. to - 1 by their validation sets. */
static rg_status take_top(ensemble_work *w, size_t from, size_t to, rg_error *err)
{
    const rg_ensemble_data *d = w->data;
    const rg_cells *cells = d->task->cells;
    size_t n = 0, top = w->out->ensemble.top;
    rank *all = rg_alloc(d->n_configurations, sizeof *all);
    if (!all)
        return rg_fail_memory(err, what);
    rg_status status = RG_OK;
    for (size_t c = 0; c < d->n_configurations && !status; c++) {
        rank own = {.configuration = (uint32_t)c, .low = cells->low};
        if (!d->members[c])
            continue;
        for (size_t f = from; f < to; f++) {
            own.score += cells->at[c * cells->n_folds + f].validation;
            own.loss += cells->at[c * cells->n_folds + f].validation_loss;
        }
        if (isnan(own.score))
            status = rg_fail(err, RG_EFAIL, "there is no validation set to select members on");
        own.loss = isnan(own.loss) ? 0 : own.loss; /* kernels may not measure it */
        all[n++] = own;
    }
    if (!status)
        qsort(all, n, sizeof *all, compare_ranks);
    top = top < n ? top : n;
    for (size_t k = 0; k < top && !status; k++)
        for (size_t f = from; f < to; f++)
            weights_of(w, f)[all[k].configuration] = 1 / (double)top;
    rg_free(all);
    return status;
}

/* ---- weights: stack */

static rg_status take_stack(ensemble_work *w, size_t from, size_t to, rg_error *err)
{
    const rg_ensemble_data *d = w->data;
    bool values = rg_metric_is_of_values(d->task->metric);
    rg_stack stack = {.n_members = d->n_members, .values = values};
    rg_status status = RG_OK;
    for (size_t f = from; f < to && !status; f++) {
        const rg_ensemble_part *part = rg_ensemble_data_part(d, f, RG_STORE_VALIDATION);
        if (!part->width || !part->n_rows)
            status = rg_fail(err, RG_EFAIL, "there is no validation set to learn weights on");
        else
            status = rg_stack_add(&stack, part->right, part->said, d->members, d->n_configurations,
                                  part->width, err);
    }
    if (!status)
        status = rg_stack_learn(&stack, err);
    for (size_t c = 0, m = 0; c < d->n_configurations && !status; c++) {
        if (!d->members[c])
            continue;
        for (size_t f = from; f < to; f++)
            weights_of(w, f)[c] = stack.weights[m];
        m++;
    }
    rg_stack_free(&stack);
    return status;
}

/* ---- weights: all */

static rg_status take_all(ensemble_work *w, size_t from, size_t to, rg_error *err)
{
    (void)err;
    for (size_t f = from; f < to; f++)
        for (size_t c = 0; c < w->data->n_configurations; c++)
            weights_of(w, f)[c] = w->data->members[c] ? 1 / (double)w->data->n_members : 0;
    return RG_OK;
}

static rg_status take_weights(ensemble_work *w, rg_error *err)
{
    static rg_status (*const takes[])(ensemble_work *, size_t, size_t, rg_error *) = {
        [RG_ENSEMBLE_ALL] = take_all,
        [RG_ENSEMBLE_TOP] = take_top,
        [RG_ENSEMBLE_STACK] = take_stack,
    };
    rg_status (*take)(ensemble_work *, size_t, size_t, rg_error *) = takes[w->out->ensemble.kind];
    size_t n = w->data->n_folds;
    rg_status status = RG_OK;
    if (w->out->protocol == RG_PROTOCOL_GLOBAL)
        return take(w, 0, n, err);
    for (size_t f = 0; f < n && !status; f++)
        status = take(w, f, f + 1, err);
    return status;
}

/* ---- scores */

static rg_status score_rows(double *out, const rg_ensemble_data *d, const rg_ensemble_part *part,
                            const double *said, rg_error *err)
{
    size_t n = part->n_rows, width = part->width;
    const rg_store_prediction *right = part->right;
    rg_metric metric = d->task->metric;
    double *numbers = rg_alloc(n, width * sizeof *numbers);
    uint32_t *classes = rg_alloc(n, sizeof *classes);
    rg_status status = numbers && classes ? RG_OK : rg_fail_memory(err, what);
    for (size_t k = 0; k < n && right->classes && !status; k++)
        classes[k] = right->classes[k] == UINT16_MAX ? RG_METRIC_NO_CLASS : right->classes[k];
    for (size_t k = 0; k < n * width && right->numbers && !status; k++)
        numbers[k] = (double)right->numbers[k];
    /* Of several targets, these two are of all cells together. */
    rg_metric own =
        metric == RG_METRIC_ACCURACY || metric == RG_METRIC_MAE ? RG_METRIC_DEFAULT : metric;
    if (!status && right->classes)
        status = rg_metric_classes(out, metric, said, classes, n, width, err);
    else if (!status && rg_metric_is_of_values(metric))
        status = rg_metric_values(out, NULL, own, said, numbers, n, width, err);
    else if (!status)
        status = rg_metric_answers(out, NULL, own, said, numbers, n, width, err);
    rg_free(numbers);
    rg_free(classes);
    return status;
}

/* *out: NaN without rows. */
static rg_status score_part(double *out, const ensemble_work *w, size_t fold, rg_store_part which,
                            rg_error *err)
{
    const rg_ensemble_part *part = rg_ensemble_data_part(w->data, fold, which);
    const double *weights = weights_of(w, fold);
    *out = (double)NAN;
    if (!part->width || !part->n_rows)
        return RG_OK;
    size_t n = part->n_rows * part->width;
    double *said = rg_alloc_zero(n, sizeof *said);
    if (!said)
        return rg_fail_memory(err, what);
    for (size_t c = 0; c < w->data->n_configurations; c++)
        for (size_t k = 0; k < n && weights[c] > 0; k++)
            said[k] += weights[c] * part->said[c][k];
    rg_status status = score_rows(out, w->data, part, said, err);
    rg_free(said);
    return status;
}

static rg_status score(ensemble_work *w, rg_error *err)
{
    rg_ensemble_result *r = w->out;
    rg_status status = RG_OK;
    double sum = 0;
    for (size_t f = 0; f < r->n_folds && !status; f++) {
        status = score_part(&r->validations[f], w, f, RG_STORE_VALIDATION, err);
        if (!status)
            status = score_part(&r->tests[f], w, f, RG_STORE_TEST, err);
        if (!status && isnan(r->tests[f]))
            status =
                rg_fail(err, RG_EFAIL,
                        "the score is not defined on the test set of fold %zu: it is empty, or "
                        "of one class",
                        f);
        sum += r->validations[f];
    }
    r->validation = sum / (double)r->n_folds;
    if (!status)
        rg_mean_deviation(r->tests, r->n_folds, &r->mean, &r->deviation);
    return status;
}

double rg_ensemble_weight(const rg_ensemble_result *result, size_t configuration, size_t *n_folds)
{
    double sum = 0;
    size_t n = 0;
    for (size_t f = 0; result->weights && f < result->n_folds; f++) {
        double own = result->weights[f * result->n_configurations + configuration];
        sum += own;
        n += own > 0;
    }
    if (n_folds)
        *n_folds = n;
    return result->n_folds ? sum / (double)result->n_folds : 0;
}

/* ---- all */

/* A reason, unless the program itself is in trouble. */
static rg_status excuse(rg_ensemble_result *r, rg_status status, const rg_error *why, rg_error *err)
{
    if (!status)
        return RG_OK;
    if (status == RG_ENOMEM || status == RG_EIO)
        return rg_fail(err, status, "%s", why->message);
    (void)!rg_fail(&r->why, status, "no ensemble: %s", why->message);
    return RG_OK;
}

static rg_status make_one(rg_ensemble_result *out, const rg_ensemble_data *data, rg_error *err)
{
    ensemble_work w = {.data = data, .out = out};
    rg_error why = {""};
    size_t f = data->n_folds, c = data->n_configurations;
    out->n_folds = f;
    out->n_configurations = c;
    out->n_out = data->n_out;
    out->first_out = data->first_out;
    out->first_out_fold = data->first_out_fold;
    out->tests = rg_alloc_zero(f, (2 + c) * sizeof *out->tests);
    if (!out->tests)
        return rg_fail_memory(err, what);
    out->validations = out->tests + f;
    out->weights = out->tests + 2 * f;
    rg_status status = take_weights(&w, &why);
    if (!status)
        status = score(&w, &why);
    out->known = !status;
    for (size_t k = 0; k < c && !status; k++) {
        size_t n = 0;
        rg_ensemble_weight(out, k, &n);
        out->n_members += n > 0;
    }
    return excuse(out, status, &why, err);
}

static rg_status make_all(rg_ensemble_result *results, size_t n, const rg_ensemble_task *task,
                          rg_error *err)
{
    rg_ensemble_data data;
    rg_error why = {""};
    rg_status status = rg_ensemble_data_open(&data, task, &why), fine = RG_OK;
    for (size_t k = 0; k < n && !fine; k++) {
        if (status)
            fine = excuse(&results[k], status, &why, err);
        else if (results[k].protocol != RG_PROTOCOL_GIN)
            fine = make_one(&results[k], &data, err);
        else
            (void)!rg_fail(&results[k].why, RG_EFAIL,
                           "protocol 'gin' has no ensembles, for it has no test set");
    }
    rg_ensemble_data_close(&data);
    return fine;
}

rg_status rg_ensembles_make(rg_ensemble_result **out, const rg_ensemble_task *task,
                            const rg_ensemble *ensembles, size_t n_ensembles,
                            const rg_protocol *protocols, size_t n_protocols, rg_error *err)
{
    size_t n = n_ensembles * n_protocols;
    rg_ensemble_result *results = rg_alloc_zero(n, sizeof *results);
    if (!results)
        return rg_fail_memory(err, what);
    for (size_t k = 0; k < n; k++) {
        results[k].ensemble = ensembles[k / n_protocols];
        results[k].protocol = protocols[k % n_protocols];
        results[k].n_runs = task->cells->n_runs;
        results[k].mean = results[k].deviation = results[k].validation = (double)NAN;
    }
    rg_status status = n ? make_all(results, n, task, err) : RG_OK;
    if (status)
        rg_ensembles_free(results, n);
    else
        *out = results;
    return status;
}

void rg_ensembles_free(rg_ensemble_result *results, size_t n)
{
    for (size_t k = 0; results && k < n; k++)
        rg_free(results[k].tests);
    rg_free(results);
}
