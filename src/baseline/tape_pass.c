/* tape_pass.c - a tape run over a batch, forward and back; see tape.h. */
#include "base/alloc.h"
#include "base/error.h"
#include "tape.h"

#include <string.h>

struct rg_tape_pass {
    const rg_tape *tape;
    const rg_message_kernels *layers;
    const rg_kernels *kernels;
    size_t real;              /* bytes of one */
    const rg_batch *batch;    /* at hand */
    size_t *value, *slope;    /* [value]: places in the block, in bytes; RG_NOWHERE: none */
    size_t *kept;             /* [step]: what its way back needs besides */
    double *sums;             /* scratch of norms */
    void *dense;              /* [node][n_dense]: features of the batch */
    char *start, *block;      /* start: of the first line of the cache in the block */
};

/* ---- making room */

enum { LINE = 64 }; /* bytes of a line of the cache: pieces begin at one */

static size_t rows_of(const rg_tape *tape, uint32_t v, const rg_batch_size *size)
{
    return tape->values[v].graphs ? size->graphs : (size_t)size->nodes;
}

static size_t piece(rg_layout *layout, size_t rows, size_t bytes_a_row)
{
    size_t bytes;
    if (!rg_size_mul(&bytes, rows, bytes_a_row)) {
        layout->overflow = true;
        return 0;
    }
    return rg_layout_add(layout, bytes / LINE + 1, LINE);
}

/* Bytes a row that a step keeps for its way back; a norm keeps two rows in all. */
static size_t kept_bytes(const rg_tape *tape, const rg_step *step, size_t real)
{
    size_t width = tape->values[step->out].width;
    bool largest = step->kind == RG_STEP_AGGREGATE ? step->gathering == RG_GATHER_MAX
                                                   : step->pooling == RG_POOL_MAX;
    switch (step->kind) {
    case RG_STEP_AGGREGATE:
    case RG_STEP_POOL:
        return largest ? width * sizeof(uint32_t) : 0;
    case RG_STEP_DROPOUT:
        return width * real;
    case RG_STEP_SORT:
        return step->size * sizeof(uint32_t);
    default:
        return 0;
    }
}

/* An activation needs its output alone on the way back, and a norm's slopes go through in place: a
 * value that nobody else reads lends its room. */
static bool lends_value(const rg_tape *tape, const rg_step *step)
{
    const rg_value *in = step->n_ins ? &tape->values[step->ins[0]] : NULL;
    bool activation = step->kind == RG_STEP_RELU || step->kind == RG_STEP_TANH;
    rg_step_kind before = in ? tape->steps[in->maker].kind : RG_STEP_INPUT;
    return activation && in->readers == 1 && before != RG_STEP_RELU && before != RG_STEP_TANH &&
           before != RG_STEP_NORM;
}

static bool lends_slope(const rg_tape *tape, const rg_step *step)
{
    bool in_place = step->kind == RG_STEP_RELU || step->kind == RG_STEP_TANH ||
                    step->kind == RG_STEP_NORM || step->kind == RG_STEP_BIAS;
    return in_place && tape->values[step->ins[0]].readers == 1;
}

/* Places of all values, slopes and what steps keep. Slopes are placed from the end, because a value
 * takes the room of its reader's. */
static void plan(rg_tape_pass *p, rg_layout *layout, const rg_batch_size *size, uint32_t *widest)
{
    const rg_tape *t = p->tape;
    for (size_t k = 0; k < t->n_steps; k++) {
        const rg_step *step = &t->steps[k];
        uint32_t width = t->values[step->out].width;
        size_t rows = rows_of(t, step->out, size), bytes = kept_bytes(t, step, p->real);
        p->value[step->out] = lends_value(t, step) ? p->value[step->ins[0]]
                                                   : piece(layout, rows, width * p->real);
        p->kept[k] = step->kind == RG_STEP_NORM ? piece(layout, 2, width * p->real)
                                                : piece(layout, rows, bytes);
        *widest = width > *widest ? width : *widest;
    }
    for (size_t k = t->n_steps; k-- > 0;) {
        const rg_step *step = &t->steps[k];
        uint32_t out = step->out;
        if (p->slope[out] == RG_NOWHERE && t->values[out].learned)
            p->slope[out] = piece(layout, rows_of(t, out, size), t->values[out].width * p->real);
        if (step->n_ins && lends_slope(t, step) && t->values[step->ins[0]].learned)
            p->slope[step->ins[0]] = p->slope[out];
    }
}

