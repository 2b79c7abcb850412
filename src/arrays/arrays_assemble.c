/* arrays_assemble.c - from the files of arrays to arrays: what their numbers mean.
 *
 * First everything that the heads of the files say is checked and counted, then there is one block,
 * and then the numbers go into it, row by row. */
#include "array_files.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/file.h"
#include "format/read.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- do the files go together? */

/* What is known of all files together before there is a block. */
typedef struct assembly {
    rg_arrays_plan plan;
    rg_int_rows classes; /* [sample][column] */
    bool real;           /* targets are real numbers, not classes */
    size_t n_columns;
    const rg_array_file *shaped, *targeted; /* the first of each kind */
} assembly;

static rg_status check_values(assembly *a, const rg_array_file *f, rg_error *err)
{
    const rg_numbers *t = &f->numbers;
    const size_t *dims = t->dims;
    if (t->n_dims < 2)
        return rg_fail(err, RG_EDATA,
                       "%s: found 1 dimension, expected 2 (samples, values), 3 (samples, rows, "
                       "columns), 4 (samples, channels, rows, columns) or 5 (samples, channels, "
                       "depth, rows, columns)",
                       t->name);
    for (size_t k = 0; k < t->n_dims; k++)
        if (dims[k] < 1 || dims[k] >= UINT32_MAX)
            return rg_fail(err, RG_EDATA, "%s: found size %zu in dimension %zu, expected 1 to %u",
                           t->name, dims[k], k, UINT32_MAX - 1);
    rg_array_shape shape = {1, (uint32_t)dims[t->n_dims - 1], 1, 0};
    if (t->n_dims > 2)
        shape.rows = (uint32_t)dims[t->n_dims - 2];
    if (t->n_dims > 3)
        shape.channels = (uint32_t)dims[1];
    if (t->n_dims > 4 && dims[1] * (uint64_t)dims[2] >= UINT32_MAX)
        return rg_fail(err, RG_EDATA, "%s: found %zu times %zu planes, expected fewer", t->name,
                       dims[1], dims[2]);
    if (t->n_dims > 4) {
        shape.channels = (uint32_t)(dims[1] * dims[2]);
        shape.depth = dims[2] > 1 ? (uint32_t)dims[2] : 0;
    }
    const rg_array_shape *before = &a->plan.shape;
    if (a->shaped && (shape.rows != before->rows || shape.cols != before->cols ||
                      shape.channels != before->channels || shape.depth != before->depth))
        return rg_fail(err, RG_EDATA,
                       "%s: found samples of %u x %u x %u values, expected %u x %u x %u as in '%s'",
                       t->name, shape.rows, shape.cols, shape.channels, before->rows, before->cols,
                       before->channels, a->shaped->path);
    a->plan.shape = shape;
    a->plan.wide = a->plan.wide || !rg_number_fits_float(t->type);
    a->plan.n_samples += dims[0]; /* of two files: no overflow */
    a->shaped = f;
    if (a->plan.n_samples >= UINT32_MAX)
        return rg_fail(err, RG_EDATA, "%s: found %zu samples, expected at most %u", t->name,
                       a->plan.n_samples, UINT32_MAX - 1);
    return RG_OK;
}

static rg_status check_targets(assembly *a, const rg_array_file *f, const rg_array_file *values,
                               rg_error *err)
{
    const rg_numbers *t = &f->numbers;
    bool real = rg_number_is_real(t->type);
    size_t n_columns = t->n_dims == 1 ? 1 : t->dims[1];
    if (t->n_dims > 2)
        return rg_fail(err, RG_EDATA,
                       "%s: found %zu dimensions, expected 1 (samples) or 2 (samples, columns)",
                       t->name, t->n_dims);
    if (t->dims[0] != values->numbers.dims[0])
        return rg_fail(err, RG_EDATA, "%s: found targets of %zu samples, expected %zu as in '%s'",
                       t->name, t->dims[0], values->numbers.dims[0], values->path);
    if (n_columns == 0)
        return rg_fail(err, RG_EDATA, "%s: found 0 columns, expected at least 1", t->name);
    if (a->targeted && (real != a->real || n_columns != a->n_columns))
        return rg_fail(err, RG_EDATA, "%s: found %zu columns of %s, expected %zu of %s as in '%s'",
                       t->name, n_columns, real ? "real numbers" : "whole numbers", a->n_columns,
                       a->real ? "real numbers" : "whole numbers", a->targeted->path);
    a->real = real;
    a->n_columns = n_columns;
    a->targeted = f;
    return RG_OK;
}

