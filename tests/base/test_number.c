/* test_number.c - numbers as text: known answers, strtod and printf as twins, other locales. */
#include "support/support.h"

#include "base/number.h"
#include "base/random.h"

#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bytes of `text` that are the number; -1: none. The copy has no room behind it, so that a
 * sanitizer sees every byte read too far. */
static int int_length(const char *text, int64_t *out)
{
    size_t n = strlen(text);
    char *copy = malloc(n ? n : 1);
    assert_non_null(copy);
    memcpy(copy, text, n);
    const char *after = rg_number_int(copy, copy + n, out);
    int length = after ? (int)(after - copy) : -1;
    free(copy);
    return length;
}

static int real_length(const char *text, double *out)
{
    size_t n = strlen(text);
    char *copy = malloc(n ? n : 1);
    assert_non_null(copy);
    memcpy(copy, text, n);
    const char *after = rg_number_real(copy, copy + n, out);
    int length = after ? (int)(after - copy) : -1;
    free(copy);
    return length;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void ints_have_known_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int length;
        int64_t value;
    } cases[] = {
        {"0", 1, 0},
        {"7", 1, 7},
        {"+3", 2, 3},
        {"-0", 2, 0},
        {"-12", 3, -12},
        {"007", 3, 7},
        {"3.0", 3, 3},
        {"5.", 2, 5},
        {".0", 2, 0},
        {"3e0", 3, 3},
        {"1e5", 3, 100000},
        {"1E+2", 4, 100},
        {"2.50e1", 6, 25},
        {"1200e-2", 7, 12},
        {"0.00000000000000000000012e23", 28, 12},
        {"0e400", 5, 0},
        {"0e-400", 6, 0},
        {"-0.000e99999999999999999999", 27, 0},
        {"1.0000000000000000000000000", 27, 1},
        {"9223372036854775807", 19, INT64_MAX},
        {"9223372036854775807.000", 23, INT64_MAX},
        {"922337203685477580.7e1", 22, INT64_MAX},
        {"-9223372036854775808", 20, INT64_MIN},
        {"-922337203685477580800e-2", 25, INT64_MIN},
        {"0000000000000000000000000000042", 31, 42},
        {"1000000000000000000", 19, 1000000000000000000},
        {"1e18", 4, 1000000000000000000},
        {"12,13", 2, 12},
        {"12 13", 2, 12},
        {"1.2.0", -1, 0},
        {"3x", 1, 3},
        {"9223372036854775808", -1, 0},
        {"-9223372036854775809", -1, 0},
        {"1234567890123456789012345", -1, 0},
        {"10000000000000000000000000", -1, 0},
        {"1e19", -1, 0},
        {"1e400", -1, 0},
        {"1e99999999999999999999", -1, 0},
        {"1e-99999999999999999999", -1, 0},
        {"1e-5", -1, 0},
        {"0.5", -1, 0},
        {".5", -1, 0},
        {"1.5e0", -1, 0},
        {"", -1, 0},
        {"-", -1, 0},
        {"+", -1, 0},
        {".", -1, 0},
        {"-.", -1, 0},
        {".e1", -1, 0},
        {"e1", -1, 0},
        {"1e", -1, 0},
        {"1e+", -1, 0},
        {"+-3", -1, 0},
        {"--3", -1, 0},
        {" 3", -1, 0},
        {"nan", -1, 0},
        {"inf", -1, 0},
        {"x", -1, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        int64_t value = 4711;
        int length = int_length(cases[k].text, &value);
        int64_t expected = cases[k].length < 0 ? 4711 : cases[k].value;
        if (length != cases[k].length || value != expected)
            fail_msg("'%s': length %d, value %" PRId64, cases[k].text, length, value);
    }
}

