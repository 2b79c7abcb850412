/* train_networks.c - see train.h: several networks of one recipe, from different seeds. */
#include "base/alloc.h"
#include "base/error.h"
#include "cli/output/output.h"
#include "train.h"

#include <math.h>

/* Is the first of two runs better on the validation set? */
static bool is_better(const rg_train_report *a, const rg_train_report *b)
{
    double x = a->runs[a->best].validation_score, y = b->runs[b->best].validation_score;
    return isnan(y) ? !isnan(x) : rg_metric_is_low(a->metric) ? x < y : x > y;
}

/* *out: NaN of a part without samples. */
static rg_status score(double *out, const cli_train *job, const rg_source *source, rg_part part,
                       rg_error *err)
{
    rg_predict_options options = rg_predict_options_default();
    rg_evaluation result = RG_EVALUATION_INIT;
    *out = (double)NAN;
    if (part.n == 0)
        return RG_OK;
    options.samples = part.graphs;
    options.n_samples = part.n;
    options.n_threads = job->options.n_threads;
    options.memory = job->options.memory;
    options.cpu = job->options.cpu;
    options.cache = job->options.cache;
    rg_status status = rg_model_evaluate(&result, job->model, source, &options, err);
    if (!status)
        *out = result.scores[job->report.metric];
    return status;
}

void cli_train_print_networks(const cli_train *job)
{
    static const char *const parts[] = {"validation", "test"};
    char text[32];
    for (size_t k = 0; job->n_networks > 1 && k < 2; k++)
        if (!isnan(job->together[k])) {
            cli_score_text(job->together[k], job->report.metric, text);
            printf("%-18s %s%s of %zu networks together\n", parts[k],
                   cli_score_word(job->report.metric), text, job->n_networks);
        }
}

void cli_train_json_networks(json_t **root, const cli_train *job)
{
    if (job->n_networks < 2)
        return;
    json_t *together = json_object();
    cli_json_set(&together, "validation_score", cli_json_real(job->together[0]));
    cli_json_set(&together, "test_score", cli_json_real(job->together[1]));
    cli_json_set(root, "networks", cli_json_count(job->n_networks));
    cli_json_set(root, "together", together);
}

rg_status cli_train_networks(cli_train *job, const rg_source *source, rg_error *err)
{
    size_t n = 0;
    rg_train_options options = job->options;
    rg_model **models = rg_alloc_zero(job->n_networks, sizeof *models);
    rg_status status = models ? RG_OK : rg_fail_memory(err, "networks");
    options.checkpoint = NULL; /* they are trained anew */
    while (!status && n < job->n_networks) {
        rg_train_report report = RG_TRAIN_REPORT_INIT;
        options.first_run = job->options.first_run + (uint32_t)n;
        status = rg_model_train(&models[n], &report, job->recipe, source, &job->split.fold,
                                &options, err);
        if (!status && report.interrupted) {
            rg_model_free(models[n]);
            status = rg_fail(err, RG_EFAIL, "stopped at network %zu of %zu: nothing was written",
                             n + 1, job->n_networks);
        } else if (!status && (n++ == 0 || is_better(&report, &job->report)))
            job->report = report;
    }
    if (!status)
        status = rg_model_combine(&job->model, models, n, (uint32_t)n, NULL, err);
    bool combined = !status;
    if (!status)
        status = score(&job->together[0], job, source, job->split.fold.validation, err);
    if (!status)
        status = score(&job->together[1], job, source, job->split.fold.test, err);
    for (size_t k = 0; !combined && k < n; k++)
        rg_model_free(models[k]);
    rg_free(models);
    return status;
}
