/* test_torch.c - message passing networks against what PyTorch found (tests/torch): outputs, loss,
 * gradients, what batch norms keep, one step of Adam, and outputs when nothing is trained. */
#include "gnns.h"
#include "train/optimiser.h"

#include <jansson.h>
#include <math.h>

/* One file on its way through a network. */
typedef struct torch_case {
    const char *name;
    const char
        *order; /* of its parameters in our network: beginnings of names; NULL: as they come */
    json_t *root;
    rg_precision precision;
    const rg_kernels *kernels;
    rg_dataset *data;
    test_network n;
    rg_pass *pass;
    rg_walk walk;
    const rg_sample *samples; /* all of them */
    size_t n_samples;
    uint32_t list[16];
    void *w, *g, *m, *v; /* parameters, then what norms keep; [n_params] the others */
    double allowed;      /* deviation, of 1 or of the number itself if that is larger */
} torch_case;

static double number(const json_t *list, size_t k)
{
    return json_number_value(json_array_get(list, k));
}

static void near(const torch_case *s, const char *what, size_t k, double got, double want)
{
    if (!(fabs(got - want) <= s->allowed * fmax(1, fabs(want))))
        fail_msg("%s: %s[%zu] is %.12g, PyTorch has %.12g", s->name, what, k, got, want);
}

static void put(const torch_case *s, void *reals, size_t k, double value)
{
    if (s->precision == RG_FLOAT)
        ((float *)reals)[k] = (float)value;
    else
        ((double *)reals)[k] = value;
}

/* ---- from the file to a pass */

static rg_dataset *read_graphs(const json_t *graphs)
{
    rg_raw raw = {.n_graphs = json_array_size(graphs)};
    rg_dataset *data = NULL;
    for (size_t g = 0; g < raw.n_graphs; g++) {
        const json_t *graph = json_array_get(graphs, g), *edges = json_object_get(graph, "edges"),
                     *labels = json_object_get(graph, "labels");
        uint32_t base = (uint32_t)raw.n_nodes;
        for (size_t i = 0; i < json_array_size(labels); i++) {
            assert_true(rg_raw_add_node(&raw, (uint32_t)g));
            *rg_int_rows_add(&raw.node_labels, 1) = (int64_t)number(labels, i);
        }
        for (size_t e = 0; e < json_array_size(edges); e++) {
            const json_t *edge = json_array_get(edges, e);
            assert_true(rg_raw_add_pair(&raw, base + (uint32_t)number(edge, 0),
                                        base + (uint32_t)number(edge, 1)));
        }
        *rg_int_rows_add(&raw.classes, 1) =
            (int64_t)json_number_value(json_object_get(graph, "class"));
    }
    ASSERT_OK(rg_dataset_build(&data, &raw, err));
    return data;
}

/* Calls visit for every parameter of the file, in the order of our network; at: its first number. */
static void each_parameter(torch_case *s,
                           void (*visit)(torch_case *s, const json_t *parameter, size_t at,
                                         const char *key),
                           const char *key)
{
    const json_t *parameters = json_object_get(s->root, "parameters");
    const char *order = s->order ? s->order : "";
    size_t at = 0, n;
    do {
        n = strcspn(order, " ");
        for (size_t p = 0; p < json_array_size(parameters); p++) {
            const json_t *parameter = json_array_get(parameters, p);
            const char *name = json_string_value(json_object_get(parameter, "name"));
            if (strncmp(name, order, n) != 0 || (n && name[n] && name[n] != '.'))
                continue;
            visit(s, parameter, at, key);
            at += json_array_size(json_object_get(parameter, "values"));
        }
        order += n + (order[n] == ' ');
    } while (*order);
    assert_int_equal(at, s->n.net->n_params);
}

static void fill(torch_case *s, const json_t *parameter, size_t at, const char *key)
{
    const json_t *values = json_object_get(parameter, key);
    for (size_t k = 0; k < json_array_size(values); k++)
        put(s, s->w, at + k, number(values, k));
}

static void fill_states(torch_case *s)
{
    for (size_t k = 0; k < s->n.net->n_layers; k++) {
        const rg_net_layer *layer = &s->n.net->layers[k];
        for (size_t i = 0; i < layer->n_state; i++)
            put(s, s->w, layer->state + i, layer->kind->begin_state(layer, i));
    }
}

static void open_pass(torch_case *s)
{
    size_t n = s->n.net->n_params + s->n.net->n_state;
    rg_pass_options options = {.group = (uint32_t)s->n.samples->n, .backward = true};
    void **arrays[] = {&s->w, &s->g, &s->m, &s->v};
    assert_true(s->n.samples->n <= 16);
    ASSERT_OK(rg_pass_new(&s->pass, s->n.samples, s->kernels, &options, err));
    ASSERT_OK(rg_walk_open(&s->walk, s->n.samples, err));
    for (uint32_t k = 0; k < s->n.samples->n; k++)
        s->list[k] = k;
    rg_walk_begin(&s->walk, s->list, s->n.samples->n);
    ASSERT_OK(rg_pass_take(&s->samples, &s->n_samples, s->pass, &s->walk, 16, err));
    assert_int_equal(s->n_samples, s->n.samples->n);
    for (size_t k = 0; k < 4; k++) {
        *arrays[k] = calloc(n + 1, s->kernels->real_size);
        assert_non_null(*arrays[k]);
    }
}

