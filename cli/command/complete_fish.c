/* complete_fish.c - completion for fish, from the tables of the commands. */
#include "commands.h"

#include <string.h>

/* Inside '...' fish knows the backslash and the quote. */
static void quoted(FILE *out, const char *text)
{
    fputc('\'', out);
    for (const char *c = text; *c; c++) {
        if (*c == '\'' || *c == '\\')
            fputc('\\', out);
        fputc(*c, out);
    }
    fputc('\'', out);
}

static void print_words(FILE *out, cli_words words)
{
    fputs(" -a '", out);
    for (size_t k = 0; words(k); k++)
        fprintf(out, "%s%s", k ? " " : "", words(k));
    fputc('\'', out);
}

/* A rule that holds right behind the words of `name`. */
static void rule(FILE *out, const char *name)
{
    fprintf(out, "complete -c regula -n '__regula_at \"%s\"'", name);
}

static void print_option(FILE *out, const cli_command *command, const cli_option *option)
{
    rule(out, command->name);
    fprintf(out, " -l %s", option->name);
    if (option->letter)
        fprintf(out, " -s %c", option->letter);
    if (option->kind == CLI_PATH)
        fputs(" -r -F", out);
    else if (option->kind != CLI_FLAG)
        fputs(" -x", out);
    if (option->kind == CLI_CHOICE)
        print_words(out, option->choices);
    fputs(" -d ", out);
    quoted(out, option->help);
    fputc('\n', out);
}

static void print_command(FILE *out, const cli_command *command)
{
    const char *blank = strrchr(command->name, ' ');
    char group[64];
    snprintf(group, sizeof group, "%.*s", blank ? (int)(blank - command->name) : 0, command->name);
    rule(out, group);
    fprintf(out, " -a %s -d ", blank ? blank + 1 : command->name);
    quoted(out, command->summary);
    fputc('\n', out);
    for (size_t k = 0; k < command->n_options; k++)
        if (!command->options[k].hidden)
            print_option(out, command, &command->options[k]);
    print_option(out, command, &cli_help_option);
    for (size_t k = 0; k < command->n_arguments; k++) {
        const cli_argument *argument = &command->arguments[k];
        if (!argument->choices && !argument->path)
            continue;
        rule(out, command->name);
        if (argument->path)
            fputs(" -F", out);
        if (argument->choices)
            print_words(out, argument->choices);
        fputc('\n', out);
    }
}

void cli_print_fish(FILE *out)
{
    fputs("# fish completion for regula, made by: regula completion fish\n"
          "function __regula_at\n"
          "    set -l typed (commandline -opc)\n"
          "    set -l name\n"
          "    for word in $typed[2..-1]\n"
          "        switch (string join ' ' $name $word)\n"
          "            case",
          out);
    for (size_t k = 0; k < cli_n_commands(); k++) {
        fputc(' ', out);
        quoted(out, cli_command_at(k)->name);
    }
    fputs("\n                set name $name $word\n"
          "        end\n"
          "    end\n"
          "    test \"$name\" = \"$argv[1]\"\n"
          "end\n\n"
          "complete -c regula -f\n"
          "complete -c regula -n '__regula_at \"\"' -l help -s h -d 'Show the help.'\n"
          "complete -c regula -n '__regula_at \"\"' -l version -d 'Show the version.'\n",
          out);
    for (size_t k = 0; k < cli_n_commands(); k++)
        print_command(out, cli_command_at(k));
}
