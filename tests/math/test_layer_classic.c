/* test_layer_classic.c - fully connected and convolutional layers are rule layers: the tables of
 * their rules against code written directly, outputs and gradients. */
#include "support/support.h"

#include "base/random.h"
#include "math/kernels.h"

#include <math.h>
#include <string.h>

/* One layer: sizes of its arrays, and those arrays twice, ours [0] and direct [1]. */
typedef struct layer_pair {
    size_t n_x, n_y, n_w, n_b;
    double *x, *w, *b, *dy, *y[2], *dw[2], *db[2], *dx[2];
} layer_pair;

static double *numbers(size_t n, uint64_t stream)
{
    double *out = calloc(n ? n : 1, sizeof *out);
    assert_non_null(out);
    for (size_t k = 0; stream && k < n; k++)
        out[k] = 2 * rg_random_unit(21, stream, k) - 1;
    return out;
}

static void pair_make(layer_pair *p)
{
    p->x = numbers(p->n_x, 1);
    p->w = numbers(p->n_w, 2);
    p->b = numbers(p->n_b, 3);
    p->dy = numbers(p->n_y, 4);
    for (int t = 0; t < 2; t++) {
        p->y[t] = numbers(p->n_y, 0);
        p->dw[t] = numbers(p->n_w, 0);
        p->db[t] = numbers(p->n_b, 0);
        p->dx[t] = numbers(p->n_x, 0);
    }
}

static void same(const double *a, const double *b, size_t n)
{
    for (size_t k = 0; k < n; k++)
        assert_true(fabs(a[k] - b[k]) <= 1e-12 * (1 + fabs(b[k])));
}

static void pair_check(layer_pair *p, const rg_links *links, const rg_channels *channels)
{
    const rg_kernels *kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best());
    kernels->rule_forward(p->y[0], links, channels, p->w, p->b, p->x);
    kernels->rule_backward(p->dw[0], p->db[0], p->dx[0], links, channels, p->w, p->x, p->dy);
    same(p->y[0], p->y[1], p->n_y);
    same(p->dw[0], p->dw[1], p->n_w);
    same(p->db[0], p->db[1], p->n_b);
    same(p->dx[0], p->dx[1], p->n_x);
    free(p->x);
    free(p->w);
    free(p->b);
    free(p->dy);
    for (int t = 0; t < 2; t++) {
        free(p->y[t]);
        free(p->dw[t]);
        free(p->db[t]);
        free(p->dx[t]);
    }
}

/* W is m x n, row by row: the paper's R_FC(i, j) = (i - 1) n + j. */
static void dense_direct(layer_pair *p, size_t n, size_t m)
{
    for (size_t i = 0; i < m; i++) {
        p->y[1][i] = p->b[i];
        p->db[1][i] = p->dy[i];
        for (size_t j = 0; j < n; j++) {
            p->y[1][i] += p->w[i * n + j] * p->x[j];
            p->dw[1][i * n + j] = p->dy[i] * p->x[j];
            p->dx[1][j] += p->dy[i] * p->w[i * n + j];
        }
    }
}

static void fully_connected_layers_are_rule_layers(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 12; n++)
        for (uint32_t m = 1; m <= 12; m++) {
            uint32_t row[13] = {0}, id[144], bias_id[12];
            uint16_t col[144];
            for (uint32_t i = 0; i < m; i++) {
                for (uint32_t j = 0; j < n; j++) {
                    id[i * n + j] = i * n + j;
                    col[i * n + j] = (uint16_t)j;
                }
                row[i + 1] = (i + 1) * n;
                bias_id[i] = i;
            }
            rg_links links = {.n_rows = m, .row = row, .id = id, .col16 = col, .bias_id = bias_id};
            rg_channels one = {.n_in = 1, .n_out = 1, .full = true, .scale = 1};
            layer_pair p = {.n_x = n, .n_y = m, .n_w = (size_t)n * m, .n_b = m};
            pair_make(&p);
            dense_direct(&p, n, m);
            pair_check(&p, &links, &one);
        }
}

typedef struct convolution {
    int width, height;   /* of the image */
    int across, down;    /* of the kernel */
    int n_in, n_out;     /* channels */
    int padding, stride; /* the same both ways */
} convolution;

