/* run.c - see run.h. */
#include "run.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "folds.h"
#include "keep_ensemble.h"
#include "network/network.h"
#include "parts.h"
#include "text/text.h"
#include "train/choose_metric.h"
#include "train/recipe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LOOKS = 40 }; /* at a directory that others have, before the message */

/* All that lives while an experiment runs. */
typedef struct experiment_run {
    const rg_experiment *experiment;
    rg_experiment_info info;
    const rg_run_options *options;
    const char *file, *data_path, *splits_text; /* for the store */
    rg_contender *contenders;                   /* owned, one a configuration */
    uint32_t *folds;                            /* owned */
    rg_store_fold *about_folds;                 /* owned: what is known of them */
    bool classes;   /* the task is one class per sample, of the only column there is */
    char **choices; /* owned, one a configuration */
    rg_runner_plan plan;
    rg_store_job *jobs; /* owned */
    size_t n_jobs;
    size_t *waiting; /* owned: numbers of those that are left, of this share */
    size_t n_waiting;
    rg_store *store; /* NULL while a part takes the results: others may merge theirs */
    rg_store *part;  /* NULL: the store takes the results itself */
    size_t n_looks;  /* at a directory that others have */
    rg_run_state state;
    double began;
    size_t n_now; /* jobs over in this call */
} experiment_run;

static void run_close(experiment_run *c)
{
    rg_store_close(c->part);
    rg_store_close(c->store);
    for (size_t k = 0; c->contenders && k < c->info.n_configurations; k++)
        rg_contender_free(&c->contenders[k]);
    for (size_t k = 0; c->choices && k < c->info.n_configurations; k++)
        rg_free(c->choices[k]);
    rg_free(c->contenders);
    rg_free(c->choices);
    rg_free(c->folds);
    rg_free(c->about_folds);
    rg_free(c->jobs);
    rg_free(c->waiting);
}

/* ---- what there is to do */

/* An axis that another alternative has says nothing. */
static void add_choice(rg_text *out, const char *choice)
{
    rg_text_add(out, "%s%s", out->n && *choice ? " " : "", choice);
}

static rg_status read_contenders(experiment_run *c, rg_error *err)
{
    size_t n = c->info.n_configurations;
    rg_status status = RG_OK;
    c->contenders = rg_alloc_zero(n, sizeof *c->contenders);
    c->choices = rg_alloc_zero(n, sizeof *c->choices);
    if (!c->contenders || !c->choices)
        return rg_fail_memory(err, "an experiment");
    for (size_t k = 0; !status && k < n; k++) {
        const char *text = rg_experiment_recipe(c->experiment, k);
        rg_text choices = {0};
        for (size_t a = 0; a < c->info.n_axes; a++)
            add_choice(&choices, rg_experiment_choice(c->experiment, k, a));
        c->choices[k] = rg_text_take(&choices);
        status = c->choices[k] ? rg_contender_parse(&c->contenders[k], "configuration", text,
                                                    strlen(text), err)
                               : rg_fail_memory(err, "an experiment");
    }
    return status;
}

static rg_status read_folds(experiment_run *c, const rg_splits *splits, rg_error *err)
{
    size_t there = rg_splits_n_folds(splits), n = c->info.n_folds ? c->info.n_folds : there;
    c->folds = rg_alloc(n, sizeof *c->folds);
    if (!c->folds)
        return rg_fail_memory(err, "an experiment");
    for (size_t k = 0; k < n; k++) {
        c->folds[k] = c->info.n_folds ? c->info.folds[k] : (uint32_t)k;
        if (c->folds[k] >= there)
            return rg_fail(err, RG_EDATA,
                           "experiment '%s': the splits have %zu folds, there is no %u",
                           c->info.name, there, (unsigned)c->folds[k]);
    }
    c->plan.folds = c->folds;
    c->plan.n_folds = n;
    for (size_t k = 0; k < c->info.n_protocols; k++)
        if (c->info.protocols[k] == RG_PROTOCOL_HOLDOUT && n != 1)
            return rg_fail(err, RG_EDATA,
                           "experiment '%s': protocol 'holdout' is for one fold, and there are %zu",
                           c->info.name, n);
    return RG_OK;
}

static char *protocol_names(const rg_experiment_info *info)
{
    rg_text text = {0};
    for (size_t k = 0; k < info->n_protocols; k++)
        rg_text_add(&text, "%s%s", k ? " " : "", rg_protocol_name(info->protocols[k]));
    return rg_text_take(&text);
}

