/* command.c - see command.h.  Nothing here allocates: values point into argv. */
#include "command.h"

#include "base/error.h"
#include "base/number.h"
#include "cli/output/output.h"
#include "text/suggest.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define WORDS_MAX 128 /* that a suggestion or a list in a message is made from */

const cli_option cli_help_option = {
    .name = "help", .letter = 'h', .kind = CLI_FLAG, .help = "Show this help."};

static size_t option_index(const cli_command *command, const char *name)
{
    size_t k = 0;
    while (k < command->n_options && strcmp(command->options[k].name, name) != 0)
        k++;
    assert(k < command->n_options); /* our own table */
    return k;
}

const cli_value *cli_get(const cli_arguments *args, const char *name)
{
    return &args->values[option_index(args->command, name)];
}

bool cli_flag(const cli_arguments *args, const char *name)
{
    return cli_get(args, name)->set;
}

const char *cli_text(const cli_arguments *args, const char *name)
{
    return cli_get(args, name)->text;
}

static cli_value *default_value(cli_arguments *args, const char *name)
{
    cli_value *value = &args->values[option_index(args->command, name)];
    value->set = true;
    return value;
}

void cli_default_integer(cli_arguments *args, const char *name, int64_t integer)
{
    default_value(args, name)->integer = integer;
}

void cli_default_real(cli_arguments *args, const char *name, double real)
{
    default_value(args, name)->real = real;
}

void cli_default_seed(cli_arguments *args, const char *name, uint64_t seed)
{
    default_value(args, name)->seed = seed;
}

void cli_default_size(cli_arguments *args, const char *name, uint64_t bytes)
{
    default_value(args, name)->size = bytes;
}

void cli_default_choice(cli_arguments *args, const char *name, size_t choice)
{
    default_value(args, name)->choice = choice;
}

void cli_arguments_init(cli_arguments *out, const cli_command *command)
{
    assert(command->n_options <= CLI_OPTIONS_MAX);
    *out = (cli_arguments){.command = command};
    if (command->defaults)
        command->defaults(out);
}

static const char size_letters[] = "KMGT"; /* 2^10, 2^20, 2^30, 2^40 */

/* With the largest letter that leaves a whole number. */
static void print_size(char out[CLI_DEFAULT_TEXT], uint64_t bytes)
{
    size_t k = 0;
    for (; bytes && bytes % 1024 == 0 && size_letters[k]; k++)
        bytes /= 1024;
    /* A text of its own: "%.1s" of the letters crashes gcc 12 without -O. */
    char letter[2] = {k ? size_letters[k - 1] : '\0', '\0'};
    snprintf(out, CLI_DEFAULT_TEXT, "%llu%s", (unsigned long long)bytes, letter);
}

bool cli_default_text(const cli_option *option, const cli_value *value, char out[CLI_DEFAULT_TEXT])
{
    const char *text = value->set ? value->text : NULL;
    bool zero = true;
    out[0] = '\0';
    if (value->set && option->kind == CLI_INTEGER) {
        snprintf(out, CLI_DEFAULT_TEXT, "%lld", (long long)value->integer);
        zero = value->integer == 0;
    } else if (value->set && option->kind == CLI_SEED) {
        snprintf(out, CLI_DEFAULT_TEXT, "%llu", (unsigned long long)value->seed);
        zero = value->seed == 0;
    } else if (value->set && option->kind == CLI_SIZE) {
        print_size(out, value->size);
        zero = value->size == 0;
    } else if (value->set && option->kind == CLI_REAL) {
        rg_number_print(out, value->real);
        zero = value->real == 0;
    } else if (value->set && option->kind == CLI_CHOICE) {
        text = option->choices(value->choice);
        zero = false;
    }
    if (zero && !text && option->otherwise)
        text = option->otherwise;
    if (text)
        snprintf(out, CLI_DEFAULT_TEXT, "%s", text);
    return out[0] != '\0' && option->kind != CLI_FLAG;
}

size_t cli_choice_find(cli_words choices, const char *word)
{
    for (size_t k = 0; choices(k); k++)
        if (strcasecmp(choices(k), word) == 0)
            return k;
    return SIZE_MAX;
}

