/* commands.c - see commands.h. */
#include "commands.h"

#include "base/error.h"
#include "text/suggest.h"

#include <string.h>

const cli_command cli_data = {
    .name = "data",
    .summary = "list, download, audit, draw, generate, convert and split data sets",
};

const cli_command cli_rule_group = {
    .name = "rule",
    .summary = "check rules and print their weight matrices",
};

/* One a line, in the order of the help. */
/* clang-format off */
static const cli_command *const commands[] = {
    &cli_data,           &cli_data_list,       &cli_data_get,         &cli_data_info,
    &cli_data_draw,      &cli_data_generate,   &cli_data_convert,     &cli_data_split,
    &cli_label_command,  &cli_features_command, &cli_rule_group,      &cli_rule_check,       &cli_rule_show,      &cli_rule_draw,
    &cli_run_command,    &cli_submit_command,  &cli_models_command,   &cli_search_command,
    &cli_show_command,   &cli_report_command,  &cli_runs_command,     &cli_merge_command,
    &cli_reproduce_command, &cli_new_command,     &cli_train_command, &cli_predict_command, &cli_evaluate_command,
    &cli_explain_command, &cli_prune_command, &cli_distil_command,  &cli_selftest,         &cli_completion,
    &cli_help,
};
/* clang-format on */

size_t cli_n_commands(void)
{
    return CLI_COUNT(commands);
}

const cli_command *cli_command_at(size_t k)
{
    return commands[k];
}

bool cli_command_in(const cli_command *command, const cli_command *group)
{
    size_t n = strlen(group->name);
    return strncmp(command->name, group->name, n) == 0 && command->name[n] == ' ';
}

/* How many of the words the name spells, all of it; 0: not this command. */
static size_t matches(const char *name, char *const *words, size_t n_words)
{
    for (size_t k = 0; k < n_words; k++) {
        size_t n = strlen(words[k]);
        if (strncmp(name, words[k], n) != 0 || (name[n] != ' ' && name[n] != '\0'))
            return 0;
        if (name[n] == '\0')
            return k + 1;
        name += n + 1;
    }
    return 0;
}

/* "unknown command 'data inf'; did you mean 'data info'?" A word that is the second of a command,
 * as in "regula info", means that command. */
static void fail_unknown(const char *typed, const char *last_word, rg_error *err)
{
    const char *known[CLI_COUNT(commands)], *near = NULL;
    for (size_t k = 0; k < CLI_COUNT(commands); k++) {
        known[k] = commands[k]->name;
        const char *last = strrchr(known[k], ' ');
        if (last && strcmp(last + 1, last_word) == 0)
            near = known[k];
    }
    if (!near)
        near = rg_suggest(typed, known, CLI_COUNT(commands));
    if (near)
        rg_fail(err, RG_EUSAGE, "unknown command '%s'; did you mean '%s'?", typed, near);
    else
        rg_fail(err, RG_EUSAGE, "unknown command '%s'; 'regula --help' lists the commands", typed);
}

const cli_command *cli_command_find(char *const *words, size_t n_words, size_t *used, rg_error *err)
{
    const cli_command *best = NULL;
    *used = 0;
    for (size_t k = 0; k < CLI_COUNT(commands); k++) {
        size_t n = matches(commands[k]->name, words, n_words);
        if (n > *used) {
            *used = n;
            best = commands[k];
        }
    }
    bool more = n_words > *used && words[*used][0] != '-';
    if (!more || (best && best->run))
        return best;
    char typed[160];
    if (best)
        snprintf(typed, sizeof typed, "%s %s", best->name, words[*used]);
    else
        snprintf(typed, sizeof typed, "%s", words[*used]);
    fail_unknown(typed, words[*used], err);
    return NULL;
}
