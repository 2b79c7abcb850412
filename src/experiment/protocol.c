/* protocol.c - see protocol.h. */
#include "protocol.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <string.h>

void rg_mean_deviation(const double *values, size_t n, double *mean, double *deviation)
{
    double sum = 0, squares = 0;
    for (size_t k = 0; k < n; k++)
        sum += values[k];
    *mean = n ? sum / (double)n : (double)NAN;
    for (size_t k = 0; k < n; k++)
        squares += (values[k] - *mean) * (values[k] - *mean);
    *deviation = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
}

/* ---- cells */

static rg_cell *cell_at(const rg_cells *cells, size_t configuration, size_t fold)
{
    return &cells->at[configuration * cells->n_folds + fold];
}

static void add_run(rg_cell *cell, const rg_run *run)
{
    cell->n_runs++;
    cell->n_failed += run->best_epoch == 0;
    cell->validation += run->validation_score;
    cell->validation_loss += run->validation_loss;
    cell->test += run->test_score;
    cell->train += run->train_score;
    cell->best_epoch += run->best_epoch;
}

static void take_means(rg_cells *cells, const rg_store_run *runs, size_t n)
{
    for (size_t k = 0; k < cells->n_configurations * cells->n_folds; k++) {
        rg_cell *cell = &cells->at[k];
        double count = cell->n_runs;
        bool usable = cell->n_runs == cells->n_runs && cell->n_failed == 0;
        cell->validation = usable ? cell->validation / count : (double)NAN;
        cell->validation_loss = usable ? cell->validation_loss / count : (double)NAN;
        cell->test = usable ? cell->test / count : (double)NAN;
        cell->train = usable ? cell->train / count : (double)NAN;
        cell->best_epoch = usable ? cell->best_epoch / count : (double)NAN;
    }
    for (size_t k = 0; k < n; k++) { /* second pass: squares around the mean */
        rg_cell *cell = cell_at(cells, runs[k].configuration, runs[k].fold);
        double off = runs[k].run.test_score - cell->test;
        cell->test_deviation += off * off;
    }
    for (size_t k = 0; k < cells->n_configurations * cells->n_folds; k++) {
        rg_cell *cell = &cells->at[k];
        cell->test_deviation =
            cell->n_runs > 1 ? sqrt(cell->test_deviation / (cell->n_runs - 1)) : 0;
    }
}

rg_status rg_cells_make(rg_cells *out, const rg_store_run *runs, size_t n, size_t n_configurations,
                        size_t n_folds, uint32_t n_runs, bool low, rg_error *err)
{
    rg_cells cells = {n_configurations, n_folds, n_runs, low, NULL};
    size_t n_cells;
    if (rg_size_mul(&n_cells, n_configurations, n_folds))
        cells.at = rg_alloc_zero(n_cells, sizeof *cells.at);
    if (!cells.at)
        return rg_fail_memory(err, "the results of an experiment");
    for (size_t k = 0; k < n; k++)
        add_run(cell_at(&cells, runs[k].configuration, runs[k].fold), &runs[k].run);
    take_means(&cells, runs, n);
    *out = cells;
    return RG_OK;
}

void rg_cells_free(rg_cells *cells)
{
    rg_free(cells->at);
    *cells = (rg_cells){0};
}

size_t rg_cells_whole(const rg_cells *cells)
{
    size_t n = 0;
    for (size_t k = 0; k < cells->n_configurations * cells->n_folds; k++)
        n += cells->at[k].n_runs == cells->n_runs;
    return n;
}

/* ---- choosing */

/* Is (score, loss) better than the best so far? NaN never is. */
static bool better(const rg_cells *cells, double score, double loss, double best, double best_loss)
{
    if (isnan(score))
        return false;
    if (isnan(best))
        return true;
    if (score != best)
        return cells->low ? score < best : score > best;
    return loss < best_loss;
}

/* The best configuration of fold `fold`, or of all folds together (fold SIZE_MAX). SIZE_MAX: none
 * can be chosen. */
