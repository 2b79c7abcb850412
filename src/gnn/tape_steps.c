/* tape_steps.c - each step of a tape on a batch, forward and back; formulas in loops.h. */
#include "tape_pass.h"

#include <string.h>

/* ---- features */

void rg_step_features(rg_tape_pass *p)
{
    const rg_features *f = p->tape->features;
    const rg_rows *rows = &p->batch->rows[0];
    for (uint32_t r = 0; r < rows->n; r++) {
        size_t node = (size_t)p->batch->id[rows->node[r]];
        const double *from = f->dense + node * f->n_dense;
        for (uint32_t k = 0; k < f->n_hot; k++)
            p->hot[(size_t)r * f->n_hot + k] = f->hot[node * f->n_hot + k];
        for (uint32_t c = 0; c < f->n_dense; c++)
            rg_real_put(p->layers->precision, p->dense, (size_t)r * f->n_dense + c, from[c]);
    }
}

static void input_forward(rg_tape_pass *p, const rg_step *step)
{
    const rg_features *f = p->tape->features;
    size_t n = rg_rows_at(p, step->out);
    const uint32_t *hot = p->hot;
    char *y = rg_value_at(p, step->out);
    memset(y, 0, rg_reals_at(p, step->out) * p->real);
    for (size_t r = 0; r < n; r++, hot += f->n_hot) {
        for (uint32_t k = 0; k < f->n_hot; k++)
            if (hot[k] != RG_NO_COLUMN)
                rg_real_put(p->layers->precision, y, r * f->width + hot[k], 1);
        memcpy(rg_real_place(p, y, r * f->width + f->n_sparse),
               rg_real_place(p, p->dense, r * f->n_dense), f->n_dense * p->real);
    }
}

static void embed_forward(rg_tape_pass *p, const rg_step *step, const void *w)
{
    const rg_features *f = p->tape->features;
    size_t n = rg_rows_at(p, step->out);
    uint32_t width = (uint32_t)rg_width_at(p, step->out);
    char *y = rg_value_at(p, step->out);
    const char *weights = rg_param_at(p, w, step->weights);
    rg_gemm_shape shape = {
        .m = n, .n = width, .k = f->n_dense, .lda = f->n_dense, .ldb = width, .ldc = width};
    p->layers->choose(y, n, f->n_hot, width, p->hot, weights);
    if (f->n_dense)
        rg_gemm(p->layers->precision, &shape, 1, y, p->dense,
                rg_real_place(p, weights, (size_t)f->n_sparse * width));
    if (step->bias != RG_NOWHERE)
        p->layers->add_bias(y, n, width, rg_param_at(p, w, step->bias));
}

static void embed_back(rg_tape_pass *p, const rg_step *step, void *g)
{
    const rg_features *f = p->tape->features;
    size_t n = rg_rows_at(p, step->out);
    uint32_t width = (uint32_t)rg_width_at(p, step->out);
    const char *dy = rg_gradient_at(p, step->out);
    char *dw = rg_param_at(p, g, step->weights);
    rg_gemm_shape shape = {.m = f->n_dense,
                           .n = width,
                           .k = n,
                           .a_transposed = true,
                           .lda = f->n_dense,
                           .ldb = width,
                           .ldc = width};
    p->layers->choose_back(dw, n, f->n_hot, width, p->hot, dy);
    if (f->n_dense)
        rg_gemm(p->layers->precision, &shape, 1, rg_real_place(p, dw, (size_t)f->n_sparse * width),
                p->dense, dy);
    if (step->bias != RG_NOWHERE)
        p->layers->gather(rg_param_at(p, g, step->bias), n, width, dy);
}

/* ---- linear */

static rg_gemm_shape linear_shape(const rg_tape_pass *p, const rg_step *step)
{
    size_t n_in = rg_width_at(p, step->ins[0]) / step->groups;
    size_t n_out = rg_width_at(p, step->out) / step->groups;
    return (rg_gemm_shape){.m = rg_rows_at(p, step->out) * step->groups,
                           .n = n_out,
                           .k = n_in,
                           .lda = n_in,
                           .ldb = n_out,
                           .ldc = n_out};
}

