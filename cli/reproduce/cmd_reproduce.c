/* cmd_reproduce.c - regula reproduce: the paper's tables, ours next to the published. */
#include "base/error.h"
#include "brec.h"
#include "cli/command/commands.h"
#include "cli/model/use.h"
#include "datasets.h"

#include <stdio.h>

static const char *table_words(size_t k)
{
    static const char *const words[] = {"real-world", "synthetic", "parameters", "runtimes",
                                        "all",        "datasets",  "brec"};
    return k < CLI_COUNT(words) ? words[k] : NULL;
}

static const char *shape_words(size_t k)
{
    static const char *const words[] = {"text", "markdown", "json"};
    return k < CLI_COUNT(words) ? words[k] : NULL;
}

static const cli_argument arguments[] = {
    {.metavar = "TABLE",
     .choices = table_words,
     .help = "real-world or synthetic: accuracies on six or five data sets; parameters: number of "
             "parameters per layer; runtimes: epochs and seconds; all: these four; datasets: "
             "the two tables of data sets; brec: how many of 400 pairs of graphs a labeling tells "
             "apart."},
};

static const cli_option options[] = {
    {.name = "only",
     .kind = CLI_WORD,
     .metavar = "NAME",
     .repeated = true,
     .otherwise = "all of the table",
     .help = "Only this data set. Can be repeated."},
    {.name = "data",
     .letter = 'd',
     .kind = CLI_PATH,
     .metavar = "DIR",
     .otherwise = "$REGULA_DATA, then the cache",
     .help = "Directory with the data sets, and with splits as DIR/splits/NAME.json."},
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "DIR",
     .otherwise = "none are kept",
     .help = "Keep the run directories as DIR/NAME; jobs already done in them are not repeated."},
    {.name = "baselines",
     .kind = CLI_FLAG,
     .help = "Also run the baselines in the accuracy tables: kernels and message passing networks. "
             "Training the networks takes hours."},
    {.name = "rows",
     .kind = CLI_WORD,
     .metavar = "NAME",
     .repeated = true,
     .otherwise = "all of the table",
     .help = "Only this row of the table with baselines, such as WL-Kernel, 'GIN (features)' or "
             "RuleGNN. Can be repeated."},
    {.name = "as-published",
     .kind = CLI_FLAG,
     .help = "Train on the synthetic data sets with the published settings only."},
    {.name = "labels",
     .letter = 'l',
     .kind = CLI_WORD,
     .metavar = "SPEC",
     .otherwise = CLI_BREC_LABELS,
     .help = "brec: the labeling."},
    {.name = "set",
     .old_letter = 's',
     .kind = CLI_WORD,
     .metavar = "KEY=VALUE",
     .repeated = true,
     .help =
         "Override a value in all experiments, such as runs=1, folds=[0] or training.epochs=20. "
         "The tables then say that their settings differ. Can be repeated."},
    CLI_JOBS_OPTION,
    {.name = "format",
     .kind = CLI_CHOICE,
     .metavar = "FORMAT",
     .choices = shape_words,
     .help = "Output format."},
    {.name = "json", .kind = CLI_FLAG, .help = "The same as --format json."},
    CLI_QUIET_OPTION,
};

static const char *const description[] = {
    "Trains the networks of the paper on its data sets and prints its tables: our numbers next to "
    "the published ones, with time and memory. The networks are built into the program. Each fold "
    "has three runs with seed 1. The protocol is global: the mean validation score selects one "
    "configuration for all folds; scores are averaged over runs, then reported as mean and sample "
    "standard deviation over folds.",
    "regula uses the splits of the paper if DIR/splits has them, and otherwise makes splits from a "
    "seed. It generates missing synthetic data sets in memory. For other missing data sets it "
    "prints the command that downloads them and continues with the rest. The published splits of "
    "CSL use the same graphs for validation and test; if there is a CSL_proper.json, it is used "
    "instead.",
    "The paper trains on rings and Snowflakes with lr 0.1, batch 128 and 200 epochs. regula "
    "selects from a small grid by validation score (" RG_PAPER_GRID
    "); --as-published uses the published settings.",
    "With --baselines the tables have all rows of the paper, our numbers above the published ones. "
    "Each row and data set is one experiment (examples/baselines) on the same splits, with its own "
    "grid. Rows that the paper quotes from other papers are quoted here, too.",
    "With --json it prints {\"rows\": [{model, data, protocol, accuracy {mean, std} in percent, "
    "published {mean, std}, seconds, cpu_seconds, peak_rss_mb, configuration, splits, digest, "
    "...}, ...]}; for 'all' there are also the members parameters and runtimes.",
    "datasets counts graphs, nodes, edges, diameters, labels and classes of every data set that is "
    "there. With --json it prints {\"datasets\": [{data, graphs, nodes {max, mean, min}, edges, "
    "diameter, labels, classes, published {...}}, ...]}.",
    "brec reads DIR/brec/brec.g6 and kinds.txt, the pairs of the BREC benchmark, which "
    "Weisfeiler-Leman refinement does not tell apart. It fits one labeling on every pair and "
    "compares the labels of its two graphs, as multisets; and those of a graph with those of a "
    "renumbered copy, which must be equal. With --json it prints {\"pairs\", \"distinguished\", "
    "\"kinds\": {KIND: {\"pairs\", \"distinguished\"}}, \"published\", ...}.",
    "The exit code is 0 if at least one row succeeded. Ctrl-C prints the finished rows and ends "
    "with 1.",
    NULL,
};

