/* test_command.c - the option parser, and that every command's table is in order. */
#include "support/support.h"

#include "cli/command/command.h"
#include "cli/command/commands.h"
#include "cli/output/progress.h"

#include <math.h>
#include <string.h>

#define WORDS_MAX 16

/* ---- a command with one option of every kind */
static const char *colour_words(size_t k)
{
    static const char *const words[] = {"red", "green", "blue"};
    return k < 3 ? words[k] : NULL;
}

static const cli_argument arguments[] = {
    {.metavar = "FIRST", .help = ""},
    {.metavar = "COLOUR", .help = "", .choices = colour_words, .optional = true},
};

static const cli_option options[] = {
    {.name = "quiet", .letter = 'q', .kind = CLI_FLAG, .help = ""},
    {.name = "long", .letter = 'l', .kind = CLI_FLAG, .help = ""},
    {.name = "word", .letter = 'w', .kind = CLI_WORD, .metavar = "WORD", .help = ""},
    {.name = "count",
     .letter = 'c',
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = -10,
     .max = 10,
     .help = ""},
    {.name = "part", .kind = CLI_REAL, .metavar = "X", .min = 0, .max = 1, .help = ""},
    {.name = "seed", .kind = CLI_SEED, .metavar = "S", .help = ""},
    {.name = "room", .kind = CLI_SIZE, .metavar = "SIZE", .otherwise = "any", .help = ""},
    {.name = "colour",
     .kind = CLI_CHOICE,
     .metavar = "COLOUR",
     .choices = colour_words,
     .help = ""},
    {.name = "inward", .kind = CLI_FLAG, .hidden = true, .help = ""},
    {.name = "each", .kind = CLI_WORD, .metavar = "WORD", .repeated = true, .help = ""},
};

static void defaults(cli_arguments *args)
{
    cli_default_integer(args, "count", 4);
    cli_default_choice(args, "colour", 2);
}

static const cli_command command = {.name = "try",
                                    .arguments = arguments,
                                    .n_arguments = CLI_COUNT(arguments),
                                    .options = options,
                                    .n_options = CLI_COUNT(options),
                                    .defaults = defaults};

/* Splits a line at blanks that are not in quotes, up to a '>'; the words live in `line`. */
static int split(char *line, char **words)
{
    int n = 0;
    char *out = line, *start = line;
    bool quoted = false, more = true;
    for (const char *c = line; more; c++) {
        char here = *c; /* before it is overwritten */
        more = here != '\0';
        if (here == '\'') {
            quoted = !quoted;
        } else if (more && (here != ' ' || quoted)) {
            *out++ = here;
        } else if (out > start) {
            *out++ = '\0';
            if (strcmp(start, ">") == 0)
                return n;
            assert_true(n < WORDS_MAX);
            words[n++] = start;
            start = out;
        }
    }
    return n;
}

static char text_of_line[512];
static char *argv_of_line[WORDS_MAX];

static rg_status parse(cli_arguments *out, const char *line, rg_error *err)
{
    snprintf(text_of_line, sizeof text_of_line, "%s", line);
    return cli_parse(out, &command, split(text_of_line, argv_of_line), argv_of_line, err);
}

static void values_come_in_every_spelling(void **state)
{
    (void)state;
    static const char *const lines[] = {
        "--word=w --count=-3 --colour=green -q --part=0.25 --seed=18446744073709551615 a red",
        "a --word w --count -3 --colour GREEN -q red --part 2.5e-1 --seed 18446744073709551615",
        "-ww -c-3 -q a --colour=Green --part .25 red --seed 18446744073709551615",
        "-w w -c -3 --colour green --part=0.25 --seed=18446744073709551615 -q -- a red",
        "-qww a red -c -3 --colour green --part=0.25 --seed=18446744073709551615",
    };
    for (size_t k = 0; k < CLI_COUNT(lines); k++) {
        cli_arguments args;
        ASSERT_OK(parse(&args, lines[k], err));
        assert_int_equal(args.n_words, 2);
        assert_string_equal(args.words[0], "a");
        assert_string_equal(args.words[1], "red");
        assert_true(cli_flag(&args, "quiet"));
        assert_false(cli_flag(&args, "long"));
        assert_string_equal(cli_text(&args, "word"), "w");
        assert_int_equal(cli_get(&args, "count")->integer, -3);
        assert_int_equal(cli_get(&args, "colour")->choice, 1);
        assert_true(cli_get(&args, "part")->real == 0.25);
        assert_true(cli_get(&args, "seed")->seed == UINT64_MAX);
        assert_false(args.help);
    }
}

