/* metric.h - the scores behind regula/metric.h, in memory of the caller: nothing is allocated, nothing fails.
 *
 * One target at a time is a column of numbers that were said and of those that are right; several classes are
 * columns, too, each against the rest. */
#ifndef REGULA_METRIC_METRIC_H
#define REGULA_METRIC_METRIC_H

#include "regula/metric.h"

#include <stdbool.h>

/* One row of a column. */
typedef struct rg_scored {
    double said;
    bool yes;
} rg_scored;

/* Rows of a class: of it, said to be of it, and both. */
typedef struct rg_class_count {
    double of, said, both;
} rg_class_count;

/* Scratch memory: room for all rows, twice, and for all classes. */
typedef struct rg_metric_scratch {
    rg_scored *rows;        /* [2 n] */
    rg_class_count *counts; /* [n_classes] */
} rg_metric_scratch;

/* Ends with rg_metric_scratch_free, also on failure. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_metric_scratch_new(rg_metric_scratch *out, size_t n, size_t n_classes,
                                              rg_error *err);
void rg_metric_scratch_free(rg_metric_scratch *scratch);

/* As rg_metric_classes; classes that are RG_METRIC_NO_CLASS do not count. */
double rg_metric_of_classes(rg_metric metric, const double *probabilities, const uint32_t *classes,
                            size_t n, size_t n_classes, const rg_metric_scratch *scratch);
/* As rg_metric_answers (yes true) or rg_metric_values; each may be NULL. */
double rg_metric_of_targets(double *each, rg_metric metric, bool answers, const double *said,
                            const double *right, size_t n, size_t n_targets,
                            const rg_metric_scratch *scratch);

#endif
