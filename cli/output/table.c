/* table.c - see table.h: filling a table, and printing it for people. */
#include "table.h"

#include "base/alloc.h"
#include "base/error.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void cli_table_free(cli_table *table)
{
    for (size_t k = 0; k < table->n_cells; k++)
        rg_free(table->cells[k].text);
    rg_free(table->cells);
    table->cells = NULL;
    table->n_cells = table->capacity = 0;
}

size_t cli_table_rows(const cli_table *table)
{
    return table->n_cells / table->n_columns;
}

/* ---- filling */

static void add_cell(cli_table *table, cli_cell cell)
{
    if (table->failed ||
        !rg_grow(&table->cells, &table->capacity, table->n_cells + 1, sizeof *table->cells)) {
        table->failed = true;
        rg_free(cell.text);
        return;
    }
    table->cells[table->n_cells++] = cell;
}

void cli_cell_none(cli_table *table)
{
    add_cell(table, (cli_cell){.none = true});
}

void cli_cell_text(cli_table *table, const char *text)
{
    char *copy = text ? rg_copy_text(text, strlen(text)) : NULL;
    table->failed = table->failed || (text && !copy);
    add_cell(table, (cli_cell){.none = !text, .text = copy});
}

void cli_cell_count(cli_table *table, uint64_t count)
{
    add_cell(table, (cli_cell){.count = count});
}

void cli_cell_known(cli_table *table, uint64_t count)
{
    add_cell(table, (cli_cell){.none = count == UINT64_MAX, .count = count});
}

void cli_cell_real(cli_table *table, double value)
{
    cli_cell_spread(table, value, 0);
}

void cli_cell_spread(cli_table *table, double value, double deviation)
{
    add_cell(table, (cli_cell){.none = isnan(value), .value = value, .deviation = deviation});
}

void cli_cell_bold(cli_table *table)
{
    if (!table->failed)
        table->cells[table->n_cells - 1].bold = true;
}

static rg_status find_column(size_t *out, const cli_table *table, const char *word, size_t n,
                             rg_error *err)
{
    rg_text list = {0};
    for (size_t k = 0; k < table->n_columns; k++) {
        const char *key = table->columns[k].key;
        if (strlen(key) == n && memcmp(key, word, n) == 0) {
            *out = k;
            rg_text_drop(&list);
            return RG_OK;
        }
        rg_text_add(&list, "%s%s", k ? ", " : "", key);
    }
    char *known = rg_text_take(&list);
    rg_status status =
        known ? rg_fail(err, RG_EUSAGE, "option '--columns': found '%.*s', expected some of %s",
                        (int)n, word, known)
              : rg_fail_memory(err, "a table");
    rg_free(known);
    return status;
}

/* cells: those of the new table, chosen: the old number of each column. Texts move. */
static void pick_cells(cli_cell *cells, cli_table *table, const size_t *chosen, size_t n)
{
    for (size_t row = 0; row < cli_table_rows(table); row++)
        for (size_t k = 0; k < n; k++) {
            cli_cell *from = &table->cells[row * table->n_columns + chosen[k]];
            cells[row * n + k] = *from;
            from->text = NULL;
        }
}

rg_status cli_table_select(cli_table *table, const char *words, cli_column *columns, rg_error *err)
{
    size_t *chosen = rg_alloc(table->n_columns, sizeof *chosen), n = 0;
    rg_status status = chosen ? RG_OK : rg_fail_memory(err, "a table");
    for (const char *word = words; word && !status;) {
        size_t length = strcspn(word, ","), k = 0;
        status = find_column(&k, table, word, length, err);
        for (size_t other = 0; other < n && !status; other++)
            if (chosen[other] == k)
                status = rg_fail(err, RG_EUSAGE, "option '--columns': '%s' is there twice",
                                 table->columns[k].key);
        if (!status)
            chosen[n++] = k;
        word = word[length] ? word + length + 1 : NULL;
    }
    size_t n_cells = cli_table_rows(table) * n;
    cli_cell *cells = status ? NULL : rg_alloc(n_cells + 1, sizeof *cells);
    if (!status && !cells)
        status = rg_fail_memory(err, "a table");
    if (!status) {
        pick_cells(cells, table, chosen, n);
        for (size_t k = 0; k < n; k++)
            columns[k] = table->columns[chosen[k]];
        cli_table_free(table);
        table->columns = columns;
        table->n_columns = n;
        table->cells = cells;
        table->n_cells = n_cells;
        table->capacity = n_cells + 1;
    }
    rg_free(chosen);
    return status;
}

/* ---- for people */

void cli_add_text(rg_text *out, const char *text)
{
    while (*text) {
        size_t n = rg_printable(text);
        rg_text_add(out, "%.*s", (int)(n ? n : 1), n ? text : "?");
        text += n ? n : 1;
    }
}

static void add_score(rg_text *out, double value, rg_metric metric)
{
    if (rg_metric_is_share(metric))
        rg_text_add(out, "%.2f", 100 * value);
    else
        rg_text_add(out, rg_metric_is_low(metric) ? "%.4g" : "%.4f", value);
}

