/* parity.c - see parity.h.
 *
 *   convolution  out_i = tanh(b[l(i)] + sum over j with d(i,j) in D of W[(l(i) K + l(j)) nd + pos]
 * x_j) aggregation  out_c = tanh(b[c] + 1/n sum over i of W[c K + l(i)] x_i) loss         cross
 * entropy on the out_c, mean over the graphs; the file is one batch */
#include "parity.h"

#include "support/support.h"

#include "math/kernels.h"
#include "train/optimiser.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct parity_part { /* parameters of one layer: the used ones, W then b */
    const json_t *json;
    bool aggregation;
    size_t n_labels, n_rows, n_w, n_b;
    uint64_t *used_w, *used_b; /* sorted numbers in the file; their place here is the id */
    size_t at_w, at_b;         /* in the flat arrays */
    rg_links *links;           /* [graph] */
    double **signal, **slope;  /* [graph]: outputs of this layer and their gradients */
} parity_part;

typedef struct layer_parity {
    parity_result result;
    const json_t *root;
    const rg_kernels *kernels;
    size_t n_graphs, n_parts, n_classes, n;
    size_t *nodes;     /* [graph] */
    uint32_t **hops;   /* [graph]: distances, UINT32_MAX where there is no path */
    double **x, **pre; /* [graph]: input, and the outputs before the last tanh */
    uint32_t *target;
    parity_part *parts;
    double *w, *g, *m, *v; /* [n] */
    double loss;
    void **blocks; /* all that is to be freed */
    size_t n_blocks;
} layer_parity;

void parity_wrong(parity_result *result, const char *what, size_t k, double got, double want)
{
    if (result->n_wrong++ == 0)
        (void)snprintf(result->first, sizeof result->first, "%s[%zu] is %.17g, expected %.17g",
                       what, k, got, want);
}

void parity_compare(parity_result *result, const char *what, size_t k, double got,
                    const json_t *want, double tolerance)
{
    double value = json_is_number(want) ? json_number_value(want) : NAN;
    double off = fabs(got - value);
    double *most = tolerance > 1e-11 ? &result->drifted : &result->largest;
    result->n_compared++;
    if (!(off <= tolerance))
        parity_wrong(result, what, k, got, value);
    else if (off > *most)
        *most = off;
}

static void *take(layer_parity *p, size_t n, size_t size)
{
    p->blocks = realloc(p->blocks, (p->n_blocks + 1) * sizeof *p->blocks);
    assert_non_null(p->blocks);
    void *block = calloc(n ? n : 1, size);
    assert_non_null(block);
    p->blocks[p->n_blocks++] = block;
    return block;
}

static void compare_all(layer_parity *p, const char *what, const double *got, size_t n,
                        const json_t *want, double tolerance)
{
    if (json_array_size(want) != n)
        parity_wrong(&p->result, what, n, (double)n, (double)json_array_size(want));
    for (size_t k = 0; k < n; k++)
        parity_compare(&p->result, what, k, got[k], json_array_get(want, k), tolerance);
}

static size_t whole(const json_t *object, const char *name)
{
    json_int_t value = json_integer_value(json_object_get(object, name));
    return value > 0 ? (size_t)value : 0;
}

/* ---- reading */

static void read_graph(layer_parity *p, size_t g)
{
    const json_t *graph = json_array_get(json_object_get(p->root, "graphs"), g);
    const json_t *edges = json_object_get(graph, "edges"), *x = json_object_get(graph, "x");
    size_t n = whole(graph, "n"), k;
    const json_t *edge;
    p->nodes[g] = n;
    p->target[g] = (uint32_t)whole(graph, "target");
    p->x[g] = take(p, n, sizeof(double));
    p->pre[g] = take(p, p->n_classes, sizeof(double));
    p->hops[g] = take(p, n * n, sizeof(uint32_t));
    memset(p->hops[g], 0xFF, n * n * sizeof(uint32_t));
    if (json_array_size(x) != n || p->target[g] >= p->n_classes)
        parity_wrong(&p->result, "graph", g, (double)n, (double)json_array_size(x));
    for (k = 0; k < n; k++)
        p->x[g][k] = json_number_value(json_array_get(x, k));
    uint8_t *touch = take(p, n * n, 1);
    uint32_t *queue = take(p, n, sizeof *queue);
    json_array_foreach((json_t *)(uintptr_t)edges, k, edge)
    {
        size_t a = (size_t)json_integer_value(json_array_get(edge, 0));
        size_t b = (size_t)json_integer_value(json_array_get(edge, 1));
        if (a < n && b < n)
            touch[a * n + b] = touch[b * n + a] = 1;
        else
            parity_wrong(&p->result, "edge", k, (double)a, (double)b);
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t *hop = p->hops[g] + i * n;
        size_t end = 0;
        hop[i] = 0;
        queue[end++] = (uint32_t)i;
        for (size_t at = 0; at < end; at++)
            for (uint32_t j = 0; j < n; j++)
                if (touch[queue[at] * n + j] && hop[j] == UINT32_MAX) {
                    hop[j] = hop[queue[at]] + 1;
                    queue[end++] = j;
                }
    }
}

