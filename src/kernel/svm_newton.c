/* svm_newton.c - see svm_newton.h. With A = L L': x = A^-1 f, z = A^-1 1, and d = x - z sum(x) /
 * sum(z). */
#include "svm_newton.h"

#include <math.h>

#define RIDGE 1e-5 /* of the largest K_tt: beyond what rounding K to single precision did to it */

/* A = L L', L below the diagonal and on it. */
static bool factor(double *a, size_t n, const rg_svm_loops *loops)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = a[i * n + i] > most ? a[i * n + i] : most;
    for (size_t i = 0; i < n; i++) {
        double *row = a + i * n;
        for (size_t j = 0; j < i; j++)
            row[j] = (row[j] - loops->dot(row, a + j * n, j)) / a[j * n + j];
        double rest = row[i] + RIDGE * most - loops->dot(row, row, i);
        if (!(rest > 0))
            return false;
        row[i] = sqrt(rest);
    }
    return true;
}

/* x becomes A^-1 x. */
static void solve(double *x, const double *l, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double rest = x[i];
        for (size_t k = 0; k < i; k++)
            rest -= l[i * n + k] * x[k];
        x[i] = rest / l[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        x[i] /= l[i * n + i];
        for (size_t k = 0; k < i; k++)
            x[k] -= l[i * n + k] * x[i];
    }
}

bool rg_svm_newton(double *d, double *matrix, const double *f, size_t n, double *room,
                   const rg_svm_loops *loops)
{
    double sum_x = 0, sum_z = 0;
    if (!factor(matrix, n, loops))
        return false;
    for (size_t k = 0; k < n; k++) {
        d[k] = f[k];
        room[k] = 1;
    }
    solve(d, matrix, n);
    solve(room, matrix, n);
    for (size_t k = 0; k < n; k++) {
        sum_x += d[k];
        sum_z += room[k];
    }
    for (size_t k = 0; k < n; k++)
        d[k] -= room[k] * (sum_x / sum_z);
    return true;
}
