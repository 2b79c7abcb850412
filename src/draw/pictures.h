/* pictures.h - graphs of a data set as rows of a figure: points, colours, letters, bonds. */
#ifndef REGULA_DRAW_PICTURES_H
#define REGULA_DRAW_PICTURES_H

#include "names.h"

/* Rows without panels: the caller adds them. All of it is owned (rg_pictures_free). */
typedef struct rg_pictures {
    rg_figure_row *rows; /* one per graph, in the order asked for */
    size_t n_rows;
    rg_figure_label *labels; /* the node labels that occur in these graphs */
    size_t n_labels;
    bool molecules; /* atoms are letters: nobody needs a legend */
    void *block;    /* everything */
} rg_pictures;

/* graphs: n numbers below rg_dataset_n_graphs. names: kept; NULL: none. Labels are those of the
 * first column: atoms in the colours of chemists where the names are atoms, else colours of the
 * palette; letters are names of up to three letters, or values. Bonds need names of edge labels.
 * data: kept. out: untouched on failure. Cost: that of the layouts. RG_EUSAGE (no such graph),
 * RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_pictures_make(rg_pictures *out, const rg_dataset *data,
                                         const uint64_t *graphs, size_t n, const rg_names *names,
                                         rg_error *err);
void rg_pictures_free(rg_pictures *pictures); /* the arrays, not the struct */

#endif
