/* measure.h - losses and scores of samples, all lanes at once. */
#ifndef REGULA_TRAIN_MEASURE_H
#define REGULA_TRAIN_MEASURE_H

#include "network/engine.h"
#include "settings.h"

/* What is measured of outputs, for one task. Scores that are no sums over samples are found at the end of a part, from
 * the outputs of all its samples, which are kept until then. */
typedef struct rg_measure {
    const rg_samples *samples;
    const rg_kernels *kernels, *doubles;
    rg_loss loss;                               /* never AUTO */
    double class_weights[RG_CLASS_WEIGHTS_MAX]; /* used if n_class_weights */
    size_t n_class_weights;
    rg_metric metric; /* what scores are; never AUTO or DEFAULT */
    double
        majority; /* part of the training targets that are of the most frequent class of their column;
                                  NaN: real values, or no training set */
    /* Nodes of the part at hand, 1 or 0 for each node of the set, and of each part; NULL: all. */
    const uint8_t *mask, *masks[3];
    char *kept; /* outputs of all samples, [row][output][lane], owned; NULL: scores are sums */
    double *said, *right;      /* [row][output] of one lane, owned */
    uint32_t *classes;         /* [row], owned */
    rg_metric_scratch scratch; /* owned */
} rg_measure;

/* Sums over samples; what is missing has no part in them. */
typedef struct rg_tally {
    double loss[RG_MAX_LANES];  /* of the training loss, each target with its weight */
    double score[RG_MAX_LANES]; /* right answers; real values: minus the absolute errors */
    double weight;              /* of all targets: loss / weight is the mean */
    double n;                   /* of targets: score / n is the accuracy, or minus the mean error */
} rg_tally;

/* The loss for the task, `auto` resolved, and class weights, from the training set if they are to
 * be balanced. Ends with rg_measure_close, also on failure. RG_EDATA (a loss or a metric that does not fit the task,
 * another number of class weights, no targets), RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_measure_open(rg_measure *out, const rg_samples *samples,
                                        const rg_kernels *kernels, const rg_settings *settings,
                                        const uint32_t *train, size_t n_train, rg_error *err);

void rg_measure_close(rg_measure *m);

/* Scores can be told on these samples, whatever is said of them: an area under a ROC curve needs two classes. */
bool rg_measure_is_defined(const rg_measure *m, const uint32_t *list, size_t n);
/* out: [lane] the scores of samples whose tally is given; NaN without targets. One thread at a time. */
void rg_measure_score(double *out, const rg_measure *m, const rg_tally *tally, const uint32_t *list,
                      size_t n);

/* From now on only the nodes in the mask of a part count, if the data have masks and targets are those of
 * nodes. Begins with the training part. */
void rg_measure_part(rg_measure *m, rg_part_kind part);

/* Weight of the targets of a sample. */
double rg_measure_weight(const rg_measure *m, size_t sample);
/* Adds a sample with outputs z to the tally; dz, if not NULL, gets scale * the derivative of its
 * loss. */
void rg_measure_sample(rg_tally *tally, const rg_measure *m, const rg_sample *sample, const void *z,
                       void *dz, double scale);

/* Samples that have gone through a pass, one after another; dz: of its outputs, or NULL. */
void rg_measure_group(rg_tally *tally, const rg_measure *m, const rg_pass *pass,
                      const rg_sample *samples, size_t n, void *dz, double scale);

/* All samples of a list, with parameters w. RG_EFAIL, RG_ENOMEM (tables built on the way). */
RG_MUST_CHECK rg_status rg_measure_list(rg_tally *out, const rg_measure *m, rg_walk *walk,
                                        rg_pass *pass, void *w, const uint32_t *list, size_t n,
                                        rg_error *err);

/* Mean loss, and accuracy (real values: mean absolute error), of one lane; NaN without targets. */
double rg_tally_loss(const rg_tally *tally, size_t lane);
double rg_tally_score(const rg_tally *tally, size_t lane);

#endif
