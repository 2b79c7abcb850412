/* test_network_gradients.c - whole networks in double: outputs against loops over all pairs,
 * gradients against central differences. */
#include "support/networks.h"

#include "train/measure.h"

#include <math.h>
#include <string.h>

/* Every kind of layer, activation, task and loss is in one of them; "$" stands for what all share.
 */
static const char *const texts[] = {
    /* the paper's */
    "preset: paper\n"
    "task: classification\n"
    "layers:\n"
    "  - rule: share d(i), d(j), dist(i,j) when dist(i,j) in 1..3\n"
    "    bias: share d(i)\n"
    "  - aggregate: share out, d(i)\n",
    /* heads, two rules that add up, a bias, mix, a residual; class weights */
    "task: classification\n"
    "layers:\n"
    "  - rule: [\"share a(i), a(j) when edge(i,j)\", share d(i) when i = j]\n"
    "    bias: share a(i)\n"
    "    heads: 3\n"
    "  - rule: share dist(i,j) when dist(i,j) <= 2\n"
    "    residual: true\n"
    "  - rule: [\"share a(j) when edge(i,j)\", share 1 when i = j]\n"
    "    bias: share 1\n"
    "    heads: 2\n"
    "    mix: full\n"
    "    activation: gelu\n"
    "  - aggregate: [\"share out, a(i)\", share out]\n"
    "    by: sum\n"
    "    activation: gelu\n"
    "training: {class_weights: [0.5, 2, 1.25]}\n",
    /* dense layers on nodes and on the vector, norms, dropout; real values */
    "task: regression\n"
    "input: [signed, attributes]\n"
    "layers:\n"
    "  - norm: layer\n"
    "  - dense: 4\n"
    "    activation: leaky-relu\n"
    "  - dropout: 0.4\n"
    "  - rule: share a(i), dist(i,j) when dist(i,j) <= 1\n"
    "    residual: true\n"
    "  - norm: layer\n"
    "  - dropout: 0\n"
    "  - aggregate: share out, a(i)\n"
    "    outputs: 5\n"
    "    bias: false\n"
    "  - dropout: 0.3\n"
    "  - dense: 5\n"
    "    residual: true\n"
    "    activation: gelu\n"
    "  - norm: layer\n"
    "  - dense: auto\n",
    /* values of nodes: in rules, a bias and an aggregation; several inputs */
    "task: classification\n"
    "input: [signed, attributes]\n"
    "layers:\n"
    "  - rule: share a(i), value(j,1) > value(i,1), bin(value(j,2), 3) when dist(i,j) <= 1\n"
    "    bias: share value(i) > 0\n"
    "    heads: 2\n"
    "    mix: full\n"
    "  - aggregate: share out, bin(value(i,2), 4)\n",
    /* the input stands in the table */
    "task: classification\n"
    "layers:\n"
    "  - rule: share d(i), value(j) > 0.0 when edge(i,j)\n"
    "    bias: share bin(value(i), 2)\n"
    "  - aggregate: share out, value(i) <= 0.5\n",
    /* dropout and an activation before anything that learns; absolute errors */
    "task: regression\n"
    "input: [attributes, constant(0.7), one-hot(a)]\n"
    "layers:\n"
    "  - dropout: 0.2\n"
    "  - activation: gelu\n"
    "  - rule: share a(i), a(j) when dist(i,j) <= 1\n"
    "    mix: full\n"
    "    heads: 3\n"
    "    activation: relu\n"
    "  - activation: tanh\n"
    "  - aggregate: share out, d(i)\n"
    "training: {loss: mae}\n",
    /* answers, some of them not known, from an aggregation alone */
    "task: multi-label\n"
    "target: [2, 1]\n"
    "layers:\n"
    "  - aggregate: share out, a(i)\n"
    "  - activation: leaky-relu\n"
    "training: {class_weights: [3, 0.5]}\n",
    /* a class a node */
    "task: node-classification\n"
    "target: 1\n"
    "input: [constant, attributes]\n"
    "layers:\n"
    "  - rule: share d(i), d(j) when edge(i,j)\n"
    "    mix: full\n"
    "    heads: 3\n"
    "    bias: share d(i)\n"
    "  - rule: share 1 when i = j\n"
    "    residual: true\n"
    "  - dense: auto\n"
    "training: {class_weights: [1, 3]}\n",
    /* a class a node from a rule whose input stands in the tables */
    "task: node-classification\n"
    "layers:\n"
    "  - rule: share d(i), dist(i,j) when dist(i,j) in 1..2\n"
    "    bias: share 1 when d(i) > 0\n",
};
enum { N_TEXTS = sizeof texts / sizeof *texts };

