/* cmd_explain.c - regula explain: what a model learned, in words and pictures. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "cli/command/commands.h"
#include "cli/model/predict.h"
#include "cli/output/place.h"
#include "explain.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const cli_argument arguments[] = {
    CLI_MODEL_ARGUMENT,
    {.metavar = "DATA",
     .choices = cli_catalogue_words,
     .open = true,
     .path = true,
     .optional = true,
     .help = "A directory, archive or file, or the name of a data set in $REGULA_DATA or the "
             "cache. Without DATA, only weights and sentences are printed."},
};

static const char *order_words(size_t k)
{
    static const char *const words[] = {"weight", "contribution", "support", "removal"};
    return k < CLI_COUNT(words) ? words[k] : NULL;
}

static const char *spread_words(size_t k)
{
    static const char *const words[] = {"labels", "none"};
    return k < CLI_COUNT(words) ? words[k] : NULL;
}

static const cli_option options[] = {
    {.name = "top",
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 0,
     .max = 1e9,
     .otherwise = "10",
     .help = "Number of rules per layer, 0 for all; in a figure, the number of rules of each "
             "colour in the last column; with --class, the number of graphs to draw."},
    {.name = "member",
     .kind = CLI_INTEGER,
     .metavar = "K",
     .min = 1,
     .max = 4096,
     .help = "The network to explain, counted from 1, of a model that has several."},
    {.name = "layer",
     .kind = CLI_INTEGER,
     .metavar = "K",
     .min = 1,
     .max = 64,
     .otherwise = "all",
     .help =
         "Show only this layer of the network file, counted from 1, with all that it is made of."},
    {.name = "by",
     .kind = CLI_CHOICE,
     .metavar = "ORDER",
     .choices = order_words,
     .otherwise = "contribution, weight without DATA",
     .help = "How to rank the rules."},
    {.name = "graph",
     .letter = 'g',
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 0,
     .max = 4294967294.0,
     .help = "Explain the prediction for this graph, counted from 0."},
    {.name = "graphs",
     .kind = CLI_WORD,
     .metavar = "LIST",
     .help = "The same for several graphs on one scale, such as 3,5,9-12."},
    {.name = "random",
     .kind = CLI_INTEGER,
     .metavar = "N",
     .min = 1,
     .max = 1000,
     .help = "The same for N graphs drawn at random: from the test set of --split, or else from "
             "all of DATA."},
    {.name = "seed",
     .letter = 's',
     .kind = CLI_SEED,
     .metavar = "S",
     .help = "Seed of --random, and of the order of nodes that --truth tries."},
    {.name = "class",
     .kind = CLI_WORD,
     .metavar = "C",
     .help = "Show typical graphs of a class and the rules that separate it from all others."},
    {.name = "against",
     .kind = CLI_WORD,
     .metavar = "C",
     .help = "With --class: show the rules that separate it from this class."},
    {.name = "spread",
     .kind = CLI_CHOICE,
     .metavar = "WAY",
     .choices = spread_words,
     .help = "What a node adds goes in equal parts to the nodes that its labels describe (labels), "
             "or stays with the node (none)."},
    {.name = "truth",
     .kind = CLI_WORD,
     .metavar = "FILE",
     .bare = true,
     .help = "Measure the explanations against known causes: a line per graph with its nodes, "
             "alternatives parted by ';'. Without FILE: NAME_truth.txt of DATA."},
    {.name = "beside",
     .kind = CLI_WORD,
     .metavar = "MODEL",
     .repeated = true,
     .help = "With --truth: another model, such as one of another seed, whose explanations are "
             "compared. Can be repeated."},
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Draw the graphs with the effects of weights as arrows, to a .svg, .png or .pdf "
             "file."},
    {.name = "columns",
     .kind = CLI_WORD,
     .metavar = "LIST",
     .otherwise = "all,10,5",
     .help = "Columns of the figure per layer: all effects, or those of the N strongest rules of "
             "each colour."},
    {.name = "numbers", .kind = CLI_FLAG, .help = "Write the numbers of nodes into the figure."},
    {.name = "label-names",
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help = "Names of node labels, one per line such as '6 C'; also 'edge 2 double' and 'class 1 "
             "active'. Names for well-known data sets are built in."},
    CLI_SPLIT_OPTION(" whose validation set measures the effect of removing a rule"),
    CLI_FOLD_OPTION,
    CLI_READ_OPTIONS,
    CLI_FORCE_OPTION,
    CLI_MEMORY_OPTION,
    CLI_TABLE_OPTION,
    CLI_THREADS_OPTION,
    CLI_JSON_OPTION,
    CLI_QUIET_OPTION,
};

static const cli_example examples[] = {
    {"regula explain csl.safetensors", "Print the largest weights of each layer as sentences."},
    {"regula explain csl.safetensors csl", "Print what the strongest rules do to the answer."},
    {"regula explain csl.safetensors csl --split csl.json --by removal",
     "Rank the rules by the accuracy that is lost without them."},
    {"regula explain csl.safetensors csl --graph 7 --out g7.svg",
     "Draw the paper's figure: all effects, the 10 and the 5 strongest."},
    {"regula explain csl.safetensors csl --split csl.json --random 3 --out three.svg",
     "The same for three test graphs drawn at random."},
    {"regula explain csl.safetensors csl --graph 7",
     "Attribute the prediction for one graph to its nodes and to the rules."},
    {"regula explain bbbp.safetensors 'CCO' --out ethanol.svg", "Draw one molecule."},
    {"regula explain csl.safetensors csl --class 1 --against 2",
     "Show typical graphs of class 1 and the rules that separate it from 2."},
    {"regula explain csl.safetensors csl --truth causes.txt --split csl.json",
     "Measure how well explanations find the known cause in the test set."},
};

static const char *const description[] = {
    "Every weight of a rule network is a statement about one kind of node pair. This command "
    "prints the strongest rules of each layer as sentences that name the two kinds of node and "
    "their relation. With DATA it adds the effect of the rule on the answer (of two classes one "
    "signed number, the log odds), the number of graphs in which it occurs, and the change of the "
    "validation accuracy of --split when the rule is removed (its weights set to 0), all measured "
    "by predicting again. Without DATA it prints weights.",
    "With --graph it attributes one prediction to its causes: what each node and each rule adds to "
    "the output before the last activation. These contributions add up to the output. They are "
    "exact through the last aggregation; the contribution of a hidden node is distributed over the "
    "terms of its sum in proportion to weight times input. Layers without rules, such as those of "
    "message passing, have one line each (docs/explain.md).",
    "With --out it draws the graph with its labels and, for each rule layer, columns with the "
    "effects of its weights on the answer as arrows: red towards one class and blue towards the "
    "other (the figure says which), thicker for larger ones. The size of a node shows the effect "
    "of "
    "its bias.",
    "With --class it finds typical graphs of a class (predicted correctly, and closest to the mean "
    "embedding of the class), and the rules whose contributions differ most between the classes.",
    "With --truth it measures the explanations: how well the effects of nodes find a known cause "
    "(AUROC and Jaccard), how the probability of the class changes without the top nodes "
    "(fidelity+) and with them alone (fidelity-), and how stable the effects are under another "
    "order of nodes and beside other models. With --split on the test set.",
    NULL,
};

static void defaults(cli_arguments *args)
{
    rg_predict_options o = rg_predict_options_default();
    cli_default_integer(args, "fold", 0);
    cli_default_integer(args, "member", 1);
    cli_default_seed(args, "seed", 0);
    cli_default_integer(args, "threads", o.n_threads);
    cli_default_size(args, "memory", o.memory);
    cli_default_choice(args, "spread", 0);
    cli_default_choice(args, "input-format", (size_t)rg_read_options_default().format);
}

/* ---- options */

