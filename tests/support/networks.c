/* networks.c - see networks.h. */
#include "networks.h"

#include "base/alloc.h"
#include "graphs.h"
#include "rule_twin.h"
#include "train/recipe.h"

#include <math.h>
#include <string.h>

/* ---- data */

static test_graph sparse_graph(uint32_t g, uint32_t n, double part, uint64_t seed)
{
    test_graph graph = test_graph_new(n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (rg_random_unit(seed, 5 + g, (uint64_t)i * n + j) < part)
                test_edge(&graph, i, j, rg_random_below(seed, 5, i + j, 2));
    return graph;
}

static void add_graph(rg_raw *raw, uint32_t g, uint32_t n, double part, uint64_t seed, bool bare)
{
    static const int64_t first[] = {3, 5, 8}, second[] = {0, 7};
    test_graph graph = sparse_graph(g, n, part, seed);
    for (uint64_t i = raw->n_nodes; !bare && i < raw->n_nodes + n; i++) {
        int64_t *labels = rg_int_rows_add(&raw->node_labels, 2);
        double *attributes = rg_real_rows_add(&raw->node_attributes, 2);
        labels[0] = first[rg_random_below(seed, 1, i, 3)];
        labels[1] = second[rg_random_below(seed, 2, i, 2)];
        attributes[0] = rg_random_below(seed, 3, i, 9) / 4.0 - 1;
        attributes[1] = rg_random_normal(seed, 4, i);
    }
    test_raw_add(raw, &graph, &(test_columns){.edges = {.step = !bare}});
    test_graph_free(&graph);
}

typedef enum extent { WHOLE, SINGLE, PLAIN, BARE } extent;

static rg_dataset *make(size_t n, uint32_t max_nodes, uint64_t seed, extent has)
{
    rg_raw raw = {.name = rg_copy_text("toy", 3)};
    rg_dataset *data = NULL;
    for (uint32_t g = 0; g < n; g++) {
        uint32_t size = g == 0 ? 0 : g == 1 ? 1 : 3;
        if (g > 2)
            size = 2 + rg_random_below(seed, 6, g, max_nodes - 1);
        add_graph(&raw, g, size, g == 2 ? 0 : 2.5 / size, seed, has > SINGLE);
        if (has == PLAIN)
            *rg_int_rows_add(&raw.classes, 1) = g % 2;
        if (has > SINGLE)
            continue;
        int64_t *classes = rg_int_rows_add(&raw.classes, has == SINGLE ? 1 : 3);
        classes[0] = g % 11 == 5 ? RG_MISSING : 10 * (1 + (int64_t)rg_random_below(seed, 7, g, 3));
        if (has == SINGLE)
            continue;
        double *reals = rg_real_rows_add(&raw.targets, 2);
        classes[1] = g % 7 == 3 ? RG_MISSING : 2 * (int64_t)rg_random_below(seed, 8, g, 2) - 1;
        classes[2] = 1 - 2 * (int64_t)rg_random_below(seed, 9, g, 2);
        reals[0] = rg_random_normal(seed, 10, g);
        reals[1] = g % 5 == 4 ? (double)NAN : size / 8.0;
    }
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

rg_dataset *test_dataset_with_targets(size_t n, uint32_t max_nodes, uint64_t seed)
{
    return make(n, max_nodes, seed, WHOLE);
}

rg_dataset *test_dataset_with_classes(size_t n, uint32_t max_nodes, uint64_t seed)
{
    return make(n, max_nodes, seed, SINGLE);
}

rg_dataset *test_dataset_bare(size_t n, uint32_t max_nodes, uint64_t seed)
{
    return make(n, max_nodes, seed, BARE);
}

rg_dataset *test_dataset_plain(size_t n, uint32_t max_nodes, uint64_t seed)
{
    return make(n, max_nodes, seed, PLAIN);
}

rg_arrays *test_arrays(size_t n, uint64_t seed)
{
    static const int64_t values[] = {4, 6, 9};
    rg_arrays *arrays = NULL;
    double *x = calloc(24 * n + 1, sizeof *x);
    int64_t *classes = calloc(n + 1, sizeof *classes);
    assert_true(x && classes);
    for (size_t k = 0; k < n; k++) {
        size_t class = k % 3;
        classes[k] = values[class];
        for (size_t v = 0; v < 24; v++)
            x[k * 24 + v] = rg_random_normal(seed, 11, k * 24 + v) / 3 + (v % 3 == class);
    }
    rg_arrays_content content = {.name = "grid",
                                 .n_samples = n,
                                 .shape = {4, 3, 2},
                                 .doubles = x,
                                 .classes = classes,
                                 .n_columns = 1};
    ASSERT_OK(rg_arrays_build(&arrays, &content, err));
    free(x);
    free(classes);
    return arrays;
}

rg_splits *test_splits(const rg_source *source, size_t n_folds)
{
    rg_items items =
        source->graphs ? rg_dataset_items(source->graphs) : rg_arrays_items(source->arrays);
    rg_split_options options = rg_split_options_default();
    rg_splits *splits = NULL;
    options.n_folds = n_folds;
    options.validation = 0.25;
    options.stratified = items.classes != NULL;
    ASSERT_OK(rg_splits_make_for(&splits, &items, &options, err));
    return splits;
}

/* ---- networks */

rg_spec *test_spec(rg_settings *settings, const char *text)
{
    rg_spec *spec = NULL;
    ASSERT_OK(rg_network_file_parse(&spec, settings, "net.yml", text, strlen(text), err));
    return spec;
}

rg_recipe *test_recipe(const char *text)
{
    rg_recipe *recipe = NULL;
    ASSERT_OK(rg_recipe_parse(&recipe, "net.yml", text, strlen(text), err));
    return recipe;
}

static test_network open_source(const char *text, rg_source source)
{
    test_network n = {.source = source};
    rg_labels *labels[RG_SPEC_LABELS_MAX] = {NULL};
    rg_build_options building = {.n_threads = 1};
    rg_spec *spec = test_spec(&n.settings, text);
    ASSERT_OK(rg_network_build(&n.net, labels, spec, &n.source, &building, err));
    rg_samples_options tables = {.precision = n.settings.precision, .n_threads = 1, .keep = true};
    ASSERT_OK(rg_samples_open(&n.samples, n.net, &n.source, labels, &tables, err));
    return n;
}

test_network test_network_open(const char *text, const rg_dataset *data)
{
    return open_source(text, (rg_source){.graphs = data});
}

test_network test_network_open_arrays(const char *text, const rg_arrays *arrays)
{
    return open_source(text, (rg_source){.arrays = arrays});
}

rg_samples *test_network_samples(const test_network *n, const rg_dataset *data)
{
    rg_samples *samples = NULL;
    rg_samples_options tables = {.precision = n->settings.precision, .n_threads = 1, .keep = true};
    ASSERT_OK(rg_samples_open(&samples, n->net, &(rg_source){.graphs = data}, NULL, &tables, err));
    return samples;
}

void test_network_close(test_network *n)
{
    rg_samples_free(n->samples);
    rg_network_free(n->net);
}

double *test_network_weights(const test_network *n, uint64_t seed)
{
    double *w = calloc(n->net->n_params + 1, sizeof *w);
    assert_non_null(w);
    for (size_t k = 0; k < n->net->n_params; k++)
        w[k] = 0.6 * rg_random_normal(seed, 20, k);
    return w;
}

bool test_near(double a, double b, double part, double least)
{
    double size = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return isfinite(size) && fabs(a - b) <= part * (size > least ? size : least);
}

/* ---- the slow way */

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
    default:
        return x;
    }
}

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
static void add_rule(double *y, const test_network *n, const rg_net_layer *layer,
                     const rg_net_rule *rule, const double *w, const double *x, uint32_t sample,
                     double scale)
{
    rg_rule_input input = {.data = n->source.graphs,
                           .labels = n->samples->known,
                           .n_labels = n->net->spec->n_labels,
                           .graphs = n->source.graphs ? &sample : NULL,
                           .n_graphs = 1,
                           .in = layer->shape_in,
                           .out = layer->shape_out,
                           .n_outputs = layer->rows_out};
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
                *to += w[rule->at + id * layer->n_out + o];
            for (size_t c = 0; x && full && c < n_in; c++)
                *to += scale * w[rule->at + (id * n_in + c) * layer->n_out + o] * x[j * n_in + c];
            if (x && !full)
                *to += scale * w[rule->at + id * layer->n_out + o] * x[j * n_in + o];
        }
    }
    free(pairs.values);
}