static rg_metric metric_of(const cli_table *table, size_t column)
{
    return table->metrics ? table->metrics[column] : table->metric;
}

/* What people see of a cell that is no text. plus_minus: what stands before a deviation. */
static void add_number(rg_text *out, const cli_table *table, size_t column, const cli_cell *cell,
                       const char *plus_minus)
{
    cli_cell_kind kind = table->columns[column].kind;
    rg_metric metric = metric_of(table, column);
    switch (kind) {
    case CLI_CELL_COUNT:
        rg_text_add(out, "%" PRIu64, cell->count);
        break;
    case CLI_CELL_REAL:
        rg_text_add(out, "%.4g", cell->value);
        break;
    case CLI_CELL_FIXED:
        rg_text_add(out, "%.2f", cell->value);
        break;
    case CLI_CELL_DIFFERENCE:
    case CLI_CELL_SPREAD:
        rg_text_add(out, "%s", kind == CLI_CELL_DIFFERENCE && cell->value > 0 ? "+" : "");
        add_score(out, cell->value, metric);
        if (isnan(cell->deviation)) /* of one run */
            break;
        rg_text_add(out, " %s ", plus_minus);
        add_score(out, cell->deviation, metric);
        break;
    default:
        add_score(out, cell->value, metric);
    }
}

static const cli_cell *cell_at(const cli_table *table, size_t row, size_t column)
{
    return &table->cells[row * table->n_columns + column];
}

static void add_title(rg_text *out, const cli_table *table, size_t column)
{
    const cli_column *c = &table->columns[column];
    bool score = c->kind == CLI_CELL_SCORE || c->kind == CLI_CELL_SPREAD;
    rg_metric metric = metric_of(table, column);
    const char *unit = metric == RG_METRIC_MAE       ? "error"
                       : metric > RG_METRIC_ACCURACY ? rg_metric_title(metric)
                                                     : "%";
    bool said = score && strcmp(c->title, unit) == 0; /* a column of that very name */
    rg_text_add(out, "%s%s%s", c->title, score && !said ? " " : "", score && !said ? unit : "");
    if (score && metric == RG_METRIC_BALANCED_ACCURACY)
        rg_text_add(out, " %%");
}

/* A cell of the text, or the title of its column (row SIZE_MAX). */
static void add_plain(rg_text *out, const cli_table *table, size_t row, size_t column)
{
    cli_cell_kind kind = table->columns[column].kind;
    const cli_cell *cell = row == SIZE_MAX ? NULL : cell_at(table, row, column);
    bool stars = false;
    for (size_t k = column; k < table->n_cells && !stars; k += table->n_columns)
        stars = table->cells[k].bold;
    if (!cell)
        add_title(out, table, column);
    else if (cell->none)
        rg_text_add(out, "-");
    else if (kind == CLI_CELL_TEXT)
        cli_add_text(out, cell->text);
    else
        add_number(out, table, column, cell, "+-");
    if (stars) /* numbers stay below each other */
        rg_text_add(out, cell && cell->bold ? "*" : " ");
}

/* Characters, as a terminal counts most of them. */
static size_t width_of(const char *text, size_t n)
{
    size_t width = 0;
    for (size_t k = 0; k < n; k++)
        width += ((unsigned char)text[k] & 0xc0) != 0x80;
    return width;
}

static size_t column_width(const cli_table *table, size_t column, bool *failed)
{
    rg_text text = {0};
    size_t most = 0, n = cli_table_rows(table);
    for (size_t row = 0; row <= n && !text.failed; row++) {
        text.n = 0;
        add_plain(&text, table, row == n ? SIZE_MAX : row, column);
        size_t width = text.failed ? 0 : width_of(text.data, text.n);
        most = width > most ? width : most;
    }
    *failed = *failed || text.failed;
    rg_free(text.data);
    return most;
}

/* A line without blanks at its end. */
static void add_line(rg_text *out, const cli_table *table, size_t row, const size_t *widths)
{
    size_t pending = 0;
    for (size_t k = 0; k < table->n_columns && !out->failed; k++) {
        rg_text cell = {0};
        add_plain(&cell, table, row, k);
        char *text = rg_text_take(&cell);
        if (!text) {
            out->failed = true;
            break;
        }
        size_t gap = widths[k] - width_of(text, strlen(text));
        bool right = table->columns[k].kind != CLI_CELL_TEXT;
        if (*text) {
            rg_text_add(out, "%*s%s", (int)(pending + (right ? gap : 0)), "", text);
            pending = 0;
        }
        pending += 2 + (right ? 0 : gap);
        rg_free(text);
    }
    while (out->n && !out->failed && out->data[out->n - 1] == ' ')
        out->n--;
    rg_text_add(out, "\n");
}

