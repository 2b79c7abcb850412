/* many.h - counts that stop at a number.
 *
 * Sums and products of counts that stop at 2^62 do not depend on the order in which they are taken:
 * each is the true value, or "many" if that is larger. A count that is many is no count, and
 * capped. */
#ifndef REGULA_COUNT_MANY_H
#define REGULA_COUNT_MANY_H

#include <stdint.h>

#define RG_MANY ((uint64_t)1 << 62)

static inline uint64_t rg_many_plus(uint64_t a, uint64_t b)
{
    uint64_t sum = a + b; /* both at most 2^62 */
    return sum < RG_MANY ? sum : RG_MANY;
}

static inline uint64_t rg_many_times(uint64_t a, uint64_t b)
{
    if ((a | b) >> 31 == 0)
        return a * b;
    return b && a >= RG_MANY / b ? RG_MANY : a * b;
}

#endif
