/* csv.h - records of a text with separators: quoted fields, line ends of all kinds, byte order mark.
 *
 * A field in quotes may hold separators, line ends and doubled quotes. */
#ifndef REGULA_MOLFILE_CSV_H
#define REGULA_MOLFILE_CSV_H

#include "text/reader.h"

typedef struct rg_csv_field {
    const char *text; /* borrowed until the next record; without blanks around it */
    size_t n;
    size_t column; /* where it begins in its line, from 1 */
} rg_csv_field;

typedef struct rg_csv {
    rg_reader *in;  /* kept */
    char separator; /* '\0': the first line tells, see csv.c */
    rg_csv_field *fields;
    size_t n_fields, field_capacity;
    size_t line;  /* of the record's beginning */
    char *buffer; /* of records with quotes */
    size_t n_buffer, capacity;
} rg_csv;

void rg_csv_free(rg_csv *csv); /* frees the arrays, not the struct; leaves it empty */

/* The next record that is not blank; *more is false at the end. RG_EDATA (a quote that is never
 * closed), RG_ENOMEM, or what the reader says. */
RG_MUST_CHECK rg_status rg_csv_next(rg_csv *csv, bool *more, rg_error *err);
#endif
