/* test_sequence.c - sort pooling and convolutions over rows: known answers, twins, gradients. */
#include "base/alloc.h"
#include "base/random.h"
#include "batch/sequence.h"
#include "gnn/gnns.h"

#include <math.h>

static const rg_precision precisions[] = {RG_FLOAT, RG_DOUBLE};

/* n reals of a precision from doubles, and back. Owned (free). */
static void *reals(rg_precision precision, const double *values, size_t n)
{
    void *out = calloc(n + 1, sizeof(double));
    assert_non_null(out);
    for (size_t k = 0; k < n; k++)
        if (precision == RG_FLOAT)
            ((float *)out)[k] = (float)values[k];
        else
            ((double *)out)[k] = values[k];
    return out;
}

static void assert_reals(rg_precision precision, const void *reals_, const double *expected,
                         size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (rg_real_at(precision, reals_, k) != expected[k])
            fail_msg("number %zu: %g, expected %g", k, rg_real_at(precision, reals_, k),
                     expected[k]);
}

static double *draw(size_t n, uint64_t stream)
{
    double *out = calloc(n + 1, sizeof *out);
    assert_non_null(out);
    for (size_t k = 0; k < n; k++)
        out[k] = rg_random_normal(5, stream, k);
    return out;
}

/* ---- sort pooling */

/* Rows of nodes that have one each. */
static uint32_t numbers[64];

static int count_up(void **state)
{
    (void)state;
    for (uint32_t k = 0; k < 64; k++)
        numbers[k] = k;
    return 0;
}

static void rows_are_sorted_by_their_last_channel(void **state)
{
    (void)state;
    const double x[] = {1, 0.5, 2, 0.75, 3, -1, /* graph 1 */ 4, 0, 5, 0, 6, 0, 7, 9};
    const uint32_t first[] = {0, 3, 7, 7};
    const double y[] = {2, 0.75, 1, 0.5, 3, -1, /* graph 1: ties by the channel before */ 7,
                        9, 6,    0, 5,   0, 0,  0,
                        0, 0,    0, 0};
    const uint32_t picks[] = {1, 0, 2, 6, 5, 4, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    const double gradient[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18};
    const double back[] = {3, 4, 1, 2, 5, 6, 0, 0, 11, 12, 9, 10, 7, 8};
    const double twice[] = {6, 8, 2, 4, 10, 12, 0, 0, 22, 24, 18, 20, 14, 16};
    for (size_t p = 0; p < 2; p++) {
        void *in = reals(precisions[p], x, 14), *out = reals(precisions[p], x, 14),
             *dy = reals(precisions[p], gradient, 18), *big = reals(precisions[p], gradient, 18);
        uint32_t got[9];
        rg_sort_pool(precisions[p], big, got, first, numbers, 3, 2, 3, in);
        assert_reals(precisions[p], big, y, 18);
        assert_memory_equal(got, picks, sizeof picks);
        rg_sort_pool_back(precisions[p], out, 7, got, 3, 2, 3, dy, false);
        assert_reals(precisions[p], out, back, 14);
        rg_sort_pool_back(precisions[p], out, 7, got, 3, 2, 3, dy, true);
        assert_reals(precisions[p], out, twice, 14);
        free(in);
        free(out);
        free(dy);
        free(big);
    }
}

/* Against sorting by all pairs: how many rows come before a row is its place. */
static void sort_pooling_has_a_twin_and_does_not_know_the_order_of_nodes(void **state)
{
    (void)state;
    enum { N = 60, WIDTH = 3 };
    for (uint64_t seed = 0; seed < 40; seed++) {
        uint32_t n = rg_random_below(seed, 1, 0, N) + 1, k = rg_random_below(seed, 2, 0, 2 * N) + 1;
        double x[N * WIDTH], y[2 * N * WIDTH], z[2 * N * WIDTH];
        uint32_t order[N], picks[2 * N], first[] = {0, n};
        for (size_t e = 0; e < (size_t)n * WIDTH; e++) /* few values: many ties */
            x[e] = rg_random_below(seed, 3, e, 3);
        for (uint32_t i = 0; i < n; i++)
            order[i] = i;
        rg_random_shuffle(seed, 4, order, n);
        rg_sort_pool(RG_DOUBLE, y, picks, first, numbers, 1, WIDTH, k, x);
        for (uint32_t t = 0; t < k && t < n; t++) {
            uint32_t more = 0, same = 0;
            const double *row = y + (size_t)t * WIDTH;
            for (uint32_t i = 0; i < n; i++) {
                int c = WIDTH - 1;
                while (c >= 0 && x[i * WIDTH + (uint32_t)c] == row[c])
                    c--;
                same += c < 0;
                more += c >= 0 && x[i * WIDTH + (uint32_t)c] > row[c];
            }
            assert_true(more <= t && t < more + same);
        }
        rg_sort_pool(RG_DOUBLE, z, picks, first, order, 1, WIDTH, k, x);
        assert_memory_equal(y, z, (size_t)k * WIDTH * sizeof *y);
    }
}

static void rows_that_are_no_numbers_do_no_harm(void **state)
{
    (void)state;
    double x[50], y[20];
    uint32_t picks[20];
    const uint32_t first[] = {0, 50};
    for (size_t k = 0; k < 50; k++)
        x[k] = k % 3 ? (double)k : NAN;
    rg_sort_pool(RG_DOUBLE, y, picks, first, numbers, 1, 1, 20, x);
    for (size_t t = 0; t < 20; t++)
        assert_true(picks[t] < 50);
}

static void k_is_so_that_a_part_of_the_graphs_fits(void **state)
{
    (void)state;
    static const struct {
        double part;
        uint32_t least, k;
    } cases[] = {{0.2, 0, 1}, {0.4, 0, 2}, {0.6, 0, 3},  {0.61, 0, 5},
                 {0.8, 0, 5}, {1, 0, 9},   {1e-9, 0, 1}, {0.6, 10, 10}};
    rg_dataset *data = NULL;
    static const char lines[] = "{\"nodes\": 9, \"edges\": []}\n{\"nodes\": 1, \"edges\": []}\n"
                                "{\"nodes\": 3, \"edges\": []}\n{\"nodes\": 5, \"edges\": []}\n"
                                "{\"nodes\": 2, \"edges\": []}\n";
    ASSERT_OK(rg_dataset_from_lines(&data, "five", 1, lines, sizeof lines - 1, err));
    uint32_t k = 77;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        ASSERT_OK(rg_sort_rows(&k, data, NULL, 0, cases[c].part, cases[c].least, err));
        assert_int_equal(k, cases[c].k);
    }
    const uint32_t list[] = {3, 0};
    ASSERT_OK(rg_sort_rows(&k, data, list, 2, 0.5, 0, err));
    assert_int_equal(k, 5);
    ASSERT_OK(rg_sort_rows(&k, data, list, 0, 0.5, 4, err));
    assert_int_equal(k, 4);
    rg_dataset_free(data);
}

