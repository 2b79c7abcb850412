/* cmd_predict.c - regula predict: predictions of a model on data. */
#include "base/alloc.h"
#include "base/error.h"
#include "cli/command/commands.h"
#include "cli/output/place.h"
#include "predict.h"

#include <string.h>
#include <unistd.h>

static const cli_argument arguments[] = {
    CLI_MODEL_ARGUMENT,
    {.metavar = "DATA",
     .choices = cli_catalogue_words,
     .open = true,
     .path = true,
     .help = "A directory, archive or file, or the name of a data set in $REGULA_DATA or the "
             "cache; a molecule as SMILES; - reads graphs from standard input, one per line."},
};

typedef enum predict_form { FORM_TABLE, FORM_CSV, FORM_JSON } predict_form;

static const char *form_words(size_t k)
{
    static const char *const words[] = {"table", "csv", "json"};
    return k < CLI_COUNT(words) ? words[k] : NULL;
}

static const cli_option options[] = {
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .otherwise = "standard output",
     .help = "Output file for the table."},
    {.name = "samples",
     .kind = CLI_WORD,
     .metavar = "LIST",
     .otherwise = "all",
     .help = "Samples to predict, counted from 0, such as 3,5,9-20."},
    {.name = "nodes",
     .kind = CLI_WORD,
     .metavar = "LIST",
     .otherwise = "all, one line per sample",
     .help =
         "Node classification: one line per node, for these nodes of every sample, counted from "
         "0, such as 3,5,9-20; all: for every node."},
    {.name = "probabilities",
     .letter = 'p',
     .kind = CLI_FLAG,
     .help = "Print the probabilities of all classes."},
    {.name = "embed",
     .letter = 'e',
     .kind = CLI_FLAG,
     .help = "Print the embedding (the input of the last layer) instead of the prediction."},
    {.name = "calibrate",
     .kind = CLI_WORD,
     .metavar = "DATA2",
     .help = "Graphs with known classes that calibrate the answers for DATA: of --split the "
             "validation set gives the temperature and the test set the sets of classes, else all "
             "of DATA2 the latter. The model must not have seen them."},
    {.name = "confidence",
     .kind = CLI_REAL,
     .metavar = "C",
     .min = 0,
     .max = 1,
     .help = "With --calibrate: how often the set of classes is to hold the right one."},
    {.name = "seed",
     .letter = 's',
     .kind = CLI_SEED,
     .metavar = "S",
     .help = "With --calibrate: seed of the random numbers that break ties."},
    CLI_SPLIT_OPTION(" of DATA2"),
    CLI_FOLD_OPTION,
    {.name = "targets",
     .kind = CLI_FLAG,
     .help = "Print the true class or values of DATA beside the answers."},
    {.name = "unseen",
     .kind = CLI_FLAG,
     .help = "Print what each sample has that the model did not see in training: nodes with an "
             "unknown node label, nodes with a label unseen, pairs without a weight."},
    {.name = "format",
     .kind = CLI_CHOICE,
     .metavar = "FORMAT",
     .choices = form_words,
     .moved = "input-format",
     .help = "Output format: table (cells between tabs), csv or json."},
    CLI_INPUT_FORMAT_OPTION(NULL),
    CLI_TARGET_OPTION,
    CLI_MOLECULE_OPTIONS,
    CLI_FORCE_OPTION,
    CLI_MEMORY_OPTION,
    CLI_TABLE_OPTION,
    CLI_THREADS_OPTION,
    CLI_JSON_OPTION,
    CLI_QUIET_OPTION,
};

