/* test_torch.c - message passing networks against what PyTorch found (tests/torch): outputs, loss,
 * gradients, what batch norms keep, one step of Adam, and outputs when nothing is trained. */
#include "gnn/gnn.h"
#include "graph/raw.h"
#include "support/support.h"
#include "train/optimiser.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* One file on its way through a network. */
typedef struct torch_case {
    const char *name;
    json_t *root;
    rg_precision precision;
    const rg_kernels *kernels;
    rg_dataset *data;
    rg_gnn_prepared *prepared;
    const rg_tape *tape; /* its */
    rg_batch batch;
    rg_tape_pass *pass;
    void *w, *g, *m, *v; /* parameters, then what norms keep; [n_params] the others */
    uint32_t n_graphs, n_classes;
    double allowed; /* deviation, of 1 or of the number itself if that is larger */
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

static void build_bench(torch_case *s, rg_gnn_kind kind, const char *settings)
{
    rg_yaml *root = NULL;
    rg_gnn_settings *read = NULL;
    rg_source source = {.graphs = s->data};
    rg_baseline_options options = {.n_threads = 1};
    void *prepared = NULL;
    ASSERT_OK(rg_yaml_parse(&root, s->name, settings, strlen(settings), err));
    ASSERT_OK(rg_gnn_settings_read(&read, kind, root, err));
    ASSERT_OK(rg_gnn_prepared_new(&prepared, read, &source, &options, err));
    s->prepared = prepared;
    s->tape = &s->prepared->tape;
    rg_gnn_settings_free(read);
    rg_yaml_free(root);
}

static void fill_parameters(torch_case *s)
{
    const json_t *parameters = json_object_get(s->root, "parameters");
    size_t at = 0;
    rg_tape_start_values(s->w, s->tape, RG_START_UNIFORM, s->kernels, 1, 0); /* what norms keep */
    for (size_t p = 0; p < json_array_size(parameters); p++) {
        const json_t *values = json_object_get(json_array_get(parameters, p), "values");
        assert_true(at + json_array_size(values) <= s->tape->n_params);
        for (size_t k = 0; k < json_array_size(values); k++)
            put(s, s->w, at++, number(values, k));
    }
    assert_int_equal(at, s->tape->n_params);
}

static void open_pass(torch_case *s)
{
    rg_batch_size size;
    uint32_t list[16];
    size_t n = s->tape->n_params + s->tape->n_state;
    assert_true(s->n_graphs <= 16);
    for (uint32_t k = 0; k < s->n_graphs; k++)
        list[k] = k;
    ASSERT_OK(rg_batch_measure(&size, s->data, list, s->n_graphs, s->n_graphs, err));
    ASSERT_OK(rg_batch_open(&s->batch, &size, s->prepared->colouring, s->precision, err));
    rg_batch_fill(&s->batch, s->data, list, s->n_graphs);
    ASSERT_OK(rg_tape_pass_new(&s->pass, s->tape, &size, s->precision, rg_cpu_best(), err));
    void **arrays[] = {&s->w, &s->g, &s->m, &s->v};
    for (size_t k = 0; k < 4; k++) {
        *arrays[k] = calloc(n + 1, s->kernels->real_size);
        assert_non_null(*arrays[k]);
    }
}

static void close_scene(torch_case *s)
{
    void *arrays[] = {s->w, s->g, s->m, s->v};
    for (size_t k = 0; k < 4; k++)
        free(arrays[k]);
    rg_tape_pass_free(s->pass);
    rg_batch_close(&s->batch);
    rg_gnn_prepared_free(s->prepared);
    rg_dataset_free(s->data);
    json_decref(s->root);
}

/* ---- comparing */

static void compare_outputs(const torch_case *s, const char *key, const void *outputs)
{
    const json_t *want = json_object_get(s->root, key);
    assert_int_equal(json_array_size(want), s->n_graphs * s->n_classes);
    for (size_t k = 0; k < json_array_size(want); k++)
        near(s, key, k, rg_real_at(s->precision, outputs, k), number(want, k));
}

static void compare_parameters(const torch_case *s, const char *key, const void *reals)
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
    assert_int_equal(at, s->tape->n_params);
}

