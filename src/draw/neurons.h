/* neurons.h - a network on some graphs as a picture: a column of neurons per layer, lines between
 * them, and one colour a weight, wherever it is used. */
#ifndef REGULA_DRAW_NEURONS_H
#define REGULA_DRAW_NEURONS_H

#include "figure.h"

/* A connection to neuron `to` of a column from neuron `from` of the column before. */
typedef struct rg_neuron_line {
    uint32_t from, to;
    uint32_t weight; /* its number in the column, from 1 */
} rg_neuron_line;

/* The neurons of one layer on one graph. */
typedef struct rg_neuron_column {
    uint32_t n;
    const char *const *names; /* n, beside the neurons; NULL: none */
    const uint32_t *bias;     /* n numbers of weights, 0: no bias; NULL: none has one */
    const rg_neuron_line *lines;
    size_t n_lines;
    bool block; /* all depends on all before it, by layers that are not drawn */
} rg_neuron_column;

/* Borrowed while a function runs. Text as in figure.h. */
typedef struct rg_neuron_figure {
    const char *title;             /* NULL: none */
    const rg_figure_row *graphs;   /* n_rows, drawn beside their neurons */
    const rg_figure_label *labels; /* of their nodes, as in figure.h */
    size_t n_labels;
    const rg_neuron_column *const *rows; /* [row][column] */
    size_t n_rows, n_columns;
    const char *const *titles;      /* n_columns */
    const char *const *const *keys; /* [column][weight - 1]: its line in the legend */
    const size_t *n_keys;           /* [column] */
} rg_neuron_figure;

/* SVG, PNG or PDF by the end of the name. At most 400 neurons in a column of a graph and 20000 lines
 * in all. RG_EUSAGE, RG_EIO, RG_ENOMEM. */
RG_MUST_CHECK rg_status rg_neuron_figure_write(const rg_neuron_figure *figure, const char *path,
                                               rg_error *err);

#endif
