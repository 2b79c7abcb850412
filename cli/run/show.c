/* show.c - see show.h: the results of a run, printed. */
#include "show.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command/command.h"
#include "cli/output/epochs.h"
#include "cli/output/output.h"
#include "cli/output/progress.h"
#include "show_choice.h"
#include "show_ensembles.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_DIGEST 12 /* characters that people compare */

const char *cli_show_format_words(size_t k)
{
    static const char *const words[] = {"text", "csv", "json", "markdown", "latex"};
    return k < CLI_COUNT(words) ? words[k] : NULL;
}

const char *cli_protocol_words(size_t k)
{
    return k < RG_PROTOCOLS ? rg_protocol_name((rg_protocol)k) : NULL;
}

void cli_show_warn(const rg_results *results)
{
    for (size_t k = 0; k < results->n_warnings; k++)
        cli_message("warning: %s", results->warnings[k]);
}

/* ---- text */

static void add_seconds(rg_text *out, double seconds)
{
    char text[32];
    if (seconds < 60) {
        rg_text_add(out, "%.3g s", seconds);
    } else {
        cli_duration_text(seconds, text);
        rg_text_add(out, "%s", text);
    }
}

static void add_jobs(rg_text *out, const rg_results *r)
{
    char memory[32];
    rg_text_add(out, "%-18s %zu of %zu done", "jobs", r->n_done, r->n_jobs);
    if (r->n_failed)
        rg_text_add(out, ", %zu failed", r->n_failed);
    if (r->n_waiting)
        rg_text_add(out, ", %zu waiting", r->n_waiting);
    rg_text_add(out, "\n%-18s ", "time");
    add_seconds(out, r->seconds);
    rg_text_add(out, " for all jobs, ");
    add_seconds(out, r->cpu_seconds);
    rg_text_add(out, " CPU time");
    if (r->peak_rss) {
        cli_bytes_text(r->peak_rss, memory);
        rg_text_add(out, "; %s of memory", memory);
    }
    rg_text_add(out, "\n");
}

/* Which run it is, in a line. */
static void add_name(rg_text *out, const rg_results *results, bool bold)
{
    rg_text_add(out, "%s", bold ? "\033[1m" : "");
    cli_add_text(out, results->about->name);
    rg_text_add(out, "%s  (", bold ? "\033[0m" : "");
    cli_add_text(out, rg_store_directory(results->store));
    rg_text_add(out, ")");
}

/* What it is of, and how far it is. */
static void add_head(rg_text *out, const rg_results *results)
{
    const rg_store_experiment *e = results->about;
    rg_text_add(out, "\n\n%-18s ", "data");
    cli_add_text(out, e->data);
    rg_text_add(out, ", digest %.*s\n%-18s %" PRIu32 "; ", SHORT_DIGEST, e->data_digest, "folds",
                e->n_folds);
    cli_add_text(out, e->splits);
    rg_text_add(out, ", digest %.*s\n", SHORT_DIGEST, e->splits_digest);
    rg_text_add(out, "%-18s %zu, each with %" PRIu32 " %s per fold, seed %" PRIu64 "\n",
                "configurations", results->n_configurations, e->n_runs,
                e->n_runs == 1 ? "run" : "runs", e->seed);
    rg_text_add(out, "%-18s from ", "vocabularies");
    cli_add_text(out, strcmp(e->fit, "train") == 0 ? "the training set of each fold"
                      : strcmp(e->fit, "all") == 0 ? "all graphs, as published"
                                                   : e->fit);
    rg_text_add(out, "\n");
    if (results->metric != RG_METRIC_ACCURACY && results->metric != RG_METRIC_MAE)
        rg_text_add(out, "%-18s %s\n", "metric", rg_metric_title(results->metric));
    add_jobs(out, results);
    rg_text_add(out, "%-18s ", "begun");
    cli_add_text(out, e->created);
    rg_text_add(out, ", regula ");
    cli_add_text(out, e->version);
    rg_text_add(out, "\n%-18s %s\n\n", "digest", results->digest);
}

/* The same in short, for tables of parts. */
static void add_data(rg_text *out, const rg_results *results)
{
    rg_text_add(out, ", ");
    cli_add_text(out, results->about->data);
    rg_text_add(out, ", digest %.*s\n\n", SHORT_DIGEST, results->digest);
}

