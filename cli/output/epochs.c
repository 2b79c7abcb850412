/* epochs.c - see epochs.h. */
#include "epochs.h"

#include "output.h"

#include <math.h>
#include <signal.h>

#define BETWEEN_LINES 0.1   /* seconds, on a terminal */
#define BETWEEN_MESSAGES 10 /* elsewhere */

static volatile sig_atomic_t stop_asked;
static const int watched[] = {SIGINT, SIGTERM, SIGHUP};
enum { N_WATCHED = sizeof watched / sizeof *watched };

static void ask_to_stop(int signal)
{
    (void)signal;
    stop_asked = 1;
}

/* One signal asks, the next finds what was there before: the program ends. Signals that are
 * ignored, as nohup and the background of a script have it, stay so. */
static void watch_signals(void)
{
    struct sigaction ask = {.sa_handler = ask_to_stop,
                            .sa_flags = (int)(SA_RESETHAND | SA_RESTART)};
    struct sigaction before;
    sigemptyset(&ask.sa_mask);
    stop_asked = 0;
    for (size_t k = 0; k < N_WATCHED; k++)
        if (sigaction(watched[k], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(watched[k], &ask, NULL);
}

static void leave_signals(void)
{
    struct sigaction before, usual = {.sa_handler = SIG_DFL};
    sigemptyset(&usual.sa_mask);
    for (size_t k = 0; k < N_WATCHED; k++)
        if (sigaction(watched[k], NULL, &before) == 0 && before.sa_handler == ask_to_stop)
            sigaction(watched[k], &usual, NULL);
}

void cli_epochs_begin(cli_epochs *epochs, const char *title, bool quiet)
{
    *epochs = (cli_epochs){.title = title, .quiet = quiet, .best_score = NAN};
    cli_progress_begin(&epochs->building, title, quiet);
}

void cli_epochs_end(cli_epochs *epochs)
{
    cli_progress_end(&epochs->building);
    if (epochs->watching)
        leave_signals();
    epochs->watching = false;
}

void cli_epochs_building(void *context, double done)
{
    cli_epochs *epochs = context;
    cli_progress_part(&epochs->building, done);
}

void cli_score_text(double score, rg_metric metric, char out[32])
{
    if (isnan(score))
        snprintf(out, 32, "none");
    else if (rg_metric_is_share(metric))
        snprintf(out, 32, "%.1f %%", 100 * score);
    else
        snprintf(out, 32, rg_metric_is_low(metric) ? "%.4g" : "%.4f", score);
}

void cli_spread_text(double mean, double deviation, rg_metric metric, char *out, size_t size)
{
    if (rg_metric_is_share(metric))
        snprintf(out, size, "%.2f +- %.2f %%", 100 * mean, 100 * deviation);
    else
        snprintf(out, size, rg_metric_is_low(metric) ? "%.4g +- %.4g" : "%.4f +- %.4f", mean,
                 deviation);
}

const char *cli_score_word(rg_metric metric)
{
    static const char *const words[RG_METRICS] = {
        [RG_METRIC_BALANCED_ACCURACY] = "balanced accuracy ",
        [RG_METRIC_ROC_AUC] = "ROC-AUC ",
        [RG_METRIC_AVERAGE_PRECISION] = "average precision ",
        [RG_METRIC_F1_MACRO] = "F1 macro ",
        [RG_METRIC_F1_MICRO] = "F1 micro ",
        [RG_METRIC_LOG_LOSS] = "log loss ",
        [RG_METRIC_MAE] = "mean error ",
        [RG_METRIC_RMSE] = "RMSE ",
        [RG_METRIC_R2] = "R2 ",
    };
    return words[metric] ? words[metric] : "";
}

const char *cli_score_kind(rg_metric metric)
{
    return metric == RG_METRIC_MAE ? "error" : rg_metric_name(metric);
}

/* Mean over the runs that have the number. */
static double mean(const rg_train_state *state, size_t offset)
{
    double sum = 0;
    size_t n = 0;
    for (size_t k = 0; k < state->n_runs; k++) {
        double value = *(const double *)(const void *)((const char *)&state->last[k] + offset);
        if (!isnan(value)) {
            sum += value;
            n++;
        }
    }
    return n ? sum / (double)n : NAN;
}

void cli_epochs_line(const cli_epochs *epochs, const rg_train_state *state, double left, char *out,
                     size_t size)
{
    char train[32], validation[32], best[32], wait[32] = "";
    double score = mean(state, offsetof(rg_epoch, validation_score));
    cli_score_text(mean(state, offsetof(rg_epoch, train_score)), state->metric, train);
    cli_score_text(score, state->metric, validation);
    cli_score_text(epochs->best_score, state->metric, best);
    if (left >= 0)
        cli_duration_text(left, wait);
    int used = snprintf(out, size, "%s  epoch %lu/%lu%s%s%s  loss %.4g  train %s", epochs->title,
                        (unsigned long)state->epoch, (unsigned long)state->epochs,
                        left >= 0 ? ", " : "", wait, left >= 0 ? " left" : "",
                        mean(state, offsetof(rg_epoch, train_loss)), train);
    size_t at = used < 0 || (size_t)used >= size ? size - 1 : (size_t)used;
    if (!isnan(score)) {
        used = snprintf(out + at, size - at, "  validation %s", validation);
        at += used < 0 || (size_t)used >= size - at ? size - at - 1 : (size_t)used;
        if (!isnan(epochs->best_score))
            snprintf(out + at, size - at, " (best %s, epoch %lu)", best,
                     (unsigned long)epochs->best);
        else
            snprintf(out + at, size - at, " (best: epoch %lu)", (unsigned long)epochs->best);
    }
}

/* The best run is not named: its score is the best of an epoch that is the best so far. */
static void note_best(cli_epochs *epochs, const rg_train_state *state)
{
    if (state->best_epoch == epochs->best && epochs->first)
        return;
    epochs->best = state->best_epoch;
    epochs->best_score = NAN;
    for (size_t k = 0; k < state->n_runs && state->best_epoch == state->epoch; k++) {
        double score = state->last[k].validation_score;
        if (isnan(epochs->best_score) ||
            (state->errors ? score < epochs->best_score : score > epochs->best_score))
            epochs->best_score = score;
    }
}

int cli_epochs_progress(void *context, const rg_train_state *state)
{
    cli_epochs *epochs = context;
    double now = cli_now(), left = -1;
    note_best(epochs, state);
    if (!epochs->first) {
        cli_progress_end(&epochs->building);
        watch_signals();
        epochs->watching = true;
        epochs->first = state->epoch;
        epochs->began = epochs->last = now;
    }
    bool terminal = epochs->building.shown;
    if (epochs->quiet || now - epochs->last < (terminal ? BETWEEN_LINES : BETWEEN_MESSAGES))
        return stop_asked;
    if (state->epoch > epochs->first)
        left =
            (now - epochs->began) / (state->epoch - epochs->first) * (state->epochs - state->epoch);
    char line[400];
    cli_epochs_line(epochs, state, left, line, sizeof line);
    epochs->last = now;
    if (terminal) {
        cli_draw(line);
        epochs->building.drawn = true;
    } else {
        cli_message("%s", line);
    }
    return stop_asked;
}
