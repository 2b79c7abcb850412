/* manual.c - man page sources in scdoc's language, from the tables of the commands. */
#include "commands.h"

#include <string.h>

/* scdoc reads * _ \ ` and, at the start of a line, more; every one of them takes a backslash. */
static void escaped(FILE *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (strchr("*_\\`#[]|~<>", *c))
            fputc('\\', out);
        fputc(*c, out);
    }
}

static void paragraph(FILE *out, const char *text)
{
    escaped(out, text);
    fputs("\n\n", out);
}

/* "data info" as it is in page names: "regula-data-info". */
static void page_name(FILE *out, const cli_command *command)
{
    fputs("regula", out);
    for (const char *c = command ? command->name : ""; *c; c++) {
        if (c == command->name)
            fputc('-', out);
        fputc(*c == ' ' ? '-' : *c, out);
    }
}

static void reference(FILE *out, const cli_command *command, bool last)
{
    fputc('*', out);
    page_name(out, command);
    fputs(last ? "*(1)\n" : "*(1), ", out);
}

static void synopsis(FILE *out, const cli_command *command)
{
    char part[80];
    fprintf(out, "*regula %s*", command->name);
    for (size_t k = 0; cli_synopsis_part(command, k, part, sizeof part); k++) {
        fputc(' ', out);
        escaped(out, part);
    }
    fputs("\n\n", out);
}

static void examples(FILE *out, const cli_command *command)
{
    for (size_t k = 0; k < command->n_examples; k++) {
        const cli_example *example = &command->examples[k];
        paragraph(out, example->help);
        fprintf(out, "```\n%s\n```\n\n", example->line);
    }
}

static void options(FILE *out, const cli_command *command)
{
    cli_arguments args;
    char text[640];
    cli_arguments_init(&args, command);
    for (size_t k = 0; k < command->n_arguments; k++) {
        fprintf(out, "_%s_\n\t", command->arguments[k].metavar);
        paragraph(out, command->arguments[k].help);
    }
    for (size_t k = 0; k <= command->n_options; k++) {
        const cli_option *option = k < command->n_options ? &command->options[k] : &cli_help_option;
        if (option->hidden)
            continue;
        if (option->letter)
            fprintf(out, "*-%c*, ", option->letter);
        fprintf(out, "*--%s*", option->name);
        if (option->metavar)
            fprintf(out, " _%s_", option->metavar);
        fputs("\n\t", out);
        cli_option_text(option, k < command->n_options ? &args.values[k] : &(cli_value){0}, text,
                        sizeof text);
        paragraph(out, text);
    }
}

static void exit_status(FILE *out)
{
    static const char *const meaning[] = {
        [RG_OK] = "Done.",
        [RG_EFAIL] = "The command was valid but failed.",
        [RG_EUSAGE] = "Wrong usage: an unknown or missing command, option or value.",
        [RG_EDATA] = "Bad input: a file violates its format.",
        [RG_EIO] = "Input or output failed: a missing file, a full disk, no network.",
        [RG_ENOMEM] = "Out of memory.",
    };
    fputs("# EXIT STATUS\n\n", out);
    for (size_t k = 0; k < CLI_COUNT(meaning); k++) {
        fprintf(out, "*%zu*\n\t", k);
        paragraph(out, meaning[k]);
    }
}

static void surroundings(FILE *out)
{
    fputs("# ENVIRONMENT\n\n"
          "*REGULA\\_DATA*\n"
          "\tDirectory that regula searches first for data sets, and where *regula data get* puts "
          "them.\n\n"
          "*XDG\\_CACHE\\_HOME*\n"
          "\tWithout *REGULA\\_DATA*, data sets are in _$XDG\\_CACHE\\_HOME/regula/data_.\n\n"
          "*REGULA\\_CPU*\n"
          "\tVector instructions to use: _portable_ (those that every processor has: slower), "
          "_avx2_, _avx512_, or _auto_ (the widest that this processor has), which is the default. "
          "The results have the same bits. If the processor lacks them, regula says so and ends "
          "with exit status 2.\n\n"
          "*NO\\_COLOR*\n"
          "\tIf set and not empty, regula prints without colour.\n\n"
          "# FILES\n\n"
          "_~/.cache/regula/data_\n"
          "\tData sets, if neither *REGULA\\_DATA* nor *XDG\\_CACHE\\_HOME* is set.\n\n"
          "_~/.cache/regula/labels_\n"
          "\tCached counts of *regula label*, if *XDG\\_CACHE\\_HOME* is not set. You can delete "
          "them at any time.\n\n",
          out);
}

static void see_also(FILE *out, const cli_command *command)
{
    const cli_command *pages[CLI_OPTIONS_MAX * 2] = {NULL};
    size_t n = 0;
    if (command)
        n++; /* NULL stands for regula(1) */
    for (size_t k = 0; k < cli_n_commands() && n < CLI_COUNT(pages); k++)
        if (cli_command_at(k) != command && cli_command_at(k)->run)
            pages[n++] = cli_command_at(k);
    fputs("# SEE ALSO\n\n", out);
    for (size_t k = 0; k < n; k++)
        reference(out, pages[k], k + 1 == n && command);
    if (!command) /* made of the pages of docs/ (tools/manual.sh) */
        fputs(
            "*regula-network*(5), *regula-experiment*(5), *regula-rules*(7), *regula-labels*(7)\n",
            out);
}

static void overview(FILE *out)
{
    fputs("*regula* _COMMAND_ \\[ARGUMENTS\\] \\[OPTIONS\\]\n\n"
          "# DESCRIPTION\n\n"
          "The command line program of a library for rule based neural networks. Results go to "
          "standard output, messages to standard error, one line each. Progress is shown on a "
          "terminal only.\n\n",
          out);
    for (size_t k = 0; k < cli_n_commands(); k++) {
        const cli_command *command = cli_command_at(k);
        if (!command->run)
            continue;
        fprintf(out, "*regula %s*\n\t", command->name);
        paragraph(out, command->summary);
    }
    fputs("# EXAMPLES\n\n", out);
    for (size_t k = 0; k < cli_n_commands(); k++) {
        const cli_command *command = cli_command_at(k);
        if (command->n_examples)
            fprintf(out, "```\n%s\n```\n\n", command->examples[0].line);
    }
    fputs("# OPTIONS\n\n*-h*, *--help*\n\tShow the overview, or the help of a command.\n\n"
          "*--version*\n\tShow the version.\n\n",
          out);
}

void cli_print_manual(FILE *out, const cli_command *command)
{
    page_name(out, command);
    fputs("(1)\n\n# NAME\n\n", out);
    page_name(out, command);
    fputs(" - ", out);
    paragraph(out, command ? command->summary : "rule based neural networks");
    fputs("# SYNOPSIS\n\n", out);
    if (command) {
        synopsis(out, command);
        fputs("# DESCRIPTION\n\n", out);
        for (const char *const *text = command->description; text && *text; text++)
            paragraph(out, *text);
        if (command->list_heading) {
            paragraph(out, command->list_heading);
            cli_print_list(out, command, "- ", escaped);
            fputc('\n', out);
        }
        fputs("# EXAMPLES\n\n", out);
        examples(out, command);
        fputs("# OPTIONS\n\n", out);
        options(out, command);
    } else {
        overview(out);
    }
    exit_status(out);
    surroundings(out);
    see_also(out, command);
}