static void linear_forward(rg_tape_pass *p, const rg_step *step, const void *w)
{
    rg_gemm_shape s = linear_shape(p, step);
    void *y = rg_value_at(p, step->out), *x = rg_value_at(p, step->ins[0]);
    const void *weights = rg_param_at(p, w, step->weights);
    bool bias = step->bias != RG_NOWHERE;
    if (bias)
        p->layers->spread(y, s.m, (uint32_t)s.n, rg_param_at(p, w, step->bias));
    if (rg_step_is_narrow(s.n * s.k))
        p->layers->product(y, s.m, s.n, s.k, x, s.k, 1, weights, bias);
    else
        rg_gemm(p->layers->precision, &s, bias ? 1 : 0, y, x, weights);
}

/* dx = or += dy w, w transposed. */
static void linear_input(rg_tape_pass *p, const rg_step *step, const void *weights)
{
    rg_gemm_shape f = linear_shape(p, step); /* of the way forward: rows m, from k to n channels */
    rg_gemm_shape s = {.m = f.m,
                       .n = f.k,
                       .k = f.n,
                       .b_transposed = true,
                       .lda = f.ldc,
                       .ldb = f.ldb,
                       .ldc = f.lda};
    void *dx = rg_gradient_at(p, step->ins[0]), *dy = rg_gradient_at(p, step->out);
    if (!rg_step_is_narrow(f.n * f.k)) {
        rg_gemm(p->layers->precision, &s, step->add[0] ? 1 : 0, dx, dy, weights);
        return;
    }
    p->layers->turn(p->transposed, f.k, f.n, weights);
    p->layers->product(dx, f.m, f.k, f.n, dy, f.n, 1, p->transposed, step->add[0]);
}

static void linear_back(rg_tape_pass *p, const rg_step *step, const void *w, void *g)
{
    rg_gemm_shape f = linear_shape(p, step);
    rg_gemm_shape s = {.m = f.k,
                       .n = f.n,
                       .k = f.m,
                       .a_transposed = true,
                       .lda = f.lda,
                       .ldb = f.ldc,
                       .ldc = f.ldb};
    void *dy = rg_gradient_at(p, step->out), *x = rg_value_at(p, step->ins[0]);
    void *dw = rg_param_at(p, g, step->weights);
    if (rg_step_is_narrow(f.n * f.k))
        p->layers->product(dw, f.k, f.n, f.m, x, 1, f.k, dy, true);
    else
        rg_gemm(p->layers->precision, &s, 1, dw, x, dy);
    if (rg_gradient_at(p, step->ins[0]))
        linear_input(p, step, rg_param_at(p, w, step->weights));
    if (step->bias != RG_NOWHERE)
        p->layers->gather(rg_param_at(p, g, step->bias), f.m, (uint32_t)f.n, dy);
}

/* ---- from node to node */

static double self_of(const rg_tape_pass *p, const rg_step *step, const void *w)
{
    return step->weights == RG_NOWHERE
               ? step->self
               : step->self + rg_real_at(p->layers->precision, w, step->weights);
}

/* Factors of what rows get, and of what rows of the round before give. */
static const void *left_of(const rg_tape_pass *p, const rg_step *step)
{
    const rg_rows *rows = rg_nodes_at(p, step->out);
    if (step->gathering == RG_GATHER_MEAN)
        return step->self > 0 ? rows->inverse : rows->near;
    return step->gathering == RG_GATHER_GCN ? rows->root : NULL;
}

static const void *right_of(const rg_tape_pass *p, const rg_step *step)
{
    return step->gathering == RG_GATHER_GCN ? rg_nodes_at(p, step->ins[0])->root : NULL;
}

