/* show_jobs.c - see show.h: rows of the store as tables. */
#include "base/alloc.h"
#include "base/error.h"
#include "cli/command/command.h"
#include "show.h"

#include <math.h>

static const char *const states[] = {"waiting", "done", "failed"};

static bool is_full(const cli_table *table, const cli_show *show)
{
    return table->failed || (show->top && cli_table_rows(table) >= show->top);
}

/* ---- jobs */

static void job_row(cli_table *t, const rg_results *r, size_t k)
{
    const rg_store_job *job = &r->jobs[k];
    const rg_store_outcome *o = &job->outcome;
    bool done = o->state == RG_JOB_DONE, over = o->state != RG_JOB_WAITING;
    cli_cell_count(t, k);
    cli_cell_count(t, job->configuration);
    cli_cell_count(t, rg_results_fold(r, job->fold));
    cli_cell_count(t, job->first_run);
    cli_cell_count(t, job->n_runs);
    cli_cell_count(t, job->lanes);
    cli_cell_text(t, states[o->state]);
    cli_cell_known(t, done ? o->n_parameters : UINT64_MAX);
    cli_cell_known(t, done ? o->connections : UINT64_MAX);
    cli_cell_known(t, done ? o->weights_used : UINT64_MAX);
    cli_cell_real(t, over ? o->build_seconds : (double)NAN);
    cli_cell_real(t, over ? o->seconds : (double)NAN);
    cli_cell_real(t, over ? o->cpu_seconds : (double)NAN);
    cli_cell_real(t, over ? (double)o->peak_rss / 1e6 : (double)NAN);
    cli_cell_text(t, over ? o->finished : NULL);
    cli_cell_text(t, over ? o->worker : NULL);
    cli_cell_text(t, o->state == RG_JOB_FAILED ? o->message : NULL);
}

static void fill_jobs(cli_table *out, const cli_show *show)
{
    static const cli_column columns[] = {{"job", "job", CLI_CELL_COUNT},
                                         {"configuration", "config", CLI_CELL_COUNT},
                                         {"fold", "fold", CLI_CELL_COUNT},
                                         {"first_run", "first run", CLI_CELL_COUNT},
                                         {"runs", "runs", CLI_CELL_COUNT},
                                         {"lanes", "lanes", CLI_CELL_COUNT},
                                         {"state", "state", CLI_CELL_TEXT},
                                         {"parameters", "parameters", CLI_CELL_COUNT},
                                         {"connections", "connections", CLI_CELL_COUNT},
                                         {"weights_used", "weights", CLI_CELL_COUNT},
                                         {"build_seconds", "build s", CLI_CELL_REAL},
                                         {"seconds", "seconds", CLI_CELL_REAL},
                                         {"cpu_seconds", "cpu s", CLI_CELL_REAL},
                                         {"peak_rss_mb", "MB", CLI_CELL_REAL},
                                         {"finished", "finished", CLI_CELL_TEXT},
                                         {"worker", "worker", CLI_CELL_TEXT},
                                         {"message", "message", CLI_CELL_TEXT}};
    *out = (cli_table){.columns = columns, .n_columns = CLI_COUNT(columns)};
    for (size_t k = 0; k < show->results->n_jobs && !is_full(out, show); k++)
        job_row(out, show->results, k);
}

/* ---- runs */

static void run_key(cli_table *t, const rg_results *r, const rg_store_run *run)
{
    cli_cell_count(t, run->configuration);
    cli_cell_count(t, rg_results_fold(r, run->fold));
    cli_cell_count(t, run->run.number);
}

