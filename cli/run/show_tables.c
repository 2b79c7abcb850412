/* show_tables.c - see show.h: the selections of protocols, as tables. */
#include "base/alloc.h"
#include "base/error.h"
#include "cli/command/command.h"
#include "results/standings.h"
#include "show.h"
#include "show_ensembles.h"

#include <math.h>

const char *cli_show_table_words(size_t k)
{
    static const char *const words[] = {"results", "folds", "configurations",
                                        "runs",    "jobs",  "curves"};
    return k < CLI_COUNT(words) ? words[k] : NULL;
}

static size_t limit(const cli_show *show, size_t n)
{
    return show->top && show->top < n ? show->top : n;
}

void cli_show_method(cli_table *table, const rg_results *results, const rg_verdict *verdict)
{
    if (rg_results_compares(results))
        cli_cell_text(table, rg_results_method(results, verdict));
}

void cli_show_method_of(cli_table *table, const rg_results *results, uint32_t configuration)
{
    size_t m = 0;
    while (m + 1 < results->n_methods && results->methods[m + 1].first <= configuration)
        m++;
    if (rg_results_compares(results))
        cli_cell_text(table, results->methods[m].name);
}

/* ---- results */

/* cell: of a comparison; NULL: nothing is compared. */
static void results_row(cli_table *t, const rg_results *r, const rg_verdict *v,
                        const rg_comparison_cell *cell)
{
    cli_show_method(t, r, v);
    cli_cell_text(t, rg_protocol_name(v->protocol));
    cli_cell_text(t, v->tested ? "test" : "validation");
    cli_cell_spread(t, v->known ? v->result.mean : (double)NAN, v->result.deviation);
    if (cell && cell->best)
        cli_cell_bold(t);
    if (cell)
        cli_cell_spread(t, cell->difference, cell->error);
    if (r->metric == RG_METRIC_ACCURACY)
        cli_cell_real(t, v->majority);
    cli_cell_real(t, v->known ? v->result.validation : (double)NAN);
    cli_cell_real(t, v->best_epoch);
    cli_cell_known(t, v->parameters ? v->parameters : UINT64_MAX);
    cli_cell_known(t, v->known ? v->result.configuration : UINT64_MAX);
    cli_cell_known(t, v->known ? v->n_chosen : UINT64_MAX);
    cli_cell_text(t, v->known ? r->configurations[v->result.configuration].choices : NULL);
}

/* Of experiments that compare: the same columns with two more. */
static rg_status fill_methods(cli_table *out, const cli_show *show, rg_error *err)
{
    static const cli_column accuracies[] = {{"method", "method", CLI_CELL_TEXT},
                                            {"protocol", "protocol", CLI_CELL_TEXT},
                                            {"part", "part", CLI_CELL_TEXT},
                                            {"accuracy", "accuracy", CLI_CELL_SPREAD},
                                            {"difference", "difference", CLI_CELL_DIFFERENCE},
                                            {"majority", "majority", CLI_CELL_SCORE},
                                            {"validation", "validation", CLI_CELL_SCORE},
                                            {"best_epoch", "epoch", CLI_CELL_REAL},
                                            {"parameters", "parameters", CLI_CELL_COUNT},
                                            {"configuration", "config", CLI_CELL_COUNT},
                                            {"folds", "folds", CLI_CELL_COUNT},
                                            {"choices", "choices", CLI_CELL_TEXT}};
    static const cli_column scores[] = {{"method", "method", CLI_CELL_TEXT},
                                        {"protocol", "protocol", CLI_CELL_TEXT},
                                        {"part", "part", CLI_CELL_TEXT},
                                        {"score", "mean", CLI_CELL_SPREAD},
                                        {"difference", "difference", CLI_CELL_DIFFERENCE},
                                        {"validation", "validation", CLI_CELL_SCORE},
                                        {"best_epoch", "epoch", CLI_CELL_REAL},
                                        {"parameters", "parameters", CLI_CELL_COUNT},
                                        {"configuration", "config", CLI_CELL_COUNT},
                                        {"folds", "folds", CLI_CELL_COUNT},
                                        {"choices", "choices", CLI_CELL_TEXT}};
    const rg_results *r = show->results;
    const rg_compared_run run = {NULL, r};
    bool accuracy = r->metric == RG_METRIC_ACCURACY;
    rg_status status = RG_OK;
    *out = (cli_table){.columns = accuracy ? accuracies : scores,
                       .n_columns = accuracy ? CLI_COUNT(accuracies) : CLI_COUNT(scores),
                       .metric = r->metric};
    for (size_t p = 0; p < r->n_verdicts / r->n_methods && !status; p++) {
        rg_comparison all = {0};
        status = rg_comparison_make(&all, &run, 1, p, show->against, err);
        for (size_t m = 0; m < r->n_methods && !status; m++)
            if (!show->top || cli_table_rows(out) < show->top)
                results_row(out, r, &r->verdicts[p * r->n_methods + m],
                            rg_comparison_at(&all, m, 0));
        rg_comparison_free(&all);
        if (!status)
            cli_ensemble_rows(out, r, r->verdicts[p * r->n_methods].protocol);
    }
    return status;
}