static const cli_example examples[] = {
    {"regula predict csl.safetensors csl", "Print index, class and probability of every graph."},
    {"regula predict csl.safetensors csl --samples 3,9-12 --probabilities --json",
     "Five graphs, with the probabilities of all classes, as JSON."},
    {"regula predict csl.safetensors csl --embed --out csl.tsv",
     "Graph embeddings, one line per graph."},
    {"regula predict csl.safetensors csl --calibrate csl --split csl.json",
     "Calibrated probabilities and sets of classes, right nine times in ten."},
    {"regula predict csl.safetensors csl --targets --format csv --out csl.csv",
     "Predictions and true classes as CSV."},
    {"regula predict csl.safetensors -", "Graphs from standard input."},
    {"regula predict bbbp.safetensors 'CC(=O)Oc1ccccc1C(=O)O'", "A molecule, as SMILES."},
    {"regula predict bbbp.safetensors new.smi", "Molecules of a file, one per line."},
};

static const char *const description[] = {
    "Prints a tab-separated table with one line per sample: its index, the most probable class as "
    "the data files spell it, and the probability. For regression it prints the values; for "
    "multi-label tasks the labels, and for node classification the classes of all nodes, both "
    "separated by blanks; with --nodes it has a line per node.",
    "With DATA - it reads one graph per line from standard input, as graph6 or as a JSON object "
    "such as {\"nodes\": 3, \"edges\": [[0,1],[1,2]], \"node_labels\": [6,6,8]} (docs/formats.md), "
    "and answers each line immediately, with --json as one JSON object per line. With "
    "--input-format smi, lines are molecules. An invalid line is answered with '-' as its index, "
    "'error', and its number and what is wrong, and the next lines are read; with --strict the "
    "first one ends it.",
    "Samples that have names in DATA, such as molecules, have a last column 'id'. --targets adds "
    "the column 'target' (target_0, target_1, ... for several values).",
    "A molecule of a file that cannot be read has a row with '-' as its index, 'error', and "
    "where and why.",
    "With --calibrate, probabilities are those of outputs divided by a temperature, and each row "
    "has the set of classes that holds the right one as often as --confidence asks for (a "
    "conformal set; '-' if no class is likely enough), and how many of the nodes of the sample "
    "have a label that training never saw (docs/metrics.md).",
    "With --json and --out, the table goes to the file and the JSON has no predictions. One "
    "warning counts what the model did not see in training: labels, and pairs without a weight; "
    "--unseen counts them for each sample.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    rg_predict_options o = rg_predict_options_default();
    cli_default_integer(args, "threads", o.n_threads);
    cli_default_size(args, "memory", o.memory);
    cli_default_integer(args, "fold", 0);
    cli_default_seed(args, "seed", 0);
    cli_default_real(args, "confidence", 0.9);
    cli_default_choice(args, "format", FORM_TABLE);
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
}

static rg_status check_options(const cli_arguments *args, bool lines, rg_error *err)
{
    static const char *const of_files[] = {"samples", "nodes", "targets", "input-format"};
    const cli_value *format = cli_get(args, "format"), *input = cli_get(args, "input-format");
    for (size_t k = 0; lines && k < CLI_COUNT(of_files); k++)
        if (cli_get(args, of_files[k])->given && !(k == 3 && input->choice == RG_FORMAT_SMI))
            return rg_fail(err, RG_EUSAGE, "option '--%s' is not for standard input", of_files[k]);
    static const char *const of_calibration[] = {"confidence", "seed", "split"};
    for (size_t k = 0; !cli_get(args, "calibrate")->given && k < CLI_COUNT(of_calibration); k++)
        if (cli_get(args, of_calibration[k])->given)
            return rg_fail(err, RG_EUSAGE, "option '--%s' is for '--calibrate'", of_calibration[k]);
    if (cli_get(args, "fold")->given && !cli_get(args, "split")->given)
        return rg_fail(err, RG_EUSAGE, "option '--fold' is for '--split'");
    if (cli_flag(args, "embed") && cli_get(args, "calibrate")->given)
        return rg_fail(err, RG_EUSAGE, "options '--embed' and '--calibrate' exclude each other");
    if (cli_flag(args, "json") && format->given && format->choice != FORM_JSON)
        return rg_fail(err, RG_EUSAGE, "options '--json' and '--format' exclude each other");
    if (cli_flag(args, "embed") && cli_flag(args, "probabilities"))
        return rg_fail(err, RG_EUSAGE,
                       "options '--embed' and '--probabilities' exclude each other");
    return cli_check_place(cli_text(args, "out"), err);
}

