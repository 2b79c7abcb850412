/* test_norm.c - batch norm in phases against a slow twin, central differences and itself: in parts,
 * with rows that stand for several nodes, in all tables. */
#include "base/random.h"
#include "batch/loops.h"
#include "batch/norm.h"
#include "support/support.h"

#include <math.h>
#include <string.h>

enum { ROWS = 150, WIDTH = 70, MOST = ROWS * WIDTH, MOST_PARTS = 3 };

/* Rows of one batch, the gradients of its values, and what batch norm makes of them. Reals of the
 * precision; doubles are large enough for both. */
typedef struct norm_run {
    rg_precision precision;
    uint32_t count[ROWS], rows, width;
    bool counted, relu;
    double x[MOST], y[MOST], dx[MOST], dy[MOST], gain[WIDTH], shift[WIDTH], dgain[WIDTH],
        dshift[WIDTH];
    double mean[WIDTH], scale[WIDTH], running[2 * WIDTH];
} norm_run;

static void *place(const norm_run *s, void *reals, size_t k)
{
    return (char *)reals + k * rg_real_size(s->precision);
}

static void fill(const norm_run *s, void *reals, size_t n, double centre, double spread,
                 uint64_t seed)
{
    for (size_t k = 0; k < n; k++)
        rg_real_put(s->precision, reals, k, centre + spread * rg_random_normal(seed, 1, k));
}

static norm_run *run_new(rg_precision precision, uint32_t rows, uint32_t width, bool counted,
                         bool relu)
{
    norm_run *s = calloc(1, sizeof *s);
    assert_non_null(s);
    assert_true(rows <= ROWS && width <= WIDTH);
    s->precision = precision;
    s->rows = rows;
    s->width = width;
    s->counted = counted;
    s->relu = relu;
    for (uint32_t r = 0; r < ROWS; r++)
        s->count[r] = counted ? 1 + rg_random_below(4, 2, r, 3) : 1;
    fill(s, s->x, (size_t)rows * width, 0.3, 2, 11);
    fill(s, s->dy, (size_t)rows * width, 0.1, 1, 12);
    fill(s, s->gain, width, 1, 0.3, 13);
    fill(s, s->shift, width, 0, 0.5, 14);
    fill(s, s->running, width, 0, 0, 1);
    fill(s, place(s, s->running, width), width, 1, 0, 1);
    return s;
}

/* The rows 0 .. rows - 1 in parts that begin at `first`, [n_parts + 1]. */
static void forward(norm_run *s, rg_cpu cpu, const uint32_t *first, size_t n_parts)
{
    const rg_gnn_kernels *k = rg_gnn_kernels_get(s->precision, cpu);
    double sums[WIDTH] = {0}, squares[WIDTH] = {0}, total = 0;
    for (size_t p = 0; p < n_parts; p++) {
        const uint32_t *count = s->counted ? s->count + first[p] : NULL;
        total += rg_norm_total(count, first[p + 1] - first[p]);
        k->norm_sums(sums, first[p + 1] - first[p], count, s->width,
                     place(s, s->x, (size_t)first[p] * s->width));
    }
    rg_norm_mean(s->precision, s->mean, s->width, sums, total);
    for (size_t p = 0; p < n_parts; p++)
        k->norm_squares(squares, first[p + 1] - first[p], s->counted ? s->count + first[p] : NULL,
                        s->width, s->mean, place(s, s->x, (size_t)first[p] * s->width));
    rg_norm_scale(s->precision, s->scale, s->running, s->width, squares, total, s->mean);
    for (size_t p = 0; p < n_parts; p++)
        k->norm_apply(place(s, s->y, (size_t)first[p] * s->width), first[p + 1] - first[p],
                      s->width, s->mean, s->scale, s->gain, s->shift,
                      place(s, s->x, (size_t)first[p] * s->width), s->relu);
}

