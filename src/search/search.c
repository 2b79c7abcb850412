/* search.c - see search.h: beginning, end, and what is learned from a search. */
#include "search.h"

#include "base/alloc.h"
#include "base/error.h"
#include "halving.h"
#include "split/parts.h"
#include "text/json_write.h"
#include "text/text.h"
#include "train/choose_metric.h"

#include <math.h>
#include <string.h>

/* In the first round the validation sets together have about so many graphs. */
enum { FIRST_GRAPHS = 400, FIRST_FOLDS = 3 };
/* Epochs of so few graphs are few steps, which tell nothing if there are fewer still. */
enum { SMALL_PART = 1000 };

/* Connections of one rule, at most: what a minute allows, and what memory does. */
#define PAIRS_A_MINUTE 20e6
#define PAIRS_MAX 64e6

rg_search_options rg_search_options_default(void)
{
    return (rg_search_options){.seconds = 300, .seed = 1, .epochs = 50, .n_runs = 3};
}

/* ---- beginning */

/* The same splits with empty test sets. */
static rg_status make_blind(rg_splits **out, const rg_splits *splits, rg_error *err)
{
    size_t n_folds = rg_splits_n_folds(splits), n = 0;
    for (size_t f = 0; f < n_folds; f++) {
        rg_fold fold = rg_splits_fold(splits, f);
        n += fold.train.n + fold.validation.n;
        if (fold.validation.n == 0)
            return rg_fail(err, RG_EUSAGE,
                           "fold %zu has no validation set: the search cannot compare rules", f);
    }
    rg_splits *blind = rg_splits_new(n_folds, n);
    if (!blind)
        return rg_fail_memory(err, "splits");
    for (size_t f = 0; f < n_folds; f++) {
        rg_fold fold = rg_splits_fold(splits, f);
        size_t *start = blind->start + RG_PARTS * f;
        start[RG_PART_TRAIN] = start[RG_PART_TEST];
        start[RG_PART_VALIDATION] = start[RG_PART_TRAIN] + fold.train.n;
        start[RG_PARTS] = start[RG_PART_VALIDATION] + fold.validation.n;
        memcpy(blind->graphs + start[RG_PART_TRAIN], fold.train.graphs,
               fold.train.n * sizeof *blind->graphs);
        memcpy(blind->graphs + start[RG_PART_VALIDATION], fold.validation.graphs,
               fold.validation.n * sizeof *blind->graphs);
    }
    *out = blind;
    return RG_OK;
}

static uint32_t at_least_one(uint32_t n)
{
    return n ? n : 1;
}

static void set_levels(rg_search *s)
{
    uint32_t all = (uint32_t)rg_splits_n_folds(s->splits), epochs = s->options->epochs;
    size_t part = rg_splits_fold(s->splits, 0).validation.n, few = (FIRST_GRAPHS + part - 1) / part;
    few = few < FIRST_FOLDS ? FIRST_FOLDS : few;
    few = few < all ? few : all;
    uint32_t more = 2 * few < all ? (uint32_t)(2 * few) : all;
    bool small = rg_splits_fold(s->splits, 0).train.n < SMALL_PART;
    rg_search_round *r = s->result.rounds;
    r[0] = (rg_search_round){(uint32_t)few, at_least_one(epochs / (small ? 2 : 4)), 1, 0, 0};
    r[1] = (rg_search_round){more, at_least_one(epochs / (small ? 1 : 2)), 1, 0, 0};
    r[2] = (rg_search_round){all, epochs, 1, 0, 0};
    r[3] = (rg_search_round){all, epochs, s->options->n_runs, 0, 0};
    s->result.final = r[3];
}

