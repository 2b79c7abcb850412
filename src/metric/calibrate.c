/* calibrate.c - see calibrate.h. */
#include "calibrate.h"

#include "base/elementary.h"
#include "regula/metric.h"

#include <math.h>
#include <stdlib.h>

/* ---- temperature */

void rg_temperature_apply(double *probabilities, const double *outputs, size_t n_classes,
                          double temperature)
{
    double most = -INFINITY, sum = 0;
    for (size_t c = 0; c < n_classes; c++)
        most = outputs[c] > most ? outputs[c] : most;
    for (size_t c = 0; c < n_classes; c++) {
        probabilities[c] = exp((outputs[c] - most) / temperature);
        sum += probabilities[c];
    }
    for (size_t c = 0; c < n_classes; c++)
        probabilities[c] /= sum;
}

/* Sum of -log p of the right classes, up to rounding. */
static double loss(const double *outputs, const uint32_t *classes, size_t n, size_t n_classes,
                   double temperature)
{
    double all = 0;
    for (size_t i = 0; i < n; i++) {
        const double *row = outputs + i * n_classes;
        double most = -INFINITY, sum = 0;
        if (classes[i] >= n_classes)
            continue;
        for (size_t c = 0; c < n_classes; c++)
            most = row[c] > most ? row[c] : most;
        for (size_t c = 0; c < n_classes; c++)
            sum += exp((row[c] - most) / temperature);
        all += rg_log(sum) - (row[classes[i]] - most) / temperature;
    }
    return all;
}

/* The loss is convex in 1 / temperature, so it has one valley on a scale of logarithms, too. */
double rg_temperature_fit(const double *outputs, const uint32_t *classes, size_t n,
                          size_t n_classes)
{
    static const double golden = 0.6180339887498949;
    double low = -rg_log(20), high = rg_log(20);
    double a = high - golden * (high - low), b = low + golden * (high - low);
    double at_a = loss(outputs, classes, n, n_classes, exp(a));
    double at_b = loss(outputs, classes, n, n_classes, exp(b));
    if (n == 0)
        return 1;
    for (int k = 0; k < 60; k++) {
        if (at_a <= at_b) {
            high = b;
            b = a;
            at_b = at_a;
            a = high - golden * (high - low);
            at_a = loss(outputs, classes, n, n_classes, exp(a));
        } else {
            low = a;
            a = b;
            at_a = at_b;
            b = low + golden * (high - low);
            at_b = loss(outputs, classes, n, n_classes, exp(b));
        }
    }
    return exp((low + high) / 2);
}

/* ---- conformal sets */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void rg_conformal_sort(double *scores, size_t n)
{
    if (n)
        qsort(scores, n, sizeof *scores, ascending);
}

/* How many scores are below the score, or not above it. */
static size_t n_below(const double *scores, size_t n, double score, bool too)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (scores[middle] < score || (too && scores[middle] == score))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool rg_conformal_holds(const double *scores, size_t n, double score, double confidence, double u)
{
    size_t below = n_below(scores, n, score, false), upto = n_below(scores, n, score, true);
    double larger = (double)(n - upto), equal = (double)(upto - below);
    return (larger + u * (equal + 1)) / ((double)n + 1) > 1 - confidence;
}
