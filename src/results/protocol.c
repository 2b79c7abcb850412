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
        cell->test_deviation = usable ? 0 : (double)NAN;
    }
    for (size_t k = 0; k < n; k++) { /* second pass: squares around the mean */
        rg_cell *cell = cell_at(cells, runs[k].configuration, runs[k].fold);
        double off = runs[k].run.test_score - cell->test;
        cell->test_deviation += off * off;
    }
    for (size_t k = 0; k < cells->n_configurations * cells->n_folds; k++) {
        rg_cell *cell = &cells->at[k];
        if (cell->n_runs > 1)
            cell->test_deviation = sqrt(cell->test_deviation / (cell->n_runs - 1));
    }
}

rg_status rg_cells_make(rg_cells *out, const rg_store_run *runs, size_t n, size_t n_configurations,
                        size_t n_folds, uint32_t n_runs, bool low, rg_error *err)
{
    rg_cells cells = {n_configurations, n_folds, n_runs, low, 0, NULL};
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

rg_cells rg_cells_part(const rg_cells *cells, size_t first, size_t n)
{
    rg_cells part = *cells;
    part.n_configurations = n;
    part.first = cells->first + (uint32_t)first;
    part.at += first * cells->n_folds;
    return part;
}

size_t rg_cells_whole(const rg_cells *cells)
{
    size_t n = 0;
    for (size_t k = 0; k < cells->n_configurations * cells->n_folds; k++)
        n += cells->at[k].n_runs == cells->n_runs;
    return n;
}

/* ---- choosing */

/* Means over the same scores differ in their last bits with the order of the sum: they are equal.
 */
static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

/* Is (score, loss) better than the best so far? NaN never is. */
static bool better(const rg_cells *cells, double score, double loss, double best, double best_loss)
{
    if (isnan(score))
        return false;
    if (isnan(best))
        return true;
    if (!same(score, best))
        return cells->low ? score < best : score > best;
    return !same(loss, best_loss) && loss < best_loss;
}

/* All runs of a configuration are there and have weights, on folds from .. to - 1. */
static bool is_usable(const rg_cells *cells, size_t c, size_t from, size_t to)
{
    for (size_t f = from; f < to; f++) {
        const rg_cell *cell = cell_at(cells, c, f);
        if (cell->n_runs != cells->n_runs || cell->n_failed)
            return false;
    }
    return true;
}

/* The best configuration of fold `fold`, or of all folds together (fold SIZE_MAX). SIZE_MAX: none
 * can be chosen. One that is alone needs no validation set. */
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
            bool usable = is_usable(cells, c, from, to);
            *whole &= usable;
            if (usable && cells->n_configurations == 1)
                chosen = c;
            continue;
        }
        bool wins = better(cells, sum / n, loss / n, best, best_loss);
        if (same(sum / n, best))
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
    size_t n = cells->n_configurations * cells->n_folds, whole = rg_cells_whole(cells);
    bool failed = false;
    for (size_t k = 0; k < n; k++)
        failed |= cells->at[k].n_failed > 0;
    if (whole == n && !failed)
        return rg_fail(err, RG_EFAIL,
                       "protocol '%s': there is no validation set to select configurations on",
                       rg_protocol_name(protocol));
    return rg_fail(
        err, RG_EFAIL,
        "protocol '%s': no configuration has all its runs (%zu of %zu cells are complete%s)",
        rg_protocol_name(protocol), whole, n, failed ? ", and some have runs that failed" : "");
}

