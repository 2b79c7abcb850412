/* loops.h - the numbers of message passing: what graphs do to rows of channels.
 *
 * This header is the formula sheet, as math/kernels.h is for rule layers. A kernel is a pure
 * function on arrays that the caller owns: it allocates nothing and keeps nothing. All kernels of
 * one precision and processor are one constant table; every table gives the same bits.
 *
 * Arrays are row-major, [row][channel]; a row is a graph of the batch, or all its nodes of a kind.
 * Reals are float or double by the table, so they pass as void pointers. Backward kernels write the
 * gradient of their input, or add to it where `add` says that another reader of it was there
 * before.
 */
#ifndef REGULA_BATCH_LOOPS_H
#define REGULA_BATCH_LOOPS_H

#include "batch.h"
#include "math/kernels.h"

/* y[r][c] = or, if `add`, += sum over t of a(r, t) b(t, c)
 *   a(r, t) = a[r ar + t at],  b(t, c) = b[t bt + c bc]
 * y [m][n]; a [m][k]: ar k, at 1; transposed, [k][m]: ar 1, at m; b alike. m, n or k may be 0. Each
 * sum is in ascending order of t, from 0 or what y was, every product fused with its addition
 * (fma): its bits depend on nothing else. */
typedef struct rg_product {
    size_t m, n, k;
    size_t ar, at, bt, bc;
    bool add;
} rg_product;

