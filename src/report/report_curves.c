/* report_curves.c - see report_parts.h: training curves of the selected runs. */
#include "base/alloc.h"
#include "base/error.h"
#include "report_parts.h"

#define MOST_POINTS 300    /* of one curve */
#define MOST_NUMBERS 60000 /* of all of them: about 500 kB */

static bool is_chosen(const rg_report *report, const rg_store_run *run)
{
    return report->chosen[run->fold] == run->configuration;
}

/* Every stride-th epoch is in the report, from the first on. */
static uint32_t choose_stride(const rg_report *report, uint32_t *longest)
{
    const rg_results *r = report->results;
    uint64_t sum = 0;
    *longest = 0;
    for (size_t k = 0; k < r->n_runs; k++) {
        if (!is_chosen(report, &r->runs[k]))
            continue;
        sum += r->runs[k].run.epochs;
        *longest = r->runs[k].run.epochs > *longest ? r->runs[k].run.epochs : *longest;
    }
    uint64_t by_sum = (4 * sum + MOST_NUMBERS - 1) / MOST_NUMBERS;
    uint64_t by_length = (*longest + (uint64_t)MOST_POINTS - 1) / MOST_POINTS;
    uint64_t stride = by_sum > by_length ? by_sum : by_length;
    return stride ? (uint32_t)stride : 1;
}

enum { LOSS, SCORE, VALIDATION_LOSS, VALIDATION_SCORE, N_SERIES };

static double value_of(const rg_epoch *epoch, int series)
{
    switch (series) {
    case LOSS:
        return epoch->train_loss;
    case SCORE:
        return epoch->train_score;
    case VALIDATION_LOSS:
        return epoch->validation_loss;
    default:
        return epoch->validation_score;
    }
}

static rg_status add_curve(rg_report *report, const rg_store_run *run, uint32_t stride,
                           rg_error *err)
{
    static const char *const names[N_SERIES] = {"train_loss", "train_score", "validation_loss",
                                                "validation_score"};
    rg_json *json = &report->json;
    rg_epoch *epochs = NULL;
    rg_status status = rg_store_epochs(&epochs, report->results->store, run, err);
    if (status)
        return status;
    rg_json_open(json, NULL, '{');
    rg_json_count(json, "configuration", run->configuration);
    rg_json_count(json, "fold", rg_results_fold(report->results, run->fold));
    rg_json_count(json, "run", run->run.number);
    rg_json_count(json, "epochs", run->run.epochs);
    rg_json_count(json, "best", run->run.best_epoch);
    /* a kernel has one row, and no learning rate */
    rg_json_bool(json, "in_epochs", run->run.epochs && epochs[0].lr > 0);
    rg_json_bool(json, "failed", run->run.failed != 0);
    rg_json_real(json, "validation", run->run.validation_score);
    rg_json_real(json, "test", run->run.test_score);
    for (int s = 0; s < N_SERIES; s++) {
        rg_json_open(json, names[s], '[');
        for (size_t e = 0; e < run->run.epochs; e += stride)
            rg_json_short(json, NULL, value_of(&epochs[e], s));
        rg_json_close(json, '[');
    }
    rg_json_close(json, '{');
    rg_free(epochs);
    return RG_OK;
}

rg_status rg_report_add_curves(rg_report *report, rg_error *err)
{
    const rg_results *r = report->results;
    rg_json *json = &report->json;
    rg_status status = RG_OK;
    uint32_t longest, stride = choose_stride(report, &longest);
    rg_json_open(json, "curves", '{');
    rg_json_count(json, "stride", stride);
    rg_json_count(json, "longest", longest);
    rg_json_open(json, "runs", '[');
    for (size_t k = 0; k < r->n_runs && !status; k++)
        if (is_chosen(report, &r->runs[k]))
            status = add_curve(report, &r->runs[k], stride, err);
    rg_json_close(json, '[');
    rg_json_close(json, '{');
    return status;
}