static rg_status make_room(rg_tape_pass *p, const rg_batch_size *size, rg_error *err)
{
    rg_layout layout = {0};
    uint32_t widest = 1;
    size_t n = p->tape->n_values;
    p->value = rg_alloc(n, sizeof *p->value);
    p->slope = rg_alloc(n, sizeof *p->slope);
    p->kept = rg_alloc(p->tape->n_steps, sizeof *p->kept);
    if (!p->value || !p->slope || !p->kept)
        return rg_fail_memory(err, "the signals of a network");
    for (size_t v = 0; v < n; v++)
        p->value[v] = p->slope[v] = RG_NOWHERE;
    plan(p, &layout, size, &widest);
    size_t dense = piece(&layout, (size_t)size->nodes, p->tape->features->n_dense * p->real);
    rg_layout_add(&layout, 1, LINE);
    p->block = rg_layout_alloc(&layout);
    p->sums = rg_alloc(widest, 4 * sizeof *p->sums);
    if (!p->block || !p->sums)
        return rg_fail_memory(err, "the signals of a network");
    p->start = p->block + (LINE - (uintptr_t)p->block % LINE) % LINE;
    p->dense = p->start + dense;
    return RG_OK;
}

rg_status rg_tape_pass_new(rg_tape_pass **out, const rg_tape *tape, const rg_batch_size *size,
                           rg_precision precision, rg_cpu cpu, rg_error *err)
{
    rg_tape_pass *p = rg_alloc_zero(1, sizeof *p);
    if (!p)
        return rg_fail_memory(err, "the signals of a network");
    p->tape = tape;
    p->layers = rg_message_kernels_get(precision, cpu);
    p->kernels = rg_kernels_get(precision, 1, cpu);
    p->real = rg_real_size(precision);
    rg_status status = make_room(p, size, err);
    if (status)
        rg_tape_pass_free(p);
    else
        *out = p;
    return status;
}

void rg_tape_pass_free(rg_tape_pass *p)
{
    if (!p)
        return;
    rg_free(p->value);
    rg_free(p->slope);
    rg_free(p->kept);
    rg_free(p->sums);
    rg_free(p->block);
    rg_free(p);
}

/* ---- where things are */

static void *value_at(const rg_tape_pass *p, uint32_t v)
{
    return p->start + p->value[v];
}

static void *slope_at(const rg_tape_pass *p, uint32_t v)
{
    return p->slope[v] == RG_NOWHERE ? NULL : p->start + p->slope[v];
}

static size_t width_at(const rg_tape_pass *p, uint32_t v)
{
    return p->tape->values[v].width;
}

static size_t rows_at(const rg_tape_pass *p, uint32_t v)
{
    return p->tape->values[v].graphs ? p->batch->n_graphs : p->batch->n_nodes;
}

static size_t reals_at(const rg_tape_pass *p, uint32_t v)
{
    return rows_at(p, v) * width_at(p, v);
}

/* Real k of an array. */
static void *real_at(const rg_tape_pass *p, const void *reals, size_t k)
{
    return (char *)reals + k * p->real;
}

static void *param(const rg_tape_pass *p, const void *w, size_t place)
{
    return place == RG_NOWHERE ? NULL : real_at(p, w, place);
}

/* ---- features */

/* Dense features of the batch, as reals. */
static void fill_dense(rg_tape_pass *p)
{
    const rg_features *f = p->tape->features;
    size_t k = 0;
    for (uint32_t g = 0; g < p->batch->n_graphs; g++) {
        const double *from = f->dense + (size_t)p->batch->node[g] * f->n_dense;
        size_t n = (size_t)(p->batch->first[g + 1] - p->batch->first[g]) * f->n_dense;
        for (size_t c = 0; c < n; c++, k++)
            if (p->real == sizeof(float))
                ((float *)p->dense)[k] = (float)from[c];
            else
                ((double *)p->dense)[k] = from[c];
    }
}

/* Ones of the nodes of graph g of the batch, and how many nodes those are. */
static const uint32_t *hot_of(const rg_tape_pass *p, uint32_t g, size_t *n)
{
    const rg_features *f = p->tape->features;
    *n = p->batch->first[g + 1] - p->batch->first[g];
    return f->hot + (size_t)p->batch->node[g] * f->n_hot;
}

