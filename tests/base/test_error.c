/* test_error.c - messages: one line, always UTF-8, always terminated. */
#include "support/support.h"

#include "base/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void every_status_has_a_text_of_its_own(void **state)
{
    (void)state;
    for (int a = RG_OK; a <= RG_ENOMEM; a++) {
        assert_true(strlen(rg_status_text((rg_status)a)) > 1);
        for (int b = RG_OK; b < a; b++)
            assert_string_not_equal(rg_status_text((rg_status)a), rg_status_text((rg_status)b));
    }
    assert_string_equal(rg_status_text((rg_status)99), "unknown status");
}

static void the_version_is_the_header_s(void **state)
{
    (void)state;
    char *expected = test_format("%d.%d.%d", RG_VERSION_MAJOR, RG_VERSION_MINOR, RG_VERSION_PATCH);
    assert_string_equal(rg_version(), expected);
    assert_string_equal(RG_VERSION, expected);
    free(expected);
}

static void statuses_are_the_exit_codes_of_the_program(void **state)
{
    (void)state;
    rg_status codes[] = {RG_OK, RG_EFAIL, RG_EUSAGE, RG_EDATA, RG_EIO, RG_ENOMEM};
    for (int k = 0; k < 6; k++)
        assert_int_equal(codes[k], k);
}

static void a_failure_is_told_and_returned(void **state)
{
    (void)state;
    rg_error err = {"old"};
    assert_int_equal(rg_fail(&err, RG_EDATA, "%s:%d: found '%s'", "a.txt", 3, "x"), RG_EDATA);
    assert_string_equal(err.message, "a.txt:3: found 'x'");
    assert_int_equal(rg_fail(NULL, RG_EIO, "%d", 1), RG_EIO);
    assert_int_equal(rg_fail_memory(&err, "reading 'X'"), RG_ENOMEM);
    assert_string_equal(err.message, "out of memory: reading 'X'");
    assert_int_equal(rg_fail_memory(NULL, "x"), RG_ENOMEM);
}

static void a_message_can_quote_the_one_before(void **state)
{
    (void)state;
    rg_error err = {"no such node"};
    assert_int_equal(rg_fail(&err, RG_EDATA, "while reading %s: %s", "A", err.message), RG_EDATA);
    assert_string_equal(err.message, "while reading A: no such node");
}

static void io_failures_name_path_and_reason(void **state)
{
    (void)state;
    rg_error err;
    assert_int_equal(rg_fail_io(&err, ENOENT, "open", "/no/where"), RG_EIO);
    assert_string_equal(err.message, "cannot open '/no/where': No such file or directory");
    assert_int_equal(rg_fail_io(&err, ENOMEM, "open", "x"), RG_ENOMEM);
    assert_int_equal(rg_fail_io(&err, 123456, "open", "x"), RG_EIO);
    assert_non_null(strstr(err.message, "123456"));
}

static void messages_are_one_line_of_printable_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } cases[] = {
        {"plain ~ text", "plain ~ text"},
        {"two\nlines\r\t", "two?lines??"},
        {"\x1b[31mred\x7f", "?[31mred?"},
        {"\x01\x1f", "??"},
        {"Gr\xc3\xb6\xc3\x9f\x65", "Gr\xc3\xb6\xc3\x9f\x65"},
        {"\xe2\x82\xac \xf0\x9f\x98\x80", "\xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\xef\xbf\xbd \xed\x9f\xbf \xf4\x8f\xbf\xbf",
         "\xef\xbf\xbd \xed\x9f\xbf \xf4\x8f\xbf\xbf"},
        {"\xc2\x9b"
         "31m",
         "??31m"}, /* the 8-bit way to steer a terminal */
        {"\xc2\xa0", "\xc2\xa0"},
        {"\x9b\xff\xfe", "???"},
        {"\xc3", "?"}, /* cut short */
        {"\xe2\x82", "??"},
        {"\xf0\x9f\x98", "???"},
        {"\xc3x", "?x"},
        {"\xe2\x82x", "??x"},
        {"\xc0\xaf", "??"}, /* longer than needed */
        {"\xe0\x80\xaf", "???"},
        {"\xf0\x80\x80\xaf", "????"},
        {"\xed\xa0\x80", "???"},      /* a surrogate */
        {"\xf4\x90\x80\x80", "????"}, /* above U+10FFFF */
        {"\xf5\x80\x80\x80", "????"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        rg_error err;
        assert_int_equal(rg_fail(&err, RG_EDATA, "%s", cases[k].from), RG_EDATA);
        assert_string_equal(err.message, cases[k].to);
    }
}

static void long_messages_are_cut_and_stay_utf8(void **state)
{
    (void)state;
    rg_error err;
    size_t room = sizeof err.message;
    for (size_t n = room - 4; n < room + 4; n++) {
        char *text = malloc(n + 3);
        assert_non_null(text);
        memset(text, 'a', n);
        strcpy(text + n, "\xc3\xb6");
        memset(&err, 'x', sizeof err);
        assert_int_equal(rg_fail(&err, RG_EDATA, "%s", text), RG_EDATA);
        assert_non_null(memchr(err.message, 0, room));
        size_t length = strlen(err.message);
        assert_int_equal(length, n + 2 < room ? n + 2 : room - 1);
        assert_int_equal(err.message[length - 1], n == room - 2  ? '?'
                                                  : n < room - 2 ? '\xb6'
                                                                 : 'a');
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_text_of_its_own),
        cmocka_unit_test(the_version_is_the_header_s),
        cmocka_unit_test(statuses_are_the_exit_codes_of_the_program),
        cmocka_unit_test(a_failure_is_told_and_returned),
        cmocka_unit_test(a_message_can_quote_the_one_before),
        cmocka_unit_test(io_failures_name_path_and_reason),
        cmocka_unit_test(messages_are_one_line_of_printable_utf8),
        cmocka_unit_test(long_messages_are_cut_and_stay_utf8),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
