/* start.h - the initial parameters.
 *
 * Parameter k of a lane is a function of (seed of the lane, stream, k): not of the other lanes, not
 * of the order in which layers are filled. Draws are in double, then rounded to the precision of
 * the table, so that float and double begin at the same place. */
#ifndef REGULA_MATH_START_H
#define REGULA_MATH_START_H

#include "kernels.h"

typedef enum rg_start_kind {
    RG_START_PAPER,   /* Normal(-s, (2 s)^2), s = 1 / sqrt(n_possible): bias included */
    RG_START_UNIFORM, /* uniform in [-s, s), the same s */
    RG_START_GLOROT,  /* uniform in [-a, a), a = sqrt(6 / (fan_in + fan_out)) */
    RG_START_FAN_IN,  /* uniform in [-s, s), s = 1 / sqrt(seen): as PyTorch begins */
    RG_START_ZERO,
    RG_START_ONE /* gains of a norm */
} rg_start_kind;

typedef struct rg_start {
    rg_start_kind kind;
    double n_possible; /* weights that the rule allows, occurring or not; 0 counts as 1 */
    double fan_in, fan_out;
    double seen; /* inputs of one number that comes out; 0: fan_in */
} rg_start;

/* Fills the n items [n][lanes] at w; index first + k is drawn for item k. */
void rg_start_fill(void *w, size_t n, const rg_start *start, const rg_kernels *kernels,
                   const uint64_t *seed, uint64_t stream, uint64_t first);

#endif
