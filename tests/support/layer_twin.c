/* layer_twin.c - test_network_outputs: every layer again, the slow way, with loops over nodes and a dense
 * adjacency matrix. */
#include "networks.h"
#include "rule_twin.h"

#include <math.h>
#include <string.h>

/* One sample on its way. */
typedef struct twin {
    const test_network *n;
    const double *w;
    size_t sample;
    size_t rows;                      /* of the input */
    double *joined;                   /* [node][node]: 1 or 0; graphs only */
    double *x[RG_NET_LAYERS_MAX + 1]; /* values */
} twin;

/* What a layer sees: its first input x, [rows][layer->n_in] as a rule. */
typedef struct at_layer {
    const twin *t;
    const rg_net_layer *layer;
    const rg_value *out;
    const double *x, *w; /* w: its own weights */
    size_t rows_in, rows_out;
} at_layer;

static size_t rows_of(const twin *t, uint32_t v)
{
    uint32_t rows = t->n->net->values[v].rows;
    return rows ? rows : t->rows;
}

static double joined(const twin *t, size_t i, size_t j)
{
    return t->joined[i * t->rows + j];
}

static double degree(const twin *t, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < t->rows; j++)
        sum += joined(t, i, j);
    return sum;
}

/* ---- activations */

static double activate(rg_activation kind, double x)
{
    switch (kind) {
    case RG_TANH:
        return tanh(x);
    case RG_RELU:
        return x > 0 ? x : 0;
    case RG_LEAKY_RELU:
        return x > 0 ? x : 0.01 * x;
    case RG_GELU:
        return x / 2 * (1 + tanh(sqrt(2 / 3.14159265358979323846) * (x + 0.044715 * x * x * x)));
    case RG_SIGMOID:
        return 1 / (1 + exp(-x));
    case RG_SOFTPLUS:
        return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
    case RG_ELU:
        return x > 0 ? x : expm1(x);
    case RG_SWISH:
        return x / (1 + exp(-x));
    default:
        return x;
    }
}

/* ---- rules */

/* Which weight a key has. */
static size_t place_of(const rg_rule_keys *keys, const int64_t *key)
{
    size_t width = rg_rule_keys_width(keys);
    for (size_t k = 0; k < rg_rule_keys_size(keys); k++)
        if (memcmp(rg_rule_keys_data(keys) + k * width, key, width * sizeof *key) == 0)
            return k;
    return SIZE_MAX;
}

/* y[row][out] += scale * what a rule, or a bias (x NULL), gives. */
static void add_rule(double *y, const twin *t, const rg_net_layer *layer, const rg_net_rule *rule,
                     const double *x, double scale)
{
    const test_network *n = t->n;
    uint32_t sample = (uint32_t)t->sample;
    rg_rule_input input = {.size = sizeof input,
                           .data = n->source.graphs,
                           .labels = n->samples->known,
                           .n_labels = n->samples->n_known,
                           .graphs = &sample,
                           .n_graphs = 1,
                           .in = layer->shape_in,
                           .out = layer->shape_out,
                           .n_outputs = layer->rows_out};
    rg_rule_values values;
    rg_samples_describe_values(&values, n->samples);
    input.values = &values;
    number_list pairs = rule_twin(rule->rule, &input);
    size_t width = rg_rule_keys_width(rule->keys), row = 0, n_in = layer->n_in;
    bool full = layer->full || n_in == 1;
    for (size_t at = 0; at < pairs.n; at++) {
        if (pairs.values[at] == ROW_END) {
            row++;
            continue;
        }
        size_t j = (size_t)pairs.values[at], id = place_of(rule->keys, pairs.values + at + 1);
        at += width;
        for (size_t o = 0; id != SIZE_MAX && o < layer->n_out; o++) {
            double *to = &y[row * layer->n_out + o];
            if (!x)
                *to += t->w[rule->at + id * layer->n_out + o];
            for (size_t c = 0; x && full && c < n_in; c++)
                *to +=
                    scale * t->w[rule->at + (id * n_in + c) * layer->n_out + o] * x[j * n_in + c];
            if (x && !full)
                *to += scale * t->w[rule->at + id * layer->n_out + o] * x[j * n_in + o];
        }
    }
    free(pairs.values);
}

