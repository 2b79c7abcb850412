/* search_print.c - see search.h. */
#include "search.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/output/epochs.h"
#include "cli/output/output.h"
#include "search/board.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { SHOWN = 15 }; /* entries of the leaderboard, for people */

void cli_search_rounds_text(const rg_search_result *result, char *out, size_t size)
{
    size_t used = (size_t)snprintf(out, size, "--rounds ");
    for (size_t k = 0; k < RG_SEARCH_ROUNDS && used < size; k++)
        used += (size_t)snprintf(out + used, size - used, "%s%zu", k ? "," : "",
                                 result->rounds[k].n_candidates);
}

/* ---- for people */

/* "85.31 +- 1.20 %", or with four digits. */
static void print_spread(double mean, double deviation, rg_metric metric)
{
    if (rg_metric_is_share(metric))
        printf("%6.2f +- %5.2f %%", 100 * mean, 100 * deviation);
    else
        printf("%8.4g +- %-8.3g", mean, deviation);
}

static void print_rounds(const rg_search_result *r)
{
    printf("%5s %11s %6s %7s %5s %9s\n", "round", "candidates", "folds", "epochs", "runs",
           "seconds");
    for (size_t k = 0; k < RG_SEARCH_ROUNDS; k++)
        if (r->rounds[k].n_candidates)
            printf("%5zu %11zu %6" PRIu32 " %7" PRIu32 " %5" PRIu32 " %9.1f\n", k + 1,
                   r->rounds[k].n_candidates, r->rounds[k].n_folds, r->rounds[k].epochs,
                   r->rounds[k].n_runs, r->rounds[k].seconds);
}

static void print_entries(const rg_search_result *r)
{
    printf("%4s %5s %-18s %9s %8s  %s\n", "rank", "round", "validation", "weights", "seconds",
           "rule");
    for (size_t k = 0; k < r->n_entries && k < SHOWN; k++) {
        const rg_search_entry *e = &r->entries[k];
        printf("%4zu %5" PRIu32 " ", k + 1, e->round);
        if (e->message)
            printf("%-18s", "failed");
        else
            print_spread(e->mean, e->deviation, r->metric);
        printf(" %9" PRIu64 " %8.1f  %s\n", e->n_weights, e->seconds, e->line);
    }
    if (r->n_entries > SHOWN)
        printf("     and %zu more\n", r->n_entries - SHOWN);
}

static void print_effects(const rg_search_result *r)
{
    const char *last = "";
    double unit = rg_metric_is_share(r->metric) ? 100 : 1;
    printf("Effect of each choice: mean validation score in round 1 with it and without it\n\n");
    printf("%-18s %-30s %16s %16s %8s\n", "", "", "with", "without", "more");
    for (size_t k = 0; k < r->n_effects; k++) {
        const rg_search_effect *e = &r->effects[k];
        printf("%-18s %-30s %8.*f (%5zu) %8.*f (%5zu) %+8.*f\n",
               strcmp(last, e->axis) ? e->axis : "", e->choice,
               rg_metric_is_share(r->metric) ? 2 : 4, unit * e->with, e->n_with,
               rg_metric_is_share(r->metric) ? 2 : 4, unit * e->without, e->n_without,
               rg_metric_is_share(r->metric) ? 2 : 4, unit * (e->with - e->without));
        last = e->axis;
    }
}

static void print_test(const rg_search_test *t, const rg_search_result *r, const char *what)
{
    printf("%-18s ", rg_protocol_name(t->protocol));
    print_spread(t->mean, t->deviation, r->metric);
    printf("  %s\n", what);
}

static void print_final(const rg_search_result *r)
{
    printf("%-18s %s\n", "winner", r->entries[0].line);
    if (r->winner.n_folds == 0) {
        printf("%-18s not done: %s\n", "test", r->stopped ? "stopped" : "the time was up");
        return;
    }
    printf("%-18s once, after selection: %zu of %zu folds, %" PRIu32 " runs, %" PRIu32 " epochs\n",
           "test", r->winner.n_folds, (size_t)r->rounds[RG_SEARCH_ROUNDS - 1].n_folds,
           r->final.n_runs, r->final.epochs);
    print_test(&r->winner, r, "the winner, best mean validation score over all folds");
    if (r->n_finalists > 1) {
        char what[96];
        snprintf(what, sizeof what, "per fold the best of %zu finalists on its validation set",
                 r->n_finalists);
        print_test(&r->finalists, r, what);
    }
}

void cli_search_print_text(const cli_search *job)
{
    const rg_search_result *r = &job->result;
    char rounds[96];
    cli_search_rounds_text(r, rounds, sizeof rounds);
    cli_bold(stdout, true);
    cli_print(cli_source_items(&job->about.source).name);
    cli_bold(stdout, false);
    printf(": %zu candidates in %.1f s, distances up to %" PRIu32, r->n_entries, r->seconds,
           r->space.reach);
    if (r->n_failed)
        printf(", %zu failed", r->n_failed);
    printf("; repeat with: %s\n\n", rounds);
    print_rounds(r);
    fputc('\n', stdout);
    print_entries(r);
    fputc('\n', stdout);
    print_effects(r);
    fputc('\n', stdout);
    print_final(r);
    printf("%-18s ", "experiment");
    cli_print(job->file);
    printf("\n%-18s ", "leaderboard");
    cli_print(job->board);
    fputc('\n', stdout);
}

/* ---- for programs */

rg_status cli_search_json(const cli_search *job, bool print, rg_error *err)
{
    rg_json json = {.layout = CLI_JSON | RG_JSON_LINES};
    rg_board_about about = {.data = cli_source_items(&job->about.source).name,
                            .splits = job->about.splits_text,
                            .experiment = job->file,
                            .board = job->board,
                            .options = &job->options};
    rg_board_write(&json, &job->result, &about);
    rg_text_add(&json.text, "\n");
    char *text = rg_json_take(&json);
    rg_status status =
        text ? rg_file_save(job->board, text, err) : rg_fail_memory(err, "writing JSON");
    if (!status && print)
        fputs(text, stdout);
    rg_free(text);
    return status;
}
