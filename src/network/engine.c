/* engine.c - see engine.h: making passes, and going through the layers.
 *
 * Value v goes into layers, value k + 1 comes out of layer k. A layer is its linear part, then its
 * activation, then perhaps the sum with another value:
 *   act[k] = f(linear(values)),  value[k+1] = act[k], or act[k] + a value that skipped it */
#include "engine.h"

#include "base/alloc.h"
#include "base/error.h"
#include "layer/sparse.h"

#include <string.h>

enum { LINE = 64 }; /* bytes of a cache line: pieces begin at one */

/* ---- making room */

static size_t piece(rg_carve *carve, size_t bytes)
{
    return rg_carve_add(carve, bytes / LINE + 1, LINE);
}

/* Bytes of `rows` rows. */
static size_t room(rg_carve *carve, const rg_pass *p, size_t rows, size_t channels)
{
    size_t numbers, bytes;
    if (!rg_size_mul(&numbers, rows, channels) || !rg_size_mul(&bytes, numbers, p->item)) {
        carve->overflow = true;
        return 0;
    }
    return piece(carve, bytes);
}

/* Most rows of a value. */
typedef struct largest {
    size_t samples, nodes;
} largest;

static size_t most_rows(const rg_pass *p, uint32_t v, const largest *m)
{
    uint32_t rows = p->values[v].rows;
    return rows ? rows * m->samples : m->nodes;
}

/* Does backward want what went into the activation? */
static bool wants_pre(const rg_pass *p, const rg_net_layer *layer)
{
    return rg_activation_keeps(layer->activation) ||
           (p->shares && layer->activation != RG_IDENTITY);
}

/* May the gradient of the input of layer k be where that of its output is? */
static bool lends(const rg_pass *p, size_t k)
{
    const rg_net_layer *layer = &p->layers[k];
    return layer->kind->in_place && !p->shares && p->values[layer->ins[0]].readers == 1 &&
           layer->skip == RG_NO_INDEX;
}

static void place_values(rg_pass *p, rg_carve *carve, const largest *m)
{
    for (uint32_t v = 0; v <= p->n_layers; v++) {
        const rg_value *value = &p->values[v];
        bool needed = v > 0 || (p->batched ? !p->features || p->materialised : !p->layers[0].fixed);
        needed = needed && !rg_pass_is_sparse(p, v);
        p->signal[v] = needed ? room(carve, p, most_rows(p, v, m), value->channels) : RG_NOWHERE;
        p->gradient[v] = RG_NOWHERE;
    }
}

static void place_layers(rg_pass *p, rg_carve *carve, const largest *m)
{
    for (size_t k = 0; k < p->n_layers; k++) {
        const rg_net_layer *layer = &p->layers[k];
        uint32_t out = (uint32_t)k + 1;
        size_t rows = most_rows(p, out, m), channels = p->values[out].channels;
        size_t kept =
            layer->kind->kept ? layer->kind->kept(p, k, rows, most_rows(p, layer->ins[0], m)) : 0;
        p->act[k] = layer->skip == RG_NO_INDEX ? RG_NOWHERE : room(carve, p, rows, channels);
        p->pre[k] = wants_pre(p, layer) ? room(carve, p, rows, channels) : RG_NOWHERE;
        p->kept[k] = kept ? piece(carve, kept) : RG_NOWHERE;
        p->by_sum[k] = p->shares ? room(carve, p, rows, channels) : RG_NOWHERE;
    }
}

/* From the end, because a value takes the room of its reader's gradient. */
static void place_gradients(rg_pass *p, rg_carve *carve, const largest *m)
{
    bool scratch[RG_NET_LAYERS_MAX + 1] = {false};
    for (size_t k = 0; k < p->n_layers; k++)
        if (p->layers[k].kind->scratch)
            scratch[p->layers[k].ins[0]] = true;
    for (uint32_t v = (uint32_t)p->n_layers; v <= p->n_layers; v--) {
        bool wanted = p->values[v].learned || v == p->n_layers || scratch[v] || p->shares;
        if (wanted && p->gradient[v] == RG_NOWHERE)
            p->gradient[v] = room(carve, p, most_rows(p, v, m), p->values[v].channels);
        if (v && wanted && lends(p, v - 1) && p->values[p->layers[v - 1].ins[0]].learned)
            p->gradient[p->layers[v - 1].ins[0]] = p->gradient[v];
    }
}

