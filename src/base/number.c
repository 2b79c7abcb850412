/* number.c - see number.h. */
#include "number.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Exact powers of ten: with a mantissa below 2^53 one multiplication or division by one of these
 * rounds once, so the result is the nearest double (Clinger's fast path). */
static const double ten_to[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* [+-] digits [. digits] [e [+-] digits]: the end of such a number, or NULL. */
typedef struct decimal {
    uint64_t mantissa; /* its first 19 significant digits */
    int exponent;      /* value = mantissa * 10^exponent, if exact */
    bool negative, exact;
} decimal;

static const char *scan_decimal(const char *p, const char *end, decimal *out)
{
    decimal d = {0, 0, false, true};
    int digits = 0, seen = 0;
    if (p < end && (*p == '+' || *p == '-'))
        d.negative = *p++ == '-';
    for (int fraction = 0; p < end; p++) {
        if (*p == '.' && !fraction) {
            fraction = 1;
            continue;
        }
        if (!is_digit(*p))
            break;
        seen = 1;
        if (digits < 19) {
            d.mantissa = d.mantissa * 10 + (uint64_t)(*p - '0');
            digits += d.mantissa != 0;
            d.exponent -= fraction;
        } else {
            if (*p != '0')
                d.exact = false;
            d.exponent += !fraction;
            if (d.exponent > 100000)
                d.exact = false;
        }
    }
    if (!seen)
        return NULL;
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *q = p + 1;
        bool down = false;
        int power = 0;
        if (q < end && (*q == '+' || *q == '-'))
            down = *q++ == '-';
        if (q == end || !is_digit(*q))
            return NULL;
        for (; q < end && is_digit(*q); q++)
            if (power < 100000)
                power = power * 10 + (*q - '0');
        d.exponent += down ? -power : power;
        p = q;
    }
    *out = d;
    return p;
}

const char *rg_number_int(const char *p, const char *end, int64_t *out)
{
    decimal d;
    const char *after = scan_decimal(p, end, &d);
    if (!after || !d.exact)
        return NULL;
    while (d.exponent < 0 && d.mantissa % 10 == 0 && d.mantissa) {
        d.mantissa /= 10;
        d.exponent++;
    }
    if (d.mantissa == 0)
        d.exponent = 0;
    for (; d.exponent > 0; d.exponent--) {
        if (d.mantissa > UINT64_MAX / 10)
            return NULL;
        d.mantissa *= 10;
    }
    if (d.exponent < 0 || d.mantissa > (uint64_t)INT64_MAX + (d.negative ? 1 : 0))
        return NULL;
    *out = d.negative ? (int64_t)(0 - d.mantissa) : (int64_t)d.mantissa;
    return after;
}

/* strtod in the C locale on a terminated copy; the slow path for long or extreme numbers. */
static double convert_slowly(const char *p, size_t n)
{
    char text[1100]; /* no double needs more than 767 significant digits to be told apart */
    if (n >= sizeof text)
        n = sizeof text - 1;
    memcpy(text, p, n);
    text[n] = '\0';
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c)
        return strtod(text, NULL);
    locale_t old = uselocale(c);
    double value = strtod(text, NULL);
    uselocale(old);
    freelocale(c);
    return value;
}

const char *rg_number_real(const char *p, const char *end, double *out)
{
    if (end - p >= 3 && (p[0] | 32) == 'n' && (p[1] | 32) == 'a' && (p[2] | 32) == 'n') {
        *out = NAN;
        return p + 3;
    }
    decimal d;
    const char *after = scan_decimal(p, end, &d);
    if (!after)
        return NULL;
    double value;
    if (d.exact && d.mantissa <= (uint64_t)1 << 53 && d.exponent >= -22 && d.exponent <= 22) {
        value = (double)d.mantissa;
        value = d.exponent < 0 ? value / ten_to[-d.exponent] : value * ten_to[d.exponent];
        value = d.negative ? -value : value;
    } else {
        value = convert_slowly(p, (size_t)(after - p));
    }
    if (isinf(value))
        return NULL;
    *out = value;
    return after;
}

/* The host's locale may have printed another decimal sign, of one byte or several: make it a point.
 * Returns the length. */
static size_t use_a_point(char *text)
{
    size_t n = 0;
    bool inside = false;
    for (const char *c = text; *c; c++) {
        bool sign = !strchr("0123456789+-e.", *c);
        if (!sign || !inside)
            text[n++] = sign ? '.' : *c;
        inside = sign;
    }
    text[n] = '\0';
    return n;
}

size_t rg_number_print(char out[RG_NUMBER_MAX], double value)
{
    if (isnan(value)) {
        memcpy(out, "nan", 4);
        return 3;
    }
    int n = 0;
    for (int digits = 1; digits <= 17; digits = digits == 1 ? 6 : digits < 15 ? 15 : digits + 1) {
        double back;
        n = snprintf(out, RG_NUMBER_MAX, "%.*g", digits, value);
        n = (int)use_a_point(out);
        if (rg_number_real(out, out + n, &back) && back == value)
            break;
    }
    return (size_t)n;
}