static void add_ways(rg_text *out, const cli_show *show, const cli_table *table)
{
    const rg_results *r = show->results;
    size_t n = show->table == CLI_SHOW_RESULTS ? r->n_verdicts : 1;
    rg_text_add(out, "\n");
    for (size_t k = 0; k < n; k += r->n_methods)
        rg_text_add(out, "%s: %s\n", rg_protocol_name(r->verdicts[k].protocol),
                    rg_protocol_way(r->verdicts[k].protocol));
    for (size_t k = 0; k < n; k++)
        cli_choice_note(out, r, &r->verdicts[k]);
    if (show->table == CLI_SHOW_RESULTS)
        cli_ensemble_notes(out, r);
    if (show->table == CLI_SHOW_RESULTS)
        rg_text_add(out,
                    "mean over %" PRIu32
                    " %s, then mean and sample standard deviation over %" PRIu32 " %s\n",
                    r->about->n_runs, r->about->n_runs == 1 ? "run" : "runs", r->about->n_folds,
                    r->about->n_folds == 1 ? "fold" : "folds");
    if (show->table == CLI_SHOW_RESULTS && rg_results_compares(r)) {
        bool best = false;
        for (size_t k = 0; k < table->n_cells; k++)
            best |= table->cells[k].bold;
        cli_show_against(out, show->against);
        cli_show_star(out, best);
    }
}

static void add_notes(rg_text *out, const cli_show *show, const cli_table *table)
{
    switch (show->table) {
    case CLI_SHOW_CONFIGURATIONS:
        rg_text_add(out, "\nsorted by validation score: mean over runs, then mean and standard "
                         "deviation over folds;\n"
                         "`folds`: folds with all runs done; `chosen`: folds that selected this "
                         "configuration\n");
        break;
    case CLI_SHOW_RUNS:
        rg_text_add(out, "\nscores of the best epoch on the validation set, for all runs of all "
                         "configurations\n");
        break;
    case CLI_SHOW_JOBS:
        break;
    default:
        add_ways(out, show, table);
    }
}

/* ---- all formats */

static rg_status add_json(rg_text *out, const cli_show *show, const cli_table *table, rg_error *err)
{
    const rg_results *r = show->results;
    json_t *root;
    if (show->table == CLI_SHOW_RESULTS && !show->columns) {
        root = cli_show_json(show);
    } else {
        root = json_object();
        cli_json_set(&root, "table", json_string(cli_show_table_words(show->table)));
        cli_json_set(&root, "protocol", json_string(rg_protocol_name(r->verdicts[0].protocol)));
        cli_json_set(&root, "score", json_string(cli_score_kind(r->metric)));
        cli_json_set(&root, "name", cli_json_text(r->about->name));
        cli_json_set(&root, "data", cli_json_text(r->about->data));
        cli_json_set(&root, "digest", json_string(r->digest));
        cli_json_set(&root, "rows", cli_table_json(table));
    }
    char *text = cli_json_print(root, true);
    if (!text)
        return rg_fail_memory(err, "printing JSON");
    rg_text_add(out, "%s", text);
    rg_free(text);
    return RG_OK;
}

static void add_origin(rg_text *out, const rg_results *r)
{
    rg_text_add(out, "%% regula %s, digest %s: ", rg_version(), r->digest);
    cli_add_text(out, r->about->name);
    rg_text_add(out, " on ");
    cli_add_text(out, r->about->data);
    rg_text_add(out, "\n");
}

static rg_status add_all(rg_text *out, const cli_show *show, bool bold, rg_error *err)
{
    cli_table table = {0};
    rg_status status = cli_show_fill(&table, show, err);
    cli_column *columns =
        status || !show->columns ? NULL : rg_alloc(table.n_columns, sizeof *columns);
    if (!status && show->columns)
        status = columns ? cli_table_select(&table, show->columns, columns, err)
                         : rg_fail_memory(err, "a table");
    if (!status && show->format == CLI_SHOW_JSON) {
        status = add_json(out, show, &table, err);
    } else if (!status && show->format == CLI_SHOW_CSV) {
        cli_table_print_csv(out, &table);
    } else if (!status && show->format == CLI_SHOW_MARKDOWN) {
        cli_table_print_markdown(out, &table);
    } else if (!status && show->format == CLI_SHOW_LATEX) {
        add_origin(out, show->results);
        cli_table_print_latex(out, &table);
    } else if (!status) {
        add_name(out, show->results, bold);
        if (show->table == CLI_SHOW_RESULTS)
            add_head(out, show->results);
        else
            add_data(out, show->results);
        cli_table_print_text(out, &table);
        add_notes(out, show, &table);
    }
    cli_table_free(&table);
    rg_free(columns);
    return status;
}

rg_status cli_show_print(const cli_show *show, const char *path, rg_error *err)
{
    rg_text text = {0};
    rg_status status = add_all(&text, show, !path && cli_colour(stdout), err);
    char *all = rg_text_take(&text);
    if (!status && !all)
        status = rg_fail_memory(err, "printing results");
    if (!status && path)
        status = rg_file_save(path, all, err);
    else if (!status)
        fputs(all, stdout);
    rg_free(all);
    return status;
}
