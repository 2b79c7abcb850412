/* cmd_help.c - regula help: help on a command, and the sources of the man pages. */
#include "base/error.h"
#include "base/file.h"
#include "cli/output/output.h"
#include "commands.h"

#include <errno.h>
#include <string.h>

/* The last word of each command, for completion. */
static const char *command_words(size_t k)
{
    if (k >= cli_n_commands())
        return NULL;
    const char *name = cli_command_at(k)->name, *blank = strrchr(name, ' ');
    return blank ? blank + 1 : name;
}

static const cli_argument arguments[] = {
    {.metavar = "COMMAND",
     .help = "The name of a command, such as: data info",
     .choices = command_words,
     .open = true,
     .optional = true,
     .repeated = true},
};

static const cli_option options[] = {
    {.name = "scdoc",
     .kind = CLI_FLAG,
     .hidden = true,
     .help = "Print the source of the command's man page, for scdoc."},
    {.name = "scdoc-all",
     .kind = CLI_PATH,
     .metavar = "DIR",
     .hidden = true,
     .help = "Write the sources of all man pages into DIR."},
};

static const cli_example examples[] = {
    {"regula help data info", "The same as: regula data info --help"},
    {"regula help", "List all commands."},
};

static const char *const description[] = {
    "Shows the help of a command, or a list of all commands.",
    NULL,
};

/* As DIR/regula-data-info.1.scd. */
static rg_status write_manual(const char *directory, const cli_command *command, rg_error *err)
{
    char path[4096];
    int n = snprintf(path, sizeof path, "%s/regula%s%s.1.scd", directory, command ? "-" : "",
                     command ? command->name : "");
    if (n < 0 || (size_t)n >= sizeof path)
        return rg_fail_io(err, ENAMETOOLONG, "write", directory);
    for (char *c = path + strlen(directory); *c; c++)
        if (*c == ' ')
            *c = '-';
    FILE *out = fopen(path, "w");
    if (!out)
        return rg_fail_io(err, errno, "write", path);
    cli_print_manual(out, command);
    bool failed = ferror(out) != 0;
    if (fclose(out) || failed)
        return rg_fail_io(err, errno ? errno : EIO, "write", path);
    return RG_OK;
}

static rg_status write_manuals(const char *directory, rg_error *err)
{
    rg_status status = rg_dir_make(directory, err);
    if (!status)
        status = write_manual(directory, NULL, err);
    for (size_t k = 0; k < cli_n_commands() && !status; k++)
        if (cli_command_at(k)->run)
            status = write_manual(directory, cli_command_at(k), err);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    const cli_command *command = NULL;
    size_t used = 0;
    if (cli_text(args, "scdoc-all"))
        return write_manuals(cli_text(args, "scdoc-all"), err);
    if (args->n_words) {
        command = cli_command_find(args->words, args->n_words, &used, err);
        if (!command)
            return RG_EUSAGE;
        if (used < args->n_words)
            return rg_fail(err, RG_EUSAGE, "unexpected argument '%s'; 'regula %s' is a command",
                           args->words[used], command->name);
    }
    if (cli_flag(args, "scdoc") && (!command || command->run))
        cli_print_manual(stdout, command);
    else if (command)
        cli_print_help(stdout, command);
    else
        cli_print_overview(stdout);
    return RG_OK;
}

const cli_command cli_help = {
    .name = "help",
    .summary = "show the help of a command",
    .description = description,
    .arguments = arguments,
    .n_arguments = CLI_COUNT(arguments),
    .options = options,
    .n_options = CLI_COUNT(options),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .run = run,
};