static void aggregate_forward(rg_tape_pass *p, const rg_step *step, size_t k, const void *w)
{
    const rg_rows *rows = rg_nodes_at(p, step->out);
    uint32_t width = (uint32_t)rg_width_at(p, step->out);
    void *y = rg_value_at(p, step->out);
    const void *x = rg_value_at(p, step->ins[0]);
    if (step->gathering == RG_GATHER_MAX)
        p->layers->largest(y, rg_kept_at(p, k), rows, width, step->self > 0, x);
    else
        p->layers->aggregate(y, rows, width, self_of(p, step, w), left_of(p, step),
                             right_of(p, step), x);
}

/* The gradient of eps: what every row had of its own. */
static void eps_back(rg_tape_pass *p, const rg_step *step, void *g)
{
    const rg_rows *rows = rg_nodes_at(p, step->out);
    size_t width = rg_width_at(p, step->out);
    const char *dy = rg_gradient_at(p, step->out), *x = rg_value_at(p, step->ins[0]);
    double gradient = rg_real_at(p->layers->precision, g, step->weights);
    for (size_t r = 0; r < rows->n; r++)
        gradient += p->layers->dot(width, rg_real_place(p, dy, r * width),
                                   rg_real_place(p, x, rows->own[r] * width));
    rg_real_put(p->layers->precision, g, step->weights, gradient);
}

static void aggregate_back(rg_tape_pass *p, const rg_step *step, size_t k, const void *w, void *g)
{
    const rg_rows *rows = rg_nodes_at(p, step->out);
    uint32_t width = (uint32_t)rg_width_at(p, step->out);
    size_t before = rg_rows_at(p, step->ins[0]);
    void *dx = rg_gradient_at(p, step->ins[0]);
    const void *dy = rg_gradient_at(p, step->out);
    if (step->weights != RG_NOWHERE)
        eps_back(p, step, g);
    if (!dx)
        return;
    if (step->gathering == RG_GATHER_MAX)
        p->layers->largest_back(dx, before, rg_kept_at(p, k), rows, width, dy, step->add[0]);
    else
        p->layers->aggregate_back(dx, before, rows, width, self_of(p, step, w), left_of(p, step),
                                  right_of(p, step), dy, step->add[0]);
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
    *channels = (rg_channels){.n_in = (uint32_t)rg_width_at(p, step->ins[0]),
                              .n_out = (uint32_t)rg_width_at(p, step->out),
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
        p->kernels->rule_forward(
            rg_real_place(p, rg_value_at(p, step->out), first * channels.n_out), &links, &channels,
            rg_param_at(p, w, step->weights), rg_param_at(p, w, step->bias),
            rg_real_place(p, rg_value_at(p, step->ins[0]), first * channels.n_in));
    }
}

static void rule_back(rg_tape_pass *p, const rg_step *step, const void *w, void *grad)
{
    rg_links links;
    rg_channels channels;
    char *dx = rg_gradient_at(p, step->ins[0]);
    if (dx && !step->add[0])
        memset(dx, 0, rg_reals_at(p, step->ins[0]) * p->real);
    for (uint32_t g = 0; g < p->batch->n_graphs; g++) {
        size_t first = p->batch->first[g];
        open_rule(p, step, g, &links, &channels);
        p->kernels->rule_backward(
            rg_param_at(p, grad, step->weights), rg_param_at(p, grad, step->bias),
            dx ? rg_real_place(p, dx, first * channels.n_in) : NULL, &links, &channels,
            rg_param_at(p, w, step->weights),
            rg_real_place(p, rg_value_at(p, step->ins[0]), first * channels.n_in),
            rg_real_place(p, rg_gradient_at(p, step->out), first * channels.n_out));
    }
}

/* ---- norm, dropout, pooling, many to one */

/* How many nodes each row of a value stands for; NULL: it is one of graphs. */
static const uint32_t *count_at(const rg_tape_pass *p, uint32_t v)
{
    return p->tape->values[v].graphs ? NULL : rg_nodes_at(p, v)->count;
}

