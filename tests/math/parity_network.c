/* parity_network.c - see parity.h: the same numbers through a network file, rules, tables and a
 * trainer instead of kernels alone.
 *
 * The labels of the file come in through labelings `file(...)`, which number them anew; weights are
 * found by their keys. Every class gets a graph without nodes, so that the network has all outputs
 * though the file has not. */
#include "parity.h"

#include "support/trainers.h"

#include "graph/raw.h"

#include <math.h>
#include <stdio.h>

typedef struct network_parity {
    parity_result result;
    const json_t *root, *graphs, *layers;
    size_t n_graphs, n_layers, n_classes;
    char *directory; /* of the files of labels */
    rg_dataset *data;
    test_network n;
    uint32_t *train;
    rg_fold fold;
    rg_trainer *trainer;
} network_parity;

static const json_t *field(const json_t *array, size_t k, const char *name)
{
    return json_object_get(json_array_get(array, k), name);
}

static size_t whole(const json_t *value)
{
    return (size_t)json_integer_value(value);
}

/* ---- the data and the network */

static void build_data(network_parity *p)
{
    rg_raw raw = {.n_graphs = p->n_graphs + p->n_classes};
    for (uint32_t g = 0; g < p->n_graphs; g++) {
        const json_t *edges = field(p->graphs, g, "edges"), *x = field(p->graphs, g, "x");
        uint32_t base = (uint32_t)raw.n_nodes;
        for (size_t i = 0; i < whole(field(p->graphs, g, "n")); i++) {
            assert_true(rg_raw_add_node(&raw, g));
            *rg_real_rows_add(&raw.node_attributes, 1) = json_number_value(json_array_get(x, i));
        }
        for (size_t k = 0; k < json_array_size(edges); k++) {
            const json_t *edge = json_array_get(edges, k);
            assert_true(rg_raw_add_pair(&raw, base + (uint32_t)whole(json_array_get(edge, 0)),
                                        base + (uint32_t)whole(json_array_get(edge, 1))));
        }
        *rg_int_rows_add(&raw.classes, 1) = json_integer_value(field(p->graphs, g, "target"));
    }
    for (size_t c = 0; c < p->n_classes; c++)
        *rg_int_rows_add(&raw.classes, 1) = (int64_t)c;
    ASSERT_OK(rg_dataset_build(&p->data, &raw, err));
}

/* Labels of layer t as a file, one line a graph. */
static void write_labels(const network_parity *p, size_t t)
{
    char *path = test_format("%s/%zu.labels", p->directory, t);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    for (size_t g = 0; g < p->n_graphs + p->n_classes; g++) {
        const json_t *labels = json_array_get(field(p->layers, t, "node_labels"), g);
        for (size_t i = 0; i < json_array_size(labels); i++)
            fprintf(out, "%s%zu", i ? " " : "", whole(json_array_get(labels, i)));
        fputc('\n', out);
    }
    assert_int_equal(fclose(out), 0);
    free(path);
}

/* The network file. Owned (free). */
static char *describe(const network_parity *p)
{
    char *text = test_format("preset: paper\ntask: classification\ninput: attributes\nlabels:\n");
    for (size_t t = 0; t < p->n_layers; t++) {
        char *more = test_format("%s  l%zu: 'file(\"%s/%zu.labels\")'\n", text, t, p->directory, t);
        free(text);
        text = more;
    }
    for (size_t t = 0; t < p->n_layers; t++) {
        const json_t *distances = field(p->layers, t, "distances");
        char *set = test_format("%s", ""), *more;
        for (size_t k = 0; k < json_array_size(distances); k++) {
            more = test_format("%s%s%zu", set, k ? ", " : "", whole(json_array_get(distances, k)));
            free(set);
            set = more;
        }
        if (t + 1 < p->n_layers)
            more = test_format("%s%s  - rule: share l%zu(i), l%zu(j), dist(i,j) when dist(i,j) in "
                               "{%s}\n    bias: share l%zu(i)\n",
                               text, t ? "" : "layers:\n", t, t, set, t);
        else
            more = test_format("%s  - aggregate: share out, l%zu(i)\n", text, t);
        free(set);
        free(text);
        text = more;
    }
    const json_t *adam = json_object_get(p->root, "adam");
    char *all = test_format(
        "%straining: {epochs: 5, batch: 1000000, precision: double, schedule: constant, "
        "patience: none, best: last, beta1: %.17g, beta2: %.17g, eps: %.17g}\n",
        text, json_number_value(json_object_get(adam, "beta1")),
        json_number_value(json_object_get(adam, "beta2")),
        json_number_value(json_object_get(adam, "eps")));
    free(text);
    return all;
}

