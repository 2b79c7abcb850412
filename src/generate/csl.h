/* csl.h - which skips of circular skip links give graphs that differ. */
#ifndef REGULA_GENERATE_CSL_H
#define REGULA_GENERATE_CSL_H

#include <stdint.h>

/* The smallest skip above `skip` whose graph on `size` >= 5 nodes is not isomorphic to that of a
 * smaller one, or 0; start with skip = 1. Skips are below size / 2, so that every node has four
 * neighbours. */
uint32_t rg_csl_next(uint32_t size, uint32_t skip);

#endif