static void norm_forward(rg_tape_pass *p, const rg_step *step, size_t k, void *w, bool training)
{
    size_t n = rg_rows_at(p, step->out);
    uint32_t width = (uint32_t)rg_width_at(p, step->out);
    char *mean = rg_kept_at(p, k), *scale = rg_real_place(p, mean, width);
    void *y = rg_value_at(p, step->out), *x = rg_value_at(p, step->ins[0]);
    void *gain = rg_param_at(p, w, step->weights), *shift = rg_param_at(p, w, step->bias);
    void *running = rg_param_at(p, w, p->tape->n_params + step->state);
    if (training)
        p->layers->norm(y, mean, scale, running, p->sums, n, count_at(p, step->out), width, gain,
                        shift, x, true);
    else
        p->layers->norm_fixed(y, mean, scale, running, n, width, gain, shift, x, true);
}

static void norm_back(rg_tape_pass *p, const rg_step *step, size_t k, const void *w, void *g)
{
    uint32_t width = (uint32_t)rg_width_at(p, step->out);
    char *mean = rg_kept_at(p, k);
    p->layers->norm_back(rg_gradient_at(p, step->ins[0]), rg_param_at(p, g, step->weights),
                         rg_param_at(p, g, step->bias), p->sums, rg_rows_at(p, step->out),
                         count_at(p, step->out), width, rg_param_at(p, w, step->weights), mean,
                         rg_real_place(p, mean, width), rg_value_at(p, step->ins[0]),
                         rg_value_at(p, step->out), rg_gradient_at(p, step->out), true);
}

/* Draws go by the number of the sample, or of the node inside the set. */
static void dropout_forward(rg_tape_pass *p, const rg_step *step, size_t k,
                            const rg_tape_draws *draws)
{
    const rg_batch *b = p->batch;
    size_t width = rg_width_at(p, step->out);
    char *y = rg_value_at(p, step->out), *mask = rg_kept_at(p, k);
    const char *x = rg_value_at(p, step->ins[0]);
    bool graphs = p->tape->values[step->out].graphs;
    if (!draws) {
        memcpy(y, x, rg_reals_at(p, step->out) * p->real);
        return;
    }
    for (uint32_t g = 0; g < b->n_graphs; g++) {
        uint64_t first = (graphs ? b->sample[g] : b->node[g]) * (uint64_t)width;
        size_t at = (graphs ? g : b->first[g]) * width;
        size_t n = (graphs ? 1 : b->first[g + 1] - b->first[g]) * width;
        p->kernels->dropout_forward(rg_real_place(p, y, at), rg_real_place(p, mask, at), n,
                                    step->dropout, &draws->seed, draws->stream + k, first,
                                    rg_real_place(p, x, at));
    }
}

static void pool_forward(rg_tape_pass *p, const rg_step *step, size_t k)
{
    const rg_rows *rows = rg_nodes_at(p, step->ins[0]);
    uint32_t width = (uint32_t)rg_width_at(p, step->out);
    void *y = rg_value_at(p, step->out), *x = rg_value_at(p, step->ins[0]);
    if (step->pooling == RG_POOL_MAX)
        p->layers->pool_largest(y, rg_kept_at(p, k), p->batch, rows, width, x);
    else
        p->layers->pool(y, p->batch, rows, width, step->pooling == RG_POOL_MEAN, x);
}

static void pool_back(rg_tape_pass *p, const rg_step *step, size_t k)
{
    const rg_rows *rows = rg_nodes_at(p, step->ins[0]);
    uint32_t width = (uint32_t)rg_width_at(p, step->out);
    void *dx = rg_gradient_at(p, step->ins[0]), *dy = rg_gradient_at(p, step->out);
    if (step->pooling == RG_POOL_MAX)
        p->layers->pool_largest_back(dx, rg_kept_at(p, k), p->batch, rows, width, dy, step->add[0]);
    else
        p->layers->pool_back(dx, p->batch, rows, width, step->pooling == RG_POOL_MEAN, dy,
                             step->add[0]);
}