static void back(norm_run *s, rg_cpu cpu, const uint32_t *first, size_t n_parts, bool add)
{
    const rg_gnn_kernels *k = rg_gnn_kernels_get(s->precision, cpu);
    double sums[2 * WIDTH] = {0}, total = rg_norm_total(s->counted ? s->count : NULL, s->rows);
    for (size_t p = 0; p < n_parts; p++) {
        size_t at = (size_t)first[p] * s->width;
        k->norm_back_sums(sums, first[p + 1] - first[p], s->width, s->mean, s->scale,
                          place(s, s->x, at), place(s, s->y, at), place(s, s->dy, at), s->relu);
    }
    rg_norm_gradients(s->precision, s->dgain, s->dshift, s->width, sums);
    for (size_t p = 0; p < n_parts; p++) {
        size_t at = (size_t)first[p] * s->width;
        k->norm_back(place(s, s->dx, at), first[p + 1] - first[p],
                     s->counted ? s->count + first[p] : NULL, s->width, sums, total, s->gain,
                     s->mean, s->scale, place(s, s->x, at), place(s, s->y, at), place(s, s->dy, at),
                     s->relu, add);
    }
}

static void whole_forward(norm_run *s, rg_cpu cpu)
{
    forward(s, cpu, (const uint32_t[]){0, s->rows}, 1);
}

static void whole_back(norm_run *s, rg_cpu cpu, bool add)
{
    back(s, cpu, (const uint32_t[]){0, s->rows}, 1, add);
}

static void assert_near(const norm_run *s, const void *a, const void *b, size_t n, double allowed)
{
    for (size_t k = 0; k < n; k++) {
        double got = rg_real_at(s->precision, a, k), want = rg_real_at(s->precision, b, k);
        if (!(fabs(got - want) <= allowed * fmax(1, fabs(want))))
            fail_msg("real %zu is %.17g, expected %.17g", k, got, want);
    }
}

/* ---- known answers, and the definition */

static void two_rows_become_minus_one_and_one(void **state)
{
    norm_run *s = run_new(RG_DOUBLE, 2, 1, false, false);
    double root = sqrt(4 + 1e-5);
    (void)state;
    s->x[0] = 3;
    s->x[1] = 7;
    s->gain[0] = 2;
    s->shift[0] = 10;
    s->dy[0] = 1;
    s->dy[1] = 0;
    whole_forward(s, rg_cpu_best());
    assert_true(s->mean[0] == 5 && fabs(s->scale[0] - 1 / root) < 1e-15);
    assert_true(fabs(s->y[0] - (10 - 4 / root)) < 1e-14);
    assert_true(fabs(s->y[1] - (10 + 4 / root)) < 1e-14);
    assert_true(fabs(s->running[0] - 0.5) < 1e-15);             /* a tenth of the way from 0 */
    assert_true(fabs(s->running[1] - (0.9 + 0.1 * 8)) < 1e-15); /* over N - 1 */
    whole_back(s, rg_cpu_best(), false);
    assert_true(s->dshift[0] == 1 && fabs(s->dgain[0] + 2 / root) < 1e-15);
    assert_true(fabs(s->dx[0] - 2 / root * (0.5 - 2 / (root * root))) < 1e-14);
    assert_true(fabs(s->dx[0] + s->dx[1]) < 1e-14);
    free(s);
}