/* ---- from keys to numbers of the file */

/* The label in the file behind a label of layer t: that of the first node that has it. */
static size_t label_in_file(const network_parity *p, size_t t, int64_t label)
{
    const uint32_t *own = rg_labels_data(p->n.samples->labels[t]);
    uint64_t node = 0;
    for (size_t g = 0; g < p->n_graphs; g++) {
        const json_t *labels = json_array_get(field(p->layers, t, "node_labels"), g);
        for (size_t i = 0; i < json_array_size(labels); i++, node++)
            if (own[node] == label)
                return whole(json_array_get(labels, i));
    }
    return SIZE_MAX;
}

/* Place of a parameter among the used ones of the file; SIZE_MAX: it is not there. */
static size_t place_of(const json_t *used, size_t number)
{
    size_t low = 0, high = json_array_size(used);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (whole(json_array_get(used, middle)) < number)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < json_array_size(used) && whole(json_array_get(used, low)) == number;
    return found ? low : SIZE_MAX;
}

/* Where in the file's used_W, or used_b, parameter k of a rule of layer t stands. */
static size_t place_of_key(const network_parity *p, size_t t, const rg_net_rule *rule, size_t k,
                           bool bias)
{
    const json_t *layer = json_array_get(p->layers, t);
    size_t n_labels = whole(json_object_get(layer, "num_labels")), number;
    bool last = t + 1 == p->n_layers;
    if (bias && last)
        return place_of(json_object_get(layer, "used_b"), k);
    const int64_t *key = rg_rule_keys_data(rule->keys) + k * rg_rule_keys_width(rule->keys);
    if (bias)
        return place_of(json_object_get(layer, "used_b"), label_in_file(p, t, key[0]));
    if (last)
        number = (size_t)key[0] * n_labels + label_in_file(p, t, key[1]);
    else {
        const json_t *distances = json_object_get(layer, "distances");
        size_t d = 0;
        while (json_integer_value(json_array_get(distances, d)) != key[2])
            d++;
        number = label_in_file(p, t, key[0]) * n_labels + label_in_file(p, t, key[1]);
        number = number * json_array_size(distances) + d;
    }
    return place_of(json_object_get(layer, "used_W"), number);
}

/* For each parameter of the network its number in the file: `value` set from it (tolerance 0), or
 * compared with it. names: of the two lists of a layer, weights and biases. */
static void walk(network_parity *p, double *value, const json_t *lists, const char *const names[2],
                 const char *what, double tolerance)
{
    for (size_t t = 0; t < p->n_layers; t++)
        for (int bias = 0; bias < 2; bias++) {
            const rg_net_layer *layer = &p->n.net->layers[t];
            const rg_net_rule *rule = bias ? &layer->bias : &layer->rules[0];
            const json_t *list = field(lists, t, names[bias]);
            if (json_array_size(list) != rule->n_params)
                parity_wrong(&p->result, what, t, (double)rule->n_params,
                             (double)json_array_size(list));
            for (size_t k = 0; k < rule->n_params && !p->result.n_wrong; k++) {
                size_t place = place_of_key(p, t, rule, k, bias);
                const json_t *want = json_array_get(list, place);
                if (place == SIZE_MAX)
                    parity_wrong(&p->result, what, k, NAN, NAN);
                else if (tolerance > 0)
                    parity_compare(&p->result, what, place, value[rule->at + k], want, tolerance);
                else
                    value[rule->at + k] = json_number_value(want);
            }
        }
}

/* ---- comparing */

static void compare_rows(network_parity *p, const char *what, const double *got, const json_t *want,
                         double tolerance)
{
    for (size_t k = 0; k < json_array_size(want); k++)
        parity_compare(&p->result, what, k, got[k], json_array_get(want, k), tolerance);
}

