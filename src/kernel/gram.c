/* gram.c - see gram.h. One item of work is one row up to its diagonal, then one tile of rows that
 * is mirrored. */
#include "gram.h"

#include "base/alloc.h"
#include "base/error.h"
#include "svm_loops.h"

#include <math.h>
#include <string.h>

enum { LINE = 64, TILE = 64 };

static const char what[] = "a kernel matrix";

typedef struct gram_filling {
    const rg_gram *gram;
    rg_counts *const *layers;
    size_t n_layers;
    const rg_gram_options *options;
    double *own;   /* [n]: K(x, x) */
    double *scale; /* [n]: 1 / sqrt(K(x, x)), or 0 */
    double **sums; /* a worker's: [n] */
} gram_filling;

static bool gram_size(size_t *out, size_t n)
{
    size_t rows;
    return n < SIZE_MAX - LINE && rg_size_mul(&rows, n, rg_svm_padded(n)) &&
           rg_size_mul(&rows, rows, sizeof(float)) && rg_size_add(out, rows, LINE);
}

uint64_t rg_gram_bytes(size_t n)
{
    size_t bytes;
    return gram_size(&bytes, n) ? bytes : UINT64_MAX;
}

rg_status rg_gram_alloc(rg_gram *out, size_t n, rg_error *err)
{
    size_t bytes;
    char *block = gram_size(&bytes, n) ? rg_alloc(bytes, 1) : NULL;
    if (!block)
        return rg_fail_memory(err, what);
    char *start = block + (LINE - (uintptr_t)block % LINE) % LINE;
    *out = (rg_gram){
        .values = (float *)(void *)start, .n = n, .stride = rg_svm_padded(n), .block = block};
    return RG_OK;
}

void rg_gram_free(rg_gram *gram)
{
    rg_free(gram->block);
    *gram = (rg_gram){.block = NULL};
}

/* K(x, x), or for distances what both sides bring: the sum of the squares. */
static double own_value(const gram_filling *f, size_t x)
{
    double sum = 0;
    for (size_t l = 0; l < f->n_layers; l++) {
        const rg_counts *c = f->layers[l];
        for (uint64_t k = c->row[x]; k < c->row[x + 1]; k++)
            sum += f->options->kind == RG_GRAM_MINIMUM ? c->count[k] : c->count[k] * c->count[k];
    }
    return sum;
}

/* sum[y] += what feature after feature brings, y <= x. */
static void add_layer(double *sum, const rg_counts *c, size_t x, rg_gram_kind kind)
{
    for (uint64_t k = c->row[x]; k < c->row[x + 1]; k++) {
        double count = c->count[k];
        uint64_t from = c->first[c->feature[k]], to = c->first[c->feature[k] + 1];
        if (kind == RG_GRAM_MINIMUM)
            for (; from < to && c->graph[from] <= x; from++)
                sum[c->graph[from]] += count < c->there[from] ? count : c->there[from];
        else
            for (; from < to && c->graph[from] <= x; from++)
                sum[c->graph[from]] += count * c->there[from];
    }
}

static rg_status fill_row(void *context, size_t x, unsigned worker, rg_error *err)
{
    const gram_filling *f = context;
    float *row = f->gram->values + x * f->gram->stride;
    double *sum = f->sums[worker];
    (void)err;
    memset(sum, 0, (x + 1) * sizeof *sum);
    for (size_t l = 0; l < f->n_layers; l++)
        add_layer(sum, f->layers[l], x, f->options->kind);
    for (size_t y = 0; y <= x; y++) {
        double value = sum[y];
        if (f->options->kind == RG_GRAM_DISTANCE)
            value = f->own[x] + f->own[y] - 2 * value;
        else if (f->options->normalise)
            value = value * f->scale[x] * f->scale[y];
        row[y] = (float)value;
    }
    return RG_OK;
}

/* What is above the diagonal in the rows of a tile, and the zeros behind them. */
static rg_status mirror_tile(void *context, size_t index, unsigned worker, rg_error *err)
{
    const gram_filling *f = context;
    const rg_gram *g = f->gram;
    size_t from = index * TILE, to = from + TILE < g->n ? from + TILE : g->n;
    (void)worker;
    (void)err;
    for (size_t first = from; first < g->n; first += TILE)
        for (size_t x = from; x < to; x++)
            for (size_t y = first > x ? first : x + 1; y < first + TILE && y < g->n; y++)
                g->values[x * g->stride + y] = g->values[y * g->stride + x];
    for (size_t x = from; x < to; x++)
        memset(g->values + x * g->stride + g->n, 0, (g->stride - g->n) * sizeof *g->values);
    return RG_OK;
}

static rg_status fill(gram_filling *f, rg_error *err)
{
    size_t n = f->gram->n;
    rg_pool *pool = NULL;
    unsigned n_workers = 0;
    rg_status status = rg_pool_new(&pool, f->options->n_threads, err);
    if (status)
        return status;
    n_workers = rg_pool_size(pool);
    f->own = rg_alloc(n, sizeof *f->own);
    f->scale = rg_alloc(n, sizeof *f->scale);
    f->sums = rg_alloc_zero(n_workers, sizeof *f->sums);
    bool fine = f->own && f->scale && f->sums;
    for (unsigned w = 0; fine && w < n_workers; w++)
        fine = (f->sums[w] = rg_alloc(n, sizeof **f->sums)) != NULL;
    if (!fine)
        status = rg_fail_memory(err, what);
    for (size_t x = 0; !status && x < n; x++) {
        f->own[x] = own_value(f, x);
        f->scale[x] = f->own[x] > 0 ? 1 / sqrt(f->own[x]) : 0;
    }
    if (!status)
        status = rg_pool_run(pool, n, fill_row, f, err);
    if (!status)
        status = rg_pool_run(pool, (n + TILE - 1) / TILE, mirror_tile, f, err);
    for (unsigned w = 0; f->sums && w < n_workers; w++)
        rg_free(f->sums[w]);
    rg_free(f->sums);
    rg_free(f->own);
    rg_free(f->scale);
    rg_pool_free(pool);
    return status;
}

rg_status rg_gram_new(rg_gram *out, rg_counts *const *layers, size_t n_layers,
                      const rg_gram_options *options, rg_error *err)
{
    size_t n = layers[0]->n;
    rg_gram gram = {.block = NULL};
    uint64_t bytes = rg_gram_bytes(n);
    if (options->memory && bytes > options->memory)
        return rg_fail(err, RG_EFAIL,
                       "'%s': the kernel matrix of %zu graphs takes %.0f MB, expected at most the "
                       "limit of %.0f MB",
                       options->name, n, (double)bytes / 1e6, (double)options->memory / 1e6);
    rg_status status = rg_gram_alloc(&gram, n, err);
    if (status)
        return status;
    gram_filling f = {.gram = &gram, .layers = layers, .n_layers = n_layers, .options = options};
    status = fill(&f, err);
    if (status)
        rg_gram_free(&gram);
    else
        *out = gram;
    return status;
}
