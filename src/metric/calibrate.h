/* calibrate.h - probabilities that mean what they say, and sets of classes that hold the right one as often as asked.
 *
 * Temperature: the outputs of a classifier are divided by one number before the softmax (Guo et al. 2017). Conformal
 * sets (Vovk et al. 2005, smoothed): of samples that were used for nothing else, the score of the right class is 1
 * less its probability. A class is in the set of a new sample unless too few of those scores are as large as its
 * own. If samples come in random order, the set holds the right class with the confidence asked for, whatever the
 * model is worth; ties are broken by a random number, or sets would hold it more often. */
#ifndef REGULA_METRIC_CALIBRATE_H
#define REGULA_METRIC_CALIBRATE_H

#include "regula/base.h"

#include <stdbool.h>

/* The temperature with the smallest log loss on n rows of outputs [row][class], between 1/20 and 20; 1 where there are
 * no rows. classes: RG_METRIC_NO_CLASS counts for nothing. O(n classes). */
double rg_temperature_fit(const double *outputs, const uint32_t *classes, size_t n,
                          size_t n_classes);
/* Probabilities of one row. */
void rg_temperature_apply(double *probabilities, const double *outputs, size_t n_classes,
                          double temperature);

/* Puts n scores, 1 less the probability of the right class, into ascending order. */
void rg_conformal_sort(double *scores, size_t n);
/* Is a class of this score in the set? u: a random number of the sample, 0 <= u < 1. O(log n). */
bool rg_conformal_holds(const double *scores, size_t n, double score, double confidence, double u);

#endif
