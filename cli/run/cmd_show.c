/* cmd_show.c - regula show: the results of a run, as tables. */
#include "base/error.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "config/ensemble.h"
#include "show.h"

#include <math.h>

static const cli_argument arguments[] = {
    {.metavar = "RUN",
     .path = true,
     .help = "A run directory written by regula run or regula merge."},
};

static const cli_option options[] = {
    {.name = "table",
     .kind = CLI_CHOICE,
     .metavar = "TABLE",
     .choices = cli_show_table_words,
     .help = "Rows of the table: protocols, folds, configurations (best first), runs or jobs; "
             "curves: the epochs of the selected runs."},
    {.name = "protocol",
     .kind = CLI_CHOICE,
     .metavar = "PROTOCOL",
     .choices = cli_protocol_words,
     .help = "How configurations are selected (docs/experiments.md).",
     .otherwise = "those of the experiment"},
    {.name = "ensemble",
     .kind = CLI_WORD,
     .metavar = "MEMBERS",
     .repeated = true,
     .help = "Also show what several configurations score together, without training: all, top:K "
             "(the best K on the validation sets) or stack (weighted by them). Can be repeated.",
     .otherwise = "those of the experiment"},
    {.name = "format",
     .kind = CLI_CHOICE,
     .metavar = "FORMAT",
     .choices = cli_show_format_words,
     .help = "Output format."},
    {.name = "top",
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 0,
     .max = 1e9,
     .help = "Show the first N rows.",
     .otherwise = "all"},
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Write to this file instead of standard output."},
    CLI_JSON_OPTION,
};

static const cli_example examples[] = {
    {"regula show runs/experiment", "Print the results for each protocol of the experiment."},
    {"regula show runs/experiment --ensemble all --ensemble top:5",
     "Also the mean of all configurations, and of the best five."},
    {"regula show runs/experiment --table folds --protocol global",
     "Results per fold, with one configuration for all folds."},
    {"regula show runs/experiment --table configurations --top 5 --format markdown",
     "The best five configurations as Markdown."},
    {"regula show runs/experiment --format latex --out table.tex", "A LaTeX table for a paper."},
    {"regula show runs/experiment --table curves --format csv --out curves.csv",
     "Losses and scores per epoch."},
    {"regula show runs/experiment --json", "All results in one JSON object."},
};

static const char *const description[] = {
    "Prints the results in a run directory. If the run is unfinished, it prints the results so far "
    "and a warning.",
    "All protocols are computed from the same runs, and every number comes with the name of its "
    "protocol. --protocol selects one. By default, results are shown for all protocols of the "
    "experiment, and folds, configurations and curves for the first.",
    "Accuracies are in percent in text, Markdown and LaTeX, and between 0 and 1 in CSV and JSON. "
    "The table of configurations has no test scores: choosing a configuration by its test score "
    "would bias the result.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    cli_default_choice(args, "table", CLI_SHOW_RESULTS);
    cli_default_choice(args, "format", CLI_SHOW_TEXT);
    cli_default_integer(args, "top", 0);
}

static rg_status print(const cli_arguments *args, const rg_results *results, rg_error *err)
{
    cli_show show = {.results = results,
                     .table = (cli_show_table)cli_get(args, "table")->choice,
                     .format = (cli_show_format)cli_get(args, "format")->choice,
                     .top = (size_t)cli_get(args, "top")->integer,
                     .seconds = (double)NAN};
    const rg_verdict *first = &results->verdicts[0];
    if (cli_flag(args, "json"))
        show.format = CLI_SHOW_JSON;
    if (cli_get(args, "protocol")->given && !first->known)
        return rg_fail(err, RG_EFAIL, "%s", first->why.message);
    cli_show_warn(results);
    return cli_show_print(&show, cli_text(args, "out"), err);
}

static rg_status combine(rg_results *results, const cli_value *words, rg_error *err)
{
    rg_ensemble ensembles[CLI_REPEATS_MAX];
    rg_status status = RG_OK;
    for (size_t k = 0; k < words->n_texts && !status; k++)
        status = rg_ensemble_parse(&ensembles[k], words->texts[k], err);
    if (status || !words->n_texts)
        return status;
    return rg_results_combine(results, ensembles, words->n_texts, err);
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    const cli_value *protocol = cli_get(args, "protocol"), *format = cli_get(args, "format");
    rg_protocol asked = (rg_protocol)protocol->choice;
    rg_store *store = NULL;
    rg_results results = {.store = NULL};
    if (cli_flag(args, "json") && format->given && format->choice != CLI_SHOW_JSON)
        return rg_fail(err, RG_EUSAGE, "options '--json' and '--format' exclude each other");
    rg_status status = rg_store_open(&store, args->words[0], false, err);
    if (!status)
        status = rg_results_make(&results, store, &asked, protocol->given ? 1 : 0, err);
    if (!status)
        status = combine(&results, cli_get(args, "ensemble"), err);
    if (!status)
        status = print(args, &results, err);
    rg_results_free(&results);
    rg_store_close(store);
    return status;
}

const cli_command cli_show_command = {
    .name = "show",
    .summary = "print the results of a run as tables",
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
