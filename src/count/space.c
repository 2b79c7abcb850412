/* space.c - see space.h. */
#include "space.h"

#include "base/alloc.h"
#include "base/error.h"

#include <assert.h>
#include <string.h>

struct rg_count_space {
    void *buffer[RG_N_SLOTS];
    size_t bytes[RG_N_SLOTS];
    rg_cancel *cancel;
};

rg_count_space *rg_count_space_new(void)
{
    return rg_alloc_zero(1, sizeof(rg_count_space));
}

void rg_count_space_cancel(rg_count_space *space, rg_cancel *cancel)
{
    space->cancel = cancel;
}

rg_cancel *rg_count_space_asked(const rg_count_space *space)
{
    return space->cancel;
}

bool rg_count_stops(const rg_count_space *space)
{
    return rg_cancel_is(space->cancel);
}

rg_status rg_count_fail(const rg_count_space *space, const char *what, rg_error *err)
{
    return rg_count_stops(space) ? rg_fail_cancelled(err) : rg_fail_memory(err, what);
}

void rg_count_space_free(rg_count_space *space)
{
    if (!space)
        return;
    for (size_t slot = 0; slot < RG_N_SLOTS; slot++)
        rg_free(space->buffer[slot]);
    rg_free(space);
}

/* The old content is not wanted, so growing copies nothing. */
void *rg_count_space_get(rg_count_space *space, unsigned slot, size_t count, size_t size)
{
    assert(slot < RG_N_SLOTS);
    size_t bytes;
    if (!rg_size_mul(&bytes, count, size))
        return NULL;
    if (space->buffer[slot] && bytes <= space->bytes[slot])
        return space->buffer[slot];
    size_t wanted = bytes < PTRDIFF_MAX / 2 ? bytes + bytes / 2 : bytes;
    void *grown = rg_alloc(wanted, 1);
    if (!grown)
        return NULL;
    rg_free(space->buffer[slot]);
    space->buffer[slot] = grown;
    space->bytes[slot] = wanted;
    return grown;
}

void *rg_count_space_zero(rg_count_space *space, unsigned slot, size_t count, size_t size)
{
    void *buffer = rg_count_space_get(space, slot, count, size);
    if (buffer && count)
        memset(buffer, 0, count * size);
    return buffer;
}
