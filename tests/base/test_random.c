/* test_random.c - Philox against the vectors of Random123; draws that are fair and in no order. */
#include "support/support.h"

#include "base/random.h"

#include <math.h>
#include <string.h>

static void philox_has_known_answers(void **state)
{
    (void)state;
    static const struct {
        uint32_t counter[4], key[2], out[4];
    } cases[] = {
        {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
        {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
         {0xffffffff, 0xffffffff},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
        {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
         {0xa4093822, 0x299f31d0},
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint32_t out[4];
        rg_philox(cases[k].counter, cases[k].key, out);
        assert_memory_equal(out, cases[k].out, sizeof out);
    }
}

/* These are part of what a seed means: a change here changes every generated set. */
static void seeds_mean_the_same_for_ever(void **state)
{
    (void)state;
    assert_true(rg_random_u64(0, 0, 0) == 0xe169c58d6627e8d5);
    uint32_t out[4];
    rg_philox((uint32_t[4]){7, 1, 5, 0}, (uint32_t[2]){3, 2}, out);
    assert_true(rg_random_u64((uint64_t)2 << 32 | 3, 5, (uint64_t)1 << 32 | 7) ==
                ((uint64_t)out[1] << 32 | out[0]));
    static const uint32_t shuffled[] = {5, 7, 3, 0, 6, 1, 4, 2};
    uint32_t items[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    rg_random_shuffle(42, 1, items, 8);
    assert_memory_equal(items, shuffled, sizeof items);
}

static void draws_depend_on_seed_stream_and_index_only(void **state)
{
    (void)state;
    enum { N = 1000 };
    uint64_t forward[N];
    for (uint64_t k = 0; k < N; k++)
        forward[k] = rg_random_u64(1, 2, k);
    for (uint64_t k = N; k-- > 0;) {
        assert_true(rg_random_below(9, 9, k, 10) < 10); /* other draws do not disturb */
        assert_true(rg_random_u64(1, 2, k) == forward[k]);
    }
}

/* Each of the 64-bit numbers counts in full, its upper half too. */
static void other_seeds_streams_and_indices_give_other_draws(void **state)
{
    (void)state;
    uint64_t draws[1 + 3 * 64];
    size_t n = 0;
    draws[n++] = rg_random_u64(0, 0, 0);
    for (int bit = 0; bit < 64; bit++) {
        draws[n++] = rg_random_u64((uint64_t)1 << bit, 0, 0);
        draws[n++] = rg_random_u64(0, (uint64_t)1 << bit, 0);
        draws[n++] = rg_random_u64(0, 0, (uint64_t)1 << bit);
    }
    for (size_t a = 0; a < n; a++)
        for (size_t b = 0; b < a; b++)
            assert_true(draws[a] != draws[b]);
}

/* Chi-square far out in its tail: mean + 6 standard deviations, with a fixed seed. */
static void assert_even(const unsigned *counts, size_t n, double expected)
{
    double chi = 0, freedom = (double)n - 1;
    for (size_t k = 0; k < n; k++)
        chi += ((double)counts[k] - expected) * ((double)counts[k] - expected) / expected;
    if (chi > freedom + 6 * sqrt(2 * freedom) + 6)
        fail_msg("chi-square %g with %g degrees of freedom", chi, freedom);
}

static void numbers_below_n_come_equally_often(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 20; n++) {
        unsigned counts[20] = {0};
        for (uint64_t k = 0; k < 20000; k++) {
            uint32_t draw = rg_random_below(11, n, k, n);
            assert_true(draw < n);
            counts[draw]++;
        }
        if (n > 1)
            assert_even(counts, n, 20000.0 / n);
    }
}

/* With n = 3 * 2^30 a plain remainder or product would give some thirds twice as often. */
static void large_bounds_are_not_biased(void **state)
{
    (void)state;
    static const uint32_t bounds[] = {3u << 30, UINT32_MAX, (1u << 31) + 1, 3000000000u};
    for (size_t b = 0; b < sizeof bounds / sizeof *bounds; b++) {
        unsigned thirds[3] = {0}, low[3] = {0};
        for (uint64_t k = 0; k < 30000; k++) {
            uint32_t draw = rg_random_below(12, b, k, bounds[b]);
            assert_true(draw < bounds[b]);
            thirds[(uint64_t)draw * 3 / bounds[b]]++;
            low[draw % 3]++;
        }
        assert_even(thirds, 3, 10000);
        assert_even(low, 3, 10000);
    }
}

/* The first word of the block that is not rejected, found with the textbook's threshold. */
static void rejected_words_are_passed_over(void **state)
{
    (void)state;
    uint32_t n = (1u << 31) + 1; /* nearly half of all words are rejected */
    size_t beyond = 0;
    for (uint32_t k = 0; k < 2000; k++) {
        uint32_t expected = 0;
        for (uint32_t again = 0, found = 0; !found; again++) {
            uint32_t words[4];
            rg_philox((uint32_t[4]){k, 0, 4, again}, (uint32_t[2]){13, 0}, words);
            for (int w = 0; w < 4 && !found; w++) {
                found = (uint32_t)((uint64_t)words[w] * n) >= (uint32_t)(0x100000000 % n);
                expected = (uint32_t)((uint64_t)words[w] * n >> 32);
            }
            beyond += !found;
        }
        assert_int_equal(rg_random_below(13, 4, k, n), expected);
    }
    assert_true(beyond > 50);
}

static void units_fill_the_interval_evenly(void **state)
{
    (void)state;
    unsigned counts[100] = {0};
    double sum = 0;
    for (uint64_t k = 0; k < 100000; k++) {
        double draw = rg_random_unit(14, 0, k);
        assert_true(draw >= 0 && draw < 1 && draw * 0x1p53 == floor(draw * 0x1p53));
        counts[(int)(draw * 100)]++;
        sum += draw;
    }
    assert_even(counts, 100, 1000);
    assert_true(fabs(sum / 100000 - 0.5) < 0.005);
}

static void normals_have_the_moments_of_a_normal(void **state)
{
    (void)state;
    enum { N = 200000 };
    double sum[5] = {0};
    unsigned inside = 0;
    for (uint64_t k = 0; k < N; k++) {
        double draw = rg_random_normal(15, 0, k), power = 1;
        assert_true(isfinite(draw));
        for (int m = 0; m < 5; m++, power *= draw)
            sum[m] += power;
        inside += fabs(draw) < 1;
    }
    assert_true(fabs(sum[1] / N) < 0.01);
    assert_true(fabs(sum[2] / N - 1) < 0.02);
    assert_true(fabs(sum[3] / N) < 0.03);
    assert_true(fabs(sum[4] / N - 3) < 0.1);
    assert_true(fabs((double)inside / N - 0.6826895) < 0.005);
}

static void a_shuffle_is_a_permutation(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 2, 3, 10, 1000};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        uint32_t items[1000], seen[1000] = {0};
        for (uint32_t k = 0; k < sizes[s]; k++)
            items[k] = k;
        rg_random_shuffle(16, s, items, sizes[s]);
        for (size_t k = 0; k < sizes[s]; k++) {
            assert_true(items[k] < sizes[s]);
            assert_int_equal(seen[items[k]]++, 0);
        }
    }
}

static void every_order_of_four_comes_equally_often(void **state)
{
    (void)state;
    unsigned counts[256] = {0}, orders[24], n = 0;
    for (uint64_t k = 0; k < 24000; k++) {
        uint32_t items[4] = {0, 1, 2, 3};
        rg_random_shuffle(17, k, items, 4);
        counts[items[0] | items[1] << 2 | items[2] << 4 | items[3] << 6]++;
    }
    for (int k = 0; k < 256; k++)
        if (counts[k]) {
            assert_true(n < 24);
            orders[n++] = counts[k];
        }
    assert_int_equal(n, 24);
    assert_even(orders, 24, 1000);
}

/* Neighbouring streams and indices are no more alike than any others. */
static void neighbours_are_not_alike(void **state)
{
    (void)state;
    unsigned equal_bits = 0;
    for (uint64_t k = 0; k < 10000; k++) {
        uint64_t draw = rg_random_u64(18, k, 0);
        uint64_t differ[] = {draw ^ rg_random_u64(18, k + 1, 0), draw ^ rg_random_u64(18, k, 1),
                             draw ^ rg_random_u64(19, k, 0)};
        for (int d = 0; d < 3; d++)
            for (int bit = 0; bit < 64; bit++)
                equal_bits += !(differ[d] >> bit & 1);
    }
    assert_true(fabs(equal_bits / (10000 * 3 * 64.0) - 0.5) < 0.002);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox_has_known_answers),
        cmocka_unit_test(seeds_mean_the_same_for_ever),
        cmocka_unit_test(draws_depend_on_seed_stream_and_index_only),
        cmocka_unit_test(other_seeds_streams_and_indices_give_other_draws),
        cmocka_unit_test(numbers_below_n_come_equally_often),
        cmocka_unit_test(large_bounds_are_not_biased),
        cmocka_unit_test(rejected_words_are_passed_over),
        cmocka_unit_test(units_fill_the_interval_evenly),
        cmocka_unit_test(normals_have_the_moments_of_a_normal),
        cmocka_unit_test(a_shuffle_is_a_permutation),
        cmocka_unit_test(every_order_of_four_comes_equally_often),
        cmocka_unit_test(neighbours_are_not_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
