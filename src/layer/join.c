/* join.c - several values as one: side by side (`concat`), or added up (`add`).
 *
 * In batches the values may have rows of different rounds: the output has those of the latest. */
#include "pass.h"

#include <string.h>

/* Rows of the output: all inputs must have as many; the latest round tells most nodes apart. */
static void join_rows(rg_layer_plan *plan, const rg_net_layer *layer, rg_value *out)
{
    for (uint32_t k = 1; k < layer->n_ins; k++) {
        const rg_value *in = rg_plan_value(plan, layer->ins[k]);
        if (in->rows != out->rows)
            rg_plan_complain(plan, "found values of nodes beside values of graphs, expected one "
                                   "kind: pool the nodes first");
        out->round = in->round > out->round ? in->round : out->round;
    }
    if (out->shape.rows)
        out->shape.channels = 0;
}

static void shape_concat(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    uint64_t channels = 0;
    join_rows(plan, layer, out);
    for (uint32_t k = 0; k < layer->n_ins; k++)
        channels += rg_plan_value(plan, layer->ins[k])->channels;
    if (plan->arrays && out->shape.rows)
        rg_plan_complain(plan, "a concat layer is for graphs or behind dense layers");
    if (channels > INT32_MAX)
        rg_plan_complain(plan, "too many channels side by side");
    out->channels = layer->n_out = (uint32_t)channels;
}

static void shape_add(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    rg_rule_shape shape = out->shape;
    join_rows(plan, layer, out);
    out->shape = shape;
    for (uint32_t k = 1; k < layer->n_ins; k++)
        if (rg_plan_value(plan, layer->ins[k])->channels != out->channels)
            rg_plan_complain(plan, "found %u and %u channels to add, expected the same number",
                             (unsigned)out->channels,
                             (unsigned)rg_plan_value(plan, layer->ins[k])->channels);
    layer->n_out = out->channels;
}

/* Does input n of layer k have other rows than its output? */
static bool is_earlier(const rg_pass *p, size_t k, uint32_t n)
{
    uint32_t in = p->layers[k].ins[n], out = (uint32_t)k + 1;
    return p->batched && !p->values[out].rows && rg_pass_round(p, in) != rg_pass_round(p, out);
}

/* Row of input n that row r of the output is made of. */
static size_t earlier(const rg_pass *p, size_t k, uint32_t n, size_t r)
{
    const rg_rows *rows = rg_pass_nodes(p, p->layers[k].ins[n]);
    return rows->of[rg_pass_nodes(p, (uint32_t)k + 1)->node[r]];
}

/* ---- side by side */

static void forward_concat(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t out = (uint32_t)k + 1;
    size_t width = p->values[out].channels, n = rg_pass_rows(p, out), first = 0;
    for (uint32_t i = 0; i < layer->n_ins; i++) {
        size_t part = p->values[layer->ins[i]].channels;
        const void *in = rg_pass_value(p, layer->ins[i]);
        bool lifted = is_earlier(p, k, i);
        for (size_t r = 0; r < n; r++)
            memcpy(rg_pass_item(p, y, r * width + first),
                   rg_pass_item(p, in, (lifted ? earlier(p, k, i, r) : r) * part), part * p->item);
        first += part;
    }
}

static void backward_concat(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t out = (uint32_t)k + 1;
    size_t width = p->values[out].channels, n = rg_pass_rows(p, out), first = 0;
    for (uint32_t i = 0; i < layer->n_ins; i++) {
        size_t part = p->values[layer->ins[i]].channels;
        bool lifted = is_earlier(p, k, i); /* rows of the output share one of the input */
        void *dx = lifted ? rg_pass_dx_cleared(p, k, i) : rg_pass_dx(p, k, i);
        for (size_t r = 0; dx && r < n; r++)
            rg_pass_copy(p, rg_pass_item(p, dx, (lifted ? earlier(p, k, i, r) : r) * part), part,
                         rg_pass_item(p, dy, r * width + first), lifted || layer->add[i]);
        first += part;
    }
}

const rg_layer_kind rg_layer_concat = {
    .name = "concat",
    .head = RG_HEAD_NAMES,
    .many = true,
    .shape = shape_concat,
    .forward = forward_concat,
    .backward = backward_concat,
};

/* ---- added up */

static void forward_add(rg_pass *p, size_t k, void *y)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t out = (uint32_t)k + 1;
    for (uint32_t i = 0; i < layer->n_ins; i++)
        if (is_earlier(p, k, i))
            p->loops->lift(y, rg_pass_nodes(p, out), rg_pass_nodes(p, layer->ins[i]), layer->n_out,
                           rg_pass_value(p, layer->ins[i]), i > 0);
        else
            rg_pass_copy(p, y, rg_pass_reals(p, out), rg_pass_value(p, layer->ins[i]), i > 0);
}

static void backward_add(rg_pass *p, size_t k, const void *dy)
{
    const rg_net_layer *layer = &p->layers[k];
    uint32_t out = (uint32_t)k + 1;
    for (uint32_t i = 0; i < layer->n_ins; i++) {
        void *dx = rg_pass_dx(p, k, i);
        if (dx && is_earlier(p, k, i))
            p->loops->lift_back(dx, rg_pass_nodes(p, out), rg_pass_nodes(p, layer->ins[i]),
                                layer->n_out, dy, layer->add[i]);
        else
            rg_pass_put(p, k, i, dy);
    }
}

const rg_layer_kind rg_layer_add = {
    .name = "add",
    .head = RG_HEAD_NAMES,
    .keys = {"activation"},
    .many = true,
    .shape = shape_add,
    .forward = forward_add,
    .backward = backward_add,
};
