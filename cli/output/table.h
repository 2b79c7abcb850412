/* table.h - a table that is built once and printed for people, spreadsheets, programs and papers.
 */
#ifndef REGULA_CLI_OUTPUT_TABLE_H
#define REGULA_CLI_OUTPUT_TABLE_H

#include "regula/metric.h"
#include "text/text.h"

#include <jansson.h>
#include <stdbool.h>

typedef enum cli_cell_kind {
    CLI_CELL_TEXT,
    CLI_CELL_COUNT,
    CLI_CELL_REAL,      /* with four digits for people */
    CLI_CELL_FIXED,     /* with two places for people */
    CLI_CELL_SCORE,     /* people see shares in percent, others with four digits */
    CLI_CELL_SPREAD,    /* a score and its deviation: two columns for programs, KEY and KEY_std */
    CLI_CELL_DIFFERENCE /* of scores, and its standard error: KEY and KEY_se */
} cli_cell_kind;

typedef struct cli_column {
    const char *key;   /* for programs */
    const char *title; /* for people; " %", " error" or the metric is put behind that of a score */
    cli_cell_kind kind;
} cli_column;

typedef struct cli_cell {
    bool none;  /* there is no value */
    char *text; /* owned */
    uint64_t count;
    double value, deviation;
    bool bold; /* for people; in text it has a star */
} cli_cell;

/* Rows are filled cell by cell, in the order of the columns; the first failure sticks and is told
 * when it is printed. Begins as {.columns, .n_columns, .metric}, ends with cli_table_free. */
typedef struct cli_table {
    const cli_column *columns; /* kept */
    size_t n_columns;
    rg_metric metric;         /* of the scores */
    const rg_metric *metrics; /* of every column; NULL: `metric`. Kept */
    cli_cell *cells;          /* owned */
    size_t n_cells, capacity;
    bool failed;
} cli_table;

void cli_table_free(cli_table *table);
size_t cli_table_rows(const cli_table *table);

void cli_cell_none(cli_table *table);
void cli_cell_text(cli_table *table, const char *text); /* copied; NULL: none */
void cli_cell_count(cli_table *table, uint64_t count);
void cli_cell_known(cli_table *table, uint64_t count); /* UINT64_MAX: none */
void cli_cell_real(cli_table *table, double value);    /* also a score; NaN: none */
void cli_cell_spread(cli_table *table, double value, double deviation); /* also a difference */
void cli_cell_bold(cli_table *table); /* the cell that was added last */

/* Leaves only the columns whose keys `words` names, separated by commas, in that order. columns:
 * room for out->n_columns, which the table keeps. RG_EUSAGE (no such column; which there are),
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status cli_table_select(cli_table *table, const char *words, cli_column *columns,
                                         rg_error *err);

/* For people: columns side by side, numbers to the right; what is not printable is '?'. */
void cli_table_print_text(rg_text *out, const cli_table *table);
/* RFC 4180: a line of keys, then rows, lines ending with CRLF. Accuracies are 0 .. 1. Control
 * characters other than line ends and tabs are '?'. */
void cli_table_print_csv(rg_text *out, const cli_table *table);
/* A table of GitHub's Markdown and of LaTeX (no packages needed), for people; texts are escaped. */
void cli_table_print_markdown(rg_text *out, const cli_table *table);
void cli_table_print_latex(rg_text *out, const cli_table *table);
/* A list of objects; NULL if memory was short. */
json_t *cli_table_json(const cli_table *table);

/* Texts of others: what is not printable is '?'. */
void cli_add_text(rg_text *out, const char *text);
void cli_add_latex(rg_text *out, const char *text);

#endif