static void k_of_real_sets_is_the_published_one(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        uint32_t k[2];
    } sets[] = {{"NCI1.zip", {30, 46}}, {"DHFR.zip", {44, 54}}, {"IMDB-BINARY.zip", {18, 31}}};
    for (size_t s = 0; s < sizeof sets / sizeof *sets; s++) {
        char *path = test_data(sets[s].name);
        rg_dataset *data = NULL;
        if (!path)
            skip();
        ASSERT_OK(rg_dataset_read(&data, path, NULL, err));
        for (size_t p = 0; p < 2; p++) {
            uint32_t k = 0;
            ASSERT_OK(rg_sort_rows(&k, data, NULL, 0, p ? 0.9 : 0.6, 10, err));
            assert_int_equal(k, sets[s].k[p]);
        }
        rg_dataset_free(data);
        free(path);
    }
}

/* Rows that the sort pooling of a network keeps, by some graphs of a set (NULL: by all). */
static uint32_t rows_kept(const rg_dataset *data, const char *model, const uint32_t *fit, size_t n)
{
    rg_recipe *recipe = gnn_recipe(model, "epochs: 1");
    rg_settings ignored;
    rg_spec *spec = test_spec(&ignored, rg_recipe_text(recipe));
    rg_network *net = NULL;
    rg_build_options options = {.n_threads = 1, .fit = fit, .n_fit = n};
    uint32_t rows = 0;
    ASSERT_OK(rg_network_build(&net, NULL, spec, &(rg_source){.graphs = data}, &options, err));
    for (size_t k = 0; k < net->n_layers; k++)
        if (net->layers[k].kind == &rg_layer_sort_pool)
            rows = net->layers[k].rows_out;
    rg_network_free(net);
    rg_recipe_free(recipe);
    return rows;
}

static void a_network_keeps_rows_by_the_graphs_of_the_fit(void **state)
{
    (void)state;
    const uint32_t sizes[] = {5, 12, 30}, fit[] = {0, 1};
    test_graph graphs[3];
    for (size_t g = 0; g < 3; g++)
        graphs[g] = test_graph_new(sizes[g]);
    rg_dataset *data =
        test_dataset(graphs, 3, &(test_columns){.classes = (const int64_t[]){0, 1, 0}});
    for (size_t g = 0; g < 3; g++)
        test_graph_free(&graphs[g]);
    assert_int_equal(rows_kept(data, "{model: dgcnn, k: 1}", NULL, 0), 30);
    assert_int_equal(rows_kept(data, "{model: dgcnn, k: 1}", fit, 2), 12);
    assert_int_equal(rows_kept(data, "{model: dgcnn, k: 0.5}", fit, 2), 10); /* at least */
    assert_int_equal(rows_kept(data, "{model: dgcnn, k: 17}", fit, 2), 17);
    rg_dataset_free(data);
}

