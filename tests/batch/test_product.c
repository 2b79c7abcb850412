/* test_product.c - products of matrices against a slow twin, to the bit: all sizes at which a
 * register, a panel or a block ends, both matrices as they are and transposed, in all tables. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/random.h"
#include "batch/loops.h"
#include "support/support.h"

#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* m, n, k */
static const size_t sizes[][3] = {
    {0, 5, 5},    {5, 0, 3},    {12, 17, 0},   {1, 1, 1},     {1, 1, 300},
    {3, 2, 7},    {7, 64, 64},  {13, 70, 65},  {6, 3, 130},   {5, 33, 20},
    {64, 2, 9},   {2, 15, 31},  {9, 16, 128},  {4, 17, 129},  {11, 31, 63},
    {8, 47, 64},  {6, 48, 66},  {10, 65, 127}, {3, 129, 12},  {257, 5, 3},
    {263, 66, 2}, {2, 67, 257}, {7, 34, 515},  {259, 3, 260}, {1030, 3, 70},
};

/* n reals that end where memory ends: whoever reads or writes behind them is killed. Page-wise. */
typedef struct fenced {
    char *pages;
    size_t n_bytes;
    void *reals;
} fenced;

static fenced fenced_open(rg_precision precision, size_t n, uint64_t seed)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = n * rg_real_size(precision);
    size_t open = (size + page - 1) / page * page;
    fenced f = {.n_bytes = open + page};
    void *pages = mmap(NULL, f.n_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    f.pages = pages;
    f.reals = f.pages + open - size;
    assert_int_equal(mprotect(f.pages + open, page, PROT_NONE), 0);
    for (size_t k = 0; k < n; k++)
        rg_real_put(precision, f.reals, k, rg_random_normal(seed, 1, k));
    return f;
}

static void fenced_close(fenced *f)
{
    assert_int_equal(munmap(f->pages, f->n_bytes), 0);
}

/* Of matrices whose rows are `apart` numbers longer than they need to be. */
static rg_product shape_of(const size_t *size, bool a_transposed, bool b_transposed, bool add,
                           size_t apart)
{
    size_t m = size[0], n = size[1], k = size[2];
    return (rg_product){.m = m,
                        .n = n,
                        .k = k,
                        .ar = a_transposed ? 1 : k + apart,
                        .at = a_transposed ? m + apart : 1,
                        .bt = b_transposed ? 1 : n + apart,
                        .bc = b_transposed ? k + apart : 1,
                        .add = add};
}

/* Numbers up to the last one that is read. */
static size_t extent(size_t rows, size_t by_row, size_t columns, size_t by_column)
{
    return rows && columns ? (rows - 1) * by_row + (columns - 1) * by_column + 1 : 0;
}

/* What a fused sum in ascending order gives, number by number. */
static void slow_product(rg_precision precision, void *y, const rg_product *s, const void *a,
                         const void *b)
{
    for (size_t r = 0; r < s->m; r++)
        for (size_t c = 0; c < s->n; c++) {
            double sum = s->add ? rg_real_at(precision, y, r * s->n + c) : 0;
            for (size_t t = 0; t < s->k; t++) {
                double x = rg_real_at(precision, a, r * s->ar + t * s->at);
                double w = rg_real_at(precision, b, t * s->bt + c * s->bc);
                sum = precision == RG_FLOAT ? (double)fmaf((float)x, (float)w, (float)sum)
                                            : fma(x, w, sum);
            }
            rg_real_put(precision, y, r * s->n + c, sum);
        }
}

static void check_product(rg_precision precision, const rg_product *s)
{
    fenced a = fenced_open(precision, extent(s->m, s->ar, s->k, s->at), 1);
    fenced b = fenced_open(precision, extent(s->k, s->bt, s->n, s->bc), 2);
    fenced want = fenced_open(precision, s->m * s->n, 3);
    slow_product(precision, want.reals, s, a.reals, b.reals);
    for (int cpu = RG_CPU_PORTABLE; cpu <= RG_CPU_AVX512; cpu++) {
        fenced got = fenced_open(precision, s->m * s->n, 3);
        rg_gnn_kernels_get(precision, (rg_cpu)cpu)->product(got.reals, s, a.reals, b.reals);
        assert_memory_equal(got.reals, want.reals, s->m * s->n * rg_real_size(precision));
        fenced_close(&got);
    }
    fenced_close(&a);
    fenced_close(&b);
    fenced_close(&want);
}