/* RG_EUSAGE: "WHAT 'WORD'; did you mean 'auto'?", or with all words if none is near. */
static rg_status fail_choice(const char *what, const char *word, cli_words choices, rg_error *err)
{
    const char *known[WORDS_MAX];
    char list[512] = "";
    size_t n = 0, used = 0;
    for (; n < WORDS_MAX && choices(n); n++) {
        known[n] = choices(n);
        int added = snprintf(list + used, sizeof list - used, "%s%s", n ? ", " : "", known[n]);
        used += used + (size_t)added < sizeof list ? (size_t)added : 0;
    }
    const char *near = rg_suggest(word, known, n);
    if (near)
        return rg_fail(err, RG_EUSAGE, "unknown %s '%s'; did you mean '%s'?", what, word, near);
    return rg_fail(err, RG_EUSAGE, "unknown %s '%s'; known: %s", what, word, list);
}

static rg_status fail_option(const cli_command *command, const char *word, rg_error *err)
{
    char dashed[CLI_OPTIONS_MAX + 1][40];
    const char *known[CLI_OPTIONS_MAX + 1];
    size_t n = 0;
    for (size_t k = 0; k <= command->n_options; k++) {
        const cli_option *option = k < command->n_options ? &command->options[k] : &cli_help_option;
        if (option->hidden)
            continue;
        snprintf(dashed[n], sizeof dashed[n], "--%s", option->name);
        known[n] = dashed[n];
        n++;
    }
    const char *near = rg_suggest(word, known, n);
    if (near)
        return rg_fail(err, RG_EUSAGE, "unknown option '%s'; did you mean '%s'?", word, near);
    return rg_fail(err, RG_EUSAGE, "unknown option '%s'; 'regula %s --help' lists the options",
                   word, command->name);
}

static rg_status parse_integer(cli_value *value, const cli_option *option, const char *text,
                               rg_error *err)
{
    const char *end = text + strlen(text);
    int64_t integer;
    if (!*text || rg_number_int(text, end, &integer) != end || (double)integer < option->min ||
        (double)integer > option->max)
        return rg_fail(err, RG_EUSAGE,
                       "option '--%s': found '%s', expected a whole number %.0f .. %.0f",
                       option->name, text, option->min, option->max);
    value->integer = integer;
    return RG_OK;
}

static rg_status parse_seed(cli_value *value, const cli_option *option, const char *text,
                            rg_error *err)
{
    uint64_t seed = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9'; c++) {
        unsigned digit = (unsigned)(*c - '0');
        if (seed > (UINT64_MAX - digit) / 10)
            break;
        seed = seed * 10 + digit;
    }
    if (c == text || *c)
        return rg_fail(err, RG_EUSAGE,
                       "option '--%s': found '%s', expected a whole number 0 .. %llu", option->name,
                       text, (unsigned long long)UINT64_MAX);
    value->seed = seed;
    return RG_OK;
}

static rg_status parse_real(cli_value *value, const cli_option *option, const char *text,
                            rg_error *err)
{
    const char *end = text + strlen(text);
    double real;
    /* Written so that NaN fails. */
    if (!*text || rg_number_real(text, end, &real) != end ||
        !(real >= option->min && real < option->max))
        return rg_fail(err, RG_EUSAGE,
                       "option '--%s': found '%s', expected a number at least %g and below %g",
                       option->name, text, option->min, option->max);
    value->real = real;
    return RG_OK;
}

static rg_status parse_size(cli_value *value, const cli_option *option, const char *text,
                            rg_error *err)
{
    const char *end = text + strlen(text), *letter = NULL;
    double size = -1, unit = 1;
    if (*text)
        letter = strchr(size_letters, toupper((unsigned char)end[-1]));
    for (const char *k = size_letters; letter && k <= letter; k++)
        unit *= 1024;
    const char *number = letter ? end - 1 : end;
    /* Written so that NaN fails; below 2^63, so that any sum of two sizes has a meaning. */
    if (number == text || rg_number_real(text, number, &size) != number ||
        !(size >= 0 && size * unit < 9223372036854775808.0))
        return rg_fail(err, RG_EUSAGE,
                       "option '--%s': found '%s', expected a size such as 500M or 2G",
                       option->name, text);
    value->size = (uint64_t)(size * unit);
    return RG_OK;
}

