/* pool.c - pooling: from the nodes of a graph to one row; several ways stand side by side.
 *
 *   sum, mean, max over the nodes of the graph, channel by channel */
#include "pass.h"

enum { WAYS = 0 };
enum { SUM = 1, MEAN = 2, MAX = 4 }; /* bits of the setting */

/* Each way and each value is a layer of its own; then side by side. */
static uint32_t expand_pool(rg_layer_plan *plan, const rg_layer_spec *spec, uint32_t x)
{
    uint32_t outs[3 * RG_SPEC_LAYERS_MAX], n = 0;
    (void)x;
    for (uint32_t k = 0; k < plan->n_ins; k++)
        for (unsigned way = SUM; way <= MAX; way *= 2) {
            rg_net_layer *layer = NULL;
            if (!((unsigned)spec->own[WAYS] & way))
                continue;
            if (n == RG_SPEC_LAYERS_MAX)
                rg_plan_complain(plan, "found more than %d poolings side by side",
                                 RG_SPEC_LAYERS_MAX);
            else
                layer = rg_plan_add(plan, &rg_layer_pool, plan->ins[k], spec);
            if (layer)
                layer->own[WAYS] = way;
            outs[n++] = rg_plan_shape(plan, layer);
            if (plan->status)
                return 0;
        }
    return rg_plan_many(plan, &rg_layer_concat, outs, n);
}

static void shape_pool(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    (void)plan;
    layer->n_out = layer->n_in;
    layer->rows_out = out->rows = 1;
}

static size_t kept(const rg_pass *p, size_t k, size_t rows, size_t in)
{
    (void)in;
    return p->layers[k].own[WAYS] == MAX ? rows * p->layers[k].n_in * sizeof(uint32_t) : 0;
}

static void forward(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_rows *rows = rg_pass_nodes(p, layer->ins[0]);
    const void *x = rg_pass_value(p, layer->ins[0]);
    if (layer->own[WAYS] == MAX)
        p->loops->pool_largest(y, rg_pass_kept(p, k), &p->batch, rows, layer->n_in, x);
    else
        p->loops->pool(y, &p->batch, rows, layer->n_in, layer->own[WAYS] == MEAN, x);
}

static void backward(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    const rg_rows *rows = rg_pass_nodes(p, layer->ins[0]);
    void *dx = rg_pass_dx(p, k, 0);
    if (!dx)
        return;
    if (layer->own[WAYS] == MAX)
        p->loops->pool_largest_back(dx, rg_pass_kept(p, k), &p->batch, rows, layer->n_in, dy,
                                    layer->add[0]);
    else
        p->loops->pool_back(dx, &p->batch, rows, layer->n_in, layer->own[WAYS] == MEAN, dy,
                            layer->add[0]);
}

static const char *const words[] = {"sum", "mean", "max"};

const rg_layer_kind rg_layer_pool = {
    .name = "pool",
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_WORDS, .words = words, .n_words = 3}},
    .keys = {"of"},
    .nodes = true,
    .aggregates = true,
    .batched = true,
    .expand = expand_pool,
    .shape = shape_pool,
    .kept = kept,
    .forward = forward,
    .backward = backward,
};
