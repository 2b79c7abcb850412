/* mixed.h - rows of numbers that are whole until one of them is not.
 *
 * Formats that do not say whether a column holds labels or measurements are read into this: all
 * values of a file are kept as whole numbers as long as they are, and become real numbers, in place
 * and all at once, when the first one comes that is not (or does not fit into 64 bits). */
#ifndef REGULA_FORMAT_MIXED_H
#define REGULA_FORMAT_MIXED_H

#include "graph/raw.h"
#include "text/reader.h"

typedef struct rg_mixed {
    void *data;                 /* int64_t or, once `real`, double */
    size_t n_numbers, capacity; /* what is in data, and what fits */
    size_t n_rows, n_columns;   /* n_columns is that of the first row */
    bool real;                  /* which of the two data holds */
    bool missing;               /* may values be missing? then "nan" is RG_MISSING, not a real */
} rg_mixed;

void rg_mixed_free(rg_mixed *rows); /* frees the numbers, not the struct; leaves it empty */

/* Appends one number to the row that is being read. False if memory is short. */
bool rg_mixed_push_int(rg_mixed *rows, int64_t value);
bool rg_mixed_push_real(rg_mixed *rows, double value); /* NaN: missing, if it may be */

/* The rest of the current line as one row. The first row says how many columns there are (none is
 * fine), every other must have as many. `what` names a field in messages. RG_EDATA, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_mixed_read(rg_mixed *rows, rg_reader *in, const char *what,
                                      rg_error *err);

/* New row k is old row order[k]; n_rows of them. RG_ENOMEM: nothing changed. */
RG_MUST_CHECK rg_status rg_mixed_reorder(rg_mixed *rows, const size_t *order, rg_error *err);

/* Hands the numbers over to whichever of the two fits; the other one stays as it is. */
void rg_mixed_move(rg_mixed *rows, rg_int_rows *ints, rg_real_rows *reals);

/* Goes to the next line that holds a row. *more is false at the end of the text; blank lines at the
 * end are no rows, blank lines before a row are RG_EDATA. So row k stands on line k + 1. */
RG_MUST_CHECK rg_status rg_row_next(rg_reader *in, bool *more, const char *what, rg_error *err);

/* Keeps the name of a file that a format reads once. *name: owned, NULL until now. RG_EDATA if
 * there was one already. */
RG_MUST_CHECK rg_status rg_row_file(char **name, const rg_reader *in, rg_error *err);

#endif
