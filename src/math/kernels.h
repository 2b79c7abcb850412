/* kernels.h - the numbers of every layer.  Data flow: rule -> LAYER -> network -> train.
 *
 * This header is the formula sheet. A kernel is a pure function on arrays that the caller owns: it
 * allocates nothing and keeps nothing. All kernels of one precision, number of lanes and processor
 * are one constant table; a network picks its table once and goes through it.
 *
 * Lanes: L runs of one network train at once. Every parameter, signal and gradient is L numbers
 * side by side, [item][channel][lane]; shapes below leave the lane out. No kernel ever adds across
 * lanes, and the order of operations in a lane does not depend on L, on the width of the vectors or
 * on the processor: each lane has the bits that the same run has alone, in every table.
 *
 * Reals are float or double by the table, so they pass as void pointers; they need the alignment of
 * one real only. Arrays of one call must not overlap unless the comment says "in place". Backward
 * kernels of layers with parameters add to what they fill (the caller clears), so that signals with
 * several readers and weights with several uses need no other code. */
#ifndef REGULA_MATH_KERNELS_H
#define REGULA_MATH_KERNELS_H

#include "regula/base.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Loops are compiled for wider vectors, too, where there may be some; REGULA_PORTABLE leaves them out. */
#if defined(__x86_64__) && !defined(RG_PORTABLE)
#define RG_WIDE_VECTORS
#endif

#define RG_NO_ID UINT32_MAX /* a bias_id: this output has no bias */
#define RG_MAX_LANES 8

typedef enum rg_precision { RG_FLOAT, RG_DOUBLE } rg_precision;
/* Bytes of one real, and real k of an array. */
static inline size_t rg_real_size(rg_precision precision)
{
    return precision == RG_FLOAT ? sizeof(float) : sizeof(double);
}
static inline double rg_real_at(rg_precision precision, const void *reals, size_t k)
{
    return precision == RG_FLOAT ? (double)((const float *)reals)[k] : ((const double *)reals)[k];
}

static inline void rg_real_put(rg_precision precision, void *reals, size_t k, double value)
{
    if (precision == RG_FLOAT)
        ((float *)reals)[k] = (float)value;
    else
        ((double *)reals)[k] = value;
}

typedef enum rg_activation {
    RG_IDENTITY,
    RG_TANH,
    RG_RELU,
    RG_LEAKY_RELU, /* slope 0.01 below 0 */
    RG_GELU,       /* x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))) */
    RG_SIGMOID,    /* 1 / (1 + e^-x) */
    RG_SOFTPLUS,   /* log(1 + e^x) */
    RG_ELU,        /* x > 0 ? x : e^x - 1 */
    RG_SWISH       /* x / (1 + e^-x) */
} rg_activation;

/* Does the way back of an activation need what went into it? Others need what came out alone. */
static inline bool rg_activation_keeps(rg_activation kind)
{
    return kind == RG_GELU || kind == RG_SOFTPLUS || kind == RG_SWISH;
}

/* f(0) */
static inline double rg_activation_at_zero(rg_activation kind)
{
    return kind == RG_SIGMOID ? 0.5 : kind == RG_SOFTPLUS ? 0.69314718055994530942 : 0;
}

/* The connections of one rule on one sample, rows in CSR. Exactly one of col16, col32 and value is
 * given. `value` is for a layer whose input is fixed (the first): the input stands beside the
 * weight, so that entries of a row with equal ids can be one with the sum of their inputs, and all
 * lanes share it. All arrays are borrowed. */
typedef struct rg_links {
    uint32_t n_rows;         /* outputs */
    const uint32_t *row;     /* [n_rows + 1]: output i has the entries row[i] .. row[i+1] - 1 */
    const uint32_t *id;      /* [entry]: which weight */
    const uint16_t *col16;   /* [entry]: which input */
    const uint32_t *col32;   /* [entry] */
    const void *value;       /* [entry][n_in] reals, without lanes */
    const uint32_t *bias_id; /* [n_rows]: which bias, or RG_NO_ID; NULL: no row has one */
    /* An aggregation: a row stands for so many outputs, with the same entries; output o has weight
     * id + o stride, and is row i * outputs + o of h and bias_id. 0 or 1: rows are outputs. Else
     * there is one channel out. */
    uint32_t outputs, stride;
} rg_links;

