/* test_layer_gradients.c - dense, activation, dropout, norm, residual: central differences, lanes,
 * and what each layer is known to give. */
#include "support/support.h"

#include "base/random.h"
#include "layer_arrays.h"

#include <math.h>
#include <string.h>

/* ---- dense: a[2] x, a[4] w, a[6] b */
typedef struct dense {
    size_t n;
    uint32_t n_in, n_out;
} dense;

static void dense_forward(layer_arrays *s)
{
    const dense *d = s->context;
    s->kernels->dense_forward(s->a[0], d->n, d->n_in, d->n_out, s->a[4], s->a[6], s->a[2]);
}

static void dense_backward(layer_arrays *s)
{
    const dense *d = s->context;
    s->kernels->dense_backward(s->a[5], s->a[7], s->a[3], d->n, d->n_in, d->n_out, s->a[4], s->a[2],
                               s->a[1]);
}

static void dense_layers(void (*check)(const layer_case *layer))
{
    static const dense shapes[] = {{1, 1, 1}, {1, 5, 3}, {7, 3, 1}, {4, 2, 9}, {3, 17, 11}};
    for (size_t k = 0; k < 4 * sizeof shapes / sizeof *shapes; k++) {
        const dense *d = &shapes[k / 4];
        size_t bias = k % 2 ? d->n_out : 0, x = d->n * d->n_in, y = d->n * d->n_out;
        layer_case layer = {"dense", d, dense_forward, dense_backward, {y, y, x, x}};
        layer.n[3] = k % 4 < 2 ? x : 0; /* also without dx */
        layer.n[4] = layer.n[5] = (size_t)d->n_in * d->n_out;
        layer.n[6] = layer.n[7] = bias;
        check(&layer);
    }
}

/* ---- activation: a[2] x */
static void activation_forward(layer_arrays *s)
{
    s->kernels->activation_forward(s->a[0], *(const rg_activation *)s->context, 37, s->a[2]);
}

static void activation_backward(layer_arrays *s)
{
    s->kernels->activation_backward(s->a[3], *(const rg_activation *)s->context, 37, s->a[2],
                                    s->a[0], s->a[1]);
}

static void activations(void (*check)(const layer_case *layer))
{
    static const char *const names[] = {"identity", "tanh",     "relu", "leaky relu", "gelu",
                                        "sigmoid",  "softplus", "elu",  "swish"};
    for (int kind = RG_IDENTITY; kind <= RG_SWISH; kind++) {
        rg_activation context = (rg_activation)kind;
        layer_case layer = {
            names[kind], &context, activation_forward, activation_backward, {37, 37, 37, 37}};
        check(&layer);
    }
}

/* ---- dropout: a[2] x, a[8] mask */
static const uint64_t seeds[RG_MAX_LANES] = {11, 12, 13, 14, 15, 16, 17, 18};

static void dropout_forward(layer_arrays *s)
{
    s->kernels->dropout_forward(s->a[0], s->a[8], 53, 0.3, seeds + s->first_lane, 5, 1000, s->a[2]);
}

static void dropout_backward(layer_arrays *s)
{
    s->kernels->multiply(s->a[3], 53, s->a[1], s->a[8]);
}

/* ---- norm: a[2] x, a[4] gain, a[6] shift, a[8] stat */
static void norm_forward(layer_arrays *s)
{
    s->kernels->norm_forward(s->a[0], s->a[8], 6, 5, s->a[4], s->a[6], s->a[2]);
}

static void norm_backward(layer_arrays *s)
{
    s->kernels->norm_backward(s->a[5], s->a[7], s->a[3], 6, 5, s->a[4], s->a[2], s->a[8], s->a[1]);
}

/* ---- residual: y = x + tanh(x), a[2] x, a[8] tanh(x) */
static void residual_forward(layer_arrays *s)
{
    s->kernels->tanh(s->a[8], 21, s->a[2]);
    memcpy(s->a[0], s->a[8], 21 * s->kernels->real_size * s->kernels->lanes);
    s->kernels->add(s->a[0], 21, s->a[2]);
}

static void residual_backward(layer_arrays *s)
{
    s->kernels->activation_backward(s->a[3], RG_TANH, 21, NULL, s->a[8], s->a[1]);
    s->kernels->add(s->a[3], 21, s->a[1]);
}

