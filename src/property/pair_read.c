/* pair_read.c - tables of pairs from files: matrices as text or .npy, lists of pairs. docs/tables.md. */
#include "pair_table.h"

#include "arrays/numbers.h"
#include "base/alloc.h"
#include "base/error.h"
#include "text/reader.h"

#include <string.h>

/* A file while it is read. */
typedef struct pair_file {
    rg_reader *in;
    rg_pair_entry *entries;
    size_t n, capacity;
    uint64_t rows, cols; /* of a matrix: of the block at hand */
    size_t n_samples;    /* blocks so far */
    uint32_t *sizes;     /* [block][2]: its rows and columns */
    size_t sizes_capacity;
} pair_file;

static rg_status add(pair_file *f, uint64_t sample, uint64_t i, uint64_t j, int64_t value,
                     rg_error *err)
{
    if (!rg_grow(&f->entries, &f->capacity, f->n + 1, sizeof *f->entries))
        return rg_fail_memory(err, "a table of pairs");
    f->entries[f->n++] = (rg_pair_entry){(uint32_t)sample, (uint32_t)i, (uint32_t)j, value};
    return RG_OK;
}

/* A number of a table: INT64_MIN stands for none elsewhere. */
static rg_status read_value(pair_file *f, int64_t *out, rg_error *err)
{
    rg_status status = rg_reader_int(f->in, out, "a whole number", err);
    if (!status && *out == INT64_MIN)
        return rg_fail(err, RG_EDATA, "%s:%zu: found -2^63, expected a larger number",
                       rg_reader_name(f->in), rg_reader_line_number(f->in));
    return status;
}

/* ---- lists: sample,i,j,value */

enum { SAMPLE, FIRST, SECOND, VALUE, N_COLUMNS };

static bool is_word(const char *word, size_t n, const char *wanted)
{
    return n == strlen(wanted) && memcmp(word, wanted, n) == 0;
}

/* has[]: which of the columns there are. */
static rg_status read_head(pair_file *f, bool has[N_COLUMNS], rg_error *err)
{
    static const char *const names[] = {"sample", "i", "j", "value"};
    static const char expected[] =
        "the columns sample, i, j and value, without sample or j if need be";
    size_t next = 0;
    memset(has, 0, N_COLUMNS * sizeof *has);
    while (!rg_reader_at_end(f->in)) {
        const char *word;
        size_t n;
        rg_status status = rg_reader_word(f->in, &word, &n, "a column", err);
        if (status)
            return status;
        while (next < N_COLUMNS && !is_word(word, n, names[next]))
            next++;
        if (next == N_COLUMNS)
            return rg_fail(err, RG_EDATA, "%s:1: found the column '%.*s', expected %s",
                           rg_reader_name(f->in), (int)(n < 40 ? n : 40), word, expected);
        has[next++] = true;
    }
    if (!has[FIRST] || !has[VALUE])
        return rg_fail(err, RG_EDATA, "%s:1: found no column '%s', expected %s",
                       rg_reader_name(f->in), has[FIRST] ? "value" : "i", expected);
    return RG_OK;
}

static rg_status read_list(rg_pair_table **out, pair_file *f, rg_error *err)
{
    static const char *const words[] = {"a sample, from 0", "a place i, from 0",
                                        "a place j, from 0"};
    bool has[N_COLUMNS], more = true;
    uint64_t n_samples = 0;
    rg_status status = read_head(f, has, err);
    while (!status && !(status = rg_reader_next(f->in, &more, err)) && more) {
        int64_t number[N_COLUMNS] = {0};
        size_t n;
        rg_reader_text(f->in, &n);
        if (n == 0)
            continue;
        for (size_t c = 0; !status && c < VALUE; c++) {
            if (has[c])
                status = rg_reader_int(f->in, &number[c], words[c], err);
            if (!status && (number[c] < 0 || number[c] >= UINT32_MAX - 1))
                status = rg_fail(err, RG_EDATA, "%s:%zu: found %lld, expected %s, below 2^32-2",
                                 rg_reader_name(f->in), rg_reader_line_number(f->in),
                                 (long long)number[c], words[c]);
        }
        if (!status)
            status = read_value(f, &number[VALUE], err);
        if (!status)
            status = rg_reader_expect_end(f->in, err);
        if (!status)
            status = add(f, (uint64_t)number[SAMPLE], (uint64_t)number[FIRST],
                         (uint64_t)number[SECOND], number[VALUE], err);
        if (!status && (uint64_t)number[SAMPLE] >= n_samples)
            n_samples = (uint64_t)number[SAMPLE] + 1;
    }
    rg_error inner;
    if (status)
        return status;
    if (has[SAMPLE] && n_samples == 0)
        return rg_fail(err, RG_EDATA, "%s: found no samples, expected some", rg_reader_name(f->in));
    status = rg_pair_table_new(out, f->entries, f->n, has[SECOND] ? 2 : 1,
                               has[SAMPLE] ? (size_t)n_samples : 0, 0, 0, &inner);
    if (status)
        return rg_fail(err, status == RG_EUSAGE ? RG_EDATA : status, "%s: %s",
                       rg_reader_name(f->in), inner.message);
    return RG_OK;
}

/* ---- matrices: a line is a row, an empty line begins the next sample */

static rg_status end_block(pair_file *f, rg_error *err)
{
    if (f->rows == 0)
        return RG_OK;
    if (!rg_grow(&f->sizes, &f->sizes_capacity, 2 * (f->n_samples + 1), sizeof *f->sizes))
        return rg_fail_memory(err, "a table of pairs");
    f->sizes[2 * f->n_samples] = (uint32_t)f->rows;
    f->sizes[2 * f->n_samples + 1] = (uint32_t)f->cols;
    f->n_samples++;
    f->rows = f->cols = 0;
    return RG_OK;
}

