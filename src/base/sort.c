/* sort.c - see sort.h. */
#include "sort.h"

#include <stdlib.h>

#define FEW 64

static int compare_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void rg_sort_numbers(uint32_t *numbers, size_t n)
{
    if (n > FEW) {
        qsort(numbers, n, sizeof *numbers, compare_numbers);
        return;
    }
    for (size_t k = 1; k < n; k++) {
        uint32_t number = numbers[k];
        size_t at = k;
        for (; at > 0 && numbers[at - 1] > number; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}