static uint32_t widest_outputs(const rg_pass *p)
{
    uint32_t widest = 1;
    for (size_t k = 0; k < p->n_layers; k++)
        if (p->layers[k].kind->outputs && p->layers[k].rows_out > widest)
            widest = p->layers[k].rows_out;
    return widest;
}

/* Numbers of the sums of a layer with phases. */
static size_t most_sums(const rg_pass *p)
{
    size_t n = 0;
    for (size_t k = 0; k < p->n_layers; k++)
        if (p->layers[k].kind->n_sums && p->layers[k].kind->n_sums(&p->layers[k]) > n)
            n = p->layers[k].kind->n_sums(&p->layers[k]);
    return n;
}

static rg_status make_room(rg_pass *p, const largest *m, rg_error *err)
{
    rg_carve carve = {0};
    size_t n = p->n_layers + 1, hot = RG_NOWHERE, numbers = RG_NOWHERE;
    size_t **const places[] = {&p->signal, &p->gradient, &p->act, &p->pre, &p->kept, &p->by_sum};
    uint32_t widest = widest_outputs(p);
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        *places[k] = rg_alloc(n, sizeof **places[k]);
        if (!*places[k])
            return rg_fail_memory(err, "the signals of a network");
    }
    place_values(p, &carve, m);
    place_layers(p, &carve, m);
    if (p->backward)
        place_gradients(p, &carve, m);
    bool rows = p->layers[0].fixed && p->layers[0].kind->fused;
    size_t first = (size_t)p->layers[0].n_out;
    p->rows_act = rows ? room(&carve, p, m->nodes, first) : RG_NOWHERE;
    p->rows_gradient = rows && p->backward ? room(&carve, p, m->nodes, first) : RG_NOWHERE;
    if (p->features) {
        hot = piece(&carve, m->nodes * p->features->n_hot * sizeof *p->hot);
        numbers = room(&carve, p, m->nodes, p->features->n_dense);
    }
    rg_carve_add(&carve, 1, LINE);
    p->block = rg_carve_alloc(&carve);
    p->identity = rg_alloc(widest, sizeof *p->identity);
    p->sums = rg_alloc(most_sums(p), sizeof *p->sums);
    p->group = rg_alloc(p->n_group, sizeof *p->group);
    if (!p->block || !p->identity || !p->sums || !p->group)
        return rg_fail_memory(err, "the signals of a network");
    p->start = p->block + (LINE - (uintptr_t)p->block % LINE) % LINE;
    p->hot = rg_pass_at(p, hot);
    p->numbers = rg_pass_at(p, numbers);
    for (uint32_t k = 0; k < widest; k++)
        p->identity[k] = k;
    return RG_OK;
}

/* Does a layer take the input that needs a matrix of it? */
static bool needs_matrix(const rg_pass *p)
{
    for (size_t k = 0; k < p->n_layers; k++)
        for (uint32_t n = 0; n < p->layers[k].n_ins; n++)
            if (p->layers[k].ins[n] == 0 && !p->layers[k].kind->features)
                return true;
    return false;
}

/* The largest batch of any samples. */
static rg_status open_batch(rg_pass *p, largest *m, const rg_samples *s, uint32_t group,
                            rg_error *err)
{
    rg_batch_size size;
    rg_status status = rg_batch_measure(&size, s->source.graphs, NULL, s->n, group, err);
    if (!status)
        status = rg_batch_open(&p->batch, &size, p->each ? NULL : s->colouring, p->precision, err);
    if (!status) {
        *m = (largest){.samples = size.graphs, .nodes = (size_t)size.nodes};
        p->n_arcs = (size_t)size.arcs;
    }
    return status;
}