/* ---- windows */

static const rg_sequences shapes[] = {
    {.n = 1, .rows = 5, .in = 1, .out = 1, .size = 5, .stride = 1},
    {.n = 3, .rows = 9, .in = 2, .out = 3, .size = 5, .stride = 1},
    {.n = 2, .rows = 8, .in = 3, .out = 2, .size = 3, .stride = 2},
    {.n = 2, .rows = 7, .in = 2, .out = 2, .size = 2, .stride = 3},
    {.n = 2, .rows = 3, .in = 2, .out = 2, .size = 4, .stride = 1}, /* no window */
    {.n = 0, .rows = 6, .in = 2, .out = 2, .size = 2, .stride = 2},
};

static void a_known_convolution(void **state)
{
    (void)state;
    const rg_sequences s = {.n = 1, .rows = 4, .in = 1, .out = 2, .size = 3, .stride = 1};
    const double x[] = {1, 2, 3, 4}, w[] = {1, 10, 0, 100, -1, 1000}, b[] = {0.5, 0};
    const double y[] = {-1.5, 3210, -1.5, 4320};
    for (size_t p = 0; p < 2; p++) {
        void *in = reals(precisions[p], x, 4), *weight = reals(precisions[p], w, 6),
             *bias = reals(precisions[p], b, 2), *out = reals(precisions[p], y, 4),
             *copies = reals(precisions[p], w, 6);
        rg_convolve(precisions[p], out, copies, &s, weight, bias, in);
        assert_reals(precisions[p], out, y, 4);
        free(in);
        free(weight);
        free(bias);
        free(copies);
        free(out);
    }
}

/* sum over outputs of gradient * y: what the gradients below are the derivatives of. */
static double convolved(const rg_sequences *s, const double *w, const double *b, const double *x,
                        const double *gradient)
{
    double sum = 0;
    uint32_t windows = rg_windows(s);
    for (uint32_t g = 0; g < s->n; g++)
        for (uint32_t t = 0; t < windows; t++)
            for (uint32_t o = 0; o < s->out; o++) {
                double y = b[o];
                for (uint32_t k = 0; k < s->size; k++)
                    for (uint32_t c = 0; c < s->in; c++)
                        y += w[(k * s->in + c) * s->out + o] *
                             x[((size_t)g * s->rows + t * s->stride + k) * s->in + c];
                sum += y * gradient[((size_t)g * windows + t) * s->out + o];
            }
    return sum;
}

static double largest(const rg_sequences *s, const double *x, const double *gradient)
{
    double sum = 0;
    uint32_t windows = rg_windows(s);
    for (uint32_t g = 0; g < s->n; g++)
        for (uint32_t t = 0; t < windows; t++)
            for (uint32_t c = 0; c < s->in; c++) {
                double most = -INFINITY;
                for (uint32_t k = 0; k < s->size; k++)
                    most = fmax(most, x[((size_t)g * s->rows + t * s->stride + k) * s->in + c]);
                sum += most * gradient[((size_t)g * windows + t) * s->in + c];
            }
    return sum;
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += a[k] * b[k];
    return sum;
}

static void convolutions_have_a_twin_and_its_slopes(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        const rg_sequences *s = &shapes[k];
        size_t n_x = (size_t)s->n * s->rows * s->in, n_w = (size_t)s->size * s->in * s->out,
               n_y = (size_t)s->n * rg_windows(s) * s->out;
        double *x = draw(n_x, 1), *w = draw(n_w, 2), *b = draw(s->out, 3), *gradient = draw(n_y, 4),
               *y = draw(n_y, 5), *dx = draw(n_x, 6), *dw = draw(n_w, 7), *db = draw(s->out, 8),
               *dx0 = draw(n_x, 6), *dw0 = draw(n_w, 7), *db0 = draw(s->out, 8),
               *copies = draw((size_t)s->n * rg_windows(s) * s->size * s->in, 9);
        rg_convolve(RG_DOUBLE, y, copies, s, w, b, x);
        assert_true(fabs(dot(y, gradient, n_y) - convolved(s, w, b, x, gradient)) < 1e-11);
        rg_convolve_back(RG_DOUBLE, dw, db, dx, copies, s, w, x, gradient, true);
        double *of[] = {x, w, b}, *d[] = {dx, dw, db}, *d0[] = {dx0, dw0, db0};
        const size_t n[] = {n_x, n_w, s->out};
        for (size_t a = 0; a < 3; a++)
            for (size_t e = 0; e < n[a]; e++) {
                double kept = of[a][e];
                of[a][e] = kept + 1e-4;
                double up = convolved(s, w, b, x, gradient);
                of[a][e] = kept - 1e-4;
                double down = convolved(s, w, b, x, gradient);
                of[a][e] = kept;
                assert_true(fabs((up - down) / 2e-4 - (d[a][e] - d0[a][e])) < 1e-7);
            }
        memcpy(dx0, dx, n_x * sizeof *dx); /* written instead of added: without what was there */
        rg_convolve_back(RG_DOUBLE, dw, db, dx, copies, s, w, x, gradient, false);
        double *before = draw(n_x, 6);
        for (size_t e = 0; e < n_x; e++)
            assert_true(fabs(dx0[e] - before[e] - dx[e]) < 1e-12);
        double *all[] = {x, w, b, gradient, y, dx, dw, db, dx0, dw0, db0, before, copies};
        for (size_t a = 0; a < sizeof all / sizeof *all; a++)
            free(all[a]);
    }
}

