/* cmd_search.c - regula search: search for the best rule on a data set, in a given time. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command/commands.h"
#include "cli/model/use.h"
#include "cli/output/epochs.h"
#include "cli/output/output.h"
#include "cli/output/place.h"
#include "experiment.h"
#include "search.h"
#include "text/json_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const cli_argument arguments[] = {
    CLI_DATA_ARGUMENT,
};

static const cli_option options[] = {
    {.name = "minutes",
     .old_letter = 'm',
     .kind = CLI_REAL,
     .metavar = "M",
     .min = 0.001,
     .max = 1e5,
     .help = "Time limit in minutes, including the final test."},
    {.name = "out",
     .letter = 'o',
     .kind = CLI_PATH,
     .metavar = "FILE",
     .help =
         "Output file for the experiment of the winner; the leaderboard goes next to it, as JSON.",
     .otherwise = "NAME-best.yml"},
    {.name = "seed",
     .kind = CLI_SEED,
     .metavar = "S",
     .help = "Random seed of the candidates and of training."},
    CLI_SPLIT_OPTION(" to use instead of the default splits of experiments"),
    {.name = "metric",
     .kind = CLI_WORD,
     .metavar = "METRIC",
     .help = "What candidates are compared by: auto, accuracy, balanced-accuracy, roc-auc, "
             "average-precision, "
             "f1-macro, f1-micro, log-loss, mae, rmse or r2.",
     .otherwise = "accuracy, or mae"},
    {.name = "rounds",
     .kind = CLI_WORD,
     .metavar = "N,N,...",
     .help = "Number of candidates in each round, instead of a time limit: repeats an earlier "
             "search to the last bit."},
    CLI_JOBS_OPTION,
    CLI_MEMORY_OPTION,
    CLI_JSON_OPTION,
    CLI_QUIET_OPTION,
};

static const char *const description[] = {
    "Compares candidate networks that differ in labels, label depth and number, distances, bonds, "
    "layers, heads, the labels of the aggregation, and learning rate. The first candidates are "
    "models of the paper; the seed draws the others at random. The search uses successive halving: "
    "the first round trains each candidate for a few epochs on a few folds; the best of each round "
    "get more epochs and folds in the next, up to full training on all folds with several runs.",
    "Only validation scores select candidates: the test sets are not even loaded before the winner "
    "is chosen, and then it is tested once. The time limit affects the number of candidates per "
    "round, and nothing else.",
    "Prints the leaderboard, the effect of each choice in the first round, and the test score, and "
    "writes the winner as an experiment file for 'regula run'. The output of --json, with all "
    "candidates, goes to a file of the same name that ends in .json; 'regula report --search FILE' "
    "shows it.",
    NULL,
};

static const cli_example examples[] = {
    {"regula search csl --minutes 0.1", "A quick search; give it minutes for better rules."},
    {"regula search csl --rounds 6,2 --out best.yml --json",
     "Try 6 candidates, then the best 2; print JSON."},
};

static void defaults(cli_arguments *args)
{
    rg_search_options usual = rg_search_options_default();
    cli_default_real(args, "minutes", usual.seconds / 60);
    cli_default_seed(args, "seed", usual.seed);
    cli_default_integer(args, "jobs", 0);
}

/* "40,13,4,2" */
static rg_status read_rounds(size_t out[RG_SEARCH_ROUNDS], const char *text, rg_error *err)
{
    const char *at = text;
    size_t n = 0;
    for (; at && n < RG_SEARCH_ROUNDS && *at >= '0' && *at <= '9'; n++) {
        char *end = NULL;
        unsigned long value = strtoul(at, &end, 10);
        if (value > RG_SEARCH_CANDIDATES_MAX)
            break;
        out[n] = (size_t)value;
        at = end;
        if (*at == '\0' && out[0] > 0)
            return RG_OK;
        at += *at == ',';
    }
    if (!text)
        return RG_OK;
    return rg_fail(err, RG_EUSAGE,
                   "option '--rounds': found '%s', expected up to %d numbers up to %d with commas "
                   "between them, such as 40,12,4,2",
                   text, RG_SEARCH_ROUNDS, RG_SEARCH_CANDIDATES_MAX);
}

/* ---- progress and signals */

static int is_asked(void *context)
{
    (void)context;
    return cli_stop_asked();
}

static void show(void *context, const rg_search_state *state)
{
    if (!cli_line_due(context))
        return;
    if (state->round > RG_SEARCH_ROUNDS)
        cli_line_add(context, "  test of the winner");
    else
        cli_line_add(context, "  round %" PRIu32 "  %zu candidates%s", state->round,
                     state->n_left ? state->n_left : state->n_done, state->n_left ? " left" : "");
    cli_line_finish(context, state->best, state->metric, state->left);
}

static rg_status run_search(cli_search *job, bool quiet, rg_error *err)
{
    rg_source source = cli_source_view(&job->about.source);
    cli_line line = cli_line_begin(cli_source_items(&job->about.source).name, quiet);
    cli_stop_begin();
    job->options.progress = show;
    job->options.stop = is_asked;
    job->options.context = &line;
    rg_status status = rg_search_run(&job->result, &source, job->about.splits, &job->options, err);
    cli_stop_end();
    cli_line_end(&line);
    return status;
}

/* ---- data, and the files of the winner and of the leaderboard */

