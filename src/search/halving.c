/* halving.c - the rounds of a search: how many candidates enter each round, and which go on. */
#include "halving.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One in this many candidates goes on. */
static const size_t round_cut[RG_SEARCH_ROUNDS] = {1, 3, 3, 2};
enum { FINALISTS_MAX = 6, BATCH_A_THREAD = 4 };

#define FIRST_PART 0.5   /* of the time, for the very first candidate */
#define RESERVE_PART 0.4 /* of the time, at most, that is kept for the test */
#define MARGIN 1.15      /* what is expected to take t may take so much of it */
#define BETTER_COST 1.5  /* what goes on tends to be larger than the rest */

/* ---- expectations */

double rg_search_expected(const rg_search *s, uint32_t entry, const rg_search_round *level)
{
    const rg_search_cost *cost = &s->costs[entry];
    return MARGIN * (cost->fixed + cost->rate * rg_search_units(level));
}

/* Seconds to keep for the test of the winner, as far as it is known. */
static double reserve(const rg_search *s)
{
    double most = RESERVE_PART * s->options->seconds, need = most;
    if (s->n_ranked > 0)
        need = rg_search_expected(s, s->ranked[0], &s->result.final);
    return need < most ? need : most;
}

/* When a round that began at `start` is to be over: what is left until the test is shared out so
 * that every round has time for all that may go into it. */
static double round_end(const rg_search *s, uint32_t round, double start)
{
    double own = 0, all = 0, part = 1;
    double latest = s->options->seconds - reserve(s);
    for (uint32_t later = round; later <= RG_SEARCH_ROUNDS; later++) {
        double need = 0;
        for (size_t k = 0; k < s->n_ranked; k++)
            need += rg_search_expected(s, s->ranked[k], &s->result.rounds[later - 1]);
        part /= (double)round_cut[later - 1];
        need *= later > round ? part * BETTER_COST : part;
        own = later > round ? own : need;
        all += need;
    }
    return all > 0 ? start + (latest - start) * own / all : latest;
}

/* A candidate never seen is expected to cost what the others did on average. */
static void guess_cost(rg_search *s, uint32_t entry)
{
    rg_search_cost sum = {0, 0};
    size_t n = 0;
    for (uint32_t k = 0; k < entry; k++) {
        sum.fixed += s->costs[k].fixed;
        sum.rate += s->costs[k].rate;
        n += 1;
    }
    s->costs[entry] = n ? (rg_search_cost){sum.fixed / (double)n, sum.rate / (double)n} : sum;
}

/* The time that a batch took is shared out by what its members took of processors. */
static void note_costs(rg_search *s, const rg_search_batch *b, double took)
{
    double all = 0, units = rg_search_units(&b->level);
    for (size_t k = 0; k < b->n; k++)
        all += b->seconds[k];
    for (size_t k = 0; k < b->n; k++) {
        double own = all > 0 ? took * b->seconds[k] / all : took / (double)b->n;
        double build = b->seconds[k] > 0 ? b->build[k] / b->seconds[k] : 0;
        build = build > 0.9 ? 0.9 : build;
        s->costs[b->members[k]] = (rg_search_cost){own * build, own * (1 - build) / units};
    }
}

/* ---- scores */

bool rg_search_before(const rg_search_result *result, const rg_search_entry *a,
                      const rg_search_entry *b)
{
    if (isnan(a->mean) != isnan(b->mean))
        return isnan(b->mean);
    if (a->round != b->round)
        return a->round > b->round;
    if (a->mean != b->mean && !isnan(a->mean))
        return rg_metric_is_low(result->metric) ? a->mean < b->mean : a->mean > b->mean;
    if (a->loss != b->loss && !isnan(a->loss) && !isnan(b->loss))
        return a->loss < b->loss;
    return a->number < b->number;
}

/* Insertion: rounds are small, and what is ranked already stays so. */
static void rank_in(uint32_t *ranked, size_t *n, const rg_search_result *result, uint32_t entry)
{
    size_t k = (*n)++;
    for (; k > 0 &&
           rg_search_before(result, &result->entries[entry], &result->entries[ranked[k - 1]]);
         k--)
        ranked[k] = ranked[k - 1];
    ranked[k] = entry;
}