static void fill_results(cli_table *out, const cli_show *show)
{
    static const cli_column accuracies[] = {
        {"protocol", "protocol", CLI_CELL_TEXT},      {"part", "part", CLI_CELL_TEXT},
        {"accuracy", "accuracy", CLI_CELL_SPREAD},    {"majority", "majority", CLI_CELL_SCORE},
        {"validation", "validation", CLI_CELL_SCORE}, {"best_epoch", "epoch", CLI_CELL_REAL},
        {"parameters", "parameters", CLI_CELL_COUNT}, {"configuration", "config", CLI_CELL_COUNT},
        {"folds", "folds", CLI_CELL_COUNT},           {"choices", "choices", CLI_CELL_TEXT}};
    static const cli_column errors[] = {
        {"protocol", "protocol", CLI_CELL_TEXT},     {"part", "part", CLI_CELL_TEXT},
        {"error", "mean absolute", CLI_CELL_SPREAD}, {"validation", "validation", CLI_CELL_SCORE},
        {"best_epoch", "epoch", CLI_CELL_REAL},      {"parameters", "parameters", CLI_CELL_COUNT},
        {"configuration", "config", CLI_CELL_COUNT}, {"folds", "folds", CLI_CELL_COUNT},
        {"choices", "choices", CLI_CELL_TEXT}};
    static const cli_column scores[] = {
        {"protocol", "protocol", CLI_CELL_TEXT},     {"part", "part", CLI_CELL_TEXT},
        {"score", "mean", CLI_CELL_SPREAD},          {"validation", "validation", CLI_CELL_SCORE},
        {"best_epoch", "epoch", CLI_CELL_REAL},      {"parameters", "parameters", CLI_CELL_COUNT},
        {"configuration", "config", CLI_CELL_COUNT}, {"folds", "folds", CLI_CELL_COUNT},
        {"choices", "choices", CLI_CELL_TEXT}};
    const rg_results *r = show->results;
    bool accuracy = r->metric == RG_METRIC_ACCURACY;
    *out = (cli_table){.columns = accuracy                     ? accuracies
                                  : r->metric == RG_METRIC_MAE ? errors
                                                               : scores,
                       .n_columns = accuracy ? CLI_COUNT(accuracies) : CLI_COUNT(errors),
                       .metric = r->metric};
    for (size_t k = 0; k < limit(show, r->n_verdicts); k++) {
        results_row(out, r, &r->verdicts[k], NULL);
        cli_ensemble_rows(out, r, r->verdicts[k].protocol);
    }
}

/* ---- folds */

static void fold_row(cli_table *t, const rg_results *r, const rg_verdict *v, uint32_t f)
{
    const rg_fold_result *result = &v->result.folds[f];
    const rg_store_fold unknown = {.n_train = UINT64_MAX,
                                   .n_validation = UINT64_MAX,
                                   .n_test = UINT64_MAX,
                                   .majority = (double)NAN,
                                   .majority_validation = (double)NAN};
    const rg_store_fold *fold = r->folds ? &r->folds[f] : &unknown;
    uint64_t parameters = rg_results_parameters(r, result->configuration, f);
    cli_show_method(t, r, v);
    cli_cell_text(t, rg_protocol_name(v->protocol));
    cli_cell_count(t, rg_results_fold(r, f));
    cli_cell_known(t, fold->n_train);
    cli_cell_known(t, fold->n_validation);
    cli_cell_known(t, fold->n_test);
    cli_cell_real(t, result->validation);
    cli_cell_spread(t, v->tested ? result->test : (double)NAN, result->deviation);
    bool accuracy = r->metric == RG_METRIC_ACCURACY;
    cli_cell_real(t, !accuracy   ? (double)NAN
                     : v->tested ? fold->majority
                                 : fold->majority_validation);
    cli_cell_real(t, v->tested ? rg_results_cell(r, result->configuration, f)->best_epoch
                               : (double)v->result.epoch);
    cli_cell_known(t, parameters ? parameters : UINT64_MAX);
    cli_cell_count(t, result->n_ties);
    cli_cell_count(t, result->configuration);
    cli_cell_text(t, r->configurations[result->configuration].choices);
}