/* Does input k of a step have other rows than its output? */
static bool is_earlier(const rg_tape_pass *p, const rg_step *step, uint32_t k)
{
    const rg_value *in = &p->tape->values[step->ins[k]], *out = &p->tape->values[step->out];
    return !out->graphs && in->round != out->round;
}

/* Row of input k that row r of the output is made of. */
static size_t earlier(const rg_tape_pass *p, const rg_step *step, uint32_t k, size_t r)
{
    return is_earlier(p, step, k)
               ? rg_nodes_at(p, step->ins[k])->of[rg_nodes_at(p, step->out)->node[r]]
               : r;
}

static void join_forward(rg_tape_pass *p, const rg_step *step)
{
    size_t width = rg_width_at(p, step->out), n = rg_rows_at(p, step->out), first = 0;
    char *out = rg_value_at(p, step->out);
    for (uint32_t k = 0; k < step->n_ins; k++) {
        size_t part = rg_width_at(p, step->ins[k]);
        const char *in = rg_value_at(p, step->ins[k]);
        for (size_t r = 0; r < n; r++)
            memcpy(rg_real_place(p, out, r * width + first),
                   rg_real_place(p, in, earlier(p, step, k, r) * part), part * p->real);
        first += part;
    }
}

static void join_back(rg_tape_pass *p, const rg_step *step)
{
    size_t width = rg_width_at(p, step->out), n = rg_rows_at(p, step->out), first = 0;
    const char *out = rg_gradient_at(p, step->out);
    for (uint32_t k = 0; k < step->n_ins; k++) {
        size_t part = rg_width_at(p, step->ins[k]);
        char *in = rg_gradient_at(p, step->ins[k]);
        bool many = is_earlier(p, step, k); /* rows of the output share one of the input */
        if (in && many && !step->add[k])
            memset(in, 0, rg_reals_at(p, step->ins[k]) * p->real);
        for (size_t r = 0; in && r < n; r++)
            p->layers->copy(rg_real_place(p, in, earlier(p, step, k, r) * part), part,
                            rg_real_place(p, out, r * width + first), many || step->add[k]);
        first += part;
    }
}

static void add_forward(rg_tape_pass *p, const rg_step *step)
{
    void *y = rg_value_at(p, step->out);
    for (uint32_t k = 0; k < step->n_ins; k++)
        if (is_earlier(p, step, k))
            p->layers->lift(y, rg_nodes_at(p, step->out), rg_nodes_at(p, step->ins[k]),
                            (uint32_t)rg_width_at(p, step->out), rg_value_at(p, step->ins[k]),
                            k > 0);
        else
            p->layers->copy(y, rg_reals_at(p, step->out), rg_value_at(p, step->ins[k]), k > 0);
}

static void add_back(rg_tape_pass *p, const rg_step *step)
{
    const void *dy = rg_gradient_at(p, step->out);
    for (uint32_t k = 0; k < step->n_ins; k++) {
        void *dx = rg_gradient_at(p, step->ins[k]);
        if (dx && is_earlier(p, step, k))
            p->layers->lift_back(dx, rg_nodes_at(p, step->out), rg_nodes_at(p, step->ins[k]),
                                 (uint32_t)rg_width_at(p, step->out), dy, step->add[k]);
        else if (dx)
            p->layers->copy(dx, rg_reals_at(p, step->out), dy, step->add[k]);
    }
}

static rg_sequences shape_of(const rg_tape_pass *p, const rg_step *step)
{
    rg_sequences shape = step->shape;
    shape.n = p->batch->n_graphs;
    return shape;
}

/* ---- all of it */