static const char image_text[] = "layers:\n"
                                 "  - rule: share channel(i), row(j)-row(i), col(j)-col(i)\n"
                                 "      when row(j)-row(i) in 0..2 and col(j)-col(i) in 0..1\n"
                                 "    bias: share channel(i)\n"
                                 "    shape: [2, 2, 3]\n"
                                 "    heads: 2\n"
                                 "    activation: gelu\n"
                                 "  - dropout: 0.25\n"
                                 "  - norm: layer\n"
                                 "  - rule: share i\n"
                                 "    shape: [1, 5]\n"
                                 "    activation: tanh\n"
                                 "  - dense: auto\n"
                                 "training: {precision: double, batch: 4}\n";

/* Each image has tables of its own beside those that all share. */
static const char valued_text[] =
    "layers:\n"
    "  - rule: [\"share channel(i), row(j)-row(i), value(j) > 0 when row(j)-row(i) in 0..1\",\n"
    "           \"share col(j) when i = j\"]\n"
    "    bias: share bin(value(i), 3)\n"
    "    shape: [4, 3, 2]\n"
    "    activation: gelu\n"
    "  - rule: share i, bin(value(7), 4), value(j,1) > value(2) when j mod 2 = 1\n"
    "    shape: [4, 3]\n"
    "    bias: share i\n"
    "  - dense: auto\n"
    "training: {precision: double}\n";

static test_network open_text(const char *text, const rg_dataset *data)
{
    bool settings = strstr(text, "training: {") != NULL;
    size_t n = settings ? (size_t)(strstr(text, "training: {") - text) + 11 : strlen(text);
    char *whole = test_format("labels: {d: degree, a: node}\n%.*s%sprecision: double%s", (int)n,
                              text, settings ? "" : "training: {", settings ? ", " : "}\n");
    char *all = test_format("%s%s", whole, text + n);
    test_network net = test_network_open(all, data);
    free(whole);
    free(all);
    return net;
}

/* What a loss needs. */
typedef struct bench {
    test_network n;
    rg_measure measure;
    rg_walk walk;
    rg_pass *pass;
    uint32_t *list;
    double weight; /* of all targets */
} bench;

static bench bench_open(test_network n)
{
    bench b = {.n = n};
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best());
    b.list = calloc(n.samples->n + 1, sizeof *b.list);
    assert_non_null(b.list);
    for (uint32_t k = 0; k < n.samples->n; k++)
        b.list[k] = k;
    ASSERT_OK(
        rg_measure_open(&b.measure, n.samples, kernels, &n.settings, b.list, n.samples->n, err));
    ASSERT_OK(rg_walk_open(&b.walk, n.samples, err));
    ASSERT_OK(rg_pass_new(&b.pass, n.samples, kernels, &(rg_pass_options){.backward = true}, err));
    for (uint32_t k = 0; k < n.samples->n; k++)
        b.weight += rg_measure_weight(&b.measure, k);
    assert_true(b.weight > 0);
    return b;
}

static void bench_close(bench *b)
{
    rg_walk_close(&b->walk);
    rg_pass_free(b->pass);
    test_network_close(&b->n);
    free(b->list);
}

/* The loss of all samples; g, if not NULL, gets its gradient. The draws of dropout are fixed. */
static double loss_of(bench *b, double *w, double *g)
{
    rg_tally tally = {.weight = 0};
    rg_pass_draws draws = {.seed = {5}, .stream = 1000};
    rg_sample sample;
    rg_walk_begin(&b->walk, b->list, b->n.samples->n);
    for (size_t k = 0; k < b->n.samples->n; k++) {
        ASSERT_OK(rg_walk_next(&sample, &b->walk, err));
        const void *z = rg_pass_forward(b->pass, &sample, 1, w, &draws);
        rg_measure_sample(&tally, &b->measure, &sample, z, g ? rg_pass_gradient(b->pass) : NULL,
                          1 / b->weight);
        if (g)
            rg_pass_backward(b->pass, g);
    }
    assert_true(fabs(tally.weight - b->weight) < 1e-9);
    return rg_tally_loss(&tally, 0);
}

