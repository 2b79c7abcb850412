/* numbers.c - see numbers.h. */
#include "numbers.h"

#include "base/alloc.h"
#include "base/error.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    size_t size;
    bool real, fits_float;
} types[] = {
    [RG_BOOL] = {1, false, true}, [RG_I8] = {1, false, true},   [RG_U8] = {1, false, true},
    [RG_I16] = {2, false, true},  [RG_U16] = {2, false, true},  [RG_I32] = {4, false, false},
    [RG_U32] = {4, false, false}, [RG_I64] = {8, false, false}, [RG_U64] = {8, false, false},
    [RG_F32] = {4, true, true},   [RG_F64] = {8, true, false},
};

size_t rg_number_size(rg_number_type type)
{
    return types[type].size;
}

bool rg_number_is_real(rg_number_type type)
{
    return types[type].real;
}

bool rg_number_fits_float(rg_number_type type)
{
    return types[type].fits_float;
}

void rg_numbers_free(rg_numbers *numbers)
{
    rg_free(numbers->bytes);
    rg_free(numbers->name);
    memset(numbers, 0, sizeof *numbers);
}

/* ---- reading */

/* As many of the n bytes as there are. */
static rg_status read_bytes(void *out, size_t n, size_t *got, rg_reader *in, rg_error *err)
{
    for (*got = 0; *got < n;) {
        size_t piece;
        rg_status status = rg_reader_raw(in, (char *)out + *got, n - *got, &piece, err);
        if (status)
            return status;
        if (piece == 0)
            break;
        *got += piece;
    }
    return RG_OK;
}

rg_status rg_numbers_head(void *out, size_t n, uint64_t at, const char *what, rg_reader *in,
                          rg_error *err)
{
    size_t got;
    rg_status status = read_bytes(out, n, &got, in, err);
    if (!status && got < n)
        status =
            rg_fail(err, RG_EDATA, "%s: byte %" PRIu64 ": found the end of the file, expected %s",
                    rg_reader_name(in), at + got, what);
    return status;
}

/* Bytes that the head claims; RG_EDATA if no memory of the world could hold them. */
static rg_status claimed_bytes(size_t *n_numbers, size_t *n_bytes, const rg_numbers *numbers,
                               rg_error *err)
{
    size_t n = 1;
    bool fine = true, none = false;
    for (size_t k = 0; k < numbers->n_dims; k++)
        none = none || numbers->dims[k] == 0;
    for (size_t k = 0; k < numbers->n_dims && fine && !none; k++)
        fine = rg_size_mul(&n, n, numbers->dims[k]);
    n = none ? 0 : n;
    if (!fine || !rg_size_mul(n_bytes, n, types[numbers->type].size) || *n_bytes > SIZE_MAX / 2)
        return rg_fail(err, RG_EDATA,
                       "%s: byte %" PRIu64 ": found sizes whose product is no number of bytes, "
                       "expected those of the file",
                       numbers->name, numbers->offset);
    *n_numbers = n;
    return RG_OK;
}

/* At most this much is allocated for a claim before a byte of it was seen. */
static const size_t FIRST_PIECE = (size_t)1 << 20;

static rg_status fill(rg_numbers *numbers, rg_reader *in, rg_error *err)
{
    size_t want = 0, have = 0, capacity, got;
    unsigned char beyond;
    rg_status status = claimed_bytes(&numbers->n_numbers, &want, numbers, err);
    if (status)
        return status;
    capacity = want < FIRST_PIECE ? want : FIRST_PIECE;
    numbers->bytes = rg_alloc(capacity, 1);
    if (!numbers->bytes)
        return rg_fail_memory(err, "reading numbers");
    while (have < want) {
        if (have == capacity) {
            size_t larger = capacity > want / 2 ? want : 2 * capacity;
            unsigned char *grown = rg_realloc(numbers->bytes, larger, 1);
            if (!grown)
                return rg_fail_memory(err, "reading numbers");
            numbers->bytes = grown;
            capacity = larger;
        }
        status = read_bytes(numbers->bytes + have, capacity - have, &got, in, err);
        if (status)
            return status;
        have += got;
        if (have < capacity)
            return rg_fail(err, RG_EDATA,
                           "%s: byte %" PRIu64 ": found the end of the file, expected %zu more "
                           "bytes of numbers",
                           numbers->name, numbers->offset + have, want - have);
    }
    status = read_bytes(&beyond, 1, &got, in, err);
    if (!status && got)
        status = rg_fail(err, RG_EDATA,
                         "%s: byte %" PRIu64 ": found more bytes, expected the end of the file "
                         "after %zu numbers",
                         numbers->name, numbers->offset + want, numbers->n_numbers);
    return status;
}