/* Splits that fit the data, and whose validation sets are none that are tested. */
static rg_status check_splits(const rg_search *s, rg_error *err)
{
    rg_split_report report = RG_SPLIT_REPORT_INIT;
    rg_status status = rg_splits_check(&report, s->splits, s->source->graphs, NULL, err);
    if (!status && report.validation_is_test)
        status = rg_fail(err, RG_EUSAGE,
                         "in %zu of %zu folds the validation set equals the test set: the test "
                         "score of rules selected on it is biased",
                         report.validation_is_test, report.n_folds);
    return status;
}

/* Candidates learn real values or all classes there are. */
static rg_status choose_metric(rg_search *s, rg_error *err)
{
    rg_metric asked = s->options->metric;
    size_t n_folds = rg_splits_n_folds(s->splits);
    rg_task task = !s->result.space.classes                     ? RG_TASK_VALUES
                   : rg_source_columns(s->source, RG_CLASS) > 1 ? RG_TASK_MULTILABEL
                                                                : RG_TASK_CLASSES;
    double majority = (double)NAN;
    rg_part *train = rg_alloc(n_folds, sizeof *train);
    rg_status status = train ? RG_OK : rg_fail_memory(err, "a search");
    for (size_t f = 0; !status && f < n_folds; f++)
        train[f] = rg_splits_fold(s->splits, f).train;
    if (!status && asked == RG_METRIC_AUTO)
        status = rg_targets_majority(&majority, s->source, task, NULL, 0, train, n_folds, err);
    rg_free(train);
    s->result.metric = s->state.metric = rg_metric_choose(asked, task, majority);
    s->result.space.metric = asked == RG_METRIC_DEFAULT ? asked : s->result.metric;
    return status;
}

static rg_status begin(rg_search *s, rg_error *err)
{
    const rg_search_options *o = s->options;
    double most = PAIRS_A_MINUTE * o->seconds / 60;
    if (!s->source->graphs)
        return rg_fail(err, RG_EUSAGE, "the search is for graphs, not for vectors or images");
    rg_status status = check_splits(s, err);
    if (status)
        return status;
    s->began = rg_search_now(s) - o->late;
    s->timed = true;
    for (size_t k = 0; k < RG_SEARCH_ROUNDS; k++)
        s->timed = s->timed && o->n_candidates[k] == 0;
    status = make_blind(&s->blind, s->splits, err);
    if (!status)
        status = rg_candidate_space_make(&s->result.space, s->source->graphs,
                                         most < PAIRS_MAX ? most : PAIRS_MAX, err);
    if (status)
        return status;
    status = choose_metric(s, err);
    if (status)
        return status;
    s->result.winner = (rg_search_test){.protocol = RG_PROTOCOL_GLOBAL, .mean = (double)NAN};
    s->result.finalists = (rg_search_test){.protocol = RG_PROTOCOL_FAIR, .mean = (double)NAN};
    s->state.best = (double)NAN;
    set_levels(s);
    size_t n_folds = rg_splits_n_folds(s->splits);
    s->folds = rg_alloc(n_folds, sizeof *s->folds);
    s->ranked = rg_alloc(RG_SEARCH_CANDIDATES_MAX, sizeof *s->ranked);
    if (!s->folds || !s->ranked)
        return rg_fail_memory(err, "a search");
    for (size_t f = 0; f < n_folds; f++)
        s->folds[f] = (uint32_t)f;
    return RG_OK;
}

/* ---- what is learned */

static void sort_entries(rg_search_result *r)
{
    for (size_t k = 1; k < r->n_entries; k++) {
        rg_search_entry entry = r->entries[k];
        size_t at = k;
        for (; at > 0 && rg_search_before(r, &entry, &r->entries[at - 1]); at--)
            r->entries[at] = r->entries[at - 1];
        r->entries[at] = entry;
    }
}

