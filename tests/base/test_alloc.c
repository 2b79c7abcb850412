/* test_alloc.c - checked sizes, blocks, growing arrays, one block carved into arrays. */
#include "support/support.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

static void sizes_that_overflow_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t a, b;
        bool add, mul;
    } cases[] = {
        {0, 0, true, true},
        {1, 2, true, true},
        {SIZE_MAX, 0, true, true},
        {0, SIZE_MAX, true, true},
        {SIZE_MAX, 1, false, true},
        {1, SIZE_MAX, false, true},
        {SIZE_MAX - 1, 1, true, true},
        {SIZE_MAX, SIZE_MAX, false, false},
        {SIZE_MAX / 2, 2, true, true},
        {SIZE_MAX / 2 + 1, 2, true, false},
        {2, SIZE_MAX / 2 + 1, true, false},
        {(size_t)1 << 32, (size_t)1 << 32, true, false},
        {((size_t)1 << 32) - 1, ((size_t)1 << 32) + 1, true, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t a = cases[k].a, b = cases[k].b, sum = 4711, product = 4711;
        assert_int_equal(rg_size_add(&sum, a, b), cases[k].add);
        assert_int_equal(rg_size_mul(&product, a, b), cases[k].mul);
        assert_true(sum == (cases[k].add ? a + b : 4711));
        assert_true(product == (cases[k].mul ? a * b : 4711));
    }
}

/* Kept from the compiler, which knows what malloc can give and warns. */
static volatile size_t huge = (size_t)PTRDIFF_MAX + 1;

static void blocks_beyond_all_memory_are_refused(void **state)
{
    (void)state;
    assert_null(rg_alloc(huge, 1));
    assert_null(rg_alloc(1, huge));
    assert_null(rg_alloc(huge, 8));
    assert_null(rg_alloc_zero(huge, 1));
    assert_null(rg_alloc_zero(huge, huge));
    char *block = rg_alloc(4, 1);
    assert_non_null(block);
    memcpy(block, "abc", 4);
    assert_null(rg_realloc(block, huge, 1));
    assert_string_equal(block, "abc");
    assert_null(rg_copy_text(block, SIZE_MAX));
    rg_free(block);
}

static void nothing_is_a_block_too(void **state)
{
    (void)state;
    void *blocks[] = {rg_alloc(0, 8), rg_alloc(8, 0), rg_alloc_zero(0, 0), rg_realloc(NULL, 0, 4),
                      rg_copy_text(NULL, 0)};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        assert_non_null(blocks[k]);
        rg_free(blocks[k]);
    }
    rg_free(NULL);
}

static void zeroed_blocks_are_zero(void **state)
{
    (void)state;
    unsigned char *block = rg_alloc_zero(1000, 3);
    assert_non_null(block);
    for (size_t k = 0; k < 3000; k++)
        assert_int_equal(block[k], 0);
    rg_free(block);
}

static void arrays_grow_and_keep_their_items(void **state)
{
    (void)state;
    uint32_t *items = NULL;
    size_t capacity = 0, moves = 0;
    for (uint32_t k = 0; k < 100000; k++) {
        size_t before = capacity;
        assert_true(rg_grow(&items, &capacity, (size_t)k + 1, sizeof *items));
        assert_true(capacity > k);
        moves += capacity != before;
        items[k] = k * 3;
    }
    assert_true(moves < 20); /* doubling, not one by one */
    for (uint32_t k = 0; k < 100000; k++)
        assert_int_equal(items[k], k * 3);
    size_t before = capacity;
    assert_true(rg_grow(&items, &capacity, 5, sizeof *items));
    assert_int_equal(capacity, before);
    uint32_t *same = items;
    assert_false(rg_grow(&items, &capacity, huge, sizeof *items));
    assert_ptr_equal(items, same);
    assert_int_equal(capacity, before);
    rg_free(items);
}

static void copies_end_with_a_zero(void **state)
{
    (void)state;
    char *copy = rg_copy_text("abcdef", 3);
    assert_string_equal(copy, "abc");
    rg_free(copy);
    copy = rg_copy_text("a\0b", 3);
    assert_memory_equal(copy, "a\0b", 4);
    rg_free(copy);
}

