/* number.c - see number.h.
 *
 * strtod and printf follow the host's locale in one thing only, the decimal sign. So strtod is
 * given whole digits with an exponent, and of what printf wrote only the digits are taken. */
#include "number.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A number cut to its first 19 significant digits: value = mantissa * 10^exponent if exact, which
 * means that only zeros were cut; if not exact, the mantissa has 19 digits. */
typedef struct decimal {
    uint64_t mantissa;
    int64_t exponent;
    bool negative, exact;
} decimal;

enum {
    MANTISSA_DIGITS = 19, /* as many as always fit 64 bits */
    /* Two neighbouring doubles and the point midway between them differ within 768 digits. */
    ENOUGH_DIGITS = 800
};

static const double ten_to[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}; /* all exact */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* e [+-] digits: *power and the first byte after it, or NULL. */
static const char *scan_exponent(const char *p, const char *end, int64_t *power)
{
    bool down = false;
    int64_t value = 0;
    if (p < end && (*p == '+' || *p == '-'))
        down = *p++ == '-';
    if (p == end || !is_digit(*p))
        return NULL;
    for (; p < end && is_digit(*p); p++)
        if (value < INT64_MAX / 1000) /* beyond: no text has so many digits to make up for it */
            value = value * 10 + (*p - '0');
    *power = down ? -value : value;
    return p;
}

static const char *scan_decimal(const char *p, const char *end, decimal *out)
{
    decimal d = {0, 0, false, true};
    int digits = 0;
    bool seen = false, fraction = false;
    if (p < end && (*p == '+' || *p == '-'))
        d.negative = *p++ == '-';
    for (; p < end; p++) {
        if (*p == '.' && !fraction) {
            fraction = true;
            continue;
        }
        if (!is_digit(*p))
            break;
        seen = true;
        if (digits < MANTISSA_DIGITS) {
            d.mantissa = d.mantissa * 10 + (uint64_t)(*p - '0');
            digits += d.mantissa != 0;
            d.exponent -= fraction;
        } else {
            d.exact = d.exact && *p == '0';
            d.exponent += !fraction;
        }
    }
    if (!seen)
        return NULL;
    if (p < end && (*p == 'e' || *p == 'E')) {
        int64_t power;
        p = scan_exponent(p + 1, end, &power);
        if (!p)
            return NULL;
        d.exponent += power;
    }
    *out = d;
    return p;
}

const char *rg_number_int(const char *p, const char *end, int64_t *out)
{
    decimal d;
    const char *after = scan_decimal(p, end, &d);
    if (!after || !d.exact) /* a whole number of more than 19 digits does not fit either */
        return NULL;
    if (d.mantissa == 0)
        d.exponent = 0;
    for (; d.exponent < 0 && d.mantissa % 10 == 0; d.exponent++)
        d.mantissa /= 10;
    for (; d.exponent > 0 && d.mantissa <= INT64_MAX / 10; d.exponent--)
        d.mantissa *= 10;
    if (d.exponent != 0 || d.mantissa > (uint64_t)INT64_MAX + d.negative)
        return NULL;
    *out = d.negative ? (int64_t)(0 - d.mantissa) : (int64_t)d.mantissa;
    return after;
}

/* strtod of "DIGITSeEXPONENT", which no locale reads differently. */
static double convert_slowly(char *text, size_t n, int64_t exponent)
{
    int64_t bound = 99999; /* far beyond what any double has */
    exponent = exponent > bound ? bound : exponent < -bound ? -bound : exponent;
    snprintf(text + n, 16, "e%" PRId64, exponent);
    return strtod(text, NULL);
}

/* The nearest double to mantissa * 10^exponent, infinite if it is too large. */
static double convert(uint64_t mantissa, int64_t exponent)
{
    /* Clinger's fast path: up to 2^53 and up to 10^22 both factors are exact, so one multiplication
     * or division rounds once. */
    if (FLT_EVAL_METHOD == 0 && mantissa <= (uint64_t)1 << 53 && exponent >= -22 && exponent <= 22)
        return exponent < 0 ? (double)mantissa / ten_to[-exponent]
                            : (double)mantissa * ten_to[exponent];
    char text[48];
    int n = snprintf(text, 32, "%" PRIu64, mantissa);
    return convert_slowly(text, (size_t)n, exponent);
}