/* Channels of a rule layer, and what an aggregation needs besides.
 * full: a weight for each (key, channel in, channel out), w[id][n_in][n_out]. `heads: H` on one
 *       channel is this with n_in 1 and n_out H.
 * else: channel c of the output sees channel c of the input, w[id][n_out], n_in = n_out. */
typedef struct rg_channels {
    uint32_t n_in, n_out;
    bool full;
    bool add;     /* forward adds to h: the second, third ... rule of a layer */
    double scale; /* 1; in an aggregation that takes the mean 1/|V| (the bias is not scaled) */
} rg_channels;

/* A step of Adam, AdamW or SGD as the loop sees it: constants already worked out by train/. */
typedef struct rg_update {
    double step[RG_MAX_LANES];  /* learning rate of a lane; Adam: over 1 - beta1^t */
    double clip[RG_MAX_LANES];  /* factor of the gradient of a lane, 1: not clipped */
    double decay[RG_MAX_LANES]; /* w -= decay * w before the step (AdamW) */
    double penalty;             /* g += penalty * w (L2, Adam and SGD) */
    double beta1, beta2;        /* SGD: beta1 is the momentum */
    double root;                /* 1 / sqrt(1 - beta2^t) */
    double eps;
} rg_update;

typedef struct rg_kernels {
    rg_precision precision;
    rg_cpu cpu;
    uint32_t lanes;   /* 1, 4 or 8 */
    size_t real_size; /* bytes of one real; an item is real_size * lanes */

    /* Rule layer; with rows for outputs and scale 1/|V| or 1, aggregation by mean or sum.
     *   h[i][o] = b[bias_id[i]][o] + scale * sum over k in row i, c of w[id[k]][c][o] x[col[k]][c]
     *   dw[id[k]][c][o] += scale * dh[i][o] x[col[k]][c]
     *   db[bias_id[i]][o] += dh[i][o]
     *   dx[col[k]][c] += scale * sum over o of w[id[k]][c][o] dh[i][o]
     * x is unused with `value`. dx NULL: not wanted (and never filled with `value`). */
    void (*rule_forward)(void *h, const rg_links *links, const rg_channels *channels, const void *w,
                         const void *b, const void *x);
    void (*rule_backward)(void *dw, void *db, void *dx, const rg_links *links,
                          const rg_channels *channels, const void *w, const void *x,
                          const void *dh);

    /* Dense layer on n rows (nodes, or one).
     *   y[s][o] = b[o] + sum over c of w[c][o] x[s][c]
     *   dw[c][o] += x[s][c] dy[s][o]
     *   db[o] += dy[s][o]
     *   dx[s][c] += sum over o of w[c][o] dy[s][o]
     * x [n][n_in], w [n_in][n_out], b [n_out], y [n][n_out]. b or db NULL: no bias; dx NULL: not
     * wanted. */
    void (*dense_forward)(void *y, size_t n, uint32_t n_in, uint32_t n_out, const void *w,
                          const void *b, const void *x);
    void (*dense_backward)(void *dw, void *db, void *dx, size_t n, uint32_t n_in, uint32_t n_out,
                           const void *w, const void *x, const void *dy);

    /* Activation of n items.
     *   y = f(x)
     *   dx = dy f'(x)
     * In place: y may be x, dx may be dy. What backward reads besides dy: x where
     * rg_activation_keeps says so, else y, so that others may forget x. */
    void (*activation_forward)(void *y, rg_activation kind, size_t n, const void *x);
    void (*activation_backward)(void *dx, rg_activation kind, size_t n, const void *x,
                                const void *y, const void *dy);

    /* Dropout of n items.
     *   y = x mask,  mask = 0 with probability p, else 1 / (1 - p)
     *   dx = dy mask                                            (multiply(dx, n, dy, mask))
     * The mask of item k in lane l is a function of (seed[l], stream, first + k) alone. */
    void (*dropout_forward)(void *y, void *mask, size_t n, double p, const uint64_t *seed,
                            uint64_t stream, uint64_t first, const void *x);

    /* Layer norm over the channels of each of n rows.
     *   u = (x - mean) r,  r = 1 / sqrt(variance + 1e-5)        (variance over width, not - 1)
     *   y = u gain + shift
     *   dgain += dy u
     *   dshift += dy
     *   dx += r (e - mean of e - u * mean of (e u)),  e = dy gain
     * x, y [n][width], gain, shift [width], stat [n][2]: mean and r, kept for backward. */
    void (*norm_forward)(void *y, void *stat, size_t n, uint32_t width, const void *gain,
                         const void *shift, const void *x);
    void (*norm_backward)(void *dgain, void *dshift, void *dx, size_t n, uint32_t width,
                          const void *gain, const void *x, const void *stat, const void *dy);

    /* On n items, in place:
     *   add       y += x                                        (residual, forward and backward)
     *   multiply  y = a b
     *   exp       y = exp(x)
     *   tanh      y = tanh(x)
     *   sigmoid   y = 1 / (1 + exp(-x)) */
    void (*add)(void *y, size_t n, const void *x);
    void (*multiply)(void *y, size_t n, const void *a, const void *b);
    void (*exp)(void *y, size_t n, const void *x);
    void (*tanh)(void *y, size_t n, const void *x);
    void (*sigmoid)(void *y, size_t n, const void *x);
    /* Softmax, in place.
     *   p[s][c] = exp(z[s][c]) / sum over d of exp(z[s][d])
     * z and p [n][n_classes]. */
    void (*softmax)(void *p, size_t n, uint32_t n_classes, const void *z);

    /* Losses of n samples.
     *   loss[lane] += scale * sum over samples of l
     *   dz = scale * derivative of l                            (written, not added)
     * z, dz [n][n_out]; dz NULL: not wanted. `scale` makes the sum a mean: 1/n, or with class
     * weights 1 / (sum of the weights of the targets). weight NULL: all 1.
     *
     * Cross entropy, t = target[s] < n_out:
     *   l = weight[t] (log(sum over c of exp(z[c])) - z[t]) */
    void (*cross_entropy)(double *loss, void *dz, size_t n, uint32_t n_out, const void *z,
                          const uint32_t *target, const double *weight, double scale);
    /* Losses of numbers, summed over the outputs c.
     *   squared   l = weight[c] (z - t)^2
     *   absolute  l = weight[c] |z - t|                         (derivative 0 at 0)
     *   logistic  l = weight[c] (log(1 + exp(z)) - t z)         (t in [0, 1]: BCE on logits)
     * target [n][n_out], the same for all lanes; a target that is NaN is missing, adds nothing. */
    void (*squared)(double *loss, void *dz, size_t n, uint32_t n_out, const void *z,
                    const double *target, const double *weight, double scale);
    void (*absolute)(double *loss, void *dz, size_t n, uint32_t n_out, const void *z,
                     const double *target, const double *weight, double scale);
    void (*logistic)(double *loss, void *dz, size_t n, uint32_t n_out, const void *z,
                     const double *target, const double *weight, double scale);

    /* sum[lane] = sum over n items of g^2, in double. */
    void (*squares)(double *sum, size_t n, const void *g);
    /* One pass over the n parameters that also clears the gradient. m, v start as zeros.
     * Both begin with
     *   g = clip g + penalty w
     *   w -= decay w
     * Adam goes on with
     *   m = beta1 m + (1 - beta1) g
     *   v = beta2 v + (1 - beta2) g^2
     *   w -= step m / (root sqrt(v) + eps)
     * and SGD with
     *   m = beta1 m + g
     *   w -= step m */
    void (*adam)(void *w, void *g, void *m, void *v, size_t n, const rg_update *update);
    /* The same steps of Adam without gradient, penalty and decay, all that were missed: item k takes
     * updates[begin[k]] .. updates[now - 1]. The bits are those of adam with a gradient of 0. Wants
     * beta1^2 < beta2, 1 / (1 - beta2) and steps of at most 2^20, and rates that do not grow along
     * the updates. eps is at least 1e-12. */
    void (*adam_idle)(void *w, void *m, void *v, size_t n, const uint32_t *begin,
                      const rg_update *updates, uint32_t now);
    void (*sgd)(void *w, void *g, void *m, size_t n, const rg_update *update);
} rg_kernels;

/* The table for a processor; all give the same bits. `cpu` is that of rg_cpu_resolve. NULL if there
 * is no such number of lanes. Static, borrowed. */
const rg_kernels *rg_kernels_get(rg_precision precision, uint32_t lanes, rg_cpu cpu);

rg_cpu rg_cpu_best(void); /* the widest that this processor has */
/* RG_CPU_AUTO, and what this processor does not have, become the widest that it has. */
rg_cpu rg_cpu_resolve(rg_cpu cpu);

#endif