static void some_options_may_be_repeated(void **state)
{
    (void)state;
    cli_arguments args;
    ASSERT_OK(parse(&args, "a --each x --each=y -w w --each z", err));
    const cli_value *each = cli_get(&args, "each");
    assert_int_equal(each->n_texts, 3);
    assert_string_equal(each->texts[0], "x");
    assert_string_equal(each->texts[1], "y");
    assert_string_equal(each->texts[2], "z");
    assert_string_equal(each->text, "z");
    char *words[CLI_REPEATS_MAX + 2] = {"a"};
    for (int k = 1; k <= CLI_REPEATS_MAX + 1; k++)
        words[k] = "--each=x";
    rg_error err = {""};
    assert_int_equal(cli_parse(&args, &command, CLI_REPEATS_MAX + 1, words, &err), RG_OK);
    assert_int_equal(cli_parse(&args, &command, CLI_REPEATS_MAX + 2, words, &err), RG_EUSAGE);
    assert_string_equal(err.message, "option '--each' is given more than 16 times");
}

static void sizes_have_letters_or_none(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        uint64_t size;
        const char *shown; /* as the help would */
    } cases[] = {
        {"a --room 0", 0, "any"},
        {"a --room 1", 1, "1"},
        {"a --room 1000", 1000, "1000"},
        {"a --room=3K", 3072, "3K"},
        {"a --room 500M", 500ULL << 20, "500M"},
        {"a --room 500m", 500ULL << 20, "500M"},
        {"a --room 1.5G", 3ULL << 29, "1536M"},
        {"a --room 2T", 2ULL << 40, "2T"},
        {"a --room 4096T", 1ULL << 52, "4096T"},
        {"a --room 1.0001", 1, "1"},
    };
    for (size_t k = 0; k < CLI_COUNT(cases); k++) {
        cli_arguments args;
        char shown[CLI_DEFAULT_TEXT];
        ASSERT_OK(parse(&args, cases[k].line, err));
        cli_value value = *cli_get(&args, "room");
        assert_true(value.size == cases[k].size);
        cli_arguments_init(&args, &command);
        cli_default_size(&args, "room", value.size);
        for (size_t j = 0; j < command.n_options; j++)
            if (strcmp(options[j].name, "room") == 0)
                assert_true(cli_default_text(&options[j], &args.values[j], shown));
        assert_string_equal(shown, cases[k].shown);
    }
}

static void what_is_not_given_has_its_default(void **state)
{
    (void)state;
    cli_arguments args;
    ASSERT_OK(parse(&args, "a", err));
    assert_int_equal(cli_get(&args, "count")->integer, 4);
    assert_true(cli_get(&args, "count")->set);
    assert_false(cli_get(&args, "count")->given);
    assert_int_equal(cli_get(&args, "colour")->choice, 2);
    assert_false(cli_get(&args, "part")->set);
    assert_null(cli_text(&args, "word"));
}

static void after_two_dashes_everything_is_a_word(void **state)
{
    (void)state;
    cli_arguments args;
    ASSERT_OK(parse(&args, "-- --quiet red", err));
    assert_string_equal(args.words[0], "--quiet");
    assert_false(cli_flag(&args, "quiet"));
    ASSERT_OK(parse(&args, "- red", err)); /* one dash is a word */
    assert_string_equal(args.words[0], "-");
}

static void help_wins_over_what_is_missing(void **state)
{
    (void)state;
    static const char *const lines[] = {"--help", "-h", "-qh", "a b c --help", "--help --unknown"};
    for (size_t k = 0; k < CLI_COUNT(lines); k++) {
        cli_arguments args;
        ASSERT_OK(parse(&args, lines[k], err));
        assert_true(args.help);
    }
}

