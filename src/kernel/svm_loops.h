/* svm_loops.h - the loops over a row that a support vector machine spends its time in.
 *
 * Compiled once for each kind of processor, as the kernels of the layers are (math/kernels.h), and
 * with the same promise: all tables give the same bits. Sums and choices go by RG_SVM_LANES places
 * side by side, whatever registers there are. All arrays hold a multiple of RG_SVM_LANES numbers;
 * what is behind the last sample has `up` and `low` infinite, so that it is never chosen. */
#ifndef REGULA_KERNEL_SVM_LOOPS_H
#define REGULA_KERNEL_SVM_LOOPS_H

#include "math/kernels.h"

enum { RG_SVM_LANES = 32 };

/* n rounded up to whole lanes. */
static inline size_t rg_svm_padded(size_t n)
{
    return (n + RG_SVM_LANES - 1) / RG_SVM_LANES * RG_SVM_LANES;
}

/* The state of one sample per place, all arrays [n]; see svm.c. f_t below is y_t - sum_t; it is not
 * kept, for while all beta are small it has few digits of the sum. */
typedef struct rg_svm_state {
    size_t n;    /* a multiple of RG_SVM_LANES */
    float *sum;  /* over s of beta_s K_ts */
    float *up;   /* y_t: beta_t may grow; -infinity: it may not */
    float *low;  /* y_t: beta_t may shrink; +infinity: it may not */
    float *diag; /* K_tt */
} rg_svm_state;

typedef struct rg_svm_loops {
    /* The partner of i: with b = f_i - f_t and a = |K_ii + K_tt - 2 K_it| the t that may shrink
     * with the largest b b / a among those with b > 0; any, if there is none. */
    size_t (*partner)(const rg_svm_state *s, const float *row, float f_i, float k_ii);
    /* sum_t += delta (row_t - other_t); returns the t that may grow with the largest f. */
    size_t (*update)(const rg_svm_state *s, const float *row, const float *other, float delta);
    /* The t that may grow with the largest f. */
    size_t (*highest)(const rg_svm_state *s);
    /* The smallest f of all t that may shrink; infinite: there is none. */
    float (*lowest)(const rg_svm_state *s);
    /* sum[t] += weight row[t], t < n */
    void (*add)(double *sum, const float *row, double weight, size_t n);
    /* sum over k < n of a[k] b[k] */
    double (*dot)(const double *a, const double *b, size_t n);
    /* out[k] = row[places[k]], k < n */
    void (*gather)(float *out, const float *row, const uint32_t *places, size_t n);
} rg_svm_loops;

/* The best table that the processor can run. */
const rg_svm_loops *rg_svm_loops_get(rg_cpu cpu);

extern const rg_svm_loops rg_svm_loops_portable;
#ifdef RG_WIDE_VECTORS
extern const rg_svm_loops rg_svm_loops_avx2;
extern const rg_svm_loops rg_svm_loops_avx512;
#endif

#endif
