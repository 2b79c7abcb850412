/* arrays_write.c - arrays as x.npy and y.npy, byte for byte the same each time. */
#include "arrays.h"
#include "base/alloc.h"
#include "base/error.h"
#include "base/fault.h"
#include "base/file.h"
#include "numbers.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* The low bytes of a number, the least significant first. */
static void put_bits(rg_file *file, uint64_t bits, size_t size)
{
    unsigned char bytes[8];
    for (size_t k = 0; k < size; k++)
        bytes[k] = (unsigned char)(bits >> 8 * k);
    rg_file_bytes(file, bytes, size);
}

static void put_double(rg_file *file, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bits(file, bits, sizeof bits);
}

static void put_head(rg_file *file, const char *type, const size_t *dims, size_t n_dims)
{
    char head[RG_NPY_HEAD_MAX];
    size_t n = rg_npy_head(head, type, dims, n_dims);
    rg_file_bytes(file, head, n);
}

/* A vector has two dimensions, an image of one channel three. */
static void put_values(rg_file *file, const rg_arrays *arrays)
{
    rg_array_shape shape = arrays->shape;
    size_t n = arrays->n_samples * arrays->n_values;
    size_t flat[] = {arrays->n_samples, shape.rows, shape.cols};
    size_t deep[] = {arrays->n_samples, shape.channels, shape.rows, shape.cols};
    size_t volume[] = {arrays->n_samples, shape.channels / (shape.depth ? shape.depth : 1),
                       shape.depth, shape.rows, shape.cols};
    size_t vector[] = {arrays->n_samples, shape.cols};
    const char *type = arrays->floats ? "<f4" : "<f8";
    if (shape.depth > 1)
        put_head(file, type, volume, 5);
    else if (shape.channels > 1)
        put_head(file, type, deep, 4);
    else if (shape.rows > 1)
        put_head(file, type, flat, 3);
    else
        put_head(file, type, vector, 2);
    for (size_t k = 0; k < n; k++) {
        if (arrays->doubles) {
            put_double(file, arrays->doubles[k]);
        } else {
            uint32_t bits;
            memcpy(&bits, &arrays->floats[k], sizeof bits);
            put_bits(file, bits, sizeof bits);
        }
    }
}

static void put_targets(rg_file *file, const rg_arrays *arrays)
{
    size_t n_classes = arrays->classes.n_columns, n_reals = arrays->reals.n_columns;
    size_t dims[] = {arrays->n_samples, n_classes ? n_classes : n_reals}, n;
    put_head(file, n_classes ? "<i8" : "<f8", dims, dims[1] > 1 ? 2 : 1);
    for (size_t k = 0; k < arrays->n_samples; k++)
        for (size_t c = 0; c < n_classes; c++) {
            const int64_t *values = rg_arrays_class_values(arrays, c, &n);
            uint32_t rank = rg_arrays_classes(arrays, c)[k];
            put_bits(file, (uint64_t)(rank == RG_NO_CLASS ? RG_MISSING : values[rank]), 8);
        }
    for (size_t k = 0; k < arrays->n_samples * n_reals; k++)
        put_double(file, arrays->reals.data[k]);
}

/* Writes and seals DIRECTORY/NAME; it waits to be committed. */
static rg_status write_file(rg_file **out, const rg_arrays *arrays, const char *path,
                            void (*put)(rg_file *file, const rg_arrays *arrays), rg_error *err)
{
    rg_file *file = NULL;
    rg_status status = rg_file_create(&file, path, err);
    if (status)
        return status;
    put(file, arrays);
    status = rg_file_seal(file, err);
    if (status)
        rg_file_discard(file);
    else
        *out = file;
    return status;
}

/* Targets of an earlier set must not be taken for ours. */
static rg_status remove_file(const char *path, rg_error *err)
{
    int failed = rg_fault_hit(RG_FAULT_IO) ? (errno = EIO, -1) : unlink(path);
    return failed && errno != ENOENT ? rg_fail_io(err, errno, "remove", path) : RG_OK;
}

rg_status rg_arrays_write(const rg_arrays *arrays, const char *directory, rg_error *err)
{
    rg_file *x = NULL, *y = NULL;
    bool targets = arrays->classes.n_columns || arrays->reals.n_columns;
    char *x_path = rg_path_join(directory, "x.npy"), *y_path = rg_path_join(directory, "y.npy");
    rg_status status = RG_OK;
    if (!x_path || !y_path)
        status = rg_fail_memory(err, "writing arrays");
    if (!status)
        status = rg_dir_make(directory, err);
    if (!status)
        status = write_file(&x, arrays, x_path, put_values, err);
    if (!status)
        status =
            targets ? write_file(&y, arrays, y_path, put_targets, err) : remove_file(y_path, err);
    if (!status) {
        status = rg_file_commit(x, err);
        x = NULL;
    }
    if (!status && y) {
        status = rg_file_commit(y, err);
        y = NULL;
    }
    rg_file_discard(x);
    rg_file_discard(y);
    rg_free(x_path);
    rg_free(y_path);
    return status;
}