static int is_stopped(void *context)
{
    experiment_run *c = context;
    return c->options->stop ? c->options->stop(c->options->context) : 0;
}

static int is_impatient(void *context)
{
    experiment_run *c = context;
    if (++c->n_looks == LOOKS && c->options->waits)
        c->options->waits(c->options->context);
    return is_stopped(c);
}

/* *out: c->store, for which processes that work together wait, or c->part. */
static rg_status open_store(experiment_run *c, rg_store **out, bool *resumed, const char *directory,
                            rg_error *err)
{
    const rg_source *source = c->plan.source;
    char data_digest[RG_DIGEST_SIZE], splits_digest[RG_DIGEST_SIZE];
    size_t n = c->info.n_configurations;
    rg_store_configuration *configurations = rg_alloc_zero(n, sizeof *configurations);
    char *protocols = protocol_names(&c->info);
    rg_status status = configurations && protocols ? RG_OK : rg_fail_memory(err, "an experiment");
    rg_source_digest(source, data_digest);
    rg_splits_digest(c->plan.splits, splits_digest);
    for (size_t k = 0; configurations && k < n; k++)
        configurations[k] = (rg_store_configuration){
            .choices = c->choices[k], .recipe = rg_experiment_recipe(c->experiment, k)};
    rg_store_experiment about = {.name = c->info.name,
                                 .file = c->file,
                                 .resolved = rg_experiment_text(c->experiment),
                                 .data = rg_source_name(source),
                                 .data_path = c->data_path,
                                 .data_digest = data_digest,
                                 .splits = c->splits_text,
                                 .splits_digest = splits_digest,
                                 .seed = c->info.seed,
                                 .n_runs = c->info.runs,
                                 .n_folds = (uint32_t)c->plan.n_folds,
                                 .fit = c->info.fit_on_train ? "train" : "all",
                                 .protocols = protocols,
                                 .score = rg_store_score(c->state.metric)};
    rg_store_plan plan = {.experiment = &about,
                          .configurations = configurations,
                          .n_configurations = n,
                          .jobs = c->jobs,
                          .n_jobs = c->n_jobs,
                          .folds = c->about_folds};
    if (!status)
        status =
            rg_store_await(out, resumed, directory, &plan,
                           c->options->together && out == &c->store ? is_impatient : NULL, c, err);
    rg_free(configurations);
    rg_free(protocols);
    return status;
}

/* What scores are asked for: of the experiment, else of its networks, which must agree. */
static rg_status asked_metric(rg_metric *out, const experiment_run *c, rg_error *err)
{
    const rg_contender *first = NULL;
    *out = c->info.metric;
    for (size_t k = 0; *out == RG_METRIC_DEFAULT && k < c->info.n_configurations; k++) {
        const rg_contender *own = &c->contenders[k];
        if (!own->recipe)
            continue;
        first = first ? first : own;
        if (own->recipe->settings.metric != first->recipe->settings.metric)
            return rg_fail(err, RG_EDATA,
                           "experiment '%s': configurations have different metrics, '%s' and '%s': "
                           "protocols compare scores of one ('metric' of the experiment)",
                           c->info.name, rg_metric_name(first->recipe->settings.metric),
                           rg_metric_name(own->recipe->settings.metric));
    }
    if (first)
        *out = first->recipe->settings.metric;
    return RG_OK;
}

/* `auto` looks at the training sets of all folds together. */
static rg_status choose_metric(experiment_run *c, rg_task task, const rg_spec *spec, rg_error *err)
{
    rg_metric asked = RG_METRIC_DEFAULT;
    double majority = (double)NAN;
    rg_part *train = rg_alloc(c->plan.n_folds, sizeof *train);
    rg_status status = train ? asked_metric(&asked, c, err) : rg_fail_memory(err, "an experiment");
    for (size_t f = 0; train && f < c->plan.n_folds; f++)
        train[f] = rg_splits_fold(c->plan.splits, c->folds[f]).train;
    if (!status && asked == RG_METRIC_AUTO)
        status = rg_targets_majority(&majority, c->plan.source, task, spec ? spec->targets : NULL,
                                     spec ? spec->n_targets : 0, train, c->plan.n_folds, err);
    c->state.metric = rg_metric_choose(asked, task, majority);
    c->plan.metric = asked == RG_METRIC_DEFAULT ? asked : c->state.metric;
    rg_free(train);
    return status;
}