static rg_status parse_value(cli_value *value, const cli_option *option, const char *text,
                             rg_error *err)
{
    char what[64];
    if (value->given && !option->repeated)
        return rg_fail(err, RG_EUSAGE, "option '--%s' is given twice", option->name);
    if (option->repeated && value->n_texts == CLI_REPEATS_MAX)
        return rg_fail(err, RG_EUSAGE, "option '--%s' is given more than %d times", option->name,
                       CLI_REPEATS_MAX);
    value->set = value->given = true;
    value->text = text;
    if (option->repeated)
        value->texts[value->n_texts++] = text;
    switch (option->kind) {
    case CLI_INTEGER:
        return parse_integer(value, option, text, err);
    case CLI_SEED:
        return parse_seed(value, option, text, err);
    case CLI_SIZE:
        return parse_size(value, option, text, err);
    case CLI_REAL:
        return parse_real(value, option, text, err);
    case CLI_CHOICE:
        value->choice = cli_choice_find(option->choices, text);
        if (value->choice != SIZE_MAX)
            return RG_OK;
        snprintf(what, sizeof what, "value for option '--%s':", option->name);
        return fail_choice(what, text, option->choices, err);
    case CLI_WORD:
    case CLI_PATH:
        if (!*text)
            return rg_fail(err, RG_EUSAGE, "option '--%s' needs a value that is not empty",
                           option->name);
        return RG_OK;
    case CLI_FLAG:
        break;
    }
    return RG_OK;
}

/* The option is called otherwise now: one line says how. old: as it was typed. */
static void say_old(const char *old, const cli_option *option)
{
    if (option->letter)
        cli_message("'%s' is called '-%c' or '--%s' now", old, option->letter, option->name);
    else
        cli_message("'%s' is called '--%s' now", old, option->name);
}

/* Option k of the command, or the one that its value has moved to. */
static size_t find_moved(const cli_command *command, size_t k, const char *text)
{
    const cli_option *option = &command->options[k];
    if (!option->moved || !text || cli_choice_find(option->choices, text) != SIZE_MAX)
        return k;
    size_t to = option_index(command, option->moved);
    if (cli_choice_find(command->options[to].choices, text) == SIZE_MAX)
        return k;
    char old[80];
    snprintf(old, sizeof old, "--%s %.60s", option->name, text);
    say_old(old, &command->options[to]);
    return to;
}

/* The argument after the current one as a value. What looks like another option is not taken: it is
 * far more often a forgotten value than one that begins with two dashes. */
static rg_status next_value(const char **out, const cli_option *option, int argc, char **argv,
                            int *at, rg_error *err)
{
    if (*at + 1 >= argc)
        return rg_fail(err, RG_EUSAGE, "option '--%s' needs a value: --%s %s", option->name,
                       option->name, option->metavar);
    const char *next = argv[*at + 1];
    if (strncmp(next, "--", 2) == 0)
        return rg_fail(err, RG_EUSAGE,
                       "option '--%s' needs a value, found '%s' (write --%s=%s if it is one)",
                       option->name, next, option->name, next);
    *out = argv[++*at];
    return RG_OK;
}

static rg_status take_bare(cli_value *value, const cli_option *option, rg_error *err)
{
    if (value->given)
        return rg_fail(err, RG_EUSAGE, "option '--%s' is given twice", option->name);
    value->set = value->given = true;
    return RG_OK;
}

/* The value of a bare option is DATA if that is missing. */
static void use_spare(cli_arguments *args)
{
    const cli_command *command = args->command;
    size_t n = args->n_words;
    if (!args->spare || n >= command->n_arguments ||
        strcmp(command->arguments[n].metavar, "DATA") != 0)
        return;
    args->words[args->n_words++] = args->spare;
    args->values[args->spare_option].text = NULL;
}

static rg_status parse_long(cli_arguments *out, int argc, char **argv, int *at, rg_error *err)
{
    const cli_command *command = out->command;
    const char *word = argv[*at] + 2, *equals = strchr(word, '=');
    size_t n = equals ? (size_t)(equals - word) : strlen(word);
    if (n == 4 && memcmp(word, "help", 4) == 0 && !equals) {
        out->help = true;
        return RG_OK;
    }
    for (size_t k = 0; k < command->n_options; k++) {
        const cli_option *option = &command->options[k];
        bool old = option->old_name && strlen(option->old_name) == n &&
                   memcmp(option->old_name, word, n) == 0;
        if (!old && (strlen(option->name) != n || memcmp(option->name, word, n) != 0))
            continue;
        if (old) {
            char typed[40];
            snprintf(typed, sizeof typed, "--%s", option->old_name);
            say_old(typed, option);
        }
        const char *text = equals ? equals + 1 : NULL;
        if (option->kind == CLI_FLAG && equals)
            return rg_fail(err, RG_EUSAGE, "option '--%s' takes no value", option->name);
        if (option->bare && !equals && (*at + 1 >= argc || argv[*at + 1][0] == '-'))
            return take_bare(&out->values[k], option, err);
        if (option->kind != CLI_FLAG && !equals) {
            rg_status status = next_value(&text, option, argc, argv, at, err);
            if (status)
                return status;
            out->spare = option->bare ? argv[*at] : out->spare;
            out->spare_option = option->bare ? k : out->spare_option;
        }
        k = find_moved(command, k, text);
        return parse_value(&out->values[k], &command->options[k], text, err);
    }
    char shown[64];
    snprintf(shown, sizeof shown, "--%.*s", (int)(n < 60 ? n : 60), word);
    return fail_option(command, shown, err);
}