static void check_gradient(test_network n, const char *text)
{
    enum { MOST = 120 };
    bench b = bench_open(n);
    size_t n_params = n.net->n_params, step = n_params / MOST + 1, n_moving = 0;
    double *w = test_network_weights(&n, 3), *g = calloc(n_params, sizeof *g), h = 1e-5;
    assert_non_null(g);
    loss_of(&b, w, g);
    for (size_t k = 0; k < n_params; k += step) {
        double kept = w[k];
        w[k] = kept + h;
        double up = loss_of(&b, w, NULL);
        w[k] = kept - h;
        double down = loss_of(&b, w, NULL);
        w[k] = kept;
        double slope = (up - down) / (2 * h);
        if (!test_near(g[k], slope, 1e-6, 1e-3))
            fail_msg("%s\nparameter %zu: %.12g, by differences %.12g", text, k, g[k], slope);
        n_moving += g[k] != 0;
    }
    if (2 * n_moving < n_params / step)
        fail_msg("%s\nonly %zu of %zu parameters have a gradient", text, n_moving, n_params / step);
    free(w);
    free(g);
    bench_close(&b);
}

/* Windows first, behind a rule with several channels a place, and on volumes. */
static const char *const window_texts[] = {"task: classification\n"
                                           "layers:\n"
                                           "  - window: max\n"
                                           "  - dense: auto\n"
                                           "training: {precision: double}\n",
                                           "task: classification\n"
                                           "layers:\n"
                                           "  - rule: share row(j) - row(i), channel(i) when "
                                           "abs(row(j) - row(i)) <= 1 and col(i) = col(j)\n"
                                           "    shape: [5, 3, 2]\n"
                                           "    heads: 2\n"
                                           "    mix: full\n"
                                           "  - window: mean\n"
                                           "  - window: max\n"
                                           "    name: w\n"
                                           "  - dense: auto\n"
                                           "training: {precision: double}\n",
                                           "task: classification\n"
                                           "layers:\n"
                                           "  - rule: share i, j\n"
                                           "    shape: [3, 4, 5, 2]\n"
                                           "  - window: mean\n"
                                           "  - rule: share depth(i) - depth(j), channel(j)\n"
                                           "    shape: [2, 2, 4, 1]\n"
                                           "  - window: mean\n"
                                           "    size: 2\n"
                                           "  - dense: auto\n"
                                           "training: {precision: double}\n"};
enum { N_WINDOW_TEXTS = sizeof window_texts / sizeof *window_texts };

static void gradients_are_those_of_central_differences(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(16, 7, 11);
    rg_arrays *arrays = test_arrays(7, 11);
    for (size_t k = 0; k < N_TEXTS; k++)
        check_gradient(open_text(texts[k], data), texts[k]);
    check_gradient(test_network_open_arrays(image_text, arrays), image_text);
    check_gradient(test_network_open_arrays(valued_text, arrays), valued_text);
    for (size_t k = 0; k < N_WINDOW_TEXTS; k++)
        check_gradient(test_network_open_arrays(window_texts[k], arrays), window_texts[k]);
    rg_dataset_free(data);
    rg_arrays_free(arrays);
}

static void check_outputs(test_network n, const char *text)
{
    bench b = bench_open(n);
    double *w = test_network_weights(&n, 4);
    rg_walk_begin(&b.walk, b.list, n.samples->n);
    for (size_t k = 0; k < n.samples->n; k++) {
        rg_sample sample;
        size_t size;
        double *expected = test_network_outputs(&size, &n, w, k);
        ASSERT_OK(rg_walk_next(&sample, &b.walk, err));
        assert_int_equal(sample.number, k);
        const double *z = rg_pass_forward(b.pass, &sample, 1, w, NULL);
        assert_ptr_equal(z, rg_pass_outputs(b.pass));
        assert_int_equal(rg_pass_output(b.pass, 1), size);
        for (size_t v = 0; v < size; v++)
            if (!test_near(z[v], expected[v], 1e-11, 1))
                fail_msg("%s\nsample %zu, output %zu: %.17g, expected %.17g", text, k, v, z[v],
                         expected[v]);
        free(expected);
    }
    free(w);
    bench_close(&b);
}

static void outputs_are_those_of_loops_over_all_pairs(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(16, 7, 12);
    rg_arrays *arrays = test_arrays(5, 12);
    for (size_t k = 0; k < N_TEXTS; k++)
        check_outputs(open_text(texts[k], data), texts[k]);
    check_outputs(test_network_open_arrays(image_text, arrays), image_text);
    check_outputs(test_network_open_arrays(valued_text, arrays), valued_text);
    for (size_t k = 0; k < N_WINDOW_TEXTS; k++)
        check_outputs(test_network_open_arrays(window_texts[k], arrays), window_texts[k]);
    rg_dataset_free(data);
    rg_arrays_free(arrays);
}

