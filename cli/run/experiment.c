/* experiment.c - see experiment.h. */
#include "experiment.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/model/use.h"
#include "cli/output/epochs.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "regula/fetch.h"
#include "show.h"
#include "text/text.h"

#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS_A_LINE = 60 }; /* off a terminal */

/* ---- data and splits */

static rg_status describe_splits(cli_experiment *job, const char *path, rg_error *err)
{
    const rg_split_options *o = job->info.split;
    rg_text text = {0};
    if (path)
        rg_text_add(&text, "file %s", rg_path_name(path));
    else if (o->n_folds == 1)
        rg_text_add(&text, "made: hold-out, test %g, validation %g, seed %llu", o->test,
                    o->validation, (unsigned long long)o->seed);
    else
        rg_text_add(&text, "made: %zu folds, validation %g, seed %llu", o->n_folds, o->validation,
                    (unsigned long long)o->seed);
    job->splits_text = rg_text_take(&text);
    return job->splits_text ? RG_OK : rg_fail_memory(err, "splits");
}

static rg_status read_splits(cli_experiment *job, rg_error *err)
{
    rg_items items = cli_source_items(&job->source);
    char *path = NULL;
    rg_status status = rg_experiment_splits(&job->splits, &path, job->experiment, &items, err);
    job->report = (rg_split_report)RG_SPLIT_REPORT_INIT;
    if (!status)
        status = rg_splits_check_for(&job->report, job->splits, &items, path, err);
    if (!status)
        status = describe_splits(job, path, err);
    rg_text_free(path);
    return status;
}

rg_status cli_experiment_open(cli_experiment *job, rg_error *err)
{
    job->info = *rg_experiment_describe(job->experiment);
    rg_status status = cli_source_read(&job->source, job->info.data, NULL, NULL, err);
    if (!status)
        status = read_splits(job, err);
    if (!status)
        status = cli_label_cache(&job->cache, err);
    if (!status && job->report.empty_validation && job->info.n_configurations > 1)
        cli_message("warning: %zu of %zu folds have no validation set to select configurations on",
                    job->report.empty_validation, job->report.n_folds);
    return status;
}

void cli_experiment_close(cli_experiment *job)
{
    rg_experiment_free(job->experiment);
    rg_free(job->file);
    cli_source_free(&job->source);
    rg_splits_free(job->splits);
    rg_free(job->splits_text);
    rg_text_free(job->cache);
}

rg_status cli_experiment_directory(char **out, const cli_arguments *args, const char *name,
                                   rg_error *err)
{
    const char *said = cli_text(args, "out");
    rg_text usual = {0};
    rg_text_add(&usual, "%s%s", said ? "" : "runs/", said ? said : name);
    *out = rg_text_take(&usual);
    return *out ? RG_OK : rg_fail_memory(err, "an experiment");
}

/* ---- progress and signals */

static atomic_int asked; /* a signal asked to stop; read by every thread */
static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
static struct sigaction before[CLI_COUNT(signals)];
static unsigned depth; /* of cli_stop_begin */

static void on_signal(int number)
{
    if (asked) { /* a second one: at once */
        signal(number, SIG_DFL);
        raise(number);
    }
    asked = 1;
}

void cli_stop_begin(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    if (depth++ > 0)
        return;
    sigemptyset(&action.sa_mask);
    asked = 0;
    for (size_t k = 0; k < CLI_COUNT(signals); k++)
        sigaction(signals[k], &action, &before[k]);
}

void cli_stop_end(void)
{
    if (--depth > 0)
        return;
    for (size_t k = 0; k < CLI_COUNT(signals); k++)
        sigaction(signals[k], &before[k], NULL);
}

bool cli_stop_asked(void)
{
    return asked != 0;
}

static int is_asked(void *context)
{
    (void)context;
    return asked;
}

cli_line cli_line_begin(const char *title, bool quiet)
{
    bool terminal = cli_draws();
    return (cli_line){
        .title = title, .quiet = quiet, .terminal = terminal, .last = terminal ? 0 : cli_now()};
}