static rg_search_effect effect_of(const rg_search_result *r, rg_candidate_axis axis, size_t pick)
{
    rg_search_effect e = {.axis = rg_candidate_axis_name(axis),
                          .choice = rg_candidate_choice(axis, pick)};
    for (size_t k = 0; k < r->n_entries; k++) {
        uint8_t own = r->entries[k].candidate.pick[axis];
        if (isnan(r->entries[k].first) || own == RG_PICK_NONE)
            continue;
        e.n_with += own == pick;
        e.n_without += own != pick;
        *(own == pick ? &e.with : &e.without) += r->entries[k].first;
    }
    e.with = e.n_with ? e.with / (double)e.n_with : (double)NAN;
    e.without = e.n_without ? e.without / (double)e.n_without : (double)NAN;
    return e;
}

static rg_status find_effects(rg_search_result *r, rg_error *err)
{
    r->effects = rg_alloc(RG_AXES * RG_CHOICES_MAX, sizeof *r->effects);
    if (!r->effects)
        return rg_fail_memory(err, "a search");
    for (int axis = 0; axis < RG_AXES; axis++)
        for (size_t pick = 0; pick < RG_CHOICES_MAX; pick++) {
            rg_search_effect e = effect_of(r, (rg_candidate_axis)axis, pick);
            if (e.n_with && e.n_without)
                r->effects[r->n_effects++] = e;
        }
    return RG_OK;
}

/* ---- the whole */

void rg_search_free(rg_search_result *r)
{
    for (size_t k = 0; k < r->n_entries; k++) {
        rg_free(r->entries[k].line);
        rg_free(r->entries[k].message);
        rg_free(r->entries[k].validation);
    }
    rg_free(r->entries);
    rg_free(r->effects);
    *r = (rg_search_result){.entries = NULL};
}

rg_status rg_search_run(rg_search_result *out, const rg_source *source, const rg_splits *splits,
                        const rg_search_options *options, rg_error *err)
{
    rg_search s = {.source = source, .splits = splits, .options = options};
    rg_status status = begin(&s, err);
    if (!status)
        status = rg_search_rounds(&s, err);
    s.result.stopped = options->stop && options->stop(options->context);
    if (!status && !s.result.stopped)
        status = rg_search_final(&s, err);
    if (!status) {
        sort_entries(&s.result);
        status = find_effects(&s.result, err);
    }
    s.result.seconds = rg_search_now(&s);
    rg_splits_free(s.blind);
    rg_free(s.costs);
    rg_free(s.folds);
    rg_free(s.ranked);
    if (status)
        rg_search_free(&s.result);
    else
        *out = s.result;
    return status;
}

/* The lines of a text, each behind two blanks. */
static void add_indented(rg_text *text, const char *lines)
{
    while (*lines) {
        size_t n = strcspn(lines, "\n");
        rg_text_add(text, "  %.*s\n", (int)n, lines);
        lines += n + (lines[n] == '\n');
    }
}

rg_status rg_search_experiment(char **out, const rg_search_result *result, const char *name,
                               const char *data, const char *splits,
                               const rg_search_options *options, rg_error *err)
{
    rg_text text = {0};
    char *network = NULL;
    rg_experiment *experiment = NULL;
    rg_status status = rg_candidate_text(&network, &result->space, &result->entries[0].candidate,
                                         options->epochs, options->epochs, err);
    if (status)
        return status;
    rg_text_add(&text, "name: ");
    rg_text_json(&text, name);
    rg_text_add(&text, "\ndata: ");
    rg_text_json(&text, data);
    if (splits) {
        rg_text_add(&text, "\nsplits: ");
        rg_text_json(&text, splits);
    }
    rg_text_add(&text, "\nprotocol: global\nruns: %u\nseed: %llu\nnetwork:\n",
                (unsigned)options->n_runs, (unsigned long long)options->seed);
    add_indented(&text, network);
    rg_free(network);
    char *whole = rg_text_take(&text);
    if (!whole)
        return rg_fail_memory(err, "an experiment");
    status = rg_experiment_parse(&experiment, "the experiment of the winner", whole, strlen(whole),
                                 NULL, 0, err);
    rg_experiment_free(experiment);
    if (status)
        rg_free(whole);
    else
        *out = whole;
    return status;
}