static const cli_example examples[] = {
    {"regula reproduce real-world", "The paper's first table, in less than a minute."},
    {"regula reproduce synthetic --only CSL --only Snowflakes --out runs",
     "Two data sets; keep the run directories."},
    {"regula reproduce all --data ~/data --format markdown", "All tables as Markdown."},
    {"regula reproduce real-world --rows NoG --rows WL-Kernel --out runs",
     "Two kernel baselines of the first table; keep the run directories."},
    {"regula reproduce brec --json", "The expressive power of a labeling, as JSON."},
    {"regula reproduce real-world --only DHFR --set runs=1 --json",
     "A quick run with JSON output."},
};

static void defaults(cli_arguments *args)
{
    cli_default_integer(args, "jobs", 0);
    cli_default_choice(args, "format", CLI_SHAPE_TEXT);
}

static rg_status find_shape(cli_shape *out, const cli_arguments *args, rg_error *err)
{
    const cli_value *format = cli_get(args, "format");
    *out = (cli_shape)format->choice;
    if (!cli_flag(args, "json"))
        return RG_OK;
    if (format->given && *out != CLI_SHAPE_JSON)
        return rg_fail(err, RG_EUSAGE, "option '--json': '--format %s' says something else",
                       shape_words(format->choice));
    *out = CLI_SHAPE_JSON;
    return RG_OK;
}

/* How it ends once the tables are printed. */
static rg_status verdict(const cli_reproduction *all, rg_error *err)
{
    size_t n_done = cli_reproduction_done(all);
    if (all->stopped)
        return rg_fail(err, RG_EFAIL, "stopped: %zu of %zu data sets are finished", n_done,
                       all->n_wanted);
    if (n_done == 0)
        return rg_fail(err, RG_EDATA, "none of %zu data sets succeeded", all->n_wanted);
    return RG_OK;
}

static rg_status run_brec(const cli_reproduce *wish, const char *labels, cli_shape shape,
                          rg_error *err)
{
    cli_brec brec = {0};
    rg_status status = cli_brec_run(&brec, labels ? labels : CLI_BREC_LABELS, wish, err);
    if (!status)
        status = cli_brec_print(&brec, shape, err);
    cli_brec_free(&brec);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    static const unsigned tables[] = {CLI_REAL_WORLD,
                                      CLI_SYNTHETIC,
                                      CLI_PARAMETERS,
                                      CLI_RUNTIMES,
                                      CLI_REAL_WORLD | CLI_SYNTHETIC | CLI_PARAMETERS |
                                          CLI_RUNTIMES,
                                      CLI_DATASETS,
                                      CLI_BREC};
    const cli_value *only = cli_get(args, "only"), *set = cli_get(args, "set");
    const cli_value *rows = cli_get(args, "rows");
    cli_reproduction all = {.rows = NULL};
    cli_shape shape;
    rg_cpu cpu;
    rg_status status = find_shape(&shape, args, err);
    if (!status)
        status = cli_cpu(&cpu, err);
    if (status)
        return status;
    cli_reproduce wish = {.tables = tables[cli_choice_find(table_words, args->words[0])],
                          .only = only->texts,
                          .n_only = only->n_texts,
                          .as_published = cli_flag(args, "as-published"),
                          .quiet = cli_flag(args, "quiet"),
                          .data = cli_text(args, "data"),
                          .out = cli_text(args, "out"),
                          .n_threads = (unsigned)cli_get(args, "jobs")->integer,
                          .cpu = cpu,
                          .overrides = set->texts,
                          .n_overrides = set->n_texts,
                          .baselines = cli_flag(args, "baselines") || rows->n_texts > 0,
                          .rows = rows->texts,
                          .n_rows = rows->n_texts};
    if (wish.tables == CLI_BREC)
        return run_brec(&wish, cli_text(args, "labels"), shape, err);
    if (cli_get(args, "labels")->given)
        return rg_fail(err, RG_EUSAGE, "option '--labels': only brec has a labeling to choose");
    if (wish.tables == CLI_DATASETS)
        return cli_datasets_run(&wish, shape, err);
    status = cli_reproduce_run(&all, &wish, err);
    if (!status)
        status = cli_reproduction_print(&all, &wish, shape, err);
    if (!status)
        status = verdict(&all, err);
    cli_reproduction_free(&all);
    return status;
}

const cli_command cli_reproduce_command = {
    .name = "reproduce",
    .summary = "reproduce the paper's tables next to the published numbers",
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
