/* sequence.c - a graph as a sequence of rows; see sequence.h. The loops are in sequence.inc, once
 * for each precision. */
#include "sequence.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REAL(name) name##_f32
#define real float
#include "sequence.inc"
#undef REAL
#undef real

#define REAL(name) name##_f64
#define real double
#include "sequence.inc"
#undef REAL
#undef real

/* ---- sort pooling */

void rg_sort_pool(rg_precision precision, void *y, uint32_t *picks, const uint32_t *first,
                  const uint32_t *of, uint32_t n_graphs, uint32_t width, uint32_t k, const void *x)
{
    if (precision == RG_FLOAT)
        sort_pool_f32(y, picks, first, of, n_graphs, width, k, x);
    else
        sort_pool_f64(y, picks, first, of, n_graphs, width, k, x);
}

void rg_sort_pool_back(rg_precision precision, void *dx, size_t n_rows, const uint32_t *picks,
                       uint32_t n_graphs, uint32_t width, uint32_t k, const void *dy, bool add)
{
    size_t n = (size_t)n_graphs * k;
    if (!add)
        memset(dx, 0, n_rows * width * rg_real_size(precision));
    if (precision == RG_FLOAT)
        sort_pool_back_f32(dx, picks, n, width, dy);
    else
        sort_pool_back_f64(dx, picks, n, width, dy);
}

static int compare(const void *a, const void *b)
{
    uint32_t p = *(const uint32_t *)a, q = *(const uint32_t *)b;
    return (p > q) - (p < q);
}

rg_status rg_sort_rows(uint32_t *k, const rg_dataset *data, const uint32_t *list, size_t n,
                       double part, uint32_t least, rg_error *err)
{
    n = list ? n : rg_dataset_n_graphs(data);
    uint32_t *sizes = rg_alloc(n, sizeof *sizes);
    if (!sizes)
        return rg_fail_memory(err, "sort pooling");
    for (size_t g = 0; g < n; g++)
        sizes[g] = rg_dataset_graph(data, list ? list[g] : g).n_nodes;
    qsort(sizes, n, sizeof *sizes, compare);
    /* 0.6 of 5 graphs are 3 of them, whatever 0.6 is in binary */
    double rank = ceil(part * (double)n - 1e-9);
    size_t place = rank > (double)n ? n : rank < 1 ? 1 : (size_t)rank;
    *k = n && sizes[place - 1] > least ? sizes[place - 1] : least;
    rg_free(sizes);
    return RG_OK;
}

/* ---- windows */

uint32_t rg_windows(const rg_sequences *shape)
{
    return shape->rows < shape->size ? 0 : (shape->rows - shape->size) / shape->stride + 1;
}

/* Windows become the rows of a matrix, and the convolution one product. All tables give the same
 * bits, so the best one will do. */
static void multiply(rg_precision precision, void *y, const rg_product *shape, const void *a,
                     const void *b)
{
    rg_gnn_kernels_get(precision, RG_CPU_AUTO)->product(y, shape, a, b);
}

void rg_convolve(rg_precision precision, void *y, void *copies, const rg_sequences *s,
                 const void *w, const void *b, const void *x)
{
    size_t n = (size_t)s->n * rg_windows(s), k = (size_t)s->size * s->in;
    rg_product shape = {
        .m = n, .n = s->out, .k = k, .ar = k, .at = 1, .bt = s->out, .bc = 1, .add = true};
    if (precision == RG_FLOAT) {
        copy_windows_f32(copies, s, x);
        spread_f32(y, n, s->out, b);
    } else {
        copy_windows_f64(copies, s, x);
        spread_f64(y, n, s->out, b);
    }
    multiply(precision, y, &shape, copies, w);
}

void rg_convolve_back(rg_precision precision, void *dw, void *db, void *dx, void *copies,
                      const rg_sequences *s, const void *w, const void *x, const void *dy, bool add)
{
    size_t n = (size_t)s->n * rg_windows(s), k = (size_t)s->size * s->in;
    rg_product weights = {
        .m = k, .n = s->out, .k = n, .ar = 1, .at = k, .bt = s->out, .bc = 1, .add = true};
    rg_product input = {.m = n, .n = k, .k = s->out, .ar = s->out, .at = 1, .bt = 1, .bc = s->out};
    if (dx && !add)
        memset(dx, 0, (size_t)s->n * s->rows * s->in * rg_real_size(precision));
    if (n == 0)
        return;
    if (precision == RG_FLOAT) {
        gather_f32(db, n, s->out, dy);
        copy_windows_f32(copies, s, x);
    } else {
        gather_f64(db, n, s->out, dy);
        copy_windows_f64(copies, s, x);
    }
    multiply(precision, dw, &weights, copies, dy);
    if (!dx)
        return;
    multiply(precision, copies, &input, dy, w);
    if (precision == RG_FLOAT)
        add_windows_f32(dx, s, copies);
    else
        add_windows_f64(dx, s, copies);
}

void rg_rows_largest(rg_precision precision, void *y, const rg_sequences *shape, const void *x)
{
    if (precision == RG_FLOAT)
        largest_f32(y, shape, x);
    else
        largest_f64(y, shape, x);
}

void rg_rows_largest_back(rg_precision precision, void *dx, const rg_sequences *shape,
                          const void *x, const void *dy, bool add)
{
    if (!add)
        memset(dx, 0, (size_t)shape->n * shape->rows * shape->in * rg_real_size(precision));
    if (precision == RG_FLOAT)
        largest_back_f32(dx, shape, x, dy);
    else
        largest_back_f64(dx, shape, x, dy);
}