rg_status rg_pass_new(rg_pass **out, const rg_samples *samples, const rg_kernels *kernels,
                      const rg_pass_options *options, rg_error *err)
{
    const rg_network *net = samples->net;
    largest m = {.samples = 1, .nodes = samples->most_rows ? samples->most_rows : 1};
    rg_pass *p = rg_alloc_zero(1, sizeof *p);
    if (!p)
        return rg_fail_memory(err, "the signals of a network");
    p->layers = net->layers;
    p->values = net->values;
    p->n_layers = net->n_layers;
    p->last = net->last;
    p->kernels = kernels;
    p->loops = rg_gnn_kernels_get(kernels->precision, kernels->cpu);
    p->precision = kernels->precision;
    p->item = kernels->real_size * kernels->lanes;
    p->batched = net->batched;
    p->each = p->shares = options->shares;
    p->backward = options->backward || options->shares;
    p->leads = !options->follows;
    p->n_group = net->batched && options->group ? options->group : 1;
    p->sparse = samples->sparse;
    p->most_sparse = samples->most_sparse;
    p->data = samples->source.graphs;
    p->features = net->batched ? samples->features : NULL;
    p->edges = samples->edges;
    p->hot_input = net->batched ? NULL : samples->features;
    p->materialised = options->shares || needs_matrix(p);
    rg_status status = RG_OK;
    if (p->batched)
        status = open_batch(p, &m, samples, p->n_group, err);
    if (!status)
        status = make_room(p, &m, err);
    if (status)
        rg_pass_free(p);
    else
        *out = p;
    return status;
}

void rg_pass_free(rg_pass *p)
{
    if (!p)
        return;
    rg_batch_close(&p->batch);
    rg_free(p->signal);
    rg_free(p->gradient);
    rg_free(p->act);
    rg_free(p->pre);
    rg_free(p->kept);
    rg_free(p->by_sum);
    rg_free(p->block);
    rg_free(p->identity);
    rg_free(p->sums);
    rg_free(p->group);
    rg_free(p);
}

/* ---- what layers share */

void rg_pass_copy(const rg_pass *p, void *to, size_t n, const void *from, bool add)
{
    if (add)
        p->kernels->add(to, n, from);
    else if (n && to != from)
        memcpy(to, from, n * p->item);
}

void *rg_pass_dx_cleared(const rg_pass *p, size_t k, uint32_t n)
{
    void *dx = rg_pass_dx(p, k, n);
    if (dx && !p->layers[k].add[n])
        memset(dx, 0, rg_pass_reals(p, p->layers[k].ins[n]) * p->item);
    return dx;
}

void rg_pass_put(const rg_pass *p, size_t k, uint32_t n, const void *dy)
{
    void *dx = rg_pass_dx(p, k, n);
    if (dx)
        rg_pass_copy(p, dx, rg_pass_reals(p, p->layers[k].ins[n]), dy, p->layers[k].add[n]);
}

/* ---- the input */

/* Of one sample, for all lanes. */
static void spread(rg_pass *p, const void *input)
{
    size_t n = rg_pass_reals(p, 0), lanes = p->kernels->lanes;
    void *x = rg_pass_value(p, 0);
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < lanes; l++)
            if (p->precision == RG_FLOAT)
                ((float *)x)[k * lanes + l] = ((const float *)input)[k];
            else
                ((double *)x)[k * lanes + l] = ((const double *)input)[k];
}

static void put_lanes(const rg_pass *p, void *x, size_t k, double value)
{
    for (size_t l = 0; l < p->kernels->lanes; l++)
        rg_real_put(p->precision, x, k * p->kernels->lanes + l, value);
}

/* The same from features: first is the node of the data that comes first. */
static void spread_features(rg_pass *p, uint64_t first)
{
    const rg_features *f = p->hot_input;
    void *x = rg_pass_value(p, 0);
    memset(x, 0, rg_pass_reals(p, 0) * p->item);
    for (size_t i = 0; i < p->n_rows; i++) {
        const uint32_t *hot = f->hot + (first + i) * f->n_hot;
        const double *numbers = f->dense + (first + i) * f->n_dense;
        for (uint32_t k = 0; k < f->n_hot; k++)
            if (hot[k] != RG_NO_COLUMN)
                put_lanes(p, x, i * f->width + hot[k], 1);
        for (size_t b = 0; b < f->n_bands; b++)
            for (uint32_t c = 0; c < f->bands[b].n; c++)
                put_lanes(p, x, i * f->width + f->bands[b].channel + c,
                          numbers[f->bands[b].from + c]);
    }
}