static void reals_have_known_values(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        int length;
        double value;
    } cases[] = {
        {"0", 1, 0},
        {"-0", 2, -0.0},
        {"-0.0e5", 6, -0.0},
        {".5", 2, 0.5},
        {"-.5", 3, -0.5},
        {"5.", 2, 5},
        {"+3", 2, 3},
        {"1e-5", 4, 1e-5},
        {"1e22", 4, 1e22},
        {"1e23", 4, 1e23},
        {"9007199254740993", 16, 9007199254740992.0},
        {"9007199254740993.00000000000000000000000000001", 46, 9007199254740994.0},
        {"1234567890123456789012345", 25, 1234567890123456789012345.0},
        {"0.1", 3, 0.1},
        {"0.30000000000000004", 19, 0.1 + 0.2},
        {"1.7976931348623157e308", 22, DBL_MAX},
        {"2.2250738585072014e-308", 23, DBL_MIN},
        {"2.2250738585072011e-308", 23, 2.2250738585072011e-308},
        {"5e-324", 6, 0x1p-1074},
        {"4.9e-324", 8, 0x1p-1074},
        {"2e-324", 6, 0},
        {"1e-400", 6, 0},
        {"-1e-400", 7, -0.0},
        {"1e-99999999999999999999", 23, 0},
        {"0e99999999999999999999", 22, 0},
        {"1,5", 1, 1},
        {"1.5,2.5", 3, 1.5},
        {"1.5.2", 3, 1.5},
        {"0x10", 1, 0},
        {"1e400", -1, 0},
        {"-1e400", -1, 0},
        {"1.8e308", -1, 0},
        {"1e99999999999999999999", -1, 0},
        {"inf", -1, 0},
        {"-inf", -1, 0},
        {"infinity", -1, 0},
        {"", -1, 0},
        {".", -1, 0},
        {"-", -1, 0},
        {"1e", -1, 0},
        {"1e-", -1, 0},
        {"e5", -1, 0},
        {"na", -1, 0},
        {"-nan", -1, 0},
        {" 1", -1, 0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double value = 4711;
        int length = real_length(cases[k].text, &value);
        double expected = cases[k].length < 0 ? 4711 : cases[k].value;
        if (length != cases[k].length || bits_of(value) != bits_of(expected))
            fail_msg("'%s': length %d, value %.17g", cases[k].text, length, value);
    }
    static const char *const nans[] = {"nan", "NaN", "NAN", "nanx"};
    for (size_t k = 0; k < 4; k++) {
        double value = 0;
        assert_int_equal(real_length(nans[k], &value), 3);
        assert_true(isnan(value));
    }
}

/* A digit thousands of places away decides between two doubles, or makes up for the exponent. */
static void very_long_numbers_are_rounded_right(void **state)
{
    (void)state;
    static const struct {
        const char *head;
        char fill;
        int times;
        const char *tail;
        double value;
    } cases[] = {
        {"1", '0', 5000, "e-5000", 1},
        {"0.", '0', 5000, "1e5001", 1},
        {"0.", '0', 300000, "25e300001", 2.5},
        {"", '0', 100000, "7", 7},
        {"1.", '0', 5000, "1", 1},
        {"9007199254740993", '.', 1, "0", 9007199254740992.0},
        {"9007199254740993.", '0', 5000, "", 9007199254740992.0},
        {"9007199254740993.", '0', 5000, "1", 9007199254740994.0},
        {"-9007199254740993.", '0', 5000, "1e0", -9007199254740994.0},
        {"", '9', 5000, "e-5000", 1},
        {"0.", '3', 5000, "", 1 / 3.0},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        size_t head = strlen(cases[k].head), tail = strlen(cases[k].tail);
        size_t n = head + (size_t)cases[k].times + tail;
        char *text = malloc(n);
        assert_non_null(text);
        memcpy(text, cases[k].head, head);
        memset(text + head, cases[k].fill, (size_t)cases[k].times);
        memcpy(text + n - tail, cases[k].tail, tail);
        double value = 0;
        assert_ptr_equal(rg_number_real(text, text + n, &value), text + n);
        if (value != cases[k].value)
            fail_msg("case %zu: %.17g instead of %.17g", k, value, cases[k].value);
        free(text);
    }
}

