/* ogb_nodes.c - see ogb_nodes.h. */
#include "ogb_nodes.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/number.h"
#include "mixed.h"

#include <inttypes.h>

enum {
    COLUMNS_MAX = 1 << 24,
    BELIEVED = 1 << 20,           /* zeros that a file may stand for, */
    BELIEVED_PER_NUMBER = 1 << 10 /* and so many more for every number in it */
};

/* ---- features */

void rg_sparse_rows_free(rg_sparse_rows *rows)
{
    rg_free(rows->column);
    rg_free(rows->value);
    rg_free(rows->start);
    *rows = (rg_sparse_rows){.n = 0};
}

static rg_status complain(rg_reader *in, const char *text, const char *p, const char *end,
                          const char *expected, rg_error *err)
{
    const char *stop = p;
    while (stop < end && *stop != ' ' && *stop != '\t' && *stop != '\r' && stop - p < 40)
        stop++;
    return rg_fail(err, RG_EDATA, "%s:%zu:%zu: found '%.*s', expected %s", rg_reader_name(in),
                   rg_reader_line_number(in), (size_t)(p - text) + 1, (int)(stop - p), p, expected);
}

static rg_status read_row(rg_sparse_rows *rows, rg_reader *in, rg_error *err)
{
    size_t n, first = rows->n;
    const char *text = rg_reader_text(in, &n), *p = text, *end = text + n;
    for (;;) {
        int64_t column;
        double value;
        while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
            p++;
        if (p == end)
            return RG_OK;
        const char *colon = rg_number_int(p, end, &column), *next = NULL;
        if (colon && colon < end && *colon == ':')
            next = rg_number_real(colon + 1, end, &value);
        if (!next || (next < end && *next != ' ' && *next != '\t' && *next != '\r') || column < 0 ||
            column >= COLUMNS_MAX)
            return complain(in, text, p, end, "COLUMN:VALUE, with columns from 0", err);
        if (rows->n > first && (uint64_t)column <= rows->column[rows->n - 1])
            return complain(in, text, p, end, "columns that ascend", err);
        if (!rg_grow(&rows->column, &rows->column_capacity, rows->n + 1, sizeof *rows->column) ||
            !rg_grow(&rows->value, &rows->value_capacity, rows->n + 1, sizeof *rows->value))
            return rg_fail_memory(err, rg_reader_name(in));
        rows->column[rows->n] = (uint32_t)column;
        rows->value[rows->n++] = value;
        rows->n_columns = column >= rows->n_columns ? (uint32_t)column + 1 : rows->n_columns;
        rows->n_filled = rows->n_rows + 1;
        p = next;
    }
}

rg_status rg_sparse_rows_read(rg_sparse_rows *rows, rg_reader *in, rg_error *err)
{
    for (;;) {
        bool more = false;
        rg_status status = rg_reader_next(in, &more, err);
        if (status || !more)
            return status;
        if (!rg_grow(&rows->start, &rows->row_capacity, rows->n_rows + 1, sizeof *rows->start))
            return rg_fail_memory(err, rg_reader_name(in));
        rows->start[rows->n_rows] = rows->n;
        if ((status = read_row(rows, in, err)))
            return status;
        rows->n_rows++;
    }
}

rg_status rg_sparse_rows_fill(rg_real_rows *out, const rg_sparse_rows *rows, size_t n_rows,
                              const char *file, rg_error *err)
{
    size_t n;
    if (!rows->n_columns)
        return RG_OK;
    if (!rg_size_mul(&n, n_rows, rows->n_columns) || n > BELIEVED + BELIEVED_PER_NUMBER * rows->n)
        return rg_fail(err, RG_EDATA,
                       "%s: found %zu rows of %" PRIu32 " columns with %zu numbers, expected more "
                       "numbers or fewer columns",
                       file, n_rows, rows->n_columns, rows->n);
    double *data = rg_alloc_zero(n, sizeof *data);
    if (!data)
        return rg_fail_memory(err, file);
    for (size_t k = 0; k < rows->n_rows && k < n_rows; k++) {
        size_t end = k + 1 < rows->n_rows ? rows->start[k + 1] : rows->n;
        for (size_t at = rows->start[k]; at < end; at++)
            data[k * rows->n_columns + rows->column[at]] = rows->value[at];
    }
    *out = (rg_real_rows){data, n_rows, rows->n_columns, n};
    return RG_OK;
}

/* ---- parts */

void rg_node_list_free(rg_node_list *list)
{
    rg_free(list->nodes);
    *list = (rg_node_list){.n = 0};
}

rg_status rg_node_list_read(rg_node_list *list, rg_reader *in, rg_error *err)
{
    static const char what[] = "a node (a whole number from 0)";
    bool more = false;
    rg_status status;
    while (!(status = rg_row_next(in, &more, what, err)) && more) {
        int64_t node;
        if (!rg_grow(&list->nodes, &list->capacity, list->n + 1, sizeof *list->nodes))
            return rg_fail_memory(err, rg_reader_name(in));
        if ((status = rg_reader_int(in, &node, what, err)) ||
            (status = rg_reader_expect_end(in, err)))
            return status;
        if (node < 0 || node >= UINT32_MAX)
            return rg_fail(err, RG_EDATA, "%s:%zu: found %" PRId64 ", expected %s",
                           rg_reader_name(in), rg_reader_line_number(in), node, what);
        list->nodes[list->n++] = (uint32_t)node;
    }
    return status;
}

static rg_status set_mask(rg_int_rows *masks, size_t column, const rg_node_list *list,
                          const char *file, rg_error *err)
{
    for (size_t k = 0; k < list->n; k++) {
        if (list->nodes[k] >= masks->n_rows)
            return rg_fail(err, RG_EDATA, "%s:%zu: found node %" PRIu32 ", expected one of %zu",
                           file, k + 1, list->nodes[k], masks->n_rows);
        int64_t *place = &masks->data[list->nodes[k] * masks->n_columns + column];
        if (*place)
            return rg_fail(err, RG_EDATA,
                           "%s:%zu: found node %" PRIu32 " again, expected each node once", file,
                           k + 1, list->nodes[k]);
        *place = 1;
    }
    return RG_OK;
}

rg_status rg_node_lists_to_masks(rg_raw *raw, const rg_node_list *lists, char *const *files,
                                 const char *const *names, size_t n, rg_error *err)
{
    rg_int_rows *masks = &raw->masks[0];
    size_t column = 0, room;
    rg_status status = RG_OK;
    for (size_t k = 0; k < n; k++)
        masks->n_columns += files[k] != NULL;
    if (!masks->n_columns || !raw->n_nodes) {
        masks->n_columns = 0;
        return RG_OK;
    }
    if (!rg_size_mul(&room, raw->n_nodes, masks->n_columns) ||
        !(masks->data = rg_alloc_zero(room, sizeof *masks->data)))
        return rg_fail_memory(err, "masks of nodes");
    masks->n_rows = raw->n_nodes;
    masks->capacity = room;
    for (size_t k = 0; !status && k < n; k++) {
        if (!files[k])
            continue;
        if (!rg_raw_name_column(raw, RG_NODE_MASK, column, names[k]))
            return rg_fail_memory(err, "masks of nodes");
        status = set_mask(masks, column++, &lists[k], files[k], err);
    }
    return status;
}
