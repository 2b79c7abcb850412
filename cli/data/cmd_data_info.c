/* cmd_data_info.c - regula data info: statistics of a data set, and repairs by its reader. */
#include "base/error.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/progress.h"
#include "info.h"
#include "regula/fetch.h"

#include <string.h>
#include <strings.h>

/* A word of these is a kind of target, and anything else names columns of a table. */
static rg_target_choice target_kind(const char *word)
{
    static const char *const words[] = {
        [RG_TARGET_AUTO] = "auto", [RG_TARGET_CLASS] = "class", [RG_TARGET_REAL] = "real"};
    for (size_t k = 0; word && k < CLI_COUNT(words); k++)
        if (strcasecmp(word, words[k]) == 0)
            return (rg_target_choice)k;
    return RG_TARGET_AUTO;
}

static bool is_table(const char *path)
{
    return strstr(path, ".csv") || strstr(path, ".tsv");
}

static bool is_kind(const char *word)
{
    return target_kind(word) != RG_TARGET_AUTO || (word && strcasecmp(word, "auto") == 0);
}

static const cli_argument arguments[] = {CLI_DATA_ARGUMENT};

static const cli_option options[] = {
    CLI_JSON_OPTION,
    {.name = "target",
     .kind = CLI_WORD,
     .metavar = "KIND|COLUMNS",
     .otherwise = "auto",
     .help = "The learning target: class (graph labels) or real (graph attributes); auto prefers "
             "classes if there are any. Of a .csv file: its columns, separated by commas; '' for "
             "none."},
    {.name = "no-copies", .kind = CLI_FLAG, .help = "Skip the search for isomorphic copies."},
    CLI_FORMAT_OPTION,
    CLI_MOLECULE_OPTIONS,
    CLI_THREADS_OPTION,
    CLI_QUIET_OPTION,
};

static const cli_example examples[] = {
    {"regula data info MUTAG", "Look up a data set by name in $REGULA_DATA or the cache."},
    {"regula data info ./csl --json", "Print one JSON object."},
    {"regula data info archive.tar.gz --no-copies",
     "Faster: skip the search for isomorphic copies."},
};

static const char *const description[] = {
    "Reads a data set and reports its content: graphs and classes, numbers of nodes and edges, "
    "diameters, labels, attributes and targets; what the loader dropped, completed or found odd; "
    "how many graphs are isomorphic to an earlier one, and how many of these have a different "
    "class; and a digest of the content that does not depend on the file format or the order of "
    "lines.",
    "Graphs are undirected and simple: repeated edges and self-loops are dropped and counted. The "
    "diameter of a disconnected graph is the largest diameter of its components; a second line, "
    "and diameter_connected in JSON, counts it as 0 instead, as some publications do. Copies have "
    "the same edges, node labels and edge labels up to the order of nodes; attributes are ignored.",
    "For vectors and images (x.npy and y.npy, MNIST files, ...) it reports their number and shape, "
    "the range of their values, classes and targets, how many features are constant over all "
    "samples, and how many samples are duplicates. Unsigned bytes are divided by 255.",
    "In JSON, class_counts maps each class, as the file spells it, to its number of graphs; "
    "node_labels and edge_labels count the distinct labels of the first column; the counts of "
    "copies are null with --no-copies.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
    cli_default_integer(args, "threads", rg_audit_options_default().n_threads);
}

/* A set without any target is fine unless a kind was asked for. */
static rg_status find_target(rg_column *out, const rg_dataset *data, rg_target_choice choice,
                             rg_error *err)
{
    *out = RG_N_COLUMN_KINDS;
    if (choice == RG_TARGET_AUTO && rg_dataset_n_columns(data, RG_CLASS) == 0 &&
        rg_dataset_n_columns(data, RG_TARGET) == 0)
        return RG_OK;
    return rg_dataset_target(out, data, choice, err);
}

