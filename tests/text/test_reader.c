/* test_reader.c - lines, fields and complaints; the same in whatever chunks the text arrives.
 */
#include "text_chunks.h"

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
        for (size_t chunk = 1; chunk < 10; chunk++) {
            text_chunks p;
            size_t n = cases[k].n ? cases[k].n : strlen(cases[k].text), line = 0, length;
            rg_reader *in = open_chunks(&p, cases[k].text, n, chunk);
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

/* Bytes as they stand, from the start or behind a line, whatever the chunks. */
static void bytes_come_as_they_stand(void **state)
{
    (void)state;
    static const char text[] = "a line\n\0\r\n\n\xff rest";
    for (size_t chunk = 1; chunk < 24; chunk++)
        for (size_t skip = 0; skip < 2; skip++) {
            text_chunks p;
            char bytes[sizeof text];
            size_t n = 0, got = 1, from = skip ? 7 : 0;
            rg_reader *in = open_chunks(&p, text, sizeof text - 1, chunk);
            if (skip)
                assert_true(next_line(in));
            for (; got; n += got)
                ASSERT_OK(rg_reader_raw(in, bytes + n, sizeof bytes - n < 5 ? sizeof bytes - n : 5,
                                        &got, err));
            assert_int_equal(n, sizeof text - 1 - from);
            assert_memory_equal(bytes, text + from, n);
            assert_int_equal(rg_reader_bytes(in), sizeof text - 1);
            rg_reader_close(in);
        }
}

/* Lines around the size of the first buffer, its double, and so on, in chunks and whole. */
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
        text_chunks p;
        rg_reader *in = open_chunks(&p, text, n, sizes[s]);
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
    text_chunks p;
    rg_reader *in = open_chunks(&p, "1 2\n3 4\nrest", 12, 5);
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
    text_chunks *p = context;
    *p = (text_chunks){"1 2\n", 4, 0, 2, false, 0};
    rg_reader *in = NULL;
    bool more = true;
    rg_status status = rg_reader_stream(&in, "t", (rg_stream){p, chunks_read, chunks_close}, err);
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
    text_chunks p;
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
        cmocka_unit_test(bytes_come_as_they_stand),
        cmocka_unit_test(long_lines_come_whole),
        cmocka_unit_test(a_line_without_end_is_refused),
        cmocka_unit_test(a_stream_that_fails_is_reported_after_its_lines),
        cmocka_unit_test(fields_are_read_or_complained_about),
        cmocka_unit_test(fields_have_their_values),
        cmocka_unit_test(zero_bytes_are_bytes_like_others),
        cmocka_unit_test(files_are_read_and_every_call_can_fail),
        cmocka_unit_test(what_cannot_be_opened_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
