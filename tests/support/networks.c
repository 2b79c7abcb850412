/* networks.c - see networks.h. */
#include "networks.h"

#include "base/alloc.h"
#include "graphs.h"
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

static void add_graph(rg_raw *raw, uint32_t g, uint32_t n, double part, uint64_t seed, bool bare,
                      bool numbers)
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
    test_raw_add(raw, &graph, &(test_columns){.edges = {.step = !bare}, .edge_numbers = numbers});
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
        add_graph(&raw, g, size, g == 2 ? 0 : 2.5 / size, seed, has > SINGLE, has == WHOLE);
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
    rg_arrays_content content = {.size = sizeof content,
                                 .name = "grid",
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
    const rg_network *net = n->net;
    double *w = calloc(net->n_params + net->n_state + 1, sizeof *w);
    assert_non_null(w);
    for (size_t k = 0; k < net->n_params; k++)
        w[k] = 0.6 * rg_random_normal(seed, 20, k);
    for (size_t k = 0; k < net->n_layers; k++)
        for (size_t s = 0; s < net->layers[k].n_state; s++) { /* what is not 0 stays above it */
            double begin = net->layers[k].kind->begin_state(&net->layers[k], s), u;
            u = rg_random_unit(seed, 21 + k, s);
            w[net->layers[k].state + s] = begin != 0 ? begin * (0.5 + u) : u - 0.5;
        }
    return w;
}

bool test_near(double a, double b, double part, double least)
{
    double size = fabs(a) > fabs(b) ? fabs(a) : fabs(b);
    return isfinite(size) && fabs(a - b) <= part * (size > least ? size : least);
}
