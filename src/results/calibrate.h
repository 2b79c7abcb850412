/* calibrate.h - probabilities from what a kernel says.
 *
 * The numbers of support vector machines are in the right order, but they are no probabilities: an SVM with
 * a small C is never sure, one with a large C always is. With z the logarithms of its numbers, the
 * probabilities are softmax(a z + b), with one a and one b per class, fitted to the validation set, which the
 * machines never saw (of two classes: Platt, 1999). A penalty keeps a near 1 and b near 0 where the set is
 * small. */
#ifndef REGULA_RESULTS_CALIBRATE_H
#define REGULA_RESULTS_CALIBRATE_H

#include "regula/base.h"

/* Numbers [row][width] of the validation and the test set, in place. Rows of the validation set are
 * calibrated by a fit to the other four fifths of it, so that whoever selects by them is not deceived; those
 * of the test set by all of it. classes: of the validation set, UINT16_MAX: not known. Below five rows nothing
 * changes. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_calibrate(double *validation, const uint16_t *classes,
                                     size_t n_validation, double *test, size_t n_test, size_t width,
                                     rg_error *err);

#endif