static void run_rules(double *y, const test_network *n, const rg_net_layer *layer, const double *w,
                      const double *x, size_t sample)
{
    uint32_t nodes = rg_samples_nodes(n->samples, sample);
    bool whole = layer->kind->outputs;
    for (size_t r = 0; r < layer->n_rules; r++)
        add_rule(y, n, layer, &layer->rules[r], w, x, (uint32_t)sample,
                 whole && layer->mean && nodes ? 1.0 / nodes : 1);
    if (layer->bias.rule)
        add_rule(y, n, layer, &layer->bias, w, NULL, (uint32_t)sample, 1);
    for (size_t o = 0; whole && layer->bias.n_params && o < layer->rows_out; o++)
        y[o] += w[layer->bias.at + o];
}

static void run_dense(double *y, const rg_net_layer *layer, const double *w, const double *x,
                      size_t rows)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t o = 0; o < layer->n_out; o++) {
            double *to = &y[i * layer->n_out + o];
            *to = layer->bias.n_params ? w[layer->bias.at + o] : 0;
            for (size_t c = 0; c < layer->n_in; c++)
                *to += w[layer->weights + c * layer->n_out + o] * x[i * layer->n_in + c];
        }
}

static void run_norm(double *y, const rg_net_layer *layer, const double *w, const double *x,
                     size_t rows)
{
    size_t n = layer->n_in;
    for (size_t i = 0; i < rows; i++) {
        double mean = 0, variance = 0;
        for (size_t c = 0; c < n; c++)
            mean += x[i * n + c] / (double)n;
        for (size_t c = 0; c < n; c++)
            variance += (x[i * n + c] - mean) * (x[i * n + c] - mean) / (double)n;
        for (size_t c = 0; c < n; c++)
            y[i * n + c] = (x[i * n + c] - mean) / sqrt(variance + 1e-5) * w[layer->weights + c] +
                           w[layer->weights + n + c];
    }
}

double *test_network_outputs(size_t *size, const test_network *n, const double *w, size_t sample)
{
    size_t rows = rg_samples_rows(n->samples, sample);
    double *x = calloc(rows * n->net->n_channels + 1, sizeof *x);
    assert_non_null(x);
    rg_samples_input(n->samples, sample, x);
    for (size_t k = 0; k < n->net->n_layers; k++) {
        const rg_net_layer *layer = &n->net->layers[k];
        size_t in = layer->rows_in ? layer->rows_in : rows;
        size_t out = layer->rows_out ? layer->rows_out : rows;
        *size = out * layer->n_out;
        double *y = calloc(*size + 1, sizeof *y);
        assert_non_null(y);
        if (layer->n_rules)
            run_rules(y, n, layer, w, x, sample);
        else if (layer->kind == &rg_layer_dense)
            run_dense(y, layer, w, x, in);
        else if (layer->kind == &rg_layer_norm)
            run_norm(y, layer, w, x, in);
        else
            memcpy(y, x, *size * sizeof *y);
        for (size_t v = 0; v < *size; v++)
            y[v] = activate(layer->activation, y[v]) + (layer->skip == RG_NO_INDEX ? 0 : x[v]);
        free(x);
        x = y;
    }
    return x;
}
