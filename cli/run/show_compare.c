/* show_compare.c - see show.h: methods on data sets, side by side. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command/command.h"
#include "cli/output/output.h"
#include "show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const cli_column long_columns[] = {
    {"data", "data", CLI_CELL_TEXT},
    {"method", "method", CLI_CELL_TEXT},
    {"protocol", "protocol", CLI_CELL_TEXT},
    {"part", "part", CLI_CELL_TEXT},
    {"metric", "metric", CLI_CELL_TEXT},
    {"score", "", CLI_CELL_SPREAD},
    {"difference", "difference", CLI_CELL_DIFFERENCE},
    {"against", "against", CLI_CELL_TEXT},
    {"best", "best", CLI_CELL_COUNT},
    {"majority", "majority", CLI_CELL_SCORE},
    {"validation", "validation", CLI_CELL_SCORE},
    {"folds", "folds", CLI_CELL_COUNT},
    {"runs", "runs", CLI_CELL_COUNT},
    {"best_epoch", "epoch", CLI_CELL_REAL},
    {"parameters", "parameters", CLI_CELL_COUNT},
    {"cpu_seconds", "cpu s", CLI_CELL_FIXED},
    {"choices", "choices", CLI_CELL_TEXT},
    {"run", "run", CLI_CELL_TEXT},
    {"digest", "digest", CLI_CELL_TEXT},
};
enum { N_LONG = sizeof long_columns / sizeof *long_columns };

/* Of the jobs of a method that are over. */
static double cpu_seconds(const rg_comparison_cell *cell)
{
    const rg_results *r = cell->results;
    const rg_compared_method *m = &r->methods[cell->verdict->method];
    double sum = 0;
    for (size_t k = 0; k < r->n_jobs; k++) {
        const rg_store_job *job = &r->jobs[k];
        if (job->configuration - m->first < m->n && isfinite(job->outcome.cpu_seconds))
            sum += job->outcome.cpu_seconds;
    }
    return sum;
}

static const char *reference_of(const rg_comparison *all, size_t data)
{
    for (size_t m = 0; m < all->n_methods; m++)
        if (rg_comparison_at(all, m, data)->reference)
            return all->methods[m];
    return NULL;
}

/* The cell of long column `column`. */
static void add_cell(cli_table *t, const rg_comparison *all, size_t m, size_t d, size_t column)
{
    const rg_comparison_cell *cell = rg_comparison_at(all, m, d);
    const rg_verdict *v = cell->verdict;
    const rg_results *r = cell->results;
    const char *key = long_columns[column].key;
    bool known = r && v->known;
    if (strcmp(key, "data") == 0)
        cli_cell_text(t, all->data[d]);
    else if (strcmp(key, "method") == 0)
        cli_cell_text(t, all->methods[m]);
    else if (!r)
        cli_cell_none(t);
    else if (strcmp(key, "protocol") == 0)
        cli_cell_text(t, rg_protocol_name(v->protocol));
    else if (strcmp(key, "part") == 0)
        cli_cell_text(t, v->tested ? "test" : "validation");
    else if (strcmp(key, "metric") == 0)
        cli_cell_text(t, rg_metric_name(r->metric));
    else if (strcmp(key, "score") == 0) {
        cli_cell_spread(t, cell->mean, cell->deviation);
        if (cell->best)
            cli_cell_bold(t);
    } else if (strcmp(key, "difference") == 0)
        cli_cell_spread(t, cell->difference, cell->error);
    else if (strcmp(key, "against") == 0)
        cli_cell_text(t, cell->reference ? NULL : reference_of(all, d));
    else if (strcmp(key, "best") == 0)
        cli_cell_count(t, cell->best);
    else if (strcmp(key, "majority") == 0)
        cli_cell_real(t, v->majority);
    else if (strcmp(key, "validation") == 0)
        cli_cell_real(t, known ? v->result.validation : (double)NAN);
    else if (strcmp(key, "folds") == 0)
        cli_cell_count(t, r->about->n_folds);
    else if (strcmp(key, "runs") == 0)
        cli_cell_count(t, r->about->n_runs);
    else if (strcmp(key, "best_epoch") == 0)
        cli_cell_real(t, v->best_epoch);
    else if (strcmp(key, "parameters") == 0)
        cli_cell_known(t, v->parameters ? v->parameters : UINT64_MAX);
    else if (strcmp(key, "cpu_seconds") == 0)
        cli_cell_real(t, cpu_seconds(cell));
    else if (strcmp(key, "choices") == 0)
        cli_cell_text(t, known ? r->configurations[v->result.configuration].choices : NULL);
    else if (strcmp(key, "run") == 0)
        cli_cell_text(t, rg_store_directory(r->store));
    else
        cli_cell_text(t, r->digest);
}

