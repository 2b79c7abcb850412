/* epochs.h - progress of a training, and signals that stop it. */
#ifndef REGULA_CLI_OUTPUT_EPOCHS_H
#define REGULA_CLI_OUTPUT_EPOCHS_H

#include "progress.h"
#include "regula/model.h"

typedef struct cli_epochs {
    cli_progress building; /* labels and tables */
    const char *title;
    bool quiet;
    bool watching;      /* signals are caught */
    uint32_t first;     /* epochs that were done at the first call; 0: none yet */
    uint32_t best;      /* best epoch so far */
    double best_score;  /* NaN: it was before this call */
    double began, last; /* seconds: the first call, the last line */
} cli_epochs;

/* title: kept. */
void cli_epochs_begin(cli_epochs *epochs, const char *title, bool quiet);
void cli_epochs_end(cli_epochs *epochs); /* wipes the line; signals do what they did before */

/* For rg_train_options, with a cli_epochs as context. Before the first epoch is done a signal ends
 * the program, for there is nothing to keep; from then on SIGINT, SIGTERM or SIGHUP asks training
 * to stop after the epoch at hand, and a second one ends the program. On a terminal there is one
 * line that changes, elsewhere a new one every 10 seconds. */
void cli_epochs_building(void *epochs, double done);
int cli_epochs_progress(void *epochs, const rg_train_state *state);

/* The line: "NCI1  epoch 12/50, 9 s left  loss 0.3312  train 91.2 %  validation 80.4 % (best 81.1 %,
 * epoch 9)", without the seconds if left is negative. A narrow terminal cuts its end. Of several runs it has the means. */
void cli_epochs_line(const cli_epochs *epochs, const rg_train_state *state, double left, char *out,
                     size_t size);
/* A score: "91.2 %" of a share, "0.7734" of a curve, errors with four digits; "none" for NaN. */
void cli_score_text(double score, rg_metric metric, char out[32]);
/* Mean and deviation of scores: "85.31 +- 1.20 %". size: of `out`. */
void cli_spread_text(double mean, double deviation, rg_metric metric, char *out, size_t size);
/* What stands before a score that is no accuracy: "mean error ", "ROC-AUC "; static. */
const char *cli_score_word(rg_metric metric);
/* The word for a kind of score in JSON: "accuracy", "error", or the name of the metric. */
const char *cli_score_kind(rg_metric metric);

#endif