rg_status rg_numbers_read(rg_numbers *out, rg_numbers_front front, rg_reader *in, rg_error *err)
{
    rg_numbers numbers = {0};
    const char *name = rg_reader_name(in);
    rg_status status = RG_OK;
    numbers.name = rg_copy_text(name, strlen(name));
    if (!numbers.name)
        status = rg_fail_memory(err, "reading numbers");
    if (!status)
        status = front(&numbers, in, err);
    if (!status)
        status = fill(&numbers, in, err);
    if (status) {
        rg_numbers_free(&numbers);
        return status;
    }
    *out = numbers;
    return RG_OK;
}

/* ---- numbers */

size_t rg_numbers_stride(const rg_numbers *numbers, size_t dim)
{
    size_t stride = 1;
    if (numbers->fortran)
        for (size_t k = 0; k < dim; k++)
            stride *= numbers->dims[k];
    else
        for (size_t k = dim + 1; k < numbers->n_dims; k++)
            stride *= numbers->dims[k];
    return stride;
}

static uint64_t load(const unsigned char *p, size_t size, bool big)
{
    uint64_t bits = 0;
    for (size_t k = 0; k < size; k++)
        bits |= (uint64_t)p[big ? size - 1 - k : k] << 8 * k;
    return bits;
}

static double to_real(rg_number_type type, uint64_t bits)
{
    float narrow;
    double wide;
    uint32_t low = (uint32_t)bits;
    switch (type) {
    case RG_BOOL:
        return bits != 0;
    case RG_I8:
        return (double)(int8_t)bits;
    case RG_I16:
        return (double)(int16_t)bits;
    case RG_I32:
        return (double)(int32_t)bits;
    case RG_I64:
        return (double)(int64_t)bits;
    case RG_F32:
        memcpy(&narrow, &low, sizeof narrow);
        return (double)narrow;
    case RG_F64:
        memcpy(&wide, &bits, sizeof wide);
        return wide;
    default:
        return (double)bits;
    }
}

void rg_numbers_reals(double *out, const rg_numbers *numbers, size_t first, size_t stride, size_t n)
{
    size_t size = types[numbers->type].size;
    const unsigned char *p = numbers->bytes + first * size;
    if (numbers->type == RG_U8) { /* images: most of what is read at all */
        for (size_t k = 0; k < n; k++)
            out[k] = (double)p[k * stride];
        return;
    }
    for (size_t k = 0; k < n; k++)
        out[k] = to_real(numbers->type, load(p + k * stride * size, size, numbers->big));
}

static int64_t to_int(rg_number_type type, uint64_t bits)
{
    switch (type) {
    case RG_BOOL:
        return bits != 0;
    case RG_I8:
        return (int8_t)bits;
    case RG_I16:
        return (int16_t)bits;
    case RG_I32:
        return (int32_t)bits;
    default:
        return (int64_t)bits;
    }
}

bool rg_numbers_ints(int64_t *out, const rg_numbers *numbers, size_t first, size_t stride, size_t n,
                     size_t *bad)
{
    size_t size = types[numbers->type].size;
    for (size_t k = 0; k < n; k++) {
        uint64_t bits = load(numbers->bytes + (first + k * stride) * size, size, numbers->big);
        if (numbers->type == RG_U64 && bits > INT64_MAX) {
            *bad = k;
            return false;
        }
        out[k] = to_int(numbers->type, bits);
    }
    return true;
}