/* One pass over all graphs: outputs, and at the start all else. */
static void run(network_parity *p, const json_t *outputs, bool start, double tolerance)
{
    rg_trainer *t = p->trainer;
    rg_tally tally = {.weight = 0};
    const json_t *initial = json_object_get(p->root, "initial");
    rg_walk *along = &t->parts.part[0].walk;
    rg_pass *pass = t->parts.part[0].pass;
    rg_walk_begin(along, p->train, p->n_graphs);
    for (size_t g = 0; g < p->n_graphs; g++) {
        rg_sample sample;
        double hidden[4096];
        ASSERT_OK(rg_walk_next(&sample, along, err));
        const void *z = rg_pass_forward(pass, &sample, 1, t->w, NULL);
        compare_rows(p, "output", z, json_array_get(outputs, g), tolerance);
        for (uint32_t k = 0; start && g == 0 && k + 1 < p->n_layers; k++) {
            assert_true(rg_pass_signal_rows(pass, k + 1, 0) *
                            t->samples->net->values[k + 1].channels <=
                        4096);
            rg_pass_signal(hidden, pass, k + 1, 0);
            compare_rows(p, "hidden", hidden,
                         json_array_get(json_object_get(initial, "hidden_first_graph"), k),
                         tolerance);
        }
        rg_measure_sample(&tally, &t->measure, &sample, z, rg_pass_gradient(pass),
                          1.0 / (double)p->n_graphs);
        if (start)
            rg_pass_backward(pass, t->g);
    }
    parity_compare(&p->result, "loss", 0, rg_tally_loss(&tally, 0),
                   start ? json_object_get(initial, "loss")
                         : json_object_get(p->root, "loss_after_5_steps"),
                   tolerance);
    if (start) {
        walk(p, t->g, json_object_get(initial, "grad"), (const char *const[]){"W", "b"}, "gradient",
             tolerance);
        memset(t->g, 0, t->n * sizeof(double));
    }
}

static void train(network_parity *p)
{
    const json_t *after = json_object_get(p->root, "params_after_step");
    for (uint32_t step = 1; step <= 5; step++) {
        char name[16];
        ASSERT_OK(rg_trainer_epoch(p->trainer, err));
        parity_compare(&p->result, "loss before a step", step,
                       rg_trainer_report(p->trainer, step, 0)->train_loss,
                       json_array_get(json_object_get(p->root, "loss_before_step"), step - 1),
                       1e-9);
        (void)snprintf(name, sizeof name, "%u", (unsigned)step);
        if (json_object_get(after, name))
            walk(p, p->trainer->w, json_object_get(after, name), (const char *const[]){"W", "b"},
                 "parameter", 1e-9);
    }
}

parity_result parity_run_network(const json_t *root)
{
    network_parity p = {.root = root,
                        .graphs = json_object_get(root, "graphs"),
                        .layers = json_object_get(root, "layers"),
                        .directory = test_directory_make()};
    p.n_graphs = json_array_size(p.graphs);
    p.n_layers = json_array_size(p.layers);
    p.n_classes = whole(json_object_get(root, "num_classes"));
    build_data(&p);
    for (size_t t = 0; t < p.n_layers; t++)
        write_labels(&p, t);
    char *text = describe(&p);
    p.n = test_network_open(text, p.data);
    p.train = calloc(p.n_graphs + 1, sizeof *p.train);
    assert_non_null(p.train);
    for (uint32_t g = 0; g < p.n_graphs; g++)
        p.train[g] = g;
    p.fold.train = (rg_part){p.train, p.n_graphs};
    p.trainer = trainer_open(&p.n, &p.fold, 1, 0, rg_cpu_best());
    p.trainer->lanes[0].schedule.lr = json_number_value(json_object_get(root, "lr")); /* 0 too */
    walk(&p, p.trainer->w, p.layers, (const char *const[]){"init_W", "init_b"}, "start", 0);
    if (!p.result.n_wrong)
        run(&p, json_object_get(json_object_get(root, "initial"), "output"), true, 1e-12);
    if (!p.result.n_wrong)
        train(&p);
    if (!p.result.n_wrong)
        run(&p, json_object_get(root, "output_after_5_steps"), false, 1e-9);
    rg_trainer_free(p.trainer);
    test_network_close(&p.n);
    rg_dataset_free(p.data);
    free(p.train);
    free(text);
    test_directory_remove(p.directory);
    return p.result;
}
