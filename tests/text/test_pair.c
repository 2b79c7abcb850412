/* test_pair.c - the reader's quick ways (pairs, ints, reals) give what its careful way gives. */
#include "text_chunks.h"

#include "base/number.h"
#include "base/random.h"

#include <inttypes.h>
#include <stdio.h>

static void pairs_are_read_or_complained_about(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint32_t a, b;
        const char *message;
    } cases[] = {
        {"1, 2", 1, 2, NULL},
        {"1,2", 1, 2, NULL},
        {"1 2", 1, 2, NULL},
        {"1  2", 1, 2, NULL},
        {"1\t2", 1, 2, NULL},
        {" 1 , 2 ", 1, 2, NULL},
        {"0 0", 0, 0, NULL},
        {"007,08", 7, 8, NULL},
        {"+3, 4.0", 3, 4, NULL},
        {"999999999, 999999999", 999999999, 999999999, NULL},
        {"1000000000, 1000000000", 1000000000, 1000000000, NULL},
        {"0000000000000001, 2", 1, 2, NULL},
        {"4294967294, 4294967294", 4294967294, 4294967294, NULL},
        {"4294967295, 1", 0, 0, "t:1:1: found '4294967295', expected a node"},
        {"1, 4294967295", 0, 0, "t:1:4: found '4294967295', expected a node"},
        {"-1, 2", 0, 0, "t:1:1: found '-1', expected a node"},
        {"1, -2", 0, 0, "t:1:4: found '-2', expected a node"},
        {"1, 9223372036854775808", 0, 0, "t:1:4: found '9223372036854775808', expected a node"},
        {"1, 2 3", 0, 0, "t:1:6: found '3', expected the end of the line"},
        {"1, 2,", 0, 0, "t:1:5: found ',', expected the end of the line"},
        {"1,, 2", 0, 0, "t:1:3: found ',', expected a node"},
        {"1", 0, 0, "t:1:2: found the end of the line, expected a node"},
        {"1,", 0, 0, "t:1:3: found the end of the line, expected a node"},
        {"", 0, 0, "t:1:1: found the end of the line, expected a node"},
        {"1, 2x", 0, 0, "t:1:4: found '2x', expected a node"},
        {"1x, 2", 0, 0, "t:1:1: found '1x', expected a node"},
        {"1, 2.5", 0, 0, "t:1:4: found '2.5', expected a node"},
        {"1\r, 2", 0, 0, "t:1:1: found '1?', expected a node"},
    };
    static const char *const ends[] = {"\n", "\r\n"};
    static const char *const tails[] = {"", "3, 4\n", "5 6\n7 8\n9 10\n11 12\n13 14\n15 16\n"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int e = 0; e < 2; e++)
            for (int t = 0; t < 3; t++) { /* a long tail lets the quick way have a look */
                char *text = test_format("%s%s%s", cases[k].text, ends[e], tails[t]);
                rg_reader *in = open_text(text);
                bool more = false;
                uint32_t pair[2] = {4711, 4712};
                rg_error told = {""};
                rg_status status = rg_reader_pair(in, &more, pair, "a node", &told);
                assert_int_equal(status, cases[k].message ? RG_EDATA : RG_OK);
                assert_string_equal(told.message, cases[k].message ? cases[k].message : "");
                assert_int_equal(more, !status);
                assert_int_equal(pair[0], status ? 4711 : cases[k].a);
                assert_int_equal(pair[1], status ? 4712 : cases[k].b);
                assert_string_equal(rg_reader_text(in, NULL), cases[k].text);
                assert_int_equal(rg_reader_line_number(in), 1);
                rg_reader_close(in);
                free(text);
            }
}