/* Means over folds of a member's results. A job that failed makes the member fail. */
static rg_status score(rg_search *s, const rg_search_batch *b, size_t member, uint32_t round,
                       rg_error *err)
{
    rg_search_entry *entry = &s->result.entries[b->members[member]];
    const rg_cell *cells = &b->cells.at[member * b->level.n_folds];
    uint32_t n = b->level.n_folds;
    double *validation = rg_alloc(n, 2 * sizeof *validation), loss = 0;
    if (!validation)
        return rg_fail_memory(err, "a search");
    for (uint32_t f = 0; f < n; f++) {
        validation[f] = cells[f].validation;
        validation[n + f] = cells[f].validation_loss;
        loss += cells[f].validation_loss / n;
    }
    rg_free(entry->validation);
    entry->validation = validation;
    entry->round = round;
    entry->loss = loss;
    entry->seconds = b->seconds[member];
    rg_mean_deviation(validation, n, &entry->mean, &entry->deviation);
    if (round == 1)
        entry->first = entry->mean;
    if (!isnan(entry->mean) || entry->message)
        return RG_OK;
    const char *why =
        b->why[member].message[0] ? b->why[member].message : "the loss is not a number";
    s->result.n_failed++;
    entry->message = rg_copy_text(why, strlen(why));
    return entry->message ? RG_OK : rg_fail_memory(err, "a search");
}

/* Trains members and puts them into their place among `ranked`. *dropped: time was over, and
 * nothing has changed. */
static rg_status try_batch(rg_search *s, uint32_t round, const uint32_t *members, size_t n,
                           uint32_t *ranked, size_t *n_ranked, bool *dropped, rg_error *err)
{
    rg_search_round *level = &s->result.rounds[round - 1];
    rg_search_batch b = {.search = s,
                         .level = *level,
                         .splits = s->blind,
                         .members = members,
                         .n = n,
                         .each_alone = round == 1};
    double start = rg_search_now(s), took;
    rg_status status = rg_search_train(&b, err);
    took = rg_search_now(s) - start;
    level->seconds += took;
    *dropped = !status && !b.whole;
    if (!status && b.whole)
        note_costs(s, &b, took);
    for (size_t k = 0; !status && b.whole && k < n; k++) {
        status = score(s, &b, k, round, err);
        if (!status)
            rank_in(ranked, n_ranked, &s->result, members[k]);
    }
    if (!status && b.whole) {
        level->n_candidates += n;
        s->state.n_done = level->n_candidates;
        s->state.best = s->result.entries[ranked[0]].mean;
    }
    rg_search_batch_free(&b);
    return status;
}

/* ---- rounds */

static bool is_stopped(const rg_search *s)
{
    return s->options->stop && s->options->stop(s->options->context);
}

/* The next candidate, as an entry behind the others. *fresh: there is one. */
static rg_status add_entry(rg_search *s, bool *fresh, rg_error *err)
{
    rg_search_result *r = &s->result;
    size_t n = r->n_entries;
    rg_candidate *there = rg_alloc(n, sizeof *there);
    rg_search_entry entry = {.number = (uint32_t)n, .mean = (double)NAN, .first = (double)NAN};
    if (!there || !rg_grow(&r->entries, &s->capacity, n + 1, sizeof *r->entries) ||
        !rg_grow(&s->costs, &s->cost_capacity, n + 1, sizeof *s->costs)) {
        rg_free(there);
        return rg_fail_memory(err, "a search");
    }
    for (size_t k = 0; k < n; k++)
        there[k] = r->entries[k].candidate;
    *fresh = n < RG_SEARCH_CANDIDATES_MAX &&
             rg_candidate_draw(&entry.candidate, &r->space, s->options->seed, there, n);
    rg_free(there);
    if (!*fresh)
        return RG_OK;
    rg_status status = rg_candidate_line(&entry.line, &r->space, &entry.candidate, err);
    if (status)
        return status;
    r->entries[r->n_entries++] = entry;
    guess_cost(s, entry.number);
    return RG_OK;
}

/* Entries that were made for a batch that was dropped. */
static void drop_entries(rg_search *s, size_t n)
{
    while (s->result.n_entries > n)
        rg_free(s->result.entries[--s->result.n_entries].line);
}

static size_t batch_size(const rg_search *s, uint32_t round)
{
    long there = sysconf(_SC_NPROCESSORS_ONLN);
    size_t threads = s->options->n_threads ? s->options->n_threads : there > 0 ? (size_t)there : 1;
    size_t most = threads * (round == 1 ? BATCH_A_THREAD : 1);
    return most < 2 ? 2 : most > 32 ? 32 : most;
}

