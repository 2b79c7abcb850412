/* arrays.h - vectors and images as data, next to data sets of graphs.
 *
 * Arrays are n samples of one shape with their targets, if known: classes or real values.
 * They never change after they are built, so any number of threads may read them, and all of it
 * lies in one block of memory. There is at least one sample.
 *
 *   sample  a number 0 .. n_samples-1
 *   shape   rows x cols x channels; a vector of length d is 1 x d x 1
 *           volumes have a depth: rows x cols x (depth * channels)
 *   value   number (c * rows + r) * cols + k of a sample is channel c, row r, column k */
#ifndef REGULA_ARRAYS_H
#define REGULA_ARRAYS_H

#include "dataset.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rg_arrays rg_arrays;

typedef struct rg_array_shape {
    uint32_t rows, cols, channels; /* each at least 1 */
    uint32_t depth; /* 0 is 1; else `channels` counts planes, `depth` of them a channel */
} rg_array_shape;

RG_API void rg_arrays_free(rg_arrays *arrays); /* NULL is fine */

/* O(1) all of them; pointers are borrowed. */
RG_API const char *rg_arrays_name(const rg_arrays *arrays);
RG_API size_t rg_arrays_n_samples(const rg_arrays *arrays);
RG_API rg_array_shape rg_arrays_shape(const rg_arrays *arrays);
RG_API size_t rg_arrays_n_values(const rg_arrays *arrays); /* of one sample */
RG_API size_t rg_arrays_bytes(const rg_arrays *arrays);    /* of the block */
/* Samples of the files for training, which come first; n_samples if the files are not parted. */
RG_API size_t rg_arrays_n_train(const rg_arrays *arrays);

/* All values, [sample][value], finite: one of the two, the other is NULL. Floats if every file has
 * numbers of at most 16 bits or floats, else doubles. */
RG_API const float *rg_arrays_floats(const rg_arrays *arrays);
RG_API const double *rg_arrays_doubles(const rg_arrays *arrays);
/* The values of one sample, as either type; out: n_values. sample < n_samples. */
RG_API void rg_arrays_copy(double *out, const rg_arrays *arrays, size_t sample);
RG_API void rg_arrays_copy_float(float *out, const rg_arrays *arrays, size_t sample);

/* kind is RG_CLASS or RG_TARGET (others: 0); never both kinds. */
RG_API size_t rg_arrays_n_columns(const rg_arrays *arrays, rg_column kind);
/* Rank of each sample's class among the sorted values, RG_NO_CLASS where none is known; column <
 * n_columns. */
RG_API const uint32_t *rg_arrays_classes(const rg_arrays *arrays, size_t column);
/* The value behind each rank, ascending; *n of them. */
RG_API const int64_t *rg_arrays_class_values(const rg_arrays *arrays, size_t column, size_t *n);
/* Real targets, [sample][column], NaN where none is known; NULL without columns. */
RG_API const double *rg_arrays_reals(const rg_arrays *arrays);

/* SHA-256 of the content, 64 hexadecimal digits: shape, values and targets; not the name, nor the
 * format, nor whether values are floats or doubles. O(size). */
RG_API void rg_arrays_digest(const rg_arrays *arrays, char out[RG_DIGEST_SIZE]);

typedef struct rg_arrays_options {
    size_t size;                 /* sizeof(rg_arrays_options): RG_ARRAYS_OPTIONS_INIT sets it */
    int scale;                   /* divide values of files of unsigned bytes by 255; 1 */
    const rg_read_options *read; /* bounds; its format is not looked at. NULL: the defaults */
} rg_arrays_options;

#define RG_ARRAYS_OPTIONS_INIT RG_OPTIONS(rg_arrays_options, .scale = 1)
RG_OPTIONS_FUNCTIONS(rg_arrays_options)

/* Read arrays from a directory, an archive (.npz too), or one file of values beside which the file
 * of targets is looked for. docs/formats.md has the names that files go by: x.npy and y.npy,
 * images.npy and labels.npy, *-images-idx3-ubyte and *-labels-idx1-ubyte, and so on. Without a file
 * of targets there are no columns. Whole numbers are classes (INT64_MIN: not known), others real
 * targets (NaN: not known). out: owned by the caller (rg_arrays_free), untouched on failure.
 * options: NULL for the defaults. Cost: O(bytes); memory: the files, unpacked, and the arrays.
 * RG_EDATA with file and byte, RG_EIO, RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_arrays_read(rg_arrays **out, const char *path,
                                              const rg_arrays_options *options, rg_error *err);

/* Do the names of the files at this path say arrays rather than graphs? Nothing is read but names:
 * the first that either kind knows decides. RG_EIO, RG_EDATA (no archive), RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_arrays_are_there(int *out, const char *path, rg_error *err);

/* Arrays from memory; all of it is copied. One of floats and doubles, at most one of classes and
 * reals; those that are not there are NULL. */
typedef struct rg_arrays_content {
    size_t size;      /* sizeof(rg_arrays_content): RG_ARRAYS_CONTENT_INIT sets it */
    const char *name; /* NULL: "data" */
    size_t n_samples;
    size_t n_train; /* number of training samples, which come first; 0: all */
    rg_array_shape shape;
    const float *floats;    /* [sample][value] */
    const double *doubles;  /* the same */
    const int64_t *classes; /* [sample][column]; INT64_MIN: not known */
    const double *reals;    /* [sample][column]; NaN: not known */
    size_t n_columns;       /* of classes or reals */
} rg_arrays_content;
#define RG_ARRAYS_CONTENT_INIT RG_SIZED(rg_arrays_content)

/* out: owned, untouched on failure. RG_EUSAGE (what makes no sense, values that are not finite),
 * RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_arrays_build(rg_arrays **out, const rg_arrays_content *content,
                                               rg_error *err);

/* Write x.npy (f4 or f8, as the values are) and, if there are targets, y.npy (i8 or f8) into a
 * directory, made if need be; byte for byte the same each time. Files of these names are replaced,
 * and a y.npy without targets is removed; none appears before both are on the disk. RG_EIO,
 * RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_arrays_write(const rg_arrays *arrays, const char *directory,
                                               rg_error *err);

typedef struct rg_arrays_audit {
    size_t size;                      /* sizeof(rg_arrays_audit): RG_ARRAYS_AUDIT_INIT sets it */
    double min, max, mean, deviation; /* of all values; */
    uint64_t constant; /* of the n_values places: those with one value in every sample */
    uint64_t copies;   /* samples whose values equal an earlier one's */
    uint64_t
        copies_other; /* those of them with other targets; one not known differs from nothing */
    char digest[RG_DIGEST_SIZE];
} rg_arrays_audit;
#define RG_ARRAYS_AUDIT_INIT RG_SIZED(rg_arrays_audit)

/* out: untouched on failure. Cost: O(values). RG_ENOMEM. */
RG_API RG_MUST_CHECK rg_status rg_arrays_audit_run(rg_arrays_audit *out, const rg_arrays *arrays,
                                                   rg_error *err);

#ifdef __cplusplus
}
#endif

#endif