static void input_forward(rg_tape_pass *p, const rg_step *step)
{
    const rg_features *f = p->tape->features;
    char *y = value_at(p, step->out);
    memset(y, 0, reals_at(p, step->out) * p->real);
    for (uint32_t g = 0; g < p->batch->n_graphs; g++) {
        size_t n;
        const uint32_t *hot = hot_of(p, g, &n);
        for (size_t i = 0; i < n; i++, hot += f->n_hot) {
            size_t node = p->batch->first[g] + i;
            for (uint32_t k = 0; k < f->n_hot; k++)
                if (hot[k] != RG_NO_COLUMN && p->real == sizeof(float))
                    ((float *)(void *)y)[node * f->width + hot[k]] = 1;
                else if (hot[k] != RG_NO_COLUMN)
                    ((double *)(void *)y)[node * f->width + hot[k]] = 1;
            memcpy(real_at(p, y, node * f->width + f->n_sparse),
                   real_at(p, p->dense, node * f->n_dense), f->n_dense * p->real);
        }
    }
}

static void embed_forward(rg_tape_pass *p, const rg_step *step, const void *w)
{
    const rg_features *f = p->tape->features;
    uint32_t width = (uint32_t)width_at(p, step->out);
    char *y = value_at(p, step->out);
    const char *weights = param(p, w, step->weights);
    rg_gemm_shape shape = {.m = p->batch->n_nodes,
                           .n = width,
                           .k = f->n_dense,
                           .lda = f->n_dense,
                           .ldb = width,
                           .ldc = width};
    for (uint32_t g = 0; g < p->batch->n_graphs; g++) {
        size_t n;
        const uint32_t *hot = hot_of(p, g, &n);
        p->layers->choose(real_at(p, y, (size_t)p->batch->first[g] * width), n, f->n_hot, width,
                          hot, weights);
    }
    if (f->n_dense)
        rg_gemm(p->layers->precision, &shape, 1, y, p->dense,
                real_at(p, weights, (size_t)f->n_sparse * width));
    if (step->bias != RG_NOWHERE)
        p->layers->add_bias(y, p->batch->n_nodes, width, param(p, w, step->bias));
}

static void embed_back(rg_tape_pass *p, const rg_step *step, void *g_)
{
    const rg_features *f = p->tape->features;
    uint32_t width = (uint32_t)width_at(p, step->out);
    const char *dy = slope_at(p, step->out);
    char *dw = param(p, g_, step->weights);
    rg_gemm_shape shape = {.m = f->n_dense,
                           .n = width,
                           .k = p->batch->n_nodes,
                           .a_turned = true,
                           .lda = f->n_dense,
                           .ldb = width,
                           .ldc = width};
    for (uint32_t g = 0; g < p->batch->n_graphs; g++) {
        size_t n;
        const uint32_t *hot = hot_of(p, g, &n);
        p->layers->choose_back(dw, n, f->n_hot, width, hot,
                               real_at(p, dy, (size_t)p->batch->first[g] * width));
    }
    if (f->n_dense)
        rg_gemm(p->layers->precision, &shape, 1, real_at(p, dw, (size_t)f->n_sparse * width),
                p->dense, dy);
    if (step->bias != RG_NOWHERE)
        p->layers->gather(param(p, g_, step->bias), p->batch->n_nodes, width, dy);
}

/* ---- linear */

static rg_gemm_shape linear_shape(const rg_tape_pass *p, const rg_step *step)
{
    size_t n_in = width_at(p, step->ins[0]) / step->groups;
    size_t n_out = width_at(p, step->out) / step->groups;
    return (rg_gemm_shape){.m = rows_at(p, step->out) * step->groups,
                           .n = n_out,
                           .k = n_in,
                           .lda = n_in,
                           .ldb = n_out,
                           .ldc = n_out};
}

static void linear_forward(rg_tape_pass *p, const rg_step *step, const void *w)
{
    rg_gemm_shape shape = linear_shape(p, step);
    void *y = value_at(p, step->out);
    bool bias = step->bias != RG_NOWHERE;
    if (bias)
        p->layers->spread(y, shape.m, (uint32_t)shape.n, param(p, w, step->bias));
    rg_gemm(p->layers->precision, &shape, bias ? 1 : 0, y, value_at(p, step->ins[0]),
            param(p, w, step->weights));
}

