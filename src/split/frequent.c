/* frequent.c - see frequent.h. */
#include "frequent.h"

#include <math.h>
#include <string.h>

uint32_t rg_class_frequent(rg_part part, const uint32_t *classes, size_t n_classes,
                           uint32_t *counts)
{
    uint32_t best = RG_NO_CLASS;
    memset(counts, 0, n_classes * sizeof *counts);
    for (size_t k = 0; k < part.n; k++)
        if (classes[part.graphs[k]] != RG_NO_CLASS)
            counts[classes[part.graphs[k]]]++;
    for (uint32_t c = 0; c < n_classes; c++)
        if (counts[c] > (best == RG_NO_CLASS ? 0 : counts[best]))
            best = c;
    return best;
}

double rg_class_share(rg_part part, const uint32_t *classes, uint32_t class)
{
    size_t n = 0, hits = 0;
    for (size_t k = 0; k < part.n; k++) {
        uint32_t own = classes[part.graphs[k]];
        n += own != RG_NO_CLASS;
        hits += own != RG_NO_CLASS && own == class;
    }
    return n ? (double)hits / (double)n : (double)NAN;
}
