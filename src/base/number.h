/* number.h - numbers as text, the same in every locale. */
#ifndef REGULA_BASE_NUMBER_H
#define REGULA_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a number at the start of [p, end): the first byte after it, or NULL (and *out untouched) if
 * none is there or it is out of range. A number is [+-] digits [. digits] [e [+-] digits] with a
 * digit before or after the point, of any length. An int is one whose value is whole: "3.0" and
 * "3e0" are 3. A real is rounded to the nearest double, below the smallest to 0; "nan" in any case
 * is a real too, infinities and hexadecimal numbers are not. */
const char *rg_number_int(const char *p, const char *end, int64_t *out);
const char *rg_number_real(const char *p, const char *end, double *out);

/* The decimal text with the fewest digits that reads back as exactly `value`: plain from 1e-4 to
 * below 1e16, with an exponent ("1.5e-7", "1e20") elsewhere; "nan", "inf" and "-inf" for what has
 * no digits. Terminated; returns its length. */
#define RG_NUMBER_MAX 32
size_t rg_number_print(char out[RG_NUMBER_MAX], double value);

#endif