/* Features of the rows of a batch. */
static void take_features(rg_pass *p)
{
    const rg_features *f = p->features;
    const rg_rows *rows = rg_pass_nodes(p, 0);
    for (uint32_t r = 0; r < rows->n; r++) {
        size_t node = (size_t)p->batch.id[rows->node[r]];
        const double *from = f->dense + node * f->n_dense;
        for (uint32_t k = 0; k < f->n_hot; k++)
            p->hot[(size_t)r * f->n_hot + k] = f->hot[node * f->n_hot + k];
        for (uint32_t c = 0; c < f->n_dense; c++)
            rg_real_put(p->precision, p->numbers, (size_t)r * f->n_dense + c, from[c]);
    }
}

/* The same as a matrix. */
static void make_matrix(rg_pass *p)
{
    const rg_features *f = p->features;
    size_t n = rg_pass_rows(p, 0), width = p->values[0].channels;
    char *y = rg_pass_value(p, 0);
    memset(y, 0, n * width * p->item);
    for (size_t r = 0; r < n; r++) {
        for (uint32_t k = 0; k < f->n_hot; k++)
            if (p->hot[r * f->n_hot + k] != RG_NO_COLUMN)
                rg_real_put(p->precision, y, r * width + p->hot[r * f->n_hot + k], 1);
        for (size_t b = 0; b < f->n_bands; b++)
            memcpy(rg_pass_item(p, y, r * width + f->bands[b].channel),
                   rg_pass_item(p, p->numbers, r * f->n_dense + f->bands[b].from),
                   f->bands[b].n * p->item);
    }
}

static void fill_batch(rg_pass *p)
{
    for (uint32_t s = 0; s < p->n_samples; s++)
        p->batch.sample[s] = (uint32_t)p->samples[s].number;
    rg_batch_fill(&p->batch, p->data, p->batch.sample, p->n_samples);
    take_features(p);
    if (p->materialised)
        make_matrix(p);
}

/* ---- forward */

static void forward_layer(rg_pass *p, size_t k)
{
    const rg_net_layer *layer = &p->layers[k];
    void *act = rg_pass_act(p, k), *pre = p->pre[k] == RG_NOWHERE ? act : rg_pass_at(p, p->pre[k]);
    bool fused = layer->kind->fused && layer->kind->fused(p, k);
    layer->kind->forward(p, k, pre);
    size_t n = rg_pass_reals(p, (uint32_t)k + 1);
    if (!fused && layer->activation != RG_IDENTITY)
        p->kernels->activation_forward(act, layer->activation, n, pre);
    if (layer->skip != RG_NO_INDEX) {
        memcpy(rg_pass_value(p, (uint32_t)k + 1), act, n * p->item);
        p->kernels->add(rg_pass_value(p, (uint32_t)k + 1), n, rg_pass_value(p, layer->skip));
    }
}

rg_status rg_pass_take(const rg_sample **out, size_t *n, rg_pass *p, rg_walk *walk, size_t most,
                       rg_error *err)
{
    if (rg_cancel_is(walk->samples->cancel))
        return rg_fail_cancelled(err);
    rg_status status = RG_OK;
    *out = p->group;
    *n = 0;
    while (!status && *n < most && *n < p->n_group) {
        status = rg_walk_next(&p->group[*n], walk, err);
        if (!status && p->group[*n].number == SIZE_MAX)
            break;
        *n += !status;
    }
    return status;
}

