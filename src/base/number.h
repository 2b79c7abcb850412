/* number.h - numbers as text, the same in every locale. */
#ifndef REGULA_BASE_NUMBER_H
#define REGULA_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a number at the start of [p, end): the first byte after it, or NULL if none is there or it
 * is out of range. An int is [+-]digits; "3.0" and "3e0" are ints too if their value is a whole
 * number. A real is what strtod takes in the C locale, infinities and hexadecimal excepted; "nan"
 * in any case is a real. */
const char *rg_number_int(const char *p, const char *end, int64_t *out);
const char *rg_number_real(const char *p, const char *end, double *out);

/* The shortest decimal text that reads back as exactly `value`; NaN is "nan". Returns its length.
 */
#define RG_NUMBER_MAX 32
size_t rg_number_print(char out[RG_NUMBER_MAX], double value);

#endif
