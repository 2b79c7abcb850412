/* alloc.h - the only place that allocates, and sizes that cannot overflow. */
#ifndef REGULA_BASE_ALLOC_H
#define REGULA_BASE_ALLOC_H

#include <stdbool.h>
#include <stddef.h>

/* Checked arithmetic on sizes: false, and *out untouched, on overflow. */
bool rg_size_add(size_t *out, size_t a, size_t b);
bool rg_size_mul(size_t *out, size_t a, size_t b);

/* count * size bytes, not cleared. NULL if the product overflows or memory is short. A count of 0
 * gives a block that may be freed like any other, so that NULL always means failure. */
void *rg_alloc(size_t count, size_t size);
void *rg_alloc_zero(size_t count, size_t size);

/* Grows or shrinks to count * size bytes; on failure NULL and the old block stays valid. */
void *rg_realloc(void *block, size_t count, size_t size);

void rg_free(void *block);

/* Makes room for `need` items in a growing array of *capacity items of `size` bytes; `data` is the
 * address of the pointer to them, whatever its type (NULL and capacity 0 to begin with). At least
 * doubles, so that appending is O(1) amortised. False on failure: nothing changed. */
bool rg_grow(void *data, size_t *capacity, size_t need, size_t size);

/* A copy of n bytes plus a terminating zero. Owned. */
char *rg_copy_text(const char *text, size_t n);

/* One block carved into arrays: ask for each piece, allocate once, then take the pieces in the same
 * order. Pieces start at multiples of 16 bytes.
 *     rg_carve l = {0};
 *     size_t rows = rg_carve_add(&l, n, sizeof *row), cols = ...;
 *     char *block = rg_carve_alloc(&l);          (NULL: overflow or no memory)
 *     row = (void *)(block + rows); */
typedef struct rg_carve {
    size_t bytes;
    bool overflow;
} rg_carve;
size_t rg_carve_add(rg_carve *carve, size_t count, size_t size);
void *rg_carve_alloc(const rg_carve *carve);

#endif
