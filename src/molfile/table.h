/* table.h - a table of molecules between its first line and its end: parts of table.c. Properties of an SDF are one, too. */
#ifndef REGULA_MOLFILE_TABLE_H
#define REGULA_MOLFILE_TABLE_H

#include "csv.h"
#include "molecules.h"

#define RG_NO_COLUMN SIZE_MAX

/* Cells of all columns but the one of molecules, row by row, only of molecules that were taken. */
typedef struct rg_mol_cells {
    char *text; /* each ends with a zero byte */
    size_t n_text, text_capacity;
    size_t *start; /* [row][column] */
    size_t n_rows, start_capacity;
} rg_mol_cells;

typedef struct rg_mol_table {
    rg_mol_set set;
    char *file; /* for messages; NULL: not taken */
    rg_csv csv;
    char **names; /* of columns, from the first line */
    size_t n_columns;
    size_t smiles, id; /* columns; id may be RG_NO_COLUMN */
    rg_mol_cells cells;
} rg_mol_table;

void rg_mol_table_clear(rg_mol_table *t); /* frees what it holds, not the struct */
const char *rg_mol_table_cell(const rg_mol_table *t, size_t row, size_t column);
/* The column of this name; RG_NO_COLUMN: there is none. */
size_t rg_mol_table_column(const rg_mol_table *t, const char *name, size_t n);
/* Columns of molecules and of names, chosen or guessed. RG_EDATA, RG_EUSAGE. */
RG_MUST_CHECK rg_status rg_mol_table_choose(rg_mol_table *t, rg_error *err);
/* Classes and targets of `raw` from the columns that are chosen, or the one that can be meant. */
RG_MUST_CHECK rg_status rg_mol_table_targets(rg_mol_table *t, rg_raw *raw, rg_error *err);

#endif
