/* test_rule_volume.c - rules on volumes: rows, columns, depth and channels; convolution in three
 * dimensions as a rule, beside code written directly, outputs and gradients. */
#include "support/rule_twin.h"

#include "base/random.h"
#include "math/kernels.h"

#include <math.h>

static void rules_give_what_the_tree_says(void **state)
{
    (void)state;
    static const char *const pairs[] = {
        "share depth(j) - depth(i), row(j) - row(i), col(j) - col(i) when depth(j) - depth(i) in "
        "0..1 "
        "and row(j) - row(i) in 0..1 and col(j) - col(i) in 0..1",
        "share depth(i), channel(j), abs(depth(j) - 1) when row(i) = row(j)",
        "share channel(i), channel(j) when depth(i) = depth(j) or i = j",
        "share i * 100 + j when depth(j) != 1",
    };
    static const rg_rule_shape shapes[][2] = {
        {{3, 2, 6, 3}, {2, 1, 4, 2}}, {{2, 3, 4, 4}, {1, 2, 3, 3}}, {{2, 2, 4, 1}, {3, 1, 2, 0}}};
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
        rg_rule_input input = {
            .size = sizeof input, .in = shapes[s][0], .out = shapes[s][1], .n_outputs = 2};
        for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++)
            rule_compare(pairs[k], RG_RULE_PAIR, &input);
        rule_compare("share depth(i), channel(i)", RG_RULE_BIAS, &input);
        rule_compare("share out, depth(i) % 2", RG_RULE_AGGREGATE, &input);
    }
}

static void depth_divides_the_planes(void **state)
{
    (void)state;
    rg_rule_input input = {.size = sizeof input, .in = {2, 2, 6, 4}, .out = {2, 2, 6, 3}};
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    ASSERT_OK(rg_rule_parse(&rule, "share depth(i), depth(j)", RG_RULE_PAIR, NULL, 0, NULL, err));
    assert_string_equal(rg_rule_text(rule), "share depth(i), depth(j)");
    ASSERT_REFUSED(rg_rule_compile(&keys, NULL, NULL, rule, &input, NULL, err), RG_EUSAGE,
                   "found an input of depth 4 and 6 planes, expected a multiple of the depth");
    rg_rule_free(rule);
    rule = NULL;
    const rg_rule_labeling known = {.name = "depth"};
    ASSERT_OK(rg_rule_parse(&rule, "share depth(i)", RG_RULE_BIAS, &known, 1, NULL, err));
    assert_true(rg_rule_describe(rule)->on_graphs);
    rg_rule_free(rule);
}

/* ---- convolution */

typedef struct volume {
    int rows, cols, depth, channels;
} volume;

typedef struct volume_kernel {
    volume in;
    int down, across, deep, filters; /* of the kernel; channels that come out */
} volume_kernel;

static int size_of(volume v)
{
    return v.rows * v.cols * v.depth * v.channels;
}

static int place(volume v, int channel, int depth, int row, int col)
{
    return ((channel * v.depth + depth) * v.rows + row) * v.cols + col;
}

/* Numbers of one layer; dw, dx, y: [0] ours, [1] direct. */
typedef struct layer_numbers {
    double *x, *w, *dy, *y[2], *dw[2], *dx[2];
} layer_numbers;

/* y(f,d,r,c) = sum of w(dd,dr,dc,f,ch) x(ch,d+dd,r+dr,c+dc); weights in the order of the keys. */
static void direct(layer_numbers *n, const volume_kernel *v, volume out)
{
    for (int f = 0; f < out.channels; f++)
        for (int at = 0; at < out.depth * out.rows * out.cols; at++) {
            int d = at / out.cols / out.rows, r = at / out.cols % out.rows, c = at % out.cols;
            int to = place(out, f, d, r, c);
            for (int dd = 0; dd < v->deep; dd++)
                for (int dr = 0; dr < v->down; dr++)
                    for (int dc = 0; dc < v->across; dc++)
                        for (int ch = 0; ch < v->in.channels; ch++) {
                            int w = (((dd * v->down + dr) * v->across + dc) * v->filters + f) *
                                        v->in.channels +
                                    ch;
                            int from = place(v->in, ch, d + dd, r + dr, c + dc);
                            n->y[1][to] += n->w[w] * n->x[from];
                            n->dw[1][w] += n->dy[to] * n->x[from];
                            n->dx[1][from] += n->dy[to] * n->w[w];
                        }
        }
}

