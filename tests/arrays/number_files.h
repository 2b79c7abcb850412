/* number_files.h - files of numbers, made in memory for the tests. */
#ifndef REGULA_TESTS_ARRAYS_NUMBER_FILES_H
#define REGULA_TESTS_ARRAYS_NUMBER_FILES_H

#include "arrays/numbers.h"
#include "support/support.h"

#include <string.h>

typedef struct number_file {
    char *bytes; /* owned (free) */
    size_t n;
} number_file;

static inline void number_file_add(number_file *out, const void *bytes, size_t n)
{
    out->bytes = realloc(out->bytes, out->n + n + 1);
    assert_non_null(out->bytes);
    if (n)
        memcpy(out->bytes + out->n, bytes, n);
    out->n += n;
}

/* A .npy file of the version (1, 2 or 3) with this head, padded as NumPy does, and data. */
static inline number_file number_file_npy(int version, const char *head, const void *data, size_t n)
{
    number_file out = {0};
    size_t front = version == 1 ? 10 : 12, used = front + strlen(head) + 1;
    size_t length = (used + 63) / 64 * 64 - front;
    char begin[12] = {'\x93', 'N', 'U', 'M', 'P', 'Y', (char)version};
    begin[8] = (char)(length & 255);
    begin[9] = (char)(length >> 8 & 255);
    number_file_add(&out, begin, front);
    number_file_add(&out, head, strlen(head));
    while ((out.n + 1) % 64)
        number_file_add(&out, " ", 1);
    number_file_add(&out, "\n", 1);
    number_file_add(&out, data, n);
    return out;
}

/* The same for the usual head. shape: "3, 4". */
static inline number_file number_file_array(const char *type, bool fortran, const char *shape,
                                            const void *data, size_t n)
{
    char *head = test_format("{'descr': '%s', 'fortran_order': %s, 'shape': (%s), }", type,
                             fortran ? "True" : "False", shape);
    number_file out = number_file_npy(1, head, data, n);
    free(head);
    return out;
}

/* An IDX file; dims are those of n_dims bytes, each below 256. */
static inline number_file number_file_idx(unsigned char type, const char *dims, size_t n_dims,
                                          const void *data, size_t n)
{
    number_file out = {0};
    char head[4] = {0, 0, (char)type, (char)n_dims};
    number_file_add(&out, head, 4);
    for (size_t k = 0; k < n_dims; k++) {
        char size[4] = {0, 0, 0, dims[k]};
        number_file_add(&out, size, 4);
    }
    number_file_add(&out, data, n);
    return out;
}

typedef rg_status (*number_file_reader)(rg_numbers *out, rg_reader *in, rg_error *err);

static inline rg_status number_file_read(rg_numbers *out, number_file_reader read,
                                         const number_file *file, rg_error *err)
{
    rg_reader *in = NULL;
    rg_status status = rg_reader_memory(&in, "F", file->bytes, file->n, err);
    if (!status)
        status = read(out, in, err);
    rg_reader_close(in);
    return status;
}

/* Must be refused with exactly this message. */
static inline void number_file_refused(number_file_reader read, const number_file *file,
                                       const char *message)
{
    rg_numbers numbers = {0};
    rg_error err = {""};
    rg_status status = number_file_read(&numbers, read, file, &err);
    if (status != RG_EDATA || strcmp(err.message, message) != 0)
        fail_msg("status %d, found\n  %s\nexpected\n  %s", status, err.message, message);
    assert_null(numbers.bytes);
}

typedef struct number_file_case {
    const char *bytes;
    size_t n;
    const char *message;
} number_file_case;

static inline void number_file_all_refused(number_file_reader read, const number_file_case *cases,
                                           size_t n)
{
    for (size_t k = 0; k < n; k++) {
        number_file file = {0};
        number_file_add(&file, cases[k].bytes, cases[k].n);
        number_file_refused(read, &file, cases[k].message);
        free(file.bytes);
    }
}

/* For the allocation sweep: a file and who reads it. */
typedef struct number_file_once {
    number_file_reader read;
    number_file file;
} number_file_once;

static inline rg_status number_file_read_once(void *context, rg_error *err)
{
    const number_file_once *once = context;
    rg_numbers numbers = {0};
    rg_status status = number_file_read(&numbers, once->read, &once->file, err);
    rg_numbers_free(&numbers);
    return status;
}

/* Cut off anywhere, or longer, it is refused with file and byte. */
static inline void number_file_cut_anywhere(number_file_reader read, const number_file *file)
{
    for (size_t n = 0; n <= file->n + 1; n++) {
        number_file other = {0};
        rg_numbers numbers = {0};
        rg_error err = {""};
        number_file_add(&other, file->bytes, n < file->n ? n : file->n);
        if (n > file->n)
            number_file_add(&other, "", 1);
        rg_status status = number_file_read(&numbers, read, &other, &err);
        assert_int_equal(status, n == file->n ? RG_OK : RG_EDATA);
        if (status)
            assert_memory_equal(err.message, "F: byte ", 8);
        rg_numbers_free(&numbers);
        free(other.bytes);
    }
}

#endif
