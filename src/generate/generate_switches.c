/* generate_switches.c - vectors in which a few values decide what the others mean. */
#include "regula/generate.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/random.h"
#include "base/sized.h"

#include <stdbool.h>

enum { MOST_SWITCHES = 8, MOST_DRAWS = 1 << 20 };

/* Streams of random numbers; a vector has its number in the low bits. */
enum { FOR_SIGNS = 1, FOR_VALUES, FOR_CLASSES };

RG_DEFINE_INIT(rg_switches_options, RG_SWITCHES_OPTIONS_INIT)

rg_status rg_switches_options_check(const rg_switches_options *given, rg_error *err)
{
    rg_switches_options own = RG_SWITCHES_OPTIONS_INIT, *o = &own;
    rg_status status = RG_TAKE(rg_switches_options, &own, given, err);
    if (status)
        return status;
    if (o->n_vectors < 1 || o->n_vectors >= UINT32_MAX)
        return rg_fail(err, RG_EUSAGE, "Switches: found %zu vectors, expected 1 to 4294967294",
                       o->n_vectors);
    if (o->n_vectors % 2)
        return rg_fail(err, RG_EUSAGE, "Switches: %zu vectors cannot be split into 2 equal classes",
                       o->n_vectors);
    if (o->n_switches < 1 || o->n_switches > MOST_SWITCHES)
        return rg_fail(err, RG_EUSAGE, "Switches: found %u switches, expected 1 to %d",
                       o->n_switches, MOST_SWITCHES);
    if (o->n_values < 1 || o->n_values > 1000000)
        return rg_fail(err, RG_EUSAGE, "Switches: found size %u, expected 1 to 1000000",
                       o->n_values);
    return RG_OK;
}

/* The sign of value j when the switches are as the bits say; the opposite ones give the opposite. */
static double sign_of(const rg_switches_options *o, uint32_t bits, uint32_t j)
{
    uint32_t all = (1u << o->n_switches) - 1;
    bool opposite = bits >> (o->n_switches - 1) & 1;
    uint64_t own = opposite ? ~bits & all : bits;
    bool minus = rg_random_below(o->seed, (uint64_t)FOR_SIGNS << 60 | own, j, 2) == 1;
    return minus == opposite ? 1 : -1;
}

/* Draws until the sum is on the side of the class, and not close to 0. */
static rg_status draw_vector(float *out, const rg_switches_options *o, size_t k, int64_t wanted,
                             rg_error *err)
{
    uint64_t stream = (uint64_t)FOR_VALUES << 60 | k, n = o->n_switches + o->n_values;
    for (uint64_t draw = 0; draw < MOST_DRAWS; draw++) {
        uint32_t bits = 0;
        double sum = 0;
        for (uint32_t v = 0; v < n; v++)
            out[v] = (float)rg_random_normal(o->seed, stream, draw * n + v);
        for (uint32_t s = 0; s < o->n_switches; s++)
            bits |= (uint32_t)(out[s] > 0) << s;
        for (uint32_t j = 0; j < o->n_values; j++)
            sum += sign_of(o, bits, j) * (double)out[o->n_switches + j];
        sum = wanted ? sum : -sum;
        if (sum > 0 && sum * sum >= 0.25 * o->n_values)
            return RG_OK;
    }
    return rg_fail(err, RG_EFAIL, "Switches: no vector of class %d was found", (int)wanted);
}

rg_status rg_switches_generate(rg_arrays **out, const rg_switches_options *options, rg_error *err)
{
    rg_switches_options o = RG_SWITCHES_OPTIONS_INIT;
    float *values = NULL;
    int64_t *classes = NULL;
    uint32_t *order = NULL;
    rg_status status = RG_TAKE(rg_switches_options, &o, options, err);
    if (!status)
        status = rg_switches_options_check(&o, err);
    if (status)
        return status;
    size_t n_values = (size_t)o.n_switches + o.n_values, n_all;
    if (!rg_size_mul(&n_all, o.n_vectors, n_values) ||
        !(values = rg_alloc(n_all, sizeof *values)) ||
        !(classes = rg_alloc(o.n_vectors, sizeof *classes)) ||
        !(order = rg_alloc(o.n_vectors, sizeof *order)))
        status = rg_fail_memory(err, "drawing vectors");
    for (size_t k = 0; !status && k < o.n_vectors; k++)
        order[k] = (uint32_t)k;
    if (!status)
        rg_random_shuffle(o.seed, (uint64_t)FOR_CLASSES << 60, order, o.n_vectors);
    for (size_t k = 0; !status && k < o.n_vectors; k++) {
        classes[k] = order[k] % 2;
        status = draw_vector(values + k * n_values, &o, k, classes[k], err);
    }
    if (!status) {
        rg_arrays_content content = {.size = sizeof content,
                                     .name = "Switches",
                                     .n_samples = o.n_vectors,
                                     .shape = {1, (uint32_t)n_values, 1, 0},
                                     .floats = values,
                                     .classes = classes,
                                     .n_columns = 1};
        status = rg_arrays_build(out, &content, err);
    }
    rg_free(values);
    rg_free(classes);
    rg_free(order);
    return status;
}
