/* alloc.c - see alloc.h. malloc and its kin are called here and nowhere else.
 *
 * Blocks of some megabytes ask for large pages: weights and tables are looked up all over, and finding
 * the small page of each takes longer than reading it. */
#if defined(__linux__)
#define _DEFAULT_SOURCE /* madvise */
#include <sys/mman.h>
#endif

#include "alloc.h"

#include "fault.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool rg_size_add(size_t *out, size_t a, size_t b)
{
    if (a > SIZE_MAX - b)
        return false;
    *out = a + b;
    return true;
}

bool rg_size_mul(size_t *out, size_t a, size_t b)
{
    if (b && a > SIZE_MAX / b)
        return false;
    *out = a * b;
    return true;
}

/* Objects beyond PTRDIFF_MAX break pointer subtraction, so they count as "no memory". */
static bool block_size(size_t *bytes, size_t count, size_t size)
{
    if (!rg_size_mul(bytes, count, size) || *bytes > PTRDIFF_MAX)
        return false;
    if (*bytes == 0)
        *bytes = 1;
    return true;
}

/* The whole large pages inside of a block. Only a wish: that it is not granted changes nothing. */
static void *wish_large(void *block, size_t bytes)
{
#if defined(MADV_HUGEPAGE)
    enum { PAGE = 1 << 21, LEAST = 2 * PAGE };
    if (block && bytes >= LEAST) {
        char *first = (char *)block + (PAGE - (uintptr_t)block % PAGE) % PAGE;
        size_t inside = bytes - (size_t)(first - (char *)block);
        (void)madvise(first, inside - inside % PAGE, MADV_HUGEPAGE);
    }
#else
    (void)bytes;
#endif
    return block;
}

void *rg_alloc(size_t count, size_t size)
{
    size_t bytes;
    if (!block_size(&bytes, count, size) || rg_fault_hit(RG_FAULT_ALLOC))
        return NULL;
    return wish_large(malloc(bytes), bytes);
}

void *rg_alloc_zero(size_t count, size_t size)
{
    size_t bytes;
    if (!block_size(&bytes, count, size) || rg_fault_hit(RG_FAULT_ALLOC))
        return NULL;
    return wish_large(calloc(bytes, 1), bytes);
}

void *rg_realloc(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (!block_size(&bytes, count, size) || rg_fault_hit(RG_FAULT_ALLOC))
        return NULL;
    return wish_large(realloc(block, bytes), bytes);
}

void rg_free(void *block)
{
    free(block);
}

bool rg_grow(void *data, size_t *capacity, size_t need, size_t size)
{
    if (need <= *capacity)
        return true;
    size_t wanted = *capacity > SIZE_MAX / 2 ? need : *capacity * 2;
    if (wanted < need)
        wanted = need;
    if (wanted < 16)
        wanted = 16;
    /* Copied, because an `int *` must not be read or written as if it were a `void *`. */
    void *block;
    memcpy(&block, data, sizeof block);
    block = rg_realloc(block, wanted, size);
    if (!block)
        return false;
    memcpy(data, &block, sizeof block);
    *capacity = wanted;
    return true;
}

char *rg_copy_text(const char *text, size_t n)
{
    size_t bytes;
    if (!rg_size_add(&bytes, n, 1))
        return NULL;
    char *copy = rg_alloc(bytes, 1);
    if (!copy)
        return NULL;
    if (n)
        memcpy(copy, text, n);
    copy[n] = '\0';
    return copy;
}

size_t rg_carve_add(rg_carve *carve, size_t count, size_t size)
{
    size_t start = carve->bytes, bytes;
    if (!rg_size_mul(&bytes, count, size) || !rg_size_add(&bytes, bytes, 15) ||
        !rg_size_add(&carve->bytes, start, bytes & ~(size_t)15))
        carve->overflow = true;
    return start;
}

void *rg_carve_alloc(const rg_carve *carve)
{
    return carve->overflow ? NULL : rg_alloc(carve->bytes, 1);
}
