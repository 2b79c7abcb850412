/* edges.c - message passing that sees the attributes of edges (GINE); `gine` in blocks.c.
 *
 *   y[i] = (1 + eps) x[i] + sum over neighbours j of max(0, x[j] + E a[i,j] + b)
 * a are the attributes of the edge, standardised if the network file asks for it. Every node has its own row: colours (batch/colours.h) do not know of attributes. */
#include "pass.h"

enum { EPS = 0 };

static void shape(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    (void)out;
    layer->n_out = layer->n_in;
    layer->size = plan->n_edge_channels;
    layer->weight_rows = layer->size;
    layer->weight_cols = layer->n_in;
    layer->n_bias = layer->n_in;
}

static rg_start start(const rg_net_layer *layer)
{
    return (rg_start){.n_possible = (double)layer->size * layer->n_in,
                      .fan_in = layer->size,
                      .fan_out = layer->n_in};
}

/* Attributes of the arcs of the batch, and what the layer makes of them: [arc][size], [arc][n_in]. */
static size_t kept(const rg_pass *p, size_t k, size_t rows, size_t in)
{
    (void)rows;
    (void)in;
    return p->n_arcs * ((size_t)p->layers[k].size + 2 * (size_t)p->layers[k].n_in) * p->item;
}

static void take_attributes(const rg_pass *p, const rg_net_layer *layer, const rg_rows *rows,
                            void *a)
{
    const uint64_t *first = rg_dataset_first_arcs(p->data);
    size_t n = layer->size, at = 0;
    for (uint32_t i = 0; i < rows->n; i++) {
        const double *from = p->edges + first[p->batch.id[rows->node[i]]] * n;
        for (size_t c = 0; c < (rows->first[i + 1] - rows->first[i]) * n; c++)
            rg_real_put(p->precision, a, at++, from[c]);
    }
}

static void forward(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_rows *rows = rg_pass_nodes(p, (uint32_t)k + 1);
    size_t arcs = rows->first[rows->n], n = layer->size, width = layer->n_in;
    void *a = rg_pass_kept(p, k), *e = rg_pass_item(p, a, arcs * n);
    take_attributes(p, layer, rows, a);
    p->loops->spread(e, arcs, (uint32_t)width, rg_pass_bias(p, k));
    p->loops->product(
        e,
        &(rg_product){
            .m = arcs, .n = width, .k = n, .ar = n, .at = 1, .bt = width, .bc = 1, .add = true},
        a, rg_pass_param(p, layer->weights));
    p->loops->edge_sum(y, rows, (uint32_t)width, 1 + layer->own[EPS], e,
                       rg_pass_value(p, layer->ins[0]));
}

static void back(rg_pass *p, size_t k, const void *dy, bool learns)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_rows *rows = rg_pass_nodes(p, (uint32_t)k + 1);
    size_t arcs = rows->first[rows->n], n = layer->size, width = layer->n_in;
    void *a = rg_pass_kept(p, k), *e = rg_pass_item(p, a, arcs * n);
    void *de = rg_pass_item(p, e, arcs * width);
    const void *x = rg_pass_value(p, layer->ins[0]);
    p->loops->edge_sum_back(rg_pass_dx(p, k, 0), de, rg_pass_rows(p, layer->ins[0]), rows,
                            (uint32_t)width, 1 + layer->own[EPS], e, x, dy, layer->add[0]);
    if (!learns)
        return;
    p->loops->product(
        rg_pass_dparam(p, layer->weights),
        &(rg_product){
            .m = n, .n = width, .k = arcs, .ar = 1, .at = n, .bt = width, .bc = 1, .add = true},
        a, de);
    p->loops->gather(rg_pass_dbias(p, k), arcs, (uint32_t)width, de);
}

static void backward(rg_pass *p, size_t k, const void *dy)
{
    back(p, k, dy, true);
}

static void share(rg_pass *p, size_t k, const void *dy)
{
    back(p, k, dy, false);
}

/* What the edges add, where something passes: `share` has left its gradients behind it. */
static double constant(const rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_rows *rows = rg_pass_nodes(p, (uint32_t)k + 1);
    size_t arcs = rows->first[rows->n], width = layer->n_in;
    const void *e = rg_pass_item(p, rg_pass_kept(p, k), arcs * layer->size);
    const double *passes = rg_pass_item(p, e, arcs * width);
    (void)dy;
    double sum = 0;
    for (size_t c = 0; c < arcs * width; c++)
        sum += passes[c] * ((const double *)e)[c];
    return sum;
}

const rg_layer_kind rg_layer_edges = {
    .name = "edges",
    .inner = true,
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_REAL, .low = -1e9, .high = 1e9}},
    .weighs = true,
    .nodes = true,
    .batched = true,
    .each = true,
    .edges = true,
    .shape = shape,
    .start = start,
    .kept = kept,
    .forward = forward,
    .backward = backward,
    .share = share,
    .constant = constant,
};
