/* cmd_data_draw.c - regula data draw: graphs of a data set as a picture. */
#include "base/error.h"
#include "base/number.h"
#include "cli/command/choices.h"
#include "cli/command/commands.h"
#include "cli/output/output.h"
#include "cli/output/place.h"
#include "draw/pictures.h"
#include "names.h"
#include "regula/fetch.h"

#include <string.h>

#define GRAPHS_MAX 200
#define GRAPHS_FEW 12 /* of a set, which are all drawn if none is named */

static const cli_argument arguments[] = {CLI_DATA_ARGUMENT};

static const cli_option options[] = {
    CLI_GRAPH_OPTION,
    CLI_GRAPHS_OPTION,
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .required = true,
     .help = "Output file, ending in .svg, .png or .pdf."},
    CLI_LABEL_NAMES_OPTION,
    {.name = "plain", .kind = CLI_FLAG, .help = "No titles and no legend."},
    CLI_READ_OPTIONS,
    CLI_JSON_OPTION,
};

static const cli_example examples[] = {
    {"regula data draw 'CC(=O)Oc1ccccc1C(=O)O' --out aspirin.svg", "A molecule, as SMILES."},
    {"regula data draw MUTAG --graph 3 --out molecule.svg", "One graph; hover to read labels."},
    {"regula data draw csl --graphs 0,30,60-62 --out five.svg", "Several graphs side by side."},
    {"regula data draw csl --graph 0 --label-names names.txt --out named.svg",
     "Use your own label names: one line 'VALUE NAME' per label."},
};

static const char *const description[] = {
    "Draws graphs with node labels as colours and letters. The file extension chooses SVG, PNG or "
    "PDF. Graphs are numbered from 0; of a set of up to 12, all are drawn if none is named. The "
    "layout depends on the edges alone: rings are drawn as "
    "regular polygons where possible, nodes do not overlap, and the same graph always gives the "
    "same picture.",
    "regula knows the names of atoms and bonds for data sets that document them (MUTAG, "
    "Mutagenicity, PTC_MR, DHFR, BZR, ZINC, ogbg-mol...). For other data sets it prints labels as "
    "numbers, unless --label-names gives a file with lines 'VALUE NAME' for node labels, 'edge "
    "VALUE NAME' for edge labels (single, double, triple and aromatic are drawn as bonds) and "
    "'class VALUE NAME'. Lines that begin with # are comments.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
}

/* As square as the screen is: graphs side by side. */
static size_t across(size_t n)
{
    size_t k = 1;
    while (k < 5 && k * k < n)
        k++;
    return k;
}

static rg_status draw(const rg_dataset *data, const uint64_t *graphs, size_t n,
                      const rg_names *names, const cli_arguments *args, rg_error *err)
{
    char caption[160];
    rg_pictures pictures;
    rg_status status = rg_pictures_make(&pictures, data, graphs, n, names, err);
    if (status)
        return status;
    const char *source = rg_names_source(names);
    snprintf(caption, sizeof caption, "Names of labels: %s.", source ? source : "");
    rg_figure figure = {.title = rg_dataset_name(data),
                        .caption = source ? caption : NULL,
                        .rows = pictures.rows,
                        .n_rows = pictures.n_rows,
                        .n_columns = 1,
                        .across = across(n),
                        .labels = pictures.labels,
                        .n_labels = pictures.n_labels};
    if (pictures.molecules) { /* letters say what they are */
        figure.plain = true;
        figure.caption = NULL;
    }
    if (cli_is_molecule(data)) {
        figure.title = args->words[0];
        pictures.rows[0].title = rg_dataset_graph_name(data, 0);
    }
    if (cli_flag(args, "plain")) {
        figure.plain = true;
        figure.title = figure.caption = NULL;
        for (size_t k = 0; k < n; k++)
            pictures.rows[k].title = NULL;
    }
    status = rg_figure_write(&figure, cli_text(args, "out"), err);
    rg_pictures_free(&pictures);
    return status;
}

static rg_status report(const rg_dataset *data, const uint64_t *graphs, size_t n,
                        const rg_names *names, const cli_arguments *args, rg_error *err)
{
    const char *out = cli_text(args, "out"), *source = rg_names_source(names);
    if (!cli_flag(args, "json")) {
        printf("%zu %s of ", n, n == 1 ? "graph" : "graphs");
        cli_print(rg_dataset_name(data));
        printf(" in ");
        cli_print(out);
        fputc('\n', stdout);
        return RG_OK;
    }
    json_t *object = json_object(), *list = json_array();
    for (size_t k = 0; k < n; k++)
        cli_json_add(&list, cli_json_count(graphs[k]));
    cli_json_set(&object, "data", cli_json_text(rg_dataset_name(data)));
    cli_json_set(&object, "graphs", list);
    cli_json_set(&object, "names", source ? cli_json_text(source) : json_null());
    cli_json_set(&object, "out", cli_json_text(out));
    return cli_print_json(object, err);
}

/* No graph was named: all, if they are few. */
static rg_status take_all(uint64_t *graphs, size_t *n, const rg_dataset *data, rg_error *err)
{
    size_t all = rg_dataset_n_graphs(data);
    if (all == 0 || all > GRAPHS_FEW)
        return rg_fail(err, RG_EUSAGE, "which of %zu graphs? --graph N, or --graphs A,B,C", all);
    for (; *n < all; ++*n)
        graphs[*n] = *n;
    return RG_OK;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    rg_dataset *data = NULL;
    rg_names *names = NULL;
    uint64_t graphs[GRAPHS_MAX] = {0};
    size_t n = 0;
    rg_figure_format format;
    rg_status status = cli_graphs_parse(graphs, &n, GRAPHS_MAX, args, err);
    if (!status)
        status = rg_figure_format_find(&format, cli_text(args, "out"), err);
    if (!status)
        status = cli_check_place(cli_text(args, "out"), err);
    if (!status)
        status = cli_read_data(&data, NULL, args->words[0], args, err);
    if (!status && !n)
        status = take_all(graphs, &n, data, err);
    if (!status)
        status = cli_names_read(&names, data, args, err);
    if (!status)
        status = draw(data, graphs, n, names, args, err);
    if (!status)
        status = report(data, graphs, n, names, args, err);
    rg_names_free(names);
    rg_dataset_free(data);
    return status;
}

const cli_command cli_data_draw = {
    .name = "data draw",
    .summary = "draw graphs of a data set",
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