typedef struct rg_gnn_kernels {
    rg_precision precision;
    rg_cpu cpu;

    /* Linear aggregation; o is the row before of row i itself, j goes over the entries of i.
     *   y[i] = left[i] (self right[o] x[o] + sum over j of times[j] right[j] x[j])
     *   dx[o] += left[i] self right[o] dy[i]
     *   dx[j] += left[i] times[j] right[j] dy[i]
     * x [row before][width], y [row][width] of `rows`, left [row], right [row before], NULL: 1.
     * n_before: rows of dx.
     *   sum                      self 1 + eps
     *   mean of neighbours       self 0, left 1 / degree
     *   D^-1 (A + I)             self 1, left 1 / (degree + 1)        mean with the node itself
     *   D^-1/2 (A + I) D^-1/2    self 1, both 1 / sqrt(degree + 1)    GCN */
    void (*aggregate)(void *y, const rg_rows *rows, uint32_t width, double self, const void *left,
                      const void *right, const void *x);
    void (*aggregate_back)(void *dx, size_t n_before, const rg_rows *rows, uint32_t width,
                           double self, const void *left, const void *right, const void *dy,
                           bool add);
    /* Neighbours with what their edges say, rows of RG_EACH; e_k is that of entry k, of node j.
     *   y[i] = self x[o] + sum over k of max(0, x[j] + e_k)
     *   de_k = dy[i] where x[j] + e_k > 0, else 0;  dx[j] += de_k;  dx[o] += self dy[i]
     * e, de [entry][width]. dx NULL: not wanted. */
    void (*edge_sum)(void *y, const rg_rows *rows, uint32_t width, double self, const void *e,
                     const void *x);
    void (*edge_sum_back)(void *dx, void *de, size_t n_before, const rg_rows *rows, uint32_t width,
                          double self, const void *e, const void *x, const void *dy, bool add);
    /* The largest of the entries j of i and, if `self`, of its own row before.
     *   y[i][c] = largest of x[j][c] = x[from[i][c]][c]
     *   dx[from[i][c]][c] += dy[i][c]
     * from [row][width]: the first if several are largest (UINT32_MAX: none, and y is 0). */
    void (*largest)(void *y, uint32_t *from, const rg_rows *rows, uint32_t width, bool self,
                    const void *x);
    void (*largest_back)(void *dx, size_t n_before, const uint32_t *from, const rg_rows *rows,
                         uint32_t width, const void *dy, bool add);

    /* Attention of several heads (GAT); j goes over row i's own row before, o, and its entries, each
     * times[j] often.
     *   near[j][h] = u[h] . x[j][h],  mine[j][h] = v[h] . x[j][h]
     *   s[i][j][h] = leak(near[j][h] + mine[o][h]),  leak(s) = s or, below 0, 0.2 s
     *   a[i][j][h] = times[j] exp(s[i][j][h]) / sum over k of times[k] exp(s[i][k][h])
     *   y[i][h] = sum over j of a[i][j][h] x[j][h]
     *   dx[j][h] += a[i][j][h] dy[i][h] + dnear[j][h] u[h] + dmine[j][h] v[h]
     *   du[h] += sum over j of dnear[j][h] x[j][h],  dv[h] += sum over j of dmine[j][h] x[j][h]
     * attend_scores fills near, mine and s minus the largest of its row; the caller takes exp in
     * place; attend makes attention of it, and y. attend_back with dnear NULL: the attention is held
     * fixed. x [row before][heads][width], u, v [heads][width], near, mine and their gradients
     * [row before][heads], scores, attention and gradient [slot][heads], slots in the order of rows:
     * own rows and entries, as many as both together. */
    void (*attend_scores)(void *scores, void *near, void *mine, size_t n_before,
                          const rg_rows *rows, uint32_t heads, uint32_t width, const void *u,
                          const void *v, const void *x);
    void (*attend)(void *y, void *scores, const rg_rows *rows, uint32_t heads, uint32_t width,
                   const void *x);
    void (*attend_back)(void *dx, void *dnear, void *dmine, void *gradient, size_t n_before,
                        const void *attention, const void *near, const void *mine,
                        const rg_rows *rows, uint32_t heads, uint32_t width, const void *x,
                        const void *dy, bool add);
    void (*attend_near_back)(void *dx, void *du, void *dv, size_t n, uint32_t heads, uint32_t width,
                             const void *u, const void *v, const void *dnear, const void *dmine,
                             const void *x);

    /* The phases of batch norm; the small arithmetic between them is that of norm.h. A batch may be
     * in parts, n rows each, row r standing for count[r] (NULL: one), N in all; f is ReLU if
     * `relu`, else the identity.
     *   norm_sums       sums[c] += sum over rows of count x
     *   norm_squares    sums[c] += sum over rows of count (x - mean)^2
     *   norm_apply      y = f(xhat gain + shift),  xhat = (x - mean) scale
     *   norm_back_sums  sums[0][c] += sum g,  sums[1][c] += sum g xhat,  g = dy f'(y)
     *   norm_back       dx = or += gain scale (g - count ((sum g) / N + xhat (sum g xhat) / N))
     * x, y [n][width], gain, shift, mean, scale [width], sums [width], back [2][width]. Gradients of
     * a row are sums over all that it stands for. norm_back: without `add` in place, dx may be dy;
     * sums NULL: mean and scale do not depend on x, dx = or += gain scale g. */
    void (*norm_sums)(double *sums, size_t n, const uint32_t *count, uint32_t width, const void *x);
    void (*norm_squares)(double *sums, size_t n, const uint32_t *count, uint32_t width,
                         const void *mean, const void *x);
    void (*norm_apply)(void *y, size_t n, uint32_t width, const void *mean, const void *scale,
                       const void *gain, const void *shift, const void *x, bool relu);
    void (*norm_back_sums)(double *sums, size_t n, uint32_t width, const void *mean,
                           const void *scale, const void *x, const void *y, const void *dy,
                           bool relu);
    void (*norm_back)(void *dx, size_t n, const uint32_t *count, uint32_t width, const double *sums,
                      double total, const void *gain, const void *mean, const void *scale,
                      const void *x, const void *y, const void *dy, bool relu, bool add);

    /* Pooling: one row per graph g, i goes over its nodes.
     *   pool          y[g] = sum over i of x[of[i]]             (`mean`: times 1 / nodes)
     *   pool_largest  y[g][c] = largest of x[of[i]][c] = x[from[g][c]][c]
     * A graph without nodes has zeros. from [graph][width]: the first row if several are largest
     * (UINT32_MAX: no nodes). */
    void (*pool)(void *y, const rg_batch *batch, const rg_rows *rows, uint32_t width, bool mean,
                 const void *x);
    void (*pool_back)(void *dx, const rg_batch *batch, const rg_rows *rows, uint32_t width,
                      bool mean, const void *dy, bool add);
    void (*pool_largest)(void *y, uint32_t *from, const rg_batch *batch, const rg_rows *rows,
                         uint32_t width, const void *x);
    void (*pool_largest_back)(void *dx, const uint32_t *from, const rg_batch *batch,
                              const rg_rows *rows, uint32_t width, const void *dy, bool add);

    /* From rows of one round to those of a later one; r is the row of node[i] in `before`.
     *   y[i] = or += x[r]
     *   dx[r] += dy[i] */
    void (*lift)(void *y, const rg_rows *rows, const rg_rows *before, uint32_t width, const void *x,
                 bool add);
    void (*lift_back)(void *dx, const rg_rows *rows, const rg_rows *before, uint32_t width,
                      const void *dy, bool add);

    /* Rows of weights that a node's ones choose.
     *   y[i] = sum over k of w[hot[i][k]]
     *   dw[hot[i][k]] += dy[i]
     * hot [n][n_hot], UINT32_MAX: none. */
    void (*choose)(void *y, size_t n, uint32_t n_hot, uint32_t width, const uint32_t *hot,
                   const void *w);
    void (*choose_back)(void *dw, size_t n, uint32_t n_hot, uint32_t width, const uint32_t *hot,
                        const void *dy);

    /* A product of matrices, narrow or wide.
     *   y[r][c] = or += sum over t of a(r, t) b(t, c) */
    void (*product)(void *y, const rg_product *shape, const void *a, const void *b);

    /* On n rows; dot on n reals.
     *   spread    y[s] = b
     *   add_bias  y[s] += b
     *   gather    db += sum over s of dy[s]
     *   dot       sum over k of a[k] b[k] */
    void (*spread)(void *y, size_t n, uint32_t width, const void *b);
    void (*add_bias)(void *y, size_t n, uint32_t width, const void *b);
    void (*gather)(void *db, size_t n, uint32_t width, const void *dy);
    double (*dot)(size_t n, const void *a, const void *b);
    /* The channels of each of n rows in ascending order, of equals the first before the others.
     *   y[s][rank[s][c]] = x[s][c]
     *   dx[s][c] = or += dy[s][rank[s][c]] */
    void (*sort_channels)(void *y, uint32_t *rank, size_t n, uint32_t width, const void *x);
    void (*sort_channels_back)(void *dx, const uint32_t *rank, size_t n, uint32_t width,
                               const void *dy, bool add);
    /* On n reals.
     *   relu_back, tanh_back  dx = or += dy f'(y)
     *   copy                  y = or += x */
    void (*relu_back)(void *dx, size_t n, const void *y, const void *dy, bool add);
    void (*tanh_back)(void *dx, size_t n, const void *y, const void *dy, bool add);
    void (*copy)(void *y, size_t n, const void *x, bool add);
} rg_gnn_kernels;

/* As rg_kernels_get: the best table that the processor has up to `cpu`. Static, borrowed. */
const rg_gnn_kernels *rg_gnn_kernels_get(rg_precision precision, rg_cpu cpu);

#endif