/* Which option needs which: said before anything is read. */
static rg_status check_options(const cli_arguments *args, rg_error *err)
{
    static const char *const of_data[] = {"graph", "graphs", "random", "class",
                                          "split", "out",    "truth"};
    static const char *const of_graphs[] = {"graph", "graphs", "random", "truth"};
    const char *graphs = NULL; /* the option that names them */
    bool class = cli_get(args, "class")->given, out = cli_get(args, "out")->given;
    rg_figure_format format;
    const char *end = strrchr(args->words[0], '.');
    if (end && (strcmp(end, ".yml") == 0 || strcmp(end, ".yaml") == 0))
        return rg_fail(err, RG_EUSAGE,
                       "'%s' is not a model: expected a file written by regula train. Baselines "
                       "have no rules to explain",
                       args->words[0]);
    for (size_t k = 0; args->n_words < 2 && k < CLI_COUNT(of_data); k++)
        if (cli_get(args, of_data[k])->given)
            return rg_fail(err, RG_EUSAGE, "option '--%s' needs DATA: a model alone has no graphs",
                           of_data[k]);
    for (size_t k = 0; k < CLI_COUNT(of_graphs); k++) {
        if (!cli_get(args, of_graphs[k])->given)
            continue;
        if (graphs)
            return rg_fail(err, RG_EUSAGE, "options '--%s' and '--%s' exclude each other", graphs,
                           of_graphs[k]);
        graphs = of_graphs[k];
    }
    if (graphs && class)
        return rg_fail(err, RG_EUSAGE, "options '--%s' and '--class' exclude each other", graphs);
    if (cli_get(args, "seed")->given && !cli_get(args, "random")->given &&
        !cli_get(args, "truth")->given)
        return rg_fail(err, RG_EUSAGE, "option '--seed' is for '--random'");
    if (cli_get(args, "truth")->given && out)
        return rg_fail(err, RG_EUSAGE, "options '--truth' and '--out' exclude each other");
    if (cli_get(args, "beside")->given && !cli_get(args, "truth")->given)
        return rg_fail(err, RG_EUSAGE, "option '--beside' is for '--truth'");
    if (cli_get(args, "against")->given && !class)
        return rg_fail(err, RG_EUSAGE, "option '--against' is for '--class'");
    if (cli_get(args, "columns")->given && !out)
        return rg_fail(err, RG_EUSAGE, "option '--columns' is for '--out'");
    if (cli_flag(args, "numbers") && !out)
        return rg_fail(err, RG_EUSAGE, "option '--numbers' is for '--out'");
    if (cli_get(args, "fold")->given && !cli_get(args, "split")->given)
        return rg_fail(err, RG_EUSAGE, "option '--fold' is for '--split'");
    if (!out)
        return RG_OK;
    rg_status status = rg_figure_format_find(&format, cli_text(args, "out"), err);
    return status ? status : cli_check_place(cli_text(args, "out"), err);
}