static void linear_back(rg_tape_pass *p, const rg_step *step, const void *w, void *g)
{
    rg_gemm_shape f = linear_shape(p, step); /* of the way forward: rows m, from k to n channels */
    rg_gemm_shape dw = {.m = f.k,
                        .n = f.n,
                        .k = f.m,
                        .a_turned = true,
                        .lda = f.lda,
                        .ldb = f.ldc,
                        .ldc = f.ldb};
    rg_gemm_shape dx = {.m = f.m,
                        .n = f.k,
                        .k = f.n,
                        .b_turned = true,
                        .lda = f.ldc,
                        .ldb = f.ldb,
                        .ldc = f.lda};
    void *dy = slope_at(p, step->out), *to = slope_at(p, step->ins[0]);
    rg_gemm(p->layers->precision, &dw, 1, param(p, g, step->weights), value_at(p, step->ins[0]),
            dy);
    if (to)
        rg_gemm(p->layers->precision, &dx, step->add[0] ? 1 : 0, to, dy,
                param(p, w, step->weights));
    if (step->bias != RG_NOWHERE)
        p->layers->gather(param(p, g, step->bias), f.m, (uint32_t)f.n, dy);
}

/* ---- from node to node */

static double self_of(const rg_tape_pass *p, const rg_step *step, const void *w)
{
    return step->weights == RG_NOWHERE
               ? step->self
               : step->self + rg_real_at(p->layers->precision, w, step->weights);
}

static void aggregate_forward(rg_tape_pass *p, const rg_step *step, size_t k, const void *w)
{
    const rg_batch *b = p->batch;
    uint32_t width = (uint32_t)width_at(p, step->out);
    void *y = value_at(p, step->out);
    const void *x = value_at(p, step->ins[0]);
    bool gcn = step->gathering == RG_GATHER_GCN;
    if (step->gathering == RG_GATHER_MAX)
        p->layers->largest(y, (uint32_t *)(void *)(p->start + p->kept[k]), b, width, x);
    else
        p->layers->aggregate(y, b, width, self_of(p, step, w),
                             gcn                                   ? b->root
                             : step->gathering == RG_GATHER_MEAN ? b->inverse
                                                                   : NULL,
                             gcn ? b->root : NULL, x, false);
}

static void aggregate_back(rg_tape_pass *p, const rg_step *step, size_t k, const void *w, void *g)
{
    const rg_batch *b = p->batch;
    uint32_t width = (uint32_t)width_at(p, step->out);
    void *dx = slope_at(p, step->ins[0]);
    const void *dy = slope_at(p, step->out);
    bool gcn = step->gathering == RG_GATHER_GCN;
    if (step->weights != RG_NOWHERE) {
        double slope = p->layers->dot(reals_at(p, step->out), dy, value_at(p, step->ins[0]));
        if (p->real == sizeof(float))
            *(float *)param(p, g, step->weights) += (float)slope;
        else
            *(double *)param(p, g, step->weights) += slope;
    }
    if (!dx)
        return;
    if (step->gathering == RG_GATHER_MAX)
        p->layers->largest_back(dx, (const uint32_t *)(const void *)(p->start + p->kept[k]), b,
                                width, dy, step->add[0]);
    else
        p->layers->aggregate(dx, b, width, self_of(p, step, w), gcn ? b->root : NULL,
                             gcn                                   ? b->root
                             : step->gathering == RG_GATHER_MEAN ? b->inverse
                                                                   : NULL,
                             dy, step->add[0]);
}

/* Links and channels of graph g of the batch. */
static void open_rule(const rg_tape_pass *p, const rg_step *step, uint32_t g, rg_links *links,
                      rg_channels *channels)
{
    size_t sample = p->batch->sample[g];
    rg_connection_table table = rg_connections_graph(step->rule->pairs, sample);
    *links = (rg_links){.n_rows = table.n_outputs,
                        .row = table.row,
                        .id = table.weight,
                        .col16 = table.col16,
                        .col32 = table.col32};
    if (step->rule->bias)
        links->bias_id = rg_connections_graph(step->rule->bias, sample).weight;
    *channels = (rg_channels){.n_in = (uint32_t)width_at(p, step->ins[0]),
                              .n_out = (uint32_t)width_at(p, step->out),
                              .full = step->full,
                              .scale = 1};
}