rg_status cli_show_fill_long(cli_table *out, const rg_comparison *comparison, rg_error *err)
{
    *out = (cli_table){.columns = long_columns, .n_columns = N_LONG};
    for (size_t d = 0; d < comparison->n_data; d++)
        for (size_t m = 0; m < comparison->n_methods; m++)
            for (size_t k = 0; k < N_LONG && rg_comparison_at(comparison, m, d)->results; k++)
                add_cell(out, comparison, m, d, k);
    return out->failed ? rg_fail_memory(err, "a table") : RG_OK;
}

/* ---- wide */

static rg_metric metric_on(const rg_comparison *all, size_t data)
{
    for (size_t m = 0; m < all->n_methods; m++)
        if (rg_comparison_at(all, m, data)->results)
            return rg_comparison_at(all, m, data)->results->metric;
    return RG_METRIC_ACCURACY;
}

/* Numbers of the long columns that the words name, without data and method. */
static rg_status read_columns(size_t chosen[N_LONG], size_t *n, const char *words, rg_error *err)
{
    cli_table all = {.columns = long_columns, .n_columns = N_LONG};
    cli_column some[N_LONG];
    rg_status status = cli_table_select(&all, words ? words : "score,difference", some, err);
    *n = 0;
    for (size_t k = 0; !status && k < all.n_columns; k++)
        for (size_t c = 2; c < N_LONG; c++)
            if (strcmp(long_columns[c].key, all.columns[k].key) == 0)
                chosen[(*n)++] = c;
    cli_table_free(&all);
    return status;
}

rg_status cli_show_fill_wide(cli_table *out, cli_show_wide *room, const rg_comparison *comparison,
                             const char *columns, rg_error *err)
{
    size_t chosen[N_LONG], n = 0, n_columns = 1;
    rg_status status = read_columns(chosen, &n, columns, err);
    if (!status && 1 + comparison->n_data * n > CLI_SHOW_WIDE_MAX)
        status = rg_fail(err, RG_EUSAGE,
                         "%zu data sets with %zu columns each are too many for one table; "
                         "--format csv and --format json have them all",
                         comparison->n_data, n);
    if (status)
        return status;
    room->columns[0] = long_columns[1];
    room->metrics[0] = RG_METRIC_ACCURACY;
    for (size_t d = 0; d < comparison->n_data; d++)
        for (size_t k = 0; k < n; k++, n_columns++) {
            room->columns[n_columns] = long_columns[chosen[k]];
            if (!*long_columns[chosen[k]].title || k == 0)
                room->columns[n_columns].title = comparison->data[d];
            room->metrics[n_columns] = metric_on(comparison, d);
        }
    *out = (cli_table){.columns = room->columns, .n_columns = n_columns, .metrics = room->metrics};
    for (size_t m = 0; m < comparison->n_methods; m++) {
        cli_cell_text(out, comparison->methods[m]);
        for (size_t d = 0; d < comparison->n_data; d++)
            for (size_t k = 0; k < n; k++)
                add_cell(out, comparison, m, d, chosen[k]);
    }
    return out->failed ? rg_fail_memory(err, "a table") : RG_OK;
}

/* ---- printing */

void cli_show_against(rg_text *out, const char *against)
{
    rg_text_add(out, "difference: to ");
    if (!against || strcmp(against, "best") == 0)
        rg_text_add(out, "the best method");
    else if (strcmp(against, "first") == 0)
        rg_text_add(out, "the first method");
    else
        cli_add_text(out, against);
    rg_text_add(out, ", mean over the same folds +- standard error\n");
}

