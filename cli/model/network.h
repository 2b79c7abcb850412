/* network.h - the network that a command trains: chosen for the data, by name, or from a file, with what
 * the command line changes in it. */
#ifndef REGULA_CLI_MODEL_NETWORK_H
#define REGULA_CLI_MODEL_NETWORK_H

#include "regula/auto.h"
#include "shipped.h"
#include "source.h"

#define CLI_NETWORK_AUTO "auto"

/* Options that change a network. */
#define CLI_NETWORK_OPTIONS                                                                     \
    {.name = "network",                                                                         \
     .letter = 'n',                                                                             \
     .kind = CLI_PATH,                                                                          \
     .metavar = "NETWORK",                                                                      \
     .otherwise = CLI_NETWORK_AUTO,                                                             \
     .help = "A network file (docs/networks.md), an experiment file with one configuration, a " \
             "network that comes with regula (paper:NCI1, gin, ...), or auto: chosen for DATA " \
             "(docs/auto.md)."},                                                                \
        {.name = "rule",                                                                        \
         .kind = CLI_WORD,                                                                      \
         .metavar = "RULE",                                                                     \
         .repeated = true,                                                                      \
         .help = "A rule of your own in the network that is chosen, such as 'share kind(i), "   \
                 "kind(j) when edge(i,j)'. Can be repeated."},                                  \
        {.name = "set",                                                                         \
         .kind = CLI_WORD,                                                                      \
         .metavar = "KEY=VALUE",                                                                \
         .repeated = true,                                                                      \
         .help = "Change a value of the network, such as training.clip=1. Can be repeated."},   \
        {.name = "epochs",                                                                      \
         .kind = CLI_INTEGER,                                                                   \
         .metavar = "N",                                                                        \
         .min = 1,                                                                              \
         .max = 1e9,                                                                            \
         .otherwise = "those of the network",                                                   \
         .help = "Maximum number of epochs."},                                                  \
        {.name = "lr",                                                                          \
         .kind = CLI_REAL,                                                                      \
         .metavar = "RATE",                                                                     \
         .min = 0,                                                                              \
         .max = 1e9,                                                                            \
         .otherwise = "that of the network",                                                    \
         .help = "Initial learning rate."},                                                     \
    {                                                                                           \
        .name = "batch", .kind = CLI_INTEGER, .metavar = "N", .min = 1, .max = 1e9,             \
        .otherwise = "that of the network", .help = "Batch size."                               \
    }

/* What --set and its shortcuts say, as KEY=VALUE. */
typedef struct cli_changes {
    const char *texts[CLI_REPEATS_MAX + 3];
    size_t n;
    char own[3][64];
} cli_changes;
void cli_changes_take(cli_changes *out, const cli_arguments *args); /* borrows from both */

/* Is the network chosen for the data? The options may be those of a command that has --network. */
bool cli_network_is_auto(const cli_arguments *args);
/* The network of a file or of a name. changes: NULL for none. out: owned (rg_recipe_free), untouched on
 * failure. RG_EUSAGE, RG_EDATA, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_network_read(rg_recipe **out, const cli_arguments *args,
                                         const cli_changes *changes, rg_error *err);
/* What regula chooses for data. *text: a network file, *reasons: may be NULL; both owned (rg_text_free).
 * RG_EUSAGE, RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_network_text(char **text, char **reasons, const cli_arguments *args,
                                         const rg_source *source, const rg_fold *folds,
                                         size_t n_folds, const rg_auto_options *options,
                                         rg_error *err);
/* The same as a recipe, with the changes. */
RG_MUST_CHECK rg_status cli_network_choose(rg_recipe **out, char **reasons,
                                           const cli_arguments *args, const rg_source *source,
                                           const rg_fold *fold, const char *cache, rg_error *err);
/* The reasons, line by line, on standard error. */
void cli_network_say(const char *reasons);

#endif