void rg_pass_begin(rg_pass *p, const rg_sample *samples, size_t n, void *w,
                   const rg_pass_draws *draws)
{
    p->samples = samples;
    p->n_samples = (uint32_t)n;
    p->w = w;
    p->draws = draws;
    p->back = false;
    p->at = 0;
    p->phase = 0;
    if (p->batched)
        fill_batch(p);
    else {
        p->n_rows = samples->n_rows;
        bool wanted = p->signal[0] != RG_NOWHERE && rg_pass_reals(p, 0);
        if (wanted && p->hot_input)
            spread_features(p, samples->first_row);
        else if (wanted)
            spread(p, samples->input);
    }
}

bool rg_pass_advance(rg_pass *p)
{
    while (p->at < p->n_layers) {
        const rg_layer_kind *kind = p->layers[p->at].kind;
        if (p->draws && p->phase < kind->phases) {
            kind->phase(p, p->at, p->phase++);
            return true;
        }
        forward_layer(p, p->at++);
        p->phase = 0;
    }
    return false;
}

const void *rg_pass_outputs(const rg_pass *p)
{
    return rg_pass_value(p, (uint32_t)p->n_layers);
}

const void *rg_pass_forward(rg_pass *p, const rg_sample *samples, size_t n, void *w,
                            const rg_pass_draws *draws)
{
    rg_pass_begin(p, samples, n, w, draws);
    while (rg_pass_advance(p))
        continue;
    return rg_pass_outputs(p);
}

/* Between two steps: at a layer on the way, or above it on the way back. */
double *rg_pass_sums(const rg_pass *p, size_t *n)
{
    const rg_net_layer *layer = &p->layers[p->back ? p->at - 1 : p->at];
    *n = layer->kind->n_sums(layer);
    return p->sums;
}

size_t rg_pass_output(const rg_pass *p, size_t k)
{
    const rg_value *out = &p->values[p->n_layers];
    size_t rows = out->rows ? k * out->rows : p->batched ? p->batch.first[k] : k * p->n_rows;
    return rows * out->channels;
}

void *rg_pass_gradient(rg_pass *p)
{
    return rg_pass_gradient_of(p, (uint32_t)p->n_layers);
}

/* ---- back */

/* What comes before the linear part of layer k. */
static void open_back(rg_pass *p, size_t k)
{
    const rg_net_layer *layer = &p->layers[k];
    void *dy = rg_pass_gradient_of(p, (uint32_t)k + 1);
    size_t n = rg_pass_reals(p, (uint32_t)k + 1);
    bool fused = layer->kind->fused && layer->kind->fused(p, k);
    if (layer->skip != RG_NO_INDEX && rg_pass_gradient_of(p, layer->skip))
        rg_pass_copy(p, rg_pass_gradient_of(p, layer->skip), n, dy, layer->skip_add);
    if (!fused && layer->activation != RG_IDENTITY)
        p->kernels->activation_backward(dy, layer->activation, n, rg_pass_at(p, p->pre[k]),
                                        rg_pass_act(p, k), dy);
}

void rg_pass_begin_back(rg_pass *p, void *g)
{
    p->g = g;
    p->back = true;
    p->at = p->n_layers;
    p->phase = 0;
}

bool rg_pass_retreat(rg_pass *p)
{
    for (; p->at > 0; p->at--, p->phase = 0) {
        size_t k = p->at - 1;
        const rg_layer_kind *kind = p->layers[k].kind;
        void *dy = rg_pass_gradient_of(p, (uint32_t)k + 1);
        if (!p->values[k + 1].learned)
            continue;
        if (p->phase == 0)
            open_back(p, k);
        if (p->phase < kind->back_phases) {
            kind->back_phase(p, k, p->phase++, dy);
            return true;
        }
        kind->backward(p, k, dy);
    }
    return false;
}

void rg_pass_backward(rg_pass *p, void *g)
{
    rg_pass_begin_back(p, g);
    while (rg_pass_retreat(p))
        continue;
}

/* ---- what users of a pass may look at */

size_t rg_pass_signal_rows(const rg_pass *p, uint32_t v, size_t k)
{
    return p->values[v].rows ? p->values[v].rows : p->samples[k].n_rows;
}