/* How many of the members fit into the time that is left before `end`. */
static size_t fitting(const rg_search *s, const rg_search_round *level, const uint32_t *members,
                      size_t n, double end)
{
    double time = rg_search_now(s);
    size_t k = 0;
    if (!s->timed)
        return n;
    while (k < n && (time += rg_search_expected(s, members[k], level)) <= end)
        k++;
    return k;
}

/* The first round draws its candidates as it goes; the first of them alone tells what they cost. */
static rg_status first_round(rg_search *s, rg_error *err)
{
    size_t limit = s->timed ? RG_SEARCH_CANDIDATES_MAX : s->options->n_candidates[0];
    double start = rg_search_now(s);
    uint32_t members[32];
    bool dropped = false, fresh = true;
    rg_status status = RG_OK;
    while (!status && !dropped && fresh && !is_stopped(s) && s->result.n_entries < limit) {
        size_t first = s->result.n_entries, n = 0, most = first ? batch_size(s, 1) : 1;
        while (!status && fresh && n < most && first + n < limit) {
            status = add_entry(s, &fresh, err);
            if (!status && fresh) {
                members[n] = (uint32_t)(first + n);
                n++;
            }
        }
        size_t fit =
            first ? fitting(s, &s->result.rounds[0], members, n, round_end(s, 1, start)) : n;
        drop_entries(s, first + fit);
        if (fit == 0)
            break;
        s->state.n_left = s->timed ? 0 : limit - first;
        s->deadline = first ? s->options->seconds - reserve(s) : FIRST_PART * s->options->seconds;
        if (!status)
            status = try_batch(s, 1, members, fit, s->ranked, &s->n_ranked, &dropped, err);
        if (!status && dropped)
            drop_entries(s, first);
        fresh = fresh && fit == n;
    }
    return status;
}

/* The best of the last round against each other, more thoroughly. A round that would have only one
 * candidate is none. */
static rg_status next_round(rg_search *s, uint32_t round, rg_error *err)
{
    rg_search_round *level = &s->result.rounds[round - 1];
    size_t limit = s->n_ranked / round_cut[round - 1], n_ranked = 0, at = 0;
    bool dropped = false;
    rg_status status = RG_OK;
    double latest = s->options->seconds - reserve(s);
    double end = round_end(s, round, rg_search_now(s));
    limit = limit < 2 ? 2 : limit;
    if (round == RG_SEARCH_ROUNDS && limit > FINALISTS_MAX)
        limit = FINALISTS_MAX;
    if (!s->timed)
        limit = s->options->n_candidates[round - 1];
    limit = limit < s->n_ranked ? limit : s->n_ranked;
    if (fitting(s, level, s->ranked, limit < 2 ? limit : 2, end) < 2)
        end = latest; /* then there is no time for what comes behind it anyway */
    if (limit < 2 || fitting(s, level, s->ranked, 2, end) < 2)
        return RG_OK;
    uint32_t *ranked = rg_alloc(RG_SEARCH_CANDIDATES_MAX, sizeof *ranked);
    if (!ranked)
        return rg_fail_memory(err, "a search");
    s->deadline = latest;
    while (!status && !dropped && at < limit && !is_stopped(s)) {
        size_t n = batch_size(s, round);
        n = n < limit - at ? n : limit - at;
        n = fitting(s, level, s->ranked + at, n, end);
        if (n == 0)
            break;
        s->state.n_left = limit - at;
        status = try_batch(s, round, s->ranked + at, n, ranked, &n_ranked, &dropped, err);
        at += n;
    }
    if (!status && n_ranked > 0) {
        memcpy(s->ranked, ranked, n_ranked * sizeof *ranked);
        s->n_ranked = n_ranked;
    }
    rg_free(ranked);
    return status;
}

rg_status rg_search_rounds(rg_search *s, rg_error *err)
{
    s->state.round = 1;
    rg_status status = first_round(s, err);
    if (!status && s->n_ranked == 0)
        return rg_fail(err, RG_EFAIL, "%s before the first candidate was trained%s",
                       is_stopped(s) ? "stopped" : "the time was up",
                       is_stopped(s) ? "" : ": the search needs more time");
    for (uint32_t round = 2; !status && !is_stopped(s) && round <= RG_SEARCH_ROUNDS; round++) {
        s->state.round = round;
        s->state.n_done = 0;
        status = next_round(s, round, err);
    }
    const rg_search_entry *best = s->n_ranked ? &s->result.entries[s->ranked[0]] : NULL;
    if (!status && best->message)
        return rg_fail(err, RG_EFAIL, "no candidate could be trained: %s", best->message);
    return status;
}
