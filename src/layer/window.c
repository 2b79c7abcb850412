/* window.c - pooling of images and volumes: the largest value of each window of a shape, or the mean.
 *
 * Windows lie side by side, `size` places along rows, columns and, in volumes, the depth; an axis with
 * one place has windows of one. What is left at an end that no window fills takes no part. */
#include "pass.h"

#include <string.h>

enum { WAY = 0, SIZE = 1, MAX = 0 };

/* Places along rows, columns and planes: of the input, of the output, of a window. */
typedef struct window_shape {
    uint32_t in[3], out[3], window[3];
    uint32_t width; /* numbers of a place: channels times lanes */
} window_shape;

/* depth by depth, channel by channel: planes of a channel lie one behind the other */
static window_shape shape_of(const rg_net_layer *layer, uint32_t lanes)
{
    const rg_rule_shape *in = &layer->shape_in, *out = &layer->shape_out;
    uint32_t size = (uint32_t)layer->own[SIZE];
    return (window_shape){
        .in = {in->rows, in->cols, in->channels},
        .out = {out->rows, out->cols, out->channels},
        .window = {in->rows > 1 ? size : 1, in->cols > 1 ? size : 1, in->depth > 1 ? size : 1},
        .width = layer->n_in * lanes};
}

static void shape_window(rg_layer_plan *plan, rg_net_layer *layer, rg_value *out)
{
    uint32_t size = (uint32_t)layer->own[SIZE];
    rg_rule_shape in = out->shape, to = in;
    if (!in.rows) {
        rg_plan_complain(plan, "a window layer needs rows and columns, and its input has none");
        return;
    }
    uint32_t depth = in.depth > 1 ? in.depth : 1, channels = in.channels / depth;
    to.rows = in.rows > 1 ? in.rows / size : 1;
    to.cols = in.cols > 1 ? in.cols / size : 1;
    uint32_t deep = depth > 1 ? depth / size : 1;
    if (!to.rows || !to.cols || !deep) {
        rg_plan_complain(plan, "a window has %u places along each axis, and its input %u x %u x %u",
                         (unsigned)size, (unsigned)in.rows, (unsigned)in.cols, (unsigned)depth);
        return;
    }
    to.channels = channels * deep;
    to.depth = deep > 1 ? deep : 0;
    layer->shape_in = in;
    layer->shape_out = out->shape = to;
    layer->n_out = layer->n_in;
    layer->rows_out = out->rows = to.rows * to.cols * to.channels;
}

/* First number of the input place that is the first of a window. Planes: those of one channel are
 * `deep` windows of the output. */
static size_t first_of(const window_shape *s, uint32_t planes, uint32_t deep, uint32_t at)
{
    uint32_t col = at % s->out[1], row = at / s->out[1] % s->out[0],
             plane = at / s->out[1] / s->out[0];
    uint32_t from = plane / deep * planes + plane % deep * s->window[2];
    return (((size_t)from * s->in[0] + row * s->window[0]) * s->in[1] + col * s->window[1]) *
           s->width;
}

/* Where number k of a window stands, behind its first. */
static size_t step_of(const window_shape *s, uint32_t k)
{
    uint32_t col = k % s->window[1], row = k / s->window[1] % s->window[0],
             plane = k / s->window[1] / s->window[0];
    return (((size_t)plane * s->in[0] + row) * s->in[1] + col) * s->width;
}

typedef struct window_walk {
    window_shape s;
    uint32_t planes, deep, n_places, n_window;
} window_walk;

static window_walk walk_of(const rg_pass *p, size_t k)
{
    const rg_net_layer *layer = &p->layers[k];
    window_walk w = {.s = shape_of(layer, p->kernels->lanes)};
    w.planes = layer->shape_in.depth > 1 ? layer->shape_in.depth : 1;
    w.deep = layer->shape_out.depth > 1 ? layer->shape_out.depth : 1;
    w.n_places = layer->rows_out;
    w.n_window = w.s.window[0] * w.s.window[1] * w.s.window[2];
    return w;
}

/* Of equal values the first is the largest; without an order (nan) it is the first, too. */
static size_t largest(const rg_pass *p, const void *x, const window_walk *w, size_t first)
{
    size_t best = first;
    for (uint32_t j = 1; j < w->n_window; j++) {
        size_t at = first + step_of(&w->s, j);
        if (rg_real_at(p->precision, x, at) > rg_real_at(p->precision, x, best))
            best = at;
    }
    return best;
}

static void forward_window(rg_pass *p, size_t k, void *y)
{
    const void *x = rg_pass_value(p, p->layers[k].ins[0]);
    const window_walk w = walk_of(p, k);
    bool max = p->layers[k].own[WAY] == MAX;
    for (uint32_t i = 0; i < w.n_places; i++) {
        size_t first = first_of(&w.s, w.planes, w.deep, i);
        for (uint32_t c = 0; c < w.s.width; c++) {
            double value = 0;
            if (max)
                value = rg_real_at(p->precision, x, largest(p, x, &w, first + c));
            for (uint32_t j = 0; !max && j < w.n_window; j++)
                value += rg_real_at(p->precision, x, first + c + step_of(&w.s, j)) / w.n_window;
            rg_real_put(p->precision, y, (size_t)i * w.s.width + c, value);
        }
    }
}

static void add_to(const rg_pass *p, void *dx, size_t at, double value)
{
    rg_real_put(p->precision, dx, at, rg_real_at(p->precision, dx, at) + value);
}

static void backward_window(rg_pass *p, size_t k, const void *dy)
{
    const void *x = rg_pass_value(p, p->layers[k].ins[0]);
    const window_walk w = walk_of(p, k);
    void *dx = rg_pass_dx_cleared(p, k, 0);
    bool max = p->layers[k].own[WAY] == MAX;
    for (uint32_t i = 0; dx && i < w.n_places; i++) {
        size_t first = first_of(&w.s, w.planes, w.deep, i);
        for (uint32_t c = 0; c < w.s.width; c++) {
            double d = rg_real_at(p->precision, dy, (size_t)i * w.s.width + c);
            if (max)
                add_to(p, dx, largest(p, x, &w, first + c), d);
            for (uint32_t j = 0; !max && j < w.n_window; j++)
                add_to(p, dx, first + c + step_of(&w.s, j), d / w.n_window);
        }
    }
}

static const char *const ways[] = {"max", "mean"};

const rg_layer_kind rg_layer_window = {
    .name = "window",
    .head = RG_HEAD_SETTING,
    .settings = {{.type = RG_SETTING_WORD, .words = ways, .n_words = 2},
                 {.type = RG_SETTING_COUNT, .key = "size", .low = 2, .high = 1e6, .usual = 2}},
    .shape = shape_window,
    .forward = forward_window,
    .backward = backward_window,
};
