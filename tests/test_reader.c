/* test_reader.c - lines, fields and complaints; the same in whatever pieces the text arrives. */
#include "support.h"

#include "base/error.h"
#include "base/number.h"
#include "base/random.h"
#include "base/reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A stream that gives a text in pieces, and may fail at the end instead of ending. */
typedef struct pieces {
    const char *text;
    size_t n, at, piece;
    bool fails;
    int closed;
} pieces;

static rg_status pieces_read(void *state, void *buffer, size_t n, size_t *got, rg_error *err)
{
    pieces *p = state;
    if (p->at == p->n && p->fails)
        return rg_fail(err, RG_EIO, "the disk is gone");
    *got = p->n - p->at < p->piece ? p->n - p->at : p->piece;
    *got = *got < n ? *got : n;
    memcpy(buffer, p->text + p->at, *got);
    p->at += *got;
    return RG_OK;
}

static void pieces_close(void *state)
{
    ((pieces *)state)->closed++;
}

static rg_reader *open_pieces(pieces *p, const char *text, size_t n, size_t piece)
{
    *p = (pieces){text, n, 0, piece, false, 0};
    rg_reader *in = NULL;
    ASSERT_OK(rg_reader_stream(&in, "t", (rg_stream){p, pieces_read, pieces_close}, err));
    return in;
}

static rg_reader *open_text(const char *text)
{
    rg_reader *in = NULL;
    ASSERT_OK(rg_reader_memory(&in, "t", text, strlen(text), err));
    return in;
}

static bool next_line(rg_reader *in)
{
    bool more = false;
    ASSERT_OK(rg_reader_next(in, &more, err));
    return more;
}

static void lines_end_where_they_should(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t n; /* bytes of the text; 0: up to its zero */
        const char *lines[5];
    } cases[] = {
        {"", 0, {NULL}},
        {"a", 0, {"a"}},
        {"a\n", 0, {"a"}},
        {"a\nb", 0, {"a", "b"}},
        {"a\r\nb\r\n", 0, {"a", "b"}},
        {"a\r", 0, {"a"}},
        {"\r", 0, {""}},
        {"a\r\r\n", 0, {"a\r"}},
        {"a\rb\n", 0, {"a\rb"}},
        {"\n", 0, {""}},
        {"\n\n\n", 0, {"", "", ""}},
        {"\r\n\n", 0, {"", ""}},
        {"\n\r", 0, {"", ""}},
        {" a \n\n b", 0, {" a ", "", " b"}},
        {"\0\n\0", 3, {"", ""}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (size_t piece = 1; piece < 10; piece++) {
            pieces p;
            size_t n = cases[k].n ? cases[k].n : strlen(cases[k].text), line = 0, length;
            rg_reader *in = open_pieces(&p, cases[k].text, n, piece);
            assert_int_equal(rg_reader_line_number(in), 0);
            assert_string_equal(rg_reader_text(in, &length), "");
            for (; next_line(in); line++) {
                assert_true(line < 5 && cases[k].lines[line]);
                const char *text = rg_reader_text(in, &length);
                assert_string_equal(text, cases[k].lines[line]);
                assert_int_equal(text[length], '\0');
                if (!cases[k].n)
                    assert_int_equal(length, strlen(text));
                assert_int_equal(rg_reader_line_number(in), line + 1);
            }
            assert_null(cases[k].lines[line]);
            assert_false(next_line(in)); /* the end stays the end */
            assert_int_equal(rg_reader_line_number(in), line);
            assert_int_equal(rg_reader_bytes(in), n);
            assert_int_equal(rg_reader_unended(in), n > 0 && cases[k].text[n - 1] != '\n');
            rg_reader_close(in);
            assert_int_equal(p.closed, 1);
        }
}

/* Lines around the size of the first buffer, its double, and so on, in pieces and whole. */
static void long_lines_come_whole(void **state)
{
    (void)state;
    static const size_t lengths[] = {65534,  65535,  65536,  65537, 262142, 262143,  262144, 262145,
                                     524287, 524288, 524289, 1,     0,      3000000, 5};
    enum { N = sizeof lengths / sizeof *lengths };
    size_t n = 0;
    for (size_t k = 0; k < N; k++)
        n += lengths[k] + 2;
    char *text = malloc(n), *at = text;
    assert_non_null(text);
    for (size_t k = 0; k < N; k++) {
        memset(at, (int)('a' + k), lengths[k]);
        at += lengths[k];
        *at++ = '\r';
        *at++ = '\n';
    }
    static const size_t sizes[] = {1000, 4096, 65536, 262144, SIZE_MAX};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        pieces p;
        rg_reader *in = open_pieces(&p, text, n, sizes[s]);
        for (size_t k = 0; k < N; k++) {
            assert_true(next_line(in));
            size_t length;
            const char *line = rg_reader_text(in, &length);
            assert_int_equal(length, lengths[k]);
            assert_int_equal(line[length], '\0');
            assert_int_equal(strspn(line, (char[]){(char)('a' + k), '\0'}), length);
        }
        assert_false(next_line(in));
        rg_reader_close(in);
    }
    free(text);
}

