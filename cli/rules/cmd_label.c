/* cmd_label.c - regula label: one small integer per node, from a labeling. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/place.h"
#include "cli/output/progress.h"
#include "fit_on.h"
#include "label.h"
#include "label/spec.h"

#define VOCABULARY_MAX ((size_t)4 << 30)

static const cli_argument arguments[] = {CLI_DATA_ARGUMENT};

static const cli_option options[] = {
    {.name = "labels",
     .letter = 'l',
     .kind = CLI_WORD,
     .metavar = "SPEC",
     .help = "The labeling, such as 'wl(depth=2, from=degree, max=500)'."},
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .otherwise = "standard output",
     .help = "Output file for the labels."},
    {.name = "describe",
     .old_letter = 'd',
     .kind = CLI_FLAG,
     .help = "Print the frequency and meaning of each label."},
    CLI_JSON_OPTION,
    {.name = "fit-on",
     .kind = CLI_PATH,
     .metavar = "FILE",
     .otherwise = "all graphs",
     .help = "Graphs to fit the vocabulary on: a file with one index per line, counted from 0, or "
             "a split file, which means the training set of one fold."},
    {.name = "fold",
     .kind = CLI_INTEGER,
     .metavar = "K",
     .min = 0,
     .max = 1e6,
     .help = "Fold of the split file, from 0."},
    {.name = "save",
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Save the vocabulary, to label other data with it."},
    {.name = "vocabulary",
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Use a saved vocabulary instead of --labels."},
    {.name = "budget",
     .kind = CLI_INTEGER,
     .metavar = "STEPS",
     .min = 1,
     .max = 9e15,
     .help = "Maximum number of steps for counting in one graph. A saved vocabulary keeps the "
             "budget that it was fitted with."},
    {.name = "no-cache", .kind = CLI_FLAG, .help = "Neither read nor write the cache of counts."},
    CLI_READ_OPTIONS,
    CLI_THREADS_OPTION,
    CLI_QUIET_OPTION,
};

static const cli_example examples[] = {
    {"regula label csl --labels 'wl(depth=2,from=degree)' --out csl.labels",
     "Two rounds of Weisfeiler-Leman from the degrees."},
    {"regula label csl --labels 'cycles(kind=induced,max=5)' --describe",
     "List the labels with their frequency and meaning."},
    {"regula label csl --labels degree --fit-on csl.json --save csl.voc --json",
     "Fit the vocabulary on the training set of fold 0 only."},
    {"regula label csl --vocabulary csl.voc", "The same labels for any other graphs."},
};

static const char *const description[] = {
    "Computes a label, a number from 0, for every node of every graph. Prints one line per graph: "
    "the labels of its nodes in the order of the data set, separated by blanks. Two nodes share a "
    "label if and only if the definition of the labeling says so. Labels do not depend on the "
    "order of nodes or graphs; label 0 is the most frequent one.",
    "Fitting a labeling numbers the labels that occur in the fitted graphs. In other graphs, a "
    "node whose key did not occur there gets the last label, \"unseen\"; with unseen=backoff in wl "
    "it gets the label of a smaller depth.",
    "If counting in a graph would exceed the budget of steps, regula skips that graph, prints a "
    "warning, and gives its nodes a label of their own. Counts are cached in "
    "$XDG_CACHE_HOME/regula/labels.",
    "With --json or --describe, the labels themselves are written only if --out names a file. In "
    "JSON, labels is the number of fitted labels; seen, backoff and unseen count nodes; digest is "
    "the digest of the labels.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    rg_label_options o = rg_label_options_default();
    cli_default_integer(args, "budget", (int64_t)o.budget);
    cli_default_integer(args, "threads", o.n_threads);
    cli_default_integer(args, "fold", 0);
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
}

static rg_status check_options(const cli_arguments *args, rg_error *err)
{
    static const char *const fitting[] = {"labels", "fit-on", "fold", "save"};
    bool stored = cli_get(args, "vocabulary")->given;
    for (size_t k = 0; stored && k < CLI_COUNT(fitting); k++)
        if (cli_get(args, fitting[k])->given)
            return rg_fail(err, RG_EUSAGE, "options '--vocabulary' and '--%s' exclude each other",
                           fitting[k]);
    if (!stored && !cli_get(args, "labels")->given)
        return rg_fail(
            err, RG_EUSAGE,
            "option '--labels SPEC' or '--vocabulary FILE' of 'regula label' is missing");
    if (cli_get(args, "fold")->given && !cli_get(args, "fit-on")->given)
        return rg_fail(err, RG_EUSAGE, "option '--fold' is for '--fit-on'");
    return stored ? RG_OK : rg_labeling_check(NULL, cli_text(args, "labels"), err);
}

static rg_status fit(cli_label *job, const cli_arguments *args, const rg_label_options *o,
                     rg_error *err)
{
    uint32_t *graphs = NULL;
    size_t n = 0;
    rg_status status = RG_OK;
    if (cli_get(args, "fit-on")->given)
        status = cli_read_fit_on(&graphs, &n, cli_text(args, "fit-on"),
                                 (size_t)cli_get(args, "fold")->integer, job->data, err);
    if (!status)
        status = rg_labeling_fit(&job->labeling, &job->labels, cli_text(args, "labels"), job->data,
                                 graphs, n, o, err);
    rg_free(graphs);
    return status;
}

/* A budget that is given must be that of the fit, which is used in any case. */
static rg_status check_budget(const cli_value *budget, const rg_labeling *labeling, rg_error *err)
{
    unsigned long long kept = rg_labeling_budget(labeling);
    if (!budget->given || (unsigned long long)budget->integer == kept)
        return RG_OK;
    return rg_fail(err, RG_EUSAGE, "option '--budget': found %llu, expected %llu as in the fit",
                   (unsigned long long)budget->integer, kept);
}

