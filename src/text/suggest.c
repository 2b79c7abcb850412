/* suggest.c - see suggest.h. */
#include "suggest.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 63 };

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Damerau and Levenshtein's distance, where no letter is moved twice (optimal string alignment).
 * cell(i, j) is the distance of the first i letters of a from the first j letters of b; only three
 * rows i are kept. */
static size_t distance(const char *a, size_t n, const char *b, size_t m)
{
    size_t rows[3][LONGEST + 1];
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *twice = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            size_t best = least(above[j] + 1, row[j - 1] + 1);
            best = least(best, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
                best = least(best, twice[j - 2] + 1);
            row[j] = best;
        }
    }
    return rows[n % 3][m];
}

const char *rg_suggest(const char *word, const char *const *known, size_t n)
{
    size_t length = strlen(word), best = LONGEST;
    const char *found = NULL;
    if (length > LONGEST)
        return NULL;
    for (size_t k = 0; k < n; k++) {
        size_t other = strlen(known[k]), longer = other > length ? other : length;
        if (other > LONGEST)
            continue;
        size_t slips = distance(word, length, known[k], other);
        if (slips < best && 3 * slips <= longer + 1) {
            best = slips;
            found = known[k];
        }
    }
    return found;
}

size_t rg_words_list(char *out, size_t size, const char *const *words, size_t n, const char *last,
                     const char *behind)
{
    size_t used = 0;
    out[0] = '\0';
    for (size_t k = 0; k < n && used < size; k++)
        used += (size_t)snprintf(out + used, size - used, "%s%s%s",
                                 k == 0       ? ""
                                 : k == n - 1 ? last
                                              : ", ",
                                 words[k], behind);
    return used;
}
