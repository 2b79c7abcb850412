/* array_names.c - see array_names.h. Names are taken apart from their end. */
#include "array_names.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *word;
    bool values;
} roles[] = {{"x", true}, {"images", true}, {"y", false}, {"labels", false}};

static const struct {
    const char *word;
    rg_array_part part;
} parts[] = {{"train", RG_ARRAY_TRAIN}, {"test", RG_ARRAY_TEST}, {"t10k", RG_ARRAY_TEST}};

enum { N_ROLES = sizeof roles / sizeof *roles, N_PART_WORDS = sizeof parts / sizeof *parts };

/* Do the first *n bytes end with the word, and does it begin the name or follow '_' or '-'? Then *n
 * is what is left without both. */
static bool cut(const char *name, size_t *n, const char *word)
{
    size_t m = strlen(word);
    if (*n < m || strncasecmp(name + *n - m, word, m) != 0)
        return false;
    size_t left = *n - m;
    if (left > 0 && name[left - 1] != '_' && name[left - 1] != '-')
        return false;
    *n = left > 0 ? left - 1 : 0;
    return true;
}

static bool cut_role(const char *name, size_t *n, bool *values)
{
    for (size_t k = 0; k < N_ROLES; k++)
        if (cut(name, n, roles[k].word)) {
            *values = roles[k].values;
            return true;
        }
    return false;
}

static bool cut_part(const char *name, size_t *n, rg_array_part *part)
{
    for (size_t k = 0; k < N_PART_WORDS; k++)
        if (cut(name, n, parts[k].word)) {
            *part = parts[k].part;
            return true;
        }
    return false;
}

/* "-idx3-ubyte" or ".idx3-ubyte" at the end. */
static bool cut_idx(const char *name, size_t *n)
{
    static const char *const types[] = {"ubyte", "byte", "short", "int", "float", "double"};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        size_t m = *n;
        if (!cut(name, &m, types[k]) || m < 5)
            continue;
        const char *mark = name + m - 5; /* "-idx3" */
        if ((mark[0] == '-' || mark[0] == '.') && strncasecmp(mark + 1, "idx", 3) == 0 &&
            mark[4] >= '1' && mark[4] <= '4') {
            *n = m - 5;
            return true;
        }
    }
    return false;
}

bool rg_array_name_parse(rg_array_name *out, const char *file)
{
    rg_array_name name = {.part = RG_ARRAY_WHOLE};
    size_t n = strlen(file);
    if (n > 4 && strcasecmp(file + n - 4, ".npy") == 0)
        n -= 4;
    else if (cut_idx(file, &n))
        name.idx = true;
    else
        return false;
    bool behind = cut_part(file, &n, &name.part) && n > 0;
    if (!cut_role(file, &n, &name.values))
        return false;
    if (!behind)
        cut_part(file, &n, &name.part);
    name.n_prefix = n;
    *out = name;
    return true;
}