void rg_step_forward(rg_tape_pass *p, size_t k, void *w, const rg_tape_draws *draws)
{
    const rg_step *step = &p->tape->steps[k];
    rg_precision precision = p->layers->precision;
    rg_sequences shape = shape_of(p, step);
    void *y = rg_value_at(p, step->out), *x = step->n_ins ? rg_value_at(p, step->ins[0]) : NULL;
    size_t n = rg_reals_at(p, step->out);
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
        p->layers->add_bias(y, rg_rows_at(p, step->out), (uint32_t)rg_width_at(p, step->out),
                            rg_param_at(p, w, step->bias));
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
        join_forward(p, step);
        break;
    case RG_STEP_ADD:
        add_forward(p, step);
        break;
    case RG_STEP_SORT_CHANNELS:
        p->layers->sort_channels(y, rg_kept_at(p, k), rg_rows_at(p, step->out),
                                 (uint32_t)rg_width_at(p, step->out), x);
        break;
    case RG_STEP_RULE:
        rule_forward(p, step, w);
        break;
    case RG_STEP_SORT_POOL:
        rg_sort_pool(precision, y, rg_kept_at(p, k), p->batch->first,
                     rg_nodes_at(p, step->ins[0])->of, p->batch->n_graphs,
                     (uint32_t)rg_width_at(p, step->ins[0]), step->size, x);
        break;
    case RG_STEP_CONV1D:
        rg_convolve(precision, y, rg_kept_at(p, k), &shape, rg_param_at(p, w, step->weights),
                    rg_param_at(p, w, step->bias), x);
        break;
    case RG_STEP_MAX_POOL:
        rg_rows_largest(precision, y, &shape, x);
        break;
    }
}

/* Dropout: dx = dy mask, through the output's own gradient, which nobody needs any more. */
static void dropout_back(rg_tape_pass *p, const rg_step *step, size_t k)
{
    size_t n = rg_reals_at(p, step->out);
    void *dy = rg_gradient_at(p, step->out);
    p->kernels->multiply(dy, n, dy, rg_kept_at(p, k));
    p->layers->copy(rg_gradient_at(p, step->ins[0]), n, dy, step->add[0]);
}

void rg_step_back(rg_tape_pass *p, size_t k, const void *w, void *g)
{
    const rg_step *step = &p->tape->steps[k];
    rg_precision precision = p->layers->precision;
    rg_sequences shape = shape_of(p, step);
    void *dy = rg_gradient_at(p, step->out),
         *dx = step->n_ins ? rg_gradient_at(p, step->ins[0]) : NULL;
    void *x = step->n_ins ? rg_value_at(p, step->ins[0]) : NULL;
    bool add = step->add[0];
    size_t n = rg_reals_at(p, step->out);
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
        p->layers->gather(rg_param_at(p, g, step->bias), rg_rows_at(p, step->out),
                          (uint32_t)rg_width_at(p, step->out), dy);
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
        p->layers->relu_back(dx, n, rg_value_at(p, step->out), dy, add);
        break;
    case RG_STEP_TANH:
        p->layers->tanh_back(dx, n, rg_value_at(p, step->out), dy, add);
        break;
    case RG_STEP_DROPOUT:
        dropout_back(p, step, k);
        break;
    case RG_STEP_POOL:
        pool_back(p, step, k);
        break;
    case RG_STEP_JOIN:
        join_back(p, step);
        break;
    case RG_STEP_ADD:
        add_back(p, step);
        break;
    case RG_STEP_SORT_CHANNELS:
        p->layers->sort_channels_back(dx, rg_kept_at(p, k), rg_rows_at(p, step->out),
                                      (uint32_t)rg_width_at(p, step->out), dy, add);
        break;
    case RG_STEP_RULE:
        rule_back(p, step, w, g);
        break;
    case RG_STEP_SORT_POOL:
        rg_sort_pool_back(precision, dx, rg_rows_at(p, step->ins[0]), rg_kept_at(p, k),
                          p->batch->n_graphs, (uint32_t)rg_width_at(p, step->ins[0]), step->size,
                          dy, add);
        break;
    case RG_STEP_CONV1D:
        rg_convolve_back(precision, rg_param_at(p, g, step->weights), rg_param_at(p, g, step->bias),
                         dx, rg_kept_at(p, k), &shape, rg_param_at(p, w, step->weights), x, dy,
                         add);
        break;
    case RG_STEP_MAX_POOL:
        rg_rows_largest_back(precision, dx, &shape, x, dy, add);
        break;
    }
}
