/* choices.h - lists of words that several commands take, and what they share. */
#ifndef REGULA_CLI_COMMAND_CHOICES_H
#define REGULA_CLI_COMMAND_CHOICES_H

#include "command.h"
#include "regula/arrays.h"
#include "regula/dataset.h"

const char *cli_format_words(size_t k);    /* what we read: auto, tu, ... */
const char *cli_writable_words(size_t k);  /* what we write: tu, ... */
const char *cli_catalogue_words(size_t k); /* names of the catalogue */

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
#define CLI_FORMAT_OPTION                                                                       \
    {                                                                                           \
        .name = "format", .kind = CLI_CHOICE, .metavar = "FORMAT", .choices = cli_format_words, \
        .help = "Format of DATA."                                                               \
    }
#define CLI_DATA_ARGUMENT                                                              \
    {                                                                                  \
        .metavar = "DATA", .choices = cli_catalogue_words, .open = true, .path = true, \
        .help = "A directory, archive (.zip, .tar.gz, .tar.zst, ...) or file, or the " \
                "name of a data set in $REGULA_DATA or the cache."                     \
    }

/* Finds and reads DATA. format: NULL for auto. path: owned (rg_text_free), may be NULL if nobody
 * wants it. out: owned (rg_dataset_free). Both untouched on failure. */
RG_MUST_CHECK rg_status cli_read_data(rg_dataset **out, char **path, const char *data,
                                      const cli_value *format, rg_error *err);
/* The same for commands that take vectors and images too: *graphs or *arrays (rg_arrays_free) is
 * set, the other one untouched. What the names of the files say decides; with a format that is not
 * auto they are graphs. */
RG_MUST_CHECK rg_status cli_read_either(rg_dataset **graphs, rg_arrays **arrays, char **path,
                                        const char *data, const cli_value *format, rg_error *err);

#endif