/* What are scores, and is there a most frequent class? All networks of an experiment learn the same, so the first one
 * tells; kernels learn classes. */
static rg_status find_metric(experiment_run *c, rg_error *err)
{
    rg_spec *spec = NULL;
    const rg_source *source = c->plan.source;
    size_t first = 0;
    while (first < c->info.n_configurations && !c->contenders[first].recipe)
        first++;
    rg_task task = RG_TASK_CLASSES;
    if (first < c->info.n_configurations) {
        rg_status status = rg_recipe_spec(&spec, c->contenders[first].recipe, err);
        if (status)
            return status;
        task = spec->task;
    }
    size_t n_classes = rg_source_columns(source, RG_CLASS);
    bool on_nodes = n_classes == 0 && source->graphs &&
                    rg_dataset_n_columns(source->graphs, RG_TARGET) == 0 &&
                    rg_dataset_n_columns(source->graphs, RG_NODE_CLASS) > 0;
    c->classes = (task == RG_TASK_CLASSES || task == RG_TASK_AUTO) && n_classes == 1;
    if (task == RG_TASK_AUTO)
        task = on_nodes                                           ? RG_TASK_NODES
               : n_classes == 0                                   ? RG_TASK_VALUES
               : n_classes == 1 || (spec && spec->n_targets == 1) ? RG_TASK_CLASSES
                                                                  : RG_TASK_MULTILABEL;
    rg_status status = choose_metric(c, task, spec, err);
    rg_spec_free(spec);
    return status;
}

static rg_status describe_folds(experiment_run *c, rg_error *err)
{
    rg_folds_options options = {.folds = c->folds,
                                .n_folds = c->plan.n_folds,
                                .classes = c->classes,
                                .n_threads = c->options->n_threads};
    return rg_folds_describe(&c->about_folds, c->plan.source, c->plan.splits, &options, err);
}

/* Numbers of the jobs that are left to this process. */
static rg_status find_waiting(experiment_run *c, rg_error *err)
{
    size_t n;
    const rg_run_options *o = c->options;
    const rg_store_job *jobs = rg_store_jobs(c->store, &n);
    uint32_t *share = rg_alloc_zero(n, sizeof *share);
    c->waiting = rg_alloc(n, sizeof *c->waiting);
    rg_status status = share && c->waiting ? RG_OK : rg_fail_memory(err, "an experiment");
    if (!status && o->n_shards > 1)
        status = rg_runner_share(share, &c->plan, c->jobs, n, o->n_shards, err);
    for (size_t k = 0; k < n && !status; k++) {
        if (share[k] != o->shard)
            continue;
        if (o->retry)
            status = rg_store_retry(c->store, k, err);
        c->state.n_jobs++;
        c->state.n_done += jobs[k].outcome.state != RG_JOB_WAITING;
        c->state.n_failed += jobs[k].outcome.state == RG_JOB_FAILED;
        if (jobs[k].outcome.state == RG_JOB_WAITING)
            c->waiting[c->n_waiting++] = k;
    }
    rg_free(share);
    return status;
}

/* ---- doing it */

static void note_best(experiment_run *c, const rg_runner_result *result)
{
    double sum = 0;
    uint32_t n = c->jobs[result->job].n_runs;
    for (uint32_t r = 0; result->runs && r < n; r++)
        sum += result->runs[r].run.validation_score;
    sum /= n;
    if (!result->runs || isnan(sum))
        return;
    if (isnan(c->state.best) ||
        (rg_metric_is_low(c->state.metric) ? sum < c->state.best : sum > c->state.best))
        c->state.best = sum;
}

static void tell(experiment_run *c)
{
    if (!c->options->progress)
        return;
    c->state.seconds = rg_seconds() - c->began;
    c->state.left =
        c->n_now ? c->state.seconds / (double)c->n_now * (double)(c->state.n_jobs - c->state.n_done)
                 : -1;
    c->options->progress(c->options->context, &c->state);
}

static rg_status job_done(void *context, const rg_runner_result *result, rg_error *err)
{
    experiment_run *c = context;
    rg_status status = rg_store_put_job(c->part ? c->part : c->store, result->job, &result->outcome,
                                        result->runs, err);
    if (status)
        return status;
    c->state.n_done++;
    c->n_now++;
    c->state.n_failed += result->outcome.state == RG_JOB_FAILED;
    note_best(c, result);
    tell(c);
    return RG_OK;
}

