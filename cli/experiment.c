/* experiment.c - see experiment.h. */
#include "experiment.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "epochs.h"
#include "output.h"
#include "progress.h"
#include "regula/fetch.h"
#include "use.h"

#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS_A_LINE = 60 }; /* off a terminal */

/* ---- data and splits */

/* $REGULA_DATA/splits/NAME.json if it is there. *out: owned (rg_free), NULL: it is not. */
static rg_status usual_splits(char **out, const char *name, rg_error *err)
{
    const char *folder = getenv("REGULA_DATA");
    rg_text text = {0};
    *out = NULL;
    if (!folder || !*folder)
        return RG_OK;
    rg_text_add(&text, "%s/splits/%s.json", folder, name);
    char *path = rg_text_take(&text);
    if (!path)
        return rg_fail_memory(err, "the path of splits");
    if (rg_path_is_file(path))
        *out = path;
    else
        rg_free(path);
    return RG_OK;
}

static rg_status describe_splits(cli_experiment *job, const char *path, rg_error *err)
{
    const rg_split_options *o = &job->info.split;
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
    char *found = NULL;
    const char *path = job->info.splits;
    rg_status status = RG_OK;
    if (!path && !job->info.make_splits) {
        status = usual_splits(&found, items.name, err);
        path = found;
    }
    if (!status)
        status = path ? rg_splits_read(&job->splits, path, err)
                      : rg_splits_make_for(&job->splits, &items, &job->info.split, err);
    if (!status)
        status = rg_splits_check_for(&job->report, job->splits, &items, path, err);
    if (!status)
        status = describe_splits(job, path, err);
    rg_free(found);
    return status;
}

/* What the splits make of the numbers that will come, before they take their time. */
static void warn(const cli_experiment *job)
{
    const rg_split_report *r = &job->report;
    if (r->validation_is_test)
        cli_message("warning: in %zu of %zu folds the validation part is the test part: what is "
                    "chosen on it is not tested",
                    r->validation_is_test, r->n_folds);
    if (r->empty_validation && job->info.n_configurations > 1)
        cli_message("warning: in %zu of %zu folds there is no validation part: nothing can be "
                    "chosen there",
                    r->empty_validation, r->n_folds);
}

rg_status cli_experiment_open(cli_experiment *job, rg_error *err)
{
    job->info = rg_experiment_describe(job->experiment);
    rg_status status = cli_source_read(&job->source, job->info.data, NULL, err);
    if (!status)
        status = read_splits(job, err);
    if (!status)
        status = cli_label_cache(&job->cache, err);
    if (!status)
        warn(job);
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

/* ---- progress and signals */

static atomic_int asked; /* a signal asked to stop; read by every thread */

static void on_signal(int number)
{
    if (asked) { /* a second one: at once */
        signal(number, SIG_DFL);
        raise(number);
    }
    asked = 1;
}

static int is_asked(void *context)
{
    (void)context;
    return asked;
}

typedef struct line {
    const char *title;
    bool quiet, terminal, drawn;
    double last;
} line;

static void show(void *context, const rg_conduct_state *state)
{
    line *l = context;
    char best[32], left[32];
    double time = cli_now();
    if (l->quiet || time - l->last < (l->terminal ? 0.2 : SECONDS_A_LINE))
        return;
    l->last = time;
    cli_score_text(state->best, state->errors, best);
    cli_duration_text(state->left, left);
    if (l->terminal)
        fputs("\r\033[K", stderr);
    fprintf(stderr, "%s  %zu of %zu jobs", l->title, state->n_done, state->n_jobs);
    if (state->n_failed)
        fprintf(stderr, " (%zu failed)", state->n_failed);
    if (!isnan(state->best))
        fprintf(stderr, "  best validation %s", best);
    if (state->left >= 0)
        fprintf(stderr, "  %s left", left);
    if (!l->terminal)
        fputc('\n', stderr);
    fflush(stderr);
    l->drawn = l->terminal;
}

rg_status cli_experiment_run(rg_conduct_report *out, const cli_experiment *job,
                             rg_conduct_options *options, bool quiet, rg_error *err)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}, before[CLI_COUNT(signals)];
    rg_source source = cli_source_view(&job->source);
    line l = {.title = job->info.name,
              .quiet = quiet,
              .terminal = isatty(STDERR_FILENO),
              .last = isatty(STDERR_FILENO) ? 0 : cli_now()};
    sigemptyset(&action.sa_mask);
    asked = 0;
    for (size_t k = 0; k < CLI_COUNT(signals); k++)
        sigaction(signals[k], &action, &before[k]);
    options->cache = job->cache;
    options->progress = show;
    options->stop = is_asked;
    options->context = &l;
    rg_status status =
        rg_experiment_conduct(out, job->experiment, job->file ? job->file : "", &source,
                              job->source.path, job->splits, job->splits_text, options, err);
    for (size_t k = 0; k < CLI_COUNT(signals); k++)
        sigaction(signals[k], &before[k], NULL);
    if (l.drawn)
        fputs("\r\033[K", stderr);
    return status;
}

/* ---- results */

static void print_protocol(const rg_protocol_result *r, const rg_store_configuration *all)
{
    printf("%-10s %6.2f +- %5.2f  validation %6.2f  configuration %u%s%s\n",
           rg_protocol_name(r->protocol), 100 * r->mean, 100 * r->deviation, 100 * r->validation,
           (unsigned)r->configuration, all[r->configuration].choices[0] ? ": " : "",
           all[r->configuration].choices);
}

rg_status cli_experiment_print(const char *directory, const rg_conduct_report *report, bool json,
                               rg_error *err)
{
    rg_store *store = NULL;
    rg_store_run *runs = NULL;
    rg_cells cells = {0};
    size_t n = 0, n_configurations;
    (void)json;
    rg_status status = rg_store_open(&store, directory, false, err);
    if (!status)
        status = rg_store_runs(&runs, &n, store, err);
    if (status) {
        rg_store_close(store);
        return status;
    }
    const rg_store_experiment *about = rg_store_about(store);
    const rg_store_configuration *all = rg_store_configurations(store, &n_configurations);
    status =
        rg_cells_make(&cells, runs, n, n_configurations, about->n_folds, about->n_runs, false, err);
    for (int p = 0; !status && p < RG_PROTOCOLS; p++) {
        rg_protocol_result result;
        rg_error why;
        if (rg_protocol_run(&result, (rg_protocol)p, &cells, store, &why))
            continue;
        print_protocol(&result, all);
        rg_protocol_free(&result);
    }
    printf("%zu of %zu jobs are over, %zu failed; %zu models\n", report->n_done, report->n_jobs,
           report->n_failed, report->n_models);
    rg_cells_free(&cells);
    rg_store_runs_free(runs, n);
    rg_store_close(store);
    return status;
}