/* Mean and variance by the definition, a row as often as it counts. */
static void norms_have_the_mean_and_variance_of_the_definition(void **state)
{
    (void)state;
    for (int precision = RG_FLOAT; precision <= RG_DOUBLE; precision++)
        for (int counted = 0; counted < 2; counted++) {
            norm_run *s = run_new((rg_precision)precision, ROWS, WIDTH, counted, false);
            double allowed = precision == RG_FLOAT ? 1e-4 : 1e-11;
            /* a mean far from 0 costs no digits */
            fill(s, s->x, MOST, 1000, 1, 21);
            whole_forward(s, rg_cpu_best());
            for (size_t c = 0; c < WIDTH; c++) {
                double mean = 0, variance = 0, total = 0;
                for (size_t r = 0; r < ROWS; r++) {
                    mean += s->count[r] * rg_real_at(s->precision, s->x, r * WIDTH + c);
                    total += s->count[r];
                }
                mean /= total;
                for (size_t r = 0; r < ROWS; r++)
                    variance += s->count[r] *
                                pow(rg_real_at(s->precision, s->x, r * WIDTH + c) - mean, 2) /
                                total;
                assert_true(fabs(rg_real_at(s->precision, s->mean, c) - mean) < allowed);
                assert_true(fabs(rg_real_at(s->precision, s->scale, c) -
                                 1 / sqrt(variance + 1e-5)) < allowed);
                assert_true(fabs(rg_real_at(s->precision, s->running, c) - 0.1 * mean) < allowed);
                assert_true(fabs(rg_real_at(s->precision, s->running, WIDTH + c) -
                                 (0.9 + 0.1 * variance * total / (total - 1))) < allowed);
                for (size_t r = 0; r < ROWS; r++)
                    assert_true(
                        fabs(rg_real_at(s->precision, s->y, r * WIDTH + c) -
                             ((rg_real_at(s->precision, s->x, r * WIDTH + c) - mean) /
                                  sqrt(variance + 1e-5) * rg_real_at(s->precision, s->gain, c) +
                              rg_real_at(s->precision, s->shift, c))) < 10 * allowed);
            }
            free(s);
        }
}

static void a_fixed_norm_goes_by_what_is_kept(void **state)
{
    const rg_gnn_kernels *k = rg_gnn_kernels_get(RG_DOUBLE, rg_cpu_best());
    norm_run *s = run_new(RG_DOUBLE, 5, 3, true, true);
    (void)state;
    fill(s, s->running, 3, 0.5, 1, 31);
    rg_norm_fixed(RG_DOUBLE, s->mean, s->scale, 3, s->running);
    k->norm_apply(s->y, 5, 3, s->mean, s->scale, s->gain, s->shift, s->x, true);
    k->norm_back(s->dx, 5, s->count, 3, NULL, 0, s->gain, s->mean, s->scale, s->x, s->y, s->dy,
                 true, false);
    for (size_t r = 0; r < 5; r++)
        for (size_t c = 0; c < 3; c++) {
            double slope = s->gain[c] / sqrt(s->running[3 + c] + 1e-5);
            double y = (s->x[r * 3 + c] - s->running[c]) * slope + s->shift[c];
            assert_true(fabs(s->y[r * 3 + c] - (y > 0 ? y : 0)) < 1e-13);
            assert_true(fabs(s->dx[r * 3 + c] - (y > 0 ? slope * s->dy[r * 3 + c] : 0)) < 1e-13);
        }
    free(s);
}

static void a_batch_without_rows_changes_nothing(void **state)
{
    (void)state;
    for (int precision = RG_FLOAT; precision <= RG_DOUBLE; precision++) {
        norm_run *s = run_new((rg_precision)precision, 0, 4, true, true);
        whole_forward(s, rg_cpu_best());
        whole_back(s, rg_cpu_best(), false);
        for (size_t c = 0; c < 4; c++) {
            assert_true(rg_real_at(s->precision, s->running, c) == 0);
            assert_true(rg_real_at(s->precision, s->running, 4 + c) == 1);
            assert_true(rg_real_at(s->precision, s->dgain, c) == 0);
            assert_true(rg_real_at(s->precision, s->dshift, c) == 0);
        }
        free(s);
    }
}

/* ---- gradients */

/* sum of dy y, the loss whose gradients are looked for; dy: one for each row as it stands here. */
static double loss(const norm_run *from)
{
    norm_run *s = malloc(sizeof *s);
    double sum = 0;
    assert_non_null(s);
    *s = *from;
    whole_forward(s, rg_cpu_best());
    for (size_t k = 0; k < (size_t)s->rows * s->width; k++)
        sum += s->dy[k] * s->y[k];
    free(s);
    return sum;
}