static void fill_runs(cli_table *out, const cli_show *show)
{
    static const cli_column columns[] = {{"configuration", "config", CLI_CELL_COUNT},
                                         {"fold", "fold", CLI_CELL_COUNT},
                                         {"run", "run", CLI_CELL_COUNT},
                                         {"epochs", "epochs", CLI_CELL_COUNT},
                                         {"best_epoch", "best", CLI_CELL_COUNT},
                                         {"failed", "failed", CLI_CELL_COUNT},
                                         {"train_loss", "train loss", CLI_CELL_REAL},
                                         {"train", "train", CLI_CELL_SCORE},
                                         {"validation_loss", "validation loss", CLI_CELL_REAL},
                                         {"validation", "validation", CLI_CELL_SCORE},
                                         {"test_loss", "test loss", CLI_CELL_REAL},
                                         {"test", "test", CLI_CELL_SCORE}};
    const rg_results *r = show->results;
    *out = (cli_table){
        .columns = columns, .n_columns = CLI_COUNT(columns), .metric = show->results->metric};
    for (size_t k = 0; k < r->n_runs && !is_full(out, show); k++) {
        const rg_run *run = &r->runs[k].run;
        run_key(out, r, &r->runs[k]);
        cli_cell_count(out, run->epochs);
        cli_cell_count(out, run->best_epoch);
        cli_cell_count(out, run->failed != 0);
        cli_cell_real(out, run->train_loss);
        cli_cell_real(out, run->train_score);
        cli_cell_real(out, run->validation_loss);
        cli_cell_real(out, run->validation_score);
        cli_cell_real(out, run->test_loss);
        cli_cell_real(out, run->test_score);
    }
}

/* ---- curves */

static void epoch_row(cli_table *t, const rg_results *r, const rg_store_run *run, const rg_epoch *e)
{
    cli_show_method_of(t, r, run->configuration);
    cli_cell_text(t, rg_protocol_name(r->verdicts[0].protocol));
    run_key(t, r, run);
    cli_cell_count(t, e->number);
    cli_cell_real(t, e->lr);
    cli_cell_real(t, e->train_loss);
    cli_cell_real(t, e->train_score);
    cli_cell_real(t, e->validation_loss);
    cli_cell_real(t, e->validation_score);
}

static rg_status fill_curves(cli_table *out, const cli_show *show, rg_error *err)
{
    static const cli_column columns[] = {{"method", "method", CLI_CELL_TEXT},
                                         {"protocol", "protocol", CLI_CELL_TEXT},
                                         {"configuration", "config", CLI_CELL_COUNT},
                                         {"fold", "fold", CLI_CELL_COUNT},
                                         {"run", "run", CLI_CELL_COUNT},
                                         {"epoch", "epoch", CLI_CELL_COUNT},
                                         {"lr", "lr", CLI_CELL_REAL},
                                         {"train_loss", "train loss", CLI_CELL_REAL},
                                         {"train", "train", CLI_CELL_SCORE},
                                         {"validation_loss", "validation loss", CLI_CELL_REAL},
                                         {"validation", "validation", CLI_CELL_SCORE}};
    const rg_results *r = show->results;
    const rg_verdict *v = &r->verdicts[0];
    size_t without = !rg_results_compares(r), n_known = 0;
    rg_status status = RG_OK;
    *out = (cli_table){.columns = columns + without,
                       .n_columns = CLI_COUNT(columns) - without,
                       .metric = r->metric};
    for (size_t m = 0; m < r->n_methods; m++)
        n_known += r->verdicts[m].known;
    if (!n_known)
        return rg_fail(err, RG_EFAIL, "%s", v->why.message);
    for (size_t k = 0; k < r->n_runs && !status && !is_full(out, show); k++) {
        const rg_store_run *run = &r->runs[k];
        rg_epoch *epochs = NULL;
        if (!rg_results_chosen(r, v, run->configuration, run->fold))
            continue;
        status = rg_store_epochs(&epochs, r->store, run, err);
        for (uint32_t e = 0; e < run->run.epochs && !status && !is_full(out, show); e++)
            epoch_row(out, r, run, &epochs[e]);
        rg_free(epochs);
    }
    return status;
}

rg_status cli_show_rows(cli_table *out, const cli_show *show, rg_error *err)
{
    if (show->table == CLI_SHOW_CURVES)
        return fill_curves(out, show, err);
    if (show->table == CLI_SHOW_JOBS)
        fill_jobs(out, show);
    else
        fill_runs(out, show);
    return RG_OK;
}
