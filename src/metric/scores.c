/* scores.c - the formulas. Sums run in the order of the rows, or of the sorted rows: the bits depend on nothing else. */
#include "metric.h"

#include "base/alloc.h"
#include "base/elementary.h"
#include "base/error.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- one column */

/* Ascending by what was said; equals in their order. Merges runs of twice the length each time. */
static void sort_rows(rg_scored *rows, rg_scored *other, size_t n)
{
    rg_scored *from = rows, *to = other;
    for (size_t run = 1; run < n; run *= 2) {
        for (size_t at = 0; at < n; at += 2 * run) {
            size_t middle = at + run < n ? at + run : n, end = middle + run < n ? middle + run : n;
            for (size_t k = at, a = at, b = middle; k < end; k++)
                to[k] = a < middle && (b == end || from[a].said <= from[b].said) ? from[a++]
                                                                                 : from[b++];
        }
        rg_scored *swap = from;
        from = to;
        to = swap;
    }
    if (from != rows)
        memcpy(rows, from, n * sizeof *rows);
}

/* The part of all pairs (yes, no) in which yes was said with the larger number; ties count half. NaN: there is one kind
 * alone. rows: sorted. */
static double roc_area(const rg_scored *rows, size_t n)
{
    double yes = 0, sum = 0, below = 0; /* pairs; noes before the run of equals at hand */
    for (size_t k = 0; k < n;) {
        size_t end = k;
        double own = 0;
        for (; end < n && !(rows[end].said > rows[k].said); end++)
            own += rows[end].yes;
        double no = (double)(end - k) - own;
        sum += own * (below + no / 2);
        below += no;
        yes += own;
        k = end;
    }
    return yes > 0 && below > 0 ? sum / (yes * below) : (double)NAN;
}

/* Sum over thresholds of (recall - recall before) precision, the highest threshold first. No yes: 0. rows: sorted. */
static double average_precision(const rg_scored *rows, size_t n)
{
    double yes = 0, sum = 0, hits = 0;
    for (size_t k = 0; k < n; k++)
        yes += rows[k].yes;
    for (size_t end = n; end > 0;) {
        size_t k = end;
        double own = 0;
        for (; k > 0 && !(rows[k - 1].said < rows[end - 1].said); k--)
            own += rows[k - 1].yes;
        hits += own;
        sum += own * hits / (double)(n - k);
        end = k;
    }
    return yes > 0 ? sum / yes : 0;
}

static double curve(rg_metric metric, rg_scored *rows, size_t n)
{
    if (n == 0)
        return (double)NAN;
    for (size_t k = 0; k < n; k++)
        if (isnan(rows[k].said)) /* nothing to sort by */
            return (double)NAN;
    sort_rows(rows, rows + n, n);
    return metric == RG_METRIC_ROC_AUC ? roc_area(rows, n) : average_precision(rows, n);
}

static double f1(const rg_class_count *c)
{
    return c->both > 0 ? 2 * c->both / (c->of + c->said) : 0;
}

/* Minus the log of a probability, which is at least what 1 and the next number below it are apart. */
static double surprise(double p)
{
    return -rg_log(p < DBL_EPSILON ? DBL_EPSILON : p > 1 - DBL_EPSILON ? 1 - DBL_EPSILON : p);
}

/* ---- one class per row */

static size_t likeliest(const double *p, size_t n)
{
    size_t best = 0;
    for (size_t c = 1; c < n; c++)
        if (p[c] > p[best])
            best = c;
    return best;
}

static double count_classes(rg_class_count *counts, const double *p, const uint32_t *classes,
                            size_t n, size_t n_classes)
{
    double known = 0;
    memset(counts, 0, n_classes * sizeof *counts);
    for (size_t k = 0; k < n; k++) {
        if (classes[k] == RG_METRIC_NO_CLASS)
            continue;
        size_t said = likeliest(p + k * n_classes, n_classes);
        counts[classes[k]].of++;
        counts[said].said++;
        counts[said].both += said == classes[k];
        known++;
    }
    return known;
}

