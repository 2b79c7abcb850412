/* cmd_features.c - regula features: how often the keys of rules occur in every graph, as a matrix. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "cli/output/place.h"
#include "fit_on.h"
#include "regula/features.h"
#include "regula/fetch.h"
#include "rule.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const cli_argument arguments[] = {CLI_DATA_ARGUMENT};

static const cli_option options[] = {
    {.name = "rule",
     .letter = 'r',
     .kind = CLI_WORD,
     .metavar = "RULE",
     .required = true,
     .repeated = true,
     .help =
         "A rule, such as 'share node(i), node(j), dist(i,j) when dist(i,j) in 1..3'; without j "
         "it counts nodes, such as 'share node(i)'. Can be repeated."},
    CLI_RULE_LABELS_OPTION,
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Output file: .npz for SciPy, or .svm for LIBSVM and its readers."},
    {.name = "names",
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Write what the columns mean: one line per column, in words."},
    {.name = "support",
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 1,
     .max = 1e9,
     .help = "Leave out keys that fewer graphs of the fit have."},
    {.name = "fit-on",
     .kind = CLI_PATH,
     .metavar = "FILE",
     .otherwise = "all graphs",
     .help = "Graphs that labels and keys are taken from: a file with one index per line, counted "
             "from 0, or a split file, which means the training set of one fold."},
    {.name = "fold",
     .kind = CLI_INTEGER,
     .metavar = "K",
     .min = 0,
     .max = 1e6,
     .help = "Fold of the split file, from 0."},
    CLI_JSON_OPTION,
    CLI_READ_OPTIONS,
    CLI_THREADS_OPTION,
};

static const cli_example examples[] = {
    {"regula features csl -r 'share degree(i), dist(i,j)' --out x.npz --names x.txt",
     "Counts of degrees and distances, for scipy.sparse.load_npz."},
    {"regula features csl -r 'share a(i)' -l a=degree --fit-on csl.json -o x.svm",
     "Labels and keys from the training set of fold 0 alone; for LIBSVM."},
    {"regula features csl --rule 'share dist(i,j)' --json", "Only how many there are."},
};

static const char *const description[] = {
    "Counts, in every graph, how often each key of some rules occurs: one row per graph and one "
    "column per key. Any other program can learn from this matrix, and 'model: linear' in an "
    "experiment does. Columns are ordered by rule, then by key, and do not depend on the order of "
    "nodes or graphs.",
    "Keys that do not occur in the graphs of the fit have no column. In .svm files the first "
    "number "
    "of a line is the class of the graph, or its first real target, else 0.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    cli_default_integer(args, "support", 1);
    cli_default_integer(args, "fold", 0);
    cli_default_integer(args, "threads", rg_rule_options_default().n_threads);
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
}

/* All that is owned. */
typedef struct features_job {
    rg_dataset *data;
    char *names[CLI_REPEATS_MAX];
    const char *specs[CLI_REPEATS_MAX];
    size_t n_labels;
    uint32_t *graphs;
    size_t n_graphs;
    char *cache;
    rg_rule_features *features;
    rg_count_matrix *counts;
} features_job;

static rg_status fit(features_job *job, const cli_arguments *args, rg_error *err)
{
    rg_rule_features_options o = RG_RULE_FEATURES_OPTIONS_INIT;
    const cli_value *rules = cli_get(args, "rule");
    o.rules = rules->texts;
    o.n_rules = rules->n_texts;
    o.label_names = (const char *const *)job->names;
    o.label_specs = job->specs;
    o.n_labels = job->n_labels;
    o.graphs = job->graphs;
    o.n_graphs = job->n_graphs;
    o.support = (uint32_t)cli_get(args, "support")->integer;
    o.n_threads = (unsigned)cli_get(args, "threads")->integer;
    o.cache = job->cache;
    rg_status status = rg_rule_features_fit(&job->features, job->data, &o, err);
    return status ? status : rg_rule_features_count(&job->counts, job->features, job->data, err);
}

static rg_status write_names(const features_job *job, const char *path, rg_error *err)
{
    rg_file *file = NULL;
    rg_status status = rg_file_create(&file, path, err);
    for (size_t k = 0; !status && k < rg_rule_features_size(job->features); k++) {
        char *name = NULL;
        status = rg_rule_features_name(&name, job->features, k, err);
        if (!status) {
            rg_file_text(file, name);
            rg_file_text(file, "\n");
        }
        rg_text_free(name);
    }
    if (!status)
        return rg_file_commit(file, err);
    rg_file_discard(file);
    return status;
}

