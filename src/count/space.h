/* space.h - scratch of one worker: a few buffers that grow to the largest graph, then stay.
 *
 * A buffer goes by the number of its slot. What is in it lasts until the next request for the same
 * slot, and no longer than the call of the counter that asked: counters share the slots. */
#ifndef REGULA_COUNT_SPACE_H
#define REGULA_COUNT_SPACE_H

#include "count.h"

#include <stddef.h>

#define RG_N_SLOTS 24
#define RG_SLOT_PATTERN 23 /* patterns keep this one while they ask for cycles */

/* At least count * size bytes, not cleared, aligned for any type; borrowed, valid until the slot is
 * asked for again. slot < RG_N_SLOTS. NULL if the product overflows or memory is short; the slot
 * then keeps what it had. */
void *rg_count_space_get(rg_count_space *space, unsigned slot, size_t count, size_t size);
/* The same with every byte zero. */
void *rg_count_space_zero(rg_count_space *space, unsigned slot, size_t count, size_t size);

/* What rg_count_space_cancel was given; borrowed. */
rg_cancel *rg_count_space_asked(const rg_count_space *space);
/* Does the caller want to stop? Then what counts returns false, and what it fails with tells why. */
bool rg_count_stops(const rg_count_space *space);
rg_status rg_count_fail(const rg_count_space *space, const char *what, rg_error *err);

#endif