/* ---- what dropout draws */

/* The values of all samples behind layer `at`, which is dropout, one after another; how many. */
static size_t collect_dropped(bench *b, double *w, double *out, size_t at, uint64_t stream)
{
    rg_pass_draws draws = {.seed = {5}, .stream = stream};
    size_t n = 0;
    rg_walk_begin(&b->walk, b->list, b->n.samples->n);
    for (size_t k = 0; k < b->n.samples->n; k++) {
        rg_sample sample;
        ASSERT_OK(rg_walk_next(&sample, &b->walk, err));
        rg_pass_forward(b->pass, &sample, 1, w, &draws);
        uint32_t v = (uint32_t)at + 1;
        rg_pass_signal(out + n, b->pass, v, 0);
        n += rg_pass_signal_rows(b->pass, v, 0) * b->n.net->values[v].channels;
    }
    return n;
}

/* A layer that gives more rows than came in, and one that gives a vector, have draws of their own
 * in every sample, one without nodes too. */
static void dropout_of_one_sample_says_nothing_about_another(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(40, 5, 14);
    rg_arrays *arrays = test_arrays(30, 14);
    static const char image[] = "layers:\n"
                                "  - {rule: \"share channel(i), channel(j)\", shape: [4, 3, 8]}\n"
                                "  - dropout: 0.5\n"
                                "  - dense: auto\n"
                                "training: {precision: double}\n";
    static const char vector[] = "task: classification\n"
                                 "layers:\n"
                                 "  - {aggregate: share out, outputs: 48}\n"
                                 "  - dropout: 0.5\n"
                                 "  - dense: auto\n"
                                 "training: {precision: double}\n";
    for (int way = 0; way < 2; way++) {
        bench b = bench_open(way ? test_network_open(vector, data)
                                 : test_network_open_arrays(image, arrays));
        double *w = test_network_weights(&b.n, 1), *x = calloc(96 * 30, sizeof *x);
        size_t width = way ? 48 : 96, n = collect_dropped(&b, w, x, 1, 64);
        assert_int_equal(n, width * b.n.samples->n);
        for (size_t shift = 1; shift <= 2 * width; shift++) {
            size_t n_same = 0;
            for (size_t k = 0; k + shift < n; k++)
                n_same += (x[k] == 0) == (x[k + shift] == 0);
            double part = (double)n_same / (double)(n - shift);
            if (fabs(part - 0.5) > 0.07)
                fail_msg("%zu apart, %g of the draws are the same", shift, part);
        }
        free(w);
        free(x);
        bench_close(&b);
    }
    rg_dataset_free(data);
    rg_arrays_free(arrays);
}

static void dropout_drops_its_part_in_every_epoch_anew(void **state)
{
    (void)state;
    rg_dataset *data = test_dataset_with_targets(60, 20, 13);
    size_t n_nodes = (size_t)rg_dataset_n_nodes(data), n_dropped = 0, n_same = 0;
    bench b = bench_open(test_network_open("task: classification\n"
                                           "input: constant\n"
                                           "layers: [{dropout: 0.3}, {aggregate: share out}]\n"
                                           "training: {precision: double}\n",
                                           data));
    double *w = test_network_weights(&b.n, 1), *x = calloc(n_nodes, sizeof *x),
           *y = calloc(n_nodes, 8);
    assert_true(x && y);
    collect_dropped(&b, w, x, 0, 64);
    collect_dropped(&b, w, y, 0, 128);
    for (size_t k = 0; k < n_nodes; k++) {
        assert_true(x[k] == 0 || x[k] == 1 / 0.7);
        n_dropped += x[k] == 0;
        n_same += x[k] == y[k];
    }
    assert_true(fabs((double)n_dropped / (double)n_nodes - 0.3) < 0.08);
    assert_true(fabs((double)n_same / (double)n_nodes - 0.58) < 0.1); /* 0.3^2 + 0.7^2 */
    free(w);
    free(x);
    free(y);
    bench_close(&b);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_are_those_of_loops_over_all_pairs),
        cmocka_unit_test(gradients_are_those_of_central_differences),
        cmocka_unit_test(dropout_drops_its_part_in_every_epoch_anew),
        cmocka_unit_test(dropout_of_one_sample_says_nothing_about_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
