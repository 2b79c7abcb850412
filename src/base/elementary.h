/* elementary.h - logarithm and cosine with the same bits on every machine.
 *
 * The C library picks its code by the processor, and results may differ in the last place from one
 * machine to the next. What decides the course of a training run must not: start values, learning
 * rates and losses use these. Only + - * / on doubles, in one order. */
#ifndef REGULA_BASE_ELEMENTARY_H
#define REGULA_BASE_ELEMENTARY_H

/* Natural logarithm, within 1 unit in the last place. As log: -inf at 0, NaN below, subnormals. */
double rg_log(double x);

/* cos(2 pi turns) for 0 <= turns <= 1; the error is below 2^-52. */
double rg_cos_turns(double turns);

#endif
