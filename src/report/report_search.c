/* report_search.c - see report_parts.h: what `regula search --json` printed, as a leaderboard. */
#include "base/error.h"
#include "report_parts.h"
#include "text/json.h"

#include <math.h>
#include <string.h>

#define MOST_CANDIDATES 200

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

static void add_spread(rg_json_text *json, const char *key, const json_t *spread)
{
    rg_json_open(json, key, '[');
    rg_json_real(json, NULL, real_of(spread, "mean"));
    rg_json_real(json, NULL, real_of(spread, "std"));
    rg_json_close(json, '[');
}

static void add_candidate(rg_json_text *json, const json_t *candidate)
{
    rg_json_open(json, NULL, '{');
    rg_json_known(json, "rank", count_of(candidate, "rank"));
    rg_json_known(json, "number", count_of(candidate, "number"));
    rg_json_known(json, "round", count_of(candidate, "round"));
    add_spread(json, "validation", json_object_get(candidate, "validation"));
    rg_json_known(json, "weights", count_of(candidate, "weights"));
    rg_json_real(json, "seconds", real_of(candidate, "seconds"));
    rg_json_string(json, "rule", json_string_value(json_object_get(candidate, "rule")));
    rg_json_string(json, "message", json_string_value(json_object_get(candidate, "message")));
    rg_json_close(json, '{');
}

static void add_effect(rg_json_text *json, const json_t *effect)
{
    rg_json_open(json, NULL, '{');
    rg_json_string(json, "axis", json_string_value(json_object_get(effect, "axis")));
    rg_json_string(json, "choice", json_string_value(json_object_get(effect, "choice")));
    rg_json_real(json, "with", real_of(effect, "with"));
    rg_json_real(json, "without", real_of(effect, "without"));
    rg_json_known(json, "n_with", count_of(effect, "n_with"));
    rg_json_known(json, "n_without", count_of(effect, "n_without"));
    rg_json_close(json, '{');
}

static void add_search(rg_json_text *json, const json_t *root)
{
    const json_t *candidates = json_object_get(root, "candidates");
    const json_t *effects = json_object_get(root, "effects");
    rg_json_open(json, "search", '{');
    rg_json_string(json, "data", json_string_value(json_object_get(root, "data")));
    rg_json_real(json, "minutes", real_of(root, "minutes"));
    rg_json_count(json, "tried", json_array_size(candidates));
    rg_json_open(json, "candidates", '[');
    for (size_t k = 0; k < json_array_size(candidates) && k < MOST_CANDIDATES; k++)
        add_candidate(json, json_array_get(candidates, k));
    rg_json_close(json, '[');
    rg_json_open(json, "effects", '[');
    for (size_t k = 0; k < json_array_size(effects); k++)
        add_effect(json, json_array_get(effects, k));
    rg_json_close(json, '[');
    rg_json_close(json, '{');
}

rg_status rg_report_add_search(rg_report *report, rg_error *err)
{
    const char *text = report->options->search;
    json_error_t error;
    if (!text) {
        rg_json_string(&report->json, "search", NULL);
        return RG_OK;
    }
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (!root && rg_json_starved(&error))
        return rg_fail_memory(err, "reading a search");
    if (!root)
        return rg_fail(err, RG_EDATA, "the search: line %d: %s", error.line, error.text);
    if (!json_is_array(json_object_get(root, "candidates"))) {
        json_decref(root);
        return rg_fail(err, RG_EDATA,
                       "the search has no list 'candidates', as 'regula search --json' prints it");
    }
    add_search(&report->json, root);
    json_decref(root);
    return RG_OK;
}
