/* complete_zsh.c - completion for zsh, from the tables of the commands. */
#include "commands.h"

#include <string.h>

/* Text inside '...[HELP]:...': the quote ends the string, the others mean something to zsh. */
static void escaped(FILE *out, const char *text)
{
    for (const char *c = text; *c; c++) {
        if (*c == '\'')
            fputs("'\\'", out);
        else if (strchr("[]:\\", *c))
            fputc('\\', out);
        fputc(*c, out);
    }
}

static void print_words(FILE *out, cli_words words)
{
    for (size_t k = 0; words(k); k++)
        fprintf(out, "%s%s", k ? " " : "", words(k));
}

static void print_option(FILE *out, const cli_option *option)
{
    bool value = option->kind != CLI_FLAG;
    fputs(" \\\n            ", out);
    if (option->letter)
        fprintf(out, "'(-%c --%s)'{-%c%s,--%s%s}'[", option->letter, option->name, option->letter,
                value ? "+" : "", option->name, value ? "=" : "");
    else
        fprintf(out, "'%s--%s%s[", option->repeated ? "*" : "", option->name, value ? "=" : "");
    escaped(out, option->help);
    fputc(']', out);
    if (value) {
        fprintf(out, ":%s:", option->metavar);
        if (option->kind == CLI_CHOICE) {
            fputc('(', out);
            print_words(out, option->choices);
            fputc(')', out);
        } else if (option->kind == CLI_PATH) {
            fputs("_files", out);
        }
    }
    fputc('\'', out);
}

static void print_argument(FILE *out, const cli_argument *argument, size_t number)
{
    if (argument->repeated)
        fprintf(out, " \\\n            '*:%s:", argument->metavar);
    else
        fprintf(out, " \\\n            '%zu:%s:", number, argument->metavar);
    if (argument->path) {
        fputs("_regula_data", out);
    } else if (argument->choices) {
        fputc('(', out);
        print_words(out, argument->choices);
        fputc(')', out);
    }
    fputc('\'', out);
}

/* The commands of a group, NULL: the first words of all, as 'word:summary' pairs. */
static void print_group(FILE *out, const cli_command *group)
{
    fprintf(out, "        '%s')\n            commands=(", group ? group->name : "");
    for (size_t k = 0; k < cli_n_commands(); k++) {
        const cli_command *command = cli_command_at(k);
        if (group ? !cli_command_in(command, group) : strchr(command->name, ' ') != NULL)
            continue;
        fprintf(out,
                "\n                '%s:", command->name + (group ? strlen(group->name) + 1 : 0));
        escaped(out, command->summary);
        fputc('\'', out);
    }
    fprintf(out,
            ")\n            _arguments '(-h --help)'{-h,--help}'[Show the help.]'%s"
            " '1: :{_describe command commands}' ;;\n",
            group ? "" : " '--version[Show the version.]'");
}

static void print_command(FILE *out, const cli_command *command)
{
    if (!command->run) {
        print_group(out, command);
        return;
    }
    fprintf(out, "        '%s')\n            _arguments -s -S", command->name);
    for (size_t k = 0; k < command->n_options; k++)
        if (!command->options[k].hidden)
            print_option(out, &command->options[k]);
    print_option(out, &cli_help_option);
    for (size_t k = 0; k < command->n_arguments; k++)
        print_argument(out, &command->arguments[k], k + 1);
    fputs(" ;;\n", out);
}

/* Names for DATA come from the one argument that may be a path. */
static void print_data(FILE *out)
{
    fputs("_regula_data() {\n    _alternative 'sets:data set:(", out);
    for (size_t k = 0; k < cli_n_commands(); k++) {
        const cli_command *command = cli_command_at(k);
        if (command->n_arguments && command->arguments[0].path) {
            print_words(out, command->arguments[0].choices);
            break;
        }
    }
    fputs(")' 'files:path:_files'\n}\n\n", out);
}

void cli_print_zsh(FILE *out)
{
    fputs("#compdef regula\n# zsh completion for regula, made by: regula completion zsh\n", out);
    print_data(out);
    fputs("_regula() {\n"
          "    local name= typed\n"
          "    local -a commands\n"
          "    local -i n=0\n"
          "    for typed in \"${(@)words[2,CURRENT-1]}\"; do\n"
          "        case \"$name${name:+ }$typed\" in\n        ",
          out);
    for (size_t k = 0; k < cli_n_commands(); k++)
        fprintf(out, "%s'%s'", k ? " | " : "", cli_command_at(k)->name);
    fputs(")\n            name=\"$name${name:+ }$typed\" n+=1 ;;\n"
          "        *) break ;;\n        esac\n    done\n"
          "    # _arguments counts from the command's own first argument\n"
          "    words=(regula \"${(@)words[n+2,-1]}\")\n"
          "    ((CURRENT -= n))\n"
          "    case \"$name\" in\n",
          out);
    print_group(out, NULL);
    for (size_t k = 0; k < cli_n_commands(); k++)
        print_command(out, cli_command_at(k));
    fputs("    esac\n}\n\n"
          "if [[ $funcstack[1] == _regula ]]; then\n    _regula \"$@\"\nelse\n"
          "    compdef _regula regula\nfi\n",
          out);
}