static void assert_slope(norm_run *s, double *at, double got)
{
    const double step = 1e-6, old = *at;
    *at = old + step;
    double high = loss(s);
    *at = old - step;
    double low = loss(s);
    *at = old;
    if (!(fabs((high - low) / (2 * step) - got) < 1e-6 * fmax(1, fabs(got))))
        fail_msg("the slope is %.12g, the gradient %.12g", (high - low) / (2 * step), got);
}

static void gradients_are_central_differences(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        norm_run *s = run_new(RG_DOUBLE, 7, 3, k % 2, k / 2);
        whole_forward(s, rg_cpu_best());
        whole_back(s, rg_cpu_best(), false);
        for (size_t c = 0; c < 3; c++) {
            assert_slope(s, &s->gain[c], s->dgain[c]);
            assert_slope(s, &s->shift[c], s->dshift[c]);
        }
        for (size_t at = 0; at < 21; at++)
            assert_slope(s, &s->x[at], s->dx[at]);
        free(s);
    }
}

static void gradients_are_written_added_or_made_in_place(void **state)
{
    (void)state;
    for (int precision = RG_FLOAT; precision <= RG_DOUBLE; precision++) {
        norm_run *s = run_new((rg_precision)precision, ROWS, WIDTH, true, true);
        const rg_gnn_kernels *k = rg_gnn_kernels_get(s->precision, rg_cpu_best());
        double *want = malloc(sizeof s->dx), sums[2 * WIDTH] = {0};
        assert_non_null(want);
        fill(s, s->dx, MOST, 5, 1, 41); /* is not looked at */
        whole_forward(s, rg_cpu_best());
        whole_back(s, rg_cpu_best(), false);
        memcpy(want, s->dx, sizeof s->dx);
        fill(s, s->dx, MOST, 3, 0, 41);
        whole_back(s, rg_cpu_best(), true);
        for (size_t at = 0; at < MOST; at++)
            rg_real_put(s->precision, s->dx, at, rg_real_at(s->precision, s->dx, at) - 3);
        assert_near(s, s->dx, want, MOST, precision == RG_FLOAT ? 1e-6 : 1e-14);
        for (size_t c = 0; c < WIDTH; c++) { /* both times were added */
            rg_real_put(s->precision, s->dgain, c, rg_real_at(s->precision, s->dgain, c) / 2);
            rg_real_put(s->precision, s->dshift, c, rg_real_at(s->precision, s->dshift, c) / 2);
        }
        k->norm_back_sums(sums, ROWS, WIDTH, s->mean, s->scale, s->x, s->y, s->dy, true);
        for (size_t c = 0; c < WIDTH; c++) {
            assert_true(fabs(rg_real_at(s->precision, s->dshift, c) - sums[c]) < 1e-4);
            assert_true(fabs(rg_real_at(s->precision, s->dgain, c) - sums[WIDTH + c]) < 1e-4);
        }
        k->norm_back(s->dy, ROWS, s->count, WIDTH, sums, rg_norm_total(s->count, ROWS), s->gain,
                     s->mean, s->scale, s->x, s->y, s->dy, true, false);
        assert_memory_equal(s->dy, want, MOST * rg_real_size(s->precision));
        free(want);
        free(s);
    }
}

/* ---- parts, counts, processors */

static void parts_are_normalised_together(void **state)
{
    (void)state;
    for (int precision = RG_FLOAT; precision <= RG_DOUBLE; precision++)
        for (int counted = 0; counted < 2; counted++) {
            norm_run *whole = run_new((rg_precision)precision, ROWS, WIDTH, counted, true);
            norm_run *parts = run_new((rg_precision)precision, ROWS, WIDTH, counted, true);
            const uint32_t first[MOST_PARTS + 1] = {0, 37, 37, ROWS}; /* one has no rows */
            double allowed = precision == RG_FLOAT ? 1e-5 : 1e-12;
            whole_forward(whole, rg_cpu_best());
            whole_back(whole, rg_cpu_best(), false);
            forward(parts, rg_cpu_best(), first, MOST_PARTS);
            back(parts, rg_cpu_best(), first, MOST_PARTS, false);
            assert_near(whole, parts->y, whole->y, MOST, allowed);
            assert_near(whole, parts->dx, whole->dx, MOST, allowed);
            assert_near(whole, parts->running, whole->running, 2 * WIDTH, allowed);
            assert_near(whole, parts->dgain, whole->dgain, WIDTH, allowed);
            assert_near(whole, parts->dshift, whole->dshift, WIDTH, allowed);
            free(whole);
            free(parts);
        }
}

