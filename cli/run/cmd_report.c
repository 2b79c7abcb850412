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
    {.metavar = "RUN", .path = true, .help = "A run directory that regula run or merge made."},
};

static const cli_option options[] = {
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "The page.",
     .otherwise = "report.html in the run directory"},
    {.name = "with",
     .kind = CLI_WORD,
     .metavar = "RUN",
     .repeated = true,
     .help = "Another run directory, of a baseline or of other rules: rows of the same tables. May "
             "be given several times."},
    {.name = "title", .kind = CLI_WORD, .metavar = "TEXT", .help = "Title of the page."},
    {.name = "data",
     .kind = CLI_PATH,
     .metavar = "DATA",
     .help = "The data set, if it is not where it was when the run was done."},
    {.name = "split",
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "The same for its file of splits."},
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
     .help = "Fold whose model is explained.",
     .otherwise = "the first with a model"},
    {.name = "graphs",
     .kind = CLI_WORD,
     .metavar = "LIST",
     .help = "Graphs of the viewer: how many (24), or which (0,5,7-9), counted from 0.",
     .otherwise = "24 of the test part, right and wrong ones of every class"},
    {.name = "top",
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 1,
     .max = 5000,
     .help = "Rules in words."},
    {.name = "search",
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "What 'regula search' wrote beside its winner, or printed with --json: its "
             "leaderboard is shown."},
    {.name = "json", .kind = CLI_FLAG, .help = "Print the data of the report alone, as JSON."},
    CLI_THREADS_OPTION,
};

static const cli_example examples[] = {
    {"regula report runs/experiment", "Writes runs/experiment/report.html."},
    {"regula report runs/experiment --with quick --out both.html",
     "Two runs in one table; a baseline is a run, too."},
    {"regula report runs/experiment --graphs 0,5,7-9 --top 50",
     "Chosen graphs in the viewer, fewer rules."},
    {"regula report runs/experiment --json --out report.json", "The data alone, for a program."},
};

static const char *const description[] = {
    "Writes one HTML file with all that a run came to: results by every protocol beside the most "
    "frequent class and other runs, the folds, training curves, configurations, what was taken for "
    "what, the rules of a model in words, graphs with their strongest rules as arrows, times, the "
    "data set, digests, and how to do it again.",
    "The file needs nothing else: it opens from the disk, without a network. Text from data sets "
    "is "
    "never markup, and a policy in the page forbids everything that is not in it.",
    "What is not there leaves its part out, and the page says why: a run that is half done or has "
    "failed jobs, a data set that is not found (or is another one), models that were not kept. A "
    "model that was "
    "kept but is gone or damaged leaves its part out, too: the report is written, and the exit "
    "status is 3.",
    "Rules are those of one model: of the configuration that the first protocol chose, on one "
    "fold. "
    "What removing a rule does is measured on the validation part of that fold.",
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
    .summary = "write a run as one page that opens from the disk",
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
