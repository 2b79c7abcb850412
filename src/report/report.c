/* report.c - see report.h: the parts of a report, one after another. */
#include "report.h"

#include "base/alloc.h"
#include "base/error.h"
#include "report_parts.h"
#include "search/board.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define TYPICAL_GRAPHS 24
#define TOP_RULES 200
#define MOST_CANDIDATES 200 /* of a search */

rg_report_options rg_report_options_default(void)
{
    return (rg_report_options){.no_source = "No data set was given.",
                               .fold = UINT64_MAX,
                               .n_graphs = TYPICAL_GRAPHS,
                               .top = TOP_RULES};
}

void rg_report_none(rg_json *json, const char *key, const char *why)
{
    char no[64];
    snprintf(no, sizeof no, "no_%s", key);
    rg_json_string(json, key, NULL);
    rg_json_string(json, no, why);
}

/* ---- what the parts are of */

/* The configuration with the best cell of a fold, of those with runs; 0 if there is none. A run
 * that is half done has no result by a protocol that looks at all folds, but it has curves. */
static uint32_t best_on_fold(const rg_results *r, uint32_t fold)
{
    uint32_t best = 0;
    double score = (double)NAN;
    for (uint32_t c = 0; c < r->n_configurations; c++) {
        const rg_cell *cell = rg_results_cell(r, c, fold);
        bool better =
            rg_metric_is_low(r->metric) ? cell->validation < score : cell->validation > score;
        if (cell->n_runs && (better || (isnan(score) && !isnan(cell->validation)))) {
            best = c;
            score = cell->validation;
        }
    }
    return best;
}

static rg_status choose(rg_report *report, rg_error *err)
{
    const rg_results *r = report->results;
    report->chosen = rg_alloc(r->about->n_folds, sizeof *report->chosen);
    if (!report->chosen)
        return rg_fail_memory(err, "a report");
    for (size_t k = 0; k < r->n_verdicts && !report->verdict; k++)
        if (r->verdicts[k].known)
            report->verdict = &r->verdicts[k];
    for (uint32_t f = 0; f < r->about->n_folds; f++)
        report->chosen[f] =
            report->verdict ? report->verdict->result.folds[f].configuration : best_on_fold(r, f);
    return RG_OK;
}

/* Data with another digest than those of the run are other data. */
static const char *why_no_source(const rg_report *report)
{
    const rg_report_options *o = report->options;
    char digest[RG_DIGEST_SIZE];
    if (!o->source)
        return o->no_source;
    if (o->source->graphs)
        rg_dataset_digest(o->source->graphs, digest);
    else
        rg_arrays_digest(o->source->arrays, digest);
    return strcmp(digest, report->results->about->data_digest) == 0
               ? NULL
               : "The data set has changed since the run: its digest differs.";
}

/* ---- the whole */

static void add_head(rg_report *report)
{
    const rg_results *r = report->results;
    const rg_report_options *o = report->options;
    rg_json *json = &report->json;
    rg_json_string(json, "format", "regula report 1");
    rg_json_string(json, "version", rg_version());
    rg_json_string(json, "title", o->title ? o->title : r->about->name);
    rg_json_string(json, "protocol",
                   report->verdict ? rg_protocol_name(report->verdict->protocol) : NULL);
    rg_json_string(json, "file", r->about->file);
    rg_json_string(json, "resolved", r->about->resolved);
    rg_json_open(json, "runs", '[');
    rg_report_add_run(json, r, r);
    for (size_t k = 0; k < o->n_others; k++)
        rg_report_add_run(json, o->others[k], r);
    rg_json_close(json, '[');
}

static rg_status add_search(rg_report *report, rg_error *err)
{
    const char *text = report->options->search;
    if (text)
        return rg_board_copy(&report->json, "search", text, MOST_CANDIDATES, err);
    rg_json_string(&report->json, "search", NULL);
    return RG_OK;
}

static rg_status add_parts(rg_report *report, rg_error *err)
{
    static rg_status (*const parts[])(rg_report *, rg_error *) = {
        rg_report_add_configurations, add_search,          rg_report_add_curves,
        rg_report_add_said,           rg_report_add_rules, rg_report_add_data};
    rg_status status = RG_OK;
    for (size_t k = 0; k < sizeof parts / sizeof *parts && !status; k++)
        status = parts[k](report, err);
    return status;
}

rg_status rg_report_json(char **out, const rg_results *results, const rg_report_options *options,
                         rg_error *err)
{
    rg_report_options own = *options;
    rg_report report = {.json = {.layout = RG_JSON_PAGE}, .results = results, .options = &own};
    own.no_source = why_no_source(&report);
    own.source = own.no_source ? NULL : own.source;
    rg_status status = choose(&report, err);
    if (!status) {
        rg_json_open(&report.json, NULL, '{');
        add_head(&report);
        status = add_parts(&report, err);
        rg_json_close(&report.json, '{');
    }
    char *text = rg_json_take(&report.json);
    if (!status && !text)
        status = rg_fail_memory(err, "a report");
    if (!status) {
        *out = text;
        text = NULL;
    }
    rg_free(text);
    rg_free(report.chosen);
    rg_said_free(report.said);
    return status;
}
