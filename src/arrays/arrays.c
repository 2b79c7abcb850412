/* arrays.c - building arrays and looking into them; arrays_read.c reads them from files. */
#include "arrays.h"

#include "base/alloc.h"
#include "base/digest.h"
#include "base/error.h"
#include "base/sized.h"
#include "graph/rank.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void rg_arrays_free(rg_arrays *arrays)
{
    rg_free(arrays); /* everything lies in one block */
}

const char *rg_arrays_name(const rg_arrays *arrays)
{
    return arrays->name;
}

size_t rg_arrays_n_samples(const rg_arrays *arrays)
{
    return arrays->n_samples;
}

rg_array_shape rg_arrays_shape(const rg_arrays *arrays)
{
    return arrays->shape;
}

size_t rg_arrays_n_values(const rg_arrays *arrays)
{
    return arrays->n_values;
}

size_t rg_arrays_bytes(const rg_arrays *arrays)
{
    return arrays->bytes;
}

size_t rg_arrays_n_train(const rg_arrays *arrays)
{
    return arrays->n_train;
}

const float *rg_arrays_floats(const rg_arrays *arrays)
{
    return arrays->floats;
}

const double *rg_arrays_doubles(const rg_arrays *arrays)
{
    return arrays->doubles;
}

void rg_arrays_copy(double *out, const rg_arrays *arrays, size_t sample)
{
    assert(sample < arrays->n_samples);
    size_t n = arrays->n_values, first = sample * n;
    if (arrays->doubles)
        memcpy(out, arrays->doubles + first, n * sizeof *out);
    for (size_t k = 0; arrays->floats && k < n; k++)
        out[k] = (double)arrays->floats[first + k];
}

void rg_arrays_copy_float(float *out, const rg_arrays *arrays, size_t sample)
{
    assert(sample < arrays->n_samples);
    size_t n = arrays->n_values, first = sample * n;
    if (arrays->floats)
        memcpy(out, arrays->floats + first, n * sizeof *out);
    for (size_t k = 0; arrays->doubles && k < n; k++)
        out[k] = (float)arrays->doubles[first + k];
}

size_t rg_arrays_n_columns(const rg_arrays *arrays, rg_column kind)
{
    return kind == RG_CLASS    ? arrays->classes.n_columns
           : kind == RG_TARGET ? arrays->reals.n_columns
                               : 0;
}

const uint32_t *rg_arrays_classes(const rg_arrays *arrays, size_t column)
{
    assert(column < arrays->classes.n_columns);
    return arrays->classes.ranks + column * arrays->n_samples;
}

const int64_t *rg_arrays_class_values(const rg_arrays *arrays, size_t column, size_t *n)
{
    const rg_label_columns *classes = &arrays->classes;
    assert(column < classes->n_columns);
    *n = classes->value_start[column + 1] - classes->value_start[column];
    return classes->values + classes->value_start[column];
}

const double *rg_arrays_reals(const rg_arrays *arrays)
{
    return arrays->reals.n_columns ? arrays->reals.data : NULL;
}

void rg_arrays_place(char out[RG_PLACE_MAX], rg_array_shape shape, size_t sample, size_t value)
{
    size_t cols = shape.cols, rows = shape.rows, row = value / cols;
    if (rows == 1 && shape.channels == 1)
        snprintf(out, RG_PLACE_MAX, "sample %zu, value %zu", sample, value);
    else if (shape.depth > 1)
        snprintf(out, RG_PLACE_MAX, "sample %zu, channel %zu, depth %zu, row %zu, column %zu",
                 sample, row / rows / shape.depth, row / rows % shape.depth, row % rows,
                 value % cols);
    else if (shape.channels == 1)
        snprintf(out, RG_PLACE_MAX, "sample %zu, row %zu, column %zu", sample, row, value % cols);
    else
        snprintf(out, RG_PLACE_MAX, "sample %zu, channel %zu, row %zu, column %zu", sample,
                 row / rows, row % rows, value % cols);
}

/* ---- digest */

static void digest_values(rg_digest *digest, const rg_arrays *arrays)
{
    double piece[512];
    size_t n = arrays->n_samples * arrays->n_values;
    for (size_t first = 0; first < n; first += 512) {
        size_t m = n - first < 512 ? n - first : 512;
        for (size_t k = 0; arrays->floats && k < m; k++)
            piece[k] = (double)arrays->floats[first + k];
        rg_digest_real_array(digest, arrays->floats ? piece : arrays->doubles + first, m);
    }
}

