/* metric.h - how good predictions are, as one number.
 * Data flow: predictions, targets -> METRIC -> training, results.
 *
 * The numbers are those of scikit-learn, also where a metric has nothing to divide by: F1 is 0 there, a class
 * without rows has no part in the balanced accuracy. NaN: not defined, as the area under a ROC curve where all
 * rows are of one class. Rows and cells without a target have no part in anything. */
#ifndef REGULA_METRIC_H
#define REGULA_METRIC_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rg_metric {
    RG_METRIC_DEFAULT, /* nothing is said: accuracy, or the mean absolute error, of all targets taken together */
    RG_METRIC_AUTO, /* by the training set: ROC-AUC above 90 % of one class, else accuracy; MAE for real values */
    RG_METRIC_ACCURACY,
    RG_METRIC_BALANCED_ACCURACY, /* mean recall of the classes that occur */
    RG_METRIC_ROC_AUC,           /* several classes: the mean of each against the rest */
    RG_METRIC_AVERAGE_PRECISION, /* likewise */
    RG_METRIC_F1_MACRO, /* mean over the classes that occur or are predicted; or over targets */
    RG_METRIC_F1_MICRO, /* of one class per row: the accuracy; of all cells together */
    RG_METRIC_LOG_LOSS,
    RG_METRIC_MAE,
    RG_METRIC_RMSE,
    RG_METRIC_R2
} rg_metric;
#define RG_METRICS 12
#define RG_METRIC_MAJORITY 0.9 /* above which RG_METRIC_AUTO takes ROC-AUC */

/* "roc-auc", as files and options have it; "ROC-AUC", as people read it. Static. */
RG_API const char *rg_metric_name(rg_metric metric);
RG_API const char *rg_metric_title(rg_metric metric);
/* Is lower better? Is it a part of something, which people read in percent? Is it of real values? */
RG_API int rg_metric_is_low(rg_metric metric);
RG_API int rg_metric_is_share(rg_metric metric);
RG_API int rg_metric_is_of_values(rg_metric metric);
/* By its name; '_' is '-', and "auc" is "roc-auc". RG_EUSAGE with the names there are. */
RG_API RG_MUST_CHECK rg_status rg_metric_find(rg_metric *out, const char *name, rg_error *err);

#define RG_METRIC_NO_CLASS UINT32_MAX /* of a row whose class is not known */

/* Of n rows of one class each: probabilities [row][class], classes [row]. Of two classes the second is the one that
 * ROC curve and precision are of. *out: NaN where it is not defined, or no row has a class. RG_EUSAGE (a metric of
 * real values), RG_EDATA (a class that is none; a number that is not finite), RG_ENOMEM. O(n classes log n). */
RG_API RG_MUST_CHECK rg_status rg_metric_classes(double *out, rg_metric metric,
                                                 const double *probabilities,
                                                 const uint32_t *classes, size_t n,
                                                 size_t n_classes, rg_error *err);
/* Of n rows with several targets: said and right are [row][target]. Of yes-or-no answers, `said` is the probability of
 * yes and `right` 1 or 0; of real values both are values; NaN in `right`: not known. *out: the mean over targets for
 * which the metric is defined; RG_METRIC_DEFAULT and F1 micro: of all cells together. each: [target], may be NULL.
 * RG_EDATA (a number that is not finite), RG_ENOMEM. O(n targets log n). */
RG_API RG_MUST_CHECK rg_status rg_metric_answers(double *out, double *each, rg_metric metric,
                                                 const double *said, const double *right, size_t n,
                                                 size_t n_targets, rg_error *err);
RG_API RG_MUST_CHECK rg_status rg_metric_values(double *out, double *each, rg_metric metric,
                                                const double *said, const double *right, size_t n,
                                                size_t n_targets, rg_error *err);

#ifdef __cplusplus
}
#endif

#endif
