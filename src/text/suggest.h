/* suggest.h - known words in messages: all of them, and the one that is nearest to a slip. */
#ifndef REGULA_TEXT_SUGGEST_H
#define REGULA_TEXT_SUGGEST_H

#include <stddef.h>

/* The nearest of n known words, the first of them if several are; NULL if none is near. Distance
 * counts letters that are inserted, left out, replaced, or swapped with their neighbour; case does
 * not count. Near is up to one slip in 2 to 4 letters, two in 5 to 7, and so on. Words of more than
 * 63 bytes are near to nothing. Borrowed from `known`. O(n). */
const char *rg_suggest(const char *word, const char *const *known, size_t n);

/* "A, B or C" with `last` = " or ", each with `behind` after it, as far as it fits; n = 0: "". The
 * bytes that all of it takes or, where it does not fit, a number from `size` on. */
size_t rg_words_list(char *out, size_t size, const char *const *words, size_t n, const char *last,
                     const char *behind);

#endif