/* Place of a number of the file among the used ones. */
static uint32_t place(layer_parity *p, const uint64_t *used, size_t n, uint64_t number)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (used[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == n || used[low] != number) {
        parity_wrong(&p->result, "used", n, (double)number, NAN);
        return 0;
    }
    return (uint32_t)low;
}

static size_t label(const parity_part *layer, size_t g, size_t i)
{
    const json_t *labels = json_array_get(json_object_get(layer->json, "node_labels"), g);
    return (size_t)json_integer_value(json_array_get(labels, i));
}

static void build_links(layer_parity *p, parity_part *layer, size_t g)
{
    const json_t *distances = json_object_get(layer->json, "distances");
    size_t n = p->nodes[g], n_rows = layer->aggregation ? p->n_classes : n, most = n_rows * n;
    size_t n_distances = json_array_size(distances);
    uint32_t *row = take(p, n_rows + 1, sizeof *row), *bias_id = take(p, n_rows, sizeof *bias_id);
    uint32_t *id = take(p, most, sizeof *id), *col = take(p, most, sizeof *col), k = 0;
    for (size_t i = 0; i < n_rows; i++) {
        size_t mine = layer->aggregation ? i : label(layer, g, i);
        for (size_t j = 0; j < n; j++) {
            size_t number = mine * layer->n_labels + label(layer, g, j), d = 0;
            if (!layer->aggregation) {
                while (d < n_distances &&
                       json_integer_value(json_array_get(distances, d)) != p->hops[g][i * n + j])
                    d++;
                if (d == n_distances)
                    continue;
                number = number * n_distances + d;
            }
            id[k] = place(p, layer->used_w, layer->n_w, number);
            col[k++] = (uint32_t)j;
        }
        row[i + 1] = k;
        bias_id[i] = place(p, layer->used_b, layer->n_b, mine);
    }
    layer->links[g] = (rg_links){
        .n_rows = (uint32_t)n_rows, .row = row, .id = id, .col32 = col, .bias_id = bias_id};
    layer->signal[g] = take(p, n_rows, sizeof(double));
    layer->slope[g] = take(p, n_rows, sizeof(double));
    json_int_t entries =
        json_integer_value(json_array_get(json_object_get(layer->json, "n_entries"), g));
    p->result.n_compared++;
    if (entries != k)
        parity_wrong(&p->result, "n_entries", g, k, (double)entries);
}

static uint64_t *read_used(layer_parity *p, size_t *n, const json_t *json)
{
    *n = json_array_size(json);
    uint64_t *out = take(p, *n, sizeof *out);
    for (size_t k = 0; k < *n; k++)
        out[k] = (uint64_t)json_integer_value(json_array_get(json, k));
    return out;
}

static void read_part(layer_parity *p, size_t t)
{
    parity_part *layer = &p->parts[t];
    layer->json = json_array_get(json_object_get(p->root, "layers"), t);
    const char *type = json_string_value(json_object_get(layer->json, "type"));
    layer->aggregation = type && type[0] == 'a';
    if (layer->aggregation != (t + 1 == p->n_parts))
        parity_wrong(&p->result, "type", t, layer->aggregation, t + 1 == p->n_parts);
    layer->n_labels = whole(layer->json, "num_labels");
    layer->used_w = read_used(p, &layer->n_w, json_object_get(layer->json, "used_W"));
    layer->used_b = read_used(p, &layer->n_b, json_object_get(layer->json, "used_b"));
    layer->links = take(p, p->n_graphs, sizeof *layer->links);
    layer->signal = take(p, p->n_graphs, sizeof *layer->signal);
    layer->slope = take(p, p->n_graphs, sizeof *layer->slope);
    layer->at_w = p->n;
    layer->at_b = p->n + layer->n_w;
    p->n += layer->n_w + layer->n_b;
    for (size_t g = 0; g < p->n_graphs; g++)
        build_links(p, layer, g);
}