static void products_are_fused_sums_in_order(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (unsigned kind = 0; kind < 8; kind++)
            for (int precision = RG_FLOAT; precision <= RG_DOUBLE; precision++) {
                if (!test_in_sample(k + kind + (unsigned)precision))
                    continue;
                rg_product shape = shape_of(sizes[k], kind & 1, kind & 2, kind & 4, k % 3);
                check_product((rg_precision)precision, &shape);
            }
}

/* Columns that fill no register have zeros beside them in the copy of a panel, and zero times
 * infinity is no number: it must not come near y. */
static void infinities_stay_in_their_row_and_column(void **state)
{
    enum { M = 8, N = 19, K = 5 };
    (void)state;
    for (int cpu = RG_CPU_PORTABLE; cpu <= RG_CPU_AVX512; cpu++) {
        double a[M * K], b[K * N], y[M * N];
        rg_product shape = {.m = M, .n = N, .k = K, .ar = K, .at = 1, .bt = N, .bc = 1};
        for (size_t k = 0; k < M * K; k++)
            a[k] = 1 + (double)k;
        for (size_t k = 0; k < K * N; k++)
            b[k] = 1 + (double)k;
        a[3 * K + 2] = INFINITY;
        b[1 * N + 18] = -INFINITY;
        rg_gnn_kernels_get(RG_DOUBLE, (rg_cpu)cpu)->product(y, &shape, a, b);
        for (size_t r = 0; r < M; r++)
            for (size_t c = 0; c < N; c++) {
                assert_int_equal(isnan(y[r * N + c]) != 0, r == 3 && c == 18);
                assert_int_equal(isinf(y[r * N + c]) != 0, (r == 3) != (c == 18));
            }
    }
}

/* ---- the copy of a panel is all that a product needs besides */

enum { SIDE = 70 };

typedef struct square {
    rg_precision precision;
    double a[SIDE * SIDE], b[SIDE * SIDE], y[2][SIDE * SIDE];
} square;

static void *multiply_squares(void *context)
{
    square *s = context;
    static const size_t size[] = {SIDE, SIDE, SIDE};
    rg_product shape = shape_of(size, true, true, false, 0);
    for (int cpu = RG_CPU_PORTABLE; cpu <= RG_CPU_AVX512; cpu++) {
        memset(s->y[0], 0, sizeof s->y[0]);
        rg_gnn_kernels_get(s->precision, (rg_cpu)cpu)->product(s->y[0], &shape, s->a, s->b);
        if (memcmp(s->y[0], s->y[1], SIDE * SIDE * rg_real_size(s->precision)) != 0)
            return s;
    }
    return NULL;
}

static void a_stack_of_64_kilobytes_is_enough(void **state)
{
    pthread_attr_t how;
    (void)state;
    assert_int_equal(pthread_attr_init(&how), 0);
    assert_int_equal(pthread_attr_setstacksize(&how, 64 << 10), 0);
    for (int precision = RG_FLOAT; precision <= RG_DOUBLE; precision++) {
        square *s = calloc(1, sizeof *s);
        pthread_t thread;
        void *wrong = NULL;
        assert_non_null(s);
        s->precision = (rg_precision)precision;
        for (size_t k = 0; k < SIDE * SIDE; k++) {
            rg_real_put(s->precision, s->a, k, rg_random_normal(1, 1, k));
            rg_real_put(s->precision, s->b, k, rg_random_normal(2, 1, k));
        }
        rg_product shape = shape_of((size_t[]){SIDE, SIDE, SIDE}, true, true, false, 0);
        slow_product(s->precision, s->y[1], &shape, s->a, s->b);
        assert_int_equal(pthread_create(&thread, &how, multiply_squares, s), 0);
        assert_int_equal(pthread_join(thread, &wrong), 0);
        assert_null(wrong);
        free(s);
    }
    pthread_attr_destroy(&how);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_fused_sums_in_order),
        cmocka_unit_test(infinities_stay_in_their_row_and_column),
        cmocka_unit_test(a_stack_of_64_kilobytes_is_enough),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