/* "all,10,5" */
static rg_status read_columns(cli_explain *job, const char *text, rg_error *err)
{
    for (const char *p = text;; p++) {
        size_t n = strcspn(p, ","), value = 0;
        char word[16] = "";
        if (n < sizeof word)
            memcpy(word, p, n);
        bool all = strcmp(word, "all") == 0;
        if (!all && n > 0 && n < 7 && strspn(word, "0123456789") == n)
            value = (size_t)strtoul(word, NULL, 10);
        if ((!all && value == 0) || job->n_columns == RG_EXPLAIN_COLUMNS_MAX)
            return rg_fail(err, RG_EUSAGE,
                           "option '--columns': found '%s', expected up to %d of 'all' and numbers "
                           "from 1, as in all,10,5",
                           text, RG_EXPLAIN_COLUMNS_MAX);
        job->columns[job->n_columns++] = all ? RG_COLUMN_ALL : value;
        p += n;
        if (!*p)
            return RG_OK;
    }
}

static rg_status read_numbers(cli_explain *job, const cli_arguments *args, rg_error *err)
{
    const cli_value *top = cli_get(args, "top");
    bool all = top->given && top->integer == 0;
    job->top_given = top->given;
    job->top = all ? SIZE_MAX / 4 : top->given ? (size_t)top->integer : 10;
    job->layer = SIZE_MAX;
    if (cli_get(args, "layer")->given) {
        size_t n = rg_explainer_n_file_layers(job->explainer);
        job->layer = (size_t)cli_get(args, "layer")->integer - 1;
        if (job->layer >= n)
            return rg_fail(err, RG_EUSAGE, "the network has %zu layers: there is no layer %zu", n,
                           job->layer + 1);
    }
    job->by = cli_get(args, "by")->given ? (rg_explain_order)cli_get(args, "by")->choice
              : job->has_data            ? RG_BY_CONTRIBUTION
                                         : RG_BY_WEIGHT;
    job->out = cli_text(args, "out");
    job->numbers = cli_flag(args, "numbers");
    job->truth = cli_get(args, "truth")->given ? cli_get(args, "truth")->text : NULL;
    job->truth = job->truth || !cli_get(args, "truth")->given ? job->truth : "";
    job->beside = cli_get(args, "beside");
    job->seed = cli_get(args, "seed")->seed;
    if (cli_get(args, "columns")->given)
        return read_columns(job, cli_text(args, "columns"), err);
    bool few = top->given && !all && !cli_get(args, "class")->given;
    job->columns[0] = RG_COLUMN_ALL;
    job->columns[1] = few ? job->top : 10;
    job->columns[2] = 5;
    job->n_columns = few ? 2 : 3;
    return RG_OK;
}