static rg_runner_options runner_options(experiment_run *c)
{
    return (rg_runner_options){.n_threads = c->options->n_threads,
                               .memory = c->options->memory,
                               .cache = c->options->cache,
                               .cpu = c->options->cpu,
                               .done = job_done,
                               .stop = is_stopped,
                               .context = c};
}

/* ---- models */

static rg_status keep_model(experiment_run *c, uint32_t configuration, uint32_t fold, uint32_t run,
                            rg_error *err)
{
    char name[96];
    rg_runner_options options = runner_options(c);
    rg_model *model = NULL;
    rg_model_info info = RG_MODEL_INFO_INIT;
    snprintf(name, sizeof name, "models/configuration-%u-fold-%u-run-%u.safetensors",
             (unsigned)configuration, (unsigned)fold, (unsigned)run);
    char *path = rg_path_join(c->options->directory, name);
    char *folder = rg_path_join(c->options->directory, "models");
    rg_status status = path && folder ? rg_dir_make(folder, err) : rg_fail_memory(err, "a model");
    if (!status)
        status = rg_runner_model(&model, &c->plan, configuration, fold, run, &options, err);
    if (!status)
        status = rg_model_save(model, path, err);
    if (!status)
        status = rg_model_describe(&info, model, err);
    if (!status)
        status = rg_store_put_model(c->store,
                                    &(rg_store_model){.configuration = configuration,
                                                      .fold = fold,
                                                      .run = run,
                                                      .file = name,
                                                      .digest = info.digest},
                                    err);
    rg_model_free(model);
    rg_free(path);
    rg_free(folder);
    return status;
}

static bool is_kept(const rg_store_model *models, size_t n, const rg_store_run *run)
{
    for (size_t k = 0; k < n; k++)
        if (models[k].configuration == run->configuration && models[k].fold == run->fold &&
            models[k].run == run->run.number)
            return true;
    return false;
}

/* Is this the run of its fold whose model is wanted: of a configuration that the first protocol
 * chose the one that is best on the validation set? */
static bool is_wanted(const experiment_run *c, const rg_protocol_result *chosen, size_t n_chosen,
                      const rg_store_run *runs, size_t n, const rg_store_run *run)
{
    if (c->info.keep == RG_KEEP_ALL)
        return run->run.best_epoch > 0;
    bool wanted = false;
    for (size_t k = 0; k < n_chosen && !wanted; k++)
        wanted = chosen[k].folds && chosen[k].folds[run->fold].configuration == run->configuration;
    if (!wanted)
        return false;
    for (size_t k = 0; k < n; k++) {
        if (runs[k].configuration != run->configuration || runs[k].fold != run->fold ||
            &runs[k] == run)
            continue;
        double other = runs[k].run.validation_score, own = run->run.validation_score;
        bool same = other == own || (isnan(other) && isnan(own)); /* no validation set */
        if (rg_metric_is_low(c->state.metric) ? other < own : other > own)
            return false;
        if (same && runs[k].run.number < run->run.number)
            return false;
    }
    return true;
}

/* What the first protocol chose, of every method. chosen: zeroed, one a method; one without folds
 * has nothing to choose from. */
static rg_status choose(rg_protocol_result *chosen, const experiment_run *c,
                        const rg_compared_method *methods, size_t n_methods, const rg_cells *cells,
                        rg_error *err)
{
    rg_status status = RG_OK;
    for (size_t m = 0; m < n_methods && !status; m++) {
        rg_cells own = rg_cells_part(cells, methods[m].first, methods[m].n);
        status = rg_protocol_run(&chosen[m], c->info.protocols[0], &own, c->store, err);
        status = status == RG_EFAIL ? RG_OK : status;
    }
    return status;
}

/* Saves the models that are wanted and not there yet. */
static rg_status keep_wanted(experiment_run *c, rg_run_report *report,
                             const rg_protocol_result *chosen, size_t n_chosen,
                             const rg_store_run *runs, size_t n, rg_error *err)
{
    rg_store_model *models = NULL;
    size_t n_kept = 0;
    rg_status status = rg_store_models(&models, &n_kept, c->store, err);
    for (size_t k = 0; !status && !report->stopped && k < n; k++) {
        if (is_kept(models, n_kept, &runs[k]) || !is_wanted(c, chosen, n_chosen, runs, n, &runs[k]))
            continue;
        if (!c->contenders[runs[k].configuration].recipe) {
            report->n_without++;
            continue;
        }
        report->stopped = is_stopped(c) != 0;
        if (report->stopped)
            break;
        status = keep_model(c, runs[k].configuration, runs[k].fold, runs[k].run.number, err);
        report->n_models += !status;
    }
    rg_free(models);
    return status;
}