static void rule_forward(rg_tape_pass *p, const rg_step *step, const void *w)
{
    rg_links links;
    rg_channels channels;
    for (uint32_t g = 0; g < p->batch->n_graphs; g++) {
        size_t first = p->batch->first[g];
        open_rule(p, step, g, &links, &channels);
        p->kernels->rule_forward(real_at(p, value_at(p, step->out), first * channels.n_out), &links,
                                 &channels, param(p, w, step->weights), param(p, w, step->bias),
                                 real_at(p, value_at(p, step->ins[0]), first * channels.n_in));
    }
}

static void rule_back(rg_tape_pass *p, const rg_step *step, const void *w, void *grad)
{
    rg_links links;
    rg_channels channels;
    char *dx = slope_at(p, step->ins[0]);
    if (dx && !step->add[0])
        memset(dx, 0, reals_at(p, step->ins[0]) * p->real);
    for (uint32_t g = 0; g < p->batch->n_graphs; g++) {
        size_t first = p->batch->first[g];
        open_rule(p, step, g, &links, &channels);
        p->kernels->rule_backward(param(p, grad, step->weights), param(p, grad, step->bias),
                                  dx ? real_at(p, dx, first * channels.n_in) : NULL, &links,
                                  &channels, param(p, w, step->weights),
                                  real_at(p, value_at(p, step->ins[0]), first * channels.n_in),
                                  real_at(p, slope_at(p, step->out), first * channels.n_out));
    }
}

/* ---- norm, dropout, pooling, many to one */

static void norm_forward(rg_tape_pass *p, const rg_step *step, size_t k, void *w, bool training)
{
    size_t n = rows_at(p, step->out);
    uint32_t width = (uint32_t)width_at(p, step->out);
    char *mean = p->start + p->kept[k], *scale = real_at(p, mean, width);
    void *y = value_at(p, step->out), *x = value_at(p, step->ins[0]);
    void *gain = param(p, w, step->weights), *shift = param(p, w, step->bias);
    void *running = param(p, w, p->tape->n_params + step->state);
    if (training)
        p->layers->norm(y, mean, scale, running, p->sums, n, width, gain, shift, x, true);
    else
        p->layers->norm_fixed(y, mean, scale, running, n, width, gain, shift, x, true);
}

static void norm_back(rg_tape_pass *p, const rg_step *step, size_t k, const void *w, void *g)
{
    uint32_t width = (uint32_t)width_at(p, step->out);
    char *mean = p->start + p->kept[k];
    p->layers->norm_back(slope_at(p, step->ins[0]), param(p, g, step->weights),
                         param(p, g, step->bias), p->sums, rows_at(p, step->out), width,
                         param(p, w, step->weights), mean, real_at(p, mean, width),
                         value_at(p, step->ins[0]), value_at(p, step->out), slope_at(p, step->out),
                         true);
}

/* Draws go by the number of the sample, or of the node inside the set. */
static void dropout_forward(rg_tape_pass *p, const rg_step *step, size_t k,
                            const rg_tape_draws *draws)
{
    const rg_batch *b = p->batch;
    size_t width = width_at(p, step->out);
    char *y = value_at(p, step->out), *mask = p->start + p->kept[k];
    const char *x = value_at(p, step->ins[0]);
    bool graphs = p->tape->values[step->out].graphs;
    if (!draws) {
        memcpy(y, x, reals_at(p, step->out) * p->real);
        return;
    }
    for (uint32_t g = 0; g < b->n_graphs; g++) {
        uint64_t first = (graphs ? b->sample[g] : b->node[g]) * (uint64_t)width;
        size_t at = (graphs ? g : b->first[g]) * width;
        size_t n = (graphs ? 1 : b->first[g + 1] - b->first[g]) * width;
        p->kernels->dropout_forward(real_at(p, y, at), real_at(p, mask, at), n, step->dropout,
                                    &draws->seed, draws->stream + k, first, real_at(p, x, at));
    }
}

