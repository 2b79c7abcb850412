/* cmd_rule_draw.c - regula rule draw: a network on graphs as a picture, neuron by neuron. */
#include "base/error.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/data/names.h"
#include "cli/output/output.h"
#include "cli/output/place.h"
#include "explain/network_figure.h"
#include "regula/fetch.h"

enum { GRAPHS_MAX = 16 };

static const cli_argument arguments[] = {CLI_DATA_ARGUMENT};

static const cli_option options[] = {
    {.name = "network",
     .letter = 'n',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .required = true,
     .help = "The network file."},
    CLI_GRAPH_OPTION,
    CLI_GRAPHS_OPTION,
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .required = true,
     .help = "Output file, ending in .svg, .png or .pdf."},
    CLI_LABEL_NAMES_OPTION,
    CLI_READ_OPTIONS,
    CLI_THREADS_OPTION,
};

static const cli_example examples[] = {
    {"regula rule draw csl --network csl.yml --graphs 0,1 --out network.svg",
     "Two graphs in one picture, with common colours."},
    {"regula rule draw csl -n csl.yml --graph 0 -o network.pdf", "One graph."},
};

static const char *const description[] = {
    "Draws the network that a network file makes for graphs of a data set, as in the paper: a "
    "column "
    "of neurons for the input and for each layer with rules, a line for each connection, and one "
    "colour for each weight. Neurons that share a weight have lines of one colour, in all graphs "
    "of "
    "the picture. The ring of a neuron has the colour of its bias. Nothing is trained.",
    "Labels and weights are those of the whole data set. The colours go to the weights that are "
    "used "
    "most; the list below a layer says what they stand for. A grey area stands for layers without "
    "rules. With several heads, a line stands for a weight per head.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
    cli_default_integer(args, "threads", rg_rule_options_default().n_threads);
}

static void report(size_t n, const char *out)
{
    printf("%zu %s in ", n, n == 1 ? "graph" : "graphs");
    cli_print(out);
    fputc('\n', stdout);
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    rg_dataset *data = NULL;
    rg_names *names = NULL;
    uint64_t graphs[GRAPHS_MAX] = {0};
    size_t n = 0;
    const char *out = cli_text(args, "out");
    rg_figure_format format;
    rg_status status = cli_graphs_parse(graphs, &n, GRAPHS_MAX, args, err);
    if (!status && !n)
        n = 1;
    if (!status)
        status = rg_figure_format_find(&format, out, err);
    if (!status)
        status = cli_check_place(out, err);
    if (!status)
        status = cli_read_data(&data, NULL, args->words[0], args, err);
    if (!status)
        status = cli_names_read(&names, data, args, err);
    if (!status)
        status = rg_network_figure_write(out, cli_text(args, "network"), data, graphs, n, names,
                                         (unsigned)cli_get(args, "threads")->integer, err);
    if (!status)
        report(n, out);
    rg_names_free(names);
    rg_dataset_free(data);
    return status;
}

const cli_command cli_rule_draw = {
    .name = "rule draw",
    .summary = "draw a network on graphs, neuron by neuron",
    .description = description,
    .arguments = arguments,
    .n_arguments = CLI_COUNT(arguments),
    .options = options,
    .n_options = CLI_COUNT(options),
    .examples = examples,
    .n_examples = CLI_COUNT(examples),
    .defaults = defaults,
    .run = run,
};
