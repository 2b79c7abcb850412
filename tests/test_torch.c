/* test_torch.c - message passing networks against what PyTorch found (tests/torch): outputs, loss,
 * gradients, what batch norms keep, one step of Adam, and outputs when nothing is trained. */
#include "base/alloc.h"
#include "baseline/tape.h"
#include "graph/raw.h"
#include "support.h"
#include "train/optimiser.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* One file on its way through a network. */
typedef struct scene {
    const char *name;
    json_t *root;
    rg_precision precision;
    const rg_kernels *kernels;
    rg_dataset *data;
    rg_features *features;
    rg_tape tape;
    rg_batch batch;
    rg_tape_pass *pass;
    void *w, *g, *m, *v; /* parameters, then what norms keep; [n_params] the others */
    uint32_t n_graphs, n_classes;
    double allowed; /* deviation, of 1 or of the number itself if that is larger */
} scene;

static double number(const json_t *list, size_t k)
{
    return json_number_value(json_array_get(list, k));
}

static void near(const scene *s, const char *what, size_t k, double got, double want)
{
    if (!(fabs(got - want) <= s->allowed * fmax(1, fabs(want))))
        fail_msg("%s: %s[%zu] is %.12g, PyTorch has %.12g", s->name, what, k, got, want);
}

static void put(const scene *s, void *reals, size_t k, double value)
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

static void build_features(scene *s)
{
    static const char text[] = "features: [labels, degree]";
    rg_features_spec spec;
    rg_yaml *root = NULL;
    rg_baseline_options options = {.n_threads = 1};
    ASSERT_OK(rg_yaml_parse(&root, "features", text, sizeof text - 1, err));
    ASSERT_OK(rg_features_spec_read(&spec, root, NULL, 0, err));
    ASSERT_OK(rg_features_build(&s->features, &spec, s->data, &options, err));
    rg_features_spec_clear(&spec);
    rg_yaml_free(root);
}

static void fill_parameters(scene *s)
{
    const json_t *parameters = json_object_get(s->root, "parameters");
    size_t at = 0;
    rg_tape_start_values(s->w, &s->tape, RG_START_UNIFORM, s->kernels, 1, 0); /* what norms keep */
    for (size_t p = 0; p < json_array_size(parameters); p++) {
        const json_t *values = json_object_get(json_array_get(parameters, p), "values");
        assert_true(at + json_array_size(values) <= s->tape.n_params);
        for (size_t k = 0; k < json_array_size(values); k++)
            put(s, s->w, at++, number(values, k));
    }
    assert_int_equal(at, s->tape.n_params);
}

static void open_pass(scene *s)
{
    rg_batch_size size;
    uint32_t list[16];
    size_t n = s->tape.n_params + s->tape.n_state;
    assert_true(s->n_graphs <= 16);
    for (uint32_t k = 0; k < s->n_graphs; k++)
        list[k] = k;
    ASSERT_OK(rg_batch_measure(&size, s->data, list, s->n_graphs, s->n_graphs, err));
    ASSERT_OK(rg_batch_open(&s->batch, &size, s->precision, err));
    rg_batch_fill(&s->batch, s->data, s->precision, list, s->n_graphs);
    ASSERT_OK(
        rg_tape_pass_new(&s->pass, &s->tape, &size, s->precision, rg_cpu_best(), err));
    void **arrays[] = {&s->w, &s->g, &s->m, &s->v};
    for (size_t k = 0; k < 4; k++) {
        *arrays[k] = calloc(n + 1, s->kernels->real_size);
        assert_non_null(*arrays[k]);
    }
}

static void close_scene(scene *s)
{
    void *arrays[] = {s->w, s->g, s->m, s->v};
    for (size_t k = 0; k < 4; k++)
        free(arrays[k]);
    rg_tape_pass_free(s->pass);
    rg_batch_close(&s->batch);
    rg_tape_free(&s->tape);
    rg_features_free(s->features);
    rg_dataset_free(s->data);
    json_decref(s->root);
}

/* ---- comparing */

static void compare_outputs(const scene *s, const char *key, const void *outputs)
{
    const json_t *want = json_object_get(s->root, key);
    assert_int_equal(json_array_size(want), s->n_graphs * s->n_classes);
    for (size_t k = 0; k < json_array_size(want); k++)
        near(s, key, k, rg_real_at(s->precision, outputs, k), number(want, k));
}

static void compare_parameters(const scene *s, const char *key, const void *reals)
{
    const json_t *parameters = json_object_get(s->root, "parameters");
    size_t at = 0;
    for (size_t p = 0; p < json_array_size(parameters); p++) {
        const json_t *parameter = json_array_get(parameters, p),
                     *want = json_object_get(parameter, key);
        const char *name = json_string_value(json_object_get(parameter, "name"));
        for (size_t k = 0; k < json_array_size(want); k++)
            near(s, name, k, rg_real_at(s->precision, reals, at++), number(want, k));
    }
    assert_int_equal(at, s->tape.n_params);
}