void cli_table_print_text(rg_text *out, const cli_table *table)
{
    size_t *widths = rg_alloc(table->n_columns, sizeof *widths);
    bool failed = table->failed || !widths;
    for (size_t k = 0; k < table->n_columns && !failed; k++)
        widths[k] = column_width(table, k, &failed);
    out->failed = out->failed || failed;
    for (size_t row = 0; row <= cli_table_rows(table) && !out->failed; row++)
        add_line(out, table, row ? row - 1 : SIZE_MAX, widths);
    rg_free(widths);
}

/* ---- for papers */

static void add_markdown(rg_text *out, const char *text)
{
    while (*text) {
        size_t n = rg_printable(text);
        if (n == 1 && strchr("\\`*_{}[]<>#|~$&!", *text))
            rg_text_add(out, "\\");
        rg_text_add(out, "%.*s", (int)(n ? n : 1), n ? text : "?");
        text += n ? n : 1;
    }
}

/* Brackets and stars are put into braces: behind a line end they would be its arguments. */
void cli_add_latex(rg_text *out, const char *text)
{
    static const char *const words[][2] = {
        {"\\", "\\textbackslash{}"},
        {"~", "\\textasciitilde{}"},
        {"^", "\\textasciicircum{}"},
        {"<", "\\textless{}"},
        {">", "\\textgreater{}"},
        {"|", "\\textbar{}"},
        {"[", "{[}"},
        {"]", "{]}"},
        {"*", "{*}"},
        {"\"", "''"},
        {"{", "\\{"},
        {"}", "\\}"},
        {"$", "\\$"},
        {"&", "\\&"},
        {"#", "\\#"},
        {"%", "\\%"},
        {"_", "\\_"},
    };
    while (*text) {
        size_t n = rg_printable(text);
        const char *word = NULL;
        for (size_t k = 0; k < sizeof words / sizeof *words && n == 1; k++)
            if (*text == *words[k][0])
                word = words[k][1];
        if (word)
            rg_text_add(out, "%s", word);
        else
            rg_text_add(out, "%.*s", (int)(n ? n : 1), n ? text : "?");
        text += n ? n : 1;
    }
}

static void add_markdown_row(rg_text *out, const cli_table *table, size_t row)
{
    for (size_t k = 0; k < table->n_columns; k++) {
        const cli_cell *cell = cell_at(table, row, k);
        rg_text_add(out, "%s%s", k ? " | " : "| ", cell->bold ? "**" : "");
        if (cell->none)
            rg_text_add(out, "-");
        else if (table->columns[k].kind == CLI_CELL_TEXT)
            add_markdown(out, cell->text);
        else
            add_number(out, table, k, cell, "\xc2\xb1");
        rg_text_add(out, "%s", cell->bold ? "**" : "");
    }
    rg_text_add(out, " |\n");
}

void cli_table_print_markdown(rg_text *out, const cli_table *table)
{
    out->failed = out->failed || table->failed;
    for (size_t k = 0; k < table->n_columns; k++) {
        rg_text_add(out, "%s", k ? " | " : "| ");
        add_title(out, table, k);
    }
    rg_text_add(out, " |\n|");
    for (size_t k = 0; k < table->n_columns; k++)
        rg_text_add(out, "%s", table->columns[k].kind == CLI_CELL_TEXT ? " --- |" : " ---: |");
    rg_text_add(out, "\n");
    for (size_t row = 0; row < cli_table_rows(table) && !out->failed; row++)
        add_markdown_row(out, table, row);
}

static void add_latex_row(rg_text *out, const cli_table *table, size_t row)
{
    for (size_t k = 0; k < table->n_columns; k++) {
        const cli_cell *cell = cell_at(table, row, k);
        cli_cell_kind kind = table->columns[k].kind;
        rg_text_add(out, "%s", k ? " & " : "");
        if (cell->none) {
            rg_text_add(out, "--");
        } else if (kind == CLI_CELL_TEXT) {
            cli_add_latex(out, cell->text);
        } else {
            rg_text_add(out, cell->bold ? "$\\mathbf{" : "$");
            add_number(out, table, k, cell, "\\pm");
            rg_text_add(out, cell->bold ? "}$" : "$");
        }
    }
    rg_text_add(out, " \\\\\n");
}

void cli_table_print_latex(rg_text *out, const cli_table *table)
{
    out->failed = out->failed || table->failed;
    rg_text_add(out, "\\begin{tabular}{");
    for (size_t k = 0; k < table->n_columns; k++)
        rg_text_add(out, "%s", table->columns[k].kind == CLI_CELL_TEXT ? "l" : "r");
    rg_text_add(out, "}\n\\hline\n");
    for (size_t k = 0; k < table->n_columns; k++) {
        rg_text_add(out, "%s", k ? " & " : "");
        rg_text title = {0};
        add_title(&title, table, k);
        if (title.failed)
            out->failed = true;
        else
            cli_add_latex(out, title.data);
        rg_free(title.data);
    }
    rg_text_add(out, " \\\\\n\\hline\n");
    for (size_t row = 0; row < cli_table_rows(table) && !out->failed; row++)
        add_latex_row(out, table, row);
    rg_text_add(out, "\\hline\n\\end{tabular}\n");
}
