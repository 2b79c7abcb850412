/* test_gnn_layers.c - aggregations against slow twins, in all tables. */
#include "batch/loops.h"
#include "gnn/gnns.h"

#include <math.h>

enum { MOST = 150 };

static double at(rg_precision precision, const void *reals, size_t k)
{
    return rg_real_at(precision, reals, k);
}

static void put(rg_precision precision, void *reals, size_t k, double value)
{
    if (precision == RG_FLOAT)
        ((float *)reals)[k] = (float)value;
    else
        ((double *)reals)[k] = value;
}

static void *reals(rg_precision precision, size_t n, uint64_t seed)
{
    void *out = calloc(n + 1, sizeof(double));
    assert_non_null(out);
    for (size_t k = 0; k < n; k++)
        put(precision, out, k, rg_random_normal(seed, 1, k));
    return out;
}

/* ---- aggregations */

typedef struct batched_set {
    rg_dataset *data;
    rg_batch batch;
} batched_set;

static batched_set batched_set_open(void)
{
    batched_set s = {.data = gnn_random_dataset(8, 12, true)};
    uint32_t list[8];
    rg_batch_size size;
    for (uint32_t k = 0; k < 8; k++)
        list[k] = 7 - k;
    ASSERT_OK(rg_batch_measure(&size, s.data, list, 8, 8, err));
    ASSERT_OK(rg_batch_open(&s.batch, &size, NULL, RG_DOUBLE, err));
    rg_batch_fill(&s.batch, s.data, list, 8);
    assert_true(s.batch.n_nodes > 20 && s.batch.n_nodes < MOST);
    return s;
}

/* How many neighbours of row i are in row j. */
static double joined(const rg_rows *rows, uint32_t i, uint32_t j)
{
    for (uint32_t k = rows->first[i]; k < rows->first[i + 1]; k++)
        if (rows->col[k] == j)
            return at(RG_DOUBLE, rows->times, k);
    return 0;
}

static void a_batch_has_the_edges_of_its_graphs(void **state)
{
    batched_set s = batched_set_open();
    const rg_rows *rows = &s.batch.rows[RG_EACH];
    uint32_t arcs = 0;
    (void)state;
    assert_int_equal(s.batch.n_graphs, 8);
    for (uint32_t g = 0; g < 8; g++) {
        rg_graph graph = rg_dataset_graph(s.data, 7 - g);
        uint32_t first = s.batch.first[g];
        assert_int_equal(s.batch.first[g + 1] - first, graph.n_nodes);
        assert_int_equal(s.batch.node[g], graph.first_node);
        for (uint32_t i = 0; i < graph.n_nodes; i++)
            for (uint64_t k = graph.row[i]; k < graph.row[i + 1]; k++, arcs++)
                assert_true(joined(rows, first + i, first + graph.col[k]) == 1);
    }
    assert_int_equal(rows->n, s.batch.n_nodes);
    assert_int_equal(rows->first[rows->n], arcs);
    rg_batch_close(&s.batch);
    rg_dataset_free(s.data);
}

static void aggregations_are_products_with_matrices(void **state)
{
    batched_set s = batched_set_open();
    const rg_gnn_kernels *kernels = rg_gnn_kernels_get(RG_DOUBLE, rg_cpu_best());
    const rg_rows *rows = &s.batch.rows[RG_EACH];
    const double *root = rows->root, *inverse = rows->inverse, *near = rows->near;
    const uint32_t width = 5, n = rows->n;
    double *x = reals(RG_DOUBLE, (size_t)n * width, 5), y[MOST * 5], back[MOST * 5];
    const struct {
        double self;
        const double *left, *right;
    } cases[] = {{1.5, NULL, NULL},
                 {1, inverse, NULL},
                 {1, root, root},
                 {0, near, NULL},
                 {0, NULL, inverse}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const double *left = cases[k].left, *right = cases[k].right;
        kernels->aggregate(y, rows, width, cases[k].self, left, right, x);
        for (int add = 0; add < 2;
             add++) /* edges go both ways: its own transpose, but for factors */
            kernels->aggregate_back(back, n, rows, width, cases[k].self, right, left, x, add);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t c = 0; c < width; c++) {
                double want = 0;
                for (uint32_t j = 0; j < n; j++)
                    want += (i == j ? cases[k].self : joined(rows, i, j)) * (left ? left[i] : 1) *
                            (right ? right[j] : 1) * x[j * width + c];
                assert_true(fabs(y[i * width + c] - want) < 1e-12);
                assert_true(fabs(back[i * width + c] - 2 * want) < 1e-12);
            }
    }
    free(x);
    rg_batch_close(&s.batch);
    rg_dataset_free(s.data);
}

/* ---- the order of channels */

static void channels_are_put_in_order(void **state)
{
    enum { ROWS = 9, WIDTH = 77 };
    (void)state;
    for (int p = RG_FLOAT; p <= RG_DOUBLE; p++)
        for (int cpu = RG_CPU_PORTABLE; cpu <= RG_CPU_AVX512; cpu++)
            for (uint32_t width = 1; width <= WIDTH; width += 19) {
                rg_precision precision = (rg_precision)p;
                const rg_gnn_kernels *kernels = rg_gnn_kernels_get(precision, (rg_cpu)cpu);
                void *x = reals(precision, ROWS * WIDTH, 6), *y = reals(precision, ROWS * WIDTH, 7);
                void *dx = reals(precision, ROWS * WIDTH, 8);
                uint32_t rank[ROWS * WIDTH];
                for (size_t k = 0; k < ROWS * WIDTH; k += 3) /* some are equal */
                    put(precision, x, k, (double)(k % 4) - 1);
                kernels->sort_channels(y, rank, ROWS, width, x);
                kernels->sort_channels_back(dx, rank, ROWS, width, y, false);
                assert_memory_equal(dx, x, ROWS * width * rg_real_size(precision));
                for (size_t s = 0; s < ROWS; s++)
                    for (size_t c = 0; c < width; c++) {
                        const double one = at(precision, x, s * width + c);
                        uint32_t before = 0;
                        for (size_t k = 0; k < width; k++) {
                            double other = at(precision, x, s * width + k);
                            before += other < one || (other == one && k < c);
                        }
                        assert_int_equal(rank[s * width + c], before);
                    }
                free(x);
                free(y);
                free(dx);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_batch_has_the_edges_of_its_graphs),
        cmocka_unit_test(aggregations_are_products_with_matrices),
        cmocka_unit_test(channels_are_put_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