static void pool_forward(rg_tape_pass *p, const rg_step *step, size_t k)
{
    uint32_t width = (uint32_t)width_at(p, step->out);
    void *y = value_at(p, step->out), *x = value_at(p, step->ins[0]);
    if (step->pooling == RG_POOL_MAX)
        p->layers->pool_largest(y, (uint32_t *)(void *)(p->start + p->kept[k]), p->batch, width, x);
    else
        p->layers->pool(y, p->batch, width, step->pooling == RG_POOL_MEAN, x);
}

static void pool_back(rg_tape_pass *p, const rg_step *step, size_t k)
{
    uint32_t width = (uint32_t)width_at(p, step->out);
    void *dx = slope_at(p, step->ins[0]), *dy = slope_at(p, step->out);
    if (step->pooling == RG_POOL_MAX)
        p->layers->pool_largest_back(dx, (const uint32_t *)(const void *)(p->start + p->kept[k]),
                                     p->batch, width, dy, step->add[0]);
    else
        p->layers->pool_back(dx, p->batch, width, step->pooling == RG_POOL_MEAN, dy, step->add[0]);
}

/* Columns of inputs into those of the output, or slopes the other way. */
static void join(rg_tape_pass *p, const rg_step *step, bool back)
{
    size_t width = width_at(p, step->out), n = rows_at(p, step->out), first = 0;
    for (uint32_t k = 0; k < step->n_ins; k++) {
        size_t part = width_at(p, step->ins[k]);
        char *in = back ? slope_at(p, step->ins[k]) : value_at(p, step->ins[k]);
        char *out = back ? slope_at(p, step->out) : value_at(p, step->out);
        for (size_t r = 0; in && r < n; r++)
            if (back)
                p->layers->copy(real_at(p, in, r * part), part, real_at(p, out, r * width + first),
                                step->add[k]);
            else
                memcpy(real_at(p, out, r * width + first), real_at(p, in, r * part),
                       part * p->real);
        first += part;
    }
}

static void add_all(rg_tape_pass *p, const rg_step *step, bool back)
{
    size_t n = reals_at(p, step->out);
    for (uint32_t k = 0; k < step->n_ins; k++)
        if (!back)
            p->layers->copy(value_at(p, step->out), n, value_at(p, step->ins[k]), k > 0);
        else if (slope_at(p, step->ins[k]))
            p->layers->copy(slope_at(p, step->ins[k]), n, slope_at(p, step->out), step->add[k]);
}

static rg_sequences shape_of(const rg_tape_pass *p, const rg_step *step)
{
    rg_sequences shape = step->shape;
    shape.n = p->batch->n_graphs;
    return shape;
}

/* ---- all of it */

static void forward(rg_tape_pass *p, size_t k, void *w, const rg_tape_draws *draws)
{
    const rg_step *step = &p->tape->steps[k];
    rg_precision precision = p->layers->precision;
    rg_sequences shape = shape_of(p, step);
    void *y = value_at(p, step->out), *x = step->n_ins ? value_at(p, step->ins[0]) : NULL;
    size_t n = reals_at(p, step->out);
    switch (step->kind) {
    case RG_STEP_INPUT:
        input_forward(p, step);
        break;
    case RG_STEP_EMBED:
        embed_forward(p, step, w);
        break;
    case RG_STEP_LINEAR:
        linear_forward(p, step, w);
        break;
    case RG_STEP_BIAS:
        memcpy(y, x, n * p->real);
        p->layers->add_bias(y, rows_at(p, step->out), (uint32_t)width_at(p, step->out),
                            param(p, w, step->bias));
        break;
    case RG_STEP_AGGREGATE:
        aggregate_forward(p, step, k, w);
        break;
    case RG_STEP_NORM:
        norm_forward(p, step, k, w, draws != NULL);
        break;
    case RG_STEP_RELU:
    case RG_STEP_TANH:
        p->kernels->activation_forward(y, step->kind == RG_STEP_RELU ? RG_RELU : RG_TANH, n, x);
        break;
    case RG_STEP_DROPOUT:
        dropout_forward(p, step, k, draws);
        break;
    case RG_STEP_POOL:
        pool_forward(p, step, k);
        break;
    case RG_STEP_JOIN:
        join(p, step, false);
        break;
    case RG_STEP_ADD:
        add_all(p, step, false);
        break;
    case RG_STEP_RULE:
        rule_forward(p, step, w);
        break;
    case RG_STEP_SORT:
        rg_sort_pool(precision, y, (uint32_t *)(void *)(p->start + p->kept[k]), p->batch->first,
                     p->batch->n_graphs, (uint32_t)width_at(p, step->ins[0]), step->size, x);
        break;
    case RG_STEP_SLIDE:
        rg_convolve(precision, y, &shape, param(p, w, step->weights), param(p, w, step->bias), x);
        break;
    case RG_STEP_HALVE:
        rg_rows_largest(precision, y, &shape, x);
        break;
    }
}

