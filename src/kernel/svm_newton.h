/* svm_newton.h - the best point for some beta at once, while the others stay. */
#ifndef REGULA_KERNEL_SVM_NEWTON_H
#define REGULA_KERNEL_SVM_NEWTON_H

#include "svm_loops.h"

#include <stdbool.h>

/* What to add to n beta between their bounds: the d with sum 0 that
 *     sum over t of f_t d_t - 1/2 sum over s, t of d_s d_t A_st
 * is largest for, A = K plus a little on the diagonal, without which there may be no largest one.
 * On the way from 0 to d the objective of the SVM grows. matrix: [n][n], K, of which the lower
 * half is used up. room: n numbers of scratch. False: K is not what a kernel gives, and d means
 * nothing. Cost: n^3 / 6 products. */
bool rg_svm_newton(double *d, double *matrix, const double *f, size_t n, double *room,
                   const rg_svm_loops *loops);

#endif