static void torch_case_close(torch_case *s)
{
    void *arrays[] = {s->w, s->g, s->m, s->v};
    for (size_t k = 0; k < 4; k++)
        free(arrays[k]);
    rg_walk_close(&s->walk);
    rg_pass_free(s->pass);
    test_network_close(&s->n);
    rg_dataset_free(s->data);
    json_decref(s->root);
}

/* ---- comparing */

static void compare_outputs(const torch_case *s, const char *key, const void *outputs)
{
    const json_t *want = json_object_get(s->root, key);
    assert_int_equal(json_array_size(want), s->n_samples * s->n.net->n_outputs);
    for (size_t k = 0; k < json_array_size(want); k++)
        near(s, key, k, rg_real_at(s->precision, outputs, k), number(want, k));
}

static void compare(torch_case *s, const json_t *parameter, size_t at, const char *key)
{
    const json_t *want = json_object_get(parameter, key);
    const void *reals = strcmp(key, "gradient") == 0 ? s->g : s->w;
    const char *name = json_string_value(json_object_get(parameter, "name"));
    for (size_t k = 0; k < json_array_size(want); k++)
        near(s, name, k, rg_real_at(s->precision, reals, at + k), number(want, k));
}

static void compare_running(const torch_case *s)
{
    const json_t *running = json_object_get(s->root, "running");
    size_t norm = 0;
    for (size_t k = 0; k < s->n.net->n_layers; k++) {
        const rg_net_layer *layer = &s->n.net->layers[k];
        if (layer->kind != &rg_layer_batch_norm)
            continue;
        const json_t *item = json_array_get(running, norm++), *mean = json_object_get(item, "mean"),
                     *variance = json_object_get(item, "variance");
        assert_int_equal(json_array_size(mean), layer->n_in);
        for (size_t c = 0; c < layer->n_in; c++) {
            near(s, "mean", c, rg_real_at(s->precision, s->w, layer->state + c), number(mean, c));
            near(s, "variance", c, rg_real_at(s->precision, s->w, layer->state + layer->n_in + c),
                 number(variance, c));
        }
    }
    assert_int_equal(norm, json_array_size(running));
}

/* ---- one step */

static void run(torch_case *s)
{
    rg_pass_draws draws = {.stream = 0};
    rg_optimiser optimiser;
    rg_optimiser_options options = rg_optimiser_default();
    double loss = 0, lr = json_number_value(json_object_get(s->root, "lr"));
    const void *outputs = rg_pass_forward(s->pass, s->samples, s->n_samples, s->w, &draws);
    compare_outputs(s, "outputs", outputs);
    compare_running(s);
    s->kernels->cross_entropy(&loss, rg_pass_gradient(s->pass), s->n_samples, s->n.net->n_outputs,
                              outputs, rg_dataset_ranks(s->data, RG_CLASS, 0), NULL,
                              1.0 / (double)s->n_samples);
    near(s, "loss", 0, loss, json_number_value(json_object_get(s->root, "loss")));
    rg_pass_backward(s->pass, s->g);
    each_parameter(s, compare, "gradient");
    rg_optimiser_begin(&optimiser, &options, s->kernels, s->n.net->n_params, s->w, s->g, s->m,
                       s->v);
    rg_optimiser_step(&optimiser, &lr);
    if (s->precision == RG_FLOAT)
        return; /* Adam divides gradients near 0 by their size: rounding becomes a step */
    each_parameter(s, compare, "after");
    compare_outputs(s, "evaluated", rg_pass_forward(s->pass, s->samples, s->n_samples, s->w, NULL));
}

/* text: a network file. */
static void check_network(const char *name, const char *order, const char *text)
{
    for (int precision = 0; precision < 2; precision++) {
        char *path = test_format("%s/tests/torch/%s.json", REGULA_SOURCE, name);
        torch_case s = {
            .name = name, .order = order, .precision = precision ? RG_FLOAT : RG_DOUBLE};
        s.root = json_load_file(path, 0, NULL);
        if (!s.root)
            fail_msg("cannot read '%s'", path);
        s.allowed = precision ? 1e-5 : 1e-7;
        s.kernels = rg_kernels_get(s.precision, 1, rg_cpu_best());
        s.data = read_graphs(json_object_get(s.root, "graphs"));
        char *file =
            test_format("%s\ntraining: {precision: %s}\n", text, precision ? "float" : "double");
        s.n = test_network_open(file, s.data);
        open_pass(&s);
        fill_states(&s);
        each_parameter(&s, fill, "values");
        run(&s);
        torch_case_close(&s);
        free(file);
        free(path);
    }
}