void rg_arrays_digest(const rg_arrays *arrays, char out[RG_DIGEST_SIZE])
{
    rg_digest digest;
    rg_digest_init(&digest);
    rg_digest_text(&digest, "regula arrays 1");
    rg_digest_u64(&digest, arrays->n_samples);
    rg_digest_u64(&digest, arrays->shape.rows);
    rg_digest_u64(&digest, arrays->shape.cols);
    rg_digest_u64(&digest, arrays->shape.channels);
    if (arrays->shape.depth > 1)
        rg_digest_u64(&digest, arrays->shape.depth);
    digest_values(&digest, arrays);
    rg_digest_u64(&digest, arrays->classes.n_columns);
    for (size_t c = 0; c < arrays->classes.n_columns; c++) {
        size_t n;
        const int64_t *values = rg_arrays_class_values(arrays, c, &n);
        rg_digest_u64(&digest, n);
        for (size_t k = 0; k < n; k++)
            rg_digest_u64(&digest, (uint64_t)values[k]);
        rg_digest_u32_array(&digest, rg_arrays_classes(arrays, c), arrays->n_samples);
    }
    rg_digest_u64(&digest, arrays->reals.n_columns);
    rg_digest_real_array(&digest, rg_arrays_reals(arrays),
                         arrays->reals.n_columns * arrays->n_samples);
    rg_digest_finish(&digest, out);
}

/* ---- building */

/* Values of one sample; false if they are too many. */
static bool count_values(size_t *out, rg_array_shape shape)
{
    size_t n;
    return rg_size_mul(&n, shape.rows, shape.cols) && rg_size_mul(out, n, shape.channels);
}

static rg_arrays *carve(const rg_arrays_plan *plan, const rg_ranking *rankings)
{
    const char *name = plan->name && *plan->name ? plan->name : "data";
    size_t n_columns = plan->classes ? plan->classes->n_columns : 0;
    size_t n_values, n_all, n_ranks, n_reals, n_class_values = 0;
    rg_carve carve = {0};
    if (!count_values(&n_values, plan->shape) || !rg_size_mul(&n_all, plan->n_samples, n_values) ||
        !rg_size_mul(&n_ranks, plan->n_samples, n_columns) ||
        !rg_size_mul(&n_reals, plan->n_samples, plan->n_reals))
        return NULL;
    for (size_t c = 0; c < n_columns; c++)
        n_class_values += rankings[c].n;
    rg_carve_add(&carve, 1, sizeof(rg_arrays));
    size_t name_at = rg_carve_add(&carve, strlen(name) + 1, 1);
    size_t ranks_at = rg_carve_add(&carve, n_ranks, sizeof(uint32_t));
    size_t start_at = rg_carve_add(&carve, n_columns + 1, sizeof(size_t));
    size_t values_at = rg_carve_add(&carve, n_class_values, sizeof(int64_t));
    size_t reals_at = rg_carve_add(&carve, n_reals, sizeof(double));
    size_t all_at = rg_carve_add(&carve, n_all, plan->wide ? sizeof(double) : sizeof(float));
    char *block = rg_carve_alloc(&carve);
    if (!block)
        return NULL;
    rg_arrays *arrays = (void *)block;
    *arrays = (rg_arrays){
        .bytes = carve.bytes,
        .name = block + name_at,
        .n_samples = plan->n_samples,
        .n_train = plan->n_train,
        .n_values = n_values,
        .shape = plan->shape,
        .floats = plan->wide ? NULL : (void *)(block + all_at),
        .doubles = plan->wide ? (void *)(block + all_at) : NULL,
        .classes = {n_columns, (void *)(block + ranks_at), (void *)(block + start_at),
                    (void *)(block + values_at)},
        .reals = {plan->n_reals, (void *)(block + reals_at)},
    };
    memcpy(arrays->name, name, strlen(name) + 1);
    return arrays;
}

static void fill_classes(rg_arrays *arrays, const rg_int_rows *rows, const rg_ranking *rankings)
{
    rg_label_columns *classes = &arrays->classes;
    size_t used = 0;
    for (size_t c = 0; c < classes->n_columns; c++) {
        uint32_t *ranks = classes->ranks + c * arrays->n_samples;
        for (size_t k = 0; k < arrays->n_samples; k++)
            ranks[k] = rg_ranking_find(&rankings[c], rows->data[k * classes->n_columns + c]);
        classes->value_start[c] = used;
        if (rankings[c].n)
            memcpy(classes->values + used, rankings[c].values,
                   rankings[c].n * sizeof *classes->values);
        used += rankings[c].n;
    }
    classes->value_start[classes->n_columns] = used;
}