/* Which files there are must make sense, then what is in them. */
static rg_status check_all(assembly *a, const rg_array_files *all, rg_error *err)
{
    size_t n_values = 0, n_targets = 0;
    for (size_t part = 0; part < RG_ARRAY_PARTS; part++) {
        const rg_array_file *values = &all->files[part][RG_ARRAY_VALUES],
                            *targets = &all->files[part][RG_ARRAY_TARGETS];
        if (targets->path && !values->path)
            return rg_fail(err, RG_EDATA, "%s: found targets '%s' without values", all->where,
                           targets->path);
        if (!values->path)
            continue;
        n_values++;
        n_targets += targets->path != NULL;
        rg_status status = check_values(a, values, err);
        if (!status && targets->path)
            status = check_targets(a, targets, values, err);
        if (status)
            return status;
        if (part != RG_ARRAY_TEST)
            a->plan.n_train = a->plan.n_samples;
    }
    if (n_targets && n_targets != n_values)
        return rg_fail(err, RG_EDATA, "%s: found targets of one part only, expected those of both",
                       all->where);
    if (!a->plan.n_train) /* test files alone are a set like any other */
        a->plan.n_train = a->plan.n_samples;
    a->plan.n_reals = a->real ? a->n_columns : 0;
    a->plan.classes = n_targets && !a->real ? &a->classes : NULL;
    return RG_OK;
}

/* ---- numbers */

/* Classes of one file, into rows from `first` on. */
static rg_status fill_classes(assembly *a, const rg_numbers *t, size_t first, rg_error *err)
{
    size_t step = t->n_dims == 1 ? 1 : rg_numbers_stride(t, 1), down = rg_numbers_stride(t, 0), bad;
    for (size_t k = 0; k < t->dims[0]; k++)
        if (!rg_numbers_ints(a->classes.data + (first + k) * a->n_columns, t, k * down, step,
                             a->n_columns, &bad))
            return rg_fail(err, RG_EDATA,
                           "%s: byte %" PRIu64 ": found a class above 2^63 - 1 (sample %zu, column "
                           "%zu), expected one that fits into 64 bits with a sign",
                           t->name, t->offset + 8 * (uint64_t)(k * down + bad * step), k, bad);
    return RG_OK;
}

static rg_status gather_classes(assembly *a, const rg_array_files *all, rg_error *err)
{
    size_t n, first = 0;
    rg_status status = RG_OK;
    if (!a->plan.classes)
        return RG_OK;
    if (!rg_size_mul(&n, a->plan.n_samples, a->n_columns) ||
        !(a->classes.data = rg_alloc(n, sizeof *a->classes.data)))
        return rg_fail_memory(err, "reading classes");
    a->classes.n_rows = a->plan.n_samples;
    a->classes.n_columns = a->n_columns;
    for (size_t part = 0; part < RG_ARRAY_PARTS && !status; part++)
        if (all->files[part][RG_ARRAY_TARGETS].path) {
            const rg_numbers *t = &all->files[part][RG_ARRAY_TARGETS].numbers;
            status = fill_classes(a, t, first, err);
            first += t->dims[0];
        }
    return status;
}

static rg_status fill_reals(rg_arrays *arrays, const rg_numbers *t, size_t first, rg_error *err)
{
    size_t n = arrays->reals.n_columns;
    size_t step = t->n_dims == 1 ? 1 : rg_numbers_stride(t, 1), down = rg_numbers_stride(t, 0);
    for (size_t k = 0; k < t->dims[0]; k++) {
        double *row = arrays->reals.data + (first + k) * n;
        rg_numbers_reals(row, t, k * down, step, n);
        for (size_t c = 0; c < n; c++)
            if (isinf(row[c]))
                return rg_fail(
                    err, RG_EDATA,
                    "%s: byte %" PRIu64 ": found an infinite target (sample %zu, column "
                    "%zu), expected a number, or nan where none is known",
                    t->name, t->offset + rg_number_size(t->type) * (uint64_t)(k * down + c * step),
                    k, c);
    }
    return RG_OK;
}

