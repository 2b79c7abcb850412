/* reproduce.c - see reproduce.h: data, splits and experiments of the paper, row by row. */
#include "reproduce_parts.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "base/scratch.h"
#include "cli/model/use.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "regula/fetch.h"
#include "text/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

bool cli_reproduce_accuracy(const cli_reproduce *wish, const rg_paper_row *row)
{
    return (wish->tables & (row->synthetic ? CLI_SYNTHETIC : CLI_REAL_WORLD)) != 0;
}

bool cli_reproduce_chosen(const cli_reproduce *wish, const rg_paper_row *row)
{
    return !wish->as_published && rg_paper_has_grid(row);
}

void cli_reproduction_free(cli_reproduction *all)
{
    for (size_t k = 0; k < all->n; k++) {
        rg_paper_result_free(&all->rows[k].accuracy);
        rg_paper_result_free(&all->rows[k].runtime);
        rg_free(all->rows[k].splits);
        cli_reproduced_models_free(&all->rows[k]);
    }
    rg_free(all->rows);
    *all = (cli_reproduction){.rows = NULL};
}

size_t cli_reproduction_done(const cli_reproduction *all)
{
    size_t n = 0;
    for (size_t k = 0; k < all->n; k++) {
        const cli_reproduced *r = &all->rows[k];
        bool any = r->has_accuracy || r->has_size || r->has_runtime;
        for (size_t m = 0; m < r->n_models; m++)
            any = any || r->models[m].done;
        n += any;
    }
    return n;
}

/* ---- experiments */

void cli_reproduce_forget(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
    int file = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return;
    ssize_t n = write(file, "5", 1);
    (void)n;
    close(file);
}

void cli_reproduce_drop(cli_experiment *job)
{
    rg_experiment_free(job->experiment);
    rg_free(job->file);
    job->experiment = NULL;
    job->file = NULL;
}

/* Parses the experiment anew over the data at hand, which stay. */
static rg_status set_experiment(cli_experiment *job, const rg_paper_row *row,
                                const cli_reproduce_shared *b, rg_paper_training training,
                                rg_error *err)
{
    cli_reproduce_drop(job);
    rg_status status = rg_paper_experiment(&job->experiment, &job->file, row, training,
                                           b->wish->overrides, b->wish->n_overrides, err);
    if (!status)
        job->info = *rg_experiment_describe(job->experiment);
    return status;
}

rg_status cli_reproduce_run_job(rg_paper_result *out, bool *resumed, bool *stopped,
                                const cli_experiment *job, const char *directory,
                                const cli_reproduce_shared *b, rg_error *err)
{
    rg_run_options options = {
        .directory = directory, .n_threads = b->wish->n_threads, .cpu = b->wish->cpu};
    rg_run_report report = {.n_jobs = 0};
    rg_status status = cli_experiment_run(&report, job, &options, b->wish->quiet, err);
    *stopped = !status && report.stopped;
    *resumed = !status && report.resumed;
    if (!status && !report.stopped)
        status = rg_paper_result_read(out, directory, err);
    return status;
}

/* Runs it in WORK/NAME, with the published settings of a set that has a grid in
 * WORK/NAME-published.
 */
static rg_status run_row(rg_paper_result *out, bool *resumed, bool *stopped,
                         const cli_experiment *job, const rg_paper_row *row,
                         const cli_reproduce_shared *b, rg_paper_training training, rg_error *err)
{
    bool separate = training == RG_PAPER_PUBLISHED && rg_paper_has_grid(row);
    rg_text path = {0};
    rg_text_add(&path, "%s/%s%s", b->work, row->data, separate ? "-published" : "");
    char *directory = rg_text_take(&path);
    rg_status status = directory
                           ? cli_reproduce_run_job(out, resumed, stopped, job, directory, b, err)
                           : rg_fail_memory(err, "an experiment");
    rg_free(directory);
    return status;
}

/* ---- one row */