rg_status rg_arrays_new(rg_arrays **out, const rg_arrays_plan *plan, rg_error *err)
{
    size_t n_columns = plan->classes ? plan->classes->n_columns : 0;
    rg_ranking *rankings = rg_alloc_zero(n_columns, sizeof *rankings);
    bool fine = rankings != NULL;
    for (size_t c = 0; fine && c < n_columns; c++)
        fine = rg_ranking_build(&rankings[c], plan->classes, c, NULL, plan->n_samples);
    rg_arrays *arrays = fine ? carve(plan, rankings) : NULL;
    if (arrays) {
        fill_classes(arrays, plan->classes, rankings);
        *out = arrays;
    }
    for (size_t c = 0; rankings && c < n_columns; c++)
        rg_ranking_free(&rankings[c]);
    rg_free(rankings);
    return arrays ? RG_OK : rg_fail_memory(err, "building arrays");
}

static rg_status check_content(const rg_arrays_content *content, rg_error *err)
{
    rg_array_shape shape = content->shape;
    if (!shape.rows || !shape.cols || !shape.channels)
        return rg_fail(err, RG_EUSAGE, "found a shape of %u x %u x %u, expected at least 1 of each",
                       shape.rows, shape.cols, shape.channels);
    if (shape.depth && shape.channels % shape.depth)
        return rg_fail(err, RG_EUSAGE,
                       "found a depth of %u and %u planes, expected a multiple of the depth",
                       shape.depth, shape.channels);
    if (content->n_samples < 1 || content->n_samples >= UINT32_MAX)
        return rg_fail(err, RG_EUSAGE, "found %zu samples, expected 1 to 4294967294",
                       content->n_samples);
    if (content->n_train > content->n_samples)
        return rg_fail(err, RG_EUSAGE, "found %zu samples for training, expected at most %zu",
                       content->n_train, content->n_samples);
    if (!content->floats == !content->doubles)
        return rg_fail(err, RG_EUSAGE, "found %s, expected floats or doubles",
                       content->floats ? "both floats and doubles" : "no values");
    if (content->classes && content->reals)
        return rg_fail(err, RG_EUSAGE, "found both classes and reals, expected one of them");
    if (!content->n_columns != !(content->classes || content->reals))
        return rg_fail(err, RG_EUSAGE, "found %zu columns %s targets, expected %s",
                       content->n_columns, content->n_columns ? "without" : "with",
                       content->n_columns ? "classes or reals" : "at least 1");
    return RG_OK;
}

/* RG_EUSAGE at the first value that is not finite, or target that is infinite. */
static rg_status check_finite(const rg_arrays *arrays, rg_error *err)
{
    char place[RG_PLACE_MAX];
    size_t n = arrays->n_samples * arrays->n_values,
           m = arrays->n_samples * arrays->reals.n_columns;
    for (size_t k = 0; k < n; k++)
        if (!isfinite(arrays->floats ? (double)arrays->floats[k] : arrays->doubles[k])) {
            rg_arrays_place(place, arrays->shape, k / arrays->n_values, k % arrays->n_values);
            return rg_fail(err, RG_EUSAGE, "%s: found a value that is not finite", place);
        }
    for (size_t k = 0; k < m; k++)
        if (isinf(arrays->reals.data[k]))
            return rg_fail(err, RG_EUSAGE, "sample %zu, column %zu: found an infinite target",
                           k / arrays->reals.n_columns, k % arrays->reals.n_columns);
    return RG_OK;
}

rg_status rg_arrays_build(rg_arrays **out, const rg_arrays_content *given, rg_error *err)
{
    rg_arrays *arrays = NULL;
    rg_arrays_content own = RG_ARRAYS_CONTENT_INIT;
    const rg_arrays_content *content = &own;
    rg_status status = RG_TAKE(rg_arrays_content, &own, given, err);
    if (!status)
        status = check_content(content, err);
    if (status)
        return status;
    /* The cast is harmless: the plan only looks at the rows. */
    rg_int_rows classes = {.data = (int64_t *)content->classes,
                           .n_rows = content->n_samples,
                           .n_columns = content->n_columns};
    rg_arrays_plan plan = {.name = content->name,
                           .n_samples = content->n_samples,
                           .n_train = content->n_train ? content->n_train : content->n_samples,
                           .shape = content->shape,
                           .wide = content->doubles != NULL,
                           .classes = content->classes ? &classes : NULL,
                           .n_reals = content->reals ? content->n_columns : 0};
    status = rg_arrays_new(&arrays, &plan, err);
    if (status)
        return status;
    size_t n = arrays->n_samples * arrays->n_values;
    if (arrays->floats)
        memcpy(arrays->floats, content->floats, n * sizeof *arrays->floats);
    else
        memcpy(arrays->doubles, content->doubles, n * sizeof *arrays->doubles);
    if (plan.n_reals)
        memcpy(arrays->reals.data, content->reals,
               arrays->n_samples * plan.n_reals * sizeof *arrays->reals.data);
    status = check_finite(arrays, err);
    if (status) {
        rg_arrays_free(arrays);
        return status;
    }
    *out = arrays;
    return RG_OK;
}
