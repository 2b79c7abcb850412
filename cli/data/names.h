/* names.h - options of the commands that draw: which graphs, and names of their labels. */
#ifndef REGULA_CLI_DATA_NAMES_H
#define REGULA_CLI_DATA_NAMES_H

#include "cli/command/command.h"
#include "draw/names.h"

#define CLI_GRAPH_OPTION                                                               \
    {                                                                                  \
        .name = "graph", .letter = 'g', .kind = CLI_INTEGER, .metavar = "N", .min = 0, \
        .max = 4294967295.0, .help = "The graph to draw, from 0."                      \
    }
#define CLI_GRAPHS_OPTION                                                      \
    {                                                                          \
        .name = "graphs", .kind = CLI_WORD, .metavar = "A,B,C",                \
        .help = "Several graphs on one common scale; 3-7 means 3, 4, 5, 6, 7." \
    }
#define CLI_LABEL_NAMES_OPTION                                            \
    {                                                                     \
        .name = "label-names", .kind = CLI_PATH, .metavar = "FILE",       \
        .otherwise = "those known for the set",                           \
        .help = "File with label names, one line 'VALUE NAME' per label." \
    }

/* Numbers that --graph or --graphs name, at most `max`; *n is 0 if neither is given. RG_EUSAGE. */
RG_MUST_CHECK rg_status cli_graphs_parse(uint64_t *out, size_t *n, size_t max,
                                         const cli_arguments *args, rg_error *err);
/* What is known of the set, with what --label-names says. out: owned (rg_names_free). */
RG_MUST_CHECK rg_status cli_names_read(rg_names **out, const rg_dataset *data,
                                       const cli_arguments *args, rg_error *err);

#endif