/* Where the numbers of one file go: `row` is scratch for one row of a sample. */
typedef struct array_filling {
    rg_arrays *arrays;
    double *row;
    bool scale;
} array_filling;

/* Row `row` of all channels of a sample; `at` is where it stands in the file's order. */
static rg_status fill_row(const array_filling *to, const rg_numbers *t, size_t sample, size_t row,
                          size_t at, size_t first, rg_error *err)
{
    rg_arrays *arrays = to->arrays;
    size_t cols = arrays->shape.cols, step = rg_numbers_stride(t, t->n_dims - 1);
    size_t out = (first + sample) * arrays->n_values + row * cols;
    rg_numbers_reals(to->row, t, at, step, cols);
    for (size_t k = 0; k < cols; k++) {
        double value = to->scale ? to->row[k] / 255 : to->row[k];
        if (!isfinite(value)) {
            char place[RG_PLACE_MAX];
            rg_arrays_place(place, arrays->shape, sample, row * cols + k);
            return rg_fail(err, RG_EDATA,
                           "%s: byte %" PRIu64 ": found %s (%s), expected a finite number", t->name,
                           t->offset + rg_number_size(t->type) * (uint64_t)(at + k * step),
                           isnan(value) ? "nan" : "inf", place);
        }
        if (arrays->floats)
            arrays->floats[out + k] = (float)value;
        else
            arrays->doubles[out + k] = value;
    }
    return RG_OK;
}

static rg_status fill_values(const array_filling *to, const rg_numbers *t, size_t first,
                             rg_error *err)
{
    rg_array_shape shape = to->arrays->shape;
    size_t down = rg_numbers_stride(t, 0), deep = t->n_dims > 3 ? rg_numbers_stride(t, 1) : 0;
    size_t planes = t->n_dims > 4 ? t->dims[2] : 1; /* of a channel */
    size_t plane = t->n_dims > 4 ? rg_numbers_stride(t, 2) : 0;
    size_t across = t->n_dims > 2 ? rg_numbers_stride(t, t->n_dims - 2) : 0;
    rg_status status = RG_OK;
    for (size_t k = 0; k < t->dims[0]; k++)
        for (size_t c = 0; c < shape.channels; c++)
            for (size_t r = 0; r < shape.rows && !status; r++)
                status = fill_row(to, t, k, c * shape.rows + r,
                                  k * down + c / planes * deep + c % planes * plane + r * across,
                                  first, err);
    return status;
}

static rg_status fill_all(rg_arrays *arrays, rg_array_files *all, rg_error *err)
{
    array_filling to = {.arrays = arrays};
    size_t first = 0;
    rg_status status = RG_OK;
    to.row = rg_alloc(arrays->shape.cols, sizeof *to.row);
    if (!to.row)
        return rg_fail_memory(err, "reading arrays");
    for (size_t part = 0; part < RG_ARRAY_PARTS && !status; part++) {
        rg_array_file *values = &all->files[part][RG_ARRAY_VALUES],
                      *targets = &all->files[part][RG_ARRAY_TARGETS];
        if (!values->path)
            continue;
        to.scale = all->scale && values->numbers.type == RG_U8;
        status = fill_values(&to, &values->numbers, first, err);
        if (!status && arrays->reals.n_columns)
            status = fill_reals(arrays, &targets->numbers, first, err);
        first += values->numbers.dims[0];
        rg_numbers_free(&values->numbers); /* it may be as large as all the rest */
    }
    rg_free(to.row);
    return status;
}

rg_status rg_arrays_assemble(rg_arrays **out, rg_array_files *all, const char *place, rg_error *err)
{
    assembly a = {0};
    rg_arrays *arrays = NULL;
    char *name = NULL;
    rg_status status = check_all(&a, all, err);
    if (!status) {
        name = all->first->name.n_prefix
                   ? rg_copy_text(rg_path_name(all->first->path), all->first->name.n_prefix)
                   : rg_read_name(place);
        a.plan.name = name;
        status = name ? gather_classes(&a, all, err) : rg_fail_memory(err, "reading arrays");
    }
    if (!status)
        status = rg_arrays_new(&arrays, &a.plan, err);
    if (!status)
        status = fill_all(arrays, all, err);
    if (!status)
        *out = arrays;
    else
        rg_arrays_free(arrays);
    rg_free(a.classes.data);
    rg_free(name);
    return status;
}
