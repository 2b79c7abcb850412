/* suggest.h - "did you mean": the known word that is nearest to one that is not known. */
#ifndef REGULA_TEXT_SUGGEST_H
#define REGULA_TEXT_SUGGEST_H

#include <stddef.h>

/* The nearest of n known words, the first of them if several are; NULL if none is near. Distance
 * counts letters that are inserted, left out, replaced, or swapped with their neighbour; case does
 * not count. Near is up to one slip in 2 to 4 letters, two in 5 to 7, and so on. Words of more than
 * 63 bytes are near to nothing. Borrowed from `known`. O(n). */
const char *rg_suggest(const char *word, const char *const *known, size_t n);

#endif