static rg_status read_row(pair_file *f, rg_error *err)
{
    uint64_t cols = 0;
    rg_status status = RG_OK;
    for (; !status && !rg_reader_at_end(f->in); cols++) {
        int64_t value = 0;
        status = read_value(f, &value, err);
        if (!status && value)
            status = add(f, f->n_samples, f->rows, cols, value, err);
    }
    if (!status && f->rows && cols != f->cols)
        return rg_fail(err, RG_EDATA,
                       "%s:%zu: found %llu numbers, expected %llu as in the rows "
                       "before",
                       rg_reader_name(f->in), rg_reader_line_number(f->in),
                       (unsigned long long)cols, (unsigned long long)f->cols);
    f->cols = cols;
    f->rows++;
    return status;
}

/* Sizes of the blocks, which may differ. */
static rg_status end_matrices(rg_pair_table **out, pair_file *f, rg_error *err)
{
    rg_pair_table *t = NULL;
    bool one = f->n_samples == 1;
    if (f->n_samples == 0)
        return rg_fail(err, RG_EDATA, "%s: found nothing, expected rows of numbers",
                       rg_reader_name(f->in));
    rg_status status =
        rg_pair_table_new(&t, f->entries, f->n, 2, one ? 0 : f->n_samples, 0, 0, err);
    if (status)
        return status;
    t->info.exact = 1;
    for (size_t s = 0; s < f->n_samples; s++) {
        t->rows[s] = f->sizes[2 * s];
        t->cols[s] = f->sizes[2 * s + 1];
    }
    *out = t;
    return RG_OK;
}

static rg_status read_matrices(rg_pair_table **out, pair_file *f, rg_error *err)
{
    bool more = true;
    rg_status status = RG_OK;
    while (!status && more) {
        status = rg_reader_at_end(f->in) ? end_block(f, err) : read_row(f, err);
        if (!status)
            status = rg_reader_next(f->in, &more, err);
    }
    if (!status)
        status = end_block(f, err);
    return status ? status : end_matrices(out, f, err);
}

/* ---- .npy: [i], [i][j] or [sample][i][j] */

static rg_status take_numbers(rg_pair_table **out, pair_file *f, const rg_numbers *numbers,
                              rg_error *err)
{
    size_t dims[3] = {1, 1, 1}, strides[3] = {0, 0, 0}, n = numbers->n_dims;
    rg_status status = RG_OK;
    if (n < 1 || n > 3 || rg_number_is_real(numbers->type))
        return rg_fail(err, RG_EDATA,
                       "%s: found %zu dimensions of %s numbers, expected [i], [i][j] or "
                       "[sample][i][j] of whole numbers",
                       numbers->name, n, rg_number_is_real(numbers->type) ? "real" : "whole");
    size_t first = n == 3 ? 0 : 1; /* [i] is one column */
    for (size_t d = 0; d < n; d++) {
        dims[first + d] = numbers->dims[d];
        strides[first + d] = rg_numbers_stride(numbers, d);
        if (numbers->dims[d] == 0 || numbers->dims[d] >= UINT32_MAX - 1)
            return rg_fail(err, RG_EDATA, "%s: found a dimension of %zu, expected 1 or more",
                           numbers->name, numbers->dims[d]);
    }
    for (size_t s = 0; !status && s < dims[0]; s++)
        for (size_t i = 0; !status && i < dims[1]; i++)
            for (size_t j = 0; !status && j < dims[2]; j++) {
                size_t at = s * strides[0] + i * strides[1] + j * strides[2], bad;
                int64_t value = 0;
                if (!rg_numbers_ints(&value, numbers, at, 1, 1, &bad) || value == INT64_MIN)
                    status =
                        rg_fail(err, RG_EDATA, "%s: number %zu is out of range", numbers->name, at);
                else if (value)
                    status = add(f, s, i, j, value, err);
            }
    return status ? status
                  : rg_pair_table_new(out, f->entries, f->n, n == 1 ? 1 : 2, n == 3 ? dims[0] : 0,
                                      (uint32_t)dims[1], (uint32_t)dims[2], err);
}

static rg_status read_npy(rg_pair_table **out, pair_file *f, rg_error *err)
{
    rg_numbers numbers = {0};
    rg_status status = rg_npy_read(&numbers, f->in, err);
    if (!status)
        status = take_numbers(out, f, &numbers, err);
    rg_numbers_free(&numbers);
    return status;
}

static bool ends_with(const char *path, const char *end)
{
    size_t n = strlen(path), m = strlen(end);
    return n >= m && strcmp(path + n - m, end) == 0;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

rg_status rg_pair_table_from(rg_pair_table **out, rg_reader *in, bool npy, rg_error *err)
{
    pair_file f = {.in = in};
    bool more = true;
    rg_status status = RG_OK;
    if (npy) {
        status = read_npy(out, &f, err);
    } else {
        status = rg_reader_next(in, &more, err);
        size_t n = 0;
        if (!status && more && is_letter(*rg_reader_text(in, &n)))
            status = read_list(out, &f, err);
        else if (!status && more)
            status = read_matrices(out, &f, err);
        else if (!status)
            status = end_matrices(out, &f, err);
    }
    rg_free(f.entries);
    rg_free(f.sizes);
    return status;
}

rg_status rg_pair_table_read(rg_pair_table **out, const char *path, rg_error *err)
{
    rg_reader *in = NULL;
    rg_status status = rg_reader_open(&in, path, err);
    if (!status)
        status = rg_pair_table_from(out, in, ends_with(path, ".npy"), err);
    rg_reader_close(in);
    return status;
}
