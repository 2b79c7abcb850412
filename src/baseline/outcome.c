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
    for (size_t k = 0; k < part->n; k++)
        if (!isnan(losses[part->graphs[k]])) {
            sum += losses[part->graphs[k]];
            n++;
        }
    return n > 0 ? sum / n : (double)NAN;
}

static double score(const rg_baseline_task *task, const float *numbers, const rg_part *part)
{
    size_t n = 0, hits = 0;
    for (size_t k = 0; k < part->n; k++) {
        uint32_t graph = part->graphs[k], own = task->classes[graph], said = 0;
        const float *row = numbers + (size_t)graph * task->n_classes;
        for (uint32_t c = 1; c < task->n_classes; c++)
            if (row[c] > row[said])
                said = c;
        n += own != RG_NO_CLASS;
        hits += own == said;
    }
    return n ? (double)hits / (double)n : (double)NAN;
}

rg_status rg_baseline_report(rg_baseline_run *out, const rg_baseline_task *task,
                             const float *numbers, const double *losses,
                             const rg_baseline_wish *wish, rg_error *err)
{
    const rg_fold *fold = wish->fold;
    size_t width = task->n_classes;
    out->run = (rg_run){.epochs = 1,
                        .best_epoch = 1,
                        .train_loss = mean_loss(losses, &fold->train),
                        .validation_loss = mean_loss(losses, &fold->validation),
                        .test_loss = mean_loss(losses, &fold->test),
                        .train_score = score(task, numbers, &fold->train),
                        .validation_score = score(task, numbers, &fold->validation),
                        .test_score = score(task, numbers, &fold->test)};
    out->epochs = rg_alloc(1, sizeof *out->epochs);
    if (wish->numbers)
        out->numbers = rg_alloc(fold->test.n, width * sizeof *out->numbers);
    if (!out->epochs || (wish->numbers && !out->numbers))
        return rg_fail_memory(err, "the result of a model");
    out->epochs[0] = (rg_epoch){.number = 1,
                                .train_loss = out->run.train_loss,
                                .train_score = out->run.train_score,
                                .validation_loss = out->run.validation_loss,
                                .validation_score = out->run.validation_score};
    for (size_t k = 0; wish->numbers && k < fold->test.n; k++)
        memcpy(out->numbers + k * width, numbers + fold->test.graphs[k] * width,
               width * sizeof *out->numbers);
    return RG_OK;
}