static void compare_running(const scene *s)
{
    const json_t *running = json_object_get(s->root, "running");
    size_t norm = 0;
    for (size_t k = 0; k < s->tape.n_steps; k++) {
        const rg_step *step = &s->tape.steps[k];
        if (step->kind != RG_STEP_NORM)
            continue;
        const json_t *item = json_array_get(running, norm++),
                     *mean = json_object_get(item, "mean"),
                     *variance = json_object_get(item, "variance");
        size_t width = s->tape.values[step->out].width, at = s->tape.n_params + step->state;
        assert_int_equal(json_array_size(mean), width);
        for (size_t c = 0; c < width; c++) {
            near(s, "mean", c, rg_real_at(s->precision, s->w, at + c), number(mean, c));
            near(s, "variance", c, rg_real_at(s->precision, s->w, at + width + c),
                 number(variance, c));
        }
    }
    assert_int_equal(norm, json_array_size(running));
}

/* ---- one step */

static void run(scene *s)
{
    rg_tape_draws draws = {0};
    rg_optimiser optimiser;
    rg_optimiser_options options = rg_optimiser_default();
    double loss = 0, lr = json_number_value(json_object_get(s->root, "lr"));
    const void *outputs = rg_tape_forward(s->pass, &s->batch, s->w, &draws);
    compare_outputs(s, "outputs", outputs);
    compare_running(s);
    s->kernels->cross_entropy(&loss, rg_tape_slope(s->pass), s->n_graphs, s->n_classes, outputs,
                              rg_dataset_ranks(s->data, RG_CLASS, 0), NULL, 1.0 / s->n_graphs);
    near(s, "loss", 0, loss, json_number_value(json_object_get(s->root, "loss")));
    rg_tape_back(s->pass, s->w, s->g);
    compare_parameters(s, "gradient", s->g);
    rg_optimiser_begin(&optimiser, &options, s->kernels, s->tape.n_params, s->w, s->g, s->m, s->v);
    rg_optimiser_step(&optimiser, &lr);
    if (s->precision == RG_FLOAT)
        return; /* Adam divides slopes near 0 by their size: rounding becomes a step */
    compare_parameters(s, "after", s->w);
    compare_outputs(s, "evaluated", rg_tape_forward(s->pass, &s->batch, s->w, NULL));
}

/* ---- temporary assembly */
static void gin(rg_tape *t, uint32_t width, uint32_t convs, rg_pooling pooling, bool eps, uint32_t classes)
{
    uint32_t outs[8], n = 0, x = 0;
    for (uint32_t k = 0; k <= convs; k++) {
        uint32_t h = k ? rg_tape_linear(t, rg_tape_aggregate(t, x, RG_GATHER_SUM, 0, eps), width, false, 1) : rg_tape_embed(t, width, false);
        h = rg_tape_norm(t, h);
        x = rg_tape_norm(t, rg_tape_linear(t, h, width, false, 1));
        outs[n++] = rg_tape_linear(t, rg_tape_pool(t, x, pooling), classes, true, 1);
    }
    rg_tape_sum(t, outs, n);
}
static void sage(rg_tape *t, uint32_t width, uint32_t layers, rg_gathering how, uint32_t classes)
{
    uint32_t parts[8], shared = 0, x = 0;
    for (uint32_t k = 0; k < layers; k++) {
        if (how == RG_GATHER_MAX)
            x = rg_tape_linear(t, rg_tape_aggregate(t, k ? x : rg_tape_input(t), how, 0, false), width, true, 1);
        else
            x = rg_tape_linear(t, rg_tape_aggregate(t, k ? x : rg_tape_input(t), how, 0, false), width, true, 1);
        if (how == RG_GATHER_MAX) {
            x = k ? rg_tape_linear_again(t, x, shared) : (shared = rg_tape_linear(t, x, width, true, 1));
            x = rg_tape_relu(t, x);
        }
        parts[k] = x;
    }
    x = rg_tape_pool(t, rg_tape_join(t, parts, layers), RG_POOL_MAX);
    rg_tape_linear(t, rg_tape_relu(t, rg_tape_linear(t, x, width, true, 1)), classes, true, 1);
}
static void gcn(rg_tape *t, uint32_t width, uint32_t layers, rg_pooling pooling, uint32_t classes)
{
    uint32_t x = 0;
    for (uint32_t k = 0; k < layers; k++)
        x = rg_tape_relu(t, rg_tape_linear(t, rg_tape_aggregate(t, k ? x : rg_tape_input(t), RG_GATHER_GCN, 0, false), width, true, 1));
    rg_tape_linear(t, rg_tape_pool(t, x, pooling), classes, true, 1);
}
static void dgcnn(rg_tape *t, uint32_t width, uint32_t layers, uint32_t dense, uint32_t rows, uint32_t classes)
{
    uint32_t parts[8], x = 0;
    for (uint32_t k = 0; k <= layers; k++) {
        uint32_t w = k < layers ? width : 1;
        x = k ? rg_tape_linear(t, x, w, true, 1) : rg_tape_embed(t, w, true);
        parts[k] = x = rg_tape_tanh(t, rg_tape_aggregate(t, x, RG_GATHER_MEAN, 0, false));
    }
    x = rg_tape_sort(t, rg_tape_join(t, parts, layers + 1), rows);
    x = rg_tape_relu(t, rg_tape_linear(t, x, 16, true, rows));
    x = rg_tape_halve(t, x, 16);
    x = rg_tape_relu(t, rg_tape_slide(t, x, 16, 5, 32));
    rg_tape_linear(t, rg_tape_relu(t, rg_tape_linear(t, x, dense, true, 1)), classes, true, 1);
}
static void build_tape(scene *s, const char *name)
{
    rg_tape *t = &s->tape;
    uint32_t c = s->n_classes;
    rg_tape_begin(t, s->features);
    if (!strcmp(name, "gin-sum")) gin(t, 4, 2, RG_POOL_SUM, true, c);
    if (!strcmp(name, "gin-mean")) gin(t, 4, 1, RG_POOL_MEAN, false, c);
    if (!strcmp(name, "graphsage-add")) sage(t, 4, 3, RG_GATHER_SUM, c);
    if (!strcmp(name, "graphsage-mean")) sage(t, 4, 3, RG_GATHER_MEAN, c);
    if (!strcmp(name, "graphsage-max")) sage(t, 4, 2, RG_GATHER_MAX, c);
    if (!strcmp(name, "gcn-mean")) gcn(t, 4, 2, RG_POOL_MEAN, c);
    if (!strcmp(name, "gcn-sum")) gcn(t, 4, 3, RG_POOL_SUM, c);
    if (!strcmp(name, "dgcnn")) dgcnn(t, 4, 2, 6, 10, c);
    ASSERT_OK(rg_tape_seal(t, err));
}

