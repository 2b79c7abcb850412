/* commands.h - all commands, in the order in which the overview lists them. */
#ifndef REGULA_CLI_COMMAND_COMMANDS_H
#define REGULA_CLI_COMMAND_COMMANDS_H

#include "command.h"

#include <stdio.h>

extern const cli_command cli_data, cli_data_list, cli_data_get, cli_data_info, cli_data_draw,
    cli_data_generate, cli_data_convert, cli_data_split, cli_label_command, cli_rule_group,
    cli_rule_check, cli_rule_show, cli_rule_draw, cli_features_command, cli_train_command,
    cli_run_command, cli_models_command, cli_search_command, cli_show_command, cli_runs_command,
    cli_merge_command, cli_submit_command, cli_reproduce_command, cli_predict_command,
    cli_evaluate_command, cli_explain_command, cli_prune_command, cli_distil_command, cli_selftest,
    cli_help, cli_completion, cli_report_command, cli_new_command;

size_t cli_n_commands(void);
const cli_command *cli_command_at(size_t k);

/* The command whose name the first words spell; *used of them. NULL: none, and err says so (with
 * n_words 0 it says nothing). A group is found if no command of it is named. */
const cli_command *cli_command_find(char *const *words, size_t n_words, size_t *used,
                                    rg_error *err);
/* Does the command belong to the group, as "data info" does to "data"? */
bool cli_command_in(const cli_command *command, const cli_command *group);

/* help.c: what regula --help, regula data and regula data info --help print. */
void cli_print_overview(FILE *out);
void cli_print_help(FILE *out, const cli_command *command);
/* The lines of its list, each behind `before`. */
void cli_print_list(FILE *out, const cli_command *command, const char *before,
                    void (*print)(FILE *out, const char *text));
/* Part k of the synopsis: "DATA", "[--json]", "--out DIR", ...; false past the last. */
bool cli_synopsis_part(const cli_command *command, size_t k, char *out, size_t size);
/* "-o, --out DIR", and the text beside it: help, choices, default. */
void cli_option_head(const cli_option *option, char *out, size_t size);
void cli_option_text(const cli_option *option, const cli_value *value, char *text, size_t size);

/* manual.c: man page sources for scdoc; command NULL: the page regula(1). */
void cli_print_manual(FILE *out, const cli_command *command);

/* complete_*.c: completion scripts. */
void cli_print_bash(FILE *out);
void cli_print_zsh(FILE *out);
void cli_print_fish(FILE *out);

#endif