/* Its number of nodes. */
static size_t largest_graph(const cli_source *source)
{
    size_t most = 0;
    for (size_t g = 0; source->graphs && g < rg_dataset_n_graphs(source->graphs); g++) {
        size_t n = rg_dataset_graph(source->graphs, g).n_nodes;
        most = n > most ? n : most;
    }
    return most;
}

static bool is_json(const cli_arguments *args)
{
    return cli_flag(args, "json") || cli_get(args, "format")->choice == FORM_JSON;
}

static rg_status predict_data(cli_predict *job, cli_use *use, const cli_arguments *args,
                              rg_predict_report *report, rg_error *err)
{
    uint32_t *samples = NULL, *nodes = NULL;
    use->targets_optional = true;
    use->left_out = cli_missed_take;
    use->left_out_context = job->missed;
    rg_status status = cli_use_read(use, args, err);
    if (!status && cli_get(args, "samples")->given)
        status = cli_sample_list(&samples, &use->options.n_samples, "samples",
                                 cli_text(args, "samples"), cli_source_items(&use->source).n, err);
    if (!status && cli_get(args, "nodes")->given && strcmp(cli_text(args, "nodes"), "all") != 0)
        status = cli_sample_list(&nodes, &job->n_nodes, "nodes", cli_text(args, "nodes"),
                                 largest_graph(&use->source), err);
    if (status) {
        rg_free(samples);
        return status;
    }
    job->nodes = nodes;
    rg_source source = cli_source_view(&use->source);
    job->graphs = source.graphs;
    job->arrays = source.arrays;
    job->ids = cli_truth_ids(source.graphs);
    if (samples) /* rows are for these */
        job->missed->n_told = job->missed->n;
    /* rows that run over a terminal show well enough how far it is */
    bool shown = job->table && !job->file && isatty(STDOUT_FILENO);
    use->options.samples = samples;
    cli_progress_begin(&use->progress, cli_source_items(&use->source).name,
                       shown || cli_flag(args, "quiet"));
    if (cli_source_items(&use->source).n || !job->missed->n)
        status = rg_model_predict(use->model, &source, &use->options, cli_predict_take, job, report,
                                  err);
    cli_progress_end(&use->progress);
    if (!status && !samples) {
        if (job->table)
            cli_predict_head(job);
        status = cli_missed_tell(job, SIZE_MAX, err);
    }
    if (job->missed->n && !status)
        cli_message("warning: %zu of %zu molecules could not be read%s", job->missed->n,
                    job->missed->n + cli_source_items(&use->source).n,
                    samples ? "" : ": their rows say why");
    job->nodes = NULL;
    rg_free(nodes);
    rg_free(samples);
    return status;
}

static rg_status print_summary(cli_predict *job, const cli_use *use, const cli_arguments *args,
                               const rg_predict_report *report, rg_error *err)
{
    json_t *root = json_object();
    cli_json_set(&root, "model", cli_json_text(args->words[0]));
    cli_json_set(&root, "model_digest", cli_json_text(use->info.digest));
    cli_json_set(&root, "data", cli_json_text(cli_source_items(&use->source).name));
    cli_json_set(&root, "path", cli_json_text(use->source.path));
    cli_json_set(&root, "samples", cli_json_count(job->n));
    if (job->calibration) {
        cli_json_set(&root, "temperature", cli_json_real(job->calibration->temperature));
        cli_json_set(&root, "temperature_samples", cli_json_count(job->calibration->n_validation));
        cli_json_set(&root, "calibration_samples", cli_json_count(job->calibration->n));
        cli_json_set(&root, "confidence", cli_json_real(job->calibration->confidence));
    }
    if (job->missed->n)
        cli_json_set(&root, "errors", cli_json_count(job->missed->n));
    cli_json_set(&root, "nodes", cli_json_count(report->n_nodes));
    cli_json_set(&root, "unknown_labels", cli_json_count(report->unknown_labels));
    cli_json_set(&root, "unseen_labels", cli_json_count(report->unseen_labels));
    cli_json_set(&root, "unseen_pairs", cli_json_count(report->unseen_pairs));
    if (cli_get(args, "out")->given)
        cli_json_set(&root, "out", cli_json_text(cli_text(args, "out")));
    else
        cli_json_set(&root, "predictions", job->list);
    job->list = NULL; /* the tree's */
    return cli_print_json(root, err);
}

