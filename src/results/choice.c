/* choice.c - see choice.h. */
#include "choice.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>

/* Scores of the configurations that are compared. */
typedef struct score_table {
    size_t n, n_folds;
    const rg_cells *cells;
    uint32_t *which;    /* [n], owned: configurations, by their place in the cells */
    double *of_fold;    /* [fold], owned: means over configurations */
    double *of_one;     /* [n], owned: means over folds */
    double mean, noise; /* of all; variance of one score */
} score_table;

static double score_at(const score_table *t, size_t k, size_t fold)
{
    return t->cells->at[t->which[k] * t->n_folds + fold].validation;
}

static rg_status table_open(score_table *t, const rg_cells *cells, rg_error *err)
{
    *t = (score_table){.n_folds = cells->n_folds, .cells = cells};
    t->which = rg_alloc(cells->n_configurations, sizeof *t->which);
    t->of_fold = rg_alloc_zero(cells->n_folds, sizeof *t->of_fold);
    t->of_one = rg_alloc_zero(cells->n_configurations, sizeof *t->of_one);
    if (!t->which || !t->of_fold || !t->of_one)
        return rg_fail_memory(err, "a choice");
    for (size_t c = 0; c < cells->n_configurations; c++) {
        double sum = 0;
        for (size_t f = 0; f < cells->n_folds; f++)
            sum += cells->at[c * cells->n_folds + f].validation;
        if (!isnan(sum))
            t->which[t->n++] = (uint32_t)c;
    }
    for (size_t k = 0; k < t->n; k++)
        for (size_t f = 0; f < t->n_folds; f++) {
            double own = score_at(t, k, f);
            t->of_one[k] += own / (double)t->n_folds;
            t->of_fold[f] += own / (double)t->n;
            t->mean += own / (double)(t->n * t->n_folds);
        }
    return RG_OK;
}

static void table_close(score_table *t)
{
    rg_free(t->which);
    rg_free(t->of_fold);
    rg_free(t->of_one);
}

/* The variance of one score around the sum of its row and column. */
static double noise_of(const score_table *t, const rg_store_fold *folds)
{
    double sum = 0;
    if (t->n_folds == 1) {
        double n = folds && folds->n_validation != UINT64_MAX ? (double)folds->n_validation : NAN;
        bool share = t->mean >= 0 && t->mean <= 1;
        return share && n > 0 ? t->mean * (1 - t->mean) / n : (double)NAN;
    }
    for (size_t k = 0; k < t->n; k++)
        for (size_t f = 0; f < t->n_folds; f++) {
            double off = score_at(t, k, f) - t->of_one[k] - t->of_fold[f] + t->mean;
            sum += off * off;
        }
    return sum / (double)((t->n - 1) * (t->n_folds - 1));
}

/* A score pulled to the mean of all by the part of their variance that is noise. */
static double pull(double score, double mean, double variance, double noise)
{
    double real = variance - noise;
    return real > 0 ? mean + (score - mean) * real / variance : mean;
}

static size_t place_of(const score_table *t, uint32_t configuration)
{
    size_t k = 0;
    configuration -= t->cells->first;
    while (k < t->n && t->which[k] != configuration)
        k++;
    return k;
}

static bool is_within(const score_table *t, double own, double best, double error)
{
    return error > 1e-9 && (t->cells->low ? own - best : best - own) < error;
}

/* One configuration for all folds, by its mean. */
static void judge_mean(rg_choice *out, const score_table *t, uint32_t configuration)
{
    size_t chosen = place_of(t, configuration);
    double n = (double)t->n, noise = t->noise / (double)t->n_folds, variance = 0;
    if (chosen == t->n)
        return;
    out->noise = sqrt(2 * noise);
    for (size_t k = 0; k < t->n; k++) {
        variance += (t->of_one[k] - t->mean) * (t->of_one[k] - t->mean) / (n - 1);
        out->n_within += k != chosen && is_within(t, t->of_one[k], t->of_one[chosen], out->noise);
    }
    out->corrected = pull(t->of_one[chosen], t->mean, variance, noise);
}

/* On each fold its own. */
static void judge_folds(rg_choice *out, const score_table *t, const rg_protocol_result *result)
{
    double sum = 0, within = 0;
    out->noise = sqrt(2 * t->noise);
    for (size_t f = 0; f < t->n_folds; f++) {
        size_t chosen = place_of(t, result->folds[f].configuration);
        double variance = 0;
        if (chosen == t->n) /* of those that lack runs on other folds */
            return;
        for (size_t k = 0; k < t->n; k++) {
            double off = score_at(t, k, f) - t->of_fold[f];
            variance += off * off / (double)(t->n - 1);
            within +=
                k != chosen && is_within(t, score_at(t, k, f), score_at(t, chosen, f), out->noise);
        }
        sum += pull(score_at(t, chosen, f), t->of_fold[f], variance, t->noise);
    }
    out->n_within = (size_t)(within / (double)t->n_folds + 0.5);
    out->corrected = sum / (double)t->n_folds;
}

rg_status rg_choice_judge(rg_choice *out, const rg_protocol_result *result, const rg_cells *cells,
                          const rg_store_fold *folds, rg_error *err)
{
    score_table t;
    *out = (rg_choice){.corrected = (double)NAN, .noise = (double)NAN};
    rg_status status = table_open(&t, cells, err);
    if (!status) {
        out->n_compared = t.n;
        t.noise = t.n > 1 ? noise_of(&t, folds) : (double)NAN;
    }
    if (!status && !isnan(t.noise) && result->protocol == RG_PROTOCOL_GLOBAL)
        judge_mean(out, &t, result->configuration);
    else if (!status && !isnan(t.noise) && result->protocol != RG_PROTOCOL_GIN)
        judge_folds(out, &t, result);
    table_close(&t);
    return status;
}
