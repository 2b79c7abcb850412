/* cmd_report.c - regula report: a run as one page that opens from the disk. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "cli/output/place.h"
#include "report.h"
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

static const cli_argument arguments[] = {
    {.metavar = "RUN",
     .path = true,
     .help = "A run directory written by regula run or regula merge."},
};

static const cli_option options[] = {
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Output file.",
     .otherwise = "report.html in the run directory"},
    {.name = "with",
     .kind = CLI_WORD,
     .metavar = "RUN",
     .repeated = true,
     .help = "Another run directory to compare with, such as a baseline; it adds rows to the "
             "tables. Can be repeated."},
    {.name = "title", .kind = CLI_WORD, .metavar = "TEXT", .help = "Title of the report."},
    {.name = "data",
     .kind = CLI_PATH,
     .metavar = "DATA",
     .help = "Path of the data set, if it has moved since the run."},
    {.name = "split",
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Path of the split file, if it has moved since the run."},
    {.name = "label-names",
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Names of node labels, edge labels and classes (docs/explain.md).",
     .otherwise = "those that are known"},
    {.name = "fold",
     .kind = CLI_INTEGER,
     .metavar = "K",
     .min = 0,
     .max = 1e6,
     .help = "The fold whose model to explain.",
     .otherwise = "the first with a model"},
    {.name = "graphs",
     .kind = CLI_WORD,
     .metavar = "LIST",
     .help = "Graphs in the viewer: a number of graphs (24), or a list (0,5,7-9) counted from 0.",
     .otherwise = "24 of the test set, correct and wrong ones of every class"},
    {.name = "top",
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 1,
     .max = 5000,
     .help = "Number of rules to print as sentences."},
    {.name = "search",
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "JSON output of 'regula search': adds its leaderboard to the report."},
    {.name = "json", .kind = CLI_FLAG, .help = "Print only the data of the report, as JSON."},
    CLI_THREADS_OPTION,
};

static const cli_example examples[] = {
    {"regula report runs/experiment", "Write runs/experiment/report.html."},
    {"regula report runs/experiment --with quick --out both.html",
     "Compare two runs in one report, for example with a baseline."},
    {"regula report runs/experiment --graphs 0,5,7-9 --top 50",
     "Choose the graphs of the viewer, and list fewer rules."},
    {"regula report runs/experiment --json --out report.json",
     "Write only the data of the report, as JSON."},
};

static const char *const description[] = {
    "Writes one HTML file with all results of a run: scores for every protocol next to the most "
    "frequent class and to other runs, folds, training curves, configurations, the confusion "
    "matrix, the rules of a model as sentences, graphs with their strongest rules as arrows, "
    "times, the audit of the data set, digests, and the commands to reproduce the run.",
    "The file is self-contained: it opens without a web server or network. Text from data sets is "
    "never interpreted as markup, and a content security policy blocks everything that is not part "
    "of the page.",
    "If something is missing, the report leaves out that section and says why: for example "
    "unfinished or failed jobs, a data set that cannot be found or has changed, or models that "
    "were not kept. If a model was kept but is missing or damaged, regula writes the report "
    "without "
    "it and ends with exit status 3.",
    "The rules come from one model: the configuration that the first protocol selected, on one "
    "fold. The effect of removing a rule is measured on the validation set of that fold.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    cli_default_integer(args, "top", (int64_t)rg_report_options_default().top);
    cli_default_integer(args, "threads", 0);
}

static rg_status write_page(const cli_report *job, const char *json, const char *path,
                            rg_error *err)
{
    char *page = NULL;
    const char *title = job->options.title ? job->options.title : job->results.about->name;
    rg_status status = rg_report_page(&page, json, title, err);
    if (!status)
        status = rg_file_save(path, page, err);
    if (!status) {
        cli_print(path);
        printf("\n");
    }
    rg_free(page);
    return status;
}

static rg_status write_all(const cli_report *job, const cli_arguments *args, rg_error *err)
{
    const char *out = cli_text(args, "out");
    bool json = cli_flag(args, "json");
    char *text = NULL, *own = NULL;
    rg_status status = rg_report_json(&text, &job->results, &job->options, err);
    if (!status && !json && !out) {
        own = rg_path_join(args->words[0], "report.html");
        status = own ? RG_OK : rg_fail_memory(err, "a report");
        out = own;
    }
    if (!status && !json)
        status = write_page(job, text, out, err);
    else if (!status && out)
        status = rg_file_save(out, text, err);
    else if (!status)
        puts(text);
    rg_free(own);
    rg_free(text);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    cli_report job;
    rg_error unread = {""};
    rg_status status = cli_check_place(cli_text(args, "out"), err);
    if (status)
        return status;
    status = cli_report_open(&job, args, err);
    job.options.unread = &unread;
    if (!status)
        status = write_all(&job, args, err);
    if (!status && unread.message[0])
        status = rg_fail(err, RG_EDATA, "the report has no rules and graphs: %s", unread.message);
    cli_report_close(&job);
    return status;
}

const cli_command cli_report_command = {
    .name = "report",
    .summary = "write a run as one self-contained HTML page",
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
