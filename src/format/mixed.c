/* mixed.c - see mixed.h. */
#include "mixed.h"

#include "base/alloc.h"
#include "base/error.h"
#include "format.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(int64_t) == sizeof(double), "numbers change their kind in place");

void rg_mixed_free(rg_mixed *rows)
{
    rg_free(rows->data);
    *rows = (rg_mixed){.missing = rows->missing};
}

static bool make_room(rg_mixed *rows)
{
    size_t need;
    return rg_size_add(&need, rows->n_numbers, 1) &&
           rg_grow(&rows->data, &rows->capacity, need, sizeof(int64_t));
}

/* Every number so far is one that a whole number and a double share, or the nearest double: the
 * same that its text would have given. */
static void become_real(rg_mixed *rows)
{
    char *slot = rows->data;
    for (size_t k = 0; k < rows->n_numbers; k++, slot += sizeof(int64_t)) {
        int64_t whole;
        memcpy(&whole, slot, sizeof whole);
        double real = whole == RG_MISSING ? NAN : (double)whole;
        memcpy(slot, &real, sizeof real);
    }
    rows->real = true;
}

bool rg_mixed_push_int(rg_mixed *rows, int64_t value)
{
    if (rows->real)
        return rg_mixed_push_real(rows, value == RG_MISSING ? NAN : (double)value);
    if (!make_room(rows))
        return false;
    ((int64_t *)rows->data)[rows->n_numbers++] = value;
    return true;
}

bool rg_mixed_push_real(rg_mixed *rows, double value)
{
    if (!rows->real && rows->missing && isnan(value))
        return rg_mixed_push_int(rows, RG_MISSING);
    if (!make_room(rows))
        return false;
    if (!rows->real)
        become_real(rows);
    ((double *)rows->data)[rows->n_numbers++] = value;
    return true;
}

/* One field. The smallest whole number stands for "missing" and so is not a whole number here. */
static rg_status read_field(rg_mixed *rows, rg_reader *in, const char *what, rg_error *err)
{
    int64_t whole;
    bool pushed;
    if (!rows->real && rg_reader_int(in, &whole, what, NULL) == RG_OK) {
        pushed = whole == RG_MISSING ? rg_mixed_push_real(rows, (double)whole)
                                     : rg_mixed_push_int(rows, whole);
    } else {
        double real;
        rg_status status = rg_reader_real(in, &real, what, err);
        if (status)
            return status;
        pushed = rg_mixed_push_real(rows, real);
    }
    return pushed ? RG_OK : rg_fail_memory(err, rg_reader_name(in));
}

rg_status rg_mixed_read(rg_mixed *rows, rg_reader *in, const char *what, rg_error *err)
{
    size_t n = 0;
    while (rows->n_rows == 0 ? !rg_reader_at_end(in) : n < rows->n_columns) {
        rg_status status = read_field(rows, in, what, err);
        if (status)
            return status;
        n++;
    }
    rg_status status = rg_reader_expect_end(in, err);
    if (status)
        return status;
    rows->n_columns = n;
    rows->n_rows++;
    return RG_OK;
}

rg_status rg_mixed_reorder(rg_mixed *rows, const size_t *order, rg_error *err)
{
    if (rows->n_numbers == 0)
        return RG_OK;
    size_t width = rows->n_columns * sizeof(int64_t);
    char *sorted = rg_alloc(rows->n_rows, width);
    if (!sorted)
        return rg_fail_memory(err, "sorting rows");
    const char *data = rows->data;
    for (size_t k = 0; k < rows->n_rows; k++)
        memcpy(sorted + k * width, data + order[k] * width, width);
    rg_free(rows->data);
    rows->data = sorted;
    rows->capacity = rows->n_numbers;
    return RG_OK;
}

void rg_mixed_move(rg_mixed *rows, rg_int_rows *ints, rg_real_rows *reals)
{
    if (rows->n_numbers > 0 && rows->real)
        *reals = (rg_real_rows){rows->data, rows->n_rows, rows->n_columns, rows->capacity};
    else if (rows->n_numbers > 0)
        *ints = (rg_int_rows){.data = rows->data,
                              .n_rows = rows->n_rows,
                              .n_columns = rows->n_columns,
                              .capacity = rows->capacity};
    else
        rg_free(rows->data);
    rows->data = NULL;
    rg_mixed_free(rows);
}

rg_status rg_row_next(rg_reader *in, bool *more, const char *what, rg_error *err)
{
    rg_status status = rg_reader_next(in, more, err);
    if (status || !*more || !rg_read_is_blank(in))
        return status;
    *more = false;
    return rg_read_only_blanks(in, what, err);
}

rg_status rg_row_file(char **name, const rg_reader *in, rg_error *err)
{
    const char *own = rg_reader_name(in);
    if (*name)
        return rg_fail(err, RG_EDATA, "%s: found a second file of this kind, expected only %s", own,
                       *name);
    *name = rg_copy_text(own, strlen(own));
    return *name ? RG_OK : rg_fail_memory(err, own);
}
