/* board.c - see board.h. */
#include "board.h"

#include "base/error.h"
#include "text/json.h"

#include <math.h>

static double real_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

static uint64_t count_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    json_int_t count = json_is_integer(value) ? json_integer_value(value) : -1;
    return count < 0 ? UINT64_MAX : (uint64_t)count;
}

static const char *text_of(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* ---- every part as it is written and as it is copied */

static void write_spread(rg_json *json, const char *key, double mean, double deviation)
{
    rg_json_open(json, key, '{');
    rg_json_real(json, "mean", mean);
    rg_json_real(json, "std", deviation);
    rg_json_close(json, '{');
}

static void copy_spread(rg_json *json, const char *key, const json_t *spread)
{
    rg_json_reals(json, key, (double[]){real_of(spread, "mean"), real_of(spread, "std")}, 2);
}

static void write_choices(rg_json *json, const rg_candidate *candidate)
{
    rg_json_open(json, "choices", '{');
    for (int a = 0; a < RG_AXES; a++)
        if (candidate->pick[a] != RG_PICK_NONE)
            rg_json_string(json, rg_candidate_axis_name((rg_candidate_axis)a),
                           rg_candidate_choice((rg_candidate_axis)a, candidate->pick[a]));
    rg_json_close(json, '{');
}

static void write_candidate(rg_json *json, const rg_search_entry *e, size_t rank)
{
    rg_json_open(json, NULL, '{');
    rg_json_count(json, "rank", rank);
    rg_json_count(json, "number", e->number);
    rg_json_count(json, "round", e->round);
    write_spread(json, "validation", e->mean, e->deviation);
    rg_json_real(json, "loss", e->loss);
    rg_json_real(json, "first_round", e->first);
    rg_json_count(json, "weights", e->n_weights);
    rg_json_real(json, "seconds", e->seconds);
    rg_json_string(json, "rule", e->line);
    write_choices(json, &e->candidate);
    if (e->message)
        rg_json_string(json, "message", e->message);
    rg_json_close(json, '{');
}

static void copy_candidate(rg_json *json, const json_t *candidate)
{
    rg_json_open(json, NULL, '{');
    rg_json_known(json, "rank", count_of(candidate, "rank"));
    rg_json_known(json, "number", count_of(candidate, "number"));
    rg_json_known(json, "round", count_of(candidate, "round"));
    copy_spread(json, "validation", json_object_get(candidate, "validation"));
    rg_json_known(json, "weights", count_of(candidate, "weights"));
    rg_json_real(json, "seconds", real_of(candidate, "seconds"));
    rg_json_string(json, "rule", text_of(candidate, "rule"));
    rg_json_string(json, "message", text_of(candidate, "message"));
    rg_json_close(json, '{');
}

static void write_effect(rg_json *json, const rg_search_effect *e)
{
    rg_json_open(json, NULL, '{');
    rg_json_string(json, "axis", e->axis);
    rg_json_string(json, "choice", e->choice);
    rg_json_real(json, "with", e->with);
    rg_json_count(json, "n_with", e->n_with);
    rg_json_real(json, "without", e->without);
    rg_json_count(json, "n_without", e->n_without);
    rg_json_close(json, '{');
}

static void copy_effect(rg_json *json, const json_t *effect)
{
    rg_json_open(json, NULL, '{');
    rg_json_string(json, "axis", text_of(effect, "axis"));
    rg_json_string(json, "choice", text_of(effect, "choice"));
    rg_json_real(json, "with", real_of(effect, "with"));
    rg_json_real(json, "without", real_of(effect, "without"));
    rg_json_known(json, "n_with", count_of(effect, "n_with"));
    rg_json_known(json, "n_without", count_of(effect, "n_without"));
    rg_json_close(json, '{');
}

static void write_round(rg_json *json, const rg_search_round *round)
{
    rg_json_open(json, NULL, '{');
    rg_json_count(json, "candidates", round->n_candidates);
    rg_json_count(json, "folds", round->n_folds);
    rg_json_count(json, "epochs", round->epochs);
    rg_json_count(json, "runs", round->n_runs);
    rg_json_real(json, "seconds", round->seconds);
    rg_json_close(json, '{');
}

static void write_test(rg_json *json, const rg_search_test *t, const rg_search_result *r)
{
    rg_json_open(json, NULL, '{');
    rg_json_string(json, "protocol", rg_protocol_name(t->protocol));
    write_spread(json, r->metric == RG_METRIC_MAE ? "error" : rg_metric_name(r->metric), t->mean,
                 t->deviation);
    rg_json_real(json, "validation", t->validation);
    rg_json_count(json, "folds", t->n_folds);
    rg_json_count(json, "runs", r->final.n_runs);
    rg_json_count(json, "epochs", r->final.epochs);
    rg_json_close(json, '{');
}

static void write_lists(rg_json *json, const rg_search_result *r)
{
    rg_json_open(json, "rounds", '[');
    for (size_t k = 0; k < RG_SEARCH_ROUNDS; k++)
        write_round(json, &r->rounds[k]);
    rg_json_close(json, '[');
    rg_json_open(json, "candidates", '[');
    for (size_t k = 0; k < r->n_entries; k++)
        write_candidate(json, &r->entries[k], k + 1);
    rg_json_close(json, '[');
    rg_json_open(json, "effects", '[');
    for (size_t k = 0; k < r->n_effects; k++)
        write_effect(json, &r->effects[k]);
    rg_json_close(json, '[');
    rg_json_count(json, "finalists", r->n_finalists);
    rg_json_open(json, "tests", '[');
    if (r->winner.n_folds)
        write_test(json, &r->winner, r);
    if (r->winner.n_folds && r->n_finalists > 1)
        write_test(json, &r->finalists, r);
    rg_json_close(json, '[');
}

void rg_board_write(rg_json *json, const rg_search_result *r, const rg_board_about *about)
{
    rg_json_open(json, NULL, '{');
    rg_json_string(json, "data", about->data);
    rg_json_string(json, "splits", about->splits);
    rg_json_count(json, "seed", about->options->seed);
    rg_json_real(json, "minutes", about->options->seconds / 60);
    rg_json_real(json, "seconds", r->seconds);
    rg_json_bool(json, "stopped", r->stopped);
    rg_json_count(json, "largest_distance", r->space.reach);
    rg_json_count(json, "failed", r->n_failed);
    write_lists(json, r);
    rg_json_string(json, "experiment", about->experiment);
    rg_json_string(json, "leaderboard", about->board);
    rg_json_close(json, '{');
}

static void copy_all(rg_json *json, const json_t *root, size_t most)
{
    const json_t *candidates = json_object_get(root, "candidates");
    const json_t *effects = json_object_get(root, "effects");
    rg_json_string(json, "data", text_of(root, "data"));
    rg_json_real(json, "minutes", real_of(root, "minutes"));
    rg_json_count(json, "tried", json_array_size(candidates));
    rg_json_open(json, "candidates", '[');
    for (size_t k = 0; k < json_array_size(candidates) && k < most; k++)
        copy_candidate(json, json_array_get(candidates, k));
    rg_json_close(json, '[');
    rg_json_open(json, "effects", '[');
    for (size_t k = 0; k < json_array_size(effects); k++)
        copy_effect(json, json_array_get(effects, k));
    rg_json_close(json, '[');
}

rg_status rg_board_copy(rg_json *json, const char *key, const char *text, size_t most,
                        rg_error *err)
{
    json_error_t error;
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    rg_status status = RG_OK;
    if (!root && rg_json_starved(&error))
        return rg_fail_memory(err, "reading a search");
    if (!root)
        return rg_fail(err, RG_EDATA, "the search: line %d: %s", error.line, error.text);
    if (json_is_array(json_object_get(root, "candidates"))) {
        rg_json_open(json, key, '{');
        copy_all(json, root, most);
        rg_json_close(json, '{');
    } else {
        status =
            rg_fail(err, RG_EDATA,
                    "the search has no list 'candidates', as 'regula search --json' prints it");
    }
    json_decref(root);
    return status;
}