static void wrong_lines_are_named_in_one_message(void **state)
{
    (void)state;
    static const struct {
        const char *line, *message;
    } cases[] = {
        {"", "argument FIRST of 'regula try' is missing"},
        {"a red c", "unexpected argument 'c'; 'regula try' takes 2"},
        {"a rad", "unknown COLOUR 'rad'; did you mean 'red'?"},
        {"a mauve", "unknown COLOUR 'mauve'; known: red, green, blue"},
        {"a --quite", "unknown option '--quite'; did you mean '--quiet'?"},
        {"a --helo", "did you mean '--help'?"},
        {"a --xyzzy", "unknown option '--xyzzy'; 'regula try --help' lists the options"},
        {"a --inwar", "unknown option '--inwar'; 'regula try --help'"},
        {"a --=3", "unknown option '--'"},
        {"a -x", "unknown option '-x'"},
        {"a -qx", "unknown option '-qx'"},
        {"a -5", "unknown option '-5'"},
        {"a --quiet=1", "option '--quiet' takes no value"},
        {"a --quiet --quiet", "option '--quiet' is given twice"},
        {"a -qq", "option '--quiet' is given twice"},
        {"a --count 1 -c 2", "option '--count' is given twice"},
        {"a --word", "option '--word' needs a value: --word WORD"},
        {"a -w", "option '--word' needs a value: --word WORD"},
        {"a --word --quiet", "found '--quiet' (write --word=--quiet if it is one)"},
        {"a --word=", "option '--word' needs a value that is not empty"},
        {"a --count=", "found '', expected a whole number -10 .. 10"},
        {"a --count 11", "found '11', expected a whole number -10 .. 10"},
        {"a --count -11", "found '-11', expected a whole number -10 .. 10"},
        {"a --count 1.5", "found '1.5', expected a whole number -10 .. 10"},
        {"a --count 1x", "found '1x', expected a whole number -10 .. 10"},
        {"a --count 99999999999999999999", "expected a whole number -10 .. 10"},
        {"a --part 1", "found '1', expected a number at least 0 and below 1"},
        {"a --part -0.1", "found '-0.1', expected a number at least 0 and below 1"},
        {"a --part nan", "found 'nan', expected a number"},
        {"a --part inf", "found 'inf', expected a number"},
        {"a --part 0.1.2", "found '0.1.2', expected a number"},
        {"a --seed -1", "found '-1', expected a whole number 0 .. 18446744073709551615"},
        {"a --seed 18446744073709551616", "found '18446744073709551616', expected a whole number"},
        {"a --seed 1e3", "found '1e3', expected a whole number"},
        {"a --room=", "found '', expected a size such as 500M or 2G"},
        {"a --room M", "found 'M', expected a size such as 500M or 2G"},
        {"a --room 5X", "found '5X', expected a size"},
        {"a --room 5MB", "found '5MB', expected a size"},
        {"a --room -5M", "found '-5M', expected a size"},
        {"a --room nan", "found 'nan', expected a size"},
        {"a --room 8388608T", "found '8388608T', expected a size"},
        {"a --colour bleu", "unknown value for option '--colour': 'bleu'; did you mean 'blue'?"},
        {"a --colour mauve", "unknown value for option '--colour': 'mauve'; known: red, green"},
    };
    for (size_t k = 0; k < CLI_COUNT(cases); k++) {
        rg_error err = {""};
        cli_arguments args = {.n_words = 77};
        rg_status status = parse(&args, cases[k].line, &err);
        if (status != RG_EUSAGE || !strstr(err.message, cases[k].message))
            fail_msg("'%s': status %d, '%s'; expected '%s'", cases[k].line, status, err.message,
                     cases[k].message);
        assert_int_equal(args.n_words, 77); /* untouched */
    }
}

static void an_option_that_is_required_must_be_there(void **state)
{
    (void)state;
    static const cli_option needed[] = {
        {.name = "out", .kind = CLI_PATH, .metavar = "DIR", .required = true, .help = ""}};
    cli_command strict = {.name = "strict", .options = needed, .n_options = 1};
    cli_arguments args;
    rg_error err = {""};
    assert_int_equal(cli_parse(&args, &strict, 0, NULL, &err), RG_EUSAGE);
    assert_string_equal(err.message, "option '--out DIR' of 'regula strict' is missing");
}

static void empty_arguments_are_refused(void **state)
{
    (void)state;
    char empty[] = "";
    char *argv[] = {empty};
    cli_arguments args;
    rg_error err = {""};
    assert_int_equal(cli_parse(&args, &command, 1, argv, &err), RG_EUSAGE);
    assert_string_equal(err.message, "argument FIRST is empty");
}

