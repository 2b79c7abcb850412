/* text_values.c - see text_values.h.
 *
 * Values do not depend on the order of rows: new texts are numbered in the order of their bytes. */
#include "text_values.h"

#include "base/alloc.h"
#include "base/error.h"
#include "matrix.h"
#include "name_values.h"

#include <stdlib.h>
#include <string.h>

bool rg_column_may_miss(rg_column kind)
{
    return kind == RG_CLASS || kind == RG_NODE_CLASS || kind == RG_EDGE_CLASS ||
           kind == RG_TARGET || kind == RG_NODE_TARGET || kind == RG_EDGE_TARGET;
}

/* The distinct texts of a column, as numbers of a table, and which rows have them. */
typedef struct distinct {
    rg_table *texts;
    uint32_t *of_row; /* RG_TABLE_NONE: missing */
    int64_t *values;  /* of each distinct text */
    const char **new_texts;
} distinct;

static void distinct_free(distinct *d)
{
    rg_table_free(d->texts);
    rg_free(d->of_row);
    rg_free(d->values);
    rg_free(d->new_texts);
}

static rg_status collect(distinct *d, const rg_graph_columns *from, size_t column, rg_error *err)
{
    const rg_matrix *m = &from->values;
    d->texts = rg_table_new();
    d->of_row = rg_alloc(m->n_rows, sizeof *d->of_row);
    if (!d->texts || !d->of_row)
        return rg_fail_memory(err, "texts of columns");
    for (size_t r = 0; r < m->n_rows; r++) {
        const char *text = rg_matrix_text(m, r, column);
        d->of_row[r] = RG_TABLE_NONE;
        if (!text && rg_column_may_miss(from->kind))
            continue;
        if (!text || !*text)
            return rg_fail(err, RG_EDATA, "%s: found %s in row %zu, column %zu, expected a text",
                           rg_column_words(from->kind), text ? "an empty text" : "nothing", r,
                           column);
        d->of_row[r] = rg_table_add(d->texts, text, strlen(text) + 1);
        if (d->of_row[r] == RG_TABLE_NONE)
            return rg_fail_memory(err, "texts of columns");
    }
    return RG_OK;
}

static int by_bytes(const void *a, const void *b)
{
    const char *const *left = a, *const *right = b;
    return strcmp(*left, *right);
}

static const char *text_of(const distinct *d, uint32_t number)
{
    size_t n;
    return rg_table_key(d->texts, number, &n);
}

/* Values of all texts: those that are known, then new ones. */
static rg_status give_values(distinct *d, rg_name_values *known, rg_error *err)
{
    uint32_t n = (uint32_t)rg_table_size(d->texts);
    size_t n_new = 0;
    rg_status status = RG_OK;
    d->values = rg_alloc(n, sizeof *d->values);
    d->new_texts = rg_alloc(n, sizeof *d->new_texts);
    if (!d->values || !d->new_texts)
        return rg_fail_memory(err, "texts of columns");
    for (uint32_t k = 0; k < n; k++) {
        int64_t value;
        if (!rg_name_values_find(&value, known, text_of(d, k)))
            d->new_texts[n_new++] = text_of(d, k);
    }
    if (n_new)
        qsort(d->new_texts, n_new, sizeof *d->new_texts, by_bytes);
    for (size_t k = 0; !status && k < n_new; k++) {
        int64_t value = known->next;
        status = rg_name_values_add(&value, known, d->new_texts[k], err);
    }
    for (uint32_t k = 0; !status && k < n; k++)
        if (!rg_name_values_find(&d->values[k], known, text_of(d, k)))
            status = rg_fail(err, RG_EFAIL, "the text '%s' got no value", text_of(d, k));
    return status;
}

static rg_status put(rg_raw *raw, rg_int_rows *rows, const distinct *d, rg_column kind,
                     size_t column, rg_error *err)
{
    for (size_t r = 0; r < rows->n_rows; r++)
        rows->data[r * rows->n_columns + column] =
            d->of_row[r] == RG_TABLE_NONE ? RG_MISSING : d->values[d->of_row[r]];
    for (uint32_t k = 0; k < rg_table_size(d->texts); k++)
        if (!rg_raw_name_value(raw, kind, column, d->values[k], text_of(d, k)))
            return rg_fail_memory(err, "texts of columns");
    return RG_OK;
}

/* Names of values that the texts shall have. */
static rg_status add_known(rg_name_values *known, const rg_graph_arrays *in, rg_column kind,
                           size_t column, rg_error *err)
{
    rg_status status = RG_OK;
    if (in->like && column < rg_dataset_n_columns(in->like, kind))
        status = rg_name_values_add_column(NULL, known, in->like, kind, column, err);
    for (size_t k = 0; !status && k < in->n_known; k++) {
        int64_t value = in->known[k].value;
        if (in->known[k].kind == kind && in->known[k].column == column)
            status = rg_name_values_add(&value, known, in->known[k].name, err);
    }
    return status;
}

rg_status rg_text_values(rg_raw *raw, rg_int_rows *rows, const rg_graph_columns *from,
                         size_t column, const rg_graph_arrays *in, rg_error *err)
{
    distinct d = {0};
    rg_name_values known;
    rg_status status =
        rg_name_values_open(&known) ? RG_OK : rg_fail_memory(err, "texts of columns");
    if (!status)
        status = add_known(&known, in, from->kind, column, err);
    if (!status)
        status = collect(&d, from, column, err);
    if (!status)
        status = give_values(&d, &known, err);
    if (!status)
        status = put(raw, rows, &d, from->kind, column, err);
    distinct_free(&d);
    rg_name_values_close(&known);
    return status;
}
