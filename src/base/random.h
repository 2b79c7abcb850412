/* random.h - random numbers that are a function of (seed, stream, index) and of nothing else.
 *
 * There is no generator to pass around and no order of draws: draw 5 of stream 3 is the same number
 * whether it is taken first or last, on one thread or on eight. All kinds of draw at one (seed,
 * stream, index) come from the same bits: what must be independent takes streams of its own.
 * Philox4x32 with 10 rounds (Salmon,
 * Moraes, Dror, Shaw: Parallel Random Numbers: As Easy as 1, 2, 3, SC 2011). */
#ifndef REGULA_BASE_RANDOM_H
#define REGULA_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* The raw block: counter and key to four words. */
void rg_philox(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);

uint64_t rg_random_u64(uint64_t seed, uint64_t stream, uint64_t index);

/* Uniform in [0, 1), a multiple of 2^-53. */
double rg_random_unit(uint64_t seed, uint64_t stream, uint64_t index);

/* Uniform in 0 .. n-1, n > 0, without bias: words that would favour some numbers are rejected, and
 * the next one comes from the same index's own sequence. */
uint32_t rg_random_below(uint64_t seed, uint64_t stream, uint64_t index, uint32_t n);

/* Standard normal (Box and Muller; draw `index` uses index's block only). */
double rg_random_normal(uint64_t seed, uint64_t stream, uint64_t index);

/* Uniform permutation of the n < 2^32 items (Fisher and Yates), draws taken from indices 1 .. n-1.
 */
void rg_random_shuffle(uint64_t seed, uint64_t stream, uint32_t *items, size_t n);

#endif
