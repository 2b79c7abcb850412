/* norm.h - what batch norm does with sums: the small arithmetic between its phases (loops.h).
 *
 * A batch may be in parts: every part adds to the sums, and what follows from them holds for all.
 *   forward     norm_sums of all parts -> rg_norm_mean -> norm_squares of all parts ->
 *               rg_norm_scale -> norm_apply on each part
 *   fixed       rg_norm_fixed -> norm_apply
 *   back        norm_back_sums of all parts -> rg_norm_gradients -> norm_back on each part
 * mean, scale, dgain, dshift [width] and running [2][width], kept mean and variance, are reals of
 * the precision. total: how many nodes or graphs the rows of all parts stand for, N of loops.h. */
#ifndef REGULA_BATCH_NORM_H
#define REGULA_BATCH_NORM_H

#include "math/kernels.h"

/* n rows, row r standing for count[r] (NULL: one). */
double rg_norm_total(const uint32_t *count, size_t n);
/* mean = sums / total; sums [width]: of norm_sums. */
void rg_norm_mean(rg_precision precision, void *mean, uint32_t width, const double *sums,
                  double total);
/* scale = 1 / sqrt(variance + 1e-5), variance = squares / total; squares [width]: of norm_squares.
 * running moves by a tenth towards the mean and the variance over total - 1 (total 1: over 1). */
void rg_norm_scale(rg_precision precision, void *scale, void *running, uint32_t width,
                   const double *squares, double total, const void *mean);
/* mean and scale of what is kept. */
void rg_norm_fixed(rg_precision precision, void *mean, void *scale, uint32_t width,
                   const void *running);
/* dshift += sum g, dgain += sum g xhat; sums [2][width]: of norm_back_sums. */
void rg_norm_gradients(rg_precision precision, void *dgain, void *dshift, uint32_t width,
                       const double *sums);

#endif