static int out_width(const convolution *v)
{
    return (v->width + 2 * v->padding - v->across) / v->stride + 1;
}

static int out_height(const convolution *v)
{
    return (v->height + 2 * v->padding - v->down) / v->stride + 1;
}

/* Image [height][width][n_in], kernel [down][across][n_in][n_out], bias a channel. */
static void convolution_direct(layer_pair *p, const convolution *v)
{
    int wide = out_width(v), high = out_height(v);
    for (int at = 0; at < wide * high; at++)
        for (int o = 0; o < v->n_out; o++) {
            double sum = p->b[o], d = p->dy[at * v->n_out + o];
            p->db[1][o] += d;
            for (int t = 0; t < v->down * v->across; t++) {
                int y = at / wide * v->stride - v->padding + t / v->across;
                int x = at % wide * v->stride - v->padding + t % v->across;
                if (y < 0 || y >= v->height || x < 0 || x >= v->width)
                    continue;
                for (int c = 0; c < v->n_in; c++) {
                    int in = (y * v->width + x) * v->n_in + c;
                    int weight = (t * v->n_in + c) * v->n_out + o;
                    sum += p->w[weight] * p->x[in];
                    p->dw[1][weight] += d * p->x[in];
                    p->dx[1][in] += d * p->w[weight];
                }
            }
            p->y[1][at * v->n_out + o] = sum;
        }
}

/* share row(j) - row(i), col(j) - col(i) when both lie in the kernel: all pairs are looked at, from
 * the side of the input, as a rule does. Returns the number of connections. */
static uint32_t convolution_table(uint32_t *row, uint32_t *id, uint16_t *col, const convolution *v)
{
    int wide = out_width(v), high = out_height(v);
    uint32_t n = 0;
    row[0] = 0;
    for (int i = 0; i < wide * high; i++) {
        for (int j = 0; j < v->width * v->height; j++) {
            int dy = j / v->width - (i / wide * v->stride - v->padding);
            int dx = j % v->width - (i % wide * v->stride - v->padding);
            if (dy < 0 || dy >= v->down || dx < 0 || dx >= v->across)
                continue;
            id[n] = (uint32_t)(dy * v->across + dx);
            col[n++] = (uint16_t)j;
        }
        row[i + 1] = n;
    }
    return n;
}

enum { PIXELS = 256, KERNEL = 25 };
static uint32_t row_of[PIXELS + 1], id_of[PIXELS * KERNEL], no_bias[PIXELS];
static uint16_t col_of[PIXELS * KERNEL];

static void convolution_check(const convolution *v)
{
    int outputs = out_width(v) * out_height(v);
    if (v->width + 2 * v->padding < v->across || v->height + 2 * v->padding < v->down)
        return;
    assert_true(outputs <= PIXELS);
    (void)convolution_table(row_of, id_of, col_of, v);
    rg_links links = {.n_rows = (uint32_t)outputs, .row = row_of, .id = id_of, .col16 = col_of};
    links.bias_id = no_bias; /* all zero: one bias a channel */
    rg_channels channels = {
        .n_in = (uint32_t)v->n_in, .n_out = (uint32_t)v->n_out, .full = true, .scale = 1};
    layer_pair p = {.n_x = (size_t)(v->width * v->height * v->n_in),
                    .n_y = (size_t)(outputs * v->n_out),
                    .n_w = (size_t)(v->down * v->across * v->n_in * v->n_out),
                    .n_b = (size_t)v->n_out};
    pair_make(&p);
    convolution_direct(&p, v);
    pair_check(&p, &links, &channels);
}

static void convolutions_are_rule_layers(void **state)
{
    (void)state;
    for (int width = 1; width <= 7; width++)
        for (int height = 1; height <= 6; height += 1 + (width > 4))
            for (int kernel = 0; kernel < 25; kernel++)
                for (int kind = 0; kind < 6; kind++) {
                    convolution v = {width, height, kernel % 5 + 1, kernel / 5 + 1, 1, 1, 0, 1};
                    v.padding = kind % 3;
                    v.stride = kind / 3 + 1;
                    convolution_check(&v);
                }
}

