/* arrays.h - the inside of arrays: one block, carved. */
#ifndef REGULA_ARRAYS_ARRAYS_H
#define REGULA_ARRAYS_ARRAYS_H

#include "graph/dataset.h"
#include "graph/raw.h"
#include "regula/arrays.h"

struct rg_arrays {
    size_t bytes;
    char *name;
    size_t n_samples, n_train, n_values;
    rg_array_shape shape;
    float *floats;   /* n_samples * n_values; NULL: they are doubles */
    double *doubles; /* or this is NULL */
    rg_label_columns classes;
    rg_real_columns reals;
};

/* What is known before there is a block. */
typedef struct rg_arrays_plan {
    const char *name;
    size_t n_samples, n_train;
    rg_array_shape shape;
    bool wide;                  /* doubles */
    const rg_int_rows *classes; /* NULL: none */
    size_t n_reals;             /* columns of real targets */
} rg_arrays_plan;

/* Arrays with their classes filled in; values and real targets are for the caller to fill. out:
 * owned (rg_arrays_free). RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_arrays_new(rg_arrays **out, const rg_arrays_plan *plan, rg_error *err);

/* A place in words: "sample 5, channel 1, row 0, column 17", or "sample 5, value 17" of a vector.
 */
#define RG_PLACE_MAX 112
void rg_arrays_place(char out[RG_PLACE_MAX], rg_array_shape shape, size_t sample, size_t value);

#endif