/* -q, -ql, -o DIR, -oDIR */
static rg_status parse_letters(cli_arguments *out, int argc, char **argv, int *at, rg_error *err)
{
    const cli_command *command = out->command;
    for (const char *c = argv[*at] + 1; *c; c++) {
        if (*c == cli_help_option.letter) {
            out->help = true;
            continue;
        }
        size_t k = 0;
        while (k < command->n_options && command->options[k].letter != *c)
            k++;
        if (k == command->n_options) {
            for (k = 0; k < command->n_options && command->options[k].old_letter != *c;)
                k++;
            if (k == command->n_options)
                return fail_option(command, argv[*at], err);
            char typed[3] = {'-', *c, '\0'};
            say_old(typed, &command->options[k]);
        }
        const cli_option *option = &command->options[k];
        const char *text = c + 1;
        if (option->kind == CLI_FLAG) {
            text = NULL;
        } else if (!*text) {
            rg_status status = next_value(&text, option, argc, argv, at, err);
            if (status)
                return status;
        }
        rg_status status = parse_value(&out->values[k], option, text, err);
        if (status || option->kind != CLI_FLAG)
            return status;
    }
    return RG_OK;
}

static rg_status check_words(const cli_arguments *args, rg_error *err)
{
    const cli_command *command = args->command;
    size_t n = command->n_arguments;
    bool repeated = n && command->arguments[n - 1].repeated;
    if (args->n_words > n && !repeated)
        return rg_fail(err, RG_EUSAGE, "unexpected argument '%s'; 'regula %s' takes %s%zu",
                       args->words[n], command->name, n ? "" : "none: ", n);
    for (size_t k = 0; k < n; k++)
        if (args->n_words <= k && !command->arguments[k].optional)
            return rg_fail(err, RG_EUSAGE, "argument %s of 'regula %s' is missing",
                           command->arguments[k].metavar, command->name);
    for (size_t k = 0; k < args->n_words; k++) {
        const cli_argument *argument = &command->arguments[k < n ? k : n - 1];
        if (!*args->words[k])
            return rg_fail(err, RG_EUSAGE, "argument %s is empty", argument->metavar);
        if (argument->choices && !argument->open &&
            cli_choice_find(argument->choices, args->words[k]) == SIZE_MAX)
            return fail_choice(argument->metavar, args->words[k], argument->choices, err);
    }
    for (size_t k = 0; k < command->n_options; k++)
        if (command->options[k].required && !args->values[k].set)
            return rg_fail(err, RG_EUSAGE, "option '--%s %s' of 'regula %s' is missing",
                           command->options[k].name, command->options[k].metavar, command->name);
    return RG_OK;
}

rg_status cli_parse(cli_arguments *out, const cli_command *command, int argc, char **argv,
                    rg_error *err)
{
    cli_arguments args;
    bool only_words = false;
    cli_arguments_init(&args, command);
    args.words = argv;
    for (int at = 0; at < argc && !args.help; at++) {
        char *word = argv[at];
        rg_status status = RG_OK;
        if (only_words || word[0] != '-' || !word[1])
            args.words[args.n_words++] = word; /* never past `at` */
        else if (strcmp(word, "--") == 0)
            only_words = true;
        else if (word[1] == '-')
            status = parse_long(&args, argc, argv, &at, err);
        else
            status = parse_letters(&args, argc, argv, &at, err);
        if (status)
            return status;
    }
    if (!args.help) {
        use_spare(&args); /* no further than where its option stood */
        rg_status status = check_words(&args, err);
        if (status)
            return status;
    }
    *out = args;
    return RG_OK;
}
