/* cmd_show.c - regula show: the results of runs, as tables. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "config/ensemble.h"
#include "show.h"

#include "draw/figure.h"

#include <math.h>
#include <string.h>

static const cli_argument arguments[] = {
    {.metavar = "RUN",
     .path = true,
     .repeated = true,
     .help = "A run directory written by regula run or regula merge. Several are compared, methods "
             "by data sets; NAME=RUN says what a method is called."},
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
    {.name = "columns",
     .kind = CLI_WORD,
     .metavar = "KEYS",
     .help = "The columns to show, separated by commas, by their keys: those that --format csv "
             "prints first.",
     .otherwise = "all; of a comparison score,difference"},
    {.name = "against",
     .kind = CLI_WORD,
     .metavar = "METHOD",
     .help = "The method that differences are to: its name, first (the first one) or best (the "
             "best on each data set).",
     .otherwise = "best"},
    {.name = "plot",
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Draw the curves of the selected runs, scores by epoch, as SVG, PNG or PDF, too."},
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
    {"regula show runs/experiment quick --format latex", "Methods by data sets, for a paper."},
    {"regula show ours=runs/experiment quick --against ours --plot curves.svg",
     "Two runs, differences to the first, and a picture of the curves."},
};

static const char *const description[] = {
    "Prints the results in a run directory. If the run is unfinished, it prints the results so far "
    "and a warning.",
    "All protocols are computed from the same runs, and every number comes with the name of its "
    "protocol. --protocol selects one. By default, results are shown for all protocols of the "
    "experiment, and folds, configurations and curves for the first.",
    "Several runs, and the methods that an experiment compares ('compare:' in its file), are put "
    "side by side: mean and deviation, and the difference to the best method over the same folds "
    "with its standard error. The best score of a data set is bold, or has a star in text, where "
    "it is better than all others by more than two standard errors.",
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

/* A run that is shown. */
typedef struct shown_run {
    rg_store *store;
    rg_results results;
    char *name; /* owned: what its method is called; NULL: not said */
} shown_run;

static void runs_close(shown_run *runs, size_t n)
{
    for (size_t k = 0; runs && k < n; k++) {
        rg_results_free(&runs[k].results);
        rg_store_close(runs[k].store);
        rg_free(runs[k].name);
    }
    rg_free(runs);
}

/* NAME=RUN, unless that is the path of a run itself. */
static rg_status run_open(shown_run *out, const char *word, const cli_value *protocol,
                          rg_error *err)
{
    const char *sign = strchr(word, '=');
    rg_protocol asked = (rg_protocol)protocol->choice;
    if (sign && sign > word && !rg_path_exists(word)) {
        out->name = rg_copy_text(word, (size_t)(sign - word));
        word = sign + 1;
        if (!out->name)
            return rg_fail_memory(err, "the results of a run");
    }
    rg_status status = rg_store_open(&out->store, word, false, err);
    return status
               ? status
               : rg_results_make(&out->results, out->store, &asked, protocol->given ? 1 : 0, err);
}

static bool any_known(const rg_results *results)
{
    for (size_t k = 0; k < results->n_methods; k++)
        if (results->verdicts[k].known)
            return true;
    return false;
}

static rg_status print_one(const cli_arguments *args, const rg_results *results,
                           cli_show_format format, rg_error *err)
{
    cli_show show = {.results = results,
                     .table = (cli_show_table)cli_get(args, "table")->choice,
                     .format = format,
                     .top = (size_t)cli_get(args, "top")->integer,
                     .columns = cli_text(args, "columns"),
                     .against = cli_text(args, "against"),
                     .seconds = (double)NAN};
    if (cli_get(args, "protocol")->given && !any_known(results))
        return rg_fail(err, RG_EFAIL, "%s", results->verdicts[0].why.message);
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

static rg_status print_all(const cli_arguments *args, shown_run *runs, size_t n, rg_error *err)
{
    cli_show_format format =
        cli_flag(args, "json") ? CLI_SHOW_JSON : (cli_show_format)cli_get(args, "format")->choice;
    rg_compared_run *compared = rg_alloc_zero(n, sizeof *compared);
    rg_comparison all = {0};
    rg_status status = compared ? RG_OK : rg_fail_memory(err, "comparing methods");
    for (size_t k = 0; k < n && !status; k++)
        status = combine(&runs[k].results, cli_get(args, "ensemble"), err);
    for (size_t k = 0; k < n && !status; k++) {
        compared[k] = (rg_compared_run){runs[k].name, &runs[k].results};
        cli_show_warn(&runs[k].results);
    }
    if (!status && n == 1)
        status = print_one(args, &runs[0].results, format, err);
    if (!status && (n > 1 || cli_text(args, "plot")))
        status = rg_comparison_make(&all, compared, n, 0, cli_text(args, "against"), err);
    if (!status && n > 1)
        status = cli_show_compare(&all, format, cli_text(args, "columns"),
                                  cli_text(args, "against"), cli_text(args, "out"), err);
    if (!status && cli_text(args, "plot"))
        status = cli_show_plot(&all, cli_text(args, "plot"), err);
    rg_comparison_free(&all);
    rg_free(compared);
    return status;
}

static rg_status check(const cli_arguments *args, rg_error *err)
{
    const cli_value *format = cli_get(args, "format"), *table = cli_get(args, "table");
    rg_figure_format picture;
    if (cli_flag(args, "json") && format->given && format->choice != CLI_SHOW_JSON)
        return rg_fail(err, RG_EUSAGE, "options '--json' and '--format' exclude each other");
    if (args->n_words > 1 && table->given && table->choice != CLI_SHOW_RESULTS)
        return rg_fail(err, RG_EUSAGE,
                       "option '--table': of several runs there is one table, that of the results");
    return cli_text(args, "plot") ? rg_figure_format_find(&picture, cli_text(args, "plot"), err)
                                  : RG_OK;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    size_t n = args->n_words, opened = 0;
    rg_status status = check(args, err);
    shown_run *runs = status ? NULL : rg_alloc_zero(n, sizeof *runs);
    if (!status && !runs)
        status = rg_fail_memory(err, "the results of runs");
    for (; opened < n && !status; opened++)
        status = run_open(&runs[opened], args->words[opened], cli_get(args, "protocol"), err);
    if (!status)
        status = print_all(args, runs, n, err);
    runs_close(runs, runs ? n : 0);
    return status;
}

const cli_command cli_show_command = {
    .name = "show",
    .summary = "print the results of runs as tables, and compare them",
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
