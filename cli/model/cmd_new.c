/* cmd_new.c - regula new: the network that is chosen for data, as a file with comments to go on from. */
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "network.h"
#include "regula/fetch.h"
#include "use.h"

#include <stdio.h>

static const cli_argument arguments[] = {CLI_DATA_ARGUMENT};

static const cli_option options[] = {
    {.name = "rule",
     .kind = CLI_WORD,
     .metavar = "RULE",
     .repeated = true,
     .help = "A rule of your own in place of those that are chosen. Can be repeated."},
    CLI_SPLIT_OPTION(": only the training set is looked at for classes"),
    CLI_FOLD_OPTION,
    CLI_READ_OPTIONS,
    CLI_THREADS_OPTION,
};

static const cli_example examples[] = {
    {"regula new csl > net.yml", "A network file to go on from."},
    {"regula new csl --rule 'share kind(i), kind(j) when edge(i,j)'", "With a rule of your own."},
};

static const char *const description[] = {
    "Prints the network that 'regula train' chooses for the data when no other is named: a network "
    "file with comments that say what stands there and why (docs/auto.md).",
    NULL,
};

static void defaults(cli_arguments *args)
{
    cli_default_integer(args, "fold", 0);
    cli_default_integer(args, "threads", 0);
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    cli_source source = {.path = NULL};
    cli_split split = {.path = NULL};
    char *text = NULL, *cache = NULL;
    rg_status status = cli_label_cache(&cache, err);
    if (!status)
        status = cli_source_read(&source, args->words[0], args, NULL, err);
    if (!status)
        status = cli_split_read(&split, args, &source, err);
    if (!status) {
        rg_source view = cli_source_view(&source);
        rg_auto_options o = rg_auto_options_default();
        o.comments = 1;
        o.cache = cache;
        o.n_threads = (unsigned)cli_get(args, "threads")->integer;
        status =
            cli_network_text(&text, NULL, args, &view, &split.fold, split.path ? 1 : 0, &o, err);
    }
    if (!status)
        fputs(text, stdout);
    rg_text_free(text);
    rg_text_free(cache);
    cli_split_free(&split);
    cli_source_free(&source);
    return status;
}

const cli_command cli_new_command = {
    .name = "new",
    .summary = "print a network file that is chosen for data",
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