static rg_status apply(cli_label *job, const cli_arguments *args, const rg_label_options *o,
                       rg_error *err)
{
    const char *path = cli_text(args, "vocabulary");
    void *bytes = NULL;
    size_t n = 0;
    rg_status status = rg_file_load(&bytes, &n, path, RG_LABELING_MAGIC, VOCABULARY_MAX, err);
    if (!status) {
        status = rg_labeling_decode(&job->labeling, bytes, n, err);
        if (status)
            rg_fail(err, status, "%s: %s", path, err->message);
    }
    if (!status)
        status = check_budget(cli_get(args, "budget"), job->labeling, err);
    if (!status)
        status = rg_labeling_apply(&job->labels, job->labeling, job->data, o, err);
    rg_free(bytes);
    return status;
}

static rg_status save(const rg_labeling *labeling, const char *path, rg_error *err)
{
    void *bytes = NULL;
    size_t n = 0;
    rg_file *file = NULL;
    rg_status status = rg_labeling_encode(&bytes, &n, labeling, err);
    if (!status)
        status = rg_file_create(&file, path, err);
    if (!status) {
        rg_file_bytes(file, bytes, n);
        status = rg_file_commit(file, err);
    }
    rg_bytes_free(bytes);
    return status;
}

/* Labels the data, with progress on a terminal. */
static rg_status label(cli_label *job, const cli_arguments *args, rg_error *err)
{
    rg_label_options o = rg_label_options_default();
    cli_progress progress;
    char *cache = NULL;
    rg_status status = RG_OK;
    if (!cli_flag(args, "no-cache"))
        status = rg_label_cache_directory(&cache, err);
    if (status == RG_EFAIL) /* nowhere to keep anything: that is fine */
        status = RG_OK;
    if (status)
        return status;
    o.n_threads = (unsigned)cli_get(args, "threads")->integer;
    o.budget = (uint64_t)cli_get(args, "budget")->integer;
    o.cache = cache;
    o.progress = cli_progress_part;
    o.progress_context = &progress;
    double start = cli_now();
    cli_progress_begin(&progress, rg_dataset_name(job->data), cli_flag(args, "quiet"));
    status =
        cli_get(args, "vocabulary")->given ? apply(job, args, &o, err) : fit(job, args, &o, err);
    cli_progress_end(&progress);
    job->seconds = cli_now() - start;
    rg_text_free(cache);
    if (!status && rg_labels_n_capped(job->labels))
        cli_message("warning: in %zu of %zu graphs counting exceeded the budget of %llu steps and "
                    "was skipped",
                    rg_labels_n_capped(job->labels), rg_dataset_n_graphs(job->data),
                    (unsigned long long)rg_labeling_budget(job->labeling));
    char text[400];
    if (!status && rg_labeling_warning(text, sizeof text, job->labeling))
        cli_message("warning: %s", text);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    cli_label job = {.out = cli_text(args, "out"), .describe = cli_flag(args, "describe")};
    rg_dataset *data = NULL;
    char *path = NULL;
    rg_status status = check_options(args, err);
    if (!status)
        status = cli_check_place(job.out, err);
    if (!status)
        status = cli_check_place(cli_text(args, "save"), err);
    if (status)
        return status;
    double start = cli_now();
    status = cli_read_data(&data, &path, args->words[0], args, err);
    job.data = data;
    job.path = path;
    job.read_seconds = cli_now() - start;
    if (!status)
        status = label(&job, args, err);
    if (!status && cli_get(args, "save")->given)
        status = save(job.labeling, cli_text(args, "save"), err);
    if (!status && (job.out || !(cli_flag(args, "json") || job.describe)))
        status = cli_label_write(&job, err);
    if (!status)
        status = cli_flag(args, "json") ? cli_label_print_json(&job, err)
                                        : cli_label_print_text(&job, err);
    rg_labels_free(job.labels);
    rg_labeling_free(job.labeling);
    rg_dataset_free(data);
    rg_text_free(path);
    return status;
}

const cli_command cli_label_command = {
    .name = "label",
    .summary = "compute node labels",
    .description = description,
    .list_heading = "Labelings and their defaults (docs/labels.md defines them):",
    .list = rg_label_spec_usage,
    .arguments = arguments,
    .n_arguments = CLI_COUNT(arguments),
    .options = options,
    .n_options = CLI_COUNT(options),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .defaults = defaults,
    .run = run,
};