/* Whether a pair went the quick way or not, its line can be read again from the start. */
static void after_a_pair_its_fields_can_be_complained_about(void **state)
{
    (void)state;
    rg_reader *in = open_text("7,  8\r\n7, 8\r\n1 2\n1 2\n1 2\n1 2\n1 2\n1 2\n1 2\n");
    for (int line = 1; line <= 2; line++) {
        uint32_t pair[2];
        bool more = false;
        int64_t whole;
        rg_error told;
        ASSERT_OK(rg_reader_pair(in, &more, pair, "a node", err));
        assert_int_equal(rg_reader_complain(in, "1 .. 6", &told), RG_EDATA);
        char *expected = test_format("t:%d:1: found '7', expected 1 .. 6", line);
        assert_string_equal(told.message, expected);
        free(expected);
        ASSERT_OK(rg_reader_int(in, &whole, "a node", err));
        assert_int_equal(rg_reader_complain(in, "1 .. 6", &told), RG_EDATA);
        expected = test_format("t:%d:%d: found '8', expected 1 .. 6", line, line == 1 ? 5 : 4);
        assert_string_equal(told.message, expected);
        free(expected);
    }
    rg_reader_close(in);
}

/* One int a line: taken, or left alone. What lies behind gives the quick way room to look. */
static void quick_ints_are_taken_or_left_alone(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool taken;
        int64_t value;
    } cases[] = {
        {"0", true, 0},
        {"12", true, 12},
        {"-7", true, -7},
        {"-0", true, 0},
        {"007", true, 7},
        {"999999999", true, 999999999},
        {"-999999999", true, -999999999},
        {"1000000000", false, 0},
        {"+3", false, 0},
        {"--3", false, 0},
        {"-", false, 0},
        {"", false, 0},
        {"1 ", false, 0},
        {" 1", false, 0},
        {"1,", false, 0},
        {"1.0", false, 0},
        {"1\rx", false, 0},
        {"x", false, 0},
    };
    static const char *const ends[] = {"\n", "\r\n"};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int e = 0; e < 2; e++) {
            char *text = test_format("5\n%s%s1\n2\n3\n4\n5\n6\n7\n8\n", cases[k].line, ends[e]);
            rg_reader *in = open_text(text);
            int64_t value = 4711;
            assert_false(rg_reader_quick_int(in, &value)); /* nothing is in the buffer yet */
            assert_true(next_line(in));
            bool taken = rg_reader_quick_int(in, &value);
            if (taken != cases[k].taken || value != (taken ? cases[k].value : 4711))
                fail_msg("'%s': %d, %" PRId64, cases[k].line, taken, value);
            assert_int_equal(rg_reader_line_number(in), taken ? 2 : 1);
            if (!taken)
                assert_true(next_line(in));
            assert_string_equal(rg_reader_text(in, NULL), cases[k].line);
            rg_reader_close(in);
            free(text);
        }
}

/* The reader has a short way of its own for "-12.345". */
static void reals_of_a_line_are_those_of_number_c(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 20000; k++) {
        uint64_t draw = rg_random_u64(21, 1, k);
        char text[64];
        int n = sprintf(text, "%s%" PRIu64 ".%0*" PRIu64, draw & 1 ? "-" : "",
                        rg_random_u64(21, 2, k) >> (30 + draw / 2 % 34), (int)(draw / 128 % 11) + 1,
                        rg_random_u64(21, 3, k) >> (34 + draw / 4096 % 30));
        double value = 0, expected = 0;
        assert_non_null(rg_number_real(text, text + n, &expected));
        rg_reader *in = open_text(text);
        assert_true(next_line(in));
        ASSERT_OK(rg_reader_real(in, &value, "a number", err));
        assert_memory_equal(&value, &expected, sizeof value);
        rg_reader_close(in);
    }
}

