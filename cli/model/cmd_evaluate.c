/* cmd_evaluate.c - regula evaluate: scores of a model on data with targets. */
#include "base/alloc.h"
#include "base/error.h"
#include "cli/command/commands.h"
#include "evaluate.h"
#include "metric/calibrate.h"

#include <math.h>

static const cli_argument arguments[] = {CLI_MODEL_ARGUMENT, CLI_DATA_ARGUMENT};

static const cli_option options[] = {
    CLI_SPLIT_OPTION(" with the samples to evaluate"),
    CLI_FOLD_OPTION,
    CLI_PART_OPTION,
    {.name = "confidence",
     .kind = CLI_REAL,
     .metavar = "C",
     .min = 0,
     .max = 1,
     .help =
         "Measure conformal sets of classes: how often they hold the right one, over 100 random "
         "cuts of the samples into calibration and test."},
    CLI_READ_OPTIONS,
    CLI_FORCE_OPTION,
    CLI_MEMORY_OPTION,
    CLI_TABLE_OPTION,
    CLI_THREADS_OPTION,
    CLI_JSON_OPTION,
    CLI_QUIET_OPTION,
};

static const cli_example examples[] = {
    {"regula evaluate csl.safetensors csl", "Evaluate on the whole data set."},
    {"regula evaluate f2.safetensors csl --split csl.json --fold 2",
     "Evaluate on the test set of the fold that the model was trained on."},
    {"regula evaluate csl.safetensors csl --split csl.json --part train --json",
     "Evaluate on the training set, with JSON output."},
};

static const char *const description[] = {
    "Compares the predictions of a model with the targets of a data set. For classification it "
    "prints the accuracy, next to that of always predicting the most frequent class, the area "
    "under the ROC curve (one class against the rest, and the mean), precision and recall per "
    "class, and the confusion matrix. For regression it prints the mean absolute error, the root "
    "mean squared error and R2 of each target.",
    "Where DATA has masks of nodes (docs/nodes.md), the nodes of one part are evaluated: those of "
    "the test set, or of --part.",
    "Samples without a target are skipped. In JSON, accuracy, majority, precision and recall are "
    "between 0 and 1; undefined values are null; confusion has one row per true class.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    rg_predict_options o = rg_predict_options_default();
    cli_default_integer(args, "fold", 0);
    cli_default_integer(args, "threads", o.n_threads);
    cli_default_size(args, "memory", o.memory);
    cli_default_choice(args, "part", CLI_PART_TEST);
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
}

/* The temperature from the validation set, if there is one and others are evaluated; sets on all samples that are
 * evaluated. */
static rg_status measure_sets(cli_evaluate *job, rg_error *err)
{
    const cli_use *use = job->use;
    const rg_part *validation = &use->split.fold.validation;
    cli_outputs outputs = {0};
    rg_status status = RG_OK;
    job->temperature = 1;
    if (use->split.path && validation->n && use->options.samples != validation->graphs) {
        status =
            cli_outputs_take(&outputs, use, &use->source, validation->graphs, validation->n, err);
        if (!status)
            job->temperature =
                rg_temperature_fit(outputs.values, outputs.classes, outputs.n, outputs.n_classes);
        cli_outputs_free(&outputs);
    }
    if (!status)
        status = cli_outputs_take(&outputs, use, &use->source, use->options.samples,
                                  use->options.n_samples, err);
    if (!status)
        status = cli_coverage_measure(&job->coverage, &outputs, job->temperature, job->confidence,
                                      CLI_CUTS, 0, err);
    cli_outputs_free(&outputs);
    return status;
}

static rg_status evaluate(cli_use *use, const cli_arguments *args, rg_error *err)
{
    rg_source source = cli_source_view(&use->source);
    rg_evaluation *scores = rg_alloc_zero(1, sizeof *scores); /* too large for a small stack */
    if (!scores)
        return rg_fail_memory(err, "scores");
    scores->size = sizeof *scores;
    cli_evaluate job = {.use = use, .path = args->words[0], .scores = scores};
    if (use->split.path || use->split.masks)
        job.part = cli_part_words(cli_get(args, "part")->choice);
    double start = cli_now();
    cli_progress_begin(&use->progress, cli_source_items(&use->source).name,
                       cli_flag(args, "quiet"));
    rg_status status = rg_model_evaluate(scores, use->model, &source, &use->options, err);
    cli_progress_end(&use->progress);
    job.seconds = cli_now() - start;
    job.confidence =
        cli_get(args, "confidence")->given ? cli_get(args, "confidence")->real : (double)NAN;
    if (!status && !isnan(job.confidence))
        status = measure_sets(&job, err);
    if (!status)
        cli_warn_unseen(&scores->report);
    if (!status && cli_flag(args, "json"))
        status = cli_evaluate_print_json(&job, err);
    else if (!status)
        cli_evaluate_print_text(&job);
    rg_free(scores);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    cli_use use;
    rg_status status = cli_use_open(&use, args, err);
    if (!status)
        status = cli_use_read(&use, args, err);
    if (!status)
        status = cli_use_part(&use, args, err);
    if (!status)
        status = evaluate(&use, args, err);
    cli_use_close(&use);
    return status;
}

const cli_command cli_evaluate_command = {
    .name = "evaluate",
    .summary = "measure accuracy, AUC and errors of a model",
    .description = description,
    .arguments = arguments,
    .n_arguments = CLI_COUNT(arguments),
    .options = options,
    .n_options = CLI_COUNT(options),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .defaults = defaults,
    .run = run,
};
