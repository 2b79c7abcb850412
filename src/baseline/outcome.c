/* outcome.c - what kernels and linear models have in common: a cost, and the result of a run from what
 * the model says of every graph. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "baseline.h"

#include <math.h>
#include <string.h>

rg_status rg_baseline_read_c(double *out, const rg_yaml *node, rg_error *err)
{
    static const char wanted[] = "a number above 0 and at most 1e9, or a power of two such as 2^-3";
    const char *text = rg_yaml_text(node);
    int64_t power;
    if (text && strncmp(text, "2^", 2) == 0) {
        const char *end = text + strlen(text);
        if (rg_number_int(text + 2, end, &power) != end || power < -60 || power > 29)
            return rg_yaml_expected(node, wanted, err);
        *out = ldexp(1, (int)power);
        return RG_OK;
    }
    rg_status status = rg_yaml_real(node, out, wanted, err);
    return status || (*out > 0 && *out <= 1e9) ? status : rg_yaml_expected(node, wanted, err);
}

static double mean_loss(const double *losses, const rg_part *part)
{
    double sum = 0, n = 0;
    for (size_t k = 0; losses && k < part->n; k++)
        if (!isnan(losses[part->graphs[k]])) {
            sum += losses[part->graphs[k]];
            n++;
        }
    return n > 0 ? sum / n : (double)NAN;
}

/* *out: NaN where it is not defined. */
static rg_status find_score(double *out, const rg_baseline_task *task, rg_metric metric,
                            const float *numbers, rg_part part, rg_error *err)
{
    size_t n = part.n, width = task->n_classes, all;
    rg_metric own = metric == RG_METRIC_DEFAULT ? RG_METRIC_ACCURACY : metric;
    double *said = rg_size_mul(&all, n, width) ? rg_alloc(all, sizeof *said) : NULL;
    uint32_t *classes = rg_alloc(n, sizeof *classes);
    rg_status status = said && classes ? RG_OK : rg_fail_memory(err, "scores");
    for (size_t k = 0; !status && k < n; k++) {
        classes[k] = task->classes[part.graphs[k]];
        for (size_t c = 0; c < width; c++)
            said[k * width + c] = (double)numbers[part.graphs[k] * width + c];
    }
    if (!status && rg_metric_is_of_values(own))
        status = rg_fail(err, RG_EDATA, "metric '%s' does not fit the task 'classification'",
                         rg_metric_name(own));
    if (!status)
        status = rg_metric_classes(out, own, said, classes, n, width, err);
    rg_free(said);
    rg_free(classes);
    return status;
}

/* Rows of a part. Owned; NULL: memory was short. */
static float *pick(const float *numbers, size_t width, rg_part part)
{
    float *out = rg_alloc(part.n, width * sizeof *out);
    for (size_t k = 0; out && k < part.n; k++)
        memcpy(out + k * width, numbers + part.graphs[k] * width, width * sizeof *out);
    return out;
}

rg_status rg_baseline_report(rg_baseline_run *out, const rg_baseline_task *task,
                             const float *numbers, const double *losses,
                             const rg_baseline_wish *wish, rg_error *err)
{
    const rg_fold *fold = wish->fold;
    const rg_part *parts[] = {&fold->train, &fold->validation, &fold->test};
    double scores[3];
    size_t width = task->n_classes;
    for (size_t k = 0; k < 3; k++) {
        rg_status status = find_score(&scores[k], task, wish->metric, numbers, *parts[k], err);
        if (status)
            return status;
    }
    out->run = (rg_run){.epochs = 1,
                        .best_epoch = 1,
                        .train_loss = mean_loss(losses, &fold->train),
                        .validation_loss = mean_loss(losses, &fold->validation),
                        .test_loss = mean_loss(losses, &fold->test),
                        .train_score = scores[0],
                        .validation_score = scores[1],
                        .test_score = scores[2]};
    out->epochs = rg_alloc(1, sizeof *out->epochs);
    if (wish->numbers) {
        out->numbers = pick(numbers, width, fold->test);
        out->validation = pick(numbers, width, fold->validation);
    }
    if (!out->epochs || (wish->numbers && !(out->numbers && out->validation)))
        return rg_fail_memory(err, "the result of a model");
    out->epochs[0] = (rg_epoch){.number = 1,
                                .train_loss = out->run.train_loss,
                                .train_score = out->run.train_score,
                                .validation_loss = out->run.validation_loss,
                                .validation_score = out->run.validation_score};
    return RG_OK;
}