/* A class as data files have it. */
static rg_status read_class(uint32_t *out, const cli_explain *job, const char *option,
                            const char *text, rg_error *err)
{
    const rg_model_info *info = &job->use.info;
    rg_text known = {0};
    char *end;
    long long value = strtoll(text, &end, 10);
    if (info->task != RG_MODEL_CLASSES)
        return rg_fail(err, RG_EUSAGE, "option '--%s': the model is not a classifier", option);
    for (uint32_t c = 0; c < info->n_outputs; c++) {
        int64_t class = rg_model_class(job->use.model, c);
        const char *name = rg_names_find(job->names, RG_NAME_CLASS, class);
        if ((*text && !*end && class == value) || (name && strcmp(name, text) == 0)) {
            *out = c;
            rg_text_drop(&known);
            return RG_OK;
        }
        if (c < 20)
            rg_text_add(&known, "%s%" PRId64, c ? ", " : "", class);
    }
    rg_status status =
        rg_fail(err, RG_EUSAGE, "option '--%s': found '%s', expected a class of the model: %s%s",
                option, text, known.failed ? "" : known.data, info->n_outputs > 20 ? ", ..." : "");
    rg_text_drop(&known);
    return status;
}

/* Some of the test set, or of all, each at most once. */
static rg_status draw_graphs(cli_explain *job, const cli_arguments *args, size_t n, rg_error *err)
{
    size_t wanted = (size_t)cli_get(args, "random")->integer;
    const rg_part *test = &job->use.split.fold.test;
    uint64_t seed = cli_get(args, "seed")->seed;
    if (job->split)
        n = test->n;
    if (wanted > n)
        return rg_fail(err, RG_EUSAGE, "option '--random': found %zu, expected at most %zu, %s",
                       wanted, n, job->split ? "the graphs of the test set" : "the graphs of DATA");
    job->graphs = rg_alloc(n, sizeof *job->graphs);
    if (!job->graphs)
        return rg_fail_memory(err, "listing samples");
    for (size_t k = 0; k < n; k++)
        job->graphs[k] = job->split ? test->graphs[k] : (uint32_t)k;
    rg_random_shuffle(seed, 0, job->graphs, n);
    job->n_graphs = wanted;
    return RG_OK;
}

