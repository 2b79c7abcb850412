/* test_pool.c - the same results on any number of threads; the lowest failure is the one told. */
/* threads */
#include "support/support.h"

#include "base/error.h"
#include "base/pool.h"
#include "base/random.h"

#include <assert.h>
#include <stdatomic.h>
#include <string.h>

static const unsigned thread_counts[] = {1, 2, 4, 8};
enum { N_COUNTS = 4, N_ITEMS = 3000, MOST_THREADS = 8 };

typedef struct pool_job {
    uint64_t results[N_ITEMS];
    uint64_t scratch[MOST_THREADS][64]; /* a worker's own */
    atomic_uint runs[N_ITEMS];
    atomic_uint busy[MOST_THREADS];
    unsigned n_workers;
    size_t fails_from, fails_every; /* items from, from + every, ... fail; every = 0: none */
} pool_job;

/* Some work that uses the worker's scratch and depends on the index alone. */
static rg_status compute(void *context, size_t index, unsigned worker, rg_error *err)
{
    pool_job *j = context;
    assert(worker < j->n_workers);
    assert(atomic_fetch_add(&j->busy[worker], 1) == 0); /* never two items at once */
    uint64_t *scratch = j->scratch[worker], sum = 0;
    for (uint64_t k = 0; k < 64; k++)
        scratch[k] = rg_random_u64(1, index, k);
    for (uint64_t k = 0; k < 64; k++)
        sum = sum * 31 + scratch[k];
    j->results[index] = sum;
    atomic_fetch_add(&j->runs[index], 1);
    atomic_fetch_sub(&j->busy[worker], 1);
    if (j->fails_every && index >= j->fails_from && (index - j->fails_from) % j->fails_every == 0)
        return rg_fail(err, index % 2 ? RG_EDATA : RG_EFAIL, "item %zu", index);
    return RG_OK;
}

static pool_job *job_new(void)
{
    pool_job *j = calloc(1, sizeof *j);
    assert_non_null(j);
    return j;
}

static void results_are_identical_on_any_number_of_threads(void **state)
{
    (void)state;
    uint64_t first[N_ITEMS];
    for (int c = 0; c < N_COUNTS; c++) {
        pool_job *j = job_new();
        rg_pool *pool = NULL;
        ASSERT_OK(rg_pool_new(&pool, thread_counts[c], err));
        assert_true(rg_pool_size(pool) >= 1 && rg_pool_size(pool) <= thread_counts[c]);
        j->n_workers = rg_pool_size(pool);
        ASSERT_OK(rg_pool_run(pool, N_ITEMS, compute, j, err));
        for (size_t k = 0; k < N_ITEMS; k++)
            assert_int_equal(j->runs[k], 1);
        if (c == 0)
            memcpy(first, j->results, sizeof first);
        assert_memory_equal(j->results, first, sizeof first);
        rg_pool_free(pool);
        free(j);
    }
}

static void check_failure(rg_pool *pool, size_t from, size_t every)
{
    pool_job *j = job_new();
    j->n_workers = rg_pool_size(pool);
    j->fails_from = from;
    j->fails_every = every;
    rg_error told = {"untouched"};
    char *expected = test_format("item %zu", from);
    rg_status status = rg_pool_run(pool, N_ITEMS, compute, j, &told);
    assert_int_equal(status, from % 2 ? RG_EDATA : RG_EFAIL);
    assert_string_equal(told.message, expected);
    for (size_t k = 0; k < N_ITEMS; k++)
        assert_true(j->runs[k] == 1 || (k > from && j->runs[k] == 0)); /* all below it have run */
    assert_int_equal(rg_pool_run(pool, N_ITEMS, compute, j, NULL), status);
    j->fails_every = 0; /* the pool is as good as new */
    ASSERT_OK(rg_pool_run(pool, N_ITEMS, compute, j, err));
    free(expected);
    free(j);
}

