/* choices.h - lists of words that several commands take, and what they share. */
#ifndef REGULA_CLI_COMMAND_CHOICES_H
#define REGULA_CLI_COMMAND_CHOICES_H

#include "command.h"
#include "regula/arrays.h"
#include "regula/dataset.h"

const char *cli_format_words(size_t k);    /* what we read: auto, tu, ... */
const char *cli_writable_words(size_t k);  /* what we write: tu, ... */
const char *cli_catalogue_words(size_t k); /* names of the catalogue */
const char *cli_hydrogen_words(size_t k);  /* implicit, explicit */

/* Options that mean the same everywhere. */
#define CLI_JSON_OPTION                                                         \
    {                                                                           \
        .name = "json", .kind = CLI_FLAG, .help = "Print JSON instead of text." \
    }
#define CLI_QUIET_OPTION                                                              \
    {                                                                                 \
        .name = "quiet", .letter = 'q', .kind = CLI_FLAG, .help = "Show no progress." \
    }
#define CLI_THREADS_OPTION                                                               \
    {                                                                                    \
        .name = "threads", .letter = 't', .kind = CLI_INTEGER, .metavar = "N", .min = 0, \
        .max = 4096, .help = "Number of threads; the result does not depend on it.",     \
        .otherwise = "all processors"                                                    \
    }
/* old: what it was called where --format is not what comes out. */
#define CLI_INPUT_FORMAT_OPTION(old)                                                      \
    {                                                                                     \
        .name = "input-format", .old_name = old, .kind = CLI_CHOICE, .metavar = "FORMAT", \
        .choices = cli_format_words, .help = "Format of DATA."                            \
    }
#define CLI_FORMAT_OPTION CLI_INPUT_FORMAT_OPTION("format")
#define CLI_PLACES_OPTION                                                                   \
    {                                                                                       \
        .name = "places", .kind = CLI_WORD, .metavar = "LIST",                              \
        .help = "Places of graphs that become nodes: edges, rings(K), every(K), as a list " \
                "with commas (docs/places.md)."                                             \
    }
/* What molecules need beside the format, and places of any graphs, for commands that read data; `target` apart, because one
 * command has an option of that name already. */
#define CLI_MOLECULE_OPTIONS                                                                     \
    CLI_PLACES_OPTION,                                                                           \
        {.name = "smiles",                                                                       \
         .kind = CLI_WORD,                                                                       \
         .metavar = "[COLUMN]",                                                                  \
         .otherwise = "the one with 'smiles' in its name",                                       \
         .bare = true,                                                                           \
         .help =                                                                                 \
             "Column of a .csv file that holds the molecules. Without COLUMN, DATA is a SMILES " \
             "itself, even if a file has this name."},                                           \
        {.name = "id",                                                                           \
         .kind = CLI_WORD,                                                                       \
         .metavar = "COLUMN",                                                                    \
         .otherwise = "the one called id, name, ...",                                            \
         .help = "Column of a .csv file that holds the names of molecules."},                    \
        {.name = "hydrogens",                                                                    \
         .kind = CLI_CHOICE,                                                                     \
         .metavar = "KIND",                                                                      \
         .choices = cli_hydrogen_words,                                                          \
         .otherwise = "implicit",                                                                \
         .help = "Hydrogens of molecules: implicit (a number of their atom) or explicit (nodes " \
                 "of their own)."},                                                              \
        {.name = "largest-fragment",                                                             \
         .kind = CLI_FLAG,                                                                       \
         .help = "Keep only the largest part of a salt or mixture."},                            \
    {                                                                                            \
        .name = "strict", .kind = CLI_FLAG,                                                      \
        .help = "Stop at the first molecule that cannot be read, instead of leaving it out."     \
    }
#define CLI_TARGET_OPTION                                                                         \
    {                                                                                             \
        .name = "target", .kind = CLI_WORD, .metavar = "COLUMNS",                                 \
        .otherwise = "the one that can be meant",                                                 \
        .help = "Columns of a .csv file that hold the targets, separated by commas; '' for none." \
    }
#define CLI_READ_OPTIONS CLI_FORMAT_OPTION, CLI_TARGET_OPTION, CLI_MOLECULE_OPTIONS
#define CLI_DATA_ARGUMENT                                                              \
    {                                                                                  \
        .metavar = "DATA", .choices = cli_catalogue_words, .open = true, .path = true, \
        .help = "A directory, archive (.zip, .tar.gz, .tar.zst, ...) or file, or the " \
                "name of a data set in $REGULA_DATA or the cache."                     \
    }

/* How DATA is to be read, by the options of CLI_READ_OPTIONS; args: NULL for the defaults. */
rg_read_options cli_read_options(const cli_arguments *args);

/* Finds and reads DATA. What is neither a file nor the name of a set may be a molecule, as SMILES:
 * a set of one graph, with the text as its path. Molecules that are left out are told on standard error. args: of a command
 * with CLI_READ_OPTIONS, or NULL. path: owned (rg_text_free), may be NULL if nobody wants it. out:
 * owned (rg_dataset_free). Both untouched on failure. */
RG_MUST_CHECK rg_status cli_read_data(rg_dataset **out, char **path, const char *data,
                                      const cli_arguments *args, rg_error *err);
/* The same for commands that take vectors and images too: *graphs or *arrays (rg_arrays_free) is
 * set, the other one untouched. What the names of the files say decides; with a format that is not
 * auto they are graphs. options: NULL for those of args; their callback, if there is one, is told of
 * molecules that are left out instead. */
RG_MUST_CHECK rg_status cli_read_either(rg_dataset **graphs, rg_arrays **arrays, char **path,
                                        const char *data, const cli_arguments *args,
                                        const rg_read_options *options, rg_error *err);

/* A set of one graph that was read as a molecule: nobody needs to say which graph is meant. */
bool cli_is_molecule(const rg_dataset *data);

#endif
