/* show_plot.c - see show.h: training curves as a picture. */
#include "base/alloc.h"
#include "base/error.h"
#include "cli/command/command.h"
#include "draw/plot.h"
#include "show.h"

#include <math.h>
#include <stdio.h>

/* Curves of one method on one data set: [epoch], means over runs, then over folds. */
typedef struct plot_curves {
    double *validation, *spread, *train; /* owned */
    size_t n;
    char name[2][120]; /* of the two lines */
} plot_curves;

static void curves_free(plot_curves *curves, size_t n)
{
    for (size_t k = 0; curves && k < n; k++) {
        rg_free(curves[k].validation);
        rg_free(curves[k].spread);
        rg_free(curves[k].train);
    }
    rg_free(curves);
}

static bool is_drawn(const rg_comparison_cell *cell, const rg_store_run *run)
{
    return cell->verdict->known && run->run.epochs &&
           cell->verdict->result.folds[run->fold].configuration == run->configuration;
}

/* Adds the curve of a run to those of its fold; behind its last epoch its last score goes on. */
static rg_status add_run(double *validation, double *train, size_t n, rg_store *store,
                         const rg_store_run *run, rg_error *err)
{
    rg_epoch *epochs = NULL;
    rg_status status = rg_store_epochs(&epochs, store, run, err);
    for (size_t e = 0; e < n && !status; e++) {
        const rg_epoch *at = &epochs[e < run->run.epochs ? e : run->run.epochs - 1];
        validation[e] += at->validation_score;
        train[e] += at->train_score;
    }
    rg_free(epochs);
    return status;
}

/* folds: [fold][epoch] sums over the runs of a fold. */
static void take_means(plot_curves *out, const double *folds, const double *train,
                       const double *counts, size_t n_folds, double factor)
{
    for (size_t e = 0; e < out->n; e++) {
        double sum = 0, squares = 0, trained = 0, n = 0;
        for (size_t f = 0; f < n_folds; f++) {
            if (counts[f] == 0)
                continue;
            double score = factor * folds[f * out->n + e] / counts[f];
            sum += score;
            squares += score * score;
            trained += factor * train[f * out->n + e] / counts[f];
            n++;
        }
        out->validation[e] = sum / n; /* NaN if there is none */
        out->train[e] = trained / n;
        out->spread[e] = n > 1 ? sqrt(fmax(0, squares - sum * sum / n) / (n - 1)) : 0;
    }
}

static rg_status read_curves(plot_curves *out, const rg_comparison_cell *cell, rg_error *err)
{
    const rg_results *r = cell->results;
    size_t n_folds = r->about->n_folds, n_cells = 0;
    for (size_t k = 0; k < r->n_runs; k++)
        if (is_drawn(cell, &r->runs[k]) && r->runs[k].run.epochs > out->n)
            out->n = r->runs[k].run.epochs;
    if (!rg_size_mul(&n_cells, out->n + 1, n_folds))
        return rg_fail_memory(err, "a figure");
    double *folds = rg_alloc_zero(n_cells, sizeof *folds);
    double *train = rg_alloc_zero(n_cells, sizeof *train);
    double *counts = rg_alloc_zero(n_folds, sizeof *counts);
    out->validation = rg_alloc_zero(out->n + 1, sizeof(double));
    out->spread = rg_alloc_zero(out->n + 1, sizeof(double));
    out->train = rg_alloc_zero(out->n + 1, sizeof(double));
    rg_status status = folds && train && counts && out->validation && out->spread && out->train
                           ? RG_OK
                           : rg_fail_memory(err, "a figure");
    for (size_t k = 0; k < r->n_runs && !status; k++) {
        const rg_store_run *run = &r->runs[k];
        if (!is_drawn(cell, run))
            continue;
        counts[run->fold]++;
        status = add_run(folds + run->fold * out->n, train + run->fold * out->n, out->n, r->store,
                         run, err);
    }
    if (!status)
        take_means(out, folds, train, counts, n_folds, rg_metric_is_share(r->metric) ? 100 : 1);
    rg_free(folds);
    rg_free(train);
    rg_free(counts);
    return status;
}

/* The lines of a data set, two a method that has curves. */
static rg_status fill_panel(rg_plot_panel *panel, rg_plot_line *lines, plot_curves *curves,
                            const rg_comparison *all, size_t data, rg_error *err)
{
    rg_status status = RG_OK;
    *panel = (rg_plot_panel){
        .title = all->data[data], .x_title = "epoch", .y_title = "", .lines = lines};
    for (size_t m = 0; m < all->n_methods && !status; m++) {
        const rg_comparison_cell *cell = rg_comparison_at(all, m, data);
        plot_curves *c = &curves[m];
        if (!cell->results)
            continue;
        bool share = rg_metric_is_share(cell->results->metric) != 0;
        status = read_curves(c, cell, err);
        if (status || !c->n)
            continue;
        panel->most = share ? 100 : 0;
        panel->y_title = share ? "validation score %, band: deviation over folds"
                               : rg_metric_title(cell->results->metric);
        snprintf(c->name[0], sizeof c->name[0], "%.100s", all->methods[m]);
        snprintf(c->name[1], sizeof c->name[1], "%.100s, training", all->methods[m]);
        lines[panel->n_lines++] = (rg_plot_line){.name = c->name[0],
                                                 .y = c->validation,
                                                 .spread = c->spread,
                                                 .n = c->n,
                                                 .colour = rg_plot_colour(m)};
        if (c->n == 1) /* not trained by epochs */
            continue;
        lines[panel->n_lines++] = (rg_plot_line){.name = c->name[1],
                                                 .y = c->train,
                                                 .n = c->n,
                                                 .colour = rg_plot_colour(m),
                                                 .dashed = true};
    }
    return status;
}

rg_status cli_show_plot(const rg_comparison *comparison, const char *path, rg_error *err)
{
    size_t n = comparison->n_data, n_cells = n * comparison->n_methods, n_lines = 0;
    rg_plot_panel *panels = rg_alloc_zero(n, sizeof *panels);
    rg_plot_line *lines = rg_alloc_zero(2 * n_cells, sizeof *lines);
    plot_curves *curves = rg_alloc_zero(n_cells, sizeof *curves);
    rg_status status = panels && lines && curves ? RG_OK : rg_fail_memory(err, "a figure");
    for (size_t d = 0; d < n && !status; d++) {
        size_t at = d * comparison->n_methods;
        status = fill_panel(&panels[d], lines + 2 * at, curves + at, comparison, d, err);
        n_lines += panels[d].n_lines;
    }
    if (!status && !n_lines)
        status = rg_fail(err, RG_EFAIL,
                         "there are no curves to draw: no method that trains by "
                         "epochs has been selected yet");
    if (!status)
        status = rg_plot_write(panels, n, path, err);
    curves_free(curves, n_cells);
    rg_free(lines);
    rg_free(panels);
    return status;
}