static void convolutions_of_many_channels_are_rule_layers(void **state)
{
    (void)state;
    static const convolution cases[] = {
        {6, 5, 3, 3, 3, 2, 0, 1}, {6, 5, 3, 3, 3, 2, 1, 1},   {8, 8, 3, 3, 1, 8, 1, 2},
        {7, 9, 5, 2, 2, 3, 2, 3}, {5, 7, 1, 4, 4, 1, 0, 1},   {12, 12, 2, 5, 2, 11, 1, 1},
        {9, 4, 4, 1, 3, 3, 0, 2}, {10, 10, 5, 5, 2, 4, 2, 1}, {3, 3, 3, 3, 5, 17, 0, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        convolution_check(&cases[k]);
}

/* The rule of the paper's second proposition, put right: i, j, result from 1; 0 for no connection.
 */
static int printed_rule(int i, int j, int n, int kernel)
{
    int o = n - kernel + 1, c = (i - 1) % o, g = j - (i - 1) / o * n - c;
    int beside = (j - 1) % n - c;
    if (g <= 0 || g > kernel * n || beside < 0 || beside >= kernel)
        return 0;
    return g - (g - 1) / n * (n - kernel);
}

static void the_rule_as_a_formula_numbers_the_same_weights(void **state)
{
    (void)state;
    for (int n = 1; n <= 8; n++)
        for (int m = 1; m <= 8; m++)
            for (int kernel = 1; kernel <= 5 && kernel <= n && kernel <= m; kernel++) {
                convolution v = {n, m, kernel, kernel, 1, 1, 0, 1};
                uint32_t k = 0, total = convolution_table(row_of, id_of, col_of, &v);
                for (int i = 1; i <= out_width(&v) * out_height(&v); i++)
                    for (int j = 1; j <= n * m; j++) {
                        int weight = printed_rule(i, j, n, kernel);
                        if (!weight)
                            continue;
                        assert_true(k < row_of[i] && k >= row_of[i - 1]);
                        assert_int_equal(col_of[k], j - 1);
                        assert_int_equal(id_of[k++], weight - 1);
                    }
                assert_int_equal(k, total);
            }
}

/* z_c = (1/|V|) sum_i w[c, label(i)] h_i + b_c, with a table whose rows are the outputs. */
static void aggregation_is_a_rule_layer_whose_rows_are_outputs(void **state)
{
    (void)state;
    enum { M = 3, LABELS = 4 };
    for (uint32_t n = 1; n <= 20; n++) {
        uint32_t row[M + 1] = {0}, id[M * 20], bias_id[M], label[20];
        uint16_t col[M * 20];
        for (uint32_t i = 0; i < n; i++)
            label[i] = rg_random_below(5, n, i, LABELS);
        for (uint32_t c = 0; c < M; c++) {
            for (uint32_t i = 0; i < n; i++) {
                id[c * n + i] = c * LABELS + label[i];
                col[c * n + i] = (uint16_t)i;
            }
            row[c + 1] = (c + 1) * n;
            bias_id[c] = c;
        }
        rg_links links = {.n_rows = M, .row = row, .id = id, .col16 = col, .bias_id = bias_id};
        rg_channels mean = {.n_in = 1, .n_out = 1, .full = true, .scale = 1.0 / n};
        layer_pair p = {.n_x = n, .n_y = M, .n_w = (size_t)M * LABELS, .n_b = M};
        pair_make(&p);
        for (uint32_t c = 0; c < M; c++) {
            p.y[1][c] = p.b[c];
            p.db[1][c] = p.dy[c];
            for (uint32_t i = 0; i < n; i++) {
                p.y[1][c] += p.w[c * LABELS + label[i]] * p.x[i] / n;
                p.dw[1][c * LABELS + label[i]] += p.dy[c] * p.x[i] / n;
                p.dx[1][i] += p.dy[c] * p.w[c * LABELS + label[i]] / n;
            }
        }
        pair_check(&p, &links, &mean);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fully_connected_layers_are_rule_layers),
        cmocka_unit_test(convolutions_are_rule_layers),
        cmocka_unit_test(convolutions_of_many_channels_are_rule_layers),
        cmocka_unit_test(the_rule_as_a_formula_numbers_the_same_weights),
        cmocka_unit_test(aggregation_is_a_rule_layer_whose_rows_are_outputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
