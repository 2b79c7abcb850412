/* fit.c - rg_model_train: from a recipe and data to a model. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/sized.h"
#include "model/model.h"
#include "recipe.h"
#include "record.h"
#include "train.h"
#include "transfer/transfer.h"

#include <string.h>

RG_DEFINE_INIT(rg_train_options, RG_TRAIN_OPTIONS_INIT)

/* All that training is of. */
typedef struct fit {
    const rg_recipe *recipe;
    const rg_source *source;
    const rg_fold *fold;
    const rg_train_options *options;
    rg_network *net;
    rg_samples *samples;
    rg_trainer *trainer;
    char *about; /* what a checkpoint must be of */
    double *start;
    rg_train_report report;
    rg_cancel cancel;
    double building; /* part of building done before the stage at hand */
} fit;

static void fit_close(fit *f)
{
    rg_trainer_free(f->trainer);
    rg_samples_free(f->samples);
    rg_network_free(f->net);
    rg_free(f->about);
    rg_free(f->start);
}

/* ---- building */

/* Labels and keys are the first half, tables the second. */
static void build_progress(void *context, double done)
{
    fit *f = context;
    if (f->options->building)
        f->options->building(f->options->context, f->building + done / 2);
}

static rg_status take_start(fit *f, rg_error *err)
{
    const rg_network *net = f->net;
    if (!f->options->start)
        return RG_OK;
    f->start = rg_alloc(net->n_params + net->n_state, sizeof *f->start);
    return f->start ? rg_transfer(f->start, net, f->options, err)
                    : rg_fail_memory(err, "start values of a model");
}

static rg_status build(fit *f, rg_error *err)
{
    const rg_train_options *o = f->options;
    rg_spec *spec = NULL;
    rg_labels *labels[RG_SPEC_LABELS_MAX] = {NULL};
    rg_build_options building = {.fit = o->fit_on_train ? f->fold->train.graphs : NULL,
                                 .n_fit = o->fit_on_train ? f->fold->train.n : 0,
                                 .train = f->fold->train.graphs,
                                 .n_train = f->fold->train.n,
                                 .tables = o->tables,
                                 .n_tables = o->n_tables,
                                 .n_threads = o->n_threads,
                                 .label_cache = o->cache,
                                 .progress = build_progress,
                                 .progress_context = f,
                                 .cancel = &f->cancel};
    rg_samples_options tables = {.precision = f->recipe->settings.precision,
                                 .n_threads = o->n_threads,
                                 .memory = o->memory,
                                 .keep = true,
                                 .progress = build_progress,
                                 .progress_context = f,
                                 .cancel = &f->cancel};
    rg_trainer_options trainer = {.lanes = o->lanes,
                                  .seed = o->seed,
                                  .first_run = o->first_run,
                                  .cpu = o->cpu,
                                  .n_threads = o->n_threads,
                                  .metric = o->metric};
    rg_status status = rg_trainer_check(f->fold, &f->recipe->settings, &trainer, err);
    if (!status)
        status = rg_recipe_spec(&spec, f->recipe, err);
    if (!status)
        status = rg_network_build(&f->net, labels, spec, f->source, &building, err);
    f->building = 0.5;
    if (!status)
        status = take_start(f, err);
    trainer.start = f->start;
    if (!status)
        status = rg_samples_open(&f->samples, f->net, f->source, labels, &tables, err);
    if (!status)
        status =
            rg_trainer_new(&f->trainer, f->samples, f->fold, &f->recipe->settings, &trainer, err);
    return status;
}

static rg_status check(const fit *f, rg_error *err)
{
    const rg_part *parts[] = {&f->fold->train, &f->fold->validation, &f->fold->test};
    size_t n = rg_source_size(f->source);
    for (size_t p = 0; p < 3; p++)
        for (size_t k = 0; k < parts[p]->n; k++)
            if (parts[p]->graphs[k] >= n)
                return rg_fail(err, RG_EUSAGE, "'%s' has %zu samples: there is no %u",
                               rg_source_name(f->source), n, (unsigned)parts[p]->graphs[k]);
    return rg_cpu_check(f->options->cpu, err);
}

/* ---- epochs */

static rg_status save_state(const fit *f, rg_error *err)
{
    if (!f->options->checkpoint)
        return RG_OK;
    return rg_trainer_save(f->trainer, f->options->checkpoint, f->about, err);
}

