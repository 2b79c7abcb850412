/* use.h - shared by the commands that use a model: model, data, options. */
#ifndef REGULA_CLI_MODEL_USE_H
#define REGULA_CLI_MODEL_USE_H

#include "cli/output/progress.h"
#include "draw/names.h"
#include "source.h"

#define CLI_MODEL_ARGUMENT                                                                \
    {                                                                                     \
        .metavar = "MODEL", .path = true, .help = "A model file written by regula train." \
    }
#define CLI_MEMORY_OPTION                                                              \
    {                                                                                  \
        .name = "memory", .kind = CLI_SIZE, .metavar = "SIZE", .otherwise = "any",     \
        .help = "Memory limit for connection tables, such as 500M or 2G. Tables that " \
                "do not fit are rebuilt when needed; the result is the same."          \
    }
#define CLI_TABLE_OPTION                                                                     \
    {                                                                                        \
        .name = "table", .kind = CLI_WORD, .metavar = "NAME=FILE", .repeated = true,         \
        .help = "Numbers of a table of the model, for the samples of DATA. Can be repeated." \
    }
#define CLI_FORCE_OPTION                                                                          \
    {                                                                                             \
        .name = "force", .kind = CLI_FLAG,                                                        \
        .help =                                                                                   \
            "Ask the model even if the labels of DATA have other names than it was trained with." \
    }
#define CLI_PART_OPTION                                                                   \
    {                                                                                     \
        .name = "part", .kind = CLI_CHOICE, .metavar = "PART", .choices = cli_part_words, \
        .help = "Set of the fold."                                                        \
    }

typedef enum cli_part { CLI_PART_TRAIN, CLI_PART_VALIDATION, CLI_PART_TEST } cli_part;
const char *cli_part_words(size_t k); /* train, validation, test */

/* What $REGULA_CPU asks for: a name of rg_cpu_name, or "baseline", an older name of "portable". Not
 * set and "" are "auto". RG_EUSAGE for anything else and for what this processor does not have. */
RG_MUST_CHECK rg_status cli_cpu(rg_cpu *out, rg_error *err);
/* Directory of counts to use again. *out: owned (rg_text_free), NULL if the environment does not
 * tell. RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_label_cache(char **out, rg_error *err);
double cli_peak_memory(void); /* bytes that the program has ever held at once */

/* A model and how to ask it; later the data. */
typedef struct cli_use {
    rg_model *model; /* owned */
    rg_model_info info;
    cli_source source;          /* owned */
    cli_split split;            /* owned */
    rg_predict_options options; /* samples: those of --part */
    char *cache;                /* owned */
    bool targets_optional;      /* of a table of molecules: not needed */
    /* of molecules that cannot be read; NULL: told on standard error */
    void (*left_out)(void *context, const rg_left_out *molecule);
    void *left_out_context;
    cli_progress progress; /* kept by the options: no copies of a cli_use */
} cli_use;

/* Loads the model that the first argument names. out: to be closed by cli_use_close also on
 * failure. RG_EUSAGE, RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_use_open(cli_use *out, const cli_arguments *args, rg_error *err);
/* Reads the data that the second argument names, and the tables of --table. RG_EDATA also if node
 * labels that the model uses have other names there; with --force that is only told. */
RG_MUST_CHECK rg_status cli_use_read(cli_use *use, const cli_arguments *args, rg_error *err);
/* For commands with --split, --fold and --part: the samples of the part, all without --split; where data
 * have masks of nodes, the nodes of the part. */
RG_MUST_CHECK rg_status cli_use_part(cli_use *use, const cli_arguments *args, rg_error *err);
void cli_use_close(cli_use *use);
/* Names of labels and classes that the model keeps, or else those that are known for the set it was
 * trained on. *out: owned (rg_names_free), also on failure. RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_use_names(rg_names **out, const cli_use *use, rg_error *err);

/* "2 nodes with a label unseen in training, 3 pairs without a weight"; false: there is nothing. */
#define CLI_UNSEEN_TEXT 300
bool cli_unseen_text(char out[CLI_UNSEEN_TEXT], uint64_t unknown_labels, uint64_t unseen_labels,
                     uint64_t unseen_pairs);
/* What the model had never seen, in one warning; nothing if there is nothing. */
void cli_warn_unseen(const rg_predict_report *report);

#endif