static void add_notes(rg_text *out, const rg_comparison *all, const char *against)
{
    const rg_comparison_cell *any = NULL;
    bool best = false, several = false, low = false;
    for (size_t k = 0; k < all->n_methods * all->n_data; k++) {
        const rg_comparison_cell *cell = &all->cells[k];
        if (!cell->results)
            continue;
        several |= any && any->verdict->protocol != cell->verdict->protocol;
        low |= rg_metric_is_low(cell->results->metric) != 0;
        best |= cell->best;
        any = any ? any : cell;
    }
    if (several)
        rg_text_add(out, "\nprotocols differ: --protocol chooses one for all\n");
    else if (any)
        rg_text_add(out, "\n%s: %s\n", rg_protocol_name(any->verdict->protocol),
                    rg_protocol_way(any->verdict->protocol));
    rg_text_add(out, "mean over runs, then mean and sample standard deviation over folds%s\n",
                low ? "; errors: lower is better" : "");
    cli_show_against(out, against);
    cli_show_star(out, best);
}

void cli_show_star(rg_text *out, bool best)
{
    if (best)
        rg_text_add(out, "*: better than all others by more than %d standard errors\n",
                    RG_COMPARISON_NOISE);
}

/* Scores that are there, without a difference, were not measured on the same folds. */
static void warn(const rg_comparison *all)
{
    for (size_t d = 0; d < all->n_data; d++)
        for (size_t m = 0; m < all->n_methods; m++) {
            const rg_comparison_cell *cell = rg_comparison_at(all, m, d);
            const char *reference = reference_of(all, d);
            if (cell->results && !cell->reference && reference && !isnan(cell->mean) &&
                isnan(cell->difference))
                cli_message(
                    "warning: '%s' on '%s' has other folds, runs or scores than '%s': their "
                    "difference is not known",
                    all->methods[m], all->data[d], reference);
        }
}

static rg_status add_json(rg_text *out, const cli_table *table, rg_error *err)
{
    json_t *root = json_object();
    cli_json_set(&root, "table", json_string("methods"));
    cli_json_set(&root, "rows", cli_table_json(table));
    char *text = cli_json_print(root, true);
    if (!text)
        return rg_fail_memory(err, "printing JSON");
    rg_text_add(out, "%s", text);
    rg_free(text);
    return RG_OK;
}

static void add_origin(rg_text *out, const rg_comparison *all)
{
    rg_text_add(out, "%% regula %s", rg_version());
    for (size_t k = 0; k < all->n_methods * all->n_data; k++) {
        const rg_results *r = all->cells[k].results;
        bool seen = !r;
        for (size_t j = 0; j < k && !seen; j++)
            seen = all->cells[j].results == r;
        if (!seen) {
            rg_text_add(out, "\n%% digest %s: ", r->digest);
            cli_add_text(out, rg_store_directory(r->store));
        }
    }
    rg_text_add(out, "\n");
}

static rg_status add_all(rg_text *out, const rg_comparison *all, cli_show_format format,
                         const char *columns, const char *against, rg_error *err)
{
    bool program = format == CLI_SHOW_CSV || format == CLI_SHOW_JSON;
    cli_table table = {0};
    cli_show_wide *room = rg_alloc(1, sizeof *room);
    rg_status status = room ? RG_OK : rg_fail_memory(err, "a table");
    if (!status)
        status = program ? cli_show_fill_long(&table, all, err)
                         : cli_show_fill_wide(&table, room, all, columns, err);
    if (!status && program && columns)
        status = cli_table_select(&table, columns, room->columns, err);
    if (!status && format == CLI_SHOW_JSON)
        status = add_json(out, &table, err);
    else if (!status && format == CLI_SHOW_CSV)
        cli_table_print_csv(out, &table);
    else if (!status && format == CLI_SHOW_MARKDOWN)
        cli_table_print_markdown(out, &table);
    else if (!status && format == CLI_SHOW_LATEX) {
        add_origin(out, all);
        cli_table_print_latex(out, &table);
    } else if (!status) {
        cli_table_print_text(out, &table);
        add_notes(out, all, against);
    }
    cli_table_free(&table);
    rg_free(room);
    return status;
}

rg_status cli_show_compare(const rg_comparison *comparison, cli_show_format format,
                           const char *columns, const char *against, const char *path,
                           rg_error *err)
{
    rg_text text = {0};
    warn(comparison);
    rg_status status = add_all(&text, comparison, format, columns, against, err);
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
