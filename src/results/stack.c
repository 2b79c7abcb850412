/* stack.c - see stack.h. */
#include "stack.h"

#include "base/alloc.h"
#include "base/error.h"

#include <math.h>

enum { MOST_STEPS = 500 };

#define CLOSE 1e-9
#define PRIOR 1.0  /* rows that each member is given before */
#define RIDGE 0.01 /* of the squared error of the equal mean, times the squared distance from it */

static const char what[] = "the weights of an ensemble";

void rg_stack_free(rg_stack *stack)
{
    rg_free(stack->cells);
    rg_free(stack->weights);
    *stack = (rg_stack){.n_members = 0};
}

/* What a member says of a cell: the probability of what is right, or how far off it is. */
static double say(const rg_stack *stack, const rg_store_prediction *right, size_t row, size_t c,
                  const double *said, size_t width)
{
    if (right->classes)
        return said[row * width + right->classes[row]];
    double target = (double)right->numbers[row * width + c], own = said[row * width + c];
    if (stack->values)
        return own - target;
    return target > 0.5 ? own : 1 - own;
}

static bool is_known(const rg_store_prediction *right, size_t row, size_t c, size_t width)
{
    return right->classes ? right->classes[row] < width : !isnan(right->numbers[row * width + c]);
}

rg_status rg_stack_add(rg_stack *stack, const rg_store_prediction *right, double *const *said,
                       const bool *members, size_t n_configurations, size_t width, rg_error *err)
{
    size_t n = stack->n_members, columns = right->classes ? 1 : width;
    for (size_t row = 0; row < right->n_rows; row++)
        for (size_t c = 0; c < columns; c++) {
            if (!is_known(right, row, c, width))
                continue;
            if (!rg_grow(&stack->cells, &stack->capacity, stack->n_cells + 1,
                         n * sizeof *stack->cells))
                return rg_fail_memory(err, what);
            double *own = stack->cells + stack->n_cells++ * n;
            for (size_t k = 0; k < n_configurations; k++)
                if (members[k])
                    *own++ = say(stack, right, row, c, said[k], width);
        }
    return RG_OK;
}

/* ---- probabilities */

/* One step: how much of each row a member has, in `shares`. The largest change. */
static double step(rg_stack *s, double *shares)
{
    size_t n = s->n_members;
    double most = 0;
    for (size_t m = 0; m < n; m++)
        shares[m] = PRIOR;
    for (size_t k = 0; k < s->n_cells; k++) {
        const double *p = s->cells + k * n;
        double sum = 0;
        for (size_t m = 0; m < n; m++)
            sum += s->weights[m] * p[m];
        for (size_t m = 0; m < n && sum > 0; m++)
            shares[m] += s->weights[m] * p[m] / sum;
    }
    double all = 0;
    for (size_t m = 0; m < n; m++)
        all += shares[m];
    for (size_t m = 0; m < n; m++) {
        double next = shares[m] / all;
        most = fmax(most, fabs(next - s->weights[m]));
        s->weights[m] = next;
    }
    return most;
}

/* ---- values: Frank and Wolfe's method, from the equal mean */

/* Towards one member, as far as the error falls. How far. */
static double turn(rg_stack *s, double *off, double *gradient, double ridge)
{
    size_t n = s->n_members, best = 0;
    for (size_t m = 0; m < n; m++)
        gradient[m] = ridge * (s->weights[m] - 1 / (double)n);
    for (size_t k = 0; k < s->n_cells; k++)
        for (size_t m = 0; m < n; m++)
            gradient[m] += off[k] * s->cells[k * n + m];
    for (size_t m = 1; m < n; m++)
        best = gradient[m] < gradient[best] ? m : best;
    double down = 0, square = 0, far;
    for (size_t m = 0; m < n; m++) {
        double d = (m == best) - s->weights[m];
        down -= gradient[m] * d;
        square += ridge * d * d;
    }
    for (size_t k = 0; k < s->n_cells; k++) {
        double d = s->cells[k * n + best] - off[k];
        square += d * d;
    }
    far = square > 0 ? fmin(fmax(down / square, 0), 1) : 0;
    for (size_t k = 0; k < s->n_cells; k++)
        off[k] += far * (s->cells[k * n + best] - off[k]);
    for (size_t m = 0; m < n; m++)
        s->weights[m] += far * ((m == best) - s->weights[m]);
    return far;
}

static rg_status learn_values(rg_stack *s, double *scratch, rg_error *err)
{
    size_t n = s->n_members;
    double error = 0;
    double *off = rg_alloc_zero(s->n_cells, sizeof *off);
    if (!off)
        return rg_fail_memory(err, what);
    for (size_t k = 0; k < s->n_cells; k++) {
        for (size_t m = 0; m < n; m++)
            off[k] += s->weights[m] * s->cells[k * n + m];
        error += off[k] * off[k];
    }
    for (int k = 0; k < MOST_STEPS; k++)
        if (turn(s, off, scratch, RIDGE * error) < CLOSE)
            break;
    rg_free(off);
    return RG_OK;
}

rg_status rg_stack_learn(rg_stack *stack, rg_error *err)
{
    size_t n = stack->n_members;
    double *scratch = rg_alloc(n, sizeof *scratch);
    stack->weights = rg_alloc(n, sizeof *stack->weights);
    rg_status status = scratch && stack->weights ? RG_OK : rg_fail_memory(err, what);
    for (size_t m = 0; m < n && !status; m++)
        stack->weights[m] = 1 / (double)n;
    if (!status && stack->values)
        status = learn_values(stack, scratch, err);
    for (int k = 0; k < MOST_STEPS && !stack->values && !status; k++)
        if (step(stack, scratch) < CLOSE)
            break;
    rg_free(scratch);
    return status;
}