static int tell(const fit *f)
{
    uint32_t epoch = rg_trainer_epochs(f->trainer);
    if (!f->options->progress)
        return 0;
    size_t best = rg_trainer_best(f->trainer);
    rg_train_state state = {.epoch = epoch,
                            .epochs = f->recipe->settings.epochs,
                            .best_epoch = rg_trainer_best_epoch(f->trainer, best),
                            .last = rg_trainer_report(f->trainer, epoch, 0),
                            .n_runs = f->options->lanes,
                            .errors = rg_metric_is_low(rg_trainer_metric(f->trainer)),
                            .seconds = f->report.seconds,
                            .metric = rg_trainer_metric(f->trainer)};
    return f->options->progress(f->options->context, &state);
}

/* Was it stopped when there is something to keep? */
static bool cancelled(fit *f)
{
    return rg_cancel_is(&f->cancel) &&
           rg_trainer_best_epoch(f->trainer, rg_trainer_best(f->trainer)) > 0;
}

static rg_status train(fit *f, rg_error *err)
{
    uint32_t before = rg_trainer_epochs(f->trainer);
    double saved = rg_seconds();
    while (!rg_trainer_done(f->trainer) && !f->report.interrupted) {
        double start = rg_seconds();
        rg_status status = rg_trainer_epoch(f->trainer, err);
        f->report.seconds += rg_seconds() - start;
        if (status && cancelled(f)) {
            f->report.interrupted = 1;
            break;
        }
        if (status)
            return status;
        f->report.interrupted = tell(f) != 0 && !rg_trainer_done(f->trainer);
        if (f->report.interrupted || rg_seconds() - saved >= f->options->checkpoint_seconds) {
            status = save_state(f, err);
            saved = rg_seconds();
        }
        if (status)
            return status;
    }
    f->report.epochs = rg_trainer_epochs(f->trainer);
    if (f->report.epochs > before)
        f->report.seconds_per_epoch = f->report.seconds / (f->report.epochs - before);
    return RG_OK;
}

/* ---- what came out */

static rg_status make_model(rg_model **out, fit *f, rg_error *err)
{
    double *weights = rg_alloc(f->net->n_params + f->net->n_state, sizeof *weights);
    char *training = NULL, *record = NULL;
    rg_status status = weights ? RG_OK : rg_fail_memory(err, "a model");
    if (!status)
        status = rg_trainer_finish(f->trainer, f->report.runs, err);
    if (status && cancelled(f)) {
        f->report.interrupted = 1;
        rg_trainer_runs(f->report.runs, f->trainer, NULL, NULL);
        status = RG_OK;
    }
    f->report.n_runs = f->options->lanes;
    f->report.metric = rg_trainer_metric(f->trainer);
    f->report.majority = rg_trainer_majority(f->trainer);
    f->report.best = rg_trainer_best(f->trainer);
    if (!status)
        status = rg_settings_print(&training, &f->recipe->settings, err);
    if (!status)
        status =
            rg_record_print(&record, f->source, f->fold, f->options, f->trainer, &f->report, err);
    if (!status) {
        rg_trainer_weights(weights, f->trainer, f->report.best);
        rg_network *net = f->net;
        f->net = NULL; /* the model's */
        rg_samples_free(f->samples);
        f->samples = NULL;
        rg_trainer_free(f->trainer);
        f->trainer = NULL;
        status =
            rg_model_new(out, net, weights, f->recipe->settings.precision, training, record, err);
    }
    rg_free(weights);
    rg_free(training);
    rg_free(record);
    return status;
}

rg_status rg_model_train(rg_model **out, rg_train_report *report, const rg_recipe *recipe,
                         const rg_source *source, const rg_fold *fold,
                         const rg_train_options *options, rg_error *err)
{
    rg_train_options own = RG_TRAIN_OPTIONS_INIT;
    fit f = {.recipe = recipe, .source = source, .fold = fold, .options = &own};
    double start = rg_seconds();
    rg_status status = RG_TAKE(rg_train_options, &own, options, err);
    if (!status)
        status = rg_sized_check(report, "rg_train_report", err);
    rg_cancel_open(&f.cancel, own.cancel, own.cancel_context);
    if (!status)
        status = check(&f, err);
    if (!status)
        status = build(&f, err);
    if (!status)
        status = rg_record_about(&f.about, recipe, source, fold, f.options, err);
    if (!status && f.options->checkpoint && f.options->resume &&
        rg_path_exists(f.options->checkpoint))
        status = rg_trainer_load(f.trainer, f.options->checkpoint, f.about, err);
    f.report.build_seconds = rg_seconds() - start;
    if (!status) {
        rg_network_count(&f.report, f.net);
        f.report.table_bytes = f.samples->bytes;
        status = train(&f, err);
    }
    if (!status)
        status = make_model(out, &f, err);
    if (!status)
        rg_sized_put(report, &f.report, sizeof f.report);
    fit_close(&f);
    return status;
}
