/* sequence.c - a graph as a sequence of rows: sort pooling, 1-D convolution, max pooling (DGCNN).
 * The formulas stand in batch/sequence.h. */
#include "batch/sequence.h"

#include "pass.h"

#include <math.h>
#include <string.h>

/* ---- sort pooling: the rows that come first, by the last channel */

enum { ROWS = 0, LEAST = 1, SORT = 2 };

/* A part of the graphs becomes as many rows as so many of them have at most. */
static rg_status fit_sort(rg_layer_spec *layer, const rg_dataset *data, const uint32_t *graphs,
                          size_t n, rg_error *err)
{
    uint32_t rows = 0;
    rg_status status = RG_OK;
    if (layer->own[ROWS] > 1)
        return RG_OK;
    status =
        rg_sort_rows(&rows, data, graphs, n, layer->own[ROWS], (uint32_t)layer->own[LEAST], err);
    if (!status)
        layer->own[ROWS] = rows > 1 ? rows : 2;
    return status;
}

static uint32_t expand_sort(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x)
{
    if (spec->own[SORT] != 0)
        x = rg_plan_put(plan, &rg_layer_sort_channels, x, 0);
    return rg_plan_shape(plan, rg_plan_add(plan, &rg_layer_sort_pool, x, spec));
}

static void shape_sort(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    double rows = layer->own[ROWS];
    if (!(rows >= 2 && rows == floor(rows) && rows * out->channels <= INT32_MAX))
        rg_plan_complain(
            plan,
            "sort-pool keeps %.10g rows of %u channels, expected a whole number of rows "
            "from 2 on and fewer than 2^31 values",
            rows, (unsigned)out->channels);
    layer->n_out = layer->n_in;
    layer->rows_out = out->rows = (uint32_t)rows;
}

static size_t kept_sort(const rg_pass *p, size_t k, size_t rows, size_t in)
{
    (void)p;
    (void)k;
    (void)in;
    return rows * sizeof(uint32_t); /* which rows were picked */
}

static void forward_sort(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    rg_sort_pool(p->precision, y, rg_pass_kept(p, k), p->batch.first,
                 rg_pass_nodes(p, layer->ins[0])->of, p->n_samples, layer->n_in, layer->rows_out,
                 rg_pass_value(p, layer->ins[0]));
}

static void backward_sort(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    void *dx = rg_pass_dx(p, k, 0);
    if (dx)
        rg_sort_pool_back(p->precision, dx, rg_pass_rows(p, layer->ins[0]), rg_pass_kept(p, k),
                          p->n_samples, layer->n_in, layer->rows_out, dy, layer->add[0]);
}

static const char *const sorts[] = {"nodes", "channels"};

const rg_layer_kind rg_layer_sort_pool = {
    .name = "sort-pool",
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_REAL,
                  .low = 1e-9,
                  .high = 1e6 + 1,
                  .what = "a part of the graphs, above 0 and up to 1, or a whole number of rows"},
                 {.type = RG_SETTING_COUNT, .key = "least", .low = 2, .high = 1e6, .usual = 2},
                 {.type = RG_SETTING_WORD, .key = "sort", .words = sorts, .n_words = 2}},
    .nodes = true,
    .aggregates = true,
    .batched = true,
    .fit = fit_sort,
    .expand = expand_sort,
    .shape = shape_sort,
    .kept = kept_sort,
    .forward = forward_sort,
    .backward = backward_sort,
};

/* ---- the channels of every row in ascending order */

static size_t kept_channels(const rg_pass *p, size_t k, size_t rows, size_t in)
{
    (void)in;
    return rows * p->layers[k].n_in * sizeof(uint32_t);
}

static void forward_channels(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    p->loops->sort_channels(y, rg_pass_kept(p, k), rg_pass_rows(p, (uint32_t)k + 1), layer->n_in,
                            rg_pass_value(p, layer->ins[0]));
}

static void backward_channels(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    void *dx = rg_pass_dx(p, k, 0);
    if (dx)
        p->loops->sort_channels_back(dx, rg_pass_kept(p, k), rg_pass_rows(p, (uint32_t)k + 1),
                                     layer->n_in, dy, layer->add[0]);
}

const rg_layer_kind rg_layer_sort_channels = {
    .name = "sort-channels",
    .inner = true,
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_FLAG, .usual = 1}},
    .batched = true,
    .kept = kept_channels,
    .forward = forward_channels,
    .backward = backward_channels,
};