/* What a line of LIBSVM begins with: NaN where it is not known. Owned (rg_free); NULL: no targets. */
static rg_status read_targets(double **out, const rg_dataset *data, rg_error *err)
{
    size_t n = rg_dataset_n_graphs(data), known = 0;
    bool classes = rg_dataset_n_columns(data, RG_CLASS) > 0;
    size_t n_reals = rg_dataset_n_columns(data, RG_TARGET);
    if (!classes && n_reals == 0)
        return RG_OK;
    double *targets = rg_alloc(n + 1, sizeof *targets);
    if (!targets)
        return rg_fail_memory(err, "targets");
    const int64_t *values = classes ? rg_dataset_values(data, RG_CLASS, 0, &known) : NULL;
    const uint32_t *ranks = classes ? rg_dataset_ranks(data, RG_CLASS, 0) : NULL;
    const double *reals = classes ? NULL : rg_dataset_reals(data, RG_TARGET);
    for (size_t k = 0; k < n; k++)
        targets[k] = !classes                  ? reals[k * n_reals]
                     : ranks[k] == RG_NO_CLASS ? (double)NAN
                                               : (double)values[ranks[k]];
    *out = targets;
    return RG_OK;
}

static rg_status write_all(const features_job *job, const cli_arguments *args, rg_error *err)
{
    double *targets = NULL;
    rg_status status = RG_OK;
    if (cli_text(args, "out")) {
        status = read_targets(&targets, job->data, err);
        if (!status)
            status = rg_count_matrix_write(job->counts, targets, cli_text(args, "out"), err);
    }
    if (!status && cli_text(args, "names"))
        status = write_names(job, cli_text(args, "names"), err);
    rg_free(targets);
    return status;
}

static rg_status print(const features_job *job, const cli_arguments *args, rg_error *err)
{
    const rg_count_matrix *m = job->counts;
    uint64_t entries = m->row[m->n_rows];
    if (!cli_flag(args, "json")) {
        cli_print(rg_dataset_name(job->data));
        printf(": %zu graphs, %zu features, %" PRIu64 " counts above 0", m->n_rows, m->n_cols,
               entries);
        if (cli_text(args, "out")) {
            printf(", in ");
            cli_print(cli_text(args, "out"));
        }
        fputc('\n', stdout);
        return RG_OK;
    }
    json_t *root = json_object();
    cli_json_set(&root, "data", cli_json_text(rg_dataset_name(job->data)));
    cli_json_set(&root, "graphs", cli_json_count(m->n_rows));
    cli_json_set(&root, "features", cli_json_count(m->n_cols));
    cli_json_set(&root, "counts", cli_json_count(entries));
    cli_json_set(&root, "out",
                 cli_text(args, "out") ? cli_json_text(cli_text(args, "out")) : json_null());
    return cli_print_json(root, err);
}

static rg_status open_job(features_job *job, const cli_arguments *args, rg_error *err)
{
    static const char *const files[] = {"out", "names"};
    const cli_value *labels = cli_get(args, "labels");
    rg_status status = RG_OK;
    for (size_t k = 0; !status && k < labels->n_texts; k++) {
        status = cli_label_declare(&job->names[k], &job->specs[k], labels->texts[k], err);
        job->n_labels += !status;
    }
    for (size_t k = 0; !status && k < CLI_COUNT(files); k++)
        if (cli_text(args, files[k]))
            status = cli_check_place(cli_text(args, files[k]), err);
    if (!status)
        status = rg_label_cache_directory(&job->cache, err);
    if (status == RG_EFAIL) /* nowhere to keep anything: that is fine */
        status = RG_OK;
    if (!status)
        status = cli_read_data(&job->data, NULL, args->words[0], args, err);
    if (!status && cli_get(args, "fit-on")->given)
        status = cli_read_fit_on(&job->graphs, &job->n_graphs, cli_text(args, "fit-on"),
                                 (size_t)cli_get(args, "fold")->integer, job->data, err);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    features_job job = {0};
    rg_status status = open_job(&job, args, err);
    if (!status)
        status = fit(&job, args, err);
    if (!status)
        status = write_all(&job, args, err);
    if (!status)
        status = print(&job, args, err);
    for (size_t k = 0; k < job.n_labels; k++)
        rg_free(job.names[k]);
    rg_rule_features_free(job.features);
    rg_count_matrix_free(job.counts);
    rg_text_free(job.cache);
    rg_free(job.graphs);
    rg_dataset_free(job.data);
    return status;
}

const cli_command cli_features_command = {
    .name = "features",
    .summary = "count the keys of rules in every graph",
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
