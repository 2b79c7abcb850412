/* matrix.h - reading a matrix in the caller's memory, number by number. */
#ifndef REGULA_ASSEMBLY_MATRIX_H
#define REGULA_ASSEMBLY_MATRIX_H

#include "regula/build.h"

#include <stdbool.h>

/* n_columns: SIZE_MAX: any but 0. RG_EUSAGE (no such type), RG_EDATA (another shape). */
RG_MUST_CHECK rg_status rg_matrix_check(const rg_matrix *m, const char *what, size_t n_rows,
                                        size_t n_columns, rg_error *err);
bool rg_item_is_real(rg_item type);
/* A whole number. NaN: RG_MISSING (graph/raw.h). False: no whole number that 64 bits hold; or a text. */
bool rg_matrix_int(int64_t *out, const rg_matrix *m, size_t row, size_t column);
double rg_matrix_real(const rg_matrix *m, size_t row, size_t column);      /* 0 for a text */
const char *rg_matrix_text(const rg_matrix *m, size_t row, size_t column); /* RG_ITEM_TEXT */
/* What stands there, for messages. */
#define RG_MATRIX_WORD 64
void rg_matrix_word(char out[RG_MATRIX_WORD], const rg_matrix *m, size_t row, size_t column);

#endif