static void parsing_allocates_nothing(void **state)
{
    (void)state;
    cli_arguments args;
    rg_error err = {""};
    rg_fault_set(RG_FAULT_ALLOC, 0);
    assert_int_equal(parse(&args, "a red --word w --count 2 --seed 5", &err), RG_OK);
    assert_int_equal(parse(&args, "a --quite", &err), RG_EUSAGE);
    assert_int_equal(rg_fault_calls(RG_FAULT_ALLOC), 0);
}

/* ---- the real tables */
static void options_of_every_command_are_in_order(void **state)
{
    (void)state;
    for (size_t c = 0; c < cli_n_commands(); c++) {
        const cli_command *real = cli_command_at(c);
        assert_true(real->n_options <= CLI_OPTIONS_MAX);
        assert_true(strlen(real->summary) > 0 && strlen(real->summary) <= 70);
        for (size_t k = 0; k < real->n_options; k++) {
            const cli_option *o = &real->options[k];
            assert_true(o->help && o->help[strlen(o->help) - 1] == '.');
            assert_true((o->kind == CLI_FLAG) == (o->metavar == NULL));
            assert_true((o->kind == CLI_CHOICE) == (o->choices != NULL));
            assert_true(o->kind != CLI_INTEGER || o->min < o->max);
            assert_true(strcmp(o->name, "help") != 0 && o->letter != 'h');
            for (size_t j = 0; j < k; j++) {
                assert_string_not_equal(o->name, real->options[j].name);
                assert_true(!o->letter || o->letter != real->options[j].letter);
            }
        }
        for (size_t k = 0; k + 1 < real->n_arguments; k++)
            assert_false(real->arguments[k].repeated);
    }
}

/* -s is the seed everywhere, and so on: no letter has two meanings, today's or of old. */
static void a_letter_means_the_same_everywhere(void **state)
{
    static const struct {
        char letter;
        const char *name;
    } fixed[] = {{'s', "seed"}, {'n', "network"}, {'m', "model"},   {'o', "out"},
                 {'d', "data"}, {'j', "jobs"},    {'t', "threads"}, {'q', "quiet"}};
    const char *meaning[128] = {NULL};
    (void)state;
    for (size_t k = 0; k < CLI_COUNT(fixed); k++)
        meaning[(int)fixed[k].letter] = fixed[k].name;
    for (size_t k = 0; k < cli_n_commands(); k++) {
        const cli_command *c = cli_command_at(k);
        for (size_t j = 0; j < c->n_options; j++) {
            const cli_option *o = &c->options[j];
            if (!o->letter)
                continue;
            if (!meaning[(int)o->letter])
                meaning[(int)o->letter] = o->name;
            if (strcmp(meaning[(int)o->letter], o->name) != 0)
                fail_msg("%s: -%c is '--%s', elsewhere '--%s'", c->name, o->letter, o->name,
                         meaning[(int)o->letter]);
        }
    }
}

static void defaults_that_are_shown_can_be_given(void **state)
{
    (void)state;
    size_t shown = 0;
    for (size_t c = 0; c < cli_n_commands(); c++) {
        const cli_command *real = cli_command_at(c);
        cli_arguments args;
        cli_arguments_init(&args, real);
        for (size_t k = 0; k < real->n_options; k++) {
            const cli_option *o = &real->options[k];
            char text[CLI_DEFAULT_TEXT], line[160], *argv[] = {line};
            if (!args.values[k].set || !cli_default_text(o, &args.values[k], text))
                continue;
            cli_arguments given;
            rg_error err = {""};
            if (o->otherwise && strcmp(text, o->otherwise) == 0)
                continue; /* words that stand for a value of the command's own */
            snprintf(line, sizeof line, "--%s=%s", o->name, text);
            /* Words are missing, so that only the option itself can be at fault here. */
            (void)!cli_parse(&given, real, 1, argv, &err);
            if (strstr(err.message, o->name) && !strstr(err.message, "is missing"))
                fail_msg("%s: %s", real->name, err.message);
            shown++;
        }
    }
    assert_true(shown >= 5);
}

