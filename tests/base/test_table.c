/* test_table.c - the hash table against a list that is searched from one end to the other. */
#include "support/support.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "base/table.h"

#include <stdio.h>
#include <string.h>

/* The twin: all keys in order of arrival. */
typedef struct list {
    size_t n;
    struct {
        unsigned char bytes[24];
        size_t n;
    } keys[4000];
} list;

static uint32_t list_find(const list *l, const void *key, size_t n)
{
    for (size_t k = 0; k < l->n; k++)
        if (l->keys[k].n == n && memcmp(l->keys[k].bytes, key, n) == 0)
            return (uint32_t)k;
    return RG_TABLE_NONE;
}

static uint32_t list_add(list *l, const void *key, size_t n)
{
    uint32_t found = list_find(l, key, n);
    if (found != RG_TABLE_NONE)
        return found;
    memcpy(l->keys[l->n].bytes, key, n);
    l->keys[l->n].n = n;
    return (uint32_t)l->n++;
}

/* Few letters and short, so that many keys come twice, are empty, or begin with one another. */
static size_t random_key(unsigned char key[24], uint64_t k)
{
    size_t n = rg_random_below(1, 1, k, 12);
    for (size_t c = 0; c < n; c++)
        key[c] = (unsigned char)rg_random_below(1, 2 + c, k, 3);
    return n;
}

static void tables_agree_with_a_list(void **state)
{
    (void)state;
    list *twin = calloc(1, sizeof *twin);
    rg_table *table = rg_table_new();
    assert_non_null(twin);
    assert_non_null(table);
    for (uint64_t k = 0; k < 6000 && twin->n < 4000; k++) {
        unsigned char key[24];
        size_t n = random_key(key, k);
        assert_int_equal(rg_table_find(table, key, n), list_find(twin, key, n));
        assert_int_equal(rg_table_add(table, key, n), list_add(twin, key, n));
        assert_int_equal(rg_table_size(table), twin->n);
    }
    assert_true(twin->n > 1000);
    for (uint32_t k = 0; k < twin->n; k++) {
        size_t n;
        const void *key = rg_table_key(table, k, &n);
        assert_int_equal(n, twin->keys[k].n);
        assert_memory_equal(key, twin->keys[k].bytes, n);
        assert_int_equal(rg_table_find(table, key, n), k);
    }
    rg_table_free(table);
    free(twin);
}

static void the_empty_key_is_a_key(void **state)
{
    (void)state;
    rg_table *table = rg_table_new();
    assert_non_null(table);
    assert_int_equal(rg_table_find(table, NULL, 0), RG_TABLE_NONE);
    assert_int_equal(rg_table_add(table, NULL, 0), 0);
    assert_int_equal(rg_table_add(table, "", 0), 0);
    assert_int_equal(rg_table_find(table, "x", 0), 0);
    size_t n = 1;
    assert_non_null(rg_table_key(table, 0, &n));
    assert_int_equal(n, 0);
    assert_int_equal(rg_table_add(table, "", 1), 1); /* one zero byte is another key */
    assert_int_equal(rg_table_add(table, "\0", 2), 2);
    assert_int_equal(rg_table_size(table), 3);
    rg_table_free(table);
    rg_table_free(NULL);
}

static void keys_that_differ_in_one_byte_are_different(void **state)
{
    (void)state;
    rg_table *table = rg_table_new();
    assert_non_null(table);
    unsigned char key[300] = {0};
    uint32_t number = 0;
    assert_int_equal(rg_table_add(table, key, sizeof key), number++);
    for (size_t at = 0; at < sizeof key; at++)
        for (int value = 1; value < 256; value *= 3) {
            key[at] = (unsigned char)value;
            assert_int_equal(rg_table_find(table, key, sizeof key), RG_TABLE_NONE);
            assert_int_equal(rg_table_add(table, key, sizeof key), number++);
            key[at] = 0;
        }
    assert_int_equal(rg_table_find(table, key, sizeof key), 0);
    assert_int_equal(rg_table_size(table), number);
    rg_table_free(table);
}