/* The first ensemble under the first protocol, a model per fold. */
static rg_status keep_ensembles(experiment_run *c, rg_run_report *report, const rg_cells *cells,
                                const rg_store_run *runs, size_t n_runs, rg_error *err)
{
    rg_runner_options options = runner_options(c);
    size_t n = 0;
    bool without = false;
    rg_ensemble_keep keep = {.directory = c->options->directory,
                             .plan = &c->plan,
                             .options = &options,
                             .task = {.store = c->store,
                                      .cells = cells,
                                      .configurations = rg_store_configurations(c->store, &n),
                                      .runs = runs,
                                      .n_runs = n_runs,
                                      .metric = c->state.metric},
                             .ensemble = c->info.ensembles[0],
                             .protocol = c->info.protocols[0]};
    rg_status status = rg_ensemble_keep_models(&n, &without, &report->stopped, &keep, err);
    if (!status)
        report->n_models += n;
    report->n_without += without ? c->plan.n_folds : 0;
    return status;
}

static rg_status keep_models(experiment_run *c, rg_run_report *report, rg_error *err)
{
    rg_store_run *runs = NULL;
    rg_compared_method *methods = NULL;
    rg_protocol_result *chosen = NULL;
    rg_cells cells = {0};
    size_t n = 0, n_methods = 0, n_configurations = 0;
    const rg_store_configuration *all = rg_store_configurations(c->store, &n_configurations);
    rg_status status = rg_store_runs(&runs, &n, c->store, err);
    if (!status)
        status = rg_cells_make(&cells, runs, n, c->info.n_configurations, c->plan.n_folds,
                               c->info.runs, rg_metric_is_low(c->state.metric), err);
    if (!status)
        status = rg_methods_make(&methods, &n_methods, rg_store_about(c->store), all,
                                 n_configurations, err);
    if (!status && !(chosen = rg_alloc_zero(n_methods, sizeof *chosen)))
        status = rg_fail_memory(err, "an experiment");
    if (!status && c->info.keep == RG_KEEP_BEST)
        status = choose(chosen, c, methods, n_methods, &cells, err);
    if (!status)
        status = keep_wanted(c, report, chosen, n_methods, runs, n, err);
    if (!status && !report->stopped && c->info.keep == RG_KEEP_BEST && c->info.n_ensembles &&
        c->info.protocols[0] != RG_PROTOCOL_GIN)
        status = keep_ensembles(c, report, &cells, runs, n, err);
    for (size_t m = 0; chosen && m < n_methods; m++)
        rg_protocol_free(&chosen[m]);
    rg_free(chosen);
    rg_methods_free(methods, n_methods);
    rg_cells_free(&cells);
    rg_store_runs_free(runs, n);
    return status;
}

/* ---- the whole */

static rg_status run_plan(experiment_run *c, const rg_source *source, const rg_splits *splits,
                          rg_error *err)
{
    rg_status status = read_contenders(c, err);
    if (!status)
        status = read_folds(c, splits, err);
    c->plan.source = source;
    c->plan.splits = splits;
    c->plan.contenders = c->contenders;
    c->plan.n_contenders = c->info.n_configurations;
    c->plan.seed = c->info.seed;
    c->plan.n_runs = c->info.runs;
    c->plan.starts_per_fold = c->info.starts_per_fold;
    c->plan.fit_on_train = c->info.fit_on_train;
    c->plan.predictions = true;
    return status ? status : rg_runner_jobs(&c->jobs, &c->n_jobs, &c->plan, err);
}

/* The resolved file beside the store, for people: experiment.yml does the same again anywhere. */
static rg_status write_resolved(const experiment_run *c, rg_error *err)
{
    rg_file *file = NULL;
    char *path = rg_path_join(c->options->directory, "experiment.yml");
    rg_status status =
        path ? rg_file_create(&file, path, err) : rg_fail_memory(err, "an experiment");
    rg_free(path);
    if (status)
        return status;
    rg_file_text(file, rg_experiment_text(c->experiment));
    return rg_file_commit(file, err);
}