static void check(const char *name, const char *order, const char *model)
{
    rg_recipe *recipe = gnn_recipe(model, "epochs: 1");
    char *text = strdup(rg_recipe_text(recipe));
    assert_non_null(text);
    *strstr(text, "training:") = '\0';
    check_network(name, order, text);
    free(text);
    rg_recipe_free(recipe);
}

#define FEATURES "features: [labels, degree]\n"
#define INPUT "input: [labels, degree]\nlayers:\n"

static void gin_is_that_of_pytorch(void **state)
{
    (void)state;
    check("gin-sum", "first eps1 conv1 eps2 conv2 out0 out1 out2",
          "model: gin\nlayers: 2\nwidth: 4\neps: learned\npooling: sum\ndropout: 0\n" FEATURES);
    check("gin-mean", "first conv1 out0 out1",
          "model: gin\nlayers: 1\nwidth: 4\neps: 0\npooling: mean\ndropout: 0\n" FEATURES);
}

static void the_largest_of_gin_is_that_of_pytorch(void **state)
{
    (void)state;
    check("gin-max", "first eps1 conv1 out0 out1",
          "model: gin\nlayers: 1\nwidth: 3\npooling: max\ndropout: 0\n" FEATURES);
}

static void graphsage_is_that_of_pytorch(void **state)
{
    (void)state;
    check("graphsage-add", NULL,
          "model: graphsage\nlayers: 3\nwidth: 4\naggregation: add\n" FEATURES);
    check("graphsage-mean", NULL,
          "model: graphsage\nlayers: 3\nwidth: 4\naggregation: mean\n" FEATURES);
    check("graphsage-max", NULL,
          "model: graphsage\nlayers: 2\nwidth: 4\naggregation: max\n" FEATURES);
}

static void graphsage_with_weights_for_the_node_itself_is_that_of_pytorch(void **state)
{
    (void)state;
    check("graphsage-own-add", NULL,
          "model: graphsage\nlayers: 2\nwidth: 4\naggregation: add\nself: own\n" FEATURES);
    check("graphsage-own-mean", NULL,
          "model: graphsage\nlayers: 2\nwidth: 4\naggregation: mean\nself: own\n" FEATURES);
    check("graphsage-own-max", NULL,
          "model: graphsage\nlayers: 2\nwidth: 4\naggregation: max\nself: own\n" FEATURES);
}

static void gcn_is_that_of_pytorch(void **state)
{
    (void)state;
    check("gcn-mean", NULL,
          "model: gcn\nlayers: 2\nwidth: 4\npooling: mean\ndropout: 0\n" FEATURES);
    check("gcn-sum", NULL, "model: gcn\nlayers: 3\nwidth: 4\npooling: sum\ndropout: 0\n" FEATURES);
}

static void several_poolings_are_those_of_pytorch(void **state)
{
    (void)state;
    check_network("gcn-jumping", NULL,
                  INPUT "  - {gcn: 4, activation: tanh, name: h1}\n"
                        "  - {gcn: 4, activation: tanh, name: h2}\n"
                        "  - {pool: [sum, mean, max], of: [h1, h2]}\n"
                        "  - dense: auto\n");
}

static void gat_is_that_of_pytorch(void **state)
{
    (void)state;
    check_network("gat-mean", NULL,
                  INPUT "  - gat: 4\n  - gat: 3\n  - pool: mean\n  - dense: auto\n");
    check_network("gat-heads", NULL,
                  INPUT "  - {gat: 3, heads: 2}\n  - {gat: 2, heads: 4}\n"
                        "  - pool: [sum, max]\n  - dense: auto\n");
}

static void dgcnn_is_that_of_pytorch(void **state)
{
    (void)state;
    check("dgcnn", NULL,
          "model: dgcnn\nlayers: 2\nwidth: 4\nk: 10\ndense: 6\ndropout: 0\n" FEATURES);
    check("dgcnn-channels", NULL,
          "model: dgcnn\nlayers: 2\nwidth: 4\nk: 10\nsort: channels\ndense: 6\ndropout: "
          "0\n" FEATURES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gin_is_that_of_pytorch),
        cmocka_unit_test(the_largest_of_gin_is_that_of_pytorch),
        cmocka_unit_test(graphsage_is_that_of_pytorch),
        cmocka_unit_test(graphsage_with_weights_for_the_node_itself_is_that_of_pytorch),
        cmocka_unit_test(gcn_is_that_of_pytorch),
        cmocka_unit_test(several_poolings_are_those_of_pytorch),
        cmocka_unit_test(gat_is_that_of_pytorch),
        cmocka_unit_test(dgcnn_is_that_of_pytorch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