/* A row that counts three times is three rows: their gradients add up to its own. */
static void rows_that_count_are_several_rows(void **state)
{
    enum { FEW = 40, CHANNELS = 5 };
    norm_run *shared = run_new(RG_DOUBLE, FEW, CHANNELS, true, true);
    norm_run *each = run_new(RG_DOUBLE, 0, CHANNELS, false, true);
    uint32_t of[ROWS];
    double sums[FEW * CHANNELS] = {0};
    (void)state;
    for (uint32_t r = 0; r < FEW; r++)
        for (uint32_t t = 0; t < shared->count[r]; t++) {
            assert_true(each->rows < ROWS);
            of[each->rows++] = r;
        }
    fill(each, each->dy, (size_t)each->rows * CHANNELS, 0, 1, 51);
    memset(shared->dy, 0, sizeof shared->dy);
    for (size_t k = 0; k < (size_t)each->rows * CHANNELS; k++) {
        size_t at = of[k / CHANNELS] * CHANNELS + k % CHANNELS;
        each->x[k] = shared->x[at];
        shared->dy[at] += each->dy[k];
    }
    whole_forward(shared, rg_cpu_best());
    whole_forward(each, rg_cpu_best());
    whole_back(shared, rg_cpu_best(), false);
    whole_back(each, rg_cpu_best(), false);
    for (size_t k = 0; k < (size_t)each->rows * CHANNELS; k++) {
        size_t at = of[k / CHANNELS] * CHANNELS + k % CHANNELS;
        assert_true(fabs(each->y[k] - shared->y[at]) < 1e-12);
        sums[at] += each->dx[k];
    }
    assert_near(shared, sums, shared->dx, (size_t)FEW * CHANNELS, 1e-12);
    assert_near(shared, each->dgain, shared->dgain, CHANNELS, 1e-12);
    assert_near(shared, each->dshift, shared->dshift, CHANNELS, 1e-12);
    assert_near(shared, each->running, shared->running, (size_t)2 * CHANNELS, 1e-12);
    free(shared);
    free(each);
}

static void all_processors_give_the_same_bits(void **state)
{
    static const uint32_t widths[] = {1, 7, 16, 64, WIDTH};
    (void)state;
    for (int precision = RG_FLOAT; precision <= RG_DOUBLE; precision++)
        for (size_t k = 0; k < 4 * sizeof widths / sizeof *widths; k++) {
            norm_run *first = NULL;
            for (int cpu = RG_CPU_PORTABLE; cpu <= RG_CPU_AVX512; cpu++) {
                norm_run *s =
                    run_new((rg_precision)precision, ROWS, widths[k / 4], k % 2, k / 2 % 2);
                whole_forward(s, (rg_cpu)cpu);
                whole_back(s, (rg_cpu)cpu, false);
                whole_back(s, (rg_cpu)cpu, true);
                if (first) {
                    assert_memory_equal(s, first, sizeof *s);
                    free(s);
                } else {
                    first = s;
                }
            }
            free(first);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_rows_become_minus_one_and_one),
        cmocka_unit_test(norms_have_the_mean_and_variance_of_the_definition),
        cmocka_unit_test(a_fixed_norm_goes_by_what_is_kept),
        cmocka_unit_test(a_batch_without_rows_changes_nothing),
        cmocka_unit_test(gradients_are_central_differences),
        cmocka_unit_test(gradients_are_written_added_or_made_in_place),
        cmocka_unit_test(parts_are_normalised_together),
        cmocka_unit_test(rows_that_count_are_several_rows),
        cmocka_unit_test(all_processors_give_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