void rg_pass_signal(double *out, const rg_pass *p, uint32_t v, size_t k)
{
    size_t rows = rg_pass_signal_rows(p, v, k), width = p->values[v].channels;
    size_t lanes = p->kernels->lanes, first = 0;
    const void *x = rg_pass_value(p, v);
    const uint32_t *of = NULL;
    if (p->batched && p->values[v].rows)
        first = k * rows;
    else if (p->batched) {
        first = p->batch.first[k];
        of = rg_pass_nodes(p, v)->of;
    }
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < width; c++, out++)
            *out =
                rg_real_at(p->precision, x, ((of ? of[first + r] : first + r) * width + c) * lanes);
}

/* ---- shares: those of a gradient, with (f(y) - f(0)) / y where a gradient has f'(y) */

const double *rg_pass_sum(const rg_pass *p, size_t k)
{
    return p->pre[k] == RG_NOWHERE ? rg_pass_act(p, k) : rg_pass_at(p, p->pre[k]);
}

const double *rg_pass_value_share(const rg_pass *p, uint32_t v)
{
    return rg_pass_gradient_of(p, v);
}

const double *rg_pass_sum_share(const rg_pass *p, size_t k)
{
    return rg_pass_at(p, p->by_sum[k]);
}

/* The derivative of an activation at 0. */
static double gradient_at_zero(rg_activation activation)
{
    switch (activation) {
    case RG_RELU:
    case RG_LEAKY_RELU:
    case RG_GELU:
    case RG_SOFTPLUS:
    case RG_SWISH:
        return 0.5;
    case RG_SIGMOID:
        return 0.25;
    default:
        return 1;
    }
}

double rg_pass_offset_share(const rg_pass *p, size_t k)
{
    double offset = rg_activation_at_zero(p->layers[k].activation), sum = 0;
    const double *by = rg_pass_gradient_of(p, (uint32_t)k + 1);
    if (offset == 0 || k >= p->last)
        return 0;
    for (size_t i = 0; i < rg_pass_reals(p, (uint32_t)k + 1); i++)
        sum += by[i] * offset;
    return sum;
}

/* Shares of the sums of layer k from those of its value. */
static void share_activation(const rg_pass *p, size_t k)
{
    const rg_net_layer *layer = &p->layers[k];
    size_t n = rg_pass_reals(p, (uint32_t)k + 1);
    const double *sum = rg_pass_sum(p, k), *act = rg_pass_act(p, k);
    const double *by = rg_pass_gradient_of(p, (uint32_t)k + 1);
    double *to = rg_pass_at(p, p->by_sum[k]), zero = rg_activation_at_zero(layer->activation);
    for (size_t i = 0; i < n; i++) {
        double gain = layer->activation == RG_IDENTITY ? 1
                      : sum[i] == 0                    ? gradient_at_zero(layer->activation)
                                                       : (act[i] - zero) / sum[i];
        to[i] = by[i] * gain;
    }
}

void rg_pass_share(rg_pass *p, const double *seed, double *g, rg_share_visit each, void *context)
{
    p->g = g;
    for (uint32_t v = 0; v <= p->n_layers; v++) /* values that nothing before z takes */
        if (rg_pass_reals(p, v))
            memset(rg_pass_gradient_of(p, v), 0, rg_pass_reals(p, v) * sizeof(double));
    for (size_t k = p->last + 1; k-- > 0;) {
        const rg_net_layer *layer = &p->layers[k];
        size_t n = rg_pass_reals(p, (uint32_t)k + 1);
        double *by = rg_pass_at(p, p->by_sum[k]);
        if (n == 0)
            continue;
        if (k == p->last)
            memcpy(by, seed, n * sizeof *seed);
        else
            share_activation(p, k);
        if (layer->skip != RG_NO_INDEX && k < p->last)
            p->kernels->add(rg_pass_gradient_of(p, layer->skip), n,
                            rg_pass_gradient_of(p, (uint32_t)k + 1));
        if (each)
            each(context, k, false);
        if (layer->kind->share)
            layer->kind->share(p, k, by);
        else
            layer->kind->backward(p, k, by);
        if (each)
            each(context, k, true);
    }
}