static void read_all(layer_parity *p)
{
    p->n_graphs = json_array_size(json_object_get(p->root, "graphs"));
    p->n_parts = json_array_size(json_object_get(p->root, "layers"));
    p->n_classes = whole(p->root, "num_classes");
    p->nodes = take(p, p->n_graphs, sizeof *p->nodes);
    p->target = take(p, p->n_graphs, sizeof *p->target);
    p->hops = take(p, p->n_graphs, sizeof *p->hops);
    p->x = take(p, p->n_graphs, sizeof *p->x);
    p->pre = take(p, p->n_graphs, sizeof *p->pre);
    p->parts = take(p, p->n_parts, sizeof *p->parts);
    for (size_t g = 0; g < p->n_graphs; g++)
        read_graph(p, g);
    for (size_t t = 0; t < p->n_parts; t++)
        read_part(p, t);
    p->w = take(p, p->n, sizeof(double));
    p->g = take(p, p->n, sizeof(double));
    p->m = take(p, p->n, sizeof(double));
    p->v = take(p, p->n, sizeof(double));
    for (size_t t = 0; t < p->n_parts; t++) {
        const parity_part *layer = &p->parts[t];
        const json_t *w = json_object_get(layer->json, "init_W");
        const json_t *b = json_object_get(layer->json, "init_b");
        for (size_t k = 0; k < layer->n_w; k++)
            p->w[layer->at_w + k] = json_number_value(json_array_get(w, k));
        for (size_t k = 0; k < layer->n_b; k++)
            p->w[layer->at_b + k] = json_number_value(json_array_get(b, k));
    }
    if (!p->n_graphs || !p->n_parts || !p->n_classes)
        parity_wrong(&p->result, "graphs, layers, classes", 0, 0, 0);
}

/* ---- the network */

static rg_channels channels_of(const layer_parity *p, const parity_part *layer, size_t g)
{
    return (rg_channels){.n_in = 1,
                         .n_out = 1,
                         .full = true,
                         .scale = layer->aggregation ? 1.0 / (double)p->nodes[g] : 1};
}

/* Outputs of all graphs and the loss; with gradients, which are added to p->g. */
static void pass(layer_parity *p, bool backward)
{
    p->loss = 0;
    for (size_t g = 0; g < p->n_graphs; g++) {
        for (size_t t = 0; t < p->n_parts; t++) {
            const parity_part *layer = &p->parts[t];
            const rg_channels channels = channels_of(p, layer, g);
            const double *in = t ? p->parts[t - 1].signal[g] : p->x[g];
            size_t n = layer->links[g].n_rows;
            p->kernels->rule_forward(layer->signal[g], &layer->links[g], &channels,
                                     p->w + layer->at_w, p->w + layer->at_b, in);
            if (t + 1 == p->n_parts)
                memcpy(p->pre[g], layer->signal[g], n * sizeof(double));
            p->kernels->activation_forward(layer->signal[g], RG_TANH, n, layer->signal[g]);
            memset(layer->slope[g], 0, n * sizeof(double));
        }
        const parity_part *last = &p->parts[p->n_parts - 1];
        p->kernels->cross_entropy(&p->loss, last->slope[g], 1, (uint32_t)p->n_classes,
                                  last->signal[g], &p->target[g], NULL, 1.0 / (double)p->n_graphs);
        for (size_t t = p->n_parts; backward && t-- > 0;) {
            const parity_part *layer = &p->parts[t];
            const rg_channels channels = channels_of(p, layer, g);
            p->kernels->activation_backward(layer->slope[g], RG_TANH, layer->links[g].n_rows, NULL,
                                            layer->signal[g], layer->slope[g]);
            p->kernels->rule_backward(p->g + layer->at_w, p->g + layer->at_b,
                                      t ? p->parts[t - 1].slope[g] : NULL, &layer->links[g],
                                      &channels, p->w + layer->at_w,
                                      t ? p->parts[t - 1].signal[g] : p->x[g], layer->slope[g]);
        }
    }
}