static void the_lowest_failure_is_reported(void **state)
{
    (void)state;
    static const struct {
        size_t from, every;
    } cases[] = {{0, 1}, {1, 1}, {7, 1}, {100, 3}, {2999, 1}, {1500, 700}};
    for (int c = 0; c < N_COUNTS; c++) {
        rg_pool *pool = NULL;
        ASSERT_OK(rg_pool_new(&pool, thread_counts[c], err));
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            for (int repeat = 0; repeat < 5; repeat++)
                check_failure(pool, cases[k].from, cases[k].every);
        rg_pool_free(pool);
    }
}

static rg_status add_up(void *context, size_t index, unsigned worker, rg_error *err)
{
    (void)worker;
    (void)err;
    uint32_t *counts = context;
    counts[index]++; /* plain memory: every batch must have ended before the next begins */
    return RG_OK;
}

static void thousands_of_tiny_batches_are_fine(void **state)
{
    (void)state;
    for (int c = 0; c < N_COUNTS; c++) {
        rg_pool *pool = NULL;
        ASSERT_OK(rg_pool_new(&pool, thread_counts[c], err));
        uint32_t counts[5] = {0};
        for (size_t batch = 0; batch < 5000; batch++)
            ASSERT_OK(rg_pool_run(pool, batch % 6, add_up, counts, err));
        for (uint32_t k = 0; k < 5; k++) /* batches of more than k items */
            assert_int_equal(counts[k], 5000 / 6 * (5 - k) + (k < 1 ? 1 : 0));
        rg_pool_free(pool);
    }
}

static rg_status fail_silently(void *context, size_t index, unsigned worker, rg_error *err)
{
    (void)worker;
    if (*(bool *)context)
        return rg_fail(err, RG_EDATA, "item %zu", index);
    return RG_EFAIL;
}

static void an_old_message_does_not_come_back(void **state)
{
    (void)state;
    rg_pool *pool = NULL;
    ASSERT_OK(rg_pool_new(&pool, 1, err));
    bool speak = true;
    rg_error err;
    assert_int_equal(rg_pool_run(pool, 3, fail_silently, &speak, &err), RG_EDATA);
    assert_string_equal(err.message, "item 0");
    speak = false;
    assert_int_equal(rg_pool_run(pool, 3, fail_silently, &speak, &err), RG_EFAIL);
    assert_string_equal(err.message, "");
    rg_pool_free(pool);
}

static void pools_of_any_size_come_and_go(void **state)
{
    (void)state;
    rg_pool_free(NULL);
    for (unsigned n = 0; n < 20; n++) {
        rg_pool *pool = NULL;
        ASSERT_OK(rg_pool_new(&pool, n, err));
        assert_true(rg_pool_size(pool) >= 1 && (n == 0 || rg_pool_size(pool) <= n));
        if (n % 2) /* also without ever having run */
            ASSERT_OK(rg_pool_run(pool, 2, add_up, (uint32_t[2]){0}, err));
        rg_pool_free(pool);
    }
}

static rg_status make_and_run(void *context, rg_error *err)
{
    (void)context;
    rg_pool *pool = NULL;
    rg_status status = rg_pool_new(&pool, 3, err);
    if (status) {
        assert_null(pool);
        return status;
    }
    uint32_t counts[10] = {0};
    status = rg_pool_run(pool, 10, add_up, counts, err);
    rg_pool_free(pool);
    return status;
}

static void every_allocation_can_fail(void **state)
{
    (void)state;
    assert_int_equal(test_allocation_sweep(make_and_run, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_identical_on_any_number_of_threads),
        cmocka_unit_test(the_lowest_failure_is_reported),
        cmocka_unit_test(thousands_of_tiny_batches_are_fine),
        cmocka_unit_test(an_old_message_does_not_come_back),
        cmocka_unit_test(pools_of_any_size_come_and_go),
        cmocka_unit_test(every_allocation_can_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
