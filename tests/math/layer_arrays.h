/* layer_arrays.h - one layer on arrays of random numbers: central differences, and lanes against
 * runs alone.
 *
 * A case says how many items each array has and runs the layer forward and backward on them:
 *   a[0] y    a[1] dy    a[2], a[4], a[6] inputs and parameters    a[3], a[5], a[7] their gradients
 *   a[8], a[9] scratch that forward leaves for backward
 * The loss is the sum of dy y, so its derivatives are what backward fills. */
#ifndef REGULA_TESTS_MATH_LAYER_ARRAYS_H
#define REGULA_TESTS_MATH_LAYER_ARRAYS_H

#include "math/kernels.h"

enum { LAYER_ARRAYS = 10 };

typedef struct layer_arrays {
    const rg_kernels *kernels;
    const void *context; /* what the layer needs besides: tables, shapes */
    size_t first_lane;   /* which lane of the run with many lanes is lane 0 here */
    void *a[LAYER_ARRAYS];
} layer_arrays;

typedef struct layer_case {
    const char *name;
    const void *context;
    void (*forward)(layer_arrays *s);
    void (*backward)(layer_arrays *s);
    size_t n[LAYER_ARRAYS]; /* items; 0: the case has no such array, and it is NULL */
} layer_case;

/* Gradients in double, one lane, against central differences: 1e-6 relative. */
void layer_check_gradients(const layer_case *layer);
/* All arrays after forward and backward, for float and double, every processor, 4 and 8 lanes: each
 * lane has the bits of the baseline run of that lane alone. */
void layer_check_lanes(const layer_case *layer);
/* Number k of an array, in +-[0.05, 1). */
double layer_value(const layer_case *layer, size_t array, size_t k, size_t lane);

#endif