/* ---- comparing */

static void compare_parts(layer_parity *p, const char *what, const double *got, const json_t *want,
                          double tolerance)
{
    for (size_t t = 0; t < p->n_parts; t++) {
        const parity_part *layer = &p->parts[t];
        const json_t *both = json_array_get(want, t);
        compare_all(p, what, got + layer->at_w, layer->n_w, json_object_get(both, "W"), tolerance);
        compare_all(p, what, got + layer->at_b, layer->n_b, json_object_get(both, "b"), tolerance);
    }
}

static void compare_outputs(layer_parity *p, const json_t *want, double tolerance)
{
    const parity_part *last = &p->parts[p->n_parts - 1];
    for (size_t g = 0; g < p->n_graphs; g++)
        compare_all(p, "output", last->signal[g], p->n_classes, json_array_get(want, g), tolerance);
}

static void compare_start(layer_parity *p)
{
    const json_t *initial = json_object_get(p->root, "initial");
    const json_t *hidden = json_object_get(initial, "hidden_first_graph");
    const json_t *pre = json_object_get(initial, "output_pre_tanh");
    compare_outputs(p, json_object_get(initial, "output"), 1e-12);
    for (size_t g = 0; g < p->n_graphs; g++)
        compare_all(p, "output_pre_tanh", p->pre[g], p->n_classes, json_array_get(pre, g), 1e-12);
    for (size_t t = 0; t + 1 < p->n_parts; t++)
        compare_all(p, "hidden", p->parts[t].signal[0], p->nodes[0], json_array_get(hidden, t),
                    1e-12);
    parity_compare(&p->result, "loss", 0, p->loss, json_object_get(initial, "loss"), 1e-12);
    compare_parts(p, "gradient", p->g, json_object_get(initial, "grad"), 1e-12);
}

static void train_and_compare(layer_parity *p)
{
    const json_t *adam = json_object_get(p->root, "adam");
    const json_t *losses = json_object_get(p->root, "loss_before_step");
    const json_t *after = json_object_get(p->root, "params_after_step");
    double lr = json_number_value(json_object_get(p->root, "lr"));
    rg_optimiser_options options = rg_optimiser_default();
    rg_optimiser optimiser;
    options.beta1 = json_number_value(json_object_get(adam, "beta1"));
    options.beta2 = json_number_value(json_object_get(adam, "beta2"));
    options.eps = json_number_value(json_object_get(adam, "eps"));
    options.decay = json_number_value(json_object_get(adam, "weight_decay"));
    rg_optimiser_begin(&optimiser, &options, p->kernels, p->n, p->w, p->g, p->m, p->v);
    size_t n_found = 0;
    for (int step = 1; step <= 5; step++) {
        char name[16];
        pass(p, true);
        if (step == 1)
            compare_start(p);
        parity_compare(&p->result, "loss before a step", (size_t)step, p->loss,
                       json_array_get(losses, (size_t)step - 1), 1e-9);
        rg_optimiser_step(&optimiser, &lr);
        (void)snprintf(name, sizeof name, "%d", step);
        const json_t *want = json_object_get(after, name);
        if (want) {
            compare_parts(p, "parameter", p->w, want, 1e-9);
            n_found++;
        }
    }
    if (n_found != json_object_size(after) || !n_found)
        parity_wrong(&p->result, "params_after_step", 0, (double)n_found,
                     (double)json_object_size(after));
    pass(p, false);
    parity_compare(&p->result, "loss after 5 steps", 0, p->loss,
                   json_object_get(p->root, "loss_after_5_steps"), 1e-9);
    compare_outputs(p, json_object_get(p->root, "output_after_5_steps"), 1e-9);
}

parity_result parity_run(const json_t *root)
{
    layer_parity p = {.root = root, .kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best())};
    read_all(&p);
    if (!p.result.n_wrong)
        train_and_compare(&p);
    for (size_t k = 0; k < p.n_blocks; k++)
        free(p.blocks[k]);
    free(p.blocks);
    return p.result;
}