static void check(const char *name, const char *settings)
{
    for (int precision = 0; precision < 2; precision++) {
        char *path = test_format("%s/tests/torch/%s.json", REGULA_SOURCE, name);
        scene s = {.name = name, .precision = precision ? RG_FLOAT : RG_DOUBLE};
        s.root = json_load_file(path, 0, NULL);
        if (!s.root)
            fail_msg("cannot read '%s'", path);
        s.allowed = precision ? 1e-5 : 1e-7;
        s.kernels = rg_kernels_get(s.precision, 1, rg_cpu_best());
        s.data = read_graphs(json_object_get(s.root, "graphs"));
        s.n_graphs = (uint32_t)rg_dataset_n_graphs(s.data);
        s.n_classes = (uint32_t)json_integer_value(json_object_get(s.root, "classes"));
        rg_gemm_begin();
        build_features(&s);
        build_tape(&s, settings);
        open_pass(&s);
        fill_parameters(&s);
        run(&s);
        close_scene(&s);
        free(path);
    }
}

static void gin_sum_is_that_of_pytorch(void **state)
{
    (void)state;
    check("gin-sum", "gin-sum");
}

static void gin_mean_is_that_of_pytorch(void **state)
{
    (void)state;
    check("gin-mean", "gin-mean");
}

static void graphsage_add_is_that_of_pytorch(void **state)
{
    (void)state;
    check("graphsage-add", "graphsage-add");
}

static void graphsage_mean_is_that_of_pytorch(void **state)
{
    (void)state;
    check("graphsage-mean", "graphsage-mean");
}

static void graphsage_max_is_that_of_pytorch(void **state)
{
    (void)state;
    check("graphsage-max", "graphsage-max");
}

static void gcn_mean_is_that_of_pytorch(void **state)
{
    (void)state;
    check("gcn-mean", "gcn-mean");
}

static void gcn_sum_is_that_of_pytorch(void **state)
{
    (void)state;
    check("gcn-sum", "gcn-sum");
}

static void dgcnn_is_that_of_pytorch(void **state)
{
    (void)state;
    check("dgcnn", "dgcnn");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gin_sum_is_that_of_pytorch),
        cmocka_unit_test(gin_mean_is_that_of_pytorch),
        cmocka_unit_test(graphsage_add_is_that_of_pytorch),
        cmocka_unit_test(graphsage_mean_is_that_of_pytorch),
        cmocka_unit_test(graphsage_max_is_that_of_pytorch),
        cmocka_unit_test(gcn_mean_is_that_of_pytorch),
        cmocka_unit_test(gcn_sum_is_that_of_pytorch),
        cmocka_unit_test(dgcnn_is_that_of_pytorch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
