/* sort.h - short lists of numbers in ascending order. */
#ifndef REGULA_BASE_SORT_H
#define REGULA_BASE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Made for the neighbours of a node or the nodes of a graph: mostly few, in which insertion beats
 * qsort. O(n log n), up to 64 numbers O(n^2). */
void rg_sort_numbers(uint32_t *numbers, size_t n);

#endif