static void others(void (*check)(const layer_case *layer))
{
    static const layer_case cases[] = {
        {"dropout", NULL, dropout_forward, dropout_backward, {53, 53, 53, 53, [8] = 53}},
        {"norm", NULL, norm_forward, norm_backward, {30, 30, 30, 30, 5, 5, 5, 5, 12}},
        {"residual", NULL, residual_forward, residual_backward, {21, 21, 21, 21, [8] = 21}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        check(&cases[k]);
}

static void gradients_are_those_of_central_differences(void **state)
{
    (void)state;
    dense_layers(layer_check_gradients);
    activations(layer_check_gradients);
    others(layer_check_gradients);
}

static void lanes_have_the_bits_of_runs_alone(void **state)
{
    (void)state;
    dense_layers(layer_check_lanes);
    activations(layer_check_lanes);
    others(layer_check_lanes);
}

static void activations_have_known_values(void **state)
{
    (void)state;
    static const struct {
        rg_activation kind;
        double x, y;
    } cases[] = {
        {RG_IDENTITY, -3, -3},
        {RG_TANH, 0.5, 0.46211715726000975850},
        {RG_RELU, -2, 0},
        {RG_RELU, 2, 2},
        {RG_LEAKY_RELU, -2, -0.02},
        {RG_LEAKY_RELU, 2, 2},
        {RG_GELU, 1, 0.84119199060827670478},
        {RG_GELU, -1, -0.15880800939172329522},
        {RG_SIGMOID, 2, 0.88079707797788244406},
        {RG_SIGMOID, -40, 4.2483542552915889953e-18},
        {RG_SOFTPLUS, 0, 0.69314718055994530942},
        {RG_SOFTPLUS, 3, 3.04858735157374205883},
        {RG_SOFTPLUS, -2, 0.12692801104297249644},
        {RG_ELU, 2, 2},
        {RG_ELU, -0.5, -0.39346934028736657640},
        {RG_ELU, -1e-9, -9.999999995e-10},
        {RG_ELU, -1000, -1},
        {RG_SWISH, 2, 1.76159415595576488812},
        {RG_SWISH, -3, -0.14227761953270033989},
    };
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best());
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double y = cases[k].x;
        kernels->activation_forward(&y, cases[k].kind, 1, &y); /* in place */
        assert_true(fabs(y - cases[k].y) < 1e-15);
    }
}

static void dropout_keeps_its_share_and_the_mean(void **state)
{
    (void)state;
    enum { N = 20000 };
    static double x[N], y[N], mask[N], again[N], late[N];
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best());
    size_t n_kept = 0;
    for (size_t k = 0; k < N; k++)
        x[k] = 1;
    kernels->dropout_forward(y, mask, N, 0.25, seeds, 1, 0, x);
    for (size_t k = 0; k < N; k++) {
        assert_true(y[k] == 0 || y[k] == 1 / 0.75);
        n_kept += y[k] != 0;
    }
    assert_true(fabs((double)n_kept / N - 0.75) < 0.02);
    /* a function of seed, stream and number only: the later half drawn alone */
    kernels->dropout_forward(late, again, N / 2, 0.25, seeds, 1, N / 2, x);
    assert_memory_equal(late, y + N / 2, sizeof late / 2);
    kernels->dropout_forward(late, again, N, 0.25, seeds, 2, 0, x);
    assert_memory_not_equal(late, y, sizeof late);
    kernels->dropout_forward(late, again, N, 0, seeds, 2, 0, x);
    assert_memory_equal(late, x, sizeof late);
}

static void norm_gives_mean_zero_and_variance_one(void **state)
{
    (void)state;
    enum { N = 40, WIDTH = 16 };
    double x[N * WIDTH], y[N * WIDTH], stat[2 * N], gain[WIDTH], shift[WIDTH];
    for (size_t k = 0; k < N * WIDTH; k++)
        x[k] = 3 + 20 * rg_random_normal(9, 0, k);
    for (size_t c = 0; c < WIDTH; c++) {
        gain[c] = 1;
        shift[c] = 0;
    }
    rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best())->norm_forward(y, stat, N, WIDTH, gain, shift, x);
    for (size_t s = 0; s < N; s++) {
        double mean = 0, square = 0;
        for (size_t c = 0; c < WIDTH; c++) {
            mean += y[s * WIDTH + c] / WIDTH;
            square += y[s * WIDTH + c] * y[s * WIDTH + c] / WIDTH;
        }
        assert_true(fabs(mean) < 1e-12 && fabs(square - 1) < 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_are_those_of_central_differences),
        cmocka_unit_test(lanes_have_the_bits_of_runs_alone),
        cmocka_unit_test(activations_have_known_values),
        cmocka_unit_test(dropout_keeps_its_share_and_the_mean),
        cmocka_unit_test(norm_gives_mean_zero_and_variance_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
