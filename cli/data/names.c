/* names.c - see names.h. */
#include "names.h"

#include "base/error.h"
#include "base/number.h"

#include <string.h>

/* One number at *p; false: none is there. */
static bool take(uint64_t *out, const char **p)
{
    int64_t value;
    size_t digits = strspn(*p, "0123456789");
    if (!digits || rg_number_int(*p, *p + digits, &value) != *p + digits || value > UINT32_MAX)
        return false;
    *out = (uint64_t)value;
    *p += digits;
    return true;
}

/* "3,7,10-12" */
static rg_status parse_list(uint64_t *out, size_t *n, size_t max, const char *text, rg_error *err)
{
    const char *p = text;
    size_t count = 0;
    for (;;) {
        uint64_t from, to;
        bool ok = take(&from, &p);
        to = from;
        if (ok && *p == '-') {
            p++;
            ok = take(&to, &p) && to >= from;
        }
        if (!ok || (*p && *p != ','))
            return rg_fail(err, RG_EUSAGE,
                           "--graphs: found '%s', expected numbers of graphs such as 3,7,10-12",
                           text);
        if (to - from >= max - count)
            return rg_fail(err, RG_EUSAGE, "--graphs: '%s' are too many graphs (at most %zu)", text,
                           max);
        for (uint64_t g = from; g <= to; g++)
            out[count++] = g;
        if (!*p)
            break;
        p++;
    }
    *n = count;
    return RG_OK;
}

rg_status cli_graphs_parse(uint64_t *out, size_t *n, size_t max, const cli_arguments *args,
                           rg_error *err)
{
    const cli_value *one = cli_get(args, "graph"), *many = cli_get(args, "graphs");
    if (one->given && many->given)
        return rg_fail(err, RG_EUSAGE, "--graph and --graphs: one of them is enough");
    *n = 0;
    if (many->given)
        return parse_list(out, n, max, many->text, err);
    if (one->given) {
        out[0] = (uint64_t)one->integer;
        *n = 1;
    }
    return RG_OK;
}

rg_status cli_names_read(rg_names **out, const rg_dataset *data, const cli_arguments *args,
                         rg_error *err)
{
    rg_names *known = NULL, *own = NULL;
    const char *path = cli_text(args, "label-names");
    rg_status status = rg_names_of(&known, data, err);
    if (!status && path)
        status = rg_names_read(&own, path, known, err);
    if (status || own) {
        rg_names_free(known);
        known = own;
    }
    if (!status)
        *out = known;
    return status;
}
