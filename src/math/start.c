/* start.c - see start.h. */
#include "start.h"

#include "base/random.h"

#include <math.h>

static double draw(const rg_start *start, uint64_t seed, uint64_t stream, uint64_t index)
{
    double s = 1 / sqrt(start->n_possible > 1 ? start->n_possible : 1);
    double both = start->fan_in + start->fan_out;
    switch (start->kind) {
    case RG_START_PAPER:
        return -s + 2 * s * rg_random_normal(seed, stream, index);
    case RG_START_UNIFORM:
        return s * (2 * rg_random_unit(seed, stream, index) - 1);
    case RG_START_FAN_IN:
        s = start->seen > 0 ? start->seen : start->fan_in;
        return (2 * rg_random_unit(seed, stream, index) - 1) / sqrt(s > 1 ? s : 1);
    case RG_START_GLOROT:
        return sqrt(6 / (both > 1 ? both : 1)) * (2 * rg_random_unit(seed, stream, index) - 1);
    case RG_START_ONE:
        return 1;
    case RG_START_ZERO:
        break;
    }
    return 0;
}

void rg_start_fill(void *w, size_t n, const rg_start *start, const rg_kernels *kernels,
                   const uint64_t *seed, uint64_t stream, uint64_t first)
{
    float *single = w;
    double *both = w;
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l < kernels->lanes; l++) {
            double value = draw(start, seed[l], stream, first + k);
            if (kernels->precision == RG_FLOAT)
                single[k * kernels->lanes + l] = (float)value;
            else
                both[k * kernels->lanes + l] = value;
        }
}
