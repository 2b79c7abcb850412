/* snowflake.h - M_0 .. M_3, the parts of Snowflakes.
 *
 * Each is two halves that share a hub h. A half has nodes a, b, c, d, u, v and a tip t, with edges
 * h-a, h-b, h-c, h-d, a-b, c-d, u-t, v-t and
 *     kind A: a-u, c-u, b-v, d-v        kind B: a-u, b-u, c-v, d-v.
 * The root is the tip of the first half. M_0 = A+A, M_1 = A+B, M_2 = B+A, M_3 = B+B. As rooted
 * graphs no two are isomorphic (M_1 and M_2 are the same graph with the other tip as root); colour
 * refinement tells none from another, rooted or not. */
#ifndef REGULA_GENERATE_SNOWFLAKE_H
#define REGULA_GENERATE_SNOWFLAKE_H

#include <stdint.h>

#define RG_SNOWFLAKE_KINDS 4
#define RG_SNOWFLAKE_NODES 15 /* the root is node 0, the hub node 1, the other tip node 14 */
#define RG_SNOWFLAKE_EDGES 24

/* Edges of M_kind, kind < RG_SNOWFLAKE_KINDS, each once; `first` is added to every node. */
void rg_snowflake_part(uint32_t edges[RG_SNOWFLAKE_EDGES][2], uint32_t kind, uint32_t first);

#endif
