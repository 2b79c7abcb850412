/* frequent.h - the most frequent class of a set, and its share in another set. */
#ifndef REGULA_SPLIT_FREQUENT_H
#define REGULA_SPLIT_FREQUENT_H

#include "regula/split.h"

/* Samples without a class do not count; of several classes the first; RG_NO_CLASS: no sample has a
 * class. classes: [sample]. counts: room for n_classes. O(samples of the part + classes). */
uint32_t rg_class_frequent(rg_part part, const uint32_t *classes, size_t n_classes,
                           uint32_t *counts);
/* The part of those samples that have a class which are of this one; NaN: none has a class. */
double rg_class_share(rg_part part, const uint32_t *classes, uint32_t class);

#endif
