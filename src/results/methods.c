/* methods.c - see methods.h. */
#include "methods.h"

#include "base/alloc.h"
#include "base/error.h"

#include <string.h>

static const char axis[] = "method=";

/* Only the normal form of an experiment that compares has this key at the beginning of a line. */
static bool compares(const rg_store_experiment *about)
{
    return strstr(about->resolved, "\ncompare:\n") != NULL;
}

/* The method comes first among the choices, and its name has no blanks. *length: of the name. */
static const char *name_in(const char *choices, size_t *length)
{
    if (strncmp(choices, axis, sizeof axis - 1) != 0)
        return NULL;
    *length = strcspn(choices + sizeof axis - 1, " ");
    return choices + sizeof axis - 1;
}

static bool same(const char *a, const char *b)
{
    size_t n = 0, m = 0;
    const char *x = name_in(a, &n), *y = name_in(b, &m);
    return x && y && n == m && memcmp(x, y, n) == 0;
}

rg_status rg_methods_make(rg_compared_method **out, size_t *n, const rg_store_experiment *about,
                          const rg_store_configuration *configurations, size_t n_configurations,
                          rg_error *err)
{
    bool several = compares(about);
    size_t count = n_configurations ? 1 : 0;
    for (size_t c = 1; several && c < n_configurations; c++)
        count += !same(configurations[c - 1].choices, configurations[c].choices);
    count = count ? count : 1;
    rg_compared_method *methods = rg_alloc_zero(count, sizeof *methods);
    rg_status status = methods ? RG_OK : rg_fail_memory(err, "the methods of an experiment");
    size_t at = 0;
    for (size_t c = 0; c < n_configurations && !status; c++) {
        const char *choices = configurations[c].choices;
        size_t length = 0;
        const char *name = several ? name_in(choices, &length) : NULL;
        if (c > 0 && several && !same(configurations[c - 1].choices, choices))
            at++;
        if (methods[at].n++ > 0)
            continue;
        methods[at].first = (uint32_t)c;
        if (name && !(methods[at].name = rg_copy_text(name, length)))
            status = rg_fail_memory(err, "the methods of an experiment");
    }
    if (status) {
        rg_methods_free(methods, count);
        return status;
    }
    *out = methods;
    *n = count;
    return RG_OK;
}

void rg_methods_free(rg_compared_method *methods, size_t n)
{
    for (size_t k = 0; methods && k < n; k++)
        rg_free(methods[k].name);
    rg_free(methods);
}