/* The exact midpoint between two denormals has hundreds of digits; one more tips it. */
static void midpoints_go_to_the_even_neighbour(void **state)
{
    (void)state;
    for (int k = 0; k < 200; k++) {
        uint64_t bits = rg_random_u64(1, 2, (uint64_t)k) & 0x7fffffffffffffff;
        if (bits >> 52 == 0x7ff || bits >> 52 > 0x3ff + 40)
            continue;
        double low, high;
        memcpy(&low, &bits, sizeof low);
        high = nextafter(low, INFINITY);
        long double middle = ((long double)low + (long double)high) / 2;
        if (middle == (long double)low || middle == (long double)high)
            continue; /* long double is no longer than double here */
        char text[1400];
        int n = snprintf(text, sizeof text, "%.1100Lf", middle);
        double even = bits % 2 ? high : low, value = 0;
        assert_ptr_equal(rg_number_real(text, text + n, &value), text + n);
        assert_true(value == even);
        strcpy(text + n, "0001");
        assert_non_null(rg_number_real(text, text + n + 4, &value));
        assert_true(value == high);
    }
}

/* A number made of a few random pieces. */
static void random_text(char *text, uint64_t k)
{
    char *p = text;
    uint64_t draw = rg_random_u64(3, 4, k);
    const char *signs[] = {"", "-", "+", ""};
    p += sprintf(p, "%s", signs[draw % 4]);
    p += sprintf(p, "%" PRIu64, rg_random_u64(3, 5, k) >> (draw >> 8) % 64);
    if (draw >> 20 & 1)
        p += sprintf(p, ".%" PRIu64, rg_random_u64(3, 6, k) >> (draw >> 24) % 64);
    if (draw >> 21 & 1)
        sprintf(p, "e%d", (int)rg_random_below(3, 7, k, 700) - 350);
}

static void reals_agree_with_strtod(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 200000; k++) {
        char text[80];
        random_text(text, k);
        double expected = strtod(text, NULL), value = 4711;
        const char *after = rg_number_real(text, text + strlen(text), &value);
        if (isinf(expected))
            assert_null(after);
        else if (!after || *after || bits_of(value) != bits_of(expected))
            fail_msg("'%s': %.17g instead of %.17g", text, value, expected);
    }
}

static void ints_agree_with_strtoll_in_every_spelling(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 100000; k++) {
        int64_t expected = (int64_t)rg_random_u64(5, 1, k) >> rg_random_below(5, 2, k, 64), value;
        char text[80];
        int n = sprintf(text, "%" PRId64, expected);
        assert_ptr_equal(rg_number_int(text, text + n, &value), text + n);
        assert_int_equal(value, expected);
        int zeros = (int)rg_random_below(5, 3, k, 30);
        n = sprintf(text, "%" PRId64 "%.*se-%d", expected, zeros, "000000000000000000000000000000",
                    zeros);
        assert_ptr_equal(rg_number_int(text, text + n, &value), text + n);
        assert_int_equal(value, expected);
    }
}

static void printed_numbers_look_as_expected(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {-0.0, "-0"},
        {1, "1"},
        {-1, "-1"},
        {10, "10"},
        {100000, "100000"},
        {1234567, "1234567"},
        {1e15, "1000000000000000"},
        {9007199254740992.0, "9007199254740992"},
        {9007199254740994.0, "9007199254740994"},
        {12345678901234567.0, "1.2345678901234568e16"},
        {1e16, "1e16"},
        {1e20, "1e20"},
        {1e22, "1e22"},
        {1e23, "1e23"},
        {0.1, "0.1"},
        {0.5, "0.5"},
        {-0.25, "-0.25"},
        {1.5, "1.5"},
        {100.25, "100.25"},
        {0.001, "0.001"},
        {0.0001, "0.0001"},
        {0.00012, "0.00012"},
        {0.00001, "1e-5"},
        {1.5e-7, "1.5e-7"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1 / 3.0, "0.3333333333333333"},
        {2 / 3.0, "0.6666666666666666"},
        {3.141592653589793, "3.141592653589793"},
        {0x1p-44, "5.684341886080802e-14"},
        {DBL_MAX, "1.7976931348623157e308"},
        {-DBL_MAX, "-1.7976931348623157e308"},
        {DBL_MIN, "2.2250738585072014e-308"},
        {0x1p-1074, "5e-324"},
        {5 * 0x1p-1074, "2.5e-323"},
        {NAN, "nan"},
        {-NAN, "nan"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[RG_NUMBER_MAX];
        size_t n = rg_number_print(text, cases[k].value);
        assert_string_equal(text, cases[k].text);
        assert_int_equal(n, strlen(cases[k].text));
    }
}

