/* source.h - DATA of the commands about models: graphs or arrays, and the parts of a split. */
#ifndef REGULA_CLI_MODEL_SOURCE_H
#define REGULA_CLI_MODEL_SOURCE_H

#include "cli/command/choices.h"
#include "regula/model.h"

typedef struct cli_source {
    rg_dataset *graphs; /* owned; exactly one of the two is there */
    rg_arrays *arrays;  /* owned */
    char *path;         /* owned */
} cli_source;

/* Finds and reads DATA; options: NULL for those of args. out: owned (cli_source_free), untouched on failure.
 */
RG_MUST_CHECK rg_status cli_source_read(cli_source *out, const char *data,
                                        const cli_arguments *args, const rg_read_options *options,
                                        rg_error *err);
void cli_source_free(cli_source *source);

/* All borrowed. */
rg_source cli_source_view(const cli_source *source);
rg_items cli_source_items(const cli_source *source);
void cli_source_digest(const cli_source *source, char out[RG_DIGEST_SIZE]);

#define CLI_SPLIT_OPTION(text)                                                              \
    {                                                                                       \
        .name = "split", .kind = CLI_PATH, .metavar = "FILE", .help = "Split file" text "." \
    }
#define CLI_FOLD_OPTION                                                            \
    {                                                                              \
        .name = "fold", .kind = CLI_INTEGER, .metavar = "K", .min = 0, .max = 1e6, \
        .help = "Fold of the split file, from 0."                                  \
    }

/* One fold, and what it is borrowed from. */
typedef struct cli_split {
    rg_splits *splits; /* owned; NULL: not from a file */
    uint32_t *all;     /* owned; NULL: from a file */
    const char *path;  /* of the file; NULL: none */
    size_t number;     /* of the fold */
    bool masks;        /* the parts are those of the masks of nodes: `nodes` has their sizes */
    size_t nodes[3];   /* of training, validation and test set */
    rg_fold fold;
} cli_split;

/* Are targets those of nodes, and have the data masks that say which are for what? */
bool cli_source_has_masks(const cli_source *source);
/* The fold of these masks. RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_split_masks(cli_split *out, const cli_source *source, rg_error *err);

/* The fold that --split and --fold name, checked against the data. Without --split the parts are
 * empty. out: owned (cli_split_free), untouched on failure. RG_EUSAGE (no such fold), RG_EDATA,
 * RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_split_read(cli_split *out, const cli_arguments *args,
                                       const cli_source *source, rg_error *err);
/* Part `validation` of the samples for validation and the rest for training, from the seed; with
 * the proportions of the classes where there are classes. For the test is what the files of arrays
 * set apart for it, if they do: else nothing. RG_EDATA, RG_EUSAGE, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_split_make(cli_split *out, const cli_source *source, double validation,
                                       uint64_t seed, rg_error *err);
void cli_split_free(cli_split *split);

#endif