static rg_status run_arrays(const rg_arrays *arrays, const char *path, double start,
                            const cli_arguments *args, rg_error *err)
{
    cli_info_arrays info = {.arrays = arrays, .path = path, .audit = RG_ARRAYS_AUDIT_INIT};
    rg_target_choice choice = target_kind(cli_text(args, "target"));
    if ((choice == RG_TARGET_CLASS && !rg_arrays_n_columns(arrays, RG_CLASS)) ||
        (choice == RG_TARGET_REAL && !rg_arrays_n_columns(arrays, RG_TARGET)))
        return rg_fail(err, RG_EDATA, "'%s' has no %s", rg_arrays_name(arrays),
                       choice == RG_TARGET_CLASS ? "classes" : "real-valued targets");
    rg_status status = rg_arrays_audit_run(&info.audit, arrays, err);
    info.seconds = cli_now() - start;
    if (!status)
        status = cli_flag(args, "json") ? cli_info_arrays_json(&info, err)
                                        : cli_info_arrays_text(&info, err);
    return status;
}

static rg_status run_graphs(const rg_dataset *data, const char *path, json_t *left_out,
                            double start, const cli_arguments *args, rg_error *err)
{
    rg_audit_options o = rg_audit_options_default();
    cli_info info = {.data = data,
                     .path = path,
                     .left_out = left_out,
                     .copies = !cli_flag(args, "no-copies"),
                     .audit = RG_AUDIT_INIT};
    cli_progress progress;
    o.n_threads = (unsigned)cli_get(args, "threads")->integer;
    o.copies = info.copies;
    o.progress = cli_progress_part;
    o.progress_context = &progress;
    rg_status status = find_target(&info.target, data, target_kind(cli_text(args, "target")), err);
    if (status)
        return status;
    cli_progress_begin(&progress, rg_dataset_name(data), cli_flag(args, "quiet"));
    status = rg_audit_run(&info.audit, data, &o, err);
    cli_progress_end(&progress);
    if (status)
        return status;
    info.seconds = cli_now() - start;
    return cli_flag(args, "json") ? cli_info_print_json(&info, err)
                                  : cli_info_print_text(&info, err);
}

static void note(void *context, const rg_left_out *item)
{
    json_t **list = context, *object = json_object();
    char text[1024];
    size_t n = item->text && item->n < sizeof text ? item->n : 0;
    if (n)
        memcpy(text, item->text, n);
    text[n] = '\0';
    cli_json_set(&object, "line", cli_json_count(item->line));
    cli_json_set(&object, "column", cli_json_count(item->column));
    cli_json_set(&object, "name", cli_json_text(item->name));
    cli_json_set(&object, "smiles", cli_json_text(text));
    cli_json_set(&object, "at", cli_json_count(item->at));
    cli_json_set(&object, "reason", cli_json_text(item->reason));
    cli_json_add(list, object);
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    rg_dataset *data = NULL;
    rg_arrays *arrays = NULL;
    char *path = NULL;
    double start = cli_now();
    json_t *left_out = json_array();
    rg_status status = RG_OK;
    rg_read_options how = cli_read_options(args);
    how.left_out = note;
    how.context = &left_out;
    if (is_kind(how.columns.targets))
        how.columns.targets = NULL;
    else if (how.columns.targets && !is_table(args->words[0]))
        status = rg_fail(err, RG_EUSAGE,
                         "unknown value for option '--target': '%s'; known: auto, class, real",
                         how.columns.targets);
    if (!status)
        status = cli_read_either(&data, &arrays, &path, args->words[0], args, &how, err);
    if (!status && !left_out)
        status = rg_fail_memory(err, "listing molecules");
    if (!status)
        status = arrays ? run_arrays(arrays, path, start, args, err)
                        : run_graphs(data, path, left_out, start, args, err);
    json_decref(left_out);
    rg_dataset_free(data);
    rg_arrays_free(arrays);
    rg_text_free(path);
    return status;
}

const cli_command cli_data_info = {
    .name = "data info",
    .summary = "audit a data set: sizes, classes, quirks, copies",
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