static void compare_running(const torch_case *s)
{
    const json_t *running = json_object_get(s->root, "running");
    size_t norm = 0;
    for (size_t k = 0; k < s->tape->n_steps; k++) {
        const rg_step *step = &s->tape->steps[k];
        if (step->kind != RG_STEP_NORM)
            continue;
        const json_t *item = json_array_get(running, norm++), *mean = json_object_get(item, "mean"),
                     *variance = json_object_get(item, "variance");
        size_t width = s->tape->values[step->out].width, at = s->tape->n_params + step->state;
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

static void run(torch_case *s)
{
    rg_tape_draws draws = {0};
    rg_optimiser optimiser;
    rg_optimiser_options options = rg_optimiser_default();
    double loss = 0, lr = json_number_value(json_object_get(s->root, "lr"));
    const void *outputs = rg_tape_forward(s->pass, &s->batch, s->w, &draws);
    compare_outputs(s, "outputs", outputs);
    compare_running(s);
    s->kernels->cross_entropy(&loss, rg_tape_gradient(s->pass), s->n_graphs, s->n_classes, outputs,
                              rg_dataset_ranks(s->data, RG_CLASS, 0), NULL, 1.0 / s->n_graphs);
    near(s, "loss", 0, loss, json_number_value(json_object_get(s->root, "loss")));
    rg_tape_back(s->pass, s->w, s->g);
    compare_parameters(s, "gradient", s->g);
    rg_optimiser_begin(&optimiser, &options, s->kernels, s->tape->n_params, s->w, s->g, s->m, s->v);
    rg_optimiser_step(&optimiser, &lr);
    if (s->precision == RG_FLOAT)
        return; /* Adam divides gradients near 0 by their size: rounding becomes a step */
    compare_parameters(s, "after", s->w);
    compare_outputs(s, "evaluated", rg_tape_forward(s->pass, &s->batch, s->w, NULL));
}

static void check(const char *name, rg_gnn_kind kind, const char *settings)
{
    for (int precision = 0; precision < 2; precision++) {
        char *path = test_format("%s/tests/torch/%s.json", REGULA_SOURCE, name);
        torch_case s = {.name = name, .precision = precision ? RG_FLOAT : RG_DOUBLE};
        s.root = json_load_file(path, 0, NULL);
        if (!s.root)
            fail_msg("cannot read '%s'", path);
        s.allowed = precision ? 1e-5 : 1e-7;
        s.kernels = rg_kernels_get(s.precision, 1, rg_cpu_best());
        s.data = read_graphs(json_object_get(s.root, "graphs"));
        s.n_graphs = (uint32_t)rg_dataset_n_graphs(s.data);
        s.n_classes = (uint32_t)json_integer_value(json_object_get(s.root, "classes"));
        build_bench(&s, kind, settings);
        open_pass(&s);
        fill_parameters(&s);
        run(&s);
        close_scene(&s);
        free(path);
    }
}

#define FEATURES "features: [labels, degree]\n"

static void gin_is_that_of_pytorch(void **state)
{
    (void)state;
    check("gin-sum", RG_GNN_GIN,
          "model: gin\nlayers: 2\nwidth: 4\neps: learned\npooling: sum\ndropout: 0\n" FEATURES);
    check("gin-mean", RG_GNN_GIN,
          "model: gin\nlayers: 1\nwidth: 4\neps: 0\npooling: mean\ndropout: 0\n" FEATURES);
}

static void graphsage_is_that_of_pytorch(void **state)
{
    (void)state;
    check("graphsage-add", RG_GNN_GRAPHSAGE,
          "model: graphsage\nlayers: 3\nwidth: 4\naggregation: add\n" FEATURES);
    check("graphsage-mean", RG_GNN_GRAPHSAGE,
          "model: graphsage\nlayers: 3\nwidth: 4\naggregation: mean\n" FEATURES);
    check("graphsage-max", RG_GNN_GRAPHSAGE,
          "model: graphsage\nlayers: 2\nwidth: 4\naggregation: max\n" FEATURES);
}

static void graphsage_with_weights_for_the_node_itself_is_that_of_pytorch(void **state)
{
    (void)state;
    check("graphsage-own-add", RG_GNN_GRAPHSAGE,
          "model: graphsage\nlayers: 2\nwidth: 4\naggregation: add\nself: own\n" FEATURES);
    check("graphsage-own-mean", RG_GNN_GRAPHSAGE,
          "model: graphsage\nlayers: 2\nwidth: 4\naggregation: mean\nself: own\n" FEATURES);
    check("graphsage-own-max", RG_GNN_GRAPHSAGE,
          "model: graphsage\nlayers: 2\nwidth: 4\naggregation: max\nself: own\n" FEATURES);
}

static void gcn_is_that_of_pytorch(void **state)
{
    (void)state;
    check("gcn-mean", RG_GNN_GCN,
          "model: gcn\nlayers: 2\nwidth: 4\npooling: mean\ndropout: 0\n" FEATURES);
    check("gcn-sum", RG_GNN_GCN,
          "model: gcn\nlayers: 3\nwidth: 4\npooling: sum\ndropout: 0\n" FEATURES);
}

static void dgcnn_is_that_of_pytorch(void **state)
{
    (void)state;
    check("dgcnn", RG_GNN_DGCNN,
          "model: dgcnn\nlayers: 2\nwidth: 4\nk: 10\ndense: 6\ndropout: 0\n" FEATURES);
    check("dgcnn-channels", RG_GNN_DGCNN,
          "model: dgcnn\nlayers: 2\nwidth: 4\nk: 10\nsort: channels\ndense: 6\ndropout: "
          "0\n" FEATURES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gin_is_that_of_pytorch),
        cmocka_unit_test(graphsage_is_that_of_pytorch),
        cmocka_unit_test(graphsage_with_weights_for_the_node_itself_is_that_of_pytorch),
        cmocka_unit_test(gcn_is_that_of_pytorch),
        cmocka_unit_test(dgcnn_is_that_of_pytorch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