static rg_status endless_read(void *state, void *buffer, size_t n, size_t *got, rg_error *err)
{
    (void)err;
    memset(buffer, '1', n);
    *(uint64_t *)state += n;
    *got = n;
    return RG_OK;
}

static void a_line_without_end_is_refused(void **state)
{
    (void)state;
    uint64_t given = 0;
    rg_reader *in = NULL;
    ASSERT_OK(rg_reader_stream(&in, "t", (rg_stream){&given, endless_read, NULL}, err));
    bool more = false;
    rg_error told;
    assert_int_equal(rg_reader_next(in, &more, &told), RG_EDATA);
    assert_string_equal(told.message, "t:1: found a line of 67108864 bytes or more, expected a "
                                      "shorter one");
    assert_true(given <= RG_READER_LINE_MAX);
    assert_int_equal(rg_reader_next(in, &more, &told), RG_EDATA); /* and stays so */
    assert_false(more);
    rg_reader_close(in);
}

static void a_stream_that_fails_is_reported_after_its_lines(void **state)
{
    (void)state;
    pieces p;
    rg_reader *in = open_pieces(&p, "1 2\n3 4\nrest", 12, 5);
    p.fails = true;
    uint32_t pair[2];
    bool more = false;
    ASSERT_OK(rg_reader_pair(in, &more, pair, "a node", err));
    ASSERT_OK(rg_reader_pair(in, &more, pair, "a node", err));
    rg_error told;
    assert_int_equal(rg_reader_pair(in, &more, pair, "a node", &told), RG_EIO);
    assert_string_equal(told.message, "the disk is gone");
    size_t n = 1;
    assert_non_null(rg_reader_text(in, &n));
    assert_int_equal(n, 0);
    rg_reader_close(in);
}