static void fill_fold(rg_fold_result *out, const rg_cells *cells, size_t configuration, size_t fold)
{
    const rg_cell *cell = cell_at(cells, configuration, fold);
    *out = (rg_fold_result){.configuration = cells->first + (uint32_t)configuration,
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

/* One epoch of a validation curve. */
typedef struct point {
    double score, loss;
} point;

/* Adds the validation curve of a run; behind its last epoch the last score goes on. */
static rg_status add_curve(point *sum, size_t n_epochs, rg_store *store, const rg_store_run *run,
                           rg_error *err)
{
    rg_epoch *epochs = NULL;
    uint32_t n = run->run.epochs;
    rg_status status = rg_store_epochs(&epochs, store, run, err);
    for (size_t e = 0; !status && n && e < n_epochs; e++) {
        sum[e].score += epochs[e < n ? e : n - 1].validation_score;
        sum[e].loss += epochs[e < n ? e : n - 1].validation_loss;
    }
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
static rg_status read_curves(point *curves, size_t n_epochs, const rg_cells *cells, size_t c,
                             rg_store *store, const rg_store_run *runs, size_t n, rg_error *err)
{
    rg_status status = RG_OK;
    memset(curves, 0, cells->n_folds * n_epochs * sizeof *curves);
    for (size_t k = 0; !status && k < n; k++)
        if (runs[k].configuration == cells->first + c)
            status = add_curve(curves + runs[k].fold * n_epochs, n_epochs, store, &runs[k], err);
    for (size_t k = 0; k < cells->n_folds * n_epochs; k++) {
        curves[k].score /= cells->n_runs;
        curves[k].loss /= cells->n_runs;
    }
    return status;
}

/* The best epoch of the mean over folds. *at: from 1; 0: no epoch has a score. */
static point best_epoch(uint32_t *at, const rg_cells *cells, const point *curves, size_t n_epochs)
{
    point best = {(double)NAN, (double)NAN};
    *at = 0;
    for (size_t e = 0; e < n_epochs; e++) {
        point mean = {0, 0};
        for (size_t f = 0; f < cells->n_folds; f++) {
            mean.score += curves[f * n_epochs + e].score / (double)cells->n_folds;
            mean.loss += curves[f * n_epochs + e].loss / (double)cells->n_folds;
        }
        if (better(cells, mean.score, mean.loss, best.score, best.loss)) {
            best = mean;
            *at = (uint32_t)e + 1;
        }
    }
    return best;
}

static void fill_gin(rg_protocol_result *r, const rg_cells *cells, size_t c, uint32_t epoch,
                     const point *curves, size_t n_epochs)
{
    r->configuration = cells->first + (uint32_t)c;
    r->epoch = epoch;
    for (size_t f = 0; f < cells->n_folds; f++) {
        fill_fold(&r->folds[f], cells, c, f);
        r->folds[f].validation = r->folds[f].test = curves[f * n_epochs + epoch - 1].score;
        r->folds[f].deviation = 0;
    }
}

static rg_status choose_gin(rg_protocol_result *r, const rg_cells *cells, rg_store *store,
                            const rg_store_run *runs, size_t n, rg_error *err)
{
    size_t n_epochs = longest(runs, n);
    point best = {(double)NAN, (double)NAN}, *curves = NULL;
    rg_status status = RG_OK;
    curves = rg_alloc(n_epochs, cells->n_folds * sizeof *curves);
    if (!curves)
        return rg_fail_memory(err, "validation curves");
    for (size_t c = 0; !status && c < cells->n_configurations; c++) {
        uint32_t at = 0;
        point own = {(double)NAN, (double)NAN};
        if (is_usable(cells, c, 0, cells->n_folds)) {
            status = read_curves(curves, n_epochs, cells, c, store, runs, n, err);
            if (!status)
                own = best_epoch(&at, cells, curves, n_epochs);
        } else
            r->whole = false;
        bool wins = better(cells, own.score, own.loss, best.score, best.loss);
        if (same(own.score, best.score))
            r->n_ties++;
        else if (wins)
            r->n_ties = 0;
        if (wins) {
            best = own;
            fill_gin(r, cells, c, at, curves, n_epochs);
        }
    }
    r->validation = best.score;
    rg_free(curves);
    return status;
}

static rg_status run_gin(rg_protocol_result *r, const rg_cells *cells, rg_store *store,
                         rg_error *err)
{
    rg_store_run *runs = NULL;
    size_t n = 0;
    rg_status status = rg_store_runs(&runs, &n, store, err);
    if (!status)
        status = choose_gin(r, cells, store, runs, n, err);
    if (!status && r->epoch == 0)
        status = nothing(cells, r->protocol, err);
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

const char *rg_protocol_way(rg_protocol protocol)
{
    static const char *const ways[RG_PROTOCOLS] = {
        [RG_PROTOCOL_FAIR] =
            "each fold selects the best configuration on its validation set and tests it once",
        [RG_PROTOCOL_GLOBAL] = "the mean validation score selects one configuration for all folds",
        [RG_PROTOCOL_GIN] = "no test set: the best epoch of the validation curve averaged over "
                            "folds, scored on the same validation sets",
        [RG_PROTOCOL_HOLDOUT] = "the best configuration on the validation set, tested once; the "
                                "deviation is over runs"};
    return ways[protocol];
}
