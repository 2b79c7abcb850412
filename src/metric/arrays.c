/* arrays.c - scores of arrays of a caller: what is in them is checked first. */
#include "metric.h"

#include "base/error.h"

#include <math.h>

static rg_status check_kind(rg_metric metric, bool values, rg_error *err)
{
    if (metric == RG_METRIC_DEFAULT ||
        (metric != RG_METRIC_AUTO && !rg_metric_is_of_values(metric) == !values))
        return RG_OK;
    return rg_fail(err, RG_EUSAGE, "found the metric '%s', expected one of %s",
                   rg_metric_name(metric),
                   values ? "real values: mae, rmse or r2" : "classes or yes-or-no answers");
}

/* right: NULL, or numbers that may be NaN. */
static rg_status check_numbers(const double *said, const double *right, size_t n, size_t width,
                               rg_error *err)
{
    for (size_t k = 0; k < n * width; k++) {
        const char *what = !isfinite(said[k])         ? "predictions"
                           : right && isinf(right[k]) ? "targets"
                                                      : NULL;
        if (what)
            return rg_fail(err, RG_EDATA, "%s: row %zu, column %zu: found %g, expected a number",
                           what, k / width, k % width, isfinite(said[k]) ? right[k] : said[k]);
    }
    return RG_OK;
}

rg_status rg_metric_classes(double *out, rg_metric metric, const double *probabilities,
                            const uint32_t *classes, size_t n, size_t n_classes, rg_error *err)
{
    rg_metric_scratch scratch = {.rows = NULL};
    rg_status status = check_kind(metric, false, err);
    if (!status)
        status = check_numbers(probabilities, NULL, n, n_classes, err);
    for (size_t k = 0; !status && k < n; k++)
        if (classes[k] >= n_classes && classes[k] != RG_METRIC_NO_CLASS)
            status = rg_fail(err, RG_EDATA, "targets: row %zu: found class %lu, expected 0..%zu", k,
                             (unsigned long)classes[k], n_classes - 1);
    if (!status)
        status = rg_metric_scratch_new(&scratch, n, n_classes, err);
    if (!status)
        *out = rg_metric_of_classes(metric, probabilities, classes, n, n_classes, &scratch);
    rg_metric_scratch_free(&scratch);
    return status;
}

static rg_status targets(double *out, double *each, rg_metric metric, bool answers,
                         const double *said, const double *right, size_t n, size_t n_targets,
                         rg_error *err)
{
    rg_metric_scratch scratch = {.rows = NULL};
    rg_status status = check_kind(metric, !answers, err);
    if (!status)
        status = check_numbers(said, right, n, n_targets, err);
    if (!status)
        status = rg_metric_scratch_new(&scratch, n, 0, err);
    if (!status)
        *out = rg_metric_of_targets(each, metric, answers, said, right, n, n_targets, &scratch);
    rg_metric_scratch_free(&scratch);
    return status;
}

rg_status rg_metric_answers(double *out, double *each, rg_metric metric, const double *said,
                            const double *right, size_t n, size_t n_targets, rg_error *err)
{
    return targets(out, each, metric, true, said, right, n, n_targets, err);
}

rg_status rg_metric_values(double *out, double *each, rg_metric metric, const double *said,
                           const double *right, size_t n, size_t n_targets, rg_error *err)
{
    return targets(out, each, metric, false, said, right, n, n_targets, err);
}