static void numbers_stay_while_the_table_grows(void **state)
{
    (void)state;
    rg_table *table = rg_table_new();
    assert_non_null(table);
    for (uint32_t k = 0; k < 300000; k++)
        assert_int_equal(rg_table_add(table, &k, sizeof k), k);
    for (uint32_t k = 0; k < 300000; k++)
        assert_int_equal(rg_table_find(table, &k, sizeof k), k);
    uint32_t absent = 300000;
    assert_int_equal(rg_table_find(table, &absent, sizeof absent), RG_TABLE_NONE);
    rg_table_free(table);
}

/* Keys of different lengths, no two alike; the first one is empty. */
static size_t text_key(char key[16], uint32_t k)
{
    return k == 0 ? 0 : (size_t)snprintf(key, 16, "%*u", (int)(1 + k % 6), k);
}

static void keys_can_be_numbered_anew(void **state)
{
    (void)state;
    enum { N = 1000 };
    rg_table *table = rg_table_new();
    uint32_t *order = malloc(N * sizeof *order);
    char key[16];
    size_t n;
    assert_true(table && order);
    assert_true(rg_table_reorder(table, order)); /* nothing to do */
    for (uint32_t k = 0; k < N; k++) {
        n = text_key(key, k);
        assert_int_equal(rg_table_add(table, key, n), k);
        order[k] = (k * 7 + 3) % N; /* 7 and 1000 have no common factor */
    }
    assert_true(rg_table_reorder(table, order));
    assert_int_equal(rg_table_size(table), N);
    for (uint32_t k = 0; k < N; k++) {
        n = text_key(key, order[k]);
        assert_int_equal(rg_table_find(table, key, n), k);
        assert_int_equal(rg_table_add(table, key, n), k);
        size_t found;
        const void *bytes = rg_table_key(table, k, &found);
        assert_int_equal(found, n);
        assert_memory_equal(bytes, key, n);
    }
    for (uint32_t k = N; k < 3 * N; k++) { /* and it grows as before */
        n = text_key(key, k);
        assert_int_equal(rg_table_add(table, key, n), k);
    }
    free(order);
    rg_table_free(table);
}

/* A key that could not be added is not there, all others are, and adding can go on. */
static rg_status fill_a_table(void *context, rg_error *err)
{
    (void)context;
    rg_status status = RG_OK;
    rg_table *table = rg_table_new();
    if (!table)
        return rg_fail_memory(err, "a table");
    for (uint32_t k = 0; k < 500; k++) {
        uint32_t number = rg_table_add(table, &k, sizeof k);
        if (number == RG_TABLE_NONE) {
            status = rg_fail_memory(err, "a key");
            assert_int_equal(rg_table_size(table), k);
            assert_int_equal(rg_table_find(table, &k, sizeof k), RG_TABLE_NONE);
            number = rg_table_add(table, &k, sizeof k);
        }
        assert_int_equal(number, k);
    }
    uint32_t order[500], last = 0; /* backwards, and left as it was if that fails */
    for (uint32_t k = 0; k < 500; k++)
        order[k] = 499 - k;
    if (rg_table_reorder(table, order))
        last = 499;
    else
        status = rg_fail_memory(err, "an order");
    for (uint32_t k = 0; k < 500; k++)
        assert_int_equal(rg_table_find(table, &k, sizeof k), last ? last - k : k);
    rg_table_free(table);
    return status;
}

static void a_failed_allocation_leaves_the_table_as_it_was(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(fill_a_table, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_agree_with_a_list),
        cmocka_unit_test(the_empty_key_is_a_key),
        cmocka_unit_test(keys_that_differ_in_one_byte_are_different),
        cmocka_unit_test(numbers_stay_while_the_table_grows),
        cmocka_unit_test(keys_can_be_numbered_anew),
        cmocka_unit_test(a_failed_allocation_leaves_the_table_as_it_was),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
