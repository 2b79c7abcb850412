/* matrix.h - a weight matrix as a picture: one box an entry, one colour a weight. */
#ifndef REGULA_DRAW_MATRIX_H
#define REGULA_DRAW_MATRIX_H

#include "figure.h"

/* Borrowed while a function runs. Text as in figure.h. */
typedef struct rg_weight_matrix {
    const char *title; /* NULL: none */
    uint32_t n_rows, n_cols;
    const uint32_t *numbers; /* [row][col]: number of the weight from 1; 0: no connection */
    const char *const *keys; /* of weight k + 1: its line in the legend; NULL: not in the picture */
    size_t n_keys;
} rg_weight_matrix;

/* SVG, PNG or PDF by the end of the name. At most 4096 rows and as many columns; the legend has the
 * first 32 weights. RG_EUSAGE, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_weight_matrix_write(const rg_weight_matrix *matrix, const char *path,
                                               rg_error *err);

#endif