static rg_status do_experiments(cli_reproduced *out, cli_experiment *job, bool *stopped,
                                double start, const cli_reproduce_shared *b, rg_error *err)
{
    const rg_paper_row *row = out->row;
    bool resumed = false;
    rg_status status = RG_OK;
    if (cli_reproduce_accuracy(b->wish, row) && cli_reproduce_rule(b->wish)) {
        rg_paper_training training = b->wish->as_published ? RG_PAPER_PUBLISHED : RG_PAPER_CHOSEN;
        status = set_experiment(job, row, b, training, err);
        if (!status)
            status = run_row(&out->accuracy, &out->resumed, stopped, job, row, b, training, err);
        out->seconds = cli_now() - start;
        out->has_accuracy = !status && !*stopped;
    }
    if (!status && !*stopped && cli_reproduce_accuracy(b->wish, row) && b->wish->baselines)
        status = cli_reproduce_models(out, job, stopped, b, err);
    if (!status && !*stopped && (b->wish->tables & CLI_RUNTIMES)) {
        status = set_experiment(job, row, b, RG_PAPER_PUBLISHED, err);
        if (!status)
            status =
                run_row(&out->runtime, &resumed, stopped, job, row, b, RG_PAPER_PUBLISHED, err);
        out->has_runtime = !status && !*stopped;
    }
    return status;
}

static rg_status do_row(cli_reproduced *out, bool *stopped, const cli_reproduce_shared *b,
                        rg_error *err)
{
    unsigned tables = b->wish->tables;
    bool trains = cli_reproduce_accuracy(b->wish, out->row) || (tables & CLI_RUNTIMES);
    bool published = false;
    double start = cli_now();
    cli_experiment job = {.experiment = NULL};
    cli_reproduce_forget();
    rg_status status = cli_reproduce_data(&job, out, &published, &b->places, b->wish->data, err);
    if (!status && trains)
        status = set_experiment(&job, out->row, b, RG_PAPER_PUBLISHED, err);
    if (!status && trains)
        status = cli_reproduce_splits(&job, out, published, &b->places, err);
    if (!status && trains) {
        out->splits = rg_copy_text(job.splits_text, strlen(job.splits_text));
        job.cache = b->cache ? rg_copy_text(b->cache, strlen(b->cache)) : NULL;
        if (!out->splits || (b->cache && !job.cache))
            status = rg_fail_memory(err, "an experiment");
    }
    if (!status && trains)
        status = do_experiments(out, &job, stopped, start, b, err);
    if (!status && !*stopped && (tables & (CLI_PARAMETERS | CLI_RUNTIMES))) {
        status = rg_paper_measure(&out->size, out->row, job.source.graphs, err);
        out->has_size = !status;
    }
    cli_experiment_close(&job);
    return status;
}

/* What came of a row, for people who wait. */
static void tell_row(const cli_reproduced *r, const cli_reproduce *wish)
{
    if (r->why.message[0])
        cli_message("%s: %s", r->row->data, r->why.message);
    if (wish->quiet)
        return;
    if (r->has_accuracy)
        fprintf(stderr, "%s  %.1f +- %.1f, published %s +- %s, %.1f s\n", r->row->data,
                r->accuracy.mean, r->accuracy.deviation, r->row->accuracy.mean,
                r->row->accuracy.deviation, r->seconds);
    else if (r->has_size || r->has_runtime)
        fprintf(stderr, "%s  done\n", r->row->data);
}

/* ---- all rows */

static bool is_wanted(const cli_reproduce *wish, const rg_paper_row *row)
{
    bool in = cli_reproduce_accuracy(wish, row) || (wish->tables & (CLI_PARAMETERS | CLI_RUNTIMES));
    for (size_t k = 0; in && k < wish->n_only; k++)
        if (rg_paper_find(wish->only[k]) == row)
            return true;
    return in && wish->n_only == 0;
}