/* Data and splits are found as those of an experiment are, so that the winner's finds the same. */
static rg_status open_data(cli_search *job, const char *data, const char *splits, rg_error *err)
{
    rg_text text = {0};
    rg_text_add(&text, "name: search\ndata: ");
    rg_text_json(&text, data);
    if (splits) {
        rg_text_add(&text, "\nsplits: ");
        rg_text_json(&text, splits);
    }
    rg_text_add(&text, "\nnetwork: {layers: [dense: auto]}\n");
    size_t n = text.n;
    char *whole = rg_text_take(&text);
    if (!whole)
        return rg_fail_memory(err, "a search");
    rg_status status =
        rg_experiment_parse(&job->about.experiment, "search", whole, n, NULL, 0, err);
    rg_free(whole);
    return status ? status : cli_experiment_open(&job->about, err);
}

/* best.yml and best.json. Names that do not end as YAML files do stay whole. */
static rg_status name_files(cli_search *job, const char *out, rg_error *err)
{
    rg_text text = {0}, board = {0};
    rg_text_add(&text, "%s%s", out ? out : cli_source_items(&job->about.source).name,
                out ? "" : "-best.yml");
    job->file = rg_text_take(&text);
    if (!job->file)
        return rg_fail_memory(err, "a search");
    const char *end = strrchr(job->file, '.');
    bool yaml = end && (strcmp(end, ".yml") == 0 || strcmp(end, ".yaml") == 0);
    size_t n = yaml ? (size_t)(end - job->file) : strlen(job->file);
    rg_text_add(&board, "%.*s.json", (int)n, job->file);
    job->board = rg_text_take(&board);
    rg_status status =
        job->board ? cli_check_place(job->file, err) : rg_fail_memory(err, "a search");
    return status ? status : cli_check_place(job->board, err);
}

/* What the comment on top of the file says of the result. */
static void add_comment(rg_text *text, const cli_search *job)
{
    const rg_search_result *r = &job->result;
    const rg_search_entry *e = &r->entries[0];
    double unit = rg_metric_is_share(r->metric) ? 100 : 1;
    char rounds[96];
    cli_search_rounds_text(r, rounds, sizeof rounds);
    rg_text_add(text,
                "# The best of %zu rules that regula search tried (--minutes %g --seed %" PRIu64
                " %s),\n"
                "# selected by validation score alone: %.2f +- %.2f in round %" PRIu32 ".\n",
                r->n_entries, job->options.seconds / 60, job->options.seed, rounds, unit * e->mean,
                unit * e->deviation, e->round);
    if (r->winner.n_folds)
        rg_text_add(text,
                    "# Tested once, after selection: %.2f +- %.2f over %zu folds, %" PRIu32
                    " runs each; one rule for all folds\n# (protocol global).",
                    unit * r->winner.mean, unit * r->winner.deviation, r->winner.n_folds,
                    r->final.n_runs);
    if (r->winner.n_folds && r->n_finalists > 1)
        rg_text_add(text, " Per fold the best of %zu finalists (fair): %.2f +- %.2f.",
                    r->n_finalists, unit * r->finalists.mean, unit * r->finalists.deviation);
    rg_text_add(text, "%s", r->winner.n_folds ? "\n" : "");
}

static rg_status write_file(const cli_search *job, const cli_arguments *args, rg_error *err)
{
    rg_text comment = {0}, name = {0};
    rg_file *file = NULL;
    char *experiment = NULL;
    rg_text_add(&name, "%s-best", cli_source_items(&job->about.source).name);
    add_comment(&comment, job);
    char *top = rg_text_take(&comment), *whose = rg_text_take(&name);
    rg_status status = top && whose
                           ? rg_search_experiment(&experiment, &job->result, whose, args->words[0],
                                                  cli_text(args, "split"), &job->options, err)
                           : rg_fail_memory(err, "a search");
    if (!status)
        status = rg_file_create(&file, job->file, err);
    if (!status) {
        rg_file_text(file, top);
        rg_file_text(file, experiment);
        status = rg_file_commit(file, err);
    }
    rg_free(experiment);
    rg_free(top);
    rg_free(whose);
    return status;
}

static rg_status run(const cli_arguments *args, rg_error *err)
{
    cli_search job = {.options = rg_search_options_default()};
    double start = cli_now();
    job.options.seed = cli_get(args, "seed")->seed;
    job.options.n_threads = (unsigned)cli_get(args, "jobs")->integer;
    job.options.memory = cli_get(args, "memory")->size;
    rg_status status = read_rounds(job.options.n_candidates, cli_text(args, "rounds"), err);
    if (!status)
        status = cli_cpu(&job.options.cpu, err);
    if (!status && cli_text(args, "metric"))
        status = rg_metric_find(&job.options.metric, cli_text(args, "metric"), err);
    if (!status)
        status = open_data(&job, args->words[0], cli_text(args, "split"), err);
    if (!status)
        status = name_files(&job, cli_text(args, "out"), err);
    job.options.seconds = 60 * cli_get(args, "minutes")->real;
    job.options.late = cli_now() - start;
    job.options.cache = job.about.cache;
    if (!status)
        status = run_search(&job, cli_flag(args, "quiet"), err);
    if (!status)
        status = write_file(&job, args, err);
    if (!status)
        status = cli_search_json(&job, cli_flag(args, "json"), err);
    if (!status && !cli_flag(args, "json"))
        cli_search_print_text(&job);
    rg_search_free(&job.result);
    cli_experiment_close(&job.about);
    rg_free(job.file);
    rg_free(job.board);
    return status;
}

const cli_command cli_search_command = {
    .name = "search",
    .summary = "search for a good rule within a time limit",
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