static double mean_log_loss(const double *p, const uint32_t *classes, size_t n, size_t n_classes)
{
    double sum = 0, known = 0;
    for (size_t k = 0; k < n; k++) {
        if (classes[k] == RG_METRIC_NO_CLASS)
            continue;
        sum += surprise(p[k * n_classes + classes[k]]);
        known++;
    }
    return known > 0 ? sum / known : (double)NAN;
}

/* Each class against the rest; of two classes the second alone. */
static double mean_curve(rg_metric metric, const double *p, const uint32_t *classes, size_t n,
                         size_t n_classes, rg_scored *rows)
{
    double sum = 0, count = 0;
    for (size_t c = n_classes == 2; c < n_classes; c++) {
        size_t known = 0;
        for (size_t k = 0; k < n; k++)
            if (classes[k] != RG_METRIC_NO_CLASS)
                rows[known++] = (rg_scored){p[k * n_classes + c], classes[k] == c};
        double own = curve(metric, rows, known);
        sum += isnan(own) ? 0 : own;
        count += !isnan(own);
    }
    return count > 0 ? sum / count : (double)NAN;
}

double rg_metric_of_classes(rg_metric metric, const double *p, const uint32_t *classes, size_t n,
                            size_t n_classes, const rg_metric_scratch *scratch)
{
    rg_class_count *counts = scratch->counts;
    double sum = 0, of = 0;
    if (metric == RG_METRIC_ROC_AUC || metric == RG_METRIC_AVERAGE_PRECISION)
        return mean_curve(metric, p, classes, n, n_classes, scratch->rows);
    if (metric == RG_METRIC_LOG_LOSS)
        return mean_log_loss(p, classes, n, n_classes);
    double known = count_classes(counts, p, classes, n, n_classes);
    for (size_t c = 0; c < n_classes; c++)
        if (metric == RG_METRIC_BALANCED_ACCURACY) {
            sum += counts[c].of > 0 ? counts[c].both / counts[c].of : 0;
            of += counts[c].of > 0;
        } else if (metric == RG_METRIC_F1_MACRO) {
            sum += f1(&counts[c]);
            of += counts[c].of > 0 || counts[c].said > 0;
        } else {
            sum += counts[c].both;
            of = known;
        }
    return of > 0 ? sum / of : (double)NAN;
}

/* ---- several targets */

typedef struct column {
    const double *said, *right;
    size_t n, width;
} column;

/* yes[0]: rows of which no is right or said, yes[1] the same of yes. How many have a target. */
static double count_answers(rg_class_count yes[2], const column *c)
{
    double known = 0;
    for (size_t k = 0; k < c->n; k++) {
        double t = c->right[k * c->width];
        if (isnan(t))
            continue;
        bool right = t > 0.5, said = c->said[k * c->width] > 0.5;
        yes[right].of++;
        yes[said].said++;
        yes[said].both += right == said;
        known++;
    }
    return known;
}

static double answers_log_loss(const column *c)
{
    double sum = 0, known = 0;
    for (size_t k = 0; k < c->n; k++) {
        double t = c->right[k * c->width], p = c->said[k * c->width];
        if (isnan(t))
            continue;
        sum += surprise(t > 0.5 ? p : 1 - p);
        known++;
    }
    return known > 0 ? sum / known : (double)NAN;
}

static double answers_score(rg_metric metric, const column *c, rg_scored *rows)
{
    rg_class_count yes[2] = {{.of = 0}, {.of = 0}};
    if (metric == RG_METRIC_LOG_LOSS)
        return answers_log_loss(c);
    if (metric == RG_METRIC_ROC_AUC || metric == RG_METRIC_AVERAGE_PRECISION) {
        size_t known = 0;
        for (size_t k = 0; k < c->n; k++)
            if (!isnan(c->right[k * c->width]))
                rows[known++] = (rg_scored){c->said[k * c->width], c->right[k * c->width] > 0.5};
        return curve(metric, rows, known);
    }
    double known = count_answers(yes, c);
    if (known <= 0)
        return (double)NAN;
    if (metric == RG_METRIC_F1_MACRO || metric == RG_METRIC_F1_MICRO)
        return f1(&yes[1]);
    if (metric != RG_METRIC_BALANCED_ACCURACY)
        return (yes[0].both + yes[1].both) / known;
    double no = yes[0].of > 0 ? yes[0].both / yes[0].of : (double)NAN;
    double own = yes[1].of > 0 ? yes[1].both / yes[1].of : (double)NAN;
    return isnan(no) ? own : isnan(own) ? no : (no + own) / 2;
}