/* How many pairs a row or a column has. */
static double pairs_of(const at_layer *a, size_t node, bool column)
{
    double n = 0;
    uint32_t sample = (uint32_t)a->t->sample;
    for (size_t r = 0; r < a->layer->n_rules; r++) {
        rg_rule_input input = {.size = sizeof input,
                               .data = a->t->n->source.graphs,
                               .labels = a->t->n->samples->known,
                               .n_labels = a->t->n->samples->n_known,
                               .graphs = &sample,
                               .n_graphs = 1};
        rg_rule_values values;
        rg_samples_describe_values(&values, a->t->n->samples);
        input.values = &values;
        number_list pairs = rule_twin(a->layer->rules[r].rule, &input);
        size_t width = rg_rule_keys_width(a->layer->rules[r].keys), row = 0;
        for (size_t at = 0; at < pairs.n; at++) {
            if (pairs.values[at] == ROW_END) {
                row++;
                continue;
            }
            n += (column ? (size_t)pairs.values[at] : row) == node;
            at += width;
        }
        free(pairs.values);
    }
    return n > 0 ? n : 1;
}

/* y = sums of x / sqrt(m), over sqrt(n); or over n. */
static void run_normalised(double *y, const at_layer *a)
{
    const rg_net_layer *layer = a->layer;
    bool both = layer->normalise == RG_NORMALISE_SYMMETRIC;
    double *x = malloc((a->rows_in * layer->n_in + 1) * sizeof *x);
    assert_non_null(x);
    for (size_t j = 0; j < a->rows_in; j++)
        for (size_t c = 0; c < layer->n_in; c++)
            x[j * layer->n_in + c] =
                a->x[j * layer->n_in + c] / (both ? sqrt(pairs_of(a, j, true)) : 1);
    for (size_t r = 0; r < layer->n_rules; r++)
        add_rule(y, a->t, layer, &layer->rules[r], x, 1);
    for (size_t i = 0; i < a->rows_out; i++)
        for (size_t o = 0; o < layer->n_out; o++)
            y[i * layer->n_out + o] /= both ? sqrt(pairs_of(a, i, false)) : pairs_of(a, i, false);
    if (layer->bias.rule)
        add_rule(y, a->t, layer, &layer->bias, NULL, 1);
    free(x);
}

static void run_rules(double *y, const at_layer *a)
{
    const rg_net_layer *layer = a->layer;
    if (layer->normalise) {
        run_normalised(y, a);
        return;
    }
    uint32_t nodes = rg_samples_nodes(a->t->n->samples, a->t->sample);
    bool whole = layer->kind->outputs;
    for (size_t r = 0; r < layer->n_rules; r++)
        add_rule(y, a->t, layer, &layer->rules[r], a->x,
                 whole && layer->mean && nodes ? 1.0 / nodes : 1);
    if (layer->bias.rule)
        add_rule(y, a->t, layer, &layer->bias, NULL, 1);
    for (size_t o = 0; whole && layer->bias.n_params && o < layer->rows_out; o++)
        y[o] += a->t->w[layer->bias.at + o];
}

/* ---- row by row */

static void run_copy(double *y, const at_layer *a)
{
    memcpy(y, a->x, a->rows_out * a->out->channels * sizeof *y);
}

static void run_dense(double *y, const at_layer *a)
{
    const rg_net_layer *layer = a->layer;
    for (size_t i = 0; i < a->rows_out; i++)
        for (size_t o = 0; o < layer->n_out; o++) {
            double *to = &y[i * layer->n_out + o];
            *to = layer->bias.n_params ? a->t->w[layer->bias.at + o] : 0;
            for (size_t c = 0; c < layer->n_in; c++)
                *to += a->w[c * layer->n_out + o] * a->x[i * layer->n_in + c];
        }
}

static void run_bias(double *y, const at_layer *a)
{
    for (size_t k = 0; k < a->rows_out * a->out->channels; k++)
        y[k] = a->x[k] + a->t->w[a->layer->bias.at + k % a->out->channels];
}

static void run_norm(double *y, const at_layer *a)
{
    size_t n = a->layer->n_in;
    for (size_t i = 0; i < a->rows_out; i++) {
        const double *x = a->x + i * n;
        double mean = 0, variance = 0;
        for (size_t c = 0; c < n; c++)
            mean += x[c] / (double)n;
        for (size_t c = 0; c < n; c++)
            variance += (x[c] - mean) * (x[c] - mean) / (double)n;
        for (size_t c = 0; c < n; c++)
            y[i * n + c] = (x[c] - mean) / sqrt(variance + 1e-5) * a->w[c] + a->w[n + c];
    }
}

