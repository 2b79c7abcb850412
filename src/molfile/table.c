/* table.c - tables of molecules: a first line with the names of columns, one of them with SMILES. */
#include "table.h"

#include "base/alloc.h"
#include "base/error.h"
#include "format/format.h"
#include "format/mixed.h"

#include <stdio.h>
#include <string.h>

static bool table_knows(const char *file, size_t *prefix)
{
    static const char *const ends[] = {".csv", ".tsv"};
    size_t n = strlen(file);
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++)
        if (n > 4 && strcmp(file + n - 4, ends[k]) == 0) {
            *prefix = n - 4;
            return true;
        }
    return false;
}

static void table_configure(void *state, const rg_read_options *options)
{
    ((rg_mol_table *)state)->set.options = options;
}

static void table_close(void *state)
{
    if (state)
        rg_mol_table_clear(state);
    rg_free(state);
}

void rg_mol_table_clear(rg_mol_table *t)
{
    for (size_t c = 0; t->names && c < t->n_columns; c++)
        rg_free(t->names[c]);
    rg_free(t->names);
    rg_free(t->cells.text);
    rg_free(t->cells.start);
    rg_csv_free(&t->csv);
    rg_mol_set_free(&t->set);
    rg_free(t->file);
}

const char *rg_mol_table_cell(const rg_mol_table *t, size_t row, size_t column)
{
    return t->cells.text + t->cells.start[row * t->n_columns + column];
}

static rg_status read_names(rg_mol_table *t, rg_error *err)
{
    t->names = rg_alloc_zero(t->csv.n_fields, sizeof *t->names);
    if (!t->names)
        return rg_fail_memory(err, t->file);
    t->n_columns = t->csv.n_fields;
    for (size_t c = 0; c < t->n_columns; c++) {
        t->names[c] = rg_copy_text(t->csv.fields[c].text, t->csv.fields[c].n);
        if (!t->names[c])
            return rg_fail_memory(err, t->file);
    }
    return RG_OK;
}

static rg_status read_heading(rg_mol_table *t, rg_error *err)
{
    bool more = false;
    rg_status status = rg_csv_next(&t->csv, &more, err);
    if (!status && !more)
        status = rg_fail(err, RG_EDATA,
                         "%s: found an empty file, expected a line with names of columns", t->file);
    if (!status)
        status = read_names(t, err);
    if (!status)
        status = rg_mol_table_choose(t, err);
    return status;
}

static bool keep_cells(rg_mol_table *t)
{
    rg_mol_cells *cells = &t->cells;
    size_t first = cells->n_rows * t->n_columns;
    if (!rg_grow(&cells->start, &cells->start_capacity, first + t->n_columns, sizeof *cells->start))
        return false;
    for (size_t c = 0; c < t->n_columns; c++) {
        const rg_csv_field *field = &t->csv.fields[c];
        size_t n = c == t->smiles ? 0 : field->n;
        if (!rg_grow(&cells->text, &cells->text_capacity, cells->n_text + n + 1, 1))
            return false;
        cells->start[first + c] = cells->n_text;
        memcpy(cells->text + cells->n_text, field->text, n);
        cells->text[cells->n_text + n] = '\0';
        cells->n_text += n + 1;
    }
    cells->n_rows++;
    return true;
}

static rg_status take_record(rg_mol_table *t, rg_error *err)
{
    rg_mol_place place = {.file = t->file, .line = t->csv.line};
    rg_mol_fault fault = {0};
    bool taken = false;
    if (t->id < t->csv.n_fields) {
        place.name = t->csv.fields[t->id].text;
        place.n_name = t->csv.fields[t->id].n;
    }
    if (t->csv.n_fields != t->n_columns) {
        snprintf(fault.reason, sizeof fault.reason,
                 "found %zu fields, expected %zu as in the first line", t->csv.n_fields,
                 t->n_columns);
        return rg_mol_set_leave_out(&t->set, &place, &fault, err);
    }
    const rg_csv_field *field = &t->csv.fields[t->smiles];
    place.text = field->text;
    place.n = field->n;
    place.column = field->column;
    rg_status status = rg_mol_set_add_smiles(&t->set, &taken, &place, err);
    if (!status && taken && !keep_cells(t))
        status = rg_fail_memory(err, t->file);
    return status;
}

static rg_status table_take(void *state, const char *file, rg_reader *in, rg_error *err)
{
    rg_mol_table *t = state;
    bool more = true;
    rg_status status = rg_row_file(&t->file, in, err);
    t->csv.in = in;
    t->csv.separator = file[strlen(file) - 3] == 't' ? '\t' : '\0';
    if (!status)
        status = read_heading(t, err);
    while (!status && !(status = rg_csv_next(&t->csv, &more, err)) && more)
        status = take_record(t, err);
    return status;
}

static rg_status table_finish(void *state, rg_raw *raw, rg_error *err)
{
    rg_mol_table *t = state;
    rg_status status = rg_mol_set_finish(&t->set, raw, err);
    if (!status)
        status = rg_mol_table_targets(t, raw, err);
    if (status)
        rg_raw_free(raw);
    return status;
}

const rg_format_kind rg_format_table = {
    .name = "table",
    .files = "a .csv file with a column of SMILES",
    .size = sizeof(rg_mol_table),
    .alone = true,
    .knows = table_knows,
    .configure = table_configure,
    .take = table_take,
    .finish = table_finish,
    .close = table_close,
};