static void the_largest_row_has_a_twin_and_its_slopes(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        rg_sequences s = shapes[k];
        s.stride = s.size;
        s.out = s.in;
        size_t n_x = (size_t)s.n * s.rows * s.in, n_y = (size_t)s.n * rg_windows(&s) * s.in;
        double *x = draw(n_x, 1), *gradient = draw(n_y, 4), *y = draw(n_y, 5), *dx = draw(n_x, 6),
               *once = draw(n_x, 6);
        rg_rows_largest(RG_DOUBLE, y, &s, x);
        assert_true(fabs(dot(y, gradient, n_y) - largest(&s, x, gradient)) < 1e-11);
        rg_rows_largest_back(RG_DOUBLE, dx, &s, x, gradient, false);
        memcpy(once, dx, n_x * sizeof *dx);
        for (size_t e = 0; e < n_x; e++) {
            double kept = x[e];
            x[e] = kept + 1e-6;
            double up = largest(&s, x, gradient);
            x[e] = kept - 1e-6;
            double down = largest(&s, x, gradient);
            x[e] = kept;
            assert_true(fabs((up - down) / 2e-6 - dx[e]) < 1e-6);
        }
        rg_rows_largest_back(RG_DOUBLE, dx, &s, x, gradient, true);
        for (size_t e = 0; e < n_x; e++)
            assert_true(dx[e] == 2 * once[e]);
        double *all[] = {x, gradient, y, dx, once};
        for (size_t a = 0; a < sizeof all / sizeof *all; a++)
            free(all[a]);
    }
}

static void of_equal_rows_the_first_gets_the_gradient(void **state)
{
    (void)state;
    const rg_sequences s = {.n = 1, .rows = 5, .in = 1, .out = 1, .size = 2, .stride = 2};
    const double x[] = {3, 3, 1, 2, 9}, gradient[] = {5, 7}, y[] = {3, 2}, dx[] = {5, 0, 0, 7, 0};
    for (size_t p = 0; p < 2; p++) {
        void *in = reals(precisions[p], x, 5), *dy = reals(precisions[p], gradient, 2),
             *out = reals(precisions[p], x, 5);
        rg_rows_largest(precisions[p], out, &s, in);
        assert_reals(precisions[p], out, y, 2);
        rg_rows_largest_back(precisions[p], out, &s, in, dy, false);
        assert_reals(precisions[p], out, dx, 5);
        free(in);
        free(dy);
        free(out);
    }
}

static rg_status choose_rows(void *context, rg_error *err)
{
    uint32_t k;
    return rg_sort_rows(&k, context, NULL, 0, 0.9, 10, err);
}

static void memory_may_fail_anywhere(void **state)
{
    (void)state;
    rg_dataset *data = test_known_set(3);
    assert_int_equal(test_allocation_sweep(choose_rows, data), 1);
    rg_dataset_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_sorted_by_their_last_channel),
        cmocka_unit_test(sort_pooling_has_a_twin_and_does_not_know_the_order_of_nodes),
        cmocka_unit_test(rows_that_are_no_numbers_do_no_harm),
        cmocka_unit_test(k_is_so_that_a_part_of_the_graphs_fits),
        cmocka_unit_test(k_of_real_sets_is_the_published_one),
        cmocka_unit_test(a_network_keeps_rows_by_the_graphs_of_the_fit),
        cmocka_unit_test(a_known_convolution),
        cmocka_unit_test(convolutions_have_a_twin_and_its_slopes),
        cmocka_unit_test(the_largest_row_has_a_twin_and_its_slopes),
        cmocka_unit_test(of_equal_rows_the_first_gets_the_gradient),
        cmocka_unit_test(memory_may_fail_anywhere),
    };
    return cmocka_run_group_tests(tests, count_up, NULL);
}