/* Dropout: dx = dy mask, through the output's own slope, which nobody needs any more. */
static void dropout_back(rg_tape_pass *p, const rg_step *step, size_t k)
{
    size_t n = reals_at(p, step->out);
    void *dy = slope_at(p, step->out);
    p->kernels->multiply(dy, n, dy, p->start + p->kept[k]);
    p->layers->copy(slope_at(p, step->ins[0]), n, dy, step->add[0]);
}

static void back(rg_tape_pass *p, size_t k, const void *w, void *g)
{
    const rg_step *step = &p->tape->steps[k];
    rg_precision precision = p->layers->precision;
    rg_sequences shape = shape_of(p, step);
    void *dy = slope_at(p, step->out), *dx = step->n_ins ? slope_at(p, step->ins[0]) : NULL;
    void *x = step->n_ins ? value_at(p, step->ins[0]) : NULL;
    bool add = step->add[0];
    size_t n = reals_at(p, step->out);
    switch (step->kind) {
    case RG_STEP_INPUT:
        break;
    case RG_STEP_EMBED:
        embed_back(p, step, g);
        break;
    case RG_STEP_LINEAR:
        linear_back(p, step, w, g);
        break;
    case RG_STEP_BIAS:
        p->layers->gather(param(p, g, step->bias), rows_at(p, step->out),
                          (uint32_t)width_at(p, step->out), dy);
        if (dx && dx != dy)
            p->layers->copy(dx, n, dy, add);
        break;
    case RG_STEP_AGGREGATE:
        aggregate_back(p, step, k, w, g);
        break;
    case RG_STEP_NORM:
        norm_back(p, step, k, w, g);
        break;
    case RG_STEP_RELU:
        p->layers->relu_back(dx, n, value_at(p, step->out), dy, add);
        break;
    case RG_STEP_TANH:
        p->layers->tanh_back(dx, n, value_at(p, step->out), dy, add);
        break;
    case RG_STEP_DROPOUT:
        dropout_back(p, step, k);
        break;
    case RG_STEP_POOL:
        pool_back(p, step, k);
        break;
    case RG_STEP_JOIN:
        join(p, step, true);
        break;
    case RG_STEP_ADD:
        add_all(p, step, true);
        break;
    case RG_STEP_RULE:
        rule_back(p, step, w, g);
        break;
    case RG_STEP_SORT:
        rg_sort_pool_back(precision, dx, (const uint32_t *)(const void *)(p->start + p->kept[k]),
                          p->batch->first, p->batch->n_graphs, (uint32_t)width_at(p, step->ins[0]),
                          step->size, dy, add);
        break;
    case RG_STEP_SLIDE:
        rg_convolve_back(precision, param(p, g, step->weights), param(p, g, step->bias), dx, &shape,
                         param(p, w, step->weights), x, dy, add);
        break;
    case RG_STEP_HALVE:
        rg_rows_largest_back(precision, dx, &shape, x, dy, add);
        break;
    }
}

const void *rg_tape_forward(rg_tape_pass *p, const rg_batch *batch, void *w,
                            const rg_tape_draws *draws)
{
    p->batch = batch;
    if (p->tape->features->n_dense)
        fill_dense(p);
    for (size_t k = 0; k < p->tape->n_steps; k++)
        forward(p, k, w, draws);
    return value_at(p, (uint32_t)p->tape->n_values - 1);
}

void *rg_tape_slope(rg_tape_pass *p)
{
    return slope_at(p, (uint32_t)p->tape->n_values - 1);
}

void rg_tape_back(rg_tape_pass *p, const void *w, void *g)
{
    for (size_t k = p->tape->n_steps; k-- > 0;)
        if (p->tape->values[p->tape->steps[k].out].learned)
            back(p, k, w, g);
}