/* What a line holds: i an int, r a real, w a word, $ its end; the message, or none. */
static void fields_are_read_or_complained_about(void **state)
{
    (void)state;
    static const struct {
        const char *text, *fields, *message;
    } cases[] = {
        {"1", "i$", NULL},
        {"  1\t", "i$", NULL},
        {"1,2", "ii$", NULL},
        {"1, 2", "ii$", NULL},
        {"1 ,2", "ii$", NULL},
        {"1 , 2", "ii$", NULL},
        {"1\t2", "ii$", NULL},
        {"-1 +2 3.0 4e1", "iiii$", NULL},
        {"1.5, nan, 1e-400, .5", "rrrr$", NULL},
        {"a b,c", "www$", NULL},
        {"\xc3\xb6 x", "ww$", NULL},
        {"", "$", NULL},
        {"   ", "$", NULL},
        {"", "i", "t:1:1: found the end of the line, expected a number"},
        {"   ", "i", "t:1:4: found the end of the line, expected a number"},
        {"1", "ii", "t:1:2: found the end of the line, expected a number"},
        {"1,", "ii", "t:1:3: found the end of the line, expected a number"},
        {"1,", "i$", "t:1:2: found ',', expected the end of the line"},
        {"1 ,  ", "i$", "t:1:3: found ',', expected the end of the line"},
        {"1,,2", "ii", "t:1:3: found ',', expected a number"},
        {"1,,", "i$", "t:1:3: found ',', expected the end of the line"},
        {",1", "i", "t:1:1: found ',', expected a number"},
        {",", "$", "t:1:1: found ',', expected the end of the line"},
        {"1 2", "i$", "t:1:3: found '2', expected the end of the line"},
        {"1, 2", "i$", "t:1:4: found '2', expected the end of the line"},
        {"abc", "i", "t:1:1: found 'abc', expected a number"},
        {"1 2x 3", "ii", "t:1:3: found '2x', expected a number"},
        {"1;2", "i", "t:1:1: found '1;2', expected a number"},
        {"1.5", "i", "t:1:1: found '1.5', expected a number"},
        {"9223372036854775808", "i", "t:1:1: found '9223372036854775808', expected a number"},
        {"1e999", "r", "t:1:1: found '1e999', expected a number"},
        {"nanx", "r", "t:1:1: found 'nanx', expected a number"},
        {"inf", "r", "t:1:1: found 'inf', expected a number"},
        {"0x1f", "r", "t:1:1: found '0x1f', expected a number"},
        {"1.5.2", "r", "t:1:1: found '1.5.2', expected a number"},
        {"1\v2", "i", "t:1:1: found '1?2', expected a number"},
        {"1 \x1b[2J", "ii", "t:1:3: found '?[2J', expected a number"},
        {"1\r2", "i", "t:1:1: found '1?2', expected a number"},
        {"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd", "i",
         "t:1:1: found 'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd', expected a number"},
        {"aaaaaaaaaabbbbbbbbbbccccccccccdddddddddde", "i",
         "t:1:1: found 'aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd...', expected a number"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_reader *in = open_text(cases[k].text);
        rg_error told = {""};
        rg_status status = RG_OK;
        if (*cases[k].text)
            assert_true(next_line(in));
        else { /* an empty line, not an empty file */
            rg_reader_close(in);
            in = open_text("\n");
            assert_true(next_line(in));
        }
        for (const char *f = cases[k].fields; *f && !status; f++) {
            int64_t whole = 4711;
            double real = 4711;
            const char *word = NULL;
            size_t n = 0;
            status = *f == 'i'   ? rg_reader_int(in, &whole, "a number", &told)
                     : *f == 'r' ? rg_reader_real(in, &real, "a number", &told)
                     : *f == 'w' ? rg_reader_word(in, &word, &n, "a word", &told)
                                 : rg_reader_expect_end(in, &told);
            if (status)
                assert_true(whole == 4711 && real == 4711 && !word);
        }
        assert_int_equal(status, cases[k].message ? RG_EDATA : RG_OK);
        assert_string_equal(told.message, cases[k].message ? cases[k].message : "");
        rg_reader_close(in);
    }
}

static void fields_have_their_values(void **state)
{
    (void)state;
    rg_reader *in = open_text("7, -2.5 abc,x\n");
    int64_t whole = 0;
    double real = 0;
    const char *word = NULL;
    size_t n = 0;
    assert_true(next_line(in));
    assert_false(rg_reader_at_end(in));
    ASSERT_OK(rg_reader_int(in, &whole, "a", err));
    ASSERT_OK(rg_reader_real(in, &real, "b", err));
    ASSERT_OK(rg_reader_word(in, &word, &n, "c", err));
    assert_int_equal(whole, 7);
    assert_true(real == -2.5);
    assert_int_equal(n, 3);
    assert_memory_equal(word, "abc", 3);
    assert_false(rg_reader_at_end(in));
    ASSERT_OK(rg_reader_word(in, &word, &n, "d", err));
    assert_int_equal(n, 1);
    assert_true(rg_reader_at_end(in));
    assert_string_equal(rg_reader_name(in), "t");
    rg_reader_close(in);
}

static void zero_bytes_are_bytes_like_others(void **state)
{
    (void)state;
    rg_reader *in = NULL;
    ASSERT_OK(rg_reader_memory(&in, "t", "1\0002 a\0b\n3", 9, err));
    assert_true(next_line(in));
    int64_t whole = 0;
    const char *word = NULL;
    size_t n = 0;
    rg_error told;
    assert_int_equal(rg_reader_int(in, &whole, "a number", &told), RG_EDATA);
    assert_string_equal(told.message, "t:1:1: found '1?2', expected a number");
    ASSERT_OK(rg_reader_word(in, &word, &n, "a word", err));
    assert_int_equal(n, 3);
    ASSERT_OK(rg_reader_word(in, &word, &n, "a word", err));
    assert_int_equal(n, 3);
    assert_memory_equal(word, "a\0b", 3);
    assert_true(next_line(in));
    assert_false(next_line(in));
    assert_int_equal(rg_reader_complain(in, "another line", &told), RG_EDATA);
    assert_string_equal(told.message, "t:2:1: found the end of the file, expected another line");
    rg_reader_close(in);
}

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
        size_t n = (size_t)(at - text) - rg_random_below(round, 3, 0, 3), piece = 1 + round % 70;
        pieces p, q;
        rg_reader *fast = open_pieces(&p, text, n, piece), *slow = open_pieces(&q, text, n, 7);
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
        pieces p;
        rg_reader *in = open_pieces(&p, text, (size_t)(at - text), sizes[s]);
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

static rg_status read_a_file(void *path, rg_error *err)
{
    rg_reader *in = NULL;
    bool more = true;
    rg_status status = rg_reader_open(&in, path, err);
    if (status)
        assert_null(in);
    while (!status && more)
        status = rg_reader_next(in, &more, err);
    rg_reader_close(in);
    return status;
}

static rg_status read_a_stream(void *context, rg_error *err)
{
    pieces *p = context;
    *p = (pieces){"1 2\n", 4, 0, 2, false, 0};
    rg_reader *in = NULL;
    bool more = true;
    rg_status status = rg_reader_stream(&in, "t", (rg_stream){p, pieces_read, pieces_close}, err);
    while (!status && more)
        status = rg_reader_next(in, &more, err);
    rg_reader_close(in);
    assert_int_equal(p->closed, 1); /* moved, also on failure */
    return status;
}

static rg_status read_memory(void *context, rg_error *err)
{
    (void)context;
    rg_reader *in = NULL;
    bool more = true;
    rg_status status = rg_reader_memory(&in, "t", "a\nb", 3, err);
    while (!status && more)
        status = rg_reader_next(in, &more, err);
    rg_reader_close(in);
    return status;
}

static void files_are_read_and_every_call_can_fail(void **state)
{
    (void)state;
    char *directory = test_directory_make(), *path = test_format("%s/long", directory);
    size_t n = 600000;
    char *text = malloc(n);
    assert_non_null(text);
    memset(text, '7', n);
    text[n / 10] = '\n';
    test_write_bytes(directory, "long", text, n);
    assert_true(test_allocation_sweep(read_a_file, path) >= 5); /* three, and two to grow */
    assert_true(test_io_sweep(read_a_file, path) >= 4);
    pieces p;
    assert_int_equal(test_allocation_sweep(read_a_stream, &p), 3);
    assert_int_equal(test_allocation_sweep(read_memory, NULL), 3);
    free(text);
    free(path);
    test_directory_remove(directory);
}

static void what_cannot_be_opened_is_named(void **state)
{
    (void)state;
    char *directory = test_directory_make();
    rg_reader *in = NULL;
    rg_error told;
    assert_int_equal(rg_reader_open(&in, "/no/such/file", &told), RG_EIO);
    assert_string_equal(told.message, "cannot open '/no/such/file': No such file or directory");
    assert_int_equal(rg_reader_open(&in, directory, &told), RG_EIO);
    assert_non_null(strstr(told.message, "Is a directory"));
    assert_non_null(strstr(told.message, directory));
    assert_null(in);
    rg_reader_close(NULL);
    test_directory_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_end_where_they_should),
        cmocka_unit_test(long_lines_come_whole),
        cmocka_unit_test(a_line_without_end_is_refused),
        cmocka_unit_test(a_stream_that_fails_is_reported_after_its_lines),
        cmocka_unit_test(fields_are_read_or_complained_about),
        cmocka_unit_test(fields_have_their_values),
        cmocka_unit_test(zero_bytes_are_bytes_like_others),
        cmocka_unit_test(pairs_are_read_or_complained_about),
        cmocka_unit_test(after_a_pair_its_fields_can_be_complained_about),
        cmocka_unit_test(quick_ints_are_taken_or_left_alone),
        cmocka_unit_test(reals_of_a_line_are_those_of_number_c),
        cmocka_unit_test(pairs_agree_with_reading_field_by_field),
        cmocka_unit_test(long_edge_lists_lose_nothing),
        cmocka_unit_test(files_are_read_and_every_call_can_fail),
        cmocka_unit_test(what_cannot_be_opened_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
