/* fuzz_names.c - any bytes as a file of names: refused with a message, or names that can be drawn.
 */
#include "base/error.h"
#include "draw/names.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void check(const rg_names *names, rg_name_kind kind, int64_t value)
{
    char text[RG_NAME_MAX];
    const char *name = rg_names_find(names, kind, value);
    if (name && (!*name || !rg_names_any(names, kind) || strlen(name) >= RG_NAME_MAX))
        abort();
    for (const char *p = name; p && *p; p += rg_printable(p)) {
        if (!rg_printable(p))
            abort();
    }
    if (!*rg_names_text(text, names, kind, value))
        abort();
    (void)rg_name_is_atom(name);
    (void)rg_name_bond(name);
    (void)rg_atom_colour(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    rg_error err = {""};
    rg_names *base = NULL, *names = NULL;
    if (rg_names_known(&base, "MUTAG", 1, &err))
        abort();
    if (rg_names_parse(&names, "input", bytes, n, base, &err)) {
        if (!err.message[0] || names)
            abort();
    } else {
        for (int kind = 0; kind < RG_N_NAME_KINDS; kind++) {
            for (int64_t value = -3; value < 20; value++)
                check(names, (rg_name_kind)kind, value);
        }
    }
    rg_names_free(names);
    rg_names_free(base);
    return 0;
}