/* The same for a number of more than 19 digits, which are read again from [p, end). */
static double convert_long(const char *p, const char *end, const decimal *d)
{
    char text[ENOUGH_DIGITS + 32];
    size_t n = 0;
    bool rest = false;
    for (; p < end && (*p | 32) != 'e'; p++) {
        if (!is_digit(*p) || (n == 0 && *p == '0'))
            continue;
        if (n < ENOUGH_DIGITS)
            text[n++] = *p;
        else
            rest = rest || *p != '0';
    }
    if (rest) /* one more digit says on which side of a midpoint it lies */
        text[n++] = '1';
    return convert_slowly(text, n, d->exponent - (int64_t)(n - MANTISSA_DIGITS));
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
    double value = d.exact ? convert(d.mantissa, d.exponent) : convert_long(p, after, &d);
    if (isinf(value))
        return NULL;
    *out = d.negative ? -value : value;
    return after;
}

/* `value` rounded to so many significant digits. */
static decimal round_to(double value, int digits)
{
    char text[48];
    snprintf(text, sizeof text, "%.*e", digits - 1,
             value); /* d.ddde+xx, with whatever for a point */
    const char *c = text;
    decimal d = {0, 0, false, true};
    for (; *c != 'e'; c++)
        if (is_digit(*c))
            d.mantissa = d.mantissa * 10 + (uint64_t)(*c - '0');
    d.exponent = strtol(c + 1, NULL, 10) - (digits - 1);
    return d;
}

/* The shortest decimal that reads back as `value`, which is finite and above 0. A decimal of up to
 * 15 digits survives being a double and becoming a decimal again, so rounding to 15 finds every
 * shorter one with zeros behind it, except below DBL_MIN, where doubles are sparse. */
static decimal shortest(double value)
{
    if (value < 0x1p53 && value == floor(value))
        return (decimal){(uint64_t)value, 0, false, true};
    int digits = value < DBL_MIN ? 1 : 15;
    /* Most numbers in files have few decimals; those are found without printf. */
    for (int k = 1; value < 0x1p53 && k <= 22; k++) {
        double mantissa = rint(value * ten_to[k]);
        if (mantissa >= 1e15) { /* it has no such form with 15 digits */
            digits = 16;
            break;
        }
        if (convert((uint64_t)mantissa, -k) == value)
            return (decimal){(uint64_t)mantissa, -k, false, true};
    }
    for (;; digits++) {
        decimal d = round_to(value, digits);
        if (digits == 17 || convert(d.mantissa, d.exponent) == value)
            return d;
        /* Above a power of two doubles are twice as far apart as below it, so the nearest decimal
         * may be too low where the next one is good. */
        d.mantissa++;
        if (convert(d.mantissa, d.exponent) == value)
            return d;
    }
}

size_t rg_number_print(char out[RG_NUMBER_MAX], double value)
{
    if (!isfinite(value))
        return (size_t)sprintf(out, isnan(value) ? "nan" : value < 0 ? "-inf" : "inf");
    decimal d = value == 0 ? (decimal){0, 0, false, true} : shortest(fabs(value));
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%" PRIu64, d.mantissa);
    int whole = n + (int)d.exponent; /* so many digits stand before the point, if above 0 */
    while (n > 1 && digits[n - 1] == '0')
        n--;
    bool plain = whole > -4 && whole <= 16;
    int point = plain ? whole : 1;
    char *p = out;
    if (signbit(value))
        *p++ = '-';
    for (int k = point < 1 ? point - 1 : 0; k < n || k < point; k++) {
        if (k == point)
            *p++ = '.';
        *p++ = k >= 0 && k < n ? digits[k] : '0';
    }
    *p = '\0';
    if (!plain)
        p += sprintf(p, "e%d", whole - 1);
    return (size_t)(p - out);
}
