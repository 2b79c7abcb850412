/* sequence.h - a graph as a sequence of rows: sort pooling, and convolutions over rows (DGCNN).
 *
 * Pure functions on arrays that the caller owns, as those of loops.h: row-major, reals float or
 * double by `precision`, backward writes the gradient of its input or, with `add`, adds to it. */
#ifndef REGULA_BATCH_SEQUENCE_H
#define REGULA_BATCH_SEQUENCE_H

#include "loops.h"

/* Sort pooling: of each graph the k nodes that come first, by the last channel descending; where
 * it is equal by the one before it, and so on, so that the order of nodes does not matter.
 *   y[g][t] = x[picks[g][t]]
 *   dx[picks[g][t]] += dy[g][t]
 * x [row][width], of [node]: its row, first [graph + 1]: nodes, y [graph][k][width], zeros where a
 * graph has fewer nodes, picks [graph][k]: which row of x, or UINT32_MAX. n_rows: of dx.
 * O(nodes log k) comparisons. */
void rg_sort_pool(rg_precision precision, void *y, uint32_t *picks, const uint32_t *first,
                  const uint32_t *of, uint32_t n_graphs, uint32_t width, uint32_t k, const void *x);
void rg_sort_pool_back(rg_precision precision, void *dx, size_t n_rows, const uint32_t *picks,
                       uint32_t n_graphs, uint32_t width, uint32_t k, const void *dy, bool add);

/* k such that at least `part` (0 < part <= 1) of the graphs list[0 .. n-1] (NULL: of all) have at
 * most k nodes, but at least `least`. RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_sort_rows(uint32_t *k, const rg_dataset *data, const uint32_t *list,
                                     size_t n, double part, uint32_t least, rg_error *err);

/* Windows of `size` rows, each `stride` rows behind the one before: of n_rows rows there are
 * rg_windows of them, 0 if there are fewer rows than one takes. */
typedef struct rg_sequences {
    uint32_t n;            /* graphs */
    uint32_t rows;         /* of each */
    uint32_t in, out;      /* channels; largest: out = in */
    uint32_t size, stride; /* of the windows, both > 0 */
} rg_sequences;
uint32_t rg_windows(const rg_sequences *shape);

/* Convolution.
 *   y[g][t] = b + sum over s, c of w[s][c] x[g][t stride + s][c]
 *   dw[s][c] += x[g][t stride + s][c] dy[g][t]
 *   db += dy[g][t]
 *   dx[g][t stride + s][c] += sum over o of w[s][c][o] dy[g][t][o]
 * x [graph][row][in], w [size][in][out], b [out], y [graph][window][out], copies: scratch,
 * [graph][window][size][in]; dx NULL: not wanted. */
void rg_convolve(rg_precision precision, void *y, void *copies, const rg_sequences *shape,
                 const void *w, const void *b, const void *x);
void rg_convolve_back(rg_precision precision, void *dw, void *db, void *dx, void *copies,
                      const rg_sequences *shape, const void *w, const void *x, const void *dy,
                      bool add);

/* Max pooling, stride = size.
 *   y[g][t][c] = largest of x[g][t stride + s][c] over s
 *   dx of the first of equals += dy[g][t][c] */
void rg_rows_largest(rg_precision precision, void *y, const rg_sequences *shape, const void *x);
void rg_rows_largest_back(rg_precision precision, void *dx, const rg_sequences *shape,
                          const void *x, const void *dy, bool add);

#endif