static void every_example_in_the_help_parses(void **state)
{
    (void)state;
    for (size_t c = 0; c < cli_n_commands(); c++) {
        const cli_command *real = cli_command_at(c);
        assert_true(real->run == NULL || real->n_examples > 0);
        for (size_t k = 0; k < real->n_examples; k++) {
            char line[256], *words[WORDS_MAX];
            cli_arguments args;
            size_t used = 0;
            snprintf(line, sizeof line, "%s", real->examples[k].line);
            int n = split(line, words);
            assert_string_equal(words[0], "regula");
            rg_error none = {""};
            assert_ptr_equal(cli_command_find(words + 1, (size_t)n - 1, &used, &none), real);
            ASSERT_OK(cli_parse(&args, real, n - 1 - (int)used, words + 1 + used, err));
        }
    }
}

static void commands_are_found_by_their_words(void **state)
{
    (void)state;
    static const struct {
        const char *line, *name; /* name NULL: none, and the message says so */
        size_t used;
        const char *message;
    } cases[] = {
        {"data info x", "data info", 2, ""},
        {"data", "data", 1, ""},
        {"data --help", "data", 1, ""},
        {"help data info", "help", 1, ""},
        {"data inf", NULL, 0, "unknown command 'data inf'; did you mean 'data info'?"},
        {"dta info", NULL, 0, "unknown command 'dta'; did you mean 'data'?"},
        {"info", NULL, 0, "unknown command 'info'; did you mean 'data info'?"},
        {"xyzzy", NULL, 0, "unknown command 'xyzzy'; 'regula --help' lists the commands"},
        {"data xyzzy", NULL, 0, "unknown command 'data xyzzy'"},
        {"datainfo", NULL, 0, "unknown command 'datainfo'; did you mean 'data info'?"},
    };
    for (size_t k = 0; k < CLI_COUNT(cases); k++) {
        char line[64], *words[WORDS_MAX];
        size_t used = 0;
        rg_error err = {""};
        snprintf(line, sizeof line, "%s", cases[k].line);
        int n = split(line, words);
        const cli_command *found = cli_command_find(words, (size_t)n, &used, &err);
        if (!strstr(err.message, cases[k].message) || (cases[k].name == NULL) != (found == NULL))
            fail_msg("'%s': '%s'", cases[k].line, err.message);
        if (found) {
            assert_string_equal(found->name, cases[k].name);
            assert_int_equal(used, cases[k].used);
        }
    }
}

static void durations_and_sizes_read_well(void **state)
{
    (void)state;
    static const struct {
        double seconds;
        const char *text;
    } durations[] = {{0, "0 s"},          {9.4, "9 s"},      {59.6, "1:00"},       {309, "5:09"},
                     {3599.7, "1:00:00"}, {3909, "1:05:09"}, {360000, "100:00:00"}};
    static const struct {
        uint64_t bytes;
        const char *text;
    } sizes[] = {
        {0, "0 bytes"},     {999, "999 bytes"},  {1000, "1.0 kB"},          {999949, "999.9 kB"},
        {999951, "1.0 MB"}, {1400000, "1.4 MB"}, {364000000000, "364.0 GB"}};
    char text[32];
    for (size_t k = 0; k < CLI_COUNT(durations); k++) {
        cli_duration_text(durations[k].seconds, text);
        assert_string_equal(text, durations[k].text);
    }
    for (size_t k = 0; k < CLI_COUNT(sizes); k++) {
        cli_bytes_text(sizes[k].bytes, text);
        assert_string_equal(text, sizes[k].text);
    }
    assert_true(fabs(cli_time_left(30, 0.25) - 90) < 1e-9);
    assert_true(cli_time_left(30, 1) == 0);
    assert_true(cli_time_left(30, 0) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_come_in_every_spelling),
        cmocka_unit_test(some_options_may_be_repeated),
        cmocka_unit_test(sizes_have_letters_or_none),
        cmocka_unit_test(what_is_not_given_has_its_default),
        cmocka_unit_test(after_two_dashes_everything_is_a_word),
        cmocka_unit_test(help_wins_over_what_is_missing),
        cmocka_unit_test(wrong_lines_are_named_in_one_message),
        cmocka_unit_test(an_option_that_is_required_must_be_there),
        cmocka_unit_test(empty_arguments_are_refused),
        cmocka_unit_test(parsing_allocates_nothing),
        cmocka_unit_test(options_of_every_command_are_in_order),
        cmocka_unit_test(a_letter_means_the_same_everywhere),
        cmocka_unit_test(defaults_that_are_shown_can_be_given),
        cmocka_unit_test(every_example_in_the_help_parses),
        cmocka_unit_test(commands_are_found_by_their_words),
        cmocka_unit_test(durations_and_sizes_read_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
