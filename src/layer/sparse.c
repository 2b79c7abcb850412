/* sparse.c - see sparse.h. */
#include "sparse.h"

#include "base/random.h"

#include <string.h>

bool rg_pass_is_sparse(const rg_pass *p, uint32_t v)
{
    return p->sparse && (v == 0 || (p->layers[v - 1].ins[0] == 0 && p->layers[v - 1].kind->sparse));
}

size_t rg_sparse_kept(const rg_pass *p)
{
    return p->most_sparse * p->item;
}

/* The rows of the sample at hand, and what dropout, if there is some, makes of their numbers. */
typedef struct sparse_rows {
    const uint64_t *row; /* n + 1; entries from row[0] on */
    const uint32_t *col;
    const void *value; /* [entry] */
    const void *mask;  /* [entry - row[0]][lane]; NULL: none is dropped */
    size_t n;
} sparse_rows;

static sparse_rows rows_of(const rg_pass *p, uint32_t v)
{
    const rg_sample *sample = &p->samples[0];
    const rg_table_block *block = sample->block;
    return (sparse_rows){
        .row = block->sparse_row + block->first[sample->place],
        .col = block->sparse_col,
        .value = block->sparse_value,
        .mask = v && p->draws && p->layers[v - 1].own[0] > 0 ? rg_pass_kept(p, v - 1) : NULL,
        .n = sample->n_rows};
}

void rg_sparse_drop(rg_pass *p, size_t k, uint64_t stream)
{
    sparse_rows x = rows_of(p, 0);
    size_t lanes = p->kernels->lanes, width = p->values[0].channels;
    double drop = p->layers[k].own[0], kept = 1 / (1 - drop);
    void *mask = rg_pass_kept(p, k);
    for (size_t i = 0; i < x.n; i++)
        for (uint64_t e = x.row[i]; e < x.row[i + 1]; e++)
            for (size_t l = 0; l < lanes; l++) {
                uint64_t place = (p->samples[0].first_row + i) * width + x.col[e];
                bool out = rg_random_unit(p->draws->seed[l], stream, place) < drop;
                rg_real_put(p->precision, mask, (e - x.row[0]) * lanes + l, out ? 0 : kept);
            }
}

/* A number of all lanes. */
static void entry(double out[RG_MAX_LANES], const rg_pass *p, const sparse_rows *x, uint64_t e)
{
    size_t lanes = p->kernels->lanes;
    for (size_t l = 0; l < lanes; l++) {
        double value = rg_real_at(p->precision, x->value, e);
        double mask = x->mask ? rg_real_at(p->precision, x->mask, (e - x->row[0]) * lanes + l) : 1;
        out[l] = p->precision == RG_FLOAT ? (double)((float)value * (float)mask) : value * mask;
    }
}

/* to[o][lane] += from[o][lane] x[lane] */
static void add_products(const rg_pass *p, void *to, const void *from, const double *x, size_t n)
{
    size_t lanes = p->kernels->lanes;
    if (p->precision == RG_DOUBLE) {
        const double *w = from;
        double *y = to;
        for (size_t o = 0; o < n; o++, y += lanes, w += lanes)
            for (size_t l = 0; l < lanes; l++)
                y[l] += w[l] * x[l];
        return;
    }
    const float *w = from;
    float *y = to, own[RG_MAX_LANES];
    for (size_t l = 0; l < lanes; l++)
        own[l] = (float)x[l];
    if (lanes == 1) {
        for (size_t o = 0; o < n; o++)
            y[o] += w[o] * own[0];
        return;
    }
    for (size_t o = 0; o < n; o++, y += lanes, w += lanes)
        for (size_t l = 0; l < lanes; l++)
            y[l] += w[l] * own[l];
}

void rg_sparse_forward(const rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    sparse_rows x = rows_of(p, layer->ins[0]);
    size_t bytes = layer->n_out * p->item;
    const void *bias = rg_pass_bias(p, k);
    double in[RG_MAX_LANES];
    for (size_t i = 0; i < x.n; i++) {
        char *own = (char *)y + i * bytes;
        if (bias)
            memcpy(own, bias, bytes);
        else
            memset(own, 0, bytes);
        for (uint64_t e = x.row[i]; e < x.row[i + 1]; e++) {
            entry(in, p, &x, e);
            add_products(p, own, rg_pass_param(p, layer->weights + (size_t)x.col[e] * layer->n_out),
                         in, layer->n_out);
        }
    }
}

void rg_sparse_backward(const rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    sparse_rows x = rows_of(p, layer->ins[0]);
    size_t bytes = layer->n_out * p->item;
    void *bias = rg_pass_dbias(p, k);
    double in[RG_MAX_LANES];
    for (size_t i = 0; i < x.n; i++) {
        const char *own = (const char *)dy + i * bytes;
        if (bias)
            rg_pass_copy(p, bias, layer->n_out, own, true);
        for (uint64_t e = x.row[i]; e < x.row[i + 1]; e++) {
            entry(in, p, &x, e);
            add_products(p, rg_pass_dparam(p, layer->weights + (size_t)x.col[e] * layer->n_out),
                         own, in, layer->n_out);
        }
    }
}
