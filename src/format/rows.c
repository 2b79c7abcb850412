/* rows.c - files with one row of numbers per line; see format.h. */
#include "base/alloc.h"
#include "base/error.h"
#include "format.h"

#include <string.h>

bool rg_read_is_blank(const rg_reader *in)
{
    size_t n;
    const char *text = rg_reader_text(in, &n);
    for (size_t k = 0; k < n; k++)
        if (text[k] != ' ' && text[k] != '\t' && text[k] != '\r')
            return false;
    return true;
}

rg_status rg_read_only_blanks(rg_reader *in, const char *what, rg_error *err)
{
    size_t line = rg_reader_line_number(in);
    bool more = true;
    while (more) {
        rg_status status = rg_reader_next(in, &more, err);
        if (status)
            return status;
        if (more && !rg_read_is_blank(in))
            return rg_fail(err, RG_EDATA, "%s:%zu: found an empty line, expected %s",
                           rg_reader_name(in), line, what);
    }
    return RG_OK;
}

/* How a field is read, so that the three kinds of rows share their lines. A field is 8 bytes. */
typedef rg_status (*field_reader)(void *field, rg_reader *in, const char *what, rg_error *err);

static rg_status read_int(void *field, rg_reader *in, const char *what, rg_error *err)
{
    return rg_reader_int(in, field, what, err);
}

static rg_status read_real(void *field, rg_reader *in, const char *what, rg_error *err)
{
    return rg_reader_real(in, field, what, err);
}

static rg_status read_class(void *field, rg_reader *in, const char *what, rg_error *err)
{
    const char *word;
    size_t n;
    rg_status status = rg_reader_int(in, field, what, err);
    if (status) {
        if (rg_reader_word(in, &word, &n, what, NULL) || n != 3 || (word[0] | 32) != 'n' ||
            (word[1] | 32) != 'a' || (word[2] | 32) != 'n')
            return status;
        *(int64_t *)field = RG_MISSING;
    } else if (*(int64_t *)field == RG_MISSING) {
        return rg_fail(err, RG_EDATA, "%s:%zu: found %lld, expected %s above that",
                       rg_reader_name(in), rg_reader_line_number(in), (long long)RG_MISSING, what);
    }
    return RG_OK;
}

/* The fields of the first line, however many: they say how long a row is. out: owned. */
static rg_status read_first(void **out, size_t *n, rg_reader *in, field_reader read,
                            const char *what, rg_error *err)
{
    char *fields = NULL;
    size_t used = 0, capacity = 0;
    rg_status status = RG_OK;
    do {
        if (!rg_grow(&fields, &capacity, used + 1, 8))
            status = rg_fail_memory(err, "reading rows");
        else
            status = read(fields + 8 * used++, in, what, err);
    } while (!status && !rg_reader_at_end(in));
    if (status) {
        rg_free(fields);
        return status;
    }
    *out = fields;
    *n = used;
    return RG_OK;
}

static void *add_ints(void *rows, size_t n)
{
    return rg_int_rows_add(rows, n);
}

static void *add_reals(void *rows, size_t n)
{
    return rg_real_rows_add(rows, n);
}

/* Nearly all lines are a few short numbers: as many of these as come, once the first line has said
 * how many numbers are in one. */
static rg_status read_quick_ints(rg_int_rows *rows, rg_reader *in, rg_error *err)
{
    int64_t value;
    while (rg_reader_quick_int(in, &value)) {
        int64_t *row =
            rows->n_rows < rows->capacity ? &rows->data[rows->n_rows++] : rg_int_rows_add(rows, 1);
        if (!row)
            return rg_fail_memory(err, "reading rows");
        *row = value;
    }
    return RG_OK;
}

static rg_status read_quick_reals(rg_real_rows *rows, rg_reader *in, rg_error *err)
{
    size_t n = rows->n_columns;
    while (n) {
        /* Into the room behind the last row, which becomes one if the line was read. */
        size_t used = rows->n_rows * n;
        if (!rg_grow(&rows->data, &rows->capacity, used + n, sizeof *rows->data))
            return rg_fail_memory(err, "reading rows");
        if (!rg_reader_quick_reals(in, rows->data + used, n))
            break;
        rows->n_rows++;
    }
    return RG_OK;
}

/* One line per call of `add`, which gives room for a row of n fields. */
static rg_status read_rows(void *rows, void *(*add)(void *rows, size_t n), rg_reader *in,
                           field_reader read, const char *what, rg_error *err)
{
    void *first = NULL;
    size_t n = 0;
    rg_status status = RG_OK;
    for (;;) {
        bool more;
        if (add == add_reals)
            status = read_quick_reals(rows, in, err);
        else if (n == 1)
            status = read_quick_ints(rows, in, err);
        if (status)
            break;
        status = rg_reader_next(in, &more, err);
        if (status || !more)
            break;
        if (rg_reader_at_end(in)) {
            status = rg_read_only_blanks(in, what, err);
            break;
        }
        if (!n) {
            status = read_first(&first, &n, in, read, what, err);
            if (status)
                break;
        }
        char *row = add(rows, n);
        if (!row) {
            status = rg_fail_memory(err, "reading rows");
            break;
        }
        if (first) {
            memcpy(row, first, 8 * n);
            rg_free(first);
            first = NULL;
            continue;
        }
        for (size_t k = 0; !status && k < n; k++)
            status = read(row + 8 * k, in, what, err);
        if (!status)
            status = rg_reader_expect_end(in, err);
        if (status)
            break;
    }
    rg_free(first);
    return status;
}

rg_status rg_read_int_rows(rg_int_rows *rows, rg_reader *in, const char *what, rg_error *err)
{
    return read_rows(rows, add_ints, in, read_int, what, err);
}

rg_status rg_read_class_rows(rg_int_rows *rows, rg_reader *in, const char *what, rg_error *err)
{
    return read_rows(rows, add_ints, in, read_class, what, err);
}

rg_status rg_read_real_rows(rg_real_rows *rows, rg_reader *in, const char *what, rg_error *err)
{
    return read_rows(rows, add_reals, in, read_real, what, err);
}
