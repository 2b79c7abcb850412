/* cmd_train.c - regula train: from data, and a network of one's own or one that is chosen, to a model. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "cli/output/place.h"
#include "network.h"
#include "regula/fetch.h"
#include "train.h"
#include "use.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *lane_words(size_t k)
{
    static const char *const words[] = {"1", "4", "8"};
    return k < CLI_COUNT(words) ? words[k] : NULL;
}

static const char *fit_words(size_t k)
{
    static const char *const words[] = {"all", "train"};
    return k < CLI_COUNT(words) ? words[k] : NULL;
}

static const cli_argument arguments[] = {CLI_DATA_ARGUMENT};

static const cli_option options[] = {
    CLI_NETWORK_OPTIONS,
    {.name = "model",
     .letter = 'm',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .required = true,
     .help = "File for the model (.safetensors)."},
    CLI_SPLIT_OPTION(" with training, validation and test sets"),
    CLI_FOLD_OPTION,
    {.name = "validation",
     .kind = CLI_REAL,
     .metavar = "PART",
     .min = 0,
     .max = 1,
     .help = "Without --split: fraction of the samples for validation; 0 trains on all samples."},
    {.name = "seed",
     .letter = 's',
     .kind = CLI_SEED,
     .metavar = "S",
     .help = "Random seed: the same seed and run give the same model."},
    {.name = "run",
     .kind = CLI_INTEGER,
     .metavar = "R",
     .min = 0,
     .max = 4e9,
     .help = "Index of the (first) run; runs differ in their initial weights."},
    {.name = "lanes",
     .kind = CLI_CHOICE,
     .metavar = "N",
     .choices = lane_words,
     .help = "Number of runs to train in parallel; the model of the best one on the validation set "
             "is kept. Networks with message passing layers train one run at a time."},
    {.name = "ensemble",
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 1,
     .max = 1000,
     .help = "Train N runs, one after another, and keep all of them in one model, which answers "
             "with the mean of their probabilities or values."},
    {.name = "fit",
     .kind = CLI_CHOICE,
     .metavar = "GRAPHS",
     .choices = fit_words,
     .help = "Graphs to fit the label vocabularies on."},
    {.name = "resume",
     .old_letter = 'r',
     .kind = CLI_FLAG,
     .help = "Continue from the checkpoint of a stopped run; start from scratch if there is none."},
    {.name = "save-every",
     .kind = CLI_REAL,
     .metavar = "SECONDS",
     .min = 0,
     .max = 1e9,
     .help = "Seconds between checkpoints."},
    {.name = "start",
     .kind = CLI_PATH,
     .metavar = "MODEL",
     .help =
         "Model of these or other data to start from: weights whose keys mean the same are taken, "
         "all others start as usual."},
    {.name = "same-values",
     .kind = CLI_FLAG,
     .help = "With --start: labels and classes without names mean the same in both data sets."},
    CLI_LABEL_NAMES_OPTION,
    CLI_READ_OPTIONS,
    CLI_MEMORY_OPTION,
    CLI_THREADS_OPTION,
    CLI_JSON_OPTION,
    CLI_QUIET_OPTION,
};

static const cli_example examples[] = {
    {"regula train csl --model csl.safetensors", "Train a network that is chosen for the data."},
    {"regula train csl -m d.safetensors --rule 'share dist(i,j) when dist(i,j) <= 3'",
     "The same with a rule of your own."},
    {"regula train csl --network csl.yml --model csl.safetensors",
     "Train on 90 % of the samples and validate on 10 %."},
    {"regula train csl -n csl.yml -m f2.safetensors --split csl.json --fold 2",
     "Train on one fold of a split file and score its test set."},
    {"regula train csl -n csl.yml -m best.safetensors --lanes 4 --seed 7 --json",
     "Train four runs at once and keep the best."},
    {"regula train csl -n csl.yml -m five.safetensors --ensemble 5",
     "Train five networks that answer together."},
    {"regula train csl -n csl.yml -m csl.safetensors --resume", "Continue a run that was stopped."},
    {"regula train csl -n csl.yml -m more.safetensors --start csl.safetensors",
     "Start from what a model of these or other data knows."},
};

static const char *const description[] = {
    "Trains a network and writes a model: one file with everything that "
    "prediction on other data needs. The same data, files, seed and run give the same bytes on any "
    "number of threads, with any --memory and on any processor.",
    "Without --split, the seed chooses a stratified validation set, and there is no test set "
    "unless DATA brings one, as MNIST does. Where targets are those of nodes and DATA has masks "
    "train, validation and test, the nodes in them are the parts (docs/nodes.md). The model keeps "
    "the weights of the epoch that is best "
    "on the validation set.",
    "Several threads train one model if the setting 'parts' of the file cuts batches into parts "
    "(docs/networks.md); the number of threads changes no byte.",
    "Ctrl-C, SIGTERM or SIGHUP stops training after the current epoch and writes the best model so "
    "far. The same command with --resume continues, to the same bytes as if it had never stopped. "
    "A second signal ends the program at once. The checkpoint, MODEL.checkpoint, is deleted when "
    "training ends; an existing one is never overwritten without --resume.",
    "With --start, keys are compared by what labels and properties say, labels, bonds and classes "
    "by their "
    "names, and a table says what was taken (docs/transfer.md). The names that are known for data "
    "sets "
    "count, and those of --label-names for DATA.",
    "In JSON, accuracies are between 0 and 1, and null for regression, whose errors are mean "
    "absolute errors; build_seconds is the time before the first epoch, seconds the time spent in "
    "epochs.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    rg_train_options o = rg_train_options_default();
    cli_default_seed(args, "seed", o.seed);
    cli_default_integer(args, "run", o.first_run);
    cli_default_integer(args, "fold", 0);
    cli_default_integer(args, "ensemble", 1);
    cli_default_integer(args, "threads", o.n_threads);
    cli_default_size(args, "memory", o.memory);
    cli_default_real(args, "validation", rg_split_options_default().validation);
    cli_default_real(args, "save-every", o.checkpoint_seconds);
    cli_default_choice(args, "lanes", 0);
    cli_default_choice(args, "fit", o.fit_on_train ? 1 : 0);
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
}

static rg_status check_options(const cli_arguments *args, rg_error *err)
{
    bool split = cli_get(args, "split")->given;
    if (cli_get(args, "fold")->given && !split)
        return rg_fail(err, RG_EUSAGE, "option '--fold' is for '--split'");
    if (cli_get(args, "validation")->given && split)
        return rg_fail(err, RG_EUSAGE, "options '--split' and '--validation' exclude each other");
    if (cli_get(args, "ensemble")->integer > 1 &&
        (cli_get(args, "lanes")->given || cli_flag(args, "resume")))
        return rg_fail(err, RG_EUSAGE, "option '--ensemble' is without '--lanes' and '--resume'");
    return RG_OK;
}

/* All that can be said without the data. */
static rg_status prepare(cli_train *job, const cli_arguments *args, rg_error *err)
{
    static const char ending[] = ".checkpoint";
    rg_train_options *o = &job->options;
    rg_status status = check_options(args, err);
    if (!status)
        status = cli_cpu(&o->cpu, err);
    if (!status)
        status = cli_check_place(job->out, err);
    if (status)
        return status;
    size_t n = strlen(job->out);
    job->checkpoint = rg_alloc(n + sizeof ending, 1);
    if (!job->checkpoint)
        return rg_fail_memory(err, "naming a checkpoint");
    memcpy(job->checkpoint, job->out, n);
    memcpy(job->checkpoint + n, ending, sizeof ending);
    if (!cli_flag(args, "resume") && rg_path_exists(job->checkpoint))
        return rg_fail(err, RG_EFAIL,
                       "'%s' exists, from a run that was stopped: continue with --resume, or "
                       "delete it to start again",
                       job->checkpoint);
    status = cli_label_cache(&job->cache, err);
    if (!status && !cli_network_is_auto(args)) {
        cli_changes changes;
        cli_changes_take(&changes, args);
        status = cli_network_read(&job->recipe, args, &changes, err);
    }
    o->checkpoint = job->checkpoint;
    o->cache = job->cache;
    return status;
}

