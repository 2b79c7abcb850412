#include "sized.h"

#include "error.h"

#include <string.h>

#define MOST ((size_t)1 << 20) /* no struct of any version is that large: it was never set */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

void rg_sized_init(void *out, size_t size, const void *usual, size_t usual_size)
{
    memset(out, 0, size);
    memcpy(out, usual, smaller(size, usual_size));
    if (size >= sizeof size)
        memcpy(out, &size, sizeof size);
}

static size_t size_of(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

rg_status rg_sized_check(const void *out, const char *name, rg_error *err)
{
    size_t size = out ? size_of(out) : MOST;
    if (size <= sizeof size || size > MOST) /* there is more than the size itself */
        return rg_fail(err, RG_EUSAGE, "%s: found a size of %zu bytes, expected sizeof(%s)", name,
                       size, name);
    return RG_OK;
}

rg_status rg_sized_take(void *own, size_t own_size, const void *given, const char *name,
                        rg_error *err)
{
    rg_status status = rg_sized_check(given, name, err);
    if (status || !given)
        return status;
    memcpy(own, given, smaller(own_size, size_of(given)));
    memcpy(own, &own_size, sizeof own_size);
    return RG_OK;
}

void rg_sized_put(void *out, const void *own, size_t own_size)
{
    if (!out)
        return;
    size_t size = size_of(out);
    memcpy(out, own, smaller(size, own_size));
    memcpy(out, &size, sizeof size);
}
