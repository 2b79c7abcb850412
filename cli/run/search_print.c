/* search_print.c - see search.h. */
#include "search.h"

#include "cli/output/epochs.h"
#include "cli/output/output.h"

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

/* "85.31 +- 1.20 %", or errors with four digits. */
static void print_spread(double mean, double deviation, bool errors)
{
    if (errors)
        printf("%8.4g +- %-8.3g", mean, deviation);
    else
        printf("%6.2f +- %5.2f %%", 100 * mean, 100 * deviation);
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
            print_spread(e->mean, e->deviation, r->errors);
        printf(" %9" PRIu64 " %8.1f  %s\n", e->n_weights, e->seconds, e->line);
    }
    if (r->n_entries > SHOWN)
        printf("     and %zu more\n", r->n_entries - SHOWN);
}

static void print_effects(const rg_search_result *r)
{
    const char *last = "";
    double unit = r->errors ? 1 : 100;
    printf("Effect of each choice: mean validation score in round 1 with it and without it\n\n");
    printf("%-18s %-30s %16s %16s %8s\n", "", "", "with", "without", "more");
    for (size_t k = 0; k < r->n_effects; k++) {
        const rg_search_effect *e = &r->effects[k];
        printf("%-18s %-30s %8.*f (%5zu) %8.*f (%5zu) %+8.*f\n",
               strcmp(last, e->axis) ? e->axis : "", e->choice, r->errors ? 4 : 2, unit * e->with,
               e->n_with, r->errors ? 4 : 2, unit * e->without, e->n_without, r->errors ? 4 : 2,
               unit * (e->with - e->without));
        last = e->axis;
    }
}

static void print_test(const rg_search_test *t, const rg_search_result *r, const char *what)
{
    printf("%-18s ", rg_protocol_name(t->protocol));
    print_spread(t->mean, t->deviation, r->errors);
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

static json_t *spread_json(double mean, double deviation)
{
    json_t *object = json_object();
    cli_json_set(&object, "mean", cli_json_real(mean));
    cli_json_set(&object, "std", cli_json_real(deviation));
    return object;
}

static json_t *round_json(const rg_search_round *round)
{
    json_t *object = json_object();
    cli_json_set(&object, "candidates", cli_json_count(round->n_candidates));
    cli_json_set(&object, "folds", cli_json_count(round->n_folds));
    cli_json_set(&object, "epochs", cli_json_count(round->epochs));
    cli_json_set(&object, "runs", cli_json_count(round->n_runs));
    cli_json_set(&object, "seconds", cli_json_real(round->seconds));
    return object;
}

static json_t *choices_json(const rg_candidate *candidate)
{
    json_t *object = json_object();
    for (int a = 0; a < RG_AXES; a++)
        if (candidate->pick[a] != RG_PICK_NONE)
            cli_json_set(
                &object, rg_candidate_axis_name((rg_candidate_axis)a),
                json_string(rg_candidate_choice((rg_candidate_axis)a, candidate->pick[a])));
    return object;
}

static json_t *entry_json(const rg_search_entry *e, size_t rank)
{
    json_t *object = json_object();
    cli_json_set(&object, "rank", cli_json_count(rank));
    cli_json_set(&object, "number", cli_json_count(e->number));
    cli_json_set(&object, "round", cli_json_count(e->round));
    cli_json_set(&object, "validation", spread_json(e->mean, e->deviation));
    cli_json_set(&object, "loss", cli_json_real(e->loss));
    cli_json_set(&object, "first_round", cli_json_real(e->first));
    cli_json_set(&object, "weights", cli_json_count(e->n_weights));
    cli_json_set(&object, "seconds", cli_json_real(e->seconds));
    cli_json_set(&object, "rule", json_string(e->line));
    cli_json_set(&object, "choices", choices_json(&e->candidate));
    if (e->message)
        cli_json_set(&object, "message", cli_json_text(e->message));
    return object;
}

static json_t *effects_json(const rg_search_result *r)
{
    json_t *list = json_array();
    for (size_t k = 0; k < r->n_effects; k++) {
        const rg_search_effect *e = &r->effects[k];
        json_t *object = json_object();
        cli_json_set(&object, "axis", json_string(e->axis));
        cli_json_set(&object, "choice", json_string(e->choice));
        cli_json_set(&object, "with", cli_json_real(e->with));
        cli_json_set(&object, "n_with", cli_json_count(e->n_with));
        cli_json_set(&object, "without", cli_json_real(e->without));
        cli_json_set(&object, "n_without", cli_json_count(e->n_without));
        cli_json_add(&list, object);
    }
    return list;
}

static json_t *test_json(const rg_search_test *t, const rg_search_result *r)
{
    json_t *object = json_object();
    cli_json_set(&object, "protocol", json_string(rg_protocol_name(t->protocol)));
    cli_json_set(&object, r->errors ? "error" : "accuracy", spread_json(t->mean, t->deviation));
    cli_json_set(&object, "validation", cli_json_real(t->validation));
    cli_json_set(&object, "folds", cli_json_count(t->n_folds));
    cli_json_set(&object, "runs", cli_json_count(r->final.n_runs));
    cli_json_set(&object, "epochs", cli_json_count(r->final.epochs));
    return object;
}

/* Owned; NULL: no memory. */
static json_t *search_json(const cli_search *job)
{
    const rg_search_result *r = &job->result;
    json_t *root = json_object(), *rounds = json_array(), *entries = json_array();
    json_t *tests = json_array();
    for (size_t k = 0; k < RG_SEARCH_ROUNDS; k++)
        cli_json_add(&rounds, round_json(&r->rounds[k]));
    for (size_t k = 0; k < r->n_entries; k++)
        cli_json_add(&entries, entry_json(&r->entries[k], k + 1));
    if (r->winner.n_folds)
        cli_json_add(&tests, test_json(&r->winner, r));
    if (r->winner.n_folds && r->n_finalists > 1)
        cli_json_add(&tests, test_json(&r->finalists, r));
    cli_json_set(&root, "data", cli_json_text(cli_source_items(&job->about.source).name));
    cli_json_set(&root, "splits", cli_json_text(job->about.splits_text));
    cli_json_set(&root, "seed", cli_json_count(job->options.seed));
    cli_json_set(&root, "minutes", cli_json_real(job->options.seconds / 60));
    cli_json_set(&root, "seconds", cli_json_real(r->seconds));
    cli_json_set(&root, "stopped", json_boolean(r->stopped));
    cli_json_set(&root, "largest_distance", cli_json_count(r->space.reach));
    cli_json_set(&root, "failed", cli_json_count(r->n_failed));
    cli_json_set(&root, "rounds", rounds);
    cli_json_set(&root, "candidates", entries);
    cli_json_set(&root, "effects", effects_json(r));
    cli_json_set(&root, "finalists", cli_json_count(r->n_finalists));
    cli_json_set(&root, "tests", tests);
    cli_json_set(&root, "experiment", cli_json_text(job->file));
    cli_json_set(&root, "leaderboard", cli_json_text(job->board));
    return root;
}

rg_status cli_search_print_json(const cli_search *job, rg_error *err)
{
    return cli_print_json(search_json(job), err);
}

rg_status cli_search_write_json(const cli_search *job, rg_error *err)
{
    return cli_write_json(job->board, search_json(job), err);
}