static void take_options(rg_train_options *o, const cli_arguments *args)
{
    o->seed = cli_get(args, "seed")->seed;
    o->lanes = (uint32_t)atoi(lane_words(cli_get(args, "lanes")->choice));
    o->first_run = (uint32_t)cli_get(args, "run")->integer;
    o->n_threads = (unsigned)cli_get(args, "threads")->integer;
    o->memory = cli_get(args, "memory")->size;
    o->fit_on_train = cli_get(args, "fit")->choice == 1;
    o->checkpoint_seconds = cli_get(args, "save-every")->real;
    o->resume = cli_flag(args, "resume");
}

/* Says in three lines what was chosen and why. */
static rg_status choose(cli_train *job, const cli_arguments *args, rg_error *err)
{
    rg_source source = cli_source_view(&job->source);
    rg_status status = cli_network_choose(&job->recipe, &job->reasons, args, &source,
                                          &job->split.fold, job->cache, err);
    if (!status && !cli_flag(args, "quiet"))
        cli_network_say(job->reasons);
    cli_changes changes = {.n = 0};
    cli_changes_take(&changes, args);
    for (size_t k = 0; k < changes.n && !status && !cli_flag(args, "quiet"); k++)
        cli_message("changed by you: %s", changes.texts[k]);
    return status;
}