static rg_status predict(cli_predict *job, cli_use *use, const cli_arguments *args, rg_error *err)
{
    rg_predict_report report = {0};
    const char *out = cli_text(args, "out");
    bool lines = job->counted, json = is_json(args);
    job->model = use->model;
    job->task = use->info.task;
    job->n_outputs = use->info.n_outputs;
    job->sequence = use->info.sequence;
    job->by_node = cli_get(args, "nodes")->given || job->task == RG_MODEL_NODE_VALUES;
    if (job->by_node && (!cli_predict_of_nodes(job) || job->embed) && cli_get(args, "nodes")->given)
        return rg_fail(err, RG_EUSAGE, "option '--nodes' is for predictions of nodes");
    job->named = job->task == RG_MODEL_CLASSES || job->by_node;
    for (uint32_t c = 0; c < job->n_outputs; c++)
        job->named = job->named && rg_model_output_name(job->model, c);
    cli_calibration calibration = {0};
    rg_status status = cli_use_names(&job->names, use, err);
    if (!status && cli_get(args, "calibrate")->given) {
        status = cli_calibration_make(&calibration, use, args, err);
        job->calibration = &calibration;
        job->calibrated = rg_alloc(job->n_outputs, sizeof *job->calibrated);
        if (!status && !job->calibrated)
            status = rg_fail_memory(err, "a calibration");
    }
    if (!status && out)
        status = rg_file_create(&job->file, out, err);
    if (!status && !job->table && !job->lines && !(job->list = json_array()))
        status = rg_fail_memory(err, "printing JSON");
    if (!status)
        status = lines ? cli_predict_lines(job, &use->options, &report, err)
                       : predict_data(job, use, args, &report, err);
    if (!status && job->table)
        cli_predict_head(job);
    if (job->file && status) {
        rg_file_discard(job->file);
    } else if (job->file) {
        status = rg_file_commit(job->file, err);
    }
    if (job->n_bad)
        cli_message("warning: %zu lines could not be answered: their rows say why", job->n_bad);
    cli_warn_unseen(&report);
    if (!status && json && !lines)
        status = print_summary(job, use, args, &report, err);
    else if (!status && out && !json)
        printf("%zu samples in %s\n", job->n, out);
    json_decref(job->list);
    rg_names_free(job->names);
    rg_free(job->calibrated);
    cli_calibration_free(&calibration);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    bool lines = strcmp(args->words[1], "-") == 0, json = is_json(args);
    bool csv = cli_get(args, "format")->choice == FORM_CSV;
    cli_predict job = {.embed = cli_flag(args, "embed"),
                       .targets = cli_flag(args, "targets"),
                       .unseen = cli_flag(args, "unseen"),
                       .csv = csv,
                       .gap = csv ? "," : "\t",
                       .strict = cli_flag(args, "strict"),
                       .smiles = cli_get(args, "input-format")->choice == RG_FORMAT_SMI,
                       .probabilities = cli_flag(args, "probabilities"),
                       .table = !json || cli_get(args, "out")->given,
                       .lines = lines && json,
                       .counted = lines};
    cli_missed missed = {0};
    cli_use use;
    job.missed = &missed;
    rg_status status = check_options(args, lines, err);
    if (status)
        return status;
    status = cli_use_open(&use, args, err);
    use.options.embed = job.embed;
    if (!status)
        status = predict(&job, &use, args, err);
    cli_use_close(&use);
    cli_missed_free(&missed);
    return status;
}

const cli_command cli_predict_command = {
    .name = "predict",
    .summary = "predict classes, values or embeddings with a model",
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
