/* layers.h - the numbers of message passing: what graphs do to rows of channels.
 *
 * This header is the formula sheet, as layer/kernels.h is for rule layers. A kernel is a pure
 * function on arrays that the caller owns: it allocates nothing and keeps nothing. All kernels of
 * one precision and processor are one constant table; every table gives the same bits. Products
 * with matrices too large for the nearest caches are not among them: they are OpenBLAS's (rg_gemm).
 *
 * Arrays are row-major, [row][channel]; a row is a graph of the batch, or all its nodes of a kind.
 * Reals are float or double by the table, so they pass as void pointers. Backward kernels write the
 * gradient of their input, or add to it where `add` says that another reader of it was there
 * before.
 */
#ifndef REGULA_GNN_LAYER_LAYERS_H
#define REGULA_GNN_LAYER_LAYERS_H

#include "batch.h"
#include "layer/kernels.h"

typedef struct rg_gnn_kernels {
    rg_precision precision;
    rg_cpu cpu;

    /* Linear aggregation, x [row before][width] to y [row][width] of `rows`. left: a factor a row,
     * right: a factor a row before, NULL: 1. Below, o is the row's own before, j goes over its
     * entries.
     *   y[i] = left[i] (self right[o] x[o] + sum over j of times[j] right[j] x[j])
     *   dx[o] += left[i] self right[o] dy[i];   dx[j] += left[i] times[j] right[j] dy[i]
     * sum: self 1 + eps; mean of neighbours: self 0, left 1 / degree; mean with the node itself,
     * D^-1 (A + I): self 1, left 1 / (degree + 1); GCN, D^-1/2 (A + I) D^-1/2: self 1, both 1 /
     * sqrt(degree + 1). n_before: rows of dx. */
    void (*aggregate)(void *y, const rg_rows *rows, uint32_t width, double self, const void *left,
                      const void *right, const void *x);
    void (*aggregate_back)(void *dx, size_t n_before, const rg_rows *rows, uint32_t width,
                           double self, const void *left, const void *right, const void *dy,
                           bool add);
    /* y[i][c] = largest of x[j][c] over the entries j of i and, if `self`, its own; from [i][c]
     * tells which, the first if several are (UINT32_MAX: there is none, and y is 0).
     * dx[from[i][c]][c] += dy[i][c]. */
    void (*largest)(void *y, uint32_t *from, const rg_rows *rows, uint32_t width, bool self,
                    const void *x);
    void (*largest_back)(void *dx, size_t n_before, const uint32_t *from, const rg_rows *rows,
                         uint32_t width, const void *dy, bool add);

    /* Batch norm over the n rows of a batch, row r standing for count[r] (NULL: one), N in all;
     * then ReLU if `relu`. gain, shift, mean, scale [width]; x, y [n][width]. y = f((x - mean)
     * scale gain + shift) Training: mean and scale = 1 / sqrt(variance + 1e-5) are those of the
     * batch (variance over N, not N - 1); what is kept for later, running[0 .. width) and the next
     * width, moves by a tenth towards mean and variance (over N - 1; N = 1: over N). Else `fixed`
     * sets both from it. Gradients of a row are sums over all that it stands for. g = dy f'(y);
     * dshift
     * += sum g; dgain += sum g xhat, xhat = (x - mean) scale dx = gain scale (g - count ((sum g) /
     * N + xhat (sum g xhat) / N))   in place: dx may be dy dx NULL: not wanted sums: scratch, 4
     * width doubles. */
    void (*norm)(void *y, void *mean, void *scale, void *running, double *sums, size_t n,
                 const uint32_t *count, uint32_t width, const void *gain, const void *shift,
                 const void *x, bool relu);
    void (*norm_fixed)(void *y, void *mean, void *scale, const void *running, size_t n,
                       uint32_t width, const void *gain, const void *shift, const void *x,
                       bool relu);
    void (*norm_back)(void *dx, void *dgain, void *dshift, double *sums, size_t n,
                      const uint32_t *count, uint32_t width, const void *gain, const void *mean,
                      const void *scale, const void *x, const void *y, const void *dy, bool relu);

    /* One row a graph: y[g] = sum over its nodes of x[of[i]], times 1 / nodes if `mean`; a graph
     * without nodes has zeros. largest: y[g][c] = largest x[of[i]][c] and from[g][c] tells which
     * row, the first if several are (UINT32_MAX: no nodes). */
    void (*pool)(void *y, const rg_batch *batch, const rg_rows *rows, uint32_t width, bool mean,
                 const void *x);
    void (*pool_back)(void *dx, const rg_batch *batch, const rg_rows *rows, uint32_t width,
                      bool mean, const void *dy, bool add);
    void (*pool_largest)(void *y, uint32_t *from, const rg_batch *batch, const rg_rows *rows,
                         uint32_t width, const void *x);
    void (*pool_largest_back)(void *dx, const uint32_t *from, const rg_batch *batch,
                              const rg_rows *rows, uint32_t width, const void *dy, bool add);

    /* From rows of one round to those of a later one, and back:
     * y[i] = or += x[r], r the row of node[i] in `before`;   dx[r] += dy[i]. */
    void (*lift)(void *y, const rg_rows *rows, const rg_rows *before, uint32_t width, const void *x,
                 bool add);
    void (*lift_back)(void *dx, const rg_rows *rows, const rg_rows *before, uint32_t width,
                      const void *dy, bool add);

    /* Rows of weights that a node's ones choose: y[i] = sum over k of w[hot[i][k]], hot [n][n_hot],
     * UINT32_MAX: none. dw[hot[i][k]] += dy[i]. */
    void (*choose)(void *y, size_t n, uint32_t n_hot, uint32_t width, const uint32_t *hot,
                   const void *w);
    void (*choose_back)(void *dw, size_t n, uint32_t n_hot, uint32_t width, const uint32_t *hot,
                        const void *dy);

    /* y [m][n] = or += a b, b [k][n], a(r, t) = a[r ar + t at]: with ar 1 and at m that is the
     * product with a transposed. And y [k][n] = x [n][k] transposed. */
    void (*product)(void *y, size_t m, size_t n, size_t k, const void *a, size_t ar, size_t at,
                    const void *b, bool add);
    void (*turn)(void *y, size_t n, size_t k, const void *x);

    /* y[s] = b, or += b, for all n rows; db += sum over rows of dy; the sum of a[k] b[k]. */
    void (*spread)(void *y, size_t n, uint32_t width, const void *b);
    void (*add_bias)(void *y, size_t n, uint32_t width, const void *b);
    void (*gather)(void *db, size_t n, uint32_t width, const void *dy);
    double (*dot)(size_t n, const void *a, const void *b);
    /* The channels of each of n rows in ascending order, of equals the first before the others:
     * y[s][rank[s][c]] = x[s][c];   dx[s][c] = or += dy[s][rank[s][c]]. */
    void (*sort_channels)(void *y, uint32_t *rank, size_t n, uint32_t width, const void *x);
    void (*sort_channels_back)(void *dx, const uint32_t *rank, size_t n, uint32_t width,
                               const void *dy, bool add);
    /* On n reals: dx = or += dy f'(y), f relu or tanh; y = or += x. */
    void (*relu_back)(void *dx, size_t n, const void *y, const void *dy, bool add);
    void (*tanh_back)(void *dx, size_t n, const void *y, const void *dy, bool add);
    void (*copy)(void *y, size_t n, const void *x, bool add);
} rg_gnn_kernels;

/* As rg_kernels_get: the best table that the processor has up to `cpu`. Static, borrowed. */
const rg_gnn_kernels *rg_gnn_kernels_get(rg_precision precision, rg_cpu cpu);

/* c [m][n] = alpha a b + beta c, a [m][k] or, if a_transposed, [k][m], b [k][n] or [n][k]; strides
 * lda, ldb, ldc. OpenBLAS on one thread: rg_gemm_begin must have been called. m, n or k may be 0.
 */
typedef struct rg_gemm_shape {
    size_t m, n, k;
    bool a_transposed, b_transposed;
    size_t lda, ldb, ldc;
} rg_gemm_shape;
void rg_gemm(rg_precision precision, const rg_gemm_shape *shape, double beta, void *c,
             const void *a, const void *b);
/* OpenBLAS has one number of threads for the whole process; jobs are what runs in parallel here,
 * and sums must not depend on how many processors there are, so it becomes 1. Any thread, any
 * number of times. */
void rg_gemm_begin(void);

#endif
