/* table_program.c - see table.h: tables for programs and spreadsheets. */
#include "base/error.h"
#include "output.h"
#include "table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- CSV */

/* In quotes if it has a comma, a quote, a line end, or blanks that readers might drop. */
static void add_csv(rg_text *out, const char *text)
{
    size_t length = strlen(text);
    bool quoted =
        strpbrk(text, ",\"\r\n\t") || (length && (text[0] == ' ' || text[length - 1] == ' '));
    rg_text_add(out, "%s", quoted ? "\"" : "");
    while (*text) {
        size_t n = strchr("\r\n\t", *text) ? 1 : rg_printable(text);
        rg_text_add(out, "%s%.*s", *text == '"' ? "\"" : "", (int)(n ? n : 1), n ? text : "?");
        text += n ? n : 1;
    }
    rg_text_add(out, "%s", quoted ? "\"" : "");
}

static void add_csv_real(rg_text *out, double value)
{
    if (isfinite(value))
        rg_text_real(out, value);
}

static void add_csv_cell(rg_text *out, cli_cell_kind kind, const cli_cell *cell)
{
    if (kind == CLI_CELL_TEXT && !cell->none)
        add_csv(out, cell->text);
    else if (kind == CLI_CELL_COUNT && !cell->none)
        rg_text_add(out, "%" PRIu64, cell->count);
    else if (!cell->none)
        add_csv_real(out, cell->value);
    bool two = kind == CLI_CELL_SPREAD || kind == CLI_CELL_DIFFERENCE;
    if (two)
        rg_text_add(out, ",");
    if (two && !cell->none)
        add_csv_real(out, cell->deviation);
}

void cli_table_print_csv(rg_text *out, const cli_table *table)
{
    out->failed = out->failed || table->failed;
    for (size_t k = 0; k < table->n_columns; k++) {
        const cli_column *column = &table->columns[k];
        rg_text_add(out, "%s%s", k ? "," : "", column->key);
        if (column->kind == CLI_CELL_SPREAD)
            rg_text_add(out, ",%s_std", column->key);
        if (column->kind == CLI_CELL_DIFFERENCE)
            rg_text_add(out, ",%s_se", column->key);
    }
    rg_text_add(out, "\r\n");
    for (size_t k = 0; k < table->n_cells && !out->failed; k++) {
        size_t column = k % table->n_columns;
        rg_text_add(out, "%s", column ? "," : "");
        add_csv_cell(out, table->columns[column].kind, &table->cells[k]);
        if (column + 1 == table->n_columns)
            rg_text_add(out, "\r\n");
    }
}

/* ---- JSON */

static void set_cell(json_t **row, const cli_column *column, const cli_cell *cell)
{
    char deviation[64];
    if (column->kind == CLI_CELL_TEXT)
        cli_json_set(row, column->key, cell->none ? json_null() : cli_json_text(cell->text));
    else if (column->kind == CLI_CELL_COUNT)
        cli_json_set(row, column->key, cell->none ? json_null() : cli_json_count(cell->count));
    else
        cli_json_set(row, column->key, cli_json_real(cell->none ? (double)NAN : cell->value));
    if (column->kind == CLI_CELL_SPREAD || column->kind == CLI_CELL_DIFFERENCE) {
        snprintf(deviation, sizeof deviation, "%s_%s", column->key,
                 column->kind == CLI_CELL_SPREAD ? "std" : "se");
        cli_json_set(row, deviation, cli_json_real(cell->none ? (double)NAN : cell->deviation));
    }
}

json_t *cli_table_json(const cli_table *table)
{
    json_t *rows = table->failed ? NULL : json_array();
    for (size_t k = 0; k < cli_table_rows(table) && rows; k++) {
        json_t *row = json_object();
        for (size_t j = 0; j < table->n_columns; j++)
            set_cell(&row, &table->columns[j], &table->cells[k * table->n_columns + j]);
        cli_json_add(&rows, row);
    }
    return rows;
}
