/* command.h - one table per command: parsing, help, man page and completion all come from it. */
#ifndef REGULA_CLI_COMMAND_COMMAND_H
#define REGULA_CLI_COMMAND_COMMAND_H

#include "text/text.h"

#include <stdbool.h>

#define CLI_OPTIONS_MAX 48 /* of one command */
#define CLI_REPEATS_MAX 16 /* of one option that may be repeated */

typedef enum cli_kind {
    CLI_FLAG,
    CLI_WORD,    /* any text */
    CLI_PATH,    /* of a file or directory */
    CLI_INTEGER, /* whole, min .. max */
    CLI_REAL,    /* min < value < max */
    CLI_SEED,    /* whole, 0 .. 2^64-1 */
    CLI_SIZE,    /* bytes: 1000000, 500M, 1.5G; K, M, G and T are powers of 1024 */
    CLI_CHOICE   /* one word of a list */
} cli_kind;

/* Word k of a list, NULL past its end. */
typedef const char *(*cli_words)(size_t k);

typedef struct cli_option {
    const char *name; /* without the dashes */
    char letter;      /* 0: none */
    cli_kind kind;
    const char *metavar;
    const char *help;
    double min, max;   /* CLI_INTEGER (both below 2^53), CLI_REAL */
    cli_words choices; /* CLI_CHOICE */
    /* What the help shows as the default where none is set, or where 0 stands for it. */
    const char *otherwise;
    bool required;
    bool hidden;   /* known, but in no help */
    bool repeated; /* CLI_WORD: may be given several times */
    /* CLI_WORD: the value may be missing at the end and before another option; and where DATA is
     * missing, the value is DATA. */
    bool bare;
    /* As it was called before: still understood, with a message. A value that is none of the choices
     * and one of those of the option `moved` is that option's, likewise. */
    const char *old_name;
    char old_letter;
    const char *moved;
} cli_option;

typedef struct cli_argument {
    const char *metavar;
    const char *help;
    cli_words choices; /* words it may be; NULL: any */
    bool open;         /* other words are fine too: choices are what completion offers */
    bool path;         /* completion offers files as well */
    bool optional;
    bool repeated; /* the last one only */
} cli_argument;

typedef struct cli_example {
    const char *line; /* as typed, from "regula" on */
    const char *help;
} cli_example;

typedef struct cli_arguments cli_arguments;

typedef struct cli_command {
    const char *name; /* "data info" */
    const char *summary;
    const char *const *description; /* paragraphs, NULL at the end */
    /* Behind them, what tables of the library know: a heading and line k; false past the last. */
    const char *list_heading; /* NULL: there is none */
    bool (*list)(rg_text *out, size_t k);
    const cli_argument *arguments;
    size_t n_arguments;
    const cli_option *options;
    size_t n_options;
    const cli_example *examples;
    size_t n_examples;
    /* Sets the defaults (cli_default_*), from the library's own; may be NULL. */
    void (*defaults)(cli_arguments *args);
    /* NULL: a group, which only lists its commands. */
    rg_status (*run)(const cli_arguments *args, rg_error *err);
} cli_command;

typedef struct cli_value {
    bool set;   /* by the defaults or on the command line */
    bool given; /* on the command line */
    int64_t integer;
    uint64_t seed;
    uint64_t size; /* bytes */
    double real;
    size_t choice;                      /* number of the word */
    const char *text;                   /* of an option that is repeated, the last */
    const char *texts[CLI_REPEATS_MAX]; /* and all of them, n_texts */
    size_t n_texts;
} cli_value;

/* What was asked for. Text is borrowed from argv. */
struct cli_arguments {
    const cli_command *command;
    char **words; /* the positional arguments */
    size_t n_words;
    cli_value values[CLI_OPTIONS_MAX]; /* by the order of the options */
    bool help;                         /* --help was among them; the rest is not checked then */
    char *spare; /* a value that may be DATA: of option `spare_option`; NULL: there is none */
    size_t spare_option;
};

/* Options of every command, beside its own. */
extern const cli_option cli_help_option;

/* The command's defaults, nothing given. */
void cli_arguments_init(cli_arguments *out, const cli_command *command);

/* Parses what follows the command's name. argv is reordered: the positional arguments move to its
 * front and are borrowed. RG_EUSAGE, with one line that names what is wrong. */
RG_MUST_CHECK rg_status cli_parse(cli_arguments *out, const cli_command *command, int argc,
                                  char **argv, rg_error *err);

/* The value of an option of the command; it must be in the table. */
const cli_value *cli_get(const cli_arguments *args, const char *name);
bool cli_flag(const cli_arguments *args, const char *name);
const char *cli_text(const cli_arguments *args, const char *name); /* NULL: not set */

void cli_default_integer(cli_arguments *args, const char *name, int64_t value);
void cli_default_real(cli_arguments *args, const char *name, double value);
void cli_default_seed(cli_arguments *args, const char *name, uint64_t value);
void cli_default_size(cli_arguments *args, const char *name, uint64_t bytes);
void cli_default_choice(cli_arguments *args, const char *name, size_t choice);

/* The default of an option as text, as the help shows it; false: none to show. */
#define CLI_DEFAULT_TEXT 96
bool cli_default_text(const cli_option *option, const cli_value *value, char out[CLI_DEFAULT_TEXT]);

/* Number of the word in the list, in any case; SIZE_MAX: none. */
size_t cli_choice_find(cli_words choices, const char *word);

#define CLI_COUNT(array) (sizeof(array) / sizeof *(array))

#endif
