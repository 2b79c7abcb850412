/* test_network_input.c - the numbers that come into a network, of data seen and not seen. */
#include "support/networks.h"

static int64_t label_of(const rg_dataset *data, size_t column, uint64_t node)
{
    size_t n;
    return rg_dataset_values(data, RG_NODE_LABEL, column,
                             &n)[rg_dataset_ranks(data, RG_NODE_LABEL, column)[node]];
}

static void inputs_are_what_the_file_says(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(12, 6, 4);
    test_network n = test_network_open("task: classification\n"
                                       "labels: {d: degree}\n"
                                       "input:\n"
                                       "  - signed\n"
                                       "  - scaled\n"
                                       "  - constant(2.5)\n"
                                       "  - one-hot(d)\n"
                                       "  - one-hot(node,1)\n"
                                       "  - attributes\n"
                                       "layers: [{aggregate: share out}]\n",
                                       data);
    size_t n_degrees = rg_labeling_size(n.net->labelings[0]), width = n.net->n_channels;
    const uint32_t *degree = rg_labels_data(n.samples->labels[0]);
    assert_int_equal(width, 3 + n_degrees + 2 + 2);
    for (size_t g = 0; g < rg_dataset_n_graphs(data); g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        double x[6 * 64];
        assert_true(graph.n_nodes * width <= sizeof x / sizeof *x);
        rg_samples_input(n.samples, g, x);
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            const double *own = x + i * width;
            uint64_t node = graph.first_node + i;
            int64_t first = label_of(data, 0, node), second = label_of(data, 1, node);
            double sign = first == 3 ? 1.0 / 3 : first == 5 ? -2.0 / 3 : 1.0;
            assert_true(own[0] == sign);
            assert_true(own[1] == (double)first / 3);
            assert_true(own[2] == 2.5);
            for (size_t c = 0; c < n_degrees; c++)
                assert_true(own[3 + c] == (c == degree[node]));
            assert_true(own[3 + n_degrees] == (second == 0));
            assert_true(own[4 + n_degrees] == (second == 7));
            for (size_t c = 0; c < 2; c++)
                assert_true(own[5 + n_degrees + c] ==
                            rg_dataset_reals(data, RG_NODE_ATTRIBUTE)[2 * node + c]);
        }
    }
    test_network_close(&n);
    rg_dataset_free(data);
}

static void arrays_come_in_as_they_are(void **state)
{
    (void)state;
    rg_arrays *arrays = test_arrays(5, 5);
    test_network n = test_network_open_arrays("layers: [{dense: auto}]", arrays);
    double x[24], y[24];
    rg_samples_input(n.samples, 3, x);
    rg_arrays_copy(y, arrays, 3);
    assert_memory_equal(x, y, sizeof x);
    assert_int_equal(n.net->n_params, 24 * 3 + 3);
    test_network_close(&n);
    rg_arrays_free(arrays);
}

/* Labels that only the others have come in as 0, and pairs with new keys are not connected. */
static void what_the_fit_never_saw_is_left_out(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(40, 8, 6);
    uint32_t fit[40];
    size_t n_fit = 0, n_new = 0;
    for (uint32_t g = 0; g < 40; g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        bool has = false;
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            has = has || label_of(data, 0, graph.first_node + i) == 5;
        if (!has)
            fit[n_fit++] = g;
    }
    assert_true(n_fit > 3 && n_fit < 40);
    rg_settings settings;
    rg_network *net = NULL;
    rg_samples *samples = NULL;
    rg_source source = {.graphs = data};
    rg_build_options building = {.fit = fit, .n_fit = n_fit, .n_threads = 1};
    rg_samples_options tables = {.n_threads = 1, .keep = true};
    rg_spec *spec = test_spec(&settings, "task: classification\n"
                                         "layers:\n"
                                         "  - rule: share node(i), node(j) when edge(i,j)\n"
                                         "  - aggregate: share out\n");
    ASSERT_OK(rg_network_build(&net, NULL, spec, &source, &building, err));
    ASSERT_OK(rg_samples_open(&samples, net, &source, NULL, &tables, err));
    uint64_t n_unseen = 0;
    for (uint32_t g = 0; g < 40; g++) {
        rg_graph graph = rg_dataset_graph(data, g);
        double x[8];
        rg_samples_input(samples, g, x);
        for (uint32_t i = 0; i < graph.n_nodes; i++) {
            int64_t own = label_of(data, 0, graph.first_node + i);
            assert_true(x[i] == (own == 3 ? 0.5 : own == 8 ? -1.0 : 0.0));
            n_new += own == 5;
            for (uint64_t k = graph.row[i]; k < graph.row[i + 1]; k++)
                n_unseen += own == 5 || label_of(data, 0, graph.first_node + graph.col[k]) == 5;
        }
    }
    assert_int_equal(rg_samples_unknown_labels(samples), n_new);
    assert_int_equal(samples->unseen, n_unseen);
    rg_samples_free(samples);
    rg_network_free(net);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inputs_are_what_the_file_says),
        cmocka_unit_test(arrays_come_in_as_they_are),
        cmocka_unit_test(what_the_fit_never_saw_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
