/* complete_bash.c - completion for bash, from the tables of the commands. */
#include "commands.h"

#include <string.h>

static const char head[] =
    "# bash completion for regula, made by: regula completion bash\n"
    "_regula()\n"
    "{\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
    "    local command= options= words= paths= i IFS=$' \\t\\n'\n"
    "    COMPREPLY=()\n"
    "    if [[ $cur == = ]]; then # --option=: bash makes three words of it\n"
    "        cur=\n"
    "    elif [[ $prev == = ]]; then\n"
    "        prev=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n"
    "    for ((i = 1; i < COMP_CWORD; i++)); do\n"
    "        case \"$command${command:+ }${COMP_WORDS[i]}\" in\n";

static const char tail[] = "    if [[ $cur == -* ]]; then\n"
                           "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
                           "        return\n"
                           "    fi\n"
                           "    COMPREPLY=($(compgen -W \"$words\" -- \"$cur\"))\n"
                           "    if [[ $paths ]]; then\n"
                           "        IFS=$'\\n'\n"
                           "        COMPREPLY+=($(compgen -f -- \"$cur\"))\n"
                           "        compopt -o filenames 2>/dev/null\n"
                           "    fi\n"
                           "} &&\n"
                           "complete -F _regula regula\n";

static void print_words(FILE *out, cli_words words)
{
    for (size_t k = 0; words && words(k); k++)
        fprintf(out, "%s%s", k ? " " : "", words(k));
}

/* "'data info --out' | 'data info -o') " and what its value may be. */
static void print_value(FILE *out, const cli_command *command, const cli_option *option)
{
    fprintf(out, "    '%s --%s'", command->name, option->name);
    if (option->letter)
        fprintf(out, " | '%s -%c'", command->name, option->letter);
    if (option->kind == CLI_CHOICE) {
        fputs(") words='", out);
        print_words(out, option->choices);
        fputs("' ;;\n", out);
    } else {
        fputs(option->kind == CLI_PATH ? ") paths=1 ;;\n" : ") return ;;\n", out);
    }
}

/* What may follow the command: its options, words and paths; for a group its commands. */
static void print_command(FILE *out, const cli_command *command)
{
    fprintf(out, "        '%s')\n            options='", command->name);
    for (size_t k = 0; k < command->n_options; k++)
        if (!command->options[k].hidden)
            fprintf(out, "--%s ", command->options[k].name);
    fputs("--help'\n            words='", out);
    bool path = false;
    for (size_t k = 0; k < command->n_arguments; k++) {
        print_words(out, command->arguments[k].choices);
        path = path || command->arguments[k].path;
    }
    for (size_t k = 0; k < cli_n_commands(); k++)
        if (cli_command_in(cli_command_at(k), command))
            fprintf(out, "%s ", cli_command_at(k)->name + strlen(command->name) + 1);
    fprintf(out, "'\n%s            ;;\n", path ? "            paths=1\n" : "");
}

void cli_print_bash(FILE *out)
{
    size_t n = cli_n_commands();
    fputs(head, out);
    for (size_t k = 0; k < n; k++)
        fprintf(out, "%s'%s'", k ? " | " : "        ", cli_command_at(k)->name);
    fputs(")\n            command=\"$command${command:+ }${COMP_WORDS[i]}\" ;;\n"
          "        esac\n    done\n    case \"$command $prev\" in\n",
          out);
    for (size_t k = 0; k < n; k++)
        for (size_t j = 0; j < cli_command_at(k)->n_options; j++)
            if (cli_command_at(k)->options[j].kind != CLI_FLAG)
                print_value(out, cli_command_at(k), &cli_command_at(k)->options[j]);
    fputs("    *)\n        case \"$command\" in\n        '')\n"
          "            options='--help --version'\n            words='",
          out);
    for (size_t k = 0; k < n; k++)
        if (!strchr(cli_command_at(k)->name, ' '))
            fprintf(out, "%s ", cli_command_at(k)->name);
    fputs("'\n            ;;\n", out);
    for (size_t k = 0; k < n; k++)
        print_command(out, cli_command_at(k));
    fputs("        esac\n        ;;\n    esac\n", out);
    fputs(tail, out);
}
