/* test_layout_threads.c - points of graphs that several threads find at once. */
/* threads */
#include "support/graphs.h"

#include "base/digest.h"
#include "base/pool.h"
#include "layout/layout.h"

enum { N_JOBS = 12 };

typedef struct jobs {
    test_graph graphs[N_JOBS];
    rg_graph views[N_JOBS];
    rg_point *points[N_JOBS];
} jobs;

static rg_status lay_one(void *context, size_t index, unsigned worker, rg_error *err)
{
    (void)worker;
    jobs *j = context;
    return rg_graph_layout(j->points[index], &j->views[index], err);
}

static void bytes_are_the_same_on_any_number_of_threads(void **state)
{
    (void)state;
    static const double densities[] = {0.05, 0.12, 0.5};
    char first[RG_DIGEST_TEXT] = "";
    jobs j;
    for (uint32_t k = 0; k < N_JOBS; k++) {
        j.graphs[k] = test_random(12 + 3 * k, densities[k % 3], 1, 1, k);
        j.views[k] = test_view(&j.graphs[k]).graph;
        j.points[k] = calloc(j.graphs[k].n, sizeof *j.points[k]);
        assert_non_null(j.points[k]);
    }
    for (unsigned threads = 1; threads <= 4; threads *= 2) {
        rg_pool *pool = NULL;
        rg_digest digest;
        char text[RG_DIGEST_TEXT];
        ASSERT_OK(rg_pool_new(&pool, threads, err));
        ASSERT_OK(rg_pool_run(pool, N_JOBS, lay_one, &j, err));
        rg_pool_free(pool);
        rg_digest_init(&digest);
        for (uint32_t k = 0; k < N_JOBS; k++)
            rg_digest_real_array(&digest, &j.points[k][0].x, 2 * (size_t)j.graphs[k].n);
        rg_digest_finish(&digest, text);
        if (!*first)
            memcpy(first, text, sizeof first);
        assert_string_equal(first, text);
    }
    for (uint32_t k = 0; k < N_JOBS; k++) {
        free(j.points[k]);
        test_graph_free(&j.graphs[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_the_same_on_any_number_of_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