/* Random edge lists, good lines and bad, against next, int, int, expect_end; across refills. */
static void pairs_agree_with_reading_field_by_field(void **state)
{
    (void)state;
    static const char *const separators[] = {", ", ",", " ", " , ", "\t", ",,", "", "  "};
    static const char *const line_ends[] = {"\n", "\n", "\r\n", " \n", "\r\r\n", ",\n"};
    for (uint64_t round = 0; round < 400; round++) {
        char text[4000], *at = text;
        for (uint64_t k = 0; k < 60; k++) {
            uint64_t d = rg_random_u64(round, 1, k), v = rg_random_u64(round, 2, k);
            bool odd = d % 16 == 0; /* mostly plain lines */
            at += sprintf(at, "%" PRIu64 "%s%" PRIu64 "%s", v >> (odd ? (d >> 8) % 64 : 38),
                          separators[odd ? (d >> 16) % 8 : (d >> 16) % 3], (v << 32) >> 40,
                          line_ends[odd ? (d >> 24) % 6 : (d >> 24) % 3]);
        }
        size_t n = (size_t)(at - text) - rg_random_below(round, 3, 0, 3), chunk = 1 + round % 70;
        text_chunks p, q;
        rg_reader *fast = open_chunks(&p, text, n, chunk), *slow = open_chunks(&q, text, n, 7);
        for (bool more = true; more;) {
            uint32_t pair[2] = {0, 0};
            int64_t values[2] = {0, 0};
            bool slow_more = true;
            rg_error one = {""}, two = {""};
            rg_status status = rg_reader_pair(fast, &more, pair, "a node", &one), other = RG_OK;
            ASSERT_OK(rg_reader_next(slow, &slow_more, err));
            bool too_large = false;
            for (int k = 0; k < 2 && slow_more && !other && !too_large; k++) {
                other = rg_reader_int(slow, &values[k], "a node", &two);
                too_large = values[k] >= UINT32_MAX;
            }
            if (too_large) {
                assert_int_equal(status, RG_EDATA);
                continue;
            }
            if (slow_more && !other)
                other = rg_reader_expect_end(slow, &two);
            assert_int_equal(status, other);
            assert_string_equal(one.message, two.message);
            if (!status) {
                assert_int_equal(more, slow_more);
                assert_int_equal(pair[0], values[0]);
                assert_int_equal(pair[1], values[1]);
            }
            assert_int_equal(rg_reader_line_number(fast), rg_reader_line_number(slow));
            assert_string_equal(rg_reader_text(fast, NULL), rg_reader_text(slow, NULL));
        }
        rg_reader_close(fast);
        rg_reader_close(slow);
    }
}

/* More than one buffer of pairs, so that lines lie across every kind of border. */
static void long_edge_lists_lose_nothing(void **state)
{
    (void)state;
    enum { N = 100000 };
    char *text = malloc(N * 24), *at = text;
    assert_non_null(text);
    for (uint32_t k = 0; k < N; k++)
        at += sprintf(at, "%" PRIu32 ", %" PRIu32 "%s", k, k * 37 % 1000003,
                      k % 5 == 0 ? "\r\n" : "\n");
    static const size_t sizes[] = {3, 1000, 65536, SIZE_MAX};
    for (size_t s = 0; s < 4; s++) {
        text_chunks p;
        rg_reader *in = open_chunks(&p, text, (size_t)(at - text), sizes[s]);
        for (uint32_t k = 0; k <= N; k++) {
            bool more = false;
            uint32_t pair[2];
            ASSERT_OK(rg_reader_pair(in, &more, pair, "a node", err));
            assert_int_equal(more, k < N);
            if (more)
                assert_true(pair[0] == k && pair[1] == k * 37 % 1000003);
        }
        assert_int_equal(rg_reader_line_number(in), N);
        rg_reader_close(in);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_read_or_complained_about),
        cmocka_unit_test(after_a_pair_its_fields_can_be_complained_about),
        cmocka_unit_test(quick_ints_are_taken_or_left_alone),
        cmocka_unit_test(reals_of_a_line_are_those_of_number_c),
        cmocka_unit_test(pairs_agree_with_reading_field_by_field),
        cmocka_unit_test(long_edge_lists_lose_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