static double *numbers(int n, uint64_t stream)
{
    double *out = calloc((size_t)n, sizeof *out);
    assert_non_null(out);
    for (int k = 0; stream && k < n; k++)
        out[k] = 2 * rg_random_unit(5, stream, (uint64_t)k) - 1;
    return out;
}

static void assert_near(const double *a, const double *b, int n)
{
    for (int k = 0; k < n; k++)
        assert_true(fabs(a[k] - b[k]) <= 1e-12 * (1 + fabs(b[k])));
}

static rg_rule_shape shape_of(volume v)
{
    return (rg_rule_shape){(uint32_t)v.rows, (uint32_t)v.cols, (uint32_t)(v.depth * v.channels),
                           (uint32_t)v.depth};
}

static void check_convolution(const volume_kernel *v)
{
    volume out = {v->in.rows - v->down + 1, v->in.cols - v->across + 1, v->in.depth - v->deep + 1,
                  v->filters};
    char *text =
        test_format("share depth(j) - depth(i), row(j) - row(i), col(j) - col(i), channel(i), "
                    "channel(j) when depth(j) - depth(i) in 0..%d and row(j) - row(i) in "
                    "0..%d and col(j) - col(i) in 0..%d",
                    v->deep - 1, v->down - 1, v->across - 1);
    rg_rule_input input = {.size = sizeof input, .in = shape_of(v->in), .out = shape_of(out)};
    rg_rule *rule = NULL;
    rg_rule_keys *keys = NULL;
    rg_connections *c = NULL;
    ASSERT_OK(rg_rule_parse(&rule, text, RG_RULE_PAIR, NULL, 0, NULL, err));
    ASSERT_OK(rg_rule_compile(&keys, &c, NULL, rule, &input, NULL, err));
    int n_w = v->deep * v->down * v->across * v->filters * v->in.channels, n_x = size_of(v->in),
        n_y = size_of(out);
    assert_int_equal(rg_rule_keys_size(keys), n_w);
    layer_numbers n = {numbers(n_x, 1), numbers(n_w, 2), numbers(n_y, 3)};
    for (int k = 0; k < 2; k++) {
        n.y[k] = numbers(n_y, 0);
        n.dw[k] = numbers(n_w, 0);
        n.dx[k] = numbers(n_x, 0);
    }
    rg_connection_table table = rg_connections_graph(c, 0);
    rg_links links = {.n_rows = table.n_outputs,
                      .row = table.row,
                      .id = table.weight,
                      .col16 = table.col16,
                      .col32 = table.col32};
    rg_channels one = {.n_in = 1, .n_out = 1, .full = true, .scale = 1};
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best());
    kernels->rule_forward(n.y[0], &links, &one, n.w, NULL, n.x);
    kernels->rule_backward(n.dw[0], NULL, n.dx[0], &links, &one, n.w, n.x, n.dy);
    direct(&n, v, out);
    assert_near(n.y[0], n.y[1], n_y);
    assert_near(n.dw[0], n.dw[1], n_w);
    assert_near(n.dx[0], n.dx[1], n_x);
    for (int k = 0; k < 2; k++) {
        free(n.y[k]);
        free(n.dw[k]);
        free(n.dx[k]);
    }
    free(n.x);
    free(n.w);
    free(n.dy);
    free(text);
    rg_connections_free(c);
    rg_rule_keys_free(keys);
    rg_rule_free(rule);
}

static void convolutions_in_three_dimensions_are_rules(void **state)
{
    (void)state;
    static const volume_kernel channels[] = {
        {{4, 5, 3, 2}, 2, 3, 2, 3}, {{3, 3, 3, 3}, 3, 3, 3, 2}, {{5, 2, 4, 1}, 1, 2, 3, 4}};
    for (int rows = 1; rows <= 4; rows++)
        for (int cols = 1; cols <= 3; cols++)
            for (int depth = 1; depth <= 4; depth++)
                for (int kernel = 0; kernel < 8; kernel++) {
                    volume_kernel v = {{rows, cols, depth, 1},
                                       1 + kernel % 2,
                                       1 + kernel / 2 % 2,
                                       1 + kernel / 4,
                                       1};
                    if (v.down <= rows && v.across <= cols && v.deep <= depth)
                        check_convolution(&v);
                }
    for (size_t k = 0; k < sizeof channels / sizeof *channels; k++)
        check_convolution(&channels[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_give_what_the_tree_says),
        cmocka_unit_test(depth_divides_the_planes),
        cmocka_unit_test(convolutions_in_three_dimensions_are_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