static rg_status run_open(experiment_run *c, bool *resumed, rg_error *err)
{
    rg_status status = open_store(c, &c->store, resumed, c->options->directory, err);
    return status ? status : rg_parts_merge(c->store, !c->options->together, err);
}

static rg_status run_prepare(experiment_run *c, bool *resumed, const rg_source *source,
                             const rg_splits *splits, rg_error *err)
{
    rg_status status = run_plan(c, source, splits, err);
    if (!status)
        status = find_metric(c, err);
    if (!status)
        status = describe_folds(c, err);
    if (!status)
        status = run_open(c, resumed, err);
    if (!status)
        status = write_resolved(c, err);
    return status ? status : find_waiting(c, err);
}

static rg_status do_jobs(experiment_run *c, size_t *n_done, rg_error *err)
{
    rg_runner_options runner = runner_options(c);
    tell(c);
    return rg_runner_run(&c->plan, c->jobs, c->waiting, c->n_waiting, &runner, n_done, err);
}

/* From here on results go to a part, and others may have the directory. */
static rg_status part_begin(experiment_run *c, rg_error *err)
{
    const rg_run_options *o = c->options;
    char *path = rg_parts_path(o->directory, o->shard, o->n_shards);
    rg_status status =
        path ? open_store(c, &c->part, NULL, path, err) : rg_fail_memory(err, "an experiment");
    rg_free(path);
    rg_store_close(c->store);
    c->store = NULL;
    return status;
}

/* Merges the part. *last: it had all that was missing. The part is locked until the directory is
 * ours, so that every job is always in a place where the next process finds it. */
static rg_status part_end(experiment_run *c, bool *last, rg_error *err)
{
    rg_status status = open_store(c, &c->store, NULL, c->options->directory, err);
    *last = !status && rg_store_count(c->store, RG_JOB_WAITING) > 0;
    rg_store_close(c->part);
    c->part = NULL;
    if (!status)
        status = rg_parts_merge(c->store, false, err);
    *last = *last && !status && rg_store_count(c->store, RG_JOB_WAITING) == 0;
    return status;
}

static void report_jobs(rg_run_report *report, const experiment_run *c)
{
    if (!c->store) {
        report->n_jobs = c->state.n_jobs;
        report->n_done = c->state.n_done;
        report->n_failed = c->state.n_failed;
        return;
    }
    rg_store_jobs(c->store, &report->n_jobs);
    report->n_failed = rg_store_count(c->store, RG_JOB_FAILED);
    report->n_done = rg_store_count(c->store, RG_JOB_DONE) + report->n_failed;
}

rg_status rg_experiment_run(rg_run_report *out, const rg_experiment *experiment, const char *file,
                            const rg_source *source, const char *data_path, const rg_splits *splits,
                            const char *splits_text, const rg_run_options *options, rg_error *err)
{
    experiment_run c = {.experiment = experiment,
                        .info = *rg_experiment_describe(experiment),
                        .options = options,
                        .file = file,
                        .data_path = data_path,
                        .splits_text = splits_text,
                        .state = {.best = (double)NAN, .left = -1},
                        .began = rg_seconds()};
    rg_run_report report = {.resumed = false};
    size_t n_done = 0;
    if (options->n_shards && options->shard >= options->n_shards)
        return rg_fail(err, RG_EUSAGE, "shard %u of %u: shards count from 0",
                       (unsigned)options->shard, (unsigned)options->n_shards);
    rg_status status = run_prepare(&c, &report.resumed, source, splits, err);
    /* With nothing left for anyone, the first process tells the results. */
    bool last = !options->together || options->shard == 0;
    if (!status && options->together && c.n_waiting)
        status = part_begin(&c, err);
    if (!status)
        status = do_jobs(&c, &n_done, err);
    report.stopped = n_done < c.n_waiting;
    if (!status && c.part && !report.stopped)
        status = part_end(&c, &last, err);
    if (!status)
        report_jobs(&report, &c);
    report.others = options->together && !(last && report.n_done == report.n_jobs);
    if (!status && c.store && !report.others && report.n_done == report.n_jobs &&
        c.info.keep != RG_KEEP_NONE)
        status = keep_models(&c, &report, err);
    if (!status)
        *out = report;
    run_close(&c);
    return status;
}
