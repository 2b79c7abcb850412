/* test_completion.c - what the shells offer, asked of the shells themselves. */
#include "support/program.h"

#include "cli/command/commands.h"

#include <string.h>

static int set_up(void **state)
{
    *state = test_directory_make();
    test_write(*state, "sets/one.zip", "");
    test_write(*state, "has blank/two.zip", "");
    return 0;
}

static bool is_here(const char *directory, const char *shell)
{
    program_result result = run(directory, "command -v %s", shell);
    bool here = result.code == 0;
    program_result_free(&result);
    return here;
}

static void scripts_name_every_command_and_option(void **state)
{
    static const char *const shells[] = {"bash", "zsh", "fish"};
    for (size_t s = 0; s < CLI_COUNT(shells); s++) {
        program_result script = run(*state, "regula completion %s", shells[s]);
        assert_int_equal(script.code, 0);
        for (size_t k = 0; k < cli_n_commands(); k++) {
            const cli_command *command = cli_command_at(k);
            assert_non_null(strstr(script.out, command->name));
            for (size_t j = 0; j < command->n_options; j++) {
                const cli_option *option = &command->options[j];
                char *name = test_format(s == 2 ? "-l %s" : "--%s", option->name);
                if (!strstr(script.out, name) && !option->hidden)
                    fail_msg("%s: %s is missing", shells[s], name);
                free(name);
            }
        }
        program_result_free(&script);
    }
}

static void shells_accept_their_scripts(void **state)
{
    static const char *const shells[] = {"bash", "zsh", "fish"};
    size_t n = 0;
    for (size_t s = 0; s < CLI_COUNT(shells); s++) {
        if (!is_here(*state, shells[s]))
            continue;
        char *line =
            test_format("regula completion %s > script && %s -n script", shells[s], shells[s]);
        expect(*state, line, 0, "", "");
        free(line);
        n++;
    }
    if (n == 0)
        skip();
}

/* words: as typed, the last one being completed; offered: what must come, in order. */
static const struct {
    const char *words, *offered;
} cases[] = {
    {"regula da", "data"},
    {"regula data in", "info"},
    {"regula data info --js", "--json"},
    {"regula data info --input-format t", "tu three table"},
    {"regula data info sets --no", "--no-copies"},
    {"regula data generate L", "LongRings"},
    {"regula data generate CSL --format th", "three"},
    {"regula data get MUTA", "MUTAG"},
    {"regula completion z", "zsh"},
    {"regula data split --seed ", ""},
    {"regula --ver", "--version"},
    {"regula help comp", "completion"},
};

static void bash_offers_what_fits(void **state)
{
    if (!is_here(*state, "bash"))
        skip();
    static const struct {
        const char *words, *offered;
    } more[] = {
        {"regula data info --input-format = t",
         "tu three table"}, /* --input-format=t: bash makes three words */
        {"regula data info --input-format =", "auto tu three ogb graph6 smi table sdf words chars"},
        {"regula data info se", "sets"},
        {"regula data info sets/", "sets/one.zip"},
        {"regula data get x --dir se", "sets"},
    };
    size_t n = CLI_COUNT(cases);
    for (size_t k = 0; k < n + CLI_COUNT(more); k++) {
        const char *words = k < n ? cases[k].words : more[k - n].words;
        const char *offered = k < n ? cases[k].offered : more[k - n].offered;
        const char *empty = words[strlen(words) - 1] == ' ' ? "''" : "";
        char *line =
            test_format("bash -c 'source <(regula completion bash); COMP_WORDS=(%s \"$@\"); "
                        "COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _regula; "
                        "echo \"<${COMPREPLY[*]}>\"' bash %s",
                        words, empty);
        char *out = test_format("<%s>\n", offered);
        expect(*state, line, 0, out, "");
        free(line);
        free(out);
    }
}

static void bash_keeps_names_with_blanks_whole(void **state)
{
    if (!is_here(*state, "bash"))
        skip();
    expect(*state,
           "bash -c 'source <(regula completion bash); COMP_WORDS=(regula data info has); "
           "COMP_CWORD=3; _regula; echo \"<${COMPREPLY[0]}>\"'",
           0, "<has blank>\n", "");
}

static void fish_offers_what_fits(void **state)
{
    if (!is_here(*state, "fish"))
        skip();
    for (size_t k = 0; k < CLI_COUNT(cases); k++) {
        program_result result = run(*state,
                                    "fish --no-config -c 'regula completion fish | source; "
                                    "complete -C \"%s\"' | cut -f1 | sort -r | tr '\\n' ' '",
                                    cases[k].words);
        char *offered = test_format("%s ", cases[k].offered);
        char *wanted = cases[k].offered[0] ? offered : offered + 1;
        if (strcmp(result.out, wanted) != 0)
            fail_msg("'%s': '%s', expected '%s'\n%s", cases[k].words, result.out, wanted,
                     result.err);
        free(offered);
        program_result_free(&result);
    }
}

/* zsh completes on a terminal only: one of its own, in which it gets a tab and must answer with the
 * whole word; if it does not, the script waits until its time is up. */
static void zsh_offers_what_fits(void **state)
{
    if (!is_here(*state, "zsh"))
        skip();
    test_write(*state, "ask.zsh",
               "zmodload zsh/zpty\n"
               "zpty z zsh -f -i\n"
               "zpty -w z 'fpath=($HOME/zfunc $fpath); autoload -Uz compinit; compinit -u -D; "
               "print rea''dy'\n"
               "zpty -r z seen '*ready*'\n"
               "for typed offered in \"$@\"; do\n"
               "    zpty -w -n z $typed$'\\t'\n"
               "    zpty -r z seen \"*$offered*\" && print -r -- \"$offered\"\n"
               "    zpty -w -n z $'\\C-u'\n"
               "done\n");
    expect(*state, "mkdir -p zfunc && regula completion zsh > zfunc/_regula", 0, "", "");
    char *line = test_format("timeout 60 zsh -f ask.zsh"), *out = test_format("%s", "");
    for (size_t k = 0; k < CLI_COUNT(cases); k++) {
        if (!cases[k].offered[0] || strchr(cases[k].offered, ' '))
            continue;
        char *more = test_format("%s '%s' '%s'", line, cases[k].words, cases[k].offered);
        char *longer = test_format("%s%s\n", out, cases[k].offered);
        free(line);
        free(out);
        line = more;
        out = longer;
    }
    expect(*state, line, 0, out, "");
    free(line);
    free(out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scripts_name_every_command_and_option),
        cmocka_unit_test(shells_accept_their_scripts),
        cmocka_unit_test(bash_offers_what_fits),
        cmocka_unit_test(bash_keeps_names_with_blanks_whole),
        cmocka_unit_test(fish_offers_what_fits),
        cmocka_unit_test(zsh_offers_what_fits),
    };
    return cmocka_run_group_tests(tests, set_up, remove_directory);
}
