/* help.c - help on the terminal, from the tables of the commands. */
#include "base/alloc.h"
#include "cli/output/output.h"
#include "commands.h"

#include <string.h>

#define HEAD 30 /* column where the text beside options and commands starts */

static void heading(FILE *out, const char *text)
{
    fputc('\n', out);
    cli_bold(out, true);
    fputs(text, out);
    cli_bold(out, false);
    fputc('\n', out);
}

/* "  HEAD      text", the text on a line of its own if the head is too long. */
static void entry(FILE *out, const char *head, const char *text)
{
    int used = fprintf(out, "  %s", head);
    if (used > HEAD - 2) {
        fputc('\n', out);
        used = 0;
    }
    fprintf(out, "%*s", HEAD - used, "");
    cli_wrap(out, text, HEAD, HEAD);
}

void cli_option_head(const cli_option *option, char *out, size_t size)
{
    char letter[8] = "    ";
    if (option->letter)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    snprintf(out, size, "%s--%s%s%s", letter, option->name, option->metavar ? " " : "",
             option->metavar ? option->metavar : "");
}

void cli_option_text(const cli_option *option, const cli_value *value, char *text, size_t size)
{
    char shown[CLI_DEFAULT_TEXT];
    size_t used = (size_t)snprintf(text, size, "%s", option->help);
    if (option->kind == CLI_CHOICE) {
        for (size_t k = 0; option->choices(k) && used < size; k++)
            used += (size_t)snprintf(text + used, size - used, "%s%s", k ? ", " : " One of ",
                                     option->choices(k));
        if (used < size)
            used += (size_t)snprintf(text + used, size - used, ".");
    }
    if (cli_default_text(option, value, shown) && used < size)
        snprintf(text + used, size - used, " [default: %s]", shown);
    else if (option->required && used < size)
        snprintf(text + used, size - used, " [required]");
}

static void option_entry(FILE *out, const cli_option *option, const cli_value *value)
{
    char head[64], text[640];
    cli_option_text(option, value, text, sizeof text);
    cli_option_head(option, head, sizeof head);
    entry(out, head, text);
}

bool cli_synopsis_part(const cli_command *command, size_t k, char *out, size_t size)
{
    if (k < command->n_arguments) {
        const cli_argument *a = &command->arguments[k];
        snprintf(out, size, "%s%s%s%s", a->optional ? "[" : "", a->metavar,
                 a->repeated ? "..." : "", a->optional ? "]" : "");
        return true;
    }
    k -= command->n_arguments;
    for (size_t j = 0; j < command->n_options; j++) {
        const cli_option *o = &command->options[j];
        if (o->hidden || k-- > 0)
            continue;
        snprintf(out, size, "%s--%s%s%s%s%s", o->required ? "" : "[", o->name,
                 o->metavar ? " " : "", o->metavar ? o->metavar : "", o->required ? "" : "]",
                 o->repeated ? "..." : "");
        return true;
    }
    return false;
}

static void print_usage(FILE *out, const cli_command *command)
{
    char part[80];
    int indent = fprintf(out, "Usage: regula %s", command->name), column = indent;
    for (size_t k = 0; cli_synopsis_part(command, k, part, sizeof part); k++) {
        if (column + 1 + (int)strlen(part) > 80) {
            fprintf(out, "\n%*s", indent, "");
            column = indent;
        }
        column += fprintf(out, " %s", part);
    }
    fputc('\n', out);
}

static void print_commands(FILE *out, const cli_command *group)
{
    for (size_t k = 0; k < cli_n_commands(); k++) {
        const cli_command *command = cli_command_at(k);
        bool shown = group ? cli_command_in(command, group) : command->run != NULL;
        if (shown)
            entry(out, command->name, command->summary);
    }
}

/* What most people do first, in this order. */
static const char *const first_commands[] = {"data get", "train", "predict", "explain", "run"};

static void print_first(FILE *out, const char *name)
{
    for (size_t k = 0; k < cli_n_commands(); k++) {
        const cli_command *command = cli_command_at(k);
        if (strcmp(command->name, name) == 0)
            fprintf(out, "  %s\n      %s\n", command->examples[0].line, command->examples[0].help);
    }
}

void cli_print_overview(FILE *out)
{
    fputs("regula - rule based neural networks\n\nUsage: regula COMMAND [ARGUMENTS] [OPTIONS]\n",
          out);
    heading(out, "To begin with:");
    for (size_t k = 0; k < CLI_COUNT(first_commands); k++)
        print_first(out, first_commands[k]);
    heading(out, "Commands:");
    print_commands(out, NULL);
    heading(out, "Options:");
    entry(out, "-h, --help", "Show this help, or a command's: regula COMMAND --help");
    entry(out, "-V, --version", "Show the version.");
}

static void print_group(FILE *out, const cli_command *group)
{
    fprintf(out, "regula %s - %s\n\nUsage: regula %s COMMAND [ARGUMENTS] [OPTIONS]\n", group->name,
            group->summary, group->name);
    heading(out, "Examples:");
    for (size_t k = 0; k < cli_n_commands(); k++)
        if (cli_command_in(cli_command_at(k), group) && cli_command_at(k)->n_examples)
            fprintf(out, "  %s\n", cli_command_at(k)->examples[0].line);
    heading(out, "Commands:");
    print_commands(out, group);
}

void cli_print_list(FILE *out, const cli_command *command, const char *before,
                    void (*print)(FILE *out, const char *text))
{
    rg_text text = {0};
    for (size_t k = 0; command->list(&text, k); k++) {
        char *line = rg_text_take(&text);
        fputs(before, out);
        print(out, line ? line : "");
        fputc('\n', out);
        rg_free(line);
    }
}

static void print_plain(FILE *out, const char *text)
{
    fputs(text, out);
}

void cli_print_help(FILE *out, const cli_command *command)
{
    cli_arguments args;
    if (!command->run) {
        print_group(out, command);
        return;
    }
    cli_arguments_init(&args, command);
    fprintf(out, "regula %s - %s\n\n", command->name, command->summary);
    print_usage(out, command);
    heading(out, "Examples:");
    for (size_t k = 0; k < command->n_examples; k++)
        fprintf(out, "  %s\n      %s\n", command->examples[k].line, command->examples[k].help);
    for (const char *const *text = command->description; text && *text; text++) {
        fputc('\n', out);
        cli_wrap(out, *text, 0, 0);
    }
    if (command->list_heading) {
        heading(out, command->list_heading);
        cli_print_list(out, command, "  ", print_plain);
    }
    if (command->n_arguments)
        heading(out, "Arguments:");
    for (size_t k = 0; k < command->n_arguments; k++)
        entry(out, command->arguments[k].metavar, command->arguments[k].help);
    heading(out, "Options:");
    for (size_t k = 0; k < command->n_options; k++)
        if (!command->options[k].hidden)
            option_entry(out, &command->options[k], &args.values[k]);
    option_entry(out, &cli_help_option, &(cli_value){0});
}