bool cli_line_due(cli_line *line)
{
    double time = cli_now();
    if (line->quiet || time - line->last < (line->terminal ? 0.2 : SECONDS_A_LINE))
        return false;
    line->last = time;
    line->text[0] = '\0';
    cli_line_add(line, "%.200s", line->title);
    return true;
}

void cli_line_add(cli_line *line, const char *format, ...)
{
    size_t used = strlen(line->text);
    va_list args;
    va_start(args, format);
    vsnprintf(line->text + used, sizeof line->text - used, format, args);
    va_end(args);
}

void cli_line_finish(cli_line *line, double best, rg_metric metric, double left)
{
    char text[32];
    cli_score_text(best, metric, text);
    if (!isnan(best))
        cli_line_add(line, "  best validation %s", text);
    cli_duration_text(left > 0 ? left : 0, text);
    if (left >= 0)
        cli_line_add(line, "  %s left", text);
    if (line->terminal) {
        cli_draw(line->text);
    } else {
        cli_print_to(stderr, line->text);
        fputc('\n', stderr);
    }
    line->drawn = line->terminal;
}

void cli_line_end(const cli_line *line)
{
    if (line->drawn)
        cli_draw("");
}

/* The line of a run, and who runs it. */
typedef struct run_line {
    cli_line line;
    const rg_run_options *options;
    bool told;
} run_line;

void cli_rank_text(char out[CLI_RANK_TEXT], const rg_run_options *options)
{
    snprintf(out, CLI_RANK_TEXT, "rank %u of %u", (unsigned)options->shard,
             (unsigned)options->n_shards);
}

/* Several processes may share a terminal or a log: each says once who it is. */
static void introduce(const run_line *l, const rg_run_state *state)
{
    char rank[CLI_RANK_TEXT];
    cli_rank_text(rank, l->options);
    cli_message("%s: %zu of its %zu jobs are left", rank, state->n_jobs - state->n_done,
                state->n_jobs);
}

static void say_waiting(void *context)
{
    const run_line *l = context;
    cli_message("waiting for '%s', which another process has open", l->options->directory);
}

static void show(void *context, const rg_run_state *state)
{
    run_line *l = context;
    if (l->options->together && !l->told && !l->line.quiet)
        introduce(l, state);
    l->told = true;
    if (!cli_line_due(&l->line))
        return;
    cli_line_add(&l->line, "  %zu of %zu jobs", state->n_done, state->n_jobs);
    if (state->n_failed)
        cli_line_add(&l->line, " (%zu failed)", state->n_failed);
    cli_line_finish(&l->line, state->best, state->metric, state->left);
}

rg_status cli_experiment_run(rg_run_report *out, const cli_experiment *job, rg_run_options *options,
                             bool quiet, rg_error *err)
{
    rg_source source = cli_source_view(&job->source);
    run_line l = {.line = cli_line_begin(job->info.name, quiet), .options = options};
    options->cache = job->cache;
    options->progress = show;
    options->stop = is_asked;
    options->waits = say_waiting;
    options->context = &l;
    cli_stop_begin();
    rg_status status =
        rg_experiment_run(out, job->experiment, job->file ? job->file : "", &source,
                          job->source.path, job->splits, job->splits_text, options, err);
    cli_stop_end();
    cli_line_end(&l.line);
    return status;
}

/* ---- results */

rg_status cli_experiment_print(const char *directory, const rg_run_report *report, bool json,
                               double seconds, rg_error *err)
{
    rg_store *store = NULL;
    rg_results results = {.store = NULL};
    rg_status status = rg_store_open(&store, directory, false, err);
    if (!status)
        status = rg_results_make(&results, store, NULL, 0, err);
    if (!status) {
        cli_show show = {.results = &results,
                         .table = CLI_SHOW_RESULTS,
                         .format = json ? CLI_SHOW_JSON : CLI_SHOW_TEXT,
                         .seconds = seconds};
        cli_show_warn(&results);
        status = cli_show_print(&show, NULL, err);
    }
    if (!status && !json && report->n_models) {
        printf("models: %zu, in ", report->n_models);
        cli_print(directory);
        printf("/models\n");
    }
    if (!status && !json && report->n_without)
        printf("baselines: %zu runs, which have no model files\n", report->n_without);
    rg_results_free(&results);
    rg_store_close(store);
    return status;
}