/* ---- windows of rows */

enum { SIZE = 0, STRIDE = 1 };

static rg_sequences sequences(const rg_net_layer *layer, uint32_t n)
{
    return (rg_sequences){.n = n,
                          .rows = layer->rows_in,
                          .in = layer->n_in,
                          .out = layer->n_out,
                          .size = layer->size,
                          .stride = layer->stride};
}

/* Rows that come out of windows. */
static void shape_windows(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    if (out->rows < 2 || out->shape.rows)
        rg_plan_complain(plan, "a %s layer needs a sequence of rows: expected sort-pool before it",
                         layer->kind->name);
    else if (out->rows < layer->size)
        rg_plan_complain(plan, "a window has %u rows, and the sequence has %u",
                         (unsigned)layer->size, (unsigned)out->rows);
    if (plan->status)
        return;
    rg_sequences s = sequences(layer, 1);
    layer->rows_out = out->rows = rg_windows(&s);
    out->channels = layer->n_out;
}

static void shape_conv1d(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    layer->size = (uint32_t)layer->own[SIZE];
    layer->stride = (uint32_t)layer->own[STRIDE];
    layer->weight_rows = (size_t)layer->size * layer->n_in;
    layer->weight_cols = layer->n_bias = layer->n_out;
    shape_windows(plan, layer, out);
}

static rg_start start_conv1d(const rg_net_layer *layer)
{
    double seen = (double)layer->size * layer->n_in;
    return (rg_start){
        .n_possible = seen * layer->n_out, .fan_in = seen, .fan_out = layer->n_out, .seen = seen};
}

static size_t kept_conv1d(const rg_pass *p, size_t k, size_t rows, size_t in)
{
    (void)in;
    return rows * p->layers[k].size * p->layers[k].n_in * p->item; /* windows, copied */
}

static void forward_conv1d(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    rg_sequences s = sequences(layer, p->n_samples);
    rg_convolve(p->precision, y, rg_pass_kept(p, k), &s, rg_pass_param(p, layer->weights),
                rg_pass_bias(p, k), rg_pass_value(p, layer->ins[0]));
}

static void backward_conv1d(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    rg_sequences s = sequences(layer, p->n_samples);
    rg_convolve_back(p->precision, rg_pass_dparam(p, layer->weights), rg_pass_dbias(p, k),
                     rg_pass_dx(p, k, 0), rg_pass_kept(p, k), &s, rg_pass_param(p, layer->weights),
                     rg_pass_value(p, layer->ins[0]), dy, layer->add[0]);
}

const rg_layer_kind rg_layer_conv1d = {
    .name = "conv1d",
    .head = RG_HEAD_WIDTH,
    .settings = {{.type = RG_SETTING_COUNT, .key = "size", .low = 1, .high = 1e6, .usual = 1},
                 {.type = RG_SETTING_COUNT, .key = "stride", .low = 1, .high = 1e6, .usual = 1}},
    .keys = {"activation"},
    .usual = RG_RELU,
    .weighs = true,
    .prunes = true,
    .batched = true,
    .shape = shape_conv1d,
    .start = start_conv1d,
    .kept = kept_conv1d,
    .forward = forward_conv1d,
    .backward = backward_conv1d,
};

/* ---- the largest of each few rows */

static void shape_max_pool(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    layer->size = layer->stride = (uint32_t)layer->own[SIZE];
    layer->n_out = layer->n_in;
    shape_windows(plan, layer, out);
}

static void forward_max_pool(rg_pass *p, size_t k, void *y)
{
    rg_sequences s = sequences(&p->layers[k], p->n_samples);
    rg_rows_largest(p->precision, y, &s, rg_pass_value(p, p->layers[k].ins[0]));
}

static void backward_max_pool(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    rg_sequences s = sequences(layer, p->n_samples);
    void *dx = rg_pass_dx(p, k, 0);
    if (dx)
        rg_rows_largest_back(p->precision, dx, &s, rg_pass_value(p, layer->ins[0]), dy,
                             layer->add[0]);
}

const rg_layer_kind rg_layer_max_pool = {
    .name = "max-pool",
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_COUNT, .low = 2, .high = 1e6, .usual = 2}},
    .batched = true,
    .shape = shape_max_pool,
    .forward = forward_max_pool,
    .backward = backward_max_pool,
};