/* Sums of errors of one column; mean: of its targets. */
typedef struct error_sums {
    double n, mean, absolute, squared, spread;
} error_sums;

static error_sums sum_errors(const column *c)
{
    error_sums s = {.n = 0};
    for (size_t k = 0; k < c->n; k++)
        if (!isnan(c->right[k * c->width])) {
            s.mean += c->right[k * c->width];
            s.n++;
        }
    s.mean = s.n > 0 ? s.mean / s.n : 0;
    for (size_t k = 0; k < c->n; k++) {
        double t = c->right[k * c->width], off = c->said[k * c->width] - t;
        if (isnan(t))
            continue;
        s.absolute += fabs(off);
        s.squared += off * off;
        s.spread += (t - s.mean) * (t - s.mean);
    }
    return s;
}

static double values_score(rg_metric metric, const column *c)
{
    error_sums s = sum_errors(c);
    if (s.n <= 0 || isnan(s.absolute))
        return (double)NAN;
    if (metric == RG_METRIC_RMSE)
        return sqrt(s.squared / s.n);
    if (metric != RG_METRIC_R2)
        return s.absolute / s.n;
    if (s.n < 2)
        return (double)NAN;
    return s.spread > 0 ? 1 - s.squared / s.spread : s.squared > 0 ? 0 : 1;
}

/* Of all cells together: right answers, F1, or the mean absolute error. */
static double together(rg_metric metric, bool answers, const double *said, const double *right,
                       size_t n, size_t width)
{
    rg_class_count yes[2] = {{.of = 0}, {.of = 0}};
    double sum = 0, known = 0;
    for (size_t t = 0; t < width; t++) {
        column c = {said + t, right + t, n, width};
        if (answers)
            known += count_answers(yes, &c);
        else {
            error_sums s = sum_errors(&c);
            sum += s.absolute;
            known += s.n;
        }
    }
    if (known <= 0)
        return (double)NAN;
    return !answers                       ? sum / known
           : metric == RG_METRIC_F1_MICRO ? f1(&yes[1])
                                          : (yes[0].both + yes[1].both) / known;
}

double rg_metric_of_targets(double *each, rg_metric metric, bool answers, const double *said,
                            const double *right, size_t n, size_t n_targets,
                            const rg_metric_scratch *scratch)
{
    double sum = 0, defined = 0;
    for (size_t t = 0; t < n_targets; t++) {
        column c = {said + t, right + t, n, n_targets};
        double own = answers ? answers_score(metric, &c, scratch->rows) : values_score(metric, &c);
        if (each)
            each[t] = own;
        sum += isnan(own) ? 0 : own;
        defined += !isnan(own);
    }
    if (metric == RG_METRIC_DEFAULT || metric == RG_METRIC_F1_MICRO)
        return together(metric, answers, said, right, n, n_targets);
    return defined > 0 ? sum / defined : (double)NAN;
}

/* ---- scratch memory */

rg_status rg_metric_scratch_new(rg_metric_scratch *out, size_t n, size_t n_classes, rg_error *err)
{
    out->rows = rg_alloc(n, 2 * sizeof *out->rows);
    out->counts = rg_alloc(n_classes, sizeof *out->counts);
    return out->rows && out->counts ? RG_OK : rg_fail_memory(err, "scores");
}

void rg_metric_scratch_free(rg_metric_scratch *scratch)
{
    rg_free(scratch->rows);
    rg_free(scratch->counts);
    *scratch = (rg_metric_scratch){.rows = NULL};
}