static size_t choose(const rg_cells *cells, size_t fold, double *score, size_t *n_ties, bool *whole)
{
    size_t from = fold == SIZE_MAX ? 0 : fold, to = fold == SIZE_MAX ? cells->n_folds : fold + 1;
    size_t chosen = SIZE_MAX;
    double best = (double)NAN, best_loss = (double)NAN;
    *n_ties = 0;
    for (size_t c = 0; c < cells->n_configurations; c++) {
        double sum = 0, loss = 0, n = (double)(to - from);
        for (size_t f = from; f < to; f++) {
            sum += cell_at(cells, c, f)->validation;
            loss += cell_at(cells, c, f)->validation_loss;
        }
        if (isnan(sum)) {
            *whole = false;
            continue;
        }
        bool wins = better(cells, sum / n, loss / n, best, best_loss);
        if (sum / n == best)
            (*n_ties)++;
        else if (wins)
            *n_ties = 0;
        if (wins) {
            best = sum / n;
            best_loss = loss / n;
            chosen = c;
        }
    }
    *score = best;
    return chosen;
}

static rg_status nothing(const rg_cells *cells, rg_protocol protocol, rg_error *err)
{
    return rg_fail(err, RG_EFAIL,
                   "protocol '%s': no configuration has all its runs (%zu of %zu cells are whole)",
                   rg_protocol_name(protocol), rg_cells_whole(cells),
                   cells->n_configurations * cells->n_folds);
}

static void fill_fold(rg_fold_result *out, const rg_cells *cells, size_t configuration, size_t fold)
{
    const rg_cell *cell = cell_at(cells, configuration, fold);
    *out = (rg_fold_result){.configuration = (uint32_t)configuration,
                            .validation = cell->validation,
                            .test = cell->test,
                            .deviation = cell->test_deviation,
                            .n_ties = out->n_ties};
}

/* The configuration that most folds chose, the first of several. */
static uint32_t most_frequent(const rg_protocol_result *r)
{
    uint32_t best = r->folds[0].configuration;
    size_t most = 0;
    for (size_t f = 0; f < r->n_folds; f++) {
        size_t n = 0;
        for (size_t g = 0; g < r->n_folds; g++)
            n += r->folds[g].configuration == r->folds[f].configuration;
        if (n > most || (n == most && r->folds[f].configuration < best)) {
            most = n;
            best = r->folds[f].configuration;
        }
    }
    return best;
}

static rg_status run_choice(rg_protocol_result *r, const rg_cells *cells, rg_error *err)
{
    size_t all = 0, ties = 0;
    double score = (double)NAN, sum = 0;
    if (r->protocol == RG_PROTOCOL_GLOBAL) {
        all = choose(cells, SIZE_MAX, &score, &ties, &r->whole);
        if (all == SIZE_MAX)
            return nothing(cells, r->protocol, err);
        r->n_ties = ties;
    }
    for (size_t f = 0; f < cells->n_folds; f++) {
        size_t own = all;
        if (r->protocol != RG_PROTOCOL_GLOBAL) {
            own = choose(cells, f, &score, &r->folds[f].n_ties, &r->whole);
            if (own == SIZE_MAX)
                return nothing(cells, r->protocol, err);
            r->n_ties += r->folds[f].n_ties;
        }
        fill_fold(&r->folds[f], cells, own, f);
        sum += r->folds[f].validation;
    }
    r->validation = sum / (double)cells->n_folds;
    r->configuration = most_frequent(r);
    return RG_OK;
}

/* ---- gin */

/* Adds the validation curve of a run; behind its last epoch the last score goes on. */
static rg_status add_curve(double *sum, size_t n_epochs, rg_store *store, const rg_store_run *run,
                           rg_error *err)
{
    rg_epoch *epochs = NULL;
    rg_status status = rg_store_epochs(&epochs, store, run, err);
    for (size_t e = 0; !status && run->run.epochs && e < n_epochs; e++)
        sum[e] += epochs[e < run->run.epochs ? e : run->run.epochs - 1].validation_score;
    rg_free(epochs);
    return status;
}

static uint32_t longest(const rg_store_run *runs, size_t n)
{
    uint32_t most = 0;
    for (size_t k = 0; k < n; k++)
        most = runs[k].run.epochs > most ? runs[k].run.epochs : most;
    return most;
}

