/* logistic.c - see logistic.h: coordinate descent, weight by weight.
 *
 * The second derivative of log(1 + exp(-m)) is 1/4 at most, so a step by that bound in place of the true
 * curvature never overshoots: the objective falls with every step, and no step is tried twice.
 * With m_i = sign_i (w x_i + b), for one weight w_j:
 *     g = -sum cost_i sign_i x_ij / (1 + exp(m_i))      h = 1/4 sum cost_i x_ij^2
 *     l2: w_j -= (g + w_j) / (h + 1)      l1: w_j = shrink(w_j - g / h, 1 / h) */
#include "logistic.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>

typedef struct descent {
    const rg_logistic_task *t;
    const rg_kernels *kernels;
    double *margin; /* [row]: sign (w x + b); those that do not count stay 0 */
    double *exp;    /* [row]: of the rows of the column at hand */
    double *bound;  /* [column] */
} descent;

static double shrink(double x, double by)
{
    return x > by ? x - by : x < -by ? x + by : 0;
}

/* Sum of cost sign x / (1 + exp(m)) over n entries; row NULL: all rows, value NULL: 1. */
static double pull(const descent *d, const uint32_t *row, const double *value, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) {
        double m = d->margin[row ? row[k] : k];
        d->exp[k] = m < 700 ? m : 700;
    }
    d->kernels->exp(d->exp, n, d->exp);
    for (size_t k = 0; k < n; k++) {
        size_t i = row ? row[k] : k;
        sum += d->t->cost[i] * d->t->sign[i] * (value ? value[k] : 1) / (1 + d->exp[k]);
    }
    return sum;
}

static void move(const descent *d, const uint32_t *row, const double *value, size_t n, double by)
{
    for (size_t k = 0; k < n; k++) {
        size_t i = row ? row[k] : k;
        d->margin[i] += d->t->sign[i] * (value ? value[k] : 1) * by;
    }
}

/* Returns how far the weight moved. */
static double step(const descent *d, size_t j, double *w)
{
    const rg_columns *x = d->t->x;
    const uint32_t *row = x->row + x->col[j];
    const double *value = x->value + x->col[j];
    size_t n = (size_t)(x->col[j + 1] - x->col[j]);
    double h = d->bound[j], g, to;
    if (h == 0) /* in no row that counts */
        to = 0;
    else {
        g = -pull(d, row, value, n);
        to = d->t->l1 ? shrink(*w - g / h, 1 / h) : *w - (g + *w) / (h + 1);
    }
    double by = to - *w;
    if (by != 0)
        move(d, row, value, n, by);
    *w = to;
    return fabs(by);
}

static void measure(const descent *d, const double *w, double b, double *total)
{
    const rg_columns *x = d->t->x;
    *total = 0;
    for (size_t i = 0; i < x->n_rows; i++) {
        d->margin[i] = d->t->sign[i] * b;
        if (d->t->sign[i] != 0)
            *total += d->t->cost[i] / 4;
    }
    for (size_t j = 0; j < x->n_cols; j++) {
        d->bound[j] = 0;
        for (uint64_t k = x->col[j]; k < x->col[j + 1]; k++) {
            uint32_t i = x->row[k];
            d->margin[i] += d->t->sign[i] * x->value[k] * w[j];
            if (d->t->sign[i] != 0)
                d->bound[j] += d->t->cost[i] * x->value[k] * x->value[k] / 4;
        }
    }
}

rg_status rg_logistic_train(double *w, double *b, uint32_t *sweeps, const rg_logistic_task *task,
                            rg_error *err)
{
    const rg_columns *x = task->x;
    descent d = {.t = task,
                 .kernels = rg_kernels_get(RG_DOUBLE, 1, rg_cpu_resolve(task->cpu)),
                 .margin = rg_alloc_zero(x->n_rows + 1, sizeof *d.margin),
                 .exp = rg_alloc_zero(x->n_rows + 1, sizeof *d.exp),
                 .bound = rg_alloc_zero(x->n_cols + 1, sizeof *d.bound)};
    rg_status status = d.margin && d.exp && d.bound ? RG_OK : rg_fail_memory(err, "a linear model");
    double total = 0;
    if (!status)
        measure(&d, w, *b, &total);
    for (*sweeps = 0; !status && total > 0 && *sweeps < RG_LOGISTIC_SWEEPS;) {
        double moved = 0, largest = 0, by = pull(&d, NULL, NULL, x->n_rows) / total;
        if (task->stop && task->stop(task->context))
            break;
        move(&d, NULL, NULL, x->n_rows, by);
        *b += by;
        for (size_t j = 0; j < x->n_cols; j++) {
            double change = step(&d, j, &w[j]);
            moved = change > moved ? change : moved;
            largest = fabs(w[j]) > largest ? fabs(w[j]) : largest;
        }
        moved = fabs(by) > moved ? fabs(by) : moved;
        ++*sweeps;
        if (moved <= 1e-3 * (largest > 1e-3 ? largest : 1e-3))
            break;
    }
    rg_free(d.margin);
    rg_free(d.exp);
    rg_free(d.bound);
    return status;
}