static void run_batch_norm(double *y, const at_layer *a)
{
    size_t n = a->layer->n_in;
    const double *mean = a->t->w + a->layer->state, *variance = mean + n;
    for (size_t k = 0; k < a->rows_out * n; k++) {
        size_t c = k % n;
        y[k] = (a->x[k] - mean[c]) / sqrt(variance[c] + 1e-5) * a->w[c] + a->w[n + c];
    }
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_sort_channels(double *y, const at_layer *a)
{
    size_t n = a->out->channels;
    run_copy(y, a);
    for (size_t i = 0; i < a->rows_out; i++)
        qsort(y + i * n, n, sizeof *y, ascending);
}

/* ---- several values */

static void run_concat(double *y, const at_layer *a)
{
    for (size_t i = 0; i < a->rows_out; i++)
        for (uint32_t k = 0; k < a->layer->n_ins; k++) {
            uint32_t v = a->layer->ins[k], n = a->t->n->net->values[v].channels;
            memcpy(y, a->t->x[v] + i * n, n * sizeof *y);
            y += n;
        }
}

static void run_add(double *y, const at_layer *a)
{
    for (uint32_t k = 0; k < a->layer->n_ins; k++)
        for (size_t i = 0; i < a->rows_out * a->out->channels; i++)
            y[i] += a->t->x[a->layer->ins[k]][i];
}

/* ---- nodes and their neighbours */

/* Words of the layer `message`. */
enum { SUM, MEAN, GCN, MAX };

/* What node j gives to node i, before anything is divided. */
static double weight_of_pair(const at_layer *a, size_t i, size_t j)
{
    bool self = a->layer->own[1] != 0;
    double eps = a->layer->weight_rows ? a->w[0] : a->layer->own[2];
    return i == j ? (self ? 1 + eps : 0) : joined(a->t, i, j);
}

static double largest_of(const at_layer *a, size_t i, size_t c)
{
    double most = -INFINITY;
    for (size_t j = 0; j < a->rows_in; j++)
        if (weight_of_pair(a, i, j) != 0)
            most = fmax(most, a->x[j * a->layer->n_in + c]);
    return isinf(most) ? 0 : most;
}

static void run_message(double *y, const at_layer *a)
{
    size_t width = a->layer->n_in, way = (size_t)a->layer->own[0];
    for (size_t i = 0; i < a->rows_out; i++)
        for (size_t c = 0; c < width; c++) {
            double sum = 0, n = 0;
            for (size_t j = 0; j < a->rows_in; j++) {
                double weight = weight_of_pair(a, i, j);
                n += weight;
                if (way == GCN)
                    weight /= sqrt((degree(a->t, i) + 1) * (degree(a->t, j) + 1));
                sum += weight * a->x[j * width + c];
            }
            y[i * width + c] = way == MAX                ? largest_of(a, i, c)
                               : way == MEAN && n != 0.0 ? sum / n
                                                         : sum;
        }
}

/* Attribute c of the edge (i,j), as the network takes it. */
static double edge_number(const at_layer *a, size_t i, size_t j, size_t c)
{
    const rg_dataset *data = a->t->n->source.graphs;
    const rg_network *net = a->t->n->net;
    rg_graph g = rg_dataset_graph(data, a->t->sample);
    uint64_t arc = g.row[i];
    while (g.col[arc] != j)
        arc++;
    double x = rg_dataset_reals(data, RG_EDGE_ATTRIBUTE)[arc * net->n_edge_channels + c];
    return (x - net->edge_shift[c]) * net->edge_factor[c];
}

static void run_edges(double *y, const at_layer *a)
{
    size_t width = a->layer->n_in, n = a->layer->size;
    for (size_t i = 0; i < a->rows_out; i++)
        for (size_t c = 0; c < width; c++) {
            y[i * width + c] = (1 + a->layer->own[0]) * a->x[i * width + c];
            for (size_t j = 0; j < a->rows_in; j++) {
                if (joined(a->t, i, j) == 0)
                    continue;
                double sum = a->x[j * width + c] + a->t->w[a->layer->bias.at + c];
                for (size_t k = 0; k < n; k++)
                    sum += edge_number(a, i, j, k) * a->w[k * width + c];
                y[i * width + c] += fmax(sum, 0);
            }
        }
}

/* exp(leak(u . x[j] + v . x[i])) of one head; u of the neighbour, v of the node itself. */
static double attention_of(const at_layer *a, size_t i, size_t j, size_t head, size_t width)
{
    size_t n = a->layer->n_in, at = head * width;
    double sum = 0;
    for (size_t c = at; c < at + width; c++)
        sum += a->w[c] * a->x[j * n + c] + a->w[n + c] * a->x[i * n + c];
    return exp(sum > 0 ? sum : 0.2 * sum);
}

static void run_attention(double *y, const at_layer *a)
{
    size_t n = a->layer->n_in, heads = (size_t)a->layer->own[0], width = n / heads;
    for (size_t i = 0; i < a->rows_out; i++)
        for (size_t h = 0; h < heads; h++) {
            double all = 0;
            for (size_t j = 0; j < a->rows_in; j++)
                if (i == j || joined(a->t, i, j) != 0)
                    all += attention_of(a, i, j, h, width);
            for (size_t j = 0; j < a->rows_in; j++)
                for (size_t c = h * width; c < (h + 1) * width; c++)
                    if (i == j || joined(a->t, i, j) != 0)
                        y[i * n + c] += attention_of(a, i, j, h, width) / all * a->x[j * n + c];
        }
}

/* ---- from nodes to a graph */

static void run_pool(double *y, const at_layer *a)
{
    enum { BY_SUM = 1, BY_MEAN = 2 };
    size_t width = a->layer->n_in, way = (size_t)a->layer->own[0];
    for (size_t c = 0; c < width; c++) {
        double sum = 0, most = -INFINITY, n = (double)a->rows_in;
        for (size_t i = 0; i < a->rows_in; i++) {
            sum += a->x[i * width + c];
            most = fmax(most, a->x[i * width + c]);
        }
        y[c] = n == 0 ? 0 : way == BY_SUM ? sum : way == BY_MEAN ? sum / n : most;
    }
}

/* Does row a come before row b: larger in the last channel in which they differ? */
static bool is_before(const double *a, const double *b, size_t width)
{
    size_t c = width;
    while (c > 0 && a[c - 1] == b[c - 1])
        c--;
    return c > 0 && a[c - 1] > b[c - 1];
}

static void run_sort_pool(double *y, const at_layer *a)
{
    size_t width = a->layer->n_in;
    for (size_t i = 0; i < a->rows_in; i++) {
        size_t place = 0;
        for (size_t j = 0; j < a->rows_in; j++) {
            const double *mine = a->x + i * width, *other = a->x + j * width;
            place += is_before(other, mine, width) || (j < i && !is_before(mine, other, width));
        }
        if (place < a->rows_out)
            memcpy(y + place * width, a->x + i * width, width * sizeof *y);
    }
}

/* ---- sequences of rows */

static void run_conv1d(double *y, const at_layer *a)
{
    size_t n_in = a->layer->n_in, n_out = a->layer->n_out, size = (size_t)a->layer->own[0],
           stride = (size_t)a->layer->own[1];
    assert_int_equal(a->rows_out, (a->rows_in - size) / stride + 1);
    for (size_t t = 0; t < a->rows_out; t++)
        for (size_t o = 0; o < n_out; o++) {
            double sum = a->t->w[a->layer->bias.at + o];
            for (size_t s = 0; s < size; s++)
                for (size_t c = 0; c < n_in; c++)
                    sum += a->w[(s * n_in + c) * n_out + o] * a->x[(t * stride + s) * n_in + c];
            y[t * n_out + o] = sum;
        }
}

static void run_max_pool(double *y, const at_layer *a)
{
    size_t n = a->layer->n_in, size = (size_t)a->layer->own[0];
    assert_int_equal(a->rows_out, a->rows_in / size);
    for (size_t k = 0; k < a->rows_out * n; k++) {
        y[k] = -INFINITY;
        for (size_t s = 0; s < size; s++)
            y[k] = fmax(y[k], a->x[(k / n * size + s) * n + k % n]);
    }
}

/* Every input place, asked into which window it falls. */
static void run_window(double *y, const at_layer *a)
{
    rg_rule_shape in = a->t->n->net->values[a->layer->ins[0]].shape, out = a->out->shape;
    size_t n = a->layer->n_in, size = (size_t)a->layer->own[1], deep = in.depth ? in.depth : 1,
           planes = out.depth ? out.depth : 1, n_seen = 0;
    bool max = a->layer->own[0] == 0, *seen = calloc(a->rows_out * n, sizeof *seen);
    assert_non_null(seen);
    for (size_t k = 0; k < a->rows_in * n; k++) {
        size_t at = k / n, col = at % in.cols, row = at / in.cols % in.rows,
               plane = at / in.cols / in.rows, depth = plane % deep, channel = plane / deep;
        size_t to_col = in.cols > 1 ? col / size : 0, to_row = in.rows > 1 ? row / size : 0,
               to_depth = deep > 1 ? depth / size : 0;
        if (to_col >= out.cols || to_row >= out.rows || to_depth >= planes)
            continue;
        size_t to =
            (((channel * planes + to_depth) * out.rows + to_row) * out.cols + to_col) * n + k % n;
        int axes = (in.rows > 1) + (in.cols > 1) + (deep > 1);
        size_t places = 1;
        while (axes--)
            places *= size;
        y[to] = !max        ? y[to] + a->x[k] / (double)places
                : !seen[to] ? a->x[k]
                            : fmax(y[to], a->x[k]);
        n_seen += !seen[to];
        seen[to] = true;
    }
    assert_int_equal(n_seen, a->rows_out * n);
    free(seen);
}

/* ---- all of them */

static const struct {
    const rg_layer_kind *kind;
    void (*run)(double *y, const at_layer *a); /* y: zeros */
} layers[] = {
    {&rg_layer_rule, run_rules},          {&rg_layer_aggregate, run_rules},
    {&rg_layer_dense, run_dense},         {&rg_layer_dropout, run_copy},
    {&rg_layer_norm, run_norm},           {&rg_layer_batch_norm, run_batch_norm},
    {&rg_layer_activation, run_copy},     {&rg_layer_bias, run_bias},
    {&rg_layer_concat, run_concat},       {&rg_layer_add, run_add},
    {&rg_layer_message, run_message},     {&rg_layer_attention, run_attention},
    {&rg_layer_pool, run_pool},           {&rg_layer_sort_channels, run_sort_channels},
    {&rg_layer_sort_pool, run_sort_pool}, {&rg_layer_conv1d, run_conv1d},
    {&rg_layer_max_pool, run_max_pool},   {&rg_layer_window, run_window},
    {&rg_layer_each, run_copy},           {&rg_layer_edges, run_edges},
};

static void run(double *y, const at_layer *a)
{
    for (size_t k = 0; k < sizeof layers / sizeof *layers; k++)
        if (layers[k].kind == a->layer->kind) {
            layers[k].run(y, a);
            return;
        }
    fail_msg("the layer '%s' has no slow twin", a->layer->kind->name);
}

static double *run_layer(const twin *t, size_t k)
{
    const rg_network *net = t->n->net;
    const rg_net_layer *layer = &net->layers[k];
    at_layer a = {.t = t,
                  .layer = layer,
                  .out = &net->values[k + 1],
                  .x = t->x[layer->ins[0]],
                  .w = t->w + layer->weights,
                  .rows_in = rows_of(t, layer->ins[0]),
                  .rows_out = rows_of(t, (uint32_t)k + 1)};
    size_t size = a.rows_out * a.out->channels;
    double *y = calloc(size + 1, sizeof *y);
    assert_non_null(y);
    run(y, &a);
    for (size_t v = 0; v < size; v++)
        y[v] = activate(layer->activation, y[v]) +
               (layer->skip == RG_NO_INDEX ? 0 : t->x[layer->skip][v]);
    return y;
}

static double *adjacency(const rg_dataset *data, size_t sample)
{
    rg_graph g = rg_dataset_graph(data, sample);
    double *out = calloc((size_t)g.n_nodes * g.n_nodes + 1, sizeof *out);
    assert_non_null(out);
    for (uint32_t i = 0; i < g.n_nodes; i++)
        for (uint64_t k = g.row[i]; k < g.row[i + 1]; k++)
            out[(size_t)i * g.n_nodes + g.col[k]] = 1;
    return out;
}

double *test_network_outputs(size_t *size, const test_network *n, const double *w, size_t sample)
{
    size_t last = n->net->n_layers;
    twin t = {.n = n, .w = w, .sample = sample, .rows = rg_samples_rows(n->samples, sample)};
    t.joined = n->source.graphs ? adjacency(n->source.graphs, sample) : NULL;
    t.x[0] = calloc(t.rows * n->net->n_channels + 1, sizeof *t.x[0]);
    assert_non_null(t.x[0]);
    rg_samples_input(n->samples, sample, t.x[0]);
    for (size_t k = 0; k < last; k++)
        t.x[k + 1] = run_layer(&t, k);
    *size = rows_of(&t, (uint32_t)last) * n->net->values[last].channels;
    for (size_t v = 0; v < last; v++)
        free(t.x[v]);
    free(t.joined);
    return t.x[last];
}