/* Names that are in none of the tables are a mistake, and so is what nobody may change. */
static rg_status check(const cli_reproduce *wish, rg_error *err)
{
    static const char *const keys[] = {"runs",   "seed", "starts",  "folds",
                                       "splits", "fit",  "training"};
    size_t n_rows;
    const rg_paper_row *rows = rg_paper_rows(&n_rows);
    for (size_t k = 0; k < wish->n_only; k++) {
        const rg_paper_row *row = rg_paper_find(wish->only[k]);
        cli_reproduce any = {.tables = wish->tables};
        if (row && is_wanted(&any, row))
            continue;
        rg_text names = {0};
        for (size_t r = 0; r < n_rows; r++)
            if (is_wanted(&any, &rows[r]))
                rg_text_add(&names, "%s%s", names.n ? ", " : "", rows[r].data);
        char *list = rg_text_take(&names);
        rg_status status =
            list ? rg_fail(err, RG_EUSAGE, "option '--only': found '%s', expected one of %s",
                           wish->only[k], list)
                 : rg_fail_memory(err, "the rows of a table");
        rg_free(list);
        return status;
    }
    for (size_t k = 0; k < wish->n_overrides; k++) {
        size_t n = strcspn(wish->overrides[k], ".="), at = 0;
        while (at < CLI_COUNT(keys) &&
               (strlen(keys[at]) != n || strncmp(keys[at], wish->overrides[k], n) != 0))
            at++;
        if (at == CLI_COUNT(keys))
            return rg_fail(
                err, RG_EUSAGE,
                "option '--set': found '%s', expected runs, seed, starts, folds, splits, "
                "fit or training.KEY: the rest is the paper's",
                wish->overrides[k]);
    }
    return RG_OK;
}

/* Mistakes in what --set says are those of all rows: better said once, before the work begins. */
static rg_status check_overrides(const cli_reproduce *wish, rg_error *err)
{
    size_t n_rows;
    const rg_paper_row *rows = rg_paper_rows(&n_rows);
    rg_experiment *experiment = NULL;
    char *text = NULL;
    rg_status status = rg_paper_experiment(&experiment, &text, &rows[0], RG_PAPER_CHOSEN,
                                           wish->overrides, wish->n_overrides, err);
    if (!status) {
        rg_experiment_free(experiment);
        rg_free(text);
    }
    return status;
}

static rg_status do_rows(cli_reproduction *all, const cli_reproduce_shared *b, rg_error *err)
{
    size_t n_rows;
    const rg_paper_row *rows = rg_paper_rows(&n_rows);
    rg_status status = RG_OK;
    all->rows = rg_alloc_zero(n_rows, sizeof *all->rows);
    if (!all->rows)
        return rg_fail_memory(err, "the rows of a table");
    for (size_t k = 0; k < n_rows; k++)
        all->n_wanted += is_wanted(b->wish, &rows[k]);
    for (size_t k = 0; k < n_rows && !status && !all->stopped; k++) {
        if (!is_wanted(b->wish, &rows[k]))
            continue;
        cli_reproduced *r = &all->rows[all->n++];
        r->row = &rows[k];
        status = do_row(r, &all->stopped, b, &r->why);
        all->stopped = all->stopped || cli_stop_asked();
        if (status == RG_ENOMEM || status == RG_EUSAGE) {
            *err = r->why;
        } else {
            status = RG_OK; /* this row alone */
            tell_row(r, b->wish);
        }
    }
    return status;
}

rg_status cli_reproduce_run(cli_reproduction *out, const cli_reproduce *wish, rg_error *err)
{
    cli_reproduction all = {.rows = NULL};
    cli_reproduce_shared b = {.wish = wish};
    rg_scratch scratch = {.path = NULL};
    const char *folder = getenv("TMPDIR");
    rg_status status = check(wish, err);
    if (!status)
        status = cli_reproduce_check_rows(wish, err);
    if (!status)
        status = check_overrides(wish, err);
    if (!status)
        status = cli_places_find(&b.places, wish->data, err);
    if (status)
        return status;
    status = cli_label_cache(&b.cache, err);
    if (!status)
        status = wish->out ? rg_dir_make(wish->out, err)
                           : rg_scratch_make(&scratch, folder && *folder ? folder : "/tmp", err);
    b.work = wish->out ? wish->out : scratch.path;
    cli_stop_begin();
    if (!status)
        status = do_rows(&all, &b, err);
    cli_stop_end();
    rg_scratch_remove(&scratch);
    rg_text_free(b.cache);
    cli_places_free(&b.places);
    if (status)
        cli_reproduction_free(&all);
    else
        *out = all;
    return status;
}
