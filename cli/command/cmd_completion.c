/* cmd_completion.c - regula completion: scripts for bash, zsh and fish. */
#include "commands.h"

static const struct {
    const char *name;
    void (*print)(FILE *out);
} shells[] = {{"bash", cli_print_bash}, {"zsh", cli_print_zsh}, {"fish", cli_print_fish}};

static const char *shell_words(size_t k)
{
    return k < CLI_COUNT(shells) ? shells[k].name : NULL;
}

static const cli_argument arguments[] = {
    {.metavar = "SHELL", .choices = shell_words, .help = "bash, zsh or fish"},
};

static const cli_example examples[] = {
    {"regula completion bash > ~/.local/share/bash-completion/completions/regula",
     "For bash, which loads it on first use."},
    {"regula completion zsh > ~/.zfunc/_regula",
     "For zsh, with ~/.zfunc in its fpath before compinit."},
    {"regula completion fish > ~/.config/fish/completions/regula.fish", "For fish."},
};

static const char *const description[] = {
    "Prints a script that lets the shell complete commands, options and their values.",
    NULL,
};

static rg_status run(const cli_arguments *args, rg_error *err)
{
    (void)err;
    shells[cli_choice_find(shell_words, args->words[0])].print(stdout);
    return RG_OK;
}

const cli_command cli_completion = {
    .name = "completion",
    .summary = "print a completion script for a shell",
    .description = description,
    .arguments = arguments,
    .n_arguments = CLI_COUNT(arguments),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .run = run,
};