/* Curves of one configuration, [fold][epoch], means over runs. */
static rg_status read_curves(double *curves, size_t n_epochs, const rg_cells *cells, size_t c,
                             rg_store *store, const rg_store_run *runs, size_t n, rg_error *err)
{
    rg_status status = RG_OK;
    memset(curves, 0, cells->n_folds * n_epochs * sizeof *curves);
    for (size_t k = 0; !status && k < n; k++)
        if (runs[k].configuration == c)
            status = add_curve(curves + runs[k].fold * n_epochs, n_epochs, store, &runs[k], err);
    for (size_t k = 0; k < cells->n_folds * n_epochs; k++)
        curves[k] /= cells->n_runs;
    return status;
}

static bool is_whole(const rg_cells *cells, size_t c)
{
    for (size_t f = 0; f < cells->n_folds; f++)
        if (isnan(cell_at(cells, c, f)->validation))
            return false;
    return true;
}

static rg_status run_gin(rg_protocol_result *r, const rg_cells *cells, rg_store *store,
                         rg_error *err)
{
    rg_store_run *runs = NULL;
    size_t n = 0;
    rg_status status = rg_store_runs(&runs, &n, store, err);
    size_t n_epochs = status ? 0 : longest(runs, n);
    double *curves = rg_alloc(cells->n_folds * n_epochs, sizeof *curves), best = (double)NAN;
    if (!status && !curves)
        status = rg_fail_memory(err, "validation curves");
    for (size_t c = 0; !status && c < cells->n_configurations; c++) {
        if (!is_whole(cells, c)) {
            r->whole = false;
            continue;
        }
        status = read_curves(curves, n_epochs, cells, c, store, runs, n, err);
        for (size_t e = 0; !status && e < n_epochs; e++) {
            double sum = 0;
            for (size_t f = 0; f < cells->n_folds; f++)
                sum += curves[f * n_epochs + e];
            if (!better(cells, sum / (double)cells->n_folds, 0, best, 0))
                continue;
            best = sum / (double)cells->n_folds;
            r->configuration = (uint32_t)c;
            r->epoch = (uint32_t)e + 1;
            for (size_t f = 0; f < cells->n_folds; f++) {
                fill_fold(&r->folds[f], cells, c, f);
                r->folds[f].validation = r->folds[f].test = curves[f * n_epochs + e];
                r->folds[f].deviation = 0;
            }
        }
    }
    if (!status && r->epoch == 0)
        status = nothing(cells, r->protocol, err);
    r->validation = best;
    rg_free(curves);
    rg_store_runs_free(runs, n);
    return status;
}

/* ---- all */

void rg_protocol_free(rg_protocol_result *result)
{
    rg_free(result->folds);
    result->folds = NULL;
}

rg_status rg_protocol_run(rg_protocol_result *out, rg_protocol protocol, const rg_cells *cells,
                          rg_store *store, rg_error *err)
{
    rg_protocol_result r = {.protocol = protocol, .whole = true, .n_folds = cells->n_folds};
    double *scores = rg_alloc(cells->n_folds, sizeof *scores);
    r.folds = rg_alloc_zero(cells->n_folds, sizeof *r.folds);
    rg_status status =
        scores && r.folds ? RG_OK : rg_fail_memory(err, "the results of an experiment");
    if (!status && protocol == RG_PROTOCOL_HOLDOUT && cells->n_folds != 1)
        status = rg_fail(err, RG_EUSAGE,
                         "protocol 'holdout' is for one fold, and the experiment has %zu",
                         cells->n_folds);
    if (!status)
        status = protocol == RG_PROTOCOL_GIN ? run_gin(&r, cells, store, err)
                                             : run_choice(&r, cells, err);
    if (!status) {
        for (size_t f = 0; f < cells->n_folds; f++)
            scores[f] = r.folds[f].test;
        rg_mean_deviation(scores, cells->n_folds, &r.mean, &r.deviation);
        if (protocol == RG_PROTOCOL_HOLDOUT)
            r.deviation = r.folds[0].deviation;
        *out = r;
    } else
        rg_protocol_free(&r);
    rg_free(scores);
    return status;
}
