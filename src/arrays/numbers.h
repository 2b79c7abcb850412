/* numbers.h - the numbers of one binary file as they stand in it: type, sizes, order, bytes.
 *
 * npy.c and idx.c read what is in front of the numbers, numbers.c the numbers; arrays_read.c makes
 * arrays of them. There are no lines in such files: a complaint names the byte, from 0. */
#ifndef REGULA_ARRAYS_NUMBERS_H
#define REGULA_ARRAYS_NUMBERS_H

#include "text/reader.h"

enum { RG_NUMBERS_DIMS = 5 };

typedef enum rg_number_type {
    RG_BOOL,
    RG_I8,
    RG_U8,
    RG_I16,
    RG_U16,
    RG_I32,
    RG_U32,
    RG_I64,
    RG_U64,
    RG_F32,
    RG_F64
} rg_number_type;

size_t rg_number_size(rg_number_type type); /* in bytes */
bool rg_number_is_real(rg_number_type type);
/* Does every number of the type fit into a float as it is? */
bool rg_number_fits_float(rg_number_type type);

typedef struct rg_numbers {
    rg_number_type type;
    bool big;     /* most significant byte first */
    bool fortran; /* the first index runs fastest, not the last */
    size_t n_dims;
    size_t dims[RG_NUMBERS_DIMS];
    char *name;           /* of the file, for messages; owned */
    uint64_t offset;      /* of the first number in the file */
    unsigned char *bytes; /* owned */
    size_t n_numbers;
} rg_numbers;

/* Both read a whole file. out: owned (rg_numbers_free), untouched on failure. Memory grows with
 * what comes, whatever the file claims. RG_EDATA with the byte, RG_ENOMEM, or what the stream says.
 */
RG_MUST_CHECK rg_status rg_npy_read(rg_numbers *out, rg_reader *in, rg_error *err);
RG_MUST_CHECK rg_status rg_idx_read(rg_numbers *out, rg_reader *in, rg_error *err);
void rg_numbers_free(rg_numbers *numbers); /* frees what is inside and leaves it empty */

/* The head of a .npy file (version 1.0) of little-endian numbers in C order. `type` is as in the
 * file: "<f4". Returns its length. */
#define RG_NPY_HEAD_MAX 256
size_t rg_npy_head(char out[RG_NPY_HEAD_MAX], const char *type, const size_t *dims, size_t n_dims);

/* For the two readers. rg_numbers_head: exactly n bytes, or RG_EDATA that `what` is cut off. A
 * front sets everything but name, bytes and n_numbers; behind it, at `offset`, come the numbers,
 * and there the file must end. */
typedef rg_status (*rg_numbers_front)(rg_numbers *numbers, rg_reader *in, rg_error *err);
RG_MUST_CHECK rg_status rg_numbers_head(void *out, size_t n, uint64_t at, const char *what,
                                        rg_reader *in, rg_error *err);
RG_MUST_CHECK rg_status rg_numbers_read(rg_numbers *out, rg_numbers_front front, rg_reader *in,
                                        rg_error *err);

/* Numbers first, first + stride, ... of the file's order, n of them. rg_numbers_ints is for types
 * that are whole; false if one is above INT64_MAX (*bad: which of the n). */
void rg_numbers_reals(double *out, const rg_numbers *numbers, size_t first, size_t stride,
                      size_t n);
bool rg_numbers_ints(int64_t *out, const rg_numbers *numbers, size_t first, size_t stride, size_t n,
                     size_t *bad);
/* How far apart in the file's order two numbers are whose index differs by 1 in dimension `dim`. */
size_t rg_numbers_stride(const rg_numbers *numbers, size_t dim);

#endif