static int n_digits(const char *text)
{
    int n = 0;
    char digits[40];
    for (; *text && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (n || *text != '0'))
            digits[n++] = *text;
    while (n > 0 && digits[n - 1] == '0')
        n--;
    return n;
}

/* Reads back, and every decimal with one digit less, the nearest two, does not. */
static void check_shortest(double value)
{
    char text[RG_NUMBER_MAX], other[48];
    size_t n = rg_number_print(text, value);
    double back = 0;
    assert_int_equal(n, strlen(text));
    assert_true(n < RG_NUMBER_MAX);
    assert_ptr_equal(rg_number_real(text, text + n, &back), text + n);
    if (bits_of(back) != bits_of(value))
        fail_msg("%.17g became %s", value, text);
    int digits = n_digits(text);
    if (digits < 2)
        return;
    sprintf(other, "%.*e", digits - 2, value);
    long double step = strtold(strchr(other, 'e') + 1, NULL) - (digits - 2);
    for (int up = -1; up <= 1; up++) {
        char twin[64];
        long long mantissa = 0;
        for (const char *c = other; *c != 'e'; c++)
            if (*c >= '0' && *c <= '9')
                mantissa = mantissa * 10 + (*c - '0');
        sprintf(twin, "%s%llde%d", value < 0 ? "-" : "", mantissa + up, (int)step);
        if (strtod(twin, NULL) == value)
            fail_msg("%s is shorter than %s", twin, text);
    }
}

static void printed_numbers_are_shortest_and_read_back(void **state)
{
    (void)state;
    for (uint64_t k = 0; k < 60000; k++) {
        uint64_t bits = rg_random_u64(7, 1, k);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value))
            check_shortest(value);
        check_shortest(rg_random_unit(7, 2, k));
        check_shortest((double)rg_random_below(7, 3, k, 1000000) / 1000);
        check_shortest((float)rg_random_normal(7, 4, k));
    }
    for (int power = -1074; power <= 1023; power++) {
        double value = ldexp(1, power);
        check_shortest(value);
        check_shortest(nextafter(value, 0) == 0 ? value : nextafter(value, 0));
        check_shortest(nextafter(value, INFINITY));
    }
    for (int ulps = 1; ulps < 3000; ulps++)
        check_shortest(ulps * 0x1p-1074);
}

static void other_locales_change_nothing(void **state)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8",
                                        "fr_FR.utf8",  "fr_FR",      "ps_AF", "fa_IR"};
    int tried = 0;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (!setlocale(LC_ALL, names[k]) || strcmp(localeconv()->decimal_point, ".") == 0)
            continue;
        tried++;
        printed_numbers_look_as_expected(state);
        reals_have_known_values(state);
        very_long_numbers_are_rounded_right(state);
        check_shortest(0.1 + 0.2);
        setlocale(LC_ALL, "C");
    }
    if (!tried)
        skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ints_have_known_values),
        cmocka_unit_test(reals_have_known_values),
        cmocka_unit_test(very_long_numbers_are_rounded_right),
        cmocka_unit_test(midpoints_go_to_the_even_neighbour),
        cmocka_unit_test(reals_agree_with_strtod),
        cmocka_unit_test(ints_agree_with_strtoll_in_every_spelling),
        cmocka_unit_test(printed_numbers_look_as_expected),
        cmocka_unit_test(printed_numbers_are_shortest_and_read_back),
        cmocka_unit_test(other_locales_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