static rg_status read_graphs(cli_explain *job, const cli_arguments *args, rg_error *err)
{
    size_t n = cli_source_items(&job->use.source).n;
    if (cli_get(args, "graphs")->given)
        return cli_sample_list(&job->graphs, &job->n_graphs, "graphs", cli_text(args, "graphs"), n,
                               err);
    if (cli_get(args, "random")->given)
        return draw_graphs(job, args, n, err);
    bool molecule = cli_is_molecule(job->use.source.graphs), class = cli_get(args, "class")->given;
    if (job->out && !molecule && !class && !cli_get(args, "graph")->given)
        return rg_fail(
            err, RG_EUSAGE,
            "option '--out' draws graphs: expected '--graph', '--graphs', '--random' or '--class'");
    if (!cli_get(args, "graph")->given && (!molecule || class))
        return RG_OK;
    job->graphs = rg_alloc(1, sizeof *job->graphs);
    if (!job->graphs)
        return rg_fail_memory(err, "listing samples");
    job->graphs[0] = (uint32_t)cli_get(args, "graph")->integer;
    job->n_graphs = 1;
    return RG_OK;
}

/* ---- model, names, data */

/* The set that the model was trained on, from its record. Owned (rg_free), NULL: not known. */
static char *trained_on(const cli_explain *job)
{
    json_t *record = json_loads(job->use.info.record, 0, NULL);
    const char *name = json_string_value(json_object_get(record, "data"));
    char *copy = name ? rg_copy_text(name, strlen(name)) : NULL;
    json_decref(record);
    return copy;
}

/* Of texts the model knows words, too. */
static rg_status add_own_names(cli_explain *job, rg_error *err)
{
    size_t n = 0;
    const rg_value_name *list = rg_model_value_names(job->use.model, &n);
    return job->use.info.sequence ? rg_names_add(job->names, list, n, true, err) : RG_OK;
}

static rg_status read_names(cli_explain *job, const cli_arguments *args, rg_error *err)
{
    const char *path = cli_text(args, "label-names");
    char *set = NULL;
    rg_names *known = NULL;
    if (!job->has_data)
        set = trained_on(job);
    const char *name = job->has_data ? cli_source_items(&job->use.source).name : set;
    const rg_dataset *graphs = job->use.source.graphs;
    rg_status status = graphs ? rg_names_of(&known, graphs, err)
                              : rg_names_known(&known, name ? name : "", 1, err);
    if (!status && path)
        status = rg_names_read(&job->names, path, known, err);
    else if (!status) {
        job->names = known;
        known = NULL;
    }
    rg_names_free(known);
    rg_free(set);
    return status ? status : add_own_names(job, err);
}

/* A file that names some labels of the data and not others. */
static void warn_nameless(const cli_explain *job)
{
    const rg_dataset *data = job->use.source.graphs;
    char line[200];
    size_t used = 0, n = 0, missing = 0;
    if (!data || !rg_names_any(job->names, RG_NAME_NODE) ||
        rg_dataset_n_columns(data, RG_NODE_LABEL) == 0)
        return;
    const int64_t *values = rg_dataset_values(data, RG_NODE_LABEL, 0, &n);
    for (size_t k = 0; k < n; k++) {
        if (rg_names_find(job->names, RG_NAME_NODE, values[k]))
            continue;
        if (missing++ < 8)
            used += (size_t)snprintf(line + used, sizeof line - used, "%s%" PRId64,
                                     used ? ", " : "", values[k]);
    }
    if (missing)
        cli_message("warning: %s has no name for %zu of %zu node labels (%s%s): they are shown as "
                    "numbers",
                    rg_names_source(job->names), missing, n, line, missing > 8 ? ", ..." : "");
}

static rg_status open_data(cli_explain *job, const cli_arguments *args, rg_error *err)
{
    job->use.targets_optional = true;
    rg_status status = cli_use_read(&job->use, args, err);
    if (!status)
        status = cli_split_read(&job->use.split, args, &job->use.source, err);
    if (status || !job->use.split.path)
        return status;
    job->part = job->use.split.fold.validation;
    job->split = true;
    if (job->part.n == 0)
        return rg_fail(err, RG_EUSAGE, "%s: fold %zu has no validation set", job->use.split.path,
                       job->use.split.number);
    return RG_OK;
}

