/* matrix.c - see matrix.h. Items may stand at any address: they are copied, not dereferenced. */
#include "matrix.h"

#include "base/error.h"
#include "graph/raw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const size_t sizes[] = {
    [RG_ITEM_I8] = 1,
    [RG_ITEM_U8] = 1,
    [RG_ITEM_I16] = 2,
    [RG_ITEM_U16] = 2,
    [RG_ITEM_I32] = 4,
    [RG_ITEM_U32] = 4,
    [RG_ITEM_I64] = 8,
    [RG_ITEM_U64] = 8,
    [RG_ITEM_F32] = 4,
    [RG_ITEM_F64] = 8,
    [RG_ITEM_TEXT] = sizeof(char *),
};

rg_status rg_matrix_check(const rg_matrix *m, const char *what, size_t n_rows, size_t n_columns,
                          rg_error *err)
{
    if (m->type < RG_ITEM_I8 || m->type > RG_ITEM_TEXT)
        return rg_fail(err, RG_EUSAGE, "%s: found the type %d, expected one of rg_item", what,
                       (int)m->type);
    if (m->n_rows != n_rows)
        return rg_fail(err, RG_EDATA, "%s: found %zu rows, expected %zu", what, m->n_rows, n_rows);
    if (m->n_columns == 0 || (n_columns != SIZE_MAX && m->n_columns != n_columns))
        return rg_fail(err, RG_EDATA, "%s: found %zu columns, expected %zu%s", what, m->n_columns,
                       n_columns == SIZE_MAX ? 1 : n_columns,
                       n_columns == SIZE_MAX ? " or more" : "");
    return RG_OK;
}

bool rg_item_is_real(rg_item type)
{
    return type == RG_ITEM_F32 || type == RG_ITEM_F64;
}

static const char *item_at(const rg_matrix *m, size_t row, size_t column)
{
    ptrdiff_t across = m->column_step, down = m->row_step;
    if (!across && !down) {
        across = (ptrdiff_t)sizes[m->type];
        down = across * (ptrdiff_t)m->n_columns;
    }
    return (const char *)m->data + (ptrdiff_t)row * down + (ptrdiff_t)column * across;
}

/* The item at `at` as a variable of its type. */
#define READ(type, name) \
    type name;           \
    memcpy(&name, at, sizeof name)
/* The case of a type whose numbers 64 bits with a sign hold. */
#define WHOLE(kind, type)  \
    case kind: {           \
        READ(type, value); \
        *out = value;      \
        return true;       \
    }

static bool whole(int64_t *out, double value)
{
    if (isnan(value)) {
        *out = RG_MISSING;
        return true;
    }
    if (!(value >= -9007199254740992.0 && value <= 9007199254740992.0) || value != floor(value))
        return false;
    *out = (int64_t)value;
    return true;
}

bool rg_matrix_int(int64_t *out, const rg_matrix *m, size_t row, size_t column)
{
    const char *at = item_at(m, row, column);
    switch (m->type) {
        WHOLE(RG_ITEM_I8, int8_t)
        WHOLE(RG_ITEM_U8, uint8_t)
        WHOLE(RG_ITEM_I16, int16_t)
        WHOLE(RG_ITEM_U16, uint16_t)
        WHOLE(RG_ITEM_I32, int32_t)
        WHOLE(RG_ITEM_U32, uint32_t)
        WHOLE(RG_ITEM_I64, int64_t)
    case RG_ITEM_U64: {
        READ(uint64_t, value);
        *out = (int64_t)value;
        return value <= INT64_MAX;
    }
    case RG_ITEM_F32: {
        READ(float, value);
        return whole(out, (double)value);
    }
    case RG_ITEM_F64: {
        READ(double, value);
        return whole(out, value);
    }
    default:
        return false;
    }
}

double rg_matrix_real(const rg_matrix *m, size_t row, size_t column)
{
    const char *at = item_at(m, row, column);
    int64_t value = 0;
    if (m->type == RG_ITEM_F64) {
        READ(double, real);
        return real;
    }
    if (m->type == RG_ITEM_F32) {
        READ(float, real);
        return (double)real;
    }
    if (m->type == RG_ITEM_U64) {
        READ(uint64_t, natural);
        return (double)natural;
    }
    return rg_matrix_int(&value, m, row, column) ? (double)value : 0;
}

const char *rg_matrix_text(const rg_matrix *m, size_t row, size_t column)
{
    const char *at = item_at(m, row, column), *text;
    memcpy(&text, at, sizeof text);
    return text;
}

void rg_matrix_word(char out[RG_MATRIX_WORD], const rg_matrix *m, size_t row, size_t column)
{
    int64_t value;
    if (m->type == RG_ITEM_TEXT) {
        const char *text = rg_matrix_text(m, row, column);
        snprintf(out, RG_MATRIX_WORD, "%s%.50s%s", text ? "'" : "", text ? text : "nothing",
                 text ? "'" : "");
    } else if (rg_item_is_real(m->type) || m->type == RG_ITEM_U64)
        snprintf(out, RG_MATRIX_WORD, "%g", rg_matrix_real(m, row, column));
    else if (rg_matrix_int(&value, m, row, column))
        snprintf(out, RG_MATRIX_WORD, "%" PRId64, value);
}
