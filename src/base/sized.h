/* sized.h - structs of the caller that begin with their size: shorter than ours, or longer, if the
 * program was compiled with another version. What is beyond the end of either is not touched. */
#ifndef REGULA_BASE_SIZED_H
#define REGULA_BASE_SIZED_H

#include "regula/base.h"

/* usual, of usual_size bytes, into a struct of `size` bytes: zeros behind it. */
void rg_sized_init(void *out, size_t size, const void *usual, size_t usual_size);

/* Lays `given` over `own`, which has the defaults; NULL: leaves them. name: of the type. RG_EUSAGE: its
 * size was not set. */
RG_MUST_CHECK rg_status rg_sized_take(void *own, size_t own_size, const void *given,
                                      const char *name, rg_error *err);

/* Before results are worked out that rg_sized_put then gives; out: NULL is fine for both. RG_EUSAGE. */
RG_MUST_CHECK rg_status rg_sized_check(const void *out, const char *name, rg_error *err);
void rg_sized_put(void *out, const void *own, size_t own_size);

#define RG_TAKE(type, own, given, err) rg_sized_take(own, sizeof(type), given, #type, err)

/* What RG_OPTIONS_FUNCTIONS declares. */
#define RG_DEFINE_INIT(type, ...)                     \
    void type##_init(type *o, size_t size)            \
    {                                                 \
        static const type usual = __VA_ARGS__;        \
        rg_sized_init(o, size, &usual, sizeof usual); \
    }

#endif