static void pieces_of_a_layout_do_not_overlap(void **state)
{
    (void)state;
    static const struct {
        size_t count, size;
    } pieces[] = {{3, 1}, {0, 8}, {7, 8}, {1, 16}, {17, 1}, {5, 24}};
    enum { N = sizeof pieces / sizeof *pieces };
    rg_carve carve = {0};
    size_t at[N];
    for (size_t k = 0; k < N; k++)
        at[k] = rg_carve_add(&carve, pieces[k].count, pieces[k].size);
    char *block = rg_carve_alloc(&carve);
    assert_non_null(block);
    for (size_t k = 0; k < N; k++) {
        size_t end = at[k] + pieces[k].count * pieces[k].size;
        assert_int_equal(at[k] % 16, 0);
        assert_true(end <= (k + 1 < N ? at[k + 1] : carve.bytes));
        memset(block + at[k], (int)k, end - at[k]);
    }
    rg_free(block);
}

static void layouts_that_overflow_give_no_block(void **state)
{
    (void)state;
    static const struct {
        size_t count, size, count2, size2;
    } cases[] = {
        {SIZE_MAX, 2, 1, 1},       {SIZE_MAX, 1, 1, 1},     {SIZE_MAX - 14, 1, 1, 1},
        {SIZE_MAX - 20, 1, 64, 1}, {1, 1, SIZE_MAX - 8, 1}, {SIZE_MAX / 2, 1, SIZE_MAX / 2, 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_carve carve = {0};
        rg_carve_add(&carve, cases[k].count, cases[k].size);
        rg_carve_add(&carve, cases[k].count2, cases[k].size2);
        rg_carve_add(&carve, 1, 1); /* an overflow is not forgotten */
        assert_null(rg_carve_alloc(&carve));
    }
}

/* Every function of alloc.h that allocates, one after another. */
static rg_status allocate_all(void *context, rg_error *err)
{
    (void)context;
    rg_status status = RG_ENOMEM;
    rg_carve carve = {0};
    rg_carve_add(&carve, 10, 8);
    uint32_t *items = NULL;
    size_t capacity = 0;
    char *text = NULL;
    void *zero = NULL, *block = NULL, *carved = NULL, *moved;
    if (!(block = rg_alloc(10, 1)) || !(zero = rg_alloc_zero(10, 1)) ||
        !(moved = rg_realloc(block, 100000, 1)))
        goto done;
    block = moved;
    if (rg_grow(&items, &capacity, 20, sizeof *items) && (text = rg_copy_text("text", 4)) &&
        (carved = rg_carve_alloc(&carve)))
        status = RG_OK;
done:
    rg_free(block);
    rg_free(zero);
    rg_free(items);
    rg_free(text);
    rg_free(carved);
    return status ? rg_fail_memory(err, "trying") : RG_OK;
}

static void every_allocation_can_fail(void **state)
{
    (void)state;
    assert_int_equal(test_allocation_sweep(allocate_all, NULL), 6);
}

static void faults_happen_once_and_where_they_were_set(void **state)
{
    (void)state;
    rg_fault_set(RG_FAULT_ALLOC, 3);
    void *blocks[5];
    for (int k = 0; k < 5; k++) {
        assert_int_equal(rg_fault_happened(RG_FAULT_ALLOC), k >= 3);
        blocks[k] = rg_alloc(1, 1);
        assert_true((blocks[k] == NULL) == (k == 2));
    }
    assert_int_equal(rg_fault_calls(RG_FAULT_ALLOC), 5);
    assert_int_equal(rg_fault_calls(RG_FAULT_IO), 0);
    rg_fault_set(RG_FAULT_ALLOC, 0);
    assert_false(rg_fault_happened(RG_FAULT_ALLOC));
    for (int k = 0; k < 5; k++)
        rg_free(blocks[k]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_that_overflow_are_refused),
        cmocka_unit_test(blocks_beyond_all_memory_are_refused),
        cmocka_unit_test(nothing_is_a_block_too),
        cmocka_unit_test(zeroed_blocks_are_zero),
        cmocka_unit_test(arrays_grow_and_keep_their_items),
        cmocka_unit_test(copies_end_with_a_zero),
        cmocka_unit_test(pieces_of_a_layout_do_not_overlap),
        cmocka_unit_test(layouts_that_overflow_give_no_block),
        cmocka_unit_test(every_allocation_can_fail),
        cmocka_unit_test(faults_happen_once_and_where_they_were_set),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