static rg_status fill_folds(cli_table *out, const cli_show *show, rg_error *err)
{
    static const cli_column columns[] = {{"method", "method", CLI_CELL_TEXT},
                                         {"protocol", "protocol", CLI_CELL_TEXT},
                                         {"fold", "fold", CLI_CELL_COUNT},
                                         {"n_train", "n train", CLI_CELL_COUNT},
                                         {"n_validation", "n validation", CLI_CELL_COUNT},
                                         {"n_test", "n test", CLI_CELL_COUNT},
                                         {"validation", "validation", CLI_CELL_SCORE},
                                         {"test", "test", CLI_CELL_SPREAD},
                                         {"majority", "majority", CLI_CELL_SCORE},
                                         {"best_epoch", "epoch", CLI_CELL_REAL},
                                         {"parameters", "parameters", CLI_CELL_COUNT},
                                         {"ties", "ties", CLI_CELL_COUNT},
                                         {"configuration", "config", CLI_CELL_COUNT},
                                         {"choices", "choices", CLI_CELL_TEXT}};
    const rg_results *r = show->results;
    size_t without = !rg_results_compares(r), n_known = 0;
    *out = (cli_table){.columns = columns + without,
                       .n_columns = CLI_COUNT(columns) - without,
                       .metric = r->metric};
    for (size_t m = 0; m < r->n_methods; m++) {
        const rg_verdict *v = &r->verdicts[m];
        n_known += v->known;
        for (uint32_t f = 0; v->known && f < limit(show, v->result.n_folds); f++)
            fold_row(out, r, v, f);
    }
    return n_known ? RG_OK : rg_fail(err, RG_EFAIL, "%s", r->verdicts[0].why.message);
}

/* ---- configurations */

static void configuration_row(cli_table *t, const rg_results *r, const rg_standing *s)
{
    cli_cell_count(t, s->configuration);
    cli_cell_spread(t, s->validation, s->deviation);
    cli_cell_real(t, s->loss);
    cli_cell_real(t, s->train);
    cli_cell_real(t, s->best_epoch);
    cli_cell_known(t, s->parameters ? s->parameters : UINT64_MAX);
    cli_cell_count(t, s->n_folds);
    cli_cell_text(t, rg_protocol_name(r->verdicts[0].protocol));
    bool known = false;
    for (size_t m = 0; m < r->n_methods; m++)
        known |= r->verdicts[m].known;
    cli_cell_known(t, known ? s->n_chosen : UINT64_MAX);
    cli_cell_text(t, r->configurations[s->configuration].choices);
}

static rg_status fill_configurations(cli_table *out, const cli_show *show, rg_error *err)
{
    static const cli_column columns[] = {
        {"configuration", "config", CLI_CELL_COUNT}, {"validation", "validation", CLI_CELL_SPREAD},
        {"validation_loss", "loss", CLI_CELL_REAL},  {"train", "train", CLI_CELL_SCORE},
        {"best_epoch", "epoch", CLI_CELL_REAL},      {"parameters", "parameters", CLI_CELL_COUNT},
        {"folds", "folds", CLI_CELL_COUNT},          {"protocol", "protocol", CLI_CELL_TEXT},
        {"chosen", "chosen", CLI_CELL_COUNT},        {"choices", "choices", CLI_CELL_TEXT}};
    const rg_results *r = show->results;
    *out = (cli_table){.columns = columns, .n_columns = CLI_COUNT(columns), .metric = r->metric};
    rg_standing *all = NULL;
    rg_status status = rg_standings_make(&all, r, &r->verdicts[0], err);
    for (size_t k = 0; !status && k < limit(show, r->n_configurations); k++)
        configuration_row(out, r, &all[k]);
    rg_free(all);
    return status;
}

rg_status cli_show_fill(cli_table *out, const cli_show *show, rg_error *err)
{
    rg_status status = RG_OK;
    switch (show->table) {
    case CLI_SHOW_RESULTS:
        if (rg_results_compares(show->results))
            status = fill_methods(out, show, err);
        else
            fill_results(out, show);
        break;
    case CLI_SHOW_FOLDS:
        status = fill_folds(out, show, err);
        break;
    case CLI_SHOW_CONFIGURATIONS:
        status = fill_configurations(out, show, err);
        break;
    default:
        status = cli_show_rows(out, show, err);
    }
    if (!status && out->failed)
        status = rg_fail_memory(err, "a table");
    return status;
}
