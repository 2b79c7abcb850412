/* norm.c - batch norm between its phases; formulas in norm.h. */
#include "norm.h"

#include <math.h>

double rg_norm_total(const uint32_t *count, size_t n)
{
    double sum = (double)n;
    for (size_t r = 0; count && r < n; r++)
        sum += (double)count[r] - 1;
    return sum;
}

/* reals[k] += value */
static void add(rg_precision precision, void *reals, size_t k, double value)
{
    rg_real_put(precision, reals, k, rg_real_at(precision, reals, k) + value);
}

static double inverse_root(double variance)
{
    return 1 / sqrt(variance + 1e-5);
}

void rg_norm_mean(rg_precision precision, void *mean, uint32_t width, const double *sums,
                  double total)
{
    for (uint32_t c = 0; c < width; c++)
        rg_real_put(precision, mean, c, total > 0 ? sums[c] / total : 0);
}

void rg_norm_scale(rg_precision precision, void *scale, void *running, uint32_t width,
                   const double *squares, double total, const void *mean)
{
    for (uint32_t c = 0; c < width; c++) {
        rg_real_put(precision, scale, c, inverse_root(total > 0 ? squares[c] / total : 0));
        if (!running || total <= 0)
            continue; /* no rows: nothing to move towards */
        double from = rg_real_at(precision, running, c),
               spread = rg_real_at(precision, running, width + c);
        add(precision, running, c, 0.1 * (rg_real_at(precision, mean, c) - from));
        add(precision, running, width + c,
            0.1 * (squares[c] / (total > 1 ? total - 1 : 1) - spread));
    }
}

void rg_norm_fixed(rg_precision precision, void *mean, void *scale, uint32_t width,
                   const void *running)
{
    for (uint32_t c = 0; c < width; c++) {
        rg_real_put(precision, mean, c, rg_real_at(precision, running, c));
        rg_real_put(precision, scale, c, inverse_root(rg_real_at(precision, running, width + c)));
    }
}

void rg_norm_gradients(rg_precision precision, void *dgain, void *dshift, uint32_t width,
                       const double *sums)
{
    for (uint32_t c = 0; c < width; c++) {
        add(precision, dshift, c, sums[c]);
        add(precision, dgain, c, sums[width + c]);
    }
}