/* Several networks have different rules: one of them is explained. */
static rg_status choose_network(cli_explain *job, const cli_arguments *args, rg_error *err)
{
    uint32_t n = job->use.info.n_networks;
    size_t k = (size_t)cli_get(args, "member")->integer;
    rg_status status = rg_model_select(&job->use.model, k - 1, err);
    if (!status && n > 1 && !cli_get(args, "member")->given && !cli_flag(args, "quiet"))
        cli_message("the model has %u networks that answer together: this explains the first "
                    "(--member)",
                    (unsigned)n);
    return status ? status : rg_model_describe(&job->use.info, job->use.model, err);
}

static rg_status open_job(cli_explain *job, const cli_arguments *args, rg_error *err)
{
    rg_status status = cli_use_open(&job->use, args, err);
    if (!status)
        status = choose_network(job, args, err);
    cli_progress_begin(&job->use.progress, job->path, cli_flag(args, "quiet"));
    if (!status && job->has_data)
        status = open_data(job, args, err);
    if (!status)
        status = read_names(job, args, err);
    if (!status)
        status = rg_explainer_new(&job->explainer, job->use.model, job->names, err);
    job->spread = cli_get(args, "spread")->choice == 0;
    if (!status)
        rg_explainer_set_spread(job->explainer, job->spread);
    if (!status)
        status = read_numbers(job, args, err);
    if (!status && job->has_data) {
        rg_source source = cli_source_view(&job->use.source);
        warn_nameless(job);
        status = rg_explainer_read(job->explainer, &source, &job->use.options, err);
    }
    if (!status && job->has_data)
        status = read_graphs(job, args, err);
    job->class = job->against = RG_NO_OUTPUT;
    if (!status && cli_get(args, "class")->given)
        status = read_class(&job->class, job, "class", cli_text(args, "class"), err);
    if (!status && cli_get(args, "against")->given)
        status = read_class(&job->against, job, "against", cli_text(args, "against"), err);
    if (!status && job->class != RG_NO_OUTPUT && job->class == job->against)
        status = rg_fail(err, RG_EUSAGE, "options '--class' and '--against' name the same class");
    return status;
}

static void print_place(const cli_explain *job)
{
    printf("%zu graph%s in ", job->n_graphs, job->n_graphs == 1 ? "" : "s");
    cli_print(job->out);
    printf("\n");
}

static rg_status explain(cli_explain *job, bool json, rg_error *err)
{
    if (job->truth)
        return cli_explain_truth(job, json, err);
    if (job->class != RG_NO_OUTPUT)
        return cli_explain_class(job, json, err);
    if (!job->n_graphs)
        return json ? cli_explain_rules_json(job, err) : cli_explain_rules(job, err);
    rg_status status = job->out ? cli_explain_draw(job, err) : RG_OK;
    if (!status && json)
        status = cli_explain_graphs_json(job, err);
    else if (!status && job->out)
        print_place(job);
    else if (!status)
        status = cli_explain_graphs(job, err);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    cli_explain *job = rg_alloc_zero(1, sizeof *job); /* options point into it */
    if (!job)
        return rg_fail_memory(err, "explaining a model");
    job->path = args->words[0];
    job->has_data = args->n_words > 1;
    rg_status status = check_options(args, err);
    if (!status)
        status = open_job(job, args, err);
    if (!status)
        status = explain(job, cli_flag(args, "json"), err);
    cli_progress_end(&job->use.progress);
    rg_explainer_free(job->explainer);
    rg_names_free(job->names);
    rg_free(job->graphs);
    cli_use_close(&job->use);
    rg_free(job);
    return status;
}

const cli_command cli_explain_command = {
    .name = "explain",
    .summary = "explain a model in sentences and figures",
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
