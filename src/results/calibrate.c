/* calibrate.c - see calibrate.h. */
#include "calibrate.h"

#include "base/alloc.h"
#include "base/elementary.h"
#include "base/error.h"
#include "math/kernels.h"

#include <math.h>
#include <string.h>

enum { PARTS = 5, MOST_BIASES = 32, MOST_STEPS = 50, MOST_HALVES = 30 };

#define PENALTY 1.0 /* of (a - 1)^2 / 2 and b^2 / 2 */
#define LEAST 1e-12 /* number whose logarithm is taken */
#define CLOSE 1e-9  /* a step that is the last */

/* The fit: theta is a, then the b of all classes but the first, whose b is 0. */
typedef struct calibration {
    const double *z; /* [row][width]: logarithms */
    const uint16_t *classes;
    size_t n, width, n_theta;
    size_t skip; /* rows k with k mod PARTS == skip are left out; PARTS: none */
    const rg_kernels *kernels;
    double *p;                                /* [width] */
    double *theta, *next, *gradient, *matrix; /* [n_theta], the last its square */
} calibration;

static bool counts(const calibration *f, size_t k)
{
    return k % PARTS != f->skip && f->classes[k] < f->width;
}

static void say(const calibration *f, const double *theta, const double *z, double *p)
{
    for (size_t c = 0; c < f->width; c++)
        p[c] = theta[0] * z[c] + (c > 0 && c < f->n_theta ? theta[c] : 0);
    f->kernels->softmax(p, 1, (uint32_t)f->width, p);
}

static double objective(const calibration *f, const double *theta)
{
    double sum = PENALTY / 2 * (theta[0] - 1) * (theta[0] - 1);
    for (size_t j = 1; j < f->n_theta; j++)
        sum += PENALTY / 2 * theta[j] * theta[j];
    for (size_t k = 0; k < f->n; k++) {
        if (!counts(f, k))
            continue;
        say(f, theta, f->z + k * f->width, f->p);
        sum -= rg_log(fmax(f->p[f->classes[k]], 1e-300));
    }
    return sum;
}

/* Gradient, and the lower half of the matrix of second derivatives, at theta. */
static void differentiate(calibration *f)
{
    size_t n = f->n_theta;
    memset(f->matrix, 0, n * n * sizeof *f->matrix);
    for (size_t j = 0; j < n; j++) {
        f->gradient[j] = PENALTY * (f->theta[j] - (j == 0));
        f->matrix[j * n + j] = PENALTY;
    }
    for (size_t k = 0; k < f->n; k++) {
        const double *z = f->z + k * f->width;
        double mean = 0, square = 0;
        if (!counts(f, k))
            continue;
        say(f, f->theta, z, f->p);
        for (size_t c = 0; c < f->width; c++) {
            mean += f->p[c] * z[c];
            square += f->p[c] * z[c] * z[c];
        }
        f->gradient[0] += mean - z[f->classes[k]];
        f->matrix[0] += square - mean * mean;
        for (size_t j = 1; j < n; j++) {
            f->gradient[j] += f->p[j] - (f->classes[k] == j);
            f->matrix[j * n] += f->p[j] * (z[j] - mean);
            for (size_t i = 1; i <= j; i++)
                f->matrix[j * n + i] += i == j ? f->p[j] * (1 - f->p[j]) : -f->p[j] * f->p[i];
        }
    }
}

/* The matrix is positive definite, thanks to the penalty: gradient becomes matrix^-1 gradient. */
static void solve(calibration *f)
{
    size_t n = f->n_theta;
    double *m = f->matrix, *x = f->gradient;
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i <= j; i++) {
            double sum = m[j * n + i];
            for (size_t k = 0; k < i; k++)
                sum -= m[j * n + k] * m[i * n + k];
            m[j * n + i] = i == j ? sqrt(fmax(sum, 1e-12)) : sum / m[i * n + i];
        }
    }
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++)
            x[j] -= m[j * n + k] * x[k];
        x[j] /= m[j * n + j];
    }
    for (size_t j = n; j-- > 0;) {
        for (size_t k = j + 1; k < n; k++)
            x[j] -= m[k * n + j] * x[k];
        x[j] /= m[j * n + j];
    }
}

/* Newton's method; a step that does not go down is halved. */
static void learn(calibration *f)
{
    memset(f->theta, 0, f->n_theta * sizeof *f->theta);
    f->theta[0] = 1;
    double now = objective(f, f->theta);
    for (int step = 0; step < MOST_STEPS; step++) {
        double length = 1, largest = 0, then = INFINITY;
        differentiate(f);
        solve(f);
        for (int half = 0; half < MOST_HALVES && !(then <= now); half++, length /= 2) {
            largest = 0;
            for (size_t j = 0; j < f->n_theta; j++) {
                f->next[j] = f->theta[j] - length * f->gradient[j];
                largest = fmax(largest, fabs(length * f->gradient[j]));
            }
            then = objective(f, f->next);
        }
        if (!(then <= now))
            return;
        memcpy(f->theta, f->next, f->n_theta * sizeof *f->theta);
        now = then;
        if (largest < CLOSE)
            return;
    }
}

static void to_logarithms(double *out, const double *numbers, size_t n)
{
    for (size_t k = 0; k < n; k++)
        out[k] = rg_log(fmax(numbers[k], LEAST));
}

static void calibrate_all(calibration *f, double *z, double *validation, double *test,
                          size_t n_test)
{
    for (f->skip = 0; f->skip < PARTS; f->skip++) {
        learn(f);
        for (size_t k = f->skip; k < f->n; k += PARTS)
            say(f, f->theta, z + k * f->width, validation + k * f->width);
    }
    learn(f); /* on all rows */
    to_logarithms(test, test, n_test * f->width);
    for (size_t k = 0; k < n_test; k++)
        say(f, f->theta, test + k * f->width, test + k * f->width);
}

rg_status rg_calibrate(double *validation, const uint16_t *classes, size_t n_validation,
                       double *test, size_t n_test, size_t width, rg_error *err)
{
    calibration f = {.classes = classes, .n = n_validation, .width = width};
    if (n_validation < PARTS || width < 2)
        return RG_OK;
    f.n_theta = width <= MOST_BIASES ? width : 1;
    f.kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_best());
    double *z = rg_alloc(n_validation, width * sizeof *z);
    f.p = rg_alloc(width + 3 * f.n_theta + f.n_theta * f.n_theta, sizeof *f.p);
    if (!z || !f.p) {
        rg_free(z);
        rg_free(f.p);
        return rg_fail_memory(err, "probabilities of a kernel");
    }
    f.theta = f.p + width;
    f.next = f.theta + f.n_theta;
    f.gradient = f.next + f.n_theta;
    f.matrix = f.gradient + f.n_theta;
    to_logarithms(z, validation, n_validation * width);
    f.z = z;
    calibrate_all(&f, z, validation, test, n_test);
    rg_free(z);
    rg_free(f.p);
    return RG_OK;
}
