/* rule.h - shared by regula rule check and regula rule show: labelings, rule, result. */
#ifndef REGULA_CLI_RULES_RULE_H
#define REGULA_CLI_RULES_RULE_H

#include "cli/command/command.h"
#include "regula/arrays.h"
#include "regula/rule.h"

#define CLI_RULE_LABELS_OPTION                                                           \
    {                                                                                    \
        .name = "labels", .letter = 'l', .kind = CLI_WORD, .metavar = "NAME=SPEC",       \
        .repeated = true,                                                                \
        .help = "A labeling that the rule uses, such as 'wl=wl(depth=2, from=degree)'. " \
                "Can be repeated."                                                       \
    }
#define CLI_RULE_BIAS_OPTION                                                   \
    {                                                                          \
        .name = "bias", .letter = 'b', .kind = CLI_FLAG,                       \
        .help = "The rule defines a bias: it gives each node i a key or none." \
    }
#define CLI_RULE_AGGREGATE_OPTION                                                            \
    {                                                                                        \
        .name = "aggregate", .letter = 'a', .kind = CLI_INTEGER, .metavar = "M", .min = 1,   \
        .max = 1e6, .help = "The rule defines an aggregation from the nodes i to M outputs." \
    }

#define CLI_RULE_SHAPE_OPTIONS                                        \
    {.name = "input",                                                 \
     .kind = CLI_WORD,                                                \
     .metavar = "SHAPE",                                              \
     .help = "The shape of the inputs, ROWSxCOLUMNS or "              \
             "ROWSxCOLUMNSxCHANNELS; with arrays as DATA: theirs."},  \
    {                                                                 \
        .name = "output", .kind = CLI_WORD, .metavar = "SHAPE",       \
        .help = "The shape of the outputs; with arrays: the inputs'." \
    }

/* Begins as {0}, ends with cli_rule_close. */
typedef struct cli_rule {
    rg_dataset *data; /* NULL: none was named, or arrays */
    rg_arrays *arrays;
    rg_rule_values values; /* of the nodes' attributes or the arrays */
    rg_rule *rule;
    rg_rule_labeling known[CLI_REPEATS_MAX];
    char *names[CLI_REPEATS_MAX]; /* of the labelings */
    const char *specs[CLI_REPEATS_MAX];
    rg_labels *labels[CLI_REPEATS_MAX];
    rg_labeling *fitted[CLI_REPEATS_MAX];
    size_t n_known;
    rg_rule_input input; /* points to the above */
} cli_rule;

/* "wl=wl(depth=2)" into a name (owned: rg_free) and a spec (borrowed). RG_EUSAGE, RG_EDATA or RG_EIO (a file
 * of a labeling), RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_label_declare(char **name, const char **spec, const char *text,
                                          rg_error *err);
/* The options --labels, --bias and --aggregate, and the rule; what is wrong with it is pointed at
 * on standard error. RG_EUSAGE, RG_EDATA or RG_EIO (a file of a labeling), RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_rule_open(cli_rule *out, const cli_arguments *args, const char *text,
                                      rg_error *err);
/* What the rule is compiled over: the data at `path` (NULL: none was named), with its labels, and the
 * options --input and --output; *given: there is something. RG_EUSAGE (shapes beside graphs), and as
 * reading data. */
RG_MUST_CHECK rg_status cli_rule_read(cli_rule *out, bool *given, const cli_arguments *args,
                                      const char *path, rg_error *err);
/* "graphs", "samples": what DATA has, and how many. */
const char *cli_rule_items(const cli_rule *rule, size_t *n);
void cli_rule_close(cli_rule *rule);

#endif