/* ---- several networks of one recipe, from different seeds */

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
    rg_predict_options own = rg_predict_options_default();
    rg_evaluation result = RG_EVALUATION_INIT;
    *out = (double)NAN;
    if (part.n == 0)
        return RG_OK;
    own.samples = part.graphs;
    own.n_samples = part.n;
    own.n_threads = job->options.n_threads;
    own.memory = job->options.memory;
    own.cpu = job->options.cpu;
    own.cache = job->options.cache;
    rg_status status = rg_model_evaluate(&result, job->model, source, &own, err);
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
    rg_train_options own = job->options;
    rg_model **models = rg_alloc_zero(job->n_networks, sizeof *models);
    rg_status status = models ? RG_OK : rg_fail_memory(err, "networks");
    own.checkpoint = NULL; /* they are trained anew */
    while (!status && n < job->n_networks) {
        rg_train_report report = RG_TRAIN_REPORT_INIT;
        own.first_run = job->options.first_run + (uint32_t)n;
        status =
            rg_model_train(&models[n], &report, job->recipe, source, &job->split.fold, &own, err);
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

/* ---- training */

static rg_status train(cli_train *job, const cli_arguments *args, rg_error *err)
{
    rg_source source = cli_source_view(&job->source);
    rg_items items = cli_source_items(&job->source);
    cli_epochs epochs;
    job->options.building = cli_epochs_building;
    job->options.progress = cli_epochs_progress;
    job->options.context = &epochs;
    job->read_seconds = cli_now() - job->start;
    cli_epochs_begin(&epochs, items.name, cli_flag(args, "quiet"));
    rg_status status = job->n_networks > 1
                           ? cli_train_networks(job, &source, err)
                           : rg_model_train(&job->model, &job->report, job->recipe, &source,
                                            &job->split.fold, &job->options, err);
    cli_epochs_end(&epochs);
    if (!status)
        status = rg_model_save(job->model, job->out, err);
    if (!status && !job->report.interrupted)
        unlink(job->checkpoint); /* nothing to go on with; not there is fine */
    if (!status)
        status = rg_model_describe(&job->info, job->model, err);
    return status;
}

/* ---- --start */

static void keep_parts(void *context, const rg_start_part *parts, size_t n)
{
    cli_start *start = context;
    start->parts = rg_alloc_zero(n + 1, sizeof *start->parts);
    start->failed = start->parts == NULL;
    for (size_t k = 0; !start->failed && k < n; k++) {
        start->parts[k] = parts[k];
        start->parts[k].what = rg_copy_text(parts[k].what, strlen(parts[k].what));
        start->failed = start->parts[k].what == NULL;
        start->n_parts++;
    }
}

/* What is known of the data that the model was trained on, by their name. */
static rg_status read_model_names(cli_start *start, size_t *n, rg_error *err)
{
    rg_model_info info = RG_MODEL_INFO_INIT;
    rg_status status = rg_model_describe(&info, start->model, err);
    json_t *record = status ? NULL : json_loads(info.record, 0, NULL);
    const char *data = json_string_value(json_object_get(record, "data"));
    if (!status)
        status = rg_names_known(&start->model_names, data ? data : "", 1, err);
    json_decref(record);
    return status ? status : rg_names_list(&start->model_list, n, start->model_names, err);
}

static rg_status open_start(cli_start *start, rg_train_options *o, const rg_dataset *data,
                            const cli_arguments *args, rg_error *err)
{
    const char *path = cli_text(args, "start");
    if (!path && (cli_flag(args, "same-values") || cli_text(args, "label-names")))
        return rg_fail(err, RG_EUSAGE,
                       "options '--same-values' and '--label-names' are for "
                       "'--start'");
    if (!path)
        return RG_OK;
    rg_status status = rg_model_load(&start->model, path, err);
    if (!status)
        status = read_model_names(start, &o->n_start_names, err);
    if (!status && data)
        status = cli_names_read(&start->names, data, args, err);
    if (!status && data)
        status = rg_names_list(&start->list, &o->n_names, start->names, err);
    if (status)
        return status;
    o->start = start->model;
    o->start_same_values = cli_flag(args, "same-values");
    o->names = start->list;
    o->start_names = start->model_list;
    o->started = keep_parts;
    o->started_context = start;
    return RG_OK;
}

static void close_start(cli_start *start)
{
    for (size_t k = 0; k < start->n_parts; k++)
        rg_free((void *)(uintptr_t)start->parts[k].what);
    rg_free(start->parts);
    rg_free(start->list);
    rg_free(start->model_list);
    rg_names_free(start->names);
    rg_names_free(start->model_names);
    rg_model_free(start->model);
}

/* ---- the whole */

static void job_free(cli_train *job)
{
    rg_model_free(job->model);
    rg_recipe_free(job->recipe);
    close_start(&job->begin);
    rg_text_free(job->reasons);
    cli_split_free(&job->split);
    cli_source_free(&job->source);
    rg_free(job->checkpoint);
    rg_text_free(job->cache);
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    cli_train job = {.network =
                         cli_text(args, "network") ? cli_text(args, "network") : CLI_NETWORK_AUTO,
                     .out = cli_text(args, "model"),
                     .options = rg_train_options_default(),
                     .info = RG_MODEL_INFO_INIT,
                     .report = RG_TRAIN_REPORT_INIT,
                     .validation = NAN,
                     .n_networks = (size_t)cli_get(args, "ensemble")->integer,
                     .start = cli_now()};
    take_options(&job.options, args);
    rg_status status = prepare(&job, args, err);
    if (!status)
        status = cli_source_read(&job.source, args->words[0], args, NULL, err);
    if (!status && cli_get(args, "split")->given) {
        status = cli_split_read(&job.split, args, &job.source, err);
    } else if (!status && cli_source_has_masks(&job.source) &&
               !cli_get(args, "validation")->given) {
        status = cli_split_masks(&job.split, &job.source, err);
    } else if (!status) {
        job.validation = cli_get(args, "validation")->real;
        status = cli_split_make(&job.split, &job.source, job.validation, job.options.seed, err);
    }
    if (!status && !job.recipe)
        status = choose(&job, args, err);
    if (!status)
        status =
            open_start(&job.begin, &job.options, cli_source_view(&job.source).graphs, args, err);
    if (!status)
        status = train(&job, args, err);
    if (!status && cli_flag(args, "json"))
        status = cli_train_print_json(&job, err);
    else if (!status)
        cli_train_print_text(&job);
    if (!status && job.report.interrupted)
        status = rg_fail(err, RG_EFAIL,
                         "stopped after epoch %u: '%s' has the best weights so far; continue with "
                         "the same command and --resume",
                         (unsigned)job.report.epochs, job.out);
    job_free(&job);
    return status;
}

const cli_command cli_train_command = {
    .name = "train",
    .summary = "train a network on data and write a model",
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
